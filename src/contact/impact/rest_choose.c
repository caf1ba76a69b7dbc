// SPDX-License-Identifier: MIT
// Selects the pairs of surfaces that are near enough to take part in the resting solve at a kick (rest_choose.h). A lower bound
// of the distances of a batch of pairs (up to 32, processed together) excludes most pairs. The remaining ones are tested one by
// one, cheap conditions before expensive ones.
#include "contact/impact/rest_choose.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "carom/threads.h"
#include "contact/impact/nearest_feature.h"
#include "contact/narrow/clearance.h"
#include "math/vec3.h"

// Bounds are enlarged by this factor, which covers rounding.
static const double rounding_margin = 1 + 1e-9;

enum {
    BATCH = CAROM_PAIR_BATCH,     // number of pairs whose distances are bounded together
    CHUNKS_PER_THREAD = 8,        // number of chunks of batches per thread
    SHARED_PAIRS = 2048,          // number of pairs above which threads share the test: about 30 ns each
    SHARED_VERTICES = 8192,       // number of vertices above which threads share their velocity changes: about 5 ns each
    SHARED_AMONG_PROCESSES = 4096 // number of pairs above which processes share the test: merging takes about 50 us
};

// Number of batches in a chunk of work. Near pairs take much longer than others and are consecutive, so each thread gets
// several chunks; pairs of a chunk have nodes in common, which keeps them in the cache.
static int chunk_of(int batches) {
    int chunk = batches / (CHUNKS_PER_THREAD * carom_threads());
    return chunk > 1 ? chunk : 1;
}

bool carom_rest_reserve(carom_rest_space *space, int count) {
    if (count <= space->capacity)
        return true;
    int64_t capacity = count + (int64_t)count / 2;
    bool enough = carom_arena_renew(&space->of_pairs);
    space->nearest = carom_arena_reserve(space->of_pairs, capacity, sizeof *space->nearest, &enough);
    space->near = carom_arena_reserve(space->of_pairs, capacity, sizeof *space->near, &enough);
    // the last batch of each kind may be short, and one more entry is for the end
    space->places = carom_arena_reserve(space->of_pairs, capacity / BATCH + 3, sizeof *space->places, &enough);
    space->capacity = enough ? capacity : 0;
    return enough;
}

// Reserves `changes` for `count` nodes. False if memory is short.
static bool ensure_nodes(carom_rest_space *space, int count) {
    if (count <= space->node_capacity)
        return true;
    bool enough = carom_arena_renew(&space->of_nodes);
    space->changes = carom_arena_reserve(space->of_nodes, count, sizeof *space->changes, &enough);
    space->node_capacity = enough ? count : 0;
    return enough;
}

// The input of the selection.
typedef struct view {
    const carom_contact_interval *interval;
    const double (*x)[3], (*w_before)[3], (*w)[3];
    const double *changes; // per node of a surface: square of its velocity change by the kick; NULL: not computed
} view;

static double change_of(const view *at, int node) {
    double change[3];
    carom_difference(at->w[node], at->w_before[node], change);
    return carom_dot(change, change);
}

// The changes of all vertices, computed once if most have several pairs.
static void find_changes(const view *at, double *changes) {
    const carom_surface *surface = at->interval->neighbours.surface;
#pragma omp parallel for schedule(static) if (surface->vertex_count > SHARED_VERTICES)
    for (int v = 0; v < surface->vertex_count; v++)
        changes[surface->vertices[v]] = change_of(at, surface->vertices[v]);
}

// Parameters of a pair that depend on its bodies.
typedef struct terms {
    double restitution, offset;
} terms;

static terms terms_of(const carom_neighbours *neighbours, int p) {
    int body[2];
    carom_neighbours_bodies(neighbours, p, body);
    return (terms){carom_contact_law_of(neighbours->laws, body).restitution, body[0] == body[1] ? 0 : neighbours->layer.offset};
}

// True if one of the nodes belongs to a rigid body.
static bool is_rigid(const carom_contact_interval *interval, const int *node, int count) {
    const carom_rigid_bodies *rigid_bodies = interval->mobility.rigid_bodies;
    for (int k = 0; rigid_bodies && k < count; k++)
        if (rigid_bodies->of_node[node[k]] >= 0)
            return true;
    return false;
}

// Upper bound of the speed of approach of two features.
static double approach_of(const double (*w)[3], const int *node, int split, int count) {
    double square = 0;
    for (int i = 0; i < split; i++)
        for (int k = split; k < count; k++) {
            double u[3];
            carom_difference(w[node[i]], w[node[k]], u);
            square = fmax(square, carom_dot(u, u));
        }
    return rounding_margin * sqrt(square);
}

static inline double larger(double a, double b) {
    return a > b ? a : b;
}

