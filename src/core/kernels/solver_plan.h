// SPDX-License-Identifier: Apache-2.0
// Arguments of the solver's kernels. The numbers of methods, steppings and statuses are those of nc_solver.h (host/solver.c asserts
// it).
#ifndef NC_KERNELS_SOLVER_PLAN_H
#define NC_KERNELS_SOLVER_PLAN_H

#include "model_plan.h"

#define NC_SOLVE_EULER 1
#define NC_SOLVE_HEUN 2
#define NC_SOLVE_RK4 3
#define NC_SOLVE_DOPRI5 4
#define NC_SOLVE_IMPLICIT_EULER 5
#define NC_SOLVE_TRAPEZOIDAL 6
#define NC_SOLVE_BDF2 7
#define NC_SOLVE_ROS2 8
#define NC_SOLVE_SDIRK2 9
#define NC_SOLVE_IMEX_EULER 10
#define NC_SOLVE_IMEX_HEUN_TR 11
#define NC_SOLVE_IMEX_TRBDF2 12
#define NC_SOLVE_IMEX_ARK3 13

#define NC_STEP_GRID 0
#define NC_STEP_ADAPTIVE 1
#define NC_STEP_REPLAY 2

#define NC_LANE_OK 0
#define NC_LANE_NEGATIVE_STATE 1
#define NC_LANE_NONFINITE 2
#define NC_LANE_STEP_LIMIT 3
#define NC_LANE_STEP_TOO_SMALL 4
#define NC_LANE_REJECT_LIMIT 5
#define NC_LANE_NEWTON_FAILED 6
#define NC_LANE_SINGULAR_MATRIX 7
#define NC_LANE_STEP_LIST_FULL 8
#define NC_LANE_STEP_LIST_INVALID 9

#define NC_REPORT_WIDTH 7

// Vectors of one value a cell in a tile's working memory: the state, the next state, the method's stages. nc_solver_call says where
// they begin and where the other parts do, counted in values of one lane (host/solver.c).
#define NC_VECTOR_STATE 0u
#define NC_VECTOR_NEXT 1u
#define NC_VECTOR_STAGE 2u // stages of explicit parts, then of implicit parts
// Numbered after the stages.
#define NC_EXTRA_ERROR 0u   // adaptive runs
#define NC_EXTRA_ADJOINT 0u // gradients
#define NC_EXTRA_SIDE 0u    // methods with a matrix: right side, then solution, of a linear system
#define NC_EXTRA_TARGET 1u  // and what a stage starts from
#define NC_EXTRA_BEFORE 2u  // bdf2: the state before
#define NC_STAGES_MAX 7u

typedef struct nc_solver_call {
    nc_wave wave;
    nc_operand state, parameters, out, report, list, lengths, seed, state_gradient, parameters_gradient;
    nc_program program;   // right-hand side; of the explicit flows in an IMEX method
    nc_program implicit;  // of the implicit flows
    nc_u64 points;        // of the grid
    nc_u64 capacity;      // entries of a step list
    nc_u64 tangents;      // where in a tile's working memory the tangents' or adjoints' slots begin, which a lane's values precede
    nc_u64 vectors;       // the state, the next state, the stages
    nc_u64 extras;        // what else the method needs
    nc_u64 matrix;        // and the system's matrix with its pivots, or a gradient's parameters
    nc_u64 tape_elements; // gradient: of one tile's tape
    nc_i64 step_limit;
    nc_f64 cells; // number of state cells
    nc_f64 relative, absolute, first_step, newton_tolerance;
    nc_i32 method, stepping, history, allow_negative, newton_limit, reject_limit;
    nc_i32 records; // 1: the adaptive run writes its step list
    nc_u32 wanted;  // gradient: bit 0 state, bit 1 parameters
} nc_solver_call;
NC_ASSERT_SIZE(nc_solver_call, 520);

#endif
