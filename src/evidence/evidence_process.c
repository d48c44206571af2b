// SPDX-License-Identifier: Apache-2.0
#include "evidence_process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TICK_NANOSECONDS = 100000000 };
static const double GRACE_SECONDS = 2.0;

double evidence_clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

enum { STAT_STATE = 3, STAT_PARENT = 4, STAT_START_TIME = 22 }; // fields of /proc/<pid>/stat, counted from 1 (proc(5))

// A field after the name, as `text` holds it; null when there is no such process.
static const char *stat_find(pid_t pid, int wanted, char text[1024])
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return NULL;
    }
    const size_t length = fread(text, 1, 1023, file);
    fclose(file);
    text[length] = '\0';
    // The name in field 2 may hold anything but ends with the last ')'; field 3 follows it.
    const char *at = strrchr(text, ')');
    for (int field = 2; at != NULL && field < wanted; ++field) {
        at = strchr(at + 1, ' ');
    }
    return at != NULL ? at + 1 : NULL;
}

// A numeric one; 0 when there is no such process.
static uint64_t stat_field(pid_t pid, int wanted)
{
    char text[1024];
    const char *at = stat_find(pid, wanted, text);
    return at != NULL ? strtoull(at, NULL, 10) : 0;
}

bool evidence_process_is_running(pid_t pid, uint64_t start_time)
{
    char text[1024];
    const char *state = stat_find(pid, STAT_STATE, text);
    return state != NULL && *state != 'Z' && *state != 'X' && stat_field(pid, STAT_START_TIME) == start_time;
}

uint64_t evidence_process_start_time(pid_t pid)
{
    return stat_field(pid, STAT_START_TIME);
}

pid_t evidence_process_parent(pid_t pid)
{
    return (pid_t)stat_field(pid, STAT_PARENT);
}

static bool environment_apply(const char *const *environment)
{
    for (size_t i = 0; environment != NULL && environment[i] != NULL; ++i) {
        const char *equals = strchr(environment[i], '=');
        if (equals == NULL) {
            if (unsetenv(environment[i]) != 0) {
                return false;
            }
            continue;
        }
        char name[256];
        if (snprintf(name, sizeof name, "%.*s", (int)(equals - environment[i]), environment[i]) >= (int)sizeof name ||
            setenv(name, equals + 1, 1) != 0) {
            return false;
        }
    }
    return true;
}

// The child after fork: never returns. Errors before exec travel to the parent through `report` as an errno.
static _Noreturn void child_become(const evidence_process_spec *spec, const sigset_t *mask, int report)
{
    int error = 0;
    setpgid(0, 0);
    sigprocmask(SIG_SETMASK, mask, NULL);
    const int input = open(spec->stdin_path != NULL ? spec->stdin_path : "/dev/null", O_RDONLY);
    if (input < 0 || dup2(input, STDIN_FILENO) < 0 || (spec->stdout_fd >= 0 && dup2(spec->stdout_fd, STDOUT_FILENO) < 0) ||
        (spec->stderr_fd >= 0 && dup2(spec->stderr_fd, STDERR_FILENO) < 0) ||
        (spec->directory != NULL && chdir(spec->directory) != 0) || !environment_apply(spec->environment)) {
        error = errno;
    } else {
        // execvp takes char *const[] for history's sake and changes neither the array nor the words.
        union {
            const char *const *in;
            char *const *out;
        } words = {spec->argv};
        execvp(spec->argv[0], words.out);
        error = errno;
    }
    const ssize_t written = write(report, &error, sizeof error);
    _exit(written == (ssize_t)sizeof error ? 127 : 126);
}

static bool children_kill(void)
{
    DIR *processes = opendir("/proc");
    const struct dirent *entry = NULL;
    bool found = false;
    while (processes != NULL && (entry = readdir(processes)) != NULL) {
        const pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
        if (pid > 0 && evidence_process_parent(pid) == getpid()) {
            kill(pid, SIGKILL);
            found = true;
        }
    }
    if (processes != NULL) {
        closedir(processes);
    }
    return found;
}

// Descendants that outlived the program were inherited by this process, their subreaper. Kills and reaps them; returns how many
// were still alive.
static int leftovers_end(void)
{
    int killed = 0;
    bool killing = false;
    int status = 0;
    for (;;) {
        const pid_t reaped = waitpid(-1, &status, killing ? 0 : WNOHANG);
        if (reaped < 0 && errno == EINTR) {
            continue;
        }
        if (reaped < 0) {
            return killed;
        }
        if (reaped > 0) {
            killed += killing ? 1 : 0;
            killing = false;
        } else {
            if (!children_kill()) {
                return killed;
            }
            killing = true;
        }
    }
}

