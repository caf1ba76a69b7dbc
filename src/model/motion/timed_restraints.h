// SPDX-License-Identifier: MIT
// Restraints that hold for a time only.
//
// A node with such a restraint has its directions made anew for every step, from those of its restraints that hold then. A step
// belongs to a window as a whole: by its middle.
#ifndef CAROM_MODEL_MOTION_TIMED_RESTRAINTS_H
#define CAROM_MODEL_MOTION_TIMED_RESTRAINTS_H

#include "model/model.h"

// True if the restraint does not hold at all times.
bool carom_restraint_def_has_window(const carom_restraint_def *def);

// A restraint of a definition: the nodes that it names, and the number of its motion, -1 if its velocity is constant.
typedef struct carom_named {
    const int *nodes;
    int count, motion;
} carom_named;

// Finds the nodes that any such restraint holds, and all restraints of these nodes. The nodes are numbered (model->restraints).
carom_status carom_model_add_windows(carom_model *model, const carom_model_def *def, const carom_named *named,
                                     carom_error *error);

// True if the node of a restraint is such a node.
bool carom_model_is_windowed(const carom_model *model, int restraint);

// Makes the restraints of these nodes anew: those that hold at a time, with the velocities of the time `moving`.
void carom_model_open_windows(const carom_model *model, double time, double moving, carom_restraint *restraints);

// A kick of length h is half over when a restraint lets go at its time; the forces have changed w by all of it. Takes back what
// they did before, with `old` the restraint that was there; `after` is the part of the kick after its time.
void carom_window_release(const carom_restraint *old, const carom_restraint *now, double after, double h, double mass,
                          const double force[3], double w[3]);

uint64_t carom_model_windows_hash(uint64_t h, const carom_model *model);

#endif
