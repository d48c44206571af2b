// SPDX-License-Identifier: Apache-2.0
// Every report of junit_cases (made by hand, one fault each) and of junit_reports (made by the tools themselves) has the verdict
// that the folder's table states: counts, word and exactly these reasons.
#include "unit.h"

#include "junit_set.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

typedef struct row {
    char *file, *counts, *word, *reasons;
} row;

static char *field_take(char **rest)
{
    char *field = *rest;
    char *tab = strchr(field, '\t');
    assert_non_null(tab);
    *tab = '\0';
    *rest = tab + 1;
    return field;
}

// The codes of all findings, sorted, each once, with commas.
static void reasons_join(const cupel_findings *findings, char text[512])
{
    const char *codes[CUPEL_REASON_COUNT];
    size_t count = 0;
    for (size_t i = 0; i < CUPEL_REASON_COUNT; ++i) {
        if (cupel_findings_count(findings, (cupel_reason)i) > 0) {
            codes[count++] = cupel_reason_get((cupel_reason)i)->code;
        }
    }
    for (size_t i = 1; i < count; ++i) {
        for (size_t k = i; k > 0 && strcmp(codes[k - 1], codes[k]) > 0; --k) {
            const char *swap = codes[k];
            codes[k] = codes[k - 1];
            codes[k - 1] = swap;
        }
    }
    strcpy(text, count == 0 ? "-" : "");
    for (size_t i = 0; i < count; ++i) {
        snprintf(text + strlen(text), 512 - strlen(text), "%s%s", i == 0 ? "" : ",", codes[i]);
    }
}

// A message that names two numbers names the two that were compared: what is not the same.
static void numbers_check(const char *file, const cupel_findings *findings)
{
    for (size_t i = 0; i < findings->count; ++i) {
        unsigned long long declared = 0;
        unsigned long long found = 0;
        const char *text = findings->items[i].text;
        const char *at = strstr(text, "is declared ");
        if (findings->items[i].reason != CUPEL_REASON_REPORT_COUNTS || strncmp(text, "and ", 4) == 0) {
            continue;
        }
        bool told = at != NULL && (sscanf(at, "is declared %llu, found %llu", &declared, &found) == 2 ||
                                   sscanf(at, "is declared %llu, and %llu under", &declared, &found) == 2);
        if (!told || declared == found) {
            fail_msg("%s: \"%s\" does not say what differs", file, text);
        }
    }
}

static void row_check(const char *folder, const row *expected)
{
    char path[1024];
    char counts[96] = "-";
    char reasons[512];
    snprintf(path, sizeof path, "%s/%.200s", folder, expected->file);
    const char *const paths[] = {path};
    const cupel_junit_set_request request = {.paths = paths, .count = 1};
    cupel_junit_set set;
    cupel_junit_set_read(&request, &set);
    if (set.accepted) {
        const cupel_junit_counts *c = &set.totals;
        assert_int_equal(c->retried > 0, cupel_findings_count(&set.findings, CUPEL_REASON_REPORT_RETRIED) > 0);
        assert_true(c->cases + (c->errors > c->cases ? c->errors : 0) >= c->passed + c->failed + c->skipped);
        snprintf(counts, sizeof counts, "%llu %llu %llu %llu", (unsigned long long)c->passed, (unsigned long long)c->failed,
                 (unsigned long long)c->errors, (unsigned long long)c->skipped);
    } else {
        assert_true(set.entries[0].report.counts.cases == 0 && set.entries[0].report.sha256[0] == '\0');
    }
    reasons_join(&set.findings, reasons);
    numbers_check(expected->file, &set.findings);
    if (strcmp(counts, expected->counts) != 0 || strcmp(reasons, expected->reasons) != 0 ||
        strcmp(cupel_status_word(set.status), expected->word) != 0) {
        fail_msg("%s: expected %s %s %s, found %s %s %s", expected->file, expected->counts, expected->word, expected->reasons,
                 counts, cupel_status_word(set.status), reasons);
    }
    cupel_junit_set_free(&set);
}

// What a message must say: what stands there, and the numbers that were compared.
static void messages_name_what_was_compared(void **state)
{
    (void)state;
    static const struct {
        const char *file, *says;
    } rows[] = {
        {"header_zero_children_many.xml", "tests is declared 0, found 3 (3 cases: f=1 e=0 s=0)"},
        {"declared_more_than_present.xml", "tests is declared 12, found 2"},
        {"cmocka_error_not_shown.xml", "failures + errors is declared 1, found 0"},
        {"flakes_no_case.xml", "flakes is declared 1, found 0"},
        {"skips_and_skipped.xml", "skipped is declared 0, and 1 under another name"},
        {"assertions_too_many.xml", "assertions is declared 9, found 5"},
        {"assertions_none.xml", "s/a says that it asserted nothing"},
        {"time_thousands.xml", "time=\"14,003.5\" is not a number of seconds"},
        {"utf16le_bom.xml", "its encoding is UTF-16, little-endian"},
        {"invalid_utf8.xml", "line 2, byte 61: not a character in UTF-8"},
        {"raw_escape_in_cdata.xml", "a character that XML does not allow"},
        {"duplicate_fail_then_pass.xml", "k33 is listed again, this time passed"},
        {"flaky_then_pass.xml", "n_2_20 has 1 failed attempts"},
        {"aborted_attribute.xml", "element testsuite has an unknown attribute aborted"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        char path[1024];
        bool said = false;
        snprintf(path, sizeof path, UNIT_SOURCE_DIR "/junit_cases/%s", rows[i].file);
        const char *const paths[] = {path};
        const cupel_junit_set_request request = {.paths = paths, .count = 1};
        cupel_junit_set set;
        cupel_junit_set_read(&request, &set);
        for (size_t k = 0; k < set.findings.count; ++k) {
            said = said || strstr(set.findings.items[k].text, rows[i].says) != NULL;
        }
        if (!said) {
            fail_msg("%s: no finding says \"%s\"; the first is \"%s\"", rows[i].file, rows[i].says,
                     set.findings.count == 0 ? "" : set.findings.items[0].text);
        }
        cupel_junit_set_free(&set);
    }
}

static size_t files_count(const char *path)
{
    size_t count = 0;
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        size_t length = strlen(entry->d_name);
        count += length > 4 && strcmp(entry->d_name + length - 4, ".xml") == 0;
    }
    closedir(folder);
    return count;
}

static void folder_check(const char *folder, size_t least)
{
    char line[1024];
    size_t count = 0;
    snprintf(line, sizeof line, "%s/cases.tsv", folder);
    FILE *table = fopen(line, "r");
    assert_non_null(table);
    while (fgets(line, sizeof line, table) != NULL) {
        if (line[0] == '#') {
            continue;
        }
        char *rest = line;
        row expected;
        expected.file = field_take(&rest);
        expected.counts = field_take(&rest);
        expected.word = field_take(&rest);
        expected.reasons = field_take(&rest);
        assert_true(strlen(rest) > 5); // what it shows
        row_check(folder, &expected);
        ++count;
    }
    fclose(table);
    assert_true(count >= least);
    assert_int_equal(count, files_count(folder));
}

static void every_case_has_its_verdict(void **state)
{
    (void)state;
    folder_check(UNIT_SOURCE_DIR "/junit_cases", 175);
}

static void every_tool_is_read(void **state)
{
    (void)state;
    folder_check(UNIT_SOURCE_DIR "/junit_reports", 40);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_case_has_its_verdict),
    cmocka_unit_test(every_tool_is_read),
    cmocka_unit_test(messages_name_what_was_compared),
};

UNIT_MAIN(tests)
