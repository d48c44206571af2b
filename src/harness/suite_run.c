// SPDX-License-Identifier: Apache-2.0
// Runs cases as one CMocka group. CMocka supplies the loop and the JUnit file; whether a case passed is decided in context.c.
#include "suite.h"

#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct case_run {
    cupel_context *context;
    cupel_ledger_writer *ledger;
    const cupel_case *item;
    size_t sequence;
} case_run;

// Signals that CMocka turns into a failed case and then goes on. A process that received one is not believed any more.
static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGSYS};
enum { FATAL_SIGNAL_COUNT = sizeof fatal_signals / sizeof *fatal_signals };
static struct sigaction dispositions_at_start[FATAL_SIGNAL_COUNT];

// Set once the group has returned; until then exit() from a case must not look like a pass.
static volatile sig_atomic_t group_is_open;

static void guard_against_exit(void)
{
    if (group_is_open) {
        static const char sentence[] = "a case ended the process with exit(): the run is void\n";
        ssize_t ignored = write(STDERR_FILENO, sentence, sizeof sentence - 1);
        (void)ignored;
        _exit(1);
    }
}

static void signals_remember(void)
{
    for (size_t i = 0; i < FATAL_SIGNAL_COUNT; ++i) {
        sigaction(fatal_signals[i], NULL, &dispositions_at_start[i]);
    }
}

static void signals_as_at_start(struct sigaction *cmocka)
{
    for (size_t i = 0; i < FATAL_SIGNAL_COUNT; ++i) {
        sigaction(fatal_signals[i], &dispositions_at_start[i], &cmocka[i]);
    }
}

static void signals_back(const struct sigaction *cmocka)
{
    for (size_t i = 0; i < FATAL_SIGNAL_COUNT; ++i) {
        sigaction(fatal_signals[i], &cmocka[i], NULL);
    }
}

static void print_line(const case_run *run, bool passed)
{
    const cupel_record *record = &run->context->record;
    printf("%-64s %s  %8" PRIu64 " values  worst %g %s%s%s\n", run->item->id, passed ? "passed" : "FAILED", record->values,
           record->worst_error, cupel_unit_name(record->worst_unit), record->worst_at[0] == '\0' ? "" : " at ", record->worst_at);
    if (!passed) {
        printf("    %s%s\n", record->message, record->failures > 1 ? " (and more)" : "");
    }
    fflush(stdout);
}

static bool finish(case_run *run)
{
    bool passed = cupel_context_finish(run->context);
    cupel_ledger_end(run->ledger, run->item->id, run->sequence, passed, &run->context->record);
    print_line(run, passed);
    return passed;
}

static void run_case(void **state)
{
    case_run *run = *state;
    cupel_context *context = run->context;
    struct sigaction cmocka[FATAL_SIGNAL_COUNT];
    cupel_ledger_begin(run->ledger, run->item->id, run->sequence);
    cupel_context_begin(context, run->item);
    signals_as_at_start(cmocka);
    if (context->contaminated_by[0] != '\0') {
        cupel_record_failure(context, "not run: the device reported an error in case %s", context->contaminated_by);
    } else if (setjmp(context->stop) == 0) {
        run->item->run(context);
    }
    bool passed = finish(run);
    signals_back(cmocka);
    // The text of this assertion is the one that CMocka 1.1.5 and 2.x both put into the report.
    _assert_true(passed ? 1 : 0, context->record.message, run->item->id, 0);
}

// A CMocka assertion, skip() or stop() inside a case leaves run_case halfway: the case has failed, whatever CMocka makes of it.
static int close_case(void **state)
{
    case_run *run = *state;
    if (!run->context->running) {
        return 0;
    }
    signals_back(dispositions_at_start);
    cupel_record_failure(run->context, "the case left through CMocka (an assertion, skip or stop) instead of a cupel_ expectation");
    finish(run);
    return -1;
}

int cupel_suite_run(cupel_context *context, const cupel_case *const *cases, size_t count, const char *group,
                    cupel_ledger_writer *ledger)
{
    struct CMUnitTest *tests = calloc(count, sizeof *tests);
    case_run *runs = calloc(count, sizeof *runs);
    int status = 1;
    if (tests == NULL || runs == NULL || atexit(guard_against_exit) != 0) {
        fprintf(stderr, "out of memory for %zu cases\n", count);
        goto cleanup;
    }
    for (size_t i = 0; i < count; ++i) {
        runs[i] = (case_run){.context = context, .ledger = ledger, .item = cases[i], .sequence = i + 1};
        tests[i] = (struct CMUnitTest){cases[i]->id, run_case, NULL, close_case, &runs[i]};
    }
    signals_remember();
    group_is_open = 1;
    int failed = _cmocka_run_group_tests(group, tests, count, NULL, NULL);
    group_is_open = 0;
    // CMocka's count is cut to eight bits by the system and misses teardown errors: only the ledger's totals decide.
    status = failed == 0 && ledger->cases == count && ledger->passed == count ? 0 : 1;
cleanup:
    free(tests);
    free(runs);
    return status;
}
