// SPDX-License-Identifier: Apache-2.0
// Probability: seven observation families (one by two parametrisations) and five priors.
//
// Families, parameters in the order of nc_observation.parameters, and support:
//   NC_NORMAL             mu, sigma > 0                  real y
//   NC_LOGNORMAL          mu, sigma > 0 of log y         y > 0
//   NC_STUDENT_T          nu > 0, mu, sigma > 0          real y
//   NC_GAMMA              shape a > 0, rate b > 0        y >= 0
//   NC_POISSON            lambda >= 0                    counts
//   NC_NEGATIVE_BINOMIAL  mu >= 0, phi > 0: variance mu + mu^2/phi    counts; mu + phi must not overflow
//   NC_BINOMIAL           0 <= p <= 1, and trials n      counts up to n
//   NC_BINOMIAL_LOGIT     logit of p, and trials n       counts up to n
// Priors: NC_PRIOR_NORMAL (mu, sigma), NC_PRIOR_HALF_NORMAL (sigma), NC_PRIOR_LOGNORMAL (mu, sigma), NC_PRIOR_GAMMA (a, b),
// NC_PRIOR_BETA (a, b; a + b must not overflow). Every parameter is finite: an infinite nu or phi is invalid, not the limit.
//
// The densities are those of every textbook; docs/statistics.md has the stable forms, their sources (Loader 2000; Abramowitz &
// Stegun 6.1.41, 6.3.18, 6.5, 26.5) and what other libraries call the parameters.
//
// Shapes: the output gives the shape. Each input has that shape, or is a view of that shape with strides of 0, or has a single
// element, which is broadcast. Real inputs and outputs share one dtype (f32 or f64); counts and trials are i64, masks and
// censoring u8, element statuses i32. Outputs do not overlap each other or an input.
//
// Counts are exact over the whole of i64. A float32 call computes in float32, except the deviations y - mu and y - n p, which are
// formed in float64 and rounded once, and samplers, which are float64 rounded once.
#ifndef NC_STATS_H
#define NC_STATS_H

#include "nc_array.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum nc_family {
    NC_NORMAL = 1,
    NC_LOGNORMAL = 2,
    NC_STUDENT_T = 3,
    NC_GAMMA = 4,
    NC_POISSON = 5,
    NC_NEGATIVE_BINOMIAL = 6,
    NC_BINOMIAL = 7,
    NC_BINOMIAL_LOGIT = 8
} nc_family;

typedef enum nc_prior {
    NC_PRIOR_NORMAL = 1,
    NC_PRIOR_HALF_NORMAL = 2,
    NC_PRIOR_LOGNORMAL = 3,
    NC_PRIOR_GAMMA = 4,
    NC_PRIOR_BETA = 5
} nc_prior;

#define NC_STATS_MAX_PARAMETERS 3

// What became of one element. The first that applies, in this order: masked, invalid value, invalid parameter, off support,
// unsupported. Unsupported are a gradient without closed form (NaN; the others are right) and a sampler's range that is left.
typedef enum nc_element_status {
    NC_ELEMENT_OK = 0,                // also every masked element
    NC_ELEMENT_OFF_SUPPORT = 1,       // log density -inf; gradient 0, or its one-sided limit where a parameter is at its boundary
    NC_ELEMENT_INVALID_PARAMETER = 2, // log density and gradient NaN
    NC_ELEMENT_INVALID_VALUE = 3,     // NaN datum, interval with upper < value or without upper, unknown censoring: NaN
    NC_ELEMENT_UNSUPPORTED = 4,       // see above
    NC_ELEMENT_EXHAUSTED = 5          // a sampler rejected every attempt
} nc_element_status;

// How a datum is known. A right-censored count means "more than", so that left and right exclude each other.
typedef enum nc_censoring {
    NC_OBSERVED = 0, // y = value
    NC_LEFT = 1,     // y <= value
    NC_RIGHT = 2,    // y > value
    NC_INTERVAL = 3  // value < y <= upper
} nc_censoring;

// Data and parameters of one call. Set it up with NC_STRUCT_INIT; what does not apply stays null.
typedef struct nc_observation {
    uint32_t abi_version;
    uint32_t struct_size;
    int32_t family; // nc_family
    int32_t reserved;
    const nc_array *value;                               // y, or the bound of a censored datum
    const nc_array *upper;                               // upper bound of intervals, of value's dtype; may be null
    const nc_array *parameters[NC_STATS_MAX_PARAMETERS]; // the family's, in its order
    const nc_array *trials;                              // binomial families only
    const nc_array *mask;                                // 1: left out, its term and gradient are 0; may be null
    const nc_array *censoring;                           // nc_censoring of each element; null: all observed
} nc_observation;

// log_density[i] = log of the density (or probability) of datum i. Log distribution functions of censored data do not underflow.
NC_API nc_status nc_observation_log_density(const nc_observation *observation, nc_array *status, nc_array *log_density);
// gradients[k][i] = derivative of log_density[i] in parameter k; a null gradients[k] is not computed. Censored terms have no
// gradient in nu, the gamma's shape and phi (NC_ELEMENT_UNSUPPORTED).
NC_API nc_status nc_observation_gradient(const nc_observation *observation, nc_array *status,
                                         nc_array *const gradients[NC_STATS_MAX_PARAMETERS]);

// log_density[i] of the prior at x[i]. parameters[] in the prior's order, unused ones null.
NC_API nc_status nc_prior_log_density(nc_prior prior, const nc_array *x, const nc_array *const parameters[NC_STATS_MAX_PARAMETERS],
                                      nc_array *status, nc_array *log_density);
// gradients[0] is the derivative in x, gradients[1 + k] in parameter k; a null one is not computed.
NC_API nc_status nc_prior_gradient(nc_prior prior, const nc_array *x, const nc_array *const parameters[NC_STATS_MAX_PARAMETERS],
                                   nc_array *status, nc_array *const gradients[NC_STATS_MAX_PARAMETERS]);

// Where draws come from and what of. Set it up with NC_STRUCT_INIT; what does not apply stays null.
typedef struct nc_draws {
    uint32_t abi_version;
    uint32_t struct_size;
    int32_t family;  // nc_family
    uint32_t stream; // streams never overlap
    uint64_t seed;
    uint64_t first;                                      // element e of the output (C order) is draw first + e; indices < 2^58
    const nc_array *parameters[NC_STATS_MAX_PARAMETERS]; // f32 widens exactly: equal parameters give equal counts in both dtypes
    const nc_array *trials;                              // binomial families only
} nc_draws;

// out[e] = draw first + e of the family: a function of (seed, stream, family, index) alone, whatever the order, chunking or
// device (kernels/stats_draw.h has methods and addresses). `out` is f32 or f64 like the parameters, or i64 for counts. Element
// statuses: INVALID_PARAMETER; UNSUPPORTED where a mean or number of trials is above 2^52; EXHAUSTED after 64 rejected attempts
// (probability below 1e-20). Such an element is NaN, a count -1.
NC_API nc_status nc_observation_sample(const nc_draws *draws, nc_array *status, nc_array *out);

#ifdef __cplusplus
}
#endif
#endif
