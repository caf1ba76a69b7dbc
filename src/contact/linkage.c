// SPDX-License-Identifier: MIT
// Motion of rigid bodies that are connected by joints (linkage.h; docs/theory/joints.md): reserves and updates the state of a
// linkage, and computes its response to impulses. With the gradients G of the constraints, the masses M, a unit of mass u,
// u A = u G M^-1 G^T = L L^T and B = L^-1 G M^-1 the change of velocities by impulses F is X F, X = M^-1 - u B^T B, the
// projection of M^-1 F on G v = 0.
// Row i of G belongs to the constraint rows[i]. A seat is the index of a body in the list of its linkage. A linkage with a hub
// (one body, one joint to the ground) has no rows; its X has a closed form (linkage_hub.c).
#include "contact/linkage.h"

#include <stddef.h>
#include <string.h>

#include "contact/rigid_motion_field.h"
#include "math/mat3.h"

// The linkage of body r; -1 if it has none.
static int linkage_of(const carom_rigid_bodies *rigid_bodies, int r) {
    return rigid_bodies->items[r].linkage - 1;
}

static void reserve_factor(int rows, const int *first, carom_arena *arena, carom_link_factor *factor, bool *enough) {
    factor->count = rows;
    factor->first = first;
    factor->kept = carom_arena_reserve(arena, rows, sizeof *factor->kept, enough);
    factor->L = carom_arena_reserve(arena, (int64_t)rows * rows, sizeof *factor->L, enough);
}

// The history of the iteration with Anderson acceleration.
static void reserve_rounds(int size, carom_arena *arena, carom_link_rounds *rounds, bool *enough) {
    double **const numbers[] = {&rounds->change, &rounds->weighed, &rounds->last, &rounds->last_weighed, &rounds->last_step};
    rounds->size = size;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i] = carom_arena_reserve(arena, size, sizeof **numbers[i], enough);
    for (int i = 0; i < CAROM_LINK_ROUNDS; i++) {
        rounds->dz[i] = carom_arena_reserve(arena, size, sizeof *rounds->dz[i], enough);
        rounds->df[i] = carom_arena_reserve(arena, size, sizeof *rounds->df[i], enough);
        rounds->df_weighed[i] = carom_arena_reserve(arena, size, sizeof *rounds->df_weighed[i], enough);
    }
}

// The envelope of A: row i begins at the first row that has a body in common with row i.
static void find_envelope(const carom_linkage *linkage, int *first) {
    for (int i = 0; i < linkage->row_count; i++) {
        first[i] = i;
        for (int j = i; j >= 0; j--)
            for (int s = 0; s < 4; s++) {
                int b = linkage->rows[i].body[s / 2];
                if (b >= 0 && b == linkage->rows[j].body[s % 2])
                    first[i] = j;
            }
    }
}

// Reserves the arrays per row.
static void reserve_rows(const carom_linkage *linkage, carom_arena *arena, carom_linkage_space *space, bool *enough) {
    int n = linkage->body_count, rows = linkage->row_count;
    int *first = carom_arena_reserve(arena, rows, sizeof *first, enough);
    space->here = carom_arena_reserve(arena, rows, sizeof *space->here, enough);
    space->middle = carom_arena_reserve(arena, rows, sizeof *space->middle, enough);
    space->there = carom_arena_reserve(arena, rows, sizeof *space->there, enough);
    reserve_factor(rows, first, arena, &space->now, enough);
    reserve_factor(rows, first, arena, &space->then, enough);
    space->softness = carom_arena_reserve(arena, n, sizeof *space->softness, enough);
    space->soft = carom_arena_reserve(arena, n, sizeof *space->soft, enough);
    space->m = carom_arena_reserve(arena, n, sizeof *space->m, enough);
    space->bend = carom_arena_reserve(arena, n, sizeof *space->bend, enough);
    for (int i = 0; i < 2; i++)
        space->impulses[i] = carom_arena_reserve(arena, n, sizeof *space->impulses[i], enough);
    double **const numbers[] = {&space->kappa,     &space->lambda,    &space->gap,      &space->rate,
                                &space->start_gap, &space->scratch,   &space->scratch2, &space->speed,
                                &space->speeds[0], &space->speeds[1], &space->advance};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i] = carom_arena_reserve(arena, rows, sizeof **numbers[i], enough);
    space->active = carom_arena_reserve(arena, rows, sizeof *space->active, enough);
    for (int i = 0; i < rows && *enough; i++)
        space->active[i] = true;
    reserve_rounds(2 * rows, arena, &space->rounds, enough);
    space->sides = carom_arena_reserve(arena, (int64_t)6 * n * rows, sizeof *space->sides, enough);
    if (*enough)
        find_envelope(linkage, first);
}

