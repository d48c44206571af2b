// SPDX-License-Identifier: Apache-2.0
// Uniforms and normals. One item is one Philox block: four float32 uniforms or two of any other element.
// Body: include once per real type.
#include "normal.h"
#include "philox.h"

// A kernel that stores element_of(block, place) for the `per_block` places of each block that lie inside the range. Places before
// `first` wrap to a huge element number.
#define NC_RNG_FILL(name, per_block, element_of)                                                                                   \
    NC_KERNEL6(NC_N(name), nc_u64, seed, nc_u64, stream, nc_u64, first, NC_GLOBAL NC_REAL *, out, nc_layout, out_layout, nc_u64,   \
               count)                                                                                                              \
    {                                                                                                                              \
        nc_u64 skipped = first % (per_block);                                                                                      \
        nc_i32 line = nc_layout_is_line(out_layout);                                                                               \
        NC_FOR_ITEMS(b, (skipped + count - 1u) / (per_block) + 1u)                                                                 \
        {                                                                                                                          \
            nc_philox block = nc_philox_block(seed, first / (per_block) + b, stream);                                              \
            for (nc_u32 place = 0; place < (per_block); ++place) {                                                                 \
                nc_u64 element = (per_block)*b + place - skipped;                                                                  \
                if (element < count) {                                                                                             \
                    out[nc_layout_place(out_layout, line, element)] = element_of(block, place);                                    \
                }                                                                                                                  \
            }                                                                                                                      \
        }                                                                                                                          \
    }

#define NC_RNG_WORD(block, place) (block).word[place]
#define NC_RNG_WORD0(block, place) (block).word[2u * (place)]
#define NC_RNG_WORD1(block, place) (block).word[2u * (place) + 1u]
#define NC_RNG_UNIFORM_F64(block, place) nc_uniform_f64(NC_RNG_WORD0(block, place), NC_RNG_WORD1(block, place))
#define NC_RNG_NORMAL(block, place) (NC_REAL) nc_normal_quantile(NC_RNG_UNIFORM_F64(block, place))

#ifdef NC_REAL_IS_F32
#define NC_RNG_UNIFORM_F32(block, place) nc_uniform_f32(NC_RNG_WORD(block, place))
#define NC_RNG_CURAND_F32(block, place) nc_uniform_curand_f32(NC_RNG_WORD(block, place))
NC_RNG_FILL(rng_uniform, 4u, NC_RNG_UNIFORM_F32)
NC_RNG_FILL(rng_uniform_curand, 4u, NC_RNG_CURAND_F32)
#else
#define NC_RNG_CURAND_F64(block, place) nc_uniform_curand_f64(NC_RNG_WORD0(block, place), NC_RNG_WORD1(block, place))
NC_RNG_FILL(rng_uniform, 2u, NC_RNG_UNIFORM_F64)
NC_RNG_FILL(rng_uniform_curand, 2u, NC_RNG_CURAND_F64)
#endif
NC_RNG_FILL(rng_normal, 2u, NC_RNG_NORMAL)

#undef NC_RNG_FILL
#undef NC_RNG_WORD
#undef NC_RNG_WORD0
#undef NC_RNG_WORD1
#undef NC_RNG_UNIFORM_F32
#undef NC_RNG_UNIFORM_F64
#undef NC_RNG_CURAND_F32
#undef NC_RNG_CURAND_F64
#undef NC_RNG_NORMAL
