// SPDX-License-Identifier: MIT
// A point with history over a step of a conserving method (docs/theory/energy_momentum.md): the energy whose discrete gradient
// the step takes, and the end of the step.
#ifndef CAROM_ELEMENT_CONSERVING_POINT_H
#define CAROM_ELEMENT_CONSERVING_POINT_H

#include "carom/element.h"

// A value of `after` of the flow of a block: the energy is the incremental one, with the potential of carom_losses, which a
// commit records as plasticity (point_law.c). For steps that no drift follows.
#define CAROM_FLOW_INCREMENT (-1.0)

typedef enum carom_step_end { CAROM_STEP_START, CAROM_STEP_END } carom_step_end;

// Evaluates the law at point q of element e of the block for the deformation at the start or the end of the step; returns the
// energy.
typedef double (*carom_point_ask)(const void *context, const carom_block *block, int e, int q, carom_step_end end);

// A point as a separate block, for which elements evaluate the law in a step. Must not be moved between carom_point_step_open
// and carom_point_step_close.
typedef struct carom_point_step {
    carom_block block; // with history, or a copy of it, and with `flow`
    int e, q;          // of the point in it
    carom_flow flow;
    bool relaxes;                 // viscous branches relax by halves at both ends, and stay as they are between them
    bool rated;                   // the flow stress depends on the rate, which is held at that of the whole step:
    double factor, strain, slope; // its factor, the plastic strain da of the step, d factor/d da
    carom_j2_params held;
    double history[CAROM_LANES * CAROM_HISTORY_MAX];
    double losses[CAROM_BLOCK_LOSSES];
} carom_point_step;

// Begins the step of point q of element e. The flow of the block defines the length of the step and whether it is to be
// committed; without history, or flow, the law is evaluated unchanged.
void carom_point_step_open(const carom_block *block, int e, int q, carom_point_ask ask, const void *context,
                           carom_point_step *step);

// For tangents: changes the rate factor of the law a little. S depends on the deformation at the end also through the factor,
// dS = gain (S' - S) (S1' - S1).dE, where S' and S1' are stresses of the step and of its end after this call and E is the
// work-conjugate strain. False, and nothing is changed, if the factor is constant.
bool carom_point_step_vary(const carom_block *block, int e, int q, carom_point_ask ask, const void *context,
                           carom_point_step *step, double *gain);
// Restores the rate factor of the step.
void carom_point_step_unvary(const carom_block *block, carom_point_step *step);

// Ends it, if the flow of the block commits: stores the history and records losses, weighted by the volume of the point.
void carom_point_step_close(const carom_block *block, int e, int q, double volume, carom_point_ask ask, const void *context,
                            carom_point_step *step);

#endif
