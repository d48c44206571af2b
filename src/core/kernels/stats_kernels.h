// SPDX-License-Identifier: Apache-2.0
// The kernels of log densities and gradients. Body: included by stats.h. One element of the output is one item.

NC_FN void NC_N(nc_stats_store)(NC_N(nc_term) term, nc_stats_places places, nc_u32 flags, NC_GLOBAL nc_i32 *status,
                                NC_GLOBAL NC_REAL *result0, NC_GLOBAL NC_REAL *result1, NC_GLOBAL NC_REAL *result2)
{
    status[places.at[NC_STATS_STATUS]] = term.status;
    if (!(flags & NC_STATS_WANT_GRADIENT)) {
        result0[places.at[NC_STATS_RESULT]] = NC_CANON(term.log_density);
        return;
    }
    if (!(flags & NC_STATS_SKIP_RESULT)) {
        result0[places.at[NC_STATS_RESULT]] = NC_CANON(term.gradient[0]);
    }
    if (!(flags & (NC_STATS_SKIP_RESULT << 1))) {
        result1[places.at[NC_STATS_RESULT + 1]] = NC_CANON(term.gradient[1]);
    }
    if (!(flags & (NC_STATS_SKIP_RESULT << 2))) {
        result2[places.at[NC_STATS_RESULT + 2]] = NC_CANON(term.gradient[2]);
    }
}

// A NaN datum or bound, or a censoring that does not exist or lacks its bound.
NC_FN nc_i32 NC_N(nc_censoring_is_known)(nc_i32 censoring, nc_u32 flags)
{
    return censoring <= NC_STATS_RIGHT || (censoring == NC_STATS_INTERVAL && (flags & NC_STATS_HAS_UPPER));
}
NC_FN nc_i32 NC_N(nc_datum_is_valid)(NC_REAL y, NC_REAL upper, nc_i32 censoring, nc_u32 flags)
{
    return NC_N(nc_censoring_is_known)(censoring, flags) && !NC_N(nc_is_nan)(y) &&
           !(censoring == NC_STATS_INTERVAL && NC_N(nc_is_nan)(upper));
}

