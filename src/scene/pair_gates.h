// SPDX-License-Identifier: MIT
// Gates on the contact of two bodies, or of a body and a plane: `part-floor.peak_force`.
#ifndef CAROM_SCENE_PAIR_GATES_H
#define CAROM_SCENE_PAIR_GATES_H

#include "scene/definition.h"

// A quantity of contact pairs. A gate refers to several pairs if it names an array of bodies.
typedef struct carom_pair_quantity {
    const char *name;
    // How the values of several pairs become one, and the value where nothing touched.
    enum { CAROM_PAIR_LARGEST, CAROM_PAIR_SMALLEST, CAROM_PAIR_TOTAL, CAROM_PAIR_ONLY } join;
    double untouched;
    double (*value)(const carom_sim *sim, const carom_pair_record *pair);
    const char *doc; // one sentence, ending with a full stop
} carom_pair_quantity;

const carom_pair_quantity *carom_pair_quantities(int *count);

// The pairs and the quantity of a gate.
typedef struct carom_pair_subject {
    const carom_pair_quantity *quantity; // NULL: the gate is not about a pair
    char side[2][CAROM_NAME_MAX];        // bodies, arrays of bodies or planes, in any order
} carom_pair_subject;

// Splits `A-B.QUANTITY`. Names may contain hyphens: A and B are the first two sides of the scene that fit. False if there
// are none; then the hint says what was expected, if the name has the form of a pair, and is empty else.
bool carom_pair_subject_find(const char *name, const carom_scene_def *def, carom_pair_subject *subject, char *hint,
                             size_t size);

// The value of the quantity at the end of a run; NaN if it has none.
double carom_pair_subject_value(const carom_pair_subject *subject, const carom_sim *sim, const carom_summary *summary);

#endif
