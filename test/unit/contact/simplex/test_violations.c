// SPDX-License-Identifier: MIT
// Tests src/contact/simplex/violations.c.
// Which pairs a configuration violates: random bodies pushed into each other and projected apart again, compared with tests of
// all against all; degenerate cases.
#include "../../../support.h"
#include "contact/simplex/violations.h"
#include "math/predicates.h"
#include "math/vec3.h"

typedef const double (*const_vectors)[3];

enum { NODES = 256, FACES = 512, PASSES = 400 };

// Bodies by their faces, before and after.
typedef struct scene {
    int corners, node_count, face_count, body_count;
    int faces[3 * FACES], body[FACES];
    int node_body[NODES];
    double x0[NODES][3], x1[NODES][3], mass[NODES];
    carom_surface surface;
    carom_violations overlaps;
    carom_violation_set set;
} scene;

static int add_node(scene *s, double x, double y, double z) {
    int k = s->node_count++;
    assert_true(k < NODES);
    s->node_body[k] = s->body_count;
    s->mass[k] = 1;
    s->x0[k][0] = x, s->x0[k][1] = y, s->x0[k][2] = z;
    return k;
}

static void add_face(scene *s, int a, int b, int c) {
    int nodes[3] = {a, b, c};
    assert_true(s->face_count < FACES);
    for (int i = 0; i < s->corners; i++)
        s->faces[s->corners * s->face_count + i] = nodes[i];
    s->body[s->face_count++] = s->body_count;
}

// A polygon that turns left, closed.
static int add_polygon(scene *s, int count, const double (*at)[2]) {
    int begin = s->node_count;
    s->corners = 2;
    for (int i = 0; i < count; i++)
        add_node(s, at[i][0], at[i][1], 0);
    for (int i = 0; i < count; i++)
        add_face(s, begin + i, begin + (i + 1) % count, -1);
    s->body_count++;
    return begin;
}

static int add_square(scene *s, double left, double bottom, double side) {
    const double at[4][2] = {{left, bottom}, {left + side, bottom}, {left + side, bottom + side}, {left, bottom + side}};
    return add_polygon(s, 4, at);
}

static void begin(scene *s, carom_violations_def more) {
    carom_surface_def def = {s->corners, s->node_count, s->body_count, s->face_count, s->faces, s->body};
    assert_ok(carom_surface_build(&def, &s->surface, error));
    more.node_count = s->node_count;
    more.surface = &s->surface;
    more.X = (const_vectors)s->x0;
    assert_ok(carom_violations_create(&more, &s->overlaps, error));
    memcpy(s->x1, s->x0, sizeof s->x1);
}

static void end(scene *s) {
    carom_violations_release(&s->overlaps);
    carom_violation_set_release(&s->set);
    carom_surface_release(&s->surface);
}

typedef struct found {
    int added, ambiguous;
} found;

static found look(scene *s) {
    found f;
    assert_ok(
        carom_violations_add(&s->overlaps, (const_vectors)s->x0, (const_vectors)s->x1, &s->set, &f.added, &f.ambiguous, error));
    return f;
}

// The nearest configuration (by the masses) to `free` that obeys the pairs of the set as they are linearised at x1:
// Gauss-Seidel on the multipliers.
static void obey(scene *s, const_vectors free) {
    static double G[1024][4][3], w[1024], lambda[1024];
    int count = s->set.count;
    assert_true(count <= 1024);
    for (int c = 0; c < count; c++) {
        const carom_simplex *pair = &s->set.items[c];
        double size = carom_simplex_size(pair, (const_vectors)s->x1);
        w[c] = carom_simplex_measure(pair, (const_vectors)s->x1, G[c]) / size;
        lambda[c] = 0;
        for (int k = 0; k < pair->count; k++)
            for (int i = 0; i < 3; i++) {
                G[c][k][i] /= size;
                w[c] -= G[c][k][i] * s->x1[pair->node[k]][i];
            }
    }
    memcpy(s->x1, free, sizeof s->x1);
    for (int sweep = 0; sweep < 20000; sweep++) {
        double change = 0;
        for (int c = 0; c < count; c++) {
            const carom_simplex *pair = &s->set.items[c];
            double g = w[c], Q = 0;
            for (int k = 0; k < pair->count; k++) {
                g += carom_dot(G[c][k], s->x1[pair->node[k]]);
                Q += carom_dot(G[c][k], G[c][k]) / s->mass[pair->node[k]];
            }
            double next = fmax(0, lambda[c] - g / Q), step = next - lambda[c];
            lambda[c] = next;
            change = fmax(change, fabs(step));
            for (int k = 0; k < pair->count; k++)
                carom_add_scaled(step / s->mass[pair->node[k]], G[c][k], s->x1[pair->node[k]]);
        }
        if (change < 1e-16)
            break;
    }
}

