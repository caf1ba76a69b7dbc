// SPDX-License-Identifier: MIT
// Draws a figure of curves as SVG, from the top: a legend if there are several runs, then the panels, each with its own
// vertical axis and all with the same horizontal axis. Names of curves are at their right ends instead of in a legend.
// Coordinates are tenths of a millimetre with y pointing down, as in SVG.
#include "app/show/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Sizes in tenths of a millimetre.
static const double font = 25, // height of type: 7 points
    character = 13.2,          // mean width of a character of this type, generous for digits
    gap = 45,                  // between panels
    tick = 10,                 // length of a tick
    line_space = 29;           // between lines of text

// Limits of what is drawn.
enum {
    DECADES_MAX = 10, // of a logarithmic axis: below lies round-off
    BINS = 1500,      // of a long curve: more than a figure can resolve
    LABELS_MAX = 64   // names of one panel; more would not fit
};

// Palette of Okabe & Ito, Color Universal Design (2008), which remains distinguishable with any form of
// colour blindness. Black comes first; yellow is omitted because it is too pale for a line.
static const char *const palette[] = {"#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"};
// Dash patterns in SVG notation; the first is a full line.
static const char *const dashes[] = {"none", "12 7", "3 6", "18 6 3 6", "24 6"};

enum { COLOURS = sizeof palette / sizeof *palette, DASHES = sizeof dashes / sizeof *dashes };

typedef struct axis {
    double min, max;     // range of values; of log10|y| on a logarithmic axis
    double begin, end;   // their positions in the figure
    double first, space; // value of the first tick, distance of ticks
    int power;           // of ten, taken out of the numbers at the ticks
} axis;

typedef struct drawing {
    FILE *stream;
    const carom_figure_def *def;
    axis x;
    double right; // width reserved for names of curves
} drawing;

// Ticks at multiples of 1, 2 or 5 times a power of ten, about `count` of them. Returns their distance;
// `first` receives the first tick within the range. The thresholds 1.5, 3.5, 7.5 lie midway between the
// steps. The tolerance 1e-9 keeps a tick that round-off would put just outside the range.
static double find_ticks(double min, double max, int count, double *first) {
    double rough = (max - min) / count, power = pow(10, floor(log10(rough))), share = rough / power;
    double space = (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10) * power;
    *first = ceil(min / space - 1e-9) * space;
    return space;
}

// Writes text with the special characters of XML escaped; control characters, which XML cannot hold, become
// '?'.
static void put_text(FILE *stream, const char *text) {
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '<')
            fputs("&lt;", stream);
        else if (*c == '&')
            fputs("&amp;", stream);
        else if (*c == '>')
            fputs("&gt;", stream);
        else if (*c == '"')
            fputs("&quot;", stream);
        else
            fputc(*c < 0x20 || *c == 0x7f ? '?' : *c, stream);
    }
}

static const char *label_of(const carom_curve *curve) {
    return curve->label ? curve->label : curve->name;
}

// Position in the figure of a value; begin > end for vertical axes, since y points down.
static double place(const axis *a, double value) {
    return a->begin + (value - a->min) / (a->max - a->min) * (a->end - a->begin);
}

// The value that is plotted; -infinity for 0 on a logarithmic axis.
static double shown(const carom_panel *panel, double y) {
    return panel->logarithmic ? log10(fabs(y)) : y;
}

static void widen(axis *a, double value) {
    if (!isfinite(value))
        return;
    a->min = fmin(a->min, value);
    a->max = fmax(a->max, value);
}

// Widens an empty range: one without finite values, or with one value only (up to round-off).
static void give_extent(axis *a) {
    if (!(a->min <= a->max))
        a->min = 0, a->max = 1;
    double extent = a->max - a->min, size = fmax(fabs(a->min), fabs(a->max));
    if (extent <= 1e-12 * size || extent == 0) {
        double half = size > 0 ? 0.5 * size : 0.5;
        a->min -= half;
        a->max += half;
    }
}

