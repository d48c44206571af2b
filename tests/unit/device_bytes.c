// SPDX-License-Identifier: Apache-2.0
// Prints one line for each result of the core on device 0 of the library it is linked with: case, dtype, elements, hash of the
// bytes. device_bytes.sh compares the lines of two backends, which cannot be linked into one program. `--dump CASE` prints the bits
// of one case instead, `--first-gpu` the index of the first GPU. `--small` runs a part that a simulator can bear, `--fault` a
// kernel that writes outside of its buffer (device_inside.c). DEVICE_BYTES_DEVICE names another device than 0.
//
// Inputs come from integers alone (splitmix64), so that both programs have the same ones.
#include "device_bytes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static nc_device *device;
static const char *dumped;
static unsigned long printed;
static int small;

void device_bytes_require(nc_status status, const char *what)
{
    if (status != NC_OK) {
        fprintf(stderr, "%s: %s: %s\n", what, nc_status_name(status), nc_last_error());
        exit(1);
    }
}

uint64_t device_bytes_random(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

typedef enum content {
    ORDINARY, // both signs, 2^-12 to 2^12
    WIDE,     // zeros of both signs, subnormals and 2^-40 to 2^40 among them
    SPECIAL   // the same with infinities and NaNs of many payloads
} content;

static uint64_t bits_f64(content kind, uint64_t random)
{
    uint64_t sign = random >> 63 << 63, mantissa = random & 0xfffffffffffffu, pick = random >> 52 & 15u;
    uint64_t spread = kind == ORDINARY ? 24u : 80u;
    if (kind != ORDINARY && pick == 0) {
        return sign;
    }
    if (kind != ORDINARY && pick == 1) {
        return sign | mantissa;
    }
    if (kind == SPECIAL && pick == 2) {
        return sign | 0x7ff0000000000000u | (random >> 56 & 1u ? mantissa : 0u);
    }
    return sign | (1023u - spread / 2u + device_bytes_random(random) % spread) << 52 | mantissa;
}

static uint32_t bits_f32(content kind, uint64_t random)
{
    uint64_t wide = bits_f64(kind, random);
    uint32_t sign = (uint32_t)(wide >> 32) & 0x80000000u, mantissa = (uint32_t)(wide >> 29) & 0x7fffffu;
    uint32_t exponent = (uint32_t)(wide >> 52) & 0x7ffu;
    if (exponent == 0 || exponent == 0x7ffu) {
        return sign | (exponent == 0 ? 0u : 0x7f800000u) | mantissa;
    }
    return sign | (exponent - 1023u + 127u) << 23 | mantissa;
}

nc_array *device_bytes_create(nc_dtype dtype, int32_t rank, const int64_t *shape)
{
    nc_array *array = NULL;
    REQUIRE(nc_array_create(device, dtype, rank, shape, &array));
    return array;
}

// A vector of generated content.
static nc_array *generated(nc_dtype dtype, int64_t count, content kind, uint64_t salt)
{
    unsigned char *host = malloc((size_t)count * nc_dtype_size(dtype) + 1u);
    nc_array *array = device_bytes_create(dtype, 1, &count);
    if (host == NULL) {
        fprintf(stderr, "no memory for %" PRId64 " elements\n", count);
        exit(1);
    }
    for (int64_t i = 0; i < count; ++i) {
        uint64_t random = device_bytes_random(salt << 40 ^ (uint64_t)i);
        uint64_t wide = bits_f64(kind, random);
        uint32_t narrow = bits_f32(kind, random);
        memcpy(host + (size_t)i * nc_dtype_size(dtype), dtype == NC_F32 ? (const void *)&narrow : (const void *)&wide,
               nc_dtype_size(dtype));
    }
    REQUIRE(nc_array_upload(array, host, (size_t)count * nc_dtype_size(dtype)));
    free(host);
    return array;
}

nc_array *device_bytes_view(nc_array *base, int64_t offset, int32_t rank, const int64_t *shape, const int64_t *strides)
{
    nc_array *array = NULL;
    REQUIRE(nc_array_view(base, offset, rank, shape, strides, &array));
    return array;
}

static void print_dump(const unsigned char *host, nc_dtype dtype, int64_t count)
{
    for (int64_t i = 0; i < count; ++i) {
        printf("%" PRId64 " ", i);
        for (size_t b = nc_dtype_size(dtype); b > 0; --b) {
            printf("%02x", host[(size_t)i * nc_dtype_size(dtype) + b - 1u]);
        }
        printf("\n");
    }
}

// Prints the result and releases it.
void device_bytes_emit(const char *operation, const char *details, nc_array *array)
{
    char name[128];
    nc_array_info info;
    uint64_t hash = 0xcbf29ce484222325u; // FNV-1a
    NC_STRUCT_INIT(&info);
    REQUIRE(nc_array_info_get(array, &info));
    size_t bytes = (size_t)info.count * nc_dtype_size((nc_dtype)info.dtype);
    unsigned char *host = malloc(bytes + 1u);
    if (host == NULL) {
        exit(1);
    }
    REQUIRE(nc_array_download(array, host, bytes));
    for (size_t i = 0; i < bytes; ++i) {
        hash = (hash ^ host[i]) * 0x100000001b3u;
    }
    (void)snprintf(name, sizeof name, "%s.%s.%s", operation, nc_dtype_name((nc_dtype)info.dtype), details);
    if (dumped == NULL) {
        printf("%s %" PRId64 " %016" PRIx64 "\n", name, info.count, hash);
    } else if (strcmp(dumped, name) == 0) {
        print_dump(host, (nc_dtype)info.dtype, info.count);
    }
    ++printed;
    free(host);
    REQUIRE(nc_array_release(array));
}

static nc_array *scalar(nc_dtype dtype)
{
    const int64_t one = 1;
    return device_bytes_create(dtype, 1, &one);
}

static void reductions_of(nc_dtype dtype, nc_array *x, nc_array *y, const char *details)
{
    static const struct {
        const char *name;
        nc_status (*reduce)(const nc_array *x, nc_array *out);
    } unary[] = {{"sum", nc_sum}, {"minimum", nc_minimum}, {"maximum", nc_maximum}};
    for (size_t r = 0; r < sizeof unary / sizeof unary[0]; ++r) {
        nc_array *out = scalar(dtype);
        device_bytes_require(unary[r].reduce(x, out), unary[r].name);
        device_bytes_emit(unary[r].name, details, out);
    }
    nc_array *out = scalar(dtype);
    REQUIRE(nc_dot(x, y, out));
    device_bytes_emit("dot", details, out);
}

static void reductions(nc_dtype dtype)
{
    static const int64_t large[] = {4095, 4096, 4097, 8191, 65536, 65537, 1000003, 2097153};
    char details[64];
    for (int kind = ORDINARY; kind <= SPECIAL; ++kind) {
        const int64_t longest = small ? 70000 : 2100000;
        nc_array *x = generated(dtype, longest, (content)kind, 1), *y = generated(dtype, longest, (content)kind, 2);
        const int64_t strides = 1;
        for (int64_t i = 0; i < 600 + (int64_t)(sizeof large / sizeof large[0]); i += small ? 67 : 1) {
            int64_t count = i < 600 ? i + 1 : large[i - 600];
            nc_array *x_part = device_bytes_view(x, i % 7, 1, &count, &strides),
                     *y_part = device_bytes_view(y, i % 5, 1, &count, &strides);
            (void)snprintf(details, sizeof details, "%d-%" PRId64, kind, count);
            reductions_of(dtype, x_part, y_part, details);
            REQUIRE(nc_array_release(x_part));
            REQUIRE(nc_array_release(y_part));
        }
        const int64_t shape[] = {13, 7, 61}, irregular[] = {-4099, 3, 60}, transposed[] = {1, 13, 91};
        nc_array *x_part = device_bytes_view(x, 60000, 3, shape, irregular),
                 *y_part = device_bytes_view(y, 11, 3, shape, transposed);
        (void)snprintf(details, sizeof details, "%d-strided", kind);
        reductions_of(dtype, x_part, y_part, details);
        REQUIRE(nc_array_release(x_part));
        REQUIRE(nc_array_release(y_part));
        REQUIRE(nc_array_release(x));
        REQUIRE(nc_array_release(y));
    }
}

static void block_maxima(nc_dtype dtype)
{
    static const int64_t blocks[] = {1, 2, 3, 31, 255, 256, 257, 5000, 100000};
    const int64_t count = small ? 1021 : 30011;
    char details[64];
    nc_array *x = generated(dtype, count, SPECIAL, 3);
    for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; ++b) {
        int64_t maxima = (count + blocks[b] - 1) / blocks[b];
        nc_array *out = device_bytes_create(dtype, 1, &maxima);
        REQUIRE(nc_block_maximum(x, blocks[b], out));
        (void)snprintf(details, sizeof details, "%" PRId64, blocks[b]);
        device_bytes_emit("block-maximum", details, out);
    }
    REQUIRE(nc_array_release(x));
}

