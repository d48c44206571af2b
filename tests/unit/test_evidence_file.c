// SPDX-License-Identifier: Apache-2.0
// Evidence files: written whole, never over another, hashed by their bytes, links refused.
#include "unit.h"

#include "evidence_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char ABC_SHA256[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"; // FIPS 180-2, B.1

static const char *scratch(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", UNIT_BINARY_DIR, name);
    return path;
}

static int forget(void **state)
{
    (void)state;
    unlink(scratch("note"));
    unlink(scratch("link"));
    rmdir(scratch("folder"));
    return 0;
}

static void new_file_never_replaces(void **state)
{
    (void)state;
    cupel_file file;
    assert_true(evidence_file_write(UNIT_BINARY_DIR, "note", "first", 5, EVIDENCE_NEW));
    assert_false(evidence_file_write(UNIT_BINARY_DIR, "note", "second", 6, EVIDENCE_NEW));
    assert_int_equal(errno, EEXIST);
    assert_null(cupel_file_read(scratch("note"), 100, &file));
    assert_int_equal(file.length, 5);
    assert_string_equal(file.bytes, "first");
    cupel_file_free(&file);
}

static void replace_replaces(void **state)
{
    (void)state;
    assert_true(evidence_file_write(UNIT_BINARY_DIR, "note", "first", 5, EVIDENCE_NEW));
    assert_true(evidence_file_write(UNIT_BINARY_DIR, "note", "abc", 3, EVIDENCE_REPLACE));
    char hex[CUPEL_SHA256_HEX];
    uint64_t size = 0;
    assert_true(cupel_file_sha256(scratch("note"), hex, &size));
    assert_int_equal(size, 3);
    assert_string_equal(hex, ABC_SHA256);
    assert_true(evidence_bytes_sha256("abc", 3, hex));
    assert_string_equal(hex, ABC_SHA256);
}

static void links_and_folders_are_refused(void **state)
{
    (void)state;
    char hex[CUPEL_SHA256_HEX];
    char target[512];
    assert_true(evidence_file_write(UNIT_BINARY_DIR, "note", "abc", 3, EVIDENCE_NEW));
    snprintf(target, sizeof target, "%s", scratch("note"));
    assert_int_equal(symlink(target, scratch("link")), 0);
    assert_false(cupel_file_sha256(scratch("link"), hex, NULL));
    assert_false(cupel_file_sha256(UNIT_BINARY_DIR, hex, NULL));
}

static void directory_is_exclusive(void **state)
{
    (void)state;
    assert_true(evidence_directory_create(scratch("folder")));
    assert_false(evidence_directory_create(scratch("folder")));
    assert_int_equal(errno, EEXIST);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(new_file_never_replaces, forget, forget),
    cmocka_unit_test_setup_teardown(replace_replaces, forget, forget),
    cmocka_unit_test_setup_teardown(links_and_folders_are_refused, forget, forget),
    cmocka_unit_test_setup_teardown(directory_is_exclusive, forget, forget),
};
UNIT_MAIN(tests)
