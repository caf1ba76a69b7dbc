// SPDX-License-Identifier: MIT
// Where obstacles are: their motion in closed form (docs/theory/obstacles.md).
#ifndef CAROM_MODEL_MOTION_OBSTACLE_MOTION_H
#define CAROM_MODEL_MOTION_OBSTACLE_MOTION_H

#include "model/model.h"

// A pose at one time: x = centre + turned (X - point), for a shape between two of its shapes.
typedef struct carom_placed {
    double turn[3][3];
    double centre[3];   // where the point of the axis is
    double velocity[3]; // of that point
    double spin[3];     // angular velocity
    int shape;          // the first of two shapes; -1: that of the reference
    double weight;      // of the second
    double pace;        // rate of that weight
} carom_placed;

// The motion of an obstacle with the nodes X of its mesh, with memory of the arena.
carom_status carom_pose_create(const carom_body_def *def, carom_arena *arena, carom_pose *pose, carom_error *error);

carom_placed carom_pose_at(const carom_pose *pose, double time);

// Position and velocity of a node, the one of that number in its body and with that reference position.
void carom_placed_position(const carom_pose *pose, const carom_placed *placed, int number, const double X[3], double x[3]);
void carom_placed_velocity(const carom_pose *pose, const carom_placed *placed, int number, const double X[3], double v[3]);

// Where the point of the load cell is.
void carom_placed_cell(const carom_pose *pose, const carom_placed *placed, double x[3]);

// Obstacles of the model get their poses, and their nodes restraints of three directions, which exist by now.
carom_status carom_model_add_poses(carom_model *model, const carom_model_def *def, carom_error *error);

// The velocities of obstacles at a time, or on the straight way from x (NULL: from their places at `time`) to their places a
// time `h` later.
void carom_model_pose_velocities(const carom_model *model, double time, carom_restraint *restraints);
void carom_model_pose_chords(const carom_model *model, double time, double h, const double (*x)[3],
                             carom_restraint *restraints);

// The way of a node of an obstacle from the reference to a time.
void carom_model_pose_path(const carom_model *model, int restraint, double time, double way[3]);

// What flies with obstacles on straight lines from `time` on, for a time `h`.
carom_carry carom_model_carry(const carom_model *model, double time, double h);

uint64_t carom_model_poses_hash(uint64_t h, const carom_model *model);

#endif
