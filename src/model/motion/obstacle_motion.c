// SPDX-License-Identifier: MIT
// Positions and velocities of the nodes of obstacles, which move as prescribed. Poses (position, rotation and shape) are
// functions of time only, evaluated at each end of a step: errors do not accumulate over steps, and a restart needs no memory
// of them. Between two kinks (points of its tables, end of its ramp) a velocity is a polynomial of degree four at most
// (carom_motion_integrate), which is integrated exactly; the integrals up to the kinks are stored.
//
// During a step each node moves on the straight line between its positions at both ends (docs/theory/obstacles.md).
#include "model/motion/obstacle_motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "math/functions.h"
#include "math/mat3.h"
#include "math/vec3.h"

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Computes the kinks of the motion after the time 0, ascending, with the integrals up to them.
static carom_status create_course(const carom_motion *motion, carom_arena *arena, carom_course *course, carom_error *error) {
    int most = 2 + motion->schedule.count + motion->count, count = 0;
    course->kinks = carom_arena_allocate(arena, most, sizeof *course->kinks);
    course->sums = carom_arena_allocate(arena, most, sizeof *course->sums);
    if (!course->kinks || !course->sums || !carom_motion_copy(arena, motion, &course->motion))
        return carom_no_memory(error, "the motion of obstacles");
    course->kinks[count++] = 0;
    if (motion->schedule.ramp > 0)
        course->kinks[count++] = motion->schedule.ramp;
    for (int i = 0; i < motion->schedule.count; i++)
        if (motion->schedule.points[i][0] > 0)
            course->kinks[count++] = motion->schedule.points[i][0];
    for (int i = 0; i < motion->count; i++)
        if (motion->points[i][0] > 0)
            course->kinks[count++] = motion->points[i][0];
    qsort(course->kinks, (size_t)count, sizeof *course->kinks, ascending);
    course->count = count;
    for (int i = 1; i < count; i++) {
        carom_copy(course->sums[i - 1], course->sums[i]);
        carom_motion_integrate(&course->motion, course->kinks[i - 1], course->kinks[i], course->sums[i]);
    }
    return CAROM_OK;
}

static void course_at(const carom_course *course, double time, double sum[3]) {
    int low = carom_table_row(course->kinks, course->count, 1, time);
    carom_copy(course->sums[low], sum);
    // a constant velocity gives one product, without the rounding of a sum
    bool constant = !course->motion.count && carom_schedule_is_constant(&course->motion.schedule);
    if (constant)
        carom_add_scaled(time, course->motion.velocity, sum);
    else
        carom_motion_integrate(&course->motion, course->kinks[low], time, sum);
}

// The row of a table at or before a time, the fraction `part` of the interval to the next row, and its rate `pace`, which is 0
// outside of the table.
static int row_of(const double *rows, int count, int columns, double time, double *part, double *pace) {
    *part = *pace = 0;
    if (count < 2 || !(time >= rows[0]))
        return 0;
    if (time >= rows[(ptrdiff_t)columns * (count - 1)]) {
        *part = 1;
        return count - 2;
    }
    int low = carom_table_row(rows, count, columns, time);
    double begin = rows[(ptrdiff_t)columns * low], length = rows[(ptrdiff_t)columns * (low + 1)] - begin;
    *part = (time - begin) / length;
    *pace = 1 / length;
    return low;
}

// Linear interpolation between two rows; exact at a row.
static double interpolate(double a, double b, double part) {
    return (1 - part) * a + part * b;
}

// R = 1 + sin a [n] + (1 - cos a) [n]^2
static void turn_by(const double n[3], double angle, double R[3][3]) {
    double s = carom_sin(angle), c = carom_cos(angle);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            R[i][j] = (1 - c) * n[i] * n[j] + (i == j ? c : 0);
    R[0][1] -= s * n[2], R[1][0] += s * n[2];
    R[0][2] += s * n[1], R[2][0] -= s * n[1];
    R[1][2] -= s * n[0], R[2][1] += s * n[0];
}

