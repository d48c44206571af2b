// SPDX-License-Identifier: Apache-2.0
// Growing text, whole-file reading and strict line walking: what the readers and writers of golden files share.
#ifndef GOLDEN_TEXT_H
#define GOLDEN_TEXT_H

#include "../golden.h"

// Text that grows. `failed` is set when memory was short; text_append then does nothing, so one check at the end is enough.
typedef struct golden_text {
    char *data; // zero-terminated once something was appended
    size_t length, capacity;
    bool failed;
} golden_text;

void golden_text_append(golden_text *text, const char *bytes, size_t length);
void golden_text_puts(golden_text *text, const char *string);
// printf rules; never for floating-point values.
void golden_text_printf(golden_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void golden_text_free(golden_text *text);

// Ends the sentence with what to do next: its last point becomes "; <advice>". An error without a sentence stays so.
void golden_error_advise(golden_error *error, const char *advice);

// Copies of strings; null when memory is short.
char *golden_copy(const char *string);
char *golden_copy_range(const char *begin, size_t length);

// Reads a whole file. `*data` is zero-terminated and released with free.
golden_status golden_file_read(const char *path, char **data, size_t *bytes, golden_error *error);
// Writes by a temporary file beside it and rename: a reader sees the old file or the whole new one.
golden_status golden_file_write(const char *path, const char *data, size_t bytes, golden_error *error);
// 64 lower-case hexadecimal digits and a zero.
golden_status golden_sha256(const void *data, size_t bytes, char hex[65], golden_error *error);

// Refuses what no golden text file may be: empty, a byte-order mark, a large-file pointer, CR anywhere, NUL, no final line end.
golden_status golden_text_check(const char *name, const char *data, size_t bytes, golden_error *error);

// Walks the lines of checked text. `line` is not zero-terminated.
typedef struct golden_lines {
    const char *next, *end;
    const char *line;
    size_t length;
    size_t number; // of `line`, from 1
} golden_lines;

void golden_lines_start(golden_lines *lines, const char *data, size_t bytes);
bool golden_lines_next(golden_lines *lines);
bool golden_line_is(const golden_lines *lines, const char *text);
bool golden_line_starts(const golden_lines *lines, const char *text);

#endif
