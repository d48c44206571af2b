// SPDX-License-Identifier: Apache-2.0
#include "network.h"

#include <string.h>

// Cells as functions of the extents a, b.
static const struct {
    const char *name;
    oracle_rates *rates;
    oracle_observe *observe;
    const oracle_table *tables;
    int states[3], parameters[4], observables[3], reactions[3]; // c + a n + ab n (+ bb n)
    bool has_b;
} networks[] = {
    {"decay", oracle_decay_rates, oracle_decay_observe, NULL, {0, 1, 0}, {1, 0, 0, 0}, {0, 1, 0}, {0, 1, 0}, false},
    {"exchange", oracle_exchange_rates, oracle_exchange_observe, NULL, {0, 0, 3}, {1, 1, 0, 1}, {1, 1, 0}, {0, 0, 4}, true},
    {"coupled", oracle_coupled_rates, oracle_exchange_observe, NULL, {0, 0, 3}, {1, 1, 0, 1}, {1, 1, 0}, {0, 0, 4}, true},
    {"epidemic", oracle_epidemic_rates, oracle_epidemic_observe, NULL, {0, 3, 0}, {2, 0, 0, 0}, {0, 1, 0}, {0, 2, 0}, false},
    {"kinetics",
     oracle_kinetics_rates,
     oracle_kinetics_observe,
     oracle_kinetics_tables,
     {3, 0, 0},
     {4, 0, 0, 0},
     {4, 0, 0},
     {6, 0, 0},
     false},
    {"ageing", oracle_ageing_rates, oracle_ageing_observe, NULL, {12, 0, 0}, {1, 0, 0, 0}, {9, 0, 0}, {15, 0, 0}, false},
};

static int cells(const int *law, int a, int b)
{
    return law[0] + law[1] * a + law[2] * a * b;
}

golden_status oracle_network_read(const golden_row *row, oracle_network *network, golden_error *error)
{
    const char *name = NULL;
    int64_t a = 1, b = 1;
    golden_status status = golden_row_string(row, "network", &name, error);
    if (status == GOLDEN_OK && golden_row_has(row, "a")) {
        status = golden_row_integer(row, "a", &a, error);
    }
    if (status == GOLDEN_OK && golden_row_has(row, "b")) {
        status = golden_row_integer(row, "b", &b, error);
    }
    if (status == GOLDEN_OK && (a < 1 || a > 8 || b < 1 || b > 8)) {
        status = golden_fail(error, GOLDEN_REFUSED, "row %s: a and b must be 1 to 8.", row->id);
    }
    for (size_t i = 0; status == GOLDEN_OK && i < sizeof networks / sizeof networks[0]; ++i) {
        if (strcmp(networks[i].name, name) == 0) {
            int stages = networks[i].has_b ? (int)b : 0; // rho and T of the exchange
            *network = (oracle_network){.sizes = {(int)a, (int)b},
                                        .states = cells(networks[i].states, (int)a, (int)b),
                                        .parameters = cells(networks[i].parameters, (int)a, (int)b) + stages + stages * stages,
                                        .observables = cells(networks[i].observables, (int)a, (int)b),
                                        .reactions = cells(networks[i].reactions, (int)a, (int)b),
                                        .tables = networks[i].tables,
                                        .rates = networks[i].rates,
                                        .observe = networks[i].observe};
            return GOLDEN_OK;
        }
    }
    return status == GOLDEN_OK ? golden_fail(error, GOLDEN_REFUSED, "row %s: there is no network \"%s\".", row->id, name) : status;
}

bool oracle_wants(const oracle_balance *balance, bool is_implicit)
{
    return balance->part == ORACLE_ALL || (balance->part == ORACLE_IMPLICIT_PART) == is_implicit;
}

static void term(oracle_balance *balance, int cell, int weight, int flux)
{
    if (cell >= 0) {
        int factor = oracle_tape_constant(balance->tape, (double)weight);
        balance->rates[cell] = oracle_tape_chain(balance->tape, balance->rates[cell], factor, flux);
    }
}

void oracle_flow(oracle_balance *balance, int flux, int source, int source_weight, int target, int target_weight)
{
    if (balance->fluxes != NULL) {
        balance->fluxes[balance->reactions] = flux;
    }
    ++balance->reactions;
    term(balance, source, -source_weight, flux);
    term(balance, target, target_weight, flux);
}

void oracle_network_rates(const oracle_network *network, oracle_tape *tape, oracle_part part, oracle_point at, int *rates,
                          int *fluxes)
{
    oracle_balance balance = {.tape = tape, .part = part, .rates = rates, .fluxes = fluxes};
    for (int cell = 0; cell < network->states; ++cell) {
        rates[cell] = -1;
    }
    tape->tables = network->tables;
    network->rates(network, at, &balance);
    for (int cell = 0; cell < network->states; ++cell) {
        rates[cell] = rates[cell] < 0 ? oracle_tape_constant(tape, 0.0) : rates[cell];
    }
}
