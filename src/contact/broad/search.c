// SPDX-License-Identifier: MIT
// Each node and each edge is owned by one of its faces. A feature lies within the box of its owner, so the
// owners of two near features have overlapping boxes: testing what the two faces of a pair own meets every
// pair of features exactly once.
#include "contact/broad/search.h"

#include "base/interrupt.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "contact/broad/near.h"

enum { PARTS = CAROM_TREE_PARTS, SHARES = CAROM_BROAD_SHARES };

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

// The paths of the nodes, the reach, and the number of the term.
typedef struct paths {
    const double (*x)[3], (*x1)[3];
    double reach;
    int bodies;
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

// The nodes owned by face f against face g.
static bool nodes_against(const carom_surface *s, const paths *p, int f, int g, carom_near_pairs *found) {
    const int *face = s->faces[g];
    if (!carom_surface_bears(s, g))
        return true;
    for (int i = 0; i < s->corners; i++) {
        int k = s->faces[f][i];
        if (!(s->owned[f] & 1 << i) || k == face[0] || k == face[1] || k == face[2])
            continue;
        const int nodes[4] = {k, face[0], face[1], face[2]};
        double gap = s->corners == 3 ? carom_near_node_face(nodes, p->x, p->x1, p->reach)
                                     : carom_near_node_segment(nodes, p->x, p->x1, p->reach);
        if (gap <= p->reach && !append(found, p, k, g, gap))
            return false;
    }
    return true;
}

// The edges owned by face f against those owned by face g, the smaller number first.
static bool edges_against(const carom_surface *s, const paths *p, int f, int g, carom_near_pairs *found) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3 && s->owned[f] & 8 << i; j++) {
            if (!(s->owned[g] & 8 << j))
                continue;
            int a = s->face_edges[f][i], b = s->face_edges[g][j], low = a < b ? a : b, high = a < b ? b : a;
            const int *u = s->edges[low], *v = s->edges[high], nodes[4] = {u[0], u[1], v[0], v[1]};
            if (u[0] == v[0] || u[0] == v[1] || u[1] == v[0] || u[1] == v[1])
                continue;
            double gap = carom_near_edge_edge(nodes, p->x, p->x1, p->reach);
            if (gap <= p->reach && !append(found, p, low, high, gap))
                return false;
        }
    return true;
}

// Tests the pairs of faces part by part. Parts do not depend on the number of threads, and each has its own
// list.
static bool find_features(carom_broad_share *share, const carom_tree *tree, const paths *all, double rounding) {
    const int64_t most = carom_tree_most_pairs(tree->surface);
    const carom_surface *s = tree->surface;
    int failures = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : failures) if (s->face_count > 256)
    for (int part = 0; part < PARTS; part++) {
        const carom_index_pairs *faces = &tree->parts[part];
        carom_near_pairs *nodes = &share->node_parts[part], *edges = &share->edge_parts[part];
        // reach and term change from pair to pair
        paths own = *all;
        bool good = true;
        for (int64_t i = 0; i < faces->count && good && nodes->count + edges->count <= most; i++) {
            if (i % CAROM_INTERRUPT_EVERY == CAROM_INTERRUPT_EVERY - 1 && carom_interrupt_is_wanted())
                break;
            int f = faces->pairs[i][0], g = faces->pairs[i][1];
            // each pair of bodies has its own reach
            int place = tree->asked ? carom_body_pairs_find(tree->asked, s->body[f], s->body[g]) : -1;
            if (place >= 0) {
                own.reach = tree->asked->reach[place] + rounding;
                own.bodies = tree->asked->number[place];
            }
            good = nodes_against(s, &own, f, g, nodes) && nodes_against(s, &own, g, f, nodes) &&
                   (s->corners == 2 || edges_against(s, &own, f, g, edges));
        }
        // a thread that runs out of memory lets the others finish
        failures += !good;
    }
    return failures == 0;
}

// Largest magnitude of a coordinate.
static double largest(const carom_surface *s, const double (*x)[3]) {
    double size = 0;
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
    paths p = {x, x1, reach + rounding, 0};
    share->rounding = fmax(share->rounding, rounding);
    tree->asked = asked;
    carom_status status = carom_tree_fit(tree, x, x1, 0.5 * (asked ? rounding : p.reach), false, error);
    status = status ? status : carom_tree_query(tree, exclusions, scope, error);
    if (!status && !find_features(share, tree, &p, rounding))
        status = carom_fail(error, CAROM_NO_MEMORY, "no memory for the pairs of contact");
    // a search that was broken off has missed pairs
    if (!status)
        status = carom_interrupt_check(error);
    tree->asked = NULL;
    return status;
}

// Counting sort by one feature, stable.
static void sort_by(const carom_near_pairs *const *parts, int part_count, int key, int key_count, int *begin,
                    carom_near_pair *out) {
    memset(begin, 0, ((size_t)key_count + 1) * sizeof *begin);
    for (int p = 0; p < part_count; p++)
        for (int64_t i = 0; i < parts[p]->count; i++)
            begin[parts[p]->items[i].feature[key] + 1]++;
    for (int k = 0; k < key_count; k++)
        begin[k + 1] += begin[k];
    for (int p = 0; p < part_count; p++)
        for (int64_t i = 0; i < parts[p]->count; i++)
            out[begin[parts[p]->items[i].feature[key]]++] = parts[p]->items[i];
}

// The order depends on the features only, not on threads, shares or searches.
void carom_shares_sort(const carom_broad_share shares[CAROM_BROAD_SHARES], const carom_surface *surface, bool edges,
                       int *buckets, carom_near_pair *space, carom_near_pair *out) {
    const carom_near_pairs *parts[SHARES * PARTS];
    carom_near_pairs all = {.items = space};
    for (int p = 0; p < SHARES * PARTS; p++) {
        const carom_broad_share *share = &shares[p / PARTS];
        parts[p] = edges ? &share->edge_parts[p % PARTS] : &share->node_parts[p % PARTS];
        all.count += parts[p]->count;
    }
    int first_count = edges ? surface->edge_count : surface->node_count;
    // radix sort: by the second feature, then stably by the first
    sort_by(parts, SHARES * PARTS, 1, edges ? surface->edge_count : surface->face_count, buckets, space);
    const carom_near_pairs *sorted = &all;
    sort_by(&sorted, 1, 0, first_count, buckets, out);
}
