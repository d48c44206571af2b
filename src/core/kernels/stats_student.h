// SPDX-License-Identifier: Apache-2.0
// Student-t density. Body: included by stats.h. With h = nu/2 and w = z^2/nu,
//   log f = S(h + 1/2) - S(h) + h log1pmx(1/nu) - log(2 pi)/2 - log sigma - (nu + 1)/2 log1p(w)
//   d nu  = (log1p(1/nu) - 1/(nu + 1) + rho(h) - rho(h + 1/2) - (log1p(w) - w/(1 + w)) + w/(nu (1 + w)))/2
// from lgamma(x + 1) = S(x) + (x + 1/2) log x - x + log(2 pi)/2 and psi(x) = log x - 1/(2 x) - rho(x): no lgamma is subtracted.

NC_FN nc_i32 NC_N(nc_student_is_valid)(NC_REAL nu, NC_REAL mu, NC_REAL sigma)
{
    return NC_N(nc_is_positive)(nu) && NC_N(nc_normal_is_valid)(mu, sigma);
}

// The datum in standard units, whatever its size: z may overflow, log |z| and log1p(z^2/nu) do not.
typedef struct NC_N(nc_student) {
    NC_REAL z, w;                    // w = z^2/nu
    NC_REAL log1p_w;                 // log1p(w)
    NC_REAL distance, factor, sigma; // z = factor distance/sigma; factor is 1, or 4 where y - mu overflows
} NC_N(nc_student);

// log |z|; -inf at 0.
NC_FN_APART NC_REAL NC_N(nc_student_log_z)(NC_N(nc_student) at)
{
    if (at.distance == NC_C(0.0)) {
        return -NC_N(nc_inf)();
    }
    NC_REAL log_z = NC_N(nc_log_quotient)(NC_N(nc_pair_of)(NC_FABS(at.distance)), NC_N(nc_pair_of)(at.sigma)).high;
    return at.factor > NC_C(1.0) ? log_z + NC_N(nc_log)(at.factor) : log_z;
}

NC_FN NC_N(nc_student) NC_N(nc_student_at)(NC_REAL y, NC_REAL nu, NC_REAL mu, NC_REAL sigma)
{
    NC_N(nc_student) at;
    at.distance = y - mu;
    at.factor = NC_C(1.0);
    at.sigma = sigma;
    if (!NC_N(nc_is_finite)(at.distance)) {
        at.distance = NC_C(0.25) * y - NC_C(0.25) * mu;
        at.factor = NC_C(4.0);
    }
    at.z = at.factor * (at.distance / sigma);
    NC_REAL square = at.z * at.z;
    at.w = square > NC_N(nc_pow2)(1 - NC_EXPONENT_BIAS) && NC_N(nc_is_below_inf)(square) ? square / nu : at.z / nu * at.z;
    if (at.w < NC_C(1e6)) {
        at.log1p_w = NC_N(nc_log1p)(at.w);
    } else { // 2 log |z| - log nu + log1p(1/w), without forming z^2
        at.log1p_w = NC_FMA(NC_C(2.0), NC_N(nc_student_log_z)(at), -NC_N(nc_log)(nu)) + NC_N(nc_log1p)(NC_C(1.0) / at.w);
    }
    return at;
}

// lgamma(h + 1/2) - lgamma(h) - log(nu pi)/2; log(nu)/2 - log 2 at nu = 0.
NC_FN_APART NC_REAL NC_N(nc_student_constant)(NC_REAL nu)
{
    if (nu < NC_N(NC_STATS_TINY)) {
        return NC_FMA(NC_C(0.5), NC_N(nc_log)(nu), -(NC_N(NC_LN2_HIGH) + NC_N(NC_LN2_LOW)));
    }
    NC_REAL h = NC_C(0.5) * nu, rest = h * NC_N(nc_log1pmx)(NC_C(1.0) / nu);
    return (NC_N(nc_stirling)(h + NC_C(0.5)) - NC_N(nc_stirling)(h)) + (rest - NC_N(NC_HALF_LOG_2PI));
}

// log1p(w) - w/(1 + w), near 0 w^2/2.
NC_FN NC_REAL NC_N(nc_student_rest)(NC_REAL w, NC_REAL log1p_w)
{
    if (w < NC_C(1.0)) {
        return NC_N(nc_log1pmx)(w) + w * (w / (NC_C(1.0) + w));
    }
    return log1p_w - NC_C(1.0) / (NC_C(1.0) / w + NC_C(1.0));
}

// Standard log density (sigma = 1). For tiny w, where z^2/nu may be subnormal, (nu + 1)/2 log1p(w) is z^2 (1 + 1/nu)/2.
NC_FN NC_REAL NC_N(nc_student_standard)(NC_N(nc_student) at, NC_REAL nu)
{
    if (at.w < NC_C(0.25) * NC_UNIT_ROUNDOFF && nu > NC_C(1.0)) {
        return NC_N(nc_student_constant)(nu) - NC_C(0.5) * at.z * (at.z + at.z / nu);
    }
    return NC_FMA(NC_C(-0.5) * (nu + NC_C(1.0)), at.log1p_w, NC_N(nc_student_constant)(nu));
}

