// SPDX-License-Identifier: Apache-2.0
// Every counter of every dialect: in reports that the tools wrote and that pass, each counter of each suite is made one more and
// one less, and the report must be refused for exactly that counter. Only Catch2's `tests` may be any number from the cases on: it
// counts assertions.
#include "unit.h"

#include "file.h"
#include "junit.h"
#include "junit_vocabulary.h"

#include <stdlib.h>
#include <string.h>

static const char *const counters[] = {"tests", "failures", "errors", "skipped", "disabled", "flakes", "assertions"};

enum { COUNTERS = sizeof counters / sizeof counters[0] };
_Static_assert((int)COUNTERS == (int)ATTRIBUTE_COUNTERS, "every counter of the vocabulary has its turn");

// Reports that pass. The last two are made by hand: no tool here writes these counters into a report that passes.
static const struct {
    const char *file, *dialect;
} reports[] = {
    {"junit_reports/cmocka1_pass.xml", "cmocka"},
    {"junit_reports/cmocka2_pass.xml", "cmocka"},
    {"junit_reports/ctest_pass.xml", "ctest"},
    {"junit_reports/ctest_measured.xml", "ctest"},
    {"junit_reports/gtest_pass.xml", "gtest"},
    {"junit_reports/gtest_properties.xml", "gtest"},
    {"junit_reports/catch2_pass.xml", "catch2"},
    {"junit_reports/catch2_forms.xml", "catch2"},
    {"junit_reports/pytest_pass.xml", "pytest"},
    {"junit_reports/pytest_suite_property.xml", "pytest"},
    {"junit_reports/pytest_xdist.xml", "pytest"},
    {"junit_reports/surefire_pass.xml", "surefire"},
    {"junit_cases/legal_flakes_none.xml", "surefire"},
    {"junit_cases/legal_every_counter.xml", "junit"},
    {"junit_cases/legal_counters_of_own_cases.xml", "junit"},
};

// The digits of the counter with this number in the heads of all suites; null when there are not so many. *length and *which are
// set.
static const char *counter_at(const char *text, size_t number, size_t *length, size_t *which)
{
    for (const char *suite = strstr(text, "<testsuite"); suite != NULL; suite = strstr(suite + 1, "<testsuite")) {
        const char *end = strchr(suite, '>');
        for (const char *at = suite + 1; at < end; ++at) {
            const bool begins = at[-1] == ' ' || at[-1] == '\t';
            for (size_t i = 0; begins && i < COUNTERS; ++i) {
                const size_t name = strlen(counters[i]);
                if (strncmp(at, counters[i], name) == 0 && strncmp(at + name, "=\"", 2) == 0 && number-- == 0) {
                    *length = strspn(at + name + 2, "0123456789");
                    *which = i;
                    return at + name + 2;
                }
            }
        }
    }
    return NULL;
}

// Reads `text`; returns whether its counters were refused, and what the finding says in `said`.
static bool counts_refused(const char *text, size_t length, const char *dialect, char said[256], uint64_t *cases)
{
    const char *const path = UNIT_BINARY_DIR "/report.xml";
    cupel_junit_report report;
    cupel_findings findings = {0};
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(text, 1, length, out), length);
    assert_int_equal(fclose(out), 0);
    assert_true(cupel_junit_read(path, "report", NULL, &report, &findings));
    assert_string_equal(report.dialect, dialect);
    *cases = report.counts.cases;
    const bool refused = cupel_findings_count(&findings, CUPEL_REASON_REPORT_COUNTS) > 0;
    assert_int_equal(findings.count, cupel_findings_count(&findings, CUPEL_REASON_REPORT_COUNTS));
    snprintf(said, 256, "%s", findings.count == 0 ? "" : findings.items[0].text);
    cupel_findings_free(&findings);
    return refused;
}

// The number at `at`, changed by `by`, in a copy of the whole text.
static void changed_check(const char *file, const char *dialect, const cupel_file *whole, const char *at, size_t digits,
                          size_t which, long by)
{
    char said[256];
    char wanted[64];
    char *text = calloc(1, whole->length + 32);
    assert_non_null(text);
    const long number = strtol(at, NULL, 10) + by;
    const int length = snprintf(text, whole->length + 32, "%.*s%ld%s", (int)(at - whole->bytes), whole->bytes, number, at + digits);
    uint64_t cases = 0;
    const bool refused = counts_refused(text, (size_t)length, dialect, said, &cases);
    const bool assertions = strcmp(dialect, "catch2") == 0 && which == ATTRIBUTE_TESTS && number >= (long)cases;
    snprintf(wanted, sizeof wanted, "%s is declared %ld, found ", counters[which], number);
    const bool sum = strcmp(dialect, "cmocka") == 0 && (which == ATTRIBUTE_FAILURES || which == ATTRIBUTE_ERRORS);
    if (refused == assertions || (refused && strstr(said, sum ? "failures + errors is declared " : wanted) == NULL)) {
        fail_msg("%s: %s=\"%ld\" %s: \"%s\"", file, counters[which], number, refused ? "says" : "is accepted", said);
    }
    free(text);
}

static void every_counter_is_compared(void **state)
{
    (void)state;
    size_t seen[COUNTERS] = {0};
    for (size_t i = 0; i < sizeof reports / sizeof reports[0]; ++i) {
        char path[1024];
        char said[256];
        cupel_file whole;
        size_t digits = 0;
        size_t which = 0;
        size_t found = 0;
        uint64_t cases = 0;
        snprintf(path, sizeof path, UNIT_SOURCE_DIR "/%s", reports[i].file);
        assert_null(cupel_file_read(path, 1 << 20, &whole));
        assert_false(counts_refused(whole.bytes, whole.length, reports[i].dialect, said, &cases));
        const char *at = NULL;
        for (; (at = counter_at(whole.bytes, found, &digits, &which)) != NULL; ++found) {
            ++seen[which];
            changed_check(reports[i].file, reports[i].dialect, &whole, at, digits, which, 1);
            if (at[0] != '0') {
                changed_check(reports[i].file, reports[i].dialect, &whole, at, digits, which, -1);
            }
        }
        assert_true(found >= 3);
        cupel_file_free(&whole);
    }
    for (size_t i = 0; i < COUNTERS; ++i) {
        assert_true(seen[i] > 0);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_counter_is_compared),
};

UNIT_MAIN(tests)
