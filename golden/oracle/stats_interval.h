// SPDX-License-Identifier: Apache-2.0
// What the error scales of intervals share.
#ifndef ORACLE_STATS_INTERVAL_H
#define ORACLE_STATS_INTERVAL_H

#include "stats_scale.h"

typedef struct stats_interval {
    const stats_datum *datum;
    stats_datum end; // the datum at its upper bound
    stats_tail_errors low, high;
    double value, truth; // of the log probability, and of the output asked for
    int output;
    double slope_low, slope_high;     // dF in the parameter asked for, over the probability
    double density_low, density_high; // the same in mu for the families that have one
} stats_interval;

// The difference of tails: absolute error of its logarithm, relative errors of both bounds' shares in the gradient.
typedef struct stats_between {
    double log_probability, at_low, at_high;
} stats_between;
void stats_between_errors(const stats_interval *at, stats_between *out);
double stats_subtraction(const stats_interval *at); // of the two shares
double stats_between_scale(const stats_interval *at);
// Whether a difference of tails would lose digits, with the border moved by `slack`.
bool stats_is_narrow(const stats_interval *at, double slack);

double stats_student_interval_scale(const stats_interval *at);
double stats_count_interval_scale(const stats_interval *at);

#endif
