// SPDX-License-Identifier: Apache-2.0
// Implicit methods: Newton's method with the exact Jacobian in every iteration, and the Rosenbrock method ros2.
// Body: include once per real type.
//
// implicit Euler  z = y + h f(t1, z)
// trapezoidal     z = y + h/2 f(t0, y) + h/2 f(t1, z)
// bdf2            z = ((1+w)^2 y - w^2 y_before)/(1+2w) + h (1+w)/(1+2w) f(t1, z), w = h / h_before (Hairer, Norsett, Wanner,
//                 Solving Ordinary Differential Equations I, III.5); the first step is implicit Euler
// sdirk2          z1 = y + g h f(t0+g h, z1), z2 = y + (1-g) h f(z1) + g h f(t1, z2) (Alexander, SIAM J. Numer. Anal. 14, 1977)
// ros2            W = I - g h J, W k1 = f(t0, y) + g h f_t, W k2 = f(t1, y + h k1) - 2 k1 - g h f_t, z = y + h (3/2 k1 + 1/2 k2)
//                 (Verwer, Spee, Blom, Hundsdorfer, SIAM J. Sci. Comput. 20, 1999)
// with g = 1 - 1/sqrt(2).
#include "solver_coefficients.h"

// One iteration for the lanes of `open`: side = the change of z. Returns with z moved and the sizes of change and z.
NC_FN void NC_N(nc_newton_move)(NC_N(nc_tile) tile, NC_PRIVATE const nc_i32 *open, NC_WORK z, NC_PRIVATE NC_REAL *change,
                                NC_PRIVATE NC_REAL *size)
{
    NC_WORK_READ side = NC_N(nc_extra)(tile, NC_EXTRA_SIDE);
    NC_FOR_LANES(lane)
    {
        change[lane] = NC_C(0.0);
        size[lane] = NC_C(0.0);
    }
    for (nc_u32 cell = 0; cell < tile.cells; ++cell) {
        NC_FOR_LANES(lane)
        {
            NC_PLACE place = NC_AT(cell, lane);
            NC_REAL moved = z[place] - side[place];
            z[place] = open[lane] != 0 ? moved : z[place];
            change[lane] = NC_N(nc_max)(change[lane], NC_FABS(side[place]));
            size[lane] = NC_N(nc_max)(size[lane], NC_FABS(moved));
        }
    }
}

// side = z - target - factor h rates, the residual of the stage's equation.
NC_FN void NC_N(nc_newton_residual)(NC_N(nc_tile) tile, nc_program program, NC_PRIVATE const NC_N(nc_lanes) * lanes, NC_REAL factor,
                                    NC_WORK_READ z)
{
    NC_WORK side = NC_N(nc_extra)(tile, NC_EXTRA_SIDE);
    NC_WORK_READ target = NC_N(nc_extra)(tile, NC_EXTRA_TARGET);
    NC_N(nc_stage_run)(tile, program, z, side);
    for (nc_u32 cell = 0; cell < tile.cells; ++cell) {
        NC_FOR_LANES(lane)
        {
            NC_PLACE place = NC_AT(cell, lane);
            side[place] = NC_FMA(-(factor * lanes->step[lane]), side[place], z[place] - target[place]);
        }
    }
}

// Judges the lanes after an iteration. Converged: change <= tolerance * size; written so that NaN is not.
NC_FN nc_i32 NC_N(nc_newton_judge)(NC_PRIVATE const nc_solver_call *call, NC_PRIVATE NC_N(nc_lanes) * lanes,
                                   NC_PRIVATE nc_i32 *open, NC_PRIVATE const nc_i32 *singular, NC_PRIVATE const NC_REAL *change,
                                   NC_PRIVATE const NC_REAL *size)
{
    nc_i32 any = 0;
    NC_REAL tolerance = (NC_REAL)call->newton_tolerance;
    NC_FOR_LANES(lane)
    {
        nc_i32 converged = change[lane] <= tolerance * size[lane];
        lanes->newton[lane] += open[lane];
        if (open[lane] != 0 && singular[lane] != 0) {
            NC_N(nc_lane_fail)(lanes, lane, NC_LANE_SINGULAR_MATRIX, -1);
        } else if (open[lane] != 0 && (!NC_N(nc_is_finite)(change[lane]) || !NC_N(nc_is_finite)(size[lane]))) {
            NC_N(nc_lane_fail)(lanes, lane, NC_LANE_NEWTON_FAILED, -1);
        }
        open[lane] = open[lane] != 0 && !converged && lanes->status[lane] == NC_LANE_OK;
        any |= open[lane];
    }
    return any;
}

