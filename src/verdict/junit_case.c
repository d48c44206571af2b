// SPDX-License-Identifier: Apache-2.0
#include "junit_internal.h"

#include <string.h>

bool cupel_junit_case_begin(cupel_junit_reader *reader)
{
    cupel_junit_open_case *open = &reader->open;
    cupel_junit_text_clear(&open->name);
    cupel_junit_text_clear(&open->classname);
    cupel_junit_text_clear(&open->message);
    cupel_junit_text_clear(&open->text);
    open->state = (cupel_junit_case_state){.line = cupel_junit_line(reader)};
    return true;
}

static bool name_read(cupel_junit_reader *reader, cupel_junit_text *text, bool *present, const char *value)
{
    size_t length = strlen(value);
    if (length > CUPEL_JUNIT_MAX_NAME) {
        return cupel_junit_fault(reader, CUPEL_REASON_REPORT_NAME, "a case's name is longer than %zu bytes", CUPEL_JUNIT_MAX_NAME);
    }
    *present = true;
    return cupel_junit_text_append(text, value, length, CUPEL_JUNIT_MAX_NAME);
}

// Two words may stand side by side (status and result): the one that says less good counts.
static bool status_read(cupel_junit_reader *reader, const char *name, const char *value)
{
    cupel_word word = WORD_NONE;
    if (!cupel_word_find(value, &word)) {
        return cupel_junit_fault(reader, CUPEL_REASON_REPORT_VOCABULARY, "%s=\"%.40s\" is no known word", name, value);
    }
    cupel_junit_open_case *open = &reader->open;
    open->state.has_status = open->state.has_status || strcmp(name, "status") == 0;
    open->state.status = word > open->state.status ? word : open->state.status;
    return true;
}

// GoogleTest writes local time: west of Greenwich its epoch is the last day of 1969.
static bool stands_at_the_epoch(const char *timestamp)
{
    return strncmp(timestamp, "1970-01-01T", 11) == 0 || strncmp(timestamp, "1969-12-31T", 11) == 0;
}

bool cupel_junit_case_attribute(cupel_junit_reader *reader, cupel_attribute attribute, const char *name, const char *value)
{
    cupel_junit_open_case *open = &reader->open;
    switch (attribute) {
    case ATTRIBUTE_NAME:
        return name_read(reader, &open->name, &open->state.has_name, value);
    case ATTRIBUTE_CLASSNAME:
        return name_read(reader, &open->classname, &open->state.has_classname, value);
    case ATTRIBUTE_TIME:
        return cupel_junit_seconds_read(reader, value, &open->state.seconds);
    case ATTRIBUTE_TIMESTAMP:
        open->state.never_started = stands_at_the_epoch(value);
        return true;
    case ATTRIBUTE_STATUS:
        return status_read(reader, name, value);
    case ATTRIBUTE_ASSERTIONS:
        // pytest writes whatever a test records there, by its manual the number of a requirement.
        open->state.has_assertions = strcmp(reader->dialect, "pytest") != 0;
        return !open->state.has_assertions || cupel_junit_counter(value, &open->state.assertions) ||
               cupel_junit_fault(reader, CUPEL_REASON_REPORT_NUMBER, "%s=\"%.40s\" is not a count", name, value);
    default:
        return true;
    }
}

static const char *suite_name(const cupel_junit_reader *reader)
{
    return cupel_junit_text_get(&reader->suites[reader->suite_depth - 1].name);
}

static const char *class_name(const cupel_junit_reader *reader)
{
    return reader->open.state.has_classname ? cupel_junit_text_get(&reader->open.classname) : suite_name(reader);
}

bool cupel_junit_case_attributes_done(cupel_junit_reader *reader)
{
    const char *name = cupel_junit_text_get(&reader->open.name);
    if (!reader->open.state.has_name || name[strspn(name, " \t\r\n")] == '\0') {
        return cupel_junit_fault(reader, CUPEL_REASON_REPORT_NAME, "a case has no name");
    }
    const cupel_junit_open_case *open = &reader->open;
    const cupel_junit_text *suite = &reader->suites[reader->suite_depth - 1].name;
    const cupel_junit_text *group = open->state.has_classname ? &open->classname : suite;
    uint64_t key = cupel_junit_key_add(reader->suites[reader->suite_depth - 1].key, cupel_junit_text_get(group), group->length);
    reader->open.state.key = cupel_junit_key_add(key, cupel_junit_text_get(&open->name), open->name.length);
    return true;
}

static int outcome_weight(cupel_junit_outcome outcome)
{
    static const int weights[] = {
        [CUPEL_JUNIT_PASSED] = 0, [CUPEL_JUNIT_SKIPPED] = 1, [CUPEL_JUNIT_FAILED] = 2, [CUPEL_JUNIT_ERROR] = 3};
    return weights[outcome];
}

