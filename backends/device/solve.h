// SPDX-License-Identifier: Apache-2.0
// Factors and solves of one matrix by one group. They take the arguments of the single-source kernels of kernels/solve_*.h, follow
// the same chains and leave the same bytes: what one lane does there in sequence for one matrix, 256 lanes do here wherever the
// chains do not depend on each other. Body: include once per real type.
#include "../../src/core/kernels/solve_args.h"

// The matrix of this group: element (i, j).
#define SOLVE_AT(i, j) matrix[(i)*row_stride + (j)*column_stride]

NC_FN nc_i64 NC_N(solve_first)(nc_place place)
{
    return place.offset + (nc_i64)NC_GROUP_INDEX * place.batch;
}

// value - sum over `count` values of k from `first`, ascending, of (k, i) pivots[k - first]. Several reads are in flight at once.
#define SOLVE_READS 8
NC_FN NC_REAL NC_N(solve_column_chain)(NC_GLOBAL const NC_REAL *matrix, nc_i64 row_stride, nc_i64 column_stride, nc_i64 i,
                                       nc_i64 first, nc_i64 count, NC_LOCAL const NC_REAL *pivots, NC_REAL value)
{
    nc_i64 t = 0;
    for (; t + SOLVE_READS <= count; t += SOLVE_READS) {
        NC_REAL read[SOLVE_READS];
        NC_UNROLL
        for (nc_i64 s = 0; s < SOLVE_READS; ++s) {
            read[s] = SOLVE_AT(first + t + s, i);
        }
        NC_UNROLL
        for (nc_i64 s = 0; s < SOLVE_READS; ++s) {
            value = NC_FMA(-read[s], pivots[t + s], value);
        }
    }
    for (; t < count; ++t) {
        value = NC_FMA(-SOLVE_AT(first + t, i), pivots[t], value);
    }
    return value;
}

// Cholesky by columns. The column's rows are chains of their own; the pivot's is lane 0's. While the factor is made its transpose
// stands above the diagonal, so that neighbouring lanes read neighbouring addresses; zeros replace it in the end.
NC_GROUP_KERNEL(NC_N(group_cholesky_factor))(NC_GLOBAL NC_REAL *a, nc_systems systems, NC_GLOBAL nc_i32 *status)
{
    NC_LOCAL_ARRAY(nc_i32, outcome, 1);
    NC_LOCAL_ARRAY(NC_REAL, shared_pivot, 1);
    NC_LOCAL_ARRAY(NC_REAL, pivots, NC_GROUP_LANES); // of row j, a part at a time
    NC_GLOBAL NC_REAL *matrix = a + NC_N(solve_first)(systems.matrix);
    nc_i64 row_stride = systems.matrix.row, column_stride = systems.matrix.column, n = systems.n, lane = (nc_i64)NC_LANE_INDEX;
    nc_i32 result = NC_SOLVE_OK;
    nc_i64 done = 0;
    if (lane == 0) {
        outcome[0] = NC_SOLVE_OK;
    }
    NC_BARRIER();
    for (nc_i64 i = lane; i < n; i += NC_GROUP_LANES) {
        for (nc_i64 j = 0; j < i; ++j) {
            if (SOLVE_AT(i, j) != SOLVE_AT(j, i)) {
                outcome[0] = NC_SOLVE_INVALID; // every lane that writes writes this
            }
        }
    }
    NC_BARRIER_ALL();
    result = outcome[0];
    for (nc_i64 j = 0; j < n && result == NC_SOLVE_OK; ++j) {
        nc_i64 i = j + lane;
        NC_REAL value = i < n ? SOLVE_AT(i, j) : NC_C(0.0);
        for (nc_i64 first = 0; first < j; first += NC_GROUP_LANES) {
            nc_i64 count = j - first < NC_GROUP_LANES ? j - first : NC_GROUP_LANES;
            if (lane < count) {
                pivots[lane] = SOLVE_AT(j, first + lane);
            }
            NC_BARRIER();
            if (i < n) {
                value = NC_N(solve_column_chain)(matrix, row_stride, column_stride, i, first, count, pivots, value);
            }
            NC_BARRIER();
        }
        if (lane == 0) {
            shared_pivot[0] = value;
        }
        NC_BARRIER(); // nobody has written to the matrix since the last column
        NC_REAL pivot = shared_pivot[0];
        if (!(pivot > NC_C(0.0)) || !NC_N(nc_is_finite)(pivot)) {
            result = NC_SOLVE_NUMERICAL;
        } else {
            NC_REAL root = NC_SQRT(pivot);
            if (lane == 0) {
                SOLVE_AT(j, j) = root;
            }
            for (; i < n; i += NC_GROUP_LANES) {
                if (i >= j + NC_GROUP_LANES) { // beyond the rows that were made together with the pivot
                    value = SOLVE_AT(i, j);
                    for (nc_i64 k = 0; k < j; ++k) {
                        value = NC_FMA(-SOLVE_AT(k, i), SOLVE_AT(k, j), value);
                    }
                }
                if (i > j) {
                    NC_REAL entry = value / root;
                    SOLVE_AT(i, j) = NC_CANON(entry);
                    SOLVE_AT(j, i) = NC_CANON(entry);
                }
            }
            done = j + 1;
        }
        NC_BARRIER_ALL();
    }
    for (nc_i64 k = 0; k < done; ++k) {
        for (nc_i64 i = k + 1 + lane; i < n; i += NC_GROUP_LANES) {
            SOLVE_AT(k, i) = NC_C(0.0);
        }
    }
    if (lane == 0) {
        status[NC_N(solve_first)(systems.status)] = result;
    }
}

