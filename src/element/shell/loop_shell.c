// SPDX-License-Identifier: MIT
// Theory: docs/theory/loop_shell.md
// Thin shells after F. Cirak, M. Ortiz, P. Schroeder, Int. J. Numer. Meth. Engng 47 (2000) 2039-2072, and for large
// deformations F. Cirak, M. Ortiz, ibid. 51 (2001) 813-833. Triangles control a smooth surface by Loop's subdivision scheme,
// and normals stay normal (Kirchhoff-Love), so that nodes need no rotations. The surface is a combination of the nodes of a
// patch (mesh/loop_patch.h), the energy a sum over one or three points per triangle (loop_shell_point.c).
//
// Beyond open edges the surface is continued by ghost points that are combinations of nodes. Their weights are added to those
// of the nodes at the start, so that the force is the exact gradient of the energy, and translations and rotations have no
// energy at a free edge.
//
// Masses are lumped by row sums of the shape functions over all points.
#include "element/shell/loop_shell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/param.h"
#include "element/body_step.h"
#include "element/element.h"
#include "element/largest_eigenvalue.h"
#include "material/material.h"
#include "math/vec3.h"

static const char *const integrations[] = {"one-point", "three-point", NULL};

static const carom_param params[] = {
    CAROM_ROW(carom_loop_shell_params, thickness, CAROM_PARAM_REAL, "length", CAROM_RANGE_POSITIVE,
              .doc = "Thickness of the undeformed shell. Contact takes place at its middle surface."),
    CAROM_ROW(carom_loop_shell_params, integration, CAROM_PARAM_CHOICE, "", .initial = "one-point", .choices = integrations,
              .doc = "Quadrature of each triangle. `one-point` suits dynamics; `three-point` is three times as "
                     "expensive and more accurate in statics."),
    CAROM_ROW(carom_loop_shell_params, layers, CAROM_PARAM_INT, "", .initial = "5", .min = CAROM_LAYERS_MIN,
              .max = CAROM_LAYERS_MAX,
              .doc = "Gauss points across the thickness, each with its own history, for elastoplastic materials; others "
                     "have three."),
    CAROM_ROW(carom_loop_shell_params, symmetry, CAROM_PARAM_TEXT, "", .initial = "",
              .doc = "Planes of symmetry, such as `x=0 y=2.5`, at most one across each axis: open edges in such a plane "
                     "are continued by their mirror image. Restrain their nodes along the normal of the plane."),
    CAROM_ROW(carom_loop_shell_params, clamped, CAROM_PARAM_TEXT, "", .initial = "",
              .doc = "Names of node sets of the mesh, or `all`: open edges between nodes of such a set do not turn. "
                     "Restrain their nodes as well."),
};

// A shell needs a law for sheets: stress as a function of the metric, with no stress across the thickness.
static carom_status accepts(const void *params_, const carom_material *material, carom_error *error) {
    (void)params_;
    return material->sheet
               ? CAROM_OK
               : carom_fail(error, CAROM_BAD_INPUT,
                            "material '%s' has no law for shells: use st-venant-kirchhoff, which is the same for small strains",
                            material->kind.name);
}

// Adds the mass of one point to the nodes of its element. The weights are those of the position of the point, which add up to
// one, so that the lumped masses add up to the mass of the shell.
static void add_mass(const carom_shell *s, int e, int q, const carom_shell_rows *rows, double *mass) {
    double m =
        s->block->material->density(s->block->material_params) * s->thickness * *carom_shell_data(s, e, q, CAROM_SHELL_AREA);
    for (int a = 0; a < s->n; a++)
        mass[s->block->nodes[(ptrdiff_t)s->n * e + a]] += m * rows->mass[a];
}

