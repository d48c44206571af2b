// SPDX-License-Identifier: Apache-2.0
// One suite's cases: manifest, ledger and report, each compared with each.
#include "rules.h"

#include "claims.h"

#include <math.h>
#include <string.h>

__attribute__((format(printf, 5, 6))) static void case_fault(cupel_evidence *evidence, const cupel_suite_evidence *suite,
                                                             const char *id, cupel_reason reason, const char *format, ...)
{
    char subject[256];
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(subject, sizeof subject, "%.120s/%.120s", suite->plan->test, id);
    cupel_findings_add(evidence->findings, reason, subject, "%s", text);
}

static void floors_judge(cupel_evidence *evidence, const cupel_suite_evidence *suite, const cupel_manifest_case *entry,
                         const cupel_ledger_case *record)
{
    if (record->values < entry->values) {
        case_fault(evidence, suite, entry->id, CUPEL_REASON_VALUES_BELOW_FLOOR, "it compared %llu values, the floor is %llu",
                   (unsigned long long)record->values, (unsigned long long)entry->values);
    }
    // Building a program shows that its text compiles, no more.
    const char *launched = record->kernels == 0 && record->programs > 0 ? "was compiled, not launched: it launched" : "launched";
    const struct {
        cupel_reason reason;
        const char *did;
        const char *unit;
        uint64_t count;
        cupel_manifest_range allowed;
    } counters[] = {{CUPEL_REASON_LAUNCHES_OUTSIDE, launched, "kernels", record->kernels, entry->launches},
                    {CUPEL_REASON_TRANSFERS_OUTSIDE, "uploaded", "bytes", record->bytes_uploaded, entry->uploaded},
                    {CUPEL_REASON_TRANSFERS_OUTSIDE, "downloaded", "bytes", record->bytes_downloaded, entry->downloaded}};
    for (size_t i = 0; i < sizeof counters / sizeof counters[0]; ++i) {
        const cupel_manifest_range *allowed = &counters[i].allowed;
        if (allowed->limited && (counters[i].count < allowed->least || counters[i].count > allowed->most)) {
            case_fault(evidence, suite, entry->id, counters[i].reason, "it %s %llu %s, allowed are %llu to %llu", counters[i].did,
                       (unsigned long long)counters[i].count, counters[i].unit, (unsigned long long)allowed->least,
                       (unsigned long long)allowed->most);
        }
    }
}

// A passed case needs a bound that bounds, and an error that is within it. Written so that NaN refuses.
static void error_judge(cupel_evidence *evidence, const cupel_suite_evidence *suite, const cupel_ledger_case *record)
{
    bool bounds = record->bound >= 0.0 && record->bound < (double)INFINITY;
    if (!bounds) {
        case_fault(evidence, suite, record->id, CUPEL_REASON_BOUND_INVALID, "its bound is %a", record->bound);
    } else if (!(record->worst_error >= 0.0 && record->worst_error <= record->bound)) {
        case_fault(evidence, suite, record->id, CUPEL_REASON_ERROR_ABOVE_BOUND, "worst error %a %s at %s, bound %a",
                   record->worst_error, record->worst_unit, record->worst_at, record->bound);
    }
}

// The case claims the fields of its manifest line, each once, and no others.
static void claims_judge(cupel_evidence *evidence, const cupel_suite_evidence *suite, const cupel_manifest_case *entry,
                         const cupel_ledger_case *record)
{
    const char *field = NULL;
    json_t *outcome = NULL;
    const char *at = entry->claims;
    while (at != NULL && *at != '\0') {
        size_t length = strcspn(at, ",");
        char name[128];
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        if (json_object_get(record->claims, name) == NULL) {
            case_fault(evidence, suite, record->id, CUPEL_REASON_CLAIM_INVALID, "it does not claim %s", name);
        }
        at += length + (at[length] == ',');
    }
    json_object_foreach(record->claims, field, outcome)
    {
        if (!cupel_claims_listed(entry->claims, field)) {
            case_fault(evidence, suite, record->id, CUPEL_REASON_CLAIM_INVALID, "it claims %s, which the manifest does not list",
                       field);
        } else if (!cupel_claims_allowed(record->id, field, json_string_value(outcome))) {
            case_fault(evidence, suite, record->id, CUPEL_REASON_CLAIM_INVALID, "it claims %s %s", field,
                       json_string_value(outcome));
        }
    }
}

