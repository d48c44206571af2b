// SPDX-License-Identifier: Apache-2.0
// Removes from text what names a person, a machine or a secret. The same value always becomes the same placeholder,
// "[kind-number]", also where it is written in other case, or a UUID or MAC address with other separators, none, or a prefix.
#ifndef EVIDENCE_SANITIZE_H
#define EVIDENCE_SANITIZE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct evidence_value {
    const char *kind; // "account", "address", "host", "mac", "path", "pid", "secret", "serial", "uuid", "email"
    char *text;
    size_t length;
    bool is_digits;     // a UUID or MAC address, found by its hexadecimal digits alone
    size_t number;      // of its kind, from 1
    size_t occurrences; // replaced so far
} evidence_value;

// Starts as {0}. Values found in all files are collected first, then every file is rewritten.
typedef struct evidence_sanitizer {
    evidence_value *values;
    size_t count;
    size_t capacity;
    bool lost; // memory ran out: nothing may be published
} evidence_sanitizer;

// Adds a value that is known beforehand, such as the path of the build tree. Values too short or too common to name anything ("/",
// "root", "localhost") are left alone.
void evidence_sanitizer_know(evidence_sanitizer *sanitizer, const char *kind, const char *text);
// Adds the account, home and host of this very process, and the values of its environment whose names speak of secrets.
void evidence_sanitizer_know_here(evidence_sanitizer *sanitizer);
// Adds every value that the text's form gives away: UUIDs, MAC and network addresses, serial numbers, homes, tokens, process ids.
void evidence_sanitizer_scan(evidence_sanitizer *sanitizer, const char *text);

// The text with all known values replaced (free it). Null when memory ran out.
char *evidence_sanitizer_apply(evidence_sanitizer *sanitizer, const char *text);
// A value that still stands in the text, null when there is none. Process ids are numbers like any other and are not looked for.
const evidence_value *evidence_sanitizer_find(const evidence_sanitizer *sanitizer, const char *text);

// {kind: {"values": n, "occurrences": n}}. A new reference.
json_t *evidence_sanitizer_counts(const evidence_sanitizer *sanitizer);
void evidence_sanitizer_free(evidence_sanitizer *sanitizer);

#endif
