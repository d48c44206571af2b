// SPDX-License-Identifier: Apache-2.0
// The dialect for C11: kernels are loops over a range of items, called through an argument-array thunk.
#ifndef NC_DIALECT_C_H
#define NC_DIALECT_C_H

#include <stdint.h>
#include <string.h>

#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0
#error "The core needs FLT_EVAL_METHOD 0 (x87 arithmetic keeps extra bits)."
#endif

typedef uint8_t nc_u8;
typedef int32_t nc_i32;
typedef uint32_t nc_u32;
typedef int64_t nc_i64;
typedef uint64_t nc_u64;
typedef float nc_f32;
typedef double nc_f64;

#define NC_FN static inline __attribute__((unused))
#define NC_FN_APART static __attribute__((unused, noinline))
#define NC_FN_LANES NC_FN_APART
#define NC_GLOBAL
#define NC_LOCAL
#define NC_PRIVATE
#define NC_ARGUMENT(type) type
#define NC_PLACE nc_u64
#define NC_WORK NC_REAL *
#define NC_WORK_READ const NC_REAL *
#define NC_WORK_OF_TILE(workspace, item, home, elements) ((workspace) + (home) * (elements))
#define NC_CONSTANT static const // a table at program scope
#define NC_CONSTANT_PTR const    // the qualifier of a pointer to such a table
#define NC_ROW_PTR const         // the qualifier of a pointer to a row that neighbours choose differently
#define NC_ROW(type, row) (row)
// Loops over arrays that a device must keep in registers are unrolled; a C compiler decides by itself.
#define NC_UNROLL
#define NC_KEEP_LOOP
// Two or four neighbours at once. `pointer` is aligned to all of them. What NC_LOAD4 reads no kernel of the launch writes.
#define NC_STORE2(type, pointer, a, b) ((pointer)[0] = (a), (pointer)[1] = (b))
#define NC_STORE4(type, pointer, a, b, c, d) ((pointer)[0] = (a), (pointer)[1] = (b), (pointer)[2] = (c), (pointer)[3] = (d))
// As many neighbours as an item of a dense kernel takes: a device moves 16 bytes at once, a C compiler chooses vectors by itself.
#define NC_WIDE_F32 1u
#define NC_WIDE_F64 1u
#define NC_LOAD_WIDE_F32(values, pointer) ((values)[0] = (pointer)[0])
#define NC_LOAD_WIDE_F64(values, pointer) ((values)[0] = (pointer)[0])
#define NC_STORE_WIDE_F32(pointer, values) ((pointer)[0] = (values)[0])
#define NC_STORE_WIDE_F64(pointer, values) ((pointer)[0] = (values)[0])
#define NC_LOAD4(type, pointer, a, b, c, d) ((a) = (pointer)[0], (b) = (pointer)[1], (c) = (pointer)[2], (d) = (pointer)[3])
#define NC_ASSERT_SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), #type " has the size every backend expects")

#define NC_FMA_F32(a, b, c) __builtin_fmaf(a, b, c)
#define NC_FMA_F64(a, b, c) __builtin_fma(a, b, c)
#define NC_SQRT_F32(x) __builtin_sqrtf(x)
#define NC_SQRT_F64(x) __builtin_sqrt(x)
#define NC_FLOOR_F32(x) __builtin_floorf(x)
#define NC_FLOOR_F64(x) __builtin_floor(x)
#define NC_TRUNC_F32(x) __builtin_truncf(x)
#define NC_TRUNC_F64(x) __builtin_trunc(x)
#define NC_RINT_F32(x) __builtin_rintf(x)
#define NC_RINT_F64(x) __builtin_rint(x)
#define NC_FABS_F32(x) __builtin_fabsf(x)
#define NC_FABS_F64(x) __builtin_fabs(x)
#define NC_COPYSIGN_F32(x, y) __builtin_copysignf(x, y)
#define NC_COPYSIGN_F64(x, y) __builtin_copysign(x, y)

