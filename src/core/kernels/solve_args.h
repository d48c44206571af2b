// SPDX-License-Identifier: Apache-2.0
// Where the matrices and vectors of a batch lie, for the kernels of dense systems.
#ifndef NC_KERNELS_SOLVE_ARGS_H
#define NC_KERNELS_SOLVE_ARGS_H

#include "../dialect/dialect.h"

// Status numbers of nc_base.h that kernels write.
#define NC_SOLVE_OK 0
#define NC_SOLVE_INVALID 1         // NC_INVALID_ARGUMENT: not symmetric
#define NC_SOLVE_NUMERICAL 14      // NC_NUMERICAL_ERROR: not positive definite, not finite, or no convergence
#define NC_SOLVE_RANK_DEFICIENT 15 // NC_RANK_DEFICIENT

// One-sided Jacobi converges quadratically; well-conditioned matrices need 6 to 10 sweeps, the cap only ends the hopeless.
#define NC_JACOBI_SWEEPS 40

// Element (i, j) of matrix b lies at offset + b*batch + i*row + j*column; vectors have no column.
typedef struct nc_place {
    nc_i64 offset, batch, row, column;
} nc_place;

typedef struct nc_systems {
    nc_place matrix;
    nc_place vector;
    nc_place pivots;
    nc_place status;
    nc_i64 n;
    nc_i64 count; // matrices in the batch
} nc_systems;
NC_ASSERT_SIZE(nc_systems, 144);

// The player at `position` (0 .. 2*pairs-1) of the table in round `round` (0 .. 2*pairs-2). Positions k and 2*pairs-1-k meet, so
// each pair of players meets once in all rounds.
NC_FN nc_i64 nc_round_robin(nc_i64 pairs, nc_i64 round, nc_i64 position)
{
    // Player 0 sits still, the others move one seat a round.
    return position == 0 ? 0 : (position - 1 + round) % (2 * pairs - 1) + 1;
}

#endif
