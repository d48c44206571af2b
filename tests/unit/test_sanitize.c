// SPDX-License-Identifier: Apache-2.0
// The sanitiser: what names a person, machine or secret goes, the same value becomes the same placeholder, and the rest stays. The
// texts stand in sanitize_cases/goes.txt and sanitize_cases/stays.txt.
#include "unit.h"

#include "sanitize_audit.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_BYTES = 4096, BLOCKS_LEAST = 150, STAYS_LEAST = 80, AUDITED_LEAST = 110 };

static char *sanitize(evidence_sanitizer *sanitizer, const char *text)
{
    evidence_sanitizer_scan(sanitizer, text);
    char *clean = evidence_sanitizer_apply(sanitizer, text);
    assert_non_null(clean);
    assert_false(sanitizer->lost);
    return clean;
}

// True when the second opinion finds something in `copy`, knowing the original and the sanitiser's values.
static bool is_leaky(const evidence_sanitizer *sanitizer, const char *original, const char *copy)
{
    evidence_audit audit = {0};
    evidence_leak leak;
    evidence_audit_learn(&audit, original);
    evidence_audit_learn_values(&audit, sanitizer);
    assert_false(audit.lost);
    const bool found = evidence_audit_find(&audit, copy, &leak);
    evidence_audit_free(&audit);
    return found;
}

static void expect(const char *text, const char *wanted)
{
    evidence_sanitizer sanitizer = {0};
    char *clean = sanitize(&sanitizer, text);
    assert_string_equal(clean, wanted);
    free(clean);
    evidence_sanitizer_free(&sanitizer);
}

// One block of sanitize_cases/goes.txt.
typedef struct block {
    char text[LINE_MAX_BYTES];
    char wanted[LINE_MAX_BYTES];
} block;

static bool block_read(FILE *file, block *one)
{
    char line[LINE_MAX_BYTES];
    *one = (block){"", ""};
    while (fgets(line, sizeof line, file) != NULL) {
        char *into = line[0] == '<' ? one->text : line[0] == '>' ? one->wanted : NULL;
        if (into == NULL && one->text[0] != '\0') {
            return true;
        }
        if (into != NULL) {
            assert_true(strlen(into) + strlen(line) < sizeof one->text);
            strcat(into, line + 2);
        }
    }
    return one->text[0] != '\0';
}

// Every kind of line goes; a copy of the copy is the copy; and the second opinion objects to the text itself, as if nothing had
// been replaced, wherever a value of it goes everywhere, but never to the copy.
static void what_tools_print_goes(void **state)
{
    (void)state;
    block one;
    size_t blocks = 0;
    size_t audited = 0;
    evidence_frame_set frames = {0}; // lent to one sanitiser after another; expect() lends none
    FILE *file = fopen(SANITIZE_GOES, "r");
    assert_non_null(file);
    while (block_read(file, &one)) {
        evidence_sanitizer sanitizer = {.frames = &frames};
        char *clean = sanitize(&sanitizer, one.text);
        assert_string_equal(clean, one.wanted);
        expect(one.wanted, one.wanted);
        bool goes_everywhere = false;
        for (size_t i = 0; i < sanitizer.count; ++i) {
            goes_everywhere = goes_everywhere || sanitizer.values[i].is_everywhere;
        }
        if (goes_everywhere && !is_leaky(&sanitizer, one.text, one.text)) {
            fail_msg("the second opinion finds nothing in\n%s", one.text);
        }
        if (is_leaky(&sanitizer, one.text, clean)) {
            fail_msg("the second opinion objects to\n%s", clean);
        }
        audited += goes_everywhere;
        ++blocks;
        free(clean);
        evidence_sanitizer_free(&sanitizer);
    }
    fclose(file);
    evidence_frame_set_free(&frames);
    assert_true(blocks >= BLOCKS_LEAST);
    assert_true(audited >= AUDITED_LEAST);
}

