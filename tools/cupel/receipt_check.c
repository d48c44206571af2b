// SPDX-License-Identifier: Apache-2.0
#include "receipt_command.h"

#include "attempt_receipt.h"
#include "findings_json.h"
#include "source.h"
#include "text.h"
#include "tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// `finished` is rounded up to whole seconds and `started` down, and a clock may be corrected by as much.
enum { FINISHED_ROUNDED_SECONDS = 2 };

// One attempt under check.
typedef struct checked {
    const char *directory;
    json_t *receipt; // as stored, null when unreadable
    cupel_findings findings;
} checked;

static void commit_bind(const cupel_receipt_options *chosen, const json_t *commit, checked *attempt)
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

// The first part of one "MODEL[,CAPABILITY[,DRIVER]]" of `length` bytes that is not the device's; null when it is this device.
static const char *device_difference(const json_t *device, const char *wanted, size_t length)
{
    static const char *const members[] = {"name", "capability", "driver"};
    const char *part = wanted;
    for (size_t i = 0; i < sizeof members / sizeof members[0] && part <= wanted + length; ++i) {
        const size_t size = strcspn(part, i + 1 < sizeof members / sizeof members[0] ? ",;" : ";"); // a driver may hold commas
        const char *has = cupel_receipt_text(device, members[i], NULL);
        const size_t trimmed = length_trimmed(part, size);
        if (length_trimmed(has, strlen(has)) != trimmed || strncmp(has, part, trimmed) != 0) {
            return members[i];
        }
        part += size + 1;
    }
    return NULL;
}

// The attempt must be of one of the named devices.
static void device_bind(const cupel_receipt_options *chosen, checked *attempt)
{
    const json_t *device = json_object_get(json_object_get(cupel_receipt_own(attempt->receipt), "verdict"), "device");
    const char *differs = NULL;
    for (const char *wanted = chosen->device; wanted != NULL;) {
        const size_t length = strcspn(wanted, ";");
        differs = device_difference(device, wanted, length);
        if (differs == NULL) {
            return;
        }
        wanted = wanted[length] == ';' ? wanted + length + 1 : NULL;
    }
    cupel_findings_add(&attempt->findings, CUPEL_REASON_DEVICE_FOREIGN, chosen->device, "the attempt's device has %s \"%s\"",
                       differs, cupel_receipt_text(device, differs, NULL));
}

// True when one of the attempts is the one of `profile` in `session`.
static bool lane_is_here(const checked *attempts, int count, const char *session, const char *profile)
{
    for (int i = 0; i < count; ++i) {
        const json_t *attempt = json_object_get(cupel_receipt_own(attempts[i].receipt), "attempt");
        if (strcmp(cupel_receipt_text(attempt, "session", NULL), session) == 0 &&
            strcmp(cupel_receipt_text(attempt, "profile", NULL), profile) == 0) {
            return true;
        }
    }
    return false;
}

// Where an attempt's profile stands among those of its command.
static size_t lane_place(const json_t *together, const json_t *own)
{
    const json_t *profile = NULL;
    size_t at = 0;
    json_array_foreach(together, at, profile)
    {
        if (json_equal(profile, json_object_get(json_object_get(own, "attempt"), "profile"))) {
            return at;
        }
    }
    return at;
}

static void lanes_bind(checked *attempts, int count, checked *one)
{
    const json_t *attempt = json_object_get(cupel_receipt_own(one->receipt), "attempt");
    const json_t *profile = NULL;
    size_t at = 0;
    json_array_foreach(json_object_get(attempt, "together"), at, profile)
    {
        const char *name = json_string_value(profile);
        if (name != NULL && !lane_is_here(attempts, count, cupel_receipt_text(attempt, "session", NULL), name)) {
            cupel_findings_add(&one->findings, CUPEL_REASON_LANE_MISSING, name, "it was run together with %s", one->directory);
        }
    }
}

