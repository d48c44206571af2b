// SPDX-License-Identifier: Apache-2.0
// The core dialect: one body of code that C11, CUDA C++ and OpenCL C 1.2 compile to the same bytes.
//
// Bodies use only + - * / sqrt fma floor trunc rint fabs copysign, comparisons and integers. Everything that a compiler or a
// device may do differently is spelled by a macro below. docs/dialect.md lists the rules; tests/lint holds them.
#ifndef NC_DIALECT_H
#define NC_DIALECT_H

#if defined(__FAST_MATH__) || defined(__FAST_RELAXED_MATH__) || defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error "The core needs IEEE arithmetic: build it without fast-math options."
#endif

#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)
#include "dialect_opencl.h"
#elif defined(__CUDACC__)
#include "dialect_cuda.h"
#else
#include "dialect_c.h"
#endif

#define NC_CONCAT_RAW(a, b) a##b
#define NC_CONCAT(a, b) NC_CONCAT_RAW(a, b)

// Every floating literal names its type: NC_C32(0x1p-24), NC_C64(0.5), or NC_C(...) for the current real type (real_f32.h,
// real_f64.h). Literals are written with a point or an exponent and without a suffix. A decimal is rounded once, to its type.
#define NC_C32_RAW(x) x##f
#define NC_C32(x) NC_C32_RAW(x) // not NC_CONCAT: a literal may stand in a macro whose name NC_N joins
#define NC_C64(x) x

// NC_FN is a helper that a compiler may put into its callers. NC_FN_APART stays a function: a long body that many places call,
// which would make device programs huge. Pass it scalars where it is called often, and structs of more than a few words by
// NC_PRIVATE pointer: OpenCL compilers hand a struct over through memory (a solver's step took up to 1.5 times as long).
// NC_FN_LANES is the same for a helper that takes lanes' values by pointer; a GPU's compiler puts it into its callers, for only
// then do they stay in registers.

// Kernel arguments are buffers (NC_GLOBAL pointers), fixed-width scalars, or structs of fixed-width members passed by value.
// Structs keep 8-byte members first, pad explicitly, and their size is asserted on the host (NC_ASSERT_SIZE).
// A struct whose address the kernel takes is declared NC_ARGUMENT(type), or each item of CUDA would have a copy of it.

// Trajectories of an ensemble stand in tiles of NC_TILE lanes: element s of lane l of a tile's working memory is s*NC_TILE + l, on
// every backend. A C compiler walks the lanes of a tile together, in the innermost loop; on a device each lane is a work item.
//   NC_FOR_TILES(begin, home, tiles) { ... NC_FOR_LANES(lane) { ... } }
// begin is the first of the trajectories that this loop's body is for, NC_LANES of them; NC_FIRST_LANE is its lane in the tile. A
// private array of one value a lane is declared [NC_LANES].
//
// NC_WORK is a pointer to reals of a tile's working memory, NC_WORK_READ one that only reads; NC_WORK_OF_TILE is where the item's
// first lane begins, NC_PLACE an unsigned integer that counts elements, as wide as an address (what wraps where the address does
// not keeps a compiler from stepping through addresses), and NC_AT the place of a lane's element. The memory is a buffer that every
// tile of a launch has a part of. With NC_NEAR defined before this file it is memory on the chip (shared, local), a part for each
// tile of the group: a device backend compiles such kernels a second time (backends/device/near.def).
#define NC_TILE 32u
#define NC_AT(element, lane) ((NC_PLACE)(element)*NC_TILE + (lane))

// One axis list for every strided operand. Offsets and strides count elements, not bytes. Unused axes have extent 1, stride 0.
#define NC_MAX_RANK 8
typedef struct nc_layout {
    nc_i64 offset;
    nc_i64 extent[NC_MAX_RANK];
    nc_i64 stride[NC_MAX_RANK];
} nc_layout;
NC_ASSERT_SIZE(nc_layout, 136);

// Element number `index` in C (row-major) order of the logical shape -> position in the buffer. The outermost axis that the index
// reaches needs no division, so a layout of one axis costs a product. No early exit: devices keep the layout in registers.
NC_FN nc_i64 nc_layout_at(nc_layout layout, nc_u64 index)
{
    nc_i64 position = layout.offset;
    NC_UNROLL
    for (nc_i32 axis = NC_MAX_RANK - 1; axis >= 0; --axis) {
        nc_u64 extent = (nc_u64)layout.extent[axis];
        nc_u64 outer = index < extent ? 0u : index / extent;
        position += (nc_i64)(index - outer * extent) * layout.stride[axis];
        index = outer;
    }
    return position;
}

// Whether the elements lie at offset + index*stride[NC_MAX_RANK - 1].
NC_FN nc_i32 nc_layout_is_line(nc_layout layout)
{
    nc_i64 others = 1;
    NC_UNROLL
    for (nc_i32 axis = 0; axis < NC_MAX_RANK - 1; ++axis) {
        others |= layout.extent[axis];
    }
    return others == 1;
}
// Whether they lie one after the other from `offset` on.
NC_FN nc_i32 nc_layout_is_dense(nc_layout layout)
{
    return nc_layout_is_line(layout) && layout.stride[NC_MAX_RANK - 1] == 1;
}
NC_FN nc_i64 nc_layout_on_line(nc_layout layout, nc_u64 index)
{
    return layout.offset + (nc_i64)index * layout.stride[NC_MAX_RANK - 1];
}
// Either way; a kernel asks nc_layout_is_line once, before its loop.
NC_FN nc_i64 nc_layout_place(nc_layout layout, nc_i32 is_line, nc_u64 index)
{
    return is_line ? nc_layout_on_line(layout, index) : nc_layout_at(layout, index);
}

#endif
