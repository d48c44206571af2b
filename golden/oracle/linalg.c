// SPDX-License-Identifier: Apache-2.0
// Truth of the module linalg: exact sums and products; the documented order of roundings as required bits.
#include "canonical.h"

#include <stdlib.h>

// A binary64 argument as the operation uses it: rounded once to the arrays' dtype.
static golden_status scalar_read(const golden_row *row, const char *key, golden_value *value, golden_error *error)
{
    double given;
    golden_status status = golden_row_real(row, key, &given, error);
    if (status == GOLDEN_OK) {
        mpfr_t exact;
        mpfr_init2(exact, 64);
        oracle_load_double(exact, given);
        *value = oracle_round(exact, row->dtype);
        mpfr_clear(exact);
    }
    return status;
}

static golden_status pair_read(const golden_row *row, const char *first, const char *second, golden_array *x, golden_array *y,
                               golden_error *error)
{
    *y = (golden_array){0};
    golden_status status = golden_row_array(row, first, row->dtype, x, error);
    if (status == GOLDEN_OK) {
        status = golden_row_array(row, second, row->dtype, y, error);
    }
    if (status == GOLDEN_OK && x->count != y->count) {
        status = golden_fail(error, GOLDEN_REFUSED, "row %s: %s and %s differ in length.", row->id, first, second);
    }
    return status;
}

// out[i] = alpha x[i] + y[i], one rounding
golden_status oracle_linalg_axpy(const golden_row *row, const golden_answer *answer, oracle_truths *truths, golden_error *error)
{
    golden_array x, y;
    golden_value alpha;
    golden_status status = pair_read(row, "x", "y", &x, &y, error);
    status = status == GOLDEN_OK ? scalar_read(row, "alpha", &alpha, error) : status;
    status = status == GOLDEN_OK ? oracle_expect(row, answer, x.count, NULL, error) : status;
    mpfr_t left, right;
    mpfr_inits2(oracle_exact_bits(row->dtype), left, right, (mpfr_ptr)0);
    for (size_t i = 0; status == GOLDEN_OK && i < x.count; ++i) {
        oracle_load(left, alpha);
        oracle_load(right, golden_array_at(&x, i));
        mpfr_mul(left, left, right, MPFR_RNDN);
        oracle_load(right, golden_array_at(&y, i));
        mpfr_add(left, left, right, MPFR_RNDN);
        oracle_set_exact(truths, i, left);
    }
    mpfr_clears(left, right, (mpfr_ptr)0);
    golden_array_free(&x);
    golden_array_free(&y);
    return status;
}

// The exact sum of x, or of the products x[i] y[i]: every addition must be exact, which its ternary value shows.
static golden_status exact_sum(const golden_array *x, const golden_array *y, mpfr_t sum, golden_error *error)
{
    mpfr_t term, factor;
    mpfr_inits2(2 * oracle_format_of(x->dtype)->precision, term, factor, (mpfr_ptr)0);
    int lost = 0;
    mpfr_set_zero(sum, y == NULL && x->count > 0 ? -1 : 1);
    for (size_t i = 0; i < x->count; ++i) {
        oracle_load(term, golden_array_at(x, i));
        if (y != NULL) {
            oracle_load(factor, golden_array_at(y, i));
            lost |= mpfr_mul(term, term, factor, MPFR_RNDN);
        }
        lost |= mpfr_add(sum, sum, term, MPFR_RNDN);
    }
    mpfr_clears(term, factor, (mpfr_ptr)0);
    return lost == 0 ? GOLDEN_OK
                     : golden_fail(error, GOLDEN_REFUSED, "the exact sum needs more than %ld bits.", (long)mpfr_get_prec(sum));
}

static golden_status reduce(const golden_row *row, const golden_answer *answer, const golden_array *x, const golden_array *y,
                            oracle_truths *truths, golden_error *error)
{
    golden_status status = oracle_expect(row, answer, 1, NULL, error);
    mpfr_t sum;
    oracle_partial replay;
    mpfr_init2(sum, oracle_exact_bits(row->dtype));
    oracle_partial_init(&replay, row->dtype);
    status = status == GOLDEN_OK ? exact_sum(x, y, sum, error) : status;
    status = status == GOLDEN_OK ? oracle_canonical(x, y, &replay, error) : status;
    if (status == GOLDEN_OK) {
        oracle_set_exact(truths, 0, sum);
        oracle_set_scale(truths, 0, replay.lost);
        oracle_require(truths, 0, oracle_value_of(replay.rounded, row->dtype));
    }
    oracle_partial_clear(&replay);
    mpfr_clear(sum);
    return status;
}

