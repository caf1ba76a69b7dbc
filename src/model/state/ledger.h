// SPDX-License-Identifier: MIT
// The energy and momentum ledger: functions that integrators call when energy or momentum changes.
#ifndef CAROM_MODEL_STATE_LEDGER_H
#define CAROM_MODEL_STATE_LEDGER_H

#include "contact/response.h"
#include "model/state.h"

// Called for each contact impulse as it is recorded, with the step that the impulse belongs to. It must not change the state.
typedef struct carom_observer {
    void (*hit)(void *context, const carom_state *state, const carom_hit *hit, int64_t step);
    void *context;
} carom_observer;

// Kinetic, internal and external energy and the momenta of a row, from positions and velocities. The work of prescribed motion
// and of live loads is not part of this external energy. `energies` are those of the elements at the positions of the state;
// NULL: they are computed.
void carom_ledger_measure(const carom_state *state, double *energies, carom_ledger_row *row);

// Completes a row of measured energies and momenta (carom_ledger_measure, or the definition of an integrator) with everything
// that the ledger has recorded: losses, external work, total, residual, contacts, penetration.
carom_ledger_row carom_ledger_complete(const carom_state *state, const carom_ledger_row *measured);

// Clears the ledger and records energy and momenta of the state as the initial ones.
void carom_ledger_open(carom_state *state);

// Records the initial energy and momenta again, after an integrator has changed their definition or the initial state.
void carom_ledger_restart(carom_state *state, const carom_ledger_row *measured);

// Records contact impulses (hits). Those inside a drift have happened (`after` = 0); of those of a kick at the current time,
// the fraction `after` acts on the time that follows (1/2 for a kick between two steps, 1 for the first half kick). `step` is
// the step at whose end they are reported; `observer` may be NULL.
void carom_ledger_record_hits(carom_state *state, const carom_observer *observer, const carom_hit *hits, int count,
                              double after, int64_t step);

// Reports hits that were recorded before the observer was set: those of the first half kick. Records nothing.
void carom_ledger_report_hits(const carom_state *state, const carom_observer *observer, const carom_hit *hits, int count);

// Records the pressure of a persistent contact: like a hit that has happened, but not counted as an event.
void carom_ledger_record_pressure(carom_state *state, const carom_observer *observer, const carom_hit *hit);

// Records momentum supplied from outside at the position x: an impulse, a couple, and the work of prescribed motion.
void carom_ledger_record_external(carom_state *state, const double x[3], const double impulse[3], const double couple[3],
                                  double work);

// The same for a kick, with the moment about the origin; the fraction `late` of it acts on the time that follows.
void carom_ledger_record_impulse(carom_state *state, const double impulse[3], const double moment[3], double work, double late);

// Sets the velocity w of a restrained node at x to the prescribed one, and records the impulse, whose work is that at the mean
// of the velocities before and after. Moving an obstacle requires no impulse.
void carom_ledger_impose(carom_state *state, const carom_restraint *restraint, const double x[3], double w[3]);

// Sums of a kick over nodes.
enum {
    CAROM_KICK_IMPULSE,
    CAROM_KICK_MOMENT = CAROM_KICK_IMPULSE + 3,
    CAROM_KICK_WORK = CAROM_KICK_MOMENT + 3,
    CAROM_KICK_DAMPING,
    CAROM_KICK_SUMS
};

// A kick of length h at the positions of the state, contact included: external impulses, and damping.
typedef struct carom_kick {
    double h;
    double after;                // the fraction of it that acts on the time that follows
    const double (*w_before)[3]; // velocities before and after
    const double (*w)[3];
    const double (*reaction)[3]; // impulse of restraint r on its node
    const double (*live)[3];     // live loads on the nodes that have any
    const double (*drag)[3];     // forces of mass damping, and of stiffness damping; NULL if the model has none
    const double (*viscous)[3];
    const int *nodes; // the nodes whose dead loads and damping are to be summed; NULL: all
    int node_count;
    const carom_exact *device_sums; // CAROM_KICK_SUMS of the nodes on a device; NULL: none
} carom_kick;

// Records a kick. Work is evaluated at the mean of the velocities before and after: the change of kinetic energy due to each
// force is exact. Clears what was pending from the previous kick.
void carom_ledger_record_kick(carom_state *state, const carom_kick *kick);

// True if a pair of bodies has separated in this step, so that its separation speed must be recorded and velocities are needed.
bool carom_ledger_has_partings(const carom_state *state);

// Records the separation speed of pairs whose last impulse was in the previous step; to be called at the end of each step.
void carom_ledger_note_partings(carom_state *state);

// The energy of the pending part of the records: work from outside less losses.
double carom_ledger_pending(const carom_state *state);

// Energy and momentum supplied from outside up to the time of the state, and all losses: recorded less pending.
carom_accounts carom_ledger_accounts(const carom_state *state);

// The velocity of the mass centre of a body, from the velocities w of its nodes, of all processes; that of a plane, whose
// number is below 0, is zero.
void carom_body_velocity(const carom_model *model, int body, const double (*w)[3], double velocity[3]);

// The energy of rotation of rigid body r at the time of the state, and its angular momentum l about its centre.
double carom_rigid_turning(const carom_state *state, int r, double l[3]);

#endif
