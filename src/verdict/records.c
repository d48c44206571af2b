// SPDX-License-Identifier: Apache-2.0
#include "records.h"

#include "file.h"
#include "management.h"
#include "members.h"
#include "text.h"

#include <string.h>

#define RUN_SCHEMA "cupel-run 1"
#define DEVICE_SCHEMA "cupel-device 1"
#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

enum { RECORD_MAX_BYTES = 1 << 20 };

// One record file: which reasons its faults have.
typedef struct record_source {
    const char *path;
    cupel_reason missing;
    cupel_reason malformed;
    cupel_findings *findings;
} record_source;

static json_t *document_read(const record_source *source, uint64_t *bytes, char sha256[65])
{
    cupel_file file;
    char error[128];
    const char *unread = cupel_file_read(source->path, RECORD_MAX_BYTES, &file);
    if (unread != NULL) {
        cupel_findings_add(source->findings, source->missing, source->path, "%s", unread);
        return NULL;
    }
    json_t *document = cupel_json_parse(file.bytes, file.length, error);
    if (document == NULL) {
        cupel_findings_add(source->findings, source->malformed, source->path, "%s", error);
    }
    memcpy(sha256, file.sha256, sizeof file.sha256);
    *bytes = file.length;
    cupel_file_free(&file);
    return document;
}

static bool fault(const record_source *source, const char *what, const char *value)
{
    cupel_findings_add(source->findings, source->malformed, source->path, "%s%s%s", what, value[0] == '\0' ? "" : ": ", value);
    return false;
}

static bool texts_only(const json_t *array)
{
    for (size_t i = 0; i < json_array_size(array); ++i) {
        if (!json_is_string(json_array_get(array, i))) {
            return false;
        }
    }
    return json_array_size(array) > 0;
}

#define RUN_MEMBER(name, kind)                                                                                                     \
    {                                                                                                                              \
#name, CUPEL_MEMBER_##kind, offsetof(cupel_run_record, name)                                                               \
    }

static bool run_members_read(const record_source *source, cupel_run_record *record)
{
    static const cupel_member members[] = {
        RUN_MEMBER(schema, TEXT),  RUN_MEMBER(run, TEXT),        RUN_MEMBER(nonce, TEXT),        RUN_MEMBER(profile, TEXT),
        RUN_MEMBER(started, TEXT), RUN_MEMBER(ctest_pid, COUNT), RUN_MEMBER(ctest_start, COUNT), RUN_MEMBER(command, ARRAY),
    };
    uint64_t seed, stream;
    char error[128];
    if (!cupel_members_read(record->document, members, COUNT_OF(members), record, error)) {
        return fault(source, error, "");
    }
    if (strcmp(record->schema, RUN_SCHEMA) != 0) {
        return fault(source, "its schema is not " RUN_SCHEMA, record->schema);
    }
    if (!cupel_nonce_split(record->nonce, &seed, &stream)) {
        return fault(source, "its nonce is not 32 lower-case hexadecimal digits", record->nonce);
    }
    if (!cupel_text_utc(record->started, &record->started_seconds)) {
        return fault(source, "its start is not a time in UTC", record->started);
    }
    return texts_only(record->command) || fault(source, "its command is not an array of texts", "");
}

bool cupel_run_record_read(const char *path, cupel_run_record *record, cupel_findings *findings)
{
    const record_source source = {path, CUPEL_REASON_RUN_RECORD_MISSING, CUPEL_REASON_RUN_RECORD_MALFORMED, findings};
    *record = (cupel_run_record){0};
    record->document = document_read(&source, &record->bytes, record->sha256);
    if (record->document != NULL && run_members_read(&source, record)) {
        return true;
    }
    cupel_run_record_free(record);
    return false;
}

void cupel_run_record_free(cupel_run_record *record)
{
    json_decref(record->document);
    *record = (cupel_run_record){0};
}

#define IDENTITY_MEMBER(name, kind)                                                                                                \
    {                                                                                                                              \
#name, CUPEL_MEMBER_##kind, offsetof(cupel_device_identity, name)                                                          \
    }

static const cupel_member identity_members[] = {
    IDENTITY_MEMBER(index, COUNT),        IDENTITY_MEMBER(type, TEXT),           IDENTITY_MEMBER(name, TEXT),
    IDENTITY_MEMBER(uuid, TEXT),          IDENTITY_MEMBER(vendor, TEXT),         IDENTITY_MEMBER(platform, TEXT),
    IDENTITY_MEMBER(driver, TEXT),        IDENTITY_MEMBER(runtime, TEXT),        IDENTITY_MEMBER(capability, TEXT),
    IDENTITY_MEMBER(memory_bytes, COUNT), IDENTITY_MEMBER(compute_units, COUNT),
};

bool cupel_device_identity_read(const json_t *object, cupel_device_identity *device, char error[128])
{
    static const char *const types[] = {"cpu", "gpu", "other"};
    if (!cupel_members_read(object, identity_members, COUNT_OF(identity_members), device, error)) {
        return false;
    }
    for (size_t i = 0; i < COUNT_OF(types); ++i) {
        if (strcmp(device->type, types[i]) == 0 && device->name[0] != '\0' && device->uuid[0] != '\0') {
            return true;
        }
    }
    snprintf(error, 128, "the device has no known type, no name or no uuid");
    return false;
}

