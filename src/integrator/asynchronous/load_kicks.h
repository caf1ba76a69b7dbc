// SPDX-License-Identifier: MIT
// Live loads, which change in time or act normal to moving faces. Like an element they kick their nodes with their own step.
#ifndef CAROM_INTEGRATOR_ASYNCHRONOUS_LOAD_KICKS_H
#define CAROM_INTEGRATOR_ASYNCHRONOUS_LOAD_KICKS_H

#include "integrator/asynchronous/flight.h"

// Start from {0}. Without live loads all functions but `create` are unused.
typedef struct carom_load_kicks {
    carom_flight *flight;
    double step;         // time between two kicks: the shortest step of the elements at loaded nodes
    double *number;      // kicks so far; part of the state, like `force` and `place`
    carom_vectors force; // per loaded node: load at the last kick
    carom_vectors place; // per loaded node: its position then
    carom_vectors live;  // per node: present load
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

// The work of the load on loaded node number i, from its position at the last kick to x; its present load is in `live`.
double carom_load_kicks_work(const carom_load_kicks *loads, int i, const double x[3]);

#endif
