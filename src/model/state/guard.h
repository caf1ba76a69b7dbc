// SPDX-License-Identifier: MIT
// Theory: docs/theory/guards.md
// Guards: bounds that a correct run never reaches. They are checked at steps and kicks, never at output, so a run that fails
// does so at the same step whatever it writes.
#ifndef CAROM_MODEL_STATE_GUARD_H
#define CAROM_MODEL_STATE_GUARD_H

#include "carom/status.h"
#include "model/state.h"
#include "model/state/group_energy.h"

// Values that guards keep between checks; part of the state, but not of its hash.
enum {
    CAROM_GUARD_SCALE,       // the largest energy so far that the ledger explains, less that of translation
    CAROM_GUARD_TRANSLATION, // kinetic energy of the mass centre along axes whose momentum nothing can change
    CAROM_GUARD_ROUNDING,    // energy of a motion by a few units in the last place of the positions in each step, plus
                             // rounding of the stored energy of rubber
    CAROM_GUARD_OSCILLATION, // of leapfrog at the start
    CAROM_GUARD_STRIKES,     // number of successive audits at which the ledger did not balance
    CAROM_GUARD_BALANCED,    // time of the last audit at which it did
    CAROM_GUARD_KINETIC,     // largest kinetic energy so far, relative to its bound
    CAROM_GUARD_RESIDUAL,    // largest unexplained energy at an audit so far, relative to the scale
    CAROM_GUARD_ROTATED,     // 1 + the element that CAROM_EVENT_LARGE_ROTATION counted
    CAROM_GUARD_ROTATED_AT,  // and its time
    CAROM_GUARD_PUSH,        // sqrt(sum |load|^2/m): dead loads change their energy by at most h sqrt(2 kinetic) times this
    CAROM_GUARD_EXTERNAL,    // potential of dead loads when it was last measured
    CAROM_GUARD_STRAY,       // bound of its change since then
    CAROM_GUARD_AGE,         // number of kicks since then
    CAROM_GUARD_COST,        // the largest contact loss at an audit so far
    CAROM_GUARD_UNASSIGNED,  // 1: a method outside the library has recorded losses or work, of no body in particular
    CAROM_GUARD_NUMBERS
};

carom_limits_of carom_guard_limits;

// Initialises the guards with the current state; `h` is the step, and `w` are the velocities after the first half kick of a
// leapfrog, or NULL.
void carom_guard_start(carom_state *state, const double (*w)[3], double h);

// Bounds the kinetic energy of velocities v by the positions and the ledger of the state. Internal energy is never negative, so
//
//     kinetic <= total(0) + work done - external - losses
//
// holds except for the error of the integrator. A tolerance of half as much again plus a tenth of the scale is added; beyond
// that CAROM_EVENT_ENERGY_GROWTH is counted, and with `stops` the call fails with CAROM_NUMERICAL. A kinetic energy that is not
// finite, or is absurdly large, always fails. The potential of dead loads is measured every few kicks and bounded from above
// between them: it is measured again only if the kinetic energy exceeds that bound. For nodes on a device (model/remote.h) sums
// are sufficient, unless the bound is exceeded.
carom_status carom_guard_kinetic(carom_state *state, const double (*v)[3], double h, bool stops, carom_error *error);

// Checks the same bound for velocities that are ahead of the positions by a fraction of a kick: if true, they need not be
// advanced to the time of the state. Otherwise nothing is recorded.
bool carom_guard_holds_ahead(carom_state *state, const double (*w)[3], double h);

// Raises the scale to the energy that this ledger row explains.
void carom_guard_take_scale(carom_state *state, const carom_ledger_row *row);

// (1/2) sum m |w - v|^2 = (h^2/8) f.M^-1 f: amplitude of the bounded energy oscillation of leapfrog, with w the velocities
// after a kick and v those at its midpoint.
double carom_guard_oscillation(const carom_state *state, const double (*w)[3]);

// Energy that elements have released below that of the reference.
double carom_guard_released(const carom_state *state);

// The unexplained energy of all bodies together: r, and `kept`, the same less the oscillation of the integrator.
carom_unexplained carom_guard_whole(const carom_state *state, double r, double kept);

// The unexplained energy of the group with the largest share (group_energy.h), or of all bodies if there is one group only; and
// the scale of the groups that have touched something. `w`: the velocities after the last kick of a leapfrog, or NULL.
// `records`: raises the scales of groups.
carom_unexplained carom_guard_find(carom_state *state, const carom_ledger_row *row, const double (*w)[3], bool records,
                                   double *touched);

// The energy that contact has added so far, from its accounts. It is false, and raises no energy scale.
double carom_guard_added(const carom_accounts *contact);

// The fraction of an energy scale that contact has added: the total contact loss is `cost` now, and was larger at an earlier
// audit.
double carom_guard_given(const carom_state *state, double cost, double scale);

// Audits the ledger. `cost` is the energy lost to impacts, friction and contact handling so far. If it has decreased by more
// than the unexplained energy, contact has *added energy. Returns the larger one, relative to its scale. It is a strike if more
// than `limit` is unexplained.
double carom_guard_audit(carom_state *state, const carom_unexplained *found, double cost, double scale, double limit,
                         bool *added);

// True if an audit would accept the state as one to return to.
bool carom_guard_balances(const carom_unexplained *found);

#endif