// Lanes of one command are of one source and one toolchain, and know the same lanes: a changed compiler is another lane.
static void lanes_compare(const checked *attempts, int count, checked *one)
{
    static const char *const members[][2] = {
        {"attempt", "together"}, {"source", "sha256"}, {"provenance", "compiler"}, {"provenance", "sources_sha256"}};
    const json_t *own = cupel_receipt_own(one->receipt);
    const char *session = cupel_receipt_text(own, "attempt", "session", NULL);
    for (int i = 0; i < count && session[0] != '\0' && &attempts[i] != one; ++i) {
        const json_t *other = cupel_receipt_own(attempts[i].receipt);
        if (strcmp(cupel_receipt_text(other, "attempt", "session", NULL), session) != 0) {
            continue;
        }
        for (size_t m = 0; m < sizeof members / sizeof members[0]; ++m) {
            const json_t *a = json_object_get(json_object_get(own, members[m][0]), members[m][1]);
            const json_t *b = json_object_get(json_object_get(other, members[m][0]), members[m][1]);
            // Of a compiler its version counts: a path may stand differently in copies.
            a = json_is_object(a) ? json_object_get(a, "version") : a;
            b = json_is_object(b) ? json_object_get(b, "version") : b;
            if (a != NULL && b != NULL && !json_equal(a, b)) {
                cupel_findings_add(&one->findings, CUPEL_REASON_LANE_DIFFERS, one->directory, "its %s.%s is not that of %s",
                                   members[m][0], members[m][1], attempts[i].directory);
            }
        }
    }
}

// Lanes of one command ran one after another, in the order in which they were named.
static void lanes_order(const checked *attempts, int count, checked *one)
{
    const json_t *own = cupel_receipt_own(one->receipt);
    const json_t *together = json_object_get(json_object_get(own, "attempt"), "together");
    const char *session = cupel_receipt_text(own, "attempt", "session", NULL);
    int64_t started = 0;
    if (session[0] == '\0' || !cupel_text_utc(cupel_receipt_text(own, "attempt", "started", NULL), &started)) {
        return;
    }
    for (int i = 0; i < count; ++i) {
        const json_t *other = cupel_receipt_own(attempts[i].receipt);
        const char *finished = cupel_receipt_text(other, "finished", NULL);
        int64_t ended = 0;
        if (strcmp(cupel_receipt_text(other, "attempt", "session", NULL), session) == 0 && cupel_text_utc(finished, &ended) &&
            lane_place(together, other) < lane_place(together, own) && started + FINISHED_ROUNDED_SECONDS < ended) {
            cupel_findings_add(&one->findings, CUPEL_REASON_CLOCK_BACKWARDS, one->directory, "it began before %s ended, %s",
                               attempts[i].directory, finished);
        }
    }
}

static json_t *attempt_to_json(const checked *attempt, cupel_status status)
{
    const json_t *own = cupel_receipt_own(attempt->receipt);
    json_t *reasons = cupel_findings_to_json(&attempt->findings);
    return json_pack("{s:s, s:s, s:s, s:b, s:i, s:s, s:o}", "attempt", attempt->directory, "profile",
                     cupel_receipt_text(own, "attempt", "profile", NULL), "commit",
                     cupel_receipt_text(own, "source", "commit", NULL), "fresh_build",
                     json_is_true(json_object_get(json_object_get(own, "build"), "fresh")), "status", (int)status, "word",
                     cupel_status_word(status), "reasons", reasons);
}

static void attempt_print(const checked *attempt, cupel_status status)
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
    }
    printf("\n");
}

static cupel_status attempts_report(checked *attempts, int count, bool as_json)
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
    checked *attempts = calloc((size_t)count, sizeof *attempts);
    json_t *commit = NULL;
    if (chosen->commit != NULL) {
        commit = evidence_source_of_commit(chosen->source != NULL ? chosen->source : ".", chosen->commit, message);
    }
    if (attempts == NULL || (chosen->commit != NULL && commit == NULL)) {
        free(attempts);
        return cupel_fail(CUPEL_REFUSED, "receipt", "%s", message);
    }
    for (int i = 0; i < count; ++i) {
        attempts[i].directory = directories[i];
        attempts[i].receipt = evidence_attempt_check(directories[i], &attempts[i].findings);
        if (attempts[i].receipt != NULL && commit != NULL) {
            commit_bind(chosen, commit, &attempts[i]);
        }
        if (attempts[i].receipt != NULL && chosen->device != NULL) {
            device_bind(chosen, &attempts[i]);
        }
    }
    for (int i = 0; i < count; ++i) {
        lanes_bind(attempts, count, &attempts[i]);
        lanes_compare(attempts, count, &attempts[i]);
        lanes_order(attempts, count, &attempts[i]);
    }
    const cupel_status status = attempts_report(attempts, count, chosen->as_json);
    for (int i = 0; i < count; ++i) {
        json_decref(attempts[i].receipt);
        cupel_findings_free(&attempts[i].findings);
    }
    free(attempts);
    json_decref(commit);
    return (int)status;
}
