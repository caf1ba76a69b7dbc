// SPDX-License-Identifier: MIT
// Theory: docs/theory/volumes.md
// The energy of the volume around a node, for tetrahedra whose change of volume is averaged around nodes (volume_cell.c has
// their isochoric energy). With the node 0, d_i = x_i - x_0 and the faces (i, j, k) of the tetrahedra opposite to the node,
//
//     6 S = sum over faces of d_i.(d_j x d_k),   j = S/S_0,   E = V kappa/2 (ln j)^2,   V = S_0/4
//     f_i = -(p/4) dS/dx_i,   6 dS/dx_i = sum of d_j x d_k,   f_0 = -sum_i f_i,   p = kappa ln j/j
//     K = V kappa (1 - ln j)/j^2 b b^T + (p/4) d2S/dx2,   b = dS/dx/S_0
//
// S is the volume of all tetrahedra at the node and S_0 its reference value. For a node in the interior of the body it is the
// volume enclosed by the faces, and does not depend on x_0.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "element/average/balanced_volume.h"
#include "element/average/isochoric.h"
#include "element/average/isochoric_body.h"
#include "element/average/nodal.h"
#include "element/average/volumes.h"
#include "element/bound.h"
#include "element/element.h"
#include "element/solid/balanced.h"
#include "element/solid/solid_point.h"
#include "math/vec3.h"

static int face_count(const carom_block *block) {
    return (block->data_size - carom_nodal_size(block->node_count)) / 3;
}

static void face_at(const carom_block *block, int e, int face, int corner[3]) {
    for (int k = 0; k < 3; k++)
        corner[k] = (int)carom_nodal_number(block, e, carom_nodal_size(block->node_count) + 3 * face + k);
}

// Positions relative to the node of the patch.
static void arms(const carom_block *block, int e, const double (*x)[3], double (*d)[3]) {
    const int *nodes = &block->nodes[(ptrdiff_t)e * block->node_count];
    for (int a = 0; a < block->node_count; a++)
        carom_difference(x[nodes[a]], x[nodes[0]], d[a]);
}

// S, and dS/dx where not NULL.
static double size_of(const carom_block *block, int e, const double (*d)[3], double (*slope)[3]) {
    double sum = 0;
    int faces = face_count(block);
    if (slope)
        memset(slope, 0, (size_t)block->node_count * sizeof *slope);
    for (int face = 0; face < faces; face++) {
        int c[3];
        face_at(block, e, face, c);
        sum += carom_split_face(d[c[0]], d[c[1]], d[c[2]], slope ? slope[c[0]] : NULL, slope ? slope[c[1]] : NULL,
                                slope ? slope[c[2]] : NULL);
    }
    // Padding faces have added to the slope of the node itself; that slope is minus the sum of the others.
    for (int i = 0; slope && i < 3; i++) {
        slope[0][i] = 0;
        for (int a = 1; a < block->node_count; a++)
            slope[0][i] -= slope[a][i];
    }
    return sum / 6;
}

// A patch at the given positions.
typedef struct patch_state {
    double d[CAROM_NODAL_NODES_MAX][3], slope[CAROM_NODAL_NODES_MAX][3]; // arms, dS/dx
    double volume;                                                       // V
    carom_dilation mean;                                                 // kappa/2 (ln j)^2 and its derivatives
} patch_state;

static void evaluate(const carom_block *block, int e, const double (*x)[3], bool slopes, patch_state *s) {
    s->volume = carom_nodal_number(block, e, carom_nodal_volume(block->node_count));
    arms(block, e, x, s->d);
    double start = 4 * s->volume, size = size_of(block, e, (carom_const_vectors)s->d, slopes ? s->slope : NULL);
    s->mean = carom_split_dilation(block->material->bulk(block->material_params), (size - start) / start);
}

// The volume is computed again by the sum that forces use, so that a body at rest has exactly zero forces.
static carom_status prepare(const carom_block *block, const double (*X)[3], double *mass, carom_error *error) {
    (void)mass, (void)error;
    for (int e = 0; e < block->count; e++) {
        double d[CAROM_NODAL_NODES_MAX][3];
        arms(block, e, X, d);
        block->data[carom_lane(e, carom_nodal_volume(block->node_count), block->data_size)] =
            0.25 * size_of(block, e, (carom_const_vectors)d, NULL);
    }
    carom_block_repeat_last(block);
    return CAROM_OK;
}