// A distance beyond which pair number p does not take part in the solve for any nearest points. Weights of a side sum to one,
// so the kick closes the pair no faster than the sum of the largest velocity changes on its two sides, a and b with
// a + b <= sqrt(2 (a^2 + b^2)). Contacts of rigid bodies take part if they may close in the drift.
static double farthest(const view *at, carom_narrow_kind kind, int p, double offset) {
    const carom_contact_interval *interval = at->interval;
    const int *node = interval->neighbours.pairs->nodes[p];
    int split = carom_narrow_split(kind), count = carom_narrow_count(kind);
    double square[2] = {0}, eta = interval->neighbours.layer.height;
    for (int k = 0; k < count; k++)
        square[k >= split] = larger(at->changes ? at->changes[node[k]] : change_of(at, node[k]), square[k >= split]);
    double closing = rounding_margin * sqrt(2 * (square[0] + square[1]));
    if (is_rigid(interval, node, count))
        closing = fmax(closing, approach_of(at->w, node, split, count));
    double most = larger(CAROM_REST_NEAR_LAYERS * eta, eta + 2 * interval->step * closing);
    return offset + rounding_margin * (interval->reach < most ? interval->reach : most);
}

// True if pair p is nearest on both surfaces, not only on its features: a node above a face, unless the surface around the node
// continues towards that face; a node at a sharp edge or corner; two edges that cross. Edges that are nearest at their ends are
// left to the node pairs.
static bool acts(const carom_neighbours *neighbours, int p, const double (*x)[3], const carom_nearest *nearest) {
    const carom_pair_list *pairs = neighbours->pairs;
    const int *features = pairs->features[p];
    if (p < pairs->node_pair_count)
        return nearest->inside ? !carom_surface_continues(neighbours->surface, x, features[0], features[1], nearest)
                               : carom_surface_node_is_nearest(neighbours->surface, x, features[0], features[1], nearest);
    return carom_surface_edges_are_nearest(neighbours->surface, x, features, nearest);
}

// The sum of the speeds along the normal that the kick gives to the nodes of a pair, regardless of sign; *closing is the rate
// at which it closes the pair. Both are the same for the contact record, which may reverse the signs of the normal and of the
// weights.
static double kick_of(const view *at, const carom_nearest *nearest, const int *node, int count, double *closing) {
    double kick = 0;
    *closing = 0;
    for (int k = 0; k < count; k++) {
        double change[3];
        carom_difference(at->w[node[k]], at->w_before[node[k]], change);
        double along = nearest->weight[k] * carom_dot(nearest->normal, change);
        kick += fabs(along);
        *closing -= along;
    }
    return kick;
}

static double rate_of(const carom_nearest *nearest, const int *node, int count, const double (*v)[3]) {
    double u[3] = {0};
    for (int k = 0; k < count; k++)
        if (nearest->weight[k] != 0)
            carom_add_scaled(nearest->weight[k], v[node[k]], u);
    return carom_dot(nearest->normal, u);
}

// True if pair number p takes part in the solve; *nearest are its nearest points. The most expensive condition is the last.
static bool is_within_reach(const view *at, carom_narrow_kind kind, int p, terms of, carom_nearest *nearest) {
    const carom_contact_interval *interval = at->interval;
    const carom_neighbours *neighbours = &interval->neighbours;
    const int *node = neighbours->pairs->nodes[p];
    int count = carom_narrow_count(kind);
    double y[4][3], closing;
    for (int k = 0; k < count; k++)
        carom_difference(at->x[node[k]], at->x[node[0]], y[k]);
    carom_narrow_nearest(kind, (carom_const_vectors)y, NULL, nearest);
    if (nearest->distance > interval->reach + of.offset || (kind == CAROM_NARROW_EDGE_EDGE && !nearest->inside))
        return false;
    double eta = carom_narrow_act_height(neighbours->layer, nearest), kick = kick_of(at, nearest, node, count, &closing);
    if (is_rigid(interval, node, count))
        closing = fmax(closing, -rate_of(nearest, node, count, at->w));
    if (nearest->distance - of.offset > fmax(CAROM_REST_NEAR_LAYERS * eta, eta + 2 * interval->step * closing))
        return false;
    return (of.restitution == 0 || -rate_of(nearest, node, count, at->w_before) <= CAROM_REST_AS_FAST_AS_KICK * kick) &&
           acts(neighbours, p, at->x, nearest);
}

