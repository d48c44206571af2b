// SPDX-License-Identifier: Apache-2.0
// The sanitiser: what names a person, machine or secret goes, the same value becomes the same placeholder, and the rest stays.
#include "unit.h"

#include "sanitize.h"

#include <stdlib.h>
#include <string.h>

static const char LEAKY[] = "host: node-17.cluster.example\n"
                            "user: mmuster4 home: /home/mmuster4/src\n"
                            "uuid: GPU-0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9\n"
                            "serial: 1325099991234\n"
                            "mac: 02:00:5e:1a:2b:3c\n"
                            "ipv4: 10.21.30.44 ipv6: fd00:abcd::42\n"
                            "env: DEPLOY_API_TOKEN=tok_QWERTZUIOPASDF\n"
                            "mail: m.muster@lab.example\n"
                            "again: /home/mmuster4/src/build and GPU-0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9\n"
                            "at: /scratch/jobs/77/build/bin/suite-rng-cpu\n"
                            "{\"pid\": 4711, \"ctest_pid\":4700, \"ctest_start\": 123456}\n"
                            "stays: driver 570.86.15, 22:03:08, /usr/bin/ctest, https://in-toto.io/Statement/v1\n"
                            "stays: 0f343b0931126a20f133d67c2b018a3b3f0a0b3f4f6b2a8f9c5d1e2a3b4c5d6e mmuster4000\n";

static const char *const GONE[] = {"node-17.cluster.example",
                                   "/home/mmuster4",
                                   "GPU-0a1b2c3d",
                                   "1325099991234",
                                   "02:00:5e:1a:2b:3c",
                                   "10.21.30.44",
                                   "fd00:abcd::42",
                                   "tok_QWERTZUIOPASDF",
                                   "m.muster@lab.example",
                                   "/scratch/jobs",
                                   "4711",
                                   "4700",
                                   "123456",
                                   "user: mmuster4"};
static const char *const STAYS[] = {"570.86.15",
                                    "22:03:08",
                                    "/usr/bin/ctest",
                                    "https://in-toto.io/Statement/v1",
                                    "0f343b0931126a20f133d67c2b018a3b3f0a0b3f4f6b2a8f9c5d1e2a3b4c5d6e",
                                    "mmuster4000",
                                    "suite-rng-cpu"};

static char *sanitize(evidence_sanitizer *sanitizer, const char *text)
{
    evidence_sanitizer_scan(sanitizer, text);
    char *clean = evidence_sanitizer_apply(sanitizer, text);
    assert_non_null(clean);
    assert_false(sanitizer->lost);
    assert_null(evidence_sanitizer_find(sanitizer, clean));
    return clean;
}

static void every_kind_goes_and_the_rest_stays(void **state)
{
    (void)state;
    evidence_sanitizer sanitizer = {0};
    char *clean = sanitize(&sanitizer, LEAKY);
    for (size_t i = 0; i < sizeof GONE / sizeof GONE[0]; ++i) {
        if (strstr(clean, GONE[i]) != NULL) {
            fail_msg("%s still stands in\n%s", GONE[i], clean);
        }
    }
    for (size_t i = 0; i < sizeof STAYS / sizeof STAYS[0]; ++i) {
        if (strstr(clean, STAYS[i]) == NULL) {
            fail_msg("%s is gone from\n%s", STAYS[i], clean);
        }
    }
    free(clean);
    evidence_sanitizer_free(&sanitizer);
}

static void same_value_same_placeholder(void **state)
{
    (void)state;
    evidence_sanitizer sanitizer = {0};
    char *clean = sanitize(&sanitizer, LEAKY);
    const char *first = strstr(clean, "[uuid-1]");
    assert_non_null(first);
    assert_non_null(strstr(first + 1, "[uuid-1]"));
    assert_null(strstr(clean, "[uuid-2]"));
    free(clean);
    evidence_sanitizer_free(&sanitizer);
}

// One value, however it is written: with the driver's prefix or without, in upper or lower case, without dashes or with colons.
static void same_value_in_another_form(void **state)
{
    (void)state;
    static const char *const forms[][2] = {
        {"uuid: GPU-0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9, 0A1B2C3D-4E5F-6071-8293-A4B5C6D7E8F9, "
         "gpu-0a1b2c3d4e5f60718293a4b5c6d7e8f9, "
         "0a1b2c3d4e5f60718293a4b5c6d7e8f9",
         "uuid: [uuid-1], [uuid-1], [uuid-1], [uuid-1]"},
        {"MIG-0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9", "[uuid-1]"},
        {"UUID=5eed5eed00000000", "UUID=[uuid-1]"},
        {"02:00:5e:1a:2b:3c 02-00-5E-1A-2B-3C 02005e1a2b3c", "[mac-1] [mac-1] [mac-1]"},
        {"host: Node17.lab, node17.LAB", "host: [host-1], [host-1]"},
        {"FD00:ABCD::42 fd00:abcd::42 2001:db8::", "[address-1] [address-1] [address-2]"},
        {"a 0a1b2c3d4e5f60718293a4b5c6d7e8f9 b", "a 0a1b2c3d4e5f60718293a4b5c6d7e8f9 b"}, // a nonce, since no UUID is known
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; ++i) {
        evidence_sanitizer sanitizer = {0};
        char *clean = sanitize(&sanitizer, forms[i][0]);
        assert_string_equal(clean, forms[i][1]);
        free(clean);
        evidence_sanitizer_free(&sanitizer);
    }
}

