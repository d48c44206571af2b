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
#define GEMM_SPREAD(index, lane) (((index) / GEMM_VECTOR) * GEMM_SIDE * GEMM_VECTOR + (lane)*GEMM_VECTOR + (index) % GEMM_VECTOR)

NC_GROUP_KERNEL(GEMM_NAME)
(NC_REAL alpha, NC_GLOBAL const NC_REAL *a, gemm_place a_place, NC_GLOBAL const NC_REAL *b, gemm_place b_place, NC_REAL beta,
 NC_GLOBAL NC_REAL *c, gemm_place c_place, gemm_shape shape)
{
    NC_LOCAL_ARRAY(NC_REAL, a_tile, 2u * GEMM_DEPTH * GEMM_A_PITCH);
    NC_LOCAL_ARRAY(NC_REAL, b_tile, 2u * GEMM_DEPTH * GEMM_B_PITCH);
    NC_REAL sum[GEMM_LANE_ROWS][GEMM_LANE_COLUMNS];
    NC_REAL a_next[GEMM_A_LOADS];
    NC_REAL b_next[GEMM_B_LOADS];
    nc_u32 lane = NC_LANE_INDEX;
    nc_u64 tiles_across = ((nc_u64)shape.n + GEMM_COLUMNS - 1u) / GEMM_COLUMNS;
    nc_i64 first_row = (nc_i64)(NC_GROUP_INDEX / tiles_across * GEMM_ROWS);
    nc_i64 first_column = (nc_i64)(NC_GROUP_INDEX % tiles_across * GEMM_COLUMNS);

    // Neighbouring lanes load along the axis that is contiguous in memory.
    nc_i32 a_along_k = a_place.column_stride == 1;
    nc_u32 a_row = a_along_k ? lane / GEMM_DEPTH : lane % GEMM_ROWS;
    nc_u32 a_k = a_along_k ? lane % GEMM_DEPTH : lane / GEMM_ROWS;
    nc_u32 a_row_step = a_along_k ? NC_GROUP_LANES / GEMM_DEPTH : 0u;
    nc_u32 a_k_step = a_along_k ? 0u : NC_GROUP_LANES / GEMM_ROWS;
    nc_i32 b_along_k = b_place.row_stride == 1;
    nc_u32 b_column = b_along_k ? lane / GEMM_DEPTH : lane % GEMM_COLUMNS;
    nc_u32 b_k = b_along_k ? lane % GEMM_DEPTH : lane / GEMM_COLUMNS;
    nc_u32 b_column_step = b_along_k ? NC_GROUP_LANES / GEMM_DEPTH : 0u;
    nc_u32 b_k_step = b_along_k ? 0u : NC_GROUP_LANES / GEMM_COLUMNS;

    NC_UNROLL
    for (nc_u32 i = 0; i < GEMM_LANE_ROWS; ++i) {
        NC_UNROLL
        for (nc_u32 j = 0; j < GEMM_LANE_COLUMNS; ++j) {
            sum[i][j] = NC_C(0.0);
        }
    }

    nc_i64 steps = (shape.k + (nc_i64)GEMM_DEPTH - 1) / (nc_i64)GEMM_DEPTH;
    for (nc_i64 step = -1; step < steps; ++step) {
        nc_i64 next_k = (step + 1) * (nc_i64)GEMM_DEPTH;
        nc_u32 buffer = (nc_u32)(step + 2) & 1u;
        if (step + 1 < steps) {
            NC_UNROLL
            for (nc_u32 load = 0; load < GEMM_A_LOADS; ++load) {
                nc_i64 row = first_row + (nc_i64)(a_row + load * a_row_step);
                nc_i64 k = next_k + (nc_i64)(a_k + load * a_k_step);
                row = row < shape.m ? row : shape.m - 1;
                a_next[load] = k < shape.k ? a[a_place.offset + row * a_place.row_stride + k * a_place.column_stride] : NC_C(-0.0);
            }
            NC_UNROLL
            for (nc_u32 load = 0; load < GEMM_B_LOADS; ++load) {
                nc_i64 column = first_column + (nc_i64)(b_column + load * b_column_step);
                nc_i64 k = next_k + (nc_i64)(b_k + load * b_k_step);
                column = column < shape.n ? column : shape.n - 1;
                b_next[load] =
                    k < shape.k ? b[b_place.offset + k * b_place.row_stride + column * b_place.column_stride] : NC_C(0.0);
            }
        }
        if (step >= 0) {
            NC_LOCAL const NC_REAL *a_now = a_tile + (buffer ^ 1u) * GEMM_DEPTH * GEMM_A_PITCH;
            NC_LOCAL const NC_REAL *b_now = b_tile + (buffer ^ 1u) * GEMM_DEPTH * GEMM_B_PITCH;
            NC_UNROLL
            for (nc_u32 k = 0; k < GEMM_DEPTH; ++k) {
                NC_REAL a_value[GEMM_LANE_ROWS];
                NC_REAL b_value[GEMM_LANE_COLUMNS];
                NC_UNROLL
                for (nc_u32 i = 0; i < GEMM_LANE_ROWS; ++i) {
                    a_value[i] = a_now[k * GEMM_A_PITCH + GEMM_SPREAD(i, lane / GEMM_SIDE)];
                }
                NC_UNROLL
                for (nc_u32 j = 0; j < GEMM_LANE_COLUMNS; ++j) {
                    b_value[j] = b_now[k * GEMM_B_PITCH + GEMM_SPREAD(j, lane % GEMM_SIDE)];
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
        if (step + 1 < steps) {
            NC_LOCAL NC_REAL *a_then = a_tile + buffer * GEMM_DEPTH * GEMM_A_PITCH;
            NC_LOCAL NC_REAL *b_then = b_tile + buffer * GEMM_DEPTH * GEMM_B_PITCH;
            NC_UNROLL
            for (nc_u32 load = 0; load < GEMM_A_LOADS; ++load) {
                a_then[(a_k + load * a_k_step) * GEMM_A_PITCH + a_row + load * a_row_step] = a_next[load];
            }
            NC_UNROLL
            for (nc_u32 load = 0; load < GEMM_B_LOADS; ++load) {
                b_then[(b_k + load * b_k_step) * GEMM_B_PITCH + b_column + load * b_column_step] = b_next[load];
            }
        }
        NC_BARRIER();
    }

    NC_UNROLL
    for (nc_u32 i = 0; i < GEMM_LANE_ROWS; ++i) {
        nc_i64 row = first_row + (nc_i64)GEMM_SPREAD(i, lane / GEMM_SIDE);
        NC_UNROLL
        for (nc_u32 j = 0; j < GEMM_LANE_COLUMNS; ++j) {
            nc_i64 column = first_column + (nc_i64)GEMM_SPREAD(j, lane % GEMM_SIDE);
            if (row < shape.m && column < shape.n) {
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
#undef GEMM_SPREAD
