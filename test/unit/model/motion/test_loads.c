// SPDX-License-Identifier: MIT
// Tests src/model/motion/loads.c, src/model/motion/faces.c.
// Loads on nodes, bodies and faces, their change in time, and the record of their work.
#include "../../../support.h"
#include "mesh/cell.h"
#include "model/faces.h"
#include "model/model.h"
#include "model/motion/loads.h"
#include "model/state.h"
#include "model/state/accounts.h"

static carom_elastic_params elastic;
static carom_plane_element_params plane;
static carom_hex8_params brick;

// A body of one material; `element` and `material` by name.
static carom_body_def *add_solid(bench *b, const char *generator, const void *params, const char *element, const char *material,
                                 double young) {
    carom_body_def *body = bench_add(b, generator, params, VECTOR(0, 0, 0));
    elastic = (carom_elastic_params){.young = young, .poisson = 0.3, .density = 2};
    plane = (carom_plane_element_params){.thickness = 0.5};
    brick = (carom_hex8_params){.hourglass = 0.1};
    bool flat = strcmp(element, "tri3") == 0 || strcmp(element, "quad4") == 0;
    const void *element_params = flat ? (const void *)&plane : (const void *)&brick;
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), element), element_params};
    body->material = (carom_pick){carom_catalogue_find(carom_materials(), material), &elastic};
    return body;
}

static const carom_box_params box = {.to = {2, 1, 1}, .elements = {3, 2, 2}, .grading = {1, 1, 1}};
static const carom_box_params tets = {.to = {2, 1, 1}, .elements = {3, 2, 2}, .grading = {1, 1, 1}, .cells = CAROM_SOLID_TET4};
static const carom_rectangle_params sheet = {.to = {2, 1, 0}, .columns = 3, .rows = 2};
static const carom_rectangle_params triangles = {.to = {2, 1, 0}, .columns = 3, .rows = 2, .cells = CAROM_PLANE_TRI3};

static carom_selection all_of(const char *set) {
    carom_selection where = {.body = "body0", .node = CAROM_AUTO};
    snprintf(where.set, sizeof where.set, "%s", set);
    return where;
}

static void factors(void **unused) {
    (void)unused;
    carom_schedule none = {0}, ramp = {.ramp = 4};
    assert_true(carom_schedule_factor(&none, -3) == 1 && carom_schedule_factor(&none, 1e9) == 1);
    assert_true(carom_schedule_factor(&ramp, 0) == 0 && carom_schedule_factor(&ramp, 4) == 1);
    assert_near(carom_schedule_factor(&ramp, 1), 5.0 / 32, 1e-16);
    assert_near(carom_schedule_factor(&ramp, 2), 0.5, 1e-16);
    const double points[][2] = {{1, 2}, {2, 4}, {4, -2}};
    carom_schedule table = {.count = 3, .points = points}, both = {.ramp = 4, .count = 3, .points = points};
    const double expected[][2] = {{0, 2}, {1, 2}, {1.25, 2.5}, {2, 4}, {3, 1}, {4, -2}, {7, -2}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_near(carom_schedule_factor(&table, expected[i][0]), expected[i][1], 1e-15);
    assert_near(carom_schedule_factor(&both, 2), 2, 1e-15);
}

// Volume of a body, of its trilinear (bilinear) cells.
static double volume(const carom_model *model, const double (*x)[3]) {
    double sum = 0;
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        int n = block->element->node_count;
        for (int e = 0; e < block->count; e++) {
            double corner[8][3];
            for (int a = 0; a < n; a++)
                memcpy(corner[a], x[block->nodes[n * e + a]], sizeof corner[a]);
            sum += carom_cell_measure(block->element->cell, (const double(*)[3])corner);
        }
    }
    return sum * (carom_cell_dimension(model->blocks[0].element->cell) == 2 ? plane.thickness : 1);
}

