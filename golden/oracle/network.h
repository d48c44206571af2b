// SPDX-License-Identifier: Apache-2.0
// The networks of the golden corpora of models and solvers, as explicit loops over cells. docs/golden.md lists them by name; the
// same networks are described through nc.h in golden/answers/networks.c.
#ifndef ORACLE_NETWORK_H
#define ORACLE_NETWORK_H

#include "tape.h"

typedef enum oracle_part { ORACLE_ALL, ORACLE_EXPLICIT_PART, ORACLE_IMPLICIT_PART } oracle_part;

typedef struct oracle_network oracle_network;

// Nodes of one evaluation: states and parameters first, then the time.
typedef struct oracle_point {
    const int *y, *p;
    int time;
} oracle_point;

// Equations being added up, flow by flow: a cell's rate is one chain of weight * flux in the order of the flows.
typedef struct oracle_balance {
    oracle_tape *tape;
    oracle_part part;
    int *rates;  // -1: no term yet
    int *fluxes; // null: not wanted
    int reactions;
} oracle_balance;

typedef void oracle_rates(const oracle_network *network, oracle_point at, oracle_balance *balance);
typedef void oracle_observe(const oracle_network *network, oracle_tape *tape, oracle_point at, int *observables);

struct oracle_network {
    int sizes[2]; // of the axes whose extents a row gives
    int states, parameters, observables, reactions;
    const oracle_table *tables;
    oracle_rates *rates;
    oracle_observe *observe;
};

// The network that the row names, with its sizes.
golden_status oracle_network_read(const golden_row *row, oracle_network *network, golden_error *error);

// Whether a flow of this kind belongs to the part; if not, the network does not compute it.
bool oracle_wants(const oracle_balance *balance, bool is_implicit);
// One cell of a flow. A cell of -1 is none; weights are positive.
void oracle_flow(oracle_balance *balance, int flux, int source, int source_weight, int target, int target_weight);

// All rates of a part at a point; fluxes may be null. Cells without a flow get the constant 0.
void oracle_network_rates(const oracle_network *network, oracle_tape *tape, oracle_part part, oracle_point at, int *rates,
                          int *fluxes);

// The networks.
void oracle_exchange_rates(const oracle_network *network, oracle_point at, oracle_balance *balance);
void oracle_coupled_rates(const oracle_network *network, oracle_point at, oracle_balance *balance);
void oracle_exchange_observe(const oracle_network *network, oracle_tape *tape, oracle_point at, int *observables);
void oracle_epidemic_rates(const oracle_network *network, oracle_point at, oracle_balance *balance);
void oracle_epidemic_observe(const oracle_network *network, oracle_tape *tape, oracle_point at, int *observables);
void oracle_kinetics_rates(const oracle_network *network, oracle_point at, oracle_balance *balance);
void oracle_kinetics_observe(const oracle_network *network, oracle_tape *tape, oracle_point at, int *observables);
void oracle_ageing_rates(const oracle_network *network, oracle_point at, oracle_balance *balance);
void oracle_ageing_observe(const oracle_network *network, oracle_tape *tape, oracle_point at, int *observables);
void oracle_decay_rates(const oracle_network *network, oracle_point at, oracle_balance *balance);
void oracle_decay_observe(const oracle_network *network, oracle_tape *tape, oracle_point at, int *observables);
extern const oracle_table oracle_kinetics_tables[1];

#endif
