// SPDX-License-Identifier: MIT
// The search of contact misses no pair: its lists against all pairs, whose distances are computed here in extended precision by
// another way, on soups, degenerate faces, slivers, fast motion, folded and coincident surfaces, at all scales.
#include "distances.h"

typedef struct tally {
    int64_t expected, listed;
} tally;

static bool is_excluded(const int (*excluded)[2], int count, int a, int b) {
    for (int i = 0; i < count; i++)
        if ((excluded[i][0] == a && excluded[i][1] == b) || (excluded[i][0] == b && excluded[i][1] == a))
            return true;
    return false;
}

// Whether the list has the pair; it is sorted, so it can be bisected.
static bool has(const carom_pair_list *list, bool edges, int a, int b) {
    int low = edges ? list->node_pair_count : 0, high = edges ? list->count : list->node_pair_count;
    while (low < high) {
        int middle = (low + high) / 2;
        const int *f = list->features[middle];
        if (f[0] < a || (f[0] == a && f[1] < b))
            low = middle + 1;
        else
            high = middle;
    }
    return low < (edges ? list->count : list->node_pair_count) && list->features[low][0] == a && list->features[low][1] == b;
}

static bool share(const int *a, int count_a, const int *b, int count_b) {
    for (int i = 0; i < count_a; i++)
        for (int j = 0; j < count_b; j++)
            if (a[i] == b[j])
                return true;
    return false;
}

static void check_order(const carom_surface *s, const carom_pair_list *list) {
    for (int i = 0; i < list->count; i++) {
        const int *f = list->features[i], *n = list->nodes[i];
        bool edges = i >= list->node_pair_count;
        if (i && i != list->node_pair_count) {
            const int *g = list->features[i - 1];
            assert_true(g[0] < f[0] || (g[0] == f[0] && g[1] < f[1]));
        }
        if (edges) {
            assert_memory_equal(n, s->edges[f[0]], 2 * sizeof(int));
            assert_memory_equal(n + 2, s->edges[f[1]], 2 * sizeof(int));
            assert_true(f[0] < f[1] && !share(n, 2, n + 2, 2));
        } else {
            assert_int_equal(n[0], f[0]);
            assert_memory_equal(n + 1, s->faces[f[1]], (size_t)s->corners * sizeof(int));
            assert_true(!share(n, 1, n + 1, s->corners));
            assert_true(s->corners == 3 || n[3] == -1);
        }
    }
    // each pair stands at each of its nodes, in order
    int uses = s->corners == 2 ? 3 : 4, linked = 0;
    for (int k = 0; k < s->node_count; k++) {
        carom_pair_row row = list->rows[k];
        linked += row.end - row.begin;
        for (int i = row.begin; i < row.end; i++) {
            assert_true(i == row.begin || list->of_node[i - 1] < list->of_node[i]);
            assert_true(share(&k, 1, list->nodes[list->of_node[i]], uses));
        }
    }
    assert_int_equal(linked, uses * list->count);
}

static void build(const scene *s, carom_surface *surface) {
    static int flat[3 * 4096];
    for (int f = 0; f < s->face_count; f++)
        memcpy(flat + s->corners * f, s->faces[f], (size_t)s->corners * sizeof *flat);
    carom_surface_def def = {s->corners, s->node_count, s->body_count, s->face_count, flat, s->body};
    assert_ok(carom_surface_build(&def, surface, error));
}

static const double (*way(const scene *s))[3] {
    return s->moves ? (const double(*)[3])s->x1 : NULL;
}

// All pairs of all features against the list.
static void compare(const scene *s, carom_broad *broad, double reach, const int (*excluded)[2], int excluded_count, tally *t) {
    const carom_surface *surface = broad->surface;
    const carom_pair_list *list = &broad->pairs;
    check_order(surface, list);
    for (int v = 0; v < surface->vertex_count; v++)
        for (int f = 0; f < surface->face_count; f++) {
            int k = surface->vertices[v];
            const int *face = surface->faces[f], nodes[4] = {k, face[0], face[1], face[2]};
            if (share(&k, 1, face, 3))
                continue;
            bool allowed = !is_excluded(excluded, excluded_count, surface->node_body[k], surface->body[f]);
            bool expected = allowed && smallest(s, s->corners == 3 ? 0 : 2, nodes) <= (real)reach;
            bool found = has(list, false, k, f);
            if ((expected && !found) || (found && !allowed))
                fail_msg("node %d and face %d are %s", k, f, found ? "excluded" : "missed");
            t->expected += expected;
        }
    for (int a = 0; a < surface->edge_count; a++)
        for (int b = a + 1; b < surface->edge_count; b++) {
            const int *u = surface->edges[a], *w = surface->edges[b], nodes[4] = {u[0], u[1], w[0], w[1]};
            if (share(u, 2, w, 2))
                continue;
            bool allowed = !is_excluded(excluded, excluded_count, surface->node_body[u[0]], surface->node_body[w[0]]);
            bool expected = allowed && smallest(s, 1, nodes) <= (real)reach, found = has(list, true, a, b);
            if ((expected && !found) || (found && !allowed))
                fail_msg("edges %d and %d are %s", a, b, found ? "excluded" : "missed");
            t->expected += expected;
        }
    t->listed += list->count;
}

