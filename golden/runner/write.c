// SPDX-License-Identifier: Apache-2.0
// cupel golden --write: the only way a corpus changes. Only the oracle writes truth; only the CPU reference writes answers.
#include "job.h"

#include <stdlib.h>

static void work_write(const golden_settings *settings, size_t index, golden_result *result, void *context)
{
    (void)index;
    (void)context;
    golden_error error = {""};
    golden_job job = {0};
    char *path = golden_path(settings, "inputs", result->name, ".inputs"), *text = NULL;
    char *target = golden_path(settings, "corpora", result->name, ".golden");
    size_t bytes = 0;
    golden_status status =
        path && target ? golden_file_read(path, &text, &bytes, &error) : golden_fail(&error, GOLDEN_REFUSED, "out of memory.");
    status = status == GOLDEN_OK ? golden_inputs_parse(path, text, bytes, &job.inputs, &error) : status;
    status = status == GOLDEN_OK ? golden_job_answer(&job, &error) : status;
    status = status == GOLDEN_OK ? golden_job_judge(settings, text, bytes, &job, &error) : status;
    if (status == GOLDEN_DIFFERS && job.messages.data != NULL) {
        golden_text_puts(&result->lines, job.messages.data);
        golden_text_printf(&result->lines, "%s: not written: an answer is wrong.\n", target);
    }
    status = status == GOLDEN_OK ? golden_job_summarise(&job, result, &error) : status;
    status = status == GOLDEN_OK ? golden_file_write(target, job.bytes.data, job.bytes.length, &error) : status;
    if (status != GOLDEN_OK && error.text[0] != '\0') {
        golden_text_printf(&result->lines, "%s\n", error.text);
    }
    result->status = status;
    free(text);
    free(path);
    free(target);
    golden_job_free(&job);
}

golden_status golden_write(const golden_settings *settings, golden_results *results, golden_error *error)
{
    golden_names names;
    *results = (golden_results){0};
    const char *automation = getenv("CI");
    if (automation != NULL && automation[0] != '\0') {
        return golden_fail(error, GOLDEN_REFUSED,
                           "corpora are never written where CI is set (CI=%.40s); write them on a workstation.", automation);
    }
    golden_status status = golden_corpora_list(settings, &names, error);
    if (status == GOLDEN_OK) {
        status = golden_pool_run(settings, names.count, (const char *const *)names.at, work_write, NULL, results, error);
    }
    golden_names_free(&names);
    status = status == GOLDEN_OK ? golden_results_status(results) : status;
    return status == GOLDEN_OK ? golden_sums_write(settings, error) : status;
}
