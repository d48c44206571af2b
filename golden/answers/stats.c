// SPDX-License-Identifier: Apache-2.0
// Answers of the module stats: one datum a row. Outputs: log_density, status, each gradient, and the status of the gradient call.
#include "answers.h"

#include <string.h>

typedef struct stats_family {
    const char *name;
    int32_t code; // nc_family or nc_prior
    bool is_prior, is_count, has_trials;
    const char *gradients[NC_STATS_MAX_PARAMETERS]; // labels; for a prior the datum's comes first
} stats_family;

// Every array of one row. Single elements, which a call broadcasts.
typedef struct stats_arrays {
    nc_array *value, *upper, *trials, *censoring, *parameters[NC_STATS_MAX_PARAMETERS];
    nc_array *status, *result, *gradients[NC_STATS_MAX_PARAMETERS];
} stats_arrays;

static void arrays_release(stats_arrays *arrays)
{
    nc_array **all = (nc_array **)arrays;
    for (size_t i = 0; i < sizeof *arrays / sizeof *all; ++i) {
        nc_array_release(all[i]);
    }
}

static golden_status upload_one(nc_device *device, const golden_row *row, golden_value value, nc_array **array, golden_error *error)
{
    unsigned char bytes[8];
    for (size_t i = 0; i < sizeof bytes; ++i) {
        bytes[i] = (unsigned char)(value.bits >> (8 * i) & 0xffu);
    }
    golden_array host = {.dtype = value.dtype, .count = 1, .bytes = bytes};
    return golden_upload(device, row, &host, 0, NULL, array, error);
}

// A real argument of the row's dtype: a number that the dtype does not hold is refused.
static golden_status real_argument(nc_device *device, const golden_row *row, const char *key, nc_array **array, golden_error *error)
{
    const char *text = "";
    golden_value value;
    golden_status status = golden_row_string(row, key, &text, error);
    if (status == GOLDEN_OK && !golden_parse(text, row->dtype, &value)) {
        return golden_fail(error, GOLDEN_REFUSED, "row %s: %s=%s is no %s.", row->id, key, text, golden_dtype_name(row->dtype));
    }
    return status == GOLDEN_OK ? upload_one(device, row, value, array, error) : status;
}

static golden_status count_argument(nc_device *device, const golden_row *row, const char *key, nc_array **array,
                                    golden_error *error)
{
    int64_t number = 0;
    golden_status status = golden_row_integer(row, key, &number, error);
    golden_value value = {GOLDEN_I64, (uint64_t)number};
    return status == GOLDEN_OK ? upload_one(device, row, value, array, error) : status;
}

static golden_status censoring_argument(nc_device *device, const golden_row *row, nc_array **array, golden_error *error)
{
    static const char *const names[] = {"observed", "left", "right", "interval"};
    const char *text = "";
    golden_status status = golden_row_string(row, "censoring", &text, error);
    golden_value value = {GOLDEN_U8, 255};
    for (uint64_t i = 0; i < 4; ++i) {
        value.bits = strcmp(text, names[i]) == 0 ? i : value.bits;
    }
    return status == GOLDEN_OK ? upload_one(device, row, value, array, error) : status;
}

static golden_status arrays_load(nc_device *device, const golden_row *row, const stats_family *family, stats_arrays *arrays,
                                 golden_error *error)
{
    static const char *const keys[] = {"p0", "p1", "p2"};
    golden_status status = family->is_count ? count_argument(device, row, "y", &arrays->value, error)
                                            : real_argument(device, row, "y", &arrays->value, error);
    if (status == GOLDEN_OK && golden_row_has(row, "upper")) {
        status = family->is_count ? count_argument(device, row, "upper", &arrays->upper, error)
                                  : real_argument(device, row, "upper", &arrays->upper, error);
    }
    if (status == GOLDEN_OK && golden_row_has(row, "censoring")) {
        status = censoring_argument(device, row, &arrays->censoring, error);
    }
    if (status == GOLDEN_OK && family->has_trials) {
        status = count_argument(device, row, "trials", &arrays->trials, error);
    }
    for (int k = 0; status == GOLDEN_OK && k < NC_STATS_MAX_PARAMETERS; ++k) {
        if (golden_row_has(row, keys[k])) { // the core refuses one too few or too many
            status = real_argument(device, row, keys[k], &arrays->parameters[k], error);
        }
        if (status == GOLDEN_OK && family->gradients[k] != NULL) {
            status = golden_create(device, row, row->dtype, 0, NULL, &arrays->gradients[k], error);
        }
    }
    status = status == GOLDEN_OK ? golden_create(device, row, row->dtype, 0, NULL, &arrays->result, error) : status;
    return status == GOLDEN_OK ? golden_create(device, row, GOLDEN_I32, 0, NULL, &arrays->status, error) : status;
}

