// SPDX-License-Identifier: Apache-2.0
// Linear systems: statuses, exact answers, minimum norm, independence within a batch.
#include "dense.h"

#include <math.h>

typedef struct status_row {
    double a[4];
    int32_t cholesky, lu;
} status_row;

#define INF ((double)INFINITY)
#define NOT_A_NUMBER ((double)NAN)

static const status_row status_rows[] = {
    {{4, 2, 2, 5}, NC_OK, NC_OK},
    {{1, 2, 2, 1}, NC_NUMERICAL_ERROR, NC_OK},                                     // indefinite
    {{1, 2, 2, 4}, NC_NUMERICAL_ERROR, NC_RANK_DEFICIENT},                         // singular
    {{0, 0, 0, 0}, NC_NUMERICAL_ERROR, NC_RANK_DEFICIENT},                         // zero
    {{1, 2, 2.0000002384185791015625, 9}, NC_INVALID_ARGUMENT, NC_OK},             // one float32 bit off symmetric
    {{0, 1, 1, 0}, NC_NUMERICAL_ERROR, NC_OK},                                     // needs an exchange
    {{INF, 0, 0, 1}, NC_NUMERICAL_ERROR, NC_NUMERICAL_ERROR},                      // not finite
    {{1, NOT_A_NUMBER, NOT_A_NUMBER, 1}, NC_INVALID_ARGUMENT, NC_NUMERICAL_ERROR}, // NaN equals nothing, not even itself
};
enum { STATUS_ROWS = sizeof status_rows / sizeof status_rows[0] };

// All in one batch: a bad member does not touch its neighbours' statuses.
static void statuses(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const int64_t shape[3] = {STATUS_ROWS, 2, 2}, rows[2] = {STATUS_ROWS, 2};
    double a[STATUS_ROWS * 4];
    int32_t cholesky[STATUS_ROWS], lu[STATUS_ROWS];
    for (int i = 0; i < STATUS_ROWS * 4; ++i) {
        a[i] = status_rows[i / 4].a[i % 4];
    }
    for (int i = 0; i < STATUS_ROWS; ++i) {
        cholesky[i] = status_rows[i].cholesky;
        lu[i] = status_rows[i].lu;
    }
    nc_array *matrix = cupel_input(context, dtype, 3, shape, cupel_reals(context, dtype, a, STATUS_ROWS * 4));
    nc_array *factor = cupel_output(context, dtype, 3, shape), *factor_lu = cupel_output(context, dtype, 3, shape);
    nc_array *pivots = cupel_output(context, NC_I32, 2, rows);
    nc_array *status = cupel_output_vector(context, NC_I32, STATUS_ROWS),
             *status_lu = cupel_output_vector(context, NC_I32, STATUS_ROWS);
    cupel_expect_status(context, nc_cholesky(matrix, factor, status), NC_OK);
    cupel_expect_status(context, nc_lu(matrix, factor_lu, pivots, status_lu), NC_OK);
    cupel_expect_bits(context, status, cholesky, STATUS_ROWS);
    cupel_expect_bits(context, status_lu, lu, STATUS_ROWS);
}

// Small integers whose factors and solution are exact; |-2| = |2| in the first column, and the lower row number wins.
static void exact_integers(cupel_context *context)
{
    static const double spd[9] = {4, 12, -16, 12, 37, -43, -16, -43, 98}, l[9] = {2, 0, 0, 6, 1, 0, -8, 5, 3};
    static const double a[9] = {1, 2, 4, -2, 8, 2, 2, 4, 16}, x[3] = {3, -1, 2};
    nc_dtype dtype = cupel_dtype(context);
    const int64_t shape[2] = {3, 3};
    double b[3] = {0}, b_spd[3] = {0};
    for (int i = 0; i < 9; ++i) {
        b[i / 3] += a[i] * x[i % 3];
        b_spd[i / 3] += spd[i] * x[i % 3];
    }
    const void *expected = cupel_reals(context, dtype, x, 3);
    nc_array *matrix = cupel_input(context, dtype, 2, shape, cupel_reals(context, dtype, spd, 9));
    nc_array *factor = cupel_output(context, dtype, 2, shape), *status = cupel_output_vector(context, NC_I32, 1);
    nc_array *rhs = cupel_input_vector(context, dtype, 3, cupel_reals(context, dtype, b_spd, 3));
    nc_array *out = cupel_output_vector(context, dtype, 3);
    cupel_require_ok(context, nc_cholesky(matrix, factor, status));
    cupel_expect_bits(context, factor, cupel_reals(context, dtype, l, 9), 9);
    cupel_require_ok(context, nc_cholesky_solve(factor, rhs, out));
    cupel_expect_bits(context, out, expected, 3);
    nc_array *general = cupel_update(context, dtype, 2, shape, cupel_reals(context, dtype, a, 9));
    nc_array *vector = cupel_update(context, dtype, 1, shape, cupel_reals(context, dtype, b, 3));
    nc_array *pivots = cupel_output_vector(context, NC_I32, 3), *status_lu = cupel_output_vector(context, NC_I32, 1);
    cupel_require_ok(context, nc_lu(general, general, pivots, status_lu));
    const int32_t *swaps = cupel_download(context, pivots);
    cupel_expect_u64(context, (uint64_t)swaps[0], 1);
    cupel_require_ok(context, nc_lu_solve(general, pivots, vector, vector));
    cupel_expect_bits(context, vector, expected, 3);
}