// The horizontal axis spans the data of all panels.
static axis x_axis(const carom_figure_def *def) {
    axis a = {.min = HUGE_VAL, .max = -HUGE_VAL};
    for (int p = 0; p < def->panel_count; p++)
        for (int c = 0; c < def->panels[p].curve_count; c++)
            for (int64_t i = 0; i < def->panels[p].curves[c].count; i++)
                widen(&a, def->panels[p].curves[c].x[i]);
    give_extent(&a);
    return a;
}

// The power of ten taken out of numbers at the ticks that would be too long to read; 0 for numbers of up to
// four digits.
static int common_power(double min, double max) {
    int power = (int)floor(log10(fmax(fabs(min), fabs(max))) + 1e-9);
    return power >= 4 || power <= -3 ? power : 0;
}

// The vertical axis of a panel: its range, its ticks and, for linear axes, the power of ten taken out.
static axis y_axis(const carom_panel *panel) {
    axis a = {.min = HUGE_VAL, .max = -HUGE_VAL};
    for (int c = 0; c < panel->curve_count; c++)
        for (int64_t i = 0; i < panel->curves[c].count; i++)
            widen(&a, shown(panel, panel->curves[c].y[i]));
    if (panel->logarithmic) {
        // no positive value: show one decade
        if (!(a.min <= a.max))
            a.min = -1, a.max = 0;
        a.max = ceil(a.max - 1e-9);
        a.min = fmax(floor(a.min + 1e-9), a.max - DECADES_MAX);
        if (a.max - a.min < 1)
            a.min = a.max - 1;
        // at most five labelled powers
        int every = (int)ceil((a.max - a.min) / 4);
        a.space = every;
        a.first = ceil(a.min / every) * every;
        return a;
    }
    // include zero if the data come close to it, so that heights can be compared; 0.6 is a matter of taste
    if (a.min > 0 && a.min < 0.6 * a.max)
        a.min = 0;
    if (a.max < 0 && a.max > 0.6 * a.min)
        a.max = 0;
    give_extent(&a);
    double margin = 0.05 * (a.max - a.min);
    a.min -= a.min == 0 ? 0 : margin;
    a.max += a.max == 0 ? 0 : margin;
    a.space = find_ticks(a.min, a.max, 4, &a.first);
    a.power = common_power(a.min, a.max);
    return a;
}

// A number with a typographical minus sign instead of a hyphen.
static void put_number(FILE *stream, double value) {
    fprintf(stream, "%s%.6g", value < 0 ? "\u2212" : "", fabs(value));
}

static void put_power(FILE *stream, int power) {
    fprintf(stream, "10<tspan dy=\"-9\" font-size=\"18\">%s%d</tspan>", power < 0 ? "\u2212" : "", abs(power));
}

static double tick_value(const axis *a, int i) {
    double value = a->first + i * a->space;
    // a tick that misses zero by round-off is zero
    return fabs(value) < 1e-9 * a->space ? 0 : value;
}

static int tick_count(const axis *a) {
    return (int)floor((a->max - a->first) / a->space + 1e-9) + 1;
}

static void draw_x_ticks(const drawing *d, double y, bool labelled) {
    FILE *s = d->stream;
    const axis *a = &d->x;
    for (int i = 0; i < tick_count(a); i++) {
        double value = tick_value(a, i), at = place(a, value);
        fprintf(s, "<path class=\"tick\" d=\"M%.2f %.2fv%.2f\"/>\n", at, y, -tick);
        if (!labelled)
            continue;
        fprintf(s, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\">", at, y + font + 6);
        put_number(s, value / pow(10, a->power));
        fputs("</text>\n", s);
    }
    if (!labelled)
        return;
    fprintf(s, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\">", 0.5 * (a->begin + a->end), y + 2 * line_space + 8);
    put_text(s, d->def->x_label);
    if (a->power) {
        fputs(" / ", s);
        put_power(s, a->power);
    }
    fputs("</text>\n", s);
}

