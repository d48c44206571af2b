// SPDX-License-Identifier: Apache-2.0
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void cupel_sha256_hex(const unsigned char hash[32], char hex[CUPEL_SHA256_HEX])
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < 32; ++i) {
        hex[2 * i] = digits[hash[i] >> 4];
        hex[2 * i + 1] = digits[hash[i] & 15u];
    }
    hex[64] = '\0';
}

// Reads until the end of the file; one byte more than `limit` proves that the file is larger.
static const char *bytes_read(int fd, size_t limit, cupel_file *file)
{
    size_t capacity = 0;
    for (;;) {
        if (file->length == capacity) {
            capacity = capacity == 0 ? 16384 : 2 * capacity;
            char *bytes = realloc(file->bytes, capacity + 1);
            if (bytes == NULL) {
                return "out of memory";
            }
            file->bytes = bytes;
        }
        ssize_t got = read(fd, file->bytes + file->length, capacity - file->length);
        if (got < 0 && errno != EINTR) {
            return strerror(errno);
        }
        if (got == 0) {
            char *fitted = realloc(file->bytes, file->length + 1); // doubling left up to half of it unused
            file->bytes = fitted != NULL ? fitted : file->bytes;
            file->bytes[file->length] = '\0';
            return NULL;
        }
        file->length += got > 0 ? (size_t)got : 0;
        if (file->length > limit) {
            return "the file is larger than any such file can be";
        }
    }
}

static const char *file_read(int fd, size_t limit, cupel_file *file)
{
    struct stat status;
    unsigned char hash[32];
    if (fstat(fd, &status) != 0) {
        return strerror(errno);
    }
    if (!S_ISREG(status.st_mode)) {
        return "it is not a regular file";
    }
    file->modified = (int64_t)status.st_mtim.tv_sec;
    const char *error = bytes_read(fd, limit, file);
    if (error != NULL) {
        return error;
    }
    if (EVP_Digest(file->bytes, file->length, hash, NULL, EVP_sha256(), NULL) != 1) {
        return "SHA-256 failed";
    }
    cupel_sha256_hex(hash, file->sha256);
    return NULL;
}

const char *cupel_file_read(const char *path, size_t limit, cupel_file *file)
{
    *file = (cupel_file){0};
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return errno == ELOOP ? "it is a symbolic link" : strerror(errno);
    }
    const char *error = file_read(fd, limit, file);
    close(fd);
    if (error != NULL) {
        cupel_file_free(file);
    }
    return error;
}

void cupel_file_free(cupel_file *file)
{
    free(file->bytes);
    *file = (cupel_file){0};
}

static bool descriptor_sha256(int fd, EVP_MD_CTX *hash, unsigned char sum[32], uint64_t *bytes)
{
    static const size_t chunk = 65536;
    struct stat status;
    ssize_t got = -1;
    unsigned char *block = malloc(chunk);
    bool good = block != NULL && fstat(fd, &status) == 0 && EVP_DigestInit_ex(hash, EVP_sha256(), NULL) == 1;
    if (good && !S_ISREG(status.st_mode)) {
        errno = EINVAL;
        good = false;
    }
    *bytes = 0;
    while (good && (got = read(fd, block, chunk)) != 0) {
        good = got > 0 ? EVP_DigestUpdate(hash, block, (size_t)got) == 1 : errno == EINTR;
        *bytes += got > 0 ? (uint64_t)got : 0;
    }
    free(block);
    return good && got == 0 && EVP_DigestFinal_ex(hash, sum, NULL) == 1;
}

bool cupel_file_sha256(const char *path, char hex[CUPEL_SHA256_HEX], uint64_t *bytes)
{
    unsigned char sum[32];
    uint64_t read_bytes = 0;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return false;
    }
    EVP_MD_CTX *hash = EVP_MD_CTX_new();
    bool good = hash != NULL && descriptor_sha256(fd, hash, sum, &read_bytes);
    int error = errno;
    EVP_MD_CTX_free(hash);
    close(fd);
    errno = error;
    if (good) {
        cupel_sha256_hex(sum, hex);
    }
    if (good && bytes != NULL) {
        *bytes = read_bytes;
    }
    return good;
}
