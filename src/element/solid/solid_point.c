// SPDX-License-Identifier: MIT
// Jacobian, gradients, deformation and law at one quadrature point.
#include "element/solid/solid_point.h"

#include <math.h>
#include <string.h>

#include "element/element.h"
#include "element/point_law.h"
#include "element/points_body.h"
#include "math/vec3.h"

// Volumes of plane elements include the thickness, so that energies and masses are those of the body.
static double thickness(const carom_solid_shape *shape, const carom_block *block) {
    return shape->dimension == 2 ? ((const carom_plane_element_params *)block->params)->thickness : 1;
}

// The Jacobian dX/dr; normal to a plane element it is 1.
static inline void jacobian(const carom_solid_shape *shape, const int *nodes, int q, const double (*X)[3], double J[3][3]) {
    memset(J, 0, 9 * sizeof **J);
    for (int a = 0; a < shape->node_count; a++)
        for (int i = 0; i < shape->dimension; i++)
            for (int j = 0; j < shape->dimension; j++)
                J[i][j] += X[nodes[a]][i] * shape->dN[q][a][j];
    if (shape->dimension == 2)
        J[2][2] = 1;
}

double carom_solid_volume_at(const carom_solid_shape *shape, const carom_block *block, const int *nodes, int q,
                             const double (*X)[3]) {
    double J[3][3], C[3];
    jacobian(shape, nodes, q, X, J);
    carom_cross(J[1], J[2], C);
    return shape->weight[q] * carom_dot(J[0], C) * thickness(shape, block);
}

carom_solid_point carom_solid_point_of(const carom_solid_shape *shape, const carom_block *block, const int *nodes, int q,
                                       const double (*X)[3]) {
    double J[3][3];
    jacobian(shape, nodes, q, X, J);
    // The inverse by cofactors: the rows of det J J^-T are cross products of the rows of J.
    double C[3][3];
    for (int i = 0; i < 3; i++)
        carom_cross(J[(i + 1) % 3], J[(i + 2) % 3], C[i]);
    double det = carom_dot(J[0], C[0]);
    carom_solid_point p = {.volume = shape->weight[q] * det * thickness(shape, block)};
    for (int a = 0; a < shape->node_count; a++)
        for (int i = 0; i < 3; i++)
            p.g[a][i] = carom_dot(C[i], shape->dN[q][a]) / det;
    return p;
}

carom_solid_point carom_solid_mean_point(const carom_solid_shape *shape, const carom_block *block, const int *nodes,
                                         const double (*X)[3]) {
    // Gradients weighted by volume: the mean of F over the element is then the sum of x_a (x) g_a.
    carom_solid_point mean = {0};
    for (int q = 0; q < shape->point_count; q++) {
        carom_solid_point p = carom_solid_point_of(shape, block, nodes, q, X);
        mean.volume += p.volume;
        for (int a = 0; a < shape->node_count; a++)
            carom_add_scaled(p.volume, p.g[a], mean.g[a]);
    }
    for (int a = 0; a < shape->node_count; a++)
        for (int i = 0; i < 3; i++)
            mean.g[a][i] /= mean.volume;
    return mean;
}

bool carom_solid_is_one_point(const carom_block *block) {
    return block->element == &carom_element_hex8.element &&
           ((const carom_hex8_params *)block->params)->integration == CAROM_HEX8_ONE_POINT;
}

void carom_solid_deformation(const carom_solid_shape *shape, const int *nodes, const carom_solid_point *p, const double (*x)[3],
                             const double (*X)[3], double F[9]) {
    // from displacements, so that F is exactly I for a body that has not moved
    memset(F, 0, 9 * sizeof *F);
    for (int a = 0; a < shape->node_count; a++)
        carom_points_deform(shape->dimension, x[nodes[a]], X[nodes[a]], p->g[a], F);
    for (int i = 0; i < 3; i++)
        F[4 * i] += 1;
}

int carom_solid_points(const carom_block *block, carom_point_form *form) {
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    bool sheet = shape->dimension == 2 && ((const carom_plane_element_params *)block->params)->plane == CAROM_PLANE_STRESS;
    *form = sheet ? CAROM_POINT_SHEET : CAROM_POINT_SOLID;
    return carom_solid_is_one_point(block) ? 1 : shape->point_count;
}

// Plane stress with history: the law of sheets with the identity as reference metric. With S and its derivative C with respect
// to Green's strain, P = F S and A_iJkL = d_ik S_JL + F_iI C_IJKL F_kK.
static double sheet_law(const carom_block *block, carom_solid_spot spot, double F[9], double P[9], double A[81]) {
    static const double metric[3] = {1, 1, 0};
    static const int pair[2][2] = {{0, 2}, {2, 1}};
    double S[3], C[3][3], thinning = 1;
    const double E[3] = {0.5 * (F[0] * F[0] + F[3] * F[3] - 1), 0.5 * (F[1] * F[1] + F[4] * F[4] - 1),
                         F[0] * F[1] + F[3] * F[4]};
    double energy = carom_point_sheet(block, spot.e, spot.q, spot.volume, metric, E, S, A ? C : NULL, &thinning);
    if (!(energy < HUGE_VAL))
        return energy;
    F[8] = thinning;
    if (P)
        memset(P, 0, 9 * sizeof *P);
    if (A)
        memset(A, 0, 81 * sizeof *A);
    for (int a = 0; a < 4; a++) {
        int i = a / 2, J = a % 2;
        if (P)
            P[3 * i + J] = F[3 * i] * S[pair[0][J]] + F[3 * i + 1] * S[pair[1][J]];
        for (int b = 0; A && b < 4; b++) {
            int k = b / 2, L = b % 2;
            double sum = i == k ? S[pair[J][L]] : 0;
            for (int m = 0; m < 4; m++)
                sum += F[3 * i + m / 2] * C[pair[m / 2][J]][pair[m % 2][L]] * F[3 * k + m % 2];
            A[9 * (3 * i + J) + 3 * k + L] = sum;
        }
    }
    return energy;
}

// The law at a point in three dimensions, or its plane form with tensors in three dimensions. F_33 of plane stress is set.
double carom_solid_law(const carom_solid_shape *shape, const carom_block *block, carom_solid_spot spot, double F[9],
                       double P[9], double A[81]) {
    if (block->history && block->form == CAROM_POINT_SHEET)
        return sheet_law(block, spot, F, P, A);
    // F_33 of plane strain is 1 already
    if (shape->dimension == 3 || block->history)
        return carom_point_solid(block, spot.e, spot.q, spot.volume, F, P, A);
    const carom_plane_element_params *plane = block->params;
    double F4[4] = {F[0], F[1], F[3], F[4]}, P4[4], A16[16], thinning = 0;
    double energy = carom_material_plane(block->material, block->material_params, plane->plane, F4, &thinning, P ? P4 : NULL,
                                         A ? A16 : NULL);
    F[8] = thinning;
    static const int place[4] = {0, 1, 3, 4};
    if (P) {
        memset(P, 0, 9 * sizeof *P);
        for (int a = 0; a < 4; a++)
            P[place[a]] = P4[a];
    }
    if (A) {
        memset(A, 0, 81 * sizeof *A);
        for (int a = 0; a < 16; a++)
            A[9 * place[a / 4] + place[a % 4]] = A16[a];
    }
    return energy;
}
