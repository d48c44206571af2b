// SPDX-License-Identifier: Apache-2.0
// The dialect for OpenCL C 1.2: kernels stride over get_global_size(0) items.
#ifndef NC_DIALECT_OPENCL_H
#define NC_DIALECT_OPENCL_H

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

typedef uchar nc_u8;
typedef int nc_i32;
typedef uint nc_u32;
typedef long nc_i64;
typedef ulong nc_u64;
typedef float nc_f32;
typedef double nc_f64;
typedef float2 nc_f32_2;
typedef float4 nc_f32_4;
typedef double2 nc_f64_2;
typedef uint4 nc_u32_4;

#define NC_FN static inline __attribute__((unused))
#define NC_FN_APART static __attribute__((unused, noinline))
#if defined(NC_NEAR) || defined(__NV_CL_C_VERSION) // for GPUs; a CPU's compiler would take longer for it
#define NC_FN_LANES static inline __attribute__((unused, always_inline))
#else
#define NC_FN_LANES NC_FN_APART
#endif
#define NC_GLOBAL __global
#define NC_LOCAL __local
#define NC_PRIVATE __private
#define NC_CONSTANT __constant
#define NC_CONSTANT_PTR __constant const
// A row of a table that neighbours choose differently. NVIDIA's hardware serves the constant memory of its own instructions one
// address at a time, but that memory also has addresses in global memory (PTX: cvta.const), which are served side by side.
#ifdef __NV_CL_C_VERSION
#define NC_ROW_PTR __global const
#define NC_ROW(type, row) ((__global const type *)nc_global_address((ulong)(row)))
NC_FN ulong nc_global_address(ulong constant_address)
{
    ulong address;
    __asm__("cvta.const.u64 %0, %1;" : "=l"(address) : "l"(constant_address));
    return address;
}
#else
#define NC_ROW_PTR __constant const
#define NC_ROW(type, row) (row)
#endif
#define NC_ARGUMENT(type) type
#define NC_UNROLL _Pragma("unroll")
#define NC_KEEP_LOOP _Pragma("unroll 1")
#define NC_STORE2(type, pointer, a, b) NC_STORE2_(type, pointer, a, b)
#define NC_STORE2_(type, pointer, a, b) (*(__global type##_2 *)(pointer) = (type##_2)((a), (b)))
#define NC_STORE4(type, pointer, a, b, c, d) NC_STORE4_(type, pointer, a, b, c, d)
#define NC_STORE4_(type, pointer, a, b, c, d) (*(__global type##_4 *)(pointer) = (type##_4)((a), (b), (c), (d)))
#define NC_WIDE_F32 4u
#define NC_WIDE_F64 2u
#define NC_LOAD_WIDE_F32(values, pointer)                                                                                          \
    do {                                                                                                                           \
        nc_f32_4 nc_wide = *(__global const nc_f32_4 *)(pointer);                                                                  \
        (values)[0] = nc_wide.x, (values)[1] = nc_wide.y, (values)[2] = nc_wide.z, (values)[3] = nc_wide.w;                        \
    } while (0)
#define NC_LOAD_WIDE_F64(values, pointer)                                                                                          \
    do {                                                                                                                           \
        nc_f64_2 nc_wide = *(__global const nc_f64_2 *)(pointer);                                                                  \
        (values)[0] = nc_wide.x, (values)[1] = nc_wide.y;                                                                          \
    } while (0)
#define NC_STORE_WIDE_F32(pointer, values) NC_STORE4(nc_f32, pointer, (values)[0], (values)[1], (values)[2], (values)[3])
#define NC_STORE_WIDE_F64(pointer, values) NC_STORE2(nc_f64, pointer, (values)[0], (values)[1])
#define NC_LOAD4(type, pointer, a, b, c, d) NC_LOAD4_(type, pointer, a, b, c, d)
#define NC_LOAD4_(type, pointer, a, b, c, d)                                                                                       \
    do {                                                                                                                           \
        type##_4 nc_four = *(__global const type##_4 *)(pointer);                                                                  \
        (a) = nc_four.x, (b) = nc_four.y, (c) = nc_four.z, (d) = nc_four.w;                                                        \
    } while (0)
#define NC_ASSERT_SIZE(type, bytes) typedef char NC_ASSERT_##type[sizeof(type) == (bytes) ? 1 : -1]

