// SPDX-License-Identifier: MIT
// Saves copies of the state to which a failed run may return: on the device if it has the motion, else in the memory of the
// process.
#include "sim/kept_states.h"

#include <string.h>

#include "device/device.h"

void carom_sim_keep(carom_sim *sim, carom_state *to, carom_device_copy copy) {
    carom_device *device = sim->stepper.device;
    carom_state_copy_but(to, sim->state, device ? carom_device_keep(device, copy, to) : 0);
}

void carom_sim_keep_positions(carom_sim *sim) {
    carom_device *device = sim->stepper.device;
    sim->checked_by = device ? carom_device_keep_positions(device, sim->checked_x) : NULL;
    if (sim->checked_by)
        return;
    carom_state_read(sim->state, CAROM_ARRAYS_POSITIONS);
    memcpy(sim->checked_x, sim->state->x, (size_t)sim->model->node_count * sizeof *sim->checked_x);
}

const double (*carom_sim_checked(const carom_sim *sim))[3] {
    carom_remote_read(sim->checked_by, CAROM_ARRAYS_POSITIONS);
    return (carom_const_vectors)sim->checked_x;
}
