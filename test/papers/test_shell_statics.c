// SPDX-License-Identifier: MIT
// The obstacle course of shells by linear statics: plates, the roof of Scordelis and Lo, the pinched cylinder and hemispheres.
//
// Stiffness is that of the elements, loads act on and displacements are read from the smooth surface. Edges follow the rules of
// the product, or rules that only statics can afford: then the mesh has one more row of nodes beyond its edges, whose triangles
// are no elements, and the nodes of that row are unknowns of their own (natural edges) or combinations of others.
#include "shell_statics.h"

typedef enum edge { EDGE_PRODUCT, EDGE_LINES, EDGE_ZERO_ROWS, EDGE_CLAMPED } edge;

static const double plate_thickness = 0.01, plate_young = 1e6, plate_poisson = 0.3;

static double plate_answer(problem *p, int centre) {
    spread(p, VECTOR(0, 0, 1));
    solve(p);
    double D = plate_young * pow(plate_thickness, 3) / 12 / (1 - plate_poisson * plate_poisson);
    double w = D * read_out(p, centre, VECTOR(0, 0, 1));
    end(p);
    return w;
}

static void place_square(const problem *p, double i, double j, double x[3]) {
    memcpy(x, (double[3]){i / p->columns, j / p->rows, 0}, sizeof(double[3]));
}

// A node of a clamped edge with its two neighbours inside, so that the surface stays.
static void clamp(problem *p, int k, int a, int b) {
    combine(p, k, 2, (int[]){a, b}, (double[]){-0.25, -0.25});
}

static double square_plate(edge rule, int points, int n) {
    problem p;
    start(&p, points, plate_thickness, plate_young, plate_poisson);
    p.columns = p.rows = n;
    p.pad[0] = p.pad[1] = rule != EDGE_PRODUCT;
    make_grid(&p, place_square);
    connect(&p);
    build(&p);
    for (int k = 0; k < p.s.b.model->node_count; k++)
        fix(&p, k, "xy");

    // nodes on the edges
    int rows = rule == EDGE_ZERO_ROWS ? 1 : 0;
    for (int i = -p.pad[0]; i <= n + p.pad[0]; i++)
        for (int row = -p.pad[0]; row <= rows; row++) {
            fix(&p, at(&p, i, row), "z"), fix(&p, at(&p, row, i), "z");
            fix(&p, at(&p, n - i, n - row), "z"), fix(&p, at(&p, n - row, n - i), "z");
        }
    for (int i = 1; i < n && rule == EDGE_CLAMPED; i++) {
        clamp(&p, at(&p, i, 0), at(&p, i - 1, 1), at(&p, i, 1));
        clamp(&p, at(&p, 0, i), at(&p, 1, i - 1), at(&p, 1, i));
        clamp(&p, at(&p, i, n), at(&p, i + 1, n - 1), at(&p, i, n - 1));
        clamp(&p, at(&p, n, i), at(&p, n - 1, i + 1), at(&p, n - 1, i));
    }
    // at the two corners with one triangle these ask for each other
    for (int side = 0; side < 2 && rule == EDGE_CLAMPED; side++) {
        int inner = side ? at(&p, n - 1, n - 1) : at(&p, 1, 1);
        combine(&p, side ? at(&p, n - 1, n) : at(&p, 1, 0), 1, &inner, (double[]){-0.2});
        combine(&p, side ? at(&p, n, n - 1) : at(&p, 0, 1), 1, &inner, (double[]){-0.2});
    }

    // nodes beyond them: u = 2 u_b - u_1 along lines of the grid, or as the apex of the triangle beyond whose edge they are
    for (int i = 0; i < n && rule == EDGE_CLAMPED; i++) {
        combine(&p, at(&p, i + 1, -1), 1, (int[]){at(&p, i, 1)}, (double[]){1});
        combine(&p, at(&p, -1, i + 1), 1, (int[]){at(&p, 1, i)}, (double[]){1});
        combine(&p, at(&p, i, n + 1), 1, (int[]){at(&p, i + 1, n - 1)}, (double[]){1});
        combine(&p, at(&p, n + 1, i), 1, (int[]){at(&p, n - 1, i + 1)}, (double[]){1});
    }
    for (int i = 0; i <= n && rule == EDGE_LINES; i++) {
        combine(&p, at(&p, i, -1), 1, (int[]){at(&p, i, 1)}, (double[]){-1});
        combine(&p, at(&p, -1, i), 1, (int[]){at(&p, 1, i)}, (double[]){-1});
        combine(&p, at(&p, i, n + 1), 1, (int[]){at(&p, i, n - 1)}, (double[]){-1});
        combine(&p, at(&p, n + 1, i), 1, (int[]){at(&p, n - 1, i)}, (double[]){-1});
    }
    if (rule == EDGE_CLAMPED || rule == EDGE_LINES) {
        combine(&p, at(&p, n + 1, -1), 1, (int[]){at(&p, n - 1, 1)}, (double[]){1});
        combine(&p, at(&p, -1, n + 1), 1, (int[]){at(&p, 1, n - 1)}, (double[]){1});
    }
    return plate_answer(&p, at(&p, n / 2, n / 2));
}