static void energy(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *energy_) {
    (void)X;
    for (int e = begin; e < end; e++) {
        patch_state s;
        evaluate(block, e, x, false, &s);
        energy_[e] = s.volume * s.mean.energy;
    }
}

static void force(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *force_) {
    (void)X;
    int n = block->node_count;
    for (int e = begin; e < end; e++) {
        patch_state s;
        evaluate(block, e, x, true, &s);
        for (int a = 0; a < n; a++)
            for (int i = 0; i < 3; i++)
                force_[carom_lane(e, 3 * a + i, 3 * n)] = -0.25 * s.mean.slope * s.slope[a][i];
    }
}

// Adds w det(e_r, e_c, d) to entry (r, c) of the block of nodes a and b, with the unit vectors e: for w = 1/6 the part of
// d2S/dx_a dx_b of a face with the corners a, b and d.
static void add_turn(double w, const double d[3], int a, int b, int dofs, double *K) {
    for (int r = 0; r < 3; r++) {
        int next = (r + 1) % 3, last = (r + 2) % 3;
        K[(3 * a + r) * dofs + 3 * b + next] += w * d[last];
        K[(3 * a + r) * dofs + 3 * b + last] -= w * d[next];
    }
}

// Adds (p/4) d2S/dx2.
static void add_curvature(const carom_block *block, int e, const patch_state *s, double *K) {
    int n = block->node_count, dofs = 3 * n, faces = face_count(block);
    for (int face = 0; face < faces; face++) {
        int c[3];
        face_at(block, e, face, c);
        for (int k = 0; k < 3 && c[0] + c[1] + c[2] > 0; k++) {
            const double *d = s->d[c[(k + 2) % 3]];
            int a = c[k], b = c[(k + 1) % 3];
            double w = 0.25 * s->mean.slope / 6;
            // arms are relative to the node 0, so its rows and columns receive the opposite
            int from[2] = {a, 0}, to[2] = {b, 0};
            for (int p = 0; p < 4; p++) {
                double sign = (p / 2) ^ (p % 2) ? -w : w;
                add_turn(sign, d, from[p / 2], to[p % 2], dofs, K);
                add_turn(-sign, d, to[p % 2], from[p / 2], dofs, K);
            }
        }
    }
}

static void stiffness(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *K) {
    (void)X;
    int dofs = 3 * block->node_count;
    for (int e = begin; e < end; e++) {
        patch_state s;
        double *own = K + (ptrdiff_t)dofs * dofs * e;
        evaluate(block, e, x, true, &s);
        double c = s.mean.curvature / (16 * s.volume);
        for (int r = 0; r < dofs; r++)
            for (int k = 0; k < dofs; k++)
                own[dofs * r + k] = c * s.slope[r / 3][r % 3] * s.slope[k / 3][k % 3];
        add_curvature(block, e, &s, own);
    }
}

// The arms of a face as the columns of a matrix: its determinant is six times the volume of the tetrahedron.
static double edges_of(const double (*d)[3], const int corner[3], double F[9]) {
    double area[3];
    for (int i = 0; i < 9; i++)
        F[i] = d[corner[i % 3]][i / 3];
    carom_cross(d[corner[1]], d[corner[2]], area);
    return carom_dot(d[corner[0]], area);
}

// Adds w A, the derivative of forces on the corners with respect to their arms; the node itself takes minus the sum of these.
static void add_arms(double w, const int corner[3], const double A[81], int dofs, double *K) {
    for (int a = 0; a < 81; a++) {
        int i = a / 27, k = a / 3 % 3, row = corner[a / 9 % 3], column = corner[a % 3];
        K[(3 * row + i) * dofs + 3 * column + k] += w * A[a];
        K[i * dofs + 3 * column + k] -= w * A[a];
        K[(3 * row + i) * dofs + k] -= w * A[a];
        K[i * dofs + k] += w * A[a];
    }
}