const char *cupel_device_identity_difference(const cupel_device_identity *a, const cupel_device_identity *b)
{
    for (size_t i = 0; i < COUNT_OF(identity_members); ++i) {
        const cupel_member *member = &identity_members[i];
        const char *left = (const char *)a + member->offset;
        const char *right = (const char *)b + member->offset;
        bool same = member->kind == CUPEL_MEMBER_TEXT ? strcmp(*(const char *const *)left, *(const char *const *)right) == 0
                                                      : memcmp(left, right, sizeof(uint64_t)) == 0;
        if (!same) {
            return member->name;
        }
    }
    return NULL;
}

static const cupel_member probe_members[] = {
#define CUPEL_PROBE(name, reason) {#name, CUPEL_MEMBER_BOOL, offsetof(cupel_probes, name)},
#include "probes.def"
#undef CUPEL_PROBE
};

bool cupel_probe_get(const cupel_probes *probes, const char *name, bool *value)
{
    for (size_t i = 0; i < COUNT_OF(probe_members); ++i) {
        if (strcmp(probe_members[i].name, name) == 0) {
            memcpy(value, (const char *)probes + probe_members[i].offset, sizeof *value);
            return true;
        }
    }
    return false;
}

#define DEVICE_MEMBER(member, name, kind)                                                                                          \
    {                                                                                                                              \
        name, CUPEL_MEMBER_##kind, offsetof(cupel_device_record, member)                                                           \
    }

static bool environment_valid(const record_source *source, json_t *environment)
{
    const char *name;
    json_t *value;
    json_object_foreach(environment, name, value)
    {
        if (!json_is_string(value) && !json_is_null(value)) {
            return fault(source, "a variable of the environment is neither a text nor null", name);
        }
    }
    return true;
}

// What must hold when the status is "ok", and what when it is "not-run".
static bool device_status_check(const record_source *source, cupel_device_record *record)
{
    record->ok = strcmp(record->status, "ok") == 0;
    if (record->ok) {
        if (record->device_object == NULL || record->probes_object == NULL) {
            return fault(source, "its status is ok but the device or the probes are null", "");
        }
        return (record->reason[0] == '\0' && record->detail[0] == '\0') ||
               fault(source, "its status is ok but it has a reason", record->reason);
    }
    if (strcmp(record->status, "not-run") != 0) {
        return fault(source, "its status is neither ok nor not-run", record->status);
    }
    if (!cupel_reason_find(record->reason, &record->not_run) || cupel_reason_get(record->not_run)->status == CUPEL_FAILED) {
        return fault(source, "its reason is no code of something missing or refused", record->reason);
    }
    return true;
}

static bool device_members_read(const record_source *source, cupel_device_record *record)
{
    static const cupel_member members[] = {
        DEVICE_MEMBER(schema, "schema", TEXT),
        DEVICE_MEMBER(run, "run", TEXT),
        DEVICE_MEMBER(nonce, "nonce", TEXT),
        DEVICE_MEMBER(profile, "profile", TEXT),
        DEVICE_MEMBER(backend, "backend", TEXT),
        DEVICE_MEMBER(status, "status", TEXT),
        DEVICE_MEMBER(reason, "reason", TEXT),
        DEVICE_MEMBER(detail, "detail", TEXT),
        DEVICE_MEMBER(count, "count", COUNT),
        DEVICE_MEMBER(device_object, "device", OBJECT_OR_NULL),
        DEVICE_MEMBER(nonce_answer, "nonce_answer", TEXT),
        DEVICE_MEMBER(probes_object, "probes", OBJECT_OR_NULL),
        DEVICE_MEMBER(management, "management", OBJECT_OR_NULL),
        DEVICE_MEMBER(environment, "environment", OBJECT),
    };
    char error[128];
    if (!cupel_members_read(record->document, members, COUNT_OF(members), record, error)) {
        return fault(source, error, "");
    }
    if (strcmp(record->schema, DEVICE_SCHEMA) != 0) {
        return fault(source, "its schema is not " DEVICE_SCHEMA, record->schema);
    }
    if (record->device_object != NULL && !cupel_device_identity_read(record->device_object, &record->device, error)) {
        return fault(source, "device", error);
    }
    if (record->probes_object != NULL &&
        !cupel_members_read(record->probes_object, probe_members, COUNT_OF(probe_members), &record->probes, error)) {
        return fault(source, "probes", error);
    }
    if (!cupel_management_read(record->management, &record->uncorrected_errors, error)) {
        return fault(source, "management", error);
    }
    return environment_valid(source, record->environment) && device_status_check(source, record);
}

bool cupel_device_record_read(const char *path, cupel_device_record *record, cupel_findings *findings)
{
    const record_source source = {path, CUPEL_REASON_DEVICE_RECORD_MISSING, CUPEL_REASON_DEVICE_RECORD_MALFORMED, findings};
    *record = (cupel_device_record){0};
    record->document = document_read(&source, &record->bytes, record->sha256);
    if (record->document != NULL && device_members_read(&source, record)) {
        return true;
    }
    cupel_device_record_free(record);
    return false;
}

void cupel_device_record_free(cupel_device_record *record)
{
    json_decref(record->document);
    *record = (cupel_device_record){0};
}