// The force of a uniform pressure on a closed surface is that of the potential p V, wherever the nodes are.
static void closed_surface(const char *generator, const void *params, const char *element) {
    bench b;
    bench_start(&b);
    add_solid(&b, generator, params, element, "neo-hookean", 100);
    carom_load_def load = {.where = all_of(""), .pressure = 3};
    b.def.loads = &load;
    b.def.load_count = 1;
    bench_build(&b);
    int n = b.model->node_count;
    bool flat = carom_cell_dimension(b.model->blocks[0].element->cell) == 2;
    double(*x)[3] = calloc((size_t)n, sizeof *x), (*f)[3] = calloc((size_t)n, sizeof *f);
    uint64_t seed = 7;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 3; i++)
            x[k][i] = b.model->X[k][i] + (flat && i == 2 ? 0 : random_real(&seed, -0.1, 0.1));
    carom_model_live_load(b.model, 1, (const double(*)[3])x, f);

    double force[3] = {0}, moment[3] = {0}, size = 0;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 3; i++) {
            force[i] += f[k][i];
            moment[i] += x[k][(i + 1) % 3] * f[k][(i + 2) % 3] - x[k][(i + 2) % 3] * f[k][(i + 1) % 3];
            size += fabs(f[k][i]);
            double at = x[k][i], h = 1e-4;
            x[k][i] = at + h;
            double more = volume(b.model, (const double(*)[3])x);
            x[k][i] = at - h;
            double less = volume(b.model, (const double(*)[3])x);
            x[k][i] = at;
            if (!flat || i < 2)
                assert_near(f[k][i], -3 * (more - less) / (2 * h), 1e-9);
        }
    assert_true(size > 1);
    for (int i = 0; i < 3; i++) {
        assert_near(force[i], 0, 1e-14 * size);
        assert_near(moment[i], 0, 1e-14 * size);
    }
    free(x);
    free(f);
    bench_end(&b);
}

static void pressure_has_the_potential_of_volume(void **unused) {
    (void)unused;
    closed_surface("box", &box, "hex8");
    closed_surface("box", &tets, "tet4");
    closed_surface("rectangle", &sheet, "quad4");
    closed_surface("rectangle", &triangles, "tri3");
}

static void resultant(bench *b, carom_load_def load, double force[3]) {
    b->def.loads = &load;
    b->def.load_count = 1;
    bench_build(b);
    double(*f)[3] = calloc((size_t)b->model->node_count, sizeof *f);
    carom_model_live_load(b->model, 1, (const double(*)[3])b->model->X, f);
    for (int i = 0; i < 3; i++) {
        force[i] = 0;
        for (int k = 0; k < b->model->node_count; k++)
            force[i] += b->model->load[k][i] + f[k][i];
    }
    free(f);
    carom_model_release(b->model);
    b->model = NULL;
}

static void assert_vector(const double a[3], double x, double y, double z) {
    const double b[3] = {x, y, z};
    for (int i = 0; i < 3; i++)
        assert_near(a[i], b[i], 1e-13);
}

static void faces_are_found(void **unused) {
    (void)unused;
    bench b;
    double f[3];
    bench_start(&b);
    add_solid(&b, "box", &box, "hex8", "linear", 1);
    resultant(&b, (carom_load_def){.where = all_of("xmax"), .pressure = 3}, f);
    assert_vector(f, -3, 0, 0);
    resultant(&b, (carom_load_def){.where = all_of("zmin"), .pressure = 3, .dead = true}, f);
    assert_vector(f, 0, 0, 6);
    resultant(&b, (carom_load_def){.where = all_of("surface"), .traction = {1, 2, 3}}, f);
    assert_vector(f, 10, 20, 30);
    // a face is selected if all of its nodes are
    carom_load_def region = {.where = all_of(""), .traction = {0, 0, 1}};
    region.where.in_box.given = true;
    memcpy(region.where.in_box.high, VECTOR(0.7, 1, 0.6), sizeof region.where.in_box.high);
    resultant(&b, region, f);
    assert_vector(f, 0, 0, 2.0 / 3 + 0.5 + 2 * (1.0 / 3));
    region.where = all_of("zmin");
    region.where.on_plane.given = true;
    memcpy(region.where.on_plane.normal, VECTOR(0, 0, 1), sizeof region.where.on_plane.normal);
    resultant(&b, region, f);
    assert_vector(f, 0, 0, 2);
    resultant(&b, (carom_load_def){.where = all_of(""), .acceleration = {0, 1, -2}}, f);
    assert_vector(f, 0, 4, -8);
    bench_end(&b);

    // edges of a sheet, times its thickness
    bench_start(&b);
    add_solid(&b, "rectangle", &sheet, "quad4", "linear", 1);
    resultant(&b, (carom_load_def){.where = all_of("ymax"), .pressure = 3}, f);
    assert_vector(f, 0, -3, 0);
    resultant(&b, (carom_load_def){.where = all_of("rim"), .traction = {1, 0, 0}}, f);
    assert_vector(f, 3, 0, 0);
    bench_end(&b);
}

