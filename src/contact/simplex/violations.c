// SPDX-License-Identifier: MIT
// Theory: docs/theory/nonsmooth_degenerate.md
#include "contact/simplex/violations.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "contact/simplex/look.h"
#include "math/vec3.h"

// In units of the shortest side: what is listed, how deep is not deep, what touches, and what is kept so that sides are known; the latter in units of what is not deep, far from
// the origin.
static const double near = 0.5, shallow = 1e-12, touching = 1e-9, apart = 1e-8, known = 64;

// In units of the clearance: what is left of a pair that is nearly obeyed.
static const double obeyed = 0.1;

static carom_status no_memory(carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for contact");
}

// ---- the set ----

void carom_violation_set_release(carom_violation_set *set) {
    free(set->items);
    free(set->slots);
    *set = (carom_violation_set){0};
}

void carom_violation_set_clear(carom_violation_set *set) {
    set->count = 0;
    if (set->slots)
        memset(set->slots, 0, (size_t)set->slot_count * sizeof *set->slots);
}

static bool are_same(const carom_simplex *a, const carom_simplex *b) {
    return a->kind == b->kind && a->count == b->count && memcmp(a->node, b->node, (size_t)a->count * sizeof *a->node) == 0 &&
           a->body[1] == b->body[1];
}

// The slot of a pair, or the empty one where it belongs.
static int64_t slot_of(const carom_violation_set *set, const carom_simplex *pair) {
    int key[6] = {(int)pair->kind, pair->body[1]};
    memcpy(key + 2, pair->node, (size_t)pair->count * sizeof *key);
    int64_t slot = (int64_t)(carom_hash(CAROM_HASH_START, key, sizeof key) % (uint64_t)set->slot_count);
    while (set->slots[slot] && !are_same(&set->items[set->slots[slot] - 1], pair))
        slot = (slot + 1) % set->slot_count;
    return slot;
}

int carom_violation_set_find(const carom_violation_set *set, const carom_simplex *pair) {
    return set->slot_count ? set->slots[slot_of(set, pair)] - 1 : -1;
}

// A larger table if half of it is full.
static bool grow_slots(carom_violation_set *set) {
    if (2 * (int64_t)(set->count + 1) <= set->slot_count)
        return true;
    int64_t slot_count = set->slot_count ? 2 * set->slot_count : 64;
    int *slots = carom_allocate(slot_count, sizeof *slots);
    if (!slots)
        return false;
    free(set->slots);
    set->slots = slots;
    set->slot_count = slot_count;
    for (int i = 0; i < set->count; i++)
        set->slots[slot_of(set, &set->items[i])] = i + 1;
    return true;
}

bool carom_violation_set_add(carom_violation_set *set, const carom_simplex *pair) {
    carom_simplex *items = carom_grow(set->items, set->count, &set->capacity, sizeof *items);
    if (!items)
        return false;
    set->items = items;
    if (!grow_slots(set))
        return false;
    items[set->count] = *pair;
    set->slots[slot_of(set, pair)] = set->count + 1;
    set->count++;
    return true;
}

// ---- what a look needs ----

bool carom_violation_look_add(carom_violation_look *look, const carom_simplex *pair) {
    if (carom_violation_set_find(look->set, pair) >= 0)
        return false;
    if (!carom_violation_set_add(look->set, pair)) {
        look->failed = true;
        return false;
    }
    look->added++;
    return true;
}

bool carom_violation_look_waits(const carom_violation_look *look, bool added, double depth) {
    return added || (!look->overlaps->def.soft && depth > obeyed * look->clearance);
}

double carom_violation_look_thickness(const carom_violation_look *look, int a, int b) {
    double thickness = a == b ? 0 : look->overlaps->def.thickness;
    return look->surface->open[b] ? fmax(thickness, look->apart) : fmax(thickness, look->clearance);
}

double carom_violation_look_kept(const carom_violation_look *look, double thickness, double start) {
    double least = fmin(thickness, look->apart);
    // rounding does not wear a distance away
    if (look->overlaps->def.soft || start >= (1 - 1e-6) * thickness)
        return thickness;
    return fmax(start, least);
}

// ---- creation ----

static bool has_surface(const carom_violations *o) {
    return o->def.surface && o->def.surface->face_count > 0;
}

carom_status carom_violations_create(const carom_violations_def *def, carom_violations *overlaps, carom_error *error) {
    *overlaps = (carom_violations){.def = *def};
    if (!has_surface(overlaps))
        return CAROM_OK;
    overlaps->length = carom_surface_shortest_side(def->surface, def->X);
    overlaps->reach = near * overlaps->length + 4 * def->thickness;
    overlaps->place = carom_allocate(def->node_count, sizeof *overlaps->place);
    overlaps->busy = carom_allocate(def->node_count, sizeof *overlaps->busy);
    overlaps->taken = carom_allocate(def->surface->edge_count, sizeof *overlaps->taken);
    overlaps->push = carom_allocate(def->node_count, sizeof *overlaps->push);
    if (!overlaps->place || !overlaps->busy || !overlaps->taken || !overlaps->push)
        return no_memory(error);
    carom_status status = carom_tree_create(def->surface, &overlaps->tree, error);
    return status ? status : carom_broad_create(def->surface, def->exclusions, &overlaps->broad, error);
}

