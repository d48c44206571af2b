// SPDX-License-Identifier: Apache-2.0
// Descriptions of the networks. A call that fails makes the later ones do nothing; the status is asked once.
#include "networks.h"

#include <string.h>

typedef struct describing {
    nc_network *network;
    nc_status status;
    int32_t a, b; // extents that the row gives
} describing;

static int32_t axis_of(describing *d, const char *name, int64_t extent, const double *coordinates)
{
    int32_t made = NC_NONE;
    if (d->status == NC_OK) {
        d->status = nc_network_add_axis(d->network, name, extent, coordinates, &made);
    }
    return made;
}

static int32_t compartment(describing *d, const char *name, int32_t rank, const int32_t *axes)
{
    int32_t made = NC_NONE;
    if (d->status == NC_OK) {
        d->status = nc_network_add_compartment(d->network, name, rank, axes, &made);
    }
    return made;
}

static int32_t parameter(describing *d, const char *name, int32_t rank, const int32_t *axes)
{
    int32_t made = NC_NONE;
    if (d->status == NC_OK) {
        d->status = nc_network_add_parameter(d->network, name, rank, axes, &made);
    }
    return made;
}

static int32_t constant(describing *d, const char *name, int32_t rank, const int32_t *axes, const double *values, int64_t count)
{
    int32_t made = NC_NONE;
    if (d->status == NC_OK) {
        d->status = nc_network_add_constant(d->network, name, rank, axes, values, count, &made);
    }
    return made;
}

static int32_t reduction(describing *d, const char *name, int32_t source, nc_reduction kind, int32_t rank, const int32_t *axes)
{
    int32_t made = NC_NONE;
    if (d->status == NC_OK) {
        d->status = nc_network_add_reduction(d->network, name, source, kind, rank, axes, &made);
    }
    return made;
}

static int32_t product(describing *d, const char *name, int32_t count, const int32_t *factors, const int32_t *orders)
{
    int32_t made = NC_NONE;
    if (d->status == NC_OK) {
        d->status = nc_network_add_product(d->network, name, count, factors, orders, &made);
    }
    return made;
}

static int32_t combination(describing *d, const char *name, int32_t count, const int32_t *terms, const double *weights)
{
    int32_t made = NC_NONE;
    if (d->status == NC_OK) {
        d->status = nc_network_add_combination(d->network, name, count, terms, weights, &made);
    }
    return made;
}

static void observe(describing *d, int32_t quantity)
{
    if (d->status == NC_OK) {
        d->status = nc_network_add_observable(d->network, quantity);
    }
}

static nc_flow flow_of(const char *name, nc_law law, int32_t source, int32_t target, int32_t rate, int32_t reactant)
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

static void add(describing *d, nc_flow flow, int32_t implicit)
{
    int32_t number = NC_NONE;
    flow.implicit = implicit;
    if (d->status == NC_OK) {
        d->status = nc_network_add_flow(d->network, &flow, &number);
    }
}

static void decay(describing *d)
{
    int32_t group = axis_of(d, "group", d->a, NULL), x = compartment(d, "x", 1, &group), k = parameter(d, "k", 0, NULL);
    const int32_t order = -1;
    add(d, flow_of("loss", NC_LAW_LINEAR, x, NC_NONE, k, x), 1);
    observe(d, product(d, "inverse", 1, &x, &order));
}

