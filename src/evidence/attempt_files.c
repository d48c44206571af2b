// SPDX-License-Identifier: Apache-2.0
#include "attempt_files.h"

#include "attempt.h"
#include "attempt_receipt.h"
#include "publish.h"
#include "signature.h"
#include "source_list.h"
#include "text.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SMALL_FILE = 1 << 16, STEPS_MAX = 1000 };

static const char *const COMMAND_MEMBERS[] = {"schema",      "label",     "lane",    "index", "words",
                                              "environment", "directory", "started", NULL};
static const char *const NEEDED_STEPS[] = {EVIDENCE_STEP_SOURCE, EVIDENCE_STEP_BEFORE, EVIDENCE_STEP_PROVENANCE,
                                           EVIDENCE_STEP_RUN,    EVIDENCE_STEP_AFTER,  EVIDENCE_STEP_PROVENANCE_AFTER};

bool evidence_step_is_of_procedure(const char *label)
{
    for (size_t i = 0; i < sizeof NEEDED_STEPS / sizeof NEEDED_STEPS[0]; ++i) {
        if (strcmp(label, NEEDED_STEPS[i]) == 0) {
            return true;
        }
    }
    return strcmp(label, EVIDENCE_STEP_CONFIGURE) == 0 || strcmp(label, EVIDENCE_STEP_BUILD) == 0 ||
           strcmp(label, EVIDENCE_STEP_REMOVE) == 0;
}

const char *evidence_member_unknown(const json_t *object, const char *const *known)
{
    const char *name = NULL;
    const json_t *value = NULL;
    json_object_foreach((json_t *)object, name, value) // iteration changes nothing
    {
        size_t i = 0;
        while (known[i] != NULL && strcmp(known[i], name) != 0) {
            ++i;
        }
        if (known[i] == NULL) {
            return name;
        }
    }
    return NULL;
}

json_t *evidence_record_read(const char *directory, const char *name, const char *schema, const char *const *known,
                             cupel_findings *findings)
{
    char path[PATH_MAX];
    json_error_t error = {0};
    json_t *record = evidence_path(path, "%s/%s", directory, name) ? json_load_file(path, JSON_REJECT_DUPLICATES, &error) : NULL;
    const char *has = json_string_value(json_object_get(record, "schema"));
    if (record == NULL) {
        cupel_findings_add(findings, CUPEL_REASON_ATTEMPT_UNREADABLE, name, "%s", error.text);
    } else if (has == NULL || strcmp(has, schema) != 0) {
        cupel_findings_add(findings, CUPEL_REASON_ATTEMPT_SCHEMA, name, "its schema is \"%s\", not \"%s\"", has != NULL ? has : "",
                           schema);
        json_decref(record);
        record = NULL;
    } else if (evidence_member_unknown(record, known) != NULL) {
        cupel_findings_add(findings, CUPEL_REASON_ATTEMPT_SCHEMA, name, "member \"%s\" is unknown",
                           evidence_member_unknown(record, known));
        json_decref(record);
        record = NULL;
    }
    return record;
}

// The first line of a step's file without its end, null when there is none; *alone says that the file holds nothing else.
static char *first_line_read(const char *directory, const char *label, const char *name, bool *alone)
{
    char path[PATH_MAX];
    cupel_file file;
    if (!evidence_path(path, "%s/steps/%s/%s", directory, label, name) || cupel_file_read(path, SMALL_FILE, &file) != NULL) {
        return NULL;
    }
    const size_t length = strcspn(file.bytes, "\n");
    char *line = length > 0 ? strndup(file.bytes, length) : NULL;
    *alone = length + 1 == file.length;
    cupel_file_free(&file);
    return line;
}

// The single line of a file that may hold nothing else.
static char *line_read(const char *directory, const char *label, const char *name)
{
    bool alone = false;
    char *line = first_line_read(directory, label, name, &alone);
    if (line != NULL && !alone) {
        free(line);
        line = NULL;
    }
    return line;
}

