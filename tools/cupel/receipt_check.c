// SPDX-License-Identifier: Apache-2.0
#include "receipt_command.h"

#include "attempt_device.h"
#include "evidence_file.h"
#include "findings_json.h"
#include "receipt_lanes.h"
#include "source.h"
#include "tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void commit_bind(const cupel_receipt_options *chosen, const json_t *commit, cupel_checked *attempt)
{
    const json_t *own = cupel_receipt_own(attempt->receipt);
    const char *has = cupel_receipt_text(own, "source", "qualifying_sha256", NULL);
    const char *wanted = cupel_receipt_text(commit, "qualifying_sha256", NULL);
    if (strcmp(has, wanted) != 0) {
        cupel_findings_add(&attempt->findings, CUPEL_REASON_SOURCE_CHANGED, chosen->commit,
                           "the attempt is of commit %s, and src, backends, tests, golden or cmake differ",
                           cupel_receipt_text(own, "source", "commit", NULL));
    }
}

static size_t length_trimmed(const char *text, size_t length)
{
    while (length > 0 && text[length - 1] == ' ') { // drivers pad their versions
        --length;
    }
    return length;
}

enum { DEVICE_PARTS = 3 };
static const char *const DEVICE_MEMBERS[DEVICE_PARTS] = {"name", "capability", "driver"};

// How many parts of one "MODEL[,CAPABILITY[,DRIVER]]" of `length` bytes are the device's before one that is not; DEVICE_PARTS when
// it is this device.
static size_t device_agreement(const json_t *device, const char *wanted, size_t length)
{
    const char *part = wanted;
    for (size_t i = 0; i < DEVICE_PARTS && part <= wanted + length; ++i) {
        const size_t size = strcspn(part, i + 1 < DEVICE_PARTS ? ",;" : ";"); // a driver may hold commas
        const char *has = cupel_receipt_text(device, DEVICE_MEMBERS[i], NULL);
        const size_t trimmed = length_trimmed(part, size);
        if (length_trimmed(has, strlen(has)) != trimmed || strncmp(has, part, trimmed) != 0) {
            return i;
        }
        part += size + 1;
    }
    return DEVICE_PARTS;
}

// The attempt must be of one of the named devices.
static void device_bind(const cupel_receipt_options *chosen, cupel_checked *attempt)
{
    const json_t *device = json_object_get(json_object_get(cupel_receipt_own(attempt->receipt), "verdict"), "device");
    size_t most = 0; // of several named devices the nearest tells what differs
    for (const char *wanted = chosen->device; wanted != NULL;) {
        const size_t length = strcspn(wanted, ";");
        const size_t agreement = device_agreement(device, wanted, length);
        if (agreement == DEVICE_PARTS) {
            return;
        }
        most = agreement > most ? agreement : most;
        wanted = wanted[length] == ';' ? wanted + length + 1 : NULL;
    }
    cupel_findings_add(&attempt->findings, CUPEL_REASON_DEVICE_FOREIGN, chosen->device, "the attempt's device has %s \"%s\"",
                       DEVICE_MEMBERS[most], cupel_receipt_text(device, DEVICE_MEMBERS[most], NULL));
}

// How the device that ran was found in the machine's record: {"by": "uuid", "model" or "none", "why": why not by its UUID}. JSON
// null without a receipt or a run.
static json_t *device_to_json(const json_t *own)
{
    static const char *const words[] = {[EVIDENCE_DEVICE_DIFFERS] = "none",
                                        [EVIDENCE_DEVICE_NOT_COMPARED] = "none",
                                        [EVIDENCE_DEVICE_BY_MODEL] = "model",
                                        [EVIDENCE_DEVICE_BY_UUID] = "uuid"};
    char message[EVIDENCE_MESSAGE];
    const json_t *verdict = json_object_get(own, "verdict");
    const json_t *device = json_object_get(verdict, "device");
    if (!json_is_object(device)) {
        return json_null();
    }
    const evidence_device_match match = evidence_device_compare(
        json_object_get(own, "machine"), cupel_receipt_text(verdict, "backend", NULL), device, false, message);
    return json_pack("{s:s, s:s}", "by", words[match], "why", message);
}

