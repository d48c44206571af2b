// SPDX-License-Identifier: Apache-2.0
#include "reasons.h"

#include "text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const cupel_reason_info reasons[] = {
#define CUPEL_REASON_SECTION(title)
#define CUPEL_REASON(identifier, code, status, sentence, action) {code, CUPEL_##status, sentence, action},
#include "reasons.def"
#undef CUPEL_REASON
#undef CUPEL_REASON_SECTION
};

const cupel_reason_info *cupel_reason_get(cupel_reason reason)
{
    return &reasons[reason];
}

bool cupel_reason_find(const char *code, cupel_reason *reason)
{
    for (size_t i = 0; i < CUPEL_REASON_COUNT; ++i) {
        if (strcmp(reasons[i].code, code) == 0) {
            *reason = (cupel_reason)i;
            return true;
        }
    }
    return false;
}

static bool findings_grow(cupel_findings *findings, size_t wanted)
{
    if (wanted <= findings->capacity) {
        return true;
    }
    size_t capacity = findings->capacity == 0 ? 8 : 2 * findings->capacity;
    while (capacity < wanted) {
        capacity *= 2;
    }
    cupel_finding *items = realloc(findings->items, capacity * sizeof *items);
    if (items == NULL) {
        findings->lost = true;
        return false;
    }
    findings->items = items;
    findings->capacity = capacity;
    return true;
}

__attribute__((format(printf, 1, 0))) static char *text_format(const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text != NULL) {
        vsnprintf(text, (size_t)length + 1, format, arguments);
    }
    return text;
}

void cupel_findings_add(cupel_findings *findings, cupel_reason reason, const char *subject, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = text_format(format, arguments);
    va_end(arguments);
    char *name = strdup(subject);
    if (text == NULL || name == NULL || !findings_grow(findings, findings->count + 1)) {
        findings->lost = true;
        free(text);
        free(name);
        return;
    }
    cupel_text_clean(name);
    cupel_text_clean(text);
    findings->items[findings->count++] = (cupel_finding){reason, name, text};
}

void cupel_findings_move(cupel_findings *to, cupel_findings *from)
{
    to->lost = to->lost || from->lost;
    if (from->count > 0 && findings_grow(to, to->count + from->count)) {
        memcpy(to->items + to->count, from->items, from->count * sizeof *from->items);
        to->count += from->count;
        from->count = 0;
    }
    cupel_findings_free(from);
}

static bool finding_is_known(const cupel_findings *findings, const cupel_finding *item)
{
    for (size_t i = 0; i < findings->count; ++i) {
        if (findings->items[i].reason == item->reason && strcmp(findings->items[i].subject, item->subject) == 0) {
            return true;
        }
    }
    return false;
}

void cupel_findings_join(cupel_findings *to, cupel_findings *from)
{
    for (size_t i = 0; i < from->count; ++i) {
        const cupel_finding *item = &from->items[i];
        if (!finding_is_known(to, item)) {
            cupel_findings_add(to, item->reason, item->subject, "%s", item->text);
        }
    }
    to->lost = to->lost || from->lost;
    cupel_findings_free(from);
}

cupel_status cupel_findings_status(const cupel_findings *findings)
{
    cupel_status status = findings->lost ? CUPEL_REFUSED : CUPEL_PASS;
    for (size_t i = 0; i < findings->count; ++i) {
        status = cupel_status_join(status, reasons[findings->items[i].reason].status);
    }
    return status;
}

size_t cupel_findings_count(const cupel_findings *findings, cupel_reason reason)
{
    size_t count = 0;
    for (size_t i = 0; i < findings->count; ++i) {
        count += findings->items[i].reason == reason;
    }
    return count;
}

static void reason_print(const cupel_findings *findings, cupel_reason reason, size_t limit, FILE *out)
{
    const cupel_reason_info *info = &reasons[reason];
    size_t seen = 0;
    for (size_t i = 0; i < findings->count; ++i) {
        const cupel_finding *finding = &findings->items[i];
        if (finding->reason != reason || (++seen > limit && limit != 0)) {
            continue;
        }
        fprintf(out, "%s: %s%s%s\n", info->code, finding->subject, finding->subject[0] == '\0' ? "" : ": ", finding->text);
    }
    if (limit != 0 && seen > limit) {
        fprintf(out, "%s: and %zu more\n", info->code, seen - limit);
    }
    if (seen > 0) {
        fprintf(out, "    %s %s\n", info->sentence, info->action);
    }
}

void cupel_findings_print(const cupel_findings *findings, size_t limit, FILE *out)
{
    for (size_t i = 0; i < CUPEL_REASON_COUNT; ++i) {
        reason_print(findings, (cupel_reason)i, limit, out);
    }
    if (findings->lost) {
        fprintf(out, "out of memory: some findings could not be stored; the verdict is REFUSED\n");
    }
}

void cupel_findings_free(cupel_findings *findings)
{
    for (size_t i = 0; i < findings->count; ++i) {
        free(findings->items[i].subject);
        free(findings->items[i].text);
    }
    free(findings->items);
    *findings = (cupel_findings){0};
}
