// SPDX-License-Identifier: MIT
// The estimates of stress of all elements (element/estimate.h), as the forces of the last step told them, and the positions
// that they belong to. They are no part of the state: where they are missing, or positions have changed since, elements are
// looked at one and all.
#ifndef CAROM_MODEL_PEAK_HINTS_H
#define CAROM_MODEL_PEAK_HINTS_H

#include "model/forces.h"
#include "model/model.h"

// Start from {0}.
typedef struct carom_peak_hints {
    double *estimates;
    int64_t *begin;    // per block; -1: it makes none
    double *slope;     // per block (carom_estimate_slope)
    double *positions; // that the estimates belong to
    double far, reach; // the largest coordinate of the reference, and of both
    bool any, made;    // a block makes estimates; they are there
    int unread;        // how often they were made since somebody looked
} carom_peak_hints;

// False if memory is short.
bool carom_peak_hints_create(carom_peak_hints *hints, const carom_model *model);
void carom_peak_hints_release(carom_peak_hints *hints);

// Asks for estimates at positions x, unless nobody has looked at the last ones.
void carom_peak_hints_ask(carom_peak_hints *hints, const carom_model *model, const double (*x)[3], carom_beside *beside);

// Whether they are those of the positions x.
bool carom_peak_hints_hold(carom_peak_hints *hints, const carom_model *model, const double (*x)[3]);

#endif
