// SPDX-License-Identifier: MIT
// Tests src/contact/impact/nearest_feature.c.
// carom_surface_continues: whether the surface around a node continues towards a near face, so that other features are nearer.
// A node of a floor against a wall and against a plate, the tip of a spike, the bottom of a pit.
#include "../../../support.h"
#include "contact/impact/nearest_feature.h"

enum { NODES = 8, FACES = 5 };

// A node 0 in the middle of a fan of four triangles with rim nodes 1 to 4, and a triangle 5, 6, 7 of another body.
static const int fan[FACES][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 1}, {5, 6, 7}};

static bool runs_on(double rim_height, const double wall[3][3], carom_nearest *nearest) {
    double x[NODES][3] = {{0, 0, 0}, {1, 0, rim_height}, {0, 1, rim_height}, {-1, 0, rim_height}, {0, -1, rim_height}};
    memcpy(&x[5], wall, 3 * sizeof *x);
    const carom_surface_def def = {.corners = 3,
                                   .node_count = NODES,
                                   .body_count = 2,
                                   .face_count = FACES,
                                   .nodes = &fan[0][0],
                                   .body = (const int[]){0, 0, 0, 0, 1}};
    carom_surface surface = {0};
    assert_ok(carom_surface_build(&def, &surface, error));
    double pair[4][3];
    memcpy(pair[0], x[0], sizeof pair[0]);
    memcpy(pair[1], wall, 3 * sizeof *pair);
    carom_narrow_nearest(CAROM_NARROW_NODE_FACE, (const double(*)[3])pair, NULL, nearest);
    bool answer = carom_surface_continues(&surface, (const double(*)[3])x, 0, 4, nearest);
    carom_surface_release(&surface);
    return answer;
}

static void nodes_and_walls(void **state) {
    (void)state;
    carom_nearest nearest;
    // a wall across the floor, with its foot slightly below the floor, and inclined
    const double wall[3][3] = {{-0.01, -3, -0.001}, {-0.01, 3, -0.001}, {0.1, 0, 3}};
    assert_true(runs_on(0, wall, &nearest));
    assert_true(nearest.inside);
    // a plate above a flat floor, and above floors bent by 20 degrees either way
    const double plate[3][3] = {{-3, -3, 0.01}, {3, -3, 0.01}, {0, 5, 0.01}};
    for (int bend = -1; bend <= 1; bend++) {
        assert_false(runs_on(0.36 * bend, plate, &nearest));
        assert_true(nearest.inside);
    }
    // the tip of a spike with steep flanks that points at the plate, and the bottom of a pit
    assert_false(runs_on(-4, plate, &nearest));
    assert_true(runs_on(4, plate, &nearest));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nodes_and_walls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
