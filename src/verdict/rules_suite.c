// SPDX-License-Identifier: Apache-2.0
// One suite's executable, ledger, process and report.
#include "build_id.h"
#include "rules.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void suite_fault(cupel_evidence *evidence, const cupel_suite_evidence *suite, cupel_reason reason, const char *what,
                        const char *found, const char *wanted)
{
    cupel_findings_add(evidence->findings, reason, suite->plan->test, "%s is \"%s\", not \"%s\"", what, found, wanted);
}

static void executable_judge(cupel_evidence *evidence, const cupel_suite_evidence *suite)
{
    char build_id[129];
    const char *path = suite->plan->executable;
    if (evidence->request->offline) {
        return;
    }
    if (access(path, X_OK) != 0) {
        cupel_findings_add(evidence->findings, CUPEL_REASON_EXECUTABLE_MISSING, suite->plan->test, "%s: %s", path, strerror(errno));
    } else if (!cupel_build_id_read(path, build_id, sizeof build_id)) {
        cupel_findings_add(evidence->findings, CUPEL_REASON_EXECUTABLE_UNIDENTIFIED, suite->plan->test, "%s has no build id", path);
    } else if (suite->has_ledger && strcmp(build_id, suite->ledger.build_id) != 0) {
        cupel_findings_add(evidence->findings, CUPEL_REASON_EXECUTABLE_REPLACED, suite->plan->test,
                           "%s has build id %s, the ledger %s", path, build_id, suite->ledger.build_id);
    }
}

static void ledger_identity_judge(cupel_evidence *evidence, const cupel_suite_evidence *suite)
{
    const cupel_ledger *ledger = &suite->ledger;
    const cupel_plan_suite *plan = suite->plan;
    const cupel_plan_profile *profile = evidence->request->profile;
    const struct {
        cupel_reason reason;
        const char *what, *found, *wanted;
    } members[] = {
        {CUPEL_REASON_LEDGER_MISMATCH, "the ledger's suite", ledger->suite, plan->suite},
        {CUPEL_REASON_LEDGER_MISMATCH, "the ledger's linkage", ledger->linkage, plan->linkage},
        {CUPEL_REASON_LEDGER_MISMATCH, "the ledger's test", ledger->test, plan->test},
        {CUPEL_REASON_RUN_MISMATCH, "the ledger's profile", ledger->profile, profile->name},
        {CUPEL_REASON_RUN_MISMATCH, "the ledger's run", ledger->run, evidence->has_run ? evidence->run.run : ledger->run},
        {CUPEL_REASON_BACKEND_MISMATCH, "the backend of the library", ledger->backend, profile->backend},
        {CUPEL_REASON_BACKEND_MISMATCH, "the backend of the target", ledger->expected_backend, profile->backend},
    };
    for (size_t i = 0; i < sizeof members / sizeof members[0]; ++i) {
        if (strcmp(members[i].found, members[i].wanted) != 0) {
            suite_fault(evidence, suite, members[i].reason, members[i].what, members[i].found, members[i].wanted);
        }
    }
    const char *differs = evidence->has_device && evidence->device.ok
                              ? cupel_device_identity_difference(&ledger->device, &evidence->device.device)
                              : NULL;
    if (differs != NULL) {
        cupel_findings_add(evidence->findings, CUPEL_REASON_DEVICE_CHANGED, plan->test,
                           "its device %s, %s differs in %s from %s, %s", ledger->device.name, ledger->device.uuid, differs,
                           evidence->device.device.name, evidence->device.device.uuid);
    }
}

// Errors that the memory did not correct may have changed any answer of the run. Unknown is not 0: two numbers are needed.
static void memory_judge(cupel_evidence *evidence, const cupel_suite_evidence *suite)
{
    int64_t before = evidence->has_device && evidence->device.ok ? evidence->device.uncorrected_errors : -1;
    int64_t after = suite->ledger.closed ? suite->ledger.uncorrected_errors : -1;
    if (before >= 0 && after > before) {
        cupel_findings_add(evidence->findings, CUPEL_REASON_DEVICE_ERRORS_ROSE, suite->plan->test,
                           "%lld uncorrected errors before the run, %lld after this suite", (long long)before, (long long)after);
    }
}

