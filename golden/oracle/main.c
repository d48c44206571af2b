// SPDX-License-Identifier: Apache-2.0
// cupel-oracle BOUNDS: reads a file of inputs and its answers from standard input, one after the other, computes every truth and
// writes the corpus to standard output. Exit status: 0, 1 (an answer is wrong; the corpus is still written), 3 (refused).
// `cupel golden` runs it; golden/lib/stream.h describes the answers.
#include "../lib/bounds.h"
#include "../lib/corpus.h"
#include "../lib/stream.h"
#include "judge.h"
#include "oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static oracle_function *const functions[] = {
#define GOLDEN_OPERATION(module, name, dtypes) oracle_##module##_##name,
#include "../operations/operations.def"
};

typedef struct oracle_run {
    golden_bounds bounds;
    golden_inputs inputs;
    golden_answer *answers;
    golden_corpus corpus;
    size_t wrong;
} oracle_run;

static void truths_free(oracle_truths *truths)
{
    for (size_t i = 0; i < truths->count; ++i) {
        if (truths->at[i].live) {
            mpfr_clears(truths->at[i].value, truths->at[i].scale, (mpfr_ptr)0);
        }
    }
    free(truths->at);
}

// The hash line of a bulk row: its truth is the hash of the very bits, where the oracle knows them for every output.
static golden_status hash_add(oracle_run *run, const golden_row *row, const golden_answer *answer, const oracle_truths *truths,
                              golden_error *error)
{
    char id[160], hash[GOLDEN_TOKEN_BYTES], truth_hash[GOLDEN_TOKEN_BYTES];
    golden_answer exact = {0};
    bool known = true;
    snprintf(id, sizeof id, "%s/sha256", row->id);
    golden_status status = golden_answer_hash(answer, hash, error);
    for (size_t i = 0; status == GOLDEN_OK && known && i < truths->count; ++i) {
        const oracle_truth *truth = &truths->at[i];
        golden_dtype dtype = answer->outputs[i].value.dtype;
        const golden_bound *bound = golden_bounds_find(&run->bounds, row->operation, row->dtype, answer->outputs[i].label);
        known = truth->has_required || (truth->known && truth->exact && bound != NULL && bound->rule == GOLDEN_RULE_EXACT);
        golden_value value = {dtype, (uint64_t)truth->integer};
        if (truth->has_required) {
            value = truth->required;
        } else if (known && !truth->is_integer) {
            value = oracle_round(truth->value, dtype);
        }
        status = known ? golden_answer_add(&exact, answer->outputs[i].label, value, error) : GOLDEN_OK;
    }
    if (status == GOLDEN_OK && known) {
        status = golden_answer_hash(&exact, truth_hash, error);
        if (status == GOLDEN_OK && strcmp(hash, truth_hash) != 0) {
            fprintf(stderr, "row %s: answer %s, truth %s.\n", id, hash, truth_hash);
            ++run->wrong;
        }
    }
    if (status == GOLDEN_OK) {
        bool same = known && strcmp(hash, truth_hash) == 0;
        status = golden_corpus_add(&run->corpus, id, hash, known ? truth_hash : "-",
                                   !known ? "-"
                                   : same ? "0x0p+0"
                                          : "0x1p+0",
                                   known ? "0x0p+0" : "-", error);
    }
    golden_answer_free(&exact);
    return status;
}

static golden_status output_add(oracle_run *run, const golden_row *row, const golden_answer *answer, size_t output,
                                const oracle_truth *truth, golden_error *error)
{
    golden_value value = answer->outputs[output].value;
    oracle_judgement judgement = {.truth = ""};
    char token[GOLDEN_TOKEN_BYTES];
    const golden_bound *bound = golden_bounds_find(&run->bounds, row->operation, row->dtype, answer->outputs[output].label);
    char *id = golden_output_id(row, answer, output);
    golden_status status = GOLDEN_OK;
    if (id == NULL) {
        status = golden_fail(error, GOLDEN_REFUSED, "row %s: out of memory.", row->id);
    } else if (bound == NULL) {
        status = golden_fail(error, GOLDEN_REFUSED, "bounds.tsv has no row for %s, %s, output \"%s\".", row->operation,
                             golden_dtype_name(row->dtype), answer->outputs[output].label);
    } else if (!truth->known) {
        status = golden_fail(error, GOLDEN_REFUSED, "row %s: the oracle gives no truth for this output.", id);
    } else {
        golden_error sentence;
        golden_status judged = oracle_judge(id, value, truth, bound, &judgement, &sentence);
        char label[GOLDEN_LABEL_BYTES];
        golden_output_label(answer, output, label);
        if (judged == GOLDEN_OK && golden_is_nan(value) && !golden_row_expects_nan(row, label)) {
            judged = golden_fail(&sentence, GOLDEN_REFUSED, "row %s: the answer is nan, which the row does not declare.", id);
        }
        if (judged == GOLDEN_REFUSED) {
            *error = sentence;
            status = judged;
        } else if (judged != GOLDEN_OK) {
            fprintf(stderr, "%s\n", sentence.text);
            ++run->wrong;
        }
    }
    golden_format(value, token);
    if (status == GOLDEN_OK) {
        status = golden_corpus_add(&run->corpus, id, token, judgement.truth, judgement.error, judgement.bound, error);
    }
    free(id);
    return status;
}

