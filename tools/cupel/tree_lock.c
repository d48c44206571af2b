// SPDX-License-Identifier: Apache-2.0
#include "tree_lock.h"

#include "attempt.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { WORDS_MAX = 512 };

// What the holder wrote; it may not have come to that yet.
static void holder_read(int lock, char *holder, size_t size)
{
    char text[WORDS_MAX] = "";
    const ssize_t length = pread(lock, text, sizeof text - 1, 0);
    text[length > 0 ? (size_t)length : 0] = '\0';
    text[strcspn(text, "\n")] = '\0';
    snprintf(holder, size, "%s", text[0] != '\0' ? text : "of a process that has not said its name yet");
}

static void holder_write(int lock, char *const *profiles, int count)
{
    char text[WORDS_MAX] = "of";
    char now[24];
    size_t length = strlen(text);
    evidence_utc_now(now);
    for (int i = 0; i < count && length < sizeof text / 2; ++i) {
        length += (size_t)snprintf(text + length, sizeof text - length, " %.100s", profiles[i]);
    }
    snprintf(text + length, sizeof text - length, " by process %ld since %s\n", (long)getpid(), now);
    // The lock is held whatever becomes of its words.
    if (ftruncate(lock, 0) != 0 || pwrite(lock, text, strlen(text), 0) < 0) {
        errno = 0;
    }
}

bool cupel_tree_lock(const char *build, char *const *profiles, int count, int *lock, char *holder, size_t size)
{
    char path[PATH_MAX];
    *lock = evidence_path(path, "%s/cupel/.run.lock", build) ? open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666) : -1;
    if (*lock < 0) {
        return true;
    }
    if (flock(*lock, LOCK_EX | LOCK_NB) != 0) {
        holder_read(*lock, holder, size);
        close(*lock);
        *lock = -1;
        return false;
    }
    holder_write(*lock, profiles, count);
    return true;
}

void cupel_tree_unlock(int lock)
{
    if (lock >= 0) {
        (void)ftruncate(lock, 0);
        close(lock);
    }
}
