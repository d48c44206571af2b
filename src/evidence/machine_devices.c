// SPDX-License-Identifier: Apache-2.0
// The drivers' own account of their devices, through libraries opened at run time: the tool needs no CUDA or OpenCL to be built.
#include "machine.h"

#include "machine_nvml.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICES_MAX = 64, TEXT_MAX = 256 };

// ISO C has no cast from an object pointer to a function pointer; POSIX guarantees the representation.
static bool symbol_find(void *library, const char *name, void *function, size_t size)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, size);
    return symbol != NULL;
}
#define SYMBOL(library, name, function) symbol_find((library), (name), &(function), sizeof(function))

// ---- CUDA driver API (names and numbers of cuda.h)
// --------------------------------------------------------------------------------

enum { CUDA_CAPABILITY_MAJOR = 75, CUDA_CAPABILITY_MINOR = 76 };

typedef struct cuda_driver {
    int (*init)(unsigned int flags);
    int (*version)(int *version);
    int (*count)(int *count);
    int (*name)(char *name, int size, int device);
    int (*attribute)(int *value, int attribute, int device);
    int (*error_name)(int error, const char **name);
} cuda_driver;

static json_t *cuda_error(const cuda_driver *cuda, const char *call, int error)
{
    const char *name = NULL;
    if (cuda->error_name(error, &name) != 0 || name == NULL) {
        name = "unknown error";
    }
    return json_sprintf("%s returned %d (%s)", call, error, name);
}

static json_t *cuda_device(const cuda_driver *cuda, int index)
{
    char name[TEXT_MAX] = "";
    int major = 0;
    int minor = 0;
    if (cuda->name(name, TEXT_MAX - 1, index) != 0 || cuda->attribute(&major, CUDA_CAPABILITY_MAJOR, index) != 0 ||
        cuda->attribute(&minor, CUDA_CAPABILITY_MINOR, index) != 0) {
        return json_pack("{s:i, s:s}", "index", index, "error", "the driver could not describe this device");
    }
    return json_pack("{s:i, s:s, s:o}", "index", index, "name", name, "capability", json_sprintf("%d.%d", major, minor));
}

static json_t *cuda_describe(void)
{
    cuda_driver cuda;
    int version = 0;
    int count = 0;
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    json_t *result = json_pack("{s:b, s:n, s:n, s:[]}", "library", library != NULL, "error", "driver", "devices");
    if (library == NULL) {
        json_object_set_new(result, "error", json_string("the CUDA driver library libcuda.so.1 was not found"));
        return result;
    }
    if (!SYMBOL(library, "cuInit", cuda.init) || !SYMBOL(library, "cuDriverGetVersion", cuda.version) ||
        !SYMBOL(library, "cuDeviceGetCount", cuda.count) || !SYMBOL(library, "cuDeviceGetName", cuda.name) ||
        !SYMBOL(library, "cuDeviceGetAttribute", cuda.attribute) || !SYMBOL(library, "cuGetErrorName", cuda.error_name)) {
        json_object_set_new(result, "error", json_string("libcuda.so.1 lacks functions of the driver API"));
        return result;
    }
    if (cuda.version(&version) == 0) {
        json_object_set_new(result, "driver", json_sprintf("%d.%d", version / 1000, version % 1000 / 10));
    }
    int error = cuda.init(0);
    const char *call = "cuInit";
    if (error == 0) {
        error = cuda.count(&count);
        call = "cuDeviceGetCount";
    }
    if (error != 0) {
        json_object_set_new(result, "error", cuda_error(&cuda, call, error));
    } else if (count == 0) {
        json_object_set_new(result, "error", json_string("the driver sees no device"));
    }
    for (int i = 0; i < count && i < DEVICES_MAX; ++i) {
        json_array_append_new(json_object_get(result, "devices"), cuda_device(&cuda, i));
    }
    return result;
}

// ---- OpenCL (names and numbers of CL/cl.h)
// ----------------------------------------------------------------------------------------

enum {
    OPENCL_PLATFORM_VERSION = 0x0901,
    OPENCL_PLATFORM_NAME = 0x0902,
    OPENCL_DEVICE_TYPE = 0x1000,
    OPENCL_DEVICE_NAME = 0x102B,
    OPENCL_DRIVER_VERSION = 0x102D,
    OPENCL_DEVICE_VERSION = 0x102F,
    OPENCL_DEVICE_NOT_FOUND = -1
};
static const uint64_t OPENCL_TYPE_CPU = 2;
static const uint64_t OPENCL_TYPE_GPU = 4;
static const uint64_t OPENCL_TYPE_ALL = 0xFFFFFFFFu;

typedef struct opencl_loader {
    int32_t (*platforms)(uint32_t entries, void **platforms, uint32_t *count);
    int32_t (*platform_info)(void *platform, uint32_t name, size_t size, void *value, size_t *size_needed);
    int32_t (*devices)(void *platform, uint64_t type, uint32_t entries, void **devices, uint32_t *count);
    int32_t (*device_info)(void *device, uint32_t name, size_t size, void *value, size_t *size_needed);
} opencl_loader;

