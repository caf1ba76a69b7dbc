// SPDX-License-Identifier: MIT
// Dynamic load balancing: processes with unequal work get other subdomains. Results do not depend on the distribution.
//
// Each process measures its work in some of the steps. At the end of a window of steps the processes exchange their times and
// take the same decision: if the busiest exceeds the mean by so much that a redistribution will save time, nodes are
// distributed by their measured cost, and the states are moved (repartition.h). Each redistribution at least doubles the
// window, so that there are only a few if they do not help.
//
// For tests and experiments, the environment variable CAROM_REBALANCE of rank 0: a number N above 0 distributes nodes at random
// every N steps, 0 never redistributes, "count" uses the number of nodes that a process owns as its work, so that decisions do
// not depend on the load of the machine.
#ifndef CAROM_SIM_REBALANCE_H
#define CAROM_SIM_REBALANCE_H

#include "sim/sim.h"

typedef struct carom_rebalance {
    bool active;          // several processes have subdomains, and it is not disabled
    int64_t random_every; // steps between random distributions; 0: by measured work
    bool counts;          // numbers of nodes are used as work
    int64_t begin;        // first step of the window
    int64_t window;       // its length in steps
    int samples;          // measured steps in it
    double seconds;       // time of the last distribution
    int count;            // number of redistributions
    double imbalance;     // work of the busiest process over the mean, in the last window; 0: no window is complete
    int64_t *weight;      // of all nodes; on rank 0, once needed
    struct share *share;  // buffer for the work of all processes
} carom_rebalance;

// Begins at the present step of a run. Collective. CAROM_BAD_INPUT if CAROM_REBALANCE is none of these. Release it in any case.
carom_status carom_rebalance_start(carom_rebalance *balance, const carom_sim *sim, carom_error *error);
void carom_rebalance_release(carom_rebalance *balance);

// To be called before and after each step: measures its work, if its turn has come.
void carom_rebalance_enter_step(carom_rebalance *balance, carom_sim *sim);
void carom_rebalance_leave_step(carom_rebalance *balance, carom_sim *sim);

// True if the window ends with the present step; the same on all processes.
bool carom_rebalance_is_due(const carom_rebalance *balance, const carom_sim *sim);
// After a step for which it is due: redistributes nodes if that saves time. Collective. Without memory the run goes on as it
// is. Fails only if the state cannot be synchronized. sim->state may be another object afterwards.
carom_status carom_rebalance_run(carom_rebalance *balance, carom_sim *sim, carom_error *error);

#endif