golden_status oracle_linalg_sum(const golden_row *row, const golden_answer *answer, oracle_truths *truths, golden_error *error)
{
    golden_array x;
    golden_status status = golden_row_array(row, "x", row->dtype, &x, error);
    status = status == GOLDEN_OK ? reduce(row, answer, &x, NULL, truths, error) : status;
    golden_array_free(&x);
    return status;
}

golden_status oracle_linalg_dot(const golden_row *row, const golden_answer *answer, oracle_truths *truths, golden_error *error)
{
    golden_array x, y;
    golden_status status = pair_read(row, "x", "y", &x, &y, error);
    status = status == GOLDEN_OK ? reduce(row, answer, &x, &y, truths, error) : status;
    golden_array_free(&x);
    golden_array_free(&y);
    return status;
}

// IEEE 754-2019 (9.6) minimum (sign -1) and maximum (sign +1): a NaN wins; -0 lies below +0.
static void extremum(const golden_array *x, size_t begin, size_t end, int sign, mpfr_t best)
{
    mpfr_t item;
    mpfr_init2(item, 64);
    mpfr_set_inf(best, -sign);
    for (size_t i = begin; i < end && !mpfr_nan_p(best); ++i) {
        oracle_load(item, golden_array_at(x, i));
        bool zeros = mpfr_zero_p(item) && mpfr_zero_p(best);
        int order = zeros ? (mpfr_signbit(best) != 0) - (mpfr_signbit(item) != 0) : mpfr_nan_p(item) ? sign : mpfr_cmp(item, best);
        if (order * sign > 0 || i == begin) {
            mpfr_set(best, item, MPFR_RNDN);
        }
    }
    mpfr_clear(item);
}

static golden_status extremum_row(const golden_row *row, const golden_answer *answer, int sign, oracle_truths *truths,
                                  golden_error *error)
{
    golden_array x;
    golden_status status = golden_row_array(row, "x", row->dtype, &x, error);
    status = status == GOLDEN_OK ? oracle_expect(row, answer, 1, NULL, error) : status;
    if (status == GOLDEN_OK) {
        mpfr_t best;
        mpfr_init2(best, 64);
        extremum(&x, 0, x.count, sign, best);
        oracle_set_exact(truths, 0, best);
        mpfr_clear(best);
    }
    golden_array_free(&x);
    return status;
}

golden_status oracle_linalg_minimum(const golden_row *row, const golden_answer *answer, oracle_truths *truths, golden_error *error)
{
    return extremum_row(row, answer, -1, truths, error);
}

golden_status oracle_linalg_maximum(const golden_row *row, const golden_answer *answer, oracle_truths *truths, golden_error *error)
{
    return extremum_row(row, answer, 1, truths, error);
}

golden_status oracle_linalg_block_maximum(const golden_row *row, const golden_answer *answer, oracle_truths *truths,
                                          golden_error *error)
{
    golden_array x;
    int64_t block = 0;
    golden_status status = golden_row_array(row, "x", row->dtype, &x, error);
    status = status == GOLDEN_OK ? golden_row_integer(row, "block", &block, error) : status;
    if (status == GOLDEN_OK && block < 1) {
        status = golden_fail(error, GOLDEN_REFUSED, "row %s: block must be at least 1.", row->id);
    }
    size_t step = status == GOLDEN_OK ? (size_t)block : 1, blocks = (x.count + step - 1) / step;
    status = status == GOLDEN_OK ? oracle_expect(row, answer, blocks, NULL, error) : status;
    mpfr_t best;
    mpfr_init2(best, 64);
    for (size_t b = 0; status == GOLDEN_OK && b < blocks; ++b) {
        size_t end = x.count - b * step < step ? x.count : (b + 1) * step;
        extremum(&x, b * step, end, 1, best);
        oracle_set_exact(truths, b, best);
    }
    mpfr_clear(best);
    golden_array_free(&x);
    return status;
}

// One gemm row: C (m x n) = alpha A (m x k) B (k x n) + beta C, row-major.
typedef struct gemm_row {
    int64_t m, n, k;
    golden_value alpha, beta;
    golden_array a, b, c;
} gemm_row;

