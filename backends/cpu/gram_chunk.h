// SPDX-License-Identifier: Apache-2.0
// Register-tiled Gram chunk for the instruction set that includes it. A tile of TILE_ROWS x TILE_VECTORS vectors keeps its chains
// in registers; each chain is the one that the single-source kernel computes, so the bytes are equal.
#if defined(__AVX512F__) || (defined(__AVX2__) && defined(__FMA__))
#include <immintrin.h>

#if defined(__AVX512F__)
typedef __m512d cpu_vector;
#define VECTOR_WIDTH 8
#define TILE_ROWS 8
#define VECTOR_LOAD(p) _mm512_loadu_pd(p)
#define VECTOR_STORE(p, v) _mm512_storeu_pd(p, v)
#define VECTOR_SET(x) _mm512_set1_pd(x)
#define VECTOR_FMA(a, b, c) _mm512_fmadd_pd(a, b, c)
#else
typedef __m256d cpu_vector;
#define VECTOR_WIDTH 4
#define TILE_ROWS 6
#define VECTOR_LOAD(p) _mm256_loadu_pd(p)
#define VECTOR_STORE(p, v) _mm256_storeu_pd(p, v)
#define VECTOR_SET(x) _mm256_set1_pd(x)
#define VECTOR_FMA(a, b, c) _mm256_fmadd_pd(a, b, c)
#endif
#define TILE_VECTORS 2
#define TILE_COLUMNS (TILE_VECTORS * VECTOR_WIDTH)
_Static_assert(CPU_GRAM_WIDTH % TILE_ROWS == 0 && CPU_GRAM_WIDTH % TILE_COLUMNS == 0, "panels hold whole tiles");

static inline void gram_tile(const double *a, const double *b, int64_t rows, int64_t width, double *tile)
{
    cpu_vector sums[TILE_ROWS][TILE_VECTORS];
    for (int i = 0; i < TILE_ROWS; ++i) {
        for (int v = 0; v < TILE_VECTORS; ++v) {
            sums[i][v] = VECTOR_SET(0.0);
        }
    }
    for (int64_t r = 0; r < rows; ++r) {
        cpu_vector right[TILE_VECTORS];
        for (int v = 0; v < TILE_VECTORS; ++v) {
            right[v] = VECTOR_LOAD(b + r * width + v * VECTOR_WIDTH);
        }
        for (int i = 0; i < TILE_ROWS; ++i) {
            cpu_vector left = VECTOR_SET(a[r * width + i]);
            for (int v = 0; v < TILE_VECTORS; ++v) {
                sums[i][v] = VECTOR_FMA(left, right[v], sums[i][v]);
            }
        }
    }
    for (int i = 0; i < TILE_ROWS; ++i) {
        for (int v = 0; v < TILE_VECTORS; ++v) {
            VECTOR_STORE(tile + i * TILE_COLUMNS + v * VECTOR_WIDTH, sums[i][v]);
        }
    }
}

static void gram_chunk(const double *a, const double *b, int64_t rows, int64_t width, int64_t columns, double *out)
{
    double tile[TILE_ROWS * TILE_COLUMNS];
    for (int64_t i0 = 0; i0 < columns; i0 += TILE_ROWS) {
        for (int64_t j0 = i0 / TILE_COLUMNS * TILE_COLUMNS; j0 < columns; j0 += TILE_COLUMNS) {
            gram_tile(a + i0, b + j0, rows, width, tile);
            for (int64_t i = i0; i < i0 + TILE_ROWS && i < columns; ++i) {
                for (int64_t j = j0 > i ? j0 : i; j < j0 + TILE_COLUMNS && j < columns; ++j) {
                    out[i * columns + j] = nc_canon_f64(tile[(i - i0) * TILE_COLUMNS + (j - j0)]);
                }
            }
        }
        for (int64_t i = i0; i < i0 + TILE_ROWS && i < columns; ++i) {
            for (int64_t j = 0; j < i; ++j) {
                out[i * columns + j] = 0.0;
            }
        }
    }
}
#define CPU_GRAM_CHUNK gram_chunk
#else
#define CPU_GRAM_CHUNK NULL
#endif
