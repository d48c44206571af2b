// SPDX-License-Identifier: Apache-2.0
#include "evidence_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <openssl/evp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool evidence_path(char path[PATH_MAX], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(path, PATH_MAX, format, arguments);
    va_end(arguments);
    if (length < 0 || length >= PATH_MAX) {
        path[0] = '\0';
        errno = ENAMETOOLONG;
        return false;
    }
    return true;
}

void evidence_say(char message[EVIDENCE_MESSAGE], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, EVIDENCE_MESSAGE, format, arguments);
    va_end(arguments);
}

bool evidence_directory_sync(const char *path)
{
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    const bool synced = fsync(fd) == 0 || errno == EINVAL; // EINVAL: this file system has no directory fsync
    const int error = errno;
    close(fd);
    errno = error;
    return synced;
}

bool evidence_directory_create(const char *path)
{
    char parent[PATH_MAX];
    if (mkdir(path, 0777) != 0) {
        return false;
    }
    const char *slash = strrchr(path, '/');
    const int length = slash != NULL && slash != path ? (int)(slash - path) : 1;
    return evidence_path(parent, "%.*s", length, slash == NULL ? "." : path) && evidence_directory_sync(parent);
}

static bool write_all(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        const ssize_t written = write(fd, bytes, length);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            return false;
        }
        bytes += written;
        length -= (size_t)written;
    }
    return true;
}

bool evidence_file_write(const char *directory, const char *name, const void *bytes, size_t length, evidence_write mode)
{
    char path[PATH_MAX];
    char temporary[PATH_MAX];
    if (!evidence_path(path, "%s/%s", directory, name) ||
        !evidence_path(temporary, "%s/.%s.%ld.tmp", directory, name, (long)getpid())) {
        return false;
    }
    const int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0) {
        return false;
    }
    bool done = write_all(fd, bytes, length) && fsync(fd) == 0;
    int error = errno;
    if (close(fd) != 0 && done) {
        done = false;
        error = errno;
    }
    if (done && mode == EVIDENCE_NEW) {
        done = link(temporary, path) == 0; // unlike rename, link never replaces a file
        error = errno;
        unlink(temporary);
    } else if (done) {
        done = rename(temporary, path) == 0;
        error = errno;
    }
    if (!done) {
        unlink(temporary);
        errno = error;
        return false;
    }
    return evidence_directory_sync(directory);
}

bool evidence_bytes_sha256(const void *bytes, size_t length, char hex[CUPEL_SHA256_HEX])
{
    unsigned char sum[EVP_MAX_MD_SIZE];
    if (EVP_Digest(bytes, length, sum, NULL, EVP_sha256(), NULL) != 1) {
        return false;
    }
    cupel_sha256_hex(sum, hex);
    return true;
}
