// SPDX-License-Identifier: MIT
// Joints of rigid bodies with the ground or with each other (docs/theory/joints.md).
#ifndef CAROM_MODEL_BUILD_JOINTS_H
#define CAROM_MODEL_BUILD_JOINTS_H

#include "model/model.h"

// Begins a message on one of several joints, with its number in the definition.
#define CAROM_JOINT_MARK "joints[%d]: "

// Refuses joints of bodies that are not there or are not rigid, and joints that lack an axis or a point, with the mark.
carom_status carom_model_check_joints(const carom_model_def *def, carom_error *error);

// The first joint of a body, or NULL.
const carom_joint_def *carom_model_def_joint(const carom_model_def *def, const char *body);

// The joint of a body that has one with the ground and no other, and no motor: its `velocity` is that of the point of the
// joint, about which it spins. NULL: it is none of these.
const carom_joint_def *carom_model_def_hold(const carom_model_def *def, const char *body);

// Refuses a velocity or spin of a body that such a joint does not leave.
carom_status carom_model_check_hold(const carom_link_hub *hub, const carom_joint_def *joint, const carom_body_def *body,
                                    carom_error *error);

#endif
