// SPDX-License-Identifier: MIT
// Newton's method for the contacts of an island of rigid bodies (newton_island.h; docs/theory/rest.md), with the method of
// multipliers. Velocities v of the bodies, masses M, velocities v0 before all impulses; of a contact the relative velocity
// u = H v, the target b of its normal rate, the impulse p = lambda n + T, the coefficient of friction mu and the softness s.
// Coulomb's law is (De Saxce and Feng 1998)
//
//     p in K,   u + (mu |u_t| - b) n in K*,   p.(u + (mu |u_t| - b) n) = 0,    K: |T| <= mu lambda.
//
// A round solves, with the impulses p' and the sliding speeds |u_t|' of the round before,
//
//     M (v - v0) = sum H^T p(v),   p(v) = projection on K of p' - (u + (mu |u_t|' - b) n)/(eps s).
//
// The difference of both sides is the gradient of a convex function of v, whose second derivative is M + sum H^T D H:
// Newton's method with a line search finds its minimum. Rounds end when p, as a rate, and mu |u_t| change by less than the
// floor. The matrix couples bodies that touch; it is factorised within its envelope, with the bodies in an order of small
// bandwidth (Cuthill and McKee). Impulses of redundant contacts are not unique, velocities are. The order of all operations is
// that of the contacts.
#include "contact/impact/newton_island.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "contact/rigid_motion_field.h"
#include "math/mat3.h"
#include "math/vec3.h"
#include "solver/block_envelope.h"

// Softness of the regularised contacts, in units of their own: it falls from round to round by a factor, so that few contacts
// begin or cease to press in a step of Newton. The last is the smallest at which rounding permits the accuracy. A round reduces
// an error by the factor eps s/(eps s + sigma), sigma the softness of the bodies against the impulse: where that is too slow,
// eps falls further.
static const double first_softness = 1e-2;
static const double softness_factor = 0.1;
static const double last_softness = 1e-6;

// A round has converged if no velocity is wrong by more than this fraction of the floor.
static const double inner_fraction = 0.1;

// A step along the direction of Newton has to decrease the function by this fraction of what its slope promises.
static const double decrease = 1e-4;

// Tolerance of a round, in units of the error of the round before, and of the first one, in units of the largest speed.
static const double round_tolerance = 0.1;
static const double first_tolerance = 1e-3;

// Rounding of velocities, and of the function, in units of the largest.
static const double rounding = 8 * DBL_EPSILON;

enum {
    ROUNDS = 60,           // limit of rounds
    STALLED = 3,           // rounds that do not halve the error, after which the accuracy of sweeps is enough
    STEPS = 40,            // limit of Newton's steps in a round
    CUTS = 12,             // limit of evaluations in a line search
    BLOCKS_PER_CONTACT = 4 // of the matrix: islands whose factors would be larger are left to sweeps
};

typedef struct newton_contact {
    double old[4], now[4]; // lambda and T of the last round, and at the present velocities
    double softness;       // regularised
    double rise;           // mu times the speed of sliding after the last round
    int next[2];           // list of the contacts of a body: 2 i + s for side s of contact i; -1: end
} newton_contact;

typedef struct newton_body {
    double start[6], round_start[6], v[6], direction[6], trial[6], gradient[6];
    double mass, inertia[3][3];
    double reach; // largest distance of a contact from the mass centre
    int body;
    int head;   // of the list of its contacts
    int number; // in the order of elimination
} newton_body;

struct carom_newton_space {
    newton_contact *contacts;
    newton_body *bodies; // an island uses two for each of its contacts, at most
    int *queue, *first, *diagonal;
    double (*x)[CAROM_BLOCK];
    carom_block *blocks;
    int *local; // per rigid body: its index in the island
};

carom_newton_space *carom_newton_space_reserve(carom_arena *arena, int64_t contacts, int bodies, bool *enough) {
    carom_newton_space *space = carom_arena_reserve(arena, 1, sizeof *space, enough);
    if (!space)
        return NULL;
    space->contacts = carom_arena_reserve(arena, contacts, sizeof *space->contacts, enough);
    space->bodies = carom_arena_reserve(arena, 2 * contacts, sizeof *space->bodies, enough);
    space->queue = carom_arena_reserve(arena, 2 * contacts, sizeof *space->queue, enough);
    space->first = carom_arena_reserve(arena, 2 * contacts, sizeof *space->first, enough);
    space->diagonal = carom_arena_reserve(arena, 2 * contacts, sizeof *space->diagonal, enough);
    space->x = carom_arena_reserve(arena, 2 * contacts, sizeof *space->x, enough);
    space->blocks = carom_arena_reserve(arena, BLOCKS_PER_CONTACT * contacts, sizeof *space->blocks, enough);
    space->local = carom_arena_reserve(arena, bodies, sizeof *space->local, enough);
    return space;
}

