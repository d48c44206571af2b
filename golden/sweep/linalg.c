// SPDX-License-Identifier: Apache-2.0
// Random rows of the module linalg. Exponents stay where no intermediate overflows; subnormal results are drawn on purpose.
#include "../lib/recipe.h"
#include "sweep.h"

// Lengths that meet every branch of the canonical order: none, a few, around the lanes, around chunks, several chunks.
static uint64_t draw_length(golden_random *random)
{
    static const uint64_t edges[] = {1, 2, 3, 255, 256, 257, 511, 513, 4095, 4096, 4097, 8193};
    uint64_t kind = golden_random_below(random, 8);
    if (kind == 0) {
        return edges[golden_random_below(random, sizeof edges / sizeof edges[0])];
    }
    return kind < 6 ? golden_random_below(random, 40) : golden_random_below(random, 700);
}

// 1 .. most, and none in one of thirty-two.
static uint64_t draw_extent(golden_random *random, uint64_t most)
{
    return golden_random_below(random, 32) == 0 ? 0 : golden_random_below(random, most) + 1;
}

typedef struct exponents {
    int64_t low, high;
} exponents;

// A range of exponents: mostly narrow around zero; some near underflow, some wide.
static exponents draw_exponents(golden_random *random, golden_dtype dtype)
{
    int64_t least = dtype == GOLDEN_F32 ? -149 : -1074, wide = dtype == GOLDEN_F32 ? 40 : 300;
    uint64_t kind = golden_random_below(random, 8);
    if (kind == 0) {
        return (exponents){least, least + 30};
    }
    return kind == 1 ? (exponents){-wide, wide} : (exponents){-8, 8};
}

static void draw_scalar(golden_random *random, golden_text *arguments, const char *key)
{
    static const uint64_t plain[] = {0, 0x8000000000000000u, 0x3ff0000000000000u, 0xbff0000000000000u}; // 0, -0, 1, -1
    uint64_t kind = golden_random_below(random, 8);
    golden_value value = golden_random_real(random, GOLDEN_F64, -8, 8, false);
    if (kind < 4) {
        value.bits = plain[kind];
    }
    golden_draw_value(arguments, key, value);
}

static void draw_operand(golden_random *random, golden_dtype dtype, golden_text *arguments, const char *key, uint64_t count)
{
    exponents range = draw_exponents(random, dtype);
    uint64_t seed = golden_random_next(random) >> 16, kind = golden_random_below(random, 8);
    if (kind == 0) {
        golden_text_printf(arguments, " %s=cancel(%llu,%llu,%lld,%lld)", key, (unsigned long long)count, (unsigned long long)seed,
                           (long long)range.low, (long long)range.high);
    } else if (kind == 1) {
        golden_text_printf(arguments, " %s=special(%llu,%llu,%lld,%lld,zps)", key, (unsigned long long)count,
                           (unsigned long long)seed, (long long)range.low, (long long)range.high);
    } else {
        golden_draw_spread(arguments, key, random, count, range.low, range.high);
    }
}

void golden_draw_linalg_axpy(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    uint64_t count = draw_extent(random, 11);
    draw_scalar(random, arguments, "alpha");
    draw_operand(random, dtype, arguments, "x", count);
    draw_operand(random, dtype, arguments, "y", count);
}

void golden_draw_linalg_sum(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    draw_operand(random, dtype, arguments, "x", draw_length(random));
}

void golden_draw_linalg_dot(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    uint64_t count = draw_length(random);
    draw_operand(random, dtype, arguments, "x", count);
    draw_operand(random, dtype, arguments, "y", count);
}

// All values, infinities too; a NaN in one row of eight, which then declares it.
static void draw_ordered(golden_random *random, golden_dtype dtype, golden_text *arguments, uint64_t count)
{
    exponents range = draw_exponents(random, dtype);
    bool nan = golden_random_below(random, 8) == 0;
    golden_text_printf(arguments, " x=special(%llu,%llu,%lld,%lld,%s)%s", (unsigned long long)count,
                       (unsigned long long)(golden_random_next(random) >> 16), (long long)range.low, (long long)range.high,
                       nan ? "nijzpsml" : "ijzpsml", nan ? " expect_nan=all" : "");
}

void golden_draw_linalg_minimum(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    draw_ordered(random, dtype, arguments, draw_length(random) + 1);
}

void golden_draw_linalg_maximum(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    draw_ordered(random, dtype, arguments, draw_length(random) + 1);
}

void golden_draw_linalg_block_maximum(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    uint64_t count = draw_extent(random, 59);
    draw_ordered(random, dtype, arguments, count);
    golden_text_printf(arguments, " block=%llu", (unsigned long long)golden_random_below(random, 20) + 1);
}

void golden_draw_linalg_gemm(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    uint64_t m = draw_extent(random, 4), n = draw_extent(random, 4), k = golden_random_below(random, 40);
    golden_text_printf(arguments, " m=%llu n=%llu k=%llu", (unsigned long long)m, (unsigned long long)n, (unsigned long long)k);
    draw_scalar(random, arguments, "alpha");
    draw_scalar(random, arguments, "beta");
    draw_operand(random, dtype, arguments, "a", m * k);
    draw_operand(random, dtype, arguments, "b", k * n);
    draw_operand(random, dtype, arguments, "c", m * n);
}
