// SPDX-License-Identifier: MIT
// The stored energy of the elastic laws, for batches and for threads of a device. All take H = F - I, computed from
// displacements: first-order terms are cancelled in the formulas, so that the energy of a small strain keeps its relative
// accuracy, which the ledger requires. The formulas are those of src/material; the conformance tests compare both. C and C++.
#ifndef CAROM_ELEMENT_SOLID_ENERGY_BODY_H
#define CAROM_ELEMENT_SOLID_ENERGY_BODY_H

#include <math.h>

#include "material/lanes/stress.h"

// W = lambda/2 (tr e)^2 + mu e:e with e = (H + H^T)/2.
CAROM_INLINE void carom_kernel_energy_linear(carom_lame m, const carom_lanes H[9], carom_lanes *W) {
    carom_lanes trace = H[0] + H[4] + H[8], xy = H[1] + H[3], yz = H[5] + H[7], xz = H[2] + H[6];
    *W =
        0.5 * m.lambda * trace * trace + m.mu * (H[0] * H[0] + H[4] * H[4] + H[8] * H[8] + 0.5 * (xy * xy + yz * yz + xz * xz));
}

// The same with Green's strain E for e; 2 E = H + H^T + H^T H.
CAROM_INLINE void carom_kernel_energy_st_venant_kirchhoff(carom_lame m, const carom_lanes H[9], carom_lanes *W) {
    carom_lanes xx = 2.0 * H[0] + (H[0] * H[0] + H[3] * H[3] + H[6] * H[6]);
    carom_lanes yy = 2.0 * H[4] + (H[1] * H[1] + H[4] * H[4] + H[7] * H[7]);
    carom_lanes zz = 2.0 * H[8] + (H[2] * H[2] + H[5] * H[5] + H[8] * H[8]);
    carom_lanes xy = H[1] + H[3] + (H[0] * H[1] + H[3] * H[4] + H[6] * H[7]);
    carom_lanes yz = H[5] + H[7] + (H[1] * H[2] + H[4] * H[5] + H[7] * H[8]);
    carom_lanes xz = H[2] + H[6] + (H[0] * H[2] + H[3] * H[5] + H[6] * H[8]), trace = xx + yy + zz;
    *W = 0.125 * m.lambda * trace * trace + 0.25 * m.mu * (xx * xx + yy * yy + zz * zz + 2.0 * (xy * xy + yz * yz + xz * xz));
}

// Sets W to infinity in lanes that are not in `answered`, where J is not positive.
CAROM_INLINE void carom_kernel_energy_forbid(const carom_lanes_bits *answered, carom_lanes *W) {
    carom_lanes infinite;
    carom_lanes_fill(HUGE_VAL, &infinite);
    carom_lanes_choose(answered, W, &infinite, W);
}

// The energy of `open-neo-hookean` (material/laws.h) in lanes with J below CAROM_OPEN_VOLUME, where its volumetric part is a
// parabola in J; other lanes are unchanged. `t` is J - 1, `excess` is (F:F - 3)/2.
CAROM_INLINE void carom_kernel_energy_open(carom_lame m, const carom_lanes *t, const carom_lanes *excess, carom_lanes *W) {
    carom_open_law open = carom_open_law_of(m);
    const double log_J = CAROM_OPEN_LOG;
    carom_lanes d = *t + (1 - CAROM_OPEN_VOLUME), other;
    other = m.mu * *excess + (0.5 * m.lambda * log_J * log_J - m.mu * log_J) + (open.slope + 0.5 * open.curvature * d) * d;
    carom_lanes_bits low = *t + 1.0 < CAROM_OPEN_VOLUME;
    carom_lanes_choose(&low, &other, W, W);
}

// W = mu ((F:F - 3)/2 - ln J) + lambda/2 (ln J)^2 with F:F - 3 = 2 tr H + H:H and J - 1 = tr H + (sum of principal minors) +
// det H.
CAROM_INLINE void carom_kernel_energy_neo_hookean(bool open, carom_lame m, const carom_lanes H[9], carom_lanes *W) {
    carom_lanes trace = H[0] + H[4] + H[8], square = H[0] * H[0], log_J;
    for (int a = 1; a < 9; a++)
        square += H[a] * H[a];
    carom_lanes xy = H[0] * H[4] - H[1] * H[3], yz = H[4] * H[8] - H[5] * H[7], xz = H[0] * H[8] - H[2] * H[6];
    carom_lanes det = H[0] * yz - H[1] * (H[3] * H[8] - H[5] * H[6]) + H[2] * (H[3] * H[7] - H[4] * H[6]);
    carom_lanes t = trace + (xy + yz + xz) + det, excess = trace + 0.5 * square;
    carom_lanes_log1p(&t, &log_J);
    *W = m.mu * (excess - log_J) + 0.5 * m.lambda * (log_J * log_J);
    if (open) {
        carom_kernel_energy_open(m, &t, &excess, W);
        return;
    }
    carom_lanes_bits answered = t > -1.0;
    carom_kernel_energy_forbid(&answered, W);
}

// `law` is a constant in each caller, so that only one branch remains.
CAROM_INLINE void carom_kernel_energy(carom_kernel_law law, carom_lame m, const carom_lanes H[9], carom_lanes *W) {
    if (law == CAROM_KERNEL_LINEAR)
        carom_kernel_energy_linear(m, H, W);
    else if (law == CAROM_KERNEL_ST_VENANT_KIRCHHOFF)
        carom_kernel_energy_st_venant_kirchhoff(m, H, W);
    else
        carom_kernel_energy_neo_hookean(law == CAROM_KERNEL_OPEN, m, H, W);
}

#endif
