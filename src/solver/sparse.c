// SPDX-License-Identifier: MIT
// Assembles a sparse matrix from the small dense matrices of cliques of nodes, such as elements (sparse.h). The pattern is kept
// by nodes: all unknowns of a node have the same couplings. Node k is coupled with neighbour[first[k]] ... in ascending order,
// and where[] says at which place of a row of k the unknowns of that neighbour begin. An entry of a clique thus needs one place
// per pair of nodes, found once: place[e n^2 + a n + b] for the nodes a, b of clique e.
#include "solver/sparse.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "carom/threads.h"
#include "solver/couplings.h"
#include "solver/order.h"

// Minimum number of cliques of a call for a parallel addition. One of eight nodes takes about a microsecond.
enum { PARALLEL_CLIQUES = 128 };

// Minimum number of rows for a parallel pass over the matrix, which then takes some hundred microseconds.
enum { PARALLEL_ROWS = 10000 };

// The arrays of a pattern.
typedef struct layout {
    carom_couplings graph;
    int **place; // per set
    int64_t *row_begin;
    int *column;
    double *value;
    uint64_t pattern;
} layout;

// The cliques of a call of carom_sparse_extend: their number, their nodes each and these nodes, set by set.
typedef struct request {
    int64_t count;
    int *numbers; // NULL: none
} request;

typedef struct carom_sparse_map {
    int node_count;
    const int (*unknown)[3];
    int *owner;               // per unknown: 3 node + axis
    int keep_begin, keep_end; // nodes whose rows are kept
    int row_begin, row_end;   // these rows
    int set_count;
    carom_cliques *sets;
    int **place; // per set
    const double (*positions)[3];
    carom_couplings graph;
    bool extended;
    layout original; // of an extended matrix: that of its sets
    request wish;    // the cliques of its extension; empty if it was extended by more than one call
    layout spare;    // the last extended one, for the same request; empty: none
    request spare_wish;
} carom_sparse_map;

int carom_sparse_number(int node_count, const bool (*is_free)[3], int (*unknown)[3]) {
    int size = 0;
    for (int k = 0; k < node_count; k++)
        for (int c = 0; c < 3; c++)
            unknown[k][c] = is_free[k][c] ? size++ : -1;
    return size;
}

static int first_unknown(const int unknown[3]) {
    return unknown[0] >= 0 ? unknown[0] : unknown[1] >= 0 ? unknown[1] : unknown[2];
}

// The places of the cliques of one set; NULL if memory is short.
static int *find_places(const carom_couplings *g, const carom_cliques *set) {
    int n = set->node_count;
    int *place = carom_allocate((int64_t)set->count * n * n, sizeof *place);
#pragma omp parallel for schedule(static) if (set->count > PARALLEL_CLIQUES)
    for (int e = 0; e < (place ? set->count : 0); e++) {
        const int *nodes = set->nodes + (int64_t)e * n;
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                // All nodes of a clique are coupled with each other, so the search never fails here.
                place[((int64_t)e * n + a) * n + b] = g->where[carom_couplings_find(g, nodes[a], nodes[b])];
    }
    return place;
}

