// SPDX-License-Identifier: Apache-2.0
// Running error analysis of the documented evaluations (docs/statistics.md, Error bounds), in units u of the dtype (2^-53, 2^-24).
// Plain binary64 arithmetic on functions that MPFR rounds, so that every machine computes the same scale.
#ifndef ORACLE_STATS_SCALE_H
#define ORACLE_STATS_SCALE_H

#include "stats.h"

// Largest relative errors of the core's elementary functions in units u, where results are normal (docs/elementary.md derives
// them).
#define ERROR_LOG 1.1
#define ERROR_LOG1P 1.1
#define ERROR_LOG1PMX 1.8
#define ERROR_EXP 1.2
#define ERROR_DEVIANCE 1.9
#define ERROR_STIRLING 3.0
#define ERROR_DIGAMMA 2.6
#define ERROR_LGAMMA1P 3.0
#define ERROR_SOFTPLUS 2.8
#define ERROR_ERFCX 2.3

double scale_log(double x);
double scale_log1p(double x);
double scale_exp(double x);
double scale_erfcx(double x);              // x >= 0
double scale_stirling(double x);           // S(x)
double scale_digamma(double x);            // rho(x)
double scale_lgamma(double x);             // log Gamma
double scale_deviance(double x, double m); // x log(x/m) - (x - m)
double scale_least(golden_dtype dtype);    // where the core leaves the saddle-point form (low parts would underflow)

double scale_unit(golden_dtype dtype);      // u itself: what a pair's low part may lose of 1
double scale_subnormal(golden_dtype dtype); // half the least subnormal, in units u

#define ERROR_EXPM1 2.2
#define ERROR_INTEGRAL 30.0 // of a quadrature: 16 nodes a panel, each an exponential of an exponent good to a few units

// A bound of a censored term: truths, absolute errors of logarithms, relative ones of prefix/tail.
typedef struct stats_tail_errors {
    double log_lower, log_upper, log_prefix; // truth; the prefix of Student-t is |z| f(z)
    double lower, upper;
    double lower_ratio, upper_ratio;
    double prefix; // of the log prefix, with its own rounding
} stats_tail_errors;
void stats_tail_errors_at(const stats_datum *bound, stats_tail_errors *at);
bool stats_tail_is_certain(const stats_tail_errors *at); // nothing lies beyond the bound, or before it
double stats_gradient_factor(const stats_datum *datum);  // what multiplies prefix/tail in a gradient
double stats_interval_scale(const stats_datum *datum, double value, double truth);

// The error of the log density of an observed datum, and of its score in parameter k.
double stats_density_scale(const stats_datum *datum);
double stats_score_scale(const stats_datum *datum, int k, double truth);
// The same for a censored term; `value` is the truth of its log probability, `truth` that of the output asked for.
double stats_censored_scale(const stats_datum *datum, double value, double truth);
// Error of z = (y - mu)/sigma of the normal families.
double stats_standard_scale(const stats_datum *datum, double *z);

#endif
