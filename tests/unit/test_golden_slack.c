// SPDX-License-Identifier: Apache-2.0
// No slack: in each group of rows (golden_groups.h) doubling the worst measured error breaks the bound of the row it was measured
// at. And no row's bound reaches 2^(p-1) ulp, which no digit of an answer could exceed.
#include "golden_groups.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

static bool nan_anywhere(const char *id, void *context)
{
    (void)id;
    (void)context;
    return true;
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
    return is_real && !overflows && !(golden_measure(line->bound) < (dtype == GOLDEN_F32 ? 0x1p+23 : 0x1p+52));
}

// ---- The rule
// -----------------------------------------------------------------------------------------------------------------------

// Outputs without closed form are NaN: they have no error.
static const char *const without_form[][2] = {
    {"stats.student_t", "gradient.nu"}, {"stats.gamma", "gradient.shape"}, {"stats.negative_binomial", "gradient.phi"}};

static bool has_no_form(const golden_group *group)
{
    bool censored = strcmp(group->kind, "observed") != 0, found = false;
    for (size_t i = 0; i < sizeof without_form / sizeof without_form[0]; ++i) {
        found = found || (strcmp(group->operation, without_form[i][0]) == 0 && strcmp(group->output, without_form[i][1]) == 0);
    }
    return censored && found;
}

static bool is_slack(const golden_group *group)
{
    return group->inexact ? !(2.0 * group->use > 1.0) : group->rows == 0 && !has_no_form(group);
}

static void test_no_slack(void **state)
{
    (void)state;
    static golden_groups groups;
    size_t slack = 0, corpora = golden_groups_add_all(&groups, golden_classify_bounded);
    for (size_t i = 0; i < groups.count; ++i) {
        const golden_group *group = &groups.at[i];
        if (is_slack(group)) {
            print_message("%s %s, %s, class %s, output %s: worst error/bound of %zu rows is %.3f at %s: add a row that comes "
                          "nearer or derive a "
                          "tighter bound\n",
                          group->operation, golden_dtype_name(group->dtype), group->kind, group->class, group->output, group->rows,
                          group->use, group->id);
            ++slack;
        }
    }
    assert_true(corpora >= 15 && groups.count > 250);
    assert_int_equal(slack, 0);
}

// One group whose bounds are doubled is seen, though another of the same operation is tight.
static void test_slack_of_one_group_is_seen(void **state)
{
    (void)state;
    static golden_groups groups;
    golden_inputs inputs;
    golden_error error = {""};
    static const char text[] = "#cupel-inputs 1 module=stats dtype=f64 rows=2\n"
                               "a stats.normal censoring=observed y=0x1p+0 p0=0x0p+0 p1=0x1p+0\n"
                               "b stats.normal censoring=left y=0x1p+0 p0=0x0p+0 p1=0x1p+0\n#end\n";
    assert_int_equal(golden_inputs_parse("text", text, sizeof text - 1, &inputs, &error), GOLDEN_OK);
    golden_corpus_row lines[] = {
        {.id = "a/log_density", .answer = "-0x1p+0", .error = "0x1p-1", .bound = "0x1.8p-1"},
        {.id = "b/log_density", .answer = "-0x1p+0", .error = "0x1p-1", .bound = "0x1p+0"},
        {.id = "b/gradient.mu", .answer = "-0x1p-1060", .error = "0x1p-1", .bound = "0x1p-1"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; ++i) {
        golden_group_add(golden_group_find(&groups, &inputs.rows[i == 0 ? 0 : 1], golden_classify_bounded, lines[i].id), &lines[i]);
    }
    assert_int_equal(groups.count, 3);
    assert_false(is_slack(&groups.at[0]));
    assert_true(is_slack(&groups.at[1]));
    assert_true(is_slack(&groups.at[2])); // a subnormal answer tells nothing
    golden_inputs_free(&inputs);
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
    cmocka_unit_test(test_slack_of_one_group_is_seen),
    cmocka_unit_test(test_no_slack),
};

UNIT_MAIN(tests)
