// SPDX-License-Identifier: Apache-2.0
// Gathers the evidence, applies the rules, and keeps what the receipt needs.
#include "verdict.h"

#include "rules.h"

#include <stdlib.h>
#include <string.h>

static char *text_copy(cupel_verdict *verdict, const char *text)
{
    char *copy = strdup(text == NULL ? "" : text);
    verdict->findings.lost |= copy == NULL;
    return copy;
}

static int case_order(const void *a, const void *b)
{
    return strcmp(((const cupel_verdict_case *)a)->id, ((const cupel_verdict_case *)b)->id);
}

static void case_fill(cupel_verdict *verdict, cupel_verdict_case *to, const cupel_ledger_case *from)
{
    if (from == NULL || !from->finished) {
        return;
    }
    to->recorded = true;
    to->passed = from->passed;
    to->values = from->values;
    to->bytes_compared = from->bytes_compared;
    to->worst_error = from->worst_error;
    to->bound = from->bound;
    memcpy(to->worst_unit, from->worst_unit, sizeof to->worst_unit);
    to->worst_at = text_copy(verdict, from->worst_at);
    to->differing_bits = from->differing_bits;
    to->kernels = from->kernels;
    to->seconds = from->seconds;
    to->message = text_copy(verdict, from->message);
    to->claims = json_incref(from->claims);
}

static bool case_listed(const cupel_evidence *evidence, const cupel_suite_evidence *suite, const char *id)
{
    const cupel_manifest_case *entry = evidence->has_manifest ? cupel_manifest_find(&evidence->manifest, id) : NULL;
    return entry != NULL && entry->runs && cupel_case_in_suite(id, suite->plan->suite);
}

// The cases that the manifest expects of the suite and those that its ledger has beyond them.
static void cases_gather(cupel_evidence *evidence, const cupel_suite_evidence *suite, cupel_verdict_suite *to)
{
    cupel_verdict *verdict = evidence->verdict;
    to->cases = calloc(evidence->manifest.count + suite->ledger.count + 1, sizeof *to->cases);
    if (to->cases == NULL) {
        verdict->findings.lost = true;
        return;
    }
    for (size_t i = 0; i < evidence->manifest.count; ++i) {
        const cupel_manifest_case *entry = &evidence->manifest.cases[i];
        if (entry->runs && cupel_case_in_suite(entry->id, suite->plan->suite)) {
            cupel_verdict_case *added = &to->cases[to->case_count++];
            added->id = text_copy(verdict, entry->id);
            added->expected = true;
            case_fill(verdict, added, cupel_ledger_find(&suite->ledger, entry->id));
        }
    }
    for (size_t i = 0; i < suite->ledger.count; ++i) {
        const cupel_ledger_case *record = &suite->ledger.cases[i];
        if (record->id != NULL && !case_listed(evidence, suite, record->id) &&
            record == cupel_ledger_find(&suite->ledger, record->id)) {
            cupel_verdict_case *added = &to->cases[to->case_count++];
            added->id = text_copy(verdict, record->id);
            case_fill(verdict, added, record);
        }
    }
    if (!verdict->findings.lost && to->case_count > 1) {
        qsort(to->cases, to->case_count, sizeof *to->cases, case_order);
    }
}

static void suite_gather(cupel_evidence *evidence, const cupel_suite_evidence *suite, cupel_verdict_suite *to)
{
    cupel_verdict *verdict = evidence->verdict;
    to->test = text_copy(verdict, suite->plan->test);
    to->suite = text_copy(verdict, suite->plan->suite);
    to->linkage = text_copy(verdict, suite->plan->linkage);
    to->executable = text_copy(verdict, suite->plan->executable);
    to->build_id = text_copy(verdict, suite->ledger.build_id);
    to->source_id = text_copy(verdict, suite->ledger.source_id);
    to->seconds = suite->ledger.exit_seconds;
    to->host_peak_rss_bytes = suite->ledger.host_peak_rss_bytes;
    to->device_bytes_peak = suite->ledger.device_bytes_peak;
    to->tells_reserved = suite->ledger.tells_reserved;
    to->device_bytes_reserved_peak = suite->ledger.device_bytes_reserved_peak;
    cases_gather(evidence, suite, to);
}

