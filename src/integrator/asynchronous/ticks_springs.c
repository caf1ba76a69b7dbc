// SPDX-License-Identifier: MIT
// Theory: docs/theory/joints.md, docs/theory/asynchronous.md
// Springs and dampers at ticks (common kicks of all nodes near contact, ticks.h). One end is a node of a rigid body, and
// springs kick together with these. The other end may be a node of a deformable body, whose elements always have ticks too, so
// that all kicks of the node are at one time.
//
// The tick that removes leads (time differences of members, ticks_members.c) may have a negative length, with which dampers
// would add energy: its length is added to that of the next one.
#include <math.h>
#include <string.h>

#include "integrator/asynchronous/ticks_inside.h"
#include "math/vec3.h"
#include "model/motion/springs.h"

bool carom_ticks_springs_create(carom_ticks *ticks) {
    carom_flight *flight = ticks->flight;
    const carom_springs *all = &flight->model->springs;
    carom_ticks_springs *own = &ticks->springs;
    bool enough = true;
    if (!all->count)
        return true;
    own->nodes = carom_arena_reserve(ticks->arena, 2 * (int64_t)all->count, sizeof *own->nodes, &enough);
    own->damped.pull = carom_arena_reserve(ticks->arena, all->count, sizeof *own->damped.pull, &enough);
    own->owed = all->damped ? carom_state_add_array(flight->state, "dampers", 1) : NULL;
    for (int s = 0; s < 2 * all->count && enough; s++) {
        int k = all->items[s / 2].node[s % 2];
        bool known = k < 0 || carom_ticks_is_rigid(ticks, k);
        for (int i = 0; i < own->count; i++)
            known = known || own->nodes[i] == k;
        if (!known)
            own->nodes[own->count++] = k;
    }
    return enough && (own->owed || !all->damped);
}

// The square of a frequency is at most the sum of those of springs and of elements that kick the same bodies.
double carom_ticks_springs_step(const carom_ticks *ticks, double beta) {
    const carom_model *model = ticks->flight->model;
    const double *shortest = ticks->flight->kicks.shortest;
    double square = carom_model_spring_square(model) / (4 * beta * beta), most = 0;
    for (int i = 0; i < ticks->springs.count; i++)
        most = fmax(most, 1 / (shortest[ticks->springs.nodes[i]] * shortest[ticks->springs.nodes[i]]));
    for (int g = 0; square > 0 && g < model->ties.tied_count; g++)
        most = fmax(most, 1 / (shortest[model->ties.tied[g][0]] * shortest[model->ties.tied[g][0]]));
    return square > 0 ? 1 / sqrt(square + most) : HUGE_VAL;
}

void carom_ticks_springs_add(carom_ticks *ticks) {
    const carom_ticks_springs *own = &ticks->springs;
    for (int i = 0; i < own->count; i++)
        memset(ticks->force[own->nodes[i]], 0, sizeof *ticks->force);
    carom_model_add_spring_forces(ticks->flight->model, (carom_const_vectors)ticks->flight->kicks.place, ticks->force);
}

void carom_ticks_springs_pull(const carom_ticks *ticks, double h, carom_vectors change) {
    const carom_flight *flight = ticks->flight;
    const carom_springs *all = &flight->model->springs;
    for (int s = 0; s < 2 * all->count; s++) {
        int k = all->items[s / 2].node[s % 2], r = k < 0 ? -1 : carom_rigid_bodies_at(&ticks->rigid.rigid_bodies, k);
        double f[3], ease = r < 0 ? 0 : carom_flight_ease(flight, k, h);
        if (!(fabs(ease) > 0))
            continue;
        carom_spring_force(&all->items[s / 2], (carom_const_vectors)flight->kicks.place, f);
        carom_add_scaled(s % 2 ? -ease : ease, f, change[k]);
    }
}

void carom_ticks_springs_kick(carom_ticks *ticks, double h, double t) {
    for (int i = 0; i < ticks->springs.count; i++) {
        int k = ticks->springs.nodes[i];
        const double impulse[3] = {h * ticks->force[k][0], h * ticks->force[k][1], h * ticks->force[k][2]};
        carom_flight_give(ticks->flight, k, impulse, t);
    }
}