void carom_linkage_reserve(const carom_linkage *linkage, carom_arena *arena, carom_linkage_space *space, bool *enough) {
    int n = linkage->body_count;
    space->from = carom_arena_reserve(arena, n, sizeof *space->from, enough);
    space->to = carom_arena_reserve(arena, n, sizeof *space->to, enough);
    space->V = carom_arena_reserve(arena, n, sizeof *space->V, enough);
    space->l = carom_arena_reserve(arena, n, sizeof *space->l, enough);
    space->turn = carom_arena_reserve(arena, n, sizeof *space->turn, enough);
    space->mean = carom_arena_reserve(arena, n, sizeof *space->mean, enough);
    space->restart = carom_arena_reserve(arena, n, sizeof *space->restart, enough);
    space->response = carom_arena_reserve(arena, (int64_t)36 * n * n, sizeof *space->response, enough);
    if (!linkage->hub)
        reserve_rows(linkage, arena, space, enough);
}

// M^-1 of a force and a couple on body r.
static void apply_inverse_mass(const carom_rigid_bodies *rigid_bodies, int r, const double force[3], const double couple[3],
                               double V[3], double W[3]) {
    for (int i = 0; i < 3; i++)
        V[i] = force[i] / rigid_bodies->items[r].mass;
    carom_mat3_apply((const double(*)[3])rigid_bodies->soft[r], couple, W);
}

void carom_linkage_drive(carom_rigid_bodies *rigid_bodies, int q, double time, bool begins) {
    const carom_linkage *linkage = &rigid_bodies->linkages[q];
    carom_linkage_space *s = &rigid_bodies->links[q];
    for (int i = 0; linkage->driven && i < linkage->row_count; i++) {
        bool on = true;
        if (linkage->rows[i].motor < 0)
            continue;
        s->speed[i] = rigid_bodies->motor_rate(rigid_bodies->motors, linkage->rows[i].motor, time, &on);
        if (begins && s->active[i] != on) {
            s->active[i] = on;
            s->arrived = false;
        }
    }
}

// Computes B, one column for each component of the impulses, by forward substitution with L; then X.
static void find_response(const carom_rigid_bodies *rigid_bodies, int q) {
    const carom_linkage *linkage = &rigid_bodies->linkages[q];
    carom_linkage_space *s = &rigid_bodies->links[q];
    int rows = linkage->row_count, size = 6 * linkage->body_count;
    for (int j = 0; j < size; j++) {
        double unit[6] = {0}, v[6], *side = s->sides + (ptrdiff_t)j * rows;
        unit[j % 6] = 1;
        apply_inverse_mass(rigid_bodies, linkage->bodies[j / 6], unit, unit + 3, v, v + 3);
        for (int i = 0; i < rows; i++) {
            s->scratch[i] = 0;
            for (int t = 0; t < 2; t++)
                if (linkage->rows[i].body[t] == j / 6)
                    s->scratch[i] += carom_dot(s->here[i].of[t], v) + carom_dot(s->here[i].of[t] + 3, v + 3);
        }
        carom_link_factor_forward(&s->now, s->scratch, side);
        for (int k = 0; k < size; k++)
            s->response[(ptrdiff_t)j * size + k] = k / 6 == j / 6 ? v[k % 6] : 0;
    }
    for (int j = 0; j < size; j++)
        for (int k = 0; k <= j; k++) {
            const double *a = s->sides + (ptrdiff_t)j * rows, *b = s->sides + (ptrdiff_t)k * rows;
            double sum = 0;
            for (int i = 0; i < rows; i++)
                sum += a[i] * b[i];
            s->response[(ptrdiff_t)j * size + k] -= s->now.unit * sum;
            s->response[(ptrdiff_t)k * size + j] = s->response[(ptrdiff_t)j * size + k];
        }
    // impulses of rows by unit impulses on bodies, for the work of motors
    for (int j = 0; linkage->driven && j < size; j++)
        carom_link_factor_backward(&s->now, s->sides + (ptrdiff_t)j * rows);
}

