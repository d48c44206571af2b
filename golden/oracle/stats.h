// SPDX-License-Identifier: Apache-2.0
// Truth of the module stats: densities, distribution functions and gradients from their definitions, in MPFR.
#ifndef ORACLE_STATS_H
#define ORACLE_STATS_H

#include "oracle.h"

typedef enum stats_family {
    STATS_NORMAL,
    STATS_LOGNORMAL,
    STATS_STUDENT,
    STATS_GAMMA,
    STATS_POISSON,
    STATS_NEGATIVE_BINOMIAL,
    STATS_BINOMIAL,
    STATS_BINOMIAL_LOGIT,
    STATS_PRIOR_NORMAL,
    STATS_PRIOR_HALF_NORMAL,
    STATS_PRIOR_LOGNORMAL,
    STATS_PRIOR_GAMMA,
    STATS_PRIOR_BETA
} stats_family;

typedef enum stats_censoring { STATS_OBSERVED, STATS_LEFT, STATS_RIGHT, STATS_INTERVAL } stats_censoring;

// One row of inputs. Reals are exact in binary64 whatever the row's dtype.
typedef struct stats_datum {
    stats_family family;
    golden_dtype dtype;
    stats_censoring censoring;
    double y, upper;
    int64_t count, upper_count, trials;
    double p[3];
    int output; // what a formula asks for: 0 the log density, k the derivative in parameter k - 1
} stats_datum;

// Element statuses as nc_stats.h documents them.
enum { STATS_OK = 0, STATS_OFF_SUPPORT = 1, STATS_INVALID_PARAMETER = 2, STATS_INVALID_VALUE = 3, STATS_UNSUPPORTED = 4 };

bool stats_is_count(stats_family family);
int stats_parameter_count(stats_family family);

// ---- stats_special.c: the smaller tail by a convergent expansion, the other as its complement
// --------------------------------------

// P(a, x) and Q(a, x), a, x > 0.
golden_status stats_gamma_tails(mpfr_t lower, mpfr_t upper, const mpfr_t a, const mpfr_t x, golden_error *error);
// I_x(a, b) and I_y(b, a), a, b > 0, 0 < x, y < 1, y = 1 - x.
golden_status stats_beta_tails(mpfr_t lower, mpfr_t upper, const mpfr_t a, const mpfr_t b, const mpfr_t x, const mpfr_t y,
                               golden_error *error);

// ---- stats_inversion.c: counts, and gamma variates, of any size
// --------------------------------------------------------------------------------------------

// Whether the shapes that belong to the bound are large: then its tails P(Y <= bound) and P(Y > bound) come from the inversion. For
// a gamma datum these are the tails of the Poisson count a - 1: lower is P(Y > y).
bool stats_shapes_are_large(const stats_datum *datum);
void stats_large_tails(mpfr_t lower, mpfr_t upper, const stats_datum *datum);

// ---- stats_density.c: observed data and priors
// ------------------------------------------------------------------------------------

// Log density of the datum as if observed, at `precision` bits.
void stats_log_density(mpfr_t result, mpfr_prec_t precision, const stats_datum *datum);
// Its derivative in parameter `parameter` (for priors 0 is the datum itself, then the parameters).
void stats_score(mpfr_t result, mpfr_prec_t precision, const stats_datum *datum, int parameter);

// ---- stats_censored.c
// ---------------------------------------------------------------------------------------------------------------

// An oracle_formula over a stats_datum: the term's log density or gradient, censored or not.
golden_status stats_formula(mpfr_t result, mpfr_prec_t precision, const void *context, golden_error *error);

// ---- stats_scale.c
// ------------------------------------------------------------------------------------------------------------------

// The error that the documented evaluation may make before its last rounding, in units of the dtype's 2^-53 or 2^-24
// (docs/statistics.md, Error bounds). `truth` holds the truths of the outputs so far asked for.
double stats_scale(const stats_datum *datum, const double *truth);

#endif