#define NC_FMA_F32(a, b, c) fma((float)(a), (float)(b), (float)(c))
#define NC_FMA_F64(a, b, c) fma((double)(a), (double)(b), (double)(c))
#define NC_SQRT_F32(x) sqrt((float)(x))
#define NC_SQRT_F64(x) sqrt((double)(x))
#define NC_FLOOR_F32(x) floor((float)(x))
#define NC_FLOOR_F64(x) floor((double)(x))
#define NC_TRUNC_F32(x) trunc((float)(x))
#define NC_TRUNC_F64(x) trunc((double)(x))
#define NC_RINT_F32(x) rint((float)(x))
#define NC_RINT_F64(x) rint((double)(x))
#define NC_FABS_F32(x) fabs((float)(x))
#define NC_FABS_F64(x) fabs((double)(x))
#define NC_COPYSIGN_F32(x, y) copysign((float)(x), (float)(y))
#define NC_COPYSIGN_F64(x, y) copysign((double)(x), (double)(y))

#define nc_mulhi_u32(a, b) mul_hi((nc_u32)(a), (nc_u32)(b))
#define nc_mulhi_u64(a, b) mul_hi((nc_u64)(a), (nc_u64)(b))
#define nc_bits_of_f32(x) as_uint((float)(x))
#define nc_bits_of_f64(x) as_ulong((double)(x))
#define nc_f32_of_bits(bits) as_float((nc_u32)(bits))
#define nc_f64_of_bits(bits) as_double((nc_u64)(bits))

#define NC_FOR_ITEMS(i, count) for (nc_u64 i = get_global_id(0); i < (count); i += get_global_size(0))

// Tiles (dialect.h): one work item is one lane, and every tile has working memory of its own.
#define NC_LANES 1u
#define NC_FIRST_LANE(item) ((nc_u32)((item) % NC_TILE))
#define NC_FOR_LANES(lane) for (nc_u32 lane = 0u; lane < NC_LANES; ++lane)
#define NC_FOR_TILES(item, home, tiles)                                                                                            \
    for (nc_u64 item = get_global_id(0), home = item / NC_TILE; item < (tiles)*NC_TILE;                                            \
         item += get_global_size(0), home = item / NC_TILE)
#define NC_PLACE nc_u64
#ifdef NC_NEAR
#define NC_WORK __local NC_REAL *
#define NC_WORK_READ __local const NC_REAL *
#define NC_WORK_OF_TILE(workspace, item, home, elements)                                                                           \
    ((workspace) + (home) % (get_local_size(0) / NC_TILE) * (elements) + NC_FIRST_LANE(item))
#else
#define NC_WORK __global NC_REAL *
#define NC_WORK_READ __global const NC_REAL *
#define NC_WORK_OF_TILE(workspace, item, home, elements) ((workspace) + (home) * (elements) + NC_FIRST_LANE(item))
#endif

#define NC_KERNEL1(name, T0, a0) __kernel void name(T0 a0)
#define NC_KERNEL2(name, T0, a0, T1, a1) __kernel void name(T0 a0, T1 a1)
#define NC_KERNEL3(name, T0, a0, T1, a1, T2, a2) __kernel void name(T0 a0, T1 a1, T2 a2)
#define NC_KERNEL4(name, T0, a0, T1, a1, T2, a2, T3, a3) __kernel void name(T0 a0, T1 a1, T2 a2, T3 a3)
#define NC_KERNEL5(name, T0, a0, T1, a1, T2, a2, T3, a3, T4, a4) __kernel void name(T0 a0, T1 a1, T2 a2, T3 a3, T4 a4)
#define NC_KERNEL6(name, T0, a0, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5)                                                           \
    __kernel void name(T0 a0, T1 a1, T2 a2, T3 a3, T4 a4, T5 a5)
#define NC_KERNEL7(name, T0, a0, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6)                                                   \
    __kernel void name(T0 a0, T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6)
#define NC_KERNEL8(name, T0, a0, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7)                                           \
    __kernel void name(T0 a0, T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7)
#define NC_KERNEL11(name, T0, a0, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9, T10, a10)                \
    __kernel void name(T0 a0, T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9, T10 a10)
#define NC_KERNEL12(name, T0, a0, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9, T10, a10, T11, a11)      \
    __kernel void name(T0 a0, T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9, T10 a10, T11 a11)
#define NC_KERNEL10(name, T0, a0, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9)                          \
    __kernel void name(T0 a0, T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9)
#define NC_KERNEL14(name, T0, a0, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9, T10, a10, T11, a11, T12, \
                    a12, T13, a13)                                                                                                 \
    __kernel void name(T0 a0, T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9, T10 a10, T11 a11, T12 a12, T13 a13)

#endif
