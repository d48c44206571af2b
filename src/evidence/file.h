// SPDX-License-Identifier: Apache-2.0
// Files of evidence: whole or absent, never overwritten by accident, known by their SHA-256.
#ifndef EVIDENCE_FILE_H
#define EVIDENCE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EVIDENCE_SHA256_HEX = 65 };

typedef enum evidence_write { EVIDENCE_NEW, EVIDENCE_REPLACE } evidence_write;

// Writes the bytes as <directory>/<name> so that a crash at any moment leaves the whole new file or none of it: temporary file,
// fsync, link or rename, fsync of the directory. EVIDENCE_NEW fails with EEXIST when the name is taken. False with errno.
bool evidence_file_write(const char *directory, const char *name, const void *bytes, size_t length, evidence_write mode);

// Reads a regular file of at most `limit` bytes, zero-terminated (free it). Links are not followed. Null with errno; EFBIG when
// it is larger.
char *evidence_file_read(const char *path, size_t limit, size_t *length);

// SHA-256 of a regular file as lower-case hex; links are not followed. False with errno.
bool evidence_file_sha256(const char *path, char hex[EVIDENCE_SHA256_HEX], uint64_t *size);
// SHA-256 of bytes in memory. False when libcrypto fails.
bool evidence_bytes_sha256(const void *bytes, size_t length, char hex[EVIDENCE_SHA256_HEX]);

// Makes one directory that must not exist yet and makes its entry durable. False with errno.
bool evidence_directory_create(const char *path);
// fsync of a directory. False with errno.
bool evidence_directory_sync(const char *path);

#endif
