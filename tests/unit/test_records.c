// SPDX-License-Identifier: Apache-2.0
// Readers of manifest, run record, device record and nonce: what is legal is read, every other form has its reason.
#include "unit.h"

#include "claims.h"
#include "ledger.h"
#include "manifest.h"
#include "records.h"

#include <stdlib.h>
#include <string.h>

static void text_write(const char *name, const char *text, char path[512])
{
    snprintf(path, 512, UNIT_BINARY_DIR "/%s", name);
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(text, 1, strlen(text), out), strlen(text));
    assert_int_equal(fclose(out), 0);
}

static void only_reason(const cupel_findings *findings, cupel_reason reason, const char *what)
{
    if (findings->count == 0 || cupel_findings_count(findings, reason) != findings->count) {
        fail_msg("%s: expected only %s, found %zu findings, the first: %s", what, cupel_reason_get(reason)->code, findings->count,
                 findings->count == 0 ? "none" : findings->items[0].text);
    }
}

static void good_manifest(void **state)
{
    (void)state;
    char path[512];
    cupel_manifest manifest;
    cupel_findings findings = {0};
    text_write("good.cases",
               "# comment\nlinalg.dot.f32 run values=10 claims=values\nlinalg.dot.f64 run values=20 launches=1..4 uploaded=0..0 "
               "downloaded=8..16 claims=a,gradient_2\n"
               "model.gradient.f64 unsupported fp64 the device has no float64\n",
               path);
    assert_true(cupel_manifest_read(path, &manifest, &findings));
    assert_int_equal(findings.count, 0);
    assert_int_equal(manifest.count, 3);
    assert_int_equal(manifest.run_count, 2);
    const cupel_manifest_case *entry = cupel_manifest_find(&manifest, "linalg.dot.f64");
    assert_non_null(entry);
    assert_true(entry->runs && entry->values == 20);
    assert_true(entry->launches.limited && entry->launches.least == 1 && entry->launches.most == 4);
    assert_true(entry->uploaded.limited && entry->uploaded.least == 0 && entry->uploaded.most == 0);
    assert_true(entry->downloaded.limited && entry->downloaded.least == 8 && entry->downloaded.most == 16);
    assert_false(cupel_manifest_find(&manifest, "linalg.dot.f32")->launches.limited);
    assert_int_equal(entry->line, 3);
    assert_string_equal(entry->claims, "a,gradient_2");
    assert_true(cupel_claims_listed(entry->claims, "a") && cupel_claims_listed(entry->claims, "gradient_2"));
    assert_false(cupel_claims_listed(entry->claims, "gradient") || cupel_claims_listed(NULL, "a"));
    assert_string_equal(cupel_manifest_find(&manifest, "linalg.dot.f32")->claims, "values");
    entry = cupel_manifest_find(&manifest, "model.gradient.f64");
    assert_string_equal(entry->probe, "fp64");
    assert_string_equal(entry->reason, "the device has no float64");
    assert_null(cupel_manifest_find(&manifest, "linalg.dot"));
    assert_true(cupel_case_in_suite("linalg.dot", "linalg") && !cupel_case_in_suite("linalg.dot", "lin") &&
                !cupel_case_in_suite("linalg.dot", "linalg.dot"));
    cupel_manifest_free(&manifest);
}

