// SPDX-License-Identifier: Apache-2.0
// Decimal text of binary numbers for people, correctly rounded by exact integer arithmetic (no libc, hence no locale).
#include "../golden.h"

#include <stdio.h>
#include <string.h>

// A nonnegative integer in base 10^9, least limb first. 2^1024 has 309 digits and 5^1074 has 751; 140 limbs hold 1260.
enum { LIMBS = 140, LIMB_DIGITS = 9 };
#define LIMB_BASE 1000000000u

typedef struct big {
    size_t count;
    uint32_t limb[LIMBS];
} big;

static void big_multiply(big *number, uint32_t factor)
{
    uint64_t carry = 0;
    for (size_t i = 0; i < number->count; ++i) {
        uint64_t product = (uint64_t)number->limb[i] * factor + carry;
        number->limb[i] = (uint32_t)(product % LIMB_BASE);
        carry = product / LIMB_BASE;
    }
    while (carry != 0) {
        number->limb[number->count++] = (uint32_t)(carry % LIMB_BASE);
        carry /= LIMB_BASE;
    }
}

static void big_power(big *number, uint32_t base, int exponent)
{
    for (; exponent >= 8; exponent -= 8) {
        big_multiply(number, base == 2 ? 256u : 390625u);
    }
    for (; exponent > 0; --exponent) {
        big_multiply(number, base);
    }
}

// All decimal digits, most significant first; returns their number.
static size_t big_digits(const big *number, char *digits)
{
    size_t length = 0;
    for (size_t i = number->count; i-- > 0;) {
        length += (size_t)snprintf(digits + length, LIMB_DIGITS + 1, i + 1 == number->count ? "%u" : "%09u", number->limb[i]);
    }
    return length;
}

// Rounds digits[0..length) to `keep` digits, ties to even; returns 1 when a carry made one digit more (all nines).
static int digits_round(char *digits, size_t length, size_t keep)
{
    if (length <= keep) {
        memset(digits + length, '0', keep - length);
        return 0;
    }
    bool rest = false;
    for (size_t i = keep + 1; i < length; ++i) {
        rest = rest || digits[i] != '0';
    }
    bool odd = ((digits[keep - 1] - '0') & 1) != 0;
    if (digits[keep] < '5' || (digits[keep] == '5' && !rest && !odd)) {
        return 0;
    }
    for (size_t i = keep; i-- > 0;) {
        if (digits[i] != '9') {
            ++digits[i];
            return 0;
        }
        digits[i] = '0';
    }
    digits[0] = '1';
    return 1;
}

void golden_format_decimal(golden_value value, char *text)
{
    if (!golden_dtype_is_real(value.dtype)) {
        golden_format(value, text);
        return;
    }
    int mantissa_bits = value.dtype == GOLDEN_F32 ? 23 : 52, bias = value.dtype == GOLDEN_F32 ? 127 : 1023;
    uint64_t sign = value.dtype == GOLDEN_F32 ? 0x80000000u : 0x8000000000000000u;
    uint64_t magnitude = value.bits & (sign - 1), mantissa = magnitude & (((uint64_t)1 << mantissa_bits) - 1);
    int biased = (int)(magnitude >> mantissa_bits);
    if (magnitude == 0 || biased == 2 * bias + 1) {
        golden_format(value, text);
        if (magnitude == 0) {
            strcpy(text, value.bits & sign ? "-0" : "0");
        }
        return;
    }
    mantissa |= biased ? (uint64_t)1 << mantissa_bits : 0;
    int exponent = (biased ? biased : 1) - bias - mantissa_bits; // value = mantissa * 2^exponent
    big number = {.count = 2, .limb = {(uint32_t)(mantissa % LIMB_BASE), (uint32_t)(mantissa / LIMB_BASE)}};
    if (mantissa / LIMB_BASE == 0) {
        number.count = 1;
    }
    big_power(&number, exponent >= 0 ? 2u : 5u, exponent >= 0 ? exponent : -exponent); // m 2^-k = m 5^k 10^-k
    char digits[LIMBS * LIMB_DIGITS + 32];
    size_t length = big_digits(&number, digits), keep = value.dtype == GOLDEN_F32 ? 9 : 17;
    long scale = (long)length - 1 + (exponent < 0 ? exponent : 0);
    scale += digits_round(digits, length, keep);
    while (keep > 1 && digits[keep - 1] == '0') {
        --keep;
    }
    snprintf(text, GOLDEN_TOKEN_BYTES, "%s%c%s%.*se%+03ld", value.bits & sign ? "-" : "", digits[0], keep > 1 ? "." : "",
             (int)(keep - 1), digits + 1, scale);
}
