// SPDX-License-Identifier: Apache-2.0
// Gram chunks on the CPU: packs each chunk once into float64 panels, x and w x, and lets the instruction set's tiles run.
#include "../../src/core/host/environment.h"
#include "../../src/core/kernels/gram_args.h"
#include "cpu.h"

#include <stdlib.h>

static double element(nc_dtype dtype, const unsigned char *memory, int64_t index)
{
    return dtype == NC_F32 ? (double)((const float *)(const void *)memory)[index] : ((const double *)(const void *)memory)[index];
}

// Row-major panels of `width` columns for the rows begin .. end - 1; the padding is zero.
static void pack(nc_dtype dtype, const unsigned char *x, const nc_row_slab *slab, const double *weights, int64_t begin, int64_t end,
                 int64_t width, double *weighted, double *plain)
{
    for (int64_t r = begin; r < end; ++r) {
        double *w_row = weighted + (r - begin) * width;
        double *x_row = plain + (r - begin) * width;
        for (int64_t j = 0; j < slab->columns; ++j) {
            double value = element(dtype, x, slab->offset + r * slab->row_stride + j * slab->column_stride);
            x_row[j] = value;
            w_row[j] = weights[r] * value;
        }
        for (int64_t j = slab->columns; j < width; ++j) {
            x_row[j] = 0.0;
            w_row[j] = 0.0;
        }
    }
}

__attribute__((noinline)) static void run(be_device *device, nc_dtype dtype, const unsigned char *x, const nc_row_slab *slab,
                                          const double *weights, double *panels, int64_t width, double *partials)
{
    double *weighted = panels;
    double *plain = panels + NC_ROW_CHUNK * width;
    for (int64_t chunk = 0; chunk < slab->chunks; ++chunk) {
        int64_t begin = slab->first + chunk * NC_ROW_CHUNK;
        int64_t end = begin + NC_ROW_CHUNK < slab->rows ? begin + NC_ROW_CHUNK : slab->rows;
        int64_t rows = end > begin ? end - begin : 0;
        pack(dtype, x, slab, weights, begin, begin + rows, width, weighted, plain);
        device->variant->gram_chunk(weighted, plain, rows, width, slab->columns, partials + chunk * slab->columns * slab->columns);
    }
}

nc_status be_gram_partials(be_device *device, nc_dtype dtype, be_buffer *x, const nc_row_slab *slab, be_buffer *weights,
                           be_buffer *partials)
{
    if (device->variant->gram_chunk == NULL) {
        return nc_gram_partials_launch(device, dtype, x, slab, weights, partials);
    }
    int64_t width = (slab->columns + CPU_GRAM_WIDTH - 1) / CPU_GRAM_WIDTH * CPU_GRAM_WIDTH;
    size_t bytes = 2u * NC_ROW_CHUNK * (size_t)width * sizeof(double);
    double *panels = malloc(bytes);
    if (panels == NULL) {
        return be_fail(NC_OUT_OF_MEMORY, "no host memory for Gram panels of %zu bytes", bytes);
    }
    cpu_memory_take(device, bytes);
    nc_environment saved = nc_environment_enter();
    run(device, dtype, x->memory, slab, (const double *)(const void *)weights->memory, panels, width,
        (double *)(void *)partials->memory);
    nc_environment_leave(saved);
    free(panels);
    cpu_memory_give(device, bytes);
    ++device->counters.kernels_launched;
    return NC_OK;
}

nc_status be_row_fold(be_device *device, be_buffer *lanes, int64_t entries, int64_t count, be_buffer *out, int64_t place)
{
    for (int64_t distance = NC_ROW_LANES / 2; distance >= 1; distance /= 2) {
        if (distance < count) {
            int64_t folded = count - distance < distance ? count - distance : distance;
            uint64_t shift = (uint64_t)(distance * entries), items = (uint64_t)(folded * entries);
            be_arg args[] = {BE_BUFFER(lanes), BE_VALUE(shift), BE_VALUE(items)};
            nc_status status = be_launch(device, BE_KERNEL_gram_fold, items, args, 3);
            if (status != NC_OK) {
                return status;
            }
            count = distance;
        }
    }
    size_t bytes = (size_t)entries * sizeof(double);
    return be_buffer_copy(device, lanes, 0, out, (size_t)place * bytes, bytes);
}

int64_t be_candidates(const be_device *device)
{
    (void)device;
    return 1; // candidates are evaluated one after the other: a second one in the same pass is work wasted when the first is taken
}
