// SPDX-License-Identifier: Apache-2.0
// What `cupel golden` does: check, write, sweep, explain. Statuses are its exit statuses (golden_status).
#ifndef GOLDEN_RUNNER_H
#define GOLDEN_RUNNER_H

#include "../lib/bounds.h"
#include "../lib/corpus.h"

typedef struct golden_settings {
    const char *directory; // the golden folder
    const char *oracle;    // the oracle's executable; it may be missing
    const char *corpus;    // only this one ("linalg.f64"); null: all
    uint64_t draws, seed;  // of a sweep
    bool progress;         // a line on standard error while jobs run
} golden_settings;

// Worst use of the bound by one operation in one job.
typedef struct golden_worst {
    char operation[64];
    golden_dtype dtype;
    size_t rows, values;
    double error, bound; // ulp; both 0 when every value is exact
    char id[128];
} golden_worst;

// What one job (a corpus or a part of a sweep) found. `lines`: sentences, each with its line end.
typedef struct golden_result {
    char name[80];
    golden_status status;
    size_t rows, values;
    golden_text lines;
    golden_worst *worst;
    size_t worst_count;
} golden_result;

typedef struct golden_results {
    size_t count;
    golden_result *at;
} golden_results;

void golden_results_free(golden_results *results);
// The gravest status: refused, then differs, then not run.
golden_status golden_results_status(const golden_results *results);

// Each of them fills `results` and returns the overall status. None but golden_write writes a file.
golden_status golden_check(const golden_settings *settings, golden_results *results, golden_error *error);
golden_status golden_write(const golden_settings *settings, golden_results *results, golden_error *error);
golden_status golden_sweep(const golden_settings *settings, golden_results *results, golden_error *error);

// What is known of one row: its inputs, made again, and the rule behind each output's bound ("" for the hash of a bulk row).
typedef struct golden_explained {
    golden_corpus_row row;
    char rule[16];
    char *derivation, *meaning;
} golden_explained;

typedef struct golden_explanation {
    char *corpus, *inputs;
    golden_dtype dtype;
    golden_text messages; // the oracle's sentences
    size_t count;
    golden_explained *outputs;
} golden_explanation;

void golden_explanation_free(golden_explanation *explanation);
// Explains the row or the one output `id`. GOLDEN_DIFFERS when the answer is wrong; the explanation is filled then too.
golden_status golden_explain(const golden_settings *settings, const char *id, golden_explanation *explanation, golden_error *error);
void golden_explanation_text(const golden_explanation *explanation, golden_text *text);
bool golden_explanation_json(const golden_explanation *explanation, golden_status status, golden_text *text);

// Results as text for people or as JSON (schema "cupel-golden-report 1").
void golden_report_text(const char *verb, const golden_results *results, golden_status status, golden_text *text);
bool golden_report_json(const char *verb, const golden_results *results, golden_status status, const char *refusal,
                        golden_text *text);

#endif
