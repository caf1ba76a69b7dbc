// SPDX-License-Identifier: MIT
// Draws the energies of the ledger at one time as bars, next to the bodies of an animation. All bars have one scale, which is
// the same at all times. The last bar stacks energies and losses: as the ledger closes, its end stays at the mark of the energy
// at the start.
#include "output/picture/energies.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "output/picture/colours.h"
#include "output/picture/glyphs.h"
#include "output/picture/units.h"

// A bound on memory: as many rows as carom plot reads.
enum { ROWS_MAX = 1000000, TICKS = 3 };

// A column below this fraction of the largest one has no bar.
static const double column_threshold = 1e-9;

static const double ink[3] = {0.012, 0.014, 0.02}, soft[3] = {0.13, 0.14, 0.16}, pale[3] = {0.80, 0.81, 0.83},
                    paper[3] = {1, 1, 1};
// Palette of Okabe & Ito, Color Universal Design (2008), which remains distinguishable with any form of colour blindness; sRGB.
static const unsigned char palette[][3] = {{0, 114, 178}, {86, 180, 233},  {213, 94, 0},    {230, 159, 0},
                                           {0, 158, 115}, {204, 121, 167}, {110, 110, 110}, {240, 228, 66}};
enum { COLOURS = sizeof palette / sizeof *palette };

// In units of the picture: the margins of the panel, the text above, the space below for the time, and the largest height of a
// bar with its name.
static const double left_margin = 30, right_margin = 36, head = 125, foot = 150, row_most = 86;

static double value_at(const carom_energies *e, int bar, int64_t row) {
    return carom_csv_number(&e->history, row, e->places[bar]);
}

// True for the terms of the sum: parts of the total, and losses.
static bool is_summed(const carom_energies *e, int bar) {
    return e->columns[bar]->role == CAROM_LEDGER_PART || e->columns[bar]->role == CAROM_LEDGER_LOSS;
}

// The sums of positive and negative summands.
static void find_sums(const carom_energies *e, int64_t row, double sums[2]) {
    sums[0] = sums[1] = 0;
    for (int b = 0; b < e->count; b++) {
        double value = value_at(e, b, row);
        if (is_summed(e, b) && isfinite(value))
            sums[value > 0] += value;
    }
}

// The largest magnitude of a column.
static double find_largest(const carom_csv_table *history, int column) {
    double largest = 0;
    for (int64_t row = 0; row < history->row_count; row++)
        largest = fmax(largest, fabs(carom_csv_number(history, row, column)));
    return largest;
}

// True for energies, losses and errors that the method computes; the residual is the remainder of the balance.
static bool is_explained(carom_ledger_role role) {
    return role == CAROM_LEDGER_PART || role == CAROM_LEDGER_LOSS || role == CAROM_LEDGER_KNOWN;
}

static void choose_bars(carom_energies *e) {
    int count;
    const carom_ledger_column *columns = carom_ledger_columns(&count);
    double sizes[CAROM_ENERGIES_MAX] = {0}, most = 0;
    // the residual comes last, although its column does not
    for (int residual = 0; residual < 2; residual++)
        for (int c = 0; c < count && e->count < CAROM_ENERGIES_MAX; c++) {
            carom_ledger_role role = columns[c].role;
            int place = carom_csv_column(&e->history, columns[c].name);
            if (place < 0 || !(residual ? role == CAROM_LEDGER_RESIDUAL : is_explained(role)))
                continue;
            sizes[e->count] = residual ? HUGE_VAL : find_largest(&e->history, place);
            most = residual ? most : fmax(most, sizes[e->count]);
            e->columns[e->count] = &columns[c];
            e->places[e->count++] = place;
        }
    // columns that are zero throughout, up to rounding, are left out
    int kept = 0;
    for (int b = 0; b < e->count; b++)
        if (sizes[b] > column_threshold * most) {
            e->columns[kept] = e->columns[b];
            e->places[kept++] = e->places[b];
        }
    e->count = kept;
}

