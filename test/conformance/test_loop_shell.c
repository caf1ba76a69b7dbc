// SPDX-License-Identifier: MIT
// Shells as potentials: forces, stiffness, rigid motions, on surfaces of every kind; a nonlinear reference state; stable steps.
#include "../shells.h"
#include "carom/element.h"
#include "model/state.h"
#include "output/frames/grid.h"

enum { CASES = 9 };

// A disc whose nodes have five, six and seven neighbours: two edges of its triangles are flipped.
static void flip(carom_mesh *mesh, int first) {
    int(*T)[3] = (int(*)[3])mesh->blocks[0].nodes;
    for (int f = 0; f < mesh->blocks[0].count; f++)
        for (int i = 0; f != first && i < 3; i++)
            for (int j = 0; j < 3; j++)
                if (T[f][i] == T[first][(j + 1) % 3] && T[f][(i + 1) % 3] == T[first][j]) {
                    int a = T[first][j], b = T[first][(j + 1) % 3], c = T[first][(j + 2) % 3], d = T[f][(i + 2) % 3];
                    memcpy(T[first], (int[]){c, a, d}, sizeof *T);
                    memcpy(T[f], (int[]){d, b, c}, sizeof *T);
                    return;
                }
}

// Sets name nodes and edges that are no more.
static void drop_sets(carom_mesh *mesh) {
    carom_mesh sets = {
        .set_count = mesh->set_count, .sets = mesh->sets, .face_set_count = mesh->face_set_count, .face_sets = mesh->face_sets};
    carom_mesh_release(&sets);
    mesh->set_count = mesh->face_set_count = 0;
    mesh->sets = NULL;
    mesh->face_sets = NULL;
}

// Surfaces with nodes of three, four, five, six and seven neighbours, closed and open, with corners of one, two, three and more
// triangles, and every kind of edge.
static const char *start(shell *s, int number) {
    static const char *const names[CASES] = {"octahedral", "tetrahedral", "cube", "flipped disc", "rectangle",
                                             "mirrored",   "clamped",     "both", "triangle"};
    carom_cube_params cube = {.side = 1, .divisions = 4};
    carom_hexagonal_disc_params disc = {.radius = 1, .rings = 3};
    carom_rectangle_params rectangle = {.to = {1, 0.8}, .columns = 4, .rows = 3, .cells = CAROM_PLANE_TRI3};
    switch (number) {
    case 0: shell_start_sphere(s, 32); break;
    case 1: shell_start_sphere(s, 64); break;
    case 2: shell_start(s, "cube", &cube, 0.05, 0.7); break;
    case 3: shell_start(s, "hexagonal-disc", &disc, 0.05, 0.7); break;
    default: shell_start(s, "rectangle", &rectangle, 0.05, 0.7); break;
    }
    carom_mesh *mesh = &s->b.meshes[0];
    if (number == 3) {
        flip(mesh, 10);
        flip(mesh, 30);
    }
    if (number == 5 || number == 7)
        strcpy(s->params.symmetry, "x=0 y=0");
    if (number == 6)
        strcpy(s->params.clamped, "rim");
    if (number == 7)
        strcpy(s->params.clamped, "xmax");
    if (number == 8)
        mesh->blocks[0].count = 1;
    // flat ones are bent a little, as far as the planes of symmetry allow
    for (int k = 0; number > 2 && k < mesh->node_count; k++) {
        double *x = mesh->nodes[k];
        x[2] += 0.3 * x[0] * x[0] - 0.2 * x[1] * x[1];
    }
    if (number == 8) {
        // one triangle and its nodes
        for (int i = 0; i < 3; i++) {
            mesh->blocks[0].nodes[i] = i;
            memcpy(mesh->nodes[i], ((const double[][3]){{0, 0, 0}, {1, 0, 0.1}, {0.3, 0.9, 0}})[i], sizeof *mesh->nodes);
        }
        mesh->node_count = 3;
        drop_sets(mesh);
    }
    return names[number];
}

