// SPDX-License-Identifier: Apache-2.0
// The begin and end events of a ledger: one record for each case.
#include "ledger_internal.h"

#include "claims.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static void case_fault(cupel_ledger_reader *reader, cupel_reason reason, const char *id, const char *what)
{
    char subject[256];
    snprintf(subject, sizeof subject, "%.120s/%.120s", reader->subject, id);
    cupel_findings_add(reader->findings, reason, subject, "line %zu: %s", reader->line, what);
}

typedef struct case_event {
    const char *id;
    uint64_t sequence;
    const char *outcome;
    const char *worst_unit;
    const char *worst_at;
    const char *message;
    cupel_ledger_case record;
} case_event;

#define CASE_MEMBER(member, name, kind)                                                                                            \
    {                                                                                                                              \
        name, CUPEL_MEMBER_##kind, offsetof(case_event, member)                                                                    \
    }

static cupel_ledger_case *case_append(cupel_ledger_reader *reader)
{
    cupel_ledger *ledger = reader->ledger;
    if (ledger->count == reader->capacity) {
        size_t capacity = reader->capacity == 0 ? 64 : 2 * reader->capacity;
        cupel_ledger_case *cases = realloc(ledger->cases, capacity * sizeof *cases);
        if (cases == NULL) {
            reader->findings->lost = true;
            return NULL;
        }
        ledger->cases = cases;
        reader->capacity = capacity;
    }
    ledger->cases[ledger->count] = (cupel_ledger_case){0};
    return &ledger->cases[ledger->count++];
}

// Remembers where the newest case stands, unless an earlier one has its id.
static bool place_keep(cupel_ledger *ledger, const char *id)
{
    if (ledger->places == NULL) {
        ledger->places = json_object();
    }
    return json_object_get(ledger->places, id) != NULL ||
           json_object_set_new(ledger->places, id, json_integer((json_int_t)(ledger->count - 1))) == 0;
}

void cupel_ledger_begin_read(cupel_ledger_reader *reader, json_t *event)
{
    static const cupel_member members[] = {CASE_MEMBER(id, "case", TEXT), CASE_MEMBER(sequence, "sequence", COUNT)};
    case_event begin = {0};
    if (!cupel_ledger_members(reader, event, members, COUNT_OF(members), &begin)) {
        return;
    }
    if (!cupel_text_is_case_id(begin.id)) {
        cupel_ledger_fault(reader, CUPEL_REASON_LEDGER_MALFORMED, "it begins a case whose id is not valid", begin.id);
        return;
    }
    if (begin.sequence != reader->ledger->count + 1) {
        case_fault(reader, CUPEL_REASON_LEDGER_ORDER, begin.id, "its sequence number is not the next one");
    }
    if (cupel_ledger_find(reader->ledger, begin.id) != NULL) {
        case_fault(reader, CUPEL_REASON_CASE_DUPLICATE, begin.id, "the case begins again");
    }
    cupel_ledger_case *record = case_append(reader);
    if (record != NULL) {
        record->line = reader->line;
        record->id = strdup(begin.id);
        reader->findings->lost |= record->id == NULL || !place_keep(reader->ledger, begin.id);
        reader->state = INSIDE_CASE;
    }
}

// What the form alone says of an end event; what it proves is for the rules.
static const char *end_check(const case_event *end)
{
    static const char *const units[] = {"bits", "ulp", "bound"};
    bool passed = strcmp(end->outcome, "passed") == 0;
    bool unit_known = false;
    for (size_t i = 0; i < COUNT_OF(units); ++i) {
        unit_known |= strcmp(end->worst_unit, units[i]) == 0;
    }
    if (!passed && strcmp(end->outcome, "failed") != 0) {
        return "its outcome is neither passed nor failed";
    }
    if (!unit_known) {
        return "its worst_unit is none of bits, ulp, bound";
    }
    if (!passed && end->record.claims != NULL) {
        return "the case failed, but claims something";
    }
    if (passed && end->message[0] != '\0') {
        return "the case passed, but has a message";
    }
    const bool differs = end->record.worst_error != 0.0 || end->record.bound != 0.0 || end->record.differing_bits != 0;
    if (passed && strcmp(end->worst_unit, "bits") == 0 && differs) {
        return "the case passed, but bits differ";
    }
    if (passed && end->record.worst_error > 0.0 && end->worst_at[0] == '\0') {
        return "the case passed with an error that stands nowhere";
    }
    return NULL;
}

static void end_store(cupel_ledger_reader *reader, const case_event *end)
{
    cupel_ledger_case *record = &reader->ledger->cases[reader->ledger->count - 1];
    char *id = record->id;
    size_t line = record->line;
    *record = end->record;
    json_incref(record->claims);
    record->id = id;
    record->line = line;
    record->damaged = false;
    record->finished = true;
    record->passed = strcmp(end->outcome, "passed") == 0;
    snprintf(record->worst_unit, sizeof record->worst_unit, "%s", end->worst_unit);
    record->worst_at = strdup(end->worst_at);
    record->message = strdup(end->message);
    reader->findings->lost |= record->worst_at == NULL || record->message == NULL;
    reader->passed += record->passed;
    reader->failed += !record->passed;
    reader->values += record->values;
}

void cupel_ledger_end_read(cupel_ledger_reader *reader, json_t *event)
{
    static const cupel_member members[] = {
        CASE_MEMBER(id, "case", TEXT),
        CASE_MEMBER(sequence, "sequence", COUNT),
        CASE_MEMBER(outcome, "outcome", TEXT),
        CASE_MEMBER(record.values, "values", COUNT),
        CASE_MEMBER(record.bytes_compared, "bytes_compared", COUNT),
        CASE_MEMBER(record.worst_error, "worst_error", FLOAT),
        CASE_MEMBER(worst_unit, "worst_unit", TEXT),
        CASE_MEMBER(worst_at, "worst_at", TEXT),
        CASE_MEMBER(record.bound, "bound", FLOAT),
        CASE_MEMBER(record.differing_bits, "differing_bits", COUNT),
        CASE_MEMBER(record.kernels, "kernels", COUNT),
        CASE_MEMBER(record.bytes_uploaded, "bytes_uploaded", COUNT),
        CASE_MEMBER(record.bytes_downloaded, "bytes_downloaded", COUNT),
        CASE_MEMBER(record.programs, "programs", COUNT),
        CASE_MEMBER(record.seconds, "seconds", SECONDS),
        CASE_MEMBER(message, "message", TEXT),
    };
    case_event end = {0};
    cupel_ledger_case *begun = &reader->ledger->cases[reader->ledger->count - 1];
    reader->state = BETWEEN_CASES;
    begun->damaged = true;
    const char *wrong = cupel_claims_take(event, &end.record.claims);
    if (!cupel_ledger_members(reader, event, members, COUNT_OF(members), &end)) {
        reader->damaged = true;
        json_decref(end.record.claims);
        return;
    }
    wrong = wrong == NULL ? end_check(&end) : wrong;
    if (begun->id == NULL || strcmp(begun->id, end.id) != 0 || end.sequence != reader->ledger->count) {
        cupel_ledger_fault(reader, CUPEL_REASON_LEDGER_ORDER, "it ends another case than the one that began", end.id);
    } else if (wrong != NULL) {
        case_fault(reader, CUPEL_REASON_LEDGER_MALFORMED, end.id, wrong);
    } else {
        end_store(reader, &end);
    }
    json_decref(end.record.claims);
    reader->damaged |= !begun->finished;
}