carom_placed carom_pose_at(const carom_pose *pose, double time) {
    carom_placed placed = {.shape = -1};
    double shift[3] = {0};
    if (pose->path_count) {
        double part, pace;
        int row = row_of(pose->path[0], pose->path_count, 4, time, &part, &pace);
        const double *a = pose->path[row], *b = pose->path_count > 1 ? pose->path[row + 1] : a;
        for (int i = 0; i < 3; i++) {
            shift[i] = interpolate(a[1 + i], b[1 + i], part);
            placed.velocity[i] = pace * (b[1 + i] - a[1 + i]);
        }
    } else {
        course_at(&pose->course, time, shift);
        carom_motion_velocity(&pose->course.motion, time, placed.velocity);
    }
    for (int i = 0; i < 3; i++)
        placed.centre[i] = pose->point[i] + shift[i];
    if (pose->turns) {
        double angle[3], rate[3];
        course_at(&pose->turning, time, angle);
        carom_motion_velocity(&pose->turning.motion, time, rate);
        turn_by(pose->axis, angle[0], placed.turn);
        carom_add_scaled(rate[0], pose->axis, placed.spin);
    }
    if (pose->shape_count)
        placed.shape = row_of(pose->shape_times, pose->shape_count, 1, time, &placed.weight, &placed.pace);
    return placed;
}

// The position of a node of the current shape, before rotation and displacement.
static void shaped(const carom_pose *pose, const carom_placed *placed, int number, const double X[3], double x[3]) {
    carom_copy(X, x);
    if (placed->shape < 0)
        return;
    const double *a = pose->shapes + 3 * ((ptrdiff_t)placed->shape * pose->node_count + number);
    const double *b = pose->shape_count > 1 ? a + 3 * (ptrdiff_t)pose->node_count : a;
    for (int i = 0; i < 3; i++)
        x[i] = interpolate(a[i], b[i], placed->weight);
}

void carom_placed_position(const carom_pose *pose, const carom_placed *placed, int number, const double X[3], double x[3]) {
    double p[3], arm[3];
    shaped(pose, placed, number, X, p);
    carom_difference(p, pose->point, arm);
    if (pose->turns) {
        carom_mat3_apply((carom_const_vectors)placed->turn, arm, x);
        carom_add_scaled(1, placed->centre, x);
        return;
    }
    // without a rotation only the displacement is added
    for (int i = 0; i < 3; i++)
        x[i] = p[i] + (placed->centre[i] - pose->point[i]);
}

void carom_placed_velocity(const carom_pose *pose, const carom_placed *placed, int number, const double X[3], double v[3]) {
    double x[3], arm[3], along[3];
    carom_placed_position(pose, placed, number, X, x);
    carom_difference(x, placed->centre, arm);
    carom_cross(placed->spin, arm, v);
    carom_add_scaled(1, placed->velocity, v);
    if (placed->shape < 0 || placed->pace == 0)
        return;
    const double *a = pose->shapes + 3 * ((ptrdiff_t)placed->shape * pose->node_count + number);
    double change[3];
    carom_difference(a + 3 * (ptrdiff_t)pose->node_count, a, change);
    carom_copy(change, along);
    if (pose->turns)
        carom_mat3_apply((carom_const_vectors)placed->turn, change, along);
    carom_add_scaled(placed->pace, along, v);
}

void carom_placed_cell(const carom_pose *pose, const carom_placed *placed, double x[3]) {
    double arm[3];
    carom_difference(pose->cell, pose->point, arm);
    carom_copy(arm, x);
    if (pose->turns)
        carom_mat3_apply((carom_const_vectors)placed->turn, arm, x);
    carom_add_scaled(1, placed->centre, x);
}