// A case that any reason names did not pass, whatever its ledger says.
static void case_settle(const cupel_verdict *verdict, const cupel_verdict_suite *suite, cupel_verdict_case *settled)
{
    char subject[256];
    snprintf(subject, sizeof subject, "%.120s/%.120s", suite->test, settled->id);
    for (size_t i = 0; i < verdict->findings.count; ++i) {
        const cupel_finding *finding = &verdict->findings.items[i];
        if (strcmp(finding->subject, subject) != 0) {
            continue;
        }
        settled->passed = false;
        if (settled->message == NULL || settled->message[0] == '\0') {
            free(settled->message);
            settled->message = strdup(finding->text);
        }
        return;
    }
}

static void counts_add(cupel_verdict_counts *counts, const cupel_verdict_case *counted)
{
    counts->expected += counted->expected;
    counts->passed += counted->passed && counted->expected;
    counts->failed += counted->recorded && !counted->passed;
    counts->missing += counted->expected && !counted->recorded;
    counts->unexpected += !counted->expected;
    counts->values += counted->values;
    counts->bytes_compared += counted->bytes_compared;
    counts->kernels += counted->kernels;
}

static void suites_settle(cupel_verdict *verdict)
{
    for (size_t i = 0; i < verdict->suite_count && !verdict->findings.lost; ++i) {
        cupel_verdict_suite *suite = &verdict->suites[i];
        for (size_t k = 0; k < suite->case_count; ++k) {
            case_settle(verdict, suite, &suite->cases[k]);
            counts_add(&verdict->counts, &suite->cases[k]);
        }
    }
}

static void file_add(cupel_verdict *verdict, const char *name, const char *ending, uint64_t bytes, const char *sha256)
{
    char full[256];
    cupel_verdict_file *files = realloc(verdict->files, (verdict->file_count + 1) * sizeof *files);
    if (files == NULL) {
        verdict->findings.lost = true;
        return;
    }
    snprintf(full, sizeof full, "%.200s%s", name, ending);
    verdict->files = files;
    files[verdict->file_count] = (cupel_verdict_file){.name = text_copy(verdict, full), .bytes = bytes};
    memcpy(files[verdict->file_count].sha256, sha256, CUPEL_SHA256_HEX);
    ++verdict->file_count;
}

static int file_order(const void *a, const void *b)
{
    return strcmp(((const cupel_verdict_file *)a)->name, ((const cupel_verdict_file *)b)->name);
}

static void files_gather(cupel_evidence *evidence)
{
    cupel_verdict *verdict = evidence->verdict;
    if (evidence->has_run) {
        file_add(verdict, "run.json", "", evidence->run.bytes, evidence->run.sha256);
    }
    if (evidence->has_tests) {
        file_add(verdict, "tests.json", "", evidence->tests_bytes, evidence->tests_sha256);
    }
    if (evidence->has_device) {
        file_add(verdict, "device.json", "", evidence->device.bytes, evidence->device.sha256);
    }
    for (size_t i = 0; i < evidence->suite_count; ++i) {
        const cupel_suite_evidence *suite = &evidence->suites[i];
        if (suite->has_ledger) {
            file_add(verdict, suite->plan->test, ".ledger", suite->ledger.bytes, suite->ledger.sha256);
        }
        if (suite->has_report) {
            file_add(verdict, suite->plan->test, ".xml", suite->report.bytes, suite->report.sha256);
        }
    }
    if (!verdict->findings.lost && verdict->file_count > 1) {
        qsort(verdict->files, verdict->file_count, sizeof *verdict->files, file_order);
    }
}

static void results_gather(cupel_evidence *evidence)
{
    cupel_verdict *verdict = evidence->verdict;
    verdict->run = text_copy(verdict, evidence->run.run);
    verdict->nonce = text_copy(verdict, evidence->run.nonce);
    verdict->started = text_copy(verdict, evidence->run.started);
    verdict->device = json_incref(evidence->device.device_object);
    verdict->probes = json_incref(evidence->device.probes_object);
    verdict->environment = json_incref(evidence->device.environment);
    verdict->suites = calloc(evidence->suite_count + 1, sizeof *verdict->suites);
    verdict->findings.lost |= verdict->suites == NULL;
    for (size_t i = 0; i < evidence->suite_count && verdict->suites != NULL; ++i) {
        suite_gather(evidence, &evidence->suites[i], &verdict->suites[verdict->suite_count++]);
    }
    files_gather(evidence);
    suites_settle(verdict);
}

static void evidence_free(cupel_evidence *evidence)
{
    for (size_t i = 0; i < evidence->suite_count; ++i) {
        cupel_ledger_free(&evidence->suites[i].ledger);
        for (size_t k = 0; k < evidence->suites[i].reported_count; ++k) {
            free(evidence->suites[i].reported[k].name);
        }
        free(evidence->suites[i].reported);
    }
    free(evidence->suites);
    cupel_manifest_free(&evidence->manifest);
    cupel_run_record_free(&evidence->run);
    cupel_device_record_free(&evidence->device);
}

