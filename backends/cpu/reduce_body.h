// SPDX-License-Identifier: Apache-2.0
// Folds of one chunk of contiguous elements (1 <= count <= NC_SUM_CHUNK) to one value, in the canonical order of docs/sums.md.
// Include once per real type, after vector.h.

#define FOLD_VECTORS 8 // accumulators in registers

static void NC_N(fold_tree)(NC_REAL *lane, NC_REAL *out)
{
    for (size_t s = NC_SUM_LANES / 2; s > 0; s /= 2) {
        for (size_t i = 0; i < s; ++i) {
            lane[i] = lane[i] + lane[i + s];
        }
    }
    *out = NC_CANON(lane[0]);
}

static void NC_N(fold_sum)(const void *x_data, const void *y_data, size_t count, void *out)
{
    const NC_REAL *x = x_data;
    NC_REAL lane[NC_SUM_LANES];
    size_t rows = count / NC_SUM_LANES;
    (void)y_data;
    for (size_t first = 0; first < NC_SUM_LANES; first += FOLD_VECTORS * CPU_V_WIDTH) {
        CPU_V sum[FOLD_VECTORS];
        for (size_t v = 0; v < FOLD_VECTORS; ++v) {
            sum[v] = CPU_V_ALL(-NC_C(0.0));
        }
        for (size_t row = 0; row < rows; ++row) {
            for (size_t v = 0; v < FOLD_VECTORS; ++v) {
                sum[v] = CPU_V_ADD(sum[v], CPU_V_LOAD(x + row * NC_SUM_LANES + first + v * CPU_V_WIDTH));
            }
        }
        for (size_t v = 0; v < FOLD_VECTORS; ++v) {
            CPU_V_STORE(lane + first + v * CPU_V_WIDTH, sum[v]);
        }
    }
    for (size_t i = rows * NC_SUM_LANES; i < count; ++i) {
        lane[i - rows * NC_SUM_LANES] = lane[i - rows * NC_SUM_LANES] + x[i];
    }
    NC_N(fold_tree)(lane, out);
}

static void NC_N(fold_dot)(const void *x_data, const void *y_data, size_t count, void *out)
{
    const NC_REAL *x = x_data, *y = y_data;
    NC_REAL lane[NC_SUM_LANES];
    size_t rows = count / NC_SUM_LANES;
    for (size_t first = 0; first < NC_SUM_LANES; first += FOLD_VECTORS * CPU_V_WIDTH) {
        CPU_V sum[FOLD_VECTORS];
        for (size_t v = 0; v < FOLD_VECTORS; ++v) {
            sum[v] = CPU_V_ALL(NC_C(0.0));
        }
        for (size_t row = 0; row < rows; ++row) {
            for (size_t v = 0; v < FOLD_VECTORS; ++v) {
                size_t i = row * NC_SUM_LANES + first + v * CPU_V_WIDTH;
                sum[v] = CPU_V_FMA(CPU_V_LOAD(x + i), CPU_V_LOAD(y + i), sum[v]);
            }
        }
        for (size_t v = 0; v < FOLD_VECTORS; ++v) {
            CPU_V_STORE(lane + first + v * CPU_V_WIDTH, sum[v]);
        }
    }
    for (size_t i = rows * NC_SUM_LANES; i < count; ++i) {
        lane[i - rows * NC_SUM_LANES] = NC_FMA(x[i], y[i], lane[i - rows * NC_SUM_LANES]);
    }
    NC_N(fold_tree)(lane, out);
}

// Minimum and maximum do not depend on the order: they run on keys, integers that sort as IEEE 754-2019 orders numbers.
static NC_REAL NC_N(real_of_key)(NC_BITS key)
{
    return NC_OF_BITS((key & NC_SIGN_BIT) ? (NC_BITS)(key ^ NC_SIGN_BIT) : (NC_BITS)~key);
}

static void NC_N(fold_minimum)(const void *x_data, const void *y_data, size_t count, void *out)
{
    const NC_REAL *x = x_data;
    NC_BITS least = (NC_BITS) ~(NC_BITS)0, largest_magnitude = 0;
    (void)y_data;
    for (size_t i = 0; i < count; ++i) {
        NC_BITS magnitude = NC_BITS_OF(x[i]) & (NC_BITS)~NC_SIGN_BIT, key = NC_N(nc_order_key)(x[i]);
        least = key < least ? key : least;
        largest_magnitude = magnitude > largest_magnitude ? magnitude : largest_magnitude;
    }
    *(NC_REAL *)out = largest_magnitude > NC_INF_BITS ? NC_N(nc_nan)() : NC_N(real_of_key)(least);
}

static void NC_N(fold_maximum)(const void *x_data, const void *y_data, size_t count, void *out)
{
    const NC_REAL *x = x_data;
    NC_BITS most = 0, largest_magnitude = 0;
    (void)y_data;
    for (size_t i = 0; i < count; ++i) {
        NC_BITS magnitude = NC_BITS_OF(x[i]) & (NC_BITS)~NC_SIGN_BIT, key = NC_N(nc_order_key)(x[i]);
        most = key > most ? key : most;
        largest_magnitude = magnitude > largest_magnitude ? magnitude : largest_magnitude;
    }
    *(NC_REAL *)out = largest_magnitude > NC_INF_BITS ? NC_N(nc_nan)() : NC_N(real_of_key)(most);
}

#undef FOLD_VECTORS
