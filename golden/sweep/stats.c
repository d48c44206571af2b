// SPDX-License-Identifier: Apache-2.0
// Random data of the module stats: ordinary values, values near the mean, the far tails, and each kind of censoring. Sizes stay
// where the oracle's expansions converge in reasonable time.
#include "stats.h"
#include "../lib/number.h"
#include "../lib/recipe.h"

#include <math.h>

// A double of the dtype's precision, uniform in the logarithm between 2^low and 2^high.
double golden_stats_positive(golden_random *random, golden_dtype dtype, int64_t low, int64_t high)
{
    golden_value value = golden_random_real(random, dtype, low, high, true);
    if (dtype == GOLDEN_F64) {
        return golden_double_of_bits(value.bits);
    }
    union {
        uint32_t bits;
        float number;
    } single = {.bits = (uint32_t)value.bits};
    return (double)single.number;
}
double golden_stats_signed(golden_random *random, golden_dtype dtype, int64_t low, int64_t high)
{
    double value = golden_stats_positive(random, dtype, low, high);
    return golden_random_below(random, 2) ? value : -value;
}
double golden_stats_narrow(golden_dtype dtype, double value)
{
    return dtype == GOLDEN_F32 ? (double)(float)value : value;
}

void golden_stats_real(golden_text *arguments, golden_dtype dtype, const char *key, double value)
{
    golden_value number = {dtype, 0};
    if (dtype == GOLDEN_F64) {
        number.bits = golden_bits_of_double(value);
    } else {
        union {
            float number;
            uint32_t bits;
        } single = {.number = (float)value};
        number.bits = single.bits;
    }
    golden_draw_value(arguments, key, number);
}
static void put_count(golden_text *arguments, const char *key, int64_t value)
{
    golden_text_printf(arguments, " %s=%lld", key, (long long)value);
}

typedef enum kind { OBSERVED, LEFT, RIGHT, INTERVAL } kind;
static kind draw_kind(golden_random *random, golden_text *arguments, const char *unsupported)
{
    static const char *const names[] = {"observed", "left", "right", "interval"};
    uint64_t draw = golden_random_below(random, 10);
    kind chosen = draw < 6 ? OBSERVED : (kind)(draw - 6 < 3 ? draw - 5 : 3);
    golden_text_printf(arguments, " censoring=%s", names[chosen]);
    if (chosen != OBSERVED && unsupported != NULL) {
        golden_text_printf(arguments, " expect_nan=[%s]", unsupported);
    }
    return chosen;
}

// An upper bound above y: close, of the order of `width`, or far.
static void put_upper(golden_random *random, golden_text *arguments, golden_dtype dtype, double y, double width)
{
    double upper = y + width * golden_stats_positive(random, dtype, -12, 3);
    upper = golden_stats_narrow(dtype, upper);
    if (!(upper > y)) {
        upper = y > 0.0 ? golden_stats_narrow(dtype, y * 1.25) : y < 0.0 ? golden_stats_narrow(dtype, y * 0.75) : 1.0;
    }
    golden_stats_real(arguments, dtype, "upper", upper);
}

// ---- Real families
// ------------------------------------------------------------------------------------------------------------------

// mu, sigma and a datum up to 2^5 standard deviations away
typedef struct location {
    double mu, sigma, y;
} location;
static location draw_location(golden_random *random, golden_dtype dtype)
{
    location at;
    at.mu = golden_stats_signed(random, dtype, -6, 6);
    at.sigma = golden_stats_positive(random, dtype, -6, 6);
    at.y = golden_stats_narrow(dtype,
                               at.mu + at.sigma * golden_stats_signed(random, dtype, -10, golden_random_below(random, 4) ? 1 : 4));
    return at;
}

void golden_draw_stats_normal(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    kind chosen = draw_kind(random, arguments, NULL);
    location at = draw_location(random, dtype);
    golden_stats_real(arguments, dtype, "y", at.y);
    if (chosen == INTERVAL) {
        put_upper(random, arguments, dtype, at.y, at.sigma);
    }
    golden_stats_real(arguments, dtype, "p0", at.mu);
    golden_stats_real(arguments, dtype, "p1", at.sigma);
}

