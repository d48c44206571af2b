// SPDX-License-Identifier: Apache-2.0
// Compiles every program of the core as OpenCL C 1.2 on every device found. A warning is an error.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "program_text.h"

#include <stdio.h>

#define PROGRAM(symbol) extern const nc_program_text symbol;
#include "core_programs.def"
#undef PROGRAM

static const nc_program_text *const programs[] = {
#define PROGRAM(symbol) &symbol,
#include "core_programs.def"
#undef PROGRAM
};

#define PROGRAM_COUNT (sizeof programs / sizeof programs[0])
#define PLATFORMS_MAX 16
#define DEVICES_MAX 16
#define OPTIONS "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt -Werror"

// Returns the number of programs that did not build.
static int build(cl_device_id device, const char *device_name, const nc_program_text *program_text)
{
    static char log[65536];
    cl_int error = CL_SUCCESS;
    const char *text = (const char *)program_text->text;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    if (error != CL_SUCCESS) {
        fprintf(stderr, "%s: clCreateContext: error %d\n", device_name, (int)error);
        return 1;
    }
    cl_program program = clCreateProgramWithSource(context, 1, &text, &program_text->size, &error);
    if (error == CL_SUCCESS) {
        error = clBuildProgram(program, 1, &device, OPTIONS, NULL, NULL);
        log[0] = '\0';
        (void)clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        (void)clReleaseProgram(program);
    }
    if (error != CL_SUCCESS) {
        fprintf(stderr, "%s: %s does not build: error %d\n%s\n", device_name, program_text->name, (int)error, log);
    }
    (void)clReleaseContext(context);
    return error != CL_SUCCESS;
}

int main(void)
{
    cl_platform_id platforms[PLATFORMS_MAX];
    cl_uint platform_count = 0;
    int failed = 0, built = 0;
    if (clGetPlatformIDs(PLATFORMS_MAX, platforms, &platform_count) != CL_SUCCESS) {
        platform_count = 0;
    }
    for (cl_uint p = 0; p < platform_count && p < PLATFORMS_MAX; ++p) {
        cl_device_id devices[DEVICES_MAX];
        cl_uint device_count = 0;
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, DEVICES_MAX, devices, &device_count) != CL_SUCCESS) {
            continue;
        }
        for (cl_uint d = 0; d < device_count && d < DEVICES_MAX; ++d) {
            char name[256] = "";
            (void)clGetDeviceInfo(devices[d], CL_DEVICE_NAME, sizeof name, name, NULL);
            for (size_t i = 0; i < PROGRAM_COUNT; ++i) {
                failed += build(devices[d], name, programs[i]);
                ++built;
            }
        }
    }
    if (built == 0) {
        fprintf(stderr, "no OpenCL device was found; install a runtime (Debian: pocl-opencl-icd)\n");
        return 1;
    }
    printf("%d of %d programs build\n", built - failed, built);
    return failed != 0;
}
