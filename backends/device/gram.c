// SPDX-License-Identifier: Apache-2.0
// Gram chunks and line searches on a device.
#include "../../src/core/kernels/huber_args.h"
#include "groups.h"

nc_status be_gram_partials(be_device *device, nc_dtype dtype, be_buffer *x, const struct nc_row_slab *slab, be_buffer *weights,
                           be_buffer *partials)
{
    return nc_gram_partials_launch(device, dtype, x, slab, weights, partials);
}

int64_t be_candidates(const be_device *device)
{
    (void)device;
    return NC_HUBER_CANDIDATES_MAX; // a pass over the rows waits for memory, not for arithmetic
}
