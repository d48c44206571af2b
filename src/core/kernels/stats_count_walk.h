// SPDX-License-Identifier: Apache-2.0
// The sum of a probability function over low < k <= high by few values of it. Body: included by stats.h.
//
// A short interval is walked count by count. Of a longer one the first counts are, up to NC_WALK_SMOOTH: beyond, the function's
// continuation to real y is smooth at the scale of a count, and the rest is an integral and differences at its ends,
//   sum f(k) over a < k <= b = integral of f from a + 1/2 to b + 1/2 + [-d f/24 + 17 d^3 f/5760 - 367 d^5 f/967680 + ...],
// d the central difference, the bracket taken at b + 1/2 less that at a + 1/2. The integral is summed by Gauss-Legendre panels.
// docs/statistics.md derives it and bounds what is left out.

#define NC_WALK_SHORT 64   // so many counts are walked one by one
#define NC_WALK_SMOOTH 128 // and all up to this one
#ifdef NC_REAL_IS_F32
#define nc_walk_ends_f32 1 // neighbours on either side of an end: the differences d, or d, d^3 and d^5
NC_CONSTANT nc_f32 nc_walk_end_f32[1] = {NC_C(-0x1.555556p-5)};
#else
#define nc_walk_ends_f64 3
NC_CONSTANT nc_f64 nc_walk_end_f64[3] = {NC_C(-0x1.bcef79a244cefp-5), NC_C(0x1.3db285d307db3p-8), NC_C(-0x1.8dae303858daep-12)};
#endif

typedef struct NC_N(nc_count_walk) {
    nc_i64 count, single, high; // the last count visited, the last one of those visited one by one, the last of all
    nc_pair_f64 begin;          // of the panel
    nc_f64 width, rest;         // of the panel, and of all that is left from its begin on
    nc_i32 step;                // of the ends, then of a panel's nodes
    nc_pair_f64 at;             // where the walk is, and how much the value there counts
    NC_REAL weight;
} NC_N(nc_count_walk);

// 0 <= low < high.
NC_FN NC_N(nc_count_walk) NC_N(nc_count_walk_of)(nc_i64 low, nc_i64 high)
{
    NC_N(nc_count_walk) walk;
    walk.count = low;
    walk.single = high - low <= NC_WALK_SHORT ? high : low < NC_WALK_SMOOTH ? NC_WALK_SMOOTH : low;
    walk.single = walk.single < high ? walk.single : high;
    walk.high = high;
    walk.begin = nc_pair_plus_f64(nc_count_pair(walk.single), nc_pair_of_f64(NC_C64(0.5)));
    walk.rest = nc_count_pair(high - walk.single).high;
    walk.width = NC_C64(0.0);
    walk.step = 0;
    walk.at = walk.begin;
    walk.weight = NC_C(0.0);
    return walk;
}

// Neighbour `step` of both ends: each end has ends above it and as many below, whose weights are opposite.
NC_FN void NC_N(nc_count_walk_end)(NC_PRIVATE NC_N(nc_count_walk) * walk)
{
    nc_i32 is_low = walk->step & 1, is_below = walk->step & 2, k = walk->step >> 2;
    nc_pair_f64 offset = nc_pair_of_f64(is_below ? -(nc_f64)k : (nc_f64)k + NC_C64(1.0));
    walk->at = nc_pair_plus_f64(nc_count_pair(is_low ? walk->single : walk->high), offset);
    walk->weight = (is_low != 0) == (is_below != 0) ? NC_N(nc_walk_end)[k] : -NC_N(nc_walk_end)[k];
}

// To the next place; 0 after the last one. A panel ends at three times its begin at most.
NC_FN nc_i32 NC_N(nc_count_walk_next)(NC_PRIVATE NC_N(nc_count_walk) * walk)
{
    if (walk->count < walk->single) {
        walk->count += 1;
        walk->at = nc_count_pair(walk->count);
        walk->weight = NC_C(1.0);
        return 1;
    }
    if (walk->single == walk->high) {
        return 0;
    }
    if (walk->step < 4 * NC_N(nc_walk_ends)) {
        NC_N(nc_count_walk_end)(walk);
        walk->step += 1;
        return 1;
    }
    nc_i32 node = (walk->step - 4 * NC_N(nc_walk_ends)) % NC_N(nc_gauss_points);
    if (node == 0) {
        walk->begin = nc_pair_plus_f64(walk->begin, nc_pair_of_f64(walk->width));
        walk->rest = walk->rest - walk->width;
        walk->width = walk->rest < NC_C64(2.0) * walk->begin.high ? walk->rest : NC_C64(2.0) * walk->begin.high;
        if (!(walk->width > NC_C64(0.0))) {
            return 0;
        }
    }
    nc_f64 offset = walk->width * (nc_f64)NC_N(nc_gauss)[2 * node];
    walk->at = nc_pair_plus_f64(walk->begin, nc_pair_of_f64(offset));
    walk->weight = (NC_REAL)(walk->width * (nc_f64)NC_N(nc_gauss)[2 * node + 1]);
    walk->step += 1;
    return 1;
}
