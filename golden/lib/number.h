// SPDX-License-Identifier: Apache-2.0
// Text of numbers, by integer arithmetic alone. One canonical form: a second spelling of the same value is refused.
//
// A finite real is [-]0x1[.<digits>]p<sign><exponent>: normalised (subnormals too), lower case, no trailing zero digit; zero is
// 0x0p+0 or -0x0p+0. For normal binary64 numbers this is what C's %a prints in the C locale.
#ifndef GOLDEN_NUMBER_H
#define GOLDEN_NUMBER_H

#include "../golden.h"

enum { GOLDEN_HEX_DIGITS = 64 };

typedef enum golden_hex_kind { GOLDEN_HEX_ZERO, GOLDEN_HEX_FINITE, GOLDEN_HEX_INF, GOLDEN_HEX_NAN } golden_hex_kind;

// A parsed canonical real of up to 1 + 4 * GOLDEN_HEX_DIGITS bits: (1 + 0.d1 d2 ...) * 2^exponent.
typedef struct golden_hex {
    golden_hex_kind kind;
    bool negative;
    size_t digits;
    unsigned char digit[GOLDEN_HEX_DIGITS];
    long exponent;
} golden_hex;

// false unless all of `text` is one canonical real
bool golden_hex_parse(const char *text, golden_hex *hex);
void golden_hex_format(const golden_hex *hex, char *text); // GOLDEN_TOKEN_BYTES
// false when the dtype (f32 or f64) cannot hold the value exactly
bool golden_hex_to_value(const golden_hex *hex, golden_dtype dtype, golden_value *value);

// Decimal integers without plus sign, leading zeros or "-0"; the unsigned reader also takes 0x and lower-case digits.
bool golden_parse_i64(const char *text, int64_t *value);
bool golden_parse_u64(const char *text, uint64_t *value);

#endif
