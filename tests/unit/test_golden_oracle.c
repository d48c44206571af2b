// SPDX-License-Identifier: Apache-2.0
// The oracle itself, held to known answers: its generator, its one rounding, its order of sums, and how it judges an answer.
#include "unit.h"

#include "oracle/canonical.h"
#include "oracle/judge.h"
#include "oracle/philox.h"

#include <stdlib.h>
#include <string.h>

// Random123 (DEShawResearch/random123, tests/kat_vectors, philox4x32 with 10 rounds), then blocks around the counter's carries.
static void test_philox(void **state)
{
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], out[4];
    } rows[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
        {{0, 0, 0, 0}, {0x2a, 0}, {0x9ceaf053, 0x77f5493b, 0x12bf50ad, 0x5742b3d7}},
        {{0xfffffffe, 0, 0, 0}, {0x2a, 0}, {0x81b97a34, 0xac88045c, 0x962e881c, 0x41bb3828}},
        {{0xffffffff, 0, 0, 0}, {0x2a, 0}, {0x6e2412de, 0x41d4ec95, 0x29dd3e0c, 0xaed56cfa}},
        {{0, 1, 0, 0}, {0x2a, 0}, {0x42e0b8b3, 0x7dbf5de8, 0x2fe739d4, 0x6aaf03eb}},
        {{0xffffffff, 0xffffffff, 0, 0}, {0, 0}, {0xf3ce744d, 0xdfb9980f, 0x5a7caad1, 0x25d14252}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        uint32_t out[4];
        oracle_philox(rows[i].counter, rows[i].key, out);
        assert_memory_equal(out, rows[i].out, sizeof out);
    }
    // Words by address, as cuRAND's device generator numbers them.
    assert_int_equal(oracle_word(0, 0, 4), 0xf8e4cca4);
    assert_int_equal(oracle_word(1234, 1, 0), 0xd115a128);
    assert_int_equal(oracle_word(0x123456789abcdef0u, 0xfedcba9876543210u, 0x0f0e0d0c0b0a0908u), 0x2f0bc0db);
    assert_int_equal(oracle_word(0, 0, 0x3ffffffffu), 0x2a1ef7a5);
    assert_int_equal(oracle_word(0, 0, 0x400000000u), 0x6ad0c5ec);
    assert_int_equal(oracle_word(0, 0x100000000u, 0), 0x2dce73e5);
    assert_int_equal(oracle_word(UINT64_MAX, UINT64_MAX, UINT64_MAX), 0x411fcefd);
    assert_int_equal(oracle_word(99, 0, 17179869187u), 0xca1d86e2);
}

// Rounding to binary32 against the processor's own conversion, for random binary64 numbers of every size.
static void test_rounding(void **state)
{
    (void)state;
    golden_random random = {3};
    mpfr_t exact;
    mpfr_init2(exact, 64);
    for (int i = 0; i < 100000; ++i) {
        uint64_t bits = golden_random_next(&random);
        if (i % 2 == 0) { // exponents where binary32 has its ends, and ties
            uint64_t exponent = 1023 - 155 + golden_random_below(&random, 290);
            bits = (bits & 0x800fffffffffffffu) | exponent << 52;
            bits &= i % 4 == 0 ? ~(uint64_t)0x1fffffff | 0x10000000u : UINT64_MAX;
        }
        double value = golden_double_of_bits(bits);
        float single = (float)value;
        uint32_t wanted;
        memcpy(&wanted, &single, sizeof wanted);
        oracle_load_double(exact, value);
        golden_value got = oracle_round(exact, GOLDEN_F32);
        assert_true(golden_is_nan(got) ? single != single && got.bits == 0x7fc00000u : got.bits == wanted);
        golden_value whole = oracle_round(exact, GOLDEN_F64);
        assert_true(golden_is_nan(whole) || whole.bits == bits);
    }
    mpfr_clear(exact);
}

static uint64_t canonical_sum(const double *items, size_t count)
{
    golden_array array;
    golden_error error = {""};
    oracle_partial result;
    assert_int_equal(golden_array_alloc(GOLDEN_F64, count, &array, &error), GOLDEN_OK);
    for (size_t i = 0; i < count; ++i) {
        golden_array_set(&array, i, (golden_value){GOLDEN_F64, golden_bits_of_double(items[i])});
    }
    oracle_partial_init(&result, GOLDEN_F64);
    assert_int_equal(oracle_canonical(&array, NULL, &result, &error), GOLDEN_OK);
    uint64_t bits = oracle_value_of(result.rounded, GOLDEN_F64).bits;
    oracle_partial_clear(&result);
    golden_array_free(&array);
    return bits;
}

