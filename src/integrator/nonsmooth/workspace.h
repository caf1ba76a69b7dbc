// SPDX-License-Identifier: MIT
// Shared by the sources of nonsmooth-newmark: its parameters, its memory, and the ledger of a substep.
#ifndef CAROM_INTEGRATOR_NONSMOOTH_WORKSPACE_H
#define CAROM_INTEGRATOR_NONSMOOTH_WORKSPACE_H

#include "integrator/halving.h"
#include "integrator/nonsmooth/sqp.h"
#include "math/vec3.h"
#include "model/motion/damping.h"

enum { CAROM_NONSMOOTH_ROWS = 11 };
extern const carom_param carom_nonsmooth_rows[CAROM_NONSMOOTH_ROWS];

typedef struct carom_nonsmooth_workspace {
    carom_arena *memory; // of the arrays below that are not part of the state
    carom_sqp sqp;
    double *counts;      // part of the state
    carom_vectors force; // of elements and loads at the positions of the state; part of the state
    carom_vectors a;     // accelerations at the start of the step, along free directions
    carom_vectors pre;   // the predictor
    carom_vectors v;     // velocities at the end of the step, before it is accepted
    carom_vectors live;  // live loads at its start
    carom_halving halving;
    double overlap; // at the end of the step
    carom_hits hits;
} carom_nonsmooth_workspace;

static inline const carom_nonsmooth_newmark_params *carom_nonsmooth_params_of(const carom_stepper *stepper) {
    return stepper->params;
}

// Force on a node with the drag of its body.
static inline void carom_nonsmooth_drag(const carom_model *model, int k, const double force[3], const double v[3],
                                        double total[3]) {
    carom_copy(force, total);
    carom_add_scaled(-carom_model_mass_damping(model, k) * model->mass[k], v, total);
}

// Records loads, damping and restraints of a substep of length h that ends at sqp.x with the velocities v.
void carom_nonsmooth_book_outside(const carom_stepper *stepper, carom_state *state, double h);

// Records the impulses of all pairs of that substep, which ends at `time`.
carom_status carom_nonsmooth_book_contact(carom_stepper *stepper, carom_state *state, double h, double time,
                                          carom_error *error);

#endif
