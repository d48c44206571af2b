// SPDX-License-Identifier: Apache-2.0
// Prints src/core/kernels/elementary_tables_<dtype>.h: elementary-tables f32 | f64. docs/elementary.md has the error analysis.
#include "fit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Sum of first * ratio(j) products: term_0 = 1, term_j = term_{j-1} * x, each times weight(j), until it no longer matters.
static void power_series(mpfr_t value, const mpfr_t x, void (*weight)(mpfr_t w, unsigned j))
{
    mpfr_t power, term;
    mpfr_inits2(FIT_PRECISION, power, term, (mpfr_ptr)0);
    mpfr_set_ui(power, 1, MPFR_RNDN);
    mpfr_set_zero(value, 1);
    for (unsigned j = 0; j < 400; ++j) {
        weight(term, j);
        mpfr_mul(term, term, power, MPFR_RNDN);
        mpfr_add(value, value, term, MPFR_RNDN);
        mpfr_mul(power, power, x, MPFR_RNDN);
    }
    mpfr_clears(power, term, (mpfr_ptr)0);
}

static void weight_log_tail(mpfr_t w, unsigned j)
{
    mpfr_set_ui(w, 2, MPFR_RNDN);
    mpfr_div_ui(w, w, 2 * j + 3, MPFR_RNDN);
}
// (2 atanh(s) - 2 s) / s^3 at z = s^2
static void log_tail(mpfr_t value, const mpfr_t z)
{
    power_series(value, z, weight_log_tail);
}

static void weight_exp_tail(mpfr_t w, unsigned j)
{
    mpfr_fac_ui(w, j + 2, MPFR_RNDN);
    mpfr_ui_div(w, 1, w, MPFR_RNDN);
}
// (exp(r) - 1 - r) / r^2
static void exp_tail(mpfr_t value, const mpfr_t r)
{
    power_series(value, r, weight_exp_tail);
}

// exp(x^2) erfc(x)
static void erfcx(mpfr_t value, const mpfr_t x)
{
    mpfr_t square;
    mpfr_init2(square, 2 * FIT_PRECISION);
    mpfr_sqr(square, x, MPFR_RNDN);
    mpfr_exp(square, square, MPFR_RNDN);
    mpfr_erfc(value, x, MPFR_RNDN);
    mpfr_mul(value, value, square, MPFR_RNDN);
    mpfr_clear(square);
}

// lgamma(x+1) - (x+1/2) log x + x - log(2 pi)/2, with bits to spare for the cancellation
static void stirling(mpfr_t value, const mpfr_t x)
{
    mpfr_t a, b;
    mpfr_inits2(2 * FIT_PRECISION, a, b, (mpfr_ptr)0);
    mpfr_add_ui(a, x, 1, MPFR_RNDN);
    mpfr_lngamma(a, a, MPFR_RNDN);
    mpfr_add(a, a, x, MPFR_RNDN);
    mpfr_const_pi(b, MPFR_RNDN);
    mpfr_mul_2ui(b, b, 1, MPFR_RNDN);
    mpfr_mul(b, b, x, MPFR_RNDN);
    mpfr_log(b, b, MPFR_RNDN);
    mpfr_div_2ui(b, b, 1, MPFR_RNDN);
    mpfr_sub(a, a, b, MPFR_RNDN);
    mpfr_log(b, x, MPFR_RNDN);
    mpfr_mul(b, b, x, MPFR_RNDN);
    mpfr_sub(value, a, b, MPFR_RNDN);
    mpfr_clears(a, b, (mpfr_ptr)0);
}

// log x - 1/(2x) - psi(x)
static void digamma_remainder(mpfr_t value, const mpfr_t x)
{
    mpfr_t a, b;
    mpfr_inits2(2 * FIT_PRECISION, a, b, (mpfr_ptr)0);
    mpfr_log(a, x, MPFR_RNDN);
    mpfr_ui_div(b, 1, x, MPFR_RNDN);
    mpfr_div_2ui(b, b, 1, MPFR_RNDN);
    mpfr_sub(a, a, b, MPFR_RNDN);
    mpfr_digamma(b, x, MPFR_RNDN);
    mpfr_sub(value, a, b, MPFR_RNDN);
    mpfr_clears(a, b, (mpfr_ptr)0);
}