static bool is_finite3(const double v[3]) {
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

// Checks values set by a program; scenes are checked when they are read.
static carom_status check(const carom_body_def *body, carom_error *error) {
    const carom_obstacle_def *def = body->obstacle;
    char owner[CAROM_NAME_MAX + 32];
    snprintf(owner, sizeof owner, "obstacle '%s'", body->name);
    if (!is_finite3(def->velocity) || !isfinite(def->rate))
        return carom_fail(error, CAROM_BAD_INPUT, "%s: its velocity is not finite", owner);
    if (def->rate != 0 && (!is_finite3(def->axis) || !(carom_norm(def->axis) > 0)))
        return carom_fail(error, CAROM_BAD_INPUT, "%s: its axis has no direction", owner);
    carom_status status = carom_schedule_check(&def->schedule, owner, error);
    if (!status)
        status = carom_schedule_check(&def->turning, owner, error);
    if (!status && def->motion_count)
        status = carom_table_check(def->motion[0], def->motion_count, 4, owner, error);
    if (!status && def->path_count)
        status = carom_table_check(def->path[0], def->path_count, 4, owner, error);
    if (!status && def->shape_count)
        status = carom_table_check(def->shape_times, def->shape_count, 1, owner, error);
    for (int s = 0; s < def->shape_count && !status; s++)
        for (int i = 0; i < 3 * body->mesh->node_count; i++)
            if (!isfinite(def->shapes[s][i]))
                return carom_fail(error, CAROM_BAD_INPUT, "%s: a node of shape %d is not at a finite position", owner, s);
    // The first time is that of the mesh: contact checks the start by it.
    for (int i = 0; !status && def->path_count && i < 3; i++)
        if (!(def->path[0][0] == 0 && def->path[0][1 + i] == 0))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "%s: its path must begin with the time 0 and no displacement: it starts where its mesh is",
                              owner);
    if (!status && def->shape_count && def->shape_times[0] != 0)
        return carom_fail(error, CAROM_BAD_INPUT, "%s: its first shape must be that of the time 0", owner);
    return status;
}

// The centre of the box around a mesh: that of a cylinder or a ball, however it is meshed.
static void find_middle(const carom_mesh *mesh, double middle[3]) {
    for (int i = 0; i < 3; i++) {
        double least = HUGE_VAL, most = -HUGE_VAL;
        for (int k = 0; k < mesh->node_count; k++) {
            least = fmin(least, mesh->nodes[k][i]);
            most = fmax(most, mesh->nodes[k][i]);
        }
        middle[i] = 0.5 * (least + most);
    }
}

carom_status carom_pose_create(const carom_body_def *body, carom_arena *arena, carom_pose *pose, carom_error *error) {
    const carom_obstacle_def *def = body->obstacle;
    const carom_mesh *mesh = body->mesh;
    carom_status status = check(body, error);
    if (status)
        return status;
    double middle[3];
    find_middle(mesh, middle);
    pose->node_count = mesh->node_count;
    pose->turns = def->rate != 0;
    carom_motion motion = {.schedule = def->schedule, .count = def->motion_count, .points = def->motion};
    carom_motion turning = {.velocity = {def->rate}, .schedule = def->turning};
    carom_copy(def->velocity, motion.velocity);
    status = create_course(&motion, arena, &pose->course, error);
    if (!status)
        status = create_course(&turning, arena, &pose->turning, error);
    if (status)
        return status;
    pose->path_count = def->path_count;
    if (def->path_count)
        pose->path = carom_arena_copy(arena, def->path, (size_t)def->path_count * sizeof *def->path);
    if (pose->turns) {
        carom_copy(def->axis, pose->axis);
        carom_normalize(pose->axis);
        carom_copy(isnan(def->point[0]) ? middle : def->point, pose->point);
    }
    carom_copy(isnan(def->cell[0]) ? pose->turns ? pose->point : middle : def->cell, pose->cell);
    pose->shape_count = def->shape_count;
    if (def->shape_count) {
        size_t size = 3 * (size_t)mesh->node_count;
        double *shapes = carom_arena_allocate(arena, (int64_t)size * def->shape_count, sizeof *shapes);
        pose->shape_times = carom_arena_copy(arena, def->shape_times, (size_t)def->shape_count * sizeof(double));
        for (int s = 0; shapes && s < def->shape_count; s++)
            memcpy(shapes + size * (size_t)s, def->shapes[s], size * sizeof *shapes);
        pose->shapes = shapes;
    }
    bool enough = (!pose->path_count || pose->path) && (!pose->shape_count || (pose->shapes && pose->shape_times));
    pose->moves =
        pose->turns || pose->shape_count > 1 || pose->path_count > 1 || def->motion_count || carom_norm(def->velocity) > 0;
    return enough ? CAROM_OK : carom_no_memory(error, "the motion of obstacles");
}

