// SPDX-License-Identifier: Apache-2.0
// gemm: every element of the accumulator is one fma chain in ascending k from +0 (docs/sums.md). Blocks of k continue the chain
// from the stored accumulator, so blocking changes no bit. Panels are packed, so any strides cost the same. The scheme is that of
// Goto and van de Geijn, "Anatomy of high-performance matrix multiplication", ACM TOMS 34(3), 2008.
// Include once per real type, after vector.h.

// A tile is GEMM_ROWS x (GEMM_VECTORS vectors): its accumulators fill most of the registers.
#undef GEMM_ROWS
#undef GEMM_VECTORS
#undef GEMM_COLUMNS
#if defined(__AVX512F__)
#define GEMM_ROWS ((size_t)8)
#define GEMM_VECTORS ((size_t)3)
#elif defined(__AVX2__) && defined(__FMA__)
#define GEMM_ROWS ((size_t)4)
#define GEMM_VECTORS ((size_t)3)
#else
#define GEMM_ROWS ((size_t)4)
#define GEMM_VECTORS ((size_t)4)
#endif
#define GEMM_COLUMNS (GEMM_VECTORS * CPU_V_WIDTH)

// One step in k of a tile of `rows` rows: a packed row by row of k, b packed column vector by column vector.
static void NC_N(gemm_tile)(size_t depth, const NC_REAL *a, const NC_REAL *b, NC_REAL *sum)
{
    CPU_V tile[GEMM_ROWS][GEMM_VECTORS];
    for (size_t i = 0; i < GEMM_ROWS; ++i) {
        for (size_t v = 0; v < GEMM_VECTORS; ++v) {
            tile[i][v] = CPU_V_LOAD(sum + i * GEMM_COLUMNS + v * CPU_V_WIDTH);
        }
    }
    for (size_t p = 0; p < depth; ++p) {
        CPU_V row[GEMM_VECTORS];
        for (size_t v = 0; v < GEMM_VECTORS; ++v) {
            row[v] = CPU_V_LOAD(b + p * GEMM_COLUMNS + v * CPU_V_WIDTH);
        }
        for (size_t i = 0; i < GEMM_ROWS; ++i) {
            CPU_V left = CPU_V_ALL(a[p * GEMM_ROWS + i]);
            for (size_t v = 0; v < GEMM_VECTORS; ++v) {
                tile[i][v] = CPU_V_FMA(left, row[v], tile[i][v]);
            }
        }
    }
    for (size_t i = 0; i < GEMM_ROWS; ++i) {
        for (size_t v = 0; v < GEMM_VECTORS; ++v) {
            CPU_V_STORE(sum + i * GEMM_COLUMNS + v * CPU_V_WIDTH, tile[i][v]);
        }
    }
}

// Packs `count` x `depth` elements into panels of `width` (rows of A, columns of B): panel by panel, k by k. What lies past the
// edge is 0 and reaches only accumulators that nobody reads.
static void NC_N(gemm_pack)(const NC_REAL *source, int64_t stride, int64_t k_stride, size_t count, size_t depth, size_t width,
                            NC_REAL *packed)
{
    for (size_t first = 0; first < count; first += width) {
        size_t inside = count - first < width ? count - first : width;
        for (size_t p = 0; p < depth; ++p) {
            const NC_REAL *from = source + (int64_t)first * stride + (int64_t)p * k_stride;
            for (size_t i = 0; i < inside; ++i) {
                packed[i] = from[(int64_t)i * stride];
            }
            for (size_t i = inside; i < width; ++i) {
                packed[i] = NC_C(0.0);
            }
            packed += width;
        }
    }
}

// C = alpha sum + beta C for one block whose accumulators are finished.
static void NC_N(gemm_finish)(const NC_REAL *sum, size_t rows, size_t columns, NC_REAL alpha, NC_REAL beta, NC_REAL *c,
                              int64_t row_stride, int64_t column_stride)
{
    size_t panels = (columns + GEMM_COLUMNS - 1) / GEMM_COLUMNS;
    for (size_t i = 0; i < rows; ++i) {
        for (size_t j = 0; j < columns; ++j) {
            size_t tile = i / GEMM_ROWS * panels + j / GEMM_COLUMNS;
            NC_REAL value = alpha * sum[(tile * GEMM_ROWS + i % GEMM_ROWS) * GEMM_COLUMNS + j % GEMM_COLUMNS];
            NC_REAL *place = c + (int64_t)i * row_stride + (int64_t)j * column_stride;
            value = beta == NC_C(0.0) ? value : NC_FMA(beta, *place, value);
            *place = NC_CANON(value);
        }
    }
}

