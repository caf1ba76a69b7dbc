// SPDX-License-Identifier: MIT
// Chooses the palette of an animation: at most 255 colours that represent the pixels of all frames. Colours are counted in
// cells of 4 x 2 x 4 levels of red, green and blue, fine enough for a sky that is nearly white. All cells form one box; then
// the box with the largest variance is split at its mean, along the component in which it varies most, until there are enough
// (after Wan, Wong and Prusinkiewicz, ACM Transactions on Mathematical Software 14, 1988). A cell is weighted by its number of
// pixels to the power 3/4: the bodies cover fewer pixels than sky and ground, and have more colours.
#include "output/picture/palette.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

enum { CELLS = 1 << 19 };

typedef struct cell {
    double mean[3], weight; // mean: of the components of its pixels
    int number;
} cell;

// A range of the list of cells.
typedef struct box {
    int begin, end, axis;   // axis: the component with the largest variance
    double mean[3], spread; // spread: this variance times the weight
} box;

static int cell_of(const unsigned char rgb[3]) {
    return rgb[0] >> 2 << 13 | rgb[1] >> 1 << 6 | rgb[2] >> 2;
}

carom_status carom_palette_create(carom_palette *p, carom_error *error) {
    *p = (carom_palette){.counts = carom_allocate(CELLS, sizeof *p->counts), .index = carom_allocate(CELLS, 1)};
    return p->counts && p->index ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "no memory for the colours of a picture");
}

void carom_palette_release(carom_palette *p) {
    free(p->counts);
    free(p->index);
    *p = (carom_palette){0};
}

void carom_palette_count(carom_palette *p, const unsigned char *rgb, int64_t count) {
    for (int64_t k = 0; k < count; k++) {
        int64_t *sums = p->counts[cell_of(&rgb[3 * k])];
        sums[0]++;
        for (int i = 0; i < 3; i++)
            sums[1 + i] += rgb[3 * k + i];
    }
}

void carom_palette_apply(const carom_palette *p, const unsigned char *rgb, int64_t count, unsigned char *pixels) {
    for (int64_t k = 0; k < count; k++)
        pixels[k] = p->index[cell_of(&rgb[3 * k])];
}

static void measure(const cell *cells, box *b) {
    double weight = 0, sum[3] = {0}, squares[3] = {0};
    for (int c = b->begin; c < b->end; c++)
        for (int i = 0; i < 3; i++) {
            double x = cells[c].mean[i], w = cells[c].weight;
            weight += i == 0 ? w : 0;
            sum[i] += w * x;
            squares[i] += w * x * x;
        }
    b->spread = -1;
    for (int i = 0; i < 3; i++) {
        b->mean[i] = sum[i] / weight;
        double spread = squares[i] - sum[i] * b->mean[i];
        if (spread > b->spread) {
            b->spread = spread;
            b->axis = i;
        }
    }
}

// Splits a box at its mean; false if all its cells are equal.
static bool split(cell *cells, box *b, box *rest) {
    int low = b->begin, high = b->end;
    while (low < high)
        if (cells[low].mean[b->axis] <= b->mean[b->axis]) {
            low++;
        } else {
            cell other = cells[--high];
            cells[high] = cells[low];
            cells[low] = other;
        }
    if (low == b->begin || low == b->end)
        return false;
    *rest = (box){.begin = low, .end = b->end};
    b->end = low;
    measure(cells, b);
    measure(cells, rest);
    return true;
}

// The cells with any pixels.
static int list_cells(const carom_palette *p, cell *cells) {
    int count = 0;
    for (int c = 0; c < CELLS; c++) {
        const int64_t *sums = p->counts[c];
        if (sums[0] == 0)
            continue;
        cells[count] = (cell){.weight = sqrt((double)sums[0]) * sqrt(sqrt((double)sums[0])), .number = c};
        for (int i = 0; i < 3; i++)
            cells[count].mean[i] = (double)sums[1 + i] / (double)sums[0];
        count++;
    }
    return count;
}

carom_status carom_palette_choose(carom_palette *p, int count, carom_error *error) {
    box boxes[CAROM_PALETTE_MAX];
    cell *cells = carom_allocate(CELLS, sizeof *cells);
    if (!cells)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the colours of a picture");
    int box_count = 1;
    boxes[0] = (box){.end = list_cells(p, cells)};
    measure(cells, &boxes[0]);
    while (box_count < count - 1) {
        int widest = 0;
        for (int b = 1; b < box_count; b++)
            if (boxes[b].spread > boxes[widest].spread)
                widest = b;
        if (!(boxes[widest].spread > 0))
            break;
        // one whose cells are alike up to rounding is not split
        if (split(cells, &boxes[widest], &boxes[box_count]))
            box_count++;
        else
            boxes[widest].spread = 0;
    }
    p->count = 1 + box_count;
    memset(p->colours[0], 0, sizeof p->colours[0]);
    for (int b = 0; b < box_count; b++) {
        for (int i = 0; i < 3; i++)
            p->colours[1 + b][i] = (unsigned char)lround(boxes[b].mean[i]);
        for (int c = boxes[b].begin; c < boxes[b].end; c++)
            p->index[cells[c].number] = (unsigned char)(1 + b);
    }
    free(cells);
    return CAROM_OK;
}