// z solves z = target + factor h f(time of the stage, z), from the z that it holds. The caller has set target and time.
NC_FN_LANES void NC_N(nc_newton)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, NC_PRIVATE NC_N(nc_lanes) * lanes,
                                 NC_REAL factor, NC_WORK z)
{
    nc_i32 open[NC_LANES], singular[NC_LANES], any = 0;
    NC_REAL change[NC_LANES], size[NC_LANES];
    NC_FOR_LANES(lane)
    {
        open[lane] = lanes->busy[lane] != 0 && lanes->status[lane] == NC_LANE_OK;
        singular[lane] = 0;
        any |= open[lane];
    }
    for (nc_i32 iteration = 0; iteration < call->newton_limit && any != 0; ++iteration) {
        NC_N(nc_newton_residual)(tile, call->program, lanes, factor, z);
        NC_N(nc_system_make)(tile, call->program, lanes, factor);
        NC_N(nc_system_factor)(tile, singular);
        NC_N(nc_system_solve)(tile, NC_N(nc_extra)(tile, NC_EXTRA_SIDE));
        NC_N(nc_newton_move)(tile, open, z, change, size);
        any = NC_N(nc_newton_judge)(call, lanes, open, singular, change, size);
    }
    NC_FOR_LANES(lane)
    {
        if (open[lane] != 0) {
            NC_N(nc_lane_fail)(lanes, lane, NC_LANE_NEWTON_FAILED, -1);
        }
    }
}

// bdf2's target and factor depend on the lane's steps: the factor is folded into the step for the solve and taken out again.
NC_FN void NC_N(nc_bdf2_step)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, NC_PRIVATE NC_N(nc_lanes) * lanes)
{
    NC_WORK_READ state = NC_N(nc_vector)(tile, NC_VECTOR_STATE);
    NC_WORK_READ before = NC_N(nc_extra)(tile, NC_EXTRA_BEFORE);
    NC_WORK target = NC_N(nc_extra)(tile, NC_EXTRA_TARGET);
    NC_REAL kept[NC_LANES], now[NC_LANES], then[NC_LANES];
    NC_FOR_LANES(lane)
    {
        NC_REAL step = lanes->step[lane];
        NC_REAL ratio = lanes->step_before[lane] > NC_C(0.0) ? step / lanes->step_before[lane] : NC_C(0.0);
        NC_REAL bottom = NC_FMA(NC_C(2.0), ratio, NC_C(1.0)), more = ratio + NC_C(1.0);
        kept[lane] = step;
        now[lane] = more * more / bottom;
        then[lane] = ratio * ratio / bottom;
        lanes->step[lane] = step * (more / bottom);
    }
    for (nc_u32 cell = 0; cell < tile.cells; ++cell) {
        NC_FOR_LANES(lane)
        {
            NC_PLACE place = NC_AT(cell, lane);
            NC_REAL past = then[lane] > NC_C(0.0) ? then[lane] * before[place] : NC_C(0.0);
            target[place] = NC_FMA(now[lane], state[place], -past);
        }
    }
    NC_N(nc_newton)(call, tile, lanes, NC_C(1.0), NC_N(nc_vector)(tile, NC_VECTOR_NEXT));
    NC_FOR_LANES(lane)
    {
        lanes->step[lane] = kept[lane];
    }
}

