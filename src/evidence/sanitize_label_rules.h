// SPDX-License-Identifier: Apache-2.0
// Which names say what stands beside them. Internal to src/evidence.
#ifndef EVIDENCE_SANITIZE_LABEL_RULES_H
#define EVIDENCE_SANITIZE_LABEL_RULES_H

#include "sanitize_find.h"

enum { EVIDENCE_LABEL_MAX = 96 };

// A label in its form for comparing: words in small letters with one blank between them; also how it was written.
typedef struct evidence_label {
    char words[EVIDENCE_LABEL_MAX];
    bool is_option; // "--name"
    bool is_loud;   // no small letter
    bool is_quoted; // "name" of a JSON member, or the name of an XML element
} evidence_label;

// The kind of the value that stands at `at` after this label, where it begins (after a quote and the like) and its length. The sign
// between them is "=", ":", '>' of an XML element or ' ' after an option. False when nothing is to be removed.
bool evidence_label_value(const evidence_label *label, char sign, const char *at, evidence_span *value);

// More names after a comma, as in "--host a:4,b:4": where the next one begins after `at`, and its length; 0 when there is none.
size_t evidence_label_next_name(const char *at, size_t *length);

// The label that these bytes spell.
void evidence_label_make(const char *start, const char *end, evidence_label *made);

#endif
