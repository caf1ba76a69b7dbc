// SPDX-License-Identifier: MIT
// Builds the restraints of a model and evaluates their prescribed velocities. A restrained node has orthonormal directions d_1
// ... d_c and a velocity u in their span, determined by the speeds s_j along the directions a_j as they were given:
// u.a_j = s_j. A further direction a, with the component d orthogonal to the others and a.d = l, changes u by (s - u.a)/l d. So
// u is linear in the speeds, u = base + sum g_j s_j(t), and only the speeds change in time.
#include "model/motion/restraints.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "math/vec3.h"
#include "model/motion/obstacle_motion.h"
#include "model/motion/timed_restraints.h"

static bool varies(const carom_restraint_def *def) {
    // A table of motion varies by definition; a constant factor makes a constant velocity.
    return def->motion_count > 0 || (carom_norm(def->velocity) > 0 && !carom_schedule_is_constant(&def->schedule));
}

// Checks a restraint as far as possible without its nodes.
static carom_status check(const carom_restraint_def *def, carom_error *error) {
    char owner[CAROM_NAME_MAX + 32];
    snprintf(owner, sizeof owner, "restraint of body '%s'", def->where.body);
    for (int i = 0; i < 3; i++)
        if (!isfinite(def->velocity[i]))
            return carom_fail(error, CAROM_BAD_INPUT, "%s: its velocity is not finite", owner);
    if (def->direction_count < 1 || def->direction_count > 3)
        return carom_fail(error, CAROM_BAD_INPUT, "%s: it has %d directions, not 1 to 3", owner, def->direction_count);
    // A table of motion replaces velocity and schedule.
    if (def->motion_count)
        return carom_table_check(def->motion[0], def->motion_count, 4, owner, error);
    return carom_schedule_check(&def->schedule, owner, error);
}

// Stores the motion of a restraint in the model.
static carom_status add_motion(carom_model *model, const carom_restraint_def *def, carom_error *error) {
    carom_motion given = {.schedule = def->schedule, .count = def->motion_count, .points = def->motion};
    carom_copy(def->velocity, given.velocity);
    // The definition may be released after the model is built, so tables are copied.
    bool copied = carom_motion_copy(model->arena, &given, &model->drives.motions[model->drives.motion_count++]);
    return copied ? CAROM_OK : carom_no_memory(error, "the restraints");
}

// Records a further direction of a node: the change of base and gains, and its own gain if its speed changes in time.
static void note_drive(carom_driven *driven, const double d[3], const double along[3], double speed, int motion) {
    double left = carom_dot(along, d);
    carom_add_scaled(((motion < 0 ? speed : 0) - carom_dot(driven->base, along)) / left, d, driven->base);
    for (int i = 0; i < driven->count; i++)
        carom_add_scaled(-carom_dot(driven->items[i].gain, along) / left, d, driven->items[i].gain);
    if (motion < 0)
        return;
    carom_drive *drive = &driven->items[driven->count++];
    drive->motion = motion;
    carom_copy(along, drive->along);
    for (int i = 0; i < 3; i++)
        drive->gain[i] = d[i] / left;
}

// Adds the directions of a restraint to one of its nodes; `motion` is -1 if it does not change in time.
static carom_status restrain_node(carom_model *model, const carom_restraint_def *def, int node, int motion,
                                  carom_error *error) {
    int r = model->restraints.of_node[node];
    carom_restraint *item = &model->restraints.items[r];
    carom_driven *driven = model->drives.of_restraint ? &model->drives.of_restraint[r] : NULL;
    if (def->clamped && !carom_model_has_frame(model, node))
        return carom_fail(error, CAROM_BAD_INPUT, "only the frame of a beam can be clamped");
    item->clamped = item->clamped || def->clamped;
    double velocity[3];
    carom_copy(def->velocity, velocity);
    if (motion >= 0)
        carom_motion_velocity(&model->drives.motions[motion], 0, velocity);
    for (int d = 0; d < def->direction_count; d++) {
        double unit[3];
        int count = item->count;
        carom_copy(def->direction[d], unit);
        // Directions may be given with any length; speeds are along the unit vector.
        carom_normalize(unit);
        carom_status status = carom_restraint_add(item, unit, carom_dot(unit, velocity), error);
        if (status)
            return status;
        // A dependent direction must agree with the existing ones, which a motion in time does not guarantee.
        if (item->count == count && driven && (motion >= 0 || driven->count > 0))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "restrained twice along (%g, %g, %g), once by a motion that changes in time", unit[0], unit[1],
                              unit[2]);
        if (item->count > count && driven)
            note_drive(driven, item->direction[count], unit, carom_dot(unit, velocity), motion);
    }
    return CAROM_OK;
}

// Allocates the data of restraints that change in time.
static carom_status reserve_drives(carom_model *model, const carom_model_def *def, carom_error *error) {
    bool any = model->poses.moving;
    for (int r = 0; r < def->restraint_count; r++)
        any = any || varies(&def->restraints[r]) || carom_restraint_def_has_window(&def->restraints[r]);
    if (!any)
        return CAROM_OK;
    carom_drives *drives = &model->drives;
    drives->motions = carom_arena_allocate(model->arena, def->restraint_count, sizeof *drives->motions);
    drives->of_restraint = carom_arena_allocate(model->arena, model->restraints.count, sizeof *drives->of_restraint);
    return drives->motions && drives->of_restraint ? CAROM_OK : carom_no_memory(error, "the restraints");
}

