// SPDX-License-Identifier: Apache-2.0
// Every argument of the dense systems, wrong once: the named status comes back, nothing is written, and nc_last_error names the
// argument.
#include "core_device.h"

#include <string.h>

enum { N = 3 };

typedef struct fixture {
    nc_device *device, *second;
    nc_array *a, *factor, *pivots, *b, *x, *status; // a valid call of order 3; f64 and i32
    nc_array *weights, *tall, *gram;                // [4], [4,3], [3,3]
    nc_array *single, *narrow, *words, *longer;     // f32 [3,3], f32 [3], u32 [3], f64 [4]
    nc_array *rectangle, *batch;                    // [3,2], [1,3,3]
    nc_array *foreign, *foreign_status;             // f64 [3,3], i32 [1] of the second handle
    nc_array *folded, *row_of_a, *first_pivot;      // one place twice; views of a and of pivots
    nc_array *row_of_tall;
} fixture;

// X(name, call, status, first text, second text): both texts must stand in nc_last_error.
#define CASES(X)                                                                                                                   \
    X(gram_x, nc_gram(NULL, f->weights, f->gram), NC_NULL_ARGUMENT, "x", "null")                                                   \
    X(gram_x_rank, nc_gram(f->weights, NULL, f->gram), NC_SHAPE_MISMATCH, "x has rank 1", "2")                                     \
    X(gram_x_dtype, nc_gram(f->words, NULL, f->gram), NC_MIXED_DTYPE, "x is u32", "f32 or f64")                                    \
    X(gram_weights_dtype, nc_gram(f->tall, f->narrow, f->gram), NC_MIXED_DTYPE, "weights is f32", "x is f64")                      \
    X(gram_weights_extent, nc_gram(f->tall, f->b, f->gram), NC_SHAPE_MISMATCH, "weights", "rows of x")                             \
    X(gram_weights_rank, nc_gram(f->tall, f->gram, f->gram), NC_SHAPE_MISMATCH, "weights has rank 2", "1")                         \
    X(gram_weights_device, nc_gram(f->tall, f->foreign, f->gram), NC_WRONG_DEVICE, "weights", "another device")                    \
    X(gram_out, nc_gram(f->tall, NULL, NULL), NC_NULL_ARGUMENT, "out", "null")                                                     \
    X(gram_out_dtype, nc_gram(f->tall, NULL, f->single), NC_MIXED_DTYPE, "out is f32", "x is f64")                                 \
    X(gram_out_extent, nc_gram(f->tall, NULL, f->rectangle), NC_SHAPE_MISMATCH, "out", "columns of x")                             \
    X(gram_out_device, nc_gram(f->tall, NULL, f->foreign), NC_WRONG_DEVICE, "out", "another device")                               \
    X(gram_out_folded, nc_gram(f->tall, NULL, f->folded), NC_OVERLAP, "out", "two elements at one place")                          \
    X(gram_out_is_x, nc_gram(f->tall, NULL, f->row_of_tall), NC_OVERLAP, "out", "overlaps x")                                      \
    X(cholesky_a, nc_cholesky(NULL, f->factor, f->status), NC_NULL_ARGUMENT, "a", "null")                                          \
    X(cholesky_a_rank, nc_cholesky(f->b, f->factor, f->status), NC_SHAPE_MISMATCH, "a has rank 1", "matrix")                       \
    X(cholesky_a_square, nc_cholesky(f->rectangle, f->factor, f->status), NC_SHAPE_MISMATCH, "a", "square")                        \
    X(cholesky_a_dtype, nc_cholesky(f->pivots, f->factor, f->status), NC_MIXED_DTYPE, "a is i32", "f32 or f64")                    \
    X(cholesky_factor, nc_cholesky(f->a, NULL, f->status), NC_NULL_ARGUMENT, "factor", "null")                                     \
    X(cholesky_factor_dtype, nc_cholesky(f->a, f->single, f->status), NC_MIXED_DTYPE, "factor is f32", "a is f64")                 \
    X(cholesky_factor_shape, nc_cholesky(f->a, f->rectangle, f->status), NC_SHAPE_MISMATCH, "factor", "extent 2")                  \
    X(cholesky_factor_device, nc_cholesky(f->a, f->foreign, f->status), NC_WRONG_DEVICE, "factor", "another device")               \
    X(cholesky_factor_folded, nc_cholesky(f->a, f->folded, f->status), NC_OVERLAP, "factor", "two elements at one place")          \
    X(cholesky_status, nc_cholesky(f->a, f->factor, NULL), NC_NULL_ARGUMENT, "status", "null")                                     \
    X(cholesky_status_dtype, nc_cholesky(f->a, f->factor, f->words), NC_MIXED_DTYPE, "status is u32", "i32")                       \
    X(cholesky_status_count, nc_cholesky(f->a, f->factor, f->pivots), NC_SHAPE_MISMATCH, "status has 3", "1")                      \
    X(cholesky_status_device, nc_cholesky(f->a, f->factor, f->foreign_status), NC_WRONG_DEVICE, "status", "another device")        \
    X(cholesky_solve_factor, nc_cholesky_solve(NULL, f->b, f->x), NC_NULL_ARGUMENT, "factor", "null")                              \
    X(cholesky_solve_b, nc_cholesky_solve(f->factor, NULL, f->x), NC_NULL_ARGUMENT, "b", "null")                                   \
    X(cholesky_solve_b_dtype, nc_cholesky_solve(f->factor, f->narrow, f->x), NC_MIXED_DTYPE, "b is f32", "factor is f64")          \
    X(cholesky_solve_b_extent, nc_cholesky_solve(f->factor, f->longer, f->x), NC_SHAPE_MISMATCH, "b", "order of the matrix")       \
    X(cholesky_solve_x, nc_cholesky_solve(f->factor, f->b, NULL), NC_NULL_ARGUMENT, "x", "null")                                   \
    X(cholesky_solve_x_rank, nc_cholesky_solve(f->factor, f->b, f->a), NC_SHAPE_MISMATCH, "x has rank 2", "1")                     \
    X(cholesky_solve_x_in_factor, nc_cholesky_solve(f->a, f->b, f->row_of_a), NC_OVERLAP, "x", "overlaps factor")                  \
    X(lu_a, nc_lu(NULL, f->factor, f->pivots, f->status), NC_NULL_ARGUMENT, "a", "null")                                           \
    X(lu_factor, nc_lu(f->a, NULL, f->pivots, f->status), NC_NULL_ARGUMENT, "factor", "null")                                      \
    X(lu_factor_shape, nc_lu(f->a, f->batch, f->pivots, f->status), NC_SHAPE_MISMATCH, "factor has rank 3", "rank 2")              \
    X(lu_pivots, nc_lu(f->a, f->factor, NULL, f->status), NC_NULL_ARGUMENT, "pivots", "null")                                      \
    X(lu_pivots_dtype, nc_lu(f->a, f->factor, f->words, f->status), NC_MIXED_DTYPE, "pivots is u32", "i32")                        \
    X(lu_pivots_extent, nc_lu(f->a, f->factor, f->status, f->status), NC_SHAPE_MISMATCH, "pivots", "order of the matrix")          \
    X(lu_status, nc_lu(f->a, f->factor, f->pivots, NULL), NC_NULL_ARGUMENT, "status", "null")                                      \
    X(lu_status_in_pivots, nc_lu(f->a, f->factor, f->pivots, f->first_pivot), NC_OVERLAP, "status", "overlaps pivots")             \
    X(lu_solve_factor, nc_lu_solve(NULL, f->pivots, f->b, f->x), NC_NULL_ARGUMENT, "factor", "null")                               \
    X(lu_solve_pivots, nc_lu_solve(f->factor, NULL, f->b, f->x), NC_NULL_ARGUMENT, "pivots", "null")                               \
    X(lu_solve_pivots_dtype, nc_lu_solve(f->factor, f->b, f->b, f->x), NC_MIXED_DTYPE, "pivots is f64", "i32")                     \
    X(lu_solve_b, nc_lu_solve(f->factor, f->pivots, NULL, f->x), NC_NULL_ARGUMENT, "b", "null")                                    \
    X(lu_solve_b_device, nc_lu_solve(f->factor, f->pivots, f->foreign, f->x), NC_WRONG_DEVICE, "b", "another device")              \
    X(lu_solve_x, nc_lu_solve(f->factor, f->pivots, f->b, NULL), NC_NULL_ARGUMENT, "x", "null")                                    \
    X(lu_solve_x_extent, nc_lu_solve(f->factor, f->pivots, f->b, f->longer), NC_SHAPE_MISMATCH, "x", "order of the matrix")        \
    X(minimum_a, nc_minimum_norm_solve(NULL, f->b, f->x, f->status), NC_NULL_ARGUMENT, "a", "null")                                \
    X(minimum_a_square, nc_minimum_norm_solve(f->rectangle, f->b, f->x, f->status), NC_SHAPE_MISMATCH, "a", "square")              \
    X(minimum_b, nc_minimum_norm_solve(f->a, NULL, f->x, f->status), NC_NULL_ARGUMENT, "b", "null")                                \
    X(minimum_b_extent, nc_minimum_norm_solve(f->a, f->longer, f->x, f->status), NC_SHAPE_MISMATCH, "b", "order of the matrix")    \
    X(minimum_x, nc_minimum_norm_solve(f->a, f->b, NULL, f->status), NC_NULL_ARGUMENT, "x", "null")                                \
    X(minimum_x_in_a, nc_minimum_norm_solve(f->a, f->b, f->row_of_a, f->status), NC_OVERLAP, "x", "overlaps a")                    \
    X(minimum_status, nc_minimum_norm_solve(f->a, f->b, f->x, NULL), NC_NULL_ARGUMENT, "status", "null")                           \
    X(minimum_batch, nc_minimum_norm_solve(f->batch, f->b, f->x, f->status), NC_SHAPE_MISMATCH, "b has rank 1", "2")

