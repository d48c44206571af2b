// SPDX-License-Identifier: Apache-2.0
// Every elementary function against MPFR in both precisions: spread over all exponents of its domain, subnormals included, around
// every zero and branch point, and at boundaries. The whole of float32 is the program elementary-exhaustive (docs/elementary.md).
#include "unit.h"

#include "elementary.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DRAWS 400 // in each class of arguments

// SplitMix64
static uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
static double random_unit(uint64_t *state)
{
    return (double)(random_next(state) >> 11) * 0x1p-53;
}

// Zeros, branch points between polynomials and range borders of any function; neighbourhoods are clipped to the domain.
static const double points[] = {-1.0,  -0.29289,   -0.2,   0.0,    0.25,   0.34657,  0.414213, 0.5,   0.70710678,
                                1.0,   1.41421356, 2.0,    8.0,    16.0,   -0.34657, -0.7,     -18.0, -38.0,
                                88.72, -87.34,     -103.9, 709.78, -708.4, -745.13,  26.543,   27.22, -26.64,
                                9.194, 10.05,      -9.38,  18.7,   37.4,   1e10};

// Argument number i of a float64 sweep; false: none.
static double argument(const elementary_function *f, size_t class, uint64_t *state)
{
    size_t count = sizeof points / sizeof points[0];
    if (class < count) { // about a point, at every distance from 2^-60 to 1
        double distance = ldexp(1.0 + random_unit(state), -(int)(random_next(state) % 61) - 1);
        return points[class] + (random_next(state) & 1 ? distance : -distance);
    }
    if (class == count) { // every exponent
        double x = ldexp(1.0 + random_unit(state), (int)(random_next(state) % 2098) - 1074);
        return random_next(state) & 1 ? x : -x;
    }
    double low = f->low < -800.0 ? -800.0 : f->low, high = f->high > 800.0 ? 800.0 : f->high; // uniform
    return low + (high - low) * random_unit(state);
}

// Where elementary-exhaustive finds, or found before a body was changed, a function's largest error, in ulp or relative.
typedef struct worst_argument {
    const char *name;
    double x;
} worst_argument;
static const worst_argument worst_arguments[] = {
    {"log", 0x1.8de1fep-1},
    {"log", 0x1.69bdbep+0},
    {"log", 0x1.8e683ep-1},
    {"log1p", -0x1.c87808p-3},
    {"log1p", 0x1.aa6dbcp-2},
    {"log1p", -0x1.c52b74p-3},
    {"log1pmx", 0x1.a843bcp-2},
    {"log1pmx", -0x1.2d8dc6p-2},
    {"log1pmx", 0x1.003ac8p-62},
    {"d0", 0x1.a8586cp-2},
    {"d0", 0x1.7e2936p-2},
    {"d0", 0x1.003ac8p-62},
    {"exp", 0x1.01d9dap+6},
    {"exp", -0x1.5ecadp+6},
    {"exp", 0x1p-24},
    {"expm1", 0x1.0fd5c8p+4},
    {"expm1", 0x1.10acb8p+4},
    {"expm1", 0x1.156118p+4},
    {"expm1mx", 0x1.26aa28p+4},
    {"expm1mx", 0x1.36881ep+4},
    {"expm1mx", -0x1.0a10b2p-2},
    {"erfc", -0x1.a380ap-8},
    {"erfc", 0x1.fdca22p-2},
    {"erfc", -0x1.a5d0ap-8},
    {"erfcx", 0x1.f0abdp-7},
    {"erfcx", 0x1.20b534p+124},
    {"erfcx", 0x1.20dfa2p+63},
    {"erfcx", -0x1.8348cap-7},
    {"stirling", 0x1.f52cdep-3},
    {"stirling", 0x1.ffd3aap-3},
    {"stirling", 0x1.f4fe54p-3},
    {"stirling", 0x1.ec640ep-3},
    {"digamma_remainder", 0x1.fe4e82p-3},
    {"digamma_remainder", 0x1.c6a676p-3},
    {"digamma_remainder", 0x1.fc57ccp-3},
    {"digamma_remainder", 0x1.a0fbdcp+60},
    {"digamma_remainder", 0x1.cbb242p-3},
    {"lgamma1p", 0x1.b8d072p-14},
    {"lgamma1p", 0x1.bedf08p-10},
    {"lgamma1p", 0x1.0d166ep-3},
    {"softplus", -0x1.fe228ep+3},
    {"softplus", -0x1.8f3a4cp+2},
    {"softplus", -0x1.fe0534p+3},
    {"sigmoid", -0x1.2054f8p+4},
    {"sigmoid", -0x1.5ecadp+6},
    {"sigmoid", -0x1.2056a2p+4},
};

