// SPDX-License-Identifier: Apache-2.0
// Linear algebra with one answer: every sum has an order fixed by the number of elements alone (docs/sums.md).
// Arrays are f32 or f64, any strides. Scalars results go to an array of one element, on the device.
#ifndef NC_LINALG_H
#define NC_LINALG_H

#include "nc_array.h"

#ifdef __cplusplus
extern "C" {
#endif

// out[i] = fma(alpha, x[i], y[i]). Shapes equal. `out` may be exactly y's view; any other overlap is refused.
NC_API nc_status nc_axpy(double alpha, const nc_array *x, const nc_array *y, nc_array *out);
// Canonical sum of all elements in C order; the sum of none is +0.
NC_API nc_status nc_sum(const nc_array *x, nc_array *out);
// Canonical sum of fma products x[i] y[i]; the dot product of none is +0.
NC_API nc_status nc_dot(const nc_array *x, const nc_array *y, nc_array *out);
// IEEE 754-2019 minimum and maximum: any NaN gives the canonical NaN, -0 < +0. No elements: NC_EMPTY.
NC_API nc_status nc_minimum(const nc_array *x, nc_array *out);
NC_API nc_status nc_maximum(const nc_array *x, nc_array *out);
// out[b] = maximum of the elements b*block .. min((b+1)*block, count)-1 in C order; out has ceil(count/block) elements.
// block >= 1; count 0 writes nothing.
NC_API nc_status nc_block_maximum(const nc_array *x, int64_t block, nc_array *out);

// C[m,n] = alpha A[m,k] B[k,n] + beta C. Each element is one fma chain in ascending k from +0, then r = alpha*acc, then
// beta == 0 ? r : fma(beta, c, r): C is not read when beta is 0. m, n and k may be 0 (k = 0: acc = +0). A transposed operand is
// a view with its strides exchanged. C must not overlap A or B.
NC_API nc_status nc_gemm(double alpha, const nc_array *a, const nc_array *b, double beta, nc_array *c);

// out[q,q] = X' diag(w) X for X [n,q] and w [n] (null: all 1), symmetric to the bit. Accumulated in float64 for both dtypes, in
// the row order of docs/sums.md, and rounded once to the arrays' dtype. n = 0 gives +0.
NC_API nc_status nc_gram(const nc_array *x, const nc_array *weights, nc_array *out);

// Dense systems, one matrix [n,n] with vectors [n], or a batch [m,n,n] with [m,n]. status (i32, one element or [m]) receives one
// nc_status a matrix; a call returns NC_OK when it ran, whatever the matrices were. Batch members do not touch each other.

// factor = L with A = L L', +0 above the diagonal. `factor` may be exactly a's view. Symmetry is exact equality, else the status is
// NC_INVALID_ARGUMENT; a pivot that is not positive and finite: NC_NUMERICAL_ERROR. factor is then not a factor.
NC_API nc_status nc_cholesky(const nc_array *a, nc_array *factor, nc_array *status);
// x = (L L')^-1 b. `x` may be exactly b's view.
NC_API nc_status nc_cholesky_solve(const nc_array *factor, const nc_array *b, nc_array *x);
// P A = L U with partial pivoting: largest magnitude, ties to the lowest row. factor holds U and the unit lower L below it;
// pivots (i32, [n] or [m,n]): row exchanged with row k at step k. A zero pivot: NC_RANK_DEFICIENT; not finite: NC_NUMERICAL_ERROR.
NC_API nc_status nc_lu(const nc_array *a, nc_array *factor, nc_array *pivots, nc_array *status);
// x = A^-1 b from nc_lu's results. `x` may be exactly b's view. A zero pivot divides by zero: look at the status first.
NC_API nc_status nc_lu_solve(const nc_array *factor, const nc_array *pivots, const nc_array *b, nc_array *x);
// x of least norm among the least-squares solutions of A x = b, by singular values (one-sided Jacobi, round-robin order). Singular
// values not above n eps sigma_max (eps = 2 unit roundoffs) count as zero: status NC_RANK_DEFICIENT. Not finite, or no convergence
// within the sweep cap: NC_NUMERICAL_ERROR and x is b. `x` may be exactly b's view.
NC_API nc_status nc_minimum_norm_solve(const nc_array *a, const nc_array *b, nc_array *x, nc_array *status);

#ifdef __cplusplus
}
#endif
#endif
