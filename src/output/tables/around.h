// SPDX-License-Identifier: MIT
// The stress and strain of solids at some nodes, from the elements around them: at each node the mean over its elements,
// weighted by volume, as the field `stress_nodes` shows it; of `nodal` that of the node; of several nodes the mean of these,
// weighted by mass.
#ifndef CAROM_OUTPUT_TABLES_AROUND_H
#define CAROM_OUTPUT_TABLES_AROUND_H

#include "carom/state.h"

// An element and its share of the mean.
typedef struct carom_around_element {
    int block, element;
    double weight;
} carom_around_element;

// Start from {0}.
typedef struct carom_around {
    const carom_model *model;
    int64_t count, capacity;
    carom_around_element *items; // in the order of blocks and elements
    double *values;              // scratch: one field of the largest block
} carom_around;

// CAROM_BAD_INPUT if a node belongs to no solid. Release in any case.
carom_status carom_around_create(const carom_model *model, const int *nodes, int count, carom_around *around,
                                 carom_error *error);
void carom_around_release(carom_around *around);

// Mean stress (xx, yy, zz, xy, yz, xz), mean of the equivalent stresses, mean principal strains.
void carom_around_show(carom_around *around, const carom_state *state, double stress[6], double *von_mises, double strain[3]);

#endif
