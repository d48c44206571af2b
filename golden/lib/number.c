// SPDX-License-Identifier: Apache-2.0
#include "number.h"

#include <stdio.h>
#include <string.h>

typedef struct real_form {
    int mantissa_bits, bias;
    uint64_t sign, infinity, quiet;
} real_form;

static const real_form form_f32 = {23, 127, 0x80000000u, 0x7f800000u, 0x7fc00000u};
static const real_form form_f64 = {52, 1023, 0x8000000000000000u, 0x7ff0000000000000u, 0x7ff8000000000000u};

static const real_form *form_of(golden_dtype dtype)
{
    return dtype == GOLDEN_F32 ? &form_f32 : &form_f64;
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// The exponent after 'p': a sign and 1 to 18 digits (a truth may lie far outside binary64) without leading zeros; zero is "+0".
static bool exponent_parse(const char *text, long *exponent)
{
    bool negative = text[0] == '-';
    if (text[0] != '+' && text[0] != '-') {
        return false;
    }
    ++text;
    size_t length = strlen(text);
    if (length == 0 || length > 18 || (text[0] == '0' && (length > 1 || negative))) {
        return false;
    }
    *exponent = 0;
    for (size_t i = 0; i < length; ++i) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
        *exponent = *exponent * 10 + (text[i] - '0');
    }
    if (negative) {
        *exponent = -*exponent;
    }
    return true;
}

bool golden_hex_parse(const char *text, golden_hex *hex)
{
    *hex = (golden_hex){0};
    if (strcmp(text, "nan") == 0) {
        hex->kind = GOLDEN_HEX_NAN;
        return true;
    }
    if (*text == '-') {
        hex->negative = true;
        ++text;
    }
    if (strcmp(text, "inf") == 0) {
        hex->kind = GOLDEN_HEX_INF;
        return true;
    }
    if (strcmp(text, "0x0p+0") == 0) {
        hex->kind = GOLDEN_HEX_ZERO;
        return true;
    }
    if (strncmp(text, "0x1", 3) != 0) {
        return false;
    }
    hex->kind = GOLDEN_HEX_FINITE;
    text += 3;
    if (*text == '.') {
        for (++text; digit_of(*text) >= 0; ++text) {
            if (hex->digits == GOLDEN_HEX_DIGITS) {
                return false;
            }
            hex->digit[hex->digits++] = (unsigned char)digit_of(*text);
        }
        if (hex->digits == 0 || hex->digit[hex->digits - 1] == 0) {
            return false;
        }
    }
    return *text == 'p' && exponent_parse(text + 1, &hex->exponent);
}

void golden_hex_format(const golden_hex *hex, char *text)
{
    static const char digits[] = "0123456789abcdef";
    if (hex->kind == GOLDEN_HEX_NAN) {
        strcpy(text, "nan");
        return;
    }
    if (hex->negative) {
        *text++ = '-';
    }
    if (hex->kind != GOLDEN_HEX_FINITE) {
        strcpy(text, hex->kind == GOLDEN_HEX_INF ? "inf" : "0x0p+0");
        return;
    }
    memcpy(text, "0x1.", 4);
    text += hex->digits ? 4 : 3;
    for (size_t i = 0; i < hex->digits; ++i) {
        *text++ = digits[hex->digit[i]];
    }
    snprintf(text, 24, "p%+ld", hex->exponent);
}

// The bits of a fraction of `width` bits after the leading one; false when a set bit does not fit.
static bool fraction_bits(const golden_hex *hex, int width, uint64_t *fraction)
{
    *fraction = 0;
    for (size_t i = 0; i < hex->digits; ++i) {
        for (int b = 3; b >= 0; --b) {
            int place = (int)(4 * i) + (3 - b); // 0 is the first bit after the point
            bool set = (hex->digit[i] >> b & 1) != 0;
            if (set && place >= width) {
                return false;
            }
            if (set) {
                *fraction |= (uint64_t)1 << (width - 1 - place);
            }
        }
    }
    return true;
}

