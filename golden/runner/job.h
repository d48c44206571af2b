// SPDX-License-Identifier: Apache-2.0
// One job: the rows of one file of inputs, answered by the core and judged by the oracle.
#ifndef GOLDEN_JOB_H
#define GOLDEN_JOB_H

#include "runner.h"

typedef struct golden_job {
    golden_inputs inputs;
    golden_answer *answers;
    golden_corpus corpus; // what the oracle wrote
    golden_text bytes;    // the same as bytes
    golden_text messages; // its sentences
} golden_job;

void golden_job_free(golden_job *job);
// Answers every row of job->inputs on the CPU reference.
golden_status golden_job_answer(golden_job *job, golden_error *error);
// Runs the oracle on `inputs_text` and the answers. GOLDEN_DIFFERS: the corpus is there and the messages say what is wrong.
// GOLDEN_NOT_RUN: the oracle was not built.
golden_status golden_job_judge(const golden_settings *settings, const char *inputs_text, size_t inputs_bytes, golden_job *job,
                               golden_error *error);
// Counts rows and values and finds each operation's worst use of its bound.
golden_status golden_job_summarise(const golden_job *job, golden_result *result, golden_error *error);
// The row of inputs that an output's id belongs to; null when there is none.
const golden_row *golden_job_row(const golden_inputs *inputs, const char *output_id);

// ---- Many jobs at once -------------------------------------------------------------------------------------------------------

// Runs in a process of its own; fills `result`, whose name is set already.
typedef void golden_work(const golden_settings *settings, size_t index, golden_result *result, void *context);
// Runs work(0..count-1) in as many processes at a time as the machine has processors. names[i] is the i-th result's name.
golden_status golden_pool_run(const golden_settings *settings, size_t count, const char *const *names, golden_work *work,
                              void *context, golden_results *results, golden_error *error);

// ---- Files of the golden folder ----------------------------------------------------------------------------------------------

// Names without folder, sorted; release with golden_names_free.
typedef struct golden_names {
    size_t count;
    char **at;
} golden_names;

void golden_names_free(golden_names *names);
// Files of <directory>/<folder> that end in `ending`; any other file there is refused.
golden_status golden_names_list(const char *directory, const char *folder, const char *ending, golden_names *names,
                                golden_error *error);
// The names of all corpora ("linalg.f64"), from the files of inputs. Refuses a registered operation without a row.
golden_status golden_corpora_list(const golden_settings *settings, golden_names *names, golden_error *error);
// Checks golden/SHA256SUMS: every corpus, file of inputs and bounds.tsv, nothing else. What changed, is gone or is not listed is
// named in `lines`; GOLDEN_REFUSED then too. Of a corpus that `results` made again byte for byte, the list's line is what changed.
golden_status golden_sums_check(const golden_settings *settings, const golden_results *results, golden_text *lines,
                                golden_error *error);
golden_status golden_sums_write(const golden_settings *settings, golden_error *error);
// "<directory>/<folder>/<name><ending>"; release with free; null when memory is short.
char *golden_path(const golden_settings *settings, const char *folder, const char *name, const char *ending);

#endif
