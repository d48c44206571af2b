// SPDX-License-Identifier: Apache-2.0
// Random words. One item is one Philox block; the block's words before `first` and past the count belong to nobody.
#ifndef NC_KERNELS_RNG_PLAIN_H
#define NC_KERNELS_RNG_PLAIN_H

#include "philox.h"

NC_KERNEL6(rng_words, nc_u64, seed, nc_u64, stream, nc_u64, first, NC_GLOBAL nc_u32 *, out, nc_layout, out_layout, nc_u64, count)
{
    nc_i32 line = nc_layout_is_line(out_layout);
    NC_FOR_ITEMS(b, (((first & 3u) + count - 1u) >> 2) + 1u)
    {
        nc_philox block = nc_philox_block(seed, (first >> 2) + b, stream);
        for (nc_u32 lane = 0; lane < 4u; ++lane) {
            nc_u64 element = 4u * b + lane - (first & 3u); // wraps to a huge number before the first
            if (element < count) {
                out[nc_layout_place(out_layout, line, element)] = block.word[lane];
            }
        }
    }
}

#endif