static tally search(const scene *s, double reach, const int (*excluded)[2], int excluded_count) {
    carom_surface surface = {0};
    carom_exclusions exclusions = {0};
    carom_broad broad = {0};
    tally t = {0};
    build(s, &surface);
    assert_ok(carom_exclusions_build(s->body_count, excluded, excluded_count, &exclusions, error));
    assert_ok(carom_broad_create(&surface, &exclusions, &broad, error));
    assert_ok(carom_broad_search(&broad, (const double(*)[3])s->x, way(s), reach, error));
    compare(s, &broad, reach, excluded, excluded_count, &t);
    carom_broad_release(&broad);
    carom_exclusions_release(&exclusions);
    carom_surface_release(&surface);
    return t;
}

static void add(tally *sum, tally t) {
    sum->expected += t.expected;
    sum->listed += t.listed;
}

// The scene at three scales, far from the origin and near it.
static void search_scales(const scene *s, double reach, tally *sum) {
    static const double scales[3] = {1, 1e-6, 1e6};
    static scene scaled;
    for (int i = 0; i < 3; i++)
        for (int far = 0; far < 2; far++) {
            scaled = *s;
            double offset = far * 1e3 * scales[i];
            scale_by(&scaled, scales[i], VECTOR(offset, -2 * offset, 0.5 * offset));
            add(sum, search(&scaled, reach * scales[i], NULL, 0));
        }
}

static scene s; // large, so not on the stack

static void start(int corners) {
    s.corners = corners;
    s.node_count = s.face_count = s.body_count = 0;
    s.moves = false;
}

// Triangles of all sizes anywhere in the unit cube, in three bodies.
static void make_soup(uint64_t *seed, int faces, double size) {
    start(3);
    for (int f = 0; f < faces; f++) {
        double c[3] = {random_real(seed, 0, 1), random_real(seed, 0, 1), random_real(seed, 0, 1)};
        double r = size * pow(10, random_real(seed, -1, 0));
        int nodes[3];
        for (int i = 0; i < 3; i++)
            nodes[i] = add_random_node(&s, seed, c, r);
        add_face(&s, nodes[0], nodes[1], nodes[2], f % 3);
    }
}

static void soups(void **state) {
    (void)state;
    tally sum = {0};
    uint64_t seed = 1;
    for (int i = 0; i < 12; i++) {
        make_soup(&seed, 3 + 4 * i, 1);
        search_scales(&s, pow(10, random_real(&seed, -3, -0.5)), &sum);
    }
    // without motion the list is nearly what it must be
    print_message("soups: %lld pairs, %lld listed\n", (long long)sum.expected, (long long)sum.listed);
    assert_true(sum.expected > 5000 && (double)sum.listed <= 1.001 * (double)sum.expected);
}

static void exclusions(void **state) {
    (void)state;
    static const int excluded[4][2] = {{0, 0}, {2, 1}, {1, 2}, {1, 1}};
    tally sum = {0};
    uint64_t seed = 2;
    for (int i = 0; i < 8; i++) {
        make_soup(&seed, 50, 1);
        add(&sum, search(&s, 0.1, excluded, 4));
    }
    assert_true(sum.expected > 1000);
}

// Faces between a few nodes: all kinds of shared nodes and sides, faces given twice.
static void webs(void **state) {
    (void)state;
    tally sum = {0};
    uint64_t seed = 3;
    for (int i = 0; i < 20; i++) {
        start(3);
        for (int k = 0; k < 24; k++)
            add_random_node(&s, &seed, VECTOR(0, 0, 0), 0.5);
        for (int f = 0; f < 40; f++) {
            int a = pick(&seed, 24), b = pick(&seed, 24), c = pick(&seed, 24);
            add_face(&s, a, b, c, 0);
        }
        add(&sum, search(&s, 0.01 * i, NULL, 0));
    }
    assert_true(sum.expected > 1000);
}

