// SPDX-License-Identifier: MIT
// Contact after the drift as in Cirak & West (2005): remove the overlap, then exchange the momenta of closing pairs.
#ifndef CAROM_INTEGRATOR_NEWMARK_DCR_NEWMARK_PROJECTION_H
#define CAROM_INTEGRATOR_NEWMARK_DCR_NEWMARK_PROJECTION_H

#include "contact/response.h"
#include "integrator/newmark_kick.h"
#include "integrator/search.h"
#include "integrator/stepper.h"

// Start from {0}.
typedef struct carom_newmark_projection {
    const carom_stepper *stepper;  // for the energy of a state
    carom_hits crossings;          // pairs of surfaces that entered their contact layer during the drift
    carom_vectors scratch;         // per node
    double *history;               // of materials before a kick that is undone; NULL: they have none
    double energy_without_contact; // energy that the step would end with if there were no contact
} carom_newmark_projection;

carom_status carom_newmark_projection_create(carom_newmark_projection *projection, const carom_stepper *stepper,
                                             const carom_state *state, carom_error *error);
void carom_newmark_projection_release(carom_newmark_projection *projection);

// Drifts the state, and resolves contact after it. Appends one hit per contact whose overlap was removed.
carom_status carom_newmark_projection_drift(carom_newmark_projection *projection, carom_newmark_kick *kick,
                                            carom_search *search, carom_state *state, carom_hits *hits, carom_error *error);

// Call after the kick that follows a drift with these hits: records the energy that projections removed beyond the losses by
// restitution and friction.
void carom_newmark_projection_book(const carom_newmark_projection *projection, const carom_newmark_kick *kick,
                                   const carom_hits *hits, carom_state *state);

#endif
