// SPDX-License-Identifier: Apache-2.0
// Addressed draws in float64. Has a guard; needs the float64 bodies of this module before it.
//
// A draw is a function of (seed, stream, index): attempt t of draw i reads the Philox block 64 i + t of the subsequence
// tag 2^32 + stream, tag = family 256 + purpose, so families and auxiliary draws share no block. An attempt takes one block: words
// 0 and 1 make the first uniform, 2 and 3 the second. Every decision is made in float64 with the core's own functions.
//   normal, log-normal           inverse distribution function of the first uniform
//   gamma                        Marsaglia & Tsang 2000 (doi:10.1145/358407.358414); below shape 1 times U^(1/a), in logarithms
//   Student-t                    z sqrt(h/G), G gamma with shape h = nu/2
//   Poisson                      below mean 10 inversion, else PTRS (Hormann 1993, doi:10.1016/0167-6687(93)90997-4)
//   negative binomial            Poisson with mean G mu/phi, G gamma with shape phi
//   binomial                     below n min(p, q) = 10 inversion, else BTRS (Hormann 1993, doi:10.1080/00949659308811496)
#ifndef NC_KERNELS_STATS_DRAW_H
#define NC_KERNELS_STATS_DRAW_H

#include "normal.h"
#include "philox.h"

#define NC_DRAW_ATTEMPTS 64
#define NC_DRAW_LARGEST_MEAN NC_C64(0x1p52) // beyond, float64 no longer holds every count near the mean
#define NC_DRAW_INVERSION_STEPS 1024        // a mean below 10 leaves less than 2^-1000 beyond

// Purposes: what a block is for.
#define NC_DRAW_MAIN 0u
#define NC_DRAW_SHAPE 1u // the gamma variate behind Student-t and the negative binomial
#define NC_DRAW_BOOST 2u // U^(1/a)
#define NC_DRAW_COUNT 3u // the Poisson variate behind the negative binomial

typedef struct nc_draw_address {
    nc_u64 seed, index;
    nc_u32 stream, family;
    NC_GLOBAL const nc_f64 *normal_table; // of kernels/normal.h
} nc_draw_address;

typedef struct nc_draw_uniforms {
    nc_f64 first, second;
} nc_draw_uniforms;

NC_FN_APART nc_draw_uniforms nc_draw_block(nc_draw_address address, nc_u32 purpose, nc_u32 attempt)
{
    nc_u64 tag = (nc_u64)(address.family * 256u + purpose);
    nc_philox block = nc_philox_block(address.seed, 64u * address.index + attempt, (tag << 32) | address.stream);
    nc_draw_uniforms uniforms;
    uniforms.first = nc_uniform_f64(block.word[0], block.word[1]);
    uniforms.second = nc_uniform_f64(block.word[2], block.word[3]);
    return uniforms;
}

typedef struct nc_draw_real {
    nc_f64 value;
    nc_i32 status;
} nc_draw_real;
typedef struct nc_draw_count {
    nc_i64 value; // -1 unless the status is OK
    nc_i32 status;
} nc_draw_count;

NC_FN nc_draw_real nc_draw_real_of(nc_f64 value, nc_i32 status)
{
    nc_draw_real draw;
    draw.value = status == NC_STATS_OK ? value : nc_nan_f64();
    draw.status = status;
    return draw;
}
NC_FN nc_draw_count nc_draw_count_of(nc_i64 value, nc_i32 status)
{
    nc_draw_count draw;
    draw.value = status == NC_STATS_OK ? value : -1;
    draw.status = status;
    return draw;
}

NC_FN nc_f64 nc_draw_normal(nc_draw_address address)
{
    return nc_normal_quantile(address.normal_table, nc_draw_block(address, NC_DRAW_MAIN, 0).first);
}

