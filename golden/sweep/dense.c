// SPDX-License-Identifier: Apache-2.0
// Random rows of the module dense.
#include "../lib/recipe.h"
#include "sweep.h"

// " key=positive(count,seed,low,high)" with a fresh seed
static void draw_positive(golden_text *arguments, const char *key, golden_random *random, uint64_t count, int64_t low, int64_t high)
{
    golden_text_printf(arguments, " %s=positive(%llu,%llu,%lld,%lld)", key, (unsigned long long)count,
                       (unsigned long long)(golden_random_next(random) >> 16), (long long)low, (long long)high);
}

// Row counts around chunks of 512 now and then, else small.
void golden_draw_dense_gram(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    static const uint64_t edges[] = {511, 512, 513, 1025};
    (void)dtype;
    uint64_t rows = golden_random_below(random, 12) == 0 ? edges[golden_random_below(random, 4)] : golden_random_below(random, 30);
    uint64_t columns = golden_random_below(random, 4) + 1;
    golden_text_printf(arguments, " rows=%llu columns=%llu", (unsigned long long)rows, (unsigned long long)columns);
    golden_draw_spread(arguments, "x", random, rows * columns, -6, 6);
    draw_positive(arguments, "w", random, rows, -4, 4);
}

// Diagonally dominant, so positive definite: n - 1 entries below 2 beside a diagonal of at least 2 (n - 1).
void golden_draw_dense_cholesky(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    (void)dtype;
    uint64_t n = golden_random_below(random, 7) + 1;
    golden_text_printf(arguments, " n=%llu", (unsigned long long)n);
    golden_draw_spread(arguments, "lower", random, n * (n - 1) / 2, -6, 0);
    draw_positive(arguments, "diagonal", random, n, 4, 7);
    golden_draw_spread(arguments, "b", random, n, -3, 3);
}

// Entries of one size: singular to working precision with a chance that no seed of this program meets.
void golden_draw_dense_lu(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    (void)dtype;
    uint64_t n = golden_random_below(random, 6) + 1;
    golden_text_printf(arguments, " n=%llu", (unsigned long long)n);
    golden_draw_spread(arguments, "a", random, n * n, -2, 2);
    golden_draw_spread(arguments, "b", random, n, -3, 3);
}

// A dominant diagonal, so far from singular; in one of three the last column repeats the first, so that the rank is n - 1 exactly.
void golden_draw_dense_minimum_norm(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    uint64_t n = golden_random_below(random, 5) + 1;
    golden_text_printf(arguments, " n=%llu a=[", (unsigned long long)n);
    bool deficient = n > 1 && golden_random_below(random, 3) == 0;
    for (uint64_t i = 0; i < n; ++i) {
        golden_value first = {0};
        for (uint64_t j = 0; j < n; ++j) {
            char token[GOLDEN_TOKEN_BYTES];
            golden_value value = golden_random_real(random, dtype, i == j ? 4 : -2, i == j ? 5 : 0, false);
            first = j == 0 ? value : first;
            golden_format(deficient && j == n - 1 ? first : value, token);
            golden_text_printf(arguments, "%s%s", i + j == 0 ? "" : ",", token);
        }
    }
    golden_text_puts(arguments, "]");
    golden_draw_spread(arguments, "b", random, n, -3, 3);
}
