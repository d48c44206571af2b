// SPDX-License-Identifier: Apache-2.0
// The state of NVIDIA's devices that a run must find as it leaves it: clocks and limits that are set, ECC and its errors,
// partitions, modes, and who uses them. Asked of NVML, the library behind nvidia-smi; what it does not tell is null, for unknown is
// not 0.
#include "machine_nvml.h"

#include "library.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

#define LIBRARY "libnvidia-ml.so.1"

// The part of NVML's interface that is used; values and layouts from its header nvml.h.
typedef struct nvml_device *nvml_handle;
typedef struct nvml_process {
    unsigned pid;
    unsigned long long used_bytes;
    unsigned gpu_instance, compute_instance;
} nvml_process;
enum { NVML_SUCCESS = 0, NVML_UNCORRECTED = 1, NVML_VOLATILE = 0, NVML_CLOCK_SM = 1, NVML_CLOCK_MEMORY = 2 };
enum { TEXT_MAX = 96, CLIENTS_MAX = 64 };

typedef struct nvml_api {
    int (*nvmlInit_v2)(void);
    int (*nvmlShutdown)(void);
    int (*nvmlSystemGetDriverVersion)(char *text, unsigned size);
    int (*nvmlDeviceGetCount_v2)(unsigned *count);
    int (*nvmlDeviceGetHandleByIndex_v2)(unsigned index, nvml_handle *device);
    int (*nvmlDeviceGetName)(nvml_handle device, char *text, unsigned size);
    int (*nvmlDeviceGetUUID)(nvml_handle device, char *text, unsigned size);
    int (*nvmlDeviceGetVbiosVersion)(nvml_handle device, char *text, unsigned size);
    int (*nvmlDeviceGetEccMode)(nvml_handle device, unsigned *current, unsigned *pending);
    int (*nvmlDeviceGetTotalEccErrors)(nvml_handle device, int type, int counter, unsigned long long *count);
    int (*nvmlDeviceGetMigMode)(nvml_handle device, unsigned *current, unsigned *pending);
    int (*nvmlDeviceGetComputeMode)(nvml_handle device, unsigned *mode);
    int (*nvmlDeviceGetPersistenceMode)(nvml_handle device, unsigned *mode);
    int (*nvmlDeviceGetPowerManagementLimit)(nvml_handle device, unsigned *milliwatts);
    int (*nvmlDeviceGetMaxClockInfo)(nvml_handle device, int clock, unsigned *megahertz);
    int (*nvmlDeviceGetApplicationsClock)(nvml_handle device, int clock, unsigned *megahertz);
    int (*nvmlDeviceGetComputeRunningProcesses_v3)(nvml_handle device, unsigned *count, nvml_process *processes);
} nvml_api;

static const cupel_function functions[] = {
#define FUNCTION(name)                                                                                                             \
    {                                                                                                                              \
#name, offsetof(nvml_api, name)                                                                                            \
    }
    FUNCTION(nvmlInit_v2),
    FUNCTION(nvmlShutdown),
    FUNCTION(nvmlSystemGetDriverVersion),
    FUNCTION(nvmlDeviceGetCount_v2),
    FUNCTION(nvmlDeviceGetHandleByIndex_v2),
    FUNCTION(nvmlDeviceGetName),
    FUNCTION(nvmlDeviceGetUUID),
    FUNCTION(nvmlDeviceGetVbiosVersion),
    FUNCTION(nvmlDeviceGetEccMode),
    FUNCTION(nvmlDeviceGetTotalEccErrors),
    FUNCTION(nvmlDeviceGetMigMode),
    FUNCTION(nvmlDeviceGetComputeMode),
    FUNCTION(nvmlDeviceGetPersistenceMode),
    FUNCTION(nvmlDeviceGetPowerManagementLimit),
    FUNCTION(nvmlDeviceGetMaxClockInfo),
    FUNCTION(nvmlDeviceGetApplicationsClock),
    FUNCTION(nvmlDeviceGetComputeRunningProcesses_v3),
#undef FUNCTION
};

static json_t *number_or_null(int code, unsigned long long value)
{
    return code == NVML_SUCCESS ? json_integer((json_int_t)value) : json_null();
}

static void text_add(json_t *object, const char *name, int (*get)(nvml_handle, char *, unsigned), nvml_handle device)
{
    char text[TEXT_MAX] = "";
    json_object_set_new(object, name, get(device, text, sizeof text) == NVML_SUCCESS ? json_string(text) : json_null());
}

static void mode_add(json_t *object, const char *name, int (*get)(nvml_handle, unsigned *), nvml_handle device)
{
    unsigned value = 0;
    const int code = get(device, &value);
    json_object_set_new(object, name, number_or_null(code, value));
}