static void secrets_go_wherever_they_stand(void **state)
{
    (void)state;
    static const char *const forms[][2] = {
        {"https://ann:hunter2hunter2@lab.example/x hunter2hunter2", "https://[account-1]:[email-1]/x [secret-1]"},
        {"Authorization: Bearer abcDEF123456.xyz", "Authorization: Bearer [secret-1]"},
        {"access_token=abcdef123456", "access_token=[secret-1]"},
        {"{\"api_key\": \"abcdef123456\"}", "{\"api_key\": \"[secret-1]\"}"},
        {"unknown token: identifier", "unknown token: identifier"},
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; ++i) {
        evidence_sanitizer sanitizer = {0};
        char *clean = sanitize(&sanitizer, forms[i][0]);
        assert_string_equal(clean, forms[i][1]);
        free(clean);
        evidence_sanitizer_free(&sanitizer);
    }
    evidence_sanitizer sanitizer = {0};
    assert_int_equal(setenv("UNIT_deploy_token", "Zq81-not-in-any-form", 1), 0);
    evidence_sanitizer_know_here(&sanitizer);
    char *clean = sanitize(&sanitizer, "it said Zq81-not-in-any-form here");
    assert_string_equal(clean, "it said [secret-1] here");
    free(clean);
    evidence_sanitizer_free(&sanitizer);
}

static void what_was_removed_is_counted_by_kind(void **state)
{
    (void)state;
    evidence_sanitizer sanitizer = {0};
    char *clean = sanitize(&sanitizer, LEAKY);
    json_t *counts = evidence_sanitizer_counts(&sanitizer);
    const json_t *uuid = json_object_get(counts, "uuid");
    assert_int_equal(json_integer_value(json_object_get(uuid, "values")), 1);
    assert_int_equal(json_integer_value(json_object_get(uuid, "occurrences")), 2);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(counts, "pid"), "values")), 3);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(counts, "secret"), "values")), 1);
    json_decref(counts);
    free(clean);
    evidence_sanitizer_free(&sanitizer);
}

static void process_ids_stay_numbers(void **state)
{
    (void)state;
    evidence_sanitizer sanitizer = {0};
    char *clean = sanitize(&sanitizer, "{\"pid\": 4711, \"values\": 4711}");
    json_t *object = json_loads(clean, 0, NULL);
    assert_non_null(object);
    assert_int_equal(json_integer_value(json_object_get(object, "pid")), 1);
    assert_int_equal(json_integer_value(json_object_get(object, "values")), 4711);
    json_decref(object);
    free(clean);
    evidence_sanitizer_free(&sanitizer);
}

static void known_values_go_only_as_whole_words(void **state)
{
    (void)state;
    evidence_sanitizer sanitizer = {0};
    evidence_sanitizer_know(&sanitizer, "account", "ann");
    evidence_sanitizer_know(&sanitizer, "account", "root"); // names nobody
    evidence_sanitizer_know(&sanitizer, "path", "/");       // too short to name anything
    char *clean = sanitize(&sanitizer, "ann annotation /ann/ root");
    assert_string_equal(clean, "[account-1] annotation /[account-1]/ root");
    free(clean);
    evidence_sanitizer_free(&sanitizer);
}

static void scan_finds_a_value_that_was_left(void **state)
{
    (void)state;
    evidence_sanitizer sanitizer = {0};
    evidence_sanitizer_know(&sanitizer, "host", "node17");
    const evidence_value *left = evidence_sanitizer_find(&sanitizer, "on node17 again");
    assert_non_null(left);
    assert_string_equal(left->kind, "host");
    assert_null(evidence_sanitizer_find(&sanitizer, "on node170 again"));
    evidence_sanitizer_free(&sanitizer);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_kind_goes_and_the_rest_stays),  cmocka_unit_test(same_value_same_placeholder),
    cmocka_unit_test(what_was_removed_is_counted_by_kind), cmocka_unit_test(process_ids_stay_numbers),
    cmocka_unit_test(same_value_in_another_form),          cmocka_unit_test(secrets_go_wherever_they_stand),
    cmocka_unit_test(known_values_go_only_as_whole_words), cmocka_unit_test(scan_finds_a_value_that_was_left),
};
UNIT_MAIN(tests)
