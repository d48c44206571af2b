// SPDX-License-Identifier: Apache-2.0
// Arrays: creation, views and their bounds, lifetime, copies, residency.
#include "abi.h"

#include <string.h>

static void creation(cupel_context *context)
{
    static const struct {
        nc_dtype dtype;
        int32_t rank;
        int64_t shape[9];
        nc_status expected;
    } rows[] = {
        {NC_F64, 1, {4}, NC_OK},
        {NC_U8, 8, {1, 2, 1, 2, 1, 2, 1, 2}, NC_OK},
        {NC_F32, 3, {0, INT64_MAX, 5}, NC_OK}, // no element, whatever stands beside the 0
        {(nc_dtype)0, 1, {4}, NC_INVALID_ARGUMENT},
        {(nc_dtype)77, 1, {4}, NC_INVALID_ARGUMENT},
        {NC_F64, -1, {4}, NC_INVALID_ARGUMENT},
        {NC_F64, 9, {1, 1, 1, 1, 1, 1, 1, 1, 1}, NC_INVALID_ARGUMENT},
        {NC_F64, 2, {4, -1}, NC_INVALID_ARGUMENT},
        {NC_F64, 2, {INT64_MAX, 2}, NC_OUT_OF_RANGE},
        {NC_F64, 1, {INT64_MAX / 4}, NC_OUT_OF_RANGE},
    };
    nc_array *array = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        array = NULL;
        cupel_expect_status(context, nc_array_create(cupel_device(context), rows[i].dtype, rows[i].rank, rows[i].shape, &array),
                            rows[i].expected);
        cupel_expect_true(context, (array != NULL) == (rows[i].expected == NC_OK));
        cupel_expect_status(context, nc_array_release(array), NC_OK);
    }
    array = NULL;
    cupel_expect_status(context, nc_array_create(NULL, NC_F64, 1, rows[0].shape, &array), NC_NULL_ARGUMENT);
    cupel_expect_status(context, nc_array_create(cupel_device(context), NC_F64, 1, NULL, &array), NC_NULL_ARGUMENT);
    cupel_expect_status(context, nc_array_create(cupel_device(context), NC_F64, 1, rows[0].shape, NULL), NC_NULL_ARGUMENT);
    cupel_expect_status(context, nc_array_create(cupel_device(context), NC_F64, 0, NULL, &array), NC_OK); // a scalar has no shape
    cupel_expect_status(context, nc_array_release(array), NC_OK);
}

static void too_much_memory(cupel_context *context)
{
    const int64_t shape[] = {(int64_t)1 << 57}; // an exabyte
    nc_array *array = NULL;
    cupel_expect_status(context, nc_array_create(cupel_device(context), NC_F64, 1, shape, &array), NC_OUT_OF_MEMORY);
    cupel_expect_true(context, array == NULL);
}

static void information(cupel_context *context)
{
    const int64_t shape[] = {2, 3, 4};
    nc_array *array = NULL;
    nc_array_info info;
    NC_STRUCT_INIT(&info);
    cupel_require_ok(context, nc_array_create(cupel_device(context), NC_I64, 3, shape, &array));
    cupel_expect_status(context, nc_array_info_get(array, &info), NC_OK);
    cupel_expect_true(context, info.dtype == NC_I64 && info.rank == 3 && info.offset == 0 && info.count == 24);
    cupel_expect_u64(context, info.storage_bytes, 24 * 8);
    cupel_expect_true(context, info.shape[0] == 2 && info.shape[1] == 3 && info.shape[2] == 4);
    cupel_expect_true(context, info.strides[0] == 12 && info.strides[1] == 4 && info.strides[2] == 1);
    cupel_expect_status(context, nc_array_info_get(NULL, &info), NC_NULL_ARGUMENT);
    cupel_expect_status(context, nc_array_release(array), NC_OK);
    cupel_expect_status(context, nc_array_release(NULL), NC_OK);
}

