// SPDX-License-Identifier: Apache-2.0
// Results of the dense systems for device_bytes.c: factors, statuses, pivots and solutions of every order up to 24 and of orders
// around the lanes of a group, with matrices that end a factorisation in every way.
#include "device_bytes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// What is wrong with a made matrix, so that every status and every early end comes up.
typedef enum flaw { SOUND, NEGATIVE_DIAGONAL, NAN_DIAGONAL, LOPSIDED, ZERO_COLUMN, NAN_BELOW, EQUAL_ROWS, FLAWS } flaw;

static double fraction(uint64_t random)
{
    return (double)(int64_t)(random >> 40) * 0x1p-23 - 1.0;
}

// Entry (i, j) of an n x n matrix: symmetric with a heavy diagonal where `definite`, else anything, with ties of the magnitudes.
static double entry(int64_t n, int64_t i, int64_t j, int definite, flaw wrong)
{
    int64_t low = i < j ? i : j, high = i < j ? j : i, place = 2 * n / 3;
    double value = fraction(device_bytes_random((uint64_t)(definite ? low * n + high : i * n + j)));
    if (!definite && (i + j) % 5 == 0) {
        value = value < 0.0 ? -1.0 : 1.0;
    }
    value = definite && i == j ? value + 0.75 * (double)n + 1.5 : value;
    switch (wrong) {
    case NEGATIVE_DIAGONAL:
        return i == place && j == place ? -1.0 : value;
    case NAN_DIAGONAL:
        return i == place && j == place ? (double)NAN : value;
    case LOPSIDED:
        return i == n - 1 && j == 0 ? value + 1.0 : value;
    case ZERO_COLUMN:
        return j == place || (definite && i == place) ? 0.0 : value;
    case NAN_BELOW:
        return (i == n - 1 && j == place) || (definite && j == n - 1 && i == place) ? (double)NAN : value;
    case EQUAL_ROWS:
        return entry(n, i == n - 1 ? 0 : i, definite && j == n - 1 ? 0 : j, definite, SOUND);
    default:
        return value;
    }
}

// A batch with one matrix for each flaw from `first` on.
static nc_array *matrices(nc_dtype dtype, int64_t batch, int64_t n, int definite, flaw first)
{
    const int64_t count = batch * n * n;
    double *wide = malloc((size_t)count * sizeof *wide);
    float *narrow = malloc((size_t)count * sizeof *narrow);
    nc_array *array = device_bytes_create(dtype, 1, &count);
    if (wide == NULL || narrow == NULL) {
        exit(1);
    }
    for (int64_t e = 0; e < count; ++e) {
        wide[e] = entry(n, e / n % n, e % n, definite, (flaw)((first + e / (n * n)) % FLAWS));
        narrow[e] = (float)wide[e];
    }
    REQUIRE(
        nc_array_upload(array, dtype == NC_F32 ? (const void *)narrow : (const void *)wide, (size_t)count * nc_dtype_size(dtype)));
    free(wide);
    free(narrow);
    return array;
}

// Factors, statuses, pivots and solutions of a batch. Where `turned` the factors lie transposed in memory.
static void systems_of(nc_dtype dtype, int64_t batch, int64_t n, int definite, int turned, flaw first)
{
    char details[64];
    const int64_t shape[] = {batch, n, n}, vectors[] = {batch, n};
    const int64_t lines[] = {n * n, n, 1}, transposed[] = {n * n, 1, n}, elements = batch * n * n;
    nc_array *base = matrices(dtype, batch, n, definite, first), *target = device_bytes_create(dtype, 1, &elements);
    nc_array *a = device_bytes_view(base, 0, 3, shape, lines),
             *factor = device_bytes_view(target, 0, 3, shape, turned ? transposed : lines);
    nc_array *status = device_bytes_create(NC_I32, 1, &batch), *pivots = device_bytes_create(NC_I32, 2, vectors),
             *x = device_bytes_create(dtype, 2, vectors);
    REQUIRE(nc_rng_uniform(1, 2, 0, x));
    (void)snprintf(details, sizeof details, "%" PRId64 "x%" PRId64 "-%d-%d", batch, n, turned, (int)first);
    if (definite) {
        REQUIRE(nc_cholesky(a, factor, status));
        REQUIRE(nc_cholesky_solve(factor, x, x));
    } else {
        REQUIRE(nc_lu(a, factor, pivots, status));
        REQUIRE(nc_lu_solve(factor, pivots, x, x));
        device_bytes_emit("lu-pivots", details, pivots);
        pivots = NULL;
    }
    nc_array *views[] = {a, factor, base, pivots};
    for (size_t v = 0; v < sizeof views / sizeof views[0]; ++v) {
        if (views[v] != NULL) {
            REQUIRE(nc_array_release(views[v]));
        }
    }
    device_bytes_emit(definite ? "cholesky" : "lu", details, target);
    device_bytes_emit(definite ? "cholesky-status" : "lu-status", details, status);
    device_bytes_emit(definite ? "cholesky-solve" : "lu-solve", details, x);
}

void device_bytes_systems(nc_dtype dtype, int small)
{
    static const int64_t orders[] = {31, 32, 33, 63, 64, 65, 90, 127, 128, 255, 256, 257, 300, 600};
    for (int definite = 0; definite < 2; ++definite) {
        for (int64_t n = 1; n <= (small ? 13 : 24); n += small ? 4 : 1) {
            systems_of(dtype, FLAWS, n, definite, (int)n % 2, SOUND);
        }
        for (size_t o = 0; o < (small ? 0u : sizeof orders / sizeof orders[0]); ++o) {
            int turned = (int)(o % 2);
            systems_of(dtype, orders[o] > 128 ? 2 : FLAWS, orders[o], definite, turned, SOUND);
        }
        for (int first = NAN_DIAGONAL; first < FLAWS && !small; first += 2) {
            systems_of(dtype, 2, 257, definite, 0, (flaw)first);
        }
        systems_of(dtype, small ? 2 : 13000, 12, definite, 0, SOUND); // more than the groups of a launch are worth
    }
}
