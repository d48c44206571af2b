// SPDX-License-Identifier: Apache-2.0
#include "sanitize_find.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// Escapes of XML and the character that a person sees.
typedef struct entity {
    const char *text;
    char shown;
} entity;
static const entity ENTITIES[] = {
    {"&quot;", '"'}, {"&apos;", '\''}, {"&#39;", '\''}, {"&#34;", '"'},   {"&lt;", '<'},
    {"&gt;", '>'},   {"&amp;", '&'},   {"&#10;", '\n'}, {"&#x0A;", '\n'}, {"&#9;", ' '},
};

bool evidence_is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

bool evidence_stands_alone(const char *view, const char *at, size_t length)
{
    const bool after_escape = at - view >= 3 && at[-3] == '%' && isxdigit((unsigned char)at[-2]) && isxdigit((unsigned char)at[-1]);
    const bool left = at == view || !evidence_is_word(at[0]) || !evidence_is_word(at[-1]) || after_escape;
    return left && (!evidence_is_word(at[length - 1]) || !evidence_is_word(at[length]));
}

size_t evidence_placeholder_length(const char *at)
{
    for (evidence_kind kind = 0; at[0] == '[' && kind < EVIDENCE_KINDS; ++kind) {
        const size_t named = strlen(evidence_kind_name(kind));
        if (strncmp(at + 1, evidence_kind_name(kind), named) == 0 && at[1 + named] == '-') {
            const size_t digits = strspn(at + named + 2, "0123456789");
            return digits > 0 && at[named + 2 + digits] == ']' ? named + digits + 3 : 0;
        }
    }
    return 0;
}

// The length of a terminal's colour command after its escape character, "[1;31m".
static size_t colour_length(const char *at)
{
    const size_t parameters = at[0] == '[' ? strspn(at + 1, "0123456789;") : 0;
    return at[0] == '[' && isalpha((unsigned char)at[1 + parameters]) ? parameters + 2 : 0;
}

// The length of the escape at `at` and what stands for it, 0 when there is none.
static size_t escape_length(const char *at, char *shown)
{
    *shown = ' ';
    if (at[0] == '\\') {
        const size_t slashes = strspn(at, "\\");
        const char c = at[slashes];
        *shown = c == 'n' || c == 'r' ? '\n' : c;
        if (strncmp(at + slashes, "u001b", 5) == 0) {
            *shown = ' ';
            return slashes + 5 + colour_length(at + slashes + 5);
        }
        if (c == 't') {
            *shown = ' ';
        }
        return c != '\0' && strchr("nrt\"'", c) != NULL ? slashes + 1 : 0;
    }
    if (at[0] == '\033') {
        return 1 + colour_length(at + 1);
    }
    for (size_t i = 0; at[0] == '&' && i < sizeof ENTITIES / sizeof ENTITIES[0]; ++i) {
        const size_t length = strlen(ENTITIES[i].text);
        if (strncmp(at, ENTITIES[i].text, length) == 0) {
            *shown = ENTITIES[i].shown;
            return length;
        }
    }
    return 0;
}

char *evidence_view_make(const char *text)
{
    char *view = strdup(text);
    char *at = view;
    while (at != NULL && *at != '\0') {
        char shown = ' ';
        const size_t length = escape_length(at, &shown);
        if (length == 0 && *at == '\r') {
            *at = ' ';
        }
        if (length == 0) {
            at += 1;
            continue;
        }
        memset(at, shown == '\n' ? '\n' : ' ', length - 1);
        at[length - 1] = shown;
        at += length;
    }
    return view;
}