// Passes until nothing is added and nothing moves; returns how many, or -1.
static int project(scene *s) {
    static double free[NODES][3], last[NODES][3];
    memcpy(free, s->x1, sizeof free);
    carom_violation_set_clear(&s->set);
    for (int pass = 0; pass < PASSES; pass++) {
        found f = look(s);
        memcpy(last, s->x1, sizeof last);
        obey(s, (const_vectors)free);
        double change = 0;
        for (int k = 0; k < s->node_count; k++)
            for (int i = 0; i < 3; i++)
                change = fmax(change, fabs(s->x1[k][i] - last[k][i]));
        if (!f.added && change < 1e-14)
            return pass;
    }
    return -1;
}

static bool is_own(const scene *s, int node, int face) {
    return s->node_body[node] == s->body[face];
}

// Winding by exact predicates: strictly inside a body, more than `margin` from its border.
static bool is_inside(const scene *s, const_vectors x, int node, int body, double margin) {
    int winding = 0;
    for (int f = 0; f < s->face_count; f++) {
        const double *a = x[s->faces[2 * f]], *b = x[s->faces[2 * f + 1]], *p = x[node];
        if (s->body[f] != body)
            continue;
        double d[2] = {b[0] - a[0], b[1] - a[1]}, r[2] = {p[0] - a[0], p[1] - a[1]};
        double t = fmin(fmax((d[0] * r[0] + d[1] * r[1]) / (d[0] * d[0] + d[1] * d[1]), 0), 1);
        if (hypot(r[0] - t * d[0], r[1] - t * d[1]) <= margin)
            return false;
        if ((a[1] <= p[1]) != (b[1] <= p[1])) {
            int side = carom_orient2d(a, b, p);
            if (a[1] <= p[1] ? side > 0 : side < 0)
                winding += a[1] <= p[1] ? 1 : -1;
        }
    }
    return winding != 0;
}

static int inside_count(const scene *s, const_vectors x, double margin) {
    int count = 0;
    for (int k = 0; k < s->node_count; k++)
        for (int b = 0; b < s->body_count; b++)
            count += s->node_body[k] != b && is_inside(s, x, k, b, margin);
    return count;
}

// Whether any node meets a segment of another body on its way.
static bool anything_meets(const scene *s) {
    for (int k = 0; k < s->node_count; k++)
        for (int f = 0; f < s->face_count; f++) {
            double a[3][3], b[3][3], time;
            int nodes[3] = {k, s->faces[2 * f], s->faces[2 * f + 1]};
            if (is_own(s, k, f))
                continue;
            for (int i = 0; i < 3; i++) {
                carom_copy(s->x0[nodes[i]], a[i]);
                carom_copy(s->x1[nodes[i]], b[i]);
            }
            if (carom_ccd_node_segment((const_vectors)a, (const_vectors)b, 0, &time))
                return true;
        }
    return false;
}

static const carom_violations_def crossed = {.rule = CAROM_VIOLATION_CROSSED}, closest = {.rule = CAROM_VIOLATION_CLOSEST};

// A star around a place: not convex.
static void add_star(scene *s, uint64_t *seed, double x, double y) {
    double at[12][2];
    int count = (int)random_real(seed, 3, 12.99);
    double turn = random_real(seed, 0, 6.28);
    for (int i = 0; i < count; i++) {
        double angle = turn + 6.283185307179586 * (i + random_real(seed, -0.2, 0.2)) / count, r = random_real(seed, 0.35, 1);
        at[i][0] = x + r * cos(angle);
        at[i][1] = y + r * sin(angle);
    }
    add_polygon(s, count, (const double(*)[2])at);
}

// Moves a body by a shift and a turn about a place, and shakes it.
static void move(scene *s, uint64_t *seed, int body, const double shift[2], double turn, double shake, const double about[2]) {
    for (int k = 0; k < s->node_count; k++)
        if (s->node_body[k] == body) {
            double r[2] = {s->x0[k][0] - about[0], s->x0[k][1] - about[1]};
            s->x1[k][0] = about[0] + shift[0] + cos(turn) * r[0] - sin(turn) * r[1] + random_real(seed, -shake, shake);
            s->x1[k][1] = about[1] + shift[1] + sin(turn) * r[0] + cos(turn) * r[1] + random_real(seed, -shake, shake);
        }
}

