// SPDX-License-Identifier: Apache-2.0
// A suite's process: options, the supervisor above it, and the run of its cases. Internal to src/harness.
#ifndef CUPEL_SUITE_H
#define CUPEL_SUITE_H

#include "ledger_writer.h"
#include "open_run.h"

// What the target says of the executable; a generated source defines it (cmake/CupelSuite.cmake).
extern const char cupel_expected_backend[];
extern const char cupel_linkage[];
extern const char cupel_source_id[];

typedef struct cupel_options {
    const char *profile, *tree, *test; // as called by ctest
    const char *case_id;               // development
    const char *device;                // selector
    bool list;
    long timeout_seconds; // 0: none
} cupel_options;

// One process runs one CMocka group. `ledger` has file -1 for --case. Returns 0 only when every case ran and passed.
int cupel_suite_run(cupel_context *context, const cupel_case *const *cases, size_t count, const char *group,
                    cupel_ledger_writer *ledger);

// False, with a sentence, when this executable was linked with the library of another backend than its target says.
bool cupel_suite_backend_check(char *reason, size_t size);

// Runs the whole suite for ctest: joins the open run, then a child runs the cases while this process watches over it. 0 or 1.
int cupel_suite_supervise(const cupel_options *options);
// The child's part. 0 or 1.
int cupel_suite_execute(const cupel_options *options, const cupel_open_run *run, json_t *environment);

#endif
