// SPDX-License-Identifier: Apache-2.0
// The networks, cell by cell. Axes: decay and epidemic have `a` groups; exchange and coupled have `a` groups and `b` stages.
#include "network.h"

// ---- decay: x' = -k x, every cell

void oracle_decay_rates(const oracle_network *network, oracle_point at, oracle_balance *balance)
{
    for (int i = 0; i < network->states && oracle_wants(balance, true); ++i) {
        oracle_flow(balance, oracle_tape_multiply(balance->tape, at.p[0], at.y[i]), i, 1, -1, 1);
    }
}

void oracle_decay_observe(const oracle_network *network, oracle_tape *tape, oracle_point at, int *observables)
{
    for (int i = 0; i < network->states; ++i) {
        observables[i] = oracle_tape_power(tape, -1, at.y[i], -1); // 1 / x
    }
}

// ---- exchange: A, B, C over (group, stage). Parameters: gain, rate[group], recovery[stage], transport[stage, stage].
// load[g] = sum_s B, drive[g] = gain rate[g] load[g] (coupled: the mean load of all groups); infection A -> B drive A,
// recovery B -> C rho B (implicit), return C -> A rate C, movement of B along stages (implicit).

static void exchange(const oracle_network *network, oracle_point at, oracle_balance *balance, bool coupled)
{
    enum { MOST = 8 };
    oracle_tape *tape = balance->tape;
    int groups = network->sizes[0], stages = network->sizes[1], cells = groups * stages;
    const int *a = at.y, *b = at.y + cells, *c = at.y + 2 * cells;
    const int *rate = at.p + 1, *rho = rate + groups, *transport = rho + stages;
    int load[MOST], drive[MOST], pressure = -1, infection[MOST * MOST];
    if (oracle_wants(balance, false)) {
        for (int g = 0; g < groups; ++g) {
            load[g] = -1;
            for (int s = 0; s < stages; ++s) {
                load[g] = oracle_tape_sum(tape, load[g], s, b[g * stages + s]);
            }
        }
        for (int g = 0; g < groups && coupled; ++g) {
            pressure = oracle_tape_sum(tape, pressure, g, load[g]);
        }
        if (coupled) {
            pressure = oracle_tape_ratio(tape, pressure, oracle_tape_constant(tape, (double)groups));
        }
        for (int g = 0; g < groups; ++g) {
            drive[g] = oracle_tape_multiply(tape, at.p[0], rate[g]);
            drive[g] = oracle_tape_multiply(tape, drive[g], coupled ? pressure : load[g]);
        }
        for (int i = 0; i < cells; ++i) {
            infection[i] = oracle_tape_multiply(tape, drive[i / stages], a[i]);
        }
        for (int i = 0; i < cells; ++i) {
            oracle_flow(balance, infection[i], i, 1, cells + i, 1);
        }
    }
    for (int i = 0; i < cells && oracle_wants(balance, true); ++i) {
        oracle_flow(balance, oracle_tape_multiply(tape, rho[i % stages], b[i]), cells + i, 1, 2 * cells + i, 1);
    }
    for (int i = 0; i < cells && oracle_wants(balance, false); ++i) {
        oracle_flow(balance, oracle_tape_multiply(tape, rate[i / stages], c[i]), 2 * cells + i, 1, i, 1);
    }
    for (int i = 0; i < cells && oracle_wants(balance, true); ++i) {
        int sum = -1;
        for (int from = 0; from < stages; ++from) {
            sum = oracle_tape_chain(tape, sum, transport[i % stages * stages + from], b[i / stages * stages + from]);
        }
        oracle_flow(balance, sum, -1, 1, cells + i, 1);
    }
}

void oracle_exchange_rates(const oracle_network *network, oracle_point at, oracle_balance *balance)
{
    exchange(network, at, balance, false);
}

void oracle_coupled_rates(const oracle_network *network, oracle_point at, oracle_balance *balance)
{
    exchange(network, at, balance, true);
}

