// SPDX-License-Identifier: MIT
// Theory: docs/theory/rigid.md
// Kicks of rigid bodies: forces and torques of their nodes change velocity and angular momentum; linkages solve for the
// impulses of their joints.
#include "integrator/rigid_kick.h"

#include <math.h>
#include <string.h>

#include "math/exact.h"
#include "math/mat3.h"
#include "model/state/ledger.h"

// The largest rotation of a body in a drift, in radians: beyond it the chord is a poor approximation of the arc.
static const double largest_turn = 2;

bool carom_rigid_kick_create(carom_rigid_kick *rigid, const carom_model *model, carom_state *state, carom_arena *arena) {
    int n = model->rigid.count;
    bool enough = true;
    carom_rigid_bodies *c = &rigid->rigid_bodies;
    *rigid = (carom_rigid_kick){
        .state = state, .x = (carom_const_vectors)state->x, .time = &state->time, .rigid_bodies = model->rigid};
    c->R = carom_arena_reserve(arena, n, sizeof *c->R, &enough);
    c->l = carom_arena_reserve(arena, n, sizeof *c->l, &enough);
    c->soft = carom_arena_reserve(arena, n, sizeof *c->soft, &enough);
    c->since = carom_arena_reserve(arena, n, sizeof *c->since, &enough);
    c->kinetic = carom_arena_reserve(arena, n, sizeof *c->kinetic, &enough);
    c->end_kinetic = carom_arena_reserve(arena, n, sizeof *c->end_kinetic, &enough);
    c->start_R = carom_arena_reserve(arena, n, sizeof *c->start_R, &enough);
    c->start_l = carom_arena_reserve(arena, n, sizeof *c->start_l, &enough);
    c->swept = carom_arena_reserve(arena, n, sizeof *c->swept, &enough);
    c->place = carom_arena_reserve(arena, n, sizeof *c->place, &enough);
    c->links = carom_arena_reserve(arena, c->linkage_count, sizeof *c->links, &enough);
    for (int q = 0; q < c->linkage_count && enough; q++)
        carom_linkage_reserve(&c->linkages[q], arena, &c->links[q], &enough);
    c->spin = state->turn_rate;
    c->slow = HUGE_VAL;
    rigid->force = carom_arena_reserve(arena, n, sizeof *rigid->force, &enough);
    rigid->moment = carom_arena_reserve(arena, n, sizeof *rigid->moment, &enough);
    rigid->work = carom_arena_reserve(arena, c->linkage_count, sizeof *rigid->work, &enough);
    rigid->pushes = carom_arena_reserve(arena, n, sizeof *rigid->pushes, &enough);
    rigid->answers = carom_arena_reserve(arena, n, sizeof *rigid->answers, &enough);
    rigid->start = carom_arena_reserve(arena, n, sizeof *rigid->start, &enough);
    return enough;
}

// Copies orientations and angular momenta from the state.
static void load(carom_rigid_kick *rigid) {
    size_t n = (size_t)rigid->rigid_bodies.count;
    memcpy(rigid->rigid_bodies.R, rigid->state->turned, n * sizeof *rigid->rigid_bodies.R);
    memcpy(rigid->rigid_bodies.l, rigid->state->turning, n * sizeof *rigid->rigid_bodies.l);
}

// The velocity changes of all bodies of a linkage by the collected forces in the time h. Motors change the velocities w to
// their rates (NULL: without motors); returns their work.
static double answer(const carom_rigid_kick *rigid, int q, double h, const double (*w)[3]) {
    const carom_linkage *linkage = &rigid->rigid_bodies.linkages[q];
    double(*pushes)[2][3] = rigid->pushes + linkage->offset;
    for (int b = 0; b < linkage->body_count; b++)
        for (int i = 0; i < 3; i++) {
            pushes[b][0][i] = h * rigid->force[linkage->bodies[b]][i];
            pushes[b][1][i] = h * rigid->moment[linkage->bodies[b]][i];
        }
    return carom_linkage_kick(&rigid->rigid_bodies, q, (const double(*)[2][3])pushes, w, rigid->answers + linkage->offset);
}