NC_FN nc_u32 nc_mulhi_u32(nc_u32 a, nc_u32 b)
{
    return (nc_u32)(((nc_u64)a * b) >> 32);
}
NC_FN nc_u64 nc_mulhi_u64(nc_u64 a, nc_u64 b)
{
    __extension__ typedef unsigned __int128 wide;
    return (nc_u64)(((wide)a * b) >> 64);
}
NC_FN nc_u32 nc_bits_of_f32(nc_f32 x)
{
    nc_u32 bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
NC_FN nc_u64 nc_bits_of_f64(nc_f64 x)
{
    nc_u64 bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
NC_FN nc_f32 nc_f32_of_bits(nc_u32 bits)
{
    nc_f32 x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
NC_FN nc_f64 nc_f64_of_bits(nc_u64 bits)
{
    nc_f64 x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// A kernel body sees its share of the items as `nc_items`; NC_FOR_ITEMS walks it.
typedef struct nc_range {
    nc_u64 begin, end;
} nc_range;
typedef void (*nc_thunk)(nc_range nc_items, const void *const *nc_args);

#define NC_FOR_ITEMS(i, count) for (nc_u64 i = nc_items.begin; i < nc_items.end && i < (count); ++i)

// Tiles (dialect.h): the processor walks all lanes of a tile in the innermost loops, which carry nothing from lane to lane. Every
// tile of a range may use the working memory of the range's first one, `home`.
#define NC_LANES NC_TILE
#define NC_FIRST_LANE(item) 0u
#define NC_FOR_TILES(item, home, tiles)                                                                                            \
    for (nc_u64 item = (nc_items.begin + NC_TILE - 1u) / NC_TILE * NC_TILE, home = item / NC_TILE;                                 \
         item < nc_items.end && item < (tiles)*NC_TILE; item += NC_TILE)
#if defined(__clang__)
#define NC_FOR_LANES(lane) _Pragma("clang loop vectorize(assume_safety)") for (nc_u32 lane = 0u; lane < NC_LANES; ++lane)
#else
#define NC_FOR_LANES(lane) _Pragma("GCC ivdep") for (nc_u32 lane = 0u; lane < NC_LANES; ++lane)
#endif

#define NC_THUNK_ARG(k, type) (*(type const *)nc_args[k])
// Kernels and thunks are static: the CPU backend compiles the bodies once per instruction set and exports one table from each.
#define NC_KERNEL_NAME(name) NC_CONCAT(name, _kernel)
#define NC_THUNK_NAME(name) NC_CONCAT(name, _thunk)

#define NC_KERNEL1(name, T0, a0)                                                                                                   \
    static void NC_KERNEL_NAME(name)(nc_range nc_items, T0 a0);                                                                    \
    static void NC_THUNK_NAME(name)(nc_range nc_items, const void *const *nc_args)                                                 \
    {                                                                                                                              \
        NC_KERNEL_NAME(name)(nc_items, NC_THUNK_ARG(0, T0));                                                                       \
    }                                                                                                                              \
    static void NC_KERNEL_NAME(name)(nc_range nc_items, T0 a0)
#define NC_KERNEL2(name, T0, a0, T1, a1)                                                                                           \
    static void NC_KERNEL_NAME(name)(nc_range nc_items, T0 a0, T1 a1);                                                             \
    static void NC_THUNK_NAME(name)(nc_range nc_items, const void *const *nc_args)                                                 \
    {                                                                                                                              \
        NC_KERNEL_NAME(name)(nc_items, NC_THUNK_ARG(0, T0), NC_THUNK_ARG(1, T1));                                                  \
    }                                                                                                                              \
    static void NC_KERNEL_NAME(name)(nc_range nc_items, T0 a0, T1 a1)
#define NC_KERNEL3(name, T0, a0, T1, a1, T2, a2)                                                                                   \
    static void NC_KERNEL_NAME(name)(nc_range nc_items, T0 a0, T1 a1, T2 a2);                                                      \
    static void NC_THUNK_NAME(name)(nc_range nc_items, const void *const *nc_args)                                                 \
    {                                                                                                                              \
        NC_KERNEL_NAME(name)(nc_items, NC_THUNK_ARG(0, T0), NC_THUNK_ARG(1, T1), NC_THUNK_ARG(2, T2));                             \
    }                                                                                                                              \
    static void NC_KERNEL_NAME(name)(nc_range nc_items, T0 a0, T1 a1, T2 a2)
#define NC_KERNEL4(name, T0, a0, T1, a1, T2, a2, T3, a3)                                                                           \
    static void NC_KERNEL_NAME(name)(nc_range nc_items, T0 a0, T1 a1, T2 a2, T3 a3);                                               \
    static void NC_THUNK_NAME(name)(nc_range nc_items, const void *const *nc_args)                                                 \
    {                                                                                                                              \
        NC_KERNEL_NAME(name)                                                                                                       \
        (nc_items, NC_THUNK_ARG(0, T0), NC_THUNK_ARG(1, T1), NC_THUNK_ARG(2, T2), NC_THUNK_ARG(3, T3));                            \
    }                                                                                                                              \
    static void NC_KERNEL_NAME(name)(nc_range nc_items, T0 a0, T1 a1, T2 a2, T3 a3)
#define NC_KERNEL5(name, T0, a0, T1, a1, T2, a2, T3, a3, T4, a4)                                                                   \
    static void NC_KERNEL_NAME(name)(nc_range nc_items, T0 a0, T1 a1, T2 a2, T3 a3, T4 a4);                                        \
    static void NC_THUNK_NAME(name)(nc_range nc_items, const void *const *nc_args)                                                 \
    {                                                                                                                              \
        NC_KERNEL_NAME(name)                                                                                                       \
        (nc_items, NC_THUNK_ARG(0, T0), NC_THUNK_ARG(1, T1), NC_THUNK_ARG(2, T2), NC_THUNK_ARG(3, T3), NC_THUNK_ARG(4, T4));       \
    }                                                                                                                              \
    static void NC_KERNEL_NAME(name)(nc_range nc_items, T0 a0, T1 a1, T2 a2, T3 a3, T4 a4)
#define NC_KERNEL6(name, T0, a0, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5)                                                           \
    static void NC_KERNEL_NAME(name)(nc_range nc_items, T0 a0, T1 a1, T2 a2, T3 a3, T4 a4, T5 a5);                                 \
    static void NC_THUNK_NAME(name)(nc_range nc_items, const void *const *nc_args)                                                 \
    {                                                                                                                              \
        NC_KERNEL_NAME(name)                                                                                                       \
        (nc_items, NC_THUNK_ARG(0, T0), NC_THUNK_ARG(1, T1), NC_THUNK_ARG(2, T2), NC_THUNK_ARG(3, T3), NC_THUNK_ARG(4, T4),        \
         NC_THUNK_ARG(5, T5));                                                                                                     \
    }                                                                                                                              \
    static void NC_KERNEL_NAME(name)(nc_range nc_items, T0 a0, T1 a1, T2 a2, T3 a3, T4 a4, T5 a5)
#define NC_KERNEL7(name, T0, a0, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6)                                                   \
    static void NC_KERNEL_NAME(name)(nc_range nc_items, T0 a0, T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6);                          \
    static void NC_THUNK_NAME(name)(nc_range nc_items, const void *const *nc_args)                                                 \
    {                                                                                                                              \
        NC_KERNEL_NAME(name)                                                                                                       \
        (nc_items, NC_THUNK_ARG(0, T0), NC_THUNK_ARG(1, T1), NC_THUNK_ARG(2, T2), NC_THUNK_ARG(3, T3), NC_THUNK_ARG(4, T4),        \
         NC_THUNK_ARG(5, T5), NC_THUNK_ARG(6, T6));                                                                                \
    }                                                                                                                              \
    static void NC_KERNEL_NAME(name)(nc_range nc_items, T0 a0, T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6)
#define NC_KERNEL8(name, T0, a0, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7)                                           \
    static void NC_KERNEL_NAME(name)(nc_range nc_items, T0 a0, T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7);                   \
    static void NC_THUNK_NAME(name)(nc_range nc_items, const void *const *nc_args)                                                 \
    {                                                                                                                              \
        NC_KERNEL_NAME(name)                                                                                                       \
        (nc_items, NC_THUNK_ARG(0, T0), NC_THUNK_ARG(1, T1), NC_THUNK_ARG(2, T2), NC_THUNK_ARG(3, T3), NC_THUNK_ARG(4, T4),        \
         NC_THUNK_ARG(5, T5), NC_THUNK_ARG(6, T6), NC_THUNK_ARG(7, T7));                                                           \
    }                                                                                                                              \
    static void NC_KERNEL_NAME(name)(nc_range nc_items, T0 a0, T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7)
#define NC_KERNEL11(name, T0, a0, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9, T10, a10)                \
    static void NC_KERNEL_NAME(name)(nc_range nc_items, T0 a0, T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9,      \
                                     T10 a10);                                                                                     \
    static void NC_THUNK_NAME(name)(nc_range nc_items, const void *const *nc_args)                                                 \
    {                                                                                                                              \
        NC_KERNEL_NAME(name)                                                                                                       \
        (nc_items, NC_THUNK_ARG(0, T0), NC_THUNK_ARG(1, T1), NC_THUNK_ARG(2, T2), NC_THUNK_ARG(3, T3), NC_THUNK_ARG(4, T4),        \
         NC_THUNK_ARG(5, T5), NC_THUNK_ARG(6, T6), NC_THUNK_ARG(7, T7), NC_THUNK_ARG(8, T8), NC_THUNK_ARG(9, T9),                  \
         NC_THUNK_ARG(10, T10));                                                                                                   \
    }                                                                                                                              \
    static void NC_KERNEL_NAME(name)(nc_range nc_items, T0 a0, T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9,      \
                                     T10 a10)
#define NC_KERNEL12(name, T0, a0, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9, T10, a10, T11, a11)      \
    static void NC_KERNEL_NAME(name)(nc_range nc_items, T0 a0, T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9,      \
                                     T10 a10, T11 a11);                                                                            \
    static void NC_THUNK_NAME(name)(nc_range nc_items, const void *const *nc_args)                                                 \
    {                                                                                                                              \
        NC_KERNEL_NAME(name)                                                                                                       \
        (nc_items, NC_THUNK_ARG(0, T0), NC_THUNK_ARG(1, T1), NC_THUNK_ARG(2, T2), NC_THUNK_ARG(3, T3), NC_THUNK_ARG(4, T4),        \
         NC_THUNK_ARG(5, T5), NC_THUNK_ARG(6, T6), NC_THUNK_ARG(7, T7), NC_THUNK_ARG(8, T8), NC_THUNK_ARG(9, T9),                  \
         NC_THUNK_ARG(10, T10), NC_THUNK_ARG(11, T11));                                                                            \
    }                                                                                                                              \
    static void NC_KERNEL_NAME(name)(nc_range nc_items, T0 a0, T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9,      \
                                     T10 a10, T11 a11)
#define NC_KERNEL10(name, T0, a0, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9)                          \
    static void NC_KERNEL_NAME(name)(nc_range nc_items, T0 a0, T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9);     \
    static void NC_THUNK_NAME(name)(nc_range nc_items, const void *const *nc_args)                                                 \
    {                                                                                                                              \
        NC_KERNEL_NAME(name)                                                                                                       \
        (nc_items, NC_THUNK_ARG(0, T0), NC_THUNK_ARG(1, T1), NC_THUNK_ARG(2, T2), NC_THUNK_ARG(3, T3), NC_THUNK_ARG(4, T4),        \
         NC_THUNK_ARG(5, T5), NC_THUNK_ARG(6, T6), NC_THUNK_ARG(7, T7), NC_THUNK_ARG(8, T8), NC_THUNK_ARG(9, T9));                 \
    }                                                                                                                              \
    static void NC_KERNEL_NAME(name)(nc_range nc_items, T0 a0, T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9)
#define NC_KERNEL14(name, T0, a0, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9, T10, a10, T11, a11, T12, \
                    a12, T13, a13)                                                                                                 \
    static void NC_KERNEL_NAME(name)(nc_range nc_items, T0 a0, T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9,      \
                                     T10 a10, T11 a11, T12 a12, T13 a13);                                                          \
    static void NC_THUNK_NAME(name)(nc_range nc_items, const void *const *nc_args)                                                 \
    {                                                                                                                              \
        NC_KERNEL_NAME(name)                                                                                                       \
        (nc_items, NC_THUNK_ARG(0, T0), NC_THUNK_ARG(1, T1), NC_THUNK_ARG(2, T2), NC_THUNK_ARG(3, T3), NC_THUNK_ARG(4, T4),        \
         NC_THUNK_ARG(5, T5), NC_THUNK_ARG(6, T6), NC_THUNK_ARG(7, T7), NC_THUNK_ARG(8, T8), NC_THUNK_ARG(9, T9),                  \
         NC_THUNK_ARG(10, T10), NC_THUNK_ARG(11, T11), NC_THUNK_ARG(12, T12), NC_THUNK_ARG(13, T13));                              \
    }                                                                                                                              \
    static void NC_KERNEL_NAME(name)(nc_range nc_items, T0 a0, T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9,      \
                                     T10 a10, T11 a11, T12 a12, T13 a13)

#endif
