// SPDX-License-Identifier: MIT
// Tests src/contact/quadrature/obstacle_points.c, src/contact/quadrature/sheets.c, src/contact/quadrature/facets.c.
// Contact points on the edges and corners of obstacles (feelers); sheets, which are obstacles without an inside: their rims,
// and which side of a sheet a point of a body is in contact with.
#include "../../../support.h"
#include "contact/quadrature/obstacle_points.h"
#include "contact/quadrature/sheets.h"
#include "math/vec3.h"

enum { CUBE = 8, GRID = 9, NODES = CUBE + GRID };

static const int brick[8] = {0, 1, 2, 3, 4, 5, 6, 7};

// A brick of the given size with its lower corner at `at`.
static void place_brick(double x[][3], const double at[3], double size) {
    static const double corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    for (int k = 0; k < 8; k++) {
        carom_copy(at, x[k]);
        carom_add_scaled(size, corner[k], x[k]);
    }
}

// A sheet of two by two squares around the origin, from -2 to 2, with its middle at the height `middle`.
static void place_sheet(double x[][3], double middle) {
    for (int k = 0; k < GRID; k++) {
        double at[3] = {2.0 * (k % 3) - 2, 2.0 * (k / 3) - 2, k == 4 ? middle : 0};
        carom_copy(at, x[CUBE + k]);
    }
}

static const int squares[16] = {8, 9, 12, 11, 9, 10, 13, 12, 11, 12, 15, 14, 12, 13, 16, 15};

static const carom_facet_cells body = {.type = CAROM_CELL_HEX8, .count = 1, .node_count = 8, .nodes = brick, .thickness = 1};
static const carom_facet_cells sheet = {.type = CAROM_CELL_QUAD4,
                                        .count = 4,
                                        .node_count = 4,
                                        .nodes = squares,
                                        .body = 1,
                                        .thickness = 1,
                                        .obstacle = true,
                                        .sheet = true};

static void build(const carom_facet_cells *other, const double (*x)[3], carom_facets *facets) {
    carom_facet_cells sets[2] = {body, *other};
    *facets = (carom_facets){0};
    assert_ok(carom_facets_build(2, sets, NODES, 2, x, facets, error));
}

// The number of feelers at a node of the obstacle.
static int count_at(const carom_facets *facets, int node) {
    int count = 0;
    for (int i = 0; i < facets->feeler_count; i++) {
        const int *n = facets->nodes[facets->feelers[i].facet];
        count += n[0] == node && n[1] < 0;
    }
    return count;
}

static void flat_sheet(void **state) {
    (void)state;
    static double x[NODES][3];
    carom_facets facets;
    place_brick(x, (const double[3]){0.3, 0.3, 1}, 1);
    place_sheet(x, 0);
    build(&sheet, (carom_const_vectors)x, &facets);
    // six faces of the body, eight of the sheet
    assert_int_equal(facets.count, 14);
    // each node of the rim has a feeler, the node in the middle has none; each of the eight edges of the rim has three more
    for (int k = 0; k < GRID; k++)
        assert_int_equal(count_at(&facets, CUBE + k), k == 4 ? 0 : 1);
    assert_int_equal(facets.feeler_count, 8 + 8 * 3);
    // each of the eight facets, four on each side of the sheet, has two edges on the rim
    int rims = 0;
    for (int f = 6; f < facets.count; f++)
        for (int i = 0; i < 4; i++)
            if (facets.rims[f] >> i & 1) {
                const int *n = facets.nodes[f];
                rims++;
                assert_true(n[i] != 12 && n[(i + 1) % 4] != 12);
            }
    assert_int_equal(rims, 16);
    double length = 0;
    for (int i = 0; i < facets.feeler_count; i++)
        length += facets.feelers[i].length;
    assert_float_equal(length, 16, 1e-12);
    carom_facets_release(&facets);
}

// A bent sheet has feelers at its middle node and along the edges that meet there, and so has a flat sheet that may deform.
static void bent_sheet(void **state) {
    (void)state;
    static double x[NODES][3];
    for (int deforms = 0; deforms < 2; deforms++) {
        carom_facets facets;
        carom_facet_cells cells = sheet;
        cells.deforms = deforms;
        place_brick(x, (const double[3]){0.3, 0.3, 1}, 1);
        place_sheet(x, deforms ? 0 : 0.5);
        build(&cells, (carom_const_vectors)x, &facets);
        assert_int_equal(count_at(&facets, CUBE + 4), 1);
        assert_true(facets.feeler_count > 9 + 11 * 3);
        carom_facets_release(&facets);
    }
}

// Feelers of lines and points; the number of feelers of an edge is bounded, however long it is.
static void lines_and_points(void **state) {
    (void)state;
    static double x[NODES][3];
    static const int line[2] = {8, 9}, point[1] = {10};
    carom_facet_cells cells = {
        .type = CAROM_CELL_LINE2, .count = 1, .node_count = 2, .nodes = line, .body = 1, .obstacle = true};
    carom_facets facets;
    place_brick(x, (const double[3]){0.3, 0.3, 1}, 1);
    place_sheet(x, 0);
    build(&cells, (carom_const_vectors)x, &facets);
    assert_int_equal(facets.feeler_count, 2 + 3);
    assert_int_equal(facets.point_count, 3);
    carom_facets_release(&facets);
    x[9][0] = 1e7;
    build(&cells, (carom_const_vectors)x, &facets);
    assert_int_equal(facets.feeler_count, 2 + CAROM_FEELERS_MOST);
    carom_facets_release(&facets);
    cells.type = CAROM_CELL_POINT;
    cells.node_count = 1;
    cells.nodes = point;
    build(&cells, (carom_const_vectors)x, &facets);
    assert_int_equal(facets.feeler_count, 1);
    assert_true(facets.feelers[0].tip);
    assert_float_equal(carom_feeler_area(&facets.feelers[0], 0.7), 0.7, 0);
    carom_facets_release(&facets);
}

