// SPDX-License-Identifier: Apache-2.0
// Reductions in the canonical order (src/core/sum_order.h): one group folds one chunk, its lanes each a running value, then the
// binary tree over the lanes. Body: include once per real type.
//
// Group g of a reduction writes out[out_offset + g] from the elements g*NC_SUM_CHUNK ... of x (and y), `count` in all.
#include "reduce_shape.h"

// The lanes' values fold into lanes[0]. Every lane of the group must come here.
#define NC_REDUCE_TREE(lanes, lane, width, fold)                                                                                   \
    for (nc_u32 reach = (width) / 2u; reach > 0u; reach /= 2u) {                                                                   \
        NC_BARRIER();                                                                                                              \
        if ((lane) % (width) < reach) {                                                                                            \
            lanes[lane] = fold(lanes[lane], lanes[(lane) + reach]);                                                                \
        }                                                                                                                          \
    }

NC_FN NC_REAL NC_N(reduce_add)(NC_REAL a, NC_REAL b)
{
    return a + b;
}

// A lane's running value over its elements `lane`, `lane` + NC_SUM_LANES, ... of the chunk that begins at `first`. A full chunk on
// a line is read before it is added, so that all loads are in flight at once; the order of the additions is the same.
NC_FN NC_REAL NC_N(reduce_lane_sum)(NC_GLOBAL const NC_REAL *x, nc_layout x_layout, nc_u64 first, nc_u32 lane, nc_u64 count)
{
    NC_REAL sum = NC_C(-0.0);
    nc_u64 end = count - first < NC_SUM_CHUNK ? count : first + NC_SUM_CHUNK;
    if (end - first == NC_SUM_CHUNK && nc_layout_is_line(x_layout)) {
        NC_REAL value[NC_SUM_CHUNK / NC_SUM_LANES];
        NC_UNROLL
        for (nc_u32 step = 0; step < NC_SUM_CHUNK / NC_SUM_LANES; ++step) {
            value[step] = x[nc_layout_on_line(x_layout, first + lane + step * NC_SUM_LANES)];
        }
        NC_UNROLL
        for (nc_u32 step = 0; step < NC_SUM_CHUNK / NC_SUM_LANES; ++step) {
            sum = sum + value[step];
        }
        return sum;
    }
    NC_KEEP_LOOP
    for (nc_u64 i = first + lane; i < end; i += NC_SUM_LANES) {
        sum = sum + x[nc_layout_at(x_layout, i)];
    }
    return sum;
}

// The same for the chain of products of a dot product.
NC_FN NC_REAL NC_N(reduce_lane_dot)(NC_GLOBAL const NC_REAL *x, nc_layout x_layout, NC_GLOBAL const NC_REAL *y, nc_layout y_layout,
                                    nc_u64 first, nc_u32 lane, nc_u64 count)
{
    NC_REAL sum = NC_C(0.0);
    nc_u64 end = count - first < NC_SUM_CHUNK ? count : first + NC_SUM_CHUNK;
    if (end - first == NC_SUM_CHUNK && nc_layout_is_line(x_layout) && nc_layout_is_line(y_layout)) {
        NC_REAL x_value[NC_SUM_CHUNK / NC_SUM_LANES];
        NC_REAL y_value[NC_SUM_CHUNK / NC_SUM_LANES];
        NC_UNROLL
        for (nc_u32 step = 0; step < NC_SUM_CHUNK / NC_SUM_LANES; ++step) {
            x_value[step] = x[nc_layout_on_line(x_layout, first + lane + step * NC_SUM_LANES)];
            y_value[step] = y[nc_layout_on_line(y_layout, first + lane + step * NC_SUM_LANES)];
        }
        NC_UNROLL
        for (nc_u32 step = 0; step < NC_SUM_CHUNK / NC_SUM_LANES; ++step) {
            sum = NC_FMA(x_value[step], y_value[step], sum);
        }
        return sum;
    }
    NC_KEEP_LOOP
    for (nc_u64 i = first + lane; i < end; i += NC_SUM_LANES) {
        sum = NC_FMA(x[nc_layout_at(x_layout, i)], y[nc_layout_at(y_layout, i)], sum);
    }
    return sum;
}

NC_GROUP_KERNEL(NC_N(reduce_sum))
(NC_GLOBAL const NC_REAL *x, nc_layout x_layout, NC_GLOBAL NC_REAL *out, nc_i64 out_offset, nc_u64 count)
{
    NC_LOCAL_ARRAY(NC_REAL, lanes, NC_GROUP_LANES);
    nc_u32 lane = NC_LANE_INDEX;
    lanes[lane] = NC_N(reduce_lane_sum)(x, x_layout, NC_GROUP_INDEX * NC_SUM_CHUNK, lane, count);
    NC_REDUCE_TREE(lanes, lane, NC_SUM_LANES, NC_N(reduce_add));
    if (lane == 0u) {
        out[out_offset + (nc_i64)NC_GROUP_INDEX] = NC_CANON(lanes[0]);
    }
}