static void disturb(shell *s, double size, uint64_t *seed) {
    for (int k = 0; k < s->b.model->node_count; k++)
        for (int i = 0; i < 3; i++)
            s->x[k][i] = s->b.model->X[k][i] + random_real(seed, -size, size);
}

// Runs a check on every surface, by both rules and both laws.
static void on_all(void (*check)(shell *s, const char *name, bool loose)) {
    for (int number = 0; number < CASES; number++)
        for (int rule = 0; rule < 2; rule++)
            for (int law = 0; law < 2; law++) {
                shell s = {0};
                const char *name = start(&s, number);
                s.params.integration = rule;
                if (law)
                    s.b.bodies[0].material.kind = carom_catalogue_find(carom_materials(), "neo-hookean");
                shell_build(&s);
                check(&s, name, number < 5 || number == 8);
                shell_end(&s);
            }
}

// f.d against the change of energy.
static void check_force(shell *s, const char *name, bool loose) {
    (void)loose;
    int count = 3 * s->b.model->node_count;
    uint64_t seed = 7;
    double *d = calloc((size_t)count, sizeof *d), work = 0, size = 0, h = 3e-6;
    disturb(s, 0.03, &seed);
    shell_force(s);
    for (int i = 0; i < count; i++) {
        d[i] = random_real(&seed, -1, 1);
        work -= s->f[i / 3][i % 3] * d[i];
        size += s->f[i / 3][i % 3] * s->f[i / 3][i % 3];
    }
    double change = 0;
    for (int side = -1; side <= 1; side += 2) {
        for (int i = 0; i < count; i++)
            s->x[i / 3][i % 3] += side * h * d[i];
        change += side * shell_energy(s);
        for (int i = 0; i < count; i++)
            s->x[i / 3][i % 3] -= side * h * d[i];
    }
    if (!(fabs(change / (2 * h) - work) <= 1e-8 * sqrt(size)))
        fail_msg("%s: %.15g, expected %.15g", name, change / (2 * h), work);
    free(d);
}

static void test_forces_are_the_gradient(void **state) {
    (void)state;
    on_all(check_force);
}

// No resultant, no moment, whatever the state.
static void check_momentum(shell *s, const char *name, bool loose) {
    uint64_t seed = 9;
    double sum[3] = {0}, moment[3] = {0}, size = 0;
    disturb(s, 0.03, &seed);
    shell_force(s);
    for (int k = 0; k < s->b.model->node_count; k++) {
        double m[3];
        carom_cross(s->x[k], s->f[k], m);
        carom_add_scaled(1, s->f[k], sum);
        carom_add_scaled(1, m, moment);
        size += carom_norm(s->f[k]);
    }
    if (loose && (carom_norm(sum) > 1e-12 * size || carom_norm(moment) > 1e-12 * size))
        fail_msg("%s: resultant %g, moment %g of %g", name, carom_norm(sum), carom_norm(moment), size);
}

static void test_forces_have_no_resultant(void **state) {
    (void)state;
    on_all(check_momentum);
}

// Turned and moved, a shell has no energy.
static void check_rigid(shell *s, const char *name, bool loose) {
    static const double R[3][3] = {{0.36, 0.48, -0.8}, {-0.8, 0.6, 0}, {0.48, 0.64, 0.6}};
    double area = 0;
    for (int k = 0; k < s->b.model->node_count; k++) {
        for (int i = 0; i < 3; i++)
            s->x[k][i] = carom_dot(R[i], s->b.model->X[k]) + 0.3 * i - 1;
        area += s->b.model->mass[k] / (s->b.materials[0].density * s->params.thickness);
    }
    // the neo-Hookean law knows small energies by differences of numbers of order one
    bool exact = strcmp(s->b.bodies[0].material.kind->name, "st-venant-kirchhoff") == 0;
    double energy = shell_energy(s), scale = 2.1e5 * s->params.thickness * area;
    if (loose && !(fabs(energy) < (exact ? 1e-20 : 1e-15) * scale))
        fail_msg("%s: energy %g", name, energy / scale);
}