// x^power function(x) at x = z^(-1/2), and `limit` numerator/denominator (or 1/sqrt(pi) for 0/0) at z = 0
static void far_form(mpfr_t value, const mpfr_t z, fit_function function, unsigned power)
{
    mpfr_t x, factor;
    mpfr_inits2(FIT_PRECISION, x, factor, (mpfr_ptr)0);
    mpfr_rec_sqrt(x, z, MPFR_RNDN);
    function(value, x);
    mpfr_pow_ui(factor, x, power, MPFR_RNDN);
    mpfr_mul(value, value, factor, MPFR_RNDN);
    mpfr_clears(x, factor, (mpfr_ptr)0);
}
static void erfcx_far(mpfr_t value, const mpfr_t z)
{
    if (mpfr_zero_p(z)) {
        mpfr_const_pi(value, MPFR_RNDN);
        mpfr_rec_sqrt(value, value, MPFR_RNDN);
        return;
    }
    far_form(value, z, erfcx, 1);
}
static void stirling_far(mpfr_t value, const mpfr_t z)
{
    if (mpfr_zero_p(z)) {
        mpfr_set_ui(value, 1, MPFR_RNDN);
        mpfr_div_ui(value, value, 12, MPFR_RNDN);
        return;
    }
    far_form(value, z, stirling, 1);
}
static void digamma_far(mpfr_t value, const mpfr_t z)
{
    if (mpfr_zero_p(z)) {
        mpfr_set_ui(value, 1, MPFR_RNDN);
        mpfr_div_ui(value, value, 12, MPFR_RNDN);
        return;
    }
    far_form(value, z, digamma_remainder, 2);
}

// -lgamma(1+a) / (a (1-a)); Euler's constant at 0, 1 minus it at 1
static void lgamma_ratio(mpfr_t value, const mpfr_t a)
{
    mpfr_t product, b;
    mpfr_inits2(2 * FIT_PRECISION, product, b, (mpfr_ptr)0);
    mpfr_ui_sub(product, 1, a, MPFR_RNDN);
    mpfr_mul(product, product, a, MPFR_RNDN);
    if (mpfr_zero_p(product)) {
        mpfr_const_euler(value, MPFR_RNDN);
        if (!mpfr_zero_p(a)) {
            mpfr_ui_sub(value, 1, value, MPFR_RNDN);
        }
    } else {
        mpfr_add_ui(b, a, 1, MPFR_RNDN);
        mpfr_lngamma(b, b, MPFR_RNDN);
        mpfr_div(b, b, product, MPFR_RNDN);
        mpfr_neg(value, b, MPFR_RNDN);
    }
    mpfr_clears(product, b, (mpfr_ptr)0);
}

// (psi(1+x) + Euler's constant) / x; pi^2/6 at 0
static void digamma_slope(mpfr_t value, const mpfr_t x)
{
    mpfr_t a, b;
    mpfr_inits2(2 * FIT_PRECISION, a, b, (mpfr_ptr)0);
    if (mpfr_zero_p(x)) {
        mpfr_const_pi(a, MPFR_RNDN);
        mpfr_sqr(a, a, MPFR_RNDN);
        mpfr_div_ui(value, a, 6, MPFR_RNDN);
    } else {
        mpfr_add_ui(a, x, 1, MPFR_RNDN);
        mpfr_digamma(a, a, MPFR_RNDN);
        mpfr_const_euler(b, MPFR_RNDN);
        mpfr_add(a, a, b, MPFR_RNDN);
        mpfr_div(value, a, x, MPFR_RNDN);
    }
    mpfr_clears(a, b, (mpfr_ptr)0);
}

// One table: a single polynomial on [low, high] about `centre`, or (octaves > 0) one polynomial for each eighth of the
// octaves [low, low 2^octaves), each about the middle of its piece.
typedef struct fit_target {
    const char *name;
    const char *meaning;
    fit_function function;
    double low, high, centre;
    int octaves;
    int degree_f32, degree_f64;
} fit_target;

