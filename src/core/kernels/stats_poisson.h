// SPDX-License-Identifier: Apache-2.0
// Poisson density. Body: included by stats.h.
//   y = 0: -lambda; y > 0: -log(2 pi y)/2 - S(y) - deviance(y, lambda)   (Loader 2000); d lambda = (y - lambda)/lambda
// The formula continues the density to any real y >= 0, which intervals need (stats_interval_count.h).

NC_FN nc_i32 NC_N(nc_poisson_is_valid)(NC_REAL rate)
{
    return rate >= NC_C(0.0) && NC_N(nc_is_below_inf)(rate);
}

NC_FN_APART NC_REAL NC_N(nc_poisson_log_density_at)(nc_pair_f64 y, NC_REAL rate)
{
    if (y.high == NC_C64(0.0)) {
        return NC_C(0.0) - rate;
    }
    if (rate == NC_C(0.0)) {
        return -NC_N(nc_inf)();
    }
    NC_N(nc_pair) count = NC_N(nc_narrow)(y), difference = NC_N(nc_narrow)(nc_pair_minus_f64(y, NC_N(nc_wide_of)(rate)));
    NC_REAL peak = NC_FMA(NC_C(-0.5), NC_N(nc_log)(count.high), -NC_N(NC_HALF_LOG_2PI)) - NC_N(nc_stirling)(count.high);
    return peak - NC_N(nc_deviance)(count, NC_N(nc_pair_of)(rate), difference);
}
NC_FN NC_REAL NC_N(nc_poisson_log_density)(nc_i64 y, NC_REAL rate)
{
    return NC_N(nc_poisson_log_density_at)(nc_count_pair(y), rate);
}

NC_FN NC_REAL NC_N(nc_poisson_score)(nc_pair_f64 y, NC_REAL rate)
{
    if (rate == NC_C(0.0)) {
        return y.high == NC_C64(0.0) ? NC_C(-1.0) : NC_N(nc_inf)();
    }
    return NC_N(nc_narrow)(nc_pair_minus_f64(y, NC_N(nc_wide_of)(rate))).high / rate;
}

NC_FN NC_N(nc_term) NC_N(nc_poisson_observed)(nc_i64 y, NC_REAL rate, nc_u32 flags)
{
    if (y < 0) {
        return NC_N(nc_term_off_support)();
    }
    nc_i32 status = y > 0 && rate == NC_C(0.0) ? NC_STATS_OFF_SUPPORT : NC_STATS_OK;
    NC_N(nc_term) term = NC_N(nc_term_of)(NC_C(0.0), NC_C(0.0), status);
    if (flags & NC_STATS_WANT_GRADIENT) {
        term.gradient[0] = NC_N(nc_poisson_score)(nc_count_pair(y), rate);
    } else {
        term.log_density = NC_N(nc_poisson_log_density)(y, rate);
    }
    return term;
}
