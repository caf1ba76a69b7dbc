// SPDX-License-Identifier: MIT
// Response to impulses and free motion of a rigid body with a single joint, to the ground; the hub is a point of the body that
// moves in the free directions of the joint, while the body rotates about axes through it (linkage.h; docs/theory/joints.md).
// With d from the hub to the mass centre, the velocity v of the hub, the projection S on its admissible directions, and the
// axes of rotation p with moments of inertia I, a force F at the mass centre and a couple C give
//
//     dv = S F/M,   dW = sum p (p.(C + d x F))/I,   dV = dv + dW x d.
//
// In a flight v is constant, and so is the angular momentum about the hub or, for one axis, W. The position of the hub is
// computed from its position at the start of the run, so the joint does not drift open.
#include <math.h>
#include <string.h>

#include "contact/rigid_motion_field.h"
#include "math/turn.h"

typedef const double (*matrix)[3];

// The axes of a body with the principal axes R, in space.
static void axes_of(const carom_link_hub *hub, const double R[3][3], double p[3][3]) {
    for (int k = 0; k < hub->turns; k++)
        carom_mat3_apply(R, hub->axes[k], p[k]);
    if (hub->turns == 1)
        carom_copy(hub->axis, p[0]);
}

// sum p (p.a)/I
static void apply_inverse_inertia(const carom_link_hub *hub, const double p[3][3], const double a[3], double W[3]) {
    memset(W, 0, 3 * sizeof *W);
    for (int k = 0; k < hub->turns; k++)
        carom_add_scaled(carom_dot(p[k], a) / hub->inertia[k], p[k], W);
}

void carom_link_hub_respond(const carom_link_hub *hub, double mass, const carom_link_pose *pose, double *response) {
    double p[3][3], d[3];
    memset(response, 0, 36 * sizeof *response);
    axes_of(hub, (matrix)pose->R, p);
    carom_mat3_apply((matrix)pose->R, hub->arm, d);
    for (int i = 0; i < 9; i++)
        response[6 * (i / 3) + i % 3] = hub->slide[i / 3][i % 3] / mass;
    for (int k = 0; k < hub->turns; k++) {
        double motion[6], scale = 1 / hub->inertia[k];
        carom_cross(p[k], d, motion);
        carom_copy(p[k], motion + 3);
        for (int i = 0; i < 36; i++)
            response[i] += scale * motion[i / 6] * motion[i % 6];
    }
}

void carom_link_hub_bend(const carom_link_hub *hub, const carom_link_pose *pose, const double W[3], double bend[2][3]) {
    double d[3], u[3], turn[3];
    memset(bend[1], 0, sizeof bend[1]);
    // for one axis the angular momentum is along it, and W is constant
    if (hub->turns == 3) {
        double p[3][3], l[3] = {0}, moment[3];
        axes_of(hub, (matrix)pose->R, p);
        for (int k = 0; k < 3; k++)
            carom_add_scaled(hub->inertia[k] * carom_dot(p[k], W), p[k], l);
        carom_cross(l, W, moment);
        apply_inverse_inertia(hub, (matrix)p, moment, bend[1]);
    }
    carom_mat3_apply((matrix)pose->R, hub->arm, d);
    carom_cross(W, d, u);
    carom_cross(W, u, bend[0]);
    carom_cross(bend[1], d, turn);
    carom_add_scaled(1, turn, bend[0]);
}

// Rotates a body by t m about the axis. Rounding errors of the axis in the body are corrected here: they would add up.
static void turn_about(const carom_link_hub *hub, const double m[3], double t, double R[3][3]) {
    double v[3] = {t * m[0], t * m[1], t * m[2]}, none[3] = {0}, moved[3], T[3][3], Q[3][3], now[3], off[3];
    carom_cayley(v, none, T, moved);
    carom_mat3_multiply((matrix)T, (matrix)R, Q);
    carom_mat3_apply((matrix)Q, hub->axes[0], now);
    carom_cross(now, hub->axis, off);
    for (int j = 0; j < 3; j++) {
        double column[3] = {Q[0][j], Q[1][j], Q[2][j]}, change[3];
        carom_cross(off, column, change);
        for (int i = 0; i < 3; i++)
            R[i][j] = Q[i][j] + change[i];
    }
}

