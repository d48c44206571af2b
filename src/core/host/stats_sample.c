// SPDX-License-Identifier: Apache-2.0
// Addressed sampling: validation and launch.
#include "stats.h"

#include <inttypes.h>

#define LAST_INDEX ((1ull << 58) - 1) // an index has 64 blocks of its own in 64 bits of block number

static nc_status check_range(uint64_t first, int64_t count)
{
    if (first > LAST_INDEX || (count > 0 && (uint64_t)count - 1 > LAST_INDEX - first)) {
        return be_fail(NC_OUT_OF_RANGE,
                       "first = %" PRIu64 " with %" PRId64 " elements runs past the last index 2^58 - 1 of the stream; use another "
                       "stream",
                       first, count);
    }
    return NC_OK;
}

static nc_status launch(const nc_draws *draws, const nc_stats_call *call, const nc_density *density, nc_dtype real)
{
    uint64_t count = (uint64_t)call->reference->count;
    if (count == 0) {
        return NC_OK;
    }
    nc_stats_operands operands = nc_stats_layout(call);
    uint64_t seed = draws->seed, first = draws->first;
    uint32_t stream = draws->stream;
    nc_device *device = call->reference->storage->device;
    be_buffer *normal_table = NULL;
    NC_TRY(nc_normal_table_get(device, &normal_table));
    be_arg args[] = {
        BE_VALUE(operands),
        BE_VALUE(count),
        BE_VALUE(seed),
        BE_VALUE(first),
        BE_VALUE(stream),
        BE_BUFFER(normal_table),
        BE_BUFFER(nc_stats_buffer(call, NC_STATS_PARAMETER, NC_STATS_PARAMETER)),
        BE_BUFFER(nc_stats_buffer(call, NC_STATS_PARAMETER + 1, NC_STATS_PARAMETER)),
        BE_BUFFER(nc_stats_buffer(call, NC_STATS_TRIALS, NC_STATS_PARAMETER)),
        BE_BUFFER(nc_stats_buffer(call, NC_STATS_STATUS, NC_STATS_STATUS)),
        BE_BUFFER(nc_stats_buffer(call, NC_STATS_RESULT, NC_STATS_RESULT)),
    };
    be_kernel kernel = real == NC_F32 ? density->sample_kernel_f32 : density->sample_kernel_f64;
    return be_launch(device->backend, kernel, count, args, (int32_t)(sizeof args / sizeof *args));
}

nc_status nc_observation_sample(const nc_draws *draws, nc_array *status, nc_array *out)
{
    nc_stats_call call;
    const nc_density *density = NULL;
    NC_TRY(nc_check_abi(draws, sizeof *draws, "draws"));
    NC_TRY(nc_stats_family(draws->family, &density));
    NC_TRY(nc_check_real(draws->parameters[0], density->parameter[0]));
    nc_dtype real = draws->parameters[0]->dtype;
    NC_TRY(nc_check_dtype(out, "out", density->counts ? NC_I64 : real));
    NC_TRY(nc_stats_begin(&call, out, "out"));
    NC_TRY(nc_stats_bind_parameters(&call, draws->parameters, density->parameter, density->parameters, density->name, real));
    if (density->trials) {
        NC_TRY(nc_stats_bind_input(&call, NC_STATS_TRIALS, draws->trials, "trials", NC_I64));
    } else if (draws->trials != NULL) {
        return be_fail(NC_INVALID_ARGUMENT, "trials is given, but %s has none; pass null", density->name);
    }
    NC_TRY(nc_stats_bind_output(&call, NC_STATS_STATUS, status, "status", NC_I32));
    NC_TRY(nc_stats_bind_output(&call, NC_STATS_RESULT, out, "out", out->dtype));
    NC_TRY(check_range(draws->first, out->count));
    return launch(draws, &call, density, real);
}
