// SPDX-License-Identifier: Apache-2.0
#include "bounds.h"
#include "formula.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const rule_names[] = {"exact", "ulp", "scaled", "rounded"};
static const char bounds_columns[] = "operation\tdtype\toutput\trule\tnumber\tderivation\tmeaning";
enum { COLUMNS = 7 };

const char *golden_rule_name(golden_rule rule)
{
    return rule_names[rule];
}

static void bound_free(golden_bound *bound)
{
    free(bound->operation);
    free(bound->output);
    free(bound->derivation);
    free(bound->meaning);
}

void golden_bounds_free(golden_bounds *bounds)
{
    for (size_t i = 0; i < bounds->count; ++i) {
        bound_free(&bounds->rows[i]);
    }
    free(bounds->rows);
    *bounds = (golden_bounds){0};
}

static bool rule_of_name(const char *name, golden_rule *rule)
{
    for (size_t i = 0; i < sizeof rule_names / sizeof rule_names[0]; ++i) {
        if (strcmp(rule_names[i], name) == 0) {
            *rule = (golden_rule)i;
            return true;
        }
    }
    return false;
}

static bool output_valid(const char *output)
{
    size_t length = strspn(output, "abcdefghijklmnopqrstuvwxyz0123456789_.-");
    return length < GOLDEN_LABEL_BYTES && (strcmp(output + length, "*") == 0 || (length > 0 && output[length] == '\0'));
}

static golden_status fields_check(char *const field[COLUMNS], golden_bound *bound, const char *place, golden_error *error)
{
    const golden_operation *operation = golden_operation_find(field[0]);
    golden_value number;
    double derived;
    if (operation == NULL || !golden_dtype_of_name(field[1], &bound->dtype) || !(operation->dtypes >> bound->dtype & 1u)) {
        return golden_fail(error, GOLDEN_REFUSED, "%s: no operation \"%.60s\" with dtype %.8s is registered.", place, field[0],
                           field[1]);
    }
    if (!output_valid(field[2]) || !rule_of_name(field[3], &bound->rule)) {
        return golden_fail(error, GOLDEN_REFUSED, "%s: output \"%.40s\" or rule \"%.40s\" is unknown.", place, field[2], field[3]);
    }
    if (!golden_parse(field[4], GOLDEN_F64, &number) || golden_is_nan(number)) {
        return golden_fail(error, GOLDEN_REFUSED, "%s: number \"%.60s\" is not a canonical hexadecimal real.", place, field[4]);
    }
    bound->number = golden_double_of_bits(number.bits);
    if (!golden_formula_evaluate(field[5], &derived)) {
        return golden_fail(error, GOLDEN_REFUSED, "%s: derivation \"%.60s\" is not a formula with all its names defined.", place,
                           field[5]);
    }
    if (golden_bits_of_double(derived) != number.bits || !(derived >= 0.0)) {
        char text[GOLDEN_TOKEN_BYTES];
        golden_format((golden_value){GOLDEN_F64, golden_bits_of_double(derived)}, text);
        return golden_fail(error, GOLDEN_REFUSED, "%s: number %s is not what its derivation \"%.200s\" gives: %s.", place, field[4],
                           field[5], text);
    }
    if ((bound->rule == GOLDEN_RULE_EXACT) != (derived == 0.0)) { // NOLINT: 0 is the very number that the rule exact has
        return golden_fail(error, GOLDEN_REFUSED, "%s: the rule exact, and only it, has the number 0.", place);
    }
    return GOLDEN_OK;
}

static int key_order(const golden_bound *a, const golden_bound *b)
{
    int order = strcmp(a->operation, b->operation);
    order = order ? order : strcmp(golden_dtype_name(a->dtype), golden_dtype_name(b->dtype));
    return order ? order : strcmp(a->output, b->output);
}

