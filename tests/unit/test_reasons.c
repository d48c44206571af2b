// SPDX-License-Identifier: Apache-2.0
// The reason table is complete and consistent, and a list of findings loses nothing.
#include "unit.h"

#include "reasons.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const identifiers[] = {
#define CUPEL_REASON_SECTION(title)
#define CUPEL_REASON(identifier, code, status, sentence, action) #identifier,
#include "reasons.def"
#undef CUPEL_REASON
#undef CUPEL_REASON_SECTION
};

static void code_is_identifier(void **state)
{
    (void)state;
    for (size_t i = 0; i < CUPEL_REASON_COUNT; ++i) {
        char code[64];
        size_t length = strlen(identifiers[i]);
        assert_true(length < sizeof code);
        for (size_t k = 0; k <= length; ++k) {
            code[k] = (char)(identifiers[i][k] == '_' ? '-' : tolower((unsigned char)identifiers[i][k]));
        }
        cupel_reason found = CUPEL_REASON_COUNT;
        assert_string_equal(cupel_reason_get((cupel_reason)i)->code, code);
        assert_true(cupel_reason_find(code, &found));
        assert_int_equal(found, i);
    }
    cupel_reason none;
    assert_false(cupel_reason_find("no-such-code", &none));
}

static void row_has_sentences(void **state)
{
    (void)state;
    for (size_t i = 0; i < CUPEL_REASON_COUNT; ++i) {
        const cupel_reason_info *info = cupel_reason_get((cupel_reason)i);
        assert_int_not_equal(info->status, CUPEL_PASS);
        assert_true(strlen(info->sentence) > 10 && isupper((unsigned char)info->sentence[0]));
        assert_true(strlen(info->action) > 10 && isupper((unsigned char)info->action[0]));
        assert_int_equal(info->sentence[strlen(info->sentence) - 1], '.');
        assert_int_equal(info->action[strlen(info->action) - 1], '.');
    }
}

static void status_is_heaviest(void **state)
{
    (void)state;
    assert_int_equal(cupel_status_join(CUPEL_PASS, CUPEL_NOT_RUN), CUPEL_NOT_RUN);
    assert_int_equal(cupel_status_join(CUPEL_NOT_RUN, CUPEL_FAILED), CUPEL_FAILED);
    assert_int_equal(cupel_status_join(CUPEL_REFUSED, CUPEL_FAILED), CUPEL_REFUSED);
    assert_string_equal(cupel_status_word(CUPEL_NOT_RUN), "NOT RUN");
    assert_string_equal(cupel_status_word((cupel_status)77), "REFUSED");

    cupel_findings findings = {0};
    assert_int_equal(cupel_findings_status(&findings), CUPEL_PASS);
    cupel_findings_add(&findings, CUPEL_REASON_DEVICE_NONE, "", "none");
    assert_int_equal(cupel_findings_status(&findings), CUPEL_NOT_RUN);
    cupel_findings_add(&findings, CUPEL_REASON_CASE_FAILED, "rng.words", "differs");
    assert_int_equal(cupel_findings_status(&findings), CUPEL_FAILED);
    cupel_findings_add(&findings, CUPEL_REASON_CASE_MISSING, "rng.words", "absent");
    assert_int_equal(cupel_findings_status(&findings), CUPEL_REFUSED);
    cupel_findings_free(&findings);

    cupel_findings lost = {.lost = true};
    assert_int_equal(cupel_findings_status(&lost), CUPEL_REFUSED);
}

static void every_finding_is_kept_and_clean(void **state)
{
    (void)state;
    cupel_findings first = {0};
    cupel_findings second = {0};
    for (int i = 0; i < 100; ++i) {
        cupel_findings_add(&first, CUPEL_REASON_CASE_FAILED, "a", "number %d", i);
        cupel_findings_add(&second, CUPEL_REASON_CASE_MISSING, "b", "number %d", i);
    }
    cupel_findings_add(&second, CUPEL_REASON_CASE_MISSING, "x\x1b[2J", "one\ntwo\xff");
    cupel_findings_move(&first, &second);
    assert_int_equal(second.count, 0);
    assert_int_equal(cupel_findings_count(&first, CUPEL_REASON_CASE_FAILED), 100);
    assert_int_equal(cupel_findings_count(&first, CUPEL_REASON_CASE_MISSING), 101);
    assert_string_equal(first.items[200].subject, "x?[2J");
    assert_string_equal(first.items[200].text, "one two?");

    char *printed = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&printed, &length);
    assert_non_null(out);
    cupel_findings_print(&first, 2, out);
    fclose(out);
    assert_non_null(strstr(printed, "case-failed: a: number 1\n"));
    assert_null(strstr(printed, "case-failed: a: number 2\n"));
    assert_non_null(strstr(printed, "case-failed: and 98 more\n"));
    free(printed);
    cupel_findings_free(&first);
}

static void joined_findings_are_there_once(void **state)
{
    (void)state;
    cupel_findings first = {0};
    cupel_findings second = {0};
    cupel_findings_add(&first, CUPEL_REASON_EXECUTABLE_MISSING, "p.alpha", "it does not exist");
    cupel_findings_add(&second, CUPEL_REASON_EXECUTABLE_MISSING, "p.alpha", "ctest does not find it");
    cupel_findings_add(&second, CUPEL_REASON_EXECUTABLE_MISSING, "p.beta", "ctest does not find it");
    cupel_findings_add(&second, CUPEL_REASON_LINT_LABEL, "p.alpha", "it has none");
    cupel_findings_join(&first, &second);
    assert_int_equal(second.count, 0);
    assert_int_equal(first.count, 3);
    assert_string_equal(first.items[0].text, "it does not exist");
    assert_string_equal(first.items[1].subject, "p.beta");
    assert_int_equal(first.items[2].reason, CUPEL_REASON_LINT_LABEL);
    second.lost = true;
    cupel_findings_join(&first, &second);
    assert_true(first.lost);
    cupel_findings_free(&first);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(code_is_identifier),
    cmocka_unit_test(row_has_sentences),
    cmocka_unit_test(status_is_heaviest),
    cmocka_unit_test(every_finding_is_kept_and_clean),
    cmocka_unit_test(joined_findings_are_there_once),
};

UNIT_MAIN(tests)
