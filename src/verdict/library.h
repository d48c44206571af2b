// SPDX-License-Identifier: Apache-2.0
// Functions of a library that is opened at run time.
#ifndef CUPEL_LIBRARY_H
#define CUPEL_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

// A function by its name, and where its pointer stands in a struct of them.
typedef struct cupel_function {
    const char *name;
    size_t offset;
} cupel_function;

// Fills the pointers of `api` from the open library. False when a function is absent, which an older library may have.
bool cupel_library_functions(void *library, const cupel_function *functions, size_t count, void *api);

#endif
