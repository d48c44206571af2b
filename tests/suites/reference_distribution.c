// SPDX-License-Identifier: Apache-2.0
#include "reference_distribution.h"

#include <math.h>
#include <stdlib.h>

bool reference_is_count(const reference_distribution *d)
{
    return d->family >= REFERENCE_POISSON;
}

// P(a, x): the series below a + 1, one minus the continued fraction above (Abramowitz & Stegun 6.5.29, 6.5.31).
static long double gamma_lower(long double a, long double x)
{
    if (!(x > 0.0L)) {
        return 0.0L;
    }
    long double prefix = expl(a * logl(x) - x - lgammal(a + 1.0L));
    if (x < a + 1.0L) {
        long double term = 1.0L, sum = 1.0L;
        for (int n = 1; n < 100000 && term > sum * 1e-20L; ++n) {
            term *= x / (a + (long double)n);
            sum += term;
        }
        return prefix * sum;
    }
    long double b = x + 1.0L - a, c = 1e300L, h = 1.0L / b, d = h;
    for (int n = 1; n < 100000; ++n) {
        long double numerator = (long double)n * (a - (long double)n);
        b += 2.0L;
        d = 1.0L / (numerator * d + b);
        c = b + numerator / c;
        long double factor = d * c;
        h *= factor;
        if (fabsl(factor - 1.0L) < 1e-19L) {
            break;
        }
    }
    return 1.0L - prefix * a * h;
}

// I_x(a, b) by its continued fraction (Abramowitz & Stegun 26.5.8), on the side where it converges.
static long double beta_lower(long double a, long double b, long double x)
{
    if (!(x > 0.0L)) {
        return 0.0L;
    }
    if (!(x < 1.0L)) {
        return 1.0L;
    }
    if (x > (a + 1.0L) / (a + b + 2.0L)) {
        return 1.0L - beta_lower(b, a, 1.0L - x);
    }
    long double c = 1.0L, d = 1.0L / (1.0L - (a + b) * x / (a + 1.0L)), h = d;
    for (int m = 1; m < 100000; ++m) {
        long double k = (long double)m;
        long double even = k * (b - k) * x / ((a + 2.0L * k - 1.0L) * (a + 2.0L * k));
        long double odd = -(a + k) * (a + b + k) * x / ((a + 2.0L * k) * (a + 2.0L * k + 1.0L));
        d = 1.0L / (1.0L + even * d);
        c = 1.0L + even / c;
        h *= d * c;
        d = 1.0L / (1.0L + odd * d);
        c = 1.0L + odd / c;
        h *= d * c;
        if (fabsl(d * c - 1.0L) < 1e-19L) {
            break;
        }
    }
    long double prefix = lgammal(a + b) - lgammal(a) - lgammal(b) + a * logl(x) + b * log1pl(-x);
    return expl(prefix) * h / a;
}

static long double normal_cdf(long double z)
{
    return 0.5L * erfcl(-z * 0.707106781186547524400844362104849039L);
}

static long double student_cdf(long double z, long double nu)
{
    long double tail = 0.5L * beta_lower(0.5L * nu, 0.5L, nu / (nu + z * z));
    return z > 0.0L ? 1.0L - tail : tail;
}

long double reference_cdf(const reference_distribution *d, double x)
{
    const double *p = d->p;
    if (reference_is_count(d) && x < 0.0) {
        return 0.0L;
    }
    switch (d->family) {
    case REFERENCE_NORMAL:
        return normal_cdf(((long double)x - (long double)p[0]) / (long double)p[1]);
    case REFERENCE_LOGNORMAL:
        return x > 0.0 ? normal_cdf((logl((long double)x) - (long double)p[0]) / (long double)p[1]) : 0.0L;
    case REFERENCE_STUDENT_T:
        return student_cdf(((long double)x - (long double)p[1]) / (long double)p[2], (long double)p[0]);
    case REFERENCE_GAMMA:
        return gamma_lower((long double)p[0], (long double)x * (long double)p[1]);
    case REFERENCE_POISSON:
        return 1.0L - gamma_lower((long double)x + 1.0L, (long double)p[0]);
    case REFERENCE_NEGATIVE_BINOMIAL:
        return beta_lower((long double)p[1], (long double)x + 1.0L, (long double)p[1] / ((long double)p[1] + (long double)p[0]));
    default:
        return x >= d->trials
                   ? 1.0L
                   : beta_lower((long double)d->trials - (long double)x, (long double)x + 1.0L, 1.0L - (long double)p[0]);
    }
}

static long double normal_log_density(long double z)
{
    return -0.5L * z * z - 0.918938533204672741780329736405617640L;
}

long double reference_log_density(const reference_distribution *d, double at)
{
    long double x = (long double)at, a = (long double)d->p[0], b = (long double)d->p[1], c = (long double)d->p[2];
    long double n = (long double)d->trials, z;
    switch (d->family) {
    case REFERENCE_NORMAL:
        return normal_log_density((x - a) / b) - logl(b);
    case REFERENCE_LOGNORMAL:
        return normal_log_density((logl(x) - a) / b) - logl(b) - logl(x);
    case REFERENCE_STUDENT_T:
        z = (x - b) / c;
        return lgammal(0.5L * (a + 1.0L)) - lgammal(0.5L * a) - 0.5L * logl(a * 3.14159265358979323846264338327950288L) - logl(c) -
               0.5L * (a + 1.0L) * log1pl(z * z / a);
    case REFERENCE_GAMMA:
        return a * logl(b) + (a - 1.0L) * logl(x) - b * x - lgammal(a);
    case REFERENCE_POISSON:
        return x * logl(a) - a - lgammal(x + 1.0L);
    case REFERENCE_NEGATIVE_BINOMIAL:
        return lgammal(x + b) - lgammal(b) - lgammal(x + 1.0L) + b * logl(b / (a + b)) + x * logl(a / (a + b));
    default:
        return lgammal(n + 1.0L) - lgammal(x + 1.0L) - lgammal(n - x + 1.0L) + x * logl(a) + (n - x) * log1pl(-a);
    }
}

