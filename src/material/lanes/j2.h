// SPDX-License-Identifier: MIT
// Stress, energy and losses by laws with history (`j2`, `viscoelastic`) for a batch: one point of each of eight elements, one
// in each lane of a vector.
#ifndef CAROM_MATERIAL_LANES_J2_H
#define CAROM_MATERIAL_LANES_J2_H

#include "carom/material.h"
#include "math/lanes.h"

// Result of a batch of points: stored energy, and losses as in carom_losses.
typedef struct carom_flow_result {
    carom_lanes energy; // HUGE_VAL where the law is undefined
    carom_lanes plasticity;
    carom_lanes viscosity;
    carom_lanes pending;
} carom_flow_result;

// Eight points of a law with history, for the form CAROM_POINT_SOLID. Number k of the history of lane l is
// history[CAROM_LANES k + l]; CAROM_USE_COMMIT updates the history of the lanes in [low, high) only. P may be NULL. Lanes in
// which the law is undefined get a stress of NaN and an infinite energy, and keep their history. The result of a lane does not
// depend on the other lanes.
void carom_flow_batch(const carom_material *material, const void *params, const carom_flow *flow, double *history, int low,
                      int high, const carom_lanes F[9], carom_lanes P[9], carom_flow_result *result);

#endif
