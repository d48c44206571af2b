// SPDX-License-Identifier: Apache-2.0
// clang-format off
#include "unit.h"
// clang-format on

#include "verdict_fixture.h"

#include "build_id.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RUN "20260102T030405Z-0a1b2c3d"
#define NONCE "00000000000000000000000000000000"
// Words 0 to 15 of seed 0, stream 0; the first four are Random123's known answer for zeros.
#define ANSWER                                                                                                                     \
    "6627e8d5e169c58dbc57ac4c9b00dbd8f8e4cca45cb200dbb1a574eb097eff67"                                                             \
    "04faa32951c732a6241513ad459135e4c990ef296a4474a69ac9134f6d413e04"
#define DEVICE                                                                                                                     \
    "{\"index\":0,\"type\":\"cpu\",\"name\":\"Machine\",\"uuid\":\"CPU-1\",\"vendor\":\"V\",\"platform\":\"cpu-reference\","       \
    "\"driver\":\"d\",\"runtime\":\"r\",\"capability\":\"c\",\"memory_bytes\":1024,\"compute_units\":2}"
#define SOURCES "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  src/a.c\n"

static const char run_json[] = "{\"schema\":\"cupel-run 1\",\"run\":\"" RUN "\",\"nonce\":\"" NONCE
                               "\",\"profile\":\"p\",\"started\":\"2026-01-02T03:04:05Z\",\"ctest_pid\":12,\"ctest_start\":34,"
                               "\"command\":[\"ctest\",\"-L\",\"p\"]}\n";

static const char device_json[] =
    "{\"schema\":\"cupel-device 1\",\"run\":\"" RUN "\",\"nonce\":\"" NONCE "\",\"profile\":\"p\",\"backend\":\"cpu\","
    "\"status\":\"ok\",\"reason\":\"\",\"detail\":\"\",\"count\":1,\"device\":" DEVICE ",\"nonce_answer\":\"" ANSWER "\","
    "\"probes\":{\"fp64\":true,\"fma_exact\":true,\"subnormals_kept\":true,\"contraction_off\":true,\"division_rounded\":true,"
    "\"sqrt_rounded\":true,\"mulhi_u64\":true},\"management\":null,\"environment\":{\"LD_PRELOAD\":null}}\n";

#define PROPERTY(name, value) "{\"name\":\"" name "\",\"value\":" value "}"
#define MEMBER(name, program, words, fixture)                                                                                      \
    "{\"name\":\"" name "\",\"command\":[\"" program "\"," words                                                                   \
    "],\"properties\":[" PROPERTY("LABELS", "[\"p\"]") "," PROPERTY("TIMEOUT", "300.0") "," PROPERTY(                              \
        "WORKING_DIRECTORY", "\"/b\"") "," PROPERTY("RESOURCE_LOCK", "[\"d\"]") "," PROPERTY(fixture, "[\"cupel.p\"]") "]}"
#define PROFILE_WORDS "\"--profile\",\"p\",\"--tree\",\"" UNIT_BINARY_DIR "/build\""
#define SUITE_WORDS(test) PROFILE_WORDS ",\"--test\",\"" test "\",\"--timeout\",\"300\""

#define TESTS_HEAD                                                                                                                 \
    "{\"kind\":\"ctestInfo\",\"version\":{\"major\":1,\"minor\":0},\"backtraceGraph\":{},\"tests\":[" MEMBER(                      \
        "p.device", "/b/device-gate-cpu", PROFILE_WORDS,                                                                           \
        "FIXTURES_SETUP") "," MEMBER("p.verdict", "/b/cupel", "\"verdict\"," PROFILE_WORDS, "FIXTURES_CLEANUP") ","
#define TESTS_TAIL                                                                                                                 \
    "{\"name\":\"other\",\"command\":[\"/b/other\"],\"properties\":[" PROPERTY("LABELS", "[\"unit\"]") "," PROPERTY("COST",        \
                                                                                                                    "2") "]}]}\n"

static const char tests_json[] = TESTS_HEAD MEMBER("p.alpha", "@p.alpha@", SUITE_WORDS("p.alpha"), "FIXTURES_REQUIRED") "," MEMBER(
    "p.beta", "@p.beta@", SUITE_WORDS("p.beta"), "FIXTURES_REQUIRED") "," TESTS_TAIL;