static void exchange(describing *d, int coupled)
{
    const int32_t axes[] = {axis_of(d, "group", d->a, NULL), axis_of(d, "stage", d->b, NULL)}, square[] = {axes[1], axes[1]};
    int32_t a = compartment(d, "A", 2, axes), b = compartment(d, "B", 2, axes), c = compartment(d, "C", 2, axes);
    int32_t gain = parameter(d, "gain", 0, NULL), rate = parameter(d, "rate", 1, &axes[0]);
    int32_t rho = parameter(d, "recovery", 1, &axes[1]), transport = parameter(d, "transport", 2, square);
    int32_t load = reduction(d, "load", b, NC_REDUCTION_SUM, 1, &axes[1]);
    int32_t pressure = coupled ? reduction(d, "pressure", load, NC_REDUCTION_MEAN, 1, &axes[0]) : load;
    const int32_t factors[] = {gain, rate, pressure}, orders[] = {1, 1, 1}, terms[] = {a, b, c};
    const double ones[] = {1.0, 1.0, 1.0};
    int32_t drive = product(d, "drive", 3, factors, orders);
    nc_flow movement = flow_of("movement", NC_LAW_TRANSPORT, NC_NONE, b, transport, b);
    movement.transport_axis = axes[1];
    add(d, flow_of("infection", NC_LAW_LINEAR, a, b, drive, a), 0);
    add(d, flow_of("recover", NC_LAW_LINEAR, b, c, rho, b), 1);
    add(d, flow_of("return", NC_LAW_LINEAR, c, a, rate, c), 0);
    add(d, movement, 1);
    observe(d, load);
    observe(d, reduction(d, "total", combination(d, "everyone", 3, terms, ones), NC_REDUCTION_SUM, 2, axes));
}

static void exchange_independent(describing *d)
{
    exchange(d, 0);
}

static void exchange_coupled(describing *d)
{
    exchange(d, 1);
}

static void epidemic(describing *d)
{
    int32_t group = axis_of(d, "group", d->a, NULL);
    int32_t s = compartment(d, "S", 1, &group), i = compartment(d, "I", 1, &group), r = compartment(d, "R", 1, &group);
    int32_t beta = parameter(d, "beta", 0, NULL), gamma = parameter(d, "gamma", 0, NULL);
    const int32_t terms[] = {s, i, r};
    const double ones[] = {1.0, 1.0, 1.0};
    int32_t n = combination(d, "N", 3, terms, ones);
    nc_flow infection = flow_of("infection", NC_LAW_MASS_ACTION, s, i, beta, s);
    infection.reactant_count = 2;
    infection.reactants[1] = i;
    infection.population = n;
    add(d, infection, 0);
    add(d, flow_of("recovery", NC_LAW_LINEAR, i, r, gamma, i), 1);
    observe(d, n);
}

static void kinetics(describing *d)
{
    static const double times[] = {-1.0, 0.1, 0.7, 2.0}, values[] = {0.25, 1.1, 0.4, 0.9};
    static const double supply_rate = 2.5, slope = 0.1, wear = 0.3, weights[] = {0.7, -0.2};
    int32_t s = compartment(d, "S", 0, NULL), e = compartment(d, "E", 0, NULL), p = compartment(d, "P", 0, NULL);
    int32_t k = parameter(d, "k", 0, NULL), v = parameter(d, "v", 0, NULL), half = parameter(d, "half", 0, NULL);
    int32_t loss = parameter(d, "decay", 0, NULL), season = NC_NONE, time = NC_NONE;
    if (d->status == NC_OK) {
        d->status = nc_network_add_forcing(d->network, "season", 4, times, values, &season);
    }
    if (d->status == NC_OK) {
        d->status = nc_network_add_time(d->network, "time", &time);
    }
    const int32_t ramp_factors[] = {constant(d, "slope", 0, NULL, &slope, 1), time}, one_each[] = {1, 1};
    const int32_t ratio_factors[] = {s, e}, ratio_orders[] = {2, -1}, terms[] = {s, p}, both[] = {s, e};
    int32_t ramp = product(d, "ramp", 2, ramp_factors, one_each);
    nc_flow mass = flow_of("mass", NC_LAW_MASS_ACTION, s, p, k, s),
            supply = flow_of("supply", NC_LAW_CONSTANT, NC_NONE, s, NC_NONE, NC_NONE);
    nc_flow saturating = flow_of("saturating", NC_LAW_SATURATING, s, p, v, s);
    mass.source_weight = 2;
    mass.reactant_count = 2;
    mass.orders[0] = 2;
    mass.reactants[1] = e;
    saturating.half_saturation = half;
    supply.rate = constant(d, "supply rate", 0, NULL, &supply_rate, 1);
    supply.forcing = season;
    add(d, mass, 0);
    add(d, saturating, 0);
    add(d, supply, 0);
    add(d, flow_of("growth", NC_LAW_CONSTANT, NC_NONE, e, ramp, NC_NONE), 0);
    add(d, flow_of("loss", NC_LAW_LINEAR, p, NC_NONE, loss, p), 1);
    add(d, flow_of("wear", NC_LAW_LINEAR, e, NC_NONE, constant(d, "wear rate", 0, NULL, &wear, 1), e), 1);
    observe(d, product(d, "ratio", 2, ratio_factors, ratio_orders));
    observe(d, combination(d, "mix", 2, terms, weights));
    observe(d, ramp);
    observe(d, product(d, "both", 2, both, one_each));
}