// Message and text of the first element of the worst outcome are kept.
static bool outcome_keep(cupel_junit_reader *reader, cupel_junit_outcome outcome, const char *message)
{
    cupel_junit_open_case *open = &reader->open;
    if (outcome_weight(outcome) <= outcome_weight(open->state.text_of)) {
        return true;
    }
    open->state.text_of = outcome;
    cupel_junit_text_clear(&open->message);
    cupel_junit_text_clear(&open->text);
    reader->collecting = true;
    return message == NULL || cupel_junit_text_append(&open->message, message, strlen(message), CUPEL_JUNIT_MAX_MESSAGE);
}

bool cupel_junit_case_child(cupel_junit_reader *reader, cupel_element element, const char *message)
{
    cupel_junit_open_case *open = &reader->open;
    switch (element) {
    case ELEMENT_FAILURE:
        ++open->state.failures;
        return outcome_keep(reader, CUPEL_JUNIT_FAILED, message);
    case ELEMENT_ERROR:
        ++open->state.errors;
        return outcome_keep(reader, CUPEL_JUNIT_ERROR, message);
    case ELEMENT_SKIPPED:
        ++open->state.skips;
        return outcome_keep(reader, CUPEL_JUNIT_SKIPPED, message);
    case ELEMENT_FLAKY_FAILURE:
    case ELEMENT_RERUN_FAILURE:
        ++open->state.failed_attempts;
        break;
    default:
        ++open->state.errors_attempts;
        break;
    }
    open->state.flaky += element == ELEMENT_FLAKY_FAILURE || element == ELEMENT_FLAKY_ERROR;
    return true;
}

// The outcome from elements and words together; *contradiction is set when they exclude each other.
static cupel_junit_outcome case_outcome(const cupel_junit_open_case *open, bool *contradiction)
{
    bool skipped = open->state.skips > 0;
    bool says_failed = open->state.status == WORD_FAILED || open->state.status == WORD_ERROR;
    bool says_skipped = open->state.status == WORD_NOT_RUN || open->state.status == WORD_DISABLED || open->state.never_started;
    bool failed = open->state.failures > 0 || open->state.errors > 0;
    *contradiction = (failed && (skipped || says_skipped || open->state.status == WORD_PASSED)) ||
                     (skipped && (says_failed || open->state.status == WORD_PASSED)) || (says_failed && says_skipped);
    if (open->state.errors > 0 || (!failed && open->state.status == WORD_ERROR)) {
        return CUPEL_JUNIT_ERROR;
    }
    if (failed || says_failed) {
        return CUPEL_JUNIT_FAILED;
    }
    return skipped || says_skipped ? CUPEL_JUNIT_SKIPPED : CUPEL_JUNIT_PASSED;
}

static void case_count(cupel_junit_reader *reader, cupel_junit_outcome outcome, bool retried)
{
    const cupel_junit_open_case *open = &reader->open;
    cupel_junit_tally tally = {
        .cases = 1,
        .failed = outcome == CUPEL_JUNIT_FAILED,
        .errors = outcome == CUPEL_JUNIT_ERROR,
        .skipped = outcome == CUPEL_JUNIT_SKIPPED,
        .disabled = outcome == CUPEL_JUNIT_SKIPPED &&
                    (open->state.status == WORD_DISABLED || (open->state.status == WORD_NOT_RUN && open->state.skips == 0)),
        .failure_cases = open->state.failures > 0,
        .error_cases = open->state.errors > 0,
        .failure_elements = open->state.failures,
        .error_elements = open->state.errors,
        .failed_attempts = open->state.failed_attempts,
        .errors_attempts = open->state.errors_attempts,
        .retried_cases = retried,
        .flaky_elements = open->state.flaky,
        .assertions = open->state.assertions,
        .asserting_cases = open->state.has_assertions,
    };
    cupel_junit_suite *suite = &reader->suites[reader->suite_depth - 1];
    cupel_junit_tally_add(&suite->direct, &tally);
    reader->counts.cases += 1;
    reader->counts.passed += outcome == CUPEL_JUNIT_PASSED;
    reader->counts.failed += tally.failed;
    reader->counts.errors += tally.errors;
    reader->counts.skipped += tally.skipped;
    reader->counts.retried += retried;
    reader->counts.texts_cut += open->message.cut || open->text.cut;
}

// Why a case did not pass, in the report's own words.
static const char *case_said(const cupel_junit_case *current)
{
    const char *words = current->message[0] != '\0' ? current->message : current->text;
    return words[strspn(words, " \t\n\r")] != '\0' ? words : "the report gives no message";
}

