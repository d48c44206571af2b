// SPDX-License-Identifier: Apache-2.0
// The comparison accepts what is shown to be right and nothing else: NaN, infinities, zeros, counts, tolerances, aliasing.
#include "unit.h"

#include "compare.h"

#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool same_bits(nc_dtype dtype, const void *actual, const void *expected, size_t count, cupel_comparison *result)
{
    cupel_comparison_request request = {
        .dtype = dtype, .unit = CUPEL_UNIT_BITS, .actual = actual, .expected = expected, .count = count};
    return cupel_compare(&request, result);
}

static bool within_ulp(double actual, double expected, double ulp, cupel_comparison *result)
{
    cupel_comparison_request request = {
        .dtype = NC_F64, .unit = CUPEL_UNIT_ULP, .actual = &actual, .expected = &expected, .count = 1, .ulp = ulp};
    return cupel_compare(&request, result);
}

static bool within_bound(double actual, double expected, double bound, cupel_comparison *result)
{
    cupel_comparison_request request = {
        .dtype = NC_F64, .unit = CUPEL_UNIT_BOUND, .actual = &actual, .expected = &expected, .count = 1, .bounds = &bound};
    return cupel_compare(&request, result);
}

static void equal_values_pass_in_every_unit(void **state)
{
    cupel_comparison result;
    const double a[] = {1.0, -0.0, 0x1p-1074, (double)INFINITY};
    double b[COUNT(a)];
    (void)state;
    memcpy(b, a, sizeof a);
    assert_true(same_bits(NC_F64, a, b, COUNT(a), &result));
    assert_int_equal(result.values, COUNT(a));
    assert_int_equal(result.differing_bits, 0);
    assert_true(result.worst_error == 0.0);
    for (size_t i = 0; i < COUNT(a); ++i) {
        assert_true(within_ulp(a[i], b[i], 0.0, &result));
        assert_true(within_bound(a[i], b[i], 0.0, &result));
    }
}

static void one_bit_in_the_last_element_fails(void **state)
{
    cupel_comparison result;
    uint32_t a[1000] = {0};
    uint32_t b[1000] = {0};
    (void)state;
    b[999] = 1;
    assert_false(same_bits(NC_U32, a, b, 1000, &result));
    assert_int_equal(result.values, 1000);
    assert_int_equal(result.failures, 1);
    assert_int_equal(result.first_failure, 999);
    assert_int_equal(result.worst_index, 999);
    assert_int_equal(result.differing_bits, 1);
}

static void nan_against_a_number_fails(void **state)
{
    cupel_comparison result;
    double quiet = (double)NAN;
    double one = 1.0;
    (void)state;
    assert_false(same_bits(NC_F64, &quiet, &one, 1, &result));
    assert_false(within_ulp(quiet, 1.0, CUPEL_ULP_CAP, &result));
    assert_true(isinf(result.worst_error));
    assert_false(within_bound(quiet, 1.0, 1e300, &result));
    assert_true(isinf(result.worst_error));
}

// The worst error must not be lost behind a NaN that came first, nor a NaN behind a larger number.
static void nan_does_not_hide_in_the_worst_error(void **state)
{
    cupel_comparison result;
    const double actual[] = {2.0, (double)NAN, 3.0};
    const double expected[] = {1.0, 1.0, 1.0};
    const double bounds[] = {0.5, 0.5, 0.5};
    cupel_comparison_request request = {
        .dtype = NC_F64, .unit = CUPEL_UNIT_BOUND, .actual = actual, .expected = expected, .count = 3, .bounds = bounds};
    (void)state;
    assert_false(cupel_compare(&request, &result));
    assert_int_equal(result.failures, 3);
    assert_int_equal(result.worst_index, 1);
    assert_true(isinf(result.worst_error));
}

