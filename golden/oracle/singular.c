// SPDX-License-Identifier: Apache-2.0
// One-sided Jacobi (Hestenes, J. SIAM 6(1), 1958) with cyclic pairs, run to the end of the precision.
#include "singular.h"

#include <stdlib.h>

enum { SWEEPS_MAX = 60, GUARD = 16, MARGIN = 10 };

mpfr_t *oracle_numbers_new(int64_t count, mpfr_prec_t precision)
{
    mpfr_t *numbers = calloc((size_t)count + 1, sizeof *numbers);
    for (int64_t i = 0; numbers != NULL && i < count; ++i) {
        mpfr_init2(numbers[i], precision);
        mpfr_set_zero(numbers[i], 1);
    }
    return numbers;
}

void oracle_numbers_free(mpfr_t *numbers, int64_t count)
{
    for (int64_t i = 0; numbers != NULL && i < count; ++i) {
        mpfr_clear(numbers[i]);
    }
    free(numbers);
}

typedef struct singular_work {
    int64_t n;
    mpfr_prec_t precision;
    mpfr_t *u, *v;   // columns of U = A V, and V
    mpfr_t *squares; // squared norms of U's columns
    mpfr_t alpha, beta, gamma, c, s, t, work, largest;
} singular_work;

static void column_dot(singular_work *w, mpfr_t sum, int64_t p, int64_t q)
{
    mpfr_set_zero(sum, 1);
    for (int64_t r = 0; r < w->n; ++r) {
        mpfr_fma(sum, w->u[r * w->n + p], w->u[r * w->n + q], sum, MPFR_RNDN);
    }
}

static void squares_update(singular_work *w)
{
    mpfr_set_zero(w->largest, 1);
    for (int64_t j = 0; j < w->n; ++j) {
        column_dot(w, w->squares[j], j, j);
        mpfr_max(w->largest, w->largest, w->squares[j], MPFR_RNDN);
    }
}

// Is this squared norm nothing beside the largest, at `bits` bits of the norm?
static bool vanishes(singular_work *w, const mpfr_t square, mpfr_exp_t bits)
{
    return mpfr_zero_p(square) || mpfr_get_exp(square) <= mpfr_get_exp(w->largest) - 2 * bits;
}

static void columns_turn(singular_work *w, mpfr_t *m, int64_t p, int64_t q)
{
    for (int64_t r = 0; r < w->n; ++r) {
        mpfr_t *left = &m[r * w->n + p], *right = &m[r * w->n + q];
        mpfr_fmms(w->work, w->c, *left, w->s, *right, MPFR_RNDN);
        mpfr_fmma(*right, w->s, *left, w->c, *right, MPFR_RNDN);
        mpfr_set(*left, w->work, MPFR_RNDN);
    }
}

// Makes columns p and q orthogonal; true when it had to turn. With zeta = (beta - alpha) / (2 gamma), the tangent of the angle is
// the smaller root of t^2 + 2 zeta t - 1 = 0.
static bool pair_turn(singular_work *w, int64_t p, int64_t q)
{
    column_dot(w, w->alpha, p, p);
    column_dot(w, w->beta, q, q);
    column_dot(w, w->gamma, p, q);
    if (vanishes(w, w->alpha, w->precision - 2 * GUARD) || vanishes(w, w->beta, w->precision - 2 * GUARD) ||
        mpfr_zero_p(w->gamma)) {
        return false;
    }
    mpfr_mul(w->work, w->alpha, w->beta, MPFR_RNDN);
    mpfr_sqrt(w->work, w->work, MPFR_RNDN);
    if (mpfr_get_exp(w->gamma) <= mpfr_get_exp(w->work) - (w->precision - GUARD)) {
        return false;
    }
    mpfr_sub(w->t, w->beta, w->alpha, MPFR_RNDN);
    mpfr_div(w->t, w->t, w->gamma, MPFR_RNDN);
    mpfr_div_2ui(w->t, w->t, 1, MPFR_RNDN);
    bool negative = mpfr_signbit(w->t) != 0;
    mpfr_sqr(w->work, w->t, MPFR_RNDN);
    mpfr_add_ui(w->work, w->work, 1, MPFR_RNDN);
    mpfr_sqrt(w->work, w->work, MPFR_RNDN);
    mpfr_abs(w->t, w->t, MPFR_RNDN);
    mpfr_add(w->t, w->t, w->work, MPFR_RNDN);
    mpfr_ui_div(w->t, 1, w->t, MPFR_RNDN);
    mpfr_setsign(w->t, w->t, negative, MPFR_RNDN);
    mpfr_sqr(w->c, w->t, MPFR_RNDN);
    mpfr_add_ui(w->c, w->c, 1, MPFR_RNDN);
    mpfr_rec_sqrt(w->c, w->c, MPFR_RNDN);
    mpfr_mul(w->s, w->c, w->t, MPFR_RNDN);
    columns_turn(w, w->u, p, q);
    columns_turn(w, w->v, p, q);
    return true;
}

static golden_status sweeps_run(singular_work *w, golden_error *error)
{
    for (int sweep = 0; sweep < SWEEPS_MAX; ++sweep) {
        bool turned = false;
        squares_update(w);
        for (int64_t p = 0; p < w->n; ++p) {
            for (int64_t q = p + 1; q < w->n; ++q) {
                turned = pair_turn(w, p, q) || turned;
            }
        }
        if (!turned) {
            squares_update(w);
            return GOLDEN_OK;
        }
    }
    return golden_fail(error, GOLDEN_REFUSED, "the singular values did not settle in %d sweeps.", SWEEPS_MAX);
}