static golden_status row_judge(oracle_run *run, size_t index, golden_error *error)
{
    const golden_row *row = &run->inputs.rows[index];
    const golden_answer *answer = &run->answers[index];
    oracle_truths truths = {answer->count, calloc(answer->count + 1, sizeof *truths.at)};
    bool *wanted = calloc(answer->count + 1, sizeof *wanted), bulk = golden_row_is_bulk(row);
    golden_status status = truths.at && wanted ? GOLDEN_OK : golden_fail(error, GOLDEN_REFUSED, "row %s: out of memory.", row->id);
    if (status == GOLDEN_OK) {
        const golden_operation *operation = golden_operation_find(row->operation);
        golden_error inner;
        status = functions[golden_operation_index(operation)](row, answer, &truths, &inner);
        if (status != GOLDEN_OK) {
            bool named = strncmp(inner.text, "row ", 4) == 0;
            golden_fail(error, status, "%s%s%s%.900s", named ? "" : "row ", named ? "" : row->id, named ? "" : ": ", inner.text);
        }
    }
    if (status == GOLDEN_OK && bulk) {
        status = golden_row_samples(row, answer, wanted, error);
        status = status == GOLDEN_OK ? hash_add(run, row, answer, &truths, error) : status;
    }
    for (size_t i = 0; status == GOLDEN_OK && i < answer->count; ++i) {
        status = !bulk || wanted[i] ? output_add(run, row, answer, i, &truths.at[i], error) : GOLDEN_OK;
    }
    free(wanted);
    truths_free(&truths);
    return status;
}

// Splits standard input behind the inputs' "#end" line and reads both parts.
static golden_status run_read(oracle_run *run, const char *bounds, golden_error *error)
{
    golden_text text = {0};
    char block[65536];
    size_t got;
    while ((got = fread(block, 1, sizeof block, stdin)) > 0) {
        golden_text_append(&text, block, got);
    }
    golden_status status =
        text.failed ? golden_fail(error, GOLDEN_REFUSED, "out of memory.") : golden_bounds_read(bounds, &run->bounds, error);
    const char *stop = text.data ? strstr(text.data, "\n#end\n") : NULL;
    if (status == GOLDEN_OK && stop == NULL) {
        status = golden_fail(error, GOLDEN_REFUSED, "standard input: no #end after the inputs.");
    }
    if (status == GOLDEN_OK) {
        size_t first = (size_t)(stop - text.data) + 6;
        status = golden_inputs_parse("inputs", text.data, first, &run->inputs, error);
        run->answers = calloc(run->inputs.count + 1, sizeof *run->answers);
        if (status == GOLDEN_OK && run->answers == NULL) {
            status = golden_fail(error, GOLDEN_REFUSED, "out of memory.");
        }
        status = status == GOLDEN_OK
                     ? golden_stream_parse(text.data + first, text.length - first, &run->inputs, run->answers, error)
                     : status;
    }
    golden_text_free(&text);
    return status;
}

static golden_status run_write(oracle_run *run, golden_error *error)
{
    golden_text text = {0};
    golden_status status = golden_corpus_format(&run->corpus, &text, error);
    if (status == GOLDEN_OK && (fwrite(text.data, 1, text.length, stdout) != text.length || fflush(stdout) != 0)) {
        status = golden_fail(error, GOLDEN_REFUSED, "standard output cannot be written.");
    }
    golden_text_free(&text);
    return status;
}

int main(int argc, char **argv)
{
    oracle_run run = {0};
    golden_error error = {""};
    if (argc != 2) {
        fprintf(stderr, "usage: cupel-oracle BOUNDS < INPUTS-AND-ANSWERS\n");
        return 64;
    }
    golden_status status = run_read(&run, argv[1], &error);
    if (status == GOLDEN_OK) {
        char name[128];
        snprintf(name, sizeof name, "%.64s.%s", run.inputs.module, golden_dtype_name(run.inputs.dtype));
        run.corpus.name = golden_copy(name);
        run.corpus.dtype = run.inputs.dtype;
    }
    for (size_t i = 0; status == GOLDEN_OK && i < run.inputs.count; ++i) {
        status = row_judge(&run, i, &error);
        if (status == GOLDEN_DIFFERS) {
            fprintf(stderr, "%s\n", error.text);
            ++run.wrong;
            status = GOLDEN_OK;
        }
    }
    status = status == GOLDEN_OK ? run_write(&run, &error) : status;
    if (status != GOLDEN_OK) {
        fprintf(stderr, "%s\n", error.text);
    }
    status = status == GOLDEN_OK && run.wrong > 0 ? GOLDEN_DIFFERS : status;
    for (size_t i = 0; run.answers != NULL && i < run.inputs.count; ++i) {
        golden_answer_free(&run.answers[i]);
    }
    free(run.answers);
    golden_inputs_free(&run.inputs);
    golden_corpus_free(&run.corpus);
    golden_bounds_free(&run.bounds);
    mpfr_free_cache();
    return (int)status;
}
