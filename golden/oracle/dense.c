// SPDX-License-Identifier: Apache-2.0
// Truth of the module dense: the exact Gram matrix with the documented order of roundings, and exact solutions of linear systems
// with the running error of the documented elimination.
#include "canonical.h"
#include "tracked.h"

#include <stdlib.h>

// The numbers of docs/sums.md for sums over rows, stated again.
enum { ROW_CHUNK = 512, ROW_LANES = 256 };

// ---- Gram --------------------------------------------------------------------------------------------------------------------

typedef struct gram_row {
    golden_array x, w; // rows x columns, rows
    int64_t rows, columns;
} gram_row;

static golden_status gram_read(const golden_row *row, gram_row *gram, golden_error *error)
{
    golden_status status = golden_row_integer(row, "rows", &gram->rows, error);
    status = status == GOLDEN_OK ? golden_row_integer(row, "columns", &gram->columns, error) : status;
    status = status == GOLDEN_OK ? golden_row_array(row, "x", row->dtype, &gram->x, error) : status;
    status = status == GOLDEN_OK ? golden_row_array(row, "w", row->dtype, &gram->w, error) : status;
    bool fits =
        status != GOLDEN_OK || (gram->rows >= 0 && gram->rows <= ROW_CHUNK * ROW_LANES && gram->columns >= 1 &&
                                gram->x.count == (size_t)(gram->rows * gram->columns) && gram->w.count == (size_t)gram->rows);
    return fits ? status
                : golden_fail(error, GOLDEN_REFUSED, "row %s: x must have rows x columns elements, w rows, rows at most %d.",
                              row->id, ROW_CHUNK * ROW_LANES);
}

// sum = the exact sum over rows of w x_i x_j
static golden_status gram_exact(const gram_row *gram, int64_t i, int64_t j, mpfr_t sum, golden_error *error)
{
    mpfr_t term, factor;
    mpfr_inits2(192, term, factor, (mpfr_ptr)0);
    int lost = 0;
    mpfr_set_zero(sum, 1);
    for (int64_t r = 0; r < gram->rows; ++r) {
        oracle_load(term, golden_array_at(&gram->w, (size_t)r));
        oracle_load(factor, golden_array_at(&gram->x, (size_t)(r * gram->columns + i)));
        lost |= mpfr_mul(term, term, factor, MPFR_RNDN);
        oracle_load(factor, golden_array_at(&gram->x, (size_t)(r * gram->columns + j)));
        lost |= mpfr_mul(term, term, factor, MPFR_RNDN);
        lost |= mpfr_add(sum, sum, term, MPFR_RNDN);
    }
    mpfr_clears(term, factor, (mpfr_ptr)0);
    return lost == 0 ? GOLDEN_OK
                     : golden_fail(error, GOLDEN_REFUSED, "the exact sum needs more than %ld bits.", (long)mpfr_get_prec(sum));
}

// One chunk: fma(w x_i rounded, x_j, chain) in ascending rows, float64 for both dtypes.
static void gram_chunk(const gram_row *gram, int64_t i, int64_t j, int64_t chunk, oracle_partial *chain, oracle_scratch *scratch)
{
    mpfr_t left, right, weighted, size;
    mpfr_inits2(128, left, right, (mpfr_ptr)0);
    mpfr_init2(weighted, 53);
    mpfr_init2(size, 64);
    mpfr_set_zero(chain->rounded, 1);
    mpfr_set_zero(chain->lost, 1);
    for (int64_t r = chunk * ROW_CHUNK; r < gram->rows && r < (chunk + 1) * ROW_CHUNK; ++r) {
        oracle_load(left, golden_array_at(&gram->w, (size_t)r));
        oracle_load(right, golden_array_at(&gram->x, (size_t)(r * gram->columns + i)));
        mpfr_mul(left, left, right, MPFR_RNDN);
        oracle_load(right, golden_array_at(&gram->x, (size_t)(r * gram->columns + j)));
        if (!oracle_round_to(weighted, left, GOLDEN_F64)) {
            oracle_ulp(scratch->ulp, left, GOLDEN_F64);
            mpfr_abs(size, right, MPFR_RNDN);
            mpfr_mul(size, size, scratch->ulp, MPFR_RNDD);
            mpfr_add(chain->lost, chain->lost, size, MPFR_RNDD);
        }
        mpfr_mul(scratch->term, weighted, right, MPFR_RNDN);
        mpfr_add(scratch->sum, scratch->term, chain->rounded, MPFR_RNDN);
        oracle_partial_round(chain, scratch->sum, scratch);
    }
    mpfr_clears(left, right, weighted, size, (mpfr_ptr)0);
}

