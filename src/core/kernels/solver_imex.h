// SPDX-License-Identifier: Apache-2.0
// IMEX methods: the flows marked implicit are A y, all others F(t, y). One matrix I - d h A serves every stage of a step, and every
// step of equal h. Body: include once per real type.
//
// imex-euler    L(1) y1 = y + h F(t0, y)
// imex-heun-tr  L(1/2) Y = y + h/2 A y + h F0,  L(1/2) y1 = y + h/2 A y + h/2 (F0 + F(t1, Y))
// imex-trbdf2   with g = 2 - sqrt(2), d = g/2 = (1-g)/(2-g): imex-heun-tr over g h gives ys, then
//               L(d) y1 = a ys + b y + d h (Fs/g - (1-g)/g F0), a = 1/(g(2-g)), b = 1 - a
// imex-ark3     ARS(4,4,3): Ascher, Ruuth, Spiteri, Appl. Numer. Math. 25 (1997), 2.8; d = 1/2
// where L(d) = I - d h A.
#include "solver_coefficients.h"

NC_CONSTANT NC_REAL NC_N(nc_ark3_times)[5] = {NC_C(0.0), NC_C(0.5), NC_THIRDS_2, NC_C(0.5), NC_C(1.0)};
NC_CONSTANT NC_REAL NC_N(nc_ark3_explicit)[6][5] = {
    {NC_C(0.0)},
    {NC_C(0.5)},
    {NC_ARK3_31, NC_ARK3_32},
    {NC_ARK3_41, NC_ARK3_42, NC_C(0.5)},
    {NC_C(0.25), NC_C(1.75), NC_C(0.75), NC_C(-1.75)},
    {NC_C(0.25), NC_C(1.75), NC_C(0.75), NC_C(-1.75), NC_C(0.0)},
};
// Without the diagonal, which is 1/2; the weights equal the last row with it.
NC_CONSTANT NC_REAL NC_N(nc_ark3_implicit)[6][5] = {
    {NC_C(0.0)},
    {NC_C(0.0)},
    {NC_C(0.0), NC_SIXTH},
    {NC_C(0.0), NC_C(-0.5), NC_C(0.5)},
    {NC_C(0.0), NC_C(1.5), NC_C(-1.5), NC_C(0.5)},
    {NC_C(0.0), NC_C(1.5), NC_C(-1.5), NC_C(0.5), NC_C(0.5)},
};
#define NC_ARK3_STAGES 5u

// Makes L(factor) for the lanes' steps unless it stands already. A y is linear: its Jacobian is the same at every state and time.
NC_FN void NC_N(nc_imex_matrix)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, NC_PRIVATE NC_N(nc_lanes) * lanes,
                                NC_REAL factor)
{
    nc_i32 stale = 0, singular[NC_LANES];
    NC_FOR_LANES(lane)
    {
        singular[lane] = 0;
        stale |= lanes->busy[lane] != 0 && lanes->factored[lane] != lanes->step[lane];
    }
    if (stale == 0) {
        return;
    }
    NC_N(nc_vector_copy)(tile, NC_N(nc_vector)(tile, NC_VECTOR_STATE), tile.values);
    NC_N(nc_program_run)(call->implicit, tile.plan, tile.constants, tile.values);
    NC_N(nc_system_make)(tile, call->implicit, lanes, factor);
    NC_N(nc_system_factor)(tile, singular);
    NC_FOR_LANES(lane)
    {
        lanes->factored[lane] = lanes->step[lane];
        if (lanes->busy[lane] != 0 && singular[lane] != 0) {
            NC_N(nc_lane_fail)(lanes, lane, NC_LANE_SINGULAR_MATRIX, -1);
        }
    }
}

// F at a stage.
NC_FN void NC_N(nc_imex_rates)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, NC_PRIVATE const NC_N(nc_lanes) * lanes,
                               NC_REAL fraction, NC_WORK_READ state, NC_WORK rates)
{
    NC_N(nc_stage_time)(tile, call->program, lanes, fraction);
    NC_N(nc_stage_run)(tile, call->program, state, rates);
}

