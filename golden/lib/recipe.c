// SPDX-License-Identifier: Apache-2.0
#include "recipe.h"
#include "number.h"

#include <string.h>

uint64_t golden_random_next(golden_random *random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint64_t golden_random_below(golden_random *random, uint64_t limit)
{
    uint64_t top = UINT64_MAX - UINT64_MAX % limit, draw; // whole multiples of limit only, so that no value is favoured
    do {
        draw = golden_random_next(random);
    } while (draw >= top);
    return draw % limit;
}

int64_t golden_random_between(golden_random *random, int64_t low, int64_t high)
{
    uint64_t width = (uint64_t)high - (uint64_t)low + 1;
    uint64_t draw = width == 0 ? golden_random_next(random) : golden_random_below(random, width);
    return (int64_t)((uint64_t)low + draw);
}

golden_value golden_random_real(golden_random *random, golden_dtype dtype, int64_t exponent_low, int64_t exponent_high,
                                bool positive)
{
    int64_t mantissa = dtype == GOLDEN_F32 ? 23 : 52, bias = dtype == GOLDEN_F32 ? 127 : 1023;
    uint64_t draw = golden_random_next(random), fraction = draw & (((uint64_t)1 << mantissa) - 1);
    uint64_t sign = positive ? 0 : (draw >> 63) << (dtype == GOLDEN_F32 ? 31 : 63);
    int64_t exponent = golden_random_between(random, exponent_low, exponent_high);
    if (exponent >= 1 - bias) {
        return (golden_value){dtype, sign | (uint64_t)(exponent + bias) << mantissa | fraction};
    }
    int64_t width = exponent - (1 - bias) + mantissa; // bits after the leading one of a subnormal
    return (golden_value){dtype, sign | (uint64_t)1 << width | fraction >> (mantissa - width)};
}

bool golden_value_of_integer(int64_t integer, golden_dtype dtype, golden_value *value)
{
    if (!golden_dtype_is_real(dtype)) {
        char text[GOLDEN_TOKEN_BYTES];
        golden_format((golden_value){GOLDEN_I64, (uint64_t)integer}, text);
        return golden_parse(text, dtype, value);
    }
    golden_hex hex = {.kind = GOLDEN_HEX_ZERO, .negative = integer < 0};
    uint64_t left = integer < 0 ? (uint64_t)0 - (uint64_t)integer : (uint64_t)integer;
    if (left != 0) {
        hex.kind = GOLDEN_HEX_FINITE;
        hex.exponent = 63;
        for (; !(left >> 63); left <<= 1) {
            --hex.exponent;
        }
        for (left <<= 1; left != 0; left <<= 4) {
            hex.digit[hex.digits++] = (unsigned char)(left >> 60);
        }
    }
    return golden_hex_to_value(&hex, dtype, value);
}

// What every recipe's function gets: numbers[0] is the count; `word` is the last argument when the recipe takes a word.
typedef struct recipe_call {
    golden_dtype dtype;
    int64_t numbers[6];
    char word[GOLDEN_TOKEN_BYTES];
} recipe_call;

// spread(count,seed,low,high): random sign, fraction and exponent in [low,high]
static bool make_spread(const recipe_call *call, golden_array *array)
{
    golden_random random = {(uint64_t)call->numbers[1]};
    for (size_t i = 0; i < array->count; ++i) {
        golden_array_set(array, i, golden_random_real(&random, call->dtype, call->numbers[2], call->numbers[3], false));
    }
    return true;
}

// positive(count,seed,low,high): the same without sign
static bool make_positive(const recipe_call *call, golden_array *array)
{
    golden_random random = {(uint64_t)call->numbers[1]};
    for (size_t i = 0; i < array->count; ++i) {
        golden_array_set(array, i, golden_random_real(&random, call->dtype, call->numbers[2], call->numbers[3], true));
    }
    return true;
}

// cancel(count,seed,low,high): the second half mirrors the first with the other sign and a random last bit, so that the sum of
// all is about one unit in the last place of the terms
static bool make_cancel(const recipe_call *call, golden_array *array)
{
    golden_random random = {(uint64_t)call->numbers[1]};
    uint64_t sign = call->dtype == GOLDEN_F32 ? 0x80000000u : 0x8000000000000000u;
    for (size_t i = 0; 2 * i < array->count; ++i) {
        golden_value value = golden_random_real(&random, call->dtype, call->numbers[2], call->numbers[3], false);
        golden_array_set(array, i, value);
        value.bits ^= sign ^ (golden_random_next(&random) & 1u);
        golden_array_set(array, array->count - 1 - i, value);
    }
    return true;
}

// whole(count,seed,low,high): random integers in [low,high]
static bool make_whole(const recipe_call *call, golden_array *array)
{
    golden_random random = {(uint64_t)call->numbers[1]};
    for (size_t i = 0; i < array->count; ++i) {
        golden_value value;
        if (!golden_value_of_integer(golden_random_between(&random, call->numbers[2], call->numbers[3]), call->dtype, &value)) {
            return false;
        }
        golden_array_set(array, i, value);
    }
    return true;
}

// ramp(count,first,step): first, first + step, ...
static bool make_ramp(const recipe_call *call, golden_array *array)
{
    for (size_t i = 0; i < array->count; ++i) {
        golden_value value;
        uint64_t integer = (uint64_t)call->numbers[1] + (uint64_t)i * (uint64_t)call->numbers[2];
        if (!golden_value_of_integer((int64_t)integer, call->dtype, &value)) {
            return false;
        }
        golden_array_set(array, i, value);
    }
    return true;
}

// same(count,token): one value everywhere
static bool make_same(const recipe_call *call, golden_array *array)
{
    golden_value value;
    if (!golden_parse(call->word, call->dtype, &value)) {
        return false;
    }
    for (size_t i = 0; i < array->count; ++i) {
        golden_array_set(array, i, value);
    }
    return true;
}

static bool special_of_letter(char letter, golden_random *random, golden_dtype dtype, golden_value *value)
{
    bool single = dtype == GOLDEN_F32;
    uint64_t sign = single ? 0x80000000u : 0x8000000000000000u, infinity = single ? 0x7f800000u : 0x7ff0000000000000u;
    uint64_t smallest = single ? 0x00800000u : 0x0010000000000000u, draw = golden_random_next(random);
    value->dtype = dtype;
    switch (letter) {
    case 'n': // NaN of any sign and payload, signalling ones too
        value->bits = (draw >> 63 ? sign : 0) | infinity | (draw & (smallest - 1)) | 1u;
        return true;
    case 'i':
        value->bits = infinity;
        return true;
    case 'j':
        value->bits = sign | infinity;
        return true;
    case 'z':
        value->bits = sign;
        return true;
    case 'p':
        value->bits = 0;
        return true;
    case 's': // subnormal of any sign
        value->bits = (draw >> 63 ? sign : 0) | ((draw & (smallest - 1)) | 1u);
        return true;
    case 'm': // largest finite
        value->bits = infinity - 1;
        return true;
    case 'l': // least normal
        value->bits = smallest;
        return true;
    default:
        return false;
    }
}

// special(count,seed,low,high,letters): spread, with one element in eight on average replaced by one of the letters' values:
// n NaN, i inf, j -inf, z -0, p +0, s subnormal, m largest finite, l least normal
static bool make_special(const recipe_call *call, golden_array *array)
{
    golden_random random = {(uint64_t)call->numbers[1]};
    size_t letters = strlen(call->word);
    if (letters == 0) {
        return false;
    }
    for (size_t i = 0; i < array->count; ++i) {
        golden_value value = golden_random_real(&random, call->dtype, call->numbers[2], call->numbers[3], false);
        bool planted = golden_random_below(&random, 8) == 0;
        char letter = call->word[golden_random_below(&random, letters)];
        if (planted && !special_of_letter(letter, &random, call->dtype, &value)) {
            return false;
        }
        golden_array_set(array, i, value);
    }
    return true;
}

typedef struct recipe {
    const char *name;
    size_t numbers; // arguments that are integers, the count first
    bool word;      // one more argument follows, any token
    bool exponents; // numbers[2], numbers[3] are exponents of a real dtype
    bool (*make)(const recipe_call *call, golden_array *array);
} recipe;

static const recipe recipes[] = {
    {"spread", 4, false, true, make_spread},  {"positive", 4, false, true, make_positive}, {"cancel", 4, false, true, make_cancel},
    {"whole", 4, false, false, make_whole},   {"ramp", 3, false, false, make_ramp},        {"same", 1, true, false, make_same},
    {"special", 4, true, true, make_special},
};

static const recipe *recipe_find(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof recipes / sizeof recipes[0]; ++i) {
        if (strlen(recipes[i].name) == length && memcmp(recipes[i].name, text, length) == 0) {
            return &recipes[i];
        }
    }
    return NULL;
}

