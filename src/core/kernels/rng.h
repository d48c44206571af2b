// SPDX-License-Identifier: Apache-2.0
// Uniforms. One item is one Philox block: four float32 or two float64 elements. Body: include once per real type.
#include "philox.h"

#ifdef NC_REAL_IS_F32
#define NC_RNG_PER_BLOCK 4u
#define NC_RNG_ELEMENT(mapping, block, lane) mapping##_f32((block).word[lane])
#else
#define NC_RNG_PER_BLOCK 2u
#define NC_RNG_ELEMENT(mapping, block, lane) mapping##_f64((block).word[2u * (lane)], (block).word[2u * (lane) + 1u])
#endif

NC_KERNEL6(NC_N(rng_uniform), nc_u64, seed, nc_u64, stream, nc_u64, first, NC_GLOBAL NC_REAL *, out, nc_layout, out_layout, nc_u64,
           count)
{
    nc_u64 skipped = first % NC_RNG_PER_BLOCK;
    nc_i32 line = nc_layout_is_line(out_layout);
    NC_FOR_ITEMS(b, (skipped + count - 1u) / NC_RNG_PER_BLOCK + 1u)
    {
        nc_philox block = nc_philox_block(seed, first / NC_RNG_PER_BLOCK + b, stream);
        for (nc_u32 lane = 0; lane < NC_RNG_PER_BLOCK; ++lane) {
            nc_u64 element = NC_RNG_PER_BLOCK * b + lane - skipped; // wraps to a huge number before the first
            if (element < count) {
                out[nc_layout_place(out_layout, line, element)] = NC_RNG_ELEMENT(nc_uniform, block, lane);
            }
        }
    }
}

NC_KERNEL6(NC_N(rng_uniform_curand), nc_u64, seed, nc_u64, stream, nc_u64, first, NC_GLOBAL NC_REAL *, out, nc_layout, out_layout,
           nc_u64, count)
{
    nc_u64 skipped = first % NC_RNG_PER_BLOCK;
    nc_i32 line = nc_layout_is_line(out_layout);
    NC_FOR_ITEMS(b, (skipped + count - 1u) / NC_RNG_PER_BLOCK + 1u)
    {
        nc_philox block = nc_philox_block(seed, first / NC_RNG_PER_BLOCK + b, stream);
        for (nc_u32 lane = 0; lane < NC_RNG_PER_BLOCK; ++lane) {
            nc_u64 element = NC_RNG_PER_BLOCK * b + lane - skipped;
            if (element < count) {
                out[nc_layout_place(out_layout, line, element)] = NC_RNG_ELEMENT(nc_uniform_curand, block, lane);
            }
        }
    }
}

#undef NC_RNG_PER_BLOCK
#undef NC_RNG_ELEMENT
