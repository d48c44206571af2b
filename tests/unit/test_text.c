// SPDX-License-Identifier: Apache-2.0
// Text from files: cleaning, character sets and strict numbers.
#include "unit.h"

#include "text.h"

#include <math.h>
#include <string.h>

static void clean_text(void **state)
{
    (void)state;
    static const struct {
        const char *before, *after;
    } rows[] = {
        {"plain", "plain"},
        {"a\tb\r\nc", "a b  c"},
        {"\x1b[31mred\x7f", "?[31mred?"},
        {"M\xc3\xbcnster", "M\xc3\xbcnster"},
        {"M\xfcnster", "M?nster"},
        {"\xc2\x9b", "??"},           // a C1 control
        {"\xed\xa0\x80", "???"},      // a surrogate
        {"\xc0\xaf", "??"},           // an overlong slash
        {"\xf4\x90\x80\x80", "????"}, // beyond U+10FFFF
        {"cut \xe2\x82", "cut ??"},   // ends inside a character
        {"\xf0\x9f\x98\x80!", "\xf0\x9f\x98\x80!"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        char text[64];
        strcpy(text, rows[i].before);
        cupel_text_clean(text);
        assert_string_equal(text, rows[i].after);
    }
}

static void whole_numbers(void **state)
{
    (void)state;
    uint64_t value = 7;
    assert_true(cupel_text_u64("0", &value) && value == 0);
    assert_true(cupel_text_u64("18446744073709551615", &value) && value == UINT64_MAX);
    static const char *const bad[] = {"", "-1", "+1", " 1", "1 ", "01", "00", "1.0", "0x1", "1e3", "18446744073709551616", "1,000"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        assert_false(cupel_text_u64(bad[i], &value));
    }
}

static void hexadecimal_floats(void **state)
{
    (void)state;
    static const double values[] = {0.0, -0.0, 1.0, -1.5, 0x1.fffffffffffffp+1023, 0x1p-1022, 0x0.0000000000001p-1022, 0.1};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i) {
        char text[64];
        double value = (double)NAN;
        snprintf(text, sizeof text, "%a", values[i]);
        assert_true(cupel_text_hexfloat(text, &value));
        assert_memory_equal(&value, &values[i], sizeof value);
    }
    double value = 0.0;
    assert_true(cupel_text_hexfloat("inf", &value) && isinf(value) && value > 0.0);
    assert_true(cupel_text_hexfloat("-inf", &value) && isinf(value) && value < 0.0);
    assert_true(cupel_text_hexfloat("nan", &value) && isnan(value));
    static const char *const bad[] = {"",          "0",         "1.5",       "0x1",      "0x1.p+0",
                                      "0x1.0p+0",  "0x1p0",     "0x1p+1024", "0x2p+0",   "0x1.Fp+0",
                                      "0x1.8p+00", " 0x1p+0",   "0x1p+0 ",   "infinity", "NaN",
                                      "1e+9999",   "+0x1p+0",   "0X1p+0",    "0x1,8p+0", "0x1.00000000000008p+0",
                                      "0x1p+-1",   "0x1p+99999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        assert_false(cupel_text_hexfloat(bad[i], &value));
    }
}

static void case_ids(void **state)
{
    (void)state;
    char longest[102];
    memset(longest, 'a', sizeof longest);
    longest[3] = '.';
    longest[100] = '\0';
    assert_true(cupel_text_is_case_id(longest));
    longest[100] = 'a';
    longest[101] = '\0';
    assert_false(cupel_text_is_case_id(longest));
    assert_true(cupel_text_is_case_id("linalg.dot.f64-2_1"));
    static const char *const bad[] = {"", "rng", "rng.", ".rng", "rng..x", "Rng.x", "rng.x y", "rng/x", "rng.\xc3\xbc", "rng.<x>"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        assert_false(cupel_text_is_case_id(bad[i]));
    }
    assert_true(cupel_text_is_hex("00ff", 4));
    assert_false(cupel_text_is_hex("00fF", 4) || cupel_text_is_hex("00ff", 3) || cupel_text_is_hex("00ff", 5));
}

static void utc_times(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t seconds;
    } rows[] = {
        {"1970-01-01T00:00:00Z", 0},          {"1970-03-01T00:00:01Z", 5097601},    {"1972-03-01T00:00:00Z", 68256000},
        {"2000-02-29T12:00:00Z", 951825600},  {"2026-11-29T21:10:00Z", 1795986600}, {"2038-01-19T03:14:08Z", 2147483648},
        {"2100-03-01T00:00:00Z", 4107542400},
    };
    int64_t seconds = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        assert_true(cupel_text_utc(rows[i].text, &seconds));
        assert_true(seconds == rows[i].seconds);
    }
    static const char *const bad[] = {"",
                                      "2026-11-29",
                                      "2026-11-29T21:10:00",
                                      "2026-13-01T00:00:00Z",
                                      "2026-00-01T00:00:00Z",
                                      "2026-11-32T00:00:00Z",
                                      "2026-11-29T24:00:00Z",
                                      "2026-11-29 21:10:00Z",
                                      "1969-12-31T23:59:59Z",
                                      "2026-11-29T21:10:00+0",
                                      "2026-1a-29T21:10:00Z"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        assert_false(cupel_text_utc(bad[i], &seconds));
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(clean_text), cmocka_unit_test(whole_numbers), cmocka_unit_test(hexadecimal_floats),
    cmocka_unit_test(case_ids),   cmocka_unit_test(utc_times),
};

UNIT_MAIN(tests)