static void bad_manifests(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        cupel_reason reason;
    } rows[] = {
        {"", CUPEL_REASON_MANIFEST_EMPTY},
        {"# nothing\n", CUPEL_REASON_MANIFEST_EMPTY},
        {"a.gradient unsupported fp64 absent\n", CUPEL_REASON_MANIFEST_EMPTY},
        {"b.x run values=1\na.x run values=1\n", CUPEL_REASON_MANIFEST_UNSORTED},
        {"a.x run values=1\na.x run values=1\n", CUPEL_REASON_MANIFEST_DUPLICATE},
        {"a.x run values=1", CUPEL_REASON_MANIFEST_MALFORMED},
        {"a.x run values=1\n\n", CUPEL_REASON_MANIFEST_MALFORMED},
        {"a.x run values=1\r\n", CUPEL_REASON_MANIFEST_MALFORMED},
        {"\xef\xbb\xbf"
         "a.x run values=1\n",
         CUPEL_REASON_MANIFEST_MALFORMED},
        {"a.x run values=0\n", CUPEL_REASON_MANIFEST_MALFORMED},
        {"a.x run values=-1\n", CUPEL_REASON_MANIFEST_MALFORMED},
        {"a.x run values=1.5\n", CUPEL_REASON_MANIFEST_MALFORMED},
        {"a.x run\n", CUPEL_REASON_MANIFEST_MALFORMED},
        {"a.x run values=1 launches=2\n", CUPEL_REASON_MANIFEST_MALFORMED},
        {"a.x run values=1 launches=3..2\n", CUPEL_REASON_MANIFEST_MALFORMED},
        {"a.x run values=1 launches=1..2 more\n", CUPEL_REASON_MANIFEST_MALFORMED},
        {"a.x run values=1 launches=1..2 launches=1..2\n", CUPEL_REASON_MANIFEST_MALFORMED},
        {"a.x run values=1 uploaded=1..2 launches=1..2\n", CUPEL_REASON_MANIFEST_MALFORMED},
        {"a.x run values=1 downloaded=\n", CUPEL_REASON_MANIFEST_MALFORMED},
        {"a.x run values=1 downloaded=2..1\n", CUPEL_REASON_MANIFEST_MALFORMED},
        {"a.x run values=1 downloaded=0..1 \n", CUPEL_REASON_MANIFEST_MALFORMED},
        {"a.x run values=1 claims=\n", CUPEL_REASON_MANIFEST_MALFORMED},
        {"a.x run values=1 claims=a,\n", CUPEL_REASON_MANIFEST_MALFORMED},
        {"a.x run values=1 claims=a,,b\n", CUPEL_REASON_MANIFEST_MALFORMED},
        {"a.x run values=1 claims=A\n", CUPEL_REASON_MANIFEST_MALFORMED},
        {"a.x run values=1 claims=a launches=1..2\n", CUPEL_REASON_MANIFEST_MALFORMED},
        {"a.x run values=1 \n", CUPEL_REASON_MANIFEST_MALFORMED},
        {"a.x  run values=1\n", CUPEL_REASON_MANIFEST_MALFORMED},
        {" a.x run values=1\n", CUPEL_REASON_MANIFEST_MALFORMED},
        {"a.x skip values=1\n", CUPEL_REASON_MANIFEST_MALFORMED},
        {"a.x unsupported fp64\n", CUPEL_REASON_MANIFEST_MALFORMED},
        {"a.x unsupported FP64 why\n", CUPEL_REASON_MANIFEST_MALFORMED},
        {"a.x\n", CUPEL_REASON_MANIFEST_MALFORMED},
        {"A.x run values=1\n", CUPEL_REASON_MANIFEST_MALFORMED},
        {"ax run values=1\n", CUPEL_REASON_MANIFEST_MALFORMED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        char path[512];
        cupel_manifest manifest;
        cupel_findings findings = {0};
        text_write("bad.cases", rows[i].text, path);
        assert_false(cupel_manifest_read(path, &manifest, &findings));
        assert_null(manifest.cases);
        only_reason(&findings, rows[i].reason, rows[i].text);
        cupel_findings_free(&findings);
    }
    cupel_manifest manifest;
    cupel_findings findings = {0};
    assert_false(cupel_manifest_read(UNIT_BINARY_DIR "/absent.cases", &manifest, &findings));
    only_reason(&findings, CUPEL_REASON_MANIFEST_MISSING, "absent");
    cupel_findings_free(&findings);
}

static void every_manifest_fault_is_told(void **state)
{
    (void)state;
    char path[512];
    cupel_manifest manifest;
    cupel_findings findings = {0};
    text_write("faults.cases", "b.x run values=1\na.x run values=1\nc.x run\nd.x run values=1\nd.x run values=1\n", path);
    assert_false(cupel_manifest_read(path, &manifest, &findings));
    assert_int_equal(findings.count, 3);
    assert_non_null(strstr(findings.items[1].text, "line 3"));
    cupel_findings_free(&findings);
}

#define RUN(started, nonce, more)                                                                                                  \
    "{\"schema\":\"cupel-run 1\",\"run\":\"r\",\"nonce\":\"" nonce "\",\"profile\":\"p\",\"started\":\"" started                   \
    "\",\"ctest_pid\":12,\"ctest_start\":345,\"command\":[\"ctest\",\"-L\",\"p\"]" more "}\n"
#define NONCE "0123456789abcdef0011223344556677"
#define START "2026-01-02T03:04:05Z"

