// SPDX-License-Identifier: MIT
// Computes the free motion of the bodies of a linkage during a drift or a part of it (linkage.h; docs/theory/joints.md). A
// flight of length t is free motion with joints, with the constraints g = 0 and their rates G v = 0 at both ends:
//
//     v0' = v0 + M^-1 G0^T L0^-T kappa                           at the start
//     p1' = p0' + Gm^T lambda,  c1 = c0 + t (V0' + V1')/2,       Gm = G(q0, q1), of the means of both ends
//     R1 = R0 cay(t m),  I m + (t/2) m x (I m + k/2) = R0^T l0' + k/2,  k = R0^T (couples of Gm^T lambda)
//     v1 = v1' - M^-1 G1^T L1^-T kappa                           at the end
//
// lambda closes the joints at the end, kappa makes the velocities at the end satisfy G v = 0. The middle part conserves energy,
// as lambda does no work; the first part adds |kappa|^2/2 and the last removes it, with A = L L^T at their poses. All impulses
// are pairs at one point. For t -> -t the same equations hold, so the flight is reversible and of second order.
//
// kappa is of second order in the length of the flight. Both are found by iteration: a change of lambda changes g by t A/2, a
// change of kappa is compensated in g by twice that of lambda, and then changes the rates at the end by -L. The residual falls
// in each iteration by a factor of about half of the rotation in radians, and more slowly if forces on thin bodies are large.
// Anderson acceleration (anderson.c) uses the last iterations.
#include <float.h>
#include <math.h>
#include <string.h>

#include "contact/rigid_motion_field.h"
#include "math/turn.h"

enum {
    // Limit of iterations. About ten reach rounding for rotations of a tenth of a radian.
    ITERATIONS = 200,
    // Stagnating iterations before convergence to rounding is assumed.
    STAGNATION = 3,
    // The same while the residual is above acceleration_threshold, where single iterations may increase it.
    LONG_STAGNATION = 20
};

// An iteration stagnates unless the residual falls below this fraction of the smallest one so far.
static const double progress_ratio = 0.8;
// Tolerances: gap relative to the size of the linkage, velocity relative to its speed.
static const double gap_tolerance = 1e-12, velocity_tolerance = 1e-9;
// Residual, in units of the tolerances, below which acceleration is switched off.
static const double acceleration_threshold = 1e-3;
// Rounding of positions, in units of that of one number; divided by a short time it is a large velocity.
static const double position_rounding = 1000;

typedef struct flight {
    const carom_rigid_bodies *rigid_bodies;
    const carom_linkage *linkage;
    carom_linkage_space *space;
    double t;
    double extent; // of the positions
    double heavy;  // mass of all bodies, in the unit of the factor
} flight;

static const carom_rigid_body *rigid_body_of(const flight *f, int b) {
    return &f->rigid_bodies->items[f->linkage->bodies[b]];
}

// Adds the impulses and couples of all rows, with the magnitudes `of`, to momenta (p, l) per body.
static void add_impulses(const carom_linkage *linkage, const carom_link_gradient *gradients, const double *of, double scale,
                         double (*momentum)[2][3]) {
    for (int i = 0; i < linkage->row_count; i++)
        for (int s = 0; s < 2; s++) {
            int b = linkage->rows[i].body[s];
            if (b < 0)
                continue;
            carom_add_scaled(scale * of[i], gradients[i].of[s], momentum[b][0]);
            carom_add_scaled(scale * of[i], gradients[i].of[s] + 3, momentum[b][1]);
        }
}

