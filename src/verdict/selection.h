// SPDX-License-Identifier: Apache-2.0
// Which ctest command lines may lead to a verdict: those that select a whole profile.
#ifndef CUPEL_SELECTION_H
#define CUPEL_SELECTION_H

#include <stdbool.h>
#include <stddef.h>

typedef enum cupel_selection {
    CUPEL_SELECTION_WHOLE,   // whole profiles, each once
    CUPEL_SELECTION_PARTIAL, // reason code selection-partial
    CUPEL_SELECTION_REPEATED // reason code repeat-forbidden
} cupel_selection;

// Whole when the command line can only select whole profiles: at most one -L, nothing that drops, repeats or narrows, and no word
// that ctest does not know (it ignores those in silence). Otherwise `reason` gets a sentence that names the word.
cupel_selection cupel_selection_judge(int count, char *const *words, char *reason, size_t size);
// The same as true or false.
bool cupel_selection_check(int count, char *const *words, char *reason, size_t size);

#endif
