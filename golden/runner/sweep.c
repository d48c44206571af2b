// SPDX-License-Identifier: Apache-2.0
// cupel golden --sweep: random valid rows of every operation and dtype, answers against truth on the fly.
#include "../sweep/sweep.h"
#include "job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Draws of each operation and dtype, whatever was asked: at least 200 that have outputs, since a drawn shape may be empty.
enum { SWEEP_LEAST = 240 };

typedef struct sweep_part {
    size_t operation;
    golden_dtype dtype;
} sweep_part;

typedef struct sweep_plan {
    size_t count;
    sweep_part *parts;
    const char **names;
    char (*texts)[80];
    uint64_t draws;
} sweep_plan;

// A start that depends on the operation's name only, so that a new operation changes no other's draws (FNV-1a).
static uint64_t start_of(const golden_settings *settings, const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *name != '\0'; ++name) {
        hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
    }
    return hash ^ (settings->seed * 0x9e3779b97f4a7c15u);
}

static void rows_draw(const golden_settings *settings, const sweep_part *part, const char *name, uint64_t draws, golden_text *text)
{
    const golden_operation *operation = golden_operation_at(part->operation);
    golden_random random = {start_of(settings, name)};
    golden_text_printf(text, "#cupel-inputs 1 module=%s dtype=%s rows=%llu\n", operation->module, golden_dtype_name(part->dtype),
                       (unsigned long long)draws);
    for (uint64_t i = 0; i < draws; ++i) {
        char id[81];
        snprintf(id, sizeof id, "sweep%llu.%.40s.%llu", (unsigned long long)settings->seed, operation->name, (unsigned long long)i);
        golden_draw_row(part->operation, id, &random, part->dtype, text);
    }
    golden_text_puts(text, "#end\n");
}

// Prints the inputs of every row that the sentences name, so that each can be kept in golden/inputs.
static void failing_print(const golden_job *job, const char *messages, golden_text *lines)
{
    golden_lines walk;
    const golden_row *before = NULL;
    golden_lines_start(&walk, messages, strlen(messages));
    while (golden_lines_next(&walk)) {
        char *line = golden_copy_range(walk.line, walk.length);
        if (line != NULL && strncmp(line, "row ", 4) == 0) {
            line[4 + strcspn(line + 4, ":/")] = '\0';
            const golden_row *row = golden_job_row(&job->inputs, line + 4);
            char *text = row && row != before ? golden_row_text(row) : NULL;
            if (text != NULL) {
                golden_text_printf(lines, "inputs: %s\n", text);
            }
            free(text);
            before = row;
        }
        free(line);
    }
}

static void work_sweep(const golden_settings *settings, size_t index, golden_result *result, void *context)
{
    const sweep_plan *plan = (const sweep_plan *)context;
    golden_error error = {""};
    golden_job job = {0};
    golden_text text = {0};
    rows_draw(settings, &plan->parts[index], result->name, plan->draws, &text);
    golden_status status = text.failed ? golden_fail(&error, GOLDEN_REFUSED, "out of memory.")
                                       : golden_inputs_parse("sweep", text.data, text.length, &job.inputs, &error);
    status = status == GOLDEN_OK ? golden_job_answer(&job, &error) : status;
    status = status == GOLDEN_OK ? golden_job_judge(settings, text.data, text.length, &job, &error) : status;
    if (status == GOLDEN_OK || status == GOLDEN_DIFFERS) {
        golden_status summed = golden_job_summarise(&job, result, &error);
        status = summed == GOLDEN_OK ? status : summed;
    }
    if (job.messages.data != NULL) {
        golden_text_puts(&result->lines, job.messages.data);
        failing_print(&job, job.messages.data, &result->lines);
    }
    if (status != GOLDEN_OK && error.text[0] != '\0') {
        golden_text_printf(&result->lines, "%s\n", error.text);
        failing_print(&job, error.text, &result->lines);
    }
    result->status = status;
    golden_text_free(&text);
    golden_job_free(&job);
}

static void plan_free(sweep_plan *plan)
{
    free(plan->parts);
    free(plan->names);
    free(plan->texts);
    *plan = (sweep_plan){0};
}

static bool corpus_wanted(const golden_settings *settings, const golden_operation *operation, golden_dtype dtype)
{
    char name[80];
    snprintf(name, sizeof name, "%s.%s", operation->module, golden_dtype_name(dtype));
    return (operation->dtypes >> dtype & 1u) && (settings->corpus == NULL || strcmp(settings->corpus, name) == 0);
}

static golden_status plan_make(const golden_settings *settings, sweep_plan *plan, golden_error *error)
{
    size_t most = golden_operation_count() * (GOLDEN_I32 + 1);
    *plan = (sweep_plan){.parts = calloc(most, sizeof *plan->parts),
                         .names = calloc(most, sizeof *plan->names),
                         .texts = calloc(most, sizeof *plan->texts)};
    if (plan->parts == NULL || plan->names == NULL || plan->texts == NULL) {
        plan_free(plan);
        return golden_fail(error, GOLDEN_REFUSED, "out of memory.");
    }
    for (size_t i = 0; i < golden_operation_count(); ++i) {
        const golden_operation *operation = golden_operation_at(i);
        for (golden_dtype dtype = GOLDEN_F32; dtype <= GOLDEN_I32; ++dtype) {
            if (corpus_wanted(settings, operation, dtype)) {
                snprintf(plan->texts[plan->count], sizeof plan->texts[0], "%s.%s", operation->title, golden_dtype_name(dtype));
                plan->names[plan->count] = plan->texts[plan->count];
                plan->parts[plan->count++] = (sweep_part){i, dtype};
            }
        }
    }
    if (plan->count == 0) {
        plan_free(plan);
        return golden_fail(error, GOLDEN_REFUSED, "no corpus is named %s.", settings->corpus ? settings->corpus : "at all");
    }
    plan->draws = settings->draws / plan->count;
    plan->draws = plan->draws < SWEEP_LEAST ? SWEEP_LEAST : plan->draws;
    return GOLDEN_OK;
}

golden_status golden_sweep(const golden_settings *settings, golden_results *results, golden_error *error)
{
    sweep_plan plan;
    *results = (golden_results){0};
    golden_status status = plan_make(settings, &plan, error);
    if (status == GOLDEN_OK) {
        status = golden_pool_run(settings, plan.count, plan.names, work_sweep, &plan, results, error);
        plan_free(&plan);
    }
    return status == GOLDEN_OK ? golden_results_status(results) : status;
}
