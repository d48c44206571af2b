// SPDX-License-Identifier: Apache-2.0
// Minimum-norm least squares by the singular value decomposition: one-sided Jacobi (Hestenes 1958) on the columns of A, pairs in
// round-robin order, so that a round's rotations are independent. Body: see solve.h.

// The exponent of the largest magnitude of `count` values, `stride` apart: 2^-exponent brings it into [1, 2). 0 when all are zero.
// *finite = 0 when a value is not finite.
NC_FN nc_i32 NC_N(nc_top_exponent)(NC_GLOBAL const NC_REAL *values, nc_i64 count, nc_i64 stride, NC_PRIVATE nc_i32 *finite)
{
    NC_REAL largest = NC_C(0.0);
    for (nc_i64 i = 0; i < count; ++i) {
        NC_REAL magnitude = NC_FABS(values[i * stride]);
        *finite = *finite && NC_N(nc_is_finite)(magnitude);
        largest = magnitude > largest ? magnitude : largest;
    }
    if (!*finite || largest == NC_C(0.0)) {
        return 0;
    }
    nc_i32 lifted = 0;
    if (largest < NC_N(nc_pow2)(1 - NC_EXPONENT_BIAS)) {
        lifted = NC_MANTISSA_BITS; // a subnormal has no exponent of its own
        largest = NC_N(nc_scale)(largest, lifted);
    }
    return (nc_i32)(NC_BITS_OF(largest) >> NC_MANTISSA_BITS) - NC_EXPONENT_BIAS - lifted;
}

NC_FN NC_REAL NC_N(nc_column_dot)(NC_GLOBAL const NC_REAL *a, nc_i64 n, nc_i64 p, nc_i64 q)
{
    NC_REAL sum = NC_C(0.0);
    for (nc_i64 r = 0; r < n; ++r) {
        sum = NC_FMA(a[r * n + p], a[r * n + q], sum);
    }
    return sum;
}

// Turns columns p and q by (c, s): p' = c p - s q, q' = s p + c q.
NC_FN void NC_N(nc_rotate)(NC_GLOBAL NC_REAL *a, nc_i64 n, nc_i64 p, nc_i64 q, NC_REAL c, NC_REAL s)
{
    for (nc_i64 r = 0; r < n; ++r) {
        NC_REAL left = a[r * n + p];
        NC_REAL right = a[r * n + q];
        NC_REAL turned_left = NC_FMA(c, left, -(s * right));
        NC_REAL turned_right = NC_FMA(s, left, c * right);
        a[r * n + p] = NC_CANON(turned_left);
        a[r * n + q] = NC_CANON(turned_right);
    }
}

// The squared norm below which a column is rounding noise of the others: (n eps / 2)^2 times the largest. Such a column counts as
// zero in the end; turning it would go on for ever, since every turn writes new noise into it.
NC_FN NC_REAL NC_N(nc_noise_floor)(NC_GLOBAL const NC_REAL *u, nc_i64 n)
{
    NC_REAL largest = NC_C(0.0);
    NC_REAL relative = NC_UNIT_ROUNDOFF * (NC_REAL)n;
    for (nc_i64 j = 0; j < n; ++j) {
        NC_REAL norm2 = NC_N(nc_column_dot)(u, n, j, j);
        largest = norm2 > largest ? norm2 : largest;
    }
    return relative * relative * largest;
}

// Makes columns p < q of U orthogonal and carries V along. 1 when it had to turn.
NC_FN nc_i32 NC_N(nc_jacobi_pair)(NC_GLOBAL NC_REAL *u, NC_GLOBAL NC_REAL *v, nc_i64 n, nc_i64 p, nc_i64 q, NC_REAL floor2)
{
    NC_REAL alpha = NC_N(nc_column_dot)(u, n, p, p);
    NC_REAL beta = NC_N(nc_column_dot)(u, n, q, q);
    NC_REAL gamma = NC_N(nc_column_dot)(u, n, p, q);
    // The rounding of gamma itself is up to n u |u_p| |u_q|: below that there is nothing left to turn.
    NC_REAL threshold = NC_C(2.0) * NC_UNIT_ROUNDOFF * (NC_REAL)n;
    if (!(alpha > floor2) || !(beta > floor2) || !(NC_FABS(gamma) > threshold * (NC_SQRT(alpha) * NC_SQRT(beta)))) {
        return 0;
    }
    NC_REAL zeta = (beta - alpha) / (NC_C(2.0) * gamma);
    NC_REAL t = NC_C(1.0) / (NC_FABS(zeta) + NC_SQRT(NC_FMA(zeta, zeta, NC_C(1.0))));
    t = zeta < NC_C(0.0) ? -t : t;
    NC_REAL c = NC_C(1.0) / NC_SQRT(NC_FMA(t, t, NC_C(1.0)));
    NC_REAL s = c * t;
    NC_N(nc_rotate)(u, n, p, q, c, s);
    NC_N(nc_rotate)(v, n, p, q, c, s);
    return 1;
}