// The number of points of the body that are in contact with a facet, for a brick with its lower corner at `at` and the
// positions `start` at the start of the step. `sides`: facets with an upward normal less those with a downward one.
static int count_contacts(const carom_facets *facets, double x[][3], const double start[][3], const double at[3],
                          double *sides) {
    carom_pairing pairing;
    int count = 0;
    place_brick(x, at, 1);
    assert_ok(carom_pairing_create(facets, NULL, CAROM_SLAVE_FIRST, CAROM_QUADRATURE_GAUSS, 0.3, start, &pairing, error));
    pairing.start = start;
    assert_ok(carom_pairing_search(&pairing, (carom_const_vectors)x, error));
    *sides = 0;
    for (int p = 0; p < pairing.feelers_begin; p++) {
        int f = carom_pairing_find(&pairing, p, (carom_const_vectors)x);
        if (f < 0)
            continue;
        double normal[3];
        carom_facet_outward(facets, f, (carom_const_vectors)x, normal);
        *sides += normal[2] > 0 ? 1 : -1;
        count++;
    }
    carom_pairing_release(&pairing);
    return count;
}

// A brick above or below a sheet, with small or large overlap, and outside of its rim.
static void side_in_contact(void **state) {
    (void)state;
    static double x[NODES][3], start[NODES][3];
    carom_facets facets;
    double side_sum;
    place_brick(x, (const double[3]){0.3, 0.3, 1}, 1);
    place_sheet(x, 0);
    build(&sheet, (carom_const_vectors)x, &facets);
    memcpy(start, x, sizeof start);
    // from above, with a small overlap: the four points of the lower face touch the upper side, the other points none
    place_brick(start, (const double[3]){0.3, 0.3, 0.01}, 1);
    assert_int_equal(count_contacts(&facets, x, (carom_const_vectors)start, (const double[3]){0.3, 0.3, -0.05}, &side_sum), 4);
    assert_float_equal(side_sum, 4, 0);
    // from below: the upper face touches the lower side
    place_brick(start, (const double[3]){0.3, 0.3, -1.01}, 1);
    assert_int_equal(count_contacts(&facets, x, (carom_const_vectors)start, (const double[3]){0.3, 0.3, -0.95}, &side_sum), 4);
    assert_float_equal(side_sum, -4, 0);
    // points that are far behind the sheet at the start of the step are on the far side of a thin body
    place_brick(start, (const double[3]){0.3, 0.3, -0.2}, 1);
    assert_int_equal(count_contacts(&facets, x, (carom_const_vectors)start, (const double[3]){0.3, 0.3, -0.14}, &side_sum), 0);
    // outside of the rim, and lower: no contact
    place_brick(start, (const double[3]){2.05, 0.3, -0.05}, 1);
    assert_int_equal(count_contacts(&facets, x, (carom_const_vectors)start, (const double[3]){2.05, 0.3, -0.05}, &side_sum), 0);
    carom_facets_release(&facets);
}

// The side of a point cannot be determined if it enters too far (passed), or if the far side of its body comes too near to the
// sheet (squeezed). The limit is half of the reach, which is 0.3.
static void faults(void **state) {
    (void)state;
    static double x[NODES][3], start[NODES][3];
    static const struct {
        double from, to; // height of the lower face before and after the step
        carom_sheet_fault fault;
    } cases[] = {{0.01, -0.1, CAROM_SHEET_HOLDS},
                 {0.01, -0.2, CAROM_SHEET_PASSED},
                 {-0.1, -0.16, CAROM_SHEET_PASSED},
                 {-0.2, -0.1, CAROM_SHEET_SQUEEZED},
                 {-0.25, -0.2, CAROM_SHEET_HOLDS}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        carom_facets facets;
        carom_pairing pairing;
        int bodies[2] = {-1, -1};
        place_sheet(x, 0);
        place_sheet(start, 0);
        place_brick(start, (const double[3]){0.3, 0.3, cases[c].from}, 1);
        place_brick(x, (const double[3]){0.3, 0.3, cases[c].to}, 1);
        build(&sheet, (carom_const_vectors)start, &facets);
        assert_ok(carom_pairing_create(&facets, NULL, CAROM_SLAVE_FIRST, CAROM_QUADRATURE_GAUSS, 0.3,
                                       (carom_const_vectors)start, &pairing, error));
        assert_ok(carom_pairing_search(&pairing, (carom_const_vectors)x, error));
        assert_int_equal(carom_sheets_check(&pairing, (carom_const_vectors)start, (carom_const_vectors)x, bodies),
                         cases[c].fault);
        if (cases[c].fault != CAROM_SHEET_HOLDS)
            assert_true(bodies[0] == 0 && bodies[1] == 1);
        carom_pairing_release(&pairing);
        carom_facets_release(&facets);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_sheet),      cmocka_unit_test(bent_sheet), cmocka_unit_test(lines_and_points),
        cmocka_unit_test(side_in_contact), cmocka_unit_test(faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
