// SPDX-License-Identifier: Apache-2.0
// bench-huber-<backend> X Y ROWS FEATURES BATCH RUNS: times streaming regressions of raw little-endian float64 files X (row-major)
// and Y, without penalty and with the defaults of nc_huber_config_init. Each run is a new model fed from host memory. Prints one
// line of seconds, one of iterations and one of coefficients; huber_numpy.py sets them beside NumPy's.
#include "bench_time.h"
#include "nc.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { RUNS_MAX = 64, BATCHES_MAX = 1024 };

typedef struct stream {
    double *x, *y;
    int64_t rows, features, batch;
    int64_t iterations[BATCHES_MAX], batches;
} stream;

static void require(nc_status status)
{
    if (status != NC_OK) {
        fprintf(stderr, "bench-huber: %s: %s\n", nc_status_name(status), nc_last_error());
        exit(1);
    }
}

static double *values_read(const char *path, int64_t count)
{
    double *values = malloc((size_t)count * sizeof *values);
    FILE *file = fopen(path, "rb");
    if (values == NULL || file == NULL || fread(values, sizeof *values, (size_t)count, file) != (size_t)count) {
        fprintf(stderr, "bench-huber: %s does not hold %" PRId64 " float64 values\n", path, count);
        exit(1);
    }
    fclose(file);
    return values;
}

static int64_t positive(const char *text)
{
    char *end = NULL;
    const long long value = strtoll(text, &end, 10);
    if (*end != '\0' || value < 1) {
        fprintf(stderr, "bench-huber: %s is not a positive number\n", text);
        exit(64);
    }
    return value;
}

static void stream_run(nc_device *device, stream *s, double *coefficients)
{
    nc_huber_options options;
    nc_huber_config config;
    nc_huber_diagnostics diagnostics;
    nc_huber *model = NULL;
    NC_STRUCT_INIT(&options);
    NC_STRUCT_INIT(&diagnostics);
    options.dtype = NC_F64;
    options.fit_intercept = 1;
    options.features = s->features;
    nc_huber_config_init(&config);
    require(nc_huber_create(device, &options, &model));
    s->batches = 0;
    for (int64_t row = 0; row < s->rows; row += s->batch) {
        const int64_t count = s->rows - row < s->batch ? s->rows - row : s->batch;
        require(nc_huber_update_host(model, &config, s->x + row * s->features, count, s->features, s->features, s->y + row, NULL,
                                     &diagnostics));
        s->iterations[s->batches++] = diagnostics.iterations;
    }
    const int64_t shape[1] = {s->features + 1};
    nc_array *beta = NULL;
    require(nc_array_create(device, NC_F64, 1, shape, &beta));
    require(nc_huber_coefficients(model, beta));
    require(nc_array_download(beta, coefficients, (size_t)shape[0] * sizeof *coefficients));
    require(nc_array_release(beta));
    require(nc_huber_release(model));
}

int main(int argc, char **argv)
{
    if (argc != 7) {
        fprintf(stderr, "usage: %s X Y ROWS FEATURES BATCH RUNS\n", argv[0]);
        return 64;
    }
    stream s = {.rows = positive(argv[3]), .features = positive(argv[4]), .batch = positive(argv[5])};
    const int64_t runs = positive(argv[6]);
    if (runs > RUNS_MAX || (s.rows + s.batch - 1) / s.batch > BATCHES_MAX) {
        fprintf(stderr, "bench-huber: at most %d runs and %d batches\n", RUNS_MAX, BATCHES_MAX);
        return 64;
    }
    s.x = values_read(argv[1], s.rows * s.features);
    s.y = values_read(argv[2], s.rows);
    double *coefficients = malloc((size_t)(s.features + 1) * sizeof *coefficients);
    nc_device *device = NULL;
    if (coefficients == NULL) {
        return 1;
    }
    require(nc_device_open("0", &device));
    printf("seconds");
    for (int64_t run = 0; run < runs; ++run) {
        const double start = bench_now();
        stream_run(device, &s, coefficients);
        printf(" %.9f", bench_now() - start);
    }
    printf("\niterations");
    for (int64_t b = 0; b < s.batches; ++b) {
        printf(" %" PRId64, s.iterations[b]);
    }
    printf("\ncoefficients");
    for (int64_t j = 0; j <= s.features; ++j) {
        printf(" %.17g", coefficients[j]);
    }
    printf("\n");
    require(nc_device_close(device));
    free(coefficients);
    free(s.y);
    free(s.x);
    return 0;
}
