// SPDX-License-Identifier: Apache-2.0
#include "text.h"

#include <math.h>
#include <string.h>

size_t cupel_utf8_length(const unsigned char *bytes, size_t available)
{
    // Lead byte ranges with the range of the second byte: RFC 3629, section 4.
    static const struct {
        unsigned char lead_low, lead_high, second_low, second_high, length;
    } forms[] = {
        {0x00, 0x7f, 0x00, 0x00, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0] && available > 0; ++i) {
        if (bytes[0] < forms[i].lead_low || bytes[0] > forms[i].lead_high) {
            continue;
        }
        size_t length = forms[i].length;
        if (length > available || (length > 1 && (bytes[1] < forms[i].second_low || bytes[1] > forms[i].second_high))) {
            return 0;
        }
        for (size_t k = 2; k < length; ++k) {
            if ((bytes[k] & 0xc0u) != 0x80u) {
                return 0;
            }
        }
        return length;
    }
    return 0;
}

void cupel_text_clean(char *text)
{
    unsigned char *bytes = (unsigned char *)text;
    size_t left = strlen(text);
    while (left > 0) {
        size_t length = cupel_utf8_length(bytes, left);
        if (length <= 1) {
            if (bytes[0] == '\n' || bytes[0] == '\r' || bytes[0] == '\t') {
                bytes[0] = ' ';
            } else if (length == 0 || bytes[0] < 0x20 || bytes[0] == 0x7f) {
                bytes[0] = '?';
            }
            length = 1;
        } else if (length == 2 && bytes[0] == 0xc2 && bytes[1] < 0xa0) { // C1 controls
            bytes[0] = bytes[1] = '?';
        }
        bytes += length;
        left -= length;
    }
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_lower_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f');
}

bool cupel_text_u64(const char *text, uint64_t *value)
{
    uint64_t sum = 0;
    if (!is_digit(text[0]) || (text[0] == '0' && text[1] != '\0')) {
        return false;
    }
    for (const char *c = text; *c != '\0'; ++c) {
        unsigned digit = (unsigned)(*c - '0');
        if (!is_digit(*c) || sum > (UINT64_MAX - digit) / 10) {
            return false;
        }
        sum = 10 * sum + digit;
    }
    *value = sum;
    return true;
}

static int hex_digit(char c)
{
    return is_digit(c) ? c - '0' : c - 'a' + 10;
}

static bool hexfloat_exponent(const char *text, int *exponent)
{
    uint64_t magnitude = 0;
    if ((text[0] != '+' && text[0] != '-') || strlen(text) > 5 || !cupel_text_u64(text + 1, &magnitude)) {
        return false;
    }
    *exponent = text[0] == '-' ? -(int)magnitude : (int)magnitude;
    return true;
}

// Not strtod: it takes decimals, spaces and upper case, and its point depends on the locale.
bool cupel_text_hexfloat(const char *text, double *value)
{
    if (strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0 || strcmp(text, "nan") == 0) {
        *value = text[0] == 'n' ? (double)NAN : (text[0] == '-' ? -(double)INFINITY : (double)INFINITY);
        return true;
    }
    bool negative = text[0] == '-';
    const char *c = text + negative;
    if (c[0] != '0' || c[1] != 'x' || (c[2] != '0' && c[2] != '1')) {
        return false;
    }
    int64_t significand = c[2] - '0';
    int exponent = 0;
    int digits = 0;
    c += 3;
    if (*c == '.') {
        for (++c; is_lower_hex(*c) && digits < 13; ++c, ++digits) {
            significand = 16 * significand + hex_digit(*c);
        }
        if (digits == 0 || c[-1] == '0') {
            return false;
        }
    }
    if (*c != 'p' || !hexfloat_exponent(c + 1, &exponent)) {
        return false;
    }
    double magnitude = ldexp((double)significand, exponent - 4 * digits);
    *value = negative ? -magnitude : magnitude;
    return isfinite(magnitude);
}

bool cupel_text_is_hex(const char *text, size_t length)
{
    size_t count = 0;
    while (is_lower_hex(text[count])) {
        ++count;
    }
    return count == length && text[count] == '\0';
}

bool cupel_text_is_case_id(const char *text)
{
    size_t length = 0;
    size_t dots = 0;
    char before = '.';
    for (; text[length] != '\0'; ++length) {
        char c = text[length];
        bool word = is_digit(c) || (c >= 'a' && c <= 'z') || c == '_' || c == '-';
        if (length >= 100 || (!word && c != '.') || (c == '.' && before == '.')) {
            return false;
        }
        dots += c == '.';
        before = c;
    }
    return dots > 0 && before != '.';
}

static bool two_digits(const char *text, int low, int high, int *value)
{
    if (!is_digit(text[0]) || !is_digit(text[1])) {
        return false;
    }
    *value = 10 * (text[0] - '0') + (text[1] - '0');
    return *value >= low && *value <= high;
}

bool cupel_text_utc(const char *text, int64_t *seconds)
{
    static const char form[] = "dddd-dd-ddTdd:dd:ddZ";
    static const int days_before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    int century, year, month, day, hour, minute, second;
    if (strlen(text) != sizeof form - 1) {
        return false;
    }
    for (size_t i = 0; form[i] != '\0'; ++i) {
        if (form[i] == 'd' ? !is_digit(text[i]) : text[i] != form[i]) {
            return false;
        }
    }
    if (!two_digits(text, 19, 99, &century) || !two_digits(text + 2, 0, 99, &year) || !two_digits(text + 5, 1, 12, &month) ||
        !two_digits(text + 8, 1, 31, &day) || !two_digits(text + 11, 0, 23, &hour) || !two_digits(text + 14, 0, 59, &minute) ||
        !two_digits(text + 17, 0, 60, &second)) {
        return false;
    }
    year += 100 * century;
    if (year < 1970) {
        return false;
    }
    int64_t whole = year - 1;
    int64_t days = 365 * (int64_t)(year - 1970) + (whole / 4 - whole / 100 + whole / 400) - (1969 / 4 - 1969 / 100 + 1969 / 400);
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    days += days_before[month - 1] + (month > 2 && leap) + day - 1;
    *seconds = ((days * 24 + hour) * 60 + minute) * 60 + second;
    return true;
}
