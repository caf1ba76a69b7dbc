// SPDX-License-Identifier: MIT
// Functions of carom/stepper.h on the stepper itself (one integrator applied to one model), and the ledger of its method.
#include "integrator/stepper.h"

#include "model/model.h"

const carom_model *carom_stepper_model(const carom_stepper *stepper) {
    return stepper->model;
}

const void *carom_stepper_params(const carom_stepper *stepper) {
    return stepper->params;
}

double carom_stepper_step(const carom_stepper *stepper) {
    return stepper->step;
}

void *carom_stepper_workspace(const carom_stepper *stepper) {
    return stepper->workspace;
}

void carom_stepper_set_workspace(carom_stepper *stepper, void *workspace) {
    stepper->workspace = workspace;
}

void carom_stepper_advance_time(const carom_stepper *stepper, carom_state *state) {
    state->step++;
    state->time = (double)state->step * stepper->step;
}

carom_status carom_stepper_finish_step(const carom_stepper *stepper, carom_state *state, bool finite, carom_error *error) {
    (void)stepper;
    if (!finite) {
        state->books.events[CAROM_EVENT_NOT_FINITE]++;
        return carom_fail(error, CAROM_NUMERICAL, "velocities are not finite at time %g (step %lld)", state->time,
                          (long long)state->step);
    }
    carom_ledger_note_partings(state);
    return CAROM_OK;
}

void carom_stepper_set_stale(carom_stepper *stepper) {
    stepper->stale = true;
}

bool carom_model_has_frames(const carom_model *model) {
    return model->R != NULL;
}

bool carom_model_has_damping(const carom_model *model) {
    return model->damped;
}

bool carom_model_has_contact(const carom_model *model) {
    return model->candidates.count > 0 || model->surface.face_count > 0;
}

bool carom_model_has_schedules(const carom_model *model) {
    return model->live.count > 0 || model->drives.of_restraint;
}

carom_status carom_stepper_synchronize(carom_stepper *stepper, carom_state *state, carom_error *error) {
    if (!stepper->stale || !stepper->method->synchronize)
        return CAROM_OK;
    stepper->stale = false;
    carom_status status = stepper->method->synchronize(stepper, state, error);
    // after a failure the velocities have not changed
    if (status)
        stepper->stale = true;
    return status;
}

// Energies and momenta as the method defines them: of space-time slabs, of an equilibrium, or of x and v.
static carom_ledger_row measure(const carom_stepper *stepper, const carom_state *state) {
    carom_ledger_row row = {0};
    if (stepper->method->measure)
        stepper->method->measure(stepper, state, &row);
    else
        carom_ledger_measure(state, NULL, &row);
    return row;
}

carom_ledger_row carom_stepper_ledger(const carom_stepper *stepper, const carom_state *state) {
    carom_ledger_row row = measure(stepper, state);
    return carom_ledger_complete(state, &row);
}

void carom_stepper_restart_ledger(const carom_stepper *stepper, carom_state *state) {
    carom_ledger_row row = measure(stepper, state);
    carom_ledger_restart(state, &row);
}
