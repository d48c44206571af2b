// SPDX-License-Identifier: Apache-2.0
// The state of NVIDIA's devices that a run must find as it leaves it: clocks and limits that are set, ECC and its errors,
// partitions, modes, and who uses them. Asked of NVML, the library behind nvidia-smi. What it does not tell is null, for unknown is
// not 0, and "not_told" says why: a virtual GPU, a partition or an account without permission is told less than others.
#include "machine_nvml.h"

#include "library.h"
#include "machine.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define LIBRARY "libnvidia-ml.so.1"

// The part of NVML's interface that is used; names, values and layouts from its header nvml.h as of driver 580.
typedef struct nvml_device *nvml_handle;
typedef struct nvml_process {
    unsigned pid;
    unsigned long long used_bytes;
    unsigned gpu_instance, compute_instance;
} nvml_process;
enum { NVML_SUCCESS = 0, NVML_UNCORRECTED = 1, NVML_VOLATILE = 0, NVML_CLOCK_SM = 1, NVML_CLOCK_MEMORY = 2, NVML_DIE = 0 };
enum { TEXT_MAX = 96, CLIENTS_MAX = 64 };

typedef int number_get(nvml_handle device, unsigned *value);
typedef int modes_get(nvml_handle device, unsigned *current, unsigned *pending);
typedef int text_get(nvml_handle device, char *text, unsigned size);
typedef int clock_get(nvml_handle device, int clock, unsigned *megahertz);

typedef struct nvml_api {
    int (*nvmlInit_v2)(void);
    int (*nvmlShutdown)(void);
    const char *(*nvmlErrorString)(int code);
    int (*nvmlSystemGetDriverVersion)(char *text, unsigned size);
    int (*nvmlDeviceGetCount_v2)(unsigned *count);
    int (*nvmlDeviceGetHandleByIndex_v2)(unsigned index, nvml_handle *device);
    // What follows may be missing from older and newer releases; null then.
    text_get *nvmlDeviceGetName;
    text_get *nvmlDeviceGetUUID;
    text_get *nvmlDeviceGetVbiosVersion;
    modes_get *nvmlDeviceGetEccMode;
    modes_get *nvmlDeviceGetMigMode;
    int (*nvmlDeviceGetTotalEccErrors)(nvml_handle device, int type, int counter, unsigned long long *count);
    number_get *nvmlDeviceGetComputeMode;
    number_get *nvmlDeviceGetPersistenceMode;
    number_get *nvmlDeviceGetPowerManagementLimit;
    clock_get *nvmlDeviceGetMaxClockInfo;
    clock_get *nvmlDeviceGetApplicationsClock;
    int (*nvmlDeviceGetComputeRunningProcesses_v3)(nvml_handle device, unsigned *count, nvml_process *processes);
    clock_get *nvmlDeviceGetClockInfo;
    clock_get *nvmlDeviceGetTemperature; // its second argument is a sensor
    number_get *nvmlDeviceGetPowerUsage;
    number_get *nvmlDeviceGetPerformanceState;
    int (*nvmlDeviceGetCurrentClocksEventReasons)(nvml_handle device, unsigned long long *reasons);
} nvml_api;

#define FUNCTION(name)                                                                                                             \
    {                                                                                                                              \
#name, offsetof(nvml_api, name)                                                                                            \
    }
static const cupel_function NEEDED[] = {
    FUNCTION(nvmlInit_v2),           FUNCTION(nvmlShutdown),
    FUNCTION(nvmlErrorString),       FUNCTION(nvmlSystemGetDriverVersion),
    FUNCTION(nvmlDeviceGetCount_v2), FUNCTION(nvmlDeviceGetHandleByIndex_v2),
};
static const cupel_function OPTIONAL[] = {
    FUNCTION(nvmlDeviceGetName),
    FUNCTION(nvmlDeviceGetUUID),
    FUNCTION(nvmlDeviceGetVbiosVersion),
    FUNCTION(nvmlDeviceGetEccMode),
    FUNCTION(nvmlDeviceGetMigMode),
    FUNCTION(nvmlDeviceGetTotalEccErrors),
    FUNCTION(nvmlDeviceGetComputeMode),
    FUNCTION(nvmlDeviceGetPersistenceMode),
    FUNCTION(nvmlDeviceGetPowerManagementLimit),
    FUNCTION(nvmlDeviceGetMaxClockInfo),
    FUNCTION(nvmlDeviceGetApplicationsClock),
    FUNCTION(nvmlDeviceGetComputeRunningProcesses_v3),
    FUNCTION(nvmlDeviceGetClockInfo),
    FUNCTION(nvmlDeviceGetTemperature),
    FUNCTION(nvmlDeviceGetPowerUsage),
    FUNCTION(nvmlDeviceGetPerformanceState),
    FUNCTION(nvmlDeviceGetCurrentClocksEventReasons),
};
#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

