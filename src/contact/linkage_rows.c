// SPDX-License-Identifier: MIT
// Values g and rates of the constraints of joints, the rows of a linkage (linkage.h; docs/theory/joints.md). With arms r = R X,
// points y = c + r, d = y0 - y1 and vectors e, n that move with the first and the second body:
//
//     point    g = d_i       rate  (V0 + W0 x r0 - V1 - W1 x r1)_i
//     offset   g = n.d       rate  n.(V0 + W0 x r0 - V1 - W1 x r1) + W1.(n x d)
//     angle    g = e.n       rate  (W0 - W1).(e x n)
//     turn                   rate  (W0 - W1).e
//
// Each is linear or a product of two vectors, so with means of both ends for r, n, d, e the rate times the length of a drift is
// the change of g: a rotation by t m changes a vector from a to a' with a' - a = t m x (a + a')/2.
#include "contact/linkage.h"
#include "math/functions.h"
#include "math/mat3.h"

// A vector of the body on side s of a row, in space.
static void turned(const carom_link_row *row, int s, const carom_link_pose *pose, const double v[3], double turned[3]) {
    if (row->body[s] < 0)
        carom_copy(v, turned);
    else
        carom_mat3_apply((const double(*)[3])pose[row->body[s]].R, v, turned);
}

// The mean of the vector at both poses.
static void between(const carom_link_row *row, int s, const carom_link_pose *from, const carom_link_pose *to, const double v[3],
                    double mean[3]) {
    double other[3];
    turned(row, s, from, v, mean);
    if (from == to)
        return;
    turned(row, s, to, v, other);
    for (int i = 0; i < 3; i++)
        mean[i] = 0.5 * (mean[i] + other[i]);
}

// From the point in the second body to that in the first.
static void distance_of(const carom_link_row *row, const carom_link_pose *pose, double d[3]) {
    double arm[2][3];
    for (int s = 0; s < 2; s++)
        turned(row, s, pose, row->at[s], arm[s]);
    for (int i = 0; i < 3; i++) {
        double first = row->body[0] < 0 ? 0 : pose[row->body[0]].c[i], second = row->body[1] < 0 ? 0 : pose[row->body[1]].c[i];
        d[i] = (first - second) + (arm[0][i] - arm[1][i]);
    }
}

// A direction normal to the axis e rotates with the first body to p, and with the second to n. The rotation of n by `angle` is
// n' = cos n + sin (e x n), and the sine is p.(e x n').
double carom_link_turn(const carom_link_row *row, const carom_link_pose *from, const carom_link_pose *to, double angle) {
    double n[3], before[3], p[3], e[3], across[3], c = carom_cos(angle), s = carom_sin(angle);
    turned(row, 1, from, row->along[1], n);
    carom_mat3_apply_transposed((const double(*)[3])from[row->body[0]].R, n, before);
    carom_mat3_apply((const double(*)[3])to[row->body[0]].R, before, p);
    turned(row, 1, to, row->along[1], n);
    turned(row, 1, to, row->at[1], e);
    carom_cross(e, n, across);
    return c * carom_dot(p, across) - s * carom_dot(p, n);
}

double carom_link_value(const carom_link_row *row, const carom_link_pose *pose) {
    double e[3], n[3], d[3];
    if (row->kind == CAROM_LINK_TURN)
        return 0;
    if (row->kind == CAROM_LINK_ANGLE) {
        turned(row, 0, pose, row->along[0], e);
        turned(row, 1, pose, row->along[1], n);
        return carom_dot(e, n);
    }
    distance_of(row, pose, d);
    if (row->kind == CAROM_LINK_POINT)
        return d[row->direction];
    turned(row, 1, pose, row->along[1], n);
    return carom_dot(n, d);
}