static void refusals(void **unused) {
    (void)unused;
    bench b;
    bench_start(&b);
    add_solid(&b, "box", &box, "hex8", "linear", 1);
    // a face inside the body
    int(*nodes)[4] = malloc(sizeof *nodes);
    memcpy(nodes, b.meshes[0].blocks[0].nodes + 4, sizeof *nodes);
    carom_face_set *sets = realloc(b.meshes[0].face_sets, (size_t)(b.meshes[0].face_set_count + 1) * sizeof *sets);
    sets[b.meshes[0].face_set_count++] = (carom_face_set){.name = "inside", .count = 1, .nodes = nodes};
    b.meshes[0].face_sets = sets;
    carom_load_def load = {.where = all_of("inside"), .pressure = 1};
    b.def.loads = &load;
    b.def.load_count = 1;
    assert_refused(carom_model_create(&b.def, &b.model, error), CAROM_BAD_INPUT, "are not on its surface");
    load = (carom_load_def){.where = all_of(""), .pressure = (double)NAN};
    assert_refused(carom_model_create(&b.def, &b.model, error), CAROM_BAD_INPUT, "not finite");
    const double back[][2] = {{1, 0}, {0, 1}};
    load = (carom_load_def){.where = all_of(""), .pressure = 1, .schedule = {.count = 2, .points = back}};
    assert_refused(carom_model_create(&b.def, &b.model, error), CAROM_BAD_INPUT, "do not ascend");
    load.schedule = (carom_schedule){.ramp = -1};
    assert_refused(carom_model_create(&b.def, &b.model, error), CAROM_BAD_INPUT, "ramp");
    bench_end(&b);
}

// Position and velocity of the centre of mass.
static void centre(const bench *b, double x[3], double v[3]) {
    const carom_state *state = carom_sim_state(b->sim);
    double mass = 0;
    memset(x, 0, 3 * sizeof *x);
    memset(v, 0, 3 * sizeof *v);
    for (int k = 0; k < b->model->node_count; k++)
        mass += b->model->mass[k];
    for (int k = 0; k < b->model->node_count; k++)
        for (int i = 0; i < 3; i++) {
            x[i] += b->model->mass[k] / mass * (state->x[k][i] - b->model->X[k][i]);
            v[i] += b->model->mass[k] / mass * state->v[k][i];
        }
}

// A body under a constant force moves by F t^2/(2 m), without an error of the method.
static void constant_push(void **unused) {
    (void)unused;
    const carom_load_def loads[] = {
        {.where = all_of("xmin"), .traction = {0.2, 0.1, 0}},
        {.where = all_of("xmin"), .force = {0.2, 0.1, 0}},
        {.where = all_of(""), .acceleration = {0.05, 0.025, 0}},
    };
    for (size_t l = 0; l < sizeof loads / sizeof *loads; l++) {
        bench b;
        double x[3], v[3];
        bench_start(&b);
        add_solid(&b, "box", &tets, "tet4", "st-venant-kirchhoff", 100);
        b.def.loads = &loads[l];
        b.def.load_count = 1;
        bench_simulate(&b, 3, (double)NAN);
        bench_run(&b);
        centre(&b, x, v);
        double t = carom_state_time(carom_sim_state(b.sim));
        assert_near(x[0], 0.5 * 0.2 / 4 * t * t, 1e-13);
        assert_near(x[1], 0.5 * 0.1 / 4 * t * t, 1e-13);
        assert_near(v[0], 0.2 / 4 * t, 1e-14);
        // constant dead loads are potential: external = -F.x of their points, and no work is recorded
        assert_true(carom_accounts_value(&carom_sim_state(b.sim)->books.booked).drive_work == 0);
        assert_near(bench_ledger(&b).residual, 0, 1e-3 * bench_ledger(&b).kinetic);
        bench_end(&b);
    }
}

// The largest residual of a run over its energy scale.
static double largest_residual(bench *b) {
    double most = 0, scale = 0;
    while (!carom_sim_done(b->sim)) {
        assert_ok(carom_sim_step(b->sim, error));
        carom_ledger_row row = bench_ledger(b);
        most = fmax(most, fabs(row.residual + row.oscillation));
        scale = fmax(scale, row.kinetic + row.internal);
    }
    return most / scale;
}