static void random_polygons_come_apart(void **state) {
    (void)state;
    uint64_t seed = 11;
    static scene s;
    int violated = 0, failed = 0;
    for (int trial = 0; trial < 1500; trial++) {
        memset(&s, 0, sizeof s);
        add_star(&s, &seed, 0, 0);
        add_star(&s, &seed, 2.1, 0);
        if (trial % 3 == 0)
            add_star(&s, &seed, 1, 2.2);
        bool by_way = trial % 2;
        begin(&s, by_way ? crossed : closest);
        double push = random_real(&seed, 0.3, trial % 5 == 0 ? 3 : 1);
        move(&s, &seed, 1, (const double[]){-push, random_real(&seed, -0.2, 0.2)}, random_real(&seed, -0.2, 0.2), 0.02,
             (const double[]){2.1, 0});
        if (s.body_count == 3)
            move(&s, &seed, 2, (const double[]){0, -push}, random_real(&seed, -0.2, 0.2), 0.02, (const double[]){1, 2.2});
        int inside = inside_count(&s, (const_vectors)s.x1, 1e-9);
        bool meets = anything_meets(&s);
        found f = look(&s);
        if (inside)
            assert_true(f.added > 0);
        if (!inside && !meets)
            assert_int_equal(f.added, 0);
        if (f.added && push < 1) {
            violated++;
            int needed = project(&s);
            failed += needed < 0;
            if (needed >= 0) {
                assert_int_equal(inside_count(&s, (const_vectors)s.x1, 1e-10), 0);
                assert_int_equal(look(&s).added, 0);
            }
        }
        end(&s);
    }
    assert_true(violated > 300);
    assert_int_equal(failed, 0);
}

static void shift_body(scene *s, int body, double x, double y, double z) {
    for (int k = 0; k < s->node_count; k++)
        if (s->node_body[k] == body) {
            s->x1[k][0] = s->x0[k][0] + x;
            s->x1[k][1] = s->x0[k][1] + y;
            s->x1[k][2] = s->x0[k][2] + z;
        }
}

// One look with an empty set.
static found look_anew(scene *s) {
    carom_violation_set_clear(&s->set);
    return look(s);
}

static void touching_is_no_overlap(void **state) {
    (void)state;
    for (int rule = 0; rule < 2; rule++) {
        // one square exactly on another, with a corner on a corner, an edge along an edge
        scene s = {0};
        add_square(&s, 0, 0, 1);
        add_square(&s, 0, 1, 1);
        begin(&s, rule ? closest : crossed);
        assert_int_equal(look_anew(&s).added, 0);
        for (int i = -2; i <= 2; i++) {
            shift_body(&s, 1, 0.25 * i, 0, 0);
            assert_int_equal(look_anew(&s).added, 0);
        }
        shift_body(&s, 1, 0.1, 1e-14, 0);
        assert_int_equal(look_anew(&s).added, 0);
        shift_body(&s, 1, 0.1, -1e-14, 0);
        assert_int_equal(look_anew(&s).added, 0);
        shift_body(&s, 1, 0.1, -1e-3, 0);
        assert_int_equal(look_anew(&s).added, 2);
        assert_true(project(&s) >= 0);
        assert_int_equal(look(&s).added, 0);
        for (int c = 0; c < s.set.count; c++)
            assert_true(carom_simplex_measure(&s.set.items[c], (const_vectors)s.x1, NULL) >= -1e-15);
        // away
        shift_body(&s, 1, 0.3, 0.2, 0);
        assert_int_equal(look_anew(&s).added, 0);
        // past the corner and down beside the other one
        shift_body(&s, 0, 0, 0, 0);
        shift_body(&s, 1, 1, -0.5, 0);
        memcpy(s.x0, s.x1, sizeof s.x0);
        shift_body(&s, 1, 0, -0.7, 0);
        assert_int_equal(look_anew(&s).added, 0);
        end(&s);
    }
}

