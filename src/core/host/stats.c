// SPDX-License-Identifier: Apache-2.0
// Log densities and gradients: families as a table, validation, launch.
#include "stats.h"

#include <inttypes.h>

_Static_assert(NC_STATS_OK == (int)NC_ELEMENT_OK && NC_STATS_OFF_SUPPORT == (int)NC_ELEMENT_OFF_SUPPORT &&
                   NC_STATS_INVALID_PARAMETER == (int)NC_ELEMENT_INVALID_PARAMETER &&
                   NC_STATS_INVALID_VALUE == (int)NC_ELEMENT_INVALID_VALUE && NC_STATS_UNSUPPORTED == (int)NC_ELEMENT_UNSUPPORTED &&
                   NC_STATS_EXHAUSTED == (int)NC_ELEMENT_EXHAUSTED,
               "kernels write the public element statuses");
_Static_assert(NC_STATS_OBSERVED == (int)NC_OBSERVED && NC_STATS_LEFT == (int)NC_LEFT && NC_STATS_RIGHT == (int)NC_RIGHT &&
                   NC_STATS_INTERVAL == (int)NC_INTERVAL,
               "kernels read the public censoring codes");

#define KERNELS(name) BE_KERNEL_##name##_f32, BE_KERNEL_##name##_f64
#define FAMILY_KERNELS(name) KERNELS(stats_##name), KERNELS(stats_sample_##name)
static const nc_density families[] = {
    [NC_NORMAL] = {"NC_NORMAL", 2, 0, 0, {"parameters[0] (mu)", "parameters[1] (sigma)"}, FAMILY_KERNELS(normal)},
    [NC_LOGNORMAL] = {"NC_LOGNORMAL", 2, 0, 0, {"parameters[0] (mu)", "parameters[1] (sigma)"}, FAMILY_KERNELS(lognormal)},
    [NC_STUDENT_T] =
        {"NC_STUDENT_T", 3, 0, 0, {"parameters[0] (nu)", "parameters[1] (mu)", "parameters[2] (sigma)"}, FAMILY_KERNELS(student)},
    [NC_GAMMA] = {"NC_GAMMA", 2, 0, 0, {"parameters[0] (shape)", "parameters[1] (rate)"}, FAMILY_KERNELS(gamma)},
    [NC_POISSON] = {"NC_POISSON", 1, 1, 0, {"parameters[0] (lambda)"}, FAMILY_KERNELS(poisson)},
    [NC_NEGATIVE_BINOMIAL] =
        {"NC_NEGATIVE_BINOMIAL", 2, 1, 0, {"parameters[0] (mu)", "parameters[1] (phi)"}, FAMILY_KERNELS(negative_binomial)},
    [NC_BINOMIAL] = {"NC_BINOMIAL", 1, 1, 1, {"parameters[0] (p)"}, FAMILY_KERNELS(binomial)},
    [NC_BINOMIAL_LOGIT] = {"NC_BINOMIAL_LOGIT", 1, 1, 1, {"parameters[0] (logit)"}, FAMILY_KERNELS(binomial_logit)},
};
#define PRIOR_KERNELS(name) KERNELS(name), BE_KERNEL_COUNT, BE_KERNEL_COUNT
static const nc_density priors[] = {
    [NC_PRIOR_NORMAL] =
        {"NC_PRIOR_NORMAL", 2, 0, 0, {"parameters[0] (mu)", "parameters[1] (sigma)"}, PRIOR_KERNELS(stats_prior_normal)},
    [NC_PRIOR_HALF_NORMAL] = {"NC_PRIOR_HALF_NORMAL", 1, 0, 0, {"parameters[0] (sigma)"}, PRIOR_KERNELS(stats_prior_half_normal)},
    [NC_PRIOR_LOGNORMAL] =
        {"NC_PRIOR_LOGNORMAL", 2, 0, 0, {"parameters[0] (mu)", "parameters[1] (sigma)"}, PRIOR_KERNELS(stats_prior_lognormal)},
    [NC_PRIOR_GAMMA] =
        {"NC_PRIOR_GAMMA", 2, 0, 0, {"parameters[0] (shape)", "parameters[1] (rate)"}, PRIOR_KERNELS(stats_prior_gamma)},
    [NC_PRIOR_BETA] = {"NC_PRIOR_BETA", 2, 0, 0, {"parameters[0] (a)", "parameters[1] (b)"}, PRIOR_KERNELS(stats_prior_beta)},
};
#define COUNT(table) ((int32_t)(sizeof(table) / sizeof *(table)))

static const char *const gradient_names[NC_STATS_MAX_PARAMETERS] = {"gradients[0]", "gradients[1]", "gradients[2]"};