// Splits "(a,b,c)" into the call's numbers and word.
static bool call_parse(const recipe *form, const char *text, recipe_call *call)
{
    size_t wanted = form->numbers + (form->word ? 1u : 0u);
    for (size_t i = 0; i < wanted; ++i) {
        char token[GOLDEN_TOKEN_BYTES] = {0};
        size_t length = strcspn(text + 1, ",)");
        char stop = text[1 + length];
        if (length >= sizeof token || stop != (i + 1 == wanted ? ')' : ',')) {
            return false;
        }
        memcpy(token, text + 1, length);
        if (i >= form->numbers) {
            memcpy(call->word, token, sizeof token);
        } else if (!golden_parse_i64(token, &call->numbers[i])) {
            return false;
        }
        text += 1 + length;
    }
    return text[0] == ')' && text[1] == '\0';
}

golden_status golden_recipe_make(const char *text, golden_dtype dtype, golden_array *array, golden_error *error)
{
    size_t length = strcspn(text, "(");
    const recipe *form = recipe_find(text, length);
    recipe_call call = {.dtype = dtype};
    if (form == NULL || text[length] != '(') {
        return golden_fail(error, GOLDEN_REFUSED, "\"%.60s\" is neither a list nor a known recipe.", text);
    }
    if (!call_parse(form, text + length, &call)) {
        return golden_fail(error, GOLDEN_REFUSED, "\"%.60s\": recipe %s takes %zu integers%s.", text, form->name, form->numbers,
                           form->word ? " and a word" : "");
    }
    if (call.numbers[0] < 0 || call.numbers[0] > 100000000) {
        return golden_fail(error, GOLDEN_REFUSED, "\"%.60s\": the count must lie in 0..100000000.", text);
    }
    int64_t bias = dtype == GOLDEN_F32 ? 127 : 1023, lowest = dtype == GOLDEN_F32 ? -149 : -1074;
    if (form->exponents && (!golden_dtype_is_real(dtype) || call.numbers[2] < lowest || call.numbers[3] > bias)) {
        return golden_fail(error, GOLDEN_REFUSED, "\"%.60s\": exponents must lie in the range of %s.", text,
                           golden_dtype_name(dtype));
    }
    if (form->numbers == 4 && call.numbers[2] > call.numbers[3]) {
        return golden_fail(error, GOLDEN_REFUSED, "\"%.60s\": the low end exceeds the high end.", text);
    }
    golden_status status = golden_array_alloc(dtype, (size_t)call.numbers[0], array, error);
    if (status == GOLDEN_OK && !form->make(&call, array)) {
        golden_array_free(array);
        status = golden_fail(error, GOLDEN_REFUSED, "\"%.60s\": a value does not fit %s.", text, golden_dtype_name(dtype));
    }
    return status;
}
