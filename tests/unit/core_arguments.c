// SPDX-License-Identifier: Apache-2.0
// Every argument of devices, arrays, linear algebra and random numbers, wrong once: the named status comes back, nothing is
// written, and nc_last_error names the argument and its value. tests/lint/arguments.py holds that no function and no argument is
// left out.
#include "core_device.h"

#include <math.h>
#include <string.h>

enum { BYTES = 24 * 8 };

// What the calls are made with. Every array holds the same poison before and after.
typedef struct fixture {
    nc_device *device, *second;
    nc_array *a, *b, *c;           // 2 x 3, 3 x 4, 2 x 4 of f64
    nc_array *v, *w, *one, *none;  // 6, 6, 1 and 0 elements of f64
    nc_array *v32, *words, *masks; // 6 elements of f32, u32, u8
    nc_array *foreign;             // 6 elements of f64 on the second handle
    nc_array *square, *folded;     // 4 x 4; a view of it with two elements at one place
    nc_array *v_part;              // the first element of v
    nc_device_info info, old_info;
    nc_device_counters short_counters;
    nc_device_probes old_probes;
    nc_array_info array_info;
    nc_residency residency;
    int32_t count;
    nc_array *made;
    nc_device *opened;
    unsigned char host[BYTES];
} fixture;

static const int64_t shape6[1] = {6}, minus[2] = {2, -3}, huge[2] = {INT64_MAX, 2}, fat[1] = {INT64_MAX / 4}, strides1[1] = {1};

