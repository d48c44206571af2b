// SPDX-License-Identifier: Apache-2.0
// The standard normal quantile at the float64 uniforms (k + 1/2) 2^-52. One polynomial whose row depends on the exponent and two
// bits of p = min(u, 1-u): no branch but the table, so devices do not diverge. The table is a buffer (host/normal_table.c): a
// device serves constant memory one address at a time, and neighbours read different rows. docs/rng.md has the error.
#ifndef NC_KERNELS_NORMAL_H
#define NC_KERNELS_NORMAL_H

#include "../dialect/dialect.h"

#define NC_NORMAL_LOWEST_EXPONENT (-53)
#define NC_NORMAL_ROW 14 // the constant term in two parts and twelve coefficients
#define NC_NORMAL_TABLE_SIZE ((-1 - NC_NORMAL_LOWEST_EXPONENT) * 4 * NC_NORMAL_ROW)

// z with Phi(z) = u. u is an odd multiple of 2^-53 inside (0,1); then p, 1/2 - p and t are exact.
NC_FN nc_f64 nc_normal_quantile(NC_GLOBAL const nc_f64 *table, nc_f64 u)
{
    nc_f64 p = u < NC_C64(0.5) ? u : NC_C64(1.0) - u;
    nc_f64 distance = NC_C64(0.5) - p;
    nc_u64 bits = nc_bits_of_f64(p);
    nc_u32 part = (nc_u32)(bits >> 50) & 3u;
    nc_u32 segment = ((nc_u32)(bits >> 52) - (nc_u32)(1023 + NC_NORMAL_LOWEST_EXPONENT)) * 4u + part;
    NC_GLOBAL const nc_f64 *row = table + segment * (nc_u32)NC_NORMAL_ROW;
    nc_f64 m = nc_f64_of_bits((bits & 0xfffffffffffffu) | 0x3ff0000000000000u);
    nc_f64 t = (m - (NC_C64(1.125) + NC_C64(0.25) * (nc_f64)part)) * NC_C64(8.0);
    nc_f64 tail = row[NC_NORMAL_ROW - 1];
    for (nc_u32 i = (nc_u32)NC_NORMAL_ROW - 2u; i >= 2u; --i) {
        tail = NC_FMA_F64(tail, t, row[i]);
    }
    tail = NC_FMA_F64(tail, t, row[1]);
    // distance * (center + tail), the product with the center in two parts: one rounding decides the result.
    nc_f64 center = row[0];
    nc_f64 high = distance * center;
    nc_f64 low = NC_FMA_F64(distance, center, -high);
    nc_f64 x = high + NC_FMA_F64(distance, tail, low);
    return u < NC_C64(0.5) ? -x : x;
}

#endif
