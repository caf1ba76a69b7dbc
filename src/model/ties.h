// SPDX-License-Identifier: MIT
// Theory: docs/theory/tied.md
// Tied surfaces and connected points: linear constraints over nodes (tied/rows.h), and their solution for slave nodes.
#ifndef CAROM_MODEL_TIES_H
#define CAROM_MODEL_TIES_H

#include "base/arena.h"
#include "carom/model.h"
#include "tied/elimination.h"

// Constant, in the arena of the model. All zero if nothing is tied.
typedef struct carom_ties {
    carom_tie_rows rows;
    carom_elimination elimination;
    int pair_count;     // number of pairs of bodies with tied surfaces, and
    int (*pairs)[2];    // these. not packed
    int64_t seam_count; // number of pairs of nodes opposite each other in a seam, and
    int (*seam)[2];     // these, ascending; they are excluded from contact. not packed
    int *island;        // per body: the lowest number of the bodies it is tied to, directly or through others; NULL: no ties
    int *tie_begin;     // per tie of surfaces: its first row; then a row for each connection. not packed
    int tied_count;     // number of nodes tied to rigid bodies, and
    int (*tied)[2];     // these, each with the number of that body, ascending. not packed
    carom_tied report;  // for messages
} carom_ties;

// Finds the ties of a definition on a bare model, which has its bodies and nothing else. Bodies whose slave nodes were moved
// onto the master faces get meshes of their own, in the arena. CAROM_BAD_INPUT names the tie at fault.
carom_status carom_model_find_ties(const carom_model *bare, carom_model_def *def, carom_arena *arena, carom_ties *ties,
                                   carom_error *error);

// Builder, after bodies: adds masses and momenta of the nodes tied to rigid bodies to those bodies (rigid_tie.c).
carom_status carom_model_tie_rigid(carom_model *model, const carom_model_def *def, carom_error *error);

// Builder, after restraints: solves the ties for slave nodes, and projects the initial velocities onto the ties.
carom_status carom_model_add_ties(carom_model *model, const carom_model_def *def, carom_error *error);

// Per node: components that restraints hold, for nodes of ties; to be freed. NULL if memory is short.
bool (*carom_model_held_components(const carom_model *model))[3];

// Continues a hash with the ties; unchanged if there are none.
uint64_t carom_ties_hash(uint64_t h, const carom_ties *ties);

// The coordinate axis parallel to a unit vector, or -1. The tolerance covers the rounding of normalisation.
static inline int carom_axis_of(const double d[3]) {
    for (int i = 0; i < 3; i++)
        if (d[i] > 1 - 1e-14 || d[i] < -1 + 1e-14)
            return i;
    return -1;
}

static inline bool carom_ties_any(const carom_ties *ties) {
    return ties->rows.count > 0;
}

#endif
