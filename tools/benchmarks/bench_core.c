// SPDX-License-Identifier: Apache-2.0
// bench-core: what the CPU backend does in a second, for each instruction set of this processor, on one core.
// Each line is the best of several runs on data that fits the operation's usual size.
#include "cpu.h"
#include "host/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define RUNS 5

static double seconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void require(nc_status status)
{
    if (status != NC_OK) {
        fprintf(stderr, "bench-core: %s: %s\n", nc_status_name(status), nc_last_error());
        exit(1);
    }
}

static nc_array *uniforms(nc_device *device, nc_dtype dtype, int32_t rank, int64_t extent)
{
    int64_t shape[2] = {extent, extent};
    nc_array *array = NULL;
    require(nc_array_create(device, dtype, rank, shape, &array));
    require(nc_rng_uniform(1, 2, 0, array));
    return array;
}

typedef struct operands {
    nc_array *x, *y, *out, *words;
    nc_array *counts, *rate, *status; // Poisson draws, their mean, and element statuses
} operands;

static nc_status run_gemm(const operands *o)
{
    return nc_gemm(1.0, o->x, o->y, 0.0, o->out);
}
static nc_status run_sum(const operands *o)
{
    return nc_sum(o->x, o->out);
}
static nc_status run_dot(const operands *o)
{
    return nc_dot(o->x, o->y, o->out);
}
static nc_status run_maximum(const operands *o)
{
    return nc_maximum(o->x, o->out);
}
static nc_status run_axpy(const operands *o)
{
    return nc_axpy(0.5, o->x, o->y, o->y);
}
static nc_status run_words(const operands *o)
{
    return nc_rng_words(1, 2, 3, o->words);
}
static nc_status run_uniform(const operands *o)
{
    return nc_rng_uniform(1, 2, 3, o->x);
}

static nc_status run_normal(const operands *o)
{
    return nc_rng_normal(1, 2, 3, o->x);
}

static nc_status run_poisson(const operands *o)
{
    nc_observation observation;
    NC_STRUCT_INIT(&observation);
    observation.family = NC_POISSON;
    observation.value = o->counts;
    observation.parameters[0] = o->rate;
    return nc_observation_log_density(&observation, o->status, o->x);
}

// Work is what one element of x counts for: flops, bytes or elements, scaled to the unit.
static const struct {
    const char *name, *unit;
    nc_status (*run)(const operands *);
    int32_t rank; // of x and y
    int64_t extent;
    double work_f32, work_f64;
} benchmarks[] = {
    {"gemm 512^3", "GFLOP/s", run_gemm, 2, 512, 1024e-9, 1024e-9}, {"sum 2^20", "GB/s", run_sum, 1, 1 << 20, 4e-9, 8e-9},
    {"dot 2^20", "GB/s", run_dot, 1, 1 << 20, 8e-9, 16e-9},        {"maximum 2^20", "GB/s", run_maximum, 1, 1 << 20, 4e-9, 8e-9},
    {"axpy 2^20", "GB/s", run_axpy, 1, 1 << 20, 12e-9, 24e-9},     {"words 2^20", "M words/s", run_words, 1, 1 << 20, 1e-6, 1e-6},
    {"uniform 2^20", "M/s", run_uniform, 1, 1 << 20, 1e-6, 1e-6},  {"normal 2^20", "M/s", run_normal, 1, 1 << 20, 1e-6, 1e-6},
    {"poisson 2^18", "M/s", run_poisson, 1, 1 << 18, 1e-6, 1e-6},
};

// Counts of mean 12.5 for the density.
static void counts_draw(nc_device *device, nc_dtype dtype, int64_t extent, operands *o)
{
    const int64_t one = 1;
    const float single = 12.5F;
    const double wide = 12.5;
    nc_draws draws;
    NC_STRUCT_INIT(&draws);
    require(nc_array_create(device, dtype, 1, &one, &o->rate));
    require(nc_array_fill(o->rate, dtype == NC_F32 ? (const void *)&single : (const void *)&wide, nc_dtype_size(dtype)));
    require(nc_array_create(device, NC_I64, 1, &extent, &o->counts));
    require(nc_array_create(device, NC_I32, 1, &extent, &o->status));
    draws.family = NC_POISSON;
    draws.seed = 1;
    draws.parameters[0] = o->rate;
    require(nc_observation_sample(&draws, o->status, o->counts));
}

static void measure(nc_device *device, size_t b, nc_dtype dtype)
{
    int64_t extent = benchmarks[b].extent, one = 1, shape[2] = {extent, extent};
    int32_t rank = benchmarks[b].rank;
    operands o = {.x = uniforms(device, dtype, rank, extent), .y = uniforms(device, dtype, rank, extent)};
    require(nc_array_create(device, dtype, rank == 2 ? 2 : 1, rank == 2 ? shape : &one, &o.out));
    require(nc_array_create(device, NC_U32, 1, &extent, &o.words));
    counts_draw(device, dtype, extent, &o);
    double best = 0;
    for (int run = 0; run < RUNS; ++run) {
        double start = seconds_now();
        require(benchmarks[b].run(&o));
        double rate = 1.0 / (seconds_now() - start);
        best = rate > best ? rate : best;
    }
    double elements = rank == 2 ? (double)extent * (double)extent : (double)extent;
    double work = dtype == NC_F32 ? benchmarks[b].work_f32 : benchmarks[b].work_f64;
    printf("%-12s %-14s %-4s %10.2f %s\n", device->backend->variant->name, benchmarks[b].name, nc_dtype_name(dtype),
           best * elements * work, benchmarks[b].unit);
    nc_array *arrays[] = {o.x, o.y, o.out, o.words, o.counts, o.rate, o.status};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i) {
        require(nc_array_release(arrays[i]));
    }
}

int main(void)
{
    nc_device *device = NULL;
    const cpu_variant *variants[CPU_VARIANTS_MAX];
    int32_t variant_count = cpu_variants(variants);
    require(nc_device_open("0", &device));
    for (int32_t v = 0; v < variant_count; ++v) {
        device->backend->variant = variants[v];
        for (size_t b = 0; b < sizeof benchmarks / sizeof benchmarks[0]; ++b) {
            measure(device, b, NC_F32);
            measure(device, b, NC_F64);
        }
    }
    require(nc_device_close(device));
    return 0;
}
