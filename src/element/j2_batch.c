// SPDX-License-Identifier: MIT
// Stress and energy at one quadrature point of eight elements, for laws with history (elastoplastic, viscoelastic) and for the
// isochoric part of any law. Lanes that commit the step record their losses.
#include "element/j2_batch.h"

#include <math.h>

static const carom_flow reading = {.use = CAROM_USE_READ};

// The history of point q of a batch.
static double *history_at(const carom_block *block, int e0, int q) {
    return block->history + carom_block_history(block, e0, q, 0);
}

static carom_flow flow_of(const carom_block *block) {
    return block->flow ? *block->flow : reading;
}

// If `flow` is to be committed, the elements in [begin, end) commit and record losses. NaN where the law is undefined.
static void evaluate_law(const carom_block *block, const carom_flow *flow, int e0, int begin, int end, int q,
                         const carom_lanes *volume, const carom_lanes F[9], carom_lanes P[9]) {
    int low = begin > e0 ? begin - e0 : 0, high = end < e0 + CAROM_LANES ? end - e0 : CAROM_LANES;
    carom_flow_result result;
    carom_flow_batch(block->material, block->material_params, flow, history_at(block, e0, q), low, high, F, P, &result);
    for (int l = low; l < high && flow->use == CAROM_USE_COMMIT; l++) {
        carom_losses losses = {
            .plasticity = result.plasticity[l], .viscosity = result.viscosity[l], .pending = result.pending[l]};
        // nothing was committed where the law is undefined
        if (result.energy[l] < HUGE_VAL)
            carom_point_book(block, e0 + l, q, (*volume)[l], &losses);
    }
}

void carom_flow_stress_at(const carom_block *block, int e0, int begin, int end, int q, const carom_lanes *volume,
                          const carom_lanes F[9], carom_lanes P[9]) {
    carom_flow flow = flow_of(block);
    evaluate_law(block, &flow, e0, begin, end, q, volume, F, P);
}

// The isochoric stress of blocks without history, lane by lane.
static void one_by_one(const carom_block *block, const carom_lanes F[9], carom_lanes P[9]) {
    for (int l = 0; l < CAROM_LANES; l++) {
        double own[9], stress[9];
        for (int a = 0; a < 9; a++)
            own[a] = F[a][l];
        bool answer = block->material->isochoric(block->material_params, own, stress, NULL) < HUGE_VAL;
        for (int a = 0; a < 9; a++)
            P[a][l] = answer ? stress[a] : NAN;
    }
}

void carom_split_batch(const carom_block *block, int e0, int q, int begin, int end, const carom_lanes *volume,
                       const carom_lanes F[9], carom_lanes P[9]) {
    carom_flow flow = flow_of(block);
    flow.isochoric = true;
    if (block->history)
        evaluate_law(block, &flow, e0, begin, end, q, volume, F, P);
    else
        one_by_one(block, F, P);
}

void carom_flow_energy_at(const carom_block *block, int e0, int q, const carom_lanes F[9], carom_lanes *energy) {
    carom_flow_result result;
    carom_flow_batch(block->material, block->material_params, &reading, history_at(block, e0, q), 0, 0, F, NULL, &result);
    *energy = result.energy;
}
