// SPDX-License-Identifier: Apache-2.0
// peer-cuda: the times of NVIDIA's own libraries for what bench-device measures, in the same form: cuBLAS in its pedantic mode (no
// TF32), cuRAND's Philox generator, a device-to-device copy.
#include "../benchmarks/bench_time.h"

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <curand.h>
#include <stdio.h>
#include <stdlib.h>

static void require_cuda(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "peer-cuda: %s\n", cudaGetErrorName(error));
        exit(1);
    }
}
static void require_blas(cublasStatus_t status)
{
    if (status != CUBLAS_STATUS_SUCCESS) {
        fprintf(stderr, "peer-cuda: %s\n", cublasGetStatusString(status));
        exit(1);
    }
}
static void require_rand(curandStatus_t status)
{
    if (status != CURAND_STATUS_SUCCESS) {
        fprintf(stderr, "peer-cuda: cuRAND status %d\n", (int)status);
        exit(1);
    }
}

static cublasHandle_t blas;
static curandGenerator_t generator;
static void *memory[3];
static int extent;

static void run_sgemm(void)
{
    const float one = 1.0f, zero = 0.0f;
    require_blas(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, extent, extent, extent, &one, memory[0], extent, memory[1], extent,
                             &zero, memory[2], extent));
}
static void run_dgemm(void)
{
    const double one = 1.0, zero = 0.0;
    require_blas(cublasDgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, extent, extent, extent, &one, memory[0], extent, memory[1], extent,
                             &zero, memory[2], extent));
}
static void run_words(void)
{
    require_rand(curandGenerate(generator, memory[2], (size_t)1 << 27));
}
static void run_uniform_f32(void)
{
    require_rand(curandGenerateUniform(generator, memory[2], (size_t)1 << 27));
}
static void run_uniform_f64(void)
{
    require_rand(curandGenerateUniformDouble(generator, memory[2], (size_t)1 << 27));
}
static void run_normal_f32(void)
{
    require_rand(curandGenerateNormal(generator, memory[2], (size_t)1 << 27, 0.0f, 1.0f));
}
static void run_normal_f64(void)
{
    require_rand(curandGenerateNormalDouble(generator, memory[2], (size_t)1 << 27, 0.0, 1.0));
}
static void run_copy(void)
{
    require_cuda(cudaMemcpyAsync(memory[2], memory[0], (size_t)1 << 30, cudaMemcpyDeviceToDevice, 0));
}

static double block_seconds(void (*run)(void), long calls)
{
    require_cuda(cudaDeviceSynchronize());
    double start = bench_now();
    for (long call = 0; call < calls; ++call) {
        run();
    }
    require_cuda(cudaDeviceSynchronize());
    return bench_now() - start;
}

static void measure(const char *name, const char *dtype, void (*run)(void), double work, const char *unit)
{
    double samples[BENCH_SAMPLES], spread = 0;
    long calls = 1;
    (void)block_seconds(run, 1);
    while (block_seconds(run, calls) < BENCH_BLOCK_SECONDS && calls < (1 << 20)) {
        calls *= 2;
    }
    for (int s = 0; s < BENCH_SAMPLES; ++s) {
        samples[s] = block_seconds(run, calls) / (double)calls;
    }
    double median = bench_median(samples, &spread);
    printf("peer\t%s\t%s\t%.4e\t%.3f\t%.4g\t%s\n", name, dtype, median, spread, 1e-9 * work / median, unit);
    fflush(stdout);
}

static void measure_gemm(int size)
{
    char name[32];
    double flops = 2.0 * size * size * (double)size;
    extent = size;
    (void)snprintf(name, sizeof name, "gemm %d", size);
    // Timed on random numbers: zeros run faster than real data.
    require_rand(curandGenerateUniform(generator, memory[0], (size_t)size * (size_t)size));
    require_rand(curandGenerateUniform(generator, memory[1], (size_t)size * (size_t)size));
    measure(name, "f32", run_sgemm, flops, "GFLOP/s");
    require_rand(curandGenerateUniformDouble(generator, memory[0], (size_t)size * (size_t)size));
    require_rand(curandGenerateUniformDouble(generator, memory[1], (size_t)size * (size_t)size));
    measure(name, "f64", run_dgemm, flops, "GFLOP/s");
}

int main(void)
{
    const double elements = (double)(1 << 27);
    for (int m = 0; m < 3; ++m) {
        require_cuda(cudaMalloc(&memory[m], (size_t)1 << 30));
    }
    require_blas(cublasCreate(&blas));
    require_blas(cublasSetMathMode(blas, CUBLAS_PEDANTIC_MATH));
    require_rand(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10));
    measure_gemm(512);
    measure_gemm(2048);
    measure_gemm(4096);
    measure("words 2^27", "u32", run_words, elements, "Gelements/s");
    measure("uniform-curand 2^27", "f32", run_uniform_f32, elements, "Gelements/s");
    measure("uniform-curand 2^27", "f64", run_uniform_f64, elements, "Gelements/s");
    measure("normal 2^27", "f32", run_normal_f32, elements, "Gelements/s");
    measure("normal 2^27", "f64", run_normal_f64, elements, "Gelements/s");
    measure("copy 2^30", "bytes", run_copy, 2.0 * (double)((size_t)1 << 30), "GB/s");
    require_rand(curandDestroyGenerator(generator));
    require_blas(cublasDestroy(blas));
    for (int m = 0; m < 3; ++m) {
        require_cuda(cudaFree(memory[m]));
    }
    return 0;
}
