// SPDX-License-Identifier: Apache-2.0
// Arrays: bounds, overlap, lifetime, and bits that survive every way of moving them.
#include "core_device.h"
#include "sum_order.h"

#include <stdlib.h>
#include <string.h>

static nc_device *device;

typedef struct layout {
    int64_t offset;
    int32_t rank;
    int64_t shape[3], strides[3];
} layout;

static void views_must_lie_inside_the_storage(void **state)
{
    static const struct {
        layout view;
        nc_status expected;
    } cases[] = {
        {{0, 1, {24}, {1}}, NC_OK},
        {{0, 1, {25}, {1}}, NC_OUT_OF_RANGE},
        {{23, 0, {0}, {0}}, NC_OK},
        {{24, 0, {0}, {0}}, NC_OUT_OF_RANGE},
        {{-1, 0, {0}, {0}}, NC_OUT_OF_RANGE},
        {{23, 1, {24}, {-1}}, NC_OK},
        {{22, 1, {24}, {-1}}, NC_OUT_OF_RANGE},
        {{3, 2, {4, 6}, {6, -1}}, NC_OUT_OF_RANGE},
        {{5, 2, {4, 6}, {6, -1}}, NC_OK},
        {{18, 2, {4, 6}, {-6, 1}}, NC_OK},
        {{18, 2, {5, 6}, {-6, 1}}, NC_OUT_OF_RANGE},
        {{0, 2, {1000000, 24}, {0, 1}}, NC_OK},
        {{24, 1, {0}, {1}}, NC_OK}, // empty, at the end
        {{25, 1, {0}, {1}}, NC_OUT_OF_RANGE},
        {{0, 1, {-1}, {1}}, NC_INVALID_ARGUMENT},
        {{0, 1, {3}, {INT64_MAX}}, NC_OUT_OF_RANGE},
        {{0, 1, {3}, {INT64_MIN}}, NC_OUT_OF_RANGE},
        {{1, 2, {2, 2}, {INT64_MAX, INT64_MIN}}, NC_OUT_OF_RANGE},
        {{0, 2, {INT64_MAX, 3}, {0, 1}}, NC_OUT_OF_RANGE},                       // too many elements to count
        {{0, 3, {INT64_MAX, INT64_MAX, 0}, {INT64_MAX, 1, 1}}, NC_OK},           // none at all
        {{0, 2, {(int64_t)1 << 32, (int64_t)1 << 32}, {0, 0}}, NC_OUT_OF_RANGE}, // 2^64 wraps to 0
    };
    (void)state;
    nc_array *base = create_vector(device, NC_F64, 24);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const layout *v = &cases[i].view;
        nc_array *made = NULL;
        nc_status status = nc_array_view(base, v->offset, v->rank, v->shape, v->strides, &made);
        if (status != cases[i].expected || (status == NC_OK) != (made != NULL)) {
            fail_msg("view %zu: %s, expected %s (%s)", i, nc_status_name(status), nc_status_name(cases[i].expected),
                     nc_last_error());
        }
        release(made);
    }
    release(base);
}