// x += v_j (u_j' b) / sigma_j^2 for every singular value that is kept.
static golden_status solution_add(singular_work *w, const golden_array *b, golden_dtype dtype, oracle_singular *result,
                                  golden_error *error)
{
    long eps_exponent = 1 - (long)oracle_format_of(dtype)->precision; // eps = 2 unit roundoffs
    mpfr_sqrt(result->largest, w->largest, MPFR_RNDN);
    mpfr_set_inf(result->least, 1);
    for (int64_t j = 0; j < w->n; ++j) {
        if (vanishes(w, w->squares[j], w->precision / 2)) {
            continue;
        }
        mpfr_sqrt(w->s, w->squares[j], MPFR_RNDN);
        mpfr_mul_si(w->work, result->largest, (long)w->n, MPFR_RNDN);
        mpfr_mul_2si(w->work, w->work, eps_exponent + MARGIN, MPFR_RNDN);
        if (mpfr_lessequal_p(w->s, w->work)) {
            return golden_fail(error, GOLDEN_REFUSED, "a singular value lies near the cutoff: this is no row.");
        }
        mpfr_min(result->least, result->least, w->s, MPFR_RNDN);
        mpfr_set_zero(w->t, 1);
        for (int64_t r = 0; r < w->n; ++r) {
            oracle_load(w->work, golden_array_at(b, (size_t)r));
            mpfr_fma(w->t, w->u[r * w->n + j], w->work, w->t, MPFR_RNDN);
        }
        mpfr_div(w->t, w->t, w->squares[j], MPFR_RNDN);
        for (int64_t i = 0; i < w->n; ++i) {
            mpfr_fma(result->x[i], w->v[i * w->n + j], w->t, result->x[i], MPFR_RNDN);
        }
        ++result->rank;
    }
    return GOLDEN_OK;
}

static void norm_of(mpfr_t norm, mpfr_t *numbers, int64_t count)
{
    mpfr_set_zero(norm, 1);
    for (int64_t i = 0; i < count; ++i) {
        mpfr_fma(norm, numbers[i], numbers[i], norm, MPFR_RNDU);
    }
    mpfr_sqrt(norm, norm, MPFR_RNDU);
}

static void norms_set(singular_work *w, const golden_array *a, const golden_array *b, oracle_singular *result)
{
    int64_t n = w->n;
    for (int64_t e = 0; e < n * n; ++e) { // U is not needed any more
        oracle_load(w->u[e], golden_array_at(a, (size_t)e));
    }
    norm_of(result->norm_a, w->u, n * n);
    norm_of(result->norm_x, result->x, n);
    for (int64_t i = 0; i < n; ++i) {
        oracle_load(w->squares[i], golden_array_at(b, (size_t)i));
    }
    norm_of(result->norm_b, w->squares, n);
    for (int64_t i = 0; i < n; ++i) {
        for (int64_t j = 0; j < n; ++j) {
            mpfr_mul(w->work, w->u[i * n + j], result->x[j], MPFR_RNDN);
            mpfr_sub(w->squares[i], w->squares[i], w->work, MPFR_RNDN);
        }
    }
    norm_of(result->norm_residual, w->squares, n);
}

golden_status oracle_singular_solve(const golden_array *a, const golden_array *b, int64_t n, mpfr_prec_t precision,
                                    oracle_singular *result, golden_error *error)
{
    singular_work w = {.n = n, .precision = precision};
    *result = (oracle_singular){.n = n, .x = oracle_numbers_new(n, precision)};
    mpfr_inits2(precision, result->largest, result->least, result->norm_a, result->norm_b, result->norm_x, result->norm_residual,
                (mpfr_ptr)0);
    mpfr_inits2(precision, w.alpha, w.beta, w.gamma, w.c, w.s, w.t, w.work, w.largest, (mpfr_ptr)0);
    w.u = oracle_numbers_new(n * n, precision);
    w.v = oracle_numbers_new(n * n, precision);
    w.squares = oracle_numbers_new(n, precision);
    golden_status status = result->x && w.u && w.v && w.squares ? GOLDEN_OK : golden_fail(error, GOLDEN_REFUSED, "out of memory.");
    for (int64_t e = 0; status == GOLDEN_OK && e < n * n; ++e) {
        oracle_load(w.u[e], golden_array_at(a, (size_t)e));
        mpfr_set_ui(w.v[e], e / n == e % n ? 1 : 0, MPFR_RNDN);
    }
    status = status == GOLDEN_OK ? sweeps_run(&w, error) : status;
    status = status == GOLDEN_OK ? solution_add(&w, b, a->dtype, result, error) : status;
    if (status == GOLDEN_OK) {
        norms_set(&w, a, b, result);
    }
    oracle_numbers_free(w.u, n * n);
    oracle_numbers_free(w.v, n * n);
    oracle_numbers_free(w.squares, n);
    mpfr_clears(w.alpha, w.beta, w.gamma, w.c, w.s, w.t, w.work, w.largest, (mpfr_ptr)0);
    return status;
}

void oracle_singular_free(oracle_singular *result)
{
    oracle_numbers_free(result->x, result->n);
    mpfr_clears(result->largest, result->least, result->norm_a, result->norm_b, result->norm_x, result->norm_residual, (mpfr_ptr)0);
}
