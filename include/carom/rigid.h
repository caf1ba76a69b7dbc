// SPDX-License-Identifier: MIT
// Rigid bodies: a mesh of any cells with faces, with six degrees of freedom (docs/theory/rigid.md).
//
// The nodes of such a body have no masses of their own. It has an additional last node at its mass centre, which has all of its
// mass and is selected by the set "center".
#ifndef CAROM_RIGID_H
#define CAROM_RIGID_H

#include <stdbool.h>

#include "carom/param.h"

#ifdef __cplusplus
extern "C" {
#endif

// Parameters of the element `rigid`.
typedef struct carom_rigid_params {
    double density;     // mass / length^3 of the inside of a closed surface; NaN: the mass is given
    double mass;        // NaN: that of the density. Without a density it fills the inside, or covers an open surface, evenly
    double offset[3];   // length; the mass centre from that of the shape
    double inertia[3];  // mass length^2; the diagonal of the inertia matrix about the mass centre; zero: that of the shape
    double products[3]; // mass length^2; its entries xy, yz, xz
} carom_rigid_params;

struct carom_model;
struct carom_state;

// The index of a body among the rigid bodies, or -1 if it is not rigid.
CAROM_API int carom_model_rigid(const struct carom_model *model, int body);

// Rotations of the rigid bodies, whose columns are the principal axes in space, and their angular velocities in space; in the
// order of the model, NULL if there are none.
CAROM_API const double (*carom_state_rotations(const struct carom_state *state))[3][3];
CAROM_API const double (*carom_state_angular_velocities(const struct carom_state *state))[3];

// The motion of a rigid body or obstacle.
typedef struct carom_rigid_motion {
    double centre[3];           // its mass centre; of an obstacle the point of its axis or load cell
    double velocity[3];         // of that point
    double rotation[3];         // since the start: the axis in space times the angle in radians, from 0 to pi
    double angular_velocity[3]; // in space
    double momentum[3];         // NaN for obstacles, as is the angular momentum
    double angular_momentum[3]; // about the mass centre, in space
} carom_rigid_motion;

// Fills *motion for a rigid body or an obstacle; false for any other.
CAROM_API bool carom_state_rigid_motion(const struct carom_state *state, int body, carom_rigid_motion *motion);

#ifdef __cplusplus
}
#endif
#endif
