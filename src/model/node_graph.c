// SPDX-License-Identifier: MIT
// Builds the adjacency graph of nodes, in two passes over the elements of each node: the first counts neighbours, the second
// writes them. A node is a new neighbour unless it has the mark of the current node.
#include "model/node_graph.h"

#include <stdlib.h>

#include "base/allocate.h"

// The elements of each node: those of node k are begin[k] to begin[k + 1] - 1.
typedef struct stars {
    int64_t *begin;
    const int **nodes; // nodes of each element, and
    int *size;         // their number
} stars;

static bool find_stars(const carom_model *model, carom_arena *arena, stars *s) {
    bool enough = arena;
    s->begin = carom_arena_reserve(arena, (int64_t)model->node_count + 1, sizeof *s->begin, &enough);
    s->nodes = carom_arena_reserve(arena, model->element_node_count, sizeof *s->nodes, &enough);
    s->size = carom_arena_reserve(arena, model->element_node_count, sizeof *s->size, &enough);
    int64_t *next = carom_arena_reserve(arena, model->node_count, sizeof *next, &enough);
    for (int b = 0; enough && b < model->block_count; b++)
        for (int64_t i = 0; i < (int64_t)model->blocks[b].count * model->blocks[b].node_count; i++)
            s->begin[model->blocks[b].nodes[i] + 1]++;
    for (int k = 0; enough && k < model->node_count; k++) {
        s->begin[k + 1] += s->begin[k];
        next[k] = s->begin[k];
    }
    for (int b = 0; enough && b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        for (int64_t i = 0; i < (int64_t)block->count * block->node_count; i++) {
            int64_t place = next[block->nodes[i]]++;
            s->nodes[place] = block->nodes + i / block->node_count * block->node_count;
            s->size[place] = block->node_count;
        }
    }
    return enough;
}

// Writes the neighbours of node k, or only counts them if `place` is NULL.
static int64_t list(const stars *s, int k, int *mark, int *place) {
    int64_t count = 0;
    mark[k] = k;
    for (int64_t i = s->begin[k]; i < s->begin[k + 1]; i++)
        for (int a = 0; a < s->size[i]; a++) {
            int other = s->nodes[i][a];
            if (mark[other] == k)
                continue;
            mark[other] = k;
            if (place)
                place[count] = other;
            count++;
        }
    return count;
}

static bool create(const carom_model *model, const stars *s, int *mark, carom_node_graph *graph) {
    int n = model->node_count;
    graph->begin = carom_allocate((int64_t)n + 1, sizeof *graph->begin);
    if (!graph->begin)
        return false;
    for (int k = 0; k < n; k++)
        mark[k] = -1;
    for (int k = 0; k < n; k++)
        graph->begin[k + 1] = graph->begin[k] + list(s, k, mark, NULL);
    graph->neighbour = carom_allocate(graph->begin[n], sizeof *graph->neighbour);
    if (!graph->neighbour)
        return false;
    for (int k = 0; k < n; k++)
        mark[k] = -1;
    for (int k = 0; k < n; k++)
        list(s, k, mark, graph->neighbour + graph->begin[k]);
    return true;
}

carom_status carom_node_graph_create(const carom_model *model, carom_node_graph *graph, carom_error *error) {
    *graph = (carom_node_graph){0};
    stars s = {0};
    carom_arena *arena = carom_arena_create();
    int *mark = arena ? carom_arena_allocate(arena, model->node_count, sizeof *mark) : NULL;
    bool enough = mark && find_stars(model, arena, &s) && create(model, &s, mark, graph);
    carom_arena_release(arena);
    return enough ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "no memory for the graph of %d nodes", model->node_count);
}

void carom_node_graph_release(carom_node_graph *graph) {
    free(graph->begin);
    free(graph->neighbour);
    *graph = (carom_node_graph){0};
}
