// SPDX-License-Identifier: MIT
// Tests src/integrator/energy_momentum/energy_momentum.c, src/integrator/static/static.c, src/element/conserving_point.c.
// Materials with history in the implicit methods: books that close, momenta, the same motion as explicit steps, same bits;
// closed forms of slow loads.
#include <unistd.h>

#include "../support.h"
#include "carom/threads.h"
#include "math/vec3.h"
#include "model/model.h"
#include "model/state/history.h"

static const double pi = 3.14159265358979323846;

enum { ELEMENTS = 20 };

typedef struct bar {
    bench b;
    carom_j2_params metal;
    carom_viscoelastic_params rubber;
    double v[ELEMENTS + 1][3];
} bar;

enum { METAL, FAST_METAL, RUBBER, BARS };

// E = rho = A = L = 1, free ends, speeds along the bar that make it flow and across it that turn it.
static void bar_start(bar *s, int kind) {
    bool viscous = kind == RUBBER;
    bench_start(&s->b);
    bench_add_bar(&s->b, VECTOR(0, 0, 0), VECTOR(1, 0, 0), ELEMENTS, VECTOR(0, 0, 0), CAROM_BAR_LOG);
    carom_pick pick = viscous ? carom_pick_of(carom_materials(), "viscoelastic", &s->rubber, NULL)
                              : carom_pick_of(carom_materials(), "j2", &s->metal, NULL);
    if (viscous) {
        s->rubber.j2.elastic.young = 0.5;
        s->rubber.j2.elastic.poisson = 0.3;
        s->rubber.j2.elastic.density = 1;
        s->rubber.prony = (carom_pairs){.count = 1, .rows = {{1, 0.3}}};
        pick.params = &s->rubber;
    } else {
        s->metal.elastic = (carom_elastic_params){.young = 1, .poisson = 0.3, .density = 1};
        s->metal.yield = 0.02;
        s->metal.modulus = 0.1;
        if (kind == FAST_METAL) {
            s->metal.hardening = CAROM_HARDENING_JOHNSON_COOK;
            s->metal.modulus = 0;
            s->metal.strength = 0.05;
            s->metal.exponent = 0.5;
            s->metal.rate = 0.1;
            s->metal.reference_rate = 1e-3;
            s->metal.melting = 1000;
            s->metal.heat_capacity = 1e-4;
        }
        pick.params = &s->metal;
    }
    s->b.bodies[0].material = pick;
    for (int k = 0; k <= ELEMENTS; k++) {
        double x = (double)k / ELEMENTS;
        memcpy(s->v[k], VECTOR(0.06 * cos(pi * x), 0.1 * (x - 0.5), 0.02), sizeof s->v[k]);
    }
    s->b.meshes[0].velocities = s->v;
    s->b.def.contact.enabled = false;
}

static void bar_end(bar *s) {
    s->b.meshes[0].velocities = NULL;
    bench_end(&s->b);
}

// The books of every step, and momenta.
static void check_books(bench *b, double residual) {
    carom_ledger_row first = bench_ledger(b), row = first;
    while (!carom_sim_done(b->sim)) {
        double lost = row.plasticity + row.viscosity;
        assert_ok(carom_sim_step(b->sim, error));
        row = bench_ledger(b);
        assert_true(row.plasticity + row.viscosity >= lost);
        if (!(fabs(row.residual) <= residual * first.kinetic))
            fail_msg("residual %g of %g at %g", row.residual, first.kinetic, row.time);
    }
    for (int i = 0; i < 3; i++) {
        assert_near(row.momentum[i], first.momentum[i], 1e-14);
        assert_near(row.angular_momentum[i], first.angular_momentum[i], 1e-14);
    }
}

static void the_books_of_a_bar_close(void **state) {
    (void)state;
    for (int kind = 0; kind < BARS; kind++) {
        bar s;
        bar_start(&s, kind);
        bench_simulate_by(&s.b, "energy-momentum", NULL, 3, 0.05);
        double kinetic = bench_ledger(&s.b).kinetic;
        check_books(&s.b, 1e-12);
        carom_ledger_row row = bench_ledger(&s.b);
        assert_true((kind == RUBBER ? row.viscosity : row.plasticity) > 0.1 * kinetic);
        bar_end(&s);
    }
}