// Without a bound every error is infinitely many times as large; among equals the larger error counts, then the first.
static void equals_are_told_apart(void **state)
{
    cupel_comparison result;
    const double actual[] = {1.0, 3.0, 4.0, 4.0, 2.0};
    const double expected[] = {1.0, 1.0, 1.0, 1.0, 1.0};
    const double bounds[] = {0.0, 0.0, 0.0, 0.0, 0.0};
    cupel_comparison_request request = {
        .dtype = NC_F64, .unit = CUPEL_UNIT_BOUND, .actual = actual, .expected = expected, .count = 5, .bounds = bounds};
    (void)state;
    assert_false(cupel_compare(&request, &result));
    assert_int_equal(result.worst_index, 2);
    assert_true(result.worst_error == 3.0);
    assert_int_equal(result.first_failure, 1);
}

static void nan_is_expected_only_where_declared(void **state)
{
    cupel_comparison result;
    const uint64_t canonical[] = {0x3ff0000000000000, 0x7ff8000000000000};
    uint64_t actual[2];
    uint8_t nan_at[] = {0, 0};
    (void)state;
    memcpy(actual, canonical, sizeof actual);
    cupel_comparison_request request = {
        .dtype = NC_F64, .unit = CUPEL_UNIT_BITS, .actual = actual, .expected = canonical, .count = 2, .nan_at = nan_at};
    assert_false(cupel_compare(&request, &result));
    assert_non_null(strstr(result.refusal, "does not declare"));
    assert_int_equal(result.values, 0);
    nan_at[1] = 1;
    assert_true(cupel_compare(&request, &result));
    actual[1] |= 1; // another payload is another value
    assert_false(cupel_compare(&request, &result));
    request.unit = CUPEL_UNIT_ULP; // a tolerance never covers a NaN
    memcpy(actual, canonical, sizeof actual);
    assert_false(cupel_compare(&request, &result));
}

static void infinity_matches_itself_alone(void **state)
{
    cupel_comparison result;
    const double infinity = (double)INFINITY;
    (void)state;
    assert_false(within_ulp(infinity, -infinity, CUPEL_ULP_CAP, &result));
    assert_false(within_ulp(infinity, 0x1.fffffffffffffp1023, 1.0, &result));
    assert_false(within_ulp(0x1.fffffffffffffp1023, infinity, 1.0, &result));
    assert_false(within_bound(infinity, 1.0, 1e300, &result));
    assert_false(within_bound(0x1p1023, -0x1p1023, 1e300, &result));
}

static void zeros_must_agree_in_sign(void **state)
{
    cupel_comparison result;
    double plus = 0.0;
    double minus = -0.0;
    (void)state;
    assert_false(same_bits(NC_F64, &plus, &minus, 1, &result));
    assert_false(within_ulp(minus, plus, 4.0, &result));
    assert_false(within_bound(minus, plus, 1.0, &result));
}

static void ulp_counts_numbers_in_between(void **state)
{
    cupel_comparison result;
    (void)state;
    assert_true(within_ulp(0x1.0000000000002p0, 1.0, 2.0, &result));
    assert_true(result.worst_error == 2.0);
    assert_false(within_ulp(0x1.0000000000002p0, 1.0, 1.5, &result));
    assert_true(within_ulp(-0x1p-1074, 0x1p-1074, 2.0, &result));
    assert_false(within_ulp(-0x1p-1074, 0x1p-1074, 1.0, &result));
    assert_false(within_ulp(-1.0, 1.0, CUPEL_ULP_CAP, &result));
}

static void meaningless_tolerances_are_refused(void **state)
{
    const double bad[] = {-1.0, (double)INFINITY, (double)NAN, 2 * CUPEL_ULP_CAP};
    cupel_comparison result;
    (void)state;
    for (size_t i = 0; i < COUNT(bad); ++i) {
        assert_false(within_ulp(1.0, 1.0, bad[i], &result));
        assert_true(result.refusal[0] != '\0');
        if (bad[i] != 2 * CUPEL_ULP_CAP) {
            assert_false(within_bound(1.0, 1.0, bad[i], &result));
            assert_true(result.refusal[0] != '\0');
        }
    }
    cupel_comparison_request request = {.dtype = NC_F64, .unit = CUPEL_UNIT_BOUND, .actual = bad, .expected = &result, .count = 1};
    assert_false(cupel_compare(&request, &result));
    int32_t a = 1;
    int32_t b = 2;
    request =
        (cupel_comparison_request){.dtype = NC_I32, .unit = CUPEL_UNIT_ULP, .actual = &a, .expected = &b, .count = 1, .ulp = 1.0};
    assert_false(cupel_compare(&request, &result));
}

