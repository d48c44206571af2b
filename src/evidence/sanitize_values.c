// SPDX-License-Identifier: Apache-2.0
#include "sanitize_values.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { SHORTEST_NAME = 3, SHORTEST_SECRET = 6, SHORTEST_SERIAL = 6, SHORTEST_BUS = 7, SHORTEST_NUMBER = 8, SHORTEST_DIGITS = 12 };

// Values that name nobody and nothing.
static const char *const COMMON[] = {
    "root",
    "localhost",
    "localhost.localdomain",
    "0.0.0.0",
    "255.255.255.255",
    "0",
    "unknown",
    "null",
    "none",
    "/",
    "/root",
    "/tmp",
    "/var/tmp",
    "/var",
    "/srv",
    "/mnt",
    "/home",
    "/usr",
    "/usr/bin",
    "/usr/lib",
    "/usr/local",
    "/usr/share",
    "/usr/local/bin",
    "/usr/sbin",
    "/opt",
    "/etc",
    "/bin",
    "/sbin",
    "/lib",
    "/lib64",
    "/dev",
    "/dev/shm",
    "/proc",
    "/sys",
    "/run",
    "/Users",
    "/boot",
    "/media",
};

bool evidence_is_common(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof COMMON / sizeof COMMON[0]; ++i) {
        if (strlen(COMMON[i]) == length && strncmp(COMMON[i], text, length) == 0) {
            return true;
        }
    }
    return strncmp(text, "127.", 4) == 0;
}

bool evidence_is_hex_written(const char *text, size_t length)
{
    return strspn(text, "0123456789abcdefABCDEF-:.") >= length;
}

static size_t digits_count(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; ++i) {
        count += isxdigit((unsigned char)text[i]) != 0;
    }
    return count;
}

// A whole address all of whose digits are the same one: none, or that of all.
static bool is_blank_digits(const char *text, size_t length)
{
    char seen = '\0';
    if (digits_count(text, length) < SHORTEST_DIGITS) {
        return false;
    }
    for (size_t i = 0; i < length; ++i) {
        if (isxdigit((unsigned char)text[i])) {
            if (seen != '\0' && tolower((unsigned char)text[i]) != seen) {
                return false;
            }
            seen = (char)tolower((unsigned char)text[i]);
        }
    }
    return true;
}

// The length of what only says that digits follow.
static size_t prefix_length(const char *text)
{
    static const char *const prefixes[] = {"GPU-", "MIG-", "0x"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; ++i) {
        if (strncasecmp(text, prefixes[i], strlen(prefixes[i])) == 0) {
            return strlen(prefixes[i]);
        }
    }
    return 0;
}

// The length of the domain of a PCI address that everybody has, "0000:" or "00000000:".
static size_t domain_length(const char *text)
{
    const size_t zeros = strspn(text, "0");
    const bool whole = (zeros == 4 || zeros == 8) && text[zeros] == ':' && isxdigit((unsigned char)text[zeros + 1]);
    return whole ? zeros + 1 : 0;
}

void evidence_value_trim(evidence_kind kind, const char **text, size_t *length)
{
    for (size_t prefix = prefix_length(*text); kind == EVIDENCE_UUID && prefix > 0 && prefix < *length;
         prefix = prefix_length(*text)) {
        *text += prefix;
        *length -= prefix;
    }
    if (kind == EVIDENCE_BUS) {
        const size_t domain = domain_length(*text);
        *text += domain;
        *length -= domain;
    }
    while (kind == EVIDENCE_PATH && *length > 1 && (*text)[*length - 1] == '/') {
        *length -= 1;
    }
}

bool evidence_value_is_telling(const evidence_words *words, evidence_kind kind, const char *text, size_t length)
{
    const bool is_number = strspn(text, "0123456789") >= length;
    switch (kind) {
    case EVIDENCE_PID:
    case EVIDENCE_JOB:
        return false; // numbers like any other
    case EVIDENCE_ACCOUNT:
    case EVIDENCE_HOST:
        return length >= SHORTEST_NAME && !is_number && !evidence_words_hold(words, text, length);
    case EVIDENCE_SECRET:
        return length >= SHORTEST_SECRET && !(is_number && length < SHORTEST_NUMBER) && !evidence_words_hold(words, text, length);
    case EVIDENCE_SERIAL:
        return length >= (is_number ? SHORTEST_NUMBER : SHORTEST_SERIAL);
    case EVIDENCE_UUID:
    case EVIDENCE_MAC:
        return evidence_is_hex_written(text, length) ? digits_count(text, length) >= SHORTEST_DIGITS : length >= SHORTEST_NUMBER;
    case EVIDENCE_BUS:
        return length >= SHORTEST_BUS && memchr(text, ':', length) != NULL && memchr(text, '.', length) != NULL;
    case EVIDENCE_ADDRESS:
    case EVIDENCE_EMAIL:
    case EVIDENCE_PATH:
    case EVIDENCE_KINDS:
        break;
    }
    return length >= SHORTEST_NAME;
}

// How many bytes of the text are these hexadecimal digits, in any case and with any of the usual separators between them or none.
static size_t digits_match(const evidence_value *value, const char *text)
{
    size_t length = 0;
    bool first = true;
    for (size_t i = 0; i < value->length; ++i) {
        if (!isxdigit((unsigned char)value->text[i])) {
            continue;
        }
        while (!first && (text[length] == '-' || text[length] == ':' || text[length] == '.')) {
            ++length;
        }
        if (tolower((unsigned char)text[length]) != tolower((unsigned char)value->text[i])) {
            return 0;
        }
        ++length;
        first = false;
    }
    return length;
}

size_t evidence_value_match(const evidence_value *value, const char *at)
{
    if (value->is_digits) {
        const char *digits = at;
        size_t room = (size_t)-1;
        evidence_value_trim(value->kind, &digits, &room);
        const size_t matched = digits_match(value, digits);
        return matched > 0 ? (size_t)(digits - at) + matched : 0;
    }
    if (value->kind == EVIDENCE_BUS) {
        const size_t domain = domain_length(at);
        return strncasecmp(at + domain, value->text, value->length) == 0 ? domain + value->length : 0;
    }
    if (tolower((unsigned char)at[0]) != tolower((unsigned char)value->text[0])) {
        return 0; // most places, and all texts are looked at in every place
    }
    const bool caseless = value->kind != EVIDENCE_PATH && value->kind != EVIDENCE_SECRET;
    const int differs = caseless ? strncasecmp(at, value->text, value->length) : strncmp(at, value->text, value->length);
    return differs == 0 ? value->length : 0;
}

bool evidence_value_is_void(evidence_kind kind, const char *text, size_t length)
{
    const bool is_digits = (kind == EVIDENCE_UUID || kind == EVIDENCE_MAC) && evidence_is_hex_written(text, length);
    return length == 0 || evidence_is_common(text, length) || (is_digits && is_blank_digits(text, length));
}