// The last word: a PASS needs no reason against it and at least one case that counts.
static void verdict_conclude(cupel_verdict *verdict)
{
    if (verdict->findings.count == 0 && verdict->counts.passed == 0) {
        cupel_findings_add(&verdict->findings, CUPEL_REASON_REPORT_NO_CASES, "", "no case ran");
    }
    verdict->status = cupel_findings_status(&verdict->findings);
}

void cupel_verdict_evaluate(const cupel_verdict_request *request, cupel_verdict *verdict)
{
    const cupel_plan_profile *profile = request->profile;
    *verdict = (cupel_verdict){0};
    cupel_evidence evidence = {.request = request, .verdict = verdict, .findings = &verdict->findings};
    verdict->profile = text_copy(verdict, profile->name);
    verdict->backend = text_copy(verdict, profile->backend);
    evidence.suites = calloc(profile->suite_count + 1, sizeof *evidence.suites);
    verdict->findings.lost |= evidence.suites == NULL;
    for (size_t i = 0; i < profile->suite_count && evidence.suites != NULL; ++i) {
        evidence.suites[evidence.suite_count++].plan = &profile->suites[i];
    }
    cupel_rules_run(&evidence);
    cupel_rules_tests(&evidence);
    cupel_rules_device(&evidence);
    cupel_rules_manifest(&evidence);
    for (size_t i = 0; i < evidence.suite_count; ++i) {
        cupel_rules_suite(&evidence, &evidence.suites[i]);
    }
    cupel_rules_sources(&evidence);
    results_gather(&evidence);
    verdict_conclude(verdict);
    evidence_free(&evidence);
}

static void refuse_at_once(cupel_verdict *verdict, const char *profile, cupel_reason reason, const char *text)
{
    *verdict = (cupel_verdict){0};
    cupel_findings_add(&verdict->findings, reason, "", "%s", text);
    verdict->profile = text_copy(verdict, profile);
    verdict->backend = text_copy(verdict, "");
    verdict->run = text_copy(verdict, "");
    verdict->nonce = text_copy(verdict, "");
    verdict->started = text_copy(verdict, "");
    verdict->status = cupel_findings_status(&verdict->findings);
}

void cupel_verdict_evaluate_tree(const char *tree, const char *profile, const char *run_directory, cupel_verdict *verdict)
{
    char message[CUPEL_PLAN_MESSAGE];
    cupel_plan plan;
    if (!cupel_plan_read(tree, &plan, message)) {
        refuse_at_once(verdict, profile, CUPEL_REASON_PLAN_UNREADABLE, message);
        return;
    }
    const cupel_plan_profile *found = cupel_plan_find(&plan, profile);
    if (found == NULL) {
        snprintf(message, sizeof message, "the build plan of %.300s has no profile %.100s", tree, profile);
        refuse_at_once(verdict, profile, CUPEL_REASON_PROFILE_UNKNOWN, message);
    } else {
        const cupel_verdict_request request = {.profile = found, .run_directory = run_directory, .build = plan.build};
        cupel_verdict_evaluate(&request, verdict);
    }
    cupel_plan_free(&plan);
}

static void suite_free(cupel_verdict_suite *suite)
{
    for (size_t i = 0; i < suite->case_count; ++i) {
        free(suite->cases[i].id);
        free(suite->cases[i].worst_at);
        json_decref(suite->cases[i].claims);
        free(suite->cases[i].message);
    }
    free(suite->cases);
    free(suite->test);
    free(suite->suite);
    free(suite->linkage);
    free(suite->executable);
    free(suite->build_id);
    free(suite->source_id);
}

void cupel_verdict_free(cupel_verdict *verdict)
{
    for (size_t i = 0; i < verdict->suite_count; ++i) {
        suite_free(&verdict->suites[i]);
    }
    for (size_t i = 0; i < verdict->file_count; ++i) {
        free(verdict->files[i].name);
    }
    free(verdict->suites);
    free(verdict->files);
    free(verdict->profile);
    free(verdict->backend);
    free(verdict->run);
    free(verdict->nonce);
    free(verdict->started);
    json_decref(verdict->unsupported);
    json_decref(verdict->device);
    json_decref(verdict->probes);
    json_decref(verdict->environment);
    cupel_findings_free(&verdict->findings);
    *verdict = (cupel_verdict){0};
}
