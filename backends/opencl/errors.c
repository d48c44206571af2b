// SPDX-License-Identifier: Apache-2.0
// OpenCL status codes in words.
#include "opencl.h"

const char *opencl_error_name(cl_int code)
{
    static const struct {
        cl_int code;
        const char *name;
    } names[] = {
#define OPENCL_ERROR(name) {name, #name},
#include "errors.def"
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        if (names[i].code == code) {
            return names[i].name;
        }
    }
    return "unknown OpenCL status";
}

nc_status opencl_fail(cl_int code, const char *call, const char *context)
{
    nc_status status = NC_DEVICE_ERROR;
    if (code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY || code == CL_INVALID_BUFFER_SIZE) {
        status = NC_OUT_OF_MEMORY;
    }
    return be_fail(status, "%s: %s (%d)%s%s", call, opencl_error_name(code), (int)code, context[0] != '\0' ? ": " : "", context);
}
