// SPDX-License-Identifier: Apache-2.0
#include "publish.h"

#include "attempt_files.h"
#include "attempt_receipt.h"
#include "evidence_process.h"
#include "plan.h"
#include "sanitize.h"
#include "source_list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES_MAX = 1 << 28 };
static const double REMOVE_LIMIT_SECONDS = 60.0;

// All of the attempt's files but receipts, read as text. A file with a zero byte cannot be sanitised and is refused.
static char *text_read(const char *directory, const char *name, char message[EVIDENCE_MESSAGE])
{
    char path[PATH_MAX];
    cupel_file file;
    const char *trouble =
        evidence_path(path, "%s/%s", directory, name) ? cupel_file_read(path, FILE_BYTES_MAX, &file) : "path too long";
    if (trouble == NULL && memchr(file.bytes, '\0', file.length) != NULL) {
        cupel_file_free(&file);
        trouble = "it is no text";
    }
    if (trouble != NULL) {
        evidence_say(message, "%s/%s cannot be published (%s); publish an attempt without it.", directory, name, trouble);
        return NULL;
    }
    return file.bytes; // cupel_file_free would free just this
}

// Executables hold paths and cannot be sanitised: a copy leaves them out.
static bool is_left_out(const char *name)
{
    return strncmp(name, EVIDENCE_BUILD_KEPT "/", strlen(EVIDENCE_BUILD_KEPT) + 1) == 0;
}

// What the plan tells of this machine's places; paths that contain others come first by being longer.
static void paths_know(evidence_sanitizer *sanitizer, const char *directory)
{
    char path[PATH_MAX];
    char message[CUPEL_PLAN_MESSAGE];
    cupel_plan plan;
    char *resolved = realpath(directory, NULL);
    evidence_sanitizer_know(sanitizer, "path", resolved);
    if (resolved != NULL && strrchr(resolved, '/') != resolved) {
        *strrchr(resolved, '/') = '\0';
        evidence_sanitizer_know(sanitizer, "path", resolved);
    }
    free(resolved);
    if (evidence_path(path, "%s/" EVIDENCE_PLAN_COPY, directory) && cupel_plan_read_file(path, &plan, message)) {
        evidence_sanitizer_know(sanitizer, "path", plan.build);
        evidence_sanitizer_know(sanitizer, "path", plan.source);
        cupel_plan_free(&plan);
    }
}

// The text of attempt.json without its recorder, whose values the sanitizer learns: a name may be too short to be looked for
// elsewhere, but here it is known for what it is. Null when it is no JSON.
static char *recorder_remove(const char *text, evidence_sanitizer *sanitizer)
{
    static const char *const kinds[][2] = {{"account", "account"}, {"home", "path"}, {"host", "host"}};
    json_t *attempt = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    const json_t *recorder = json_object_get(attempt, "recorder");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        evidence_sanitizer_know(sanitizer, kinds[i][1], json_string_value(json_object_get(recorder, kinds[i][0])));
    }
    json_object_del(attempt, "recorder");
    char *without = attempt != NULL ? json_dumps(attempt, EVIDENCE_RECEIPT_FORM) : NULL;
    json_decref(attempt);
    return without;
}

// A file's text as it is to be copied, before values are replaced. Null after a sentence.
static char *text_take(const char *directory, const char *name, evidence_sanitizer *sanitizer, char message[EVIDENCE_MESSAGE])
{
    char *text = text_read(directory, name, message);
    if (text != NULL && strcmp(name, EVIDENCE_ATTEMPT_RECORD) == 0) {
        char *without = recorder_remove(text, sanitizer);
        if (without == NULL) {
            evidence_say(message, "%s/%s cannot be published (it is no JSON).", directory, name);
        }
        free(text);
        text = without;
    }
    return text;
}

// Makes the folders of `name` below `directory`, which exists.
static bool folders_make(const char *directory, const char *name)
{
    char path[PATH_MAX];
    for (const char *slash = strchr(name, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        if (!evidence_path(path, "%s/%.*s", directory, (int)(slash - name), name) ||
            (!evidence_directory_create(path) && errno != EEXIST)) {
            return false;
        }
    }
    return true;
}

static bool file_write(const char *directory, const char *name, const char *text)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(name, '/');
    const int length = slash != NULL ? (int)(slash - name) : 0;
    return folders_make(directory, name) && evidence_path(folder, "%s/%.*s", directory, length, name) &&
           evidence_file_write(folder, slash != NULL ? slash + 1 : name, text, strlen(text), EVIDENCE_NEW);
}

