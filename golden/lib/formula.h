// SPDX-License-Identifier: Apache-2.0
// Derivations of bounds: formulas in a tiny grammar, so that every number in bounds.tsv can be recomputed.
//
//   derivation = sum { ";" name "=" sum }          names are defined after the formula that uses them
//   sum = product { ("+"|"-") product }   product = power { ("*"|"/") power }   power = atom [ "^" integer ]
//   atom = integer | hexadecimal real | name | "(" sum ")" | "-" atom
// Spaces may stand between tokens. Arithmetic is binary64, left to right.
#ifndef GOLDEN_FORMULA_H
#define GOLDEN_FORMULA_H

#include "../golden.h"

// false when the text is not a derivation or a name has no definition
bool golden_formula_evaluate(const char *text, double *result);

#endif
