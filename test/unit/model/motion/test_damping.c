// SPDX-License-Identifier: MIT
// Tests src/model/motion/damping.c, src/model/watch/deformation.c.
// Damping of bodies against closed forms, stable step with damping, energy balance, and inverted elements.
#include "../../../support.h"
#include "model/model.h"
#include "model/motion/damping.h"
#include "model/state.h"
#include "model/state/accounts.h"
#include "model/watch/deformation.h"

// Two masses of 1/2 and a spring of stiffness 1: k/mu = 4, omega = 2. The initial velocities separate them.
static void start_spring(bench *b, carom_damping damping) {
    bench_start(b);
    b->def.contact.enabled = false;
    bench_add_bar(b, VECTOR(0, 0, 0), VECTOR(1, 0, 0), 1, VECTOR(0, 0, 0), CAROM_BAR_SMALL);
    b->bodies[0].damping = damping;
}

static void pull_apart(bench *b, double speed) {
    b->model->v0[0][0] = -speed / 2;
    b->model->v0[1][0] = speed / 2;
}

static double stretch(const bench *b) {
    const carom_state *state = carom_sim_state(b->sim);
    return state->x[1][0] - state->x[0][0] - 1;
}

// The damped oscillator u'' + 2 z w u' + w^2 u = 0 from rest with speed 1.
static double closed_form(double w, double z, double t) {
    double d = w * sqrt(1 - z * z);
    return exp(-z * w * t) * sin(d * t) / d;
}

// The largest error of the stretch in a run.
static double mode_error(carom_damping damping, double step) {
    bench b;
    double w = 2, z = 0.5 * (damping.mass / w + damping.stiffness * w), most = 0;
    start_spring(&b, damping);
    bench_build(&b);
    pull_apart(&b, 1);
    bench_simulate(&b, 10, step);
    while (!carom_sim_done(b.sim)) {
        assert_ok(carom_sim_step(b.sim, error));
        most = fmax(most, fabs(stretch(&b) - closed_form(w, z, carom_state_time(carom_sim_state(b.sim)))));
    }
    bench_end(&b);
    return most;
}

// Mass damping has an error of second order; stiffness damping, by the velocity half a step before, of first order.
static void damped_mode(void **unused) {
    (void)unused;
    const carom_damping mass = {.mass = 0.4}, stiffness = {.stiffness = 0.1}, both = {0.2, 0.05};
    assert_near(mode_error(mass, 0.02) / mode_error(mass, 0.01), 4, 0.1);
    assert_near(mode_error(stiffness, 0.002) / mode_error(stiffness, 0.001), 2, 0.1);
    assert_true(mode_error(mass, 0.001) < 1e-6 && mode_error(stiffness, 0.001) < 2e-4 && mode_error(both, 0.001) < 2e-4);
}

// The amplitude of the discrete mode decreases by sqrt((1 - c - h b w^2)/(1 + c)), c = h a/2, in each step, exactly.
static void logarithmic_decrement(void **unused) {
    (void)unused;
    const carom_damping damping = {.mass = 0.3, .stiffness = 0.05};
    const double h = 0.05, w = 2, c = 0.5 * h * damping.mass;
    double B = 1 - c - h * damping.stiffness * w * w, A = 1 + c;
    double cosine = (A + B - h * h * w * w) / (2 * sqrt(A * B));
    bench b;
    start_spring(&b, damping);
    bench_build(&b);
    pull_apart(&b, 1);
    bench_simulate(&b, 10, h);
    double u[3] = {0};
    for (int n = 0; n < 200; n++) {
        assert_ok(carom_sim_step(b.sim, error));
        u[0] = u[1], u[1] = u[2], u[2] = stretch(&b);
        // u_{n+1} = 2 r cos(phi) u_n - r^2 u_{n-1}
        if (n > 2)
            assert_near(u[2], 2 * sqrt(B / A) * cosine * u[1] - B / A * u[0], 1e-9);
    }
    bench_end(&b);
}

