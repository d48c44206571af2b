// SPDX-License-Identifier: Apache-2.0
#include "formula.h"
#include "number.h"

#include <string.h>

// `definitions` is the text after the first ";": only what stands there can be named, so evaluation always ends.
typedef struct formula {
    const char *at;
    const char *definitions;
    int depth;
    bool failed;
} formula;

static double sum_read(formula *f);

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char next_char(formula *f)
{
    f->at += strspn(f->at, " ");
    return *f->at;
}

static double fail(formula *f)
{
    f->failed = true;
    return 0.0;
}

// A definition may use the ones that follow it, never itself.
static double name_read(formula *f)
{
    size_t length = 0;
    while (is_letter(f->at[length]) || is_digit(f->at[length])) {
        ++length;
    }
    const char *name = f->at;
    f->at += length;
    for (const char *at = f->definitions; at != NULL; at = strchr(at, ';')) {
        at += strspn(at, "; ");
        if (strncmp(at, name, length) == 0 && at[length] == '=') {
            formula inner = {.at = at + length + 1, .definitions = strchr(at, ';'), .depth = f->depth + 1};
            double value = inner.depth > 16 ? fail(&inner) : sum_read(&inner);
            char stop = next_char(&inner);
            return inner.failed || (stop != ';' && stop != '\0') ? fail(f) : value;
        }
    }
    return fail(f);
}

// An integer below 2^53 or a canonical hexadecimal real.
static double number_read(formula *f)
{
    char token[GOLDEN_TOKEN_BYTES] = {0};
    size_t length = strspn(f->at, "0123456789abcdefx.p");
    if (length > 0 && f->at[length - 1] == 'p') {
        length += strspn(f->at + length, "+-");
        length += strspn(f->at + length, "0123456789");
    }
    if (length == 0 || length >= sizeof token) {
        return fail(f);
    }
    memcpy(token, f->at, length);
    f->at += length;
    golden_value value;
    uint64_t integer;
    if (golden_parse(token, GOLDEN_F64, &value)) {
        return golden_double_of_bits(value.bits);
    }
    return golden_parse_u64(token, &integer) && integer < (uint64_t)1 << 53 ? (double)integer : fail(f);
}

static double atom_read(formula *f)
{
    char c = next_char(f);
    if (++f->depth > 64) {
        return fail(f);
    }
    double value;
    if (c == '(') {
        ++f->at;
        value = sum_read(f);
        if (next_char(f) != ')') {
            return fail(f);
        }
        ++f->at;
    } else if (c == '-') {
        ++f->at;
        value = -atom_read(f);
    } else {
        value = is_letter(c) ? name_read(f) : number_read(f);
    }
    --f->depth;
    return value;
}

static double power_read(formula *f)
{
    double base = atom_read(f);
    if (next_char(f) != '^') {
        return base;
    }
    ++f->at;
    bool inverse = next_char(f) == '-';
    f->at += inverse ? 1 : 0;
    double exponent = number_read(f), value = 1.0;
    if (!(exponent >= 0.0 && exponent <= 2000.0)) {
        return fail(f);
    }
    for (int i = 0; i < (int)exponent; ++i) {
        value = inverse ? value / base : value * base;
    }
    return value;
}

static double product_read(formula *f)
{
    double value = power_read(f);
    for (char c = next_char(f); !f->failed && (c == '*' || c == '/'); c = next_char(f)) {
        ++f->at;
        double factor = power_read(f);
        value = c == '*' ? value * factor : value / factor;
    }
    return value;
}

static double sum_read(formula *f)
{
    double value = product_read(f);
    for (char c = next_char(f); !f->failed && (c == '+' || c == '-'); c = next_char(f)) {
        ++f->at;
        double term = product_read(f);
        value = c == '+' ? value + term : value - term;
    }
    return value;
}

bool golden_formula_evaluate(const char *text, double *result)
{
    formula f = {.at = text, .definitions = strchr(text, ';')};
    *result = sum_read(&f);
    char stop = next_char(&f);
    return !f.failed && (stop == '\0' || stop == ';');
}
