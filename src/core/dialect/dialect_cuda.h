// SPDX-License-Identifier: Apache-2.0
// The dialect for CUDA C++: kernels are grid-stride __global__ functions. Compile with --fmad=false.
#ifndef NC_DIALECT_CUDA_H
#define NC_DIALECT_CUDA_H

#include <stdint.h>

typedef uint8_t nc_u8;
typedef int32_t nc_i32;
typedef uint32_t nc_u32;
typedef int64_t nc_i64;
typedef uint64_t nc_u64;
typedef float nc_f32;
typedef double nc_f64;
typedef float2 nc_f32_2;
typedef float4 nc_f32_4;
typedef double2 nc_f64_2;
typedef uint4 nc_u32_4;

#define NC_FN static __device__ inline __attribute__((unused))
#define NC_FN_APART static __device__ __noinline__ __attribute__((unused))
#define NC_FN_LANES static __device__ __forceinline__ __attribute__((unused))
#define NC_GLOBAL
#define NC_LOCAL
#define NC_PRIVATE
#define NC_CONSTANT static __device__ const
#define NC_CONSTANT_PTR const
#define NC_ROW_PTR const
#define NC_ROW(type, row) (row)
#define NC_ARGUMENT(type) const __grid_constant__ type
#define NC_UNROLL _Pragma("unroll")
#define NC_KEEP_LOOP _Pragma("unroll 1")
// An assignment of a struct may come out as a store for each member; the intrinsic is one.
#define NC_STORE2(type, pointer, a, b) NC_STORE2_(type, pointer, a, b)
#define NC_STORE2_(type, pointer, a, b) __stwb((type##_2 *)(pointer), type##_2{(a), (b)})
#define NC_STORE4(type, pointer, a, b, c, d) NC_STORE4_(type, pointer, a, b, c, d)
#define NC_STORE4_(type, pointer, a, b, c, d) __stwb((type##_4 *)(pointer), type##_4{(a), (b), (c), (d)})
#define NC_WIDE_F32 4u
#define NC_WIDE_F64 2u
#define NC_LOAD_WIDE_F32(values, pointer)                                                                                          \
    do {                                                                                                                           \
        nc_f32_4 nc_wide = *(const nc_f32_4 *)(pointer);                                                                           \
        (values)[0] = nc_wide.x, (values)[1] = nc_wide.y, (values)[2] = nc_wide.z, (values)[3] = nc_wide.w;                        \
    } while (0)
#define NC_LOAD_WIDE_F64(values, pointer)                                                                                          \
    do {                                                                                                                           \
        nc_f64_2 nc_wide = *(const nc_f64_2 *)(pointer);                                                                           \
        (values)[0] = nc_wide.x, (values)[1] = nc_wide.y;                                                                          \
    } while (0)
#define NC_STORE_WIDE_F32(pointer, values) NC_STORE4(nc_f32, pointer, (values)[0], (values)[1], (values)[2], (values)[3])
#define NC_STORE_WIDE_F64(pointer, values) NC_STORE2(nc_f64, pointer, (values)[0], (values)[1])
#define NC_LOAD4(type, pointer, a, b, c, d) NC_LOAD4_(type, pointer, a, b, c, d)
#define NC_LOAD4_(type, pointer, a, b, c, d)                                                                                       \
    do {                                                                                                                           \
        type##_4 nc_four = __ldg((const type##_4 *)(pointer));                                                                     \
        (a) = nc_four.x, (b) = nc_four.y, (c) = nc_four.z, (d) = nc_four.w;                                                        \
    } while (0)
#define NC_ASSERT_SIZE(type, bytes) typedef char NC_ASSERT_##type[sizeof(type) == (bytes) ? 1 : -1]

#define NC_FMA_F32(a, b, c) __fmaf_rn(a, b, c)
#define NC_FMA_F64(a, b, c) __fma_rn(a, b, c)
#define NC_SQRT_F32(x) __fsqrt_rn(x)
#define NC_SQRT_F64(x) __dsqrt_rn(x)
#define NC_FLOOR_F32(x) floorf(x)
#define NC_FLOOR_F64(x) floor(x)
#define NC_TRUNC_F32(x) truncf(x)
#define NC_TRUNC_F64(x) trunc(x)
#define NC_RINT_F32(x) rintf(x)
#define NC_RINT_F64(x) rint(x)
#define NC_FABS_F32(x) fabsf(x)
#define NC_FABS_F64(x) fabs(x)
#define NC_COPYSIGN_F32(x, y) copysignf(x, y)
#define NC_COPYSIGN_F64(x, y) copysign(x, y)