static void device_print(const json_t *own)
{
    json_t *device = device_to_json(own);
    const char *by = cupel_receipt_text(device, "by", NULL);
    const char *why = cupel_receipt_text(device, "why", NULL);
    if (strcmp(by, "none") == 0) {
        printf(", device not compared with the machine's record (%s)", why);
    } else if (device != NULL && json_is_object(device)) {
        printf(", device by its %s%s%s%s", strcmp(by, "uuid") == 0 ? "UUID" : by, why[0] != '\0' ? " (" : "", why,
               why[0] != '\0' ? ")" : "");
    }
    json_decref(device);
}

static json_t *attempt_to_json(const cupel_checked *attempt, cupel_status status)
{
    const json_t *own = cupel_receipt_own(attempt->receipt);
    json_t *reasons = cupel_findings_to_json(&attempt->findings);
    return json_pack("{s:s, s:s, s:s, s:b, s:o, s:i, s:s, s:o}", "attempt", attempt->directory, "profile",
                     cupel_receipt_text(own, "attempt", "profile", NULL), "commit",
                     cupel_receipt_text(own, "source", "commit", NULL), "fresh_build",
                     json_is_true(json_object_get(json_object_get(own, "build"), "fresh")), "device", device_to_json(own), "status",
                     (int)status, "word", cupel_status_word(status), "reasons", reasons);
}

static void attempt_print(const cupel_checked *attempt, cupel_status status)
{
    const json_t *own = cupel_receipt_own(attempt->receipt);
    const json_t *counts = json_object_get(json_object_get(own, "verdict"), "counts");
    cupel_findings_print(&attempt->findings, 20, stdout);
    printf("%s: %s", attempt->directory, cupel_status_word(status));
    if (own != NULL) {
        printf(" %s", cupel_receipt_text(own, "attempt", "profile", NULL));
    }
    // Counts of what is not believed, or did not run, would be quoted all the same.
    if (own != NULL && (status == CUPEL_PASS || status == CUPEL_FAILED)) {
        printf(" %lld/%lld", (long long)json_integer_value(json_object_get(counts, "passed")),
               (long long)json_integer_value(json_object_get(counts, "expected")));
        printf(", build %s", cupel_receipt_build(own));
        device_print(own);
    }
    printf("\n");
}

static cupel_status attempts_report(cupel_checked *attempts, int count, bool as_json)
{
    cupel_status status = CUPEL_PASS;
    json_t *results = json_array();
    for (int i = 0; i < count; ++i) {
        const cupel_status one = cupel_findings_status(&attempts[i].findings);
        status = cupel_status_join(status, one);
        if (as_json) {
            json_array_append_new(results, attempt_to_json(&attempts[i], one));
        } else {
            attempt_print(&attempts[i], one);
        }
    }
    if (as_json) {
        json_t *document =
            json_pack("{s:i, s:s, s:O}", "status", (int)status, "word", cupel_status_word(status), "attempts", results);
        cupel_print_json(document);
        json_decref(document);
    }
    json_decref(results);
    return status;
}

int cupel_receipt_check(const cupel_receipt_options *chosen, int count, char **directories)
{
    char message[EVIDENCE_MESSAGE] = "memory ran out.";
    cupel_checked *attempts = calloc((size_t)count, sizeof *attempts);
    json_t *commit = NULL;
    if (chosen->commit != NULL) {
        commit = evidence_source_of_commit(chosen->source != NULL ? chosen->source : ".", chosen->commit, message);
    }
    if (attempts == NULL || (chosen->commit != NULL && commit == NULL)) {
        free(attempts);
        return cupel_fail(CUPEL_REFUSED, "receipt", "%s", message);
    }
    for (int i = 0; i < count; ++i) {
        cupel_checked_read(&attempts[i], directories[i]);
        if (attempts[i].receipt != NULL && commit != NULL) {
            commit_bind(chosen, commit, &attempts[i]);
        }
        if (attempts[i].receipt != NULL && chosen->device != NULL) {
            device_bind(chosen, &attempts[i]);
        }
    }
    cupel_lanes_bind(attempts, (size_t)count);
    const cupel_status status = attempts_report(attempts, count, chosen->as_json);
    for (int i = 0; i < count; ++i) {
        cupel_checked_free(&attempts[i]);
    }
    free(attempts);
    json_decref(commit);
    return (int)status;
}