void carom_ticks_springs_damp(carom_ticks *ticks, double h, double t) {
    carom_flight *flight = ticks->flight;
    carom_ticks_springs *own = &ticks->springs;
    const carom_model *model = flight->model;
    own->length = h;
    if (!own->owed)
        return;
    *own->owed += h;
    double length = fmax(0, *own->owed);
    *own->owed -= length;
    // nodes of deformable bodies keep their positions at time t
    for (int i = 0; i < own->count; i++)
        carom_add_scaled(t, flight->w[own->nodes[i]], flight->x[own->nodes[i]]);
    carom_spring_kick_push(model, flight->mobility, (carom_const_vectors)flight->kicks.place, length,
                           (carom_const_vectors)ticks->kick.w_before, flight->w, &own->damped);
    for (int i = 0; i < own->count; i++)
        carom_add_scaled(-t, flight->w[own->nodes[i]], flight->x[own->nodes[i]]);
    carom_rigid_bodies_spread(&ticks->rigid.rigid_bodies, (carom_const_vectors)ticks->at, flight->w);
}

void carom_ticks_springs_whole(const carom_ticks *ticks, carom_vectors change) {
    const carom_flight *flight = ticks->flight;
    for (int i = 0; i < ticks->springs.count; i++) {
        int k = ticks->springs.nodes[i];
        double dw[3] = {0};
        carom_add_scaled(carom_flight_ease(flight, k, ticks->pace.step), ticks->force[k], dw);
        carom_restraints_project(&flight->restraints, k, dw);
        carom_add_scaled(1, dw, change[k]);
    }
}

void carom_ticks_springs_after(carom_ticks *ticks, bool first) {
    const carom_flight *flight = ticks->flight;
    // includes dampers, and is set even if elements have left the ticks
    for (int i = 0; i < ticks->springs.count && !first; i++)
        for (int k = ticks->springs.nodes[i], d = 0; d < 3; d++)
            ticks->kick.middle[k][d] = 0.5 * (ticks->kick.w_before[k][d] + flight->w[k][d]);
    if (flight->model->springs.count)
        carom_spring_kick_book(&ticks->springs.damped, ticks->springs.length, 0, (carom_const_vectors)flight->kicks.place,
                               (carom_const_vectors)ticks->kick.w_before, (carom_const_vectors)flight->w, flight->state);
}

void carom_ticks_subtract_half_accounts(const carom_accounts *given, carom_accounts *sum) {
    carom_add_scaled(-0.5, given->impulse, sum->impulse);
    carom_add_scaled(-0.5, given->angular_impulse, sum->angular_impulse);
    sum->damping -= 0.5 * given->damping;
    sum->drive_work -= 0.5 * given->drive_work;
}

void carom_ticks_springs_velocities(const carom_ticks *ticks, carom_state *state, carom_accounts *sum) {
    const carom_flight *flight = ticks->flight;
    const carom_model *model = flight->model;
    double h = carom_ticks_ahead(ticks, carom_ticks_rigid_member(ticks));
    for (int i = 0; i < ticks->springs.count; i++) {
        int k = ticks->springs.nodes[i];
        const carom_restraint *restraint = carom_restraint_of(&flight->restraints, k);
        double force[3] = {0}, ground[3], moment[3], velocity[3];
        carom_copy(ticks->kick.middle[k], state->v[k]);
        for (int s = 0; restraint && s < model->springs.count; s++)
            for (int e = 0; e < 2; e++)
                if (model->springs.items[s].node[e] == k) {
                    double f[3];
                    carom_spring_force(&model->springs.items[s], (carom_const_vectors)state->x, f);
                    carom_add_scaled(e ? -1 : 1, f, force);
                }
        if (!restraint)
            continue;
        // the reaction of its restraint to the second half of the kick
        carom_copy(force, ground);
        carom_restraint_project(restraint, ground);
        for (int d = 0; d < 3; d++)
            ground[d] = -h * (ground[d] - force[d]);
        carom_cross(state->x[k], ground, moment);
        carom_flight_driven(flight, restraint, state->time, velocity);
        carom_add_scaled(1, ground, sum->impulse);
        carom_add_scaled(1, moment, sum->angular_impulse);
        sum->drive_work += carom_dot(ground, velocity);
    }
    carom_ticks_subtract_half_accounts(&ticks->springs.damped.given, sum);
}

void carom_ticks_springs_impulses(const carom_ticks *ticks, const carom_state *state, carom_vectors change) {
    const carom_springs *all = &state->model->springs;
    for (int s = 0; ticks && s < all->count; s++) {
        double f[3];
        carom_spring_force(&all->items[s], (carom_const_vectors)state->x, f);
        for (int e = 0; e < 2; e++) {
            int k = all->items[s].node[e];
            if (k < 0)
                continue;
            double h =
                carom_ticks_is_rigid(ticks, k) ? ticks->memory->step : carom_flight_ease(ticks->flight, k, ticks->memory->step);
            carom_add_scaled(e ? -h : h, f, change[k]);
        }
    }
}
