// SPDX-License-Identifier: MIT
// The energy and momentum ledger. Impulses, losses and external work are recorded when they happen; energies and momenta are
// computed when a row is requested. The residual is the difference of the two: energy that no work, loss or known error of the
// method explains.
#ifndef CAROM_LEDGER_H
#define CAROM_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// One row of the ledger, at one time.
typedef struct carom_ledger_row {
    double time;        // of the state
    double kinetic;     // energy of motion
    double internal;    // energy stored in the elements
    double external;    // potential of gravity and constant dead loads, 0 at the start, less the work of other loads and of
                        // prescribed motion
    double friction;    // cumulative loss by friction, >= 0
    double restitution; // cumulative loss by restitution < 1, >= 0
    double projection;  // cumulative energy that contact handling itself took (positive) or gave (negative)
    double total;       // kinetic + internal + external
    double residual;    // total + friction + restitution + projection + damping + plasticity + viscosity - oscillation -
                        // total(0): unexplained energy
    double momentum[3]; // sum of m v
    double angular_momentum[3]; // about the origin
    int64_t contacts;           // contacts resolved in the last step
    double penetration;         // largest overlap of the accepted configuration, >= 0
    double damping;             // cumulative loss by the damping of bodies
    double oscillation;         // energy less the one that the method conserves, less the same at the start; 0 where a method
                                // has no such quantity
    double account;             // sum of the open accounts: energy errors of bounces that are still to be returned, > 0 if the
                                // bodies hold too much; part of the residual
    double largest_account;     // the largest that one of them ever was
    double plasticity;          // cumulative work of plastic flow, >= 0
    double viscosity;           // cumulative loss of viscous materials, >= 0
    double energy_ratio; // energies and losses over the energy at the start and the work done since; 1 where all of it is
                         // explained
} carom_ledger_row;

// The role of a column in the balance of energy: residual = total + losses - known - total at the start.
typedef enum carom_ledger_role {
    CAROM_LEDGER_OTHER,    // no part of it
    CAROM_LEDGER_PART,     // a part of the total
    CAROM_LEDGER_TOTAL,    // the sum of these parts
    CAROM_LEDGER_LOSS,     // cumulative, positive if the total has fallen by it
    CAROM_LEDGER_KNOWN,    // an error of the total that the method computes
    CAROM_LEDGER_RESIDUAL, // the unexplained rest
} carom_ledger_role;

// Which runs have a column.
typedef enum carom_ledger_presence {
    CAROM_LEDGER_ALWAYS,
    CAROM_LEDGER_DAMPED,    // if a body, a spring or the method damps
    CAROM_LEDGER_INELASTIC, // if a material has history
} carom_ledger_presence;

// A column of history.csv, which is also a member of the ledger in summary.json.
typedef struct carom_ledger_column {
    const char *name;
    const char *label; // for tables and figures
    const char *unit;  // "time", "energy", "momentum", "angular_momentum", "length"; "" of a plain number
    carom_ledger_role role;
    carom_ledger_presence presence;
    bool integer;  // an int64_t; otherwise a double
    size_t offset; // of its value in carom_ledger_row
} carom_ledger_column;

// All columns, in the order of history.csv.
CAROM_API const carom_ledger_column *carom_ledger_columns(int *count);

CAROM_API double carom_ledger_value(const carom_ledger_row *row, const carom_ledger_column *column);

// The sum of the columns of a role.
CAROM_API double carom_ledger_sum(const carom_ledger_row *row, carom_ledger_role role);

// The contact history of two bodies.
typedef struct carom_pair_record {
    int body[2];          // the two sides; a second one below 0 is plane -1 - body[1]
    int64_t events;       // impulses exchanged
    double first_contact; // time of the first impulse
    double last_contact;  // time of the last impulse
    double impulse;       // sum of the normal impulses
    double approach;      // closing speed of the mass centres along the normal before the first impulse, > 0 if closing
    double normal[3];     // of the first impulse
    double separation;    // opening speed of the mass centres after the last impulse; 0 until they have separated
    int64_t last_step;    // step of the last impulse
    double push[3];       // sum of the impulses on the first body, friction included; undefined for a body with itself
    double peak_force;    // largest mean normal force over a force window of the run (carom_sim_force_window)
    double peak_time;     // end of that window; 0 if there was no force
    double contact_time;  // total length of the windows in which the pair touched
    double moment[3];     // sum of the moments of those impulses on the first body, about the point of the load cell if one of
                          // the two is an obstacle, else about the origin
} carom_pair_record;

// Numerical events, counted.
typedef enum carom_event {
    CAROM_EVENT_NOT_FINITE,        // a position or velocity is not a finite number
    CAROM_EVENT_CONTACT_SETTLED,   // a node had so many impacts at one time that all contacts around it were settled together
    CAROM_EVENT_CONTACT_HELD,      // an endless cascade of impacts was ended: its nodes moved as one rigid body for a step
    CAROM_EVENT_UNSTABLE_STEP,     // the step is larger than the stable one, at the start or, once, for deformed bodies
    CAROM_EVENT_INVERTED,          // an element is inverted although its law forbids it
    CAROM_EVENT_CONTACT_MISSED,    // surfaces passed each other in a step by more than contact could see
    CAROM_EVENT_LOST_STABILITY,    // of a static analysis: an equilibrium became unstable, or the next needs a jump
    CAROM_EVENT_CONTACT_AMBIGUOUS, // a node hit two equally suitable faces at once: the further motion is not unique
    CAROM_EVENT_ENERGY_GROWTH,     // kinetic energy far above its bound from the ledger: the motion is unstable
    CAROM_EVENT_UNBALANCED, // more energy than carom_time_def.energy_error allows was unexplained at two successive audits of
                            // the ledger or at the end, or was added by contact
    CAROM_EVENT_LARGE_ROTATION, // counted once: an element of the law `linear`, which is right for small rotations only, has
                                // turned by more than ten degrees. Never ends a run
    CAROM_EVENT_COUNT           // how many kinds there are
} carom_event;

// The effect of a numerical event on a run.
typedef enum carom_on_event {
    CAROM_ON_EVENT_STOP, // a numerical event ends the run; the state before it is kept
    CAROM_ON_EVENT_WARN, // it is counted and reported
} carom_on_event;

// Accounts of dissipated energy.
typedef enum carom_loss {
    CAROM_LOSS_FRICTION,    // sliding at contacts
    CAROM_LOSS_RESTITUTION, // impacts with a restitution below 1
    CAROM_LOSS_PROJECTION,  // contact handling itself; negative where it gave energy
    CAROM_LOSS_DAMPING,     // damping of bodies
} carom_loss;

// The name of an event in summaries and messages: "not_finite", ...
CAROM_API const char *carom_event_name(carom_event event);

#ifdef __cplusplus
}
#endif
#endif
