// SPDX-License-Identifier: MIT
// Change of volume, for elements that average it: det F - 1 at a point, and the volume of a tetrahedron with its derivatives.
// For the processor and for devices.
#ifndef CAROM_ELEMENT_AVERAGE_ISOCHORIC_BODY_H
#define CAROM_ELEMENT_AVERAGE_ISOCHORIC_BODY_H

#include "material/lanes/stress.h"
#include "math/vec3.h"

// F = I + H, and det F - 1 without cancellation.
CAROM_INLINE void carom_split_deform(const carom_lanes H[9], carom_lanes F[9], carom_lanes *growth) {
    carom_kernel_growth(H, growth);
    for (int a = 0; a < 9; a++)
        F[a] = a % 4 == 0 ? H[a] + 1.0 : H[a];
}

// A tetrahedron of a patch (all tetrahedra around a node): d are the positions of its other three nodes relative to that node.
// Returns six times its volume, whose derivatives by these positions, divided by six, are added to the slopes, where not NULL.
CAROM_LOCAL double carom_split_face(const double d0[3], const double d1[3], const double d2[3], double *slope0, double *slope1,
                                    double *slope2) {
    double area[3];
    carom_cross(d1, d2, area);
    double size = carom_dot(d0, area);
    if (!slope0)
        return size;
    carom_add_scaled(1.0 / 6, area, slope0);
    carom_cross(d2, d0, area);
    carom_add_scaled(1.0 / 6, area, slope1);
    carom_cross(d0, d1, area);
    carom_add_scaled(1.0 / 6, area, slope2);
    return size;
}

#endif
