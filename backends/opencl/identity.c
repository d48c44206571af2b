// SPDX-License-Identifier: Apache-2.0
// Who is there: all devices of all platforms, in the loader's order, and what each says of itself. The type is a bit mask, never
// "first found".
#include "opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLATFORMS_MAX 16

static nc_status enumerate_platform(const opencl_api *api, cl_platform_id platform, opencl_place places[OPENCL_DEVICES_MAX],
                                    int32_t *count)
{
    cl_device_id devices[OPENCL_DEVICES_MAX];
    cl_uint found = 0;
    cl_int code = api->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, OPENCL_DEVICES_MAX, devices, &found);
    if (code == CL_DEVICE_NOT_FOUND) {
        return NC_OK; // a platform without devices
    }
    if (code != CL_SUCCESS) {
        return opencl_fail(code, "clGetDeviceIDs", "");
    }
    for (cl_uint i = 0; i < found && i < OPENCL_DEVICES_MAX && *count < OPENCL_DEVICES_MAX; ++i) {
        places[(*count)++] = (opencl_place){platform, devices[i]};
    }
    return NC_OK;
}

nc_status opencl_enumerate(const opencl_api *api, opencl_place places[OPENCL_DEVICES_MAX], int32_t *count)
{
    cl_platform_id platforms[PLATFORMS_MAX];
    cl_uint found = 0;
    cl_int code = api->clGetPlatformIDs(PLATFORMS_MAX, platforms, &found);
    *count = 0;
    if (code == CL_PLATFORM_NOT_FOUND_KHR || (code == CL_SUCCESS && found == 0)) {
        char sentence[1024];
        const char *cause = opencl_diagnose_vendors(NULL, sentence, sizeof sentence);
        return be_fail_cause(NC_DEVICE_ERROR, cause, "clGetPlatformIDs: %s (%d): %s", opencl_error_name(CL_PLATFORM_NOT_FOUND_KHR),
                             CL_PLATFORM_NOT_FOUND_KHR, sentence);
    }
    if (code != CL_SUCCESS) {
        return opencl_fail(code, "clGetPlatformIDs", "");
    }
    for (cl_uint p = 0; p < found && p < PLATFORMS_MAX; ++p) {
        nc_status status = enumerate_platform(api, platforms[p], places, count);
        if (status != NC_OK) {
            return status;
        }
    }
    return NC_OK;
}

nc_status be_device_count(int32_t *count)
{
    const opencl_api *api = NULL;
    opencl_place places[OPENCL_DEVICES_MAX];
    nc_status status = opencl_load(&api);
    return status != NC_OK ? status : opencl_enumerate(api, places, count);
}

nc_status opencl_find(int32_t index, const opencl_api **api, opencl_place *place)
{
    opencl_place places[OPENCL_DEVICES_MAX];
    int32_t count = 0;
    nc_status status = opencl_load(api);
    if (status == NC_OK) {
        status = opencl_enumerate(*api, places, &count);
    }
    if (status != NC_OK) {
        return status;
    }
    if (index < 0 || index >= count) {
        return be_fail_cause(NC_DEVICE_NOT_FOUND, "device-unknown", "OpenCL device %d: this process sees %d device(s)", (int)index,
                             (int)count);
    }
    *place = places[index];
    return NC_OK;
}

// A string property, cut to fit, without leading blanks; "" when the runtime has none.
void opencl_device_text(const opencl_api *api, cl_device_id device, cl_device_info key, char *text, size_t size)
{
    char value[1024] = "";
    if (api->clGetDeviceInfo(device, key, sizeof value - 1, value, NULL) != CL_SUCCESS) {
        value[0] = '\0';
    }
    (void)snprintf(text, size, "%.*s", (int)size - 1, value + strspn(value, " "));
}

int opencl_has_extension(const opencl_api *api, cl_device_id device, const char *name)
{
    size_t size = 0, length = strlen(name);
    int found = 0;
    if (api->clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, NULL, &size) != CL_SUCCESS) {
        return 0;
    }
    char *list = calloc(1, size + 1);
    if (list == NULL || api->clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, size, list, NULL) != CL_SUCCESS) {
        free(list);
        return 0;
    }
    for (const char *word = list; (word = strstr(word, name)) != NULL && !found; word += length) {
        found = (word == list || word[-1] == ' ') && (word[length] == ' ' || word[length] == '\0');
    }
    free(list);
    return found;
}

// The runtime's UUID in the form CUDA tools print; else an id derived from what stays when drivers are updated.
static void device_uuid(const opencl_api *api, cl_device_id device, int32_t ordinal, const nc_device_info *info, char *text,
                        size_t size)
{
    unsigned char b[CL_UUID_SIZE_KHR];
    if (opencl_has_extension(api, device, "cl_khr_device_uuid") &&
        api->clGetDeviceInfo(device, CL_DEVICE_UUID_KHR, sizeof b, b, NULL) == CL_SUCCESS) {
        (void)snprintf(text, size, "%s-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
                       info->type == NC_DEVICE_GPU ? "GPU" : "DEVICE", b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9],
                       b[10], b[11], b[12], b[13], b[14], b[15]);
        return;
    }
    uint64_t hash = 0xcbf29ce484222325u; // FNV-1a
    const char *parts[] = {info->platform, info->vendor, info->name};
    for (size_t p = 0; p < sizeof parts / sizeof parts[0]; ++p) {
        for (const char *c = parts[p]; *c != '\0'; ++c) {
            hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
        }
        hash = (hash ^ '/') * 0x100000001b3u;
    }
    (void)snprintf(text, size, "OPENCL-%016llx-%d", (unsigned long long)hash, (int)ordinal);
}

