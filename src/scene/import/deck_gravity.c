// SPDX-License-Identifier: MIT
// Gravity of sets of elements. carom accelerates nodes, so that the gravity of two sets with a common node would act on it
// twice: where the same gravity acts on sets that make up a whole body, it is one load of the body.
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "scene/import/deck.h"

static bool is_same(const carom_deck_row *a, const carom_deck_row *b) {
    return a->kind == CAROM_DECK_GRAVITY && b->kind == CAROM_DECK_GRAVITY && a->value == b->value &&
           memcmp(a->direction, b->direction, sizeof a->direction) == 0 && strcasecmp(a->amplitude, b->amplitude) == 0;
}

static const carom_cell_set *set_of(const carom_deck *deck, const carom_mesh *mesh, const carom_deck_row *row) {
    return carom_deck_find_set(mesh->cell_sets, mesh->cell_set_count, sizeof *mesh->cell_sets,
                               carom_deck_without_instance(deck, row->target));
}

bool carom_deck_gravity_is_whole(carom_deck *deck, const carom_deck_body *body, const carom_deck_row *row, bool *first) {
    const carom_mesh *mesh = &body->mesh;
    bool *marked = calloc((size_t)mesh->blocks[0].count, sizeof *marked);
    if (!marked)
        return carom_deck_no_memory(deck);
    int left = mesh->blocks[0].count;
    *first = true;
    for (int64_t r = 0; r < deck->row_count; r++) {
        const carom_deck_row *other = &deck->rows[r];
        const carom_cell_set *set = is_same(row, other) ? set_of(deck, mesh, other) : NULL;
        *first = *first && !(set && other < row);
        for (int c = 0; set && c < set->count; c++) {
            left -= !marked[set->cells[c]];
            marked[set->cells[c]] = true;
        }
    }
    free(marked);
    return left == 0;
}
