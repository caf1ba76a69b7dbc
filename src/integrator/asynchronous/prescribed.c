// SPDX-License-Identifier: MIT
// Theory: docs/theory/asynchronous.md
// Changes the velocities of driven nodes, and restraints that hold for a time only, between two steps of `asynchronous`. Driven
// nodes have the prescribed velocity of the middle of a step during the whole step.
//
// At a change of restraints between two steps, at the time T, the kicks of element i have covered the time up to C_i, before or
// after T, and were projected by the old restraint. With J = sum (C_i - T) F_i, the impulse of these kicks for the time after T
// (negative: of kicks to come for the time before T),
//
//     v = w - P_old J/m     the velocity at T,
//     v -> v'               v with the velocity of the new restraint imposed,
//     w = v' + P_new J/m    the same impulse projected by the new restraint.
//
// So the node is restrained, or free, up to T exactly. The recorded reaction of the old restraint after T and its work are
// replaced by those of the new one.
#include "integrator/asynchronous/prescribed.h"

#include <string.h>

#include "integrator/asynchronous/kick_history.h"
#include "integrator/asynchronous/ticks_inside.h"
#include "math/vec3.h"
#include "model/motion/restraints.h"
#include "model/motion/springs.h"
#include "model/motion/timed_restraints.h"

bool carom_prescribed_create(carom_prescribed *prescribed, carom_event_loop *loop, carom_arena *arena) {
    const carom_flight *flight = &loop->flight;
    bool enough = true;
    int restraints = flight->restraints.count;
    *prescribed = (carom_prescribed){.loop = loop};
    prescribed->undriven = carom_arena_reserve(arena, restraints, sizeof *prescribed->undriven, &enough);
    if (flight->model->windows.count)
        prescribed->old = carom_arena_reserve(arena, restraints, sizeof *prescribed->old, &enough);
    if (enough && prescribed->old)
        memcpy(prescribed->old, flight->restraints.items, (size_t)restraints * sizeof *prescribed->old);
    return enough;
}

// C_i - T of element i, or of live loads, with T the beginning of the flight.
static double ahead_of(const carom_event_loop *loop, int i) {
    const carom_kicks *kicks = &loop->flight.kicks;
    if (carom_ticks_has(loop->ticks, i))
        return carom_ticks_ahead(loop->ticks, i);
    double covered = i < kicks->count ? carom_kick_covered(kicks, i) : carom_load_kicks_covered(&loop->loads);
    return covered - loop->flight.begin;
}

// J of a node, with the forces at T. Live loads are up to date.
static void find_ahead(carom_event_loop *loop, int node, double J[3]) {
    carom_flight *flight = &loop->flight;
    carom_kicks *kicks = &flight->kicks;
    const carom_model *model = flight->model;
    carom_kick_instant now = {.time = flight->begin, .use = CAROM_USE_TRIAL};
    J[0] = J[1] = J[2] = 0;
    for (int j = kicks->begin[node]; j < kicks->begin[node + 1]; j++) {
        int i = kicks->ends[j].kicker;
        double length = ahead_of(loop, i);
        carom_kick_force(kicks, i, carom_kicker_of(kicks, i), (carom_const_vectors)flight->x, (carom_const_vectors)flight->w, 0,
                         &now);
        carom_add_scaled(length, kicks->f[kicks->ends[j].corner], J);
        if (model->loaded)
            carom_add_scaled(length * kicks->share[node], model->load[node], J);
    }
    if (model->live.count)
        carom_add_scaled(ahead_of(loop, kicks->count), loop->loads.live[node], J);
    for (int s = 0; s < model->springs.count; s++)
        for (int e = 0; e < 2; e++)
            if (model->springs.items[s].node[e] == node) {
                double f[3], length = carom_ticks_ahead(loop->ticks, carom_ticks_rigid_member(loop->ticks));
                carom_spring_force(&model->springs.items[s], (carom_const_vectors)flight->x, f);
                carom_add_scaled(e ? -length : length, f, J);
            }
}

static bool are_equal(const carom_restraint *a, const carom_restraint *b) {
    return a->count == b->count && memcmp(a->direction, b->direction, (size_t)a->count * sizeof *a->direction) == 0;
}

// The work of the reaction of a restraint to the impulse J on its node.
static double reaction_work(const carom_restraint *restraint, const double J[3], const double velocity[3]) {
    double free[3];
    carom_copy(J, free);
    carom_restraint_project(restraint, free);
    return carom_dot(free, velocity) - carom_dot(J, velocity);
}

// Changes the velocity of the node of restraint r, which differs from that of the step before, and records the impulse.
static void change(carom_prescribed *prescribed, int r) {
    carom_flight *flight = &prescribed->loop->flight;
    const carom_restraint *old = &prescribed->old[r], *now = &flight->restraints.items[r];
    int k = now->node;
    double m = flight->model->mass[k], J[3], before[3], after[3], v[3], taken[3], impulse[3], work = 0;
    find_ahead(prescribed->loop, k, J);
    carom_copy(J, before);
    carom_restraint_project(old, before);
    carom_copy(J, after);
    carom_restraint_project(now, after);
    carom_copy(flight->w[k], v);
    carom_add_scaled(-1 / m, before, v);
    carom_copy(v, taken);
    carom_restraint_impose(now, taken);
    for (int d = 0; d < 3; d++) {
        double w = taken[d] + after[d] / m;
        work += 0.5 * m * (taken[d] - v[d]) * (taken[d] + v[d]);
        impulse[d] = m * (w - flight->w[k][d]);
        flight->w[k][d] = w;
    }
    work += reaction_work(now, J, flight->driven[r][0]) - reaction_work(old, J, old->velocity);
    carom_ledger_record_external(flight->state, flight->x[k], impulse, (const double[3]){0}, work);
}

void carom_prescribed_begin(carom_prescribed *prescribed, double before) {
    carom_flight *flight = &prescribed->loop->flight;
    const carom_model *model = flight->model;
    bool windows = model->windows.count > 0, found = false;
    double middle = flight->begin + 0.5 * flight->step;
    if (!model->drives.of_restraint)
        return;
    // the restraints of the step before, with the velocities of its end: computed again, as they are not part of a checkpoint
    if (windows)
        carom_model_open_windows(model, before + 0.5 * (flight->begin - before), flight->begin, prescribed->old);
    flight->from = flight->begin;
    flight->length = flight->step;
    for (int end = 0; end < 2; end++) {
        double time = flight->begin + end * flight->step;
        carom_model_drive(model, time, flight->restraints.items);
        // a window holds for whole steps, by the time in their middle
        if (windows)
            carom_model_open_windows(model, middle, time, flight->restraints.items);
        for (int r = 0; r < flight->restraints.count; r++)
            carom_copy(flight->restraints.items[r].velocity, flight->driven[r][end]);
    }
    carom_model_drive_over(model, flight->begin, flight->step, NULL, flight->restraints.items);
    for (int r = 0; r < flight->restraints.count; r++) {
        carom_copy(flight->w[flight->restraints.items[r].node], prescribed->undriven[r]);
        if (!carom_model_is_windowed(model, r) || are_equal(&prescribed->old[r], &flight->restraints.items[r])) {
            carom_restraint *restraint = &flight->restraints.items[r];
            carom_ledger_impose(flight->state, restraint, flight->x[restraint->node], flight->w[restraint->node]);
            continue;
        }
        if (!found && model->live.count)
            carom_load_kicks_find(&prescribed->loop->loads, 0);
        found = true;
        change(prescribed, r);
    }
}
