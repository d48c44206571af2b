// SPDX-License-Identifier: Apache-2.0
// Files of evidence: whole or absent, never overwritten by accident, known by their SHA-256.
#ifndef EVIDENCE_FILE_H
#define EVIDENCE_FILE_H

#include "file.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Joins a path of at most PATH_MAX - 1 bytes. False with ENAMETOOLONG when it does not fit; `path` is "" then.
bool evidence_path(char path[PATH_MAX], const char *format, ...) __attribute__((format(printf, 2, 3)));

// A sentence for people, cut to fit.
enum { EVIDENCE_MESSAGE = 1024 };
void evidence_say(char message[EVIDENCE_MESSAGE], const char *format, ...) __attribute__((format(printf, 2, 3)));

typedef enum evidence_write { EVIDENCE_NEW, EVIDENCE_REPLACE } evidence_write;

// Writes the bytes as <directory>/<name> so that a crash at any moment leaves the whole new file or none of it: temporary file,
// fsync, link or rename, fsync of the directory. EVIDENCE_NEW fails with EEXIST when the name is taken. False with errno.
bool evidence_file_write(const char *directory, const char *name, const void *bytes, size_t length, evidence_write mode);

// SHA-256 of bytes in memory. False when libcrypto fails.
bool evidence_bytes_sha256(const void *bytes, size_t length, char hex[CUPEL_SHA256_HEX]);

// Makes one directory that must not exist yet and makes its entry durable. False with errno.
bool evidence_directory_create(const char *path);
// fsync of a directory. False with errno.
bool evidence_directory_sync(const char *path);

#endif
