// SPDX-License-Identifier: Apache-2.0
#include "attempt_device.h"

#include <stdio.h>
#include <string.h>

// A backend cuts texts that are longer than its records (src/core/nc_device.h): the shortest of those holds so many letters.
enum { CUT_LETTERS = 60 };

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text != NULL ? text : "";
}

// True when `kept` is `whole` without leading blanks, or its beginning where it was cut.
static bool text_is(const char *whole, const char *kept)
{
    const size_t length = strlen(kept);
    whole += strspn(whole, " ");
    return strcmp(whole, kept) == 0 || (length >= CUT_LETTERS && strncmp(whole, kept, length) == 0);
}

static evidence_device_match differs(char message[EVIDENCE_MESSAGE], const char *what, const char *machine, const char *run)
{
    evidence_say(message, "of the device that ran it has %s \"%s\", the run \"%s\"", what, machine, run);
    return EVIDENCE_DEVICE_DIFFERS;
}

static evidence_device_match absent(char message[EVIDENCE_MESSAGE], const char *list, const json_t *device)
{
    evidence_say(message, "%s has no device like \"%s\", %s, which ran", list, text_of(device, "name"), text_of(device, "uuid"));
    return EVIDENCE_DEVICE_DIFFERS;
}

static evidence_device_match not_compared(char message[EVIDENCE_MESSAGE], const char *list, const json_t *part)
{
    const char *error = text_of(part, "error");
    evidence_say(message, "%s: %s", list, error[0] != '\0' ? error : "it is not there");
    return EVIDENCE_DEVICE_NOT_COMPARED;
}

// ---- The processor
// ----------------------------------------------------------------------------------------------------------------

static evidence_device_match processor_compare(const json_t *machine, const json_t *device, char message[EVIDENCE_MESSAGE])
{
    char kernel[256];
    const char *model = text_of(json_object_get(machine, "processor"), "model");
    const json_t *system = json_object_get(machine, "system");
    if (model[0] == '\0') {
        evidence_say(message, "the processor's model is not told");
        return EVIDENCE_DEVICE_NOT_COMPARED;
    }
    if (!text_is(model, text_of(device, "name"))) {
        return differs(message, "the model", model, text_of(device, "name"));
    }
    snprintf(kernel, sizeof kernel, "%.15s %.47s", text_of(system, "kernel"), text_of(system, "release"));
    if (json_is_object(system) && strcmp(kernel, text_of(device, "driver")) != 0) {
        return differs(message, "the kernel", kernel, text_of(device, "driver"));
    }
    evidence_say(message, "a processor has no UUID");
    return EVIDENCE_DEVICE_BY_MODEL;
}

// ---- NVIDIA's devices by NVML
// -----------------------------------------------------------------------------------------------------

// A part of a partitioned device has the whole's name and more.
static bool model_is(const char *nvml, const char *device)
{
    return nvml[0] != '\0' && (strstr(device, nvml) != NULL || strstr(nvml, device) != NULL);
}

static bool is_partitioned(const json_t *nvml, const json_t *device)
{
    bool found = strstr(text_of(device, "name"), " MIG ") != NULL;
    const json_t *one = NULL;
    size_t at = 0;
    json_array_foreach(json_object_get(nvml, "devices"), at, one)
    {
        found = found || json_integer_value(json_object_get(json_object_get(one, "partitions"), "current")) == 1;
    }
    return found;
}

// A runtime that gives no UUID leaves one that was derived, which no other program knows; CUDA always gives it.
static bool uuid_is_real(const char *backend, const json_t *device, bool listed)
{
    return listed || strcmp(backend, "cuda") == 0 || strncmp(text_of(device, "uuid"), "GPU-", 4) == 0;
}

