// SPDX-License-Identifier: Apache-2.0
// Recipes: arrays made from a few integers, the same on every machine. docs/golden.md lists them.
#ifndef GOLDEN_RECIPE_H
#define GOLDEN_RECIPE_H

#include "../golden.h"

// Makes the array that `text`, "name(count,...)", describes.
golden_status golden_recipe_make(const char *text, golden_dtype dtype, golden_array *array, golden_error *error);

// +-1.f * 2^exponent with a random fraction; exponents below the normal range give subnormals.
golden_value golden_random_real(golden_random *random, golden_dtype dtype, int64_t exponent_low, int64_t exponent_high,
                                bool positive);
// The value of an integer; false when the dtype cannot hold it exactly.
bool golden_value_of_integer(int64_t integer, golden_dtype dtype, golden_value *value);

#endif