// Nodes on a small lattice: points that coincide, faces without area, sides that are parallel, faces in one plane.
static void degenerate(void **state) {
    (void)state;
    tally sum = {0};
    uint64_t seed = 4;
    for (int i = 0; i < 12; i++) {
        start(3);
        int cells = 1 + i % 4, depth = i % 3 ? cells : 0;
        for (int f = 0; f < 30; f++) {
            int nodes[3];
            for (int c = 0; c < 3; c++) {
                int x = pick(&seed, cells + 1), y = pick(&seed, cells + 1), z = pick(&seed, depth + 1);
                nodes[c] = add_node(&s, x, y, z);
            }
            add_face(&s, nodes[0], nodes[1], nodes[2], f % 2);
        }
        search_scales(&s, i % 2 ? 0 : 0.25, &sum);
    }
    // all in one point
    start(3);
    for (int f = 0; f < 9; f++) {
        int a = add_node(&s, 1, 2, 3), b = add_node(&s, 1, 2, 3), c = add_node(&s, 1, 2, 3);
        add_face(&s, a, b, c, f);
    }
    tally point = search(&s, 0, NULL, 0);
    assert_int_equal(point.expected, 27 * 8 + 9 * 8 / 2 * 9);
    assert_int_equal(point.listed, point.expected);
    assert_true(sum.expected > 10000);
}

// Long and thin, nearly parallel, many decades between their sides.
static void slivers(void **state) {
    (void)state;
    tally sum = {0};
    uint64_t seed = 5;
    for (int i = 0; i < 12; i++) {
        start(3);
        for (int f = 0; f < 30; f++) {
            double thin = pow(10, random_real(&seed, -12, -2)), y = random_real(&seed, 0, 0.1), z = random_real(&seed, 0, 0.1);
            double from = random_real(&seed, -1, 0), to = random_real(&seed, 0, 1), turn = random_real(&seed, -1, 1);
            int a = add_node(&s, from, y, z), b = add_node(&s, to, y + thin * turn, z);
            int c = add_node(&s, random_real(&seed, -1, 1), y, z + thin);
            add_face(&s, a, b, c, f % 2);
        }
        search_scales(&s, i % 2 ? 1e-3 : 0.02, &sum);
    }
    assert_true(sum.expected > 3000);
}

// From a hundredth of a face to a hundred times the whole surface in one step.
static void fast(void **state) {
    (void)state;
    tally sum = {0};
    uint64_t seed = 6;
    for (int i = 0; i < 10; i++) {
        make_soup(&seed, 24, 1);
        s.moves = true;
        double speed = pow(10, 0.5 * i - 2.5);
        for (int k = 0; k < s.node_count; k++) {
            // bodies as a whole, and each node a little differently
            int body = s.body[k / 3];
            for (int c = 0; c < 3; c++)
                s.x1[k][c] += speed * ((body - 1) * (c == 0) + random_real(&seed, -0.1, 0.1));
        }
        search_scales(&s, 0.04, &sum);
    }
    print_message("fast: %lld pairs, %lld listed\n", (long long)sum.expected, (long long)sum.listed);
    assert_true(sum.expected > 3000);
}