carom_status carom_energies_read(carom_energies *e, const char *directory, carom_error *error) {
    char path[CAROM_PATH_MAX];
    *e = (carom_energies){0};
    snprintf(path, sizeof path, "%s/history.csv", directory);
    carom_status status = carom_csv_read(path, ROWS_MAX, &e->history, error);
    if (status)
        return status;
    int time = carom_csv_column(&e->history, "time");
    if (e->history.row_count == 0 || time < 0)
        return carom_fail(error, CAROM_BAD_INPUT, "%s has no rows: a moving picture shows the energies of the ledger", path);
    choose_bars(e);
    int64_t last = e->history.row_count - 1;
    e->begin = carom_csv_number(&e->history, 0, time);
    e->end = carom_csv_number(&e->history, last, time);
    for (int64_t row = 0; row <= last; row++) {
        double sums[2];
        find_sums(e, row, sums);
        e->start = row == 0 ? sums[0] + sums[1] : e->start;
        e->low = fmin(e->low, sums[0]);
        e->high = fmax(e->high, sums[1]);
        for (int b = 0; b < e->count; b++) {
            e->low = fmin(e->low, value_at(e, b, row));
            e->high = fmax(e->high, value_at(e, b, row));
        }
    }
    if (!(e->high > e->low))
        e->high = e->low + 1;
    return CAROM_OK;
}

void carom_energies_release(carom_energies *e) {
    carom_csv_release(&e->history);
}

int64_t carom_energies_row(const carom_energies *e, double time) {
    int column = carom_csv_column(&e->history, "time");
    int64_t nearest = 0;
    double least = HUGE_VAL;
    for (int64_t row = 0; row < e->history.row_count; row++) {
        double distance = fabs(carom_csv_number(&e->history, row, column) - time);
        if (distance < least) {
            least = distance;
            nearest = row;
        }
    }
    return nearest;
}

static void colour_of(const carom_energies *e, int bar, double colour[3]) {
    const unsigned char *bytes = palette[bar % COLOURS];
    for (int i = 0; i < 3; i++)
        colour[i] = e->columns[bar]->role == CAROM_LEDGER_RESIDUAL ? ink[i] : carom_srgb_decode(bytes[i]);
}

// Data shared by all bars.
typedef struct panel {
    const carom_energies *energies;
    carom_image *image;
    double unit, left, right;
} panel;

static double place(const panel *p, double value) {
    const carom_energies *e = p->energies;
    return p->left + (value - e->low) / (e->high - e->low) * (p->right - p->left);
}

static void fill(const panel *p, double from, double to, double top, const double colour[3]) {
    double a = place(p, fmin(from, to)), b = place(p, fmax(from, to));
    carom_image_fill(p->image, a, top + 26 * p->unit, b, top + 48 * p->unit, colour);
}

// The name on the left, the number on the right, the line of zero below both.
static void draw_words(const panel *p, double top, const char *name, double value) {
    double unit = p->unit, size = 15 * unit;
    char number[32];
    // numbers from 1e4 to 1e8 are printed as integers, since %.4g would give them an exponent
    bool plain = fabs(value) >= 1e4 && fabs(value) < 1e8;
    snprintf(number, sizeof number, plain ? "%.0f" : "%.4g", value);
    carom_glyphs_draw(p->image, p->left, top + 17 * unit, size, name, ink);
    carom_glyphs_draw(p->image, p->right - carom_glyphs_width(number, size), top + 17 * unit, size, number, soft);
    carom_image_fill(p->image, p->left, top + 47.2 * unit, p->right, top + 48.4 * unit, pale);
}

static void draw_mark(const panel *p, double value, double top, const double colour[3]) {
    double x = place(p, value);
    carom_image_fill(p->image, x - 0.9 * p->unit, top + 22 * p->unit, x + 0.9 * p->unit, top + 52 * p->unit, colour);
}