// The stable step with damping is sharp: just below it the motion decays, just above it it grows.
static void stable_step(void **unused) {
    (void)unused;
    const carom_damping damping = {.mass = 0.1, .stiffness = 0.4};
    const double h = sqrt(1 + 0.4 * 0.4) - 0.4;
    for (int above = 0; above < 2; above++) {
        bench b;
        start_spring(&b, damping);
        bench_build(&b);
        pull_apart(&b, 1);
        assert_near(carom_model_stable_step(b.model), h, 1e-14);
        carom_time_def time = carom_default_time_def();
        time.end = 400 * h;
        time.step = (above ? 1.02 : 0.98) * h;
        time.on_event = CAROM_ON_EVENT_WARN;
        carom_pick pick = {carom_catalogue_find(carom_integrators(), "newmark-dcr"), NULL};
        assert_ok(carom_sim_create(b.model, pick, &time, &b.sim, error));
        bench_run(&b);
        assert_true(above ? fabs(stretch(&b)) > 10 : fabs(stretch(&b)) < 1e-3);
        bench_end(&b);
    }
}

static carom_elastic_params elastic;
static carom_hex8_params brick = {.hourglass = 0.1};

static carom_body_def *add_box(bench *b, const char *element, const char *material, double young) {
    carom_box_params box = {.to = {2, 1, 1}, .elements = {4, 2, 2}, .grading = {1, 1, 1}};
    box.cells = strcmp(element, "tet4") == 0 ? CAROM_SOLID_TET4 : CAROM_SOLID_HEX8;
    carom_body_def *body = bench_add(b, "box", &box, VECTOR(0, 0, 0));
    elastic = (carom_elastic_params){.young = young, .poisson = 0.3, .density = 1};
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), element), &brick};
    body->material = (carom_pick){carom_catalogue_find(carom_materials(), material), &elastic};
    return body;
}

// A spinning, vibrating solid: damping dissipates energy in every step, conserves both momenta, and the energy balance holds to
// second order.
static void spinning_solid(const char *element, const char *material) {
    double residual[2] = {0};
    for (int i = 0; i < 2; i++) {
        bench b;
        bench_start(&b);
        b.def.contact.enabled = false;
        carom_body_def *body = add_box(&b, element, material, 50);
        memcpy(body->spin, VECTOR(0.5, 0, 2), sizeof body->spin);
        body->damping.stiffness = 0.01;
        bench_build(&b);
        for (int k = 0; k < b.model->node_count; k++)
            b.model->v0[k][0] += b.model->X[k][0] - 1;
        bench_simulate(&b, 2, i ? 0.005 : 0.01);
        carom_ledger_row first = bench_ledger(&b), row = first;
        double scale = first.kinetic, most = 0;
        while (!carom_sim_done(b.sim)) {
            double before = row.damping;
            assert_ok(carom_sim_step(b.sim, error));
            row = bench_ledger(&b);
            most = fmax(most, fabs(row.residual));
            assert_true(row.damping >= before - 1e-4 * scale * (i ? 0.005 : 0.01));
        }
        residual[i] = most / scale;
        assert_true(row.damping > 0.05 * scale);
        for (int c = 0; c < 3; c++) {
            assert_near(row.momentum[c], first.momentum[c], 1e-13);
            assert_near(row.angular_momentum[c], first.angular_momentum[c], 1e-12);
        }
        bench_end(&b);
    }
    assert_true(residual[1] < 2e-3);
    assert_near(residual[0] / residual[1], 4, 0.6);
}

static void spinning_solids(void **unused) {
    (void)unused;
    spinning_solid("hex8", "neo-hookean");
    spinning_solid("tet4", "st-venant-kirchhoff");
}