// Logarithm of a gamma variate with shape a and rate 1. v = (1 + c z)^3; log u < z^2/2 + d (1 - v + log v) accepts.
NC_FN_APART nc_draw_real nc_draw_log_gamma(nc_draw_address address, nc_u32 purpose, nc_f64 a, nc_u32 attempts)
{
    nc_f64 d = (a < NC_C64(1.0) ? a + NC_C64(1.0) : a) - NC_C64(1.0) / NC_C64(3.0);
    nc_f64 c = NC_C64(1.0) / NC_SQRT_F64(NC_C64(9.0) * d);
    for (nc_u32 attempt = 0; attempt < attempts; ++attempt) {
        nc_draw_uniforms uniforms = nc_draw_block(address, purpose, attempt);
        nc_f64 z = nc_normal_quantile(address.normal_table, uniforms.first);
        nc_f64 t = c * z;
        if (t <= NC_C64(-1.0)) {
            continue;
        }
        nc_f64 excess = t * NC_FMA_F64(t, t + NC_C64(3.0), NC_C64(3.0)); // v - 1
        if (nc_log_f64(uniforms.second) < NC_FMA_F64(NC_C64(0.5) * z, z, d * nc_log1pmx_f64(excess))) {
            nc_f64 log_value = nc_log_f64(d) + NC_C64(3.0) * nc_log1p_f64(t);
            if (a < NC_C64(1.0)) {
                log_value += nc_log_f64(nc_draw_block(address, NC_DRAW_BOOST, 0).first) / a;
            }
            return nc_draw_real_of(log_value, NC_STATS_OK);
        }
    }
    return nc_draw_real_of(NC_C64(0.0), NC_STATS_EXHAUSTED);
}

// Smallest k with u <= F(k), for a mean below 10: pmf(0) = first, pmf(k) = pmf(k-1) ratio(k), ratio(k) = (scale/k) or
// ((n - k + 1)/k) scale.
NC_FN nc_draw_count nc_draw_inverse(nc_f64 u, nc_f64 first, nc_f64 scale, nc_i64 trials)
{
    nc_f64 mass = first, sum = first;
    for (nc_i64 k = 0; k < NC_DRAW_INVERSION_STEPS; ++k) {
        if (u <= sum || k == trials) {
            return nc_draw_count_of(k, NC_STATS_OK);
        }
        nc_f64 next = (nc_f64)(k + 1);
        mass = mass * (trials < 0 ? scale / next : (nc_f64)(trials - k) / next * scale);
        sum = sum + mass;
    }
    return nc_draw_count_of(0, NC_STATS_EXHAUSTED);
}

// The transformed rejection that PTRS and BTRS share: proposal floor((2 a/us + b) (u - 1/2) + shift), us = 1/2 - |u - 1/2|.
typedef struct nc_draw_hat {
    nc_f64 a, b, shift, quick; // v <= quick accepts where us >= 0.07
} nc_draw_hat;
typedef struct nc_draw_proposal {
    nc_f64 k, us, v;
} nc_draw_proposal;
NC_FN nc_draw_proposal nc_draw_propose(nc_draw_hat hat, nc_draw_uniforms uniforms)
{
    nc_draw_proposal proposal;
    nc_f64 centred = uniforms.first - NC_C64(0.5);
    proposal.us = NC_C64(0.5) - NC_FABS_F64(centred);
    proposal.v = uniforms.second;
    proposal.k = NC_FLOOR_F64(NC_FMA_F64(NC_C64(2.0) * hat.a / proposal.us + hat.b, centred, hat.shift));
    return proposal;
}

NC_FN_APART nc_draw_count nc_draw_poisson(nc_draw_address address, nc_u32 purpose, nc_f64 mean, nc_u32 attempts)
{
    if (!(mean <= NC_DRAW_LARGEST_MEAN)) {
        return nc_draw_count_of(0, NC_STATS_UNSUPPORTED);
    }
    if (mean < NC_C64(10.0)) {
        return nc_draw_inverse(nc_draw_block(address, purpose, 0).first, nc_exp_f64(-mean), mean, -1);
    }
    nc_draw_hat hat;
    hat.b = NC_FMA_F64(NC_C64(2.53), NC_SQRT_F64(mean), NC_C64(0.931));
    hat.a = NC_FMA_F64(NC_C64(0.02483), hat.b, NC_C64(-0.059));
    hat.shift = mean + NC_C64(0.43);
    hat.quick = NC_C64(0.9277) - NC_C64(3.6224) / (hat.b - NC_C64(2.0));
    nc_f64 inverse_alpha = NC_C64(1.1239) + NC_C64(1.1328) / (hat.b - NC_C64(3.4));
    for (nc_u32 attempt = 0; attempt < attempts; ++attempt) {
        nc_draw_proposal proposal = nc_draw_propose(hat, nc_draw_block(address, purpose, attempt));
        if (!(proposal.k >= NC_C64(0.0) && proposal.k < NC_C64(0x1p62)) ||
            (proposal.us < NC_C64(0.013) && proposal.v > proposal.us)) {
            continue;
        }
        nc_i64 k = nc_to_i64_f64(proposal.k);
        if (proposal.us >= NC_C64(0.07) && proposal.v <= hat.quick) {
            return nc_draw_count_of(k, NC_STATS_OK);
        }
        nc_f64 height = nc_log_f64(proposal.v * inverse_alpha / (hat.a / (proposal.us * proposal.us) + hat.b));
        if (height <= nc_poisson_log_density_f64(k, mean)) {
            return nc_draw_count_of(k, NC_STATS_OK);
        }
    }
    return nc_draw_count_of(0, NC_STATS_EXHAUSTED);
}

