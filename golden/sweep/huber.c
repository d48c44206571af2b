// SPDX-License-Identifier: Apache-2.0
// Random streams of the module huber: more rows than coefficients, a tau that clips a part of them, a bandwidth so small that no
// residual of a random stream falls into the transition band; and predictions.
#include "sweep.h"

static void draw_stream(golden_random *random, golden_dtype dtype, golden_text *arguments, double lambda_scale)
{
    uint64_t p = golden_random_below(random, 3) + 1, batches = golden_random_below(random, 2) + 1;
    uint64_t rows = 12 + golden_random_below(random, 20);
    golden_text_printf(arguments, " p=%llu intercept=%llu batches=%llu rows=%llu max_iterations=1000000", (unsigned long long)p,
                       (unsigned long long)golden_random_below(random, 2), (unsigned long long)batches, (unsigned long long)rows);
    golden_draw_spread(arguments, "x", random, batches * rows * p, -1, 0);
    golden_draw_spread(arguments, "y", random, batches * rows, -1, 1);
    const struct {
        const char *key;
        double value;
    } reals[] = {{"tau", 1.5},
                 {"bandwidth_scale", 0x1p-30},
                 {"lambda_scale", lambda_scale},
                 {"tolerance", dtype == GOLDEN_F32 ? 0x1p-24 : 0x1p-50},
                 {"ridge", 0.0}};
    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; ++i) {
        golden_draw_value(arguments, reals[i].key, (golden_value){GOLDEN_F64, golden_bits_of_double(reals[i].value)});
    }
}

void golden_draw_huber_none(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    draw_stream(random, dtype, arguments, 0.0);
}

void golden_draw_huber_l1(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    draw_stream(random, dtype, arguments, 0.25);
}

void golden_draw_huber_predict(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    (void)dtype;
    uint64_t p = golden_random_below(random, 9) + 1, rows = golden_random_below(random, 6) + 1;
    uint64_t intercept = golden_random_below(random, 2);
    golden_text_printf(arguments, " p=%llu intercept=%llu rows=%llu", (unsigned long long)p, (unsigned long long)intercept,
                       (unsigned long long)rows);
    golden_draw_spread(arguments, "x", random, rows * p, -8, 8);
    golden_draw_spread(arguments, "beta", random, p + intercept, -8, 8);
}