static void draw_y_ticks(const drawing *d, const carom_panel *panel, const axis *a) {
    FILE *s = d->stream;
    double x = d->x.begin;
    for (int i = 0; i < tick_count(a); i++) {
        double value = tick_value(a, i), at = place(a, value);
        fprintf(s, "<path class=\"tick\" d=\"M%.2f %.2fh%.2f\"/>\n", x, at, tick);
        fprintf(s, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"end\">", x - 8, at + 0.35 * font);
        if (panel->logarithmic)
            put_power(s, (int)lround(value));
        else
            put_number(s, value / pow(10, a->power));
        fputs("</text>\n", s);
    }
    double middle = 0.5 * (a->begin + a->end);
    fprintf(s, "<text transform=\"translate(%.2f %.2f) rotate(-90)\" text-anchor=\"middle\">", font + 2, middle);
    put_text(s, panel->label);
    if (a->power) {
        fputs(" / ", s);
        put_power(s, a->power);
    }
    fputs("</text>\n", s);
}

static const char *colour_of(const carom_curve *curve) {
    return palette[curve->colour % COLOURS];
}

static const char *dash_of(const carom_curve *curve) {
    return dashes[curve->dash % DASHES];
}

// Extends the path by one point. A value that is not finite lifts the pen: the curve is interrupted.
static void put_point(const drawing *d, const carom_panel *panel, const axis *y, const carom_curve *curve, int64_t i,
                      bool *down) {
    double height = shown(panel, curve->y[i]);
    // zero (log = -infinity) and values below the shown decades are drawn on the axis
    if (panel->logarithmic && height < y->min)
        height = y->min;
    if (!isfinite(curve->x[i]) || !isfinite(height)) {
        *down = false;
        return;
    }
    fprintf(d->stream, "%c%.2f %.2f", *down ? 'L' : 'M', place(&d->x, curve->x[i]), place(y, height));
    *down = true;
}

// Draws a curve. A long one is reduced to bins, of which the lowest and the highest point are drawn in
// their order, so that the line covers the same pixels as the full curve. The first and the last point are
// always drawn.
static void draw_curve(const drawing *d, const carom_panel *panel, const axis *y, const carom_curve *curve) {
    FILE *s = d->stream;
    fputs("<path class=\"curve\" data-column=\"", s);
    put_text(s, curve->name);
    fputs("\" data-run=\"", s);
    put_text(s, curve->run);
    fprintf(s, "\" stroke=\"%s\" stroke-dasharray=\"%s\" d=\"", colour_of(curve), dash_of(curve));
    bool down = false;
    int64_t bin = curve->count > 2 * BINS ? curve->count / BINS : 1;
    for (int64_t begin = 0; begin < curve->count; begin += bin) {
        int64_t end = begin + bin < curve->count ? begin + bin : curve->count, low = begin, high = begin;
        for (int64_t i = begin; i < end; i++) {
            low = curve->y[i] < curve->y[low] ? i : low;
            high = curve->y[i] > curve->y[high] ? i : high;
        }
        int64_t picks[4] = {begin ? -1 : 0, low < high ? low : high, low < high ? high : low,
                            end == curve->count ? end - 1 : -1};
        for (int p = 0, last = -1; p < 4; p++) {
            if (picks[p] < 0 || (last >= 0 && picks[p] == picks[last]))
                continue;
            put_point(d, panel, y, curve, picks[p], &down);
            last = p;
        }
    }
    fputs("\"/>\n", s);
    // a path with a single point is invisible: draw a dot
    double height = curve->count == 1 ? shown(panel, curve->y[0]) : (double)NAN;
    if (isfinite(height) && isfinite(curve->x[0]))
        fprintf(s, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"5\" fill=\"%s\"/>\n", place(&d->x, curve->x[0]),
                place(y, fmax(height, y->min)), colour_of(curve));
}

// A name at the right end of its curve: its target position, and the final one.
typedef struct label {
    const carom_curve *curve;
    double target, y;
} label;

static int by_place(const void *a, const void *b) {
    const label *x = a, *y = b;
    return (x->target > y->target) - (x->target < y->target);
}

