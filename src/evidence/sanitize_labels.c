// SPDX-License-Identifier: Apache-2.0
#include "sanitize_label_rules.h"

#include <ctype.h>
#include <string.h>

enum { LABEL_WORDS = 4 };

static bool is_quote(char c)
{
    return c == '"' || c == '\'' || c == '`';
}

// Appends one character of a label; a capital after a small letter begins a word, as in "nodeName".
static void label_append(evidence_label *made, size_t *length, char previous, char c)
{
    const bool separates = !isalnum((unsigned char)c);
    const bool begins = separates || (islower((unsigned char)previous) && isupper((unsigned char)c));
    if (*length + 2 >= EVIDENCE_LABEL_MAX) {
        return;
    }
    if (begins && *length > 0 && made->words[*length - 1] != ' ') {
        made->words[(*length)++] = ' ';
    }
    if (!separates) {
        made->words[(*length)++] = (char)tolower((unsigned char)c);
    }
    made->words[*length] = '\0';
}

void evidence_label_make(const char *start, const char *end, evidence_label *made)
{
    size_t length = 0;
    *made = (evidence_label){.is_option = *start == '-', .is_loud = true};
    for (const char *at = start; at < end; ++at) {
        made->is_loud = made->is_loud && !islower((unsigned char)*at);
        label_append(made, &length, at > start ? at[-1] : '\0', *at);
    }
    while (length > 0 && made->words[length - 1] == ' ') {
        made->words[--length] = '\0';
    }
}

static bool is_label_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.';
}

// The length of the type of a CMake entry, "STRING" of "SITE:STRING=vm"; 0 when none stands there.
static size_t cache_type_length(const char *at)
{
    static const char *const types[] = {"STRING", "PATH", "FILEPATH", "INTERNAL", "STATIC", "UNINITIALIZED", "BOOL"};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i) {
        const size_t length = strlen(types[i]);
        if (strncmp(at, types[i], length) == 0 && at[length] == '=') {
            return length;
        }
    }
    return 0;
}

// The label of a value that stands in a pair, as in <property name="host" value="vm"/> and {"name": "host", "value": "vm"}; `at` is
// where the word "value" begins. Leaves the label alone when it is none.
static void pair_name(const char *view, const char *at, evidence_label *made)
{
    at -= at > view && is_quote(at[-1]);
    while (at > view && strchr(" \t\n,", at[-1]) != NULL) {
        --at;
    }
    const char *end = at - (at > view && is_quote(at[-1]));
    const char *start = end;
    while (start > view && !is_quote(start[-1]) && start[-1] != '\n' && end - start < EVIDENCE_LABEL_MAX - 2) {
        --start;
    }
    if (end == at || start == view || !is_quote(start[-1])) {
        return;
    }
    const char *sign = start - 1;
    while (sign > view && strchr(" \t=:\"", sign[-1]) != NULL) {
        --sign;
    }
    if (sign - view >= 4 && (strncmp(sign - 4, "name", 4) == 0 || strncmp(sign - 4, "\"key", 4) == 0)) {
        evidence_label_make(start, end, made);
        made->is_quoted = true;
    }
}

// The label that ends at `end` (blanks and a quote before it skipped), of at most four words, without the type of a CMake entry
// ("SITE:STRING"). False when none stands there.
static bool label_before(const char *view, const char *end, evidence_label *made)
{
    while (end > view && (end[-1] == ' ' || end[-1] == '\t')) {
        --end;
    }
    const bool is_quoted = end > view && is_quote(end[-1]);
    while (end > view && (is_quote(end[-1]) || end[-1] == ' ')) {
        --end;
    }
    const char *start = end;
    for (size_t words = 1; start > view && end - start < EVIDENCE_LABEL_MAX - 2; --start) {
        const bool blank = start[-1] == ' ' && start - 1 > view && is_label_char(start[-2]) && words < LABEL_WORDS;
        if (!is_label_char(start[-1]) && !blank) {
            break;
        }
        words += blank;
    }
    if (start > view && start[-1] == ':' && cache_type_length(start) == (size_t)(end - start)) {
        return label_before(view, start - 1, made);
    }
    evidence_label_make(start, end, made);
    if (strncmp(start, "-D", 2) == 0 && end - start > 2) {
        evidence_label_make(start + 2, end, made);
    }
    made->is_quoted = is_quoted;
    if (strcmp(made->words, "value") == 0) {
        pair_name(view, start, made);
    }
    return made->words[0] != '\0';
}

// Adds the value of a label that stands at `at`, and the names that follow a host's after commas.
static void value_find(const char *view, const evidence_label *one, char sign, const char *at, evidence_spans *spans)
{
    evidence_span value;
    if (!evidence_label_value(one, sign, at, &value)) {
        return;
    }
    const char *end = at + value.offset + value.length;
    evidence_spans_add(spans, value.kind, (size_t)(at - view) + value.offset, value.length);
    size_t length = 0;
    size_t skipped = value.kind == EVIDENCE_HOST ? evidence_label_next_name(end, &length) : 0;
    for (; skipped > 0; skipped = evidence_label_next_name(end, &length)) {
        evidence_spans_add(spans, EVIDENCE_HOST, (size_t)(end + skipped - view), length);
        end += skipped + length;
    }
}

// The name of an XML element that begins, "<serial>".
static bool element_before(const char *view, const char *end, evidence_label *made)
{
    while (end > view && end[-1] == ' ') { // of "&gt;"
        --end;
    }
    const char *start = end;
    while (start > view && is_label_char(start[-1])) {
        --start;
    }
    if (start == end || start == view || start[-1] != '<') {
        return false;
    }
    evidence_label_make(start, end, made);
    made->is_quoted = true;
    return true;
}

// An option and its value are two words, in a shell's line or in a list of JSON.
static void option_find(const char *view, const char *at, evidence_spans *spans)
{
    evidence_label one;
    const char *end = at + strspn(at, "-");
    while (is_label_char(*end)) {
        ++end;
    }
    evidence_label_make(at, end, &one);
    const bool listed = end[0] == '"' && end[1] == ',';
    const char *value = listed ? end + 2 : end;
    value += strspn(value, listed ? " \t\n" : " \t");
    if (value > end && *value != '-' && one.words[0] != '\0' && (!listed || *value == '"') && !(listed && value[1] == '-')) {
        value_find(view, &one, ' ', value, spans);
    }
}

void evidence_labels_find(const char *view, evidence_spans *spans)
{
    evidence_label one;
    for (const char *at = view; *at != '\0'; ++at) {
        const char before = at > view ? at[-1] : ' ';
        if (*at == '=' || *at == ':') {
            const bool is_operator = at[1] == *at || before == *at || strchr("!<>+*/%&|^", before) != NULL;
            if (!is_operator && cache_type_length(at + 1) == 0 && label_before(view, at, &one)) {
                value_find(view, &one, *at, at + 1 + strspn(at + 1, " \t"), spans);
            }
        } else if (*at == '>' && element_before(view, at, &one)) {
            value_find(view, &one, '>', at + 1, spans);
        } else if (*at == '-' && (isspace((unsigned char)before) || is_quote(before))) {
            option_find(view, at, spans);
        }
    }
}
