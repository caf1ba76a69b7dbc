// SPDX-License-Identifier: MIT
// Tests src/mesh/generate/generators.c, src/mesh/generate.
// Every generator: counts, volume and area against closed forms, orientation, closed surfaces, quality, sets.
#include "mesh/mesh.h"

#include "../../../support.h"
#include "base/allocate.h"
#include "mesh/topology.h"

// Known properties of a mesh.
typedef struct expected {
    int nodes, cells;
    carom_cell_type type;
    double volume, area; // 0: not compared
    double tolerance;    // relative
    bool closed;
    double quality; // at least
} expected;

static void generate(const char *name, const void *params, carom_mesh *mesh) {
    carom_pick pick = {carom_catalogue_find(carom_generators(), name), params};
    assert_non_null(pick.kind);
    assert_ok(carom_mesh_generate(pick, mesh, error));
    // the predicted number of cells is exact
    assert_int_equal(((const carom_generator *)pick.kind)->cell_count(params), carom_mesh_cell_count(mesh));
}

// Every face of a set is on the surface (or an edge of the rim), and its nodes are those of the node set of the same name.
static void check_sets(const carom_mesh *mesh) {
    for (int s = 0; s < mesh->set_count; s++)
        for (int i = 0; i < mesh->sets[s].count; i++) {
            assert_in_range(mesh->sets[s].nodes[i], 0, mesh->node_count - 1);
            assert_true(i == 0 || mesh->sets[s].nodes[i - 1] < mesh->sets[s].nodes[i]);
        }
    for (int s = 0; s < mesh->face_set_count; s++) {
        const carom_face_set *set = &mesh->face_sets[s];
        const carom_node_set *nodes = carom_mesh_set(mesh, set->name);
        assert_non_null(nodes);
        assert_true(set->count > 0);
        int *seen = calloc((size_t)mesh->node_count, sizeof *seen), distinct = 0;
        for (int f = 0; f < set->count; f++)
            for (int i = 0; i < carom_facet_size(set->nodes[f]); i++)
                distinct += seen[set->nodes[f][i]]++ == 0;
        for (int i = 0; i < nodes->count; i++)
            assert_true(seen[nodes->nodes[i]] > 0);
        assert_int_equal(distinct, nodes->count);
        free(seen);
    }
}

static void check(const carom_mesh *mesh, const expected *e) {
    assert_int_equal(mesh->node_count, e->nodes);
    assert_int_equal(mesh->block_count, 1);
    assert_int_equal(mesh->blocks[0].type, e->type);
    assert_int_equal(mesh->blocks[0].count, e->cells);

    // no fault; closed: every edge has two faces with opposite directions along it
    carom_mesh_faults faults;
    assert_ok(carom_mesh_check(mesh, &faults, error));
    for (int f = 0; f < CAROM_FAULT_COUNT; f++)
        if (faults.count[f] && (f != CAROM_FAULT_OPEN || e->closed))
            fail_msg("%lld %s", (long long)faults.count[f], carom_mesh_fault_name((carom_mesh_fault)f));

    carom_mesh_facts facts;
    assert_ok(carom_mesh_measure(mesh, &facts, error));
    assert_true(facts.closed == e->closed);
    if (e->volume != 0)
        assert_near(facts.volume, e->volume, e->tolerance * e->volume);
    if (e->area != 0)
        assert_near(facts.area, e->area, e->tolerance * e->area);
    if (!(facts.worst_quality >= e->quality))
        fail_msg("worst quality %g, expected at least %g", facts.worst_quality, e->quality);
    check_sets(mesh);
}

static int set_size(const carom_mesh *mesh, const char *name) {
    const carom_node_set *set = carom_mesh_set(mesh, name);
    assert_non_null(set);
    return set->count;
}

// Area of a face set by its normals: the vector area, exact for flat sides.
static double vector_area(const carom_mesh *mesh, const char *name, double normal[3]) {
    const carom_face_set *set = carom_mesh_face_set(mesh, name);
    assert_non_null(set);
    memset(normal, 0, 3 * sizeof *normal);
    for (int f = 0; f < set->count; f++) {
        int size = carom_facet_size(set->nodes[f]);
        const double *o = mesh->nodes[set->nodes[f][0]];
        for (int t = 2; t < size; t++) {
            const double *p = mesh->nodes[set->nodes[f][t - 1]], *q = mesh->nodes[set->nodes[f][t]];
            double a[3] = {p[0] - o[0], p[1] - o[1], p[2] - o[2]}, b[3] = {q[0] - o[0], q[1] - o[1], q[2] - o[2]};
            for (int i = 0; i < 3; i++)
                normal[i] += (a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3]) / 2;
        }
    }
    return sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
}

