// SPDX-License-Identifier: MIT
// Contact after the drift, as Cirak & West do it: remove the overlap, then replace the momenta of closing pairs.
#ifndef CAROM_INTEGRATOR_NEWMARK_DCR_NEWMARK_PROJECTION_H
#define CAROM_INTEGRATOR_NEWMARK_DCR_NEWMARK_PROJECTION_H

#include "contact/response.h"
#include "integrator/newmark_kick.h"
#include "integrator/search.h"
#include "integrator/stepper.h"

// Start from {0}.
typedef struct carom_newmark_projection {
    const carom_stepper *stepper;  // for the energy of a state
    carom_hits crossings;          // pairs of surfaces that came into their layer during the drift
    carom_vectors scratch;         // per node
    double *history;               // of materials before a kick that is undone; NULL: they have none
    double energy_without_contact; // at the end of the step, if nothing touched
} carom_newmark_projection;

carom_status carom_newmark_projection_create(carom_newmark_projection *projection, const carom_stepper *stepper,
                                             const carom_state *state, carom_error *error);
void carom_newmark_projection_release(carom_newmark_projection *projection);

// A drift of the state, with contact after it. Appends one hit per contact whose overlap was removed.
carom_status carom_newmark_projection_drift(carom_newmark_projection *projection, carom_newmark_kick *kick,
                                            carom_search *search, carom_state *state, carom_hits *hits, carom_error *error);

// After the kick that follows a drift with these hits: books the energy that projections took beyond restitution and friction.
void carom_newmark_projection_book(const carom_newmark_projection *projection, const carom_newmark_kick *kick,
                                   const carom_hits *hits, carom_state *state);

#endif
