// SPDX-License-Identifier: Apache-2.0
// curand-device: cuRAND's device generator as oracle. Draws words, uniforms and double uniforms on the GPU with curand_init(seed,
// stream, index) and compares them, bit for bit, with nc_rng_words and nc_rng_uniform_curand of the CUDA library. Run by
// tools/qualify-device; needs a GPU.
#include <curand_kernel.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "nc.h"

static const int COUNT = 4099; // odd: the last block is used in part

struct address {
    unsigned long long seed, stream, first;
};

static const address addresses[] = {
    {0, 0, 0},
    {1234, 0, 1},
    {1234, 1, 2},
    {0x123456789abcdef0ull, 0xfedcba9876543210ull, 3},
    {7, 0xffffffffull, 0x3fffffffcull}, // the block number passes 2^32
    {~0ull, ~0ull, 0x0f0e0d0c0b0a0908ull},
    {5, 1ull << 32, (1ull << 34) - 5},
};

static __global__ void draw_words(address at, unsigned *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < COUNT) {
        curandStatePhilox4_32_10_t state;
        curand_init(at.seed, at.stream, at.first + i, &state);
        out[i] = curand(&state);
    }
}

static __global__ void draw_f32(address at, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < COUNT) {
        curandStatePhilox4_32_10_t state;
        curand_init(at.seed, at.stream, at.first + i, &state);
        out[i] = curand_uniform(&state);
    }
}

// Element i is made of words 2i and 2i + 1: the first of a pair drawn at an even word.
static __global__ void draw_f64(address at, double *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < COUNT) {
        curandStatePhilox4_32_10_t state;
        unsigned long long index = at.first / 2 + i;
        curand_init(at.seed, at.stream, 2 * index / 4 * 4, &state);
        double2 pair = curand_uniform2_double(&state);
        out[i] = index % 2 == 0 ? pair.x : pair.y;
    }
}

static void require_cuda(cudaError_t error)
{
    if (error != cudaSuccess) {
        std::fprintf(stderr, "curand-device: %s\n", cudaGetErrorName(error));
        std::exit(1);
    }
}
static void require(nc_status status)
{
    if (status != NC_OK) {
        std::fprintf(stderr, "curand-device: %s: %s\n", nc_status_name(status), nc_last_error());
        std::exit(1);
    }
}

typedef nc_status (*core_draw)(uint64_t seed, uint64_t stream, uint64_t first, nc_array *out);

// Differing elements between the oracle's values and the core's.
static int compare(nc_device *device, const char *what, nc_dtype dtype, address at, const void *oracle, core_draw draw)
{
    size_t size = nc_dtype_size(dtype);
    const int64_t count = COUNT;
    int differing = 0;
    nc_array *array = NULL;
    unsigned char *expected = static_cast<unsigned char *>(std::malloc(2 * COUNT * size));
    unsigned char *computed = expected + COUNT * size;
    require_cuda(cudaMemcpy(expected, oracle, COUNT * size, cudaMemcpyDeviceToHost));
    std::memset(computed, 0xa5, COUNT * size);
    require(nc_array_create(device, dtype, 1, &count, &array));
    require(draw(at.seed, at.stream, dtype == NC_F64 ? at.first / 2 : at.first, array));
    require(nc_array_download(array, computed, COUNT * size));
    require(nc_array_release(array));
    for (int i = 0; i < COUNT; ++i) {
        differing += std::memcmp(expected + i * size, computed + i * size, size) != 0;
    }
    if (differing != 0) {
        std::printf("%s, seed %llx, stream %llx, index %llx: %d of %d differ\n", what, at.seed, at.stream, at.first, differing,
                    COUNT);
    }
    std::free(expected);
    return differing;
}

int main()
{
    nc_device *device = NULL;
    void *memory = NULL;
    long compared = 0, differing = 0;
    const int blocks = (COUNT + 127) / 128;
    require(nc_device_open("0", &device));
    require_cuda(cudaMalloc(&memory, COUNT * sizeof(double)));
    for (size_t a = 0; a < sizeof addresses / sizeof addresses[0]; ++a) {
        address at = addresses[a];
        draw_words<<<blocks, 128>>>(at, static_cast<unsigned *>(memory));
        require_cuda(cudaGetLastError());
        differing += compare(device, "words", NC_U32, at, memory, nc_rng_words);
        draw_f32<<<blocks, 128>>>(at, static_cast<float *>(memory));
        require_cuda(cudaGetLastError());
        differing += compare(device, "curand_uniform", NC_F32, at, memory, nc_rng_uniform_curand);
        draw_f64<<<blocks, 128>>>(at, static_cast<double *>(memory));
        require_cuda(cudaGetLastError());
        differing += compare(device, "curand_uniform2_double", NC_F64, at, memory, nc_rng_uniform_curand);
        compared += 3 * COUNT;
    }
    require_cuda(cudaFree(memory));
    require(nc_device_close(device));
    std::printf("%ld values compared with cuRAND's device generator, %ld differ\n", compared, differing);
    return differing != 0;
}
