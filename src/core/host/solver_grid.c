// SPDX-License-Identifier: Apache-2.0
// Time grids: uniform ones, checks, and the way to the device.
#include "solver_host.h"

#include "environment.h"

#include <inttypes.h>
#include <stdlib.h>

#define STEPS_MAX ((double)((int64_t)1 << 40))

static int is_finite(double x)
{
    return x - x == 0.0;
}

// The number of steps from t0 to t1; -1 for too many. Not inlined: runs in the core's environment.
__attribute__((noinline)) static int64_t count_steps(double t0, double t1, double step)
{
    double quotient = (t1 - t0) / step, nearest = NC_RINT_F64(quotient);
    if (!(quotient <= STEPS_MAX)) {
        return -1;
    }
    if (nearest >= 1.0 && NC_FABS_F64(quotient - nearest) <= 0x1p-40 * nearest) {
        return (int64_t)nearest;
    }
    double whole = NC_FLOOR_F64(quotient);
    return (int64_t)whole + (whole < quotient);
}

__attribute__((noinline)) static void fill_grid(double t0, double t1, double step, int64_t steps, double *times)
{
    for (int64_t i = 0; i < steps; ++i) {
        times[i] = NC_FMA_F64((double)i, step, t0);
    }
    times[steps] = t1;
}

nc_status nc_time_grid(double t0, double t1, double step, double *times, int64_t capacity, int64_t *count)
{
    if (!(step > 0.0) || !is_finite(step)) {
        return be_fail(NC_INVALID_ARGUMENT, "step is %g; it must be positive and finite", step);
    }
    if (!is_finite(t0) || !is_finite(t1) || !(t1 >= t0)) {
        return be_fail(NC_INVALID_ARGUMENT, "t0 is %g and t1 is %g; both must be finite and t1 at least t0", t0, t1);
    }
    NC_TRY(nc_check_pointer(count, "count"));
    nc_environment saved = nc_environment_enter();
    int64_t steps = count_steps(t0, t1, step);
    nc_environment_leave(saved);
    if (steps < 0) {
        return be_fail(NC_OUT_OF_RANGE, "step %g divides %g to %g into more than 2^40 steps", step, t0, t1);
    }
    if (times != NULL && capacity < steps + 1) {
        return be_fail(NC_OUT_OF_RANGE, "capacity is %" PRId64 "; the grid has %" PRId64 " points", capacity, steps + 1);
    }
    if (times != NULL) {
        saved = nc_environment_enter();
        fill_grid(t0, t1, step, steps, times);
        nc_environment_leave(saved);
    }
    *count = steps + 1;
    return NC_OK;
}

nc_status solver_grid_check(const double *times, int64_t count)
{
    NC_TRY(nc_check_pointer(times, "times"));
    if (count < 1) {
        return be_fail(NC_INVALID_ARGUMENT, "count is %" PRId64 "; a grid has at least one time", count);
    }
    for (int64_t i = 0; i < count; ++i) {
        if (!is_finite(times[i])) {
            return be_fail(NC_INVALID_ARGUMENT, "times[%" PRId64 "] is %g; a grid's times are finite", i, times[i]);
        }
        if (i > 0 && times[i] < times[i - 1]) {
            return be_fail(NC_INVALID_ARGUMENT, "times[%" PRId64 "] is %.17g after %.17g; a grid's times must not decrease", i,
                           times[i], times[i - 1]);
        }
    }
    return NC_OK;
}

nc_status solver_grid_upload(nc_device *device, nc_dtype dtype, const double *times, int64_t count, be_buffer **grid)
{
    size_t size = nc_dtype_size(dtype), bytes = (size_t)count * size;
    unsigned char *rounded = malloc(bytes);
    if (rounded == NULL) {
        return be_fail(NC_OUT_OF_MEMORY, "no host memory for a grid of %" PRId64 " times", count);
    }
    for (int64_t i = 0; i < count; ++i) {
        nc_scalar time = nc_scalar_round(dtype, times[i]);
        for (size_t k = 0; k < size; ++k) {
            rounded[(size_t)i * size + k] = ((const unsigned char *)&time.value)[k];
        }
    }
    nc_status status = be_buffer_alloc(device->backend, bytes, grid);
    if (status == NC_OK) {
        status = be_buffer_upload(device->backend, *grid, 0, rounded, bytes);
    }
    free(rounded);
    return status;
}
