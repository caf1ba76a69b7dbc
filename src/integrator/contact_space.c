// SPDX-License-Identifier: MIT
// Positions and velocities of all nodes that contact can move, in each of several processes that share a model: memory, and the
// exchange with the processes that own the nodes.
#include "integrator/contact_space.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "model/collective.h"
#include "model/node_terms.h"
#include "model/parts/space_link.h"

// Nodes above which threads share the loops over them.
enum { SHARED_NODES = 4096 };

carom_status carom_contact_space_create(carom_contact_space *space, const carom_model *part, bool other, carom_error *error) {
    const carom_model *model = part->part.space;
    int n = model->node_count, restraints = model->restraints.count;
    *space = (carom_contact_space){.part = part, .model = model, .generation = -1, .arena = carom_arena_create()};
    bool enough = space->arena;
    space->x = carom_arena_reserve(space->arena, n, sizeof *space->x, &enough);
    space->v = carom_arena_reserve(space->arena, n, sizeof *space->v, &enough);
    space->w = carom_arena_reserve(space->arena, n, sizeof *space->w, &enough);
    space->w_before = carom_arena_reserve(space->arena, n, sizeof *space->w_before, &enough);
    space->start = carom_arena_reserve(space->arena, n, sizeof *space->start, &enough);
    space->end_kick = carom_arena_reserve(space->arena, n, sizeof *space->end_kick, &enough);
    if (other)
        space->other = carom_arena_reserve(space->arena, n, sizeof *space->other, &enough);
    space->here = carom_arena_reserve(space->arena, n, sizeof *space->here, &enough);
    space->restraints = model->restraints;
    space->restraints.items = carom_arena_reserve(space->arena, restraints, sizeof *space->restraints.items, &enough);
    carom_status status = enough ? CAROM_OK : carom_no_memory(error, "contact");
    if (!status)
        status = carom_together_create(&space->together, error);
    status = CAROM_PARALLEL_AGREE(status, error);
    if (status)
        return status;
    if (restraints)
        memcpy(space->restraints.items, model->restraints.items, (size_t)restraints * sizeof *space->restraints.items);
    space->mobility = (carom_mobility){model->mass, &space->restraints, NULL};
    const char *mode = getenv("CAROM_CONTACT");
    space->shares = !mode || strcmp(mode, "replicated") != 0;
    space->together.always = mode && strcmp(mode, "shared") == 0;
    carom_parallel_broadcast(&space->shares, sizeof space->shares);
    carom_parallel_broadcast(&space->together.always, sizeof space->together.always);
    for (int k = 0; k < n; k++)
        space->here[k] = -1;
    for (int k = 0; k < part->node_count; k++)
        if (part->part.in_space[k] >= 0)
            space->here[part->part.in_space[k]] = k;
    return CAROM_OK;
}

void carom_contact_space_release(carom_contact_space *space) {
    carom_together_release(&space->together);
    carom_arena_release(space->arena);
    *space = (carom_contact_space){0};
}

void carom_contact_space_gather(const carom_contact_space *space, const double (*mine)[3], double (*all)[3]) {
    carom_space_gather(space->part, 1, &mine, &all);
}

void carom_contact_space_take(const carom_contact_space *space, const double (*all)[3], double (*mine)[3]) {
    const carom_space_link *link = space->part->part.link;
    for (int i = 0; i < link->count; i++)
        carom_copy(all[space->part->part.in_space[link->mine[i]]], mine[link->mine[i]]);
}

bool carom_contact_space_renew(carom_contact_space *space, const carom_state *state, const double (*w)[3]) {
    if (space->generation == state->generation)
        return false;
    space->generation = state->generation;
    carom_const_vectors mine[3] = {(carom_const_vectors)state->x, (carom_const_vectors)state->v, w};
    carom_space_gather(space->part, 3, mine, (carom_vectors[3]){space->x, space->v, space->w});
    return true;
}

void carom_contact_space_drift_others(const carom_contact_space *space, double h, const double (*w)[3], double (*x)[3]) {
    const carom_part *part = &space->part->part;
#pragma omp parallel for schedule(static) if (part->owned_count > SHARED_NODES)
    for (int k = 0; k < part->owned_count; k++)
        if (part->in_space[k] < 0)
            carom_add_scaled(h, w[k], x[k]);
}

void carom_contact_space_settle(carom_contact_space *space, double after) {
    for (int k = 0; k < space->model->node_count; k++)
        carom_terms_velocity(space->w_before[k], space->w[k], after, space->v[k]);
}