// load[g], then the total of everybody: (A + B + C) summed over stages, then over groups.
void oracle_exchange_observe(const oracle_network *network, oracle_tape *tape, oracle_point at, int *observables)
{
    int groups = network->sizes[0], stages = network->sizes[1], cells = groups * stages, total = -1;
    for (int g = 0; g < groups; ++g) {
        int load = -1;
        for (int s = 0; s < stages; ++s) {
            load = oracle_tape_sum(tape, load, s, at.y[cells + g * stages + s]);
        }
        observables[g] = load;
    }
    for (int g = 0; g < groups; ++g) {
        int inner = -1;
        for (int s = 0; s < stages; ++s) {
            int everyone = -1;
            for (int part = 0; part < 3; ++part) {
                everyone = oracle_tape_chain(tape, everyone, oracle_tape_constant(tape, 1.0), at.y[part * cells + g * stages + s]);
            }
            inner = oracle_tape_sum(tape, inner, s, everyone);
        }
        total = oracle_tape_sum(tape, total, g, inner);
    }
    observables[groups] = total;
}

// ---- epidemic: S, I, R by group, parameters beta, gamma. N = S + I + R; infection beta S I / N, recovery gamma I (implicit).

static int population(oracle_tape *tape, oracle_point at, int groups, int g)
{
    int n = -1;
    for (int part = 0; part < 3; ++part) {
        n = oracle_tape_chain(tape, n, oracle_tape_constant(tape, 1.0), at.y[part * groups + g]);
    }
    return n;
}

void oracle_epidemic_rates(const oracle_network *network, oracle_point at, oracle_balance *balance)
{
    oracle_tape *tape = balance->tape;
    int groups = network->sizes[0];
    for (int g = 0; g < groups && oracle_wants(balance, false); ++g) {
        int n = population(tape, at, groups, g);
        int flux = oracle_tape_multiply(tape, at.p[0], at.y[g]);
        flux = oracle_tape_multiply(tape, flux, at.y[groups + g]);
        oracle_flow(balance, oracle_tape_ratio(tape, flux, n), g, 1, groups + g, 1);
    }
    for (int g = 0; g < groups && oracle_wants(balance, true); ++g) {
        oracle_flow(balance, oracle_tape_multiply(tape, at.p[1], at.y[groups + g]), groups + g, 1, 2 * groups + g, 1);
    }
}

void oracle_epidemic_observe(const oracle_network *network, oracle_tape *tape, oracle_point at, int *observables)
{
    for (int g = 0; g < network->sizes[0]; ++g) {
        observables[g] = population(tape, at, network->sizes[0], g);
    }
}

// ---- kinetics: S, E, P; parameters k, v, half, decay. Mass action 2 S + E -> P + E with rate k S^2 E, saturating S -> P with
// v S / (half + S), supply of S forced by a table of time, ramp of E by 0.1 t, loss of P decay P and of E 0.3 E (both implicit).

static const double season_times[] = {-1.0, 0.1, 0.7, 2.0}, season_values[] = {0.25, 1.1, 0.4, 0.9};
const oracle_table oracle_kinetics_tables[1] = {{4, season_times, season_values}};

void oracle_kinetics_rates(const oracle_network *network, oracle_point at, oracle_balance *balance)
{
    oracle_tape *tape = balance->tape;
    (void)network;
    int s = at.y[0], e = at.y[1], p = at.y[2];
    if (oracle_wants(balance, false)) {
        int mass = oracle_tape_power(tape, at.p[0], s, 2);
        mass = oracle_tape_multiply(tape, mass, e);
        oracle_flow(balance, mass, 0, 2, 2, 1);
        int level = oracle_tape_add(tape, at.p[2], s);
        int share = oracle_tape_ratio(tape, s, level);
        oracle_flow(balance, oracle_tape_multiply(tape, at.p[1], share), 0, 1, 2, 1);
        int supply = oracle_tape_multiply(tape, oracle_tape_constant(tape, 2.5), oracle_tape_forcing(tape, at.time, 0));
        oracle_flow(balance, supply, -1, 1, 0, 1);
        int ramp = oracle_tape_multiply(tape, oracle_tape_constant(tape, 0.1), at.time);
        oracle_flow(balance, ramp, -1, 1, 1, 1);
    }
    if (oracle_wants(balance, true)) {
        oracle_flow(balance, oracle_tape_multiply(tape, at.p[3], p), 2, 1, -1, 1);
        oracle_flow(balance, oracle_tape_multiply(tape, oracle_tape_constant(tape, 0.3), e), 1, 1, -1, 1);
    }
}

