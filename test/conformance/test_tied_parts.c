// SPDX-License-Identifier: MIT
// Glued bodies against whole ones: patch tests across meshes that do not match, frequencies, momenta and energy, by all methods
// that know ties.
#include "../solids.h"
#include "contact/pairs/audit.h"
#include "tied/rows.h"

// A box of one material; `tet`: of tetrahedra.
static carom_body_def *add_box(bench *b, const double from[3], const double to[3], const int elements[3], bool tet,
                               const char *material, double poisson) {
    carom_box_params box = {.cells = tet, .grading = {1, 1, 1}};
    memcpy(box.from, from, sizeof box.from);
    memcpy(box.to, to, sizeof box.to);
    memcpy(box.elements, elements, sizeof box.elements);
    int i = b->def.body_count;
    carom_body_def *body = bench_add(b, "box", &box, VECTOR(0, 0, 0));
    b->materials[i] = (carom_elastic_params){.young = 1000, .poisson = poisson, .density = 1};
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), tet ? "tet4" : "hex8"), NULL};
    body->material = (carom_pick){carom_catalogue_find(carom_materials(), material), &b->materials[i]};
    return body;
}

static carom_selection set_of(const char *body, const char *set) {
    carom_selection where = carom_default_selection();
    strcpy(where.body, body);
    strcpy(where.set, set);
    return where;
}

static carom_tie_def tie_of(const char *from, const char *from_set, const char *to, const char *to_set) {
    carom_tie_def tie = carom_default_tie_def();
    tie.from = set_of(from, from_set);
    tie.to = set_of(to, to_set);
    return tie;
}

static carom_restraint_def hold(const char *body, const char *set, const char *axes) {
    carom_restraint_def def = {.where = set_of(body, set)};
    for (const char *c = axes; *c; c++)
        def.direction[def.direction_count++][*c - 'x'] = 1;
    return def;
}

static const double *position(const bench *b, int node) {
    return carom_state_positions(carom_sim_state(b->sim))[node];
}

static void solve_static(bench *b, bool linear) {
    carom_static_params p;
    const carom_kind *kind = carom_catalogue_find(carom_analyses(), "static");
    carom_param_defaults(kind->params, kind->param_count, &p);
    p.linear = linear;
    carom_time_def time = carom_static_time(&p);
    b->def.contact.enabled = false;
    bench_build(b);
    assert_ok(carom_sim_create(b->model, (carom_pick){kind, &p}, &time, &b->sim, error));
    bench_run(b);
}

// Two blocks in a row, held by rollers and pulled: uniform stress, whatever their cells.
static void pull(bool tets[2], bool linear) {
    static const int elements[2][3] = {{2, 3, 3}, {3, 4, 5}};
    bench b;
    bench_start(&b);
    add_box(&b, VECTOR(0, 0, 0), VECTOR(1, 1, 1), elements[0], tets[0], "linear", 0.3);
    add_box(&b, VECTOR(1, 0, 0), VECTOR(2.5, 1, 1), elements[1], tets[1], "linear", 0.3);
    carom_tie_def tie = tie_of("body1", "xmin", "body0", "xmax");
    carom_restraint_def holds[] = {hold("body0", "xmin", "x"), hold("body0", "ymin", "y"), hold("body0", "zmin", "z"),
                                   hold("body1", "ymin", "y"), hold("body1", "zmin", "z")};
    carom_load_def load = carom_default_load_def();
    load.where = set_of("body1", "xmax");
    load.traction[0] = 10;
    b.def.tie_count = 1;
    b.def.ties = &tie;
    b.def.restraint_count = 5;
    b.def.restraints = holds;
    b.def.load_count = 1;
    b.def.loads = &load;
    solve_static(&b, linear);
    for (int k = 0; k < b.model->node_count; k++) {
        const double *X = b.model->X[k];
        assert_near(position(&b, k)[0], X[0] * 1.01, 1e-12);
        assert_near(position(&b, k)[1], X[1] * 0.997, 1e-12);
        assert_near(position(&b, k)[2], X[2] * 0.997, 1e-12);
    }
    carom_ledger_row row = bench_ledger(&b);
    assert_near(row.residual, 0, 1e-12 * row.internal);
    bench_end(&b);
}

static void passes_static_patch_tests(void **state) {
    (void)state;
    for (int i = 0; i < 8; i++)
        pull((bool[]){i & 1, i & 2}, i & 4);
}

