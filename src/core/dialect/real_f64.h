// SPDX-License-Identifier: Apache-2.0
// (Re)defines the dialect's real type as nc_f64. Include it, then a body; names made with NC_N end in _f64.
// No include guard: a file that builds both precisions includes real_f32.h, the bodies, real_f64.h and the bodies again.
#include "real_undef.h"

#define NC_REAL_IS_F64 1
#define NC_REAL nc_f64
#define NC_BITS nc_u64
#define NC_INT nc_i64
#define NC_N(name) NC_CONCAT(name, _f64)
#define NC_C(x) NC_C64(x)

#define NC_MANTISSA_BITS 52
#define NC_EXPONENT_BIAS 1023
#define NC_NAN_BITS 0x7ff8000000000000u
#define NC_INF_BITS 0x7ff0000000000000u
#define NC_SIGN_BIT 0x8000000000000000u
#define NC_UNIT_ROUNDOFF NC_C(0x1p-53)

#define NC_FMA(a, b, c) NC_FMA_F64(a, b, c)
#define NC_SQRT(x) NC_SQRT_F64(x)
#define NC_FLOOR(x) NC_FLOOR_F64(x)
#define NC_TRUNC(x) NC_TRUNC_F64(x)
#define NC_RINT(x) NC_RINT_F64(x)
#define NC_FABS(x) NC_FABS_F64(x)
#define NC_COPYSIGN(x, y) NC_COPYSIGN_F64(x, y)
#define NC_BITS_OF(x) nc_bits_of_f64(x)
#define NC_OF_BITS(bits) nc_f64_of_bits(bits)
#define NC_WIDE NC_WIDE_F64
#define NC_LOAD_WIDE(values, pointer) NC_LOAD_WIDE_F64(values, pointer)
#define NC_STORE_WIDE(pointer, values) NC_STORE_WIDE_F64(pointer, values)

#define NC_CANON(x) NC_N(nc_canon)(x)

#ifndef NC_REAL_F64_HELPERS
#define NC_REAL_F64_HELPERS
#include "real_common.h"
#endif
