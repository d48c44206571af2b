// SPDX-License-Identifier: Apache-2.0
// The oracle's tails of counts and of large gamma shapes: at any size they differ by the density from one count to the next, also
// where the circle inside the unit circle gives way to the one outside; and where expansions still converge they are the same
// number.
#include "unit.h"

#include "oracle/stats.h"

enum { PRECISION = 400, MARGIN = 150 }; // bits; lgammas of 2^60 cost 70 of them, tails of nearly 1 the rest

typedef struct family_case {
    stats_family family;
    int64_t count, trials;
    double p0, p1;
} family_case;

static stats_datum datum_of(const family_case *row, int64_t count)
{
    return (stats_datum){
        .family = row->family, .dtype = GOLDEN_F64, .count = count, .trials = row->trials, .p = {row->p0, row->p1, 0.0}};
}

static void assert_close(const mpfr_t a, const mpfr_t b)
{
    mpfr_t difference;
    mpfr_init2(difference, PRECISION);
    mpfr_sub(difference, a, b, MPFR_RNDN);
    assert_true(mpfr_regular_p(a) && mpfr_regular_p(b));
    assert_true(mpfr_zero_p(difference) || mpfr_get_exp(difference) <= mpfr_get_exp(b) - (PRECISION - MARGIN));
    mpfr_clear(difference);
}

// Counts about the mean (F(k) comes from inside, S(k + 1) from outside), and far on both sides of it.
static const family_case large[] = {
    {STATS_POISSON, 999999999999999999, 0, 1e18, 0.0},
    {STATS_POISSON, 1000000000000000000, 0, 1e18 - 4e10, 0.0},
    {STATS_POISSON, 1000000000000000000, 0, 1e18 + 4e10, 0.0},
    {STATS_POISSON, 65536, 0, 65537.0, 0.0},
    {STATS_POISSON, 4000000000000000000, 0, 3e18, 0.0},
    {STATS_NEGATIVE_BINOMIAL, 999999999999999999, 0, 1e18, 65536.0},
    {STATS_NEGATIVE_BINOMIAL, 999999999999999999, 0, 1e18, 0x1p90},
    {STATS_NEGATIVE_BINOMIAL, 70000, 0, 1e6, 1e15},
    {STATS_NEGATIVE_BINOMIAL, 1000000000000, 0, 9e11, 1e7},
    {STATS_BINOMIAL, 499999999999999999, 1000000000000000000, 0.5, 0.0},
    {STATS_BINOMIAL, 999999999999000000, 1000000000000000000, 0.999999999999, 0.0},
    {STATS_BINOMIAL, 100000000000000000, 1000000000000000000, 0.125, 0.0},
    {STATS_BINOMIAL, 4300000000000000000, 4611686018427387904, 0.5, 0.0},
    {STATS_BINOMIAL_LOGIT, 268941421369995120, 1000000000000000000, -1.0, 0.0},
    {STATS_BINOMIAL_LOGIT, 400000000000000000, 1000000000000000000, -1.0, 0.0},
};

static void test_neighbours(void **state)
{
    (void)state;
    mpfr_set_emin(mpfr_get_emin_min()); // a probability here is e^-1.5e17
    mpfr_t lower[2], upper[2], density;
    mpfr_inits2(PRECISION, lower[0], lower[1], upper[0], upper[1], density, (mpfr_ptr)0);
    for (size_t i = 0; i < sizeof large / sizeof large[0]; ++i) {
        for (int j = 0; j < 2; ++j) {
            stats_datum at = datum_of(&large[i], large[i].count + j);
            assert_true(stats_shapes_are_large(&at));
            stats_large_tails(lower[j], upper[j], &at);
        }
        stats_datum next = datum_of(&large[i], large[i].count + 1);
        stats_log_density(density, PRECISION, &next);
        mpfr_exp(density, density, MPFR_RNDN);
        bool is_below = mpfr_less_p(lower[1], upper[1]) != 0;
        mpfr_sub(is_below ? lower[1] : upper[0], is_below ? lower[1] : upper[0], is_below ? lower[0] : upper[1], MPFR_RNDN);
        assert_close(is_below ? lower[1] : upper[0], density);
    }
    mpfr_clears(lower[0], lower[1], upper[0], upper[1], density, (mpfr_ptr)0);
}

