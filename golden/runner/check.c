// SPDX-License-Identifier: Apache-2.0
// cupel golden --check: every byte of the corpora, made again. Nothing is written.
#include "job.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = 20 }; // differences written out per corpus
#define REPAIR "restore the corpus from version control, or make it again with cupel golden --write.\n"

typedef struct check_state {
    golden_result *result;
    golden_corpus committed;
    size_t differences, hidden;
    size_t answers; // of them in column answer
    size_t bounds;  // of them in column bound
    bool refused;
} check_state;

static void note(check_state *state, bool refused)
{
    state->refused = state->refused || refused;
    ++state->differences;
}

// Parses a token as an answer of the corpus shows it.
static bool token_value(const char *token, golden_dtype dtype, golden_value *value)
{
    return (golden_dtype_is_real(dtype) && golden_parse(token, dtype, value)) || golden_parse(token, GOLDEN_I64, value);
}

// One differing number: id, both values in hexadecimal and decimal, distance.
static void difference_print(check_state *state, const char *id, const char *column, const char *committed, const char *computed)
{
    golden_text *lines = &state->result->lines;
    golden_value left, right;
    note(state, false);
    if (state->differences > SHOWN) {
        ++state->hidden;
        return;
    }
    golden_text_printf(lines, "%s: %s differs: committed %s, computed %s", id, column, committed, computed);
    if (token_value(committed, state->committed.dtype, &left) && token_value(computed, state->committed.dtype, &right)) {
        char left_text[GOLDEN_TOKEN_BYTES], right_text[GOLDEN_TOKEN_BYTES];
        golden_format_decimal(left, left_text);
        golden_format_decimal(right, right_text);
        golden_text_printf(lines, " (decimal %s, %s", left_text, right_text);
        uint64_t steps = golden_ulp_distance(left, right);
        if (steps != UINT64_MAX && golden_dtype_is_real(left.dtype)) {
            golden_text_printf(lines, "; %llu ulp", (unsigned long long)steps);
        }
        bool zeros = strcmp(left_text, "0") == 0 || strcmp(left_text, "-0") == 0;
        golden_text_puts(lines, zeros && steps == 1 ? ": the sign of zero differs)" : ")");
    }
    golden_text_puts(lines, "\n");
}

static void row_compare(check_state *state, const golden_corpus_row *old, const golden_corpus_row *new)
{
    if (strcmp(old->answer, new->answer) != 0) {
        difference_print(state, old->id, "answer", old->answer, new->answer);
        ++state->answers;
    }
    if (strcmp(old->truth, new->truth) != 0) {
        difference_print(state, old->id, "truth", old->truth, new->truth);
    }
    if (strcmp(old->error, new->error) != 0) {
        difference_print(state, old->id, "error", old->error, new->error);
    }
    if (strcmp(old->bound, new->bound) != 0) {
        ++state->bounds;
        if (++state->differences > SHOWN) {
            ++state->hidden;
        } else {
            golden_text_printf(&state->result->lines,
                               "%s: bound %s is not what golden/bounds.tsv gives, %s; restore the corpus from version control.\n",
                               old->id, old->bound, new->bound);
        }
    }
}

// Walks both sorted lists of rows; an id on one side only is a refusal, whatever the common rows say.
static void rows_compare(check_state *state, const golden_corpus *computed)
{
    size_t i = 0, k = 0;
    const golden_corpus *committed = &state->committed;
    while (i < committed->count || k < computed->count) {
        int order = i == committed->count ? 1 : k == computed->count ? -1 : strcmp(committed->rows[i].id, computed->rows[k].id);
        if (order == 0) {
            row_compare(state, &committed->rows[i++], &computed->rows[k++]);
        } else {
            golden_text_printf(&state->result->lines,
                               order < 0 ? "%s: unknown id: no row of inputs gives it; " REPAIR
                                         : "%s: missing: the inputs give this row and the corpus lacks it; " REPAIR,
                               order < 0 ? committed->rows[i].id : computed->rows[k].id);
            i += order < 0 ? 1 : 0;
            k += order > 0 ? 1 : 0;
            note(state, true);
        }
    }
    // A bound may depend on the row's answers, so it moves with them; alone it was tampered with.
    state->refused = state->refused || (state->bounds > 0 && state->answers == 0);
    if (state->hidden > 0) {
        golden_text_printf(&state->result->lines, "and %zu more differences\n", state->hidden);
    }
}

static bool nan_declared(const char *id, void *context)
{
    const golden_row *row = golden_job_row((const golden_inputs *)context, id);
    const char *slash = strchr(id, '/');
    return row != NULL && golden_row_expects_nan(row, slash ? slash + 1 : "0");
}

// The answers alone, for a build without the oracle.
static void answers_compare(check_state *state, const golden_job *job, golden_error *error)
{
    golden_text bytes = {0};
    for (size_t i = 0; i < job->inputs.count; ++i) {
        const golden_row *row = &job->inputs.rows[i];
        for (size_t k = 0; k < job->answers[i].count && !golden_row_is_bulk(row); ++k) {
            char token[GOLDEN_TOKEN_BYTES], *id = golden_output_id(row, &job->answers[i], k);
            const golden_corpus_row *old = id ? golden_corpus_find(&state->committed, id) : NULL;
            golden_format(job->answers[i].outputs[k].value, token);
            if (old == NULL) {
                golden_text_printf(&state->result->lines, "%s: missing: the inputs give this row and the corpus lacks it; " REPAIR,
                                   id ? id : row->id);
                note(state, true);
            } else if (strcmp(old->answer, token) != 0) {
                difference_print(state, id, "answer", old->answer, token);
            }
            free(id);
        }
    }
    golden_text_printf(&state->result->lines, "%s\n", error->text);
    golden_text_free(&bytes);
}

