// SPDX-License-Identifier: Apache-2.0
#include "ledger_writer.h"

#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static json_t *hex_float(double value)
{
    char text[40];
    snprintf(text, sizeof text, "%a", value);
    return json_string(text);
}

// Text of a runtime or driver; what is not UTF-8 is replaced, so that a strange device name costs its letters and not the record.
static json_t *text_json(const char *text)
{
    char copy[256];
    json_t *value = json_string(text);
    if (value == NULL) {
        snprintf(copy, sizeof copy, "%s", text);
        cupel_sanitise(copy);
        value = json_string(copy);
    }
    return value;
}

json_t *cupel_device_json(const nc_device_info *info)
{
    static const char *const types[] = {[NC_DEVICE_CPU] = "cpu", [NC_DEVICE_GPU] = "gpu", [NC_DEVICE_OTHER] = "other"};
    const char *type = info->type == NC_DEVICE_CPU || info->type == NC_DEVICE_GPU ? types[info->type] : types[NC_DEVICE_OTHER];
    return json_pack("{s:i, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:i}", "index", (int)info->index, "type", type, "name",
                     text_json(info->name), "uuid", text_json(info->uuid), "vendor", text_json(info->vendor), "platform",
                     text_json(info->platform), "driver", text_json(info->driver), "runtime", text_json(info->runtime),
                     "capability", text_json(info->capability), "memory_bytes", (json_int_t)info->memory_bytes, "compute_units",
                     (int)info->compute_units);
}

bool cupel_ledger_create(cupel_ledger_writer *writer, const char *path, const char *nonce, const cupel_ledger_head *head)
{
    *writer = (cupel_ledger_writer){.file = -1, .nonce = nonce};
    writer->file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
    if (writer->file < 0) {
        return false;
    }
    json_t *event =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:o, s:I, s:O}", "event", "open", "nonce",
                  nonce, "schema", "cupel-ledger 3", "run", head->run, "profile", head->profile, "suite", head->suite, "linkage",
                  head->linkage, "test", head->test, "backend", head->backend, "expected_backend", head->expected_backend,
                  "build_id", head->build_id, "source_id", head->source_id, "pid", (int)getpid(), "device",
                  cupel_device_json(head->device), "cases", (json_int_t)head->cases, "environment", head->environment);
    return cupel_json_line(writer->file, event);
}

bool cupel_ledger_refuse(const char *path, const char *nonce, const char *reason, const char *text)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
    if (file < 0) {
        return false;
    }
    bool written = cupel_json_line(
        file, json_pack("{s:s, s:s, s:s, s:o}", "event", "refused", "nonce", nonce, "reason", reason, "text", text_json(text)));
    return close(file) == 0 && written;
}

static void write_or_remember(cupel_ledger_writer *writer, json_t *event)
{
    if (writer->file < 0) {
        json_decref(event);
    } else if (!cupel_json_line(writer->file, event)) {
        writer->failed = true;
    }
}

void cupel_ledger_begin(cupel_ledger_writer *writer, const char *id, size_t sequence)
{
    write_or_remember(writer, json_pack("{s:s, s:s, s:s, s:I}", "event", "begin", "nonce",
                                        writer->nonce == NULL ? "" : writer->nonce, "case", id, "sequence", (json_int_t)sequence));
}

static void claims_add(json_t *event, const cupel_record *record)
{
    json_t *claims = record->claim_count > 0 ? json_object() : NULL;
    for (size_t i = 0; i < record->claim_count; ++i) {
        json_object_set_new(claims, record->claims[i].field, json_string(record->claims[i].outcome));
    }
    if (claims != NULL) {
        json_object_set_new(event, "claims", claims);
    }
}

void cupel_ledger_end(cupel_ledger_writer *writer, const char *id, size_t sequence, bool passed, const cupel_record *record)
{
    ++writer->cases;
    writer->passed += passed ? 1 : 0;
    writer->values += record->values;
    json_t *event =
        json_pack("{s:s, s:s, s:s, s:I, s:s, s:I, s:I, s:o, s:s, s:s, s:o, s:I, s:I, s:I, s:I, s:I, s:f, s:s}", "event", "end",
                  "nonce", writer->nonce == NULL ? "" : writer->nonce, "case", id, "sequence", (json_int_t)sequence, "outcome",
                  passed ? "passed" : "failed", "values", (json_int_t)record->values, "bytes_compared",
                  (json_int_t)record->bytes_compared, "worst_error", hex_float(record->worst_error), "worst_unit",
                  cupel_unit_name(record->worst_unit), "worst_at", record->worst_at, "bound", hex_float(record->worst_bound),
                  "differing_bits", (json_int_t)record->differing_bits, "kernels", (json_int_t)record->kernels, "bytes_uploaded",
                  (json_int_t)record->bytes_uploaded, "bytes_downloaded", (json_int_t)record->bytes_downloaded, "programs",
                  (json_int_t)record->programs, "seconds", record->seconds, "message", record->message);
    if (passed) {
        claims_add(event, record);
    }
    write_or_remember(writer, event);
}

bool cupel_ledger_close(cupel_ledger_writer *writer, const cupel_device_peaks *peaks, json_t *management)
{
    write_or_remember(writer, json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "event", "close", "nonce",
                                        writer->nonce == NULL ? "" : writer->nonce, "cases", (json_int_t)writer->cases, "passed",
                                        (json_int_t)writer->passed, "failed", (json_int_t)(writer->cases - writer->passed),
                                        "values", (json_int_t)writer->values, "device_bytes_peak", (json_int_t)peaks->allocated,
                                        "device_bytes_reserved_peak", (json_int_t)peaks->reserved, "management", management));
    if (writer->file >= 0) {
        writer->failed = fsync(writer->file) != 0 || writer->failed;
        writer->failed = close(writer->file) != 0 || writer->failed;
        writer->file = -1;
    }
    return !writer->failed;
}

static bool ends_with_newline(int file)
{
    char last = '\0';
    off_t size = lseek(file, 0, SEEK_END);
    return size > 0 && pread(file, &last, 1, size - 1) == 1 && last == '\n';
}

bool cupel_ledger_append_exit(const char *path, const char *nonce, const cupel_process_end *end)
{
    int file = open(path, O_RDWR | O_APPEND | O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    bool written = ends_with_newline(file) &&
                   cupel_json_line(file, json_pack("{s:s, s:s, s:I, s:i, s:i, s:b, s:f, s:s}", "event", "exit", "nonce", nonce,
                                                   "host_peak_rss_bytes", (json_int_t)end->peak_rss_bytes, "status", end->status,
                                                   "signal", end->signal, "timed_out", end->timed_out ? 1 : 0, "seconds",
                                                   end->seconds, "report_sha256", end->report_sha256));
    written = fsync(file) == 0 && written;
    return close(file) == 0 && written;
}