#include "argument_rows.h"

static nc_array *poisoned(nc_device *device, nc_dtype dtype, int32_t rank, int64_t n0, int64_t n1, int64_t n2)
{
    const int64_t shape[] = {n0, n1, n2};
    unsigned char poison[16 * 8];
    size_t count = 1;
    nc_array *array = create(device, dtype, rank, shape);
    for (int32_t axis = 0; axis < rank; ++axis) {
        count *= (size_t)shape[axis];
    }
    memset(poison, 0xc5, sizeof poison);
    assert_int_equal(nc_array_upload(array, poison, count * nc_dtype_size(dtype)), NC_OK);
    return array;
}

static void fixture_open(fixture *f)
{
    const int64_t square[] = {N, N}, once[] = {0, 1}, row[] = {N}, one[] = {1}, step[] = {1}, rows[] = {N, 1};
    f->device = open_cpu();
    f->second = open_cpu();
    f->a = poisoned(f->device, NC_F64, 2, N, N, 0);
    f->factor = poisoned(f->device, NC_F64, 2, N, N, 0);
    f->gram = poisoned(f->device, NC_F64, 2, N, N, 0);
    f->tall = poisoned(f->device, NC_F64, 2, N + 1, N, 0);
    f->rectangle = poisoned(f->device, NC_F64, 2, N, 2, 0);
    f->batch = poisoned(f->device, NC_F64, 3, 1, N, N);
    f->single = poisoned(f->device, NC_F32, 2, N, N, 0);
    f->foreign = poisoned(f->second, NC_F64, 2, N, N, 0);
    f->b = poisoned(f->device, NC_F64, 1, N, 0, 0);
    f->x = poisoned(f->device, NC_F64, 1, N, 0, 0);
    f->weights = poisoned(f->device, NC_F64, 1, N + 1, 0, 0);
    f->longer = poisoned(f->device, NC_F64, 1, N + 1, 0, 0);
    f->narrow = poisoned(f->device, NC_F32, 1, N, 0, 0);
    f->words = poisoned(f->device, NC_U32, 1, N, 0, 0);
    f->pivots = poisoned(f->device, NC_I32, 1, N, 0, 0);
    f->status = poisoned(f->device, NC_I32, 1, 1, 0, 0);
    f->foreign_status = poisoned(f->second, NC_I32, 1, 1, 0, 0);
    f->folded = view(f->gram, 0, 2, square, once);
    f->row_of_a = view(f->a, 0, 1, row, step);
    f->row_of_tall = view(f->tall, 0, 2, square, rows);
    f->first_pivot = view(f->pivots, 0, 1, one, step);
}