// A device that calls itself a CPU among other things (simulators set every bit) is never taken for a GPU.
static nc_device_type device_type(cl_device_type mask)
{
    return mask & CL_DEVICE_TYPE_CPU ? NC_DEVICE_CPU : mask & CL_DEVICE_TYPE_GPU ? NC_DEVICE_GPU : NC_DEVICE_OTHER;
}

// What a device lacks for the core's arithmetic: a cause code and a sentence, or null.
const char *opencl_lacks(const opencl_api *api, cl_device_id device, const char **sentence)
{
    static const struct {
        cl_device_info key;
        cl_device_fp_config bits;
        const char *cause, *sentence;
    } needs[] = {
        {CL_DEVICE_DOUBLE_FP_CONFIG, CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN, "capability-fp64",
         "no float64 (cl_khr_fp64, CL_DEVICE_DOUBLE_FP_CONFIG)"},
        {CL_DEVICE_DOUBLE_FP_CONFIG, CL_FP_FMA, "capability-fma", "no float64 fma (CL_FP_FMA of CL_DEVICE_DOUBLE_FP_CONFIG)"},
        {CL_DEVICE_DOUBLE_FP_CONFIG, CL_FP_DENORM, "capability-subnormals",
         "float64 subnormals are flushed (CL_FP_DENORM of CL_DEVICE_DOUBLE_FP_CONFIG)"},
        {CL_DEVICE_SINGLE_FP_CONFIG, CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN, "capability-fp32",
         "float32 without rounding to nearest or without infinities and NaN (CL_DEVICE_SINGLE_FP_CONFIG)"},
        {CL_DEVICE_SINGLE_FP_CONFIG, CL_FP_DENORM, "capability-subnormals",
         "float32 subnormals are flushed (CL_FP_DENORM of CL_DEVICE_SINGLE_FP_CONFIG)"},
        {CL_DEVICE_SINGLE_FP_CONFIG, CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT, "capability-division",
         "float32 division and square root are not correctly rounded (CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT)"},
    };
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; ++i) {
        cl_device_fp_config config = 0;
        cl_int code = api->clGetDeviceInfo(device, needs[i].key, sizeof config, &config, NULL);
        if (code != CL_SUCCESS || (config & needs[i].bits) != needs[i].bits) {
            *sentence = needs[i].sentence;
            return needs[i].cause;
        }
    }
    return NULL;
}

static void describe(const opencl_api *api, int32_t index, opencl_place place, nc_device_info *info)
{
    cl_device_type mask = 0;
    cl_ulong memory = 0;
    cl_uint units = 0;
    cl_device_fp_config doubles = 0;
    char version[64];
    (void)api->clGetDeviceInfo(place.device, CL_DEVICE_TYPE, sizeof mask, &mask, NULL);
    (void)api->clGetDeviceInfo(place.device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
    (void)api->clGetDeviceInfo(place.device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    (void)api->clGetDeviceInfo(place.device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof doubles, &doubles, NULL);
    info->index = index;
    info->type = (int32_t)device_type(mask);
    info->memory_bytes = memory;
    info->has_f64 = (doubles & CL_FP_FMA) != 0;
    info->compute_units = (int32_t)units;
    opencl_device_text(api, place.device, CL_DEVICE_NAME, info->name, sizeof info->name);
    opencl_device_text(api, place.device, CL_DEVICE_VENDOR, info->vendor, sizeof info->vendor);
    opencl_device_text(api, place.device, CL_DRIVER_VERSION, info->driver, sizeof info->driver);
    opencl_device_text(api, place.device, CL_DEVICE_VERSION, info->runtime, sizeof info->runtime);
    opencl_device_text(api, place.device, CL_DEVICE_OPENCL_C_VERSION, version, sizeof version);
    (void)snprintf(info->capability, sizeof info->capability, "%.*s", (int)sizeof info->capability - 1, version);
    if (api->clGetPlatformInfo(place.platform, CL_PLATFORM_NAME, sizeof info->platform - 1, info->platform, NULL) != CL_SUCCESS) {
        info->platform[0] = '\0';
    }
}

nc_status be_device_describe(int32_t index, nc_device_info *info)
{
    const opencl_api *api = NULL;
    opencl_place places[OPENCL_DEVICES_MAX];
    int32_t count = 0, ordinal = 0;
    nc_status status = opencl_load(&api);
    if (status == NC_OK) {
        status = opencl_enumerate(api, places, &count);
    }
    if (status != NC_OK) {
        return status;
    }
    if (index < 0 || index >= count) {
        return be_fail_cause(NC_DEVICE_NOT_FOUND, "device-unknown", "OpenCL device %d: this process sees %d device(s)", (int)index,
                             (int)count);
    }
    describe(api, index, places[index], info);
    for (int32_t i = 0; i < index; ++i) { // equal devices differ by their number among equals
        nc_device_info other;
        NC_STRUCT_INIT(&other);
        describe(api, i, places[i], &other);
        ordinal += strcmp(other.platform, info->platform) == 0 && strcmp(other.name, info->name) == 0;
    }
    device_uuid(api, places[index].device, ordinal, info, info->uuid, sizeof info->uuid);
    return NC_OK;
}
