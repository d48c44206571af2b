// SPDX-License-Identifier: Apache-2.0
// Suites as processes: what is left behind by one that passes, fails, crashes, exits, skips, forks or hangs. This test plays the
// part of ctest: it opens the run, so that it is the process that the suites look for above themselves.
#include "unit.h"

#include "ancestry.h"
#include "ledger_writer.h"
#include "open_run.h"
#include "report.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define NONCE "00112233445566778899aabbccddeeff"

typedef struct outcome {
    int exit_status; // of the supervisor; -1 when a signal ended it
    json_t *events[32];
    size_t count;
    bool whole; // every ledger line is JSON and ends in a newline
    bool report;
    char output[4096];
} outcome;

static void write_json(const char *directory, const char *name, json_t *document)
{
    char *path = cupel_path(directory, name);
    unlink(path);
    assert_true(cupel_json_write(path, document));
    json_decref(document);
    free(path);
}

static json_t *device_json(void)
{
    nc_device_info info;
    NC_STRUCT_INIT(&info);
    assert_int_equal(nc_device_describe(0, &info), NC_OK);
    return cupel_device_json(&info);
}

// A fresh run directory below `tree`, opened in the name of process `pid`.
static char *open_run(const char *tree, pid_t pid, const char *device_status)
{
    static int number;
    char run[64];
    cupel_ancestor self;
    char *cupel = cupel_path(tree, "cupel");
    char *home = cupel_path(cupel, "unit");
    assert_true(cupel_ancestor_read(pid, &self));
    snprintf(run, sizeof run, "run-%ld-%d", (long)getpid(), ++number);
    char *directory = cupel_path(home, run);
    assert_true(mkdir(cupel, 0755) == 0 || errno == EEXIST);
    assert_true(mkdir(home, 0755) == 0 || errno == EEXIST);
    assert_int_equal(mkdir(directory, 0755), 0);
    write_json(home, "open.json",
               json_pack("{s:s, s:s, s:s, s:s, s:s, s:I, s:I}", "schema", "cupel-run 1", "run", run, "nonce", NONCE, "profile",
                         "unit", "directory", directory, "ctest_pid", (json_int_t)pid, "ctest_start", (json_int_t)self.start));
    write_json(directory, "device.json", json_pack("{s:s, s:o}", "status", device_status, "device", device_json()));
    free(home);
    free(cupel);
    return directory;
}

static void read_output(int from, outcome *result)
{
    size_t used = 0;
    ssize_t got = 0;
    do {
        got = read(from, result->output + used, sizeof result->output - 1 - used);
        used += got > 0 ? (size_t)got : 0;
    } while (got > 0);
    result->output[used] = '\0';
    close(from);
}

static void run_program(char *const *words, outcome *result)
{
    int pipe_ends[2];
    int status = 0;
    assert_int_equal(pipe(pipe_ends), 0);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(pipe_ends[1], STDOUT_FILENO);
        dup2(pipe_ends[1], STDERR_FILENO);
        close(pipe_ends[0]);
        close(pipe_ends[1]);
        execv(words[0], words);
        _exit(126);
    }
    close(pipe_ends[1]);
    read_output(pipe_ends[0], result);
    assert_int_equal(waitpid(child, &status, 0), child);
    result->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void read_ledger(const char *directory, outcome *result)
{
    char line[4096];
    char *path = cupel_path(directory, "unit.fixture.ledger");
    FILE *file = fopen(path, "r");
    result->whole = true;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        json_t *event = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
        result->whole = result->whole && event != NULL && line[strlen(line) - 1] == '\n';
        assert_true(result->count < sizeof result->events / sizeof *result->events);
        result->events[result->count++] = event;
    }
    if (file != NULL) {
        fclose(file);
    }
    free(path);
}

static void run_fixture_as(const char *kind, pid_t owner, const char *device_status, outcome *result)
{
    char program[1024];
    struct stat status;
    memset(result, 0, sizeof *result);
    snprintf(program, sizeof program, "%s/harness-fixture-%s", FIXTURES, kind);
    char *directory = open_run(UNIT_BINARY_DIR, owner, device_status);
    char *words[] = {program, "--profile", "unit", "--tree", UNIT_BINARY_DIR, "--test", "unit.fixture", "--timeout", "2", NULL};
    run_program(words, result);
    read_ledger(directory, result);
    char *report = cupel_path(directory, "unit.fixture.xml");
    result->report = stat(report, &status) == 0;
    free(report);
    free(directory);
}

static void run_fixture(const char *kind, outcome *result)
{
    run_fixture_as(kind, getpid(), "ok", result);
}

static void forget(outcome *result)
{
    for (size_t i = 0; i < result->count; ++i) {
        json_decref(result->events[i]);
    }
}