static golden_status job_check(const golden_settings *settings, check_state *state, golden_job *job, const char *text, size_t bytes,
                               golden_error *error)
{
    char *path = golden_path(settings, "corpora", state->result->name, ".golden"), *data = NULL;
    size_t length = 0;
    golden_status status =
        path ? golden_file_read(path, &data, &length, error) : golden_fail(error, GOLDEN_REFUSED, "out of memory.");
    if (status == GOLDEN_OK) {
        status = golden_corpus_parse(path, data, length, nan_declared, &job->inputs, &state->committed, error);
    }
    if (status == GOLDEN_OK && strcmp(state->committed.name, state->result->name) != 0) {
        status = golden_fail(error, GOLDEN_REFUSED, "%s: its header names corpus %s; restore it from version control.", path,
                             state->committed.name);
    }
    status = status == GOLDEN_OK ? golden_job_answer(job, error) : status;
    bool answered = status == GOLDEN_OK;
    status = answered ? golden_job_judge(settings, text, bytes, job, error) : status;
    if (answered && status == GOLDEN_NOT_RUN) {
        answers_compare(state, job, error);
        error->text[0] = '\0';
    } else if (answered && (status == GOLDEN_OK || status == GOLDEN_DIFFERS)) {
        golden_text_puts(&state->result->lines, job->messages.data);
        rows_compare(state, &job->corpus);
        golden_status summed = golden_job_summarise(job, state->result, error);
        bool same = job->bytes.length == length && memcmp(job->bytes.data, data, length) == 0;
        if (summed == GOLDEN_OK && !same && state->differences == 0) {
            summed = golden_fail(
                error, GOLDEN_REFUSED,
                "%s: its bytes differ from the computed corpus though its rows agree; make it again with cupel golden --write.",
                path);
        }
        status = summed == GOLDEN_OK ? status : summed;
    }
    free(data);
    free(path);
    return status;
}

static void work_check(const golden_settings *settings, size_t index, golden_result *result, void *context)
{
    (void)index;
    (void)context;
    golden_error error = {""};
    golden_job job = {0};
    check_state state = {.result = result};
    char *path = golden_path(settings, "inputs", result->name, ".inputs"), *text = NULL;
    size_t bytes = 0;
    golden_status status =
        path ? golden_file_read(path, &text, &bytes, &error) : golden_fail(&error, GOLDEN_REFUSED, "out of memory.");
    status = status == GOLDEN_OK ? golden_inputs_parse(path, text, bytes, &job.inputs, &error) : status;
    status = status == GOLDEN_OK ? job_check(settings, &state, &job, text, bytes, &error) : status;
    if (status != GOLDEN_OK && error.text[0] != '\0') {
        golden_text_printf(&result->lines, "%s\n", error.text);
    }
    if (status != GOLDEN_REFUSED && state.differences > 0) {
        status = state.refused ? GOLDEN_REFUSED : GOLDEN_DIFFERS;
    }
    result->status = status;
    free(text);
    free(path);
    golden_corpus_free(&state.committed);
    golden_job_free(&job);
}

// A corpus that no file of inputs accounts for is refused like an unknown row.
static golden_status extra_check(const golden_settings *settings, const golden_names *names, golden_error *error)
{
    golden_names files;
    golden_status status = golden_names_list(settings->directory, "corpora", ".golden", &files, error);
    for (size_t i = 0; status == GOLDEN_OK && settings->corpus == NULL && i < files.count; ++i) {
        bool known = false;
        for (size_t k = 0; k < names->count; ++k) {
            known = known || strcmp(names->at[k], files.at[i]) == 0;
        }
        if (!known) {
            status = golden_fail(error, GOLDEN_REFUSED, "%s/corpora/%s.golden: has no file of inputs; remove it.",
                                 settings->directory, files.at[i]);
        }
    }
    golden_names_free(&files);
    return status;
}

// Puts the lock's findings first, as a result of its own.
static golden_status sums_prepend(golden_text *lines, golden_results *results, golden_error *error)
{
    golden_result *at = realloc(results->at, (results->count + 1) * sizeof *at);
    if (at == NULL) {
        return golden_fail(error, GOLDEN_REFUSED, "out of memory.");
    }
    results->at = at;
    memmove(at + 1, at, results->count * sizeof *at);
    at[0] = (golden_result){.name = "SHA256SUMS", .status = GOLDEN_REFUSED, .lines = *lines};
    *lines = (golden_text){0};
    ++results->count;
    return GOLDEN_OK;
}

// The lock is judged last: what the jobs made again byte for byte is not what changed.
golden_status golden_check(const golden_settings *settings, golden_results *results, golden_error *error)
{
    golden_names names;
    golden_text lines = {0};
    *results = (golden_results){0};
    golden_status status = golden_corpora_list(settings, &names, error);
    status = status == GOLDEN_OK ? extra_check(settings, &names, error) : status;
    if (status == GOLDEN_OK) {
        status = golden_pool_run(settings, names.count, (const char *const *)names.at, work_check, NULL, results, error);
    }
    golden_status locked = status == GOLDEN_OK ? golden_sums_check(settings, results, &lines, error) : GOLDEN_OK;
    if (locked != GOLDEN_OK && lines.length == 0) {
        status = locked;
    } else if (locked != GOLDEN_OK) {
        // A changed value is shown as what it is, a wrong answer; the lock alone refuses when every value holds.
        bool differs = golden_results_status(results) == GOLDEN_DIFFERS;
        status = sums_prepend(&lines, results, error);
        if (status == GOLDEN_OK && differs) {
            results->at[0].status = GOLDEN_DIFFERS;
        }
    }
    golden_text_free(&lines);
    golden_names_free(&names);
    return status == GOLDEN_OK ? golden_results_status(results) : status;
}
