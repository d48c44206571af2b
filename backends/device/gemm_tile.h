// SPDX-License-Identifier: Apache-2.0
// One gemm kernel for one tile size: GEMM_NAME, GEMM_ROWS x GEMM_COLUMNS of C in a group, loaded and stored GEMM_VECTOR elements
// wide. Included by gemm.h only; forgets its parameters at the end.
//
// A group walks k in steps of GEMM_DEPTH. The values of A and B for a step lie in local memory, k-major, in one of two buffers:
// while the lanes multiply from one, the next step is already on its way to the other. A lane owns the elements of C whose row
// is (lane / 16)*GEMM_VECTOR + v + g*16*GEMM_VECTOR, and likewise for columns, so that the lanes of a warp read neighbouring
// addresses. Past the end of k, A is padded with -0 and B with +0: fma(-0, +0, acc) is acc, bit for bit.
// Past the edge of C a lane reads the last row or column again and stores nothing.

#define GEMM_LANE_ROWS (GEMM_ROWS / GEMM_SIDE)
#define GEMM_LANE_COLUMNS (GEMM_COLUMNS / GEMM_SIDE)
#define GEMM_A_LOADS (GEMM_ROWS * GEMM_DEPTH / NC_GROUP_LANES)
#define GEMM_B_LOADS (GEMM_COLUMNS * GEMM_DEPTH / NC_GROUP_LANES)
#define GEMM_A_PITCH (GEMM_ROWS + 4u) // keeps rows 16-byte aligned and shifts them over the banks
#define GEMM_B_PITCH (GEMM_COLUMNS + 4u)
#define GEMM_PART(suffix) NC_CONCAT(GEMM_NAME, suffix)
#define GEMM_SPREAD(index, lane) (((index) / GEMM_VECTOR) * GEMM_SIDE * GEMM_VECTOR + (lane)*GEMM_VECTOR + (index) % GEMM_VECTOR)

// sum += a b for one step.
NC_FN void GEMM_PART(_multiply)(NC_LOCAL const NC_REAL *a, NC_LOCAL const NC_REAL *b, nc_u32 lane,
                                NC_PRIVATE NC_REAL sum[GEMM_LANE_ROWS][GEMM_LANE_COLUMNS])
{
    NC_UNROLL
    for (nc_u32 k = 0; k < GEMM_DEPTH; ++k) {
        NC_REAL a_value[GEMM_LANE_ROWS];
        NC_REAL b_value[GEMM_LANE_COLUMNS];
        NC_UNROLL
        for (nc_u32 i = 0; i < GEMM_LANE_ROWS; ++i) {
            a_value[i] = a[k * GEMM_A_PITCH + GEMM_SPREAD(i, lane / GEMM_SIDE)];
        }
        NC_UNROLL
        for (nc_u32 j = 0; j < GEMM_LANE_COLUMNS; ++j) {
            b_value[j] = b[k * GEMM_B_PITCH + GEMM_SPREAD(j, lane % GEMM_SIDE)];
        }
        NC_UNROLL
        for (nc_u32 i = 0; i < GEMM_LANE_ROWS; ++i) {
            NC_UNROLL
            for (nc_u32 j = 0; j < GEMM_LANE_COLUMNS; ++j) {
                sum[i][j] = NC_FMA(a_value[i], b_value[j], sum[i][j]);
            }
        }
    }
}

// C = alpha sum + beta C for the lane's elements that exist.
NC_FN void GEMM_PART(_store)(NC_REAL alpha, NC_REAL beta, NC_GLOBAL NC_REAL *c, gemm_place c_place, nc_i64 rows, nc_i64 columns,
                             nc_u32 lane, NC_PRIVATE NC_REAL sum[GEMM_LANE_ROWS][GEMM_LANE_COLUMNS])
{
    NC_UNROLL
    for (nc_u32 i = 0; i < GEMM_LANE_ROWS; ++i) {
        nc_i64 row = (nc_i64)GEMM_SPREAD(i, lane / GEMM_SIDE);
        NC_UNROLL
        for (nc_u32 j = 0; j < GEMM_LANE_COLUMNS; ++j) {
            nc_i64 column = (nc_i64)GEMM_SPREAD(j, lane % GEMM_SIDE);
            if (row < rows && column < columns) {
                NC_GLOBAL NC_REAL *place = c + (c_place.offset + row * c_place.row_stride + column * c_place.column_stride);
                NC_REAL result = alpha * sum[i][j];
                if (beta != NC_C(0.0)) {
                    result = NC_FMA(beta, *place, result);
                }
                *place = NC_CANON(result);
            }
        }
    }
}

