// SPDX-License-Identifier: Apache-2.0
// Files of inputs, their arguments, recipes, outputs and ids.
#include "unit.h"

#include "lib/recipe.h"
#include "lib/stream.h"
#include "lib/text.h"

#include <stdlib.h>
#include <string.h>

#define HEADER "#cupel-inputs 1 module=linalg dtype=f64 rows=1\n"

static golden_status parse(const char *text, golden_inputs *inputs, golden_error *error)
{
    return golden_inputs_parse("demo.inputs", text, strlen(text), inputs, error);
}

static void refused(const char *text, const char *reason)
{
    golden_inputs inputs;
    golden_error error = {""};
    golden_status status = parse(text, &inputs, &error);
    if (status != GOLDEN_REFUSED || strstr(error.text, reason) == NULL) {
        print_message("expected a refusal with \"%s\", got status %d: %s\n", reason, (int)status, error.text);
    }
    assert_int_equal(status, GOLDEN_REFUSED);
    assert_non_null(strstr(error.text, reason));
    assert_int_equal(inputs.count, 0);
}

static void test_inputs(void **state)
{
    (void)state;
    golden_inputs inputs;
    golden_error error = {""};
    assert_int_equal(parse("#cupel-inputs 1 module=linalg dtype=f64 rows=2\n# why these\na linalg.sum x=[]\n"
                           "b linalg.block_maximum x=[0x1p+0,-inf] block=2\n#end\n",
                           &inputs, &error),
                     GOLDEN_OK);
    assert_int_equal(inputs.count, 2);
    int64_t block = 0;
    assert_int_equal(golden_row_integer(&inputs.rows[1], "block", &block, &error), GOLDEN_OK);
    assert_int_equal(block, 2);
    char *text = golden_row_text(&inputs.rows[1]);
    assert_string_equal(text, "b linalg.block_maximum x=[0x1p+0,-inf] block=2");
    free(text);
    golden_inputs_free(&inputs);
}

static void test_refused_inputs(void **state)
{
    (void)state;
    refused("", "empty");
    refused(HEADER "a linalg.sum x=[]\n", "no #end");
    refused(HEADER "a linalg.sum x=[]\n#end", "truncated");
    refused(HEADER "a linalg.sum x=[]\r\n#end\n", "CRLF");
    refused(HEADER "a linalg.sum x=[]\na linalg.sum x=[]\n#end\n", "rows=1 and has 2");
    refused("#cupel-inputs 1 module=linalg dtype=f64 rows=2\na linalg.sum x=[]\na linalg.sum x=[]\n#end\n", "duplicate id a");
    refused(HEADER "A linalg.sum x=[]\n#end\n", "id \"A\"");
    refused(HEADER "a linalg.product x=[]\n#end\n", "unknown operation");
    refused(HEADER "a rng.uniform seed=0\n#end\n", "does not belong");
    refused(HEADER "a linalg.sum  x=[]\n#end\n", "key=value");
    refused(HEADER "a linalg.sum x=[] \n#end\n", "key=value");
    refused(HEADER "a linalg.sum x=\n#end\n", "key=value");
    refused(HEADER "a linalg.sum x=[] x=[]\n#end\n", "stands twice");
    refused(HEADER "\na linalg.sum x=[]\n#end\n", "empty line");
    refused(HEADER "a linalg.sum x=[]\n#end\n#end\n", "follows #end");
    refused("#cupel-inputs 1 module=linalg dtype=f64 rows=1 date=today\na linalg.sum x=[]\n#end\n", "header");
}

// One row with one argument x, read as an array; returns the status.
static golden_status array_of(const char *value, golden_dtype dtype, golden_array *array, golden_error *error)
{
    char id[] = "a", operation[] = "linalg.sum", key[] = "x", *copy = golden_copy(value);
    golden_argument argument = {key, copy};
    golden_row row = {.id = id, .operation = operation, .dtype = dtype, .count = 1, .arguments = &argument};
    golden_status status = golden_row_array(&row, "x", dtype, array, error);
    free(copy);
    return status;
}

