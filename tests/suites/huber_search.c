// SPDX-License-Identifier: Apache-2.0
// Searches that end without a step: nothing of the refused candidates may reach the state.
#include "huber.h"

// A model with one coefficient, 0, and the given information.
static nc_huber *model_with_information(cupel_context *context, double information)
{
    size_t size = 0;
    size_t width = cupel_dtype(context) == NC_F32 ? 4 : 8;
    nc_huber *model = huber_open(context, cupel_dtype(context), 0, 1);
    unsigned char *bytes = cupel_alloc(context, 4096);
    cupel_require_ok(context, nc_huber_export(model, bytes, 4096, &size));
    huber_close(context, model);
    huber_put(bytes + HUBER_HEADER_BYTES + width, huber_bits(information), 8);
    huber_seal(bytes, size);
    cupel_require_ok(context, nc_huber_restore(cupel_device(context), bytes, size, &model));
    return model;
}

// With a concave information every Newton step climbs, so none is taken. The state moves on with the curvature at the coefficients
// that stayed: each residual lies on tau, where kappa is 1/2, and a residual of any refused candidate would give 0.
static void no_step_keeps_the_residuals(cupel_context *context)
{
    static const double x[4] = {1, 1, 1, 1}, y[4] = {1, 1, 1, 1};
    const int64_t shape[2] = {1, 1};
    nc_huber_config config = huber_config(1.0, 0.0, 1e-9);
    nc_huber_diagnostics diagnostics = huber_diagnostics();
    config.bandwidth_scale = 0x1p-40;
    nc_huber *model = model_with_information(context, -100.0);
    nc_status status = huber_take(context, model, &config, x, y, NULL, 4, 1, &diagnostics);
    cupel_expect_true(context, status == NC_ILL_CONDITIONED || status == NC_NOT_CONVERGED);
    cupel_expect_u64(context, (uint64_t)diagnostics.converged, 0);
    cupel_expect_u64(context, (uint64_t)diagnostics.iterations, 1);
    cupel_expect_true(context, diagnostics.rejected_candidates >= 27);
    cupel_expect_true(context, huber_beta(context, model)[0] == 0.0);
    nc_array *out = cupel_output(context, NC_F64, 2, shape);
    cupel_require_ok(context, nc_huber_information(model, out));
    cupel_expect_true(context, cupel_get_real(NC_F64, cupel_download(context, out), 0) == -98.0);
    huber_close(context, model);
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("huber.search.no-step-keeps-the-residuals", no_step_keeps_the_residuals),
};

const cupel_table huber_search_table = CUPEL_TABLE(cases);
