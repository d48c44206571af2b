// SPDX-License-Identifier: Apache-2.0
// Dense systems: answers that are exact in floating point, pivoting and status rules, batches, and the Jacobi schedule.
#include "core_device.h"

#include "../../src/core/kernels/solve_args.h"

#include <math.h>
#include <string.h>

static nc_device *device;

static nc_array *matrix(int64_t n, const double *values)
{
    const int64_t shape[2] = {n, n};
    nc_array *array = create(device, NC_F64, 2, shape);
    assert_int_equal(nc_array_upload(array, values, (size_t)(n * n) * sizeof *values), NC_OK);
    return array;
}

static int32_t status_of(const nc_array *status)
{
    int32_t value = -1;
    download(status, &value, sizeof value);
    return value;
}

static nc_array *poisoned_status(void)
{
    const int32_t poison = -77;
    return create_filled(device, NC_I32, 1, &poison);
}

// A = L L' with small integers: every intermediate is exact.
static void cholesky_of_integers(void **state)
{
    const double a[9] = {4, 12, -16, 12, 37, -43, -16, -43, 98};
    const double l[9] = {2, 0, 0, 6, 1, 0, -8, 5, 3};
    const double x[3] = {1, -2, 3};
    const double b[3] = {4 * 1 + 12 * -2 - 16 * 3, 12 * 1 + 37 * -2 - 43 * 3, -16 * 1 - 43 * -2 + 98 * 3};
    double got[9];
    (void)state;
    nc_array *in = matrix(3, a), *factor = matrix(3, a), *status = poisoned_status();
    nc_array *rhs = create_filled(device, NC_F64, 3, b);
    assert_int_equal(nc_cholesky(in, factor, status), NC_OK);
    assert_int_equal(status_of(status), NC_OK);
    download(factor, got, sizeof got);
    assert_memory_equal(got, l, sizeof l);
    assert_int_equal(nc_cholesky_solve(factor, rhs, rhs), NC_OK);
    download(rhs, got, sizeof x);
    assert_memory_equal(got, x, sizeof x);
    release(rhs);
    release(status);
    release(factor);
    release(in);
}

static void cholesky_statuses(void **state)
{
    const struct {
        double a[4];
        int32_t status;
    } cases[] = {
        {{1, 2, 2, 1}, NC_NUMERICAL_ERROR},                      // indefinite
        {{1, 2, nextafter(2.0, 3.0), 9}, NC_INVALID_ARGUMENT},   // one bit off symmetric
        {{0, 0, 0, 0}, NC_NUMERICAL_ERROR},                      // semidefinite
        {{1, (double)NAN, (double)NAN, 1}, NC_INVALID_ARGUMENT}, // NaN equals nothing
        {{(double)INFINITY, 0, 0, 1}, NC_NUMERICAL_ERROR},
        {{4, 2, 2, 5}, NC_OK},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        nc_array *in = matrix(2, cases[i].a), *status = poisoned_status();
        assert_int_equal(nc_cholesky(in, in, status), NC_OK);
        assert_int_equal(status_of(status), cases[i].status);
        release(status);
        release(in);
    }
}

// Powers of two make every multiplier exact; column 0 has a tie that the lower row must win.
static void lu_pivots_and_solution(void **state)
{
    const double a[9] = {1, 2, 4, -2, 8, 2, 2, 4, 16};
    const double x[3] = {3, -1, 2};
    double b[3], got[9];
    int32_t pivots[3] = {-1, -1, -1};
    (void)state;
    for (int i = 0; i < 3; ++i) {
        b[i] = a[3 * i] * x[0] + a[3 * i + 1] * x[1] + a[3 * i + 2] * x[2];
    }
    nc_array *in = matrix(3, a), *factor = matrix(3, a), *status = poisoned_status();
    nc_array *rhs = create_filled(device, NC_F64, 3, b), *swaps = create_vector(device, NC_I32, 3);
    assert_int_equal(nc_lu(in, factor, swaps, status), NC_OK);
    assert_int_equal(status_of(status), NC_OK);
    download(swaps, pivots, sizeof pivots);
    assert_int_equal(pivots[0], 1); // |-2| = |2|: row 1 stands above row 2
    assert_int_equal(nc_lu_solve(factor, swaps, rhs, rhs), NC_OK);
    download(rhs, got, sizeof x);
    assert_memory_equal(got, x, sizeof x);
    release(swaps);
    release(rhs);
    release(status);
    release(factor);
    release(in);
}