static golden_status add_output(const golden_row *row, const nc_array *array, golden_dtype dtype, const char *label,
                                golden_answer *answer, golden_error *error)
{
    golden_array host;
    golden_status status = golden_fetch(row, array, dtype, &host, error);
    if (status == GOLDEN_OK) {
        status = golden_answer_add(answer, label, golden_array_at(&host, 0), error);
        golden_array_free(&host);
    }
    return status;
}

static nc_status evaluate(const stats_family *family, const stats_arrays *arrays, bool gradient)
{
    const nc_array *parameters[] = {arrays->parameters[0], arrays->parameters[1], arrays->parameters[2]};
    if (family->is_prior) {
        nc_prior prior = (nc_prior)family->code;
        return gradient ? nc_prior_gradient(prior, arrays->value, parameters, arrays->status, arrays->gradients)
                        : nc_prior_log_density(prior, arrays->value, parameters, arrays->status, arrays->result);
    }
    nc_observation observation;
    NC_STRUCT_INIT(&observation);
    observation.family = family->code;
    observation.value = arrays->value;
    observation.upper = arrays->upper;
    observation.trials = arrays->trials;
    observation.censoring = arrays->censoring;
    for (int k = 0; k < NC_STATS_MAX_PARAMETERS; ++k) {
        observation.parameters[k] = parameters[k];
    }
    return gradient ? nc_observation_gradient(&observation, arrays->status, arrays->gradients)
                    : nc_observation_log_density(&observation, arrays->status, arrays->result);
}

static golden_status answer_density(nc_device *device, const golden_row *row, const stats_family *family, golden_answer *answer,
                                    golden_error *error)
{
    stats_arrays arrays = {0};
    golden_status status = arrays_load(device, row, family, &arrays, error);
    status = status == GOLDEN_OK ? golden_nc(evaluate(family, &arrays, false), family->name, row, error) : status;
    status = status == GOLDEN_OK ? add_output(row, arrays.result, row->dtype, "log_density", answer, error) : status;
    status = status == GOLDEN_OK ? add_output(row, arrays.status, GOLDEN_I32, "status", answer, error) : status;
    status = status == GOLDEN_OK ? golden_nc(evaluate(family, &arrays, true), family->name, row, error) : status;
    for (int k = 0; status == GOLDEN_OK && k < NC_STATS_MAX_PARAMETERS && family->gradients[k] != NULL; ++k) {
        status = add_output(row, arrays.gradients[k], row->dtype, family->gradients[k], answer, error);
    }
    status = status == GOLDEN_OK ? add_output(row, arrays.status, GOLDEN_I32, "status.gradient", answer, error) : status;
    arrays_release(&arrays);
    return status;
}

#define DENSITY(operation, code, is_prior, is_count, has_trials, ...)                                                              \
    golden_status golden_answer_stats_##operation(nc_device *device, const golden_row *row, golden_answer *answer,                 \
                                                  golden_error *error)                                                             \
    {                                                                                                                              \
        static const stats_family family = {#operation, code, is_prior, is_count, has_trials, {__VA_ARGS__}};                      \
        return answer_density(device, row, &family, answer, error);                                                                \
    }
DENSITY(normal, NC_NORMAL, false, false, false, "gradient.mu", "gradient.sigma")
DENSITY(lognormal, NC_LOGNORMAL, false, false, false, "gradient.mu", "gradient.sigma")
DENSITY(student_t, NC_STUDENT_T, false, false, false, "gradient.nu", "gradient.mu", "gradient.sigma")
DENSITY(gamma, NC_GAMMA, false, false, false, "gradient.shape", "gradient.rate")
DENSITY(poisson, NC_POISSON, false, true, false, "gradient.lambda")
DENSITY(negative_binomial, NC_NEGATIVE_BINOMIAL, false, true, false, "gradient.mu", "gradient.phi")
DENSITY(binomial, NC_BINOMIAL, false, true, true, "gradient.p")
DENSITY(binomial_logit, NC_BINOMIAL_LOGIT, false, true, true, "gradient.logit")
DENSITY(prior_normal, NC_PRIOR_NORMAL, true, false, false, "gradient.x", "gradient.mu", "gradient.sigma")
DENSITY(prior_half_normal, NC_PRIOR_HALF_NORMAL, true, false, false, "gradient.x", "gradient.sigma")
DENSITY(prior_lognormal, NC_PRIOR_LOGNORMAL, true, false, false, "gradient.x", "gradient.mu", "gradient.sigma")
DENSITY(prior_gamma, NC_PRIOR_GAMMA, true, false, false, "gradient.x", "gradient.shape", "gradient.rate")
DENSITY(prior_beta, NC_PRIOR_BETA, true, false, false, "gradient.x", "gradient.a", "gradient.b")
