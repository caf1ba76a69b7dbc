// SPDX-License-Identifier: MIT
// The internals of carom_kick_drift (carom/stepper.h): kicks and drifts of all nodes, contact included.
#ifndef CAROM_INTEGRATOR_KICK_DRIFT_H
#define CAROM_INTEGRATOR_KICK_DRIFT_H

#include "carom/stepper.h"
#include "integrator/contact_space.h"
#include "integrator/contact_step.h"
#include "integrator/newmark_kick.h"
#include "integrator/search.h"
#include "integrator/tie_repay.h"

// How contact is resolved.
typedef enum carom_kick_drift_contact {
    CAROM_KICK_DRIFT_FREE,    // not at all: bodies pass through each other
    CAROM_KICK_DRIFT_CONTACT, // as `contact.resolve` says; drifts with bounces are run twice
    CAROM_KICK_DRIFT_KINKED,  // inside the drift, whatever `contact.resolve` says; drifts with bounces are run three times, and
                              // the forces at their ends are extrapolated
} carom_kick_drift_contact;

// Numbers of `oscillation`: that at the start of the run, and the time and the value of the last one. The value is stored since
// it cannot be found again from a state that is read from a file if materials have history.
enum { CAROM_OSCILLATION_START, CAROM_OSCILLATION_TIME, CAROM_OSCILLATION_NOTED, CAROM_OSCILLATION_NUMBERS };

struct carom_kick_drift {
    carom_stepper *stepper;
    bool contact;              // bodies touch; without it search and contact_step are unused
    carom_newmark_kick kick;   // forces, restraints and w
    carom_resident resident;   // motion that stays on a device
    carom_tie_repay ties;      // impulses of ties, and the correction of elastic impacts on tied nodes
    carom_contact_space space; // positions and velocities that contact reads and changes
    carom_search search;
    carom_contact_step contact_step;
    bool exchange_velocities;  // several processes share the model, and velocities of ghosts are read
    bool initial_hits_pending; // the hits of the starting kick precede any observer and have not been reported
    bool kick_pending;         // the last drift had the length of the step, and no kick has followed it

    // time covered by the drifts of one step; valid only for this attempt and step number
    double drifted;
    int64_t drifted_attempt, drifted_step;

    carom_vectors start;    // positions at the start of a drift, and
    carom_vectors end_kick; // kicks at its end, for further passes; NULL if nothing bounces
    int passes;             // how often a drift with bounces is run
    carom_vectors other; // forces of the kick that have no potential, ties included; NULL if there are none, or nothing bounces
    double forces_time;  // time of the forces in `kick`
    double energies_time;    // time of the energies in `kick`; NaN once positions have changed
    double *oscillation;     // CAROM_OSCILLATION_NUMBERS numbers; part of the state
    bool oscillates;         // the ledger shows the oscillation: forces are linear, or bodies bounce and the return of energy
                             // errors relies on it. For other nonlinear bodies, which may spin, the energy itself varies less
    bool divided;            // a step has been divided: the oscillation, which depends on the step, is then shown as well
    bool last_kick_was_full; // between two whole drifts, as in leapfrog
    bool audited;            // bodies are nonlinear: accounts are compared with the residual every 64 steps
};

// Like carom_kick_drift_create, but in memory of the caller, which must not move. Close in any case.
carom_status carom_kick_drift_open(carom_kick_drift *nodes, carom_stepper *stepper, carom_state *state,
                                   carom_kick_drift_contact contact, carom_error *error);
void carom_kick_drift_close(carom_kick_drift *nodes);

// carom_kick_drift_kick in two calls, for drifts of unequal length: finds the forces at the positions of the state; then kicks
// between a drift of length `last` and one of length `next`. Hits are reported at the end of `step`.
void carom_kick_drift_find_forces(carom_kick_drift *nodes, carom_state *state);
carom_status carom_kick_drift_kick_between(carom_kick_drift *nodes, carom_state *state, double last, double next, int64_t step,
                                           carom_error *error);

// The three stages of carom_kick_drift_drift. Begin: forgets the hits of the step before, and sets the prescribed velocities of
// the drift. Fly: moves all nodes and resolves their impacts. Book: records the impacts in the ledger.
void carom_kick_drift_begin(carom_kick_drift *nodes, carom_state *state, double h);
// The first stage for a further drift of the same step.
void carom_kick_drift_begin_part(carom_kick_drift *nodes, carom_state *state, double h);
carom_status carom_kick_drift_fly(carom_kick_drift *nodes, carom_state *state, double h, carom_error *error);
void carom_kick_drift_book(carom_kick_drift *nodes, carom_state *state);

// The time that the drifts of the present step have covered.
double carom_kick_drift_drifted(const carom_kick_drift *nodes, const carom_state *state);

// The contact interval of a drift of length `step` that begins at `time`, and of the kick at one end of it.
carom_contact_interval carom_kick_drift_interval(carom_kick_drift *nodes, const carom_state *state, double time, double step);
// The contact impulses at a kick of length h at `time`, after a drift of length `last`: the energy error of impacts in the
// drift is repaid, and touching bodies are kept from closing.
carom_status carom_kick_drift_answer(carom_kick_drift *nodes, carom_state *state, double time, double h, double last,
                                     carom_error *error);

// Gathers what contact needs of the state, if several processes share the model.
void carom_kick_drift_enter_space(carom_kick_drift *nodes, const carom_state *state);

// Finds the velocities of the state after a kick, of which the fraction `after` acts later; false if one of them is not finite,
// in any process.
bool carom_kick_drift_find_velocities(carom_kick_drift *nodes, carom_state *state, double after);

// The forces on a node that have no potential: live loads, viscous forces and, if `kicked`, drag. And those that have one: of
// elements and dead loads.
void carom_kick_drift_other(const carom_newmark_kick *kick, int node, bool kicked, double force[3]);
void carom_kick_drift_conservative(const carom_newmark_kick *kick, int node, bool kicked, double force[3]);

// The energy at the time of the last kick less the energy that leapfrog conserves.
double carom_kick_drift_leap_oscillation(carom_kick_drift *nodes, const carom_state *state);

// The energy of the state less the energy that leapfrog conserves, relative to its value at the start; also for bodies whose
// ledger does not show it.
double carom_kick_drift_oscillation(carom_kick_drift *nodes, const carom_state *state);
// At the end of a step: compares the accounts of bouncing pairs with the residual, every 64 steps.
void carom_kick_drift_audit(carom_kick_drift *nodes, carom_state *state);

#endif