// Opposite forces f at the arms of both sides.
static void pull(const double f[3], const double arm[2][3], carom_link_gradient *gradient) {
    for (int s = 0; s < 2; s++) {
        double turn[3], sign = s ? -1 : 1;
        carom_cross(arm[s], f, turn);
        for (int i = 0; i < 3; i++) {
            gradient->of[s][i] = sign * f[i];
            gradient->of[s][3 + i] = sign * turn[i];
        }
    }
}

void carom_link_gradient_find(const carom_link_row *row, const carom_link_pose *from, const carom_link_pose *to,
                              carom_link_gradient *gradient) {
    double arm[2][3], n[3] = {0}, d[3], other[3], cross[3];
    *gradient = (carom_link_gradient){0};
    if (row->kind == CAROM_LINK_TURN) {
        between(row, 1, from, to, row->at[1], n);
        for (int i = 0; i < 3; i++) {
            gradient->of[0][3 + i] = n[i];
            gradient->of[1][3 + i] = -n[i];
        }
        return;
    }
    if (row->kind == CAROM_LINK_ANGLE) {
        between(row, 0, from, to, row->along[0], d);
        between(row, 1, from, to, row->along[1], n);
        carom_cross(d, n, cross);
        for (int i = 0; i < 3; i++) {
            gradient->of[0][3 + i] = cross[i];
            gradient->of[1][3 + i] = -cross[i];
        }
        return;
    }
    for (int s = 0; s < 2; s++)
        between(row, s, from, to, row->at[s], arm[s]);
    if (row->kind == CAROM_LINK_POINT) {
        n[row->direction] = 1;
        pull(n, (const double(*)[3])arm, gradient);
        return;
    }
    between(row, 1, from, to, row->along[1], n);
    pull(n, (const double(*)[3])arm, gradient);
    distance_of(row, from, d);
    distance_of(row, to, other);
    for (int i = 0; i < 3; i++)
        d[i] = 0.5 * (d[i] + other[i]);
    carom_cross(n, d, cross);
    carom_add_scaled(1, cross, gradient->of[1] + 3);
}

// W x (W x a).
static void centripetal(const double W[3], const double a[3], double b[3]) {
    double u[3];
    carom_cross(W, a, u);
    carom_cross(W, u, b);
}

double carom_link_bias(const carom_link_row *row, const carom_link_pose *pose, const double (*velocity)[2][3]) {
    static const double none[2][3];
    const double(*side[2])[3], *W[2];
    double v[2][3], rate[2][3], second[2][3];
    bool angle = row->kind == CAROM_LINK_ANGLE;
    if (row->kind == CAROM_LINK_TURN) {
        const double *first = velocity[row->body[0]][1], *other = row->body[1] < 0 ? none[1] : velocity[row->body[1]][1];
        double e[3], bent[3], relative[3];
        turned(row, 1, pose, row->at[1], e);
        carom_cross(other, e, bent);
        carom_difference(first, other, relative);
        return carom_dot(relative, bent);
    }
    for (int s = 0; s < 2; s++) {
        side[s] = row->body[s] < 0 ? none : velocity[row->body[s]];
        W[s] = side[s][1];
        turned(row, s, pose, angle ? row->along[s] : row->at[s], v[s]);
        carom_cross(W[s], v[s], rate[s]);
        centripetal(W[s], v[s], second[s]);
    }
    if (angle)
        return carom_dot(second[0], v[1]) + 2 * carom_dot(rate[0], rate[1]) + carom_dot(v[0], second[1]);
    if (row->kind == CAROM_LINK_POINT)
        return second[0][row->direction] - second[1][row->direction];
    double n[3], moved[3], again[3], d[3], closing[3], bent[3];
    turned(row, 1, pose, row->along[1], n);
    carom_cross(W[1], n, moved);
    centripetal(W[1], n, again);
    distance_of(row, pose, d);
    for (int i = 0; i < 3; i++) {
        closing[i] = side[0][0][i] + rate[0][i] - side[1][0][i] - rate[1][i];
        bent[i] = second[0][i] - second[1][i];
    }
    return carom_dot(n, bent) + 2 * carom_dot(moved, closing) + carom_dot(again, d);
}
