// SPDX-License-Identifier: MIT
// Theory: docs/theory/joints.md
// Builds the linkages: rigid bodies that joints hold together, and the rows (scalar constraints) of these joints. With an axis
// e and two directions n1, n2 across it, all fixed in both bodies as they are placed, the constraints and their number are:
//
//     ball       the points of both bodies coincide           3
//     hinge      the same, and e.n1 = e.n2 = 0                5
//     cylinder   the point stays on the axis, e.n1 = e.n2 = 0 4
//     slider     the same, and no relative rotation           5
//     planar     the point stays in the plane, e.n1 = e.n2 = 0  3
//     upright    no relative rotation                         3
//
// A kind without a point uses the mass centre of the first body.
#include "model/build/builders.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/disjoint_sets.h"
#include "base/hash.h"
#include "math/mat3.h"
#include "math/turn.h"
#include "model/build/joints.h"
#include "model/rigid.h"
#include "model/schedule.h"

// Relative size of velocities violating a joint that is attributed to rounding.
static const double rounding = 1e-9;

enum { ROWS_OF_JOINT = 6 };

// The number of the rigid body with that name; -1: the ground.
static int rigid_named(const carom_model *model, const char *name) {
    for (int r = 0; r < model->rigid.count; r++)
        if (strcmp(model->bodies[model->rigid.items[r].body].name, name) == 0)
            return r;
    return -1;
}

// One joint while its rows are assembled.
typedef struct fitting {
    const carom_model *model;
    const carom_joint_def *def;
    int joint;
    int body[2], seat[2];
    double point[3];
    double frame[3][3]; // e, n1, n2
    carom_link_row *rows;
    int count;
} fitting;

// Transforms a direction in space to the axes of the body on side s.
static void seen_from(const fitting *f, int s, const double v[3], double seen[3]) {
    if (f->body[s] < 0)
        carom_copy(v, seen);
    else
        carom_mat3_apply_transposed((carom_const_vectors)f->model->rigid.items[f->body[s]].R, v, seen);
}

static carom_link_row *add_row(fitting *f, carom_link_kind kind, const double e[3], const double n[3]) {
    carom_link_row *row = &f->rows[f->count++];
    *row = (carom_link_row){.kind = kind, .joint = f->joint, .motor = -1, .body = {f->seat[0], f->seat[1]}};
    for (int s = 0; s < 2; s++) {
        double arm[3];
        carom_copy(f->point, arm);
        if (f->body[s] >= 0)
            carom_difference(f->point, f->model->X[f->model->rigid.items[f->body[s]].centre], arm);
        seen_from(f, s, arm, row->at[s]);
        const double *along = s ? n : e;
        if (along)
            seen_from(f, s, along, row->along[s]);
    }
    return row;
}

// Completes a first direction to an orthonormal frame: by the coordinate axis least parallel to it, so that the frame is the
// same on every machine.
static void find_frame(const double axis[3], double frame[3][3]) {
    carom_copy(axis, frame[0]);
    carom_normalize(frame[0]);
    int least = 0;
    for (int i = 1; i < 3; i++)
        least = fabs(frame[0][i]) < fabs(frame[0][least]) ? i : least;
    const double unit[3] = {least == 0, least == 1, least == 2};
    carom_cross(frame[0], unit, frame[1]);
    carom_normalize(frame[1]);
    carom_cross(frame[0], frame[1], frame[2]);
}

// Adds the row that a motor drives: along the axis of a slider, about that of a hinge.
static void add_motor_row(fitting *f) {
    bool straight = f->def->kind == CAROM_JOINT_SLIDER;
    carom_link_row *row = add_row(f, straight ? CAROM_LINK_OFFSET : CAROM_LINK_TURN, NULL, f->frame[straight ? 0 : 1]);
    row->motor = f->joint;
    for (int s = 0; s < 2 && !straight; s++)
        seen_from(f, s, f->frame[0], row->at[s]);
}

