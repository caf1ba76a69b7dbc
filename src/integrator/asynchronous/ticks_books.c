// SPDX-License-Identifier: MIT
// Entries of ticks (common kicks of all nodes near contact, ticks.h) in the energy ledger.
//
// Driven nodes change their velocity between two steps of the run, after the last tick of the first step. At that instant a
// node that they push receives two impulses, h f + J_a by the tick and then J_b, which change its velocity from w- to w_a and
// to w_b. Each impulse is recorded with the mean of the velocities before and after it. But the forces do work along the path
// of the node, with w- before and w_b after the instant: the energy that leapfrog conserves changes by
// (J_a + J_b).(w- + w_b)/2. The missing work is
//
//     (J_a.(w_b - w_a) - J_b.(w_a - w-))/2 = -(h/2) f.(w_b - w_a).
//
// It is work of the obstacle; summed over the time of its acceleration it is of first order in the interval of ticks. (With
// newmark-dcr both changes of velocity are one kick.)
#include <math.h>

#include "integrator/asynchronous/ticks_inside.h"
#include "math/vec3.h"

void carom_ticks_book_drive(carom_ticks *ticks) {
    const carom_flight *flight = ticks->flight;
    const carom_rigid_bodies *rigid_bodies = &ticks->rigid.rigid_bodies;
    const double none[3] = {0};
    double work = 0;
    for (int j = 0; j < ticks->members.tick_node_count; j++) {
        int k = ticks->members.tick_nodes[j];
        // elements that have just joined have kicked at other times; obstacles have no forces
        if (!ticks->members.fresh[k] && flight->model->mass[k] > CAROM_MASSLESS)
            work -= 0.5 * flight->model->mass[k] * carom_dot(ticks->kick.whole[k], ticks->kick.answer[k]);
    }
    for (int r = 0; r < rigid_bodies->count; r++) {
        double l[3];
        const carom_rigid_body *one = &rigid_bodies->items[r];
        carom_rigid_bodies_momentum(rigid_bodies, r, ticks->kick.answer[rigid_bodies->first_row + r], l);
        work -= 0.5 * carom_dot(ticks->kick.whole[rigid_bodies->first_row + r], l);
        // in a linkage the mass node moves with the massless centre node, which has the kick
        if (one->linkage)
            work -= 0.5 * one->mass * carom_dot(ticks->kick.whole[one->centre], ticks->kick.answer[one->centre]);
    }
    if (work != 0)
        carom_ledger_record_external(flight->state, none, none, none, work);
}

void carom_ticks_book(carom_ticks *ticks, bool last) {
    ticks->memory->used = sqrt(ticks->paths.noted.used) / ticks->flight->step;
    bool touches = carom_neighbours_count(&ticks->contacts.neighbours) > 0;
    carom_levels_note_hits(ticks->levels, ticks->hits.count > 0);
    // shortened spans become longer again when nodes are slow enough
    bool is_short = ticks->paths.longest < 0.5 * CAROM_TICKS_LONGEST_PATH * carom_ticks_length(ticks);
    ticks->memory->span = touches ? ticks->flight->step * (is_short ? 2 : 1) : 0;
    // the last tick of a step is recorded later, when the time of the state is that of the tick
    int count = last ? ticks->last_kick : ticks->hits.count;
    carom_ledger_record_hits(ticks->flight->state, ticks->flight->observer, ticks->hits.items, count, 0,
                             ticks->flight->state->step + 1);
}

void carom_ticks_book_last(carom_ticks *ticks) {
    int count = ticks->hits.count - ticks->last_kick;
    if (count)
        carom_ledger_record_hits(ticks->flight->state, ticks->flight->observer, ticks->hits.items + ticks->last_kick, count,
                                 0.5, ticks->flight->state->step);
}
