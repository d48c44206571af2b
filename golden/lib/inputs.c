// SPDX-License-Identifier: Apache-2.0
// Reader of golden/inputs/<module>.<dtype>.inputs.
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void row_free(golden_row *row)
{
    for (size_t i = 0; i < row->count; ++i) {
        free(row->arguments[i].key);
        free(row->arguments[i].value);
    }
    free(row->arguments);
    free(row->id);
    free(row->operation);
    *row = (golden_row){0};
}

void golden_inputs_free(golden_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; ++i) {
        row_free(&inputs->rows[i]);
    }
    free(inputs->rows);
    free(inputs->module);
    *inputs = (golden_inputs){0};
}

static bool id_valid(const char *id)
{
    size_t length = strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789._-");
    return length > 0 && length <= 80 && id[length] == '\0';
}

// Cuts the next field, up to one space, off the line; null at its end or when memory is short.
static char *field_next(const char **at, const char *end)
{
    const char *stop = memchr(*at, ' ', (size_t)(end - *at));
    if (stop == NULL) {
        stop = end;
    }
    char *field = *at <= end ? golden_copy_range(*at, (size_t)(stop - *at)) : NULL;
    *at = stop + 1;
    return field;
}

static golden_status argument_add(golden_row *row, char *field, const char *place, golden_error *error)
{
    char *equals = strchr(field, '=');
    size_t length = strspn(field, "abcdefghijklmnopqrstuvwxyz0123456789_");
    if (equals == NULL || length == 0 || field + length != equals || equals[1] == '\0') {
        return golden_fail(error, GOLDEN_REFUSED, "%s: \"%.60s\" is not key=value.", place, field);
    }
    *equals = '\0';
    if (golden_row_has(row, field)) {
        return golden_fail(error, GOLDEN_REFUSED, "%s: argument %s stands twice.", place, field);
    }
    golden_argument *arguments = realloc(row->arguments, (row->count + 1) * sizeof *arguments);
    if (arguments == NULL) {
        return golden_fail(error, GOLDEN_REFUSED, "%s: out of memory.", place);
    }
    row->arguments = arguments;
    arguments[row->count] = (golden_argument){golden_copy(field), golden_copy(equals + 1)};
    ++row->count;
    return GOLDEN_OK;
}

static golden_status row_check(const golden_inputs *inputs, const golden_row *row, const char *place, golden_error *error)
{
    const golden_operation *operation = row->operation ? golden_operation_find(row->operation) : NULL;
    if (!id_valid(row->id)) {
        return golden_fail(error, GOLDEN_REFUSED, "%s: id \"%.80s\" must be 1 to 80 of [a-z0-9._-].", place, row->id);
    }
    if (operation == NULL) {
        return golden_fail(error, GOLDEN_REFUSED, "%s: unknown operation \"%.60s\" (golden/operations lists them).", place,
                           row->operation ? row->operation : "");
    }
    if (strcmp(operation->module, inputs->module) != 0 || !(operation->dtypes >> inputs->dtype & 1u)) {
        return golden_fail(error, GOLDEN_REFUSED, "%s: operation %s does not belong to module %s, dtype %s.", place, row->operation,
                           inputs->module, golden_dtype_name(inputs->dtype));
    }
    return GOLDEN_OK;
}

static golden_status row_parse(golden_inputs *inputs, const golden_lines *lines, const char *place, golden_error *error)
{
    golden_row *rows = realloc(inputs->rows, (inputs->count + 1) * sizeof *rows);
    if (rows == NULL) {
        return golden_fail(error, GOLDEN_REFUSED, "%s: out of memory.", place);
    }
    inputs->rows = rows;
    golden_row *row = &rows[inputs->count++];
    const char *at = lines->line, *end = lines->line + lines->length;
    *row = (golden_row){.dtype = inputs->dtype, .line = lines->number};
    row->id = field_next(&at, end);
    row->operation = field_next(&at, end);
    golden_status status =
        row->id ? row_check(inputs, row, place, error) : golden_fail(error, GOLDEN_REFUSED, "%s: out of memory.", place);
    while (status == GOLDEN_OK && at <= end) {
        char *field = field_next(&at, end);
        status = field ? argument_add(row, field, place, error) : golden_fail(error, GOLDEN_REFUSED, "%s: out of memory.", place);
        free(field);
    }
    return status;
}

