// SPDX-License-Identifier: MIT
// Jacobian, gradients and deformation at one quadrature point.
#include "element/solid_point.h"

#include <string.h>

#include "element/element.h"
#include "math/vec3.h"

// Volumes of plane elements include the thickness, so that energies and masses are those of the body.
static double thickness(const carom_solid_shape *shape, const carom_block *block) {
    return shape->dimension == 2 ? ((const carom_plane_element_params *)block->params)->thickness : 1;
}

// The Jacobian dX/dr; across a plane element it is 1.
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
    // Its inverse by cofactors: the columns of det J J^-T are cross products of the rows of J.
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
    // From displacements, so that F is I to the last bit for a body that has not moved.
    memset(F, 0, 9 * sizeof *F);
    for (int a = 0; a < shape->node_count; a++)
        for (int i = 0; i < shape->dimension; i++)
            for (int j = 0; j < shape->dimension; j++)
                F[3 * i + j] += (x[nodes[a]][i] - X[nodes[a]][i]) * p->g[a][j];
    for (int i = 0; i < 3; i++)
        F[4 * i] += 1;
}

// The law at a point in three dimensions, or its plane form written as such. F_33 of plane stress is filled in.
double carom_solid_law(const carom_solid_shape *shape, const carom_block *block, double F[9], double P[9], double A[81]) {
    if (shape->dimension == 3)
        return block->material->solid(block->material_params, F, P, A);
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