#define EVENT(name) "{\"event\":\"" name "\",\"nonce\":\"" NONCE "\""
#define OPEN(suite, cases)                                                                                                         \
    EVENT("open")                                                                                                                  \
    ",\"schema\":\"cupel-ledger 3\",\"run\":\"" RUN "\",\"profile\":\"p\",\"suite\":\"" suite                                      \
    "\",\"linkage\":\"static\",\"test\":\"p." suite                                                                                \
    "\",\"backend\":\"cpu\",\"expected_backend\":\"cpu\",\"build_id\":\"@BUILD@\","                                                \
    "\"source_id\":\"@SOURCE@\",\"pid\":77,\"device\":" DEVICE ",\"cases\":" cases ",\"environment\":{}}\n"
#define BEGIN(id, sequence) EVENT("begin") ",\"case\":\"" id "\",\"sequence\":" sequence "}\n"
#define END(id, sequence, values, worst, unit, bound)                                                                              \
    EVENT("end")                                                                                                                   \
    ",\"case\":\"" id "\",\"sequence\":" sequence ",\"outcome\":\"passed\",\"values\":" values ",\"worst_error\":\"" worst         \
    "\",\"worst_unit\":\"" unit "\",\"worst_at\":\"x[1]\",\"bound\":\"" bound                                                      \
    "\",\"differing_bits\":0,\"bytes_compared\":40,\"kernels\":1,\"bytes_uploaded\":8,\"bytes_downloaded\":8,\"programs\":0,"      \
    "\"seconds\":0.25,"                                                                                                            \
    "\"message\":\"\"}\n"
#define CLOSE(cases, values)                                                                                                       \
    EVENT("close")                                                                                                                 \
    ",\"device_bytes_peak\":1024,\"device_bytes_reserved_peak\":2048,\"cases\":" cases ",\"passed\":" cases                        \
    ",\"failed\":0,\"values\":" values ",\"management\":null}\n"
#define EXIT                                                                                                                       \
    EVENT("exit")                                                                                                                  \
    ",\"host_peak_rss_bytes\":4096,\"status\":0,\"signal\":0,\"timed_out\":false,\"seconds\":0.5,\"report_sha256\":"               \
    "\"" FIXTURE_REPORT "\"}\n"

static const char alpha_ledger[] =
    OPEN("alpha", "2") BEGIN("alpha.one", "1") END("alpha.one", "1", "10", "0x0p+0", "bits", "0x0p+0") BEGIN("alpha.two", "2")
        END("alpha.two", "2", "5", "0x1p-2", "ulp", "0x1p+0") CLOSE("2", "15") EXIT;
static const char beta_ledger[] =
    OPEN("beta", "1") BEGIN("beta.one", "1") END("beta.one", "1", "3", "0x1.8p-1", "bound", "0x1p+0") CLOSE("1", "3") EXIT;

#define XML "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
#define SUITE(name, tests)                                                                                                         \
    "<testsuites>\n  <testsuite name=\"" name "\" time=\"0.000\" tests=\"" tests "\" failures=\"0\" errors=\"0\" skipped=\"0\" "   \
    ">\n"
#define CASE(id) "    <testcase name=\"" id "\" time=\"0.000\" >\n    </testcase>\n"

static const char alpha_xml[] = XML SUITE("p.alpha", "2") CASE("alpha.one") CASE("alpha.two") "  </testsuite>\n</testsuites>\n";
static const char beta_xml[] = XML SUITE("p.beta", "1") CASE("beta.one") "  </testsuite>\n</testsuites>\n";

static const char manifest[] =
    "alpha.one run values=10 launches=1..2 uploaded=8..8 downloaded=4..16\nalpha.two run values=5\nbeta.one run values=1\n";

static char *copy(const char *text)
{
    char *kept = strdup(text);
    assert_non_null(kept);
    return kept;
}

char **fixture_text(fixture *run, const char *name)
{
    if (strcmp(name, "manifest") == 0) {
        return &run->manifest;
    }
    if (strcmp(name, "sources") == 0) {
        return &run->sources;
    }
    for (size_t i = 0; i < run->file_count; ++i) {
        if (strcmp(run->files[i].name, name) == 0) {
            return &run->files[i].text;
        }
    }
    fail_msg("the run has no file %s", name);
    return NULL;
}

