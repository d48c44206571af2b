// SPDX-License-Identifier: Apache-2.0
// Writes JUnit that every reader takes: always well formed, whatever the names and messages are.
#ifndef CUPEL_JUNIT_WRITER_H
#define CUPEL_JUNIT_WRITER_H

#include "junit.h"

#include <stdio.h>

// Writes text as XML character data or attribute value: markup is escaped, control characters become spaces, bytes that are not
// UTF-8 and code points that XML does not allow become '?'. At most `limit` bytes of text are written; then comes "[cut]".
void cupel_xml_write_text(FILE *out, const char *text, size_t limit);

typedef struct cupel_junit_property {
    const char *name;
    const char *value;
} cupel_junit_property;

void cupel_junit_write_begin(FILE *out, const char *name, const cupel_junit_counts *totals);
void cupel_junit_write_suite_begin(FILE *out, const char *name, const cupel_junit_counts *counts, double seconds,
                                   const cupel_junit_property *properties, size_t property_count);
// `current->suite` and `line` are not written.
void cupel_junit_write_case(FILE *out, const cupel_junit_case *current);
void cupel_junit_write_suite_end(FILE *out);
void cupel_junit_write_end(FILE *out);

#endif
