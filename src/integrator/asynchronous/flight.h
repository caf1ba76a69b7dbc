// SPDX-License-Identifier: MIT
// Nodes in flight. Between two events each node has a constant velocity, so its position is evaluated only when it is needed.
//
// In a step that begins at the time `begin`, node k is at x_k + t w_k, with t counted from `begin`. A velocity change dw at t
// keeps the position at t: w += dw, x -= t dw. At the end of the step, of length h, x becomes x + h w.
#ifndef CAROM_INTEGRATOR_ASYNCHRONOUS_FLIGHT_H
#define CAROM_INTEGRATOR_ASYNCHRONOUS_FLIGHT_H

#include <string.h>

#include "contact/restraint.h"
#include "integrator/asynchronous/kicks.h"
#include "math/vec3.h"
#include "model/state/ledger.h"

// Kinds of kicks that are counted.
enum { CAROM_COUNT_ELEMENT, CAROM_COUNT_LOAD, CAROM_COUNT_CONTACT, CAROM_COUNTS };

typedef struct carom_flight {
    const carom_model *model;
    carom_state *state;             // whose ledger is updated
    const carom_observer *observer; // receives impacts
    double begin, step;             // of the present step
    double (*x)[3];                 // as above; the array of the state
    double (*w)[3];                 // part of the state
    carom_restraints restraints;    // restraints of the model, with the velocities of the present step of the run
    // per restraint: its prescribed velocity at the beginning and at the end of the step of the run; NULL if none is driven
    double (*driven)[2][3];
    double from, length; // begin and length of the step of the run
    double dead[2][3];   // impulse and angular impulse of dead loads that are not recorded yet
    carom_mobility mobility;
    carom_kicks kicks;
    double *counts; // per kind of kick; part of the state
} carom_flight;

// Position of a node at time t of the step.
static inline void carom_flight_place(const carom_flight *flight, int node, double t, double x[3]) {
    for (int i = 0; i < 3; i++)
        x[i] = flight->x[node][i] + t * flight->w[node][i];
}

// The prescribed velocity of a restraint at a time of the run, for the work of its reaction. Its node itself has the velocity
// of the middle of the step during the whole step.
static inline void carom_flight_driven(const carom_flight *flight, const carom_restraint *restraint, double time,
                                       double velocity[3]) {
    carom_copy(restraint->velocity, velocity);
    if (!flight->driven)
        return;
    const double(*ends)[3] = (carom_const_vectors)flight->driven[restraint - flight->restraints.items];
    double part = (time - flight->from) / flight->length;
    for (int i = 0; i < 3; i++)
        velocity[i] = (1 - part) * ends[0][i] + part * ends[1][i];
}

// Velocity change of a node by a unit force during h; 0 if the node is tied to a rigid body, which takes the force.
static inline double carom_flight_ease(const carom_flight *flight, int node, double h) {
    return flight->model->mass[node] > 0 ? h / flight->model->mass[node] : 0;
}

// Gives a node an impulse at time t. The reaction of a restraint is an external impulse and is recorded.
static inline void carom_flight_give(carom_flight *flight, int node, const double impulse[3], double t) {
    double m = flight->model->mass[node], dw[3] = {impulse[0] / m, impulse[1] / m, impulse[2] / m};
    const carom_restraint *restraint = carom_restraint_of(&flight->restraints, node);
    if (restraint) {
        double place[3], reaction[3], free[3], velocity[3];
        carom_copy(dw, free);
        carom_restraint_project(restraint, dw);
        for (int i = 0; i < 3; i++)
            reaction[i] = m * (dw[i] - free[i]);
        carom_flight_place(flight, node, t, place);
        carom_flight_driven(flight, restraint, flight->begin + t, velocity);
        carom_ledger_record_external(flight->state, place, reaction, (const double[3]){0}, carom_dot(reaction, velocity));
    }
    carom_add_scaled(1, dw, flight->w[node]);
    carom_add_scaled(-t, dw, flight->x[node]);
}

// Records the dead loads of many kicks as one sum: the small terms one by one would be lost in the rounding of the recorded
// totals.
static inline void carom_flight_book(carom_flight *flight) {
    if (flight->model->loaded)
        carom_ledger_record_external(flight->state, (const double[3]){0}, flight->dead[0], flight->dead[1], 0);
    memset(flight->dead, 0, sizeof flight->dead);
}

// An element kicks its nodes, which are at q, with its forces f during the time h, together with its part of the dead loads,
// which are to be recorded after the last kick at one time (carom_flight_book). Nodes tied to rigid bodies are skipped.
static inline void carom_flight_kick(carom_flight *flight, const int *nodes, int count, double h, const double (*f)[3],
                                     const double (*q)[3], double t) {
    const carom_model *model = flight->model;
    for (int a = 0; a < count; a++) {
        int k = nodes[a];
        // the common case, and the innermost loop of a run
        if (!model->loaded && !flight->restraints.of_node) {
            double c = h / model->mass[k];
            for (int d = 0; d < 3; d++) {
                double dw = c * f[a][d];
                flight->w[k][d] += dw;
                flight->x[k][d] -= t * dw;
            }
            continue;
        }
        double impulse[3], load[3], moment[3];
        if (!(model->mass[k] > 0))
            continue;
        for (int d = 0; d < 3; d++) {
            load[d] = h * flight->kicks.share[k] * model->load[k][d];
            impulse[d] = h * f[a][d] + load[d];
        }
        if (model->loaded) {
            carom_cross(q[a], load, moment);
            carom_add_scaled(1, load, flight->dead[0]);
            carom_add_scaled(1, moment, flight->dead[1]);
        }
        carom_flight_give(flight, k, impulse, t);
    }
}

#endif