// d log f / d nu. At nu = 0 it is 1/nu - (1 - w/(1 + w))/(2 nu), and the rest is nothing to that.
NC_FN_APART NC_REAL NC_N(nc_student_shape_score)(NC_N(nc_student) at, NC_REAL nu)
{
    NC_REAL share = at.w < NC_C(1.0) ? at.w / (NC_C(1.0) + at.w) : NC_C(1.0) / (NC_C(1.0) / at.w + NC_C(1.0)); // w/(1 + w)
    NC_REAL inverse = NC_C(1.0) / nu, h = NC_C(0.5) * nu;
    if (nu < NC_N(NC_STATS_TINY)) {
        return NC_FMA(NC_C(0.5), share, NC_C(0.5)) / nu;
    }
    NC_REAL score = NC_N(nc_student_rest)(inverse, NC_N(nc_log1p)(inverse)) +
                    (NC_N(nc_digamma_remainder)(h) - NC_N(nc_digamma_remainder)(h + NC_C(0.5)));
    return NC_C(0.5) * ((score - NC_N(nc_student_rest)(at.w, at.log1p_w)) + share * inverse);
}

// d log f / d mu = (nu + 1) z/(nu + z^2)/sigma and d log f / d sigma = nu (z^2 - 1)/(nu + z^2)/sigma, without z^2 where it may
// leave the range and without z where z may. `z` is that of the numerator, at.z or, for |z| <= 1, the mean of a short interval.
NC_FN_APART NC_REAL NC_N(nc_student_mu_score)(NC_N(nc_student) at, NC_REAL nu, NC_REAL z)
{
    NC_REAL square = at.z * at.z;
    if (NC_FABS(at.z) > NC_N(nc_pow2)(NC_EXPONENT_BIAS - NC_MANTISSA_BITS - 4)) { // nu/z^2 is nothing to 1
        return (nu + NC_C(1.0)) / at.distance / at.factor;
    }
    if (NC_FABS(at.z) > NC_C(1.0)) {
        return (nu + NC_C(1.0)) / (nu * (NC_C(1.0) / at.z) + at.z) / at.sigma;
    }
    if (square > NC_N(nc_pow2)(1 - NC_EXPONENT_BIAS)) {
        return (nu + NC_C(1.0)) * z / (nu + square) / at.sigma;
    }
    return (nu + NC_C(1.0)) * (z / nu) / (NC_C(1.0) + at.w) / at.sigma;
}
NC_FN_APART NC_REAL NC_N(nc_student_sigma_score)(NC_N(nc_student) at, NC_REAL nu)
{
    NC_REAL square = at.z * at.z, far = NC_C(1.0) / at.z;
    if (NC_FABS(at.z) > NC_C(1.0)) {
        return nu * (NC_C(1.0) - far * far) / NC_FMA(nu * far, far, NC_C(1.0)) / at.sigma;
    }
    if (square > NC_N(nc_pow2)(1 - NC_EXPONENT_BIAS)) {
        return nu * (square - NC_C(1.0)) / (nu + square) / at.sigma;
    }
    return NC_C(-1.0) / (NC_C(1.0) + at.w) / at.sigma;
}

NC_FN NC_N(nc_term) NC_N(nc_student_observed)(NC_REAL y, NC_REAL nu, NC_REAL mu, NC_REAL sigma, nc_u32 flags)
{
    if (!NC_N(nc_is_finite)(y)) {
        return NC_N(nc_term_off_support)();
    }
    NC_N(nc_student) at = NC_N(nc_student_at)(y, nu, mu, sigma);
    NC_N(nc_term) term = NC_N(nc_term_of)(NC_C(0.0), NC_C(0.0), NC_STATS_OK);
    if (!(flags & NC_STATS_WANT_GRADIENT)) {
        term.log_density = NC_N(nc_student_standard)(at, nu) - NC_N(nc_log)(sigma);
        return term;
    }
    term.gradient[0] = NC_N(nc_student_shape_score)(at, nu);
    if (NC_FABS(at.z) < NC_N(nc_pow2)(1 - NC_EXPONENT_BIAS / 2)) { // z^2, z/nu or z itself may be below the range
        term.gradient[1] = NC_N(nc_score_of_parts)(at.distance, nu + NC_C(1.0), nu, sigma) / (NC_C(1.0) + at.w);
    } else {
        term.gradient[1] = NC_N(nc_student_mu_score)(at, nu, at.z);
    }
    term.gradient[2] = NC_N(nc_student_sigma_score)(at, nu);
    return term;
}