nc_status nc_stats_family(int32_t family, const nc_density **density)
{
    if (family < NC_NORMAL || family >= COUNT(families)) {
        return be_fail(NC_INVALID_ARGUMENT, "family is %" PRId32 "; it must be one of nc_family", family);
    }
    *density = &families[family];
    return NC_OK;
}

// Binds everything but the results.
static nc_status bind_observation(nc_stats_call *call, const nc_density *density, const nc_observation *data, nc_dtype real)
{
    nc_dtype datum = density->counts ? NC_I64 : real;
    NC_TRY(nc_stats_bind_input(call, NC_STATS_VALUE, data->value, "value", datum));
    if (data->upper != NULL) {
        NC_TRY(nc_stats_bind_input(call, NC_STATS_UPPER, data->upper, "upper", datum));
        call->flags |= NC_STATS_HAS_UPPER;
    }
    NC_TRY(nc_stats_bind_parameters(call, data->parameters, density->parameter, density->parameters, density->name, real));
    if (density->trials) {
        NC_TRY(nc_stats_bind_input(call, NC_STATS_TRIALS, data->trials, "trials", NC_I64));
    } else if (data->trials != NULL) {
        return be_fail(NC_INVALID_ARGUMENT, "trials is given, but %s has none; pass null", density->name);
    }
    if (data->mask != NULL) {
        NC_TRY(nc_stats_bind_input(call, NC_STATS_MASK, data->mask, "mask", NC_U8));
        call->flags |= NC_STATS_HAS_MASK;
    }
    if (data->censoring != NULL) {
        NC_TRY(nc_stats_bind_input(call, NC_STATS_CENSORING, data->censoring, "censoring", NC_U8));
        call->flags |= NC_STATS_HAS_CENSORING;
    }
    return NC_OK;
}

// `count` results, of which null ones are skipped; at least one is wanted.
static nc_status bind_results(nc_stats_call *call, nc_array *status, nc_array *const *results, const char *const *names,
                              int32_t count, const char *name)
{
    nc_dtype real = call->reference->dtype;
    for (int32_t k = 0; k < NC_STATS_MAX_PARAMETERS; ++k) {
        if (k >= count && results[k] != NULL) {
            return be_fail(NC_INVALID_ARGUMENT, "%s is given, but %s has %" PRId32 " of them; pass null", names[k], name, count);
        }
    }
    NC_TRY(nc_stats_bind_output(call, NC_STATS_STATUS, status, "status", NC_I32));
    for (int32_t k = 0; k < NC_STATS_MAX_PARAMETERS; ++k) {
        if (k < count && results[k] != NULL) {
            NC_TRY(nc_stats_bind_output(call, NC_STATS_RESULT + k, results[k], names[k], real));
        } else {
            call->flags |= NC_STATS_SKIP_RESULT << k;
        }
    }
    return NC_OK;
}

static nc_status launch(const nc_stats_call *call, const nc_density *density)
{
    uint64_t count = (uint64_t)call->reference->count;
    uint32_t flags = call->flags;
    if (count == 0) {
        return NC_OK;
    }
    nc_stats_operands operands = nc_stats_layout(call);
    be_buffer *value = nc_stats_buffer(call, NC_STATS_VALUE, NC_STATS_VALUE);
    be_buffer *first = nc_stats_buffer(call, NC_STATS_PARAMETER, NC_STATS_PARAMETER);
    be_buffer *status = nc_stats_buffer(call, NC_STATS_STATUS, NC_STATS_STATUS);
    // Slots that are free read an element of the right type that exists: the first of value, or of the first parameter.
    be_arg args[] = {
        BE_VALUE(operands),
        BE_VALUE(count),
        BE_VALUE(flags),
        BE_BUFFER(value),
        BE_BUFFER(nc_stats_buffer(call, NC_STATS_UPPER, NC_STATS_VALUE)),
        BE_BUFFER(first),
        BE_BUFFER(nc_stats_buffer(call, NC_STATS_PARAMETER + 1, NC_STATS_PARAMETER)),
        BE_BUFFER(nc_stats_buffer(call, NC_STATS_TRIALS, density->counts ? NC_STATS_VALUE : NC_STATS_PARAMETER)),
        BE_BUFFER(nc_stats_buffer(call, NC_STATS_MASK, NC_STATS_STATUS)),
        BE_BUFFER(nc_stats_buffer(call, NC_STATS_CENSORING, NC_STATS_STATUS)),
        BE_BUFFER(status),
        BE_BUFFER(nc_stats_buffer(call, NC_STATS_RESULT, NC_STATS_STATUS)),
        BE_BUFFER(nc_stats_buffer(call, NC_STATS_RESULT + 1, NC_STATS_STATUS)),
        BE_BUFFER(nc_stats_buffer(call, NC_STATS_RESULT + 2, NC_STATS_STATUS)),
    };
    be_kernel kernel = call->reference->dtype == NC_F32 ? density->kernel_f32 : density->kernel_f64;
    return be_launch(call->reference->storage->device->backend, kernel, count, args, (int32_t)(sizeof args / sizeof *args));
}