static void test_rigid_motions_cost_nothing(void **state) {
    (void)state;
    on_all(check_rigid);
}

// The stiffness against differences of the force, and its symmetry.
static void check_stiffness(shell *s, const char *name, bool loose) {
    (void)loose;
    int count = 3 * s->b.model->node_count;
    uint64_t seed = 11;
    double *v = calloc((size_t)count, sizeof *v), *w = calloc((size_t)count, sizeof *w),
           *change = calloc((size_t)count, sizeof *w);
    double asymmetry, h = 1e-6, size = 0, worst = 0;
    disturb(s, 0.03, &seed);
    for (int i = 0; i < count; i++)
        v[i] = random_real(&seed, -1, 1);
    shell_stiffness(s, v, w, &asymmetry);
    for (int side = -1; side <= 1; side += 2) {
        for (int i = 0; i < count; i++)
            s->x[i / 3][i % 3] += side * h * v[i];
        shell_force(s);
        for (int i = 0; i < count; i++) {
            change[i] -= side * s->f[i / 3][i % 3] / (2 * h);
            s->x[i / 3][i % 3] -= side * h * v[i];
        }
    }
    for (int i = 0; i < count; i++) {
        size = fmax(size, fabs(w[i]));
        worst = fmax(worst, fabs(w[i] - change[i]));
    }
    if (!(worst <= 1e-8 * size) || !(asymmetry < 1e-13))
        fail_msg("%s: stiffness off by %g, asymmetry %g", name, worst / size, asymmetry);
    free(v);
    free(w);
    free(change);
}

static void test_stiffness_is_the_derivative(void **state) {
    (void)state;
    on_all(check_stiffness);
}

typedef struct reference {
    const char *generator;
    const void *params;
    double density, area, membrane, bending, square;
} reference;

static void bend(shell *s) {
    for (int k = 0; k < s->b.model->node_count; k++) {
        const double *X = s->b.model->X[k];
        s->x[k][0] = 1.10 * X[0] + 0.05 * X[1] * X[2];
        s->x[k][1] = 0.95 * X[1] + 0.08 * X[0] * X[0];
        s->x[k][2] = X[2] + 0.10 * X[0] * X[1] - 0.04 * X[2] * X[2];
    }
}

#define assert_close(a, b, relative) assert_near(a, b, (relative)*fabs(b))

static int node_at(const carom_model *model, const double at[3]) {
    for (int k = 0; k < model->node_count; k++) {
        double d[3];
        carom_difference(model->X[k], at, d);
        if (carom_norm(d) < 1e-9)
            return k;
    }
    fail_msg("no node there");
    return -1;
}

