// SPDX-License-Identifier: MIT
#include "sim/kept_states.h"

#include <string.h>

#include "device/device.h"
#include "element/peak_values.h"
#include "integrator/device_motion.h"
#include "integrator/stepper.h"
#include "model/forces/peaks.h"

// True if a device has the motion of the present state, whether or not somebody has brought it.
static bool is_there(const carom_sim *sim) {
    return sim->stepper.resident && carom_resident_has(sim->stepper.resident, sim->state);
}

// Envelopes of elements that the device does not compare with.
static void copy_envelopes(const carom_sim *sim, carom_state *to) {
    const carom_model *model = sim->model;
    const double *from = carom_peaks_envelopes(sim->state);
    double *envelopes = (double *)carom_peaks_envelopes(to);
    for (int b = 0; from && b < model->block_count; b++) {
        size_t numbers = CAROM_ENVELOPES * (size_t)model->blocks[b].count;
        if (!carom_device_has_raised(sim->stepper.device, sim->state, b))
            memcpy(envelopes, from, numbers * sizeof *envelopes);
        from += numbers;
        envelopes += numbers;
    }
}

void carom_sim_keep(carom_sim *sim, carom_state *to, carom_device_copy copy) {
    carom_away away;
    // copies have the history of materials themselves
    carom_stepper_bring_history(&sim->stepper, sim->state);
    sim->kept[copy] = is_there(sim) && carom_device_keep(sim->stepper.device, copy, sim->state);
    if (sim->kept[copy]) {
        away = carom_resident_away(sim->stepper.resident, sim->state);
        away.elements = carom_peaks_envelopes(sim->state);
        carom_state_copy_here(to, sim->state, &away);
        copy_envelopes(sim, to);
    } else {
        carom_sim_bring_device(sim);
        carom_state_copy(to, sim->state);
    }
}

void carom_sim_keep_positions(carom_sim *sim) {
    sim->kept[CAROM_COPY_LOOKED] = is_there(sim) && carom_device_keep(sim->stepper.device, CAROM_COPY_LOOKED, sim->state);
    if (sim->kept[CAROM_COPY_LOOKED])
        return;
    carom_sim_bring_positions(sim);
    memcpy(sim->looked, sim->state->x, (size_t)sim->model->node_count * sizeof *sim->looked);
}

bool carom_sim_is_finite(carom_sim *sim) {
    if (!is_there(sim)) {
        carom_sim_bring_device(sim);
        return carom_state_is_finite(sim->state);
    }
    carom_away away = carom_resident_away(sim->stepper.resident, sim->state);
    return carom_state_is_finite_here(sim->state, &away) && carom_device_is_finite(sim->stepper.device, CAROM_STATE_FINITE);
}

void carom_sim_recall(carom_sim *sim) {
    carom_state *const states[] = {[CAROM_COPY_GOOD] = sim->last_good, [CAROM_COPY_BALANCED] = sim->balanced};
    for (int c = 0; c < CAROM_COPIES; c++) {
        if (!sim->kept[c])
            continue;
        carom_device_motion motion = {.x = sim->looked};
        double *envelopes = NULL;
        if (c != CAROM_COPY_LOOKED) {
            carom_away away = carom_resident_away(sim->stepper.resident, states[c]);
            motion = (carom_device_motion){.x = (carom_vectors)away.nodes[0],
                                           .v = (carom_vectors)away.nodes[1],
                                           .w = (carom_vectors)away.nodes[2],
                                           .kicks = (carom_vectors)away.nodes[3]};
            envelopes = (double *)carom_peaks_envelopes(states[c]);
        }
        carom_device_recall(sim->stepper.device, (carom_device_copy)c, &motion, envelopes);
        sim->kept[c] = false;
    }
}
