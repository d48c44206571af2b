// SPDX-License-Identifier: Apache-2.0
// A compiled model as kernels see it: straight-line programs over numbered slots, and the arguments of the kernels that run them.
//
// A program is a list of instructions without branches, written once by the host (host/model_lower.c) in canonical order: every
// backend executes the same operations in the same order. Slots hold one value for each lane of a begin, in this order: state
// cells, parameter cells, time, constants, temporaries. A slot is assigned once and then only added to, so a tangent can follow the
// program and an adjoint can walk it backwards without a record.
//
// The plan is one buffer of words. An instruction is four words: operation, result, left, right. A program's first one stands at a
// multiple of four words, so that a device reads an instruction at once.
#ifndef NC_KERNELS_MODEL_PLAN_H
#define NC_KERNELS_MODEL_PLAN_H

#include "../dialect/dialect.h"

#define NC_INSTRUCTION_WORDS 4u

#define NC_OPERATION_MULTIPLY 0u    // result = left * right
#define NC_OPERATION_ACCUMULATE 1u  // result = fma(left, right, result)
#define NC_OPERATION_ADD 2u         // result = left + right
#define NC_OPERATION_RATIO 3u       // result = left / right, and 0 / 0 is +0
#define NC_OPERATION_EXPONENTIAL 4u // result = exp(left)
#define NC_OPERATION_FORCING 5u     // result = table at time left; right is the word where the table's descriptor stands

// A forcing's descriptor is two words: the element of the constants where its knots begin (times, then values), and their number.

typedef struct nc_program {
    nc_u32 instructions; // word of the plan where the first instruction stands
    nc_u32 instruction_count;
    nc_u32 outputs; // word of the plan where the list of output slots stands
    nc_u32 output_count;
    nc_u32 state_count, parameter_count, constant_count;
    nc_u32 slot_count; // all slots, temporaries included
} nc_program;
NC_ASSERT_SIZE(nc_program, 32);

typedef struct nc_instruction {
    nc_u32 operation, result, left, right;
} nc_instruction;

// Instruction k. `words` is the program's first one.
NC_FN nc_instruction nc_instruction_at(NC_GLOBAL const nc_u32 *words, nc_u32 k)
{
    nc_instruction instruction;
    NC_LOAD4(nc_u32, words + k * NC_INSTRUCTION_WORDS, instruction.operation, instruction.result, instruction.left,
             instruction.right);
    return instruction;
}

NC_FN nc_u32 nc_program_parameters(nc_program program)
{
    return program.state_count;
}
NC_FN nc_u32 nc_program_time(nc_program program)
{
    return program.state_count + program.parameter_count;
}
NC_FN nc_u32 nc_program_constants(nc_program program)
{
    return program.state_count + program.parameter_count + 1u;
}

// Element (trajectory, row, cell) of an array: offset + trajectory*batch + row*row + cell*cell. batch is 0 for what all share.
typedef struct nc_operand {
    nc_i64 offset, batch, row, cell;
} nc_operand;
NC_ASSERT_SIZE(nc_operand, 32);

// One row of an array of matrices.
NC_FN nc_operand nc_operand_row(nc_operand operand, nc_u64 row)
{
    operand.offset += (nc_i64)row * operand.row;
    return operand;
}

NC_FN nc_u64 nc_operand_at(nc_operand operand, nc_u64 trajectory, nc_u64 cell)
{
    return (nc_u64)(operand.offset + (nc_i64)trajectory * operand.batch + (nc_i64)cell * operand.cell);
}

// What one launch works on: `tiles` tiles from trajectory `first` on, of `count` trajectories. A lane past the last trajectory
// computes the last one again and stores nothing.
typedef struct nc_wave {
    nc_u64 first, count, tiles;
    nc_u64 tile_elements; // working memory of one tile
} nc_wave;
NC_ASSERT_SIZE(nc_wave, 32);

#define NC_MODEL_OPERANDS 8
typedef struct nc_model_call {
    nc_wave wave;
    nc_operand operand[NC_MODEL_OPERANDS];
    nc_program program;
    nc_u32 present; // bit i: operand i was given; an absent input is zero, an absent result is not stored
    nc_u32 pad;
} nc_model_call;
NC_ASSERT_SIZE(nc_model_call, 328);

#define NC_MODEL_TIME 0
#define NC_MODEL_STATE 1
#define NC_MODEL_PARAMETERS 2
#define NC_MODEL_OUT 3
#define NC_MODEL_TIME_TANGENT 4 // jvp reads these three; vjp writes them
#define NC_MODEL_STATE_TANGENT 5
#define NC_MODEL_PARAMETERS_TANGENT 6

NC_FN nc_u64 nc_wave_trajectory(nc_wave wave, nc_u64 begin, nc_u32 lane)
{
    nc_u64 trajectory = wave.first + begin + lane;
    return trajectory < wave.count ? trajectory : wave.count - 1u;
}

#endif
