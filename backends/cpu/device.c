// SPDX-License-Identifier: Apache-2.0
// The processor as a device.
#include "cpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#if defined(CPU_HAS_LEVELS)
#include <cpuid.h>
#endif

const char *be_name(void)
{
    return "cpu";
}

#if defined(CPU_HAS_LEVELS)
// The levels of the x86-64 psABI. The compiler's check covers the registers that the operating system must save; the three
// features without state are read from the processor (clang 14 knows neither the levels' names nor these features).
static int supports_v3(void)
{
    unsigned int eax, ebx, ecx, edx, extended;
    if (!__get_cpuid(0x80000001u, &eax, &ebx, &extended, &edx) || !__get_cpuid(1, &eax, &ebx, &ecx, &edx)) {
        return 0;
    }
    return (extended & bit_LZCNT) && (ecx & bit_MOVBE) && (ecx & bit_F16C) && __builtin_cpu_supports("avx2") &&
           __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}
static int supports_v4(void)
{
    return supports_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#endif

int32_t cpu_variants(const cpu_variant *variants[CPU_VARIANTS_MAX])
{
    int32_t count = 0;
    variants[count++] = &cpu_variant_base;
#if defined(CPU_HAS_LEVELS)
    if (supports_v3()) {
        variants[count++] = &cpu_variant_v3;
    }
    if (supports_v4()) {
        variants[count++] = &cpu_variant_v4;
    }
#endif
    return count;
}

static const cpu_variant *fastest_variant(void)
{
    const cpu_variant *variants[CPU_VARIANTS_MAX];
    return variants[cpu_variants(variants) - 1];
}

// The value of the first line of /proc/cpuinfo that starts with `key`.
static void processor_field(const char *key, char *value, size_t size)
{
    char line[512];
    FILE *file = fopen("/proc/cpuinfo", "r");
    value[0] = '\0';
    if (file == NULL) {
        return;
    }
    while (value[0] == '\0' && fgets(line, sizeof line, file) != NULL) {
        char *colon = strchr(line, ':');
        if (strncmp(line, key, strlen(key)) == 0 && colon != NULL && colon[1] == ' ') {
            colon[2 + strcspn(colon + 2, "\n")] = '\0';
            (void)snprintf(value, size, "%.*s", (int)size - 1, colon + 2);
        }
    }
    (void)fclose(file);
}

// A processor has no UUID: this id is a hash (FNV-1a) of what identifies its model, equal on equal machines.
static void derive_uuid(const nc_device_info *info, char *uuid, size_t size)
{
    static const char *const keys[] = {"cpu family", "model\t", "stepping"};
    char text[256];
    uint64_t hash = 0xcbf29ce484222325u;
    (void)snprintf(text, sizeof text, "%s", info->name);
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; ++k) {
        char field[32];
        processor_field(keys[k], field, sizeof field);
        size_t used = strlen(text);
        (void)snprintf(text + used, sizeof text - used, "/%s", field);
    }
    for (const char *c = text; *c != '\0'; ++c) {
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
    }
    (void)snprintf(uuid, size, "CPU-%016llx", (unsigned long long)hash);
}

nc_status be_device_count(int32_t *count)
{
    *count = 1;
    return NC_OK;
}

nc_status be_device_describe(int32_t index, nc_device_info *info)
{
    struct utsname system;
    long pages = sysconf(_SC_PHYS_PAGES), page_size = sysconf(_SC_PAGESIZE), processors = sysconf(_SC_NPROCESSORS_ONLN);
    info->index = index;
    info->type = NC_DEVICE_CPU;
    info->memory_bytes = pages > 0 && page_size > 0 ? (uint64_t)pages * (uint64_t)page_size : 0;
    info->has_f64 = 1;
    info->compute_units = processors > 0 ? (int32_t)processors : 1;
    processor_field("model name", info->name, sizeof info->name);
    processor_field("vendor_id", info->vendor, sizeof info->vendor);
    if (info->name[0] == '\0') {
        (void)snprintf(info->name, sizeof info->name, "processor");
    }
    derive_uuid(info, info->uuid, sizeof info->uuid);
    (void)snprintf(info->platform, sizeof info->platform, "cpu-reference");
    if (uname(&system) == 0) {
        (void)snprintf(info->driver, sizeof info->driver, "%.15s %.47s", system.sysname, system.release);
    }
    (void)snprintf(info->runtime, sizeof info->runtime, "C11, compiler %.48s", __VERSION__);
    (void)snprintf(info->capability, sizeof info->capability, "%s", fastest_variant()->name);
    return NC_OK;
}

nc_status be_device_open(int32_t index, be_device **device)
{
    (void)index;
    be_device *opened = calloc(1, sizeof *opened);
    if (opened == NULL) {
        return be_fail(NC_OUT_OF_MEMORY, "no host memory for the CPU device (%zu bytes)", sizeof *opened);
    }
    opened->variant = fastest_variant();
    NC_STRUCT_INIT(&opened->counters);
    *device = opened;
    return NC_OK;
}

void be_device_close(be_device *device)
{
    free(device);
}

nc_status be_device_sync(be_device *device)
{
    (void)device; // every call has finished when it returns
    return NC_OK;
}

void be_device_counters(const be_device *device, nc_device_counters *counters)
{
    *counters = device->counters;
}
