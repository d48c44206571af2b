// SPDX-License-Identifier: Apache-2.0
#include "receipt_lanes.h"

#include "attempt_receipt.h"
#include "receipt_command.h"
#include "text.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

// `finished` is rounded up to whole seconds and `started` down, and a clock may be corrected by as much.
enum { FINISHED_ROUNDED_SECONDS = 2 };

void cupel_checked_read(cupel_checked *attempt, const char *directory)
{
    *attempt = (cupel_checked){0};
    evidence_path(attempt->directory, "%s", directory);
    attempt->receipt = evidence_attempt_check(directory, &attempt->findings);
}

void cupel_checked_free(cupel_checked *attempt)
{
    json_decref(attempt->receipt);
    cupel_findings_free(&attempt->findings);
    *attempt = (cupel_checked){0};
}

// True when one of the attempts is the one of `profile` in `session`.
static bool lane_is_here(const cupel_checked *attempts, size_t count, const char *session, const char *profile)
{
    for (size_t i = 0; i < count; ++i) {
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

static void lanes_bind(cupel_checked *attempts, size_t count, cupel_checked *one)
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
static void lanes_compare(const cupel_checked *attempts, size_t count, cupel_checked *one)
{
    static const char *const members[][2] = {
        {"attempt", "together"}, {"source", "sha256"}, {"provenance", "compiler"}, {"provenance", "sources_sha256"}};
    const json_t *own = cupel_receipt_own(one->receipt);
    const char *session = cupel_receipt_text(own, "attempt", "session", NULL);
    for (size_t i = 0; i < count && session[0] != '\0' && &attempts[i] != one; ++i) {
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
static void lanes_order(const cupel_checked *attempts, size_t count, cupel_checked *one)
{
    const json_t *own = cupel_receipt_own(one->receipt);
    const json_t *together = json_object_get(json_object_get(own, "attempt"), "together");
    const char *session = cupel_receipt_text(own, "attempt", "session", NULL);
    int64_t started = 0;
    if (session[0] == '\0' || !cupel_text_utc(cupel_receipt_text(own, "attempt", "started", NULL), &started)) {
        return;
    }
    for (size_t i = 0; i < count; ++i) {
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

// The SHA-256 of the receipt as it was recorded: a copy for publication has another and keeps the original's.
static bool receipt_hash(const cupel_checked *attempt, char hex[CUPEL_SHA256_HEX])
{
    char path[PATH_MAX];
    const char *original = cupel_receipt_text(cupel_receipt_own(attempt->receipt), "published", "original_receipt_sha256", NULL);
    if (original[0] != '\0') {
        snprintf(hex, CUPEL_SHA256_HEX, "%s", original);
        return true;
    }
    return evidence_path(path, "%s/" EVIDENCE_RECEIPT, attempt->directory) && cupel_file_sha256(path, hex, NULL);
}

// An attempt names those of its profile that were there before it, with their receipts' hashes. One that had no receipt then may
// have got one since.
static void earlier_bind(const cupel_checked *attempts, size_t count, cupel_checked *one)
{
    const json_t *item = NULL;
    size_t at = 0;
    json_array_foreach(json_object_get(json_object_get(cupel_receipt_own(one->receipt), "attempt"), "earlier"), at, item)
    {
        const char *name = cupel_receipt_text(item, "attempt", NULL);
        const char *wanted = cupel_receipt_text(item, "receipt_sha256", NULL);
        for (size_t i = 0; i < count; ++i) {
            char hex[CUPEL_SHA256_HEX];
            if (wanted[0] != '\0' &&
                strcmp(cupel_receipt_text(cupel_receipt_own(attempts[i].receipt), "attempt", "attempt", NULL), name) == 0 &&
                receipt_hash(&attempts[i], hex) && strcmp(hex, wanted) != 0) {
                cupel_findings_add(&one->findings, CUPEL_REASON_EVIDENCE_CONTRADICTION, EVIDENCE_ATTEMPT_RECORD,
                                   "the receipt of %s had SHA-256 %s when this attempt began, now %s", name, wanted, hex);
            }
        }
    }
}

void cupel_lanes_bind(cupel_checked *attempts, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        lanes_bind(attempts, count, &attempts[i]);
        lanes_compare(attempts, count, &attempts[i]);
        lanes_order(attempts, count, &attempts[i]);
        earlier_bind(attempts, count, &attempts[i]);
    }
}

// ---- One attempt and those of its command beside it -----------------------------------------------------------------------------

// True for the directory of another attempt of the session: attempt.json says so, and what it says is checked afterwards.
static bool is_sibling(const char *directory, const char *session, const char *profile)
{
    char path[PATH_MAX];
    json_t *attempt =
        evidence_path(path, "%s/" EVIDENCE_ATTEMPT_RECORD, directory) ? json_load_file(path, JSON_REJECT_DUPLICATES, NULL) : NULL;
    const bool of_session = strcmp(cupel_receipt_text(attempt, "session", NULL), session) == 0;
    const bool of_other_profile = strcmp(cupel_receipt_text(attempt, "profile", NULL), profile) != 0;
    json_decref(attempt);
    return session[0] != '\0' && of_session && of_other_profile;
}

// Adds the attempts of the first one's command that lie in the same folder. False when memory ran out.
static bool siblings_add(cupel_checked **attempts, size_t *count)
{
    char path[PATH_MAX];
    struct dirent **entries = NULL;
    bool good = true;
    json_t *attempt = json_incref(json_object_get(cupel_receipt_own((*attempts)[0].receipt), "attempt"));
    char *folder = realpath((*attempts)[0].directory, NULL);
    char *slash = folder != NULL ? strrchr(folder, '/') : NULL;
    if (slash != NULL) {
        slash[slash == folder ? 1 : 0] = '\0';
    }
    const int found = slash != NULL ? scandir(folder, &entries, NULL, alphasort) : -1;
    for (int i = 0; i < found; ++i) {
        const char *name = entries[i]->d_name;
        if (good && name[0] != '.' && evidence_path(path, "%s/%s", folder, name) &&
            is_sibling(path, cupel_receipt_text(attempt, "session", NULL), cupel_receipt_text(attempt, "profile", NULL))) {
            cupel_checked *more = realloc(*attempts, (*count + 1) * sizeof *more);
            good = more != NULL;
            if (good) {
                *attempts = more;
                cupel_checked_read(&more[(*count)++], path);
            }
        }
        free(entries[i]);
    }
    free(entries);
    free(folder);
    json_decref(attempt);
    return good;
}

json_t *cupel_lanes_check(const char *directory, cupel_findings *findings)
{
    size_t count = 0;
    cupel_checked *attempts = malloc(sizeof *attempts);
    if (attempts == NULL) {
        findings->lost = true;
        return NULL;
    }
    cupel_checked_read(&attempts[count++], directory);
    if (attempts[0].receipt != NULL && !siblings_add(&attempts, &count)) {
        findings->lost = true;
    }
    cupel_lanes_bind(attempts, count);
    json_t *receipt = json_incref(attempts[0].receipt);
    cupel_findings_move(findings, &attempts[0].findings);
    for (size_t i = 1; i < count; ++i) {
        for (size_t k = 0; k < attempts[i].findings.count; ++k) {
            const cupel_finding *one = &attempts[i].findings.items[k];
            char subject[PATH_MAX];
            snprintf(subject, sizeof subject, "%s: %s", strrchr(attempts[i].directory, '/') + 1, one->subject);
            cupel_findings_add(findings, one->reason, subject, "%s", one->text);
        }
        findings->lost |= attempts[i].findings.lost;
    }
    for (size_t i = 0; i < count; ++i) {
        cupel_checked_free(&attempts[i]);
    }
    free(attempts);
    return receipt;
}
