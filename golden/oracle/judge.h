// SPDX-License-Identifier: Apache-2.0
// From a truth and an answer to the columns of a corpus row.
#ifndef ORACLE_JUDGE_H
#define ORACLE_JUDGE_H

#include "../lib/bounds.h"
#include "oracle.h"

typedef struct oracle_judgement {
    char truth[GOLDEN_TOKEN_BYTES];
    char error[GOLDEN_TOKEN_BYTES];
    char bound[GOLDEN_TOKEN_BYTES];
} oracle_judgement;

// GOLDEN_DIFFERS when the error exceeds the bound (accepting form), a required bit or the sign of a zero differs;
// GOLDEN_REFUSED when the truth lies too near to a rounding midpoint. The columns are filled for OK and DIFFERS.
golden_status oracle_judge(const char *id, golden_value answer, const oracle_truth *truth, const golden_bound *bound,
                           oracle_judgement *judgement, golden_error *error);

// The canonical text of a number, rounded to nearest at ORACLE_BITS bits.
void oracle_format_wide(const mpfr_t value, char *text);

#endif
