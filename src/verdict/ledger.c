// SPDX-License-Identifier: Apache-2.0
#include "ledger_internal.h"

#include "file.h"
#include "management.h"
#include "members.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

#define LEDGER_SCHEMA "cupel-ledger 3"
#define LEDGER_SCHEMA_BEFORE "cupel-ledger 2" // of published receipts: without device_bytes_reserved_peak

enum { LEDGER_MAX_BYTES = 64 << 20 };

void cupel_ledger_fault(cupel_ledger_reader *reader, cupel_reason reason, const char *what, const char *detail)
{
    cupel_findings_add(reader->findings, reason, reader->subject, "line %zu: %s%s%s", reader->line, what,
                       detail[0] == '\0' ? "" : ": ", detail);
}

#define LEDGER_MEMBER(member, name, kind)                                                                                          \
    {                                                                                                                              \
        name, CUPEL_MEMBER_##kind, offsetof(cupel_ledger, member)                                                                  \
    }

bool cupel_ledger_members(cupel_ledger_reader *reader, json_t *event, const cupel_member *members, size_t count, void *target)
{
    char error[128];
    json_object_del(event, "event");
    json_object_del(event, "nonce");
    if (cupel_members_read(event, members, count, target, error)) {
        return true;
    }
    cupel_ledger_fault(reader, CUPEL_REASON_LEDGER_MALFORMED, error, "");
    return false;
}

static void open_read(cupel_ledger_reader *reader, json_t *event)
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
    if (!cupel_ledger_members(reader, event, members, COUNT_OF(members), ledger)) {
        return;
    }
    reader->schema_before = strcmp(ledger->schema, LEDGER_SCHEMA_BEFORE) == 0;
    if (!reader->schema_before && strcmp(ledger->schema, LEDGER_SCHEMA) != 0) {
        cupel_ledger_fault(reader, CUPEL_REASON_LEDGER_MALFORMED, "its schema is not " LEDGER_SCHEMA, ledger->schema);
    } else if (!cupel_device_identity_read(ledger->device_object, &ledger->device, error)) {
        cupel_ledger_fault(reader, CUPEL_REASON_LEDGER_MALFORMED, "device", error);
    } else {
        ledger->open = json_incref(event);
        reader->state = BETWEEN_CASES;
    }
}

typedef struct close_event {
    uint64_t cases, passed, failed, values, device_bytes_peak, device_bytes_reserved_peak;
    json_t *management;
} close_event;

static const cupel_member close_members[] = {
    {"cases", CUPEL_MEMBER_COUNT, offsetof(close_event, cases)},
    {"passed", CUPEL_MEMBER_COUNT, offsetof(close_event, passed)},
    {"failed", CUPEL_MEMBER_COUNT, offsetof(close_event, failed)},
    {"values", CUPEL_MEMBER_COUNT, offsetof(close_event, values)},
    {"device_bytes_peak", CUPEL_MEMBER_COUNT, offsetof(close_event, device_bytes_peak)},
    {"management", CUPEL_MEMBER_OBJECT_OR_NULL, offsetof(close_event, management)},
    {"device_bytes_reserved_peak", CUPEL_MEMBER_COUNT, offsetof(close_event, device_bytes_reserved_peak)}, // not in version 2
};

// What arrays have is part of what is held for them.
static void device_bytes_read(cupel_ledger_reader *reader, const close_event *close)
{
    char detail[96];
    if (!reader->schema_before && close->device_bytes_peak > close->device_bytes_reserved_peak) {
        snprintf(detail, sizeof detail, "%llu bytes allocated, %llu reserved", (unsigned long long)close->device_bytes_peak,
                 (unsigned long long)close->device_bytes_reserved_peak);
        cupel_ledger_fault(reader, CUPEL_REASON_LEDGER_MALFORMED, "arrays had more of the device than was held for them", detail);
    }
    reader->ledger->device_bytes_peak = close->device_bytes_peak;
    reader->ledger->tells_reserved = !reader->schema_before;
    reader->ledger->device_bytes_reserved_peak = close->device_bytes_reserved_peak;
}

