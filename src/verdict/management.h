// SPDX-License-Identifier: Apache-2.0
// Reads the "management" object of a device record or of a ledger's close event.
#ifndef CUPEL_VERDICT_MANAGEMENT_H
#define CUPEL_VERDICT_MANAGEMENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

// Uncorrected memory errors that the device has counted since it was started; -1 when unknown, which null and "not told" are.
// False with a sentence part in `error` when the object is not in the documented form.
bool cupel_management_read(const json_t *object, int64_t *uncorrected_errors, char error[128]);

#endif