void carom_violations_release(carom_violations *overlaps) {
    carom_broad_release(&overlaps->broad);
    carom_tree_release(&overlaps->tree);
    free(overlaps->place);
    free(overlaps->busy);
    free(overlaps->taken);
    free(overlaps->push);
    free(overlaps->findings);
    free(overlaps->meetings);
    free(overlaps->group);
    free(overlaps->crossings);
    *overlaps = (carom_violations){0};
}

// ---- the list of what is near ----

// Whether what was listed for another way holds all that comes within half the reach on this one.
static bool is_fresh(const carom_violations *o, const double (*x0)[3], const double (*x1)[3]) {
    const carom_surface *surface = o->def.surface;
    bool fresh = o->listed;
    double most = 0.25 * o->reach;
    for (int v = 0; v < surface->vertex_count && fresh; v++) {
        int k = surface->vertices[v];
        double a[3], b[3];
        carom_difference(x0[k], o->place[k][0], a);
        carom_difference(x1[k], o->place[k][1], b);
        fresh = carom_dot(a, a) <= most * most && carom_dot(b, b) <= most * most;
    }
    return fresh;
}

static carom_status list(carom_violations *o, const double (*x0)[3], const double (*x1)[3], carom_error *error) {
    const carom_surface *surface = o->def.surface;
    if (is_fresh(o, x0, x1))
        return CAROM_OK;
    o->listed = false;
    carom_status status = carom_broad_search(&o->broad, x0, x1, o->reach, error);
    if (status)
        return status;
    for (int v = 0; v < surface->vertex_count; v++) {
        int k = surface->vertices[v];
        carom_copy(x0[k], o->place[k][0]);
        carom_copy(x1[k], o->place[k][1]);
    }
    o->listed = true;
    return CAROM_OK;
}

// ---- looking ----

carom_simplex carom_violation_fixed(const carom_contact *contact) {
    carom_simplex pair = {
        .kind = contact->kind,
        .count = contact->count,
        .sign = 1,
        .weight = {contact->weight[0], contact->weight[1]},
        .offset = contact->offset,
        .body = {contact->body[0], contact->body[1]},
    };
    memcpy(pair.node, contact->node, sizeof pair.node);
    carom_copy(contact->normal, pair.normal);
    return pair;
}

bool carom_violation_are_held(const carom_violations_def *def, int a, int b) {
    return def->held && (a < 0 || def->held[a]) && (b < 0 || def->held[b]);
}

// Planes and ends: each by itself.
static void look_at_fixed(carom_violation_look *look) {
    const carom_violations_def *def = &look->overlaps->def;
    for (int c = 0; def->candidates && c < def->candidates->count; c++) {
        const carom_contact *contact = &def->candidates->items[c];
        if (carom_violation_are_held(def, contact->body[0], contact->body[1]))
            continue;
        carom_simplex pair = carom_violation_fixed(contact);
        double size = fabs(contact->offset);
        for (int k = 0; k < contact->count; k++)
            size += fabs(contact->weight[k]) * carom_norm(look->way.x1[contact->node[k]]);
        if (carom_simplex_measure(&pair, look->way.x1, NULL) < -4 * DBL_EPSILON * size)
            carom_violation_look_add(look, &pair);
    }
}

static bool reserve_group(carom_violations *o, int count) {
    int *group = carom_grow(o->group, count, &o->group_capacity, sizeof *group);
    if (group)
        o->group = group;
    return group;
}

// Nodes of the surface, with the faces that are listed.
static void look_at_vertices(carom_violation_look *look) {
    carom_violations *o = look->overlaps;
    const carom_pair_list *pairs = &o->broad.pairs;
    for (int p = 0, end; p < pairs->node_pair_count && !look->failed; p = end) {
        int node = pairs->features[p][0], body = look->surface->node_body[node], count = 0;
        for (end = p; end < pairs->node_pair_count && pairs->features[end][0] == node; end++) {
            int face = pairs->features[end][1];
            if (carom_violation_are_held(&o->def, body, look->surface->body[face]))
                continue;
            look->failed = look->failed || !reserve_group(o, count);
            if (!look->failed)
                o->group[count++] = face;
        }
        if (count && !look->failed)
            carom_violation_look_at_node(look, node, body, o->group, count);
    }
}

static bool are_excluded(const carom_exclusions *exclusions, int a, int b) {
    if (exclusions && exclusions->begin)
        for (int i = exclusions->begin[a]; i < exclusions->begin[a + 1]; i++)
            if (exclusions->others[i] == b)
                return true;
    return false;
}

