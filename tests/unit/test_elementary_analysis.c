// SPDX-License-Identifier: Apache-2.0
// Derives the error bounds of the elementary functions: each is evaluated again beside a bound of its error, operation by operation
// (elementary_bounded.h), on a dense grid of every branch. The values must be the core's bit for bit, so that what is analysed is
// what runs; no error may exceed its derived bound at the same argument; and the largest derived bounds must lie within those of
// elementary.def and elementary_errors.h, and not more than a tenth below them.
#include "unit.h"

#include "elementary.h"

#include "dialect/dialect.h"
#include "elementary_errors.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct derived {
    double value, error; // units u, absolute
} derived;

#include "dialect/real_f32.h"
#include "kernels/elementary.h"

#include "elementary_bounded.h"

#include "elementary_bounded_log.h"

#include "elementary_bounded_exp.h"

#include "elementary_bounded_special.h"

#include "elementary_bounded_at.h"

#include "dialect/real_f64.h"
#include "kernels/elementary.h"

#include "elementary_bounded.h"

#include "elementary_bounded_log.h"

#include "elementary_bounded_exp.h"

#include "elementary_bounded_special.h"

#include "elementary_bounded_at.h"

#include "dialect/real_undef.h"

#define LEAST 0x1p-1074
#define BORDERS 24
#define POINTS 2000 // of a branch, linear, and as many towards each of its ends

// Borders of a function's branches, its tables' and its range's, ascending; what a type cannot represent is passed over.
typedef struct branch_list {
    const char *name;
    derived (*f32)(double x);
    derived (*f64)(double x);
    double border[BORDERS];
    size_t count;
} branch_list;

#define BRANCHES(name, ...)                                                                                                        \
    {                                                                                                                              \
#name, derived_##name##_f32, derived_##name##_f64, {__VA_ARGS__ }, sizeof((double[]){__VA_ARGS__}) / sizeof(double)        \
    }
static const branch_list branches[] = {
    BRANCHES(log, LEAST, 0x1p-20, 0.5, 0.70710678, 1.0, 1.41421356, 2.0, 0x1p20, 1e308),
    BRANCHES(log1p, -1.0, -0.5, -0.29289, 0.0, 0.414213, 1.0, 16.0, 1e8, 1e308),
    BRANCHES(log1pmx, -1.0, -0.5, -0.29289, 0.0, 0.414213, 1.0, 16.0, 1e8, 1e308),
    BRANCHES(d0, -1.0, -0.5, -0.29275, 0.0, 0.4139, 1.0, 16.0, 1e8, 1e36, 1e300),
    BRANCHES(exp, -745.1, -708.4, -103.9, -87.34, -18.0, -1.04, -0.34657, 0.0, 0.34657, 1.04, 18.0, 88.72, 709.78),
    BRANCHES(expm1, -60.0, -38.0, -18.0, -1.04, -0.34657, 0.0, 0.34657, 1.04, 18.0, 38.5, 88.72, 709.78),
    BRANCHES(expm1mx, -700.0, -38.0, -18.0, -1.04, -0.34657, 0.0, 0.34657, 1.04, 18.0, 38.5, 88.72, 709.78),
    BRANCHES(erfc, -7.0, -2.0, -0.5, 0.0, 0.125, 0.5, 1.0, 2.0, 4.0, 9.3, 10.1, 16.0, 26.6, 27.3),
    BRANCHES(erfcx, -26.6, -9.38, -2.0, -0.5, 0.0, 0.125, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 256.0, 0x1p64, 1e38, 1e300),
    BRANCHES(stirling, LEAST, 0x1p-20, 0.0625, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 256.0, 0x1p64, 1e38, 1e300),
    BRANCHES(digamma_remainder, LEAST, 0x1p-20, 0.0625, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 256.0, 0x1p64, 1e38, 1e300),
    BRANCHES(lgamma1p, 0.0, 0.125, 0.25, 0.5, 0.75, 1.0),
    BRANCHES(softplus, -745.0, -103.0, -87.3, -18.0, -1.04, 0.0, 1.04, 18.0, 40.0, 1e300),
    BRANCHES(sigmoid, -745.0, -103.0, -87.3, -38.0, -18.0, -1.04, 0.0, 1.04, 18.0, 38.0, 745.0),
};

typedef struct grid {
    const elementary_function *function;
    const branch_list *branch;
    bool is_f32;
    double ulp, ulp_at, relative, relative_at;
    double inner; // relative, before the last rounding
    size_t compared;
    mpfr_t truth;
} grid;

// The value again, and no error above the bound derived for it. Terms of the order u^2 are below 2^-10.
static void compare_truth(grid *g, double x, double error, double unit)
{
    mpfr_t exact;
    mpfr_init2(exact, 53);
    mpfr_set_d(exact, x, MPFR_RNDN);
    g->function->truth(g->truth, exact);
    double got = g->is_f32 ? (double)g->function->f32((float)x) : g->function->f64(x);
    mpfr_sub_d(g->truth, g->truth, got, MPFR_RNDN);
    mpfr_set_d(exact, unit, MPFR_RNDN);
    mpfr_div(g->truth, g->truth, exact, MPFR_RNDN);
    double measured = fabs(mpfr_get_d(g->truth, MPFR_RNDN));
    double derived_error = error + 0x1p-10 * (error + fabs(got));
    if (!(measured <= derived_error)) {
        print_message("%s f%d at %a: error %.4g u, derived %.4g u\n", g->function->name, g->is_f32 ? 32 : 64, x, measured, error);
    }
    assert_true(measured <= derived_error);
    mpfr_clear(exact);
}