static void run_records(void **state)
{
    (void)state;
    char path[512];
    cupel_run_record record;
    cupel_findings findings = {0};
    text_write("run.json", RUN(START, NONCE, ""), path);
    assert_true(cupel_run_record_read(path, &record, &findings));
    assert_string_equal(record.nonce, NONCE);
    assert_true(record.started_seconds == 1767323045 && record.ctest_pid == 12 && record.ctest_start == 345);
    assert_int_equal(json_array_size(record.command), 3);
    cupel_run_record_free(&record);

    static const char *const bad[] = {
        "",
        "[]",
        "null",
        "{}",
        RUN("yesterday", NONCE, ""),
        RUN(START, "0123456789ABCDEF0011223344556677", ""),
        RUN(START, "0123", ""),
        RUN(START, NONCE, ",\"extra\":1"),
        RUN(START, NONCE, ",\"run\":\"again\""),
        "{\"schema\":\"cupel-run 2\",\"run\":\"r\",\"nonce\":\"" NONCE "\",\"profile\":\"p\",\"started\":\"" START
        "\",\"ctest_pid\":12,\"ctest_start\":345,\"command\":[\"ctest\"]}",
        "{\"schema\":\"cupel-run 1\",\"run\":\"r\",\"nonce\":\"" NONCE "\",\"profile\":\"p\",\"started\":\"" START
        "\",\"ctest_pid\":12,\"ctest_start\":345,\"command\":[]}",
        "{\"schema\":\"cupel-run 1\",\"run\":\"r\",\"nonce\":\"" NONCE "\",\"profile\":\"p\",\"started\":\"" START
        "\",\"ctest_pid\":12,\"ctest_start\":345,\"command\":[1]}",
        "{\"schema\":\"cupel-run 1\",\"run\":\"r\",\"nonce\":\"" NONCE "\",\"profile\":\"p\",\"started\":\"" START
        "\",\"ctest_pid\":-1,\"ctest_start\":345,\"command\":[\"ctest\"]}",
        RUN(START, NONCE, "") "x",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        text_write("bad.json", bad[i], path);
        assert_false(cupel_run_record_read(path, &record, &findings));
        only_reason(&findings, CUPEL_REASON_RUN_RECORD_MALFORMED, bad[i]);
        cupel_findings_free(&findings);
    }
    assert_false(cupel_run_record_read(UNIT_BINARY_DIR "/absent.json", &record, &findings));
    only_reason(&findings, CUPEL_REASON_RUN_RECORD_MISSING, "absent");
    cupel_findings_free(&findings);
}

#define DEVICE(type)                                                                                                               \
    "{\"index\":0,\"type\":\"" type "\",\"name\":\"n\",\"uuid\":\"u\",\"vendor\":\"v\",\"platform\":\"p\",\"driver\":\"d\","       \
    "\"runtime\":\"r\",\"capability\":\"c\",\"memory_bytes\":1,\"compute_units\":2}"
#define PROBES(fp64)                                                                                                               \
    "{\"fp64\":" fp64 ",\"fma_exact\":true,\"subnormals_kept\":true,\"contraction_off\":true,\"division_rounded\":true,"           \
    "\"sqrt_rounded\":true,\"mulhi_u64\":true}"
#define RECORD(status, reason, device, probes, environment)                                                                        \
    "{\"schema\":\"cupel-device 1\",\"run\":\"r\",\"nonce\":\"" NONCE                                                              \
    "\",\"profile\":\"p\",\"backend\":\"cpu\",\"status\":\"" status "\",\"reason\":\"" reason                                      \
    "\",\"detail\":\"\",\"count\":1,\"device\":" device ",\"nonce_answer\":\"\",\"probes\":" probes ",\"management\":" MANAGEMENT  \
    ",\"environment\":" environment "}"
#define MANAGEMENT                                                                                                                 \
    "{\"driver\":\"580.1\",\"listed\":true,\"ecc\":\"unknown\",\"partitions\":\"off\",\"uncorrected_errors\":3,\"clients\":-1,"    \
    "\"busy_percent\":7}"

