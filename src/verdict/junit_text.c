// SPDX-License-Identifier: Apache-2.0
// Texts of the open case and suites, and the words for outcomes.
#include "junit_internal.h"

#include <stdlib.h>
#include <string.h>

const char *cupel_junit_outcome_word(cupel_junit_outcome outcome)
{
    static const char *const words[] = {"passed", "failed", "in error", "skipped"};
    return words[outcome];
}

bool cupel_junit_text_append(cupel_junit_text *text, const char *bytes, size_t length, size_t cap)
{
    if (text->length + length > cap) {
        length = cap > text->length ? cap - text->length : 0;
        while (length > 0 && ((unsigned char)bytes[length] & 0xc0u) == 0x80u) {
            --length; // not inside a character
        }
        text->cut = true;
    }
    if (text->length + length + 1 > text->capacity) {
        size_t capacity = text->length + length + 1;
        capacity = capacity < 2 * text->capacity ? 2 * text->capacity : capacity;
        char *grown = realloc(text->bytes, capacity);
        if (grown == NULL) {
            return false;
        }
        text->bytes = grown;
        text->capacity = capacity;
    }
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
    return true;
}

void cupel_junit_text_clear(cupel_junit_text *text)
{
    text->length = 0;
    text->cut = false;
    if (text->bytes != NULL) {
        text->bytes[0] = '\0';
    }
}

const char *cupel_junit_text_get(const cupel_junit_text *text)
{
    return text->bytes == NULL ? "" : text->bytes;
}