// X(name, call, status, first text, second text): both texts must stand in nc_last_error.
#define CASES(X)                                                                                                                   \
    X(count_null, nc_device_count(NULL), NC_NULL_ARGUMENT, "count", "null")                                                        \
    X(describe_index, nc_device_describe(7, &f->info), NC_DEVICE_NOT_FOUND, "index 7", "1 device")                                 \
    X(describe_negative, nc_device_describe(-1, &f->info), NC_DEVICE_NOT_FOUND, "index -1", "1 device")                            \
    X(describe_null, nc_device_describe(0, NULL), NC_NULL_ARGUMENT, "info", "null")                                                \
    X(describe_abi, nc_device_describe(0, &f->old_info), NC_ABI_MISMATCH, "info", "abi_version 0")                                 \
    X(open_null, nc_device_open(NULL, &f->opened), NC_NULL_ARGUMENT, "selector", "null")                                           \
    X(open_empty, nc_device_open("", &f->opened), NC_INVALID_ARGUMENT, "selector is \"\"", "no default")                           \
    X(open_index, nc_device_open("1", &f->opened), NC_DEVICE_NOT_FOUND, "selector \"1\"", "1 device")                              \
    X(open_index_wraps, nc_device_open("4294967296", &f->opened), NC_DEVICE_NOT_FOUND, "4294967296", "1 device")                   \
    X(open_index_huge, nc_device_open("99999999999999999999999999", &f->opened), NC_DEVICE_NOT_FOUND, "999", "1 device")           \
    X(open_spaced, nc_device_open(" 0", &f->opened), NC_DEVICE_NOT_FOUND, "\" 0\"", "none")                                        \
    X(open_signed, nc_device_open("+0", &f->opened), NC_DEVICE_NOT_FOUND, "\"+0\"", "none")                                        \
    X(open_name, nc_device_open("no such device", &f->opened), NC_DEVICE_NOT_FOUND, "no such device", "none")                      \
    X(open_device_null, nc_device_open("0", NULL), NC_NULL_ARGUMENT, "device", "null")                                             \
    X(close_used, nc_device_close(f->second), NC_INVALID_ARGUMENT, "device 0", "1 array")                                          \
    X(info_device, nc_device_info_get(NULL, &f->info), NC_NULL_ARGUMENT, "device", "null")                                         \
    X(info_null, nc_device_info_get(f->device, NULL), NC_NULL_ARGUMENT, "info", "null")                                            \
    X(info_abi, nc_device_info_get(f->device, &f->old_info), NC_ABI_MISMATCH, "info", "abi_version 0")                             \
    X(counters_device, nc_device_counters_get(NULL, &f->short_counters), NC_NULL_ARGUMENT, "device", "null")                       \
    X(counters_size, nc_device_counters_get(f->device, &f->short_counters), NC_ABI_MISMATCH, "counters", "struct_size 8")          \
    X(sync_null, nc_device_sync(NULL), NC_NULL_ARGUMENT, "device", "null")                                                         \
    X(probe_device, nc_device_probe(NULL, &f->old_probes), NC_NULL_ARGUMENT, "device", "null")                                     \
    X(probe_probes, nc_device_probe(f->device, NULL), NC_NULL_ARGUMENT, "probes", "null")                                          \
    X(probe_abi, nc_device_probe(f->device, &f->old_probes), NC_ABI_MISMATCH, "probes", "abi_version 0")                           \
    X(create_device, nc_array_create(NULL, NC_F64, 1, shape6, &f->made), NC_NULL_ARGUMENT, "device", "null")                       \
    X(create_dtype, nc_array_create(f->device, (nc_dtype)99, 1, shape6, &f->made), NC_INVALID_ARGUMENT, "dtype", "99")             \
    X(create_dtype_zero, nc_array_create(f->device, (nc_dtype)0, 1, shape6, &f->made), NC_INVALID_ARGUMENT, "dtype", "0")          \
    X(create_rank, nc_array_create(f->device, NC_F64, 9, shape6, &f->made), NC_INVALID_ARGUMENT, "rank", "9")                      \
    X(create_rank_negative, nc_array_create(f->device, NC_F64, -1, shape6, &f->made), NC_INVALID_ARGUMENT, "rank", "-1")           \
    X(create_shape_null, nc_array_create(f->device, NC_F64, 1, NULL, &f->made), NC_NULL_ARGUMENT, "shape", "null")                 \
    X(create_shape_negative, nc_array_create(f->device, NC_F64, 2, minus, &f->made), NC_INVALID_ARGUMENT, "shape[1]", "-3")        \
    X(create_too_many, nc_array_create(f->device, NC_F64, 2, huge, &f->made), NC_OUT_OF_RANGE, "shape[1] = 2", "2^63")             \
    X(create_too_fat, nc_array_create(f->device, NC_F64, 1, fat, &f->made), NC_OUT_OF_RANGE, "shape", "8 bytes")                   \
    X(create_null, nc_array_create(f->device, NC_F64, 1, shape6, NULL), NC_NULL_ARGUMENT, "array", "null")                         \
    X(view_base, nc_array_view(NULL, 0, 1, shape6, strides1, &f->made), NC_NULL_ARGUMENT, "base", "null")                          \
    X(view_offset, nc_array_view(f->v, 1, 1, shape6, strides1, &f->made), NC_OUT_OF_RANGE, "offset 1", "strides[0] = 1")           \
    X(view_rank, nc_array_view(f->v, 0, 9, shape6, strides1, &f->made), NC_INVALID_ARGUMENT, "rank", "9")                          \
    X(view_shape, nc_array_view(f->v, 0, 1, NULL, strides1, &f->made), NC_NULL_ARGUMENT, "shape", "null")                          \
    X(view_strides, nc_array_view(f->v, 0, 1, shape6, NULL, &f->made), NC_NULL_ARGUMENT, "strides", "null")                        \
    X(view_null, nc_array_view(f->v, 0, 1, shape6, strides1, NULL), NC_NULL_ARGUMENT, "view", "null")                              \
    X(array_info_array, nc_array_info_get(NULL, &f->array_info), NC_NULL_ARGUMENT, "array", "null")                                \
    X(array_info_abi, nc_array_info_get(f->v, &f->array_info), NC_ABI_MISMATCH, "info", "abi_version 0")                           \
    X(residency_array, nc_array_residency(NULL, &f->residency), NC_NULL_ARGUMENT, "array", "null")                                 \
    X(residency_abi, nc_array_residency(f->v, &f->residency), NC_ABI_MISMATCH, "residency", "abi_version 0")                       \
    X(upload_array, nc_array_upload(NULL, f->host, 48), NC_NULL_ARGUMENT, "array", "null")                                         \
    X(upload_host, nc_array_upload(f->v, NULL, 48), NC_NULL_ARGUMENT, "host", "null")                                              \
    X(upload_bytes, nc_array_upload(f->v, f->host, 40), NC_SHAPE_MISMATCH, "bytes is 40", "48")                                    \
    X(upload_folded, nc_array_upload(f->folded, f->host, 64), NC_OVERLAP, "array", "two elements at one place")                    \
    X(download_array, nc_array_download(NULL, f->host, 48), NC_NULL_ARGUMENT, "array", "null")                                     \
    X(download_host, nc_array_download(f->v, NULL, 48), NC_NULL_ARGUMENT, "host", "null")                                          \
    X(download_bytes, nc_array_download(f->v, f->host, 56), NC_SHAPE_MISMATCH, "bytes is 56", "48")                                \
    X(fill_array, nc_array_fill(NULL, f->host, 8), NC_NULL_ARGUMENT, "array", "null")                                              \
    X(fill_element, nc_array_fill(f->v, NULL, 8), NC_NULL_ARGUMENT, "element", "null")                                             \
    X(fill_bytes, nc_array_fill(f->v, f->host, 4), NC_SHAPE_MISMATCH, "bytes is 4", "8")                                           \
    X(fill_folded, nc_array_fill(f->folded, f->host, 8), NC_OVERLAP, "array", "two elements at one place")                         \
    X(copy_source, nc_array_copy(NULL, f->v), NC_NULL_ARGUMENT, "source", "null")                                                  \
    X(copy_destination, nc_array_copy(f->v, NULL), NC_NULL_ARGUMENT, "destination", "null")                                        \
    X(copy_device, nc_array_copy(f->v, f->foreign), NC_WRONG_DEVICE, "destination", "another device")                              \
    X(copy_dtype, nc_array_copy(f->v, f->v32), NC_MIXED_DTYPE, "destination is f32", "f64")                                        \
    X(copy_shape, nc_array_copy(f->v, f->one), NC_SHAPE_MISMATCH, "destination", "extent 1")                                       \
    X(copy_self, nc_array_copy(f->v, f->v), NC_OVERLAP, "destination", "source")                                                   \
    X(axpy_x, nc_axpy(1.0, NULL, f->v, f->w), NC_NULL_ARGUMENT, "array x", "null")                                                 \
    X(axpy_x_dtype, nc_axpy(1.0, f->words, f->v, f->w), NC_MIXED_DTYPE, "array x is u32", "f32 or f64")                            \
    X(axpy_y, nc_axpy(1.0, f->v, NULL, f->w), NC_NULL_ARGUMENT, "array y", "null")                                                 \
    X(axpy_y_dtype, nc_axpy(1.0, f->v, f->v32, f->w), NC_MIXED_DTYPE, "array y is f32", "x is f64")                                \
    X(axpy_y_shape, nc_axpy(1.0, f->v, f->one, f->w), NC_SHAPE_MISMATCH, "array y", "extent 1")                                    \
    X(axpy_y_rank, nc_axpy(1.0, f->v, f->a, f->w), NC_SHAPE_MISMATCH, "array y has rank 2", "rank 1")                              \
    X(axpy_y_device, nc_axpy(1.0, f->v, f->foreign, f->w), NC_WRONG_DEVICE, "array y", "another device")                           \
    X(axpy_out, nc_axpy(1.0, f->v, f->v, NULL), NC_NULL_ARGUMENT, "array out", "null")                                             \
    X(axpy_out_dtype, nc_axpy(1.0, f->v, f->v, f->v32), NC_MIXED_DTYPE, "array out is f32", "x is f64")                            \
    X(axpy_out_shape, nc_axpy(1.0, f->v, f->v, f->one), NC_SHAPE_MISMATCH, "array out", "extent 1")                                \
    X(axpy_out_device, nc_axpy(1.0, f->v, f->v, f->foreign), NC_WRONG_DEVICE, "array out", "another device")                       \
    X(axpy_out_is_x, nc_axpy(1.0, f->v, f->w, f->v), NC_OVERLAP, "array out", "overlaps x")                                        \
    X(sum_x, nc_sum(NULL, f->one), NC_NULL_ARGUMENT, "array x", "null")                                                            \
    X(sum_dtype, nc_sum(f->words, f->one), NC_MIXED_DTYPE, "array x is u32", "f32 or f64")                                         \
    X(sum_out, nc_sum(f->v, NULL), NC_NULL_ARGUMENT, "array out", "null")                                                          \
    X(sum_out_dtype, nc_sum(f->v32, f->one), NC_MIXED_DTYPE, "array out is f64", "x is f32")                                       \
    X(sum_out_count, nc_sum(f->v, f->w), NC_SHAPE_MISMATCH, "array out has 6", "1")                                                \
    X(sum_out_none, nc_sum(f->v, f->none), NC_SHAPE_MISMATCH, "array out has 0", "1")                                              \
    X(sum_device, nc_sum(f->foreign, f->one), NC_WRONG_DEVICE, "array out", "another device")                                      \
    X(sum_overlap, nc_sum(f->v, f->v_part), NC_OVERLAP, "array out", "overlaps x")                                                 \
    X(dot_x, nc_dot(NULL, f->v, f->one), NC_NULL_ARGUMENT, "array x", "null")                                                      \
    X(dot_y, nc_dot(f->v, NULL, f->one), NC_NULL_ARGUMENT, "array y", "null")                                                      \
    X(dot_y_dtype, nc_dot(f->v, f->v32, f->one), NC_MIXED_DTYPE, "array y is f32", "x is f64")                                     \
    X(dot_y_shape, nc_dot(f->v, f->none, f->one), NC_SHAPE_MISMATCH, "array y", "extent 0")                                        \
    X(dot_y_device, nc_dot(f->v, f->foreign, f->one), NC_WRONG_DEVICE, "array y", "another device")                                \
    X(dot_out, nc_dot(f->v, f->w, NULL), NC_NULL_ARGUMENT, "array out", "null")                                                    \
    X(dot_overlap, nc_dot(f->w, f->v, f->v_part), NC_OVERLAP, "array out", "overlaps y")                                           \
    X(minimum_none, nc_minimum(f->none, f->one), NC_EMPTY, "array x", "0 elements")                                                \
    X(minimum_x, nc_minimum(NULL, f->one), NC_NULL_ARGUMENT, "array x", "null")                                                    \
    X(minimum_out, nc_minimum(f->v, NULL), NC_NULL_ARGUMENT, "array out", "null")                                                  \
    X(maximum_none, nc_maximum(f->none, f->one), NC_EMPTY, "array x", "0 elements")                                                \
    X(maximum_dtype, nc_maximum(f->masks, f->one), NC_MIXED_DTYPE, "array x is u8", "f32 or f64")                                  \
    X(maximum_out, nc_maximum(f->v, f->w), NC_SHAPE_MISMATCH, "array out has 6", "1")                                              \
    X(block_x, nc_block_maximum(NULL, 2, f->one), NC_NULL_ARGUMENT, "array x", "null")                                             \
    X(block_zero, nc_block_maximum(f->v, 0, f->one), NC_INVALID_ARGUMENT, "block is 0", "1 or more")                               \
    X(block_negative, nc_block_maximum(f->v, INT64_MIN, f->one), NC_INVALID_ARGUMENT, "block is -9223372036854775808", "1 or")     \
    X(block_out, nc_block_maximum(f->v, 6, NULL), NC_NULL_ARGUMENT, "array out", "null")                                           \
    X(block_count, nc_block_maximum(f->v, 4, f->one), NC_SHAPE_MISMATCH, "array out has 1", "2")                                   \
    X(block_overlap, nc_block_maximum(f->v, 6, f->v_part), NC_OVERLAP, "array out", "overlaps x")                                  \
    X(gemm_a, nc_gemm(1.0, NULL, f->b, 0.0, f->c), NC_NULL_ARGUMENT, "array a", "null")                                            \
    X(gemm_a_rank, nc_gemm(1.0, f->v, f->b, 0.0, f->c), NC_SHAPE_MISMATCH, "array a has rank 1", "2")                              \
    X(gemm_a_dtype, nc_gemm(1.0, f->words, f->b, 0.0, f->c), NC_MIXED_DTYPE, "array a is u32", "f32 or f64")                       \
    X(gemm_b, nc_gemm(1.0, f->a, NULL, 0.0, f->c), NC_NULL_ARGUMENT, "array b", "null")                                            \
    X(gemm_b_dtype, nc_gemm(1.0, f->a, f->v32, 0.0, f->c), NC_MIXED_DTYPE, "array b is f32", "a is f64")                           \
    X(gemm_b_rank, nc_gemm(1.0, f->a, f->v, 0.0, f->c), NC_SHAPE_MISMATCH, "array b has rank 1", "2")                              \
    X(gemm_b_rows, nc_gemm(1.0, f->a, f->a, 0.0, f->c), NC_SHAPE_MISMATCH, "array b has extent 2 on axis 0", "3")                  \
    X(gemm_b_device, nc_gemm(1.0, f->a, f->foreign, 0.0, f->c), NC_WRONG_DEVICE, "array b", "another device")                      \
    X(gemm_c, nc_gemm(1.0, f->a, f->b, 0.0, NULL), NC_NULL_ARGUMENT, "array c", "null")                                            \
    X(gemm_c_rows, nc_gemm(1.0, f->a, f->b, 0.0, f->square), NC_SHAPE_MISMATCH, "array c has extent 4 on axis 0", "2")             \
    X(gemm_c_columns, nc_gemm(1.0, f->a, f->b, 0.0, f->a), NC_SHAPE_MISMATCH, "array c has extent 3 on axis 1", "4")               \
    X(gemm_c_folded, nc_gemm(1.0, f->a, f->b, 0.0, f->folded), NC_OVERLAP, "array c", "two elements at one place")                 \
    X(gemm_c_is_a, nc_gemm(1.0, f->square, f->square, 0.0, f->square), NC_OVERLAP, "array c", "overlaps a")                        \
    X(words_null, nc_rng_words(1, 2, 3, NULL), NC_NULL_ARGUMENT, "array out", "null")                                              \
    X(words_dtype, nc_rng_words(1, 2, 3, f->v), NC_MIXED_DTYPE, "array out is f64", "u32")                                         \
    X(words_range, nc_rng_words(1, 2, UINT64_MAX - 4, f->words), NC_OUT_OF_RANGE, "first = 18446744073709551611", "6 elements")    \
    X(uniform_null, nc_rng_uniform(1, 2, 3, NULL), NC_NULL_ARGUMENT, "array out", "null")                                          \
    X(uniform_dtype, nc_rng_uniform(1, 2, 3, f->words), NC_MIXED_DTYPE, "array out is u32", "f32 or f64")                          \
    X(uniform_range, nc_rng_uniform(1, 2, INT64_MAX, f->v), NC_OUT_OF_RANGE, "first = 9223372036854775807", "6 elements")          \
    X(uniform_folded, nc_rng_uniform(1, 2, 3, f->folded), NC_OVERLAP, "array out", "two elements at one place")                    \
    X(curand_null, nc_rng_uniform_curand(1, 2, 3, NULL), NC_NULL_ARGUMENT, "array out", "null")                                    \
    X(curand_dtype, nc_rng_uniform_curand(1, 2, 3, f->masks), NC_MIXED_DTYPE, "array out is u8", "f32 or f64")                     \
    X(curand_range, nc_rng_uniform_curand(1, 2, UINT64_MAX - 4, f->v), NC_OUT_OF_RANGE, "first = 18446744073709551611",            \
      "6 elements")                                                                                                                \
    X(normal_null, nc_rng_normal(1, 2, 3, NULL), NC_NULL_ARGUMENT, "array out", "null")                                            \
    X(normal_dtype, nc_rng_normal(1, 2, 3, f->words), NC_MIXED_DTYPE, "array out is u32", "f32 or f64")                            \
    X(normal_range, nc_rng_normal(1, 2, INT64_MAX, f->v32), NC_OUT_OF_RANGE, "first = 9223372036854775807", "6 elements")

