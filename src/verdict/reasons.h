// SPDX-License-Identifier: Apache-2.0
// Reason codes (reasons.def) and lists of findings: every reason that was found, each with what it is about.
#ifndef CUPEL_REASONS_H
#define CUPEL_REASONS_H

#include "status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum cupel_reason {
#define CUPEL_REASON_SECTION(title)
#define CUPEL_REASON(identifier, code, status, sentence, action) CUPEL_REASON_##identifier,
#include "reasons.def"
#undef CUPEL_REASON
#undef CUPEL_REASON_SECTION
    CUPEL_REASON_COUNT
} cupel_reason;

typedef struct cupel_reason_info {
    const char *code;     // "case-missing": in receipts, messages and docs/refusals.md
    cupel_status status;  // never CUPEL_PASS
    const char *sentence; // what is wrong
    const char *action;   // what to do
} cupel_reason_info;

const cupel_reason_info *cupel_reason_get(cupel_reason reason);

// Finds a reason by its code. False when there is none.
bool cupel_reason_find(const char *code, cupel_reason *reason);

// One reason, found. `subject` is the case, test or file it is about ("" when it is about the whole); `text` says what exactly
// was found, without a final newline.
typedef struct cupel_finding {
    cupel_reason reason;
    char *subject;
    char *text;
} cupel_finding;

// All that was found, in the order found. Starts as {0}. When memory runs out `lost` is set and the status is CUPEL_REFUSED,
// so that a finding that could not be stored still refuses.
typedef struct cupel_findings {
    cupel_finding *items;
    size_t count;
    size_t capacity;
    bool lost;
} cupel_findings;

void cupel_findings_add(cupel_findings *findings, cupel_reason reason, const char *subject, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// Moves all findings of `from` to the end of `to`; `from` is empty afterwards.
void cupel_findings_move(cupel_findings *to, cupel_findings *from);
// The same for those whose reason and subject `to` does not have yet; the others are dropped.
void cupel_findings_join(cupel_findings *to, cupel_findings *from);

// CUPEL_PASS when nothing was found, else refused before failed before not run.
cupel_status cupel_findings_status(const cupel_findings *findings);

size_t cupel_findings_count(const cupel_findings *findings, cupel_reason reason);

// Prints one line a finding: `code: subject: text`, then what to do once for each code. `limit` findings of one code are
// printed in full and the rest is counted; 0 means no limit.
void cupel_findings_print(const cupel_findings *findings, size_t limit, FILE *out);

void cupel_findings_free(cupel_findings *findings);

#endif