// Appends the rows of a joint.
static void add_rows(fitting *f) {
    static const double plain[3] = {0, 0, 1};
    carom_joint_kind kind = f->def->kind;
    bool axial = kind != CAROM_JOINT_BALL && kind != CAROM_JOINT_UPRIGHT;
    bool placed = kind == CAROM_JOINT_BALL || kind == CAROM_JOINT_HINGE;
    find_frame(axial ? f->def->axis : plain, f->frame);
    if (isnan(f->def->at[0]))
        carom_copy(f->model->X[f->model->rigid.items[f->body[0]].centre], f->point);
    else
        carom_copy(f->def->at, f->point);
    for (int i = 0; placed && i < 3; i++)
        add_row(f, CAROM_LINK_POINT, NULL, NULL)->direction = i;
    if (kind == CAROM_JOINT_PLANAR)
        add_row(f, CAROM_LINK_OFFSET, NULL, f->frame[0]);
    for (int i = 1; (kind == CAROM_JOINT_SLIDER || kind == CAROM_JOINT_CYLINDER) && i < 3; i++)
        add_row(f, CAROM_LINK_OFFSET, NULL, f->frame[i]);
    if (kind == CAROM_JOINT_SLIDER || kind == CAROM_JOINT_UPRIGHT) {
        for (int i = 0; i < 3; i++)
            add_row(f, CAROM_LINK_ANGLE, f->frame[i], f->frame[(i + 1) % 3]);
    } else if (kind != CAROM_JOINT_BALL) {
        for (int i = 1; i < 3; i++)
            add_row(f, CAROM_LINK_ANGLE, f->frame[0], f->frame[i]);
    }
    if (f->def->driven)
        add_motor_row(f);
}

// Relative difference of times that counts as equal: times are sums of steps, or rounded in a file.
static const double time_tolerance = 1e-9;

// The speed of a motor at a time, and whether it is on.
static double rate_of(const void *motors, int motor, double time, bool *is_on) {
    const carom_joint_def *joint = &((const carom_joint_def *)motors)[motor];
    double later = time + time_tolerance * fabs(time);
    *is_on = later >= joint->from && !(joint->until > 0 && later >= joint->until);
    return joint->speed * carom_schedule_factor(&joint->schedule, time);
}

// Numbers the linkages in the order of their first bodies, and gives each body its index in its linkage (seat); returns how
// many there are. `sides` has the bodies of all joints, -1 for the ground.
static int find_groups(carom_model *model, int joint_count, const int (*sides)[2], int *parent, carom_linkage *linkages) {
    carom_rigid_body *items = model->rigid.items;
    int count = 0;
    carom_disjoint_start(parent, model->rigid.count);
    for (int j = 0; j < joint_count; j++)
        if (sides[j][1] >= 0)
            carom_disjoint_join(parent, carom_disjoint_find(parent, sides[j][0]), carom_disjoint_find(parent, sides[j][1]));
    for (int r = 0; r < model->rigid.count; r++) {
        // the representative of a group is its first body
        int root = carom_disjoint_find(parent, r);
        if (!items[r].linkage)
            continue;
        items[r].linkage = root < r ? items[root].linkage : ++count;
        items[r].seat = linkages[items[r].linkage - 1].body_count++;
    }
    return count;
}