// Explicit and conserving steps tend to the same motion, each with the square of its step; with a rate, which sets in at once
// where a point begins to flow, with the step itself.
static void explicit_steps_agree(void **state) {
    (void)state;
    for (int kind = 0; kind < BARS; kind++) {
        double lost[3], shape[3];
        for (int i = 0; i < 3; i++) {
            bar s;
            bar_start(&s, kind);
            if (i == 0)
                bench_simulate(&s.b, 1.2, 0.002);
            else
                bench_simulate_by(&s.b, "energy-momentum", NULL, 1.2, i == 1 ? 0.012 : 0.006);
            bench_run(&s.b);
            carom_ledger_row row = bench_ledger(&s.b);
            const double(*x)[3] = carom_state_positions(carom_sim_state(s.b.sim));
            lost[i] = row.plasticity + row.viscosity;
            shape[i] = x[ELEMENTS / 4][0];
            bar_end(&s);
        }
        assert_near(lost[1] / lost[0], 1, kind == FAST_METAL ? 5e-3 : 2e-3);
        assert_near(lost[2] / lost[0], 1, kind == FAST_METAL ? 2.5e-3 : 5e-4);
        assert_near(shape[1], shape[0], 1e-4);
        assert_near(shape[2], shape[0], 2.5e-5);
    }
}

// A block of copper-like metal, compressed and sheared fast.
typedef struct block {
    bench b;
    carom_j2_params metal;
    carom_hex8_params hex;
    carom_tet4_params tet;
    double (*v)[3];
} block;

static void block_start(block *s, bool tetrahedra, int integration) {
    bench_start(&s->b);
    carom_box_params box = {.to = {1, 0.6, 0.5}, .elements = {4, 3, 2}, .cells = tetrahedra, .grading = {1, 1, 1}};
    carom_body_def *body = bench_add(&s->b, "box", &box, VECTOR(0, 0, 0));
    s->hex = (carom_hex8_params){.integration = integration, .hourglass = 0.005};
    s->tet = (carom_tet4_params){.volume = CAROM_TET4_NODAL};
    body->element = tetrahedra ? (carom_pick){carom_catalogue_find(carom_elements(), "tet4"), &s->tet}
                               : (carom_pick){carom_catalogue_find(carom_elements(), "hex8"), &s->hex};
    carom_pick pick = carom_pick_of(carom_materials(), "j2", &s->metal, NULL);
    s->metal.elastic = (carom_elastic_params){.young = 1, .poisson = 0.3, .density = 1};
    s->metal.yield = 0.01;
    s->metal.modulus = 0.05;
    pick.params = &s->metal;
    body->material = pick;
    carom_mesh *mesh = &s->b.meshes[0];
    s->v = calloc((size_t)mesh->node_count, sizeof *s->v);
    for (int k = 0; k < mesh->node_count; k++) {
        const double *X = mesh->nodes[k];
        memcpy(s->v[k], VECTOR(0.15 * cos(pi * X[0]) + 0.05, 0.1 * X[0] - 0.05 * X[2], 0.1 * X[1]), sizeof s->v[k]);
    }
    mesh->velocities = s->v;
    s->b.def.contact.enabled = false;
}

static void block_end(block *s) {
    s->b.meshes[0].velocities = NULL;
    free(s->v);
    bench_end(&s->b);
}

static void the_books_of_a_block_close(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        block s;
        block_start(&s, i == 2, i == 0 ? CAROM_HEX8_ONE_POINT : CAROM_HEX8_MEAN_DILATATION);
        bench_simulate_by(&s.b, "energy-momentum", NULL, 1, 0.05);
        double kinetic = bench_ledger(&s.b).kinetic;
        check_books(&s.b, 1e-12);
        assert_true(bench_ledger(&s.b).plasticity > 0.1 * kinetic);
        block_end(&s);
    }
}

// Threads, and a restart in the middle of flow.
static uint64_t hash_of(int threads, bool restarts) {
    block s;
    carom_set_threads(threads);
    block_start(&s, false, CAROM_HEX8_MEAN_DILATATION);
    bench_simulate_by(&s.b, "energy-momentum", NULL, 0.4, 0.05);
    if (restarts) {
        char path[] = "implicit_flow_XXXXXX";
        int file = mkstemp(path);
        assert_true(file >= 0);
        close(file);
        for (int n = 0; n < 4; n++)
            assert_ok(carom_sim_step(s.b.sim, error));
        assert_true(bench_ledger(&s.b).plasticity > 0);
        assert_ok(carom_sim_save(s.b.sim, path, error));
        carom_sim_release(s.b.sim);
        s.b.sim = NULL;
        bench_simulate_by(&s.b, "energy-momentum", NULL, 0.4, 0.05);
        assert_ok(carom_sim_load(s.b.sim, path, error));
        remove(path);
    }
    bench_run(&s.b);
    uint64_t hash = carom_state_hash(carom_sim_state(s.b.sim));
    block_end(&s);
    carom_set_threads(0);
    return hash;
}

