// SPDX-License-Identifier: Apache-2.0
#include "receipt.h"

#include "attempt.h"
#include "evidence_file.h"

#include <string.h>

static json_t *resource(const char *name, const char *sha256)
{
    return json_pack("{s:s, s:{s:s}}", "name", name, "digest", "sha256", sha256);
}

// The executables that the plan names. One that cannot be read has no digest and so is no subject; the verdict has its reason.
static json_t *subjects_make(const cupel_verdict *verdict)
{
    json_t *subjects = json_array();
    for (size_t i = 0; i < verdict->suite_count; ++i) {
        const cupel_verdict_suite *suite = &verdict->suites[i];
        const char *slash = strrchr(suite->executable, '/');
        char hex[CUPEL_SHA256_HEX];
        if (cupel_file_sha256(suite->executable, hex, NULL)) {
            json_array_append_new(subjects, resource(slash != NULL ? slash + 1 : suite->executable, hex));
        }
    }
    return subjects;
}

// "test/case" for each case that was recorded as passed, or for each that was not.
static json_t *cases_make(const cupel_verdict *verdict, bool passed)
{
    json_t *names = json_array();
    for (size_t s = 0; s < verdict->suite_count; ++s) {
        const cupel_verdict_suite *suite = &verdict->suites[s];
        for (size_t c = 0; c < suite->case_count; ++c) {
            if (suite->cases[c].passed == passed) {
                json_array_append_new(names, json_sprintf("%s/%s", suite->test, suite->cases[c].id));
            }
        }
    }
    return names;
}

static json_t *configuration_make(const cupel_verdict *verdict)
{
    json_t *configuration = json_array();
    if (verdict->manifest_sha256[0] != '\0') {
        json_array_append_new(configuration, resource("manifest", verdict->manifest_sha256));
    }
    return configuration;
}

json_t *evidence_receipt_tests(const cupel_verdict *verdict)
{
    return json_pack("{s:o, s:o, s:o}", "configuration", configuration_make(verdict), "passedTests", cases_make(verdict, true),
                     "failedTests", cases_make(verdict, false));
}

json_t *evidence_receipt_of(const cupel_verdict *verdict, const evidence_receipt_parts *parts)
{
    json_t *own = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:O}", "schema", EVIDENCE_RECEIPT_SCHEMA, "tool", parts->tool,
                            "profile", verdict->profile, "backend", verdict->backend, "run", verdict->run, "nonce", verdict->nonce,
                            "started", verdict->started, "finished", parts->finished, "verdict", parts->verdict);
    json_t *predicate = evidence_receipt_tests(verdict);
    json_object_set_new(predicate, "result", json_string(verdict->status == CUPEL_PASS ? "PASSED" : "FAILED"));
    json_object_set_new(predicate, "cupel", own);
    return json_pack("{s:s, s:O, s:s, s:o}", "_type", EVIDENCE_STATEMENT_TYPE, "subject", parts->subjects, "predicateType",
                     EVIDENCE_PREDICATE_TYPE, "predicate", predicate);
}

json_t *evidence_receipt_make(const cupel_verdict *verdict, const char *tool_version)
{
    char finished[24];
    evidence_utc_now(finished);
    const evidence_receipt_parts parts = {
        .subjects = subjects_make(verdict), .verdict = cupel_verdict_to_json(verdict), .tool = tool_version, .finished = finished};
    json_t *receipt = evidence_receipt_of(verdict, &parts);
    json_decref(parts.subjects);
    json_decref(parts.verdict);
    return receipt;
}
