// SPDX-License-Identifier: MIT
// Balanced forces of isoparametric solids: their work between two configurations equals the change of the stored energy
// exactly.
#ifndef CAROM_ELEMENT_SOLID_BALANCED_H
#define CAROM_ELEMENT_SOLID_BALANCED_H

#include "element/solid/solid_point.h"

// carom_element.balanced of the solids, by quadrature: in batches where there is a kernel, or else element by element.
carom_element_balanced carom_solid_balanced;

// Its two implementations, with bitwise equal results.
bool carom_balanced_has_kernel(const carom_block *block);
carom_element_balanced carom_balanced_batches, carom_balanced_plain;

// Where a law is evaluated: a point of a solid, with the whole law or the part that does not depend on the volume.
typedef struct carom_balanced_source {
    const carom_solid_shape *shape;
    const carom_block *block;
    carom_solid_spot spot;
    bool isochoric;
} carom_balanced_source;

// C = F^T F
void carom_balanced_square(const double F[9], double C[9]);
// The stress S between C0 and C1 and, if not NULL, M with dS = M:dC1. False if the law is undefined.
bool carom_balanced_stress(const carom_balanced_source *from, const double C0[9], const double C1[9], double S[9],
                           double M[81]);
// The same between F0 and F1, with the history of the point over the step. If the flow of the block commits, this ends the step
// of the point.
bool carom_balanced_point_stress(const carom_balanced_source *from, const double F0[9], const double F1[9], double S[9],
                                 double M[81]);
// P = F_m S and, if A is not NULL, its derivative with respect to F1.
void carom_balanced_push(const double F0[9], const double F1[9], const double S[9], const double M[81], double P[9],
                         double A[81]);

// Adds the contribution of one point to the force on each node and, if not NULL, to the tangent (3 node_count squared).
void carom_solid_balanced_point(const carom_balanced_source *from, const int *nodes, const carom_solid_point *p,
                                const double (*x0)[3], const double (*x1)[3], const double (*X)[3], double (*f)[3], double *K);

#endif
