// SPDX-License-Identifier: Apache-2.0
// Programs: one for each module and precision, built on first use from the embedded text.
#include "../../src/core/program_text.h"
#include "opencl.h"

#include <stdio.h>
#include <stdlib.h>

#define LOG_MAX 3000u // bytes of a build log that a message carries

#define OPENCL_PROGRAM(name) extern const nc_program_text name;
#include "opencl_programs.def"

static const nc_program_text *const texts[OPENCL_PROGRAM_COUNT] = {
#define OPENCL_PROGRAM(name) [OPENCL_PROGRAM_##name] = &name,
#include "opencl_programs.def"
};

// The failure of a build, with the compiler's log. A log that is cut says so.
static nc_status build_failure(const be_device *device, const char *options, cl_int code, cl_program program, const char *name)
{
    const opencl_api *api = device->api;
    size_t size = 0;
    char *log = NULL;
    nc_status status = NC_DEVICE_ERROR;
    if (api->clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) == CL_SUCCESS && size > 0) {
        log = calloc(1, size + 1);
        if (log != NULL && api->clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, size, log, NULL) != CL_SUCCESS) {
            log[0] = '\0';
        }
    }
    int cut = size > LOG_MAX;
    status = be_fail_cause(NC_DEVICE_ERROR, "program-build-failed", "program %s does not build with %s: %s (%d)\n%.*s%s", name,
                           options, opencl_error_name(code), (int)code, (int)LOG_MAX,
                           log != NULL && log[0] != '\0' ? log : "(no build log)", cut ? "\n[build log cut]" : "");
    free(log);
    return status;
}

nc_status opencl_program_build(const be_device *device, const char *options, const char *name, const char *text, size_t size,
                               cl_program *program)
{
    const opencl_api *api = device->api;
    cl_int code = CL_SUCCESS;
    cl_program made = api->clCreateProgramWithSource(device->context, 1, &text, &size, &code);
    if (code != CL_SUCCESS) {
        return opencl_fail(code, "clCreateProgramWithSource", name);
    }
    code = api->clBuildProgram(made, 1, &device->id, options, NULL, NULL);
    if (code != CL_SUCCESS) {
        nc_status status = build_failure(device, options, code, made, name);
        (void)api->clReleaseProgram(made);
        return status;
    }
    *program = made;
    return NC_OK;
}

static const char *options_of(const be_device *device, opencl_program_number number)
{
    static const unsigned char is_solver[OPENCL_PROGRAM_COUNT] = {[OPENCL_PROGRAM_nc_program_solver_f32] = 1,
                                                                  [OPENCL_PROGRAM_nc_program_solver_f64] = 1,
                                                                  [OPENCL_PROGRAM_nc_program_near_f32] = 1,
                                                                  [OPENCL_PROGRAM_nc_program_near_f64] = 1};
    return is_solver[number] ? device->solver_options : device->build_options;
}

nc_status opencl_program_get(be_device *device, opencl_program_number number, cl_program *program)
{
    if (device->programs[number] == NULL) {
        const nc_program_text *text = texts[number];
        nc_status status = opencl_program_build(device, options_of(device, number), text->name, (const char *)text->text,
                                                text->size, &device->programs[number]);
        if (status != NC_OK) {
            return status;
        }
        ++device->counters.programs_built;
    }
    *program = device->programs[number];
    return NC_OK;
}
