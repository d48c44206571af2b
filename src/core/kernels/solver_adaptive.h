// SPDX-License-Identifier: Apache-2.0
// Step sizes of an adaptive run: the first step, the error norm, and what a step becomes after acceptance or rejection.
// Body: include once per real type.

// x / (absolute + relative |scale|), the unit in which errors count.
NC_FN NC_REAL NC_N(nc_scaled)(NC_PRIVATE const nc_solver_call *call, NC_REAL x, NC_REAL scale)
{
    return x / NC_FMA((NC_REAL)call->relative, NC_FABS(scale), (NC_REAL)call->absolute);
}

// Root mean square of a vector's scaled cells.
NC_FN void NC_N(nc_scaled_norm)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, NC_WORK_READ x, NC_WORK_READ scale,
                                NC_WORK_READ other, NC_PRIVATE NC_REAL *norm)
{
    NC_FOR_LANES(lane)
    {
        norm[lane] = NC_C(0.0);
    }
    for (nc_u32 cell = 0; cell < tile.cells; ++cell) {
        NC_FOR_LANES(lane)
        {
            NC_PLACE place = NC_AT(cell, lane);
            NC_REAL larger = NC_N(nc_max)(NC_FABS(scale[place]), NC_FABS(other[place]));
            NC_REAL unit = NC_N(nc_scaled)(call, x[place], larger);
            norm[lane] = NC_FMA(unit, unit, norm[lane]);
        }
    }
    NC_FOR_LANES(lane)
    {
        norm[lane] = NC_SQRT(norm[lane] / (NC_REAL)call->cells);
    }
}

// Evaluates the first stage and chooses the first step: 1/100 of |y| / |f| in scaled norms, or 1e-6 where either is tiny (the first
// part of the algorithm of Hairer, Norsett, Wanner I, II.4), unless the caller gave one.
NC_FN void NC_N(nc_control_begin)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, NC_PRIVATE NC_N(nc_lanes) * lanes)
{
    NC_WORK_READ state = NC_N(nc_vector)(tile, NC_VECTOR_STATE);
    NC_WORK_READ rates = NC_N(nc_vector)(tile, NC_VECTOR_STAGE);
    NC_REAL level[NC_LANES], slope[NC_LANES];
    NC_N(nc_explicit_run_stages)(tile, call->program, lanes, call->method, 0u, 1u);
    NC_N(nc_scaled_norm)(call, tile, state, state, state, level);
    NC_N(nc_scaled_norm)(call, tile, rates, state, state, slope);
    NC_FOR_LANES(lane)
    {
        nc_i32 tiny = !(level[lane] >= NC_C(1e-5)) || !(slope[lane] >= NC_C(1e-5));
        NC_REAL chosen = tiny ? NC_C(1e-6) : NC_C(0.01) * (level[lane] / slope[lane]);
        lanes->wish[lane] = call->first_step > NC_C64(0.0) ? (NC_REAL)call->first_step : chosen;
        lanes->rejects[lane] = 0;
    }
}

// Where the step from `from` ends that wishes to be `wish` long: on the target when it comes within a hundredth of its length.
NC_FN NC_REAL NC_N(nc_control_end)(NC_REAL from, NC_REAL wish, NC_REAL target)
{
    NC_REAL reach = NC_FMA(NC_C(1.01), wish, from);
    return reach >= target ? target : from + wish;
}

// The stages after the first, the next state, and the error.
NC_FN void NC_N(nc_adaptive_step)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile,
                                  NC_PRIVATE const NC_N(nc_lanes) * lanes, NC_PRIVATE NC_REAL *norm)
{
    NC_WORK state = NC_N(nc_vector)(tile, NC_VECTOR_STATE);
    NC_WORK next = NC_N(nc_vector)(tile, NC_VECTOR_NEXT);
    NC_WORK error = NC_N(nc_extra)(tile, NC_EXTRA_ERROR);
    NC_N(nc_explicit_run_stages)(tile, call->program, lanes, NC_SOLVE_DOPRI5, 1u, 7u);
    NC_N(nc_explicit_advance)(tile, lanes, NC_SOLVE_DOPRI5, 7u, 6u, next);
    for (nc_u32 cell = 0; cell < tile.cells; ++cell) {
        NC_REAL sum[NC_LANES];
        NC_N(nc_stage_sum)(tile, NC_SOLVE_DOPRI5, 8u, 7u, cell, sum);
        NC_FOR_LANES(lane)
        {
            error[NC_AT(cell, lane)] = lanes->step[lane] * sum[lane];
        }
    }
    NC_N(nc_scaled_norm)(call, tile, error, state, next, norm);
}

// Accepts or rejects: busy becomes 0 for a rejected lane, which tries again from where it is.
NC_FN void NC_N(nc_control_judge)(NC_PRIVATE const nc_solver_call *call, NC_PRIVATE NC_N(nc_lanes) * lanes,
                                  NC_PRIVATE const NC_REAL *norm)
{
    NC_FOR_LANES(lane)
    {
        NC_REAL factor = (NC_REAL)nc_step_factor((nc_f64)norm[lane]);
        NC_REAL grown = factor * lanes->step[lane];
        if (lanes->busy[lane] == 0) {
            continue;
        }
        if (norm[lane] <= NC_C(1.0)) {
            nc_i32 whole =
                lanes->step[lane] >= NC_C(0.99) * lanes->wish[lane]; // a step cut short by the grid does not shrink the wish
            lanes->wish[lane] = whole || grown > lanes->wish[lane] ? grown : lanes->wish[lane];
            lanes->rejects[lane] = 0;
        } else {
            lanes->wish[lane] = grown < lanes->step[lane] ? grown : lanes->step[lane];
            ++lanes->rejects[lane];
            ++lanes->rejected[lane];
            lanes->busy[lane] = 0;
            if (lanes->rejects[lane] >= call->reject_limit) {
                NC_N(nc_lane_fail)(lanes, lane, NC_LANE_REJECT_LIMIT, -1);
            }
        }
    }
}

// Stage 7 of an accepted step is stage 1 of the next.
NC_FN void NC_N(nc_control_reuse)(NC_N(nc_tile) tile, NC_PRIVATE const NC_N(nc_lanes) * lanes)
{
    NC_WORK start = NC_N(nc_vector)(tile, NC_VECTOR_STAGE);
    NC_WORK_READ end = NC_N(nc_vector)(tile, NC_VECTOR_STAGE + 6u);
    for (nc_u32 cell = 0; cell < tile.cells; ++cell) {
        NC_FOR_LANES(lane)
        {
            NC_PLACE place = NC_AT(cell, lane);
            start[place] = lanes->busy[lane] != 0 ? end[place] : start[place];
        }
    }
}
