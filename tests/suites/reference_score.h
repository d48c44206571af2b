// SPDX-License-Identifier: Apache-2.0
// Derivatives of log densities and of distribution functions on the host, in long double and independent of the core.
#ifndef REFERENCE_SCORE_H
#define REFERENCE_SCORE_H

#include "reference_distribution.h"

// d log f(x) / d p[k].
long double reference_score(const reference_distribution *d, double x, int k);
// d F(x) / d p[k] where it has a closed form; false for the shapes nu, a and phi.
bool reference_cdf_slope(const reference_distribution *d, double x, int k, long double *slope);

#endif
