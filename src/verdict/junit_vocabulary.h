// SPDX-License-Identifier: Apache-2.0
// The closed vocabulary of JUnit reports: elements, attributes and words that a known dialect uses. Internal to the JUnit reader.
#ifndef CUPEL_JUNIT_VOCABULARY_H
#define CUPEL_JUNIT_VOCABULARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum cupel_element {
    ELEMENT_TESTCASE,
    ELEMENT_FAILURE,
    ELEMENT_ERROR,
    ELEMENT_SKIPPED,
    ELEMENT_SYSTEM_OUT,
    ELEMENT_SYSTEM_ERR,
    ELEMENT_TESTSUITE,
    ELEMENT_TESTSUITES,
    ELEMENT_PROPERTIES,
    ELEMENT_PROPERTY,
    ELEMENT_FLAKY_FAILURE,
    ELEMENT_FLAKY_ERROR,
    ELEMENT_RERUN_FAILURE,
    ELEMENT_RERUN_ERROR,
    ELEMENT_STACK_TRACE,
    ELEMENT_COUNT
} cupel_element;

// What the reader does with an attribute. The counters come first: they index arrays.
typedef enum cupel_attribute {
    ATTRIBUTE_TESTS,
    ATTRIBUTE_FAILURES,
    ATTRIBUTE_ERRORS,
    ATTRIBUTE_SKIPPED,
    ATTRIBUTE_DISABLED,
    ATTRIBUTE_FLAKES,
    ATTRIBUTE_ASSERTIONS,
    ATTRIBUTE_COUNTERS,
    ATTRIBUTE_NAME = ATTRIBUTE_COUNTERS,
    ATTRIBUTE_CLASSNAME,
    ATTRIBUTE_TIME,
    ATTRIBUTE_TIMESTAMP,
    ATTRIBUTE_HOSTNAME,
    ATTRIBUTE_STATUS,
    ATTRIBUTE_MESSAGE,
    ATTRIBUTE_SCHEMA, // where a schema lies
    ATTRIBUTE_OTHER   // known and not used
} cupel_attribute;

// What a status or result word says.
typedef enum cupel_word { WORD_NONE, WORD_RAN, WORD_PASSED, WORD_FAILED, WORD_ERROR, WORD_NOT_RUN, WORD_DISABLED } cupel_word;

const char *cupel_element_name(cupel_element element);
// False when no dialect has such an element.
bool cupel_element_find(const char *name, cupel_element *element);
// May `element` stand in `parent`? ELEMENT_COUNT as parent is the document.
bool cupel_element_allowed(cupel_element element, cupel_element parent);
// May the element hold text besides white space?
bool cupel_element_has_text(cupel_element element);
// False when no dialect has this attribute on this element.
bool cupel_attribute_find(const char *name, cupel_element element, cupel_attribute *attribute);
// False when no dialect has this word.
bool cupel_word_find(const char *text, cupel_word *word);

// Digits alone, at most 1,000,000,000.
bool cupel_junit_counter(const char *text, uint64_t *value);
// A plain decimal number of seconds: digits, at most one point, at most one exponent; no sign, unit or separator.
bool cupel_junit_seconds(const char *text, double *seconds);

#endif