// S^2 / E, 0.7 S - 0.2 P, the ramp 0.1 t, S E
void oracle_kinetics_observe(const oracle_network *network, oracle_tape *tape, oracle_point at, int *observables)
{
    (void)network;
    int s = at.y[0], e = at.y[1], p = at.y[2];
    observables[0] = oracle_tape_power(tape, oracle_tape_power(tape, -1, s, 2), e, -1);
    observables[1] = oracle_tape_chain(tape, -1, oracle_tape_constant(tape, 0.7), s);
    observables[1] = oracle_tape_chain(tape, observables[1], oracle_tape_constant(tape, -0.2), p);
    observables[2] = oracle_tape_multiply(tape, oracle_tape_constant(tape, 0.1), at.time);
    observables[3] = oracle_tape_multiply(tape, s, e);
}

// ---- ageing: X over (depth, age) at depths 0, 0.3, 1 and ages 0, 1, 3, 7; parameter: births. Deaths by a constant for each age
// (implicit); births of all ages above 1 enter at age 0, by the integral over ages 1 to 7.

enum { DEPTHS = 3, AGES = 4 };
static const double depths[DEPTHS] = {0.0, 0.3, 1.0}, ages[AGES] = {0.0, 1.0, 3.0, 7.0}, deaths[AGES] = {0.05, 0.1, 0.2, 0.7};

// Trapezoid weight of node i among nodes first .. last.
static int weight(oracle_tape *tape, const double *coordinates, int first, int last, int i)
{
    return oracle_tape_half_difference(tape, coordinates[i < last ? i + 1 : last], coordinates[i > first ? i - 1 : first]);
}

static int age_integral(oracle_tape *tape, oracle_point at, int depth, int first)
{
    int sum = -1;
    for (int age = first; age < AGES; ++age) {
        int factor = weight(tape, ages, first, AGES - 1, age);
        sum = oracle_tape_chain(tape, sum, factor, at.y[depth * AGES + age]);
    }
    return sum;
}

void oracle_ageing_rates(const oracle_network *network, oracle_point at, oracle_balance *balance)
{
    oracle_tape *tape = balance->tape;
    (void)network;
    for (int i = 0; i < DEPTHS * AGES && oracle_wants(balance, true); ++i) {
        int rate = oracle_tape_constant(tape, deaths[i % AGES]);
        oracle_flow(balance, oracle_tape_multiply(tape, rate, at.y[i]), i, 1, -1, 1);
    }
    for (int depth = 0; depth < DEPTHS && oracle_wants(balance, false); ++depth) {
        int adults = age_integral(tape, at, depth, 1);
        oracle_flow(balance, oracle_tape_multiply(tape, at.p[0], adults), -1, 1, depth * AGES, 1);
    }
}

// The integral over depth of the integral over age, the mean, the slice at age 3, and the sum over depths of each age.
void oracle_ageing_observe(const oracle_network *network, oracle_tape *tape, oracle_point at, int *observables)
{
    (void)network;
    int nested = -1, sum = -1;
    for (int depth = 0; depth < DEPTHS; ++depth) {
        int factor = weight(tape, depths, 0, DEPTHS - 1, depth);
        nested = oracle_tape_chain(tape, nested, factor, age_integral(tape, at, depth, 0));
    }
    for (int depth = 0; depth < DEPTHS; ++depth) {
        int inner = -1;
        for (int age = 0; age < AGES; ++age) {
            inner = oracle_tape_sum(tape, inner, age, at.y[depth * AGES + age]);
        }
        sum = oracle_tape_sum(tape, sum, depth, inner);
    }
    observables[0] = nested;
    observables[1] = oracle_tape_ratio(tape, sum, oracle_tape_constant(tape, (double)(DEPTHS * AGES)));
    for (int depth = 0; depth < DEPTHS; ++depth) {
        observables[2 + depth] = at.y[depth * AGES + 2];
    }
    for (int age = 0; age < AGES; ++age) {
        int column = -1;
        for (int depth = 0; depth < DEPTHS; ++depth) {
            column = oracle_tape_sum(tape, column, depth, at.y[depth * AGES + age]);
        }
        observables[5 + age] = column;
    }
}