static void test_lists(void **state)
{
    (void)state;
    golden_array array;
    golden_error error = {""};
    assert_int_equal(array_of("[-0x0p+0,nan:0xfff8000000000001,nan,-inf]", GOLDEN_F64, &array, &error), GOLDEN_OK);
    assert_int_equal(array.count, 4);
    assert_true(golden_array_at(&array, 0).bits == 0x8000000000000000u);
    assert_true(golden_array_at(&array, 1).bits == 0xfff8000000000001u);
    assert_true(golden_array_at(&array, 2).bits == 0x7ff8000000000000u);
    assert_true(golden_array_at(&array, 3).bits == 0xfff0000000000000u);
    golden_array_free(&array);
    assert_int_equal(array_of("[]", GOLDEN_I64, &array, &error), GOLDEN_OK);
    assert_int_equal(array.count, 0);
    golden_array_free(&array);
    assert_int_equal(array_of("[-5,9223372036854775807]", GOLDEN_I64, &array, &error), GOLDEN_OK);
    assert_true((int64_t)golden_array_at(&array, 0).bits == -5);
    golden_array_free(&array);
    static const char *const bad[] = {"[",
                                      "[0x1p+0",
                                      "[0x1p+0,]",
                                      "[,0x1p+0]",
                                      "[1.0]",
                                      "[0x1p+0];",
                                      "0x1p+0",
                                      "[0x1p+0]x]",
                                      "[[]]",
                                      "[nan:0x0]",
                                      "[nan:1.5]",
                                      "ramp(3,1)",
                                      "ramp(3,1,1",
                                      "ramp(3,1,1)x",
                                      "ramp(-1,1,1)",
                                      "spread(3,1,5,4)",
                                      "spread(3,1,0,1024)",
                                      "spread(3,1,-1075,0)",
                                      "same(3,1.5)",
                                      "special(3,1,0,0,q)",
                                      "special(3,1,0,0,)",
                                      "unknown(1)",
                                      "ramp(200000000,0,0)"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        golden_status status = array_of(bad[i], GOLDEN_F64, &array, &error);
        if (status != GOLDEN_REFUSED && strstr(bad[i], ",q)") == NULL) {
            print_message("accepted: %s\n", bad[i]);
        }
        if (strstr(bad[i], ",q)") == NULL) { // three elements may never plant the unknown letter
            assert_int_equal(status, GOLDEN_REFUSED);
        }
        golden_array_free(&array);
    }
}

// Recipes are the inputs of committed answers: their bytes never change. One hash pins each, for each dtype.
static void test_recipes_pinned(void **state)
{
    (void)state;
    static const struct {
        const char *recipe;
        golden_dtype dtype;
        const char *hash;
    } pins[] = {
#include "golden_recipe_pins.inc"
    };
    for (size_t i = 0; i < sizeof pins / sizeof pins[0]; ++i) {
        golden_array array;
        golden_error error = {""};
        char hash[65];
        assert_int_equal(array_of(pins[i].recipe, pins[i].dtype, &array, &error), GOLDEN_OK);
        assert_int_equal(golden_sha256(array.bytes, array.count * golden_dtype_size(array.dtype), hash, &error), GOLDEN_OK);
        if (strcmp(hash, pins[i].hash) != 0) {
            print_message("%s as %s: %s\n", pins[i].recipe, golden_dtype_name(pins[i].dtype), hash);
        }
        assert_string_equal(hash, pins[i].hash);
        golden_array_free(&array);
    }
    assert_true(sizeof pins / sizeof pins[0] >= 14);
}

// The first outputs of SplitMix64 from seed 1234567, as its authors' reference code gives them.
static void test_generator(void **state)
{
    (void)state;
    golden_random random = {1234567};
    assert_true(golden_random_next(&random) == 6457827717110365317u);
    assert_true(golden_random_next(&random) == 3203168211198807973u);
    assert_true(golden_random_next(&random) == 9817491932198370423u);
    golden_random other = {7};
    for (int i = 0; i < 1000; ++i) {
        int64_t draw = golden_random_between(&other, -3, 4);
        assert_true(draw >= -3 && draw <= 4);
    }
    assert_true(golden_random_between(&other, INT64_MAX, INT64_MAX) == INT64_MAX);
}