static golden_status gemm_read(const golden_row *row, gemm_row *gemm, golden_error *error)
{
    golden_status status = golden_row_integer(row, "m", &gemm->m, error);
    status = status == GOLDEN_OK ? golden_row_integer(row, "n", &gemm->n, error) : status;
    status = status == GOLDEN_OK ? golden_row_integer(row, "k", &gemm->k, error) : status;
    status = status == GOLDEN_OK ? scalar_read(row, "alpha", &gemm->alpha, error) : status;
    status = status == GOLDEN_OK ? scalar_read(row, "beta", &gemm->beta, error) : status;
    status = status == GOLDEN_OK ? golden_row_array(row, "a", row->dtype, &gemm->a, error) : status;
    status = status == GOLDEN_OK ? golden_row_array(row, "b", row->dtype, &gemm->b, error) : status;
    status = status == GOLDEN_OK ? golden_row_array(row, "c", row->dtype, &gemm->c, error) : status;
    if (status == GOLDEN_OK && (gemm->m < 0 || gemm->n < 0 || gemm->k < 0 || gemm->a.count != (size_t)(gemm->m * gemm->k) ||
                                gemm->b.count != (size_t)(gemm->k * gemm->n) || gemm->c.count != (size_t)(gemm->m * gemm->n))) {
        status = golden_fail(error, GOLDEN_REFUSED, "row %s: a, b and c do not have m*k, k*n and m*n elements.", row->id);
    }
    return status;
}

// The exact element: alpha times the exact sum of products, plus beta c unless beta is zero.
static void gemm_exact(const gemm_row *gemm, int64_t i, int64_t j, mpfr_t sum, mpfr_t term, mpfr_t factor)
{
    mpfr_set_zero(sum, 1);
    for (int64_t p = 0; p < gemm->k; ++p) {
        oracle_load(term, golden_array_at(&gemm->a, (size_t)(i * gemm->k + p)));
        oracle_load(factor, golden_array_at(&gemm->b, (size_t)(p * gemm->n + j)));
        mpfr_mul(term, term, factor, MPFR_RNDN);
        mpfr_add(sum, sum, term, MPFR_RNDN);
    }
    oracle_load(factor, gemm->alpha);
    mpfr_mul(sum, sum, factor, MPFR_RNDN);
    oracle_load(factor, gemm->beta);
    if (!mpfr_zero_p(factor)) {
        oracle_load(term, golden_array_at(&gemm->c, (size_t)(i * gemm->n + j)));
        mpfr_mul(term, term, factor, MPFR_RNDN);
        mpfr_add(sum, sum, term, MPFR_RNDN);
    }
}

// One fma chain in ascending k from +0; r = alpha * chain; beta zero: r, else fma(beta, c, r).
static void gemm_replay(const gemm_row *gemm, int64_t i, int64_t j, oracle_partial *chain, oracle_scratch *scratch, mpfr_t factor)
{
    mpfr_set_zero(chain->rounded, 1);
    mpfr_set_zero(chain->lost, 1);
    for (int64_t p = 0; p < gemm->k; ++p) {
        oracle_partial_fma(chain, golden_array_at(&gemm->a, (size_t)(i * gemm->k + p)),
                           golden_array_at(&gemm->b, (size_t)(p * gemm->n + j)), scratch);
    }
    oracle_load(factor, gemm->alpha);
    mpfr_mul(scratch->sum, chain->rounded, factor, MPFR_RNDN);
    mpfr_abs(factor, factor, MPFR_RNDN);
    mpfr_mul(chain->lost, chain->lost, factor, MPFR_RNDD);
    oracle_partial_round(chain, scratch->sum, scratch);
    oracle_load(factor, gemm->beta);
    if (!mpfr_zero_p(factor)) {
        oracle_partial_fma(chain, gemm->beta, golden_array_at(&gemm->c, (size_t)(i * gemm->n + j)), scratch);
    }
}

golden_status oracle_linalg_gemm(const golden_row *row, const golden_answer *answer, oracle_truths *truths, golden_error *error)
{
    gemm_row gemm = {0};
    golden_status status = gemm_read(row, &gemm, error);
    status = status == GOLDEN_OK ? oracle_expect(row, answer, gemm.c.count, NULL, error) : status;
    mpfr_t sum, term, factor;
    oracle_scratch scratch;
    oracle_partial chain;
    mpfr_init2(sum, oracle_exact_bits(row->dtype));
    mpfr_inits2(128, term, factor, (mpfr_ptr)0);
    oracle_scratch_init(&scratch, row->dtype);
    oracle_partial_init(&chain, row->dtype);
    for (size_t e = 0; status == GOLDEN_OK && e < gemm.c.count; ++e) {
        int64_t i = (int64_t)e / gemm.n, j = (int64_t)e % gemm.n;
        gemm_exact(&gemm, i, j, sum, term, factor);
        gemm_replay(&gemm, i, j, &chain, &scratch, factor);
        oracle_set_exact(truths, e, sum);
        oracle_set_scale(truths, e, chain.lost);
        oracle_require(truths, e, oracle_value_of(chain.rounded, row->dtype));
    }
    oracle_partial_clear(&chain);
    oracle_scratch_clear(&scratch);
    mpfr_clears(sum, term, factor, (mpfr_ptr)0);
    golden_array_free(&gemm.a);
    golden_array_free(&gemm.b);
    golden_array_free(&gemm.c);
    return status;
}
