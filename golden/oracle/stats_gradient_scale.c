// SPDX-License-Identifier: Apache-2.0
// What a gradient of a censored term loses where its ratio prefix/tail, or what it is a product of, is near the subnormal numbers.
#include "stats_scale.h"

static double size(double x)
{
    return x < 0.0 ? -x : x;
}

int scale_ratio_is_deep(golden_dtype dtype, double log_ratio)
{
    double over = log_ratio - (dtype == GOLDEN_F32 ? -69.0 : -670.0);
    return over < -1e-2 ? 1 : over > 1e-2 ? -1 : 0;
}

static bool is_tiny(double x, double small)
{
    return x != 0.0 && size(x) < small;
}

// z, the mean of two bounds in standard units, what a density falls between them, or a gamma's shape may be so small that it is
// subnormal. Over sigma, or over the rate, that may be an ordinary number.
double stats_gradient_least(const stats_datum *datum)
{
    const double *p = datum->p;
    double z = 1.0, upper = 1.0, middle = 1.0, small = datum->dtype == GOLDEN_F32 ? 0x1p-100 : 0x1p-960, factor = 0.0;
    if (datum->family == STATS_GAMMA) {
        factor = p[0] < small ? 1.0 / p[1] : 0.0;
    } else if (datum->family <= STATS_STUDENT) {
        stats_datum end = *datum;
        end.y = datum->upper;
        stats_standard_scale(datum, &z);
        if (datum->censoring == STATS_INTERVAL) {
            stats_standard_scale(&end, &upper);
            middle = upper + z;
        }
        bool is_student = datum->family == STATS_STUDENT;
        small *= is_student && datum->censoring == STATS_INTERVAL ? 1.0 + p[0] + 1.0 / p[0] : 1.0; // z/nu, and what falls by nu
        if (is_tiny(z, small) || is_tiny(upper, small) || is_tiny(middle, small)) {
            factor = is_student ? (p[0] + 1.0) * 2.0 / (datum->output == 2 && size(z) > 1.0 ? size(datum->y - p[1]) : p[2])
                                : (1.0 + size(z)) / p[1];
        }
    }
    bool is_interval = datum->censoring == STATS_INTERVAL; // which may be a difference of two subnormal numbers
    bool is_normal = datum->family == STATS_NORMAL || datum->family == STATS_LOGNORMAL;
    bool is_quartered = datum->family == STATS_STUDENT &&
                        !(size(0.25 * datum->y - 0.25 * p[1]) < (datum->dtype == GOLDEN_F32 ? 0x1p125 : 0x1p1020));
    double roundings = is_interval && !is_normal ? 1.0 : is_quartered ? 0.25 : 0.0;
    return (roundings + (is_interval ? 4.0 : 2.0) * factor) * scale_subnormal(datum->dtype);
}
