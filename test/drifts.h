// SPDX-License-Identifier: MIT
// Random scenes of bodies that collide in a drift, resolved by a single loop and by another method, and compared.
#ifndef CAROM_TEST_DRIFTS_H
#define CAROM_TEST_DRIFTS_H

#include "carom/threads.h"
#include "contact/broad/list.h"
#include "contact/impact/drift.h"
#include "math/vec3.h"
#include "support.h"

// Impacts rarely lead a node farther from its path; if they do, both methods undo the drift.
#define ALLOWANCE 0.4

enum { BODIES = 20, NODES = 4 * BODIES, SCENES = 1000, STEPS = 3 };

// Tetrahedra on a grid of cells, some of them held, above a plane.
typedef struct scene {
    double mass[NODES], x[NODES][3], w[NODES][3], v[NODES][3];
    carom_surface surface;
    carom_broad broad;
    carom_contact planes[NODES];
    int plane_begin[NODES + 1], plane_of_node[NODES];
    carom_candidates fixed;
    carom_restraint held[NODES];
    int restraint_of[NODES];
    carom_restraints restraints;
    carom_contact_laws laws;
} scene;

// The state and the lists after impacts were resolved by one method.
typedef struct resolution {
    double x[NODES][3], w[NODES][3];
    carom_drift_space space;
    carom_impacts impacts;
} resolution;

static void make_nodes(scene *s, uint64_t *seed) {
    static const double corner[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    double speed = exp(random_real(seed, -4, -1)), spacing = random_real(seed, 0.95, 2);
    for (int b = 0; b < BODIES; b++) {
        // rows of four that nearly touch, with a small distance between rows
        double place[3] = {0.95 * (b % 4), spacing * (b / 4), 0.5}, velocity[3];
        for (int i = 0; i < 3; i++) {
            place[i] += random_real(seed, -0.08, 0.08);
            velocity[i] = speed * random_real(seed, -1, 1);
        }
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < 3; i++) {
                int node = 4 * b + k;
                s->x[node][i] = place[i] + 0.4 * corner[k][i] + random_real(seed, -0.02, 0.02);
                s->w[node][i] = b < 2 ? 0 : velocity[i] + 0.2 * speed * random_real(seed, -1, 1);
                s->mass[node] = random_real(seed, 0.5, 2);
            }
    }
}