// Digits, a point and digits: no sign, no exponent, and few enough digits to be a number of seconds.
static bool is_seconds(const char *text)
{
    const size_t whole = text != NULL ? strspn(text, "0123456789") : 0;
    const size_t part = whole > 0 && text[whole] == '.' ? strspn(text + whole + 1, "0123456789") : 0;
    return whole > 0 && whole <= 9 && part > 0 && text[whole + 1 + part] == '\0';
}

static json_t *step_read(const char *directory, const char *label, cupel_findings *findings)
{
    char name[EVIDENCE_LABEL_MAX + 16];
    const char *has_label = NULL;
    const char *lane = NULL;
    const char *started = NULL;
    json_int_t index = 0;
    uint64_t bytes = 0;
    snprintf(name, sizeof name, "steps/%.*s/command", EVIDENCE_LABEL_MAX, label);
    json_t *command = evidence_record_read(directory, name, EVIDENCE_STEP_SCHEMA, COMMAND_MEMBERS, findings);
    if (command == NULL) {
        return NULL;
    }
    if (json_unpack(command, "{s:s, s:s, s:I, s:s}", "label", &has_label, "lane", &lane, "index", &index, "started", &started) !=
            0 ||
        strcmp(has_label, label) != 0 || index < 1 || index > STEPS_MAX) {
        cupel_findings_add(findings, CUPEL_REASON_ATTEMPT_SCHEMA, name, "it does not describe step %s", label);
        json_decref(command);
        return NULL;
    }
    char *status = line_read(directory, label, "status");
    char *seconds = line_read(directory, label, "seconds");
    char *peak = line_read(directory, label, "peak_rss_bytes");
    if (status == NULL) {
        cupel_findings_add(findings, CUPEL_REASON_STEP_UNFINISHED, label, "it began and has no status");
    } else if (strcmp(status, "exit 0") != 0 && strcmp(label, EVIDENCE_STEP_RUN) != 0) {
        bool alone = false;
        char *said = first_line_read(directory, label, "stderr", &alone);
        cupel_findings_add(findings, CUPEL_REASON_STEP_FAILED, label, "its status is \"%s\"; it said: %s", status,
                           said != NULL ? said : "nothing");
        free(said);
    }
    if (status != NULL && (!is_seconds(seconds) || peak == NULL || !cupel_text_u64(peak, &bytes))) {
        cupel_findings_add(findings, CUPEL_REASON_ATTEMPT_SCHEMA, label, "its seconds or its peak_rss_bytes is no number");
    }
    json_t *step = json_pack("{s:s, s:s, s:I, s:s, s:s, s:s, s:s}", "label", label, "lane", lane, "index", index, "started",
                             started, "status", status != NULL ? status : "", "seconds", seconds != NULL ? seconds : "",
                             "host_peak_rss_bytes", peak != NULL ? peak : "");
    free(peak);
    free(status);
    free(seconds);
    json_decref(command);
    return step;
}

json_t *evidence_steps_read(const char *directory, cupel_findings *findings)
{
    char path[PATH_MAX];
    json_t *steps = json_array();
    struct dirent **entries = NULL;
    const int count = evidence_path(path, "%s/steps", directory) ? scandir(path, &entries, NULL, alphasort) : -1;
    for (int i = 0; i < count; ++i) {
        json_t *step = evidence_label_is_valid(entries[i]->d_name) ? step_read(directory, entries[i]->d_name, findings) : NULL;
        // Inserted by index: steps are few.
        size_t at = 0;
        while (step != NULL && at < json_array_size(steps) &&
               json_integer_value(json_object_get(json_array_get(steps, at), "index")) <
                   json_integer_value(json_object_get(step, "index"))) {
            ++at;
        }
        if (step != NULL) {
            json_array_insert_new(steps, at, step);
        }
        free(entries[i]);
    }
    free(entries);
    for (size_t n = 0; n < sizeof NEEDED_STEPS / sizeof NEEDED_STEPS[0]; ++n) {
        bool found = false;
        for (size_t i = 0; i < json_array_size(steps); ++i) {
            found = found || strcmp(json_string_value(json_object_get(json_array_get(steps, i), "label")), NEEDED_STEPS[n]) == 0;
        }
        if (!found) {
            cupel_findings_add(findings, CUPEL_REASON_STEP_MISSING, NEEDED_STEPS[n], "the attempt has no such step");
        }
    }
    return steps;
}

