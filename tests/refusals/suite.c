// SPDX-License-Identifier: Apache-2.0
// A suite of three cases that can be told to misbehave in one way: by the name that its executable is started under. The tests of
// tests/refusals/runs.py link it under names such as "suite-exit".
#include "cupel.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// The kind of misbehaviour: what follows the last "suite-" of the name under which the program was started.
static bool told_to(const char *kind)
{
    static char name[256];
    if (name[0] == '\0') {
        char line[4096] = "";
        int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
        ssize_t length = file < 0 ? 0 : read(file, line, sizeof line - 1);
        if (file >= 0) {
            close(file);
        }
        line[length > 0 ? length : 0] = '\0';
        const char *found = strstr(line, "suite-");
        for (const char *next = found; next != NULL; next = strstr(next + 1, "suite-")) {
            found = next;
        }
        strncpy(name, found == NULL ? "-" : found + strlen("suite-"), sizeof name - 1);
    }
    return strcmp(name, kind) == 0;
}

// One word is written by a kernel and compared.
static void passes(cupel_context *context)
{
    const uint32_t word = 7;
    nc_array *out = cupel_output_vector(context, NC_U32, 1);
    cupel_require_ok(context, nc_array_fill(out, &word, sizeof word));
    cupel_expect_bits(context, out, &word, 1);
}

// The linker sends the harness's calls of nc_device_sync here: a kernel's error may surface only when something waits.
static bool error_is_late;
nc_status __real_nc_device_sync(nc_device *device);
nc_status __wrap_nc_device_sync(nc_device *device);
nc_status __wrap_nc_device_sync(nc_device *device)
{
    nc_status status = __real_nc_device_sync(device);
    return error_is_late ? NC_DEVICE_ERROR : status;
}

static void end_badly(void)
{
    raise(SIGSEGV);
}

static void *fail_in_thread(void *context)
{
    cupel_expect_true(context, false);
    return NULL;
}

// Ends or leaves the process.
static void process_misbehaves(cupel_context *context)
{
    if (told_to("crash")) {
        raise(SIGSEGV);
    } else if (told_to("abort")) {
        abort();
    } else if (told_to("exit")) {
        exit(0);
    } else if (told_to("quick-exit")) {
        _exit(0);
    } else if (told_to("late-crash")) {
        atexit(end_badly);
    } else if (told_to("hang")) {
        signal(SIGTERM, SIG_IGN);
        if (fork() == 0) {
            for (;;) {
                pause();
            }
        }
        for (;;) {
            pause();
        }
    } else if (told_to("fork")) {
        pid_t child = fork();
        if (child == 0) {
            cupel_expect_true(context, false); // must not run the rest of the suite, nor write the report
            exit(0);
        }
        waitpid(child, NULL, 0);
    } else if (told_to("thread")) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, fail_in_thread, context) == 0) {
            pthread_join(thread, NULL);
        }
    }
}

static void misbehaves(cupel_context *context)
{
    const uint32_t word = 7;
    const uint32_t other = 8;
    process_misbehaves(context);
    error_is_late = told_to("late-error");
    if (told_to("tells")) {
        cupel_fail(context, "ask somebody@example.org"); // a message that a published copy may not have
    }
    if (told_to("early-return")) {
        return; // a skip that nobody records
    }
    nc_array *out = cupel_output_vector(context, NC_U32, 1);
    if (!told_to("stale-output")) {
        cupel_require_ok(context, nc_array_fill(out, &word, sizeof word));
    }
    if (told_to("nothing-compared")) {
        cupel_expect_bits(context, out, &word, 0);
    } else if (told_to("own-output")) {
        cupel_expect_bits(context, out, cupel_download(context, out), 1);
    } else {
        cupel_expect_bits(context, out, told_to("wrong") ? &other : &word, 1);
    }
}

// A real that is not the expected one, by way of what a comparison must not forgive.
static void real_misbehaves(cupel_context *context)
{
    const double one = 1.0;
    const double huge = told_to("infinite-bound") ? HUGE_VAL : 0.5;
    double value = told_to("nan") ? (double)NAN : told_to("infinite-bound") ? 2.0 : 1.0;
    nc_array *out = cupel_output_vector(context, NC_F64, 1);
    cupel_require_ok(context, nc_array_fill(out, &value, sizeof value));
    cupel_expect_within_bound(context, out, &one, &huge, 1, "half, by the test's own arithmetic");
}

static const cupel_case cases[] = {
    CUPEL_CASE("fixture.first", passes),
    CUPEL_CASE("fixture.real", real_misbehaves),
    CUPEL_CASE("fixture.second", misbehaves),
    CUPEL_CASE("fixture.third", passes),
};
static const cupel_table table = CUPEL_TABLE(cases);
static const cupel_table *const tables[] = {&table};

const cupel_suite cupel_this_suite = CUPEL_SUITE("fixture", tables);
