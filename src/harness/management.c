// SPDX-License-Identifier: Apache-2.0
#include "management.h"

#include "library.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define LIBRARY "libnvidia-ml.so.1"

// The part of NVML's interface that is used; values from its header nvml.h.
typedef struct nvml_device *nvml_handle;
typedef struct nvml_rates {
    unsigned gpu, memory; // percent
} nvml_rates;
enum { NVML_SUCCESS = 0, NVML_INSUFFICIENT_SIZE = 7, NVML_UNCORRECTED = 1, NVML_VOLATILE = 0 };

typedef struct nvml_api {
    int (*nvmlInit_v2)(void);
    int (*nvmlShutdown)(void);
    int (*nvmlSystemGetDriverVersion)(char *version, unsigned size);
    int (*nvmlDeviceGetHandleByUUID)(const char *uuid, nvml_handle *device);
    int (*nvmlDeviceGetEccMode)(nvml_handle device, unsigned *current, unsigned *pending);
    int (*nvmlDeviceGetTotalEccErrors)(nvml_handle device, int type, int counter, unsigned long long *count);
    int (*nvmlDeviceGetComputeRunningProcesses_v3)(nvml_handle device, unsigned *count, void *infos);
    int (*nvmlDeviceGetUtilizationRates)(nvml_handle device, nvml_rates *rates);
    int (*nvmlDeviceGetMigMode)(nvml_handle device, unsigned *current, unsigned *pending);
} nvml_api;

static const cupel_function functions[] = {
#define FUNCTION(name)                                                                                                             \
    {                                                                                                                              \
#name, offsetof(nvml_api, name)                                                                                            \
    }
    FUNCTION(nvmlInit_v2),
    FUNCTION(nvmlShutdown),
    FUNCTION(nvmlSystemGetDriverVersion),
    FUNCTION(nvmlDeviceGetHandleByUUID),
    FUNCTION(nvmlDeviceGetEccMode),
    FUNCTION(nvmlDeviceGetTotalEccErrors),
    FUNCTION(nvmlDeviceGetComputeRunningProcesses_v3),
    FUNCTION(nvmlDeviceGetUtilizationRates),
    FUNCTION(nvmlDeviceGetMigMode),
#undef FUNCTION
};

static const char *switch_word(int code, unsigned value)
{
    return code != NVML_SUCCESS ? "unknown" : value != 0 ? "on" : "off";
}

// -1 stands for what the device does not count or does not tell: unknown is not 0.
static json_t *describe(const nvml_api *api, const nc_device_info *info)
{
    char driver[80] = "";
    nvml_handle device = NULL;
    unsigned ecc = 0, partitioned = 0, pending = 0, clients = 0;
    unsigned long long errors = 0;
    nvml_rates rates = {0, 0};
    if (api->nvmlSystemGetDriverVersion(driver, sizeof driver) != NVML_SUCCESS) {
        driver[0] = '\0';
    }
    bool listed = api->nvmlDeviceGetHandleByUUID(info->uuid, &device) == NVML_SUCCESS;
    int ecc_code = listed ? api->nvmlDeviceGetEccMode(device, &ecc, &pending) : -1;
    int mig_code = listed ? api->nvmlDeviceGetMigMode(device, &partitioned, &pending) : -1;
    bool counts = listed && api->nvmlDeviceGetTotalEccErrors(device, NVML_UNCORRECTED, NVML_VOLATILE, &errors) == NVML_SUCCESS;
    int client_code = listed ? api->nvmlDeviceGetComputeRunningProcesses_v3(device, &clients, NULL) : -1;
    bool busy = listed && api->nvmlDeviceGetUtilizationRates(device, &rates) == NVML_SUCCESS;
    return json_pack("{s:s, s:b, s:s, s:s, s:I, s:I, s:I}", "driver", driver, "listed", listed ? 1 : 0, "ecc",
                     switch_word(ecc_code, ecc), "partitions", switch_word(mig_code, partitioned), "uncorrected_errors",
                     counts ? (json_int_t)errors : -1, "clients",
                     client_code == NVML_SUCCESS || client_code == NVML_INSUFFICIENT_SIZE ? (json_int_t)clients : -1,
                     "busy_percent", busy ? (json_int_t)rates.gpu : -1);
}

json_t *cupel_management_json(const nc_device_info *info)
{
    nvml_api api;
    json_t *object = NULL;
    if (strncmp(info->uuid, "GPU-", 4) != 0 && strncmp(info->uuid, "MIG-", 4) != 0) {
        return json_null();
    }
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        return json_null();
    }
    if (cupel_library_functions(library, functions, sizeof functions / sizeof functions[0], &api) &&
        api.nvmlInit_v2() == NVML_SUCCESS) {
        object = describe(&api, info);
        (void)api.nvmlShutdown();
    }
    (void)dlclose(library);
    return object != NULL ? object : json_null();
}