NC_FN void NC_N(nc_imex_euler_step)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, NC_PRIVATE NC_N(nc_lanes) * lanes)
{
    NC_WORK state = NC_N(nc_vector)(tile, NC_VECTOR_STATE);
    NC_WORK next = NC_N(nc_vector)(tile, NC_VECTOR_NEXT);
    NC_WORK rates = NC_N(nc_vector)(tile, NC_VECTOR_STAGE);
    NC_N(nc_imex_matrix)(call, tile, lanes, NC_C(1.0));
    NC_N(nc_imex_rates)(call, tile, lanes, NC_C(0.0), state, rates);
    NC_N(nc_vector_advance)(tile, lanes, NC_C(1.0), rates, state, next);
    NC_N(nc_system_solve)(tile, next);
}

// Heun with the trapezoidal rule over `fraction` of the step; `to` gets the end, F at the start stays in the first stage vector.
// The matrix stands.
NC_FN_LANES void NC_N(nc_imex_heun)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile,
                                    NC_PRIVATE const NC_N(nc_lanes) * lanes, NC_REAL fraction, NC_REAL part, NC_WORK to)
{
    NC_WORK state = NC_N(nc_vector)(tile, NC_VECTOR_STATE);
    NC_WORK target = NC_N(nc_extra)(tile, NC_EXTRA_TARGET);
    NC_WORK rates = NC_N(nc_vector)(tile, NC_VECTOR_STAGE);
    NC_WORK side = NC_N(nc_extra)(tile, NC_EXTRA_SIDE);
    NC_N(nc_stage_run)(tile, call->implicit, state, side);
    NC_N(nc_vector_advance)(tile, lanes, part, side, state, target);
    NC_N(nc_imex_rates)(call, tile, lanes, NC_C(0.0), state, rates);
    NC_N(nc_vector_advance)(tile, lanes, fraction, rates, target, side);
    NC_N(nc_system_solve)(tile, side);
    NC_N(nc_imex_rates)(call, tile, lanes, fraction, side, to);
    for (nc_u32 cell = 0; cell < tile.cells; ++cell) {
        NC_FOR_LANES(lane)
        {
            NC_PLACE place = NC_AT(cell, lane);
            NC_REAL sum = rates[place] + to[place];
            to[place] = NC_FMA(part * lanes->step[lane], sum, target[place]);
        }
    }
    NC_N(nc_system_solve)(tile, to);
}

NC_FN void NC_N(nc_imex_trbdf2_step)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, NC_PRIVATE NC_N(nc_lanes) * lanes)
{
    const NC_REAL gamma = NC_TRBDF2_GAMMA, d = NC_GAMMA; // d = gamma / 2
    NC_WORK state = NC_N(nc_vector)(tile, NC_VECTOR_STATE);
    NC_WORK next = NC_N(nc_vector)(tile, NC_VECTOR_NEXT);
    NC_WORK start = NC_N(nc_vector)(tile, NC_VECTOR_STAGE);
    NC_WORK middle = NC_N(nc_vector)(tile, NC_VECTOR_STAGE + 1u);
    NC_WORK rates = NC_N(nc_vector)(tile, NC_VECTOR_STAGE + 2u);
    NC_N(nc_imex_matrix)(call, tile, lanes, d);
    NC_N(nc_imex_heun)(call, tile, lanes, gamma, d, middle);
    NC_N(nc_imex_rates)(call, tile, lanes, gamma, middle, rates);
    for (nc_u32 cell = 0; cell < tile.cells; ++cell) {
        NC_FOR_LANES(lane)
        {
            NC_PLACE place = NC_AT(cell, lane);
            NC_REAL mixed = NC_FMA(NC_TRBDF2_MIDDLE, middle[place], NC_TRBDF2_START * state[place]);
            NC_REAL rate = NC_FMA(NC_TRBDF2_AHEAD, rates[place], NC_TRBDF2_BEHIND * start[place]);
            next[place] = NC_FMA(d * lanes->step[lane], rate, mixed);
        }
    }
    NC_N(nc_system_solve)(tile, next);
}

