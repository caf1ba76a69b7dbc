// SPDX-License-Identifier: MIT
// Lame's constants, and the constants of the law `open-neo-hookean`: the neo-Hookean law with U(J), the part of its energy that
// depends on J = det F alone, continued below J = CAROM_OPEN_VOLUME by a parabola, so that it is defined for every F
// (material/laws.h). C and C++, as kernels on a device need them too.
#ifndef CAROM_MATERIAL_LAME_H
#define CAROM_MATERIAL_LAME_H

#include "base/kernel.h"

typedef struct carom_lame {
    double lambda, mu;
} carom_lame;

// J below which U is the parabola. There U'' is 250 times its value at J = 1 if lambda = 2 mu, a frequency 16 times as high:
// low enough for steps of reasonable length, stiff enough to recover.
#define CAROM_OPEN_VOLUME 0.1

// Derivatives at CAROM_OPEN_VOLUME of U(J) = lambda/2 (ln J)^2 - mu ln J.
typedef struct carom_open_law {
    double slope, curvature;
} carom_open_law;

// ln CAROM_OPEN_VOLUME, bit for bit the value of carom_log.
#define CAROM_OPEN_LOG (-0x1.26bb1bbb55515p+1)

CAROM_INLINE carom_open_law carom_open_law_of(carom_lame m) {
    const double log_J = CAROM_OPEN_LOG;
    carom_open_law law;
    law.slope = (m.lambda * log_J - m.mu) / CAROM_OPEN_VOLUME;
    law.curvature = (m.lambda * (1 - log_J) + m.mu) / (CAROM_OPEN_VOLUME * CAROM_OPEN_VOLUME);
    return law;
}

#endif
