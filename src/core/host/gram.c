// SPDX-License-Identifier: Apache-2.0
// Sums over rows: walks groups and slabs of chunks in the order of row_order.h. A slab is at most one chunk for each lane, so the
// work space is two sets of lanes however many rows there are.
#include "gram.h"

#include "../kernels/gram_args.h"

typedef struct nc_row_walk {
    const nc_row_sum *sum;
    nc_status (*partials)(const nc_row_sum *sum, nc_row_slab slab, be_buffer *out);
    int64_t entries;     // of one chunk's result
    be_buffer *lanes;    // NC_ROW_LANES x entries
    be_buffer *slab;     // the same
    be_buffer *groups;   // one result for each group, where there are several
    int64_t group_count; // at least 1
} nc_row_walk;

static nc_status nc_gram_chunk_partials(const nc_row_sum *sum, nc_row_slab slab, be_buffer *out)
{
    return be_gram_partials(sum->device->backend, sum->dtype, sum->x.buffer, &slab, sum->weights, out);
}

static nc_status nc_column_chunk_partials(const nc_row_sum *sum, nc_row_slab slab, be_buffer *out)
{
    be_arg args[] = {BE_BUFFER(sum->x.buffer), BE_BUFFER(sum->weights), BE_VALUE(slab), BE_BUFFER(out)};
    return be_launch(sum->device->backend, BE_KERNEL_TYPED(gram_columns, sum->dtype), (uint64_t)(slab.chunks * slab.columns), args,
                     4);
}

nc_status nc_gram_partials_launch(be_device *device, nc_dtype dtype, be_buffer *x, const nc_row_slab *slab, be_buffer *weights,
                                  be_buffer *out)
{
    be_arg args[] = {BE_BUFFER(x), BE_BUFFER(weights), BE_VALUE(*slab), BE_BUFFER(out)};
    return be_launch(device, BE_KERNEL_TYPED(gram_partials, dtype), (uint64_t)(slab->chunks * slab->columns * slab->columns), args,
                     4);
}

// Sums the chunks first .. first + count - 1 (one group) into place `group` of `out`.
static nc_status nc_row_group(const nc_row_walk *walk, int64_t first, int64_t count, be_buffer *out, int64_t group)
{
    be_device *device = walk->sum->device->backend;
    for (int64_t done = 0; done < count; done += NC_ROW_LANES) {
        int64_t chunks = count - done < NC_ROW_LANES ? count - done : NC_ROW_LANES;
        nc_row_slab slab = {.offset = walk->sum->x.offset,
                            .row_stride = walk->sum->x.row_stride,
                            .column_stride = walk->sum->x.column_stride,
                            .rows = walk->sum->rows,
                            .columns = walk->sum->columns,
                            .first = (first + done) * NC_ROW_CHUNK,
                            .chunks = chunks};
        NC_TRY(walk->partials(walk->sum, slab, done == 0 ? walk->lanes : walk->slab));
        if (done > 0) {
            uint64_t items = (uint64_t)(chunks * walk->entries);
            be_arg args[] = {BE_BUFFER(walk->lanes), BE_BUFFER(walk->slab), BE_BUFFER(walk->lanes), BE_VALUE(items)};
            NC_TRY(be_launch(device, BE_KERNEL_add_f64, items, args, 4));
        }
    }
    return be_row_fold(device, walk->lanes, walk->entries, count < NC_ROW_LANES ? count : NC_ROW_LANES, out, group);
}

static nc_status nc_row_reserve(nc_row_walk *walk, int64_t chunks)
{
    be_device *device = walk->sum->device->backend;
    size_t bytes = (size_t)walk->entries * sizeof(double);
    size_t lanes = (size_t)(chunks < NC_ROW_LANES ? chunks : NC_ROW_LANES);
    NC_TRY(be_buffer_alloc(device, lanes * bytes, &walk->lanes));
    if (chunks > NC_ROW_LANES) {
        NC_TRY(be_buffer_alloc(device, lanes * bytes, &walk->slab));
    }
    return walk->group_count == 1 ? NC_OK : be_buffer_alloc(device, (size_t)walk->group_count * bytes, &walk->groups);
}

// The whole walk; the result is `out`'s first walk->entries values.
static nc_status nc_row_walk_run(nc_row_walk *walk, be_buffer *out)
{
    be_device *device = walk->sum->device->backend;
    int64_t chunks = (walk->sum->rows - 1) / NC_ROW_CHUNK + 1;
    walk->group_count = (chunks - 1) / NC_ROW_GROUP + 1;
    if (walk->group_count > NC_ROW_LANES) {
        return be_fail(NC_OUT_OF_RANGE, "x has %lld rows; a sum over rows takes at most %lld", (long long)walk->sum->rows,
                       (long long)NC_ROW_LANES * NC_ROW_GROUP * NC_ROW_CHUNK);
    }
    nc_status status = nc_row_reserve(walk, chunks);
    be_buffer *results = walk->group_count == 1 ? out : walk->groups;
    for (int64_t group = 0; status == NC_OK && group < walk->group_count; ++group) {
        int64_t first = group * NC_ROW_GROUP;
        status = nc_row_group(walk, first, chunks - first < NC_ROW_GROUP ? chunks - first : NC_ROW_GROUP, results, group);
    }
    if (status == NC_OK && walk->group_count > 1) {
        status = be_row_fold(device, walk->groups, walk->entries, walk->group_count, out, 0);
    }
    be_buffer *used[] = {walk->lanes, walk->slab, walk->groups};
    for (size_t i = 0; i < sizeof used / sizeof *used; ++i) {
        if (used[i] != NULL) {
            be_buffer_free(device, used[i]);
        }
    }
    return status;
}

nc_status nc_column_sums_f64(const nc_row_sum *sum, be_buffer *out)
{
    nc_row_walk walk = {.sum = sum, .partials = nc_column_chunk_partials, .entries = sum->columns};
    return nc_row_walk_run(&walk, out);
}

nc_status nc_gram_f64(const nc_row_sum *sum, be_buffer *out)
{
    nc_row_walk walk = {.sum = sum, .partials = nc_gram_chunk_partials, .entries = sum->columns * sum->columns};
    uint64_t columns = (uint64_t)sum->columns;
    be_arg args[] = {BE_BUFFER(out), BE_VALUE(columns)};
    NC_TRY(nc_row_walk_run(&walk, out));
    return be_launch(sum->device->backend, BE_KERNEL_gram_mirror, columns * columns, args, 2);
}