static void axpy(nc_dtype dtype)
{
    static const double alphas[] = {0.0, 1.0, -0x1.5555555555555p-2, 0x1p-1030};
    const int64_t count = small ? 97 : 10007;
    char details[64];
    nc_array *x = generated(dtype, count, SPECIAL, 4), *y = generated(dtype, count, SPECIAL, 5);
    for (size_t a = 0; a < sizeof alphas / sizeof alphas[0]; ++a) {
        nc_array *out = device_bytes_create(dtype, 1, &count);
        REQUIRE(nc_axpy(alphas[a], x, y, out));
        (void)snprintf(details, sizeof details, "%a", alphas[a]);
        device_bytes_emit("axpy", details, out);
    }
    REQUIRE(nc_array_release(x));
    REQUIRE(nc_array_release(y));
}

// Bits move through strided views, fill and copy as they are: payloads of NaNs survive.
static void moves(nc_dtype dtype)
{
    const int64_t shape[] = {17, 19, 5}, strides[] = {5, -101, 2200}, whole = 20000;
    static const uint64_t payload_f64 = 0xfff4deadbeef0001u;
    static const uint32_t payload_f32 = 0xffa0beefu;
    nc_array *base = generated(dtype, whole, SPECIAL, 6), *copy = device_bytes_create(dtype, 3, shape),
             *filled = device_bytes_create(dtype, 1, &whole);
    nc_array *source = device_bytes_view(base, 3000, 3, shape, strides),
             *target = device_bytes_view(filled, 3000, 3, shape, strides);
    REQUIRE(nc_array_fill(filled, dtype == NC_F32 ? (const void *)&payload_f32 : (const void *)&payload_f64, nc_dtype_size(dtype)));
    REQUIRE(nc_array_copy(source, copy));
    REQUIRE(nc_array_copy(copy, target));
    REQUIRE(nc_array_release(source));
    REQUIRE(nc_array_release(target));
    device_bytes_emit("copy-gather", "strided", copy);
    device_bytes_emit("copy-scatter", "strided", filled);
    REQUIRE(nc_array_release(base));
}

