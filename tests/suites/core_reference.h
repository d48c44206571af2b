// SPDX-License-Identifier: Apache-2.0
// An integrator of the hierarchical fixture written from the equations: explicit loops, dense elimination, exact derivatives.
#ifndef CORE_REFERENCE_H
#define CORE_REFERENCE_H

#include "model.h"

// max |x|, and the maximum row sum of the Jacobian.
double reference_norm(const double *state);
double reference_jacobian_norm(const double *state, const double *parameters);
// Row-major; `magnitude` gets the sum of the absolute terms of each entry.
void reference_jacobian(const double *state, const double *parameters, double *jacobian, double *magnitude);

void reference_rk4_step(const double *from, const double *parameters, double h, double *to);
// z = y + h/2 (f(y) + f(z)) by Newton's method until the change is below 2^-50 of the state.
void reference_trapezoidal_step(const double *from, const double *parameters, double h, double *to);
// Derivative of sum seed * state(steps h) along one direction: a state cell, or after these a parameter.
double reference_rk4_derivative(const double *state, const double *parameters, double h, int steps, int direction,
                                const double *seed);

#endif
