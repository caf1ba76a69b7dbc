// SPDX-License-Identifier: MIT
// Shared by the sources of nonsmooth-newmark: its parameters, its memory, and the ledger of a substep.
#ifndef CAROM_INTEGRATOR_NONSMOOTH_WORKSPACE_H
#define CAROM_INTEGRATOR_NONSMOOTH_WORKSPACE_H

#include "integrator/halving.h"
#include "integrator/nonsmooth/sqp.h"
#include "integrator/step_limit.h"
#include "math/vec3.h"
#include "model/motion/damping.h"

enum { CAROM_NONSMOOTH_ROWS = 11 };
extern const carom_param carom_nonsmooth_rows[CAROM_NONSMOOTH_ROWS];

// When the elements are examined for a shorter step (nonsmooth_division.c). Start from {0}: steps are not divided.
typedef struct carom_nonsmooth_division {
    carom_step_limit limit;
    carom_vectors seen_v; // velocities at the last examination; part of the state
    double *seen;         // number of substeps since then, plus one, and the rate of strain found; part of the state
} carom_nonsmooth_division;

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
    carom_nonsmooth_division division;
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

// The acceleration of a node at the state, along its free directions.
static inline void carom_nonsmooth_accelerate(const carom_stepper *stepper, const carom_state *state, int k, double a[3]) {
    const carom_nonsmooth_workspace *s = stepper->workspace;
    double f[3];
    carom_nonsmooth_drag(stepper->model, k, s->force[k], state->v[k], f);
    for (int i = 0; i < 3; i++)
        a[i] = f[i] / stepper->model->mass[k];
    carom_restraints_project(&s->sqp.restraints, k, a);
}

// Registers what must survive a restart in the state and in its copy, for steps that are divided.
bool carom_nonsmooth_division_create(carom_stepper *stepper, carom_state *state);

// Chooses the level of a substep (carom_halving_choose).
carom_status carom_nonsmooth_division_choose(carom_stepper *stepper, carom_state *state, int64_t place, int *level,
                                             carom_error *error);

// Records loads, damping and restraints of a substep of length h that ends at sqp.x with the velocities v.
void carom_nonsmooth_book_outside(const carom_stepper *stepper, carom_state *state, double h);

// Records the impulses of all pairs of that substep, which ends at `time`.
carom_status carom_nonsmooth_book_contact(carom_stepper *stepper, carom_state *state, double h, double time,
                                          carom_error *error);

#endif