// Tests the pairs of a batch. Returns the number of those that take part.
static int check_batch(const view *at, carom_rest_space *space, carom_pair_batch batch) {
    const carom_neighbours *neighbours = &at->interval->neighbours;
    carom_narrow_kind kind = carom_neighbours_kind(neighbours, batch.begin);
    terms of[BATCH] = {{0}};
    double far[BATCH] = {0}, gap[BATCH];
    int count = batch.end - batch.begin, near = 0;
    bool any = false;
    for (int j = 0; j < count; j++) {
        of[j] = terms_of(neighbours, batch.begin + j);
        // elastic contacts never rest: they are excluded at any distance
        bool can_rest = of[j].restitution < 1;
        far[j] = can_rest ? farthest(at, kind, batch.begin + j, of[j].offset) : -HUGE_VAL;
        gap[j] = HUGE_VAL;
        any = any || can_rest;
    }
    if (any)
        carom_clearance_now(kind, count, (const int(*)[4])neighbours->pairs->nodes + batch.begin, far, at->x, gap);
    for (int j = 0; j < count; j++) {
        int p = batch.begin + j;
        space->near[p] = !(gap[j] > 0) && is_within_reach(at, kind, p, of[j], &space->nearest[p]);
        near += space->near[p];
    }
    return near;
}

// The record of a pair that takes part in the solve, as processes exchange it.
typedef struct chosen_pair {
    int pair;
    carom_nearest nearest;
} chosen_pair;

// Merges the pairs that processes have selected, each among its own pairs; this process has `near`. False if memory is short,
// or if `near` is negative.
static bool join_chosen(carom_together *together, carom_rest_space *space, int count, carom_pair_batch mine, int near) {
    chosen_pair *own = near < 0 ? NULL : carom_allocate(near, sizeof *own);
    int chosen_count = 0;
    for (int p = mine.begin; own && p < mine.end; p++)
        if (space->near[p])
            own[chosen_count++] = (chosen_pair){p, space->nearest[p]};
    const void *all;
    int64_t total;
    bool joined = carom_together_join(together, own, own ? near : -1, sizeof *own, &all, &total);
    free(own);
    for (int p = 0; joined && p < count; p++)
        space->near[p] = false;
    for (int64_t i = 0; joined && i < total; i++) {
        const chosen_pair *one = &((const chosen_pair *)all)[i];
        space->near[one->pair] = true;
        space->nearest[one->pair] = one->nearest;
    }
    return joined;
}

// Tests the batches from `from` to before `to`. Returns the number of pairs that take part.
static int check_all(const view *at, carom_rest_space *space, int from, int to) {
    const carom_pair_list *pairs = at->interval->neighbours.pairs;
    int near = 0;
#pragma omp parallel for schedule(dynamic, chunk_of(to - from)) reduction(+ : near) if (pairs->count > SHARED_PAIRS)
    for (int k = from; k < to; k++)
        near += space->places[k + 1] = check_batch(at, space, carom_pair_batch_at(pairs, k));
    return near;
}

// The same if processes share the batches: each tests its slice. -1 if memory is short.
static int check_jointly(const view *at, carom_rest_space *space, int batches) {
    const carom_pair_list *pairs = at->interval->neighbours.pairs;
    int64_t from, to;
    carom_together_slice(batches, &from, &to);
    int near = check_all(at, space, (int)from, (int)to);
    if (!join_chosen(at->interval->together, space, pairs->count, carom_pair_batches_between(pairs, from, to), near))
        return -1;
    near = 0;
    for (int k = 0; k < batches; k++) {
        carom_pair_batch batch = carom_pair_batch_at(pairs, k);
        space->places[k + 1] = 0;
        for (int p = batch.begin; p < batch.end; p++)
            space->places[k + 1] += space->near[p];
        near += space->places[k + 1];
    }
    return near;
}

int carom_rest_choose(const carom_contact_interval *interval, carom_rest_space *space, const double (*x)[3],
                      const double (*w_before)[3], const double (*w)[3]) {
    const carom_pair_list *pairs = interval->neighbours.pairs;
    const carom_surface *surface = interval->neighbours.surface;
    int batches = carom_pair_batch_count(pairs);
    bool shared = carom_together_shares(interval->together, pairs->count, SHARED_AMONG_PROCESSES);
    if (pairs->count == 0)
        return 0;
    if (!carom_rest_reserve(space, pairs->count) || !ensure_nodes(space, surface->node_count)) {
        if (shared)
            join_chosen(interval->together, space, 0, (carom_pair_batch){0}, -1);
        return -1;
    }
    bool many = pairs->count > SHARED_PAIRS && pairs->count > surface->vertex_count / 2;
    const view at = {interval, x, w_before, w, many ? space->changes : NULL};
    if (many)
        find_changes(&at, space->changes);
    int near = shared ? check_jointly(&at, space, batches) : check_all(&at, space, 0, batches);
    if (near < 0)
        return -1;
    space->places[0] = 0;
    for (int k = 0; k < batches; k++)
        space->places[k + 1] += space->places[k];
    return near;
}