// Numbers of two independent programs that agree to 1e-14, from the specification of the element.
static void test_nonlinear_reference_state(void **state) {
    (void)state;
    const carom_sphere_params coarse = {.radius = 1, .faces = 128}, fine = {.radius = 1, .faces = 2048};
    const carom_cube_params cube = {.side = 1, .divisions = 4};
    const carom_hexagonal_disc_params disc = {.radius = 1, .rings = 4};
    const reference references[] = {
        {"sphere", &coarse, 0.0785, 11.205934057, 562.838240498, 0.231741900102, 8.78275926860e6},
        {"sphere", &fine, 0.0785, 12.472881700, 683.576241582, 0.296128079270, 1.21678786334e6},
        {"cube", &cube, 0.7085, 5.239115129, 271.738502358, 0.378133699712, 2.45146704689e6},
        {"hexagonal-disc", &disc, 0.0785, 3.104694056, 232.225155451, 0.049290556044, 1.68958196743e6},
    };
    const struct {
        int of;
        double at[3], mass, f[3];
    } nodes[] = {
        {0, {1, 0, 0}, 3.519638386918e-4, {-24.783288678, 152.22497645, 73.095584198}},
        {0, {sqrt(0.5), sqrt(0.5), 0}, 7.321876808098e-4, {384.95269857, -239.77163265, 431.62200683}},
        {1, {1, 0, 0}, 2.199457795062e-5, {-3.8499412612, 11.587255004, 5.9063499558}},
        {2, {0.5, 0.5, 0.5}, 5.946145040238e-4, {143.25625520, -35.619795085, -19.021956168}},
        {2, {-0.5, -0.5, -0.5}, 1.787417052916e-3, {-201.01250740, 82.381090829, -40.173062390}},
        {3, {1, 0, 0}, 1.000761706901e-4, {345.15753653, 175.01961845, 11.807464380}},
    };
    for (int c = 0; c < 4; c++) {
        const reference *r = &references[c];
        shell s = {0};
        shell_start(&s, r->generator, r->params, 0.05, r->density);
        shell_build(&s);
        bend(&s);
        double parts[2], square = 0, mass = 0;
        shell_parts(&s, parts);
        shell_force(&s);
        for (int k = 0; k < s.b.model->node_count; k++) {
            square += carom_dot(s.f[k], s.f[k]);
            mass += s.b.model->mass[k];
        }
        assert_close(mass, 0.05 * r->density * r->area, 1e-9);
        assert_close(parts[0], r->membrane, 1e-9);
        assert_close(parts[1], r->bending, 1e-9);
        assert_close(shell_energy(&s), r->membrane + r->bending, 1e-9);
        assert_close(square, r->square, 1e-9);
        for (size_t n = 0; n < sizeof nodes / sizeof *nodes; n++) {
            if (nodes[n].of != c)
                continue;
            int k = node_at(s.b.model, nodes[n].at);
            assert_close(s.b.model->mass[k], nodes[n].mass, 1e-9);
            for (int i = 0; i < 3; i++)
                assert_near(-s.f[k][i], nodes[n].f[i], 1e-9 * carom_norm(nodes[n].f));
        }
        shell_end(&s);
    }
}

// Adds the image of a mesh of triangles across the plane where coordinate `axis` is zero; nodes there are shared.
static void reflect(carom_mesh *mesh, int axis) {
    int n = mesh->node_count, count = mesh->blocks[0].count, *image = calloc((size_t)n, sizeof *image);
    mesh->nodes = realloc(mesh->nodes, 2 * (size_t)n * sizeof *mesh->nodes);
    int *nodes = mesh->blocks[0].nodes = realloc(mesh->blocks[0].nodes, 6 * (size_t)count * sizeof *nodes);
    for (int k = 0; k < n; k++) {
        image[k] = k;
        if (mesh->nodes[k][axis] == 0)
            continue;
        image[k] = mesh->node_count++;
        memcpy(mesh->nodes[image[k]], mesh->nodes[k], sizeof *mesh->nodes);
        mesh->nodes[image[k]][axis] *= -1;
    }
    for (int f = 0; f < count; f++)
        for (int i = 0; i < 3; i++)
            nodes[3 * (count + f) + i] = image[nodes[3 * f + 2 - i]];
    mesh->blocks[0].count = 2 * count;
    drop_sets(mesh);
    free(image);
}

static void start_quarter(shell *s, int rule) {
    carom_rectangle_params rectangle = {.to = {1, 0.8}, .columns = 5, .rows = 4, .cells = CAROM_PLANE_TRI3};
    shell_start(s, "rectangle", &rectangle, 0.05, 0.7);
    s->params.integration = rule;
    carom_mesh *mesh = &s->b.meshes[0];
    for (int k = 0; k < mesh->node_count; k++)
        mesh->nodes[k][2] = 0.3 * mesh->nodes[k][0] * mesh->nodes[k][0] - 0.2 * mesh->nodes[k][1] * mesh->nodes[k][1];
}

