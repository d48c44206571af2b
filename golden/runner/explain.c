// SPDX-License-Identifier: Apache-2.0
// cupel golden --explain: one row's inputs, answers, truths, and where its bounds come from.
#include "job.h"

#include <stdlib.h>
#include <string.h>

static void value_print(const char *name, const char *token, golden_dtype dtype, golden_text *text)
{
    golden_value value;
    char decimal[GOLDEN_TOKEN_BYTES];
    golden_text_printf(text, "  %-7s %s", name, token);
    if (golden_dtype_is_real(dtype) && golden_parse(token, dtype, &value)) {
        golden_format_decimal(value, decimal);
        golden_text_printf(text, "   (%s)", decimal);
    }
    golden_text_puts(text, "\n");
}

static void output_print(const golden_corpus_row *line, const golden_row *row, const golden_bounds *bounds, golden_text *text)
{
    const char *slash = strchr(line->id, '/');
    bool hash = slash && strcmp(slash, "/sha256") == 0;
    const golden_bound *bound = golden_bounds_find(bounds, row->operation, row->dtype, slash ? slash + 1 : "");
    golden_text_printf(text, "%s\n", line->id);
    value_print("answer", line->answer, row->dtype, text);
    value_print("truth", line->truth, row->dtype, text);
    golden_text_printf(text, "  error   %s ulp\n  bound   %s ulp\n", line->error, line->bound);
    if (bound != NULL && !hash) {
        golden_text_printf(text, "  rule    %s, number = %s: %s\n", golden_rule_name(bound->rule), bound->derivation,
                           bound->meaning);
    }
}

static golden_status row_explain(const golden_settings *settings, const golden_row *row, const char *id, golden_text *text,
                                 golden_error *error)
{
    golden_bounds bounds = {0};
    golden_job job = {0};
    char *path = golden_path(settings, "", "bounds", ".tsv"), *line = golden_row_text(row);
    golden_status status =
        path && line ? golden_bounds_read(path, &bounds, error) : golden_fail(error, GOLDEN_REFUSED, "out of memory.");
    const golden_operation *operation = golden_operation_find(row->operation);
    if (status == GOLDEN_OK) {
        golden_text_printf(text, "inputs: %s\n", line);
        golden_text request = {0};
        golden_text_printf(&request, "#cupel-inputs 1 module=%s dtype=%s rows=1\n%s\n#end\n", operation->module,
                           golden_dtype_name(row->dtype), line);
        status = golden_inputs_parse("explain", request.data ? request.data : "", request.length, &job.inputs, error);
        status = status == GOLDEN_OK ? golden_job_answer(&job, error) : status;
        status = status == GOLDEN_OK ? golden_job_judge(settings, request.data, request.length, &job, error) : status;
        golden_text_free(&request);
    }
    if (job.messages.data != NULL && (status == GOLDEN_OK || status == GOLDEN_DIFFERS)) {
        golden_text_puts(text, job.messages.data);
        for (size_t i = 0; i < job.corpus.count; ++i) {
            if (strchr(id, '/') == NULL || strcmp(job.corpus.rows[i].id, id) == 0) {
                output_print(&job.corpus.rows[i], row, &bounds, text);
            }
        }
    }
    golden_job_free(&job);
    golden_bounds_free(&bounds);
    free(line);
    free(path);
    return status;
}

golden_status golden_explain(const golden_settings *settings, const char *id, golden_text *text, golden_error *error)
{
    golden_names names;
    bool found = false;
    golden_status status = golden_corpora_list(settings, &names, error);
    for (size_t i = 0; status == GOLDEN_OK && i < names.count; ++i) {
        golden_inputs inputs = {0};
        char *path = golden_path(settings, "inputs", names.at[i], ".inputs");
        status = path ? golden_inputs_read(path, &inputs, error) : golden_fail(error, GOLDEN_REFUSED, "out of memory.");
        const golden_row *row = status == GOLDEN_OK ? golden_job_row(&inputs, id) : NULL;
        if (row != NULL) {
            found = true;
            golden_text_printf(text, "corpus: %s\n", names.at[i]);
            status = row_explain(settings, row, id, text, error);
        }
        golden_inputs_free(&inputs);
        free(path);
    }
    golden_names_free(&names);
    if (status == GOLDEN_OK && !found) {
        status = golden_fail(error, GOLDEN_REFUSED, "no row of golden/inputs has the id %s.", id);
    }
    return status;
}