// Copies the poses of the bodies; true if any bit has changed.
static bool take_poses(const carom_rigid_bodies *rigid_bodies, const carom_linkage *linkage, carom_link_pose *poses) {
    bool others = false;
    for (int b = 0; b < linkage->body_count; b++) {
        int r = linkage->bodies[b];
        others = others || memcmp(poses[b].c, rigid_bodies->place[r], sizeof poses[b].c) ||
                 memcmp(poses[b].R, rigid_bodies->R[r], sizeof poses[b].R);
        carom_copy(rigid_bodies->place[r], poses[b].c);
        carom_mat3_copy((const double(*)[3])rigid_bodies->R[r], poses[b].R);
    }
    return others;
}

// Most calls have the same poses as the previous call, since a kick follows at the end of a drift; then nothing is recomputed.
// The poses differ if a drift is repeated.
void carom_linkage_arrive(carom_rigid_bodies *rigid_bodies, int q) {
    const carom_linkage *linkage = &rigid_bodies->linkages[q];
    carom_linkage_space *s = &rigid_bodies->links[q];
    bool others = take_poses(rigid_bodies, linkage, s->from);
    if (s->arrived && !others)
        return;
    s->arrived = true;
    if (linkage->hub) {
        carom_link_hub_respond(linkage->hub, rigid_bodies->items[linkage->bodies[0]].mass, s->from, s->response);
        return;
    }
    for (int b = 0; b < linkage->body_count; b++) {
        int r = linkage->bodies[b];
        s->softness[b] = 1 / rigid_bodies->items[r].mass;
        carom_mat3_copy((const double(*)[3])rigid_bodies->soft[r], s->soft[b]);
    }
    for (int i = 0; i < linkage->row_count; i++)
        carom_link_gradient_find(&linkage->rows[i], s->from, s->from, &s->here[i]);
    carom_link_factor_find(linkage, s->here, s->softness, (const double(*)[3][3])s->soft, s->active, &s->now);
    find_response(rigid_bodies, q);
}

// The change v of the velocity and angular velocity of the body at seat j by the wrench F (impulse and couple) on the body at
// seat b: the product of block (j, b) of X with F.
static void respond(const carom_linkage *linkage, const carom_linkage_space *s, int j, int b, const double F[6], double v[6]) {
    ptrdiff_t size = 6 * (ptrdiff_t)linkage->body_count;
    for (int i = 0; i < 6; i++) {
        const double *row = s->response + (6 * j + i) * size + 6 * (ptrdiff_t)b;
        v[i] = row[0] * F[0] + row[1] * F[1] + row[2] * F[2] + row[3] * F[3] + row[4] * F[4] + row[5] * F[5];
    }
}

// Projects the velocity changes of all bodies on G change = -less: subtracts M^-1 G^T A^-1 (G change + less). NULL: less = 0.
static void project_on_constraints(const carom_rigid_bodies *rigid_bodies, int q, const double *less, double (*change)[2][3]) {
    const carom_linkage *linkage = &rigid_bodies->linkages[q];
    carom_linkage_space *s = &rigid_bodies->links[q];
    for (int i = 0; i < linkage->row_count; i++) {
        s->scratch[i] = less ? less[i] : 0;
        for (int t = 0; t < 2; t++) {
            int b = linkage->rows[i].body[t];
            if (b >= 0)
                s->scratch[i] += carom_dot(s->here[i].of[t], change[b][0]) + carom_dot(s->here[i].of[t] + 3, change[b][1]);
        }
    }
    carom_link_factor_forward(&s->now, s->scratch, s->scratch2);
    carom_link_factor_backward(&s->now, s->scratch2);
    for (int i = 0; i < linkage->row_count; i++)
        for (int t = 0; t < 2; t++) {
            int b = linkage->rows[i].body[t];
            double V[3], W[3];
            if (b < 0)
                continue;
            apply_inverse_mass(rigid_bodies, linkage->bodies[b], s->here[i].of[t], s->here[i].of[t] + 3, V, W);
            carom_add_scaled(-s->scratch2[i], V, change[b][0]);
            carom_add_scaled(-s->scratch2[i], W, change[b][1]);
        }
}

