// SPDX-License-Identifier: Apache-2.0
// The rules of the verdict, one file each kind of evidence. Internal to src/verdict.
#ifndef CUPEL_RULES_H
#define CUPEL_RULES_H

#include "manifest.h"
#include "verdict.h"

// A case as the report of its suite has it.
typedef struct cupel_reported_case {
    char *name;
    cupel_junit_outcome outcome;
} cupel_reported_case;

// Everything that one suite of the plan left behind.
typedef struct cupel_suite_evidence {
    const cupel_plan_suite *plan;
    bool has_ledger;
    cupel_ledger ledger;
    bool has_report;
    cupel_junit_report report;
    char report_suite[128]; // the first suite of the report with a case that is not named as the test; "" when there is none
    cupel_reported_case *reported;
    size_t reported_count;
    size_t reported_capacity;
    bool ended_early; // its process ended before the last case, and something says so
} cupel_suite_evidence;

typedef struct cupel_evidence {
    const cupel_verdict_request *request;
    cupel_verdict *verdict;
    cupel_findings *findings; // the verdict's
    bool has_manifest;
    cupel_manifest manifest;
    bool has_run;
    cupel_run_record run;
    bool has_tests; // tests.json was read
    uint64_t tests_bytes;
    char tests_sha256[CUPEL_SHA256_HEX];
    bool has_device;
    cupel_device_record device;
    bool expects_suites; // nothing kept the suites from running, so each must have left its files
    cupel_suite_evidence *suites;
    size_t suite_count;
} cupel_evidence;

// Reads run record and directory; adds every file to the verdict.
void cupel_rules_run(cupel_evidence *evidence);
// Judges ctest's list of tests, as the device test kept it.
void cupel_rules_tests(cupel_evidence *evidence);
// Judges the variables that a process of the run recorded; `subject` names its record.
void cupel_rules_environment(cupel_evidence *evidence, const json_t *environment, const char *subject);
// Judges the device record and, from it, whether suites must have run.
void cupel_rules_device(cupel_evidence *evidence);
// Compares manifest and plan.
void cupel_rules_manifest(cupel_evidence *evidence);
// Judges one suite: executable, ledger, report.
void cupel_rules_suite(cupel_evidence *evidence, cupel_suite_evidence *suite);
// Compares the source ids of all ledgers with each other and with the build tree's.
void cupel_rules_sources(cupel_evidence *evidence);
// Compares one suite's cases: manifest, ledger and report, each with each.
void cupel_rules_cases(cupel_evidence *evidence, cupel_suite_evidence *suite);

// The name of a file of the run, with its folder.
void cupel_run_path(const cupel_evidence *evidence, const char *name, const char *ending, char path[4096]);

#endif