#include "argument_rows.h"

static nc_array *poisoned(nc_device *device, nc_dtype dtype, int32_t rank, const int64_t *shape)
{
    unsigned char poison[BYTES];
    nc_array_info info;
    nc_array *array = create(device, dtype, rank, shape);
    memset(poison, 0xc5, sizeof poison);
    NC_STRUCT_INIT(&info);
    assert_int_equal(nc_array_info_get(array, &info), NC_OK);
    assert_int_equal(nc_array_upload(array, poison, info.storage_bytes), NC_OK);
    return array;
}

static void fixture_open(fixture *f)
{
    const int64_t two_three[2] = {2, 3}, three_four[2] = {3, 4}, two_four[2] = {2, 4}, four[2] = {4, 4};
    const int64_t six = 6, one = 1, none = 0, overlapping[2] = {3, 1};
    memset(f, 0, sizeof *f);
    f->device = open_cpu();
    f->second = open_cpu();
    f->a = poisoned(f->device, NC_F64, 2, two_three);
    f->b = poisoned(f->device, NC_F64, 2, three_four);
    f->c = poisoned(f->device, NC_F64, 2, two_four);
    f->v = poisoned(f->device, NC_F64, 1, &six);
    f->w = poisoned(f->device, NC_F64, 1, &six);
    f->one = poisoned(f->device, NC_F64, 1, &one);
    f->none = poisoned(f->device, NC_F64, 1, &none);
    f->v32 = poisoned(f->device, NC_F32, 1, &six);
    f->words = poisoned(f->device, NC_U32, 1, &six);
    f->masks = poisoned(f->device, NC_U8, 1, &six);
    f->foreign = poisoned(f->second, NC_F64, 1, &six);
    f->square = poisoned(f->device, NC_F64, 2, four);
    f->folded = view(f->square, 0, 2, two_four, overlapping);
    f->v_part = view(f->v, 0, 0, NULL, NULL);
    NC_STRUCT_INIT(&f->info);
    NC_STRUCT_INIT(&f->short_counters);
    f->short_counters.struct_size = 8;
}

