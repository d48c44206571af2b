// SPDX-License-Identifier: Apache-2.0
// An attempt checked offline: its receipt made again and compared.
#include "attempt_receipt.h"

#include "attempt.h"
#include "attempt_files.h"
#include "receipt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { RECEIPT_BYTES_MAX = 1 << 28 };

// A directory, whatever it holds: an attempt may have been stopped before its first file.
static bool is_attempt(const char *directory)
{
    struct stat status;
    return stat(directory, &status) == 0 && S_ISDIR(status.st_mode);
}

// A receipt that cannot be read: of an attempt that was stopped, of commands that `cupel record` kept, or of nothing that is an
// attempt.
static void absence_add(const char *directory, const char *trouble, cupel_findings *findings)
{
    char path[PATH_MAX];
    struct stat status;
    json_t *attempt =
        evidence_path(path, "%s/" EVIDENCE_ATTEMPT_RECORD, directory) ? json_load_file(path, JSON_REJECT_DUPLICATES, NULL) : NULL;
    const char *profile = json_string_value(json_object_get(attempt, "profile"));
    const bool is_absent = evidence_path(path, "%s/" EVIDENCE_RECEIPT, directory) && lstat(path, &status) != 0;
    if (!is_attempt(directory) || !is_absent) {
        cupel_findings_add(findings, CUPEL_REASON_ATTEMPT_UNREADABLE, EVIDENCE_RECEIPT, "%s", trouble);
    } else if (profile != NULL && strcmp(profile, EVIDENCE_PROFILE_RECORD) == 0) {
        cupel_findings_add(findings, CUPEL_REASON_ATTEMPT_INCOMPLETE, EVIDENCE_RECEIPT,
                           "it holds commands that `cupel record` kept, which no receipt closes");
    } else {
        cupel_findings_add(findings, CUPEL_REASON_ATTEMPT_INCOMPLETE, EVIDENCE_RECEIPT, "it was stopped before its end");
    }
    json_decref(attempt);
}

// The receipt's hash against receipt.sha256. False after a finding when there is no receipt to go on with.
static bool hash_judge(const char *directory, cupel_findings *findings)
{
    char path[PATH_MAX];
    char hex[CUPEL_SHA256_HEX];
    char expected[128];
    cupel_file hash;
    if (!evidence_path(path, "%s/" EVIDENCE_RECEIPT, directory) || !cupel_file_sha256(path, hex, NULL)) {
        absence_add(directory, strerror(errno), findings);
        return false;
    }
    const char *trouble =
        evidence_path(path, "%s/" EVIDENCE_RECEIPT_HASH, directory) ? cupel_file_read(path, sizeof expected, &hash) : "path";
    if (trouble != NULL) {
        cupel_findings_add(findings, CUPEL_REASON_RECEIPT_HASH_MISSING, EVIDENCE_RECEIPT_HASH, "%s", trouble);
        return false;
    }
    snprintf(expected, sizeof expected, "%s  %s\n", hex, EVIDENCE_RECEIPT);
    if (hash.length != strlen(expected) || memcmp(hash.bytes, expected, hash.length) != 0) {
        cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CHANGED, EVIDENCE_RECEIPT,
                           "its SHA-256 is not the one in %s, so one of the two was changed", EVIDENCE_RECEIPT_HASH);
    }
    cupel_file_free(&hash);
    return true;
}

// The directory has the attempt's name, which is also that of its place in everything that was recorded; a copy for publication may
// have any.
static void name_judge(const char *directory, const json_t *own, cupel_findings *findings)
{
    const char *name = json_string_value(json_object_get(json_object_get(own, "attempt"), "attempt"));
    char *resolved = realpath(directory, NULL);
    const char *slash = resolved != NULL ? strrchr(resolved, '/') : NULL;
    const bool is_copy = json_is_object(json_object_get(own, "published"));
    if (!is_copy && (name == NULL || slash == NULL || strcmp(slash + 1, name) != 0)) {
        cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CONTRADICTION, EVIDENCE_ATTEMPT_RECORD,
                           "the directory is called %s, the attempt %s; give the directory its name back",
                           slash != NULL ? slash + 1 : directory, name != NULL ? name : "nothing");
    }
    free(resolved);
}

// What no file says, so that no receipt has it: how the directory is called, and folders that hold nothing.
static void directory_judge(const char *directory, const json_t *receipt, cupel_findings *findings)
{
    const json_t *own = json_object_get(json_object_get(receipt, "predicate"), "cupel");
    const char *profile = json_string_value(json_object_get(json_object_get(own, "attempt"), "profile"));
    name_judge(directory, own, findings);
    evidence_folders_judge(directory, profile != NULL ? profile : "", findings);
}