// Pairs of equal shape through nc_array_copy.
static void copies_between_overlapping_views_are_refused(void **state)
{
    static const struct {
        layout from, to;
        nc_status expected;
    } cases[] = {
        {{0, 1, {50}, {2}}, {1, 1, {50}, {2}}, NC_OK},
        {{0, 1, {50}, {1}}, {50, 1, {50}, {1}}, NC_OK},
        {{0, 1, {50}, {1}}, {49, 1, {50}, {1}}, NC_OVERLAP},
        {{0, 2, {10, 5}, {10, 1}}, {5, 2, {10, 5}, {10, 1}}, NC_OK},
        {{0, 2, {10, 5}, {10, 1}}, {4, 2, {10, 5}, {10, 1}}, NC_OVERLAP},
        {{0, 2, {10, 5}, {10, 1}}, {99, 2, {10, 5}, {-10, -1}}, NC_OK},
        {{0, 2, {5, 10}, {1, 10}}, {5, 2, {5, 10}, {1, 10}}, NC_OK},
        {{0, 1, {16}, {6}}, {3, 1, {16}, {6}}, NC_OK},
        {{0, 1, {16}, {6}}, {6, 1, {16}, {5}}, NC_OVERLAP},
        {{0, 1, {10}, {1}}, {0, 1, {10}, {1}}, NC_OVERLAP},
        {{0, 1, {10}, {1}}, {50, 1, {10}, {0}}, NC_OVERLAP}, // ten elements at one place
        {{0, 2, {3, 3}, {3, 1}}, {50, 2, {3, 3}, {2, 1}}, NC_OVERLAP},
        {{0, 2, {3, 3}, {3, 1}}, {50, 2, {3, 3}, {1, 3}}, NC_OK},
        {{0, 1, {10}, {0}}, {50, 1, {10}, {1}}, NC_OK}, // one element read ten times
    };
    (void)state;
    nc_array *storage = create_vector(device, NC_F32, 100);
    assert_int_equal(nc_rng_uniform(1, 1, 0, storage), NC_OK);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const layout *f = &cases[i].from, *t = &cases[i].to;
        nc_array *from = view(storage, f->offset, f->rank, f->shape, f->strides);
        nc_array *to = view(storage, t->offset, t->rank, t->shape, t->strides);
        nc_status status = nc_array_copy(from, to);
        if (status != cases[i].expected) {
            fail_msg("copy %zu: %s, expected %s", i, nc_status_name(status), nc_status_name(cases[i].expected));
        }
        if (status == NC_OK) {
            float a[50], b[50];
            nc_array_info info;
            NC_STRUCT_INIT(&info);
            assert_int_equal(nc_array_info_get(from, &info), NC_OK);
            download(from, a, (size_t)info.count * sizeof a[0]);
            download(to, b, (size_t)info.count * sizeof b[0]);
            assert_memory_equal(a, b, (size_t)info.count * sizeof a[0]);
        }
        release(from), release(to);
    }
    release(storage);
}

// Signalling NaNs, NaNs with payloads and signs, and every byte pattern pass upload, copy, fill, views and download unchanged.
static void bits_survive_every_move(void **state)
{
    static const nc_dtype dtypes[] = {NC_F32, NC_F64, NC_I64, NC_U32, NC_U8, NC_I32};
    enum { COUNT = 60 };
    (void)state;
    for (size_t d = 0; d < sizeof dtypes / sizeof dtypes[0]; ++d) {
        size_t size = nc_dtype_size(dtypes[d]), bytes = COUNT * size;
        unsigned char data[COUNT * 8], back[COUNT * 8], expected[COUNT * 8];
        const int64_t shape[2] = {6, 10}, flipped_shape[2] = {10, 6}, flipped[2] = {1, 10};
        for (size_t i = 0; i < bytes; ++i) {
            data[i] = (unsigned char)(i * 37 + 11);
            data[i] = (i + 1) % size == 0 && i % 5 != 0 ? 0xff : data[i]; // NaNs of both kinds, for floats
            data[i] = size > 1 && (i + 2) % size == 0 && i % 3 == 0 ? 0xb0 : data[i];
        }
        for (size_t i = 0; i < 10; ++i) {
            for (size_t j = 0; j < 6; ++j) {
                memcpy(expected + (i * 6 + j) * size, data + (j * 10 + i) * size, size);
            }
        }
        nc_array *a = create(device, dtypes[d], 2, shape), *b = create(device, dtypes[d], 2, flipped_shape);
        nc_array *transposed = view(a, 0, 2, flipped_shape, flipped);
        assert_int_equal(nc_array_upload(a, data, bytes), NC_OK);
        download(a, back, bytes);
        assert_memory_equal(data, back, bytes);
        download(transposed, back, bytes);
        assert_memory_equal(expected, back, bytes);
        assert_int_equal(nc_array_copy(transposed, b), NC_OK);
        download(b, back, bytes);
        assert_memory_equal(expected, back, bytes);
        assert_int_equal(nc_array_upload(transposed, expected, bytes), NC_OK);
        download(a, back, bytes);
        assert_memory_equal(data, back, bytes);
        assert_int_equal(nc_array_fill(transposed, data + size, size), NC_OK);
        download(a, back, bytes);
        for (size_t i = 0; i < COUNT; ++i) {
            assert_memory_equal(back + i * size, data + size, size);
        }
        release(transposed), release(a), release(b);
    }
}