// The nodes that a restraint selects.
static carom_status find_named(const carom_model *model, const carom_restraint_def *def, carom_named *named,
                               carom_error *error) {
    int *nodes = NULL;
    carom_status status = carom_model_select(model, &def->where, &nodes, &named->count, error);
    if (!status)
        status = check(def, error);
    named->nodes = carom_arena_copy(model->arena, nodes, (size_t)named->count * sizeof *nodes);
    free(nodes);
    return status || named->nodes ? status : carom_no_memory(error, "the restraints");
}

// Numbers the restrained nodes in ascending order.
static carom_status number_nodes(carom_model *model, const carom_model_def *def, carom_named *named, carom_error *error) {
    carom_restraints *restraints = &model->restraints;
    restraints->of_node = carom_arena_allocate(model->arena, model->node_count, sizeof *restraints->of_node);
    if (!restraints->of_node)
        return carom_no_memory(error, "the restraints");
    // First the nodes are marked, then numbered in ascending order, so that the order of the definitions does not matter.
    for (int r = 0; r < def->restraint_count; r++) {
        carom_status status = find_named(model, &def->restraints[r], &named[r], error);
        for (int i = 0; i < named[r].count && !status; i++) {
            int body = carom_model_node_body(model, named[r].nodes[i]);
            restraints->of_node[named[r].nodes[i]] = 1;
            if (carom_poses_has(&model->poses, body))
                status = carom_fail(error, CAROM_BAD_INPUT,
                                    "body '%s' is an obstacle, whose motion is given by `obstacle`: remove the restraint",
                                    model->bodies[body].name);
        }
        if (status)
            return status;
    }
    for (int p = 0; p < model->poses.count; p++) {
        const carom_body *body = &model->bodies[model->poses.items[p].body];
        for (int k = body->node_begin; k < body->node_begin + body->node_count; k++)
            restraints->of_node[k] = 1;
    }
    for (int k = 0; k < model->node_count; k++)
        restraints->of_node[k] = restraints->of_node[k] ? restraints->count++ : -1;
    restraints->items = carom_arena_allocate(model->arena, restraints->count, sizeof *restraints->items);
    if (!restraints->items)
        return carom_no_memory(error, "the restraints");
    for (int k = 0; k < model->node_count; k++)
        if (restraints->of_node[k] >= 0)
            restraints->items[restraints->of_node[k]].node = k;
    return CAROM_OK;
}

// The nodes of obstacles cannot move freely in any direction.
static void hold_obstacles(carom_model *model) {
    for (int p = 0; p < model->poses.count; p++) {
        const carom_body *body = &model->bodies[model->poses.items[p].body];
        for (int k = body->node_begin; k < body->node_begin + body->node_count; k++) {
            int r = model->restraints.of_node[k];
            carom_restraint *item = &model->restraints.items[r];
            item->count = 3;
            for (int i = 0; i < 3; i++)
                item->direction[i][i] = 1;
            if (model->drives.of_restraint)
                model->drives.of_restraint[r].pose = p + 1;
        }
    }
}

// Adds the node, and an earlier entry that restrains it as well, to the reason why a restraint is refused.
static carom_status refuse_node(const carom_model *model, const carom_model_def *def, const carom_named *named, int r, int node,
                                carom_status status, const carom_error *reason, carom_error *error) {
    char also[128] = "";
    for (int other = 0; other < r && strstr(reason->message, "twice"); other++)
        for (int i = 0; i < named[other].count; i++)
            if (named[other].nodes[i] == node)
                snprintf(also, sizeof also, " (restraints[%d] restrains it as well: remove one of them, or exclude the node)",
                         other);
    return carom_fail(error, status, "restraint of body '%s': node %lld: %.800s%s", def->restraints[r].where.body,
                      (long long)carom_model_node_id(model, node), reason->message, also);
}

carom_status carom_model_add_restraints(carom_model *model, const carom_model_def *def, carom_error *error) {
    carom_status status = carom_model_add_poses(model, def, error);
    if (status || (def->restraint_count == 0 && model->poses.count == 0))
        return status;
    carom_named *named = carom_arena_allocate(model->arena, def->restraint_count, sizeof *named);
    status = named ? number_nodes(model, def, named, error) : carom_no_memory(error, "the restraints");
    if (!status)
        status = reserve_drives(model, def, error);

    // restraints that change in time
    for (int r = 0; r < def->restraint_count && !status; r++) {
        named[r].motion = varies(&def->restraints[r]) ? model->drives.motion_count : -1;
        status = named[r].motion >= 0 ? add_motion(model, &def->restraints[r], error) : CAROM_OK;
    }
    if (!status)
        status = carom_model_add_windows(model, def, named, error);
    if (status)
        return status;

    // all directions
    for (int r = 0; r < def->restraint_count; r++) {
        carom_error reason;
        int node = -1;
        for (int i = 0; i < named[r].count && !status; i++) {
            node = named[r].nodes[i];
            // those with windows are recomputed for each step
            if (!carom_model_is_windowed(model, model->restraints.of_node[node]))
                status = restrain_node(model, &def->restraints[r], node, named[r].motion, &reason);
        }
        if (status)
            return refuse_node(model, def, named, r, node, status, &reason, error);
    }
    hold_obstacles(model);
    // Initial velocities are those of the time zero.
    carom_model_drive(model, 0, model->restraints.items);
    return CAROM_OK;
}