typedef struct worst {
    double error, at;
    size_t compared;
} worst;

static void compare_f64(const elementary_function *f, double x, worst *w, mpfr_t truth)
{
    mpfr_t exact;
    if (!(x >= f->low && x <= f->high) || (f->low == 0.0 && x <= 0.0 && strcmp(f->name, "lgamma1p") != 0)) {
        return;
    }
    mpfr_init2(exact, 53);
    mpfr_set_d(exact, x, MPFR_RNDN);
    f->truth(truth, exact);
    double error = elementary_error(f->f64(x), truth, 52, -1022);
    ++w->compared;
    if (!(error <= w->error)) {
        w->error = error;
        w->at = x;
    }
    mpfr_clear(exact);
}

static void compare_f32(const elementary_function *f, double wide, worst *w, mpfr_t truth)
{
    float x = (float)wide;
    mpfr_t exact;
    if (!((double)x >= f->low && (double)x <= f->high) || (f->low == 0.0 && x <= 0.0F && strcmp(f->name, "lgamma1p") != 0)) {
        return;
    }
    mpfr_init2(exact, 53);
    mpfr_set_d(exact, (double)x, MPFR_RNDN);
    f->truth(truth, exact);
    double error = elementary_error((double)f->f32(x), truth, 23, -126);
    ++w->compared;
    if (!(error <= w->error)) {
        w->error = error;
        w->at = (double)x;
    }
    mpfr_clear(exact);
}

static void sweep(const elementary_function *f)
{
    worst w32 = {0}, w64 = {0};
    uint64_t state = 20261129;
    mpfr_t truth;
    mpfr_init2(truth, 160);
    size_t classes = sizeof points / sizeof points[0] + 2;
    for (size_t class = 0; class < classes; ++class) {
        int draws = class + 2 < classes ? DRAWS / 8 : DRAWS;
        for (int i = 0; i < draws; ++i) {
            double x = argument(f, class, &state);
            compare_f64(f, x, &w64, truth);
            if (fabs(x) < (double)FLT_MAX) {
                compare_f32(f, x, &w32, truth);
            }
        }
    }
    for (size_t p = 0; p < sizeof points / sizeof points[0]; ++p) { // the points and their neighbours
        for (int step = -3; step <= 3; ++step) {
            double x = points[p], y = points[p];
            for (int k = 0; k < abs(step); ++k) {
                x = nextafter(x, step < 0 ? -HUGE_VAL : HUGE_VAL);
                y = (double)nextafterf((float)y, step < 0 ? -HUGE_VALF : HUGE_VALF);
            }
            compare_f64(f, x, &w64, truth);
            compare_f32(f, y, &w32, truth);
        }
    }
    size_t found = 0;
    for (size_t a = 0; a < sizeof worst_arguments / sizeof worst_arguments[0]; ++a) {
        if (strcmp(worst_arguments[a].name, f->name) == 0) {
            compare_f64(f, worst_arguments[a].x, &w64, truth);
            compare_f32(f, worst_arguments[a].x, &w32, truth);
            ++found;
        }
    }
    assert_true(found > 0);
    mpfr_clear(truth);
    print_message("%-18s f32 %.3f ulp at %a (%zu)  f64 %.3f ulp at %a (%zu)\n", f->name, w32.error, w32.at, w32.compared, w64.error,
                  w64.at, w64.compared);
    assert_true(w32.compared > 300 && w64.compared > 300);
    assert_true(w32.error <= f->bound_f32);
    assert_true(w64.error <= f->bound_f64);
    assert_true(2.0 * w32.error > f->bound_f32); // no slack: twice the worst error would break the bound
    assert_true(2.0 * w64.error > f->bound_f64);
}

static void test_sweep(void **state)
{
    (void)state;
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    for (size_t i = 0; i < elementary_count; ++i) {
        sweep(&elementary_functions[i]);
    }
    assert_int_equal(elementary_count, 14);
}

#define NOT_A_NUMBER ((double)NAN)

typedef struct special {
    const char *name;
    double x, value; // NaN stands for any NaN
} special;

