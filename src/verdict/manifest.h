// SPDX-License-Identifier: Apache-2.0
// The manifest (docs/formats.md): which cases a backend runs, with their floors, and which it cannot run.
#ifndef CUPEL_MANIFEST_H
#define CUPEL_MANIFEST_H

#include "reasons.h"

#include <stdint.h>

// What one counter of a case may be.
typedef struct cupel_manifest_range {
    bool limited; // false: anything
    uint64_t least;
    uint64_t most;
} cupel_manifest_range;

typedef struct cupel_manifest_case {
    const char *id;
    bool runs;       // false: an `unsupported` line
    uint64_t values; // least number of compared values; of a `run` line
    cupel_manifest_range launches;
    cupel_manifest_range uploaded;   // bytes
    cupel_manifest_range downloaded; // bytes
    const char *claims;              // of a `run` line: the fields that the case must claim, separated by commas; null: none
    const char *probe;               // of an `unsupported` line: the probe of the device record that must report the absence
    const char *reason;              // of an `unsupported` line
    size_t line;
} cupel_manifest_case;

// Cases in byte order of their ids. Strings belong to the manifest and live until cupel_manifest_free.
typedef struct cupel_manifest {
    char *storage;
    cupel_manifest_case *cases;
    size_t count;
    size_t run_count;
    char sha256[65];
} cupel_manifest;

// Reads and checks the file. Every fault is added to `findings` with the file and line; false when there was one, and then
// *manifest is {0}.
bool cupel_manifest_read(const char *path, cupel_manifest *manifest, cupel_findings *findings);
void cupel_manifest_free(cupel_manifest *manifest);

// Null when the manifest has no such case.
const cupel_manifest_case *cupel_manifest_find(const cupel_manifest *manifest, const char *id);

// True when the first component of the case id is `suite`.
bool cupel_case_in_suite(const char *id, const char *suite);

// True when a later component of the case id is `word`.
bool cupel_case_has_word(const char *id, const char *word);

#endif