NC_GROUP_KERNEL(NC_N(reduce_dot))
(NC_GLOBAL const NC_REAL *x, nc_layout x_layout, NC_GLOBAL const NC_REAL *y, nc_layout y_layout, NC_GLOBAL NC_REAL *out,
 nc_i64 out_offset, nc_u64 count)
{
    NC_LOCAL_ARRAY(NC_REAL, lanes, NC_GROUP_LANES);
    nc_u32 lane = NC_LANE_INDEX;
    lanes[lane] = NC_N(reduce_lane_dot)(x, x_layout, y, y_layout, NC_GROUP_INDEX * NC_SUM_CHUNK, lane, count);
    NC_REDUCE_TREE(lanes, lane, NC_SUM_LANES, NC_N(reduce_add));
    if (lane == 0u) {
        out[out_offset + (nc_i64)NC_GROUP_INDEX] = NC_CANON(lanes[0]);
    }
}

// Several sums over `count` contiguous elements each: group s*chunks + c writes out[s*chunks + c] from chunk c of sum s.
NC_GROUP_KERNEL(NC_N(reduce_sums))
(NC_GLOBAL const NC_REAL *x, nc_i64 x_offset, nc_u64 count, nc_u64 chunks, NC_GLOBAL NC_REAL *out, nc_i64 out_offset)
{
    NC_LOCAL_ARRAY(NC_REAL, lanes, NC_GROUP_LANES);
    nc_u32 lane = NC_LANE_INDEX;
    nc_u64 first = NC_GROUP_INDEX % chunks * NC_SUM_CHUNK;
    nc_u64 end = count - first < NC_SUM_CHUNK ? count : first + NC_SUM_CHUNK;
    NC_GLOBAL const NC_REAL *terms = x + x_offset + (nc_i64)(NC_GROUP_INDEX / chunks * count);
    NC_REAL sum = NC_C(-0.0);
    for (nc_u64 i = first + lane; i < end; i += NC_SUM_LANES) {
        sum = sum + terms[i];
    }
    lanes[lane] = sum;
    NC_REDUCE_TREE(lanes, lane, NC_SUM_LANES, NC_N(reduce_add));
    if (lane == 0u) {
        out[out_offset + (nc_i64)NC_GROUP_INDEX] = NC_CANON(lanes[0]);
    }
}

// The tree of row_order.h over `count` lanes of `entries` values each, lane after lane: a group takes NC_FOLD_ENTRIES entries.
// Lanes that do not exist are the -0 that changes nothing.
NC_GROUP_KERNEL(NC_N(fold_rows))
(NC_GLOBAL const NC_REAL *x, nc_u64 entries, nc_u64 count, NC_GLOBAL NC_REAL *out, nc_u64 out_offset)
{
    NC_LOCAL_ARRAY(NC_REAL, values, NC_ROW_LANES * NC_FOLD_ENTRIES);
    nc_u32 lane = NC_LANE_INDEX, column = lane % NC_FOLD_ENTRIES;
    nc_u64 entry = NC_GROUP_INDEX * NC_FOLD_ENTRIES + column;
    for (nc_u32 row = lane / NC_FOLD_ENTRIES; row < NC_ROW_LANES; row += NC_GROUP_LANES / NC_FOLD_ENTRIES) {
        values[row * NC_FOLD_ENTRIES + column] = row < count && entry < entries ? x[row * entries + entry] : NC_C(-0.0);
    }
    for (nc_u32 reach = NC_ROW_LANES / 2u; reach > 0u; reach /= 2u) {
        NC_BARRIER();
        for (nc_u32 row = lane / NC_FOLD_ENTRIES; row < reach; row += NC_GROUP_LANES / NC_FOLD_ENTRIES) {
            nc_u32 place = row * NC_FOLD_ENTRIES + column;
            values[place] = values[place] + values[place + reach * NC_FOLD_ENTRIES];
        }
    }
    if (lane < NC_FOLD_ENTRIES && entry < entries) { // these lanes made row 0 themselves
        out[out_offset + entry] = NC_CANON(values[column]);
    }
}

// Minimum and maximum have one answer in any order; they share the chunks of the sums. They fold integers: a value's order key, or
// its complement for the minimum (`flip` all ones), and for any NaN the largest integer, which is no value's.
NC_FN NC_BITS NC_N(extreme_key)(NC_REAL value, NC_BITS flip)
{
    return NC_N(nc_is_nan)(value) ? (NC_BITS) ~(NC_BITS)0u : (NC_BITS)(NC_N(nc_order_key)(value) ^ flip);
}
NC_FN NC_REAL NC_N(extreme_value)(NC_BITS key, NC_BITS flip)
{
    NC_BITS order = key ^ flip;
    NC_BITS bits = (order & (NC_BITS)NC_SIGN_BIT) ? (NC_BITS)(order ^ (NC_BITS)NC_SIGN_BIT) : (NC_BITS)~order;
    return key == (NC_BITS) ~(NC_BITS)0u ? NC_N(nc_nan)() : NC_OF_BITS(bits);
}
NC_FN NC_BITS NC_N(extreme_fold)(NC_BITS a, NC_BITS b)
{
    return a > b ? a : b;
}

