// SPDX-License-Identifier: Apache-2.0
// The ways to spoil a run that edits of its files can express, each with the reasons it must give.
#ifndef VERDICT_SPOILINGS_H
#define VERDICT_SPOILINGS_H

#include <stddef.h>

#define ALPHA "p.alpha.ledger"
#define BETA "p.beta.ledger"
#define END_ONE "\"case\":\"alpha.one\",\"sequence\":1,\"outcome\":\"passed\",\"values\":10"
#define RESERVED "\"device_bytes_reserved_peak\":"
// One way to spoil the run: up to two edits, then exactly these reasons, separated by commas, in the order of reasons.def.
typedef struct spoiling {
    const char *reasons;
    const char *file, *old, *new_text;    // new_text null: the file is removed; old null: the whole text
    const char *file2, *old2, *new_text2; // file2 null: one edit
} spoiling;

#define MANAGED(errors)                                                                                                            \
    "\"management\":{\"driver\":\"1\",\"listed\":true,\"ecc\":\"on\",\"partitions\":\"off\",\"uncorrected_errors\":" errors        \
    ",\"clients\":1,\"busy_percent\":0}"

static const spoiling spoilings[] = {
    // Run record and directory
    {"run-record-missing", "run.json", NULL, NULL, NULL, NULL, NULL},
    {"run-record-malformed", "run.json", "\"ctest_pid\":12", "\"ctest_pid\":\"12\"", NULL, NULL, NULL},
    {"run-mismatch", "run.json", "\"profile\":\"p\"", "\"profile\":\"q\"", NULL, NULL, NULL},
    {"selection-partial", "run.json", "[\"ctest\",\"-L\",\"p\"]", "[\"ctest\",\"-L\",\"p\",\"-E\",\"verdict\"]", NULL, NULL, NULL},
    {"selection-partial", "run.json", "[\"ctest\",\"-L\",\"p\"]", "[\"ctest\",\"-R\",\"p.alpha\"]", "device.json", NULL, NULL},
    {"repeat-forbidden", "run.json", "[\"ctest\",\"-L\",\"p\"]", "[\"ctest\",\"-L\",\"p\",\"--repeat\",\"until-pass:3\"]", NULL,
     NULL, NULL},
    {"file-unexpected", "p.gamma.xml", NULL, "<testsuites/>", NULL, NULL, NULL},
    {"file-unexpected", "p.alpha.ledger.old", NULL, "", NULL, NULL, NULL},
    // ctest's list of tests
    {"lint-unreadable", "tests.json", NULL, NULL, NULL, NULL, NULL},
    {"lint-unreadable", "tests.json", NULL, "{}", NULL, NULL, NULL},
    {"lint-unreadable", "tests.json", "\"major\":1", "\"major\":2", NULL, NULL, NULL},
    {"lint-property", "tests.json", "{\"name\":\"FIXTURES_CLEANUP\"",
     "{\"name\":\"DISABLED\",\"value\":true},{\"name\":\"FIXTURES_CLEANUP\"", NULL, NULL, NULL},
    {"lint-fixture", "tests.json", "\"FIXTURES_SETUP\",\"value\":[\"cupel.p\"]", "\"FIXTURES_SETUP\",\"value\":[\"cupel.q\"]", NULL,
     NULL, NULL},
    {"lint-lock", "tests.json", "{\"name\":\"FIXTURES_SETUP\"", "{\"name\":\"COST\",\"value\":1},{\"name\":\"FIXTURES_SETUP\"",
     "tests.json",
     "/build\"],\"properties\":[{\"name\":\"LABELS\",\"value\":[\"p\"]},{\"name\":\"TIMEOUT\",\"value\":300.0},{\"name\":\"WORKING_"
     "DIRECTORY\","
     "\"value\":\"/b\"},{\"name\":\"RESOURCE_LOCK\",\"value\":[\"d\"]},{\"name\":\"COST\"",
     "/build\"],\"properties\":[{\"name\":\"LABELS\",\"value\":[\"p\"]},{\"name\":\"TIMEOUT\",\"value\":300.0},{\"name\":\"WORKING_"
     "DIRECTORY\","
     "\"value\":\"/b\"},{\"name\":\"RESOURCE_LOCK\",\"value\":[\"\"]},{\"name\":\"COST\""},
    {"lint-wrapper", "tests.json", "/b/device-gate-cpu", "/usr/bin/env", NULL, NULL, NULL},
    {"lint-test-extra,lint-test-missing", "tests.json", "\"name\":\"p.verdict\"", "\"name\":\"q.verdict\"", "tests.json",
     "{\"name\":\"FIXTURES_CLEANUP\",\"value\":[\"cupel.p\"]}", "{\"name\":\"FIXTURES_CLEANUP\",\"value\":[\"cupel.q\"]}"},
    {"lint-label", "tests.json", "{\"name\":\"FIXTURES_CLEANUP\"", "{\"name\":\"COST\",\"value\":1},{\"name\":\"FIXTURES_CLEANUP\"",
     "tests.json",
     "\"verdict\",\"--profile\",\"p\",\"--tree\",\"" UNIT_BINARY_DIR
     "/build\"],\"properties\":[{\"name\":\"LABELS\",\"value\":[\"p\"]}",
     "\"verdict\",\"--profile\",\"p\",\"--tree\",\"" UNIT_BINARY_DIR
     "/build\"],\"properties\":[{\"name\":\"LABELS\",\"value\":[\"p\",\"q\"]}"},
    {"lint-test-extra", "tests.json", "[\"unit\"]", "[\"not-p\"]", NULL, NULL, NULL},
    // Device record
    {"device-record-missing", "device.json", NULL, NULL, NULL, NULL, NULL},
    {"device-record-malformed", "device.json", "\"count\":1", "\"count\":-1", NULL, NULL, NULL},
    {"device-record-malformed", "device.json", "\"count\":1", "\"count\":0", NULL, NULL, NULL},
    {"nonce-mismatch,device-answer-wrong", "device.json", "\"nonce\":\"0000", "\"nonce\":\"1000", NULL, NULL, NULL},
    {"run-mismatch", "device.json", "0a1b2c3d", "0a1b2c3e", NULL, NULL, NULL},
    {"device-answer-wrong", "device.json", "6627e8d5", "6627e8d6", NULL, NULL, NULL},
    {"device-type-contradiction,device-changed", "device.json", "\"type\":\"cpu\"", "\"type\":\"gpu\"", NULL, NULL, NULL},
    {"backend-mismatch", "device.json", "\"backend\":\"cpu\"", "\"backend\":\"cuda\"", NULL, NULL, NULL},
    {"device-changed", "device.json", "\"uuid\":\"CPU-1\"", "\"uuid\":\"CPU-2\"", NULL, NULL, NULL},
    {"device-changed", ALPHA, "\"driver\":\"d\"", "\"driver\":\"e\"", NULL, NULL, NULL},
    {"device-errors-rose", "device.json", "\"management\":null", MANAGED("4"), ALPHA, "\"management\":null", MANAGED("5")},
    {"", "device.json", "\"management\":null", MANAGED("4"), ALPHA, "\"management\":null", MANAGED("4")},
    {"", "device.json", "\"management\":null", MANAGED("-1"), ALPHA, "\"management\":null", MANAGED("5")}, // unknown is not 0
    {"device-record-malformed", "device.json", "\"management\":null", "\"management\":{\"ecc\":\"on\"}", NULL, NULL, NULL},
    {"device-record-malformed", "device.json", "\"management\":null", MANAGED("-2"), NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, "\"management\":null", "\"management\":{}", NULL, NULL, NULL},
    {"capability-fp64", "device.json", "\"fp64\":true", "\"fp64\":false", NULL, NULL, NULL},
    {"capability-fma", "device.json", "\"fma_exact\":true", "\"fma_exact\":false", NULL, NULL, NULL},
    {"capability-subnormals", "device.json", "\"subnormals_kept\":true", "\"subnormals_kept\":false", NULL, NULL, NULL},
    {"capability-division", "device.json", "\"division_rounded\":true", "\"division_rounded\":false", NULL, NULL, NULL},
    {"capability-sqrt", "device.json", "\"sqrt_rounded\":true", "\"sqrt_rounded\":false", NULL, NULL, NULL},
    {"capability-mulhi", "device.json", "\"mulhi_u64\":true", "\"mulhi_u64\":false", NULL, NULL, NULL},
    {"contraction-on", "device.json", "\"contraction_off\":true", "\"contraction_off\":false", NULL, NULL, NULL},
    {"environment-forbidden", "device.json", "{\"LD_PRELOAD\":null}", "{\"EXTRA_CL_BUILD_OPTIONS\":\"-cl-fast-relaxed-math\"}",
     NULL, NULL, NULL},
    {"environment-forbidden", "device.json", "{\"LD_PRELOAD\":null}", "{\"LD_PRELOAD\":\"/x.so\"}", NULL, NULL, NULL},
    {"environment-forbidden", "device.json", "{\"LD_PRELOAD\":null}", "{\"LD_AUDIT\":\"/x.so\"}", NULL, NULL, NULL},
    // Manifest
    {"manifest-missing", "manifest", NULL, NULL, NULL, NULL, NULL},
    {"manifest-malformed", "manifest", "values=5", "values=", NULL, NULL, NULL},
    {"manifest-unsorted", "manifest", NULL, "beta.one run values=1\nalpha.one run values=1\n", NULL, NULL, NULL},
    {"manifest-duplicate", "manifest", "beta.one run values=1\n", "beta.one run values=1\nbeta.one run values=1\n", NULL, NULL,
     NULL},
    {"manifest-empty", "manifest", NULL, "# all gone\n", NULL, NULL, NULL},
    {"manifest-suite-unknown", "manifest", "beta.one run values=1\n", "beta.one run values=1\ngamma.one run values=1\n", NULL, NULL,
     NULL},
    {"suite-without-cases,case-unexpected", "manifest", "beta.one run values=1\n", "", NULL, NULL, NULL},
    {"unsupported-forbidden,unsupported-unproven", "manifest", "beta.one", "alpha.zero unsupported fp64 why\nbeta.one", NULL, NULL,
     NULL},
    {"unsupported-unproven", "manifest", "beta.one", "beta.gradient unsupported fp64 why\nbeta.one", NULL, NULL, NULL},
    {"unsupported-unproven", "manifest", "beta.one", "beta.gradient unsupported fp16 why\nbeta.one", NULL, NULL, NULL},
    {"unsupported-forbidden,unsupported-unproven", "manifest", "beta.one", "beta.gradients unsupported fp64 why\nbeta.one", NULL,
     NULL, NULL},
    // Sources
    {"source-mismatch", "sources", "src/a.c", "src/b.c", NULL, NULL, NULL},
    {"source-mismatch", "sources", NULL, NULL, NULL, NULL, NULL},
    {"source-mismatch", BETA, "\"source_id\":\"", "\"source_id\":\"0", NULL, NULL, NULL},
    {"executable-replaced", ALPHA, "\"build_id\":\"", "\"build_id\":\"00", NULL, NULL, NULL},
    // Ledger
    {"ledger-missing", ALPHA, NULL, NULL, NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, NULL, "", NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, NULL, "not json\n", NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, "\"cupel-ledger 3\"", "\"cupel-ledger 4\"", NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, "\"cupel-ledger 3\"", "\"cupel-ledger 1\"", NULL, NULL, NULL},
    {"", ALPHA, "\"cupel-ledger 3\"", "\"cupel-ledger 2\"", ALPHA, RESERVED "2048,", ""}, // as it was before
    {"ledger-malformed,ledger-unclosed", ALPHA, "\"cupel-ledger 3\"", "\"cupel-ledger 2\"", NULL, NULL, NULL},
    {"ledger-malformed,ledger-unclosed", ALPHA, RESERVED "2048,", "", NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, RESERVED "2048,", RESERVED "1023,", NULL, NULL, NULL}, // arrays have 1024
    {"", ALPHA, RESERVED "2048,", RESERVED "1024,", NULL, NULL, NULL},
    {"ledger-malformed,ledger-unclosed", ALPHA, "\"event\":\"close\"", "\"event\":\"closing\"", NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, "\"values\":10,", "\"values\":-10,", NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, "\"values\":10,", "", NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, "\"values\":10,", "\"values\":10,\"more\":1,", NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, "\"worst_error\":\"0x1p-2\"", "\"worst_error\":0.25", NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, "\"worst_unit\":\"ulp\"", "\"worst_unit\":\"percent\"", NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, END_ONE, "\"case\":\"alpha.one\",\"sequence\":1,\"outcome\":\"fine\",\"values\":10", NULL, NULL,
     NULL},
    {"ledger-cut", ALPHA, "\"timed_out\":false,\"seconds\":0.5,\"report_sha256\":\"" FIXTURE_REPORT "\"}\n", "\"timed_out\":fal",
     NULL, NULL, NULL},
    {"run-mismatch", ALPHA, "\"run\":\"20260102", "\"run\":\"20260103", NULL, NULL, NULL},
    {"run-mismatch", ALPHA, "\"profile\":\"p\"", "\"profile\":\"q\"", NULL, NULL, NULL},
    {"ledger-mismatch", ALPHA, "\"suite\":\"alpha\"", "\"suite\":\"beta\"", NULL, NULL, NULL},
    {"ledger-mismatch", ALPHA, "\"linkage\":\"static\"", "\"linkage\":\"shared\"", NULL, NULL, NULL},
    {"ledger-mismatch", ALPHA, "\"test\":\"p.alpha\"", "\"test\":\"p.beta\"", NULL, NULL, NULL},
    {"backend-mismatch", ALPHA, "\"backend\":\"cpu\"", "\"backend\":\"cuda\"", NULL, NULL, NULL},
    {"backend-mismatch", ALPHA, "\"expected_backend\":\"cpu\"", "\"expected_backend\":\"cuda\"", NULL, NULL, NULL},
    {"ledger-order", ALPHA, "\"case\":\"alpha.two\",\"sequence\":2}", "\"case\":\"alpha.two\",\"sequence\":3}", NULL, NULL, NULL},
    {"ledger-counts", ALPHA, "\"cases\":2,\"passed\":2", "\"cases\":3,\"passed\":3", NULL, NULL, NULL},
    {"ledger-counts", ALPHA, "\"failed\":0,\"values\":15,", "\"failed\":0,\"values\":16,", NULL, NULL, NULL},
    {"ledger-counts", ALPHA, "\"cases\":2,\"environment\"", "\"cases\":3,\"environment\"", NULL, NULL, NULL},
    // Cases
    {"values-below-floor", "manifest", "values=10", "values=11", NULL, NULL, NULL},
    {"launches-outside", "manifest", "launches=1..2", "launches=2..2", NULL, NULL, NULL},
    {"launches-outside", "manifest", "launches=1..2", "launches=0..0", NULL, NULL, NULL},
    {"transfers-outside", "manifest", "uploaded=8..8", "uploaded=9..9", NULL, NULL, NULL},
    {"transfers-outside", "manifest", "uploaded=8..8", "uploaded=0..7", NULL, NULL, NULL},
    {"transfers-outside", "manifest", "downloaded=4..16", "downloaded=9..16", NULL, NULL, NULL},
    {"transfers-outside", "manifest", "downloaded=4..16", "downloaded=4..7", NULL, NULL, NULL},
    {"claim-invalid", "manifest", "values=5", "values=5 claims=values", NULL, NULL, NULL},
    {"claim-invalid", ALPHA, END_ONE, END_ONE ",\"claims\":{\"values\":\"passed\"}", NULL, NULL, NULL},
    {"claim-invalid", ALPHA, END_ONE, END_ONE ",\"claims\":{\"values\":\"failed\"}", "manifest", "downloaded=4..16",
     "claims=values"},
    {"claim-invalid", ALPHA, END_ONE, END_ONE ",\"claims\":{\"gradient\":\"not_requested_stored_history\"}", "manifest",
     "downloaded=4..16", "claims=gradient"},
    {"claim-invalid", ALPHA, END_ONE, END_ONE ",\"claims\":{\"gradient\":\"unknown\"}", "manifest", "downloaded=4..16",
     "claims=gradient"},
    {"ledger-malformed", ALPHA, END_ONE, END_ONE ",\"claims\":{\"values\":true}", NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, END_ONE, END_ONE ",\"claims\":{}", NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, END_ONE, END_ONE ",\"claims\":\"values\"", NULL, NULL, NULL},
    {"error-above-bound", ALPHA, "\"worst_error\":\"0x1p-2\"", "\"worst_error\":\"0x1.8p+0\"", NULL, NULL, NULL},
    {"error-above-bound", ALPHA, "\"worst_error\":\"0x1p-2\"", "\"worst_error\":\"nan\"", NULL, NULL, NULL},
    {"error-above-bound", ALPHA, "\"worst_error\":\"0x1p-2\"", "\"worst_error\":\"inf\"", NULL, NULL, NULL},
    {"error-above-bound", ALPHA, "\"worst_error\":\"0x1p-2\"", "\"worst_error\":\"-0x1p-2\"", NULL, NULL, NULL},
    {"bound-invalid", ALPHA, "\"bound\":\"0x1p+0\"", "\"bound\":\"inf\"", NULL, NULL, NULL},
    {"bound-invalid", ALPHA, "\"bound\":\"0x1p+0\"", "\"bound\":\"nan\"", NULL, NULL, NULL},
    {"bound-invalid", ALPHA, "\"bound\":\"0x1p+0\"", "\"bound\":\"-0x1p+0\"", NULL, NULL, NULL},
    {"case-missing", "manifest", "beta.one run", "alpha.zero run values=1\nbeta.one run", NULL, NULL, NULL},
    {"case-unexpected", "manifest", "alpha.two run values=5\n", "", NULL, NULL, NULL},
    {"unsupported-forbidden,capability-fp64,case-unexpected", "manifest", "alpha.two run values=5",
     "alpha.two unsupported fp64 why", "device.json", "\"fp64\":true", "\"fp64\":false"},
    // Report
    {"report-missing", "p.alpha.xml", NULL, NULL, NULL, NULL, NULL},
    {"report-replaced", ALPHA, FIXTURE_REPORT, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", NULL, NULL,
     NULL},
    {"report-replaced", ALPHA, FIXTURE_REPORT, "", NULL, NULL, NULL}, // one that came after the end
    {"ledger-malformed,ledger-unclosed", ALPHA, FIXTURE_REPORT, "0", NULL, NULL, NULL},
    {"ledger-malformed,ledger-unclosed", ALPHA, ",\"report_sha256\":\"" FIXTURE_REPORT "\"", "", NULL, NULL, NULL},
    {"report-empty", "p.alpha.xml", NULL, "", NULL, NULL, NULL},
    {"report-truncated", "p.alpha.xml", "</testsuites>\n", "", NULL, NULL, NULL},
    {"run-mismatch", "p.alpha.xml", "name=\"p.alpha\"", "name=\"p.beta\"", NULL, NULL, NULL},
    {"case-contradiction", "p.alpha.xml", "name=\"alpha.two\"", "name=\"alpha.too\"", NULL, NULL, NULL},
    {"report-counts", "p.alpha.xml", "tests=\"2\"", "tests=\"3\"", NULL, NULL, NULL},
    {"case-contradiction,report-skipped", "p.alpha.xml", "<testcase name=\"alpha.two\" time=\"0.000\" >",
     "<testcase name=\"alpha.two\" time=\"0.000\" ><skipped/>", "p.alpha.xml", "skipped=\"0\"", "skipped=\"1\""},
    {"case-contradiction", "p.alpha.xml", "<testcase name=\"alpha.two\" time=\"0.000\" >",
     "<testcase name=\"alpha.two\" time=\"0.000\" ><failure/>", "p.alpha.xml", "failures=\"0\"", "failures=\"1\""},
};

#endif
