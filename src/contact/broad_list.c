// SPDX-License-Identifier: MIT
// From pairs of faces whose boxes overlap to pairs of features. A feature lies within the box of its owner, so the owners of
// two features that are near have overlapping boxes: looking at what the two faces of a pair own meets all pairs of features,
// each once.
//
// If near vertices move against each other by at most 2 m, the distance of two features shrinks by no more. A list of all pairs
// within 2 m + thickness therefore holds all that can touch (broad_wear.h says what near is, and what holds of the others).
#include "contact/broad_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "contact/broad_near.h"
#include "contact/broad_sort.h"

enum { PARTS = CAROM_TREE_PARTS, SHARES = CAROM_BROAD_SHARES, MOST_PAIRS = INT32_MAX / 4 };

// Between bodies a smaller part of the margin will do: bodies that rest on each other list fewer pairs, and these searches are cheap.
static const double between_part = 0.5;

// A list within bodies that is so much wider than wanted, made for some violent impact, is not kept.
static const double wide = 1.2;

// A list between bodies serves so many steps of the present motion at least.
static const double life = 4;

// Vertices that are not near may go so many times farther than near ones.
static const double far_ratio = 4;

static carom_status no_memory(carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for the pairs of contact");
}

carom_status carom_broad_create(const carom_surface *surface, const carom_exclusions *exclusions, carom_broad *broad,
                                carom_error *error) {
    *broad = (carom_broad){.surface = surface, .exclusions = exclusions};
    int most = surface->node_count > surface->face_count ? surface->node_count : surface->face_count;
    most = surface->edge_count > most ? surface->edge_count : most;
    broad->ends = carom_allocate(surface->node_count, sizeof *broad->ends);
    broad->buckets = carom_allocate((int64_t)most + 1, sizeof *broad->buckets);
    broad->pairs.begin = carom_allocate((int64_t)surface->node_count + 1, sizeof *broad->pairs.begin);
    carom_status status = broad->ends && broad->buckets && broad->pairs.begin ? carom_tree_create(surface, &broad->tree, error)
                                                                              : no_memory(error);
    for (int k = 0; k < SHARES && !status; k++)
        status = carom_wear_create(surface, k == CAROM_BROAD_BETWEEN, &broad->shares[k].wear, error);
    if (status)
        carom_broad_release(broad);
    return status;
}

void carom_broad_release(carom_broad *broad) {
    carom_tree_release(&broad->tree);
    free(broad->pairs.features);
    free(broad->pairs.nodes);
    free(broad->pairs.begin);
    free(broad->pairs.of_node);
    free(broad->ends);
    free(broad->buckets);
    free(broad->space.pairs);
    for (int k = 0; k < SHARES; k++) {
        carom_wear_release(&broad->shares[k].wear);
        for (int p = 0; p < PARTS; p++) {
            free(broad->shares[k].node_parts[p].pairs);
            free(broad->shares[k].edge_parts[p].pairs);
        }
    }
    *broad = (carom_broad){0};
}

// ---- features of two faces ----

// The paths of the nodes and what counts as near.
typedef struct paths {
    const double (*x)[3], (*x1)[3];
    double reach;
} paths;

static bool append(carom_index_pairs *list, int a, int b) {
    int(*pairs)[2] = carom_grow(list->pairs, list->count, &list->capacity, sizeof *pairs);
    if (!pairs)
        return false;
    list->pairs = pairs;
    pairs[list->count][0] = a;
    pairs[list->count++][1] = b;
    return true;
}

// The nodes that face f owns against face g.
static bool nodes_against(const carom_surface *s, const paths *p, int f, int g, carom_index_pairs *found) {
    const int *face = s->faces[g];
    for (int i = 0; i < s->corners; i++) {
        int k = s->faces[f][i];
        if (!(s->owned[f] & 1 << i) || k == face[0] || k == face[1] || k == face[2])
            continue;
        const int nodes[4] = {k, face[0], face[1], face[2]};
        bool near = s->corners == 3 ? carom_near_node_face(nodes, p->x, p->x1, p->reach)
                                    : carom_near_node_segment(nodes, p->x, p->x1, p->reach);
        if (near && !append(found, k, g))
            return false;
    }
    return true;
}

