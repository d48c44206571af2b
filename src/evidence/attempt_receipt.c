// SPDX-License-Identifier: Apache-2.0
#include "attempt_receipt.h"

#include "attempt.h"
#include "attempt_bind.h"
#include "attempt_files.h"
#include "corpora.h"
#include "findings_json.h"
#include "machine.h"
#include "plan.h"
#include "provenance.h"
#include "publish.h"
#include "receipt.h"
#include "source.h"
#include "text.h"
#include "verdict.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EVIDENCE_MERGED "junit.xml" // docs/formats.md

enum { MERGED_BYTES_MAX = 1 << 28 };

// A record with any other member is not in the documented form.
static const char *const ATTEMPT_MEMBERS[] = {"schema",  "attempt",  "profile", "started",  "earlier", "tool",
                                              "session", "together", "dirty",   "recorder", NULL};
static const char *const PUBLISHED_MEMBERS[] = {"schema", "original_receipt_sha256", "removed", "left_out", "original_files", NULL};
static const char *const SOURCE_MEMBERS[] = {"schema", "kind", "commit", "clean", "changes", "files", "sha256", "qualifying_sha256",
                                             NULL};
static const char *const PROVENANCE_MEMBERS[] = {"schema",  "profile",        "configuration", "compiler",
                                                 "toolkit", "executables",    "objects",       "inputs",
                                                 "corpora", "sources_sha256", "plan_sha256",   NULL};

// The one run directory of the attempt. False when there is none or more than one.
static bool run_find(const char *directory, const char *profile, char run[PATH_MAX])
{
    char folder[PATH_MAX];
    struct dirent **entries = NULL;
    int found = 0;
    const int count = evidence_path(folder, "%s/run/%s", directory, profile) ? scandir(folder, &entries, NULL, alphasort) : -1;
    for (int i = 0; i < count; ++i) {
        if (entries[i]->d_name[0] != '.') {
            found += evidence_path(run, "%s/%s", folder, entries[i]->d_name);
        }
        free(entries[i]);
    }
    free(entries);
    return found == 1;
}

// The merged report is for other readers, so no rule of the verdict looks at it; it must be of this very run all the same.
static void merged_report_judge(const char *run, const cupel_verdict *verdict, cupel_findings *findings)
{
    static const char property[] = "<property name=\"nonce\" value=\"";
    char path[PATH_MAX];
    cupel_file report;
    size_t named = 0;
    const char *trouble =
        evidence_path(path, "%s/" EVIDENCE_MERGED, run) ? cupel_file_read(path, MERGED_BYTES_MAX, &report) : "path";
    if (trouble != NULL) {
        if (verdict->status == CUPEL_PASS) { // a run that ends early has none
            cupel_findings_add(findings, CUPEL_REASON_REPORT_MISSING, EVIDENCE_MERGED, "%s", trouble);
        }
        return;
    }
    for (const char *at = strstr(report.bytes, property); at != NULL; at = strstr(at, property)) {
        const size_t length = strlen(verdict->nonce);
        at += sizeof property - 1;
        ++named;
        if (strncmp(at, verdict->nonce, length) != 0 || at[length] != '"') {
            cupel_findings_add(findings, CUPEL_REASON_NONCE_MISMATCH, EVIDENCE_MERGED, "suite %zu has nonce %.*s, the run %s",
                               named, (int)strcspn(at, "\"<\n"), at, verdict->nonce);
        }
    }
    if (named != verdict->suite_count) {
        cupel_findings_add(findings, CUPEL_REASON_NONCE_MISMATCH, EVIDENCE_MERGED,
                           "%zu of its suites have a nonce, the plan has %zu", named, verdict->suite_count);
    }
    cupel_file_free(&report);
}

