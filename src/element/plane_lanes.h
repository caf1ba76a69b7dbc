// SPDX-License-Identifier: MIT
// Plane elements of a block, eight side by side, for forces and for energies (plane_kernel.c has the equations).
#ifndef CAROM_ELEMENT_PLANE_LANES_H
#define CAROM_ELEMENT_PLANE_LANES_H

#include "element/solid_kernel.h"

enum { CAROM_PLANE_DOFS_MAX = 12 }; // a quadrilateral

// Constants of a block.
typedef struct carom_sheet {
    carom_kernel_law law;
    bool stress;   // plane stress
    double mu;     // Lame's constants;
    double lambda; // that of the plane
    double full;   // that of the law
    double thickness;
} carom_sheet;

CAROM_INLINE carom_sheet carom_sheet_of(const carom_block *block, carom_kernel_law law, bool stress) {
    carom_lame m = carom_elastic_lame(block->material_params);
    const carom_plane_element_params *p = block->params;
    carom_sheet s = {law, stress, m.mu, m.lambda, m.lambda, p->thickness};
    if (stress)
        s.lambda = 2 * m.lambda * m.mu / (m.lambda + 2 * m.mu);
    return s;
}

// Differences of the nodes: c1 and c2 are the mean edges, c3 the twist of the quadrilateral.
CAROM_INLINE void carom_plane_coefficients(const carom_lanes *q, carom_lanes c[6]) {
    for (int i = 0; i < 2; i++) {
        carom_lanes below = q[3 + i] - q[i], above = q[6 + i] - q[9 + i];
        c[3 * i] = 0.25 * (above + below);
        c[3 * i + 1] = 0.25 * ((q[6 + i] - q[3 + i]) + (q[9 + i] - q[i]));
        c[3 * i + 2] = 0.25 * (above - below);
    }
}

#endif
