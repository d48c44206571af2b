// SPDX-License-Identifier: Apache-2.0
// Arguments of one row of inputs.
#include "number.h"
#include "recipe.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static const char *argument_find(const golden_row *row, const char *key)
{
    for (size_t i = 0; i < row->count; ++i) {
        if (strcmp(row->arguments[i].key, key) == 0) {
            return row->arguments[i].value;
        }
    }
    return NULL;
}

static golden_status argument_refuse(const golden_row *row, const char *key, const char *value, const char *wanted,
                                     golden_error *error)
{
    return golden_fail(error, GOLDEN_REFUSED, "row %s, argument %s: \"%.60s\" is not %s.", row->id, key, value, wanted);
}

bool golden_row_has(const golden_row *row, const char *key)
{
    return argument_find(row, key) != NULL;
}

golden_status golden_row_string(const golden_row *row, const char *key, const char **value, golden_error *error)
{
    *value = argument_find(row, key);
    if (*value == NULL) {
        return golden_fail(error, GOLDEN_REFUSED, "row %s: argument %s is missing; %s needs it.", row->id, key, row->operation);
    }
    return GOLDEN_OK;
}

golden_status golden_row_integer(const golden_row *row, const char *key, int64_t *value, golden_error *error)
{
    const char *text;
    golden_status status = golden_row_string(row, key, &text, error);
    if (status == GOLDEN_OK && !golden_parse_i64(text, value)) {
        status = argument_refuse(row, key, text, "a decimal integer", error);
    }
    return status;
}

golden_status golden_row_unsigned(const golden_row *row, const char *key, uint64_t *value, golden_error *error)
{
    const char *text;
    golden_status status = golden_row_string(row, key, &text, error);
    if (status == GOLDEN_OK && !golden_parse_u64(text, value)) {
        status = argument_refuse(row, key, text, "an unsigned 64-bit integer", error);
    }
    return status;
}

golden_status golden_row_real(const golden_row *row, const char *key, double *value, golden_error *error)
{
    const char *text;
    golden_value bits;
    golden_status status = golden_row_string(row, key, &text, error);
    if (status == GOLDEN_OK && !golden_parse(text, GOLDEN_F64, &bits)) {
        status = argument_refuse(row, key, text, "a canonical hexadecimal binary64 number", error);
    }
    if (status == GOLDEN_OK) {
        *value = golden_double_of_bits(bits.bits);
    }
    return status;
}

// One element of a list; reals may also spell a NaN with other bits, as nan:<hex bits>.
static bool element_parse(const char *token, golden_dtype dtype, golden_value *value)
{
    if (strncmp(token, "nan:", 4) != 0 || !golden_dtype_is_real(dtype)) {
        return golden_parse(token, dtype, value);
    }
    value->dtype = dtype;
    return golden_parse_u64(token + 4, &value->bits) && (dtype == GOLDEN_F64 || value->bits <= UINT32_MAX) && golden_is_nan(*value);
}

static golden_status list_parse(const golden_row *row, const char *key, const char *text, golden_dtype dtype, golden_array *array,
                                golden_error *error)
{
    size_t length = strlen(text), count = 1;
    if (length < 2 || text[length - 1] != ']') {
        return argument_refuse(row, key, text, "a list [a,b,...]", error);
    }
    for (size_t i = 1; i + 1 < length; ++i) {
        count += text[i] == ',';
    }
    count = length == 2 ? 0 : count;
    golden_status status = golden_array_alloc(dtype, count, array, error);
    const char *begin = text + 1;
    for (size_t i = 0; status == GOLDEN_OK && i < count; ++i) {
        const char *stop = begin + strcspn(begin, ",]");
        char token[GOLDEN_TOKEN_BYTES] = {0};
        golden_value value;
        size_t bytes = (size_t)(stop - begin);
        memcpy(token, begin, bytes < sizeof token ? bytes : sizeof token - 1);
        if ((stop == text + length - 1) != (i + 1 == count) || !element_parse(token, dtype, &value)) {
            golden_array_free(array);
            return argument_refuse(row, key, token,
                                   golden_dtype_is_real(dtype) ? "a canonical number of the row's dtype"
                                                               : "an integer of the argument's dtype",
                                   error);
        }
        golden_array_set(array, i, value);
        begin = stop + 1;
    }
    return status;
}

golden_status golden_row_array(const golden_row *row, const char *key, golden_dtype dtype, golden_array *array, golden_error *error)
{
    const char *text;
    *array = (golden_array){.dtype = dtype};
    golden_status status = golden_row_string(row, key, &text, error);
    if (status != GOLDEN_OK) {
        return status;
    }
    if (text[0] == '[') {
        return list_parse(row, key, text, dtype, array, error);
    }
    golden_error inner;
    status = golden_recipe_make(text, dtype, array, &inner);
    if (status != GOLDEN_OK) {
        golden_fail(error, status, "row %s, argument %s: %.800s", row->id, key, inner.text);
    }
    return status;
}

char *golden_row_text(const golden_row *row)
{
    golden_text text = {0};
    golden_text_printf(&text, "%s %s", row->id, row->operation);
    for (size_t i = 0; i < row->count; ++i) {
        golden_text_printf(&text, " %s=%s", row->arguments[i].key, row->arguments[i].value);
    }
    if (text.failed) {
        golden_text_free(&text);
    }
    return text.data;
}
