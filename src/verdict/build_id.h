// SPDX-License-Identifier: Apache-2.0
#ifndef CUPEL_BUILD_ID_H
#define CUPEL_BUILD_ID_H

#include <stdbool.h>
#include <stddef.h>

// The GNU build id (ELF note) of the program at `path`, in hexadecimal. "/proc/self/exe" is this process.
bool cupel_build_id_read(const char *path, char *hex, size_t size);

#endif
