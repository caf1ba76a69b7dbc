// SPDX-License-Identifier: MIT
// Generates a row of two-node cells along a helix, each cell the same helical arc, whose nodes have frames (three axes each,
// for beams); and the initial velocities with which it moves to a second such curve.
#include <math.h>
#include <stddef.h>

#include "base/allocate.h"
#include "math/se3.h"
#include "math/vec3.h"
#include "mesh/mesh.h"
#include "mesh/rows.h"

#define ROW(field, type_, unit_, ...) \
    .name = #field, .type = type_, .offset = offsetof(carom_curve_params, field), .unit = unit_, __VA_ARGS__

static const carom_param params[] = {
    {ROW(start, CAROM_PARAM_VEC3, "length", .initial = "[0, 0, 0]", .doc = "The first node; the set `start`.")},
    {ROW(turn, CAROM_PARAM_VEC3, "", .initial = "[0, 0, 0]",
         .doc = "Axis of the rotation of the first frame, as long as its angle in radians. "
                "Without rotation the curve sets out along z.")},
    {ROW(length, CAROM_PARAM_REAL, "length", CAROM_RANGE_POSITIVE, .doc = "Length of the curve without `strain`.")},
    {ROW(elements, CAROM_PARAM_INT, "", .min = 1, .max = 100000000, .doc = "Number of cells.")},
    {ROW(curvature, CAROM_PARAM_VEC3, "1/length", .initial = "[0, 0, 0]",
         .doc = "Bending about the first two axes of the frame and twist about the third, the same everywhere.")},
    {ROW(strain, CAROM_PARAM_VEC3, "", .initial = "[0, 0, 0]",
         .doc = "Shear along the first two axes and stretch along the third.")},
    {ROW(over, CAROM_PARAM_REAL, "time", .initial = "0", CAROM_RANGE_NONNEGATIVE,
         .doc =
             "Time in which the curve moves to the shape of the keys `next_...`; its nodes start with the velocities that lead "
             "there. 0: it starts at rest.")},
    {ROW(next_start, CAROM_PARAM_VEC3, "length", .initial = "[0, 0, 0]", .doc = "`start` of the second shape.")},
    {ROW(next_turn, CAROM_PARAM_VEC3, "", .initial = "[0, 0, 0]", .doc = "`turn` of the second shape.")},
    {ROW(next_curvature, CAROM_PARAM_VEC3, "1/length", .initial = "[0, 0, 0]", .doc = "`curvature` of the second shape.")},
    {ROW(next_strain, CAROM_PARAM_VEC3, "", .initial = "[0, 0, 0]", .doc = "`strain` of the second shape.")},
};

// The pose of node k + 1 from that of node k: one step along the group by the Cayley map of the strain times the length.
static void advance_pose(double ds, const double curvature[3], const double strain[3], const double x[3], const double R[3][3],
                         double x2[3], double R2[3][3]) {
    double w[3], g[3];
    for (int i = 0; i < 3; i++) {
        w[i] = ds * curvature[i];
        // Without strain the frame moves along its third axis, at unit speed in the arc length.
        g[i] = ds * (strain[i] + (i == 2));
    }
    carom_pose_move(x, R, w, g, x2, R2);
}

// Initial velocities tau^-1(g^-1 g')/over from the first shape to the second one. The multisymplectic integrator then reaches
// the second shape after its first step, if that has the length `over`. Translations are rotated into space; spins stay in the
// frames.
static void set_out(const carom_curve_params *p, carom_mesh *mesh) {
    double ds = p->length / p->elements, x[3], R[3][3];
    carom_copy(p->next_start, x);
    carom_mat3_rotation(p->next_turn, R);
    for (int k = 0; k <= p->elements; k++) {
        double T[3][3], t[3], w[3], g[3], x2[3], R2[3][3];
        const double(*frame)[3] = (carom_const_vectors)mesh->frames[k];
        // the motion from the first pose to the second, in the axes of the first; the inverse Cayley map gives the velocity
        carom_pose_between(mesh->nodes[k], frame, x, (carom_const_vectors)R, T, t);
        carom_cayley_inverse((carom_const_vectors)T, t, w, g);
        carom_mat3_apply(frame, g, mesh->velocities[k]);
        for (int i = 0; i < 3; i++) {
            mesh->velocities[k][i] /= p->over;
            mesh->spins[k][i] = w[i] / p->over;
        }
        advance_pose(ds, p->next_curvature, p->next_strain, x, (carom_const_vectors)R, x2, R2);
        carom_copy(x2, x);
        carom_mat3_copy((carom_const_vectors)R2, R);
    }
}

static carom_status generate(const void *params_, carom_mesh *mesh, carom_error *error) {
    const carom_curve_params *p = params_;
    // A stretch of -1 shrinks the curve to a point.
    if (!(p->strain[2] > -1))
        return carom_fail(error, CAROM_BAD_INPUT, "curve: a stretch of %g leaves the curve without length", p->strain[2]);
    int n = p->elements;
    carom_status status = carom_mesh_allocate(mesh, n + 1, CAROM_CELL_LINE2, n, error);
    if (status)
        return status;
    // Curves are for beams, which need the orientation of the cross-sections at the nodes.
    mesh->frames = carom_allocate(n + 1, sizeof *mesh->frames);
    mesh->velocities = carom_allocate(n + 1, sizeof *mesh->velocities);
    mesh->spins = carom_allocate(n + 1, sizeof *mesh->spins);
    if (!mesh->frames || !mesh->velocities || !mesh->spins)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for a curve of %d nodes", n + 1);

    // Node after node, since each pose follows from the one before.
    carom_copy(p->start, mesh->nodes[0]);
    carom_mat3_rotation(p->turn, mesh->frames[0]);
    for (int k = 0; k < n; k++) {
        mesh->blocks[0].nodes[2 * k] = k;
        mesh->blocks[0].nodes[2 * k + 1] = k + 1;
        advance_pose(p->length / n, p->curvature, p->strain, mesh->nodes[k], (carom_const_vectors)mesh->frames[k],
                     mesh->nodes[k + 1], mesh->frames[k + 1]);
    }
    if (p->over > 0)
        set_out(p, mesh);

    status = carom_mesh_add_set(mesh, "start", (const int[]){0}, 1, error);
    return status ? status : carom_mesh_add_set(mesh, "end", &n, 1, error);
}

const carom_generator carom_generator_curve = {
    CAROM_GENERATOR_KIND("curve", carom_curve_params, params,
                         "A row of two-node cells along a circle or helix, with frames for beams. Sets: start, end.", ""),
    .generate = generate,
};
