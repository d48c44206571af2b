// SPDX-License-Identifier: Apache-2.0
// out = fma(alpha, x, y), element by element. Body: include once per real type.

NC_KERNEL8(NC_N(axpy), NC_REAL, alpha, NC_GLOBAL const NC_REAL *, x, nc_layout, x_layout, NC_GLOBAL const NC_REAL *, y, nc_layout,
           y_layout, NC_GLOBAL NC_REAL *, out, nc_layout, out_layout, nc_u64, count)
{
    nc_i32 lines = nc_layout_is_line(x_layout) && nc_layout_is_line(y_layout) && nc_layout_is_line(out_layout);
    NC_FOR_ITEMS(i, count)
    {
        NC_REAL value = NC_FMA(alpha, x[nc_layout_place(x_layout, lines, i)], y[nc_layout_place(y_layout, lines, i)]);
        out[nc_layout_place(out_layout, lines, i)] = NC_CANON(value);
    }
}
