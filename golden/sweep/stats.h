// SPDX-License-Identifier: Apache-2.0
// Help that the sweeps of the module stats share.
#ifndef GOLDEN_SWEEP_STATS_H
#define GOLDEN_SWEEP_STATS_H

#include "sweep.h"

// A value of the dtype, uniform in the exponent from low to high; its negative half of the time.
double golden_stats_positive(golden_random *random, golden_dtype dtype, int64_t low, int64_t high);
double golden_stats_signed(golden_random *random, golden_dtype dtype, int64_t low, int64_t high);
double golden_stats_narrow(golden_dtype dtype, double value);                                      // rounded to the dtype
void golden_stats_real(golden_text *arguments, golden_dtype dtype, const char *key, double value); // " key=<token>"

// How the datum is observed. Puts the argument, and the output that has no answer when it is censored (null: none).
typedef enum golden_stats_kind { GOLDEN_OBSERVED, GOLDEN_LEFT, GOLDEN_RIGHT, GOLDEN_INTERVAL } golden_stats_kind;
golden_stats_kind golden_stats_draw_kind(golden_random *random, golden_text *arguments, const char *unsupported);

#endif
