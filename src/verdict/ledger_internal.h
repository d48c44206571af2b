// SPDX-License-Identifier: Apache-2.0
// The state of reading one ledger, shared by its parts. Internal to the ledger reader.
#ifndef CUPEL_LEDGER_INTERNAL_H
#define CUPEL_LEDGER_INTERNAL_H

#include "ledger.h"
#include "members.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

typedef enum cupel_ledger_state { BEFORE_OPEN, BETWEEN_CASES, INSIDE_CASE, AFTER_CLOSE, AFTER_EXIT } cupel_ledger_state;

typedef struct cupel_ledger_reader {
    cupel_ledger *ledger;
    cupel_findings *findings;
    const char *subject;
    const char *nonce; // null: not compared
    bool nonce_differs;
    bool schema_before; // it is of the schema's version before this one
    cupel_ledger_state state;
    size_t line;
    size_t capacity; // of ledger->cases
    // What the lines add up to.
    uint64_t passed;
    uint64_t failed;
    uint64_t values;
    bool damaged; // an end event could not be read, so that they add up to less
} cupel_ledger_reader;

// A fault of the line that is being read.
void cupel_ledger_fault(cupel_ledger_reader *reader, cupel_reason reason, const char *what, const char *detail);

// Reads the members of one event besides "event" and "nonce", which every event has.
bool cupel_ledger_members(cupel_ledger_reader *reader, json_t *event, const cupel_member *members, size_t count, void *target);

void cupel_ledger_begin_read(cupel_ledger_reader *reader, json_t *event);
void cupel_ledger_end_read(cupel_ledger_reader *reader, json_t *event);

#endif
