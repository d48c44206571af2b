// SPDX-License-Identifier: Apache-2.0
// The run that a suite belongs to: opened by the device test, bound to one ctest process, closed by the verdict.
#ifndef CUPEL_OPEN_RUN_H
#define CUPEL_OPEN_RUN_H

#include "ancestry.h"

#include <jansson.h>

#define CUPEL_NONCE_HEX 32

typedef struct cupel_open_run {
    json_t *document; // owns the strings
    const char *run;
    const char *nonce;
    const char *profile;
    const char *directory;
    pid_t ctest_pid;
    uint64_t ctest_start;
} cupel_open_run;

// Reads <tree>/cupel/<profile>/open.json. False with a sentence in `reason`; an absent file is "no run is open".
bool cupel_open_run_read(const char *tree, const char *profile, cupel_open_run *run, char *reason, size_t size);
// Reads the run and refuses it unless the ctest process that opened it is an ancestor of this one and its command line selects
// whole profiles.
bool cupel_open_run_join(const char *tree, const char *profile, cupel_open_run *run, char *reason, size_t size);
void cupel_open_run_free(cupel_open_run *run);
// "<directory>/<name>" in memory that the caller frees. Never null: ends the process when memory runs out.
char *cupel_path(const char *directory, const char *name);

#endif
