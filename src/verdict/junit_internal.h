// SPDX-License-Identifier: Apache-2.0
// The state of one JUnit reading, shared by the parts of the reader: junit.c walks the document, junit_suite.c and junit_case.c
// keep what belongs to the open suites and to the open case.
#ifndef CUPEL_JUNIT_INTERNAL_H
#define CUPEL_JUNIT_INTERNAL_H

#include "junit.h"
#include "junit_counts.h"
#include "junit_seen.h"
#include "junit_source.h"

// Text that grows up to a cap; the rest is dropped and marked.
typedef struct cupel_junit_text {
    char *bytes; // zero-terminated, null until something was stored
    size_t length;
    size_t capacity;
    bool cut;
} cupel_junit_text;

// False when memory ran out.
bool cupel_junit_text_append(cupel_junit_text *text, const char *bytes, size_t length, size_t cap);
void cupel_junit_text_clear(cupel_junit_text *text);
const char *cupel_junit_text_get(const cupel_junit_text *text); // never null

// An open <testsuite> or <testsuites>.
typedef struct cupel_junit_suite {
    cupel_junit_text name;
    uint64_t key; // of its name
    size_t line;
    bool is_root; // <testsuites>
    cupel_junit_declared declared;
    cupel_junit_tally direct; // own cases
    cupel_junit_tally total;  // those of nested suites; when the suite ends, its own too
    cupel_junit_habits habits;
    char shape[64];           // initials of its attributes in order, to tell producers apart
    uint64_t errors_reported; // <error> or <failure> elements outside of cases
    char property[61];        // the first attribute that is in no vocabulary, "" when there is none
} cupel_junit_suite;

// What of the open <testcase> starts afresh with each.
typedef struct cupel_junit_case_state {
    size_t line;
    uint64_t key; // of its name, within the report
    double seconds;
    cupel_word status; // the heaviest of its status words
    bool has_status;
    bool has_name;
    bool has_classname;
    bool never_started;               // its time stamp is the epoch
    unsigned failures, errors, skips; // elements
    unsigned flaky;                   // <flakyFailure>, <flakyError>
    bool has_assertions;
    uint64_t assertions;
    unsigned failed_attempts, errors_attempts; // elements of attempts that a later one replaced
    cupel_junit_outcome text_of;               // whose message and text are kept
} cupel_junit_case_state;

typedef struct cupel_junit_open_case {
    cupel_junit_case_state state;
    cupel_junit_text name;
    cupel_junit_text classname;
    cupel_junit_text message;
    cupel_junit_text text;
} cupel_junit_open_case;

// A case that was read and whose name was not yet looked for among the earlier ones. That is done for many at once: alone, each
// would wait for its own place in a table that no cache holds.
enum { CUPEL_JUNIT_PENDING = 64, CUPEL_JUNIT_PENDING_NAME = 101 };
typedef struct cupel_junit_pending {
    uint64_t key;
    size_t line;
    cupel_junit_outcome outcome;
    char classname[CUPEL_JUNIT_PENDING_NAME]; // as much of them as is told
    char name[CUPEL_JUNIT_PENDING_NAME];
} cupel_junit_pending;

// What an attribute's name meant the last time. The parser keeps each name once, so that its address is enough.
typedef struct cupel_junit_memory {
    const char *name;
    cupel_element element;
    cupel_attribute attribute;
} cupel_junit_memory;

typedef struct cupel_junit_reader {
    const char *subject;
    const cupel_junit_options *options;
    cupel_junit_source *source;
    struct _xmlTextReader *xml;
    cupel_findings facts;            // what makes the report no pass; dropped when the file is refused
    size_t told[CUPEL_REASON_COUNT]; // facts of each reason, told or only counted
    bool refused;
    cupel_reason fault; // why the file is refused
    char fault_text[256];
    int depth; // open elements
    cupel_element stack[CUPEL_JUNIT_MAX_DEPTH];
    cupel_junit_suite suites[CUPEL_JUNIT_MAX_DEPTH];
    int suite_depth;
    cupel_junit_open_case open;
    cupel_junit_text scratch;
    bool collecting; // text goes to open.text
    cupel_junit_memory memory[64];
    cupel_junit_seen seen;
    cupel_junit_pending pending[CUPEL_JUNIT_PENDING];
    size_t pending_count;
    cupel_junit_counts counts;
    const char *dialect;
    bool must_state; // the producer states a status on every case that ran
} cupel_junit_reader;

// Refuses the file: only the first fault is kept. Always false.
bool cupel_junit_fault(cupel_junit_reader *reader, cupel_reason reason, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Adds a fact; after the first few of a reason they are only counted.
void cupel_junit_fact(cupel_junit_reader *reader, cupel_reason reason, size_t line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// The line of the file that the parser is at.
size_t cupel_junit_line(const cupel_junit_reader *reader);

// Each returns false when the file is refused.
bool cupel_junit_suite_begin(cupel_junit_reader *reader, cupel_element element);
bool cupel_junit_suite_attribute(cupel_junit_reader *reader, cupel_attribute attribute, const char *name, const char *value);
// An attribute of a suite that no vocabulary has: a property, where the producer writes these as attributes.
bool cupel_junit_suite_property(cupel_junit_reader *reader, const char *name);
bool cupel_junit_suite_attributes_done(cupel_junit_reader *reader);
bool cupel_junit_suite_end(cupel_junit_reader *reader);

bool cupel_junit_case_begin(cupel_junit_reader *reader);
bool cupel_junit_case_attribute(cupel_junit_reader *reader, cupel_attribute attribute, const char *name, const char *value);
bool cupel_junit_case_attributes_done(cupel_junit_reader *reader);
// An outcome or retry element begins; its message, null when it has none.
bool cupel_junit_case_child(cupel_junit_reader *reader, cupel_element element, const char *message);
bool cupel_junit_case_end(cupel_junit_reader *reader);
// Reads the attributes of the element that begins. *message, null before, becomes the text of an attribute message.
bool cupel_junit_attributes_read(cupel_junit_reader *reader, cupel_element element, const char **message);
// Looks for the pending cases among the earlier ones; what is listed again is a fact.
bool cupel_junit_pending_settle(cupel_junit_reader *reader);

// Refuses a time that is not plain seconds.
bool cupel_junit_seconds_read(cupel_junit_reader *reader, const char *value, double *seconds);

#endif
