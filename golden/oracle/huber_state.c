// SPDX-License-Identifier: Apache-2.0
// The state before a batch, and sums over its rows.
#include "huber.h"

#include <stdlib.h>

static void state_each(huber_state *s, void (*each)(mpfr_ptr, mpfr_prec_t))
{
    mpfr_ptr scalars[] = {s->total, s->before, s->lambda, s->previous_lambda, s->tau, s->band, s->r, s->t, s->u};
    for (size_t i = 0; i < sizeof scalars / sizeof scalars[0]; ++i) {
        each(scalars[i], s->precision);
    }
    for (int i = 0; i < Q_MAX; ++i) {
        each(s->beta[i], s->precision);
        each(s->start[i], s->precision);
        each(s->next[i], s->precision);
        each(s->gradient[i], s->precision);
    }
    for (int i = 0; i < Q_MAX * Q_MAX; ++i) {
        each(s->information[i], s->precision);
        each(s->hessian[i], s->precision);
    }
}

static void number_init(mpfr_ptr number, mpfr_prec_t precision)
{
    mpfr_init2(number, precision);
    mpfr_set_zero(number, 1);
}

static void number_clear(mpfr_ptr number, mpfr_prec_t precision)
{
    (void)precision;
    mpfr_clear(number);
}

void oracle_huber_design(mpfr_t value, const huber_row *row, int64_t i, int64_t j)
{
    if (j == row->p) {
        mpfr_set_ui(value, 1, MPFR_RNDN);
    } else {
        oracle_load(value, golden_array_at(&row->x, (size_t)(i * row->p + j)));
    }
}

void oracle_huber_weight(mpfr_t value, const huber_row *row, int64_t i)
{
    if (row->w.count == 0) {
        mpfr_set_ui(value, 1, MPFR_RNDN);
    } else {
        oracle_load(value, golden_array_at(&row->w, (size_t)i));
    }
}

// r = y - x beta; t and u are used.
void oracle_huber_residual(huber_state *s, const huber_row *row, int64_t i, mpfr_t *beta)
{
    oracle_load(s->r, golden_array_at(&row->y, (size_t)i));
    for (int64_t j = 0; j < s->q; ++j) {
        oracle_huber_design(s->t, row, i, j);
        mpfr_mul(s->t, s->t, beta[j], MPFR_RNDN);
        mpfr_sub(s->r, s->r, s->t, MPFR_RNDN);
    }
}

// |r| - tau: below 0 the row counts in full.
int oracle_huber_side(huber_state *s)
{
    mpfr_abs(s->t, s->r, MPFR_RNDN);
    return mpfr_cmp(s->t, s->tau);
}

// square += weight curvature x x' over the rows of `batch`; curvature: kappa with bandwidth h, or (exact) 1 within tau and 0
// beyond.
void oracle_huber_add_curvature(huber_state *s, const huber_row *row, int64_t batch, mpfr_t *beta, bool smoothed, mpfr_t *square)
{
    for (int64_t i = batch * row->rows; i < (batch + 1) * row->rows; ++i) {
        oracle_huber_residual(s, row, i, beta);
        if (smoothed) {
            mpfr_abs(s->t, s->r, MPFR_RNDN);
            mpfr_sub(s->r, s->tau, s->t, MPFR_RNDN);
            mpfr_div(s->r, s->r, s->band, MPFR_RNDN);
            mpfr_add_ui(s->r, s->r, 1, MPFR_RNDN);
            mpfr_div_2ui(s->r, s->r, 1, MPFR_RNDN); // 1/2 + (tau - |r|) / (2 h)
            if (mpfr_sgn(s->r) < 0) {
                mpfr_set_zero(s->r, 1);
            } else if (mpfr_cmp_ui(s->r, 1) > 0) {
                mpfr_set_ui(s->r, 1, MPFR_RNDN);
            }
        } else {
            mpfr_set_ui(s->r, oracle_huber_side(s) <= 0 ? 1 : 0, MPFR_RNDN);
        }
        oracle_huber_weight(s->t, row, i);
        mpfr_mul(s->r, s->r, s->t, MPFR_RNDN);
        for (int64_t k = 0; k < s->q * s->q; ++k) {
            oracle_huber_design(s->t, row, i, k / s->q);
            oracle_huber_design(s->u, row, i, k % s->q);
            mpfr_mul(s->t, s->t, s->u, MPFR_RNDN);
            mpfr_mul(s->t, s->t, s->r, MPFR_RNDN);
            mpfr_add(square[k], square[k], s->t, MPFR_RNDN);
        }
    }
}

// N, W, h, lambda, lambda0 of the batch.
void oracle_huber_scalars(huber_state *s, const huber_row *row, int64_t batch)
{
    mpfr_set_zero(s->total, 1);
    mpfr_set_zero(s->before, 1);
    for (int64_t i = 0; i < (batch + 1) * row->rows; ++i) {
        oracle_huber_weight(s->t, row, i);
        mpfr_add(s->total, s->total, s->t, MPFR_RNDN);
        if (i < batch * row->rows) {
            mpfr_add(s->before, s->before, s->t, MPFR_RNDN);
        }
    }
    oracle_load_double(s->tau, row->tau);
    mpfr_set_ui(s->u, row->p < 2 ? 2 : (unsigned long)row->p, MPFR_RNDN);
    mpfr_log(s->u, s->u, MPFR_RNDN);
    mpfr_sqrt(s->t, s->total, MPFR_RNDN);
    mpfr_mul(s->t, s->t, s->u, MPFR_RNDN);
    oracle_load_double(s->band, row->bandwidth_scale);
    mpfr_div(s->band, s->band, s->t, MPFR_RNDN);
    mpfr_min(s->band, s->band, s->tau, MPFR_RNDN);
    mpfr_set_zero(s->lambda, 1);
    mpfr_set_zero(s->previous_lambda, 1);
    if (row->l1) {
        mpfr_ptr lambdas[] = {s->lambda, s->previous_lambda};
        mpfr_ptr totals[] = {s->total, s->before};
        for (int k = 0; k < 2 - (batch == 0); ++k) {
            mpfr_div(s->t, s->u, totals[k], MPFR_RNDN);
            mpfr_sqrt(s->t, s->t, MPFR_RNDN);
            mpfr_mul(s->t, s->t, s->tau, MPFR_RNDN);
            oracle_load_double(lambdas[k], row->lambda_scale);
            mpfr_mul(lambdas[k], lambdas[k], s->t, MPFR_RNDN);
        }
    }
}

// State before the batch from the answer's coefficients of the batches before it.
static void state_load(huber_state *s, const huber_row *row)
{
    s->q = row->p + row->intercept;
    for (int64_t b = 0; b <= row->batch; ++b) {
        for (int64_t j = 0; j < s->q; ++j) {
            mpfr_set(s->start[j], s->beta[j], MPFR_RNDN);
            oracle_load(s->beta[j], row->answer->outputs[b * s->q + j].value);
        }
        oracle_huber_scalars(s, row, b);
        if (b < row->batch) {
            oracle_huber_add_curvature(s, row, b, s->beta, true, s->information);
        }
    }
}

huber_state *oracle_huber_new(const huber_row *row, mpfr_prec_t precision)
{
    huber_state *state = calloc(1, sizeof *state);
    if (state != NULL) {
        state->precision = precision;
        state_each(state, number_init);
        state_load(state, row);
    }
    return state;
}

void oracle_huber_free(huber_state *state)
{
    if (state != NULL) {
        state_each(state, number_clear);
        free(state);
    }
}
