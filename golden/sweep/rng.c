// SPDX-License-Identifier: Apache-2.0
// Random addresses of the module rng.
#include "sweep.h"

// Addresses of a few draws: small, around carries of the counter's words, anywhere.
static void draw_address(golden_random *random, uint64_t last, golden_text *arguments)
{
    uint64_t kind = golden_random_below(random, 4), count = golden_random_below(random, 8) + 1;
    uint64_t first = golden_random_next(random) % (last - 8);
    if (kind == 0) {
        first = golden_random_below(random, 64);
    } else if (kind == 1) {
        first = ((uint64_t)1 << (20 + golden_random_below(random, 42))) - golden_random_below(random, 12) - 1; // carries
    } else if (kind == 2) {
        first = last - count + 1; // up to the very last index
    }
    golden_text_printf(arguments, " seed=0x%llx stream=0x%llx first=0x%llx count=%llu",
                       (unsigned long long)golden_random_next(random),
                       (unsigned long long)(golden_random_next(random) >> golden_random_below(random, 64)),
                       (unsigned long long)first, (unsigned long long)count);
}

void golden_draw_rng_words(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    (void)dtype;
    draw_address(random, UINT64_MAX, arguments);
}

// float32 takes one word, float64 two
static uint64_t last_index(golden_dtype dtype)
{
    return dtype == GOLDEN_F32 ? UINT64_MAX : UINT64_MAX >> 1;
}

void golden_draw_rng_uniform(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    draw_address(random, last_index(dtype), arguments);
}

void golden_draw_rng_uniform_curand(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    draw_address(random, last_index(dtype), arguments);
}
void golden_draw_rng_normal(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    (void)dtype;
    draw_address(random, UINT64_MAX >> 1, arguments); // binary64 uniforms for both dtypes
}
