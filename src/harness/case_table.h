// SPDX-License-Identifier: Apache-2.0
// The rules for case ids, and lookup in a suite's tables.
#ifndef CUPEL_CASE_TABLE_H
#define CUPEL_CASE_TABLE_H

#include "cupel.h"

// True when `id` may be a case of the suite: [a-z0-9._-], at most 100, first component the suite's name, something after it.
bool cupel_case_id_is_valid(const char *id, const char *suite);
size_t cupel_suite_count(const cupel_suite *suite);
// Case number `index` in table order.
const cupel_case *cupel_suite_at(const cupel_suite *suite, size_t index);
// Null when the suite has no such case.
const cupel_case *cupel_suite_find(const cupel_suite *suite, const char *id);
// Every id valid, none twice, every case with a function, at least one case. False with a sentence in `reason`.
bool cupel_suite_check(const cupel_suite *suite, char *reason, size_t size);

#endif