static evidence_device_match nvml_compare(const json_t *nvml, const char *backend, const json_t *device, bool listed,
                                          char message[EVIDENCE_MESSAGE])
{
    const char *driver = text_of(nvml, "driver");
    const char *uses = text_of(device, "driver");
    bool tells_uuid = false;
    bool has_model = false;
    const json_t *one = NULL;
    size_t at = 0;
    if (json_array_size(json_object_get(nvml, "devices")) == 0) {
        return not_compared(message, "NVML", nvml);
    }
    if (driver[0] != '\0' && strncmp(uses, "CUDA ", 5) != 0 && strncmp(uses, driver, strlen(driver)) != 0) {
        return differs(message, "the driver", driver, uses);
    }
    json_array_foreach(json_object_get(nvml, "devices"), at, one)
    {
        const char *uuid = text_of(one, "uuid");
        const bool of_model = model_is(text_of(one, "name"), text_of(device, "name"));
        if (uuid[0] != '\0' && strcmp(uuid, text_of(device, "uuid")) == 0) {
            message[0] = '\0';
            return of_model ? EVIDENCE_DEVICE_BY_UUID
                            : differs(message, "the model", text_of(one, "name"), text_of(device, "name"));
        }
        tells_uuid = tells_uuid || uuid[0] != '\0';
        has_model = has_model || of_model;
    }
    if (!has_model || (tells_uuid && !is_partitioned(nvml, device) && uuid_is_real(backend, device, listed))) {
        return absent(message, "NVML", device);
    }
    evidence_say(message, "%s", tells_uuid ? "the runtime or the partition has a UUID of its own" : "NVML tells no UUID");
    return EVIDENCE_DEVICE_BY_MODEL;
}

// ---- What the runtimes' drivers list
// ------------------------------------------------------------------------------------------------

static evidence_device_match cuda_compare(const json_t *cuda, const json_t *device, char message[EVIDENCE_MESSAGE])
{
    const json_t *one = NULL;
    size_t at = 0;
    if (json_array_size(json_object_get(cuda, "devices")) == 0) {
        return not_compared(message, "the CUDA driver", cuda);
    }
    json_array_foreach(json_object_get(cuda, "devices"), at, one)
    {
        if (text_is(text_of(one, "name"), text_of(device, "name")) &&
            strcmp(text_of(one, "capability"), text_of(device, "capability")) == 0) {
            return EVIDENCE_DEVICE_BY_MODEL;
        }
    }
    return absent(message, "the CUDA driver", device);
}

static evidence_device_match opencl_compare(const json_t *opencl, const json_t *device, char message[EVIDENCE_MESSAGE])
{
    const json_t *platform = NULL;
    size_t p = 0;
    if (json_array_size(json_object_get(opencl, "platforms")) == 0) {
        return not_compared(message, "OpenCL", opencl);
    }
    json_array_foreach(json_object_get(opencl, "platforms"), p, platform)
    {
        const json_t *one = NULL;
        size_t at = 0;
        json_array_foreach(json_object_get(platform, "devices"), at, one)
        {
            if (text_is(text_of(platform, "name"), text_of(device, "platform")) &&
                text_is(text_of(one, "name"), text_of(device, "name")) &&
                text_is(text_of(one, "driver"), text_of(device, "driver")) &&
                text_is(text_of(one, "version"), text_of(device, "runtime"))) {
                evidence_say(message, "OpenCL lists no UUID");
                return EVIDENCE_DEVICE_BY_MODEL;
            }
        }
    }
    return absent(message, "OpenCL", device);
}

evidence_device_match evidence_device_compare(const json_t *machine, const char *backend, const json_t *device, bool listed,
                                              char message[EVIDENCE_MESSAGE])
{
    const json_t *devices = json_object_get(machine, "devices");
    const bool is_cuda = strcmp(backend, "cuda") == 0;
    message[0] = '\0';
    if (strcmp(backend, "cpu") == 0) {
        return processor_compare(json_object_get(machine, "machine"), device, message);
    }
    if (text_of(devices, "error")[0] != '\0') {
        return not_compared(message, "the look at the devices", devices);
    }
    const evidence_device_match by_driver = is_cuda ? cuda_compare(json_object_get(devices, "cuda"), device, message)
                                                    : opencl_compare(json_object_get(devices, "opencl"), device, message);
    const bool is_nvidia = is_cuda || strcmp(text_of(device, "platform"), "NVIDIA CUDA") == 0;
    if (by_driver == EVIDENCE_DEVICE_DIFFERS || !is_nvidia) {
        return by_driver;
    }
    const evidence_device_match by_nvml = nvml_compare(json_object_get(devices, "nvml"), backend, device, listed, message);
    return by_nvml == EVIDENCE_DEVICE_NOT_COMPARED ? by_driver : by_nvml;
}
