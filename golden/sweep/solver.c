// SPDX-License-Identifier: Apache-2.0
// Random rows of the module solver.
#include "../lib/recipe.h"
#include "network.h"

// " times=[0, h, ...]": steps of different lengths, in sixty-fourths and so exact in both dtypes; now and then one is empty.
static void draw_times(golden_random *random, golden_text *arguments, uint64_t steps)
{
    uint64_t at = golden_random_below(random, 16);
    golden_text_puts(arguments, " times=[");
    for (uint64_t i = 0; i <= steps; ++i) {
        char token[GOLDEN_TOKEN_BYTES];
        golden_value value;
        (void)golden_value_of_integer((int64_t)at, GOLDEN_F64, &value);
        value.bits -= value.bits == 0 ? 0 : (uint64_t)6 << 52; // at / 64
        golden_format(value, token);
        golden_text_printf(arguments, "%s%s", i == 0 ? "" : ",", token);
        at += golden_random_below(random, 9);
    }
    golden_text_puts(arguments, "]");
}

static golden_sweep_network draw_start(golden_random *random, golden_text *arguments)
{
    golden_sweep_network n = golden_draw_network(random, arguments);
    golden_draw_positive(arguments, "y", random, n.states, -2, 0);
    golden_draw_positive(arguments, "p", random, n.parameters, -3, -1);
    return n;
}

void golden_draw_solver_run(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    static const char *const methods[] = {"euler", "heun",   "rk4",        "dopri5",       "implicit-euler", "trapezoidal", "bdf2",
                                          "ros2",  "sdirk2", "imex-euler", "imex-heun-tr", "imex-trbdf2",    "imex-ark3"};
    (void)dtype;
    golden_text_printf(arguments, " method=%s", methods[golden_random_below(random, 13)]);
    (void)draw_start(random, arguments);
    draw_times(random, arguments, golden_random_below(random, 5));
}

// In float32 the rounding of the error estimate reaches across the controller's choices (the row would be refused), so its rows
// make one step that the grid ends and whose error is far below the tolerance.
void golden_draw_solver_adaptive(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    (void)draw_start(random, arguments);
    draw_times(random, arguments, dtype == GOLDEN_F32 ? 1 : golden_random_below(random, 2) + 1);
    if (dtype == GOLDEN_F32) {
        golden_text_puts(arguments, " relative=0x1p+0 absolute=0x1p+0 first_step=0x1p+2");
        return;
    }
    golden_text_puts(arguments, " relative=0x1p-16 absolute=0x1p-18");
    if (golden_random_below(random, 2) == 0) {
        golden_text_puts(arguments, " first_step=0x1p-4");
    }
}

void golden_draw_solver_gradient(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    static const char *const methods[] = {"euler", "heun", "rk4", "dopri5"};
    (void)dtype;
    golden_text_printf(arguments, " method=%s", methods[golden_random_below(random, 4)]);
    golden_sweep_network n = draw_start(random, arguments);
    draw_times(random, arguments, golden_random_below(random, 4) + 1);
    golden_draw_spread(arguments, "seed", random, n.states, -2, 2);
}
