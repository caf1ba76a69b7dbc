// SPDX-License-Identifier: MIT
// The positions at the end of a step, without overlap, by sequential quadratic programming:
//
//     min  (x - pre).M (x - pre)/h^2 + 2 beta (W(x) - load.x)   subject to measures >= 0 for all pairs of boundary simplices
//
// with the predicted positions pre, masses M, step h, stored energy W, and as measures signed areas or volumes of pairs, or
// their gaps. The set of pairs only grows within a step. Friction is found in each pass (one quadratic programme) by
// minimisation of its dissipation.
#ifndef CAROM_INTEGRATOR_NONSMOOTH_SQP_H
#define CAROM_INTEGRATOR_NONSMOOTH_SQP_H

#include "base/profile.h"
#include "carom/arena.h"
#include "contact/cones/cones.h"
#include "contact/simplex/violations.h"
#include "integrator/isolated.h"
#include "integrator/nonsmooth/implicit_bulk.h"
#include "model/model.h"

typedef struct carom_sqp_def {
    double beta;               // of Newmark's method; 0: the bulk is explicit
    bool at_end;               // contact forces along the gradients at the end of the step, not in its middle
    bool gap;                  // the measures are distances
    bool by_increment;         // friction opposes the slip over the step, not its rate at the end
    carom_violation_rule rule; // the face on which a node is held
    double softness;           // length / force of a penalty; 0: constraints
    double tolerance;          // of positions, relative to coordinates
    int passes;                // largest number of passes
} carom_sqp_def;

// Counts of work so far, for tests and benchmarks.
typedef struct carom_sqp_counts {
    int64_t solves, passes, iterations, factorisations; // sweeps and factorisations of the cones
    int64_t most_passes, most_pairs;                    // of one step
    int64_t forces;                                     // evaluations of all elements
} carom_sqp_counts;

// Start from {0}.
typedef struct carom_sqp {
    const carom_model *model;
    carom_sqp_def def;
    carom_arena *memory;         // of all arrays except the cones
    carom_restraints restraints; // restraints of the model, with the velocities of the present step
    const double (*v)[3];        // velocities at the beginning of the step, for friction
    double step;                 // its length
    carom_violations overlaps;
    carom_isolated isolated; // point masses and nodes of bars
    carom_cones_space *space;
    carom_implicit_bulk bulk; // beta > 0
    carom_sqp_counts counts;
    double *slots;
    double (*rest)[3]; // estimated positions at the end of the step without contact
    double (*p)[3];    // displacements by contact forces

    // the solution of a step
    double (*x)[3];
    carom_violation_set set; // the pairs; `cones`: the forces of each
    carom_cone *cones;
    double (*shifts)[2]; // per pair: added to its slip, so that friction has the direction of the middle of the step
    int64_t cone_capacity, shift_capacity;
    double (*contact)[3]; // forces of contact on all nodes
    int ambiguous;        // nodes for which two faces are equally suitable

    // forces of elements and loads on all nodes; the part of live loads, which change in time or act normal to moving faces
    double (*force)[3], (*live)[3];
    const carom_flow *flow; // evaluation of materials with history; NULL: CAROM_USE_READ
    carom_profile *profile; // of the stepper; may be NULL
} carom_sqp;

carom_status carom_sqp_create(const carom_model *model, const carom_sqp_def *def, carom_sqp *sqp, carom_error *error);
void carom_sqp_release(carom_sqp *sqp);

// Computes `force` and `live` at a time and positions.
void carom_sqp_forces(carom_sqp *sqp, double time, const double (*x)[3]);

// Solves a step of length h to the time `end`, from x0 with the predictor `pre`, whose restrained components are final.
// CAROM_NUMERICAL if the passes do not converge.
carom_status carom_sqp_solve(carom_sqp *sqp, double h, double end, const double (*x0)[3], const double (*pre)[3],
                             carom_error *error);

#endif
