// SPDX-License-Identifier: MIT
// Contact by polling, as in the paper of Wolff and Bucher: each node of a surface checks for overlap at its own times, and
// pairs that overlap and approach get the impulse of an impact. Nodes of both bodies are checked against faces of the other
// (two passes), and edges against edges, which the paper does not treat. If a node is behind several faces of a body, the one
// that it crossed counts. Overlap of about the displacement between two polls remains; the run stops if a node has passed
// through a body between two polls.
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
    double *longest; // per poll: longest time to the next poll
    double *size;    // per poll: (m/rho)^(1/dimension) of its node
    double *due;     // per poll: time of the next poll; part of the state
    double *number;  // per poll: that time in units of `longest`; part of the state
    double *last;    // per poll: time of the last poll; part of the state
    double (*v)[3];  // scratch: velocities at the time of the poll
    bool struck;     // an impulse has acted in this step of the run
    carom_hits hits;
} carom_overlap_polls;

// Surfaces must be closed: overlap has no meaning otherwise.
carom_status carom_overlap_polls_accept(const carom_model *model, carom_error *error);

// Creates a poll for each node of `touch`. Registers what must survive a restart; other memory comes from the arena.
carom_status carom_overlap_polls_create(carom_overlap_polls *polls, carom_flight *flight,
                                        const carom_asynchronous_params *params, const bool *touch, carom_arena *arena,
                                        carom_error *error);
void carom_overlap_polls_release(carom_overlap_polls *polls);

// At the beginning of a step: finds the pairs that are near each other.
carom_status carom_overlap_polls_begin(carom_overlap_polls *polls, carom_error *error);

// The poll of one node at time t of the step; sets the time of its next poll.
carom_status carom_overlap_polls_check(carom_overlap_polls *polls, int poll, double t, carom_error *error);

// At the end of a step, when all nodes have moved: the largest overlap of surfaces.
carom_status carom_overlap_polls_measure(carom_overlap_polls *polls, double *depth, carom_error *error);

#endif