// Forward substitution, by the diagonal or, with `unit`, by ones. Lane l owns rows l, l + 256, ...: no other lane reads their v,
// and what is known of a block of 256 rows goes round in local memory. Each row's chain takes its products in ascending order.
NC_FN void NC_N(solve_forward)(NC_GLOBAL const NC_REAL *matrix, nc_i64 row_stride, nc_i64 column_stride, nc_i32 unit,
                               NC_GLOBAL NC_REAL *v, nc_i64 v_stride, nc_i64 n, NC_LOCAL NC_REAL *known)
{
    nc_i64 lane = (nc_i64)NC_LANE_INDEX;
    for (nc_i64 base = 0; base < n; base += NC_GROUP_LANES) {
        nc_i64 row = base + lane, size = n - base < NC_GROUP_LANES ? n - base : NC_GROUP_LANES;
        NC_REAL value = row < n ? v[row * v_stride] : NC_C(0.0);
        for (nc_i64 k = 0; k < size; ++k) {
            NC_REAL entry = row < n && lane >= k ? SOLVE_AT(row, base + k) : NC_C(1.0);
            if (lane == k) {
                NC_REAL quotient = unit ? value : value / entry;
                known[k] = NC_CANON(quotient);
                v[row * v_stride] = NC_CANON(quotient);
            }
            NC_BARRIER();
            value = lane > k ? NC_FMA(-entry, known[k], value) : value;
        }
        for (row += NC_GROUP_LANES; row < n; row += NC_GROUP_LANES) {
            NC_REAL later = v[row * v_stride];
            for (nc_i64 k = 0; k < size; ++k) {
                later = NC_FMA(-SOLVE_AT(row, base + k), known[k], later);
            }
            v[row * v_stride] = later;
        }
        NC_BARRIER();
    }
}

// Backward substitution with an upper matrix, or with the transpose of a lower one. A row's chain, value - sum over k > i,
// ascending, of (i, k) v[k], begins with what is known last, so lane 0 walks one chain after the other while all lanes fetch its
// operands. The 256 values of v made last stand in a ring in local memory; those before it are global, behind a barrier of their
// own every 256 rows. Every lane must come here.
NC_FN void NC_N(solve_backward)(NC_GLOBAL const NC_REAL *matrix, nc_i64 row_stride, nc_i64 column_stride, nc_i32 transposed,
                                NC_GLOBAL NC_REAL *v, nc_i64 v_stride, nc_i64 n, NC_LOCAL NC_REAL *left, NC_LOCAL NC_REAL *right,
                                NC_LOCAL NC_REAL *ring)
{
    nc_i64 lane = (nc_i64)NC_LANE_INDEX;
    NC_BARRIER_ALL(); // v is what the forward substitution left, in other lanes' rows
    for (nc_i64 i = n - 1; i >= 0; --i) {
        NC_REAL value = lane == 0 ? v[i * v_stride] : NC_C(0.0);
        NC_REAL diagonal = lane == 0 ? SOLVE_AT(i, i) : NC_C(1.0);
        for (nc_i64 base = i + 1; base < n; base += NC_GROUP_LANES) {
            nc_i64 k = base + lane, count = n - base < NC_GROUP_LANES ? n - base : NC_GROUP_LANES;
            if (k < n) {
                left[lane] = transposed ? SOLVE_AT(k, i) : SOLVE_AT(i, k);
                right[lane] = base == i + 1 ? ring[k % NC_GROUP_LANES] : v[k * v_stride];
            }
            NC_BARRIER();
            for (nc_i64 t = 0; t < count && lane == 0; ++t) {
                value = NC_FMA(-left[t], right[t], value);
            }
            NC_BARRIER();
        }
        if (lane == 0) {
            NC_REAL quotient = value / diagonal;
            ring[i % NC_GROUP_LANES] = NC_CANON(quotient);
            v[i * v_stride] = NC_CANON(quotient);
        }
        if (i % NC_GROUP_LANES == 0) {
            NC_BARRIER_ALL();
        } else {
            NC_BARRIER();
        }
    }
}

