// SPDX-License-Identifier: MIT
// Solves the constraint rows of ties for some of their nodes, the slaves (elimination.h), by Gauss-Jordan elimination, row
// after row: known slave nodes are substituted in the row, the row is solved for a new slave node, and this is substituted in
// the sums of all earlier slaves. Chains of ties (a slave of a slave) are resolved too.
#include "tied/elimination.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/sort.h"

// The preferred slave node is used if its coefficient is at least this fraction of the largest one of its row; otherwise
// weights would be large, and the node with the largest coefficient becomes the slave.
static const double least_coefficient = 1e-3;

// A row depends on others if elimination has reduced its coefficients to less than this fraction of the original ones.
static const double dependent = 1e-9;

// A weighted sum over nodes.
typedef struct sum {
    int count;
    int64_t capacity;
    int *node;
    double *weight;
} sum;

// The elimination of one component (x, y or z).
typedef struct work {
    int node_count;
    sum *of_node;       // per node: x_k = this sum, if it is a slave
    bool *follows;      // per node: it is a slave
    int *used;          // per node: upper bound of the number of sums that contain it
    sum row;            // the present row
    double *dense;      // per node: scratch, zero between calls
    carom_arena *arena; // memory of arrays per node
} work;

static bool put(sum *s, int node, double weight) {
    int64_t capacity = s->capacity;
    int *nodes = carom_grow(s->node, s->count, &capacity, sizeof *nodes);
    if (!nodes)
        return false;
    s->node = nodes;
    double *weights = carom_grow(s->weight, s->count, &s->capacity, sizeof *weights);
    if (!weights)
        return false;
    s->weight = weights;
    nodes[s->count] = node;
    weights[s->count++] = weight;
    return true;
}

// Adds a weight to a node, and the node to the list if it is not in it.
static bool add_dense(work *w, sum *list, int node, double weight) {
    if (w->dense[node] == 0 && !put(list, node, 0))
        return false;
    w->dense[node] += weight;
    // a node whose weights cancel stays in the list: a tiny weight keeps it from being added twice
    if (w->dense[node] == 0)
        w->dense[node] = 5e-324;
    return true;
}

// A sum in which slaves are replaced by their sums.
static bool substitute(work *w, int count, const int *nodes, const double *weights, sum *result) {
    bool enough = true;
    result->count = 0;
    for (int i = 0; i < count && enough; i++) {
        const sum *known = w->follows[nodes[i]] ? &w->of_node[nodes[i]] : NULL;
        if (!known)
            enough = add_dense(w, result, nodes[i], weights[i]);
        for (int j = 0; known && j < known->count && enough; j++)
            enough = add_dense(w, result, known->node[j], weights[i] * known->weight[j]);
    }
    for (int i = 0; i < result->count; i++) {
        result->weight[i] = w->dense[result->node[i]];
        w->dense[result->node[i]] = 0;
    }
    return enough;
}

// Selects the node for which a row is solved: its position in the row; -1 if the row depends on others or has no free node.
static int choose(const sum *row, int preferred, const bool (*held)[3], int c, double scale) {
    double most = 0;
    int best = -1, own = -1;
    for (int i = 0; i < row->count; i++) {
        if (held[row->node[i]][c])
            continue;
        if (row->node[i] == preferred)
            own = i;
        if (fabs(row->weight[i]) > most) {
            most = fabs(row->weight[i]);
            best = i;
        }
    }
    if (most <= dependent * scale)
        return -1;
    return own >= 0 && fabs(row->weight[own]) >= least_coefficient * most ? own : best;
}

// Solves the row for node k: x_k = -(sum over the others)/coefficient.
static bool solve_for(work *w, int place) {
    int k = w->row.node[place];
    double coefficient = w->row.weight[place];
    sum *of = &w->of_node[k];
    for (int i = 0; i < w->row.count; i++) {
        if (i == place || fabs(w->row.weight[i]) < 1e-300)
            continue;
        if (!put(of, w->row.node[i], -w->row.weight[i] / coefficient))
            return false;
        w->used[w->row.node[i]]++;
    }
    w->follows[k] = true;
    return true;
}

// Substitutes a new slave in the sums of all others.
static bool replace(work *w, int k) {
    sum changed = {0};
    bool enough = true;
    for (int a = 0; a < w->node_count && w->used[k] > 0 && enough; a++) {
        if (!w->follows[a] || a == k)
            continue;
        sum *of = &w->of_node[a];
        bool has = false;
        for (int i = 0; i < of->count; i++)
            has = has || of->node[i] == k;
        if (!has)
            continue;
        enough = substitute(w, of->count, of->node, of->weight, &changed);
        of->count = 0;
        for (int i = 0; i < changed.count && enough; i++) {
            enough = put(of, changed.node[i], changed.weight[i]);
            w->used[changed.node[i]]++;
        }
    }
    free(changed.node);
    free(changed.weight);
    return enough;
}

