// SPDX-License-Identifier: Apache-2.0
// Gram chunks, their tree and line searches on a device.
#include "../../src/core/kernels/huber_args.h"
#include "groups.h"
#include "reduce_shape.h"

nc_status be_gram_partials(be_device *device, nc_dtype dtype, be_buffer *x, const struct nc_row_slab *slab, be_buffer *weights,
                           be_buffer *partials)
{
    return nc_gram_partials_launch(device, dtype, x, slab, weights, partials);
}

nc_status be_row_fold(be_device *device, be_buffer *lanes, int64_t entries, int64_t count, be_buffer *out, int64_t place)
{
    uint64_t width = (uint64_t)entries, rows = (uint64_t)count, out_offset = (uint64_t)place * width;
    uint64_t groups = width / NC_FOLD_ENTRIES + (width % NC_FOLD_ENTRIES != 0);
    be_arg args[] = {BE_BUFFER(lanes), BE_VALUE(width), BE_VALUE(rows), BE_BUFFER(out), BE_VALUE(out_offset)};
    return be_group_launch(device, BE_GROUP_fold_rows_f64, groups, args, 5);
}

int64_t be_candidates(const be_device *device)
{
    (void)device;
    return NC_HUBER_CANDIDATES_MAX; // a pass over the rows waits for memory, not for arithmetic
}
