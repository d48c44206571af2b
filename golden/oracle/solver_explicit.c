// SPDX-License-Identifier: Apache-2.0
// Explicit Runge-Kutta methods. Tableaus from Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I: II.1 (Heun, the
// classical method) and table II.5.2 (Dormand and Prince).
#include "solver.h"

typedef struct tableau {
    int stages, step_stages;
    oracle_weight times[7];
    oracle_weight rows[9][7]; // stages, then the weights, then the weights of the error
} tableau;

static const tableau tableaus[] = {
    [ORACLE_EULER] = {1, 1, {{0, 1}}, {{{0, 1}}, {{1, 1}}}},
    [ORACLE_HEUN] = {2, 2, {{0, 1}, {1, 1}}, {{{0, 1}}, {{1, 1}}, {{1, 2}, {1, 2}}}},
    [ORACLE_RK4] = {4,
                    4,
                    {{0, 1}, {1, 2}, {1, 2}, {1, 1}},
                    {{{0, 1}}, {{1, 2}}, {{0, 1}, {1, 2}}, {{0, 1}, {0, 1}, {1, 1}}, {{1, 6}, {1, 3}, {1, 3}, {1, 6}}}},
    [ORACLE_DOPRI5] = {7,
                       6,
                       {{0, 1}, {1, 5}, {3, 10}, {4, 5}, {8, 9}, {1, 1}, {1, 1}},
                       {{{0, 1}},
                        {{1, 5}},
                        {{3, 40}, {9, 40}},
                        {{44, 45}, {-56, 15}, {32, 9}},
                        {{19372, 6561}, {-25360, 2187}, {64448, 6561}, {-212, 729}},
                        {{9017, 3168}, {-355, 33}, {46732, 5247}, {49, 176}, {-5103, 18656}},
                        {{35, 384}, {0, 1}, {500, 1113}, {125, 192}, {-2187, 6784}, {11, 84}},
                        {{35, 384}, {0, 1}, {500, 1113}, {125, 192}, {-2187, 6784}, {11, 84}},
                        {{71, 57600}, {0, 1}, {-71, 16695}, {71, 1920}, {-17253, 339200}, {22, 525}, {-1, 40}}}},
};

int oracle_explicit_stages(oracle_method method)
{
    return tableaus[method].step_stages;
}

const oracle_weight *oracle_explicit_row(oracle_method method, int row)
{
    return tableaus[method].rows[row];
}

oracle_weight oracle_explicit_time(oracle_method method, int stage)
{
    return tableaus[method].times[stage];
}

void oracle_explicit_advance(oracle_work *work, oracle_method method, int row, int stages, oracle_number *to)
{
    oracle_engine *e = work->engine;
    const oracle_weight *weights = tableaus[method].rows[row];
    oracle_number *weight = &work->scratch[0], *sum = &work->scratch[1];
    for (int i = 0; i < work->n; ++i) {
        bool empty = true;
        oracle_tracked_zero(sum);
        for (int s = 0; s < stages; ++s) {
            if (weights[s].numerator != 0) {
                oracle_give_fraction(e, weight, weights[s].numerator, weights[s].denominator);
                if (empty) {
                    oracle_multiply(e, sum, weight, &oracle_stage(work, s)[i]);
                } else {
                    oracle_fma(e, sum, weight, &oracle_stage(work, s)[i], sum);
                }
                empty = false;
            }
        }
        oracle_fma(e, &to[i], work->step, sum, &work->state[i]);
    }
}

void oracle_explicit_run_stages(oracle_work *work, oracle_method method, int begin, int end)
{
    for (int s = begin; s < end; ++s) {
        oracle_number *place = s == 0 ? work->state : work->target, *fraction = &work->scratch[2];
        if (s > 0) {
            oracle_explicit_advance(work, method, s, s, place);
        }
        oracle_give_fraction(work->engine, fraction, tableaus[method].times[s].numerator, tableaus[method].times[s].denominator);
        oracle_stage_time(work, fraction);
        oracle_rates_at(work, ORACLE_ALL, place, oracle_stage(work, s));
    }
}

void oracle_explicit_step(oracle_work *work, oracle_method method)
{
    oracle_explicit_run_stages(work, method, 0, tableaus[method].step_stages);
    oracle_explicit_advance(work, method, tableaus[method].stages, tableaus[method].step_stages, work->next);
}