// The output that gives shape, device and dtype: the first that is not null.
static nc_status begin_results(nc_stats_call *call, nc_array *const *results, const char *const *names)
{
    for (int32_t k = 0; k < NC_STATS_MAX_PARAMETERS; ++k) {
        if (results[k] != NULL) {
            NC_TRY(nc_check_real(results[k], names[k]));
            return nc_stats_begin(call, results[k], names[k]);
        }
    }
    return be_fail(NC_NULL_ARGUMENT, "%s and the others are null; pass at least one array", names[0]);
}

static nc_status run_observation(const nc_observation *observation, nc_array *status, nc_array *const *results,
                                 const char *const *names, int32_t is_gradient)
{
    nc_stats_call call;
    NC_TRY(nc_check_abi(observation, sizeof *observation, "observation"));
    const nc_density *density = NULL;
    NC_TRY(nc_stats_family(observation->family, &density));
    if (observation->reserved != 0) {
        return be_fail(NC_INVALID_ARGUMENT, "reserved is %" PRId32 "; it must be 0: call NC_STRUCT_INIT", observation->reserved);
    }
    NC_TRY(begin_results(&call, results, names));
    NC_TRY(bind_observation(&call, density, observation, call.reference->dtype));
    NC_TRY(bind_results(&call, status, results, names, is_gradient ? density->parameters : 1, density->name));
    call.flags |= is_gradient ? NC_STATS_WANT_GRADIENT : 0u;
    return launch(&call, density);
}

static nc_status run_prior(nc_prior prior, const nc_array *x, const nc_array *const *parameters, nc_array *status,
                           nc_array *const *results, const char *const *names, int32_t is_gradient)
{
    nc_stats_call call;
    if ((int32_t)prior < NC_PRIOR_NORMAL || (int32_t)prior >= COUNT(priors)) {
        return be_fail(NC_INVALID_ARGUMENT, "prior is %d; it must be one of nc_prior", (int)prior);
    }
    const nc_density *density = &priors[prior];
    NC_TRY(nc_check_array(x, "x"));
    NC_TRY(nc_check_pointer(parameters, "parameters"));
    NC_TRY(begin_results(&call, results, names));
    NC_TRY(nc_stats_bind_input(&call, NC_STATS_VALUE, x, "x", call.reference->dtype));
    NC_TRY(
        nc_stats_bind_parameters(&call, parameters, density->parameter, density->parameters, density->name, call.reference->dtype));
    NC_TRY(bind_results(&call, status, results, names, is_gradient ? density->parameters + 1 : 1, density->name));
    call.flags |= is_gradient ? NC_STATS_WANT_GRADIENT : 0u;
    return launch(&call, density);
}

// A log density is one result; gradients come as the caller's array of three.
static const char *const density_names[NC_STATS_MAX_PARAMETERS] = {"log_density", "", ""};

nc_status nc_observation_log_density(const nc_observation *observation, nc_array *status, nc_array *log_density)
{
    nc_array *const results[NC_STATS_MAX_PARAMETERS] = {log_density, NULL, NULL};
    return run_observation(observation, status, results, density_names, 0);
}

nc_status nc_observation_gradient(const nc_observation *observation, nc_array *status,
                                  nc_array *const gradients[NC_STATS_MAX_PARAMETERS])
{
    NC_TRY(nc_check_pointer(gradients, "gradients"));
    return run_observation(observation, status, gradients, gradient_names, 1);
}

nc_status nc_prior_log_density(nc_prior prior, const nc_array *x, const nc_array *const parameters[NC_STATS_MAX_PARAMETERS],
                               nc_array *status, nc_array *log_density)
{
    nc_array *const results[NC_STATS_MAX_PARAMETERS] = {log_density, NULL, NULL};
    return run_prior(prior, x, parameters, status, results, density_names, 0);
}

nc_status nc_prior_gradient(nc_prior prior, const nc_array *x, const nc_array *const parameters[NC_STATS_MAX_PARAMETERS],
                            nc_array *status, nc_array *const gradients[NC_STATS_MAX_PARAMETERS])
{
    NC_TRY(nc_check_pointer(gradients, "gradients"));
    return run_prior(prior, x, parameters, status, gradients, gradient_names, 1);
}
