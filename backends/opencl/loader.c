// SPDX-License-Identifier: Apache-2.0
// Opens the OpenCL loader (ICD) at run time.
#include "opencl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define LOADER_LIBRARY "libOpenCL.so.1"

static pthread_once_t loader_once = PTHREAD_ONCE_INIT;
static opencl_api loader_api;
static char loader_failure[512]; // "" when every function was found

static void loader_open(void)
{
    static const struct {
        const char *name;
        size_t offset;
    } functions[] = {
#define OPENCL_FUNCTION(name) {#name, offsetof(opencl_api, name)},
#include "api.def"
    };
    void *library = dlopen(LOADER_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        (void)snprintf(loader_failure, sizeof loader_failure, "%s", dlerror());
        return;
    }
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; ++i) {
        void *address = dlsym(library, functions[i].name);
        if (address == NULL) {
            (void)snprintf(loader_failure, sizeof loader_failure, "%s has no function %s", LOADER_LIBRARY, functions[i].name);
            return;
        }
        memcpy((char *)&loader_api + functions[i].offset, &address, sizeof address);
    }
}

nc_status opencl_load(const opencl_api **api)
{
    *api = NULL;
    if (pthread_once(&loader_once, loader_open) != 0) {
        return be_fail(NC_DEVICE_ERROR, "pthread_once failed while opening %s", LOADER_LIBRARY);
    }
    if (loader_failure[0] != '\0') {
        return be_fail_cause(NC_DEVICE_ERROR, "opencl-no-loader",
                             "the OpenCL loader cannot be used: %s. Install an ICD loader (Debian: ocl-icd-libopencl1)",
                             loader_failure);
    }
    *api = &loader_api;
    return NC_OK;
}
