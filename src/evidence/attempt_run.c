// SPDX-License-Identifier: Apache-2.0
// The run of an attempt, held against everything else that speaks of it.
#include "attempt_bind.h"

#include "attempt_device.h"
#include "attempt_files.h"
#include "attempt_receipt.h"
#include "receipt.h"
#include "text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define EVIDENCE_MERGED "junit.xml" // docs/formats.md

enum { FILE_BYTES_MAX = 1 << 28 };

// The one command of a run, as the plan gives it.
static json_t *run_words(const evidence_parts *parts)
{
    return json_pack("[s, s, s, s, o, s, s]", parts->plan->ctest, "--test-dir", parts->plan->build, "-L",
                     json_sprintf("^%s$", parts->profile->name), "--output-on-failure", "--no-tests=error");
}

static void run_command_judge(const evidence_parts *parts, const json_t *record, cupel_findings *findings)
{
    json_t *words = evidence_command_member(parts->directory, EVIDENCE_STEP_RUN, "words");
    json_t *wanted = run_words(parts);
    if (!json_equal(words, wanted)) {
        cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CONTRADICTION, EVIDENCE_STEP_RUN,
                           "its command is not the one that runs the profile of plan.json");
    }
    if (!json_equal(words, json_object_get(record, "command"))) {
        cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CONTRADICTION, EVIDENCE_STEP_RUN,
                           "its command is not the one that run.json has");
    }
    json_decref(words);
    json_decref(wanted);
}

// A time that must lie within the step that ran the profile.
static void within_run_judge(const json_t *step, const char *subject, const char *time, cupel_findings *findings)
{
    int64_t from = 0;
    int64_t at = 0;
    const double seconds = evidence_step_seconds(step);
    if (!cupel_text_utc(evidence_text_of(step, "started"), &from) || !cupel_text_utc(time, &at) ||
        (double)(at - from) < -evidence_clock_slack(0.0) || (double)(at - from) > seconds + evidence_clock_slack(seconds)) {
        cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CONTRADICTION, subject,
                           "\"%s\" is not within the step that began %s and took %s s", time, evidence_text_of(step, "started"),
                           evidence_text_of(step, "seconds"));
    }
}

// What the step measured of everything it ran cannot be less than what its parts measured of themselves.
static void measures_judge(const json_t *step, const cupel_verdict *verdict, cupel_findings *findings)
{
    uint64_t whole = 0;
    double suites = 0.0;
    const bool known = cupel_text_u64(evidence_text_of(step, "host_peak_rss_bytes"), &whole);
    for (size_t i = 0; i < verdict->suite_count; ++i) {
        suites += verdict->suites[i].seconds;
        if (!known || verdict->suites[i].host_peak_rss_bytes > whole) {
            cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CONTRADICTION, EVIDENCE_STEP_RUN,
                               "its peak of resident memory is \"%s\" bytes, that of %s within it %llu",
                               evidence_text_of(step, "host_peak_rss_bytes"), verdict->suites[i].test,
                               (unsigned long long)verdict->suites[i].host_peak_rss_bytes);
        }
    }
    // Suites hold one lock, so they run one after another.
    if (suites > evidence_step_seconds(step) + evidence_clock_slack(suites)) {
        cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CONTRADICTION, EVIDENCE_STEP_RUN,
                           "it took %s s, the suites within it %.3f s", evidence_text_of(step, "seconds"), suites);
    }
}

static const json_t *executable_find(const json_t *provenance, const char *test)
{
    const json_t *executable = NULL;
    size_t at = 0;
    json_array_foreach(json_object_get(provenance, "executables"), at, executable)
    {
        if (strcmp(evidence_text_of(executable, "test"), test) == 0) {
            return executable;
        }
    }
    return NULL;
}

// What ran is what the provenance describes: the same executables, built from the same sources.
static void executables_judge(const evidence_parts *parts, const cupel_verdict *verdict, cupel_findings *findings)
{
    const char *sources = evidence_text_of(parts->provenance, "sources_sha256");
    for (size_t i = 0; i < verdict->suite_count; ++i) {
        const cupel_verdict_suite *suite = &verdict->suites[i];
        const json_t *executable = executable_find(parts->provenance, suite->test);
        const json_t *build_id = json_object_get(executable, "build_id"); // attempts of the first form have none
        if (executable == NULL) {
            cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CONTRADICTION, EVIDENCE_STEP_PROVENANCE,
                               "it does not describe the executable of %s", suite->test);
        } else if (strcmp(suite->source_id, sources) != 0) {
            cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CONTRADICTION, EVIDENCE_STEP_PROVENANCE,
                               "its sources_sha256 is %s, %s was built from %s", sources, suite->test, suite->source_id);
        } else if (build_id != NULL && strcmp(suite->build_id, evidence_text_of(executable, "build_id")) != 0) {
            cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CONTRADICTION, EVIDENCE_STEP_PROVENANCE,
                               "it describes a %s of build id %s, the one that ran has %s", suite->test,
                               evidence_text_of(executable, "build_id"), suite->build_id);
        }
    }
    if (json_array_size(json_object_get(parts->provenance, "executables")) != verdict->suite_count) {
        cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CONTRADICTION, EVIDENCE_STEP_PROVENANCE,
                           "it describes %zu executables, the plan has %zu suites",
                           json_array_size(json_object_get(parts->provenance, "executables")), verdict->suite_count);
    }
}