// The pose of a restraint, or -1.
static int pose_of(const carom_model *model, int r) {
    return model->drives.of_restraint ? model->drives.of_restraint[r].pose - 1 : -1;
}

static int number_of(const carom_model *model, const carom_pose *pose, int node) {
    return node - model->bodies[pose->body].node_begin;
}

void carom_model_pose_velocities(const carom_model *model, double time, carom_restraint *restraints) {
    carom_placed placed = {0};
    // the nodes of an obstacle are consecutive: its pose is evaluated once
    for (int r = 0, last = -1; model->poses.moving && r < model->restraints.count; r++) {
        int p = pose_of(model, r), k = model->restraints.items[r].node;
        if (p < 0)
            continue;
        const carom_pose *pose = &model->poses.items[p];
        if (p != last)
            placed = carom_pose_at(pose, time);
        last = p;
        carom_placed_velocity(pose, &placed, number_of(model, pose, k), model->X[k], restraints[r].velocity);
    }
}

void carom_model_pose_chords(const carom_model *model, double time, double h, const double (*x)[3],
                             carom_restraint *restraints) {
    carom_placed from = {0}, to = {0};
    for (int r = 0, last = -1; model->poses.moving && r < model->restraints.count; r++) {
        int p = pose_of(model, r), k = model->restraints.items[r].node;
        if (p < 0)
            continue;
        const carom_pose *pose = &model->poses.items[p];
        if (p != last) {
            from = carom_pose_at(pose, time);
            to = carom_pose_at(pose, time + h);
        }
        last = p;
        double a[3], b[3];
        int number = number_of(model, pose, k);
        carom_placed_position(pose, &from, number, model->X[k], a);
        carom_placed_position(pose, &to, number, model->X[k], b);
        // an obstacle at rest keeps its position to the last bit
        bool still = memcmp(a, b, sizeof a) == 0;
        for (int i = 0; i < 3 && x && !still; i++)
            a[i] = x[k][i];
        for (int i = 0; i < 3; i++)
            restraints[r].velocity[i] = (b[i] - a[i]) / h;
    }
}

// During straight motion the obstacle is x = c + M Y at the fraction s of the step, with c and M interpolated between both
// ends: an affine image of itself, whose rate gives the velocity of a point. An obstacle that changes its shape has no such
// map: the velocity of the node is used.
static void carry(const carom_carry *carry, int node, double time, const double x[3], double u[3]) {
    const carom_model *model = carry->model;
    const carom_pose *pose = &model->poses.items[model->poses.of_body[carom_model_node_body(model, node)]];
    carom_placed from = carom_pose_at(pose, carry->begin), to = carom_pose_at(pose, carry->begin + carry->length);
    if (pose->shape_count) {
        double a[3], c[3];
        carom_placed_position(pose, &from, number_of(model, pose, node), model->X[node], a);
        carom_placed_position(pose, &to, number_of(model, pose, node), model->X[node], c);
        for (int i = 0; i < 3; i++)
            u[i] = (c[i] - a[i]) / carry->length;
        return;
    }
    double s = (time - carry->begin) / carry->length, M[3][3], D[3][3], arm[3], Y[3];
    for (int i = 0; i < 3; i++) {
        u[i] = (to.centre[i] - from.centre[i]) / carry->length;
        arm[i] = x[i] - interpolate(from.centre[i], to.centre[i], s);
    }
    if (!pose->turns)
        return;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            M[i][j] = interpolate(from.turn[i][j], to.turn[i][j], s);
            D[i][j] = (to.turn[i][j] - from.turn[i][j]) / carry->length;
        }
    double turn[3];
    carom_mat3_solve((carom_const_vectors)M, arm, Y);
    carom_mat3_apply((carom_const_vectors)D, Y, turn);
    carom_add_scaled(1, turn, u);
}

