// SPDX-License-Identifier: MIT
// The broad phase on two spheres that overlap by 2 % of their radius: all pairs of triangles whose boxes overlap, and the list
// of all pairs of nodes, edges and faces within a margin.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "carom/threads.h"
#include "contact/broad/list.h"

// Two bodies of triangles.
typedef struct spheres {
    int node_count, face_count;
    double (*x)[3];
    int (*faces)[3];
    int *body;
} spheres;

// The node in the middle of an edge, kept in a hash table with linear probing. Node 0 is a corner, so that 0 marks an empty
// slot.
typedef struct middle {
    int from, to, node;
} middle;

static int middle_of(spheres *s, middle *table, int size, int a, int b) {
    int from = a < b ? a : b, to = a < b ? b : a;
    unsigned place = ((unsigned)from * 2654435761u ^ (unsigned)to * 2246822519u) % (unsigned)size;
    for (; table[place].node; place = (place + 1) % (unsigned)size)
        if (table[place].from == from && table[place].to == to)
            return table[place].node;
    table[place] = (middle){from, to, s->node_count};
    double *x = s->x[s->node_count], length = 0;
    for (int i = 0; i < 3; i++) {
        x[i] = s->x[a][i] + s->x[b][i];
        length += x[i] * x[i];
    }
    for (int i = 0; i < 3; i++)
        x[i] /= sqrt(length);
    return s->node_count++;
}

