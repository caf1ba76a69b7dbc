// SPDX-License-Identifier: MIT
// Theory: docs/theory/rigid.md
#include "integrator/rigid_kick.h"

#include <math.h>
#include <string.h>

#include "math/mat3.h"

// The largest turn of a body in a drift, in radians: beyond it a chord has little to do with the arc.
static const double largest_turn = 2;

bool carom_rigid_kick_create(carom_rigid_kick *rigid, const carom_model *model, carom_state *state, carom_arena *arena) {
    int n = model->rigid.count;
    bool enough = true;
    carom_carriers *c = &rigid->carriers;
    *rigid = (carom_rigid_kick){.state = state, .carriers = model->rigid};
    c->R = carom_arena_reserve(arena, n, sizeof *c->R, &enough);
    c->l = carom_arena_reserve(arena, n, sizeof *c->l, &enough);
    c->soft = carom_arena_reserve(arena, n, sizeof *c->soft, &enough);
    c->since = carom_arena_reserve(arena, n, sizeof *c->since, &enough);
    c->kinetic = carom_arena_reserve(arena, n, sizeof *c->kinetic, &enough);
    c->end_kinetic = carom_arena_reserve(arena, n, sizeof *c->end_kinetic, &enough);
    c->spin = state->turn_rate;
    c->slow = HUGE_VAL;
    rigid->force = carom_arena_reserve(arena, n, sizeof *rigid->force, &enough);
    rigid->moment = carom_arena_reserve(arena, n, sizeof *rigid->moment, &enough);
    return enough;
}

// Poses and momenta as the state has them.
static void load(carom_rigid_kick *rigid) {
    size_t n = (size_t)rigid->carriers.count;
    memcpy(rigid->carriers.R, rigid->state->turned, n * sizeof *rigid->carriers.R);
    memcpy(rigid->carriers.l, rigid->state->turning, n * sizeof *rigid->carriers.l);
}

void carom_rigid_kick_collect(carom_rigid_kick *rigid, const double (*x)[3], const double (*force)[3]) {
    for (int r = 0; r < rigid->carriers.count; r++) {
        const carom_carrier *one = &rigid->carriers.items[r];
        double *sum = rigid->force[r], *moment = rigid->moment[r];
        memset(sum, 0, sizeof *rigid->force);
        memset(moment, 0, sizeof *rigid->moment);
        for (int k = one->node_begin; k < one->node_begin + one->node_count; k++) {
            double arm[3], turn[3];
            carom_difference(x[k], x[one->centre], arm);
            carom_cross(arm, force[k], turn);
            carom_add_scaled(1, force[k], sum);
            carom_add_scaled(1, turn, moment);
        }
    }
}

double carom_rigid_kick_push(carom_rigid_kick *rigid, double h, double (*w_before)[3], double (*w)[3]) {
    carom_carriers *carriers = &rigid->carriers;
    const double(*x)[3] = (carom_const_vectors)rigid->state->x;
    double square = 0;
    load(rigid);
    for (int r = 0; r < carriers->count; r++) {
        double change[3];
        int row = carriers->first_row + r;
        carom_carriers_refresh(carriers, r, w);
        carom_copy(w[row], w_before[row]);
        carom_mat3_apply((carom_const_vectors)carriers->soft[r], rigid->moment[r], change);
        carom_add_scaled(h, change, w[row]);
        carom_add_scaled(h / carriers->items[r].mass, rigid->force[r], w[carriers->items[r].centre]);
    }
    carom_carriers_spread(carriers, x, w_before);
    carom_carriers_spread(carriers, x, w);
    for (int r = 0; r < carriers->count; r++) {
        const carom_carrier *one = &carriers->items[r];
        for (int k = one->node_begin; k <= one->centre; k++) {
            double change[3];
            carom_difference(w[k], w_before[k], change);
            square = fmax(square, carom_dot(change, change));
        }
    }
    return sqrt(square);
}

void carom_rigid_kick_settle(carom_rigid_kick *rigid, const double (*w_before)[3], double (*w)[3]) {
    carom_carriers *carriers = &rigid->carriers;
    for (int r = 0; r < carriers->count; r++) {
        double change[3], l[3];
        int row = carriers->first_row + r;
        // as a change: a body that nothing turns keeps its momentum to the last bit
        carom_difference(w[row], w_before[row], change);
        carom_carriers_momentum(carriers, r, change, l);
        carom_add_scaled(1, l, carriers->l[r]);
        carom_copy(carriers->l[r], rigid->state->turning[r]);
    }
    carom_carriers_spread(carriers, (carom_const_vectors)rigid->state->x, w);
}

void carom_rigid_kick_end(const carom_rigid_kick *rigid, double h, double (*kick)[3]) {
    const carom_carriers *carriers = &rigid->carriers;
    for (int r = 0; r < carriers->count; r++) {
        carom_add_scaled(h / carriers->items[r].mass, rigid->force[r], kick[carriers->items[r].centre]);
        carom_mat3_apply((carom_const_vectors)carriers->soft[r], rigid->moment[r], kick[carriers->first_row + r]);
        for (int i = 0; i < 3; i++)
            kick[carriers->first_row + r][i] *= h;
    }
}

void carom_rigid_kick_gather(const carom_rigid_kick *rigid, double (*force)[3]) {
    for (int r = 0; r < rigid->carriers.count; r++) {
        const carom_carrier *one = &rigid->carriers.items[r];
        for (int k = one->node_begin; k < one->node_begin + one->node_count; k++)
            carom_add_scaled(1, force[k], force[one->centre]);
    }
}

double carom_rigid_kick_oscillation(const carom_rigid_kick *rigid, int r, const double (*w)[3]) {
    const double *inertia = rigid->carriers.items[r].inertia;
    double now[3], after[3], sum = 0;
    carom_mat3_apply_transposed((carom_const_vectors)rigid->state->turned[r], rigid->state->turn_rate[r], now);
    carom_mat3_apply_transposed((carom_const_vectors)rigid->state->turned[r], w[rigid->carriers.first_row + r], after);
    for (int i = 0; i < 3; i++)
        sum += 0.5 * inertia[i] * (now[i] * now[i] - after[i] * after[i]);
    return sum;
}

carom_status carom_rigid_kick_begin(carom_rigid_kick *rigid, double h, double (*w)[3], carom_error *error) {
    load(rigid);
    double turn = carom_carriers_begin(&rigid->carriers, h, (carom_const_vectors)rigid->state->x, w);
    if (turn <= largest_turn)
        return CAROM_OK;
    return carom_fail(error, CAROM_NUMERICAL,
                      "a rigid body turns by %.3g radians in the step at time %g, where %g is the most: use a smaller step",
                      turn, rigid->state->time, largest_turn);
}

void carom_rigid_kick_finish(carom_rigid_kick *rigid, double h, double (*w)[3]) {
    carom_carriers *carriers = &rigid->carriers;
    for (int r = 0; r < carriers->count; r++) {
        carom_carriers_cut(carriers, r, h, w);
        carriers->end_kinetic[r] = 0.5 * carom_dot(carriers->l[r], w[carriers->first_row + r]);
    }
}

void carom_rigid_kick_store(carom_rigid_kick *rigid) {
    size_t n = (size_t)rigid->carriers.count;
    memcpy(rigid->state->turned, rigid->carriers.R, n * sizeof *rigid->carriers.R);
    memcpy(rigid->state->turning, rigid->carriers.l, n * sizeof *rigid->carriers.l);
}