// Sums whose result shows the order: a large number, its opposite, and a small one at chosen places.
static void test_order(void **state)
{
    (void)state;
    static double items[8192];
    const double large = 0x1p60;
    assert_true(canonical_sum(items, 0) == 0);
    static const double zeros[] = {-0.0, -0.0};
    assert_true(canonical_sum(zeros, 2) == 0x8000000000000000u);
    items[0] = large; // one lane, ascending: large + 1 - large loses the 1
    items[256] = 1.0;
    items[512] = -large;
    assert_true(canonical_sum(items, 1024) == 0);
    items[512] = 0.0; // lanes 0 and 128 meet in the first step of the tree, before lane 1's 1 arrives
    items[256] = 0.0;
    items[128] = -large;
    items[1] = 1.0;
    assert_true(canonical_sum(items, 1024) == golden_bits_of_double(1.0));
    items[128] = 0.0; // lane 1 meets lane 0 only in the last step; -large sits in lane 1 too
    items[257] = -large;
    assert_true(canonical_sum(items, 1024) == 0);
    items[257] = 0.0; // the next chunk is a lane of its own at the next level
    items[4096] = -large;
    assert_true(canonical_sum(items, 8192) == 0);
    items[1] = 0.0;
    items[4097] = 1.0;
    assert_true(canonical_sum(items, 8192) == 0);
}

static golden_status judge(golden_value answer, const char *truth, bool exact, golden_rule rule, double number, golden_error *error)
{
    oracle_truths truths = {1, calloc(1, sizeof *truths.at)};
    char operation[] = "linalg.sum", output[] = "*", derivation[] = "n", meaning[] = "m";
    golden_bound bound = {operation, answer.dtype, output, rule, number, derivation, meaning};
    oracle_judgement judgement;
    mpfr_t value;
    mpfr_init2(value, 400);
    assert_int_equal(mpfr_set_str(value, truth, 0, MPFR_RNDN), 0);
    if (exact) {
        oracle_set_exact(&truths, 0, value);
    } else {
        oracle_set_settled(&truths, 0, value);
    }
    golden_status status = oracle_judge("row", answer, &truths.at[0], &bound, &judgement, error);
    mpfr_clears(value, truths.at[0].value, truths.at[0].scale, (mpfr_ptr)0);
    free(truths.at);
    return status;
}

static const golden_value one = {GOLDEN_F64, 0x3ff0000000000000u}, not_a_number = {GOLDEN_F64, 0x7ff8000000000000u};
static const golden_value infinity = {GOLDEN_F64, 0x7ff0000000000000u}, zero = {GOLDEN_F64, 0},
                          minus_zero = {GOLDEN_F64, 0x8000000000000000u};
static const golden_value largest = {GOLDEN_F64, 0x7fefffffffffffffu};

static void test_judgement(void **state)
{
    (void)state;
    static const struct {
        const golden_value *answer;
        const char *truth;
        bool exact;
        golden_rule rule;
        double number;
        golden_status status;
        const char *reason;
    } rows[] = {
        {&one, "1", true, GOLDEN_RULE_EXACT, 0.0, GOLDEN_OK, ""},
        {&one, "0x1.0000000000001p0", true, GOLDEN_RULE_EXACT, 0.0, GOLDEN_DIFFERS, "exceeds the bound"},
        {&one, "0x1.00000000000008p0", true, GOLDEN_RULE_ULP, 0.5, GOLDEN_OK, ""}, // exactly half an ulp, exactly known
        {&one, "0x1.00000000000008p0", false, GOLDEN_RULE_ULP, 0.5, GOLDEN_REFUSED, "midpoint"}, // settled only: which side?
        {&one, "0x1.000000000000080000000000000000000000001p0", false, GOLDEN_RULE_ULP, 1.0, GOLDEN_REFUSED, "midpoint"},
        {&one, "0x1.00000000000008001p0", false, GOLDEN_RULE_ULP, 0.5, GOLDEN_DIFFERS, "exceeds the bound"},
        {&one, "0x1.00000000000007fffp0", false, GOLDEN_RULE_ULP, 0.5, GOLDEN_OK, ""},
        {&not_a_number, "1", true, GOLDEN_RULE_ULP, 1e300, GOLDEN_DIFFERS, "exceeds the bound"}, // a NaN never passes a comparison
        {&one, "@nan@", true, GOLDEN_RULE_ULP, 1e300, GOLDEN_DIFFERS, "exceeds the bound"},
        {&not_a_number, "@nan@", true, GOLDEN_RULE_ULP, 0.5, GOLDEN_OK, ""},
        {&infinity, "-@inf@", true, GOLDEN_RULE_ULP, 1e300, GOLDEN_DIFFERS, "exceeds the bound"},
        {&infinity, "@inf@", true, GOLDEN_RULE_EXACT, 0.0, GOLDEN_OK, ""},
        {&infinity, "0x1p1024", true, GOLDEN_RULE_ULP, 0.5, GOLDEN_OK, ""}, // the nearest value is infinite
        {&infinity, "0x1.fffffffffffff7p1023", true, GOLDEN_RULE_ULP, 0.5, GOLDEN_DIFFERS, "exceeds the bound"},
        {&largest, "0x1.fffffffffffff7p1023", true, GOLDEN_RULE_ULP, 0.5, GOLDEN_OK, ""},
        {&zero, "-0", true, GOLDEN_RULE_EXACT, 0.0, GOLDEN_DIFFERS, "sign of zero"},
        {&minus_zero, "-0", true, GOLDEN_RULE_EXACT, 0.0, GOLDEN_OK, ""},
        {&zero, "0x1p-1075", true, GOLDEN_RULE_ULP, 0.5, GOLDEN_OK, ""}, // half the least subnormal
        {&zero, "0x1.8p-1075", true, GOLDEN_RULE_ULP, 0.5, GOLDEN_DIFFERS, "exceeds the bound"},
        {&one, "0x1.0000000000001p0", true, GOLDEN_RULE_SCALED, 1.0, GOLDEN_DIFFERS, "exceeds the bound"}, // no scale, no room
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        golden_error error = {""};
        golden_status status = judge(*rows[i].answer, rows[i].truth, rows[i].exact, rows[i].rule, rows[i].number, &error);
        if (status != rows[i].status || strstr(error.text, rows[i].reason) == NULL) {
            print_message("row %zu: status %d, %s\n", i, (int)status, error.text);
        }
        assert_int_equal(status, rows[i].status);
        assert_non_null(strstr(error.text, rows[i].reason));
    }
}

