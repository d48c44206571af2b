// SPDX-License-Identifier: Apache-2.0
// Kernels of the module solver: whole runs of an ensemble, and gradients of their final state. Body: include once per real type.
#include "step_factor.h"

#include "solver_tile.h"

#include "solver_explicit.h"
#include "solver_linear.h"

#include "solver_adaptive.h"
#include "solver_imex.h"
#include "solver_implicit.h"

#include "solver_drive.h"

#include "solver_adjoint.h"

// State and parameters of a tile's trajectories, and the constants.
NC_FN void NC_N(nc_solver_load)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, nc_u64 begin,
                                NC_GLOBAL const NC_REAL *state, NC_GLOBAL const NC_REAL *parameters)
{
    NC_WORK slots = tile.values + nc_program_parameters(call->program) * NC_TILE;
    NC_N(nc_tile_load)
    (call->wave, begin, call->state, tile.cells, state, NC_N(nc_vector)(tile, NC_VECTOR_STATE));
    NC_N(nc_tile_load)(call->wave, begin, call->parameters, call->program.parameter_count, parameters, slots);
    NC_N(nc_tile_constants)(call->program, tile.constants, tile.values);
}

NC_KERNEL11(NC_N(solver_run), NC_ARGUMENT(nc_solver_call), call, NC_GLOBAL const nc_u32 *, plan, NC_GLOBAL const NC_REAL *,
            constants, NC_GLOBAL const NC_REAL *, grid, NC_GLOBAL const NC_REAL *, state, NC_GLOBAL const NC_REAL *, parameters,
            NC_GLOBAL NC_REAL *, out, NC_GLOBAL nc_i32 *, report, NC_GLOBAL NC_REAL *, list, NC_GLOBAL const nc_i32 *, lengths,
            NC_WORK, workspace)
{
    NC_FOR_TILES(begin, home, call.wave.tiles)
    {
        NC_N(nc_arrays) arrays;
        NC_N(nc_tile)
        tile = NC_N(nc_tile_begin)(&call, plan, constants, NC_WORK_OF_TILE(workspace, begin, home, call.wave.tile_elements));
        arrays.grid = grid;
        arrays.out = out;
        arrays.list = list;
        arrays.report = report;
        arrays.lengths = lengths;
        NC_N(nc_solver_load)(&call, tile, begin, state, parameters);
        NC_N(nc_course_run)(&call, tile, begin, arrays);
    }
}

NC_KERNEL12(NC_N(solver_gradient), NC_ARGUMENT(nc_solver_call), call, NC_GLOBAL const nc_u32 *, plan, NC_GLOBAL const NC_REAL *,
            constants, NC_GLOBAL const NC_REAL *, grid, NC_GLOBAL const NC_REAL *, state, NC_GLOBAL const NC_REAL *, parameters,
            NC_GLOBAL const NC_REAL *, seed, NC_GLOBAL nc_i32 *, report, NC_GLOBAL NC_REAL *, state_gradient, NC_GLOBAL NC_REAL *,
            parameters_gradient, NC_GLOBAL NC_REAL *, states, NC_WORK, workspace)
{
    NC_FOR_TILES(begin, home, call.wave.tiles)
    {
        NC_N(nc_arrays) arrays;
        NC_N(nc_lanes) lanes;
        NC_N(nc_course) course;
        NC_N(nc_tape) tape;
        NC_N(nc_tile)
        tile = NC_N(nc_tile_begin)(&call, plan, constants, NC_WORK_OF_TILE(workspace, begin, home, call.wave.tile_elements));
        arrays.grid = grid;
        arrays.out = state_gradient; // not written: the run has no history and its end is not stored
        arrays.list = state_gradient;
        arrays.report = report;
        arrays.lengths = report;
        tape.parameters = tile.matrix;
        tape.states = states + home * call.tape_elements + NC_FIRST_LANE(begin);
        NC_N(nc_solver_load)(&call, tile, begin, state, parameters);
        nc_u64 steps = NC_N(nc_adjoint_forward)(&call, tile, begin, &lanes, &course, arrays, tape);
        NC_N(nc_course_report)(&call, begin, &lanes, &course, arrays);
        NC_N(nc_tile_fill)(NC_C(0.0), call.program.parameter_count, tape.parameters);
        NC_N(nc_tile_load)
        (call.wave, begin, call.seed, tile.cells, seed, NC_N(nc_extra)(tile, NC_EXTRA_ADJOINT));
        NC_N(nc_adjoint_backward)(&call, tile, steps, arrays, &lanes, tape);
        if ((call.wanted & 1u) != 0u) {
            NC_N(nc_adjoint_store)
            (&call, begin, &lanes, call.state_gradient, tile.cells, NC_N(nc_extra)(tile, NC_EXTRA_ADJOINT), state_gradient);
        }
        if ((call.wanted & 2u) != 0u) {
            NC_N(nc_adjoint_store)
            (&call, begin, &lanes, call.parameters_gradient, call.program.parameter_count, tape.parameters, parameters_gradient);
        }
    }
}
