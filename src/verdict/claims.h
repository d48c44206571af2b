// SPDX-License-Identifier: Apache-2.0
// What a case claims by name beside having passed: outcomes by field, words of [a-z0-9_].
#ifndef CUPEL_CLAIMS_H
#define CUPEL_CLAIMS_H

#include <jansson.h>
#include <stdbool.h>

// Takes the claims out of an end event, which may lack them: then *claims is null, else the caller's. Null when their form is
// right, else a sentence part.
const char *cupel_claims_take(json_t *event, json_t **claims);

// Whether comma-separated `fields`, which may be null, have this one.
bool cupel_claims_listed(const char *fields, const char *field);

// Whether a passed case of this id may claim the outcome. A gradient has one of three statuses, and a stored history has the one
// that asks for none; anything else must have passed.
bool cupel_claims_allowed(const char *id, const char *field, const char *outcome);

#endif
