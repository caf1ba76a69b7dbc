// SPDX-License-Identifier: MIT
// Theory: docs/theory/guards.md
// Guards: bounds that a sound run never reaches. They are looked at with steps and kicks, never with output, so a run that
// fails does so at the same step whatever is written.
#ifndef CAROM_MODEL_STATE_GUARD_H
#define CAROM_MODEL_STATE_GUARD_H

#include "carom/status.h"
#include "model/state.h"

// What guards remember, part of the state but not of its hash.
enum {
    CAROM_GUARD_SCALE,       // the largest energy so far that the books explain
    CAROM_GUARD_ROUNDING,    // energy of a motion by a few units in the last place of the positions in each step, and the
                             // rounding of energies that rubber stores
    CAROM_GUARD_OSCILLATION, // of leapfrog at the start
    CAROM_GUARD_STRIKES,     // audits in succession at which the books did not balance
    CAROM_GUARD_BALANCED,    // time of the last audit at which they did
    CAROM_GUARD_KINETIC,     // largest kinetic energy so far, in units of its bound
    CAROM_GUARD_RESIDUAL,    // largest unexplained energy at an audit so far, in units of the scale
    CAROM_GUARD_ROTATED,     // 1 + the element that CAROM_EVENT_LARGE_ROTATION counted
    CAROM_GUARD_ROTATED_AT,  // the time of it
    CAROM_GUARD_PUSH,        // sqrt(sum |load|^2/m): dead loads change their energy by at most h sqrt(2 kinetic) times this
    CAROM_GUARD_EXTERNAL,    // energy of dead loads when it was last measured
    CAROM_GUARD_STRAY,       // how far it may have gone since
    CAROM_GUARD_AGE,         // kicks since then
    CAROM_GUARD_COST,        // the most that contact has cost at an audit so far
    CAROM_GUARD_NUMBERS
};

// Starts the memory of the guards at the present state; `h` is the step.
void carom_guard_start(carom_state *state, double h);

// Bounds the kinetic energy of velocities v at the positions and books of the state. Internal energy is never negative, so
//
//     kinetic <= total(0) + work done - external - losses
//
// holds but for the error of the integrator. Half as much again and a tenth of the scale are allowed; beyond that
// CAROM_EVENT_ENERGY_GROWTH is counted, and with `stops` the call fails with CAROM_NUMERICAL. A kinetic energy that is not
// finite, or beyond any use, always fails. The energy of dead loads is measured every few kicks, and estimated from above
// between them: only a kinetic energy that the estimate does not allow is worth another measurement. Of nodes that a device has
// (model/remote.h) sums are enough, unless the bound is met.
carom_status carom_guard_kinetic(carom_state *state, const double (*v)[3], double h, bool stops, carom_error *error);

// The bound for velocities that are ahead of the positions by part of a kick: true if it holds for them as well, so that
// nobody need bring them to the time of the state. Otherwise nothing is noted.
bool carom_guard_holds_ahead(carom_state *state, const double (*w)[3], double h);

// The scale grows with what the books of a row explain.
void carom_guard_take_scale(carom_state *state, const carom_ledger_row *row);

// (1/2) sum m |w - v|^2 = (h^2/8) f.M^-1 f: the energy by which leapfrog oscillates about the one it keeps, with w the
// velocities after a kick and v those in the middle of it.
double carom_guard_oscillation(const carom_state *state, const double (*w)[3]);

// The part of the energy scale that contact has given: the cost of contact is `cost` now, and was more at an audit before.
double carom_guard_given(const carom_state *state, double cost);

// An audit of the books: r is the energy that they do not explain, r_kept the same less the oscillation of the integrator; the
// smaller one counts. `cost` is the energy that impacts, friction and contact handling took so far. If it has fallen, by more
// than is unexplained, contact has *added energy. Returns the larger one, over the scale.
double carom_guard_audit(carom_state *state, double r, double r_kept, double cost, bool *added);

// The smaller of both over the scale; 0 if it is below rounding.
double carom_guard_unexplained(const carom_state *state, double r, double r_kept);

// Whether an audit would leave a state to return to; notes nothing.
bool carom_guard_balances(const carom_state *state, double r, double r_kept);

#endif
