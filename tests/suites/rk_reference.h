// SPDX-License-Identifier: Apache-2.0
// Explicit Runge-Kutta methods on x' = r x - c x^2, with exact derivatives in x0, r and c, from tableaus written as fractions.
#ifndef RK_REFERENCE_H
#define RK_REFERENCE_H

#include <stdint.h>

typedef struct rk_result {
    double value;
    double derivative[3]; // in x0, r, c
} rk_result;

// `method` is NC_METHOD_EULER to NC_METHOD_DOPRI5.
rk_result rk_logistic(int32_t method, const double *times, int steps, double start, const double *parameters);

#endif