// The attempt's copy of the plan. False after a finding, and then the plan is empty.
static bool plan_read(const char *directory, const char *profile_name, cupel_plan *plan, cupel_findings *findings)
{
    char path[PATH_MAX];
    char message[CUPEL_PLAN_MESSAGE];
    *plan = (cupel_plan){0};
    if (!evidence_path(path, "%s/" EVIDENCE_PLAN_COPY, directory) || access(path, F_OK) != 0) {
        cupel_findings_add(findings, CUPEL_REASON_RUN_NOT_OPEN, profile_name, "the attempt was stopped before its run");
        return false;
    }
    if (!cupel_plan_read_file(path, plan, message)) {
        cupel_findings_add(findings, CUPEL_REASON_PLAN_UNREADABLE, EVIDENCE_PLAN_COPY, "%s", message);
        return false;
    }
    return true;
}

// Finds the profile and its one run in the attempt. False after a finding.
static bool run_locate(evidence_parts *parts, const char *profile_name, char run[PATH_MAX], cupel_findings *findings)
{
    parts->profile = cupel_plan_find(parts->plan, profile_name);
    if (parts->profile == NULL) {
        cupel_findings_add(findings, CUPEL_REASON_PROFILE_UNKNOWN, profile_name, "the attempt's plan has no such profile");
    } else if (!run_find(parts->directory, profile_name, run)) {
        cupel_findings_add(findings, CUPEL_REASON_RUN_NOT_OPEN, profile_name,
                           "the attempt holds no run of this profile, or more than one");
    } else {
        parts->run = run;
    }
    return parts->run[0] != '\0';
}

// The verdict on the copies in the attempt.
static void run_evaluate(const evidence_parts *parts, cupel_verdict *verdict)
{
    char manifest[PATH_MAX];
    evidence_path(manifest, "%s/" EVIDENCE_MANIFEST_COPY, parts->directory);
    const cupel_verdict_request request = {
        .profile = parts->profile, .run_directory = parts->run, .manifest = manifest, .offline = true};
    cupel_verdict_evaluate(&request, verdict);
}

// Judges the run from the copies in the attempt. JSON null when no run was opened.
static json_t *run_judge(evidence_parts *parts, const char *profile_name, json_t **tests, cupel_findings *findings)
{
    char run[PATH_MAX];
    cupel_verdict verdict;
    if (!run_locate(parts, profile_name, run, findings)) {
        return json_null();
    }
    evidence_commands_judge(parts, findings);
    run_evaluate(parts, &verdict);
    merged_report_judge(run, &verdict, findings);
    *tests = evidence_receipt_tests(&verdict);
    json_t *result = cupel_verdict_to_json(&verdict);
    evidence_run_judge(parts, &verdict, result, findings);
    cupel_findings_move(findings, &verdict.findings);
    cupel_verdict_free(&verdict);
    parts->run = "";
    return result;
}

bool evidence_attempt_renew_run(const char *directory, cupel_findings *findings)
{
    char run[PATH_MAX];
    cupel_plan plan;
    bool renewed = false;
    json_t *attempt = evidence_record_read(directory, EVIDENCE_ATTEMPT_RECORD, EVIDENCE_ATTEMPT_SCHEMA, ATTEMPT_MEMBERS, findings);
    json_t *provenance = evidence_step_output(directory, EVIDENCE_STEP_PROVENANCE);
    const char *profile = evidence_text_of(attempt, "profile");
    evidence_parts parts = {.directory = directory, .attempt = attempt, .provenance = provenance, .plan = &plan, .run = ""};
    if (attempt != NULL && plan_read(directory, profile, &plan, findings)) {
        if (run_locate(&parts, profile, run, findings)) {
            cupel_verdict verdict;
            run_evaluate(&parts, &verdict);
            json_t *result = cupel_verdict_to_json(&verdict);
            renewed = evidence_run_receipt_renew(&parts, &verdict, result);
            json_decref(result);
            cupel_verdict_free(&verdict);
        }
        cupel_plan_free(&plan);
    }
    json_decref(provenance);
    json_decref(attempt);
    return renewed;
}

