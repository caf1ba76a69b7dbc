// SPDX-License-Identifier: MIT
// Theory: docs/theory/rigid.md
#include "contact/carrier.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "math/turn.h"

// A node closer to its place in the body than this many last digits of the coordinates is there.
static const double in_place = 64 * DBL_EPSILON;

// A shape recovers with at most so many slow speeds, and this part of the speed with which the node turns: impacts in drifts
// with turns of a radian or less never need more.
static const double quickest = 10;
static const double part_of_turn = 0.2;

// More than the rounding of a few products.
static const double rounded_up = 1 + 1e-12;

void carom_carriers_hold(const carom_carriers *carriers, carom_contact *contact, const double (*x)[3], const double (*w)[3],
                         double t) {
    if (!carriers)
        return;
    int split = carom_contact_split(contact);
    for (int s = 0; s < 2; s++) {
        int begin = s ? split : 0, end = s ? contact->count : split;
        int r = begin < end ? carriers->of_node[contact->node[begin]] : -1;
        carom_contact_side *side = &contact->side[s];
        *side = (carom_contact_side){0};
        if (r < 0)
            continue;
        const double *c = x[carriers->items[r].centre], *V = w[carriers->items[r].centre];
        side->centre = carriers->items[r].centre;
        side->turn = carriers->first_row + r;
        for (int k = begin; k < end; k++)
            side->sign += contact->weight[k];
        // weights of a side add up to 1 or -1, but for rounding
        side->sign = side->sign < 0 ? -1 : 1;
        for (int i = 0; i < 3; i++) {
            for (int k = begin; k < end; k++) {
                const double *p = x[contact->node[k]], *u = w[contact->node[k]];
                side->arm[i] += side->sign * contact->weight[k] * ((p[i] - c[i]) + t * (u[i] - V[i]));
            }
        }
    }
}

void carom_carriers_refresh(carom_carriers *carriers, int r, double (*w)[3]) {
    const double *I = carriers->items[r].inertia, (*R)[3] = (const double(*)[3])carriers->R[r];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            carriers->soft[r][i][j] = R[i][0] * R[j][0] / I[0] + R[i][1] * R[j][1] / I[1] + R[i][2] * R[j][2] / I[2];
    carom_mat3_apply((const double(*)[3])carriers->soft[r], carriers->l[r], w[carriers->first_row + r]);
}

void carom_carriers_momentum(const carom_carriers *carriers, int r, const double W[3], double l[3]) {
    const double(*R)[3] = (const double(*)[3])carriers->R[r];
    double body[3];
    carom_mat3_apply_transposed(R, W, body);
    for (int i = 0; i < 3; i++)
        body[i] *= carriers->items[r].inertia[i];
    carom_mat3_apply(R, body, l);
}

// The angular velocity of the middle of a free turn of length t, in space.
static void middle_of(const carom_carriers *carriers, int r, double t, double m[3]) {
    double body[3];
    const double(*R)[3] = (const double(*)[3])carriers->R[r];
    carom_turn_middle(carriers->items[r].inertia, R, carriers->l[r], t, body);
    carom_mat3_apply(R, body, m);
}

// The mean velocity of a point at `arm` on the chord of its turn by cay(t m): (cay(t m) - 1) arm/t.
static void chord_of(const double m[3], double t, const double arm[3], double u[3]) {
    double first[3], second[3], s = 4 / (4 + t * t * carom_dot(m, m));
    carom_cross(m, arm, first);
    carom_cross(m, first, second);
    for (int i = 0; i < 3; i++)
        u[i] = s * (first[i] + 0.5 * t * second[i]);
}

// The velocity with which node k of body r, at x, returns to its place in the body within the time h, after impacts of drifts
// before have cut the shape short. Not faster than a part of its own speed, or than the layer of contact allows: what rests on
// this node would be thrown off.
static void recovery_of(const carom_carriers *carriers, int r, int k, double h, const double (*x)[3], const double W[3],
                        double u[3]) {
    const carom_carrier *one = &carriers->items[r];
    const double *c = x[one->centre];
    double arm[3], size = 0, largest = 0;
    carom_mat3_apply((const double(*)[3])carriers->R[r], carriers->shape[k], arm);
    for (int i = 0; i < 3; i++) {
        u[i] = (c[i] - x[k][i]) + arm[i];
        size = fmax(size, fabs(c[i]) + fabs(x[k][i]) + fabs(arm[i]));
        largest = fmax(largest, fabs(u[i]));
    }
    double speed = carom_norm(u) / h, most = quickest * carriers->slow + part_of_turn * carom_norm(W) * carom_norm(arm);
    double scale = largest > in_place * size ? (speed > most ? most / speed : 1) / h : 0;
    for (int i = 0; i < 3; i++)
        u[i] *= scale;
}

