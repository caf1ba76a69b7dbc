// SPDX-License-Identifier: MIT
// Theory: docs/theory/joints.md
// A joint with the ground leaves a body some motions of a hub, a point of the body, and some turns about it:
//
//     hinge      the hub stays, turns about an axis        slider    the hub moves along an axis, no turns
//     ball       the hub stays, all turns                  cylinder  the hub moves along the axis about which the body turns
//     planar     the hub moves across an axis, turns       upright   the hub moves anyhow, no turns
//                about it; the hub is the mass centre
//
// In all of them the energy is a sum of one of the hub and one of the rotation about it: either the hub stays or it does not
// matter where it is. So kicks and drifts remain those of a free body, about another point.
#include "model/build/joints.h"

#include <math.h>
#include <string.h>

#include "math/mat3.h"
#include "math/sym3.h"
#include "model/rigid.h"
#include "model/schedule.h"

// Velocities that differ by less than this part do so by rounding.
static const double rounding = 1e-9;

static const char *const kinds[] = {"hinge", "ball", "slider", "cylinder", "planar", "upright", NULL};

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

// What a joint needs, and what it has no use for.
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
                              given ? "has no" : "needs", vectors[i].name);
    }
    if (joint->driven && joint->kind != CAROM_JOINT_HINGE && joint->kind != CAROM_JOINT_SLIDER)
        return carom_fail(error, CAROM_BAD_INPUT, "a joint of the kind %s has no motor: `speed` drives a hinge or a slider",
                          kinds[joint->kind]);
    if (!joint->driven && (joint->from > 0 || joint->until > 0 || joint->schedule.count || joint->schedule.ramp > 0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "from, until and the schedule of a motor stand beside its `speed`, which is not given");
    if (joint->driven && !isfinite(joint->speed))
        return carom_fail(error, CAROM_BAD_INPUT, "the speed of a motor is not finite");
    if (joint->driven && joint->until > 0 && !(joint->until > joint->from))
        return carom_fail(error, CAROM_BAD_INPUT, "a motor is on from %g until %g, which is never", joint->from, joint->until);
    if (joint->driven && carom_schedule_check(&joint->schedule, "motor", error))
        return CAROM_BAD_INPUT;
    if (has_axis(joint->kind) && !(carom_norm(joint->axis) > 0 && isfinite(carom_norm(joint->axis))))
        return carom_fail(error, CAROM_BAD_INPUT, "the axis of a joint has no direction");
    return CAROM_OK;
}

