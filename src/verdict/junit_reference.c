// SPDX-License-Identifier: Apache-2.0
#include "junit_reference.h"

#include <stdlib.h>
#include <string.h>

bool cupel_reference_part(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'F') || (c >= '0' && c <= '9') || c == '#' || c == '&';
}

bool cupel_reference_legal(const char *token, size_t length)
{
    static const char *const names[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&apos;"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        if (strlen(names[i]) == length && memcmp(names[i], token, length) == 0) {
            return true;
        }
    }
    // A character reference stays with the parser when it may name a character that XML does not allow: only those up to
    // U+FFFF and from U+0020 are told apart here, by their digits.
    char digits[16] = {0};
    bool hexadecimal = length > 3 && token[2] == 'x';
    size_t first = hexadecimal ? 3 : 2;
    if (length < first + 2 || length > first + 6 || token[1] != '#') {
        return false;
    }
    memcpy(digits, token + first, length - first - 1);
    char *end = NULL;
    long code = strtol(digits, &end, hexadecimal ? 16 : 10);
    return *end == '\0' && digits[0] != '+' && digits[0] != '-' && digits[0] != ' ' && code >= 0x20 && code < 0xd800;
}
