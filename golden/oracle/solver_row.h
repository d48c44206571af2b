// SPDX-License-Identifier: Apache-2.0
// Rows of the module solver.
#ifndef ORACLE_SOLVER_ROW_H
#define ORACLE_SOLVER_ROW_H

#include "solver.h"

typedef struct oracle_solver_row {
    const golden_row *row;
    oracle_network network;
    oracle_method method;
    golden_array times, y, p, seed;
    double newton_tolerance, relative, absolute, first_step; // 0: the documented defaults
    int newton;                                              // iterations of the replay
    bool followed;                                           // adaptive: a replay has recorded its decisions
    int accepted, rejected;
    const golden_answer *answer; // adaptive: the recorded times
    size_t first_time, time_count;
} oracle_solver_row;

golden_status oracle_solver_read(const golden_row *row, oracle_solver_row *solver, golden_error *error);
void oracle_solver_free(oracle_solver_row *solver);
// A work with the row's state and parameters.
golden_status oracle_solver_begin(const oracle_solver_row *solver, oracle_engine *engine, oracle_work *work, golden_error *error);
// work->from, to, step for the interval that ends at a grid point; false when it is empty.
bool oracle_solver_interval(const oracle_solver_row *solver, oracle_work *work, size_t point);
void oracle_any_step(oracle_work *work, oracle_method method);

#endif