static void close_read(cupel_ledger_reader *reader, json_t *event)
{
    close_event close = {0};
    char error[128];
    size_t members = COUNT_OF(close_members) - (reader->schema_before ? 1 : 0);
    if (!cupel_ledger_members(reader, event, close_members, members, &close)) {
        return;
    }
    if (!cupel_management_read(close.management, &reader->ledger->uncorrected_errors, error)) {
        cupel_ledger_fault(reader, CUPEL_REASON_LEDGER_MALFORMED, "management", error);
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
    device_bytes_read(reader, &close);
    reader->ledger->closed = true;
    reader->state = AFTER_CLOSE;
}

typedef struct exit_event {
    uint64_t peak, status, signal;
    bool timed_out;
    double seconds;
    const char *report;
} exit_event;

static const cupel_member exit_members[] = {
    {"host_peak_rss_bytes", CUPEL_MEMBER_COUNT, offsetof(exit_event, peak)},
    {"status", CUPEL_MEMBER_COUNT, offsetof(exit_event, status)},
    {"signal", CUPEL_MEMBER_COUNT, offsetof(exit_event, signal)},
    {"timed_out", CUPEL_MEMBER_BOOL, offsetof(exit_event, timed_out)},
    {"seconds", CUPEL_MEMBER_SECONDS, offsetof(exit_event, seconds)},
    {"report_sha256", CUPEL_MEMBER_TEXT, offsetof(exit_event, report)},
};

static void exit_read(cupel_ledger_reader *reader, json_t *event)
{
    exit_event end = {0};
    cupel_ledger *ledger = reader->ledger;
    if (!cupel_ledger_members(reader, event, exit_members, COUNT_OF(exit_members), &end)) {
        return;
    }
    if (end.report[0] != '\0' && !cupel_text_is_hex(end.report, sizeof ledger->report_sha256 - 1)) {
        cupel_ledger_fault(reader, CUPEL_REASON_LEDGER_MALFORMED, "its report_sha256 is no SHA-256", end.report);
        return;
    }
    enum { STATUS_MOST = 255, SIGNAL_MOST = 127 };
    if (end.status > STATUS_MOST || end.signal > SIGNAL_MOST || (end.status != 0 && end.signal != 0)) {
        cupel_ledger_fault(reader, CUPEL_REASON_LEDGER_MALFORMED, "no process ends with this status and signal", "");
        return;
    }
    ledger->host_peak_rss_bytes = end.peak;
    ledger->exit_status = end.status;
    ledger->exit_signal = end.signal;
    ledger->timed_out = end.timed_out;
    ledger->exit_seconds = end.seconds;
    snprintf(ledger->report_sha256, sizeof ledger->report_sha256, "%s", end.report);
    ledger->has_exit = true;
    if (reader->state == BEFORE_OPEN) {
        cupel_findings_add(reader->findings, end.timed_out ? CUPEL_REASON_PROCESS_TIMEOUT : CUPEL_REASON_PROCESS_FAILED,
                           reader->subject, "the process ended with status %llu, signal %llu before it opened its ledger",
                           (unsigned long long)end.status, (unsigned long long)end.signal);
    }
    reader->state = AFTER_EXIT;
}

// The process would not run its cases: its reason becomes the verdict's.
static void refused_read(cupel_ledger_reader *reader, json_t *event)
{
    struct {
        const char *reason, *text;
    } said = {0};
    static const cupel_member members[] = {{"reason", CUPEL_MEMBER_TEXT, 0}, {"text", CUPEL_MEMBER_TEXT, sizeof(const char *)}};
    cupel_reason reason;
    if (!cupel_ledger_members(reader, event, members, COUNT_OF(members), &said)) {
        return;
    }
    if (!cupel_reason_find(said.reason, &reason) || cupel_reason_get(reason)->status == CUPEL_FAILED) {
        cupel_ledger_fault(reader, CUPEL_REASON_LEDGER_MALFORMED, "it refuses without a known reason", said.reason);
        return;
    }
    cupel_findings_add(reader->findings, reason, reader->subject, "%s", said.text);
    reader->ledger->refused = true;
    reader->state = AFTER_CLOSE;
}

// Which event may come in which state. The exit line may come in any state but the last: a process can end anywhere.
static const struct {
    const char *name;
    unsigned states; // bit i: allowed in cupel_ledger_state i
    void (*read)(cupel_ledger_reader *reader, json_t *event);
} events[] = {
    {"open", 1u << BEFORE_OPEN, open_read},
    {"refused", 1u << BEFORE_OPEN, refused_read},
    {"begin", 1u << BETWEEN_CASES, cupel_ledger_begin_read},
    {"end", 1u << INSIDE_CASE, cupel_ledger_end_read},
    {"close", 1u << BETWEEN_CASES, close_read},
    {"exit", 1u << BEFORE_OPEN | 1u << BETWEEN_CASES | 1u << INSIDE_CASE | 1u << AFTER_CLOSE, exit_read},
};

static void event_read(cupel_ledger_reader *reader, json_t *event)
{
    const char *name = json_string_value(json_object_get(event, "event"));
    const char *nonce = json_string_value(json_object_get(event, "nonce"));
    if (name == NULL || nonce == NULL) {
        cupel_ledger_fault(reader, CUPEL_REASON_LEDGER_MALFORMED, "it has no event or no nonce", "");
        return;
    }
    if (reader->nonce != NULL && strcmp(nonce, reader->nonce) != 0 && !reader->nonce_differs) {
        reader->nonce_differs = true;
        cupel_ledger_fault(reader, CUPEL_REASON_NONCE_MISMATCH, "its nonce is not this run's", nonce);
    }
    for (size_t i = 0; i < COUNT_OF(events); ++i) {
        if (strcmp(events[i].name, name) == 0) {
            if ((events[i].states >> reader->state & 1u) == 0) {
                cupel_ledger_fault(reader, CUPEL_REASON_LEDGER_ORDER, "this event may not come here", name);
            } else {
                events[i].read(reader, event);
            }
            return;
        }
    }
    cupel_ledger_fault(reader, CUPEL_REASON_LEDGER_MALFORMED, "its event is unknown", name);
}

static void lines_read(cupel_ledger_reader *reader, const cupel_file *file)
{
    const char *line = file->bytes;
    const char *end = file->bytes + file->length;
    for (reader->line = 1; line < end; ++reader->line) {
        const char *feed = memchr(line, '\n', (size_t)(end - line));
        if (feed == NULL) {
            cupel_ledger_fault(reader, CUPEL_REASON_LEDGER_CUT, "the file ends in the middle of this line", "");
            reader->ledger->cut = true;
            return;
        }
        char error[128];
        json_t *event = cupel_json_parse(line, (size_t)(feed - line), error);
        if (event == NULL) {
            cupel_ledger_fault(reader, CUPEL_REASON_LEDGER_MALFORMED, "it is not a JSON object", error);
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
    cupel_ledger_reader reader = {.ledger = ledger, .findings = findings, .subject = subject, .nonce = nonce};
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
        json_decref(ledger->cases[i].claims);
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
