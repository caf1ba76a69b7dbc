// SPDX-License-Identifier: MIT
// Theory: docs/theory/energy_momentum.md
// A law that flows has the incremental energy W_n(C), the stored energy after the return from the history of the start plus the
// work Y of hardening in between; its derivative is the stress of the return. The work of a discrete gradient of it over a step
// is W_n(C_1) - W_n(C_0), so that
//
//     plasticity += Y_1 + [psi_0 - W_n(C_0)]
//
// leaves nothing over. The bracket, which is never negative, is the work of flow at the deformation of the start. Without rate
// and temperature the point has come to rest there, and it is rounding.
//
// Viscous branches relax by half of the step at the start, move with the body as they are, elastic, and relax by the other half
// at the end. Either part takes the energy that it books, and the sequence is symmetric: second order.
#include "element/point_step.h"

#include <string.h>

#include "element/point_law.h"

// The point as a block of one element with one point and the history as it is.
static void copy_point(const carom_block *block, int e, int q, carom_point_step *s) {
    int size = block->history_size / block->point_count;
    for (int k = 0; k < size; k++)
        s->history[carom_lane(0, k, size)] = block->history[carom_block_history(block, e, q, k)];
    memset(s->losses, 0, sizeof s->losses);
    s->block.point_count = 1;
    s->block.history_size = size;
    s->block.history = s->history;
    s->block.losses = s->losses;
    s->e = s->q = 0;
}

void carom_point_step_open(const carom_block *block, int e, int q, carom_point_ask ask, const void *context,
                           carom_point_step *s) {
    s->block = *block;
    s->e = e;
    s->q = q;
    s->relaxes = false;
    if (carom_block_use(block) == CAROM_USE_READ)
        return;
    s->relaxes = !carom_block_flows(block);
    s->flow = (carom_flow){.use = CAROM_USE_TRIAL, .before = block->flow->before, .after = CAROM_FLOW_INCREMENT};
    s->block.flow = &s->flow;
    if (!s->relaxes)
        return;
    copy_point(block, e, q, s);
    s->flow = (carom_flow){.use = CAROM_USE_COMMIT, .before = block->flow->before};
    ask(context, &s->block, s->e, s->q, CAROM_STEP_START);
    s->flow.use = CAROM_USE_READ;
}

static void close_relaxed(const carom_block *block, int e, int q, carom_point_ask ask, const void *context,
                          carom_point_step *s) {
    s->flow.use = CAROM_USE_COMMIT;
    ask(context, &s->block, 0, 0, CAROM_STEP_END);
    int size = s->block.history_size;
    for (int k = 0; k < size; k++)
        block->history[carom_block_history(block, e, q, k)] = s->history[carom_lane(0, k, size)];
    // the copy has counted with the volume of the point
    carom_losses lost = {.viscosity = s->losses[CAROM_BLOCK_VISCOSITY] + s->losses[CAROM_BLOCK_VISCOSITY_REST]};
    carom_point_book(block, e, q, 1, &lost);
}

void carom_point_step_close(const carom_block *block, int e, int q, double volume, carom_point_ask ask, const void *context,
                            carom_point_step *s) {
    if (carom_block_use(block) != CAROM_USE_COMMIT)
        return;
    if (s->relaxes) {
        close_relaxed(block, e, q, ask, context, s);
        return;
    }
    double next = ask(context, &s->block, e, q, CAROM_STEP_START);
    carom_flow read = {.use = CAROM_USE_READ};
    s->block.flow = &read;
    double start = ask(context, &s->block, e, q, CAROM_STEP_START);
    s->block.flow = &s->flow;
    s->flow.use = CAROM_USE_COMMIT;
    ask(context, &s->block, e, q, CAROM_STEP_END);
    s->flow.use = CAROM_USE_TRIAL;
    if (start > next)
        carom_point_book(block, e, q, volume, &(carom_losses){.plasticity = start - next});
}