typedef struct watch {
    const evidence_process_spec *spec;
    evidence_process_result *result;
    double began;
    double killed_at; // when the group got SIGTERM, 0: not yet
} watch;

static void group_end(watch *w, bool by_signal)
{
    if (w->killed_at > 0.0) {
        return;
    }
    w->killed_at = evidence_clock_seconds();
    w->result->interrupted = by_signal;
    w->result->timed_out = !by_signal;
    kill(-w->result->pid, SIGTERM);
}

// Waits until the child has ended. SIGCHLD, SIGINT and SIGTERM are blocked and collected here.
static void child_await(watch *w, const sigset_t *awaited)
{
    const struct timespec tick = {0, TICK_NANOSECONDS};
    int status = 0;
    struct rusage usage;
    pid_t got = 0;
    while ((got = wait4(w->result->pid, &status, WNOHANG, &usage)) == 0 || (got < 0 && errno == EINTR)) {
        const int signal_number = sigtimedwait(awaited, NULL, &tick);
        const double now = evidence_clock_seconds();
        if (signal_number == SIGINT || signal_number == SIGTERM) {
            group_end(w, true);
        } else if (w->spec->limit_seconds > 0.0 && now - w->began >= w->spec->limit_seconds) {
            group_end(w, false);
        }
        if (w->killed_at > 0.0 && now - w->killed_at >= GRACE_SECONDS) {
            kill(-w->result->pid, SIGKILL);
        }
        if (w->spec->tick != NULL) {
            w->spec->tick(w->spec->context);
        }
    }
    w->result->seconds = evidence_clock_seconds() - w->began;
    w->result->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    w->result->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + w->result->signal;
    w->result->peak_rss_kib = usage.ru_maxrss;
    w->result->cpu_seconds =
        (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + 1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    w->result->leftovers = leftovers_end();
}

bool evidence_process_run(const evidence_process_spec *spec, evidence_process_result *result)
{
    sigset_t awaited;
    sigset_t before;
    int report[2];
    *result = (evidence_process_result){0};
    if (pipe(report) != 0) {
        return false;
    }
    fcntl(report[0], F_SETFD, FD_CLOEXEC);
    fcntl(report[1], F_SETFD, FD_CLOEXEC);
    prctl(PR_SET_CHILD_SUBREAPER, 1UL, 0UL, 0UL, 0UL);
    signal(SIGCHLD, SIG_DFL); // a parent may have left it ignored, and then there would be nothing to wait for
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    sigaddset(&awaited, SIGINT);
    sigaddset(&awaited, SIGTERM);
    sigprocmask(SIG_BLOCK, &awaited, &before);
    fflush(NULL);
    watch w = {spec, result, evidence_clock_seconds(), 0.0};
    result->pid = fork();
    if (result->pid == 0) {
        child_become(spec, &before, report[1]);
    }
    close(report[1]);
    if (result->pid > 0) {
        // Both sides set the group, so that it exists whoever runs first.
        setpgid(result->pid, result->pid);
        result->start_time = evidence_process_start_time(result->pid); // it is there until it is waited for
        result->started = read(report[0], &result->start_error, sizeof result->start_error) == 0;
        if (result->started && spec->started != NULL) {
            spec->started(spec->context, result->pid);
        }
        child_await(&w, &awaited);
    }
    close(report[0]);
    const int kept_errno = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = kept_errno;
    return result->pid > 0;
}

char *evidence_process_output(const char *const *argv, double limit_seconds, size_t limit)
{
    char *text = NULL;
    FILE *file = tmpfile();
    const int nothing = open("/dev/null", O_WRONLY);
    evidence_process_result result;
    if (file != NULL && nothing >= 0) {
        const evidence_process_spec spec = {
            .argv = argv, .stdout_fd = fileno(file), .stderr_fd = nothing, .limit_seconds = limit_seconds};
        if (evidence_process_run(&spec, &result) && result.started && result.exit_status == 0 && !result.timed_out) {
            rewind(file);
            text = calloc(limit + 1, 1);
        }
        if (text != NULL && fread(text, 1, limit, file) == 0 && ferror(file)) {
            free(text);
            text = NULL;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    if (nothing >= 0) {
        close(nothing);
    }
    return text;
}
