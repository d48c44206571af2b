// SPDX-License-Identifier: Apache-2.0
// The corpus reader: one good file, and each kind of damage that goldens have suffered elsewhere, with its reason.
#include "unit.h"

#include "lib/corpus.h"

#include <stdlib.h>
#include <string.h>

static const char good[] = "#cupel-golden 1 corpus=demo.f64 dtype=f64 rows=6\n"
                           "id\tanswer\ttruth\terror\tbound\n"
                           "denorm\t0x1p-1074\t0x1p-1074\t0x0p+0\t0x1p-1\n"
                           "exp_0.1\t0x1.1aec7b35a00d4p+0\t0x1.1aec7b35a00d3b0ap+0\t0x1.3b8p-2\t0x1p-1\n"
                           "max\t0x1.fffffffffffffp+1023\t0x1.fffffffffffffp+1023\t0x0p+0\t0x1p-1\n"
                           "negzero\t-0x0p+0\t-0x0p+0\t0x0p+0\t0x1p-1\n"
                           "quotient\t0x1.6da02p+9\t0x1.6da02p+9\t0x0p+0\t0x1p-1\n"
                           "words/0\t1713891541\t1713891541\t0x0p+0\t0x0p+0\n"
                           "#end\n";

// `good` with the first `old` replaced by `new`; release with free.
static char *replaced(const char *old, const char *new)
{
    const char *at = strstr(good, old);
    assert_non_null(at);
    golden_text text = {0};
    golden_text_append(&text, good, (size_t)(at - good));
    golden_text_puts(&text, new);
    golden_text_puts(&text, at + strlen(old));
    assert_false(text.failed);
    return text.data;
}

static void refused_bytes(const char *data, size_t bytes, const char *reason)
{
    golden_corpus corpus;
    golden_error error = {""};
    golden_status status = golden_corpus_parse("demo.golden", data, bytes, NULL, NULL, &corpus, &error);
    if (status != GOLDEN_REFUSED || strstr(error.text, reason) == NULL || strstr(error.text, "demo.golden") == NULL) {
        print_message("expected a refusal with \"%s\", got status %d: %s\n", reason, (int)status, error.text);
    }
    assert_int_equal(status, GOLDEN_REFUSED);
    assert_non_null(strstr(error.text, reason));
    assert_non_null(strstr(error.text, "demo.golden"));
    assert_int_equal(corpus.count, 0);
}

static void no_rows_are_no_corpus(void **state)
{
    (void)state;
    static const char empty[] = "#cupel-golden 1 corpus=demo.f64 dtype=f64 rows=0\nid\tanswer\ttruth\terror\tbound\n#end\n";
    refused_bytes(empty, sizeof empty - 1, "no row");
}

static void refused(const char *old, const char *new, const char *reason)
{
    char *text = replaced(old, new);
    refused_bytes(text, strlen(text), reason);
    free(text);
}

static void test_good(void **state)
{
    (void)state;
    golden_corpus corpus;
    golden_error error = {""};
    golden_text text = {0};
    assert_int_equal(golden_corpus_parse("demo.golden", good, sizeof good - 1, NULL, NULL, &corpus, &error), GOLDEN_OK);
    assert_int_equal(corpus.count, 6);
    assert_string_equal(corpus.name, "demo.f64");
    assert_string_equal(golden_corpus_find(&corpus, "negzero")->answer, "-0x0p+0");
    assert_null(golden_corpus_find(&corpus, "negzer"));
    assert_int_equal(golden_corpus_format(&corpus, &text, &error), GOLDEN_OK);
    assert_string_equal(text.data, good); // one canonical form: written as it was read
    golden_text_free(&text);
    golden_corpus_free(&corpus);
}

static void test_line_ends_and_marks(void **state)
{
    (void)state;
    golden_text text = {0};
    for (const char *at = good; *at != '\0'; ++at) {
        golden_text_puts(&text, *at == '\n' ? "\r" : "");
        golden_text_append(&text, at, 1);
    }
    refused_bytes(text.data, text.length, "CRLF");
    golden_text_free(&text);
    refused("#cupel", "\xef\xbb\xbf#cupel", "BOM");
    refused("max\t", "max\t\r", "CRLF");
    static const char pointer[] = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 369\n";
    refused_bytes(pointer, sizeof pointer - 1, "LFS pointer");
    refused_bytes("", 0, "empty");
    static const char binary[] = "\x01\x02\x03\x04\0\0\0\0\n"; // a vector file in either byte order is no corpus
    refused_bytes(binary, sizeof binary - 1, "zero byte");
}

static void test_truncation(void **state)
{
    (void)state;
    // Every prefix of the file is refused, never read as a shorter corpus.
    for (size_t length = 1; length < sizeof good - 1; ++length) {
        golden_corpus corpus;
        golden_error error = {""};
        assert_int_equal(golden_corpus_parse("demo.golden", good, length, NULL, NULL, &corpus, &error), GOLDEN_REFUSED);
    }
    refused("#end\n", "", "no #end");
    refused("rows=6", "rows=7", "rows=7");
    refused("negzero\t-0x0p+0\t-0x0p+0\t0x0p+0\t0x1p-1\n", "", "rows=6, has 5");
    refused("#end\n", "#end\nmore\n", "follows #end");
    refused("#end\n", "#end\n#end\n", "follows #end");
}

