// SPDX-License-Identifier: MIT
// Processes that share a run and have unequal work are given other parts of the model. Who computes what changes no result,
// only the time that it takes.
//
// Each process measures its work in some of the steps. At the end of a window of steps all hear of the work of all, and decide
// alike: if the busiest has so much more than the mean that dealing the model anew will be earned back, nodes are dealt by what
// they have cost, and the states are moved (repartition.h). Windows grow twice as long with each time, so that a run in which
// it does not help is disturbed a few times at most.
//
// For tests and experiments, the variable CAROM_REBALANCE of the environment of rank 0: a number N above 0 deals nodes by
// chance every N steps, whatever they cost; 0 never does; "count" takes the number of nodes that a process owns for its work,
// so that what is decided does not depend on how busy the machine is.
#ifndef CAROM_SIM_REBALANCE_H
#define CAROM_SIM_REBALANCE_H

#include "sim/sim.h"

typedef struct carom_rebalance {
    bool active;         // several processes have parts, and it is not forbidden
    int64_t chance;      // steps after which nodes are dealt by chance; 0: by their work
    bool counts;         // numbers of nodes stand for times
    int64_t begin;       // the step at which the window begins,
    int64_t window;      // and its length
    int samples;         // steps of it that were measured
    double seconds;      // that a dealing takes
    int count;           // how often nodes were dealt anew
    double imbalance;    // work of the busiest process over the mean, in the last window; 0: none has passed
    int64_t *weight;     // of all nodes, as far as it is known; on rank 0, once it is needed
    struct share *share; // room for the work of all processes
} carom_rebalance;

// At the present step of a run. Collective. CAROM_BAD_INPUT if CAROM_REBALANCE is none of these. Release it in any case.
carom_status carom_rebalance_start(carom_rebalance *balance, const carom_sim *sim, carom_error *error);
void carom_rebalance_release(carom_rebalance *balance);

// Around each step: its work is measured, if it is one of those that are.
void carom_rebalance_enter_step(carom_rebalance *balance, carom_sim *sim);
void carom_rebalance_leave_step(carom_rebalance *balance, carom_sim *sim);

// True if the window ends with the present step, on all processes alike.
bool carom_rebalance_is_due(const carom_rebalance *balance, const carom_sim *sim);
// After a step for which it is due: deals nodes anew if that pays. Collective. Where memory is short the run goes on as it is.
// Fails only where the state cannot be brought to its time. sim->state may be another object afterwards.
carom_status carom_rebalance_run(carom_rebalance *balance, carom_sim *sim, carom_error *error);

#endif