// Two triangles whose first meeting is planted: at some time a point of the one is a point of the other, however fast they go.
static void planted(void **state) {
    (void)state;
    uint64_t seed = 9;
    for (int i = 0; i < 4000; i++) {
        start(3);
        s.moves = true;
        double speed = pow(10, random_real(&seed, -3, 6)), time = random_real(&seed, 0.05, 1), at[2][3] = {{0}};
        for (int k = 0; k < 6; k++) {
            add_random_node(&s, &seed, VECTOR(0, 0, 0), 1);
            for (int c = 0; c < 3; c++)
                s.x1[k][c] += random_real(&seed, -speed, speed);
        }
        add_face(&s, 0, 1, 2, 0);
        add_face(&s, 3, 4, 5, 1);
        // weights of the meeting points: node 0 in the second face, or edges 0-1 and 3-4
        double g = random_real(&seed, 0, 1), h = random_real(&seed, 0, 1 - g);
        bool edges = i % 2;
        double w[6] = {edges ? 1 - h : 1, edges ? h : 0, 0, 1 - g - (edges ? 0 : h), g, edges ? 0 : h};
        for (int k = 0; k < 6; k++)
            for (int c = 0; c < 3; c++)
                at[k / 3][c] += w[k] * (s.x[k][c] + time * (s.x1[k][c] - s.x[k][c]));
        // the first triangle as a whole goes where they meet
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 3; c++)
                s.x1[k][c] += (at[1][c] - at[0][c]) / time;
        carom_surface surface = {0};
        carom_broad broad = {0};
        build(&s, &surface);
        assert_ok(carom_broad_create(&surface, NULL, &broad, error));
        // what rounding of the planted positions leaves between them
        assert_ok(carom_broad_search(&broad, (const double(*)[3])s.x, way(&s), 1e-14 * speed / time, error));
        assert_true(edges ? has(&broad.pairs, true, 0, 3) : has(&broad.pairs, false, 0, 1));
        carom_broad_release(&broad);
        carom_surface_release(&surface);
    }
}

// Two faces exactly as far apart as the reach, or nearly, in a large surface: the single precision of the boxes must not lose
// them.
static void precision(void **state) {
    (void)state;
    uint64_t seed = 10;
    for (int i = 0; i < 3000; i++) {
        start(3);
        double x = random_real(&seed, -900, 900), y = random_real(&seed, -900, 900), z = random_real(&seed, -900, 900);
        double size = pow(10, random_real(&seed, -4, 2)), reach = pow(10, random_real(&seed, -6, 1)), gap = reach * (1 - 1e-13);
        int axis = i % 3;
        for (int face = 0; face < 3; face++) {
            for (int c = 0; c < 3; c++) {
                // in a plane across the axis, one above the other; the third is far away
                double p[3] = {x, y, z};
                p[(axis + 1) % 3] += size * (c == 1);
                p[(axis + 2) % 3] += size * (c == 2);
                p[axis] += face == 1 ? gap : 0;
                add_node(&s, face == 2 ? 1000 : p[0], face == 2 ? 1000 * c : p[1], face == 2 ? -1000 : p[2]);
            }
            add_face(&s, 3 * face, 3 * face + 1, 3 * face + 2, face);
        }
        // all nodes against the other face, all edges that lie above each other or cross
        carom_surface surface = {0};
        carom_broad broad = {0};
        build(&s, &surface);
        assert_ok(carom_broad_create(&surface, NULL, &broad, error));
        assert_ok(carom_broad_search(&broad, (const double(*)[3])s.x, NULL, reach, error));
        assert_true(broad.pairs.node_pair_count >= 6 && broad.pairs.count >= 15);
        carom_broad_release(&broad);
        carom_surface_release(&surface);
    }
}

// A strip folded back and forth, one body: layers `gap` apart, the last one lying in the one before.
static void folded(void **state) {
    (void)state;
    enum { LONG = 40, FOLD = 8 };
    start(3);
    for (int i = 0; i <= LONG; i++) {
        int layer = i / FOLD, along = i % FOLD;
        double x = layer % 2 ? FOLD - along : along, gap = layer == LONG / FOLD - 1 ? 0 : 0.05;
        for (int j = 0; j < 3; j++)
            add_node(&s, x, j, 0.05 * (layer - 1) + gap);
    }
    for (int i = 0; i < LONG; i++)
        for (int j = 0; j < 2; j++) {
            int a = 3 * i + j;
            add_face(&s, a, a + 3, a + 4, 0);
            add_face(&s, a, a + 4, a + 1, 0);
        }
    tally sum = {0};
    search_scales(&s, 0.051, &sum);
    search_scales(&s, 0, &sum);
    assert_true(sum.expected > 5000);
}

// A grid, warped a little by `bump`, at height z.
static void add_grid(int cells, double z, double bump, int body) {
    int first = s.node_count, row = cells + 1;
    for (int i = 0; i < row; i++)
        for (int j = 0; j < row; j++)
            add_node(&s, (double)i / cells, (double)j / cells, z + bump * sin(7.0 * i + 3.0 * j));
    for (int i = 0; i < cells; i++)
        for (int j = 0; j < cells; j++) {
            int a = first + row * i + j;
            add_face(&s, a, a + row, a + row + 1, body);
            add_face(&s, a, a + row + 1, a + 1, body);
        }
}

