// SPDX-License-Identifier: Apache-2.0
#include "library.h"

#include <dlfcn.h>
#include <string.h>

bool cupel_library_functions(void *library, const cupel_function *functions, size_t count, void *api)
{
    for (size_t i = 0; i < count; ++i) {
        void *address = dlsym(library, functions[i].name);
        if (address == NULL) {
            return false;
        }
        memcpy((char *)api + functions[i].offset, &address, sizeof address);
    }
    return true;
}