// A tip slides over a floor of many collinear segments.
static void nothing_catches_on_a_flat_floor(void **state) {
    (void)state;
    uint64_t seed = 5;
    for (int rule = 0; rule < 2; rule++) {
        scene s = {0};
        double at[34][2];
        const double arrow[3][2] = {{-1.113, 0}, {-0.6, 1}, {-1.6, 1}};
        for (int i = 0; i <= 32; i++)
            at[i][0] = 4 - 0.25 * i, at[i][1] = 0;
        at[33][0] = 0, at[33][1] = -3;
        add_polygon(&s, 34, (const double(*)[2])at);
        int tip = add_polygon(&s, 3, arrow);
        for (int k = 0; k < 34; k++)
            s.mass[k] = 1e9;
        begin(&s, rule ? closest : crossed);
        for (int step = 0; step < 40; step++) {
            // rounding of contact: a few units of 1e-16
            shift_body(&s, 0, 0, 0, 0);
            shift_body(&s, 1, 0.05, 0, 0);
            s.x1[tip][1] = random_real(&seed, -4e-16, 4e-16);
            assert_int_equal(look_anew(&s).added, 0);
            // pressed: one pair, with the segment it is on or came from, and nothing pushes it back
            double kept[NODES][3];
            memcpy(kept, s.x1, sizeof kept);
            s.x1[tip][1] = -1e-4;
            double free = s.x1[tip][0];
            assert_int_equal(look_anew(&s).added, 1);
            assert_true(project(&s) >= 0);
            assert_int_equal(s.set.count, 1);
            assert_near(s.x1[tip][0], free, 1e-6);
            memcpy(s.x0, kept, sizeof s.x0);
        }
        end(&s);
    }
}

static void corner_on_corner_is_ambiguous(void **state) {
    (void)state;
    for (int rule = 0; rule < 2; rule++)
        for (int off = -1; off <= 1; off++) {
            // a wedge of 45 degrees and a point of it that comes down on its tip
            scene s = {0};
            const double wedge[3][2] = {{-1, -1}, {1, -1}, {0, 0}};
            const double arrow[3][2] = {{off * 1e-9, 0.1}, {0.5, 1.1}, {-0.5, 1.1}};
            add_polygon(&s, 3, wedge);
            int tip = add_polygon(&s, 3, arrow);
            begin(&s, rule ? closest : crossed);
            shift_body(&s, 1, 0, -0.2, 0);
            found f = look_anew(&s);
            // the tip is in the wedge and the tip of the wedge in the arrow; by the way one of them comes first
            assert_true(f.added == 2 || (rule == 0 && f.added == 1));
            assert_int_equal(f.ambiguous > 0, off == 0);
            for (int c = 0; c < s.set.count; c++) {
                int face = s.set.items[c].node[1];
                if (s.set.items[c].node[0] == tip && off)
                    assert_int_equal(face, off < 0 ? 2 : 1);
            }
            assert_true(project(&s) >= 0);
            assert_int_equal(inside_count(&s, (const_vectors)s.x1, 1e-12), 0);
            end(&s);
        }
}

static void spikes_and_holes(void **state) {
    (void)state;
    for (int rule = 0; rule < 2; rule++) {
        // a spike goes down into a notch, too deep and to one side of it
        scene s = {0};
        const double block[7][2] = {{-2, -2}, {2, -2}, {2, 0}, {0.5, 0}, {0, -1}, {-0.5, 0}, {-2, 0}};
        const double spike[3][2] = {{0, -0.8}, {0.2, 1}, {-0.2, 1}};
        add_polygon(&s, 7, block);
        add_polygon(&s, 3, spike);
        begin(&s, rule ? closest : crossed);
        shift_body(&s, 1, 0.05, -0.4, 0);
        assert_int_equal(inside_count(&s, (const_vectors)s.x1, 0), 1);
        assert_int_equal(look_anew(&s).added, 1);
        assert_true(project(&s) >= 0);
        assert_int_equal(inside_count(&s, (const_vectors)s.x1, 1e-12), 0);
        // both flanks of the notch hold it
        assert_true(s.set.count >= 2);
        end(&s);
    }
}

// A square of side 0.5 goes through a plate of thickness 0.01, and through a whole body.
static void nothing_passes_through(void **state) {
    (void)state;
    for (int rule = 0; rule < 2; rule++)
        for (int thin = 0; thin < 2; thin++) {
            scene s = {0};
            double bottom = thin ? -0.01 : -1;
            const double plate[4][2] = {{-3, bottom}, {3, bottom}, {3, 0}, {-3, 0}};
            add_polygon(&s, 4, plate);
            add_square(&s, 0.1, 0.3, 0.5);
            for (int k = 0; k < 4; k++)
                s.mass[k] = 1e9;
            begin(&s, rule ? closest : crossed);
            shift_body(&s, 1, 0, thin ? -1.5 : -3, 0);
            found f = look_anew(&s);
            assert_int_equal(f.added > 0, rule == 0);
            // what has crossed has crossed the upper side
            for (int c = 0; c < s.set.count; c++)
                assert_int_equal(s.set.items[c].node[1], 2);
            if (rule == 0) {
                assert_true(project(&s) >= 0);
                for (int k = 4; k < 8; k++)
                    assert_true(s.x1[k][1] >= fmin(s.x1[2][1], s.x1[3][1]) - 1e-12);
            }
            // from a touching start too
            shift_body(&s, 0, 0, 0, 0);
            shift_body(&s, 1, 0, -0.3, 0);
            memcpy(s.x0, s.x1, sizeof s.x0);
            shift_body(&s, 1, 0.1, thin ? -0.2 : -1.7, 0);
            shift_body(&s, 0, 0, 0, 0);
            f = look_anew(&s);
            assert_true(rule || f.added > 0);
            end(&s);
        }
}