// The edges that face f owns against those that face g owns.
static bool edges_against(const carom_surface *s, const paths *p, int f, int g, carom_index_pairs *found) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3 && s->owned[f] & 8 << i; j++) {
            if (!(s->owned[g] & 8 << j))
                continue;
            int a = s->face_edges[f][i], b = s->face_edges[g][j], low = a < b ? a : b, high = a < b ? b : a;
            const int *u = s->edges[low], *v = s->edges[high], nodes[4] = {u[0], u[1], v[0], v[1]};
            if (u[0] == v[0] || u[0] == v[1] || u[1] == v[0] || u[1] == v[1])
                continue;
            if (carom_near_edge_edge(nodes, p->x, p->x1, p->reach) && !append(found, low, high))
                return false;
        }
    return true;
}

static bool find_features(carom_broad *b, carom_broad_share *share, const paths *p) {
    const carom_surface *s = b->surface;
    int failures = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : failures) if (s->face_count > 256)
    for (int part = 0; part < PARTS; part++) {
        const carom_index_pairs *faces = &b->tree.parts[part];
        carom_index_pairs *nodes = &share->node_parts[part], *edges = &share->edge_parts[part];
        nodes->count = edges->count = 0;
        bool good = true;
        for (int64_t i = 0; i < faces->count && good; i++) {
            int f = faces->pairs[i][0], g = faces->pairs[i][1];
            good = nodes_against(s, p, f, g, nodes) && nodes_against(s, p, g, f, nodes) &&
                   (s->corners == 2 || edges_against(s, p, f, g, edges));
        }
        failures += !good;
    }
    return failures == 0;
}

// ---- the list ----

// Room for so many pairs, with some to spare.
static bool reserve_pairs(carom_broad *b, int64_t count) {
    carom_pair_list *list = &b->pairs;
    if (list->nodes && count <= list->capacity)
        return true;
    int64_t roomy = count + count / 4 + 16;
    list->capacity = 0;
    void *features = realloc(list->features, (size_t)roomy * sizeof *list->features);
    list->features = features ? features : list->features;
    void *nodes = realloc(list->nodes, (size_t)roomy * sizeof *list->nodes);
    list->nodes = nodes ? nodes : list->nodes;
    void *uses = realloc(list->of_node, 4 * (size_t)roomy * sizeof *list->of_node);
    list->of_node = uses ? uses : list->of_node;
    void *space = realloc(b->space.pairs, (size_t)roomy * sizeof *b->space.pairs);
    b->space.pairs = space ? space : b->space.pairs;
    if (!features || !nodes || !uses || !space)
        return false;
    list->capacity = roomy;
    return true;
}

// Sorts what the parts of the shares found by the second and then by the first feature.
static void sort_features(carom_broad *b, bool edges, int first_count, int second_count, int (*out)[2]) {
    carom_pair_part parts[SHARES * PARTS];
    int count = 0;
    for (int p = 0; p < SHARES * PARTS; p++) {
        const carom_broad_share *share = &b->shares[p / PARTS];
        const carom_index_pairs *found = edges ? &share->edge_parts[p % PARTS] : &share->node_parts[p % PARTS];
        parts[p] = (carom_pair_part){(int)found->count, (const int(*)[2])found->pairs};
        count += parts[p].count;
    }
    carom_sort_pairs(parts, SHARES * PARTS, 1, second_count, b->buckets, b->space.pairs);
    carom_pair_part all = {count, (const int(*)[2])b->space.pairs};
    carom_sort_pairs(&all, 1, 0, first_count, b->buckets, out);
}

