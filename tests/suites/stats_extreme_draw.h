// SPDX-License-Identifier: Apache-2.0
// Valid parameters and data of one call, drawn from the whole exponent range of a dtype: ordinary numbers, the largest, the least
// normal and the subnormal ones, with data near and far. The same on every device.
#ifndef SUITES_STATS_EXTREME_DRAW_H
#define SUITES_STATS_EXTREME_DRAW_H

#include "stats.h"

enum { EXTREME_ELEMENTS = 1024 };

// Elements of one call. What a family does not use is left as it is.
typedef struct extreme_data {
    double y[EXTREME_ELEMENTS], upper[EXTREME_ELEMENTS], p[NC_STATS_MAX_PARAMETERS][EXTREME_ELEMENTS];
    int64_t count[EXTREME_ELEMENTS], upper_count[EXTREME_ELEMENTS], trials[EXTREME_ELEMENTS];
    uint8_t kind[EXTREME_ELEMENTS]; // nc_censoring
} extreme_data;

void extreme_draw_observations(nc_dtype dtype, nc_family family, extreme_data *data);
// All of the draws lie on the support; y is the prior's datum.
void extreme_draw_priors(nc_dtype dtype, nc_prior prior, extreme_data *data);

#endif