// Pseudo-inverses known in closed form; each value is a handful of roundings of terms no larger than 1 + |x|.
static void minimum_norm(cupel_context *context)
{
    static const struct {
        double a[9], b[3], x[3];
        int32_t status;
    } rows[] = {
        {{3, 0, 0, 0, 5, 0, 0, 0, 2}, {6, 20, -2}, {2, 4, -1}, NC_OK},
        {{1, 1, 1, 1, 1, 1, 1, 1, 1}, {1, 2, 3}, {2.0 / 3, 2.0 / 3, 2.0 / 3}, NC_RANK_DEFICIENT},
        {{1, 2, 0, 2, 4, 0, 0, 0, 1}, {1, 2, 7}, {0.2, 0.4, 7}, NC_RANK_DEFICIENT},
        {{0, 0, 0, 0, 0, 0, 0, 0, 0}, {1, 2, 3}, {0, 0, 0}, NC_RANK_DEFICIENT},
        {{0x1p100, 0, 0, 0, 0x1p100, 0, 0, 0, 0x1p100}, {0x1p100, 0x1p101, 0}, {1, 2, 0}, NC_OK},
        {{0x1p-120, 0, 0, 0, 0x1p-120, 0, 0, 0, 0x1p-120}, {0x1p-120, 0x1p-119, 0}, {1, 2, 0}, NC_OK},
    };
    enum { COUNT = sizeof rows / sizeof rows[0] };
    nc_dtype dtype = cupel_dtype(context);
    const int64_t shape[3] = {COUNT, 3, 3}, vectors[2] = {COUNT, 3};
    double a[COUNT * 9], b[COUNT * 3], x[COUNT * 3], bounds[COUNT * 3];
    double unit = dtype == NC_F32 ? 0x1p-24 : 0x1p-53;
    int32_t statuses_expected[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        statuses_expected[i] = rows[i].status;
        for (int k = 0; k < 9; ++k) {
            a[i * 9 + k] = rows[i].a[k];
        }
        for (int k = 0; k < 3; ++k) {
            b[i * 3 + k] = rows[i].b[k];
            x[i * 3 + k] = rows[i].x[k];
            bounds[i * 3 + k] = 32.0 * unit * (1.0 + fabs(rows[i].x[k]));
        }
    }
    nc_array *matrix = cupel_input(context, dtype, 3, shape, cupel_reals(context, dtype, a, COUNT * 9));
    nc_array *rhs = cupel_input(context, dtype, 2, vectors, cupel_reals(context, dtype, b, COUNT * 3));
    nc_array *out = cupel_output(context, dtype, 2, vectors), *status = cupel_output_vector(context, NC_I32, COUNT);
    cupel_require_ok(context, nc_minimum_norm_solve(matrix, rhs, out, status));
    cupel_expect_bits(context, status, statuses_expected, COUNT);
    cupel_expect_within_bound(context, out, x, bounds, COUNT * 3, "32 roundings of terms up to 1 + |x|");
}

// Each member of a batch, read through strides, has the bytes it has alone.
static void batch_members_are_independent(cupel_context *context)
{
    enum { M = 5, N = 4 };
    nc_dtype dtype = cupel_dtype(context);
    const int64_t shape[3] = {M, N, N}, strides[3] = {N * N + 7, N + 1, 1}, vectors[2] = {M, N}, vector_strides[2] = {1, M};
    const int64_t one[2] = {N, N};
    double a[M * N * N], b[M * N];
    for (int k = 0; k < M; ++k) {
        for (int i = 0; i < N * N; ++i) {
            a[k * N * N + i] = k == 2 ? NOT_A_NUMBER : 1.0 / (double)(i / N + 2 * (i % N) + k + 1) + (i / N == i % N);
        }
        for (int i = 0; i < N; ++i) {
            b[k * N + i] = (double)(i + 1) / 7.0 - k;
        }
    }
    nc_array *matrix = cupel_input_strided(context, dtype, 3, shape, strides, cupel_reals(context, dtype, a, M * N * N));
    nc_array *rhs = cupel_update_strided(context, dtype, 2, vectors, vector_strides, cupel_reals(context, dtype, b, M * N));
    nc_array *factor = cupel_output(context, dtype, 3, shape), *pivots = cupel_output(context, NC_I32, 2, vectors);
    nc_array *status = cupel_output_vector(context, NC_I32, M);
    cupel_require_ok(context, nc_lu(matrix, factor, pivots, status));
    cupel_require_ok(context, nc_lu_solve(factor, pivots, rhs, rhs));
    const int32_t *together_status = cupel_download(context, status);
    const unsigned char *together = cupel_download(context, rhs);
    for (int k = 0; k < M; ++k) {
        nc_array *alone = cupel_update(context, dtype, 2, one, cupel_reals(context, dtype, a + k * N * N, N * N));
        nc_array *vector = cupel_update(context, dtype, 1, one, cupel_reals(context, dtype, b + k * N, N));
        nc_array *swaps = cupel_output_vector(context, NC_I32, N), *alone_status = cupel_output_vector(context, NC_I32, 1);
        cupel_require_ok(context, nc_lu(alone, alone, swaps, alone_status));
        cupel_require_ok(context, nc_lu_solve(alone, swaps, vector, vector));
        cupel_expect_same(context, NC_I32, &together_status[k], cupel_download(context, alone_status), 1);
        if (k != 2) {
            cupel_expect_bits(context, vector, together + (size_t)(k * N) * nc_dtype_size(dtype), N);
        }
    }
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("dense.batch-members-are-independent", batch_members_are_independent),
    CUPEL_CASE_REALS("dense.exact-integers", exact_integers),
    CUPEL_CASE_REALS("dense.minimum-norm", minimum_norm),
    CUPEL_CASE_REALS("dense.statuses", statuses),
};

const cupel_table dense_system_table = CUPEL_TABLE(cases);