static const char *text(const json_t *event, const char *name)
{
    const char *value = json_string_value(json_object_get(event, name));
    return value == NULL ? "" : value;
}

static json_int_t number(const json_t *event, const char *name)
{
    return json_integer_value(json_object_get(event, name));
}

// The ledger's events in order, for instance "open begin end begin exit"; each line whole and with the nonce.
static void expect_events(const outcome *result, const char *expected)
{
    char seen[256] = "";
    assert_true(result->whole);
    for (size_t i = 0; i < result->count; ++i) {
        size_t used = strlen(seen);
        snprintf(seen + used, sizeof seen - used, "%s%s", i == 0 ? "" : " ", text(result->events[i], "event"));
        assert_string_equal(text(result->events[i], "nonce"), NONCE);
    }
    assert_string_equal(seen, expected);
}

static const json_t *last(const outcome *result)
{
    return result->events[result->count - 1];
}

static void a_suite_that_passes(void **state)
{
    outcome result;
    (void)state;
    run_fixture("pass", &result);
    assert_int_equal(result.exit_status, 0);
    expect_events(&result, "open begin end begin end begin end close exit");
    assert_true(result.report);
    assert_string_equal(text(result.events[0], "suite"), "fixture");
    assert_int_equal(number(result.events[0], "cases"), 3);
    assert_int_equal(number(result.events[7], "passed"), 3);
    assert_int_equal(number(last(&result), "status"), 0);
    assert_true(json_is_false(json_object_get(last(&result), "timed_out")));
    forget(&result);
}

static void a_case_that_fails(void **state)
{
    outcome result;
    (void)state;
    run_fixture("fail", &result);
    assert_int_equal(result.exit_status, 1);
    expect_events(&result, "open begin end begin end begin end close exit");
    assert_string_equal(text(result.events[4], "outcome"), "failed");
    assert_string_equal(text(result.events[4], "message"), "markup ] > and lines");
    assert_int_equal(number(result.events[7], "failed"), 1);
    forget(&result);
}

// A crash leaves the events up to the case that crashed, no report, and the signal.
static void a_crash(void **state)
{
    static const struct {
        const char *kind;
        int signal;
    } crashes[] = {{"segv", SIGSEGV}, {"abort", SIGABRT}};
    (void)state;
    for (size_t i = 0; i < 2; ++i) {
        outcome result;
        run_fixture(crashes[i].kind, &result);
        assert_int_equal(result.exit_status, 1);
        expect_events(&result, "open begin end begin exit");
        assert_string_equal(text(result.events[3], "case"), "fixture.second");
        // A sanitizer's own handler ends the process with a status.
        assert_true(number(last(&result), "signal") == crashes[i].signal || number(last(&result), "status") != 0);
        assert_false(result.report);
        forget(&result);
    }
}

static void a_case_that_ends_the_process(void **state)
{
    outcome result;
    (void)state;
    run_fixture("exit", &result);
    assert_int_equal(result.exit_status, 1);
    expect_events(&result, "open begin end begin exit");
    assert_int_equal(number(last(&result), "status"), 1);
    assert_non_null(strstr(result.output, "exit()"));
    forget(&result);
    // _exit(0) runs no handler. The ledger has no close event all the same.
    run_fixture("quick-exit", &result);
    expect_events(&result, "open begin end begin exit");
    assert_false(result.report);
    forget(&result);
}

// What CMocka would count as skipped, or leave halfway, is a failed case here.
static void a_case_that_leaves_through_cmocka(void **state)
{
    static const char *const kinds[] = {"skip", "assert"};
    (void)state;
    for (size_t i = 0; i < 2; ++i) {
        outcome result;
        run_fixture(kinds[i], &result);
        assert_int_equal(result.exit_status, 1);
        expect_events(&result, "open begin end begin end begin end close exit");
        assert_string_equal(text(result.events[4], "outcome"), "failed");
        assert_non_null(strstr(text(result.events[4], "message"), "CMocka"));
        assert_string_equal(text(result.events[6], "outcome"), "passed");
        forget(&result);
    }
}

// The child's failure must not become lines of the parent's ledger, nor be lost: the parent's case fails.
static void a_case_that_forks(void **state)
{
    outcome result;
    (void)state;
    run_fixture("fork", &result);
    assert_int_equal(result.exit_status, 1);
    expect_events(&result, "open begin end begin end begin end close exit");
    assert_string_equal(text(result.events[4], "outcome"), "failed");
    assert_non_null(strstr(text(result.events[4], "message"), "forked child"));
    forget(&result);
}