json_t *evidence_step_output(const char *directory, const char *label)
{
    char path[PATH_MAX];
    json_t *output =
        evidence_path(path, "%s/steps/%s/stdout", directory, label) ? json_load_file(path, JSON_REJECT_DUPLICATES, NULL) : NULL;
    return output != NULL ? output : json_null();
}

bool evidence_is_receipt_file(const char *name)
{
    return strcmp(name, EVIDENCE_RECEIPT) == 0 || strcmp(name, EVIDENCE_RECEIPT_HASH) == 0 || evidence_is_signature(name);
}

// "steps/<label>/<file of a step>", "run/<profile>/<run>/<file>", "build/<file>", or one of the attempt's own records.
static bool file_is_known(const char *name, const char *profile)
{
    static const char *const own[] = {EVIDENCE_ATTEMPT_RECORD, EVIDENCE_PLAN_COPY, EVIDENCE_MANIFEST_COPY, EVIDENCE_PUBLISHED};
    static const char *const of_step[] = {"command", "stdout", "stderr", "status", "seconds", "peak_rss_bytes"};
    char parts[5][256] = {""};
    size_t count = 0;
    for (const char *at = name; *at != '\0'; ++count) {
        const size_t length = strcspn(at, "/");
        if (count == 5 || length >= sizeof parts[0]) {
            return false;
        }
        snprintf(parts[count], sizeof parts[0], "%.*s", (int)length, at);
        at += length + (at[length] == '/');
    }
    bool known = count == 2 && strcmp(parts[0], EVIDENCE_BUILD_KEPT) == 0;
    known = known || (count == 4 && strcmp(parts[0], "run") == 0 && strcmp(parts[1], profile) == 0);
    for (size_t i = 0; count == 1 && i < sizeof own / sizeof own[0]; ++i) {
        known = known || strcmp(name, own[i]) == 0;
    }
    const bool is_step = count == 3 && strcmp(parts[0], "steps") == 0 && evidence_label_is_valid(parts[1]);
    for (size_t i = 0; is_step && i < sizeof of_step / sizeof of_step[0]; ++i) {
        known = known || strcmp(parts[2], of_step[i]) == 0;
    }
    return known;
}

void evidence_files_judge(const json_t *files, const char *profile, cupel_findings *findings)
{
    const char *name = NULL;
    const json_t *value = NULL;
    json_object_foreach((json_t *)files, name, value) // iteration changes nothing
    {
        if (!file_is_known(name, profile)) {
            cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_EXTRA, name, "no attempt has such a file");
        }
    }
}

// A folder that holds nothing is no file, so no hash holds it. An attempt that was stopped may leave its own: where steps and the
// run would lie.
static bool folder_is_expected(const char *folder, const char *profile)
{
    const size_t length = strlen(profile);
    const char *run = strncmp(folder, "run/", 4) == 0 ? folder + 4 : "";
    return strcmp(folder, "steps") == 0 || strcmp(folder, "run") == 0 || strcmp(run, profile) == 0 ||
           (strncmp(run, profile, length) == 0 && run[length] == '/' && strchr(run + length + 1, '/') == NULL);
}

void evidence_folders_judge(const char *directory, const char *profile, cupel_findings *findings)
{
    evidence_source_list files = {0};
    evidence_source_list empty = {0};
    if (!evidence_source_list_walk_whole(&files, &empty, directory)) {
        cupel_findings_add(findings, CUPEL_REASON_ATTEMPT_UNREADABLE, directory, "%s", strerror(errno));
    }
    for (size_t i = 0; i < empty.count; ++i) {
        if (!folder_is_expected(empty.files[i].path, profile)) {
            cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_EXTRA, empty.files[i].path, "it is a folder that holds nothing");
        }
    }
    evidence_source_list_free(&empty);
    evidence_source_list_free(&files);
}

