// SPDX-License-Identifier: Apache-2.0
#include "canonical.h"

#include <stdlib.h>

// The numbers of docs/sums.md, stated again: the oracle takes nothing from the core.
enum { LANES = 256, CHUNK = 4096 };

// From twice (three times, with a scalar) the least subnormal's exponent to as often the largest, and 2^40 terms.
mpfr_prec_t oracle_exact_bits(golden_dtype dtype)
{
    const oracle_format *format = oracle_format_of(dtype);
    return 3 * (format->largest - format->least + format->precision) + 64;
}

void oracle_scratch_init(oracle_scratch *scratch, golden_dtype dtype)
{
    scratch->dtype = dtype;
    mpfr_init2(scratch->term, 2 * oracle_format_of(dtype)->precision);
    mpfr_init2(scratch->sum, oracle_exact_bits(dtype));
    mpfr_inits2(64, scratch->factor, scratch->ulp, (mpfr_ptr)0);
}

void oracle_scratch_clear(oracle_scratch *scratch)
{
    mpfr_clears(scratch->factor, scratch->term, scratch->sum, scratch->ulp, (mpfr_ptr)0);
}

void oracle_partial_init(oracle_partial *partial, golden_dtype dtype)
{
    mpfr_init2(partial->rounded, oracle_format_of(dtype)->precision);
    mpfr_init2(partial->lost, 64);
    mpfr_set_zero(partial->lost, 1);
}

void oracle_partial_clear(oracle_partial *partial)
{
    mpfr_clears(partial->rounded, partial->lost, (mpfr_ptr)0);
}

void oracle_partial_set(oracle_partial *partial, golden_value value)
{
    oracle_load(partial->rounded, value);
    mpfr_set_zero(partial->lost, 1);
}

void oracle_partial_round(oracle_partial *partial, const mpfr_t value, oracle_scratch *scratch)
{
    if (!oracle_round_to(partial->rounded, value, scratch->dtype)) {
        oracle_ulp(scratch->ulp, value, scratch->dtype);
        mpfr_add(partial->lost, partial->lost, scratch->ulp, MPFR_RNDD);
    }
}

void oracle_partial_add(oracle_partial *left, const oracle_partial *right, oracle_scratch *scratch)
{
    mpfr_add(scratch->sum, left->rounded, right->rounded, MPFR_RNDN);
    mpfr_add(left->lost, left->lost, right->lost, MPFR_RNDD);
    oracle_partial_round(left, scratch->sum, scratch);
}

void oracle_partial_fma(oracle_partial *chain, golden_value a, golden_value b, oracle_scratch *scratch)
{
    oracle_load(scratch->factor, a);
    oracle_load(scratch->term, b);
    mpfr_mul(scratch->term, scratch->factor, scratch->term, MPFR_RNDN); // exact in twice the precision
    mpfr_add(scratch->sum, scratch->term, chain->rounded, MPFR_RNDN);
    oracle_partial_round(chain, scratch->sum, scratch);
}

static void partials_init(oracle_partial *partials, size_t count, golden_dtype dtype)
{
    for (size_t i = 0; i < count; ++i) {
        oracle_partial_init(&partials[i], dtype);
    }
}

static void partials_free(oracle_partial *partials, size_t count)
{
    for (size_t i = 0; partials != NULL && i < count; ++i) {
        oracle_partial_clear(&partials[i]);
    }
    free(partials);
}

// The binary tree over the lanes: lane i takes lane i + step for step = 128, 64, ..., 1.
static void lanes_fold(oracle_partial *lanes, oracle_scratch *scratch)
{
    for (size_t step = LANES / 2; step > 0; step /= 2) {
        for (size_t i = 0; i < step; ++i) {
            oracle_partial_add(&lanes[i], &lanes[i + step], scratch);
        }
    }
}

static void lanes_start(oracle_partial *lanes, bool negative)
{
    for (size_t lane = 0; lane < LANES; ++lane) {
        mpfr_set_zero(lanes[lane].rounded, negative ? -1 : 1);
        mpfr_set_zero(lanes[lane].lost, 1);
    }
}

// One chunk of elements: a chain per lane, in ascending order, then the tree.
static void chunk_elements(const golden_array *x, const golden_array *y, size_t begin, size_t end, oracle_partial *lanes,
                           oracle_partial *element, oracle_scratch *scratch)
{
    lanes_start(lanes, y == NULL);
    for (size_t i = begin; i < end; ++i) {
        oracle_partial *lane = &lanes[(i - begin) % LANES];
        if (y != NULL) {
            oracle_partial_fma(lane, golden_array_at(x, i), golden_array_at(y, i), scratch);
        } else {
            oracle_partial_set(element, golden_array_at(x, i));
            oracle_partial_add(lane, element, scratch);
        }
    }
    lanes_fold(lanes, scratch);
}

static void partial_copy(oracle_partial *to, const oracle_partial *from)
{
    mpfr_set(to->rounded, from->rounded, MPFR_RNDN);
    mpfr_set(to->lost, from->lost, MPFR_RNDD);
}

golden_status oracle_canonical(const golden_array *x, const golden_array *y, oracle_partial *result, golden_error *error)
{
    size_t count = x->count, chunks = (count + CHUNK - 1) / CHUNK;
    if (count == 0) {
        mpfr_set_zero(result->rounded, 1);
        mpfr_set_zero(result->lost, 1);
        return GOLDEN_OK;
    }
    oracle_partial *lanes = calloc(LANES + 1, sizeof *lanes), *sums = calloc(chunks, sizeof *sums);
    if (lanes == NULL || sums == NULL) {
        free(lanes);
        free(sums);
        return golden_fail(error, GOLDEN_REFUSED, "out of memory for %zu chunks.", chunks);
    }
    oracle_scratch scratch;
    oracle_scratch_init(&scratch, x->dtype);
    partials_init(lanes, LANES + 1, x->dtype);
    partials_init(sums, chunks, x->dtype);
    for (size_t c = 0; c < chunks; ++c) {
        size_t end = (c + 1) * CHUNK < count ? (c + 1) * CHUNK : count;
        chunk_elements(x, y, c * CHUNK, end, lanes, &lanes[LANES], &scratch);
        partial_copy(&sums[c], &lanes[0]);
    }
    // Chunk results are summed by the rule of a sum until one is left.
    for (size_t left = chunks; left > 1; left = (left + CHUNK - 1) / CHUNK) {
        for (size_t c = 0; c * CHUNK < left; ++c) {
            lanes_start(lanes, true);
            for (size_t i = c * CHUNK; i < left && i < (c + 1) * CHUNK; ++i) {
                oracle_partial_add(&lanes[(i - c * CHUNK) % LANES], &sums[i], &scratch);
            }
            lanes_fold(lanes, &scratch);
            partial_copy(&sums[c], &lanes[0]);
        }
    }
    partial_copy(result, &sums[0]);
    partials_free(lanes, LANES + 1);
    partials_free(sums, chunks);
    oracle_scratch_clear(&scratch);
    return GOLDEN_OK;
}