static void bounds_of_views(cupel_context *context)
{
    enum { STORAGE = 12 };
    static const struct {
        int64_t offset;
        int32_t rank;
        int64_t shape[9], strides[9];
        nc_status expected;
    } rows[] = {
        {0, 1, {12}, {1}, NC_OK},
        {11, 1, {12}, {-1}, NC_OK},
        {0, 2, {3, 4}, {4, 1}, NC_OK},
        {5, 1, {1000000}, {0}, NC_OK},
        {12, 1, {0}, {1}, NC_OK}, // an empty view may stand at the end
        {0, 0, {0}, {0}, NC_OK},
        {0, 1, {13}, {1}, NC_OUT_OF_RANGE},
        {1, 1, {12}, {1}, NC_OUT_OF_RANGE},
        {10, 1, {12}, {-1}, NC_OUT_OF_RANGE},
        {12, 1, {1}, {1}, NC_OUT_OF_RANGE},
        {12, 0, {0}, {0}, NC_OUT_OF_RANGE},
        {-1, 1, {1}, {1}, NC_OUT_OF_RANGE},
        {13, 1, {0}, {1}, NC_OUT_OF_RANGE},
        {0, 2, {3, 4}, {5, 1}, NC_OUT_OF_RANGE},
        {0, 2, {2, 2}, {INT64_MAX, INT64_MAX}, NC_OUT_OF_RANGE},
        {0, 2, {2, 2}, {INT64_MIN, 1}, NC_OUT_OF_RANGE},
        {0, 1, {INT64_MAX}, {2}, NC_OUT_OF_RANGE},
        {0, 2, {2, -2}, {1, 1}, NC_INVALID_ARGUMENT},
        {0, 9, {1, 1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1, 1}, NC_INVALID_ARGUMENT},
        {0, -1, {1}, {1}, NC_INVALID_ARGUMENT},
    };
    const int64_t storage[] = {STORAGE};
    nc_array *base = NULL;
    nc_array *view = NULL;
    cupel_require_ok(context, nc_array_create(cupel_device(context), NC_F32, 1, storage, &base));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        view = NULL;
        cupel_expect_status(context, nc_array_view(base, rows[i].offset, rows[i].rank, rows[i].shape, rows[i].strides, &view),
                            rows[i].expected);
        cupel_expect_true(context, (view != NULL) == (rows[i].expected == NC_OK));
        cupel_expect_status(context, nc_array_release(view), NC_OK);
    }
    cupel_expect_status(context, nc_array_view(NULL, 0, 1, storage, storage, &view), NC_NULL_ARGUMENT);
    cupel_expect_status(context, nc_array_view(base, 0, 1, NULL, storage, &view), NC_NULL_ARGUMENT);
    cupel_expect_status(context, nc_array_view(base, 0, 1, storage, NULL, &view), NC_NULL_ARGUMENT);
    cupel_expect_status(context, nc_array_view(base, 0, 1, storage, rows[0].strides, NULL), NC_NULL_ARGUMENT);
    cupel_expect_status(context, nc_array_release(base), NC_OK);
}

// The storage lives until the last handle on it is released, in any order.
static void view_outlives_its_base(cupel_context *context)
{
    const int64_t shape[] = {6};
    const int64_t part[] = {3};
    const int64_t backwards[] = {-2};
    const double values[] = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0};
    const double expected[] = {5.0, 3.0, 1.0};
    nc_array *base = NULL;
    nc_array *view = NULL;
    nc_array *again = NULL;
    cupel_require_ok(context, nc_array_create(cupel_device(context), NC_F64, 1, shape, &base));
    cupel_require_ok(context, nc_array_upload(base, values, sizeof values));
    cupel_require_ok(context, nc_array_view(base, 5, 1, part, backwards, &view));
    cupel_require_ok(context, nc_array_release(base));
    cupel_expect_bits(context, view, expected, 3);
    cupel_require_ok(context, nc_array_view(view, 0, 1, shape, (const int64_t[]){1}, &again)); // offsets count from the storage
    cupel_require_ok(context, nc_array_release(view));
    cupel_expect_bits(context, again, values, 6);
    cupel_require_ok(context, nc_array_release(again));
}

static void residency(cupel_context *context)
{
    nc_residency found;
    nc_device_info info;
    NC_STRUCT_INIT(&found);
    NC_STRUCT_INIT(&info);
    nc_array *array = cupel_output_vector(context, NC_F64, 4);
    const double zero = 0.0;
    cupel_require_ok(context, nc_array_fill(array, &zero, sizeof zero));
    cupel_require_ok(context, nc_device_info_get(cupel_device(context), &info));
    cupel_expect_status(context, nc_array_residency(array, &found), NC_OK);
    cupel_expect_true(context, found.is_device_memory == 1 && found.device_index == info.index && found.kind[0] != '\0');
    cupel_expect_status(context, nc_array_residency(NULL, &found), NC_NULL_ARGUMENT);
}

