// SPDX-License-Identifier: Apache-2.0
#include "ancestry.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Reads a file of /proc whole (they have no size). Null when it cannot be read; *bytes excludes the added zero.
static char *read_whole(const char *path, size_t *bytes)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    char *text = NULL;
    size_t used = 0;
    ssize_t got = 0;
    if (file < 0) {
        return NULL;
    }
    do {
        char *larger = realloc(text, used + 4096 + 1);
        if (larger == NULL) {
            got = -1;
            break;
        }
        text = larger;
        got = read(file, text + used, 4096);
        used += got > 0 ? (size_t)got : 0;
    } while (got > 0);
    close(file);
    if (got < 0) {
        free(text);
        return NULL;
    }
    text[used] = '\0';
    *bytes = used;
    return text;
}

bool cupel_ancestor_read(pid_t pid, cupel_ancestor *ancestor)
{
    enum { FIELD_STATE = 3, FIELD_PARENT = 4, FIELD_START = 22 };
    char path[64];
    size_t bytes = 0;
    unsigned long long values[FIELD_START + 1] = {0};
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    char *text = read_whole(path, &bytes);
    // The program's name stands in parentheses and may itself hold spaces and parentheses: fields count from the last one.
    char *after_name = text == NULL ? NULL : strrchr(text, ')');
    char *rest = NULL;
    int field = FIELD_STATE;
    for (char *word = after_name == NULL ? NULL : strtok_r(after_name + 1, " ", &rest); word != NULL && field <= FIELD_START;
         word = strtok_r(NULL, " ", &rest)) {
        values[field++] = strtoull(word, NULL, 10);
    }
    free(text);
    *ancestor = (cupel_ancestor){.pid = pid, .parent = (pid_t)values[FIELD_PARENT], .start = values[FIELD_START]};
    return field > FIELD_START;
}

static bool is_ctest(pid_t pid)
{
    char link[64];
    char target[4096];
    snprintf(link, sizeof link, "/proc/%ld/exe", (long)pid);
    ssize_t length = readlink(link, target, sizeof target - 1);
    if (length <= 0) {
        return false;
    }
    target[length] = '\0';
    const char *slash = strrchr(target, '/');
    const char *name = slash == NULL ? target : slash + 1;
    return strcmp(name, "ctest") == 0 || strcmp(name, "ctest (deleted)") == 0;
}

bool cupel_ancestor_find_ctest(cupel_ancestor *ctest)
{
    cupel_ancestor ancestor;
    bool alive = cupel_ancestor_read(getpid(), &ancestor);
    while (alive && ancestor.parent > 0) {
        alive = cupel_ancestor_read(ancestor.parent, &ancestor);
        if (alive && is_ctest(ancestor.pid)) {
            *ctest = ancestor;
            return true;
        }
    }
    return false;
}

bool cupel_ancestor_matches(pid_t pid, uint64_t start)
{
    cupel_ancestor ancestor;
    bool alive = cupel_ancestor_read(getpid(), &ancestor);
    while (alive && ancestor.parent > 0) {
        alive = cupel_ancestor_read(ancestor.parent, &ancestor);
        if (alive && ancestor.pid == pid) {
            return ancestor.start == start;
        }
    }
    return false;
}

bool cupel_command_read(pid_t pid, cupel_command *command)
{
    char path[64];
    size_t bytes = 0;
    memset(command, 0, sizeof *command);
    snprintf(path, sizeof path, "/proc/%ld/cmdline", (long)pid);
    command->text = read_whole(path, &bytes);
    if (command->text == NULL) {
        return false;
    }
    for (size_t at = 0; at < bytes; at += strlen(command->text + at) + 1) {
        if (command->count == CUPEL_COMMAND_MAX) {
            cupel_command_free(command);
            return false;
        }
        command->words[command->count++] = command->text + at;
    }
    return command->count > 0;
}

void cupel_command_free(cupel_command *command)
{
    free(command->text);
    memset(command, 0, sizeof *command);
}