#define SMALL_GEMMS 4u

typedef struct gemm_case {
    int64_t m, n, k;
    double alpha, beta;
    content kind;
} gemm_case;

// `turned` bits choose which of A, B and C lie transposed in memory.
static void gemm_one(nc_dtype dtype, const gemm_case *g, unsigned turned)
{
    char details[96];
    const int64_t a_shape[] = {g->m, g->k}, b_shape[] = {g->k, g->n}, c_shape[] = {g->m, g->n};
    const int64_t a_strides[] = {turned & 1u ? 1 : g->k, turned & 1u ? g->m : 1};
    const int64_t b_strides[] = {turned & 2u ? 1 : g->n, turned & 2u ? g->k : 1};
    const int64_t c_strides[] = {turned & 4u ? 1 : g->n, turned & 4u ? g->m : 1};
    nc_array *a_base = generated(dtype, g->m * g->k, g->kind, 7), *b_base = generated(dtype, g->k * g->n, g->kind, 8);
    nc_array *c_base = generated(dtype, g->m * g->n, SPECIAL, 9);
    nc_array *a = device_bytes_view(a_base, 0, 2, a_shape, a_strides), *b = device_bytes_view(b_base, 0, 2, b_shape, b_strides);
    nc_array *c = device_bytes_view(c_base, 0, 2, c_shape, c_strides);
    REQUIRE(nc_gemm(g->alpha, a, b, g->beta, c));
    nc_array *views[] = {a, b, c, a_base, b_base};
    for (size_t v = 0; v < sizeof views / sizeof views[0]; ++v) {
        REQUIRE(nc_array_release(views[v]));
    }
    (void)snprintf(details, sizeof details, "%" PRId64 "-%" PRId64 "-%" PRId64 "-%u-%d-%a-%a", g->m, g->n, g->k, turned,
                   (int)g->kind, g->alpha, g->beta);
    device_bytes_emit("gemm", details, c_base);
}

