// SPDX-License-Identifier: Apache-2.0
#include "claims.h"

#include "manifest.h"

#include <string.h>

enum { CLAIM_MAX = 40 };

static bool is_word(const char *text)
{
    return text != NULL && text[0] != '\0' && strlen(text) <= CLAIM_MAX &&
           text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
}

const char *cupel_claims_take(json_t *event, json_t **claims)
{
    const char *field = NULL;
    json_t *outcome = NULL;
    *claims = json_incref(json_object_get(event, "claims"));
    if (*claims == NULL) {
        return NULL;
    }
    json_object_del(event, "claims");
    bool good = json_is_object(*claims) && json_object_size(*claims) > 0;
    json_object_foreach(*claims, field, outcome)
    {
        good = good && is_word(field) && is_word(json_string_value(outcome));
    }
    return good ? NULL : "its claims are not words of [a-z0-9_] by fields of such words";
}

bool cupel_claims_listed(const char *fields, const char *field)
{
    size_t length = strlen(field);
    for (const char *at = fields; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, field, length) == 0 && (at[length] == ',' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

bool cupel_claims_allowed(const char *id, const char *field, const char *outcome)
{
    if (strcmp(field, "gradient") != 0) {
        return strcmp(outcome, "passed") == 0;
    }
    if (cupel_case_has_word(id, "history")) {
        return strcmp(outcome, "not_requested_stored_history") == 0;
    }
    return strcmp(outcome, "passed") == 0 || strcmp(outcome, "not_supported") == 0;
}