static carom_status prepare(const carom_block *block, const double (*X)[3], double *mass, carom_error *error) {
    carom_shell s = carom_shell_of(block);
    for (int e = 0; e < block->count; e++)
        for (int q = 0; q < s.point_count; q++) {
            carom_shell_rows rows;
            carom_shell_point point;
            carom_shell_read_rows(&s, e, q, &rows);
            carom_shell_place(&s, e, &rows, X, &point);
            double area = 0.5 / s.point_count * point.J, none[3] = {0}, S[3], H[3][3];
            if (!(area > 0) || !isfinite(area))
                return carom_fail(error, CAROM_BAD_INPUT, "element %lld has no area", (long long)carom_block_id(block, e));
            // The stiffness of the undeformed shell; the batched kernel reads it from the data.
            block->material->sheet(block->material_params, point.g, none, S, H, NULL);
            const double stiffness[6] = {H[0][0], H[1][1], H[2][2], H[0][1], H[0][2], H[1][2]};
            for (int k = 0; k < 3; k++) {
                *carom_shell_data(&s, e, q, CAROM_SHELL_METRIC + k) = point.g[k];
                *carom_shell_data(&s, e, q, CAROM_SHELL_CURVATURE + k) = point.b[k];
            }
            for (int k = 0; k < 6; k++)
                *carom_shell_data(&s, e, q, CAROM_SHELL_STIFFNESS + k) = area * s.thickness * stiffness[k];
            *carom_shell_data(&s, e, q, CAROM_SHELL_AREA) = area;
            add_mass(&s, e, q, &rows, mass);
        }
    carom_shell_bound_prepare(block, X);
    carom_block_repeat_last(block);
    return CAROM_OK;
}

// The masses of a block, for the stable step of the body; `prepare` has filled the areas before.
static void masses(const carom_block *block, const double (*X)[3], double *mass) {
    (void)X;
    carom_shell s = carom_shell_of(block);
    for (int e = 0; e < block->count; e++)
        for (int q = 0; q < s.point_count; q++) {
            carom_shell_rows rows;
            carom_shell_read_rows(&s, e, q, &rows);
            add_mass(&s, e, q, &rows, mass);
        }
}

// Membrane and bending energy of each element from `begin` on, for any law.
static void parts_plain(const carom_block *block, int begin, int end, const double (*x)[3], double (*parts)[2]) {
    carom_shell s = carom_shell_of(block);
    for (int e = begin; e < end; e++) {
        double *own = parts[e - begin];
        own[0] = own[1] = 0;
        for (int q = 0; q < s.point_count; q++) {
            carom_shell_rows rows;
            carom_shell_point point;
            double strain[6], membrane = HUGE_VAL;
            carom_shell_read_rows(&s, e, q, &rows);
            carom_shell_place(&s, e, &rows, x, &point);
            carom_shell_strain(&s, e, q, &point, strain);
            double all = carom_shell_law(&s, e, q, strain, NULL, NULL, &membrane);
            // The bending energy is the difference from a shell with membrane strain alone, since a nonlinear law does not
            // separate them.
            own[0] += all < HUGE_VAL ? membrane : all;
            own[1] += all < HUGE_VAL ? all - membrane : 0;
        }
    }
}

static void parts_of(const carom_block *block, int begin, int end, const double (*x)[3], double (*parts)[2]) {
    if (carom_shell_is_batched(block))
        carom_shell_kernel_parts(block, begin, end, x, parts);
    else
        parts_plain(block, begin, end, x, parts);
}

static void split(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *energy) {
    (void)X;
    parts_of(block, begin, end, x, (double(*)[2])(energy + 2 * (ptrdiff_t)begin));
}

static void energy(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *energy_) {
    (void)X;
    // Both parts are computed together and added here, in a buffer that stays on the stack.
    enum { CHUNK = 64 };
    for (int from = begin, to; from < end; from = to) {
        double parts[CHUNK][2];
        to = from + CHUNK < end ? from + CHUNK : end;
        parts_of(block, from, to, x, parts);
        for (int e = from; e < to; e++)
            energy_[e] = parts[e - from][0] + parts[e - from][1];
    }
}

// The version for laws without a batched kernel.
static void force_plain(const carom_block *block, int begin, int end, const double (*x)[3], double *force) {
    carom_shell s = carom_shell_of(block);
    int n = s.n;
    for (int e = begin; e < end; e++) {
        for (int k = 0; k < 3 * n; k++)
            force[carom_lane(e, k, 3 * n)] = 0;
        for (int q = 0; q < s.point_count; q++) {
            carom_shell_rows rows;
            carom_shell_point point;
            double strain[6], resultant[6], z[15];
            carom_shell_read_rows(&s, e, q, &rows);
            carom_shell_place(&s, e, &rows, x, &point);
            carom_shell_strain(&s, e, q, &point, strain);
            if (!(carom_shell_law(&s, e, q, strain, resultant, NULL, NULL) < HUGE_VAL))
                for (int k = 0; k < 6; k++)
                    resultant[k] = NAN;
            carom_shell_gradient(&point, resultant, z);
            // The chain rule: the derivatives y of the position are linear in the nodes, with the rows D as coefficients.
            for (int k = 0; k < 15; k++)
                for (int a = 0; a < n; a++)
                    force[carom_lane(e, 3 * a + k % 3, 3 * n)] -= rows.D[k * n + a] * z[k];
        }
    }
}

