// SPDX-License-Identifier: MIT
// Moves rigid bodies through a drift (rigid_motion_field.h; docs/theory/rigid.md): their poses and momenta, and the straight
// paths of their nodes.
#include "contact/rigid_motion_field.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "math/turn.h"

// A node whose distance from its position in the body is below this fraction of the coordinates needs no correction.
static const double place_rounding = 64 * DBL_EPSILON;

// Limit of the speed with which nodes return to their positions in the body: this multiple of `slow`, plus this fraction of the
// speed by rotation, plus the difference of the velocities of the mass centre on its chord and on its arc in a linkage.
// Impacts in drifts with rotations of at most a radian never need more.
static const double max_slow_speeds = 10;
static const double max_turn_fraction = 0.2;

// Times whose relative difference is below this are equal.
static const double time_tolerance = 4 * DBL_EPSILON;

// Factor that exceeds the rounding of a few products.
static const double rounding_factor = 1 + 1e-12;

// Moves all nodes to the first side, if nodes of both sides belong to one rigid body.
static void join_sides(carom_contact *contact) {
    carom_contact_side *first = &contact->side[0], *second = &contact->side[1];
    contact->rigid_nodes[0] |= contact->rigid_nodes[1];
    contact->rigid_nodes[1] = 0;
    first->sign += second->sign;
    carom_add_scaled(1, second->arm, first->arm);
    *second = (carom_contact_side){0};
}

void carom_rigid_bodies_set_sides(const carom_rigid_bodies *rigid_bodies, carom_contact *contact, const double (*x)[3],
                                  const double (*w)[3], double t) {
    if (!rigid_bodies)
        return;
    int split = carom_contact_split(contact);
    for (int s = 0; s < 2; s++) {
        int begin = s ? split : 0, end = s ? contact->count : split, r = -1, whole = 0;
        carom_contact_side *side = &contact->side[s];
        *side = (carom_contact_side){0};
        contact->rigid_nodes[s] = 0;
        for (int k = begin; k < end; k++)
            if (rigid_bodies->of_node[contact->node[k]] >= 0) {
                r = rigid_bodies->of_node[contact->node[k]];
                contact->rigid_nodes[s] |= 1 << k;
                side->sign += contact->weight[k];
                whole++;
            }
        if (r < 0)
            continue;
        const double *c = x[rigid_bodies->items[r].centre], *V = w[rigid_bodies->items[r].centre];
        side->centre = rigid_bodies->items[r].centre;
        side->turn = rigid_bodies->first_row + r;
        // weights of a whole side add up to 1 or -1 up to rounding
        if (whole == end - begin)
            side->sign = side->sign < 0 ? -1 : 1;
        for (int i = 0; i < 3; i++) {
            for (int k = begin; k < end; k++) {
                const double *p = x[contact->node[k]], *u = w[contact->node[k]];
                if (contact->rigid_nodes[s] >> k & 1)
                    side->arm[i] += contact->weight[k] * ((p[i] - c[i]) + t * (u[i] - V[i]));
            }
        }
    }
    if (contact->side[0].centre && contact->side[0].centre == contact->side[1].centre)
        join_sides(contact);
}

void carom_rigid_bodies_refresh(carom_rigid_bodies *rigid_bodies, int r, double (*w)[3]) {
    const double *I = rigid_bodies->items[r].inertia, (*R)[3] = (const double(*)[3])rigid_bodies->R[r];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            rigid_bodies->soft[r][i][j] = R[i][0] * R[j][0] / I[0] + R[i][1] * R[j][1] / I[1] + R[i][2] * R[j][2] / I[2];
    carom_mat3_apply((const double(*)[3])rigid_bodies->soft[r], rigid_bodies->l[r], w[rigid_bodies->first_row + r]);
}

void carom_rigid_body_momentum(const carom_rigid_body *one, const double R[3][3], const double W[3], double l[3]) {
    double body[3];
    carom_mat3_apply_transposed(R, W, body);
    for (int i = 0; i < 3; i++)
        body[i] *= one->inertia[i];
    carom_mat3_apply(R, body, l);
}

void carom_rigid_bodies_momentum(const carom_rigid_bodies *rigid_bodies, int r, const double W[3], double l[3]) {
    carom_rigid_body_momentum(&rigid_bodies->items[r], (const double(*)[3])rigid_bodies->R[r], W, l);
}

