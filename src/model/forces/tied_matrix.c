// SPDX-License-Identifier: MIT
// Adds element matrices K with slave nodes, whose displacements ties prescribe, to a matrix over the remaining nodes
// (tied_matrix.h): expansion of the pattern by the master nodes, and the entries T^T K T - K.
#include "model/forces/tied_matrix.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "model/model.h"

int carom_tied_buffer(const carom_elimination *e, int n, const int *nodes) {
    int capacity = n;
    for (int a = 0; a < n; a++) {
        int i = e->of_node[nodes[a]];
        capacity += i < 0 ? 0 : e->begin[i + 1] - e->begin[i];
    }
    return capacity;
}

static int ascending(const void *a, const void *b) {
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

int carom_tied_expand(const carom_elimination *e, int n, const int *nodes, int *expanded) {
    int count = 0, kept = 0;
    for (int a = 0; a < n; a++) {
        int i = e->of_node[nodes[a]];
        expanded[count++] = nodes[a];
        for (int l = i < 0 ? 0 : e->begin[i]; i >= 0 && l < e->begin[i + 1]; l++)
            expanded[count++] = e->leader[l];
    }
    qsort(expanded, (size_t)count, sizeof *expanded, ascending);
    for (int i = 0; i < count; i++)
        if (i == 0 || expanded[i] != expanded[i - 1])
            expanded[kept++] = expanded[i];
    return kept;
}

static bool has_follower(const carom_elimination *e, int n, const int *nodes) {
    for (int a = 0; a < n; a++)
        if (e->of_node[nodes[a]] >= 0)
            return true;
    return false;
}

// Counts the tied elements in their order; lists them if there is an array.
static int list_elements(const carom_model *model, const carom_elimination *e, carom_tied_elements *tied, int *most) {
    int count = 0;
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        int n = block->node_count;
        if (tied->begin)
            tied->begin[b] = count;
        for (int i = 0; i < block->count; i++) {
            const int *nodes = block->nodes + (ptrdiff_t)i * n;
            if (!has_follower(e, n, nodes))
                continue;
            int capacity = carom_tied_buffer(e, n, nodes);
            *most = capacity > *most ? capacity : *most;
            if (tied->element)
                tied->element[count] = i;
            count++;
        }
    }
    if (tied->begin)
        tied->begin[model->block_count] = count;
    return count;
}

carom_status carom_tied_elements_create(const carom_model *model, carom_tied_elements *tied, carom_error *error) {
    const carom_elimination *e = &model->ties.elimination;
    *tied = (carom_tied_elements){0};
    if (!e->count)
        return CAROM_OK;
    tied->elimination = e;
    int capacity = 0, size = 0, count = list_elements(model, e, tied, &capacity);
    tied->begin = carom_allocate((int64_t)model->block_count + 1, sizeof *tied->begin);
    tied->element = carom_allocate(count, sizeof *tied->element);
    int *all = carom_allocate((int64_t)count * capacity, sizeof *all);
    if (!tied->begin || !tied->element || !all) {
        free(all);
        return carom_no_memory(error, "the ties");
    }
    list_elements(model, e, tied, &capacity);
    int *sizes = carom_allocate(count, sizeof *sizes);
    for (int b = 0; sizes && b < model->block_count; b++)
        for (int i = tied->begin[b]; i < tied->begin[b + 1]; i++) {
            const carom_block *block = &model->blocks[b];
            sizes[i] = carom_tied_expand(e, block->node_count, block->nodes + (ptrdiff_t)tied->element[i] * block->node_count,
                                         all + (ptrdiff_t)i * capacity);
            size = sizes[i] > size ? sizes[i] : size;
        }
    tied->nodes = carom_allocate((int64_t)count * size, sizeof *tied->nodes);
    for (int i = 0; sizes && tied->nodes && i < count; i++)
        for (int a = 0; a < size; a++)
            tied->nodes[(ptrdiff_t)i * size + a] = all[(ptrdiff_t)i * capacity + (a < sizes[i] ? a : sizes[i] - 1)];
    tied->cliques = (carom_cliques){count, size, tied->nodes};
    bool enough = sizes && tied->nodes;
    free(sizes);
    free(all);
    return enough ? CAROM_OK : carom_no_memory(error, "the ties");
}