// Chunks into lanes (at most one each here), the binary tree over lanes, one rounding to the dtype.
static void gram_replay(const gram_row *gram, int64_t i, int64_t j, golden_dtype dtype, oracle_partial *lanes, mpfr_t scale,
                        golden_value *bits)
{
    int64_t chunks = gram->rows > 0 ? (gram->rows - 1) / ROW_CHUNK + 1 : 1;
    oracle_scratch scratch;
    oracle_scratch_init(&scratch, GOLDEN_F64);
    for (int64_t lane = 0; lane < ROW_LANES; ++lane) {
        mpfr_set_zero(lanes[lane].rounded, -1);
        mpfr_set_zero(lanes[lane].lost, 1);
        if (lane < chunks) {
            gram_chunk(gram, i, j, lane, &lanes[lane], &scratch);
        }
    }
    for (int64_t step = ROW_LANES / 2; step > 0; step /= 2) {
        for (int64_t lane = 0; lane < step; ++lane) {
            oracle_partial_add(&lanes[lane], &lanes[lane + step], &scratch);
        }
    }
    mpfr_set(scale, lanes[0].lost, MPFR_RNDD);
    mpfr_t narrow;
    mpfr_init2(narrow, oracle_format_of(dtype)->precision);
    if (!oracle_round_to(narrow, lanes[0].rounded, dtype)) {
        oracle_ulp(scratch.ulp, lanes[0].rounded, dtype);
        mpfr_add(scale, scale, scratch.ulp, MPFR_RNDD);
    }
    *bits = oracle_value_of(narrow, dtype);
    mpfr_clear(narrow);
    oracle_scratch_clear(&scratch);
}

golden_status oracle_dense_gram(const golden_row *row, const golden_answer *answer, oracle_truths *truths, golden_error *error)
{
    gram_row gram = {0};
    golden_status status = gram_read(row, &gram, error);
    status = status == GOLDEN_OK ? oracle_expect(row, answer, (size_t)(gram.columns * gram.columns), NULL, error) : status;
    oracle_partial *lanes = calloc(ROW_LANES, sizeof *lanes);
    mpfr_t sum, scale;
    mpfr_init2(sum, oracle_exact_bits(row->dtype));
    mpfr_init2(scale, 64);
    if (status == GOLDEN_OK && lanes == NULL) {
        status = golden_fail(error, GOLDEN_REFUSED, "out of memory for %d lanes.", ROW_LANES);
    }
    for (int lane = 0; lanes != NULL && lane < ROW_LANES; ++lane) {
        oracle_partial_init(&lanes[lane], GOLDEN_F64);
    }
    for (int64_t e = 0; status == GOLDEN_OK && e < gram.columns * gram.columns; ++e) {
        int64_t i = e / gram.columns, j = e % gram.columns;
        golden_value bits;
        status = gram_exact(&gram, i, j, sum, error);
        gram_replay(&gram, i < j ? i : j, i < j ? j : i, row->dtype, lanes, scale, &bits);
        oracle_set_exact(truths, (size_t)e, sum);
        oracle_set_scale(truths, (size_t)e, scale);
        oracle_require(truths, (size_t)e, bits);
    }
    for (int lane = 0; lanes != NULL && lane < ROW_LANES; ++lane) {
        oracle_partial_clear(&lanes[lane]);
    }
    free(lanes);
    mpfr_clears(sum, scale, (mpfr_ptr)0);
    golden_array_free(&gram.x);
    golden_array_free(&gram.w);
    return status;
}

// ---- Systems -----------------------------------------------------------------------------------------------------------------

typedef struct system_row {
    int64_t n;
    golden_array a, b; // n x n, n
    int64_t component; // for the formula
} system_row;

static golden_status system_read(const golden_row *row, const golden_answer *answer, system_row *system, golden_error *error)
{
    golden_status status = golden_row_integer(row, "n", &system->n, error);
    if (status == GOLDEN_OK && (system->n < 1 || system->n > 32)) {
        status = golden_fail(error, GOLDEN_REFUSED, "row %s: n must be 1 to 32.", row->id);
    }
    status = status == GOLDEN_OK ? golden_row_matrix(row, system->n, &system->a, error) : status;
    status = status == GOLDEN_OK ? golden_row_array(row, "b", row->dtype, &system->b, error) : status;
    if (status == GOLDEN_OK && (system->a.count != (size_t)(system->n * system->n) || system->b.count != (size_t)system->n)) {
        status = golden_fail(error, GOLDEN_REFUSED, "row %s: a must have n x n elements and b n.", row->id);
    }
    return status == GOLDEN_OK ? oracle_expect(row, answer, (size_t)system->n, NULL, error) : status;
}

