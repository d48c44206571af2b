// SPDX-License-Identifier: Apache-2.0
#include "run_state.h"

#include "evidence_file.h"
#include "evidence_process.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Path of <build>/cupel/<profile>/<name>; false when it does not fit.
static bool state_path(const cupel_plan *plan, const char *profile, const char *name, char path[PATH_MAX])
{
    return evidence_path(path, "%s/cupel/%s/%s", plan->build, profile, name);
}

// Reads the members that open.json and run.json share; `directory` is only in the former.
static bool record_read(const char *path, bool has_directory, cupel_run_state *state)
{
    const char *directory = "";
    json_int_t pid = 0;
    json_int_t start = 0;
    json_t *record = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    bool good =
        record != NULL && json_unpack(record, "{s:I, s:I}", "ctest_pid", &pid, "ctest_start", &start) == 0 && pid > 0 && start > 0;
    good = good && (!has_directory || json_unpack(record, "{s:s}", "directory", &directory) == 0);
    state->ctest_pid = (int64_t)pid;
    state->ctest_start = (uint64_t)start;
    if (good && has_directory) {
        good = evidence_path(state->directory, "%s", directory);
    }
    json_decref(record);
    return good;
}

bool cupel_run_state_open(const cupel_plan *plan, const char *profile, cupel_run_state *state)
{
    char path[PATH_MAX];
    *state = (cupel_run_state){{0}, 0, 0};
    return state_path(plan, profile, "open.json", path) && record_read(path, true, state);
}

bool cupel_run_state_latest(const cupel_plan *plan, const char *profile, cupel_run_state *state)
{
    char link[PATH_MAX];
    char record[PATH_MAX];
    *state = (cupel_run_state){{0}, 0, 0};
    return state_path(plan, profile, "latest", link) && realpath(link, state->directory) != NULL &&
           evidence_path(record, "%s/run.json", state->directory) && record_read(record, false, state);
}

bool cupel_run_state_is_alive(const cupel_run_state *state)
{
    return evidence_process_is_running((pid_t)state->ctest_pid, state->ctest_start);
}

bool cupel_run_state_is_mine(const cupel_run_state *state)
{
    pid_t pid = getpid();
    while (pid > 1) {
        if (pid == (pid_t)state->ctest_pid && evidence_process_start_time(pid) == state->ctest_start) {
            return true;
        }
        pid = evidence_process_parent(pid);
    }
    return false;
}

bool cupel_run_state_finish(const cupel_plan *plan, const char *profile, const char *directory)
{
    char latest[PATH_MAX];
    char temporary[PATH_MAX];
    char open[PATH_MAX];
    char name[64];
    snprintf(name, sizeof name, ".latest.%ld", (long)getpid());
    if (!state_path(plan, profile, "latest", latest) || !state_path(plan, profile, name, temporary) ||
        !state_path(plan, profile, "open.json", open)) {
        return false;
    }
    // A run of this tree is pointed to by its name alone, so that the tree may move; one kept elsewhere by its whole path.
    const char *slash = strrchr(directory, '/');
    const size_t parent = strlen(latest) - strlen("latest");
    const char *target =
        slash != NULL && strncmp(directory, latest, parent) == 0 && slash == directory + parent - 1 ? slash + 1 : directory;
    unlink(temporary);
    if (symlink(target, temporary) != 0) {
        return false;
    }
    if (rename(temporary, latest) != 0) {
        const int error = errno;
        unlink(temporary);
        errno = error;
        return false;
    }
    return unlink(open) == 0 || errno == ENOENT;
}
