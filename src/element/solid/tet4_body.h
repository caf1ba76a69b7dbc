// SPDX-License-Identifier: MIT
// The deformation gradient F of tetrahedra from their nodes, and the forces f on the nodes from the stress by the transposed
// operations; for batches and for threads of a device.
//
//     D = (x1 - x0, x2 - x0, x3 - x0),   F = D B with B = D(X)^-1,   H = -V P B^T,   f1, f2, f3 = columns of H,
//     f0 = -(f1 + f2 + f3)
//
// P is the first Piola-Kirchhoff stress and V the reference volume. B and V are stored per element: ten numbers.
#ifndef CAROM_ELEMENT_SOLID_TET4_BODY_H
#define CAROM_ELEMENT_SOLID_TET4_BODY_H

#include "material/lanes/stress.h"

enum { CAROM_TET4_DOFS = 12 };
// Numbers that tet4 stores per element, in batches: the inverse of its edge matrix and its volume.
enum { CAROM_TET4_DATA = 10 };

CAROM_INLINE void carom_tet4_load(const double *data, carom_lanes B[9], carom_lanes *V) {
    for (int k = 0; k < 9; k++)
        carom_lanes_load(data + CAROM_LANES * k, &B[k]);
    carom_lanes_load(data + CAROM_LANES * 9, V);
}

// F = D B
CAROM_INLINE void carom_tet4_map(const carom_lanes q[CAROM_TET4_DOFS], const carom_lanes B[9], carom_lanes F[9]) {
    for (int i = 0; i < 3; i++) {
        carom_lanes d0 = q[3 + i] - q[i], d1 = q[6 + i] - q[i], d2 = q[9 + i] - q[i];
        for (int j = 0; j < 3; j++)
            F[3 * i + j] = d0 * B[j] + d1 * B[3 + j] + d2 * B[6 + j];
    }
}

// H = -V P B^T
CAROM_INLINE void carom_tet4_forces(const carom_lanes B[9], const carom_lanes *V, const carom_lanes P[9],
                                    carom_lanes f[CAROM_TET4_DOFS]) {
    for (int i = 0; i < 3; i++) {
        carom_lanes p0 = -*V * P[3 * i], p1 = -*V * P[3 * i + 1], p2 = -*V * P[3 * i + 2];
        for (int a = 0; a < 3; a++)
            f[3 * (a + 1) + i] = p0 * B[3 * a] + p1 * B[3 * a + 1] + p2 * B[3 * a + 2];
        f[i] = -(f[3 + i] + f[6 + i] + f[9 + i]);
    }
}

#endif
