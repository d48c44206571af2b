// SPDX-License-Identifier: Apache-2.0
#include "oracle_process.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool collect(FILE *file, golden_text *text)
{
    char block[65536];
    size_t got;
    rewind(file);
    while ((got = fread(block, 1, sizeof block, file)) > 0) {
        golden_text_append(text, block, got);
    }
    golden_text_append(text, "", 0);
    return ferror(file) == 0 && !text->failed;
}

// Files without a name carry all three streams, so neither side can wait for the other.
typedef struct streams {
    FILE *in, *out, *err;
} streams;

static bool streams_open(streams *files, const golden_text *request)
{
    files->in = tmpfile();
    files->out = tmpfile();
    files->err = tmpfile();
    return files->in && files->out && files->err && fwrite(request->data, 1, request->length, files->in) == request->length &&
           fflush(files->in) == 0 && lseek(fileno(files->in), 0, SEEK_SET) == 0;
}

static void streams_close(streams *files)
{
    FILE *all[] = {files->in, files->out, files->err};
    for (size_t i = 0; i < 3; ++i) {
        if (all[i] != NULL) {
            fclose(all[i]);
        }
    }
}

static int child_run(const char *executable, const char *bounds, const streams *files, int *outcome)
{
    char name[] = "cupel-oracle", table[4096];
    snprintf(table, sizeof table, "%s", bounds);
    char *arguments[] = {name, table, NULL}, *environment[] = {NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed == 0) {
        posix_spawn_file_actions_adddup2(&actions, fileno(files->in), 0);
        posix_spawn_file_actions_adddup2(&actions, fileno(files->out), 1);
        posix_spawn_file_actions_adddup2(&actions, fileno(files->err), 2);
        failed = posix_spawn(&child, executable, &actions, NULL, arguments, environment);
        posix_spawn_file_actions_destroy(&actions);
    }
    if (failed != 0) {
        return failed;
    }
    while (waitpid(child, outcome, 0) < 0) {
        if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

golden_status golden_oracle_run(const char *executable, const char *bounds, const golden_text *request, golden_text *corpus,
                                golden_text *messages, golden_error *error)
{
    streams files = {0};
    int outcome = 0, failed = 0;
    if (access(executable, X_OK) != 0) {
        return golden_fail(error, GOLDEN_NOT_RUN,
                           "the oracle was not built (%s): install MPFR (Debian: libmpfr-dev), configure and build again.",
                           executable);
    }
    bool streamed = streams_open(&files, request);
    if (streamed) {
        failed = child_run(executable, bounds, &files, &outcome);
        streamed = failed == 0 && collect(files.out, corpus) && collect(files.err, messages);
    }
    streams_close(&files);
    if (!streamed) {
        return golden_fail(error, GOLDEN_REFUSED, "%s: could not be run (%s).", executable, strerror(failed ? failed : errno));
    }
    if (WIFEXITED(outcome) && (WEXITSTATUS(outcome) == GOLDEN_OK || WEXITSTATUS(outcome) == GOLDEN_DIFFERS)) {
        return (golden_status)WEXITSTATUS(outcome);
    }
    if (WIFSIGNALED(outcome)) {
        return golden_fail(error, GOLDEN_REFUSED, "the oracle was ended by signal %d.", WTERMSIG(outcome));
    }
    int length = (int)strcspn(messages->data, "\n");
    return golden_fail(error, GOLDEN_REFUSED, "the oracle refused: %.*s", length < 900 ? length : 900, messages->data);
}
