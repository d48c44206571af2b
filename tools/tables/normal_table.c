// SPDX-License-Identifier: Apache-2.0
// Writes src/core/host/normal_table.c to standard output: the polynomials of the normal quantile, computed with MPFR.
//
// On a segment p = m 2^e, m in [1 + s/4, 1 + (s+1)/4), the function is F(t) = x(p) / (1/2 - p), where Phi(-x) = p and
// t = 8 (m - centre) in [-1, 1). F is interpolated at Chebyshev nodes, which is within a small factor of the best polynomial
// (Trefethen, "Approximation Theory and Approximation Practice", theorem 16.1). Phi(-x) = erfc(x / sqrt 2) / 2 is inverted by
// Newton's method at a precision far above the result's.
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>

// p is a multiple of 2^-53 below 1/2. Degree 12 leaves an interpolation error below 2^-60, a hundredth of an ulp.
#define NORMAL_LOWEST_EXPONENT (-53)
#define NORMAL_HIGHEST_EXPONENT (-2)
#define NORMAL_PARTS 4
#define NORMAL_DEGREE 12

#define PRECISION 200
#define NEWTON_STEPS 60 // never reached: about ten are needed
#define NODES (NORMAL_DEGREE + 1)

static mpfr_t sqrt_half, density_scale, density, step;

static void clear_all(mpfr_t *values, int count)
{
    for (int i = 0; i < count; ++i) {
        mpfr_clear(values[i]);
    }
}

static void init_all(mpfr_t *values, int count)
{
    for (int i = 0; i < count; ++i) {
        mpfr_init2(values[i], PRECISION);
    }
}

// x with Phi(-x) = p, for 0 < p < 1/2. The start is below the solution, where Newton's iteration on log Phi converges
// monotonically.
static void quantile(mpfr_t x, const mpfr_t p)
{
    mpfr_set_zero(x, 1);
    for (int i = 0; i < NEWTON_STEPS; ++i) {
        mpfr_mul(step, x, sqrt_half, MPFR_RNDN);
        mpfr_erfc(step, step, MPFR_RNDN);
        mpfr_div_2ui(step, step, 1, MPFR_RNDN); // Phi(-x)
        mpfr_sqr(density, x, MPFR_RNDN);
        mpfr_div_2ui(density, density, 1, MPFR_RNDN);
        mpfr_neg(density, density, MPFR_RNDN);
        mpfr_exp(density, density, MPFR_RNDN);
        mpfr_mul(density, density, density_scale, MPFR_RNDN); // phi(x)
        mpfr_div(density, density, step, MPFR_RNDN);          // -d log Phi(-x) / dx
        mpfr_div(step, step, p, MPFR_RNDN);
        mpfr_log(step, step, MPFR_RNDN);
        mpfr_div(step, step, density, MPFR_RNDN);
        mpfr_add(x, x, step, MPFR_RNDN);
        if (mpfr_zero_p(step) || mpfr_get_exp(step) < mpfr_get_exp(x) - PRECISION / 2) {
            return; // the error is quadratic in the step
        }
    }
    fprintf(stderr, "normal_table: Newton's method did not converge\n");
    exit(1);
}

// F at the node t of a segment.
static void value_at(mpfr_t value, int exponent, int part, const mpfr_t t)
{
    mpfr_t p, x;
    mpfr_inits2(PRECISION, p, x, (mpfr_ptr)0);
    mpfr_div_2ui(p, t, 3, MPFR_RNDN);
    mpfr_add_d(p, p, 1.0 + (2.0 * part + 1.0) / 8.0, MPFR_RNDN);
    mpfr_mul_2si(p, p, exponent, MPFR_RNDN);
    quantile(x, p);
    mpfr_d_sub(p, 0.5, p, MPFR_RNDN);
    mpfr_div(value, x, p, MPFR_RNDN);
    mpfr_clears(p, x, (mpfr_ptr)0);
}

// Chebyshev node cos((2k+1) pi / (2 NODES)).
static void node(mpfr_t t, int k)
{
    mpfr_const_pi(t, MPFR_RNDN);
    mpfr_mul_ui(t, t, (unsigned long)(2 * k + 1), MPFR_RNDN);
    mpfr_div_ui(t, t, 2ul * NODES, MPFR_RNDN);
    mpfr_cos(t, t, MPFR_RNDN);
}

