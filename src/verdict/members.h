// SPDX-License-Identifier: Apache-2.0
// Strict reading of JSON objects: exactly the members of a table, each of its type, stored at its offset.
#ifndef CUPEL_MEMBERS_H
#define CUPEL_MEMBERS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum cupel_member_kind {
    CUPEL_MEMBER_TEXT,           // const char *
    CUPEL_MEMBER_COUNT,          // uint64_t, not negative
    CUPEL_MEMBER_INTEGER,        // int64_t
    CUPEL_MEMBER_SECONDS,        // double, finite, not negative
    CUPEL_MEMBER_FLOAT,          // double from a hexadecimal text
    CUPEL_MEMBER_BOOL,           // bool
    CUPEL_MEMBER_OBJECT,         // json_t *, borrowed
    CUPEL_MEMBER_OBJECT_OR_NULL, // json_t *, borrowed, null for JSON null
    CUPEL_MEMBER_ARRAY,          // json_t *, borrowed
} cupel_member_kind;

typedef struct cupel_member {
    const char *name;
    cupel_member_kind kind;
    size_t offset;
} cupel_member;

// Reads `object` into `target`. False, with a sentence part in `error` ("member values is missing"), unless `object` is an
// object with exactly these members.
bool cupel_members_read(const json_t *object, const cupel_member *members, size_t count, void *target, char error[128]);

// Parses a whole text as one JSON object without duplicate members. Null with a sentence part in `error`.
json_t *cupel_json_parse(const char *bytes, size_t length, char error[128]);

#endif