// Files that name others by their hashes: a ledger its report, the provenance the plan. They come after those.
static bool names_hashes(const char *name)
{
    const char *end = strrchr(name, '.');
    return (end != NULL && strcmp(end, ".ledger") == 0) || strcmp(name, "steps/" EVIDENCE_STEP_PROVENANCE "/stdout") == 0 ||
           strcmp(name, "steps/" EVIDENCE_STEP_PROVENANCE_AFTER "/stdout") == 0;
}

// In the copy a named hash is that of the copy's file.
static void hashes_renew(char *text, const json_t *renewed)
{
    const char *old = NULL;
    const json_t *new_hash = NULL;
    json_object_foreach((json_t *)renewed, old, new_hash)
    {
        for (char *at = strstr(text, old); at != NULL; at = strstr(at, old)) {
            memcpy(at, json_string_value(new_hash), CUPEL_SHA256_HEX - 1);
            at += CUPEL_SHA256_HEX - 1;
        }
    }
}

// Remembers {hash of the original: hash of the copy} of a file whose bytes changed. False when memory ran out.
static bool hash_remember(const char *text, const char *clean, json_t *renewed)
{
    char old[CUPEL_SHA256_HEX];
    char new_hash[CUPEL_SHA256_HEX];
    return strcmp(text, clean) == 0 ||
           (evidence_bytes_sha256(text, strlen(text), old) && evidence_bytes_sha256(clean, strlen(clean), new_hash) &&
            json_object_set_new(renewed, old, json_string(new_hash)) == 0);
}

static bool file_publish(const char *directory, const char *output, const char *name, evidence_sanitizer *sanitizer,
                         json_t *renewed, char message[EVIDENCE_MESSAGE])
{
    char *text = text_take(directory, name, sanitizer, message);
    char *clean = text != NULL ? evidence_sanitizer_apply(sanitizer, text) : NULL;
    if (clean != NULL && names_hashes(name)) {
        hashes_renew(clean, renewed);
    } else if (clean != NULL) {
        sanitizer->lost |= !hash_remember(text, clean, renewed);
    }
    const evidence_value *left = clean != NULL ? evidence_sanitizer_find(sanitizer, clean) : NULL;
    bool done = false;
    if (left != NULL) {
        evidence_say(message, "a value of kind %s still stands in the copy of %s, so nothing is published.", left->kind, name);
    } else if (clean != NULL) {
        done = file_write(output, name, clean);
        if (!done) {
            evidence_say(message, "%s/%s cannot be written (%s); name another directory.", output, name, strerror(errno));
        }
    }
    free(clean);
    free(text);
    return done;
}

// The names of what the copy does not have.
static json_t *left_out_make(const json_t *own)
{
    const json_t *files = json_object_get(own, "files");
    json_t *names = json_array();
    if (json_object_get(json_object_get(own, "attempt"), "recorder") != NULL) {
        json_array_append_new(names, json_string(EVIDENCE_ATTEMPT_RECORD "#recorder"));
    }
    const char *name = NULL;
    const json_t *value = NULL;
    json_object_foreach((json_t *)files, name, value)
    {
        if (is_left_out(name)) {
            json_array_append_new(names, json_string(name));
        }
    }
    return names;
}

// {path: sha256} of the originals.
static json_t *originals_make(const json_t *files)
{
    json_t *originals = json_object();
    const char *name = NULL;
    const json_t *value = NULL;
    json_object_foreach((json_t *)files, name, value)
    {
        json_object_set(originals, name, json_object_get(value, "sha256"));
    }
    return originals;
}

static json_t *record_write(const char *directory, const char *output, const json_t *own, const evidence_sanitizer *sanitizer)
{
    char path[PATH_MAX];
    char hex[CUPEL_SHA256_HEX];
    if (!evidence_path(path, "%s/" EVIDENCE_RECEIPT, directory) || !cupel_file_sha256(path, hex, NULL)) {
        return NULL;
    }
    json_t *record = json_pack("{s:s, s:s, s:o, s:o, s:o}", "schema", EVIDENCE_PUBLISHED_SCHEMA, "original_receipt_sha256", hex,
                               "removed", evidence_sanitizer_counts(sanitizer), "left_out", left_out_make(own), "original_files",
                               originals_make(json_object_get(own, "files")));
    char *text = json_dumps(record, JSON_INDENT(1) | JSON_SORT_KEYS);
    const bool written = text != NULL && file_write(output, EVIDENCE_PUBLISHED, text);
    free(text);
    if (!written) {
        json_decref(record);
        return NULL;
    }
    return record;
}

