// SPDX-License-Identifier: MIT
// Theory: docs/theory/rigid.md
#include "contact/rigid_motion_field.h"

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

// Times that differ by less than this part are the same.
static const double same_time = 4 * DBL_EPSILON;

// More than the rounding of a few products.
static const double rounded_up = 1 + 1e-12;

// One body carries nodes of both sides: the first side takes over those of the second.
static void join_sides(carom_contact *contact) {
    carom_contact_side *first = &contact->side[0], *second = &contact->side[1];
    contact->carried[0] |= contact->carried[1];
    contact->carried[1] = 0;
    first->sign += second->sign;
    carom_add_scaled(1, second->arm, first->arm);
    *second = (carom_contact_side){0};
}

void carom_carriers_hold(const carom_carriers *carriers, carom_contact *contact, const double (*x)[3], const double (*w)[3],
                         double t) {
    if (!carriers)
        return;
    int split = carom_contact_split(contact);
    for (int s = 0; s < 2; s++) {
        int begin = s ? split : 0, end = s ? contact->count : split, r = -1, whole = 0;
        carom_contact_side *side = &contact->side[s];
        *side = (carom_contact_side){0};
        contact->carried[s] = 0;
        for (int k = begin; k < end; k++)
            if (carriers->of_node[contact->node[k]] >= 0) {
                r = carriers->of_node[contact->node[k]];
                contact->carried[s] |= 1 << k;
                side->sign += contact->weight[k];
                whole++;
            }
        if (r < 0)
            continue;
        const double *c = x[carriers->items[r].centre], *V = w[carriers->items[r].centre];
        side->centre = carriers->items[r].centre;
        side->turn = carriers->first_row + r;
        // weights of a whole side add up to 1 or -1, but for rounding
        if (whole == end - begin)
            side->sign = side->sign < 0 ? -1 : 1;
        for (int i = 0; i < 3; i++) {
            for (int k = begin; k < end; k++) {
                const double *p = x[contact->node[k]], *u = w[contact->node[k]];
                if (contact->carried[s] >> k & 1)
                    side->arm[i] += contact->weight[k] * ((p[i] - c[i]) + t * (u[i] - V[i]));
            }
        }
    }
    if (contact->side[0].centre && contact->side[0].centre == contact->side[1].centre)
        join_sides(contact);
}

void carom_carriers_refresh(carom_carriers *carriers, int r, double (*w)[3]) {
    const double *I = carriers->items[r].inertia, (*R)[3] = (const double(*)[3])carriers->R[r];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            carriers->soft[r][i][j] = R[i][0] * R[j][0] / I[0] + R[i][1] * R[j][1] / I[1] + R[i][2] * R[j][2] / I[2];
    carom_mat3_apply((const double(*)[3])carriers->soft[r], carriers->l[r], w[carriers->first_row + r]);
}

void carom_carrier_momentum(const carom_carrier *one, const double R[3][3], const double W[3], double l[3]) {
    double body[3];
    carom_mat3_apply_transposed(R, W, body);
    for (int i = 0; i < 3; i++)
        body[i] *= one->inertia[i];
    carom_mat3_apply(R, body, l);
}

void carom_carriers_momentum(const carom_carriers *carriers, int r, const double W[3], double l[3]) {
    carom_carrier_momentum(&carriers->items[r], (const double(*)[3])carriers->R[r], W, l);
}

// p = M V, L = J W + c x p.
void carom_carriers_whole(const carom_carriers *carriers, int r, const double c[3], const double V[3], const double W[3],
                          double p[3], double L[3]) {
    double cross[3];
    for (int i = 0; i < 3; i++)
        p[i] = carriers->items[r].mass * V[i];
    carom_carriers_momentum(carriers, r, W, L);
    carom_cross(c, p, cross);
    carom_add_scaled(1, cross, L);
}

// The work that accelerations k of the mass centre seem to do beside the moments about the hub: a joint leads the centre along
// an arc, and forces that hold it there do no work, but their mean at both ends does some on the chord.
static double work_of_hold(const carom_carriers *carriers, int r, const double k0[3], const double k1[3]) {
    const carom_link_hub *hub = carriers->linkages[carriers->items[r].linkage - 1].hub;
    const double *k[2] = {k0, k1};
    double d[2][3], chord[3], work = 0;
    if (!hub)
        return 0;
    carom_mat3_apply((const double(*)[3])carriers->start_R[r], hub->arm, d[0]);
    carom_mat3_apply((const double(*)[3])carriers->R[r], hub->arm, d[1]);
    carom_difference(d[1], d[0], chord);
    for (int end = 0; end < 2; end++) {
        double turn[3];
        carom_cross(carriers->swept[r], d[end], turn);
        work += carom_dot(k[end], chord) - carom_dot(k[end], turn);
    }
    return carriers->items[r].mass * work;
}