// A side of a joint is a rigid body.
static carom_status check_side(const carom_model_def *def, const char *name, carom_error *error) {
    const carom_body_def *body = NULL;
    for (int b = 0; b < def->body_count; b++)
        body = strcmp(def->bodies[b].name, name) == 0 ? &def->bodies[b] : body;
    if (!body)
        return carom_fail(error, CAROM_BAD_INPUT, "there is no body '%s' to join", name);
    if (!body->element.kind || !carom_body_def_is_rigid(body))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "body '%s' is not rigid, and has no joints: `connections` pins points of it to another body, "
                          "`restraints` hold its nodes",
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

// Which motions a joint leaves.
static void find_freedom(const carom_joint_def *def, carom_joint *joint) {
    bool along = def->kind == CAROM_JOINT_SLIDER || def->kind == CAROM_JOINT_CYLINDER;
    bool across = def->kind == CAROM_JOINT_PLANAR, all = def->kind == CAROM_JOINT_UPRIGHT;
    joint->turns = def->kind == CAROM_JOINT_BALL                                         ? CAROM_TURNS_FREELY
                   : def->kind == CAROM_JOINT_SLIDER || def->kind == CAROM_JOINT_UPRIGHT ? CAROM_TURNS_NOT
                                                                                         : CAROM_TURNS_ABOUT_AXIS;
    if (has_axis(def->kind)) {
        carom_copy(def->axis, joint->axis);
        carom_normalize(joint->axis);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double a = joint->axis[i] * joint->axis[j], one = i == j;
            joint->slide[i][j] = along ? a : across ? one - a : all ? one : 0;
        }
}

// The inertia about the hub, a away from the mass centre, in space, in the order of sym3.h: R I R^T + M (a^2 - a a^T).
static void move_inertia(const carom_carrier *one, const double a[3], double inertia[6]) {
    static const int row_of[6] = {0, 1, 2, 0, 1, 0}, column_of[6] = {0, 1, 2, 1, 2, 2};
    for (int n = 0; n < 6; n++) {
        int i = row_of[n], j = column_of[n];
        inertia[n] = one->mass * ((i == j ? carom_dot(a, a) : 0) - a[i] * a[j]);
        for (int k = 0; k < 3; k++)
            inertia[n] += one->R[i][k] * one->inertia[k] * one->R[j][k];
    }
}

// The inertia about the mass centre, from its axes R and moments I to the axes Q.
static void turn_inertia(const double R[3][3], const double I[3], const double Q[3][3], double own[3][3]) {
    double T[3][3];
    carom_mat3_multiply_transposed(Q, R, T);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            own[i][j] = T[i][0] * I[0] * T[j][0] + T[i][1] * I[1] * T[j][1] + T[i][2] * I[2] * T[j][2];
}

// Refuses a velocity or spin that the joint does not leave.
static carom_status check_start(const carom_joint *joint, const carom_joint_def *def, const carom_body_def *body,
                                carom_error *error) {
    double moves[3], turns[3] = {0}, off[3];
    carom_mat3_apply((carom_const_vectors)joint->slide, body->velocity, moves);
    carom_difference(body->velocity, moves, off);
    if (carom_norm(off) > rounding * carom_norm(body->velocity))
        return carom_fail(error, CAROM_BAD_INPUT, "body '%s': a joint of the kind %s does not let it have this velocity%s",
                          body->name, kinds[def->kind],
                          joint->turns == CAROM_TURNS_NOT ? "" : "; its nodes move by `spin`, the angular velocity");
    if (joint->turns == CAROM_TURNS_ABOUT_AXIS)
        carom_add_scaled(carom_dot(joint->axis, body->spin), joint->axis, turns);
    carom_difference(body->spin, turns, off);
    if (joint->turns != CAROM_TURNS_FREELY && carom_norm(off) > rounding * carom_norm(body->spin))
        return carom_fail(error, CAROM_BAD_INPUT, "body '%s': a joint of the kind %s does not let it have this spin%s",
                          body->name, kinds[def->kind],
                          joint->turns == CAROM_TURNS_NOT ? "" : ", which must be along the axis");
    return CAROM_OK;
}

carom_status carom_model_hold_rigid(carom_model *model, const carom_joint_def *def, const carom_body_def *body,
                                    carom_carrier *one, carom_error *error) {
    carom_joint *joint = &one->joint;
    carom_rigid_mass found = {.mass = one->mass};
    double inertia[6], a[3], *hub = model->X[one->centre];
    *joint = (carom_joint){.there = true, .mass_node = one->centre - 1};
    find_freedom(def, joint);
    carom_copy(has_point(def->kind) ? def->at : model->X[joint->mass_node], hub);
    carom_difference(model->X[joint->mass_node], hub, a);
    move_inertia(one, a, inertia);
    carom_status status = carom_rigid_mass_axes(inertia, &found, error);
    if (status)
        return status;
    turn_inertia((carom_const_vectors)one->R, one->inertia, (carom_const_vectors)found.axes, joint->own);
    carom_copy(found.inertia, one->inertia);
    carom_mat3_copy((carom_const_vectors)found.axes, one->R);
    carom_mat3_apply_transposed((carom_const_vectors)one->R, joint->axis, joint->in_body);
    for (int i = 0; i < 3; i++)
        joint->about += joint->in_body[i] * joint->in_body[i] * one->inertia[i];
    return check_start(joint, def, body, error);
}