// An island with its part of the scratch data.
typedef struct island {
    int count, body_count;
    const carom_swept_contact *swept;
    const carom_rigid_contact *rigid;
    newton_contact *contacts;
    newton_body *bodies;
    int *queue, *first, *diagonal, *local;
    double (*x)[CAROM_BLOCK];
    carom_block_envelope matrix;
    double largest; // speed
} island;

// The body of side s of contact i; NULL if it does not move.
static newton_body *body_of(const island *is, int i, int s) {
    int body = is->rigid[i].body[s];
    return body < 0 ? NULL : &is->bodies[is->local[body]];
}

// Inverts a symmetric positive definite matrix; false if it has no inverse.
static bool invert(const double A[3][3], double inverse[3][3]) {
    for (int i = 0; i < 3; i++) {
        const double unit[3] = {i == 0, i == 1, i == 2};
        if (!carom_mat3_solve(A, unit, inverse[i]) || !(inverse[i][i] > 0))
            return false;
    }
    return true;
}

// Adds a body with its state at the start of the solve. False if it cannot move freely.
static bool add_body(island *is, carom_mobility mobility, const carom_solved_contact *from, int i, int s) {
    const carom_rigid_bodies *rigid_bodies = mobility.rigid_bodies;
    newton_body *body = &is->bodies[is->body_count];
    int r = is->rigid[i].body[s];
    *body = (newton_body){.body = r, .mass = rigid_bodies->items[r].mass, .head = -1, .number = -1};
    is->local[r] = is->body_count++;
    carom_copy(from->start_of[s][0], body->start);
    carom_copy(from->start_of[s][1], body->start + 3);
    memcpy(body->v, body->start, sizeof body->v);
    is->largest = fmax(is->largest, carom_norm(body->v));
    return body->mass > 0 && invert((const double(*)[3])rigid_bodies->soft[r], body->inertia);
}

// Finds the bodies of the island, and the contacts of each.
static bool find_bodies(island *is, const carom_contact_solve *solve, const carom_solve_group *group, carom_mobility mobility) {
    for (int i = 0; i < is->count; i++)
        for (int s = 0; s < 2; s++)
            if (is->rigid[i].body[s] >= 0)
                is->local[is->rigid[i].body[s]] = -1;
    for (int i = 0; i < is->count; i++) {
        newton_contact *contact = &is->contacts[i];
        *contact = (newton_contact){.old = {is->swept[i].impulse}};
        carom_copy(is->swept[i].tangential, contact->old + 1);
        for (int s = 0; s < 2; s++) {
            if (is->rigid[i].body[s] < 0)
                continue;
            const carom_solved_contact *from = &solve->items[group->order ? group->order[i] : i];
            if (is->local[is->rigid[i].body[s]] < 0 && !add_body(is, mobility, from, i, s))
                return false;
            newton_body *body = body_of(is, i, s);
            body->reach = fmax(body->reach, carom_norm(is->rigid[i].arm[s]));
            contact->next[s] = body->head;
            body->head = 2 * i + s;
        }
    }
    return true;
}

// Orders all bodies level by level from one of them. Returns the last one.
static int order_from(const island *is, int root) {
    int count = 0;
    for (int b = 0; b < is->body_count; b++)
        is->bodies[b].number = -1;
    is->queue[count] = root;
    is->bodies[root].number = count++;
    for (int k = 0; k < count; k++)
        for (int at = is->bodies[is->queue[k]].head; at >= 0; at = is->contacts[at / 2].next[at % 2]) {
            newton_body *other = body_of(is, at / 2, 1 - at % 2);
            if (other && other->number < 0) {
                is->queue[count] = (int)(other - is->bodies);
                other->number = count++;
            }
        }
    return is->queue[count - 1];
}

// The envelope of the matrix. False if it has no space, or bodies are not all connected.
static bool lay_out(island *is) {
    order_from(is, order_from(is, order_from(is, 0)));
    for (int k = 0; k < is->body_count; k++)
        is->first[k] = k;
    for (int i = 0; i < is->count; i++) {
        const newton_body *a = body_of(is, i, 0), *b = body_of(is, i, 1);
        if ((a && a->number < 0) || (b && b->number < 0))
            return false;
        if (!a || !b)
            continue;
        int low = a->number < b->number ? a->number : b->number, high = a->number < b->number ? b->number : a->number;
        is->first[high] = low < is->first[high] ? low : is->first[high];
    }
    int64_t blocks = 0;
    for (int k = 0; k < is->body_count; k++) {
        blocks += k - is->first[k] + 1;
        if (blocks > (int64_t)BLOCKS_PER_CONTACT * is->count)
            return false;
        is->diagonal[k] = (int)blocks - 1;
    }
    is->matrix.count = is->body_count;
    is->matrix.first = is->first;
    is->matrix.diagonal = is->diagonal;
    return true;
}

