// SPDX-License-Identifier: MIT
// Finds all pairs of features (node and face, two edges) that come near each other (search.h), each once. Each node and each
// edge is owned by one of its faces. A feature lies within the box of its owner, so the owners of two near features have
// overlapping boxes: testing the features owned by the two faces of each pair tests every pair of features exactly once.
#include "contact/broad/search.h"

#include "base/interrupt.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "carom/threads.h"
#include "contact/broad/near.h"

enum {
    PARTS = CAROM_TREE_PARTS,
    SHARES = CAROM_BROAD_SHARES,
    PARALLEL_VERTICES = 32768, // with fewer, waking threads (about 50 us) costs more than it saves
    PARALLEL_FACES = 1024,     // the same for pairs of faces, about 100 ns each
    PARALLEL_PAIRS = 8192,     // the same for pairs of features, about 10 ns each
    ATOMIC_THREADS = 8,        // with fewer, atomic operations cost more than threads save
    LONG_ROW = 32              // number of pairs above which insertion sort is slow
};

void carom_share_release(carom_broad_share *share) {
    for (int p = 0; p < PARTS; p++) {
        free(share->node_parts[p].items);
        free(share->edge_parts[p].items);
    }
    *share = (carom_broad_share){0};
}

// Removes the pairs of some terms, keeping the order of the others.
static void drop(carom_near_pairs *part, const bool *bodies) {
    int64_t kept = 0;
    for (int64_t i = 0; bodies && i < part->count; i++)
        if (!bodies[part->items[i].bodies])
            part->items[kept++] = part->items[i];
    part->count = kept;
}

void carom_share_drop(carom_broad_share *share, const bool *bodies) {
    for (int p = 0; p < PARTS; p++) {
        drop(&share->node_parts[p], bodies);
        drop(&share->edge_parts[p], bodies);
    }
}

// Arguments of a search: the paths of the nodes, the reach, and the number of the term.
typedef struct paths {
    const double (*x)[3], (*x1)[3];
    double reach;
    int bodies;
    const carom_exclusions *exclusions; // pairs at their seams are excluded
} paths;

// Appends a pair; its gap is rounded down to single precision, so that it stays a lower bound.
static bool append(carom_near_pairs *list, const paths *p, int a, int b, double gap) {
    carom_near_pair *items = carom_grow(list->items, list->count, &list->capacity, sizeof *items);
    if (!items)
        return false;
    list->items = items;
    // more than the relative rounding of single precision
    double small = gap * (1 - 1e-7);
    items[list->count++] = (carom_near_pair){{a, b}, small < (double)FLT_MAX ? (float)small : FLT_MAX, p->bodies};
    return true;
}

// A box around the paths of some nodes.
typedef struct box {
    double low[3], high[3];
} box;

// A face and the boxes around the paths of its corners and of all of it.
typedef struct outline {
    int face; // -1: none
    box corner[3];
    box whole;
} outline;

static inline box hull(const box *a, const box *b) {
    box both;
    for (int i = 0; i < 3; i++) {
        both.low[i] = a->low[i] < b->low[i] ? a->low[i] : b->low[i];
        both.high[i] = a->high[i] > b->high[i] ? a->high[i] : b->high[i];
    }
    return both;
}

// The largest gap between two boxes along a coordinate axis, at least 0.
static inline double gap_between(const box *a, const box *b) {
    double gap = 0;
    for (int i = 0; i < 3; i++) {
        // at most one of the two is positive
        double up = a->low[i] - b->high[i], down = b->low[i] - a->high[i], along = up > down ? up : down;
        gap = along > gap ? along : gap;
    }
    return gap;
}

// The face and its boxes. In two dimensions z is ignored.
static inline void take_outline(const carom_surface *s, const paths *p, int face, outline *out) {
    out->face = face;
    for (int c = 0; c < 3; c++) {
        const double *from = p->x[s->faces[face][c]], *to = p->x1[s->faces[face][c]];
        for (int i = 0; i < 3; i++) {
            bool counts = i < s->corners;
            out->corner[c].low[i] = !counts ? 0 : from[i] < to[i] ? from[i] : to[i];
            out->corner[c].high[i] = !counts ? 0 : from[i] < to[i] ? to[i] : from[i];
        }
    }
    box first = hull(&out->corner[0], &out->corner[1]);
    out->whole = hull(&first, &out->corner[2]);
}

