// SPDX-License-Identifier: MIT
// Placement of a mesh by a list of steps (scale, turn, move ...) in any order; carom_placement has one of each in a fixed
// order.
#ifndef CAROM_MESH_STEPS_H
#define CAROM_MESH_STEPS_H

#include "carom/mesh.h"

// What one step does.
typedef enum carom_place_action {
    CAROM_PLACE_SCALE,             // by the factors `vector`, each > 0, about the origin
    CAROM_PLACE_TURN,              // about the axis `vector` through `point` by `angle`
    CAROM_PLACE_TURN_ABOUT_CENTER, // about the axis `vector` through the mass centre by `angle`
    CAROM_PLACE_MOVE,              // by `vector`
    CAROM_PLACE_CENTER,            // until the mass centre is at `vector`
    CAROM_PLACE_ON_PLANE,          // along the normal `vector` of the plane through `point`, until the nearest node is `gap`
                                   // in front of it
} carom_place_action;

typedef struct carom_place_step {
    carom_place_action action;
    double vector[3]; // an axis or a normal has any length but zero
    double point[3];
    double angle; // degrees, counter-clockwise seen from the tip of the axis
    double gap;
} carom_place_step;

// The mass centre of a mesh with at least one node, of uniform density: that of the volume of its cells or, if none of them is
// solid, of their area or length, or of its points.
void carom_mesh_center(const carom_mesh *mesh, double center[3]);

// Like carom_mesh_place, with further steps between the translation and the array: copies keep their spacing.
void carom_mesh_place_steps(carom_mesh *mesh, const carom_placement *placement, const carom_place_step *steps, int step_count,
                            int copy);

#endif