// One device while it is described.
typedef struct view {
    const nvml_api *api;
    nvml_handle device;
    json_t *not_told; // sentences, null: not kept
} view;

// A number that NVML gave with `code`, else null and a sentence. `has` is false when this NVML has no such function.
static json_t *number_told(const view *of, const char *name, bool has, int code, unsigned long long value)
{
    if (has && code == NVML_SUCCESS) {
        return json_integer((json_int_t)value);
    }
    if (of->not_told != NULL) {
        const char *why = has ? of->api->nvmlErrorString(code) : "this NVML has no function for it";
        json_array_append_new(of->not_told, json_sprintf("%s: %s", name, why != NULL ? why : "unknown error"));
    }
    return json_null();
}

static void text_add(const view *of, json_t *object, const char *name, text_get *get)
{
    char text[TEXT_MAX] = "";
    const int code = get != NULL ? get(of->device, text, sizeof text) : 0;
    json_t *value = number_told(of, name, get != NULL, code, 0);
    if (json_is_integer(value)) {
        json_decref(value);
        value = json_string(text);
    }
    json_object_set_new(object, name, value);
}

static void number_add(const view *of, json_t *object, const char *name, number_get *get)
{
    unsigned value = 0;
    const int code = get != NULL ? get(of->device, &value) : 0;
    json_object_set_new(object, name, number_told(of, name, get != NULL, code, value));
}

// {"current", "pending"}: what is set now, and what a restart would set.
static void modes_add(const view *of, json_t *object, const char *name, modes_get *get)
{
    unsigned current = 0;
    unsigned pending = 0;
    const int code = get != NULL ? get(of->device, &current, &pending) : 0;
    json_t *now = number_told(of, name, get != NULL, code, current);
    json_t *later = json_is_null(now) ? json_null() : json_integer((json_int_t)pending);
    json_object_set_new(object, name, json_pack("{s:o, s:o}", "current", now, "pending", later));
}

static void clock_add(const view *of, json_t *object, const char *name, const char *said, clock_get *get, int clock)
{
    unsigned value = 0;
    const int code = get != NULL ? get(of->device, clock, &value) : 0;
    json_object_set_new(object, name, number_told(of, said, get != NULL, code, value));
}

static json_t *clocks_describe(const view *of)
{
    json_t *sm = json_object();
    json_t *memory = json_object();
    clock_add(of, sm, "most_mhz", "clocks.sm.most_mhz", of->api->nvmlDeviceGetMaxClockInfo, NVML_CLOCK_SM);
    clock_add(of, sm, "set_mhz", "clocks.sm.set_mhz", of->api->nvmlDeviceGetApplicationsClock, NVML_CLOCK_SM);
    clock_add(of, memory, "most_mhz", "clocks.memory.most_mhz", of->api->nvmlDeviceGetMaxClockInfo, NVML_CLOCK_MEMORY);
    clock_add(of, memory, "set_mhz", "clocks.memory.set_mhz", of->api->nvmlDeviceGetApplicationsClock, NVML_CLOCK_MEMORY);
    return json_pack("{s:o, s:o}", "sm", sm, "memory", memory);
}

// [{"pid"}] of the processes that compute on the device; null when they are not told or are too many to be a quiet machine.
static json_t *clients_describe(const view *of)
{
    nvml_process processes[CLIENTS_MAX];
    unsigned count = CLIENTS_MAX;
    const bool has = of->api->nvmlDeviceGetComputeRunningProcesses_v3 != NULL;
    const int code = has ? of->api->nvmlDeviceGetComputeRunningProcesses_v3(of->device, &count, processes) : 0;
    json_t *told = number_told(of, "clients", has, code, 0);
    if (json_is_null(told)) {
        return told;
    }
    json_decref(told);
    json_t *clients = json_array();
    for (unsigned i = 0; i < count && i < CLIENTS_MAX; ++i) {
        json_array_append_new(clients, json_pack("{s:I}", "pid", (json_int_t)processes[i].pid));
    }
    return clients;
}