static void name_nodes(const carom_surface *s, carom_pair_list *list) {
    for (int i = 0; i < list->count; i++) {
        int a = list->features[i][0], b = list->features[i][1], *nodes = list->nodes[i];
        if (i < list->node_pair_count) {
            nodes[0] = a;
            memcpy(nodes + 1, s->faces[b], sizeof s->faces[b]);
            if (s->corners == 2)
                nodes[3] = -1;
        } else {
            memcpy(nodes, s->edges[a], sizeof s->edges[a]);
            memcpy(nodes + 2, s->edges[b], sizeof s->edges[b]);
        }
    }
}

static void link_nodes(const carom_surface *s, carom_pair_list *list) {
    int *begin = list->begin, uses = s->corners == 2 ? 3 : 4;
    memset(begin, 0, ((size_t)s->node_count + 1) * sizeof *begin);
    for (int i = 0; i < list->count; i++)
        for (int k = 0; k < uses; k++)
            begin[list->nodes[i][k] + 1]++;
    for (int k = 0; k < s->node_count; k++)
        begin[k + 1] += begin[k];
    for (int i = 0; i < list->count; i++)
        for (int k = 0; k < uses; k++)
            list->of_node[begin[list->nodes[i][k]]++] = i;
    memmove(begin + 1, begin, (size_t)s->node_count * sizeof *begin);
    begin[0] = 0;
}

static carom_status make_list(carom_broad *b, carom_error *error) {
    const carom_surface *s = b->surface;
    carom_pair_list *list = &b->pairs;
    int64_t node_pairs = 0, edge_pairs = 0;
    for (int k = 0; k < SHARES; k++)
        for (int p = 0; p < PARTS; p++) {
            node_pairs += b->shares[k].node_parts[p].count;
            edge_pairs += b->shares[k].edge_parts[p].count;
        }
    if (node_pairs + edge_pairs > MOST_PAIRS)
        return carom_fail(error, CAROM_NUMERICAL, "%lld pairs of nodes, edges and faces are near each other: too many",
                          (long long)(node_pairs + edge_pairs));
    if (!reserve_pairs(b, node_pairs + edge_pairs))
        return no_memory(error);
    list->node_pair_count = (int)node_pairs;
    list->count = (int)(node_pairs + edge_pairs);
    sort_features(b, false, s->node_count, s->face_count, list->features);
    sort_features(b, true, s->edge_count, s->edge_count, list->features + node_pairs);
    name_nodes(s, list);
    link_nodes(s, list);
    return CAROM_OK;
}

static void empty_share(carom_broad_share *share) {
    share->listed = false;
    for (int p = 0; p < PARTS; p++)
        share->node_parts[p].count = share->edge_parts[p].count = 0;
}

static void empty_list(carom_broad *b) {
    for (int k = 0; k < SHARES; k++)
        empty_share(&b->shares[k]);
    b->pairs.count = b->pairs.node_pair_count = 0;
    memset(b->pairs.begin, 0, ((size_t)b->surface->node_count + 1) * sizeof *b->pairs.begin);
}

// The largest magnitude of a coordinate.
static double largest(const carom_surface *s, const double (*x)[3]) {
    double size = 0;
    for (int v = 0; v < s->vertex_count; v++)
        for (int i = 0; i < s->corners; i++)
            size = fmax(size, fabs(x[s->vertices[v]][i]));
    return size;
}

// Finds the pairs of a share anew.
static carom_status search(carom_broad *b, carom_broad_share *share, carom_tree_scope scope, const double (*x)[3],
                           const double (*x1)[3], double reach, carom_error *error) {
    empty_share(share);
    share->searches++;
    // room for rounding
    double size = fmax(largest(b->surface, x), x1 == x ? 0 : largest(b->surface, x1));
    paths p = {x, x1, reach * (1 + 1e-12) + 1e-14 * size};
    carom_status status = carom_tree_fit(&b->tree, x, x1, 0.5 * p.reach, false, error);
    status = status ? status : carom_tree_query(&b->tree, b->exclusions, scope, error);
    if (status)
        return status;
    return find_features(b, share, &p) ? CAROM_OK : no_memory(error);
}

