// SPDX-License-Identifier: Apache-2.0
// The suite huber: renewable Huber regression (nc_huber.h).
#include "huber.h"

#include <string.h>

static const cupel_table *const tables[] = {&huber_certified_table, &huber_golden_table, &huber_named_table, &huber_rank_table,
                                            &huber_restored_table,  &huber_search_table, &huber_state_table, &huber_stream_table};

const cupel_suite cupel_this_suite = CUPEL_SUITE("huber", tables);

nc_huber *huber_open(cupel_context *context, nc_dtype dtype, int32_t fit_intercept, int64_t features)
{
    nc_huber_options options;
    nc_huber *model = NULL;
    NC_STRUCT_INIT(&options);
    options.dtype = (int32_t)dtype;
    options.fit_intercept = fit_intercept;
    options.features = features;
    cupel_require_ok(context, nc_huber_create(cupel_device(context), &options, &model));
    return model;
}

void huber_close(cupel_context *context, nc_huber *model)
{
    cupel_expect_status(context, nc_huber_release(model), NC_OK);
}

nc_huber_config huber_config(double tau, double ridge, double tolerance)
{
    nc_huber_config config;
    nc_huber_config_init(&config);
    config.tau = tau;
    config.ridge = ridge;
    config.tolerance = tolerance;
    return config;
}

nc_huber_diagnostics huber_diagnostics(void)
{
    nc_huber_diagnostics diagnostics;
    NC_STRUCT_INIT(&diagnostics);
    diagnostics.bad_row = -77; // an update that writes diagnostics sets it
    return diagnostics;
}

static nc_dtype dtype_of(cupel_context *context, const nc_huber *model)
{
    nc_huber_info info;
    NC_STRUCT_INIT(&info);
    cupel_require_ok(context, nc_huber_info_get(model, &info));
    return (nc_dtype)info.dtype;
}

nc_status huber_take(cupel_context *context, nc_huber *model, const nc_huber_config *config, const double *x, const double *y,
                     const double *weights, int64_t rows, int64_t columns, nc_huber_diagnostics *diagnostics)
{
    const int64_t shape[2] = {rows, columns};
    nc_dtype dtype = dtype_of(context, model);
    nc_array *design = cupel_input(context, dtype, 2, shape, cupel_reals(context, dtype, x, (size_t)(rows * columns)));
    nc_array *response = cupel_input_vector(context, dtype, rows, cupel_reals(context, dtype, y, (size_t)rows));
    nc_array *frequency = NULL;
    if (weights != NULL) {
        frequency = cupel_input_vector(context, dtype, rows, cupel_reals(context, dtype, weights, (size_t)rows));
    }
    return nc_huber_update(model, config, design, response, frequency, diagnostics);
}

const double *huber_beta(cupel_context *context, const nc_huber *model)
{
    nc_huber_info info;
    NC_STRUCT_INIT(&info);
    cupel_require_ok(context, nc_huber_info_get(model, &info));
    nc_array *out = cupel_output_vector(context, (nc_dtype)info.dtype, info.coefficients);
    cupel_require_ok(context, nc_huber_coefficients(model, out));
    const void *values = cupel_download(context, out);
    double *beta = cupel_alloc(context, (size_t)info.coefficients * sizeof *beta);
    for (int64_t j = 0; j < info.coefficients; ++j) {
        beta[j] = cupel_get_real((nc_dtype)info.dtype, values, (size_t)j);
    }
    return beta;
}

const void *huber_bytes(cupel_context *context, const nc_huber *model, size_t *size)
{
    cupel_require_ok(context, nc_huber_export(model, NULL, 0, size));
    void *bytes = cupel_alloc(context, *size);
    cupel_require_ok(context, nc_huber_export(model, bytes, *size, size));
    return bytes;
}

uint64_t huber_bits(double value)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

void huber_put(unsigned char *at, uint64_t bits, size_t width)
{
    for (size_t b = 0; b < width; ++b) {
        at[b] = (unsigned char)(bits >> (8 * b));
    }
}

void huber_seal(unsigned char *bytes, size_t size)
{
    uint64_t rest = UINT64_MAX; // CRC-64, ECMA-182, reflected
    for (size_t i = 0; i < size - 8; ++i) {
        rest ^= bytes[i];
        for (int bit = 0; bit < 8; ++bit) {
            rest = (rest >> 1) ^ (rest & 1 ? UINT64_C(0xc96c5795d7870f42) : 0);
        }
    }
    huber_put(bytes + size - 8, ~rest, 8);
}

double huber_value(uint64_t key, int64_t row, int64_t column)
{
    uint64_t z = key * 0x9e3779b97f4a7c15u + (uint64_t)row * 0xbf58476d1ce4e5b9u + (uint64_t)column * 0x94d049bb133111ebu;
    z = (z ^ (z >> 31)) * 0x7fb5d329728ea185u;
    z = (z ^ (z >> 27)) * 0x81dadef4bc2dd44du;
    return (double)((int64_t)(z >> 42) - ((int64_t)1 << 21)) * 0x1p-20;
}
