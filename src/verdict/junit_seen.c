// SPDX-License-Identifier: Apache-2.0
#include "junit_seen.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS_LEAST = 1 << 12, SLOTS_RESERVED_MOST = 1 << 20 };

// Eight bytes at a time: xor, multiply by an odd constant (the golden ratio's bits), fold the high half down.
static uint64_t fold(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ (hash >> 29);
}

// Stafford's variant 13 of MurmurHash3's 64-bit finaliser.
static uint64_t finish(uint64_t hash)
{
    hash = (hash ^ (hash >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = (hash ^ (hash >> 27)) * UINT64_C(0x94d049bb133111eb);
    return hash ^ (hash >> 31);
}

uint64_t cupel_junit_key_add(uint64_t key, const char *part, size_t length)
{
    uint64_t hash = key ^ UINT64_C(0x243f6a8885a308d3);
    uint64_t word = 0;
    size_t at = 0;
    for (; at + 8 <= length; at += 8) {
        memcpy(&word, part + at, 8);
        hash = fold(hash, word);
    }
    word = 0;
    for (; at < length; ++at) {
        word = word << 8 | (unsigned char)part[at];
    }
    hash = finish(fold(fold(hash, word), length));
    return hash == 0 ? 1 : hash;
}

static uint64_t key_at(const cupel_junit_seen *seen, size_t index)
{
    return seen->blocks[index / CUPEL_SEEN_BLOCK][index % CUPEL_SEEN_BLOCK];
}

// What a slot holds for key number `index`. The position in the table takes the key's low bits, the slot its high bits.
static uint32_t slot_value(const cupel_junit_seen *seen, uint64_t key, size_t index)
{
    uint32_t number_mask = (uint32_t)(seen->capacity - 1);
    return ((uint32_t)(key >> 32) & ~number_mask) | (uint32_t)(index + 1);
}

// The slot that holds the key, or the free slot where it belongs. Fewer keys than slots, so a number fits below the mask.
static uint32_t *slot_find(const cupel_junit_seen *seen, uint64_t key)
{
    size_t mask = seen->capacity - 1;
    uint32_t tag = (uint32_t)(key >> 32) & ~(uint32_t)mask;
    size_t at = (size_t)key & mask;
    while (seen->slots[at] != 0) {
        uint32_t slot = seen->slots[at];
        if ((slot & ~(uint32_t)mask) == tag && key_at(seen, (slot & mask) - 1) == key) {
            break;
        }
        at = (at + 1) & mask;
    }
    return &seen->slots[at];
}

static bool slots_resize(cupel_junit_seen *seen, size_t capacity)
{
    uint32_t *slots = capacity > (size_t)1 << 31 ? NULL : calloc(capacity, sizeof *slots);
    if (slots == NULL) {
        return false;
    }
    free(seen->slots);
    seen->slots = slots;
    seen->capacity = capacity;
    for (size_t i = 0; i < seen->count; ++i) {
        *slot_find(seen, key_at(seen, i)) = slot_value(seen, key_at(seen, i), i);
    }
    return true;
}

static bool slots_grow(cupel_junit_seen *seen)
{
    return slots_resize(seen, seen->capacity == 0 ? SLOTS_LEAST : 2 * seen->capacity);
}

void cupel_junit_seen_reserve(cupel_junit_seen *seen, uint64_t expected)
{
    size_t capacity = SLOTS_LEAST;
    while (capacity < SLOTS_RESERVED_MOST && expected * 4 > (uint64_t)capacity * 3) {
        capacity *= 2;
    }
    if (seen->capacity == 0) {
        (void)slots_resize(seen, capacity);
    }
}

static bool blocks_grow(cupel_junit_seen *seen)
{
    uint64_t **blocks = realloc(seen->blocks, (seen->block_count + 1) * sizeof *blocks);
    if (blocks == NULL) {
        return false;
    }
    seen->blocks = blocks;
    blocks[seen->block_count] = malloc(CUPEL_SEEN_BLOCK * sizeof **blocks);
    seen->block_count += blocks[seen->block_count] != NULL;
    return seen->count < seen->block_count * CUPEL_SEEN_BLOCK;
}

void cupel_junit_seen_expect(const cupel_junit_seen *seen, uint64_t key)
{
    if (seen->capacity > 0) {
        __builtin_prefetch(&seen->slots[(size_t)key & (seen->capacity - 1)], 1);
    }
}

cupel_junit_insert cupel_junit_seen_insert(cupel_junit_seen *seen, uint64_t key)
{
    bool ready = (seen->count + 1) * 4 <= seen->capacity * 3 || slots_grow(seen);
    if (!ready || (seen->count == seen->block_count * CUPEL_SEEN_BLOCK && !blocks_grow(seen))) {
        return CUPEL_SEEN_NO_MEMORY;
    }
    uint32_t *slot = slot_find(seen, key);
    if (*slot != 0) {
        return CUPEL_SEEN_AGAIN;
    }
    *slot = slot_value(seen, key, seen->count);
    seen->blocks[seen->count / CUPEL_SEEN_BLOCK][seen->count % CUPEL_SEEN_BLOCK] = key;
    ++seen->count;
    return CUPEL_SEEN_NEW;
}

void cupel_junit_seen_free(cupel_junit_seen *seen)
{
    for (size_t i = 0; i < seen->block_count; ++i) {
        free(seen->blocks[i]);
    }
    free(seen->blocks);
    free(seen->slots);
    *seen = (cupel_junit_seen){0};
}
