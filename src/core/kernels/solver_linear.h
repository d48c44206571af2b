// SPDX-License-Identifier: Apache-2.0
// Dense linear systems of one tile, each lane its own: Gaussian elimination with partial pivoting, ties to the lowest row.
// Body: include once per real type. Entry (i, j) of lane l is matrix[(i * cells + j) * NC_TILE + l].
// nc_matrix_* are called, not inlined: they take scalars (dialect.h, NC_FN_APART).

// matrix = I - factor * step * jacobian of the program at the values of its last run.
NC_FN_LANES void NC_N(nc_system_make)(NC_N(nc_tile) tile, nc_program program, NC_PRIVATE const NC_N(nc_lanes) * lanes,
                                      NC_REAL factor)
{
    NC_N(nc_tile_fill)(NC_C(0.0), program.slot_count, tile.tangents);
    for (nc_u32 j = 0; j < tile.cells; ++j) {
        NC_N(nc_tile_fill)(NC_C(1.0), 1u, tile.tangents + j * NC_TILE);
        NC_N(nc_program_tangent)(program, tile.plan, tile.constants, tile.values, tile.tangents);
        for (nc_u32 i = 0; i < tile.cells; ++i) {
            NC_WORK_READ slope = tile.tangents + tile.plan[program.outputs + i] * NC_TILE;
            NC_WORK entry = tile.matrix + ((NC_PLACE)i * tile.cells + j) * NC_TILE;
            NC_REAL diagonal = i == j ? NC_C(1.0) : NC_C(0.0);
            NC_FOR_LANES(lane)
            {
                entry[lane] = NC_FMA(-(factor * lanes->step[lane]), slope[lane], diagonal);
            }
        }
        NC_N(nc_tile_fill)(NC_C(0.0), 1u, tile.tangents + j * NC_TILE);
    }
}

// A pivot row is stored by its number's bits, which no arithmetic touches.
NC_FN NC_WORK NC_N(nc_system_pivots)(NC_WORK matrix, nc_u32 cells)
{
    return matrix + (NC_PLACE)cells * cells * NC_TILE;
}

NC_FN void NC_N(nc_system_exchange)(NC_WORK matrix, nc_u32 cells, nc_u32 k, nc_u32 lane, nc_u32 pivot)
{
    for (nc_u32 j = 0; j < cells; ++j) {
        NC_WORK upper = matrix + ((NC_PLACE)k * cells + j) * NC_TILE;
        NC_WORK lower = matrix + ((NC_PLACE)pivot * cells + j) * NC_TILE;
        NC_REAL kept = upper[lane];
        upper[lane] = lower[lane];
        lower[lane] = kept;
    }
}

NC_FN void NC_N(nc_system_pivot)(NC_WORK matrix, nc_u32 cells, nc_u32 k, NC_PRIVATE nc_i32 *singular)
{
    NC_WORK pivots = NC_N(nc_system_pivots)(matrix, cells) + k * NC_TILE;
    NC_FOR_LANES(lane)
    {
        nc_u32 pivot = k;
        NC_REAL largest = NC_FABS(matrix[((NC_PLACE)k * cells + k) * NC_TILE + lane]);
        for (nc_u32 i = k + 1u; i < cells; ++i) {
            NC_REAL size = NC_FABS(matrix[((NC_PLACE)i * cells + k) * NC_TILE + lane]);
            if (size > largest) {
                largest = size;
                pivot = i;
            }
        }
        singular[lane] |= !(largest > NC_C(0.0)); // NaN counts as singular
        pivots[lane] = NC_OF_BITS((NC_BITS)pivot);
        if (pivot != k) {
            NC_N(nc_system_exchange)(matrix, cells, k, lane, pivot);
        }
    }
}

