// SPDX-License-Identifier: Apache-2.0
// Cholesky: A = L L'. The matrix is read in place and replaced by L; above the diagonal stands +0. Body: see solve.h.

NC_FN nc_i32 NC_N(nc_is_symmetric)(NC_GLOBAL const NC_REAL *a, nc_place at, nc_i64 n)
{
    for (nc_i64 i = 0; i < n; ++i) {
        for (nc_i64 j = 0; j < i; ++j) {
            if (a[at.offset + i * at.row + j * at.column] != a[at.offset + j * at.row + i * at.column]) {
                return 0;
            }
        }
    }
    return 1;
}

// L in place; the status.
NC_FN nc_i32 NC_N(nc_cholesky)(NC_GLOBAL NC_REAL *a, nc_place at, nc_i64 n)
{
    for (nc_i64 j = 0; j < n; ++j) {
        NC_GLOBAL NC_REAL *row_j = a + at.offset + j * at.row;
        NC_REAL pivot = row_j[j * at.column];
        for (nc_i64 k = 0; k < j; ++k) {
            pivot = NC_FMA(-row_j[k * at.column], row_j[k * at.column], pivot);
        }
        if (!(pivot > NC_C(0.0)) || !NC_N(nc_is_finite)(pivot)) {
            return NC_SOLVE_NUMERICAL;
        }
        NC_REAL root = NC_SQRT(pivot);
        row_j[j * at.column] = root;
        for (nc_i64 i = j + 1; i < n; ++i) {
            NC_GLOBAL NC_REAL *row_i = a + at.offset + i * at.row;
            NC_REAL value = row_i[j * at.column];
            for (nc_i64 k = 0; k < j; ++k) {
                value = NC_FMA(-row_i[k * at.column], row_j[k * at.column], value);
            }
            value = value / root;
            row_i[j * at.column] = NC_CANON(value);
            row_j[i * at.column] = NC_C(0.0);
        }
    }
    return NC_SOLVE_OK;
}

NC_KERNEL3(NC_N(cholesky_factor), NC_GLOBAL NC_REAL *, a, nc_systems, systems, NC_GLOBAL nc_i32 *, status)
{
    NC_FOR_ITEMS(item, (nc_u64)systems.count)
    {
        nc_place at = systems.matrix;
        at.offset += (nc_i64)item * at.batch;
        nc_i32 result = NC_SOLVE_INVALID;
        if (NC_N(nc_is_symmetric)(a, at, systems.n)) {
            result = NC_N(nc_cholesky)(a, at, systems.n);
        }
        status[systems.status.offset + (nc_i64)item * systems.status.batch] = result;
    }
}

// x = (L L')^-1 x in place.
NC_KERNEL3(NC_N(cholesky_solve), NC_GLOBAL const NC_REAL *, factor, nc_systems, systems, NC_GLOBAL NC_REAL *, x)
{
    NC_FOR_ITEMS(item, (nc_u64)systems.count)
    {
        NC_GLOBAL const NC_REAL *l = factor + systems.matrix.offset + (nc_i64)item * systems.matrix.batch;
        NC_GLOBAL NC_REAL *v = x + systems.vector.offset + (nc_i64)item * systems.vector.batch;
        for (nc_i64 i = 0; i < systems.n; ++i) {
            NC_REAL value = v[i * systems.vector.row];
            for (nc_i64 k = 0; k < i; ++k) {
                value = NC_FMA(-l[i * systems.matrix.row + k * systems.matrix.column], v[k * systems.vector.row], value);
            }
            value = value / l[i * (systems.matrix.row + systems.matrix.column)];
            v[i * systems.vector.row] = NC_CANON(value);
        }
        for (nc_i64 i = systems.n - 1; i >= 0; --i) {
            NC_REAL value = v[i * systems.vector.row];
            for (nc_i64 k = i + 1; k < systems.n; ++k) {
                value = NC_FMA(-l[k * systems.matrix.row + i * systems.matrix.column], v[k * systems.vector.row], value);
            }
            value = value / l[i * (systems.matrix.row + systems.matrix.column)];
            v[i * systems.vector.row] = NC_CANON(value);
        }
    }
}
