// SPDX-License-Identifier: Apache-2.0
// The parts of the suite rng.
#ifndef SUITE_RNG_H
#define SUITE_RNG_H

#include "cupel.h"

extern const cupel_table rng_golden_table;
extern const cupel_table rng_normal_table;
extern const cupel_table rng_uniform_table;
extern const cupel_table rng_words_table;

#endif
