// SPDX-License-Identifier: Apache-2.0
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK_BYTES = 1 << 16 };

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
    snprintf(parent, sizeof parent, "%.*s", slash != NULL && slash != path ? (int)(slash - path) : 1, slash == NULL ? "." : path);
    return evidence_directory_sync(parent);
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
    if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path ||
        snprintf(temporary, sizeof temporary, "%s/.%s.%ld.tmp", directory, name, (long)getpid()) >= (int)sizeof temporary) {
        errno = ENAMETOOLONG;
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

// Opens a regular file for reading; -1 with errno.
static int regular_open(const char *path, struct stat *status)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) {
        return -1;
    }
    if (fstat(fd, status) != 0 || !S_ISREG(status->st_mode)) {
        close(fd);
        errno = EINVAL;
        return -1;
    }
    return fd;
}

char *evidence_file_read(const char *path, size_t limit, size_t *length)
{
    struct stat status;
    const int fd = regular_open(path, &status);
    char *bytes = NULL;
    size_t got = 0;
    if (fd < 0) {
        return NULL;
    }
    errno = 0;
    if ((uintmax_t)status.st_size > limit) {
        errno = EFBIG;
    } else {
        bytes = calloc((size_t)status.st_size + 1, 1);
    }
    while (bytes != NULL && got < (size_t)status.st_size) {
        const ssize_t n = read(fd, bytes + got, (size_t)status.st_size - got);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            free(bytes);
            bytes = NULL;
        } else if (n == 0) {
            break;
        } else {
            got += (size_t)n;
        }
    }
    const int error = errno;
    close(fd);
    errno = error;
    if (bytes != NULL && length != NULL) {
        *length = got;
    }
    return bytes;
}

static bool digest_finish(EVP_MD_CTX *context, char hex[EVIDENCE_SHA256_HEX])
{
    static const char digits[] = "0123456789abcdef";
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    if (EVP_DigestFinal_ex(context, digest, &size) != 1 || size != 32) {
        return false;
    }
    for (size_t i = 0; i < size; ++i) {
        hex[2 * i] = digits[digest[i] >> 4];
        hex[2 * i + 1] = digits[digest[i] & 15];
    }
    hex[64] = '\0';
    return true;
}

bool evidence_bytes_sha256(const void *bytes, size_t length, char hex[EVIDENCE_SHA256_HEX])
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    const bool done = context != NULL && EVP_DigestInit_ex(context, EVP_sha256(), NULL) == 1 &&
                      EVP_DigestUpdate(context, bytes, length) == 1 && digest_finish(context, hex);
    EVP_MD_CTX_free(context);
    return done;
}

bool evidence_file_sha256(const char *path, char hex[EVIDENCE_SHA256_HEX], uint64_t *size)
{
    struct stat status;
    unsigned char *block = malloc(BLOCK_BYTES);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    const int fd = regular_open(path, &status);
    bool done = fd >= 0 && block != NULL && context != NULL && EVP_DigestInit_ex(context, EVP_sha256(), NULL) == 1;
    uint64_t total = 0;
    while (done) {
        const ssize_t n = read(fd, block, BLOCK_BYTES);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            done = n == 0;
            break;
        }
        total += (uint64_t)n;
        done = EVP_DigestUpdate(context, block, (size_t)n) == 1;
    }
    done = done && digest_finish(context, hex);
    const int error = errno;
    if (fd >= 0) {
        close(fd);
    }
    EVP_MD_CTX_free(context);
    free(block);
    errno = error;
    if (done && size != NULL) {
        *size = total;
    }
    return done;
}