#define PIECES_PER_OCTAVE 8
static const fit_target targets[] = {
    {"nc_log_tail", "(2 atanh(s) - 2 s) / s^3 in z = s^2", log_tail, 0.0, 0.02945, 0.0, 0, 3, 8},
    {"nc_exp_tail", "(exp(r) - 1 - r) / r^2", exp_tail, -0.34658, 0.34658, 0.0, 0, 5, 10},
    {"nc_erfcx_near", "exp(x^2) erfc(x)", erfcx, 0.0, 0.5, 0.25, 0, 7, 14},
    {"nc_erfcx_piece", "exp(x^2) erfc(x), eighths of octaves from 1/2", erfcx, 0.5, 16.0, 0.0, 5, 5, 12},
    {"nc_erfcx_far", "x exp(x^2) erfc(x) in z = 1/x^2", erfcx_far, 0.0, 0.00390625, 0.0, 0, 2, 6},
    {"nc_stirling_piece", "Stirling remainder, eighths of octaves from 1/4", stirling, 0.25, 8.0, 0.0, 5, 5, 11},
    {"nc_stirling_far", "x times the Stirling remainder in z = 1/x^2", stirling_far, 0.0, 0.015625, 0.0, 0, 3, 8},
    {"nc_digamma_piece", "digamma remainder, eighths of octaves from 1/4", digamma_remainder, 0.25, 8.0, 0.0, 5, 5, 12},
    {"nc_digamma_far", "x^2 times the digamma remainder in z = 1/x^2", digamma_far, 0.0, 0.015625, 0.0, 0, 3, 9},
    {"nc_lgamma_ratio", "-lgamma(1+a) / (a (1-a)) about 1/2", lgamma_ratio, 0.0, 1.0, 0.5, 0, 10, 22},
    {"nc_digamma_slope", "(psi(1+x) + Euler) / x", digamma_slope, 0.0, 0.25, 0.0, 0, 6, 14},
};

typedef struct fit_type {
    const char *name;
    int bits;
} fit_type;

static double print_row(const fit_target *target, const fit_type *type, double low, double high, double centre)
{
    int degree = type->bits == 24 ? target->degree_f32 : target->degree_f64;
    fit_polynomial polynomial;
    mpfr_t constant_low;
    mpfr_init2(constant_low, FIT_PRECISION);
    fit_polynomial_init(&polynomial, degree);
    fit_interpolate(&polynomial, target->function, low, high, centre);
    fit_round(&polynomial, type->bits, constant_low);
    double error = fit_error(&polynomial, constant_low, target->function, low, high);
    printf("    NC_C(%a),", mpfr_get_d(constant_low, MPFR_RNDN));
    for (int i = 0; i <= degree; ++i) {
        printf("%sNC_C(%a),", i % 4 == 3 ? "\n    " : " ", mpfr_get_d(polynomial.coefficient[i], MPFR_RNDN));
    }
    printf("\n");
    fit_polynomial_clear(&polynomial);
    mpfr_clear(constant_low);
    return error;
}

static void print_table(const fit_target *target, const fit_type *type)
{
    int degree = type->bits == 24 ? target->degree_f32 : target->degree_f64;
    int rows = target->octaves > 0 ? target->octaves * PIECES_PER_OCTAVE : 1;
    double worst = 0.0;
    printf("\n// %s; a row is {low part of c0, c0, c1, ...}\n", target->meaning);
    printf("#define %s_terms_%s %d\n", target->name, type->name, degree + 1);
    printf("NC_CONSTANT nc_%s %s_%s[%d] = {\n", type->name, target->name, type->name, rows * (degree + 2));
    for (int row = 0; row < rows; ++row) {
        double low = target->low, high = target->high, centre = target->centre;
        if (target->octaves > 0) {
            double octave = ldexp(target->low, row / PIECES_PER_OCTAVE), piece = octave / PIECES_PER_OCTAVE;
            low = octave + (row % PIECES_PER_OCTAVE) * piece;
            high = low + piece;
            centre = low + piece / 2;
        }
        worst = fmax(worst, print_row(target, type, low, high, centre));
    }
    int exponent; // of the bound, which is rounded up to seven bits
    double fraction = ceil(ldexp(frexp(worst, &exponent), 7));
    printf("};\n// largest relative error of the rounded rows\n");
    printf("#define %s_error_%s NC_C(%a)\n", target->name, type->name, ldexp(fraction, exponent - 7));
}