// It ignores SIGTERM and has a child of its own: both are gone, and the ledger says why.
static void a_case_that_hangs(void **state)
{
    outcome result;
    (void)state;
    run_fixture("hang", &result); // returns only when every process has closed its end of the pipe
    assert_int_equal(result.exit_status, 1);
    expect_events(&result, "open begin end begin exit");
    assert_true(json_is_true(json_object_get(last(&result), "timed_out")));
    assert_int_equal(number(last(&result), "signal"), SIGKILL);
    forget(&result);
}

// The run was opened by a process that lives but did not start this one.
// A ctest that crashed is there until it is waited for; its run is over.
static void a_process_that_nobody_waited_for_has_ended(void **state)
{
    (void)state;
    siginfo_t how;
    cupel_ancestor one;
    pid_t child = fork();
    if (child == 0) {
        _exit(0);
    }
    assert_true(child > 0);
    assert_int_equal(waitid(P_PID, (id_t)child, &how, WEXITED | WNOWAIT), 0);
    assert_true(cupel_ancestor_read(child, &one));
    assert_true(one.ended && one.start > 0 && one.parent == getpid());
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_true(cupel_ancestor_read(getpid(), &one));
    assert_false(one.ended);
}

static void a_run_of_another_process(void **state)
{
    outcome result;
    (void)state;
    pid_t stranger = fork();
    assert_true(stranger >= 0);
    if (stranger == 0) {
        for (;;) {
            pause();
        }
    }
    run_fixture_as("pass", stranger, "ok", &result);
    kill(stranger, SIGKILL);
    waitpid(stranger, NULL, 0);
    assert_int_equal(result.exit_status, 1);
    assert_int_equal(result.count, 0);
    assert_non_null(strstr(result.output, "did not start this process"));
    forget(&result);
}

static void a_device_that_is_not_ready(void **state)
{
    outcome result;
    (void)state;
    run_fixture_as("pass", getpid(), "not-run", &result);
    assert_int_equal(result.exit_status, 1);
    assert_int_equal(result.count, 0);
    assert_non_null(strstr(result.output, "device.json"));
    forget(&result);
}

static void another_backend_s_library(void **state)
{
    outcome result;
    (void)state;
    run_fixture("backend", &result);
    assert_int_equal(result.exit_status, 1);
    expect_events(&result, "refused exit");
    assert_string_equal(text(result.events[0], "reason"), "backend-mismatch");
    assert_non_null(strstr(result.output, "backend-mismatch"));
    forget(&result);
}

static void run_words(outcome *result, char *first, char *second)
{
    char program[1024];
    char *words[] = {program, first, second, NULL};
    memset(result, 0, sizeof *result);
    snprintf(program, sizeof program, "%s/harness-fixture-pass", FIXTURES);
    run_program(words, result);
}

static void development_options(void **state)
{
    outcome result;
    (void)state;
    run_words(&result, "--list", NULL);
    assert_int_equal(result.exit_status, 0);
    assert_string_equal(result.output, "fixture.first\nfixture.second\nfixture.third\n");
    run_words(&result, "--case", "fixture.second");
    assert_int_equal(result.exit_status, 0);
    run_words(&result, "--case", "fixture.none");
    assert_int_equal(result.exit_status, 64);
    assert_non_null(strstr(result.output, "fixture.none"));
    run_words(&result, "--case", NULL);
    assert_int_equal(result.exit_status, 64);
    run_words(&result, "--frobnicate", "x");
    assert_int_equal(result.exit_status, 64);
    run_words(&result, "--profile", "unit");
    assert_int_equal(result.exit_status, 64);
    run_words(&result, "--profile", "../unit");
    assert_int_equal(result.exit_status, 64);
    assert_non_null(strstr(result.output, "names in"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_suite_that_passes),
    cmocka_unit_test(a_case_that_fails),
    cmocka_unit_test(a_crash),
    cmocka_unit_test(a_case_that_ends_the_process),
    cmocka_unit_test(a_case_that_leaves_through_cmocka),
    cmocka_unit_test(a_case_that_forks),
    cmocka_unit_test(a_case_that_hangs),
    cmocka_unit_test(a_run_of_another_process),
    cmocka_unit_test(a_process_that_nobody_waited_for_has_ended),
    cmocka_unit_test(a_device_that_is_not_ready),
    cmocka_unit_test(another_backend_s_library),
    cmocka_unit_test(development_options),
};

// The suites judge this process by its command line, as they judge ctest by its own. Under valgrind, which shows in LD_PRELOAD,
// that line is valgrind's, so the test starts itself anew without it; what it tests runs as processes of its own either way.
int main(int argc, char **argv)
{
    const char *preloaded = getenv("LD_PRELOAD");
    (void)argc;
    if (preloaded != NULL && strstr(preloaded, "valgrind") != NULL && unsetenv("LD_PRELOAD") == 0) {
        execv(argv[0], argv);
        return 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