// The manifest of the attempt is the one among the inputs that the provenance hashed, where it lies in the source tree.
static void manifest_judge(const evidence_parts *parts, const cupel_verdict *verdict, cupel_findings *findings)
{
    const size_t length = strlen(parts->plan->source);
    const char *manifest = parts->profile->manifest;
    const bool inside = strncmp(manifest, parts->plan->source, length) == 0 && manifest[length] == '/';
    const char *hash = inside ? evidence_text_of(json_object_get(parts->provenance, "inputs"), manifest + length + 1) : "";
    if (hash[0] != '\0' && strcmp(hash, verdict->manifest_sha256) != 0) {
        cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CONTRADICTION, EVIDENCE_MANIFEST_COPY,
                           "the provenance hashed another %s", manifest + length + 1);
    }
}

// ---- What the run wrote of itself when it closed --------------------------------------------------------------------------------

// The merged report is made from the verdict alone, so it is made again and compared.
static void merged_judge(const evidence_parts *parts, const cupel_verdict *verdict, cupel_findings *findings)
{
    char path[PATH_MAX];
    cupel_file stored = {0};
    FILE *again = tmpfile();
    bool same = again != NULL && evidence_path(path, "%s/" EVIDENCE_MERGED, parts->run) &&
                cupel_verdict_put_junit(verdict, again) && cupel_file_read(path, FILE_BYTES_MAX, &stored) == NULL;
    if (same) {
        char bytes[8192];
        size_t at = 0;
        size_t length = 0;
        rewind(again);
        while (same && (length = fread(bytes, 1, sizeof bytes, again)) > 0) {
            same = length <= stored.length - at && memcmp(stored.bytes + at, bytes, length) == 0;
            at += length;
        }
        same = same && at == stored.length && !ferror(again);
        cupel_file_free(&stored);
    }
    if (!same) {
        cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CONTRADICTION, EVIDENCE_MERGED, "it is not the report of this run");
    }
    if (again != NULL) {
        fclose(again);
    }
}

// The run's own receipt, as its files and the provenance give it, with `finished` as its end. A new reference.
static json_t *own_receipt_make(const evidence_parts *parts, const cupel_verdict *verdict, json_t *verdict_json,
                                const char *finished)
{
    json_t *subjects = json_array();
    const json_t *executable = NULL;
    size_t at = 0;
    json_array_foreach(json_object_get(parts->provenance, "executables"), at, executable)
    {
        json_array_append_new(subjects, json_pack("{s:O, s:{s:O}}", "name", json_object_get(executable, "name"), "digest", "sha256",
                                                  json_object_get(executable, "sha256")));
    }
    const evidence_receipt_parts of = {
        .subjects = subjects, .verdict = verdict_json, .tool = evidence_text_of(parts->attempt, "tool"), .finished = finished};
    json_t *receipt = evidence_receipt_of(verdict, &of);
    json_decref(subjects);
    return receipt;
}

// The end that the receipt itself states: the one value of it that nothing else gives.
static void finished_find(const char *text, char finished[24])
{
    static const char member[] = "\"finished\": \"";
    const char *at = strstr(text, member);
    snprintf(finished, 24, "%.*s", 20, at != NULL ? at + sizeof member - 1 : "");
    finished[strcspn(finished, "\"")] = '\0';
}

static void own_receipt_judge(const evidence_parts *parts, const cupel_verdict *verdict, json_t *verdict_json, const json_t *step,
                              cupel_findings *findings)
{
    char path[PATH_MAX];
    char finished[24];
    cupel_file stored;
    const char *trouble =
        evidence_path(path, "%s/" EVIDENCE_RECEIPT, parts->run) ? cupel_file_read(path, FILE_BYTES_MAX, &stored) : "path";
    const char *subject = path + strlen(parts->directory) + 1;
    if (trouble != NULL) {
        cupel_findings_add(findings, CUPEL_REASON_REPORT_MISSING, subject, "%s", trouble);
        return;
    }
    size_t same = 0;
    finished_find(stored.bytes, finished);
    json_t *again = own_receipt_make(parts, verdict, verdict_json, finished);
    if (!evidence_json_is_written_as(again, &stored, &same)) {
        cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CONTRADICTION, subject,
                           "it is not the receipt that the run's files give, from byte %zu on", same + 1);
    }
    within_run_judge(step, subject, finished, findings);
    json_decref(again);
    cupel_file_free(&stored);
}