static void force(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *force_) {
    (void)X;
    if (carom_shell_is_batched(block))
        carom_shell_kernel_force(block, begin, end, x, force_);
    else if (carom_shell_flows_batched(block))
        carom_shell_flow_force(block, begin, end, x, force_);
    else
        force_plain(block, begin, end, x, force_);
}

// The second derivative of the energy of a point with respect to y.
static void hessian_of(const carom_shell *s, int e, int q, const carom_shell_rows *rows, const double (*x)[3],
                       double h[15][15]) {
    carom_shell_point point;
    double strain[6], resultant[6], tangent[6][6];
    carom_shell_place(s, e, rows, x, &point);
    carom_shell_strain(s, e, q, &point, strain);
    carom_shell_law(s, e, q, strain, resultant, tangent, NULL);
    carom_shell_hessian(&point, resultant, (const double(*)[6])tangent, h);
}

static void stiffness(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *K) {
    (void)X;
    carom_shell s = carom_shell_of(block);
    int n = s.n, dofs = 3 * n;
    for (int e = begin; e < end; e++) {
        double *own = K + (ptrdiff_t)dofs * dofs * e;
        memset(own, 0, sizeof *own * (size_t)dofs * (size_t)dofs);
        for (int q = 0; q < s.point_count; q++) {
            carom_shell_rows rows;
            double h[15][15];
            carom_shell_read_rows(&s, e, q, &rows);
            hessian_of(&s, e, q, &rows, x, h);
            for (int r = 0; r < dofs; r++) {
                // One row of D^T h D. D is block diagonal in x, y, z, so only every third number of a row of D counts.
                double row[15] = {0};
                for (int c = 0; c < 15; c++)
                    for (int k = r % 3; k < 15; k += 3)
                        row[c] += rows.D[k * n + r / 3] * h[k][c];
                for (int c = 0; c < 15; c++)
                    for (int b = 0; b < n; b++)
                        own[dofs * r + 3 * b + c % 3] += row[c] * rows.D[c * n + b];
            }
        }
    }
}

// With its own lumped mass alone a separate element would underestimate the step: in a mesh its nodes have more mass, above all
// the outer nodes of its patch. On an even mesh each node has the mass 2 rho t A of two triangles and occupies each place in a
// patch twice; shares k_a/(2 sum k) of it, with the stiffness k_a of the element at the node, make the smallest 2/omega of the
// elements nearly sharp. With the rows D of weights and L L^T = D M^-1 D^T, omega^2 is the largest eigenvalue of L^T h L, a
// matrix whose size does not depend on the number of nodes. The step is reduced by a tenth for uneven meshes.
static void stable_step(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *step) {
    (void)X;
    enum { SIZE = 15 * CAROM_SHELL_POINTS_MAX };
    carom_shell s = carom_shell_of(block);
    int n = s.n, size = 15 * s.point_count;
    double density = block->material->density(block->material_params);
    for (int e = begin; e < end; e++) {
        carom_shell_rows rows[CAROM_SHELL_POINTS_MAX];
        // `share`: masses in proportion to the stiffness, unrelated to the lumped mass of add_mass
        double h[CAROM_SHELL_POINTS_MAX][15][15], share[CAROM_SHELL_NODES_MAX], all = 0, area = 0;
        memset(share, 0, sizeof share);
        for (int q = 0; q < s.point_count; q++) {
            carom_shell_read_rows(&s, e, q, &rows[q]);
            hessian_of(&s, e, q, &rows[q], x, h[q]);
            area += *carom_shell_data(&s, e, q, CAROM_SHELL_AREA);
            for (int a = 0; a < n; a++)
                for (int i = 0; i < 3; i++)
                    for (int r = i; r < 15; r += 3)
                        for (int c = i; c < 15; c += 3)
                            share[a] += rows[q].D[r * n + a] * h[q][r][c] * rows[q].D[c * n + a];
        }
        for (int a = 0; a < n; a++) {
            // A compressed shell may have a negative stiffness at a node, which then has no share of the mass.
            share[a] = fmax(share[a], 0);
            all += share[a];
        }
        for (int a = 0; a < n; a++)
            share[a] *= density * s.thickness * area / all;

        // D M^-1 D^T and its Cholesky factor; rows that depend on earlier ones get a zero pivot and drop out.
        double P[SIZE][SIZE], L[SIZE][SIZE] = {{0}}, A[SIZE * SIZE];
        for (int r = 0; r < size; r++)
            for (int c = 0; c <= r; c++) {
                double sum = 0;
                for (int a = 0; r % 3 == c % 3 && a < n; a++)
                    if (share[a] > 0)
                        sum += rows[r / 15].D[r % 15 * n + a] * rows[c / 15].D[c % 15 * n + a] / share[a];
                P[r][c] = sum;
            }
        for (int c = 0; c < size; c++)
            for (int r = c; r < size; r++) {
                double sum = P[r][c];
                for (int k = 0; k < c; k++)
                    sum -= L[r][k] * L[c][k];
                if (r == c)
                    L[c][c] = sum > 1e-12 * P[c][c] ? sqrt(sum) : 0;
                else
                    L[r][c] = L[c][c] > 0 ? sum / L[c][c] : 0;
            }
        for (int r = 0; r < size; r++)
            for (int c = 0; c < size; c++) {
                double sum = 0;
                for (int k = r; k < size; k++)
                    for (int l = 0; l < 15; l++)
                        sum += L[k][r] * h[k / 15][k % 15][l] * L[k / 15 * 15 + l][c];
                A[size * r + c] = sum;
            }
        step[e] = 0.9 * 2 / sqrt(carom_largest_eigenvalue(A, size));
    }
}

