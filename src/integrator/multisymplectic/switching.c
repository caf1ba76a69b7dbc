// SPDX-License-Identifier: MIT
// Steps of bars whose virtual tips close and open (switch) inside a slab (switching.h): impulses at time levels that correct
// the energy error D of switches in the slab before, and the ledger of such slabs.
#include "integrator/multisymplectic/switching.h"

#include <math.h>
#include <string.h>

#include "base/allocate.h"
#include "base/arena.h"
#include "integrator/contact_step.h"
#include "math/sum.h"
#include "math/vec3.h"
#include "model/model.h"
#include "model/state/ledger.h"

// The gap rate after the level over that before it, at most, as in repay.c.
static const double max_rate_ratio = 2;

carom_status carom_switching_create(const carom_slabs *slabs, carom_state *state, carom_switching *switching,
                                    carom_error *error) {
    const carom_model *model = slabs->model;
    *switching = (carom_switching){
        .slabs = slabs,
        .debts = carom_contact_accounts_register(state, model),
        .oscillation = carom_state_add_silent(state, "start of oscillation", 1),
    };
    bool enough = carom_watched_reserve(slabs, &switching->watched);
    switching->lambda = carom_arena_reserve(slabs->memory, model->candidates.count, sizeof *switching->lambda, &enough);
    switching->impulse = carom_arena_reserve(slabs->memory, model->node_count, sizeof *switching->impulse, &enough);
    switching->end = carom_level_reserve(slabs, &enough);
    return enough && switching->debts.numbers && switching->oscillation ? CAROM_OK : carom_no_memory(error, "contact");
}

// The gap of a candidate at the start of the slab that ends at `level`, from the state alone, so that restarts need no more.
static double gap_before(const carom_slabs *slabs, int candidate, const carom_level *level) {
    return carom_slabs_gap(slabs, candidate, level) - level->h * carom_slabs_rate(slabs, candidate, level);
}

// The energy error D of a switch of a ghost in the slab before the level: negative when it closed, positive when it opened, 0
// if it did not switch.
static double debt_of(const carom_slabs *slabs, int candidate, const carom_level *level) {
    double before = gap_before(slabs, candidate, level), now = carom_slabs_gap(slabs, candidate, level);
    double product = 0.5 * slabs->ghosts->items[candidate].stiffness * before * now;
    return (before < 0) == (now < 0) ? 0 : now < 0 ? product : -product;
}

// The gap rate at the level, in the middle of the kick, with the impulses found so far.
static double rate_at(const carom_switching *switching, const carom_contact *contact, const carom_level *level) {
    const carom_model *model = switching->slabs->model;
    double rate = 0;
    for (int i = 0; i < contact->count; i++) {
        int k = contact->node[i];
        double v[3];
        carom_copy(level->w[k], v);
        carom_add_scaled(0.5 * level->h / model->mass[k], level->force[k], v);
        carom_add_scaled(1 / model->mass[k], switching->impulse[k], v);
        carom_restraints_impose(&model->restraints, k, v);
        rate += contact->weight[i] * carom_dot(contact->normal, v);
    }
    return rate;
}

// The impulse that corrects the error D of a switch and the account of its pair: it changes the rate u to sqrt(u^2 - 2 A D).
static double repay(carom_switching *switching, int i, double debt, const carom_level *level) {
    const carom_contact *contact = &switching->slabs->model->candidates.items[switching->watched.candidate[i]];
    double u = rate_at(switching, contact, level), softness = switching->watched.softness[i];
    double *account = carom_debts_account(&switching->debts, contact->body);
    double energy = debt + (account ? *account : 0);
    double speed = fmin(sqrt(fmax(0, u * u - 2 * softness * energy)), max_rate_ratio * fabs(u));
    energy -= 0.5 * (u * u - speed * speed) / softness;
    if (account) {
        *account = energy;
        carom_debts_note_size(&switching->debts, energy);
    } else {
        carom_debts_drop(&switching->debts, energy);
    }
    double lambda = (copysign(speed, u) - u) / softness;
    for (int k = 0; k < contact->count; k++)
        carom_add_scaled(lambda * contact->weight[k], contact->normal, switching->impulse[contact->node[k]]);
    return lambda;
}