// Free rotation with the angular momentum l about the hub: computes the mean angular velocity m, and R and W at the end. For
// one axis W is kept: computing it from l would multiply and divide by moments of inertia, and rounding would add up.
static void turn(const carom_link_hub *hub, const double l[3], double t, double R[3][3], double W[3], double m[3]) {
    double p[3][3];
    memset(m, 0, 3 * sizeof *m);
    if (hub->turns == 3) {
        double P[3][3], body[3];
        for (int i = 0; i < 3; i++)
            carom_mat3_apply((matrix)hub->axes, R[i], P[i]);
        carom_turn_middle(hub->inertia, (matrix)P, l, t, body);
        carom_mat3_apply((matrix)P, body, m);
        carom_turn_by(body, t, P);
        carom_mat3_multiply((matrix)P, (matrix)hub->axes, R);
        axes_of(hub, (matrix)R, p);
        apply_inverse_inertia(hub, (matrix)p, l, W);
        return;
    }
    if (hub->turns == 1) {
        carom_add_scaled(carom_dot(hub->axis, W) / carom_dot(hub->axis, hub->axis), hub->axis, m);
        turn_about(hub, m, t, R);
    }
    carom_copy(m, W);
}

void carom_link_hub_fly(const carom_rigid_bodies *rigid_bodies, int q, double t, const double (*w)[3]) {
    const carom_linkage *linkage = &rigid_bodies->linkages[q];
    const carom_link_hub *hub = linkage->hub;
    carom_linkage_space *s = &rigid_bodies->links[q];
    int r = linkage->bodies[0];
    const carom_rigid_body *one = &rigid_bodies->items[r];
    const double *V = w[one->centre];
    carom_link_pose *to = &s->to[0];
    double d[3], l[3], W[3], v[3], swing[3], off[3], slid[3];
    carom_mat3_copy((matrix)rigid_bodies->R[r], to->R);
    carom_mat3_apply((matrix)to->R, hub->arm, d);
    carom_copy(w[rigid_bodies->first_row + r], W);
    carom_cross(d, V, l);
    for (int i = 0; i < 3; i++) {
        l[i] = rigid_bodies->l[r][i] + one->mass * l[i];
        off[i] = rigid_bodies->place[r][i] - d[i] - hub->at[i];
    }
    carom_mat3_apply((matrix)hub->slide, V, v);
    carom_mat3_apply((matrix)hub->slide, off, slid);
    turn(hub, l, t, to->R, W, s->turn[0]);
    // not as a difference of positions: in a short flight their rounding would be a large velocity
    carom_turn_chord(s->turn[0], t, d, swing);
    carom_mat3_apply((matrix)to->R, hub->arm, d);
    carom_cross(W, d, s->V[0][1]);
    for (int i = 0; i < 3; i++) {
        s->mean[0][i] = v[i] + swing[i];
        to->c[i] = hub->at[i] + slid[i] + t * v[i] + d[i];
        s->V[0][1][i] += v[i];
    }
    // angular momentum about the mass centre. Free rotations conserve that about the hub, and rotations about an axis its
    // component along the axis, to the last bits: rounding of J would add up.
    double *end = s->l[0][1];
    carom_rigid_body_momentum(one, (matrix)to->R, W, end);
    if (hub->turns == 1)
        carom_add_scaled(carom_dot(hub->axis, rigid_bodies->l[r]) - carom_dot(hub->axis, end), hub->axis, end);
    if (hub->turns == 3) {
        carom_cross(d, s->V[0][1], end);
        for (int i = 0; i < 3; i++)
            end[i] = l[i] - one->mass * end[i];
    }
    s->flight_work = 0;
    s->planned = t;
}