// The kick of linkages. Also prepares what contact needs: their response to impulses, and the paths of their bodies.
static void push_linkages(carom_rigid_kick *rigid, double h, double (*w)[3]) {
    carom_rigid_bodies *rigid_bodies = &rigid->rigid_bodies;
    for (int q = 0; q < rigid_bodies->linkage_count; q++) {
        const carom_linkage *linkage = &rigid_bodies->linkages[q];
        for (int b = 0; b < linkage->body_count; b++)
            carom_copy(rigid->x[rigid_bodies->items[linkage->bodies[b]].centre], rigid_bodies->place[linkage->bodies[b]]);
        carom_linkage_drive(rigid_bodies, q, *rigid->time, true);
        carom_linkage_arrive(rigid_bodies, q);
        rigid->work[q] = answer(rigid, q, h, (carom_const_vectors)w);
        for (int b = 0; b < linkage->body_count; b++) {
            carom_add_scaled(1, rigid->answers[linkage->offset + b][0], w[rigid_bodies->items[linkage->bodies[b]].centre]);
            carom_add_scaled(1, rigid->answers[linkage->offset + b][1], w[rigid_bodies->first_row + linkage->bodies[b]]);
        }
        carom_linkage_find_bend(rigid_bodies, q, (carom_const_vectors)w);
    }
}

void carom_rigid_kick_collect(carom_rigid_kick *rigid, const double (*x)[3], const double (*force)[3]) {
    for (int r = 0; r < rigid->rigid_bodies.count; r++) {
        const carom_rigid_body *one = &rigid->rigid_bodies.items[r];
        double *sum = rigid->force[r], *moment = rigid->moment[r];
        memset(sum, 0, sizeof *rigid->force);
        memset(moment, 0, sizeof *rigid->moment);
        for (int i = 0; i < carom_rigid_body_size(one); i++) {
            int k = carom_rigid_body_node(one, i);
            double arm[3], turn[3];
            carom_difference(x[k], x[one->centre], arm);
            carom_cross(arm, force[k], turn);
            carom_add_scaled(1, force[k], sum);
            carom_add_scaled(1, turn, moment);
        }
        // the centre of a body in a linkage has no mass, and its force is that of the body
        if (one->linkage)
            carom_add_scaled(1, force[one->centre], sum);
    }
}

void carom_rigid_kick_acceleration(const carom_rigid_kick *rigid, const double (*force)[3], int node, double a[3]) {
    const carom_rigid_bodies *rigid_bodies = &rigid->rigid_bodies;
    int r = rigid_bodies->of_node ? rigid_bodies->of_node[node] : -1;
    double arm[3], alpha[3], turn[3];
    a[0] = a[1] = a[2] = 0;
    if (r < 0 || !rigid_bodies->brought || !(rigid_bodies->brought[node] > 0))
        return;
    const carom_rigid_body *one = &rigid_bodies->items[r];
    carom_difference(rigid->x[node], rigid->x[one->centre], arm);
    if (one->linkage) {
        double push[1][2][3], change[1][2][3];
        carom_copy(rigid->force[r], push[0][0]);
        carom_copy(rigid->moment[r], push[0][1]);
        // other bodies are tied only to bodies that are alone in their linkage
        carom_linkage_kick(rigid_bodies, one->linkage - 1, (const double(*)[2][3])push, NULL, change);
        carom_copy(change[0][0], a);
        carom_copy(change[0][1], alpha);
    } else {
        for (int i = 0; i < 3; i++)
            a[i] = (rigid->force[r][i] + force[one->centre][i]) / one->mass;
        carom_mat3_apply((carom_const_vectors)rigid_bodies->soft[r], rigid->moment[r], alpha);
    }
    carom_cross(alpha, arm, turn);
    carom_add_scaled(1, turn, a);
}

double carom_rigid_kick_push(carom_rigid_kick *rigid, double h, double (*w_before)[3], double (*w)[3]) {
    carom_rigid_bodies *rigid_bodies = &rigid->rigid_bodies;
    const double(*x)[3] = rigid->x;
    double square = 0;
    load(rigid);
    for (int r = 0; r < rigid_bodies->count; r++) {
        double change[3];
        int row = rigid_bodies->first_row + r, centre = rigid_bodies->items[r].centre;
        carom_rigid_bodies_refresh(rigid_bodies, r, w);
        carom_copy(w[row], w_before[row]);
        if (rigid_bodies->items[r].linkage) {
            carom_copy(w[centre], w_before[centre]);
            continue;
        }
        carom_mat3_apply((carom_const_vectors)rigid_bodies->soft[r], rigid->moment[r], change);
        carom_add_scaled(h, change, w[row]);
        carom_add_scaled(h / rigid_bodies->items[r].mass, rigid->force[r], w[centre]);
    }
    push_linkages(rigid, h, w);
    carom_rigid_bodies_spread(rigid_bodies, x, w_before);
    carom_rigid_bodies_spread(rigid_bodies, x, w);
    for (int r = 0; r < rigid_bodies->count; r++) {
        const carom_rigid_body *one = &rigid_bodies->items[r];
        for (int i = 0; i <= carom_rigid_body_size(one); i++) {
            int k = i < carom_rigid_body_size(one) ? carom_rigid_body_node(one, i) : one->centre;
            double change[3];
            carom_difference(w[k], w_before[k], change);
            square = fmax(square, carom_dot(change, change));
        }
    }
    return sqrt(square);
}