static void lu_statuses(void **state)
{
    const struct {
        double a[4];
        int32_t status;
    } cases[] = {
        {{1, 2, 2, 4}, NC_RANK_DEFICIENT},
        {{0, 0, 0, 0}, NC_RANK_DEFICIENT},
        {{0, 1, 1, 0}, NC_OK},
        {{0, 1, 0, 2}, NC_RANK_DEFICIENT},
        {{(double)INFINITY, 1, 0, 2}, NC_NUMERICAL_ERROR},
        {{(double)NAN, 1, 0, 2}, NC_NUMERICAL_ERROR},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        nc_array *in = matrix(2, cases[i].a), *status = poisoned_status(), *swaps = create_vector(device, NC_I32, 2);
        assert_int_equal(nc_lu(in, in, swaps, status), NC_OK);
        assert_int_equal(status_of(status), cases[i].status);
        release(swaps);
        release(status);
        release(in);
    }
}

static void lu_solve_survives_foreign_pivots(void **state)
{
    const double a[4] = {1, 0, 0, 1}, b[2] = {1, 2};
    const int32_t foreign[2] = {0, 1 << 30};
    double got[2];
    (void)state;
    nc_array *factor = matrix(2, a), *rhs = create_filled(device, NC_F64, 2, b), *swaps = create_filled(device, NC_I32, 2, foreign);
    assert_int_equal(nc_lu_solve(factor, swaps, rhs, rhs), NC_OK);
    download(rhs, got, sizeof got);
    assert_true(isnan(got[0]) && isnan(got[1]));
    release(swaps);
    release(rhs);
    release(factor);
}

// Pseudo-inverses known in closed form. Bound: a few roundings on each of n terms of size |x|.
static void minimum_norm_closed_forms(void **state)
{
    const struct {
        int64_t n;
        double a[9], b[3], x[3];
        int32_t status;
    } cases[] = {
        {2, {1, 2, 2, 4}, {1, 2}, {0.2, 0.4}, NC_RANK_DEFICIENT}, // (1,2)(1,2)' / 25 applied to (1,2)
        {2, {3, 0, 0, 5}, {6, 20}, {2, 4}, NC_OK},
        {2, {0, 0, 0, 0}, {1, 2}, {0, 0}, NC_RANK_DEFICIENT},
        {1, {0x1p-1060}, {0x1p-1060}, {1}, NC_OK}, // subnormal matrix
        {2, {0x1p1000, 0, 0, 0x1p1000}, {0x1p1000, 0x1p1001}, {1, 2}, NC_OK},
        {3, {1, 1, 1, 1, 1, 1, 1, 1, 1}, {3, 3, 3}, {1, 1, 1}, NC_RANK_DEFICIENT},
        {3, {1, 1, 1, 1, 1, 1, 1, 1, 1}, {1, 2, 3}, {2.0 / 3, 2.0 / 3, 2.0 / 3}, NC_RANK_DEFICIENT},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        double got[3] = {(double)NAN, (double)NAN, (double)NAN};
        nc_array *in = matrix(cases[i].n, cases[i].a), *status = poisoned_status();
        nc_array *rhs = create_filled(device, NC_F64, cases[i].n, cases[i].b);
        assert_int_equal(nc_minimum_norm_solve(in, rhs, rhs, status), NC_OK);
        assert_int_equal(status_of(status), cases[i].status);
        download(rhs, got, (size_t)cases[i].n * sizeof got[0]);
        for (int64_t k = 0; k < cases[i].n; ++k) {
            assert_true(fabs(got[k] - cases[i].x[k]) <= 32.0 * 0x1p-53 * (fabs(cases[i].x[k]) + 1.0));
        }
        release(rhs);
        release(status);
        release(in);
    }
}

static void minimum_norm_refuses_nonfinite(void **state)
{
    const double a[4] = {1, (double)NAN, 0, 1}, b[2] = {5, 6};
    double got[2];
    (void)state;
    nc_array *in = matrix(2, a), *status = poisoned_status(), *rhs = create_filled(device, NC_F64, 2, b);
    assert_int_equal(nc_minimum_norm_solve(in, rhs, rhs, status), NC_OK);
    assert_int_equal(status_of(status), NC_NUMERICAL_ERROR);
    download(rhs, got, sizeof got);
    assert_memory_equal(got, b, sizeof b);
    release(rhs);
    release(status);
    release(in);
}