// The discrete gradient of S between two configurations (balanced_volume.c), as a sum over tetrahedra. If K is not NULL, adds w
// times its derivative with respect to the second configuration. NaN where a tetrahedron is inverted.
static void slope_between(const carom_block *block, int e, const double (*d0)[3], const double (*d1)[3], double w,
                          double (*slope)[3], double *K) {
    int n = block->node_count, faces = face_count(block);
    memset(slope, 0, (size_t)n * sizeof *slope);
    for (int face = 0; face < faces; face++) {
        int c[3];
        double F0[9], F1[9], T[9], N[81], P[9], A[81];
        face_at(block, e, face, c);
        if (c[0] + c[1] + c[2] == 0)
            continue;
        double J0 = edges_of(d0, c, F0), J1 = edges_of(d1, c, F1);
        carom_balanced_growth(F0, F1, J0, J1, T, K ? N : NULL);
        carom_balanced_push(F0, F1, T, N, P, K ? A : NULL);
        double sixth = J0 > 0 && J1 > 0 ? 1.0 / 6 : NAN;
        for (int i = 0; i < 9; i++) {
            slope[c[i % 3]][i / 3] += sixth * P[i];
            slope[0][i / 3] -= sixth * P[i];
        }
        if (K)
            add_arms(w * sixth, c, A, 3 * n, K);
    }
}

// f = -(u/4) DS with the discrete gradient DS of S and the difference quotient u of kappa/2 (ln j)^2.
static void balanced(const carom_block *block, int begin, int end, const double (*x0)[3], const double (*x1)[3],
                     const double (*X)[3], double *force_, double *tangent) {
    (void)X;
    int n = block->node_count, dofs = 3 * n;
    for (int e = begin; e < end; e++) {
        double d0[CAROM_NODAL_NODES_MAX][3], slope[CAROM_NODAL_NODES_MAX][3], start, curvature, growth[2];
        double *K = tangent ? tangent + (ptrdiff_t)dofs * dofs * (e - begin) : NULL;
        patch_state s;
        evaluate(block, e, x1, true, &s);
        arms(block, e, x0, d0);
        start = 4 * s.volume;
        growth[0] = (size_of(block, e, (carom_const_vectors)d0, NULL) - start) / start;
        growth[1] = (size_of(block, e, (carom_const_vectors)s.d, NULL) - start) / start;
        double u = carom_balanced_pressure(block->material->bulk(block->material_params), growth, &curvature);
        if (K)
            memset(K, 0, sizeof *K * (size_t)(dofs * dofs));
        slope_between(block, e, (carom_const_vectors)d0, (carom_const_vectors)s.d, 0.25 * u, slope, K);
        for (int i = 0; i < dofs; i++)
            force_[carom_lane(e, i, dofs)] = -0.25 * u * slope[i / 3][i % 3];
        for (int i = 0; K && i < dofs * dofs; i++)
            K[i] += curvature / (16 * s.volume) * slope[i / dofs / 3][i / dofs % 3] * s.slope[i % dofs / 3][i % dofs % 3];
    }
}

// An upper bound diag(sum) of d2S/dx2: the block of two nodes of a tetrahedron has the norm of a sixth of the opposite edge,
// and the sums of the norms of the blocks in each row bound a symmetric matrix (Gershgorin). For the blocks of a node a and the
// node itself, the opposite edges are added as vectors first: around an inner edge they form a closed polygon, whose sum is 0.
static void turns(const carom_block *block, int e, const patch_state *s, double *sum) {
    int n = block->node_count, faces = face_count(block);
    double ring[CAROM_NODAL_NODES_MAX][3];
    memset(ring, 0, (size_t)n * sizeof *ring);
    memset(sum, 0, (size_t)n * sizeof *sum);
    for (int face = 0; face < faces; face++) {
        int c[3];
        double arm[3];
        face_at(block, e, face, c);
        for (int k = 0; k < 3; k++) {
            carom_add_scaled(1, s->d[c[(k + 1) % 3]], ring[c[k]]);
            carom_add_scaled(-1, s->d[c[(k + 2) % 3]], ring[c[k]]);
            arm[k] = carom_norm(s->d[c[k]]);
        }
        // the block of two corners has the arm of the third one as opposite edge
        for (int k = 0; k < 3; k++)
            sum[c[k]] += (arm[(k + 1) % 3] + arm[(k + 2) % 3]) / 6;
    }
    for (int a = 1; a < n; a++) {
        double across = carom_norm(ring[a]) / 6;
        sum[a] += across;
        sum[0] += across;
    }
}

