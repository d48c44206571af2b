// SPDX-License-Identifier: Apache-2.0
// Corpora in evidence: every row of every corpus must have been compared by every suite of its module.
#include "unit.h"

#include "corpora.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define SOURCE UNIT_BINARY_DIR "/corpora-source"

static void corpus_write(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, SOURCE "/golden/corpora/%s", name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static int source_make(void **state)
{
    (void)state;
    (void)mkdir(SOURCE, 0777);
    (void)mkdir(SOURCE "/golden", 0777);
    (void)mkdir(SOURCE "/golden/corpora", 0777);
    corpus_write("linalg.f32.golden", "#cupel-golden 1 corpus=linalg.f32 dtype=f32 rows=7\nid\n");
    corpus_write("rng.u32.golden", "#cupel-golden 1 corpus=rng.u32 dtype=u32 rows=2\nid\n");
    corpus_write("notes.txt", "no corpus");
    return 0;
}

static json_t *parse(const char *text)
{
    json_t *value = json_loads(text, 0, NULL);
    assert_non_null(value);
    return value;
}

#define CASE(id, values, bits) "{\"case\":\"" id "\",\"values\":" values ",\"bytes_compared\":40,\"differing_bits\":" bits "},"
#define SUITE(suite, linkage, cases)                                                                                               \
    "{\"suite\":\"" suite "\",\"test\":\"p." suite linkage "\",\"cases\":[" cases "{\"case\":\"x.other.f32\",\"values\":9}]}"
#define LINALG(sum)                                                                                                                \
    CASE("linalg.golden.dot.f32", "3", "0") CASE("linalg.golden.sum.f32", sum, "0") CASE("linalg.sum.f32", "50", "1")

static void expect(const char *suites, size_t findings, const char *text)
{
    cupel_findings found = {0};
    json_t *described = evidence_corpora_describe(SOURCE);
    json_t *verdict = parse(suites);
    json_t *account = evidence_corpora_account(described, verdict, &found);
    assert_int_equal(json_object_size(described), 2);
    assert_int_equal(found.count, findings);
    if (findings > 0) {
        assert_int_equal(found.items[0].reason, CUPEL_REASON_CORPUS_INCOMPLETE);
        assert_non_null(strstr(found.items[0].text, text));
    }
    json_decref(account);
    json_decref(verdict);
    json_decref(described);
    cupel_findings_free(&found);
}

#define RNG SUITE("rng", "", CASE("rng.golden.words.u32", "2", "0"))

static void every_row_of_every_suite(void **state)
{
    (void)state;
    expect("{\"suites\":[" SUITE("linalg", "", LINALG("4")) "," SUITE("linalg", "-shared", LINALG("4")) "," RNG "]}", 0, "");
    expect("{\"suites\":[" SUITE("linalg", "", LINALG("4")) "," SUITE("linalg", "-shared", LINALG("3")) "," RNG "]}", 1,
           "p.linalg-shared compared 6 of its 7 rows");
    expect("{\"suites\":[" SUITE("linalg", "", LINALG("5")) "," RNG "]}", 1, "compared 8 of its 7 rows");
    expect("{\"suites\":[" RNG "," SUITE("linalg", "", "") "]}", 1, "p.linalg compared 0 of its 7 rows");
    expect("{\"suites\":[" SUITE("linalg", "", LINALG("3") CASE("linalg.golden.sum.f64", "1", "0")) "," RNG "]}", 1,
           "compared 6 of its 7 rows"); // a case of another dtype
    expect("{\"suites\":[" SUITE("own", "", CASE("own.golden.thing.f32", "2", "0")) "]}", 0, "");
}

static void figures_are_those_of_golden_cases(void **state)
{
    (void)state;
    cupel_findings found = {0};
    json_t *described = evidence_corpora_describe(SOURCE);
    json_t *verdict = parse("{\"suites\":[" SUITE("linalg", "", LINALG("4")) "," RNG "]}");
    json_t *account = evidence_corpora_account(described, verdict, &found);
    const char *corpus = NULL;
    const char *test = NULL;
    json_int_t rows = 0, values = 0, bytes = 0, bits = -1;
    assert_int_equal(json_array_size(account), 2);
    assert_int_equal(json_unpack(json_array_get(account, 0), "{s:s, s:s, s:I, s:I, s:I, s:I}", "corpus", &corpus, "test", &test,
                                 "rows", &rows, "values", &values, "bytes_compared", &bytes, "differing_bits", &bits),
                     0);
    assert_string_equal(corpus, "linalg.f32");
    assert_string_equal(test, "p.linalg");
    assert_int_equal(rows, 7);
    assert_int_equal(values, 7);
    assert_int_equal(bytes, 80);
    assert_int_equal(bits, 0);
    json_decref(account);
    json_decref(verdict);
    json_decref(described);
    cupel_findings_free(&found);
}

static void a_run_that_fails_anyway_has_its_own_reason(void **state)
{
    (void)state;
    cupel_findings found = {0};
    json_t *described = evidence_corpora_describe(SOURCE);
    cupel_findings_add(&found, CUPEL_REASON_CASE_MISSING, "p.linalg", "one");
    json_decref(evidence_corpora_account(described, NULL, &found));
    assert_int_equal(found.count, 1);
    json_decref(described);
    cupel_findings_free(&found);
}

static void damaged_or_foreign_corpora_cannot_be_complete(void **state)
{
    (void)state;
    corpus_write("rng.u32.golden", "#cupel-golden 1 corpus=rng.f32 dtype=u32 rows=2\n");
    expect("{\"suites\":[" SUITE("linalg", "", LINALG("4")) "," RNG "]}", 1, "2 of its -1 rows");
    corpus_write("rng.u32.golden", "");
    expect("{\"suites\":[" SUITE("linalg", "", LINALG("4")) "," RNG "]}", 1, "2 of its -1 rows");
    json_t *none = evidence_corpora_describe(SOURCE "/golden");
    assert_int_equal(json_object_size(none), 0);
    json_decref(none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(every_row_of_every_suite, source_make),
        cmocka_unit_test_setup(figures_are_those_of_golden_cases, source_make),
        cmocka_unit_test_setup(a_run_that_fails_anyway_has_its_own_reason, source_make),
        cmocka_unit_test_setup(damaged_or_foreign_corpora_cannot_be_complete, source_make),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
