// SPDX-License-Identifier: Apache-2.0
// Which processes stand above this one, from /proc.
#ifndef CUPEL_ANCESTRY_H
#define CUPEL_ANCESTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct cupel_ancestor {
    pid_t pid;
    pid_t parent;
    bool ended;     // it is only kept until its parent, or who stands for it, has asked how it ended
    uint64_t start; // field 22 of /proc/<pid>/stat: with the pid, names one process for as long as the machine is up
} cupel_ancestor;

#define CUPEL_COMMAND_MAX 256

// The words of a command line.
typedef struct cupel_command {
    int count;
    char *words[CUPEL_COMMAND_MAX + 1];
    char *text; // owns the words
} cupel_command;

bool cupel_ancestor_read(pid_t pid, cupel_ancestor *ancestor);
// The nearest ancestor whose program is called ctest.
bool cupel_ancestor_find_ctest(cupel_ancestor *ctest);
bool cupel_ancestor_matches(pid_t pid, uint64_t start);
// The folder whose tests a running ctest runs: that of its build tree, or of one that includes it.
bool cupel_ancestor_ctest_folder(pid_t pid, char *folder, size_t size);
bool cupel_command_read(pid_t pid, cupel_command *command);
void cupel_command_free(cupel_command *command);

#endif