// "#cupel-inputs 1 module=linalg dtype=f64 rows=12"
static golden_status header_parse(golden_inputs *inputs, const golden_lines *lines, const char *place, size_t *declared,
                                  golden_error *error)
{
    char module[64], dtype[8], again[160];
    char *line = golden_copy_range(lines->line, lines->length);
    bool read =
        line != NULL && sscanf(line, "#cupel-inputs 1 module=%63[a-z0-9_] dtype=%7[a-z0-9] rows=%zu", module, dtype, declared) == 3;
    if (read) {
        snprintf(again, sizeof again, "#cupel-inputs 1 module=%s dtype=%s rows=%zu", module, dtype, *declared);
        read = strcmp(again, line) == 0 && golden_dtype_of_name(dtype, &inputs->dtype);
    }
    free(line);
    if (!read) {
        return golden_fail(error, GOLDEN_REFUSED, "%s: the header must be \"#cupel-inputs 1 module=NAME dtype=NAME rows=N\".",
                           place);
    }
    inputs->module = golden_copy(module);
    return inputs->module ? GOLDEN_OK : golden_fail(error, GOLDEN_REFUSED, "%s: out of memory.", place);
}

static int id_order(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static golden_status ids_unique(const golden_inputs *inputs, const char *name, golden_error *error)
{
    const char **ids = malloc((inputs->count + 1) * sizeof *ids);
    golden_status status = ids ? GOLDEN_OK : golden_fail(error, GOLDEN_REFUSED, "%s: out of memory.", name);
    for (size_t i = 0; status == GOLDEN_OK && i < inputs->count; ++i) {
        ids[i] = inputs->rows[i].id;
    }
    if (status == GOLDEN_OK) {
        qsort(ids, inputs->count, sizeof *ids, id_order);
    }
    for (size_t i = 1; status == GOLDEN_OK && i < inputs->count; ++i) {
        if (strcmp(ids[i - 1], ids[i]) == 0) {
            status = golden_fail(error, GOLDEN_REFUSED, "%s: duplicate id %s.", name, ids[i]);
        }
    }
    free(ids);
    return status;
}

golden_status golden_inputs_parse(const char *name, const char *text, size_t bytes, golden_inputs *inputs, golden_error *error)
{
    *inputs = (golden_inputs){0};
    size_t declared = 0;
    bool ended = false;
    golden_lines lines;
    golden_status status = golden_text_check(name, text, bytes, error);
    const bool is_text = status == GOLDEN_OK;
    golden_lines_start(&lines, text, bytes);
    while (status == GOLDEN_OK && golden_lines_next(&lines)) {
        char place[512];
        snprintf(place, sizeof place, "%.480s:%zu", name, lines.number);
        if (ended) {
            status = golden_fail(error, GOLDEN_REFUSED, "%s: a line follows #end.", place);
        } else if (lines.number == 1) {
            status = header_parse(inputs, &lines, place, &declared, error);
        } else if (golden_line_is(&lines, "#end")) {
            ended = true;
        } else if (lines.length == 0) {
            status = golden_fail(error, GOLDEN_REFUSED, "%s: has an empty line.", place);
        } else if (!golden_line_starts(&lines, "# ")) {
            status = row_parse(inputs, &lines, place, error);
        }
    }
    if (status == GOLDEN_OK && !ended) {
        status = golden_fail(error, GOLDEN_REFUSED, "%s: is truncated: no #end after %zu rows.", name, inputs->count);
    }
    if (status == GOLDEN_OK && inputs->count != declared) {
        status = golden_fail(error, GOLDEN_REFUSED, "%s: declares rows=%zu and has %zu.", name, declared, inputs->count);
    }
    status = status == GOLDEN_OK ? ids_unique(inputs, name, error) : status;
    if (status != GOLDEN_OK && is_text) {
        golden_error_advise(error, "correct it, or restore the file from version control.");
    }
    if (status != GOLDEN_OK) {
        golden_inputs_free(inputs);
    }
    return status;
}

golden_status golden_inputs_read(const char *path, golden_inputs *inputs, golden_error *error)
{
    char *data = NULL;
    size_t bytes = 0;
    *inputs = (golden_inputs){0};
    golden_status status = golden_file_read(path, &data, &bytes, error);
    if (status == GOLDEN_OK) {
        status = golden_inputs_parse(path, data, bytes, inputs, error);
    }
    free(data);
    return status;
}
