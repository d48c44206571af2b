// SPDX-License-Identifier: Apache-2.0
// golden/SHA256SUMS: one byte of any line of any corpus changed, and the corpus is named. Works on a copy.
#include "unit.h"

#include "runner/job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char copy_directory[] = UNIT_BINARY_DIR "/golden";
static const golden_settings settings = {.directory = copy_directory, .oracle = ""};

static void directory_make(const char *path)
{
    assert_true(mkdir(path, 0777) == 0 || errno == EEXIST);
}

static void file_copy(const char *from, const char *to)
{
    char *data;
    size_t bytes;
    golden_error error = {""};
    assert_int_equal(golden_file_read(from, &data, &bytes, &error), GOLDEN_OK);
    assert_int_equal(golden_file_write(to, data, bytes, &error), GOLDEN_OK);
    free(data);
}

// Copies the files of one folder and removes what an earlier run may have left.
static size_t folder_copy(const char *folder, const char *ending)
{
    golden_names names;
    golden_error error = {""};
    char from[4096], to[4096];
    snprintf(to, sizeof to, "%s/%s", copy_directory, folder);
    directory_make(to);
    assert_int_equal(golden_names_list(CUPEL_GOLDEN_DIR, folder, ending, &names, &error), GOLDEN_OK);
    size_t count = names.count;
    for (size_t i = 0; i < count; ++i) {
        snprintf(from, sizeof from, "%s/%s/%s%s", CUPEL_GOLDEN_DIR, folder, names.at[i], ending);
        snprintf(to, sizeof to, "%s/%s/%s%s", copy_directory, folder, names.at[i], ending);
        file_copy(from, to);
    }
    golden_names_free(&names);
    return count;
}

static int golden_copy_make(void **state)
{
    (void)state;
    directory_make(copy_directory);
    assert_true(folder_copy("corpora", ".golden") >= 5);
    assert_true(folder_copy("inputs", ".inputs") >= 5);
    file_copy(CUPEL_GOLDEN_DIR "/bounds.tsv", UNIT_BINARY_DIR "/golden/bounds.tsv");
    file_copy(CUPEL_GOLDEN_DIR "/SHA256SUMS", UNIT_BINARY_DIR "/golden/SHA256SUMS");
    return 0;
}

static golden_status lock_check_after(const golden_results *results, const char *name, bool *named)
{
    golden_text lines = {0};
    golden_error error = {""};
    golden_status status = golden_sums_check(&settings, results, &lines, &error);
    *named = (lines.data && strstr(lines.data, name)) || strstr(error.text, name);
    golden_text_free(&lines);
    return status;
}

static golden_status lock_check(const char *name, bool *named)
{
    const golden_results nothing = {0};
    return lock_check_after(&nothing, name, named);
}

static void test_copy_holds(void **state)
{
    (void)state;
    bool named;
    assert_int_equal(lock_check("corpora", &named), GOLDEN_OK);
    assert_false(named);
}

typedef struct corpus_copy {
    char path[4096], *data;
    size_t bytes, lines;
} corpus_copy;

static void corpus_write(const corpus_copy *corpus)
{
    FILE *file = fopen(corpus->path, "r+b");
    assert_non_null(file);
    assert_int_equal(fwrite(corpus->data, 1, corpus->bytes, file), corpus->bytes);
    assert_int_equal(fclose(file), 0);
}

// The byte of line `wanted` (from 0) that is changed, any of its bytes.
static char *line_byte(const corpus_copy *corpus, size_t wanted, golden_random *random)
{
    golden_lines lines;
    golden_lines_start(&lines, corpus->data, corpus->bytes);
    while (golden_lines_next(&lines) && lines.number <= wanted) {
    }
    return corpus->data + (lines.line - corpus->data) + golden_random_below(random, lines.length ? lines.length : 1);
}