static void same_bits(void **state) {
    (void)state;
    uint64_t hash = hash_of(1, false);
    assert_true(hash_of(2, false) == hash && hash_of(3, true) == hash);
}

// A step that is halved begins anew with the history before it: books close all the same.
static void halved_steps_discard_trials(void **state) {
    (void)state;
    bar s;
    bar_start(&s, METAL);
    carom_energy_momentum_params p;
    carom_pick_of(carom_integrators(), "energy-momentum", &p, NULL);
    p.iterations = 4;
    bench_simulate_by(&s.b, "energy-momentum", &p, 1.2, 0.1);
    check_books(&s.b, 1e-12);
    const double *counts = carom_state_find_array(carom_sim_state(s.b.sim), "solver counts");
    assert_non_null(counts);
    assert_true(counts[4] > 0);
    bar_end(&s);
}

// A step of which one part was taken and another fails, since a side is driven too fast for it before 0.5: it leaves the
// state, and what had flowed before the first part, as it was.
static void failed_steps_leave_no_flow(void **state) {
    (void)state;
    static const double table[4][2] = {{0, 1}, {0.48, 1}, {0.49, 1e4}, {1, 1e4}};
    carom_restraint_def drive = {.where = {.body = "body0", .set = "xmin", .node = CAROM_AUTO},
                                 .direction_count = 1,
                                 .direction = {{1, 0, 0}},
                                 .velocity = {0.15, 0, 0},
                                 .schedule = {.count = 4, .points = table}};
    block s;
    block_start(&s, false, CAROM_HEX8_ONE_POINT);
    s.b.def.restraints = &drive;
    s.b.def.restraint_count = 1;
    carom_energy_momentum_params p;
    carom_pick_of(carom_integrators(), "energy-momentum", &p, NULL);
    p.halvings = 1;
    p.iterations = 12;
    bench_simulate_by(&s.b, "energy-momentum", &p, 1, 0.2);
    for (int n = 0; n < 2; n++)
        assert_ok(carom_sim_step(s.b.sim, error));
    uint64_t hash = carom_state_hash(carom_sim_state(s.b.sim));
    assert_true(bench_ledger(&s.b).plasticity > 0);
    assert_refused(carom_sim_step(s.b.sim, error), CAROM_NUMERICAL, "has no solution at time 0.5");
    assert_true(carom_state_hash(carom_sim_state(s.b.sim)) == hash);
    block_end(&s);
}

// Copper: a bar of one element, or a cube whose sides are free. It hardens so little that several elements in a row would neck.
typedef struct drawn {
    bench b;
    carom_j2_params metal;
    carom_hex8_params hex;
    carom_tet4_params tet;
    carom_restraint_def restraints[6];
    carom_load_def load;
} drawn;

enum { BAR, BRICKS, TETRAHEDRA, KINDS };

static carom_restraint_def *hold(drawn *s, const char *set, int axis) {
    carom_restraint_def *r = &s->restraints[s->b.def.restraint_count++];
    *r = (carom_restraint_def){.where = {.body = "body0", .node = CAROM_AUTO}, .direction_count = 1};
    snprintf(r->where.set, sizeof r->where.set, "%s", set);
    r->direction[0][axis] = 1;
    return r;
}

static void copper_start(drawn *s, int kind) {
    bench_start(&s->b);
    carom_box_params box = {.to = {1, 1, 1}, .elements = {1, 1, 1}, .cells = kind == TETRAHEDRA, .grading = {1, 1, 1}};
    s->hex = (carom_hex8_params){.integration = CAROM_HEX8_MEAN_DILATATION, .hourglass = 0.005};
    s->tet = (carom_tet4_params){.volume = CAROM_TET4_NODAL};
    if (kind == BAR)
        bench_add_bar(&s->b, VECTOR(0, 0, 0), VECTOR(1, 0, 0), 1, VECTOR(0, 0, 0), CAROM_BAR_LOG);
    else
        bench_add(&s->b, "box", &box, VECTOR(0, 0, 0))->element =
            kind == BRICKS ? (carom_pick){carom_catalogue_find(carom_elements(), "hex8"), &s->hex}
                           : (carom_pick){carom_catalogue_find(carom_elements(), "tet4"), &s->tet};
    carom_pick pick = carom_pick_of(carom_materials(), "j2", &s->metal, NULL);
    s->metal.elastic = (carom_elastic_params){.young = 117e9, .poisson = 0.35, .density = 8930};
    s->metal.yield = 400e6;
    s->metal.modulus = 100e6;
    pick.params = &s->metal;
    s->b.bodies[0].material = pick;
    s->b.def.contact.enabled = false;
    s->b.def.restraints = s->restraints;
    hold(s, kind == BAR ? "start" : "xmin", 0);
    // across a bar nothing resists
    hold(s, kind == BAR ? "" : "ymin", 1);
    hold(s, kind == BAR ? "" : "zmin", 2);
}