// One constant rounded to `bits` bits, and with `low_name` what is left, rounded to the type.
static void print_constant(const fit_type *type, const char *name, int bits, const char *low_name, const mpfr_t value)
{
    mpfr_t high, low;
    mpfr_init2(high, bits);
    mpfr_init2(low, type->bits);
    mpfr_set(high, value, MPFR_RNDN);
    mpfr_sub(low, value, high, MPFR_RNDN);
    printf("#define %s_%s NC_C(%a)\n", name, type->name, mpfr_get_d(high, MPFR_RNDN));
    if (low_name) {
        printf("#define %s_%s NC_C(%a)\n", low_name, type->name, mpfr_get_d(low, MPFR_RNDN));
    }
    mpfr_clears(high, low, (mpfr_ptr)0);
}

static void print_constants(const fit_type *type)
{
    int exponent_bits = type->bits == 24 ? 8 : 11;
    mpfr_t value, pi;
    mpfr_inits2(FIT_PRECISION, value, pi, (mpfr_ptr)0);
    mpfr_const_log2(value, MPFR_RNDN);
    // an exponent times the high part is exact
    print_constant(type, "NC_LN2_HIGH", type->bits - exponent_bits, "NC_LN2_LOW", value);
    mpfr_ui_div(value, 1, value, MPFR_RNDN);
    print_constant(type, "NC_LOG2_E", type->bits, NULL, value);
    mpfr_const_pi(pi, MPFR_RNDN);
    mpfr_mul_2ui(value, pi, 1, MPFR_RNDN);
    mpfr_log(value, value, MPFR_RNDN);
    mpfr_div_2ui(value, value, 1, MPFR_RNDN);
    print_constant(type, "NC_HALF_LOG_2PI", type->bits, "NC_HALF_LOG_2PI_LOW", value);
    mpfr_div_2ui(value, pi, 1, MPFR_RNDN);
    mpfr_log(value, value, MPFR_RNDN);
    mpfr_div_si(value, value, -2, MPFR_RNDN);
    print_constant(type, "NC_HALF_LOG_2_OVER_PI", type->bits, NULL, value);
    mpfr_const_euler(value, MPFR_RNDN);
    print_constant(type, "NC_EULER", type->bits, "NC_EULER_LOW", value);
    mpfr_sqrt_ui(value, 2, MPFR_RNDN);
    mpfr_ui_div(value, 1, value, MPFR_RNDN);
    print_constant(type, "NC_SQRT_HALF", type->bits, "NC_SQRT_HALF_LOW", value);
    mpfr_div_2ui(value, pi, 1, MPFR_RNDN);
    mpfr_rec_sqrt(value, value, MPFR_RNDN);
    print_constant(type, "NC_SQRT_2_OVER_PI", type->bits, NULL, value);
    mpfr_clears(value, pi, (mpfr_ptr)0);
}

// P_n(x) and its derivative, by the three-term recurrence.
static void legendre(mpfr_t value, mpfr_t slope, const mpfr_t x, int n)
{
    mpfr_t previous, term;
    mpfr_inits2(FIT_PRECISION, previous, term, (mpfr_ptr)0);
    mpfr_set_ui(previous, 1, MPFR_RNDN);
    mpfr_set(value, x, MPFR_RNDN);
    for (int k = 2; k <= n; ++k) { // k P_k = (2k - 1) x P_{k-1} - (k - 1) P_{k-2}
        mpfr_mul(term, x, value, MPFR_RNDN);
        mpfr_mul_si(term, term, 2 * k - 1, MPFR_RNDN);
        mpfr_mul_si(previous, previous, k - 1, MPFR_RNDN);
        mpfr_sub(term, term, previous, MPFR_RNDN);
        mpfr_div_si(term, term, k, MPFR_RNDN);
        mpfr_swap(previous, value);
        mpfr_swap(value, term);
    }
    mpfr_mul(slope, x, value, MPFR_RNDN); // (x^2 - 1) P_n' = n (x P_n - P_{n-1})
    mpfr_sub(slope, slope, previous, MPFR_RNDN);
    mpfr_mul_si(slope, slope, n, MPFR_RNDN);
    mpfr_sqr(term, x, MPFR_RNDN);
    mpfr_sub_ui(term, term, 1, MPFR_RNDN);
    mpfr_div(slope, slope, term, MPFR_RNDN);
    mpfr_clears(previous, term, (mpfr_ptr)0);
}

