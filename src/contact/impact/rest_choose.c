// SPDX-License-Identifier: MIT
// Pairs are bounded in batches first: most are certainly too far apart. What is left is tested one by one, cheap conditions
// before expensive ones.
#include "contact/impact/rest_choose.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "carom/threads.h"
#include "contact/impact/nearest_feature.h"
#include "contact/narrow/clearance.h"
#include "math/vec3.h"

// Bounds are enlarged by this factor, far more than the rounding of what they bound.
static const double rounding_margin = 1 + 1e-9;

enum {
    BATCH = CAROM_PAIR_BATCH,     // pairs whose distances are bounded at once
    TURNS = 8,                    // of a thread
    SHARED_PAIRS = 2048,          // pairs above which threads share the test of them: some 30 ns each
    SHARED_VERTICES = 8192,       // vertices above which threads share the changes of their velocities: some 5 ns each
    SHARED_AMONG_PROCESSES = 4096 // pairs above which processes share the test: to join what they have found takes some 50 us
};

// Pairs that are near cost many times what the others do, and stand together, so that each thread has several turns; within a
// turn they have nodes in common, which other cores have written.
// How many batches a thread takes at a time.
static int turn_of(int batches) {
    int turn = batches / (TURNS * carom_threads());
    return turn > 1 ? turn : 1;
}

bool carom_rest_reserve(carom_rest_space *space, int count) {
    if (count <= space->capacity)
        return true;
    int64_t capacity = count + (int64_t)count / 2;
    bool enough = carom_arena_renew(&space->of_pairs);
    space->nearest = carom_arena_reserve(space->of_pairs, capacity, sizeof *space->nearest, &enough);
    space->near = carom_arena_reserve(space->of_pairs, capacity, sizeof *space->near, &enough);
    // the last batch of each kind may be short, and one more place ends them
    space->places = carom_arena_reserve(space->of_pairs, capacity / BATCH + 3, sizeof *space->places, &enough);
    space->capacity = enough ? capacity : 0;
    return enough;
}

// Room for a number of each node.
static bool ensure_nodes(carom_rest_space *space, int count) {
    if (count <= space->node_capacity)
        return true;
    bool enough = carom_arena_renew(&space->of_nodes);
    space->changes = carom_arena_reserve(space->of_nodes, count, sizeof *space->changes, &enough);
    space->node_capacity = enough ? count : 0;
    return enough;
}

// What the choice looks at.
typedef struct view {
    const carom_contact_interval *interval;
    const double (*x)[3], (*w_before)[3], (*w)[3];
    const double *changes; // per vertex: square of its velocity change by the kick; NULL: not known
} view;

static double change_of(const view *at, int node) {
    double change[3];
    carom_difference(at->w[node], at->w_before[node], change);
    return carom_dot(change, change);
}

// Of all vertices, where most have several pairs.
static void find_changes(const view *at, double *changes) {
    const carom_surface *surface = at->interval->neighbours.surface;
#pragma omp parallel for schedule(static) if (surface->vertex_count > SHARED_VERTICES)
    for (int v = 0; v < surface->vertex_count; v++)
        changes[surface->vertices[v]] = change_of(at, surface->vertices[v]);
}

// What holds for a pair because of its bodies.
typedef struct terms {
    double restitution, offset;
} terms;

static terms terms_of(const carom_neighbours *neighbours, int p) {
    int body[2];
    carom_neighbours_bodies(neighbours, p, body);
    return (terms){carom_contact_law_of(neighbours->laws, body).restitution, body[0] == body[1] ? 0 : neighbours->layer.offset};
}

// True if a rigid body carries one of the nodes.
static bool is_rigid(const carom_contact_interval *interval, const int *node, int count) {
    const carom_rigid_bodies *rigid_bodies = interval->mobility.rigid_bodies;
    for (int k = 0; rigid_bodies && k < count; k++)
        if (rigid_bodies->of_node[node[k]] >= 0)
            return true;
    return false;
}

// How fast two features approach at most.
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

// A distance beyond which pair number p does not take part in the solve, whatever its nearest points are. Weights of a side sum
// to one, so the kick closes the pair no faster than the sum of the largest velocity changes on its two sides, a and b with
// a + b <= sqrt(2 (a^2 + b^2)). Contacts of rigid bodies take part if they are within reach of the drift.
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

// Two surfaces act on each other at their nearest points: a node above a face, unless the surface around the node leads still
// closer to that face; a node at a sharp edge or corner; two edges that cross. Edges that meet at their ends leave it to the
// nodes.
static bool acts(const carom_neighbours *neighbours, int p, const double (*x)[3], const carom_nearest *nearest) {
    const carom_pair_list *pairs = neighbours->pairs;
    const int *features = pairs->features[p];
    if (p < pairs->node_pair_count)
        return nearest->inside ? !carom_surface_runs_on(neighbours->surface, x, features[0], features[1], nearest)
                               : carom_surface_node_is_nearest(neighbours->surface, x, features[0], features[1], nearest);
    return carom_surface_edges_are_nearest(neighbours->surface, x, features, nearest);
}

// The speed that the kick gives the nodes of a pair along its normal, whatever their directions; *closing is the rate at which
// it closes the pair. These and the rate are the same for the record of the contact, in which both signs may be turned.
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

// Looks at the pairs of a batch. Most are certainly too far apart. Returns how many take part.
static int check_batch(const view *at, carom_rest_space *space, carom_pair_batch batch) {
    const carom_neighbours *neighbours = &at->interval->neighbours;
    carom_narrow_kind kind = carom_neighbours_kind(neighbours, batch.begin);
    terms of[BATCH] = {{0}};
    double far[BATCH] = {0}, gap[BATCH];
    int count = batch.end - batch.begin, near = 0;
    bool any = false;
    for (int j = 0; j < count; j++) {
        of[j] = terms_of(neighbours, batch.begin + j);
        // elastic contacts never rest: they are too far apart at any distance
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

// What a process tells of a pair that takes part in the solve.
typedef struct chosen_pair {
    int pair;
    carom_nearest nearest;
} chosen_pair;

// Joins the pairs that processes have chosen, each among its own: this one `near` of them. False if memory is short, or if
// `near` is negative.
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

// Looks at the batches from `from` to before `to`. Returns how many of their pairs take part.
static int check_all(const view *at, carom_rest_space *space, int from, int to) {
    const carom_pair_list *pairs = at->interval->neighbours.pairs;
    int near = 0;
#pragma omp parallel for schedule(dynamic, turn_of(to - from)) reduction(+ : near) if (pairs->count > SHARED_PAIRS)
    for (int k = from; k < to; k++)
        near += space->places[k + 1] = check_batch(at, space, carom_pair_batch_at(pairs, k));
    return near;
}

// The same where processes share the batches: each looks at its slice.
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
