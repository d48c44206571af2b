// SPDX-License-Identifier: Apache-2.0
// No slack: for every operation and dtype, doubling the worst measured error breaks the bound of the row it was measured at; and no
// row's bound reaches 2^(p-1) ulp, which no digit of an answer could exceed.
#include "unit.h"

#include "lib/bounds.h"
#include "lib/corpus.h"

#include <stdlib.h>
#include <string.h>

static bool nan_anywhere(const char *id, void *context)
{
    (void)id;
    (void)context;
    return true;
}

static double measure(const char *token)
{
    golden_value value = {GOLDEN_F64, 0};
    return golden_parse(token, GOLDEN_F64, &value) ? golden_double_of_bits(value.bits) : 0.0;
}

// Rows whose terms cancel so far that the derived bound says nothing. The oracle replays the documented order of their roundings
// and requires every bit, except for the exact zero of a column of zeros, whose bound is a multiple of the least number.
static const char *const cancelling[] = {
    "dot.cancel", "gemm.order", "minimum_norm.zero_column/1", "predict.cancel", "sum.cancel.1000", "sum.order", "sum.cancel.9001"};
enum { CANCELLING = sizeof cancelling / sizeof cancelling[0] };

static size_t cancelling_index(const char *id)
{
    size_t k = 0;
    while (k < CANCELLING && strcmp(cancelling[k], id) != 0) {
        ++k;
    }
    return k;
}

// A bound of half of all digits' ulp and more. Where the answer is infinite the bound is not used: the truth must round to it.
static bool is_vacuous(golden_dtype dtype, const golden_corpus_row *line)
{
    bool is_real = dtype == GOLDEN_F32 || dtype == GOLDEN_F64, overflows = strstr(line->answer, "inf") != NULL;
    return is_real && !overflows && !(measure(line->bound) < (dtype == GOLDEN_F32 ? 0x1p+23 : 0x1p+52));
}

typedef struct worst_use {
    size_t rows;
    bool exact; // every bound of the operation is 0
    double use; // largest error / bound
    char id[128];
} worst_use;

static worst_use worst_of(const golden_operation *operation, golden_dtype dtype, const golden_inputs *inputs,
                          const golden_corpus *corpus)
{
    worst_use worst = {.exact = true};
    const golden_row *row = NULL;
    for (size_t i = 0; i < corpus->count; ++i) {
        const golden_corpus_row *line = &corpus->rows[i];
        size_t length = strcspn(line->id, "/");
        for (size_t k = 0; k < inputs->count; ++k) {
            bool same = strlen(inputs->rows[k].id) == length && strncmp(inputs->rows[k].id, line->id, length) == 0;
            row = same ? &inputs->rows[k] : row;
        }
        if (row == NULL || row->dtype != dtype || strcmp(row->operation, operation->title) != 0) {
            continue;
        }
        double wrong = measure(line->error), bound = measure(line->bound);
        ++worst.rows;
        worst.exact = worst.exact && !(bound > 0.0);
        assert_true(wrong <= bound);
        if (bound > 0.0 && wrong / bound > worst.use) {
            worst.use = wrong / bound;
            snprintf(worst.id, sizeof worst.id, "%s", line->id);
        }
    }
    return worst;
}

