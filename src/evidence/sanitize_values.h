// SPDX-License-Identifier: Apache-2.0
// What the sanitiser knows: the values that it found, the words that it keeps, and how a value is recognised. Internal to
// src/evidence.
#ifndef EVIDENCE_SANITIZE_VALUES_H
#define EVIDENCE_SANITIZE_VALUES_H

#include "sanitize_find.h"

typedef struct evidence_value {
    evidence_kind kind;
    char *text;
    size_t length;
    bool is_digits;     // a UUID or MAC address, found by its hexadecimal digits alone
    bool is_everywhere; // replaced wherever it stands alone; otherwise only where its place says what it is
    size_t number;      // of its kind, from 1
    size_t occurrences; // replaced so far
} evidence_value;

// Words that an attempt itself consists of: an account or host of that name goes only where its place says that it is one. Starts
// as {0}; free with evidence_words_free.
typedef struct evidence_words {
    char **items; // sorted, in small letters
    size_t count;
    size_t capacity;
    bool lost;
} evidence_words;

// Adds every word (letters and digits) of the text.
void evidence_words_add(evidence_words *words, const char *text, size_t length);
// True for these words and for those that every tool prints; capitals are small letters.
bool evidence_words_hold(const evidence_words *words, const char *text, size_t length);
void evidence_words_free(evidence_words *words);

// Values that name nobody and nothing: "root", "localhost", loopback addresses, "/tmp".
bool evidence_is_common(const char *text, size_t length);

// A value without what only says what it is: "GPU-" of a UUID, "0x" of its digits, the slash at the end of a path.
void evidence_value_trim(evidence_kind kind, const char **text, size_t *length);

// True when there is nothing to remove: no text, a common value, digits that are all the same.
bool evidence_value_is_void(evidence_kind kind, const char *text, size_t length);
// True when the text consists of hexadecimal digits and separators.
bool evidence_is_hex_written(const char *text, size_t length);

// True when the value is long and unlike enough to be replaced wherever it stands.
bool evidence_value_is_telling(const evidence_words *words, evidence_kind kind, const char *text, size_t length);

// How many bytes at `at` are the value, in whatever form it is written there; 0 when they are not.
size_t evidence_value_match(const evidence_value *value, const char *at);

#endif