static void test_output_ids(void **state)
{
    (void)state;
    golden_answer answer = {0};
    golden_error error = {""};
    char id[] = "row", operation[] = "linalg.sum";
    golden_row row = {.id = id, .operation = operation, .dtype = GOLDEN_F64};
    assert_int_equal(golden_answer_add(&answer, NULL, (golden_value){GOLDEN_F64, 0}, &error), GOLDEN_OK);
    char *name = golden_output_id(&row, &answer, 0);
    assert_string_equal(name, "row");
    free(name);
    for (int i = 0; i < 10; ++i) {
        assert_int_equal(golden_answer_add(&answer, i == 4 ? "status" : "", (golden_value){GOLDEN_F64, 0}, &error), GOLDEN_OK);
    }
    static const struct {
        size_t output;
        const char *id;
    } wanted[] = {{0, "row/00"}, {5, "row/status"}, {10, "row/10"}};
    for (size_t i = 0; i < 3; ++i) {
        name = golden_output_id(&row, &answer, wanted[i].output);
        assert_string_equal(name, wanted[i].id);
        free(name);
    }
    assert_int_equal(golden_answer_add(&answer, "Bad", (golden_value){GOLDEN_F64, 0}, &error), GOLDEN_REFUSED);
    golden_answer_free(&answer);
}

static void test_expected_nan(void **state)
{
    (void)state;
    char id[] = "row", operation[] = "linalg.sum", key[] = "expect_nan", list[] = "[0,12,value]", all[] = "all";
    golden_argument argument = {key, list};
    golden_row row = {.id = id, .operation = operation, .count = 1, .arguments = &argument};
    assert_true(golden_row_expects_nan(&row, "0"));
    assert_true(golden_row_expects_nan(&row, "12"));
    assert_true(golden_row_expects_nan(&row, "value"));
    assert_false(golden_row_expects_nan(&row, "1"));
    assert_false(golden_row_expects_nan(&row, "2"));
    assert_false(golden_row_expects_nan(&row, "valu"));
    argument.value = all;
    assert_true(golden_row_expects_nan(&row, "1"));
    row.count = 0;
    assert_false(golden_row_expects_nan(&row, "0"));
}

static void test_answers_travel(void **state)
{
    (void)state;
    golden_inputs inputs;
    golden_error error = {""};
    golden_answer sent = {0}, got = {0};
    golden_text text = {0};
    assert_int_equal(parse(HEADER "a linalg.sum x=[]\n#end\n", &inputs, &error), GOLDEN_OK);
    static const golden_value values[] = {
        {GOLDEN_F64, 0x7ff8000000000000u}, {GOLDEN_F32, 1}, {GOLDEN_I64, 0x8000000000000000u}, {GOLDEN_U8, 255}};
    for (size_t i = 0; i < 4; ++i) {
        assert_int_equal(golden_answer_add(&sent, i == 1 ? "tiny" : "", values[i], &error), GOLDEN_OK);
    }
    golden_stream_format(&inputs, &sent, &text);
    assert_int_equal(golden_stream_parse(text.data, text.length, &inputs, &got, &error), GOLDEN_OK);
    assert_int_equal(got.count, 4);
    for (size_t i = 0; i < 4; ++i) {
        assert_true(got.outputs[i].value.dtype == values[i].dtype && got.outputs[i].value.bits == values[i].bits);
    }
    assert_string_equal(got.outputs[1].label, "tiny");
    golden_answer_free(&got);
    for (size_t length = 0; length < text.length; ++length) { // no prefix is taken for the whole
        got = (golden_answer){0};
        golden_status status = golden_stream_parse(text.data, length, &inputs, &got, &error);
        assert_true(status == GOLDEN_REFUSED || length + 1 == text.length);
        golden_answer_free(&got);
    }
    golden_text_free(&text);
    golden_answer_free(&sent);
    golden_inputs_free(&inputs);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_inputs),         cmocka_unit_test(test_refused_inputs), cmocka_unit_test(test_lists),
    cmocka_unit_test(test_recipes_pinned), cmocka_unit_test(test_generator),      cmocka_unit_test(test_output_ids),
    cmocka_unit_test(test_expected_nan),   cmocka_unit_test(test_answers_travel),
};

UNIT_MAIN(tests)