// Tests the nodes owned by face f against face g.
static bool nodes_against(const carom_surface *s, const paths *p, const outline *f, const outline *g, carom_near_pairs *found) {
    const int *face = s->faces[g->face];
    if (!carom_surface_face_has_interior(s, g->face))
        return true;
    for (int i = 0; i < s->corners; i++) {
        if (!(s->owned[f->face] & 1 << i))
            continue;
        int k = s->faces[f->face][i];
        double gap = gap_between(&f->corner[i], &g->whole);
        if (gap > p->reach || k == face[0] || k == face[1] || k == face[2] ||
            carom_exclusions_at_seam(p->exclusions, 1, &k, 3, face))
            continue;
        const int nodes[4] = {k, face[0], face[1], face[2]};
        gap = s->corners == 3 ? carom_nearer_node_face(nodes, p->x, p->x1, p->reach, gap)
                              : carom_nearer_node_segment(nodes, p->x, p->x1, p->reach, gap);
        if (gap <= p->reach && !append(found, p, k, g->face, gap))
            return false;
    }
    return true;
}

// Tests the edges owned by face f against those owned by face g; pairs have the smaller edge first.
static bool edges_against(const carom_surface *s, const paths *p, const outline *f, const outline *g, carom_near_pairs *found) {
    for (int i = 0; i < 3; i++) {
        if (!(s->owned[f->face] & 8 << i))
            continue;
        box side = hull(&f->corner[i], &f->corner[(i + 1) % 3]);
        for (int j = 0; j < 3; j++) {
            if (!(s->owned[g->face] & 8 << j))
                continue;
            box other = hull(&g->corner[j], &g->corner[(j + 1) % 3]);
            double gap = gap_between(&side, &other);
            if (gap > p->reach)
                continue;
            int a = s->face_edges[f->face][i], b = s->face_edges[g->face][j], low = a < b ? a : b, high = a < b ? b : a;
            const int *u = s->edges[low], *v = s->edges[high], nodes[4] = {u[0], u[1], v[0], v[1]};
            if (u[0] == v[0] || u[0] == v[1] || u[1] == v[0] || u[1] == v[1] ||
                carom_exclusions_at_seam(p->exclusions, 2, u, 2, v))
                continue;
            gap = carom_nearer_edge_edge(nodes, p->x, p->x1, p->reach, gap);
            if (gap <= p->reach && !append(found, p, low, high, gap))
                return false;
        }
    }
    return true;
}

// Sets reach and term of a pair of faces, if the search is limited to pairs of bodies. They are mostly those of the last pair,
// since pairs of faces come by pairs of blocks, whose faces belong to few bodies.
static inline void set_term(const carom_tree *tree, const int body[2], double rounding, int last[2], paths *own) {
    if (!tree->asked || (body[0] == last[0] && body[1] == last[1]))
        return;
    int place = carom_body_pairs_find(tree->asked, body[0], body[1]);
    last[0] = body[0];
    last[1] = body[1];
    if (place >= 0) {
        own->reach = tree->asked->reach[place] + rounding;
        own->bodies = tree->asked->number[place];
    }
}

// The pairs of faces to be tested: those of all parts of a query, with consecutive numbers.
typedef struct share_of_faces {
    const carom_tree *tree;
    int64_t begin[PARTS + 1]; // number of the first pair of each part
} share_of_faces;

static share_of_faces count_faces(const carom_tree *tree) {
    share_of_faces all = {.tree = tree};
    for (int part = 0; part < PARTS; part++)
        all.begin[part + 1] = all.begin[part] + tree->parts[part].count;
    return all;
}

// Tests the pairs of faces from number `begin` to before `end` and appends the pairs of features to two lists. False if memory
// is short.
static bool test_faces(const share_of_faces *all, int64_t begin, int64_t end, const paths *p, double rounding,
                       carom_near_pairs *nodes, carom_near_pairs *edges) {
    const carom_tree *tree = all->tree;
    const carom_surface *s = tree->surface;
    const int64_t most = carom_tree_most_pairs(s);
    // reach and term change from pair to pair
    paths own = *p;
    outline one = {.face = -1}, other;
    int last[2] = {-1, -1}, part = 0;
    for (int64_t i = begin; i < end && nodes->count + edges->count <= most; i++) {
        if (i % CAROM_INTERRUPT_EVERY == CAROM_INTERRUPT_EVERY - 1 && carom_interrupt_is_wanted())
            break;
        while (i >= all->begin[part + 1])
            part++;
        const int *pair = tree->parts[part].pairs[i - all->begin[part]];
        set_term(tree, (const int[2]){s->body[pair[0]], s->body[pair[1]]}, rounding, last, &own);
        // the first face is often that of the pair before
        if (one.face != pair[0])
            take_outline(s, &own, pair[0], &one);
        take_outline(s, &own, pair[1], &other);
        // boxes of the tree were enlarged for the longest reach of each body
        if (gap_between(&one.whole, &other.whole) > own.reach)
            continue;
        if (!nodes_against(s, &own, &one, &other, nodes) || !nodes_against(s, &own, &other, &one, nodes) ||
            (s->corners == 3 && !edges_against(s, &own, &one, &other, edges)))
            return false;
    }
    return true;
}

