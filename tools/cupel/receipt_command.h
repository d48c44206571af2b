// SPDX-License-Identifier: Apache-2.0
// The verbs of `cupel receipt`. Each is one file receipt_<verb>.c and returns the exit status.
#ifndef CUPEL_RECEIPT_COMMAND_H
#define CUPEL_RECEIPT_COMMAND_H

#include "reasons.h"

#include <jansson.h>
#include <stdbool.h>

typedef struct cupel_receipt_options {
    const char *commit;
    const char *source;
    const char *device;
    const char *output;
    const char *key;
    const char *role;
    const char *allowed_signers;
    bool as_json;
} cupel_receipt_options;

int cupel_receipt_check(const cupel_receipt_options *chosen, int count, char **directories);
int cupel_receipt_show(const cupel_receipt_options *chosen, int count, char **directories);
int cupel_receipt_diff(const cupel_receipt_options *chosen, int count, char **directories);
int cupel_receipt_matrix(const cupel_receipt_options *chosen, int count, char **directories);
int cupel_receipt_publish(const cupel_receipt_options *chosen, int count, char **directories);
int cupel_receipt_sign(const cupel_receipt_options *chosen, int count, char **directories);
int cupel_receipt_verify(const cupel_receipt_options *chosen, int count, char **directories);

// The table of the commands that were recorded beside the runs of the attempts, if any was (receipt_matrix_steps.c).
void cupel_receipt_print_steps(const json_t *const *receipts, const char *const *directories, size_t count);

// Cupel's own members of a receipt, null when it has none.
const json_t *cupel_receipt_own(const json_t *receipt);
// True when a check found exactly the reasons that the receipt itself has: it is the receipt of these files, be it a PASS or not.
bool cupel_receipt_is_own(const json_t *receipt, const cupel_findings *findings);
// The text at a path of member names ended by a null pointer, "" when there is none.
const char *cupel_receipt_text(const json_t *object, ...) __attribute__((sentinel));
// In words, whether the attempt built what it ran.
const char *cupel_receipt_build(const json_t *own);
// Prints the compiler that built the host's part and, of a device's toolkit, its release: a changed toolkit is another lane.
void cupel_receipt_print_toolchain(const json_t *own);

#endif