static void case_facts(cupel_junit_reader *reader, const cupel_junit_case *current, bool contradiction)
{
    const cupel_junit_open_case *open = &reader->open;
    const char *suite = current->classname[0] == '\0' ? current->suite : current->classname;
    if (contradiction) {
        cupel_junit_fact(reader, CUPEL_REASON_REPORT_CONTRADICTION, open->state.line,
                         "%.100s/%.100s has %u failure, %u error and %u skipped elements%s", suite, current->name,
                         open->state.failures, open->state.errors, open->state.skips,
                         open->state.status == WORD_NONE ? "" : " and a status that contradicts them");
    }
    if (current->outcome == CUPEL_JUNIT_FAILED || current->outcome == CUPEL_JUNIT_ERROR) {
        cupel_junit_fact(reader, CUPEL_REASON_CASE_FAILED, open->state.line, "%.100s/%.100s: %.200s", suite, current->name,
                         case_said(current));
    }
    if (current->outcome == CUPEL_JUNIT_SKIPPED) {
        cupel_junit_fact(reader, CUPEL_REASON_REPORT_SKIPPED, open->state.line, "%.100s/%.100s: %.200s", suite, current->name,
                         open->state.never_started ? "it never started: its time stamp is the epoch" : case_said(current));
    }
    if (current->retried) {
        cupel_junit_fact(reader, CUPEL_REASON_REPORT_RETRIED, open->state.line, "%.100s/%.100s has %u failed attempts", suite,
                         current->name, open->state.failed_attempts + open->state.errors_attempts);
    }
    if (current->outcome == CUPEL_JUNIT_PASSED && open->state.has_assertions && open->state.assertions == 0) {
        cupel_junit_fact(reader, CUPEL_REASON_REPORT_NO_VERDICT, open->state.line, "%.100s/%.100s says that it asserted nothing",
                         suite, current->name);
    }
    if (reader->must_state && !open->state.has_status) {
        cupel_junit_fact(reader, CUPEL_REASON_REPORT_NO_VERDICT, open->state.line, "%.100s/%.100s has no status", suite,
                         current->name);
    }
}

bool cupel_junit_pending_settle(cupel_junit_reader *reader)
{
    const size_t count = reader->pending_count;
    reader->pending_count = 0;
    for (size_t i = 0; i < count; ++i) {
        cupel_junit_seen_expect(&reader->seen, reader->pending[i].key);
    }
    for (size_t i = 0; i < count; ++i) {
        const cupel_junit_pending *pending = &reader->pending[i];
        cupel_junit_insert inserted = cupel_junit_seen_insert(&reader->seen, pending->key);
        if (inserted == CUPEL_SEEN_NO_MEMORY) {
            return cupel_junit_fault(reader, CUPEL_REASON_REPORT_LIMIT, "memory ran out for the names of its cases");
        }
        if (inserted == CUPEL_SEEN_AGAIN) {
            cupel_junit_fact(reader, CUPEL_REASON_REPORT_DUPLICATE, pending->line, "%s/%s is listed again, this time %s",
                             pending->classname, pending->name, cupel_junit_outcome_word(pending->outcome));
        }
    }
    return true;
}

static void name_keep(char kept[CUPEL_JUNIT_PENDING_NAME], const char *name, size_t length)
{
    length = length < CUPEL_JUNIT_PENDING_NAME ? length : CUPEL_JUNIT_PENDING_NAME - 1;
    memcpy(kept, name, length);
    kept[length] = '\0';
}

static bool case_pend(cupel_junit_reader *reader, const cupel_junit_case *current)
{
    const cupel_junit_open_case *open = &reader->open;
    cupel_junit_pending *pending = &reader->pending[reader->pending_count++];
    const cupel_junit_text *suite = &reader->suites[reader->suite_depth - 1].name;
    pending->key = open->state.key;
    pending->line = current->line;
    pending->outcome = current->outcome;
    name_keep(pending->classname, current->classname, open->state.has_classname ? open->classname.length : suite->length);
    name_keep(pending->name, current->name, open->name.length);
    if (reader->counts.cases > CUPEL_JUNIT_MAX_CASES) {
        return cupel_junit_fault(reader, CUPEL_REASON_REPORT_LIMIT, "it has more than %llu cases",
                                 (unsigned long long)CUPEL_JUNIT_MAX_CASES);
    }
    return reader->pending_count < CUPEL_JUNIT_PENDING || cupel_junit_pending_settle(reader);
}

bool cupel_junit_case_end(cupel_junit_reader *reader)
{
    const cupel_junit_open_case *open = &reader->open;
    bool contradiction = false;
    cupel_junit_case current = {
        .suite = suite_name(reader),
        .classname = class_name(reader),
        .name = cupel_junit_text_get(&open->name),
        .outcome = case_outcome(open, &contradiction),
        .text_cut = open->message.cut || open->text.cut,
        .seconds = open->state.seconds,
        .message = cupel_junit_text_get(&open->message),
        .text = cupel_junit_text_get(&open->text),
        .line = open->state.line,
    };
    current.retried = open->state.failed_attempts + open->state.errors_attempts > 0 && current.outcome == CUPEL_JUNIT_PASSED;
    case_count(reader, current.outcome, current.retried);
    case_facts(reader, &current, contradiction);
    if (!case_pend(reader, &current)) {
        return false;
    }
    if (reader->options->on_case != NULL) {
        reader->options->on_case(reader->options->context, &current);
    }
    return true;
}
