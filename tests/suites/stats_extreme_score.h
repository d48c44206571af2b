// SPDX-License-Identifier: Apache-2.0
// Gradients of extreme parameters: scores that are elementary, from the textbooks' densities, in long double, whose exponents hold
// every product of numbers of the dtypes. They are compared in their leading digits.
#ifndef SUITES_STATS_EXTREME_SCORE_H
#define SUITES_STATS_EXTREME_SCORE_H

#include "stats_extreme_draw.h"

typedef struct extreme_score {
    bool is_known;     // elementary at this element
    long double value; // may be infinite at an end of the support
    long double size;  // of the terms whose difference it is; the value's own where rounded terms do not cancel
} extreme_score;

// Derivative in parameter k of element i, an observed datum, or a count that is P(Y <= 0) = f(0) or P(Y > 0) = 1 - f(0). Unknown:
// nu, the gamma's shape and phi (digamma functions), and other censored terms.
extreme_score extreme_score_observation(nc_family family, const extreme_data *d, size_t i, int k);
// Derivative in x (k = 0) or in parameter k - 1. Unknown: the shapes of gamma and beta.
extreme_score extreme_score_prior(nc_prior prior, const extreme_data *d, size_t i, int k);

typedef enum extreme_agreement { EXTREME_DIFFERS, EXTREME_AGREES, EXTREME_CANCELS } extreme_agreement;

// Whether a gradient is the score: within 2^-10 (2^-24) of it. That holds 2^3 roundings of terms that cancel by up to 2^10, 2^-11
// (2^-40); and a subnormal z = t/sigma, which has 12 (26) bits at least where z/sigma is normal, since t is no less than the least
// number. A score whose terms cancel by more is not judged. Above the largest number a gradient is infinite, and below the least
// normal one no larger than that.
extreme_agreement extreme_score_compare(nc_dtype dtype, extreme_score score, double gradient);

#endif