// p is the smaller probability, q = 1 - p.
NC_FN_APART nc_draw_count nc_draw_binomial_lower(nc_draw_address address, nc_i64 trials, nc_pair_f64 p, nc_pair_f64 q,
                                                 nc_u32 attempts)
{
    nc_f64 n = (nc_f64)trials, log_q = nc_log1p_f64(-p.high), log_p = nc_log_f64(p.high), mean = n * p.high;
    if (!(n <= NC_DRAW_LARGEST_MEAN)) {
        return nc_draw_count_of(0, NC_STATS_UNSUPPORTED);
    }
    if (mean < NC_C64(10.0)) {
        return nc_draw_inverse(nc_draw_block(address, NC_DRAW_MAIN, 0).first, nc_exp_f64(n * log_q), p.high / q.high, trials);
    }
    nc_f64 deviation = NC_SQRT_F64(mean * q.high);
    nc_draw_hat hat;
    hat.b = NC_FMA_F64(NC_C64(2.53), deviation, NC_C64(1.15));
    hat.a = NC_FMA_F64(NC_C64(0.01), p.high, NC_FMA_F64(NC_C64(0.0248), hat.b, NC_C64(-0.0873)));
    hat.shift = mean + NC_C64(0.5);
    hat.quick = NC_C64(0.92) - NC_C64(4.2) / hat.b;
    nc_f64 alpha = (NC_C64(2.83) + NC_C64(5.1) / hat.b) * deviation;
    nc_i64 mode = nc_to_i64_f64(NC_FLOOR_F64((n + NC_C64(1.0)) * p.high));
    nc_f64 peak = nc_binomial_log_density_f64(mode, trials, nc_binomial_of_pairs(mode, trials, p, q), log_p, log_q);
    for (nc_u32 attempt = 0; attempt < attempts; ++attempt) {
        nc_draw_proposal proposal = nc_draw_propose(hat, nc_draw_block(address, NC_DRAW_MAIN, attempt));
        if (!(proposal.k >= NC_C64(0.0) && proposal.k <= n)) {
            continue;
        }
        nc_i64 k = nc_to_i64_f64(proposal.k);
        if (proposal.us >= NC_C64(0.07) && proposal.v <= hat.quick) {
            return nc_draw_count_of(k, NC_STATS_OK);
        }
        nc_f64 height = nc_log_f64(proposal.v * alpha / (hat.a / (proposal.us * proposal.us) + hat.b));
        nc_f64 density = nc_binomial_log_density_f64(k, trials, nc_binomial_of_pairs(k, trials, p, q), log_p, log_q);
        if (height <= density - peak) {
            return nc_draw_count_of(k, NC_STATS_OK);
        }
    }
    return nc_draw_count_of(0, NC_STATS_EXHAUSTED);
}

// ---- One function for each family, from its parameters
// ---------------------------------------------------------------------------

NC_FN nc_draw_real nc_draw_family_normal(nc_draw_address address, nc_f64 mu, nc_f64 sigma)
{
    if (!nc_normal_is_valid_f64(mu, sigma)) {
        return nc_draw_real_of(NC_C64(0.0), NC_STATS_INVALID_PARAMETER);
    }
    return nc_draw_real_of(NC_FMA_F64(sigma, nc_draw_normal(address), mu), NC_STATS_OK);
}

NC_FN nc_draw_real nc_draw_family_lognormal(nc_draw_address address, nc_f64 mu, nc_f64 sigma)
{
    nc_draw_real draw = nc_draw_family_normal(address, mu, sigma);
    draw.value = nc_exp_f64(draw.value);
    return draw;
}

