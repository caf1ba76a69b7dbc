// SPDX-License-Identifier: MIT
// Builds the coupling pattern of a sparse matrix (couplings.h), node by node, from cliques (sets of nodes that are all coupled
// with each other, such as those of an element) and an older pattern.
#include "solver/couplings.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/sort.h"

void carom_couplings_release(carom_couplings *g) {
    free(g->first);
    free(g->neighbour);
    free(g->where);
    *g = (carom_couplings){0};
}

// For every node the cliques it belongs to: item i of node k is clique in[begin[k] + i].
typedef struct incidence {
    int64_t *begin;
    int *in;
} incidence;

static bool find_incidence(int node_count, const carom_cliques *set, incidence *of) {
    int64_t total = (int64_t)set->count * set->node_count;
    of->begin = carom_allocate((int64_t)node_count + 1, sizeof *of->begin);
    of->in = carom_allocate(total, sizeof *of->in);
    int64_t *next = carom_allocate(node_count, sizeof *next);
    if (!of->begin || !of->in || !next) {
        free(next);
        return false;
    }
    // A counting sort of the cliques by their nodes. The cliques of each node come out in ascending order.
    for (int64_t i = 0; i < total; i++)
        of->begin[set->nodes[i] + 1]++;
    for (int k = 0; k < node_count; k++) {
        next[k] = of->begin[k];
        of->begin[k + 1] += of->begin[k];
    }
    for (int64_t i = 0; i < total; i++)
        of->in[next[set->nodes[i]]++] = (int)(i / set->node_count);
    free(next);
    return true;
}

// Collects the neighbours of node k into `list` (if not NULL), each once; returns their number. Nodes that have been found are
// marked by `stamp`.
static int collect(int k, const carom_couplings *old, int set_count, const carom_cliques *sets, const incidence *of,
                   int64_t *mark, int64_t stamp, int *list) {
    int count = 0;
    // every node is coupled with itself
    mark[k] = stamp;
    if (list)
        list[count] = k;
    count++;
    // Couplings of the old pattern stay, so that a pattern only grows.
    for (int64_t i = old->first ? old->first[k] : 0; old->first && i < old->first[k + 1]; i++)
        if (mark[old->neighbour[i]] != stamp) {
            mark[old->neighbour[i]] = stamp;
            if (list)
                list[count] = old->neighbour[i];
            count++;
        }
    for (int s = 0; s < set_count; s++)
        for (int64_t i = of[s].begin[k]; i < of[s].begin[k + 1]; i++) {
            const int *nodes = sets[s].nodes + (int64_t)of[s].in[i] * sets[s].node_count;
            for (int b = 0; b < sets[s].node_count; b++)
                if (mark[nodes[b]] != stamp) {
                    mark[nodes[b]] = stamp;
                    if (list)
                        list[count] = nodes[b];
                    count++;
                }
        }
    return count;
}

bool carom_couplings_create(int n, const int (*unknown)[3], const carom_couplings *old, int set_count,
                            const carom_cliques *sets, carom_couplings *g) {
    bool done = false;
    incidence *of = carom_allocate(set_count, sizeof *of);
    int64_t *mark = carom_allocate(n, sizeof *mark);
    *g = (carom_couplings){.first = carom_allocate((int64_t)n + 1, sizeof *g->first)};
    bool ready = of && mark && g->first;
    for (int s = 0; ready && s < set_count; s++)
        ready = find_incidence(n, &sets[s], &of[s]);

    for (int k = 0; ready && k < n; k++)
        // count first, then collect: stamps differ in the two passes, so marks need no clearing
        g->first[k + 1] = g->first[k] + collect(k, old, set_count, sets, of, mark, 2 * (int64_t)k + 1, NULL);
    if (ready) {
        g->neighbour = carom_allocate(g->first[n], sizeof *g->neighbour);
        g->where = carom_allocate(g->first[n], sizeof *g->where);
        done = g->neighbour && g->where;
    }
    for (int k = 0; done && k < n; k++) {
        int *list = g->neighbour + g->first[k];
        int count = (int)(g->first[k + 1] - g->first[k]);
        // most nodes of an extended pattern have the couplings they had
        if (old->first && old->first[k + 1] - old->first[k] == count) {
            memcpy(list, old->neighbour + old->first[k], (size_t)count * sizeof *list);
            memcpy(g->where + g->first[k], old->where + old->first[k], (size_t)count * sizeof *g->where);
            continue;
        }
        collect(k, old, set_count, sets, of, mark, 2 * (int64_t)k + 2, list);
        qsort(list, (size_t)count, sizeof *list, carom_compare_ints);
        // A row lists the unknowns of its neighbours in ascending order of the nodes, and restrained axes take no place.
        for (int i = 0, place = 0; i < count; i++) {
            g->where[g->first[k] + i] = place;
            place += carom_couplings_unknowns(unknown[list[i]]);
        }
    }

    for (int s = 0; of && s < set_count; s++) {
        free(of[s].begin);
        free(of[s].in);
    }
    free(of);
    free(mark);
    if (!done)
        carom_couplings_release(g);
    return done;
}
