// SPDX-License-Identifier: Apache-2.0
// Gradients of a function of the final state by the adjoint of the discrete scheme. Body: include once per real type.
//
// Forward, the state before every step is kept on a tape. Backward, with l the adjoint of the state after a step of a Runge-Kutta
// method with stages k_i = f(Y_i), Y_i = y + h sum_j a_ij k_j, y' = y + h sum_i b_i k_i (Sandu, Lect. Notes Comput. Sci. 3991,
// 2006):
//   kbar_i = h (b_i l + sum over i' > i of a_i'i m_i'),  m_i = J(Y_i)' kbar_i,  l <- l + sum_i m_i,  gradient_p += (df/dp)' kbar_i.
// Vectors: STATE is rebuilt from the tape, STAGE + i hold k_i and, once stage i is done, m_i; ADJOINT holds l.

typedef struct NC_N(nc_tape) {
    NC_GLOBAL NC_REAL *states; // cells of the state before each step: a buffer in any case, however near the working memory is
    NC_WORK parameters;        // their gradient, summed after the tile's vectors
} NC_N(nc_tape);

NC_FN NC_GLOBAL NC_REAL *NC_N(nc_tape_at)(NC_N(nc_tile) tile, NC_N(nc_tape) tape, nc_u64 step)
{
    return tape.states + step * tile.cells * NC_TILE;
}

NC_FN void NC_N(nc_tape_write)(NC_N(nc_tile) tile, NC_WORK_READ state, NC_GLOBAL NC_REAL *kept)
{
    for (nc_u32 cell = 0; cell < tile.cells; ++cell) {
        NC_FOR_LANES(lane)
        {
            kept[NC_AT(cell, lane)] = state[NC_AT(cell, lane)];
        }
    }
}

NC_FN void NC_N(nc_tape_read)(NC_N(nc_tile) tile, NC_GLOBAL const NC_REAL *kept, NC_WORK state)
{
    for (nc_u32 cell = 0; cell < tile.cells; ++cell) {
        NC_FOR_LANES(lane)
        {
            state[NC_AT(cell, lane)] = kept[NC_AT(cell, lane)];
        }
    }
}

// The forward run, which fills the tape. Returns the number of steps; lanes that failed keep their status.
NC_FN nc_u64 NC_N(nc_adjoint_forward)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, nc_u64 begin,
                                      NC_PRIVATE NC_N(nc_lanes) * lanes, NC_PRIVATE NC_N(nc_course) * course,
                                      NC_N(nc_arrays) arrays, NC_N(nc_tape) tape)
{
    nc_u64 steps = 0u;
    NC_N(nc_course_begin)(call, tile, begin, lanes, course, arrays);
    for (nc_u64 point = 1u; point < call->points; ++point) {
        if (arrays.grid[point] > arrays.grid[point - 1u]) {
            NC_N(nc_tape_write)(tile, NC_N(nc_vector)(tile, NC_VECTOR_STATE), NC_N(nc_tape_at)(tile, tape, steps));
            ++steps;
            NC_N(nc_course_propose)(call, begin, lanes, course, arrays);
            NC_N(nc_explicit_step)(tile, call->program, lanes, call->method);
            NC_N(nc_state_check)(call, tile, lanes, NC_N(nc_vector)(tile, NC_VECTOR_NEXT));
            NC_N(nc_course_commit)(call, tile, begin, lanes, course, arrays);
            NC_N(nc_course_store)(call, tile, begin, lanes, course, arrays); // moves on to the next point
        }
    }
    return steps;
}

// kbar_stage = h (weight * l + chain over later stages), seeded into the program's outputs after a run at Y_stage.
NC_FN void NC_N(nc_adjoint_seed)(NC_N(nc_tile) tile, nc_program program, NC_PRIVATE const NC_N(nc_lanes) * lanes, nc_i32 method,
                                 nc_u32 stage)
{
    nc_u32 stages = NC_N(nc_explicit_step_stages)(method);
    NC_WORK_READ after = NC_N(nc_extra)(tile, NC_EXTRA_ADJOINT);
    NC_N(nc_tile_fill)(NC_C(0.0), program.slot_count, tile.tangents);
    for (nc_u32 cell = 0; cell < tile.cells; ++cell) {
        NC_WORK seed = tile.tangents + tile.plan[program.outputs + cell] * NC_TILE;
        NC_REAL weight = NC_N(nc_explicit_weight)(method, NC_N(nc_explicit_stages)[method], stage), sum[NC_LANES];
        NC_FOR_LANES(lane)
        {
            sum[lane] = weight * after[NC_AT(cell, lane)];
        }
        for (nc_u32 later = stage + 1u; later < stages; ++later) {
            NC_REAL share = NC_N(nc_explicit_weight)(method, later, stage);
            NC_WORK_READ moved = NC_N(nc_vector)(tile, NC_VECTOR_STAGE + later) + NC_AT(cell, 0u);
            NC_FOR_LANES(lane)
            {
                sum[lane] = NC_FMA(share, moved[lane], sum[lane]);
            }
        }
        NC_FOR_LANES(lane)
        {
            seed[lane] = NC_FMA(lanes->step[lane], sum[lane], seed[lane]);
        }
    }
}

