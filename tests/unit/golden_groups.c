// SPDX-License-Identifier: Apache-2.0
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

double golden_measure(const char *token)
{
    golden_value value = {GOLDEN_F64, 0};
    return golden_parse(token, GOLDEN_F64, &value) ? golden_double_of_bits(value.bits) : 0.0;
}

// ---- Classes
// ------------------------------------------------------------------------------------------------------------------------------

static const char *argument(const golden_row *row, const char *key)
{
    const char *value = "";
    golden_error error;
    return golden_row_has(row, key) && golden_row_string(row, key, &value, &error) == GOLDEN_OK ? value : "";
}

// Elements of the longest array: none of the sums, products and factors has more terms than that.
static size_t longest(const golden_row *row)
{
    size_t most = 0;
    for (size_t i = 0; i < row->count; ++i) {
        golden_array array;
        golden_error error;
        const char *key = row->arguments[i].key, *value = row->arguments[i].value;
        bool is_array = value[0] == '[' || strchr(value, '(') != NULL;
        if (is_array && strcmp(key, "sample") != 0 && golden_row_array(row, key, row->dtype, &array, &error) == GOLDEN_OK) {
            most = array.count > most ? array.count : most;
            golden_array_free(&array);
        }
    }
    return most;
}

void golden_classify_finely(const golden_row *row, char *class)
{
    enum { CLASS_BYTES = 32 };
    strcpy(class, "-");
    if (golden_row_has(row, "batches")) { // a regression: a single coefficient is found in one step, and a stream has a state
        bool one = strcmp(argument(row, "p"), "1") == 0 && strcmp(argument(row, "intercept"), "0") == 0;
        bool stream = strcmp(argument(row, "batches"), "1") != 0;
        snprintf(class, CLASS_BYTES, "%s, %s", one ? "one" : "several", stream ? "stream" : "batch");
    } else if (golden_row_has(row, "network")) {
        snprintf(class, CLASS_BYTES, "%s %s%s", argument(row, "network"), argument(row, "method"), argument(row, "of"));
    } else if (strncmp(row->operation, "stats.", 6) != 0 && strncmp(row->operation, "rng.", 4) != 0) {
        size_t most = longest(row);
        snprintf(class, CLASS_BYTES, "%s", most <= 1 ? "1" : most <= 8 ? "to 8" : most <= 64 ? "to 64" : "above 64");
    }
}

void golden_classify_bounded(const golden_row *row, char *class)
{
    static const char *const replayed[] = {"dense.", "huber.predict", "linalg.", "model.", "solver."};
    golden_classify_finely(row, class);
    for (size_t i = 0; i < sizeof replayed / sizeof replayed[0]; ++i) {
        if (strncmp(row->operation, replayed[i], strlen(replayed[i])) == 0) {
            strcpy(class, "-");
        }
    }
}

// ---- Groups
// -------------------------------------------------------------------------------------------------------------------------------

// What follows the id of a row of inputs: a label, or a number of the elements. The answers of an adaptive run are its state, two
// counts and the times of its steps.
static void output_of(const golden_row *row, const char *id, char *output, size_t bytes)
{
    const char *label = strchr(id, '/');
    bool is_element = label == NULL || (label[1] >= '0' && label[1] <= '9') || strcmp(label, "/sha256") == 0;
    snprintf(output, bytes, "%s", is_element ? "-" : label + 1);
    if (strcmp(row->operation, "solver.adaptive") == 0) {
        golden_array state;
        golden_error error;
        assert_int_equal(golden_row_array(row, "y", row->dtype, &state, &error), GOLDEN_OK);
        size_t number = (size_t)strtoul(label + 1, NULL, 10);
        snprintf(output, bytes, "%s", number < state.count ? "state" : number < state.count + 2 ? "counts" : "times");
        golden_array_free(&state);
    }
}

static const char *kind_of(const golden_row *row)
{
    const char *kind = strncmp(row->operation, "stats.", 6) == 0 ? "observed" : "-";
    golden_error error;
    if (golden_row_has(row, "censoring")) {
        assert_int_equal(golden_row_string(row, "censoring", &kind, &error), GOLDEN_OK);
    }
    return kind;
}