static void copies(cupel_context *context)
{
    const int64_t shape[] = {5, 6};
    const int64_t across[] = {1, 8};
    const int64_t backwards[] = {-9, -1};
    double values[30];
    for (size_t i = 0; i < 30; ++i) {
        values[i] = (double)i + 0.5;
    }
    nc_array *from = cupel_input_strided(context, NC_F64, 2, shape, across, values);
    nc_array *to = cupel_output_strided(context, NC_F64, 2, shape, backwards);
    cupel_expect_status(context, nc_array_copy(from, to), NC_OK);
    cupel_expect_bits(context, to, values, 30);
}

// Every argument of a copy wrong once; nothing is written.
static void wrong_copies(cupel_context *context)
{
    const double values[] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
    const int64_t six[] = {6};
    const int64_t matrix[] = {2, 3};
    const int64_t three[] = {3};
    const int64_t one[] = {1};
    const int64_t none[] = {0};
    nc_array_info info;
    nc_array *early = NULL;
    nc_array *late = NULL;
    nc_array *repeated = NULL;
    nc_array *foreign = NULL;
    nc_device *second = abi_second_handle(context);
    nc_array *x = cupel_update(context, NC_F64, 1, six, values);
    nc_array *out = cupel_output(context, NC_F64, 1, six);
    nc_array *shaped = cupel_output(context, NC_F64, 2, matrix);
    nc_array *integers = cupel_output(context, NC_I64, 1, six);
    NC_STRUCT_INIT(&info);
    cupel_require_ok(context, nc_array_create(second, NC_F64, 1, six, &foreign));
    cupel_require_ok(context, nc_array_info_get(x, &info));
    cupel_require_ok(context, nc_array_view(x, info.offset, 1, three, one, &early));
    cupel_require_ok(context, nc_array_view(x, info.offset + 2, 1, three, one, &late));
    cupel_require_ok(context, nc_array_view(x, info.offset, 1, six, none, &repeated));
    uint64_t before = cupel_kernels(context);
    cupel_expect_status(context, nc_array_copy(NULL, out), NC_NULL_ARGUMENT);
    cupel_expect_status(context, nc_array_copy(x, NULL), NC_NULL_ARGUMENT);
    cupel_expect_status(context, nc_array_copy(x, shaped), NC_SHAPE_MISMATCH);
    cupel_expect_status(context, nc_array_copy(early, out), NC_SHAPE_MISMATCH);
    cupel_expect_status(context, nc_array_copy(x, integers), NC_MIXED_DTYPE);
    cupel_expect_status(context, nc_array_copy(x, foreign), NC_WRONG_DEVICE);
    cupel_expect_status(context, nc_array_copy(foreign, out), NC_WRONG_DEVICE);
    cupel_expect_status(context, nc_array_copy(early, late), NC_OVERLAP);
    cupel_expect_status(context, nc_array_copy(x, x), NC_OVERLAP);
    cupel_expect_status(context, nc_array_copy(out, repeated), NC_OVERLAP);
    cupel_expect_u64(context, cupel_kernels(context) - before, 0);
    cupel_expect_bits(context, x, values, 6);
    cupel_expect_untouched(context, out);
    cupel_expect_untouched(context, shaped);
    cupel_expect_untouched(context, integers);
    nc_array *const made[] = {early, late, repeated, foreign};
    for (size_t i = 0; i < sizeof made / sizeof *made; ++i) {
        cupel_require_ok(context, nc_array_release(made[i]));
    }
    cupel_require_ok(context, nc_device_close(second));
}

static const cupel_case cases[] = {
    CUPEL_CASE("abi.array.creation", creation),
    CUPEL_CASE("abi.array.too-much-memory", too_much_memory),
    CUPEL_CASE("abi.array.information", information),
    CUPEL_CASE("abi.array.bounds-of-views", bounds_of_views),
    CUPEL_CASE("abi.array.view-outlives-its-base", view_outlives_its_base),
    CUPEL_CASE("abi.array.residency", residency),
    CUPEL_CASE("abi.array.copies", copies),
    CUPEL_CASE("abi.array.wrong-copies", wrong_copies),
};
const cupel_table abi_arrays_table = CUPEL_TABLE(cases);