#define nc_mulhi_u32(a, b) __umulhi(a, b)
#define nc_mulhi_u64(a, b) __umul64hi(a, b)
#define nc_bits_of_f32(x) __float_as_uint(x)
#define nc_bits_of_f64(x) ((nc_u64)__double_as_longlong(x))
#define nc_f32_of_bits(bits) __uint_as_float(bits)
#define nc_f64_of_bits(bits) __longlong_as_double((long long)(bits))

#define NC_FOR_ITEMS(i, count)                                                                                                     \
    for (nc_u64 i = (nc_u64)blockIdx.x * blockDim.x + threadIdx.x; i < (count); i += (nc_u64)gridDim.x * blockDim.x)

// Tiles (dialect.h): one work item is one lane, and every tile has working memory of its own.
#define NC_LANES 1u
#define NC_FIRST_LANE(item) ((nc_u32)((item) % NC_TILE))
#define NC_FOR_LANES(lane) for (nc_u32 lane = 0u; lane < NC_LANES; ++lane)
#define NC_FOR_TILES(item, home, tiles)                                                                                            \
    for (nc_u64 item = (nc_u64)blockIdx.x * blockDim.x + threadIdx.x, home = item / NC_TILE; item < (tiles)*NC_TILE;               \
         item += (nc_u64)gridDim.x * blockDim.x, home = item / NC_TILE)
#ifdef NC_NEAR
// The group's shared memory, by the byte where an element stands. Not a pointer: through one that crosses a function's border the
// compiler loads without knowing which memory it means, with addresses twice as wide.
extern __shared__ __align__(16) unsigned char nc_near_memory[];
template <typename T> struct nc_near {
    nc_u32 place;
    __device__ T &operator[](nc_u32 i) const
    {
        return *(T *)(nc_near_memory + (place + i * (nc_u32)sizeof(T)));
    }
    __device__ nc_near operator+(nc_u32 i) const
    {
        return nc_near{place + i * (nc_u32)sizeof(T)};
    }
};
#define NC_PLACE nc_u32
#define NC_WORK nc_near<NC_REAL>
#define NC_WORK_READ nc_near<NC_REAL>
#define NC_WORK_OF_TILE(workspace, item, home, elements)                                                                           \
    ((workspace) + (nc_u32)((home) % (blockDim.x / NC_TILE) * (elements)) + NC_FIRST_LANE(item))
#else
#define NC_PLACE nc_u64
#define NC_WORK NC_REAL *
#define NC_WORK_READ const NC_REAL *
#define NC_WORK_OF_TILE(workspace, item, home, elements) ((workspace) + (home) * (elements) + NC_FIRST_LANE(item))
#endif

#define NC_KERNEL1(name, T0, a0) static __global__ void name(T0 a0)
#define NC_KERNEL2(name, T0, a0, T1, a1) static __global__ void name(T0 a0, T1 a1)
#define NC_KERNEL3(name, T0, a0, T1, a1, T2, a2) static __global__ void name(T0 a0, T1 a1, T2 a2)
#define NC_KERNEL4(name, T0, a0, T1, a1, T2, a2, T3, a3) static __global__ void name(T0 a0, T1 a1, T2 a2, T3 a3)
#define NC_KERNEL5(name, T0, a0, T1, a1, T2, a2, T3, a3, T4, a4) static __global__ void name(T0 a0, T1 a1, T2 a2, T3 a3, T4 a4)
#define NC_KERNEL6(name, T0, a0, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5)                                                           \
    static __global__ void name(T0 a0, T1 a1, T2 a2, T3 a3, T4 a4, T5 a5)
#define NC_KERNEL7(name, T0, a0, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6)                                                   \
    static __global__ void name(T0 a0, T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6)
#define NC_KERNEL8(name, T0, a0, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7)                                           \
    static __global__ void name(T0 a0, T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7)
#define NC_KERNEL11(name, T0, a0, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9, T10, a10)                \
    static __global__ void name(T0 a0, T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9, T10 a10)
#define NC_KERNEL12(name, T0, a0, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9, T10, a10, T11, a11)      \
    static __global__ void name(T0 a0, T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9, T10 a10, T11 a11)
#define NC_KERNEL10(name, T0, a0, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9)                          \
    static __global__ void name(T0 a0, T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9)
#define NC_KERNEL14(name, T0, a0, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9, T10, a10, T11, a11, T12, \
                    a12, T13, a13)                                                                                                 \
    static __global__ void name(T0 a0, T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9, T10 a10, T11 a11, T12 a12,   \
                                T13 a13)

#endif
