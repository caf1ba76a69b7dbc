// SPDX-License-Identifier: MIT
// Theory: docs/theory/volumes.md
// Tetrahedra that do not lock in volume: the isochoric energy is that of each cell, the volumetric energy that of the volume
// around each node.
//
//     E = sum_e V_e W_iso(F_e) + sum_a V_a kappa/2 (ln j_a)^2,   j_a = sum_e v_e/sum_e V_e   over the cells e of node a,
//
// with the reference volumes V_e and the present volumes v_e of these cells, and V_a a quarter of the sum of their V_e. This
// file has the cells (their forces are in isochoric_kernel.c), volume_patch.c the nodes. The second energy resists every motion
// that changes the volume of a patch, the first all others, so that only rigid motions have no energy.
//
// The pressure of a cell is the mean of those of its four nodes: its Cauchy stress is that of W_iso plus I/4 times the sum of
// kappa ln j_a/j_a. The fields of cells have the first term and those of patches the second; output adds them
// (carom_element.parted).
#include <math.h>
#include <string.h>

#include "element/average/balanced_volume.h"
#include "element/average/isochoric.h"
#include "element/average/nodal.h"
#include "element/average/volumes.h"
#include "element/body_step.h"
#include "element/bound.h"
#include "element/element.h"
#include "element/point_law.h"
#include "element/solid/balanced.h"
#include "element/solid/solid_kernel.h"
#include "element/solid/solid_point.h"
#include "math/vec3.h"

// A cell at the given positions.
typedef struct cell_state {
    carom_solid_point at;
    double F[9];
} cell_state;

static cell_state evaluate(const carom_block *block, int e, const double (*x)[3], const double (*X)[3]) {
    const int *nodes = &block->nodes[4 * (ptrdiff_t)e];
    cell_state s = {.at = carom_solid_point_of(&carom_shape_tet4, block, nodes, 0, X)};
    carom_solid_deformation(&carom_shape_tet4, nodes, &s.at, x, X, s.F);
    return s;
}

void carom_volume_energy(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                         double *energy) {
    for (int e = begin; e < end; e++) {
        cell_state s = evaluate(block, e, x, X);
        energy[e] = s.at.volume * carom_point_isochoric(block, e, 0, s.at.volume, s.F, NULL, NULL);
    }
}

static void tangent_at(const carom_block *block, int e, const cell_state *s, double A[81]) {
    double P[9];
    if (!(carom_point_isochoric(block, e, 0, s->at.volume, s->F, P, A) < HUGE_VAL))
        for (int a = 0; a < 81; a++)
            A[a] = NAN;
}

void carom_volume_stiffness(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                            double *stiffness) {
    for (int e = begin; e < end; e++) {
        cell_state s = evaluate(block, e, x, X);
        double A[81], *K = stiffness + 144 * (ptrdiff_t)e;
        tangent_at(block, e, &s, A);
        memset(K, 0, 144 * sizeof *K);
        carom_solid_add_stiffness(&carom_shape_tet4, &s.at, A, K);
    }
}

// Energy-conserving force and tangent of the isochoric energy of a cell.
void carom_volume_balanced(const carom_block *block, int begin, int end, const double (*x0)[3], const double (*x1)[3],
                           const double (*X)[3], double *force, double *tangent) {
    for (int e = begin; e < end; e++) {
        const int *nodes = &block->nodes[4 * (ptrdiff_t)e];
        double f[CAROM_SOLID_NODES][3] = {{0}}, *K = tangent ? tangent + 144 * (ptrdiff_t)(e - begin) : NULL;
        carom_solid_point p = carom_solid_point_of(&carom_shape_tet4, block, nodes, 0, X);
        carom_balanced_source from = {&carom_shape_tet4, block, {e, 0, p.volume}, true};
        if (K)
            memset(K, 0, 144 * sizeof *K);
        carom_solid_balanced_point(&from, nodes, &p, x0, x1, X, f, K);
        for (int i = 0; i < 12; i++)
            force[carom_lane(e, i, 12)] = f[i / 3][i % 3];
    }
}

// The k with K <= k V/4 at each node (isochoric.h).
static double stiffness_over_volume(const carom_block *block, int e, const cell_state *s) {
    double A[81], G[3][3] = {{0}};
    tangent_at(block, e, s, A);
    for (int a = 0; a < 4; a++)
        for (int i = 0; i < 9; i++)
            G[i / 3][i % 3] += 4 * s->at.g[a][i / 3] * s->at.g[a][i % 3];
    return carom_split_stiffness(A, (carom_const_vectors)G);
}

// Cells act on nodes by shear, patches by compression: the masses are distributed in proportion to the moduli. A patch averages
// over many cells, and its stiffness is about half that of a single cell of its bulk modulus.
double carom_volume_cell_share(const carom_block *block) {
    const carom_material *material = block->material;
    double bulk = material->bulk(block->material_params);
    double shear = material->shear ? material->shear(block->material_params) : 0.3 * bulk;
    return 2 * shear / (2 * shear + bulk);
}

void carom_volume_stable_step(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                              double *step) {
    double density = block->material->density(block->material_params) * carom_volume_cell_share(block);
    for (int e = begin; e < end; e++) {
        cell_state s = evaluate(block, e, x, X);
        step[e] = 2 / sqrt(stiffness_over_volume(block, e, &s) / density);
    }
}

void carom_volume_bound(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share,
                        double *measures) {
    carom_block own = *block;
    own.element = &carom_element_tet4.element;
    if (carom_split_bound(block, &own, begin, end, motion, share, measures))
        return;
    for (int e = begin; e < end; e++) {
        cell_state s = evaluate(block, e, motion->x, motion->X);
        double k = stiffness_over_volume(block, e, &s) * s.at.volume / 4;
        for (int a = 0; a < 4; a++)
            share[carom_lane(e, 3 * a, 12)] = k;
    }
}

// The cells carry the whole mass of the body.
static void masses(const carom_block *block, const double (*X)[3], double *mass) {
    if (carom_block_has_cells(block))
        carom_solid_masses(block, X, mass);
}

double carom_volume_body_step(const carom_block *blocks, int block_count, const double (*X)[3]) {
    return carom_body_step_smooth(blocks, block_count, 3, 0.05, masses, X);
}

void carom_volume_tensors(const carom_block *block, int e, const double (*x)[3], const double (*X)[3], double stress[6],
                          double strain[6]) {
    cell_state s = evaluate(block, e, x, X);
    double P[9];
    for (int c = 0; c < 6; c++)
        stress[c] = strain[c] = 0;
    if (!(carom_point_isochoric(block, e, 0, s.at.volume, s.F, P, NULL) < HUGE_VAL))
        memset(P, 0, sizeof P);
    carom_solid_add_tensors(block, 1, s.F, P, stress, strain);
}

carom_status carom_volume_arrange(const void *params, const carom_mesh *mesh, carom_arena *arena,
                                  carom_arrangement *arrangement, carom_error *error) {
    (void)params;
    carom_patch_design design = {&carom_volume_tet4.element, NULL, &carom_volume_patch, true, 1};
    return carom_patches_arrange(&design, mesh, arena, arrangement, error);
}