static void test_special_values(void **state)
{
    static const special rows[] = {
        {"log", 0.0, -HUGE_VAL},
        {"log", -0.0, -HUGE_VAL},
        {"log", -1.0, NOT_A_NUMBER},
        {"log", HUGE_VAL, HUGE_VAL},
        {"log", NOT_A_NUMBER, NOT_A_NUMBER},
        {"log", 1.0, 0.0},
        {"log1p", -1.0, -HUGE_VAL},
        {"log1p", -2.0, NOT_A_NUMBER},
        {"log1p", -0.0, -0.0},
        {"log1p", HUGE_VAL, HUGE_VAL},
        {"log1pmx", 0.0, 0.0},
        {"log1pmx", -1.0, -HUGE_VAL},
        {"log1pmx", HUGE_VAL, -HUGE_VAL},
        {"d0", -1.0, 1.0},
        {"d0", 0.0, 0.0},
        {"d0", HUGE_VAL, HUGE_VAL},
        {"d0", 0x1.fp+1023, HUGE_VAL}, // overflows; in float32 the argument does
        {"d0", -1.5, NOT_A_NUMBER},
        {"exp", HUGE_VAL, HUGE_VAL},
        {"exp", -HUGE_VAL, 0.0},
        {"exp", 0.0, 1.0},
        {"exp", NOT_A_NUMBER, NOT_A_NUMBER},
        {"expm1", -HUGE_VAL, -1.0},
        {"expm1", -0.0, -0.0},
        {"expm1", HUGE_VAL, HUGE_VAL},
        {"expm1mx", 0.0, 0.0},
        {"expm1mx", HUGE_VAL, HUGE_VAL},
        {"expm1mx", -HUGE_VAL, HUGE_VAL},
        {"erfc", HUGE_VAL, 0.0},
        {"erfc", -HUGE_VAL, 2.0},
        {"erfc", 0.0, 1.0},
        {"erfcx", HUGE_VAL, 0.0},
        {"erfcx", -HUGE_VAL, HUGE_VAL},
        {"erfcx", 0.0, 1.0},
        {"stirling", 0.0, HUGE_VAL},
        {"stirling", HUGE_VAL, 0.0},
        {"stirling", -1.0, NOT_A_NUMBER},
        {"digamma_remainder", 0.0, HUGE_VAL},
        {"digamma_remainder", HUGE_VAL, 0.0},
        {"lgamma1p", 0.0, -0.0},
        {"lgamma1p", 1.0, -0.0},
        {"softplus", -HUGE_VAL, 0.0},
        {"softplus", HUGE_VAL, HUGE_VAL},
        {"sigmoid", -HUGE_VAL, 0.0},
        {"sigmoid", HUGE_VAL, 1.0},
        {"sigmoid", 0.0, 0.5},
        {"sigmoid", NOT_A_NUMBER, NOT_A_NUMBER},
        {"erfc", NOT_A_NUMBER, NOT_A_NUMBER},
        {"softplus", NOT_A_NUMBER, NOT_A_NUMBER},
    };
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        size_t found = 0;
        for (size_t i = 0; i < elementary_count; ++i) {
            if (strcmp(elementary_functions[i].name, rows[r].name) != 0) {
                continue;
            }
            double f64 = elementary_functions[i].f64(rows[r].x), f32 = (double)elementary_functions[i].f32((float)rows[r].x);
            bool nan = isnan(rows[r].value);
            bool right64 = nan ? isnan(f64) : f64 == rows[r].value && signbit(f64) == signbit(rows[r].value);
            bool right32 = nan ? isnan(f32) : f32 == rows[r].value && signbit(f32) == signbit(rows[r].value);
            if (!right64 || !right32) {
                print_message("%s(%a): %a and %a, not %a\n", rows[r].name, rows[r].x, f64, f32, rows[r].value);
            }
            assert_true(right64 && right32);
            ++found;
        }
        assert_int_equal(found, 1);
    }
}

// A NaN of either sign stays one, in every function.
static void test_nan_stays(void **state)
{
    (void)state;
    for (size_t i = 0; i < elementary_count; ++i) {
        const elementary_function *f = &elementary_functions[i];
        for (double sign = -1.0; sign <= 1.0; sign += 2.0) {
            double nan = copysign(NOT_A_NUMBER, sign);
            if (!isnan(f->f64(nan)) || !isnan(f->f32((float)nan))) {
                fail_msg("%s(NaN) is %a and %a", f->name, f->f64(nan), (double)f->f32((float)nan));
            }
        }
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_sweep),
    cmocka_unit_test(test_special_values),
    cmocka_unit_test(test_nan_stays),
};

UNIT_MAIN(tests)
