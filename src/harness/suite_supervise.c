// SPDX-License-Identifier: Apache-2.0
// The process that ctest starts: refuses what cannot lead to a verdict, then runs the cases in a child with a process group and a
// time limit of its own, and records how the child ended. A child that ignores SIGTERM, or leaves children behind, is gone when
// this process ends.
#include "environment.h"
#include "file.h"
#include "suite.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds_since(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) * 1e-9;
}

// Waits until the child has ended, the time is up or someone asks this process to stop. True when the child ended by itself.
static bool wait_for_end(pid_t child, long limit_seconds, const sigset_t *signals, const struct timespec *start, bool *timed_out)
{
    siginfo_t ended;
    for (;;) {
        memset(&ended, 0, sizeof ended);
        if (waitid(P_PID, (id_t)child, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == child) {
            return true;
        }
        double left = limit_seconds > 0 ? (double)limit_seconds - seconds_since(start) : 3600.0;
        if (left <= 0.0) {
            *timed_out = true;
            return false;
        }
        struct timespec wait = {.tv_sec = (time_t)left, .tv_nsec = (long)((left - (double)(time_t)left) * 1e9)};
        int signal_number = sigtimedwait(signals, NULL, &wait);
        if (signal_number > 0 && signal_number != SIGCHLD) {
            return false;
        }
    }
}

static cupel_process_end reap(pid_t child, bool timed_out, const struct timespec *start)
{
    int status = 0;
    struct rusage usage = {0};
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    getrusage(RUSAGE_CHILDREN, &usage); // this process has no other child
    return (cupel_process_end){.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0,
                               .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                               .timed_out = timed_out,
                               .seconds = seconds_since(start),
                               .peak_rss_bytes = 1024 * (int64_t)usage.ru_maxrss};
}

static void report_end(const cupel_options *options, const cupel_process_end *end)
{
    if (end->timed_out) {
        fprintf(stderr, "%s was stopped after its time limit of %ld s\n", options->test, options->timeout_seconds);
    } else if (end->signal != 0) {
        fprintf(stderr, "%s was ended by signal %d (%s)\n", options->test, end->signal, strsignal(end->signal));
    }
}

// Writes down how the child ended, and which report it left: no process of the suite can change that file any more. False, with a
// sentence, when the ledger has no place for it.
static bool end_record(const cupel_options *options, const cupel_open_run *run, cupel_process_end *end)
{
    char name[256];
    snprintf(name, sizeof name, "%s.xml", options->test);
    char *report = cupel_path(run->directory, name);
    if (report == NULL || !cupel_file_sha256(report, end->report_sha256, NULL)) {
        end->report_sha256[0] = '\0';
    }
    snprintf(name, sizeof name, "%s.ledger", options->test);
    char *ledger = cupel_path(run->directory, name);
    bool recorded = ledger != NULL && cupel_ledger_append_exit(ledger, run->nonce, end);
    if (!recorded) {
        fprintf(stderr, "%s/%s has no place for how the process ended\n", run->directory, name);
    }
    free(report);
    free(ledger);
    return recorded;
}

// Runs the child to its end. 0 only when it ended by itself with status 0 and the ledger has the exit event.
static int watch(const cupel_options *options, const cupel_open_run *run, pid_t child, const sigset_t *signals)
{
    struct timespec start;
    bool timed_out = false;
    clock_gettime(CLOCK_MONOTONIC, &start);
    setpgid(child, child); // also done in the child: whoever comes first
    if (!wait_for_end(child, options->timeout_seconds, signals, &start, &timed_out)) {
        kill(-child, SIGKILL);
    }
    kill(-child, SIGKILL); // what the child left behind; the group still exists, since the child is not reaped yet
    cupel_process_end end = reap(child, timed_out, &start);
    report_end(options, &end);
    bool recorded = end_record(options, run, &end);
    return recorded && end.status == 0 && end.signal == 0 && !end.timed_out ? 0 : 1;
}

static int run_child(const cupel_options *options, const cupel_open_run *run, json_t *environment, const sigset_t *before,
                     pid_t parent)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL); // when ctest kills the parent outright
    if (getppid() != parent) {        // it has already
        return 1;
    }
    sigprocmask(SIG_SETMASK, before, NULL);
    return cupel_suite_execute(options, run, environment);
}

int cupel_suite_supervise(const cupel_options *options)
{
    char reason[512];
    cupel_open_run run;
    sigset_t signals;
    sigset_t before;
    int status = 1;
    if (!cupel_open_run_join(options->tree, options->profile, &run, reason, sizeof reason)) {
        fprintf(stderr, "%s\n", reason);
        return 1;
    }
    json_t *environment = cupel_environment_scrub();
    if (environment == NULL) {
        fprintf(stderr, "out of memory\n");
        cupel_open_run_free(&run);
        return 1;
    }
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGHUP);
    sigprocmask(SIG_BLOCK, &signals, &before);
    fflush(NULL);
    pid_t parent = getpid();
    pid_t child = fork();
    if (child == 0) {
        status = run_child(options, &run, environment, &before, parent);
    } else if (child > 0) {
        status = watch(options, &run, child, &signals);
    } else {
        fprintf(stderr, "no process for %s: %s\n", options->test, strerror(errno));
    }
    json_decref(environment);
    cupel_open_run_free(&run);
    return status;
}
