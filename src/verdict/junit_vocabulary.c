// SPDX-License-Identifier: Apache-2.0
#include "junit_vocabulary.h"

#include <string.h>
#include <strings.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])
#define IN(element) (1u << ELEMENT_##element)
#define DOCUMENT (1u << ELEMENT_COUNT)
#define SUITES (IN(TESTSUITES) | IN(TESTSUITE))
#define OUTCOMES (IN(FAILURE) | IN(ERROR) | IN(SKIPPED))
#define RETRIES (IN(FLAKY_FAILURE) | IN(FLAKY_ERROR) | IN(RERUN_FAILURE) | IN(RERUN_ERROR))

static const struct {
    const char *name;
    unsigned parents;
    bool text;
} elements[ELEMENT_COUNT] = {
    [ELEMENT_TESTCASE] = {"testcase", IN(TESTSUITE), false},
    [ELEMENT_FAILURE] = {"failure", IN(TESTCASE) | IN(TESTSUITE), true},
    [ELEMENT_ERROR] = {"error", IN(TESTCASE) | IN(TESTSUITE), true},
    [ELEMENT_SKIPPED] = {"skipped", IN(TESTCASE), true},
    [ELEMENT_SYSTEM_OUT] = {"system-out", IN(TESTCASE) | SUITES | RETRIES, true},
    [ELEMENT_SYSTEM_ERR] = {"system-err", IN(TESTCASE) | SUITES | RETRIES, true},
    [ELEMENT_TESTSUITE] = {"testsuite", DOCUMENT | SUITES, false},
    [ELEMENT_TESTSUITES] = {"testsuites", DOCUMENT, false},
    [ELEMENT_PROPERTIES] = {"properties", IN(TESTCASE) | SUITES, false},
    [ELEMENT_PROPERTY] = {"property", IN(PROPERTIES), true},
    [ELEMENT_FLAKY_FAILURE] = {"flakyFailure", IN(TESTCASE), true},
    [ELEMENT_FLAKY_ERROR] = {"flakyError", IN(TESTCASE), true},
    [ELEMENT_RERUN_FAILURE] = {"rerunFailure", IN(TESTCASE), true},
    [ELEMENT_RERUN_ERROR] = {"rerunError", IN(TESTCASE), true},
    [ELEMENT_STACK_TRACE] = {"stackTrace", RETRIES, true},
};

// In the order in which they are most often met.
static const struct {
    const char *name;
    unsigned elements;
    cupel_attribute attribute;
} attributes[] = {
    {"name", IN(TESTCASE) | SUITES | IN(PROPERTY), ATTRIBUTE_NAME},
    {"classname", IN(TESTCASE), ATTRIBUTE_CLASSNAME},
    {"time", IN(TESTCASE) | SUITES, ATTRIBUTE_TIME},
    {"status", IN(TESTCASE), ATTRIBUTE_STATUS},
    {"result", IN(TESTCASE), ATTRIBUTE_STATUS},
    {"timestamp", IN(TESTCASE) | SUITES, ATTRIBUTE_TIMESTAMP},
    {"message", OUTCOMES | RETRIES, ATTRIBUTE_MESSAGE},
    {"type", OUTCOMES | RETRIES, ATTRIBUTE_OTHER},
    {"file", IN(TESTCASE) | IN(TESTSUITE) | OUTCOMES, ATTRIBUTE_OTHER},
    {"line", IN(TESTCASE) | IN(TESTSUITE) | OUTCOMES, ATTRIBUTE_OTHER},
    {"tests", SUITES, ATTRIBUTE_TESTS},
    {"failures", SUITES, ATTRIBUTE_FAILURES},
    {"errors", SUITES, ATTRIBUTE_ERRORS},
    {"skipped", SUITES, ATTRIBUTE_SKIPPED},
    {"skips", SUITES, ATTRIBUTE_SKIPPED},
    {"disabled", SUITES, ATTRIBUTE_DISABLED},
    {"assertions", IN(TESTCASE) | SUITES, ATTRIBUTE_ASSERTIONS},
    {"flakes", SUITES, ATTRIBUTE_FLAKES},
    {"hostname", SUITES, ATTRIBUTE_HOSTNAME},
    {"package", IN(TESTSUITE), ATTRIBUTE_OTHER},
    {"id", IN(TESTCASE) | SUITES, ATTRIBUTE_OTHER},
    {"group", IN(TESTCASE) | IN(TESTSUITE), ATTRIBUTE_OTHER},
    {"value", IN(PROPERTY), ATTRIBUTE_OTHER},
    {"value_param", IN(TESTCASE), ATTRIBUTE_OTHER},
    {"type_param", IN(TESTCASE), ATTRIBUTE_OTHER},
    {"random_seed", SUITES, ATTRIBUTE_OTHER},
    {"version", SUITES, ATTRIBUTE_OTHER},
    {"xmlns", SUITES, ATTRIBUTE_OTHER},
    {"xmlns:xsi", SUITES, ATTRIBUTE_OTHER},
    {"xsi:noNamespaceSchemaLocation", SUITES, ATTRIBUTE_SCHEMA},
    {"xsi:schemaLocation", SUITES, ATTRIBUTE_SCHEMA},
    {"xml:space", OUTCOMES | RETRIES | IN(SYSTEM_OUT) | IN(SYSTEM_ERR), ATTRIBUTE_OTHER},
};

