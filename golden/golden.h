// SPDX-License-Identifier: Apache-2.0
// Golden corpora: rows of inputs, answers of the CPU reference, truth of the oracle. docs/golden.md describes the files.
//
// This header and golden/lib include nothing of src/core: the oracle shares them with the program that asks the core.
// To add an operation: one line in golden/operations/<module>.def, `golden_answer_<module>_<name>` in golden/answers/<module>.c,
// `oracle_<module>_<name>` in golden/oracle/<module>.c, `golden_draw_<module>_<name>` in golden/sweep/<module>.c, a row in
// golden/bounds.tsv, rows in golden/inputs/<module>.<dtype>.inputs, then `cupel golden --write`.
//
// Numbers travel as bits. Text becomes bits, and bits become text, by integer arithmetic only: no locale, no libc conversion.
#ifndef GOLDEN_H
#define GOLDEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The values are the exit statuses of `cupel golden`.
typedef enum golden_status {
    GOLDEN_OK = 0,
    GOLDEN_DIFFERS = 1, // a well-formed value differs, or an error exceeds its bound
    GOLDEN_NOT_RUN = 2, // the oracle or the device is missing
    GOLDEN_REFUSED = 3  // a file or row is malformed, incomplete or unknown
} golden_status;

// The sentence of the first failure. It names the file or row, the value and the next step.
typedef struct golden_error {
    char text[1024];
} golden_error;

