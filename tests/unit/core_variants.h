// SPDX-License-Identifier: Apache-2.0
// Tests that run every instruction set of this processor: the CPU backend's insides.
#ifndef CORE_VARIANTS_H
#define CORE_VARIANTS_H

#include "core_device.h"

#include "cpu.h"
#include "host/host.h"

// Calls `run(device)` once for each instruction set, and requires at least one.
static inline void for_each_variant(void (*run)(nc_device *device))
{
    const cpu_variant *variants[CPU_VARIANTS_MAX];
    int32_t count = cpu_variants(variants);
    assert_true(count >= 1);
    for (int32_t v = 0; v < count; ++v) {
        nc_device *device = open_cpu();
        device->backend->variant = variants[v];
        run(device);
        close_device(device);
    }
}

// Numbers of varied size and sign from an integer recurrence (Knuth's MMIX multiplier); the same on every machine.
static inline double test_number(uint64_t i)
{
    uint64_t bits = (i + 1) * 6364136223846793005u + 1442695040888963407u;
    bits ^= bits >> 29;
    bits *= 6364136223846793005u;
    double mantissa = (double)(bits >> 12) - 0x1p51;
    double scale = (double)(1u << ((bits >> 3) & 15u));
    return mantissa * 0x1p-51 * scale;
}

#endif