NC_FN void NC_N(nc_newton_step)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, NC_PRIVATE NC_N(nc_lanes) * lanes)
{
    nc_program program = call->program;
    NC_WORK state = NC_N(nc_vector)(tile, NC_VECTOR_STATE);
    NC_WORK next = NC_N(nc_vector)(tile, NC_VECTOR_NEXT);
    NC_WORK target = NC_N(nc_extra)(tile, NC_EXTRA_TARGET);
    NC_WORK rates = NC_N(nc_vector)(tile, NC_VECTOR_STAGE);
    NC_N(nc_vector_copy)(tile, state, next); // the first guess
    NC_N(nc_vector_copy)(tile, state, target);
    if (call->method == NC_SOLVE_TRAPEZOIDAL) {
        NC_N(nc_stage_time)(tile, program, lanes, NC_C(0.0));
        NC_N(nc_stage_run)(tile, program, state, rates);
        NC_N(nc_vector_advance)(tile, lanes, NC_C(0.5), rates, state, target);
    } else if (call->method == NC_SOLVE_SDIRK2) {
        NC_N(nc_stage_time)(tile, program, lanes, NC_GAMMA);
        NC_N(nc_newton)(call, tile, lanes, NC_GAMMA, next);
        NC_N(nc_stage_run)(tile, program, next, rates);
        NC_N(nc_vector_advance)(tile, lanes, NC_GAMMA_REST, rates, state, target);
    }
    NC_N(nc_stage_time)(tile, program, lanes, NC_C(1.0));
    if (call->method == NC_SOLVE_BDF2) {
        NC_N(nc_bdf2_step)(call, tile, lanes);
    } else {
        NC_REAL factor = call->method == NC_SOLVE_IMPLICIT_EULER ? NC_C(1.0)
                         : call->method == NC_SOLVE_TRAPEZOIDAL  ? NC_C(0.5)
                                                                 : NC_GAMMA;
        NC_N(nc_newton)(call, tile, lanes, factor, next);
    }
}

// slope = derivative of the rates in time, after a run.
NC_FN void NC_N(nc_time_slope)(NC_N(nc_tile) tile, nc_program program, NC_WORK slope)
{
    NC_N(nc_tile_fill)(NC_C(0.0), program.slot_count, tile.tangents);
    NC_N(nc_tile_fill)(NC_C(1.0), 1u, tile.tangents + nc_program_time(program) * NC_TILE);
    NC_N(nc_program_tangent)(program, tile.plan, tile.constants, tile.values, tile.tangents);
    for (nc_u32 cell = 0; cell < tile.cells; ++cell) {
        NC_WORK_READ output = tile.tangents + tile.plan[program.outputs + cell] * NC_TILE;
        NC_FOR_LANES(lane)
        {
            slope[NC_AT(cell, lane)] = output[lane];
        }
    }
}

NC_FN void NC_N(nc_ros2_step)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, NC_PRIVATE NC_N(nc_lanes) * lanes)
{
    nc_program program = call->program;
    NC_WORK state = NC_N(nc_vector)(tile, NC_VECTOR_STATE);
    NC_WORK next = NC_N(nc_vector)(tile, NC_VECTOR_NEXT);
    NC_WORK first = NC_N(nc_vector)(tile, NC_VECTOR_STAGE);
    NC_WORK slope = NC_N(nc_vector)(tile, NC_VECTOR_STAGE + 1u);
    NC_WORK target = NC_N(nc_extra)(tile, NC_EXTRA_TARGET);
    NC_WORK side = NC_N(nc_extra)(tile, NC_EXTRA_SIDE);
    nc_i32 singular[NC_LANES];
    NC_FOR_LANES(lane)
    {
        singular[lane] = 0;
    }
    NC_N(nc_stage_time)(tile, program, lanes, NC_C(0.0));
    NC_N(nc_stage_run)(tile, program, state, side);
    NC_N(nc_time_slope)(tile, program, slope);
    NC_N(nc_system_make)(tile, program, lanes, NC_GAMMA);
    NC_N(nc_system_factor)(tile, singular);
    NC_N(nc_vector_advance)(tile, lanes, NC_GAMMA, slope, side, first);
    NC_N(nc_system_solve)(tile, first);
    NC_N(nc_vector_advance)(tile, lanes, NC_C(1.0), first, state, target);
    NC_N(nc_stage_time)(tile, program, lanes, NC_C(1.0));
    NC_N(nc_stage_run)(tile, program, target, side);
    NC_N(nc_vector_advance)(tile, lanes, -NC_GAMMA, slope, side, side);
    for (nc_u32 cell = 0; cell < tile.cells; ++cell) {
        NC_FOR_LANES(lane)
        {
            NC_PLACE place = NC_AT(cell, lane);
            side[place] = NC_FMA(NC_C(-2.0), first[place], side[place]);
        }
    }
    NC_N(nc_system_solve)(tile, side);
    NC_N(nc_vector_advance)(tile, lanes, NC_C(1.5), first, state, next);
    NC_N(nc_vector_advance)(tile, lanes, NC_C(0.5), side, next, next);
    NC_FOR_LANES(lane)
    {
        if (lanes->busy[lane] != 0 && singular[lane] != 0) {
            NC_N(nc_lane_fail)(lanes, lane, NC_LANE_SINGULAR_MATRIX, -1);
        }
    }
}
