// SPDX-License-Identifier: MIT
// Places the mesh of a body in a scene: scaling, rotation (Rodrigues' formula), translation, in this order; then any further
// steps; finally the displacement of a copy in an array.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/param.h"
#include "math/functions.h"
#include "math/vec3.h"
#include "mesh/mesh.h"
#include "mesh/steps.h"

static const carom_param place_params[] = {
    CAROM_ROW(carom_placement, scale, CAROM_PARAM_VEC3, "", .initial = "[1, 1, 1]", CAROM_RANGE_POSITIVE,
              .doc = "Factors along x, y, z; scaling comes first."),
    CAROM_ROW(carom_placement, axis, CAROM_PARAM_VEC3, "", .initial = "[0, 0, 1]", .flags = CAROM_PARAM_NONZERO,
              .doc = "Axis through the origin about which the scaled mesh is turned."),
    CAROM_ROW(carom_placement, angle, CAROM_PARAM_REAL, "degrees", .initial = "0", CAROM_RANGE_ANY,
              .doc = "How far it is turned, counter-clockwise seen from the tip of the axis."),
    CAROM_ROW(carom_placement, translate, CAROM_PARAM_VEC3, "length", .initial = "[0, 0, 0]",
              .doc = "The displacement, applied last."),
};

static const carom_param array_params[] = {
    CAROM_ROW(carom_placement, copies, CAROM_PARAM_INT3, "", .initial = "[1, 1, 1]", .min = 1, .max = 10000,
              .doc = "Number of bodies along x, y, z."),
    CAROM_ROW(carom_placement, spacing, CAROM_PARAM_VEC3, "length", .initial = "[0, 0, 0]",
              .doc = "From one body to the next along x, y, z."),
};

const carom_param *carom_placement_params(int *count) {
    *count = sizeof place_params / sizeof *place_params;
    return place_params;
}

const carom_param *carom_array_params(int *count) {
    *count = sizeof array_params / sizeof *array_params;
    return array_params;
}

// The defaults of the tables, so that they are defined in one place.
carom_placement carom_default_placement(void) {
    carom_placement placement = {0};
    carom_param_defaults(place_params, sizeof place_params / sizeof *place_params, &placement);
    carom_param_defaults(array_params, sizeof array_params / sizeof *array_params, &placement);
    return placement;
}

