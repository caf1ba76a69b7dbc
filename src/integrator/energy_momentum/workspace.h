// SPDX-License-Identifier: MIT
// Shared by the sources of energy-momentum: its parameters, its memory, and the ledger of a substep.
#ifndef CAROM_INTEGRATOR_ENERGY_MOMENTUM_WORKSPACE_H
#define CAROM_INTEGRATOR_ENERGY_MOMENTUM_WORKSPACE_H

#include "contact/quadrature/coulomb_update.h"
#include "integrator/energy_momentum/balance.h"
#include "integrator/halving.h"
#include "math/vec3.h"
#include "tied/projector.h"

enum { CAROM_ENERGY_MOMENTUM_ROWS = 15 };
extern const carom_param carom_energy_momentum_rows[CAROM_ENERGY_MOMENTUM_ROWS];

typedef struct carom_energy_momentum_workspace {
    carom_arena *memory; // of the arrays below that are not part of the state
    carom_implicit_contact contact;
    carom_balance balance;
    carom_vectors acceleration; // of newmark, without restraints; part of the state
    double *counts;             // of the solver, in the state; not part of its hash
    carom_vectors v;            // at the end of the step, before it is accepted
    carom_vectors before;       // newmark: accelerations at the start
    carom_halving halving;
    carom_update_point *points; // of the velocity update
    carom_update_slip *slips;   // of the same points, in `coulomb` steps
    int *index;                 // per point: its index in contact.points
    bool coulomb;               // the velocity update of this step obeys Coulomb's law
    carom_hits hits;
    carom_projector projector; // of ties
    carom_vectors tie_impulse; // impulses of ties after the update; NULL: nothing is tied
} carom_energy_momentum_workspace;

static inline const carom_energy_momentum_params *carom_energy_momentum_params_of(const carom_stepper *stepper) {
    return stepper->params;
}

// Records loads, damping and restraints of a substep of length h: external impulses, and the work without a potential.
void carom_energy_momentum_book_outside(carom_stepper *stepper, carom_state *state, double h);

// Lists the points under pressure in `points` and `index`, with the energy that contact removed there beyond friction; with
// `coulomb` also in `slips`. *gained becomes the energy added by other points that these cannot offset. Returns the number of
// points.
int carom_energy_momentum_list_points(carom_energy_momentum_workspace *s, double h, double *gained);

// Records the impulses of the first `count` points, and the energy `lost` with them.
carom_status carom_energy_momentum_book_contact(carom_stepper *stepper, carom_state *state, int count, double h, double time,
                                                double lost, carom_error *error);

#endif