// The rate of the constraint of row i, (G w)_i.
static double rate_of(const carom_rigid_bodies *rigid_bodies, int q, int i, const double (*w)[3]) {
    const carom_linkage *linkage = &rigid_bodies->linkages[q];
    double rate = 0;
    for (int t = 0; t < 2; t++) {
        int b = linkage->rows[i].body[t];
        if (b < 0)
            continue;
        const double *g = rigid_bodies->links[q].here[i].of[t];
        rate += carom_dot(g, w[rigid_bodies->items[linkage->bodies[b]].centre]) +
                carom_dot(g + 3, w[rigid_bodies->first_row + linkage->bodies[b]]);
    }
    return rate;
}

double carom_linkage_kick(const carom_rigid_bodies *rigid_bodies, int q, const double (*impulse)[2][3], const double (*w)[3],
                          double (*change)[2][3]) {
    const carom_linkage *linkage = &rigid_bodies->linkages[q];
    carom_linkage_space *s = &rigid_bodies->links[q];
    bool drives = linkage->driven && w;
    if (linkage->hub) {
        double F[6], v[6];
        memcpy(F, impulse[0], sizeof F);
        respond(linkage, s, 0, 0, F, v);
        memcpy(change[0], v, sizeof v);
        return 0;
    }
    for (int b = 0; b < linkage->body_count; b++)
        apply_inverse_mass(rigid_bodies, linkage->bodies[b], impulse[b][0], impulse[b][1], change[b][0], change[b][1]);
    for (int i = 0; drives && i < linkage->row_count; i++)
        s->gap[i] = linkage->rows[i].motor < 0 ? 0 : rate_of(rigid_bodies, q, i, w) - s->speed[i];
    project_on_constraints(rigid_bodies, q, drives ? s->gap : NULL, change);
    // a motor works on the mean of the rates before and after
    double work = 0;
    for (int i = 0; drives && i < linkage->row_count; i++)
        if (linkage->rows[i].motor >= 0)
            work -= s->scratch2[i] * (s->speed[i] + 0.5 * s->gap[i]);
    return work;
}

// Without joints the mass centre has no acceleration, and the angular momentum l = J W is constant, so J dW/dt = l x W. Joints
// change these accelerations such that the second derivatives of the constraints are zero.
void carom_linkage_find_bend(carom_rigid_bodies *rigid_bodies, int q, const double (*w)[3]) {
    const carom_linkage *linkage = &rigid_bodies->linkages[q];
    carom_linkage_space *s = &rigid_bodies->links[q];
    if (linkage->hub)
        return;
    double(*velocity)[2][3] = s->impulses[0];
    for (int b = 0; b < linkage->body_count; b++) {
        int r = linkage->bodies[b];
        double l[3], moment[3];
        carom_copy(w[rigid_bodies->items[r].centre], velocity[b][0]);
        carom_copy(w[rigid_bodies->first_row + r], velocity[b][1]);
        memset(s->bend[b][0], 0, sizeof s->bend[b][0]);
        carom_rigid_bodies_momentum(rigid_bodies, r, velocity[b][1], l);
        carom_cross(l, velocity[b][1], moment);
        carom_mat3_apply((const double(*)[3])rigid_bodies->soft[r], moment, s->bend[b][1]);
    }
    for (int i = 0; i < linkage->row_count; i++)
        s->gap[i] = carom_link_bias(&linkage->rows[i], s->from, (const double(*)[2][3])velocity);
    project_on_constraints(rigid_bodies, q, s->gap, s->bend);
}

// The wrench F on a body, an impulse and a couple about its mass centre, by the impulse P at its side of a contact.
static void wrench(const carom_contact_side *side, const double P[3], double F[6]) {
    carom_cross(side->arm, P, F + 3);
    for (int i = 0; i < 3; i++)
        F[i] = side->sign * P[i];
}

// The rigid body of a side.
static int body_of(const carom_rigid_bodies *rigid_bodies, const carom_contact_side *side) {
    return side->turn - rigid_bodies->first_row;
}

void carom_linkage_push(const carom_rigid_bodies *rigid_bodies, const carom_contact_side *side, const double P[3],
                        double (*v)[3]) {
    int r = body_of(rigid_bodies, side), q = linkage_of(rigid_bodies, r);
    const carom_linkage *linkage = &rigid_bodies->linkages[q];
    double F[6], change[6];
    wrench(side, P, F);
    for (int j = 0; j < linkage->body_count; j++) {
        respond(linkage, &rigid_bodies->links[q], j, rigid_bodies->items[r].seat, F, change);
        carom_add_scaled(1, change, v[rigid_bodies->items[linkage->bodies[j]].centre]);
        carom_add_scaled(1, change + 3, v[rigid_bodies->first_row + linkage->bodies[j]]);
    }
}

