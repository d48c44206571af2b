// SPDX-License-Identifier: Apache-2.0
// Jobs in processes of their own, as many at a time as there are processors. A job's result travels through a file without name.
#include "job.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct pool_slot {
    pid_t child;
    FILE *file;
} pool_slot;

void golden_results_free(golden_results *results)
{
    for (size_t i = 0; i < results->count; ++i) {
        golden_text_free(&results->at[i].lines);
        free(results->at[i].worst);
    }
    free(results->at);
    *results = (golden_results){0};
}

golden_status golden_results_status(const golden_results *results)
{
    static const golden_status gravest[] = {GOLDEN_REFUSED, GOLDEN_DIFFERS, GOLDEN_NOT_RUN};
    for (size_t g = 0; g < sizeof gravest / sizeof gravest[0]; ++g) {
        for (size_t i = 0; i < results->count; ++i) {
            if (results->at[i].status == gravest[g]) {
                return gravest[g];
            }
        }
    }
    return GOLDEN_OK;
}

// A result that was refused early has no worst rows, and a null pointer for them.
static bool elements_send(const void *elements, size_t size, size_t count, FILE *file)
{
    return count == 0 || fwrite(elements, size, count, file) == count;
}

// The result in memory order: both ends are the same program.
static bool result_send(const golden_result *result, FILE *file)
{
    return elements_send(result, sizeof *result, 1, file) &&
           elements_send(result->worst, sizeof *result->worst, result->worst_count, file) &&
           elements_send(result->lines.data, 1, result->lines.length, file) && fflush(file) == 0;
}

static bool result_receive(golden_result *result, FILE *file)
{
    golden_result sent;
    rewind(file);
    if (fread(&sent, sizeof sent, 1, file) != 1) {
        return false;
    }
    golden_text lines = {0};
    char block[4096];
    size_t got;
    golden_worst *worst = calloc(sent.worst_count + 1, sizeof *worst);
    bool whole = worst != NULL && fread(worst, sizeof *worst, sent.worst_count, file) == sent.worst_count;
    while (whole && (got = fread(block, 1, sizeof block, file)) > 0) {
        golden_text_append(&lines, block, got);
    }
    if (!whole || lines.failed || lines.length != sent.lines.length) {
        free(worst);
        golden_text_free(&lines);
        return false;
    }
    *result = sent;
    result->worst = worst;
    result->lines = lines;
    return true;
}

static bool slot_start(pool_slot *slot, const golden_settings *settings, size_t index, golden_result *result, golden_work *work,
                       void *context)
{
    slot->file = tmpfile();
    fflush(NULL); // nothing buffered may be written twice
    slot->child = slot->file ? fork() : -1;
    if (slot->child == 0) {
        work(settings, index, result, context);
        _exit(result_send(result, slot->file) ? 0 : 1);
    }
    return slot->child > 0;
}

static void slot_finish(pool_slot *slot, golden_result *result, int outcome)
{
    bool received = WIFEXITED(outcome) && WEXITSTATUS(outcome) == 0 && result_receive(result, slot->file);
    if (!received) {
        result->status = GOLDEN_REFUSED;
        golden_text_printf(&result->lines, "corpus %s: its process ended without a result (%s %d).\n", result->name,
                           WIFSIGNALED(outcome) ? "signal" : "status",
                           WIFSIGNALED(outcome) ? WTERMSIG(outcome) : WEXITSTATUS(outcome));
    }
    fclose(slot->file);
    *slot = (pool_slot){0};
}

static void progress_print(const golden_settings *settings, size_t done, size_t count)
{
    if (settings->progress) {
        fprintf(stderr, "\rgolden: %zu of %zu corpora%s", done, count, done == count ? "\r\x1b[K" : "");
        fflush(stderr);
    }
}

// Waits for one of this pool's own children and stores its result.
static bool pool_reap(pool_slot *slots, golden_results *results)
{
    for (;;) {
        int outcome = 0;
        pid_t ended = waitpid(-1, &outcome, 0);
        if (ended < 0 && errno != EINTR) {
            return false;
        }
        for (size_t i = 0; ended > 0 && i < results->count; ++i) {
            if (slots[i].child == ended) {
                slot_finish(&slots[i], &results->at[i], outcome);
                return true;
            }
        }
    }
}

golden_status golden_pool_run(const golden_settings *settings, size_t count, const char *const *names, golden_work *work,
                              void *context, golden_results *results, golden_error *error)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t limit = processors > 1 ? (size_t)processors : 1, running = 0, done = 0;
    pool_slot *slots = calloc(count + 1, sizeof *slots);
    *results = (golden_results){count, calloc(count + 1, sizeof *results->at)};
    golden_status status = GOLDEN_OK;
    if (slots == NULL || results->at == NULL) {
        results->count = results->at ? count : 0;
        status = golden_fail(error, GOLDEN_REFUSED, "out of memory for %zu jobs.", count);
    }
    for (size_t next = 0; status == GOLDEN_OK && done < count;) {
        progress_print(settings, done, count);
        if (next < count && running < limit) {
            snprintf(results->at[next].name, sizeof results->at[next].name, "%s", names[next]);
            if (!slot_start(&slots[next], settings, next, &results->at[next], work, context)) {
                status = golden_fail(error, GOLDEN_REFUSED, "a process for corpus %s could not be started (%s).", names[next],
                                     strerror(errno));
            }
            ++next;
            ++running;
        } else if (pool_reap(slots, results)) {
            --running;
            ++done;
        } else {
            status = golden_fail(error, GOLDEN_REFUSED, "waiting for a job failed (%s).", strerror(errno));
        }
    }
    progress_print(settings, count, count);
    free(slots);
    return status;
}
