// SPDX-License-Identifier: Apache-2.0
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

golden_status golden_fail(golden_error *error, golden_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return status;
}

void golden_error_advise(golden_error *error, const char *advice)
{
    size_t length = strlen(error->text);
    if (length > 0 && error->text[length - 1] == '.') {
        snprintf(error->text + length - 1, sizeof error->text - length + 1, "; %s", advice);
    }
}

static bool text_reserve(golden_text *text, size_t more)
{
    if (text->failed) {
        return false;
    }
    size_t need = text->length + more + 1;
    if (need <= text->capacity) {
        return true;
    }
    size_t capacity = text->capacity ? text->capacity : 256;
    while (capacity < need) {
        capacity *= 2;
    }
    char *data = realloc(text->data, capacity);
    if (data == NULL) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

void golden_text_append(golden_text *text, const char *bytes, size_t length)
{
    if (!text_reserve(text, length)) {
        return;
    }
    memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void golden_text_puts(golden_text *text, const char *string)
{
    golden_text_append(text, string, strlen(string));
}

void golden_text_printf(golden_text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0) {
        text->failed = true;
    } else if (text_reserve(text, (size_t)length)) {
        vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

void golden_text_free(golden_text *text)
{
    free(text->data);
    *text = (golden_text){0};
}

char *golden_copy_range(const char *begin, size_t length)
{
    char *copy = malloc(length + 1);
    if (copy != NULL) {
        memcpy(copy, begin, length);
        copy[length] = '\0';
    }
    return copy;
}

char *golden_copy(const char *string)
{
    return golden_copy_range(string, strlen(string));
}

golden_status golden_text_check(const char *name, const char *data, size_t bytes, golden_error *error)
{
    static const char pointer[] = "version https://git-lfs.github.com/";
    if (bytes == 0) {
        return golden_fail(error, GOLDEN_REFUSED, "%s: the file is empty; restore it from version control.", name);
    }
    if (bytes >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0) {
        return golden_fail(error, GOLDEN_REFUSED,
                           "%s: begins with a byte-order mark (BOM); golden files have none, restore it from version control.",
                           name);
    }
    if (bytes >= sizeof pointer - 1 && memcmp(data, pointer, sizeof pointer - 1) == 0) {
        return golden_fail(error, GOLDEN_REFUSED, "%s: is a Git LFS pointer, not data; run git lfs pull or restore the file.",
                           name);
    }
    for (size_t i = 0, line = 1; i < bytes; ++i) {
        if (data[i] == '\r') {
            return golden_fail(
                error, GOLDEN_REFUSED,
                "%s:%zu: has a carriage return (CRLF line ends); check out with LF (git config core.autocrlf false).", name, line);
        }
        if (data[i] == '\0') {
            return golden_fail(error, GOLDEN_REFUSED, "%s:%zu: has a zero byte; restore the file from version control.", name,
                               line);
        }
        line += data[i] == '\n';
    }
    if (data[bytes - 1] != '\n') {
        return golden_fail(error, GOLDEN_REFUSED, "%s: is truncated: its last line has no end; restore it from version control.",
                           name);
    }
    return GOLDEN_OK;
}

void golden_lines_start(golden_lines *lines, const char *data, size_t bytes)
{
    const char *begin = data != NULL ? data : ""; // no text at all has no lines
    *lines = (golden_lines){.next = begin, .end = begin + bytes};
}

bool golden_lines_next(golden_lines *lines)
{
    if (lines->next >= lines->end) {
        return false;
    }
    const char *stop = memchr(lines->next, '\n', (size_t)(lines->end - lines->next));
    if (stop == NULL) {
        stop = lines->end;
    }
    lines->line = lines->next;
    lines->length = (size_t)(stop - lines->next);
    lines->next = stop + 1;
    ++lines->number;
    return true;
}

bool golden_line_is(const golden_lines *lines, const char *text)
{
    return lines->length == strlen(text) && memcmp(lines->line, text, lines->length) == 0;
}

bool golden_line_starts(const golden_lines *lines, const char *text)
{
    size_t length = strlen(text);
    return lines->length >= length && memcmp(lines->line, text, length) == 0;
}