static void start(scene *s, uint64_t *seed) {
    *s = (scene){0};
    make_nodes(s, seed);
    static const int side[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
    int faces[4 * BODIES][3], body[4 * BODIES];
    for (int f = 0; f < 4 * BODIES; f++) {
        body[f] = f / 4;
        for (int k = 0; k < 3; k++)
            faces[f][k] = 4 * (f / 4) + side[f % 4][k];
    }
    carom_surface_def def = {.corners = 3, .node_count = NODES, .body_count = BODIES, .face_count = 4 * BODIES};
    def.nodes = faces[0];
    def.body = body;
    assert_ok(carom_surface_build(&def, &s->surface, error));
    assert_ok(carom_broad_create(&s->surface, NULL, &s->broad, error));
    for (int k = 0; k < NODES; k++) {
        s->planes[k] = (carom_contact){.kind = CAROM_CONTACT_NODE_PLANE, .body = {k / 4, -1}, .count = 1, .node = {k}};
        s->planes[k].weight[0] = s->planes[k].normal[2] = 1;
        s->plane_begin[k + 1] = k + 1;
        s->plane_of_node[k] = k;
        // two bodies are held
        s->restraint_of[k] = k < 8 ? k : -1;
        s->held[k] = (carom_restraint){.node = k, .count = 3, .direction = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    }
    s->fixed = (carom_candidates){NODES, s->planes, s->plane_begin, s->plane_of_node};
    s->restraints = (carom_restraints){8, s->held, s->restraint_of};
    s->laws.general = (carom_contact_law){random_real(seed, 0, 1) < 0.3 ? 0 : random_real(seed, 0, 1), 0.2};
}

static void end(scene *s) {
    carom_broad_release(&s->broad);
    carom_surface_release(&s->surface);
}

// Resolves the drift of the scene by one method, which may fail.
static carom_status try(const scene *s, carom_drift_grouping grouping, int threads, carom_together *together,
                        resolution *result) {
    *result = (resolution){0};
    memcpy(result->x, s->x, sizeof s->x);
    memcpy(result->w, s->w, sizeof s->w);
    assert_ok(carom_drift_reserve(&result->space, NODES, NODES, error));
    assert_ok(carom_impacts_reserve(&result->impacts, NODES, error));
    carom_contact_interval interval = {
        .neighbours = {.fixed = &s->fixed,
                       .surface = &s->surface,
                       .pairs = &s->broad.pairs,
                       .laws = &s->laws,
                       .layer = {.height = 1e-4, .slow = 1e-5},
                       .length = 1},
        .mobility = {s->mass, &s->restraints},
        .node_count = NODES,
        .length = 1,
        .step = 1,
        .allowance = ALLOWANCE,
        .together = together,
    };
    result->space.grouping = grouping;
    carom_set_threads(threads);
    return carom_drift_run(&interval, &result->space, (const double(*)[3])s->v, result->x, result->w, &result->impacts, NULL);
}

static void fly(const scene *s, carom_drift_grouping grouping, int threads, carom_together *together, resolution *result) {
    assert_int_equal(try(s, grouping, threads, together, result), CAROM_OK);
}

static void land(resolution *result) {
    carom_drift_release(&result->space);
    carom_impacts_release(&result->impacts);
}

// True if both results are equal to the last bit, in the same order.
static bool equal(const resolution *a, const resolution *b) {
    const carom_impacts *p = &a->impacts, *q = &b->impacts;
    if (memcmp(a->x, b->x, sizeof a->x) != 0 || memcmp(a->w, b->w, sizeof a->w) != 0 || p->outran != q->outran)
        return false;
    // undone: the lists are meaningless
    if (p->outran)
        return true;
    if (p->hits.count != q->hits.count || p->settled != q->settled || p->held != q->held ||
        p->flight_count != q->flight_count || p->clusters.count != q->clusters.count)
        return false;
    for (int h = 0; h < p->hits.count; h++) {
        const carom_hit *g = &p->hits.items[h], *k = &q->hits.items[h];
        if (g->time != k->time || memcmp(g->impulse, k->impulse, sizeof g->impulse) != 0 || g->restitution != k->restitution ||
            memcmp(g->contact.node, k->contact.node, sizeof g->contact.node) != 0)
            return false;
    }
    for (int f = 0; f < p->flight_count; f++)
        if (p->flights[f].node != q->flights[f].node || memcmp(p->flights[f].w, q->flights[f].w, sizeof p->flights[f].w) != 0 ||
            p->flight_of[p->flights[f].node] != q->flight_of[p->flights[f].node])
            return false;
    for (int k = 0; k < p->clusters.count; k++)
        if (p->clusters.touched[k] != q->clusters.touched[k])
            return false;
    for (int k = 0; k < NODES; k++)
        if (carom_clusters_root(&p->clusters, k) != carom_clusters_root(&q->clusters, k))
            return false;
    return true;
}

// Counts over many scenes.
typedef struct tally {
    int drifts, impacts, grouped, groups, runs, different;
} tally;

static tally compare(carom_drift_grouping grouping, int scenes, carom_together *together) {
    uint64_t seed = 11;
    tally sum = {0};
    for (int trial = 0; trial < scenes; trial++) {
        scene s;
        start(&s, &seed);
        for (int step = 0; step < STEPS; step++) {
            for (int k = 0; k < NODES; k++)
                for (int i = 0; i < 3; i++)
                    s.v[k][i] = s.w[k][i] + 1e-3;
            carom_broad_need need = {
                .w = (const double(*)[3])s.w, .step = 1, .allowance = ALLOWANCE, .margin = 0.5, .thickness = 0.01};
            bool renewed;
            assert_ok(carom_broad_update(&s.broad, (const double(*)[3])s.x, need, &renewed, error));
            static resolution one, many;
            fly(&s, CAROM_DRIFT_NEVER, 1, NULL, &one);
            fly(&s, grouping, together ? 1 : 1 + trial % 4, together, &many);
            bool same = equal(&one, &many);
            if (grouping == CAROM_DRIFT_ALWAYS && !same)
                fail_msg("scene %d, step %d: %d impacts in one loop, %d in groups", trial, step, one.impacts.hits.count,
                         many.impacts.hits.count);
            sum.different += !same;
            sum.drifts += one.impacts.hits.count > 0;
            sum.impacts += one.impacts.hits.count;
            sum.grouped += many.space.groups > 0;
            sum.groups += many.space.groups;
            sum.runs += many.space.group_runs;
            memcpy(s.x, one.x, sizeof s.x);
            memcpy(s.w, one.w, sizeof s.w);
            bool undone = one.impacts.outran;
            land(&one);
            land(&many);
            if (undone)
                break;
        }
        end(&s);
    }
    carom_set_threads(1);
    return sum;
}

#endif
