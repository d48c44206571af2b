// SPDX-License-Identifier: Apache-2.0
// Sweeps: random valid rows for `cupel golden --sweep`. A drawn row is text in the form of the inputs files, so that a failing one
// can be kept there as it is.
#ifndef GOLDEN_SWEEP_H
#define GOLDEN_SWEEP_H

#include "../golden.h"
#include "../lib/text.h"

// One function for each line of golden/operations: golden_draw_<module>_<name>. It appends the arguments, " key=value" each.
typedef void golden_drawer(golden_random *random, golden_dtype dtype, golden_text *arguments);
#define GOLDEN_OPERATION(module, name, dtypes) golden_drawer golden_draw_##module##_##name;
#include "../operations/operations.def"

// Appends the whole row "<id> <operation> key=value...\n" of the operation with this index.
void golden_draw_row(size_t operation, const char *id, golden_random *random, golden_dtype dtype, golden_text *row);

// ---- Help for drawers --------------------------------------------------------------------------------------------------------

// " key=<token>"
void golden_draw_value(golden_text *arguments, const char *key, golden_value value);
// " key=spread(count,seed,low,high)" with a fresh seed
void golden_draw_spread(golden_text *arguments, const char *key, golden_random *random, uint64_t count, int64_t low, int64_t high);

#endif