static void coincident(void **state) {
    (void)state;
    start(3);
    add_grid(6, 0, 0.01, 0);
    add_grid(6, 0, 0.01, 1);
    add_grid(6, 0.1, 0, 2);
    tally sum = {0};
    search_scales(&s, 0, &sum);
    search_scales(&s, 0.1, &sum);
    assert_true(sum.expected > 5000);
}

// Segments in the plane; what they do across it does not matter.
static void plane(void **state) {
    (void)state;
    tally sum = {0};
    uint64_t seed = 7;
    for (int i = 0; i < 16; i++) {
        start(2);
        bool lattice = i % 4 == 3;
        for (int body = 0; body < 3; body++) {
            double x = random_real(&seed, 0, 1), y = random_real(&seed, 0, 1);
            int first = s.node_count;
            for (int k = 0; k < 30; k++) {
                x += random_real(&seed, -0.1, 0.1), y += random_real(&seed, -0.1, 0.1);
                add_node(&s, lattice ? round(4 * x) : x, lattice ? round(4 * y) : y, random_real(&seed, -5, 5));
            }
            for (int k = 0; k < 30; k++)
                add_face(&s, first + k, first + (k + 1) % 30, 0, body);
        }
        if (i % 2) {
            s.moves = true;
            for (int k = 0; k < s.node_count; k++)
                for (int c = 0; c < 3; c++)
                    s.x1[k][c] += random_real(&seed, -0.2, 0.2);
        }
        search_scales(&s, i % 3 ? 0.01 : 0, &sum);
    }
    assert_true(sum.expected > 3000);
}

// The list is a function of the positions: a tree that has been through other positions finds the same.
static void history(void **state) {
    (void)state;
    uint64_t seed = 8;
    start(3);
    add_grid(16, 0, 0.02, 0);
    add_grid(13, 0.03, 0.02, 1);
    carom_surface surface = {0};
    carom_broad used = {0};
    build(&s, &surface);
    assert_ok(carom_broad_create(&surface, NULL, &used, error));
    for (int step = 0; step < 30; step++) {
        carom_broad fresh = {0};
        assert_ok(carom_broad_create(&surface, NULL, &fresh, error));
        assert_ok(carom_broad_search(&used, (const double(*)[3])s.x, NULL, 0.02, error));
        assert_ok(carom_broad_search(&fresh, (const double(*)[3])s.x, NULL, 0.02, error));
        assert_int_equal(used.pairs.count, fresh.pairs.count);
        assert_int_equal(used.pairs.node_pair_count, fresh.pairs.node_pair_count);
        assert_memory_equal(used.pairs.features, fresh.pairs.features,
                            (size_t)fresh.pairs.count * sizeof *fresh.pairs.features);
        assert_true(fresh.pairs.count > 500);
        carom_broad_release(&fresh);
        // stirred, and now and then thrown far away
        for (int k = 0; k < s.node_count; k++) {
            double c = s.x[k][0] - 0.5, d = s.x[k][1] - 0.5, turn = 0.2 * (k >= 17 * 17) + 0.1 * c;
            s.x[k][0] = 0.5 + c * cos(turn) - d * sin(turn) + random_real(&seed, -0.003, 0.003);
            s.x[k][1] = 0.5 + c * sin(turn) + d * cos(turn);
            s.x[k][2] += step % 10 == 9 ? 100 : 0;
        }
    }
    // both ways were taken
    assert_true(used.tree.rebuilds > 1 && used.tree.rebuilds < 30);
    tally t = {0};
    assert_ok(carom_broad_search(&used, (const double(*)[3])s.x, NULL, 0.02, error));
    compare(&s, &used, 0.02, NULL, 0, &t);
    carom_broad_release(&used);
    carom_surface_release(&surface);
}

