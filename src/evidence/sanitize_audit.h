// SPDX-License-Identifier: Apache-2.0
// The second opinion on a copy. It collects the values of the originals by itself and looks for them in the copy by other means
// than the sanitiser: no expressions, no finders, no view of the text. It knows fewer forms, but what it knows no copy may hold.
#ifndef EVIDENCE_SANITIZE_AUDIT_H
#define EVIDENCE_SANITIZE_AUDIT_H

#include "sanitize.h"

// A value of an original in the form in which it is looked for.
typedef struct evidence_needle {
    evidence_kind kind;
    char *text; // small letters; of a UUID or MAC address the digits alone
    size_t length;
    bool is_digits;
    bool is_everywhere;
} evidence_needle;

// Starts as {0}; free with evidence_audit_free.
typedef struct evidence_audit {
    evidence_needle *needles;
    size_t count;
    size_t capacity;
    size_t pids; // how many different ones the originals have: in the copy they are numbered from 1
    bool lost;   // memory ran out
} evidence_audit;

// Where a copy still tells something.
typedef struct evidence_leak {
    evidence_kind kind;
    size_t line;     // from 1
    char member[48]; // the JSON member that the value stands in; "" when there is none
} evidence_leak;

// Learns what an original tells: members of JSON that hold such values, and words that have their form.
void evidence_audit_learn(evidence_audit *audit, const char *text);
// Learns the values that the sanitiser found.
void evidence_audit_learn_values(evidence_audit *audit, const evidence_sanitizer *sanitizer);

// True when the copy still holds a value or a form; then *leak says where.
bool evidence_audit_find(const evidence_audit *audit, const char *copy, evidence_leak *leak);
void evidence_audit_free(evidence_audit *audit);

#endif
