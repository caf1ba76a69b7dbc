// SPDX-License-Identifier: MIT
// Velocities of all nodes at a common time t, for output: v(t) = w + (1/m) sum_i (t - t_i - h_i/2) F_i over the elements i of a
// node of mass m, with its present velocity w, the force F_i at the common positions, the step h_i and the time t_i of the last
// kick; with restraints and loads.
#include "integrator/asynchronous/output_velocities.h"

#include <string.h>

#include "integrator/asynchronous/kick_history.h"
#include "math/exact.h"
#include "math/vec3.h"
#include "model/motion/loads.h"
#include "model/state/accounts.h"
#include "model/state/ledger.h"

enum {
    // With at least so many runs of blocks each thread processes whole runs; with fewer, threads share the elements of each.
    SHARED_RUNS = 8,
    // Elements up to which one thread computes all: about 100 microseconds.
    SHARED_ELEMENTS = 2048
};

// The velocities so far, and the external impulses and work of the kicks that advance them.
typedef struct output {
    carom_event_loop *loop;
    carom_state *state;
    carom_accounts sum;
} output;

// Applies to a node an impulse of a kick to the time of the output. `is_load`: it is an external impulse.
static void advance(output *o, int node, const double impulse[3], bool is_load) {
    const carom_flight *flight = &o->loop->flight;
    double m = flight->model->mass[node], dv[3] = {0}, ground[3] = {0}, moment[3];
    // nodes of rigid bodies get their velocities from these
    for (int d = 0; d < 3 && m > 0; d++)
        dv[d] = impulse[d] / m;
    if (is_load)
        carom_copy(impulse, ground);
    const carom_restraint *restraint = carom_restraint_of(&flight->restraints, node);
    if (restraint) {
        // the reaction of the restraint is external too, and does work if the restraint moves
        double free[3], velocity[3];
        carom_copy(dv, free);
        carom_restraint_project(restraint, dv);
        for (int d = 0; d < 3; d++)
            ground[d] += m * (dv[d] - free[d]);
        carom_flight_driven(flight, restraint, o->state->time, velocity);
        o->sum.drive_work += m * (carom_dot(dv, velocity) - carom_dot(free, velocity));
    }
    carom_cross(flight->x[node], ground, moment);
    carom_add_scaled(1, ground, o->sum.impulse);
    carom_add_scaled(1, moment, o->sum.angular_impulse);
    carom_add_scaled(1, dv, o->state->v[node]);
}

// The length t - t_i - h_i/2 of the kick of element i to the time t of the output; negative if the last kick already acts
// beyond t. `number`: its kicks so far, at intervals of `step`.
static double time_left(const output *o, int i, double number, double step) {
    const carom_kicks *kicks = &o->loop->flight.kicks;
    if (carom_ticks_has(o->loop->ticks, i))
        return -carom_ticks_ahead(o->loop->ticks, i);
    if (kicks->levels && i < kicks->count && number > 0)
        return o->state->time - carom_kick_covered(kicks, i);
    return o->state->time - (number - 0.5) * step;
}

// The forces of all elements of block b at the common positions. `advances`: the output history is advanced to that time.
static void find_forces(const carom_kicks *kicks, int b, const carom_state *state, bool advances, double *slots) {
    const carom_model *model = kicks->model;
    const carom_block *block = &model->blocks[b];
    carom_const_vectors x = (carom_const_vectors)state->x;
#pragma omp parallel for schedule(static) if (block->count > CAROM_KICK_SHARED)
    for (int begin = 0; begin < block->count; begin += CAROM_KICK_CHUNK) {
        int end = begin + CAROM_KICK_CHUNK < block->count ? begin + CAROM_KICK_CHUNK : block->count;
        if (block->history && advances)
            carom_kick_history_lead(kicks, b, begin, end, state->time, x, slots);
        else
            block->element->force(block, begin, end, x, (carom_const_vectors)model->X, slots);
    }
}

// Element e of a block kicks its nodes during the time h with its forces and its part of the dead loads.
static void advance_nodes(output *o, const carom_kick_block *own, int e, double h, const double *slots) {
    const carom_flight *flight = &o->loop->flight;
    const carom_model *model = flight->model;
    bool plain = !flight->restraints.of_node && !model->loaded;
    for (int a = 0; a < own->node_count; a++) {
        int k = own->block->nodes[(int64_t)e * own->node_count + a];
        double impulse[3];
        // nodes tied to rigid bodies get their velocities from these
        if (!(model->mass[k] > 0))
            continue;
        for (int d = 0; d < 3; d++)
            impulse[d] = h * slots[carom_lane(e, 3 * a + d, 3 * own->node_count)];
        if (plain) {
            carom_add_scaled(1 / model->mass[k], impulse, o->state->v[k]);
            continue;
        }
        advance(o, k, impulse, false);
        for (int d = 0; d < 3; d++)
            impulse[d] = h * flight->kicks.share[k] * model->load[k][d];
        if (model->loaded)
            advance(o, k, impulse, true);
    }
}

// The same kick of live loads, with their work along the paths of their nodes since their last kick.
static void advance_loaded_nodes(output *o) {
    carom_load_kicks *loads = &o->loop->loads;
    const carom_flight *flight = &o->loop->flight;
    const carom_live_loads *live = &flight->model->live;
    double h = time_left(o, flight->kicks.count, *loads->number, loads->step);
    carom_model_live_load(flight->model, o->state->time, (carom_const_vectors)flight->x, loads->live);
    for (int i = 0; i < live->node_count; i++) {
        int k = live->nodes[i];
        double impulse[3];
        for (int d = 0; d < 3; d++)
            impulse[d] = h * loads->live[k][d];
        o->sum.drive_work += carom_load_kicks_work(loads, i, flight->x[k]);
        advance(o, k, impulse, true);
    }
}

