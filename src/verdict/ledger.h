// SPDX-License-Identifier: Apache-2.0
// The ledger (docs/formats.md): what one suite's process wrote about itself and its cases, line by line.
#ifndef CUPEL_LEDGER_H
#define CUPEL_LEDGER_H

#include "records.h"

typedef struct cupel_ledger_case {
    char *id;
    size_t line;   // of its begin event
    bool damaged;  // its end event has a fault that was reported
    bool finished; // a good end event exists; the members below are valid then
    bool passed;
    uint64_t values;
    uint64_t bytes_compared;
    double worst_error;
    double bound;
    char worst_unit[8]; // "bits", "ulp" or "bound"
    char *worst_at;
    uint64_t differing_bits;
    uint64_t kernels;
    uint64_t bytes_uploaded;
    uint64_t bytes_downloaded;
    uint64_t programs;
    double seconds;
    char *message;
    json_t *claims; // field: outcome, texts; null when the case claims nothing
} cupel_ledger_case;

typedef struct cupel_ledger {
    json_t *open; // the open event, owner of the strings and objects below
    const char *schema;
    const char *run;
    const char *profile;
    const char *suite;
    const char *linkage;
    const char *test;
    const char *backend;
    const char *expected_backend;
    const char *build_id;
    const char *source_id;
    json_t *device_object;
    cupel_device_identity device;
    json_t *environment;
    uint64_t pid;
    uint64_t case_count; // how many cases the process meant to run
    cupel_ledger_case *cases;
    size_t count;
    json_t *places; // case id: place of its first record in `cases`; for cupel_ledger_find
    bool refused;   // the process refused to run its cases and said why; then there is no open event
    bool cut;       // it ends in the middle of a line, so that what should follow is missing
    bool closed;
    int64_t uncorrected_errors; // of the device when it was closed; -1: unknown
    bool has_exit;              // the supervisor's last line; the members below are valid then
    uint64_t exit_status;
    uint64_t exit_signal; // 0: none
    bool timed_out;
    double exit_seconds;
    char report_sha256[65];              // of the report that the process left, "" when it left none
    uint64_t host_peak_rss_bytes;        // of the suite's process
    uint64_t device_bytes_peak;          // most that the core's arrays held at one time; 0 before the close event
    bool tells_reserved;                 // false before the close event and in version 2 of the schema
    uint64_t device_bytes_reserved_peak; // most that the backend held for them, never less
    int64_t modified;                    // of the file, seconds since 1970
    uint64_t bytes;
    char sha256[65];
} cupel_ledger;

// Reads a ledger line by line. Faults of form, order, totals and the nonce are added to `findings` with the line in the text and
// `subject`, or "<subject>/<case>", as their subject. False when the file is not a ledger at all (missing, or no valid open
// line), and then *ledger is {0} but for `refused`. Cases before a fault are kept. That a ledger is not closed, or has no exit
// line, is left to the caller. `nonce` null: not compared.
bool cupel_ledger_read(const char *path, const char *subject, const char *nonce, cupel_ledger *ledger, cupel_findings *findings);
void cupel_ledger_free(cupel_ledger *ledger);

// Null when the ledger has no such case.
const cupel_ledger_case *cupel_ledger_find(const cupel_ledger *ledger, const char *id);

#endif
