// SPDX-License-Identifier: Apache-2.0
// Distribution functions and goodness-of-fit tests on the host, in long double and independent of the core: for the draws of the
// suite stats and for the unit test that plants faults in them.
#ifndef REFERENCE_DISTRIBUTION_H
#define REFERENCE_DISTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The seven observation families by name; counts are passed as reals.
typedef enum reference_family {
    REFERENCE_NORMAL,
    REFERENCE_LOGNORMAL,
    REFERENCE_STUDENT_T,
    REFERENCE_GAMMA,
    REFERENCE_POISSON,
    REFERENCE_NEGATIVE_BINOMIAL,
    REFERENCE_BINOMIAL
} reference_family;

typedef struct reference_distribution {
    reference_family family;
    double p[3]; // parameters in the order of nc_stats.h
    double trials;
} reference_distribution;

bool reference_is_count(const reference_distribution *d);
// P(Y <= x), and the log density or log probability at x.
long double reference_cdf(const reference_distribution *d, double x);
long double reference_log_density(const reference_distribution *d, double x);
long double reference_digamma(long double x); // x > 0

// A bound of |core - reference_log_density| in roundings u (2^-24, 2^-53): REFERENCE_ROUNDINGS times the sum of the magnitudes that
// the stable form adds. That form is logarithms, which `terms` has twice, and deviances, which are what the logarithms leave of
// log f, and it is as sensitive to its rounded mean as y - mean.
double reference_density_terms(const reference_distribution *d, double x);
#define REFERENCE_ROUNDINGS 16.0
#define REFERENCE_DENSITY_DERIVATION                                                                                               \
    "16 u sum |t|: 3.2 u of an elementary function and 8 roundings for each term t, the rest for sums"

// Probability integral transform of draw x: F(x), and for counts F(x - 1) + v (F(x) - F(x - 1)) with v inside (0, 1).
double reference_transform(const reference_distribution *d, double x, double v);

// What the tests see in `count` values that should be uniform on (0, 1).
typedef struct reference_fit {
    double kolmogorov;     // Kolmogorov-Smirnov distance
    double anderson;       // Anderson-Darling A^2
    double chi_square;     // 64 equal cells
    double mean_z;         // mean of the normal scores in standard errors
    double variance_ratio; // variance of the normal scores
} reference_fit;

// `values` is sorted in place; 0 when memory is short.
int reference_fit_uniform(double *values, size_t count, reference_fit *fit);

// Thresholds, stated before any draw was made. Family-wise error 1e-6 over 14 cases of 4 tests: 1.79e-8 each. The distances hold
// for any count (KS: for 8192, exact; A^2: Marsaglia & Marsaglia 2004; chi-square: 63 degrees of freedom); the moments scale.
#define REFERENCE_KOLMOGOROV_8192 0.03361
#define REFERENCE_ANDERSON 16.4
#define REFERENCE_CHI_SQUARE 145.5
#define REFERENCE_STANDARD_ERRORS 5.63 // two-sided normal quantile of 1.79e-8
// Which test fails first, or null: the moments within REFERENCE_STANDARD_ERRORS of 0 and 1.
const char *reference_judge(const reference_fit *fit, size_t count);

#endif
