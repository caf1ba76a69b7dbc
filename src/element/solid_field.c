// SPDX-License-Identifier: MIT
// Output fields of a solid, as means over its volume: the Cauchy stress sigma = P F^T / det F with its invariants, and Green's
// strain (F^T F - I)/2. The linear law does not distinguish P from sigma.
#include <math.h>
#include <string.h>

#include "element/solid_point.h"
#include "material/material.h"
#include "math/eigen3.h"

enum { STRESS, VON_MISES, PRINCIPAL_STRESS, PRINCIPAL_STRAIN };

// Indices of xx, yy, zz, xy, yz, xz.
static const int row[6] = {0, 1, 2, 0, 1, 0}, column[6] = {0, 1, 2, 1, 2, 2};

// Tensors of points are added up with their volumes; the caller divides by the total.
void carom_solid_add_tensors(const carom_block *block, double volume, const double F[9], const double P[9], double stress[6],
                             double strain[6]) {
    static const double none[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double *G = block->material == &carom_material_linear ? none : F;
    double J = G[0] * (G[4] * G[8] - G[5] * G[7]) - G[1] * (G[3] * G[8] - G[5] * G[6]) + G[2] * (G[3] * G[7] - G[4] * G[6]);
    for (int c = 0; c < 6; c++) {
        const double *Pr = &P[3 * row[c]], *Gc = &G[3 * column[c]];
        stress[c] += volume * (Pr[0] * Gc[0] + Pr[1] * Gc[1] + Pr[2] * Gc[2]) / J;
        double right = F[row[c]] * F[column[c]] + F[3 + row[c]] * F[3 + column[c]] + F[6 + row[c]] * F[6 + column[c]];
        strain[c] += volume * 0.5 * (right - (row[c] == column[c]));
    }
}

static void mean_tensors(const carom_solid_shape *shape, const carom_block *block, int e, const double (*x)[3],
                         const double (*X)[3], double stress[6], double strain[6]) {
    const int *nodes = &block->nodes[shape->node_count * e];
    double volume = 0;
    for (int c = 0; c < 6; c++)
        stress[c] = strain[c] = 0;
    bool one = carom_solid_is_one_point(block);
    for (int q = 0; q < (one ? 1 : shape->point_count); q++) {
        carom_solid_point p =
            one ? carom_solid_mean_point(shape, block, nodes, X) : carom_solid_point_of(shape, block, nodes, q, X);
        double F[9], P[9];
        carom_solid_deformation(shape, nodes, &p, x, X, F);
        // A state for which the law has no answer is shown without stress.
        if (!(carom_solid_law(shape, block, F, P, NULL) < HUGE_VAL))
            memset(P, 0, sizeof P);
        // Plane strain has a stress across the plane, which the plane form of the law leaves out.
        if (shape->dimension == 2)
            block->material->solid(block->material_params, F, P, NULL);
        carom_solid_add_tensors(block, p.volume, F, P, stress, strain);
        volume += p.volume;
    }
    for (int c = 0; c < 6; c++)
        stress[c] /= volume, strain[c] /= volume;
}

// Principal values are those of the averaged tensors, not averages of principal values.
void carom_solid_show(int field, const double s[6], const double strain[6], double *value) {
    switch (field) {
    case STRESS: memcpy(value, s, 6 * sizeof *s); break;
    case VON_MISES:
        *value = sqrt(0.5 * ((s[0] - s[1]) * (s[0] - s[1]) + (s[1] - s[2]) * (s[1] - s[2]) + (s[2] - s[0]) * (s[2] - s[0])) +
                      3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
        break;
    case PRINCIPAL_STRESS: carom_eigenvalues3(s, value); break;
    case PRINCIPAL_STRAIN: carom_eigenvalues3(strain, value); break;
    }
}

void carom_solid_field(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], int field,
                       double *values) {
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    int components = block->element->fields[field].components;
    for (int e = begin; e < end; e++) {
        double stress[6], strain[6];
        mean_tensors(shape, block, e, x, X, stress, strain);
        carom_solid_show(field, stress, strain, &values[(ptrdiff_t)components * e]);
    }
}