static int ring_node(int r, int step) {
    return r == 0 ? 0 : 1 + 3 * r * (r - 1) + (step + 6 * r) % (6 * r);
}

// A disc of rings, simply supported as the product has it, or clamped with a ring of nodes beyond its edge, which are the
// mirror images of the triangles at the edge.
static double round_plate(edge rule, int points, int n) {
    problem p;
    bool clamped = rule == EDGE_CLAMPED;
    carom_hexagonal_disc_params disc = {.radius = clamped ? 1 + 1.0 / n : 1, .rings = clamped ? n + 1 : n};
    start_with(&p, "hexagonal-disc", &disc, points, plate_thickness, plate_young, plate_poisson);
    carom_mesh *mesh = &p.s.b.meshes[0];
    p.outside = calloc((size_t)mesh->node_count, sizeof *p.outside);
    assert_non_null(p.outside);
    for (int k = ring_node(n + 1, 0); k < mesh->node_count; k++)
        p.outside[k] = true;
    for (int s = 0; s < 6 && clamped; s++)
        for (int i = 0; i <= n; i++) {
            const double *a = mesh->nodes[ring_node(n, s * n + i - (i > 0))], *b = mesh->nodes[ring_node(n, s * n + i)];
            const double *c = mesh->nodes[ring_node(n - 1, s * (n - 1) + i - (i > 0))];
            double *x = mesh->nodes[ring_node(n + 1, s * (n + 1) + i)];
            for (int j = 0; j < 3; j++)
                x[j] = a[j] + b[j] - c[j];
        }
    connect(&p);
    build(&p);
    for (int k = 0; k < mesh->node_count; k++)
        fix(&p, k, k >= ring_node(n, 0) && k < ring_node(n + 1, 0) ? "xyz" : "xy");
    for (int s = 0; s < 6 && clamped; s++)
        for (int i = 0; i <= n; i++) {
            int inner = ring_node(n - 1, s * (n - 1) + i - (i > 0));
            combine(&p, ring_node(n + 1, s * (n + 1) + i), 1, &inner, (double[]){1});
            if (i < n)
                clamp(&p, ring_node(n, s * n + i), inner, ring_node(n - 1, s * (n - 1) + i));
        }
    return plate_answer(&p, 0);
}

// The roof of Scordelis and Lo: half angle 40 degrees, walls at both ends that hold x and z; 90 per area; how far the middle of
// the free edges goes down.
static void place_roof(const problem *p, double i, double j, double x[3]) {
    double angle = (80 * i / p->columns - 40) * M_PI / 180;
    memcpy(x, (double[3]){25 * sin(angle), 50 * j / p->rows, 25 * cos(angle)}, sizeof(double[3]));
}

static double roof(edge rule, int points, int n) {
    (void)rule;
    problem p;
    start(&p, points, 0.25, 4.32e8, 0);
    p.columns = p.rows = n;
    make_grid(&p, place_roof);
    connect(&p);
    fit(&p);
    build(&p);
    for (int i = 0; i <= n; i++)
        fix(&p, at(&p, i, 0), "xz"), fix(&p, at(&p, i, n), "xz");
    fix(&p, at(&p, n / 2, n / 2), "y");
    spread(&p, VECTOR(0, 0, -90));
    solve(&p);
    double w = (read_out(&p, at(&p, 0, n / 2), VECTOR(0, 0, -0.5)) + read_out(&p, at(&p, n, n / 2), VECTOR(0, 0, -0.5)));
    end(&p);
    return w;
}