// Sets the velocities of all restraints except those of obstacles.
static void drive(const carom_model *model, double time, carom_restraint *restraints) {
    const carom_drives *drives = &model->drives;
    for (int r = 0; drives->of_restraint && r < model->restraints.count; r++) {
        const carom_driven *driven = &drives->of_restraint[r];
        // Restraints without a motion keep their velocity.
        if (driven->count)
            carom_copy(driven->base, restraints[r].velocity);
        for (int i = 0; i < driven->count; i++) {
            const carom_drive *drive = &driven->items[i];
            double velocity[3];
            carom_motion_velocity(&drives->motions[drive->motion], time, velocity);
            // u = base + sum g_j s_j(t), the formula above.
            carom_add_scaled(carom_dot(drive->along, velocity), drive->gain, restraints[r].velocity);
        }
    }
}

void carom_model_drive(const carom_model *model, double time, carom_restraint *restraints) {
    drive(model, time, restraints);
    carom_model_open_windows(model, time, time, restraints);
    carom_model_pose_velocities(model, time, restraints);
}

void carom_model_drive_over(const carom_model *model, double time, double h, const double (*x)[3],
                            carom_restraint *restraints) {
    drive(model, time + 0.5 * h, restraints);
    carom_model_open_windows(model, time + 0.5 * h, time + 0.5 * h, restraints);
    carom_model_pose_chords(model, time, h, x, restraints);
}

// The earliest time after t at which the motion has a kink, but not later than `end`.
static double next_kink(const carom_motion *motion, double t, double end) {
    // The end of a ramp is a jump of the curvature, each point of a table a kink.
    if (motion->schedule.ramp > t)
        end = fmin(end, motion->schedule.ramp);
    for (int i = 0; i < motion->schedule.count; i++)
        if (motion->schedule.points[i][0] > t)
            end = fmin(end, motion->schedule.points[i][0]);
    for (int i = 0; i < motion->count; i++)
        if (motion->points[i][0] > t)
            end = fmin(end, motion->points[i][0]);
    return end;
}

// A prescribed velocity is integrated exactly between two points of its tables (carom_motion_integrate).
static void integrate(const carom_motion *motion, double time, double path[3]) {
    path[0] = path[1] = path[2] = 0;
    // From kink to kink: the integrand is smooth within each interval.
    for (double t = 0, end; t < time; t = end) {
        end = next_kink(motion, t, time);
        carom_motion_integrate(motion, t, end, path);
    }
}

void carom_model_path(const carom_model *model, double time, double (*path)[3]) {
    const carom_drives *drives = &model->drives;
    for (int r = 0; r < model->restraints.count; r++) {
        const carom_driven *driven = drives->of_restraint ? &drives->of_restraint[r] : NULL;
        bool varies = driven && driven->count;
        // The part that does not change in time grows linearly.
        const double *constant = varies ? driven->base : model->restraints.items[r].velocity;
        for (int i = 0; i < 3; i++)
            path[r][i] = time * constant[i];
        for (int i = 0; varies && i < driven->count; i++) {
            double led[3];
            integrate(&drives->motions[driven->items[i].motion], time, led);
            // The velocity is linear in the speeds along the given directions, and so is the displacement.
            carom_add_scaled(carom_dot(driven->items[i].along, led), driven->items[i].gain, path[r]);
        }
        carom_model_pose_path(model, r, time, path[r]);
    }
}

uint64_t carom_model_restraints_hash(uint64_t h, const carom_model *model) {
    for (int r = 0; r < model->restraints.count; r++) {
        const carom_restraint *item = &model->restraints.items[r];
        h = carom_hash(h, &item->node, sizeof item->node);
        h = carom_hash(h, item->direction, sizeof item->direction);
        h = carom_hash(h, item->velocity, sizeof item->velocity);
        h = carom_hash(h, &item->clamped, sizeof item->clamped);
    }
    const carom_drives *drives = &model->drives;
    for (int r = 0; drives->of_restraint && r < model->restraints.count; r++)
        for (int i = 0; i < drives->of_restraint[r].count; i++) {
            const carom_drive *drive = &drives->of_restraint[r].items[i];
            h = carom_hash(h, &drive->motion, sizeof drive->motion);
            h = carom_hash(h, drive->along, sizeof drive->along);
        }
    for (int i = 0; i < drives->motion_count; i++)
        h = carom_motion_hash(h, &drives->motions[i]);
    return carom_model_poses_hash(carom_model_windows_hash(h, model), model);
}