golden_group *golden_group_find(golden_groups *groups, const golden_row *row, golden_classify *classify, const char *id)
{
    golden_group wanted = {.dtype = row->dtype};
    snprintf(wanted.operation, sizeof wanted.operation, "%s", row->operation);
    snprintf(wanted.kind, sizeof wanted.kind, "%s", kind_of(row));
    classify(row, wanted.class);
    output_of(row, id, wanted.output, sizeof wanted.output);
    for (size_t i = 0; i < groups->count; ++i) {
        golden_group *group = &groups->at[i];
        if (group->dtype == wanted.dtype && strcmp(group->operation, wanted.operation) == 0 &&
            strcmp(group->kind, wanted.kind) == 0 && strcmp(group->class, wanted.class) == 0 &&
            strcmp(group->output, wanted.output) == 0) {
            return group;
        }
    }
    assert_true(groups->count < GOLDEN_GROUPS);
    groups->at[groups->count] = wanted;
    return &groups->at[groups->count++];
}

// A row shows what a bound is worth where its truth is a normal number: a subnormal one has the last rounding's half unit for a
// bound whatever came before it.
static bool is_telling(golden_dtype dtype, const golden_corpus_row *line)
{
    golden_value value = {GOLDEN_F64, 0};
    if (dtype != GOLDEN_F32 && dtype != GOLDEN_F64) {
        return true;
    }
    double answer = 0.0, least = dtype == GOLDEN_F32 ? 0x1p-126 : 0x1p-1022;
    if (golden_parse(line->answer, GOLDEN_F64, &value)) {
        answer = golden_double_of_bits(value.bits);
    }
    return (answer >= least || answer <= -least) && answer - answer == 0.0;
}

void golden_group_add(golden_group *group, const golden_corpus_row *line)
{
    double wrong = golden_measure(line->error), bound = golden_measure(line->bound);
    bool telling = is_telling(group->dtype, line);
    assert_true(wrong <= bound);
    if (strcmp(line->error, "-") == 0 || (bound > 0.0 && !telling)) {
        return;
    }
    double use = bound > 0.0 ? wrong / bound : 0.0;
    ++group->rows;
    group->inexact = group->inexact || bound > 0.0;
    if (telling && (group->id[0] == 0 || use > group->use)) {
        group->use = use;
        snprintf(group->id, sizeof group->id, "%s", line->id);
    }
}

void golden_groups_add(golden_groups *groups, const char *module, golden_dtype dtype, golden_classify *classify)
{
    char path[4096], *data = NULL;
    size_t bytes = 0;
    golden_inputs inputs;
    golden_corpus corpus;
    golden_error error = {""};
    snprintf(path, sizeof path, "%s/inputs/%s.%s.inputs", CUPEL_GOLDEN_DIR, module, golden_dtype_name(dtype));
    assert_int_equal(golden_inputs_read(path, &inputs, &error), GOLDEN_OK);
    snprintf(path, sizeof path, "%s/corpora/%s.%s.golden", CUPEL_GOLDEN_DIR, module, golden_dtype_name(dtype));
    assert_int_equal(golden_file_read(path, &data, &bytes, &error), GOLDEN_OK);
    assert_int_equal(golden_corpus_parse(path, data, bytes, nan_anywhere, NULL, &corpus, &error), GOLDEN_OK);
    const golden_row *row = NULL;
    for (size_t i = 0; i < corpus.count; ++i) {
        const golden_corpus_row *line = &corpus.rows[i];
        size_t length = strcspn(line->id, "/");
        for (size_t k = 0; k < inputs.count && !(row && strlen(row->id) == length && !strncmp(row->id, line->id, length)); ++k) {
            row = &inputs.rows[k];
        }
        assert_non_null(row);
        golden_group_add(golden_group_find(groups, row, classify, line->id), line);
    }
    free(data);
    golden_corpus_free(&corpus);
    golden_inputs_free(&inputs);
}

size_t golden_groups_add_all(golden_groups *groups, golden_classify *classify)
{
    const char *module = "";
    size_t corpora = 0;
    for (size_t i = 0; i < golden_operation_count(); ++i) {
        if (strcmp(golden_operation_at(i)->module, module) == 0) {
            continue; // operations stand module by module, and dtypes are its corpora
        }
        module = golden_operation_at(i)->module;
        uint32_t dtypes = 0;
        for (size_t k = 0; k < golden_operation_count(); ++k) {
            dtypes |= strcmp(golden_operation_at(k)->module, module) == 0 ? golden_operation_at(k)->dtypes : 0u;
        }
        for (golden_dtype dtype = GOLDEN_F32; dtype <= GOLDEN_I32; ++dtype) {
            if (dtypes >> dtype & 1u) {
                golden_groups_add(groups, module, dtype, classify);
                ++corpora;
            }
        }
    }
    return corpora;
}