double carom_linkage_inverse_mass(const carom_rigid_bodies *rigid_bodies, const carom_contact_side *one,
                                  const carom_contact_side *other, const double a[3], const double b[3]) {
    int r = body_of(rigid_bodies, one), s = body_of(rigid_bodies, other), q = linkage_of(rigid_bodies, r);
    double A[6], B[6], v[6];
    wrench(one, a, A);
    wrench(other, b, B);
    respond(&rigid_bodies->linkages[q], &rigid_bodies->links[q], rigid_bodies->items[r].seat, rigid_bodies->items[s].seat, B,
            v);
    return carom_dot(A, v) + carom_dot(A + 3, v + 3);
}

// The work of motors by their reaction to a wrench on the body of a seat.
static double drive_work(const carom_linkage *linkage, const carom_linkage_space *s, int seat, const double F[6]) {
    double work = 0;
    for (int i = 0; linkage->driven && i < linkage->row_count; i++)
        for (int j = 0; linkage->rows[i].motor >= 0 && j < 6; j++)
            work -= s->speed[i] * s->sides[(6 * (ptrdiff_t)seat + j) * linkage->row_count + i] * F[j];
    return work;
}

double carom_linkage_reaction(const carom_rigid_bodies *rigid_bodies, const carom_contact_side *side, const double P[3],
                              double impulse[3], double moment[3]) {
    int r = body_of(rigid_bodies, side), q = linkage_of(rigid_bodies, r);
    const carom_linkage *linkage = &rigid_bodies->linkages[q];
    double F[6], v[6], y[3], turn[3];
    memset(impulse, 0, 3 * sizeof *impulse);
    memset(moment, 0, 3 * sizeof *moment);
    wrench(side, P, F);
    double work = drive_work(linkage, &rigid_bodies->links[q], rigid_bodies->items[r].seat, F);
    // pairs of impulses add up to zero exactly; recording their rounding would hide an error
    if (!linkage->grounded)
        return work;
    for (int j = 0; j < linkage->body_count; j++) {
        int other = linkage->bodies[j];
        double p[3], L[3];
        respond(linkage, &rigid_bodies->links[q], j, rigid_bodies->items[r].seat, F, v);
        carom_rigid_bodies_total_momentum(rigid_bodies, other, rigid_bodies->place[other], v, v + 3, p, L);
        carom_add_scaled(1, p, impulse);
        carom_add_scaled(1, L, moment);
    }
    for (int i = 0; i < 3; i++)
        y[i] = side->sign * rigid_bodies->place[r][i] + side->arm[i];
    carom_cross(y, P, turn);
    carom_add_scaled(-side->sign, P, impulse);
    carom_add_scaled(-1, turn, moment);
    return work;
}

int carom_linkage_bodies(const carom_rigid_bodies *rigid_bodies, int r, const int **bodies) {
    int q = linkage_of(rigid_bodies, r);
    *bodies = q < 0 ? &rigid_bodies->items[r].number : rigid_bodies->linkages[q].bodies;
    return q < 0 ? 1 : rigid_bodies->linkages[q].body_count;
}

void carom_linkage_store(const carom_rigid_bodies *rigid_bodies, int r, const double (*v)[3]) {
    const carom_linkage *linkage = &rigid_bodies->linkages[linkage_of(rigid_bodies, r)];
    for (int b = 0; b < linkage->body_count; b++) {
        double(*note)[3] = rigid_bodies->links[linkage_of(rigid_bodies, r)].restart[b];
        carom_copy(v[rigid_bodies->items[linkage->bodies[b]].centre], note[0]);
        carom_copy(v[rigid_bodies->first_row + linkage->bodies[b]], note[1]);
    }
}

void carom_linkage_restore(const carom_rigid_bodies *rigid_bodies, int r, double (*v)[3]) {
    const carom_linkage *linkage = &rigid_bodies->linkages[linkage_of(rigid_bodies, r)];
    for (int b = 0; b < linkage->body_count; b++) {
        const double(*note)[3] = (const double(*)[3])rigid_bodies->links[linkage_of(rigid_bodies, r)].restart[b];
        carom_copy(note[0], v[rigid_bodies->items[linkage->bodies[b]].centre]);
        carom_copy(note[1], v[rigid_bodies->first_row + linkage->bodies[b]]);
    }
}
