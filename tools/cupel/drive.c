// SPDX-License-Identifier: Apache-2.0
#include "drive.h"

#include "attempt_receipt.h"
#include "ctest_list.h"
#include "evidence_process.h"
#include "finish.h"
#include "freshness.h"
#include "progress.h"
#include "run_state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OUTPUT_SHOWN = 4000, ENVIRONMENT_TEXT = PATH_MAX + 64 };
static const double LIMIT_MARGIN_SECONDS = 60.0;

// Sum of the time limits of the profile's tests (device, suites, verdict) and a margin for ctest itself.
static double limit_seconds(const cupel_plan_profile *profile)
{
    return (double)profile->timeout_seconds * (double)(profile->suite_count + 2) + LIMIT_MARGIN_SECONDS;
}

// Runs the spec, recorded as a step of the attempt or with its output in `log`.
static bool spec_run(const cupel_drive_request *request, evidence_process_spec *spec, FILE *log, evidence_process_result *process,
                     cupel_findings *findings)
{
    char message[EVIDENCE_MESSAGE] = "";
    const char *ctest = request->plan->ctest;
    *process = (evidence_process_result){0};
    if (request->attempt != NULL) {
        const evidence_step step = {.label = EVIDENCE_STEP_RUN, .lane = request->profile->name, .process = *spec};
        const evidence_outcome outcome = evidence_step_run(request->attempt, &step, process, message);
        if (outcome == EVIDENCE_STEP_BROKEN || outcome == EVIDENCE_STEP_REFUSED) {
            cupel_findings_add(findings, CUPEL_REASON_RUN_DIRECTORY_UNWRITABLE, EVIDENCE_STEP_RUN, "%s", message);
            return false;
        }
    } else {
        spec->stdout_fd = fileno(log);
        spec->stderr_fd = fileno(log);
        if (!evidence_process_run(spec, process)) {
            cupel_findings_add(findings, CUPEL_REASON_DEPENDENCY_MISSING, ctest, "cannot start ctest: %s", strerror(errno));
            return false;
        }
    }
    if (!process->started) {
        cupel_findings_add(findings, CUPEL_REASON_DEPENDENCY_MISSING, ctest, "cannot start ctest: %s",
                           strerror(process->start_error));
    }
    return process->started;
}

// Starts ctest for the whole profile.
static bool ctest_run(const cupel_drive_request *request, FILE *log, cupel_drive_result *result, evidence_process_result *process)
{
    char label[256];
    char device[ENVIRONMENT_TEXT];
    char evidence[ENVIRONMENT_TEXT];
    const char *environment[4] = {"LC_ALL=C", NULL};
    size_t count = 1;
    cupel_progress progress;
    snprintf(label, sizeof label, "^%s$", request->profile->name);
    if (request->device != NULL) {
        snprintf(device, sizeof device, "CUPEL_DEVICE=%s", request->device);
        environment[count++] = device;
    }
    if (request->attempt != NULL) {
        snprintf(evidence, sizeof evidence, "CUPEL_EVIDENCE=%s/run", request->attempt->path);
        environment[count++] = evidence;
    }
    environment[count] = NULL;
    const char *const argv[] = {request->plan->ctest, "--test-dir", request->plan->build, "-L", label, "--output-on-failure",
                                "--no-tests=error",   NULL};
    evidence_process_spec spec = {.argv = argv,
                                  .environment = environment,
                                  .limit_seconds = limit_seconds(request->profile),
                                  .tick = cupel_progress_tick,
                                  .context = &progress};
    cupel_progress_begin(&progress, request->plan, request->profile);
    const bool ran = spec_run(request, &spec, log, process, &result->verdict.findings);
    cupel_progress_end(&progress);
    result->seconds = process->seconds;
    result->processor_seconds = process->cpu_seconds;
    return ran;
}

// The last lines of ctest's output, for the case that no run says what went wrong.
static void log_show(const cupel_drive_request *request, FILE *log)
{
    if (log == NULL) {
        fprintf(stderr, "cupel run: ctest's output is in %s/steps/%s\n", request->attempt->path, EVIDENCE_STEP_RUN);
        return;
    }
    char text[OUTPUT_SHOWN + 1];
    if (fseek(log, -OUTPUT_SHOWN, SEEK_END) != 0) {
        rewind(log);
    }
    const size_t length = fread(text, 1, OUTPUT_SHOWN, log);
    text[length] = '\0';
    fprintf(stderr, "%s", text);
}

// True for a run of this very process: a pid alone may have been another's before.
static bool run_is_of(const cupel_run_state *state, const evidence_process_result *process)
{
    return state->ctest_pid == process->pid && state->ctest_start == process->start_time;
}

