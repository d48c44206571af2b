// SPDX-License-Identifier: Apache-2.0
// The clock and the statistics of the device benchmarks and of their peers: one place, so that both are measured alike.
#ifndef BENCH_TIME_H
#define BENCH_TIME_H

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BENCH_SAMPLES 9
#define BENCH_BLOCK_SECONDS 0.02 // a sample lasts at least this long

static inline double bench_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline int bench_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The median of the samples and their median absolute deviation relative to it. Sorts the samples.
static inline double bench_median(double samples[BENCH_SAMPLES], double *spread)
{
    double deviations[BENCH_SAMPLES];
    qsort(samples, BENCH_SAMPLES, sizeof samples[0], bench_compare);
    double median = samples[BENCH_SAMPLES / 2];
    for (int i = 0; i < BENCH_SAMPLES; ++i) {
        deviations[i] = fabs(samples[i] - median);
    }
    qsort(deviations, BENCH_SAMPLES, sizeof deviations[0], bench_compare);
    *spread = deviations[BENCH_SAMPLES / 2] / median;
    return median;
}

#endif