// The remaining degrees of freedom of a body whose only joint is with the ground: each row removes a translation or a rotation.
static carom_status find_hub(const carom_model *model, const fitting *f, carom_linkage *linkage, carom_error *error) {
    const carom_rigid_body *one = &model->rigid.items[linkage->bodies[0]];
    carom_link_hub *hub = carom_arena_allocate(model->arena, 1, sizeof *hub);
    carom_rigid_mass found = {.mass = one->mass};
    int angles = 0;
    if (!hub)
        return carom_no_memory(error, "the model");
    linkage->hub = hub;
    for (int i = 0; i < 3; i++)
        hub->arm[i] = -f->rows[0].at[0][i];
    carom_copy(f->rows[0].at[1], hub->at);
    carom_mat3_identity(hub->slide);
    for (int i = 0; i < f->count; i++) {
        const double *n = f->rows[i].along[1];
        if (f->rows[i].kind == CAROM_LINK_ANGLE)
            angles++;
        else if (f->rows[i].kind == CAROM_LINK_POINT)
            hub->slide[f->rows[i].direction][f->rows[i].direction] = 0;
        for (int k = 0; k < 3 && f->rows[i].kind == CAROM_LINK_OFFSET; k++)
            carom_add_scaled(-n[k], n, hub->slide[k]);
    }
    // two angle rows leave rotation about one axis, three none
    hub->turns = angles ? 3 - angles : 3;
    double J[6] = {one->inertia[0], one->inertia[1], one->inertia[2]}, off[3];
    carom_rigid_add_point(J, one->mass, hub->arm);
    carom_status status = carom_rigid_mass_axes(J, &found, error);
    carom_copy(found.inertia, hub->inertia);
    for (int i = 0; i < 9; i++)
        hub->axes[i / 3][i % 3] = found.axes[i % 3][i / 3];
    // orthonormal to rounding, because errors of the axes would accumulate over many steps
    carom_turn_straighten(hub->axes);
    if (hub->turns < 3) {
        carom_copy(f->frame[0], hub->axis);
        seen_from(f, 0, hub->axis, hub->axes[0]);
        carom_cross(hub->axes[0], hub->arm, off);
        hub->inertia[0] = one->mass * carom_dot(off, off);
        for (int k = 0; k < 3; k++)
            hub->inertia[0] += hub->axes[0][k] * hub->axes[0][k] * one->inertia[k];
    }
    return status;
}

// Adds the rows of the joints of a linkage.
static void add_joints(carom_model *model, const carom_model_def *def, const int (*sides)[2], int q, carom_linkage *linkage,
                       fitting *f) {
    for (int j = 0; j < def->joint_count; j++) {
        if (model->rigid.items[sides[j][0]].linkage != q + 1)
            continue;
        for (int s = 0; s < 2; s++) {
            f->body[s] = sides[j][s];
            f->seat[s] = f->body[s] < 0 ? -1 : model->rigid.items[f->body[s]].seat;
        }
        f->def = &def->joints[j];
        f->joint = j;
        linkage->grounded = linkage->grounded || f->body[1] < 0;
        linkage->driven = linkage->driven || f->def->driven;
        add_rows(f);
    }
}

// Sets bodies and rows of linkage number q.
static carom_status fill(carom_model *model, const carom_model_def *def, const int (*sides)[2], int q, carom_linkage *linkage,
                         carom_error *error) {
    int count = 0, joints = 0;
    for (int j = 0; j < def->joint_count; j++)
        joints += model->rigid.items[sides[j][0]].linkage == q + 1;
    int *bodies = carom_arena_allocate(model->arena, linkage->body_count, sizeof *bodies);
    carom_link_row *rows = carom_arena_allocate(model->arena, (int64_t)ROWS_OF_JOINT * joints, sizeof *rows);
    if (!bodies || !rows)
        return carom_no_memory(error, "the model");
    linkage->bodies = bodies;
    linkage->rows = rows;
    for (int r = 0; r < model->rigid.count; r++)
        if (model->rigid.items[r].linkage == q + 1)
            bodies[count++] = r;
    fitting f = {.model = model, .rows = rows};
    add_joints(model, def, sides, q, linkage, &f);
    linkage->row_count = f.count;
    for (int i = 0; i < f.count; i++)
        for (int s = 0; s < 2; s++)
            if (rows[i].body[s] >= 0 && rows[i].kind != CAROM_LINK_TURN)
                linkage->size = fmax(linkage->size, carom_norm(rows[i].at[s]));
    for (int b = 0; b < linkage->body_count; b++)
        for (int k = 0; k < 3 && !(linkage->size > 0); k++)
            linkage->size = sqrt(model->rigid.items[bodies[b]].inertia[k] / model->rigid.items[bodies[b]].mass);
    return joints == 1 && count == 1 && !linkage->driven ? find_hub(model, &f, linkage, error) : CAROM_OK;
}