static void record_judge(cupel_evidence *evidence, const cupel_suite_evidence *suite, const cupel_ledger_case *record)
{
    const cupel_manifest_case *entry = evidence->has_manifest ? cupel_manifest_find(&evidence->manifest, record->id) : NULL;
    bool last = record == &suite->ledger.cases[suite->ledger.count - 1];
    if (evidence->has_manifest && (entry == NULL || !entry->runs)) {
        case_fault(evidence, suite, record->id, CUPEL_REASON_CASE_UNEXPECTED, "%s",
                   entry == NULL ? "the manifest does not have it" : "the manifest declares it unsupported");
    }
    if (evidence->has_manifest && !cupel_case_in_suite(record->id, suite->plan->suite)) {
        case_fault(evidence, suite, record->id, CUPEL_REASON_CASE_UNEXPECTED, "it is no case of suite %s", suite->plan->suite);
    }
    if (!record->finished) {
        if (!record->damaged && last) {
            case_fault(evidence, suite, record->id, CUPEL_REASON_CASE_UNFINISHED, "it began and never ended");
        }
        return;
    }
    if (!record->passed) {
        case_fault(evidence, suite, record->id, CUPEL_REASON_CASE_FAILED, "%s", record->message);
        return;
    }
    error_judge(evidence, suite, record);
    if (entry != NULL && entry->runs) {
        floors_judge(evidence, suite, entry, record);
        claims_judge(evidence, suite, entry, record);
    }
}

static void missing_judge(cupel_evidence *evidence, const cupel_suite_evidence *suite)
{
    for (size_t i = 0; i < evidence->manifest.count; ++i) {
        const cupel_manifest_case *entry = &evidence->manifest.cases[i];
        if (!entry->runs || !cupel_case_in_suite(entry->id, suite->plan->suite) ||
            cupel_ledger_find(&suite->ledger, entry->id) != NULL) {
            continue;
        }
        case_fault(evidence, suite, entry->id, suite->ended_early ? CUPEL_REASON_CASE_NOT_REACHED : CUPEL_REASON_CASE_MISSING, "%s",
                   suite->ended_early ? "the process ended before" : "the ledger does not have it");
    }
}

static const cupel_reported_case *reported_find(const cupel_suite_evidence *suite, const char *name)
{
    for (size_t i = 0; i < suite->reported_count; ++i) {
        if (strcmp(suite->reported[i].name, name) == 0) {
            return &suite->reported[i];
        }
    }
    return NULL;
}

static void report_compare(cupel_evidence *evidence, const cupel_suite_evidence *suite)
{
    for (size_t i = 0; i < suite->ledger.count; ++i) {
        const cupel_ledger_case *record = &suite->ledger.cases[i];
        const cupel_reported_case *reported = reported_find(suite, record->id);
        if (record->damaged) {
            continue;
        }
        if (reported == NULL) {
            case_fault(evidence, suite, record->id, CUPEL_REASON_CASE_CONTRADICTION, "the ledger has it, the report does not");
        } else if ((reported->outcome == CUPEL_JUNIT_PASSED) != (record->finished && record->passed)) {
            case_fault(evidence, suite, record->id, CUPEL_REASON_CASE_CONTRADICTION, "the ledger says %s, the report %s",
                       !record->finished ? "unfinished"
                       : record->passed  ? "passed"
                                         : "failed",
                       cupel_junit_outcome_word(reported->outcome));
        }
    }
    for (size_t i = 0; i < suite->reported_count; ++i) {
        if (cupel_ledger_find(&suite->ledger, suite->reported[i].name) == NULL) {
            case_fault(evidence, suite, suite->reported[i].name, CUPEL_REASON_CASE_CONTRADICTION,
                       "the report has it, the ledger does not");
        }
    }
}

void cupel_rules_cases(cupel_evidence *evidence, cupel_suite_evidence *suite)
{
    for (size_t i = 0; suite->has_ledger && i < suite->ledger.count; ++i) {
        if (suite->ledger.cases[i].id != NULL) {
            record_judge(evidence, suite, &suite->ledger.cases[i]);
        }
    }
    // Without a ledger every case is missing, and that is told once, for the ledger.
    if (suite->has_ledger && evidence->has_manifest) {
        missing_judge(evidence, suite);
    }
    if (suite->has_ledger && suite->has_report) {
        report_compare(evidence, suite);
    }
}
