// SPDX-License-Identifier: MIT
// Tests src/tied.
// Tied surfaces with different meshes: linear fields, constant tractions, impulses, elimination, connections of points.
#include <math.h>
#include <stdlib.h>

#include "../../support.h"
#include "carom/mesh.h"
#include "math/vec3.h"
#include "mesh/cell.h"
#include "tied/clip.h"
#include "tied/elimination.h"
#include "tied/face.h"
#include "tied/grid.h"
#include "tied/mortar.h"
#include "tied/projector.h"
#include "tied/spot.h"

enum { MOST = 400 };

// Two grids on the unit square at z = 0 with opposite normals, of quadrilaterals or triangles.
typedef struct glued {
    double X[MOST][3];
    int nodes, face_count[2];
    carom_tie_face faces[2][MOST];
    int first_node[2], sides[2];
} glued;

// Unequal spacing, so that no property holds by symmetry only.
static double spaced(int i, int n, double uneven) {
    double s = (double)i / n;
    return s + uneven * s * (1 - s);
}

static void add_grid(glued *g, int side, int n, double width, bool triangles, double uneven) {
    int first = g->first_node[side] = g->nodes;
    g->sides[side] = n;
    for (int j = 0; j <= n; j++)
        for (int i = 0; i <= n; i++, g->nodes++) {
            g->X[g->nodes][0] = width * spaced(i, n, uneven);
            g->X[g->nodes][1] = spaced(j, n, -0.7 * uneven);
        }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            int a = first + j * (n + 1) + i, b = a + 1, c = b + n + 1, d = a + n + 1;
            // the normal of the first side is up, that of the second down
            carom_tie_face up = {{a, b, c, d}}, down = {{a, d, c, b}};
            if (!triangles) {
                g->faces[side][g->face_count[side]++] = side ? down : up;
                continue;
            }
            g->faces[side][g->face_count[side]++] = side ? (carom_tie_face){{a, c, b, -1}} : (carom_tie_face){{a, b, c, -1}};
            g->faces[side][g->face_count[side]++] = side ? (carom_tie_face){{a, d, c, -1}} : (carom_tie_face){{a, c, d, -1}};
        }
}

static carom_mortar_def def_of(const glued *g) {
    return (carom_mortar_def){.X = g->X,
                              .node_count = g->nodes,
                              .face_count = {g->face_count[0], g->face_count[1]},
                              .faces = {g->faces[0], g->faces[1]},
                              .range = 0.1,
                              .behind = 0.02};
}

// The integral of N_k over the faces of one side, of rectangles and triangles.
static void find_areas(const glued *g, int side, double *area) {
    for (int f = 0; f < g->face_count[side]; f++) {
        carom_tie_plane plane;
        const carom_tie_face *face = &g->faces[side][f];
        assert_true(carom_tie_plane_of(face, g->X, &plane));
        int n = carom_tie_face_size(face);
        for (int a = 0; a < n; a++)
            area[face->nodes[a]] += plane.size * plane.size / n;
    }
}

static void test_clip(void **state) {
    (void)state;
    const double square[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}}, shifted[4][2] = {{0.5, -1}, {2, 0.5}, {0.5, 2}, {-1, 0.5}};
    const double away[3][2] = {{1, 0}, {2, 0}, {1, 1}};
    double common[CAROM_CLIP_MAX][2];
    int n = carom_clip(4, square, 4, square, common);
    assert_near(carom_clip_area(n, (const double(*)[2])common), 2, 1e-15);
    // the diamond covers the square completely: its sides pass just beyond the corners
    n = carom_clip(4, square, 4, shifted, common);
    assert_near(carom_clip_area(n, (const double(*)[2])common), 2, 1e-15);
    const double diamond[4][2] = {{0.5, -0.25}, {1.25, 0.5}, {0.5, 1.25}, {-0.25, 0.5}};
    n = carom_clip(4, square, 4, diamond, common);
    assert_int_equal(n, 8);
    // four corner triangles with legs of 1/4 are cut off; areas are doubled
    assert_near(carom_clip_area(n, (const double(*)[2])common), 2 - 4 * 0.0625, 1e-15);
    assert_int_equal(carom_clip(4, square, 3, away, common), 0);
}