// Replaces the matrix by its factors. singular[lane] is set to 1 where a pivot is zero or NaN.
NC_FN_APART void NC_N(nc_matrix_factor)(NC_WORK matrix, nc_u32 cells, NC_PRIVATE nc_i32 *singular)
{
    for (nc_u32 k = 0; k < cells; ++k) {
        NC_WORK_READ pivot_row = matrix + (NC_PLACE)k * cells * NC_TILE;
        NC_N(nc_system_pivot)(matrix, cells, k, singular);
        for (nc_u32 i = k + 1u; i < cells; ++i) {
            NC_WORK row = matrix + (NC_PLACE)i * cells * NC_TILE;
            NC_REAL multiple[NC_LANES];
            NC_FOR_LANES(lane)
            {
                row[NC_AT(k, lane)] = row[NC_AT(k, lane)] / pivot_row[NC_AT(k, lane)];
                multiple[lane] = -row[NC_AT(k, lane)];
            }
            NC_WORK entry = row + NC_AT(k + 1u, 0u);
            NC_WORK_READ above = pivot_row + NC_AT(k + 1u, 0u);
            for (nc_u32 j = k + 1u; j < cells; ++j, entry = entry + NC_TILE, above = above + NC_TILE) {
                NC_FOR_LANES(lane)
                {
                    entry[lane] = NC_FMA(multiple[lane], above[lane], entry[lane]);
                }
            }
        }
    }
}

NC_FN void NC_N(nc_system_factor)(NC_N(nc_tile) tile, NC_PRIVATE nc_i32 *singular)
{
    NC_N(nc_matrix_factor)(tile.matrix, tile.cells, singular);
}

// known -= entry x over `count` entries of a row, one after the other.
NC_FN void NC_N(nc_row_eliminate)(NC_WORK_READ entry, NC_WORK_READ x, nc_u32 count, NC_WORK known)
{
    NC_REAL rest[NC_LANES];
    NC_FOR_LANES(lane)
    {
        rest[lane] = known[lane];
    }
    for (nc_u32 j = 0; j < count; ++j, entry = entry + NC_TILE, x = x + NC_TILE) {
        NC_FOR_LANES(lane)
        {
            rest[lane] = NC_FMA(-entry[lane], x[lane], rest[lane]);
        }
    }
    NC_FOR_LANES(lane)
    {
        known[lane] = rest[lane];
    }
}

// side = matrix^-1 side by the factors.
NC_FN_APART void NC_N(nc_matrix_solve)(NC_WORK matrix, nc_u32 cells, NC_WORK side)
{
    NC_WORK_READ pivots = NC_N(nc_system_pivots)(matrix, cells);
    for (nc_u32 k = 0; k < cells; ++k) {
        NC_FOR_LANES(lane)
        {
            NC_PLACE pivot = (NC_PLACE)NC_BITS_OF(pivots[NC_AT(k, lane)]);
            NC_REAL kept = side[NC_AT(k, lane)];
            side[NC_AT(k, lane)] = side[NC_AT(pivot, lane)];
            side[NC_AT(pivot, lane)] = kept;
        }
    }
    for (nc_u32 i = 1; i < cells; ++i) {
        NC_N(nc_row_eliminate)(matrix + (NC_PLACE)i * cells * NC_TILE, side, i, side + NC_AT(i, 0u));
    }
    for (nc_u32 back = 0; back < cells; ++back) {
        nc_u32 i = cells - 1u - back;
        NC_WORK_READ diagonal = matrix + ((NC_PLACE)i * cells + i) * NC_TILE;
        NC_WORK known = side + NC_AT(i, 0u);
        NC_N(nc_row_eliminate)(diagonal + NC_TILE, known + NC_TILE, back, known);
        NC_FOR_LANES(lane)
        {
            known[lane] = known[lane] / diagonal[lane];
        }
    }
}

NC_FN void NC_N(nc_system_solve)(NC_N(nc_tile) tile, NC_WORK side)
{
    NC_N(nc_matrix_solve)(tile.matrix, tile.cells, side);
}
