// SPDX-License-Identifier: MIT
// Coulomb's cone: the tangential impulse T at a contact is at most mu times the normal one and opposes sliding. Number by
// number, for the processor and for threads of a device. C and C++.
//
// The solvers of simultaneous conditions write the same cone in coordinates of their own: contact/cones/system.c in one or two
// tangential numbers, contact/quadrature/tractions.c in covariant components of complex numbers.
#ifndef CAROM_CONTACT_CONE_H
#define CAROM_CONTACT_CONE_H

#include "math/vec3.h"

// u loses its part along the unit normal.
CAROM_INLINE void carom_cone_flatten(const double normal[3], double u[3]) {
    carom_add_scaled(-carom_dot(normal, u), normal, u);
}

// The direction t in which a contact with the relative velocity u slides; returns its speed. t is 0 if it does not.
CAROM_INLINE double carom_cone_slide(const double normal[3], const double u[3], double t[3]) {
    carom_copy(u, t);
    carom_cone_flatten(normal, t);
    return carom_normalize(t);
}

// Projects T on the disc |T| <= limit.
CAROM_INLINE void carom_cone_cut(double T[3], double limit) {
    double size = carom_norm(T);
    for (int i = 0; i < 3; i++)
        if (size > limit)
            T[i] *= limit / size;
}

typedef struct carom_cone_rubbing {
    double size, work; // of an impulse -size t; the kinetic energy that it takes
    bool slips;
} carom_cone_rubbing;

// The impulse against sliding in a direction in which a unit impulse changes the velocity by `softness`: as large as stops the
// final `speed`, at most `limit`, and no larger than leaves its work positive. That is done on `middle`, the speed in the
// middle of what the impulse belongs to; for an impulse at an instant it is the speed itself.
CAROM_INLINE carom_cone_rubbing carom_cone_rub(double speed, double middle, double softness, double limit) {
    double stick = fmin(speed, 2 * middle) / softness, size = fmin(stick, limit);
    carom_cone_rubbing rubbing = {size, size * (middle - 0.5 * softness * size), stick > limit};
    return rubbing;
}

#endif
