// SPDX-License-Identifier: MIT
// Coulomb's cone: the tangential impulse T at a contact is at most mu times the normal one and opposes sliding. Scalar code for
// the processor and for threads of a device. C and C++.
//
// The solver of contact/cones has one or two tangential components and computes their norm by carom_hypot; the cone is the
// same. contact/quadrature/tractions.c has a projection of its own: its components are covariant, with the metric of the face,
// and complex, so that a complex step differentiates the limit with the rest; it compares squares, and a comparison of sizes
// would change its results by rounding. The slip of contact/quadrature/coulomb_update.c has one component and a sign: an
// interval, not a disc.
#ifndef CAROM_CONTACT_CONE_H
#define CAROM_CONTACT_CONE_H

#include "math/vec3.h"

// Removes the component of u along the unit normal.
CAROM_INLINE void carom_cone_flatten(const double normal[3], double u[3]) {
    carom_add_scaled(-carom_dot(normal, u), normal, u);
}

// The direction t in which a contact with the relative velocity u slides; returns its speed. t is 0 if it does not.
CAROM_INLINE double carom_cone_slide(const double normal[3], const double u[3], double t[3]) {
    carom_copy(u, t);
    carom_cone_flatten(normal, t);
    return carom_normalize(t);
}

// The factor that projects a tangential impulse of this size on the disc of radius `limit`.
CAROM_INLINE double carom_cone_factor(double size, double limit) {
    return size > limit ? limit / size : 1;
}

// Projects T on the disc |T| <= limit.
CAROM_INLINE void carom_cone_cut(double T[3], double limit) {
    double factor = carom_cone_factor(carom_norm(T), limit);
    for (int i = 0; i < 3; i++)
        T[i] *= factor;
}

// limit^2 - size^2 as a product, which is accurate near the cone.
CAROM_INLINE double carom_cone_slack(double size, double limit) {
    return (limit - size) * (limit + size);
}

// True if an impulse that a solver has projected is on the cone: the contact slips. `rounding`: the relative error of its size.
CAROM_INLINE bool carom_cone_slips(double size, double limit, double rounding) {
    return size >= limit * (1 - rounding);
}

typedef struct carom_cone_rubbing {
    double size, work; // the impulse is -size t; its loss of kinetic energy
    bool slips;
} carom_cone_rubbing;

// The impulse against sliding in a direction in which a unit impulse changes the velocity by `softness`: it stops the final
// `speed`, but is at most `limit`, and its dissipation is not negative. The work is computed with `middle`, the sliding speed
// in the middle of the kick; for an instantaneous impulse this is `speed` itself.
CAROM_INLINE carom_cone_rubbing carom_cone_rub(double speed, double middle, double softness, double limit) {
    double stick = fmin(speed, 2 * middle) / softness, size = fmin(stick, limit);
    carom_cone_rubbing rubbing = {size, size * (middle - 0.5 * softness * size), stick > limit};
    return rubbing;
}

#endif
