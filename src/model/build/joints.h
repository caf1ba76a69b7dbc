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

// Holds a rigid body by its joint: inertia and axes of `one`, which are those about its mass centre, come to refer to the hub.
// Nodes of the body are in place, and the last two are those of mass centre and hub. Fails if the body moves at the start as
// the joint forbids.
carom_status carom_model_hold_rigid(carom_model *model, const carom_joint_def *joint, const carom_body_def *body,
                                    carom_carrier *one, carom_error *error);

#endif
