// SPDX-License-Identifier: Apache-2.0
// First half of the JUnit source: are these bytes UTF-8 text that XML allows? Internal to the JUnit reader.
#ifndef CUPEL_JUNIT_BYTES_H
#define CUPEL_JUNIT_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Position within a stream that arrives in pieces. Starts as {.line = 1}.
typedef struct cupel_junit_position {
    uint64_t offset; // bytes before this one
    size_t line;
    bool ascii_only;          // the declared encoding allows no more
    unsigned char partial[4]; // a character that the last piece ended in
    size_t partial_length;
} cupel_junit_position;

typedef enum cupel_junit_byte_fault { CUPEL_BYTES_GOOD, CUPEL_BYTES_NOT_ALLOWED, CUPEL_BYTES_NOT_UTF8 } cupel_junit_byte_fault;

// Checks the next piece and moves the position behind it, or to the character at fault.
cupel_junit_byte_fault cupel_junit_bytes_check(cupel_junit_position *position, const unsigned char *bytes, size_t length);

// True when the stream may end here.
bool cupel_junit_bytes_complete(const cupel_junit_position *position);

// The encoding that the first bytes of a file show or declare, when it is not one whose bytes are UTF-8: its name is written to
// `name`. False when it is. *ascii_only is set when the declaration allows ASCII alone.
bool cupel_junit_foreign_encoding(const unsigned char *bytes, size_t length, char name[40], bool *ascii_only);

#endif
