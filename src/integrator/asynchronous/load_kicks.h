// SPDX-License-Identifier: MIT
// Live loads, which change in time or follow faces, as one more element: they kick their nodes with a step of their own.
#ifndef CAROM_INTEGRATOR_ASYNCHRONOUS_LOAD_KICKS_H
#define CAROM_INTEGRATOR_ASYNCHRONOUS_LOAD_KICKS_H

#include "integrator/asynchronous/flight.h"

// Start from {0}. Without live loads all functions but `create` are unused.
typedef struct carom_load_kicks {
    carom_flight *flight;
    double step;         // time between two kicks: the shortest step of the elements at loaded nodes
    double *number;      // kicks so far; part of the state, as are the next two
    carom_vectors force; // per loaded node: load at the last kick
    carom_vectors place; // per loaded node: where it was then
    carom_vectors live;  // per node: load at present
    carom_vectors x;     // per node: scratch, positions of loaded nodes at a kick
} carom_load_kicks;

// Registers what must survive a restart; other memory comes from the arena.
carom_status carom_load_kicks_create(carom_load_kicks *loads, carom_flight *flight, carom_arena *arena, carom_error *error);

// The time up to which loads have kicked, from the start of the run.
double carom_load_kicks_covered(const carom_load_kicks *loads);

// The loads at time t of the flight, in `live`, and their positions in `x`.
void carom_load_kicks_find(carom_load_kicks *loads, double t);

// A kick of all live loads for the time h, at time t of the flight.
void carom_load_kicks_kick(carom_load_kicks *loads, double h, double t);

// The work of loaded node number i, whose present load is in `live`, on its way from the place of the last kick to x.
double carom_load_kicks_work(const carom_load_kicks *loads, int i, const double x[3]);

#endif