static golden_status bound_add(golden_bounds *bounds, char *const field[COLUMNS], const char *place, golden_error *error)
{
    golden_bound bound = {0};
    golden_status status = fields_check(field, &bound, place, error);
    if (status != GOLDEN_OK) {
        return status;
    }
    golden_bound *rows = realloc(bounds->rows, (bounds->count + 1) * sizeof *rows);
    if (rows == NULL) {
        return golden_fail(error, GOLDEN_REFUSED, "%s: out of memory.", place);
    }
    bounds->rows = rows;
    bound.operation = golden_copy(field[0]);
    bound.output = golden_copy(field[2]);
    bound.derivation = golden_copy(field[5]);
    bound.meaning = golden_copy(field[6]);
    if (bound.operation == NULL || bound.output == NULL || bound.derivation == NULL || bound.meaning == NULL) {
        bound_free(&bound);
        return golden_fail(error, GOLDEN_REFUSED, "%s: out of memory.", place);
    }
    rows[bounds->count++] = bound;
    if (bounds->count > 1 && key_order(&rows[bounds->count - 2], &rows[bounds->count - 1]) >= 0) {
        return golden_fail(error, GOLDEN_REFUSED, "%s: rows must be sorted by operation, dtype and output, each once.", place);
    }
    return GOLDEN_OK;
}

static golden_status line_parse(golden_bounds *bounds, const golden_lines *lines, const char *place, golden_error *error)
{
    char *line = golden_copy_range(lines->line, lines->length), *field[COLUMNS] = {line};
    size_t fields = 1;
    for (char *at = line; at != NULL && *at != '\0'; ++at) {
        if (*at == '\t') {
            *at = '\0';
            if (fields < COLUMNS) {
                field[fields] = at + 1;
            }
            ++fields;
        }
    }
    golden_status status =
        line == NULL        ? golden_fail(error, GOLDEN_REFUSED, "%s: out of memory.", place)
        : fields != COLUMNS ? golden_fail(error, GOLDEN_REFUSED, "%s: has %zu fields between tabs, not %d.", place, fields, COLUMNS)
                            : bound_add(bounds, field, place, error);
    free(line);
    return status;
}

golden_status golden_bounds_parse(const char *name, const char *data, size_t bytes, golden_bounds *bounds, golden_error *error)
{
    *bounds = (golden_bounds){0};
    bool ended = false;
    golden_lines lines;
    golden_status status = golden_text_check(name, data, bytes, error);
    const bool is_text = status == GOLDEN_OK;
    golden_lines_start(&lines, data, bytes);
    while (status == GOLDEN_OK && golden_lines_next(&lines)) {
        char place[512];
        snprintf(place, sizeof place, "%.480s:%zu", name, lines.number);
        if (lines.number <= 2) {
            if (!golden_line_is(&lines, lines.number == 1 ? "#cupel-bounds 1" : bounds_columns)) {
                status = golden_fail(error, GOLDEN_REFUSED,
                                     "%s: the first lines must be \"#cupel-bounds 1\" and the column header.", place);
            }
        } else if (ended) {
            status = golden_fail(error, GOLDEN_REFUSED, "%s: a line follows #end.", place);
        } else if (golden_line_is(&lines, "#end")) {
            ended = true;
        } else {
            status = line_parse(bounds, &lines, place, error);
        }
    }
    if (status == GOLDEN_OK && !ended) {
        status = golden_fail(error, GOLDEN_REFUSED, "%s: is truncated: no #end.", name);
    }
    if (status != GOLDEN_OK && is_text) {
        golden_error_advise(error, "correct it, or restore the file from version control.");
    }
    if (status != GOLDEN_OK) {
        golden_bounds_free(bounds);
    }
    return status;
}

golden_status golden_bounds_read(const char *path, golden_bounds *bounds, golden_error *error)
{
    char *data = NULL;
    size_t bytes = 0;
    *bounds = (golden_bounds){0};
    golden_status status = golden_file_read(path, &data, &bytes, error);
    if (status == GOLDEN_OK) {
        status = golden_bounds_parse(path, data, bytes, bounds, error);
    }
    free(data);
    return status;
}

const golden_bound *golden_bounds_find(const golden_bounds *bounds, const char *operation, golden_dtype dtype, const char *label)
{
    const golden_bound *best = NULL;
    size_t best_length = 0;
    for (size_t i = 0; i < bounds->count; ++i) {
        const golden_bound *row = &bounds->rows[i];
        if (row->dtype != dtype || strcmp(row->operation, operation) != 0) {
            continue;
        }
        if (strcmp(row->output, label) == 0) {
            return row;
        }
        size_t length = strlen(row->output);
        bool matches = row->output[length - 1] == '*' && strncmp(row->output, label, length - 1) == 0;
        if (matches && (best == NULL || length > best_length)) {
            best = row;
            best_length = length;
        }
    }
    return best;
}
