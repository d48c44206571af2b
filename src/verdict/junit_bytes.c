// SPDX-License-Identifier: Apache-2.0
#include "junit_bytes.h"

#include "text.h"

#include <string.h>
#include <strings.h>

// What is wrong with the `length` bytes of one wide character. XML 1.0, production 2: U+FFFE and U+FFFF are no characters.
static cupel_junit_byte_fault wide_check(const unsigned char *bytes, size_t length)
{
    if (cupel_utf8_length(bytes, length) != length) {
        return CUPEL_BYTES_NOT_UTF8;
    }
    bool allowed = length != 3 || bytes[0] != 0xef || bytes[1] != 0xbf || bytes[2] < 0xbe;
    return allowed ? CUPEL_BYTES_GOOD : CUPEL_BYTES_NOT_ALLOWED;
}

// How many bytes the character with this lead byte takes, 0 for a byte that cannot lead.
static size_t lead_length(unsigned char lead)
{
    return lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
}

// Completes the character that the last piece ended in, with the first *taken bytes of this one.
static cupel_junit_byte_fault partial_complete(cupel_junit_position *position, const unsigned char *bytes, size_t length,
                                               size_t *taken)
{
    size_t wanted = lead_length(position->partial[0]);
    *taken = 0;
    while (position->partial_length < wanted && *taken < length) {
        position->partial[position->partial_length++] = bytes[(*taken)++];
    }
    if (position->partial_length < wanted) {
        return CUPEL_BYTES_GOOD;
    }
    cupel_junit_byte_fault fault = wide_check(position->partial, wanted);
    if (fault == CUPEL_BYTES_GOOD) {
        position->offset += wanted;
        position->partial_length = 0;
    }
    return fault;
}

// Length of the run of printable ASCII, carriage returns and tabs. Eight bytes at a time: a byte is plain when neither it nor
// it minus 0x20 has the top bit.
static size_t plain_run(const unsigned char *bytes, size_t length)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    size_t i = 0;
    for (; i + 8 <= length; i += 8) {
        uint64_t word;
        memcpy(&word, bytes + i, 8);
        if (((word | (word - 0x20 * ones)) & 0x80 * ones) != 0) {
            break;
        }
    }
    while (i < length && ((bytes[i] >= 0x20 && bytes[i] < 0x80) || bytes[i] == '\t' || bytes[i] == '\r')) {
        ++i;
    }
    return i;
}

cupel_junit_byte_fault cupel_junit_bytes_check(cupel_junit_position *position, const unsigned char *bytes, size_t length)
{
    size_t i = 0;
    cupel_junit_byte_fault fault = CUPEL_BYTES_GOOD;
    if (position->partial_length > 0) {
        fault = partial_complete(position, bytes, length, &i);
    }
    while (i < length && fault == CUPEL_BYTES_GOOD) {
        size_t run = plain_run(bytes + i, length - i);
        i += run;
        position->offset += run;
        if (i == length) {
            break;
        }
        if (bytes[i] == '\n') {
            ++position->line;
            ++position->offset;
            ++i;
            continue;
        }
        if (bytes[i] < 0x20) {
            return CUPEL_BYTES_NOT_ALLOWED;
        }
        size_t wanted = position->ascii_only ? 0 : lead_length(bytes[i]);
        if (wanted > length - i) {
            position->partial_length = length - i;
            memcpy(position->partial, bytes + i, length - i);
            return CUPEL_BYTES_GOOD;
        }
        fault = wanted == 0 ? CUPEL_BYTES_NOT_UTF8 : wide_check(bytes + i, wanted);
        if (fault == CUPEL_BYTES_GOOD) {
            i += wanted;
            position->offset += wanted;
        }
    }
    return fault;
}

bool cupel_junit_bytes_complete(const cupel_junit_position *position)
{
    return position->partial_length == 0;
}

// Copies the value of encoding="..." of an XML declaration, "" when it has none.
static void declared_encoding(const unsigned char *bytes, size_t length, char value[40])
{
    char head[256];
    size_t kept = length < sizeof head - 1 ? length : sizeof head - 1;
    memcpy(head, bytes, kept);
    head[kept] = '\0';
    value[0] = '\0';
    char *end = strstr(head, "?>");
    if (strncmp(head, "<?xml", 5) != 0 || end == NULL) {
        return;
    }
    *end = '\0';
    const char *found = strstr(head, "encoding");
    if (found == NULL) {
        return;
    }
    found += strlen("encoding");
    found += strspn(found, " \t\r\n=");
    size_t name = *found == '"' || *found == '\'' ? strcspn(found + 1, "\"'") : 0;
    name = name < 39 ? name : 39;
    memcpy(value, found + 1, name);
    value[name] = '\0';
}

bool cupel_junit_foreign_encoding(const unsigned char *bytes, size_t length, char name[40], bool *ascii_only)
{
    static const struct {
        const char *name;
        size_t length;
        unsigned char bytes[4];
    } marks[] = {
        {"UTF-32, big-endian", 4, {0x00, 0x00, 0xfe, 0xff}},
        {"UTF-32, little-endian", 4, {0xff, 0xfe, 0x00, 0x00}},
        {"UTF-16, big-endian", 2, {0xfe, 0xff, 0, 0}},
        {"UTF-16, little-endian", 2, {0xff, 0xfe, 0, 0}},
        {"UTF-16, big-endian, without a mark", 2, {0x00, '<', 0, 0}},
        {"UTF-16, little-endian, without a mark", 2, {'<', 0x00, 0, 0}},
        {"EBCDIC", 4, {0x4c, 0x6f, 0xa7, 0x94}},
    };
    static const char *const same[] = {"", "utf-8", "utf8"};
    static const char *const ascii[] = {"us-ascii", "ascii"};
    *ascii_only = false;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; ++i) {
        if (length >= marks[i].length && memcmp(bytes, marks[i].bytes, marks[i].length) == 0) {
            strcpy(name, marks[i].name);
            return true;
        }
    }
    size_t mark = length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    declared_encoding(bytes + mark, length - mark, name);
    for (size_t i = 0; i < sizeof same / sizeof same[0]; ++i) {
        if (strcasecmp(name, same[i]) == 0) {
            return false;
        }
    }
    for (size_t i = 0; i < sizeof ascii / sizeof ascii[0]; ++i) {
        if (strcasecmp(name, ascii[i]) == 0) {
            *ascii_only = true;
            return false;
        }
    }
    return true;
}
