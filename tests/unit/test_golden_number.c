// SPDX-License-Identifier: Apache-2.0
// Numbers as text: every value has one spelling, and it comes back bit for bit in any locale.
#include "unit.h"

#include "lib/number.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

// Prints, reads back and prints again; counts what does not hold.
static size_t round_trip(golden_dtype dtype, uint64_t bits)
{
    golden_value value = {dtype, bits}, back;
    char text[GOLDEN_TOKEN_BYTES], again[GOLDEN_TOKEN_BYTES];
    golden_format(value, text);
    if (!golden_parse(text, dtype, &back)) {
        return 1;
    }
    golden_format(back, again);
    uint64_t canonical = dtype == GOLDEN_F32 ? 0x7fc00000u : 0x7ff8000000000000u;
    return back.bits != (golden_is_nan(value) ? canonical : bits) || strcmp(text, again) != 0;
}

static void test_every_f32_exponent(void **state)
{
    (void)state;
    size_t broken = 0, tried = 0;
    golden_random random = {1};
    for (uint64_t high = 0; high < 512; ++high) { // every sign and exponent
        static const uint64_t fractions[] = {0, 1, 2, 0x400000, 0x7fffff, 0x7ffffe, 0x555555};
        for (size_t f = 0; f < sizeof fractions / sizeof fractions[0]; ++f) {
            broken += round_trip(GOLDEN_F32, high << 23 | fractions[f]);
            ++tried;
        }
        for (int i = 0; i < 2000; ++i) {
            broken += round_trip(GOLDEN_F32, high << 23 | (golden_random_next(&random) & 0x7fffffu));
            ++tried;
        }
    }
    assert_int_equal(tried, 512 * 2007);
    assert_int_equal(broken, 0);
}

static void test_f64_specials(void **state)
{
    (void)state;
    static const uint64_t specials[] = {0x0000000000000000u, 0x8000000000000000u, 0x7ff0000000000000u, 0xfff0000000000000u,
                                        0x7ff8000000000000u, 0x0000000000000001u, 0x8000000000000001u, 0x000fffffffffffffu,
                                        0x0010000000000000u, 0x7fefffffffffffffu, 0xffefffffffffffffu, 0x00000000000007e8u,
                                        0x8012688b70e62b00u, 0x3ff0000000000000u, 0x3fb999999999999au, 0x0008000000000000u};
    size_t broken = 0;
    for (size_t i = 0; i < sizeof specials / sizeof specials[0]; ++i) {
        broken += round_trip(GOLDEN_F64, specials[i]);
    }
    golden_random random = {2};
    for (int i = 0; i < 100000; ++i) {
        uint64_t bits = golden_random_next(&random);
        broken += round_trip(GOLDEN_F64, i % 4 == 0 ? bits & 0x800fffffffffffffu : bits);
    }
    assert_int_equal(broken, 0);
}

