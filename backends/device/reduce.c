// SPDX-License-Identifier: Apache-2.0
// Host side of the reductions of reduce.h: chunk results are folded by the same rule until one is left (src/core/sum_order.h).
#include "groups.h"

#include <inttypes.h>

#define GROUPS_MAX 0x7fffffffu // what every runtime launches in one dimension

static uint64_t chunks_of(uint64_t count)
{
    return count / NC_SUM_CHUNK + (count % NC_SUM_CHUNK != 0);
}

// A buffer of at least `bytes` that holds nothing anyone still needs, or whose readers come earlier in the stream.
static nc_status scratch_reserve(be_device *device, size_t bytes, be_buffer **buffer)
{
    be_scratch *scratch = be_device_scratch(device);
    if (scratch->bytes < bytes) {
        be_buffer *larger = NULL;
        nc_status status = be_buffer_alloc(device, bytes, &larger);
        if (status != NC_OK) {
            return status;
        }
        be_buffer_free(device, scratch->buffer);
        *scratch = (be_scratch){larger, bytes};
    }
    *buffer = scratch->buffer;
    return NC_OK;
}

static be_group_kernel kernel_of(be_reduction reduction, nc_dtype dtype)
{
    static const be_group_kernel kernels[][2] = {
        [BE_SUM] = {BE_GROUP_reduce_sum_f32, BE_GROUP_reduce_sum_f64},
        [BE_DOT] = {BE_GROUP_reduce_dot_f32, BE_GROUP_reduce_dot_f64},
        [BE_MINIMUM] = {BE_GROUP_reduce_minimum_f32, BE_GROUP_reduce_minimum_f64},
        [BE_MAXIMUM] = {BE_GROUP_reduce_maximum_f32, BE_GROUP_reduce_maximum_f64},
    };
    return kernels[reduction][dtype == NC_F32 ? 0 : 1];
}

static nc_layout line(int64_t offset, uint64_t count)
{
    nc_layout layout = {.offset = offset};
    for (int axis = 0; axis < NC_MAX_RANK; ++axis) {
        layout.extent[axis] = 1;
    }
    layout.extent[NC_MAX_RANK - 1] = (int64_t)count;
    layout.stride[NC_MAX_RANK - 1] = 1;
    return layout;
}

// One pass: `count` elements to chunks_of(count) results at out[out_offset...].
static nc_status reduce_pass(be_device *device, be_reduction reduction, nc_dtype dtype, uint64_t count, be_buffer *x,
                             const nc_layout *x_layout, be_buffer *y, const nc_layout *y_layout, be_buffer *out, int64_t out_offset)
{
    be_group_kernel kernel = kernel_of(reduction, dtype);
    if (reduction == BE_DOT) {
        be_arg args[] = {BE_BUFFER(x),   BE_VALUE(*x_layout),  BE_BUFFER(y),   BE_VALUE(*y_layout),
                         BE_BUFFER(out), BE_VALUE(out_offset), BE_VALUE(count)};
        return be_group_launch(device, kernel, chunks_of(count), args, 7);
    }
    be_arg args[] = {BE_BUFFER(x), BE_VALUE(*x_layout), BE_BUFFER(out), BE_VALUE(out_offset), BE_VALUE(count)};
    return be_group_launch(device, kernel, chunks_of(count), args, 5);
}

nc_status be_reduce(be_device *device, be_reduction reduction, nc_dtype dtype, uint64_t count, be_buffer *x,
                    const nc_layout *x_layout, be_buffer *y, const nc_layout *y_layout, be_buffer *out, const nc_layout *out_layout)
{
    be_buffer *scratch = NULL;
    nc_layout layout = *x_layout;
    int64_t half = (int64_t)chunks_of(count); // the scratch has two halves: one is read while the other is written
    int64_t from = 0, to = 0;
    if (chunks_of(count) > GROUPS_MAX) {
        return be_fail(NC_UNSUPPORTED, "a reduction of %" PRIu64 " elements needs more work groups than one launch has", count);
    }
    if (count > NC_SUM_CHUNK) {
        nc_status status = scratch_reserve(device, 2u * (size_t)half * nc_dtype_size(dtype), &scratch);
        if (status != NC_OK) {
            return status;
        }
    }
    while (count > NC_SUM_CHUNK) {
        nc_status status = reduce_pass(device, reduction, dtype, count, x, &layout, y, y_layout, scratch, to);
        if (status != NC_OK) {
            return status;
        }
        count = chunks_of(count);
        from = to;
        to = half - from;
        x = scratch;
        layout = line(from, count);
        reduction = reduction == BE_DOT ? BE_SUM : reduction;
    }
    return reduce_pass(device, reduction, dtype, count, x, &layout, y, y_layout, out, out_layout->offset);
}

nc_status be_sums(be_device *device, int64_t count, int64_t sums, be_buffer *x, be_buffer *out)
{
    uint64_t left = (uint64_t)count, groups = (uint64_t)sums * chunks_of(left);
    int64_t from = 0, half = (int64_t)groups; // of the scratch: one half is read while the other is written
    be_buffer *scratch = NULL, *source = x;
    if (groups > GROUPS_MAX) {
        return be_fail(NC_UNSUPPORTED, "%" PRId64 " sums of %" PRId64 " elements need more work groups than one launch has", sums,
                       count);
    }
    if (left > NC_SUM_CHUNK) {
        nc_status status = scratch_reserve(device, 2u * (size_t)half * sizeof(double), &scratch);
        if (status != NC_OK) {
            return status;
        }
    }
    for (;;) {
        uint64_t chunks = chunks_of(left);
        int64_t to = chunks == 1 ? 0 : half - from;
        be_arg args[] = {
            BE_BUFFER(source), BE_VALUE(from), BE_VALUE(left), BE_VALUE(chunks), BE_BUFFER(chunks == 1 ? out : scratch),
            BE_VALUE(to)};
        nc_status status = be_group_launch(device, BE_GROUP_reduce_sums_f64, (uint64_t)sums * chunks, args, 6);
        if (status != NC_OK || chunks == 1) {
            return status;
        }
        source = scratch;
        from = to;
        left = chunks;
    }
}

nc_status be_block_maximum(be_device *device, nc_dtype dtype, uint64_t count, uint64_t block, be_buffer *x,
                           const nc_layout *x_layout, be_buffer *out, const nc_layout *out_layout)
{
    uint64_t blocks = count / block + (count % block != 0);
    uint32_t width = NC_SUM_LANES;
    while (width > 1 && width / 2 >= block) {
        width /= 2;
    }
    uint64_t per_group = NC_SUM_LANES / width;
    uint64_t groups = blocks / per_group + (blocks % per_group != 0);
    if (groups > GROUPS_MAX) {
        return be_fail(NC_UNSUPPORTED, "%" PRIu64 " blocks need more work groups than one launch has; use a larger block", blocks);
    }
    be_arg args[] = {BE_BUFFER(x),    BE_VALUE(*x_layout), BE_BUFFER(out), BE_VALUE(*out_layout),
                     BE_VALUE(count), BE_VALUE(block),     BE_VALUE(width)};
    return be_group_launch(device, BE_GROUP_TYPED(block_maximum, dtype), groups, args, 7);
}
