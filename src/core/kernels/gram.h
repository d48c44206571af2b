// SPDX-License-Identifier: Apache-2.0
// Chunk results of weighted Gram matrices and column sums, in float64 for both dtypes. Body: include once per real type.
#include "gram_args.h"

// partials[c, i, j] = fma chain over the rows r of chunk c of (w_r x_ri) x_rj, for i <= j; the product w_r x_ri is rounded once.
// Below the diagonal stands +0. One item for each chunk and entry.
NC_KERNEL4(NC_N(gram_partials), NC_GLOBAL const NC_REAL *, x, NC_GLOBAL const nc_f64 *, weights, nc_row_slab, slab,
           NC_GLOBAL nc_f64 *, partials)
{
    NC_FOR_ITEMS(item, (nc_u64)(slab.chunks * slab.columns * slab.columns))
    {
        nc_i64 chunk = (nc_i64)item / (slab.columns * slab.columns);
        nc_i64 i = (nc_i64)item / slab.columns % slab.columns;
        nc_i64 j = (nc_i64)item % slab.columns;
        nc_i64 begin = slab.first + chunk * NC_ROW_CHUNK;
        nc_i64 end = begin + NC_ROW_CHUNK < slab.rows ? begin + NC_ROW_CHUNK : slab.rows;
        nc_f64 sum = NC_C64(0.0);
        for (nc_i64 r = begin; r < end && i <= j; ++r) {
            nc_i64 row = slab.offset + r * slab.row_stride;
            nc_f64 weighted = weights[r] * (nc_f64)x[row + i * slab.column_stride];
            sum = NC_FMA_F64(weighted, (nc_f64)x[row + j * slab.column_stride], sum);
        }
        partials[item] = nc_canon_f64(sum);
    }
}

// partials[c, j] = sum over the rows r of chunk c of x_rj v_r in ascending order, as if in twice float64's precision and rounded
// once (Ogita, Rump, Oishi 2005, Dot2): a gradient is near zero where it matters, and its terms are not. One item for each chunk
// and column.
NC_KERNEL4(NC_N(gram_columns), NC_GLOBAL const NC_REAL *, x, NC_GLOBAL const nc_f64 *, v, nc_row_slab, slab, NC_GLOBAL nc_f64 *,
           partials)
{
    NC_FOR_ITEMS(item, (nc_u64)(slab.chunks * slab.columns))
    {
        nc_i64 chunk = (nc_i64)item / slab.columns;
        nc_i64 j = (nc_i64)item % slab.columns;
        nc_i64 begin = slab.first + chunk * NC_ROW_CHUNK;
        nc_i64 end = begin + NC_ROW_CHUNK < slab.rows ? begin + NC_ROW_CHUNK : slab.rows;
        nc_f64 sum = NC_C64(0.0);
        nc_f64 rest = NC_C64(0.0);
        for (nc_i64 r = begin; r < end; ++r) {
            nc_f64 value = (nc_f64)x[slab.offset + r * slab.row_stride + j * slab.column_stride];
            nc_f64 product = value * v[r];
            nc_f64 product_rest = NC_FMA_F64(value, v[r], -product);
            nc_f64 next = sum + product;
            nc_f64 moved = next - sum;
            rest = rest + (((sum - (next - moved)) + (product - moved)) + product_rest);
            sum = next;
        }
        sum = sum + rest;
        partials[item] = nc_canon_f64(sum);
    }
}

// out[i, j] = square[min, max], rounded once to the dtype.
NC_KERNEL4(NC_N(gram_store), NC_GLOBAL const nc_f64 *, square, NC_GLOBAL NC_REAL *, out, nc_layout, out_layout, nc_u64, columns)
{
    NC_FOR_ITEMS(item, columns * columns)
    {
        nc_u64 i = item / columns;
        nc_u64 j = item % columns;
        NC_REAL value = (NC_REAL)square[i <= j ? item : j * columns + i];
        out[nc_layout_at(out_layout, item)] = NC_CANON(value);
    }
}

// wide[i] = x[i], exactly.
NC_KERNEL4(NC_N(gram_widen), NC_GLOBAL const NC_REAL *, x, nc_layout, x_layout, NC_GLOBAL nc_f64 *, wide, nc_u64, count)
{
    NC_FOR_ITEMS(i, count)
    {
        nc_f64 value = (nc_f64)x[nc_layout_at(x_layout, i)];
        wide[i] = nc_canon_f64(value);
    }
}