// Moves names until they do not overlap: a first sweep downwards establishes the minimal distance, a second
// sweep upwards moves those back that were pushed below the panel.
static void spread(label *labels, int count, double top, double bottom) {
    for (int i = 0; i < count; i++) {
        labels[i].y = fmax(labels[i].target, top);
        if (i > 0)
            labels[i].y = fmax(labels[i].y, labels[i - 1].y + line_space);
    }
    for (int i = count - 1; i >= 0; i--) {
        double limit = i == count - 1 ? bottom : labels[i + 1].y - line_space;
        labels[i].y = fmin(labels[i].y, limit);
    }
}

static void draw_labels(const drawing *d, const carom_panel *panel, const axis *y) {
    label labels[LABELS_MAX];
    int count = 0;
    for (int c = 0; c < panel->curve_count && count < LABELS_MAX; c++) {
        const carom_curve *curve = &panel->curves[c];
        if (!curve->labelled || curve->count == 0)
            continue;
        double height = shown(panel, curve->y[curve->count - 1]);
        height = isfinite(height) ? fmin(fmax(height, y->min), y->max) : y->min;
        labels[count++] = (label){curve, place(y, height), 0};
    }
    qsort(labels, (size_t)count, sizeof *labels, by_place);
    spread(labels, count, y->end + 0.4 * font, y->begin - 0.4 * font);
    for (int i = 0; i < count; i++) {
        // with several runs a name belongs to the curves of all of them: colours distinguish the runs
        const char *colour = d->def->run_count > 1 ? palette[0] : colour_of(labels[i].curve);
        double x = d->x.end;
        fprintf(d->stream, "<path class=\"lead\" d=\"M%.2f %.2fL%.2f %.2f\" stroke=\"%s\"/>\n", x + 3, labels[i].target, x + 18,
                labels[i].y, colour);
        fprintf(d->stream, "<text x=\"%.2f\" y=\"%.2f\" fill=\"%s\">", x + 22, labels[i].y + 0.35 * font, colour);
        put_text(d->stream, label_of(labels[i].curve));
        fputs("</text>\n", d->stream);
    }
}

// One panel: the zero line, the curves, the axes with their ticks, the names. The data attributes let a
// script map pixels back to values.
static void draw_panel(const drawing *d, const carom_panel *panel, double top, bool last) {
    FILE *s = d->stream;
    axis y = y_axis(panel);
    y.begin = top + 10 * panel->height;
    y.end = top;
    fprintf(s, "<g class=\"panel\" data-x=\"%.2f %.2f %.17g %.17g\" data-y=\"%.2f %.2f %.17g %.17g\" data-scale=\"%s\">\n",
            d->x.begin, d->x.end, d->x.min, d->x.max, y.begin, y.end, y.min, y.max, panel->logarithmic ? "log" : "linear");
    if (!panel->logarithmic && y.min < 0 && y.max > 0)
        fprintf(s, "<path class=\"zero\" d=\"M%.2f %.2fH%.2f\"/>\n", d->x.begin, place(&y, 0), d->x.end);
    // the curve named first, usually a total, is drawn last, on top of its parts
    for (int c = panel->curve_count - 1; c >= 0; c--)
        draw_curve(d, panel, &y, &panel->curves[c]);
    fprintf(s, "<path class=\"axis\" d=\"M%.2f %.2fV%.2fH%.2f\"/>\n", d->x.begin, y.end, y.begin, d->x.end);
    draw_x_ticks(d, y.begin, last);
    draw_y_ticks(d, panel, &y);
    draw_labels(d, panel, &y);
    fputs("</g>\n", s);
}

// Width of a text, counted in UTF-8 characters: continuation bytes are 10xxxxxx.
static double text_width(const char *text) {
    int count = 0;
    for (; *text; text++)
        count += (*text & 0xc0) != 0x80;
    return character * count;
}