// The pinched cylinder, 4 n cells around and 2 n along, walls at both ends; how far the force of 1 goes, times 1e5.
static void place_cylinder(const problem *p, double i, double j, double x[3]) {
    double angle = 2 * M_PI * i / p->columns;
    memcpy(x, (double[3]){300 * sin(angle), 600 * j / p->rows, 300 * cos(angle)}, sizeof(double[3]));
}

static double cylinder(edge rule, int points, int n) {
    (void)rule;
    problem p;
    start(&p, points, 3, 3e6, 0.3);
    p.columns = 4 * n, p.rows = 2 * n, p.around = true;
    make_grid(&p, place_cylinder);
    connect(&p);
    fit(&p);
    build(&p);
    for (int i = 0; i < 4 * n; i++)
        fix(&p, at(&p, i, 0), "xz"), fix(&p, at(&p, i, 2 * n), "xz");
    fix(&p, at(&p, 0, n), "y");
    push(&p, at(&p, 0, n), VECTOR(0, 0, -1));
    push(&p, at(&p, 2 * n, n), VECTOR(0, 0, 1));
    solve(&p);
    double w = read_out(&p, at(&p, 0, n), VECTOR(0, 0, -1e5));
    end(&p);
    return w;
}

// Pinched hemispheres: forces of 2 outward along x and inward along y at the equator; how far they go. Six components of three
// nodes hold the whole without force.
static double pinch(problem *p, const int nodes[4]) {
    fix(p, nodes[0], "xyz"), fix(p, nodes[2], "yz"), fix(p, nodes[1], "z");
    push(p, nodes[0], VECTOR(2, 0, 0)), push(p, nodes[2], VECTOR(-2, 0, 0));
    push(p, nodes[1], VECTOR(0, -2, 0)), push(p, nodes[3], VECTOR(0, 2, 0));
    solve(p);
    double w = read_out(p, nodes[0], VECTOR(0.5, 0, 0)) + read_out(p, nodes[2], VECTOR(-0.5, 0, 0));
    end(p);
    return w;
}

static void place_hole(const problem *p, double i, double j, double x[3]) {
    double around = 2 * M_PI * i / p->columns, up = 72 * M_PI / 180 * j / p->rows;
    memcpy(x, (double[3]){10 * cos(around) * cos(up), 10 * sin(around) * cos(up), 10 * sin(up)}, sizeof(double[3]));
}

static double hole(edge rule, int points, int n) {
    (void)rule;
    problem p;
    start(&p, points, 0.04, 6.825e7, 0.3);
    p.columns = 4 * n, p.rows = n, p.around = true;
    make_grid(&p, place_hole);
    connect(&p);
    fit(&p);
    build(&p);
    return pinch(&p, (int[]){at(&p, 0, 0), at(&p, n, 0), at(&p, 2 * n, 0), at(&p, 3 * n, 0)});
}

// Half an octahedral sphere, split k times.
static double hemisphere(edge rule, int points, int k) {
    (void)rule;
    problem p;
    carom_sphere_params sphere = {.radius = 10, .faces = 8 << 2 * k, .pattern = CAROM_SPHERE_OCTAHEDRAL};
    start_with(&p, "sphere", &sphere, points, 0.04, 6.825e7, 0.3);
    carom_mesh *mesh = &p.s.b.meshes[0];
    carom_cell_block *block = &mesh->blocks[0];
    int kept = 0, nodes[4] = {0};
    for (int f = 0; f < block->count; f++) {
        const int *T = &block->nodes[3 * f];
        if (mesh->nodes[T[0]][2] + mesh->nodes[T[1]][2] + mesh->nodes[T[2]][2] > 1e-9)
            memmove(&block->nodes[3 * kept++], T, 3 * sizeof *T);
    }
    block->count = kept;
    assert_int_equal(kept, 4 << 2 * k);
    assert_ok(carom_mesh_drop_unused(mesh, error));
    for (int i = 0; i < mesh->node_count; i++)
        for (int side = 0; side < 4; side++)
            if (fabs(mesh->nodes[i][side % 2] - (side < 2 ? 10 : -10)) < 1e-9)
                nodes[side] = i;
    connect(&p);
    fit(&p);
    build(&p);
    return pinch(&p, nodes);
}

typedef double obstacle(edge rule, int points, int n);

typedef struct row {
    const char *name;
    obstacle *problem;
    edge rule;
    double unit;           // published value
    double digit;          // last one printed
    int n[3];              // 0: none
    double expected[2][3]; // one point, three points; 0: not given
} row;

