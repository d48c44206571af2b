// SPDX-License-Identifier: Apache-2.0
// Random real data of the module stats: ordinary values, values near the mean, the far tails, and each kind of censoring. Sizes
// stay where the oracle's expansions converge in reasonable time.
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

golden_stats_kind golden_stats_draw_kind(golden_random *random, golden_text *arguments, const char *unsupported)
{
    static const char *const names[] = {"observed", "left", "right", "interval"};
    uint64_t draw = golden_random_below(random, 10);
    golden_stats_kind chosen = draw < 6 ? GOLDEN_OBSERVED : (golden_stats_kind)(draw - 6 < 3 ? draw - 5 : 3);
    golden_text_printf(arguments, " censoring=%s", names[chosen]);
    if (chosen != GOLDEN_OBSERVED && unsupported != NULL) {
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
    golden_stats_kind chosen = golden_stats_draw_kind(random, arguments, NULL);
    location at = draw_location(random, dtype);
    golden_stats_real(arguments, dtype, "y", at.y);
    if (chosen == GOLDEN_INTERVAL) {
        put_upper(random, arguments, dtype, at.y, at.sigma);
    }
    golden_stats_real(arguments, dtype, "p0", at.mu);
    golden_stats_real(arguments, dtype, "p1", at.sigma);
}

void golden_draw_stats_lognormal(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    golden_stats_kind chosen = golden_stats_draw_kind(random, arguments, NULL);
    double y = golden_stats_positive(random, dtype, -8, 8), sigma = golden_stats_positive(random, dtype, -3, 3);
    golden_stats_real(arguments, dtype, "y", y);
    if (chosen == GOLDEN_INTERVAL) {
        put_upper(random, arguments, dtype, y, y * sigma);
    }
    golden_stats_real(arguments, dtype, "p0", golden_stats_signed(random, dtype, -6, 3));
    golden_stats_real(arguments, dtype, "p1", sigma);
}

void golden_draw_stats_student_t(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    golden_stats_kind chosen = golden_stats_draw_kind(random, arguments, "gradient.nu");
    location at = draw_location(random, dtype);
    golden_stats_real(arguments, dtype, "y", at.y);
    if (chosen == GOLDEN_INTERVAL) {
        put_upper(random, arguments, dtype, at.y, at.sigma);
    }
    golden_stats_real(arguments, dtype, "p0", golden_stats_positive(random, dtype, -3, 16));
    golden_stats_real(arguments, dtype, "p1", at.mu);
    golden_stats_real(arguments, dtype, "p2", at.sigma);
}

// A shape, and a value in units of 1/rate: near the shape, or anywhere; of a large one within 2^5 deviations.
static double draw_near_shape(golden_random *random, golden_dtype dtype, double shape)
{
    double deviation = shape > 1.0 ? sqrt(shape) : shape;
    if (shape >= 0x1p16) {
        return shape + deviation * golden_stats_signed(random, dtype, -10, golden_random_below(random, 3) ? 1 : 5);
    }
    if (golden_random_below(random, 3)) {
        double x = shape + deviation * golden_stats_signed(random, dtype, -4, 1);
        if (x > 0.0) {
            return x;
        }
    }
    return golden_stats_positive(random, dtype, -8, 8);
}

static void draw_gamma(golden_random *random, golden_dtype dtype, golden_text *arguments, bool interval)
{
    bool large = golden_random_below(random, 4) == 0;
    double shape = large ? golden_stats_positive(random, dtype, 16, 60)
                         : golden_stats_positive(random, dtype, golden_random_below(random, 3) ? 0 : -8, 14),
           rate = golden_stats_positive(random, dtype, -6, 6);
    double y = golden_stats_narrow(dtype, draw_near_shape(random, dtype, shape) / rate);
    golden_stats_real(arguments, dtype, "y", y);
    if (interval) {
        put_upper(random, arguments, dtype, y, large ? y / sqrt(shape) : y / (1.0 + shape));
    }
    golden_stats_real(arguments, dtype, "p0", shape);
    golden_stats_real(arguments, dtype, "p1", rate);
}

void golden_draw_stats_gamma(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    golden_stats_kind chosen = golden_stats_draw_kind(random, arguments, "gradient.shape");
    draw_gamma(random, dtype, arguments, chosen == GOLDEN_INTERVAL);
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