bool evidence_run_receipt_renew(const evidence_parts *parts, const cupel_verdict *verdict, json_t *verdict_json)
{
    char path[PATH_MAX];
    char finished[24];
    cupel_file stored;
    if (verdict->status != CUPEL_PASS) {
        return true;
    }
    errno = ENOENT;
    if (!evidence_path(path, "%s/" EVIDENCE_RECEIPT, parts->run) || cupel_file_read(path, FILE_BYTES_MAX, &stored) != NULL) {
        return false;
    }
    finished_find(stored.bytes, finished);
    json_t *receipt = own_receipt_make(parts, verdict, verdict_json, finished);
    char *text = json_dumps(receipt, EVIDENCE_RECEIPT_FORM);
    const bool written = text != NULL && evidence_file_write(parts->run, EVIDENCE_RECEIPT, text, strlen(text), EVIDENCE_REPLACE);
    const int error = errno;
    free(text);
    json_decref(receipt);
    cupel_file_free(&stored);
    errno = error;
    return written;
}

// ---- All of it
// --------------------------------------------------------------------------------------------------------------------

// Every test of the profile has its line in what ctest printed, and the line says that it passed: no exit status stands for that.
static void transcript_judge(const evidence_parts *parts, cupel_findings *findings)
{
    char path[PATH_MAX];
    cupel_file said;
    const size_t count = parts->profile->suite_count + 2;
    const char *trouble = evidence_path(path, "%s/steps/" EVIDENCE_STEP_RUN "/stdout", parts->directory)
                              ? cupel_file_read(path, FILE_BYTES_MAX, &said)
                              : "path";
    if (trouble != NULL) {
        return; // the step's own findings say so
    }
    for (size_t i = 0; i < count; ++i) {
        char test[512];
        const char *name = parts->profile->name;
        snprintf(test, sizeof test, i == 0 ? ": %s.device " : ": %s.verdict ", name);
        if (i >= 2) {
            snprintf(test, sizeof test, ": %s ", parts->profile->suites[i - 2].test);
        }
        const char *at = strstr(said.bytes, test);
        const char *end = at != NULL ? at + strcspn(at, "\n") : NULL;
        const char *passed = at != NULL ? strstr(at + strlen(test), "Passed") : NULL; // colours may stand around it
        if (passed == NULL || passed > end) {
            cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CONTRADICTION, EVIDENCE_STEP_RUN,
                               "what ctest printed does not say that%s passed", test + 1);
        }
    }
    cupel_file_free(&said);
}

// The variables that choose devices are the same for the look at the machine and for the device test.
static void environment_judge(const json_t *machine, const cupel_verdict *verdict, cupel_findings *findings)
{
    const char *name = NULL;
    const json_t *value = NULL;
    json_object_foreach((json_t *)json_object_get(json_object_get(machine, "machine"), "environment"), name, value)
    {
        const json_t *other = json_object_get(verdict->environment, name);
        if (other != NULL && !json_equal(value, other)) {
            cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CONTRADICTION, "device.json", "its %s is not that of %s", name,
                               EVIDENCE_STEP_BEFORE);
        }
    }
}

// The device that ran is one of those that the machine's record lists.
static void device_judge(const evidence_parts *parts, const cupel_verdict *verdict, cupel_findings *findings)
{
    char path[PATH_MAX];
    char message[EVIDENCE_MESSAGE];
    json_t *record = evidence_path(path, "%s/device.json", parts->run) ? json_load_file(path, JSON_REJECT_DUPLICATES, NULL) : NULL;
    const bool listed = json_is_true(json_object_get(json_object_get(record, "management"), "listed"));
    if (evidence_device_compare(parts->machine, parts->profile->backend, verdict->device, listed, message) ==
        EVIDENCE_DEVICE_DIFFERS) {
        cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CONTRADICTION, EVIDENCE_STEP_BEFORE, "%s", message);
    }
    json_decref(record);
}

void evidence_run_judge(const evidence_parts *parts, const cupel_verdict *verdict, json_t *verdict_json, cupel_findings *findings)
{
    char path[PATH_MAX];
    const json_t *step = evidence_step_find(parts->steps, EVIDENCE_STEP_RUN);
    int64_t started = 0;
    if (verdict->status != CUPEL_PASS || step == NULL) {
        return;
    }
    json_t *record = evidence_path(path, "%s/run.json", parts->run) ? json_load_file(path, JSON_REJECT_DUPLICATES, NULL) : NULL;
    run_command_judge(parts, record, findings);
    within_run_judge(step, "run.json", verdict->started, findings);
    if (cupel_text_utc(verdict->started, &started)) {
        evidence_name_judge(verdict->run, "run.json", started, findings);
    }
    measures_judge(step, verdict, findings);
    executables_judge(parts, verdict, findings);
    manifest_judge(parts, verdict, findings);
    transcript_judge(parts, findings);
    environment_judge(parts->machine, verdict, findings);
    device_judge(parts, verdict, findings);
    evidence_toolchain_judge(parts, verdict->device, findings);
    evidence_build_judge(parts, findings);
    merged_judge(parts, verdict, findings);
    own_receipt_judge(parts, verdict, verdict_json, step, findings);
    json_decref(record);
}