// The same stretched at a constant rate: every node keeps its velocity.
static void stretch(const char *method, bool tets[2], double step) {
    static const int elements[2][3] = {{2, 3, 3}, {2, 4, 4}};
    bench b;
    bench_start(&b);
    add_box(&b, VECTOR(0, 0, 0), VECTOR(1, 1, 1), elements[0], tets[0], "st-venant-kirchhoff", 0);
    add_box(&b, VECTOR(1, 0, 0), VECTOR(2, 1, 1), elements[1], tets[1], "st-venant-kirchhoff", 0);
    double(*velocities[2])[3];
    for (int i = 0; i < 2; i++) {
        carom_mesh *mesh = &b.meshes[i];
        velocities[i] = solid_reserve(mesh->node_count, sizeof *velocities[i]);
        for (int k = 0; k < mesh->node_count; k++)
            velocities[i][k][0] = 0.1 * mesh->nodes[k][0];
        mesh->velocities = velocities[i];
    }
    carom_tie_def tie = tie_of("body1", "xmin", "body0", "xmax");
    carom_restraint_def holds[] = {hold("body0", "xmin", "x"), hold("body1", "xmax", "x")};
    holds[1].velocity[0] = 0.2;
    b.def.tie_count = 1;
    b.def.ties = &tie;
    b.def.restraint_count = 2;
    b.def.restraints = holds;
    b.def.contact.restitution = 1;
    bench_simulate_by(&b, method, NULL, 0.5, step);
    bench_run(&b);
    for (int k = 0; k < b.model->node_count; k++)
        assert_near(position(&b, k)[0], b.model->X[k][0] * 1.05, 1e-11);
    for (int i = 0; i < 2; i++) {
        b.meshes[i].velocities = NULL;
        free(velocities[i]);
    }
    bench_end(&b);
}

static void passes_patch_tests_in_motion(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++)
        stretch("newmark-dcr", (bool[]){i & 1, i & 2}, 0.002);
    stretch("energy-momentum", (bool[]){false, true}, 0.05);
}

typedef enum cut { WHOLE, ACROSS, ALONG } cut;

// A cantilever of bricks, whole or glued of two parts; poisson's ratio 0.3. Returns the node of its tip.
static int add_cantilever(bench *b, cut how, carom_tie_def *tie, carom_restraint_def holds[2]) {
    bench_start(b);
    b->def.restraint_count = how == ALONG ? 2 : 1;
    b->def.restraints = holds;
    holds[0] = hold("body0", "xmin", "xyz");
    holds[1] = hold("body1", "xmin", "xyz");
    if (how == WHOLE)
        add_box(b, VECTOR(0, 0, 0), VECTOR(6, 1, 1), (const int[]){24, 4, 4}, false, "st-venant-kirchhoff", 0.3);
    if (how == ACROSS) {
        add_box(b, VECTOR(0, 0, 0), VECTOR(3, 1, 1), (const int[]){12, 4, 4}, false, "st-venant-kirchhoff", 0.3);
        add_box(b, VECTOR(3, 0, 0), VECTOR(6, 1, 1), (const int[]){12, 5, 4}, false, "st-venant-kirchhoff", 0.3);
        *tie = tie_of("body1", "xmin", "body0", "xmax");
    }
    if (how == ALONG) {
        add_box(b, VECTOR(0, 0, 0), VECTOR(6, 1, 0.5), (const int[]){24, 4, 2}, false, "st-venant-kirchhoff", 0.3);
        add_box(b, VECTOR(0, 0, 0.5), VECTOR(6, 1, 1), (const int[]){25, 5, 2}, false, "st-venant-kirchhoff", 0.3);
        *tie = tie_of("body1", "zmin", "body0", "zmax");
    }
    b->def.tie_count = how != WHOLE;
    b->def.ties = tie;
    b->def.gravity[2] = -1e-3;
    b->def.contact.restitution = 1;
    bench_build(b);
    int *nodes, count;
    carom_selection tip = set_of(how == WHOLE ? "body0" : "body1", "xmax");
    tip.nearest.given = true;
    memcpy(tip.nearest.to, VECTOR(6, 0, 1), sizeof tip.nearest.to);
    assert_ok(carom_model_select(b->model, &tip, &nodes, &count, error));
    int node = nodes[0];
    carom_free(nodes);
    return node;
}

