// SPDX-License-Identifier: Apache-2.0
#include "ledger.h"

#include "file.h"
#include "management.h"
#include "members.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

#define LEDGER_SCHEMA "cupel-ledger 1"
#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

enum { LEDGER_MAX_BYTES = 64 << 20 };

typedef enum ledger_state { BEFORE_OPEN, BETWEEN_CASES, INSIDE_CASE, AFTER_CLOSE, AFTER_EXIT } ledger_state;

typedef struct ledger_reader {
    cupel_ledger *ledger;
    cupel_findings *findings;
    const char *subject;
    const char *nonce; // null: not compared
    bool nonce_differs;
    ledger_state state;
    size_t line;
    size_t capacity; // of ledger->cases
    // What the lines add up to.
    uint64_t passed;
    uint64_t failed;
    uint64_t values;
    bool damaged; // an end event could not be read, so that they add up to less
} ledger_reader;

static void reader_fault(ledger_reader *reader, cupel_reason reason, const char *what, const char *detail)
{
    cupel_findings_add(reader->findings, reason, reader->subject, "line %zu: %s%s%s", reader->line, what,
                       detail[0] == '\0' ? "" : ": ", detail);
}

static void case_fault(ledger_reader *reader, cupel_reason reason, const char *id, const char *what)
{
    char subject[256];
    snprintf(subject, sizeof subject, "%.120s/%.120s", reader->subject, id);
    cupel_findings_add(reader->findings, reason, subject, "line %zu: %s", reader->line, what);
}

#define LEDGER_MEMBER(member, name, kind)                                                                                          \
    {                                                                                                                              \
        name, CUPEL_MEMBER_##kind, offsetof(cupel_ledger, member)                                                                  \
    }

// Reads the members of one event besides "event" and "nonce", which every event has.
static bool event_members(ledger_reader *reader, json_t *event, const cupel_member *members, size_t count, void *target)
{
    char error[128];
    json_object_del(event, "event");
    json_object_del(event, "nonce");
    if (cupel_members_read(event, members, count, target, error)) {
        return true;
    }
    reader_fault(reader, CUPEL_REASON_LEDGER_MALFORMED, error, "");
    return false;
}