// Rows and columns of the unknowns from the couplings of nodes, with values of zero.
static bool expand(const carom_sparse_map *map, const carom_couplings *g, int size, carom_sparse *to) {
    to->size = size;
    to->row_begin = carom_allocate((int64_t)size + 1, sizeof *to->row_begin);
    if (!to->row_begin)
        return false;
    for (int k = 0; k < map->node_count; k++) {
        int64_t length = 0;
        for (int64_t i = g->first[k]; i < g->first[k + 1]; i++)
            length += carom_couplings_unknowns(map->unknown[g->neighbour[i]]);
        for (int c = 0; c < 3; c++)
            if (map->unknown[k][c] >= 0)
                // all unknowns of a node have rows of the same length
                to->row_begin[map->unknown[k][c] + 1] = length;
    }
    for (int r = 0; r < size; r++)
        to->row_begin[r + 1] += to->row_begin[r];
    to->column = carom_allocate(to->row_begin[size], sizeof *to->column);
    to->value = carom_allocate(to->row_begin[size] + CAROM_SPARSE_PADDING, sizeof *to->value);
    if (!to->column || !to->value)
        return false;
#pragma omp parallel for schedule(static) if (size > PARALLEL_ROWS)
    for (int r = 0; r < size; r++) {
        int k = map->owner[r] / 3;
        int *column = to->column + to->row_begin[r];
        for (int64_t i = g->first[k]; i < g->first[k + 1]; i++)
            for (int c = 0; c < 3; c++)
                if (map->unknown[g->neighbour[i]][c] >= 0)
                    *column++ = map->unknown[g->neighbour[i]][c];
    }
    // Solvers keep their order of elimination as long as the pattern is the same. Rows and couplings of nodes determine all
    // columns, and are nine times shorter.
    to->pattern = carom_hash(carom_hash(CAROM_HASH_START, to->row_begin, ((size_t)size + 1) * sizeof *to->row_begin),
                             g->neighbour, (size_t)g->first[map->node_count] * sizeof *g->neighbour);
    return true;
}

static void request_release(request *r) {
    free(r->numbers);
    *r = (request){0};
}

static void release_places(int set_count, int **place) {
    for (int s = 0; place && s < set_count; s++)
        free(place[s]);
    free(place);
}

static void layout_release(int set_count, layout *l) {
    release_places(set_count, l->place);
    carom_couplings_release(&l->graph);
    free(l->row_begin);
    free(l->column);
    free(l->value);
    *l = (layout){0};
}

// Takes the layout out of a matrix, which must be given another one.
static layout take_layout(const carom_sparse *sparse) {
    const carom_sparse_map *map = sparse->map;
    return (layout){map->graph, map->place, sparse->row_begin, sparse->column, sparse->value, sparse->pattern};
}

// Replaces the graph and all arrays derived from it. Takes ownership of the graph, also on failure.
static carom_status adopt(carom_sparse *sparse, carom_couplings g, int size, carom_error *error) {
    // The new arrays are complete before the old ones are released: if memory is short the matrix stays usable as it was.
    carom_sparse_map *map = sparse->map;
    carom_sparse made = {0};
    int **place = carom_allocate(map->set_count, sizeof *place);
    bool ready = place && expand(map, &g, size, &made);
    for (int s = 0; ready && s < map->set_count; s++)
        ready = (place[s] = find_places(&g, &map->sets[s])) != NULL;
    if (!ready) {
        release_places(map->set_count, place);
        free(made.row_begin);
        free(made.column);
        free(made.value);
        carom_couplings_release(&g);
        return carom_no_memory(error, "the sparse matrix");
    }
    // nothing can fail from here on
    layout old = take_layout(sparse);
    if (old.place && !map->extended) {
        map->original = old;
        map->extended = true;
    } else {
        layout_release(map->set_count, &old);
    }
    map->place = place;
    map->graph = g;
    made.map = map;
    *sparse = made;
    return CAROM_OK;
}

carom_status carom_sparse_create(int node_count, const int (*unknown)[3], int set_count, const carom_cliques *sets,
                                 carom_sparse **sparse, carom_error *error) {
    int size = 0;
    for (int k = 0; k < node_count; k++)
        size += carom_couplings_unknowns(unknown[k]);
    *sparse = carom_allocate(1, sizeof **sparse);
    carom_sparse_map *map = carom_allocate(1, sizeof *map);
    if (!*sparse || !map) {
        free(map);
        free(*sparse);
        *sparse = NULL;
        return carom_no_memory(error, "the sparse matrix");
    }
    (*sparse)->map = map;
    map->node_count = node_count;
    map->unknown = unknown;
    map->keep_end = node_count;
    map->row_end = size;
    map->owner = carom_allocate(size, sizeof *map->owner);
    map->sets = carom_allocate(set_count, sizeof *map->sets);
    carom_couplings g;
    bool ready = map->owner && map->sets;
    if (ready) {
        map->set_count = set_count;
        memcpy(map->sets, sets, (size_t)set_count * sizeof *sets);
        // The owner of an unknown inverts the numbering: 3 node + axis.
        for (int k = 0; k < node_count; k++)
            for (int c = 0; c < 3; c++)
                if (unknown[k][c] >= 0)
                    map->owner[unknown[k][c]] = 3 * k + c;
        ready = carom_couplings_create(map->node_count, map->unknown, &map->graph, set_count, sets, &g);
    }
    carom_status status = ready ? adopt(*sparse, g, size, error) : carom_no_memory(error, "the sparse matrix");
    if (status) {
        carom_sparse_release(*sparse);
        *sparse = NULL;
    }
    return status;
}