// True for the output of a step that is there and in the documented form. That it is not there is the step's own finding.
static bool output_is(const json_t *output, const char *label, const char *wanted, const char *const *known,
                      cupel_findings *findings)
{
    const char *schema = json_string_value(json_object_get(output, "schema"));
    const char *unknown = evidence_member_unknown(output, known);
    if (json_is_null(output)) {
        return false;
    }
    if (schema == NULL || strcmp(schema, wanted) != 0) {
        cupel_findings_add(findings, CUPEL_REASON_ATTEMPT_SCHEMA, label, "the schema of its output is \"%s\", not \"%s\"",
                           schema != NULL ? schema : "", wanted);
    } else if (unknown != NULL) {
        cupel_findings_add(findings, CUPEL_REASON_ATTEMPT_SCHEMA, label, "member \"%s\" of its output is unknown", unknown);
    }
    return schema != NULL && strcmp(schema, wanted) == 0 && unknown == NULL;
}

static void source_judge(const json_t *source, bool dirty_allowed, cupel_findings *findings)
{
    if (!output_is(source, EVIDENCE_STEP_SOURCE, EVIDENCE_SOURCE_SCHEMA, SOURCE_MEMBERS, findings)) {
        return;
    }
    const char *kind = evidence_text_of(source, "kind");
    const size_t digits = strlen(evidence_text_of(source, "commit"));
    if ((strcmp(kind, "git") != 0 && strcmp(kind, "list") != 0) || (digits != 40 && digits != 64) ||
        !cupel_text_is_hex(evidence_text_of(source, "commit"), digits) ||
        !cupel_text_is_hex(evidence_text_of(source, "sha256"), CUPEL_SHA256_HEX - 1) ||
        !cupel_text_is_hex(evidence_text_of(source, "qualifying_sha256"), CUPEL_SHA256_HEX - 1) ||
        json_is_true(json_object_get(source, "clean")) != (json_array_size(json_object_get(source, "changes")) == 0)) {
        cupel_findings_add(findings, CUPEL_REASON_ATTEMPT_SCHEMA, EVIDENCE_STEP_SOURCE,
                           "a member of its output is not in the documented form");
    }
    if (!json_is_true(json_object_get(source, "clean")) && !dirty_allowed) {
        cupel_findings_add(findings, CUPEL_REASON_SOURCE_UNCLEAN, EVIDENCE_STEP_SOURCE, "%zu changes, first \"%s\"",
                           json_array_size(json_object_get(source, "changes")),
                           json_string_value(json_array_get(json_object_get(source, "changes"), 0)));
    }
}

// A copy of what was seen of the machine without what changes from moment to moment on a device that nobody touches.
static json_t *settings_copy(const json_t *machine)
{
    json_t *copy = json_deep_copy(machine);
    json_t *device = NULL;
    size_t at = 0;
    json_array_foreach(json_object_get(json_object_get(json_object_get(copy, "devices"), "nvml"), "devices"), at, device)
    {
        json_object_del(device, EVIDENCE_MACHINE_MOMENTARY);
    }
    return copy;
}

// The machine must be the same before and after: system, tools and libraries; devices with their drivers, settings and memory
// errors and who uses them.
static void machine_judge(const json_t *before, const json_t *after, cupel_findings *findings)
{
    char path[EVIDENCE_MESSAGE] = "";
    if (json_is_null(before) || json_is_null(after)) {
        return;
    }
    json_t *then = settings_copy(before);
    json_t *now = settings_copy(after);
    if (evidence_json_difference(then, now, path)) {
        cupel_findings_add(findings, CUPEL_REASON_MACHINE_CHANGED, EVIDENCE_STEP_AFTER, "%s is not what it was before", path);
    }
    json_decref(then);
    json_decref(now);
}