// Stores the sentence and returns `status`. printf rules; never for floating-point values (golden_format_* makes their text).
golden_status golden_fail(golden_error *error, golden_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

typedef enum golden_dtype {
    GOLDEN_F32 = 1,
    GOLDEN_F64 = 2,
    GOLDEN_I64 = 3,
    GOLDEN_U32 = 4,
    GOLDEN_U8 = 5,
    GOLDEN_I32 = 6
} golden_dtype;

const char *golden_dtype_name(golden_dtype dtype);
// false when no dtype has this name
bool golden_dtype_of_name(const char *name, golden_dtype *dtype);
size_t golden_dtype_size(golden_dtype dtype);
bool golden_dtype_is_real(golden_dtype dtype);

// ---- Values --------------------------------------------------------------------------------------------------------------

// One element. `bits`: the IEEE bits of f32 (low half) and f64; the two's complement value of an integer dtype.
typedef struct golden_value {
    golden_dtype dtype;
    uint64_t bits;
} golden_value;

enum { GOLDEN_TOKEN_BYTES = 128, GOLDEN_LABEL_BYTES = 32 };

// Canonical text of a value: hexadecimal, normalised, lower case, no trailing zeros ("0x1.8p+0", "-0x0p+0", "0x1p-1074"),
// "inf", "-inf", "nan"; integers in decimal. `text` holds GOLDEN_TOKEN_BYTES.
void golden_format(golden_value value, char *text);
// The same value in decimal with 17 (f64) or 9 (f32) significant digits, correctly rounded, for people.
void golden_format_decimal(golden_value value, char *text);
// Reads one canonical token of `dtype`; false for any other text, also for a number that the dtype cannot hold exactly.
bool golden_parse(const char *text, golden_dtype dtype, golden_value *value);
bool golden_is_nan(golden_value value);
// Steps between two values on the ordered line of the dtype (-0 and +0 are one step apart); UINT64_MAX when one is NaN.
uint64_t golden_ulp_distance(golden_value a, golden_value b);

double golden_double_of_bits(uint64_t bits);
uint64_t golden_bits_of_double(double value);

// A contiguous array of one dtype, little-endian elements as the core takes them. Release with golden_array_free.
typedef struct golden_array {
    golden_dtype dtype;
    size_t count;
    unsigned char *bytes;
} golden_array;

void golden_array_free(golden_array *array);
golden_value golden_array_at(const golden_array *array, size_t index);
void golden_array_set(golden_array *array, size_t index, golden_value value);
golden_status golden_array_alloc(golden_dtype dtype, size_t count, golden_array *array, golden_error *error);

// ---- Rows of inputs ------------------------------------------------------------------------------------------------------

typedef struct golden_argument {
    char *key;
    char *value;
} golden_argument;

// One row: id, operation ("linalg.sum"), arguments. dtype is the file's real type (or u32 for words).
typedef struct golden_row {
    char *id;
    char *operation;
    golden_dtype dtype;
    size_t line; // in its file, for messages
    size_t count;
    golden_argument *arguments;
} golden_row;

typedef struct golden_inputs {
    char *module; // file golden/inputs/<module>.<dtype>.inputs
    golden_dtype dtype;
    size_t count;
    golden_row *rows;
} golden_inputs;

// Reads a whole file strictly; every row's operation must be registered for the dtype.
golden_status golden_inputs_read(const char *path, golden_inputs *inputs, golden_error *error);
// The same from text in memory; `name` stands for the path in messages.
golden_status golden_inputs_parse(const char *name, const char *text, size_t bytes, golden_inputs *inputs, golden_error *error);
void golden_inputs_free(golden_inputs *inputs);
// The row as it stands in its file, without a line end. Release with free; null when memory is short.
char *golden_row_text(const golden_row *row);

// Arguments. A missing or malformed argument is GOLDEN_REFUSED and names row and key.
bool golden_row_has(const golden_row *row, const char *key);
golden_status golden_row_string(const golden_row *row, const char *key, const char **value, golden_error *error);
golden_status golden_row_integer(const golden_row *row, const char *key, int64_t *value, golden_error *error);
golden_status golden_row_unsigned(const golden_row *row, const char *key, uint64_t *value, golden_error *error); // decimal or 0x
golden_status golden_row_real(const golden_row *row, const char *key, double *value, golden_error *error);       // any binary64
// A list "[a,b,c]" of tokens or a recipe "name(count,seed,...)" (golden/lib/recipe.c). Release with golden_array_free.
golden_status golden_row_array(const golden_row *row, const char *key, golden_dtype dtype, golden_array *array,
                               golden_error *error);
// An n x n matrix, row by row: the argument a, or symmetric from `lower` (strict lower triangle, row by row) and `diagonal`.
golden_status golden_row_matrix(const golden_row *row, int64_t n, golden_array *matrix, golden_error *error);

// ---- Answers -------------------------------------------------------------------------------------------------------------

// Outputs of one row in the operation's own order. An empty label stands for the output's number.
typedef struct golden_output {
    golden_value value;
    char label[GOLDEN_LABEL_BYTES];
} golden_output;

typedef struct golden_answer {
    size_t count, capacity;
    golden_output *outputs;
} golden_answer;

void golden_answer_free(golden_answer *answer);
// Labels: [a-z0-9_.-], unique in a row; null or "" for numbered outputs.
golden_status golden_answer_add(golden_answer *answer, const char *label, golden_value value, golden_error *error);
golden_status golden_answer_add_array(golden_answer *answer, const golden_array *array, golden_error *error);

// The output's row id: "<row>" for a single unlabelled output, else "<row>/<label or number>"; numbers are padded with zeros
// to the width of the largest. Release with free.
char *golden_output_id(const golden_row *row, const golden_answer *answer, size_t output);
// A bulk row has the argument sample=[i,j,...]: its corpus holds "<row>/sha256" (the canonical bytes of all outputs: elements in
// order, little-endian) and only the outputs sampled.
bool golden_row_is_bulk(const golden_row *row);
golden_status golden_row_samples(const golden_row *row, const golden_answer *answer, bool *sampled, golden_error *error);
// "sha256:<64 hex digits>" of the outputs' canonical bytes; `text` holds GOLDEN_TOKEN_BYTES.
golden_status golden_answer_hash(const golden_answer *answer, char *text, golden_error *error);
// true when the row declares that the output with this label may be NaN: expect_nan=all or expect_nan=[label or number,...].
// A single unlabelled output has the label "0".
bool golden_row_expects_nan(const golden_row *row, const char *label);
// The output's label as its id shows it; "0" for a single unlabelled one. `label` holds GOLDEN_LABEL_BYTES.
void golden_output_label(const golden_answer *answer, size_t output, char *label);

// ---- Operations ----------------------------------------------------------------------------------------------------------

typedef struct golden_operation {
    const char *module;
    const char *name;
    const char *title;   // "linalg.sum"
    unsigned int dtypes; // bit 1u << golden_dtype
} golden_operation;

size_t golden_operation_count(void);
const golden_operation *golden_operation_at(size_t index);
const golden_operation *golden_operation_find(const char *title); // null when unknown
size_t golden_operation_index(const golden_operation *operation);

// ---- Random integers of recipes and sweeps -----------------------------------------------------------------------------------

// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014, doi:10.1145/2660193.2660195): the recipe's own generator, unrelated to Philox.
typedef struct golden_random {
    uint64_t state;
} golden_random;

uint64_t golden_random_next(golden_random *random);
uint64_t golden_random_below(golden_random *random, uint64_t limit);             // 0 .. limit-1, limit > 0
int64_t golden_random_between(golden_random *random, int64_t low, int64_t high); // both included

#endif
