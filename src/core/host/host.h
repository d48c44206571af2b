// SPDX-License-Identifier: Apache-2.0
// What the host files of every module share: the handles' insides, argument checks that name the argument, and scalars.
//
// An entry point checks all its arguments in the order of its parameters before it touches anything. Each check returns NC_OK or
// sets nc_last_error (argument, value, next step) and returns the status that the entry point passes on.
#ifndef NC_HOST_H
#define NC_HOST_H

#include "../backend.h"
#include "../nc.h"

struct nc_device {
    be_device *backend;
    nc_device_info info;
    int64_t arrays; // handles that are not released
    int64_t models;
    be_buffer *normal_table; // null until something draws a normal
    uint64_t own_uploads, own_bytes_uploaded;
};

// Memory shared by an array and its views.
typedef struct nc_storage {
    nc_device *device;
    be_buffer *buffer;
    int64_t elements;
    int64_t references;
} nc_storage;

struct nc_array {
    nc_storage *storage;
    nc_dtype dtype;
    int32_t rank;
    int64_t shape[NC_ARRAY_MAX_RANK];
    int64_t strides[NC_ARRAY_MAX_RANK];
    int64_t offset;
    int64_t count;
};

// Returns from the calling function unless `expression` is NC_OK.
#define NC_TRY(expression)                                                                                                         \
    do {                                                                                                                           \
        nc_status nc_try_status = (expression);                                                                                    \
        if (nc_try_status != NC_OK) {                                                                                              \
            return nc_try_status;                                                                                                  \
        }                                                                                                                          \
    } while (0)

// The table of kernels/normal.h on the device: sent when first asked for, which does not count as an upload, and kept until the
// device is closed.
nc_status nc_normal_table_get(nc_device *device, be_buffer **table);

// The array as kernels see it: axes right-aligned, axes that are contiguous in one another joined.
nc_layout nc_array_layout(const nc_array *array);
// `count` elements from `offset` on, without gaps.
nc_layout nc_contiguous_layout(int64_t offset, int64_t count);
// True when C order of the shape is also the order in memory, without gaps.
int nc_array_is_contiguous(const nc_array *array);

nc_status nc_check_pointer(const void *pointer, const char *name);
// abi_version and struct_size of a public struct.
nc_status nc_check_abi(const void *pointer, size_t size, const char *name);
nc_status nc_check_array(const nc_array *array, const char *name);
nc_status nc_check_dtype(const nc_array *array, const char *name, nc_dtype dtype);
nc_status nc_check_real(const nc_array *array, const char *name); // f32 or f64
nc_status nc_check_rank(const nc_array *array, const char *name, int32_t rank);
nc_status nc_check_count(const nc_array *array, const char *name, int64_t count);
nc_status nc_check_extent(const nc_array *array, const char *name, int32_t axis, int64_t extent, const char *why);
nc_status nc_check_same_device(const nc_array *array, const char *name, const nc_array *other, const char *other_name);
nc_status nc_check_same_dtype(const nc_array *array, const char *name, const nc_array *other, const char *other_name);
nc_status nc_check_same_shape(const nc_array *array, const char *name, const nc_array *other, const char *other_name);
// The output's elements lie at different places, and none of them is an element of the input. Exact for every view whose strides
// nest; a pair too irregular to decide is refused.
nc_status nc_check_output(const nc_array *output, const char *name);
nc_status nc_check_apart(const nc_array *output, const char *name, const nc_array *input, const char *input_name);
// Same storage, shape, strides and offset.
int nc_array_is_same_view(const nc_array *a, const nc_array *b);

// A double rounded once to `dtype`, to nearest, whatever the caller's rounding mode is. `size` bytes are valid.
typedef struct nc_scalar {
    union {
        float f32;
        double f64;
    } value;
    size_t size;
} nc_scalar;
nc_scalar nc_scalar_round(nc_dtype dtype, double value);
#define BE_SCALAR(s) ((be_arg){.buffer = NULL, .value = &(s).value, .size = (s).size})

#endif
