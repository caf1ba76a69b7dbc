// SPDX-License-Identifier: MIT
// Queries and checks of the joints in a model definition, of rigid bodies with the ground or with each other
// (docs/theory/joints.md).
#ifndef CAROM_MODEL_BUILD_JOINTS_H
#define CAROM_MODEL_BUILD_JOINTS_H

#include "model/model.h"

// Begins a message about one of several joints, with its number in the definition.
#define CAROM_JOINT_MARK "joints[%d]: "

// Refuses joints of bodies that do not exist or are not rigid, and joints that lack an axis or a point; messages begin with the
// mark.
carom_status carom_model_check_joints(const carom_model_def *def, carom_error *error);

// The first joint of a body, or NULL.
const carom_joint_def *carom_model_def_joint(const carom_model_def *def, const char *body);

// The joint of a body that has one joint, with the ground, and no motor: its `velocity` is then that of the point of the joint,
// about which it rotates. NULL: the body has no joint, several joints, one with another body, or a motor.
const carom_joint_def *carom_model_def_hold(const carom_model_def *def, const char *body);

// Refuses a velocity or spin of a body that such a joint does not allow.
carom_status carom_model_check_hold(const carom_link_hub *hub, const carom_joint_def *joint, const carom_body_def *body,
                                    carom_error *error);

#endif
