// SPDX-License-Identifier: MIT
// The rotation vector of a rotation: its axis times its angle, which is at most pi.
#ifndef CAROM_MATH_TURN_VECTOR_H
#define CAROM_MATH_TURN_VECTOR_H

#include <math.h>

#include "math/functions.h"
#include "math/mat3.h"

// Computed from the quaternion (w, v) of Q, w >= 0, scaled by four times its largest component, which is accurate also near a
// half turn. The angle is 2 atan2(|v|, w). Of the two vectors of an exact half turn, returns the one whose first nonzero
// component is positive.
static inline void carom_turn_vector(const double Q[3][3], double turn[3]) {
    double trace = Q[0][0] + Q[1][1] + Q[2][2], v[3], w;
    int i = Q[1][1] > Q[0][0] ? 1 : 0;
    i = Q[2][2] > Q[i][i] ? 2 : i;
    int j = (i + 1) % 3, k = (i + 2) % 3;
    if (trace >= Q[i][i]) {
        w = 1 + trace;
        v[0] = Q[2][1] - Q[1][2];
        v[1] = Q[0][2] - Q[2][0];
        v[2] = Q[1][0] - Q[0][1];
    } else {
        v[i] = 1 + Q[i][i] - Q[j][j] - Q[k][k];
        v[j] = Q[i][j] + Q[j][i];
        v[k] = Q[i][k] + Q[k][i];
        w = Q[k][j] - Q[j][k];
    }
    int first = v[0] != 0 ? 0 : v[1] != 0 ? 1 : 2;
    double sign = w < 0 || (w == 0 && v[first] < 0) ? -1 : 1, size = carom_norm(v);
    double angle = size > 0 ? 2 * carom_atan2(size, sign * w) : 0;
    for (int c = 0; c < 3; c++)
        turn[c] = size > 0 ? sign * angle * v[c] / size : 0;
}

#endif
