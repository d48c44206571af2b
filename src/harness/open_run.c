// SPDX-License-Identifier: Apache-2.0
#include "open_run.h"

#include "selection.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *cupel_path(const char *directory, const char *name)
{
    size_t size = strlen(directory) + strlen(name) + 2;
    char *path = malloc(size);
    if (path == NULL) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    snprintf(path, size, "%s/%s", directory, name);
    return path;
}

static bool is_nonce(const char *text)
{
    return strlen(text) == CUPEL_NONCE_HEX && strspn(text, "0123456789abcdef") == CUPEL_NONCE_HEX;
}

static bool read_members(cupel_open_run *run, const char *profile)
{
    const char *schema = NULL;
    json_int_t pid = 0;
    json_int_t start = 0;
    if (json_unpack(run->document, "{s:s, s:s, s:s, s:s, s:s, s:I, s:I}", "schema", &schema, "run", &run->run, "nonce", &run->nonce,
                    "profile", &run->profile, "directory", &run->directory, "ctest_pid", &pid, "ctest_start", &start) != 0) {
        return false;
    }
    run->ctest_pid = (pid_t)pid;
    run->ctest_start = (uint64_t)start;
    return strcmp(schema, "cupel-run 1") == 0 && strcmp(run->profile, profile) == 0 && is_nonce(run->nonce) && pid > 0;
}

bool cupel_open_run_read(const char *tree, const char *profile, cupel_open_run *run, char *reason, size_t size)
{
    json_error_t error;
    char *folder = cupel_path(tree, "cupel");
    char *home = cupel_path(folder, profile);
    char *path = cupel_path(home, "open.json");
    bool valid = false;
    memset(run, 0, sizeof *run);
    if (access(path, F_OK) != 0 && errno == ENOENT) {
        snprintf(reason, size,
                 "no run of profile %s is open in %s: start the whole profile with ctest -L %s or cupel run %s, or run one "
                 "case with --case ID",
                 profile, tree, profile, profile);
    } else {
        run->document = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
        valid = run->document != NULL && read_members(run, profile);
        if (!valid) {
            snprintf(reason, size, "%s is not an open run of profile %s: remove it and start the whole profile again", path,
                     profile);
        }
    }
    free(path);
    free(home);
    free(folder);
    if (!valid) {
        cupel_open_run_free(run);
    }
    return valid;
}

static bool check_ctest(const cupel_open_run *run, char *reason, size_t size)
{
    cupel_command command;
    if (!cupel_ancestor_matches(run->ctest_pid, run->ctest_start)) {
        snprintf(
            reason, size,
            "the open run of profile %s belongs to ctest process %ld, which did not start this process: start the whole profile "
            "with ctest -L %s or cupel run %s",
            run->profile, (long)run->ctest_pid, run->profile, run->profile);
        return false;
    }
    if (!cupel_command_read(run->ctest_pid, &command)) {
        snprintf(reason, size, "the command line of ctest process %ld cannot be read", (long)run->ctest_pid);
        return false;
    }
    bool whole = cupel_selection_check(command.count, command.words, reason, size);
    cupel_command_free(&command);
    return whole;
}

bool cupel_open_run_join(const char *tree, const char *profile, cupel_open_run *run, char *reason, size_t size)
{
    if (!cupel_open_run_read(tree, profile, run, reason, size)) {
        return false;
    }
    if (!check_ctest(run, reason, size)) {
        cupel_open_run_free(run);
        return false;
    }
    return true;
}

void cupel_open_run_free(cupel_open_run *run)
{
    json_decref(run->document);
    memset(run, 0, sizeof *run);
}
