// SPDX-License-Identifier: Apache-2.0
// bench-device-<backend> [SELECTOR [PART]]: times of the core's operations on one device, on data that fills a GPU; with PART
// only those whose names contain it. One tab-separated line
// each: backend, operation, dtype, seconds (median of samples), relative spread, rate, unit. A sample is a block of calls between
// two syncs, long enough for the clock; the same program for every backend, so that lines can be set side by side.
#include "bench_device.h"
#include "bench_time.h"

#include <stdio.h>
#include <string.h>

static nc_device *device;
static const char *wanted = "";

static nc_array *created(nc_dtype dtype, int32_t rank, int64_t rows, int64_t columns)
{
    const int64_t shape[] = {rows, columns};
    nc_array *array = NULL;
    bench_require(nc_array_create(device, dtype, rank, shape, &array));
    return array;
}

static nc_array *uniforms(nc_dtype dtype, int32_t rank, int64_t rows, int64_t columns, uint64_t stream)
{
    nc_array *array = created(dtype, rank, rows, columns);
    bench_require(nc_rng_uniform(1, stream, 0, array));
    return array;
}

typedef struct operands {
    nc_array *x, *y, *out;
} operands;

static nc_status run_axpy(const void *context)
{
    const operands *o = context;
    return nc_axpy(0.5, o->x, o->y, o->out);
}
static nc_status run_sum(const void *context)
{
    const operands *o = context;
    return nc_sum(o->x, o->out);
}
static nc_status run_dot(const void *context)
{
    const operands *o = context;
    return nc_dot(o->x, o->y, o->out);
}
static nc_status run_maximum(const void *context)
{
    const operands *o = context;
    return nc_maximum(o->x, o->out);
}
static nc_status run_gemm(const void *context)
{
    const operands *o = context;
    return nc_gemm(1.0, o->x, o->y, 0.0, o->out);
}
static nc_status run_gram(const void *context)
{
    const operands *o = context;
    return nc_gram(o->x, NULL, o->out);
}
static nc_status run_words(const void *context)
{
    const operands *o = context;
    return nc_rng_words(1, 2, 0, o->out);
}
static nc_status run_uniform(const void *context)
{
    const operands *o = context;
    return nc_rng_uniform(1, 2, 0, o->out);
}
static nc_status run_uniform_curand(const void *context)
{
    const operands *o = context;
    return nc_rng_uniform_curand(1, 2, 0, o->out);
}
static nc_status run_normal(const void *context)
{
    const operands *o = context;
    return nc_rng_normal(1, 2, 0, o->out);
}

typedef enum layout { VECTORS, VECTORS_TO_SCALAR, SQUARES, TALL_TO_SQUARE } layout;

static const struct benchmark {
    const char *name;
    nc_status (*run)(const void *);
    layout layout;
    int64_t rows, columns;
    int words;       // the output is u32, not a real dtype
    double per_byte; // work of one call, in bytes for each byte of an element and row; 0: use `work`
    double work;     // otherwise: flops or elements
    const char *unit;
} benchmarks[] = {
    {"axpy 2^27", run_axpy, VECTORS, 1 << 27, 0, 0, 3.0 * (1 << 27), 0, "GB/s"},
    {"sum 2^27", run_sum, VECTORS_TO_SCALAR, 1 << 27, 0, 0, 1.0 * (1 << 27), 0, "GB/s"},
    {"dot 2^27", run_dot, VECTORS_TO_SCALAR, 1 << 27, 0, 0, 2.0 * (1 << 27), 0, "GB/s"},
    {"maximum 2^27", run_maximum, VECTORS_TO_SCALAR, 1 << 27, 0, 0, 1.0 * (1 << 27), 0, "GB/s"},
    {"gemm 512", run_gemm, SQUARES, 512, 512, 0, 0, 2.0 * 512 * 512 * 512, "GFLOP/s"},
    {"gemm 2048", run_gemm, SQUARES, 2048, 2048, 0, 0, 2.0 * 2048 * 2048 * 2048, "GFLOP/s"},
    {"gemm 4096", run_gemm, SQUARES, 4096, 4096, 0, 0, 2.0 * 4096 * 4096 * 4096, "GFLOP/s"},
    {"gram 100000x90", run_gram, TALL_TO_SQUARE, 100000, 90, 0, 0, 100000.0 * 90 * 91, "GFLOP/s"},
    {"words 2^27", run_words, VECTORS, 1 << 27, 0, 1, 0, 1.0 * (1 << 27), "Gelements/s"},
    {"uniform 2^27", run_uniform, VECTORS, 1 << 27, 0, 0, 0, 1.0 * (1 << 27), "Gelements/s"},
    {"uniform-curand 2^27", run_uniform_curand, VECTORS, 1 << 27, 0, 0, 0, 1.0 * (1 << 27), "Gelements/s"},
    {"normal 2^27", run_normal, VECTORS, 1 << 27, 0, 0, 0, 1.0 * (1 << 27), "Gelements/s"},
};

