// SPDX-License-Identifier: MIT
// Contact as in the paper of Wolff and Bucher: nodes of surfaces look for overlap at times of their own, and pairs that overlap
// and close get the impulse of an impact. Nodes of both bodies look at faces of the other (two passes), and edges at edges,
// which the paper leaves open. Of the faces of a body that a node is behind, the one through which it came counts. Overlap of
// about the way between two looks remains; a node that passes a face altogether between two looks ends the run.
#ifndef CAROM_INTEGRATOR_ASYNCHRONOUS_OVERLAP_POLLS_H
#define CAROM_INTEGRATOR_ASYNCHRONOUS_OVERLAP_POLLS_H

#include "carom/integrator.h"
#include "contact/simplex/violations.h"
#include "integrator/asynchronous/flight.h"
#include "integrator/isolated.h"
#include "integrator/search.h"

// Start from {0}.
typedef struct carom_overlap_polls {
    carom_flight *flight;
    const carom_asynchronous_params *params;
    carom_search search;
    carom_neighbours neighbours;
    carom_isolated isolated;
    carom_violations overlaps; // of surfaces at the end of a step
    int count;
    int *node;       // per poll
    double *longest; // per poll: longest time between two looks
    double *size;    // per poll: (m/rho)^(1/dimension) of its node
    double *due;     // per poll: time of the next look; part of the state
    double *number;  // per poll: that time in units of the longest one; part of the state
    double *last;    // per poll: time of the last look; part of the state
    double (*v)[3];  // scratch: velocities at the time of the look
    carom_hits hits;
} carom_overlap_polls;

// Surfaces must be closed: overlap has no meaning otherwise.
carom_status carom_overlap_polls_accept(const carom_model *model, carom_error *error);

// A poll for each node of `touch`. Registers what must survive a restart; other memory comes from the arena.
carom_status carom_overlap_polls_create(carom_overlap_polls *polls, carom_flight *flight,
                                        const carom_asynchronous_params *params, const bool *touch, carom_arena *arena,
                                        carom_error *error);
void carom_overlap_polls_release(carom_overlap_polls *polls);

// A step begins: finds the pairs that are near each other.
carom_status carom_overlap_polls_begin(carom_overlap_polls *polls, carom_error *error);

// One node looks at time t of the step; its next look is due later.
carom_status carom_overlap_polls_check(carom_overlap_polls *polls, int poll, double t, carom_error *error);

// A step is over and all nodes have moved: the largest overlap of surfaces.
carom_status carom_overlap_polls_measure(carom_overlap_polls *polls, double *depth, carom_error *error);

#endif
