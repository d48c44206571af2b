// SPDX-License-Identifier: Apache-2.0
#include "tree.h"

#include "evidence_file.h"
#include "tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The tree of an executable <tree>/bin/cupel, when it holds a plan.
static bool tree_of_executable(char tree[PATH_MAX])
{
    char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", tree, PATH_MAX - 1);
    if (length <= 0) {
        return false;
    }
    tree[length] = '\0';
    for (int up = 0; up < 2; ++up) {
        char *slash = strrchr(tree, '/');
        if (slash == NULL || slash == tree) {
            return false;
        }
        *slash = '\0';
    }
    return evidence_path(path, "%s/cupel/plan.json", tree) && access(path, F_OK) == 0;
}

void cupel_tree_locate(const char *named, char tree[PATH_MAX])
{
    if (named == NULL && tree_of_executable(tree)) {
        return;
    }
    if (named == NULL) {
        named = "build";
    }
    char *resolved = realpath(named, NULL);
    evidence_path(tree, "%s", resolved != NULL ? resolved : named);
    free(resolved);
}

bool cupel_tree_open(const char *command, const char *named, cupel_plan *plan)
{
    char tree[PATH_MAX];
    char message[CUPEL_PLAN_MESSAGE];
    cupel_tree_locate(named, tree);
    if (!cupel_plan_read(tree, plan, message)) {
        cupel_fail(0, command, "%s", message);
        return false;
    }
    return true;
}
