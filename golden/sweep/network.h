// SPDX-License-Identifier: Apache-2.0
// Random networks for the sweeps of models and solvers.
#ifndef GOLDEN_SWEEP_NETWORK_H
#define GOLDEN_SWEEP_NETWORK_H

#include "sweep.h"

typedef enum golden_network_kind {
    GOLDEN_NETWORK_DECAY,
    GOLDEN_NETWORK_EXCHANGE,
    GOLDEN_NETWORK_COUPLED,
    GOLDEN_NETWORK_EPIDEMIC,
    GOLDEN_NETWORK_KINETICS,
    GOLDEN_NETWORK_AGEING
} golden_network_kind;

// A network with its extents and cells.
typedef struct golden_sweep_network {
    golden_network_kind kind;
    uint64_t a, b, states, parameters, observables;
} golden_sweep_network;

// Appends " network=... a=... b=...".
golden_sweep_network golden_draw_network(golden_random *random, golden_text *arguments);
// " key=positive(count,seed,low,high)" with a fresh seed
void golden_draw_positive(golden_text *arguments, const char *key, golden_random *random, uint64_t count, int64_t low,
                          int64_t high);

#endif
