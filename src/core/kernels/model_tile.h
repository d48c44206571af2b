// SPDX-License-Identifier: Apache-2.0
// Moving arrays into and out of a tile's slots. Body: include once per real type.
#include "model_plan.h"

NC_FN void NC_N(nc_tile_load)(nc_wave wave, nc_u64 begin, nc_operand operand, nc_u32 cells, NC_GLOBAL const NC_REAL *array,
                              NC_WORK slots)
{
    for (nc_u32 cell = 0; cell < cells; ++cell) {
        NC_FOR_LANES(lane)
        {
            slots[NC_AT(cell, lane)] = array[nc_operand_at(operand, nc_wave_trajectory(wave, begin, lane), cell)];
        }
    }
}

NC_FN void NC_N(nc_tile_fill)(NC_REAL value, nc_u32 cells, NC_WORK slots)
{
    for (nc_u32 cell = 0; cell < cells; ++cell) {
        NC_FOR_LANES(lane)
        {
            slots[NC_AT(cell, lane)] = value;
        }
    }
}

NC_FN void NC_N(nc_tile_constants)(nc_program program, NC_GLOBAL const NC_REAL *constants, NC_WORK values)
{
    NC_WORK slots = values + nc_program_constants(program) * NC_TILE;
    for (nc_u32 k = 0; k < program.constant_count; ++k) {
        NC_FOR_LANES(lane)
        {
            slots[NC_AT(k, lane)] = constants[k];
        }
    }
}

// One value of a lane to element (trajectory, cell); lanes past the last trajectory store nothing.
NC_FN void NC_N(nc_tile_store)(nc_wave wave, nc_u64 begin, nc_operand operand, nc_u64 cell, NC_WORK_READ slot,
                               NC_GLOBAL NC_REAL *array)
{
    NC_FOR_LANES(lane)
    {
        nc_u64 trajectory = wave.first + begin + lane;
        if (trajectory < wave.count) {
            array[nc_operand_at(operand, trajectory, cell)] = NC_CANON(slot[lane]);
        }
    }
}

// An input that was not given is zero.
NC_FN void NC_N(nc_input_load)(nc_model_call call, nc_u64 begin, nc_u32 which, nc_u32 cells, NC_GLOBAL const NC_REAL *array,
                               NC_WORK slots)
{
    if ((call.present >> which & 1u) != 0u) {
        NC_N(nc_tile_load)(call.wave, begin, call.operand[which], cells, array, slots);
    } else {
        NC_N(nc_tile_fill)(NC_C(0.0), cells, slots);
    }
}

// State, parameters, time and constants of a call.
NC_FN void NC_N(nc_model_load)(nc_model_call call, nc_u64 begin, NC_GLOBAL const NC_REAL *constants, NC_GLOBAL const NC_REAL *time,
                               NC_GLOBAL const NC_REAL *state, NC_GLOBAL const NC_REAL *parameters, NC_WORK values)
{
    nc_program program = call.program;
    NC_WORK parameter_slots = values + nc_program_parameters(program) * NC_TILE;
    NC_WORK time_slot = values + nc_program_time(program) * NC_TILE;
    NC_N(nc_input_load)(call, begin, NC_MODEL_STATE, program.state_count, state, values);
    NC_N(nc_input_load)(call, begin, NC_MODEL_PARAMETERS, program.parameter_count, parameters, parameter_slots);
    NC_N(nc_input_load)(call, begin, NC_MODEL_TIME, 1, time, time_slot);
    NC_N(nc_tile_constants)(program, constants, values);
}

NC_FN void NC_N(nc_gradient_store)(nc_model_call call, nc_u64 begin, nc_u32 which, nc_u32 cells, NC_WORK_READ slots,
                                   NC_GLOBAL NC_REAL *array)
{
    if ((call.present >> which & 1u) != 0u) {
        for (nc_u32 cell = 0; cell < cells; ++cell) {
            NC_N(nc_tile_store)
            (call.wave, begin, call.operand[which], cell, slots + cell * NC_TILE, array);
        }
    }
}