void fixture_set(fixture *run, const char *name, const char *text)
{
    bool known = strcmp(name, "manifest") == 0 || strcmp(name, "sources") == 0;
    for (size_t i = 0; i < run->file_count; ++i) {
        known |= strcmp(run->files[i].name, name) == 0;
    }
    if (!known) {
        assert_true(run->file_count < FIXTURE_FILES);
        snprintf(run->files[run->file_count++].name, sizeof run->files[0].name, "%s", name);
    }
    char **place = fixture_text(run, name);
    char *replaced = *place;
    *place = copy(text);
    free(replaced);
}

void fixture_remove(fixture *run, const char *name)
{
    char **place = fixture_text(run, name);
    free(*place);
    *place = NULL;
}

static size_t edit_count(fixture *run, const char *name, const char *old, const char *new_text)
{
    char **place = fixture_text(run, name);
    assert_non_null(*place);
    size_t count = 0;
    size_t room = strlen(*place) + 1;
    for (const char *at = strstr(*place, old); at != NULL; at = strstr(at + strlen(old), old)) {
        ++count;
        room += strlen(new_text);
    }
    char *edited = calloc(1, room);
    assert_non_null(edited);
    const char *from = *place;
    for (const char *at = strstr(from, old); at != NULL; at = strstr(from, old)) {
        strncat(edited, from, (size_t)(at - from));
        strcat(edited, new_text);
        from = at + strlen(old);
    }
    strcat(edited, from);
    free(*place);
    *place = edited;
    return count;
}

void fixture_edit(fixture *run, const char *name, const char *old, const char *new_text)
{
    assert_int_equal(edit_count(run, name, old, new_text), 1);
}

void fixture_edit_all(fixture *run, const char *name, const char *old, const char *new_text)
{
    assert_true(edit_count(run, name, old, new_text) > 0);
}

static void folder_empty(const char *path)
{
    DIR *folder = opendir(path);
    if (folder == NULL) {
        assert_int_equal(mkdir(path, 0755), 0);
        return;
    }
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        char inside[1024];
        snprintf(inside, sizeof inside, "%s/%.250s", path, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 && unlink(inside) != 0) {
            assert_int_equal(rmdir(inside), 0);
        }
    }
    closedir(folder);
}

static void file_write(const char *path, const char *text)
{
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(text, 1, strlen(text), out), strlen(text));
    assert_int_equal(fclose(out), 0);
}

void fixture_make(fixture *run)
{
    static const struct {
        const char *name, *text;
    } texts[] = {{"run.json", run_json},           {"tests.json", tests_json},     {"device.json", device_json},
                 {"p.alpha.ledger", alpha_ledger}, {"p.beta.ledger", beta_ledger}, {"p.alpha.xml", alpha_xml},
                 {"p.beta.xml", beta_xml}};
    char build_id[129];
    cupel_file sources;
    *run = (fixture){0};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        fixture_set(run, texts[i].name, texts[i].text);
    }
    run->manifest = copy(manifest);
    run->sources = copy(SOURCES);
    snprintf(run->directory, sizeof run->directory, UNIT_BINARY_DIR "/" RUN);
    snprintf(run->manifest_path, sizeof run->manifest_path, UNIT_BINARY_DIR "/p.cases");
    snprintf(run->build, sizeof run->build, UNIT_BINARY_DIR "/build");
    file_write(UNIT_BINARY_DIR "/sources.sha256", SOURCES);
    assert_null(cupel_file_read(UNIT_BINARY_DIR "/sources.sha256", 4096, &sources));
    ssize_t length = readlink("/proc/self/exe", run->executable, sizeof run->executable - 1);
    assert_true(length > 0);
    assert_true(cupel_build_id_read(run->executable, build_id, sizeof build_id));
    fixture_edit(run, "p.alpha.ledger", "@BUILD@", build_id);
    fixture_edit(run, "p.beta.ledger", "@BUILD@", build_id);
    fixture_edit(run, "p.alpha.ledger", "@SOURCE@", sources.sha256);
    fixture_edit(run, "p.beta.ledger", "@SOURCE@", sources.sha256);
    cupel_file_free(&sources);
    run->suites[0] = (cupel_plan_suite){.suite = "alpha", .linkage = "static", .test = "p.alpha", .executable = "@p.alpha@"};
    run->suites[1] = (cupel_plan_suite){.suite = "beta", .linkage = "static", .test = "p.beta", .executable = "@p.beta@"};
    fixture_executable(run, 0, run->executable);
    fixture_executable(run, 1, run->executable);
    run->profile = (cupel_plan_profile){.name = "p",
                                        .backend = "cpu",
                                        .device_type = "cpu",
                                        .built = true,
                                        .reason = "",
                                        .install = "",
                                        .manifest = run->manifest_path,
                                        .timeout_seconds = 300,
                                        .suites = run->suites,
                                        .suite_count = 2};
    run->request = (cupel_verdict_request){.profile = &run->profile, .run_directory = run->directory, .build = run->build};
}