static void nothing_to_compare_is_refused(void **state)
{
    cupel_comparison result;
    double a = 1.0;
    double b = 1.0;
    (void)state;
    assert_false(same_bits(NC_F64, &a, &b, 0, &result));
    assert_non_null(strstr(result.refusal, "zero elements"));
    assert_false(same_bits(NC_F64, NULL, &b, 1, &result));
    assert_false(same_bits(NC_F64, &a, NULL, 1, &result));
    assert_false(same_bits((nc_dtype)99, &a, &b, 1, &result));
    assert_int_equal(result.values, 0);
}

static void values_are_not_compared_with_themselves(void **state)
{
    cupel_comparison result;
    double a[4] = {1.0, 2.0, 3.0, 4.0};
    (void)state;
    assert_false(same_bits(NC_F64, a, a, 4, &result));
    assert_non_null(strstr(result.refusal, "overlap"));
    assert_false(same_bits(NC_F64, a, a + 1, 2, &result));
    assert_non_null(strstr(result.refusal, "overlap"));
    assert_false(same_bits(NC_F64, a, a + 2, 2, &result));
    assert_string_equal(result.refusal, ""); // neighbours do not overlap; the values differ
    assert_int_equal(result.failures, 2);
}

static void the_worst_is_the_largest_part_of_its_bound(void **state)
{
    cupel_comparison result;
    const double actual[] = {10.5, 1.01};
    const double expected[] = {10.0, 1.0};
    const double bounds[] = {1.0, 0.0125};
    cupel_comparison_request request = {
        .dtype = NC_F64, .unit = CUPEL_UNIT_BOUND, .actual = actual, .expected = expected, .count = 2, .bounds = bounds};
    (void)state;
    assert_true(cupel_compare(&request, &result));
    assert_int_equal(result.worst_index, 1);
    assert_true(result.worst_bound == 0.0125);
}

static void elements_are_told_exactly(void **state)
{
    char text[80];
    const uint32_t nan_bits[] = {0x7fc00001};
    const float minus_zero = -0.0f;
    const int64_t low = INT64_MIN;
    (void)state;
    cupel_element_text(NC_F32, nan_bits, 0, text, sizeof text);
    assert_string_equal(text, "nan(7fc00001)");
    cupel_element_text(NC_F32, &minus_zero, 0, text, sizeof text);
    assert_string_equal(text, "-0x0p+0 (-0)");
    cupel_element_text(NC_I64, &low, 0, text, sizeof text);
    assert_string_equal(text, "-9223372036854775808");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(equal_values_pass_in_every_unit),
    cmocka_unit_test(one_bit_in_the_last_element_fails),
    cmocka_unit_test(nan_against_a_number_fails),
    cmocka_unit_test(nan_does_not_hide_in_the_worst_error),
    cmocka_unit_test(equals_are_told_apart),
    cmocka_unit_test(nan_is_expected_only_where_declared),
    cmocka_unit_test(infinity_matches_itself_alone),
    cmocka_unit_test(zeros_must_agree_in_sign),
    cmocka_unit_test(ulp_counts_numbers_in_between),
    cmocka_unit_test(meaningless_tolerances_are_refused),
    cmocka_unit_test(nothing_to_compare_is_refused),
    cmocka_unit_test(values_are_not_compared_with_themselves),
    cmocka_unit_test(the_worst_is_the_largest_part_of_its_bound),
    cmocka_unit_test(elements_are_told_exactly),
};

UNIT_MAIN(tests)