// Finds the impulses of the present level, and records a hit for each ghost that closed or opened in the slab before it.
static int answer(carom_switching *switching, carom_state *state, const carom_level *from) {
    const carom_slabs *slabs = switching->slabs;
    int count = 0;
    for (int i = 0; i < switching->watched.count; i++) {
        int candidate = switching->watched.candidate[i];
        double debt = debt_of(slabs, candidate, from), before = gap_before(slabs, candidate, from);
        switching->lambda[i] = 0;
        if (debt == 0)
            continue;
        if (!count++)
            memset(switching->impulse, 0, (size_t)slabs->model->node_count * sizeof *switching->impulse);
        double lambda = repay(switching, i, debt, from), now = carom_slabs_gap(slabs, candidate, from);
        carom_hit hit = carom_slabs_hit(slabs, candidate, lambda, from);
        hit.time = from->time - from->h * now / (now - before);
        carom_ledger_record_hits(state, slabs->observer, &hit, 1, 0, state->step + 1);
        switching->lambda[i] = lambda;
    }
    return count;
}

void carom_switching_step(carom_switching *switching, carom_state *state, const carom_level *from, double h) {
    const carom_slabs *slabs = switching->slabs;
    int count = answer(switching, state, from);
    carom_slabs_advance(slabs, from, h, &switching->end);
    for (int i = 0; count && i < switching->watched.count; i++) {
        const carom_contact *contact = &slabs->model->candidates.items[switching->watched.candidate[i]];
        for (int k = 0; switching->lambda[i] != 0 && k < contact->count; k++)
            carom_slabs_push_node(slabs, from, h, contact->node[k], switching->impulse[contact->node[k]], &switching->end);
    }
    carom_slabs_book(slabs, state, from, &switching->end, switching->watched.count, switching->watched.candidate,
                     switching->lambda);

    // ghosts with a negative gap are closed from the new level on
    for (int i = 0; i < switching->watched.count; i++)
        slabs->closed[switching->watched.candidate[i]] =
            carom_slabs_gap(slabs, switching->watched.candidate[i], &switching->end) < 0;
}

void carom_switching_start(carom_switching *switching, const carom_level *now, double h) {
    const carom_model *model = switching->slabs->model;
    carom_sum sum = {0};
    // E - E_s at a level is (h^2/8) f.M^-1 f
    for (int k = 0; k < model->node_count; k++) {
        double force[3];
        carom_copy(now->force[k], force);
        carom_restraints_project(&model->restraints, k, force);
        carom_sum_add(&sum, 0.125 * h * h * carom_dot(force, force) / model->mass[k]);
    }
    *switching->oscillation = carom_sum_value(&sum);
}

void carom_switching_measure(const carom_switching *switching, const carom_level *before, const carom_level *now,
                             carom_ledger_row *row) {
    const carom_slabs *slabs = switching->slabs;
    if (now->h == 0)
        return;
    double then = carom_slabs_internal(slabs, before) + carom_slabs_external(slabs, before);
    double here = carom_slabs_internal(slabs, now) + carom_slabs_external(slabs, now);
    carom_sum sum = {0};
    carom_sum_add(&sum, 0.5 * then);
    carom_sum_add(&sum, -0.5 * here);
    for (int k = 0; k < slabs->model->node_count; k++)
        carom_sum_add(&sum, -0.5 * now->h * carom_dot(now->w[k], now->force[k]));
    // the impulses of this level correct the errors of switches in the last slab
    for (int i = 0; i < switching->watched.count; i++)
        carom_sum_add(&sum, debt_of(slabs, switching->watched.candidate[i], now));
    row->oscillation = carom_sum_value(&sum) - *switching->oscillation;
    row->account = carom_debts_open(&switching->debts);
    row->largest_account = carom_debts_largest(&switching->debts);
}
