// SPDX-License-Identifier: Apache-2.0
// How a group reads its share of one operand: GEMM_DEPTH values of k for each of the tile's rows of A, or columns of B. Both are
// "outer" here. Body: include once per real type.

// A lane reads the elements (outer + i*outer_step, k + i*k_step). Neighbouring lanes read along the axis that is contiguous in
// memory, and one of the steps is 0. `inside`: the whole tile lies within the operand.
#ifndef GEMM_PANEL
#define GEMM_PANEL
typedef struct gemm_panel {
    nc_i64 offset, outer_stride, k_stride;
    nc_i64 first, count; // of the outer axis: the tile's first index, the operand's extent
    nc_u32 outer, k, outer_step, k_step;
    nc_i32 inside;
} gemm_panel;

NC_FN gemm_panel gemm_panel_begin(nc_i64 offset, nc_i64 outer_stride, nc_i64 k_stride, nc_i64 first, nc_i64 count, nc_u32 width,
                                  nc_u32 lane)
{
    gemm_panel panel;
    nc_i32 along_k = k_stride == 1;
    panel.offset = offset;
    panel.outer_stride = outer_stride;
    panel.k_stride = k_stride;
    panel.first = first;
    panel.count = count;
    panel.outer = along_k ? lane / GEMM_DEPTH : lane % width;
    panel.k = along_k ? lane % GEMM_DEPTH : lane / width;
    panel.outer_step = along_k ? NC_GROUP_LANES / GEMM_DEPTH : 0u;
    panel.k_step = along_k ? 0u : NC_GROUP_LANES / width;
    panel.inside = first + (nc_i64)width <= count;
    return panel;
}
#endif

// Reads `loads` elements of the step that begins at `from_k`. Past the end of k stands the padding; past the outer end the last
// element is read again.
NC_FN void NC_N(gemm_panel_read)(NC_GLOBAL const NC_REAL *x, gemm_panel panel, nc_i64 from_k, nc_i64 k_count, NC_REAL padding,
                                 nc_u32 loads, NC_PRIVATE NC_REAL *next)
{
    if (panel.inside && from_k + (nc_i64)GEMM_DEPTH <= k_count) {
        nc_i64 step = (nc_i64)panel.outer_step * panel.outer_stride + (nc_i64)panel.k_step * panel.k_stride;
        NC_GLOBAL const NC_REAL *from = x + (panel.offset + (panel.first + (nc_i64)panel.outer) * panel.outer_stride +
                                             (from_k + (nc_i64)panel.k) * panel.k_stride);
        NC_UNROLL
        for (nc_u32 load = 0; load < loads; ++load) {
            next[load] = from[(nc_i64)load * step];
        }
    } else {
        NC_UNROLL
        for (nc_u32 load = 0; load < loads; ++load) {
            nc_i64 outer = panel.first + (nc_i64)(panel.outer + load * panel.outer_step);
            nc_i64 k = from_k + (nc_i64)(panel.k + load * panel.k_step);
            outer = outer < panel.count ? outer : panel.count - 1;
            next[load] = k < k_count ? x[panel.offset + outer * panel.outer_stride + k * panel.k_stride] : padding;
        }
    }
}

// Puts them into a buffer in local memory, k-major.
NC_FN void NC_N(gemm_panel_write)(NC_LOCAL NC_REAL *buffer, gemm_panel panel, nc_u32 pitch, nc_u32 loads,
                                  NC_PRIVATE const NC_REAL *next)
{
    NC_UNROLL
    for (nc_u32 load = 0; load < loads; ++load) {
        buffer[(panel.k + load * panel.k_step) * pitch + panel.outer + load * panel.outer_step] = next[load];
    }
}
