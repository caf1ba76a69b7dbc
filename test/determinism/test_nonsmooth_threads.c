// SPDX-License-Identifier: MIT
// Tests src/contact/cones, src/contact/simplex.
// Islands of contacts and checks of pairs give the same bits on any number of threads.
#include <carom/threads.h>

#include "../support.h"
#include "contact/cones/cones.h"
#include "contact/simplex/violations.h"
#include "math/vec3.h"

enum { ISLANDS = 200, LINKS = 4, SIDE = 12, GRID = SIDE * SIDE };
static const int threads[] = {1, 2, 3, 8};

// Chains of contacts that all rest on one node that cannot move; chain `stuck` has no solution.
static int build_chains(carom_cone *cones, int stuck) {
    uint64_t seed = 7;
    int count = 0;
    for (int s = 0; s < ISLANDS; s++)
        for (int i = 0; i < LINKS; i++) {
            carom_cone *cone = &cones[count++];
            *cone = (carom_cone){.count = 2, .tangents = 2, .friction = s % 3 ? 0.3 : 0};
            cone->node[0] = 1 + LINKS * s + i;
            cone->node[1] = i ? cone->node[0] - 1 : 0;
            cone->G[0][2] = cone->F[0][2] = 1;
            cone->G[1][2] = cone->F[1][2] = -1;
            for (int a = 0; a < 2; a++) {
                cone->D[a][0][a] = 1;
                cone->D[a][1][a] = -1;
                cone->slip[a] = random_real(&seed, -1, 1);
            }
            cone->gap = random_real(&seed, -1, 0.2);
        }
    // a contact of the fixed node with itself, as it were: nothing can open it
    if (stuck >= 0) {
        cones[LINKS * stuck].count = 1;
        cones[LINKS * stuck].node[0] = 0;
        cones[LINKS * stuck].gap = -1;
    }
    return count;
}

static void islands_do_not_depend_on_threads(void **state) {
    (void)state;
    static carom_cone cones[4][ISLANDS * LINKS];
    static double mass[1 + ISLANDS * LINKS], p[4][1 + ISLANDS * LINKS][3];
    for (int stuck = -1; stuck < ISLANDS; stuck += ISLANDS / 2) {
        carom_cones_counts counts[4] = {{0}};
        carom_error errors[4] = {{0}};
        mass[0] = INFINITY;
        for (int k = 1; k <= ISLANDS * LINKS; k++)
            mass[k] = 1 + k % 5;
        for (int t = 0; t < 4; t++) {
            carom_cones_space *space = carom_cones_create();
            carom_set_threads(threads[t]);
            int count = build_chains(cones[t], stuck);
            memset(p[t], 0, sizeof p[t]);
            carom_status status = carom_cones_solve(space, cones[t], count, (carom_mobility){mass, NULL, NULL}, 0.5, 0, p[t],
                                                    &counts[t], &errors[t]);
            assert_int_equal(status, stuck < 0 ? CAROM_OK : CAROM_NUMERICAL);
            assert_string_equal(errors[t].message, errors[0].message);
            // a solve that fails has counted the islands up to the first that did, and no other
            assert_memory_equal(&counts[t].sweeps, &counts[0].sweeps, sizeof counts[t].sweeps);
            assert_memory_equal(&counts[t].factorisations, &counts[0].factorisations, sizeof counts[t].factorisations);
            if (stuck < 0) {
                assert_memory_equal(cones[t], cones[0], sizeof cones[t]);
                assert_memory_equal(p[t], p[0], sizeof p[t]);
            }
            carom_cones_release(space);
        }
    }
    carom_set_threads(0);
}

// A square sheet of SIDE x SIDE nodes, closed by its own back a little below: a body of two sides.
static void add_plate(int body, double low, double high, double stretch, int *faces, int *bodies, int *count, double (*x)[3]) {
    int first = 2 * GRID * body;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < GRID; i++) {
            double *at = x[first + side * GRID + i];
            at[0] = stretch * (i / SIDE) / (SIDE - 1.0), at[1] = stretch * (i % SIDE) / (SIDE - 1.0);
            at[2] = (side ? high : low) + 1e-3 * sin(5 * at[0] + body) * cos(7 * at[1]);
        }
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < SIDE - 1; i++)
            for (int j = 0; j < SIDE - 1; j++) {
                int a = first + side * GRID + i * SIDE + j, b = a + SIDE, c = b + 1, d = a + 1;
                const int corner[2][3] = {{a, side ? b : c, side ? c : b}, {a, side ? c : d, side ? d : c}};
                for (int h = 0; h < 2; h++) {
                    memcpy(faces + 3 * *count, corner[h], sizeof corner[h]);
                    bodies[(*count)++] = body;
                }
            }
}

static void detection_does_not_depend_on_threads(void **state) {
    (void)state;
    static int faces[3 * 8 * GRID], bodies[8 * GRID];
    static double x0[4 * GRID][3], x1[4 * GRID][3];
    int count = 0;
    add_plate(0, 0, 0.1, 1.03, faces, bodies, &count, x0);
    add_plate(1, 0.11, 0.2, 1, faces, bodies, &count, x0);
    memcpy(x1, x0, sizeof x1);
    for (int k = 2 * GRID; k < 4 * GRID; k++)
        x1[k][2] -= 0.0103;
    carom_surface surface = {0};
    carom_surface_def def = {3, 4 * GRID, 2, count, faces, bodies};
    assert_ok(carom_surface_build(&def, &surface, error));
    carom_violation_set sets[4] = {{0}};
    carom_violation_worst worst[4], again[4];
    for (int t = 0; t < 4; t++) {
        carom_violations overlaps = {0};
        carom_violations_def asked = {.node_count = 4 * GRID, .surface = &surface, .X = (carom_const_vectors)x0};
        int added, ambiguous;
        carom_set_threads(threads[t]);
        assert_ok(carom_violations_create(&asked, &overlaps, error));
        assert_ok(carom_violations_worst(&overlaps, (carom_const_vectors)x1, &worst[t], error));
        // the second call finds the faces, since no node is added any more
        for (int call = 0; call < 2; call++)
            assert_ok(carom_violations_add(&overlaps, (carom_const_vectors)x0, (carom_const_vectors)x1, &sets[t], &added,
                                           &ambiguous, error));
        assert_ok(carom_violations_worst(&overlaps, (carom_const_vectors)x1, &again[t], error));
        carom_violations_release(&overlaps);
        assert_true(sets[t].count > 20 && sets[t].count == sets[0].count);
        for (int c = 0; c < sets[t].count; c++) {
            assert_memory_equal(sets[t].items[c].node, sets[0].items[c].node, sizeof sets[t].items[c].node);
            assert_true(sets[t].items[c].thickness == sets[0].items[c].thickness);
        }
        assert_true(worst[t].depth > 0 && worst[t].depth == worst[0].depth && worst[t].relative == worst[0].relative);
        // by the faces that the check kept, as by all of them
        assert_true(again[t].depth == worst[0].depth && again[t].relative == worst[0].relative);
        assert_memory_equal(again[t].body, worst[0].body, sizeof worst[0].body);
    }
    for (int t = 0; t < 4; t++)
        carom_violation_set_release(&sets[t]);
    carom_surface_release(&surface);
    carom_set_threads(0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(islands_do_not_depend_on_threads),
        cmocka_unit_test(detection_does_not_depend_on_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