double reference_density_terms(const reference_distribution *d, double x)
{
    const double two_pi = 6.28318530717958648, *p = d->p;
    double value = fabs((double)reference_log_density(d, x)), counted = log(two_pi * (1.0 + fabs(x)));
    double z = d->family == REFERENCE_LOGNORMAL ? (log(x) - p[0]) / p[1] : 0.0;
    switch (d->family) {
    case REFERENCE_NORMAL:
        return value + 2.0 * (log(two_pi) + fabs(log(p[1])));
    case REFERENCE_LOGNORMAL:
        return value + 2.0 * (log(two_pi) + fabs(log(p[1])) + fabs(log(x))) + fabs(z * log(x)) / p[1];
    case REFERENCE_STUDENT_T:
        return value + 2.0 * (1.0 + log(two_pi) + fabs(log(p[2])));
    case REFERENCE_GAMMA:
        return value + 2.0 * (log(two_pi * (1.0 + p[0])) + fabs(log(p[1]))) + fabs(p[0] - p[1] * x);
    case REFERENCE_POISSON:
        return value + 2.0 * counted + fabs(x - p[0]);
    case REFERENCE_NEGATIVE_BINOMIAL:
        return value + 2.0 * (counted + log(1.0 + x / p[1])) + fabs(x - p[0]);
    default:
        return value + 2.0 * (counted + log(two_pi * (1.0 + d->trials))) + fabs(x - d->trials * p[0]);
    }
}

// psi(x) = psi(x + 1) - 1/x up to 20, then Abramowitz & Stegun 6.3.18.
long double reference_digamma(long double x)
{
    long double sum = 0.0L;
    for (; x < 20.0L; x += 1.0L) {
        sum -= 1.0L / x;
    }
    long double r = 1.0L / (x * x);
    long double tail = 1.0L / 12.0L - r * (1.0L / 120.0L - r * (1.0L / 252.0L - r * (1.0L / 240.0L - r * (1.0L / 132.0L))));
    return sum + logl(x) - 0.5L / x - r * tail;
}

double reference_transform(const reference_distribution *d, double x, double v)
{
    long double above = reference_cdf(d, x);
    if (!reference_is_count(d)) {
        return (double)above;
    }
    long double below = reference_cdf(d, x - 1.0);
    return (double)(below + (long double)v * (above - below));
}

// The standard normal quantile of u inside (0, 1), by bisection: independent of any approximation, and enough for a score.
static double normal_score(double u)
{
    double low = -9.0, high = 9.0;
    for (int step = 0; step < 40; ++step) {
        double middle = 0.5 * (low + high);
        if (0.5 * erfc(-middle * 0.70710678118654752) < u) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return 0.5 * (low + high);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double inside(double u)
{
    return u < 1e-300 ? 1e-300 : u > 1.0 - 0x1p-53 ? 1.0 - 0x1p-53 : u;
}

int reference_fit_uniform(double *values, size_t count, reference_fit *fit)
{
    double n = (double)count, cells[64] = {0.0}, sum = 0.0, squares = 0.0;
    if (count == 0) {
        return 0;
    }
    for (size_t i = 0; i < count; ++i) {
        double u = inside(values[i]), z = normal_score(u);
        ++cells[(size_t)(u * 64.0)];
        sum += z;
        squares += z * z;
    }
    qsort(values, count, sizeof *values, ascending);
    *fit = (reference_fit){0};
    double weighted = 0.0;
    for (size_t i = 0; i < count; ++i) {
        double u = inside(values[i]), k = (double)i, above = (k + 1.0) / n - u, below = u - k / n;
        fit->kolmogorov = fmax(fit->kolmogorov, fmax(above, below));
        weighted += (2.0 * k + 1.0) * (log(u) + log1p(-inside(values[count - 1 - i])));
    }
    fit->anderson = -n - weighted / n;
    for (size_t c = 0; c < 64; ++c) {
        double expected = n / 64.0;
        fit->chi_square += (cells[c] - expected) * (cells[c] - expected) / expected;
    }
    fit->mean_z = sum / sqrt(n);
    fit->variance_ratio = squares / n;
    return 1;
}

const char *reference_judge(const reference_fit *fit, size_t count)
{
    double n = (double)count;
    if (!(fabs(fit->mean_z) <= REFERENCE_STANDARD_ERRORS)) {
        return "mean";
    }
    if (!(fabs(fit->variance_ratio - 1.0) <= REFERENCE_STANDARD_ERRORS * sqrt(2.0 / n))) {
        return "variance";
    }
    if (!(fit->kolmogorov <= REFERENCE_KOLMOGOROV_8192 * sqrt(8192.0 / n))) {
        return "Kolmogorov-Smirnov";
    }
    if (!(fit->anderson <= REFERENCE_ANDERSON)) {
        return "Anderson-Darling";
    }
    return fit->chi_square <= REFERENCE_CHI_SQUARE ? NULL : "chi-square";
}
