// SPDX-License-Identifier: Apache-2.0
// Runs one program as a process group of its own, with a hard time limit, and leaves nothing of it behind.
#ifndef EVIDENCE_PROCESS_H
#define EVIDENCE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct evidence_process_spec {
    const char *const *argv;        // argv[0] is looked up on PATH; ends with a null pointer
    const char *directory;          // working directory, null: this process's own
    const char *const *environment; // "NAME=VALUE" to set or "NAME" to unset in the child, null: nothing; ends with a null pointer
    const char *stdin_path;         // a file for its standard input, null: empty
    int stdout_fd;                  // where its standard output goes, -1: this process's own
    int stderr_fd;
    double limit_seconds;                      // 0: none
    void (*tick)(void *context);               // called about ten times a second while it runs, null: not called
    void (*started)(void *context, pid_t pid); // called once after the fork, null: not called
    void *context;
} evidence_process_spec;

typedef struct evidence_process_result {
    pid_t pid;
    uint64_t start_time; // evidence_process_start_time of it: the pid alone names another process later
    int exit_status;     // 0..255; 128 + signal number when a signal ended it; 127 when it could not be started
    int signal;          // the signal that ended it, 0 when it exited
    bool started;        // false: the program could not be executed; then start_error is its errno
    int start_error;
    bool timed_out;     // it reached limit_seconds and was killed with its group
    bool interrupted;   // this process got SIGINT or SIGTERM and passed the end on
    int leftovers;      // descendants that outlived it and were killed
    double cpu_seconds; // user and system time of the program and the descendants it waited for
    double seconds;     // wall time by the monotonic clock
    long peak_rss_kib;  // largest resident set of the program or a descendant it waited for
} evidence_process_result;

// Runs the program to its end. At the limit, or when this process is told to end, its group gets
// SIGTERM, two seconds later SIGKILL. Returns false, with errno, only when this process's own means failed (fork, pipe).
bool evidence_process_run(const evidence_process_spec *spec, evidence_process_result *result);

// Runs argv and returns what it wrote to standard output (at most `limit` bytes, zero-terminated; free it). Standard error is
// dropped. Null when it could not be started, ran longer than limit_seconds or exited with another status than 0.
char *evidence_process_output(const char *const *argv, double limit_seconds, size_t limit);

// Field 22 of /proc/<pid>/stat: with the pid it names one process for the life of the machine. 0 when there is none.
uint64_t evidence_process_start_time(pid_t pid);
// True when the process of this pid and start time is there and has not ended: one that has ended is kept until it is waited for.
bool evidence_process_is_running(pid_t pid, uint64_t start_time);
// Its parent, 0 when there is none.
pid_t evidence_process_parent(pid_t pid);

// Monotonic clock in seconds.
double evidence_clock_seconds(void);

#endif