static const struct {
    const char *text;
    cupel_word word;
} words[] = {
    {"run", WORD_RAN},           {"completed", WORD_RAN},       {"passed", WORD_PASSED},   {"pass", WORD_PASSED},
    {"success", WORD_PASSED},    {"fail", WORD_FAILED},         {"failed", WORD_FAILED},   {"failure", WORD_FAILED},
    {"error", WORD_ERROR},       {"notrun", WORD_NOT_RUN},      {"skipped", WORD_NOT_RUN}, {"ignored", WORD_NOT_RUN},
    {"disabled", WORD_DISABLED}, {"suppressed", WORD_DISABLED},
};

const char *cupel_element_name(cupel_element element)
{
    return elements[element].name;
}

bool cupel_element_find(const char *name, cupel_element *element)
{
    for (size_t i = 0; i < ELEMENT_COUNT; ++i) {
        if (strcmp(elements[i].name, name) == 0) {
            *element = (cupel_element)i;
            return true;
        }
    }
    return false;
}

bool cupel_element_allowed(cupel_element element, cupel_element parent)
{
    return (elements[element].parents >> parent & 1u) != 0;
}

bool cupel_element_has_text(cupel_element element)
{
    return elements[element].text;
}

bool cupel_attribute_find(const char *name, cupel_element element, cupel_attribute *attribute)
{
    for (size_t i = 0; i < COUNT_OF(attributes); ++i) {
        if ((attributes[i].elements >> element & 1u) != 0 && strcmp(attributes[i].name, name) == 0) {
            *attribute = attributes[i].attribute;
            return true;
        }
    }
    return false;
}

bool cupel_word_find(const char *text, cupel_word *word)
{
    for (size_t i = 0; i < COUNT_OF(words); ++i) {
        if (strcasecmp(words[i].text, text) == 0) {
            *word = words[i].word;
            return true;
        }
    }
    return false;
}

static size_t digit_run(const char *text)
{
    return strspn(text, "0123456789");
}

bool cupel_junit_counter(const char *text, uint64_t *value)
{
    const uint64_t most = 1000000000u;
    size_t digits = digit_run(text);
    if (digits == 0 || digits > 10 || text[digits] != '\0') {
        return false;
    }
    *value = 0;
    for (size_t i = 0; i < digits; ++i) {
        *value = 10 * *value + (uint64_t)(text[i] - '0');
    }
    return *value <= most;
}

// The value is shown, never judged, so the last bit does not matter; the form does, and no locale has a say in it.
bool cupel_junit_seconds(const char *text, double *seconds)
{
    enum { LENGTH_MOST = 40 };
    const char *at = text;
    double value = 0.0;
    double parts = 1.0; // of a unit of `value` in a second
    for (; *at >= '0' && *at <= '9'; ++at) {
        value = 10.0 * value + (*at - '0');
    }
    if (at == text) {
        return false;
    }
    if (*at == '.') {
        for (++at; *at >= '0' && *at <= '9'; ++at) {
            parts *= 10.0;
            value = 10.0 * value + (*at - '0');
        }
    }
    value /= parts;
    if (*at == 'e' || *at == 'E') {
        bool negative = at[1] == '-';
        at += 1 + (at[1] == '-' || at[1] == '+');
        uint64_t exponent = 0;
        if (digit_run(at) > 3 || !cupel_junit_counter(at, &exponent) || (!negative && exponent > 9)) {
            return false;
        }
        for (uint64_t i = 0; i < exponent; ++i) {
            value = negative ? value / 10.0 : value * 10.0;
        }
        at += digit_run(at);
    }
    *seconds = value;
    return *at == '\0' && at - text <= LENGTH_MOST;
}
