// SPDX-License-Identifier: Apache-2.0
// Addressed random numbers: validation and the split of a range into Philox blocks.
#include "host.h"
#include "normal_table.h"

#include <inttypes.h>

nc_status nc_normal_table_get(nc_device *device, be_buffer **table)
{
    if (device->normal_table == NULL) {
        be_buffer *made = NULL;
        NC_TRY(be_buffer_alloc(device->backend, sizeof nc_normal_table, &made));
        nc_status status = be_buffer_upload(device->backend, made, 0, nc_normal_table, sizeof nc_normal_table);
        if (status != NC_OK) {
            be_buffer_free(device->backend, made);
            return status;
        }
        device->normal_table = made;
        device->own_uploads += 1;
        device->own_bytes_uploaded += sizeof nc_normal_table;
    }
    *table = device->normal_table;
    return NC_OK;
}

// `first` and the indices after it lie below 2^bits. A block of four words holds `per_block` elements; one item is one block. A
// kernel of normals also takes their table.
static nc_status launch(be_kernel kernel, uint64_t seed, uint64_t stream, uint64_t first, uint32_t bits, uint64_t per_block,
                        int normals, nc_array *out)
{
    uint64_t last_index = UINT64_MAX >> (64 - bits);
    uint64_t count = (uint64_t)out->count;
    NC_TRY(nc_check_output(out, "out"));
    if (first > last_index || (count > 0 && count - 1 > last_index - first)) {
        return be_fail(NC_OUT_OF_RANGE,
                       "first = %" PRIu64 " with %" PRIu64 " elements runs past the last index %" PRIu64
                       " of the stream; use another "
                       "stream",
                       first, count, last_index);
    }
    if (count == 0) {
        return NC_OK;
    }
    uint64_t blocks = (first % per_block + count - 1) / per_block + 1;
    nc_layout layout = nc_array_layout(out);
    nc_device *device = out->storage->device;
    be_buffer *table = NULL;
    if (normals) {
        NC_TRY(nc_normal_table_get(device, &table));
    }
    be_arg args[] = {BE_VALUE(seed),   BE_VALUE(stream), BE_VALUE(first), BE_BUFFER(out->storage->buffer),
                     BE_VALUE(layout), BE_VALUE(count),  BE_BUFFER(table)};
    return be_launch(device->backend, kernel, blocks, args, normals ? 7 : 6);
}

nc_status nc_rng_words(uint64_t seed, uint64_t stream, uint64_t first, nc_array *out)
{
    NC_TRY(nc_check_dtype(out, "out", NC_U32));
    return launch(BE_KERNEL_rng_words, seed, stream, first, 64, 4, 0, out);
}

// float32 takes one word an element, float64 two.
static nc_status launch_real(be_kernel kernel_f32, be_kernel kernel_f64, uint64_t seed, uint64_t stream, uint64_t first,
                             nc_array *out)
{
    NC_TRY(nc_check_real(out, "out"));
    if (out->dtype == NC_F32) {
        return launch(kernel_f32, seed, stream, first, 64, 4, 0, out);
    }
    return launch(kernel_f64, seed, stream, first, 63, 2, 0, out);
}

nc_status nc_rng_uniform(uint64_t seed, uint64_t stream, uint64_t first, nc_array *out)
{
    return launch_real(BE_KERNEL_rng_uniform_f32, BE_KERNEL_rng_uniform_f64, seed, stream, first, out);
}

nc_status nc_rng_uniform_curand(uint64_t seed, uint64_t stream, uint64_t first, nc_array *out)
{
    return launch_real(BE_KERNEL_rng_uniform_curand_f32, BE_KERNEL_rng_uniform_curand_f64, seed, stream, first, out);
}

nc_status nc_rng_normal(uint64_t seed, uint64_t stream, uint64_t first, nc_array *out)
{
    NC_TRY(nc_check_real(out, "out"));
    return launch(BE_KERNEL_TYPED(rng_normal, out->dtype), seed, stream, first, 63, 2, 1, out);
}
