// SPDX-License-Identifier: Apache-2.0
// The verdict on one run of one profile: plan, manifest, ledgers, reports and device record compared in both directions.
//
// No exit status, counter or label is trusted; everything is recomputed from the files. Every reason not to qualify is found and
// kept, not only the first. The status follows from the reasons alone: refused before failed before not run; no reason: PASS.
#ifndef CUPEL_VERDICT_H
#define CUPEL_VERDICT_H

#include "junit.h"
#include "ledger.h"
#include "plan.h"

typedef struct cupel_verdict_request {
    const cupel_plan_profile *profile;
    const char *run_directory;
    const char *build;    // the build tree whose sources.sha256 the source ids must be of; null: not compared
    const char *manifest; // null: the profile's own
    bool offline;         // a kept run is checked again: executables are not read, file times and folder names not compared
} cupel_verdict_request;

typedef struct cupel_verdict_case {
    char *id;
    bool expected; // the manifest lists it to run
    bool recorded; // the ledger has an end event; the members below are valid then
    bool passed;   // recorded as passed, and no reason names this case
    uint64_t values;
    uint64_t bytes_compared;
    double worst_error;
    double bound;
    char worst_unit[8];
    char *worst_at;
    uint64_t differing_bits;
    uint64_t kernels;
    double seconds;
    char *message;  // of the ledger, or of the first reason that names the case; "" when passed
    json_t *claims; // field: outcome, texts; null when the case claims nothing
} cupel_verdict_case;

typedef struct cupel_verdict_suite {
    char *test;
    char *suite;
    char *linkage;
    char *executable;
    char *build_id; // "" when the ledger has none
    char *source_id;
    cupel_verdict_case *cases; // those that the manifest expects and those found, in byte order
    size_t case_count;
    double seconds;
    uint64_t host_peak_rss_bytes;        // of the suite's process; 0 when unknown
    uint64_t device_bytes_peak;          // most that the core's arrays held on the device at one time; 0 when unknown
    bool tells_reserved;                 // the ledger says the next one
    uint64_t device_bytes_reserved_peak; // most of the device's memory that the backend held for them
} cupel_verdict_suite;

typedef struct cupel_verdict_file {
    char *name; // within the run directory
    uint64_t bytes;
    char sha256[CUPEL_SHA256_HEX];
} cupel_verdict_file;

// Cases are counted once for each suite executable, so a case that runs static and shared counts twice.
typedef struct cupel_verdict_counts {
    uint64_t expected;
    uint64_t passed;
    uint64_t failed;      // recorded, not passed
    uint64_t missing;     // expected, not recorded
    uint64_t unexpected;  // recorded, not expected
    uint64_t unsupported; // manifest lines
    uint64_t values;      // compared
    uint64_t bytes_compared;
    uint64_t kernels; // launched
} cupel_verdict_counts;

typedef struct cupel_verdict {
    cupel_status status;
    char *profile;
    char *backend;
    char *run;   // "" when unknown
    char *nonce; // "" when unknown
    char *started;
    cupel_verdict_counts counts;
    cupel_verdict_suite *suites;
    size_t suite_count;
    cupel_verdict_file *files; // read by the verdict, in byte order
    size_t file_count;
    char manifest_sha256[CUPEL_SHA256_HEX]; // "" when not read
    json_t *unsupported;                    // [{"case", "probe", "reason"}], null when the manifest has no such line
    json_t *device;                         // the object of device.json, null when there is none
    json_t *probes;
    json_t *environment;
    cupel_findings findings;
} cupel_verdict;

// Computes the verdict. Never fails: what cannot be read is a reason. Release with cupel_verdict_free.
void cupel_verdict_evaluate(const cupel_verdict_request *request, cupel_verdict *verdict);

// The same for a profile of the plan of a build tree; an unreadable plan or an unknown profile is a reason.
void cupel_verdict_evaluate_tree(const char *tree, const char *profile, const char *run_directory, cupel_verdict *verdict);

// Members for the receipt: {"status","word","counts","reasons":[{"code","status","subject","text","action"}],"suites","files",
// "device","probes","environment","manifest_sha256"}. A new reference; null when memory ran out.
json_t *cupel_verdict_to_json(const cupel_verdict *verdict);

// Merged JUnit: one suite for each executable, and a suite "verdict" with one failing case for each reason of the whole run, so
// that a missing device or a crash is a failing case for every reader. False with errno; writes to `path` by rename.
bool cupel_verdict_write_junit(const cupel_verdict *verdict, const char *path);
// The same to a file that is open; it stays open. False with errno.
bool cupel_verdict_put_junit(const cupel_verdict *verdict, FILE *out);
// The same of several verdicts in one report.
bool cupel_verdicts_write_junit(const cupel_verdict *const *verdicts, size_t count, const char *path);

// Prints the reasons and the last line: "cuda: PASS 120/120", "cuda: FAIL 118/120", "cuda: NOT RUN", "cuda: REFUSED".
void cupel_verdict_print(const cupel_verdict *verdict, FILE *out);

void cupel_verdict_free(cupel_verdict *verdict);

#endif
