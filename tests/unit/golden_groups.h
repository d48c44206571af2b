// SPDX-License-Identifier: Apache-2.0
// Rows of the committed corpora in groups, each of which must use its bounds. A group is one output (the value, each component of a
// gradient, the elements of an array) of one operation, dtype and kind: observed or censored in one of three ways; and, where asked
// for, of one class of rows.
#ifndef GOLDEN_GROUPS_H
#define GOLDEN_GROUPS_H

#include "lib/corpus.h"

typedef struct golden_group {
    golden_dtype dtype;
    char operation[64], kind[16], class[32], output[32]; // "-": the operation has no kinds or classes, or the elements
    size_t rows;                                         // that can show an error
    bool inexact;                                        // a bound is above 0
    double use;                                          // largest error / bound
    char id[128];                                        // of the row that has it; empty where no answer is a normal number
} golden_group;

enum { GOLDEN_GROUPS = 2048 };
typedef struct golden_groups {
    size_t count;
    golden_group at[GOLDEN_GROUPS];
} golden_groups;

// The class of a row into `class` (32 bytes), by what decides how its answer is computed.
typedef void golden_classify(const golden_row *row, char *class);
void golden_classify_finely(const golden_row *row, char *class);
// The same, but one class for operations whose documented order of roundings the oracle replays: it holds each of their bits,
// whatever the bound allows.
void golden_classify_bounded(const golden_row *row, char *class);

golden_group *golden_group_find(golden_groups *groups, const golden_row *row, golden_classify *classify, const char *id);
void golden_group_add(golden_group *group, const golden_corpus_row *line);
// Adds the committed corpus of a module and dtype; of all of them (returns how many).
void golden_groups_add(golden_groups *groups, const char *module, golden_dtype dtype, golden_classify *classify);
size_t golden_groups_add_all(golden_groups *groups, golden_classify *classify);
// A bound or an error as a number; 0 for "-".
double golden_measure(const char *token);

#endif