static void open_read(ledger_reader *reader, json_t *event)
{
    static const cupel_member members[] = {
        LEDGER_MEMBER(schema, "schema", TEXT),
        LEDGER_MEMBER(run, "run", TEXT),
        LEDGER_MEMBER(profile, "profile", TEXT),
        LEDGER_MEMBER(suite, "suite", TEXT),
        LEDGER_MEMBER(linkage, "linkage", TEXT),
        LEDGER_MEMBER(test, "test", TEXT),
        LEDGER_MEMBER(backend, "backend", TEXT),
        LEDGER_MEMBER(expected_backend, "expected_backend", TEXT),
        LEDGER_MEMBER(build_id, "build_id", TEXT),
        LEDGER_MEMBER(source_id, "source_id", TEXT),
        LEDGER_MEMBER(pid, "pid", COUNT),
        LEDGER_MEMBER(device_object, "device", OBJECT),
        LEDGER_MEMBER(environment, "environment", OBJECT),
        LEDGER_MEMBER(case_count, "cases", COUNT),
    };
    char error[128];
    cupel_ledger *ledger = reader->ledger;
    if (!event_members(reader, event, members, COUNT_OF(members), ledger)) {
        return;
    }
    if (strcmp(ledger->schema, LEDGER_SCHEMA) != 0) {
        reader_fault(reader, CUPEL_REASON_LEDGER_MALFORMED, "its schema is not " LEDGER_SCHEMA, ledger->schema);
    } else if (!cupel_device_identity_read(ledger->device_object, &ledger->device, error)) {
        reader_fault(reader, CUPEL_REASON_LEDGER_MALFORMED, "device", error);
    } else {
        ledger->open = json_incref(event);
        reader->state = BETWEEN_CASES;
    }
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

static cupel_ledger_case *case_append(ledger_reader *reader)
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

static void begin_read(ledger_reader *reader, json_t *event)
{
    static const cupel_member members[] = {CASE_MEMBER(id, "case", TEXT), CASE_MEMBER(sequence, "sequence", COUNT)};
    case_event begin = {0};
    if (!event_members(reader, event, members, COUNT_OF(members), &begin)) {
        return;
    }
    if (!cupel_text_is_case_id(begin.id)) {
        reader_fault(reader, CUPEL_REASON_LEDGER_MALFORMED, "it begins a case whose id is not valid", begin.id);
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
    if (passed && end->message[0] != '\0') {
        return "the case passed, but has a message";
    }
    if (passed && strcmp(end->worst_unit, "bits") == 0 && end->record.differing_bits != 0) {
        return "the case passed, but bits differ";
    }
    return NULL;
}

static void end_store(ledger_reader *reader, const case_event *end)
{
    cupel_ledger_case *record = &reader->ledger->cases[reader->ledger->count - 1];
    char *id = record->id;
    size_t line = record->line;
    *record = end->record;
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

static void end_read(ledger_reader *reader, json_t *event)
{
    static const cupel_member members[] = {
        CASE_MEMBER(id, "case", TEXT),
        CASE_MEMBER(sequence, "sequence", COUNT),
        CASE_MEMBER(outcome, "outcome", TEXT),
        CASE_MEMBER(record.values, "values", COUNT),
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
    if (!event_members(reader, event, members, COUNT_OF(members), &end)) {
        reader->damaged = true;
        return;
    }
    const char *wrong = end_check(&end);
    if (begun->id == NULL || strcmp(begun->id, end.id) != 0 || end.sequence != reader->ledger->count) {
        reader_fault(reader, CUPEL_REASON_LEDGER_ORDER, "it ends another case than the one that began", end.id);
    } else if (wrong != NULL) {
        case_fault(reader, CUPEL_REASON_LEDGER_MALFORMED, end.id, wrong);
    } else {
        end_store(reader, &end);
    }
    reader->damaged |= !begun->finished;
}

typedef struct close_event {
    uint64_t cases, passed, failed, values, device_bytes_peak;
    json_t *management;
} close_event;

static const cupel_member close_members[] = {
    {"cases", CUPEL_MEMBER_COUNT, offsetof(close_event, cases)},
    {"passed", CUPEL_MEMBER_COUNT, offsetof(close_event, passed)},
    {"failed", CUPEL_MEMBER_COUNT, offsetof(close_event, failed)},
    {"values", CUPEL_MEMBER_COUNT, offsetof(close_event, values)},
    {"device_bytes_peak", CUPEL_MEMBER_COUNT, offsetof(close_event, device_bytes_peak)},
    {"management", CUPEL_MEMBER_OBJECT_OR_NULL, offsetof(close_event, management)},
};

static void close_read(ledger_reader *reader, json_t *event)
{
    close_event close = {0};
    char error[128];
    if (!event_members(reader, event, close_members, COUNT_OF(close_members), &close)) {
        return;
    }
    if (!cupel_management_read(close.management, &reader->ledger->uncorrected_errors, error)) {
        reader_fault(reader, CUPEL_REASON_LEDGER_MALFORMED, "management", error);
    }
    const cupel_ledger *ledger = reader->ledger;
    bool differ = close.cases != ledger->count || close.cases != ledger->case_count || close.passed != reader->passed ||
                  close.failed != reader->failed || close.values != reader->values;
    if (differ && !reader->damaged) {
        cupel_findings_add(reader->findings, CUPEL_REASON_LEDGER_COUNTS, reader->subject,
                           "line %zu: it says %llu cases, %llu passed, %llu failed, %llu values; the lines say %zu of %llu, %llu, "
                           "%llu, %llu",
                           reader->line, (unsigned long long)close.cases, (unsigned long long)close.passed,
                           (unsigned long long)close.failed, (unsigned long long)close.values, ledger->count,
                           (unsigned long long)ledger->case_count, (unsigned long long)reader->passed,
                           (unsigned long long)reader->failed, (unsigned long long)reader->values);
    }
    reader->ledger->device_bytes_peak = close.device_bytes_peak;
    reader->ledger->closed = true;
    reader->state = AFTER_CLOSE;
}

static void exit_read(ledger_reader *reader, json_t *event)
{
    static const cupel_member members[] = {
        LEDGER_MEMBER(host_peak_rss_bytes, "host_peak_rss_bytes", COUNT),
        LEDGER_MEMBER(exit_status, "status", COUNT),
        LEDGER_MEMBER(exit_signal, "signal", COUNT),
        LEDGER_MEMBER(timed_out, "timed_out", BOOL),
        LEDGER_MEMBER(exit_seconds, "seconds", SECONDS),
    };
    cupel_ledger *ledger = reader->ledger;
    if (!event_members(reader, event, members, COUNT_OF(members), ledger)) {
        return;
    }
    ledger->has_exit = true;
    if (reader->state == BEFORE_OPEN) {
        cupel_findings_add(reader->findings, ledger->timed_out ? CUPEL_REASON_PROCESS_TIMEOUT : CUPEL_REASON_PROCESS_FAILED,
                           reader->subject, "the process ended with status %llu, signal %llu before it opened its ledger",
                           (unsigned long long)ledger->exit_status, (unsigned long long)ledger->exit_signal);
    }
    reader->state = AFTER_EXIT;
}

// The process would not run its cases: its reason becomes the verdict's.
static void refused_read(ledger_reader *reader, json_t *event)
{
    struct {
        const char *reason, *text;
    } said = {0};
    static const cupel_member members[] = {{"reason", CUPEL_MEMBER_TEXT, 0}, {"text", CUPEL_MEMBER_TEXT, sizeof(const char *)}};
    cupel_reason reason;
    if (!event_members(reader, event, members, COUNT_OF(members), &said)) {
        return;
    }
    if (!cupel_reason_find(said.reason, &reason) || cupel_reason_get(reason)->status == CUPEL_FAILED) {
        reader_fault(reader, CUPEL_REASON_LEDGER_MALFORMED, "it refuses without a known reason", said.reason);
        return;
    }
    cupel_findings_add(reader->findings, reason, reader->subject, "%s", said.text);
    reader->ledger->refused = true;
    reader->state = AFTER_CLOSE;
}

// Which event may come in which state. The exit line may come in any state but the last: a process can end anywhere.
static const struct {
    const char *name;
    unsigned states; // bit i: allowed in ledger_state i
    void (*read)(ledger_reader *reader, json_t *event);
} events[] = {
    {"open", 1u << BEFORE_OPEN, open_read},
    {"refused", 1u << BEFORE_OPEN, refused_read},
    {"begin", 1u << BETWEEN_CASES, begin_read},
    {"end", 1u << INSIDE_CASE, end_read},
    {"close", 1u << BETWEEN_CASES, close_read},
    {"exit", 1u << BEFORE_OPEN | 1u << BETWEEN_CASES | 1u << INSIDE_CASE | 1u << AFTER_CLOSE, exit_read},
};

static void event_read(ledger_reader *reader, json_t *event)
{
    const char *name = json_string_value(json_object_get(event, "event"));
    const char *nonce = json_string_value(json_object_get(event, "nonce"));
    if (name == NULL || nonce == NULL) {
        reader_fault(reader, CUPEL_REASON_LEDGER_MALFORMED, "it has no event or no nonce", "");
        return;
    }
    if (reader->nonce != NULL && strcmp(nonce, reader->nonce) != 0 && !reader->nonce_differs) {
        reader->nonce_differs = true;
        reader_fault(reader, CUPEL_REASON_NONCE_MISMATCH, "its nonce is not this run's", nonce);
    }
    for (size_t i = 0; i < COUNT_OF(events); ++i) {
        if (strcmp(events[i].name, name) == 0) {
            if ((events[i].states >> reader->state & 1u) == 0) {
                reader_fault(reader, CUPEL_REASON_LEDGER_ORDER, "this event may not come here", name);
            } else {
                events[i].read(reader, event);
            }
            return;
        }
    }
    reader_fault(reader, CUPEL_REASON_LEDGER_MALFORMED, "its event is unknown", name);
}

static void lines_read(ledger_reader *reader, const cupel_file *file)
{
    const char *line = file->bytes;
    const char *end = file->bytes + file->length;
    for (reader->line = 1; line < end; ++reader->line) {
        const char *feed = memchr(line, '\n', (size_t)(end - line));
        if (feed == NULL) {
            reader_fault(reader, CUPEL_REASON_LEDGER_CUT, "the file ends in the middle of this line", "");
            reader->ledger->cut = true;
            return;
        }
        char error[128];
        json_t *event = cupel_json_parse(line, (size_t)(feed - line), error);
        if (event == NULL) {
            reader_fault(reader, CUPEL_REASON_LEDGER_MALFORMED, "it is not a JSON object", error);
        } else {
            event_read(reader, event);
            json_decref(event);
        }
        line = feed + 1;
        if (reader->state == BEFORE_OPEN) {
            return; // without a good open line nothing that follows can be placed
        }
    }
}

bool cupel_ledger_read(const char *path, const char *subject, const char *nonce, cupel_ledger *ledger, cupel_findings *findings)
{
    cupel_file file;
    *ledger = (cupel_ledger){0};
    const char *error = cupel_file_read(path, LEDGER_MAX_BYTES, &file);
    if (error != NULL) {
        cupel_findings_add(findings, CUPEL_REASON_LEDGER_MISSING, subject, "%s: %s", path, error);
        return false;
    }
    ledger_reader reader = {.ledger = ledger, .findings = findings, .subject = subject, .nonce = nonce};
    ledger->modified = file.modified;
    ledger->bytes = file.length;
    memcpy(ledger->sha256, file.sha256, sizeof ledger->sha256);
    lines_read(&reader, &file);
    if (file.length == 0) {
        cupel_findings_add(findings, CUPEL_REASON_LEDGER_MALFORMED, subject, "the file is empty");
    }
    cupel_file_free(&file);
    if (ledger->open == NULL) {
        bool refused = ledger->refused;
        cupel_ledger_free(ledger);
        ledger->refused = refused;
        return false;
    }
    return true;
}

void cupel_ledger_free(cupel_ledger *ledger)
{
    for (size_t i = 0; i < ledger->count; ++i) {
        free(ledger->cases[i].id);
        free(ledger->cases[i].worst_at);
        free(ledger->cases[i].message);
    }
    free(ledger->cases);
    json_decref(ledger->places);
    json_decref(ledger->open);
    *ledger = (cupel_ledger){0};
}

const cupel_ledger_case *cupel_ledger_find(const cupel_ledger *ledger, const char *id)
{
    const json_t *place = json_object_get(ledger->places, id);
    return place != NULL ? &ledger->cases[json_integer_value(place)] : NULL;
}
