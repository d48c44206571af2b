// SPDX-License-Identifier: Apache-2.0
// Attempts that one command made: each is checked, and what they say of each other must agree.
#ifndef CUPEL_RECEIPT_LANES_H
#define CUPEL_RECEIPT_LANES_H

#include "reasons.h"

#include <jansson.h>
#include <limits.h>
#include <stddef.h>

// One attempt under check.
typedef struct cupel_checked {
    char directory[PATH_MAX];
    json_t *receipt; // as stored, null when unreadable
    cupel_findings findings;
} cupel_checked;

// Checks the attempt in `directory` by itself. Release with cupel_checked_free.
void cupel_checked_read(cupel_checked *attempt, const char *directory);
void cupel_checked_free(cupel_checked *attempt);

// Holds the attempts against each other: those of one command are all here, of one source and toolchain, and ran one after another;
// the earlier ones of a profile are those that the later ones name. Each gets the findings of its own.
void cupel_lanes_bind(cupel_checked *attempts, size_t count);

// Checks one attempt as `cupel receipt check` does with all of its command: the others are looked for in the same folder. Findings
// of another attempt have "<its directory>: " before their subjects. The receipt as evidence_attempt_check returns it.
json_t *cupel_lanes_check(const char *directory, cupel_findings *findings);

#endif