static void assert_untouched(const fixture *f, const char *name)
{
    const nc_array *arrays[] = {f->a, f->factor,  f->gram,   f->tall,   f->rectangle, f->batch,  f->single, f->foreign,       f->b,
                                f->x, f->weights, f->longer, f->narrow, f->words,     f->pivots, f->status, f->foreign_status};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i) {
        unsigned char now[16 * 8], poison[16 * 8];
        nc_array_info info;
        memset(poison, 0xc5, sizeof poison);
        NC_STRUCT_INIT(&info);
        assert_int_equal(nc_array_info_get(arrays[i], &info), NC_OK);
        download(arrays[i], now, (size_t)info.count * nc_dtype_size((nc_dtype)info.dtype));
        if (memcmp(now, poison, (size_t)info.count * nc_dtype_size((nc_dtype)info.dtype)) != 0) {
            fail_msg("%s wrote to array %zu", name, i);
        }
    }
}

static void fixture_close(fixture *f)
{
    nc_array *arrays[] = {f->folded,  f->row_of_a,  f->row_of_tall, f->first_pivot, f->a,       f->factor, f->gram,
                          f->tall,    f->rectangle, f->batch,       f->single,      f->foreign, f->b,      f->x,
                          f->weights, f->longer,    f->narrow,      f->words,       f->pivots,  f->status, f->foreign_status};
    release_all(arrays, sizeof arrays / sizeof arrays[0]);
    close_device(f->device);
    close_device(f->second);
}