// What changes from one moment to the next on a device that nobody touches. Kept, not compared.
static json_t *now_describe(const nvml_api *api, nvml_handle device)
{
    const view quiet = {api, device, NULL};
    unsigned long long reasons = 0;
    json_t *now = json_object();
    clock_add(&quiet, now, "sm_mhz", "", api->nvmlDeviceGetClockInfo, NVML_CLOCK_SM);
    clock_add(&quiet, now, "memory_mhz", "", api->nvmlDeviceGetClockInfo, NVML_CLOCK_MEMORY);
    clock_add(&quiet, now, "temperature_c", "", api->nvmlDeviceGetTemperature, NVML_DIE);
    number_add(&quiet, now, "power_mw", api->nvmlDeviceGetPowerUsage);
    number_add(&quiet, now, "performance_state", api->nvmlDeviceGetPerformanceState);
    const bool has = api->nvmlDeviceGetCurrentClocksEventReasons != NULL;
    const int code = has ? api->nvmlDeviceGetCurrentClocksEventReasons(device, &reasons) : 0;
    json_object_set_new(now, "clock_event_reasons", number_told(&quiet, "", has, code, reasons));
    return now;
}

static json_t *device_describe(const nvml_api *api, unsigned index)
{
    view of = {.api = api};
    unsigned long long errors = 0;
    json_t *object = json_pack("{s:i}", "index", (int)index);
    const int given = api->nvmlDeviceGetHandleByIndex_v2(index, &of.device);
    if (given != NVML_SUCCESS) {
        json_object_set_new(object, "error", json_sprintf("NVML does not give this device: %s", api->nvmlErrorString(given)));
        return object;
    }
    of.not_told = json_array();
    text_add(&of, object, "name", api->nvmlDeviceGetName);
    text_add(&of, object, "uuid", api->nvmlDeviceGetUUID);
    text_add(&of, object, "vbios", api->nvmlDeviceGetVbiosVersion);
    modes_add(&of, object, "ecc", api->nvmlDeviceGetEccMode);
    modes_add(&of, object, "partitions", api->nvmlDeviceGetMigMode);
    number_add(&of, object, "compute_mode", api->nvmlDeviceGetComputeMode);
    number_add(&of, object, "persistence", api->nvmlDeviceGetPersistenceMode);
    number_add(&of, object, "power_limit_mw", api->nvmlDeviceGetPowerManagementLimit);
    const bool counts = api->nvmlDeviceGetTotalEccErrors != NULL;
    const int code = counts ? api->nvmlDeviceGetTotalEccErrors(of.device, NVML_UNCORRECTED, NVML_VOLATILE, &errors) : 0;
    json_object_set_new(object, "uncorrected_errors", number_told(&of, "uncorrected_errors", counts, code, errors));
    json_object_set_new(object, "clocks", clocks_describe(&of));
    json_object_set_new(object, "clients", clients_describe(&of));
    json_object_set_new(object, "not_told", of.not_told);
    json_object_set_new(object, EVIDENCE_MACHINE_MOMENTARY, now_describe(api, of.device));
    return object;
}

static void devices_add(const nvml_api *api, json_t *result)
{
    char driver[TEXT_MAX] = "";
    unsigned count = 0;
    if (api->nvmlSystemGetDriverVersion(driver, sizeof driver) == NVML_SUCCESS) {
        json_object_set_new(result, "driver", json_string(driver));
    }
    const int code = api->nvmlDeviceGetCount_v2(&count);
    if (code != NVML_SUCCESS) {
        json_object_set_new(result, "error", json_sprintf("NVML does not count the devices: %s", api->nvmlErrorString(code)));
    }
    for (unsigned i = 0; code == NVML_SUCCESS && i < count; ++i) {
        json_array_append_new(json_object_get(result, "devices"), device_describe(api, i));
    }
}

json_t *evidence_machine_nvml(void)
{
    nvml_api api;
    memset(&api, 0, sizeof api);
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    json_t *result = json_pack("{s:b, s:n, s:n, s:[]}", "library", library != NULL, "error", "driver", "devices");
    if (library == NULL) {
        return result;
    }
    for (size_t i = 0; i < COUNT_OF(OPTIONAL); ++i) {
        (void)cupel_library_functions(library, &OPTIONAL[i], 1, &api);
    }
    if (!cupel_library_functions(library, NEEDED, COUNT_OF(NEEDED), &api)) {
        json_object_set_new(result, "error", json_string(LIBRARY " lacks functions that every NVML has"));
    } else {
        const int code = api.nvmlInit_v2();
        if (code != NVML_SUCCESS) {
            json_object_set_new(result, "error", json_sprintf("NVML cannot be initialised: %s", api.nvmlErrorString(code)));
        } else {
            devices_add(&api, result);
            (void)api.nvmlShutdown();
        }
    }
    (void)dlclose(library);
    return result;
}
