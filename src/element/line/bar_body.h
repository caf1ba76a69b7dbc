// SPDX-License-Identifier: MIT
// Strain and forces of bars (bar.c has the equations), for the processor and for threads of a device.
#ifndef CAROM_ELEMENT_LINE_BAR_BODY_H
#define CAROM_ELEMENT_LINE_BAR_BODY_H

#include "base/kernel.h"
#include "carom/element.h"
#include "material/uniaxial.h"

// Stored per bar: the undeformed length and the unit vector of its axis.
enum { CAROM_BAR_LENGTH, CAROM_BAR_AXIS, CAROM_BAR_DATA = CAROM_BAR_AXIS + 3 };

CAROM_INLINE double carom_bar_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The small or Green's strain of a bar with the vector d from its first to its second node, and its gradient with respect to
// the second node; that with respect to the first is the opposite.
CAROM_INLINE double carom_bar_strain_of(bool green, const double *data, const double d[3], double gradient[3]) {
    double L = data[CAROM_BAR_LENGTH];
    for (int i = 0; i < 3; i++)
        gradient[i] = green ? d[i] / (L * L) : data[CAROM_BAR_AXIS + i] / L;
    return green ? 0.5 * (carom_bar_dot(d, d) / (L * L) - 1) : carom_bar_dot(d, &data[CAROM_BAR_AXIS]) / L - 1;
}

// The forces on both nodes, given the area and the stress.
CAROM_INLINE void carom_bar_forces(double area, const double *data, double stress, const double gradient[3], double f[6]) {
    double scale = area * data[CAROM_BAR_LENGTH] * stress;
    for (int i = 0; i < 3; i++) {
        f[i] = scale * gradient[i];
        f[3 + i] = -scale * gradient[i];
    }
}

#endif