static carom_status copper_create(drawn *s, int steps, bool linear, carom_error *error) {
    static carom_static_params p;
    carom_pick_of(carom_analyses(), "static", &p, NULL);
    p.steps = steps;
    p.linear = linear;
    p.tolerance = 1e-12;
    carom_time_def time = carom_static_time(&p);
    carom_pick pick = {carom_catalogue_find(carom_analyses(), "static"), &p};
    if (!s->b.model)
        bench_build(&s->b);
    return carom_sim_create(s->b.model, pick, &time, &s->b.sim, error);
}

// Drawn to the logarithmic strain 0.5 in eight steps: uniaxial stress in closed form, whatever the steps.
static void copper_is_drawn(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        drawn s;
        copper_start(&s, kind);
        hold(&s, kind == BAR ? "end" : "xmax", 0)->velocity[0] = exp(0.5) - 1;
        assert_ok(copper_create(&s, 8, false, error));
        bench_run(&s.b);
        const carom_state *end = carom_sim_state(s.b.sim);
        const double *pull = carom_state_find_array(end, "reaction"), (*x)[3] = carom_state_positions(end);
        double force = 0, across = 0;
        for (int k = 0; k < s.b.model->node_count; k++) {
            force += fmax(pull[3 * k], 0);
            across = fmax(across, x[k][1]);
        }
        // tau, P = tau/stretch, plastic strain, and the sides
        assert_near(force * exp(0.5) / 449615713.0657558, 1, 1e-10);
        assert_near(carom_history_most(end, CAROM_INNER_PLASTIC_STRAIN) / 0.4961571306575576, 1, 1e-10);
        if (kind != BAR) {
            assert_near(force / 272705715.06293, 1, 1e-10);
            assert_near(across, 0.7792498369310894, 1e-10);
        }
        bench_end(&s.b);
    }
}

// The residual is the error of the trapezoidal rule.
static void books_of_slow_loads_converge(void **state) {
    (void)state;
    double residual[3];
    for (int i = 0; i < 3; i++) {
        drawn s;
        copper_start(&s, BRICKS);
        hold(&s, "xmax", 0)->velocity[0] = 0.1;
        assert_ok(copper_create(&s, 10 << i, false, error));
        bench_run(&s.b);
        carom_ledger_row row = bench_ledger(&s.b);
        residual[i] = fabs(row.residual / row.plasticity);
        bench_end(&s.b);
    }
    assert_true(residual[0] < 3e-4 && residual[1] < 0.27 * residual[0] && residual[2] < 0.27 * residual[1]);
}

// Loaded beyond yield and unloaded: what has flowed stays, tau = 0 and ln(l/L) = the plastic strain. Steps that end elsewhere
// give the same.
static void unloading_leaves_a_permanent_set(void **state) {
    (void)state;
    static const double table[3][2] = {{0, 0}, {0.5, 1}, {1, 0}};
    // forces on the corners of a side cut into triangles would not be equal
    for (int kind = BAR; kind <= BRICKS; kind++) {
        drawn s;
        copper_start(&s, kind);
        s.metal.modulus = 5e9;
        s.load = (carom_load_def){.where = {.body = "body0", .node = CAROM_AUTO}, .schedule = {.count = 3, .points = table}};
        snprintf(s.load.where.set, sizeof s.load.where.set, "%s", kind == BAR ? "end" : "xmax");
        s.load.force[0] = 440e6;
        s.b.def.loads = &s.load;
        s.b.def.load_count = 1;
        assert_ok(copper_create(&s, 8, false, error));
        assert_ok(carom_sim_run_until(s.b.sim, 0.5, error));
        const carom_state *now = carom_sim_state(s.b.sim);
        double alpha = carom_history_most(now, CAROM_INNER_PLASTIC_STRAIN), most = 0;
        assert_true(alpha > 0.005);
        for (int k = 0; k < s.b.model->node_count; k++)
            most = fmax(most, carom_state_positions(now)[k][0]);
        assert_near(log(most) - alpha, (400e6 + 5e9 * alpha) / 117e9, 1e-11);
        bench_run(&s.b);
        for (int k = 0; k < s.b.model->node_count; k++)
            if (s.b.model->X[k][0] == 1)
                assert_near(carom_state_positions(now)[k][0], exp(alpha), 1e-12);
        assert_near(carom_history_most(now, CAROM_INNER_PLASTIC_STRAIN), alpha, 0);
        assert_near(bench_ledger(&s.b).internal, 0, 1e-3);
        bench_end(&s.b);
    }
}

