// SPDX-License-Identifier: MIT
// Lame's constants, and the constants of the open neo-Hookean law: C and C++, as kernels on a device need them too.
#ifndef CAROM_MATERIAL_LAME_H
#define CAROM_MATERIAL_LAME_H

#include "base/kernel.h"

typedef struct carom_lame {
    double lambda, mu;
} carom_lame;

// Volume, relative to the reference, below which the open neo-Hookean law leaves the logarithm. There it is 16 times as stiff
// against compression as at rest: soft enough for steps of reasonable length, stiff enough to recover.
#define CAROM_OPEN_VOLUME 0.1

// Derivatives of U(J) = lambda/2 (ln J)^2 - mu ln J at CAROM_OPEN_VOLUME.
typedef struct carom_open_law {
    double slope, curvature;
} carom_open_law;

// Its natural logarithm, as carom_log has it.
#define CAROM_OPEN_LOG (-0x1.26bb1bbb55515p+1)

CAROM_INLINE carom_open_law carom_open_law_of(carom_lame m) {
    const double log_J = CAROM_OPEN_LOG;
    carom_open_law law;
    law.slope = (m.lambda * log_J - m.mu) / CAROM_OPEN_VOLUME;
    law.curvature = (m.lambda * (1 - log_J) + m.mu) / (CAROM_OPEN_VOLUME * CAROM_OPEN_VOLUME);
    return law;
}

#endif