// Alone and all together, where a value of one line could take away a part of another.
static void what_a_receipt_needs_stays(void **state)
{
    (void)state;
    char line[LINE_MAX_BYTES];
    char whole[16 * LINE_MAX_BYTES] = "";
    size_t lines = 0;
    FILE *file = fopen(SANITIZE_STAYS, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (lines > 0 || line[0] != '#') {
            expect(line, line);
            assert_true(strlen(whole) + strlen(line) < sizeof whole);
            strcat(whole, line);
        }
        ++lines;
    }
    fclose(file);
    expect(whole, whole);
    assert_true(lines >= STAYS_LEAST);
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
        {"MIG-GPU-0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9 0a1b2c3d4e5f60718293a4b5c6d7e8f9", "[uuid-1] [uuid-1]"},
        {"UUID=5eed5eed00000000", "UUID=[uuid-1]"},
        {"02:00:5e:1a:2b:3c 02-00-5E-1A-2B-3C 02005e1a2b3c", "[mac-1] [mac-1] [mac-1]"},
        {"host: Node17.lab, node17.LAB", "host: [host-1], [host-1]"},
        {"FD00:ABCD::42 fd00:abcd::42 2001:db8::", "[address-1] [address-1] [address-2]"},
        {"a 0a1b2c3d4e5f60718293a4b5c6d7e8f9 b", "a 0a1b2c3d4e5f60718293a4b5c6d7e8f9 b"}, // a nonce, since no UUID is known
        {"DEPLOY_TOKEN=s3cr3t\r\nit said s3cr3t", "DEPLOY_TOKEN=[secret-1]\r\nit said [secret-1]"},
        {"USER=mmuster MMuster", "USER=[account-1] [account-1]"},
        {"host: node17.lab.example\nnode17 and node18.lab.example", "host: [host-1]\n[host-2] and node18.[host-3]"},
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; ++i) {
        expect(forms[i][0], forms[i][1]);
    }
}

static void secrets_of_the_environment_go_wherever_they_stand(void **state)
{
    (void)state;
    static const char *const names[] = {"UNIT_deploy_token", "UNIT_API_KEY", "UNIT_DB_PASSWORD", "UNIT_CREDENTIALS", "UNIT_SECRET"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        evidence_sanitizer sanitizer = {0};
        assert_int_equal(setenv(names[i], "Zq81-not-in-any-form", 1), 0);
        evidence_sanitizer_know_here(&sanitizer);
        assert_int_equal(unsetenv(names[i]), 0);
        char *clean = sanitize(&sanitizer, "it said Zq81-not-in-any-form here");
        assert_non_null(strstr(clean, "it said [secret-"));
        assert_null(strstr(clean, "Zq81"));
        free(clean);
        evidence_sanitizer_free(&sanitizer);
    }
}

static void what_was_removed_is_counted_by_kind(void **state)
{
    (void)state;
    evidence_sanitizer sanitizer = {0};
    char *clean = sanitize(&sanitizer, "uuid: GPU-0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9 0a1b2c3d4e5f60718293a4b5c6d7e8f9\n"
                                       "{\"pid\": 4711, \"ctest_pid\":4700, \"ctest_start\": 123456}\nAPI_TOKEN=tok-Zq81xx\n");
    json_t *counts = evidence_sanitizer_counts(&sanitizer);
    const json_t *uuid = json_object_get(counts, "uuid");
    assert_int_equal(json_integer_value(json_object_get(uuid, "values")), 1);
    assert_int_equal(json_integer_value(json_object_get(uuid, "occurrences")), 2);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(counts, "pid"), "values")), 3);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(counts, "secret"), "values")), 1);
    assert_null(json_object_get(counts, "mac"));
    json_decref(counts);
    free(clean);
    evidence_sanitizer_free(&sanitizer);
}

static void numbers_of_json_stay_numbers(void **state)
{
    (void)state;
    evidence_sanitizer sanitizer = {0};
    char *clean = sanitize(&sanitizer, "{\"pid\": 4711, \"values\": 4711, \"serial\": 1325099991234, \"job_id\": 9182734}");
    json_t *object = json_loads(clean, 0, NULL);
    assert_non_null(object);
    assert_int_equal(json_integer_value(json_object_get(object, "pid")), 1);
    assert_int_equal(json_integer_value(json_object_get(object, "values")), 4711);
    assert_int_equal(json_integer_value(json_object_get(object, "serial")), 1);
    assert_int_equal(json_integer_value(json_object_get(object, "job_id")), 1);
    json_decref(object);
    free(clean);
    evidence_sanitizer_free(&sanitizer);
}

static void known_values_go_only_as_whole_words(void **state)
{
    (void)state;
    evidence_sanitizer sanitizer = {0};
    evidence_sanitizer_know(&sanitizer, EVIDENCE_ACCOUNT, "ann");
    evidence_sanitizer_know(&sanitizer, EVIDENCE_ACCOUNT, "root"); // names nobody
    evidence_sanitizer_know(&sanitizer, EVIDENCE_PATH, "/");       // names nothing
    evidence_sanitizer_know(&sanitizer, EVIDENCE_HOST, NULL);
    char *clean = sanitize(&sanitizer, "ann annotation /ann/ root {\"text\": \"one\\nann\"}");
    assert_string_equal(clean, "[account-1] annotation /[account-1]/ root {\"text\": \"one\\n[account-1]\"}");
    free(clean);
    evidence_sanitizer_free(&sanitizer);
}