// Coefficients of the interpolating polynomial, by Newton's divided differences and Horner expansion.
static void interpolate(mpfr_t coefficients[NODES], mpfr_t nodes[NODES], mpfr_t values[NODES])
{
    mpfr_t difference;
    mpfr_init2(difference, PRECISION);
    for (int order = 1; order < NODES; ++order) {
        for (int i = NODES - 1; i >= order; --i) {
            mpfr_sub(values[i], values[i], values[i - 1], MPFR_RNDN);
            mpfr_sub(difference, nodes[i], nodes[i - order], MPFR_RNDN);
            mpfr_div(values[i], values[i], difference, MPFR_RNDN);
        }
    }
    for (int i = 0; i < NODES; ++i) {
        mpfr_set_zero(coefficients[i], 1);
    }
    for (int i = NODES - 1; i >= 0; --i) { // polynomial = polynomial * (t - nodes[i]) + values[i]
        for (int j = NODES - 1; j >= 1; --j) {
            mpfr_mul(difference, coefficients[j], nodes[i], MPFR_RNDN);
            mpfr_sub(coefficients[j], coefficients[j - 1], difference, MPFR_RNDN);
        }
        mpfr_mul(difference, coefficients[0], nodes[i], MPFR_RNDN);
        mpfr_sub(coefficients[0], values[i], difference, MPFR_RNDN);
    }
    mpfr_clear(difference);
}

static void write_segment(int exponent, int part)
{
    mpfr_t nodes[NODES], values[NODES], coefficients[NODES];
    init_all(nodes, NODES);
    init_all(values, NODES);
    init_all(coefficients, NODES);
    for (int k = 0; k < NODES; ++k) {
        node(nodes[k], k);
        value_at(values[k], exponent, part, nodes[k]);
    }
    interpolate(coefficients, nodes, values);
    double high = mpfr_get_d(coefficients[0], MPFR_RNDN);
    mpfr_sub_d(coefficients[0], coefficients[0], high, MPFR_RNDN);
    printf("    // p from 0x1.%xp%d\n", 4 * part, exponent);
    printf("    NC_C64(%a), NC_C64(%a),\n   ", high, mpfr_get_d(coefficients[0], MPFR_RNDN));
    for (int i = 1; i < NODES; ++i) {
        printf(" NC_C64(%a),%s", mpfr_get_d(coefficients[i], MPFR_RNDN), i % 4 == 0 && i + 1 < NODES ? "\n   " : "");
    }
    printf("\n");
    clear_all(nodes, NODES);
    clear_all(values, NODES);
    clear_all(coefficients, NODES);
}

static const char *const head =
    "// SPDX-License-Identifier: Apache-2.0\n"
    "// Written by tools/tables/normal_table.c; do not edit. Row (e, s) holds F(t) = x(p) / (1/2 - p) for p = m 2^e, m in\n"
    "// [1 + s/4, 1 + (s+1)/4), as the constant term in two parts and the coefficients of t, t^2, ...\n"
    "// clang-format off\n"
    "#include \"normal_table.h\"\n\n";

int main(void)
{
    mpfr_inits2(PRECISION, sqrt_half, density_scale, density, step, (mpfr_ptr)0);
    mpfr_set_d(sqrt_half, 0.5, MPFR_RNDN);
    mpfr_sqrt(sqrt_half, sqrt_half, MPFR_RNDN);
    mpfr_const_pi(density_scale, MPFR_RNDN); // becomes 1 / sqrt(2 pi)
    mpfr_mul_2ui(density_scale, density_scale, 1, MPFR_RNDN);
    mpfr_rec_sqrt(density_scale, density_scale, MPFR_RNDN);
    printf("%s_Static_assert(NC_NORMAL_LOWEST_EXPONENT == %d && NC_NORMAL_ROW == %d && NC_NORMAL_TABLE_SIZE == %d, ", head,
           NORMAL_LOWEST_EXPONENT, NODES + 1, (NORMAL_HIGHEST_EXPONENT - NORMAL_LOWEST_EXPONENT + 1) * NORMAL_PARTS * (NODES + 1));
    printf("\"kernels/normal.h reads another layout\");\n\nconst double nc_normal_table[NC_NORMAL_TABLE_SIZE] = {\n");
    for (int exponent = NORMAL_LOWEST_EXPONENT; exponent <= NORMAL_HIGHEST_EXPONENT; ++exponent) {
        for (int part = 0; part < NORMAL_PARTS; ++part) {
            write_segment(exponent, part);
        }
    }
    printf("};\n");
    mpfr_clears(sqrt_half, density_scale, density, step, (mpfr_ptr)0);
    mpfr_free_cache();
    return fflush(stdout) != 0;
}