// One stage backward: its m replaces its k, and the parameters' gradient grows.
NC_FN void NC_N(nc_adjoint_stage)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile,
                                  NC_PRIVATE const NC_N(nc_lanes) * lanes, nc_u32 stage, NC_N(nc_tape) tape)
{
    nc_program program = call->program;
    NC_WORK_READ gained = tile.tangents + nc_program_parameters(program) * NC_TILE;
    NC_N(nc_explicit_place)(tile, lanes, call->method, stage);
    NC_N(nc_stage_time)(tile, program, lanes, NC_N(nc_explicit_time)(call->method, stage));
    NC_N(nc_program_run)(program, tile.plan, tile.constants, tile.values);
    NC_N(nc_adjoint_seed)(tile, program, lanes, call->method, stage);
    NC_N(nc_program_adjoint)(program, tile.plan, tile.constants, tile.values, tile.tangents);
    NC_N(nc_vector_copy)(tile, tile.tangents, NC_N(nc_vector)(tile, NC_VECTOR_STAGE + stage));
    for (nc_u32 k = 0; k < program.parameter_count; ++k) {
        NC_FOR_LANES(lane)
        {
            NC_PLACE at = NC_AT(k, lane);
            tape.parameters[at] = tape.parameters[at] + gained[at];
        }
    }
}

NC_FN void NC_N(nc_adjoint_step)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, NC_PRIVATE const NC_N(nc_lanes) * lanes,
                                 NC_N(nc_tape) tape)
{
    nc_u32 stages = NC_N(nc_explicit_step_stages)(call->method);
    NC_WORK after = NC_N(nc_extra)(tile, NC_EXTRA_ADJOINT);
    NC_N(nc_explicit_run_stages)(tile, call->program, lanes, call->method, 0u, stages);
    for (nc_u32 back = 0; back < stages; ++back) {
        NC_N(nc_adjoint_stage)(call, tile, lanes, stages - 1u - back, tape);
    }
    for (nc_u32 cell = 0; cell < tile.cells; ++cell) {
        for (nc_u32 stage = 0; stage < stages; ++stage) {
            NC_WORK_READ moved = NC_N(nc_vector)(tile, NC_VECTOR_STAGE + stage) + NC_AT(cell, 0u);
            NC_FOR_LANES(lane)
            {
                NC_PLACE at = NC_AT(cell, lane);
                after[at] = after[at] + moved[lane];
            }
        }
    }
}

// Walks the tape backwards. A stage that its step gives no weight still has m from later stages.
NC_FN void NC_N(nc_adjoint_backward)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, nc_u64 steps,
                                     NC_N(nc_arrays) arrays, NC_PRIVATE NC_N(nc_lanes) * lanes, NC_N(nc_tape) tape)
{
    nc_u64 step = steps;
    for (nc_u64 back = 1u; back < call->points; ++back) {
        nc_u64 point = call->points - back; // the step's end
        if (!(arrays.grid[point] > arrays.grid[point - 1u])) {
            continue;
        }
        --step;
        NC_FOR_LANES(lane)
        {
            lanes->from[lane] = arrays.grid[point - 1u];
            lanes->to[lane] = arrays.grid[point];
            lanes->step[lane] = arrays.grid[point] - arrays.grid[point - 1u];
        }
        NC_N(nc_tape_read)(tile, NC_N(nc_tape_at)(tile, tape, step), NC_N(nc_vector)(tile, NC_VECTOR_STATE));
        NC_N(nc_adjoint_step)(call, tile, lanes, tape);
    }
}

// Gradients of the lanes that did not fail, NaN for the others.
NC_FN void NC_N(nc_adjoint_store)(NC_PRIVATE const nc_solver_call *call, nc_u64 begin, NC_PRIVATE const NC_N(nc_lanes) * lanes,
                                  nc_operand operand, nc_u32 cells, NC_WORK_READ from, NC_GLOBAL NC_REAL *to)
{
    for (nc_u32 cell = 0; cell < cells; ++cell) {
        NC_FOR_LANES(lane)
        {
            nc_u64 trajectory = call->wave.first + begin + lane;
            NC_REAL value = lanes->status[lane] == NC_LANE_OK ? from[NC_AT(cell, lane)] : NC_N(nc_nan)();
            if (trajectory < call->wave.count) {
                to[nc_operand_at(operand, trajectory, cell)] = NC_CANON(value);
            }
        }
    }
}
