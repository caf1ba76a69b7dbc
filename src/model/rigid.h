// SPDX-License-Identifier: MIT
// Rigid bodies of a model: mass, centre of mass and principal axes computed from their surfaces (docs/theory/rigid.md).
#ifndef CAROM_MODEL_RIGID_H
#define CAROM_MODEL_RIGID_H

#include "element/line/rigid.h"
#include "math/sym3.h"
#include "math/vec3.h"
#include "model/model.h"

// The node set that selects the mass centre of a rigid body.
#define CAROM_CENTRE_SET "center"

// Mass, centre of mass and inertia of a body.
typedef struct carom_rigid_mass {
    double mass;
    double centre[3];
    double inertia[3]; // principal moments about the centre
    double axes[3][3]; // columns: principal axes, a rotation
} carom_rigid_mass;

// Mass properties of the surface of a mesh with these parameters. Fails on an open surface without a given mass, on both
// density and mass or neither, and on an inertia that is impossible.
carom_status carom_rigid_mass_find(const carom_mesh *mesh, const carom_rigid_params *params, carom_rigid_mass *found,
                                   carom_error *error);

// Principal moments and axes of an inertia matrix, in the order of sym3.h.
carom_status carom_rigid_mass_axes(const double inertia[6], carom_rigid_mass *found, carom_error *error);

// Adds the inertia of a point mass M at r, in the order of sym3.h: M (r^2 - r r^T).
static inline void carom_rigid_add_point(double inertia[6], double mass, const double r[3]) {
    for (int i = 0; i < 9; i++)
        if (i / 3 <= i % 3)
            inertia[carom_sym3_place[i]] += mass * ((i % 4 == 0 ? carom_dot(r, r) : 0) - r[i / 3] * r[i % 3]);
}

// True if the body is rigid.
static inline bool carom_body_def_is_rigid(const carom_body_def *body) {
    return carom_element_is_rigid((const carom_element *)body->element.kind);
}

// Allocates the rigid bodies of a definition, once nodes are counted.
carom_status carom_model_reserve_rigid(carom_model *model, const carom_model_def *def, carom_error *error);
// Number of nodes of the next body in addition to those of its mesh: one at the centre of mass of a rigid body, and another if
// joints connect it.
int carom_model_rigid_nodes(const carom_model *model, const carom_body_def *body);
// Adds a rigid body. The nodes of its mesh have positions; this function sets those of the additional ones.
carom_status carom_model_add_rigid(carom_model *model, const carom_body_def *def, carom_body *body, carom_error *error);

// The step in which no rigid body rotates by more than 0.2 rad at its initial angular velocity; HUGE_VAL: none rotates.
double carom_model_turn_step(const carom_model *model);

// The mass of a node: its own, or the mass that it adds to the rigid body it is tied to.
static inline double carom_model_node_mass(const carom_model *model, int node) {
    return model->mass[node] == 0 && model->rigid.brought ? model->rigid.brought[node] : model->mass[node];
}

// Builder: refuses what rigid bodies do not support: restraints, connections, damping.
carom_status carom_model_check_rigid(carom_model *model, const carom_model_def *def, carom_error *error);

#endif
