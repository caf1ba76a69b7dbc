// SPDX-License-Identifier: MIT
// The patches of `nodal`: elements that average the deformation gradient over the neighbourhood of a node. The mean F, with
// displacements u of the nodes relative to the first one, is
//
//     F = I + sum_b (u_b - u_0) (x) g_b,   E = V W'(F),   f_b = -V P' g_b,   f_0 = -sum_b f_b,
//     K_(bi)(ck) = V g_bJ A'_iJkL g_cL,
//
// with the law W' of patches (nodal.c), P' = dW'/dF, A' = dP'/dF, the gradients g_b of F with respect to the nodes, and the
// volume V.
//
// With the volumes w_b of the nodes that move with the patch, omega^2 is the largest eigenvalue of (V/rho) A'_iJkL H_LM, H =
// sum_b g_b (x) g_b/w_b: a matrix of nine by nine for any number of nodes. The shares of all patches and cells add up to the
// masses, so no frequency of a body exceeds the largest of theirs.
#include <math.h>
#include <string.h>

#include "element/average/isochoric.h"
#include "element/average/nodal.h"
#include "element/bound.h"
#include "element/element.h"
#include "element/largest_eigenvalue.h"
#include "element/point_law.h"
#include "element/points_body.h"
#include "element/solid/solid_kernel.h"
#include "element/solid/solid_point.h"
#include "math/vec3.h"

static void gradient(const carom_block *block, int e, int a, double g[3]) {
    for (int i = 0; i < 3; i++)
        g[i] = carom_nodal_number(block, e, 3 * (a - 1) + i);
}

// Gradients of all nodes; that of the first one is minus the sum of the others.
static void gradients(const carom_block *block, int e, double (*g)[3]) {
    memset(g[0], 0, sizeof g[0]);
    for (int a = 1; a < block->node_count; a++) {
        gradient(block, e, a, g[a]);
        carom_add_scaled(-1, g[a], g[0]);
    }
}

// F from displacements, so that it is exactly I for a body that has not moved.
static void deformation(const carom_block *block, int e, const double (*x)[3], const double (*X)[3], double F[9]) {
    const int *nodes = &block->nodes[(ptrdiff_t)e * block->node_count];
    double u0[3];
    carom_difference(x[nodes[0]], X[nodes[0]], u0);
    memset(F, 0, 9 * sizeof *F);
    for (int a = 1; a < block->node_count; a++) {
        double u[3], g[3];
        carom_difference(x[nodes[a]], X[nodes[a]], u);
        gradient(block, e, a, g);
        carom_points_deform_patch(u, u0, g, F);
    }
    for (int i = 0; i < 3; i++)
        F[4 * i] += 1;
}

// The gradients of a patch reproduce linear fields, so F from positions equals that from displacements up to rounding.
void carom_nodal_patch_map(const carom_block *block, int e, const double (*x)[3], double F[3][3], double *change) {
    const int *nodes = &block->nodes[(ptrdiff_t)e * block->node_count];
    double rest[3] = {0};
    memset(F, 0, 3 * sizeof *F);
    *change = 0;
    for (int a = 1; a < block->node_count; a++) {
        double d[3], g[3];
        carom_difference(x[nodes[a]], x[nodes[0]], d);
        gradient(block, e, a, g);
        carom_add_scaled(-1, g, rest);
        *change += carom_norm(g);
        for (int i = 0; i < 9; i++)
            F[i / 3][i % 3] += d[i / 3] * g[i % 3];
    }
    *change += carom_norm(rest);
}

// The data were filled when the patches were arranged, and the masses are those of the cells.
static carom_status prepare(const carom_block *block, const double (*X)[3], double *mass, carom_error *error) {
    (void)X, (void)mass, (void)error;
    carom_block_repeat_last(block);
    return CAROM_OK;
}

bool carom_nodal_visit_next(carom_nodal_visit *visit, const double (*x)[3], const double (*X)[3]) {
    const carom_block *block = visit->block;
    visit->q++;
    if (block->element == &carom_nodal_patch) {
        gradients(block, visit->e, visit->g);
        deformation(block, visit->e, x, X, visit->F);
        visit->volume = carom_nodal_number(block, visit->e, carom_nodal_volume(block->node_count));
        return visit->q == 0;
    }
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    if (visit->q == shape->point_count)
        return false;
    const int *nodes = &block->nodes[(ptrdiff_t)visit->e * block->node_count];
    carom_solid_point p = carom_solid_point_of(shape, block, nodes, visit->q, X);
    memcpy(visit->g, p.g, sizeof p.g);
    visit->volume = p.volume;
    carom_solid_deformation(shape, nodes, &p, x, X, visit->F);
    return true;
}

