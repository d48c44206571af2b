// SPDX-License-Identifier: Apache-2.0
// The one right status of a term of extreme parameters, and where its log density lies, from its rate (stats_extreme_rate.h).
#ifndef SUITES_STATS_EXTREME_TRUTH_H
#define SUITES_STATS_EXTREME_TRUTH_H

#include "stats_extreme_draw.h"

typedef struct extreme_truth {
    bool is_off, either;   // `either`: so near to overflow that both are right
    bool is_leading;       // the value's leading digits are known
    double least, largest; // of the value
} extreme_truth;

// Of element i.
extreme_truth extreme_truth_observation(nc_dtype dtype, nc_family family, const extreme_data *d, size_t i);
extreme_truth extreme_truth_prior(nc_dtype dtype, nc_prior prior, const extreme_data *d, size_t i);

#endif