// The spelling itself, written down by hand.
static void test_spelling(void **state)
{
    (void)state;
    static const struct {
        golden_dtype dtype;
        uint64_t bits;
        const char *text, *decimal;
    } rows[] = {
        {GOLDEN_F64, 0x3ff0000000000000u, "0x1p+0", "1e+00"},
        {GOLDEN_F64, 0x3fb999999999999au, "0x1.999999999999ap-4", "1.0000000000000001e-01"},
        {GOLDEN_F64, 0x8000000000000000u, "-0x0p+0", "-0"},
        {GOLDEN_F64, 0x0000000000000001u, "0x1p-1074", "4.9406564584124654e-324"},
        {GOLDEN_F64, 0x000fffffffffffffu, "0x1.ffffffffffffep-1023", "2.2250738585072009e-308"},
        {GOLDEN_F64, 0x7fefffffffffffffu, "0x1.fffffffffffffp+1023", "1.7976931348623157e+308"},
        {GOLDEN_F64, 0xfff0000000000000u, "-inf", "-inf"},
        {GOLDEN_F64, 0x7ff8000000000000u, "nan", "nan"},
        {GOLDEN_F32, 0x3dcccccdu, "0x1.99999ap-4", "1.00000001e-01"},
        {GOLDEN_F32, 0x00000001u, "0x1p-149", "1.40129846e-45"},
        {GOLDEN_F32, 0x7f7fffffu, "0x1.fffffep+127", "3.40282347e+38"},
        {GOLDEN_I64, 0x8000000000000000u, "-9223372036854775808", "-9223372036854775808"},
        {GOLDEN_U32, 4294967295u, "4294967295", "4294967295"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        char text[GOLDEN_TOKEN_BYTES];
        golden_value back;
        golden_format((golden_value){rows[i].dtype, rows[i].bits}, text);
        assert_string_equal(text, rows[i].text);
        golden_format_decimal((golden_value){rows[i].dtype, rows[i].bits}, text);
        assert_string_equal(text, rows[i].decimal);
        assert_true(golden_parse(rows[i].text, rows[i].dtype, &back));
        assert_true(back.bits == rows[i].bits);
    }
}

static void test_refused_spellings(void **state)
{
    (void)state;
    static const char *const reals[] = {
        "",          "1",         "1.0",       "0x1",         "0x1p0",
        "0x1p+00",   "0x1.0p+0",  "0x1.80p+0", "0X1p+0",      "0x1P+0",
        "0x2p+0",    "0x1.8p+0 ", " 0x1p+0",   "+0x1p+0",     "0x1.Ap+0",
        "0x1,8p+0",  "0x0p-0",    "0x0p+1",    "0x0.8p+1",    "-nan",
        "NaN",       "NAN",       "nan(1)",    "Infinity",    "infinity",
        "INF",       "+inf",      "1e+9999",   "null",        "1.#QNAN",
        "-nan(ind)", "0x1p+1024", "0x1p-1075", "0x1.8p-1074", "0x1.00000000000008p+0",
        "--0x1p+0",  "0x1.p+0",   "0x1p-0",    "0x1p",        "0x0.0000000000001p-1022",
    };
    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; ++i) {
        golden_value value;
        assert_false(golden_parse(reals[i], GOLDEN_F64, &value));
    }
    static const char *const integers[] = {"", "-", "-0", "00", "01", "+1", "1.0", "0x10", "1 ", "9223372036854775808", "1,000"};
    for (size_t i = 0; i < sizeof integers / sizeof integers[0]; ++i) {
        int64_t value;
        assert_false(golden_parse_i64(integers[i], &value));
    }
    golden_value value;
    assert_false(golden_parse("0x1.000001p+0", GOLDEN_F32, &value)); // 25 bits
    assert_true(golden_parse("0x1.000002p+0", GOLDEN_F32, &value));
    assert_false(golden_parse("4294967296", GOLDEN_U32, &value));
    assert_false(golden_parse("256", GOLDEN_U8, &value));
    assert_false(golden_parse("-2147483649", GOLDEN_I32, &value));
}

// What every reader and writer makes of a value must not depend on the locale. The process sets one as a library might do behind
// its back. LOCPATH (set by the build) holds a locale with a decimal comma where the system has none.
static void test_locales(void **state)
{
    (void)state;
    static const char *const names[] = {"C", "de_DE.UTF-8", "tr_TR.UTF-8"};
    size_t with_comma = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        char text[GOLDEN_TOKEN_BYTES];
        golden_value value;
        if (setlocale(LC_ALL, names[i]) == NULL) {
            continue;
        }
        with_comma += localeconv()->decimal_point[0] == ',';
        golden_format_decimal((golden_value){GOLDEN_F64, 0x404b100000000000u}, text);
        assert_string_equal(text, "5.4125e+01");
        golden_format((golden_value){GOLDEN_F64, 0x404b100000000000u}, text);
        assert_string_equal(text, "0x1.b1p+5");
        assert_true(golden_parse("0x1.b1p+5", GOLDEN_F64, &value));
        assert_true(value.bits == 0x404b100000000000u);
        assert_false(golden_parse("0x1,b1p+5", GOLDEN_F64, &value));
    }
    setlocale(LC_ALL, "C");
    if (getenv("LOCPATH") != NULL) {
        assert_int_equal(with_comma, 2);
    }
}

static void test_distance(void **state)
{
    (void)state;
    golden_value one = {GOLDEN_F64, 0x3ff0000000000000u}, next = {GOLDEN_F64, 0x3ff0000000000001u};
    golden_value zero = {GOLDEN_F64, 0}, minus = {GOLDEN_F64, 0x8000000000000000u}, least = {GOLDEN_F64, 1};
    golden_value nan = {GOLDEN_F64, 0x7ff8000000000000u}, negative = {GOLDEN_F64, 0x8000000000000001u};
    assert_true(golden_ulp_distance(one, next) == 1);
    assert_true(golden_ulp_distance(zero, minus) == 1);
    assert_true(golden_ulp_distance(negative, least) == 3);
    assert_true(golden_ulp_distance(nan, one) == UINT64_MAX);
    assert_true(golden_ulp_distance(nan, nan) == 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_f32_exponent), cmocka_unit_test(test_f64_specials), cmocka_unit_test(test_spelling),
    cmocka_unit_test(test_refused_spellings),  cmocka_unit_test(test_locales),      cmocka_unit_test(test_distance),
};

UNIT_MAIN(tests)