bool golden_hex_to_value(const golden_hex *hex, golden_dtype dtype, golden_value *value)
{
    const real_form *form = form_of(dtype);
    uint64_t sign = hex->negative ? form->sign : 0, fraction = 0;
    value->dtype = dtype;
    if (hex->kind != GOLDEN_HEX_FINITE) {
        value->bits = hex->kind == GOLDEN_HEX_NAN ? form->quiet : sign | (hex->kind == GOLDEN_HEX_INF ? form->infinity : 0);
        return true;
    }
    if (hex->exponent > form->bias) {
        return false;
    }
    if (hex->exponent >= 1 - form->bias) {
        if (!fraction_bits(hex, form->mantissa_bits, &fraction)) {
            return false;
        }
        value->bits = sign | (uint64_t)(hex->exponent + form->bias) << form->mantissa_bits | fraction;
        return true;
    }
    long width = hex->exponent - (1 - form->bias) + form->mantissa_bits; // bits left after the leading one
    if (width < 0 || !fraction_bits(hex, (int)width, &fraction)) {
        return false;
    }
    value->bits = sign | (uint64_t)1 << width | fraction;
    return true;
}

static void hex_of_value(golden_value value, golden_hex *hex)
{
    const real_form *form = form_of(value.dtype);
    uint64_t magnitude = value.bits & (form->sign - 1), fraction = magnitude & (((uint64_t)1 << form->mantissa_bits) - 1);
    *hex = (golden_hex){.negative = (value.bits & form->sign) != 0};
    hex->kind = magnitude == 0 ? GOLDEN_HEX_ZERO : magnitude == form->infinity ? GOLDEN_HEX_INF : GOLDEN_HEX_FINITE;
    if (magnitude > form->infinity) {
        *hex = (golden_hex){.kind = GOLDEN_HEX_NAN};
    }
    if (hex->kind != GOLDEN_HEX_FINITE) {
        return;
    }
    hex->exponent = (long)(magnitude >> form->mantissa_bits) - form->bias;
    if (magnitude >> form->mantissa_bits == 0) { // subnormal: bring the leading one in front of the point
        hex->exponent = 1 - form->bias;
        while (!(fraction >> form->mantissa_bits & 1)) {
            fraction <<= 1;
            --hex->exponent;
        }
        fraction &= ((uint64_t)1 << form->mantissa_bits) - 1;
    }
    uint64_t left = fraction << (64 - form->mantissa_bits);
    for (; left != 0; left <<= 4) {
        hex->digit[hex->digits++] = (unsigned char)(left >> 60);
    }
}

void golden_format(golden_value value, char *text)
{
    if (!golden_dtype_is_real(value.dtype)) {
        snprintf(text, GOLDEN_TOKEN_BYTES, "%lld", (long long)(int64_t)value.bits);
        return;
    }
    golden_hex hex;
    hex_of_value(value, &hex);
    golden_hex_format(&hex, text);
}

bool golden_parse_u64(const char *text, uint64_t *value)
{
    bool hexadecimal = text[0] == '0' && text[1] == 'x';
    uint64_t base = hexadecimal ? 16 : 10;
    text += hexadecimal ? 2 : 0;
    if (*text == '\0' || (!hexadecimal && text[0] == '0' && text[1] != '\0')) {
        return false;
    }
    *value = 0;
    for (; *text != '\0'; ++text) {
        int digit = digit_of(*text);
        if (digit < 0 || (uint64_t)digit >= base || *value > (UINT64_MAX - (uint64_t)digit) / base) {
            return false;
        }
        *value = *value * base + (uint64_t)digit;
    }
    return true;
}

bool golden_parse_i64(const char *text, int64_t *value)
{
    bool negative = text[0] == '-';
    uint64_t magnitude;
    text += negative ? 1 : 0;
    if (text[0] == '0' && text[1] == 'x') {
        return false;
    }
    if (!golden_parse_u64(text, &magnitude) || (negative && magnitude == 0)) {
        return false;
    }
    if (magnitude > (uint64_t)INT64_MAX + (negative ? 1u : 0u)) {
        return false;
    }
    *value = negative ? -(int64_t)(magnitude - 1) - 1 : (int64_t)magnitude;
    return true;
}

bool golden_parse(const char *text, golden_dtype dtype, golden_value *value)
{
    if (golden_dtype_is_real(dtype)) {
        golden_hex hex;
        return golden_hex_parse(text, &hex) && golden_hex_to_value(&hex, dtype, value);
    }
    int64_t integer;
    if (!golden_parse_i64(text, &integer)) {
        return false;
    }
    *value = (golden_value){dtype, (uint64_t)integer};
    return (dtype != GOLDEN_U32 || (integer >= 0 && integer <= UINT32_MAX)) &&
           (dtype != GOLDEN_I32 || (integer >= INT32_MIN && integer <= INT32_MAX)) &&
           (dtype != GOLDEN_U8 || (integer >= 0 && integer <= UINT8_MAX));
}