static void gemm(nc_dtype dtype)
{
    static const gemm_case cases[] = {
        {1, 1, 1, 1.0, 0.0, ORDINARY},       {3, 5, 7, -0.75, 0.5, ORDINARY},    {7, 3, 0, 2.0, 0.5, ORDINARY},
        {17, 33, 16, 1.0, 1.0, WIDE},        {32, 32, 8, 1.0, 0.0, SPECIAL},     {31, 64, 129, 1.25, -1.0, WIDE},
        {128, 64, 9, 0.0, 0.0, SPECIAL},     {65, 127, 300, 1.0, 0.0, ORDINARY}, {129, 257, 31, 1.0, 0.25, WIDE},
        {300, 200, 100, -1.0, 0.0, SPECIAL}, {1, 700, 65, 1.0, 0.0, ORDINARY},   {700, 1, 65, 1.0, 0.0, ORDINARY},
    };
    for (size_t i = 0; i < (small ? SMALL_GEMMS : sizeof cases / sizeof cases[0]); ++i) {
        for (unsigned turned = 0; turned < (small ? 1u : 8u); ++turned) {
            gemm_one(dtype, &cases[i], turned);
        }
    }
}

static void gram(nc_dtype dtype)
{
    static const int64_t shapes[][2] = {{1, 1}, {5, 3}, {513, 2}, {1025, 17}, {3000, 33}, {140000, 3}, {2100000, 1}};
    char details[64];
    for (size_t s = 0; s < (small ? 3u : sizeof shapes / sizeof shapes[0]); ++s) {
        int64_t n = shapes[s][0], q = shapes[s][1];
        const int64_t x_shape[] = {n, q}, x_strides[] = {q, 1}, turned[] = {1, n}, out_shape[] = {q, q};
        nc_array *base = generated(dtype, n * q, WIDE, 10), *weights = generated(dtype, n, WIDE, 11);
        for (int t = 0; t < 2; ++t) {
            nc_array *x = device_bytes_view(base, 0, 2, x_shape, t ? turned : x_strides),
                     *out = device_bytes_create(dtype, 2, out_shape);
            REQUIRE(nc_gram(x, t ? NULL : weights, out));
            (void)snprintf(details, sizeof details, "%" PRId64 "-%" PRId64 "-%d", n, q, t);
            device_bytes_emit("gram", details, out);
            REQUIRE(nc_array_release(x));
        }
        REQUIRE(nc_array_release(base));
        REQUIRE(nc_array_release(weights));
    }
}

static int print_first_gpu(void)
{
    int32_t count = 0;
    REQUIRE(nc_device_count(&count));
    for (int32_t i = 0; i < count; ++i) {
        nc_device_info info;
        NC_STRUCT_INIT(&info);
        REQUIRE(nc_device_describe(i, &info));
        if (info.type == NC_DEVICE_GPU) {
            printf("%" PRId32 "\n", i);
            return 0;
        }
    }
    fprintf(stderr, "no GPU among %" PRId32 " devices of backend %s\n", count, nc_backend());
    return 1;
}

int main(int argument_count, char **arguments)
{
    static const nc_dtype dtypes[] = {NC_F32, NC_F64};
    static void (*const parts[])(nc_dtype dtype) = {reductions, block_maxima, axpy, moves, gemm, gram};
    const char *selector = getenv("DEVICE_BYTES_DEVICE"), *mode = argument_count > 1 ? arguments[1] : "";
    if (strcmp(mode, "--first-gpu") == 0) {
        return print_first_gpu();
    }
    small = strcmp(mode, "--small") == 0;
    dumped = argument_count == 3 && strcmp(mode, "--dump") == 0 ? arguments[2] : NULL;
    if (mode[0] != '\0' && !small && dumped == NULL && strcmp(mode, "--fault") != 0) {
        fprintf(stderr, "usage: %s [--dump CASE | --first-gpu | --small | --fault]\n", arguments[0]);
        return 1;
    }
    device_bytes_require(device_bytes_open(selector != NULL ? selector : "0", &device), "open");
    if (strcmp(mode, "--fault") == 0) {
        device_bytes_require(device_bytes_fault(device), "fault");
    }
    for (size_t d = 0; d < sizeof dtypes / sizeof dtypes[0] && strcmp(mode, "--fault") != 0; ++d) {
        for (size_t p = 0; p < sizeof parts / sizeof parts[0]; ++p) {
            parts[p](dtypes[d]);
        }
        device_bytes_systems(dtypes[d], small);
    }
    REQUIRE(nc_device_sync(device));
    REQUIRE(nc_device_close(device));
    if (dumped == NULL) {
        printf("end %lu\n", printed);
    }
    return 0;
}
