// SPDX-License-Identifier: Apache-2.0
// Pieces are read, hashed, checked and filtered one ahead of the parser, by a thread of their own when there can be one. The two
// meet at the end of every piece and share nothing in between.
#include "junit_source.h"

#include "junit_bytes.h"
#include "junit_filter.h"

#include <errno.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 1 << 18 };

// Whose turn it is. The worker's members belong to the worker only while it works.
typedef enum source_turn { TURN_NONE, TURN_WORK, TURN_DONE, TURN_QUIT } source_turn;

// What prepares pieces.
typedef struct source_worker {
    int fd;
    uint64_t max_bytes;
    uint64_t bytes;
    EVP_MD_CTX *hash;
    bool hash_good;
    bool ended;
    cupel_junit_source_fault fault;
    cupel_junit_position position;
    cupel_junit_filter filter;
    size_t ready; // filtered bytes in out[back]
    unsigned char raw[PIECE];
} source_worker;

struct cupel_junit_source {
    source_worker worker;
    bool threaded;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    source_turn turn;
    int back;     // the buffer that the worker fills; the other one is the parser's
    size_t ready; // bytes in the parser's buffer
    size_t taken; // of them, given to the parser
    bool ended;
    cupel_junit_drop *drops; // copies of the filter's, up to the parser's buffer
    size_t drop_count;
    size_t drop_capacity;
    char out[2][CUPEL_FILTER_ROOM(PIECE)];
};

__attribute__((format(printf, 3, 4))) static bool fault_set(source_worker *worker, cupel_reason reason, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    worker->fault.found = true;
    worker->fault.reason = reason;
    vsnprintf(worker->fault.text, sizeof worker->fault.text, format, arguments);
    va_end(arguments);
    return false;
}

// Reads until the piece is full or the file ends, so that the first piece holds the whole XML declaration.
static bool piece_read(source_worker *worker, size_t *length)
{
    *length = 0;
    while (*length < PIECE) {
        ssize_t got = read(worker->fd, worker->raw + *length, PIECE - *length);
        if (got < 0 && errno != EINTR) {
            return fault_set(worker, CUPEL_REASON_REPORT_MISSING, "it cannot be read: %s", strerror(errno));
        }
        if (got == 0) {
            worker->ended = true;
            return true;
        }
        *length += got > 0 ? (size_t)got : 0;
    }
    return true;
}

static bool piece_check(source_worker *worker, size_t length)
{
    char encoding[40];
    if (worker->bytes == 0) {
        if (length == 0) {
            return fault_set(worker, CUPEL_REASON_REPORT_EMPTY, "the file has no byte");
        }
        if (cupel_junit_foreign_encoding(worker->raw, length, encoding, &worker->position.ascii_only)) {
            return fault_set(worker, CUPEL_REASON_REPORT_ENCODING, "its encoding is %s", encoding);
        }
    }
    worker->bytes += length;
    if (worker->bytes > worker->max_bytes) {
        return fault_set(worker, CUPEL_REASON_REPORT_TOO_LARGE, "it has more than %llu bytes",
                         (unsigned long long)worker->max_bytes);
    }
    worker->hash_good = worker->hash_good && EVP_DigestUpdate(worker->hash, worker->raw, length) == 1;
    cupel_junit_byte_fault fault = cupel_junit_bytes_check(&worker->position, worker->raw, length);
    if (fault == CUPEL_BYTES_GOOD && worker->ended && !cupel_junit_bytes_complete(&worker->position)) {
        fault = CUPEL_BYTES_NOT_UTF8;
    }
    if (fault != CUPEL_BYTES_GOOD) {
        bool character = fault == CUPEL_BYTES_NOT_ALLOWED;
        return fault_set(worker, character ? CUPEL_REASON_REPORT_CHARACTER : CUPEL_REASON_REPORT_ENCODING,
                         "line %zu, byte %llu: %s", worker->position.line, (unsigned long long)worker->position.offset,
                         character ? "a character that XML does not allow" : "not a character in UTF-8");
    }
    return true;
}

// Prepares the next piece in `out`. What goes wrong is kept as the fault.
static void piece_prepare(source_worker *worker, char *out)
{
    size_t length = 0;
    size_t first_line = worker->position.line;
    worker->ready = 0;
    if (!piece_read(worker, &length) || !piece_check(worker, length)) {
        return;
    }
    worker->ready = cupel_junit_filter_apply(&worker->filter, (const char *)worker->raw, length, first_line, out);
    if (worker->filter.declaration) {
        fault_set(worker, CUPEL_REASON_REPORT_DOCTYPE, "line %zu or later: a declaration begins with <!", first_line);
    } else if (worker->filter.lost) {
        fault_set(worker, CUPEL_REASON_REPORT_TOO_LARGE, "too many of its texts are over the cap");
    }
}

static void *worker_run(void *context)
{
    cupel_junit_source *source = context;
    pthread_mutex_lock(&source->mutex);
    while (source->turn != TURN_QUIT) {
        if (source->turn != TURN_WORK) {
            pthread_cond_wait(&source->changed, &source->mutex);
            continue;
        }
        pthread_mutex_unlock(&source->mutex);
        piece_prepare(&source->worker, source->out[source->back]);
        pthread_mutex_lock(&source->mutex);
        source->turn = source->turn == TURN_WORK ? TURN_DONE : source->turn;
        pthread_cond_broadcast(&source->changed);
    }
    pthread_mutex_unlock(&source->mutex);
    return NULL;
}

