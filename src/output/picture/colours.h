// SPDX-License-Identifier: MIT
// The colours of fields, the same as those of the report page (viewer/src/colour.ts).
#ifndef CAROM_OUTPUT_PICTURE_COLOURS_H
#define CAROM_OUTPUT_PICTURE_COLOURS_H

#include <stdbool.h>

enum { CAROM_COLOUR_STOPS = 33 };

// Values between the bounds have colours; others that of the nearer bound.
typedef struct carom_colours {
    double low, high;
    bool diverging;                      // about zero, for a field that changes its sign
    double light[CAROM_COLOUR_STOPS][3]; // the map, at equal steps from low to high
} carom_colours;

// A range for values between `low` and `high`: a field of both signs becomes symmetric, one that begins near zero begins
// there, and a constant gets a range around itself.
carom_colours carom_colours_fit(double low, double high);
// Exactly this range.
carom_colours carom_colours_between(double low, double high, bool diverging);

// The colour of a value as linear light.
void carom_colours_at(const carom_colours *colours, double value, double rgb[3]);

// Ticks at multiples of 1, 2 or 5 times a power of ten, about `count` of them: their distance, and the first.
double carom_ticks(double low, double high, int count, double *first);

#endif
