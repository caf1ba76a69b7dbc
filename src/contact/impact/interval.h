// SPDX-License-Identifier: MIT
// The input of one contact interval: a drift and the adjacent kick, shared by drift.h, repay.h and rest.h.
//
// During the drift node k is at x_k + t w_k with t from `begin` to `begin + step`. A method that moves its nodes at the end of
// every drift has begin = 0; one that leaves them in flight over several drifts counts t from the start of the flight.
#ifndef CAROM_CONTACT_IMPACT_INTERVAL_H
#define CAROM_CONTACT_IMPACT_INTERVAL_H

#include "contact/pairs/neighbours.h"
#include "parallel/together.h"

typedef struct carom_contact_interval {
    carom_neighbours neighbours; // all contacts that are possible during the drift and at the kick
    carom_mobility mobility;
    const int *nodes;                    // the nodes that take part; NULL: all
    int whole_count;                     // nodes of the whole model, which set the limit of impacts; 0: node_count
    int node_count;                      // number of entries of `nodes`
    double length;                       // scale of distances in the model
    double reach;                        // pairs of surfaces at a larger distance do not rest on each other
    const struct carom_sweeper *sweeper; // solves large islands instead of the threads (sweeps.h); NULL: threads do
    carom_together *together;            // processes that share the work of this interval; NULL: each process does all of it

    // the drift
    double time;                 // of the run at t = 0
    double begin;                // t at its start
    double step;                 // its length
    bool flies;                  // x is not advanced: nodes remain at x + t w; otherwise x becomes the position at the end
    double allowance;            // deviation from the straight path for which the list of neighbours is complete
    carom_carry carry;           // motion of driven bodies
    const double (*end_kick)[3]; // per node: velocity change by the forces at the end of the drift, for its length, as an
                                 // earlier pass computed them; NULL: not known

    // the kick
    double kick_time;         // of the run
    double kick_part;         // its length in units of `step`: 1 between equal drifts, 1/2 for the kick that starts a run
    double kick_after;        // fraction of it that acts after its time: 1/2 between equal drifts
    double last_step;         // length of the drift before it
    double last_part;         // length of the kick in units of `last_step`
    const double (*other)[3]; // per node: forces of the kick without a potential (damping, live loads); NULL: none
    double kick_speed;        // largest velocity change of a node by forces; the scale of rounding errors in w
} carom_contact_interval;

// t at the end of the drift.
static inline double carom_contact_interval_end(const carom_contact_interval *interval) {
    return interval->begin + interval->step;
}

#endif