// A point mass under a force with a smooth ramp: v = F T/(2 m) at the end of the ramp, and its kinetic energy is the recorded
// work at each row, whatever the step.
static void soft_start(void **unused) {
    (void)unused;
    double error_of[2], residual[2];
    for (int i = 0; i < 2; i++) {
        bench b;
        bench_start(&b);
        bench_add_point(&b, VECTOR(0, 0, 0), 2, VECTOR(0, 0, 0));
        carom_load_def load = {.where = all_of(""), .force = {3, 0, 0}, .schedule = {.ramp = 2}};
        b.def.loads = &load;
        b.def.load_count = 1;
        bench_simulate(&b, 3, i ? 0.05 : 0.1);
        residual[i] = largest_residual(&b);
        const carom_state *state = carom_sim_state(b.sim);
        error_of[i] = fabs(state->v[0][0] - 3.0 / 2 * (1 + 1));
        assert_near(-bench_ledger(&b).external, bench_ledger(&b).kinetic, 1e-13);
        bench_end(&b);
    }
    // the trapezoidal sum of the smooth ramp is exact: its slope is zero at both ends
    assert_near(error_of[0], 0, 1e-13);
    assert_near(residual[0], 0, 1e-13);
    assert_near(residual[1], 0, 1e-13);
}

// A nonlinear brick under pressure on all sides and a smoothly ramped body force: the residual decreases with the square of the
// step, and the work of the pressure alone is -p (V - V0).
static void work_is_booked(const char *generator, const void *params, const char *element, bool drops) {
    double residual[3], external[3];
    for (int i = 0; i < 3; i++) {
        bench b;
        bench_start(&b);
        b.def.contact.enabled = false;
        add_solid(&b, generator, params, element, "neo-hookean", 20);
        carom_load_def loads[] = {
            {.where = all_of(""), .pressure = 2},
            {.where = all_of(""), .acceleration = {0, -0.3, 0.1}, .schedule = {.ramp = 1}},
        };
        b.def.loads = loads;
        b.def.load_count = drops ? 2 : 1;
        bench_simulate(&b, 2, 0.02 / (1 << i));
        residual[i] = largest_residual(&b);
        const carom_state *state = carom_sim_state(b.sim);
        double change = volume(b.model, (const double(*)[3])state->x) - volume(b.model, (const double(*)[3])b.model->X);
        external[i] = fabs(bench_ledger(&b).external - 2 * change);
        bench_end(&b);
    }
    assert_true(residual[0] < 0.05 && residual[0] > 1e-6);
    assert_near(residual[0] / residual[1], 4, 0.5);
    assert_near(residual[1] / residual[2], 4, 0.2);
    if (!drops)
        assert_near(external[1] / external[2], 4, 0.6);
}

static void residual_is_of_second_order(void **unused) {
    (void)unused;
    work_is_booked("box", &box, "hex8", false);
    work_is_booked("box", &box, "hex8", true);
    work_is_booked("box", &tets, "tet4", true);
    work_is_booked("rectangle", &sheet, "quad4", false);
}

// Nodes driven by a table have exact positions if the corners of the table are at whole steps; a node may have oblique driven
// and fixed directions.
static void driven_nodes(void **unused) {
    (void)unused;
    bench b;
    bench_start(&b);
    add_solid(&b, "box", &box, "hex8", "neo-hookean", 20);
    const double motion[][4] = {{0, 0, 0, 0}, {1, 0.3, -0.2, 5}, {2, 0.3, 0.1, 5}};
    const double table[][2] = {{0, 1}, {1, -1}};
    carom_restraint_def restraints[] = {
        {.where = all_of("xmin"),
         .direction_count = 2,
         .direction = {{1, 0, 0}, {1, 1, 0}},
         .motion_count = 3,
         .motion = motion},
        {.where = all_of("xmin"), .direction_count = 1, .direction = {{0, 1, 1}}},
        {.where = all_of("xmax"),
         .direction_count = 1,
         .direction = {{0, 0, 2}},
         .velocity = {9, 9, 0.4},
         .schedule = {.ramp = 0, .count = 2, .points = table}},
    };
    b.def.restraints = restraints;
    b.def.restraint_count = 3;
    bench_simulate(&b, 2, 0.02);
    bench_run(&b);
    const carom_state *state = carom_sim_state(b.sim);
    int checked = 0;
    for (int k = 0; k < b.model->node_count; k++) {
        double u[3];
        for (int i = 0; i < 3; i++)
            u[i] = state->x[k][i] - b.model->X[k][i];
        if (b.model->X[k][0] == 0) {
            assert_near(u[0], 0.15 + 0.3, 1e-14);
            assert_near(u[1], -0.1 - 0.05, 1e-14);
            assert_near(u[2], 0.1 + 0.05, 1e-14); // y + z is fixed
            assert_near(state->v[k][0], 0.3, 1e-14);
            checked++;
        } else if (b.model->X[k][0] == 2) {
            assert_near(u[2], 0.4 * (0.5 - 0.5) - 0.4, 1e-14);
            checked++;
        }
    }
    assert_int_equal(checked, 18);
    carom_ledger_row row = bench_ledger(&b);
    assert_near(row.residual, 0, 2e-3 * (row.kinetic + row.internal));
    bench_end(&b);
}

