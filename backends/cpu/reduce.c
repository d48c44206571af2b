// SPDX-License-Identifier: Apache-2.0
// Reductions in the canonical order (docs/sums.md): chunks are folded one by one, their results by the same rule until one is left.
#include "../../src/core/host/environment.h"
#include "../../src/core/sum_order.h"
#include "cpu.h"

#include <stdlib.h>

// One operand of a reduction.
typedef struct operand {
    const unsigned char *memory;
    const nc_layout *layout;
    size_t size;
} operand;

static operand operand_make(const be_buffer *buffer, const nc_layout *layout, size_t size)
{
    return (operand){buffer == NULL ? NULL : buffer->memory, layout, size};
}

// Elements first .. first+count-1 in C order, in place when they are contiguous, else gathered into `scratch`.
static const void *operand_chunk(operand o, uint64_t first, size_t count, unsigned char *scratch)
{
    const nc_layout *layout = o.layout;
    if (o.memory == NULL) {
        return NULL;
    }
    uint64_t extent = (uint64_t)layout->extent[NC_MAX_RANK - 1];
    int64_t stride = layout->stride[NC_MAX_RANK - 1];
    if (nc_layout_is_line(*layout) && (stride == 1 || count == 1)) {
        return o.memory + (size_t)nc_layout_on_line(*layout, first) * o.size;
    }
    for (size_t done = 0; done < count;) { // one run along the last axis at a time
        uint64_t left_on_axis = extent - (first + done) % extent;
        size_t run = left_on_axis < count - done ? (size_t)left_on_axis : count - done;
        const unsigned char *from = o.memory + (size_t)nc_layout_at(*layout, first + done) * o.size;
        for (size_t i = 0; i < run; ++i) {
            memcpy(scratch + (done + i) * o.size, from + (int64_t)i * stride * (int64_t)o.size, o.size);
        }
        done += run;
    }
    return scratch;
}

// Folds chunk by chunk into results[0 .. ceil(count/chunk)-1].
static void fold_chunks(cpu_fold fold, operand x, operand y, uint64_t first, uint64_t count, unsigned char *results)
{
    unsigned char x_scratch[NC_SUM_CHUNK * sizeof(double)], y_scratch[NC_SUM_CHUNK * sizeof(double)];
    for (uint64_t done = 0; done < count; done += NC_SUM_CHUNK) {
        size_t part = count - done < NC_SUM_CHUNK ? (size_t)(count - done) : NC_SUM_CHUNK;
        const void *x_chunk = operand_chunk(x, first + done, part, x_scratch);
        const void *y_chunk = operand_chunk(y, first + done, part, y_scratch);
        fold(x_chunk, y_chunk, part, results + (size_t)(done / NC_SUM_CHUNK) * x.size);
    }
}

// Folds the chunks' results until one is left. A fold reads its chunk before it writes, and writes at or before what it read.
static void fold_results(cpu_fold fold, uint64_t count, size_t size, unsigned char *results)
{
    while (count > 1) {
        uint64_t chunks = (count + NC_SUM_CHUNK - 1) / NC_SUM_CHUNK;
        for (uint64_t c = 0; c < chunks; ++c) {
            uint64_t left = count - c * NC_SUM_CHUNK;
            fold(results + (size_t)(c * NC_SUM_CHUNK) * size, NULL, left < NC_SUM_CHUNK ? (size_t)left : NC_SUM_CHUNK,
                 results + (size_t)c * size);
        }
        count = chunks;
    }
}

// Chunks of a product chain are products; their results are summed.
static be_reduction reduction_of_results(be_reduction reduction)
{
    return reduction == BE_DOT ? BE_SUM : reduction;
}

nc_status be_reduce(be_device *device, be_reduction reduction, nc_dtype dtype, uint64_t count, be_buffer *x,
                    const nc_layout *x_layout, be_buffer *y, const nc_layout *y_layout, be_buffer *out, const nc_layout *out_layout)
{
    int is_f64 = dtype == NC_F64;
    size_t size = is_f64 ? sizeof(double) : sizeof(float);
    uint64_t chunks = (count + NC_SUM_CHUNK - 1) / NC_SUM_CHUNK;
    unsigned char *results = malloc((size_t)chunks * size);
    if (results == NULL) {
        return be_fail(NC_OUT_OF_MEMORY, "no host memory for the results of %llu chunks", (unsigned long long)chunks);
    }
    cpu_memory_take(device, (size_t)chunks * size);
    nc_environment saved = nc_environment_enter();
    fold_chunks(device->variant->folds[reduction][is_f64], operand_make(x, x_layout, size), operand_make(y, y_layout, size), 0,
                count, results);
    fold_results(device->variant->folds[reduction_of_results(reduction)][is_f64], chunks, size, results);
    nc_environment_leave(saved);
    memcpy(out->memory + (size_t)out_layout->offset * size, results, size);
    free(results);
    cpu_memory_give(device, (size_t)chunks * size);
    ++device->counters.kernels_launched;
    return NC_OK;
}

static nc_layout line(int64_t offset, int64_t count)
{
    nc_layout layout = {.offset = offset, .extent = {1, 1, 1, 1, 1, 1, 1, count}};
    layout.stride[NC_MAX_RANK - 1] = 1;
    return layout;
}

nc_status be_sums(be_device *device, int64_t count, int64_t sums, be_buffer *x, be_buffer *out)
{
    for (int64_t s = 0; s < sums; ++s) {
        nc_layout terms = line(s * count, count), place = line(s, 1);
        nc_status status = be_reduce(device, BE_SUM, NC_F64, (uint64_t)count, x, &terms, NULL, NULL, out, &place);
        if (status != NC_OK) {
            return status;
        }
    }
    return NC_OK;
}

nc_status be_block_maximum(be_device *device, nc_dtype dtype, uint64_t count, uint64_t block, be_buffer *x,
                           const nc_layout *x_layout, be_buffer *out, const nc_layout *out_layout)
{
    int is_f64 = dtype == NC_F64;
    size_t size = is_f64 ? sizeof(double) : sizeof(float);
    cpu_fold fold = device->variant->folds[BE_MAXIMUM][is_f64];
    operand x_operand = operand_make(x, x_layout, size), none = operand_make(NULL, NULL, size);
    uint64_t longest = block < count ? block : count, chunks = (longest + NC_SUM_CHUNK - 1) / NC_SUM_CHUNK;
    unsigned char *results = malloc((size_t)chunks * size);
    if (results == NULL) {
        return be_fail(NC_OUT_OF_MEMORY, "no host memory for the results of %llu chunks", (unsigned long long)chunks);
    }
    cpu_memory_take(device, (size_t)chunks * size);
    nc_environment saved = nc_environment_enter();
    for (uint64_t first = 0, b = 0; first < count; first += longest, ++b) {
        uint64_t length = count - first < longest ? count - first : longest;
        fold_chunks(fold, x_operand, none, first, length, results);
        fold_results(fold, (length + NC_SUM_CHUNK - 1) / NC_SUM_CHUNK, size, results);
        memcpy(out->memory + (size_t)nc_layout_at(*out_layout, b) * size, results, size);
    }
    nc_environment_leave(saved);
    free(results);
    cpu_memory_give(device, (size_t)chunks * size);
    ++device->counters.kernels_launched;
    return NC_OK;
}
