// SPDX-License-Identifier: MIT
// Theory: docs/theory/multisymplectic.md
// Steps of `multisymplectic` in which impacts change the velocities of their nodes inside a slab (the motion between two time
// levels): a drift with its impacts, and the kick at its end (integrator/kick_drift.h).
#include "integrator/multisymplectic/kinked_slab.h"

#include "integrator/stepper.h"
#include "model/model.h"
#include "model/motion/restraints.h"
#include "model/state/ledger.h"

// Half a kick changes the velocities at the first level to those of the first slab; this subtracts it.
static void start_from_slab(carom_kick_drift *nodes, carom_state *state) {
    carom_newmark_kick *kick = &nodes->kick;
    const carom_model *model = kick->model;
    carom_newmark_kick_find_forces(kick, state, state->time, CAROM_USE_READ);
    for (int k = 0; k < model->node_count; k++) {
        carom_add_scaled(-0.5 * kick->step / model->mass[k], kick->force[k], state->v[k]);
        carom_restraints_impose(&model->restraints, k, state->v[k]);
        carom_copy(state->v[k], kick->w[k]);
    }
    carom_ledger_open(state);
}

carom_status carom_kinked_slab_open(carom_kick_drift *nodes, carom_stepper *stepper, carom_state *state, bool slab,
                                    carom_error *error) {
    carom_status status = carom_kick_drift_open(nodes, stepper, state, CAROM_KICK_DRIFT_KINKED, error);
    if (status)
        return status;
    if (slab)
        start_from_slab(nodes, state);
    return carom_kick_drift_kick(nodes, state, 0.5 * stepper->step, 1, error);
}

carom_status carom_kinked_slab_step(carom_kick_drift *nodes, carom_state *state, carom_error *error) {
    const carom_stepper *stepper = nodes->stepper;
    double h = stepper->step;
    carom_kick_drift_begin(nodes, state, h);
    carom_status status = carom_kick_drift_fly(nodes, state, h, error);
    if (status)
        return status;
    carom_kick_drift_book(nodes, state);
    carom_stepper_advance_time(stepper, state);

    // the kick at the level, one half for each of the slabs before and after it
    carom_kick_drift_find_forces(nodes, state);
    status = carom_kick_drift_kick_between(nodes, state, h, h, state->step, error);
    return status ? status : carom_kick_drift_finish(nodes, state, error);
}
