// SPDX-License-Identifier: Apache-2.0
// In each group of rows, finely divided, the answer with the worst measured error is moved away from the truth until its error is
// twice that, and the judge of `cupel golden --check` refuses it. So no bound and no replay of roundings is slack.
#include "golden_groups.h"
#include "unit.h"

#include "answers/answers.h"
#include "runner/job.h"

#include <mpfr.h>
#include <stdlib.h>
#include <string.h>

static const golden_settings settings = {.directory = CUPEL_GOLDEN_DIR, .oracle = UNIT_ORACLE};

// ---- Moving an answer
// --------------------------------------------------------------------------------------------------------------------------

static golden_value value_of(const mpfr_t number, golden_dtype dtype)
{
    double wide = mpfr_get_d(number, MPFR_RNDN); // exact: 24 or 53 bits of a normal number
    float narrow = (float)wide;
    golden_value value = {dtype, 0};
    if (dtype == GOLDEN_F32) {
        memcpy(&value.bits, &narrow, sizeof narrow);
    } else {
        value.bits = golden_bits_of_double(wide);
    }
    return value;
}

// The nearest value of the dtype whose error, in units in the last place at the truth, is not below twice `wrong`, on the answer's
// side of the truth; the answer's neighbour if it is exact.
static golden_value moved(golden_value answer, const char *answer_token, const char *truth_token, double wrong)
{
    if (!golden_dtype_is_real(answer.dtype)) {
        return (golden_value){answer.dtype, answer.bits + 1};
    }
    mpfr_prec_t precision = answer.dtype == GOLDEN_F32 ? 24 : 53;
    mpfr_t truth, target, result, twice;
    mpfr_inits2(4096, truth, target, twice, (mpfr_ptr)0);
    mpfr_init2(result, precision);
    assert_int_equal(mpfr_set_str(truth, truth_token, 16, MPFR_RNDN), 0);
    assert_int_equal(mpfr_set_str(result, answer_token, 16, MPFR_RNDN), 0);
    assert_true(mpfr_regular_p(result));
    int side = mpfr_cmp(result, truth) < 0 ? -1 : 1;
    mpfr_exp_t exponent = mpfr_regular_p(truth) ? mpfr_get_exp(truth) : mpfr_get_exp(result);
    mpfr_set_d(twice, 2.0 * wrong * side, MPFR_RNDN);
    mpfr_mul_2si(twice, twice, (long)(exponent - precision), MPFR_RNDN);
    mpfr_add(target, truth, twice, MPFR_RNDN);
    mpfr_t far;
    mpfr_init2(far, precision);
    mpfr_set(far, target, side < 0 ? MPFR_RNDD : MPFR_RNDU);
    if (mpfr_equal_p(far, result)) {
        if (side < 0) {
            mpfr_nextbelow(far);
        } else {
            mpfr_nextabove(far);
        }
    }
    golden_value value = value_of(far, answer.dtype);
    mpfr_clears(truth, target, result, twice, far, (mpfr_ptr)0);
    return value;
}

