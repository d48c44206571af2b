// SPDX-License-Identifier: Apache-2.0
// One `cupel run` at a time in a build tree: ctest keeps one log there, and a profile has one open run.
#ifndef CUPEL_TREE_LOCK_H
#define CUPEL_TREE_LOCK_H

#include <stdbool.h>
#include <stddef.h>

// Takes the lock <build>/cupel/.run.lock, which ends with this process at the latest, and writes into it who holds it: these
// profiles, this process, now. *lock is its descriptor for cupel_tree_unlock, -1 where the tree takes no file, which a run finds by
// itself. False when another process holds it; `holder` then says which.
bool cupel_tree_lock(const char *build, char *const *profiles, int count, int *lock, char *holder, size_t size);
void cupel_tree_unlock(int lock);

#endif
