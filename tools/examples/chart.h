// SPDX-License-Identifier: Apache-2.0
// A line chart in SVG: a frame with ticks and labels, bands, lines and a legend. Coordinates are printed with two decimals, so
// equal data give equal bytes.
#ifndef EXAMPLE_CHART_H
#define EXAMPLE_CHART_H

#include <stdio.h>

typedef struct chart_axis {
    const char *label; // with its unit
    double last;       // the axis begins at 0
    double tick;       // a whole number
} chart_axis;

typedef struct chart {
    FILE *file;
    const char *title;
    chart_axis x, y;
} chart;

void chart_begin(const chart *c);
// The area between low[i] and high[i] over x[i].
void chart_band(const chart *c, const double *x, const double *low, const double *high, size_t count, const char *colour);
void chart_line(const chart *c, const double *x, const double *y, size_t count, const char *colour);
// A grey area over x from `from` to `to`, with a word at its top.
void chart_span(const chart *c, double from, double to, const char *word);
// The `place`-th entry of the legend, from 0.
void chart_legend(const chart *c, int place, const char *text, const char *colour);
void chart_end(const chart *c);

#endif
