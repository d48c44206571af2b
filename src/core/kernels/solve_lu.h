// SPDX-License-Identifier: Apache-2.0
// LU with partial pivoting: P A = L U in place, L unit lower. pivots[k] is the row exchanged with row k at step k; the largest
// magnitude wins and ties take the lowest row. Body: see solve.h.

// Factors in place; the status. An exactly zero column ends as a zero pivot and the factorisation goes on.
NC_FN nc_i32 NC_N(nc_lu)(NC_GLOBAL NC_REAL *a, nc_place at, nc_i64 n, NC_GLOBAL nc_i32 *pivots, nc_i64 pivot_stride)
{
    nc_i32 result = NC_SOLVE_OK;
    for (nc_i64 k = 0; k < n; ++k) {
        pivots[k * pivot_stride] = (nc_i32)k; // an early end leaves indices in range
    }
    for (nc_i64 k = 0; k < n; ++k) {
        nc_i64 best = k;
        NC_REAL largest = NC_FABS(a[at.offset + k * (at.row + at.column)]);
        for (nc_i64 i = k + 1; i < n; ++i) {
            NC_REAL magnitude = NC_FABS(a[at.offset + i * at.row + k * at.column]);
            if (magnitude > largest) {
                largest = magnitude;
                best = i;
            }
        }
        pivots[k * pivot_stride] = (nc_i32)best;
        NC_GLOBAL NC_REAL *row_k = a + at.offset + k * at.row;
        for (nc_i64 j = 0; j < n && best != k; ++j) {
            NC_GLOBAL NC_REAL *other = a + at.offset + best * at.row + j * at.column;
            NC_REAL kept = row_k[j * at.column];
            row_k[j * at.column] = *other;
            *other = kept;
        }
        NC_REAL pivot = row_k[k * at.column];
        if (!NC_N(nc_is_finite)(pivot)) {
            return NC_SOLVE_NUMERICAL;
        }
        if (pivot == NC_C(0.0)) {
            result = NC_SOLVE_RANK_DEFICIENT;
            continue;
        }
        for (nc_i64 i = k + 1; i < n; ++i) {
            NC_GLOBAL NC_REAL *row_i = a + at.offset + i * at.row;
            NC_REAL multiplier = row_i[k * at.column] / pivot;
            row_i[k * at.column] = NC_CANON(multiplier);
            for (nc_i64 j = k + 1; j < n; ++j) {
                NC_REAL value = NC_FMA(-multiplier, row_k[j * at.column], row_i[j * at.column]);
                row_i[j * at.column] = NC_CANON(value);
            }
        }
    }
    return result;
}

NC_KERNEL4(NC_N(lu_factor), NC_GLOBAL NC_REAL *, a, nc_systems, systems, NC_GLOBAL nc_i32 *, pivots, NC_GLOBAL nc_i32 *, status)
{
    NC_FOR_ITEMS(item, (nc_u64)systems.count)
    {
        nc_place at = systems.matrix;
        at.offset += (nc_i64)item * at.batch;
        status[systems.status.offset + (nc_i64)item * systems.status.batch] =
            NC_N(nc_lu)(a, at, systems.n, pivots + systems.pivots.offset + (nc_i64)item * systems.pivots.batch, systems.pivots.row);
    }
}

NC_FN void NC_N(nc_fill_nan)(NC_GLOBAL NC_REAL *v, nc_i64 n, nc_i64 stride)
{
    for (nc_i64 i = 0; i < n; ++i) {
        v[i * stride] = NC_N(nc_nan)();
    }
}

// x = A^-1 x in place, from the factors. A zero pivot divides: the caller looks at the factor's status first. A row number that
// is out of range gives NaN everywhere and touches nothing else.
NC_KERNEL4(NC_N(lu_solve), NC_GLOBAL const NC_REAL *, factor, nc_systems, systems, NC_GLOBAL const nc_i32 *, pivots,
           NC_GLOBAL NC_REAL *, x)
{
    NC_FOR_ITEMS(item, (nc_u64)systems.count)
    {
        NC_GLOBAL const NC_REAL *lu = factor + systems.matrix.offset + (nc_i64)item * systems.matrix.batch;
        NC_GLOBAL const nc_i32 *swaps = pivots + systems.pivots.offset + (nc_i64)item * systems.pivots.batch;
        NC_GLOBAL NC_REAL *v = x + systems.vector.offset + (nc_i64)item * systems.vector.batch;
        for (nc_i64 k = 0; k < systems.n; ++k) {
            nc_i64 other = swaps[k * systems.pivots.row];
            if (other < 0 || other >= systems.n) {
                NC_N(nc_fill_nan)(v, systems.n, systems.vector.row);
                break;
            }
            NC_REAL kept = v[k * systems.vector.row];
            v[k * systems.vector.row] = v[other * systems.vector.row];
            v[other * systems.vector.row] = kept;
        }
        for (nc_i64 i = 0; i < systems.n; ++i) {
            NC_REAL value = v[i * systems.vector.row];
            for (nc_i64 k = 0; k < i; ++k) {
                value = NC_FMA(-lu[i * systems.matrix.row + k * systems.matrix.column], v[k * systems.vector.row], value);
            }
            v[i * systems.vector.row] = NC_CANON(value);
        }
        for (nc_i64 i = systems.n - 1; i >= 0; --i) {
            NC_REAL value = v[i * systems.vector.row];
            for (nc_i64 k = i + 1; k < systems.n; ++k) {
                value = NC_FMA(-lu[i * systems.matrix.row + k * systems.matrix.column], v[k * systems.vector.row], value);
            }
            value = value / lu[i * (systems.matrix.row + systems.matrix.column)];
            v[i * systems.vector.row] = NC_CANON(value);
        }
    }
}
