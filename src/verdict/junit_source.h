// SPDX-License-Identifier: Apache-2.0
// The bytes of a report on their way from one descriptor into the XML parser. Internal to the JUnit reader.
//
// On the way every byte is hashed, counted against the size limit and checked to be a character that XML allows, in UTF-8. Text
// and attribute values beyond their caps are dropped, so that one huge log cannot exhaust memory or hide what follows it; long
// CDATA sections reach the parser in pieces. A document type declaration stops the source before the parser sees it.
#ifndef CUPEL_JUNIT_SOURCE_H
#define CUPEL_JUNIT_SOURCE_H

#include "file.h"
#include "reasons.h"

typedef struct cupel_junit_source cupel_junit_source;

// Starts reading `fd`. Null when memory ran out. Release with cupel_junit_source_free.
cupel_junit_source *cupel_junit_source_new(int fd, uint64_t max_bytes);
void cupel_junit_source_free(cupel_junit_source *source);

// Fills `buffer` with at most `capacity` bytes for the parser. 0 at the end, -1 when the source has a fault.
int cupel_junit_source_read(void *source, char *buffer, int capacity);

typedef struct cupel_junit_source_fault {
    bool found;
    cupel_reason reason;
    char text[160];
} cupel_junit_source_fault;

// True when the source ended with a fault, and everything before it was handed out.
bool cupel_junit_source_fault_get(cupel_junit_source *source, cupel_junit_source_fault *fault);

// True when everything was handed out and the document may not end there: in the middle of markup, or with an element open.
bool cupel_junit_source_cut_short(const cupel_junit_source *source);

// The line of the file for a line that the parser counted: text that was dropped had lines too.
size_t cupel_junit_source_line(const cupel_junit_source *source, size_t parser_line);

// Bytes of the file; known when all of it was handed out.
uint64_t cupel_junit_source_bytes(const cupel_junit_source *source);
// False when hashing failed. Call once, at the end.
bool cupel_junit_source_sha256(cupel_junit_source *source, char hex[CUPEL_SHA256_HEX]);

#endif