// Two independent programs on the same meshes. For the coarsest clamped square they differ from this one by more than a digit,
// since corners were treated in another way; its one-point value is 1.0762 here and 1.0746 there.
static const row rows[] = {
    {"square, supported, lines of the grid",
     square_plate,
     EDGE_LINES,
     0.00406235,
     1e-4,
     {8, 16, 32},
     {{1.0267, 1.0062, 1.0015}, {1.0033, 1.0005, 1.0001}}},
    {"square, supported",
     square_plate,
     EDGE_PRODUCT,
     0.00406235,
     1e-3,
     {8, 16, 32},
     {{0.989, 0.988, 0.992}, {0.940, 0.969, 0.984}}},
    {"square, clamped", square_plate, EDGE_CLAMPED, 0.00126532, 1e-4, {16, 32}, {{1.0172, 1.0040}, {1.0004, 1.0000}}},
    {"square, three rows of zeros",
     square_plate,
     EDGE_ZERO_ROWS,
     0.00126532,
     1e-3,
     {8, 16, 32},
     {{0.765, 0.903, 0.955}, {0.671, 0.846, 0.925}}},
    {"disc, supported",
     round_plate,
     EDGE_PRODUCT,
     5.3 / 1.3 / 64,
     1e-4,
     {8, 16, 24},
     {{0.9887, 0.9978, 0.9995}, {0.9823, 0.9940, 0.9966}}},
    {"disc, clamped",
     round_plate,
     EDGE_CLAMPED,
     1.0 / 64,
     1e-4,
     {8, 16, 24},
     {{0.9896, 0.9983, 0.9997}, {0.9823, 0.9953, 0.9978}}},
    {"roof", roof, EDGE_PRODUCT, 1, 1e-4, {16, 32, 48}, {{0.2993, 0.2999, 0.2999}, {0.2877, 0.2961, 0.2978}}},
    {"cylinder, one point", cylinder, EDGE_PRODUCT, 1, 1e-3, {16, 24, 32}, {{1.892, 1.890, 1.871}}},
    {"cylinder, three points", cylinder, EDGE_PRODUCT, 1, 1e-3, {16, 24}, {{0}, {1.758, 1.807}}},
    {"hemisphere with a hole", hole, EDGE_PRODUCT, 1, 1e-4, {16, 32}, {{0.0883, 0.0923}, {0.0843, 0.0910}}},
    {"hemisphere", hemisphere, EDGE_PRODUCT, 1, 1e-4, {4, 5}, {{0.0810, 0.0903}, {0.0774, 0.0905}}},
};

static void test_same_meshes(void **state) {
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (int rule = 0; rule < 2; rule++)
            for (int i = 0; i < 3; i++) {
                double expected = rows[r].expected[rule][i];
                if (expected == 0)
                    continue;
                double found = rows[r].problem(rows[r].rule, rule ? 3 : 1, rows[r].n[i]) / rows[r].unit;
                if (!(fabs(found - expected) <= 0.5 * rows[r].digit))
                    fail_msg("%s, %d points, n = %d: %.6g, expected %.6g", rows[r].name, rule ? 3 : 1, rows[r].n[i], found,
                             expected);
            }
}

// Finer meshes approach what is published: the roof 0.3006 (thin shells), the cylinder 1.8248 (Lindberg, Olson and Cowper
// 1969), the hemisphere 0.0924, with a hole 0.0935 (thin shells; 0.0940 by MacNeal and Harder 1985).
static void test_convergence(void **state) {
    (void)state;
    static const struct {
        obstacle *problem;
        int points, n[3];
        double published, tolerance;
    } cases[] = {
        {roof, 1, {8, 16, 48}, 0.3006, 0.003},
        {cylinder, 3, {8, 16, 32}, 1.8248, 0.01},
        {hole, 1, {16, 32, 48}, 0.0935, 0.01},
        {hemisphere, 1, {4, 5, 6}, 0.0924, 0.01},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double before = INFINITY;
        for (int i = 0; i < 3; i++) {
            double found = cases[c].problem(EDGE_PRODUCT, cases[c].points, cases[c].n[i]) / cases[c].published - 1;
            assert_true(fabs(found) < before);
            before = fabs(found);
            if (i == 2)
                assert_near(found, 0, cases[c].tolerance);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_meshes),
        cmocka_unit_test(test_convergence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
