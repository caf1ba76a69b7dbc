// SPDX-License-Identifier: MIT
// The part of the shape of eight points at a time: laws with history by their kernels, others one lane after another.
#include <math.h>

#include "element/average/isochoric.h"
#include "element/batch.h"
#include "element/point_law.h"
#include "material/lanes/j2.h"

// Elastic laws, and laws of blocks that belong to no state.
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

// P of W_iso at point q of the eight elements from e0 on; those in [begin, end) commit and book where the block says so, with
// the volumes that the points stand for. NaN where the law has no answer.
void carom_split_batch(const carom_block *block, int e0, int q, int begin, int end, const carom_lanes *volume,
                       const carom_lanes F[9], carom_lanes P[9]) {
    if (!block->history) {
        one_by_one(block, F, P);
        return;
    }
    carom_flow flow = block->flow ? *block->flow : (carom_flow){.use = CAROM_USE_READ};
    carom_flow_result result;
    int low = begin > e0 ? begin - e0 : 0, high = end - e0 < CAROM_LANES ? end - e0 : CAROM_LANES;
    flow.isochoric = true;
    double *history = block->history + carom_block_history(block, e0, q, 0);
    carom_flow_batch(block->material, block->material_params, &flow, history, low, high, F, P, &result);
    for (int l = low; l < high && flow.use == CAROM_USE_COMMIT; l++) {
        carom_losses losses = {
            .plasticity = result.plasticity[l], .viscosity = result.viscosity[l], .pending = result.pending[l]};
        // without an answer nothing was committed
        if (result.energy[l] < HUGE_VAL)
            carom_point_book(block, e0 + l, q, (*volume)[l], &losses);
    }
}