void fixture_executable(fixture *run, size_t suite, const char *path)
{
    char old[700], new_text[700];
    snprintf(old, sizeof old, "\"name\":\"%s\",\"command\":[\"%s\"", run->suites[suite].test, run->suites[suite].executable);
    snprintf(new_text, sizeof new_text, "\"name\":\"%s\",\"command\":[\"%s\"", run->suites[suite].test, path);
    fixture_edit(run, "tests.json", old, new_text);
    run->suites[suite].executable = path;
}

void fixture_without_suites(fixture *run)
{
    fixture_set(run, "tests.json", TESTS_HEAD TESTS_TAIL);
    run->profile.suite_count = 0;
    run->profile.built = false;
    run->profile.reason = "no nvcc";
    run->profile.install = "Install it.";
}

// A ledger names the report beside it.
static void ledger_write(const fixture *run, const fixture_file *ledger)
{
    char path[640];
    char report[700];
    char sha256[CUPEL_SHA256_HEX] = "";
    const char *place = strstr(ledger->text, FIXTURE_REPORT);
    snprintf(path, sizeof path, "%s/%s", run->directory, ledger->name);
    if (place == NULL) {
        file_write(path, ledger->text);
        return;
    }
    snprintf(report, sizeof report, "%.*s.xml", (int)(strlen(path) - strlen(".ledger")), path);
    cupel_file_sha256(report, sha256, NULL);
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    fprintf(out, "%.*s%s%s", (int)(place - ledger->text), ledger->text, sha256, place + strlen(FIXTURE_REPORT));
    assert_int_equal(fclose(out), 0);
}

static bool is_ledger(const fixture_file *file)
{
    const char *end = strstr(file->name, ".ledger");
    return end != NULL && strcmp(end, ".ledger") == 0;
}

void fixture_write(fixture *run)
{
    char path[640];
    folder_empty(run->directory);
    for (size_t i = 0; i < run->file_count; ++i) {
        if (run->files[i].text != NULL && !is_ledger(&run->files[i])) {
            snprintf(path, sizeof path, "%s/%s", run->directory, run->files[i].name);
            file_write(path, run->files[i].text);
        }
    }
    for (size_t i = 0; i < run->file_count; ++i) {
        if (run->files[i].text != NULL && is_ledger(&run->files[i])) {
            ledger_write(run, &run->files[i]);
        }
    }
    unlink(run->manifest_path);
    if (run->manifest != NULL) {
        file_write(run->manifest_path, run->manifest);
    }
    mkdir(run->build, 0755);
    snprintf(path, sizeof path, "%s/cupel", run->build);
    mkdir(path, 0755);
    snprintf(path, sizeof path, "%s/cupel/sources.sha256", run->build);
    unlink(path);
    if (run->sources != NULL) {
        file_write(path, run->sources);
    }
}

void fixture_evaluate(fixture *run, cupel_verdict *verdict)
{
    fixture_write(run);
    cupel_verdict_evaluate(&run->request, verdict);
}

void fixture_free(fixture *run)
{
    for (size_t i = 0; i < run->file_count; ++i) {
        free(run->files[i].text);
    }
    free(run->manifest);
    free(run->sources);
}

void fixture_fail_alpha_two(fixture *run)
{
    fixture_edit(run, "p.alpha.ledger", "\"case\":\"alpha.two\",\"sequence\":2,\"outcome\":\"passed\"",
                 "\"case\":\"alpha.two\",\"sequence\":2,\"outcome\":\"failed\"");
    fixture_edit(run, "p.alpha.ledger", "\"passed\":2,\"failed\":0", "\"passed\":1,\"failed\":1");
    fixture_edit(run, "p.alpha.ledger", "\"status\":0,\"signal\":0", "\"status\":1,\"signal\":0");
    fixture_edit(run, "p.alpha.xml", "<testcase name=\"alpha.two\" time=\"0.000\" >",
                 "<testcase name=\"alpha.two\" time=\"0.000\" ><failure><![CDATA[differs]]></failure>");
    fixture_edit(run, "p.alpha.xml", "failures=\"0\"", "failures=\"1\"");
}