// {"current", "pending"}: what is set now, and what a restart would set.
static void modes_add(json_t *object, const char *name, int (*get)(nvml_handle, unsigned *, unsigned *), nvml_handle device)
{
    unsigned current = 0;
    unsigned pending = 0;
    const int code = get(device, &current, &pending);
    json_object_set_new(
        object, name, json_pack("{s:o, s:o}", "current", number_or_null(code, current), "pending", number_or_null(code, pending)));
}

static json_t *clocks_describe(const nvml_api *api, nvml_handle device)
{
    static const struct {
        const char *name;
        int clock;
    } clocks[] = {{"sm", NVML_CLOCK_SM}, {"memory", NVML_CLOCK_MEMORY}};
    json_t *all = json_object();
    for (size_t i = 0; i < sizeof clocks / sizeof clocks[0]; ++i) {
        unsigned most = 0;
        unsigned set = 0;
        const int most_code = api->nvmlDeviceGetMaxClockInfo(device, clocks[i].clock, &most);
        const int set_code = api->nvmlDeviceGetApplicationsClock(device, clocks[i].clock, &set);
        json_object_set_new(
            all, clocks[i].name,
            json_pack("{s:o, s:o}", "most_mhz", number_or_null(most_code, most), "set_mhz", number_or_null(set_code, set)));
    }
    return all;
}

// [{"pid"}] of the processes that compute on the device; null when they are not told or are too many to be a quiet machine.
static json_t *clients_describe(const nvml_api *api, nvml_handle device)
{
    nvml_process processes[CLIENTS_MAX];
    unsigned count = CLIENTS_MAX;
    if (api->nvmlDeviceGetComputeRunningProcesses_v3(device, &count, processes) != NVML_SUCCESS || count > CLIENTS_MAX) {
        return json_null();
    }
    json_t *clients = json_array();
    for (unsigned i = 0; i < count; ++i) {
        json_array_append_new(clients, json_pack("{s:I}", "pid", (json_int_t)processes[i].pid));
    }
    return clients;
}

static json_t *device_describe(const nvml_api *api, unsigned index)
{
    nvml_handle device = NULL;
    unsigned long long errors = 0;
    json_t *object = json_pack("{s:i}", "index", (int)index);
    if (api->nvmlDeviceGetHandleByIndex_v2(index, &device) != NVML_SUCCESS) {
        json_object_set_new(object, "error", json_string("NVML does not give this device"));
        return object;
    }
    text_add(object, "name", api->nvmlDeviceGetName, device);
    text_add(object, "uuid", api->nvmlDeviceGetUUID, device);
    text_add(object, "vbios", api->nvmlDeviceGetVbiosVersion, device);
    modes_add(object, "ecc", api->nvmlDeviceGetEccMode, device);
    modes_add(object, "partitions", api->nvmlDeviceGetMigMode, device);
    mode_add(object, "compute_mode", api->nvmlDeviceGetComputeMode, device);
    mode_add(object, "persistence", api->nvmlDeviceGetPersistenceMode, device);
    mode_add(object, "power_limit_mw", api->nvmlDeviceGetPowerManagementLimit, device);
    const int code = api->nvmlDeviceGetTotalEccErrors(device, NVML_UNCORRECTED, NVML_VOLATILE, &errors);
    json_object_set_new(object, "uncorrected_errors", number_or_null(code, errors));
    json_object_set_new(object, "clocks", clocks_describe(api, device));
    json_object_set_new(object, "clients", clients_describe(api, device));
    return object;
}

static void devices_add(const nvml_api *api, json_t *result)
{
    char driver[TEXT_MAX] = "";
    unsigned count = 0;
    if (api->nvmlSystemGetDriverVersion(driver, sizeof driver) == NVML_SUCCESS) {
        json_object_set_new(result, "driver", json_string(driver));
    }
    if (api->nvmlDeviceGetCount_v2(&count) != NVML_SUCCESS) {
        json_object_set_new(result, "error", json_string("NVML does not count the devices"));
    }
    for (unsigned i = 0; i < count; ++i) {
        json_array_append_new(json_object_get(result, "devices"), device_describe(api, i));
    }
}

json_t *evidence_machine_nvml(void)
{
    nvml_api api;
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    json_t *result = json_pack("{s:b, s:n, s:n, s:[]}", "library", library != NULL, "error", "driver", "devices");
    if (library == NULL) {
        return result;
    }
    if (!cupel_library_functions(library, functions, sizeof functions / sizeof functions[0], &api)) {
        json_object_set_new(result, "error", json_string(LIBRARY " lacks functions"));
    } else if (api.nvmlInit_v2() != NVML_SUCCESS) {
        json_object_set_new(result, "error", json_string("NVML cannot be initialised"));
    } else {
        devices_add(&api, result);
        (void)api.nvmlShutdown();
    }
    (void)dlclose(library);
    return result;
}
