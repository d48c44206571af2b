// SPDX-License-Identifier: Apache-2.0
// The interpreter of a model's programs for one tile: values, tangents (forward) and adjoints (reverse). Body: include once per
// real type.
//
// `values` points to the tile's slots. Slots are working memory: they may hold any NaN, and what leaves a kernel passes NC_CANON.
#include "elementary.h"
#include "model_plan.h"

// The last knot at or before `time` (count - 1 past the end), or -1 before the first.
NC_FN nc_i32 NC_N(nc_forcing_find)(NC_GLOBAL const NC_REAL *times, nc_i32 count, NC_REAL time)
{
    nc_i32 low = -1, high = count; // times[low] <= time < times[high]
    while (high - low > 1) {
        nc_i32 middle = low + (high - low) / 2;
        if (times[middle] <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

// Piecewise linear through the knots, constant outside. *slope is the derivative in time, from the right at a knot.
NC_FN NC_REAL NC_N(nc_forcing)(NC_GLOBAL const nc_u32 *descriptor, NC_GLOBAL const NC_REAL *constants, NC_REAL time,
                               NC_PRIVATE NC_REAL *slope)
{
    nc_i32 count = (nc_i32)descriptor[1];
    NC_GLOBAL const NC_REAL *times = constants + descriptor[0];
    NC_GLOBAL const NC_REAL *values = times + count;
    nc_i32 knot = NC_N(nc_forcing_find)(times, count, time);
    *slope = NC_C(0.0);
    if (NC_N(nc_is_nan)(time)) {
        return time;
    }
    if (knot < 0) {
        return values[0];
    }
    if (knot >= count - 1) {
        return values[count - 1];
    }
    *slope = (values[knot + 1] - values[knot]) / (times[knot + 1] - times[knot]);
    return NC_FMA(*slope, time - times[knot], values[knot]);
}

// numerator / bottom, or +0 where the ratio top / bottom is 0/0: the share of nobody among nobody, which moves nobody and does not
// change. With numerator = top it is the ratio itself, else a part of its derivative.
NC_FN NC_REAL NC_N(nc_ratio)(NC_REAL top, NC_REAL bottom, NC_REAL numerator)
{
    NC_REAL quotient = numerator / bottom;
    return top == NC_C(0.0) && bottom == NC_C(0.0) ? NC_C(0.0) : quotient;
}

// nc_instructions_* are the functions that are called, not inlined: they take scalars (dialect.h, NC_FN_APART).
NC_FN_APART void NC_N(nc_instructions_run)(NC_GLOBAL const nc_u32 *plan, nc_u32 instructions, nc_u32 count,
                                           NC_GLOBAL const NC_REAL *constants, NC_WORK values)
{
    for (nc_u32 k = 0; k < count; ++k) {
        nc_instruction instruction = nc_instruction_at(plan + instructions, k);
        NC_WORK result = values + instruction.result * NC_TILE;
        NC_WORK_READ left = values + instruction.left * NC_TILE;
        NC_WORK_READ right = values + instruction.right * NC_TILE;
        switch (instruction.operation) {
        case NC_OPERATION_MULTIPLY:
            NC_FOR_LANES(lane)
            {
                result[lane] = left[lane] * right[lane];
            }
            break;
        case NC_OPERATION_ACCUMULATE:
            NC_FOR_LANES(lane)
            {
                result[lane] = NC_FMA(left[lane], right[lane], result[lane]);
            }
            break;
        case NC_OPERATION_ADD:
            NC_FOR_LANES(lane)
            {
                result[lane] = left[lane] + right[lane];
            }
            break;
        case NC_OPERATION_RATIO:
            NC_FOR_LANES(lane)
            {
                result[lane] = NC_N(nc_ratio)(left[lane], right[lane], left[lane]);
            }
            break;
        case NC_OPERATION_EXPONENTIAL:
            NC_FOR_LANES(lane)
            {
                result[lane] = NC_N(nc_exp)(left[lane]);
            }
            break;
        default:
            NC_FOR_LANES(lane)
            {
                NC_REAL slope;
                result[lane] = NC_N(nc_forcing)(plan + instruction.right, constants, left[lane], &slope);
            }
            break;
        }
    }
}

NC_FN void NC_N(nc_program_run)(nc_program program, NC_GLOBAL const nc_u32 *plan, NC_GLOBAL const NC_REAL *constants,
                                NC_WORK values)
{
    NC_N(nc_instructions_run)(plan, program.instructions, program.instruction_count, constants, values);
}

// tangents[slot] = derivative of values[slot] along the tangents of state, parameters and time, which the caller has written. The
// values must be those of a run. The derivative of a ratio 0/0 is 0, as the ratio itself.
NC_FN_APART void NC_N(nc_instructions_tangent)(NC_GLOBAL const nc_u32 *plan, nc_u32 instructions, nc_u32 count,
                                               NC_GLOBAL const NC_REAL *constants, NC_WORK_READ values, NC_WORK tangents)
{
    for (nc_u32 k = 0; k < count; ++k) {
        nc_instruction instruction = nc_instruction_at(plan + instructions, k);
        NC_WORK_READ value = values + instruction.result * NC_TILE;
        NC_WORK_READ left = values + instruction.left * NC_TILE;
        NC_WORK_READ right = values + instruction.right * NC_TILE;
        NC_WORK result = tangents + instruction.result * NC_TILE;
        NC_WORK_READ left_tangent = tangents + instruction.left * NC_TILE;
        NC_WORK_READ right_tangent = tangents + instruction.right * NC_TILE;
        switch (instruction.operation) {
        case NC_OPERATION_MULTIPLY:
            NC_FOR_LANES(lane)
            {
                result[lane] = NC_FMA(left[lane], right_tangent[lane], left_tangent[lane] * right[lane]);
            }
            break;
        case NC_OPERATION_ACCUMULATE:
            NC_FOR_LANES(lane)
            {
                NC_REAL sum = NC_FMA(left_tangent[lane], right[lane], result[lane]);
                result[lane] = NC_FMA(left[lane], right_tangent[lane], sum);
            }
            break;
        case NC_OPERATION_ADD:
            NC_FOR_LANES(lane)
            {
                result[lane] = left_tangent[lane] + right_tangent[lane];
            }
            break;
        case NC_OPERATION_RATIO:
            NC_FOR_LANES(lane)
            {
                NC_REAL change = NC_FMA(-value[lane], right_tangent[lane], left_tangent[lane]);
                result[lane] = NC_N(nc_ratio)(left[lane], right[lane], change);
            }
            break;
        case NC_OPERATION_EXPONENTIAL:
            NC_FOR_LANES(lane)
            {
                result[lane] = value[lane] * left_tangent[lane];
            }
            break;
        default:
            NC_FOR_LANES(lane)
            {
                NC_REAL slope;
                (void)NC_N(nc_forcing)(plan + instruction.right, constants, left[lane], &slope);
                result[lane] = slope * left_tangent[lane];
            }
            break;
        }
    }
}

NC_FN void NC_N(nc_program_tangent)(nc_program program, NC_GLOBAL const nc_u32 *plan, NC_GLOBAL const NC_REAL *constants,
                                    NC_WORK_READ values, NC_WORK tangents)
{
    NC_N(nc_instructions_tangent)(plan, program.instructions, program.instruction_count, constants, values, tangents);
}

// The reverse of nc_program_tangent: adjoints[slot] gains the derivative of the seeded outputs in values[slot]. The caller has
// zeroed all adjoints and added the seeds to the output slots.
NC_FN_APART void NC_N(nc_instructions_adjoint)(NC_GLOBAL const nc_u32 *plan, nc_u32 instructions, nc_u32 count,
                                               NC_GLOBAL const NC_REAL *constants, NC_WORK_READ values, NC_WORK adjoints)
{
    for (nc_u32 k = count; k > 0u; --k) {
        nc_instruction instruction = nc_instruction_at(plan + instructions, k - 1u);
        NC_WORK_READ value = values + instruction.result * NC_TILE;
        NC_WORK_READ left = values + instruction.left * NC_TILE;
        NC_WORK_READ right = values + instruction.right * NC_TILE;
        NC_WORK_READ seed = adjoints + instruction.result * NC_TILE;
        NC_WORK left_adjoint = adjoints + instruction.left * NC_TILE;
        NC_WORK right_adjoint = adjoints + instruction.right * NC_TILE;
        switch (instruction.operation) {
        case NC_OPERATION_MULTIPLY:
        case NC_OPERATION_ACCUMULATE:
            // Left and right may be one slot, so each side has a loop of its own.
            NC_FOR_LANES(lane)
            {
                left_adjoint[lane] = NC_FMA(seed[lane], right[lane], left_adjoint[lane]);
            }
            NC_FOR_LANES(lane)
            {
                right_adjoint[lane] = NC_FMA(seed[lane], left[lane], right_adjoint[lane]);
            }
            break;
        case NC_OPERATION_ADD:
            NC_FOR_LANES(lane)
            {
                left_adjoint[lane] = left_adjoint[lane] + seed[lane];
            }
            NC_FOR_LANES(lane)
            {
                right_adjoint[lane] = right_adjoint[lane] + seed[lane];
            }
            break;
        case NC_OPERATION_RATIO:
            NC_FOR_LANES(lane)
            {
                NC_REAL share = NC_N(nc_ratio)(left[lane], right[lane], seed[lane]);
                left_adjoint[lane] = left_adjoint[lane] + share;
            }
            NC_FOR_LANES(lane)
            {
                NC_REAL share = NC_N(nc_ratio)(left[lane], right[lane], seed[lane]);
                right_adjoint[lane] = NC_FMA(-value[lane], share, right_adjoint[lane]);
            }
            break;
        case NC_OPERATION_EXPONENTIAL:
            NC_FOR_LANES(lane)
            {
                left_adjoint[lane] = NC_FMA(seed[lane], value[lane], left_adjoint[lane]);
            }
            break;
        default:
            NC_FOR_LANES(lane)
            {
                NC_REAL slope;
                (void)NC_N(nc_forcing)(plan + instruction.right, constants, left[lane], &slope);
                left_adjoint[lane] = NC_FMA(seed[lane], slope, left_adjoint[lane]);
            }
            break;
        }
    }
}

NC_FN void NC_N(nc_program_adjoint)(nc_program program, NC_GLOBAL const nc_u32 *plan, NC_GLOBAL const NC_REAL *constants,
                                    NC_WORK_READ values, NC_WORK adjoints)
{
    NC_N(nc_instructions_adjoint)(plan, program.instructions, program.instruction_count, constants, values, adjoints);
}