// An icosahedron whose triangles are repeatedly split into four, with all nodes on the unit sphere.
static bool icosphere(spheres *s, int levels) {
    static const int first[20][3] = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                                     {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                                     {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
    double g = 0.5 * (1 + sqrt(5)), r = sqrt(1 + g * g);
    const double corners[12][3] = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                                   {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    for (int k = 0; k < 12; k++)
        for (int i = 0; i < 3; i++)
            s->x[k][i] = corners[k][i] / r;
    memcpy(s->faces, first, sizeof first);
    s->node_count = 12;
    s->face_count = 20;
    for (int l = 0; l < levels; l++) {
        int size = 4 * s->face_count, count = s->face_count;
        middle *table = calloc((size_t)size, sizeof *table);
        if (!table)
            return false;
        for (int f = 0; f < count; f++) {
            int a = s->faces[f][0], b = s->faces[f][1], c = s->faces[f][2];
            int ab = middle_of(s, table, size, a, b), bc = middle_of(s, table, size, b, c),
                ca = middle_of(s, table, size, c, a);
            const int parts[4][3] = {{ab, bc, ca}, {a, ab, ca}, {ab, b, bc}, {ca, bc, c}};
            memcpy(s->faces[f], parts[0], sizeof parts[0]);
            memcpy(s->faces[s->face_count], parts[1], 3 * sizeof parts[0]);
            s->face_count += 3;
        }
        free(table);
    }
    return true;
}

// Two such spheres, the second one rotated by angles that are not those of a symmetry, so that no boxes align.
static bool make_spheres(spheres *s, int levels) {
    int faces = 20 << 2 * levels, nodes = faces / 2 + 2;
    *s = (spheres){.x = calloc(2 * (size_t)nodes, sizeof *s->x), .faces = calloc(2 * (size_t)faces, sizeof *s->faces)};
    s->body = calloc(2 * (size_t)faces, sizeof *s->body);
    if (!s->x || !s->faces || !s->body || !icosphere(s, levels))
        return false;
    double c = cos(0.4), d = sin(0.4), e = cos(0.25), f = sin(0.25);
    for (int k = 0; k < nodes; k++) {
        double *p = s->x[k], *q = s->x[nodes + k], turned = c * p[0] + d * p[2];
        q[0] = e * turned - f * p[1] + 1.98;
        q[1] = f * turned + e * p[1];
        q[2] = -d * p[0] + c * p[2];
    }
    for (int k = 0; k < faces; k++) {
        for (int i = 0; i < 3; i++)
            s->faces[faces + k][i] = s->faces[k][i] + nodes;
        s->body[faces + k] = 1;
    }
    s->node_count = 2 * nodes;
    s->face_count = 2 * faces;
    return true;
}

static void drop_spheres(spheres *s) {
    free(s->x);
    free(s->faces);
    free(s->body);
}

static int64_t pairs_of(const carom_tree *tree) {
    int64_t count = 0;
    for (int p = 0; p < CAROM_TREE_PARTS; p++)
        count += tree->parts[p].count;
    return count;
}

// The tasks that are timed.
typedef enum task {
    REFIT,      // update of boxes
    REFIT_FIND, // update of boxes and search of pairs of faces
    BUILD_FIND, // the same with sorting of faces
    LIST,       // search of pairs of features within reach
    TRAVEL,     // a step that reuses its list
} task;

typedef struct subject {
    spheres s;
    carom_surface surface;
    carom_exclusions selves; // no contact of a sphere with itself
    carom_broad broad;
    double reach;
} subject;

static carom_status perform(subject *u, task what) {
    const double(*x)[3] = (const double(*)[3])u->s.x;
    carom_tree *tree = &u->broad.tree;
    bool renewed;
    switch (what) {
    case LIST: return carom_broad_search(&u->broad, x, NULL, u->reach, NULL);
    case TRAVEL: return carom_broad_update(&u->broad, x, (carom_broad_need){.w = x, .margin = 0.5 * u->reach}, &renewed, NULL);
    default: break;
    }
    carom_status status = carom_tree_fit(tree, x, NULL, 0, what == BUILD_FIND, NULL);
    return status || what == REFIT ? status : carom_tree_query(tree, u->broad.exclusions, CAROM_TREE_ALL, NULL);
}

// The median of the times of some repetitions in milliseconds; NaN if memory is short.
static double time_of(subject *u, task what, int repetitions) {
    double times[99];
    // the first repetition warms the caches and is not counted
    for (int r = -1; r < repetitions; r++) {
        double begin = carom_bench_clock();
        if (perform(u, what))
            return NAN;
        if (r >= 0)
            times[r] = 1e3 * (carom_bench_clock() - begin);
    }
    return carom_bench_median(times, repetitions);
}

static bool prepare(subject *u, int levels) {
    static const int selves[2][2] = {{0, 0}, {1, 1}};
    *u = (subject){0};
    if (!make_spheres(&u->s, levels))
        return false;
    carom_surface_def def = {3, u->s.node_count, 2, u->s.face_count, &u->s.faces[0][0], u->s.body};
    if (carom_surface_build(&def, &u->surface, NULL) || carom_exclusions_build(2, selves, 2, &u->selves, NULL) ||
        carom_broad_create(&u->surface, &u->selves, &u->broad, NULL))
        return false;
    // a margin of 0.12 of the shortest side for each of the two bodies
    u->reach = 0.24 * carom_surface_shortest_side(&u->surface, NULL, (const double(*)[3])u->s.x);
    return true;
}

static void drop(subject *u) {
    carom_broad_release(&u->broad);
    carom_exclusions_release(&u->selves);
    carom_surface_release(&u->surface);
    drop_spheres(&u->s);
}

// One row of the table: first without contact of a sphere with itself, then with it.
static bool measure(int levels, int threads, int repetitions) {
    subject u;
    bool good = prepare(&u, levels);
    if (good) {
        carom_set_threads(threads);
        int faces = u.s.face_count / 2;
        double build = time_of(&u, BUILD_FIND, repetitions), find = time_of(&u, REFIT_FIND, repetitions);
        int64_t pairs = pairs_of(&u.broad.tree);
        double fit = time_of(&u, REFIT, repetitions), list = time_of(&u, LIST, repetitions);
        int listed = u.broad.pairs.count;
        double travel = time_of(&u, TRAVEL, repetitions);
        u.broad.exclusions = NULL;
        double self_find = time_of(&u, REFIT_FIND, repetitions);
        int64_t self_pairs = pairs_of(&u.broad.tree);
        double self_list = time_of(&u, LIST, repetitions);
        int self_listed = u.broad.pairs.count;
        printf("2 x %6d  %d  %9.3f %9.3f %9.3f %9lld %9.3f %9d %9.3f %9.2f %9lld %9.2f %9d\n", faces, threads, fit, find, build,
               (long long)pairs, list, listed, travel, self_find, (long long)self_pairs, self_list, self_listed);
        good = find == find && build == build && list == list && travel == travel && self_list == self_list;
    }
    drop(&u);
    return good;
}

bool carom_bench_broad(const carom_bench_plan *plan) {
    bool good = true;
    printf("\nbroad phase: two icospheres that overlap by 2 %% of the radius; milliseconds\n"
           "faces      threads  refit  + find   rebuild     pairs      list    listed      kept |  with self-contact:\n"
           "                        all pairs    + find  of faces  features     pairs      list     + find     pairs      "
           "list    listed\n");
    for (int levels = 4; levels <= 6; levels++)
        for (int many = 0; many < 2; many++)
            good = good && measure(levels, many ? plan->most_threads : 1,
                                   levels == 6 ? 2 * plan->repetitions + 1 : 9 * plan->repetitions);
    return good;
}