NC_GROUP_KERNEL(NC_N(group_cholesky_solve))(NC_GLOBAL const NC_REAL *factor, nc_systems systems, NC_GLOBAL NC_REAL *x)
{
    NC_LOCAL_ARRAY(NC_REAL, left, NC_GROUP_LANES);
    NC_LOCAL_ARRAY(NC_REAL, right, NC_GROUP_LANES);
    NC_LOCAL_ARRAY(NC_REAL, ring, NC_GROUP_LANES);
    NC_GLOBAL const NC_REAL *matrix = factor + NC_N(solve_first)(systems.matrix);
    NC_GLOBAL NC_REAL *v = x + NC_N(solve_first)(systems.vector);
    nc_i64 row_stride = systems.matrix.row, column_stride = systems.matrix.column, v_stride = systems.vector.row;
    NC_N(solve_forward)(matrix, row_stride, column_stride, 0, v, v_stride, systems.n, left);
    NC_N(solve_backward)(matrix, row_stride, column_stride, 1, v, v_stride, systems.n, left, right, ring);
}

// The row of the largest magnitude of column k at or below row k, ties to the lowest row; row k when its own entry is a NaN, which
// no comparison replaces. Every lane gets the answer.
NC_FN nc_i64 NC_N(solve_pivot_row)(NC_GLOBAL const NC_REAL *matrix, nc_i64 row_stride, nc_i64 column_stride, nc_i64 k, nc_i64 n,
                                   NC_LOCAL NC_REAL *magnitudes, NC_LOCAL nc_i64 *rows)
{
    nc_u32 lane = NC_LANE_INDEX;
    NC_REAL largest = NC_C(-1.0);
    nc_i64 best = n;
    for (nc_i64 i = k + (nc_i64)lane; i < n; i += NC_GROUP_LANES) {
        NC_REAL magnitude = NC_FABS(SOLVE_AT(i, k));
        if (magnitude > largest) {
            largest = magnitude;
            best = i;
        }
    }
    magnitudes[lane] = largest;
    rows[lane] = best;
    for (nc_u32 reach = NC_GROUP_LANES / 2u; reach > 0u; reach /= 2u) {
        NC_BARRIER();
        if (lane < reach) {
            nc_u32 other = lane + reach;
            nc_i32 better =
                magnitudes[other] > magnitudes[lane] || (magnitudes[other] == magnitudes[lane] && rows[other] < rows[lane]);
            magnitudes[lane] = better ? magnitudes[other] : magnitudes[lane];
            rows[lane] = better ? rows[other] : rows[lane];
        }
    }
    NC_BARRIER();
    best = NC_N(nc_is_nan)(SOLVE_AT(k, k)) ? k : rows[0];
    NC_BARRIER_ALL(); // the caller exchanges rows that others still read
    return best;
}