static void not_finite(void **state) {
    (void)state;
    static const double bad[3] = {NAN, INFINITY, -INFINITY};
    start(3);
    add_grid(5, 0, 0, 0);
    add_grid(5, 0.01, 0, 1);
    carom_surface surface = {0};
    carom_broad broad = {0};
    build(&s, &surface);
    assert_ok(carom_broad_create(&surface, NULL, &broad, error));
    for (int i = 0; i < 24; i++) {
        assert_ok(carom_broad_search(&broad, (const double(*)[3])s.x, NULL, 0.1, error));
        assert_true(broad.pairs.count > 100);
        int k = i * 3, c = i % 3;
        double(*where)[3] = i % 2 ? s.x : s.x1, old = where[k][c];
        where[k][c] = bad[i / 3 % 3];
        char name[32];
        snprintf(name, sizeof name, "node %d is not finite", k);
        assert_refused(carom_broad_search(&broad, (const double(*)[3])s.x, (const double(*)[3])s.x1, 0.1, error),
                       CAROM_NUMERICAL, name);
        assert_int_equal(broad.pairs.count, 0);
        for (int n = 0; n < s.node_count; n++)
            assert_int_equal(broad.pairs.rows[n].begin, broad.pairs.rows[n].end);
        where[k][c] = old;
    }
    // as large as numbers go
    for (int k = 0; k < s.node_count; k++)
        for (int c = 0; c < 3; c++)
            s.x[k][c] *= 1.6e308;
    assert_ok(carom_broad_search(&broad, (const double(*)[3])s.x, NULL, 1e307, error));
    check_order(&surface, &broad.pairs);
    carom_broad_release(&broad);
    carom_surface_release(&surface);
}

// Enough faces for all parallel loops.
static void threads(void **state) {
    (void)state;
    static const int counts[4] = {1, 2, 3, 8};
    enum { CELLS = 110 };
    int row = CELLS + 1, nodes = 2 * row * row, faces = 4 * CELLS * CELLS;
    double(*x)[3] = calloc((size_t)nodes, sizeof *x);
    int(*corners)[3] = calloc((size_t)faces, sizeof *corners), *body = calloc((size_t)faces, sizeof *body);
    for (int g = 0, f = 0; g < 2; g++)
        for (int i = 0; i < row; i++)
            for (int j = 0; j < row; j++) {
                int a = g * row * row + row * i + j;
                x[a][0] = i + 0.3 * g, x[a][1] = j + 0.1 * g * i, x[a][2] = sin(0.1 * i) * cos(0.17 * j) * (g ? 1 : 0.9);
                for (int t = 0; t < 2 && i < CELLS && j < CELLS; t++, f++) {
                    corners[f][0] = a, corners[f][1] = a + row + t, corners[f][2] = t ? a + 1 : a + row + 1;
                    if (t)
                        corners[f][1] = a + row + 1;
                    body[f] = g;
                }
            }
    carom_surface_def def = {3, nodes, 2, faces, &corners[0][0], body};
    carom_surface surface = {0};
    assert_ok(carom_surface_build(&def, &surface, error));
    assert_true(surface.vertex_count > 20000 && surface.face_count > 40000);
    carom_broad first = {0};
    for (int t = 0; t < 4; t++) {
        carom_set_threads(counts[t]);
        carom_broad broad = {0};
        assert_ok(carom_broad_create(&surface, NULL, &broad, error));
        assert_ok(carom_broad_search(&broad, (const double(*)[3])x, NULL, 0.05, error));
        if (t == 0) {
            first = broad;
            assert_true(first.pairs.count > 10000);
            continue;
        }
        assert_int_equal(broad.pairs.count, first.pairs.count);
        assert_int_equal(broad.pairs.node_pair_count, first.pairs.node_pair_count);
        size_t count = (size_t)first.pairs.count;
        assert_memory_equal(broad.pairs.features, first.pairs.features, count * sizeof *first.pairs.features);
        assert_memory_equal(broad.pairs.nodes, first.pairs.nodes, count * sizeof *first.pairs.nodes);
        assert_memory_equal(broad.pairs.of_node, first.pairs.of_node, 4 * count * sizeof *first.pairs.of_node);
        // and the same memory: what the parts hold does not depend on threads
        for (int p = 0; p < CAROM_TREE_PARTS; p++)
            assert_true(broad.tree.parts[p].capacity == first.tree.parts[p].capacity);
        carom_broad_release(&broad);
    }
    carom_broad_release(&first);
    carom_surface_release(&surface);
    free(x);
    free(corners);
    free(body);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(soups),   cmocka_unit_test(exclusions), cmocka_unit_test(webs),       cmocka_unit_test(degenerate),
        cmocka_unit_test(slivers), cmocka_unit_test(fast),       cmocka_unit_test(folded),     cmocka_unit_test(coincident),
        cmocka_unit_test(plane),   cmocka_unit_test(history),    cmocka_unit_test(not_finite), cmocka_unit_test(threads),
        cmocka_unit_test(planted), cmocka_unit_test(precision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