// A batch through strided views, one member bad: the others have the bytes they have alone.
static void batch_members_are_independent(void **state)
{
    enum { M = 5, N = 4 };
    const int64_t shape[3] = {M, N, N}, strides[3] = {N * N + 7, N + 1, 1}, vectors[2] = {M, N}, vector_strides[2] = {1, M};
    const int64_t m = M;
    double a[M][N][N], b[M][N], together[M][N], alone[N];
    int32_t statuses[M];
    (void)state;
    for (int k = 0; k < M; ++k) {
        for (int i = 0; i < N; ++i) {
            b[k][i] = (double)(i + 1) / 7.0 - k;
            for (int j = 0; j < N; ++j) {
                a[k][i][j] = k == 2 ? (double)NAN : 1.0 / (double)(i + 2 * j + k + 1) + (i == j);
            }
        }
    }
    nc_array *base = create_vector(device, NC_F64, M * (N * N + 7) + 8), *vector_base = create_vector(device, NC_F64, M * N);
    nc_array *in = view(base, 0, 3, shape, strides), *rhs = view(vector_base, 0, 2, vectors, vector_strides);
    nc_array *factor = create(device, NC_F64, 3, shape), *swaps = create(device, NC_I32, 2, vectors);
    nc_array *status = create_vector(device, NC_I32, m);
    assert_int_equal(nc_array_upload(in, a, sizeof a), NC_OK);
    assert_int_equal(nc_array_upload(rhs, b, sizeof b), NC_OK);
    assert_int_equal(nc_lu(in, factor, swaps, status), NC_OK);
    assert_int_equal(nc_lu_solve(factor, swaps, rhs, rhs), NC_OK);
    download(status, statuses, sizeof statuses);
    download(rhs, together, sizeof together);
    for (int k = 0; k < M; ++k) {
        nc_array *one = matrix(N, &a[k][0][0]), *one_status = poisoned_status(), *one_swaps = create_vector(device, NC_I32, N);
        nc_array *one_rhs = create_filled(device, NC_F64, N, b[k]);
        assert_int_equal(nc_lu(one, one, one_swaps, one_status), NC_OK);
        assert_int_equal(statuses[k], status_of(one_status));
        assert_int_equal(statuses[k], k == 2 ? NC_NUMERICAL_ERROR : NC_OK);
        assert_int_equal(nc_lu_solve(one, one_swaps, one_rhs, one_rhs), NC_OK);
        download(one_rhs, alone, sizeof alone);
        if (k != 2) {
            assert_memory_equal(alone, together[k], sizeof alone);
        }
        release(one_rhs);
        release(one_swaps);
        release(one_status);
        release(one);
    }
    release(status);
    release(swaps);
    release(factor);
    release(rhs);
    release(in);
    release(vector_base);
    release(base);
}

static void every_pair_meets_once(void **state)
{
    (void)state;
    for (int64_t half = 1; half <= 8; ++half) {
        int met[16][16];
        memset(met, 0, sizeof met);
        for (int64_t round = 0; round < 2 * half - 1; ++round) {
            for (int64_t seat = 0; seat < half; ++seat) {
                int64_t a = nc_round_robin(half, round, seat), b = nc_round_robin(half, round, 2 * half - 1 - seat);
                assert_true(a >= 0 && b >= 0 && a < 2 * half && b < 2 * half && a != b);
                met[a < b ? a : b][a < b ? b : a] += 1;
            }
        }
        for (int64_t p = 0; p < 2 * half; ++p) {
            for (int64_t q = p + 1; q < 2 * half; ++q) {
                assert_int_equal(met[p][q], 1);
            }
        }
    }
}

static int setup(void **state)
{
    (void)state;
    device = open_cpu();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    close_device(device);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
static const struct CMUnitTest tests[] = {
    TEST(cholesky_of_integers),
    TEST(cholesky_statuses),
    TEST(lu_pivots_and_solution),
    TEST(lu_statuses),
    TEST(lu_solve_survives_foreign_pivots),
    TEST(minimum_norm_closed_forms),
    TEST(minimum_norm_refuses_nonfinite),
    TEST(batch_members_are_independent),
    cmocka_unit_test(every_pair_meets_once),
};

UNIT_MAIN(tests)
