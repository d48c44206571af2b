// SPDX-License-Identifier: Apache-2.0
// Explicit Runge-Kutta methods by their tableaus. Body: include once per real type.
//
// Euler; Heun (explicit trapezoidal rule); the classical fourth-order method; Dormand and Prince, A family of embedded Runge-Kutta
// formulae, J. Comput. Appl. Math. 6 (1980), table 2, RK5(4)7M: its last row is the weights, so its last stage is the next first.
#include "solver_coefficients.h"

NC_CONSTANT nc_u32 NC_N(nc_explicit_stages)[5] = {0u, 1u, 2u, 4u, 7u}; // by method

NC_CONSTANT NC_REAL NC_N(nc_explicit_times)[4][7] = {
    {NC_C(0.0)},
    {NC_C(0.0), NC_C(1.0)},
    {NC_C(0.0), NC_C(0.5), NC_C(0.5), NC_C(1.0)},
    {NC_C(0.0), NC_FIFTH, NC_TENTHS_3, NC_FIFTHS_4, NC_NINTHS_8, NC_C(1.0), NC_C(1.0)},
};

// Row i of a method: what stage i takes of the stages before it. The row after the last stage is the weights of the step; the row
// after that, of dopri5, their difference from the embedded fourth-order weights.
NC_CONSTANT NC_REAL NC_N(nc_explicit_rows)[4][9][7] = {
    {{NC_C(0.0)}, {NC_C(1.0)}},
    {{NC_C(0.0)}, {NC_C(1.0)}, {NC_C(0.5), NC_C(0.5)}},
    {{NC_C(0.0)}, {NC_C(0.5)}, {NC_C(0.0), NC_C(0.5)}, {NC_C(0.0), NC_C(0.0), NC_C(1.0)}, {NC_SIXTH, NC_THIRD, NC_THIRD, NC_SIXTH}},
    {{NC_C(0.0)},
     {NC_FIFTH},
     {NC_DOPRI_31, NC_DOPRI_32},
     {NC_DOPRI_41, NC_DOPRI_42, NC_DOPRI_43},
     {NC_DOPRI_51, NC_DOPRI_52, NC_DOPRI_53, NC_DOPRI_54},
     {NC_DOPRI_61, NC_DOPRI_62, NC_DOPRI_63, NC_DOPRI_64, NC_DOPRI_65},
     {NC_DOPRI_71, NC_C(0.0), NC_DOPRI_73, NC_DOPRI_74, NC_DOPRI_75, NC_DOPRI_76},
     {NC_DOPRI_71, NC_C(0.0), NC_DOPRI_73, NC_DOPRI_74, NC_DOPRI_75, NC_DOPRI_76},
     {NC_DOPRI_E1, NC_C(0.0), NC_DOPRI_E3, NC_DOPRI_E4, NC_DOPRI_E5, NC_DOPRI_E6, NC_DOPRI_E7}},
};

NC_FN NC_REAL NC_N(nc_explicit_time)(nc_i32 method, nc_u32 stage)
{
    return NC_N(nc_explicit_times)[method - 1][stage];
}

NC_FN NC_REAL NC_N(nc_explicit_weight)(nc_i32 method, nc_u32 row, nc_u32 stage)
{
    return NC_N(nc_explicit_rows)[method - 1][row][stage];
}

// sum[lane] = chain over the stages of row[stage] * rates of the cell, from the first one that counts. A row of zeros gives 0.
NC_FN void NC_N(nc_stage_sum)(NC_N(nc_tile) tile, nc_i32 method, nc_u32 row, nc_u32 stages, nc_u32 cell, NC_PRIVATE NC_REAL *sum)
{
    nc_i32 empty = 1;
    NC_FOR_LANES(lane)
    {
        sum[lane] = NC_C(0.0);
    }
    for (nc_u32 stage = 0; stage < stages; ++stage) {
        NC_REAL weight = NC_N(nc_explicit_weight)(method, row, stage);
        NC_WORK_READ rates = NC_N(nc_vector)(tile, NC_VECTOR_STAGE + stage) + NC_AT(cell, 0u);
        if (weight == NC_C(0.0)) {
            continue; // not a term: an infinite rate of an unused stage changes nothing
        }
        if (empty) {
            NC_FOR_LANES(lane)
            {
                sum[lane] = weight * rates[lane];
            }
        } else {
            NC_FOR_LANES(lane)
            {
                sum[lane] = NC_FMA(weight, rates[lane], sum[lane]);
            }
        }
        empty = 0;
    }
}

// to = fma(step, sum of the row, state).
NC_FN_LANES void NC_N(nc_explicit_advance)(NC_N(nc_tile) tile, NC_PRIVATE const NC_N(nc_lanes) * lanes, nc_i32 method, nc_u32 row,
                                           nc_u32 stages, NC_WORK to)
{
    NC_WORK_READ state = NC_N(nc_vector)(tile, NC_VECTOR_STATE);
    for (nc_u32 cell = 0; cell < tile.cells; ++cell) {
        NC_REAL sum[NC_LANES];
        NC_N(nc_stage_sum)(tile, method, row, stages, cell, sum);
        NC_FOR_LANES(lane)
        {
            NC_PLACE place = NC_AT(cell, lane);
            to[place] = NC_FMA(lanes->step[lane], sum[lane], state[place]);
        }
    }
}

// The state of a stage, where the program reads it: no vector of the tile holds it besides.
NC_FN void NC_N(nc_explicit_place)(NC_N(nc_tile) tile, NC_PRIVATE const NC_N(nc_lanes) * lanes, nc_i32 method, nc_u32 stage)
{
    if (stage == 0u) {
        NC_N(nc_vector_copy)(tile, NC_N(nc_vector)(tile, NC_VECTOR_STATE), tile.values);
    } else {
        NC_N(nc_explicit_advance)(tile, lanes, method, stage, stage, tile.values);
    }
}

// Stages begin .. end-1. The first stage is the state itself.
NC_FN_LANES void NC_N(nc_explicit_run_stages)(NC_N(nc_tile) tile, nc_program program, NC_PRIVATE const NC_N(nc_lanes) * lanes,
                                              nc_i32 method, nc_u32 begin, nc_u32 end)
{
    for (nc_u32 stage = begin; stage < end; ++stage) {
        NC_N(nc_explicit_place)(tile, lanes, method, stage);
        NC_N(nc_stage_time)(tile, program, lanes, NC_N(nc_explicit_time)(method, stage));
        NC_N(nc_stage_evaluate)(tile, program, NC_N(nc_vector)(tile, NC_VECTOR_STAGE + stage));
    }
}

// The last stage of dopri5 has no weight in the step.
NC_FN nc_u32 NC_N(nc_explicit_step_stages)(nc_i32 method)
{
    return method == NC_SOLVE_DOPRI5 ? 6u : NC_N(nc_explicit_stages)[method];
}

NC_FN void NC_N(nc_explicit_step)(NC_N(nc_tile) tile, nc_program program, NC_PRIVATE const NC_N(nc_lanes) * lanes, nc_i32 method)
{
    nc_u32 stages = NC_N(nc_explicit_step_stages)(method);
    NC_N(nc_explicit_run_stages)(tile, program, lanes, method, 0u, stages);
    NC_N(nc_explicit_advance)
    (tile, lanes, method, NC_N(nc_explicit_stages)[method], stages, NC_N(nc_vector)(tile, NC_VECTOR_NEXT));
}