static void ageing(describing *d)
{
    static const double depths[] = {0.0, 0.3, 1.0}, ages[] = {0.0, 1.0, 3.0, 7.0}, deaths[] = {0.05, 0.1, 0.2, 0.7};
    const int32_t axes[] = {axis_of(d, "depth", 3, depths), axis_of(d, "age", 4, ages)};
    int32_t x = compartment(d, "X", 2, axes), births = parameter(d, "births", 0, NULL), adults = NC_NONE, slice = NC_NONE;
    int32_t mortality = constant(d, "mortality", 1, &axes[1], deaths, 4);
    if (d->status == NC_OK) {
        d->status = nc_network_add_integral(d->network, "adults", x, axes[1], 1.0, 7.0, &adults);
    }
    nc_flow born = flow_of("born", NC_LAW_LINEAR, NC_NONE, x, births, adults);
    born.target_pin_axis = axes[1];
    add(d, flow_of("died", NC_LAW_LINEAR, x, NC_NONE, mortality, x), 1);
    add(d, born, 0);
    observe(d, reduction(d, "nested", x, NC_REDUCTION_TRAPEZOID, 2, axes));
    observe(d, reduction(d, "mean", x, NC_REDUCTION_MEAN, 2, axes));
    if (d->status == NC_OK) {
        d->status = nc_network_add_selection(d->network, "age 3", x, axes[1], 2, &slice);
    }
    observe(d, slice);
    observe(d, reduction(d, "by age", x, NC_REDUCTION_SUM, 1, &axes[0]));
}

static const struct {
    const char *name;
    void (*describe)(describing *d);
} networks[] = {
    {"decay", decay},
    {"exchange", exchange_independent},
    {"coupled", exchange_coupled},
    {"epidemic", epidemic},
    {"kinetics", kinetics},
    {"ageing", ageing},
};

golden_status golden_network_model(nc_device *device, const golden_row *row, nc_model **model, golden_error *error)
{
    const char *name = NULL;
    int64_t a = 1, b = 1;
    describing d = {.status = NC_OK};
    golden_status status = golden_row_string(row, "network", &name, error);
    if (status == GOLDEN_OK && golden_row_has(row, "a")) {
        status = golden_row_integer(row, "a", &a, error);
    }
    if (status == GOLDEN_OK && golden_row_has(row, "b")) {
        status = golden_row_integer(row, "b", &b, error);
    }
    if (status == GOLDEN_OK && (a < 1 || a > 8 || b < 1 || b > 8)) {
        status = golden_fail(error, GOLDEN_REFUSED, "row %s: a and b must be 1 to 8.", row->id);
    }
    size_t found = 0, count = sizeof networks / sizeof networks[0];
    while (status == GOLDEN_OK && found < count && strcmp(networks[found].name, name) != 0) {
        ++found;
    }
    if (status == GOLDEN_OK && found == count) {
        status = golden_fail(error, GOLDEN_REFUSED, "row %s: there is no network \"%s\".", row->id, name);
    }
    status = status == GOLDEN_OK ? golden_nc(nc_network_create(&d.network), "nc_network_create", row, error) : status;
    if (status == GOLDEN_OK) {
        d.a = (int32_t)a;
        d.b = (int32_t)b;
        networks[found].describe(&d);
        status = golden_nc(d.status, "nc_network_add_", row, error);
    }
    status = status == GOLDEN_OK ? golden_nc(nc_model_compile(device, d.network, model), "nc_model_compile", row, error) : status;
    (void)nc_network_release(d.network);
    return status;
}