// Every file that differs, is gone or was added, by name.
static void files_compare(const json_t *stored, const json_t *found, cupel_findings *findings)
{
    const char *name = NULL;
    const json_t *value = NULL;
    json_object_foreach((json_t *)stored, name, value)
    {
        const json_t *now = json_object_get(found, name);
        if (now == NULL) {
            cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_MISSING, name, "it is gone");
        } else if (!json_equal(value, now)) {
            cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CHANGED, name, "its SHA-256 or size is not the receipt's");
        }
    }
    json_object_foreach((json_t *)found, name, value)
    {
        if (json_object_get(stored, name) == NULL) {
            cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_EXTRA, name, "the receipt does not name it");
        }
    }
}

static size_t line_of(const char *text, size_t at)
{
    size_t line = 1;
    for (size_t i = 0; i < at; ++i) {
        line += text[i] == '\n';
    }
    return line;
}

// A stored receipt that is not what the files give: where the two differ. False when it is not in the documented form at all;
// *receipt is null when it is no JSON. `same` bytes of it are what the files give.
static bool receipt_compare(const char *directory, const cupel_file *text, const json_t *again, size_t same, json_t **receipt,
                            cupel_findings *findings)
{
    char path[EVIDENCE_MESSAGE] = "";
    cupel_findings seen = {0};
    json_error_t error = {0};
    const size_t before = findings->count;
    json_t *stored = json_loadb(text->bytes, text->length, JSON_REJECT_DUPLICATES, &error);
    *receipt = stored;
    if (stored == NULL) {
        cupel_findings_add(findings, CUPEL_REASON_RECEIPT_MALFORMED, EVIDENCE_RECEIPT, "line %d: %s", error.line, error.text);
        return false;
    }
    const json_t *predicate = json_object_get(json_object_get(stored, "predicate"), "cupel");
    const char *schema = json_string_value(json_object_get(predicate, "schema"));
    if (schema == NULL || strcmp(schema, EVIDENCE_RECEIPT_SCHEMA) != 0) {
        cupel_findings_add(findings, CUPEL_REASON_ATTEMPT_SCHEMA, EVIDENCE_RECEIPT, "its schema is \"%s\", not \"%s\"",
                           schema != NULL ? schema : "", EVIDENCE_RECEIPT_SCHEMA);
        return false;
    }
    json_t *files = evidence_files_describe(directory, &seen);
    files_compare(json_object_get(predicate, "files"), files, findings);
    // What follows from changed files need not be said again.
    if (again != NULL && findings->count == before) {
        if (evidence_json_difference(stored, again, path)) {
            cupel_findings_add(findings, CUPEL_REASON_RECEIPT_MISMATCH, EVIDENCE_RECEIPT, "%s is not what the evidence gives",
                               path);
        } else { // the same values, written otherwise
            cupel_findings_add(findings, CUPEL_REASON_RECEIPT_MISMATCH, EVIDENCE_RECEIPT,
                               "byte %zu, in line %zu, is not what the evidence gives", same + 1, line_of(text->bytes, same));
        }
    }
    cupel_findings_free(&seen); // making the receipt again found the same
    json_decref(files);
    return true;
}

json_t *evidence_attempt_check(const char *directory, cupel_findings *findings)
{
    char path[PATH_MAX];
    cupel_file text = {0};
    cupel_findings own = {0};
    json_t *stored = NULL;
    size_t same = 0;
    if (!hash_judge(directory, findings)) {
        return NULL;
    }
    // The text is read when nothing else of its size is held any more.
    json_t *again = evidence_attempt_receipt(directory, &own);
    const char *trouble =
        evidence_path(path, "%s/" EVIDENCE_RECEIPT, directory) ? cupel_file_read(path, RECEIPT_BYTES_MAX, &text) : "path";
    if (trouble != NULL) {
        cupel_findings_add(findings, CUPEL_REASON_ATTEMPT_UNREADABLE, EVIDENCE_RECEIPT, "%s", trouble);
    } else if (again != NULL && evidence_json_is_written_as(again, &text, &same)) {
        stored = json_incref(again);
        directory_judge(directory, again, findings);
        cupel_findings_move(findings, &own);
    } else if (receipt_compare(directory, &text, again, same, &stored, findings)) {
        directory_judge(directory, again, findings);
        cupel_findings_join(findings, &own); // both miss a file that the receipt does not name
    }
    cupel_findings_free(&own);
    cupel_file_free(&text);
    json_decref(again);
    return stored;
}
