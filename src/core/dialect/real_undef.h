// SPDX-License-Identifier: Apache-2.0
// Forgets the current real type, so that the next real_*.h can define its own.
#undef NC_REAL_IS_F32
#undef NC_REAL_IS_F64
#undef NC_REAL
#undef NC_BITS
#undef NC_INT
#undef NC_N
#undef NC_C
#undef NC_MANTISSA_BITS
#undef NC_EXPONENT_BIAS
#undef NC_NAN_BITS
#undef NC_INF_BITS
#undef NC_SIGN_BIT
#undef NC_UNIT_ROUNDOFF
#undef NC_FMA
#undef NC_SQRT
#undef NC_FLOOR
#undef NC_TRUNC
#undef NC_RINT
#undef NC_FABS
#undef NC_COPYSIGN
#undef NC_BITS_OF
#undef NC_OF_BITS
#undef NC_WIDE
#undef NC_LOAD_WIDE
#undef NC_STORE_WIDE
#undef NC_CANON