// A quarter with two planes of symmetry does what it does as part of the whole.
static void test_quarter_is_part_of_the_whole(void **state) {
    (void)state;
    for (int rule = 0; rule < 2; rule++) {
        shell quarter = {0}, whole = {0};
        start_quarter(&quarter, rule);
        strcpy(quarter.params.symmetry, "x=0 y=0");
        shell_build(&quarter);
        start_quarter(&whole, rule);
        carom_mesh *mesh = &whole.b.meshes[0];
        reflect(mesh, 0);
        reflect(mesh, 1);
        shell_build(&whole);

        // deformations that are symmetric as well
        shell *both[2] = {&quarter, &whole};
        for (int c = 0; c < 2; c++) {
            for (int k = 0; k < both[c]->b.model->node_count; k++) {
                double *x = both[c]->x[k], X[3] = {x[0], x[1], x[2]};
                x[0] = X[0] * (1.1 + 0.1 * X[1] * X[1]);
                x[1] = X[1] * (0.9 - 0.2 * X[0] * X[0] + 0.1 * X[2]);
                x[2] = X[2] + 0.2 * X[0] * X[0] - 0.3 * X[1] * X[1];
            }
            shell_force(both[c]);
        }
        assert_near(shell_energy(&whole), 4 * shell_energy(&quarter), 1e-13 * shell_energy(&whole));
        for (int k = 0; k < quarter.b.model->node_count; k++) {
            const double *X = quarter.b.model->X[k];
            double share = (X[0] == 0 ? 0.5 : 1) * (X[1] == 0 ? 0.5 : 1);
            assert_near(quarter.b.model->mass[k], share * whole.b.model->mass[k], 1e-14 * whole.b.model->mass[k]);
            for (int i = 0; i < 3; i++)
                if (i == 2 || X[i] != 0)
                    assert_near(quarter.f[k][i], share * whole.f[k][i], 1e-11 * carom_norm(whole.f[k]));
        }
        shell_end(&quarter);
        shell_end(&whole);
    }
}