carom_status carom_broad_search(carom_broad *broad, const double (*x)[3], const double (*x1)[3], double reach,
                                carom_error *error) {
    empty_list(broad);
    carom_status status = search(broad, &broad->shares[0], CAROM_TREE_ALL, x, x1 ? x1 : x, reach, error);
    return status ? status : make_list(broad, error);
}

// ---- when to make a new one ----

// How far vertices that are not near may go against each other without touching.
static double far_limit(const carom_wear *wear, double thickness) {
    return (1 - 1e-9) * wear->cell - 2 * wear->side - thickness;
}

static bool serves(carom_broad_share *share, const double (*x)[3], const carom_broad_need *need) {
    if (!share->listed || (!share->wear.between && share->reach > wide * (need->thickness + 2 * need->margin)))
        return false;
    carom_wear_motion motion = carom_wear_of(&share->wear, x, need->w, need->step);
    double deviation = 2 * need->allowance;
    return motion.near + deviation + need->thickness <= share->reach &&
           motion.far + deviation <= far_limit(&share->wear, need->thickness);
}

// The pairs that meet on the way of this step.
static carom_status list_way(carom_broad *b, carom_broad_share *share, const double (*x)[3], const carom_broad_need *need,
                             carom_error *error) {
    const carom_surface *s = b->surface;
    for (int v = 0; v < s->vertex_count; v++)
        for (int i = 0; i < 3; i++)
            b->ends[s->vertices[v]][i] = x[s->vertices[v]][i] + need->step * need->w[s->vertices[v]][i];
    return search(b, share, CAROM_TREE_BETWEEN, x, (const double(*)[3])b->ends, need->thickness + 2 * need->allowance, error);
}

// The pairs of a share for some steps.
static carom_status list_share(carom_broad *b, int k, const double (*x)[3], const carom_broad_need *need, carom_error *error) {
    carom_broad_share *share = &b->shares[k];
    bool between = k == CAROM_BROAD_BETWEEN;
    double way = need->step * carom_wear_speed(&share->wear, need->w), deviation = 2 * need->allowance;
    if (between && way > need->margin)
        return list_way(b, share, x, need, error);

    // cells that leave room for the motion of what is not near
    double room = fmax(far_ratio * 2 * need->margin, 2 * way) + deviation;
    carom_status status = carom_wear_start(&share->wear, x, 1.001 * (need->thickness + room), error);
    if (status)
        return status;
    double near = carom_wear_of(&share->wear, x, need->w, need->step).near;
    double part = between ? between_part : 1, steps = between ? life : 1;
    share->reach = need->thickness + fmax(2 * part * need->margin, steps * near * (1 + 1e-9) + deviation);
    status = search(b, share, between ? CAROM_TREE_BETWEEN : CAROM_TREE_WITHIN, x, x, share->reach, error);
    share->listed = !status;
    return status;
}

// Refuses what is not finite.
static carom_status check(carom_broad *b, const double (*x)[3], const carom_broad_need *need, carom_error *error) {
    const carom_surface *s = b->surface;
    for (int v = 0; v < s->vertex_count; v++) {
        const double *place = x[s->vertices[v]], *u = need->w[s->vertices[v]];
        if (!isfinite(place[0] + place[1] + place[2]) || !isfinite(u[0] + u[1] + u[2]))
            return carom_fail(error, CAROM_NUMERICAL, "the position or velocity of node %d is not finite", s->vertices[v]);
    }
    return CAROM_OK;
}

carom_status carom_broad_update(carom_broad *broad, const double (*x)[3], carom_broad_need need, bool *renewed,
                                carom_error *error) {
    *renewed = false;
    carom_status status = CAROM_OK;
    for (int k = 0; k < SHARES && !status; k++) {
        if (serves(&broad->shares[k], x, &need))
            continue;
        status = *renewed ? CAROM_OK : check(broad, x, &need, error);
        *renewed = true;
        status = status ? status : list_share(broad, k, x, &need, error);
    }
    if (!status && *renewed)
        status = make_list(broad, error);
    if (status)
        empty_list(broad);
    return status;
}
