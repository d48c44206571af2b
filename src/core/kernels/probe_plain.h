// SPDX-License-Identifier: Apache-2.0
// The integer probe.
#ifndef NC_KERNELS_PROBE_PLAIN_H
#define NC_KERNELS_PROBE_PLAIN_H

#include "../dialect/dialect.h"
#include "probe_columns.h"

// The upper halves of 64-bit products.
NC_KERNEL4(probe_mulhi, NC_GLOBAL const nc_u64 *, a, NC_GLOBAL const nc_u64 *, b, NC_GLOBAL nc_u64 *, answers, nc_u64, count)
{
    NC_FOR_ITEMS(i, count)
    {
        answers[i] = nc_mulhi_u64(a[i], b[i]);
    }
}

#endif
