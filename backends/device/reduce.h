// SPDX-License-Identifier: Apache-2.0
// Reductions in the canonical order (src/core/sum_order.h): one group folds one chunk, its lanes each a running value, then the
// binary tree over the lanes. Body: include once per real type.
//
// Group g of a reduction writes out[out_offset + g] from the elements g*NC_SUM_CHUNK ... of x (and y), `count` in all.

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

// Minimum and maximum have one answer in any order; they share the chunks of the sums, and read like them.
#define NC_REDUCE_EXTREME(name, fold, identity)                                                                                    \
    NC_GROUP_KERNEL(name)                                                                                                          \
    (NC_GLOBAL const NC_REAL *x, nc_layout x_layout, NC_GLOBAL NC_REAL *out, nc_i64 out_offset, nc_u64 count)                      \
    {                                                                                                                              \
        NC_LOCAL_ARRAY(NC_REAL, lanes, NC_GROUP_LANES);                                                                            \
        nc_u32 lane = NC_LANE_INDEX;                                                                                               \
        nc_u64 first = NC_GROUP_INDEX * NC_SUM_CHUNK;                                                                              \
        nc_u64 end = count - first < NC_SUM_CHUNK ? count : first + NC_SUM_CHUNK;                                                  \
        nc_i32 line = nc_layout_is_line(x_layout);                                                                                 \
        NC_REAL value = identity;                                                                                                  \
        if (line && end - first == NC_SUM_CHUNK) {                                                                                 \
            NC_REAL read[NC_SUM_CHUNK / NC_SUM_LANES];                                                                             \
            NC_UNROLL                                                                                                              \
            for (nc_u32 step = 0; step < NC_SUM_CHUNK / NC_SUM_LANES; ++step) {                                                    \
                read[step] = x[nc_layout_on_line(x_layout, first + lane + step * NC_SUM_LANES)];                                   \
            }                                                                                                                      \
            NC_UNROLL                                                                                                              \
            for (nc_u32 step = 0; step < NC_SUM_CHUNK / NC_SUM_LANES; ++step) {                                                    \
                value = fold(value, read[step]);                                                                                   \
            }                                                                                                                      \
            end = first;                                                                                                           \
        }                                                                                                                          \
        NC_KEEP_LOOP                                                                                                               \
        for (nc_u64 i = first + lane; i < end; i += NC_SUM_LANES) {                                                                \
            value = fold(value, x[nc_layout_place(x_layout, line, i)]);                                                            \
        }                                                                                                                          \
        lanes[lane] = value;                                                                                                       \
        NC_REDUCE_TREE(lanes, lane, NC_GROUP_LANES, fold);                                                                         \
        if (lane == 0u) {                                                                                                          \
            out[out_offset + (nc_i64)NC_GROUP_INDEX] = NC_CANON(lanes[0]);                                                         \
        }                                                                                                                          \
    }
NC_REDUCE_EXTREME(NC_N(reduce_minimum), NC_N(nc_min), NC_N(nc_inf)())
NC_REDUCE_EXTREME(NC_N(reduce_maximum), NC_N(nc_max), -NC_N(nc_inf)())
#undef NC_REDUCE_EXTREME

// `width` lanes (a power of two) fold one block of `block` elements; a group holds NC_GROUP_LANES / width blocks.
NC_GROUP_KERNEL(NC_N(block_maximum))
(NC_GLOBAL const NC_REAL *x, nc_layout x_layout, NC_GLOBAL NC_REAL *out, nc_layout out_layout, nc_u64 count, nc_u64 block,
 nc_u32 width)
{
    NC_LOCAL_ARRAY(NC_REAL, lanes, NC_GROUP_LANES);
    nc_u32 lane = NC_LANE_INDEX;
    nc_u64 index = NC_GROUP_INDEX * (NC_GROUP_LANES / width) + lane / width;
    nc_u64 blocks = count / block + (count % block != 0u);
    nc_i32 line = nc_layout_is_line(x_layout);
    NC_REAL value = -NC_N(nc_inf)();
    if (index < blocks) {
        nc_u64 first = index * block;
        nc_u64 end = count - first < block ? count : first + block;
        NC_KEEP_LOOP
        for (nc_u64 i = first + lane % width; i < end; i += width) {
            value = NC_N(nc_max)(value, x[nc_layout_place(x_layout, line, i)]);
        }
    }
    lanes[lane] = value;
    NC_REDUCE_TREE(lanes, lane, width, NC_N(nc_max));
    if (index < blocks && lane % width == 0u) {
        out[nc_layout_at(out_layout, index)] = NC_CANON(lanes[lane]);
    }
}

#undef NC_REDUCE_TREE
