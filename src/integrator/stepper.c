// SPDX-License-Identifier: MIT
#include "integrator/stepper.h"

carom_status carom_stepper_synchronize(carom_stepper *stepper, carom_state *state, carom_error *error) {
    if (!stepper->stale)
        return CAROM_OK;
    stepper->stale = false;
    return stepper->method->synchronize(stepper, state, error);
}

// Energies and momenta as the method defines them: of its slabs, of an equilibrium, or of x and v.
static carom_ledger_row measure(const carom_stepper *stepper, const carom_state *state) {
    carom_ledger_row row = {0};
    if (stepper->method->measure)
        stepper->method->measure(stepper, state, &row);
    else
        carom_ledger_measure(state, &row);
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