#define NC_EXTREME_READS (NC_SUM_CHUNK / NC_SUM_LANES) // in flight at once: all of a lane's share of a chunk
// The largest key of elements first + lane, first + lane + width, ... below `end`; 0, which is below every value's, for none.
NC_FN NC_BITS NC_N(extreme_lane)(NC_GLOBAL const NC_REAL *x, nc_layout x_layout, nc_u64 first, nc_u64 end, nc_u32 width,
                                 NC_BITS flip)
{
    NC_BITS best = 0u;
    nc_i32 line = nc_layout_is_line(x_layout);
    nc_u64 i = first;
    for (; line && i + (NC_EXTREME_READS - 1u) * width < end; i += NC_EXTREME_READS * width) {
        NC_REAL value[NC_EXTREME_READS];
        NC_UNROLL
        for (nc_u32 step = 0; step < NC_EXTREME_READS; ++step) {
            value[step] = x[nc_layout_on_line(x_layout, i + step * width)];
        }
        NC_UNROLL
        for (nc_u32 step = 0; step < NC_EXTREME_READS; ++step) {
            best = NC_N(extreme_fold)(best, NC_N(extreme_key)(value[step], flip));
        }
    }
    NC_KEEP_LOOP
    for (; i < end; i += width) {
        best = NC_N(extreme_fold)(best, NC_N(extreme_key)(x[nc_layout_place(x_layout, line, i)], flip));
    }
    return best;
}

#define NC_REDUCE_EXTREME(name, flip)                                                                                              \
    NC_GROUP_KERNEL(name)                                                                                                          \
    (NC_GLOBAL const NC_REAL *x, nc_layout x_layout, NC_GLOBAL NC_REAL *out, nc_i64 out_offset, nc_u64 count)                      \
    {                                                                                                                              \
        NC_LOCAL_ARRAY(NC_BITS, lanes, NC_GROUP_LANES);                                                                            \
        nc_u32 lane = NC_LANE_INDEX;                                                                                               \
        nc_u64 first = NC_GROUP_INDEX * NC_SUM_CHUNK;                                                                              \
        nc_u64 end = count - first < NC_SUM_CHUNK ? count : first + NC_SUM_CHUNK;                                                  \
        lanes[lane] = NC_N(extreme_lane)(x, x_layout, first + lane, end, NC_GROUP_LANES, flip);                                    \
        NC_REDUCE_TREE(lanes, lane, NC_GROUP_LANES, NC_N(extreme_fold));                                                           \
        if (lane == 0u) {                                                                                                          \
            out[out_offset + (nc_i64)NC_GROUP_INDEX] = NC_N(extreme_value)(lanes[0], flip);                                        \
        }                                                                                                                          \
    }
NC_REDUCE_EXTREME(NC_N(reduce_minimum), (NC_BITS) ~(NC_BITS)0u)
NC_REDUCE_EXTREME(NC_N(reduce_maximum), (NC_BITS)0u)
#undef NC_REDUCE_EXTREME

// `width` lanes (a power of two) fold one block of `block` elements; a group holds NC_GROUP_LANES / width blocks.
NC_GROUP_KERNEL(NC_N(block_maximum))
(NC_GLOBAL const NC_REAL *x, nc_layout x_layout, NC_GLOBAL NC_REAL *out, nc_layout out_layout, nc_u64 count, nc_u64 block,
 nc_u32 width)
{
    NC_LOCAL_ARRAY(NC_BITS, lanes, NC_GROUP_LANES);
    nc_u32 lane = NC_LANE_INDEX;
    nc_u64 index = NC_GROUP_INDEX * (NC_GROUP_LANES / width) + lane / width;
    nc_u64 blocks = count / block + (count % block != 0u);
    nc_u64 first = index * block;
    nc_u64 end = index < blocks && count - first > block ? first + block : count;
    lanes[lane] = index < blocks ? NC_N(extreme_lane)(x, x_layout, first + lane % width, end, width, (NC_BITS)0u) : (NC_BITS)0u;
    NC_REDUCE_TREE(lanes, lane, width, NC_N(extreme_fold));
    if (index < blocks && lane % width == 0u) {
        out[nc_layout_at(out_layout, index)] = NC_N(extreme_value)(lanes[lane], (NC_BITS)0u);
    }
}

#undef NC_REDUCE_TREE
