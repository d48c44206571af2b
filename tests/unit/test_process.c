// SPDX-License-Identifier: Apache-2.0
// evidence_process_run: statuses, limits, and nothing left behind.
#include "unit.h"

#include "evidence_process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static evidence_process_result run_shell(const char *script, double limit_seconds)
{
    const char *const argv[] = {"sh", "-c", script, NULL};
    const evidence_process_spec spec = {.argv = argv, .stdout_fd = -1, .stderr_fd = -1, .limit_seconds = limit_seconds};
    evidence_process_result result;
    assert_true(evidence_process_run(&spec, &result));
    return result;
}

static void exit_status_is_kept(void **state)
{
    (void)state;
    const evidence_process_result result = run_shell("exit 7", 60.0);
    assert_true(result.started);
    assert_int_equal(result.exit_status, 7);
    assert_int_equal(result.signal, 0);
    assert_int_equal(result.leftovers, 0);
    assert_true(result.peak_rss_kib > 0);
}

static void signal_is_not_an_exit(void **state)
{
    (void)state;
    const evidence_process_result result = run_shell("kill -SEGV $$", 60.0);
    assert_int_equal(result.signal, SIGSEGV);
    assert_int_equal(result.exit_status, 128 + SIGSEGV);
}

static void missing_program_is_told_apart_from_status_127(void **state)
{
    (void)state;
    const char *const argv[] = {"cupel-no-such-program", NULL};
    const evidence_process_spec spec = {.argv = argv, .stdout_fd = -1, .stderr_fd = -1};
    evidence_process_result result;
    assert_true(evidence_process_run(&spec, &result));
    assert_false(result.started);
    assert_int_not_equal(result.start_error, 0);
    assert_true(run_shell("exit 127", 60.0).started);
}

// A program that ignores SIGTERM, with a child that does too, is gone with its group soon after the limit.
static void limit_ends_the_whole_group(void **state)
{
    (void)state;
    const evidence_process_result result = run_shell("trap '' TERM; (trap '' TERM; sleep 600) & while :; do sleep 600; done", 0.3);
    assert_true(result.timed_out);
    assert_int_equal(result.signal, SIGKILL);
    assert_true(result.seconds < 30.0);
}

// A child in a session of its own escapes the process group, but not the subreaper.
static void leftovers_are_killed_and_counted(void **state)
{
    (void)state;
    const evidence_process_result result = run_shell("setsid sleep 600 >/dev/null 2>&1 & exit 0", 60.0);
    assert_int_equal(result.exit_status, 0);
    assert_int_equal(result.leftovers, 1);
}

static void environment_is_set_and_unset(void **state)
{
    (void)state;
    const char *const argv[] = {"sh", "-c", "test \"$UNIT_A\" = 'x=y' && test -z \"${UNIT_B+set}\"", NULL};
    const char *const environment[] = {"UNIT_A=x=y", "UNIT_B", NULL};
    const evidence_process_spec spec = {.argv = argv, .environment = environment, .stdout_fd = -1, .stderr_fd = -1};
    evidence_process_result result;
    assert_int_equal(setenv("UNIT_B", "1", 1), 0);
    assert_true(evidence_process_run(&spec, &result));
    assert_int_equal(result.exit_status, 0);
    assert_string_equal(getenv("UNIT_B"), "1");
}

static void output_is_returned_or_null(void **state)
{
    (void)state;
    const char *const good[] = {"sh", "-c", "echo one; echo two >&2", NULL};
    const char *const bad[] = {"sh", "-c", "echo one; exit 1", NULL};
    char *text = evidence_process_output(good, 60.0, 100);
    assert_non_null(text);
    assert_string_equal(text, "one\n");
    free(text);
    assert_null(evidence_process_output(bad, 60.0, 100));
}

// It keeps its number and its start until then, which under some first processes takes seconds.
static void a_process_that_nobody_waited_for_has_ended(void **state)
{
    (void)state;
    siginfo_t how;
    const pid_t child = fork();
    if (child == 0) {
        _exit(0);
    }
    assert_true(child > 0);
    assert_int_equal(waitid(P_PID, (id_t)child, &how, WEXITED | WNOWAIT), 0);
    const uint64_t start = evidence_process_start_time(child);
    assert_true(start > 0);
    assert_false(evidence_process_is_running(child, start));
    assert_int_equal(waitpid(child, NULL, 0), child);
}

static void start_time_names_a_process(void **state)
{
    (void)state;
    assert_true(evidence_process_start_time(getpid()) > 0);
    assert_int_equal(evidence_process_start_time(getpid()), evidence_process_start_time(getpid()));
    assert_int_equal(evidence_process_start_time(-1), 0);
    assert_true(evidence_process_is_running(getpid(), evidence_process_start_time(getpid())));
    assert_false(evidence_process_is_running(getpid(), evidence_process_start_time(getpid()) + 1));
    assert_false(evidence_process_is_running(-1, 0));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(exit_status_is_kept),
    cmocka_unit_test(signal_is_not_an_exit),
    cmocka_unit_test(missing_program_is_told_apart_from_status_127),
    cmocka_unit_test(limit_ends_the_whole_group),
    cmocka_unit_test(leftovers_are_killed_and_counted),
    cmocka_unit_test(environment_is_set_and_unset),
    cmocka_unit_test(output_is_returned_or_null),
    cmocka_unit_test(start_time_names_a_process),
    cmocka_unit_test(a_process_that_nobody_waited_for_has_ended),
};
UNIT_MAIN(tests)