// The sharpness keeps the step within one percent of the true one.
static double body_step(const carom_block *blocks, int block_count, const double (*X)[3]) {
    return carom_body_step_smooth(blocks, block_count, 3, 0.018, masses, X);
}

// The thickness times the area of the smooth surface, which differs from that of the triangles.
static void volume(const carom_block *block, int begin, int end, const double (*X)[3], double *volume_) {
    (void)X;
    carom_shell s = carom_shell_of(block);
    for (int e = begin; e < end; e++) {
        volume_[e] = 0;
        for (int q = 0; q < s.point_count; q++)
            volume_[e] += s.thickness * *carom_shell_data(&s, e, q, CAROM_SHELL_AREA);
    }
}

// Tension, bending moments and, for other laws than that of St. Venant and Kirchhoff, compression stiffen a shell.
static bool stiffens(const carom_block *block) {
    (void)block;
    return true;
}

// Mirror planes and clamped edges are fixed in space, so an element with them is not invariant under rotations.
static bool turns_freely(const carom_block *block) {
    return block->variant != CAROM_SHELL_AFFINE;
}

const carom_element carom_element_loop_shell = {
    .kind = {.name = "loop-shell",
             .summary = "Thin shell of triangles that control a smooth surface; any rotation, no rotational unknowns.",
             .reference =
                 "F. Cirak, M. Ortiz, P. Schroeder: Subdivision surfaces: a new paradigm for thin-shell finite-element "
                 "analysis. Int. J. Numer. Meth. Engng 47 (2000) 2039-2072.",
             CAROM_PARAMS(params, carom_loop_shell_params)},
    .nonnegative = true,
    .cell = CAROM_CELL_TRI3,
    .node_count = 3,
    .needs_material = true,
    .fields = {{"membrane_force", 6},
               {"bending_moment", 6},
               {"von_mises", 1},
               {"thickness", 1},
               {"principal_curvature", 2},
               {"membrane_energy", 1},
               {"bending_energy", 1}},
    .parts = {"membrane", "bending"},
    .accepts = accepts,
    .points = carom_shell_points,
    .arrange = carom_shell_arrange,
    .prepare = prepare,
    .energy = energy,
    .split = split,
    .force = force,
    .stiffness = stiffness,
    .stable_step = stable_step,
    .body_step = body_step,
    .stiffens = stiffens,
    .bound = carom_shell_bound,
    .volume = volume,
    .measure = carom_shell_measure,
    .field = carom_shell_field,
    .turns_freely = turns_freely,
};
