// SPDX-License-Identifier: MIT
// Gathers vectors of the contact nodes of all subdomains in the contact space of each process (space_link.h).
#include "model/parts/space_link.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "model/collective.h"

// Allocates the link and lists the contact nodes of this process.
static carom_status list_mine(const carom_model *part, carom_space_link *link, carom_error *error) {
    const int n = part->part.space->node_count;
    for (int k = 0; k < part->part.owned_count; k++)
        link->count += part->part.in_space[k] >= 0;
    link->arena = carom_arena_create();
    bool enough = link->arena;
    link->mine = carom_arena_reserve(link->arena, link->count, sizeof *link->mine, &enough);
    link->local = carom_arena_reserve(link->arena, n, sizeof *link->local, &enough);
    link->place = carom_arena_reserve(link->arena, n, sizeof *link->place, &enough);
    link->sent = carom_arena_reserve(link->arena, 3 * CAROM_SPACE_TOGETHER * (int64_t)link->count, sizeof(double), &enough);
    link->received = carom_arena_reserve(link->arena, 3 * CAROM_SPACE_TOGETHER * (int64_t)n, sizeof(double), &enough);
    link->x = carom_arena_reserve(link->arena, n, sizeof *link->x, &enough);
    if (!enough)
        return carom_no_memory(error, "the nodes of contact");
    for (int k = 0; k < n; k++)
        link->local[k] = -1;
    for (int k = 0, i = 0; k < part->part.owned_count; k++) {
        if (part->part.in_space[k] < 0)
            continue;
        link->mine[i++] = k;
        link->local[part->part.in_space[k]] = k;
    }
    return CAROM_OK;
}

carom_status carom_space_link_create(const carom_model *part, carom_space_link **link, carom_error *error) {
    carom_space_link *made = carom_allocate(1, sizeof *made);
    *link = made;
    carom_status status = made ? list_mine(part, made, error) : carom_no_memory(error, "the nodes of contact");
    status = CAROM_PARALLEL_AGREE(status, error);
    if (!status)
        status = carom_shares_create(made->count, &made->shares, error);
    if (status) {
        carom_space_link_release(made);
        *link = NULL;
        return status;
    }
    int *numbers = (int *)made->sent;
    for (int i = 0; i < made->count; i++)
        numbers[i] = part->part.in_space[made->mine[i]];
    carom_parallel_gather_all(&made->shares, numbers, sizeof *numbers, made->place);
    return CAROM_OK;
}

void carom_space_link_release(carom_space_link *link) {
    if (!link)
        return;
    carom_arena_release(link->arena);
    carom_shares_release(&link->shares);
    free(link);
}

void carom_space_gather(const carom_model *part, int count, const double (*const *mine)[3], double (*const *all)[3]) {
    const carom_space_link *link = part->part.link;
    const int n = part->part.space->node_count;
    for (int i = 0; i < link->count; i++)
        for (int a = 0; a < count; a++)
            memcpy(link->sent + 3 * ((ptrdiff_t)count * i + a), mine[a][link->mine[i]], sizeof *mine[a]);
    carom_parallel_gather_all(&link->shares, link->sent, 3 * sizeof(double) * (size_t)count, link->received);
    for (int i = 0; i < n; i++)
        for (int a = 0; a < count; a++)
            memcpy(all[a][link->place[i]], link->received + 3 * ((ptrdiff_t)count * i + a), sizeof *all[a]);
}

const double (*carom_space_positions(const carom_model *model, const double (*x)[3]))[3] {
    if (!carom_model_is_subdomain(model))
        return x;
    carom_vectors all = model->part.link->x;
    carom_space_gather(model, 1, &x, &all);
    return (carom_const_vectors)all;
}

// Bytes per process that are exchanged at once (carom_part.agree_buffer).
enum { AGREE_BYTES = 256 };

carom_status carom_subdomain_connect(carom_model *part, const carom_model *space, carom_error *error) {
    carom_part *p = &part->part;
    p->space = space;
    p->agree_buffer = carom_arena_allocate(part->arena, (int64_t)carom_parallel_size() * AGREE_BYTES, 1);
    carom_status status = p->agree_buffer ? CAROM_OK : carom_no_memory(error, "the messages of processes");
    status = CAROM_PARALLEL_AGREE(status, error);
    int ghosts = part->node_count - p->owned_count;
    if (!status)
        status = carom_halo_create(p->owned_count, ghosts, p->ghost_owner, p->ghost_place, 3, &p->halo, error);
    return status ? status : carom_space_link_create(part, &p->link, error);
}

void carom_subdomain_disconnect(carom_model *part) {
    if (!part)
        return;
    carom_halo_release(part->part.halo);
    carom_space_link_release(part->part.link);
    part->part.halo = NULL;
    part->part.link = NULL;
}
