// SPDX-License-Identifier: Apache-2.0
// What the fuzz targets share. Each target is one reader that must take any bytes: it never crashes, never leaks, and what it says
// of them must be consistent. Linked with libFuzzer (run.sh) or with replay.c (the test suite).
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Ends the program when a property does not hold; a failing input is kept by libFuzzer.
#define FUZZ_REQUIRE(condition)                                                                                                    \
    do {                                                                                                                           \
        if (!(condition)) {                                                                                                        \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);                                         \
            abort();                                                                                                               \
        }                                                                                                                          \
    } while (0)

// Writes the bytes to a file of this process and returns its path.
static inline const char *fuzz_file(const uint8_t *data, size_t size)
{
    static char path[64];
    if (path[0] == '\0') {
        snprintf(path, sizeof path, "%s/cupel-fuzz-%ld", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (long)getpid());
    }
    FILE *out = fopen(path, "wb");
    FUZZ_REQUIRE(out != NULL && fwrite(data, 1, size, out) == size && fclose(out) == 0);
    return path;
}

#endif