// A rotation by t m takes an arm r from r0 to r1 with r1 - r0 = t m x (r0 + r1)/2, so the work of a constant force f on its end
// is f.(r1 - r0) = t m.(r0 x f + r1 x f)/2: the mean of its moments at both ends. Moments are h J k.
double carom_carriers_gain(const carom_carriers *carriers, int r, const double k0[2][3], const double k1[2][3], double h) {
    const carom_carrier *one = &carriers->items[r];
    double gain = carriers->end_kinetic[r] - carriers->kinetic[r], m0[3], m1[3];
    // a body that nothing holds turns about its mass centre, and what impacts gave to its rotation is all
    if (!carom_carrier_is_followed(one))
        return gain;
    carom_carrier_momentum(one, (const double(*)[3])carriers->start_R[r], k0[1], m0);
    carom_carrier_momentum(one, (const double(*)[3])carriers->R[r], k1[1], m1);
    // what motors did is no gain
    if (one->linkage && one->seat == 0)
        gain -= carriers->links[one->linkage - 1].work;
    gain += 0.5 * (carom_dot(k1[1], carriers->l[r]) + carom_dot(k0[1], carriers->start_l[r]));
    gain += one->linkage ? 0.5 * work_of_hold(carriers, r, k0[0], k1[0]) / h : 0;
    return gain - 0.5 * (carom_dot(m0, carriers->swept[r]) + carom_dot(m1, carriers->swept[r])) / h;
}

