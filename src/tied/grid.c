// SPDX-License-Identifier: MIT
// Finds the boxes that overlap a given box, by a regular grid of cells (grid.h). A box is listed in all cells that it overlaps.
// The cells have about the mean size of a box, so that these are few. A search tests the boxes listed in the cells that the
// given box overlaps.
#include "tied/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/sort.h"

// Largest number of cells along an axis: more than surfaces need, and so small that the number of all cells cannot overflow.
enum { MOST_CELLS = 4096 };

// Approximate limit of the number of cells, relative to the number of boxes.
static const double cells_per_box = 4;

// The first and last cell along each axis that a box may overlap.
static void find_range(const carom_tie_grid *grid, const carom_tie_box *box, int first[3], int last[3]) {
    for (int d = 0; d < 3; d++) {
        double a = (box->low[d] - grid->low[d]) / grid->width[d], b = (box->high[d] - grid->low[d]) / grid->width[d];
        // one more cell on either side covers rounding
        first[d] = (int)fmin(fmax(floor(a) - 1, 0), grid->cells[d] - 1);
        last[d] = (int)fmin(fmax(floor(b) + 1, 0), grid->cells[d] - 1);
    }
}

// The same for a box of the grid, without the additional cells, which are only needed in searches.
static void find_own(const carom_tie_grid *grid, const carom_tie_box *box, int first[3], int last[3]) {
    for (int d = 0; d < 3; d++) {
        first[d] = (int)fmin(fmax(floor((box->low[d] - grid->low[d]) / grid->width[d]), 0), grid->cells[d] - 1);
        last[d] = (int)fmin(fmax(floor((box->high[d] - grid->low[d]) / grid->width[d]), 0), grid->cells[d] - 1);
    }
}

static int64_t cell_of(const carom_tie_grid *grid, int i, int j, int k) {
    return ((int64_t)k * grid->cells[1] + j) * grid->cells[0] + i;
}

// Adds one to the counts of all cells of a box (`fill`: puts its number there).
static void enter(carom_tie_grid *grid, int b, bool fill) {
    int first[3], last[3];
    find_own(grid, &grid->boxes[b], first, last);
    for (int k = first[2]; k <= last[2]; k++)
        for (int j = first[1]; j <= last[1]; j++)
            for (int i = first[0]; i <= last[0]; i++) {
                int64_t cell = cell_of(grid, i, j, k);
                if (fill)
                    grid->box[grid->begin[cell]++] = b;
                else
                    grid->begin[cell + 1]++;
            }
}

// Sets the corner of the grid, the width and the number of cells.
static int64_t arrange(carom_tie_grid *grid) {
    double high[3], mean[3] = {0}, size = 0;
    for (int d = 0; d < 3; d++) {
        grid->low[d] = HUGE_VAL;
        high[d] = -HUGE_VAL;
        for (int b = 0; b < grid->count; b++) {
            grid->low[d] = fmin(grid->low[d], grid->boxes[b].low[d]);
            high[d] = fmax(high[d], grid->boxes[b].high[d]);
            mean[d] += (grid->boxes[b].high[d] - grid->boxes[b].low[d]) / grid->count;
        }
        size = fmax(size, mean[d]);
    }
    int64_t cells = 1;
    for (bool first = true; first || cells > cells_per_box * grid->count + 64; first = false, size *= 2) {
        cells = 1;
        for (int d = 0; d < 3; d++) {
            double extent = high[d] - grid->low[d];
            grid->width[d] = size > 0 ? size : 1;
            grid->cells[d] = extent > 0 ? (int)fmin(fmax(ceil(extent / grid->width[d]), 1), MOST_CELLS) : 1;
            // cells beyond the limit are wider
            grid->width[d] = fmax(grid->width[d], extent / grid->cells[d]);
            cells *= grid->cells[d];
        }
    }
    return cells;
}

bool carom_tie_grid_create(int count, const carom_tie_box *boxes, carom_tie_grid *grid) {
    *grid = (carom_tie_grid){.count = count, .boxes = boxes};
    int64_t cells = count ? arrange(grid) : 0;
    grid->begin = carom_allocate(cells + 1, sizeof *grid->begin);
    grid->seen = carom_allocate(count, sizeof *grid->seen);
    grid->found = carom_allocate(count, sizeof *grid->found);
    if (!grid->begin || !grid->seen || !grid->found)
        return false;
    for (int b = 0; b < count; b++)
        enter(grid, b, false);
    for (int64_t c = 0; c < cells; c++)
        grid->begin[c + 1] += grid->begin[c];
    grid->box = carom_allocate(grid->begin[cells], sizeof *grid->box);
    if (!grid->box)
        return false;
    for (int b = 0; b < count; b++)
        enter(grid, b, true);
    // filling has shifted each `begin` to that of the next cell
    memmove(grid->begin + 1, grid->begin, (size_t)cells * sizeof *grid->begin);
    grid->begin[0] = 0;
    return true;
}

void carom_tie_grid_release(carom_tie_grid *grid) {
    free(grid->begin);
    free(grid->box);
    free(grid->seen);
    free(grid->found);
    *grid = (carom_tie_grid){0};
}

static bool meet(const carom_tie_box *a, const carom_tie_box *b) {
    for (int d = 0; d < 3; d++)
        if (a->low[d] > b->high[d] || a->high[d] < b->low[d])
            return false;
    return true;
}

int carom_tie_grid_search(carom_tie_grid *grid, const carom_tie_box *box) {
    int first[3], last[3], count = 0;
    if (!grid->count)
        return 0;
    grid->turn++;
    find_range(grid, box, first, last);
    for (int k = first[2]; k <= last[2]; k++)
        for (int j = first[1]; j <= last[1]; j++)
            for (int i = first[0]; i <= last[0]; i++) {
                int64_t cell = cell_of(grid, i, j, k);
                for (int64_t at = grid->begin[cell]; at < grid->begin[cell + 1]; at++) {
                    int b = grid->box[at];
                    if (grid->seen[b] == grid->turn)
                        continue;
                    grid->seen[b] = grid->turn;
                    if (meet(box, &grid->boxes[b]))
                        grid->found[count++] = b;
                }
            }
    carom_sort_numbers(grid->found, count);
    return count;
}
