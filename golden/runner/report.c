// SPDX-License-Identifier: Apache-2.0
#include "runner.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *word_of(golden_status status)
{
    static const char *const words[] = {"PASS", "FAIL", "NOT RUN", "REFUSED"};
    return words[status];
}

// error / bound in thousandths; text made from integers, so that no locale can change it
static void use_format(const golden_worst *worst, char *text, size_t bytes)
{
    if (!(worst->bound > 0.0)) {
        snprintf(text, bytes, worst->error > 0.0 ? "inf" : "exact");
        return;
    }
    double use = worst->error / worst->bound;
    unsigned long thousandths = use < 1e6 ? (unsigned long)(use * 1000.0 + 0.5) : 1000000000ul;
    snprintf(text, bytes, "%lu.%03lu", thousandths / 1000, thousandths % 1000);
}

static void result_text(const golden_result *result, golden_text *text)
{
    golden_text_printf(text, "%-28s %-8s %6zu rows %7zu values\n", result->name, word_of(result->status), result->rows,
                       result->values);
    for (size_t i = 0; i < result->worst_count; ++i) {
        const golden_worst *worst = &result->worst[i];
        char use[32];
        use_format(worst, use, sizeof use);
        golden_text_printf(text, "  %-26s worst error/bound %s at %s\n", worst->operation, use, worst->id);
    }
    golden_lines walk;
    golden_lines_start(&walk, result->lines.data ? result->lines.data : "", result->lines.length);
    while (golden_lines_next(&walk)) {
        golden_text_puts(text, "  ");
        golden_text_append(text, walk.line, walk.length);
        golden_text_puts(text, "\n");
    }
}

void golden_report_text(const char *verb, const golden_results *results, golden_status status, golden_text *text)
{
    size_t passed = 0, jobs = 0;
    for (size_t i = 0; i < results->count; ++i) {
        result_text(&results->at[i], text);
        bool corpus = strcmp(results->at[i].name, "SHA256SUMS") != 0;
        jobs += corpus ? 1 : 0;
        passed += corpus && results->at[i].status == GOLDEN_OK ? 1 : 0;
    }
    golden_text_printf(text, "golden %s: %s", verb, word_of(status));
    if (status == GOLDEN_OK || status == GOLDEN_DIFFERS) { // counts of what is refused would be quoted all the same
        golden_text_printf(text, " %zu/%zu", passed, jobs);
    }
    golden_text_puts(text, "\n");
}

static json_t *worst_json(const golden_worst *worst)
{
    char wrong[GOLDEN_TOKEN_BYTES], bound[GOLDEN_TOKEN_BYTES];
    golden_format((golden_value){GOLDEN_F64, golden_bits_of_double(worst->error)}, wrong);
    golden_format((golden_value){GOLDEN_F64, golden_bits_of_double(worst->bound)}, bound);
    return json_pack("{s:s, s:s, s:I, s:I, s:s, s:s, s:s}", "operation", worst->operation, "dtype", golden_dtype_name(worst->dtype),
                     "rows", (json_int_t)worst->rows, "values", (json_int_t)worst->values, "worst_error_ulp", wrong, "bound_ulp",
                     bound, "worst_at", worst->id);
}

static json_t *result_json(const golden_result *result)
{
    json_t *operations = json_array(), *messages = json_array();
    golden_lines walk;
    for (size_t i = 0; i < result->worst_count; ++i) {
        json_array_append_new(operations, worst_json(&result->worst[i]));
    }
    golden_lines_start(&walk, result->lines.data ? result->lines.data : "", result->lines.length);
    while (golden_lines_next(&walk)) {
        json_array_append_new(messages, json_stringn(walk.line, walk.length));
    }
    return json_pack("{s:s, s:s, s:I, s:I, s:o, s:o}", "corpus", result->name, "verdict", word_of(result->status), "rows",
                     (json_int_t)result->rows, "values", (json_int_t)result->values, "operations", operations, "messages",
                     messages);
}

// Appends the document and releases it.
static bool json_append(json_t *root, golden_text *text)
{
    char *dump = root ? json_dumps(root, JSON_INDENT(1)) : NULL;
    json_decref(root);
    if (dump != NULL) {
        golden_text_puts(text, dump);
        golden_text_puts(text, "\n");
    }
    bool made = dump != NULL;
    free(dump);
    return made && !text->failed;
}

bool golden_report_json(const char *verb, const golden_results *results, golden_status status, const char *refusal,
                        golden_text *text)
{
    json_t *corpora = json_array();
    for (size_t i = 0; i < results->count; ++i) {
        json_array_append_new(corpora, result_json(&results->at[i]));
    }
    json_t *root = json_pack("{s:s, s:s, s:s, s:i, s:s, s:o}", "schema", "cupel-golden-report 1", "action", verb, "verdict",
                             word_of(status), "status", (int)status, "reason", refusal, "corpora", corpora);
    return json_append(root, text);
}

static void value_text(const char *name, const char *token, golden_dtype dtype, golden_text *text)
{
    golden_value value;
    char decimal[GOLDEN_TOKEN_BYTES];
    golden_text_printf(text, "  %-7s %s", name, token);
    if (golden_dtype_is_real(dtype) && golden_parse(token, dtype, &value)) {
        golden_format_decimal(value, decimal);
        golden_text_printf(text, "   (%s)", decimal);
    }
    golden_text_puts(text, "\n");
}

void golden_explanation_text(const golden_explanation *explanation, golden_text *text)
{
    if (explanation->corpus == NULL || explanation->inputs == NULL) {
        return;
    }
    golden_text_printf(text, "corpus: %s\ninputs: %s\n", explanation->corpus, explanation->inputs);
    golden_text_puts(text, explanation->messages.data ? explanation->messages.data : "");
    for (size_t i = 0; i < explanation->count; ++i) {
        const golden_explained *output = &explanation->outputs[i];
        golden_text_printf(text, "%s\n", output->row.id);
        value_text("answer", output->row.answer, explanation->dtype, text);
        value_text("truth", output->row.truth, explanation->dtype, text);
        golden_text_printf(text, "  error   %s ulp\n  bound   %s ulp\n", output->row.error, output->row.bound);
        if (output->rule[0] != '\0') {
            golden_text_printf(text, "  rule    %s, number = %s: %s\n", output->rule, output->derivation, output->meaning);
        }
    }
}

bool golden_explanation_json(const golden_explanation *explanation, golden_status status, golden_text *text)
{
    json_t *outputs = json_array();
    for (size_t i = 0; i < explanation->count; ++i) {
        const golden_explained *output = &explanation->outputs[i];
        json_array_append_new(outputs, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "id", output->row.id, "answer",
                                                 output->row.answer, "truth", output->row.truth, "error_ulp", output->row.error,
                                                 "bound_ulp", output->row.bound, "rule", output->rule, "derivation",
                                                 output->derivation, "meaning", output->meaning));
    }
    json_t *root =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:o}", "schema", "cupel-golden-row 1", "verdict", word_of(status), "corpus",
                  explanation->corpus ? explanation->corpus : "", "inputs", explanation->inputs ? explanation->inputs : "",
                  "messages", explanation->messages.data ? explanation->messages.data : "", "outputs", outputs);
    return json_append(root, text);
}
