// SPDX-License-Identifier: MIT
// Lists for each node of a surface the pairs of features that contain it (pair_list.h), by counting sort. Only surface vertices
// are visited: a body has many times more nodes.
#include "contact/broad/pair_list.h"

#include "base/pieces.h"
#include "carom/threads.h"

enum {
    BLOCKS = 256,           // portions of the vertices; fixed, so that results do not depend on the number of threads
    PARALLEL_PAIRS = 16384, // with fewer, waking threads costs more than it saves
    ATOMIC_THREADS = 8      // with fewer, atomic operations, about five times slower, cost more than threads save
};

// Insertion sort of a short list, ascending.
static void sort_numbers(int *numbers, int count) {
    for (int i = 1; i < count; i++) {
        int next = numbers[i], place = i;
        for (; place > 0 && numbers[place - 1] > next; place--)
            numbers[place] = numbers[place - 1];
        numbers[place] = next;
    }
}

// Sets the beginnings of the rows of some vertices, from `place` on. `end` of a row is its length before, and its begin after.
// Returns the place after these rows.
static int place_rows(const carom_surface *s, carom_pair_list *list, int from, int to, int place) {
    for (int v = from; v < to; v++) {
        carom_pair_row *row = &list->rows[s->vertices[v]];
        int length = row->end;
        row->begin = row->end = place;
        place += length;
    }
    return place;
}

// The same for all vertices by all threads.
static void place_rows_shared(const carom_surface *s, carom_pair_list *list) {
    int places[BLOCKS + 1] = {0}, count = s->vertex_count;
#pragma omp parallel for schedule(static)
    for (int k = 0; k < BLOCKS; k++) {
        int sum = 0;
        for (int v = carom_portion_begin(count, k, BLOCKS); v < carom_portion_begin(count, k + 1, BLOCKS); v++)
            sum += list->rows[s->vertices[v]].end;
        places[k + 1] = sum;
    }
    for (int k = 0; k < BLOCKS; k++)
        places[k + 1] += places[k];
#pragma omp parallel for schedule(static)
    for (int k = 0; k < BLOCKS; k++)
        place_rows(s, list, carom_portion_begin(count, k, BLOCKS), carom_portion_begin(count, k + 1, BLOCKS), places[k]);
}

// Links by all threads: rows are filled in any order and then sorted.
static void link_shared(const carom_surface *s, carom_pair_list *list, int uses) {
    carom_pair_row *rows = list->rows;
#pragma omp parallel for schedule(static)
    for (int v = 0; v < s->vertex_count; v++)
        rows[s->vertices[v]] = (carom_pair_row){0};
#pragma omp parallel for schedule(static)
    for (int i = 0; i < list->count; i++)
        for (int k = 0; k < uses; k++) {
#pragma omp atomic
            rows[list->nodes[i][k]].end++;
        }
    place_rows_shared(s, list);
#pragma omp parallel for schedule(static)
    for (int i = 0; i < list->count; i++)
        for (int k = 0; k < uses; k++) {
            int place;
#pragma omp atomic capture
            place = rows[list->nodes[i][k]].end++;
            list->of_node[place] = i;
        }
#pragma omp parallel for schedule(static)
    for (int v = 0; v < s->vertex_count; v++) {
        carom_pair_row row = rows[s->vertices[v]];
        sort_numbers(list->of_node + row.begin, row.end - row.begin);
    }
}

void carom_pair_list_link(const carom_surface *s, carom_pair_list *list) {
    // a node-segment pair has three nodes
    int uses = s->corners == 2 ? 3 : 4;
    carom_pair_row *rows = list->rows;
    if (list->count > PARALLEL_PAIRS && carom_threads() >= ATOMIC_THREADS) {
        link_shared(s, list, uses);
        return;
    }
    for (int v = 0; v < s->vertex_count; v++)
        rows[s->vertices[v]] = (carom_pair_row){0};
    for (int i = 0; i < list->count; i++)
        for (int k = 0; k < uses; k++)
            rows[list->nodes[i][k]].end++;
    place_rows(s, list, 0, s->vertex_count, 0);
    for (int i = 0; i < list->count; i++)
        for (int k = 0; k < uses; k++)
            list->of_node[rows[list->nodes[i][k]].end++] = i;
}