static void test_order_and_duplicates(void **state)
{
    (void)state;
    refused("max\t", "words\t", "out of order");
    refused("max\t", "exp_0.1\t", "duplicate id exp_0.1");
    refused("negzero\t-0x0p+0\t-0x0p+0", "max\t0x1.fffffffffffffp+1023\t0x1.fffffffffffffp+1023",
            "duplicate id max"); // equal lines too
    refused("quotient", "denorm", "duplicate id denorm");
    refused("max\t", "Max\t", "bad id");
    refused("max\t", "\t", "bad id");
    refused("words/0", "words/", "bad id");
    refused("words/0", "words/0/1", "bad id");
}

static void test_headers(void **state)
{
    (void)state;
    refused("id\tanswer", "#generated 2026-02-03 04:05:06 on node7\nid\tanswer", "volatile");
    refused("max\t", "#generated today\nmax\t", "volatile");
    refused("rows=6", "rows=6 date=today", "header");
    refused("rows=6", "rows=06", "header");
    refused("#cupel-golden 1", "#cupel-golden 2", "header");
    refused("dtype=f64", "dtype=f16", "header");
    refused("#cupel-golden 1 corpus=demo.f64 dtype=f64 rows=6", "", "header"); // an empty line is none
    refused("\terror\tbound", "\tbound\terror", "column header");
    refused("\nmax", "\n\nmax", "fields");
    refused("0x1.6da02p+9\t0x1.6da02p+9\t", "0x1.6da02p+9\t", "4 fields");
    refused("\t0x0p+0\n#end", "\t0x0p+0\t0\n#end", "6 fields");
}

static void test_numbers(void **state)
{
    (void)state;
    static const char *const bad[] = {"1.1051709180756477",
                                      "1,10",
                                      "0x1.1aec7b35a00d40p+0",
                                      "0X1p+0",
                                      "1e+9999",
                                      "-Infinity",
                                      "null",
                                      "1.#QNAN",
                                      "-nan(ind)",
                                      "NaN",
                                      "0x1p+1024",
                                      "0x0.0000000000001p-1022",
                                      "",
                                      "0x1,1p+0",
                                      " 0x1p+0",
                                      "0x1p+0 "};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        refused("0x1.1aec7b35a00d4p+0", bad[i], "exp_0.1: bad number in column answer");
    }
    refused("0x1.1aec7b35a00d3b0ap+0", "0x1.1aec7b35a00d3b0a00000000000000000000000001p+0", "column truth"); // more than 160 bits
    refused("0x1.3b8p-2", "-0x1.3b8p-2", "column error");
    refused("0x1.3b8p-2", "inf", "column error");
    refused("0x1.3b8p-2\t0x1p-1", "0x1.3b8p-2\tnan", "column bound");
    refused("0x1.3b8p-2\t0x1p-1", "0x1.3b8p-2\t4503599627370496", "column bound");
    refused("0x1.3b8p-2\t0x1p-1", "-\t-", "column error"); // only the hash of a bulk row may go without
    refused("1713891541\t1713891541", "sha256:abc\t-", "column answer");
}

static bool only_max(const char *id, void *context)
{
    (void)context;
    return strcmp(id, "max") == 0;
}

static void test_nan_declared(void **state)
{
    (void)state;
    golden_corpus corpus;
    golden_error error = {""};
    refused("0x1.fffffffffffffp+1023\t0x1.fffffffffffffp+1023", "nan\tnan", "max holds nan");
    refused("\t0x1.6da02p+9\t0x1.6da02p+9", "\t0x1.6da02p+9\tnan", "quotient holds nan");
    char *text = replaced("0x1.fffffffffffffp+1023\t0x1.fffffffffffffp+1023", "nan\tnan");
    assert_int_equal(golden_corpus_parse("demo.golden", text, strlen(text), only_max, NULL, &corpus, &error), GOLDEN_OK);
    golden_corpus_free(&corpus);
    free(text);
}

// Any one byte changed to another one either is refused or changes what is read: nothing in the file is decoration.
static void test_every_byte_counts(void **state)
{
    (void)state;
    size_t silent = 0;
    for (size_t i = 0; i < sizeof good - 1; ++i) {
        char copy[sizeof good];
        memcpy(copy, good, sizeof good);
        copy[i] = copy[i] == '1' ? '2' : '1';
        golden_corpus corpus;
        golden_error error = {""};
        golden_text text = {0};
        if (golden_corpus_parse("demo.golden", copy, sizeof good - 1, NULL, NULL, &corpus, &error) == GOLDEN_OK) {
            assert_int_equal(golden_corpus_format(&corpus, &text, &error), GOLDEN_OK);
            silent += strcmp(text.data, good) == 0;
            golden_text_free(&text);
        }
        golden_corpus_free(&corpus);
    }
    assert_int_equal(silent, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_good),
    cmocka_unit_test(test_line_ends_and_marks),
    cmocka_unit_test(test_truncation),
    cmocka_unit_test(no_rows_are_no_corpus),
    cmocka_unit_test(test_headers),
    cmocka_unit_test(test_order_and_duplicates),
    cmocka_unit_test(test_numbers),
    cmocka_unit_test(test_nan_declared),
    cmocka_unit_test(test_every_byte_counts),
};

UNIT_MAIN(tests)