void carom_rigid_kick_settle(carom_rigid_kick *rigid, const double (*w_before)[3], double (*w)[3]) {
    carom_rigid_bodies *rigid_bodies = &rigid->rigid_bodies;
    for (int r = 0; r < rigid_bodies->count; r++) {
        double change[3], l[3];
        int row = rigid_bodies->first_row + r;
        // added as a change: without torque the angular momentum is kept to the last bit
        carom_difference(w[row], w_before[row], change);
        carom_rigid_bodies_momentum(rigid_bodies, r, change, l);
        carom_add_scaled(1, l, rigid_bodies->l[r]);
        carom_copy(rigid_bodies->l[r], rigid->state->turning[r]);
    }
    carom_rigid_bodies_spread(rigid_bodies, rigid->x, w);
}

void carom_rigid_kick_end(const carom_rigid_kick *rigid, double h, double (*kick)[3]) {
    const carom_rigid_bodies *rigid_bodies = &rigid->rigid_bodies;
    for (int q = 0; q < rigid_bodies->linkage_count; q++) {
        answer(rigid, q, h, NULL);
        for (int b = 0; b < rigid_bodies->linkages[q].body_count; b++) {
            int r = rigid_bodies->linkages[q].bodies[b], place = rigid_bodies->linkages[q].offset + b;
            carom_copy(rigid->answers[place][0], kick[rigid_bodies->items[r].centre]);
            carom_copy(rigid->answers[place][1], kick[rigid_bodies->first_row + r]);
        }
    }
    for (int r = 0; r < rigid_bodies->count; r++) {
        if (rigid_bodies->items[r].linkage)
            continue;
        carom_add_scaled(h / rigid_bodies->items[r].mass, rigid->force[r], kick[rigid_bodies->items[r].centre]);
        carom_mat3_apply((carom_const_vectors)rigid_bodies->soft[r], rigid->moment[r], kick[rigid_bodies->first_row + r]);
        for (int i = 0; i < 3; i++)
            kick[rigid_bodies->first_row + r][i] *= h;
    }
}

void carom_rigid_kick_gather(const carom_rigid_kick *rigid, double (*force)[3]) {
    for (int r = 0; r < rigid->rigid_bodies.count; r++) {
        const carom_rigid_body *one = &rigid->rigid_bodies.items[r];
        for (int i = 0; i < carom_rigid_body_size(one); i++)
            carom_add_scaled(1, force[carom_rigid_body_node(one, i)], force[one->centre]);
    }
}

// Records the impulse of the ground on a linkage in the kick: its momentum change less the impulse of the loads.
static void book_linkage(carom_rigid_kick *rigid, int q, double after) {
    const carom_rigid_bodies *rigid_bodies = &rigid->rigid_bodies;
    const carom_linkage *linkage = &rigid_bodies->linkages[q];
    double impulse[3] = {0}, moment[3] = {0};
    // joints between bodies have no resultant; recording their rounding would hide an error
    for (int b = 0; b < linkage->body_count && linkage->grounded; b++) {
        int r = linkage->bodies[b];
        const double(*push)[3] = (carom_const_vectors)rigid->pushes[linkage->offset + b];
        const double(*change)[3] = (carom_const_vectors)rigid->answers[linkage->offset + b];
        double p[3], L[3], turn[3];
        carom_rigid_bodies_total_momentum(rigid_bodies, r, rigid_bodies->place[r], change[0], change[1], p, L);
        carom_cross(rigid_bodies->place[r], push[0], turn);
        for (int i = 0; i < 3; i++) {
            impulse[i] += p[i] - push[0][i];
            moment[i] += L[i] - turn[i] - push[1][i];
        }
    }
    rigid->given.drive_work += rigid->work[q];
    carom_add_scaled(1, impulse, rigid->given.impulse);
    carom_add_scaled(1, moment, rigid->given.angular_impulse);
    carom_ledger_record_impulse(rigid->state, impulse, moment, rigid->work[q], after);
}

