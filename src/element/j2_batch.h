// SPDX-License-Identifier: MIT
// Laws with history (elastoplastic, viscoelastic) in batched kernels: the energy at quadrature point q of eight elements from
// e0 on, and the shear modulus. The stress at such a point is carom_flow_stress_at (batch.h).
#ifndef CAROM_ELEMENT_J2_BATCH_H
#define CAROM_ELEMENT_J2_BATCH_H

#include "element/batch.h"
#include "element/point_law.h"
#include "material/lanes/j2.h"

// The stored energy per reference volume, for the present history, which is not changed.
void carom_flow_energy_at(const carom_block *block, int e0, int q, const carom_lanes F[9], carom_lanes *energy);

// Lame's constants of a law with history, of which kernels need mu alone: hourglass stiffness.
static inline carom_lame carom_flow_lame(const carom_block *block) {
    return (carom_lame){.mu = block->material->shear ? block->material->shear(block->material_params) : 0};
}

#endif