double carom_carriers_begin(carom_carriers *carriers, double h, const double (*x)[3], double (*w)[3]) {
    double most = 0;
    for (int r = 0; r < carriers->count; r++) {
        const carom_carrier *one = &carriers->items[r];
        const double *V = w[one->centre];
        double m[3];
        carriers->since[r] = 0;
        carom_carriers_refresh(carriers, r, w);
        carriers->kinetic[r] = 0.5 * carom_dot(carriers->l[r], w[carriers->first_row + r]);
        middle_of(carriers, r, h, m);
        most = fmax(most, h * carom_norm(m));
        for (int k = one->node_begin; k < one->node_begin + one->node_count; k++) {
            double arm[3], u[3], back[3];
            carom_difference(x[k], x[one->centre], arm);
            chord_of(m, h, arm, u);
            recovery_of(carriers, r, k, h, x, w[carriers->first_row + r], back);
            for (int i = 0; i < 3; i++)
                w[k][i] = V[i] + u[i] + back[i];
        }
    }
    return most;
}

void carom_carriers_cut(carom_carriers *carriers, int r, double t, double (*w)[3]) {
    // bodies that are hit twice at one instant have been moved there
    if (t > carriers->since[r])
        carom_turn_freely(carriers->items[r].inertia, carriers->l[r], t - carriers->since[r], carriers->R[r]);
    carriers->since[r] = t;
    carom_carriers_refresh(carriers, r, w);
}

void carom_carriers_fly_on(const carom_carriers *carriers, int r, double t, double end, double (*b)[3], double (*w)[3],
                           double *way) {
    const carom_carrier *one = &carriers->items[r];
    const double *c = b[one->centre], *V = w[one->centre];
    double m[3];
    middle_of(carriers, r, end - t, m);
    for (int k = one->node_begin; k < one->node_begin + one->node_count; k++) {
        double arm[3], place[3], u[3];
        for (int i = 0; i < 3; i++) {
            place[i] = b[k][i] + t * w[k][i];
            arm[i] = place[i] - (c[i] + t * V[i]);
        }
        chord_of(m, end - t, arm, u);
        double change[3], size = 0;
        for (int i = 0; i < 3; i++) {
            change[i] = V[i] + u[i] - w[k][i];
            w[k][i] = V[i] + u[i];
            b[k][i] = place[i] - t * w[k][i];
            size += fabs(place[i]) + fabs(end * w[k][i]);
        }
        // the second term covers the rounding of both
        way[k] += carom_norm(change) * (end - t) * rounded_up + 4 * DBL_EPSILON * size;
    }
}

void carom_carriers_spread(const carom_carriers *carriers, const double (*x)[3], double (*w)[3]) {
    for (int r = 0; r < carriers->count; r++) {
        const carom_carrier *one = &carriers->items[r];
        const double *V = w[one->centre], *W = w[carriers->first_row + r];
        for (int k = one->node_begin; k < one->node_begin + one->node_count; k++) {
            double arm[3], u[3];
            carom_difference(x[k], x[one->centre], arm);
            carom_cross(W, arm, u);
            for (int i = 0; i < 3; i++)
                w[k][i] = V[i] + u[i];
        }
    }
}

void carom_carriers_acceleration(const carom_carriers *carriers, int r, const double W[3], const double arm[3], double a[3]) {
    double l[3], moment[3], alpha[3], u[3];
    // l does not change in space: d/dt (J W) = 0 gives J alpha = l x W
    carom_carriers_momentum(carriers, r, W, l);
    carom_cross(l, W, moment);
    carom_mat3_apply((const double(*)[3])carriers->soft[r], moment, alpha);
    carom_cross(W, arm, u);
    carom_cross(W, u, a);
    carom_cross(alpha, arm, u);
    carom_add_scaled(1, u, a);
}

double carom_carriers_bend(const carom_carriers *carriers, const carom_contact *contact, const double (*x)[3],
                           const double (*w)[3], double t) {
    double bend = 0;
    for (int k = 0; x && carriers && k < contact->count; k++) {
        int r = carriers->of_node[contact->node[k]];
        double u[3];
        if (r < 0)
            continue;
        recovery_of(carriers, r, contact->node[k], t, x, w[carriers->first_row + r], u);
        bend += contact->weight[k] * carom_dot(contact->normal, u);
    }
    for (int s = 0; s < 2; s++) {
        const carom_contact_side *side = &contact->side[s];
        double a[3];
        if (!side->centre)
            continue;
        carom_carriers_acceleration(carriers, side->turn - carriers->first_row, w[side->turn], side->arm, a);
        bend += 0.5 * t * side->sign * carom_dot(contact->normal, a);
    }
    return bend;
}