// p = M V, L = J W + c x p.
void carom_rigid_bodies_total_momentum(const carom_rigid_bodies *rigid_bodies, int r, const double c[3], const double V[3],
                                       const double W[3], double p[3], double L[3]) {
    double cross[3];
    for (int i = 0; i < 3; i++)
        p[i] = rigid_bodies->items[r].mass * V[i];
    carom_rigid_bodies_momentum(rigid_bodies, r, W, L);
    carom_cross(c, p, cross);
    carom_add_scaled(1, cross, L);
}

// The spurious work of accelerations k of the mass centre, in addition to that of moments about the hub: the centre moves on an
// arc, on which forces of the joint do no work, but their mean at both ends does work on the chord.
static double work_of_hold(const carom_rigid_bodies *rigid_bodies, int r, const double k0[3], const double k1[3]) {
    const carom_link_hub *hub = rigid_bodies->linkages[rigid_bodies->items[r].linkage - 1].hub;
    const double *k[2] = {k0, k1};
    double d[2][3], chord[3], work = 0;
    if (!hub)
        return 0;
    carom_mat3_apply((const double(*)[3])rigid_bodies->start_R[r], hub->arm, d[0]);
    carom_mat3_apply((const double(*)[3])rigid_bodies->R[r], hub->arm, d[1]);
    carom_difference(d[1], d[0], chord);
    for (int end = 0; end < 2; end++) {
        double turn[3];
        carom_cross(rigid_bodies->swept[r], d[end], turn);
        work += carom_dot(k[end], chord) - carom_dot(k[end], turn);
    }
    return rigid_bodies->items[r].mass * work;
}

// A rotation by t m takes an arm r from r0 to r1 with r1 - r0 = t m x (r0 + r1)/2, so the work of a constant force f on its end
// is f.(r1 - r0) = t m.(r0 x f + r1 x f)/2: the mean of its moments at both ends. Moments are h J k.
double carom_rigid_bodies_gain(const carom_rigid_bodies *rigid_bodies, int r, const double k0[2][3], const double k1[2][3],
                               double h) {
    const carom_rigid_body *one = &rigid_bodies->items[r];
    double gain = rigid_bodies->end_kinetic[r] - rigid_bodies->kinetic[r], m0[3], m1[3];
    // a free body rotates about its mass centre, and only impacts change the energy of its rotation
    if (!carom_rigid_body_sums_turns(one))
        return gain;
    carom_rigid_body_momentum(one, (const double(*)[3])rigid_bodies->start_R[r], k0[1], m0);
    carom_rigid_body_momentum(one, (const double(*)[3])rigid_bodies->R[r], k1[1], m1);
    // excludes the work of motors
    if (one->linkage && one->seat == 0)
        gain -= rigid_bodies->links[one->linkage - 1].work;
    gain += 0.5 * (carom_dot(k1[1], rigid_bodies->l[r]) + carom_dot(k0[1], rigid_bodies->start_l[r]));
    gain += one->linkage ? 0.5 * work_of_hold(rigid_bodies, r, k0[0], k1[0]) / h : 0;
    return gain - 0.5 * (carom_dot(m0, rigid_bodies->swept[r]) + carom_dot(m1, rigid_bodies->swept[r])) / h;
}

// The mean angular velocity of a free rotation of length t, in space. For a body in a linkage it is that of the last computed
// flight.
static void middle_of(const carom_rigid_bodies *rigid_bodies, int r, double t, double m[3]) {
    const carom_rigid_body *one = &rigid_bodies->items[r];
    const double(*R)[3] = (const double(*)[3])rigid_bodies->R[r];
    double body[3];
    if (one->linkage) {
        carom_copy(rigid_bodies->links[one->linkage - 1].turn[one->seat], m);
        return;
    }
    carom_turn_middle(one->inertia, R, rigid_bodies->l[r], t, body);
    carom_mat3_apply(R, body, m);
}