// Adds H^T p to -gradient.
static void push(const island *is, int i, const double J[3]) {
    for (int s = 0; s < 2; s++) {
        newton_body *body = body_of(is, i, s);
        double torque[3];
        if (!body)
            continue;
        carom_cross(is->rigid[i].arm[s], J, torque);
        carom_add_scaled(-is->rigid[i].sign[s], J, body->gradient);
        carom_add_scaled(-1, torque, body->gradient + 3);
    }
}

// The relative velocity at the trial velocities.
static void velocity_of(const island *is, int i, double u[3]) {
    u[0] = u[1] = u[2] = 0;
    for (int s = 0; s < 2; s++) {
        const newton_body *body = body_of(is, i, s);
        double turn[3];
        if (!body)
            continue;
        carom_cross(body->trial + 3, is->rigid[i].arm[s], turn);
        carom_add_scaled(is->rigid[i].sign[s], body->trial, u);
        carom_add_scaled(1, turn, u);
    }
}

// The impulse z = p' - (u + rise n - b n)/(eps s) before it is projected: its normal part, then the tangential one.
static void stretch(const island *is, int i, double z[4]) {
    const carom_plain_contact *plain = &is->swept[i].plain;
    const newton_contact *contact = &is->contacts[i];
    double u[3];
    velocity_of(is, i, u);
    z[0] = contact->old[0] - (carom_dot(plain->normal, u) + contact->rise - plain->target) / contact->softness;
    carom_cone_flatten(plain->normal, u);
    for (int k = 0; k < 3; k++)
        z[1 + k] = contact->old[1 + k] - u[k] / contact->softness;
}

// True if z, with a tangential part of this size, is inside Coulomb's cone |T| <= mu lambda; without friction that is a ray.
static bool is_inside(double mu, double size, double z) {
    return mu > 0 && size < mu * z;
}

// The projection of z on the cone.
static void project(double mu, const double z[4], double p[4]) {
    double size = carom_norm(z + 1);
    if (is_inside(mu, size, z[0])) {
        memcpy(p, z, 4 * sizeof *p);
        return;
    }
    p[0] = fmax(0, (z[0] + mu * size) / (1 + mu * mu));
    for (int k = 1; k < 4; k++)
        p[k] = size > 0 ? mu * p[0] / size * z[k] : 0;
}

// The impulses and the gradient at v + alpha direction; returns the value of the convex function.
static double evaluate(island *is, double alpha) {
    double sum = 0;
    for (int b = 0; b < is->body_count; b++) {
        newton_body *body = &is->bodies[b];
        double change[6];
        for (int k = 0; k < 6; k++) {
            body->trial[k] = body->v[k] + alpha * body->direction[k];
            change[k] = body->trial[k] - body->start[k];
        }
        for (int k = 0; k < 3; k++)
            body->gradient[k] = body->mass * change[k];
        carom_mat3_apply((const double(*)[3])body->inertia, change + 3, body->gradient + 3);
        for (int k = 0; k < 6; k++)
            sum += 0.5 * body->gradient[k] * change[k];
    }
    for (int i = 0; i < is->count; i++) {
        newton_contact *contact = &is->contacts[i];
        double z[4], J[3];
        stretch(is, i, z);
        project(is->swept[i].plain.friction, z, contact->now);
        for (int k = 0; k < 4; k++)
            sum += 0.5 * contact->softness * contact->now[k] * contact->now[k];
        carom_plain_impulse(&is->swept[i].plain, contact->now, J);
        push(is, i, J);
    }
    return sum;
}

// D of a contact at the trial velocities, the derivative of its impulse by -u; false if it is zero.
static bool stiffness_of(const island *is, int i, double D[3][3]) {
    const double *n = is->swept[i].plain.normal, mu = is->swept[i].plain.friction;
    double z[4];
    stretch(is, i, z);
    double size = carom_normalize(z + 1), stiffness = 1 / is->contacts[i].softness;
    bool inside = is_inside(mu, size, z[0]);
    // on the cone: along its generator g = (n + mu t)/sqrt(1 + mu^2), and across
    double pressing = (z[0] + mu * size) / (1 + mu * mu), across = size > 0 ? mu * pressing / size : 0;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            double ga = n[a] + mu * z[1 + a], gb = n[b] + mu * z[1 + b], unit = a == b;
            D[a][b] =
                stiffness * (inside ? unit : ga * gb / (1 + mu * mu) + across * (unit - n[a] * n[b] - z[1 + a] * z[1 + b]));
        }
    return inside || pressing > 0;
}

