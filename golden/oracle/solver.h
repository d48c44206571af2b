// SPDX-License-Identifier: Apache-2.0
// The solver's schemes as docs/solvers.md states them, step by step on one trajectory: exactly, or in the documented roundings.
#ifndef ORACLE_SOLVER_H
#define ORACLE_SOLVER_H

#include "network.h"

typedef enum oracle_method {
    ORACLE_EULER,
    ORACLE_HEUN,
    ORACLE_RK4,
    ORACLE_DOPRI5,
    ORACLE_IMPLICIT_EULER,
    ORACLE_TRAPEZOIDAL,
    ORACLE_BDF2,
    ORACLE_ROS2,
    ORACLE_SDIRK2,
    ORACLE_IMEX_EULER,
    ORACLE_IMEX_HEUN_TR,
    ORACLE_IMEX_TRBDF2,
    ORACLE_IMEX_ARK3
} oracle_method;

enum { ORACLE_STAGES = 10, ORACLE_SCALARS = 12 };

// What a run works on. Vectors have `n` numbers.
typedef struct oracle_work {
    oracle_engine *engine;
    const oracle_network *network;
    oracle_tape tape;
    int n;
    int *nodes;    // of the last evaluation: states, parameters, time
    int *rates_at; // its outputs
    oracle_number *state, *next, *before, *side, *target, *stages, *parameters;
    oracle_number *matrix; // n x n
    int *pivots;
    oracle_number *from, *to, *step, *step_before, *time, *scratch; // scalars; scratch has ORACLE_SCALARS
    bool has_before;
    double newton_tolerance;
    int newton; // iterations of a replay so far
    bool failed;
} oracle_work;

golden_status oracle_work_open(oracle_work *work, oracle_engine *engine, const oracle_network *network, golden_error *error);
void oracle_work_close(oracle_work *work);
oracle_number *oracle_stage(oracle_work *work, int stage);

// rates = right-hand side of a part at (work->time, state).
void oracle_rates_at(oracle_work *work, oracle_part part, const oracle_number *state, oracle_number *rates);
// to = fma(factor * step, x, base), cell by cell.
void oracle_advance(oracle_work *work, const oracle_number *factor, const oracle_number *x, const oracle_number *base,
                    oracle_number *to);
// work->time = the stage's: from + fraction step, the end itself for 1. Null: the start.
void oracle_stage_time(oracle_work *work, const oracle_number *fraction);
void oracle_vector_copy(const oracle_work *work, const oracle_number *from, oracle_number *to);

// matrix = I - factor step J of the last evaluation, then its factors.
void oracle_system_make(oracle_work *work, const oracle_number *factor);
void oracle_system_factor(oracle_work *work);
void oracle_system_solve(oracle_work *work, oracle_number *side);

// ---- Steps: work->next from work->state.
// Row `row` of an explicit tableau: its `stages` weights, numerators over denominators.
typedef struct oracle_weight {
    long numerator, denominator;
} oracle_weight;
int oracle_explicit_stages(oracle_method method); // that a step needs
const oracle_weight *oracle_explicit_row(oracle_method method, int row);
oracle_weight oracle_explicit_time(oracle_method method, int stage);
// to = fma(step, chain over stages with a weight, state)
void oracle_explicit_advance(oracle_work *work, oracle_method method, int row, int stages, oracle_number *to);
void oracle_explicit_run_stages(oracle_work *work, oracle_method method, int begin, int end);
void oracle_explicit_step(oracle_work *work, oracle_method method);

// What a replayed step makes of errors that its state has: results.bound += |d result / d state| bound of the state, the derivative
// a difference quotient at many bits. The step itself is replayed with an exact state, so its own bounds are its roundings alone;
// this is far nearer than to carry the state's bounds through every stage. 1 + 2^-10 covers what is quadratic in them.
typedef void oracle_step_map(oracle_work *work, const void *context, oracle_number *results);
void oracle_propagate(const oracle_work *work, oracle_step_map *map, const void *context, size_t count, const oracle_number *errors,
                      oracle_number *results, golden_error *error);
void oracle_implicit_step(oracle_work *work, oracle_method method);
void oracle_imex_step(oracle_work *work, oracle_method method);

#endif
