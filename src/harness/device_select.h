// SPDX-License-Identifier: Apache-2.0
// Which device a process opens. Nothing is chosen by default: a selector names it, or exactly one of the wanted type exists.
#ifndef CUPEL_DEVICE_SELECT_H
#define CUPEL_DEVICE_SELECT_H

#include "nc.h"

#include <stdbool.h>

typedef struct cupel_selected_device {
    int32_t count; // devices of any type that the backend sees
    nc_device *device;
    nc_device_info info;
    const char *reason; // "" or the code of src/verdict/reasons.def
    char detail[512];   // the sentence for `reason`
} cupel_selected_device;

// Opens the device that `selector` names (index, UUID or name), or, when it is null or empty, the only one of `type`
// ("cpu", "gpu", or null: of any type). A device of another type than `type` is refused. False with reason and detail.
bool cupel_device_select(const char *selector, const char *type, cupel_selected_device *selected);

#endif
