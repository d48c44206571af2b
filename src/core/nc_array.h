// SPDX-License-Identifier: Apache-2.0
// Arrays: dtype + shape + strides on one device. Strides and offsets count elements. Rank 0 is a scalar.
#ifndef NC_ARRAY_H
#define NC_ARRAY_H

#include "nc_device.h"

#ifdef __cplusplus
extern "C" {
#endif

#define NC_ARRAY_MAX_RANK 8

typedef struct nc_array nc_array;

// Shape and place of an array. The members a DLPack header needs are here.
typedef struct nc_array_info {
    uint32_t abi_version;
    uint32_t struct_size;
    int32_t dtype; // nc_dtype
    int32_t rank;
    int64_t shape[NC_ARRAY_MAX_RANK];
    int64_t strides[NC_ARRAY_MAX_RANK]; // elements
    int64_t offset;                     // elements from the start of the storage
    int64_t count;                      // product of the shape; 1 for rank 0
    uint64_t storage_bytes;
} nc_array_info;

// Where the storage really lies, as the backend's runtime says when asked about the pointer.
typedef struct nc_residency {
    uint32_t abi_version;
    uint32_t struct_size;
    int32_t device_index;
    int32_t is_device_memory; // 1: memory of the device named; 0: anything else
    uint64_t address;         // address or handle; for a report, never dereferenced
    char kind[32];            // "host", "cudaMemoryTypeDevice", "CL_MEM_OBJECT_BUFFER"
} nc_residency;

// Makes a contiguous array. Its content is undefined until written. Extents may be 0.
NC_API nc_status nc_array_create(nc_device *device, nc_dtype dtype, int32_t rank, const int64_t *shape, nc_array **array);
// A view of the same storage: `offset` and `strides` count elements from the start of `base`'s storage. The view must lie inside
// the storage (NC_OUT_OF_RANGE); strides may be 0 or negative. The storage lives until base and every view are released.
NC_API nc_status nc_array_view(nc_array *base, int64_t offset, int32_t rank, const int64_t *shape, const int64_t *strides,
                               nc_array **view);
// Releases one handle. Null is NC_OK.
NC_API nc_status nc_array_release(nc_array *array);
NC_API nc_status nc_array_info_get(const nc_array *array, nc_array_info *info);
NC_API nc_status nc_array_residency(const nc_array *array, nc_residency *residency);

// Host data is contiguous in C order of the logical shape; `bytes` must be count * element size. Bits are moved as integers:
// NaN payloads survive. A strided array is written or read element by element on the device; what lies between stays untouched.
NC_API nc_status nc_array_upload(nc_array *array, const void *host, size_t bytes);
NC_API nc_status nc_array_download(const nc_array *array, void *host, size_t bytes);
// Writes the bits of one element (`bytes` = element size) everywhere in the array's shape.
NC_API nc_status nc_array_fill(nc_array *array, const void *element, size_t bytes);
// Copies bits between arrays of equal dtype and shape on one device. Overlap is refused (NC_OVERLAP).
NC_API nc_status nc_array_copy(const nc_array *source, nc_array *destination);

#ifdef __cplusplus
}
#endif
#endif
