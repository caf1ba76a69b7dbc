// SPDX-License-Identifier: MIT
// Placement of a body in a scene: scaling, rotation (Rodrigues' formula), translation, in this order; and arrays of copies.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/param.h"
#include "math/functions.h"
#include "math/vec3.h"
#include "mesh/mesh.h"

static const carom_param place_params[] = {
    CAROM_ROW(carom_placement, scale, CAROM_PARAM_VEC3, "", .initial = "[1, 1, 1]", CAROM_RANGE_POSITIVE,
              .doc = "Factors along x, y, z; scaling comes first."),
    CAROM_ROW(carom_placement, axis, CAROM_PARAM_VEC3, "", .initial = "[0, 0, 1]", .flags = CAROM_PARAM_NONZERO,
              .doc = "Axis through the origin about which the scaled mesh is turned."),
    CAROM_ROW(carom_placement, angle, CAROM_PARAM_REAL, "degrees", .initial = "0", CAROM_RANGE_ANY,
              .doc = "How far it is turned, counter-clockwise seen from the tip of the axis."),
    CAROM_ROW(carom_placement, translate, CAROM_PARAM_VEC3, "length", .initial = "[0, 0, 0]",
              .doc = "How far it is moved, at last."),
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

// From the tables, so that the defaults stand in one place.
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

void carom_mesh_place(carom_mesh *mesh, const carom_placement *placement, int copy) {
    const int *n = placement->copies;
    // Copies are numbered with x fastest.
    int at[3] = {copy % n[0], copy / n[0] % n[1], copy / n[0] / n[1]};
    double c, s, axis[3], shift[3];
    turn(placement->angle, &c, &s);
    carom_copy(placement->axis, axis);
    carom_normalize(axis);
    for (int i = 0; i < 3; i++)
        shift[i] = placement->translate[i] + at[i] * placement->spacing[i];

    for (int k = 0; k < mesh->node_count; k++) {
        double *x = mesh->nodes[k];
        for (int i = 0; i < 3; i++)
            x[i] *= placement->scale[i];
        // Without rotation coordinates are scaled and moved only, and keep exact zeros.
        if (placement->angle != 0)
            rotate(axis, c, s, x);
        for (int i = 0; i < 3; i++)
            x[i] += shift[i];
    }

    // Velocities and frames of the mesh rotate with it. Spins are given in the axes of the frames and stay.
    for (int k = 0; k < mesh->node_count && placement->angle != 0; k++) {
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