// Pose, velocity and momentum of body b at the end, from the impulses at the start and those of the middle part.
static void move_body(const flight *f, int b, const double start[2][3], const double middle[2][3]) {
    const carom_rigid_body *one = rigid_body_of(f, b);
    carom_linkage_space *s = f->space;
    carom_link_pose *to = &s->to[b];
    const carom_link_pose *from = &s->from[b];
    double l[3], L[3], k[3], v[3], none[3] = {0}, moved[3], T[3][3];
    for (int i = 0; i < 3; i++) {
        double V = s->V[b][0][i] + start[0][i] / one->mass;
        s->V[b][1][i] = V + middle[0][i] / one->mass;
        s->mean[b][i] = 0.5 * (V + s->V[b][1][i]);
        to->c[i] = from->c[i] + f->t * s->mean[b][i];
        l[i] = s->l[b][0][i] + start[1][i];
        s->l[b][1][i] = l[i] + middle[1][i];
    }
    carom_mat3_apply_transposed((const double(*)[3])from->R, l, L);
    carom_mat3_apply_transposed((const double(*)[3])from->R, middle[1], k);
    carom_turn_middle_under(one->inertia, L, k, f->t, s->m[b]);
    for (int i = 0; i < 3; i++)
        v[i] = f->t * s->m[b][i];
    carom_cayley(v, none, T, moved);
    carom_mat3_multiply((const double(*)[3])from->R, (const double(*)[3])T, to->R);
    const double *I = one->inertia;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            s->soft[b][i][j] =
                to->R[i][0] * to->R[j][0] / I[0] + to->R[i][1] * to->R[j][1] / I[1] + to->R[i][2] * to->R[j][2] / I[2];
}

// The rates of the rows at the end.
static void find_rates(const flight *f) {
    carom_linkage_space *s = f->space;
    for (int i = 0; i < f->linkage->row_count; i++) {
        s->rate[i] = 0;
        for (int side = 0; side < 2; side++) {
            int b = f->linkage->rows[i].body[side];
            double W[3];
            if (b < 0)
                continue;
            carom_mat3_apply((const double(*)[3])s->soft[b], s->l[b][1], W);
            s->rate[i] += carom_dot(s->there[i].of[side], s->V[b][1]) + carom_dot(s->there[i].of[side] + 3, W);
        }
        s->rate[i] -= s->speeds[1][i];
    }
}

// One flight with the present impulses kappa and lambda. Computes gaps and rates of all rows at the end.
static void fly_once(const flight *f) {
    carom_linkage_space *s = f->space;
    int n = f->linkage->body_count, rows = f->linkage->row_count;
    double(*start)[2][3] = s->impulses[0], (*middle)[2][3] = s->impulses[1];
    memset(start, 0, (size_t)n * sizeof *start);
    memset(middle, 0, (size_t)n * sizeof *middle);
    memcpy(s->scratch, s->kappa, (size_t)rows * sizeof *s->scratch);
    carom_link_factor_backward(&s->now, s->scratch);
    add_impulses(f->linkage, s->here, s->scratch, 1, start);
    add_impulses(f->linkage, s->middle, s->lambda, 1, middle);
    for (int b = 0; b < n; b++)
        move_body(f, b, (const double(*)[3])start[b], (const double(*)[3])middle[b]);
    for (int i = 0; i < rows; i++) {
        const carom_link_row *row = &f->linkage->rows[i];
        carom_link_gradient_find(row, s->from, s->to, &s->middle[i]);
        carom_link_gradient_find(row, s->to, s->to, &s->there[i]);
        s->gap[i] = row->kind == CAROM_LINK_TURN ? carom_link_turn(row, s->from, s->to, s->advance[i])
                                                 : carom_link_value(row, s->to) - s->start_gap[i];
        s->gap[i] = s->active[i] ? s->gap[i] : 0;
    }
    carom_link_factor_find(f->linkage, s->there, s->softness, (const double(*)[3][3])s->soft, s->now.kept, &s->then);
    find_rates(f);
}

// The residual: the larger of gap and velocity error, each divided by its tolerance.
static double residual_of(const flight *f, double speed) {
    carom_linkage_space *s = f->space;
    double gap = 0, square = 0;
    for (int i = 0; i < f->linkage->row_count; i++) {
        bool angle = f->linkage->rows[i].kind == CAROM_LINK_ANGLE || f->linkage->rows[i].kind == CAROM_LINK_TURN;
        gap = fmax(gap, fabs(s->gap[i]) / (angle ? 1 : f->extent));
        square += (s->scratch[i] - s->kappa[i]) * (s->scratch[i] - s->kappa[i]);
        // fmax ignores NaN, and the iteration would seem to converge
        if (!isfinite(s->gap[i]))
            return HUGE_VAL;
    }
    if (!isfinite(square))
        return HUGE_VAL;
    double scale = velocity_tolerance * speed + position_rounding * DBL_EPSILON * f->extent * sqrt(f->heavy) / f->t;
    return fmax(gap / gap_tolerance, square > 0 ? sqrt(square) / scale : 0);
}

