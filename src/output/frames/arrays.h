// SPDX-License-Identifier: MIT
// The table of the arrays of a frame as they are in its file: one table for both formats.
#ifndef CAROM_OUTPUT_FRAMES_ARRAYS_H
#define CAROM_OUTPUT_FRAMES_ARRAYS_H

#include "output/frames/frame.h"

// In the order in which VTK itself writes them.
typedef enum carom_array_section {
    CAROM_ARRAY_POINT_DATA,
    CAROM_ARRAY_CELL_DATA,
    CAROM_ARRAY_POINTS,
    CAROM_ARRAY_CELLS,
    CAROM_ARRAY_SECTIONS
} carom_array_section;

// A number in memory, and in a file.
typedef enum carom_number_type {
    CAROM_NUMBER_FLOAT64,
    CAROM_NUMBER_FLOAT32,
    CAROM_NUMBER_INT64,
    CAROM_NUMBER_INT32,
    CAROM_NUMBER_UINT8
} carom_number_type;

typedef struct carom_array {
    carom_array_section section;
    const char *name;
    carom_number_type type; // in the file
    carom_number_type kept; // in memory: the same, or FLOAT64 for FLOAT32, INT64 for INT32
    int components;
    int64_t count;      // of tuples in the file
    bool constant;      // the same in all frames
    const int *from;    // for each tuple in the file its index in memory; NULL: the same index
    const void *values; // NULL if the table was made without a frame, for arrays that are not constant
} carom_array;

// An upper bound: element fields, their nodal means, point fields and the fixed arrays.
enum { CAROM_ARRAYS_MAX = 2 * CAROM_GRID_FIELDS_MAX + CAROM_POINT_FIELDS + 16 };

// Lists the arrays in the order of the file, those of a section together, and returns their number. Without a frame (NULL)
// only the values of constant arrays are known.
int carom_arrays_list(const carom_grid *grid, const carom_cover *cover, const carom_style *style, const carom_frame *frame,
                      carom_array arrays[static CAROM_ARRAYS_MAX]);

// Bytes of a number, and of an array in a file without packing.
int carom_number_bytes(carom_number_type type);
int64_t carom_array_bytes(const carom_array *array);
// Writes the numbers from `begin` to `end`, counted over tuples and components, in the form of the file.
void carom_array_fill(const carom_array *array, int64_t begin, int64_t end, void *bytes);

#endif
