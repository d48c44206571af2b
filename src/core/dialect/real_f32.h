// SPDX-License-Identifier: Apache-2.0
// (Re)defines the dialect's real type as nc_f32. Include it, then a body; names made with NC_N end in _f32.
// No include guard: a file that builds both precisions includes real_f32.h, the bodies, real_f64.h and the bodies again.
#include "real_undef.h"

#define NC_REAL_IS_F32 1
#define NC_REAL nc_f32
#define NC_BITS nc_u32
#define NC_INT nc_i32
#define NC_N(name) NC_CONCAT(name, _f32)
#define NC_C(x) NC_C32(x)

#define NC_MANTISSA_BITS 23
#define NC_EXPONENT_BIAS 127
#define NC_NAN_BITS 0x7fc00000u
#define NC_INF_BITS 0x7f800000u
#define NC_SIGN_BIT 0x80000000u
#define NC_UNIT_ROUNDOFF NC_C(0x1p-24)

#define NC_FMA(a, b, c) NC_FMA_F32(a, b, c)
#define NC_SQRT(x) NC_SQRT_F32(x)
#define NC_FLOOR(x) NC_FLOOR_F32(x)
#define NC_TRUNC(x) NC_TRUNC_F32(x)
#define NC_RINT(x) NC_RINT_F32(x)
#define NC_FABS(x) NC_FABS_F32(x)
#define NC_COPYSIGN(x, y) NC_COPYSIGN_F32(x, y)
#define NC_BITS_OF(x) nc_bits_of_f32(x)
#define NC_OF_BITS(bits) nc_f32_of_bits(bits)
#define NC_WIDE NC_WIDE_F32
#define NC_LOAD_WIDE(values, pointer) NC_LOAD_WIDE_F32(values, pointer)
#define NC_STORE_WIDE(pointer, values) NC_STORE_WIDE_F32(pointer, values)

#define NC_CANON(x) NC_N(nc_canon)(x)

#ifndef NC_REAL_F32_HELPERS
#define NC_REAL_F32_HELPERS
#include "real_common.h"
#endif
