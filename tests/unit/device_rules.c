// SPDX-License-Identifier: Apache-2.0
// Masks and partitions, judged over made-up devices.
#include "unit.h"

#include "device_rules.h"

#include <string.h>

static void masks(void **state)
{
    static const struct {
        const char *backend, *mask;
        int count;
        const char *reason;
    } cases[] = {
        {"cuda", NULL, 1, NULL},
        {"cuda", "0", 1, NULL},
        {"cuda", "1,0", 2, NULL},
        {"cuda", "0", 8, NULL}, // no such runtime, but no rule of masks either
        {"cuda", "0,9", 1, "device-count-wrong"},
        {"cuda", "MIG-aaaaaaaa-0000-0000-0000-000000000001,MIG-aaaaaaaa-0000-0000-0000-000000000002", 1, "device-count-wrong"},
        {"cuda", "GPU-1,GPU-2,GPU-3", 2, "device-count-wrong"},
        {"opencl", "0,9", 1, NULL},
        {"cpu", "0,9", 1, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char detail[400] = "";
        const char *reason = cupel_mask_judge(cases[i].backend, cases[i].mask, cases[i].count, detail, sizeof detail);
        assert_int_equal(reason == NULL, cases[i].reason == NULL);
        if (reason != NULL) {
            assert_string_equal(reason, cases[i].reason);
            assert_non_null(strstr(detail, cases[i].mask));
        }
    }
}

static void partitions(void **state)
{
    nc_device_info whole, part;
    char detail[400] = "";
    (void)state;
    NC_STRUCT_INIT(&whole);
    NC_STRUCT_INIT(&part);
    strcpy(whole.uuid, "GPU-11111111-0000-0000-0000-000000000000");
    strcpy(part.uuid, "MIG-22222222-0000-0000-0000-000000000000");
    strcpy(part.name, "NVIDIA H200 MIG 1g.18gb");
    assert_null(cupel_partition_judge(&whole, NULL, NULL, detail, sizeof detail));
    assert_string_equal(cupel_partition_judge(&part, NULL, NULL, detail, sizeof detail), "device-partitioned");
    assert_non_null(strstr(detail, "MIG 1g.18gb"));
    assert_string_equal(cupel_partition_judge(&part, "0", "0", detail, sizeof detail), "device-partitioned");
    assert_null(cupel_partition_judge(&part, part.uuid, NULL, detail, sizeof detail));
    assert_null(cupel_partition_judge(&part, "0", part.uuid, detail, sizeof detail));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(masks),
    cmocka_unit_test(partitions),
};

UNIT_MAIN(tests)