// The receipt of the published bytes, which must give the original's status.
static bool copy_seal(const char *output, const json_t *own, char message[EVIDENCE_MESSAGE])
{
    cupel_findings findings = {0};
    const bool has_run = !json_is_null(json_object_get(own, "verdict"));
    const bool renewed = !has_run || evidence_attempt_renew_run(output, &findings);
    json_t *receipt = renewed ? evidence_attempt_receipt(output, &findings) : NULL;
    const json_t *copied = json_object_get(json_object_get(receipt, "predicate"), "cupel");
    const bool same = receipt != NULL && json_equal(json_object_get(copied, "status"), json_object_get(own, "status"));
    bool sealed = false;
    if (!same) {
        evidence_say(message, "the copy gives another status than the original (%s), so nothing is published.",
                     findings.count > 0 ? findings.items[0].text : "no reason");
    } else {
        sealed = evidence_receipt_write(output, receipt);
        if (!sealed) {
            evidence_say(message, "%s/%s cannot be written (%s); name another directory.", output, EVIDENCE_RECEIPT,
                         strerror(errno));
        }
    }
    json_decref(receipt);
    cupel_findings_free(&findings);
    return sealed;
}

static json_t *copy_make(const char *directory, const char *output, const json_t *own, char message[EVIDENCE_MESSAGE])
{
    evidence_sanitizer sanitizer = {0};
    const json_t *files = json_object_get(own, "files");
    const char *name = NULL;
    const json_t *value = NULL;
    json_t *record = NULL;
    json_t *renewed = json_object();
    bool good = true;
    paths_know(&sanitizer, directory);
    evidence_sanitizer_know_here(&sanitizer);
    json_object_foreach((json_t *)files, name, value)
    {
        if (!good || is_left_out(name)) {
            continue;
        }
        char *text = text_take(directory, name, &sanitizer, message);
        good = text != NULL;
        if (good) {
            evidence_sanitizer_scan(&sanitizer, text);
        }
        free(text);
    }
    for (int pass = 0; pass < 2; ++pass) { // files come before those that name them
        json_object_foreach((json_t *)files, name, value)
        {
            if (!is_left_out(name) && names_hashes(name) == (pass == 1)) {
                good = good && !sanitizer.lost && file_publish(directory, output, name, &sanitizer, renewed, message);
            }
        }
    }
    json_decref(renewed);
    if (sanitizer.lost) {
        evidence_say(message, "memory ran out, so nothing is published.");
    }
    if (good && !sanitizer.lost) {
        record = record_write(directory, output, own, &sanitizer);
        if (record == NULL) {
            evidence_say(message, "%s/%s cannot be written (%s).", output, EVIDENCE_PUBLISHED, strerror(errno));
        } else if (!copy_seal(output, own, message)) {
            json_decref(record);
            record = NULL;
        }
    }
    evidence_sanitizer_free(&sanitizer);
    return record;
}

json_t *evidence_publish(const char *directory, const char *output, char message[EVIDENCE_MESSAGE])
{
    cupel_findings findings = {0};
    json_t *record = NULL;
    json_t *receipt = evidence_attempt_check(directory, &findings);
    const json_t *own = json_object_get(json_object_get(receipt, "predicate"), "cupel");
    // A failed attempt may be published; one that is not what its receipt says may not.
    const bool holds =
        own != NULL && json_integer_value(json_object_get(own, "status")) == (json_int_t)cupel_findings_status(&findings);
    if (!holds) {
        evidence_say(message, "%s is not what its receipt says (%s); cupel receipt check shows why.", directory,
                     findings.count > 0 ? findings.items[0].text : "no receipt");
    } else if (!evidence_directory_create(output)) {
        evidence_say(message, "the directory %s cannot be made (%s); name a new one.", output, strerror(errno));
    } else {
        record = copy_make(directory, output, own, message);
        if (record == NULL) {
            const char *const forget[] = {"rm", "-rf", "--", output, NULL};
            free(evidence_process_output(forget, REMOVE_LIMIT_SECONDS, 1024));
        }
    }
    cupel_findings_free(&findings);
    json_decref(receipt);
    return record;
}