static void planes_ends_and_points(void **state) {
    (void)state;
    scene s = {0};
    add_square(&s, 0, 0, 1);
    int left = add_node(&s, 0.5, 1.2, 0), right = add_node(&s, 3, 1.2, 0);
    s.node_body[right] = 2;
    s.body_count = 3;
    int isolated[2] = {left, right}, bodies[2] = {1, 2};
    carom_contact items[2] = {
        {.kind = CAROM_CONTACT_END_END, .count = 2, .node = {left, right}, .weight = {-1, 1}, .normal = {1}, .body = {1, 2}},
        {.kind = CAROM_CONTACT_NODE_PLANE, .count = 1, .node = {0}, .weight = {1}, .normal = {0, 1}, .body = {0, -1}},
    };
    carom_candidates candidates = {.count = 2, .items = items};
    carom_violations_def def = {.candidates = &candidates, .isolated_count = 2, .isolated = isolated, .isolated_body = bodies};
    begin(&s, def);
    assert_int_equal(look_anew(&s).added, 0);

    // the left point goes into the square
    s.x1[left][1] = 0.9;
    assert_int_equal(look_anew(&s).added, 1);
    assert_int_equal(s.set.items[0].kind, CAROM_CONTACT_NODE_SEGMENT);
    assert_int_equal(s.set.items[0].node[1], 2);
    assert_int_equal(look(&s).added, 0);
    // and through it
    s.x1[left][1] = -4;
    assert_int_equal(look_anew(&s).added, 1);
    // past the other point
    s.x1[left][0] = 3.5;
    s.x1[left][1] = 1.2;
    assert_int_equal(look_anew(&s).added, 1);
    assert_int_equal(s.set.items[0].kind, CAROM_CONTACT_END_END);
    assert_near(carom_simplex_measure(&s.set.items[0], (const_vectors)s.x1, NULL), -0.5, 1e-15);
    // a node below the plane
    s.x1[left][0] = 0.5;
    s.x1[0][1] = -0.25;
    assert_int_equal(look_anew(&s).added, 1);
    assert_int_equal(s.set.items[0].kind, CAROM_CONTACT_NODE_PLANE);
    assert_near(carom_simplex_measure(&s.set.items[0], (const_vectors)s.x1, NULL), -0.25, 0);
    end(&s);
}

static void some_bodies_do_not_matter(void **state) {
    (void)state;
    for (int why = 0; why < 3; why++) {
        scene s = {0};
        add_square(&s, 0, 0, 1);
        add_square(&s, 0.2, 1.1, 1);
        const int pair[1][2] = {{0, 1}};
        const bool held[2] = {true, why == 1};
        carom_exclusions exclusions = {0};
        assert_ok(carom_exclusions_build(2, pair, why == 2, &exclusions, error));
        carom_violations_def def = {.immovable = held, .exclusions = &exclusions};
        begin(&s, def);
        shift_body(&s, 1, 0, -0.3, 0);
        assert_int_equal(look(&s).added > 0, why == 0);
        end(&s);
        carom_exclusions_release(&exclusions);
    }
}