static void test_no_slack(void **state)
{
    (void)state;
    size_t checked = 0, slack = 0;
    for (size_t i = 0; i < golden_operation_count(); ++i) {
        const golden_operation *operation = golden_operation_at(i);
        for (golden_dtype dtype = GOLDEN_F32; dtype <= GOLDEN_I32; ++dtype) {
            if (!(operation->dtypes >> dtype & 1u)) {
                continue;
            }
            char path[4096], *data = NULL;
            size_t bytes = 0;
            golden_inputs inputs;
            golden_corpus corpus;
            golden_error error = {""};
            snprintf(path, sizeof path, "%s/inputs/%s.%s.inputs", CUPEL_GOLDEN_DIR, operation->module, golden_dtype_name(dtype));
            assert_int_equal(golden_inputs_read(path, &inputs, &error), GOLDEN_OK);
            snprintf(path, sizeof path, "%s/corpora/%s.%s.golden", CUPEL_GOLDEN_DIR, operation->module, golden_dtype_name(dtype));
            assert_int_equal(golden_file_read(path, &data, &bytes, &error), GOLDEN_OK);
            assert_int_equal(golden_corpus_parse(path, data, bytes, nan_anywhere, NULL, &corpus, &error), GOLDEN_OK);
            worst_use worst = worst_of(operation, dtype, &inputs, &corpus);
            assert_true(worst.rows > 0);
            bool tight = worst.exact || 2.0 * worst.use > 1.0;
            if (!tight) {
                print_message("%s %s: worst error/bound is %.3f at %s: add a row that comes nearer or derive a tighter bound\n",
                              operation->title, golden_dtype_name(dtype), worst.use, worst.id);
            }
            slack += !tight;
            ++checked;
            free(data);
            golden_corpus_free(&corpus);
            golden_inputs_free(&inputs);
        }
    }
    assert_true(checked >= 21);
    assert_int_equal(slack, 0);
}

static void test_no_vacuous_bound(void **state)
{
    (void)state;
    bool met[CANCELLING] = {false};
    size_t checked = 0, vacuous = 0;
    static const char *const corpora[] = {"dense", "huber", "linalg", "model", "rng", "solver", "stats"};
    for (size_t i = 0; i < 2 * (sizeof corpora / sizeof corpora[0]); ++i) {
        golden_dtype dtype = i % 2 == 0 ? GOLDEN_F32 : GOLDEN_F64;
        char path[4096], *data = NULL;
        size_t bytes = 0;
        golden_corpus corpus;
        golden_error error = {""};
        snprintf(path, sizeof path, "%s/corpora/%s.%s.golden", CUPEL_GOLDEN_DIR, corpora[i / 2], golden_dtype_name(dtype));
        assert_int_equal(golden_file_read(path, &data, &bytes, &error), GOLDEN_OK);
        assert_int_equal(golden_corpus_parse(path, data, bytes, nan_anywhere, NULL, &corpus, &error), GOLDEN_OK);
        for (size_t k = 0; k < corpus.count; ++k) {
            size_t known = cancelling_index(corpus.rows[k].id);
            bool refused = is_vacuous(dtype, &corpus.rows[k]);
            if (known < CANCELLING) {
                met[known] = met[known] || refused;
            } else if (refused) {
                print_message("%s %s: the bound of %s ulp cannot be exceeded: derive a tighter one\n", path, corpus.rows[k].id,
                              corpus.rows[k].bound);
                ++vacuous;
            }
            ++checked;
        }
        free(data);
        golden_corpus_free(&corpus);
    }
    assert_true(checked > 5000);
    assert_int_equal(vacuous, 0);
    for (size_t k = 0; k < CANCELLING; ++k) {
        assert_true(met[k]); // an exception that is none goes
    }
}

// The check above can fail.
static void test_vacuous_bounds_are_seen(void **state)
{
    (void)state;
    static const struct {
        golden_dtype dtype;
        char *answer, *bound;
        bool vacuous;
    } rows[] = {
        {GOLDEN_F32, "0x1p+0", "0x1p+23", true},       {GOLDEN_F32, "0x1p+0", "0x1.fffffffffffffp+22", false},
        {GOLDEN_F64, "-0x1p-60", "0x1p+52", true},     {GOLDEN_F64, "-0x1p-60", "0x1.fffffffffffffp+51", false},
        {GOLDEN_F64, "0x0p+0", "0x1.9p+86", true},     {GOLDEN_F32, "-inf", "0x1p+40", false},
        {GOLDEN_F32, "-0x0p+0", "0x1.de8p+134", true}, {GOLDEN_I64, "3", "0x0p+0", false},
        {GOLDEN_F64, "0x1p+0", "0x1.8p+0", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        golden_corpus_row line = {.answer = rows[i].answer, .bound = rows[i].bound};
        assert_int_equal(is_vacuous(rows[i].dtype, &line), rows[i].vacuous);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_no_vacuous_bound),
    cmocka_unit_test(test_vacuous_bounds_are_seen),
    cmocka_unit_test(test_no_slack),
};

UNIT_MAIN(tests)