static void test_quadrature(void **state) {
    (void)state;
    double weight[CAROM_TIE_POINTS], at[CAROM_TIE_POINTS][3], found[3] = {0};
    carom_tie_quadrature(weight, at);
    for (int q = 0; q < CAROM_TIE_POINTS; q++) {
        found[0] += weight[q];
        found[1] += weight[q] * at[q][0] * at[q][0] * at[q][1] * at[q][1] * at[q][2];
        found[2] += weight[q] * pow(at[q][2], 5);
    }
    // the mean of L0^a L1^b L2^c over a triangle is 2 a! b! c! / (a + b + c + 2)!
    assert_near(found[0], 1, 1e-15);
    assert_near(found[1], 2.0 * 2 * 2 / 5040, 1e-16);
    assert_near(found[2], 2.0 * 120 / 5040, 1e-16);
}

static void test_shape(void **state) {
    (void)state;
    // no two sides of this quadrilateral are parallel
    const double corners[4][2] = {{0, 0}, {2, 0.2}, {1.7, 1.4}, {-0.2, 1}}, point[2] = {0.9, 0.8};
    double N[4], at[2] = {0}, sum = 0;
    carom_tie_face_shape(4, corners, point, N);
    for (int a = 0; a < 4; a++) {
        sum += N[a];
        for (int d = 0; d < 2; d++)
            at[d] += N[a] * corners[a][d];
    }
    assert_near(sum, 1, 1e-15);
    assert_near(at[0], point[0], 1e-15);
    assert_near(at[1], point[1], 1e-15);
}

// Linear fields are reproduced exactly, and a constant traction is transmitted exactly: sum_A D_A P_AC = int N_C.
static void check_patch(int n, int m, bool fine_triangles, bool coarse_triangles) {
    glued g = {0};
    add_grid(&g, 0, n, 1, fine_triangles, 0.3);
    add_grid(&g, 1, m, 1, coarse_triangles, -0.2);
    carom_mortar_def def = def_of(&g);
    carom_tie_rows rows = {0};
    carom_mortar_result result;
    carom_seam seam = {0};
    assert_ok(carom_mortar_tie(&def, &rows, &seam, &result, error));
    assert_int_equal(result.tied, (n + 1) * (n + 1));
    assert_int_equal(result.left, 0);
    assert_true(result.distance < 1e-14);
    double area[MOST] = {0}, handed[MOST] = {0};
    find_areas(&g, 0, area);
    find_areas(&g, 1, area);
    for (int r = 0; r < rows.count; r++) {
        double sum = 0, field = 0;
        for (int i = rows.begin[r]; i < rows.begin[r + 1]; i++) {
            const double *x = g.X[rows.node[i]];
            sum += rows.weight[i];
            field += rows.weight[i] * (3 * x[0] - 2 * x[1]);
            if (i > rows.begin[r])
                handed[rows.node[i]] -= area[rows.node[rows.begin[r]]] * rows.weight[i];
        }
        assert_near(sum, 0, 1e-15);
        assert_near(field, 0, 1e-14);
    }
    for (int k = g.first_node[1]; k < g.nodes; k++)
        assert_near(handed[k], area[k], 1e-15);
    carom_tie_rows_release(&rows);
    free(seam.pairs);
}

static void test_patch(void **state) {
    (void)state;
    check_patch(5, 3, true, true);
    check_patch(5, 3, false, false);
    check_patch(4, 3, true, false);
    check_patch(3, 5, false, true);
    check_patch(4, 4, false, false);
}

// If a surface covers the other one in part, the nodes opposite to it are tied; the others are free.
static void test_partial(void **state) {
    (void)state;
    glued g = {0};
    add_grid(&g, 0, 10, 2, false, 0);
    add_grid(&g, 1, 3, 1, true, 0);
    carom_mortar_def def = def_of(&g);
    carom_tie_rows rows = {0};
    carom_mortar_result result;
    carom_seam seam = {0};
    assert_ok(carom_mortar_tie(&def, &rows, &seam, &result, error));
    // columns at 0, 0.2, ... 1 are tied; half of the area of the last one is covered
    assert_int_equal(result.tied, 6 * 11);
    assert_int_equal(result.left, 5 * 11);
    assert_true(result.distance < 1e-13);
    for (int i = 0; i < rows.begin[rows.count]; i++)
        assert_true(fabs(rows.weight[i]) < 4);
    carom_tie_rows_release(&rows);
    free(seam.pairs);
    seam = (carom_seam){0};

    // a surface given twice overlaps itself
    for (int f = 0; f < g.face_count[1]; f++)
        g.faces[1][g.face_count[1] + f] = g.faces[1][f];
    g.face_count[1] *= 2;
    def = def_of(&g);
    assert_refused(carom_mortar_tie(&def, &rows, &seam, &result, error), CAROM_BAD_INPUT, "overlap, as seen");
    carom_tie_rows_release(&rows);
    free(seam.pairs);
}

