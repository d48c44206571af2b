// SPDX-License-Identifier: Apache-2.0
// Removes from text what names a person, a machine or a secret. The same value always becomes the same placeholder,
// "[kind-number]", also where it is written in other case, or a UUID or MAC address with other separators, none, or a prefix.
//
// A value that is long and unlike enough goes wherever it stands. One that is short, a number or an ordinary word ("vm", 4711, an
// account "test") goes only where its place says what it is, and the same word stays elsewhere.
#ifndef EVIDENCE_SANITIZE_H
#define EVIDENCE_SANITIZE_H

#include "sanitize_values.h"

#include <jansson.h>

// Starts as {0}. Words that stay and values found in all files are collected first, then every file is rewritten.
typedef struct evidence_sanitizer {
    evidence_value *values;
    size_t count;
    size_t capacity;
    evidence_words words;
    evidence_frame_set *frames; // lent by the caller, for many texts or sanitisers; may be null
    bool lost;                  // memory ran out: nothing may be published
} evidence_sanitizer;

// Keeps the words of which an attempt consists: the names of JSON members and of what is tested. Comes before values are added.
void evidence_sanitizer_keep(evidence_sanitizer *sanitizer, const char *text, size_t length);
// The same with each name of a member in a JSON text, and each text of the members that name what was tested and on what.
void evidence_sanitizer_keep_members(evidence_sanitizer *sanitizer, const char *text);

// Adds a value that is known beforehand, such as the path of the build tree; null and what names nothing is left alone.
void evidence_sanitizer_know(evidence_sanitizer *sanitizer, evidence_kind kind, const char *text);
// Adds the account, home and host of this very process, and the values of its environment whose names speak of secrets.
void evidence_sanitizer_know_here(evidence_sanitizer *sanitizer);
// Adds every value that the text's form gives away.
void evidence_sanitizer_scan(evidence_sanitizer *sanitizer, const char *text);

// The known value that this text is: one of the same kind, else of another; a process id only one of its own kind. Null when
// unknown.
evidence_value *evidence_sanitizer_value(const evidence_sanitizer *sanitizer, evidence_kind kind, const char *text, size_t length);

// The text with all known values replaced (free it). Null when memory ran out.
char *evidence_sanitizer_apply(evidence_sanitizer *sanitizer, const char *text);

// {kind: {"values": n, "occurrences": n}}. A new reference.
json_t *evidence_sanitizer_counts(const evidence_sanitizer *sanitizer);
void evidence_sanitizer_free(evidence_sanitizer *sanitizer);

#endif