// When the tip, let go under its weight, rises through half of its largest deflection: three quarters of the slowest period.
static double rise_time(cut how, const char *method, double step) {
    bench b;
    carom_tie_def tie;
    carom_restraint_def holds[2];
    int tip = add_cantilever(&b, how, &tie, holds);
    bench_simulate_by(&b, method, NULL, 7, step);
    double before = 0, time = 0, fall = 0;
    while (time == 0) {
        assert_ok(carom_sim_step(b.sim, error));
        double z = carom_state_positions(carom_sim_state(b.sim))[tip][2] - 1, now = carom_state_time(carom_sim_state(b.sim));
        fall = fmin(fall, z);
        if (now > 2 && before < 0.5 * fall && z >= 0.5 * fall)
            time = now - (z - 0.5 * fall) / (z - before) * step;
        before = z;
        assert_true(now < 6.5);
    }
    carom_ledger_row row = bench_ledger(&b);
    assert_near(row.residual, 0, 1e-6 * (row.kinetic + row.internal));
    bench_end(&b);
    return time;
}

static void has_the_frequency_of_the_whole(void **state) {
    (void)state;
    double whole = rise_time(WHOLE, "newmark-dcr", 0.004);
    assert_near(rise_time(ACROSS, "newmark-dcr", 0.004), whole, 0.005 * whole);
    assert_near(rise_time(ALONG, "newmark-dcr", 0.004), whole, 0.005 * whole);
    double slow = rise_time(WHOLE, "energy-momentum", 0.2);
    assert_near(rise_time(ACROSS, "energy-momentum", 0.2), slow, 0.005 * slow);
}

static double deflection(cut how) {
    bench b;
    carom_tie_def tie;
    carom_restraint_def holds[2];
    int tip = add_cantilever(&b, how, &tie, holds);
    carom_model_release(b.model);
    b.model = NULL;
    solve_static(&b, true);
    double z = position(&b, tip)[2] - 1;
    bench_end(&b);
    return z;
}

static void sinks_as_the_whole(void **state) {
    (void)state;
    double whole = deflection(WHOLE);
    assert_near(deflection(ACROSS), whole, -0.005 * whole);
    assert_near(deflection(ALONG), whole, -0.005 * whole);
}

// Glued blocks, or blocks pinned together, that spin in free flight. The second is given the velocity of its mass centre in the
// common rotation; pins are a little apart.
static void fly(const char *method, bool pinned, double step, double end, double energy) {
    static const double spin[3] = {1.5, -1, 2.4};
    bench b;
    bench_start(&b);
    double gap = pinned ? 0.01 : 0, arm[3] = {1.25 + gap, 0, 0}, turn[3];
    carom_body_def *first = add_box(&b, VECTOR(0, 0, 0), VECTOR(1, 1, 1), (const int[]){2, 3, 3}, false, "neo-hookean", 0.3);
    memcpy(first->spin, spin, sizeof first->spin);
    carom_body_def *second =
        add_box(&b, VECTOR(1 + gap, 0, 0), VECTOR(2.5 + gap, 1, 1), (const int[]){3, 4, 4}, true, "neo-hookean", 0.3);
    carom_cross(spin, arm, turn);
    memcpy(second->spin, spin, sizeof second->spin);
    memcpy(second->velocity, turn, sizeof second->velocity);
    carom_tie_def tie = tie_of("body1", "xmin", "body0", "xmax");
    carom_connection_def pins[3] = {{.from = {"body0", {1, 0.1, 0.2}}, .to = {"body1", {1.01, 0.1, 0.2}}},
                                    {.from = {"body0", {1, 0.9, 0.3}}, .to = {"body1", {1.01, 0.9, 0.3}}},
                                    {.from = {"body0", {1, 0.4, 0.8}}, .to = {"body1", {1.01, 0.4, 0.8}}}};
    b.def.tie_count = !pinned;
    b.def.ties = &tie;
    b.def.connection_count = pinned ? 3 : 0;
    b.def.connections = pins;
    b.def.contact.restitution = 1;
    b.def.contact.enabled = !pinned;
    bench_simulate_by(&b, method, NULL, end, step);
    assert_near(carom_model_tied(b.model).jump, 0, 1e-12);
    carom_ledger_row start = bench_ledger(&b);
    bench_run(&b);
    carom_ledger_row row = bench_ledger(&b);
    assert_true(row.internal > 1e-4 * row.kinetic);
    for (int i = 0; i < 3; i++) {
        assert_near(row.momentum[i], start.momentum[i], 1e-13);
        assert_near(row.angular_momentum[i], start.angular_momentum[i], 1e-13);
    }
    assert_near(row.residual, 0, energy * row.total);
    assert_near(row.projection, 0, 1e-13 * row.total);
    assert_true(carom_tie_rows_largest(&b.model->ties.rows, carom_state_positions(carom_sim_state(b.sim))) < 1e-13);
    bench_end(&b);
}