// The recorded work of a varying prescribed motion is accurate to second order.
static void driven_work(void **unused) {
    (void)unused;
    double residual[2];
    for (int i = 0; i < 2; i++) {
        bench b;
        bench_start(&b);
        add_solid(&b, "box", &box, "hex8", "neo-hookean", 20);
        carom_restraint_def pull = {.where = all_of("xmin"),
                                    .direction_count = 3,
                                    .direction = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                    .velocity = {-0.3, 0.1, 0},
                                    .schedule = {.ramp = 1.5}};
        b.def.restraints = &pull;
        b.def.restraint_count = 1;
        bench_simulate(&b, 2, i ? 0.01 : 0.02);
        residual[i] = largest_residual(&b);
        bench_end(&b);
    }
    assert_true(residual[1] < 0.01);
    assert_near(residual[0] / residual[1], 4, 0.5);
}

// A sheet of triangles has two nodes with one cell each, but it is not a bar: it has no contacts of ends on a line.
static void solids_have_no_ends(void **unused) {
    (void)unused;
    bench b;
    bench_start(&b);
    carom_rectangle_params next = triangles;
    add_solid(&b, "rectangle", &triangles, "tri3", "linear", 1);
    next.from[0] = 3, next.to[0] = 5;
    add_solid(&b, "rectangle", &next, "tri3", "linear", 1);
    bench_build(&b);
    assert_int_equal(b.model->candidates.count, 0);
    bench_end(&b);
}

// A spin is about the centre of mass, for any shape and position.
static void spin_about_the_centre(void **unused) {
    (void)unused;
    bench b;
    bench_start(&b);
    const carom_box_params off = {.from = {5, -3, 2}, .to = {8, -2, 4}, .elements = {3, 2, 4}, .grading = {1.5, 1, 1}};
    carom_body_def *body = add_solid(&b, "box", &off, "hex8", "st-venant-kirchhoff", 1e4);
    memcpy(body->velocity, VECTOR(0.5, 0, -1), sizeof body->velocity);
    memcpy(body->spin, VECTOR(0, 0, 0.7), sizeof body->spin);
    bench_simulate(&b, 0.5, (double)NAN);
    carom_ledger_row first = bench_ledger(&b);
    double mass = 2 * 6;
    assert_near(first.momentum[0], 0.5 * mass, 1e-12);
    assert_near(first.momentum[1], 0, 1e-12);
    assert_near(first.momentum[2], -1 * mass, 1e-12);
    // L = c x p + I w; lumping at the corners of cells of sides a, b adds m_e (a^2 + b^2)/6 to the inertia of the solid
    double inertia = mass * ((9 + 1) / 12.0 + 0.25 / 6);
    for (int i = 0; i < 3; i++) {
        double side = 3 * (pow((i + 1) / 3.0, 1.5) - pow(i / 3.0, 1.5));
        inertia += mass * side / 3 * side * side / 6;
    }
    double p[3] = {first.momentum[0], first.momentum[1], first.momentum[2]}, c[3] = {6.5, -2.5, 3};
    double spin = first.angular_momentum[2] - (c[0] * p[1] - c[1] * p[0]);
    assert_near(spin, inertia * 0.7, 1e-12 * inertia);
    bench_run(&b);
    carom_ledger_row last = bench_ledger(&b);
    for (int i = 0; i < 3; i++) {
        assert_near(last.momentum[i], first.momentum[i], 1e-14 * 12 * 10);
        assert_near(last.angular_momentum[i], first.angular_momentum[i], 1e-12 * 40);
    }
    bench_end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors),
        cmocka_unit_test(pressure_has_the_potential_of_volume),
        cmocka_unit_test(faces_are_found),
        cmocka_unit_test(refusals),
        cmocka_unit_test(constant_push),
        cmocka_unit_test(soft_start),
        cmocka_unit_test(residual_is_of_second_order),
        cmocka_unit_test(driven_nodes),
        cmocka_unit_test(driven_work),
        cmocka_unit_test(solids_have_no_ends),
        cmocka_unit_test(spin_about_the_centre),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
