// SPDX-License-Identifier: Apache-2.0
// Strided copy and fill. They move bits as integers, so NaN payloads survive.
#ifndef NC_KERNELS_ARRAY_PLAIN_H
#define NC_KERNELS_ARRAY_PLAIN_H

#include "../dialect/dialect.h"

#define NC_ARRAY_COPY(bits)                                                                                                        \
    NC_KERNEL5(array_copy_##bits, NC_GLOBAL const nc_##bits *, source, nc_layout, source_layout, NC_GLOBAL nc_##bits *,            \
               destination, nc_layout, destination_layout, nc_u64, count)                                                          \
    {                                                                                                                              \
        nc_i32 lines = nc_layout_is_line(source_layout) && nc_layout_is_line(destination_layout);                                  \
        NC_FOR_ITEMS(i, count)                                                                                                     \
        {                                                                                                                          \
            destination[nc_layout_place(destination_layout, lines, i)] = source[nc_layout_place(source_layout, lines, i)];         \
        }                                                                                                                          \
    }
NC_ARRAY_COPY(u8)
NC_ARRAY_COPY(u32)
NC_ARRAY_COPY(u64)

#define NC_ARRAY_FILL(bits)                                                                                                        \
    NC_KERNEL4(array_fill_##bits, NC_GLOBAL nc_##bits *, destination, nc_layout, destination_layout, nc_##bits, element, nc_u64,   \
               count)                                                                                                              \
    {                                                                                                                              \
        nc_i32 line = nc_layout_is_line(destination_layout);                                                                       \
        NC_FOR_ITEMS(i, count)                                                                                                     \
        {                                                                                                                          \
            destination[nc_layout_place(destination_layout, line, i)] = element;                                                   \
        }                                                                                                                          \
    }
NC_ARRAY_FILL(u8)
NC_ARRAY_FILL(u32)
NC_ARRAY_FILL(u64)

#endif