// Two surfaces that face each other are tied also at a distance; two that face away from each other, as the far sides of two
// thin plates, only if they overlap by very little.
static void test_far_sides(void **state) {
    (void)state;
    static const double heights[] = {0.09, 0.11, -0.01, -0.03, -0.09};
    static const bool ties[] = {true, false, true, false, false};
    for (int i = 0; i < 5; i++) {
        glued g = {0};
        add_grid(&g, 0, 3, 1, false, 0);
        add_grid(&g, 1, 2, 1, false, 0);
        carom_tie_plane plane;
        assert_true(carom_tie_plane_of(&g.faces[0][0], (carom_const_vectors)g.X, &plane));
        for (int k = g.first_node[1]; k < g.nodes; k++)
            carom_add_scaled(heights[i], plane.normal, g.X[k]);
        carom_mortar_def def = def_of(&g);
        carom_tie_rows rows = {0};
        carom_mortar_result result;
        carom_seam seam = {0};
        assert_ok(carom_mortar_tie(&def, &rows, &seam, &result, error));
        assert_int_equal(result.tied, ties[i] ? 16 : 0);
        assert_int_equal(seam.count > 0, ties[i]);
        carom_tie_rows_release(&rows);
        free(seam.pairs);
    }
}

// A search by a grid finds the boxes that a test of all boxes finds, for boxes of very different sizes, flat ones, and distant
// ones.
static void test_grid(void **state) {
    (void)state;
    enum { BOXES = 300 };
    carom_tie_box boxes[BOXES];
    unsigned seed = 5;
    for (int flat = -1; flat < 3; flat++) {
        for (int b = 0; b < BOXES; b++)
            for (int d = 0; d < 3; d++) {
                seed = seed * 1664525u + 1013904223u;
                boxes[b].low[d] = d == flat ? 3 : seed / 4294967296.0;
                seed = seed * 1664525u + 1013904223u;
                boxes[b].high[d] = boxes[b].low[d] + (d == flat ? 0 : (b % 50 ? 0.03 : 0.7) * seed / 4294967296.0);
            }
        carom_tie_grid grid;
        int met = 0;
        assert_true(carom_tie_grid_create(BOXES, boxes, &grid));
        for (int b = 0; b < BOXES; b++) {
            int count = carom_tie_grid_search(&grid, &boxes[b]), at = 0;
            for (int o = 0; o < BOXES; o++) {
                bool apart = false;
                for (int d = 0; d < 3; d++)
                    apart = apart || boxes[b].low[d] > boxes[o].high[d] || boxes[b].high[d] < boxes[o].low[d];
                if (!apart)
                    assert_true(at < count && grid.found[at++] == o);
            }
            assert_int_equal(at, count);
            met += count;
        }
        assert_true(met > BOXES + 10 && met < BOXES * BOXES / 2);
        carom_tie_box away = {{5, 5, 5}, {6, 6, 6}};
        assert_int_equal(carom_tie_grid_search(&grid, &away), 0);
        carom_tie_grid_release(&grid);
    }
    carom_tie_grid none;
    assert_true(carom_tie_grid_create(0, NULL, &none));
    assert_int_equal(carom_tie_grid_search(&none, &boxes[0]), 0);
    carom_tie_grid_release(&none);
}

