// SPDX-License-Identifier: Apache-2.0
#include "device_select.h"

#include "device_rules.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CUDA_MASK "CUDA_VISIBLE_DEVICES"

static bool refuse(cupel_selected_device *selected, const char *reason, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool refuse(cupel_selected_device *selected, const char *reason, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(selected->detail, sizeof selected->detail, format, arguments);
    va_end(arguments);
    selected->reason = reason;
    return false;
}

static const char *type_name(int32_t type)
{
    return type == NC_DEVICE_CPU ? "cpu" : type == NC_DEVICE_GPU ? "gpu" : "other";
}

static bool type_fits(int32_t type, const char *wanted)
{
    return wanted == NULL || wanted[0] == '\0' || strcmp(type_name(type), wanted) == 0;
}

// The core's own word for why a call found no usable device, or `otherwise`.
static const char *cause_or(const char *otherwise)
{
    return nc_last_cause()[0] != '\0' ? nc_last_cause() : otherwise;
}

// The environment variable that hides devices from this backend, when it is set.
static const char *mask_in_force(void)
{
    static const char *const masks[][2] = {
        {"cuda", CUDA_MASK}, {"opencl", CUDA_MASK}, {"opencl", "OCL_ICD_VENDORS"}, {"opencl", "POCL_DEVICES"}};
    for (size_t i = 0; i < sizeof masks / sizeof *masks; ++i) {
        if (strcmp(nc_backend(), masks[i][0]) == 0 && getenv(masks[i][1]) != NULL) {
            return masks[i][1];
        }
    }
    return NULL;
}

static bool refuse_none(cupel_selected_device *selected)
{
    const char *mask = mask_in_force();
    if (mask != NULL) {
        return refuse(selected, "device-hidden", "backend %s sees no device while %s is \"%.100s\"", nc_backend(), mask,
                      getenv(mask));
    }
    return refuse(selected, "device-none", "backend %s sees no device on this machine", nc_backend());
}

static bool open_named(const char *selector, const char *type, cupel_selected_device *selected)
{
    nc_status status = nc_device_open(selector, &selected->device);
    if (status != NC_OK) {
        return refuse(selected, cause_or(status == NC_DEVICE_NOT_FOUND ? "device-unknown" : "device-open-failed"), "%s",
                      nc_last_error());
    }
    NC_STRUCT_INIT(&selected->info);
    status = nc_device_info_get(selected->device, &selected->info);
    const char *partitioned = NULL;
    if (status == NC_OK && type_fits(selected->info.type, type)) {
        partitioned = cupel_partition_judge(&selected->info, getenv(CUDA_MASK), getenv("CUPEL_DEVICE"), selected->detail,
                                            sizeof selected->detail);
        if (partitioned == NULL) {
            return true;
        }
    }
    if (partitioned != NULL) {
        selected->reason = partitioned;
    } else if (status == NC_OK) {
        refuse(selected, "device-type-wrong", "device \"%.100s\" is a %s, not a %s", selected->info.name,
               type_name(selected->info.type), type);
    } else {
        refuse(selected, cause_or("device-open-failed"), "%s", nc_last_error());
    }
    nc_device_close(selected->device);
    selected->device = NULL;
    return false;
}

bool cupel_device_select(const char *selector, const char *type, cupel_selected_device *selected)
{
    int32_t fitting = 0;
    int32_t chosen = -1;
    char index[16];
    char seen[256] = "";
    memset(selected, 0, sizeof *selected);
    selected->reason = "";
    if (nc_device_count(&selected->count) != NC_OK) {
        return refuse(selected, cause_or("device-none"), "%s", nc_last_error());
    }
    if (selected->count == 0) {
        return refuse_none(selected);
    }
    const char *masked =
        cupel_mask_judge(nc_backend(), getenv(CUDA_MASK), selected->count, selected->detail, sizeof selected->detail);
    if (masked != NULL) {
        selected->reason = masked;
        return false;
    }
    if (selector != NULL && selector[0] != '\0') {
        return open_named(selector, type, selected);
    }
    for (int32_t i = 0; i < selected->count; ++i) {
        nc_device_info info;
        NC_STRUCT_INIT(&info);
        if (nc_device_describe(i, &info) != NC_OK) {
            return refuse(selected, cause_or("device-open-failed"), "%s", nc_last_error());
        }
        size_t used = strlen(seen);
        snprintf(seen + used, sizeof seen - used, "%s%d %s (%s)", i == 0 ? "" : ", ", (int)i, info.name, type_name(info.type));
        if (type_fits(info.type, type)) {
            ++fitting;
            chosen = i;
        }
    }
    if (fitting == 0) {
        return refuse(selected, "device-type-wrong", "backend %s sees no %s device, only %s", nc_backend(), type, seen);
    }
    if (fitting > 1) {
        return refuse(selected, "device-unknown", "%d devices fit and none was named: set CUPEL_DEVICE or --device to one of %s",
                      (int)fitting, seen);
    }
    snprintf(index, sizeof index, "%d", (int)chosen);
    return open_named(index, type, selected);
}