NC_FN nc_draw_real nc_draw_family_gamma(nc_draw_address address, nc_f64 a, nc_f64 b)
{
    if (!nc_gamma_is_valid_f64(a, b)) {
        return nc_draw_real_of(NC_C64(0.0), NC_STATS_INVALID_PARAMETER);
    }
    nc_draw_real draw = nc_draw_log_gamma(address, NC_DRAW_MAIN, a, NC_DRAW_ATTEMPTS);
    draw.value = nc_exp_f64(draw.value - nc_log_f64(b));
    return draw;
}

NC_FN nc_draw_real nc_draw_family_student(nc_draw_address address, nc_f64 nu, nc_f64 mu, nc_f64 sigma)
{
    if (!nc_student_is_valid_f64(nu, mu, sigma)) {
        return nc_draw_real_of(NC_C64(0.0), NC_STATS_INVALID_PARAMETER);
    }
    nc_f64 h = NC_C64(0.5) * nu;
    h = h > NC_C64(0.0) ? h : nu; // the least number has no half; every draw is infinite from far above it
    nc_draw_real gamma = nc_draw_log_gamma(address, NC_DRAW_SHAPE, h, NC_DRAW_ATTEMPTS);
    nc_f64 stretch = nc_exp_f64(NC_C64(0.5) * (nc_log_f64(h) - gamma.value));
    return nc_draw_real_of(NC_FMA_F64(sigma, nc_draw_normal(address) * stretch, mu), gamma.status);
}

NC_FN nc_draw_count nc_draw_family_poisson(nc_draw_address address, nc_f64 rate)
{
    if (!nc_poisson_is_valid_f64(rate)) {
        return nc_draw_count_of(0, NC_STATS_INVALID_PARAMETER);
    }
    return nc_draw_poisson(address, NC_DRAW_MAIN, rate, NC_DRAW_ATTEMPTS);
}

NC_FN nc_draw_count nc_draw_family_negative_binomial(nc_draw_address address, nc_f64 mu, nc_f64 phi)
{
    if (!nc_negative_binomial_is_valid_f64(mu, phi)) {
        return nc_draw_count_of(0, NC_STATS_INVALID_PARAMETER);
    }
    if (mu == NC_C64(0.0)) {
        return nc_draw_count_of(0, NC_STATS_OK);
    }
    nc_draw_real gamma = nc_draw_log_gamma(address, NC_DRAW_SHAPE, phi, NC_DRAW_ATTEMPTS);
    if (gamma.status != NC_STATS_OK) {
        return nc_draw_count_of(0, gamma.status);
    }
    nc_f64 rate = nc_exp_f64(gamma.value + (nc_log_f64(mu) - nc_log_f64(phi)));
    return nc_draw_poisson(address, NC_DRAW_COUNT, rate, NC_DRAW_ATTEMPTS);
}

NC_FN nc_draw_count nc_draw_binomial(nc_draw_address address, nc_i64 trials, nc_pair_f64 p, nc_pair_f64 q)
{
    if (p.high <= q.high) {
        return nc_draw_binomial_lower(address, trials, p, q, NC_DRAW_ATTEMPTS);
    }
    nc_draw_count draw = nc_draw_binomial_lower(address, trials, q, p, NC_DRAW_ATTEMPTS);
    draw.value = draw.status == NC_STATS_OK ? trials - draw.value : -1;
    return draw;
}
NC_FN nc_draw_count nc_draw_family_binomial(nc_draw_address address, nc_f64 p, nc_i64 trials)
{
    if (!nc_binomial_is_valid_f64(p, trials)) {
        return nc_draw_count_of(0, NC_STATS_INVALID_PARAMETER);
    }
    return nc_draw_binomial(address, trials, nc_pair_of_f64(p), nc_sum_exact_f64(NC_C64(1.0), -p));
}
NC_FN nc_draw_count nc_draw_family_binomial_logit(nc_draw_address address, nc_f64 eta, nc_i64 trials)
{
    if (!nc_is_finite_f64(eta) || trials < 0) {
        return nc_draw_count_of(0, NC_STATS_INVALID_PARAMETER);
    }
    return nc_draw_binomial(address, trials, nc_sigmoid_pair_f64(eta), nc_sigmoid_pair_f64(-eta));
}

#endif