// Advances the tiles of a block by `depth` steps in k: B's panels are packed once, A's in pieces that stay in the cache.
static void NC_N(gemm_advance)(const cpu_gemm *g, size_t i0, size_t rows, size_t j0, size_t columns, size_t p0, size_t depth,
                               const cpu_gemm_workspace *w)
{
    const NC_REAL *a = (const NC_REAL *)g->a.data + (int64_t)i0 * g->a.row_stride + (int64_t)p0 * g->a.column_stride;
    const NC_REAL *b = (const NC_REAL *)g->b.data + (int64_t)j0 * g->b.column_stride + (int64_t)p0 * g->b.row_stride;
    size_t panels = (columns + GEMM_COLUMNS - 1) / GEMM_COLUMNS;
    NC_REAL *a_packed = w->a, *b_packed = w->b, *sums = w->sums;
    NC_N(gemm_pack)(b, g->b.column_stride, g->b.row_stride, columns, depth, GEMM_COLUMNS, b_packed);
    for (size_t piece = 0; piece < rows; piece += CPU_GEMM_PIECE_M) {
        size_t piece_rows = rows - piece < CPU_GEMM_PIECE_M ? rows - piece : CPU_GEMM_PIECE_M;
        NC_N(gemm_pack)
        (a + (int64_t)piece * g->a.row_stride, g->a.row_stride, g->a.column_stride, piece_rows, depth, GEMM_ROWS, a_packed);
        for (size_t panel = 0; panel < panels; ++panel) {
            for (size_t i = 0; i < piece_rows; i += GEMM_ROWS) {
                size_t tile = (piece + i) / GEMM_ROWS * panels + panel;
                NC_N(gemm_tile)
                (depth, a_packed + i * depth, b_packed + panel * GEMM_COLUMNS * depth, sums + tile * GEMM_ROWS * GEMM_COLUMNS);
            }
        }
    }
}

static void NC_N(gemm)(const cpu_gemm *g, const cpu_gemm_workspace *w)
{
    _Static_assert(CPU_GEMM_BLOCK_M % CPU_GEMM_PIECE_M == 0 && CPU_GEMM_PIECE_M % GEMM_ROWS == 0, "whole tiles");
    _Static_assert(CPU_GEMM_BLOCK_N % GEMM_COLUMNS == 0, "whole panels");
    _Static_assert(GEMM_ROWS <= CPU_GEMM_TILE_MAX && GEMM_COLUMNS <= CPU_GEMM_TILE_MAX, "the workspace has room for a tile");
    NC_REAL alpha = *(const NC_REAL *)g->alpha, beta = *(const NC_REAL *)g->beta, *sums = w->sums;
    for (size_t j = 0; j < g->n; j += CPU_GEMM_BLOCK_N) {
        size_t columns = g->n - j < CPU_GEMM_BLOCK_N ? g->n - j : CPU_GEMM_BLOCK_N;
        size_t panels = (columns + GEMM_COLUMNS - 1) / GEMM_COLUMNS;
        for (size_t i = 0; i < g->m; i += CPU_GEMM_BLOCK_M) {
            size_t rows = g->m - i < CPU_GEMM_BLOCK_M ? g->m - i : CPU_GEMM_BLOCK_M;
            size_t tiles = (rows + GEMM_ROWS - 1) / GEMM_ROWS * panels;
            memset(sums, 0, tiles * GEMM_ROWS * GEMM_COLUMNS * sizeof(NC_REAL));
            for (size_t p = 0; p < g->k; p += CPU_GEMM_BLOCK_K) {
                size_t depth = g->k - p < CPU_GEMM_BLOCK_K ? g->k - p : CPU_GEMM_BLOCK_K;
                NC_N(gemm_advance)(g, i, rows, j, columns, p, depth, w);
            }
            NC_REAL *c = (NC_REAL *)g->c.data + (int64_t)i * g->c.row_stride + (int64_t)j * g->c.column_stride;
            NC_N(gemm_finish)(sums, rows, columns, alpha, beta, c, g->c.row_stride, g->c.column_stride);
        }
    }
}