// Corrects the impulses by the residual. `scratch` has L^-1 times the rates at the end.
static void correct(const flight *f, double residual) {
    carom_linkage_space *s = f->space;
    int rows = f->linkage->row_count;
    double *change = s->rounds.change, *weighed = s->rounds.weighed;
    for (int i = 0; i < rows; i++) {
        bool both = s->now.kept[i] && s->then.kept[i];
        change[i] = weighed[i] = both ? 0.5 * (s->scratch[i] - s->kappa[i]) : -s->kappa[i];
    }
    carom_link_factor_forward(&s->then, s->gap, s->scratch2);
    // both are velocities: square roots of an energy over the unit of mass of the factor
    for (int i = 0; i < rows; i++)
        weighed[rows + i] = change[rows + i] = -2 / f->t * s->scratch2[i] - 2 * change[i];
    carom_link_factor_backward(&s->then, change + rows);
    // near rounding, earlier iterations give no information
    if (residual > acceleration_threshold)
        carom_link_rounds_improve(&s->rounds);
    else
        s->rounds.count = 0;
    for (int i = 0; i < rows; i++) {
        s->kappa[i] += change[i];
        s->lambda[i] += change[rows + i];
    }
}

// Work of the motor impulses at the start (scratch2), during the flight (lambda) and at the end (scratch). The remaining term
// |kappa|^2/2 cancels between start and end.
static double work_of_motors(const flight *f) {
    const carom_linkage_space *s = f->space;
    double work = 0;
    for (int i = 0; i < f->linkage->row_count; i++) {
        double rate = 0;
        if (f->linkage->rows[i].motor < 0)
            continue;
        for (int side = 0; side < 2; side++) {
            int b = f->linkage->rows[i].body[side];
            if (b >= 0)
                rate += carom_dot(s->middle[i].of[side], s->mean[b]) + carom_dot(s->middle[i].of[side] + 3, s->turn[b]);
        }
        work += s->lambda[i] * rate + s->scratch2[i] * s->speeds[0][i] - s->scratch[i] * s->speeds[1][i];
    }
    return work;
}

// Projects the velocities at the end on G v = 0, and computes the work of motors.
static void end_flight(const flight *f) {
    carom_linkage_space *s = f->space;
    int n = f->linkage->body_count;
    double(*end)[2][3] = s->impulses[0];
    carom_link_factor_forward(&s->then, s->rate, s->scratch);
    carom_link_factor_backward(&s->then, s->scratch);
    memcpy(s->scratch2, s->kappa, (size_t)f->linkage->row_count * sizeof *s->scratch2);
    carom_link_factor_backward(&s->now, s->scratch2);
    memset(end, 0, (size_t)n * sizeof *end);
    add_impulses(f->linkage, s->there, s->scratch, -1, end);
    for (int b = 0; b < n; b++) {
        carom_add_scaled(1 / rigid_body_of(f, b)->mass, end[b][0], s->V[b][1]);
        carom_add_scaled(1, end[b][1], s->l[b][1]);
        carom_mat3_apply((const double(*)[3])s->from[b].R, s->m[b], s->turn[b]);
    }
    s->flight_work = f->linkage->driven ? work_of_motors(f) : 0;
}

// Rates of motors at both ends of the flight, and their integrals by Simpson's rule, which is exact for tables and soft starts
// between their kinks.
static void drive_flight(const flight *f, double begin) {
    const carom_rigid_bodies *c = f->rigid_bodies;
    carom_linkage_space *s = f->space;
    for (int i = 0; f->linkage->driven && i < f->linkage->row_count; i++) {
        bool on;
        int motor = f->linkage->rows[i].motor;
        if (motor < 0)
            continue;
        s->speeds[0][i] = c->motor_rate(c->motors, motor, begin, &on);
        s->speeds[1][i] = c->motor_rate(c->motors, motor, begin + f->t, &on);
        double middle = c->motor_rate(c->motors, motor, begin + 0.5 * f->t, &on);
        s->advance[i] = f->t / 6 * (s->speeds[0][i] + 4 * middle + s->speeds[1][i]);
        // a motor of a translation
        if (f->linkage->rows[i].kind == CAROM_LINK_OFFSET)
            s->start_gap[i] = carom_link_value(&f->linkage->rows[i], s->from) + s->advance[i];
    }
}

