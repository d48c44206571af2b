// SPDX-License-Identifier: Apache-2.0
// Devices that lack what the core needs, and platforms without devices, played by a made-up loader. No OpenCL device is needed.
#include "unit.h"

#include "opencl.h"

#include <string.h>

typedef struct played {
    cl_device_fp_config singles, doubles;
    cl_int singles_code, doubles_code;
    cl_uint platforms;
    cl_int devices_code;
} played;
static played device;

#define FULL (CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT)

static cl_int CL_API_CALL played_info(cl_device_id id, cl_device_info key, size_t size, void *value, size_t *written)
{
    cl_device_fp_config config = key == CL_DEVICE_SINGLE_FP_CONFIG ? device.singles : device.doubles;
    cl_int code = key == CL_DEVICE_SINGLE_FP_CONFIG ? device.singles_code : device.doubles_code;
    (void)id;
    (void)written;
    assert_true(key == CL_DEVICE_SINGLE_FP_CONFIG || key == CL_DEVICE_DOUBLE_FP_CONFIG);
    assert_int_equal(size, sizeof config);
    if (code == CL_SUCCESS) {
        memcpy(value, &config, sizeof config);
    }
    return code;
}

static cl_int CL_API_CALL played_platforms(cl_uint most, cl_platform_id *platforms, cl_uint *count)
{
    for (cl_uint p = 0; p < device.platforms && p < most; ++p) {
        platforms[p] = NULL;
    }
    *count = device.platforms;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL played_devices(cl_platform_id platform, cl_device_type type, cl_uint most, cl_device_id *devices,
                                         cl_uint *count)
{
    (void)platform;
    (void)most;
    (void)devices;
    assert_int_equal(type, CL_DEVICE_TYPE_ALL);
    *count = 0;
    return device.devices_code;
}

static const opencl_api api = {
    .clGetDeviceInfo = played_info, .clGetPlatformIDs = played_platforms, .clGetDeviceIDs = played_devices};

static void every_lack_has_its_cause_and_sentence(void **state)
{
    static const struct {
        cl_device_info key;
        cl_device_fp_config without;
        const char *cause, *words;
    } lacks[] = {
        {CL_DEVICE_DOUBLE_FP_CONFIG, FULL, "capability-fp64", "no float64 (cl_khr_fp64"}, // 0: the device has no doubles at all
        {CL_DEVICE_DOUBLE_FP_CONFIG, CL_FP_ROUND_TO_NEAREST, "capability-fp64", "no float64 (cl_khr_fp64"},
        {CL_DEVICE_DOUBLE_FP_CONFIG, CL_FP_INF_NAN, "capability-fp64", "no float64 (cl_khr_fp64"},
        {CL_DEVICE_DOUBLE_FP_CONFIG, CL_FP_FMA, "capability-fma", "no float64 fma"},
        {CL_DEVICE_DOUBLE_FP_CONFIG, CL_FP_DENORM, "capability-subnormals", "float64 subnormals are flushed"},
        {CL_DEVICE_SINGLE_FP_CONFIG, CL_FP_ROUND_TO_NEAREST, "capability-fp32", "float32 without rounding to nearest"},
        {CL_DEVICE_SINGLE_FP_CONFIG, CL_FP_INF_NAN, "capability-fp32", "or without infinities and NaN"},
        {CL_DEVICE_SINGLE_FP_CONFIG, CL_FP_DENORM, "capability-subnormals", "float32 subnormals are flushed"},
        {CL_DEVICE_SINGLE_FP_CONFIG, CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT, "capability-division",
         "float32 division and square root are not correctly rounded"},
    };
    const char *sentence = NULL;
    (void)state;
    device = (played){.singles = FULL, .doubles = FULL};
    assert_null(opencl_lacks(&api, NULL, &sentence));
    for (size_t i = 0; i < sizeof lacks / sizeof lacks[0]; ++i) {
        int single = lacks[i].key == CL_DEVICE_SINGLE_FP_CONFIG;
        device = (played){.singles = single ? FULL & ~lacks[i].without : FULL, .doubles = single ? FULL : FULL & ~lacks[i].without};
        const char *cause = opencl_lacks(&api, NULL, &sentence);
        assert_non_null(cause);
        assert_string_equal(cause, lacks[i].cause);
        assert_non_null(strstr(sentence, lacks[i].words));
    }
}

// An OpenCL 1.1 device without the extension does not know the key.
static void an_unknown_key_is_a_lack(void **state)
{
    const char *sentence = NULL;
    (void)state;
    device = (played){.singles = FULL, .doubles = FULL, .doubles_code = CL_INVALID_VALUE};
    assert_string_equal(opencl_lacks(&api, NULL, &sentence), "capability-fp64");
    device = (played){.singles = FULL, .doubles = FULL, .singles_code = CL_INVALID_VALUE};
    assert_string_equal(opencl_lacks(&api, NULL, &sentence), "capability-fp32");
}

// Platforms without devices are counted as none, whose sentence the device test writes; any other failure is an error of its own.
static void a_platform_without_devices_counts_none(void **state)
{
    opencl_place places[OPENCL_DEVICES_MAX];
    int32_t count = -1;
    (void)state;
    device = (played){.platforms = 2, .devices_code = CL_DEVICE_NOT_FOUND};
    assert_int_equal(opencl_enumerate(&api, places, &count), NC_OK);
    assert_int_equal(count, 0);
    device = (played){.platforms = 1, .devices_code = CL_OUT_OF_HOST_MEMORY};
    assert_int_not_equal(opencl_enumerate(&api, places, &count), NC_OK);
    assert_non_null(strstr(nc_last_error(), "clGetDeviceIDs: CL_OUT_OF_HOST_MEMORY (-6)"));
    device = (played){.platforms = 0};
    assert_int_not_equal(opencl_enumerate(&api, places, &count), NC_OK);
    assert_non_null(strstr(nc_last_error(), "CL_PLATFORM_NOT_FOUND_KHR (-1001)"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_lack_has_its_cause_and_sentence),
    cmocka_unit_test(an_unknown_key_is_a_lack),
    cmocka_unit_test(a_platform_without_devices_counts_none),
};

UNIT_MAIN(tests)