// to = state + h sum over the stages before `row` of (explicit weight * F + implicit weight * A Y), one chain in stage order.
NC_FN_LANES void NC_N(nc_ark3_advance)(NC_N(nc_tile) tile, NC_PRIVATE const NC_N(nc_lanes) * lanes, nc_u32 row, NC_WORK to)
{
    NC_WORK_READ state = NC_N(nc_vector)(tile, NC_VECTOR_STATE);
    for (nc_u32 cell = 0; cell < tile.cells; ++cell) {
        NC_REAL sum[NC_LANES];
        NC_FOR_LANES(lane)
        {
            sum[lane] = NC_C(0.0);
        }
        for (nc_u32 stage = 0; stage < row && stage < NC_ARK3_STAGES; ++stage) {
            NC_REAL left = NC_N(nc_ark3_explicit)[row][stage], right = NC_N(nc_ark3_implicit)[row][stage];
            NC_WORK_READ f = NC_N(nc_vector)(tile, NC_VECTOR_STAGE + stage) + NC_AT(cell, 0u);
            NC_WORK_READ g = NC_N(nc_vector)(tile, NC_VECTOR_STAGE + NC_ARK3_STAGES + stage) + NC_AT(cell, 0u);
            NC_FOR_LANES(lane)
            {
                NC_REAL with_f = NC_FMA(left, f[lane], sum[lane]);
                sum[lane] = NC_FMA(right, g[lane], with_f);
            }
        }
        NC_FOR_LANES(lane)
        {
            NC_PLACE place = NC_AT(cell, lane);
            to[place] = NC_FMA(lanes->step[lane], sum[lane], state[place]);
        }
    }
}

NC_FN void NC_N(nc_imex_ark3_step)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, NC_PRIVATE NC_N(nc_lanes) * lanes)
{
    NC_WORK target = NC_N(nc_extra)(tile, NC_EXTRA_TARGET);
    NC_N(nc_imex_matrix)(call, tile, lanes, NC_C(0.5));
    for (nc_u32 stage = 0; stage < NC_ARK3_STAGES; ++stage) {
        if (stage == 0u) {
            NC_N(nc_vector_copy)(tile, NC_N(nc_vector)(tile, NC_VECTOR_STATE), target);
        } else {
            NC_N(nc_ark3_advance)(tile, lanes, stage, target);
            NC_N(nc_system_solve)(tile, target);
        }
        NC_N(nc_imex_rates)
        (call, tile, lanes, NC_N(nc_ark3_times)[stage], target, NC_N(nc_vector)(tile, NC_VECTOR_STAGE + stage));
        NC_N(nc_stage_run)
        (tile, call->implicit, target, NC_N(nc_vector)(tile, NC_VECTOR_STAGE + NC_ARK3_STAGES + stage));
    }
    NC_N(nc_ark3_advance)(tile, lanes, NC_ARK3_STAGES, NC_N(nc_vector)(tile, NC_VECTOR_NEXT));
}

NC_FN void NC_N(nc_imex_step)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, NC_PRIVATE NC_N(nc_lanes) * lanes)
{
    if (call->method == NC_SOLVE_IMEX_EULER) {
        NC_N(nc_imex_euler_step)(call, tile, lanes);
    } else if (call->method == NC_SOLVE_IMEX_HEUN_TR) {
        NC_N(nc_imex_matrix)(call, tile, lanes, NC_C(0.5));
        NC_N(nc_imex_heun)(call, tile, lanes, NC_C(1.0), NC_C(0.5), NC_N(nc_vector)(tile, NC_VECTOR_NEXT));
    } else if (call->method == NC_SOLVE_IMEX_TRBDF2) {
        NC_N(nc_imex_trbdf2_step)(call, tile, lanes);
    } else {
        NC_N(nc_imex_ark3_step)(call, tile, lanes);
    }
}