// Accelerations of the mass centre and of the rotation of body r in a linkage, in free flight with the angular velocity W.
static void bend_of(const carom_rigid_bodies *rigid_bodies, int r, const double W[3], double bend[2][3]) {
    const carom_rigid_body *one = &rigid_bodies->items[r];
    const carom_linkage_space *space = &rigid_bodies->links[one->linkage - 1];
    const carom_link_hub *hub = rigid_bodies->linkages[one->linkage - 1].hub;
    if (hub)
        carom_link_hub_bend(hub, space->from, W, bend);
    else
        memcpy(bend, space->bend[one->seat], sizeof space->bend[one->seat]);
}

// The velocity with which node k of body r, at x, returns to its position in the body within the time h, after impacts in
// earlier drifts have changed its path. It is limited (max_slow_speeds, max_turn_fraction), since a fast node would be an
// impact on bodies that rest on it.
static void recovery_of(const carom_rigid_bodies *rigid_bodies, int r, int k, double h, const double (*x)[3], const double W[3],
                        double u[3]) {
    const carom_rigid_body *one = &rigid_bodies->items[r];
    const double *c = x[one->centre];
    double arm[3], size = 0, largest = 0, bend[2][3] = {{0}};
    carom_mat3_apply((const double(*)[3])rigid_bodies->R[r], rigid_bodies->shape[k], arm);
    for (int i = 0; i < 3; i++) {
        u[i] = (c[i] - x[k][i]) + arm[i];
        size = fmax(size, fabs(c[i]) + fabs(x[k][i]) + fabs(arm[i]));
        largest = fmax(largest, fabs(u[i]));
    }
    if (!(largest > place_rounding * size)) {
        memset(u, 0, 3 * sizeof *u);
        return;
    }
    if (one->linkage)
        bend_of(rigid_bodies, r, W, bend);
    double most = max_slow_speeds * rigid_bodies->slow + max_turn_fraction * carom_norm(W) * carom_norm(arm) +
                  0.5 * h * carom_norm(bend[0]);
    double speed = carom_norm(u) / h, scale = (speed > most ? most / speed : 1) / h;
    for (int i = 0; i < 3; i++)
        u[i] *= scale;
}

// The velocity of the straight path of the mass centre of body r in the next flight.
static const double *path_of_centre(const carom_rigid_bodies *rigid_bodies, int r, const double (*w)[3]) {
    const carom_rigid_body *one = &rigid_bodies->items[r];
    return one->linkage ? rigid_bodies->links[one->linkage - 1].mean[one->seat] : w[one->centre];
}

// Computes a flight of linkage q of length t.
static void plan(carom_rigid_bodies *rigid_bodies, int q, double t, const double (*w)[3]) {
    const carom_linkage *linkage = &rigid_bodies->linkages[q];
    bool flies = t > 0;
    if (flies && !carom_linkage_fly(rigid_bodies, q, t, fmin(1, t / rigid_bodies->length), w))
        rigid_bodies->unsolved = true;
    // t = 0: velocities do not matter
    for (int b = 0; b < linkage->body_count && !flies; b++) {
        carom_copy(w[rigid_bodies->items[linkage->bodies[b]].centre], rigid_bodies->links[q].mean[b]);
        carom_copy(w[rigid_bodies->first_row + linkage->bodies[b]], rigid_bodies->links[q].turn[b]);
    }
}

void carom_rigid_bodies_plan(carom_rigid_bodies *rigid_bodies, int r, double t, const double (*w)[3]) {
    if (rigid_bodies->items[r].linkage)
        plan(rigid_bodies, rigid_bodies->items[r].linkage - 1, t, w);
}

// Initialises linkages at the start of a drift, and computes their flights.
static void begin_linkages(carom_rigid_bodies *rigid_bodies, double h, const double (*x)[3], double (*w)[3]) {
    rigid_bodies->length = h;
    rigid_bodies->unsolved = false;
    for (int q = 0; q < rigid_bodies->linkage_count; q++) {
        const carom_linkage *linkage = &rigid_bodies->linkages[q];
        for (int b = 0; b < linkage->body_count; b++) {
            int r = linkage->bodies[b];
            carom_copy(x[rigid_bodies->items[r].centre], rigid_bodies->place[r]);
        }
        rigid_bodies->links[q].work = 0;
        memset(rigid_bodies->links[q].given, 0, sizeof rigid_bodies->links[q].given);
        carom_linkage_drive(rigid_bodies, q, rigid_bodies->time, true);
        carom_linkage_arrive(rigid_bodies, q);
        carom_linkage_find_bend(rigid_bodies, q, (const double(*)[3])w);
        plan(rigid_bodies, q, h, (const double(*)[3])w);
    }
}