// Gauss-Legendre rule on [0, 1]: {node, weight} in ascending order.
static void print_gauss(const fit_type *type)
{
    int points = type->bits == 24 ? 8 : 16;
    mpfr_t x, value, slope, weight;
    mpfr_inits2(FIT_PRECISION, x, value, slope, weight, (mpfr_ptr)0);
    printf("\n// Gauss-Legendre rule on [0, 1]: {node, weight}\n#define nc_gauss_points_%s %d\n", type->name, points);
    printf("NC_CONSTANT nc_%s nc_gauss_%s[%d] = {\n", type->name, type->name, 2 * points);
    for (int i = points - 1; i >= 0; --i) {
        mpfr_set_d(x, cos(3.14159265358979 * (i + 0.75) / (points + 0.5)), MPFR_RNDN);
        for (int step = 0; step < 12; ++step) { // Newton, quadratic from a guess good to three digits
            legendre(value, slope, x, points);
            mpfr_div(value, value, slope, MPFR_RNDN);
            mpfr_sub(x, x, value, MPFR_RNDN);
        }
        legendre(value, slope, x, points);
        mpfr_sqr(slope, slope, MPFR_RNDN); // 2/((1 - x^2) P'^2) on [-1, 1], half of it on [0, 1]
        mpfr_sqr(weight, x, MPFR_RNDN);
        mpfr_ui_sub(weight, 1, weight, MPFR_RNDN);
        mpfr_mul(weight, weight, slope, MPFR_RNDN);
        mpfr_ui_div(weight, 1, weight, MPFR_RNDN);
        mpfr_add_ui(x, x, 1, MPFR_RNDN);
        mpfr_div_2ui(x, x, 1, MPFR_RNDN);
        mpfr_t node, rounded;
        mpfr_init2(node, type->bits);
        mpfr_init2(rounded, type->bits);
        mpfr_set(node, x, MPFR_RNDN);
        mpfr_set(rounded, weight, MPFR_RNDN);
        printf("    NC_C(%a), NC_C(%a),\n", mpfr_get_d(node, MPFR_RNDN), mpfr_get_d(rounded, MPFR_RNDN));
        mpfr_clears(node, rounded, (mpfr_ptr)0);
        mpfr_mul_2ui(x, x, 1, MPFR_RNDN);
        mpfr_sub_ui(x, x, 1, MPFR_RNDN);
    }
    printf("};\n");
    mpfr_clears(x, value, slope, weight, (mpfr_ptr)0);
}

int main(int argc, char **argv)
{
    static const fit_type types[] = {{"f32", 24}, {"f64", 53}};
    for (size_t t = 0; argc == 2 && t < sizeof types / sizeof types[0]; ++t) {
        if (strcmp(argv[1], types[t].name) != 0) {
            continue;
        }
        printf("// SPDX-License-Identifier: Apache-2.0\n");
        printf("// Written by tools/tables/elementary_tables.c (%s); do not edit. docs/elementary.md has the error analysis.\n",
               argv[1]);
        printf("// clang-format off\n\n");
        print_constants(&types[t]);
        for (size_t i = 0; i < sizeof targets / sizeof targets[0]; ++i) {
            print_table(&targets[i], &types[t]);
        }
        print_gauss(&types[t]);
        return 0;
    }
    fprintf(stderr, "usage: elementary-tables f32|f64\n");
    return 64;
}
