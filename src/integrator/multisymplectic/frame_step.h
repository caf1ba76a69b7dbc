// SPDX-License-Identifier: MIT
// The discrete Legendre transform of a rigid section of a beam, which is a node with a frame: velocity from momentum, and back.
// The equations are those of slab.h.
#ifndef CAROM_INTEGRATOR_MULTISYMPLECTIC_FRAME_STEP_H
#define CAROM_INTEGRATOR_MULTISYMPLECTIC_FRAME_STEP_H

#include <stdbool.h>

// The restrained motion of a node with a frame.
typedef struct carom_fixity {
    bool place; // no translation: a hinge
    bool turn;  // no rotation: with `place`, a clamp
} carom_fixity;

// Solves (dtau^-1_{h xi})^* JJ xi = mu for xi = (w, g), JJ = diag(J, m, m, m), by Newton's method from the given w.
// Restrained components of velocity become zero, and so do those of mu. NaN if there is no solution.
void carom_frame_velocity(const double J[3], double m, double h, carom_fixity hold, double mu[6], double w[3], double g[3]);
// The inverse: mu from w and g.
void carom_frame_momentum(const double J[3], double m, double h, const double w[3], const double g[3], double mu[6]);

#endif
