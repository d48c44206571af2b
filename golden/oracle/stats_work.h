// SPDX-License-Identifier: Apache-2.0
// Scratch numbers and the forms that densities, scores and tails share.
#ifndef ORACLE_STATS_WORK_H
#define ORACLE_STATS_WORK_H

#include "stats.h"

// A handful of numbers of one precision.
enum { STATS_WORK = 8 };
typedef struct stats_work {
    mpfr_t at[STATS_WORK];
} stats_work;

void stats_work_init(stats_work *w, mpfr_prec_t precision);
void stats_work_clear(stats_work *w);

// z = (datum - mu)/sigma, of the logarithm for the log-normal families; mu = p[first], sigma = p[first + 1]
void stats_standardise(mpfr_t z, const stats_datum *datum, int first, bool is_log);
// p and q = 1 - p of either binomial
void stats_binomial_odds(mpfr_t p, mpfr_t q, const stats_datum *datum);

#endif
