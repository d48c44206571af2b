// SPDX-License-Identifier: Apache-2.0
#include "members.h"

#include "text.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef bool member_store(json_t *value, void *place);

static bool store_text(json_t *value, void *place)
{
    *(const char **)place = json_string_value(value);
    return json_is_string(value);
}

static bool store_count(json_t *value, void *place)
{
    *(uint64_t *)place = (uint64_t)json_integer_value(value);
    return json_is_integer(value) && json_integer_value(value) >= 0;
}

static bool store_integer(json_t *value, void *place)
{
    *(int64_t *)place = json_integer_value(value);
    return json_is_integer(value);
}

static bool store_seconds(json_t *value, void *place)
{
    double seconds = json_number_value(value);
    *(double *)place = seconds;
    return json_is_number(value) && isfinite(seconds) && seconds >= 0.0;
}

static bool store_float(json_t *value, void *place)
{
    return json_is_string(value) && cupel_text_hexfloat(json_string_value(value), place);
}

static bool store_bool(json_t *value, void *place)
{
    *(bool *)place = json_is_true(value);
    return json_is_boolean(value);
}

static bool store_object(json_t *value, void *place)
{
    *(json_t **)place = value;
    return json_is_object(value);
}

static bool store_object_or_null(json_t *value, void *place)
{
    *(json_t **)place = json_is_object(value) ? value : NULL;
    return json_is_object(value) || json_is_null(value);
}

static bool store_array(json_t *value, void *place)
{
    *(json_t **)place = value;
    return json_is_array(value);
}

static const struct {
    member_store *store;
    const char *wanted;
} kinds[] = {
    [CUPEL_MEMBER_TEXT] = {store_text, "a text"},
    [CUPEL_MEMBER_COUNT] = {store_count, "a whole number that is not negative"},
    [CUPEL_MEMBER_INTEGER] = {store_integer, "a whole number"},
    [CUPEL_MEMBER_SECONDS] = {store_seconds, "a number of seconds"},
    [CUPEL_MEMBER_FLOAT] = {store_float, "a hexadecimal float in a text"},
    [CUPEL_MEMBER_BOOL] = {store_bool, "true or false"},
    [CUPEL_MEMBER_OBJECT] = {store_object, "an object"},
    [CUPEL_MEMBER_OBJECT_OR_NULL] = {store_object_or_null, "an object or null"},
    [CUPEL_MEMBER_ARRAY] = {store_array, "an array"},
};

static bool member_known(const char *name, const cupel_member *members, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (strcmp(members[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

bool cupel_members_read(const json_t *object, const cupel_member *members, size_t count, void *target, char error[128])
{
    if (!json_is_object(object)) {
        snprintf(error, 128, "it is not a JSON object");
        return false;
    }
    for (size_t i = 0; i < count; ++i) {
        json_t *value = json_object_get(object, members[i].name);
        if (value == NULL) {
            snprintf(error, 128, "member \"%s\" is missing", members[i].name);
            return false;
        }
        if (!kinds[members[i].kind].store(value, (char *)target + members[i].offset)) {
            snprintf(error, 128, "member \"%s\" is not %s", members[i].name, kinds[members[i].kind].wanted);
            return false;
        }
    }
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)object, name, value)
    {
        if (!member_known(name, members, count)) {
            snprintf(error, 128, "member \"%.60s\" is unknown", name);
            return false;
        }
    }
    return true;
}

json_t *cupel_json_parse(const char *bytes, size_t length, char error[128])
{
    json_error_t where;
    json_t *document = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, &where);
    if (document == NULL) {
        snprintf(error, 128, "line %d: %.100s", where.line, where.text);
    }
    return document;
}