// The velocity change of each node by one kick of each of its elements and of the dead load, at common positions, and whether
// all of its elements have ticks (common kick times near contact, ticks.h). For nodes of rigid bodies: the impulse of elements.
static void find_kicks(carom_event_loop *loop, const carom_state *state, double *slots, carom_vectors change, bool *ticks) {
    const carom_flight *flight = &loop->flight;
    const carom_kicks *kicks = &flight->kicks;
    const carom_model *model = flight->model;
    for (int k = 0; k < model->node_count; k++) {
        memset(change[k], 0, sizeof change[k]);
        ticks[k] = kicks->begin[k + 1] > kicks->begin[k];
    }
    for (int b = 0; b < kicks->block_count; b++) {
        const carom_kick_block *own = &kicks->blocks[b];
        double *forces = slots + model->block_slot[b];
        find_forces(kicks, b, state, false, forces);
        for (int e = 0; e < own->block->count; e++) {
            bool on_tick = carom_ticks_has(loop->ticks, own->begin + e);
            double h = on_tick ? carom_ticks_step(loop->ticks) : carom_kick_step(kicks, own->begin + e);
            for (int a = 0; a < own->node_count; a++) {
                int k = own->block->nodes[(int64_t)e * own->node_count + a];
                ticks[k] = ticks[k] && on_tick;
                double factor = model->mass[k] > 0 ? h / model->mass[k] : h;
                for (int d = 0; d < 3; d++)
                    change[k][d] += factor * forces[carom_lane(e, 3 * a + d, 3 * own->node_count)];
                if (model->loaded && model->mass[k] > 0)
                    carom_add_scaled(h * kicks->share[k] / model->mass[k], model->load[k], change[k]);
            }
        }
    }
}

double carom_output_oscillation(carom_event_loop *loop, double *slots, carom_vectors change, bool *ticks,
                                const carom_state *state) {
    const carom_flight *flight = &loop->flight;
    find_kicks(loop, state, slots, change, ticks);
    carom_exact sum = {0};
    carom_ticks_springs_impulses(loop->ticks, state, change);
    for (int k = 0; k < flight->model->node_count; k++) {
        const carom_restraint *restraint = carom_restraint_of(&flight->restraints, k);
        double m = flight->model->mass[k];
        if (flight->model->rigid.count && flight->model->rigid.of_node[k] != -1)
            continue;
        const double *v = state->v[k], *w = flight->w[k], *kick = change[k];
        if (!ticks[k] && restraint)
            carom_restraint_project(restraint, change[k]);
        for (int d = 0; d < 3; d++)
            carom_exact_add(&sum, ticks[k] ? 0.5 * m * (v[d] * v[d] - w[d] * (w[d] - kick[d])) : 0.125 * m * kick[d] * kick[d]);
    }
    if (loop->ticks)
        carom_ticks_rigid_oscillation(loop->ticks, state, (carom_const_vectors)change, &sum);
    return carom_exact_value(&sum) + carom_ledger_pending(state);
}

// Advances the nodes of the elements of a block.
static void advance_block(output *o, int b, double *slots) {
    const carom_flight *flight = &o->loop->flight;
    const carom_kicks *kicks = &flight->kicks;
    const carom_kick_block *own = &kicks->blocks[b];
    double *forces = slots + flight->model->block_slot[b];
    find_forces(kicks, b, o->state, true, forces);
    for (int e = 0; e < own->block->count; e++) {
        const carom_kicker *kicker = carom_kicker_in(own, own->begin + e);
        advance_nodes(o, own, e, time_left(o, own->begin + e, carom_kicker_number(kicks, kicker), kicker->step), forces);
    }
}

void carom_output_velocities(carom_event_loop *loop, const carom_exact_accounts *contact, double *slots, carom_state *state) {
    const carom_flight *flight = &loop->flight;
    const carom_kicks *kicks = &flight->kicks;
    const carom_model *model = flight->model;
    output o = {.loop = loop, .state = state};
    memcpy(state->v, flight->w, (size_t)model->node_count * sizeof *state->v);
    carom_kick_history_show(kicks, state);
    // bodies share no nodes; external impulses are summed up in serial order
    bool plain = !flight->restraints.of_node && !model->loaded;
    if (plain && kicks->run_count >= SHARED_RUNS && kicks->count > SHARED_ELEMENTS) {
#pragma omp parallel for schedule(dynamic, 1)
        for (int r = 0; r < kicks->run_count; r++)
            for (int b = kicks->runs[r]; b < kicks->runs[r + 1]; b++)
                advance_block(&o, b, slots);
    } else {
        for (int b = 0; b < kicks->block_count; b++)
            advance_block(&o, b, slots);
    }
    if (loop->load_event >= 0)
        advance_loaded_nodes(&o);
    if (loop->ticks)
        carom_ticks_subtract_half_contact(loop->ticks, state->v);
    carom_ticks_rigid_velocities(loop->ticks, state, &o.sum);

    // the ledger contains whole kicks: the kicks to the time of the state are pending, with the opposite sign
    carom_exact_accounts *pending = &state->books.pending;
    carom_accounts_copy(pending, contact);
    carom_accounts_add(pending, -1, &o.sum);
}