void golden_draw_stats_lognormal(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    kind chosen = draw_kind(random, arguments, NULL);
    double y = golden_stats_positive(random, dtype, -8, 8), sigma = golden_stats_positive(random, dtype, -3, 3);
    golden_stats_real(arguments, dtype, "y", y);
    if (chosen == INTERVAL) {
        put_upper(random, arguments, dtype, y, y * sigma);
    }
    golden_stats_real(arguments, dtype, "p0", golden_stats_signed(random, dtype, -6, 3));
    golden_stats_real(arguments, dtype, "p1", sigma);
}

void golden_draw_stats_student_t(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    kind chosen = draw_kind(random, arguments, "gradient.nu");
    location at = draw_location(random, dtype);
    golden_stats_real(arguments, dtype, "y", at.y);
    if (chosen == INTERVAL) {
        put_upper(random, arguments, dtype, at.y, at.sigma);
    }
    golden_stats_real(arguments, dtype, "p0", golden_stats_positive(random, dtype, -3, 16));
    golden_stats_real(arguments, dtype, "p1", at.mu);
    golden_stats_real(arguments, dtype, "p2", at.sigma);
}

// A shape, and a value in units of 1/rate: near the shape, or anywhere.
static double draw_near_shape(golden_random *random, golden_dtype dtype, double shape)
{
    if (golden_random_below(random, 3)) {
        double x = shape + (shape > 1.0 ? sqrt(shape) : shape) * golden_stats_signed(random, dtype, -4, 1);
        if (x > 0.0) {
            return x;
        }
    }
    return golden_stats_positive(random, dtype, -8, 8);
}

static void draw_gamma(golden_random *random, golden_dtype dtype, golden_text *arguments, bool interval)
{
    double shape = golden_stats_positive(random, dtype, golden_random_below(random, 3) ? 0 : -8, 14),
           rate = golden_stats_positive(random, dtype, -6, 6);
    double y = golden_stats_narrow(dtype, draw_near_shape(random, dtype, shape) / rate);
    golden_stats_real(arguments, dtype, "y", y);
    if (interval) {
        put_upper(random, arguments, dtype, y, y / (1.0 + shape));
    }
    golden_stats_real(arguments, dtype, "p0", shape);
    golden_stats_real(arguments, dtype, "p1", rate);
}

void golden_draw_stats_gamma(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    kind chosen = draw_kind(random, arguments, "gradient.shape");
    draw_gamma(random, dtype, arguments, chosen == INTERVAL);
}

// ---- Counts
// -------------------------------------------------------------------------------------------------------------------------

// A count near the mean or of any size; below 2^`bits` when it must stay summable.
static int64_t draw_count(golden_random *random, double mean, double deviation, int64_t bits)
{
    uint64_t draw = golden_random_below(random, 8);
    if (draw == 0) {
        return (int64_t)golden_random_below(random, 3);
    }
    double z = ((double)golden_random_between(random, -4000, 4000)) / 1000.0;
    double count = draw < 6 ? mean + z * deviation
                            : (double)golden_random_below(random, (uint64_t)1 << golden_random_below(random, (uint64_t)bits));
    return count < 0.0 || !(count < 0x1p62) ? 0 : (int64_t)count;
}

static void put_counts(golden_random *random, golden_text *arguments, kind chosen, int64_t count, double deviation)
{
    put_count(arguments, "y", count);
    if (chosen == INTERVAL) {
        uint64_t width = golden_random_below(random, 3) ? 200 : (uint64_t)(4.0 * deviation) + 200;
        put_count(arguments, "upper", count + 1 + (int64_t)golden_random_below(random, width));
    }
}

void golden_draw_stats_poisson(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    kind chosen = draw_kind(random, arguments, NULL);
    int64_t largest = chosen == OBSERVED ? 40 : 16;
    double rate = golden_stats_positive(random, dtype, golden_random_below(random, 3) ? 0 : -10, largest);
    put_counts(random, arguments, chosen, draw_count(random, rate, sqrt(rate), largest), sqrt(rate));
    golden_stats_real(arguments, dtype, "p0", rate);
}