double carom_rigid_bodies_begin(carom_rigid_bodies *rigid_bodies, double h, const double (*x)[3], double (*w)[3]) {
    double most = 0;
    for (int r = 0; r < rigid_bodies->count; r++) {
        rigid_bodies->since[r] = 0;
        carom_rigid_bodies_refresh(rigid_bodies, r, w);
    }
    begin_linkages(rigid_bodies, h, x, w);
    for (int r = 0; r < rigid_bodies->count; r++) {
        const carom_rigid_body *one = &rigid_bodies->items[r];
        const double *V = path_of_centre(rigid_bodies, r, (const double(*)[3])w);
        double m[3];
        rigid_bodies->kinetic[r] = 0.5 * carom_dot(rigid_bodies->l[r], w[rigid_bodies->first_row + r]);
        if (carom_rigid_body_sums_turns(one)) {
            carom_mat3_copy((const double(*)[3])rigid_bodies->R[r], rigid_bodies->start_R[r]);
            carom_copy(rigid_bodies->l[r], rigid_bodies->start_l[r]);
            memset(rigid_bodies->swept[r], 0, sizeof rigid_bodies->swept[r]);
        }
        middle_of(rigid_bodies, r, h, m);
        most = fmax(most, h * carom_norm(m));
        for (int j = 0; j < carom_rigid_body_size(one); j++) {
            int k = carom_rigid_body_node(one, j);
            double arm[3], u[3], back[3];
            carom_difference(x[k], x[one->centre], arm);
            carom_turn_chord(m, h, arm, u);
            recovery_of(rigid_bodies, r, k, h, x, w[rigid_bodies->first_row + r], back);
            for (int i = 0; i < 3; i++)
                w[k][i] = V[i] + u[i] + back[i];
        }
    }
    return most;
}

// Moves a linkage to time t in free flight, and adds the momentum from the ground.
static void cut_linkage(carom_rigid_bodies *rigid_bodies, int q, double t, double (*w)[3]) {
    const carom_linkage *linkage = &rigid_bodies->linkages[q];
    double h = t - rigid_bodies->since[linkage->bodies[0]];
    if (!(h > 0))
        return;
    // most flights end at their planned time, up to rounding
    if (fabs(rigid_bodies->links[q].planned - h) > time_tolerance * t &&
        !carom_linkage_fly(rigid_bodies, q, h, fmin(1, h / rigid_bodies->length), (const double(*)[3])w))
        rigid_bodies->unsolved = true;
    rigid_bodies->links[q].work += rigid_bodies->links[q].flight_work;
    for (int landed = 0; landed < 2; landed++) {
        double sign = landed ? 1 : -1;
        for (int b = 0; b < linkage->body_count; b++) {
            int r = linkage->bodies[b];
            double p[3], L[3];
            if (landed)
                carom_rigid_bodies_refresh(rigid_bodies, r, w);
            carom_rigid_bodies_total_momentum(rigid_bodies, r, rigid_bodies->place[r], w[rigid_bodies->items[r].centre],
                                              w[rigid_bodies->first_row + r], p, L);
            carom_add_scaled(linkage->grounded ? sign : 0, p, rigid_bodies->links[q].given[0]);
            carom_add_scaled(linkage->grounded ? sign : 0, L, rigid_bodies->links[q].given[1]);
            carom_add_scaled(landed ? h : 0, rigid_bodies->links[q].turn[b], rigid_bodies->swept[r]);
            rigid_bodies->since[r] = t;
        }
        if (!landed)
            carom_linkage_land(rigid_bodies, q, w);
    }
    carom_linkage_drive(rigid_bodies, q, rigid_bodies->time + t, false);
    carom_linkage_arrive(rigid_bodies, q);
    carom_linkage_find_bend(rigid_bodies, q, (const double(*)[3])w);
}

