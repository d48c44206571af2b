// SPDX-License-Identifier: Apache-2.0
// The table of bounds: every number is recomputed from its derivation, in the committed table too.
#include "unit.h"

#include "lib/bounds.h"
#include "lib/formula.h"
#include "lib/text.h"

#include <stdlib.h>
#include <string.h>

#define HEADER "#cupel-bounds 1\noperation\tdtype\toutput\trule\tnumber\tderivation\tmeaning\n"

static void refused(const char *text, const char *reason)
{
    golden_bounds bounds;
    golden_error error = {""};
    golden_status status = golden_bounds_parse("bounds.tsv", text, strlen(text), &bounds, &error);
    if (status != GOLDEN_REFUSED || strstr(error.text, reason) == NULL) {
        print_message("expected a refusal with \"%s\", got status %d: %s\n", reason, (int)status, error.text);
    }
    assert_int_equal(status, GOLDEN_REFUSED);
    assert_non_null(strstr(error.text, reason));
}

static void test_formulas(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } rows[] = {
        {"0", 0.0},
        {"1/2", 0.5},
        {"1 + 2*3 - 4/2", 5.0},
        {"(1+2)*3", 9.0},
        {"2^10", 1024.0},
        {"2^-53", 0x1p-53},
        {"-2^2", 4.0},
        {"0x1.8p+1 * 2", 6.0},
        {"n*h; n=3; h=1/2", 1.5},
        {"a; a=b+1; b=2", 3.0},
        {"8*u*7; u=2^-53", 0x1.cp-48},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        double value = -1.0;
        assert_true(golden_formula_evaluate(rows[i].text, &value));
        assert_true(golden_bits_of_double(value) == golden_bits_of_double(rows[i].value));
    }
    static const char *const bad[] = {"",    "1+", "(1",  "1)",   "n",         "n; m=1", "a; a=a", "a; b=1; a=b", "1.5",
                                      "1 2", "2^", "2^x", "2**3", "0x1.8p+1x", "1;;",    "a; a=",  "2^3000"};
    for (size_t i = 0; i < 17; ++i) {
        double value;
        bool accepted = golden_formula_evaluate(bad[i], &value);
        bool harmless = strcmp(bad[i], "1;;") == 0; // definitions that nothing uses are not read
        if (accepted && !harmless) {
            print_message("accepted: %s\n", bad[i]);
        }
        assert_true(!accepted || harmless);
    }
}

static void test_refused_tables(void **state)
{
    (void)state;
    refused("", "empty");
    refused("#cupel-bounds 2\n", "first lines");
    refused(HEADER, "no #end");
    refused(HEADER "linalg.sum\tf64\t*\tscaled\t0x1p-1\t1/2\tx\n", "no #end");
    refused(HEADER "linalg.sum\tf64\t*\tscaled\t0x1p+0\t1/2\tx\n#end\n", "not what its derivation");
    refused(HEADER "linalg.sum\tf64\t*\tscaled\t0x1p-1\thalf\tx\n#end\n", "names defined");
    refused(HEADER "linalg.sum\tf64\t*\tscaled\t0.5\t1/2\tx\n#end\n", "canonical");
    refused(HEADER "linalg.sum\tf64\t*\tloose\t0x1p-1\t1/2\tx\n#end\n", "unknown");
    refused(HEADER "linalg.sum\tf64\t**\tscaled\t0x1p-1\t1/2\tx\n#end\n", "unknown");
    refused(HEADER "linalg.sums\tf64\t*\tscaled\t0x1p-1\t1/2\tx\n#end\n", "registered");
    refused(HEADER "linalg.sum\tu32\t*\tscaled\t0x1p-1\t1/2\tx\n#end\n", "registered");
    refused(HEADER "linalg.sum\tf64\t*\texact\t0x1p-1\t1/2\tx\n#end\n", "exact");
    refused(HEADER "linalg.sum\tf64\t*\tulp\t0x0p+0\t0\tx\n#end\n", "exact");
    refused(HEADER "linalg.sum\tf64\t*\tulp\t-0x1p-1\t-1/2\tx\n#end\n", "derivation");
    refused(HEADER "linalg.sum\tf64\t*\tscaled\t0x1p-1\t1/2\n#end\n", "6 fields");
    refused(HEADER "linalg.sum\tf64\t*\tulp\t0x1p-1\t1/2\tx\nlinalg.sum\tf64\t*\tulp\t0x1p-1\t1/2\tx\n#end\n", "sorted");
    refused(HEADER "linalg.sum\tf64\t*\tulp\t0x1p-1\t1/2\tx\nlinalg.sum\tf32\t*\tulp\t0x1p-1\t1/2\tx\n#end\n", "sorted");
}

static void test_most_specific(void **state)
{
    (void)state;
    golden_bounds bounds;
    golden_error error = {""};
    static const char text[] = HEADER "linalg.sum\tf64\t*\tulp\t0x1p+0\t1\tany\n"
                                      "linalg.sum\tf64\td_*\tulp\t0x1p+1\t2\tgradients\n"
                                      "linalg.sum\tf64\td_mu\tulp\t0x1p+2\t4\tone\n#end\n";
    assert_int_equal(golden_bounds_parse("bounds.tsv", text, sizeof text - 1, &bounds, &error), GOLDEN_OK);
    assert_string_equal(golden_bounds_find(&bounds, "linalg.sum", GOLDEN_F64, "")->meaning, "any");
    assert_string_equal(golden_bounds_find(&bounds, "linalg.sum", GOLDEN_F64, "d_x")->meaning, "gradients");
    assert_string_equal(golden_bounds_find(&bounds, "linalg.sum", GOLDEN_F64, "d_mu")->meaning, "one");
    assert_null(golden_bounds_find(&bounds, "linalg.sum", GOLDEN_F32, ""));
    assert_null(golden_bounds_find(&bounds, "linalg.dot", GOLDEN_F64, ""));
    golden_bounds_free(&bounds);
}

// The committed table: reading it recomputes every number; every operation and dtype has a row.
static void test_committed_table(void **state)
{
    (void)state;
    golden_bounds bounds;
    golden_error error = {""};
    golden_status status = golden_bounds_read(CUPEL_GOLDEN_DIR "/bounds.tsv", &bounds, &error);
    if (status != GOLDEN_OK) {
        print_message("%s\n", error.text);
    }
    assert_int_equal(status, GOLDEN_OK);
    for (size_t i = 0; i < bounds.count; ++i) {
        double derived = -1.0;
        assert_true(golden_formula_evaluate(bounds.rows[i].derivation, &derived));
        assert_true(golden_bits_of_double(derived) == golden_bits_of_double(bounds.rows[i].number));
        assert_true(strlen(bounds.rows[i].meaning) > 8);
    }
    for (size_t i = 0; i < golden_operation_count(); ++i) {
        const golden_operation *operation = golden_operation_at(i);
        for (golden_dtype dtype = GOLDEN_F32; dtype <= GOLDEN_I32; ++dtype) {
            bool found = false;
            for (size_t k = 0; k < bounds.count; ++k) {
                found = found || (bounds.rows[k].dtype == dtype && strcmp(bounds.rows[k].operation, operation->title) == 0);
            }
            assert_true(found == ((operation->dtypes >> dtype & 1u) != 0));
        }
    }
    golden_bounds_free(&bounds);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_formulas),
    cmocka_unit_test(test_refused_tables),
    cmocka_unit_test(test_most_specific),
    cmocka_unit_test(test_committed_table),
};

UNIT_MAIN(tests)