static bool eliminate(work *w, const carom_tie_rows *rows, const bool (*held)[3], int c) {
    for (int r = 0; r < rows->count; r++) {
        int begin = rows->begin[r], count = rows->begin[r + 1] - begin, preferred = rows->node[begin];
        double scale = 0;
        if (!carom_tie_row_is_active(rows, r, held, c))
            continue;
        for (int i = 0; i < count; i++)
            scale = fmax(scale, fabs(rows->weight[begin + i]));
        if (!substitute(w, count, rows->node + begin, rows->weight + begin, &w->row))
            return false;
        int place = choose(&w->row, preferred, held, c, scale);
        if (place < 0)
            continue;
        int k = w->row.node[place];
        if (!solve_for(w, place) || !replace(w, k))
            return false;
    }
    return true;
}

static bool open_work(work *w, int node_count) {
    bool enough = carom_arena_renew(&w->arena);
    w->node_count = node_count;
    w->of_node = carom_arena_reserve(w->arena, node_count, sizeof *w->of_node, &enough);
    w->follows = carom_arena_reserve(w->arena, node_count, sizeof *w->follows, &enough);
    w->used = carom_arena_reserve(w->arena, node_count, sizeof *w->used, &enough);
    w->dense = carom_arena_reserve(w->arena, node_count, sizeof *w->dense, &enough);
    return enough;
}

static void close_work(work *w) {
    for (int k = 0; w->of_node && k < w->node_count; k++) {
        free(w->of_node[k].node);
        free(w->of_node[k].weight);
    }
    free(w->row.node);
    free(w->row.weight);
    carom_arena_release(w->arena);
}

// Lists the masters of a slave in any component, ascending and without duplicates; returns their number.
static int list_leaders(const work w[3], int k, int *leaders) {
    int count = 0;
    for (int c = 0; c < 3; c++)
        for (int i = 0; w[c].follows[k] && i < w[c].of_node[k].count; i++)
            leaders[count++] = w[c].of_node[k].node[i];
    return carom_sort_once(leaders, count);
}

static void copy_weights(const work w[3], int k, int i, carom_elimination *e) {
    for (int c = 0; c < 3; c++) {
        e->follows[i][c] = w[c].follows[k];
        const sum *of = &w[c].of_node[k];
        for (int j = 0; w[c].follows[k] && j < of->count; j++)
            for (int l = e->begin[i]; l < e->begin[i + 1]; l++)
                if (e->leader[l] == of->node[j])
                    e->weight[l][c] = of->weight[j];
    }
}

static bool collect(const work w[3], int node_count, carom_arena *arena, carom_elimination *e) {
    int64_t entries = 0;
    for (int k = 0; k < node_count; k++) {
        bool any = w[0].follows[k] || w[1].follows[k] || w[2].follows[k];
        e->count += any;
        for (int c = 0; c < 3; c++)
            entries += w[c].follows[k] ? w[c].of_node[k].count : 0;
    }
    bool enough = true;
    e->node = carom_arena_reserve(arena, e->count, sizeof *e->node, &enough);
    e->follows = carom_arena_reserve(arena, e->count, sizeof *e->follows, &enough);
    e->begin = carom_arena_reserve(arena, (int64_t)e->count + 1, sizeof *e->begin, &enough);
    e->leader = carom_arena_reserve(arena, entries, sizeof *e->leader, &enough);
    e->weight = carom_arena_reserve(arena, entries, sizeof *e->weight, &enough);
    e->of_node = carom_arena_reserve(arena, node_count, sizeof *e->of_node, &enough);
    for (int k = 0, i = 0; k < node_count && enough; k++) {
        e->of_node[k] = -1;
        if (!w[0].follows[k] && !w[1].follows[k] && !w[2].follows[k])
            continue;
        e->node[i] = k;
        e->of_node[k] = i;
        e->begin[i + 1] = e->begin[i] + list_leaders(w, k, e->leader + e->begin[i]);
        copy_weights(w, k, i, e);
        i++;
    }
    return enough;
}

carom_status carom_elimination_create(const carom_tie_rows *rows, int node_count, const bool (*held)[3], carom_arena *arena,
                                      carom_elimination *elimination, carom_error *error) {
    work w[3] = {{0}};
    *elimination = (carom_elimination){0};
    bool enough = true;
    for (int c = 0; c < 3 && enough; c++)
        enough = open_work(&w[c], node_count) && eliminate(&w[c], rows, held, c);
    enough = enough && collect(w, node_count, arena, elimination);
    for (int c = 0; c < 3; c++)
        close_work(&w[c]);
    return enough ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "no memory for the ties");
}

void carom_elimination_apply(const carom_elimination *e, double (*x)[3]) {
    for (int i = 0; i < e->count; i++)
        for (int c = 0; c < 3; c++) {
            double at = 0;
            for (int l = e->begin[i]; l < e->begin[i + 1]; l++)
                at += e->weight[l][c] * x[e->leader[l]][c];
            if (e->follows[i][c])
                x[e->node[i]][c] = at;
        }
}

void carom_elimination_fold(const carom_elimination *e, double (*force)[3]) {
    for (int i = 0; i < e->count; i++)
        for (int c = 0; c < 3; c++) {
            if (!e->follows[i][c])
                continue;
            for (int l = e->begin[i]; l < e->begin[i + 1]; l++)
                force[e->leader[l]][c] += e->weight[l][c] * force[e->node[i]][c];
            force[e->node[i]][c] = 0;
        }
}