static void test_line_graded(void **state) {
    (void)state;
    // x_i/L = (i/5n)^2, n = 4: eq. (47) of Wolff & Bucher 2013, with i up to 5n
    carom_line_params p = {.from = {-10, 0, 0}, .to = {0, 0, 0}, .elements = 20, .grading = CAROM_GRADING_START};
    carom_mesh mesh;
    generate("line", &p, &mesh);
    for (int i = 0; i <= 20; i++)
        assert_near(mesh.nodes[i][0], -10 + 10.0 * i * i / 400, 1e-14);
    carom_mesh_release(&mesh);

    // mirrored: the smallest cell at the other end, with the same points seen from there
    p.grading = CAROM_GRADING_END;
    generate("line", &p, &mesh);
    for (int i = 0; i <= 20; i++)
        assert_near(mesh.nodes[i][0], -10.0 * (20 - i) * (20 - i) / 400, 1e-14);
    carom_line_params back = {.from = {0, 0, 0}, .to = {-10, 0, 0}, .elements = 20, .grading = CAROM_GRADING_START};
    carom_mesh mirror;
    generate("line", &back, &mirror);
    for (int i = 0; i <= 20; i++)
        assert_true(mesh.nodes[i][0] == mirror.nodes[20 - i][0]);
    assert_int_equal(set_size(&mesh, "end"), 1);
    assert_int_equal(carom_mesh_set(&mesh, "end")->nodes[0], 20);
    carom_mesh_release(&mirror);
    carom_mesh_release(&mesh);
}

