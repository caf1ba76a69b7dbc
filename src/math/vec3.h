// SPDX-License-Identifier: MIT
// Vectors of three components, as plain arrays. Results come last or are returned.
#ifndef CAROM_MATH_VEC3_H
#define CAROM_MATH_VEC3_H

#include <math.h>

#include "base/kernel.h"

// Arrays of one vector per node.
typedef double (*carom_vectors)[3];
typedef const double (*carom_const_vectors)[3];

CAROM_LOCAL double carom_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

CAROM_LOCAL double carom_norm(const double a[3]) {
    return sqrt(carom_dot(a, a));
}

CAROM_LOCAL void carom_cross(const double a[3], const double b[3], double c[3]) {
    double x = a[1] * b[2] - a[2] * b[1];
    double y = a[2] * b[0] - a[0] * b[2];
    double z = a[0] * b[1] - a[1] * b[0];
    c[0] = x, c[1] = y, c[2] = z;
}

CAROM_LOCAL void carom_difference(const double a[3], const double b[3], double c[3]) {
    for (int i = 0; i < 3; i++)
        c[i] = a[i] - b[i];
}

CAROM_LOCAL void carom_copy(const double a[3], double b[3]) {
    for (int i = 0; i < 3; i++)
        b[i] = a[i];
}

// b += s a
CAROM_LOCAL void carom_add_scaled(double s, const double a[3], double b[3]) {
    for (int i = 0; i < 3; i++)
        b[i] += s * a[i];
}

// Scales a to unit length and returns its former length. A zero vector stays zero.
CAROM_LOCAL double carom_normalize(double a[3]) {
    double largest = fmax(fabs(a[0]), fmax(fabs(a[1]), fabs(a[2])));
    if (!(largest > 0))
        return 0;
    // vectors whose squared length would overflow or underflow are scaled first
    double scale = largest > 1e-140 && largest < 1e140 ? 1 : largest;
    for (int i = 0; i < 3; i++)
        a[i] /= scale;
    double length = carom_norm(a);
    for (int i = 0; i < 3; i++)
        a[i] /= length;
    return length * scale;
}

#endif
