// SPDX-License-Identifier: MIT
// Refuses definitions in which a body of plane elements could leave its plane z = const: if a velocity, a load, a prescribed
// motion or the normal of a contact plane has a component along z. Plane elements have no stiffness along z, so such a load
// would displace their nodes without limit.
#include "model/build/builders.h"

#include <string.h>

static bool is_plane(const carom_model *model, int body) {
    return model->blocks[model->bodies[body].block_begin].element->plane;
}

// A plane body of that name or of an array of that name; -1 if there is none.
static int plane_body(const carom_model *model, const char *name) {
    for (int b = 0; b < model->body_count; b++) {
        const carom_body *body = &model->bodies[b];
        // One plane body represents all of an array: they have the same element.
        if (is_plane(model, b) && (strcmp(body->name, name) == 0 || strcmp(body->group, name) == 0))
            return b;
    }
    return -1;
}

static carom_status refuse(const carom_model *model, int body, const char *what, carom_error *error) {
    return carom_fail(error, CAROM_BAD_INPUT, "body '%s' is two-dimensional (moves in x-y): %s", model->bodies[body].name,
                      what);
}

static carom_status check_motion(const carom_model *model, const carom_body_def *def, int body, carom_error *error) {
    if (def->velocity[2] != 0)
        return refuse(model, body, "its velocity must have no z component", error);
    // A rotation about x or y would move nodes out of the plane.
    if (def->spin[0] != 0 || def->spin[1] != 0)
        return refuse(model, body, "its spin must be about z", error);
    for (int i = 0; def->mesh->velocities && i < def->mesh->node_count; i++)
        if (def->mesh->velocities[i][2] != 0)
            return refuse(model, body, "the velocities of its mesh must have no z component", error);
    return CAROM_OK;
}

// Checks that shape and motion of an obstacle among plane bodies stay in the plane.
static carom_status check_obstacle(const carom_model *model, const carom_body_def *def, int body, carom_error *error) {
    const carom_obstacle_def *o = def->obstacle;
    bool leaves = o->velocity[2] != 0;
    for (int i = 0; i < o->motion_count; i++)
        leaves = leaves || o->motion[i][3] != 0;
    for (int i = 0; i < o->path_count; i++)
        leaves = leaves || o->path[i][3] != 0;
    if (leaves)
        return refuse(model, body, "the motion of the obstacle must have no z component", error);
    if (o->rate != 0 && (o->axis[0] != 0 || o->axis[1] != 0))
        return refuse(model, body, "an obstacle can turn about z only", error);
    for (int b = 0; b < def->mesh->block_count; b++)
        if (carom_cell_dimension(def->mesh->blocks[b].type) == 3)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "body '%s' is an obstacle of solid cells in a model of plane bodies: it must be "
                              "plane, or of lines or points",
                              def->name);
    return CAROM_OK;
}

static carom_status check_load(const carom_model *model, const carom_load_def *load, carom_error *error) {
    int body = plane_body(model, load->where.body);
    if (body < 0)
        return CAROM_OK;
    if (load->force[2] != 0)
        return refuse(model, body, "a force on it must have no z component", error);
    if (load->acceleration[2] != 0)
        return refuse(model, body, "an acceleration of it must have no z component", error);
    return load->traction[2] != 0 ? refuse(model, body, "a traction on it must have no z component", error) : CAROM_OK;
}

// A node may be held along z, or in a plane or on a line within x-y; it must not be driven along z, nor z be coupled with x, y.
static carom_status check_restraint(const carom_model *model, const carom_restraint_def *restraint, carom_error *error) {
    int body = plane_body(model, restraint->where.body);
    bool along_z = false;
    for (int d = 0; body >= 0 && d < restraint->direction_count; d++) {
        const double *u = restraint->direction[d];
        along_z = along_z || u[2] != 0;
        // Three directions hold the node completely, whatever they are.
        if (u[2] != 0 && (u[0] != 0 || u[1] != 0) && restraint->direction_count < 3)
            return refuse(model, body, "a restrained direction must be z or without a z component", error);
    }
    bool driven = restraint->velocity[2] != 0;
    for (int i = 0; i < restraint->motion_count; i++)
        // Column 3 is z; the time is column 0.
        driven = driven || restraint->motion[i][3] != 0;
    return along_z && driven ? refuse(model, body, "it cannot be driven along z", error) : CAROM_OK;
}

carom_status carom_model_check_plane(carom_model *model, const carom_model_def *def, carom_error *error) {
    int body = 0;
    while (body < model->body_count && !is_plane(model, body))
        body++;
    if (body == model->body_count)
        return CAROM_OK;
    // Gravity acts on all bodies: one plane body is sufficient to refuse it.
    if (def->gravity[2] != 0)
        return refuse(model, body, "gravity must have no z component", error);
    carom_status status = CAROM_OK;
    for (int b = body; b < model->body_count && !status; b++)
        if (is_plane(model, b))
            status = check_motion(model, &def->bodies[b], b, error);
    for (int b = 0; b < model->body_count && !status; b++)
        if (def->bodies[b].obstacle)
            status = check_obstacle(model, &def->bodies[b], b, error);
    for (int p = 0; def->contact.enabled && p < def->contact.plane_count && !status; p++)
        if (def->contact.planes[p].normal[2] != 0)
            status = refuse(model, body, "the normal of a plane that it may touch must have no z component", error);
    for (int r = 0; r < def->restraint_count && !status; r++)
        status = check_restraint(model, &def->restraints[r], error);
    for (int l = 0; l < def->load_count && !status; l++)
        status = check_load(model, &def->loads[l], error);
    return status;
}
