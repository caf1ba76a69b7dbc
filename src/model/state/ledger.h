// SPDX-License-Identifier: MIT
// Keeping the books: what integrators call when something happens to energy or momentum.
#ifndef CAROM_MODEL_STATE_LEDGER_H
#define CAROM_MODEL_STATE_LEDGER_H

#include "contact/response.h"
#include "model/state.h"

// Hears of each impulse of contact as it is booked, with the step that the impulse belongs to. It reads and changes nothing.
typedef struct carom_observer {
    void (*hit)(void *context, const carom_state *state, const carom_hit *hit, int64_t step);
    void *context;
} carom_observer;

// Kinetic, internal and external energy and the momenta of a row, from positions and velocities. The work of prescribed motion
// and of live loads is not part of this external energy. `energies` are those of the elements at the positions of the state,
// where they are known; NULL: they are computed.
void carom_ledger_measure(const carom_state *state, double *energies, carom_ledger_row *row);

// A row with the energies and momenta that were measured (carom_ledger_measure, or an integrator's own definition) and
// everything that the books hold: losses, external work, total, residual, contacts, penetration.
carom_ledger_row carom_ledger_complete(const carom_state *state, const carom_ledger_row *measured);

// Clears the books and writes down energy and momenta of the state as those of the start.
void carom_ledger_open(carom_state *state);

// Writes down initial energy and momenta anew, after an integrator has changed their definition or the initial state.
void carom_ledger_restart(carom_state *state, const carom_ledger_row *measured);

// Books impulses exchanged by contacts. Hits inside a drift have happened (`after` = 0); those of a kick at the current time
// act with the share `after` on the time that follows (1/2 for a kick between two steps, 1 for the first half kick). `step` is
// the step at whose end they are reported; `observer` may be NULL.
void carom_ledger_book_hits(carom_state *state, const carom_observer *observer, const carom_hit *hits, int count, double after,
                            int64_t step);

// Reports hits that were booked before the observer was there: those of the first half kick. Books nothing.
void carom_ledger_report_hits(const carom_state *state, const carom_observer *observer, const carom_hit *hits, int count);

// Books the pressure of a contact that lasts: like a hit that has happened, but it is no event of its own.
void carom_ledger_book_pressure(carom_state *state, const carom_observer *observer, const carom_hit *hit);

// Books momentum from outside at the position x: an impulse, a couple, and the work that prescribed motion did.
void carom_ledger_book_outside(carom_state *state, const double x[3], const double impulse[3], const double couple[3],
                               double work);

// The same of a kick, with the moment about the origin; `late` of it acts on the time to come.
void carom_ledger_book_kicked(carom_state *state, const double impulse[3], const double moment[3], double work, double late);

// Takes the velocity w of a restrained node at x to the prescribed one, and books the impulse, which works on the mean of the
// velocities before and after. Nothing is needed to move an obstacle.
void carom_ledger_impose(carom_state *state, const carom_restraint *restraint, const double x[3], double w[3]);

// The sums of a kick over nodes.
enum {
    CAROM_KICK_IMPULSE,
    CAROM_KICK_MOMENT = CAROM_KICK_IMPULSE + 3,
    CAROM_KICK_WORK = CAROM_KICK_MOMENT + 3,
    CAROM_KICK_DAMPING,
    CAROM_KICK_SUMS
};

// A kick of length h at the positions of the state, contact included: what acted from outside, and what damping took.
typedef struct carom_kick {
    double h;
    double after;                // the share of it that acts on the time to come
    const double (*w_before)[3]; // velocities before and after
    const double (*w)[3];
    const double (*reaction)[3]; // impulse that restraint r gave to its node
    const double (*live)[3];     // live loads on the nodes that have any
    const double (*drag)[3];     // forces of mass damping, and of stiffness damping; NULL if the model has none
    const double (*viscous)[3];
    const int *nodes; // the nodes of dead loads and damping that the arrays have; NULL: all
    int node_count;
    const carom_exact *elsewhere; // CAROM_KICK_SUMS of the others; NULL: none
} carom_kick;

// Books a kick. Work is measured at the mean of the velocities before and after: the change of kinetic energy by each force is
// exact. Forgets what was pending from the kick before.
void carom_ledger_book_kick(carom_state *state, const carom_kick *kick);

// Whether any pair has parted in this step, so that its separation speed is due and velocities are needed.
bool carom_ledger_has_partings(const carom_state *state);

// Notes how fast the bodies part whose last impulse was in the step before; to be called at the end of each step.
void carom_ledger_note_partings(carom_state *state);

// The energy that the pending part of what was booked brings: work from outside less losses.
double carom_ledger_pending(const carom_state *state);

// Energy and momentum that came from outside until the time of the state, and all losses: booked less pending.
carom_accounts carom_ledger_accounts(const carom_state *state);

// The velocity of the mass centre of a body by the velocities w of its nodes, of all processes; planes, with numbers below 0,
// stand still.
void carom_body_velocity(const carom_model *model, int body, const double (*w)[3], double velocity[3]);

// The energy of rotation of rigid body r at the time of the state, and its angular momentum l about its centre.
double carom_rigid_turning(const carom_state *state, int r, double l[3]);

#endif
