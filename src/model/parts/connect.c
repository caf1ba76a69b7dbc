// SPDX-License-Identifier: MIT
#include "base/no_memory.h"
#include "model/collective.h"
#include "model/parts/space_link.h"

// Bytes of each process that are compared at once (carom_part.room).
enum { WORDS = 256 };

carom_status carom_part_connect(carom_model *part, const carom_model *space, carom_error *error) {
    carom_part *p = &part->part;
    p->space = space;
    p->room = carom_arena_allocate(part->arena, (int64_t)carom_parallel_size() * WORDS, 1);
    carom_status status = p->room ? CAROM_OK : carom_no_memory(error, "the words of processes");
    status = carom_parallel_agree(status, error);
    int ghosts = part->node_count - p->owned_count;
    if (!status)
        status = carom_halo_create(p->owned_count, ghosts, p->ghost_owner, p->ghost_place, 3, &p->halo, error);
    return status ? status : carom_space_link_create(part, &p->link, error);
}

void carom_part_disconnect(carom_model *part) {
    if (!part)
        return;
    carom_halo_release(part->part.halo);
    carom_space_link_release(part->part.link);
    part->part.halo = NULL;
    part->part.link = NULL;
}