// The angular velocity of the middle of a free turn of length t, in space. Of a body in a linkage it is that of the flight
// which was found last.
static void middle_of(const carom_carriers *carriers, int r, double t, double m[3]) {
    const carom_carrier *one = &carriers->items[r];
    const double(*R)[3] = (const double(*)[3])carriers->R[r];
    double body[3];
    if (one->linkage) {
        carom_copy(carriers->links[one->linkage - 1].turn[one->seat], m);
        return;
    }
    carom_turn_middle(one->inertia, R, carriers->l[r], t, body);
    carom_mat3_apply(R, body, m);
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

// The velocity with which the mass centre of body r is led through the coming flight.
static const double *way_of_centre(const carom_carriers *carriers, int r, const double (*w)[3]) {
    const carom_carrier *one = &carriers->items[r];
    return one->linkage ? carriers->links[one->linkage - 1].mean[one->seat] : w[one->centre];
}

// A flight of linkage q.
static void plan(carom_carriers *carriers, int q, double t, const double (*w)[3]) {
    const carom_linkage *linkage = &carriers->linkages[q];
    bool flies = t > 0;
    if (flies && !carom_linkage_fly(carriers, q, t, fmin(1, t / carriers->length), w))
        carriers->unsolved = true;
    // no time is left: nothing moves
    for (int b = 0; b < linkage->body_count && !flies; b++) {
        carom_copy(w[carriers->items[linkage->bodies[b]].centre], carriers->links[q].mean[b]);
        carom_copy(w[carriers->first_row + linkage->bodies[b]], carriers->links[q].turn[b]);
    }
}

void carom_carriers_plan(carom_carriers *carriers, int r, double t, const double (*w)[3]) {
    if (carriers->items[r].linkage)
        plan(carriers, carriers->items[r].linkage - 1, t, w);
}

// Where linkages are at the start of a drift, and where they will be at its end.
static void begin_linkages(carom_carriers *carriers, double h, const double (*x)[3], double (*w)[3]) {
    carriers->length = h;
    carriers->unsolved = false;
    for (int q = 0; q < carriers->linkage_count; q++) {
        const carom_linkage *linkage = &carriers->linkages[q];
        for (int b = 0; b < linkage->body_count; b++) {
            int r = linkage->bodies[b];
            carom_copy(x[carriers->items[r].centre], carriers->place[r]);
        }
        carriers->links[q].work = 0;
        memset(carriers->links[q].given, 0, sizeof carriers->links[q].given);
        carom_linkage_drive(carriers, q, carriers->time, true);
        carom_linkage_arrive(carriers, q);
        carom_linkage_find_bend(carriers, q, (const double(*)[3])w);
        plan(carriers, q, h, (const double(*)[3])w);
    }
}

double carom_carriers_begin(carom_carriers *carriers, double h, const double (*x)[3], double (*w)[3]) {
    double most = 0;
    for (int r = 0; r < carriers->count; r++) {
        carriers->since[r] = 0;
        carom_carriers_refresh(carriers, r, w);
    }
    begin_linkages(carriers, h, x, w);
    for (int r = 0; r < carriers->count; r++) {
        const carom_carrier *one = &carriers->items[r];
        const double *V = way_of_centre(carriers, r, (const double(*)[3])w);
        double m[3];
        carriers->kinetic[r] = 0.5 * carom_dot(carriers->l[r], w[carriers->first_row + r]);
        if (carom_carrier_is_followed(one)) {
            carom_mat3_copy((const double(*)[3])carriers->R[r], carriers->start_R[r]);
            carom_copy(carriers->l[r], carriers->start_l[r]);
            memset(carriers->swept[r], 0, sizeof carriers->swept[r]);
        }
        middle_of(carriers, r, h, m);
        most = fmax(most, h * carom_norm(m));
        for (int j = 0; j < carom_carrier_size(one); j++) {
            int k = carom_carrier_node(one, j);
            double arm[3], u[3], back[3];
            carom_difference(x[k], x[one->centre], arm);
            carom_turn_chord(m, h, arm, u);
            recovery_of(carriers, r, k, h, x, w[carriers->first_row + r], back);
            for (int i = 0; i < 3; i++)
                w[k][i] = V[i] + u[i] + back[i];
        }
    }
    return most;
}

// The free flight of a linkage to time t, and what the ground did meanwhile.
static void cut_linkage(carom_carriers *carriers, int q, double t, double (*w)[3]) {
    const carom_linkage *linkage = &carriers->linkages[q];
    double h = t - carriers->since[linkage->bodies[0]];
    if (!(h > 0))
        return;
    // most drifts end as they were planned, but for the rounding of times
    if (fabs(carriers->links[q].planned - h) > same_time * t &&
        !carom_linkage_fly(carriers, q, h, fmin(1, h / carriers->length), (const double(*)[3])w))
        carriers->unsolved = true;
    carriers->links[q].work += carriers->links[q].flight_work;
    for (int turn = 0; turn < 2; turn++) {
        double sign = turn ? 1 : -1;
        for (int b = 0; b < linkage->body_count; b++) {
            int r = linkage->bodies[b];
            double p[3], L[3];
            if (turn)
                carom_carriers_refresh(carriers, r, w);
            carom_carriers_whole(carriers, r, carriers->place[r], w[carriers->items[r].centre], w[carriers->first_row + r], p,
                                 L);
            carom_add_scaled(linkage->grounded ? sign : 0, p, carriers->links[q].given[0]);
            carom_add_scaled(linkage->grounded ? sign : 0, L, carriers->links[q].given[1]);
            carom_add_scaled(turn ? h : 0, carriers->links[q].turn[b], carriers->swept[r]);
            carriers->since[r] = t;
        }
        if (!turn)
            carom_linkage_land(carriers, q, w);
    }
    carom_linkage_drive(carriers, q, carriers->time + t, false);
    carom_linkage_arrive(carriers, q);
    carom_linkage_find_bend(carriers, q, (const double(*)[3])w);
}

void carom_carriers_cut(carom_carriers *carriers, int r, double t, double (*w)[3]) {
    const carom_carrier *one = &carriers->items[r];
    if (one->linkage) {
        cut_linkage(carriers, one->linkage - 1, t, w);
        return;
    }
    // bodies that are hit twice at one instant have been moved there
    if (t > carriers->since[r]) {
        double m[3], h = t - carriers->since[r];
        if (one->glued_count) {
            middle_of(carriers, r, h, m);
            carom_add_scaled(h, m, carriers->swept[r]);
        }
        carom_turn_freely(one->inertia, carriers->l[r], h, carriers->R[r]);
    }
    carriers->since[r] = t;
    carom_carriers_refresh(carriers, r, w);
}

void carom_carriers_fly_on(const carom_carriers *carriers, int r, double t, double end, double (*b)[3], double (*w)[3],
                           double *way) {
    const carom_carrier *one = &carriers->items[r];
    const double *c = b[one->centre], *now = w[one->centre], *V = way_of_centre(carriers, r, (const double(*)[3])w);
    double m[3];
    middle_of(carriers, r, end - t, m);
    for (int j = 0; j < carom_carrier_size(one); j++) {
        int k = carom_carrier_node(one, j);
        double arm[3], place[3], u[3];
        for (int i = 0; i < 3; i++) {
            place[i] = b[k][i] + t * w[k][i];
            arm[i] = place[i] - (c[i] + t * now[i]);
        }
        carom_turn_chord(m, end - t, arm, u);
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
        for (int j = 0; j < carom_carrier_size(one); j++) {
            int k = carom_carrier_node(one, j);
            double arm[3], u[3];
            carom_difference(x[k], x[one->centre], arm);
            carom_cross(W, arm, u);
            for (int i = 0; i < 3; i++)
                w[k][i] = V[i] + u[i];
        }
    }
}

void carom_carriers_acceleration(const carom_carriers *carriers, const carom_contact_side *side, const double W[3],
                                 double a[3]) {
    double l[3], moment[3], alpha[3], u[3];
    const double *arm = side->arm;
    int r = side->turn - carriers->first_row;
    const carom_carrier *one = &carriers->items[r];
    if (one->linkage) {
        const carom_link_hub *hub = carriers->linkages[one->linkage - 1].hub;
        const carom_linkage_space *space = &carriers->links[one->linkage - 1];
        double bend[2][3];
        if (hub)
            carom_link_hub_bend(hub, space->from, W, bend);
        else
            memcpy(bend, space->bend[one->seat], sizeof bend);
        carom_cross(W, arm, u);
        carom_cross(W, u, a);
        carom_cross(bend[1], arm, u);
        carom_add_scaled(1, u, a);
        carom_add_scaled(side->sign, bend[0], a);
        return;
    }
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
        carom_carriers_acceleration(carriers, side, w[side->turn], a);
        bend += 0.5 * t * carom_dot(contact->normal, a);
    }
    return bend;
}
