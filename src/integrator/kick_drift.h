// SPDX-License-Identifier: MIT
// The inside of carom_kick_drift (carom/stepper.h): kicks and drifts of all nodes with carom's contact inside.
#ifndef CAROM_INTEGRATOR_KICK_DRIFT_H
#define CAROM_INTEGRATOR_KICK_DRIFT_H

#include "carom/stepper.h"
#include "integrator/contact_space.h"
#include "integrator/contact_step.h"
#include "integrator/newmark_kick.h"
#include "integrator/search.h"
#include "integrator/tie_repay.h"

// What happens to bodies that meet.
typedef enum carom_kick_drift_contact {
    CAROM_KICK_DRIFT_FREE,    // they pass through each other
    CAROM_KICK_DRIFT_CONTACT, // as `contact.resolve` says; drifts with bounces are run twice
    CAROM_KICK_DRIFT_KINKED,  // impacts happen inside the drift, whatever `contact.resolve` says, and drifts are run until the
                              // forces at their ends are known
} carom_kick_drift_contact;

// Oscillation of leapfrog: at the start of the run, and that of a kick with its time, which a state that is read from a file
// cannot find again where materials have history.
enum { CAROM_OSCILLATION_START, CAROM_OSCILLATION_TIME, CAROM_OSCILLATION_NOTED, CAROM_OSCILLATION_NUMBERS };

struct carom_kick_drift {
    carom_stepper *stepper;
    bool contact;              // bodies touch; without it search and contact_step are unused
    carom_newmark_kick kick;   // forces, restraints and w
    carom_resident resident;   // motion that stays on a device
    carom_tie_repay ties;      // impulses of ties, and what they owe to elastic impacts
    carom_contact_space space; // where contact happens
    carom_search search;
    carom_contact_step contact_step;
    bool exchange_velocities; // several processes share the model, and velocities of ghosts are read
    bool untold;              // the hits of the starting kick precede any observer and have not been reported
    bool owed;                // the last drift had the length of the step, and no kick has followed it

    // time covered by the drifts of one step; valid only for this attempt and step number
    double drifted;
    int64_t drifted_attempt, drifted_step;

    carom_vectors start;    // positions at the start of a drift, and
    carom_vectors end_kick; // kicks at its end, for further passes; NULL if nothing bounces
    int passes;             // how often a drift with bounces is run
    carom_vectors other; // forces of the kick that have no potential, ties included; NULL if there are none, or nothing bounces
    double forces_time;  // time of the forces in `kick`
    double energies_time; // and of the energies; NaN once positions have left them
    double *oscillation;  // CAROM_OSCILLATION_START and on; part of the state
    bool oscillates;      // the ledger shows the oscillation: forces are linear, or bodies bounce and the return of energy
                          // errors rests on it. For other nonlinear bodies, which may spin, the energy itself is the steadier
    bool divided;         // a step has been divided: bodies are deformed a lot, and the oscillation is that of many lengths
    bool leaps;           // the last kick was a whole one of leapfrog
    bool audited;         // bodies are nonlinear: accounts are compared with the residual now and then
};

// carom_kick_drift_create in memory of the caller, which must not move. Close in any case.
carom_status carom_kick_drift_open(carom_kick_drift *nodes, carom_stepper *stepper, carom_state *state,
                                   carom_kick_drift_contact contact, carom_error *error);
void carom_kick_drift_close(carom_kick_drift *nodes);

// carom_kick_drift_kick in two calls, for drifts of unequal length. The forces at the positions of the state; then the kick
// between a drift of length `last` and one of length `next`, whose hits are reported at the end of `step`.
void carom_kick_drift_find_forces(carom_kick_drift *nodes, carom_state *state);
carom_status carom_kick_drift_kick_between(carom_kick_drift *nodes, carom_state *state, double last, double next, int64_t step,
                                           carom_error *error);

// The three parts of carom_kick_drift_drift. Begin: forgets the hits of the step before, and sets the prescribed velocities of
// the drift. Fly: moves all nodes through their impacts. Book: the impacts.
void carom_kick_drift_begin(carom_kick_drift *nodes, carom_state *state, double h);
// Begin, for a further drift of the same step.
void carom_kick_drift_begin_part(carom_kick_drift *nodes, carom_state *state, double h);
carom_status carom_kick_drift_fly(carom_kick_drift *nodes, carom_state *state, double h, carom_error *error);
void carom_kick_drift_book(carom_kick_drift *nodes, carom_state *state);

// The time that the drifts of the present step have covered.
double carom_kick_drift_drifted(const carom_kick_drift *nodes, const carom_state *state);

// A drift of length `step` that begins at `time`, and the kick at one end of it, as contact sees them.
carom_contact_interval carom_kick_drift_interval(const carom_kick_drift *nodes, const carom_state *state, double time,
                                                 double step);
// Contact answers a kick of length h at `time`, after a drift of length `last`: the energy error of impacts in that is repaid,
// and touching bodies are kept from closing.
carom_status carom_kick_drift_answer(carom_kick_drift *nodes, carom_state *state, double time, double h, double last,
                                     carom_error *error);

// Takes what contact needs of the state, where several processes share the model.
void carom_kick_drift_enter_space(carom_kick_drift *nodes, const carom_state *state);

// The velocities of the state after a kick of which `after` acts later; false if one of them is not finite, in any process.
bool carom_kick_drift_find_velocities(carom_kick_drift *nodes, carom_state *state, double after);

// The forces on a node that have no potential: live loads, drag and viscous forces. Before the kick there is no drag. And those
// that have one: of elements and dead loads.
void carom_kick_drift_other(const carom_newmark_kick *kick, int node, bool kicked, double force[3]);
void carom_kick_drift_conservative(const carom_newmark_kick *kick, int node, bool kicked, double force[3]);

// The energy at the time of the last kick less the energy that leapfrog conserves.
double carom_kick_drift_leap_oscillation(carom_kick_drift *nodes, const carom_state *state);

// The energy of the state less the energy that leapfrog conserves, less the same at the start, whatever the bodies.
double carom_kick_drift_oscillation(carom_kick_drift *nodes, const carom_state *state);
// At the end of a step: compares the accounts of bouncing pairs with the residual, every 64 steps.
void carom_kick_drift_audit(carom_kick_drift *nodes, carom_state *state);

#endif
