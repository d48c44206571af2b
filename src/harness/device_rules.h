// SPDX-License-Identifier: Apache-2.0
// Rules about masks and partitions. They judge what the runtime has shown; devices are never counted from a mask.
#ifndef CUPEL_DEVICE_RULES_H
#define CUPEL_DEVICE_RULES_H

#include "nc.h"

#include <stddef.h>

// `backend` and `count` are what the runtime has, `mask` is CUDA_VISIBLE_DEVICES and `selector` what was asked for (either may be
// null). A reason code with a sentence in `detail`, or null when nothing is wrong.
const char *cupel_mask_judge(const char *backend, const char *mask, int count, char *detail, size_t size);
const char *cupel_partition_judge(const nc_device_info *info, const char *mask, const char *selector, char *detail, size_t size);

#endif