// Checks the initial velocity of a body with a single joint.
static carom_status start_held(const carom_model *model, const carom_model_def *def, const carom_linkage *linkage,
                               carom_error *error) {
    const carom_body_def *body = &def->bodies[model->rigid.items[linkage->bodies[0]].body];
    int j = linkage->rows[0].joint;
    carom_error reason;
    carom_status status = carom_model_check_hold(linkage->hub, &def->joints[j], body, &reason);
    return status ? carom_fail(error, status, CAROM_JOINT_MARK "%.900s", j, reason.message) : CAROM_OK;
}

// Refuses initial velocities that a joint does not allow.
static carom_status check_start(const carom_model *model, const carom_model_def *def, const carom_linkage *linkage,
                                carom_error *error) {
    if (linkage->hub)
        return start_held(model, def, linkage, error);
    carom_link_pose *pose = carom_allocate(linkage->body_count, sizeof *pose);
    carom_status status = pose ? CAROM_OK : carom_no_memory(error, "the model");
    double speed = 0;
    for (int b = 0; pose && b < linkage->body_count; b++) {
        const carom_rigid_body *one = &model->rigid.items[linkage->bodies[b]];
        carom_copy(model->X[one->centre], pose[b].c);
        carom_mat3_copy((carom_const_vectors)one->R, pose[b].R);
        speed = fmax(speed, carom_norm(model->v0[one->centre]) + linkage->size * carom_norm(one->spin));
    }
    for (int i = 0; !status && i < linkage->row_count; i++) {
        const carom_link_row *row = &linkage->rows[i];
        carom_link_gradient gradient;
        // the motor sets the rate of the direction that it drives
        if (row->motor >= 0)
            continue;
        carom_link_gradient_find(row, pose, pose, &gradient);
        double rate = 0;
        for (int s = 0; s < 2; s++) {
            const carom_rigid_body *one = row->body[s] < 0 ? NULL : &model->rigid.items[linkage->bodies[row->body[s]]];
            if (one)
                rate += carom_dot(gradient.of[s], model->v0[one->centre]) + carom_dot(gradient.of[s] + 3, one->spin);
        }
        double scale = row->kind == CAROM_LINK_ANGLE ? speed / linkage->size : speed;
        const carom_joint_def *joint = &def->joints[row->joint];
        if (!(fabs(rate) > rounding * scale))
            continue;
        bool pivot = row->kind == CAROM_LINK_POINT && (joint->kind == CAROM_JOINT_HINGE || joint->kind == CAROM_JOINT_BALL);
        // messages name the joint by its number: there may be several
        if (pivot && (row->body[0] < 0 || row->body[1] < 0))
            status =
                carom_fail(error, CAROM_BAD_INPUT,
                           CAROM_JOINT_MARK "the point `at` of body '%s' is held by the ground, but would move with the speed "
                                            "%g at the start: set the `velocity` of the body to `spin` x (mass centre - `at`)",
                           row->joint, joint->body, fabs(rate));
        else if (row->body[0] < 0 || row->body[1] < 0)
            status = carom_fail(error, CAROM_BAD_INPUT,
                                CAROM_JOINT_MARK
                                "the joint of body '%s' with '%s' would open at the start, at a rate of %g: "
                                "choose `velocity` (of the mass centre) and `spin` of body '%s' so that it stays closed",
                                row->joint, joint->body, joint->to, fabs(rate), joint->body);
        else
            status =
                carom_fail(error, CAROM_BAD_INPUT,
                           CAROM_JOINT_MARK "the joint of body '%s' with '%s' would open at the start, at a rate of %g: "
                                            "choose `velocity` (of the mass centre) and `spin` of both so that it stays closed",
                           row->joint, joint->body, joint->to, fabs(rate));
    }
    free(pose);
    return status;
}

