// SPDX-License-Identifier: Apache-2.0
// Program text embedded at build time by cupel-embed (cmake/CupelEmbed.cmake), for backends that compile kernels at run time.
#ifndef NC_PROGRAM_TEXT_H
#define NC_PROGRAM_TEXT_H

#include <stddef.h>

// From line `text_line` (counted from 1) of the text on, lines come from files[file], line `line`.
typedef struct nc_program_place {
    unsigned text_line;
    int file;
    unsigned line;
} nc_program_place;

typedef struct nc_program_text {
    const char *name;          // "nc_program_rng_f32"
    const unsigned char *text; // not zero-terminated
    size_t size;
    const char *const *files;
    const nc_program_place *places; // ascending text_line
    int place_count;
} nc_program_text;

// One program per module and dtype, and one for its dtype-free kernels: nc_program_<module>_{plain,f32,f64}. A module without
// such kernels has none.
#define NC_PROGRAM(module, kind) nc_program_##module##_##kind

#endif
