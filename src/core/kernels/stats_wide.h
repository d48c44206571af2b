// SPDX-License-Identifier: Apache-2.0
// Counts and count deviations in float64, for both precisions (a deviation y - mu has no digits left in float32). Has a guard;
// needs the float64 elementary functions before it.
#if !defined(NC_KERNELS_STATS_WIDE_H) // not #ifndef: its first inclusion may stand where the preprocessor skips it
#define NC_KERNELS_STATS_WIDE_H

// A count in [0, 2^63) as an exact pair.
NC_FN nc_pair_f64 nc_count_pair(nc_i64 count)
{
    nc_f64 high = (nc_f64)(nc_u32)((nc_u64)count >> 32) * NC_C64(0x1p32);
    return nc_sum_ordered_f64(high, (nc_f64)(nc_u32)((nc_u64)count & 0xffffffffu));
}

// count - x.
NC_FN_APART nc_pair_f64 nc_count_minus(nc_i64 count, nc_pair_f64 x)
{
    return nc_pair_minus_f64(nc_count_pair(count), x);
}

// A binomial datum: p, q = 1 - p, n p, n q and y - n p. For y < 0 or y > n the deviation is not used.
// Where only y changes, nc_binomial_move keeps the rest. `rest` is n - y.
typedef struct nc_binomial_wide {
    nc_pair_f64 p, q, successes, failures, deviation;
} nc_binomial_wide;

NC_FN_APART nc_pair_f64 nc_binomial_move(nc_binomial_wide wide, nc_pair_f64 y, nc_pair_f64 rest)
{
    // from the smaller of p and q: the other one is rounded
    return wide.p.high <= NC_C64(0.5) ? nc_pair_minus_f64(y, wide.successes) : nc_pair_minus_f64(wide.failures, rest);
}

NC_FN_APART nc_binomial_wide nc_binomial_of_pairs(nc_i64 y, nc_i64 trials, nc_pair_f64 p, nc_pair_f64 q)
{
    nc_binomial_wide wide;
    nc_pair_f64 n = nc_count_pair(trials);
    wide.p = p;
    wide.q = q;
    wide.successes = nc_pair_product_f64(n, p);
    wide.failures = nc_pair_product_f64(n, q);
    wide.deviation = nc_binomial_move(wide, nc_count_pair(y), nc_count_pair(y <= trials ? trials - y : 0));
    return wide;
}

NC_FN nc_binomial_wide nc_binomial_by_probability(nc_i64 y, nc_i64 trials, nc_f64 p)
{
    return nc_binomial_of_pairs(y, trials, nc_pair_of_f64(p), nc_sum_exact_f64(NC_C64(1.0), -p));
}

NC_FN nc_binomial_wide nc_binomial_by_logit(nc_i64 y, nc_i64 trials, nc_f64 eta)
{
    return nc_binomial_of_pairs(y, trials, nc_sigmoid_pair_f64(eta), nc_sigmoid_pair_f64(-eta));
}

#endif
