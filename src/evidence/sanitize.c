// SPDX-License-Identifier: Apache-2.0
#include "sanitize.h"

#include <ctype.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

enum { SHORTEST_SECRET = 6 };

static bool is_number_kind(evidence_kind kind)
{
    return kind == EVIDENCE_PID || kind == EVIDENCE_JOB;
}

evidence_value *evidence_sanitizer_value(const evidence_sanitizer *sanitizer, evidence_kind kind, const char *text, size_t length)
{
    evidence_value *other = NULL;
    const char *bare = text;
    size_t bare_length = length;
    evidence_value_trim(kind, &bare, &bare_length);
    for (size_t i = 0; i < sanitizer->count; ++i) {
        evidence_value *value = &sanitizer->values[i];
        if (evidence_value_match(value, text) != length && evidence_value_match(value, bare) != bare_length) {
            continue;
        }
        if (value->kind == kind) {
            return value;
        }
        other = other == NULL && !is_number_kind(kind) && !is_number_kind(value->kind) ? value : other;
    }
    return other;
}

static size_t next_number(const evidence_sanitizer *sanitizer, evidence_kind kind)
{
    size_t number = 1;
    for (size_t i = 0; i < sanitizer->count; ++i) {
        number += sanitizer->values[i].kind == kind;
    }
    return number;
}

static bool room_make(evidence_sanitizer *sanitizer)
{
    if (sanitizer->count < sanitizer->capacity) {
        return true;
    }
    const size_t capacity = sanitizer->capacity > 0 ? 2 * sanitizer->capacity : 64;
    evidence_value *values = realloc(sanitizer->values, capacity * sizeof *values);
    if (values != NULL) {
        sanitizer->values = values;
        sanitizer->capacity = capacity;
    }
    return values != NULL;
}

static void value_add(evidence_sanitizer *sanitizer, evidence_kind kind, const char *text, size_t length)
{
    evidence_value_trim(kind, &text, &length);
    if (evidence_value_is_void(kind, text, length) || evidence_placeholder_length(text) > 0) {
        return;
    }
    const bool telling = evidence_value_is_telling(&sanitizer->words, kind, text, length);
    evidence_value *known = evidence_sanitizer_value(sanitizer, kind, text, length);
    if (known != NULL) {
        known->is_everywhere = known->is_everywhere || telling;
        return;
    }
    char *copy = room_make(sanitizer) ? strndup(text, length) : NULL;
    if (copy == NULL) {
        sanitizer->lost = true;
        return;
    }
    const bool is_digits = (kind == EVIDENCE_UUID || kind == EVIDENCE_MAC) && evidence_is_hex_written(text, length);
    const size_t number = next_number(sanitizer, kind);
    sanitizer->values[sanitizer->count++] = (evidence_value){
        .kind = kind, .text = copy, .length = length, .is_digits = is_digits, .is_everywhere = telling, .number = number};
}

// A host is also known by its first name, and the place where it is by the rest of its name.
static void host_add(evidence_sanitizer *sanitizer, const char *text, size_t length)
{
    const char *dot = memchr(text, '.', length);
    value_add(sanitizer, EVIDENCE_HOST, text, length);
    if (dot == NULL || strspn(text, "0123456789.") >= length) {
        return;
    }
    const size_t first = (size_t)(dot - text);
    if (evidence_value_is_telling(&sanitizer->words, EVIDENCE_HOST, text, first)) {
        value_add(sanitizer, EVIDENCE_HOST, text, first);
    }
    if (memchr(dot + 1, '.', length - first - 1) != NULL) {
        value_add(sanitizer, EVIDENCE_HOST, dot + 1, length - first - 1);
    }
}

void evidence_sanitizer_keep(evidence_sanitizer *sanitizer, const char *text, size_t length)
{
    evidence_words_add(&sanitizer->words, text, length);
    sanitizer->lost = sanitizer->lost || sanitizer->words.lost;
}

// Members whose texts name what was tested, with what and on what device.
static bool is_naming(const char *member, size_t length)
{
    static const char *const members[] = {"name",    "suite",        "test",     "profile", "backend", "label",
                                          "lane",    "vendor",       "platform", "driver",  "model",   "distribution",
                                          "kernel",  "architecture", "word",     "version", "scope",   "kind",
                                          "linkage", "dtype",        "policy",   "case",    "type",    "together"};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; ++i) {
        if (strlen(members[i]) == length && strncmp(member, members[i], length) == 0) {
            return true;
        }
    }
    return false;
}

void evidence_sanitizer_keep_members(evidence_sanitizer *sanitizer, const char *text)
{
    for (const char *quote = strchr(text, '"'); quote != NULL; quote = strchr(quote, '"')) {
        const char *name = quote + 1;
        const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
        const char *after = name + length + (name[length] == '"');
        after += name[length] == '"' ? strspn(after, " ") : 0;
        quote = name + length + (name[length] == '"');
        if (length == 0 || name[length] != '"' || *after != ':') {
            continue;
        }
        evidence_sanitizer_keep(sanitizer, name, length);
        const char *value = after + 1 + strspn(after + 1, " ");
        const size_t shown = *value == '"' ? strcspn(value + 1, "\"\\/@") : 0;
        if (is_naming(name, length) && shown > 0 && value[1 + shown] == '"') {
            evidence_sanitizer_keep(sanitizer, value + 1, shown);
        }
    }
}