// Initialises the flight; returns the square root of twice the kinetic energy over the unit of mass of the factor.
static double begin_flight(flight *f, double part, const double (*w)[3]) {
    const carom_rigid_bodies *c = f->rigid_bodies;
    carom_linkage_space *s = f->space;
    int rows = f->linkage->row_count;
    double energy = 0;
    f->extent = f->linkage->size;
    for (int b = 0; b < f->linkage->body_count; b++) {
        int r = f->linkage->bodies[b];
        double L[3];
        carom_copy(c->place[r], s->from[b].c);
        carom_mat3_copy((const double(*)[3])c->R[r], s->from[b].R);
        carom_copy(w[c->items[r].centre], s->V[b][0]);
        carom_copy(c->l[r], s->l[b][0]);
        carom_mat3_apply_transposed((const double(*)[3])c->R[r], c->l[r], L);
        for (int i = 0; i < 3; i++) {
            s->m[b][i] = L[i] / c->items[r].inertia[i];
            energy += L[i] * s->m[b][i];
        }
        energy += c->items[r].mass * carom_dot(s->V[b][0], s->V[b][0]);
        f->heavy += c->items[r].mass / s->now.unit;
        f->extent = fmax(f->extent, carom_norm(c->place[r]));
    }
    memset(s->kappa, 0, (size_t)rows * sizeof *s->kappa);
    memset(s->lambda, 0, (size_t)rows * sizeof *s->lambda);
    memcpy(s->middle, s->here, (size_t)rows * sizeof *s->middle);
    // a short flight removes only its fraction of the gaps by rounding: removing all would need a large speed
    for (int i = 0; i < rows; i++)
        s->start_gap[i] = (1 - part) * carom_link_value(&f->linkage->rows[i], s->from);
    return sqrt(energy / s->now.unit);
}

bool carom_linkage_fly(carom_rigid_bodies *rigid_bodies, int q, double t, double part, const double (*w)[3]) {
    if (rigid_bodies->linkages[q].hub) {
        carom_link_hub_fly(rigid_bodies, q, t, w);
        return true;
    }
    flight f = {.rigid_bodies = rigid_bodies, .linkage = &rigid_bodies->linkages[q], .space = &rigid_bodies->links[q], .t = t};
    f.space->planned = 0;
    double speed = begin_flight(&f, part, w), least = HUGE_VAL;
    int stagnating = 0;
    drive_flight(&f, rigid_bodies->time + rigid_bodies->since[f.linkage->bodies[0]]);
    f.space->rounds.count = 0;
    for (int round = 0; round < ITERATIONS; round++) {
        fly_once(&f);
        carom_link_factor_forward(&f.space->then, f.space->rate, f.space->scratch);
        for (int i = 0; i < f.linkage->row_count; i++)
            if (!f.space->now.kept[i])
                f.space->scratch[i] = f.space->kappa[i];
        double residual = residual_of(&f, speed);
        if (!isfinite(residual))
            return false;
        stagnating = residual < progress_ratio * least ? 0 : stagnating + 1;
        least = fmin(least, residual);
        // the last residual may exceed the smallest one by rounding only
        if (residual == 0 || (stagnating >= (least > acceleration_threshold ? LONG_STAGNATION : STAGNATION) &&
                              residual <= fmax(acceleration_threshold, 2 * least) && residual <= 1)) {
            end_flight(&f);
            f.space->planned = t;
            return true;
        }
        correct(&f, residual);
    }
    return false;
}

void carom_linkage_land(carom_rigid_bodies *rigid_bodies, int q, double (*w)[3]) {
    const carom_linkage *linkage = &rigid_bodies->linkages[q];
    carom_linkage_space *s = &rigid_bodies->links[q];
    s->planned = 0;
    for (int b = 0; b < linkage->body_count; b++) {
        int r = linkage->bodies[b];
        carom_copy(s->to[b].c, rigid_bodies->place[r]);
        carom_mat3_copy((const double(*)[3])s->to[b].R, rigid_bodies->R[r]);
        carom_turn_straighten(rigid_bodies->R[r]);
        carom_copy(s->l[b][1], rigid_bodies->l[r]);
        carom_copy(s->V[b][1], w[rigid_bodies->items[r].centre]);
    }
}
