// SPDX-License-Identifier: Apache-2.0
// The reference of the explicit methods. Values carry their derivatives along: forward, one direction at a time.
#include "rk_reference.h"

#include "nc_solver.h"

typedef struct tableau {
    int stages;
    double a[6][6], b[6];
} tableau;

static const tableau tableaus[] = {
    [NC_METHOD_EULER] = {1, {{0.0}}, {1.0}},
    [NC_METHOD_HEUN] = {2, {{0.0}, {1.0}}, {0.5, 0.5}},
    [NC_METHOD_RK4] = {4, {{0.0}, {0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}},
    [NC_METHOD_DOPRI5] = {6,
                          {{0.0},
                           {1.0 / 5},
                           {3.0 / 40, 9.0 / 40},
                           {44.0 / 45, -56.0 / 15, 32.0 / 9},
                           {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                           {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656}},
                          {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}},
};

// x with its derivatives in x0, r, c.
static rk_result rate_of(const rk_result *x, const double *parameters)
{
    double r = parameters[0], c = parameters[1];
    rk_result rate = {.value = r * x->value - c * x->value * x->value};
    for (int i = 0; i < 3; ++i) {
        rate.derivative[i] = (r - 2.0 * c * x->value) * x->derivative[i];
    }
    rate.derivative[1] += x->value;
    rate.derivative[2] -= x->value * x->value;
    return rate;
}

static rk_result add_scaled(rk_result x, double factor, const rk_result *rate)
{
    x.value += factor * rate->value;
    for (int i = 0; i < 3; ++i) {
        x.derivative[i] += factor * rate->derivative[i];
    }
    return x;
}

rk_result rk_logistic(int32_t method, const double *times, int steps, double start, const double *parameters)
{
    const tableau *t = &tableaus[method];
    rk_result x = {start, {1.0, 0.0, 0.0}};
    for (int n = 0; n < steps; ++n) {
        double h = times[n + 1] - times[n];
        rk_result rates[6], next = x;
        for (int i = 0; i < t->stages; ++i) {
            rk_result stage = x;
            for (int j = 0; j < i; ++j) {
                stage = add_scaled(stage, h * t->a[i][j], &rates[j]);
            }
            rates[i] = rate_of(&stage, parameters);
            next = add_scaled(next, h * t->b[i], &rates[i]);
        }
        x = next;
    }
    return x;
}