static double block_seconds(nc_status (*run)(const void *), const void *context, long calls)
{
    bench_require(nc_device_sync(device));
    double start = bench_now();
    for (long call = 0; call < calls; ++call) {
        bench_require(run(context));
    }
    bench_require(nc_device_sync(device));
    return bench_now() - start;
}

int bench_wanted(const char *name)
{
    return strstr(name, wanted) != NULL;
}

int bench_selects(void)
{
    return wanted[0] != '\0';
}

void bench_measure(const char *name, const char *dtype, nc_status (*run)(const void *), const void *context, double work,
                   const char *unit)
{
    double samples[BENCH_SAMPLES], spread = 0;
    long calls = 1;
    (void)block_seconds(run, context, 1); // loads and compiles
    while (block_seconds(run, context, calls) < BENCH_BLOCK_SECONDS && calls < (1 << 20)) {
        calls *= 2;
    }
    for (int s = 0; s < BENCH_SAMPLES; ++s) {
        samples[s] = block_seconds(run, context, calls) / (double)calls;
    }
    double median = bench_median(samples, &spread);
    printf("%s\t%s\t%s\t%.4e\t%.3f\t%.4g\t%s\n", nc_backend(), name, dtype, median, spread, 1e-9 * work / median, unit);
    fflush(stdout);
}

static void measure(const struct benchmark *b, nc_dtype dtype)
{
    operands o = {NULL, NULL, NULL};
    int matrices = b->layout == SQUARES || b->layout == TALL_TO_SQUARE;
    o.x = uniforms(dtype, matrices ? 2 : 1, b->rows, b->columns, 1);
    o.y = uniforms(dtype, matrices ? 2 : 1, b->rows, b->columns, 2);
    if (b->layout == VECTORS_TO_SCALAR) {
        o.out = created(dtype, 1, 1, 0);
    } else if (b->layout == VECTORS) {
        o.out = created(b->words ? NC_U32 : dtype, 1, b->rows, 0);
    } else {
        o.out = created(dtype, 2, b->layout == SQUARES ? b->rows : b->columns, b->columns);
    }
    double work = b->per_byte > 0 ? b->per_byte * (double)nc_dtype_size(dtype) : b->work;
    bench_measure(b->name, b->words ? "u32" : nc_dtype_name(dtype), b->run, &o, work, b->unit);
    bench_require(nc_array_release(o.x));
    bench_require(nc_array_release(o.y));
    bench_require(nc_array_release(o.out));
}

int main(int argument_count, char **arguments)
{
    bench_require(nc_device_open(argument_count > 1 ? arguments[1] : "0", &device));
    wanted = argument_count > 2 ? arguments[2] : "";
    for (size_t b = 0; b < sizeof benchmarks / sizeof benchmarks[0]; ++b) {
        if (bench_wanted(benchmarks[b].name)) {
            measure(&benchmarks[b], NC_F32);
        }
        if (bench_wanted(benchmarks[b].name) && !benchmarks[b].words) {
            measure(&benchmarks[b], NC_F64);
        }
    }
    static const nc_dtype dtypes[] = {NC_F32, NC_F64};
    for (size_t d = 0; d < sizeof dtypes / sizeof dtypes[0]; ++d) {
        bench_models(device, dtypes[d]);
        bench_solver(device, dtypes[d]);
        bench_fixture(device, dtypes[d]);
    }
    bench_require(nc_device_close(device));
    return 0;
}