// Impulses of ties conserve momenta, remove relative velocities, and are the smallest ones: the energy they remove is that of
// the velocity change.
static void test_projector(void **state) {
    (void)state;
    glued g = {0};
    add_grid(&g, 0, 6, 1, false, 0.2);
    add_grid(&g, 1, 4, 1, true, 0);
    carom_mortar_def def = def_of(&g);
    carom_tie_rows rows = {0};
    carom_mortar_result result;
    carom_seam seam = {0};
    assert_ok(carom_mortar_tie(&def, &rows, &seam, &result, error));
    double mass[MOST], v[MOST][3], before[MOST][3], impulse[MOST][3] = {{0}}, p[3] = {0}, l[3] = {0};
    bool held[MOST][3] = {{0}};
    unsigned seed = 1;
    for (int k = 0; k < g.nodes; k++) {
        mass[k] = 1 + k % 5;
        for (int d = 0; d < 3; d++) {
            seed = seed * 1664525u + 1013904223u;
            before[k][d] = v[k][d] = seed / 4294967296.0 - 0.5;
        }
    }
    // one master and one slave node are restrained along x
    held[g.first_node[1]][0] = held[7][0] = true;
    carom_projector projector;
    assert_ok(carom_projector_create(&rows, g.nodes, mass, (const bool(*)[3])held, &projector, error));
    assert_int_equal(projector.factor_of[2], 1);
    carom_projector_run(&projector, NULL, v, impulse);
    for (int r = 0; r < rows.count; r++) {
        double gap[3];
        carom_tie_rows_gap(&rows, r, (const double(*)[3])v, gap);
        for (int d = 0; d < 3; d++)
            assert_true(fabs(gap[d]) < 1e-14 || held[rows.node[rows.begin[r]]][d]);
    }
    for (int k = 0; k < g.nodes; k++) {
        double moment[3];
        carom_cross(g.X[k], impulse[k], moment);
        carom_add_scaled(1, impulse[k], p);
        carom_add_scaled(1, moment, l);
        for (int d = 0; d < 3; d++)
            assert_near(v[k][d] - before[k][d], held[k][d] ? 0 : impulse[k][d] / mass[k], 1e-15);
    }
    for (int d = 0; d < 3; d++) {
        assert_near(p[d], 0, 1e-13);
        assert_near(l[d], 0, 1e-13);
    }
    carom_projector_release(&projector);
    // in half the unit of mass velocities have the same bits
    double doubled[MOST];
    for (int k = 0; k < g.nodes; k++)
        doubled[k] = 2 * mass[k];
    assert_ok(carom_projector_create(&rows, g.nodes, doubled, (const bool(*)[3])held, &projector, error));
    carom_projector_run(&projector, NULL, before, NULL);
    assert_memory_equal(before, v, (size_t)g.nodes * sizeof *v);
    carom_projector_release(&projector);
    carom_tie_rows_release(&rows);
    free(seam.pairs);
}

