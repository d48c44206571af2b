// SPDX-License-Identifier: Apache-2.0
// The overlap checks against a list of every element, for thousands of random views of one small storage.
#include "core_device.h"

#include "host/host.h"

#include <string.h>

enum { ELEMENTS = 64, VIEWS = 400, RANK = 3 };

static uint64_t random_state = 1;

// Uniform enough in low .. high; the same on every machine (Knuth's MMIX recurrence).
static int64_t random_between(int64_t low, int64_t high)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return low + (int64_t)((random_state >> 33) % (uint64_t)(high - low + 1));
}

static nc_array *random_view(nc_array *storage)
{
    for (;;) {
        int64_t shape[RANK], strides[RANK];
        int32_t rank = (int32_t)random_between(0, RANK);
        nc_array *made = NULL;
        for (int32_t axis = 0; axis < rank; ++axis) {
            shape[axis] = random_between(0, 20) == 0 ? 0 : random_between(1, 6);
            strides[axis] = random_between(-17, 17);
        }
        if (nc_array_view(storage, random_between(0, ELEMENTS - 1), rank, shape, strides, &made) == NC_OK) {
            return made;
        }
    }
}

// How often each element of the storage belongs to the view.
static void list_elements(const nc_array *view, int times[ELEMENTS])
{
    memset(times, 0, ELEMENTS * sizeof *times);
    for (int64_t index = 0; index < view->count; ++index) {
        int64_t at = view->offset, rest = index;
        for (int32_t axis = view->rank - 1; axis >= 0; --axis) {
            at += rest % view->shape[axis] * view->strides[axis];
            rest /= view->shape[axis];
        }
        ++times[at];
    }
}

static void overlap_is_decided_exactly(void **state)
{
    static int times[VIEWS][ELEMENTS];
    nc_array *views[VIEWS];
    int outcomes[2][2] = {{0, 0}, {0, 0}};
    (void)state;
    nc_device *device = open_cpu();
    nc_array *storage = create_vector(device, NC_F64, ELEMENTS), *other = create_vector(device, NC_F64, ELEMENTS);
    for (int v = 0; v < VIEWS; ++v) {
        int twice = 0;
        views[v] = random_view(storage);
        list_elements(views[v], times[v]);
        for (int i = 0; i < ELEMENTS; ++i) {
            twice |= times[v][i] > 1;
        }
        assert_int_equal(nc_check_output(views[v], "view"), twice ? NC_OVERLAP : NC_OK);
        assert_int_equal(nc_check_apart(views[v], "view", other, "other"), NC_OK);
        ++outcomes[0][twice];
    }
    for (int a = 0; a < VIEWS; ++a) {
        for (int b = 0; b < VIEWS; ++b) {
            int meet = 0;
            for (int i = 0; i < ELEMENTS; ++i) {
                meet |= times[a][i] > 0 && times[b][i] > 0;
            }
            assert_int_equal(nc_check_apart(views[a], "a", views[b], "b"), meet ? NC_OVERLAP : NC_OK);
            ++outcomes[1][meet];
        }
    }
    for (int kind = 0; kind < 2; ++kind) { // both answers were asked for, often
        print_message("%d apart, %d meeting\n", outcomes[kind][0], outcomes[kind][1]);
        assert_true(outcomes[kind][0] > VIEWS / 20 && outcomes[kind][1] > VIEWS / 20);
    }
    for (int v = 0; v < VIEWS; ++v) {
        release(views[v]);
    }
    release(storage), release(other);
    close_device(device);
}

// Large slices are decided without walking them.
static void slices_of_a_large_array_are_decided(void **state)
{
    enum { N = 1 << 22 };
    const int64_t rows = 2048, half[2] = {rows, 1024}, pitch[2] = {2048, 1}, column[1] = {2048}, stride[1] = {2048};
    (void)state;
    nc_device *device = open_cpu();
    nc_array *storage = create_vector(device, NC_U8, N);
    nc_array *left = view(storage, 0, 2, half, pitch), *right = view(storage, 1024, 2, half, pitch);
    nc_array *first = view(storage, 0, 1, column, stride), *last = view(storage, 2047, 1, column, stride);
    assert_int_equal(nc_check_output(left, "left"), NC_OK);
    assert_int_equal(nc_check_apart(left, "left", right, "right"), NC_OK);
    assert_int_equal(nc_check_apart(first, "first", last, "last"), NC_OK);
    assert_int_equal(nc_check_apart(first, "first", right, "right"), NC_OK);
    assert_int_equal(nc_check_apart(left, "left", first, "first"), NC_OVERLAP);
    assert_int_equal(nc_check_apart(last, "last", right, "right"), NC_OVERLAP);
    release(left), release(right), release(first), release(last), release(storage);
    close_device(device);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(overlap_is_decided_exactly),
    cmocka_unit_test(slices_of_a_large_array_are_decided),
};

UNIT_MAIN(tests)