static void test_rectangle(void **state) {
    (void)state;
    carom_rectangle_params p = {.from = {1, 2, 5}, .to = {4, 4, 5}, .columns = 6, .rows = 4};
    carom_mesh mesh;
    generate("rectangle", &p, &mesh);
    check(&mesh, &(expected){35, 24, CAROM_CELL_QUAD4, 0, 6, 1e-14, false, 1 - 1e-12});
    assert_int_equal(set_size(&mesh, "xmin"), 5);
    assert_int_equal(set_size(&mesh, "ymax"), 7);
    assert_int_equal(set_size(&mesh, "rim"), 20);
    carom_mesh_release(&mesh);

    p.cells = CAROM_PLANE_TRI3;
    generate("rectangle", &p, &mesh);
    check(&mesh, &(expected){35, 48, CAROM_CELL_TRI3, 0, 6, 1e-14, false, 0.86});
    assert_int_equal(carom_mesh_face_set(&mesh, "rim")->count, 20);
    // seen from +z it turns counter-clockwise
    for (int e = 0; e < 48; e++) {
        const int *n = &mesh.blocks[0].nodes[3 * e];
        const double *a = mesh.nodes[n[0]], *b = mesh.nodes[n[1]], *c = mesh.nodes[n[2]];
        assert_true((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0);
    }
    carom_mesh_release(&mesh);
}

static void check_box_sides(const carom_mesh *mesh) {
    static const char *const names[6] = {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"};
    const double areas[3] = {6, 3, 2};
    for (int s = 0; s < 6; s++) {
        double n[3];
        assert_near(vector_area(mesh, names[s], n), areas[s / 2], 1e-13);
        // normals are outward
        assert_near(n[s / 2], s % 2 ? areas[s / 2] : -areas[s / 2], 1e-13);
    }
}

static void test_box(void **state) {
    (void)state;
    carom_box_params p = {.from = {0, 0, 0}, .to = {1, 2, 3}, .elements = {2, 3, 4}, .grading = {1, 1, 1}};
    carom_mesh mesh;
    generate("box", &p, &mesh);
    check(&mesh, &(expected){60, 24, CAROM_CELL_HEX8, 6, 22, 1e-14, true, 0.9});
    check_box_sides(&mesh);
    assert_int_equal(set_size(&mesh, "zmax"), 12);
    assert_int_equal(set_size(&mesh, "surface"), 60 - 1 * 2 * 3);
    carom_mesh_release(&mesh);

    p.cells = CAROM_SOLID_TET4;
    generate("box", &p, &mesh);
    check(&mesh, &(expected){60, 144, CAROM_CELL_TET4, 6, 22, 1e-14, true, 0.5});
    check_box_sides(&mesh);
    assert_int_equal(carom_mesh_face_set(&mesh, "surface")->count, 2 * 2 * (6 + 8 + 12));
    carom_mesh_release(&mesh);

    // graded: planes at (i/n)^p from a face, or from both
    p.cells = CAROM_SOLID_HEX8;
    p.grading[0] = 2;
    p.elements[0] = 4;
    const double from[5] = {0, 1 / 16.0, 4 / 16.0, 9 / 16.0, 1}, both[5] = {0, 1 / 8.0, 1 / 2.0, 7 / 8.0, 1};
    for (int refine = CAROM_REFINE_FROM; refine <= CAROM_REFINE_BOTH; refine++) {
        p.refine = refine;
        generate("box", &p, &mesh);
        check(&mesh, &(expected){100, 48, CAROM_CELL_HEX8, 6, 22, 1e-14, true, 0.1});
        for (int i = 0; i <= 4; i++)
            assert_near(mesh.nodes[i][0],
                        refine == CAROM_REFINE_FROM ? from[i]
                        : refine == CAROM_REFINE_TO ? 1 - from[4 - i]
                                                    : both[i],
                        1e-15);
        carom_mesh_release(&mesh);
    }

    // with a part of equal cells: the bars of Wolff & Bucher 2013, equation (47), L/n s + (L - L/n) s^2
    carom_box_params bar = {
        .from = {-10, 0, 0}, .to = {0, 1, 1}, .elements = {20, 4, 4}, .grading = {2, 1, 1}, .blend = {0.25, 0, 0}};
    for (int refine = CAROM_REFINE_FROM; refine <= CAROM_REFINE_TO; refine++) {
        bar.refine = refine;
        generate("box", &bar, &mesh);
        for (int i = 0; i <= 20; i++) {
            double s = i / 20.0, at = 10 / 4.0 * s + (10 - 10 / 4.0) * s * s;
            assert_near(refine == CAROM_REFINE_FROM ? mesh.nodes[i][0] : mesh.nodes[20 - i][0],
                        refine == CAROM_REFINE_FROM ? at - 10 : -at, 1e-14);
        }
        carom_mesh_release(&mesh);
    }
}

static void test_plate(void **state) {
    (void)state;
    carom_plate_params p = {
        .center = {1, 1, 1}, .length = 2, .width = 1, .thickness = 0.1, .columns = 1, .rows = 2, .layers = 1};
    carom_mesh mesh;
    for (int cells = CAROM_SOLID_HEX8; cells <= CAROM_SOLID_TET4; cells++) {
        p.cells = cells;
        generate("plate", &p, &mesh);
        int n = cells == CAROM_SOLID_TET4 ? 12 : 2;
        check(&mesh, &(expected){12, n, cells ? CAROM_CELL_TET4 : CAROM_CELL_HEX8, 0.2, 4.6, 1e-14, true, 0.05});
        double normal[3];
        assert_near(vector_area(&mesh, "top", normal), 2, 1e-14);
        assert_near(normal[2], 2, 1e-14);
        assert_near(vector_area(&mesh, "bottom", normal), 2, 1e-14);
        assert_near(normal[2], -2, 1e-14);
        // one column: all nodes of the top are on the rim, but its face is not part of it
        assert_near(vector_area(&mesh, "rim", normal), 0, 1e-14);
        assert_int_equal(carom_mesh_face_set(&mesh, "rim")->count, cells ? 12 : 6);
        carom_mesh_release(&mesh);
    }
}

// Area of the regular polygon with n corners on a circle.
static double polygon(int n, double radius) {
    return 0.5 * n * radius * radius * sin(2 * M_PI / n);
}

static double polygon_edge(int n, double radius) {
    return 2 * radius * sin(M_PI / n);
}

static void test_ring_and_tube(void **state) {
    (void)state;
    carom_ring_params p = {.center = {3, -1, 2}, .inner = 0.5, .outer = 2, .around = 17, .layers = 5};
    double area = polygon(17, 2) - polygon(17, 0.5);
    carom_mesh mesh;
    generate("ring", &p, &mesh);
    check(&mesh, &(expected){17 * 6, 17 * 5, CAROM_CELL_QUAD4, 0, area, 1e-13, false, 0.6});
    assert_int_equal(set_size(&mesh, "inner"), 17);
    assert_int_equal(carom_mesh_face_set(&mesh, "outer")->count, 17);
    carom_mesh_release(&mesh);
    p.cells = CAROM_PLANE_TRI3;
    generate("ring", &p, &mesh);
    check(&mesh, &(expected){17 * 6, 17 * 10, CAROM_CELL_TRI3, 0, area, 1e-13, false, 0.4});
    carom_mesh_release(&mesh);

    carom_tube_params t = {.center = {3, -1, 2}, .inner = 0.5, .outer = 2, .height = 3, .around = 17, .layers = 5, .slices = 7};
    double sides = 17 * 3 * (polygon_edge(17, 2) + polygon_edge(17, 0.5));
    for (int cells = CAROM_SOLID_HEX8; cells <= CAROM_SOLID_TET4; cells++) {
        t.cells = cells;
        generate("tube", &t, &mesh);
        check(&mesh, &(expected){17 * 6 * 8, 17 * 5 * 7 * (cells ? 6 : 1), cells ? CAROM_CELL_TET4 : CAROM_CELL_HEX8, 3 * area,
                                 2 * area + sides, 1e-13, true, 0.3});
        double n[3];
        assert_near(vector_area(&mesh, "top", n), area, 1e-13);
        assert_true(n[2] > 0);
        assert_near(vector_area(&mesh, "inner", n), 0, 1e-13);
        assert_int_equal(set_size(&mesh, "outer"), 17 * 8);
        carom_mesh_release(&mesh);
    }
}

static void test_disc_and_cylinder(void **state) {
    (void)state;
    carom_disc_params p = {.center = {1, 2, 3}, .radius = 1.5, .divisions = 4, .layers = 3};
    double area = polygon(16, 1.5);
    carom_mesh mesh;
    generate("disc", &p, &mesh);
    check(&mesh, &(expected){25 + 48, 16 + 48, CAROM_CELL_QUAD4, 0, area, 1e-13, false, 0.5});
    assert_int_equal(set_size(&mesh, "rim"), 16);
    int middle = carom_mesh_set(&mesh, "center")->nodes[0];
    for (int i = 0; i < 3; i++)
        assert_near(mesh.nodes[middle][i], p.center[i], 1e-15);
    carom_mesh_release(&mesh);
    p.cells = CAROM_PLANE_TRI3;
    p.divisions = 5;
    generate("disc", &p, &mesh);
    check(&mesh, &(expected){36 + 60, 2 * (25 + 60), CAROM_CELL_TRI3, 0, polygon(20, 1.5), 1e-13, false, 0.4});
    assert_null(carom_mesh_set(&mesh, "center"));
    carom_mesh_release(&mesh);

    carom_cylinder_params c = {.center = {1, 2, 3}, .radius = 1.5, .height = 2, .divisions = 4, .layers = 3, .slices = 5};
    for (int cells = CAROM_SOLID_HEX8; cells <= CAROM_SOLID_TET4; cells++) {
        c.cells = cells;
        generate("cylinder", &c, &mesh);
        check(&mesh, &(expected){73 * 6, 64 * 5 * (cells ? 6 : 1), cells ? CAROM_CELL_TET4 : CAROM_CELL_HEX8, 2 * area,
                                 2 * area + 16 * 2 * polygon_edge(16, 1.5), 1e-13, true, 0.3});
        double n[3];
        assert_near(vector_area(&mesh, "bottom", n), area, 1e-13);
        assert_true(n[2] < 0);
        assert_int_equal(set_size(&mesh, "side"), 16 * 6);
        carom_mesh_release(&mesh);
    }
}

static void test_hexagonal_disc(void **state) {
    (void)state;
    // the plate of the DCR paper: 6 * 24^2 = 3456 triangles, 1801 nodes
    carom_hexagonal_disc_params p = {.radius = 0.35, .rings = 24};
    carom_mesh mesh;
    generate("hexagonal-disc", &p, &mesh);
    check(&mesh, &(expected){1801, 3456, CAROM_CELL_TRI3, 0, polygon(6 * 24, 0.35), 1e-13, false, 0.8});
    assert_int_equal(set_size(&mesh, "rim"), 144);
    assert_int_equal(carom_mesh_set(&mesh, "center")->nodes[0], 0);

    // all triangles face +z
    for (int e = 0; e < 3456; e++) {
        const int *n = &mesh.blocks[0].nodes[3 * e];
        const double *a = mesh.nodes[n[0]], *b = mesh.nodes[n[1]], *c = mesh.nodes[n[2]];
        assert_true((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0);
    }

    // every inner node has six neighbours
    int *valence = calloc((size_t)mesh.node_count, sizeof *valence);
    for (int i = 0; i < 3 * 3456; i++)
        valence[mesh.blocks[0].nodes[i]]++;
    int inner = 0;
    for (int k = 0; k < mesh.node_count; k++)
        inner += valence[k] == 6;
    assert_int_equal(inner, 1801 - 144);
    free(valence);
    carom_mesh_release(&mesh);
}

static void on_sphere(const carom_mesh *mesh, const double center[3], double radius) {
    for (int k = 0; k < mesh->node_count; k++) {
        const double *x = mesh->nodes[k];
        assert_near(sqrt(pow(x[0] - center[0], 2) + pow(x[1] - center[1], 2) + pow(x[2] - center[2], 2)), radius,
                    1e-14 * radius);
    }
}

static void valences(const carom_mesh *mesh, int count[8]) {
    int *valence = carom_allocate(mesh->node_count, sizeof *valence);
    memset(count, 0, 8 * sizeof *count);
    for (int i = 0; i < 3 * mesh->blocks[0].count; i++)
        valence[mesh->blocks[0].nodes[i]]++;
    for (int k = 0; k < mesh->node_count; k++) {
        assert_in_range(valence[k], 3, 7);
        count[valence[k]]++;
    }
    free(valence);
}

static void test_sphere_solids(void **state) {
    (void)state;
    // the regular solids themselves, with their volumes and areas for a circumscribed radius of 2
    double r = 2, a = r / sin(2 * M_PI / 5), t = r * sqrt(8.0 / 3), c = 2 * r / sqrt(3);
    struct {
        int faces, nodes;
        double volume, area, quality;
    } solids[] = {
        {4, 4, t * t * t / (6 * M_SQRT2), sqrt(3) * t * t, 1 - 1e-12},
        {8, 6, 4.0 / 3 * r * r * r, 4 * sqrt(3) * r * r, 1 - 1e-12},
        {20, 12, 5.0 / 12 * (3 + sqrt(5)) * a * a * a, 5 * sqrt(3) * a * a, 1 - 1e-12},
        {12, 8, c * c * c, 6 * c * c, 0.86},
    };
    for (int s = 0; s < 4; s++) {
        carom_sphere_params p = {.center = {1, 0, -1}, .radius = r, .faces = solids[s].faces};
        carom_mesh mesh;
        generate("sphere", &p, &mesh);
        check(&mesh, &(expected){solids[s].nodes, solids[s].faces, CAROM_CELL_TRI3, solids[s].volume, solids[s].area, 1e-13,
                                 true, solids[s].quality});
        carom_mesh_release(&mesh);
    }
}

static void test_sphere_counts(void **state) {
    (void)state;
    // counts of the DCR paper: 4096 = 2 x 2048, also 4096 in one, 6528 = 3072 + 3456; V - E + F = 2
    struct {
        int faces, pattern, irregular_valence, irregular;
        double shortest;
    } spheres[] = {
        {2048, CAROM_SPHERE_OCTAHEDRAL, 4, 6, 0.098},
        {4096, CAROM_SPHERE_TETRAHEDRAL, 3, 4, 0.060},
        {3072, CAROM_SPHERE_CUBE, 0, 0, 0},
        {1280, CAROM_SPHERE_ICOSAHEDRAL, 5, 12, 0},
    };
    for (int s = 0; s < 4; s++) {
        carom_sphere_params p = {.center = {-1.05, 0, 0}, .radius = 1, .faces = spheres[s].faces};
        carom_mesh mesh;
        generate("sphere", &p, &mesh);
        check(&mesh, &(expected){spheres[s].faces / 2 + 2, spheres[s].faces, CAROM_CELL_TRI3, 4 * M_PI / 3, 4 * M_PI, 0.01,
                                 true, 0.5});
        on_sphere(&mesh, p.center, 1);
        int count[8];
        valences(&mesh, count);
        if (spheres[s].irregular)
            assert_int_equal(count[spheres[s].irregular_valence], spheres[s].irregular);
        else
            assert_int_equal(count[3], 4);
        carom_mesh_facts facts;
        assert_ok(carom_mesh_measure(&mesh, &facts, error));
        if (spheres[s].shortest > 0)
            assert_near(facts.shortest_edge, spheres[s].shortest, 0.0005);

        // the same by name; any other name is refused
        carom_mesh same;
        uint64_t hash = carom_mesh_hash(&mesh);
        for (int pattern = CAROM_SPHERE_OCTAHEDRAL; pattern <= CAROM_SPHERE_CUBE; pattern++) {
            p.pattern = pattern;
            carom_pick pick = {carom_catalogue_find(carom_generators(), "sphere"), &p};
            if (pattern != spheres[s].pattern) {
                assert_refused(carom_mesh_generate(pick, &same, error), CAROM_BAD_INPUT, "cannot have");
                continue;
            }
            assert_ok(carom_mesh_generate(pick, &same, error));
            assert_true(carom_mesh_hash(&same) == hash);
            carom_mesh_release(&same);
        }
        carom_mesh_release(&mesh);
    }
}

static void test_sphere_refused(void **state) {
    (void)state;
    carom_sphere_params p = {.radius = 1, .faces = 5000};
    carom_mesh mesh;
    carom_pick pick = {carom_catalogue_find(carom_generators(), "sphere"), &p};
    assert_refused(carom_mesh_generate(pick, &mesh, error), CAROM_BAD_INPUT,
                   "a sphere cannot have 5000 faces; the nearest are 4800 (cube-mapped) and 5120 (icosahedral)");
    p.pattern = CAROM_SPHERE_OCTAHEDRAL;
    assert_refused(carom_mesh_generate(pick, &mesh, error), CAROM_BAD_INPUT,
                   "the octahedral sphere cannot have 5000 faces; the nearest are 2048 (octahedral) and 8192 (octahedral)");
    p.faces = 5;
    assert_refused(carom_mesh_generate(pick, &mesh, error), CAROM_BAD_INPUT, "the smallest has 8");
    assert_int_equal(mesh.node_count, 0);
}

// The error of volume and area decreases with the square of the cell size, for every pattern.
static void test_sphere_converges(void **state) {
    (void)state;
    const int coarse[4] = {512, 320, 256, 192};
    for (int s = 0; s < 4; s++) {
        double volume[2], area[2];
        for (int k = 0; k < 2; k++) {
            carom_sphere_params p = {.radius = 1, .faces = coarse[s] * (k ? 4 : 1)};
            carom_mesh mesh;
            carom_mesh_facts facts;
            generate("sphere", &p, &mesh);
            assert_ok(carom_mesh_measure(&mesh, &facts, error));
            volume[k] = 4 * M_PI / 3 - facts.volume;
            area[k] = 4 * M_PI - facts.area;
            assert_true(volume[k] > 0 && area[k] > 0);
            carom_mesh_release(&mesh);
        }
        assert_near(volume[0] / volume[1], 4, 0.2);
        assert_near(area[0] / area[1], 4, 0.2);
    }
}

static void test_ball(void **state) {
    (void)state;
    for (int cells = CAROM_SOLID_HEX8; cells <= CAROM_SOLID_TET4; cells++)
        for (int n = 1; n <= 4; n++) {
            carom_ball_params p = {.center = {5, 6, 7}, .radius = 2, .divisions = n, .layers = 2, .cells = cells};
            carom_mesh mesh;
            generate("ball", &p, &mesh);
            int nodes = (n + 1) * (n + 1) * (n + 1) + 2 * (6 * n * n + 2), hexes = n * n * n + 2 * 6 * n * n;
            check(&mesh, &(expected){nodes, hexes * (cells ? 6 : 1), cells ? CAROM_CELL_TET4 : CAROM_CELL_HEX8,
                                     n == 1 ? pow(4 / sqrt(3), 3) : 0, n == 1 ? 6 * pow(4 / sqrt(3), 2) : 0, 1e-13, true, 0.2});
            // the volume of the cells equals the flux of x/3 through the surface
            carom_mesh shell = {.node_count = mesh.node_count, .nodes = mesh.nodes};
            const carom_face_set *surface = carom_mesh_face_set(&mesh, "surface");
            assert_int_equal(surface->count, 6 * n * n * (cells ? 2 : 1));
            int size = cells ? 3 : 4, *nodes_of = calloc((size_t)surface->count * (size_t)size, sizeof *nodes_of);
            for (int f = 0; f < surface->count; f++)
                memcpy(&nodes_of[f * size], surface->nodes[f], (size_t)size * sizeof *nodes_of);
            carom_cell_block block = {cells ? CAROM_CELL_TRI3 : CAROM_CELL_QUAD4, surface->count, nodes_of, NULL};
            shell.blocks = &block;
            shell.block_count = 1;
            carom_mesh_facts solid, hull;
            assert_ok(carom_mesh_measure(&mesh, &solid, error));
            assert_ok(carom_mesh_measure(&shell, &hull, error));
            assert_near(solid.volume, hull.volume, 1e-12 * hull.volume);
            assert_true(solid.volume < 4 * M_PI / 3 * 8);
            free(nodes_of);
            carom_mesh_release(&mesh);
        }
}

static void test_cube(void **state) {
    (void)state;
    // the cube of the DCR paper: 192 = 12 * 4^2 triangles, 98 nodes, four corners with six triangles, four with three
    carom_cube_params p = {.center = {1, 2, 3}, .side = 2, .divisions = 4};
    carom_mesh mesh;
    generate("cube", &p, &mesh);
    check(&mesh, &(expected){98, 192, CAROM_CELL_TRI3, 8, 24, 1e-14, true, 0.86});
    int corners[8] = {0}, *valence = calloc(98, sizeof *valence);
    for (int i = 0; i < 3 * 192; i++)
        valence[mesh.blocks[0].nodes[i]]++;
    for (int k = 0; k < 98; k++) {
        bool corner = true;
        for (int i = 0; i < 3; i++)
            corner = corner && fabs(fabs(mesh.nodes[k][i] - p.center[i]) - 1) < 1e-12;
        if (corner)
            corners[valence[k]]++;
        else
            assert_int_equal(valence[k], 6);
    }
    assert_int_equal(corners[6], 4);
    assert_int_equal(corners[3], 4);
    free(valence);
    static const char *const names[6] = {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"};
    for (int s = 0; s < 6; s++) {
        double n[3];
        assert_near(vector_area(&mesh, names[s], n), 4, 1e-14);
        assert_near(n[s / 2], s % 2 ? 4 : -4, 1e-14);
        assert_int_equal(set_size(&mesh, names[s]), 25);
    }
    carom_mesh_release(&mesh);
}

static void test_refused(void **state) {
    (void)state;
    carom_mesh mesh;
    carom_rectangle_params tilted = {.from = {0, 0, 0}, .to = {1, 1, 1}, .columns = 1, .rows = 1};
    assert_refused(
        carom_mesh_generate((carom_pick){carom_catalogue_find(carom_generators(), "rectangle"), &tilted}, &mesh, error),
        CAROM_BAD_INPUT, "same z");
    carom_box_params inside_out = {.from = {0, 0, 0}, .to = {1, -1, 1}, .elements = {1, 1, 1}, .grading = {1, 1, 1}};
    assert_refused(
        carom_mesh_generate((carom_pick){carom_catalogue_find(carom_generators(), "box"), &inside_out}, &mesh, error),
        CAROM_BAD_INPUT, "larger y");
    carom_box_params huge = {.from = {0, 0, 0}, .to = {1, 1, 1}, .elements = {10000, 10000, 10000}, .grading = {1, 1, 1}};
    assert_refused(carom_mesh_generate((carom_pick){carom_catalogue_find(carom_generators(), "box"), &huge}, &mesh, error),
                   CAROM_BAD_INPUT, "1000000000000 cells are too many");
    carom_ring_params thin = {.inner = 2, .outer = 2, .around = 8, .layers = 1};
    assert_refused(carom_mesh_generate((carom_pick){carom_catalogue_find(carom_generators(), "ring"), &thin}, &mesh, error),
                   CAROM_BAD_INPUT, "must be larger");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line_graded),
        cmocka_unit_test(test_rectangle),
        cmocka_unit_test(test_box),
        cmocka_unit_test(test_plate),
        cmocka_unit_test(test_ring_and_tube),
        cmocka_unit_test(test_disc_and_cylinder),
        cmocka_unit_test(test_hexagonal_disc),
        cmocka_unit_test(test_sphere_solids),
        cmocka_unit_test(test_sphere_counts),
        cmocka_unit_test(test_sphere_refused),
        cmocka_unit_test(test_sphere_converges),
        cmocka_unit_test(test_ball),
        cmocka_unit_test(test_cube),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