static void test_moved(void **state)
{
    (void)state;
    static const struct {
        golden_dtype dtype;
        const char *answer, *truth;
        double wrong;
        const char *moved;
    } rows[] = {
        {GOLDEN_F64, "0x1p+0", "0x1p+0", 0.0, "0x1.0000000000001p+0"},
        {GOLDEN_F64, "0x1.8p+0", "0x1.80000000000004p+0", 0.25, "0x1.7ffffffffffffp+0"},
        {GOLDEN_F64, "-0x1.0000000000003p+0", "-0x1p+0", 3.0, "-0x1.0000000000006p+0"},
        {GOLDEN_F32, "0x1.000002p+0", "0x1p+0", 1.0, "0x1.000004p+0"},
        {GOLDEN_F32, "-0x1.8p-3", "-0x1.80000000000004p-3", 0.0, "-0x1.7ffffep-3"},
        {GOLDEN_I64, "7", "7", 0.0, "8"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        golden_value answer;
        char token[GOLDEN_TOKEN_BYTES];
        assert_true(golden_parse(rows[i].answer, rows[i].dtype, &answer));
        golden_format(moved(answer, rows[i].answer, rows[i].truth, rows[i].wrong), token);
        assert_string_equal(token, rows[i].moved);
    }
}

// ---- One corpus
// --------------------------------------------------------------------------------------------------------------------------------

typedef struct doubled_corpus {
    golden_inputs inputs;
    golden_corpus corpus;
    golden_groups groups;
} doubled_corpus;

static bool nan_anywhere(const char *id, void *context)
{
    (void)id;
    (void)context;
    return true;
}

static void corpus_read(const char *name, doubled_corpus *all)
{
    char *path = golden_path(&settings, "inputs", name, ".inputs"), *data = NULL;
    size_t bytes = 0;
    golden_error error = {""};
    assert_int_equal(golden_inputs_read(path, &all->inputs, &error), GOLDEN_OK);
    free(path);
    path = golden_path(&settings, "corpora", name, ".golden");
    assert_int_equal(golden_file_read(path, &data, &bytes, &error), GOLDEN_OK);
    assert_int_equal(golden_corpus_parse(path, data, bytes, nan_anywhere, NULL, &all->corpus, &error), GOLDEN_OK);
    free(path);
    free(data);
    golden_groups_add(&all->groups, all->inputs.module, all->inputs.dtype, golden_classify_finely);
}

// A file of inputs with the worst row of each group that has one, `left[i]`: the row is g<i>.
static void inputs_write(const doubled_corpus *all, const bool *left, golden_text *text)
{
    size_t count = 0;
    for (size_t i = 0; i < all->groups.count; ++i) {
        count += left[i];
    }
    golden_text_printf(text, "#cupel-inputs 1 module=%s dtype=%s rows=%zu\n", all->inputs.module,
                       golden_dtype_name(all->inputs.dtype), count);
    for (size_t i = 0; i < all->groups.count; ++i) {
        if (left[i]) {
            char *row = golden_row_text(golden_job_row(&all->inputs, all->groups.at[i].id));
            golden_text_printf(text, "g%zu%s\n", i, strchr(row, ' '));
            free(row);
        }
    }
    golden_text_puts(text, "#end\n");
}

// Moves the answer of job row `index`, which stands for `group`; the id of the output moved, to be freed.
static char *answer_move(const doubled_corpus *all, const golden_group *group, golden_job *job, size_t index)
{
    const golden_row *row = &job->inputs.rows[index];
    const golden_corpus_row *line = golden_corpus_find(&all->corpus, group->id);
    golden_answer *answer = &job->answers[index];
    for (size_t k = 0; k < answer->count; ++k) {
        char *id = golden_output_id(row, answer, k);
        if (strcmp(id + strlen(row->id), group->id + strcspn(group->id, "/")) == 0) {
            golden_value value = answer->outputs[k].value;
            answer->outputs[k].value = moved(value, line->answer, line->truth, golden_measure(line->error));
            return id;
        }
        free(id);
    }
    fail_msg("%s: the row has no such output", group->id);
    return NULL;
}

// The judge's sentences name the output, or its row as a whole.
static bool is_refused(const char *messages, const char *id)
{
    char output[160], row[160];
    snprintf(output, sizeof output, "row %s:", id);
    snprintf(row, sizeof row, "row %.*s:", (int)strcspn(id, "/"), id);
    return strstr(messages, output) != NULL || strstr(messages, row) != NULL;
}

// Judges the worst rows once; those that are refused are left no more. True when the oracle gave up at a row: the others wait.
static bool corpus_judge(const doubled_corpus *all, const golden_settings *judge, bool *left)
{
    golden_text text = {0};
    golden_job job = {0};
    golden_error error = {""};
    char **ids = calloc(all->groups.count + 1, sizeof *ids);
    inputs_write(all, left, &text);
    assert_int_equal(golden_inputs_parse("worst rows", text.data, text.length, &job.inputs, &error), GOLDEN_OK);
    assert_int_equal(golden_job_answer(&job, &error), GOLDEN_OK);
    for (size_t i = 0, row = 0; i < all->groups.count; ++i) {
        ids[i] = left[i] ? answer_move(all, &all->groups.at[i], &job, row++) : NULL;
    }
    golden_status status = golden_job_judge(judge, text.data, text.length, &job, &error);
    assert_true(status == GOLDEN_DIFFERS || status == GOLDEN_REFUSED);
    size_t refused = 0;
    for (size_t i = 0; i < all->groups.count; ++i) {
        if (left[i] && is_refused(status == GOLDEN_DIFFERS ? job.messages.data : error.text, ids[i])) {
            left[i] = false;
            ++refused;
        }
        free(ids[i]);
    }
    assert_true(refused > 0);
    free(ids);
    golden_job_free(&job);
    golden_text_free(&text);
    return status == GOLDEN_REFUSED;
}

// The groups whose moved answers `judge`, with its bounds.tsv, accepts: as many as returned are left true. `groups` counts all.
static size_t corpus_check(const char *name, const golden_settings *judge, doubled_corpus *all, bool *left, size_t *groups)
{
    size_t slack = 0;
    memset(all, 0, sizeof *all);
    corpus_read(name, all);
    for (size_t i = 0; i < all->groups.count; ++i) {
        left[i] = all->groups.at[i].id[0] != 0;
        *groups += left[i];
    }
    while (corpus_judge(all, judge, left)) {
    }
    for (size_t i = 0; i < all->groups.count; ++i) {
        slack += left[i];
    }
    golden_inputs_free(&all->inputs);
    golden_corpus_free(&all->corpus);
    return slack;
}

static void test_twice_the_worst_error_is_refused(void **state)
{
    (void)state;
    static doubled_corpus all;
    static bool left[GOLDEN_GROUPS];
    golden_names names;
    golden_error error = {""};
    size_t slack = 0, groups = 0;
    assert_int_equal(golden_corpora_list(&settings, &names, &error), GOLDEN_OK);
    assert_true(names.count >= 15);
    for (size_t i = 0; i < names.count; ++i) {
        slack += corpus_check(names.at[i], &settings, &all, left, &groups);
        for (size_t k = 0; k < all.groups.count; ++k) {
            const golden_group *group = &all.groups.at[k];
            if (left[k]) {
                print_message("%s %s, %s, class %s, output %s: twice the worst error, at %s, is accepted: add a row that comes "
                              "nearer or derive a tighter bound\n",
                              group->operation, names.at[i], group->kind, group->class, group->output, group->id);
            }
        }
    }
    golden_names_free(&names);
    assert_true(groups > 500);
    assert_int_equal(slack, 0);
}

// With 2^-50 for the 2^-53 of one operation's bounds its groups are seen, and no other.
static void test_one_slack_bound_is_seen(void **state)
{
    (void)state;
    static const char before[] = "stats.normal\tf64\t*\trounded\t0x1p-53\t2^-53\t", number[] = "50";
    static doubled_corpus all;
    static bool left[GOLDEN_GROUPS];
    const golden_settings wide = {.directory = UNIT_BINARY_DIR, .oracle = UNIT_ORACLE};
    char *data = NULL;
    size_t bytes = 0, groups = 0, seen = 0;
    golden_error error = {""};
    assert_int_equal(golden_file_read(CUPEL_GOLDEN_DIR "/bounds.tsv", &data, &bytes, &error), GOLDEN_OK);
    char *row = strstr(data, before);
    assert_non_null(row);
    memcpy(strstr(row, "0x1p-53") + 5, number, 2);
    memcpy(strstr(row, "\t2^-53\t") + 4, number, 2);
    assert_int_equal(golden_file_write(UNIT_BINARY_DIR "/bounds.tsv", data, bytes, &error), GOLDEN_OK);
    free(data);
    size_t slack = corpus_check("stats.f64", &wide, &all, left, &groups);
    for (size_t i = 0; i < all.groups.count; ++i) {
        seen += left[i] && strcmp(all.groups.at[i].operation, "stats.normal") == 0;
    }
    assert_true(seen > 0 && seen == slack && groups > 100);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_moved),
    cmocka_unit_test(test_twice_the_worst_error_is_refused),
    cmocka_unit_test(test_one_slack_bound_is_seen),
};

UNIT_MAIN(tests)
