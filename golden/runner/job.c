// SPDX-License-Identifier: Apache-2.0
#include "job.h"
#include "../answers/answers.h"
#include "../lib/stream.h"
#include "oracle_process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void golden_job_free(golden_job *job)
{
    for (size_t i = 0; job->answers != NULL && i < job->inputs.count; ++i) {
        golden_answer_free(&job->answers[i]);
    }
    free(job->answers);
    golden_inputs_free(&job->inputs);
    golden_corpus_free(&job->corpus);
    golden_text_free(&job->bytes);
    golden_text_free(&job->messages);
    *job = (golden_job){0};
}

golden_status golden_job_answer(golden_job *job, golden_error *error)
{
    nc_device *device = NULL;
    job->answers = calloc(job->inputs.count + 1, sizeof *job->answers);
    if (job->answers == NULL) {
        return golden_fail(error, GOLDEN_REFUSED, "out of memory for %zu answers.", job->inputs.count);
    }
    if (nc_device_open("0", &device) != NC_OK) {
        return golden_fail(error, GOLDEN_NOT_RUN, "the CPU reference cannot be opened: %.600s", nc_last_error());
    }
    golden_status status = GOLDEN_OK;
    for (size_t i = 0; status == GOLDEN_OK && i < job->inputs.count; ++i) {
        status = golden_answer_row(device, &job->inputs.rows[i], &job->answers[i], error);
    }
    if (nc_device_close(device) != NC_OK && status == GOLDEN_OK) {
        status = golden_fail(error, GOLDEN_DIFFERS, "an answerer left an array behind: %.600s", nc_last_error());
    }
    return status;
}

static bool nan_judged(const char *id, void *context)
{
    (void)id;
    (void)context;
    return true; // the oracle has refused a NaN that its row does not declare
}

golden_status golden_job_judge(const golden_settings *settings, const char *inputs_text, size_t inputs_bytes, golden_job *job,
                               golden_error *error)
{
    golden_text request = {0};
    golden_text_append(&request, inputs_text, inputs_bytes);
    golden_stream_format(&job->inputs, job->answers, &request);
    char *bounds = golden_path(settings, "", "bounds", ".tsv");
    golden_status status = request.failed || bounds == NULL ? golden_fail(error, GOLDEN_REFUSED, "out of memory.") : GOLDEN_OK;
    if (status == GOLDEN_OK) {
        status = golden_oracle_run(settings->oracle, bounds, &request, &job->bytes, &job->messages, error);
    }
    golden_text_free(&request);
    free(bounds);
    if (status != GOLDEN_OK && status != GOLDEN_DIFFERS) {
        return status;
    }
    golden_status parsed = golden_corpus_parse("the oracle's corpus", job->bytes.data ? job->bytes.data : "", job->bytes.length,
                                               nan_judged, NULL, &job->corpus, error);
    return parsed == GOLDEN_OK ? status : parsed;
}

const golden_row *golden_job_row(const golden_inputs *inputs, const char *output_id)
{
    size_t length = strcspn(output_id, "/");
    for (size_t i = 0; i < inputs->count; ++i) {
        if (strlen(inputs->rows[i].id) == length && memcmp(inputs->rows[i].id, output_id, length) == 0) {
            return &inputs->rows[i];
        }
    }
    return NULL;
}

static golden_worst *worst_of(golden_result *result, const char *operation, golden_dtype dtype, golden_error *error)
{
    for (size_t i = 0; i < result->worst_count; ++i) {
        if (strcmp(result->worst[i].operation, operation) == 0) {
            return &result->worst[i];
        }
    }
    golden_worst *worst = realloc(result->worst, (result->worst_count + 1) * sizeof *worst);
    if (worst == NULL) {
        golden_fail(error, GOLDEN_REFUSED, "out of memory.");
        return NULL;
    }
    result->worst = worst;
    worst += result->worst_count++;
    *worst = (golden_worst){.dtype = dtype};
    snprintf(worst->operation, sizeof worst->operation, "%s", operation);
    return worst;
}

static double measure_of(const char *token)
{
    golden_value value;
    return golden_parse(token, GOLDEN_F64, &value) ? golden_double_of_bits(value.bits) : 0.0;
}

golden_status golden_job_summarise(const golden_job *job, golden_result *result, golden_error *error)
{
    const golden_row *row = NULL;
    result->rows = job->inputs.count;
    result->values = job->corpus.count;
    for (size_t i = 0; i < job->corpus.count; ++i) {
        const golden_corpus_row *line = &job->corpus.rows[i];
        size_t length = row ? strlen(row->id) : 0;
        bool same = row && strncmp(line->id, row->id, length) == 0 && (line->id[length] == '/' || line->id[length] == '\0');
        row = same ? row : golden_job_row(&job->inputs, line->id);
        if (row == NULL) {
            return golden_fail(error, GOLDEN_REFUSED, "the oracle wrote an unknown id %s.", line->id);
        }
        golden_worst *worst = worst_of(result, row->operation, row->dtype, error);
        if (worst == NULL) {
            return GOLDEN_REFUSED;
        }
        worst->rows += same ? 0 : 1;
        ++worst->values;
        double wrong = measure_of(line->error), bound = measure_of(line->bound);
        bool first = worst->id[0] == '\0',
             nearer = wrong * worst->bound > worst->error * bound || (wrong > 0.0 && !(worst->error > 0.0));
        if (first || nearer) {
            worst->error = wrong;
            worst->bound = bound;
            snprintf(worst->id, sizeof worst->id, "%s", line->id);
        }
    }
    return GOLDEN_OK;
}
