// SPDX-License-Identifier: Apache-2.0
// Corpora: golden/corpora/<module>.<dtype>.golden in its one canonical byte form (docs/golden.md).
#ifndef GOLDEN_CORPUS_H
#define GOLDEN_CORPUS_H

#include "text.h"

// One line. Tokens are canonical; `truth`, `error` and `bound` are "-" for the hash of a bulk row that the oracle samples only.
typedef struct golden_corpus_row {
    char *id;
    char *answer;
    char *truth;
    char *error; // |answer - truth| in units in the last place of the dtype at the truth, rounded up
    char *bound; // in the same unit, rounded down
} golden_corpus_row;

typedef struct golden_corpus {
    char *name; // "linalg.f64"
    golden_dtype dtype;
    size_t count, capacity;
    golden_corpus_row *rows;
} golden_corpus;

void golden_corpus_free(golden_corpus *corpus);
// Adds a row; takes copies.
golden_status golden_corpus_add(golden_corpus *corpus, const char *id, const char *answer, const char *truth,
                                const char *error_token, const char *bound, golden_error *error);
// Sorts by id and appends the canonical bytes. Refuses a duplicate id.
golden_status golden_corpus_format(golden_corpus *corpus, golden_text *text, golden_error *error);
// Strict: what golden_corpus_format would not have written is refused with line and reason. A NaN is refused unless
// `nan_allowed` says so (null: nowhere).
typedef bool golden_nan_allowed(const char *id, void *context);
golden_status golden_corpus_parse(const char *name, const char *data, size_t bytes, golden_nan_allowed *nan_allowed, void *context,
                                  golden_corpus *corpus, golden_error *error);
// null when there is no such id
const golden_corpus_row *golden_corpus_find(const golden_corpus *corpus, const char *id);

#endif
