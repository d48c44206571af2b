// SPDX-License-Identifier: Apache-2.0
// Dense linear systems of one tile, each lane its own: Gaussian elimination with partial pivoting, ties to the lowest row.
// Body: include once per real type. Entry (i, j) of lane l is matrix[(i * cells + j) * NC_TILE + l].
// nc_matrix_* are called, not inlined: they take scalars (dialect.h, NC_FN_APART).

// matrix = I - factor * step * jacobian of the program at the values of its last run.
NC_FN_LANES void NC_N(nc_system_make)(NC_N(nc_tile) tile, nc_program program, NC_PRIVATE const NC_N(nc_lanes) * lanes,
                                      NC_REAL factor)
{
    NC_N(nc_tile_fill)(NC_C(0.0), program.slot_count, tile.tangents, tile.first);
    for (nc_u32 j = 0; j < tile.cells; ++j) {
        NC_N(nc_tile_fill)(NC_C(1.0), 1u, tile.tangents + j * NC_TILE, tile.first);
        NC_N(nc_program_tangent)(program, tile.plan, tile.constants, tile.values, tile.tangents, tile.first);
        for (nc_u32 i = 0; i < tile.cells; ++i) {
            NC_WORK_READ slope = tile.tangents + tile.plan[program.outputs + i] * NC_TILE;
            NC_WORK entry = tile.matrix + ((NC_PLACE)i * tile.cells + j) * NC_TILE;
            NC_REAL diagonal = i == j ? NC_C(1.0) : NC_C(0.0);
            NC_FOR_LANES(lane, tile.first)
            {
                entry[lane] = NC_FMA(-(factor * lanes->step[NC_LANE(lane)]), slope[lane], diagonal);
            }
        }
        NC_N(nc_tile_fill)(NC_C(0.0), 1u, tile.tangents + j * NC_TILE, tile.first);
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

NC_FN void NC_N(nc_system_pivot)(NC_WORK matrix, nc_u32 cells, nc_u32 first, nc_u32 k, NC_PRIVATE nc_i32 *singular)
{
    NC_WORK pivots = NC_N(nc_system_pivots)(matrix, cells) + k * NC_TILE;
    NC_FOR_LANES(lane, first)
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
        singular[NC_LANE(lane)] |= !(largest > NC_C(0.0)); // NaN counts as singular
        pivots[lane] = NC_OF_BITS((NC_BITS)pivot);
        if (pivot != k) {
            NC_N(nc_system_exchange)(matrix, cells, k, lane, pivot);
        }
    }
}

// Replaces the matrix by its factors. singular[lane] is set to 1 where a pivot is zero or NaN.
NC_FN_APART void NC_N(nc_matrix_factor)(NC_WORK matrix, nc_u32 cells, nc_u32 first, NC_PRIVATE nc_i32 *singular)
{
    for (nc_u32 k = 0; k < cells; ++k) {
        NC_WORK_READ pivot_row = matrix + (NC_PLACE)k * cells * NC_TILE;
        NC_N(nc_system_pivot)(matrix, cells, first, k, singular);
        for (nc_u32 i = k + 1u; i < cells; ++i) {
            NC_WORK row = matrix + (NC_PLACE)i * cells * NC_TILE;
            NC_FOR_LANES(lane, first)
            {
                row[k * NC_TILE + lane] = row[k * NC_TILE + lane] / pivot_row[k * NC_TILE + lane];
            }
            for (nc_u32 j = k + 1u; j < cells; ++j) {
                NC_FOR_LANES(lane, first)
                {
                    NC_REAL multiple = -row[k * NC_TILE + lane];
                    row[j * NC_TILE + lane] = NC_FMA(multiple, pivot_row[j * NC_TILE + lane], row[j * NC_TILE + lane]);
                }
            }
        }
    }
}

NC_FN void NC_N(nc_system_factor)(NC_N(nc_tile) tile, NC_PRIVATE nc_i32 *singular)
{
    NC_N(nc_matrix_factor)(tile.matrix, tile.cells, tile.first, singular);
}

// side = matrix^-1 side by the factors.
NC_FN_APART void NC_N(nc_matrix_solve)(NC_WORK matrix, nc_u32 cells, nc_u32 first, NC_WORK side)
{
    NC_WORK_READ pivots = NC_N(nc_system_pivots)(matrix, cells);
    for (nc_u32 k = 0; k < cells; ++k) {
        NC_FOR_LANES(lane, first)
        {
            NC_PLACE pivot = (NC_PLACE)NC_BITS_OF(pivots[k * NC_TILE + lane]);
            NC_REAL kept = side[k * NC_TILE + lane];
            side[k * NC_TILE + lane] = side[pivot * NC_TILE + lane];
            side[pivot * NC_TILE + lane] = kept;
        }
    }
    for (nc_u32 i = 1; i < cells; ++i) {
        for (nc_u32 j = 0; j < i; ++j) {
            NC_WORK_READ entry = matrix + ((NC_PLACE)i * cells + j) * NC_TILE;
            NC_FOR_LANES(lane, first)
            {
                side[i * NC_TILE + lane] = NC_FMA(-entry[lane], side[j * NC_TILE + lane], side[i * NC_TILE + lane]);
            }
        }
    }
    for (nc_u32 back = 0; back < cells; ++back) {
        nc_u32 i = cells - 1u - back;
        NC_WORK_READ diagonal = matrix + ((NC_PLACE)i * cells + i) * NC_TILE;
        for (nc_u32 j = i + 1u; j < cells; ++j) {
            NC_WORK_READ entry = matrix + ((NC_PLACE)i * cells + j) * NC_TILE;
            NC_FOR_LANES(lane, first)
            {
                side[i * NC_TILE + lane] = NC_FMA(-entry[lane], side[j * NC_TILE + lane], side[i * NC_TILE + lane]);
            }
        }
        NC_FOR_LANES(lane, first)
        {
            side[i * NC_TILE + lane] = side[i * NC_TILE + lane] / diagonal[lane];
        }
    }
}

NC_FN void NC_N(nc_system_solve)(NC_N(nc_tile) tile, NC_WORK side)
{
    NC_N(nc_matrix_solve)(tile.matrix, tile.cells, tile.first, side);
}