// A stretched body in rigid motion has no stiffness damping, whatever its stress.
static void rigid_motion_is_free(void **unused) {
    (void)unused;
    bench b;
    bench_start(&b);
    add_box(&b, "hex8", "neo-hookean", 50)->damping.stiffness = 0.1;
    bench_build(&b);
    enum { MOST = 64 };
    int n = b.model->node_count;
    double x[MOST][3], w[MOST][3], f[MOST][3];
    assert_true(n <= MOST);
    for (int k = 0; k < n; k++) {
        const double *X = b.model->X[k];
        memcpy(x[k], VECTOR(1.3 * X[0] + 0.2 * X[1], 0.8 * X[1], X[2] + 0.1 * X[0] * X[1]), sizeof x[k]);
        // w = (1, 2, 3) + (0.3, -0.4, 2) x x
        memcpy(w[k],
               VECTOR(1 - 0.4 * x[k][2] - 2 * x[k][1], 2 + 2 * x[k][0] - 0.3 * x[k][2], 3 + 0.3 * x[k][1] + 0.4 * x[k][0]),
               sizeof w[k]);
    }
    int64_t slots = b.model->block_slot[b.model->block_count];
    double *force = calloc((size_t)slots, sizeof *force), *scratch = calloc((size_t)slots, sizeof *scratch), most = 0;
    const carom_block *block = &b.model->blocks[0];
    block->element->force(block, 0, block->count, (const double(*)[3])x, (const double(*)[3])b.model->X, force);
    carom_model_viscous_force(b.model, (const double(*)[3])x, (const double(*)[3])w, force, scratch, f);
    for (int k = 0; k < n; k++)
        most = fmax(most, fabs(f[k][0]) + fabs(f[k][1]) + fabs(f[k][2]));
    assert_true(most < 1e-12);
    // a rate of stretch is damped
    for (int k = 0; k < n; k++)
        w[k][0] += x[k][0];
    carom_model_viscous_force(b.model, (const double(*)[3])x, (const double(*)[3])w, force, scratch, f);
    for (int k = 0; k < n; k++)
        most = fmax(most, fabs(f[k][0]));
    assert_true(most > 0.1);
    free(force);
    free(scratch);
    bench_end(&b);
}

// Mass damping: a free body slows down as exp(-a t), and its losses of energy and momentum are recorded.
static void drag(void **unused) {
    (void)unused;
    bench b;
    bench_start(&b);
    carom_body_def *body = add_box(&b, "tet4", "neo-hookean", 50);
    body->damping.mass = 0.5;
    memcpy(body->velocity, VECTOR(1, 0, 0), sizeof body->velocity);
    bench_simulate(&b, 2, 0.01);
    bench_run(&b);
    carom_ledger_row row = bench_ledger(&b);
    assert_near(row.momentum[0], 2 * exp(-0.5 * 2), 1e-5);
    assert_near(row.damping, 1 - exp(-2 * 0.5 * 2), 2e-5);
    assert_near(row.residual, 0, 1e-4);
    assert_near(carom_accounts_value(&carom_sim_state(b.sim)->books.booked).impulse[0], 2 * (exp(-1) - 1), 5e-3);
    bench_end(&b);
}

static void inverted_elements(void **unused) {
    (void)unused;
    static const char *const elements[] = {"hex8", "tet4"};
    for (int i = 0; i < 2; i++) {
        bench b;
        bench_start(&b);
        add_box(&b, elements[i], "st-venant-kirchhoff", 50);
        int64_t ids[128];
        for (int e = 0; e < 128; e++)
            ids[e] = 1000 + e;
        int64_t *old = b.meshes[0].blocks[0].ids;
        b.meshes[0].blocks[0].ids = ids;
        bench_build(&b);
        b.meshes[0].blocks[0].ids = old;
        enum { MOST = 64 };
        double x[MOST][3];
        const double(*at)[3] = (const double(*)[3])x;
        int n = b.model->node_count;
        assert_true(n <= MOST);
        memcpy(x, b.model->X, (size_t)n * sizeof *x);
        assert_string_equal(carom_model_watch_deformation(b.model, at).inverted, "");
        // one corner far beyond the opposite sides of its cells: an inverted cell is named, none before its first cell
        const carom_block *block = &b.model->blocks[0];
        int e = 5, node = block->nodes[e * block->element->node_count], first = e;
        for (int d = 0; d < block->count * block->element->node_count && first == e; d++)
            if (block->nodes[d] == node)
                first = d / block->element->node_count;
        for (int c = 0; c < 3; c++)
            x[node][c] += 40 * (c + 1);
        carom_deformation seen = carom_model_watch_deformation(b.model, at);
        long long number = 0;
        assert_int_equal(sscanf(seen.inverted, "element %lld of body 'body0'", &number), 1);
        assert_true(number >= 1000 + first && number < 1000 + block->count);
        // a reflection inverts the first cell
        for (int k = 0; k < n; k++)
            x[k][2] = -b.model->X[k][2];
        assert_string_equal(carom_model_watch_deformation(b.model, at).inverted, "element 1000 of body 'body0'");
        bench_end(&b);
    }
    // for the linear law inverted elements are not reported
    bench b;
    bench_start(&b);
    add_box(&b, "hex8", "linear", 50);
    bench_build(&b);
    for (int k = 0; k < b.model->node_count; k++)
        b.model->X[k][2] = -b.model->X[k][2];
    assert_string_equal(carom_model_watch_deformation(b.model, (const double(*)[3])b.model->X).inverted, "");
    bench_end(&b);
}

