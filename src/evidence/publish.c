// SPDX-License-Identifier: Apache-2.0
#include "publish.h"

#include "attempt_files.h"
#include "attempt_receipt.h"
#include "evidence_process.h"
#include "plan.h"
#include "publish_audit.h"
#include "publish_texts.h"
#include "source_list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double REMOVE_LIMIT_SECONDS = 60.0;

// What goes on while a copy is made.
typedef struct publication {
    const char *directory; // the attempt
    const char *output;
    evidence_texts texts;
    evidence_frame_set frames;
    evidence_sanitizer sanitizer;
    evidence_audit audit;
    json_t *renewed; // {hash of an original: hash of its copy} of the files whose bytes changed
} publication;

// A place as it is called, and as it is called without links.
static void place_know(evidence_sanitizer *sanitizer, const char *path)
{
    char *resolved = path != NULL ? realpath(path, NULL) : NULL;
    evidence_sanitizer_know(sanitizer, EVIDENCE_PATH, path);
    evidence_sanitizer_know(sanitizer, EVIDENCE_PATH, resolved);
    free(resolved);
}

// What the plan tells of this machine's places; paths that contain others come first by being longer.
static void paths_know(evidence_sanitizer *sanitizer, const char *directory)
{
    char path[PATH_MAX];
    char message[CUPEL_PLAN_MESSAGE];
    cupel_plan plan;
    char *resolved = realpath(directory, NULL);
    evidence_sanitizer_know(sanitizer, EVIDENCE_PATH, resolved);
    if (resolved != NULL && strrchr(resolved, '/') != resolved) {
        *strrchr(resolved, '/') = '\0';
        evidence_sanitizer_know(sanitizer, EVIDENCE_PATH, resolved);
    }
    free(resolved);
    if (evidence_path(path, "%s/" EVIDENCE_PLAN_COPY, directory) && cupel_plan_read_file(path, &plan, message)) {
        place_know(sanitizer, plan.build);
        place_know(sanitizer, plan.source);
        cupel_plan_free(&plan);
    }
}

// What the recorder was: an account of two letters may be no word to look for elsewhere, but here it is known for what it is.
static void recorder_know(publication *work)
{
    static const struct {
        const char *member;
        evidence_kind kind;
    } members[] = {{"account", EVIDENCE_ACCOUNT}, {"home", EVIDENCE_PATH}, {"host", EVIDENCE_HOST}};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; ++i) {
        const char *value = json_string_value(json_object_get(work->texts.recorder, members[i].member));
        evidence_sanitizer_know(&work->sanitizer, members[i].kind, value);
    }
}

// True for a file that Cupel itself writes; what a command prints is none.
static bool is_own(const evidence_text *file)
{
    static const char steps[] = "steps/";
    char label[PATH_MAX];
    if (strncmp(file->name, steps, sizeof steps - 1) != 0) {
        return true;
    }
    snprintf(label, sizeof label, "%s", file->name + sizeof steps - 1);
    const size_t length = strcspn(label, "/");
    const bool told = strcmp(label + length, "/stdout") == 0 || strcmp(label + length, "/command") == 0;
    label[length] = '\0';
    return told && evidence_step_is_of_procedure(label) && file->text[0] == '{';
}

// Collects the words that stay, then the values that go.
static void values_collect(publication *work)
{
    for (size_t i = 0; i < work->texts.count; ++i) {
        const evidence_text *file = &work->texts.items[i];
        if (strcmp(file->name, EVIDENCE_MANIFEST_COPY) == 0) {
            evidence_sanitizer_keep(&work->sanitizer, file->text, strlen(file->text));
        }
        if (is_own(file)) {
            evidence_sanitizer_keep_members(&work->sanitizer, file->text);
        }
    }
    paths_know(&work->sanitizer, work->directory);
    recorder_know(work);
    evidence_sanitizer_know_here(&work->sanitizer);
    for (size_t i = 0; i < work->texts.count; ++i) {
        evidence_sanitizer_scan(&work->sanitizer, work->texts.items[i].text);
        evidence_audit_learn(&work->audit, work->texts.items[i].text);
    }
    place_know(&work->sanitizer, work->output);
    evidence_audit_learn_values(&work->audit, &work->sanitizer);
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

static bool file_publish(publication *work, const evidence_text *file, char message[EVIDENCE_MESSAGE])
{
    char *clean = evidence_sanitizer_apply(&work->sanitizer, file->text);
    bool done = false;
    if (clean == NULL) {
        evidence_say(message, "memory ran out, so nothing is published.");
        return false;
    }
    if (names_hashes(file->name)) {
        hashes_renew(clean, work->renewed);
    } else {
        work->sanitizer.lost |= !hash_remember(file->text, clean, work->renewed);
    }
    done = file_write(work->output, file->name, clean);
    if (!done) {
        evidence_say(message, "%s/%s cannot be written (%s); name another directory.", work->output, file->name, strerror(errno));
    }
    free(clean);
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
        if (evidence_is_left_out(name)) {
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

static json_t *copy_make(publication *work, const json_t *own, char message[EVIDENCE_MESSAGE])
{
    json_t *record = NULL;
    bool good = evidence_texts_read(work->directory, json_object_get(own, "files"), &work->texts, message);
    if (good) {
        values_collect(work);
    }
    for (int pass = 0; good && pass < 2; ++pass) { // files come before those that name them
        for (size_t i = 0; good && i < work->texts.count; ++i) {
            const evidence_text *file = &work->texts.items[i];
            good = !work->sanitizer.lost && !work->audit.lost &&
                   (names_hashes(file->name) != (pass == 1) || file_publish(work, file, message));
        }
    }
    if (work->sanitizer.lost || work->audit.lost) {
        evidence_say(message, "memory ran out, so nothing is published.");
    } else if (good) {
        record = record_write(work->directory, work->output, own, &work->sanitizer);
        if (record == NULL) {
            evidence_say(message, "%s/%s cannot be written (%s).", work->output, EVIDENCE_PUBLISHED, strerror(errno));
        } else if (!copy_seal(work->output, own, message) || !evidence_copy_audit(work->output, &work->audit, message)) {
            json_decref(record);
            record = NULL;
        }
    }
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
        publication work = {.directory = directory, .output = output, .renewed = json_object()};
        work.sanitizer.frames = &work.frames;
        record = copy_make(&work, own, message);
        json_decref(work.renewed);
        evidence_texts_free(&work.texts);
        evidence_audit_free(&work.audit);
        evidence_sanitizer_free(&work.sanitizer);
        evidence_frame_set_free(&work.frames);
        if (record == NULL) {
            const char *const forget[] = {"rm", "-rf", "--", output, NULL};
            free(evidence_process_output(forget, REMOVE_LIMIT_SECONDS, 1024));
        }
    }
    cupel_findings_free(&findings);
    json_decref(receipt);
    return record;
}