void golden_draw_stats_negative_binomial(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    kind chosen = draw_kind(random, arguments, "gradient.phi");
    int64_t largest = chosen == OBSERVED ? 34 : 12;
    double mu = golden_stats_positive(random, dtype, golden_random_below(random, 3) ? 0 : -10, largest);
    double phi = golden_stats_positive(random, dtype, chosen == OBSERVED ? -12 : -4, chosen == OBSERVED ? 60 : 16);
    double deviation = sqrt(mu + mu * (mu / phi));
    put_counts(random, arguments, chosen, draw_count(random, mu, deviation, largest), deviation);
    golden_stats_real(arguments, dtype, "p0", mu);
    golden_stats_real(arguments, dtype, "p1", phi);
}

static void draw_binomial(golden_random *random, golden_dtype dtype, golden_text *arguments, bool by_logit)
{
    kind chosen = draw_kind(random, arguments, NULL);
    int64_t trials =
        1 + (int64_t)golden_random_below(random, (uint64_t)1 << golden_random_below(random, chosen == OBSERVED ? 40 : 15));
    double p = golden_stats_positive(random, dtype, -14, -1), parameter = p;
    if (golden_random_below(random, 2)) {
        p = golden_stats_narrow(dtype, 1.0 - p);
        parameter = p;
    }
    if (by_logit) {
        parameter = golden_stats_signed(random, dtype, -4, golden_random_below(random, 4) ? 2 : 4);
        p = 0.5 + 0.5 * parameter / (1.0 + fabs(parameter)); // as steep, and the same on every machine
    }
    double deviation = sqrt((double)trials * p * (1.0 - p));
    int64_t count = draw_count(random, (double)trials * p, deviation, 30);
    count = count > trials ? trials - (int64_t)golden_random_below(random, 2) : count;
    put_counts(random, arguments, chosen, chosen != OBSERVED && count == trials ? trials - 1 : count, deviation);
    put_count(arguments, "trials", trials);
    golden_stats_real(arguments, dtype, "p0", parameter);
}

void golden_draw_stats_binomial(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    draw_binomial(random, dtype, arguments, false);
}
void golden_draw_stats_binomial_logit(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    draw_binomial(random, dtype, arguments, true);
}

// ---- Priors
// -------------------------------------------------------------------------------------------------------------------------

void golden_draw_stats_prior_normal(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    location at = draw_location(random, dtype);
    golden_stats_real(arguments, dtype, "y", at.y);
    golden_stats_real(arguments, dtype, "p0", at.mu);
    golden_stats_real(arguments, dtype, "p1", at.sigma);
}
void golden_draw_stats_prior_half_normal(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    golden_stats_real(arguments, dtype, "y", golden_stats_positive(random, dtype, -10, 4));
    golden_stats_real(arguments, dtype, "p0", golden_stats_positive(random, dtype, -4, 4));
}
void golden_draw_stats_prior_lognormal(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    golden_stats_real(arguments, dtype, "y", golden_stats_positive(random, dtype, -8, 8));
    golden_stats_real(arguments, dtype, "p0", golden_stats_signed(random, dtype, -6, 3));
    golden_stats_real(arguments, dtype, "p1", golden_stats_positive(random, dtype, -3, 3));
}
void golden_draw_stats_prior_gamma(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    draw_gamma(random, dtype, arguments, false);
}
void golden_draw_stats_prior_beta(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    double a = golden_stats_positive(random, dtype, -6, golden_random_below(random, 2) ? 4 : 24);
    double b = golden_stats_positive(random, dtype, -6, golden_random_below(random, 2) ? 4 : 24);
    double x = a / (a + b) * golden_stats_positive(random, dtype, -1, 1);
    x = golden_random_below(random, 2) || !(x < 1.0) ? golden_stats_positive(random, dtype, -12, -1) : x;
    x = golden_stats_narrow(dtype, golden_random_below(random, 2) ? x : 1.0 - x);
    golden_stats_real(arguments, dtype, "y", x > 0.0 && x < 1.0 ? x : 0.5);
    golden_stats_real(arguments, dtype, "p0", a);
    golden_stats_real(arguments, dtype, "p1", b);
}