// A load that one step brings far beyond yield, on threads, and with a restart while it flows: the same.
static void slow_loads_have_the_same_bits(void **state) {
    (void)state;
    uint64_t hashes[4];
    for (int i = 0; i < 4; i++) {
        drawn s;
        carom_set_threads(i < 3 ? i + 1 : 2);
        copper_start(&s, BRICKS);
        s.metal.modulus = 5e9;
        s.load = (carom_load_def){.where = {.body = "body0", .set = "xmax", .node = CAROM_AUTO}, .force = {600e6, 0, 0}};
        s.b.def.loads = &s.load;
        s.b.def.load_count = 1;
        assert_ok(copper_create(&s, 4, false, error));
        if (i == 3) {
            char path[] = "implicit_flow_XXXXXX";
            int file = mkstemp(path);
            assert_true(file >= 0);
            close(file);
            for (int n = 0; n < 3; n++)
                assert_ok(carom_sim_step(s.b.sim, error));
            assert_true(bench_ledger(&s.b).plasticity > 0);
            assert_ok(carom_sim_save(s.b.sim, path, error));
            carom_sim_release(s.b.sim);
            s.b.sim = NULL;
            assert_ok(copper_create(&s, 4, false, error));
            assert_ok(carom_sim_load(s.b.sim, path, error));
            remove(path);
        }
        bench_run(&s.b);
        hashes[i] = carom_state_hash(carom_sim_state(s.b.sim));
        bench_end(&s.b);
    }
    carom_set_threads(0);
    for (int i = 1; i < 4; i++)
        assert_true(hashes[i] == hashes[0]);
}

// Without hardening the largest force of a bar is that at yield, s0 exp(-s0/E): the analysis ends within 2^-8 of a step of it,
// at an equilibrium and with its history.
static void the_limit_load_ends_the_analysis(void **state) {
    (void)state;
    drawn s;
    copper_start(&s, BAR);
    s.metal.modulus = 0;
    s.load = (carom_load_def){.where = {.body = "body0", .set = "end", .node = CAROM_AUTO}, .force = {420e6, 0, 0}};
    s.b.def.loads = &s.load;
    s.b.def.load_count = 1;
    assert_ok(copper_create(&s, 4, false, error));
    double limit = 400e6 * exp(-400e6 / 117e9) / 420e6;
    assert_refused(carom_sim_run_until(s.b.sim, 1, error), CAROM_NUMERICAL, "the load factor");
    double reached = carom_state_time(carom_sim_state(s.b.sim));
    assert_true(reached <= limit && reached > limit - 0.25 / 256);
    assert_near(bench_ledger(&s.b).plasticity, 0, 0);
    bench_end(&s.b);
}

static void what_statics_cannot_do_is_refused(void **state) {
    (void)state;
    drawn s;
    copper_start(&s, BAR);
    assert_refused(copper_create(&s, 1, true, error), CAROM_BAD_INPUT, "does not support plastic flow of 'j2' of body 'body0'");
    bench_end(&s.b);
    bar r;
    bar_start(&r, RUBBER);
    r.b.meshes[0].velocities = NULL;
    bench_build(&r.b);
    carom_static_params p;
    carom_pick_of(carom_analyses(), "static", &p, NULL);
    carom_time_def time = carom_static_time(&p);
    carom_pick pick = {carom_catalogue_find(carom_analyses(), "static"), &p};
    assert_refused(carom_sim_create(r.b.model, pick, &time, &r.b.sim, error), CAROM_BAD_INPUT, "does not support viscosity");
    bar_end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_books_of_a_bar_close),
        cmocka_unit_test(explicit_steps_agree),
        cmocka_unit_test(the_books_of_a_block_close),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(halved_steps_discard_trials),
        cmocka_unit_test(failed_steps_leave_no_flow),
        cmocka_unit_test(copper_is_drawn),
        cmocka_unit_test(books_of_slow_loads_converge),
        cmocka_unit_test(unloading_leaves_a_permanent_set),
        cmocka_unit_test(slow_loads_have_the_same_bits),
        cmocka_unit_test(the_limit_load_ends_the_analysis),
        cmocka_unit_test(what_statics_cannot_do_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
