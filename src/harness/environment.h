// SPDX-License-Identifier: Apache-2.0
// The environment of a run: an allow-list passes, what can change which device answers is recorded, the rest is dropped.
#ifndef CUPEL_ENVIRONMENT_H
#define CUPEL_ENVIRONMENT_H

#include <jansson.h>
#include <stdbool.h>

// Records the environment as it was found (object: name -> text, null when unset), then drops every variable that is not allowed
// and sets LC_ALL=C. Null when memory ran out.
json_t *cupel_environment_scrub(void);
// True for a name that cupel_environment_scrub passes on.
bool cupel_environment_allows(const char *name);

#endif
