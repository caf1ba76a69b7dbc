// SPDX-License-Identifier: MIT
#include "sim/collect.h"

#include "model/shared.h"

bool carom_sim_first(const carom_sim *sim) {
    return !carom_model_is_part(sim->model) || carom_parallel_rank() == 0;
}

const carom_state *carom_sim_collect(const carom_sim *sim) {
    return sim->state;
}

const carom_state *carom_sim_collect_positions(const carom_sim *sim) {
    return sim->state;
}

const carom_state *carom_sim_outline(const carom_sim *sim) {
    return sim->state;
}

carom_state *carom_sim_whole(const carom_sim *sim) {
    return sim->state;
}

void carom_sim_spread(carom_sim *sim, const carom_state *whole) {
    if (whole != sim->state)
        carom_state_copy(sim->state, whole);
}

carom_status carom_sim_agree(const carom_sim *sim, carom_status status, carom_error *error) {
    return carom_model_agree(sim->model, status, error);
}

void carom_sim_tell(const carom_sim *sim, void *bytes, size_t size) {
    if (carom_model_is_part(sim->model))
        carom_parallel_broadcast(bytes, (int64_t)size);
}

bool carom_sim_says(const carom_sim *sim, bool answer) {
    carom_sim_tell(sim, &answer, sizeof answer);
    return answer;
}
