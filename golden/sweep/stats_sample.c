// SPDX-License-Identifier: Apache-2.0
// Random draws of the module stats: a few at a random address, parameters on both sides of every choice of method.
#include "stats.h"

static void put_address(golden_random *random, golden_text *arguments)
{
    uint64_t last = ((uint64_t)1 << 58) - 1, count = golden_random_below(random, 4) + 1;
    uint64_t first = golden_random_below(random, 2) ? golden_random_below(random, 8192) : golden_random_next(random) % (last - 8);
    golden_text_printf(arguments, " seed=0x%llx stream=0x%llx first=0x%llx count=%llu",
                       (unsigned long long)golden_random_next(random),
                       (unsigned long long)(golden_random_next(random) >> (32 + golden_random_below(random, 32))),
                       (unsigned long long)first, (unsigned long long)count);
}

static void put_location(golden_random *random, golden_dtype dtype, golden_text *arguments, const char *mu, const char *sigma)
{
    golden_stats_real(arguments, dtype, mu, golden_stats_signed(random, dtype, -6, 3));
    golden_stats_real(arguments, dtype, sigma, golden_stats_positive(random, dtype, -4, 2));
}

void golden_draw_stats_sample_normal(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    put_address(random, arguments);
    put_location(random, dtype, arguments, "p0", "p1");
}
void golden_draw_stats_sample_lognormal(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    put_address(random, arguments);
    put_location(random, dtype, arguments, "p0", "p1");
}
void golden_draw_stats_sample_student_t(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    put_address(random, arguments);
    golden_stats_real(arguments, dtype, "p0", golden_stats_positive(random, dtype, 0, 10));
    put_location(random, dtype, arguments, "p1", "p2");
}
void golden_draw_stats_sample_gamma(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    put_address(random, arguments);
    golden_stats_real(arguments, dtype, "p0", golden_stats_positive(random, dtype, -4, 12));
    golden_stats_real(arguments, dtype, "p1", golden_stats_positive(random, dtype, -6, 6));
}
void golden_draw_stats_sample_poisson(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    put_address(random, arguments);
    golden_stats_real(arguments, dtype, "p0", golden_stats_positive(random, dtype, -3, golden_random_below(random, 2) ? 4 : 18));
}
void golden_draw_stats_sample_negative_binomial(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    put_address(random, arguments);
    golden_stats_real(arguments, dtype, "p0", golden_stats_positive(random, dtype, -3, 12));
    golden_stats_real(arguments, dtype, "p1", golden_stats_positive(random, dtype, -2, 8));
}
static void put_binomial(golden_random *random, golden_dtype dtype, golden_text *arguments, bool by_logit)
{
    put_address(random, arguments);
    golden_text_printf(arguments, " trials=%llu",
                       (unsigned long long)(1 + golden_random_below(random, (uint64_t)1 << golden_random_below(random, 18))));
    double p = golden_stats_positive(random, dtype, -6, -1);
    if (by_logit) {
        p = golden_stats_signed(random, dtype, -4, 1);
    } else if (golden_random_below(random, 2)) {
        p = golden_stats_narrow(dtype, 1.0 - p);
    }
    golden_stats_real(arguments, dtype, "p0", p);
}
void golden_draw_stats_sample_binomial(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    put_binomial(random, dtype, arguments, false);
}
void golden_draw_stats_sample_binomial_logit(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    put_binomial(random, dtype, arguments, true);
}
