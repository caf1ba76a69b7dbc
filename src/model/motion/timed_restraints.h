// SPDX-License-Identifier: MIT
// Restraints that act during a time window only.
//
// The directions of a node with such a restraint are recomputed for every step, from the restraints that are active in it. A
// step belongs to a window as a whole, by its midpoint.
#ifndef CAROM_MODEL_MOTION_TIMED_RESTRAINTS_H
#define CAROM_MODEL_MOTION_TIMED_RESTRAINTS_H

#include "model/model.h"

// True if the restraint has a time window.
bool carom_restraint_def_has_window(const carom_restraint_def *def);

// A restraint of a definition: the nodes that it selects, and the number of its motion, -1 if its velocity is constant.
typedef struct carom_named {
    const int *nodes;
    int count, motion;
} carom_named;

// Lists the nodes with at least one such restraint, and all restraints of these nodes. The nodes are numbered
// (model->restraints).
carom_status carom_model_add_windows(carom_model *model, const carom_model_def *def, const carom_named *named,
                                     carom_error *error);

// True if the node of a restraint is such a node.
bool carom_model_is_windowed(const carom_model *model, int restraint);

// Recomputes the restraints of these nodes: those active at `time`, with the velocities at the time `moving`.
void carom_model_open_windows(const carom_model *model, double time, double moving, carom_restraint *restraints);

// Corrects the velocity w of a node that is released within a kick of length h. The forces have changed w over the whole kick,
// in the released directions too: their impulse before the release is subtracted. `old` is the former restraint, `after` the
// fraction of the kick after the release.
void carom_window_release(const carom_restraint *old, const carom_restraint *now, double after, double h, double mass,
                          const double force[3], double w[3]);

uint64_t carom_model_windows_hash(uint64_t h, const carom_model *model);

#endif