static void test_required_bits(void **state)
{
    (void)state;
    oracle_truths truths = {1, calloc(1, sizeof *truths.at)};
    char operation[] = "linalg.sum", output[] = "*", derivation[] = "n", meaning[] = "m";
    golden_bound bound = {operation, GOLDEN_F64, output, GOLDEN_RULE_ULP, 4.0, derivation, meaning};
    oracle_judgement judgement;
    golden_error error = {""};
    mpfr_t value;
    mpfr_init2(value, 64);
    mpfr_set_ui(value, 1, MPFR_RNDN);
    oracle_set_exact(&truths, 0, value);
    oracle_require(&truths, 0, (golden_value){GOLDEN_F64, 0x3ff0000000000001u});
    assert_int_equal(oracle_judge("row", one, &truths.at[0], &bound, &judgement, &error), GOLDEN_DIFFERS);
    assert_non_null(strstr(error.text, "order of roundings"));
    oracle_require(&truths, 0, one);
    assert_int_equal(oracle_judge("row", one, &truths.at[0], &bound, &judgement, &error), GOLDEN_OK);
    mpfr_clears(value, truths.at[0].value, truths.at[0].scale, (mpfr_ptr)0);
    free(truths.at);
}

static golden_status formula_third(mpfr_t result, mpfr_prec_t precision, const void *context, golden_error *error)
{
    (void)context;
    (void)error;
    assert_true(mpfr_get_prec(result) == precision);
    mpfr_set_ui(result, 1, MPFR_RNDN);
    mpfr_div_ui(result, result, 3, MPFR_RNDN);
    return GOLDEN_OK;
}

// exp(x) - 1 for a tiny x, written badly: 400 bits cancel, so low precisions disagree until they are raised.
static golden_status formula_cancelling(mpfr_t result, mpfr_prec_t precision, const void *context, golden_error *error)
{
    (void)precision;
    (void)context;
    (void)error;
    mpfr_set_ui_2exp(result, 1, -400, MPFR_RNDN);
    mpfr_exp(result, result, MPFR_RNDN);
    mpfr_sub_ui(result, result, 1, MPFR_RNDN);
    return GOLDEN_OK;
}

// A different number at every precision never settles.
static golden_status formula_unsettled(mpfr_t result, mpfr_prec_t precision, const void *context, golden_error *error)
{
    (void)context;
    (void)error;
    mpfr_set_ui(result, (unsigned long)precision, MPFR_RNDN);
    return GOLDEN_OK;
}

static void test_settling(void **state)
{
    (void)state;
    golden_error error = {""};
    mpfr_t truth;
    char text[GOLDEN_TOKEN_BYTES];
    mpfr_init2(truth, 64);
    assert_int_equal(oracle_settle(formula_third, NULL, truth, &error), GOLDEN_OK);
    oracle_format_wide(truth, text);
    assert_string_equal(text, "0x1.5555555555555555555555555555555555555556p-2");
    assert_int_equal(oracle_settle(formula_cancelling, NULL, truth, &error), GOLDEN_OK);
    oracle_format_wide(truth, text);
    assert_string_equal(text, "0x1p-400"); // 1 + 2^-401 + ... rounds to it in 160 bits
    assert_int_equal(oracle_settle(formula_unsettled, NULL, truth, &error), GOLDEN_REFUSED);
    assert_non_null(strstr(error.text, "do not agree"));
    mpfr_clear(truth);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_philox),    cmocka_unit_test(test_rounding),      cmocka_unit_test(test_order),
    cmocka_unit_test(test_judgement), cmocka_unit_test(test_required_bits), cmocka_unit_test(test_settling),
};

UNIT_MAIN(tests)
