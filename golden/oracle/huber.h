// SPDX-License-Identifier: Apache-2.0
// One batch of a Huber stream at one precision: its state, its surrogate and the minimiser. docs/huber.md has the formulas.
#ifndef ORACLE_HUBER_H
#define ORACLE_HUBER_H

#include "oracle.h"

enum { Q_MAX = 12, ROWS_MAX = 512 };

typedef struct huber_row {
    int64_t p, intercept, batches, rows; // rows in each batch
    golden_array x, y, w;                // all batches, one after the other
    double tau, bandwidth_scale, lambda_scale, tolerance;
    bool l1;
    golden_dtype dtype;
    const golden_answer *answer;
    // the batch and component in question
    int64_t batch, component;
} huber_row;

// Everything of one batch at one precision.
typedef struct huber_state {
    mpfr_prec_t precision;
    int64_t q;
    mpfr_t total, before, lambda, previous_lambda, tau, band; // N, W, lambda, lambda0, tau, h
    mpfr_t beta[Q_MAX], start[Q_MAX], next[Q_MAX];            // of the answer, before the batch, the minimiser
    mpfr_t information[Q_MAX * Q_MAX], hessian[Q_MAX * Q_MAX], gradient[Q_MAX];
    mpfr_t r, t, u;
} huber_state;

// Zero-initialised at `precision`, with the state before row->batch; null when memory is short. Release with oracle_huber_free.
huber_state *oracle_huber_new(const huber_row *row, mpfr_prec_t precision);
void oracle_huber_free(huber_state *state);

// x_ij (1 in the column of ones) and the weight of row i.
void oracle_huber_design(mpfr_t value, const huber_row *row, int64_t i, int64_t j);
void oracle_huber_weight(mpfr_t value, const huber_row *row, int64_t i);
// state->r = y - x beta; t is used.
void oracle_huber_residual(huber_state *state, const huber_row *row, int64_t i, mpfr_t *beta);
// The sign of |r| - tau; t is used.
int oracle_huber_side(huber_state *state);
// square += weight curvature x x' over the rows of `batch`; curvature: kappa with bandwidth h, or 1 within tau and 0 beyond.
void oracle_huber_add_curvature(huber_state *state, const huber_row *row, int64_t batch, mpfr_t *beta, bool smoothed,
                                mpfr_t *square);
// N times the Hessian at `beta` into state->hessian; smoothed: the Newton system's, with kappa.
void oracle_huber_hessian(huber_state *state, const huber_row *row, mpfr_t *beta, bool smoothed);
// Solves (square over active coefficients) d = right in place; inactive components become 0. false: singular.
bool oracle_huber_solve(huber_state *state, const huber_row *row, mpfr_t *square, mpfr_t *right);
// The minimiser into state->next, with its optimality proved.
golden_status oracle_huber_minimise(huber_state *state, const huber_row *row, golden_error *error);
// N, W, h, lambda and lambda0 of a batch, as the rows up to it give them.
void oracle_huber_scalars(huber_state *state, const huber_row *row, int64_t batch);

// How far the answer may be from the minimiser, for each coefficient (docs/huber.md); result holds Q_MAX numbers.
golden_status oracle_huber_bounds(const huber_row *row, mpfr_t *result, golden_error *error);

#endif
