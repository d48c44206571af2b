// SPDX-License-Identifier: Apache-2.0
// out = fma(alpha, x, y), element by element. Body: include once per real type.

NC_FN NC_REAL NC_N(nc_axpy_element)(NC_REAL alpha, NC_REAL x, NC_REAL y)
{
    NC_REAL value = NC_FMA(alpha, x, y);
    return NC_CANON(value);
}

NC_KERNEL8(NC_N(axpy), NC_REAL, alpha, NC_GLOBAL const NC_REAL *, x, nc_layout, x_layout, NC_GLOBAL const NC_REAL *, y, nc_layout,
           y_layout, NC_GLOBAL NC_REAL *, out, nc_layout, out_layout, nc_u64, count)
{
    nc_i32 lines = nc_layout_is_line(x_layout) && nc_layout_is_line(y_layout) && nc_layout_is_line(out_layout);
    nc_i32 dense = nc_layout_is_dense(x_layout) && nc_layout_is_dense(y_layout) && nc_layout_is_dense(out_layout);
    nc_u64 offsets = (nc_u64)(x_layout.offset | y_layout.offset | out_layout.offset);
    nc_u64 runs = dense && offsets % NC_WIDE == 0u ? count / NC_WIDE : 0u; // taken NC_WIDE elements at a time
    NC_FOR_ITEMS(run, runs)
    {
        nc_i64 at = (nc_i64)(run * NC_WIDE);
        NC_REAL left[NC_WIDE], right[NC_WIDE];
        NC_LOAD_WIDE(left, x + (x_layout.offset + at));
        NC_LOAD_WIDE(right, y + (y_layout.offset + at));
        NC_UNROLL
        for (nc_u32 k = 0; k < NC_WIDE; ++k) {
            left[k] = NC_N(nc_axpy_element)(alpha, left[k], right[k]);
        }
        NC_STORE_WIDE(out + (out_layout.offset + at), left);
    }
    NC_FOR_ITEMS(rest, count - runs * NC_WIDE)
    {
        nc_u64 i = runs * NC_WIDE + rest;
        out[nc_layout_place(out_layout, lines, i)] =
            NC_N(nc_axpy_element)(alpha, x[nc_layout_place(x_layout, lines, i)], y[nc_layout_place(y_layout, lines, i)]);
    }
}
