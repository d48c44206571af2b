// SPDX-License-Identifier: Apache-2.0
// Writes a ledger (docs/formats.md). Each event goes to the file whole, in one write, before anything else happens: what was
// written survives any end of the process.
#ifndef CUPEL_LEDGER_WRITER_H
#define CUPEL_LEDGER_WRITER_H

#include "context.h"

#include <jansson.h>

typedef struct cupel_ledger_writer {
    int file; // -1: no ledger is kept (--case)
    bool failed;
    const char *nonce;
    uint64_t cases, passed, values; // finished so far
} cupel_ledger_writer;

typedef struct cupel_ledger_head {
    const char *run, *profile, *suite, *linkage, *test, *backend, *expected_backend, *build_id, *source_id;
    json_t *environment; // borrowed
    const nc_device_info *device;
    size_t cases;
} cupel_ledger_head;

// Makes the file (it must not exist) and writes the open event. False with errno.
bool cupel_ledger_create(cupel_ledger_writer *writer, const char *path, const char *nonce, const cupel_ledger_head *head);
// Makes the ledger of a process that refuses to run its cases: one line with a code of src/verdict/reasons.def and a sentence.
bool cupel_ledger_refuse(const char *path, const char *nonce, const char *reason, const char *text);
void cupel_ledger_begin(cupel_ledger_writer *writer, const char *id, size_t sequence);
void cupel_ledger_end(cupel_ledger_writer *writer, const char *id, size_t sequence, bool passed, const cupel_record *record);
// Most of the device's memory that this process had at one time, in bytes.
typedef struct cupel_device_peaks {
    uint64_t allocated; // by the core's arrays, tables and scratch
    uint64_t reserved;  // held by the backend for them; 0 when the driver does not tell
} cupel_device_peaks;
// Writes the close event and the file to disk. Takes `management` (management.h). True when every event was written.
bool cupel_ledger_close(cupel_ledger_writer *writer, const cupel_device_peaks *peaks, json_t *management);

typedef struct cupel_process_end {
    int status; // 0 when a signal ended it
    int signal; // 0: none
    bool timed_out;
    double seconds;
    int64_t peak_rss_bytes; // largest resident set of the process
    char report_sha256[65]; // of the report that it left; "" when there is none
} cupel_process_end;
// Appends the exit event to an existing ledger. Nothing is added to a ledger that is missing or ends in the middle of a line.
bool cupel_ledger_append_exit(const char *path, const char *nonce, const cupel_process_end *end);

// The device as ledgers and device.json describe it. A new reference; null when memory ran out.
json_t *cupel_device_json(const nc_device_info *info);

#endif