void carom_sparse_release(carom_sparse *sparse) {
    if (!sparse)
        return;
    layout now = take_layout(sparse);
    layout_release(sparse->map->set_count, &now);
    layout_release(sparse->map->set_count, &sparse->map->original);
    layout_release(sparse->map->set_count, &sparse->map->spare);
    request_release(&sparse->map->wish);
    request_release(&sparse->map->spare_wish);
    free(sparse->map->sets);
    free(sparse->map->owner);
    free(sparse->map);
    free(sparse);
}

static request make_request(int set_count, const carom_cliques *sets) {
    request r = {0};
    for (int s = 0; s < set_count; s++)
        r.count += 2 + (int64_t)sets[s].count * sets[s].node_count;
    r.numbers = carom_allocate(r.count, sizeof *r.numbers);
    int *next = r.numbers;
    for (int s = 0; next && s < set_count; s++) {
        size_t nodes = (size_t)sets[s].count * (size_t)sets[s].node_count;
        *next++ = sets[s].count;
        *next++ = sets[s].node_count;
        memcpy(next, sets[s].nodes, nodes * sizeof *next);
        next += nodes;
    }
    return r;
}

static bool is_same(const request *a, const request *b) {
    return a->numbers && b->numbers && a->count == b->count &&
           memcmp(a->numbers, b->numbers, (size_t)a->count * sizeof *a->numbers) == 0;
}

// Gives the matrix a layout, whose values must be cleared.
static void put_layout(carom_sparse *sparse, const layout *l) {
    carom_sparse_map *map = sparse->map;
    map->graph = l->graph;
    map->place = l->place;
    sparse->row_begin = l->row_begin;
    sparse->column = l->column;
    sparse->value = l->value;
    sparse->pattern = l->pattern;
}

// True if the pattern lacks a coupling of these cliques. In most iterations it has all of them: a search is far cheaper than a
// new pattern, and above all than the new order of elimination that a new pattern requires.
static bool lacks_coupling(const carom_sparse_map *map, const carom_cliques *set) {
    int n = set->node_count;
    bool lacking = false;
#pragma omp parallel for schedule(static) reduction(|| : lacking) if (set->count > PARALLEL_CLIQUES)
    for (int e = 0; e < set->count; e++) {
        const int *nodes = set->nodes + (int64_t)e * n;
        for (int i = 0; i < n * n && !lacking; i++)
            lacking = carom_couplings_find(&map->graph, nodes[i / n], nodes[i % n]) < 0;
    }
    return lacking;
}

carom_status carom_sparse_extend(carom_sparse *sparse, int set_count, const carom_cliques *sets, bool *grown,
                                 carom_error *error) {
    carom_sparse_map *map = sparse->map;
    *grown = false;
    for (int s = 0; s < set_count && !*grown; s++)
        *grown = lacks_coupling(map, &sets[s]);
    if (!*grown)
        return CAROM_OK;
    // contact that does not change from step to step reuses the pattern of the previous step
    bool first = !map->extended;
    request wish = first ? make_request(set_count, sets) : (request){0};
    if (first && !wish.numbers) {
        *grown = false;
        return carom_no_memory(error, "the sparse matrix");
    }
    if (first && is_same(&wish, &map->spare_wish)) {
        map->original = take_layout(sparse);
        map->extended = true;
        put_layout(sparse, &map->spare);
        map->wish = map->spare_wish;
        map->spare = (layout){0};
        map->spare_wish = (request){0};
        request_release(&wish);
        carom_sparse_clear(sparse);
        return CAROM_OK;
    }
    layout_release(map->set_count, &map->spare);
    request_release(&map->spare_wish);
    carom_couplings g;
    carom_status status = carom_couplings_create(map->node_count, map->unknown, &map->graph, set_count, sets, &g)
                              ? adopt(sparse, g, sparse->size, error)
                              : carom_no_memory(error, "the sparse matrix");
    if (status) {
        request_release(&wish);
        *grown = false;
        return status;
    }
    request_release(&map->wish);
    map->wish = wish;
    return CAROM_OK;
}

