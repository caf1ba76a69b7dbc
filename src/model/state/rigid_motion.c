// SPDX-License-Identifier: MIT
// Theory: docs/theory/rigid.md
// Motion of rigid bodies and obstacles for output, computed from the state without changing it.
#include <math.h>

#include "math/turn_vector.h"
#include "model/model.h"
#include "model/motion/obstacle_motion.h"
#include "model/rigid.h"
#include "model/state.h"
#include "model/state/ledger.h"

static void of_rigid(const carom_state *state, int r, carom_rigid_motion *motion) {
    const carom_rigid_body *one = &state->model->rigid.items[r];
    double turned[3][3];
    int node = one->mass_node;
    carom_copy(state->x[node], motion->centre);
    carom_copy(carom_state_velocities(state)[node], motion->velocity);
    // Q = R R0^T: Q_ij = sum over k of R_ik R0_jk
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            turned[i][j] = carom_dot(state->turned[r][i], one->R[j]);
    carom_turn_vector((carom_const_vectors)turned, motion->rotation);
    carom_copy(state->turn_rate[r], motion->angular_velocity);
    for (int i = 0; i < 3; i++)
        motion->momentum[i] = one->mass * motion->velocity[i];
    carom_rigid_turning(state, r, motion->angular_momentum);
}

static void of_obstacle(const carom_state *state, const carom_pose *pose, carom_rigid_motion *motion) {
    carom_placed placed = carom_pose_at(pose, state->time);
    carom_copy(placed.centre, motion->centre);
    carom_copy(placed.velocity, motion->velocity);
    carom_turn_vector((carom_const_vectors)placed.turn, motion->rotation);
    carom_copy(placed.spin, motion->angular_velocity);
    for (int i = 0; i < 3; i++)
        motion->momentum[i] = motion->angular_momentum[i] = NAN;
}

bool carom_state_rigid_motion(const carom_state *state, int body, carom_rigid_motion *motion) {
    const carom_poses *poses = &state->model->poses;
    int r = carom_model_rigid(state->model, body);
    if (r >= 0)
        of_rigid(state, r, motion);
    else if (carom_poses_has(poses, body))
        of_obstacle(state, &poses->items[poses->of_body[body]], motion);
    else
        return false;
    return true;
}