// What ran is what was described before: executables, libraries and inputs did not change meanwhile.
static void provenance_judge(const json_t *before, const json_t *after, cupel_findings *findings)
{
    char path[EVIDENCE_MESSAGE] = "";
    const bool good = output_is(before, EVIDENCE_STEP_PROVENANCE, EVIDENCE_PROVENANCE_SCHEMA, PROVENANCE_MEMBERS, findings);
    if (good && !json_is_null(after) && evidence_json_difference(before, after, path)) {
        cupel_findings_add(findings, CUPEL_REASON_EXECUTABLE_REPLACED, EVIDENCE_STEP_PROVENANCE_AFTER,
                           "%s is not what it was before the run", path);
    }
}

// The lane's own status must be what the files of its run give.
static void lane_judge(const json_t *steps, cupel_findings *findings)
{
    const json_t *step = NULL;
    size_t at = 0;
    json_array_foreach(steps, at, step)
    {
        const char *status = json_string_value(json_object_get(step, "status"));
        if (strcmp(json_string_value(json_object_get(step, "label")), EVIDENCE_STEP_RUN) == 0 && strcmp(status, "exit 0") != 0 &&
            findings->count == 0) {
            cupel_findings_add(findings, CUPEL_REASON_CTEST_CONTRADICTION, EVIDENCE_STEP_RUN,
                               "every file of the run says PASS, but ctest ended with \"%s\"", status);
        }
    }
}

static json_t *subjects_make(const json_t *provenance)
{
    json_t *subjects = json_array();
    const json_t *executable = NULL;
    size_t at = 0;
    json_array_foreach(json_object_get(provenance, "executables"), at, executable)
    {
        json_array_append_new(subjects, json_pack("{s:O, s:{s:O}}", "name", json_object_get(executable, "name"), "digest", "sha256",
                                                  json_object_get(executable, "sha256")));
    }
    return subjects;
}

// What a published copy says of its original; JSON null for an original.
static json_t *published_read(const char *directory, cupel_findings *findings)
{
    char path[PATH_MAX];
    if (!evidence_path(path, "%s/" EVIDENCE_PUBLISHED, directory) || access(path, F_OK) != 0) {
        return json_null();
    }
    json_t *published = evidence_record_read(directory, EVIDENCE_PUBLISHED, EVIDENCE_PUBLISHED_SCHEMA, PUBLISHED_MEMBERS, findings);
    return published != NULL ? published : json_null();
}

