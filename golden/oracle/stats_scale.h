// SPDX-License-Identifier: Apache-2.0
// Running error analysis of the documented evaluations (docs/statistics.md, Error bounds), in units u of the dtype (2^-53, 2^-24).
// Plain binary64 arithmetic on functions that MPFR rounds, so that every machine computes the same scale.
#ifndef ORACLE_STATS_SCALE_H
#define ORACLE_STATS_SCALE_H

#include "elementary_errors.h"
#include "stats.h"

// Absolute error, in units u, of that function where it gives `value`; LAST: without the last rounding, which the bound adds.
#define ERROR_OF(NAME, value) scale_error(value, ERROR_##NAME, ULP_##NAME)
#define ERROR_BEFORE_LAST(NAME, value) (2.0 * (ULP_##NAME - 0.5) * scale_rounding(value))
#define ERROR_CONSTANT 0.35 // of log(2 pi)/2 as one number

// What one rounding of x may lose: half a unit in its last place.
double scale_rounding(double x);
double scale_relative_rounding(double x); // over |x|: 1/2 to 1
double scale_error(double value, double relative, double ulp);
// A difference of two numbers of the dtype: 0 where it is one, else its rounding.
double scale_difference_rounding(golden_dtype dtype, double a, double b);
double scale_stirling_error(double x); // of S(x), of rho(x) and of erfcx(x)
double scale_digamma_error(double x);
double scale_erfcx_error(double x);

double scale_log(double x);
double scale_log1p(double x);
double scale_exp(double x);
double scale_erfcx(double x);              // x >= 0
double scale_stirling(double x);           // S(x)
double scale_digamma(double x);            // rho(x)
double scale_lgamma(double x);             // log Gamma
double scale_deviance(double x, double m); // x log(x/m) - (x - m)
double scale_least(golden_dtype dtype);    // where the core leaves the saddle-point form (low parts would underflow)

// A ratio so small that the core takes it over its divisor through a fourth root (log_ratio is its logarithm): 1 surely, -1 surely
// not, 0 rounding decides. What that adds to the error of its logarithm and of one exponential, and half the least subnormal over
// the divisor, which is left where the ratio is not what is small.
int scale_ratio_is_deep(golden_dtype dtype, double log_ratio);
#define ERROR_FOURTH_POWER (3.0 * ERROR_EXP + 5.0) // e^(x/4) four times, and its roundings
double stats_gradient_least(const stats_datum *datum);

double scale_unit(golden_dtype dtype);        // u itself: what a pair's low part may lose of 1
double stats_logit_units(golden_dtype dtype); // relative error of p and q from a logit
double scale_subnormal(golden_dtype dtype);   // half the least subnormal, in units u

#define ERROR_INTEGRAL 30.0 // of a quadrature: 16 nodes a panel, each an exponential of an exponent good to a few units

// ---- stats_series_scale.c: the integral J of a tail, relative; x_error is the relative error of the bound
double scale_series(golden_dtype dtype, double a, double b, double x, double x_error); // b < 0: the gamma's
double scale_nodes(golden_dtype dtype);                                                // of a panel of the quadrature
double scale_panels(golden_dtype dtype, double deep); // the quadrature where no exponent is above `deep`
double scale_gamma_integral(golden_dtype dtype, double a, double x, double x_error, bool lower);
double scale_beta_integral(golden_dtype dtype, double a, double b, double x, double x_error); // of the lower tail at x

// A bound of a censored term: truths, absolute errors of logarithms, relative ones of prefix/tail.
typedef struct stats_tail_errors {
    double log_lower, log_upper, log_prefix; // truth; the prefix of Student-t is |z| f(z)
    double lower, upper;                     // before the last rounding
    double lower_ratio, upper_ratio;         // with it
    double prefix;                           // of the log prefix, with its own rounding
    double weight, centre;                   // Student-t: of |z| f beyond |z| = 1, f within; of F(|z|) - 1/2
} stats_tail_errors;
void stats_tail_errors_at(const stats_datum *bound, stats_tail_errors *at);
bool stats_tail_is_certain(const stats_tail_errors *at);           // nothing lies beyond the bound, or before it
double stats_factor_units(const stats_datum *datum, double ratio); // what a one-sided gradient adds to its ratio, relative
double stats_interval_scale(const stats_datum *datum, double value, double truth);

// The error of the log density of an observed datum, and of its score in parameter k.
double stats_density_scale(const stats_datum *datum);
double stats_score_scale(const stats_datum *datum, int k, double truth);
// The same for a censored term; `value` is the truth of its log probability, `truth` that of the output asked for.
double stats_censored_scale(const stats_datum *datum, double value, double truth);
// Error of the standard log density of Student-t before its last rounding, and its value.
double stats_student_standard_scale(const stats_datum *datum, double *log_f);
// Error of z = (y - mu)/sigma of the normal families.
double stats_standard_scale(const stats_datum *datum, double *z);

#endif