void carom_rigid_bodies_cut(carom_rigid_bodies *rigid_bodies, int r, double t, double (*w)[3]) {
    const carom_rigid_body *one = &rigid_bodies->items[r];
    if (one->linkage) {
        cut_linkage(rigid_bodies, one->linkage - 1, t, w);
        return;
    }
    // bodies that are hit twice at one time have already been moved there
    if (t > rigid_bodies->since[r]) {
        double m[3], h = t - rigid_bodies->since[r];
        if (one->tied_count) {
            middle_of(rigid_bodies, r, h, m);
            carom_add_scaled(h, m, rigid_bodies->swept[r]);
        }
        carom_turn_freely(one->inertia, rigid_bodies->l[r], h, rigid_bodies->R[r]);
    }
    rigid_bodies->since[r] = t;
    carom_rigid_bodies_refresh(rigid_bodies, r, w);
}

void carom_rigid_bodies_fly_on(const carom_rigid_bodies *rigid_bodies, int r, double t, double end, double (*b)[3],
                               double (*w)[3], double *deviation) {
    const carom_rigid_body *one = &rigid_bodies->items[r];
    const double *c = b[one->centre], *now = w[one->centre], *V = path_of_centre(rigid_bodies, r, (const double(*)[3])w);
    double m[3];
    middle_of(rigid_bodies, r, end - t, m);
    for (int j = 0; j < carom_rigid_body_size(one); j++) {
        int k = carom_rigid_body_node(one, j);
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
        deviation[k] += carom_norm(change) * (end - t) * rounding_factor + 4 * DBL_EPSILON * size;
    }
}

void carom_rigid_bodies_spread(const carom_rigid_bodies *rigid_bodies, const double (*x)[3], double (*w)[3]) {
    for (int r = 0; r < rigid_bodies->count; r++) {
        const carom_rigid_body *one = &rigid_bodies->items[r];
        const double *V = w[one->centre], *W = w[rigid_bodies->first_row + r];
        for (int j = 0; j < carom_rigid_body_size(one); j++) {
            int k = carom_rigid_body_node(one, j);
            double arm[3], u[3];
            carom_difference(x[k], x[one->centre], arm);
            carom_cross(W, arm, u);
            for (int i = 0; i < 3; i++)
                w[k][i] = V[i] + u[i];
        }
    }
}

void carom_rigid_bodies_acceleration(const carom_rigid_bodies *rigid_bodies, const carom_contact_side *side, const double W[3],
                                     double a[3]) {
    double l[3], moment[3], alpha[3], u[3];
    const double *arm = side->arm;
    int r = side->turn - rigid_bodies->first_row;
    const carom_rigid_body *one = &rigid_bodies->items[r];
    if (one->linkage) {
        double bend[2][3];
        bend_of(rigid_bodies, r, W, bend);
        carom_cross(W, arm, u);
        carom_cross(W, u, a);
        carom_cross(bend[1], arm, u);
        carom_add_scaled(1, u, a);
        carom_add_scaled(side->sign, bend[0], a);
        return;
    }
    // l is constant in space: d/dt (J W) = 0 gives J alpha = l x W
    carom_rigid_bodies_momentum(rigid_bodies, r, W, l);
    carom_cross(l, W, moment);
    carom_mat3_apply((const double(*)[3])rigid_bodies->soft[r], moment, alpha);
    carom_cross(W, arm, u);
    carom_cross(W, u, a);
    carom_cross(alpha, arm, u);
    carom_add_scaled(1, u, a);
}

double carom_rigid_bodies_bend(const carom_rigid_bodies *rigid_bodies, const carom_contact *contact, const double (*x)[3],
                               const double (*w)[3], double t) {
    double bend = 0;
    for (int k = 0; x && rigid_bodies && k < contact->count; k++) {
        int r = rigid_bodies->of_node[contact->node[k]];
        double u[3];
        if (r < 0)
            continue;
        recovery_of(rigid_bodies, r, contact->node[k], t, x, w[rigid_bodies->first_row + r], u);
        bend += contact->weight[k] * carom_dot(contact->normal, u);
    }
    for (int s = 0; s < 2; s++) {
        const carom_contact_side *side = &contact->side[s];
        double a[3];
        if (!side->centre)
            continue;
        carom_rigid_bodies_acceleration(rigid_bodies, side, w[side->turn], a);
        bend += 0.5 * t * carom_dot(contact->normal, a);
    }
    return bend;
}