// Rank 8, and what a strided write leaves alone.
static void strided_writes_touch_their_elements_only(void **state)
{
    enum { STORAGE = 3 * 3 * 3 * 3 * 3 * 3 * 3 * 3 };
    const int64_t shape[8] = {2, 1, 2, 2, 2, 1, 2, 2}, strides[8] = {2187, 729, 243, 81, 27, 9, 3, 1};
    static unsigned char before[STORAGE], after[STORAGE], data[64];
    static unsigned char inside[STORAGE];
    (void)state;
    memset(before, 0x77, sizeof before);
    nc_array *storage = create_filled(device, NC_U8, STORAGE, before), *part = view(storage, 4, 8, shape, strides);
    for (int i = 0; i < 64; ++i) {
        int64_t at = 4, rest = i;
        data[i] = (unsigned char)i;
        for (int axis = 7; axis >= 0; --axis) {
            at += rest % shape[axis] * strides[axis];
            rest /= shape[axis];
        }
        inside[at] = (unsigned char)(i + 1);
    }
    assert_int_equal(nc_array_upload(part, data, sizeof data), NC_OK);
    download(storage, after, sizeof after);
    for (int i = 0; i < STORAGE; ++i) {
        assert_int_equal(after[i], inside[i] != 0 ? inside[i] - 1 : 0x77);
    }
    release(part), release(storage);
}

static void views_keep_the_storage_alive(void **state)
{
    const double values[3] = {1.0, 2.0, 3.0};
    const int64_t two = 2, back = -2;
    double read[2];
    nc_device_counters counters;
    (void)state;
    nc_array *base = create_filled(device, NC_F64, 3, values), *ends = view(base, 2, 1, &two, &back);
    release(base);
    assert_int_equal(nc_device_close(device), NC_INVALID_ARGUMENT);
    assert_non_null(strstr(nc_last_error(), "1 array"));
    download(ends, read, sizeof read);
    assert_true(read[0] == 3.0 && read[1] == 1.0);
    release(ends);
    NC_STRUCT_INIT(&counters);
    assert_int_equal(nc_device_counters_get(device, &counters), NC_OK);
    assert_true(counters.bytes_allocated == 0 && counters.bytes_allocated_peak >= sizeof values);
}

static void empty_arrays_are_arrays(void **state)
{
    const int64_t shape[3] = {0, INT64_MAX, INT64_MAX};
    nc_array_info info;
    (void)state;
    nc_array *a = create(device, NC_F64, 3, shape), *b = create(device, NC_F64, 3, shape);
    NC_STRUCT_INIT(&info);
    assert_int_equal(nc_array_info_get(a, &info), NC_OK);
    assert_true(info.count == 0 && info.rank == 3 && info.shape[1] == INT64_MAX && info.storage_bytes == 0);
    assert_int_equal(nc_array_upload(a, NULL, 0), NC_OK);
    assert_int_equal(nc_array_download(a, NULL, 0), NC_OK);
    assert_int_equal(nc_array_copy(a, b), NC_OK);
    assert_int_equal(nc_axpy(1.0, a, b, b), NC_OK);
    assert_int_equal(nc_rng_uniform(1, 1, UINT64_MAX >> 1, a), NC_OK);
    release(a), release(b);
}

static void counters_count_what_happened(void **state)
{
    double values[4] = {1.0, 2.0, 3.0, 4.0};
    nc_device_counters before, after;
    (void)state;
    nc_array *x = create_filled(device, NC_F64, 4, values), *out = create_vector(device, NC_F64, 1);
    NC_STRUCT_INIT(&before);
    NC_STRUCT_INIT(&after);
    assert_int_equal(nc_device_counters_get(device, &before), NC_OK);
    assert_int_equal(nc_array_upload(x, values, sizeof values), NC_OK);
    assert_int_equal(nc_axpy(2.0, x, x, x), NC_OVERLAP); // refused: counts nothing
    assert_int_equal(nc_sum(x, out), NC_OK);
    download(out, values, sizeof values[0]);
    assert_int_equal(nc_device_counters_get(device, &after), NC_OK);
    assert_true(after.kernels_launched - before.kernels_launched == 1);
    assert_true(after.uploads - before.uploads == 1 && after.bytes_uploaded - before.bytes_uploaded == sizeof values);
    assert_true(after.downloads - before.downloads == 1 && after.bytes_downloaded - before.bytes_downloaded == sizeof values[0]);
    release(x), release(out);
}