static void device_records(void **state)
{
    (void)state;
    char path[512];
    bool value = true;
    cupel_device_record record;
    cupel_findings findings = {0};
    text_write("device.json", RECORD("ok", "", DEVICE("cpu"), PROBES("false"), "{\"A\":null,\"B\":\"x\"}"), path);
    assert_true(cupel_device_record_read(path, &record, &findings));
    assert_true(record.ok && record.count == 1 && record.device.compute_units == 2 && record.uncorrected_errors == 3);
    assert_true(cupel_probe_get(&record.probes, "fp64", &value) && !value);
    assert_true(cupel_probe_get(&record.probes, "mulhi_u64", &value) && value);
    assert_false(cupel_probe_get(&record.probes, "fp16", &value));
    cupel_device_identity other = record.device;
    assert_null(cupel_device_identity_difference(&record.device, &other));
    other.uuid = "another";
    assert_string_equal(cupel_device_identity_difference(&record.device, &other), "uuid");
    other = record.device;
    other.memory_bytes = 7;
    assert_string_equal(cupel_device_identity_difference(&record.device, &other), "memory_bytes");
    cupel_device_record_free(&record);

    text_write("device.json", RECORD("not-run", "device-none", "null", "null", "{}"), path);
    assert_true(cupel_device_record_read(path, &record, &findings));
    assert_true(!record.ok && record.not_run == CUPEL_REASON_DEVICE_NONE);
    cupel_device_record_free(&record);

    static const char *const bad[] = {
        RECORD("fine", "", DEVICE("cpu"), PROBES("true"), "{}"),
        RECORD("ok", "device-none", DEVICE("cpu"), PROBES("true"), "{}"),
        RECORD("ok", "", "null", PROBES("true"), "{}"),
        RECORD("ok", "", DEVICE("cpu"), "null", "{}"),
        RECORD("ok", "", DEVICE("toaster"), PROBES("true"), "{}"),
        RECORD("ok", "", DEVICE("cpu"), PROBES("1"), "{}"),
        RECORD("ok", "", DEVICE("cpu"), "{\"fp64\":true}", "{}"),
        RECORD("ok", "", DEVICE("cpu"), PROBES("true"), "{\"A\":1}"),
        RECORD("ok", "", DEVICE("cpu"), PROBES("true"), "[]"),
        RECORD("not-run", "", "null", "null", "{}"),
        RECORD("not-run", "case-failed", "null", "null", "{}"),
        RECORD("not-run", "no-such-code", "null", "null", "{}"),
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        text_write("bad.json", bad[i], path);
        assert_false(cupel_device_record_read(path, &record, &findings));
        only_reason(&findings, CUPEL_REASON_DEVICE_RECORD_MALFORMED, bad[i]);
        cupel_findings_free(&findings);
    }
    assert_false(cupel_device_record_read(UNIT_BINARY_DIR "/absent.json", &record, &findings));
    only_reason(&findings, CUPEL_REASON_DEVICE_RECORD_MISSING, "absent");
    cupel_findings_free(&findings);
}

// Known answers of Random123 1.09 (kat_vectors, philox4x32 10): counter and key of zeros, and of the digits of pi.
static void nonce_answers(void **state)
{
    (void)state;
    uint32_t words[CUPEL_NONCE_WORDS];
    char answer[8 * CUPEL_NONCE_WORDS + 1];
    cupel_nonce_words(0, 0, words);
    assert_true(words[0] == 0x6627e8d5u && words[1] == 0xe169c58du && words[2] == 0xbc57ac4cu && words[3] == 0x9b00dbd8u);
    assert_true(cupel_nonce_answer("00000000000000000000000000000000", answer));
    assert_memory_equal(answer, "6627e8d5e169c58dbc57ac4c9b00dbd8", 32);
    assert_int_equal(strlen(answer), 8 * CUPEL_NONCE_WORDS);
    uint64_t seed = 0, stream = 0;
    assert_true(cupel_nonce_split("00000000000000010000000200000003", &seed, &stream));
    assert_true(seed == 1 && stream == UINT64_C(0x200000003));
    assert_false(cupel_nonce_split("0000000000000001000000020000000", &seed, &stream));
    assert_false(cupel_nonce_split("000000000000000100000002000000030", &seed, &stream));
    assert_false(cupel_nonce_split("0000000000000001000000020000000G", &seed, &stream));
    assert_false(cupel_nonce_answer("", answer));
}

// A fuzzer that starts from seeds of an old form never comes past the first line.
static void seeds_of_the_fuzzer_are_good(void **state)
{
    (void)state;
    cupel_ledger ledger;
    cupel_manifest manifest;
    cupel_findings findings = {0};
    assert_true(cupel_ledger_read(UNIT_SOURCE_DIR "/../fuzz/seeds/ledger/good.ledger", "seed", NULL, &ledger, &findings));
    assert_true(cupel_manifest_read(UNIT_SOURCE_DIR "/../fuzz/seeds/manifest/good.cases", &manifest, &findings));
    assert_int_equal(findings.count, 0);
    assert_int_equal(ledger.count, 2);
    assert_true(ledger.closed && ledger.has_exit);
    cupel_manifest_free(&manifest);
    cupel_ledger_free(&ledger);
    cupel_findings_free(&findings);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(good_manifest),
    cmocka_unit_test(bad_manifests),
    cmocka_unit_test(every_manifest_fault_is_told),
    cmocka_unit_test(run_records),
    cmocka_unit_test(device_records),
    cmocka_unit_test(nonce_answers),
    cmocka_unit_test(seeds_of_the_fuzzer_are_good),
};

UNIT_MAIN(tests)
