// SPDX-License-Identifier: Apache-2.0
// Truth of the module huber: the minimiser of each batch's surrogate (docs/huber.md), which is convex and piecewise quadratic. For
// a given set of rows within tau (and of non-zero coefficients) it solves a linear system; the optimality conditions, checked with
// the solution itself, prove that it is the minimiser whatever the sets came from. They are read off the answer, as is the state
// before the batch, since the regression is defined to go on from the coefficients it committed.
#include "oracle.h"

#include <stdlib.h>

enum { Q_MAX = 12, ROWS_MAX = 512 };
// A minimiser that needs no more bits than this at 256 or more is that very number (the mean of two values, say).
enum { EXACT_BITS = 64 };

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

static void design(mpfr_t value, const huber_row *row, int64_t i, int64_t j)
{
    if (j == row->p) {
        mpfr_set_ui(value, 1, MPFR_RNDN);
    } else {
        oracle_load(value, golden_array_at(&row->x, (size_t)(i * row->p + j)));
    }
}

static void weight(mpfr_t value, const huber_row *row, int64_t i)
{
    if (row->w.count == 0) {
        mpfr_set_ui(value, 1, MPFR_RNDN);
    } else {
        oracle_load(value, golden_array_at(&row->w, (size_t)i));
    }
}

// r = y - x beta; t and u are used.
static void residual(huber_state *s, const huber_row *row, int64_t i, mpfr_t *beta)
{
    oracle_load(s->r, golden_array_at(&row->y, (size_t)i));
    for (int64_t j = 0; j < s->q; ++j) {
        design(s->t, row, i, j);
        mpfr_mul(s->t, s->t, beta[j], MPFR_RNDN);
        mpfr_sub(s->r, s->r, s->t, MPFR_RNDN);
    }
}

// |r| - tau: below 0 the row counts in full.
static int side(huber_state *s)
{
    mpfr_abs(s->t, s->r, MPFR_RNDN);
    return mpfr_cmp(s->t, s->tau);
}

// square += weight curvature x x' over the rows of `batch`; curvature: kappa with bandwidth h, or (exact) 1 within tau and 0
// beyond.
static void add_curvature(huber_state *s, const huber_row *row, int64_t batch, mpfr_t *beta, bool smoothed, mpfr_t *square)
{
    for (int64_t i = batch * row->rows; i < (batch + 1) * row->rows; ++i) {
        residual(s, row, i, beta);
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
            mpfr_set_ui(s->r, side(s) <= 0 ? 1 : 0, MPFR_RNDN);
        }
        weight(s->t, row, i);
        mpfr_mul(s->r, s->r, s->t, MPFR_RNDN);
        for (int64_t k = 0; k < s->q * s->q; ++k) {
            design(s->t, row, i, k / s->q);
            design(s->u, row, i, k % s->q);
            mpfr_mul(s->t, s->t, s->u, MPFR_RNDN);
            mpfr_mul(s->t, s->t, s->r, MPFR_RNDN);
            mpfr_add(square[k], square[k], s->t, MPFR_RNDN);
        }
    }
}

// N, W, h, lambda, lambda0 of the batch.
static void scalars(huber_state *s, const huber_row *row, int64_t batch)
{
    mpfr_set_zero(s->total, 1);
    mpfr_set_zero(s->before, 1);
    for (int64_t i = 0; i < (batch + 1) * row->rows; ++i) {
        weight(s->t, row, i);
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
        scalars(s, row, b);
        if (b < row->batch) {
            add_curvature(s, row, b, s->beta, true, s->information);
        }
    }
}

static bool is_active(const huber_state *s, const huber_row *row, int64_t j)
{
    return !row->l1 || j >= row->p || !mpfr_zero_p(s->beta[j]);
}

