// SPDX-License-Identifier: Apache-2.0
// cupel golden --explain: one row's inputs, answers, truths, and where its bounds come from.
#include "job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void golden_explanation_free(golden_explanation *explanation)
{
    for (size_t i = 0; i < explanation->count; ++i) {
        golden_explained *output = &explanation->outputs[i];
        char *texts[] = {output->row.id,    output->row.answer, output->row.truth, output->row.error,
                         output->row.bound, output->derivation, output->meaning};
        for (size_t k = 0; k < sizeof texts / sizeof texts[0]; ++k) {
            free(texts[k]);
        }
    }
    free(explanation->outputs);
    free(explanation->corpus);
    free(explanation->inputs);
    golden_text_free(&explanation->messages);
    *explanation = (golden_explanation){0};
}

static golden_status output_add(golden_explanation *explanation, const golden_corpus_row *line, const golden_bound *bound,
                                golden_error *error)
{
    golden_explained *outputs = realloc(explanation->outputs, (explanation->count + 1) * sizeof *outputs);
    if (outputs == NULL) {
        return golden_fail(error, GOLDEN_REFUSED, "out of memory.");
    }
    explanation->outputs = outputs;
    golden_explained *output = &outputs[explanation->count++];
    *output = (golden_explained){.row = {golden_copy(line->id), golden_copy(line->answer), golden_copy(line->truth),
                                         golden_copy(line->error), golden_copy(line->bound)}};
    output->derivation = golden_copy(bound ? bound->derivation : "");
    output->meaning = golden_copy(bound ? bound->meaning : "");
    snprintf(output->rule, sizeof output->rule, "%s", bound ? golden_rule_name(bound->rule) : "");
    const golden_corpus_row *row = &output->row;
    bool whole = row->id && row->answer && row->truth && row->error && row->bound && output->derivation && output->meaning;
    return whole ? GOLDEN_OK : golden_fail(error, GOLDEN_REFUSED, "out of memory.");
}

static golden_status outputs_add(const golden_settings *settings, const golden_job *job, const golden_row *row, const char *id,
                                 golden_explanation *explanation, golden_error *error)
{
    golden_bounds bounds = {0};
    char *path = golden_path(settings, "", "bounds", ".tsv");
    golden_status status = path ? golden_bounds_read(path, &bounds, error) : golden_fail(error, GOLDEN_REFUSED, "out of memory.");
    for (size_t i = 0; status == GOLDEN_OK && i < job->corpus.count; ++i) {
        const golden_corpus_row *line = &job->corpus.rows[i];
        const char *slash = strchr(line->id, '/'), *label = slash ? slash + 1 : "";
        bool wanted = strchr(id, '/') == NULL || strcmp(line->id, id) == 0, hash = strcmp(label, "sha256") == 0;
        const golden_bound *bound = hash ? NULL : golden_bounds_find(&bounds, row->operation, row->dtype, label);
        status = wanted ? output_add(explanation, line, bound, error) : GOLDEN_OK;
    }
    golden_bounds_free(&bounds);
    free(path);
    return status;
}

static golden_status row_explain(const golden_settings *settings, const golden_row *row, const char *id,
                                 golden_explanation *explanation, golden_error *error)
{
    golden_job job = {0};
    golden_text request = {0};
    explanation->dtype = row->dtype;
    explanation->inputs = golden_row_text(row);
    golden_text_printf(&request, "#cupel-inputs 1 module=%s dtype=%s rows=1\n%s\n#end\n",
                       golden_operation_find(row->operation)->module, golden_dtype_name(row->dtype),
                       explanation->inputs ? explanation->inputs : "");
    golden_status status = request.failed || explanation->inputs == NULL
                               ? golden_fail(error, GOLDEN_REFUSED, "out of memory.")
                               : golden_inputs_parse("explain", request.data, request.length, &job.inputs, error);
    status = status == GOLDEN_OK ? golden_job_answer(&job, error) : status;
    bool answered = status == GOLDEN_OK;
    status = answered ? golden_job_judge(settings, request.data, request.length, &job, error) : status;
    if (answered && (status == GOLDEN_OK || status == GOLDEN_DIFFERS)) {
        golden_text_puts(&explanation->messages, job.messages.data);
        golden_status added = outputs_add(settings, &job, row, id, explanation, error);
        status = added == GOLDEN_OK ? status : added;
    }
    if (status == GOLDEN_OK && explanation->count == 0) {
        status = golden_fail(error, GOLDEN_REFUSED, "row %s has no output %s.", row->id, id);
    }
    golden_text_free(&request);
    golden_job_free(&job);
    return status;
}

golden_status golden_explain(const golden_settings *settings, const char *id, golden_explanation *explanation, golden_error *error)
{
    golden_names names;
    *explanation = (golden_explanation){0};
    golden_status status = golden_corpora_list(settings, &names, error);
    for (size_t i = 0; status == GOLDEN_OK && explanation->corpus == NULL && i < names.count; ++i) {
        golden_inputs inputs = {0};
        char *path = golden_path(settings, "inputs", names.at[i], ".inputs");
        status = path ? golden_inputs_read(path, &inputs, error) : golden_fail(error, GOLDEN_REFUSED, "out of memory.");
        const golden_row *row = status == GOLDEN_OK ? golden_job_row(&inputs, id) : NULL;
        if (row != NULL) {
            explanation->corpus = golden_copy(names.at[i]);
            status = row_explain(settings, row, id, explanation, error);
        }
        golden_inputs_free(&inputs);
        free(path);
    }
    golden_names_free(&names);
    if (status == GOLDEN_OK && explanation->corpus == NULL) {
        status =
            golden_fail(error, GOLDEN_REFUSED, "no row of golden/inputs has the id %s; --corpus NAME picks one of two dtypes.", id);
    }
    return status;
}
