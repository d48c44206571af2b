// SPDX-License-Identifier: Apache-2.0
// An attempt checked offline: its receipt made again and compared.
#include "attempt_receipt.h"

#include "attempt_files.h"
#include "receipt.h"

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

// The receipt's text, whose hash is in receipt.sha256. Null after a finding.
static json_t *receipt_load(const char *directory, cupel_findings *findings)
{
    char path[PATH_MAX];
    char expected[128];
    cupel_file receipt;
    cupel_file hash;
    json_error_t error = {0};
    json_t *document = NULL;
    const char *trouble =
        evidence_path(path, "%s/" EVIDENCE_RECEIPT, directory) ? cupel_file_read(path, RECEIPT_BYTES_MAX, &receipt) : "path";
    if (trouble != NULL) {
        const cupel_reason reason = is_attempt(directory) ? CUPEL_REASON_ATTEMPT_INCOMPLETE : CUPEL_REASON_ATTEMPT_UNREADABLE;
        cupel_findings_add(findings, reason, EVIDENCE_RECEIPT, "%s", trouble);
        return NULL;
    }
    trouble = evidence_path(path, "%s/" EVIDENCE_RECEIPT_HASH, directory) ? cupel_file_read(path, sizeof expected, &hash) : "path";
    if (trouble != NULL) {
        cupel_findings_add(findings, CUPEL_REASON_ATTEMPT_INCOMPLETE, EVIDENCE_RECEIPT_HASH, "%s", trouble);
    } else {
        snprintf(expected, sizeof expected, "%s  %s\n", receipt.sha256, EVIDENCE_RECEIPT);
        if (hash.length != strlen(expected) || memcmp(hash.bytes, expected, hash.length) != 0) {
            cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CHANGED, EVIDENCE_RECEIPT,
                               "its SHA-256 is not the one in %s, so one of the two was changed", EVIDENCE_RECEIPT_HASH);
        }
        cupel_file_free(&hash);
        document = json_loadb(receipt.bytes, receipt.length, JSON_REJECT_DUPLICATES, &error);
        if (document == NULL) {
            cupel_findings_add(findings, CUPEL_REASON_RECEIPT_MALFORMED, EVIDENCE_RECEIPT, "line %d: %s", error.line, error.text);
        }
    }
    cupel_file_free(&receipt);
    return document;
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

json_t *evidence_attempt_check(const char *directory, cupel_findings *findings)
{
    char path[EVIDENCE_MESSAGE] = "";
    cupel_findings own = {0};
    cupel_findings seen = {0};
    const size_t before = findings->count;
    json_t *stored = receipt_load(directory, findings);
    if (stored == NULL) {
        return NULL;
    }
    const json_t *predicate = json_object_get(json_object_get(stored, "predicate"), "cupel");
    const char *schema = json_string_value(json_object_get(predicate, "schema"));
    const char *finished = json_string_value(json_object_get(predicate, "finished"));
    if (schema == NULL || finished == NULL || strcmp(schema, EVIDENCE_RECEIPT_SCHEMA) != 0) {
        cupel_findings_add(findings, CUPEL_REASON_ATTEMPT_SCHEMA, EVIDENCE_RECEIPT, "its schema is \"%s\", not \"%s\"",
                           schema != NULL ? schema : "", EVIDENCE_RECEIPT_SCHEMA);
        return stored;
    }
    json_t *files = evidence_files_describe(directory, &seen);
    files_compare(json_object_get(predicate, "files"), files, findings);
    json_t *again = evidence_attempt_receipt(directory, finished, &own);
    // What follows from changed files need not be said again.
    if (again != NULL && findings->count == before && evidence_json_difference(stored, again, path)) {
        cupel_findings_add(findings, CUPEL_REASON_RECEIPT_MISMATCH, EVIDENCE_RECEIPT, "%s is not what the evidence gives", path);
    }
    cupel_findings_move(findings, &own);
    cupel_findings_free(&seen); // making the receipt again finds the same
    json_decref(files);
    json_decref(again);
    return stored;
}
