// SPDX-License-Identifier: Apache-2.0
// Devices by index, UUID or name. There is no default device.
#include "host.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

nc_status nc_device_count(int32_t *count)
{
    NC_TRY(nc_check_pointer(count, "count"));
    return be_device_count(count);
}

static nc_status describe(int32_t index, nc_device_info *info)
{
    nc_device_info described;
    NC_STRUCT_INIT(&described);
    NC_TRY(be_device_describe(index, &described));
    *info = described;
    return NC_OK;
}

nc_status nc_device_describe(int32_t index, nc_device_info *info)
{
    int32_t count = 0;
    NC_TRY(nc_check_abi(info, sizeof *info, "info"));
    NC_TRY(be_device_count(&count));
    if (index < 0 || index >= count) {
        return be_fail(NC_DEVICE_NOT_FOUND, "index %" PRId32 ": backend %s sees %" PRId32 " device(s), numbered from 0", index,
                       be_name(), count);
    }
    return describe(index, info);
}

static nc_status find_by_index(const char *selector, int32_t count, int32_t *index)
{
    int64_t value = 0;
    for (const char *digit = selector; *digit != '\0' && value < count; ++digit) {
        value = 10 * value + (*digit - '0');
    }
    if (value >= count) {
        return be_fail(NC_DEVICE_NOT_FOUND, "selector \"%s\": backend %s sees %" PRId32 " device(s), numbered from 0", selector,
                       be_name(), count);
    }
    *index = (int32_t)value;
    return NC_OK;
}

static nc_status find_by_words(const char *selector, int32_t count, int32_t *index)
{
    int32_t named = 0;
    for (int32_t i = 0; i < count; ++i) {
        nc_device_info info;
        NC_TRY(describe(i, &info));
        if (strcmp(info.uuid, selector) == 0) {
            *index = i;
            return NC_OK;
        }
        if (strcmp(info.name, selector) == 0) {
            *index = i;
            ++named;
        }
    }
    if (named == 0) {
        return be_fail(NC_DEVICE_NOT_FOUND,
                       "selector \"%s\" is the UUID or name of none of the %" PRId32 " device(s) of backend %s; nc_device_describe "
                       "lists them",
                       selector, count, be_name());
    }
    if (named > 1) {
        return be_fail(NC_INVALID_ARGUMENT, "selector \"%s\" is the name of %" PRId32 " devices; use an index or a UUID", selector,
                       named);
    }
    return NC_OK;
}

static nc_status find_device(const char *selector, int32_t *index)
{
    int32_t count = 0;
    NC_TRY(be_device_count(&count));
    if (strspn(selector, "0123456789") == strlen(selector)) {
        return find_by_index(selector, count, index);
    }
    return find_by_words(selector, count, index);
}

nc_status nc_device_open(const char *selector, nc_device **device)
{
    int32_t index = 0;
    NC_TRY(nc_check_pointer(selector, "selector"));
    NC_TRY(nc_check_pointer(device, "device"));
    if (selector[0] == '\0') {
        return be_fail(NC_INVALID_ARGUMENT, "selector is \"\"; there is no default device: give an index, a UUID or a name");
    }
    NC_TRY(find_device(selector, &index));
    nc_device *opened = calloc(1, sizeof *opened);
    if (opened == NULL) {
        return be_fail(NC_OUT_OF_MEMORY, "no host memory for a device handle (%zu bytes)", sizeof *opened);
    }
    nc_status status = describe(index, &opened->info);
    if (status == NC_OK) {
        status = be_device_open(index, &opened->backend);
    }
    if (status != NC_OK) {
        free(opened);
        return status;
    }
    *device = opened;
    return NC_OK;
}

nc_status nc_device_close(nc_device *device)
{
    if (device == NULL) {
        return NC_OK;
    }
    if (device->arrays != 0) {
        return be_fail(NC_INVALID_ARGUMENT,
                       "device %" PRId32 " still has %" PRId64 " array(s); release them before nc_device_close", device->info.index,
                       device->arrays);
    }
    if (device->models != 0) {
        return be_fail(NC_INVALID_ARGUMENT,
                       "device %" PRId32 " still has %" PRId64 " model(s); release them before nc_device_close", device->info.index,
                       device->models);
    }
    be_buffer_free(device->backend, device->normal_table);
    be_device_close(device->backend);
    free(device);
    return NC_OK;
}

nc_status nc_device_info_get(const nc_device *device, nc_device_info *info)
{
    NC_TRY(nc_check_pointer(device, "device"));
    NC_TRY(nc_check_abi(info, sizeof *info, "info"));
    *info = device->info;
    return NC_OK;
}

nc_status nc_device_counters_get(const nc_device *device, nc_device_counters *counters)
{
    NC_TRY(nc_check_pointer(device, "device"));
    NC_TRY(nc_check_abi(counters, sizeof *counters, "counters"));
    be_device_counters(device->backend, counters);
    counters->arrays = (uint64_t)device->arrays;
    counters->uploads -= device->own_uploads;
    counters->bytes_uploaded -= device->own_bytes_uploaded;
    return NC_OK;
}

nc_status nc_device_sync(nc_device *device)
{
    NC_TRY(nc_check_pointer(device, "device"));
    return be_device_sync(device->backend);
}
