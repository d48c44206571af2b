// SPDX-License-Identifier: Apache-2.0
// Small evidence files, read whole through one descriptor, with the hash of the very bytes that were read.
#ifndef CUPEL_FILE_H
#define CUPEL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CUPEL_SHA256_HEX = 65 };

typedef struct cupel_file {
    char *bytes; // zero-terminated after `length` bytes
    size_t length;
    int64_t modified; // seconds since 1970
    char sha256[CUPEL_SHA256_HEX];
} cupel_file;

// Reads a regular file of at most `limit` bytes. Links are not followed. On failure *file is {0} and the result is a short
// reason ("No such file or directory", "larger than 1048576 bytes"); null on success. Free with cupel_file_free.
const char *cupel_file_read(const char *path, size_t limit, cupel_file *file);
void cupel_file_free(cupel_file *file);

// The hash of a regular file of any size, which is not kept, and how many bytes it has (null: not told). False with errno when it
// cannot be read whole; links are not followed.
bool cupel_file_sha256(const char *path, char hex[CUPEL_SHA256_HEX], uint64_t *bytes);

// Lower-case hex of a 32-byte hash.
void cupel_sha256_hex(const unsigned char hash[32], char hex[CUPEL_SHA256_HEX]);

#endif
