// SPDX-License-Identifier: Apache-2.0
#include "manifest.h"

#include "file.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

enum { MANIFEST_MAX_BYTES = 16 << 20 };

// What the parser of one line knows.
typedef struct manifest_line {
    const char *path;
    size_t number;
    char *text; // is cut into fields
    cupel_findings *findings;
} manifest_line;

static bool line_fault(const manifest_line *line, cupel_reason reason, const char *what)
{
    cupel_findings_add(line->findings, reason, line->path, "line %zu: %s", line->number, what);
    return false;
}

// Cuts the next field off at the next space; null at the end of the line.
static char *field_next(char **rest)
{
    char *field = *rest;
    if (field == NULL) {
        return NULL;
    }
    char *space = strchr(field, ' ');
    if (space != NULL) {
        *space++ = '\0';
    }
    *rest = space;
    return field;
}

static bool range_parse(char *text, cupel_manifest_range *range)
{
    char *dots = strstr(text, "..");
    if (dots == NULL) {
        return false;
    }
    *dots = '\0';
    range->limited = true;
    return cupel_text_u64(text, &range->least) && cupel_text_u64(dots + 2, &range->most) && range->least <= range->most;
}

static bool claims_valid(const char *text)
{
    size_t length = 0;
    do {
        length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_");
        text += length;
    } while (length > 0 && *text++ == ',');
    return length > 0 && text[-1] == '\0';
}

// launches=, uploaded=, downloaded= and claims=, each at most once and in this order.
static bool ranges_parse(const manifest_line *line, char *rest, cupel_manifest_case *entry)
{
    static const char claims[] = "claims=";
    const struct {
        const char *key;
        cupel_manifest_range *range;
    } keys[] = {{"launches=", &entry->launches}, {"uploaded=", &entry->uploaded}, {"downloaded=", &entry->downloaded}};
    char *field = field_next(&rest);
    for (size_t i = 0; field != NULL && i < sizeof keys / sizeof keys[0]; ++i) {
        const size_t length = strlen(keys[i].key);
        if (strncmp(field, keys[i].key, length) == 0) {
            if (!range_parse(field + length, keys[i].range)) {
                return line_fault(line, CUPEL_REASON_MANIFEST_MALFORMED, "a range is <least>..<most>");
            }
            field = field_next(&rest);
        }
    }
    if (field != NULL && strncmp(field, claims, sizeof claims - 1) == 0) {
        entry->claims = field + sizeof claims - 1;
        if (!claims_valid(entry->claims)) {
            return line_fault(line, CUPEL_REASON_MANIFEST_MALFORMED, "claims= takes words of [a-z0-9_], separated by commas");
        }
        field = field_next(&rest);
    }
    if (field != NULL || rest != NULL) {
        return line_fault(
            line, CUPEL_REASON_MANIFEST_MALFORMED,
            "after the values come launches=, uploaded=, downloaded=<least>..<most> and claims=, in this order, or nothing");
    }
    return true;
}

static bool run_parse(const manifest_line *line, char *rest, cupel_manifest_case *entry)
{
    static const char values[] = "values=";
    char *field = field_next(&rest);
    if (field == NULL || strncmp(field, values, sizeof values - 1) != 0 ||
        !cupel_text_u64(field + sizeof values - 1, &entry->values)) {
        return line_fault(line, CUPEL_REASON_MANIFEST_MALFORMED, "after `run` comes values=<number>");
    }
    if (entry->values == 0) {
        return line_fault(line, CUPEL_REASON_MANIFEST_MALFORMED, "values=0 would let a case pass that compares nothing");
    }
    entry->runs = true;
    return ranges_parse(line, rest, entry);
}

static bool probe_name_valid(const char *name)
{
    return name[0] != '\0' && name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
}

static bool unsupported_parse(const manifest_line *line, char *rest, cupel_manifest_case *entry)
{
    entry->probe = field_next(&rest);
    entry->reason = rest;
    if (entry->probe == NULL || !probe_name_valid(entry->probe) || entry->reason == NULL || entry->reason[0] == '\0' ||
        entry->reason[0] == ' ') {
        return line_fault(line, CUPEL_REASON_MANIFEST_MALFORMED, "after `unsupported` come a probe and the reason in words");
    }
    return true;
}

