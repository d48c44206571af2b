// SPDX-License-Identifier: Apache-2.0
// The set of case names of a report, kept as 64-bit hashes: 400,000 names take about 8 MiB. Internal to the JUnit reader.
//
// The same name always has the same hash, so no duplicate is missed. Two different names have the same one with a chance of n^2 /
// 2^65: 4e-9 for 400,000 names, and then a report is refused that need not be.
#ifndef CUPEL_JUNIT_SEEN_H
#define CUPEL_JUNIT_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CUPEL_SEEN_BLOCK = 1 << 16 }; // keys

// Keys lie in blocks in the order of insertion; a slot holds a key's number plus one and, above it, as many bits of the key as
// fit, so that the table that is searched at random places stays small. Starts as {0}.
typedef struct cupel_junit_seen {
    uint32_t *slots; // 0 is free
    size_t capacity; // a power of two
    uint64_t **blocks;
    size_t block_count;
    size_t count;
} cupel_junit_seen;

typedef enum cupel_junit_insert { CUPEL_SEEN_NEW, CUPEL_SEEN_AGAIN, CUPEL_SEEN_NO_MEMORY } cupel_junit_insert;

// Makes room for about `expected` names, so that the table need not be built again and again. A hint: never fails.
void cupel_junit_seen_reserve(cupel_junit_seen *seen, uint64_t expected);

// The key of a name that has several parts: start with 0, add each part; where one part ends matters. Never 0 after a part.
uint64_t cupel_junit_key_add(uint64_t key, const char *part, size_t length);

// Tells the processor that this key will be inserted soon.
void cupel_junit_seen_expect(const cupel_junit_seen *seen, uint64_t key);
cupel_junit_insert cupel_junit_seen_insert(cupel_junit_seen *seen, uint64_t key);
void cupel_junit_seen_free(cupel_junit_seen *seen);

#endif
