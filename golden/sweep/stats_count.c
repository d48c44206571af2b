// SPDX-License-Identifier: Apache-2.0
// Random counts: means up to 2^16, or in a part of the rows up to 2^60 with bounds near the middle, in the tails and around
// everything. Only + - * / and square roots, so that a seed means the same rows on every machine.
#include "stats.h"

#include <math.h>

enum { MEAN_BITS = 60 };

static void put_count(golden_text *arguments, const char *key, int64_t value)
{
    golden_text_printf(arguments, " %s=%lld", key, (long long)value);
}

// A whole number, uniform in the logarithm from 2^low to 2^high.
static int64_t draw_whole(golden_random *random, uint64_t low, uint64_t high)
{
    uint64_t most = (uint64_t)1 << (low + golden_random_below(random, high - low));
    return (int64_t)(most + golden_random_below(random, most));
}

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

static void put_counts(golden_random *random, golden_text *arguments, golden_stats_kind chosen, int64_t count, double deviation)
{
    put_count(arguments, "y", count);
    if (chosen == GOLDEN_INTERVAL) {
        uint64_t width = golden_random_below(random, 3) ? 200 : (uint64_t)(4.0 * deviation) + 200;
        put_count(arguments, "upper", count + 1 + (int64_t)golden_random_below(random, width));
    }
}

// A place of a distribution whose mean and deviation are large: within four deviations, or further out, up to twice `room`, the
// mean or what is left to n, whichever is less. A probability beyond is less than MPFR's least number.
static double draw_place(golden_random *random, golden_dtype dtype, double mean, double deviation, double room)
{
    double away = golden_stats_signed(random, dtype, -10, golden_random_below(random, 3) ? 1 : 9) * deviation;
    if (golden_random_below(random, 12) == 0) {
        away = golden_stats_signed(random, dtype, -3, 1) * room;
    }
    away = away < -room ? -0.75 * room : away > 2.0 * room ? 2.0 * room : away;
    return mean + away + (double)golden_random_between(random, -64, 64);
}

// The same as counts of 0 to `last`, and in an interval a second place: some counts further, 65 to 2^40, a share of the deviation,
// or anywhere above.
static void put_large(golden_random *random, golden_dtype dtype, golden_text *arguments, golden_stats_kind chosen, double mean,
                      double deviation, double room, int64_t last)
{
    double place = draw_place(random, dtype, mean, deviation, room);
    int64_t count = place > 0.0 ? (int64_t)place : 0, width = draw_whole(random, 6, 40);
    double far = deviation * golden_stats_positive(random, dtype, -12, 3), limit = 2.0 * room + deviation;
    uint64_t how = golden_random_below(random, 4);
    if (how > 1) {
        far = how == 2 ? far : draw_place(random, dtype, mean, deviation, room) - place;
        width = far > 1.0 ? (int64_t)(far < limit ? far : limit) : 65;
    }
    count = count < last ? count : last - 1;
    put_count(arguments, "y", count);
    if (chosen == GOLDEN_INTERVAL) {
        put_count(arguments, "upper", width < last - count ? count + width : last);
    }
}

static bool draw_large(golden_random *random)
{
    return golden_random_below(random, 3) == 0;
}

void golden_draw_stats_poisson(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    golden_stats_kind chosen = golden_stats_draw_kind(random, arguments, NULL);
    double rate;
    if (draw_large(random)) {
        rate = golden_stats_positive(random, dtype, 16, MEAN_BITS);
        put_large(random, dtype, arguments, chosen, rate, sqrt(rate), rate, INT64_MAX);
    } else {
        int64_t largest = chosen == GOLDEN_OBSERVED ? 40 : 16;
        rate = golden_stats_positive(random, dtype, golden_random_below(random, 3) ? 0 : -10, largest);
        put_counts(random, arguments, chosen, draw_count(random, rate, sqrt(rate), largest), sqrt(rate));
    }
    golden_stats_real(arguments, dtype, "p0", rate);
}

void golden_draw_stats_negative_binomial(golden_random *random, golden_dtype dtype, golden_text *arguments)
{
    golden_stats_kind chosen = golden_stats_draw_kind(random, arguments, "gradient.phi");
    bool large = draw_large(random), observed = chosen == GOLDEN_OBSERVED;
    int64_t largest = observed ? 34 : 12;
    double mu = large ? golden_stats_positive(random, dtype, 16, MEAN_BITS)
                      : golden_stats_positive(random, dtype, golden_random_below(random, 3) ? 0 : -10, largest);
    double phi = golden_stats_positive(random, dtype, observed ? -12 : -4, observed || large ? MEAN_BITS : 16);
    double deviation = sqrt(mu + mu * (mu / phi));
    if (large) {
        put_large(random, dtype, arguments, chosen, mu, deviation, mu, INT64_MAX);
    } else {
        put_counts(random, arguments, chosen, draw_count(random, mu, deviation, largest), deviation);
    }
    golden_stats_real(arguments, dtype, "p0", mu);
    golden_stats_real(arguments, dtype, "p1", phi);
}

// p, or a logit and a p that is as steep, and the same on every machine.
static double draw_probability(golden_random *random, golden_dtype dtype, bool by_logit, double *parameter)
{
    if (by_logit) {
        *parameter = golden_stats_signed(random, dtype, -4, golden_random_below(random, 4) ? 2 : 4);
        return 0.5 + 0.5 * *parameter / (1.0 + fabs(*parameter));
    }
    *parameter = golden_stats_positive(random, dtype, -14, -1);
    if (golden_random_below(random, 2)) {
        *parameter = golden_stats_narrow(dtype, 1.0 - *parameter);
    }
    return *parameter;
}

// A logit and its p to all digits, for bounds that lie where the distribution does: the logistic function by halving its argument
// (e^x = (e^(x/1024))^1024 with a short series), from operations that every machine rounds alike.
static double logistic(double logit)
{
    double x = fabs(logit) / 1024.0, power = 1.0 - x * (1.0 - x / 2.0 * (1.0 - x / 3.0 * (1.0 - x / 4.0 * (1.0 - x / 5.0))));
    for (int i = 0; i < 10; ++i) {
        power *= power;
    }
    return logit < 0.0 ? power / (1.0 + power) : 1.0 / (1.0 + power);
}

static void draw_binomial(golden_random *random, golden_dtype dtype, golden_text *arguments, bool by_logit)
{
    golden_stats_kind chosen = golden_stats_draw_kind(random, arguments, NULL);
    double parameter, p = draw_probability(random, dtype, by_logit, &parameter);
    int64_t trials;
    if (draw_large(random)) {
        trials = draw_whole(random, 17, 61);
        p = by_logit ? logistic(parameter) : p;
        double mean = (double)trials * p, rest = (double)trials * (1.0 - p);
        put_large(random, dtype, arguments, chosen, mean, sqrt(mean * (1.0 - p)), mean < rest ? mean : rest, trials);
    } else {
        trials = 1 + (int64_t)golden_random_below(random,
                                                  (uint64_t)1 << golden_random_below(random, chosen == GOLDEN_OBSERVED ? 40 : 15));
        double deviation = sqrt((double)trials * p * (1.0 - p));
        int64_t count = draw_count(random, (double)trials * p, deviation, 30);
        count = count > trials ? trials - (int64_t)golden_random_below(random, 2) : count;
        put_counts(random, arguments, chosen, chosen != GOLDEN_OBSERVED && count == trials ? trials - 1 : count, deviation);
    }
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
