// SPDX-License-Identifier: Apache-2.0
// How unlikely a datum is, to leading order: log P = -rate - O(log) (Cramer 1938, Chernoff 1952). The rate is a closed form of
// every family, and what it leaves out is a few logarithms of numbers of the dtype, below extreme_logarithms. So it decides from
// outside whether a log probability is representable at all, and its leading digits where it is large.
#ifndef SUITES_STATS_EXTREME_RATE_H
#define SUITES_STATS_EXTREME_RATE_H

#include "stats.h"

// Eight logarithms of the dtype's least number, the largest in size that there are: 826.3 and 5955.7.
double extreme_logarithms(nc_dtype dtype);

typedef struct extreme_rate {
    double log2_rate; // of the rate; -inf for 0
    double doubt;     // relative, of what binary64 arithmetic makes of it
    int side;         // -1: the datum lies below the family's middle, 1: above
} extreme_rate;

// The rate at a value (y, or count of trials) of valid parameters inside their borders.
extreme_rate extreme_rate_real(nc_family family, const double *p, double y);
extreme_rate extreme_rate_count(nc_family family, const double *p, int64_t count, int64_t trials);
// Beta density at 0 < x < 1.
extreme_rate extreme_rate_beta(double a, double b, double x);

#endif
