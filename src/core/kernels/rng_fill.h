// SPDX-License-Identifier: Apache-2.0
// The body of every kernel that fills an array with what Philox blocks hold. One item is one block; what a block holds before
// `first` and past the count belongs to nobody.
#ifndef NC_KERNELS_RNG_FILL_H
#define NC_KERNELS_RNG_FILL_H

#include "philox.h"

// Whether elements first, first + per_block, ... - skipped lie at multiples of `per_block` in memory, one after the other.
NC_FN nc_i32 nc_rng_is_aligned(nc_layout out_layout, nc_u64 skipped, nc_u64 per_block)
{
    return nc_layout_is_dense(out_layout) && ((nc_u64)out_layout.offset - skipped) % per_block == 0u;
}

#define NC_RNG_STORE_2(type, pointer, block, element_of) NC_STORE2(type, pointer, element_of(block, 0u), element_of(block, 1u))
#define NC_RNG_STORE_4(type, pointer, block, element_of)                                                                           \
    NC_STORE4(type, pointer, element_of(block, 0u), element_of(block, 1u), element_of(block, 2u), element_of(block, 3u))

// Whether block b lies inside the range with all its places. What lies before `first` wraps to a huge element number.
NC_FN nc_i32 nc_rng_is_whole(nc_u64 begin, nc_u64 count, nc_u64 per_block)
{
    return begin < count && count - begin >= per_block;
}

// Stores the places of a block that lie inside the range, each at place_of(out_layout, element).
#define NC_RNG_STORE_EACH(per_block, element_of, place_of, loop)                                                                   \
    loop for (nc_u32 place = 0; place < per_block##u; ++place)                                                                     \
    {                                                                                                                              \
        nc_u64 element = begin + place;                                                                                            \
        if (element < count) {                                                                                                     \
            out[place_of(out_layout, element)] = element_of(block, place);                                                         \
        }                                                                                                                          \
    }

// Stores element_of(block, place) of `type` for the `per_block` (2 or 4, a digit) places of each block. Where memory allows it, the
// first loop stores whole blocks at once, and only the first and the last block are left for the second: the loop that matters
// has few instructions and none of the divisions of other layouts. Parameters of the kernel: seed, stream, first, out, out_layout,
// count.
#define NC_RNG_FILL(type, per_block, element_of)                                                                                   \
    {                                                                                                                              \
        nc_u64 skipped = first % per_block##u;                                                                                     \
        nc_u64 blocks = (skipped + count - 1u) / per_block##u + 1u;                                                                \
        nc_u64 edges = blocks > 2u ? 2u : blocks;                                                                                  \
        nc_i32 line = nc_layout_is_line(out_layout);                                                                               \
        nc_i32 aligned = nc_rng_is_aligned(out_layout, skipped, per_block##u);                                                     \
        NC_FOR_ITEMS(b, aligned ? blocks : 0u)                                                                                     \
        {                                                                                                                          \
            nc_u64 begin = per_block##u * b - skipped;                                                                             \
            if (nc_rng_is_whole(begin, count, per_block##u)) {                                                                     \
                nc_philox block = nc_philox_block(seed, first / per_block##u + b, stream);                                         \
                NC_RNG_STORE_##per_block(type, out + (out_layout.offset + (nc_i64)begin), block, element_of);                      \
            }                                                                                                                      \
        }                                                                                                                          \
        NC_FOR_ITEMS(left, aligned ? edges : blocks)                                                                               \
        {                                                                                                                          \
            nc_u64 b = aligned && left == 1u ? blocks - 1u : left;                                                                 \
            nc_u64 begin = per_block##u * b - skipped;                                                                             \
            if (!(aligned && nc_rng_is_whole(begin, count, per_block##u))) {                                                       \
                nc_philox block = nc_philox_block(seed, first / per_block##u + b, stream);                                         \
                if (line) {                                                                                                        \
                    NC_RNG_STORE_EACH(per_block, element_of, nc_layout_on_line, NC_UNROLL)                                         \
                } else {                                                                                                           \
                    NC_RNG_STORE_EACH(per_block, element_of, nc_layout_at, NC_KEEP_LOOP)                                           \
                }                                                                                                                  \
            }                                                                                                                      \
        }                                                                                                                          \
    }

#define NC_RNG_WORD(block, place) (block).word[place]
#define NC_RNG_WORD0(block, place) (block).word[2u * (place)]
#define NC_RNG_WORD1(block, place) (block).word[2u * (place) + 1u]

#endif
