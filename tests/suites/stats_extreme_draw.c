// SPDX-License-Identifier: Apache-2.0
#include "stats_extreme_draw.h"
#include "values.h"

#include <float.h>
#include <math.h>

enum { KINDS = 4 };

// A stream of numbers for one array.
typedef struct extreme_stream {
    nc_dtype dtype;
    uint64_t seed, next;
} extreme_stream;

static uint64_t stream_bits(extreme_stream *stream)
{
    return value_bits(stream->seed, stream->next++);
}

static double largest(nc_dtype dtype)
{
    return dtype == NC_F32 ? (double)FLT_MAX : DBL_MAX;
}
static double rounded(nc_dtype dtype, double x)
{
    double limit = largest(dtype), number = dtype == NC_F32 && fabs(x) <= limit ? (double)(float)x : x;
    return number > limit ? limit : number < -limit ? -limit : number;
}

// Positive: ordinary, anywhere in the exponent range, at its ends.
static double positive(extreme_stream *stream)
{
    bool single = stream->dtype == NC_F32;
    int least = single ? -149 : -1074, most = single ? 127 : 1023;
    double significand = 1.0 + ldexp((double)(stream_bits(stream) >> 12), -52);
    uint64_t draw = stream_bits(stream) % 8, size = stream_bits(stream);
    int exponent = draw < 3    ? (int)(size % 17) - 8
                   : draw == 3 ? least + (int)(size % 30)
                   : draw == 4 ? most - (int)(size % 4)
                               : least + (int)(size % (uint64_t)(most - least));
    double x = rounded(stream->dtype, ldexp(draw == 4 && size % 3 == 0 ? 2.0 : significand, exponent));
    return x > 0.0 ? x : ldexp(1.0, least);
}
static double either_sign(extreme_stream *stream)
{
    double x = positive(stream);
    uint64_t draw = stream_bits(stream) % 16;
    return draw == 0 ? 0.0 : draw % 2 == 0 ? x : -x;
}
static double probability(extreme_stream *stream)
{
    double x = positive(stream), p = rounded(stream->dtype, x > 1.0 ? 1.0 / x : x);
    return stream_bits(stream) % 2 == 0 ? p : rounded(stream->dtype, 1.0 - p);
}
static int64_t count_any(extreme_stream *stream)
{
    uint64_t bits = stream_bits(stream);
    return (int64_t)(bits >> (1 + stream_bits(stream) % 62));
}
// Near the mean, or anywhere.
static int64_t count_near(extreme_stream *stream, double mean, int64_t most)
{
    double x = mean * (1.0 + ldexp(1.0, -(int)(stream_bits(stream) % 40)));
    int64_t any = count_any(stream), near = x < 9e18 ? (int64_t)x : any;
    int64_t count = stream_bits(stream) % 2 == 0 ? any : near;
    return count <= most ? count : most;
}

// Parameters whose sum overflows are invalid by definition.
static double within(nc_dtype dtype, double x)
{
    return x > 0.25 * largest(dtype) ? 0.25 * x : x;
}

static void draw_real(extreme_stream *s, extreme_data *d, size_t i, bool is_positive, int mu)
{
    double spread = mu >= 0 ? d->p[mu + 1][i] : d->p[0][i] / d->p[1][i];
    d->y[i] = is_positive ? positive(s) : either_sign(s);
    if (stream_bits(s) % 2 == 0) {
        double near = mu >= 0 && !is_positive ? d->p[mu][i] + spread * either_sign(s) : spread * positive(s);
        d->y[i] = near > 0.0 || !is_positive ? rounded(s->dtype, near) : d->y[i];
    }
    d->y[i] = isfinite(d->y[i]) ? d->y[i] : 1.0;
    double gap = stream_bits(s) % 3 == 0 ? fabs(d->y[i]) * ldexp(1.0, -(int)(stream_bits(s) % 60)) : positive(s);
    d->upper[i] = rounded(s->dtype, d->y[i] + gap);
    if (stream_bits(s) % 16 == 0) {
        d->upper[i] = (double)INFINITY;
    }
}

static void draw_observation(extreme_stream *s, nc_family family, extreme_data *d, size_t i)
{
    d->kind[i] = (uint8_t)(stream_bits(s) % KINDS);
    switch (family) {
    case NC_STUDENT_T:
        d->p[0][i] = positive(s);
        d->p[1][i] = either_sign(s);
        d->p[2][i] = positive(s);
        draw_real(s, d, i, false, 1);
        break;
    case NC_NORMAL:
    case NC_LOGNORMAL:
        d->p[0][i] = either_sign(s);
        d->p[1][i] = positive(s);
        draw_real(s, d, i, family == NC_LOGNORMAL, 0);
        break;
    case NC_GAMMA:
        d->p[0][i] = positive(s);
        d->p[1][i] = positive(s);
        draw_real(s, d, i, true, -1);
        break;
    case NC_POISSON:
    case NC_NEGATIVE_BINOMIAL:
        d->p[0][i] = within(s->dtype, positive(s));
        d->p[1][i] = within(s->dtype, positive(s));
        d->count[i] = count_near(s, d->p[0][i], INT64_MAX);
        break;
    default:
        d->trials[i] = count_any(s);
        d->p[0][i] = family == NC_BINOMIAL ? probability(s) : either_sign(s);
        double mean = (double)d->trials[i] * (family == NC_BINOMIAL ? d->p[0][i] : 1.0 / (1.0 + exp(-d->p[0][i])));
        d->count[i] = count_near(s, mean, d->trials[i]);
        break;
    }
    int64_t length = stream_bits(s) % 2 == 0 ? count_any(s) : (int64_t)(stream_bits(s) % 80);
    d->upper_count[i] = d->count[i] > INT64_MAX - length ? INT64_MAX : d->count[i] + length;
}

void extreme_draw_observations(nc_dtype dtype, nc_family family, extreme_data *data)
{
    extreme_stream stream = {dtype, 0xe87u + (uint64_t)family, 0};
    for (size_t i = 0; i < EXTREME_ELEMENTS; ++i) {
        draw_observation(&stream, family, data, i);
    }
}

void extreme_draw_priors(nc_dtype dtype, nc_prior prior, extreme_data *data)
{
    extreme_stream stream = {dtype, 0x9121u + (uint64_t)prior, 0};
    bool on_the_line = prior == NC_PRIOR_NORMAL || prior == NC_PRIOR_LOGNORMAL;
    for (size_t i = 0; i < EXTREME_ELEMENTS; ++i) {
        data->p[0][i] = on_the_line ? either_sign(&stream) : within(dtype, positive(&stream));
        data->p[1][i] = within(dtype, positive(&stream));
        draw_real(&stream, data, i, prior != NC_PRIOR_NORMAL, on_the_line ? 0 : -1);
        data->y[i] = prior == NC_PRIOR_BETA ? probability(&stream) : data->y[i];
    }
}
