// SPDX-License-Identifier: Apache-2.0
// What the OpenCL backend says when there is no platform. No test here needs an OpenCL device.
#include "unit.h"

#include "opencl.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define EMPTY_FOLDER UNIT_BINARY_DIR "/empty-vendors"
#define STALE_FOLDER UNIT_BINARY_DIR "/stale-vendors"
#define STALE_FILE STALE_FOLDER "/gone.icd"
#define STALE_LIBRARY "/nowhere/libgone-opencl.so.1"

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static int setup(void **state)
{
    (void)state;
    (void)mkdir(EMPTY_FOLDER, 0777);
    (void)mkdir(STALE_FOLDER, 0777);
    write_file(STALE_FILE, STALE_LIBRARY "\n");
    write_file(STALE_FOLDER "/notes.txt", "not an icd file\n");
    // The loader reads this once, at its first call.
    return setenv("OCL_ICD_VENDORS", STALE_FOLDER, 1);
}

static void stale_icd_names_file_and_library(void **state)
{
    char sentence[1024];
    (void)state;
    assert_string_equal(opencl_diagnose_vendors(STALE_FOLDER, sentence, sizeof sentence), "opencl-library-gone");
    assert_non_null(strstr(sentence, STALE_FILE));
    assert_non_null(strstr(sentence, STALE_LIBRARY));
    assert_null(strstr(sentence, "notes.txt"));
}

static void one_icd_file_instead_of_a_folder(void **state)
{
    char sentence[1024];
    (void)state;
    assert_string_equal(opencl_diagnose_vendors(STALE_FILE, sentence, sizeof sentence), "opencl-library-gone");
    assert_non_null(strstr(sentence, STALE_LIBRARY));
}

static void empty_icd_file_is_stale(void **state)
{
    char sentence[1024];
    (void)state;
    write_file(EMPTY_FOLDER "/empty.icd", "");
    assert_string_equal(opencl_diagnose_vendors(EMPTY_FOLDER, sentence, sizeof sentence), "opencl-library-gone");
    assert_int_equal(remove(EMPTY_FOLDER "/empty.icd"), 0);
}

static void places_without_icd_files(void **state)
{
    static const char *const places[] = {EMPTY_FOLDER, "/dev/null", UNIT_BINARY_DIR "/no-such-folder"};
    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; ++i) {
        char sentence[1024];
        assert_string_equal(opencl_diagnose_vendors(places[i], sentence, sizeof sentence), "opencl-no-platform");
        assert_non_null(strstr(sentence, places[i]));
        assert_non_null(strstr(sentence, "no .icd file"));
    }
}

static void a_short_buffer_is_cut_not_overrun(void **state)
{
    char sentence[64];
    (void)state;
    memset(sentence, '#', sizeof sentence);
    assert_string_equal(opencl_diagnose_vendors(STALE_FOLDER, sentence, 32), "opencl-library-gone");
    assert_int_equal(strlen(sentence), 31);
    assert_int_equal(sentence[32], '#');
}

static void a_count_without_platform_says_why(void **state)
{
    int32_t count = -1;
    (void)state;
    assert_int_equal(nc_device_count(&count), NC_DEVICE_ERROR);
    assert_string_equal(nc_last_cause(), "opencl-library-gone");
    assert_non_null(strstr(nc_last_error(), "CL_PLATFORM_NOT_FOUND_KHR (-1001)"));
    assert_non_null(strstr(nc_last_error(), STALE_LIBRARY));
}

static void status_codes_have_names(void **state)
{
    (void)state;
    assert_string_equal(opencl_error_name(-1), "CL_DEVICE_NOT_FOUND");
    assert_string_equal(opencl_error_name(-54), "CL_INVALID_WORK_GROUP_SIZE");
    assert_string_equal(opencl_error_name(-1001), "CL_PLATFORM_NOT_FOUND_KHR");
    assert_string_equal(opencl_error_name(-4242), "unknown OpenCL status");
    assert_int_equal(opencl_fail(CL_MEM_OBJECT_ALLOCATION_FAILURE, "clCreateBuffer", "a buffer"), NC_OUT_OF_MEMORY);
    assert_string_equal(nc_last_error(), "clCreateBuffer: CL_MEM_OBJECT_ALLOCATION_FAILURE (-4): a buffer");
    assert_string_equal(nc_last_cause(), "");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(stale_icd_names_file_and_library, setup),
    cmocka_unit_test_setup(one_icd_file_instead_of_a_folder, setup),
    cmocka_unit_test_setup(empty_icd_file_is_stale, setup),
    cmocka_unit_test_setup(places_without_icd_files, setup),
    cmocka_unit_test_setup(a_short_buffer_is_cut_not_overrun, setup),
    cmocka_unit_test_setup(a_count_without_platform_says_why, setup),
    cmocka_unit_test(status_codes_have_names),
};

UNIT_MAIN(tests)
