// SPDX-License-Identifier: MIT
// Theory: docs/theory/energy_momentum.md
// The law at a point with history in energy-conserving steps: which energy a step balances, and what it records as losses.
// An elastoplastic law has the incremental energy W_n(C), the stored energy after the return from the history of the start plus
// the work Y of hardening in between; its derivative is the stress of the return. The work of a discrete gradient of it over a
// step is W_n(C_1) - W_n(C_0), so that
//
//     plasticity += Y_1 + [psi_0 - W_n(C_0)]
//
// balances the energy exactly. The bracket, which is never negative, is the work of flow at the deformation of the start.
// Without rate and temperature the point does not flow there, and the bracket is rounding.
//
// With a rate, W_n would count the rates from 0 to that of the step along the path from C_0 to C_1, and the mean of their
// stresses is not that of the law: a flow stress 1 + c ln(rate) would come out as if the rate were 1/e of what it is, however
// small the step. So the factor of the rate is held at that of the whole step, g = g(da_1/h), in the W_n at all three places.
// The factor depends on C_1, and with it S:
//
//     dS = dS/dg g' d(da_1),   d(da_1) = n:dC_1/(1 - g' da_1/dg),   n = d(da_1)/dC_1 at fixed g = dS_1/dg/(2 sigma_slow)
//
// by dW_n/dg = Y/g, whose derivative by C_1 is sigma_slow n. Derivatives by the number g are differences.
//
// Viscous branches relax over half of the step at its start, deform elastically during the step, and relax over the other half
// at its end. Either relaxation dissipates the energy that it records, and the sequence is symmetric, so of second order.
#include "element/conserving_point.h"

#include <string.h>

#include "element/point_law.h"
#include "material/flow/j2_rate.h"

// Makes s->block a block of one element with one point, and copies the history of the point.
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

// Relative step of finite differences in the rate factor.
static const double rate_difference = 1e-5;

// The plastic strain of the step with the given parameters, computed on a copy of the point.
static double strain_of(const carom_block *block, int e, int q, const void *params, carom_point_ask ask, const void *context,
                        carom_point_step *s) {
    carom_block kept = s->block;
    carom_flow flow = s->flow;
    const carom_inelastic *law = block->material->inelastic;
    double history[CAROM_HISTORY_MAX], before = carom_point_inner(block, e, q, CAROM_INNER_PLASTIC_STRAIN);
    copy_point(block, e, q, s);
    s->block.material_params = params;
    // `after` as if a drift followed: the potential is not needed here, and j2 uses `after` for nothing else
    s->flow = (carom_flow){.use = CAROM_USE_COMMIT, .before = block->flow->before, .after = block->flow->before};
    ask(context, &s->block, 0, 0, CAROM_STEP_END);
    for (int k = 0; k < s->block.history_size; k++)
        history[k] = s->history[carom_lane(0, k, s->block.history_size)];
    double after = law->show(params, block->form, history, CAROM_INNER_PLASTIC_STRAIN);
    s->block = kept;
    s->flow = flow;
    s->e = e;
    s->q = q;
    return after - before;
}

static void hold_rate(const carom_block *block, int e, int q, carom_point_ask ask, const void *context, carom_point_step *s) {
    s->rated = carom_j2_has_rate(block->material, block->material_params);
    if (!s->rated)
        return;
    s->strain = strain_of(block, e, q, block->material_params, ask, context, s);
    s->factor = carom_j2_rate_factor(block->material_params, s->strain, block->flow->before, &s->slope);
    carom_j2_hold_rate(block->material_params, s->factor, &s->held);
    s->block.material_params = &s->held;
}

bool carom_point_step_vary(const carom_block *block, int e, int q, carom_point_ask ask, const void *context,
                           carom_point_step *s, double *gain) {
    if (!s->rated || s->slope == 0)
        return false;
    const carom_j2_params *p = block->material_params;
    double change = rate_difference * s->factor, alpha = carom_point_inner(block, e, q, CAROM_INNER_PLASTIC_STRAIN);
    carom_j2_hold_rate(p, s->factor + change, &s->held);
    double more = strain_of(block, e, q, &s->held, ask, context, s);
    double sigma = carom_j2_slow_stress(p, alpha + s->strain, carom_point_inner(block, e, q, CAROM_INNER_TEMPERATURE));
    double feedback = s->slope * (more - s->strain) / change;
    *gain = s->slope / ((1 - feedback) * sigma * change * change);
    return true;
}

void carom_point_step_unvary(const carom_block *block, carom_point_step *s) {
    carom_j2_hold_rate(block->material_params, s->factor, &s->held);
}

void carom_point_step_open(const carom_block *block, int e, int q, carom_point_ask ask, const void *context,
                           carom_point_step *s) {
    s->block = *block;
    s->e = e;
    s->q = q;
    s->relaxes = s->rated = false;
    if (carom_block_use(block) == CAROM_USE_READ)
        return;
    s->relaxes = !carom_block_flows(block);
    s->flow = (carom_flow){.use = CAROM_USE_TRIAL, .before = block->flow->before, .after = CAROM_FLOW_INCREMENT};
    s->block.flow = &s->flow;
    if (!s->relaxes) {
        hold_rate(block, e, q, ask, context, s);
        return;
    }
    copy_point(block, e, q, s);
    s->flow = (carom_flow){.use = CAROM_USE_COMMIT, .before = block->flow->before, .still = true};
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
    // the losses of the copy are already multiplied by the volume of the point
    carom_losses lost = {.plasticity = s->losses[CAROM_BLOCK_PLASTICITY] + s->losses[CAROM_BLOCK_PLASTICITY_REST],
                         .viscosity = s->losses[CAROM_BLOCK_VISCOSITY] + s->losses[CAROM_BLOCK_VISCOSITY_REST]};
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
