// SPDX-License-Identifier: MIT
// Theory: docs/theory/joints.md
// Checks the joints of rigid bodies in a model definition: that their bodies exist and are rigid, that axes and points are
// given where the kind of joint needs them, and that a single joint allows the initial velocity of its body.
#include "model/build/joints.h"

#include <math.h>
#include <string.h>

#include "math/mat3.h"
#include "model/rigid.h"
#include "model/schedule.h"

// Relative difference of velocities that is attributed to rounding.
static const double rounding = 1e-9;

static const char *const kinds[] = {"hinge", "ball", "slider", "cylinder", "planar", "upright", NULL};

// What to do if the body has a velocity that the joint with the ground does not allow.
static const char *const velocity_remedies[] = {
    ": remove `velocity`; `spin` along the axis moves the body",
    ": remove `velocity`; `spin` moves the body",
    ", which must be along the axis",
    ", which must be along the axis",
    ", which must be across the axis",
    "",
};

static bool has_point(carom_joint_kind kind) {
    return kind == CAROM_JOINT_HINGE || kind == CAROM_JOINT_BALL || kind == CAROM_JOINT_CYLINDER;
}

static bool has_axis(carom_joint_kind kind) {
    return kind != CAROM_JOINT_BALL && kind != CAROM_JOINT_UPRIGHT;
}

const carom_joint_def *carom_model_def_joint(const carom_model_def *def, const char *body) {
    for (int j = 0; j < def->joint_count; j++)
        if (strcmp(def->joints[j].body, body) == 0 || strcmp(def->joints[j].to, body) == 0)
            return &def->joints[j];
    return NULL;
}

const carom_joint_def *carom_model_def_hold(const carom_model_def *def, const char *body) {
    const carom_joint_def *only = NULL;
    for (int j = 0; j < def->joint_count; j++) {
        const carom_joint_def *joint = &def->joints[j];
        if (strcmp(joint->body, body) != 0 && strcmp(joint->to, body) != 0)
            continue;
        if (only || joint->driven || strcmp(joint->to, "ground") != 0)
            return NULL;
        only = joint;
    }
    return only;
}

// Checks which numbers a joint requires, and which it must not have.
static carom_status check_numbers(const carom_joint_def *joint, carom_error *error) {
    const struct {
        const char *name;
        const double *v;
        bool needed;
    } vectors[] = {{"at", joint->at, has_point(joint->kind)}, {"axis", joint->axis, has_axis(joint->kind)}};
    for (int i = 0; i < 2; i++) {
        bool given = !isnan(vectors[i].v[0]);
        if (given != vectors[i].needed)
            return carom_fail(error, CAROM_BAD_INPUT, "a joint of the kind %s %s `%s`", kinds[joint->kind],
                              given ? "must not have" : "needs", vectors[i].name);
    }
    if (joint->driven && joint->kind != CAROM_JOINT_HINGE && joint->kind != CAROM_JOINT_SLIDER)
        return carom_fail(error, CAROM_BAD_INPUT, "a joint of the kind %s has no motor: `speed` drives a hinge or a slider",
                          kinds[joint->kind]);
    if (!joint->driven && (joint->from > 0 || joint->until > 0 || joint->schedule.count || joint->schedule.ramp > 0))
        return carom_fail(error, CAROM_BAD_INPUT, "`from`, `until`, `ramp` and `history` of a motor require its `speed`");
    if (joint->driven && !isfinite(joint->speed))
        return carom_fail(error, CAROM_BAD_INPUT, "the speed of a motor is not finite");
    if (joint->driven && joint->until > 0 && !(joint->until > joint->from))
        return carom_fail(error, CAROM_BAD_INPUT, "motor: `until` (%g) must be greater than `from` (%g)", joint->until,
                          joint->from);
    if (joint->driven && carom_schedule_check(&joint->schedule, "motor", error))
        return CAROM_BAD_INPUT;
    if (has_axis(joint->kind) && !(carom_norm(joint->axis) > 0 && isfinite(carom_norm(joint->axis))))
        return carom_fail(error, CAROM_BAD_INPUT, "the axis of a joint has no direction");
    return CAROM_OK;
}

// Checks that a side of a joint is a rigid body.
static carom_status check_side(const carom_model_def *def, const char *name, carom_error *error) {
    const carom_body_def *body = NULL;
    for (int b = 0; b < def->body_count; b++)
        body = strcmp(def->bodies[b].name, name) == 0 ? &def->bodies[b] : body;
    if (!body)
        return carom_fail(error, CAROM_BAD_INPUT, "there is no body '%s' to join", name);
    if (!body->element.kind || !carom_body_def_is_rigid(body))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "joints need rigid bodies, and '%s' is not rigid: use `connections` to pin points of it to another body, "
            "or `restraints` to hold its nodes",
            name);
    return CAROM_OK;
}

carom_status carom_model_check_joints(const carom_model_def *def, carom_error *error) {
    for (int j = 0; j < def->joint_count; j++) {
        const carom_joint_def *joint = &def->joints[j];
        carom_status status = check_side(def, joint->body, error);
        if (!status && strcmp(joint->to, "ground") != 0)
            status = check_side(def, joint->to, error);
        if (!status && strcmp(joint->to, joint->body) == 0)
            status = carom_fail(error, CAROM_BAD_INPUT,
                                "body '%s' cannot be joined to itself: `to` names another body or `ground`", joint->body);
        if (!status)
            status = check_numbers(joint, error);
        if (status) {
            carom_error why = error ? *error : (carom_error){0};
            return carom_fail(error, status, CAROM_JOINT_MARK "%.900s", j, why.message);
        }
    }
    return CAROM_OK;
}

carom_status carom_model_check_hold(const carom_link_hub *hub, const carom_joint_def *joint, const carom_body_def *body,
                                    carom_error *error) {
    const double *velocity = body->velocity, *spin = body->spin;
    double moves[3], turns[3] = {0}, off[3];
    carom_mat3_apply((carom_const_vectors)hub->slide, velocity, moves);
    carom_difference(velocity, moves, off);
    if (carom_norm(off) > rounding * carom_norm(velocity))
        return carom_fail(error, CAROM_BAD_INPUT, "body '%s': a joint of the kind %s does not allow this velocity%s",
                          body->name, kinds[joint->kind], velocity_remedies[joint->kind]);
    if (hub->turns == 1)
        carom_add_scaled(carom_dot(hub->axis, spin), hub->axis, turns);
    carom_difference(spin, turns, off);
    if (hub->turns < 3 && carom_norm(off) > rounding * carom_norm(spin))
        return carom_fail(error, CAROM_BAD_INPUT, "body '%s': a joint of the kind %s does not allow this spin%s", body->name,
                          kinds[joint->kind], hub->turns == 0 ? "" : ", which must be along the axis");
    return CAROM_OK;
}
