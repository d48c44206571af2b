// SPDX-License-Identifier: Apache-2.0
// Short ways to open the CPU device and to move arrays in tests of the core. Every helper asserts what it does.
#ifndef CORE_DEVICE_H
#define CORE_DEVICE_H

#include "unit.h"

#include "nc.h"

#include <string.h>

static inline nc_device *open_cpu(void)
{
    nc_device *device = NULL;
    assert_int_equal(nc_device_open("0", &device), NC_OK);
    assert_non_null(device);
    return device;
}

static inline nc_array *create(nc_device *device, nc_dtype dtype, int32_t rank, const int64_t *shape)
{
    nc_array *array = NULL;
    assert_int_equal(nc_array_create(device, dtype, rank, shape, &array), NC_OK);
    assert_non_null(array);
    return array;
}

static inline nc_array *create_vector(nc_device *device, nc_dtype dtype, int64_t count)
{
    return create(device, dtype, 1, &count);
}

static inline nc_array *create_filled(nc_device *device, nc_dtype dtype, int64_t count, const void *data)
{
    nc_array *array = create_vector(device, dtype, count);
    assert_int_equal(nc_array_upload(array, data, (size_t)count * nc_dtype_size(dtype)), NC_OK);
    return array;
}

static inline nc_array *view(nc_array *base, int64_t offset, int32_t rank, const int64_t *shape, const int64_t *strides)
{
    nc_array *made = NULL;
    assert_int_equal(nc_array_view(base, offset, rank, shape, strides, &made), NC_OK);
    assert_non_null(made);
    return made;
}

static inline void download(const nc_array *array, void *data, size_t bytes)
{
    assert_int_equal(nc_array_download(array, data, bytes), NC_OK);
}

static inline void release(nc_array *array)
{
    assert_int_equal(nc_array_release(array), NC_OK);
}

static inline void close_device(nc_device *device)
{
    assert_int_equal(nc_device_close(device), NC_OK);
}

// A call was refused with this status, and its sentence has both texts.
static inline void expect_refusal(const char *name, nc_status status, nc_status wanted, const char *first, const char *second)
{
    const char *error = nc_last_error();
    if (status != wanted || strstr(error, first) == NULL || strstr(error, second) == NULL) {
        fail_msg("%s: %s: \"%s\"; expected %s, naming \"%s\" and \"%s\"", name, nc_status_name(status), error,
                 nc_status_name(wanted), first, second);
    }
}

static inline void release_all(nc_array *const *arrays, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        release(arrays[i]);
    }
}

#endif
