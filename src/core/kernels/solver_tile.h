// SPDX-License-Identifier: Apache-2.0
// What the solver's bodies share: one tile's working memory and the lanes' own values. Body: include once per real type.
#include "model_body.h"
#include "solver_plan.h"

typedef struct NC_N(nc_tile) {
    NC_GLOBAL const nc_u32 *plan;
    NC_GLOBAL const NC_REAL *constants;
    // Working memory, from the work item's first lane on.
    NC_WORK values; // slots of the programs
    NC_WORK tangents;
    NC_WORK vectors;
    NC_WORK extras; // more vectors
    NC_WORK matrix; // cells * cells, then one pivot row for each column
    nc_u32 cells;
} NC_N(nc_tile);

// One step of every lane: from `from` to `to`, step = to - from. A lane that is not busy computes along and keeps nothing.
typedef struct NC_N(nc_lanes) {
    NC_REAL from[NC_LANES], to[NC_LANES], step[NC_LANES];
    NC_REAL step_before[NC_LANES]; // bdf2: the step before this one, 0 at the start
    NC_REAL factored[NC_LANES];    // IMEX: the step that the matrix was made for, 0 for none
    NC_REAL wish[NC_LANES];        // adaptive: the step that is asked for; a grid point may shorten it
    nc_i32 rejects[NC_LANES];      // adaptive: in a row
    nc_i32 busy[NC_LANES];
    nc_i32 status[NC_LANES], cell[NC_LANES];
    nc_i32 accepted[NC_LANES], rejected[NC_LANES], newton[NC_LANES], recorded[NC_LANES];
} NC_N(nc_lanes);

NC_FN NC_WORK NC_N(nc_vector)(NC_N(nc_tile) tile, nc_u32 vector)
{
    return tile.vectors + (NC_PLACE)vector * tile.cells * NC_TILE;
}

NC_FN NC_WORK NC_N(nc_extra)(NC_N(nc_tile) tile, nc_u32 extra)
{
    return tile.extras + (NC_PLACE)extra * tile.cells * NC_TILE;
}

NC_FN NC_N(nc_tile) NC_N(nc_tile_begin)(NC_PRIVATE const nc_solver_call *call, NC_GLOBAL const nc_u32 *plan,
                                        NC_GLOBAL const NC_REAL *constants, NC_WORK memory)
{
    NC_N(nc_tile) tile;
    tile.plan = plan;
    tile.constants = constants;
    tile.values = memory;
    tile.tangents = memory + call->tangents * NC_TILE;
    tile.vectors = memory + call->vectors * NC_TILE;
    tile.extras = memory + call->extras * NC_TILE;
    tile.matrix = memory + call->matrix * NC_TILE;
    tile.cells = call->program.state_count;
    return tile;
}

NC_FN void NC_N(nc_vector_copy)(NC_N(nc_tile) tile, NC_WORK_READ from, NC_WORK to)
{
    for (nc_u32 cell = 0; cell < tile.cells; ++cell) {
        NC_FOR_LANES(lane)
        {
            to[NC_AT(cell, lane)] = from[NC_AT(cell, lane)];
        }
    }
}

// to = fma(factor * step, x, base), each product rounded once.
NC_FN void NC_N(nc_vector_advance)(NC_N(nc_tile) tile, NC_PRIVATE const NC_N(nc_lanes) * lanes, NC_REAL factor, NC_WORK_READ x,
                                   NC_WORK_READ base, NC_WORK to)
{
    for (nc_u32 cell = 0; cell < tile.cells; ++cell) {
        NC_FOR_LANES(lane)
        {
            NC_PLACE place = NC_AT(cell, lane);
            to[place] = NC_FMA(factor * lanes->step[lane], x[place], base[place]);
        }
    }
}

// The time of a stage: `fraction` of the step; 1 is the end itself and no sum that may miss it.
NC_FN void NC_N(nc_stage_time)(NC_N(nc_tile) tile, nc_program program, NC_PRIVATE const NC_N(nc_lanes) * lanes, NC_REAL fraction)
{
    NC_WORK slot = tile.values + nc_program_time(program) * NC_TILE;
    NC_FOR_LANES(lane)
    {
        NC_REAL inside = NC_FMA(fraction, lanes->step[lane], lanes->from[lane]);
        slot[lane] = fraction == NC_C(1.0) ? lanes->to[lane] : inside;
    }
}

// rates = the outputs of instructions for the state that stands in its slots, the first of the values.
NC_FN_APART void NC_N(nc_instructions_rates)(NC_GLOBAL const nc_u32 *plan, nc_u32 instructions, nc_u32 count, nc_u32 outputs,
                                             nc_u32 cells, NC_GLOBAL const NC_REAL *constants, NC_WORK values, NC_WORK rates)
{
    NC_N(nc_instructions_run)(plan, instructions, count, constants, values);
    for (nc_u32 cell = 0; cell < cells; ++cell) {
        NC_WORK_READ output = values + plan[outputs + cell] * NC_TILE;
        NC_FOR_LANES(lane)
        {
            rates[NC_AT(cell, lane)] = output[lane];
        }
    }
}

NC_FN void NC_N(nc_stage_evaluate)(NC_N(nc_tile) tile, nc_program program, NC_WORK rates)
{
    NC_N(nc_instructions_rates)
    (tile.plan, program.instructions, program.instruction_count, program.outputs, tile.cells, tile.constants, tile.values, rates);
}

// rates = the program's outputs for the state in `state`.
NC_FN void NC_N(nc_stage_run)(NC_N(nc_tile) tile, nc_program program, NC_WORK_READ state, NC_WORK rates)
{
    NC_N(nc_vector_copy)(tile, state, tile.values);
    NC_N(nc_stage_evaluate)(tile, program, rates);
}

NC_FN nc_i32 NC_N(nc_any_busy)(NC_PRIVATE const NC_N(nc_lanes) * lanes)
{
    nc_i32 any = 0;
    NC_FOR_LANES(lane)
    {
        any |= lanes->busy[lane];
    }
    return any;
}

// A lane leaves the run for good.
NC_FN void NC_N(nc_lane_fail)(NC_PRIVATE NC_N(nc_lanes) * lanes, nc_u32 lane, nc_i32 status, nc_i32 cell)
{
    if (lanes->status[lane] == NC_LANE_OK) {
        lanes->status[lane] = status;
        lanes->cell[lane] = cell;
    }
}