// LU by elimination: after each pivot all entries of the rest are updated, each by one product.
NC_GROUP_KERNEL(NC_N(group_lu_factor))
(NC_GLOBAL NC_REAL *a, nc_systems systems, NC_GLOBAL nc_i32 *pivots, NC_GLOBAL nc_i32 *status)
{
    NC_LOCAL_ARRAY(NC_REAL, magnitudes, NC_GROUP_LANES);
    NC_LOCAL_ARRAY(nc_i64, rows, NC_GROUP_LANES);
    NC_GLOBAL NC_REAL *matrix = a + NC_N(solve_first)(systems.matrix);
    NC_GLOBAL nc_i32 *swaps = pivots + NC_N(solve_first)(systems.pivots);
    nc_i64 row_stride = systems.matrix.row, column_stride = systems.matrix.column, n = systems.n, lane = (nc_i64)NC_LANE_INDEX;
    nc_i32 result = NC_SOLVE_OK;
    for (nc_i64 k = lane; k < n; k += NC_GROUP_LANES) {
        swaps[k * systems.pivots.row] = (nc_i32)k;
    }
    NC_BARRIER_ALL();
    for (nc_i64 k = 0; k < n && result != NC_SOLVE_NUMERICAL; ++k) {
        nc_i64 best = NC_N(solve_pivot_row)(matrix, row_stride, column_stride, k, n, magnitudes, rows);
        if (lane == 0) {
            swaps[k * systems.pivots.row] = (nc_i32)best;
        }
        for (nc_i64 j = lane; j < n && best != k; j += NC_GROUP_LANES) {
            NC_REAL kept = SOLVE_AT(k, j);
            SOLVE_AT(k, j) = SOLVE_AT(best, j);
            SOLVE_AT(best, j) = kept;
        }
        NC_BARRIER_ALL();
        NC_REAL pivot = SOLVE_AT(k, k);
        if (!NC_N(nc_is_finite)(pivot)) {
            result = NC_SOLVE_NUMERICAL;
        } else if (pivot == NC_C(0.0)) {
            result = NC_SOLVE_RANK_DEFICIENT;
        } else {
            for (nc_i64 i = k + 1 + lane; i < n; i += NC_GROUP_LANES) {
                NC_REAL multiplier = SOLVE_AT(i, k) / pivot;
                SOLVE_AT(i, k) = NC_CANON(multiplier);
            }
        }
        NC_BARRIER_ALL();
        // 8 rows of 32 columns at a time.
        for (nc_i64 i = k + 1 + lane / 32; i < n && pivot != NC_C(0.0) && result != NC_SOLVE_NUMERICAL; i += NC_GROUP_LANES / 32) {
            NC_REAL multiplier = SOLVE_AT(i, k);
            for (nc_i64 j = k + 1 + lane % 32; j < n; j += 32) {
                NC_REAL value = NC_FMA(-multiplier, SOLVE_AT(k, j), SOLVE_AT(i, j));
                SOLVE_AT(i, j) = NC_CANON(value);
            }
        }
        NC_BARRIER_ALL();
    }
    if (lane == 0) {
        status[NC_N(solve_first)(systems.status)] = result;
    }
}

NC_GROUP_KERNEL(NC_N(group_lu_solve))
(NC_GLOBAL const NC_REAL *factor, nc_systems systems, NC_GLOBAL const nc_i32 *pivots, NC_GLOBAL NC_REAL *x)
{
    NC_LOCAL_ARRAY(NC_REAL, left, NC_GROUP_LANES);
    NC_LOCAL_ARRAY(NC_REAL, right, NC_GROUP_LANES);
    NC_LOCAL_ARRAY(NC_REAL, ring, NC_GROUP_LANES);
    NC_GLOBAL const NC_REAL *matrix = factor + NC_N(solve_first)(systems.matrix);
    NC_GLOBAL const nc_i32 *swaps = pivots + NC_N(solve_first)(systems.pivots);
    NC_GLOBAL NC_REAL *v = x + NC_N(solve_first)(systems.vector);
    nc_i64 row_stride = systems.matrix.row, column_stride = systems.matrix.column, v_stride = systems.vector.row;
    nc_i64 n = systems.n, lane = (nc_i64)NC_LANE_INDEX;
    for (nc_i64 k = 0; k < n && lane == 0; ++k) {
        nc_i64 other = swaps[k * systems.pivots.row];
        if (other < 0 || other >= n) { // not a factor: NaN everywhere, nothing else is touched
            for (nc_i64 i = 0; i < n; ++i) {
                v[i * v_stride] = NC_N(nc_nan)();
            }
            break;
        }
        NC_REAL kept = v[k * v_stride];
        v[k * v_stride] = v[other * v_stride];
        v[other * v_stride] = kept;
    }
    NC_BARRIER_ALL();
    NC_N(solve_forward)(matrix, row_stride, column_stride, 1, v, v_stride, n, left);
    NC_N(solve_backward)(matrix, row_stride, column_stride, 0, v, v_stride, n, left, right, ring);
}

#undef SOLVE_AT
#undef SOLVE_READS
