// SPDX-License-Identifier: Apache-2.0
// normal_error COUNT SEED BOUND: the error of the normal quantile in ulp, against MPFR.
//
// Tries COUNT points spread evenly over u and COUNT spread evenly over log p, both ends, the middle, and every segment border with
// its neighbours, where it also requires the quantile to grow strictly. Prints the largest error and its place; status 1 when it is
// not at most BOUND or the order is broken.
//
// Truth: with d = (Phi(-x) - p) / phi(x), the true quantile is x + d up to d^2 x / 2, which is below 2^-90 of x here.
#include "host/normal_table.h"
#include "kernels/philox.h"

#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>

#define PRECISION 160
#define HALF_COUNT ((uint64_t)1 << 51) // p = (2j + 1) 2^-53 for j below this
#define NEIGHBOURS 3

typedef struct sweep {
    mpfr_t x, tail, density, p, root_half, scale;
    double worst, worst_u;
    uint64_t points;
    uint64_t disorders;
} sweep;

static double quantile_of(uint64_t j)
{
    return -nc_normal_quantile(nc_normal_table, (double)(2 * j + 1) * 0x1p-53);
}

// Error of the upper-tail quantile at p = (2j + 1) 2^-53, in ulp of the result.
static void try_point(sweep *s, uint64_t j)
{
    double p = (double)(2 * j + 1) * 0x1p-53, x = quantile_of(j);
    double mirrored = nc_normal_quantile(nc_normal_table, 1.0 - p);
    mpfr_set_d(s->x, x, MPFR_RNDN);
    mpfr_mul(s->tail, s->x, s->root_half, MPFR_RNDN);
    mpfr_erfc(s->tail, s->tail, MPFR_RNDN);
    mpfr_div_2ui(s->tail, s->tail, 1, MPFR_RNDN);
    mpfr_sub_d(s->tail, s->tail, p, MPFR_RNDN);
    mpfr_sqr(s->density, s->x, MPFR_RNDN);
    mpfr_div_si(s->density, s->density, -2, MPFR_RNDN);
    mpfr_exp(s->density, s->density, MPFR_RNDN);
    mpfr_mul(s->density, s->density, s->scale, MPFR_RNDN);
    mpfr_div(s->tail, s->tail, s->density, MPFR_RNDN); // true minus computed
    mpfr_add(s->p, s->x, s->tail, MPFR_RNDN);
    mpfr_mul_2si(s->tail, s->tail, 53 - mpfr_get_exp(s->p), MPFR_RNDN);
    double error = mpfr_get_d(s->tail, MPFR_RNDN);
    error = error < 0 ? -error : error;
    if (!(error <= s->worst)) {
        s->worst = error;
        s->worst_u = p;
    }
    s->disorders += !(mirrored == x);
    ++s->points;
}

// Points around j, and their order: a larger p has a smaller upper-tail quantile.
static void try_around(sweep *s, uint64_t j)
{
    uint64_t first = j < NEIGHBOURS ? 0 : j - NEIGHBOURS;
    for (uint64_t i = first; i <= j + NEIGHBOURS && i < HALF_COUNT; ++i) {
        try_point(s, i);
        s->disorders += i > first && !(quantile_of(i) < quantile_of(i - 1));
    }
}

static uint64_t next_random(uint64_t *state)
{
    nc_philox block = nc_philox_block(0x6e6f726d616cu, (*state)++, 0);
    return ((uint64_t)block.word[0] << 32) | block.word[1];
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: normal_error COUNT SEED BOUND\n");
        return 64;
    }
    uint64_t count = strtoull(argv[1], NULL, 10), state = strtoull(argv[2], NULL, 10) << 32;
    double bound = strtod(argv[3], NULL);
    sweep s = {.worst = 0};
    mpfr_inits2(PRECISION, s.x, s.tail, s.density, s.p, s.root_half, s.scale, (mpfr_ptr)0);
    mpfr_set_d(s.root_half, 0.5, MPFR_RNDN);
    mpfr_sqrt(s.root_half, s.root_half, MPFR_RNDN);
    mpfr_const_pi(s.scale, MPFR_RNDN);
    mpfr_mul_2ui(s.scale, s.scale, 1, MPFR_RNDN);
    mpfr_rec_sqrt(s.scale, s.scale, MPFR_RNDN);
    for (uint64_t i = 0; i < count; ++i) {
        try_point(&s, next_random(&state) >> 13);
        uint64_t bits = next_random(&state) % 51; // j of this many bits
        try_point(&s, (next_random(&state) | (uint64_t)1 << 63) >> (63 - bits));
    }
    for (int exponent = -53; exponent <= -2; ++exponent) { // j of the first p at or above each border
        for (uint64_t part = 0; part < 4; ++part) {
            try_around(&s, exponent < -51 ? part : ((4 + part) << (exponent + 51)) / 2);
        }
    }
    try_around(&s, HALF_COUNT - 1);
    printf("normal quantile: %llu points, largest error %.4f ulp at p = %a, %llu out of order or not symmetric\n",
           (unsigned long long)s.points, s.worst, s.worst_u, (unsigned long long)s.disorders);
    mpfr_clears(s.x, s.tail, s.density, s.p, s.root_half, s.scale, (mpfr_ptr)0);
    mpfr_free_cache();
    return !(s.worst <= bound && s.disorders == 0 && s.points >= 2 * count + 1000);
}
