// SPDX-License-Identifier: Apache-2.0
// Writes JUnit that every reader takes: always well formed, whatever the names and messages are.
#ifndef CUPEL_JUNIT_WRITER_H
#define CUPEL_JUNIT_WRITER_H

#include "junit.h"

#include <stdio.h>

// Bytes of a message and of a text that are written; what is longer ends in "[cut]".
enum { CUPEL_JUNIT_WRITE_MESSAGE = 2048, CUPEL_JUNIT_WRITE_TEXT = 65536 };

// Writes text as XML character data or attribute value: markup is escaped, a line end or tab in an attribute becomes a space, other
// control characters, bytes that are not UTF-8 and code points that XML does not allow become '?'.
void cupel_xml_write_value(FILE *out, const char *text, size_t limit);
void cupel_xml_write_text(FILE *out, const char *text, size_t limit);

typedef struct cupel_junit_property {
    const char *name;
    const char *value;
} cupel_junit_property;

// <testsuites>, then any number of suites, then the end. The caller checks ferror.
void cupel_junit_write_begin(FILE *out, const char *name, const cupel_junit_counts *totals);
void cupel_junit_write_suite_begin(FILE *out, const char *name, const cupel_junit_counts *counts, double seconds,
                                   const cupel_junit_property *properties, size_t property_count);
// Writes classname, name, time, properties, the outcome with message and text. suite, line and retried are not written.
void cupel_junit_write_case(FILE *out, const cupel_junit_case *current, const cupel_junit_property *properties,
                            size_t property_count);
void cupel_junit_write_suite_end(FILE *out);
void cupel_junit_write_end(FILE *out);

#endif
