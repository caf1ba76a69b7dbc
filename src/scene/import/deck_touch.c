// SPDX-License-Identifier: MIT
// Finds bodies of a deck with coincident nodes, that is adjacent parts with separate nodes. carom refuses contact between
// bodies that touch at the start, so contact of such pairs is disabled until the user leaves a gap.
#include <stdlib.h>

#include "base/allocate.h"
#include "scene/import/deck.h"

static int compare_points(const void *a, const void *b) {
    const double *x = a, *y = b;
    for (int i = 0; i < 3; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

bool carom_deck_touch(carom_deck *deck, const carom_deck_body *a, const carom_deck_body *b) {
    double(*sorted)[3] = carom_allocate(a->mesh.node_count, sizeof *sorted);
    if (!sorted)
        return carom_deck_no_memory(deck);
    for (int k = 0; k < a->mesh.node_count; k++)
        for (int i = 0; i < 3; i++)
            sorted[k][i] = a->mesh.nodes[k][i];
    qsort(sorted, (size_t)a->mesh.node_count, sizeof *sorted, compare_points);
    bool touch = false;
    for (int k = 0; k < b->mesh.node_count && !touch; k++)
        touch = bsearch(b->mesh.nodes[k], sorted, (size_t)a->mesh.node_count, sizeof *sorted, compare_points) != NULL;
    free(sorted);
    return touch;
}