static void test_elimination(void **state) {
    (void)state;
    // node 0 is tied to the midpoint of 1 and 2, node 1 to a point at one third between 3 and 4, node 5 to node 4
    carom_tie_rows rows = {0};
    assert_true(carom_tie_rows_add(&rows, 3, (int[]){0, 1, 2}, (double[]){1, -0.5, -0.5}));
    assert_true(carom_tie_rows_add(&rows, 3, (int[]){1, 3, 4}, (double[]){1, -2.0 / 3, -1.0 / 3}));
    assert_true(carom_tie_rows_add(&rows, 2, (int[]){5, 4}, (double[]){1, -1}));
    bool held[6][3] = {{0}};
    held[5][2] = true;
    carom_elimination e;
    carom_arena *arena = carom_arena_create();
    assert_ok(carom_elimination_create(&rows, 6, (const bool(*)[3])held, arena, &e, error));
    // along z node 5 is restrained, and therefore node 4 as well
    assert_int_equal(e.count, 4);
    double x[6][3] = {{9, 9, 9}, {9, 9, 9}, {1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {0, 0, 0}};
    carom_elimination_apply(&e, x);
    // x1 = (2 * 4 + 7)/3 = 5, x0 = (5 + 1)/2 = 3
    assert_near(x[1][0], 5, 1e-15);
    assert_near(x[0][0], 3, 1e-15);
    assert_near(x[5][1], 8, 1e-15);
    // its z displacement is restrained
    assert_near(x[5][2], 0, 0);
    assert_near(x[4][2], 0, 0);
    assert_near(x[1][2], 4, 1e-15);
    double f[6][3] = {{6, 0, 0}, {0}, {0}, {0}, {0}, {0, 0, 1}};
    carom_elimination_fold(&e, f);
    assert_near(f[0][0], 0, 0);
    assert_near(f[1][0], 0, 0);
    assert_near(f[2][0], 3, 1e-15);
    assert_near(f[3][0], 2, 1e-15);
    assert_near(f[4][0], 1, 1e-15);
    assert_near(f[5][2], 1, 0);
    carom_arena_release(arena);
    carom_tie_rows_release(&rows);
}

typedef enum activity { IDLE, ACTIVE, LOST } activity;

static activity activity_with(const carom_tie_rows *rows, int row, int count, const int *held_nodes) {
    bool held[6][3] = {{0}};
    for (int i = 0; i < count; i++)
        held[held_nodes[i]][1] = true;
    // restraints along y do not matter along x
    assert_true(carom_tie_row_is_active(rows, row, (const bool(*)[3])held, 0));
    assert_true(!carom_tie_row_is_lost(rows, row, (const bool(*)[3])held, 0));
    bool active = carom_tie_row_is_active(rows, row, (const bool(*)[3])held, 1);
    bool lost = carom_tie_row_is_lost(rows, row, (const bool(*)[3])held, 1);
    assert_true(!active || !lost);
    return active ? ACTIVE : lost ? LOST : IDLE;
}

static void test_activity(void **state) {
    (void)state;
    carom_tie_rows rows = {0};
    assert_true(carom_tie_rows_add(&rows, 4, (int[]){0, 1, 2, 3}, (double[]){1, -0.7, -0.25, -0.05}));
    assert_true(carom_tie_rows_add(&rows, 4, (int[]){0, 1, 2, 3}, (double[]){0.5, 0.5, -0.5, -0.5}));
    assert_true(carom_tie_rows_add(&rows, 3, (int[]){0, 1, 2}, (double[]){1, -1, -1e-15}));
    rows.surfaces = 1;
    for (int r = 0; r < 3; r++) {
        assert_int_equal(activity_with(&rows, r, 0, NULL), ACTIVE);
        assert_int_equal(activity_with(&rows, r, 3, (int[]){1, 2, 3}), ACTIVE);
        // the tie of a restrained surface node is lost, that of a pin is active
        assert_int_equal(activity_with(&rows, r, 1, (int[]){0}), r == 0 ? LOST : ACTIVE);
    }
    // with node 0 restrained: most of the opposite surface by weight, a small part of it, and all of it
    assert_int_equal(activity_with(&rows, 0, 2, (int[]){0, 1}), IDLE);
    assert_int_equal(activity_with(&rows, 0, 2, (int[]){0, 3}), LOST);
    assert_int_equal(activity_with(&rows, 0, 4, (int[]){0, 1, 2, 3}), IDLE);
    assert_int_equal(activity_with(&rows, 1, 3, (int[]){0, 1, 2}), ACTIVE);
    // no node is free, up to rounding
    assert_int_equal(activity_with(&rows, 1, 4, (int[]){0, 1, 2, 3}), IDLE);
    assert_int_equal(activity_with(&rows, 2, 2, (int[]){0, 1}), IDLE);
    carom_tie_rows_release(&rows);
}

// Weights at `meet` for one or two cells of a type; the numbers of the cell nodes are given. They reproduce `meet`.
static double spot_of(carom_cell_type type, int count, int *nodes, const double (*X)[3], const double point[3],
                      const double meet[3], double weights[12]) {
    carom_cell_block block = {.type = type, .count = count, .nodes = nodes};
    carom_mesh mesh = {.node_count = 12, .block_count = 1, .blocks = &block};
    double outside = carom_spot_weights(&mesh, X, point, meet, weights), at[3] = {0}, sum = 0;
    for (int k = 0; k < 12 && outside < HUGE_VAL; k++) {
        sum += weights[k];
        carom_add_scaled(weights[k], X[k], at);
    }
    for (int d = 0; d < 3 && outside < HUGE_VAL; d++)
        assert_near(at[d], meet[d], 1e-14);
    assert_true(!(outside < HUGE_VAL) || fabs(sum - 1) < 1e-14);
    return outside;
}

static void assert_same_weights(const double a[12], const double b[12], double tolerance) {
    for (int k = 0; k < 12; k++)
        assert_near(a[k], b[k], tolerance);
}

// Two bricks on each other, of which no face is a parallelogram.
static const double bricks[12][3] = {{0, 0, 0},     {1.1, 0, 0.1}, {0.9, 1, 0},   {0, 1.2, 0},   {0, 0.1, 1},    {1, 0, 1},
                                     {1, 1.1, 1.2}, {-0.1, 1, 1},  {0.1, 0, 2.1}, {1.2, 0.1, 2}, {1, 0.9, 2.05}, {0, 1, 2}};

static void test_spot(void **state) {
    (void)state;
    int brick[8] = {0, 1, 2, 3, 4, 5, 6, 7}, turned[8] = {2, 6, 7, 3, 1, 5, 4, 0}, two[16], tets[8] = {0, 1, 3, 4, 1, 2, 3, 6};
    int wedges[12] = {0, 1, 3, 4, 5, 7, 1, 2, 3, 5, 6, 7};
    double w[12], other[12];
    const double inside[3] = {0.3, 0.9, 0.6}, beyond[3] = {0.5, 1.5, 0.5}, far[3] = {9, 0, 0};
    // inside; a corner with another point, whatever the first node of the brick is
    assert_near(spot_of(CAROM_CELL_HEX8, 1, brick, bricks, inside, inside, w), 0, 0);
    assert_near(spot_of(CAROM_CELL_HEX8, 1, turned, bricks, inside, inside, other), 0, 0);
    assert_same_weights(w, other, 1e-14);
    assert_near(spot_of(CAROM_CELL_HEX8, 1, brick, bricks, bricks[6], beyond, w), 0, 1e-14);
    assert_near(spot_of(CAROM_CELL_HEX8, 1, turned, bricks, bricks[6], beyond, other), 0, 1e-14);
    assert_same_weights(w, other, 1e-14);
    // only the neighbours of a corner have a part in the gradient there
    assert_true(w[0] == 0 && w[1] == 0 && w[3] == 0 && w[4] == 0 && w[2] != 0);
    // far from all cells, and a little outside
    assert_true(spot_of(CAROM_CELL_HEX8, 1, brick, bricks, far, far, w) == HUGE_VAL);
    const double cube[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    double X[12][3] = {{0}};
    memcpy(X, cube, sizeof cube);
    const double near[3] = {0.5, 1.3, 0.5};
    assert_near(spot_of(CAROM_CELL_HEX8, 1, brick, (const double(*)[3])X, near, near, w), 0.3, 1e-15);
    // on the face of two bricks: rounding of the point does not choose one of them
    for (int i = 0; i < 8; i++)
        two[i] = i, two[i + 8] = i + 4;
    double above[3], below[3];
    for (int d = 0; d < 3; d++)
        above[d] = below[d] = 0.25 * (bricks[4][d] + bricks[5][d] + bricks[6][d] + bricks[7][d]);
    above[2] += 1e-14;
    below[2] -= 1e-14;
    spot_of(CAROM_CELL_HEX8, 2, two, bricks, above, beyond, w);
    spot_of(CAROM_CELL_HEX8, 2, two, bricks, below, beyond, other);
    assert_same_weights(w, other, 1e-12);
    assert_true(w[0] != 0 && w[8] != 0);
    // an edge of two tetrahedra: the mean by volume
    double both[12], volume[2], p[3];
    for (int d = 0; d < 3; d++)
        p[d] = 0.5 * (bricks[1][d] + bricks[3][d]);
    spot_of(CAROM_CELL_TET4, 2, tets, bricks, p, beyond, both);
    for (int t = 0; t < 2; t++) {
        double x[4][3];
        for (int i = 0; i < 4; i++)
            carom_copy(bricks[tets[4 * t + i]], x[i]);
        volume[t] = carom_cell_measure(CAROM_CELL_TET4, (const double(*)[3])x);
        spot_of(CAROM_CELL_TET4, 1, tets + (ptrdiff_t)4 * t, bricks, p, beyond, t ? other : w);
    }
    for (int k = 0; k < 12; k++)
        assert_near(both[k], (volume[0] * w[k] + volume[1] * other[k]) / (volume[0] + volume[1]), 1e-14);
    // on the edge of two wedges
    assert_near(spot_of(CAROM_CELL_WEDGE6, 2, wedges, bricks, bricks[5], beyond, w), 0, 1e-14);
    assert_near(spot_of(CAROM_CELL_WEDGE6, 2, wedges, bricks, inside, beyond, w), 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clip),      cmocka_unit_test(test_quadrature), cmocka_unit_test(test_shape),
        cmocka_unit_test(test_patch),     cmocka_unit_test(test_partial),    cmocka_unit_test(test_projector),
        cmocka_unit_test(test_far_sides), cmocka_unit_test(test_grid),       cmocka_unit_test(test_elimination),
        cmocka_unit_test(test_spot),      cmocka_unit_test(test_activity),

    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