static void draw_sum(const panel *p, double top, int64_t row) {
    const carom_energies *e = p->energies;
    double sums[2], ends[2] = {0, 0};
    find_sums(e, row, sums);
    draw_words(p, top, "sum (mark: at the start)", sums[0] + sums[1]);
    for (int b = 0; b < e->count; b++) {
        double value = value_at(e, b, row), colour[3];
        if (!is_summed(e, b) || !isfinite(value))
            continue;
        colour_of(e, b, colour);
        fill(p, ends[value > 0], ends[value > 0] + value, top, colour);
        ends[value > 0] += value;
    }
    draw_mark(p, 0, top, soft);
    draw_mark(p, e->start, top, ink);
}

// The time as a line that fills, with its ticks below.
static void draw_time(const panel *p, double time, const carom_units *units) {
    const carom_energies *e = p->energies;
    double unit = p->unit, y = p->image->height - 78 * unit, first, length = fmax(e->end - e->begin, 1e-300);
    double scale = (p->right - p->left) / length, now = p->left + scale * (fmin(fmax(time, e->begin), e->end) - e->begin);
    char line[64 + CAROM_UNIT_MAX], name[CAROM_UNIT_MAX];
    carom_picture_unit(units, "time", name);
    snprintf(line, sizeof line, "time%s%s", *name ? ", " : "", name);
    carom_glyphs_draw(p->image, p->left, y - 24 * unit, 15 * unit, line, ink);
    carom_image_line(p->image, (double[2]){p->left, y}, (double[2]){p->right, y}, 3 * unit, pale);
    carom_image_line(p->image, (double[2]){p->left, y}, (double[2]){now, y}, 3 * unit, soft);
    double space = e->end > e->begin ? carom_ticks(e->begin, e->end, TICKS, &first) : 0, free_from = 0;
    for (int i = 0; space > 0 && first + i * space <= e->end + 1e-9 * space; i++) {
        double value = first + i * space, x = p->left + scale * (value - e->begin), size = 13 * unit;
        snprintf(line, sizeof line, "%.4g", fabs(value) < 1e-9 * space ? 0 : value);
        double width = carom_glyphs_width(line, size), begin = fmin(x - 0.5 * width, p->right + 20 * unit - width);
        carom_image_line(p->image, (double[2]){x, y}, (double[2]){x, y + 8 * unit}, 1.5 * unit, soft);
        // ticks whose numbers would overlap the previous one have no number
        if (begin < free_from)
            continue;
        carom_glyphs_draw(p->image, begin, y + 32 * unit, size, line, soft);
        free_from = begin + width + 12 * unit;
    }
    carom_image_line(p->image, (double[2]){now, y}, (double[2]){now, y}, 15 * unit, ink);
}

void carom_energies_draw(const carom_energies *e, double time, double unit, const carom_units *units, carom_image *image) {
    panel p = {.energies = e, .image = image, .unit = unit, .left = left_margin * unit};
    p.right = image->width - right_margin * unit;
    int64_t row = carom_energies_row(e, time);
    carom_image_fill(image, 0, 0, image->width, image->height, paper);
    carom_image_fill(image, 0, 0, 1.2 * unit, image->height, pale);
    char title[64 + CAROM_UNIT_MAX], name[CAROM_UNIT_MAX];
    carom_picture_unit(units, "energy", name);
    snprintf(title, sizeof title, "Energy ledger%s%s", *name ? ", " : "", name);
    carom_glyphs_draw(image, p.left, 70 * unit, 20 * unit, title, ink);
    double space = fmin(row_most * unit, (image->height - (head + foot) * unit) / (e->count + 1)), top = head * unit;
    for (int b = 0; b < e->count; b++, top += space) {
        double value = value_at(e, b, row), colour[3];
        colour_of(e, b, colour);
        draw_words(&p, top, e->columns[b]->label, value);
        if (isfinite(value))
            fill(&p, 0, value, top, colour);
        draw_mark(&p, 0, top, soft);
    }
    draw_sum(&p, top, row);
    draw_time(&p, time, units);
}
