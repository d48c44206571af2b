// SPDX-License-Identifier: Apache-2.0
// Kernels of the module model: evaluate a program, its Jacobian, and its products with tangents and adjoints, for every trajectory
// of a batch. Body: include once per real type.
#include "model_body.h"

// out[trajectory, i] = output i.
NC_KERNEL8(NC_N(model_evaluate), nc_model_call, call, NC_GLOBAL const nc_u32 *, plan, NC_GLOBAL const NC_REAL *, constants,
           NC_GLOBAL const NC_REAL *, time, NC_GLOBAL const NC_REAL *, state, NC_GLOBAL const NC_REAL *, parameters,
           NC_GLOBAL NC_REAL *, out, NC_WORK, workspace)
{
    NC_FOR_TILES(begin, home, call.wave.tiles)
    {
        NC_WORK values = NC_WORK_OF_TILE(workspace, begin, home, call.wave.tile_elements);
        NC_N(nc_model_load)(call, begin, constants, time, state, parameters, values);
        NC_N(nc_program_run)(call.program, plan, constants, values);
        for (nc_u32 i = 0; i < call.program.output_count; ++i) {
            NC_N(nc_tile_store)
            (call.wave, begin, call.operand[NC_MODEL_OUT], i, values + plan[call.program.outputs + i] * NC_TILE, out);
        }
    }
}

// out[trajectory, i, j] = derivative of output i in state cell j.
NC_KERNEL8(NC_N(model_jacobian), nc_model_call, call, NC_GLOBAL const nc_u32 *, plan, NC_GLOBAL const NC_REAL *, constants,
           NC_GLOBAL const NC_REAL *, time, NC_GLOBAL const NC_REAL *, state, NC_GLOBAL const NC_REAL *, parameters,
           NC_GLOBAL NC_REAL *, out, NC_WORK, workspace)
{
    NC_FOR_TILES(begin, home, call.wave.tiles)
    {
        nc_program program = call.program;
        NC_WORK values = NC_WORK_OF_TILE(workspace, begin, home, call.wave.tile_elements);
        NC_WORK tangents = values + (nc_u64)program.slot_count * NC_TILE;
        NC_N(nc_model_load)(call, begin, constants, time, state, parameters, values);
        NC_N(nc_program_run)(program, plan, constants, values);
        NC_N(nc_tile_fill)(NC_C(0.0), program.slot_count, tangents);
        for (nc_u32 j = 0; j < program.state_count; ++j) {
            NC_N(nc_tile_fill)(NC_C(1.0), 1, tangents + j * NC_TILE);
            NC_N(nc_program_tangent)(program, plan, constants, values, tangents);
            for (nc_u32 i = 0; i < program.output_count; ++i) {
                NC_N(nc_tile_store)
                (call.wave, begin, nc_operand_row(call.operand[NC_MODEL_OUT], i), j, tangents + plan[program.outputs + i] * NC_TILE,
                 out);
            }
            NC_N(nc_tile_fill)(NC_C(0.0), 1, tangents + j * NC_TILE); // an output may be this very slot
        }
    }
}

// out[trajectory, i] = derivative of output i along the tangents.
NC_KERNEL11(NC_N(model_jvp), nc_model_call, call, NC_GLOBAL const nc_u32 *, plan, NC_GLOBAL const NC_REAL *, constants,
            NC_GLOBAL const NC_REAL *, time, NC_GLOBAL const NC_REAL *, state, NC_GLOBAL const NC_REAL *, parameters,
            NC_GLOBAL const NC_REAL *, time_tangent, NC_GLOBAL const NC_REAL *, state_tangent, NC_GLOBAL const NC_REAL *,
            parameters_tangent, NC_GLOBAL NC_REAL *, out, NC_WORK, workspace)
{
    NC_FOR_TILES(begin, home, call.wave.tiles)
    {
        nc_program program = call.program;
        NC_WORK values = NC_WORK_OF_TILE(workspace, begin, home, call.wave.tile_elements);
        NC_WORK tangents = values + (nc_u64)program.slot_count * NC_TILE;
        NC_N(nc_model_load)(call, begin, constants, time, state, parameters, values);
        NC_N(nc_program_run)(program, plan, constants, values);
        NC_N(nc_tile_fill)(NC_C(0.0), program.slot_count, tangents);
        NC_N(nc_input_load)(call, begin, NC_MODEL_STATE_TANGENT, program.state_count, state_tangent, tangents);
        NC_N(nc_input_load)
        (call, begin, NC_MODEL_PARAMETERS_TANGENT, program.parameter_count, parameters_tangent,
         tangents + nc_program_parameters(program) * NC_TILE);
        NC_N(nc_input_load)
        (call, begin, NC_MODEL_TIME_TANGENT, 1, time_tangent, tangents + nc_program_time(program) * NC_TILE);
        NC_N(nc_program_tangent)(program, plan, constants, values, tangents);
        for (nc_u32 i = 0; i < program.output_count; ++i) {
            NC_N(nc_tile_store)
            (call.wave, begin, call.operand[NC_MODEL_OUT], i, tangents + plan[program.outputs + i] * NC_TILE, out);
        }
    }
}

// Gradients of sum_i weights[trajectory, i] * output i.
NC_KERNEL11(NC_N(model_vjp), nc_model_call, call, NC_GLOBAL const nc_u32 *, plan, NC_GLOBAL const NC_REAL *, constants,
            NC_GLOBAL const NC_REAL *, time, NC_GLOBAL const NC_REAL *, state, NC_GLOBAL const NC_REAL *, parameters,
            NC_GLOBAL const NC_REAL *, weights, NC_GLOBAL NC_REAL *, time_gradient, NC_GLOBAL NC_REAL *, state_gradient,
            NC_GLOBAL NC_REAL *, parameters_gradient, NC_WORK, workspace)
{
    NC_FOR_TILES(begin, home, call.wave.tiles)
    {
        nc_program program = call.program;
        NC_WORK values = NC_WORK_OF_TILE(workspace, begin, home, call.wave.tile_elements);
        NC_WORK adjoints = values + (nc_u64)program.slot_count * NC_TILE;
        NC_N(nc_model_load)(call, begin, constants, time, state, parameters, values);
        NC_N(nc_program_run)(program, plan, constants, values);
        NC_N(nc_tile_fill)(NC_C(0.0), program.slot_count, adjoints);
        for (nc_u32 i = 0; i < program.output_count; ++i) {
            NC_WORK seed = adjoints + plan[program.outputs + i] * NC_TILE;
            NC_FOR_LANES(lane)
            {
                nc_u64 trajectory = nc_wave_trajectory(call.wave, begin, lane);
                seed[lane] = seed[lane] + weights[nc_operand_at(call.operand[NC_MODEL_OUT], trajectory, i)];
            }
        }
        NC_N(nc_program_adjoint)(program, plan, constants, values, adjoints);
        NC_N(nc_gradient_store)(call, begin, NC_MODEL_STATE_TANGENT, program.state_count, adjoints, state_gradient);
        NC_N(nc_gradient_store)
        (call, begin, NC_MODEL_PARAMETERS_TANGENT, program.parameter_count, adjoints + nc_program_parameters(program) * NC_TILE,
         parameters_gradient);
        NC_N(nc_gradient_store)
        (call, begin, NC_MODEL_TIME_TANGENT, 1, adjoints + nc_program_time(program) * NC_TILE, time_gradient);
    }
}