// Cosine and sine of an angle, exact for quarter turns: a rotated box keeps faces that are exactly aligned with the axes.
static void turn(double degrees, double *cosine, double *sine) {
    static const double quarter[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    double rest = fmod(degrees, 360);
    rest += rest < 0 ? 360 : 0;
    // fmod is exact, so every multiple of 90 degrees is recognised, however many turns it makes.
    if (fmod(rest, 90) == 0) {
        *cosine = quarter[(int)(rest / 90) % 4][0];
        *sine = quarter[(int)(rest / 90) % 4][1];
    } else {
        *cosine = carom_cos(rest * M_PI / 180);
        *sine = carom_sin(rest * M_PI / 180);
    }
}

// Rotates a vector about a unit axis.
static void rotate(const double axis[3], double c, double s, double x[3]) {
    double along = carom_dot(axis, x), across[3];
    carom_cross(axis, x, across);
    for (int i = 0; i < 3; i++)
        // Rodrigues' formula: x cos + (a x x) sin + a (a.x)(1 - cos).
        x[i] = c * x[i] + s * across[i] + (1 - c) * along * axis[i];
}

static void scale_nodes(carom_mesh *mesh, const double factor[3]) {
    for (int k = 0; k < mesh->node_count; k++)
        for (int i = 0; i < 3; i++)
            mesh->nodes[k][i] *= factor[i];
}

static void move_nodes(carom_mesh *mesh, const double shift[3]) {
    for (int k = 0; k < mesh->node_count; k++)
        for (int i = 0; i < 3; i++)
            mesh->nodes[k][i] += shift[i];
}

// Turns a mesh about an axis through a point, NULL for the origin. Its velocities and frames rotate with it; spins are given in
// the axes of the frames and stay.
static void turn_nodes(carom_mesh *mesh, const double direction[3], double angle, const double *point) {
    double c, s, axis[3];
    // Without rotation coordinates keep exact zeros.
    if (angle == 0)
        return;
    turn(angle, &c, &s);
    carom_copy(direction, axis);
    carom_normalize(axis);
    for (int k = 0; k < mesh->node_count; k++) {
        double *x = mesh->nodes[k];
        if (point)
            carom_difference(x, point, x);
        rotate(axis, c, s, x);
        if (point)
            carom_add_scaled(1, point, x);
        if (mesh->velocities)
            rotate(axis, c, s, mesh->velocities[k]);
        for (int j = 0; mesh->frames && j < 3; j++) {
            // The columns of a frame are its axes in space.
            double column[3] = {mesh->frames[k][0][j], mesh->frames[k][1][j], mesh->frames[k][2][j]};
            rotate(axis, c, s, column);
            for (int i = 0; i < 3; i++)
                mesh->frames[k][i][j] = column[i];
        }
    }
}

// Along the normal, until the node that is nearest to the plane, or deepest behind it, is at the distance `gap` in front.
static void put_on_plane(carom_mesh *mesh, const carom_place_step *step) {
    double n[3], nearest = HUGE_VAL, shift[3];
    carom_copy(step->vector, n);
    carom_normalize(n);
    double offset = carom_dot(n, step->point);
    for (int k = 0; k < mesh->node_count; k++)
        nearest = fmin(nearest, carom_dot(n, mesh->nodes[k]) - offset);
    for (int i = 0; i < 3; i++)
        shift[i] = (step->gap - nearest) * n[i];
    move_nodes(mesh, shift);
}

static void take_step(carom_mesh *mesh, const carom_place_step *step) {
    double center[3], shift[3];
    switch (step->action) {
    case CAROM_PLACE_SCALE: scale_nodes(mesh, step->vector); break;
    case CAROM_PLACE_TURN: turn_nodes(mesh, step->vector, step->angle, step->point); break;
    case CAROM_PLACE_TURN_ABOUT_CENTER:
        carom_mesh_center(mesh, center);
        turn_nodes(mesh, step->vector, step->angle, center);
        break;
    case CAROM_PLACE_MOVE: move_nodes(mesh, step->vector); break;
    case CAROM_PLACE_CENTER:
        carom_mesh_center(mesh, center);
        carom_difference(step->vector, center, shift);
        move_nodes(mesh, shift);
        break;
    case CAROM_PLACE_ON_PLANE: put_on_plane(mesh, step); break;
    }
}

// How far a copy is from the first one; copies are numbered with x fastest.
static void find_spacing(const carom_placement *placement, int copy, double offset[3]) {
    const int *n = placement->copies;
    int at[3] = {copy % n[0], copy / n[0] % n[1], copy / n[0] / n[1]};
    for (int i = 0; i < 3; i++)
        offset[i] = at[i] * placement->spacing[i];
}

void carom_mesh_place(carom_mesh *mesh, const carom_placement *placement, int copy) {
    double shift[3];
    find_spacing(placement, copy, shift);
    for (int i = 0; i < 3; i++)
        shift[i] = placement->translate[i] + shift[i];
    scale_nodes(mesh, placement->scale);
    turn_nodes(mesh, placement->axis, placement->angle, NULL);
    move_nodes(mesh, shift);
}

void carom_mesh_place_steps(carom_mesh *mesh, const carom_placement *placement, const carom_place_step *steps, int step_count,
                            int copy) {
    double offset[3];
    // Without further steps translation and spacing are one movement, whose sum is rounded once.
    if (step_count == 0) {
        carom_mesh_place(mesh, placement, copy);
        return;
    }
    carom_mesh_place(mesh, placement, 0);
    for (int s = 0; s < step_count; s++)
        take_step(mesh, &steps[s]);
    find_spacing(placement, copy, offset);
    move_nodes(mesh, offset);
}
