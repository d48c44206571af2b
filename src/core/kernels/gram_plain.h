// SPDX-License-Identifier: Apache-2.0
// Float64 kernels that combine the chunk results of sums over rows (row_order.h).
#ifndef NC_KERNELS_GRAM_PLAIN_H
#define NC_KERNELS_GRAM_PLAIN_H

#include "../dialect/real_helpers.h"
#include "gram_args.h"

// One level of the tree: lane i of the first `count` entries gains the entry `distance` further on. Lanes that do not exist are
// the -0 that changes nothing.
NC_KERNEL3(gram_fold, NC_GLOBAL nc_f64 *, lanes, nc_u64, distance, nc_u64, count)
{
    NC_FOR_ITEMS(i, count)
    {
        nc_f64 value = lanes[i] + lanes[i + distance];
        lanes[i] = nc_canon_f64(value);
    }
}

// sum[i] = a[i] + b[i].
NC_KERNEL4(add_f64, NC_GLOBAL const nc_f64 *, a, NC_GLOBAL const nc_f64 *, b, NC_GLOBAL nc_f64 *, sum, nc_u64, count)
{
    NC_FOR_ITEMS(i, count)
    {
        nc_f64 value = a[i] + b[i];
        sum[i] = nc_canon_f64(value);
    }
}

// square[j, i] = square[i, j] for i < j.
NC_KERNEL2(gram_mirror, NC_GLOBAL nc_f64 *, square, nc_u64, columns)
{
    NC_FOR_ITEMS(item, columns * columns)
    {
        nc_u64 i = item / columns;
        nc_u64 j = item % columns;
        if (i > j) {
            square[item] = square[j * columns + i];
        }
    }
}

#endif
