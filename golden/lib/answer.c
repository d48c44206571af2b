// SPDX-License-Identifier: Apache-2.0
// Outputs of a row: labels, ids, samples of bulk rows and their hash.
#include "number.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void golden_answer_free(golden_answer *answer)
{
    free(answer->outputs);
    *answer = (golden_answer){0};
}

golden_status golden_answer_add(golden_answer *answer, const char *label, golden_value value, golden_error *error)
{
    const char *text = label ? label : "";
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_.-");
    if (text[length] != '\0' || length >= GOLDEN_LABEL_BYTES) {
        return golden_fail(error, GOLDEN_REFUSED, "output label \"%.60s\" must be at most %d of [a-z0-9_.-].", text,
                           GOLDEN_LABEL_BYTES - 1);
    }
    if (answer->count == answer->capacity) {
        size_t capacity = answer->capacity ? 2 * answer->capacity : 4;
        golden_output *outputs = realloc(answer->outputs, capacity * sizeof *outputs);
        if (outputs == NULL) {
            return golden_fail(error, GOLDEN_REFUSED, "out of memory for %zu outputs.", capacity);
        }
        answer->outputs = outputs;
        answer->capacity = capacity;
    }
    golden_output *output = &answer->outputs[answer->count++];
    *output = (golden_output){.value = value};
    memcpy(output->label, text, length + 1);
    return GOLDEN_OK;
}

golden_status golden_answer_add_array(golden_answer *answer, const golden_array *array, golden_error *error)
{
    golden_status status = GOLDEN_OK;
    for (size_t i = 0; status == GOLDEN_OK && i < array->count; ++i) {
        status = golden_answer_add(answer, NULL, golden_array_at(array, i), error);
    }
    return status;
}

void golden_output_label(const golden_answer *answer, size_t output, char *label)
{
    const char *given = answer->outputs[output].label;
    if (given[0] != '\0') {
        memcpy(label, given, GOLDEN_LABEL_BYTES);
        return;
    }
    int width = 1;
    for (size_t largest = answer->count - 1; largest >= 10; largest /= 10) {
        ++width;
    }
    snprintf(label, GOLDEN_LABEL_BYTES, "%0*zu", width, output);
}

char *golden_output_id(const golden_row *row, const golden_answer *answer, size_t output)
{
    if (answer->count == 1 && answer->outputs[0].label[0] == '\0') {
        return golden_copy(row->id);
    }
    char label[GOLDEN_LABEL_BYTES];
    golden_text text = {0};
    golden_output_label(answer, output, label);
    golden_text_printf(&text, "%s/%s", row->id, label);
    if (text.failed) {
        golden_text_free(&text);
    }
    return text.data;
}

bool golden_row_is_bulk(const golden_row *row)
{
    return golden_row_has(row, "sample");
}

golden_status golden_row_samples(const golden_row *row, const golden_answer *answer, bool *sampled, golden_error *error)
{
    golden_array list;
    golden_status status = golden_row_array(row, "sample", GOLDEN_I64, &list, error);
    memset(sampled, 0, answer->count * sizeof *sampled);
    for (size_t i = 0; status == GOLDEN_OK && i < list.count; ++i) {
        uint64_t place = golden_array_at(&list, i).bits;
        if (place >= answer->count || sampled[place]) {
            status = golden_fail(error, GOLDEN_REFUSED, "row %s: sample %lld is out of range or stands twice (%zu outputs).",
                                 row->id, (long long)(int64_t)place, answer->count);
        } else {
            sampled[place] = true;
        }
    }
    golden_array_free(&list);
    return status;
}

golden_status golden_answer_hash(const golden_answer *answer, char *text, golden_error *error)
{
    unsigned char *bytes = malloc(8 * answer->count + 1);
    size_t length = 0;
    if (bytes == NULL) {
        return golden_fail(error, GOLDEN_REFUSED, "out of memory for %zu outputs.", answer->count);
    }
    for (size_t i = 0; i < answer->count; ++i) {
        golden_value value = answer->outputs[i].value;
        for (size_t b = 0; b < golden_dtype_size(value.dtype); ++b) {
            bytes[length++] = (unsigned char)(value.bits >> (8 * b) & 0xffu);
        }
    }
    memcpy(text, "sha256:", 8);
    golden_status status = golden_sha256(bytes, length, text + 7, error);
    free(bytes);
    return status;
}

bool golden_row_expects_nan(const golden_row *row, const char *label)
{
    const char *list;
    golden_error ignored;
    if (golden_row_string(row, "expect_nan", &list, &ignored) != GOLDEN_OK) {
        return false;
    }
    if (strcmp(list, "all") == 0) {
        return true;
    }
    size_t length = strlen(label);
    const char *at = list;
    while (*at == '[' || *at == ',') {
        ++at;
        if (strncmp(at, label, length) == 0 && (at[length] == ',' || at[length] == ']')) {
            return true;
        }
        at += strcspn(at, ",]");
    }
    return false;
}