// The families behind one signature, after the checks that they share. Priors have no bound, third parameter or censoring.
#define NC_STATS_REAL_FAMILY(family)                                                                                               \
    NC_FN NC_N(nc_term)                                                                                                            \
        NC_N(family##_checked)(NC_REAL y, NC_REAL upper, NC_REAL p0, NC_REAL p1, NC_REAL p2, nc_i32 censoring, nc_u32 flags)       \
    {                                                                                                                              \
        if (!NC_N(nc_datum_is_valid)(y, upper, censoring, flags)) {                                                                \
            return NC_N(nc_term_invalid)(NC_STATS_INVALID_VALUE);                                                                  \
        }                                                                                                                          \
        return NC_N(family)(y, upper, p0, p1, p2, censoring, flags);                                                               \
    }
#define NC_STATS_COUNT_FAMILY(family)                                                                                              \
    NC_FN NC_N(nc_term)                                                                                                            \
        NC_N(family##_checked)(nc_i64 y, nc_i64 upper, NC_REAL p0, NC_REAL p1, nc_i64 trials, nc_i32 censoring, nc_u32 flags)      \
    {                                                                                                                              \
        if (!NC_N(nc_censoring_is_known)(censoring, flags)) {                                                                      \
            return NC_N(nc_term_invalid)(NC_STATS_INVALID_VALUE);                                                                  \
        }                                                                                                                          \
        return NC_N(family)(y, upper, p0, p1, trials, censoring, flags);                                                           \
    }
#define NC_STATS_PRIOR(prior, call)                                                                                                \
    NC_FN NC_N(nc_term)                                                                                                            \
        NC_N(prior##_checked)(NC_REAL x, NC_REAL upper, NC_REAL p0, NC_REAL p1, NC_REAL p2, nc_i32 censoring, nc_u32 flags)        \
    {                                                                                                                              \
        (void)upper;                                                                                                               \
        (void)p1;                                                                                                                  \
        (void)p2;                                                                                                                  \
        (void)censoring;                                                                                                           \
        (void)flags;                                                                                                               \
        return NC_N(nc_is_nan)(x) ? NC_N(nc_term_invalid)(NC_STATS_INVALID_VALUE) : call;                                          \
    }
NC_STATS_REAL_FAMILY(nc_normal_term)
NC_STATS_REAL_FAMILY(nc_lognormal_term)
NC_STATS_REAL_FAMILY(nc_student_term)
NC_STATS_REAL_FAMILY(nc_gamma_term)
NC_STATS_COUNT_FAMILY(nc_poisson_term)
NC_STATS_COUNT_FAMILY(nc_negative_binomial_term)
NC_STATS_COUNT_FAMILY(nc_binomial_term)
NC_STATS_COUNT_FAMILY(nc_binomial_logit_term)
NC_STATS_PRIOR(nc_prior_normal, NC_N(nc_prior_normal)(x, p0, p1))
NC_STATS_PRIOR(nc_prior_half_normal, NC_N(nc_prior_half_normal)(x, p0))
NC_STATS_PRIOR(nc_prior_lognormal, NC_N(nc_prior_lognormal)(x, p0, p1))
NC_STATS_PRIOR(nc_prior_gamma, NC_N(nc_prior_gamma)(x, p0, p1, flags))
NC_STATS_PRIOR(nc_prior_beta, NC_N(nc_prior_beta)(x, p0, p1, flags))

// An operand that the family or the call does not have points at readable elements of its type, with stride 0.
// Masked terms are exactly 0: neither datum nor parameter of theirs is looked at.
#define NC_STATS_KERNEL(kernel_name, VALUE, THIRD, evaluate)                                                                       \
    NC_KERNEL14(NC_N(kernel_name), nc_stats_operands, operands, nc_u64, count, nc_u32, flags, NC_GLOBAL const VALUE *, value,      \
                NC_GLOBAL const VALUE *, upper, NC_GLOBAL const NC_REAL *, first, NC_GLOBAL const NC_REAL *, second,               \
                NC_GLOBAL const THIRD *, third, NC_GLOBAL const nc_u8 *, mask, NC_GLOBAL const nc_u8 *, censoring,                 \
                NC_GLOBAL nc_i32 *, status, NC_GLOBAL NC_REAL *, result0, NC_GLOBAL NC_REAL *, result1, NC_GLOBAL NC_REAL *,       \
                result2)                                                                                                           \
    {                                                                                                                              \
        NC_FOR_ITEMS(i, count)                                                                                                     \
        {                                                                                                                          \
            nc_stats_places at = nc_stats_locate(operands, i);                                                                     \
            NC_N(nc_term) term = NC_N(nc_term_of)(NC_C(0.0), NC_C(0.0), NC_STATS_OK);                                              \
            if (!(flags & NC_STATS_HAS_MASK) || mask[at.at[NC_STATS_MASK]] == 0) {                                                 \
                nc_i32 kind = flags & NC_STATS_HAS_CENSORING ? censoring[at.at[NC_STATS_CENSORING]] : NC_STATS_OBSERVED;           \
                term =                                                                                                             \
                    NC_N(evaluate)(value[at.at[NC_STATS_VALUE]], upper[at.at[NC_STATS_UPPER]], first[at.at[NC_STATS_PARAMETER]],   \
                                   second[at.at[NC_STATS_PARAMETER + 1]], third[at.at[NC_STATS_PARAMETER + 2]], kind, flags);      \
            }                                                                                                                      \
            NC_N(nc_stats_store)(term, at, flags, status, result0, result1, result2);                                              \
        }                                                                                                                          \
    }

NC_STATS_KERNEL(stats_normal, NC_REAL, NC_REAL, nc_normal_term_checked)
NC_STATS_KERNEL(stats_lognormal, NC_REAL, NC_REAL, nc_lognormal_term_checked)
NC_STATS_KERNEL(stats_student, NC_REAL, NC_REAL, nc_student_term_checked)
NC_STATS_KERNEL(stats_gamma, NC_REAL, NC_REAL, nc_gamma_term_checked)
NC_STATS_KERNEL(stats_poisson, nc_i64, nc_i64, nc_poisson_term_checked)
NC_STATS_KERNEL(stats_negative_binomial, nc_i64, nc_i64, nc_negative_binomial_term_checked)
NC_STATS_KERNEL(stats_binomial, nc_i64, nc_i64, nc_binomial_term_checked)
NC_STATS_KERNEL(stats_binomial_logit, nc_i64, nc_i64, nc_binomial_logit_term_checked)
NC_STATS_KERNEL(stats_prior_normal, NC_REAL, NC_REAL, nc_prior_normal_checked)
NC_STATS_KERNEL(stats_prior_half_normal, NC_REAL, NC_REAL, nc_prior_half_normal_checked)
NC_STATS_KERNEL(stats_prior_lognormal, NC_REAL, NC_REAL, nc_prior_lognormal_checked)
NC_STATS_KERNEL(stats_prior_gamma, NC_REAL, NC_REAL, nc_prior_gamma_checked)
NC_STATS_KERNEL(stats_prior_beta, NC_REAL, NC_REAL, nc_prior_beta_checked)

#undef NC_STATS_REAL_FAMILY
#undef NC_STATS_COUNT_FAMILY
#undef NC_STATS_PRIOR
#undef NC_STATS_KERNEL