// U <- A V with orthogonal columns, V orthogonal. 1 when a sweep turned nothing.
NC_FN nc_i32 NC_N(nc_jacobi)(NC_GLOBAL NC_REAL *u, NC_GLOBAL NC_REAL *v, nc_i64 n)
{
    nc_i64 pairs = (n + 1) / 2;
    for (nc_i64 i = 0; i < n * n; ++i) {
        v[i] = i / n == i % n ? NC_C(1.0) : NC_C(0.0);
    }
    for (nc_i32 sweep = 0; sweep < NC_JACOBI_SWEEPS; ++sweep) {
        nc_i32 turned = 0;
        NC_REAL floor2 = NC_N(nc_noise_floor)(u, n);
        for (nc_i64 round = 0; round < 2 * pairs - 1; ++round) {
            for (nc_i64 seat = 0; seat < pairs; ++seat) {
                nc_i64 a = nc_round_robin(pairs, round, seat);
                nc_i64 b = nc_round_robin(pairs, round, 2 * pairs - 1 - seat);
                nc_i64 p = a < b ? a : b;
                nc_i64 q = a < b ? b : a;
                if (q < n && NC_N(nc_jacobi_pair)(u, v, n, p, q, floor2)) {
                    turned = 1;
                }
            }
        }
        if (!turned) {
            return 1;
        }
    }
    return 0;
}

// x = 2^exponent times the sum over the kept columns of v_j (u_j'b) / sigma_j^2; b is read from x, kept are sigma_j > n eps
// sigma_max. `work` has n values. The rank.
NC_FN nc_i64 NC_N(nc_apply_inverse)(NC_GLOBAL const NC_REAL *u, NC_GLOBAL const NC_REAL *v, nc_i64 n, nc_i32 exponent,
                                    NC_GLOBAL NC_REAL *x, nc_i64 stride, NC_GLOBAL NC_REAL *work)
{
    NC_REAL largest = NC_C(0.0);
    nc_i64 rank = 0;
    for (nc_i64 j = 0; j < n; ++j) {
        NC_REAL sigma2 = NC_N(nc_column_dot)(u, n, j, j);
        largest = sigma2 > largest ? sigma2 : largest;
    }
    NC_REAL cutoff = NC_C(2.0) * NC_UNIT_ROUNDOFF * (NC_REAL)n * NC_SQRT(largest);
    for (nc_i64 j = 0; j < n; ++j) {
        NC_REAL sigma2 = NC_N(nc_column_dot)(u, n, j, j);
        NC_REAL projection = NC_C(0.0);
        for (nc_i64 r = 0; r < n; ++r) {
            projection = NC_FMA(u[r * n + j], x[r * stride], projection);
        }
        work[j] = NC_C(0.0);
        if (NC_SQRT(sigma2) > cutoff) {
            rank += 1;
            NC_REAL weight = projection / sigma2;
            work[j] = NC_CANON(weight);
        }
    }
    for (nc_i64 i = 0; i < n; ++i) {
        NC_REAL value = NC_C(0.0);
        for (nc_i64 j = 0; j < n; ++j) {
            value = NC_FMA(v[i * n + j], work[j], value);
        }
        value = NC_N(nc_scale)(value, exponent);
        x[i * stride] = NC_CANON(value);
    }
    return rank;
}

// x = A^+ x in place for the contiguous matrices u (destroyed); v and work are work space of n x n and n values each.
NC_KERNEL6(NC_N(minimum_norm), NC_GLOBAL NC_REAL *, u, NC_GLOBAL NC_REAL *, v, NC_GLOBAL NC_REAL *, work, nc_systems, systems,
           NC_GLOBAL NC_REAL *, x, NC_GLOBAL nc_i32 *, status)
{
    NC_FOR_ITEMS(item, (nc_u64)systems.count)
    {
        nc_i64 n = systems.n;
        NC_GLOBAL NC_REAL *columns = u + (nc_i64)item * n * n;
        NC_GLOBAL NC_REAL *turns = v + (nc_i64)item * n * n;
        NC_GLOBAL NC_REAL *vector = x + systems.vector.offset + (nc_i64)item * systems.vector.batch;
        nc_i32 finite = 1;
        nc_i32 result = NC_SOLVE_NUMERICAL;
        nc_i32 a_exponent = NC_N(nc_top_exponent)(columns, n * n, 1, &finite);
        nc_i32 b_exponent = NC_N(nc_top_exponent)(vector, n, systems.vector.row, &finite);
        // Scaled by powers of two, neither squares of entries nor products with b leave the range.
        for (nc_i64 i = 0; i < n * n && finite; ++i) {
            columns[i] = NC_CANON(NC_N(nc_scale)(columns[i], -a_exponent));
        }
        if (finite && NC_N(nc_jacobi)(columns, turns, n)) {
            for (nc_i64 i = 0; i < n; ++i) {
                vector[i * systems.vector.row] = NC_CANON(NC_N(nc_scale)(vector[i * systems.vector.row], -b_exponent));
            }
            nc_i64 rank = NC_N(nc_apply_inverse)(columns, turns, n, b_exponent - a_exponent, vector, systems.vector.row,
                                                 work + (nc_i64)item * n);
            result = rank == n ? NC_SOLVE_OK : NC_SOLVE_RANK_DEFICIENT;
        }
        status[systems.status.offset + (nc_i64)item * systems.status.batch] = result;
    }
}