static void thickness_is_kept(void **state) {
    (void)state;
    for (int rule = 0; rule < 2; rule++) {
        scene s = {0};
        add_square(&s, 0, 0, 1);
        add_square(&s, 0.2, 1.2, 1);
        carom_violations_def def = rule ? closest : crossed;
        def.thickness = 0.1;
        begin(&s, def);
        shift_body(&s, 1, 0, -0.05, 0);
        assert_int_equal(look_anew(&s).added, 0);
        shift_body(&s, 1, 0, -0.13, 0);
        assert_int_equal(look_anew(&s).added, 2);
        assert_true(project(&s) >= 0);
        for (int c = 0; c < s.set.count; c++) {
            assert_near(s.set.items[c].thickness, 0.1, 0);
            assert_near(carom_simplex_gap(&s.set.items[c], (const_vectors)s.x1, NULL), 0, 1e-14);
        }
        // nearer from the start: that is kept
        shift_body(&s, 0, 0, 0, 0);
        shift_body(&s, 1, 0, -0.15, 0);
        memcpy(s.x0, s.x1, sizeof s.x0);
        shift_body(&s, 1, 0, -0.01, 0);
        shift_body(&s, 0, 0, 0, 0);
        assert_int_equal(look_anew(&s).added, 2);
        assert_near(s.set.items[0].thickness, 0.05, 1e-15);
        end(&s);
    }
}

// Configurations that overlap from the start, as penalties allow.
static void soft_overlaps_are_seen(void **state) {
    (void)state;
    for (int rule = 0; rule < 2; rule++) {
        scene s = {0};
        add_square(&s, 0, 0, 1);
        add_square(&s, 0.2, 0.95, 1);
        carom_violations_def def = rule ? closest : crossed;
        def.soft = true;
        begin(&s, def);
        assert_int_equal(look_anew(&s).added, 2);
        shift_body(&s, 1, 0, 0.02, 0);
        assert_int_equal(look_anew(&s).added, 2);
        shift_body(&s, 1, 0, 0.06, 0);
        assert_int_equal(look_anew(&s).added, 0);
        end(&s);
    }
}

// A block that overhangs a plate comes down on it in a step much longer than its corner is away from the side of the plate: it
// is held by the upper side.
static void nearest_is_not_crossed(void **state) {
    (void)state;
    scene s = {0};
    const double plate[4][2] = {{-1, -1}, {0, -1}, {0, 0}, {-1, 0}},
                 block[4][2] = {{-0.005, 0.001}, {1, 0.001}, {1, 1}, {-0.005, 1}};
    add_polygon(&s, 4, plate);
    add_polygon(&s, 4, block);
    begin(&s, crossed);
    shift_body(&s, 1, 0, -0.05, 0);
    assert_true(look_anew(&s).added > 0);
    for (int c = 0; c < s.set.count; c++)
        assert_int_equal(s.set.items[c].node[1], s.set.items[c].node[0] < 4 ? 4 : 2);
    end(&s);
}

// A box, its sides divided; turned about the vertical axis.
static int add_box(scene *s, const double low[3], const double size[3], double turn) {
    int begin = s->node_count;
    s->corners = 3;
    for (int k = 0; k < 8; k++) {
        double r[3];
        for (int i = 0; i < 3; i++)
            r[i] = low[i] + (k >> i & 1) * size[i];
        double middle[2] = {low[0] + size[0] / 2, low[1] + size[1] / 2}, x = r[0] - middle[0], y = r[1] - middle[1];
        add_node(s, middle[0] + cos(turn) * x - sin(turn) * y, middle[1] + sin(turn) * x + cos(turn) * y, r[2]);
    }
    static const int quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (int q = 0; q < 6; q++) {
        add_face(s, begin + quads[q][0], begin + quads[q][1], begin + quads[q][2]);
        add_face(s, begin + quads[q][0], begin + quads[q][2], begin + quads[q][3]);
    }
    s->body_count++;
    return begin;
}