// A search of a tree for what is near a point mass.
typedef struct gathering {
    carom_violations *overlaps;
    const carom_tree *tree;
    double box[2][3];
    int body, dimension;
    int count; // in the group; -1: memory is short
} gathering;

static void gather(gathering *g, int level, int block) {
    const carom_tree *tree = g->tree;
    const carom_violations_def *def = &g->overlaps->def;
    int here = tree->level_begin[level] + block;
    for (int j = 0; j < CAROM_TREE_WIDTH && g->count >= 0; j++) {
        int tag = tree->tags[here][j];
        bool meet = tag != CAROM_TREE_EMPTY && tag != g->body;
        for (int i = 0; i < g->dimension && meet; i++)
            meet =
                (double)tree->boxes[here].lower[i][j] <= g->box[1][i] && g->box[0][i] <= (double)tree->boxes[here].upper[i][j];
        if (!meet || (tag >= 0 && (carom_violation_are_held(def, g->body, tag) || are_excluded(def->exclusions, g->body, tag))))
            continue;
        if (level > 0)
            gather(g, level - 1, CAROM_TREE_WIDTH * block + j);
        else if (reserve_group(g->overlaps, g->count))
            g->overlaps->group[g->count++] = tree->order[CAROM_TREE_WIDTH * block + j];
        else
            g->count = -1;
    }
}

static int compare(const void *a, const void *b) {
    int p = *(const int *)a, q = *(const int *)b;
    return (p > q) - (p < q);
}

int carom_violation_gather(carom_violations *overlaps, const carom_tree *tree, const carom_way *way, int node, int body,
                           double room) {
    gathering g = {.overlaps = overlaps, .tree = tree, .body = body, .dimension = way->dimension};
    for (int i = 0; i < 3; i++) {
        double a = way->x0[node][i], b = way->x1[node][i];
        g.box[0][i] = (fmin(a, b) - room - tree->centre[i]) * tree->scale;
        g.box[1][i] = (fmax(a, b) + room - tree->centre[i]) * tree->scale;
    }
    if (tree->level_count)
        gather(&g, tree->level_count - 1, 0);
    if (g.count > 0)
        qsort(overlaps->group, (size_t)g.count, sizeof *overlaps->group, compare);
    return g.count;
}

static void look_at_isolated(carom_violation_look *look) {
    carom_violations *o = look->overlaps;
    for (int p = 0; p < o->def.isolated_count && !look->failed; p++) {
        int node = o->def.isolated[p], body = o->def.isolated_body[p];
        int count = carom_violation_gather(o, &o->broad.tree, &look->way, node, body, 0.5 * o->reach);
        look->failed = count < 0;
        if (count > 0)
            carom_violation_look_at_node(look, node, body, o->group, count);
    }
}

double carom_violation_rounding(const carom_surface *surface, const double (*x)[3]) {
    double size = 0;
    for (int v = 0; v < surface->vertex_count; v++)
        for (int i = 0; i < surface->corners; i++)
            size = fmax(size, fabs(x[surface->vertices[v]][i]));
    return 16 * DBL_EPSILON * size;
}

carom_status carom_violations_add(carom_violations *overlaps, const double (*x0)[3], const double (*x1)[3],
                                  carom_violation_set *set, int *added, int *ambiguous, carom_error *error) {
    const carom_surface *surface = overlaps->def.surface;
    carom_violation_look look = {.overlaps = overlaps, .surface = surface, .way = {x0, x1, 3}, .set = set};
    *added = *ambiguous = 0;
    look_at_fixed(&look);
    if (has_surface(overlaps)) {
        carom_status status = list(overlaps, x0, x1, error);
        if (status)
            return status;
        overlaps->look++;
        look.way.dimension = surface->corners;
        look.tolerance = fmax(shallow * overlaps->length, carom_violation_rounding(surface, x1));
        look.touching = fmax(touching * overlaps->length, 4 * look.tolerance);
        look.apart = fmax(apart * overlaps->length, known * look.tolerance);
        look.clearance = surface->corners == 3 ? look.apart : 0;
        look_at_vertices(&look);
        look_at_isolated(&look);
        carom_violation_look_decide(&look, true);
        if (surface->corners == 3 && !look.failed) {
            if (look.added == 0)
                carom_violation_look_at_faces(&look);
            carom_violation_look_at_edges(&look);
        }
        carom_violation_look_decide(&look, false);
    }
    *added = look.added;
    *ambiguous = look.ambiguous;
    return look.failed ? no_memory(error) : CAROM_OK;
}

bool carom_violations_any_near(const carom_violations *overlaps) {
    return has_surface(overlaps) && (overlaps->broad.pairs.count > 0 || overlaps->def.isolated_count > 0);
}