static void derive(grid *g, double wide, bool is_compared)
{
    double x = g->is_f32 ? (double)(float)wide : wide;
    if (!(x >= g->function->low && x <= g->function->high) || fabs(x) > (g->is_f32 ? (double)FLT_MAX : DBL_MAX)) {
        return;
    }
    double got = g->is_f32 ? (double)g->function->f32((float)x) : g->function->f64(x);
    if (got == 0.0 || !isfinite(got)) { // zeros are exact or below the range
        return;
    }
    derived value = g->is_f32 ? g->branch->f32(x) : g->branch->f64(x);
    if (value.value != got) {
        print_message("%s f%d at %a: %a, the core has %a\n", g->function->name, g->is_f32 ? 32 : 64, x, value.value, got);
    }
    assert_true(value.value == got);
    int least = g->is_f32 ? -126 : -1022;
    double spacing = power_of_two_below(got, least); // half an ulp
    double ulp = 0.5 * value.error / spacing, relative = value.error / fabs(got);
    if (ulp > g->ulp) {
        g->ulp = ulp;
        g->ulp_at = x;
    }
    if (fabs(got) >= ldexp(1.0, least) && relative > g->relative) {
        g->relative = relative;
        g->relative_at = x;
    }
    g->inner = fmax(g->inner, (value.error - spacing) / fabs(got));
    if (is_compared) {
        compare_truth(g, x, value.error, g->is_f32 ? 0x1p-24 : 0x1p-53);
    }
    ++g->compared;
}

// Between two borders: linear, and by powers towards each end, to the least distance that shows.
static void derive_between(grid *g, double low, double high)
{
    double least_low = low == 0.0 ? LEAST : fabs(low) * 0x1p-53, least_high = high == 0.0 ? LEAST : fabs(high) * 0x1p-53;
    double octaves_low = log2((high - low) / least_low), octaves_high = log2((high - low) / least_high);
    for (int i = 0; i <= POINTS; ++i) {
        double share = i / (double)POINTS;
        bool is_compared = i % 8 == 0;
        derive(g, low + (high - low) * share, is_compared);
        derive(g, low + (high - low) * exp2(-octaves_low * share), is_compared);
        derive(g, high - (high - low) * exp2(-octaves_high * share), is_compared);
    }
}

static const elementary_function *function_of(const branch_list *branch)
{
    const elementary_function *function = NULL;
    for (size_t i = 0; i < elementary_count; ++i) {
        function = strcmp(elementary_functions[i].name, branch->name) == 0 ? &elementary_functions[i] : function;
    }
    assert_non_null(function);
    return function;
}

// The largest relative bound.
static double derive_function(const branch_list *branch, bool is_f32)
{
    grid g = {.function = function_of(branch), .branch = branch, .is_f32 = is_f32};
    mpfr_init2(g.truth, 200);
    for (size_t b = 0; b + 1 < branch->count; ++b) {
        derive_between(&g, branch->border[b], branch->border[b + 1]);
    }
    mpfr_clear(g.truth);
    double bound = is_f32 ? g.function->bound_f32 : g.function->bound_f64;
    print_message("%-18s f%d %.4f ulp at %a (%g)  %.4f u at %a (%g)  %zu\n", branch->name, is_f32 ? 32 : 64, g.ulp, g.ulp_at, bound,
                  g.relative, g.relative_at, g.function->relative, g.compared);
    assert_true(g.compared > (size_t)POINTS * (branch->count - 1));
    assert_true(g.ulp <= bound && g.ulp >= 0.9 * bound);
    return g.relative;
}

static void test_derivation(void **state)
{
    (void)state;
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    assert_int_equal(sizeof branches / sizeof branches[0], elementary_count);
    for (size_t i = 0; i < sizeof branches / sizeof branches[0]; ++i) {
        double relative_f32 = derive_function(&branches[i], true), relative_f64 = derive_function(&branches[i], false);
        double relative = fmax(relative_f32, relative_f64), bound = function_of(&branches[i])->relative;
        assert_true(relative <= bound && relative >= 0.9 * bound);
    }
}

// What scales of statistics take for the polynomials alone.
typedef struct inner_bound {
    const char *name;
    double low, high, bound;
} inner_bound;

static double derive_inner(const inner_bound *row, bool is_f32)
{
    size_t at = 0;
    while (at < elementary_count - 1 && strcmp(branches[at].name, row->name) != 0) {
        ++at;
    }
    assert_string_equal(branches[at].name, row->name);
    grid g = {.function = function_of(&branches[at]), .branch = &branches[at], .is_f32 = is_f32};
    double step = row->low == 0.0 ? row->high : 2.0; // an octave after another
    for (double low = row->low; low < row->high; low = low == 0.0 ? step : low * step) {
        double high = low == 0.0 ? row->high : low * step;
        for (int i = 0; i < POINTS; ++i) {
            derive(&g, low + (high - low) * (i / (double)POINTS), false);
        }
    }
    assert_true(g.compared >= POINTS - 1);
    return g.inner;
}

static void test_polynomials(void **state)
{
    static const inner_bound rows[] = {
        {"stirling", 0.25, 1024.0, INNER_STIRLING},
        {"digamma_remainder", 0.25, 1024.0, INNER_DIGAMMA},
        {"erfcx", 0.0, 0.5, INNER_ERFCX_NEAR},
        {"erfcx", 0.5, 16.0, INNER_ERFCX},
    };
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        double inner = fmax(derive_inner(&rows[r], true), derive_inner(&rows[r], false));
        print_message("%-18s %.4f u in [%g, %g) (%g)\n", rows[r].name, inner, rows[r].low, rows[r].high, rows[r].bound);
        assert_true(inner <= rows[r].bound && inner >= 0.9 * rows[r].bound);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_derivation),
    cmocka_unit_test(test_polynomials),
};

UNIT_MAIN(tests)
