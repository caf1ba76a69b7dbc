// SPDX-License-Identifier: MIT
// The energy H of the motion of each group of bodies that can touch, at a time level: stored energy, and node by node the
// products of velocities of energy_target.h.
#include "integrator/multisymplectic/energy_target.h"

#include <string.h>

#include "base/allocate.h"
#include "base/arena.h"
#include "math/sum.h"
#include "math/vec3.h"
#include "model/forces/forces.h"
#include "model/model.h"

// Finds the groups of bodies linked by contacts. There are few candidates: sweeps are repeated until nothing changes.
static void find_groups(const carom_model *model, int *group) {
    for (int b = 0; b < model->body_count; b++)
        group[b] = b;
    for (bool changed = true; changed;) {
        changed = false;
        for (int c = 0; c < model->candidates.count; c++) {
            const int *body = model->candidates.items[c].body;
            if (body[0] < 0 || body[1] < 0 || group[body[0]] == group[body[1]])
                continue;
            int less = group[body[0]] < group[body[1]] ? group[body[0]] : group[body[1]];
            group[body[0]] = group[body[1]] = less;
            changed = true;
        }
    }
}

carom_status carom_energy_target_create(const carom_slabs *slabs, carom_state *state, carom_energy_target *target,
                                        carom_error *error) {
    int bodies = slabs->model->body_count;
    *target = (carom_energy_target){
        .slabs = slabs,
        .start = carom_state_add_silent(state, "start energies", bodies),
    };
    bool enough = target->start;
    target->group = carom_arena_reserve(slabs->memory, bodies, sizeof *target->group, &enough);
    target->excess = carom_arena_reserve(slabs->memory, bodies, sizeof *target->excess, &enough);
    if (!enough)
        return carom_no_memory(error, "contact");
    find_groups(slabs->model, target->group);
    return CAROM_OK;
}

// Half of the mass times the velocities before and after a level.
static double product(double mass, double w, double force, double before, double after) {
    double a = force / mass;
    return 0.5 * mass * (w + after * a) * (w + before * a);
}

// Kinetic energy and potential of loads of one node. In restrained directions it has no velocity, and forces do not act.
static double energy_of_node(const carom_model *model, const carom_level *level, double h, int k) {
    double after = 0.5 * (level->h + h), before = 0.5 * (level->h - h), sum = 0, force[3];
    const carom_restraint *r = carom_restraint_of(&model->restraints, k);
    bool framed = carom_model_has_frame(model, k);
    carom_copy(level->force[k], force);
    // restrained nodes of beams have no velocity at all
    if (r && framed)
        memset(force, 0, sizeof force);
    else if (r)
        carom_restraint_project(r, force);
    for (int i = 0; i < 3; i++) {
        sum += product(model->mass[k], level->w[k][i], force[i], before, after);
        if (framed)
            sum += product(model->inertia[k][i], level->spin[k][i], r && r->clamped ? 0 : level->moment[k][i], before, after);
        if (model->loaded)
            sum -= model->load[k][i] * (level->x[k][i] - model->X[k][i]);
    }
    return sum;
}

// H of each group, at the index of its first body.
static void measure(const carom_energy_target *target, const carom_level *level, double h, double *energies) {
    const carom_slabs *slabs = target->slabs;
    const carom_model *model = slabs->model;
    memset(energies, 0, (size_t)model->body_count * sizeof *energies);
    for (int b = 0; b < model->body_count; b++) {
        const carom_body *body = &model->bodies[b];
        carom_sum sum = {0};
        for (int i = 0; i < body->block_count; i++) {
            const carom_block *block = &model->blocks[body->block_begin + i];
            carom_block_energy(model, block, (carom_const_vectors)level->x, (const double(*)[3][3])level->R, slabs->energies);
            for (int e = 0; e < block->count; e++)
                carom_sum_add(&sum, slabs->energies[e]);
        }
        for (int k = body->node_begin; k < body->node_begin + body->node_count; k++)
            carom_sum_add(&sum, energy_of_node(model, level, h, k));
        energies[target->group[b]] += carom_sum_value(&sum);
    }
}

void carom_energy_target_start(carom_energy_target *target, const carom_level *now, double h) {
    measure(target, now, h, target->start);
}

void carom_energy_target_measure(carom_energy_target *target, const carom_level *level, double h) {
    measure(target, level, h, target->excess);
    for (int b = 0; b < target->slabs->model->body_count; b++)
        target->excess[b] -= target->start[b];
}

double carom_energy_target_take(carom_energy_target *target, const carom_contact *contact) {
    double *own = &target->excess[target->group[contact->body[0]]], excess = *own;
    *own = 0;
    return excess;
}
