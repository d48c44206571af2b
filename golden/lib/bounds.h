// SPDX-License-Identifier: Apache-2.0
// golden/bounds.tsv: the one place for every error bound, each with the formula that gives its number.
#ifndef GOLDEN_BOUNDS_H
#define GOLDEN_BOUNDS_H

#include "../golden.h"

// How a row's bound comes from the table's number, in units in the last place (ulp) of the dtype at the truth.
typedef enum golden_rule {
    GOLDEN_RULE_EXACT,  // 0: the answer is the truth
    GOLDEN_RULE_ULP,    // number
    GOLDEN_RULE_SCALED, // number * scale / ulp: `scale` is a quantity of the row that the oracle computes
    GOLDEN_RULE_ROUNDED // 1/2 + number * scale / ulp: one last rounding of a quantity that carries the scaled error
} golden_rule;

typedef struct golden_bound {
    char *operation;
    golden_dtype dtype;
    char *output; // a label, a beginning of labels followed by "*", or "*"
    golden_rule rule;
    double number;
    char *derivation; // golden/lib/formula.h
    char *meaning;    // in words: what the formula counts and what the scale is
} golden_bound;

typedef struct golden_bounds {
    size_t count;
    golden_bound *rows;
} golden_bounds;

void golden_bounds_free(golden_bounds *bounds);
const char *golden_rule_name(golden_rule rule);
// Strict: sorted by operation, dtype, output; every number must equal its derivation.
golden_status golden_bounds_parse(const char *name, const char *data, size_t bytes, golden_bounds *bounds, golden_error *error);
golden_status golden_bounds_read(const char *path, golden_bounds *bounds, golden_error *error);
// The most specific row for an output (`label` as in its id; "" for a single output). Null when the table has none.
const golden_bound *golden_bounds_find(const golden_bounds *bounds, const char *operation, golden_dtype dtype, const char *label);

#endif
