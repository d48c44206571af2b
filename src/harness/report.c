// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void cupel_sanitise(char *text)
{
    for (char *c = text; *c != '\0'; ++c) {
        bool ends_cdata = c[0] == ']' && c[1] == ']' && c[2] == '>';
        if (*c < ' ' || *c > '~') {
            *c = *c == '\n' || *c == '\t' ? ' ' : '?';
        }
        if (ends_cdata) {
            c[1] = ' ';
        }
    }
}

static bool write_whole(int file, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t done = write(file, bytes, count);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            return false;
        }
        bytes += done;
        count -= (size_t)done;
    }
    return true;
}

// Takes the reference to `event`.
bool cupel_json_line(int file, json_t *event)
{
    bool written = false;
    char *text = event == NULL ? NULL : json_dumps(event, JSON_COMPACT | JSON_ENSURE_ASCII);
    if (text != NULL) {
        size_t length = strlen(text);
        text[length] = '\n'; // in place of the final zero: the line leaves in one write
        written = write_whole(file, text, length + 1);
        free(text);
    }
    json_decref(event);
    return written;
}

bool cupel_json_write(const char *path, const json_t *document)
{
    char *text = document == NULL ? NULL : json_dumps(document, JSON_INDENT(1) | JSON_ENSURE_ASCII);
    int file = text == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    bool written = false;
    if (file >= 0) {
        written = write_whole(file, text, strlen(text)) && write_whole(file, "\n", 1) && fsync(file) == 0;
        written = close(file) == 0 && written;
    }
    free(text);
    return written;
}
