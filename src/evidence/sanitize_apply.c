// SPDX-License-Identifier: Apache-2.0
#include "sanitize.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int spans_order(const void *a, const void *b)
{
    const size_t left = ((const evidence_span *)a)->offset;
    const size_t right = ((const evidence_span *)b)->offset;
    return (left > right) - (left < right);
}

// Which bytes begin one of the values that go everywhere: most places of a text begin none.
static void firsts_make(const evidence_sanitizer *sanitizer, bool firsts[256])
{
    memset(firsts, 0, 256 * sizeof *firsts);
    for (size_t i = 0; i < sanitizer->count; ++i) {
        const evidence_value *value = &sanitizer->values[i];
        if (value->is_everywhere) {
            firsts[(unsigned char)tolower((unsigned char)value->text[0])] = true;
            firsts[(unsigned char)toupper((unsigned char)value->text[0])] = true;
        }
        firsts['0'] = firsts['0'] || value->kind == EVIDENCE_BUS;                           // "0000:"
        for (const char *prefix = "gGmM0"; value->is_digits && *prefix != '\0'; ++prefix) { // "GPU-", "MIG-", "0x"
            firsts[(unsigned char)*prefix] = true;
        }
    }
}

// A text while it is rewritten.
typedef struct rewriting {
    const char *view;
    const evidence_spans *spans;
    size_t first; // the spans before it have ended
    bool firsts[256];
} rewriting;

// The value at `at` that takes most bytes, by a finder's word or because it goes everywhere; null when none stands there.
static evidence_value *value_at(const evidence_sanitizer *sanitizer, rewriting *work, size_t at, size_t *taken)
{
    evidence_value *found = NULL;
    const char *here = work->view + at;
    *taken = 0;
    while (work->first < work->spans->count &&
           work->spans->items[work->first].offset + work->spans->items[work->first].length <= at) {
        ++work->first;
    }
    for (size_t i = work->first; i < work->spans->count && work->spans->items[i].offset <= at; ++i) {
        const evidence_span *span = &work->spans->items[i];
        const char *text = work->view + span->offset;
        size_t length = span->length;
        while (span->kind == EVIDENCE_PATH && length > 1 && text[length - 1] == '/') {
            --length; // the slash stays
        }
        evidence_value *value =
            span->offset + length > at + *taken ? evidence_sanitizer_value(sanitizer, span->kind, text, length) : NULL;
        if (value != NULL) {
            found = value;
            *taken = span->offset + length - at;
        }
    }
    for (size_t i = 0; work->firsts[(unsigned char)*here] && i < sanitizer->count; ++i) {
        evidence_value *value = &sanitizer->values[i];
        const size_t length = value->is_everywhere ? evidence_value_match(value, here) : 0;
        if (length > *taken && evidence_stands_alone(work->view, here, length)) {
            found = value;
            *taken = length;
        }
    }
    return found;
}

// True for a number that is the value of a JSON member, which must stay a number.
static bool is_json_number(const char *view, size_t at, size_t length)
{
    const char *before = view + at;
    if (strspn(view + at, "0123456789") < length) {
        return false;
    }
    while (before > view && before[-1] == ' ') {
        --before;
    }
    return before - view >= 2 && before[-1] == ':' && before[-2] == '"' && strchr(",}] \n\r", view[at + length]) != NULL;
}

static void text_rewrite(const evidence_sanitizer *sanitizer, rewriting *work, const char *text, FILE *out)
{
    for (size_t at = 0; text[at] != '\0';) {
        size_t taken = 0;
        evidence_value *value = value_at(sanitizer, work, at, &taken);
        if (value == NULL) {
            fputc(text[at], out);
            ++at;
            continue;
        }
        if (is_json_number(work->view, at, taken)) {
            fprintf(out, "%zu", value->number);
        } else {
            fprintf(out, "[%s-%zu]", evidence_kind_name(value->kind), value->number);
        }
        value->occurrences += 1;
        at += taken;
    }
}

char *evidence_sanitizer_apply(evidence_sanitizer *sanitizer, const char *text)
{
    char *clean = NULL;
    size_t length = 0;
    evidence_spans spans = {0};
    char *view = evidence_view_make(text);
    FILE *out = view != NULL ? open_memstream(&clean, &length) : NULL;
    if (out != NULL) {
        rewriting work = {.view = view, .spans = &spans};
        evidence_spans_find(view, sanitizer->frames, &spans);
        if (spans.count > 0) {
            qsort(spans.items, spans.count, sizeof *spans.items, spans_order);
        }
        firsts_make(sanitizer, work.firsts);
        text_rewrite(sanitizer, &work, text, out);
    }
    if (out == NULL || fclose(out) != 0 || spans.lost) {
        free(clean);
        clean = NULL;
    }
    evidence_spans_free(&spans);
    free(view);
    return clean;
}
