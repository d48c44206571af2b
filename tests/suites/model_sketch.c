// SPDX-License-Identifier: Apache-2.0
// Short ways to describe networks in cases.
#include "model.h"

sketch sketch_begin(cupel_context *context)
{
    sketch s = {.context = context};
    cupel_require_ok(context, nc_network_create(&s.network));
    return s;
}

nc_model *sketch_compile(sketch s)
{
    nc_model *model = NULL;
    cupel_require_ok(s.context, nc_model_compile(cupel_device(s.context), s.network, &model));
    cupel_require_ok(s.context, nc_network_release(s.network));
    return model;
}

int32_t sketch_axis(sketch s, const char *name, int64_t extent, const double *coordinates)
{
    int32_t axis = NC_NONE;
    cupel_require_ok(s.context, nc_network_add_axis(s.network, name, extent, coordinates, &axis));
    return axis;
}

int32_t sketch_compartment(sketch s, const char *name, int32_t rank, const int32_t *axes)
{
    int32_t quantity = NC_NONE;
    cupel_require_ok(s.context, nc_network_add_compartment(s.network, name, rank, axes, &quantity));
    return quantity;
}

int32_t sketch_parameter(sketch s, const char *name, int32_t rank, const int32_t *axes)
{
    int32_t quantity = NC_NONE;
    cupel_require_ok(s.context, nc_network_add_parameter(s.network, name, rank, axes, &quantity));
    return quantity;
}

int32_t sketch_constant(sketch s, const char *name, int32_t rank, const int32_t *axes, const double *values, int64_t count)
{
    int32_t quantity = NC_NONE;
    cupel_require_ok(s.context, nc_network_add_constant(s.network, name, rank, axes, values, count, &quantity));
    return quantity;
}

int32_t sketch_reduction(sketch s, const char *name, int32_t source, nc_reduction reduction, int32_t rank, const int32_t *axes)
{
    int32_t quantity = NC_NONE;
    cupel_require_ok(s.context, nc_network_add_reduction(s.network, name, source, reduction, rank, axes, &quantity));
    return quantity;
}

nc_flow sketch_flow(const char *name, nc_law law, int32_t source, int32_t target, int32_t rate, int32_t reactant)
{
    nc_flow flow;
    NC_STRUCT_INIT(&flow);
    flow.name = name;
    flow.law = (int32_t)law;
    flow.source = source;
    flow.target = target;
    flow.rate = rate;
    flow.reactant_count = reactant != NC_NONE;
    flow.reactants[0] = reactant;
    return flow;
}

int32_t sketch_add(sketch s, nc_flow flow)
{
    int32_t number = NC_NONE;
    cupel_require_ok(s.context, nc_network_add_flow(s.network, &flow, &number));
    return number;
}

void sketch_release(cupel_context *context, nc_model *model)
{
    cupel_expect_status(context, nc_model_release(model), NC_OK);
}