static void keeps_momenta_and_energy(void **state) {
    (void)state;
    // what leapfrog does to the energy of spinning bodies, and what energy-momentum does: nothing
    fly("newmark-dcr", false, 0.002, 2, 1e-3);
    fly("newmark-dcr", true, 0.002, 2, 1e-3);
    fly("energy-momentum", false, 0.05, 1, 1e-12);
    fly("energy-momentum", true, 0.05, 1, 1e-12);
}

// A block pinned at two nodes to a body that is held and moves: the pins hold, whichever side is named first.
static void swing(const char *method, bool held_first, double step) {
    bench b;
    bench_start(&b);
    add_box(&b, VECTOR(0, 0, 0), VECTOR(1, 1, 1), (const int[]){2, 2, 2}, false, "neo-hookean", 0.3)->velocity[0] = 0.5;
    add_box(&b, VECTOR(0, 0, 1), VECTOR(1, 1, 2), (const int[]){3, 3, 2}, false, "neo-hookean", 0.3)->velocity[0] = 0.5;
    carom_connection_def pins[2];
    for (int i = 0; i < 2; i++) {
        carom_spot_def block = {"body0", {i, 0, 1}}, other = {"body1", {i, 0, 1}};
        pins[i] = held_first ? (carom_connection_def){.from = other, .to = block}
                             : (carom_connection_def){.from = block, .to = other};
    }
    carom_restraint_def held = hold("body1", "", "xyz");
    held.velocity[0] = 0.5;
    b.def.restraint_count = 1;
    b.def.restraints = &held;
    b.def.connection_count = 2;
    b.def.connections = pins;
    b.def.gravity[2] = -10;
    b.def.contact.restitution = 1;
    b.def.contact.enabled = false;
    bench_simulate_by(&b, method, NULL, 0.2, step);
    bench_run(&b);
    double fall = 0;
    for (int k = 0; k < b.model->bodies[0].node_count; k++) {
        const double *X = b.model->X[k];
        fall = fmin(fall, position(&b, k)[2] - X[2]);
        for (int d = 0; d < 3 && X[1] == 0 && X[2] == 1 && X[0] != 0.5; d++)
            assert_near(position(&b, k)[d], X[d] + (d == 0 ? 0.1 : 0), 1e-12);
    }
    // the far side swings down
    assert_true(fall < -0.05);
    bench_end(&b);
}

static void hangs_by_pins_on_a_held_body(void **state) {
    (void)state;
    for (int first = 0; first < 2; first++) {
        swing("newmark-dcr", first, 0.002);
        swing("energy-momentum", first, 0.02);
    }
}