// A host "cuda" and accounts "test" and "huber", where the attempt is about the case "huber.newton" of a suite with that backend.
static void names_that_are_words_go_in_their_places_alone(void **state)
{
    (void)state;
    static const char text[] = "{\"backend\": \"cuda\", \"name\": \"huber.newton\", \"passed\": 3}\n"
                               "HOSTNAME=cuda user=test LOGNAME=huber in /home/huber/x: test huber.newton of cuda passed\n";
    evidence_sanitizer sanitizer = {0};
    evidence_sanitizer_keep_members(&sanitizer, text);
    evidence_sanitizer_know(&sanitizer, EVIDENCE_HOST, "cuda");
    evidence_sanitizer_know(&sanitizer, EVIDENCE_ACCOUNT, "test");
    evidence_sanitizer_know(&sanitizer, EVIDENCE_ACCOUNT, "huber");
    evidence_sanitizer_know(&sanitizer, EVIDENCE_ACCOUNT, "passed");
    char *clean = sanitize(&sanitizer, text);
    assert_string_equal(clean,
                        "{\"backend\": \"cuda\", \"name\": \"huber.newton\", \"passed\": 3}\n"
                        "HOSTNAME=[host-1] user=[account-1] LOGNAME=[account-2] in [path-1]/x: test huber.newton of cuda passed\n");
    assert_false(is_leaky(&sanitizer, text, clean));
    assert_true(is_leaky(&sanitizer, text, text));
    free(clean);
    evidence_sanitizer_free(&sanitizer);
}

// What the second opinion knows without the sanitiser, and where it says that it stands.
static void second_opinion_needs_no_sanitizer(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        evidence_kind kind;
        size_t line;
        const char *member;
    } leaks[] = {
        {"one\n{\"a\": 1, \"uuid\": \"GPU-0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9\"}", EVIDENCE_UUID, 2, "uuid"},
        {"x 0A1B2C3D-4E5F-6071-8293-A4B5C6D7E8F9", EVIDENCE_UUID, 1, ""},
        {"ether 02:00:5e:1a:2b:3c: up", EVIDENCE_MAC, 1, ""},
        {"\n\n==12== Memcheck", EVIDENCE_PID, 3, ""},
        {"{\"pid\": 4711}", EVIDENCE_PID, 1, "pid"},
        {"in /home/ann", EVIDENCE_PATH, 1, ""},
        {"data race (pid=4711)", EVIDENCE_PID, 1, ""},
        {"ghp_0123456789abcdefghij", EVIDENCE_SECRET, 1, ""},
        {"-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC", EVIDENCE_SECRET, 1, ""},
        {"{\"build\": \"/opt/build/cupel\"}", EVIDENCE_PATH, 1, "build"},
    };
    for (size_t i = 0; i < sizeof leaks / sizeof leaks[0]; ++i) {
        evidence_audit audit = {0};
        evidence_leak leak;
        evidence_audit_learn(&audit, leaks[i].text);
        if (!evidence_audit_find(&audit, leaks[i].text, &leak)) {
            fail_msg("nothing is found in %s", leaks[i].text);
        }
        assert_int_equal(leak.kind, leaks[i].kind);
        assert_int_equal(leak.line, leaks[i].line);
        assert_string_equal(leak.member, leaks[i].member);
        evidence_audit_free(&audit);
    }
}

static void second_opinion_finds_a_value_that_was_left(void **state)
{
    (void)state;
    evidence_sanitizer sanitizer = {0};
    evidence_sanitizer_know(&sanitizer, EVIDENCE_HOST, "node17");
    assert_true(is_leaky(&sanitizer, "", "on NODE17 again"));
    assert_false(is_leaky(&sanitizer, "", "on node170 again"));
    evidence_sanitizer_free(&sanitizer);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_tools_print_goes),
    cmocka_unit_test(what_a_receipt_needs_stays),
    cmocka_unit_test(same_value_in_another_form),
    cmocka_unit_test(secrets_of_the_environment_go_wherever_they_stand),
    cmocka_unit_test(what_was_removed_is_counted_by_kind),
    cmocka_unit_test(numbers_of_json_stay_numbers),
    cmocka_unit_test(known_values_go_only_as_whole_words),
    cmocka_unit_test(names_that_are_words_go_in_their_places_alone),
    cmocka_unit_test(second_opinion_needs_no_sanitizer),
    cmocka_unit_test(second_opinion_finds_a_value_that_was_left),
};
UNIT_MAIN(tests)
