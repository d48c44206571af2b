// SPDX-License-Identifier: Apache-2.0
#include "sanitize_find.h"
#include "sanitize_values.h"

#include <string.h>

// Absolute paths below these are the same on every machine, or name a toolkit.
static const char *const SYSTEM_FOLDERS[] = {"/usr/",  "/lib/",  "/lib64/", "/etc/", "/bin/",
                                             "/sbin/", "/proc/", "/dev/",   "/sys/", "/opt/"};
static const char SHARED_MEMORY[] = "/dev/shm/"; // but people's own files lie here

static bool is_of_system(const char *path)
{
    for (size_t i = 0; i < sizeof SYSTEM_FOLDERS / sizeof SYSTEM_FOLDERS[0]; ++i) {
        if (strncmp(path, SYSTEM_FOLDERS[i], strlen(SYSTEM_FOLDERS[i])) == 0) {
            return strncmp(path, SHARED_MEMORY, sizeof SHARED_MEMORY - 1) != 0;
        }
    }
    return false;
}

// The length of one name of a path: letters, digits, signs and whatever is not ASCII; a blank after a backslash belongs to it.
static size_t name_length(const char *at)
{
    static const char signs[] = "._+-@~%#";
    size_t length = 0;
    for (;; ++length) {
        const char c = at[length];
        const bool blank = c == '\\' && at[length + 1] == ' ';
        if (!evidence_is_word(c) && (unsigned char)c < 0x80 && !blank && (c == '\0' || strchr(signs, c) == NULL)) {
            return length;
        }
        length += blank;
    }
}

// A path begins after a blank, quote or the like, or after "-I" and "-L"; what follows a word or another slash is part of a
// relative path or of an address.
static bool begins_path(const char *view, const char *at)
{
    if (at == view || strchr(" \t\n\"'`=(,[:;<>|", at[-1]) != NULL) {
        return true;
    }
    return at - view >= 2 && at[-2] == '-' && strchr("ILB", at[-1]) != NULL && (at - view == 2 || !evidence_is_word(at[-3]));
}

void evidence_paths_find(const char *view, evidence_spans *spans)
{
    for (const char *at = strchr(view, '/'); at != NULL; at = strchr(at, '/')) {
        const char *folder_end = at;
        const char *end = at;
        while (*end == '/' && name_length(end + 1) > 0) {
            folder_end = end;
            end += 1 + name_length(end + 1);
        }
        if (begins_path(view, at) && folder_end > at && !is_of_system(at)) {
            // Below a common folder such as /tmp the last name is the one that tells.
            const bool below_common = evidence_is_common(at, (size_t)(folder_end - at));
            evidence_spans_add(spans, EVIDENCE_PATH, (size_t)(at - view), (size_t)((below_common ? end : folder_end) - at));
        }
        at = end > at ? end : at + 1;
    }
}