// P(Y <= k) as an incomplete gamma or beta function (Abramowitz & Stegun 26.4.21, 26.5.24, 26.5.26).
static void expansion(mpfr_t lower, mpfr_t upper, const stats_datum *at)
{
    golden_error error = {""};
    mpfr_t a, b, x, y;
    mpfr_inits2(PRECISION, a, b, x, y, (mpfr_ptr)0);
    mpfr_set_sj(b, at->count + 1, MPFR_RNDN);
    mpfr_set_d(x, at->p[0], MPFR_RNDN);
    if (at->family == STATS_POISSON) {
        assert_int_equal(stats_gamma_tails(upper, lower, b, x, &error), GOLDEN_OK);
    } else if (at->family == STATS_NEGATIVE_BINOMIAL) {
        mpfr_set_d(a, at->p[1], MPFR_RNDN);
        mpfr_add(y, a, x, MPFR_RNDN);
        mpfr_div(x, a, y, MPFR_RNDN);
        mpfr_ui_sub(y, 1, x, MPFR_RNDN);
        assert_int_equal(stats_beta_tails(lower, upper, a, b, x, y, &error), GOLDEN_OK);
    } else {
        mpfr_set_sj(a, at->trials - at->count, MPFR_RNDN);
        mpfr_ui_sub(y, 1, x, MPFR_RNDN);
        assert_int_equal(stats_beta_tails(lower, upper, a, b, y, x, &error), GOLDEN_OK);
    }
    mpfr_clears(a, b, x, y, (mpfr_ptr)0);
}

static void test_expansions(void **state)
{
    (void)state;
    static const family_case rows[] = {
        {STATS_POISSON, 65536, 0, 65536.0, 0.0},        {STATS_POISSON, 65536, 0, 66000.5, 0.0},
        {STATS_POISSON, 1000000, 0, 900000.0, 0.0},     {STATS_POISSON, 1000000, 0, 2000000.0, 0.0},
        {STATS_POISSON, 100000, 0, 10000.0, 0.0},       {STATS_NEGATIVE_BINOMIAL, 65536, 0, 65000.0, 65536.0},
        {STATS_NEGATIVE_BINOMIAL, 200000, 0, 1e6, 1e5}, {STATS_NEGATIVE_BINOMIAL, 10000000, 0, 1e6, 65536.0},
        {STATS_BINOMIAL, 65536, 131072, 0.5, 0.0},      {STATS_BINOMIAL, 100000, 1000000, 0.125, 0.0},
        {STATS_BINOMIAL, 300000, 400000, 0.25, 0.0},    {STATS_BINOMIAL, 70000, 100000000000, 7e-7, 0.0},
    };
    mpfr_t lower, upper, other_lower, other_upper;
    mpfr_inits2(PRECISION, lower, upper, other_lower, other_upper, (mpfr_ptr)0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        stats_datum at = datum_of(&rows[i], rows[i].count);
        assert_true(stats_shapes_are_large(&at));
        stats_large_tails(lower, upper, &at);
        expansion(other_lower, other_upper, &at);
        bool is_below = mpfr_less_p(lower, upper) != 0;
        assert_close(is_below ? lower : upper, is_below ? other_lower : other_upper);
    }
    mpfr_clears(lower, upper, other_lower, other_upper, (mpfr_ptr)0);
}

// Gamma: Q(a + 1, x) - Q(a, x) = x^a e^-x/Gamma(a + 1), with whole and with broken shapes, and the expansions where they are short
// enough.
static void test_gamma(void **state)
{
    (void)state;
    static const struct {
        double shape, x;
        bool is_short;
    } rows[] = {{65537.25, 65500.0, true},       {1e6 + 0.5, 9e5, true},         {1e6 + 0.5, 1.2e6, true},
                {65540.75, 9e5, true},           {0x1p40 + 0.25, 0x1p40, false}, {0x1p40 + 0.5, 0x1.00003p40, false},
                {1e15 + 0.125, 9.9999e14, false}};
    mpfr_t lower[2], upper[2], expected, x;
    mpfr_inits2(PRECISION, lower[0], lower[1], upper[0], upper[1], expected, x, (mpfr_ptr)0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        stats_datum at = {.family = STATS_GAMMA, .dtype = GOLDEN_F64, .y = rows[i].x, .p = {rows[i].shape, 1.0, 0.0}};
        golden_error error = {""};
        assert_true(stats_shapes_are_large(&at));
        stats_large_tails(upper[0], lower[0], &at);
        at.p[0] += 1.0;
        stats_large_tails(upper[1], lower[1], &at);
        stats_log_density(expected, PRECISION, &at);
        mpfr_exp(expected, expected, MPFR_RNDN);
        bool is_below = mpfr_less_p(lower[0], upper[0]) != 0;
        mpfr_sub(x, is_below ? lower[0] : upper[1], is_below ? lower[1] : upper[0], MPFR_RNDN);
        assert_close(x, expected);
        if (rows[i].is_short) {
            mpfr_set_d(expected, rows[i].shape, MPFR_RNDN);
            mpfr_set_d(x, rows[i].x, MPFR_RNDN);
            assert_int_equal(stats_gamma_tails(lower[1], upper[1], expected, x, &error), GOLDEN_OK);
            assert_close(is_below ? lower[0] : upper[0], is_below ? lower[1] : upper[1]);
        }
    }
    mpfr_clears(lower[0], lower[1], upper[0], upper[1], expected, x, (mpfr_ptr)0);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_neighbours), cmocka_unit_test(test_expansions),
                                          cmocka_unit_test(test_gamma)};

UNIT_MAIN(tests)
