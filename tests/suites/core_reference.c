// SPDX-License-Identifier: Apache-2.0
// The reference integrator of the hierarchical fixture.
#include "core_reference.h"

#include <math.h>
#include <string.h>

#define N FIXTURE_STATES

double reference_norm(const double *state)
{
    double largest = 0.0;
    for (int i = 0; i < N; ++i) {
        largest = fmax(largest, fabs(state[i]));
    }
    return largest;
}

void reference_jacobian(const double *state, const double *parameters, double *jacobian, double *magnitude)
{
    const double still[FIXTURE_PARAMETERS] = {0.0};
    for (int j = 0; j < N; ++j) {
        double unit[N] = {0.0}, column[N], terms[N];
        unit[j] = 1.0;
        fixture_tangent(0, state, parameters, unit, still, column, terms);
        for (int i = 0; i < N; ++i) {
            jacobian[i * N + j] = column[i];
            magnitude[i * N + j] = terms[i];
        }
    }
}

double reference_jacobian_norm(const double *state, const double *parameters)
{
    double jacobian[N * N], magnitude[N * N], largest = 0.0;
    reference_jacobian(state, parameters, jacobian, magnitude);
    for (int i = 0; i < N; ++i) {
        double sum = 0.0;
        for (int j = 0; j < N; ++j) {
            sum += fabs(jacobian[i * N + j]);
        }
        largest = fmax(largest, sum);
    }
    return largest;
}

// A state with its derivative along one direction.
typedef struct pair {
    double value[N], tangent[N];
} pair;

static void rates_of(const pair *at, const double *parameters, const double *parameters_tangent, pair *rates)
{
    double magnitude[N];
    fixture_rhs(0, at->value, parameters, rates->value, magnitude);
    fixture_tangent(0, at->value, parameters, at->tangent, parameters_tangent, rates->tangent, magnitude);
}

static pair advanced(const pair *from, double h, const pair *rates)
{
    pair to;
    for (int i = 0; i < N; ++i) {
        to.value[i] = from->value[i] + h * rates->value[i];
        to.tangent[i] = from->tangent[i] + h * rates->tangent[i];
    }
    return to;
}

static void rk4_pair(pair *y, const double *parameters, const double *parameters_tangent, double h)
{
    pair k1, k2, k3, k4, middle;
    rates_of(y, parameters, parameters_tangent, &k1);
    middle = advanced(y, h / 2.0, &k1);
    rates_of(&middle, parameters, parameters_tangent, &k2);
    middle = advanced(y, h / 2.0, &k2);
    rates_of(&middle, parameters, parameters_tangent, &k3);
    middle = advanced(y, h, &k3);
    rates_of(&middle, parameters, parameters_tangent, &k4);
    for (int i = 0; i < N; ++i) {
        y->value[i] += h / 6.0 * (k1.value[i] + 2.0 * k2.value[i] + 2.0 * k3.value[i] + k4.value[i]);
        y->tangent[i] += h / 6.0 * (k1.tangent[i] + 2.0 * k2.tangent[i] + 2.0 * k3.tangent[i] + k4.tangent[i]);
    }
}

void reference_rk4_step(const double *from, const double *parameters, double h, double *to)
{
    const double still[FIXTURE_PARAMETERS] = {0.0};
    pair y = {.tangent = {0.0}};
    memcpy(y.value, from, sizeof y.value);
    rk4_pair(&y, parameters, still, h);
    memcpy(to, y.value, sizeof y.value);
}

double reference_rk4_derivative(const double *state, const double *parameters, double h, int steps, int direction,
                                const double *seed)
{
    double tangent[FIXTURE_PARAMETERS] = {0.0}, result = 0.0;
    pair y = {.tangent = {0.0}};
    memcpy(y.value, state, sizeof y.value);
    if (direction < N) {
        y.tangent[direction] = 1.0;
    } else {
        tangent[direction - N] = 1.0;
    }
    for (int i = 0; i < steps; ++i) {
        rk4_pair(&y, parameters, tangent, h);
    }
    for (int i = 0; i < N; ++i) {
        result += seed[i] * y.tangent[i];
    }
    return result;
}

// Gauss-Jordan with partial pivoting; the matrix is destroyed, x holds the right side and then the solution.
static void eliminate(double *a, double *x)
{
    for (int k = 0; k < N; ++k) {
        int pivot = k;
        for (int i = k + 1; i < N; ++i) {
            pivot = fabs(a[i * N + k]) > fabs(a[pivot * N + k]) ? i : pivot;
        }
        for (int j = 0; j < N; ++j) {
            double kept = a[k * N + j];
            a[k * N + j] = a[pivot * N + j];
            a[pivot * N + j] = kept;
        }
        double kept = x[k];
        x[k] = x[pivot];
        x[pivot] = kept;
        for (int i = 0; i < N; ++i) {
            double factor = i == k ? 0.0 : a[i * N + k] / a[k * N + k];
            for (int j = k; j < N && i != k; ++j) {
                a[i * N + j] -= factor * a[k * N + j];
            }
            x[i] -= factor * x[k];
        }
    }
    for (int i = 0; i < N; ++i) {
        x[i] /= a[i * N + i];
    }
}

void reference_trapezoidal_step(const double *from, const double *parameters, double h, double *to)
{
    double start[N], rates[N], magnitude[N * N], matrix[N * N], side[N], change = 1.0;
    fixture_rhs(0, from, parameters, start, magnitude);
    memcpy(to, from, sizeof start);
    for (int iteration = 0; iteration < 20 && change > 0x1p-50 * reference_norm(to); ++iteration) {
        fixture_rhs(0, to, parameters, rates, magnitude);
        reference_jacobian(to, parameters, matrix, magnitude);
        for (int i = 0; i < N; ++i) {
            side[i] = to[i] - from[i] - h / 2.0 * (start[i] + rates[i]);
            for (int j = 0; j < N; ++j) {
                matrix[i * N + j] = (i == j ? 1.0 : 0.0) - h / 2.0 * matrix[i * N + j];
            }
        }
        eliminate(matrix, side);
        change = reference_norm(side);
        for (int i = 0; i < N; ++i) {
            to[i] -= side[i];
        }
    }
}
