// SPDX-License-Identifier: Apache-2.0
#include "junit_source.h"

#include "junit_bytes.h"
#include "junit_filter.h"

#include <errno.h>
#include <openssl/evp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 1 << 16 };

struct cupel_junit_source {
    int fd;
    uint64_t max_bytes;
    uint64_t bytes;
    EVP_MD_CTX *hash;
    bool hash_good;
    bool ended;
    cupel_junit_source_fault fault;
    cupel_junit_position position;
    cupel_junit_filter filter;
    size_t ready; // filtered bytes in `out`
    size_t taken; // of them, given to the parser
    unsigned char raw[PIECE];
    char out[CUPEL_FILTER_ROOM(PIECE)];
};

cupel_junit_source *cupel_junit_source_new(int fd, uint64_t max_bytes)
{
    cupel_junit_source *source = calloc(1, sizeof *source);
    if (source == NULL) {
        return NULL;
    }
    source->fd = fd;
    source->max_bytes = max_bytes;
    source->position.line = 1;
    source->hash = EVP_MD_CTX_new();
    source->hash_good = source->hash != NULL && EVP_DigestInit_ex(source->hash, EVP_sha256(), NULL) == 1;
    return source;
}

void cupel_junit_source_free(cupel_junit_source *source)
{
    if (source != NULL) {
        EVP_MD_CTX_free(source->hash);
        cupel_junit_filter_free(&source->filter);
        free(source);
    }
}

__attribute__((format(printf, 3, 4))) static bool fault_set(cupel_junit_source *source, cupel_reason reason, const char *format,
                                                            ...)
{
    va_list arguments;
    va_start(arguments, format);
    source->fault.found = true;
    source->fault.reason = reason;
    vsnprintf(source->fault.text, sizeof source->fault.text, format, arguments);
    va_end(arguments);
    return false;
}

// Reads until the piece is full or the file ends, so that the first piece holds the whole XML declaration.
static bool piece_read(cupel_junit_source *source, size_t *length)
{
    *length = 0;
    while (*length < PIECE) {
        ssize_t got = read(source->fd, source->raw + *length, PIECE - *length);
        if (got < 0 && errno != EINTR) {
            return fault_set(source, CUPEL_REASON_REPORT_MISSING, "it cannot be read: %s", strerror(errno));
        }
        if (got == 0) {
            source->ended = true;
            return true;
        }
        *length += got > 0 ? (size_t)got : 0;
    }
    return true;
}

static bool piece_check(cupel_junit_source *source, size_t length)
{
    char encoding[40];
    if (source->bytes == 0) {
        if (length == 0) {
            return fault_set(source, CUPEL_REASON_REPORT_EMPTY, "the file has no byte");
        }
        if (cupel_junit_foreign_encoding(source->raw, length, encoding, &source->position.ascii_only)) {
            return fault_set(source, CUPEL_REASON_REPORT_ENCODING, "its encoding is %s", encoding);
        }
    }
    source->bytes += length;
    if (source->bytes > source->max_bytes) {
        return fault_set(source, CUPEL_REASON_REPORT_TOO_LARGE, "it has more than %llu bytes",
                         (unsigned long long)source->max_bytes);
    }
    source->hash_good = source->hash_good && EVP_DigestUpdate(source->hash, source->raw, length) == 1;
    cupel_junit_byte_fault fault = cupel_junit_bytes_check(&source->position, source->raw, length);
    if (fault == CUPEL_BYTES_GOOD && source->ended && !cupel_junit_bytes_complete(&source->position)) {
        fault = CUPEL_BYTES_NOT_UTF8;
    }
    if (fault != CUPEL_BYTES_GOOD) {
        bool character = fault == CUPEL_BYTES_NOT_ALLOWED;
        return fault_set(source, character ? CUPEL_REASON_REPORT_CHARACTER : CUPEL_REASON_REPORT_ENCODING,
                         "line %zu, byte %llu: %s", source->position.line, (unsigned long long)source->position.offset,
                         character ? "a character that XML does not allow" : "not a character in UTF-8");
    }
    return true;
}

static bool piece_next(cupel_junit_source *source)
{
    size_t length = 0;
    size_t first_line = source->position.line;
    if (!piece_read(source, &length) || !piece_check(source, length)) {
        return false;
    }
    source->taken = 0;
    source->ready = cupel_junit_filter_apply(&source->filter, (const char *)source->raw, length, first_line, source->out);
    if (source->filter.declaration) {
        return fault_set(source, CUPEL_REASON_REPORT_DOCTYPE, "line %zu or later: a declaration begins with <!", first_line);
    }
    return !source->filter.lost || fault_set(source, CUPEL_REASON_REPORT_TOO_LARGE, "too many of its texts are over the cap");
}

int cupel_junit_source_read(void *context, char *buffer, int capacity)
{
    cupel_junit_source *source = context;
    if (source->fault.found) {
        return -1;
    }
    while (source->taken == source->ready && !source->ended) {
        if (!piece_next(source)) {
            return -1;
        }
    }
    size_t length = source->ready - source->taken;
    length = length < (size_t)capacity ? length : (size_t)capacity;
    memcpy(buffer, source->out + source->taken, length);
    source->taken += length;
    return (int)length;
}

const cupel_junit_source_fault *cupel_junit_source_fault_get(const cupel_junit_source *source)
{
    return &source->fault;
}

bool cupel_junit_source_cut_short(const cupel_junit_source *source)
{
    return source->ended && source->taken == source->ready && !cupel_junit_filter_complete(&source->filter);
}

size_t cupel_junit_source_line(const cupel_junit_source *source, size_t parser_line)
{
    return cupel_junit_filter_line(&source->filter, parser_line);
}

uint64_t cupel_junit_source_bytes(const cupel_junit_source *source)
{
    return source->bytes;
}

bool cupel_junit_source_sha256(cupel_junit_source *source, char hex[CUPEL_SHA256_HEX])
{
    unsigned char hash[32];
    if (!source->hash_good || EVP_DigestFinal_ex(source->hash, hash, NULL) != 1) {
        return false;
    }
    cupel_sha256_hex(hash, hex);
    return true;
}