// Tests the pairs of faces in portions of equal size, each with its own list: the parts of the query differ much in size if
// few pairs of bodies are searched. Portions do not depend on the number of threads.
static bool find_features(carom_broad_share *share, const carom_tree *tree, const paths *p, double rounding) {
    const share_of_faces all = count_faces(tree);
    int64_t count = all.begin[PARTS];
    int failures = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : failures) if (count > PARALLEL_FACES)
    for (int k = 0; k < PARTS; k++)
        // a thread that runs out of memory lets the others finish
        failures += !test_faces(&all, count * k / PARTS, count * (k + 1) / PARTS, p, rounding, &share->node_parts[k],
                                &share->edge_parts[k]);
    return failures == 0;
}

// Exchanges the pairs that the processes have appended to the parts since `before`; each process then has all of them. Their
// order is irrelevant, since they are sorted later. False if memory is short.
static bool join(carom_together *together, carom_near_pairs *parts, const int64_t *before, bool good) {
    int64_t count = 0, total = 0;
    for (int k = 0; k < PARTS; k++)
        count += parts[k].count - before[k];
    carom_near_pair *own = carom_allocate(count, sizeof *own);
    for (int64_t k = 0, at = 0; own && k < PARTS; k++) {
        int64_t added = parts[k].count - before[k];
        if (added)
            memcpy(own + at, parts[k].items + before[k], (size_t)added * sizeof *own);
        at += added;
        parts[k].count = before[k];
    }
    const void *all;
    good = carom_together_join(together, own, good && own ? count : -1, sizeof *own, &all, &total);
    free(own);
    for (int64_t k = 0; good && k < PARTS; k++) {
        int64_t begin = total * k / PARTS, added = total * (k + 1) / PARTS - begin;
        carom_near_pairs *part = &parts[k];
        if (part->count + added > part->capacity) {
            int64_t larger = part->count + added + added / 2;
            carom_near_pair *moved = realloc(part->items, (size_t)larger * sizeof *moved);
            good = moved != NULL;
            if (!moved)
                break;
            part->items = moved;
            part->capacity = larger;
        }
        if (added)
            memcpy(part->items + part->count, (const carom_near_pair *)all + begin, (size_t)added * sizeof *part->items);
        part->count += added;
    }
    return good;
}

// find_features distributed to processes: each tests the pairs of faces that it has found.
static bool find_features_together(carom_broad_share *share, const carom_tree *tree, const paths *p, double rounding) {
    int64_t nodes[PARTS], edges[PARTS];
    for (int k = 0; k < PARTS; k++) {
        nodes[k] = share->node_parts[k].count;
        edges[k] = share->edge_parts[k].count;
    }
    bool good = find_features(share, tree, p, rounding);
    // collective calls: all processes must reach both, also after a failure
    bool joined = join(tree->together, share->node_parts, nodes, good);
    return join(tree->together, share->edge_parts, edges, good) && joined;
}

// Largest magnitude of a coordinate.
static double largest(const carom_surface *s, const double (*x)[3]) {
    double size = 0;
#pragma omp parallel for schedule(static) reduction(max : size) if (s->vertex_count > PARALLEL_VERTICES)
    for (int v = 0; v < s->vertex_count; v++)
        for (int i = 0; i < s->corners; i++) {
            double a = fabs(x[s->vertices[v]][i]);
            size = a > size ? a : size;
        }
    return size;
}