// Lets the worker prepare the next piece, or does it here when there is no thread. Called with the mutex held.
static void piece_order(cupel_junit_source *source)
{
    if (source->threaded) {
        source->turn = TURN_WORK;
        pthread_cond_broadcast(&source->changed);
    } else {
        piece_prepare(&source->worker, source->out[source->back]);
        source->turn = TURN_DONE;
    }
}

cupel_junit_source *cupel_junit_source_new(int fd, uint64_t max_bytes)
{
    cupel_junit_source *source = calloc(1, sizeof *source);
    if (source == NULL) {
        return NULL;
    }
    source_worker *worker = &source->worker;
    worker->fd = fd;
    worker->max_bytes = max_bytes;
    worker->position.line = 1;
    worker->hash = EVP_MD_CTX_new();
    worker->hash_good = worker->hash != NULL && EVP_DigestInit_ex(worker->hash, EVP_sha256(), NULL) == 1;
    pthread_mutex_init(&source->mutex, NULL);
    pthread_cond_init(&source->changed, NULL);
    source->threaded = pthread_create(&source->thread, NULL, worker_run, source) == 0;
    pthread_mutex_lock(&source->mutex);
    piece_order(source);
    pthread_mutex_unlock(&source->mutex);
    return source;
}

void cupel_junit_source_free(cupel_junit_source *source)
{
    if (source == NULL) {
        return;
    }
    if (source->threaded) {
        pthread_mutex_lock(&source->mutex);
        source->turn = TURN_QUIT;
        pthread_cond_broadcast(&source->changed);
        pthread_mutex_unlock(&source->mutex);
        pthread_join(source->thread, NULL);
    }
    pthread_cond_destroy(&source->changed);
    pthread_mutex_destroy(&source->mutex);
    EVP_MD_CTX_free(source->worker.hash);
    cupel_junit_filter_free(&source->worker.filter);
    free(source->drops);
    free(source);
}

// Copies what the filter has noted of dropped lines. The last entry may have grown since it was copied.
static bool drops_copy(cupel_junit_source *source)
{
    const cupel_junit_filter *filter = &source->worker.filter;
    if (filter->drop_count > source->drop_capacity) {
        cupel_junit_drop *drops = realloc(source->drops, filter->drop_capacity * sizeof *drops);
        if (drops == NULL) {
            return fault_set(&source->worker, CUPEL_REASON_REPORT_TOO_LARGE, "memory ran out");
        }
        source->drops = drops;
        source->drop_capacity = filter->drop_capacity;
    }
    size_t from = source->drop_count == 0 ? 0 : source->drop_count - 1;
    if (filter->drop_count > from) {
        memcpy(source->drops + from, filter->drops + from, (filter->drop_count - from) * sizeof *source->drops);
    }
    source->drop_count = filter->drop_count;
    return true;
}

// Waits for the piece in preparation, takes it over and orders the next. False when the source has a fault.
static bool piece_take(cupel_junit_source *source)
{
    pthread_mutex_lock(&source->mutex);
    while (source->turn == TURN_WORK) {
        pthread_cond_wait(&source->changed, &source->mutex);
    }
    bool good = !source->worker.fault.found && drops_copy(source);
    if (good) {
        source->ready = source->worker.ready;
        source->taken = 0;
        source->ended = source->worker.ended;
        source->back = 1 - source->back;
        if (!source->ended) {
            piece_order(source);
        }
    }
    pthread_mutex_unlock(&source->mutex);
    return good;
}

int cupel_junit_source_read(void *context, char *buffer, int capacity)
{
    cupel_junit_source *source = context;
    while (source->taken == source->ready && !source->ended) {
        if (!piece_take(source)) {
            return -1;
        }
    }
    size_t length = source->ready - source->taken;
    length = length < (size_t)capacity ? length : (size_t)capacity;
    memcpy(buffer, source->out[1 - source->back] + source->taken, length);
    source->taken += length;
    return (int)length;
}

bool cupel_junit_source_fault_get(cupel_junit_source *source, cupel_junit_source_fault *fault)
{
    pthread_mutex_lock(&source->mutex);
    *fault = (cupel_junit_source_fault){0};
    if (source->turn == TURN_DONE && source->taken == source->ready) {
        *fault = source->worker.fault;
    }
    pthread_mutex_unlock(&source->mutex);
    return fault->found;
}

bool cupel_junit_source_cut_short(const cupel_junit_source *source)
{
    return source->ended && source->taken == source->ready && !cupel_junit_filter_complete(&source->worker.filter);
}

size_t cupel_junit_source_line(const cupel_junit_source *source, size_t parser_line)
{
    return cupel_junit_drops_line(source->drops, source->drop_count, parser_line);
}

uint64_t cupel_junit_source_bytes(const cupel_junit_source *source)
{
    return source->worker.bytes;
}

bool cupel_junit_source_sha256(cupel_junit_source *source, char hex[CUPEL_SHA256_HEX])
{
    unsigned char hash[32];
    if (!source->ended || !source->worker.hash_good || EVP_DigestFinal_ex(source->worker.hash, hash, NULL) != 1) {
        return false;
    }
    cupel_sha256_hex(hash, hex);
    return true;
}
