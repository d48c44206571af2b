// SPDX-License-Identifier: Apache-2.0
#include "device_rules.h"

#include <stdio.h>
#include <string.h>

#define PARTITION "MIG-"

// Entries of a mask; the runtime ends its list at the first one that names no device, and shows at most one partition.
static int entries_of(const char *mask)
{
    int entries = 1;
    for (const char *comma = strchr(mask, ','); comma != NULL; comma = strchr(comma + 1, ',')) {
        ++entries;
    }
    return entries;
}

const char *cupel_mask_judge(const char *backend, const char *mask, int count, char *detail, size_t size)
{
    if (strcmp(backend, "cuda") != 0 || mask == NULL || entries_of(mask) <= count) {
        return NULL;
    }
    snprintf(detail, size, "CUDA_VISIBLE_DEVICES is \"%.200s\": it lists %d devices, but the runtime sees %d; an entry names none",
             mask, entries_of(mask), count);
    return "device-count-wrong";
}

const char *cupel_partition_judge(const nc_device_info *info, const char *mask, const char *selector, char *detail, size_t size)
{
    if (strncmp(info->uuid, PARTITION, strlen(PARTITION)) != 0) {
        return NULL;
    }
    if ((mask != NULL && strstr(mask, PARTITION) != NULL) || (selector != NULL && strstr(selector, PARTITION) != NULL)) {
        return NULL;
    }
    snprintf(detail, size, "device %d is a part of a GPU (%s), and neither --device nor CUDA_VISIBLE_DEVICES asks for a part",
             info->index, info->name);
    return "device-partitioned";
}