// One byte of one line of every corpus at a time, and every corpus is named: a check reads all of them, so its cost is that of the
// whole folder. The first lines all, where headers are; of the others some of every corpus.
static void test_every_line_counts(void **state)
{
    (void)state;
    enum { ROUNDS = 24, FIRST = 12, MOST = 64 };
    static corpus_copy corpora[MOST];
    golden_names names;
    golden_error error = {""};
    size_t silent = 0;
    golden_random random = {11};
    assert_int_equal(golden_names_list(copy_directory, "corpora", ".golden", &names, &error), GOLDEN_OK);
    assert_in_range(names.count, 5, MOST);
    for (size_t f = 0; f < names.count; ++f) {
        golden_lines lines;
        snprintf(corpora[f].path, sizeof corpora[f].path, "%s/corpora/%s.golden", copy_directory, names.at[f]);
        assert_int_equal(golden_file_read(corpora[f].path, &corpora[f].data, &corpora[f].bytes, &error), GOLDEN_OK);
        golden_lines_start(&lines, corpora[f].data, corpora[f].bytes);
        while (golden_lines_next(&lines)) {
            ++corpora[f].lines;
        }
        assert_true(corpora[f].lines > FIRST);
    }
    for (size_t round = 0; round < ROUNDS; ++round) {
        char *changed[MOST], before[MOST];
        for (size_t f = 0; f < names.count; ++f) {
            size_t line = round < FIRST ? round : FIRST + golden_random_below(&random, corpora[f].lines - FIRST);
            changed[f] = line_byte(&corpora[f], line, &random);
            before[f] = *changed[f];
            *changed[f] = before[f] == '1' ? '2' : '1';
            corpus_write(&corpora[f]);
        }
        golden_text lines = {0};
        const golden_results nothing = {0};
        assert_int_equal(golden_sums_check(&settings, &nothing, &lines, &error), GOLDEN_REFUSED);
        for (size_t f = 0; f < names.count; ++f) {
            char name[120];
            snprintf(name, sizeof name, "corpora/%s.golden", names.at[f]);
            silent += lines.data == NULL || strstr(lines.data, name) == NULL;
            *changed[f] = before[f];
            corpus_write(&corpora[f]);
        }
        golden_text_free(&lines);
    }
    for (size_t f = 0; f < names.count; ++f) {
        free(corpora[f].data);
        corpora[f] = (corpus_copy){0};
    }
    golden_names_free(&names);
    assert_int_equal(silent, 0);
    bool named;
    assert_int_equal(lock_check("corpora", &named), GOLDEN_OK); // all is restored
}

static void test_lock_itself(void **state)
{
    (void)state;
    char *data;
    size_t bytes;
    golden_error error = {""};
    bool named;
    const char *path = UNIT_BINARY_DIR "/golden/SHA256SUMS";
    assert_int_equal(golden_file_read(path, &data, &bytes, &error), GOLDEN_OK);
    size_t first = strcspn(data, "\n") + 1; // "<hash>  bounds.tsv"
    assert_int_equal(golden_file_write(path, data + first, bytes - first, &error), GOLDEN_OK);
    assert_int_equal(lock_check("bounds.tsv", &named), GOLDEN_REFUSED);
    assert_true(named);
    assert_int_equal(golden_file_write(path, data, bytes - 1, &error), GOLDEN_OK);
    assert_int_equal(lock_check("SHA256SUMS", &named), GOLDEN_REFUSED);
    assert_true(named);
    assert_int_equal(golden_file_write(path, data, bytes, &error), GOLDEN_OK);
    file_copy(path, UNIT_BINARY_DIR "/golden/corpora/extra.f64.golden"); // a corpus that nobody registered
    assert_int_equal(lock_check("extra.f64", &named), GOLDEN_REFUSED);
    assert_true(named);
    assert_int_equal(unlink(UNIT_BINARY_DIR "/golden/corpora/extra.f64.golden"), 0);
    free(data);
}

static void test_file_that_is_gone(void **state)
{
    (void)state;
    bool named;
    assert_int_equal(unlink(UNIT_BINARY_DIR "/golden/corpora/linalg.f64.golden"), 0);
    assert_int_equal(lock_check("corpora/linalg.f64.golden: is missing, and", &named), GOLDEN_REFUSED);
    assert_true(named);
}

// The line of a corpus that was made again byte for byte is to blame, and not the corpus.
static void test_changed_line_is_blamed(void **state)
{
    (void)state;
    char *data;
    size_t bytes;
    golden_error error = {""};
    golden_result made = {.name = "linalg.f64", .status = GOLDEN_OK};
    const golden_results results = {.count = 1, .at = &made};
    bool named;
    const char *path = UNIT_BINARY_DIR "/golden/SHA256SUMS";
    assert_int_equal(golden_file_read(path, &data, &bytes, &error), GOLDEN_OK);
    char *digit = strstr(data, "  corpora/linalg.f64.golden") - 1;
    *digit = *digit == '0' ? '1' : '0';
    assert_int_equal(golden_file_write(path, data, bytes, &error), GOLDEN_OK);
    assert_int_equal(lock_check_after(&results, "is not the SHA-256 of corpora/linalg.f64.golden", &named), GOLDEN_REFUSED);
    assert_true(named);
    made.status = GOLDEN_DIFFERS;
    assert_int_equal(lock_check_after(&results, "corpora/linalg.f64.golden: hash mismatch", &named), GOLDEN_REFUSED);
    assert_true(named);
    free(data);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(test_copy_holds, golden_copy_make),
    cmocka_unit_test_setup(test_every_line_counts, golden_copy_make),
    cmocka_unit_test_setup(test_lock_itself, golden_copy_make),
    cmocka_unit_test_setup(test_file_that_is_gone, golden_copy_make),
    cmocka_unit_test_setup(test_changed_line_is_blamed, golden_copy_make),
};

UNIT_MAIN(tests)