static void test_edges_that_do_not_exist(void **state) {
    (void)state;
    static const struct {
        const char *symmetry, *clamped, *message;
    } cases[] = {
        {"w=0", "", "'w=0' is not a plane such as x=0"},
        {"x=", "", "'x=' is not a plane"},
        {"x=0 x=1", "", "two planes across x"},
        {"", "brim", "no node set 'brim'"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        shell s = {0};
        start_quarter(&s, 0);
        strcpy(s.params.symmetry, cases[c].symmetry);
        strcpy(s.params.clamped, cases[c].clamped);
        assert_refused(carom_model_create(&s.b.def, &s.b.model, error), CAROM_BAD_INPUT, cases[c].message);
        shell_end(&s);
    }
}

// Cells come in the order of the mesh, though elements are sorted; on a sphere under uniform growth every field is known.
static void test_fields(void **state) {
    (void)state;
    shell s = {0};
    shell_start_sphere(&s, 2048);
    bench_simulate(&s.b, 1, 1e-5);
    const carom_model *model = s.b.model;
    carom_state *now = (carom_state *)carom_sim_state(s.b.sim);
    double growth = 1.001, t = 0.05, stress = 2.1e5 / 0.7 * 0.5 * (growth * growth - 1), force = t * stress;
    for (int k = 0; k < model->node_count; k++)
        for (int i = 0; i < 3; i++)
            now->x[k][i] = growth * model->X[k][i];
    carom_grid grid;
    assert_ok(carom_grid_create(model, NULL, &grid, error));
    const int *cells = s.b.meshes[0].blocks[0].nodes;
    for (int c = 0; c < grid.element_count; c++)
        for (int i = 0; i < 3; i++)
            assert_int_equal(grid.connectivity[grid.offsets[c] + i], cells[3 * c + i]);

    int shown = 0;
    double curvature = 0;
    for (int f = 0; f < grid.field_count; f++) {
        const char *name = grid.fields[f].name;
        carom_grid_field(&grid, now, f);
        for (int c = 0; c < grid.cell_count; c++) {
            const double *v = &grid.values[c * grid.fields[f].components];
            if (strcmp(name, "membrane_force") == 0)
                assert_near(v[0] + v[1] + v[2], 2 * force, 2e-3 * force);
            else if (strcmp(name, "thickness") == 0)
                assert_near(v[0], t * (1 - 0.6 / 0.7 * (growth - 1)), 1e-6 * t);
            else if (strcmp(name, "von_mises") == 0)
                assert_near(v[0], stress, 0.06 * stress);
            else if (strcmp(name, "membrane_energy") == 0)
                assert_near(v[0], 0.5 * force * (growth * growth - 1), 1e-9 * force);
            else if (strcmp(name, "principal_curvature") == 0) {
                // triangles of different size make it uneven
                assert_true(v[0] >= v[1] && fabs(v[0] + 1) < 0.3 && fabs(v[1] + 1) < 0.35);
                curvature += 0.5 * (v[0] + v[1]) / grid.cell_count;
            } else
                continue;
            shown++;
        }
    }
    assert_true(shown > 4 * 2048);
    assert_near(curvature, -1, 0.02);

    // the smooth surface: half of the node and a twelfth of each of six neighbours; with four, of which beta is 31/256
    double(*sum)[3] = calloc((size_t)model->node_count, sizeof *sum);
    int *valence = calloc((size_t)model->node_count, sizeof *valence);
    for (int c = 0; c < 3 * grid.element_count; c++) {
        int k = cells[c], f = c - c % 3;
        valence[k]++;
        for (int i = 0; i < 3; i++)
            if (f + i != c)
                carom_add_scaled(0.5, now->x[cells[f + i]], sum[k]);
    }
    carom_grid_point_field(&grid, now, CAROM_POINT_TO_LIMIT);
    for (int k = 0; k < model->node_count; k++) {
        double share = valence[k] == 6 ? 1.0 / 12 : 1 / (0.375 * 256 / 31 + 4);
        for (int i = 0; i < 3; i++)
            assert_near(grid.values[3 * k + i], share * (sum[k][i] - valence[k] * now->x[k][i]), 1e-15);
    }
    free(sum);
    free(valence);
    carom_grid_release(&grid);
    shell_end(&s);
}

// 2/omega_max by power iteration on M^-1 K, from above, to four digits.
static double critical_step(shell *s) {
    const carom_model *model = s->b.model;
    int count = 3 * model->node_count;
    double *v = calloc((size_t)count, sizeof *v), eigenvalue = 0, h = 1e-6;
    uint64_t seed = 3;
    for (int i = 0; i < count; i++)
        v[i] = random_real(&seed, -1, 1);
    for (int iteration = 0; iteration < 1500; iteration++) {
        double most = 0, up = 0, down = 0;
        for (int i = 0; i < count; i++)
            most = fmax(most, fabs(v[i]));
        for (int i = 0; i < count; i++) {
            v[i] /= most;
            s->x[i / 3][i % 3] = model->X[i / 3][i % 3] + h * v[i];
        }
        shell_force(s);
        for (int i = 0; i < count; i++) {
            double w = -s->f[i / 3][i % 3] / (h * model->mass[i / 3]);
            up += model->mass[i / 3] * w * v[i];
            down += model->mass[i / 3] * v[i] * v[i];
            v[i] = w;
        }
        eigenvalue = up / down;
    }
    free(v);
    return 2 / sqrt(eigenvalue);
}

static void test_stable_step(void **state) {
    (void)state;
    const struct {
        const char *generator;
        int faces;
        double density, step; // critical steps of the specification, to two digits
    } cases[] = {
        {"sphere", 512, 7.85e-2, 1.99e-4},
        {"sphere", 2048, 7.85e-2, 9.1e-5},
        {"sphere", 4096, 7.85e-2, 3.9e-5},
        {"cube", 192, 0.7085, 6.3e-4},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        shell s = {0};
        carom_cube_params cube = {.side = 1, .divisions = 4};
        if (cases[c].generator[0] == 's')
            shell_start_sphere(&s, cases[c].faces);
        else
            shell_start(&s, "cube", &cube, 0.05, cases[c].density);
        shell_build(&s);
        double step = carom_model_stable_step(s.b.model), critical = critical_step(&s);
        assert_near(critical, cases[c].step, 0.012 * cases[c].step);
        if (!(step <= critical * (1 + 1e-6) && step > 0.99 * critical))
            fail_msg("%d faces: %g of %g", cases[c].faces, step, critical);
        // and each element is on the safe side
        for (int b = 0; b < s.b.model->block_count; b++) {
            const carom_block *block = &s.b.model->blocks[b];
            const double(*X)[3] = (const double(*)[3])s.b.model->X;
            double least = HUGE_VAL;
            block->element->stable_step(block, 0, block->count, X, X, s.energies);
            for (int e = 0; e < block->count; e++)
                least = fmin(least, s.energies[e]);
            if (!(least <= critical && least > 0.3 * critical))
                fail_msg("%d faces: an element has %g of %g", cases[c].faces, least, critical);
        }
        shell_end(&s);
    }
}

// A sphere that flies and vibrates: 6000 steps, a fifth of the energy stored.
static void test_free_flight(void **state) {
    (void)state;
    shell s = {0};
    shell_start_sphere(&s, 2048);
    carom_mesh *mesh = &s.b.meshes[0];
    mesh->velocities = calloc((size_t)mesh->node_count, sizeof *mesh->velocities);
    for (int k = 0; k < mesh->node_count; k++) {
        const double *x = mesh->nodes[k];
        double *v = mesh->velocities[k];
        v[0] = 150 + 100 * (x[0] - 0.5 * x[1] * x[2]);
        v[1] = 100 * (-0.7 * x[1] + x[0] * x[0] * x[2]);
        v[2] = 100 * (0.3 * x[0] * x[1] - 0.5 * x[2]);
    }
    bench_simulate(&s.b, 0.03, 5e-6);
    carom_ledger_row before = bench_ledger(&s.b), row = before;
    double most = 0, stored = 0, scale = before.total;
    while (!carom_sim_done(s.b.sim)) {
        assert_ok(carom_sim_step(s.b.sim, error));
        if (carom_state_step(carom_sim_state(s.b.sim)) % 50)
            continue;
        row = bench_ledger(&s.b);
        most = fmax(most, fabs(row.total - before.total));
        stored = fmax(stored, row.internal);
    }
    assert_near(stored, 143, 1);
    assert_near(before.total, 705, 1);
    assert_true(most < 1e-5 * scale);
    for (int i = 0; i < 3; i++) {
        assert_near(row.momentum[i], before.momentum[i], 1e-12 * carom_norm(before.momentum));
        assert_near(row.angular_momentum[i], before.angular_momentum[i], 1e-12 * carom_norm(before.momentum));
    }
    shell_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forces_are_the_gradient),
        cmocka_unit_test(test_forces_have_no_resultant),
        cmocka_unit_test(test_rigid_motions_cost_nothing),
        cmocka_unit_test(test_stiffness_is_the_derivative),
        cmocka_unit_test(test_nonlinear_reference_state),
        cmocka_unit_test(test_stable_step),
        cmocka_unit_test(test_free_flight),
        cmocka_unit_test(test_quarter_is_part_of_the_whole),
        cmocka_unit_test(test_edges_that_do_not_exist),
        cmocka_unit_test(test_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