static void assert_untouched(const fixture *f, const char *name)
{
    const nc_array *arrays[] = {f->a, f->b, f->c, f->v, f->w, f->one, f->v32, f->words, f->masks, f->foreign, f->square};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i) {
        unsigned char now[BYTES], poison[BYTES];
        nc_array_info info;
        memset(poison, 0xc5, sizeof poison);
        NC_STRUCT_INIT(&info);
        assert_int_equal(nc_array_info_get(arrays[i], &info), NC_OK);
        download(arrays[i], now, info.storage_bytes);
        if (memcmp(now, poison, info.storage_bytes) != 0) {
            fail_msg("%s wrote to array %zu", name, i);
        }
    }
    for (size_t i = 0; i < BYTES; ++i) {
        assert_int_equal(f->host[i], 0);
    }
    assert_true(f->made == NULL && f->opened == NULL && f->count == 0 && f->info.compute_units == 0);
    assert_true(f->old_info.index == 0 && f->array_info.rank == 0 && f->residency.address == 0);
}

static void fixture_close(fixture *f)
{
    nc_array *arrays[] = {f->a,   f->b,     f->c,     f->v,       f->w,      f->one,    f->none,
                          f->v32, f->words, f->masks, f->foreign, f->square, f->folded, f->v_part};
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

// Numbers that IEEE arithmetic has are no errors: alpha and beta may be NaN or infinite.
static void special_scalars_are_numbers(void **state)
{
    const double values[6] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
    double read[6];
    (void)state;
    nc_device *device = open_cpu();
    nc_array *x = create_filled(device, NC_F64, 6, values), *out = create_vector(device, NC_F64, 6);
    assert_int_equal(nc_axpy((double)NAN, x, x, out), NC_OK);
    download(out, read, sizeof read);
    assert_true(isnan(read[0]) && isnan(read[5]));
    assert_int_equal(nc_axpy((double)INFINITY, x, x, out), NC_OK);
    download(out, read, sizeof read);
    assert_true(isinf(read[0]));
    release(x), release(out);
    close_device(device);
}

static void names_are_total(void **state)
{
    (void)state;
    for (int status = 0; status < NC_STATUS_COUNT; ++status) {
        assert_int_equal(strncmp(nc_status_name((nc_status)status), "NC_", 3), 0);
    }
    assert_string_equal(nc_status_name((nc_status)NC_STATUS_COUNT), "unknown");
    assert_string_equal(nc_status_name((nc_status)-1), "unknown");
    assert_string_equal(nc_dtype_name(NC_F64), "f64");
    assert_string_equal(nc_dtype_name((nc_dtype)0), "unknown");
    assert_string_equal(nc_dtype_name((nc_dtype)77), "unknown");
    assert_int_equal(nc_dtype_size((nc_dtype)77), 0);
    assert_int_equal(nc_abi_version(), NC_ABI_VERSION);
    assert_string_equal(nc_backend(), "cpu");
}

static void a_device_opens_by_index_uuid_and_name(void **state)
{
    nc_device_info info;
    int32_t count = 0;
    (void)state;
    NC_STRUCT_INIT(&info);
    assert_int_equal(nc_device_count(&count), NC_OK);
    assert_int_equal(count, 1);
    assert_int_equal(nc_device_describe(0, &info), NC_OK);
    const char *selectors[] = {"0", "00", info.uuid, info.name};
    for (size_t i = 0; i < sizeof selectors / sizeof selectors[0]; ++i) {
        nc_device *device = NULL;
        nc_device_info opened;
        NC_STRUCT_INIT(&opened);
        assert_int_equal(nc_device_open(selectors[i], &device), NC_OK);
        assert_int_equal(nc_device_info_get(device, &opened), NC_OK);
        assert_memory_equal(&info, &opened, sizeof info);
        close_device(device);
    }
    assert_int_equal(nc_device_close(NULL), NC_OK);
    assert_int_equal(nc_array_release(NULL), NC_OK);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_wrong_argument_is_refused_by_name),
    cmocka_unit_test(special_scalars_are_numbers),
    cmocka_unit_test(names_are_total),
    cmocka_unit_test(a_device_opens_by_index_uuid_and_name),
};

UNIT_MAIN(tests)