void evidence_sanitizer_know(evidence_sanitizer *sanitizer, evidence_kind kind, const char *text)
{
    if (text != NULL && kind == EVIDENCE_HOST) {
        host_add(sanitizer, text, strlen(text));
    } else if (text != NULL) {
        value_add(sanitizer, kind, text, strlen(text));
    }
}

// A variable of this process whose value nobody publishes, wherever it stands: what the form of its assignment gives away.
static void variable_know(evidence_sanitizer *sanitizer, const char *entry)
{
    evidence_spans spans = {0};
    const char *value = strchr(entry, '=');
    evidence_labels_find(entry, &spans);
    for (size_t i = 0; value != NULL && i < spans.count; ++i) {
        if (spans.items[i].kind == EVIDENCE_SECRET && spans.items[i].offset == (size_t)(value + 1 - entry) &&
            strlen(value + 1) >= SHORTEST_SECRET) {
            evidence_sanitizer_know(sanitizer, EVIDENCE_SECRET, value + 1);
        }
    }
    sanitizer->lost = sanitizer->lost || spans.lost;
    evidence_spans_free(&spans);
}

void evidence_sanitizer_know_here(evidence_sanitizer *sanitizer)
{
    char host[256] = "";
    const struct passwd *account = getpwuid(getuid());
    if (gethostname(host, sizeof host - 1) == 0) {
        evidence_sanitizer_know(sanitizer, EVIDENCE_HOST, host);
    }
    if (account != NULL) {
        evidence_sanitizer_know(sanitizer, EVIDENCE_PATH, account->pw_dir);
        evidence_sanitizer_know(sanitizer, EVIDENCE_ACCOUNT, account->pw_name);
    }
    evidence_sanitizer_know(sanitizer, EVIDENCE_PATH, getenv("HOME"));
    evidence_sanitizer_know(sanitizer, EVIDENCE_ACCOUNT, getenv("USER"));
    evidence_sanitizer_know(sanitizer, EVIDENCE_ACCOUNT, getenv("LOGNAME"));
    for (char *const *entry = environ; *entry != NULL; ++entry) {
        variable_know(sanitizer, *entry);
    }
}

// True for the home of an account: what lies below it tells as much as itself.
static bool is_home(const char *path)
{
    static const char *const roots[] = {"/home/", "/Users/", "/homes/"};
    for (size_t i = 0; i < sizeof roots / sizeof roots[0]; ++i) {
        const size_t length = strlen(roots[i]);
        if (strncmp(path, roots[i], length) == 0 && strchr(path + length, '/') == NULL) {
            return true;
        }
    }
    return false;
}

// True when a known path, such as that of the build tree, contains this one: then only the known part goes.
static bool is_known_path(const evidence_sanitizer *sanitizer, const char *path, size_t length)
{
    for (size_t i = 0; i < sanitizer->count; ++i) {
        const evidence_value *value = &sanitizer->values[i];
        if (value->kind == EVIDENCE_PATH && value->length <= length && !is_home(value->text) &&
            strncmp(path, value->text, value->length) == 0 && (value->length == length || path[value->length] == '/')) {
            return true;
        }
    }
    return false;
}

void evidence_sanitizer_scan(evidence_sanitizer *sanitizer, const char *text)
{
    evidence_spans spans = {0};
    char *view = evidence_view_make(text);
    if (view != NULL) {
        evidence_spans_find(view, sanitizer->frames, &spans);
    }
    for (size_t i = 0; i < spans.count; ++i) {
        const evidence_span *span = &spans.items[i];
        const char *value = view + span->offset;
        if (span->kind == EVIDENCE_HOST) {
            host_add(sanitizer, value, span->length);
        } else if (span->kind != EVIDENCE_PATH || !is_known_path(sanitizer, value, span->length)) {
            value_add(sanitizer, span->kind, value, span->length);
        }
    }
    sanitizer->lost = sanitizer->lost || view == NULL || spans.lost;
    evidence_spans_free(&spans);
    free(view);
}

json_t *evidence_sanitizer_counts(const evidence_sanitizer *sanitizer)
{
    json_t *counts = json_object();
    for (size_t i = 0; i < sanitizer->count; ++i) {
        const evidence_value *value = &sanitizer->values[i];
        const char *name = evidence_kind_name(value->kind);
        json_t *kind = json_object_get(counts, name);
        if (value->occurrences == 0) {
            continue;
        }
        if (kind == NULL) {
            kind = json_pack("{s:i, s:i}", "values", 0, "occurrences", 0);
            json_object_set_new(counts, name, kind);
        }
        json_object_set_new(kind, "values", json_integer(json_integer_value(json_object_get(kind, "values")) + 1));
        json_object_set_new(
            kind, "occurrences",
            json_integer(json_integer_value(json_object_get(kind, "occurrences")) + (json_int_t)value->occurrences));
    }
    return counts;
}

void evidence_sanitizer_free(evidence_sanitizer *sanitizer)
{
    for (size_t i = 0; i < sanitizer->count; ++i) {
        free(sanitizer->values[i].text);
    }
    free(sanitizer->values);
    evidence_words_free(&sanitizer->words);
    *sanitizer = (evidence_sanitizer){0};
}
