// SPDX-License-Identifier: Apache-2.0
// The texts of an attempt that a copy has: all files but receipts and kept executables. Internal to src/evidence.
#ifndef EVIDENCE_PUBLISH_TEXTS_H
#define EVIDENCE_PUBLISH_TEXTS_H

#include "evidence_file.h"

#include <jansson.h>
#include <stddef.h>

typedef struct evidence_text {
    const char *name; // of the file in the attempt; belongs to the receipt
    char *text;       // of attempt.json: without its recorder
} evidence_text;

// Starts as {0}; free with evidence_texts_free.
typedef struct evidence_texts {
    evidence_text *items;
    size_t count;
    json_t *recorder; // of attempt.json; null when it has none
} evidence_texts;

// Executables hold paths and cannot be sanitised: a copy leaves them out.
bool evidence_is_left_out(const char *name);

// Reads the files that the receipt names. A file with a zero byte is refused. False after a sentence in `message`.
bool evidence_texts_read(const char *directory, const json_t *files, evidence_texts *texts, char message[EVIDENCE_MESSAGE]);
void evidence_texts_free(evidence_texts *texts);

#endif
