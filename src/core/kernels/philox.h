// SPDX-License-Identifier: Apache-2.0
// Philox4x32-10: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC'11, doi:10.1145/2063384.2063405.
// Multipliers and Weyl increments of the key are the paper's.
#ifndef NC_KERNELS_PHILOX_H
#define NC_KERNELS_PHILOX_H

#include "../dialect/dialect.h"

#define NC_PHILOX_ROUNDS 10
#define NC_PHILOX_MULTIPLIER0 0xd2511f53u
#define NC_PHILOX_MULTIPLIER1 0xcd9e8d57u
#define NC_PHILOX_WEYL0 0x9e3779b9u
#define NC_PHILOX_WEYL1 0xbb67ae85u

// Four words: a counter going in, a random block coming out.
typedef struct nc_philox {
    nc_u32 word[4];
} nc_philox;

// The block with counter {lo(low), hi(low), lo(high), hi(high)} and key {lo(seed), hi(seed)}.
NC_FN nc_philox nc_philox_block(nc_u64 seed, nc_u64 low, nc_u64 high)
{
    nc_u32 c0 = (nc_u32)low, c1 = (nc_u32)(low >> 32), c2 = (nc_u32)high, c3 = (nc_u32)(high >> 32);
    nc_u32 k0 = (nc_u32)seed, k1 = (nc_u32)(seed >> 32);
    for (nc_i32 round = 0; round < NC_PHILOX_ROUNDS; ++round) {
        nc_u32 high0 = nc_mulhi_u32(NC_PHILOX_MULTIPLIER0, c0), low0 = NC_PHILOX_MULTIPLIER0 * c0;
        nc_u32 high1 = nc_mulhi_u32(NC_PHILOX_MULTIPLIER1, c2), low1 = NC_PHILOX_MULTIPLIER1 * c2;
        c0 = high1 ^ c1 ^ k0;
        c1 = low1;
        c2 = high0 ^ c3 ^ k1;
        c3 = low0;
        k0 += NC_PHILOX_WEYL0;
        k1 += NC_PHILOX_WEYL1;
    }
    nc_philox block;
    block.word[0] = c0;
    block.word[1] = c1;
    block.word[2] = c2;
    block.word[3] = c3;
    return block;
}

// The uniform inside (0,1) that two words give: (k + 1/2) 2^-52, k of 52 bits. Exact, and so is 1 - u.
NC_FN nc_f64 nc_uniform_f64(nc_u32 w0, nc_u32 w1)
{
    nc_u64 k = ((nc_u64)w0 << 20) | (w1 >> 12);
    return ((nc_f64)k + NC_C64(0.5)) * NC_C64(0x1p-52);
}
// The float32 one: (k + 1/2) 2^-23, k of 23 bits.
NC_FN nc_f32 nc_uniform_f32(nc_u32 w)
{
    return ((nc_f32)(w >> 9) + NC_C32(0.5)) * NC_C32(0x1p-23);
}

// cuRAND's mappings onto (0,1]: curand_uniform rounds the word to float32 first, curand_uniform2_double lets the words overlap.
NC_FN nc_f32 nc_uniform_curand_f32(nc_u32 w)
{
    return (nc_f32)w * NC_C32(0x1p-32) + NC_C32(0x1p-33);
}
NC_FN nc_f64 nc_uniform_curand_f64(nc_u32 w0, nc_u32 w1)
{
    nc_u64 z = (nc_u64)w0 ^ ((nc_u64)w1 << 21);
    return (nc_f64)z * NC_C64(0x1p-53) + NC_C64(0x1p-54);
}

#endif