// Linkages with several joints or motors move without the forces of tied parts, so these are refused.
static carom_status check_tie(const carom_model *model, const carom_linkage *linkage, carom_error *error) {
    for (int b = 0; b < linkage->body_count; b++) {
        const carom_rigid_body *one = &model->rigid.items[linkage->bodies[b]];
        if (one->tied_count && !linkage->hub)
            return carom_fail(
                error, CAROM_BAD_INPUT,
                "parts are tied to body '%s', which has %s: tie them to a body that is free or has one joint with the ground "
                "and no motor",
                model->bodies[one->body].name,
                linkage->body_count > 1 ? "a joint with another rigid body"
                : linkage->driven       ? "a motor"
                                        : "several joints");
    }
    return CAROM_OK;
}

// Adds the motors of joints, numbered as in the definition.
static carom_status add_motors(carom_model *model, const carom_model_def *def, carom_error *error) {
    carom_joint_def *motors = carom_arena_allocate(model->arena, def->joint_count, sizeof *motors);
    if (!motors)
        return carom_no_memory(error, "the model");
    for (int j = 0; j < def->joint_count; j++) {
        motors[j] = def->joints[j];
        if (!carom_schedule_copy(model->arena, &def->joints[j].schedule, &motors[j].schedule))
            return carom_no_memory(error, "the model");
    }
    model->rigid.motors = motors;
    model->rigid.motor_rate = rate_of;
    return CAROM_OK;
}

carom_status carom_model_add_linkages(carom_model *model, const carom_model_def *def, carom_error *error) {
    if (!model->rigid.count || !def->joint_count)
        return CAROM_OK;
    int *parent = carom_arena_allocate(model->arena, model->rigid.count, sizeof *parent);
    int(*sides)[2] = carom_arena_allocate(model->arena, def->joint_count, sizeof *sides);
    carom_linkage *linkages = carom_arena_allocate(model->arena, model->rigid.count, sizeof *linkages);
    if (!parent || !sides || !linkages)
        return carom_no_memory(error, "the model");
    for (int j = 0; j < def->joint_count; j++) {
        sides[j][0] = rigid_named(model, def->joints[j].body);
        sides[j][1] = rigid_named(model, def->joints[j].to);
    }
    int count = find_groups(model, def->joint_count, (const int(*)[2])sides, parent, linkages);
    carom_status status = add_motors(model, def, error);
    for (int q = 0, offset = 0; q < count && !status; q++) {
        status = fill(model, def, (const int(*)[2])sides, q, &linkages[q], error);
        if (!status)
            status = check_tie(model, &linkages[q], error);
        if (!status)
            status = check_start(model, def, &linkages[q], error);
        linkages[q].offset = offset;
        offset += linkages[q].body_count;
    }
    model->rigid.linkages = linkages;
    model->rigid.linkage_count = count;
    return status;
}

uint64_t carom_model_linkages_hash(uint64_t h, const carom_model *model) {
    for (int q = 0; q < model->rigid.linkage_count; q++) {
        const carom_linkage *linkage = &model->rigid.linkages[q];
        h = carom_hash(h, linkage->bodies, (size_t)linkage->body_count * sizeof *linkage->bodies);
        for (int i = 0; i < linkage->row_count; i++) {
            const carom_link_row *row = &linkage->rows[i];
            h = carom_hash(h, &row->kind, sizeof row->kind);
            h = carom_hash(h, row->body, sizeof row->body);
            h = carom_hash(h, &row->direction, sizeof row->direction);
            h = carom_hash(h, row->at, sizeof row->at);
            h = carom_hash(h, row->along, sizeof row->along);
            if (row->motor < 0)
                continue;
            const carom_joint_def *motor = &((const carom_joint_def *)model->rigid.motors)[row->motor];
            h = carom_hash(h, &motor->speed, sizeof motor->speed);
            h = carom_hash(h, &motor->from, sizeof motor->from);
            h = carom_hash(h, &motor->until, sizeof motor->until);
            h = carom_schedule_hash(h, &motor->schedule);
        }
    }
    return h;
}
