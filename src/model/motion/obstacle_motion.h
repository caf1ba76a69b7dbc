// SPDX-License-Identifier: MIT
// Positions and velocities of obstacles: their motion in closed form (docs/theory/obstacles.md).
#ifndef CAROM_MODEL_MOTION_OBSTACLE_MOTION_H
#define CAROM_MODEL_MOTION_OBSTACLE_MOTION_H

#include "model/model.h"

// The pose of an obstacle at one time: x = centre + turn (X - point), where X is interpolated between two of its shapes.
typedef struct carom_placed {
    double turn[3][3];
    double centre[3];   // position of the point of the axis
    double velocity[3]; // of that point
    double spin[3];     // angular velocity
    int shape;          // index of the first of two shapes; -1: the shape of the reference
    double weight;      // weight of the second shape
    double pace;        // rate of that weight
} carom_placed;

// Creates the motion of an obstacle with the nodes X of its mesh, with memory of the arena.
carom_status carom_pose_create(const carom_body_def *def, carom_arena *arena, carom_pose *pose, carom_error *error);

carom_placed carom_pose_at(const carom_pose *pose, double time);

// Position and velocity of a node, given its number in its body and its reference position.
void carom_placed_position(const carom_pose *pose, const carom_placed *placed, int number, const double X[3], double x[3]);
void carom_placed_velocity(const carom_pose *pose, const carom_placed *placed, int number, const double X[3], double v[3]);

// Position of the reference point of the load cell.
void carom_placed_cell(const carom_pose *pose, const carom_placed *placed, double x[3]);

// Builder: gives the obstacles of the model their poses, and their nodes, which exist, restraints in three directions.
carom_status carom_model_add_poses(carom_model *model, const carom_model_def *def, carom_error *error);

// Velocities of obstacles: at a time, or along the straight line from x (NULL: from their positions at `time`) to their
// positions at `time` + h.
void carom_model_pose_velocities(const carom_model *model, double time, carom_restraint *restraints);
void carom_model_pose_chords(const carom_model *model, double time, double h, const double (*x)[3],
                             carom_restraint *restraints);

// The displacement of a node of an obstacle from the reference to a time.
void carom_model_pose_path(const carom_model *model, int restraint, double time, double displacement[3]);

// The velocity field that moves points along with obstacles, whose nodes move on straight lines from `time` to `time` + h.
carom_carry carom_model_carry(const carom_model *model, double time, double h);

uint64_t carom_model_poses_hash(uint64_t h, const carom_model *model);

#endif