// An octahedron-like body around a place, of random shape.
static void add_stone(scene *s, uint64_t *seed, double x, double y, double z) {
    static const double at[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    static const int faces[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    int begin = s->node_count;
    s->corners = 3;
    for (int k = 0; k < 6; k++) {
        double r = random_real(seed, 0.5, 1);
        add_node(s, x + r * at[k][0] + random_real(seed, -0.2, 0.2), y + r * at[k][1] + random_real(seed, -0.2, 0.2),
                 z + r * at[k][2] + random_real(seed, -0.2, 0.2));
    }
    for (int f = 0; f < 8; f++)
        add_face(s, begin + faces[f][0], begin + faces[f][1], begin + faces[f][2]);
    s->body_count++;
}

static carom_violation_worst worst_of(scene *s) {
    carom_violation_worst worst;
    assert_ok(carom_violations_worst(&s->overlaps, (const_vectors)s->x1, &worst, error));
    return worst;
}

// Pairs of triangles of different bodies that have a point in common, by exact predicates.
static int intersections(const scene *s) {
    int count = 0;
    for (int f = 0; f < s->face_count; f++)
        for (int g = 0; g < f; g++) {
            double a[3][3], b[3][3];
            if (s->body[f] == s->body[g])
                continue;
            for (int k = 0; k < 3; k++) {
                carom_copy(s->x1[s->faces[3 * f + k]], a[k]);
                carom_copy(s->x1[s->faces[3 * g + k]], b[k]);
            }
            count += carom_triangles_intersect((const_vectors)a, (const_vectors)b);
        }
    return count;
}

// Crossed bars whose edges have gone through faces, and no node inside: without a past they are a pair only where overlaps are
// allowed, pushed apart the shortest way.
static void soft_bars_are_seen(void **state) {
    (void)state;
    for (int soft = 0; soft < 2; soft++) {
        scene s = {0};
        add_box(&s, (const double[]){-1, -0.1, -0.1}, (const double[]){2, 0.2, 0.2}, 0);
        add_box(&s, (const double[]){-0.1, -1, 0.09}, (const double[]){0.2, 2, 0.2}, 0);
        carom_violations_def def = crossed;
        def.soft = soft;
        begin(&s, def);
        assert_true((look_anew(&s).added > 0) == soft);
        for (int c = 0; c < s.set.count; c++) {
            const carom_simplex *pair = &s.set.items[c];
            double depth =
                -carom_simplex_measure(pair, (const_vectors)s.x1, NULL) / carom_simplex_size(pair, (const_vectors)s.x1);
            assert_near(depth, 0.01, 1e-6);
        }
        end(&s);
    }
}

static void random_stones_come_apart(void **state) {
    (void)state;
    uint64_t seed = 17;
    static scene s;
    int violated = 0, failed = 0, edges = 0;
    for (int trial = 0; trial < 600; trial++) {
        memset(&s, 0, sizeof s);
        add_stone(&s, &seed, 0, 0, 0);
        add_stone(&s, &seed, 2.5, 0, 0);
        begin(&s, trial % 2 ? crossed : closest);
        double push = random_real(&seed, 0.8, 1.9), y = random_real(&seed, -0.5, 0.5), z = random_real(&seed, -0.5, 0.5);
        for (int k = 6; k < 12; k++) {
            s.x1[k][0] -= push + random_real(&seed, 0, 0.05);
            s.x1[k][1] += y;
            s.x1[k][2] += z;
        }
        int before = intersections(&s);
        found f = look_anew(&s);
        if (before)
            assert_true(f.added > 0);
        if (f.added && push < 1.6) {
            violated++;
            bool done = project(&s) >= 0;
            failed += !done;
            for (int c = 0; c < s.set.count; c++)
                edges += s.set.items[c].kind == CAROM_CONTACT_EDGE_EDGE;
            if (done) {
                assert_int_equal(intersections(&s), 0);
                assert_near(worst_of(&s).depth, 0, 0);
            }
        }
        end(&s);
    }
    assert_true(violated > 50 && edges > 20);
    assert_true(failed <= violated / 20);
}

// A bar goes through another that lies across, edges through edges and no node of either through the other, farther and
// farther; and stones go through stones.
static void nothing_passes_through_in_space(void **state) {
    (void)state;
    static scene s;
    for (double fall = 0.02; fall < 3; fall *= 1.3) {
        memset(&s, 0, sizeof s);
        add_box(&s, (const double[3]){-0.5, -0.05, -0.1}, (const double[3]){1, 0.1, 0.1}, 0);
        add_box(&s, (const double[3]){-0.03, -0.5, 0.01}, (const double[3]){0.1, 1, 0.1}, 0.1);
        begin(&s, crossed);
        shift_body(&s, 1, 0, 0, -fall);
        assert_true(look_anew(&s).added > 0);
        end(&s);
    }
    uint64_t seed = 5;
    for (int trial = 0; trial < 300; trial++) {
        memset(&s, 0, sizeof s);
        add_stone(&s, &seed, 0, 0, 0);
        add_stone(&s, &seed, 2.5, 0, 0);
        begin(&s, crossed);
        double push = random_real(&seed, 2, 8), y = random_real(&seed, -0.2, 0.2), z = random_real(&seed, -0.2, 0.2);
        for (int k = 6; k < 12; k++) {
            s.x1[k][0] -= push;
            s.x1[k][1] += y;
            s.x1[k][2] += z;
        }
        assert_true(look_anew(&s).added > 0);
        end(&s);
    }
}

// What overlaps by more than rounding leads to a pair, whatever the positions: a box goes into another in all kinds of
// degenerate places.
static void boxes_in_degenerate_places(void **state) {
    (void)state;
    // aligned, shifted by a half, corner over corner, turned, smaller, larger
    static const struct {
        double low[3], size[3], turn;
    } cases[] = {
        {{0, 0, 1.001}, {1, 1, 1}, 0},     {{0.5, 0, 1.001}, {1, 1, 1}, 0},       {{0.5, 0.5, 1.001}, {1, 1, 1}, 0},
        {{0, 0, 1.001}, {1, 1, 1}, 0.785}, {{0.25, 0.25, 1.001}, {.5, .5, 1}, 0}, {{-1, 0.25, 1.001}, {3, .5, 1}, 0},
        {{-1, -1, 1.001}, {3, 3, 1}, 0.3}, {{0.5, 0.5, 1.001}, {1, 1, 1}, 0.785}, {{-0.5, 0, 1.001}, {1, 1, 1}, 0},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int sideways = 0; sideways < 2; sideways++) {
            scene s = {0};
            add_box(&s, (const double[]){0, 0, 0}, (const double[]){1, 1, 1}, 0);
            add_box(&s, cases[c].low, cases[c].size, cases[c].turn);
            begin(&s, crossed);
            // for several steps it is pressed down, and moved; nodes are free
            for (int step = 0; step < 5; step++) {
                shift_body(&s, 0, 0, 0, 0);
                shift_body(&s, 1, sideways * 0.01, sideways * 0.003, -0.002);
                bool overlaps = worst_of(&s).depth > 1e-11;
                found f = look_anew(&s);
                if (overlaps)
                    assert_true(f.added > 0);
                assert_true(project(&s) >= 0);
                assert_near(worst_of(&s).depth, 0, 0);
                assert_int_equal(intersections(&s), 0);
                memcpy(s.x0, s.x1, sizeof s.x0);
            }
            // it is lifted without being held
            shift_body(&s, 0, 0, 0, 0);
            shift_body(&s, 1, 0, 0, 0.01);
            assert_int_equal(look_anew(&s).added, 0);
            end(&s);
        }
}

// Two thin shells, and a point mass through one of them.
static void shells_do_not_pass(void **state) {
    (void)state;
    scene s = {.corners = 3};
    for (int b = 0; b < 2; b++) {
        int n = s.node_count;
        for (int k = 0; k < 4; k++)
            add_node(&s, (k == 1 || k == 2) + 0.3 * b, (k >= 2) + 0.2 * b, 0.1 * b);
        add_face(&s, n, n + 1, n + 2);
        add_face(&s, n, n + 2, n + 3);
        s.body_count++;
    }
    int mass = add_node(&s, 0.1, 0.15, 0.05), bodies[1] = {2};
    s.body_count++;
    carom_violations_def def = {.isolated_count = 1, .isolated = &mass, .isolated_body = bodies};
    begin(&s, def);
    assert_true(s.surface.open[0] && s.surface.open[1]);
    shift_body(&s, 1, 0, 0, -0.3);
    assert_true(look_anew(&s).added > 0);
    assert_true(project(&s) >= 0);
    assert_int_equal(intersections(&s), 0);
    // from below
    shift_body(&s, 1, 0, 0, 0);
    shift_body(&s, 0, 0, 0, 0.3);
    assert_true(look_anew(&s).added > 0);
    // the point mass
    shift_body(&s, 0, 0, 0, 0);
    assert_int_equal(look_anew(&s).added, 0);
    s.x1[mass][2] = -2;
    assert_int_equal(look_anew(&s).added, 1);
    assert_int_equal(s.set.items[0].node[0], mass);
    assert_true(project(&s) >= 0);
    assert_true(carom_simplex_gap(&s.set.items[0], (const_vectors)s.x1, NULL) > -1e-14);
    end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_polygons_come_apart),
        cmocka_unit_test(touching_is_no_overlap),
        cmocka_unit_test(nothing_catches_on_a_flat_floor),
        cmocka_unit_test(corner_on_corner_is_ambiguous),
        cmocka_unit_test(spikes_and_holes),
        cmocka_unit_test(nothing_passes_through),
        cmocka_unit_test(nearest_is_not_crossed),
        cmocka_unit_test(planes_ends_and_points),
        cmocka_unit_test(some_bodies_do_not_matter),
        cmocka_unit_test(thickness_is_kept),
        cmocka_unit_test(soft_overlaps_are_seen),
        cmocka_unit_test(soft_bars_are_seen),
        cmocka_unit_test(random_stones_come_apart),
        cmocka_unit_test(nothing_passes_through_in_space),
        cmocka_unit_test(boxes_in_degenerate_places),
        cmocka_unit_test(shells_do_not_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
