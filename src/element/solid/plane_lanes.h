// SPDX-License-Identifier: MIT
// The constants of a block of plane elements (Lame's constants for plane strain or plane stress, thickness) for its kernels of
// forces and of energies (plane_body.h).
#ifndef CAROM_ELEMENT_SOLID_PLANE_LANES_H
#define CAROM_ELEMENT_SOLID_PLANE_LANES_H

#include "element/solid/plane_body.h"
#include "element/solid/solid_kernel.h"

CAROM_INLINE carom_sheet carom_sheet_of(const carom_block *block, carom_kernel_law law, bool stress) {
    carom_lame m = carom_elastic_lame(block->material_params);
    const carom_plane_element_params *p = block->params;
    carom_sheet s = {law, stress, m.mu, m.lambda, m.lambda, p->thickness};
    if (stress)
        s.lambda = 2 * m.lambda * m.mu / (m.lambda + 2 * m.mu);
    return s;
}

#endif