// Component of A^-1 b by Gauss-Jordan elimination with partial pivoting at `precision` bits.
static golden_status solution(mpfr_t result, mpfr_prec_t precision, const void *context, golden_error *error)
{
    const system_row *system = context;
    int64_t n = system->n, width = n + 1;
    mpfr_t *m = calloc((size_t)(n * width), sizeof *m), factor;
    golden_status status =
        m != NULL ? GOLDEN_OK : golden_fail(error, GOLDEN_REFUSED, "out of memory for a system of %lld.", (long long)n);
    mpfr_init2(factor, precision);
    for (int64_t e = 0; m != NULL && e < n * width; ++e) {
        mpfr_init2(m[e], precision);
        int64_t i = e / width, j = e % width;
        oracle_load(m[e], j < n ? golden_array_at(&system->a, (size_t)(i * n + j)) : golden_array_at(&system->b, (size_t)i));
    }
    for (int64_t k = 0; status == GOLDEN_OK && k < n; ++k) {
        int64_t pivot = k;
        for (int64_t i = k + 1; i < n; ++i) {
            pivot = mpfr_cmpabs(m[i * width + k], m[pivot * width + k]) > 0 ? i : pivot;
        }
        for (int64_t j = 0; j < width; ++j) {
            mpfr_swap(m[k * width + j], m[pivot * width + j]);
        }
        if (mpfr_zero_p(m[k * width + k])) {
            status = golden_fail(error, GOLDEN_REFUSED, "the matrix is singular.");
        }
        for (int64_t i = 0; status == GOLDEN_OK && i < n; ++i) {
            if (i != k) {
                mpfr_div(factor, m[i * width + k], m[k * width + k], MPFR_RNDN);
                for (int64_t j = k; j < width; ++j) {
                    mpfr_fms(m[i * width + j], factor, m[k * width + j], m[i * width + j], MPFR_RNDN);
                    mpfr_neg(m[i * width + j], m[i * width + j], MPFR_RNDN);
                }
            }
        }
    }
    if (status == GOLDEN_OK) {
        int64_t i = system->component;
        mpfr_div(result, m[i * width + n], m[i * width + i], MPFR_RNDN);
    }
    for (int64_t e = 0; m != NULL && e < n * width; ++e) {
        mpfr_clear(m[e]);
    }
    free(m);
    mpfr_clear(factor);
    return status;
}

typedef golden_status elimination(oracle_tracker *tracker, oracle_tracked *a, oracle_tracked *x, int64_t n, golden_error *error);

// A = L L', column by column, each entry one chain in ascending index; then L z = b and L' x = z.
static golden_status cholesky(oracle_tracker *tracker, oracle_tracked *a, oracle_tracked *x, int64_t n, golden_error *error)
{
    for (int64_t j = 0; j < n; ++j) {
        for (int64_t i = j; i < n; ++i) {
            for (int64_t k = 0; k < j; ++k) {
                oracle_tracked_fms(tracker, &a[i * n + j], &a[i * n + k], &a[j * n + k], &a[i * n + j]);
            }
            if (i == j && mpfr_sgn(a[j * n + j].value) <= 0) {
                return golden_fail(error, GOLDEN_REFUSED, "the matrix is not positive definite.");
            }
            if (i == j) {
                oracle_tracked_root(tracker, &a[j * n + j], &a[j * n + j]);
            } else {
                oracle_tracked_divide(tracker, &a[i * n + j], &a[i * n + j], &a[j * n + j]);
            }
        }
    }
    for (int64_t i = 0; i < n; ++i) {
        for (int64_t k = 0; k < i; ++k) {
            oracle_tracked_fms(tracker, &x[i], &a[i * n + k], &x[k], &x[i]);
        }
        oracle_tracked_divide(tracker, &x[i], &x[i], &a[i * n + i]);
    }
    for (int64_t i = n - 1; i >= 0; --i) {
        for (int64_t k = i + 1; k < n; ++k) {
            oracle_tracked_fms(tracker, &x[i], &a[k * n + i], &x[k], &x[i]);
        }
        oracle_tracked_divide(tracker, &x[i], &x[i], &a[i * n + i]);
    }
    return GOLDEN_OK;
}