// The tree finds pairs of faces with overlapping boxes; their features are then tested exactly.
carom_status carom_share_search(carom_broad_share *share, carom_tree *tree, const carom_exclusions *exclusions,
                                carom_tree_scope scope, const carom_body_pairs *asked, const double (*x)[3],
                                const double (*x1)[3], double reach, carom_error *error) {
    share->searches++;
    for (int k = 0; asked && k < asked->count; k++)
        reach = fmax(reach, asked->reach[k]);
    // rounding of positions and gaps widens the reach, so that nothing is missed
    double size = fmax(largest(tree->surface, x), x1 == x ? 0 : largest(tree->surface, x1));
    // the first term covers the gaps, the second the positions
    double rounding = 1e-12 * reach + 1e-14 * size;
    paths p = {x, x1, reach + rounding, 0, exclusions};
    share->rounding = fmax(share->rounding, rounding);
    tree->asked = asked;
    carom_status status = carom_tree_fit(tree, x, x1, 0.5 * (asked ? rounding : p.reach), false, error);
    status = CAROM_TREE_AGREE(tree, status, error);
    status = status ? status : carom_tree_query(tree, exclusions, scope, error);
    bool good = status || (carom_tree_is_shared(tree) ? find_features_together : find_features)(share, tree, &p, rounding);
    if (!good)
        status = carom_fail(error, CAROM_NO_MEMORY, "no memory for the pairs of contact");
    // an interrupted search is incomplete
    if (!status)
        status = carom_interrupt_check(error);
    tree->asked = NULL;
    // a small search is not shared, and may fail on one process
    return CAROM_TREE_AGREE(tree, status, error);
}

// Ascending order of the pairs of one feature, by the other one.
static int by_second(const void *a, const void *b) {
    const carom_near_pair *p = a, *q = b;
    return (p->feature[1] > q->feature[1]) - (p->feature[1] < q->feature[1]);
}

static void sort_row(carom_near_pair *row, int count) {
    if (count > LONG_ROW) {
        qsort(row, (size_t)count, sizeof *row, by_second);
        return;
    }
    for (int i = 1; i < count; i++) {
        carom_near_pair next = row[i];
        int place = i;
        for (; place > 0 && row[place - 1].feature[1] > next.feature[1]; place--)
            row[place] = row[place - 1];
        row[place] = next;
    }
}

// Counts the pairs of each first feature k in begin[k + 1].
static void count_pairs(const carom_near_pairs *const *parts, int *begin, bool shared) {
#pragma omp parallel for schedule(dynamic) if (shared)
    for (int p = 0; p < SHARES * PARTS; p++)
        for (int64_t i = 0; i < parts[p]->count; i++) {
            int *place = &begin[parts[p]->items[i].feature[0] + 1];
            if (shared) {
#pragma omp atomic
                ++*place;
            } else {
                ++*place;
            }
        }
}

// Puts each pair into the row of its first feature. Rows begin at `begin`, which moves to their ends.
static void fill_rows(const carom_near_pairs *const *parts, int *begin, bool shared, carom_near_pair *out) {
#pragma omp parallel for schedule(dynamic) if (shared)
    for (int p = 0; p < SHARES * PARTS; p++)
        for (int64_t i = 0; i < parts[p]->count; i++) {
            int *next = &begin[parts[p]->items[i].feature[0]], place;
            if (shared) {
#pragma omp atomic capture
                place = (*next)++;
            } else {
                place = (*next)++;
            }
            out[place] = parts[p]->items[i];
        }
}

// All pairs are different, so the sorted order depends on the features only, not on threads, shares or searches: rows may
// be filled in any order before they are sorted.
void carom_shares_sort(const carom_broad_share shares[CAROM_BROAD_SHARES], const carom_surface *surface, bool edges,
                       int *buckets, carom_near_pair *out) {
    const carom_near_pairs *parts[SHARES * PARTS];
    int rows = edges ? surface->edge_count : surface->node_count;
    int64_t count = 0;
    for (int p = 0; p < SHARES * PARTS; p++) {
        const carom_broad_share *share = &shares[p / PARTS];
        parts[p] = edges ? &share->edge_parts[p % PARTS] : &share->node_parts[p % PARTS];
        count += parts[p]->count;
    }
    bool shared = count > PARALLEL_PAIRS && carom_threads() >= ATOMIC_THREADS;
    memset(buckets, 0, ((size_t)rows + 1) * sizeof *buckets);
    count_pairs(parts, buckets, shared);
    for (int k = 0; k < rows; k++)
        buckets[k + 1] += buckets[k];
    fill_rows(parts, buckets, shared, out);
#pragma omp parallel for schedule(dynamic, 1024) if (count > PARALLEL_PAIRS)
    for (int k = 0; k < rows; k++) {
        // the end of the row before is the beginning of this one
        int begin = k ? buckets[k - 1] : 0;
        sort_row(out + begin, buckets[k] - begin);
    }
}