static void each_wrong_argument_is_refused_by_name(void **state)
{
    static fixture f;
    (void)state;
    fixture_open(&f);
    for (size_t i = 0; i < CASE_COUNT; ++i) {
        expect_refusal(cases[i].name, cases[i].call(&f), cases[i].status, cases[i].first, cases[i].second);
        assert_untouched(&f, cases[i].name);
    }
    fixture_close(&f);
}

// What the table spoils is a valid call before: the refusals above have no other reason.
static void unspoiled_calls_run(void **state)
{
    static fixture f;
    (void)state;
    fixture_open(&f);
    assert_int_equal(nc_gram(f.tall, f.weights, f.gram), NC_OK);
    assert_int_equal(nc_cholesky(f.a, f.factor, f.status), NC_OK);
    assert_int_equal(nc_cholesky_solve(f.factor, f.b, f.x), NC_OK);
    assert_int_equal(nc_lu(f.a, f.factor, f.pivots, f.status), NC_OK);
    assert_int_equal(nc_lu_solve(f.factor, f.pivots, f.b, f.x), NC_OK);
    assert_int_equal(nc_minimum_norm_solve(f.a, f.b, f.x, f.status), NC_OK);
    fixture_close(&f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_wrong_argument_is_refused_by_name),
    cmocka_unit_test(unspoiled_calls_run),
};

UNIT_MAIN(tests)