NC_GROUP_KERNEL(GEMM_NAME)
(NC_REAL alpha, NC_GLOBAL const NC_REAL *a, gemm_place a_place, NC_GLOBAL const NC_REAL *b, gemm_place b_place, NC_REAL beta,
 NC_GLOBAL NC_REAL *c, gemm_place c_place, gemm_shape shape)
{
    NC_LOCAL_ARRAY(NC_REAL, a_tile, 2u * GEMM_DEPTH * GEMM_A_PITCH);
    NC_LOCAL_ARRAY(NC_REAL, b_tile, 2u * GEMM_DEPTH * GEMM_B_PITCH);
    typedef char gemm_fits_local_memory[sizeof a_tile + sizeof b_tile <= 32768u ? 1 : -1];
    NC_REAL sum[GEMM_LANE_ROWS][GEMM_LANE_COLUMNS];
    NC_REAL a_next[GEMM_A_LOADS];
    NC_REAL b_next[GEMM_B_LOADS];
    nc_u32 lane = NC_LANE_INDEX;
    nc_u64 tiles_across = ((nc_u64)shape.n + GEMM_COLUMNS - 1u) / GEMM_COLUMNS;
    nc_i64 first_row = (nc_i64)(NC_GROUP_INDEX / tiles_across * GEMM_ROWS);
    nc_i64 first_column = (nc_i64)(NC_GROUP_INDEX % tiles_across * GEMM_COLUMNS);
    gemm_panel a_panel =
        gemm_panel_begin(a_place.offset, a_place.row_stride, a_place.column_stride, first_row, shape.m, GEMM_ROWS, lane);
    gemm_panel b_panel =
        gemm_panel_begin(b_place.offset, b_place.column_stride, b_place.row_stride, first_column, shape.n, GEMM_COLUMNS, lane);

    NC_UNROLL
    for (nc_u32 i = 0; i < GEMM_LANE_ROWS; ++i) {
        NC_UNROLL
        for (nc_u32 j = 0; j < GEMM_LANE_COLUMNS; ++j) {
            sum[i][j] = NC_C(0.0);
        }
    }

    // Step s is multiplied while step s + 1 is read; step -1 only reads.
    nc_i64 steps = (shape.k + (nc_i64)GEMM_DEPTH - 1) / (nc_i64)GEMM_DEPTH;
    for (nc_i64 step = -1; step < steps; ++step) {
        nc_u32 now = (nc_u32)(step + 2) & 1u;
        nc_u32 then = now ^ 1u;
        if (step + 1 < steps) {
            nc_i64 from_k = (step + 1) * (nc_i64)GEMM_DEPTH;
            NC_N(gemm_panel_read)(a, a_panel, from_k, shape.k, NC_C(-0.0), GEMM_A_LOADS, a_next);
            NC_N(gemm_panel_read)(b, b_panel, from_k, shape.k, NC_C(0.0), GEMM_B_LOADS, b_next);
        }
        if (step >= 0) {
            GEMM_PART(_multiply)(a_tile + now * GEMM_DEPTH * GEMM_A_PITCH, b_tile + now * GEMM_DEPTH * GEMM_B_PITCH, lane, sum);
        }
        if (step + 1 < steps) {
            NC_N(gemm_panel_write)(a_tile + then * GEMM_DEPTH * GEMM_A_PITCH, a_panel, GEMM_A_PITCH, GEMM_A_LOADS, a_next);
            NC_N(gemm_panel_write)(b_tile + then * GEMM_DEPTH * GEMM_B_PITCH, b_panel, GEMM_B_PITCH, GEMM_B_LOADS, b_next);
        }
        NC_BARRIER();
    }

    gemm_place corner = c_place; // PoCL's work items share one copy of the arguments: a kernel must not write to them
    corner.offset += first_row * c_place.row_stride + first_column * c_place.column_stride;
    GEMM_PART(_store)(alpha, beta, c, corner, shape.m - first_row, shape.n - first_column, lane, sum);
}

#undef GEMM_NAME
#undef GEMM_ROWS
#undef GEMM_COLUMNS
#undef GEMM_VECTOR
#undef GEMM_LANE_ROWS
#undef GEMM_LANE_COLUMNS
#undef GEMM_A_LOADS
#undef GEMM_B_LOADS
#undef GEMM_A_PITCH
#undef GEMM_B_PITCH
#undef GEMM_PART
#undef GEMM_SPREAD