json_t *evidence_attempt_receipt(const char *directory, cupel_findings *findings)
{
    char finished[24];
    cupel_plan plan;
    const char *profile = NULL;
    const char *started = NULL;
    const char *tool = NULL;
    json_t *attempt = evidence_record_read(directory, EVIDENCE_ATTEMPT_RECORD, EVIDENCE_ATTEMPT_SCHEMA, ATTEMPT_MEMBERS, findings);
    if (attempt == NULL) {
        return NULL;
    }
    if (json_unpack(attempt, "{s:s, s:s, s:s}", "profile", &profile, "started", &started, "tool", &tool) != 0) {
        cupel_findings_add(findings, CUPEL_REASON_ATTEMPT_SCHEMA, EVIDENCE_ATTEMPT_RECORD, "members are missing");
        json_decref(attempt);
        return NULL;
    }
    json_t *tests = NULL;
    json_t *steps = evidence_steps_read(directory, findings);
    json_t *files = evidence_files_describe(directory, findings);
    json_t *source = evidence_step_output(directory, EVIDENCE_STEP_SOURCE);
    json_t *before = evidence_step_output(directory, EVIDENCE_STEP_BEFORE);
    json_t *after = evidence_step_output(directory, EVIDENCE_STEP_AFTER);
    json_t *provenance = evidence_step_output(directory, EVIDENCE_STEP_PROVENANCE);
    json_t *provenance_after = evidence_step_output(directory, EVIDENCE_STEP_PROVENANCE_AFTER);
    source_judge(source, json_is_true(json_object_get(attempt, "dirty")), findings);
    machine_judge(before, after, findings);
    provenance_judge(provenance, provenance_after, findings);
    json_t *published = published_read(directory, findings);
    evidence_parts parts = {.directory = directory,
                            .attempt = attempt,
                            .steps = steps,
                            .machine = before,
                            .provenance = provenance,
                            .run = "",
                            .is_copy = !json_is_null(published)};
    evidence_times_judge(&parts, finished, findings);
    json_t *verdict = NULL;
    if (plan_read(directory, profile, &plan, findings)) {
        parts.plan = &plan;
        verdict = run_judge(&parts, profile, &tests, findings);
    }
    json_t *build = evidence_build_describe(&parts);
    evidence_files_judge(files, profile, findings);
    evidence_hashes_judge(files, provenance, findings);
    json_t *corpora = evidence_corpora_account(json_object_get(provenance, "corpora"), verdict, findings);
    lane_judge(steps, findings);
    const cupel_status status = cupel_findings_status(findings);
    const bool approvable =
        status == CUPEL_PASS && json_is_true(json_object_get(source, "clean")) && json_is_true(json_object_get(build, "fresh"));
    json_t *own = json_pack("{s:s, s:O, s:s, s:i, s:s, s:b, s:o, s:o, s:O, s:o, s:O, s:O, s:o, s:o, s:o, s:o}", "schema",
                            EVIDENCE_RECEIPT_SCHEMA, "attempt", attempt, "finished", finished, "status", (int)status, "word",
                            cupel_status_word(status), "approvable", approvable, "steps", steps, "files",
                            files != NULL ? files : json_null(), "source", source, "build", build, "machine", before, "provenance",
                            provenance, "verdict", verdict != NULL ? verdict : json_null(), "corpora", corpora, "published",
                            published, "reasons", cupel_findings_to_json(findings));
    json_t *predicate = json_pack("{s:s, s:o}", "result", status == CUPEL_PASS ? "PASSED" : "FAILED", "cupel", own);
    if (tests != NULL) {
        json_object_update(predicate, tests);
    }
    json_t *receipt = json_pack("{s:s, s:o, s:s, s:o}", "_type", EVIDENCE_STATEMENT_TYPE, "subject", subjects_make(provenance),
                                "predicateType", EVIDENCE_PREDICATE_TYPE, "predicate", predicate);
    cupel_plan_free(&plan);
    json_decref(tests);
    json_decref(source);
    json_decref(before);
    json_decref(after);
    json_decref(provenance);
    json_decref(provenance_after);
    json_decref(attempt);
    return receipt;
}

bool evidence_receipt_write(const char *directory, const json_t *receipt)
{
    char hex[CUPEL_SHA256_HEX];
    char line[128];
    char *text = json_dumps(receipt, EVIDENCE_RECEIPT_FORM);
    errno = ENOMEM;
    bool written = text != NULL && evidence_bytes_sha256(text, strlen(text), hex) &&
                   evidence_file_write(directory, EVIDENCE_RECEIPT, text, strlen(text), EVIDENCE_NEW);
    if (written) {
        snprintf(line, sizeof line, "%s  %s\n", hex, EVIDENCE_RECEIPT);
        written = evidence_file_write(directory, EVIDENCE_RECEIPT_HASH, line, strlen(line), EVIDENCE_NEW);
    }
    const int error = errno;
    free(text);
    errno = error;
    return written;
}

json_t *evidence_attempt_seal(const char *directory, cupel_findings *findings)
{
    json_t *receipt = evidence_attempt_receipt(directory, findings);
    if (receipt != NULL && !evidence_receipt_write(directory, receipt)) {
        cupel_findings_add(findings, CUPEL_REASON_RUN_DIRECTORY_UNWRITABLE, EVIDENCE_RECEIPT, "cannot write it in %s: %s",
                           directory, strerror(errno));
        json_decref(receipt);
        receipt = NULL;
    }
    return receipt;
}