// Work space of a call is held while it runs and is no array's: a sum of n terms takes one result for each chunk of them.
static void memory_is_counted_by_who_has_it(void **state)
{
    enum { COUNT = 5 * NC_SUM_CHUNK + 1 };
    const uint64_t arrays = (COUNT + 1) * sizeof(double), work = (COUNT + NC_SUM_CHUNK - 1) / NC_SUM_CHUNK * sizeof(double);
    static double values[COUNT];
    nc_device_counters before, after;
    nc_device *own = NULL;
    (void)state;
    assert_int_equal(nc_device_open("0", &own), NC_OK);
    nc_array *x = create_filled(own, NC_F64, COUNT, values), *out = create_vector(own, NC_F64, 1);
    NC_STRUCT_INIT(&before);
    NC_STRUCT_INIT(&after);
    assert_int_equal(nc_device_counters_get(own, &before), NC_OK);
    assert_int_equal(before.bytes_allocated, arrays);
    assert_int_equal(before.bytes_reserved, arrays);
    assert_int_equal(before.bytes_reserved_peak, arrays);
    assert_int_equal(nc_sum(x, out), NC_OK);
    release(x), release(out);
    assert_int_equal(nc_device_counters_get(own, &after), NC_OK);
    assert_int_equal(after.bytes_allocated, 0);
    assert_int_equal(after.bytes_reserved, 0);
    assert_int_equal(after.bytes_allocated_peak, arrays);
    assert_int_equal(after.bytes_reserved_peak, arrays + work);
    assert_int_equal(nc_device_close(own), NC_OK);
}

// Memory that no machine has: a status, not a crash. A sanitizer's allocator ends the process instead, so it is not asked.
static void memory_that_cannot_be_had_is_a_status(void **state)
{
#if defined(__SANITIZE_ADDRESS__)
    const int64_t count = 1;
    const nc_status expected = NC_OK;
#else
    const int64_t count = (int64_t)1 << 58;
    const nc_status expected = NC_OUT_OF_MEMORY;
#endif
    nc_array *made = NULL;
    nc_device_counters counters;
    (void)state;
    assert_int_equal(nc_array_create(device, NC_F64, 1, &count, &made), expected);
    release(made);
    NC_STRUCT_INIT(&counters);
    assert_int_equal(nc_device_counters_get(device, &counters), NC_OK);
    assert_true(counters.bytes_allocated == 0);
}

static void residency_is_reported(void **state)
{
    nc_residency residency;
    (void)state;
    nc_array *x = create_vector(device, NC_F64, 4);
    NC_STRUCT_INIT(&residency);
    assert_int_equal(nc_array_residency(x, &residency), NC_OK);
    assert_true(residency.device_index == 0 && residency.is_device_memory == 1 && residency.address != 0);
    assert_string_equal(residency.kind, "host");
    release(x);
}

static int open_device(void **state)
{
    (void)state;
    return nc_device_open("0", &device) != NC_OK;
}

static int close_it(void **state)
{
    (void)state;
    return nc_device_close(device) != NC_OK;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_device, close_it)
static const struct CMUnitTest tests[] = {
    TEST(views_must_lie_inside_the_storage),
    TEST(copies_between_overlapping_views_are_refused),
    TEST(bits_survive_every_move),
    TEST(strided_writes_touch_their_elements_only),
    TEST(views_keep_the_storage_alive),
    TEST(empty_arrays_are_arrays),
    TEST(counters_count_what_happened),
    TEST(memory_is_counted_by_who_has_it),
    TEST(memory_that_cannot_be_had_is_a_status),
    TEST(residency_is_reported),
};

UNIT_MAIN(tests)