carom_carry carom_model_carry(const carom_model *model, double time, double h) {
    return (carom_carry){.velocity = model->poses.count ? carry : NULL, .model = model, .begin = time, .length = h};
}

void carom_model_pose_path(const carom_model *model, int restraint, double time, double displacement[3]) {
    int p = pose_of(model, restraint), k = model->restraints.items[restraint].node;
    if (p < 0)
        return;
    const carom_pose *pose = &model->poses.items[p];
    carom_placed placed = carom_pose_at(pose, time);
    double x[3];
    carom_placed_position(pose, &placed, number_of(model, pose, k), model->X[k], x);
    carom_difference(x, model->X[k], displacement);
}

uint64_t carom_model_poses_hash(uint64_t h, const carom_model *model) {
    for (int p = 0; p < model->poses.count; p++) {
        const carom_pose *pose = &model->poses.items[p];
        h = carom_hash(h, &pose->body, sizeof pose->body);
        h = carom_motion_hash(carom_motion_hash(h, &pose->course.motion), &pose->turning.motion);
        h = carom_hash(h, pose->path, (size_t)pose->path_count * sizeof *pose->path);
        h = carom_hash(h, pose->axis, sizeof pose->axis);
        h = carom_hash(h, pose->point, sizeof pose->point);
        h = carom_hash(h, pose->cell, sizeof pose->cell);
        h = carom_hash(h, pose->shape_times, (size_t)pose->shape_count * sizeof *pose->shape_times);
        h = carom_hash(h, pose->shapes, 3 * (size_t)pose->shape_count * (size_t)pose->node_count * sizeof *pose->shapes);
    }
    return h;
}

// The initial position is that of the mesh: the first shape must be that of the mesh.
static carom_status check_start(const carom_model *model, const carom_pose *pose, carom_error *error) {
    const carom_body *body = &model->bodies[pose->body];
    for (int k = 0; pose->shape_count && k < pose->node_count; k++)
        if (memcmp(pose->shapes + 3 * (ptrdiff_t)k, model->X[body->node_begin + k], 3 * sizeof(double)) != 0)
            return carom_fail(error, CAROM_BAD_INPUT, "obstacle '%s': its first shape is not that of its mesh", body->name);
    return CAROM_OK;
}

carom_status carom_model_add_poses(carom_model *model, const carom_model_def *def, carom_error *error) {
    int count = 0;
    for (int b = 0; b < def->body_count; b++)
        count += def->bodies[b].obstacle != NULL;
    if (!count)
        return CAROM_OK;
    int *of_body = carom_arena_allocate(model->arena, def->body_count, sizeof *of_body);
    model->poses.items = carom_arena_allocate(model->arena, count, sizeof *model->poses.items);
    if (!of_body || !model->poses.items)
        return carom_no_memory(error, "the motion of obstacles");
    model->poses.of_body = of_body;
    carom_status status = CAROM_OK;
    for (int b = 0; b < def->body_count && !status; b++) {
        of_body[b] = def->bodies[b].obstacle ? model->poses.count : -1;
        if (!def->bodies[b].obstacle)
            continue;
        carom_pose *pose = &model->poses.items[model->poses.count++];
        pose->body = b;
        status = carom_pose_create(&def->bodies[b], model->arena, pose, error);
        if (!status)
            status = check_start(model, pose, error);
        model->poses.moving = model->poses.moving || pose->moves;
    }
    return status;
}