// How the process ended, and whether its results explain it.
static void process_judge(cupel_evidence *evidence, cupel_suite_evidence *suite)
{
    const cupel_ledger *ledger = &suite->ledger;
    const char *test = suite->plan->test;
    bool in_case = ledger->count > 0 && !ledger->cases[ledger->count - 1].finished && !ledger->cases[ledger->count - 1].damaged;
    size_t failed = 0;
    size_t damaged = 0;
    for (size_t i = 0; i < ledger->count; ++i) {
        failed += ledger->cases[i].finished && !ledger->cases[i].passed;
        damaged += ledger->cases[i].damaged;
    }
    suite->ended_early = !ledger->closed && ledger->has_exit &&
                         (in_case || ledger->timed_out || ledger->exit_signal != 0 || ledger->exit_status != 0);
    if (!ledger->has_exit) {
        suite->ended_early = !ledger->closed && in_case;
        if (!ledger->cut) {
            cupel_findings_add(evidence->findings, CUPEL_REASON_LEDGER_UNCLOSED, test,
                               "it has no exit line: the supervisor was stopped too");
        }
        return;
    }
    if (!ledger->closed && !suite->ended_early) {
        cupel_findings_add(evidence->findings, CUPEL_REASON_LEDGER_UNCLOSED, test,
                           "the process ended with status 0 after %zu of %llu cases", ledger->count,
                           (unsigned long long)ledger->case_count);
    }
    if (ledger->timed_out) {
        cupel_findings_add(evidence->findings, CUPEL_REASON_PROCESS_TIMEOUT, test, "it was stopped after %.0f s in %s",
                           ledger->exit_seconds, in_case ? ledger->cases[ledger->count - 1].id : "no case");
    } else if (ledger->exit_signal != 0) {
        cupel_findings_add(evidence->findings, CUPEL_REASON_PROCESS_FAILED, test, "signal %llu ended it",
                           (unsigned long long)ledger->exit_signal);
    } else if (ledger->closed && damaged == 0 && (ledger->exit_status != 0) != (failed > 0)) {
        cupel_findings_add(evidence->findings, CUPEL_REASON_PROCESS_FAILED, test,
                           "it ended with status %llu, but %zu of %zu cases failed", (unsigned long long)ledger->exit_status,
                           failed, ledger->count);
    } else if (!ledger->closed && ledger->exit_status != 0) {
        cupel_findings_add(evidence->findings, CUPEL_REASON_PROCESS_FAILED, test, "it ended with status %llu before its last case",
                           (unsigned long long)ledger->exit_status);
    }
}

static void case_store(void *context, const cupel_junit_case *current)
{
    cupel_suite_evidence *suite = context;
    if (suite->reported_count == suite->reported_capacity) {
        size_t capacity = suite->reported_capacity == 0 ? 64 : 2 * suite->reported_capacity;
        cupel_reported_case *reported = realloc(suite->reported, capacity * sizeof *reported);
        if (reported == NULL) {
            return; // the case is missing from the table, which refuses
        }
        suite->reported = reported;
        suite->reported_capacity = capacity;
    }
    char *name = strdup(current->name);
    if (name != NULL) {
        suite->reported[suite->reported_count++] = (cupel_reported_case){name, current->outcome};
    }
    if (suite->report_suite[0] == '\0' && strcmp(current->suite, suite->plan->test) != 0) {
        snprintf(suite->report_suite, sizeof suite->report_suite, "%s",
                 current->suite[0] == '\0' ? "(without a name)" : current->suite);
    }
}

static void report_forget(cupel_suite_evidence *suite)
{
    for (size_t i = 0; i < suite->reported_count; ++i) {
        free(suite->reported[i].name);
    }
    free(suite->reported);
    suite->reported = NULL;
    suite->reported_count = suite->reported_capacity = 0;
}

// Failures stand in the ledger; each case is compared with it, so the report's own findings of failures would tell them twice.
static void report_findings_take(cupel_evidence *evidence, const cupel_suite_evidence *suite, cupel_findings *found)
{
    for (size_t i = 0; i < found->count; ++i) {
        bool twice = suite->has_ledger && found->items[i].reason == CUPEL_REASON_CASE_FAILED;
        bool consequence = suite->ended_early && (found->items[i].reason == CUPEL_REASON_REPORT_MISSING);
        if (!twice && !consequence) {
            cupel_findings_add(evidence->findings, found->items[i].reason, found->items[i].subject, "%s", found->items[i].text);
        }
    }
    evidence->findings->lost |= found->lost;
    cupel_findings_free(found);
}

