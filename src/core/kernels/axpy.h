// SPDX-License-Identifier: Apache-2.0
// out = fma(alpha, x, y), element by element. Body: include once per real type.

NC_KERNEL8(NC_N(axpy), NC_REAL, alpha, NC_GLOBAL const NC_REAL *, x, nc_layout, x_layout, NC_GLOBAL const NC_REAL *, y, nc_layout,
           y_layout, NC_GLOBAL NC_REAL *, out, nc_layout, out_layout, nc_u64, count)
{
    NC_FOR_ITEMS(i, count)
    {
        NC_REAL value = NC_FMA(alpha, x[nc_layout_at(x_layout, i)], y[nc_layout_at(y_layout, i)]);
        out[nc_layout_at(out_layout, i)] = NC_CANON(value);
    }
}
