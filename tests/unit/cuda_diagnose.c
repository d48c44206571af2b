// SPDX-License-Identifier: Apache-2.0
// What the CUDA backend says when no device can be used, from made-up findings. Needs neither a driver nor a GPU.
#include "unit.h"

#include "cuda.h"

#include <string.h>

static void every_obstacle_has_its_cause_and_sentence(void **state)
{
    static const struct {
        cuda_findings findings;
        const char *cause, *words[3];
    } cases[] = {
        {{cudaErrorInsufficientDriver, 0, 13000, NULL, 0, 0, -1},
         "driver-missing",
         {"cudaErrorInsufficientDriver (35)", "no NVIDIA driver", "libcuda.so.1"}},
        {{cudaErrorInsufficientDriver, 11040, 12040, NULL, 1, 0, 0},
         "driver-too-old",
         {"runtime is CUDA 12.4", "up to CUDA 11.4", "35"}},
        {{cudaErrorUnknown, 12020, 12040, NULL, 1, 0, 18}, "driver-mismatch", {"NVML error 18", "different versions", "reboot"}},
        {{cudaErrorSystemDriverMismatch, 12020, 12040, NULL, 1, 0, 0},
         "driver-mismatch",
         {"(803)", "different versions", "reload"}},
        {{cudaErrorNoDevice, 13000, 13000, "", 1, 0, 0},
         "device-hidden",
         {"cudaErrorNoDevice (100)", "CUDA_VISIBLE_DEVICES is \"\"", "is empty and hides every device"}},
        {{cudaErrorNoDevice, 13000, 13000, "-1", 1, 0, 0},
         "device-hidden",
         {"CUDA_VISIBLE_DEVICES is \"-1\"", "negative index", "hides every device"}},
        {{cudaErrorNoDevice, 13000, 13000, "7", 1, 0, 0}, "device-hidden", {"is \"7\"", "names no device", "past the last one"}},
        {{cudaErrorNoDevice, 13000, 13000, "MIG-00000000-1111-2222-3333-444444444444", 1, 0, 0},
         "device-hidden",
         {"is \"MIG-00000000", "a UUID that no device", "unset"}},
        {{cudaErrorNoDevice, 13000, 13000, "0", 2, 2, 0}, "device-open-failed", {"2 of 2 device nodes", "cannot be opened", ""}},
        {{cudaErrorNoDevice, 13000, 13000, "", 2, 2, 0}, "device-hidden", {"is empty", "", ""}},
        {{cudaErrorNoDevice, 13000, 13000, "GPU-00000000-1111-2222-3333-444444444444", 1, 0, 0},
         "device-hidden",
         {"GPU-00000000-1111-2222-3333-444444444444", "a UUID that no device", "unset"}},
        {{cudaErrorNoDevice, 13000, 13000, NULL, 2, 2, 0}, "device-open-failed", {"2 of 2 device nodes", "cannot be opened", ""}},
        {{cudaErrorNoDevice, 13000, 13000, NULL, 0, 0, 0}, "device-none", {"cudaErrorNoDevice (100)", "0 device node(s)", ""}},
        {{cudaErrorDevicesUnavailable, 13000, 13000, NULL, 1, 0, 0},
         "device-open-failed",
         {"cudaErrorDevicesUnavailable (46)", "", ""}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char sentence[768];
        assert_string_equal(cuda_diagnose(&cases[i].findings, sentence, sizeof sentence), cases[i].cause);
        for (size_t w = 0; w < 3; ++w) {
            if (strstr(sentence, cases[i].words[w]) == NULL) {
                fail_msg("case %zu: \"%s\" does not say \"%s\"", i, sentence, cases[i].words[w]);
            }
        }
    }
}

static void a_missing_image_names_the_device_and_the_option(void **state)
{
    char sentence[512];
    (void)state;
    assert_string_equal(cuda_diagnose_image(cudaErrorNoKernelImageForDevice, 2, 7, 5, sentence, sizeof sentence),
                        "architecture-missing");
    assert_non_null(strstr(sentence, "cudaErrorNoKernelImageForDevice (209), "));
    assert_non_null(strstr(sentence, "device 2 has compute capability 7.5, this build has code for "));
    assert_non_null(strstr(sentence, "configure with -DCMAKE_CUDA_ARCHITECTURES=75"));
    assert_string_equal(cuda_diagnose_image(cudaErrorInvalidDeviceFunction, 0, 9, 0, sentence, sizeof sentence),
                        "architecture-missing");
    assert_string_equal(cuda_diagnose_image(cudaErrorMemoryAllocation, 0, 9, 0, sentence, sizeof sentence), "device-open-failed");
}

static void errors_carry_the_native_name(void **state)
{
    (void)state;
    assert_int_equal(cuda_fail(cudaErrorNoKernelImageForDevice, "cudaLaunchKernel", "kernel axpy_f32"), NC_DEVICE_ERROR);
    assert_non_null(strstr(nc_last_error(), "cudaLaunchKernel: cudaErrorNoKernelImageForDevice (209), "));
    assert_non_null(strstr(nc_last_error(), ": kernel axpy_f32"));
    assert_int_equal(cuda_fail(cudaErrorMemoryAllocation, "cudaMallocFromPoolAsync", ""), NC_OUT_OF_MEMORY);
}

// On a machine without a driver the count must say so; with one it must count. Either way it never pretends.
static void the_count_is_honest(void **state)
{
    int32_t count = -1;
    (void)state;
    if (nc_device_count(&count) == NC_OK) {
        assert_in_range(count, 1, 1024);
    } else {
        assert_string_not_equal(nc_last_cause(), "");
        assert_non_null(strstr(nc_last_error(), "cudaGetDeviceCount: cudaError"));
    }
}

// Every kernel of every table has host code; a missing one would be a launch of null.
static void every_kernel_has_an_address(void **state)
{
    (void)state;
#define NC_KERNEL_TYPED(module, name)                                                                                              \
    assert_non_null(cuda_kernel_##name##_f32);                                                                                     \
    assert_non_null(cuda_kernel_##name##_f64);
#define NC_KERNEL_PLAIN(module, name) assert_non_null(cuda_kernel_##name);
#include "../../src/core/kernels/kernels.def"
#define BE_GROUP_KERNEL(name)                                                                                                      \
    assert_non_null(cuda_kernel_##name##_f32);                                                                                     \
    assert_non_null(cuda_kernel_##name##_f64);
#include "../../backends/device/group.def"
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_obstacle_has_its_cause_and_sentence),
    cmocka_unit_test(a_missing_image_names_the_device_and_the_option),
    cmocka_unit_test(errors_carry_the_native_name),
    cmocka_unit_test(the_count_is_honest),
    cmocka_unit_test(every_kernel_has_an_address),
};

UNIT_MAIN(tests)
