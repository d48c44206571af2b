// SPDX-License-Identifier: Apache-2.0
#include "stream.h"

#include <stdlib.h>
#include <string.h>

void golden_stream_format(const golden_inputs *inputs, const golden_answer *answers, golden_text *text)
{
    golden_text_puts(text, "#cupel-answers 1\n");
    for (size_t i = 0; i < inputs->count; ++i) {
        golden_text_puts(text, inputs->rows[i].id);
        for (size_t k = 0; k < answers[i].count; ++k) {
            const golden_output *output = &answers[i].outputs[k];
            char token[GOLDEN_TOKEN_BYTES];
            golden_format(output->value, token);
            golden_text_printf(text, "\t%s=%s:%s", output->label, golden_dtype_name(output->value.dtype), token);
        }
        golden_text_puts(text, "\n");
    }
    golden_text_puts(text, "#end\n");
}

// "<label>=<dtype>:<token>", cut in place
static golden_status output_parse(char *field, golden_answer *answer, golden_error *error)
{
    char *equals = strchr(field, '='), *colon = equals ? strchr(equals, ':') : NULL;
    golden_value value;
    if (colon == NULL) {
        return golden_fail(error, GOLDEN_REFUSED, "answers: \"%.60s\" is not label=dtype:value.", field);
    }
    *equals = *colon = '\0';
    if (!golden_dtype_of_name(equals + 1, &value.dtype) || !golden_parse(colon + 1, value.dtype, &value)) {
        return golden_fail(error, GOLDEN_REFUSED, "answers: \"%.60s\" is not a canonical %.8s.", colon + 1, equals + 1);
    }
    return golden_answer_add(answer, field, value, error);
}

static golden_status line_parse(char *line, const golden_row *row, golden_answer *answer, golden_error *error)
{
    golden_status status = GOLDEN_OK;
    char *at = strchr(line, '\t');
    if (at != NULL) {
        *at = '\0';
    }
    if (strcmp(line, row->id) != 0) {
        return golden_fail(error, GOLDEN_REFUSED, "answers: row %.80s stands where %s is expected.", line, row->id);
    }
    while (status == GOLDEN_OK && at != NULL) {
        char *field = at + 1;
        at = strchr(field, '\t');
        if (at != NULL) {
            *at = '\0';
        }
        status = output_parse(field, answer, error);
    }
    return status;
}

golden_status golden_stream_parse(const char *data, size_t bytes, const golden_inputs *inputs, golden_answer *answers,
                                  golden_error *error)
{
    golden_lines lines;
    golden_status status = GOLDEN_OK;
    golden_lines_start(&lines, data, bytes);
    if (!golden_lines_next(&lines) || !golden_line_is(&lines, "#cupel-answers 1")) {
        return golden_fail(error, GOLDEN_REFUSED, "answers: the first line must be #cupel-answers 1.");
    }
    for (size_t i = 0; status == GOLDEN_OK && i < inputs->count; ++i) {
        char *line = golden_lines_next(&lines) ? golden_copy_range(lines.line, lines.length) : NULL;
        status = line ? line_parse(line, &inputs->rows[i], &answers[i], error)
                      : golden_fail(error, GOLDEN_REFUSED, "answers: end before row %s.", inputs->rows[i].id);
        free(line);
    }
    if (status == GOLDEN_OK && (!golden_lines_next(&lines) || !golden_line_is(&lines, "#end") || golden_lines_next(&lines))) {
        status = golden_fail(error, GOLDEN_REFUSED, "answers: #end must follow the last row.");
    }
    return status;
}
