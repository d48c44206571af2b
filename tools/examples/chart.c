// SPDX-License-Identifier: Apache-2.0
#include "chart.h"

// The page and the frame of the axes on it, in pixels.
enum { WIDTH = 720, HEIGHT = 420, LEFT = 76, RIGHT = 24, TOP = 48, BOTTOM = 62, TICK = 5, LINE_HEIGHT = 22 };

static double across(const chart *c, double x)
{
    return LEFT + x / c->x.last * (WIDTH - LEFT - RIGHT);
}

static double down(const chart *c, double y)
{
    return HEIGHT - BOTTOM - y / c->y.last * (HEIGHT - TOP - BOTTOM);
}

static int tick_count(const chart_axis *axis)
{
    return (int)(axis->last / axis->tick + 0.5);
}

static void ticks(const chart *c)
{
    for (int i = 0; i <= tick_count(&c->x); ++i) {
        double x = i * c->x.tick;
        fprintf(c->file, "<line x1=\"%.2f\" y1=\"%d\" x2=\"%.2f\" y2=\"%d\" stroke=\"#333\"/>\n", across(c, x), HEIGHT - BOTTOM,
                across(c, x), HEIGHT - BOTTOM + TICK);
        fprintf(c->file, "<text x=\"%.2f\" y=\"%d\" text-anchor=\"middle\">%.0f</text>\n", across(c, x), HEIGHT - BOTTOM + 20, x);
    }
    for (int i = 0; i <= tick_count(&c->y); ++i) {
        double y = i * c->y.tick;
        fprintf(c->file, "<line x1=\"%d\" y1=\"%.2f\" x2=\"%d\" y2=\"%.2f\" stroke=\"#ddd\"/>\n", LEFT, down(c, y), WIDTH - RIGHT,
                down(c, y));
        fprintf(c->file, "<text x=\"%d\" y=\"%.2f\" text-anchor=\"end\">%.0f</text>\n", LEFT - 8, down(c, y) + 4.5, y);
    }
}

void chart_begin(const chart *c)
{
    fprintf(c->file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
            "font-family=\"sans-serif\" font-size=\"13\" fill=\"#222\">\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    fprintf(c->file, "<title>%s</title>\n<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n", c->title, WIDTH, HEIGHT);
    fprintf(c->file, "<text x=\"%d\" y=\"28\" font-size=\"16\">%s</text>\n", LEFT, c->title);
    ticks(c);
    fprintf(c->file, "<text x=\"%.2f\" y=\"%d\" text-anchor=\"middle\" font-size=\"14\">%s</text>\n", across(c, c->x.last / 2),
            HEIGHT - 16, c->x.label);
    fprintf(c->file, "<text transform=\"translate(24 %.2f) rotate(-90)\" text-anchor=\"middle\" font-size=\"14\">%s</text>\n",
            down(c, c->y.last / 2), c->y.label);
}

void chart_band(const chart *c, const double *x, const double *low, const double *high, size_t count, const char *colour)
{
    fprintf(c->file, "<polygon fill=\"%s\" fill-opacity=\"0.22\" points=\"", colour);
    for (size_t i = 0; i < count; ++i) {
        fprintf(c->file, "%.2f,%.2f ", across(c, x[i]), down(c, low[i]));
    }
    for (size_t i = count; i-- > 0;) {
        fprintf(c->file, "%.2f,%.2f%s", across(c, x[i]), down(c, high[i]), i == 0 ? "" : " ");
    }
    fprintf(c->file, "\"/>\n");
}

void chart_line(const chart *c, const double *x, const double *y, size_t count, const char *colour)
{
    fprintf(c->file, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", colour);
    for (size_t i = 0; i < count; ++i) {
        fprintf(c->file, "%s%.2f,%.2f", i == 0 ? "" : " ", across(c, x[i]), down(c, y[i]));
    }
    fprintf(c->file, "\"/>\n");
}

void chart_span(const chart *c, double from, double to, const char *word)
{
    fprintf(c->file, "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"#888\" fill-opacity=\"0.15\"/>\n",
            across(c, from), TOP, across(c, to) - across(c, from), HEIGHT - TOP - BOTTOM);
    fprintf(c->file, "<text x=\"%.2f\" y=\"%d\" text-anchor=\"middle\" fill=\"#555\">%s</text>\n", across(c, (from + to) / 2),
            TOP + 16, word);
}

void chart_legend(const chart *c, int place, const char *text, const char *colour)
{
    int y = TOP + 16 + place * LINE_HEIGHT;
    fprintf(c->file, "<rect x=\"%d\" y=\"%d\" width=\"28\" height=\"14\" fill=\"%s\" fill-opacity=\"0.22\"/>\n", WIDTH - 132,
            y - 11, colour);
    fprintf(c->file, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2\"/>\n", WIDTH - 132, y - 4,
            WIDTH - 104, y - 4, colour);
    fprintf(c->file, "<text x=\"%d\" y=\"%d\">%s</text>\n", WIDTH - 96, y, text);
}

void chart_end(const chart *c)
{
    fprintf(c->file, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#333\"/>\n", LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT,
            HEIGHT - BOTTOM);
    fprintf(c->file, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#333\"/>\n</svg>\n", LEFT, TOP, LEFT, HEIGHT - BOTTOM);
}
