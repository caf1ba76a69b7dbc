// SPDX-License-Identifier: MIT
// Tests src/contact/quadrature/pairing.c, src/contact/quadrature/pairing_list.c, src/contact/quadrature/normal_cones.c.
// Lists of near facets: the facet that a point meets does not depend on when the list was made; rigid motions need no new
// lists.
#include "../../../support.h"
#include "contact/quadrature/pairing.h"
#include "math/mat3.h"
#include "math/vec3.h"

enum { SIDE = 6, DEPTH = 3, MOST_NODES = (SIDE + 1) * (SIDE + 1) * (DEPTH + 1) * 2 };

// Bricks or squares in the shape of a U, with a gap one cell wide, and the surface of one or two of them.
typedef struct shape {
    int node_count, cell_count, cell_nodes, dimension;
    int cells[2 * SIDE * SIDE * DEPTH * 8];
    double X[MOST_NODES][3];
    carom_facets facets;
} shape;

static bool is_gap(int i, int j) {
    return i == 3 && j > 0;
}

static void add_cell(shape *s, int dimension, int base, int i, int j, int k) {
    static const int at[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    for (int a = 0; a < s->cell_nodes; a++)
        s->cells[s->cell_count * s->cell_nodes + a] =
            base + i + at[a][0] + (SIDE + 1) * (j + at[a][1] + (SIDE + 1) * (dimension == 3 ? k + at[a][2] : 0));
    s->cell_count++;
}

static void make_shape(shape *s, int dimension, int bodies) {
    memset(s, 0, sizeof *s);
    s->dimension = dimension;
    s->cell_nodes = dimension == 3 ? 8 : 4;
    carom_facet_cells sets[2];
    for (int b = 0; b < bodies; b++) {
        int base = s->node_count, begin = s->cell_count;
        for (int k = 0; k <= (dimension == 3 ? DEPTH : 0); k++)
            for (int j = 0; j <= SIDE; j++)
                for (int i = 0; i <= SIDE; i++, s->node_count++) {
                    double at[3] = {0.1 * i + b * 0.62, 0.1 * j, 0.1 * k};
                    // the walls of the gap are inclined towards each other
                    at[0] += i <= 3 ? 0.04 * j / SIDE : -0.04 * j / SIDE;
                    carom_copy(at, s->X[s->node_count]);
                }
        for (int k = 0; k < (dimension == 3 ? DEPTH : 1); k++)
            for (int j = 0; j < SIDE; j++)
                for (int i = 0; i < SIDE; i++)
                    if (!is_gap(i, j))
                        add_cell(s, dimension, base, i, j, k);
        sets[b] = (carom_facet_cells){.type = dimension == 3 ? CAROM_CELL_HEX8 : CAROM_CELL_QUAD4,
                                      .count = s->cell_count - begin,
                                      .node_count = s->cell_nodes,
                                      .nodes = s->cells + begin * s->cell_nodes,
                                      .body = b,
                                      .thickness = 1};
    }
    assert_ok(carom_facets_build(bodies, sets, s->node_count, bodies, NULL, &s->facets, error));
}

static void start_pairing(const shape *s, carom_quadrature quadrature, double reach, carom_pairing *pairing) {
    assert_ok(
        carom_pairing_create(&s->facets, NULL, CAROM_SLAVE_BOTH, quadrature, reach, (carom_const_vectors)s->X, pairing, error));
}

// A rotation about an axis and a translation of the nodes X of the shape.
static void move_rigidly(const shape *s, const double (*X)[3], const double turn[3], const double way[3], double (*x)[3]) {
    double R[3][3];
    carom_mat3_rotation(turn, R);
    for (int k = 0; k < s->node_count; k++) {
        carom_mat3_apply((carom_const_vectors)R, X[k], x[k]);
        carom_add_scaled(1, way, x[k]);
    }
}

// One pairing is used over a random motion with rotations, distortions and jumps, another is created at each position. Both
// find the same facets.
static void lists_do_not_matter(void **state) {
    (void)state;
    uint64_t seed = 5;
    for (int trial = 0; trial < 8; trial++) {
        static shape s;
        static double x[MOST_NODES][3], bent[MOST_NODES][3];
        int dimension = trial % 2 ? 2 : 3, found = 0, none = 0;
        carom_quadrature quadrature = trial % 4 < 2 ? CAROM_QUADRATURE_GAUSS : CAROM_QUADRATURE_NODAL;
        make_shape(&s, dimension, 1 + trial / 4);
        carom_pairing kept;
        start_pairing(&s, quadrature, 0.06, &kept);
        double turn[3] = {0}, way[3] = {0};
        memcpy(bent, s.X, sizeof bent);
        for (int n = 0; n < 40; n++) {
            // small distortions, and a large one in every eighth step
            double size = n % 8 == 7 ? 0.03 : 0.0001;
            for (int i = 0; i < 3; i++) {
                if (dimension == 3 || i == 2)
                    turn[i] += random_real(&seed, -0.3, 0.3);
                if (dimension == 3 || i < 2)
                    way[i] += random_real(&seed, -1, 1);
            }
            for (int k = 0; k < s.node_count; k++)
                for (int i = 0; i < dimension; i++)
                    bent[k][i] += random_real(&seed, -size, size);
            move_rigidly(&s, (carom_const_vectors)bent, turn, way, x);
            carom_pairing fresh;
            start_pairing(&s, quadrature, 0.06, &fresh);
            assert_ok(carom_pairing_search(&kept, (carom_const_vectors)x, error));
            assert_ok(carom_pairing_search(&fresh, (carom_const_vectors)x, error));
            for (int p = 0; p < kept.point_count; p++) {
                int met = carom_pairing_find(&kept, p, (carom_const_vectors)x);
                assert_int_equal(met, carom_pairing_find(&fresh, p, (carom_const_vectors)x));
                found += met >= 0;
                none += met < 0;
            }
            carom_pairing_release(&fresh);
        }
        assert_true(found > 0 && none > 0);
        // lists were used several times
        assert_in_range(kept.counts.within, 2, 15);
        carom_pairing_release(&kept);
        carom_facets_release(&s.facets);
    }
}

// A body that falls and rotates is searched once, and no pair has to be compared at any later position.
static void a_rigid_fall_searches_once(void **state) {
    (void)state;
    for (int trial = 0; trial < 4; trial++) {
        static shape s;
        static double x[MOST_NODES][3];
        int dimension = trial % 2 ? 2 : 3;
        make_shape(&s, dimension, 1);
        carom_pairing pairing;
        // the walls of the gap are farther from each other than the reach
        start_pairing(&s, trial < 2 ? CAROM_QUADRATURE_GAUSS : CAROM_QUADRATURE_NODAL, 0.01, &pairing);
        for (int n = 0; n < 1000; n++) {
            double turn[3] = {0, 0, 0.02 * n}, way[3] = {0.3 * n, -1e-3 * n * n, 0};
            if (dimension == 3) {
                turn[0] = 0.01 * n;
                way[2] = 0.1 * n;
            }
            move_rigidly(&s, (carom_const_vectors)s.X, turn, way, x);
            assert_ok(carom_pairing_search(&pairing, (carom_const_vectors)x, error));
            assert_int_equal(pairing.begin[s.facets.count], 0);
        }
        assert_int_equal(pairing.counts.within, 1);
        assert_int_equal(pairing.counts.between, 0);
        carom_pairing_release(&pairing);
        carom_facets_release(&s.facets);
    }
}

// Two bodies with a common motion are searched once as well.
static void a_common_fall_searches_once(void **state) {
    (void)state;
    static shape s;
    static double x[MOST_NODES][3];
    make_shape(&s, 3, 2);
    carom_pairing pairing;
    start_pairing(&s, CAROM_QUADRATURE_GAUSS, 0.02, &pairing);
    for (int n = 0; n < 100; n++) {
        move_rigidly(&s, (carom_const_vectors)s.X, VECTOR(0, 0, 0), VECTOR(0.3 * n, 0, -0.01 * n * n), x);
        assert_ok(carom_pairing_search(&pairing, (carom_const_vectors)x, error));
    }
    assert_int_equal(pairing.counts.between, 1);
    assert_int_equal(pairing.counts.within, 1);
    carom_pairing_release(&pairing);
    carom_facets_release(&s.facets);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_do_not_matter),
        cmocka_unit_test(a_rigid_fall_searches_once),
        cmocka_unit_test(a_common_fall_searches_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