// Width of the longest number at the ticks of all panels. Powers of ten are "10" with a smaller exponent.
static double tick_width(const carom_figure_def *def) {
    double widest = 0;
    for (int p = 0; p < def->panel_count; p++) {
        axis y = y_axis(&def->panels[p]);
        for (int i = 0; i < tick_count(&y); i++) {
            char text[32];
            bool power = def->panels[p].logarithmic;
            double value = tick_value(&y, i);
            snprintf(text, sizeof text, "%.6g", power ? value : value / pow(10, y.power));
            widest = fmax(widest, power ? 2 * character + 0.75 * text_width(text) : text_width(text));
        }
    }
    return widest;
}

// Width of the longest name of a curve, with the line that leads to it.
static double longest_name(const carom_figure_def *def) {
    double widest = 0;
    for (int p = 0; p < def->panel_count; p++)
        for (int c = 0; c < def->panels[p].curve_count; c++)
            if (def->panels[p].curves[c].labelled)
                widest = fmax(widest, text_width(label_of(&def->panels[p].curves[c])));
    return widest + 30;
}

// The legend: one line for each run, with its colour and its name.
static void draw_runs(const drawing *d) {
    for (int r = 0; r < d->def->run_count; r++) {
        double y = line_space * (r + 1);
        fprintf(d->stream, "<path class=\"sample\" d=\"M%.2f %.2fh70\" stroke=\"%s\"/>\n", d->x.begin, y - 0.35 * font,
                palette[(r + 1) % COLOURS]);
        fprintf(d->stream, "<text x=\"%.2f\" y=\"%.2f\">", d->x.begin + 82, y);
        put_text(d->stream, d->def->runs[r]);
        fputs("</text>\n", d->stream);
    }
}

// The document: head and style, then legend and panels from the top.
static void draw(drawing *d) {
    const carom_figure_def *def = d->def;
    FILE *s = d->stream;
    double width = 10 * def->width, top = def->run_count > 1 ? line_space * (def->run_count + 0.8) : 15, height = top;
    for (int p = 0; p < def->panel_count; p++)
        height += 10 * def->panels[p].height + (p + 1 < def->panel_count ? gap : 2 * line_space + 20);
    fprintf(s,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.6gmm\" height=\"%.6gmm\" viewBox=\"0 0 %.6g %.6g\" "
            "font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\" font-size=\"%g\">\n<title>",
            def->width, height / 10, width, height, font);
    put_text(s, def->title);
    fputs("</title>\n<style>path { fill: none; stroke-linecap: round; stroke-linejoin: round }\n"
          ".curve, .sample { stroke-width: 2.4 }\n"
          ".axis, .tick { stroke: #000; stroke-width: 1.6 } .zero { stroke: #999; stroke-width: 1.2 }\n"
          ".lead { stroke-width: 1.2 }</style>\n"
          "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
          s);
    d->x = x_axis(def);
    // from the left: the label of the panel, the numbers at the ticks, the axis
    d->x.begin = fmax(110, font + 30 + tick_width(def) + 10);
    d->x.end = fmax(width - longest_name(def), d->x.begin + 0.3 * width);
    d->x.space = find_ticks(d->x.min, d->x.max, def->width < 120 ? 4 : 8, &d->x.first);
    d->x.power = common_power(d->x.min, d->x.max);
    if (def->run_count > 1)
        draw_runs(d);
    for (int p = 0; p < def->panel_count; p++) {
        draw_panel(d, &def->panels[p], top, p + 1 == def->panel_count);
        top += 10 * def->panels[p].height + gap;
    }
    fputs("</svg>\n", s);
}

carom_status carom_figure_write(const char *path, const carom_figure_def *def, carom_error *error) {
    drawing d = {.def = def};
    char *text = NULL;
    size_t size = 0;
    d.stream = open_memstream(&text, &size);
    if (d.stream)
        draw(&d);
    // a figure is small, so it is drawn in memory and written whole
    bool whole = d.stream && ferror(d.stream) == 0;
    whole = d.stream && fclose(d.stream) == 0 && whole;
    carom_status status = whole ? carom_file_replace(path, text, size, error)
                                : carom_fail(error, CAROM_NO_MEMORY, "no memory for the figure %s", path);
    free(text);
    return status;
}