void carom_rigid_kick_book(carom_rigid_kick *rigid, double after) {
    rigid->given = (carom_accounts){0};
    for (int q = 0; q < rigid->rigid_bodies.linkage_count; q++)
        book_linkage(rigid, q, after);
}

double carom_rigid_kick_oscillation(const carom_rigid_kick *rigid, int r, const double (*w)[3]) {
    const double *inertia = rigid->rigid_bodies.items[r].inertia;
    double now[3], after[3], sum = 0;
    carom_mat3_apply_transposed((carom_const_vectors)rigid->state->turned[r], rigid->state->turn_rate[r], now);
    carom_mat3_apply_transposed((carom_const_vectors)rigid->state->turned[r], w[rigid->rigid_bodies.first_row + r], after);
    for (int i = 0; i < 3; i++)
        sum += 0.5 * inertia[i] * (now[i] * now[i] - after[i] * after[i]);
    return sum;
}

static carom_status refuse_joints(const carom_rigid_kick *rigid, carom_error *error) {
    return carom_fail(
        error, CAROM_NUMERICAL,
        "joints between rigid bodies cannot be closed in the step at time %g: use a smaller step, or check whether "
        "a mechanism is stuck",
        *rigid->time);
}

carom_status carom_rigid_kick_begin(carom_rigid_kick *rigid, double h, double (*w)[3], carom_error *error) {
    if (!rigid->state)
        return CAROM_OK;
    load(rigid);
    for (int r = 0; r < rigid->rigid_bodies.count; r++)
        carom_copy(w[rigid->rigid_bodies.items[r].centre], rigid->start[r]);
    rigid->rigid_bodies.time = *rigid->time;
    double turn = carom_rigid_bodies_begin(&rigid->rigid_bodies, h, rigid->x, w);
    if (turn <= largest_turn)
        return rigid->rigid_bodies.unsolved ? refuse_joints(rigid, error) : CAROM_OK;
    return carom_fail(error, CAROM_NUMERICAL,
                      "a rigid body turns by %.3g radians in the step at time %g, the maximum is %g: use a smaller step", turn,
                      *rigid->time, largest_turn);
}

carom_status carom_rigid_kick_check_joints(const carom_rigid_kick *rigid, carom_status status, carom_error *error) {
    bool lost = status == CAROM_NUMERICAL && rigid->rigid_bodies.unsolved;
    return lost ? refuse_joints(rigid, error) : status;
}

void carom_rigid_kick_restore_velocities(const carom_rigid_kick *rigid, double (*w)[3]) {
    for (int r = 0; r < rigid->rigid_bodies.count; r++)
        if (rigid->rigid_bodies.items[r].linkage)
            carom_copy(rigid->start[r], w[rigid->rigid_bodies.items[r].centre]);
}

carom_status carom_rigid_kick_finish(carom_rigid_kick *rigid, double h, double (*x)[3], double (*w)[3], carom_error *error) {
    carom_rigid_bodies *rigid_bodies = &rigid->rigid_bodies;
    for (int r = 0; r < rigid_bodies->count; r++) {
        const carom_rigid_body *one = &rigid_bodies->items[r];
        carom_rigid_bodies_cut(rigid_bodies, r, h, w);
        if (one->linkage) {
            carom_copy(rigid_bodies->place[r], x[one->centre]);
            carom_copy(rigid_bodies->place[r], x[one->mass_node]);
        }
        rigid_bodies->end_kinetic[r] = 0.5 * carom_dot(rigid_bodies->l[r], w[rigid_bodies->first_row + r]);
    }
    return rigid_bodies->unsolved ? refuse_joints(rigid, error) : CAROM_OK;
}

void carom_rigid_kick_store(carom_rigid_kick *rigid) {
    if (!rigid->state)
        return;
    size_t n = (size_t)rigid->rigid_bodies.count;
    for (int q = 0; q < rigid->rigid_bodies.linkage_count; q++) {
        const carom_linkage_space *space = &rigid->rigid_bodies.links[q];
        carom_ledger_record_impulse(rigid->state, space->given[0], space->given[1], space->work, 0);
    }
    memcpy(rigid->state->turned, rigid->rigid_bodies.R, n * sizeof *rigid->rigid_bodies.R);
    memcpy(rigid->state->turning, rigid->rigid_bodies.l, n * sizeof *rigid->rigid_bodies.l);
}