// N grad Q at `beta`, with the L1 penalty's sign terms.
static void gradient(huber_state *s, const huber_row *row, mpfr_t *beta)
{
    for (int64_t j = 0; j < s->q; ++j) {
        mpfr_set_zero(s->gradient[j], 1);
    }
    for (int64_t i = row->batch * row->rows; i < (row->batch + 1) * row->rows; ++i) {
        residual(s, row, i, beta);
        if (side(s) > 0) {
            mpfr_copysign(s->r, s->tau, s->r, MPFR_RNDN);
        }
        weight(s->t, row, i);
        mpfr_mul(s->r, s->r, s->t, MPFR_RNDN);
        for (int64_t j = 0; j < s->q; ++j) {
            design(s->t, row, i, j);
            mpfr_mul(s->t, s->t, s->r, MPFR_RNDN);
            mpfr_sub(s->gradient[j], s->gradient[j], s->t, MPFR_RNDN);
        }
    }
    for (int64_t j = 0; j < s->q; ++j) {
        for (int64_t l = 0; l < s->q; ++l) {
            mpfr_sub(s->t, beta[l], s->start[l], MPFR_RNDN);
            mpfr_mul(s->t, s->t, s->information[j * s->q + l], MPFR_RNDN);
            mpfr_add(s->gradient[j], s->gradient[j], s->t, MPFR_RNDN);
        }
        if (row->l1 && j < row->p) {
            mpfr_mul_si(s->t, s->previous_lambda, mpfr_sgn(s->start[j]), MPFR_RNDN); // N c s = W lambda0 s
            mpfr_mul(s->t, s->t, s->before, MPFR_RNDN);
            mpfr_sub(s->gradient[j], s->gradient[j], s->t, MPFR_RNDN);
            mpfr_mul_si(s->t, s->lambda, mpfr_sgn(s->beta[j]), MPFR_RNDN);
            mpfr_mul(s->t, s->t, s->total, MPFR_RNDN);
            mpfr_add(s->gradient[j], s->gradient[j], s->t, MPFR_RNDN);
        }
    }
}

// Solves (hessian over active coefficients) d = right in place; inactive components become 0. false: singular.
static bool solve(huber_state *s, const huber_row *row, mpfr_t *square, mpfr_t *right)
{
    for (int64_t j = 0; j < s->q; ++j) {
        if (!is_active(s, row, j)) {
            mpfr_set_zero(right[j], 1);
            for (int64_t l = 0; l < s->q; ++l) {
                mpfr_set_zero(square[j * s->q + l], 1);
                mpfr_set_zero(square[l * s->q + j], 1);
            }
            mpfr_set_ui(square[j * s->q + j], 1, MPFR_RNDN);
        }
    }
    for (int64_t k = 0; k < s->q; ++k) { // symmetric positive definite or refused: no pivoting
        if (mpfr_sgn(square[k * s->q + k]) <= 0) {
            return false;
        }
        for (int64_t i = 0; i < s->q; ++i) {
            if (i == k) {
                continue;
            }
            mpfr_div(s->u, square[i * s->q + k], square[k * s->q + k], MPFR_RNDN);
            for (int64_t j = k; j < s->q; ++j) {
                mpfr_mul(s->t, s->u, square[k * s->q + j], MPFR_RNDN);
                mpfr_sub(square[i * s->q + j], square[i * s->q + j], s->t, MPFR_RNDN);
            }
            mpfr_mul(s->t, s->u, right[k], MPFR_RNDN);
            mpfr_sub(right[i], right[i], s->t, MPFR_RNDN);
        }
    }
    for (int64_t k = 0; k < s->q; ++k) {
        mpfr_div(right[k], right[k], square[k * s->q + k], MPFR_RNDN);
    }
    return true;
}

static void hessian(huber_state *s, const huber_row *row, mpfr_t *beta)
{
    for (int64_t k = 0; k < s->q * s->q; ++k) {
        mpfr_set(s->hessian[k], s->information[k], MPFR_RNDN);
    }
    add_curvature(s, row, row->batch, beta, false, s->hessian);
}

// The minimiser into s->next: exact Newton steps on the piecewise quadratic from the answer, until the sets repeat.
static golden_status minimise(huber_state *s, const huber_row *row, golden_error *error)
{
    for (int64_t j = 0; j < s->q; ++j) {
        mpfr_set(s->next[j], s->beta[j], MPFR_RNDN);
    }
    for (int step = 0; step < 8; ++step) {
        gradient(s, row, s->next);
        hessian(s, row, s->next);
        if (!solve(s, row, s->hessian, s->gradient)) {
            return golden_fail(error, GOLDEN_REFUSED,
                               "the Hessian at the answer is not positive definite: the minimiser is not unique.");
        }
        for (int64_t j = 0; j < s->q; ++j) {
            mpfr_sub(s->next[j], s->next[j], s->gradient[j], MPFR_RNDN);
        }
    }
    return GOLDEN_OK;
}

