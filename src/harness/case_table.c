// SPDX-License-Identifier: Apache-2.0
#include "case_table.h"

#include "context.h"

#include <stdio.h>
#include <string.h>

bool cupel_case_id_is_valid(const char *id, const char *suite)
{
    size_t length = strlen(id);
    size_t prefix = strlen(suite);
    return length <= CUPEL_ID_MAX && length > prefix + 1 && strncmp(id, suite, prefix) == 0 && id[prefix] == '.' &&
           strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789._-") == length;
}

size_t cupel_suite_count(const cupel_suite *suite)
{
    size_t count = 0;
    for (size_t i = 0; i < suite->count; ++i) {
        count += suite->tables[i]->count;
    }
    return count;
}

const cupel_case *cupel_suite_at(const cupel_suite *suite, size_t index)
{
    size_t table = 0;
    while (index >= suite->tables[table]->count) {
        index -= suite->tables[table++]->count;
    }
    return &suite->tables[table]->cases[index];
}

const cupel_case *cupel_suite_find(const cupel_suite *suite, const char *id)
{
    size_t count = cupel_suite_count(suite);
    for (size_t i = 0; i < count; ++i) {
        if (strcmp(cupel_suite_at(suite, i)->id, id) == 0) {
            return cupel_suite_at(suite, i);
        }
    }
    return NULL;
}

bool cupel_suite_check(const cupel_suite *suite, char *reason, size_t size)
{
    size_t count = cupel_suite_count(suite);
    if (count == 0) {
        snprintf(reason, size, "suite %s has no case", suite->name);
        return false;
    }
    for (size_t i = 0; i < count; ++i) {
        const cupel_case *item = cupel_suite_at(suite, i);
        if (item->id == NULL || !cupel_case_id_is_valid(item->id, suite->name)) {
            snprintf(reason, size, "case id \"%.120s\" of suite %s is not <suite>.<words> in [a-z0-9._-], at most %d characters",
                     item->id == NULL ? "(null)" : item->id, suite->name, CUPEL_ID_MAX);
            return false;
        }
        if (item->run == NULL) {
            snprintf(reason, size, "case %s has no function", item->id);
            return false;
        }
        if (cupel_suite_find(suite, item->id) != item) {
            snprintf(reason, size, "case id %s stands twice in suite %s", item->id, suite->name);
            return false;
        }
    }
    return true;
}