json_t *evidence_files_describe(const char *directory, cupel_findings *findings)
{
    evidence_source_list list = {0};
    evidence_source_list empty = {0};
    json_t *files = json_object();
    if (!evidence_source_list_walk_whole(&list, &empty, directory)) {
        cupel_findings_add(findings, CUPEL_REASON_ATTEMPT_UNREADABLE, directory, "%s", strerror(errno));
        json_decref(files);
        files = NULL;
    }
    for (size_t i = 0; files != NULL && i < list.count; ++i) {
        char path[PATH_MAX];
        char hex[CUPEL_SHA256_HEX];
        struct stat status;
        uint64_t bytes = 0;
        const char *name = list.files[i].path;
        if (!evidence_path(path, "%s/%s", directory, name) || lstat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
            cupel_findings_add(findings, CUPEL_REASON_ATTEMPT_LINK, name, "it is no plain file");
        } else if (evidence_is_receipt_file(name)) {
            continue;
        } else if (!cupel_file_sha256(path, hex, &bytes)) {
            cupel_findings_add(findings, CUPEL_REASON_ATTEMPT_UNREADABLE, name, "%s", strerror(errno));
        } else {
            json_object_set_new(files, name, json_pack("{s:I, s:s}", "bytes", (json_int_t)bytes, "sha256", hex));
        }
    }
    evidence_source_list_free(&empty);
    evidence_source_list_free(&list);
    return files;
}

// Appends to the path; what does not fit is left out.
static void path_extend(char path[EVIDENCE_MESSAGE], const char *format, const char *name, size_t index)
{
    const size_t length = strlen(path);
    if (format[0] == '[') {
        snprintf(path + length, EVIDENCE_MESSAGE - length, "[%zu]", index);
    } else {
        snprintf(path + length, EVIDENCE_MESSAGE - length, "%s%s", length > 0 ? "." : "", name);
    }
}

// One object against another: the first member that differs or that only one has.
static bool object_difference(const json_t *a, const json_t *b, char path[EVIDENCE_MESSAGE])
{
    const json_t *sides[2] = {a, b};
    for (int side = 0; side < 2; ++side) {
        const char *name = NULL;
        const json_t *value = NULL;
        json_object_foreach((json_t *)sides[side], name, value) // iteration changes nothing
        {
            const json_t *other = json_object_get(sides[1 - side], name);
            if (other == NULL || (side == 0 && !json_equal(value, other))) {
                path_extend(path, ".", name, 0);
                return other == NULL || evidence_json_difference(value, other, path);
            }
        }
    }
    return false;
}

bool evidence_json_difference(const json_t *a, const json_t *b, char path[EVIDENCE_MESSAGE])
{
    if (json_equal(a, b)) {
        return false;
    }
    if (json_is_object(a) && json_is_object(b)) {
        return object_difference(a, b, path);
    }
    if (json_is_array(a) && json_is_array(b)) {
        size_t at = 0;
        while (json_equal(json_array_get(a, at), json_array_get(b, at))) {
            ++at;
        }
        path_extend(path, "[", "", at);
        if (at < json_array_size(a) && at < json_array_size(b)) {
            return evidence_json_difference(json_array_get(a, at), json_array_get(b, at), path);
        }
    }
    return true;
}

typedef struct comparison {
    const char *text;
    size_t left;
    size_t same; // bytes from the beginning that are alike
} comparison;

// A json_dump_callback: the next bytes of one text against those of the other.
static int bytes_compare(const char *bytes, size_t length, void *context)
{
    comparison *with = context;
    size_t same = 0;
    while (same < length && same < with->left && bytes[same] == with->text[same]) {
        ++same;
    }
    with->text += same;
    with->left -= same;
    with->same += same;
    return same == length ? 0 : -1;
}

bool evidence_json_is_written_as(const json_t *document, const cupel_file *stored, size_t *same)
{
    comparison with = {stored->bytes, stored->length, 0};
    const bool written = json_dump_callback(document, bytes_compare, &with, EVIDENCE_RECEIPT_FORM) == 0;
    *same = with.same;
    return written && with.left == 0;
}