static bool line_parse(const manifest_line *line, cupel_manifest_case *entry)
{
    char *rest = line->text;
    *entry = (cupel_manifest_case){.line = line->number};
    for (const char *c = line->text; *c != '\0'; ++c) {
        if ((unsigned char)*c < 0x20 || (unsigned char)*c == 0x7f) {
            return line_fault(line, CUPEL_REASON_MANIFEST_MALFORMED,
                              *c == '\r' ? "it ends in CR LF; line ends are LF" : "it holds a control character");
        }
    }
    entry->id = field_next(&rest);
    if (!cupel_text_is_case_id(entry->id)) {
        return line_fault(line, CUPEL_REASON_MANIFEST_MALFORMED,
                          "its first field is no case id: <suite>.<words> of [a-z0-9._-], at most 100");
    }
    const char *kind = field_next(&rest);
    if (kind != NULL && strcmp(kind, "run") == 0) {
        return run_parse(line, rest, entry);
    }
    if (kind != NULL && strcmp(kind, "unsupported") == 0) {
        return unsupported_parse(line, rest, entry);
    }
    return line_fault(line, CUPEL_REASON_MANIFEST_MALFORMED, "its second field is neither `run` nor `unsupported`");
}

static bool order_check(const manifest_line *line, const cupel_manifest *manifest, const char *id)
{
    int order = manifest->count == 0 ? -1 : strcmp(manifest->cases[manifest->count - 1].id, id);
    if (order == 0) {
        return line_fault(line, CUPEL_REASON_MANIFEST_DUPLICATE, id);
    }
    return order < 0 || line_fault(line, CUPEL_REASON_MANIFEST_UNSORTED, id);
}

// One case or comment line. `text` is zero-terminated.
static bool manifest_add(cupel_manifest *manifest, const manifest_line *line)
{
    cupel_manifest_case entry;
    if (line->text[0] == '#') {
        return true;
    }
    if (line->text[0] == '\0') {
        return line_fault(line, CUPEL_REASON_MANIFEST_MALFORMED, "it is blank");
    }
    if (!line_parse(line, &entry)) {
        return false;
    }
    bool ordered = order_check(line, manifest, entry.id);
    manifest->cases[manifest->count++] = entry;
    manifest->run_count += entry.runs;
    return ordered;
}

static bool lines_parse(cupel_manifest *manifest, const char *path, size_t length, cupel_findings *findings)
{
    bool good = true;
    char *end = manifest->storage + length;
    manifest_line line = {path, 0, manifest->storage, findings};
    if (memchr(manifest->storage, '\0', length) != NULL) {
        line.number = 1;
        return line_fault(&line, CUPEL_REASON_MANIFEST_MALFORMED, "the file holds a zero byte");
    }
    while (line.text < end) {
        char *feed = memchr(line.text, '\n', (size_t)(end - line.text));
        ++line.number;
        if (feed == NULL) {
            return line_fault(&line, CUPEL_REASON_MANIFEST_MALFORMED, "it has no line end; the file may be cut");
        }
        *feed = '\0';
        good = manifest_add(manifest, &line) && good;
        line.text = feed + 1;
    }
    return good;
}

bool cupel_manifest_read(const char *path, cupel_manifest *manifest, cupel_findings *findings)
{
    cupel_file file;
    size_t lines = 1;
    *manifest = (cupel_manifest){0};
    const char *error = cupel_file_read(path, MANIFEST_MAX_BYTES, &file);
    if (error != NULL) {
        cupel_findings_add(findings, CUPEL_REASON_MANIFEST_MISSING, path, "%s", error);
        return false;
    }
    for (size_t i = 0; i < file.length; ++i) {
        lines += file.bytes[i] == '\n';
    }
    manifest->storage = file.bytes;
    memcpy(manifest->sha256, file.sha256, sizeof manifest->sha256);
    manifest->cases = calloc(lines, sizeof *manifest->cases);
    bool good = manifest->cases != NULL;
    if (good) {
        good = lines_parse(manifest, path, file.length, findings);
    } else {
        findings->lost = true;
    }
    if (good && manifest->run_count == 0) {
        cupel_findings_add(findings, CUPEL_REASON_MANIFEST_EMPTY, path, "none of its %zu lines is a `run` line", lines - 1);
        good = false;
    }
    if (!good) {
        cupel_manifest_free(manifest);
    }
    return good;
}

void cupel_manifest_free(cupel_manifest *manifest)
{
    free(manifest->cases);
    free(manifest->storage);
    *manifest = (cupel_manifest){0};
}

static int case_compare(const void *key, const void *entry)
{
    return strcmp(key, ((const cupel_manifest_case *)entry)->id);
}

const cupel_manifest_case *cupel_manifest_find(const cupel_manifest *manifest, const char *id)
{
    return manifest->count == 0 ? NULL : bsearch(id, manifest->cases, manifest->count, sizeof *manifest->cases, case_compare);
}

bool cupel_case_in_suite(const char *id, const char *suite)
{
    size_t length = strlen(suite);
    return strncmp(id, suite, length) == 0 && id[length] == '.';
}

bool cupel_case_has_word(const char *id, const char *word)
{
    size_t length = strlen(word);
    for (const char *found = strstr(id, word); found != NULL; found = strstr(found + 1, word)) {
        if (found > id && found[-1] == '.' && (found[length] == '.' || found[length] == '\0')) {
            return true;
        }
    }
    return false;
}
