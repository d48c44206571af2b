// SPDX-License-Identifier: Apache-2.0
// Minimum-norm solutions by singular values at any precision.
#ifndef ORACLE_SINGULAR_H
#define ORACLE_SINGULAR_H

#include "oracle.h"

// The solution and the norms that its perturbation theory needs. Euclidean norms; Frobenius for the matrix.
typedef struct oracle_singular {
    int64_t n, rank;
    mpfr_t *x;
    mpfr_t largest, least;                        // singular values that are kept
    mpfr_t norm_a, norm_b, norm_x, norm_residual; // of A, b, x and b - A x
} oracle_singular;

// x = A^+ b for the n x n matrix `a`. A singular value counts as zero when it vanishes to half the precision; one that lies between
// that and 2^10 times the documented cutoff of the dtype, n eps sigma_max, is refused: rounding could decide on it.
golden_status oracle_singular_solve(const golden_array *a, const golden_array *b, int64_t n, mpfr_prec_t precision,
                                    oracle_singular *result, golden_error *error);
void oracle_singular_free(oracle_singular *result);

// Arrays of numbers of one precision; null when memory is short.
mpfr_t *oracle_numbers_new(int64_t count, mpfr_prec_t precision);
void oracle_numbers_free(mpfr_t *numbers, int64_t count);

#endif