void carom_sparse_reset(carom_sparse *sparse) {
    carom_sparse_map *map = sparse->map;
    if (!map->extended)
        return;
    layout_release(map->set_count, &map->spare);
    request_release(&map->spare_wish);
    layout now = take_layout(sparse);
    if (map->wish.numbers) {
        map->spare = now;
        map->spare_wish = map->wish;
        map->wish = (request){0};
    } else {
        layout_release(map->set_count, &now);
    }
    put_layout(sparse, &map->original);
    map->original = (layout){0};
    map->extended = false;
}

void carom_sparse_locate(carom_sparse *sparse, const double (*positions)[3]) {
    sparse->map->positions = positions;
}

carom_status carom_sparse_order(const carom_sparse *sparse, int *place, bool *given, carom_error *error) {
    const carom_sparse_map *map = sparse->map;
    *given = map->positions;
    if (!*given)
        return CAROM_OK;
    // Nodes rather than unknowns are dissected: the graph is a third as large, and the unknowns of a node, which have the
    // same neighbours, become one supernode.
    int *order = carom_allocate(map->node_count, sizeof *order);
    bool done = order && carom_order_by_place(map->node_count, map->graph.first, map->graph.neighbour, map->positions, order);
    for (int i = 0, next = 0; done && i < map->node_count; i++)
        for (int c = 0; c < 3; c++)
            if (map->unknown[order[i]][c] >= 0)
                // unknowns of a node stay together
                place[map->unknown[order[i]][c]] = next++;
    free(order);
    return done ? CAROM_OK : carom_no_memory(error, "the order of elimination");
}

void carom_sparse_keep(carom_sparse *sparse, int begin, int end) {
    carom_sparse_map *map = sparse->map;
    map->keep_begin = begin;
    map->keep_end = end;
    map->row_begin = map->row_end = 0;
    for (int k = 0; k < end; k++)
        *(k < begin ? &map->row_begin : &map->row_end) += carom_couplings_unknowns(map->unknown[k]);
    map->row_end += map->row_begin;
}

static bool keeps(const carom_sparse_map *map, int node) {
    return node >= map->keep_begin && node < map->keep_end;
}

bool carom_sparse_keeps(const carom_sparse *sparse, int node_count, const int *nodes) {
    bool kept = false;
    for (int i = 0; i < node_count && !kept; i++)
        kept = keeps(sparse->map, nodes[i]);
    return kept;
}

void carom_sparse_clear(carom_sparse *sparse) {
#pragma omp parallel for schedule(static) if (sparse->size > PARALLEL_ROWS)
    for (int r = sparse->map->row_begin; r < sparse->map->row_end; r++)
        memset(sparse->value + sparse->row_begin[r], 0,
               (size_t)(sparse->row_begin[r + 1] - sparse->row_begin[r]) * sizeof *sparse->value);
}

// Adds three by three numbers at a place of the rows of one node.
static inline void add_pair(carom_sparse *sparse, const int row[3], const int column[3], int place, double factor,
                            const double *matrix, int width) {
    for (int i = 0; i < 3; i++) {
        if (row[i] < 0)
            continue;
        // columns of one neighbour are consecutive; restrained axes have none
        double *value = sparse->value + sparse->row_begin[row[i]] + place;
        for (int k = 0; k < 3; k++)
            if (column[k] >= 0)
                *value++ += factor * matrix[i * width + k];
    }
}

