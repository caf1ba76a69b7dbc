// SPDX-License-Identifier: MIT
#include "element/j2_batch.h"

static const carom_flow reading = {.use = CAROM_USE_READ};

// The history of point q of a batch.
static double *history_at(const carom_block *block, int e0, int q) {
    return block->history + carom_block_history(block, e0, q, 0);
}

void carom_flow_stress_at(const carom_block *block, int e0, int begin, int end, int q, const carom_lanes *volume,
                          const carom_lanes F[9], carom_lanes P[9]) {
    const carom_flow *flow = block->flow ? block->flow : &reading;
    int low = begin > e0 ? begin - e0 : 0, high = end < e0 + CAROM_LANES ? end - e0 : CAROM_LANES;
    carom_flow_result result;
    carom_flow_batch(block->material, block->material_params, flow, history_at(block, e0, q), low, high, F, P, &result);
    for (int l = low; l < high && flow->use == CAROM_USE_COMMIT; l++) {
        carom_losses losses = {
            .plasticity = result.plasticity[l], .viscosity = result.viscosity[l], .pending = result.pending[l]};
        // without an answer nothing was committed
        if (result.energy[l] < HUGE_VAL)
            carom_point_book(block, e0 + l, q, (*volume)[l], &losses);
    }
}

void carom_flow_energy_at(const carom_block *block, int e0, int q, const carom_lanes F[9], carom_lanes *energy) {
    carom_flow_result result;
    carom_flow_batch(block->material, block->material_params, &reading, history_at(block, e0, q), 0, 0, F, NULL, &result);
    *energy = result.energy;
}
