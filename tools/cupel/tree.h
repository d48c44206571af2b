// SPDX-License-Identifier: Apache-2.0
// Which build tree a command speaks of.
#ifndef CUPEL_TREE_H
#define CUPEL_TREE_H

#include "plan.h"

#include <limits.h>
#include <stdbool.h>

// Writes the absolute path of the build tree: `named` when not null, else the tree that this very executable was built in
// (<tree>/bin/cupel), else ./build. One that does not exist is written as named.
void cupel_tree_locate(const char *named, char tree[PATH_MAX]);

// Locates the tree and reads its plan; on failure prints the sentence under `command` and returns false.
bool cupel_tree_open(const char *command, const char *named, cupel_plan *plan);

#endif