// Finds the run that this very ctest opened; one that it left open is judged and closed here.
static bool run_find(const cupel_drive_request *request, const evidence_process_result *process, cupel_drive_result *result)
{
    cupel_run_state state;
    const char *name = request->profile->name;
    if (cupel_run_state_open(request->plan, name, &state) && run_is_of(&state, process)) {
        cupel_finish(request->plan, request->profile, state.directory, &result->verdict);
        evidence_path(result->directory, "%s", state.directory);
        return true;
    }
    if (cupel_run_state_latest(request->plan, name, &state) && run_is_of(&state, process)) {
        const cupel_verdict_request again = {
            .profile = request->profile, .run_directory = state.directory, .build = request->plan->build};
        cupel_verdict_evaluate(&again, &result->verdict);
        evidence_path(result->directory, "%s", state.directory);
        return true;
    }
    return false;
}

// The reasons that the run's own receipt has: its verdict saw files that are right again, or something that no file shows.
static void own_reasons_add(const char *directory, cupel_findings *findings)
{
    char path[PATH_MAX];
    const json_t *one = NULL;
    size_t at = 0;
    json_t *receipt =
        evidence_path(path, "%s/" EVIDENCE_RECEIPT, directory) ? json_load_file(path, JSON_REJECT_DUPLICATES, NULL) : NULL;
    const json_t *own = json_object_get(json_object_get(receipt, "predicate"), "cupel");
    json_array_foreach(json_object_get(json_object_get(own, "verdict"), "reasons"), at, one)
    {
        const char *code = json_string_value(json_object_get(one, "code"));
        const char *subject = json_string_value(json_object_get(one, "subject"));
        const char *text = json_string_value(json_object_get(one, "text"));
        cupel_reason reason;
        if (code != NULL && subject != NULL && text != NULL && cupel_reason_find(code, &reason)) {
            cupel_findings_add(findings, reason, subject, "%s (so said the run's own verdict)", text);
        }
    }
    json_decref(receipt);
}

static void contradictions_add(const cupel_drive_request *request, const evidence_process_result *process,
                               cupel_drive_result *result)
{
    cupel_findings *findings = &result->verdict.findings;
    if (process->timed_out) {
        cupel_findings_add(findings, CUPEL_REASON_PROCESS_TIMEOUT, request->profile->name,
                           "ctest was stopped with its whole process group after %.0f s", process->seconds);
    } else if (process->interrupted) {
        cupel_findings_add(findings, CUPEL_REASON_RUN_INTERRUPTED, request->profile->name, "the run was stopped after %.0f s",
                           process->seconds);
    } else if (process->exit_status != 0 && findings->count == 0) {
        cupel_findings_add(findings, CUPEL_REASON_CTEST_CONTRADICTION, request->profile->name,
                           "every file says PASS, but ctest ended with status %d", process->exit_status);
        own_reasons_add(result->directory, findings);
    }
    if (process->leftovers > 0) {
        cupel_findings_add(findings, CUPEL_REASON_PROCESS_LEFTOVER, request->profile->name,
                           "%d processes outlived the run and were killed", process->leftovers);
    }
}

void cupel_drive(const cupel_drive_request *request, cupel_drive_result *result)
{
    evidence_process_result process;
    cupel_findings *findings = &result->verdict.findings;
    FILE *log = NULL;
    *result = (cupel_drive_result){0};
    if (request->profile->built) {
        cupel_freshness_check(request->plan, request->profile, findings);
    }
    cupel_findings linted = {0};
    cupel_ctest_lint(request->plan, request->profile, &linted);
    cupel_findings_join(findings, &linted); // ctest misses the same executables
    if (findings->count == 0 && request->attempt == NULL && (log = tmpfile()) == NULL) {
        cupel_findings_add(findings, CUPEL_REASON_RUN_DIRECTORY_UNWRITABLE, "", "no temporary file can be made: %s",
                           strerror(errno));
    }
    if (findings->count == 0 && ctest_run(request, log, result, &process)) {
        if (!run_find(request, &process, result)) {
            cupel_findings_add(findings, CUPEL_REASON_RUN_NOT_OPEN, request->profile->name,
                               "ctest ended with status %d and opened no run", process.exit_status);
            log_show(request, log);
        }
        contradictions_add(request, &process, result);
    }
    if (log != NULL) {
        fclose(log);
    }
    if (result->verdict.profile == NULL) {
        result->verdict.profile = strdup(request->profile->name);
    }
    result->status = cupel_findings_status(findings);
    result->verdict.status = result->status;
}