// The minimiser's optimality: gradient zero on active coefficients, at most N lambda on the others, signs kept; and no residual
// within h of tau, where the next batch and the step would depend on the smoothing.
static golden_status verify(huber_state *s, const huber_row *row, golden_error *error)
{
    gradient(s, row, s->next);
    for (int64_t j = 0; j < s->q; ++j) {
        mpfr_abs(s->t, s->gradient[j], MPFR_RNDN);
        if (is_active(s, row, j)) {
            bool zero = mpfr_zero_p(s->t) || mpfr_get_exp(s->t) < mpfr_get_exp(s->total) + 64 - s->precision / 2;
            bool kept = !row->l1 || j >= row->p || mpfr_sgn(s->next[j]) == mpfr_sgn(s->beta[j]);
            if (!zero || !kept) {
                return golden_fail(error, GOLDEN_DIFFERS, "row: coefficient %lld is not at the minimum for its sign.",
                                   (long long)j);
            }
        } else {
            mpfr_mul(s->u, s->lambda, s->total, MPFR_RNDN);
            if (mpfr_cmp(s->t, s->u) >= 0) {
                return golden_fail(error, GOLDEN_DIFFERS, "row: coefficient %lld is zero in the answer and not at the minimum.",
                                   (long long)j);
            }
        }
    }
    for (int64_t i = row->batch * row->rows; i < (row->batch + 1) * row->rows; ++i) {
        residual(s, row, i, s->next);
        mpfr_abs(s->t, s->r, MPFR_RNDN);
        mpfr_sub(s->t, s->t, s->tau, MPFR_RNDN);
        if (mpfr_cmpabs(s->t, s->band) <= 0) {
            return golden_fail(error, GOLDEN_REFUSED, "residual %lld lies within the bandwidth of tau; choose another row.",
                               (long long)i);
        }
    }
    return GOLDEN_OK;
}

static golden_status component(mpfr_t result, mpfr_prec_t precision, const void *context, golden_error *error)
{
    const huber_row *row = context;
    huber_state *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return golden_fail(error, GOLDEN_REFUSED, "out of memory for a batch.");
    }
    s->precision = precision;
    state_each(s, number_init);
    state_load(s, row);
    golden_status status = GOLDEN_OK;
    if (is_active(s, row, row->component)) {
        status = minimise(s, row, error);
        status = status == GOLDEN_OK ? verify(s, row, error) : status;
        mpfr_set(result, s->next[row->component], MPFR_RNDN);
    } else {
        status = minimise(s, row, error);
        status = status == GOLDEN_OK ? verify(s, row, error) : status;
        mpfr_set_zero(result, 1);
    }
    state_each(s, number_clear);
    free(s);
    return status;
}

// What the last proximal step can leave in the gradient of coefficient k, times N; result in s->u. It ended either within the
// tolerance, at a phi of at most max(1, 2 trace H), or where the objective is flat, at phi = trace H, where rounding alone is left:
// half a unit of the coefficient, and with a threshold three halves of a float64 unit of z, which exceeds it by lambda / phi (g /
// phi, z and lambda / phi are rounded).
static mpfr_ptr last_step(huber_state *s, const huber_row *row, const mpfr_t trace, int64_t k)
{
    mpfr_set_zero(s->r, 1);
    for (int64_t j = 0; j < s->q; ++j) {
        mpfr_sqr(s->t, s->next[j], MPFR_RNDN);
        mpfr_add(s->r, s->r, s->t, MPFR_RNDN);
    }
    mpfr_sqrt(s->r, s->r, MPFR_RNDN);
    mpfr_add_ui(s->r, s->r, 1, MPFR_RNDN);
    oracle_load_double(s->t, row->tolerance);
    mpfr_mul(s->r, s->r, s->t, MPFR_RNDN);
    mpfr_mul_2ui(s->t, trace, 1, MPFR_RNDN);
    mpfr_max(s->t, s->t, s->total, MPFR_RNDN);
    mpfr_mul(s->r, s->r, s->t, MPFR_RNDN);
    mpfr_mul(s->t, s->lambda, s->total, MPFR_RNDN);
    mpfr_div(s->t, s->t, trace, MPFR_RNDN);
    mpfr_abs(s->u, s->next[k], MPFR_RNDN);
    mpfr_add(s->t, s->t, s->u, MPFR_RNDN);
    oracle_ulp(s->u, s->t, GOLDEN_F64);
    mpfr_mul_d(s->u, s->u, mpfr_zero_p(s->lambda) ? 0.0 : 1.5, MPFR_RNDN);
    oracle_ulp(s->t, s->next[k], row->dtype);
    mpfr_div_2ui(s->t, s->t, 1, MPFR_RNDN);
    mpfr_add(s->u, s->u, s->t, MPFR_RNDN);
    mpfr_mul(s->u, s->u, trace, MPFR_RNDN);
    mpfr_max(s->u, s->u, s->r, MPFR_RNDN);
    return s->u;
}

