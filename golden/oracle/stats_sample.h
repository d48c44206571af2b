// SPDX-License-Identifier: Apache-2.0
// What the replays of real and of count draws share.
#ifndef ORACLE_STATS_SAMPLE_H
#define ORACLE_STATS_SAMPLE_H

#include "rng.h"
#include "stats_scale.h"
#include "stats_work.h"

enum { ATTEMPTS = 64, PURPOSE_MAIN = 0, PURPOSE_SHAPE = 1, PURPOSE_BOOST = 2, PURPOSE_COUNT = 3, DECISION_BITS = 320 };

typedef struct stats_draw {
    stats_datum datum; // family, parameters, trials
    uint64_t seed, index;
    uint32_t stream;
    int family;   // number in the tag
    double units; // the error before the last rounding, in units of 2^-53
} stats_draw;

// Uniforms of an attempt: (k + 1/2) 2^-52 from words 0 and 1, and from words 2 and 3.
void stats_uniforms(mpfr_t first, mpfr_t second, const stats_draw *d, int purpose, int attempt);
// Sets *below to left < right; refuses when they are nearer than 2^10 roundings of `size`.
golden_status stats_decide(bool *below, const mpfr_t left, const mpfr_t right, double size, const stats_draw *d,
                           golden_error *error);
golden_status stats_too_close(const stats_draw *d, golden_error *error);
double stats_magnitude(const mpfr_t x);
// Logarithm of a gamma variate with shape a (Marsaglia & Tsang 2000), and its error in units.
golden_status stats_log_gamma(mpfr_t result, stats_work *w, const stats_draw *d, int purpose, double a, double *units,
                              golden_error *error);
golden_status stats_draw_count(int64_t *count, const stats_draw *d, golden_error *error);

#endif