// Adds H_s^T D H_t of a contact to its block.
static void add_block(const carom_rigid_contact *rigid, const double D[3][3], int s, int t, double *block) {
    double G[6][3]; // columns of D H_t
    for (int k = 0; k < 3; k++) {
        // W x arm for the unit vector W = e_k
        double turn[3];
        const double unit[3] = {k == 0, k == 1, k == 2};
        carom_cross(unit, rigid->arm[t], turn);
        for (int a = 0; a < 3; a++)
            G[k][a] = rigid->sign[t] * D[a][k];
        carom_mat3_apply(D, turn, G[3 + k]);
    }
    for (int k = 0; k < CAROM_BLOCK; k++) {
        double torque[3];
        carom_cross(rigid->arm[s], G[k], torque);
        for (int a = 0; a < 3; a++) {
            block[CAROM_BLOCK * a + k] += rigid->sign[s] * G[k][a];
            block[CAROM_BLOCK * (3 + a) + k] += torque[a];
        }
    }
}

static void assemble(const island *is) {
    const carom_block_envelope *A = &is->matrix;
    memset(A->blocks, 0, (size_t)(A->diagonal[A->count - 1] + 1) * sizeof *A->blocks);
    for (int b = 0; b < is->body_count; b++) {
        const newton_body *body = &is->bodies[b];
        double *block = carom_block_at(A, body->number, body->number);
        for (int k = 0; k < 3; k++) {
            block[(CAROM_BLOCK + 1) * k] = body->mass;
            carom_copy(body->inertia[k], block + CAROM_BLOCK * (3 + k) + 3);
        }
    }
    for (int i = 0; i < is->count; i++) {
        double D[3][3];
        if (!stiffness_of(is, i, D))
            continue;
        for (int s = 0; s < 2; s++)
            for (int t = 0; t < 2; t++) {
                const newton_body *a = body_of(is, i, s), *b = body_of(is, i, t);
                if (a && b && a->number >= b->number)
                    add_block(&is->rigid[i], (const double(*)[3])D, s, t, carom_block_at(A, a->number, b->number));
            }
    }
}

// The direction of Newton. False if the matrix is not positive definite.
static bool find_direction(const island *is) {
    assemble(is);
    if (!carom_block_envelope_factorise(&is->matrix))
        return false;
    for (int b = 0; b < is->body_count; b++)
        for (int k = 0; k < 6; k++)
            is->x[is->bodies[b].number][k] = -is->bodies[b].gradient[k];
    carom_block_envelope_solve(&is->matrix, is->x);
    for (int b = 0; b < is->body_count; b++)
        memcpy(is->bodies[b].direction, is->x[is->bodies[b].number], sizeof *is->x);
    return true;
}

// Moves along the direction until the function has decreased. `value` is that at the start; returns that at the end.
static double search_line(island *is, double value) {
    double slope = 0, alpha = 1;
    for (int b = 0; b < is->body_count; b++)
        for (int k = 0; k < 6; k++)
            slope += is->bodies[b].gradient[k] * is->bodies[b].direction[k];
    double here = evaluate(is, alpha);
    for (int cut = 0; here > value + decrease * alpha * slope + rounding * fabs(value) && cut < CUTS; cut++) {
        alpha *= 0.5;
        here = evaluate(is, alpha);
    }
    for (int b = 0; b < is->body_count; b++)
        memcpy(is->bodies[b].v, is->bodies[b].trial, sizeof is->bodies[b].v);
    return here;
}

// The larger of two numbers; not a number if one of them is none, so that no error is lost.
static double larger(double a, double b) {
    return b > a || isnan(b) ? b : a;
}

// The largest difference between the velocities and those that the impulses would give.
static double imbalance(const island *is, carom_mobility mobility) {
    double largest = 0;
    for (int b = 0; b < is->body_count; b++) {
        const newton_body *body = &is->bodies[b];
        double turn[3];
        carom_mat3_apply((const double(*)[3])mobility.rigid_bodies->soft[body->body], body->gradient + 3, turn);
        largest = larger(largest, carom_norm(body->gradient) / body->mass + carom_norm(turn) * body->reach);
    }
    return largest;
}