// The rounding that a float64 gradient at the minimum carries, in units of N grad Q, for each coefficient (docs/huber.md):
// residual, score and product of each row, and the pull of the state's information in chains of q; for L1 also the last step.
static void scales(huber_state *s, const huber_row *row, mpfr_t *bound)
{
    mpfr_t sum, trace;
    mpfr_inits2(s->precision, sum, trace, (mpfr_ptr)0);
    for (int64_t k = 0; k < s->q * s->q; ++k) {
        mpfr_set(s->hessian[k], s->information[k], MPFR_RNDN);
    }
    mpfr_set(sum, s->tau, MPFR_RNDN); // every row within tau: the trace bound does not ask which are
    mpfr_set_inf(s->tau, 1);
    add_curvature(s, row, row->batch, s->next, false, s->hessian);
    mpfr_set(s->tau, sum, MPFR_RNDN);
    mpfr_set_zero(trace, 1);
    for (int64_t j = 0; j < s->q; ++j) {
        mpfr_add(trace, trace, s->hessian[j * s->q + j], MPFR_RNDN);
    }
    for (int64_t k = 0; k < s->q; ++k) {
        mpfr_set_zero(sum, 1);
        for (int64_t i = row->batch * row->rows; i < (row->batch + 1) * row->rows; ++i) {
            residual(s, row, i, s->next);
            mpfr_set(s->u, s->r, MPFR_RNDN);
            if (side(s) > 0) {
                mpfr_set(s->u, s->tau, MPFR_RNDN);
            }
            weight(s->t, row, i);
            mpfr_mul(s->u, s->u, s->t, MPFR_RNDN);
            design(s->t, row, i, k);
            mpfr_mul(s->u, s->u, s->t, MPFR_RNDN);
            mpfr_abs(s->u, s->u, MPFR_RNDN);
            mpfr_mul_ui(s->u, s->u, 3, MPFR_RNDN);
            mpfr_add(sum, sum, s->u, MPFR_RNDN);
        }
        for (int64_t l = 0; l < s->q; ++l) {
            mpfr_sub(s->u, s->next[l], s->start[l], MPFR_RNDN);
            mpfr_mul(s->u, s->u, s->information[k * s->q + l], MPFR_RNDN);
            mpfr_abs(s->u, s->u, MPFR_RNDN);
            mpfr_mul_ui(s->u, s->u, (unsigned long)(s->q + row->rows + 4), MPFR_RNDN);
            mpfr_add(sum, sum, s->u, MPFR_RNDN);
        }
        mpfr_div_2ui(sum, sum, 53, MPFR_RNDN);
        if (row->l1) {
            mpfr_add(sum, sum, last_step(s, row, trace, k), MPFR_RNDN);
        }
        mpfr_set(bound[k], sum, MPFR_RNDU);
    }
    mpfr_clears(sum, trace, (mpfr_ptr)0);
}

// |H^-1| times the gradient's rounding, plus half a unit of each coefficient.
static golden_status bounds(const huber_row *row, mpfr_t *result, golden_error *error)
{
    huber_state *s = calloc(1, sizeof *s);
    mpfr_t noise[Q_MAX];
    if (s == NULL) {
        return golden_fail(error, GOLDEN_REFUSED, "out of memory for a batch.");
    }
    s->precision = 512;
    state_each(s, number_init);
    state_load(s, row);
    golden_status status = minimise(s, row, error);
    for (int64_t j = 0; j < Q_MAX; ++j) {
        number_init(noise[j], s->precision);
    }
    if (status == GOLDEN_OK) {
        scales(s, row, noise);
    }
    for (int64_t j = 0; status == GOLDEN_OK && j < s->q; ++j) {
        oracle_ulp(result[j], s->next[j], row->dtype);
        mpfr_mul_d(result[j], result[j], row->l1 ? 0.0 : 0.5, MPFR_RNDN); // the last proximal step has it already
    }
    for (int64_t k = 0; status == GOLDEN_OK && k < s->q; ++k) { // column k of the inverse, times the noise in gradient k
        for (int64_t j = 0; j < s->q; ++j) {
            mpfr_set_ui(s->gradient[j], j == k, MPFR_RNDN);
        }
        hessian(s, row, s->next);
        (void)solve(s, row, s->hessian, s->gradient);
        for (int64_t j = 0; j < s->q; ++j) {
            mpfr_mul(s->t, s->gradient[j], noise[k], MPFR_RNDN);
            mpfr_abs(s->t, s->t, MPFR_RNDN);
            mpfr_add(result[j], result[j], s->t, MPFR_RNDN);
        }
    }
    for (int64_t j = 0; j < Q_MAX; ++j) {
        mpfr_clear(noise[j]);
    }
    state_each(s, number_clear);
    free(s);
    return status;
}