// A report has no nonce: it is the one of this process only if its bytes are those that were there when the process had ended.
static void report_origin_judge(cupel_evidence *evidence, const cupel_suite_evidence *suite)
{
    const char *left = suite->ledger.report_sha256;
    if (suite->has_ledger && suite->ledger.has_exit && strcmp(left, suite->report.sha256) != 0) {
        cupel_findings_add(evidence->findings, CUPEL_REASON_REPORT_REPLACED, suite->plan->test,
                           "the report has SHA-256 %s, the process left %s%s", suite->report.sha256,
                           left[0] == '\0' ? "no report" : "one with ", left);
    }
}

static void report_judge(cupel_evidence *evidence, cupel_suite_evidence *suite)
{
    char path[4096];
    char subject[256];
    cupel_findings found = {0};
    const cupel_junit_options options = {.on_case = case_store, .context = suite};
    cupel_run_path(evidence, suite->plan->test, ".xml", path);
    snprintf(subject, sizeof subject, "%.200s.xml", suite->plan->test);
    suite->has_report = cupel_junit_read(path, subject, &options, &suite->report, &found);
    if (!suite->has_report) {
        report_forget(suite);
    } else {
        report_origin_judge(evidence, suite);
        if (suite->report_suite[0] != '\0') {
            suite_fault(evidence, suite, CUPEL_REASON_RUN_MISMATCH, "a suite in the report", suite->report_suite,
                        suite->plan->test);
        }
    }
    report_findings_take(evidence, suite, &found);
}

static bool files_exist(const cupel_evidence *evidence, const cupel_suite_evidence *suite)
{
    char ledger[4096];
    char report[4096];
    cupel_run_path(evidence, suite->plan->test, ".ledger", ledger);
    cupel_run_path(evidence, suite->plan->test, ".xml", report);
    return access(ledger, F_OK) == 0 || access(report, F_OK) == 0;
}

void cupel_rules_suite(cupel_evidence *evidence, cupel_suite_evidence *suite)
{
    char path[4096];
    bool built = evidence->request->offline || access(suite->plan->executable, X_OK) == 0;
    if (!(evidence->expects_suites && built) && !files_exist(evidence, suite)) {
        if (!built && evidence->expects_suites) {
            executable_judge(evidence, suite);
        }
        return; // what kept it from running has a reason of its own
    }
    cupel_run_path(evidence, suite->plan->test, ".ledger", path);
    suite->has_ledger = cupel_ledger_read(path, suite->plan->test, evidence->has_run ? evidence->run.nonce : NULL, &suite->ledger,
                                          evidence->findings);
    suite->ended_early = suite->ledger.refused;
    executable_judge(evidence, suite);
    if (suite->has_ledger) {
        ledger_identity_judge(evidence, suite);
        memory_judge(evidence, suite);
        cupel_rules_environment(evidence, suite->ledger.environment, suite->plan->test);
        process_judge(evidence, suite);
    }
    report_judge(evidence, suite);
    cupel_rules_cases(evidence, suite);
}

// The source id of the tree is the hash of its list of sources, as the last build wrote it.
static void tree_source_compare(cupel_evidence *evidence, const char *source_id, const char *test)
{
    char path[4096];
    cupel_file list;
    snprintf(path, sizeof path, "%s/cupel/sources.sha256", evidence->request->build);
    const char *error = cupel_file_read(path, (size_t)16 << 20, &list);
    if (error != NULL) {
        cupel_findings_add(evidence->findings, CUPEL_REASON_SOURCE_MISMATCH, path, "the list of sources cannot be read: %s", error);
    } else if (strcmp(list.sha256, source_id) != 0) {
        cupel_findings_add(evidence->findings, CUPEL_REASON_SOURCE_MISMATCH, test,
                           "it was built from sources %s, the build tree has %s", source_id, list.sha256);
    }
    cupel_file_free(&list);
}

void cupel_rules_sources(cupel_evidence *evidence)
{
    const cupel_suite_evidence *first = NULL;
    for (size_t i = 0; i < evidence->suite_count; ++i) {
        const cupel_suite_evidence *suite = &evidence->suites[i];
        if (!suite->has_ledger) {
            continue;
        }
        if (first == NULL) {
            first = suite;
        } else if (strcmp(first->ledger.source_id, suite->ledger.source_id) != 0) {
            cupel_findings_add(evidence->findings, CUPEL_REASON_SOURCE_MISMATCH, suite->plan->test,
                               "it was built from sources %s, %s from %s", suite->ledger.source_id, first->plan->test,
                               first->ledger.source_id);
        }
    }
    if (first != NULL && evidence->request->build != NULL && !evidence->request->offline) {
        tree_source_compare(evidence, first->ledger.source_id, first->plan->test);
    }
}
