// SPDX-License-Identifier: Apache-2.0
// Polynomial fits in MPFR: interpolation at Chebyshev nodes, coefficients rounded once to the table's type.
#ifndef CUPEL_FIT_H
#define CUPEL_FIT_H

#include <mpfr.h>

#define FIT_PRECISION 320
#define FIT_MAX_DEGREE 40

// Sets `value` to the function at `x`; both have FIT_PRECISION bits.
typedef void (*fit_function)(mpfr_t value, const mpfr_t x);

typedef struct fit_polynomial {
    int degree;
    mpfr_t centre;
    mpfr_t coefficient[FIT_MAX_DEGREE + 1]; // of powers of (x - centre)
} fit_polynomial;

void fit_polynomial_init(fit_polynomial *polynomial, int degree);
void fit_polynomial_clear(fit_polynomial *polynomial);

// Interpolates `function` at the Chebyshev nodes of [low, high] in powers of (x - centre).
void fit_interpolate(fit_polynomial *polynomial, fit_function function, double low, double high, double centre);
// Rounds every coefficient to `bits` bits. The rounding error of the constant term stays in `constant_low`, itself rounded.
void fit_round(fit_polynomial *polynomial, int bits, mpfr_t constant_low);
// Largest |polynomial + constant_low - function| / |function| on a grid of [low, high], evaluated in FIT_PRECISION bits.
double fit_error(const fit_polynomial *polynomial, const mpfr_t constant_low, fit_function function, double low, double high);

#endif
