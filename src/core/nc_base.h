// SPDX-License-Identifier: Apache-2.0
// Types that every module of the core shares: status, dtype, ABI of structs.
#ifndef NC_BASE_H
#define NC_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(NC_BUILDING_CORE)
#define NC_API __attribute__((visibility("default")))
#else
#define NC_API
#endif

// Raised when a public struct or a function's meaning changes. A library refuses another version (NC_ABI_MISMATCH).
#define NC_ABI_VERSION 1u

// Zeroes a public struct and sets its first two members: nc_device_info info; NC_STRUCT_INIT(&info);
#define NC_STRUCT_INIT(pointer) (nc_struct_init((pointer), sizeof *(pointer)))

typedef enum nc_status {
    NC_OK = 0,
    NC_INVALID_ARGUMENT = 1,  // an argument is outside its documented range
    NC_NULL_ARGUMENT = 2,     // a required pointer is null
    NC_SHAPE_MISMATCH = 3,    // ranks or extents do not fit together
    NC_MIXED_DTYPE = 4,       // arrays of one call differ in dtype, or the dtype is not one the operation takes
    NC_WRONG_DEVICE = 5,      // a handle belongs to another device
    NC_OVERLAP = 6,           // an output overlaps an input or itself
    NC_OUT_OF_RANGE = 7,      // an address, counter or view runs past its end
    NC_EMPTY = 8,             // the operation has no value for zero elements
    NC_ABI_MISMATCH = 9,      // abi_version or struct_size is not the library's
    NC_OUT_OF_MEMORY = 10,    // host or device memory could not be had
    NC_DEVICE_NOT_FOUND = 11, // no device matches the selector
    NC_DEVICE_ERROR = 12,     // the backend's runtime reported an error; nc_last_error() has its native name
    NC_UNSUPPORTED = 13,      // the operation is not defined for these parameters or this device
    NC_NUMERICAL_ERROR = 14,  // the computation broke down; the function's comment says what was written
    NC_RANK_DEFICIENT = 15,   // a matrix is singular; the function's comment says what was written
    NC_ILL_CONDITIONED = 16,  // a matrix is singular to working precision; the same
    NC_NOT_CONVERGED = 17,    // an iteration reached its limit; the same
    NC_STATUS_COUNT = 18
} nc_status;

typedef enum nc_dtype {
    NC_F32 = 1, // IEEE binary32
    NC_F64 = 2, // IEEE binary64
    NC_I64 = 3, // counts
    NC_U32 = 4, // random words
    NC_U8 = 5,  // masks: 0 or 1
    NC_I32 = 6  // per-element status
} nc_dtype;

// Names of a status ("NC_OK") and of a dtype ("f64"); "unknown" for any other number. Static storage.
NC_API const char *nc_status_name(nc_status status);
NC_API const char *nc_dtype_name(nc_dtype dtype);
// Bytes of one element; 0 for an unknown dtype.
NC_API size_t nc_dtype_size(nc_dtype dtype);

// The sentence of this thread's latest failed call: the argument, its value and what to do. "" before the first failure.
// Valid until this thread's next failing call.
NC_API const char *nc_last_error(void);
// Why this thread's latest failed call found no usable device, as one word for tools ("driver-missing", "capability-fp64"); "" when
// the failure was another. Static storage.
NC_API const char *nc_last_cause(void);

// The backend of this library: "cpu", "cuda" or "opencl". Static storage.
NC_API const char *nc_backend(void);
// The ABI of this library (NC_ABI_VERSION when it was built) and its release ("0.1.0").
NC_API uint32_t nc_abi_version(void);
NC_API const char *nc_version(void);

static inline void nc_struct_init(void *pointer, size_t size)
{
    unsigned char *bytes = (unsigned char *)pointer;
    for (size_t i = 0; i < size; ++i) {
        bytes[i] = 0;
    }
    ((uint32_t *)pointer)[0] = NC_ABI_VERSION;
    ((uint32_t *)pointer)[1] = (uint32_t)size;
}

#ifdef __cplusplus
}
#endif
#endif