static json_t *opencl_text(int32_t (*query)(void *, uint32_t, size_t, void *, size_t *), void *object, uint32_t name)
{
    char text[TEXT_MAX] = "";
    return query(object, name, sizeof text, text, NULL) == 0 ? json_string(text) : json_null();
}

static json_t *opencl_device(const opencl_loader *opencl, void *device)
{
    uint64_t type = 0;
    opencl->device_info(device, OPENCL_DEVICE_TYPE, sizeof type, &type, NULL);
    const char *type_name = (type & OPENCL_TYPE_GPU) != 0 ? "gpu" : (type & OPENCL_TYPE_CPU) != 0 ? "cpu" : "other";
    return json_pack("{s:o, s:s, s:o, s:o}", "name", opencl_text(opencl->device_info, device, OPENCL_DEVICE_NAME), "type",
                     type_name, "version", opencl_text(opencl->device_info, device, OPENCL_DEVICE_VERSION), "driver",
                     opencl_text(opencl->device_info, device, OPENCL_DRIVER_VERSION));
}

static json_t *opencl_platform(const opencl_loader *opencl, void *platform)
{
    void *devices[DEVICES_MAX];
    uint32_t count = 0;
    json_t *list = json_array();
    const int32_t error = opencl->devices(platform, OPENCL_TYPE_ALL, DEVICES_MAX, devices, &count);
    for (uint32_t i = 0; error == 0 && i < count && i < DEVICES_MAX; ++i) {
        json_array_append_new(list, opencl_device(opencl, devices[i]));
    }
    json_t *trouble =
        error == 0 || error == OPENCL_DEVICE_NOT_FOUND ? json_null() : json_sprintf("clGetDeviceIDs returned %d", error);
    return json_pack("{s:o, s:o, s:o, s:o}", "name", opencl_text(opencl->platform_info, platform, OPENCL_PLATFORM_NAME), "version",
                     opencl_text(opencl->platform_info, platform, OPENCL_PLATFORM_VERSION), "error", trouble, "devices", list);
}

// One .icd file names the library of one implementation; a stale one names a library that is gone.
static json_t *icd_describe(const char *folder, const char *name)
{
    char path[1024];
    char library[512] = "";
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        if (fgets(library, sizeof library, file) == NULL) {
            library[0] = '\0';
        }
        fclose(file);
    }
    library[strcspn(library, "\r\n")] = '\0';
    void *handle = library[0] != '\0' ? dlopen(library, RTLD_LAZY | RTLD_LOCAL) : NULL;
    return json_pack("{s:s, s:s, s:b}", "file", path, "library", library, "loads", handle != NULL);
}

static json_t *icds_describe(void)
{
    json_t *icds = json_array();
    const char *vendors = getenv("OCL_ICD_VENDORS");
    const char *folder = vendors != NULL && vendors[0] != '\0' ? vendors : "/etc/OpenCL/vendors";
    struct dirent **entries = NULL;
    const int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; ++i) {
        const size_t length = strlen(entries[i]->d_name);
        if (length > 4 && strcmp(entries[i]->d_name + length - 4, ".icd") == 0) {
            json_array_append_new(icds, icd_describe(folder, entries[i]->d_name));
        }
        free(entries[i]);
    }
    free(entries);
    return icds;
}

static json_t *opencl_describe(void)
{
    opencl_loader opencl;
    void *platforms[DEVICES_MAX];
    uint32_t count = 0;
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    json_t *result = json_pack("{s:b, s:n, s:o, s:[]}", "library", library != NULL, "error", "icds", icds_describe(), "platforms");
    if (library == NULL) {
        json_object_set_new(result, "error", json_string("the OpenCL loader libOpenCL.so.1 was not found"));
        return result;
    }
    if (!SYMBOL(library, "clGetPlatformIDs", opencl.platforms) || !SYMBOL(library, "clGetPlatformInfo", opencl.platform_info) ||
        !SYMBOL(library, "clGetDeviceIDs", opencl.devices) || !SYMBOL(library, "clGetDeviceInfo", opencl.device_info)) {
        json_object_set_new(result, "error", json_string("libOpenCL.so.1 lacks functions of OpenCL 1.2"));
        return result;
    }
    const int32_t error = opencl.platforms(DEVICES_MAX, platforms, &count);
    if (error != 0) {
        json_object_set_new(result, "error", json_sprintf("clGetPlatformIDs returned %d: no OpenCL platform", error));
        return result;
    }
    for (uint32_t i = 0; i < count && i < DEVICES_MAX; ++i) {
        json_array_append_new(json_object_get(result, "platforms"), opencl_platform(&opencl, platforms[i]));
    }
    return result;
}

json_t *evidence_machine_devices(void)
{
    return json_pack("{s:o, s:o, s:o}", "cuda", cuda_describe(), "nvml", evidence_machine_nvml(), "opencl", opencl_describe());
}