// A body that is driven at a constant speed v against mass damping a loses a m v^2 per time, whatever the step.
static void driven_drag(void **unused) {
    (void)unused;
    for (double step = 0.02; step > 0.004; step /= 2) {
        bench b;
        bench_start(&b);
        add_box(&b, "hex8", "neo-hookean", 100);
        b.bodies[0].damping.mass = 20;
        memcpy(b.bodies[0].velocity, VECTOR(1, 0, 0), sizeof b.bodies[0].velocity);
        carom_restraint_def drive = {
            .direction_count = 3, .direction = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .velocity = {1, 0, 0}};
        drive.where = (carom_selection){.node = CAROM_AUTO};
        snprintf(drive.where.body, sizeof drive.where.body, "body0");
        b.def.restraint_count = 1;
        b.def.restraints = &drive;
        bench_simulate(&b, 1, step);
        double mass = 0;
        for (int k = 0; k < b.model->node_count; k++)
            mass += b.model->mass[k];
        bench_run(&b);
        carom_ledger_row row = bench_ledger(&b);
        assert_near(row.damping, 20 * mass, 1e-12 * 20 * mass);
        assert_near(row.residual, 0, 1e-12 * 20 * mass);
        bench_end(&b);
    }
}

// A damped bar hits a wall with contact by projection: damping differs between the step with contact and the trial step
// without, with which the energy of the projection is compared; the difference is recorded as damping. The residual is of
// second order.
static void projected_bar(void **state) {
    (void)state;
    double most[3] = {0}, start = 0;
    for (int i = 0; i < 3; i++) {
        bench b;
        bench_start(&b);
        carom_plane_def wall = {.name = "wall", .normal = {1, 0, 0}};
        b.def.contact.plane_count = 1;
        b.def.contact.planes = &wall;
        b.def.contact.restitution = 0;
        b.def.contact.resolve = CAROM_RESOLVE_PROJECTION;
        bench_add_bar(&b, VECTOR(0.003, 0, 0), VECTOR(1.003, 0, 0), 10, VECTOR(-0.05, 0, 0), CAROM_BAR_GREEN);
        b.bodies[0].damping.stiffness = 0.02;
        bench_simulate(&b, 1.6, 0.01 / (1 << i));
        start = bench_ledger(&b).kinetic;
        while (!carom_sim_done(b.sim)) {
            assert_ok(carom_sim_step(b.sim, error));
            most[i] = fmax(most[i], fabs(bench_ledger(&b).residual));
        }
        assert_true(bench_ledger(&b).damping > 0.01 * start);
        bench_end(&b);
    }
    assert_true(most[0] < 0.01 * start);
    assert_true(most[1] < most[0] / 3.3 && most[2] < most[1] / 3.3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damped_mode),       cmocka_unit_test(logarithmic_decrement), cmocka_unit_test(stable_step),
        cmocka_unit_test(spinning_solids),   cmocka_unit_test(rigid_motion_is_free),  cmocka_unit_test(drag),
        cmocka_unit_test(inverted_elements), cmocka_unit_test(driven_drag),           cmocka_unit_test(projected_bar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
