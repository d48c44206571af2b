// SPDX-License-Identifier: Apache-2.0
// Rows of one operation on any device, compared with the committed corpus: what a suite's case does.
#include "../lib/corpus.h"
#include "answers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool nan_anywhere(const char *id, void *context)
{
    (void)id;
    (void)context;
    return true; // declared NaNs are `cupel golden`'s business; here bytes are compared
}

static unsigned int bits_set(uint64_t bits)
{
    unsigned int count = 0;
    for (; bits != 0; bits &= bits - 1) {
        ++count;
    }
    return count;
}

static void difference_note(golden_comparison *comparison, const char *id, const char *expected, const char *got)
{
    if (comparison->differing++ == 0) {
        snprintf(comparison->first, sizeof comparison->first, "%s: expected %s, got %s", id, expected, got);
    }
}

static golden_status token_compare(const golden_corpus *corpus, const char *id, const char *token, const golden_value *value,
                                   golden_comparison *comparison, golden_error *error)
{
    const golden_corpus_row *row = golden_corpus_find(corpus, id);
    golden_value expected;
    if (row == NULL) {
        return golden_fail(error, GOLDEN_REFUSED, "corpus %s has no row %s.", corpus->name, id);
    }
    ++comparison->values;
    if (strcmp(row->answer, token) != 0) {
        difference_note(comparison, id, row->answer, token);
        comparison->bits += value && golden_parse(row->answer, value->dtype, &expected) ? bits_set(expected.bits ^ value->bits) : 1;
    }
    return GOLDEN_OK;
}

static golden_status row_compare(nc_device *device, const golden_corpus *corpus, const golden_row *row,
                                 golden_comparison *comparison, golden_error *error)
{
    golden_answer answer;
    golden_status status = golden_answer_row(device, row, &answer, error);
    if (status != GOLDEN_OK) {
        return status;
    }
    bool bulk = golden_row_is_bulk(row), *sampled = calloc(answer.count + 1, sizeof *sampled);
    char token[GOLDEN_TOKEN_BYTES], id[160];
    status = sampled ? GOLDEN_OK : golden_fail(error, GOLDEN_REFUSED, "row %s: out of memory.", row->id);
    if (status == GOLDEN_OK && bulk) {
        snprintf(id, sizeof id, "%s/sha256", row->id);
        status = golden_row_samples(row, &answer, sampled, error);
        status = status == GOLDEN_OK ? golden_answer_hash(&answer, token, error) : status;
        status = status == GOLDEN_OK ? token_compare(corpus, id, token, NULL, comparison, error) : status;
    }
    for (size_t i = 0; status == GOLDEN_OK && i < answer.count; ++i) {
        comparison->bytes += golden_dtype_size(answer.outputs[i].value.dtype);
        if (bulk && !sampled[i]) {
            continue;
        }
        char *name = golden_output_id(row, &answer, i);
        golden_format(answer.outputs[i].value, token);
        status = name ? token_compare(corpus, name, token, &answer.outputs[i].value, comparison, error)
                      : golden_fail(error, GOLDEN_REFUSED, "row %s: out of memory.", row->id);
        free(name);
    }
    ++comparison->rows;
    free(sampled);
    golden_answer_free(&answer);
    return status;
}

static golden_status files_read(const char *directory, const golden_operation *operation, golden_dtype dtype, golden_inputs *inputs,
                                golden_corpus *corpus, golden_error *error)
{
    golden_text path = {0};
    char *data = NULL;
    size_t bytes = 0;
    golden_text_printf(&path, "%s/inputs/%s.%s.inputs", directory, operation->module, golden_dtype_name(dtype));
    golden_status status =
        path.failed ? golden_fail(error, GOLDEN_REFUSED, "out of memory.") : golden_inputs_read(path.data, inputs, error);
    golden_text_free(&path);
    golden_text_printf(&path, "%s/corpora/%s.%s.golden", directory, operation->module, golden_dtype_name(dtype));
    if (status == GOLDEN_OK) {
        status =
            path.failed ? golden_fail(error, GOLDEN_REFUSED, "out of memory.") : golden_file_read(path.data, &data, &bytes, error);
    }
    status = status == GOLDEN_OK ? golden_corpus_parse(path.data, data, bytes, nan_anywhere, NULL, corpus, error) : status;
    free(data);
    golden_text_free(&path);
    return status;
}

golden_status golden_compare(nc_device *device, const char *directory, const char *operation, golden_dtype dtype,
                             golden_comparison *comparison, golden_error *error)
{
    golden_inputs inputs = {0};
    golden_corpus corpus = {0};
    const golden_operation *found = golden_operation_find(operation);
    *comparison = (golden_comparison){0};
    if (found == NULL || !(found->dtypes >> dtype & 1u)) {
        return golden_fail(error, GOLDEN_REFUSED, "no operation %s with dtype %s is registered.", operation,
                           golden_dtype_name(dtype));
    }
    golden_status status = files_read(directory, found, dtype, &inputs, &corpus, error);
    for (size_t i = 0; status == GOLDEN_OK && i < inputs.count; ++i) {
        if (strcmp(inputs.rows[i].operation, operation) == 0) {
            status = row_compare(device, &corpus, &inputs.rows[i], comparison, error);
        }
    }
    if (status == GOLDEN_OK && comparison->values == 0) {
        status = golden_fail(error, GOLDEN_REFUSED, "no row of %s, %s was compared.", operation, golden_dtype_name(dtype));
    }
    if (status == GOLDEN_OK && comparison->differing > 0) {
        status = golden_fail(error, GOLDEN_DIFFERS, "%zu of %zu values of %s, %s differ; first %s", comparison->differing,
                             comparison->values, operation, golden_dtype_name(dtype), comparison->first);
    }
    golden_corpus_free(&corpus);
    golden_inputs_free(&inputs);
    return status;
}