// A round of contacts regularised by `eps`. False if Newton's method does not converge; it has then done nothing.
static bool run_round(island *is, carom_mobility mobility, double eps, double floor, double round_floor) {
    for (int i = 0; i < is->count; i++)
        is->contacts[i].softness = eps * fmax(is->swept[i].plain.softness, is->swept[i].plain.softest);
    for (int b = 0; b < is->body_count; b++) {
        newton_body *body = &is->bodies[b];
        memset(body->direction, 0, sizeof body->direction);
        memcpy(body->round_start, body->v, sizeof body->v);
    }
    double value = evaluate(is, 0), wrong = imbalance(is, mobility), before = HUGE_VAL;
    for (int step = 0; !(wrong <= inner_fraction * round_floor || (wrong <= floor && wrong >= before)); step++) {
        if (step == STEPS || !find_direction(is)) {
            for (int b = 0; b < is->body_count; b++)
                memcpy(is->bodies[b].v, is->bodies[b].round_start, sizeof is->bodies[b].v);
            return false;
        }
        value = search_line(is, value);
        before = wrong;
        wrong = imbalance(is, mobility);
    }
    return true;
}

// The largest error of a rate that remains after a round. The impulses of the round become the old ones.
static double advance(const island *is) {
    double largest = 0;
    for (int i = 0; i < is->count; i++) {
        const carom_plain_contact *plain = &is->swept[i].plain;
        newton_contact *contact = &is->contacts[i];
        double sum = 0, u[3];
        for (int k = 0; k < 4; k++)
            sum += (contact->now[k] - contact->old[k]) * (contact->now[k] - contact->old[k]);
        velocity_of(is, i, u);
        carom_cone_flatten(plain->normal, u);
        double rise = plain->friction * carom_norm(u);
        largest = larger(largest, contact->softness * sqrt(sum));
        // the rise of a contact that does not press is of no consequence
        largest = larger(largest, contact->now[0] > 0 ? fabs(rise - contact->rise) : 0);
        contact->rise = rise;
        memcpy(contact->old, contact->now, sizeof contact->old);
    }
    return largest;
}

// The smallest error that rounding permits.
static double least_error(const island *is, double eps) {
    return rounding / eps * is->largest;
}

// Rounds until the error is below the floor, or below `coarse` and no longer decreasing. A round that does not converge is
// repeated with softer contacts. False if they do not converge.
static bool run_rounds(island *is, carom_mobility mobility, double wanted, double coarse) {
    double eps = first_softness, least = last_softness, error = first_tolerance / round_tolerance * is->largest;
    double floor = fmax(wanted, least_error(is, least));
    bool failed = false;
    for (int round = 0, stalled = 0; !(error <= floor || (error <= coarse && stalled >= STALLED)); round++) {
        double before = error;
        if (round == ROUNDS)
            return false;
        if (!run_round(is, mobility, eps, floor, fmax(floor, round_tolerance * before))) {
            least = eps / softness_factor;
            failed = true;
            if (least > first_softness)
                return false;
        } else {
            error = advance(is);
            stalled = error < 0.5 * before ? 0 : stalled + 1;
            if (stalled && !failed && eps <= least && error > coarse && least_error(is, softness_factor * eps) < coarse)
                least = softness_factor * eps;
        }
        floor = fmax(wanted, least_error(is, least));
        eps = fmax(least, softness_factor * eps);
    }
    return true;
}

bool carom_newton_island_run(carom_contact_solve *solve, const carom_solve_group *group, carom_mobility mobility,
                             double coarse) {
    const carom_newton_space *space = solve->newton;
    const ptrdiff_t at = group->first;
    island is = {.count = group->count,
                 .swept = solve->swept + at,
                 .rigid = solve->rigid + at,
                 .contacts = space->contacts + at,
                 .bodies = space->bodies + 2 * at,
                 .queue = space->queue + 2 * at,
                 .first = space->first + 2 * at,
                 .diagonal = space->diagonal + 2 * at,
                 .local = space->local,
                 .x = space->x + 2 * at,
                 .matrix.blocks = space->blocks + BLOCKS_PER_CONTACT * at};
    for (int i = 0; i < is.count; i++)
        if (!is.swept[i].is_rigid)
            return false;
    if (!find_bodies(&is, solve, group, mobility) || !lay_out(&is))
        return false;
    if (!run_rounds(&is, mobility, group->newton_floor, coarse))
        return false;
    for (int i = 0; i < is.count; i++) {
        carom_swept_contact *one = &solve->swept[at + i];
        one->impulse = is.contacts[i].now[0];
        carom_copy(is.contacts[i].now + 1, one->tangential);
    }
    return true;
}
