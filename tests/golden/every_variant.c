// SPDX-License-Identifier: Apache-2.0
// every_variant GOLDEN_FOLDER: each row of each corpus, answered with every instruction set of this processor, against the
// committed bytes. compilers.sh builds it together with the core in several ways.
#include "answers/answers.h"
#include "cpu.h"
#include "host/host.h"

#include <stdio.h>

typedef struct totals {
    size_t operations, values, differing;
    int failed;
} totals;

static void compare_operation(nc_device *device, const char *folder, const golden_operation *operation, golden_dtype dtype,
                              totals *t)
{
    golden_comparison comparison = {0};
    golden_error error = {{0}};
    golden_status status = golden_compare(device, folder, operation->title, dtype, &comparison, &error);
    if (status != GOLDEN_OK) {
        printf("%s: %s %s: %s %s\n", device->backend->variant->name, operation->title, golden_dtype_name(dtype), comparison.first,
               error.text);
        t->failed = 1;
    }
    ++t->operations;
    t->values += comparison.values;
    t->differing += comparison.differing;
}

int main(int argc, char **argv)
{
    const cpu_variant *variants[CPU_VARIANTS_MAX];
    nc_device *device = NULL;
    int failed = 0;
    if (argc != 2) {
        fprintf(stderr, "usage: every_variant GOLDEN_FOLDER\n");
        return 64;
    }
    if (nc_device_open("0", &device) != NC_OK) {
        fprintf(stderr, "every_variant: %s\n", nc_last_error());
        return 1;
    }
    for (int32_t v = 0, count = cpu_variants(variants); v < count; ++v) {
        totals t = {0};
        device->backend->variant = variants[v];
        for (size_t i = 0; i < golden_operation_count(); ++i) {
            const golden_operation *operation = golden_operation_at(i);
            for (int dtype = GOLDEN_F32; dtype <= GOLDEN_I32; ++dtype) {
                if (operation->dtypes & 1u << dtype) {
                    compare_operation(device, argv[1], operation, (golden_dtype)dtype, &t);
                }
            }
        }
        printf("%s, compiler %s: %zu operations, %zu values, %zu differing\n", variants[v]->name, __VERSION__, t.operations,
               t.values, t.differing);
        failed |= t.failed || t.operations == 0 || t.values == 0;
    }
    return nc_device_close(device) != NC_OK || failed;
}
