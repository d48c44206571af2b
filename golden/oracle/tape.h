// SPDX-License-Identifier: Apache-2.0
// A tape of the operations that a model's loops make, in their order (docs/models.md), with the rules of their derivatives: forward
// along tangents and backward along adjoints. Exact derivatives, at any precision or in the dtype's roundings.
#ifndef ORACLE_TAPE_H
#define ORACLE_TAPE_H

#include "engine.h"

typedef enum oracle_kind {
    ORACLE_GIVEN,
    ORACLE_MULTIPLY,
    ORACLE_FMA, // left * right + third
    ORACLE_ADD,
    ORACLE_RATIO, // left / right, and 0 / 0 is 0
    ORACLE_EXPONENTIAL,
    ORACLE_FORCING // table `third` at time `left`
} oracle_kind;

typedef struct oracle_node {
    oracle_kind kind;
    int left, right, third;
} oracle_node;

// Piecewise linear, constant outside; knots are doubles.
typedef struct oracle_table {
    int count;
    const double *times, *values;
} oracle_table;

typedef struct oracle_tape {
    oracle_engine *engine;
    int count, capacity;
    oracle_node *nodes;
    oracle_number *values, *tangents, *adjoints;
    const oracle_table *tables;
    oracle_number *scratch; // a few
    bool failed;            // memory was short: results are worthless
} oracle_tape;

void oracle_tape_init(oracle_tape *tape, oracle_engine *engine);
void oracle_tape_free(oracle_tape *tape);
void oracle_tape_reset(oracle_tape *tape);

// Nodes are numbers in the order of their making. A given node's value is the caller's to set.
int oracle_tape_given(oracle_tape *tape);
int oracle_tape_constant(oracle_tape *tape, double value);
// (high - low) / 2 of given doubles: exact, or rounded to binary64 and then to the dtype.
int oracle_tape_half_difference(oracle_tape *tape, double high, double low);
int oracle_tape_multiply(oracle_tape *tape, int left, int right);
int oracle_tape_fma(oracle_tape *tape, int left, int right, int third);
int oracle_tape_add(oracle_tape *tape, int left, int right);
int oracle_tape_ratio(oracle_tape *tape, int left, int right);
int oracle_tape_exponential(oracle_tape *tape, int argument);
int oracle_tape_forcing(oracle_tape *tape, int time, int table);

// Sums in the documented form. `sum` is -1 before the first term: x0, then x0 + x1, then fma(1, x, sum); a x, then fma(a, x, sum).
int oracle_tape_sum(oracle_tape *tape, int sum, int terms, int term);
int oracle_tape_chain(oracle_tape *tape, int sum, int left, int right);
// value * factor^order or value / factor^-order; value -1: the empty product.
int oracle_tape_power(oracle_tape *tape, int value, int factor, int order);

// tangents of all nodes from those of the first `given` nodes.
void oracle_tape_forward(oracle_tape *tape, int given);
// adjoints of all nodes; the caller has cleared them with oracle_tape_clear_adjoints and added its seeds.
void oracle_tape_clear_adjoints(oracle_tape *tape);
void oracle_tape_backward(oracle_tape *tape);

#endif