static int points(const carom_block *block, carom_point_form *form) {
    (void)block;
    *form = CAROM_POINT_SOLID;
    return 1;
}

// The Cholesky factor of H times the volume: a square of reciprocal lengths, so that its roots scale exactly with a unit of
// length that is a power of two.
static void inertia_factor(const carom_block *block, int e, double L[3][3]) {
    int n = block->node_count;
    double g[CAROM_NODAL_NODES_MAX][3], H[3][3] = {{0}}, volume = carom_nodal_number(block, e, carom_nodal_volume(n));
    gradients(block, e, g);
    for (int a = 0; a < n; a++) {
        double share = carom_nodal_number(block, e, carom_nodal_share(n, a)) / volume;
        for (int i = 0; i < 9 && share > 0; i++)
            H[i / 3][i % 3] += g[a][i / 3] * g[a][i % 3] / share;
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = H[i][j];
            for (int k = 0; k < j; k++)
                sum -= L[i][k] * L[j][k];
            L[i][j] = i < j ? 0 : i == j ? sqrt(sum) : sum / L[j][j];
        }
}

static void stable_step(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *step) {
    bool split = carom_nodal_is_split(block);
    carom_elastic_params law = split ? (carom_elastic_params){0} : carom_nodal_patch_law(block);
    double rho = block->material->density(block->material_params);
    for (int e = begin; e < end; e++) {
        double F[9], P[9], A[81], C[81], L[3][3];
        deformation(block, e, x, X, F);
        inertia_factor(block, e, L);
        // A patch whose law is undefined has no stable step.
        double energy = split ? carom_nodal_split_tangent(block, e, F, A) : block->material->solid(&law, F, P, A);
        if (!(energy < HUGE_VAL)) {
            step[e] = 0;
            continue;
        }
        carom_split_turn(A, (carom_const_vectors)L, C);
        step[e] = 2 / sqrt(carom_largest_eigenvalue(C, 9) / rho);
    }
}

void carom_nodal_volumes(const carom_block *block, int begin, int end, const double (*X)[3], double *volume) {
    (void)X;
    for (int e = begin; e < end; e++)
        volume[e] = carom_nodal_number(block, e, carom_nodal_volume(block->node_count));
}

// The fields show the stress of the whole law, not of its part in patches, at the mean deformation around the node.
static void field(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], int field_,
                  double *values) {
    int components = block->element->fields[field_].components;
    for (int first = begin; first < end; first += CAROM_LANES) {
        double tensors[CAROM_LANES * CAROM_SOLID_TENSORS] = {0}, *shown[CAROM_ELEMENT_FIELDS_MAX] = {NULL};
        int last = first + CAROM_LANES < end ? first + CAROM_LANES : end;
        for (int e = first; e < last; e++) {
            double F[9], P[9], stress[6] = {0}, strain[6] = {0};
            deformation(block, e, x, X, F);
            if (!(carom_point_solid(block, e, 0, 0, F, P, NULL) < HUGE_VAL))
                memset(P, 0, sizeof P);
            carom_solid_add_tensors(block, 1, F, P, stress, strain);
            carom_solid_put_tensors(e - first, stress, strain, tensors);
        }
        shown[field_] = &values[(ptrdiff_t)components * first];
        carom_solid_show(tensors, 0, last - first, shown);
    }
}

const carom_element carom_nodal_patch = {
    .kind = {.name = "nodal", .summary = "", .reference = ""},
    .nonnegative = true,
    .cell = CAROM_CELL_POINT,
    .needs_material = true,
    .fields = CAROM_SOLID_FIELDS,
    .arrange = carom_nodal_arrange,
    .points = points,
    .prepare = prepare,
    .energy = carom_nodal_energy,
    .force = carom_nodal_force,
    .stiffness = carom_nodal_stiffness,
    .stable_step = stable_step,
    .stiffens = carom_solid_stiffens,
    .bound = carom_nodal_bound,
    .volume = carom_nodal_volumes,
    .single = carom_nodal_single,
    .field = field,
};
