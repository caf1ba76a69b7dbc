// SPDX-License-Identifier: MIT
// Tests src/contact/pairs/passed.c, src/contact/pairs/inside.c.
// Penetration of the deepest node: two boxes at random places, against the distances of their nodes from their planes.
#include "../../../support.h"
#include "contact/pairs/inside.h"
#include "contact/pairs/passed.h"
#include "math/vec3.h"

enum { CORNERS = 8, TRIANGLES = 12, BOXES = 2, TRIALS = 2000 };

// Corner i of a box is at low + size where the bits of i are set; each side is two triangles, seen from outside.
static const int sides[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

typedef struct boxes {
    int nodes[BOXES * TRIANGLES * 3], body[BOXES * TRIANGLES];
    double low[BOXES][3], high[BOXES][3], x[BOXES * CORNERS][3];
    carom_surface surface;
    carom_audit audit;
} boxes;

static const bool filled[BOXES] = {true, true};

static void build(boxes *b) {
    int count = 0;
    for (int box = 0; box < BOXES; box++)
        for (int s = 0; s < 6; s++)
            for (int half = 0; half < 2; half++) {
                for (int i = 0; i < 3; i++)
                    b->nodes[3 * count + i] = CORNERS * box + sides[s][i == 0 ? 0 : i + half];
                b->body[count++] = box;
            }
    carom_surface_def def = {3, BOXES * CORNERS, BOXES, count, b->nodes, b->body};
    assert_ok(carom_surface_build(&def, &b->surface, error));
    assert_ok(carom_audit_create(&b->surface, NULL, NULL, &b->audit, error));
    b->audit.filled = filled;
    assert_false(b->surface.open[0] || b->surface.open[1]);
}

static void place(boxes *b, uint64_t *seed) {
    for (int box = 0; box < BOXES; box++)
        for (int i = 0; i < 3; i++) {
            b->low[box][i] = box ? random_real(seed, -0.5, 1) : 0;
            b->high[box][i] = b->low[box][i] + (box ? random_real(seed, 0.2, 1.5) : 1);
            for (int k = 0; k < CORNERS; k++)
                b->x[CORNERS * box + k][i] = k >> i & 1 ? b->high[box][i] : b->low[box][i];
        }
}

// How deep a point is inside a box; negative if it is outside.
static double depth_in(const boxes *b, int box, const double point[3]) {
    double depth = HUGE_VAL;
    for (int i = 0; i < 3; i++)
        depth = fmin(depth, fmin(point[i] - b->low[box][i], b->high[box][i] - point[i]));
    return depth;
}

static void deepest_node_of_two_boxes(void **state) {
    (void)state;
    static boxes b;
    uint64_t seed = 5;
    int found = 0, refused = 0;
    build(&b);
    for (int n = 0; n < TRIALS; n++) {
        int64_t count;
        place(&b, &seed);
        carom_const_vectors x = (carom_const_vectors)b.x;
        const double length[BOXES] = {0.3, random_real(&seed, 0.1, 0.5)};
        double deepest = 0;
        assert_ok(carom_surface_intersections(&b.audit, x, &count, error));
        for (int k = 0; k < BOXES * CORNERS; k++) {
            double depth = depth_in(&b, k < CORNERS, b.x[k]);
            assert_int_equal(carom_surface_encloses(&b.surface, k < CORNERS, x, b.x[k]), depth > 0);
            deepest = fmax(deepest, depth);
        }
        carom_passed passed, deep, none;
        assert_ok(carom_surface_passed(&b.audit, length, 0, x, &passed, error));
        double measure = fmin(length[0], length[1]);
        assert_near(passed.depth, deepest, 1e-14);
        assert_int_equal(passed.node >= 0, deepest > 0);
        if (passed.node < 0)
            continue;
        found++;
        assert_int_equal(passed.body, passed.node < CORNERS);
        assert_near(passed.part, deepest / measure, 1e-13);
        // relative depths up to `beyond` are ignored: the result is the deepest node, or none
        double beyond = passed.part * random_real(&seed, 0.5, 1.5);
        assert_ok(carom_surface_passed(&b.audit, length, beyond, x, &deep, error));
        refused += deep.node < 0;
        assert_int_equal(deep.node, passed.part > beyond ? passed.node : -1);
        assert_ok(carom_surface_passed(&b.audit, length, passed.part, x, &none, error));
        assert_int_equal(none.node, -1);
    }
    assert_true(found > TRIALS / 4 && refused > TRIALS / 16);
    carom_audit_release(&b.audit);
    carom_surface_release(&b.surface);
}

// A rod of RINGS squares of nodes, which enters a box from below. Its deepest nodes belong to faces that are entirely inside
// the box, or have passed its other side.
static void deepest_node_of_a_rod(void **state) {
    (void)state;
    enum { RINGS = 12, ROD = 4 * RINGS, FACES = TRIANGLES + 8 * (RINGS - 1) + 4 };
    static const int square[2][3] = {{0, 1, 3}, {0, 3, 2}};
    int nodes[3 * FACES], body[FACES], count = 0;
    for (; count < TRIANGLES; count++)
        for (int i = 0; i < 3; i++) {
            int half = count % 2;
            nodes[3 * count + i] = sides[count / 2][i == 0 ? 0 : i + half];
            body[count] = 0;
        }
    for (int ring = 0; ring < RINGS - 1; ring++)
        for (int side = 0; side < 8; side++, count++) {
            static const int around[5] = {0, 1, 3, 2, 0};
            int a = CORNERS + 4 * ring + around[side / 2], b = CORNERS + 4 * ring + around[side / 2 + 1];
            int face[2][3] = {{a, b, b + 4}, {a, b + 4, a + 4}};
            memcpy(&nodes[3 * count], face[side % 2], sizeof face[0]);
        }
    for (int end = 0; end < 4; end++, count++)
        for (int i = 0; i < 3; i++)
            nodes[3 * count + i] = CORNERS + (end < 2 ? 0 : ROD - 4) + square[end % 2][end < 2 ? 2 - i : i];
    for (int f = TRIANGLES; f < FACES; f++)
        body[f] = 1;
    carom_surface_def def = {3, CORNERS + ROD, BOXES, FACES, nodes, body};
    carom_surface surface = {0};
    carom_audit audit = {0};
    assert_ok(carom_surface_build(&def, &surface, error));
    assert_ok(carom_audit_create(&surface, NULL, NULL, &audit, error));
    audit.filled = filled;
    assert_false(surface.open[0] || surface.open[1]);
    boxes b = {.high[0] = {1, 1, 1}};
    double x[CORNERS + ROD][3];
    for (int top = -2; top < 2 * RINGS; top++) {
        double deepest = 0;
        for (int k = 0; k < CORNERS + ROD; k++) {
            int corner = k < CORNERS ? k : (k - CORNERS) % 4, ring = (k - CORNERS) / 4;
            for (int i = 0; i < 2; i++)
                x[k][i] = k < CORNERS ? corner >> i & 1 : 0.42 + 0.17 * (corner >> i & 1);
            x[k][2] = k < CORNERS ? corner >> 2 & 1 : 0.11 * (top + ring - RINGS) + 0.037;
            deepest = fmax(deepest, k < CORNERS ? 0 : depth_in(&b, 0, x[k]));
        }
        int64_t crossings;
        carom_passed passed;
        assert_ok(carom_surface_intersections(&audit, (carom_const_vectors)x, &crossings, error));
        // with a limit, and without
        for (int round = 0; round < 2; round++) {
            const double length[BOXES] = {0.2, 0.1}, beyond = round ? 1.5 : 0;
            assert_ok(carom_surface_passed(&audit, length, beyond, (carom_const_vectors)x, &passed, error));
            bool found = deepest / 0.1 > beyond;
            assert_int_equal(passed.node >= 0, found);
            assert_near(passed.depth, found ? deepest : 0, 1e-14);
        }
    }
    carom_audit_release(&audit);
    carom_surface_release(&surface);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(deepest_node_of_two_boxes), cmocka_unit_test(deepest_node_of_a_rod)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
