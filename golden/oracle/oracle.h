// SPDX-License-Identifier: Apache-2.0
// The oracle: truth in MPFR, written from the equations with explicit loops. Nothing of src/core is included here; only the row
// format (golden.h) is shared. docs/golden.md says what a truth is and how an operation is added.
#ifndef ORACLE_H
#define ORACLE_H

#include "../golden.h"

#include <mpfr.h>

// Truth of one output. Set it with the oracle_set_ functions.
typedef struct oracle_truth {
    bool known;        // false: a bulk row's output that the oracle does not replay
    bool is_integer;   // `integer` holds it; else `value`
    bool exact;        // `value` is the truth itself; else it is settled to ORACLE_BITS
    bool has_required; // `required` are the very bits that the documented sequence of roundings gives
    bool live;         // value and scale are initialised
    int64_t integer;
    mpfr_t value;
    mpfr_t scale; // absolute scale of the rules `scaled` and `rounded`; 0 unless set
    golden_value required;
} oracle_truth;

typedef struct oracle_truths {
    size_t count; // = the answer's
    oracle_truth *at;
} oracle_truths;

// The truth of non-algebraic results is known to this many bits or refused; the truth column shows as many.
enum { ORACLE_BITS = 160 };

// One function for each line of golden/operations: oracle_<module>_<name>. It first checks that the answer has the outputs that
// the row asks for (oracle_expect), reads the row's arguments, and sets every truth. The answer's values may be read only where
// the operation records decisions that truth must follow.
typedef golden_status oracle_function(const golden_row *row, const golden_answer *answer, oracle_truths *truths,
                                      golden_error *error);
#define GOLDEN_OPERATION(module, name, dtypes) oracle_function oracle_##module##_##name;
#include "../operations/operations.def"

// Refuses an answer that has not exactly `count` outputs; `labels` (null: numbered) names them in order.
golden_status oracle_expect(const golden_row *row, const golden_answer *answer, size_t count, const char *const *labels,
                            golden_error *error);

// Copies `value` whole: exact truth keeps all its bits. NaN and infinities are truths too.
void oracle_set_exact(oracle_truths *truths, size_t output, const mpfr_t value);
void oracle_set_settled(oracle_truths *truths, size_t output, const mpfr_t value);
void oracle_set_integer(oracle_truths *truths, size_t output, int64_t value);
void oracle_set_scale(oracle_truths *truths, size_t output, const mpfr_t scale);
void oracle_require(oracle_truths *truths, size_t output, golden_value value);

// ---- Numbers -----------------------------------------------------------------------------------------------------------------

// Precision, exponent range and unit of a real dtype.
typedef struct oracle_format {
    mpfr_prec_t precision; // 24 or 53
    mpfr_exp_t least;      // exponent of the least normal: -126 or -1022
    mpfr_exp_t largest;    // exponent of the largest finite: 127 or 1023
} oracle_format;

const oracle_format *oracle_format_of(golden_dtype dtype);
// Sets `result` (any precision of at least 64 bits) to the value of one element, exactly.
void oracle_load(mpfr_t result, golden_value value);
void oracle_load_double(mpfr_t result, double value);
// The nearest value of the dtype, ties to even, subnormals and overflow included, rounded once. A NaN has the canonical bits.
golden_value oracle_round(const mpfr_t value, golden_dtype dtype);
// The same as a number: `result` has the format's precision. true when nothing was lost.
bool oracle_round_to(mpfr_t result, const mpfr_t value, golden_dtype dtype);
// The bits of a number that is a value of the dtype already.
golden_value oracle_value_of(const mpfr_t rounded, golden_dtype dtype);
// result = the unit in the last place of the dtype at `value` (that of the least normal below it; of 0 too).
void oracle_ulp(mpfr_t result, const mpfr_t value, golden_dtype dtype);

// ---- Truth that is not algebraic ---------------------------------------------------------------------------------------------

// Evaluates the equation with all its intermediates at `precision` bits.
typedef golden_status oracle_formula(mpfr_t result, mpfr_prec_t precision, const void *context, golden_error *error);
// Evaluates at two precisions and raises both until ORACLE_BITS agree; refuses the row when 16384 bits are not enough.
// `truth` gets the higher one. A NaN or an infinity must come out at both, a zero at 16384 bits as well.
golden_status oracle_settle(oracle_formula *formula, const void *context, mpfr_t truth, golden_error *error);

#endif