void carom_tied_elements_release(carom_tied_elements *tied) {
    free(tied->begin);
    free(tied->element);
    free(tied->nodes);
    *tied = (carom_tied_elements){0};
}

static int place_of(const int *expanded, int count, int node) {
    const int *found = bsearch(&node, expanded, (size_t)count, sizeof *expanded, ascending);
    return (int)(found - expanded);
}

// The components that replace one component of a node: itself, or its masters with their weights.
typedef struct stand {
    int count;
    bool follows;
    int *place; // in the expanded matrix
    double *weight;
} stand;

static void find_stand(const carom_elimination *e, int node, int c, const int *expanded, int m, stand *s) {
    int i = e->of_node[node];
    s->follows = i >= 0 && e->follows[i][c];
    s->count = 0;
    if (!s->follows) {
        s->place[0] = 3 * place_of(expanded, m, node) + c;
        s->weight[0] = 1;
        s->count = 1;
        return;
    }
    for (int l = e->begin[i]; l < e->begin[i + 1]; l++) {
        if (e->weight[l][c] == 0)
            continue;
        s->place[s->count] = 3 * place_of(expanded, m, e->leader[l]) + c;
        s->weight[s->count++] = e->weight[l][c];
    }
}

static void spread(const stand *stands, int dofs, const double *K, int size, double *dense) {
    for (int i = 0; i < dofs; i++)
        for (int j = 0; j < dofs; j++) {
            if (!stands[i].follows && !stands[j].follows)
                continue;
            for (int a = 0; a < stands[i].count; a++)
                for (int b = 0; b < stands[j].count; b++)
                    dense[(ptrdiff_t)size * stands[i].place[a] + stands[j].place[b]] +=
                        stands[i].weight[a] * stands[j].weight[b] * K[dofs * i + j];
        }
}

bool carom_tied_add(const carom_elimination *e, int n, const int *nodes, double factor, const double *K, carom_sparse *matrix) {
    if (!has_follower(e, n, nodes))
        return true;
    int capacity = carom_tied_buffer(e, n, nodes), dofs = 3 * n;
    int *expanded = carom_allocate(capacity, sizeof *expanded);
    stand *stands = carom_allocate(dofs, sizeof *stands);
    int *places = carom_allocate((int64_t)dofs * capacity, sizeof *places);
    double *weights = carom_allocate((int64_t)dofs * capacity, sizeof *weights), *dense = NULL;
    bool enough = expanded && stands && places && weights;
    int m = enough ? carom_tied_expand(e, n, nodes, expanded) : 0;
    if (enough)
        dense = carom_allocate((int64_t)9 * m * m, sizeof *dense);
    for (int i = 0; dense && i < dofs; i++) {
        stands[i] = (stand){.place = places + (ptrdiff_t)i * capacity, .weight = weights + (ptrdiff_t)i * capacity};
        find_stand(e, nodes[i / 3], i % 3, expanded, m, &stands[i]);
    }
    if (dense) {
        spread(stands, dofs, K, 3 * m, dense);
        carom_sparse_add_one(matrix, m, expanded, factor, dense);
    }
    enough = dense != NULL;
    free(expanded);
    free(stands);
    free(places);
    free(weights);
    free(dense);
    return enough;
}

bool carom_tied_add_diagonal(const carom_elimination *e, const double *diagonal, carom_sparse *matrix) {
    static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    bool enough = true;
    for (int i = 0; i < e->count && enough; i++)
        enough = carom_tied_add(e, 1, &e->node[i], diagonal[e->node[i]], unit, matrix);
    return enough;
}

bool carom_tied_keeps(const carom_tied_elements *tied, const carom_sparse *matrix, int block, int begin, int end) {
    for (int i = tied->begin ? tied->begin[block] : 0; tied->begin && i < tied->begin[block + 1]; i++)
        if (tied->element[i] >= begin && tied->element[i] < end &&
            carom_sparse_keeps(matrix, tied->cliques.node_count, tied->nodes + (ptrdiff_t)i * tied->cliques.node_count))
            return true;
    return false;
}
