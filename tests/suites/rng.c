// SPDX-License-Identifier: Apache-2.0
// The suite rng: addressed random numbers (nc_rng.h).
#include "rng.h"

static const cupel_table *const tables[] = {&rng_words_table, &rng_uniform_table, &rng_normal_table, &rng_golden_table};

const cupel_suite cupel_this_suite = CUPEL_SUITE("rng", tables);
