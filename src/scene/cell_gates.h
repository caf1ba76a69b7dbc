// SPDX-License-Identifier: MIT
// Gates on the load cell of an obstacle: `table.peak_force`.
#ifndef CAROM_SCENE_CELL_GATES_H
#define CAROM_SCENE_CELL_GATES_H

#include "scene/definition.h"

// Quantities of a load cell that gates may name.
typedef struct carom_cell_quantity {
    const char *name;
    const char *doc; // one sentence, ending with a full stop
} carom_cell_quantity;

const carom_cell_quantity *carom_cell_quantities(int *count);

typedef struct carom_cell_subject {
    const carom_cell_quantity *quantity; // NULL: the gate is not about a load cell
    char body[CAROM_NAME_MAX];
} carom_cell_subject;

// Splits `OBSTACLE.QUANTITY`. False if there is no such obstacle or no such quantity; the hint then lists the quantities, if
// the obstacle is known, and is unchanged otherwise.
bool carom_cell_subject_find(const char *name, const carom_scene_def *def, carom_cell_subject *subject, char *hint,
                             size_t size);

// The value of the quantity at the end of a run; NaN if there is no such body.
double carom_cell_subject_value(const carom_cell_subject *subject, const carom_sim *sim);

#endif
