// SPDX-License-Identifier: Apache-2.0
#include "reference_score.h"

#include <math.h>

static long double standard(const reference_distribution *d, double at)
{
    long double x = (long double)at;
    if (d->family == REFERENCE_STUDENT_T) {
        return (x - (long double)d->p[1]) / (long double)d->p[2];
    }
    return ((d->family == REFERENCE_LOGNORMAL ? logl(x) : x) - (long double)d->p[0]) / (long double)d->p[1];
}

static long double student_score(const reference_distribution *d, double x, int k)
{
    long double nu = (long double)d->p[0], sigma = (long double)d->p[2], z = standard(d, x), w = z * z / nu;
    long double shape = reference_digamma(0.5L * (nu + 1.0L)) - reference_digamma(0.5L * nu) - 1.0L / nu - log1pl(w) +
                        (nu + 1.0L) * w / (nu * (1.0L + w));
    const long double scores[] = {0.5L * shape, (nu + 1.0L) * z / (nu + z * z) / sigma, nu * (z * z - 1.0L) / (nu + z * z) / sigma};
    return scores[k];
}

long double reference_score(const reference_distribution *d, double x, int k)
{
    long double y = (long double)x, a = (long double)d->p[0], b = (long double)d->p[1], z;
    switch (d->family) {
    case REFERENCE_NORMAL:
    case REFERENCE_LOGNORMAL:
        z = standard(d, x);
        return k == 0 ? z / b : (z * z - 1.0L) / b;
    case REFERENCE_STUDENT_T:
        return student_score(d, x, k);
    case REFERENCE_GAMMA:
        return k == 0 ? logl(b * y) - reference_digamma(a) : a / b - y;
    case REFERENCE_POISSON:
        return y / a - 1.0L;
    case REFERENCE_NEGATIVE_BINOMIAL:
        return k == 0 ? (y - a) / a * (b / (a + b))
                      : reference_digamma(y + b) - reference_digamma(b) + logl(b / (a + b)) + (a - y) / (a + b);
    default:
        return (y - (long double)d->trials * a) / (a * (1.0L - a));
    }
}

bool reference_cdf_slope(const reference_distribution *d, double x, int k, long double *slope)
{
    long double y = (long double)x, a = (long double)d->p[0], b = (long double)d->p[1];
    long double density = expl(reference_log_density(d, x));
    switch (d->family) {
    case REFERENCE_NORMAL:
        *slope = k == 0 ? -density : -density * standard(d, x);
        return true;
    case REFERENCE_LOGNORMAL:
        *slope = k == 0 ? -density * y : -density * y * standard(d, x);
        return true;
    case REFERENCE_STUDENT_T:
        *slope = k == 1 ? -density : -density * standard(d, x);
        return k != 0;
    case REFERENCE_GAMMA:
        *slope = y / b * density;
        return k != 0;
    case REFERENCE_POISSON:
        *slope = -density;
        return true;
    case REFERENCE_NEGATIVE_BINOMIAL:
        *slope = -(b + y) / (a + b) * density;
        return k == 0;
    default:
        *slope = -((long double)d->trials - y) / (1.0L - a) * density;
        return true;
    }
}