// Every node of a patch has this fraction of the mean share in addition to its own: masses are distributed in proportion to
// shares (asynchronous/element_step_division.c), and a node without force in the reference configuration would have no mass
// when the patch later exerts a force on it.
static const double least_share = 0.05;

// K <= diag(share); the term with b is bounded as in mean_dilatation.c.
static void shares_of(const carom_block *block, int e, const patch_state *s, double *share) {
    int n = block->node_count;
    double sum = 0, length[CAROM_NODAL_NODES_MAX];
    turns(block, e, s, share);
    for (int a = 0; a < n; a++)
        sum += length[a] = carom_norm(s->slope[a]);
    for (int a = 0; a < n; a++)
        share[a] = 0.25 * fabs(s->mean.slope) * share[a] +
                   fmax(s->mean.curvature, 0) / (16 * s->volume) * (length[a] + least_share * sum / n) * sum;
}

// omega^2 of the term c b b^T is c sum_a |b_a|^2/m_a with the masses m_a that move with the patch. A node has no mass in it
// only where its slope is zero in the reference configuration; if the patch later exerts a force on it, no step is stable.
static void stable_step(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *step) {
    (void)X;
    int n = block->node_count;
    double density = block->material->density(block->material_params) * (1 - carom_volume_cell_share(block));
    for (int e = begin; e < end; e++) {
        patch_state s;
        double turn[CAROM_NODAL_NODES_MAX], most = 0, sum = 0, all = 0;
        evaluate(block, e, x, true, &s);
        turns(block, e, &s, turn);
        for (int a = 0; a < n; a++)
            all += carom_dot(s.slope[a], s.slope[a]);
        for (int a = 0; a < n; a++) {
            double w = density * carom_nodal_number(block, e, carom_nodal_share(n, a)),
                   square = carom_dot(s.slope[a], s.slope[a]);
            if (square <= 1e-24 * all)
                continue;
            sum += w > 0 ? square / w : HUGE_VAL;
            most = fmax(most, w > 0 ? turn[a] / w : HUGE_VAL);
        }
        double turned = s.mean.slope == 0 ? 0 : 0.25 * fabs(s.mean.slope) * most;
        step[e] = 2 / sqrt(fmax(s.mean.curvature, 0) / (16 * s.volume) * sum + turned);
    }
}

// Only the blocks of cells bound the compression.
static void bound(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share,
                  double *measures) {
    int n = block->node_count;
    for (int e = begin; e < end; e++) {
        patch_state s;
        double shares[CAROM_NODAL_NODES_MAX];
        evaluate(block, e, motion->x, true, &s);
        shares_of(block, e, &s, shares);
        for (int a = 0; a < n; a++)
            share[carom_lane(e, 3 * a, 3 * n)] = shares[a];
        carom_bound_measure(0, 0, 0, HUGE_VAL, e, measures);
    }
}

// The contribution p I of the patch to the stress of its cells; it contributes nothing to their strain.
static void field(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], int field_,
                  double *values) {
    (void)X;
    const carom_element_field *shown = &block->element->fields[field_];
    bool tensor = strcmp(shown->name, "stress") == 0, principal = strcmp(shown->name, "principal_stress") == 0;
    for (int e = begin; e < end; e++) {
        patch_state s;
        evaluate(block, e, x, false, &s);
        for (int c = 0; c < shown->components; c++)
            values[(ptrdiff_t)shown->components * e + c] =
                (tensor && c < 3) || principal ? (s.mean.energy < HUGE_VAL ? s.mean.slope : 0) : 0;
    }
}

const carom_element carom_volume_patch = {
    .kind = {.name = "tet4", .summary = "", .reference = ""},
    .nonnegative = true,
    .cell = CAROM_CELL_POINT,
    .needs_material = true,
    .fields = CAROM_SOLID_FIELDS,
    .parted = true,
    .arrange = carom_volume_arrange,
    .prepare = prepare,
    .energy = energy,
    .force = force,
    .stiffness = stiffness,
    .balanced = balanced,
    .stable_step = stable_step,
    .stiffens = carom_solid_stiffens,
    .bound = bound,
    .volume = carom_nodal_volumes,
    .field = field,
};
