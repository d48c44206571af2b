// SPDX-License-Identifier: Apache-2.0
// Random rows of the module model.
#include "../lib/recipe.h"
#include "network.h"
#include "sweep.h"

golden_sweep_network golden_draw_network(golden_random *random, golden_text *arguments)
{
    static const struct {
        const char *name;
        bool has_a, has_b;
    } networks[] = {{"decay", true, false},    {"exchange", true, true},   {"coupled", true, true},
                    {"epidemic", true, false}, {"kinetics", false, false}, {"ageing", false, false}};
    golden_sweep_network n = {.a = 1, .b = 1};
    n.kind = (golden_network_kind)golden_random_below(random, 6);
    golden_text_printf(arguments, " network=%s", networks[n.kind].name);
    if (networks[n.kind].has_a) {
        n.a = golden_random_below(random, 3) + 1;
        golden_text_printf(arguments, " a=%llu", (unsigned long long)n.a);
    }
    if (networks[n.kind].has_b) {
        n.b = golden_random_below(random, 3) + 1;
        golden_text_printf(arguments, " b=%llu", (unsigned long long)n.b);
    }
    static const uint64_t fixed[6][3] = {{0, 1, 0}, {0, 0, 0}, {0, 0, 0}, {0, 2, 0}, {3, 4, 4}, {12, 1, 9}};
    n.states = fixed[n.kind][0];
    n.parameters = fixed[n.kind][1];
    n.observables = fixed[n.kind][2];
    if (n.kind == GOLDEN_NETWORK_DECAY || n.kind == GOLDEN_NETWORK_EPIDEMIC) {
        n.states = n.kind == GOLDEN_NETWORK_DECAY ? n.a : 3 * n.a;
        n.observables = n.a;
    } else if (n.kind == GOLDEN_NETWORK_EXCHANGE || n.kind == GOLDEN_NETWORK_COUPLED) {
        n.states = 3 * n.a * n.b;
        n.parameters = 1 + n.a + n.b + n.b * n.b;
        n.observables = n.a + 1;
    }
    return n;
}

void golden_draw_positive(golden_text *arguments, const char *key, golden_random *random, uint64_t count, int64_t low, int64_t high)
{
    golden_text_printf(arguments, " %s=positive(%llu,%llu,%lld,%lld)", key, (unsigned long long)count,
                       (unsigned long long)(golden_random_next(random) >> 16), (long long)low, (long long)high);
}

// A point of the network, of either sign: the formulas do not ask for populations, but a ratio's bottom must not vanish.
static golden_sweep_network draw_point(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    char token[GOLDEN_TOKEN_BYTES];
    golden_sweep_network n = golden_draw_network(random, arguments);
    golden_format(golden_random_real(random, dtype, -4, 0, false), token);
    golden_text_printf(arguments, " t=[%s]", token);
    golden_draw_positive(arguments, "y", random, n.states, -4, 4);
    golden_draw_positive(arguments, "p", random, n.parameters, -4, 2);
    return n;
}

static void draw_function(golden_random *random, golden_text *arguments, golden_sweep_network n, const char *weights)
{
    bool observables = golden_random_below(random, 3) == 0;
    golden_text_puts(arguments, observables ? " of=observables" : " of=rhs");
    if (weights != NULL) {
        golden_draw_spread(arguments, weights, random, observables ? n.observables : n.states, -3, 3);
    }
}

void golden_draw_model_values(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    draw_function(random, arguments, draw_point(random, dtype, arguments), NULL);
}

void golden_draw_model_fluxes(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    (void)draw_point(random, dtype, arguments);
}

void golden_draw_model_jacobian(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    draw_function(random, arguments, draw_point(random, dtype, arguments), NULL);
}

void golden_draw_model_jvp(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    golden_sweep_network n = draw_point(random, dtype, arguments);
    draw_function(random, arguments, n, NULL);
    golden_draw_spread(arguments, "vt", random, 1, -3, 3);
    golden_draw_spread(arguments, "vy", random, n.states, -3, 3);
    golden_draw_spread(arguments, "vp", random, n.parameters, -3, 3);
}

void golden_draw_model_vjp(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    golden_sweep_network n = draw_point(random, dtype, arguments);
    draw_function(random, arguments, n, "w");
}
