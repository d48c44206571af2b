// SPDX-License-Identifier: Apache-2.0
// One recorded step of an attempt: run it, keep what it said, write its status last.
#include "attempt.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SMALL_FILE = 1 << 20 };

// The lane of a recorded step and whether it ended with "exit 0".
static bool step_read(const evidence_attempt *attempt, const char *label, char lane[EVIDENCE_LABEL_MAX + 1], bool *passed)
{
    char path[PATH_MAX];
    cupel_file file;
    const char *text = NULL;
    lane[0] = '\0';
    *passed = false;
    json_t *command = evidence_path(path, "%s/steps/%s/command", attempt->path, label)
                          ? json_load_file(path, JSON_REJECT_DUPLICATES, NULL)
                          : NULL;
    if (command != NULL && json_unpack(command, "{s:s}", "lane", &text) == 0) {
        snprintf(lane, EVIDENCE_LABEL_MAX + 1, "%.*s", EVIDENCE_LABEL_MAX, text);
    }
    json_decref(command);
    if (evidence_path(path, "%s/steps/%s/status", attempt->path, label) && cupel_file_read(path, SMALL_FILE, &file) == NULL) {
        *passed = strcmp(file.bytes, "exit 0\n") == 0;
        cupel_file_free(&file);
    }
    return lane[0] != '\0';
}

// Walks the steps: *count of them, and `stopper` (the label of one of this lane that did not pass, "" when none).
static bool steps_walk(const evidence_attempt *attempt, const char *lane, size_t *count, char stopper[EVIDENCE_LABEL_MAX + 1])
{
    char path[PATH_MAX];
    char step_lane[EVIDENCE_LABEL_MAX + 1];
    bool passed = false;
    const struct dirent *entry = NULL;
    DIR *steps = evidence_path(path, "%s/steps", attempt->path) ? opendir(path) : NULL;
    *count = 0;
    stopper[0] = '\0';
    if (steps == NULL) {
        return false;
    }
    while ((entry = readdir(steps)) != NULL) {
        if (!evidence_label_is_valid(entry->d_name)) {
            continue;
        }
        *count += 1;
        // A step whose lane cannot be read ended before it was described: it stops every lane.
        const bool known = step_read(attempt, entry->d_name, step_lane, &passed);
        if (!passed && (!known || strcmp(step_lane, lane) == 0)) {
            snprintf(stopper, EVIDENCE_LABEL_MAX + 1, "%.*s", EVIDENCE_LABEL_MAX, entry->d_name);
        }
    }
    closedir(steps);
    return true;
}

static bool command_write(const char *directory, const evidence_step *step, size_t index)
{
    char started[24];
    json_t *words = json_array();
    json_t *environment = json_array();
    evidence_utc_now(started);
    for (size_t i = 0; step->process.argv[i] != NULL; ++i) {
        json_array_append_new(words, json_string(step->process.argv[i]));
    }
    for (size_t i = 0; step->process.environment != NULL && step->process.environment[i] != NULL; ++i) {
        json_array_append_new(environment, json_string(step->process.environment[i]));
    }
    char here[PATH_MAX];
    const char *where = step->process.directory != NULL ? step->process.directory : getcwd(here, sizeof here);
    json_t *command = json_pack("{s:s, s:s, s:s, s:I, s:o, s:o, s:s, s:s}", "schema", EVIDENCE_STEP_SCHEMA, "label", step->label,
                                "lane", step->lane, "index", (json_int_t)index, "words", words, "environment", environment,
                                "directory", where != NULL ? where : "unknown", "started", started);
    char *text = command != NULL ? json_dumps(command, JSON_INDENT(1) | JSON_SORT_KEYS) : NULL;
    errno = ENOMEM;
    const bool written = text != NULL && evidence_file_write(directory, "command", text, strlen(text), EVIDENCE_NEW);
    free(text);
    json_decref(command);
    return written;
}

static int output_open(const char *directory, const char *name)
{
    char path[PATH_MAX];
    if (!evidence_path(path, "%s/%s", directory, name)) {
        return -1;
    }
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
}