// Two strips that are glued to an L clap together: they touch beside the seam, and never cross there. The judge knows the seam
// alone, whatever the model excludes.
static void clap(const char *method, double step, double energy) {
    bench b;
    bench_start(&b);
    add_box(&b, VECTOR(0, 0, 0), VECTOR(2, 0.6, 0.2), (const int[]){10, 3, 1}, false, "neo-hookean", 0.3)->spin[1] = -16;
    add_box(&b, VECTOR(0, 0, 0.2), VECTOR(0.2, 0.6, 2.2), (const int[]){1, 4, 12}, true, "neo-hookean", 0.3)->spin[1] = 16;
    carom_tie_def tie = tie_of("body1", "zmin", "body0", "zmax");
    b.def.tie_count = 1;
    b.def.ties = &tie;
    b.def.contact.restitution = 1;
    bench_simulate_by(&b, method, NULL, 0.3, step);
    carom_ledger_row start = bench_ledger(&b);
    carom_exclusions seam = {0};
    carom_audit audit;
    assert_ok(carom_exclusions_add_seams(b.model->node_count, (const int(*)[2])b.model->ties.seam, b.model->ties.seam_count,
                                         &seam, error));
    assert_ok(carom_audit_create(&b.model->surface, &seam, NULL, &audit, error));
    double least = HUGE_VAL;
    while (carom_state_time(carom_sim_state(b.sim)) < 0.3 - 0.5 * step) {
        double distance;
        int64_t crossings;
        assert_ok(carom_sim_step(b.sim, error));
        carom_const_vectors x = carom_state_positions(carom_sim_state(b.sim));
        assert_ok(carom_surface_distance(&audit, x, HUGE_VAL, &distance, NULL, error));
        assert_ok(carom_surface_intersections(&audit, x, &crossings, error));
        if (strcmp(method, "newmark-dcr") == 0)
            assert_int_equal(crossings, 0);
        least = fmin(least, distance);
    }
    // energy-momentum lets surfaces overlap a little, but not a strip of 0.2 pass
    assert_true(least < 1e-3);
    carom_ledger_row row = bench_ledger(&b);
    for (int i = 0; i < 3; i++) {
        assert_near(row.momentum[i], start.momentum[i], 1e-13);
        assert_near(row.angular_momentum[i], start.angular_momentum[i], 1e-13);
    }
    assert_near(row.residual, 0, energy * row.total);
    carom_audit_release(&audit);
    carom_exclusions_release(&seam);
    bench_end(&b);
}

static void touches_beside_the_seam(void **state) {
    (void)state;
    clap("newmark-dcr", 0.001, 0.02);
    clap("energy-momentum", 0.005, 1e-12);
}

// Glued blocks between two others that bounce off each other and off the rim of the glue, or that hang on a wall. Impacts are
// completed with the mass behind the tied nodes: ties take no energy, whatever the law, and both momenta are exact.
static void rattle(double restitution, bool held, double most_account) {
    bench b;
    bench_start(&b);
    add_box(&b, VECTOR(0, 0, 0), VECTOR(1, 1, 1), (const int[]){2, 2, 2}, false, "st-venant-kirchhoff", 0.3);
    add_box(&b, VECTOR(1, 0, 0), VECTOR(2, 1, 1), (const int[]){3, 3, 3}, true, "st-venant-kirchhoff", 0.3);
    for (int side = 0; side < 2; side++)
        add_box(&b, VECTOR(-0.5, -0.5, side ? 1.2 : -1.2), VECTOR(2.5, 1.5, side ? 2.2 : -0.2), (const int[]){3, 2, 1}, false,
                "st-venant-kirchhoff", 0.3)
            ->velocity[2] = side ? -0.5 : 0.5;
    carom_tie_def tie = tie_of("body1", "xmin", "body0", "xmax");
    carom_restraint_def wall = hold("body0", "xmin", "xyz");
    b.def.tie_count = 1;
    b.def.ties = &tie;
    b.def.restraint_count = held;
    b.def.restraints = &wall;
    b.def.contact.restitution = restitution;
    bench_simulate_by(&b, "newmark-dcr", NULL, 8, 0.002);
    carom_ledger_row start = bench_ledger(&b);
    bench_run(&b);
    carom_ledger_row row = bench_ledger(&b);
    for (int i = 0; i < 3 && !held; i++) {
        assert_near(row.momentum[i], start.momentum[i], 1e-13);
        assert_near(row.angular_momentum[i], start.angular_momentum[i], 1e-13);
    }
    // stops of slow impacts are no bounces, and what ties take there is booked
    assert_near(row.projection, 0, (restitution < 1 ? 1e-3 : 1e-12) * start.total);
    assert_near(row.residual, 0, most_account * start.total);
    if (restitution == 1)
        assert_near(row.restitution, 0, 1e-12);
    else
        assert_true(row.restitution > 0.05 * start.total);
    bench_end(&b);
}

static void keeps_the_energy_of_bounces(void **state) {
    (void)state;
    rattle(1, false, 0.005);
    rattle(0.5, false, 0.005);
    rattle(1, true, 0.005);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_static_patch_tests),      cmocka_unit_test(passes_patch_tests_in_motion),
        cmocka_unit_test(has_the_frequency_of_the_whole), cmocka_unit_test(sinks_as_the_whole),
        cmocka_unit_test(keeps_momenta_and_energy),       cmocka_unit_test(hangs_by_pins_on_a_held_body),
        cmocka_unit_test(touches_beside_the_seam),        cmocka_unit_test(keeps_the_energy_of_bounces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
