// SPDX-License-Identifier: Apache-2.0
// Second half of the JUnit source: a lexer of XML's outermost form that drops text beyond the caps. Internal to the JUnit reader.
//
// It never turns a malformed document into a well-formed one: what is dropped are characters that could not end the text, and
// references that every XML document may use.
#ifndef CUPEL_JUNIT_FILTER_H
#define CUPEL_JUNIT_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#define CUPEL_FILTER_TEXT_CAP (((size_t)1 << 20) + 64)  // bytes of text between two tags
#define CUPEL_FILTER_VALUE_CAP (((size_t)1 << 16) + 64) // bytes of an attribute value
#define CUPEL_FILTER_PIECE ((size_t)1 << 15)            // bytes of a CDATA section: the push parser rescans longer ones

// Where line ends were dropped: `line` of the filtered stream and how many up to and with this place.
typedef struct cupel_junit_drop {
    size_t line;
    size_t dropped;
} cupel_junit_drop;

// Starts as {0}.
typedef struct cupel_junit_filter {
    int state;
    char token[16]; // a markup or a reference that is being recognised
    size_t token_length;
    char quote;
    size_t owed;    // line ends of white space that was left out, to be written inside the next tag
    bool tag_start; // nothing of the tag was seen yet
    bool closing;   // it is an end tag
    char last;      // the last byte of the tag before now
    long depth;     // elements open
    size_t length;  // bytes of the text or value so far
    size_t piece;   // bytes of the CDATA section so far
    size_t run;     // bytes in a row, before now, that could be part of a reference; or of what may end a state
    bool begun;     // a "<" was passed on: white space before the first one stays, since it may make the declaration a fault
    bool dropping;
    size_t dropped;   // line ends dropped so far
    bool declaration; // a document type or other declaration began; nothing of it was passed on
    bool lost;        // memory ran out
    cupel_junit_drop *drops;
    size_t drop_count;
    size_t drop_capacity;
} cupel_junit_filter;

// White space that stands alone between two tags is left out, since it makes half of the nodes of a report; its line ends move into
// the next tag, where they mean nothing and keep the parser's line numbers right. At most so many are owed.
enum { CUPEL_FILTER_OWED = 32 };

// Room that `out` needs for `length` bytes of input.
#define CUPEL_FILTER_ROOM(length) ((length) + (length) / 1024 + 128)

// Filters a piece whose first byte stands on line `first_line` of the file. Returns how many bytes were written to `out`.
size_t cupel_junit_filter_apply(cupel_junit_filter *filter, const char *bytes, size_t length, size_t first_line, char *out);

// True when a document may end here, as far as the lexer knows: outside of markup, with no element open.
bool cupel_junit_filter_complete(const cupel_junit_filter *filter);

// Makes room for one more place where text is dropped. False, with filter->lost set, when memory ran out or there are too many.
bool cupel_junit_drops_grow(cupel_junit_filter *filter);
// The line of the file for a line of the filtered stream.
size_t cupel_junit_drops_line(const cupel_junit_drop *drops, size_t count, size_t line);

void cupel_junit_filter_free(cupel_junit_filter *filter);

#endif