static bool end_write(const char *directory, const evidence_process_result *result)
{
    char text[256];
    snprintf(text, sizeof text, "%.6f\n", result->seconds);
    if (!evidence_file_write(directory, "seconds", text, strlen(text), EVIDENCE_NEW)) {
        return false;
    }
    snprintf(text, sizeof text, "%lld\n", 1024LL * (long long)result->peak_rss_kib);
    if (!evidence_file_write(directory, "peak_rss_bytes", text, strlen(text), EVIDENCE_NEW)) {
        return false;
    }
    if (!result->started) {
        snprintf(text, sizeof text, "not started: %s\n", strerror(result->start_error));
    } else if (result->timed_out) {
        snprintf(text, sizeof text, "timeout %.0f\n", result->seconds);
    } else if (result->leftovers > 0) {
        snprintf(text, sizeof text, "leftovers %d\n", result->leftovers);
    } else if (result->signal != 0) {
        snprintf(text, sizeof text, "signal %d\n", result->signal);
    } else {
        snprintf(text, sizeof text, "exit %d\n", result->exit_status);
    }
    return evidence_file_write(directory, "status", text, strlen(text), EVIDENCE_NEW);
}

static bool step_passed(const evidence_process_result *result)
{
    return result->started && !result->timed_out && !result->interrupted && result->leftovers == 0 && result->exit_status == 0;
}

// Runs the step in its directory, which exists and is empty.
static bool step_execute(const char *directory, const evidence_step *step, size_t index, evidence_process_result *result)
{
    evidence_process_spec process = step->process;
    bool recorded = command_write(directory, step, index);
    process.stdout_fd = recorded ? output_open(directory, "stdout") : -1;
    process.stderr_fd = recorded ? output_open(directory, "stderr") : -1;
    recorded = recorded && process.stdout_fd >= 0 && process.stderr_fd >= 0 && evidence_process_run(&process, result) &&
               fsync(process.stdout_fd) == 0 && fsync(process.stderr_fd) == 0 && end_write(directory, result);
    const int error = errno;
    if (process.stdout_fd >= 0) {
        close(process.stdout_fd);
    }
    if (process.stderr_fd >= 0) {
        close(process.stderr_fd);
    }
    errno = error;
    return recorded;
}

evidence_outcome evidence_step_run(const evidence_attempt *attempt, const evidence_step *step, evidence_process_result *result,
                                   char message[EVIDENCE_MESSAGE])
{
    char directory[PATH_MAX];
    char stopper[EVIDENCE_LABEL_MAX + 1];
    size_t count = 0;
    message[0] = '\0';
    if (!evidence_label_is_valid(step->label) || !evidence_label_is_valid(step->lane)) {
        evidence_say(message, "%s is no label; use up to 60 characters a-z, 0-9, dot, dash and underscore.",
                     evidence_label_is_valid(step->label) ? step->lane : step->label);
        return EVIDENCE_STEP_REFUSED;
    }
    if (!steps_walk(attempt, step->lane, &count, stopper) || !evidence_path(directory, "%s/steps/%s", attempt->path, step->label)) {
        evidence_say(message, "the steps of %s cannot be read (%s); start a new attempt.", attempt->path, strerror(errno));
        return EVIDENCE_STEP_BROKEN;
    }
    if (access(directory, F_OK) == 0) {
        evidence_say(message, "the label %s is used in %s; choose another, recorded steps are never overwritten.", step->label,
                     attempt->path);
        return EVIDENCE_STEP_REFUSED;
    }
    if (stopper[0] != '\0') {
        evidence_say(message, "step %s of lane %s did not pass, so the lane is stopped; start a new attempt.", stopper, step->lane);
        return EVIDENCE_STEP_REFUSED;
    }
    if (!evidence_directory_create(directory) || !step_execute(directory, step, count + 1, result)) {
        evidence_say(message, "step %s cannot be recorded (%s); free space or make %s writable, then start a new attempt.",
                     step->label, strerror(errno), attempt->path);
        return EVIDENCE_STEP_BROKEN;
    }
    if (!step_passed(result)) {
        evidence_say(message, "step %s did not pass; its output is in %s.", step->label, directory);
        return EVIDENCE_STEP_FAILED;
    }
    return EVIDENCE_STEP_PASSED;
}
