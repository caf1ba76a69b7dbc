// SPDX-License-Identifier: MIT
// A slab is the part of space and time between two time levels. It has one discrete Lagrangian, and so one velocity, one
// momentum and one energy; positions and forces belong to its levels.
//
// Level j, after a slab of length h-, and level j + 1, after the next slab of length h, are related by the discrete
// Euler-Lagrange equations. For a node of mass m at x, with velocity w- of the slab before and force f here, and with a contact
// impulse J,
//
//     m (w - w-) = (h- + h)/2 f + J,     x' = x + h w.
//
// A node with a frame has the pose g = (R, x), inertia JJ = diag(I1, I2, I3, m, m, m), body velocity xi = (spin, w) and, with
// the Cayley map tau of math/se3.h,
//
//     mu = P + (h- + h)/2 f + (0, R^T J),     mu = (dtau^-1_{h xi})^* JJ xi,     g' = g tau(h xi),     P' = Ad*_{tau(h xi)} mu.
//
// The second of these is solved by Newton's method, node by node. The energy of the slab, minus the derivative of its
// Lagrangian by its length, is E = K(w) + (V(x) + V(x'))/2. A slab of length 0 at the start makes the equations begin with the
// velocities there.
#ifndef CAROM_INTEGRATOR_MULTISYMPLECTIC_SLAB_H
#define CAROM_INTEGRATOR_MULTISYMPLECTIC_SLAB_H

#include "carom/arena.h"
#include "integrator/multisymplectic/ghost.h"
#include "model/state/ledger.h"

// A time level and the slab before it. Arrays over all nodes; R, spin, P and moment are NULL in a model without frames.
typedef struct carom_level {
    double time;
    double h;            // length of the slab before
    double (*x)[3];      // positions
    double (*w)[3];      // velocity of the slab before; in the axes of the node where it has a frame
    double (*force)[3];  // at x; in the axes of the node where it has a frame
    double (*R)[3][3];   // frames
    double (*spin)[3];   // angular velocity of the slab before, in the axes of the node
    double (*P)[6];      // momentum of the slab before, angular and linear, in the axes of the node
    double (*moment)[3]; // at R, in the axes of the node
} carom_level;

// A model for slabs, with scratch memory.
typedef struct carom_slabs {
    const carom_model *model;
    const carom_ghosts *ghosts;     // of contact time integrator 2, or NULL
    double *closed;                 // per candidate: 1 while its ghosts press; part of the state
    bool switches;                  // ghosts press wherever their gap is negative, whatever `closed` says
    const carom_observer *observer; // receives impacts
    double (*z)[3];                 // positions for the elements (carom_ghosts_stretch)
    double *slots;
    double *energies;
    carom_arena *memory; // of these arrays, levels and lists
} carom_slabs;

carom_status carom_slabs_create(const carom_model *model, const carom_ghosts *ghosts, double *closed, carom_slabs *slabs,
                                carom_error *error);
void carom_slabs_release(carom_slabs *slabs);

// Reserves the arrays of a level with the slabs; *enough becomes false if memory is short.
carom_level carom_level_reserve(const carom_slabs *slabs, bool *enough);

// The candidates that can move, with ghosts where there are any.
typedef struct carom_watched {
    int count;
    int *candidate;
    double *softness; // of each
} carom_watched;

// Lists them in the memory of the slabs; false if it is short.
bool carom_watched_reserve(const carom_slabs *slabs, carom_watched *watched);

// Moves all nodes from one level through a slab of length h, without contact; positions, velocities and momenta of `to` are
// filled, forces are not.
void carom_slabs_advance(const carom_slabs *slabs, const carom_level *from, double h, carom_level *to);
// The same for the nodes of one contact, with the normal impulse `lambda` at the level `from`.
void carom_slabs_push(const carom_slabs *slabs, const carom_level *from, double h, const carom_contact *contact, double lambda,
                      carom_level *to);
// The same for one node with any impulse; NULL: none.
void carom_slabs_push_node(const carom_slabs *slabs, const carom_level *from, double h, int node, const double J[3],
                           carom_level *to);
// Fills the forces of a level.
void carom_slabs_force(const carom_slabs *slabs, carom_level *level);

// The gap of a candidate, between the ghosts if there are any.
double carom_slabs_gap(const carom_slabs *slabs, int candidate, const carom_level *level);
// Its opening rate in the slab before.
double carom_slabs_rate(const carom_slabs *slabs, int candidate, const carom_level *level);

// Energies: of motion in the slab before; stored, and of the loads (0 at the reference positions), at the level.
double carom_slabs_kinetic(const carom_slabs *slabs, const carom_level *level);
double carom_slabs_internal(const carom_slabs *slabs, const carom_level *level);
double carom_slabs_external(const carom_slabs *slabs, const carom_level *level);

// The start of the slab that ends at `level`: positions and frames of `before` are filled.
void carom_slabs_go_back(const carom_slabs *slabs, const carom_level *level, carom_level *before);
// Momenta of the slab before.
void carom_slabs_momenta(const carom_slabs *slabs, const carom_level *level, double linear[3], double angular[3]);

// The record of a normal impulse at a level; the impulse of a plane is external.
carom_hit carom_slabs_hit(const carom_slabs *slabs, int candidate, double lambda, const carom_level *level);

// Records external impulses between `from` and `to`, of loads and restraints, and the impulses of closed ghosts. The impulses
// of contacts are recorded as hits by the caller; `lambda` are those of `count` candidates, part of the reactions of
// restraints.
void carom_slabs_book(const carom_slabs *slabs, carom_state *state, const carom_level *from, const carom_level *to, int count,
                      const int *candidates, const double *lambda);

#endif