// Adds the rows of those nodes whose number modulo the number of shares is `share`.
static void add_share(carom_sparse *sparse, int set, int begin, int end, const double *matrices, int share, int shares) {
    const carom_sparse_map *map = sparse->map;
    int n = map->sets[set].node_count;
    for (int e = begin; e < end; e++, matrices += 9 * n * n) {
        const int *nodes = map->sets[set].nodes + (int64_t)e * n;
        const int *place = map->place[set] + (int64_t)e * n * n;
        for (int a = 0; a < n; a++) {
            if (nodes[a] % shares != share || !keeps(map, nodes[a]))
                continue;
            for (int b = 0; b < n; b++)
                add_pair(sparse, map->unknown[nodes[a]], map->unknown[nodes[b]], place[a * n + b], 1,
                         matrices + 9 * n * a + 3 * b, 3 * n);
        }
    }
}

void carom_sparse_add(carom_sparse *sparse, int set, int begin, int end, const double *matrices) {
    int shares = end - begin < PARALLEL_CLIQUES ? 1 : carom_threads();
    // Every thread reads all matrices and writes rows of its own, so that each sum has the order of the cliques.
#pragma omp parallel for schedule(static) if (shares > 1)
    for (int share = 0; share < shares; share++)
        add_share(sparse, set, begin, end, matrices, share, shares);
}

// Adds factor times the rows of those nodes whose number modulo `shares` is `share`. Cliques of contact change from step to
// step, so their positions in the rows are searched for in the graph instead of being stored.
static void add_searched(carom_sparse *sparse, int share, int shares, int n, const int *nodes, double factor,
                         const double *matrix) {
    const carom_sparse_map *map = sparse->map;
    for (int a = 0; a < n; a++)
        for (int b = 0; nodes[a] % shares == share && keeps(map, nodes[a]) && b < n; b++) {
            int64_t at = carom_couplings_find(&map->graph, nodes[a], nodes[b]);
            assert(at >= 0);
            add_pair(sparse, map->unknown[nodes[a]], map->unknown[nodes[b]], map->graph.where[at], factor,
                     matrix + 9 * n * a + 3 * b, 3 * n);
        }
}

void carom_sparse_add_one(carom_sparse *sparse, int node_count, const int *nodes, double factor, const double *matrix) {
    add_searched(sparse, 0, 1, node_count, nodes, factor, matrix);
}

void carom_sparse_add_share(carom_sparse *sparse, int share, int shares, int node_count, const int *nodes,
                            const double *matrix) {
    add_searched(sparse, share, shares, node_count, nodes, 1, matrix);
}

// The place of the diagonal entry of a row: after the unknowns of lower nodes and those of its own node before it.
static int64_t diagonal_of(const carom_sparse *sparse, int row) {
    const carom_sparse_map *map = sparse->map;
    int k = map->owner[row] / 3;
    return sparse->row_begin[row] + map->graph.where[carom_couplings_find(&map->graph, k, k)] + row -
           first_unknown(map->unknown[k]);
}

void carom_sparse_add_diagonal(carom_sparse *sparse, double factor, const double *diagonal) {
#pragma omp parallel for schedule(static) if (sparse->size > PARALLEL_ROWS)
    for (int r = sparse->map->row_begin; r < sparse->map->row_end; r++)
        sparse->value[diagonal_of(sparse, r)] += factor * diagonal[sparse->map->owner[r] / 3];
}

void carom_sparse_diagonal(const carom_sparse *sparse, double *diagonal) {
#pragma omp parallel for schedule(static) if (sparse->size > PARALLEL_ROWS)
    for (int r = sparse->map->row_begin; r < sparse->map->row_end; r++)
        diagonal[r] = sparse->value[diagonal_of(sparse, r)];
}

int carom_sparse_node(const carom_sparse *sparse, int unknown, int *axis) {
    *axis = sparse->map->owner[unknown] % 3;
    return sparse->map->owner[unknown] / 3;
}