// P A = L U by rows, the largest magnitude and of equals the lowest row as pivot; then L z = P b and U x = z.
static golden_status lu(oracle_tracker *tracker, oracle_tracked *a, oracle_tracked *x, int64_t n, golden_error *error)
{
    for (int64_t k = 0; k < n; ++k) {
        int64_t best = k;
        for (int64_t i = k + 1; i < n; ++i) {
            best = oracle_tracked_compare_magnitude(&a[i * n + k], &a[best * n + k]) > 0 ? i : best;
        }
        for (int64_t j = 0; j < n && best != k; ++j) {
            oracle_tracked_swap(&a[k * n + j], &a[best * n + j]);
        }
        if (best != k) {
            oracle_tracked_swap(&x[k], &x[best]);
        }
        if (mpfr_zero_p(a[k * n + k].value)) {
            return golden_fail(error, GOLDEN_REFUSED, "the matrix is singular.");
        }
        for (int64_t i = k + 1; i < n; ++i) {
            oracle_tracked_divide(tracker, &a[i * n + k], &a[i * n + k], &a[k * n + k]);
            for (int64_t j = k + 1; j < n; ++j) {
                oracle_tracked_fms(tracker, &a[i * n + j], &a[i * n + k], &a[k * n + j], &a[i * n + j]);
            }
        }
    }
    for (int64_t i = 0; i < n; ++i) {
        for (int64_t k = 0; k < i; ++k) {
            oracle_tracked_fms(tracker, &x[i], &a[i * n + k], &x[k], &x[i]);
        }
    }
    for (int64_t i = n - 1; i >= 0; --i) {
        for (int64_t k = i + 1; k < n; ++k) {
            oracle_tracked_fms(tracker, &x[i], &a[i * n + k], &x[k], &x[i]);
        }
        oracle_tracked_divide(tracker, &x[i], &x[i], &a[i * n + i]);
    }
    return GOLDEN_OK;
}

static golden_status system_solve(const golden_row *row, const golden_answer *answer, elimination *eliminate, oracle_truths *truths,
                                  golden_error *error)
{
    system_row system = {0};
    golden_status status = system_read(row, answer, &system, error);
    int64_t n = status == GOLDEN_OK ? system.n : 0;
    oracle_tracked *a = oracle_tracked_new((size_t)(n * n), row->dtype), *x = oracle_tracked_new((size_t)n, row->dtype);
    oracle_tracker tracker;
    oracle_tracker_init(&tracker, row->dtype);
    if (status == GOLDEN_OK && (a == NULL || x == NULL)) {
        status = golden_fail(error, GOLDEN_REFUSED, "out of memory for a system of %lld.", (long long)n);
    }
    for (int64_t e = 0; status == GOLDEN_OK && e < n * n; ++e) {
        oracle_tracked_load(&a[e], golden_array_at(&system.a, (size_t)e));
    }
    for (int64_t i = 0; status == GOLDEN_OK && i < n; ++i) {
        oracle_tracked_load(&x[i], golden_array_at(&system.b, (size_t)i));
    }
    status = status == GOLDEN_OK ? eliminate(&tracker, a, x, n, error) : status;
    mpfr_t truth;
    mpfr_init2(truth, 64);
    for (int64_t i = 0; status == GOLDEN_OK && i < n; ++i) {
        system.component = i;
        status = oracle_settle(solution, &system, truth, error);
        oracle_set_settled(truths, (size_t)i, truth);
        oracle_set_scale(truths, (size_t)i, x[i].bound);
        oracle_require(truths, (size_t)i, oracle_value_of(x[i].value, row->dtype));
    }
    mpfr_clear(truth);
    oracle_tracker_clear(&tracker);
    oracle_tracked_free(a, (size_t)(n * n));
    oracle_tracked_free(x, (size_t)n);
    golden_array_free(&system.a);
    golden_array_free(&system.b);
    return status;
}

golden_status oracle_dense_cholesky(const golden_row *row, const golden_answer *answer, oracle_truths *truths, golden_error *error)
{
    return system_solve(row, answer, cholesky, truths, error);
}

golden_status oracle_dense_lu(const golden_row *row, const golden_answer *answer, oracle_truths *truths, golden_error *error)
{
    return system_solve(row, answer, lu, truths, error);
}
