// SPDX-License-Identifier: Apache-2.0
// The life of a case: begin, host memory, what it used of the device, and the verdict on it when it ends.
#include "context.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct cupel_block {
    cupel_block *next;
    max_align_t memory[];
};

static uint64_t monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void read_counters(const cupel_context *context, nc_device_counters *counters)
{
    NC_STRUCT_INIT(counters);
    if (nc_device_counters_get(context->device, counters) != NC_OK) {
        fprintf(stderr, "the counters of device %d cannot be read: %s\n", context->device_info.index, nc_last_error());
        _exit(1);
    }
}

void cupel_own_work_begin(cupel_context *context, nc_device_counters *mark)
{
    read_counters(context, mark);
}

void cupel_own_work_end(cupel_context *context, const nc_device_counters *mark)
{
    nc_device_counters now;
    read_counters(context, &now);
    context->own.kernels_launched += now.kernels_launched - mark->kernels_launched;
    context->own.bytes_uploaded += now.bytes_uploaded - mark->bytes_uploaded;
    context->own.bytes_downloaded += now.bytes_downloaded - mark->bytes_downloaded;
    context->own.programs_built += now.programs_built - mark->programs_built;
}

uint64_t cupel_kernels(cupel_context *context)
{
    nc_device_counters now;
    read_counters(context, &now);
    return now.kernels_launched - context->at_start.kernels_launched - context->own.kernels_launched;
}

uint64_t cupel_bytes_uploaded(cupel_context *context)
{
    nc_device_counters now;
    read_counters(context, &now);
    return now.bytes_uploaded - context->at_start.bytes_uploaded - context->own.bytes_uploaded;
}

uint64_t cupel_bytes_downloaded(cupel_context *context)
{
    nc_device_counters now;
    read_counters(context, &now);
    return now.bytes_downloaded - context->at_start.bytes_downloaded - context->own.bytes_downloaded;
}

uint64_t cupel_programs(cupel_context *context)
{
    nc_device_counters now;
    read_counters(context, &now);
    return now.programs_built - context->at_start.programs_built - context->own.programs_built;
}

nc_device *cupel_device(const cupel_context *context)
{
    return context->device;
}

const char *cupel_case_id(const cupel_context *context)
{
    return context->current->id;
}

nc_dtype cupel_dtype(const cupel_context *context)
{
    return context->current->dtype;
}

const void *cupel_data(const cupel_context *context)
{
    return context->current->data;
}

void *cupel_alloc(cupel_context *context, size_t bytes)
{
    cupel_block *block = bytes <= SIZE_MAX - sizeof(cupel_block) - 1 ? calloc(1, sizeof(cupel_block) + bytes + 1) : NULL;
    if (block == NULL) {
        cupel_stop(context, "the host has no %zu bytes for this case", bytes);
    }
    block->next = context->blocks;
    context->blocks = block;
    return block->memory;
}

void cupel_blocks_free(cupel_context *context)
{
    while (context->blocks != NULL) {
        cupel_block *next = context->blocks->next;
        free(context->blocks);
        context->blocks = next;
    }
}

void cupel_set_real(nc_dtype dtype, void *values, size_t index, double value)
{
    if (dtype == NC_F32) {
        ((float *)values)[index] = (float)value;
    } else {
        ((double *)values)[index] = value;
    }
}

double cupel_get_real(nc_dtype dtype, const void *values, size_t index)
{
    return dtype == NC_F32 ? (double)((const float *)values)[index] : ((const double *)values)[index];
}

void *cupel_reals(cupel_context *context, nc_dtype dtype, const double *values, size_t count)
{
    void *reals = cupel_alloc(context, count * nc_dtype_size(dtype));
    for (size_t i = 0; i < count; ++i) {
        cupel_set_real(dtype, reals, i, values[i]);
    }
    return reals;
}

void cupel_end_if_forked(const cupel_context *context)
{
    if (getpid() != context->pid) {
        fprintf(stderr, "case %s went on in a forked child; the child ends here\n", context->current->id);
        if (context->forked_open && write(context->forked[1], "!", 1) != 1) {
            fprintf(stderr, "and cannot tell its parent\n");
        }
        _exit(125);
    }
}

void cupel_leave(cupel_context *context)
{
    cupel_end_if_forked(context);
    longjmp(context->stop, 1);
}

// A child cannot change what its parent has recorded, so it leaves a byte in a pipe.
static void open_pipe_to_parent(cupel_context *context)
{
    if (!context->forked_open && pipe(context->forked) == 0) {
        context->forked_open = true;
        for (int i = 0; i < 2; ++i) {
            fcntl(context->forked[i], F_SETFD, FD_CLOEXEC);
            fcntl(context->forked[i], F_SETFL, O_NONBLOCK);
        }
    }
}

static bool a_child_went_on(const cupel_context *context)
{
    char byte;
    bool some = false;
    while (context->forked_open && read(context->forked[0], &byte, 1) == 1) {
        some = true;
    }
    return some;
}

void cupel_context_begin(cupel_context *context, const cupel_case *current)
{
    open_pipe_to_parent(context);
    context->current = current;
    context->running = true;
    memset(&context->record, 0, sizeof context->record);
    memset(&context->own, 0, sizeof context->own);
    read_counters(context, &context->at_start);
    context->started_ns = monotonic_ns();
}

// An error that surfaces only now was caused by this case: charge it here, and believe no later case of this process.
static void check_device(cupel_context *context)
{
    nc_status status = nc_device_sync(context->device);
    if (status != NC_OK) {
        cupel_record_failure(context, "the device reported %s after the case: %s", nc_status_name(status), nc_last_error());
        snprintf(context->contaminated_by, sizeof context->contaminated_by, "%s", context->current->id);
    }
}

// Handles count, not bytes: a backend may keep scratch for its next call.
static void check_leaks(cupel_context *context)
{
    nc_device_counters now;
    read_counters(context, &now);
    if (now.arrays > context->at_start.arrays) {
        cupel_record_failure(context, "the case leaks %llu device array(s): release every array it creates",
                             (unsigned long long)(now.arrays - context->at_start.arrays));
    }
}

bool cupel_context_finish(cupel_context *context)
{
    cupel_end_if_forked(context);
    context->record.kernels = cupel_kernels(context);
    context->record.bytes_uploaded = cupel_bytes_uploaded(context);
    context->record.bytes_downloaded = cupel_bytes_downloaded(context);
    context->record.programs = cupel_programs(context);
    check_device(context);
    if (context->contaminated_by[0] == '\0') {
        cupel_buffers_verify(context);
    }
    cupel_buffers_release(context);
    check_device(context);
    check_leaks(context);
    cupel_blocks_free(context);
    if (a_child_went_on(context)) {
        cupel_record_failure(context, "a forked child went on in the case: what it checked is lost");
    }
    if (context->record.values == 0 && context->record.failures == 0) {
        cupel_record_failure(context, "the case compared no value");
    }
    context->record.seconds = (double)(monotonic_ns() - context->started_ns) * 1e-9;
    context->running = false;
    return context->record.failures == 0;
}