static golden_status row_read(const golden_row *row, huber_row *huber, golden_error *error)
{
    const struct {
        const char *key;
        int64_t *integer;
        double *real;
    } keys[] = {{"p", &huber->p, NULL},
                {"intercept", &huber->intercept, NULL},
                {"batches", &huber->batches, NULL},
                {"rows", &huber->rows, NULL},
                {"tau", NULL, &huber->tau},
                {"bandwidth_scale", NULL, &huber->bandwidth_scale},
                {"lambda_scale", NULL, &huber->lambda_scale},
                {"tolerance", NULL, &huber->tolerance}};
    golden_status status = GOLDEN_OK;
    for (size_t i = 0; status == GOLDEN_OK && i < sizeof keys / sizeof keys[0]; ++i) {
        status = keys[i].integer != NULL ? golden_row_integer(row, keys[i].key, keys[i].integer, error)
                                         : golden_row_real(row, keys[i].key, keys[i].real, error);
    }
    status = status == GOLDEN_OK ? golden_row_array(row, "x", row->dtype, &huber->x, error) : status;
    status = status == GOLDEN_OK ? golden_row_array(row, "y", row->dtype, &huber->y, error) : status;
    if (status == GOLDEN_OK && golden_row_has(row, "w")) {
        status = golden_row_array(row, "w", row->dtype, &huber->w, error);
    }
    int64_t count = huber->batches * huber->rows;
    bool fits = status != GOLDEN_OK ||
                (huber->p >= 1 && huber->p + huber->intercept <= Q_MAX && huber->rows >= 1 && huber->rows <= ROWS_MAX &&
                 huber->y.count == (size_t)count && huber->x.count == (size_t)(count * huber->p) &&
                 (huber->w.count == 0 || huber->w.count == (size_t)count));
    return fits ? status : golden_fail(error, GOLDEN_REFUSED, "row %s: x, y and w do not fit batches x rows x p.", row->id);
}

static golden_status regress(const golden_row *row, const golden_answer *answer, bool l1, oracle_truths *truths,
                             golden_error *error)
{
    huber_row huber = {.l1 = l1, .dtype = row->dtype, .answer = answer};
    mpfr_t truth, bound[Q_MAX];
    golden_status status = row_read(row, &huber, error);
    int64_t q = huber.p + huber.intercept;
    status = status == GOLDEN_OK ? oracle_expect(row, answer, (size_t)(huber.batches * q), NULL, error) : status;
    mpfr_init2(truth, 64);
    for (int j = 0; j < Q_MAX; ++j) {
        number_init(bound[j], 512);
    }
    for (huber.batch = 0; status == GOLDEN_OK && huber.batch < huber.batches; ++huber.batch) {
        status = bounds(&huber, bound, error);
        for (huber.component = 0; status == GOLDEN_OK && huber.component < q; ++huber.component) {
            size_t output = (size_t)(huber.batch * q + huber.component);
            status = oracle_settle(component, &huber, truth, error);
            if (mpfr_regular_p(truth) && mpfr_min_prec(truth) <= EXACT_BITS) {
                oracle_set_exact(truths, output, truth);
            } else {
                oracle_set_settled(truths, output, truth);
            }
            oracle_set_scale(truths, output, bound[huber.component]);
        }
    }
    for (int j = 0; j < Q_MAX; ++j) {
        mpfr_clear(bound[j]);
    }
    mpfr_clear(truth);
    golden_array_free(&huber.x);
    golden_array_free(&huber.y);
    golden_array_free(&huber.w);
    return status;
}

golden_status oracle_huber_none(const golden_row *row, const golden_answer *answer, oracle_truths *truths, golden_error *error)
{
    return regress(row, answer, false, truths, error);
}

golden_status oracle_huber_l1(const golden_row *row, const golden_answer *answer, oracle_truths *truths, golden_error *error)
{
    return regress(row, answer, true, truths, error);
}
