// SPDX-License-Identifier: MIT
// The energies of the ledger as bars, at the time of a frame.
#ifndef CAROM_OUTPUT_PICTURE_ENERGIES_H
#define CAROM_OUTPUT_PICTURE_ENERGIES_H

#include "carom/file.h"
#include "carom/ledger.h"
#include "carom/output.h"
#include "carom/table.h"
#include "output/picture/image.h"

// More than the columns of energy.
enum { CAROM_ENERGIES_MAX = 16 };

typedef struct carom_energies {
    carom_csv_table history;
    int count; // of bars: the energies and losses that are not zero throughout, and the residual
    const carom_ledger_column *columns[CAROM_ENERGIES_MAX];
    int places[CAROM_ENERGIES_MAX]; // of these columns in the history
    double start;                   // sum of the energies in the first row
    double low, high;               // bounds of all bars in all rows, and of their sums; 0 is between them
    double begin, end;              // of the time
} carom_energies;

// Reads history.csv of a result. Release in any case.
carom_status carom_energies_read(carom_energies *energies, const char *directory, carom_error *error);
void carom_energies_release(carom_energies *energies);

// The row of the history nearest to a time.
int64_t carom_energies_row(const carom_energies *energies, double time);
// Draws the bars at a time over the whole image, and a line of the time. `unit` is the unit of lengths of the picture next to
// them; `units` is NULL if the scene has none.
void carom_energies_draw(const carom_energies *energies, double time, double unit, const carom_units *units,
                         carom_image *image);

#endif
