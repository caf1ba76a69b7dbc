// SPDX-License-Identifier: MIT
// Demoures et al., section 5: a soft geometrically exact beam in free flight and in impacts with a plane; and what the theory
// of beams and rigid bodies says of other motions of it.
#include "../support.h"
#include "integrator/multisymplectic/slab.h"
#include "math/se3.h"
#include "model/model.h"
#include "model/state.h"
#include "model/state/accounts.h"

static const carom_elastic_params soft = {.young = 1e3, .poisson = 0.35, .density = 1e3};

static carom_exact_beam_params square(double side, int natural) {
    return (carom_exact_beam_params){.width = side, .height = side, .shear_factor = 1, .torsion_factor = 1, .natural = natural};
}

// The data (5.12) to (5.14): a helix that moves to another within D.
static carom_curve_params thrown(int elements, double D) {
    return (carom_curve_params){
        .length = 0.5,
        .elements = elements,
        .turn = {0.5, 0, 0},
        .curvature = {1, 4.5, 1},
        .over = D,
        .next_start = {0, -2e-5 * sin(0.5), 2e-5 * cos(0.5)},
        .next_turn = {0.5, 0, 0},
        .next_curvature = {1.004, 4.522, 0.996},
        .next_strain = {-0.004, 0, 0},
    };
}

static void add_beam(bench *b, const carom_curve_params *curve, const carom_exact_beam_params *params,
                     const carom_elastic_params *material) {
    carom_body_def *body = bench_add(b, "curve", curve, VECTOR(0, 0, 0));
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), "exact-beam"), params};
    body->material = (carom_pick){carom_catalogue_find(carom_materials(), "linear"), material};
}

static const carom_plane_def ground = {.name = "floor", .normal = {0, 0, 1}};

static void paper_start(bench *b, const carom_exact_beam_params *params, int elements, double D, double step, double end,
                        int start) {
    bench_start(b);
    b->def.gravity[2] = -10;
    b->def.contact.restitution = 1;
    b->def.contact.plane_count = 1;
    b->def.contact.planes = &ground;
    carom_curve_params curve = thrown(elements, D);
    add_beam(b, &curve, params, &soft);
    carom_multisymplectic_params method = {.contact_integrator = 1, .contact_rule = CAROM_RULE_PRINTED, .start = start};
    bench_simulate_by(b, "multisymplectic", &method, end, step);
}

static double least_height(const carom_state *state) {
    double z = HUGE_VAL;
    for (int k = 0; k < state->model->node_count; k++)
        z = fmin(z, state->x[k][2]);
    return z;
}

static double orthogonality(const carom_state *state) {
    double most = 0;
    for (int k = 0; k < state->model->node_count; k++) {
        double RtR[3][3];
        const double(*R)[3] = (const double(*)[3])state->R[k];
        carom_mat3_multiply_transposed(R, R, RtR);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                most = fmax(most, fabs(RtR[i][j] - (i == j)));
    }
    return most;
}

// Free flight without gravity, 50000 steps: all six momenta, frames, and an energy error that does not drift.
static void free_flight(void **state) {
    (void)state;
    carom_exact_beam_params params = square(0.05, CAROM_NATURAL_STRAIGHT);
    double worst[2] = {0};
    for (int r = 0; r < 2; r++) {
        bench b;
        bench_start(&b);
        b.def.contact.enabled = false;
        carom_curve_params curve = thrown(10, 2e-4);
        add_beam(&b, &curve, &params, &soft);
        carom_multisymplectic_params method = {.contact_integrator = 1};
        double step = r ? 4e-5 : 8e-5;
        bench_simulate_by(&b, "multisymplectic", &method, 2, step);
        carom_ledger_row first = bench_ledger(&b);
        double linear = carom_norm(first.momentum), angular = carom_norm(first.angular_momentum), early = 0, late = 0;
        while (!carom_sim_done(b.sim)) {
            assert_ok(carom_sim_step(b.sim, error));
            carom_ledger_row row = bench_ledger(&b);
            double e = fabs(row.total - first.total) / first.total;
            for (int i = 0; i < 3; i++) {
                assert_near(row.momentum[i], first.momentum[i], 1e-12 * linear);
                assert_near(row.angular_momentum[i], first.angular_momentum[i], 1e-12 * angular);
            }
            if (row.time < 1)
                early = fmax(early, e);
            else
                late = fmax(late, e);
            if (row.time < 0.2)
                worst[r] = fmax(worst[r], e);
        }
        assert_true(orthogonality(carom_sim_state(b.sim)) < 1e-11);
        assert_true(early < 1e-4 && late < 1e-4);
        bench_end(&b);
    }
    // while the two runs are alike: second order
    assert_near(worst[0] / worst[1], 4, 0.4);
}

// The energy of the slab that ends in a contact `d` after the level of the state, from the arrays of the state alone.
static double energy_at_contact(const carom_state *state, double d) {
    carom_slabs slabs;
    bool enough = true;
    const carom_level from = {
        .time = state->time,
        .h = carom_state_find_array(state, "slab length")[0],
        .x = state->x,
        .R = state->R,
        .w = (double(*)[3])carom_state_find_array(state, "slab velocities"),
        .force = (double(*)[3])carom_state_find_array(state, "forces"),
        .spin = (double(*)[3])carom_state_find_array(state, "slab spins"),
        .P = (double(*)[6])carom_state_find_array(state, "slab momenta"),
        .moment = (double(*)[3])carom_state_find_array(state, "moments"),
    };
    assert_ok(carom_slabs_create(state->model, NULL, NULL, &slabs, error));
    carom_level to = carom_level_reserve(&slabs, &enough);
    assert_true(enough);
    carom_slabs_advance(&slabs, &from, d, &to);
    double before = carom_slabs_internal(&slabs, &from) + carom_slabs_external(&slabs, &from);
    double after = carom_slabs_internal(&slabs, &to) + carom_slabs_external(&slabs, &to);
    double energy = carom_slabs_kinetic(&slabs, &to) + 0.5 * (before + after);
    carom_slabs_release(&slabs);
    return energy;
}

// Section 5.3.1: impacts at 30 m/s. Energy is measured against that of the first slab, as in the paper.
static void fast_impact(void **state) {
    (void)state;
    const struct {
        int elements;
        double step, energy;
    } runs[] = {{5, 4e-5, 1e-4}, {10, 4e-5, 1e-4}, {20, 1e-5, 1e-5}};
    carom_exact_beam_params params = square(0.05, CAROM_NATURAL_STRAIGHT);
    for (int r = 0; r < 3; r++) {
        bench b;
        paper_start(&b, &params, runs[r].elements, 4e-5, runs[r].step, 0.5, CAROM_START_SLAB);
        carom_ledger_row first = bench_ledger(&b);
        carom_state *last;
        assert_ok(carom_state_create(b.model, &last, error));
        const carom_state *now = carom_sim_state(b.sim);
        for (int a = last->array_count; a < now->array_count; a++)
            assert_non_null(carom_state_add_array(last, now->arrays[a].name, now->arrays[a].count));
        double energy = 0, reference = 0;
        int single = 0;
        while (!carom_sim_done(b.sim)) {
            carom_state_copy(last, now);
            assert_ok(carom_sim_step(b.sim, error));
            carom_ledger_row row = bench_ledger(&b);
            if (now->step == 1)
                reference = row.total;
            energy = fmax(energy, fabs(row.total - reference) / reference);
            assert_true(least_height(now) >= -1e-12);
            assert_near(row.momentum[0], first.momentum[0], 1e-11);
            assert_near(row.momentum[1], first.momentum[1], 1e-11);
            assert_near(row.angular_momentum[2], first.angular_momentum[2], 1e-11);
            // the slabs before and after a contact have one energy
            if (row.contacts == 1) {
                double d = carom_state_pair(now, 0).last_contact - last->time;
                assert_near(row.total, energy_at_contact(last, d), 1e-13 * reference);
                single++;
            }
        }
        assert_true(energy < runs[r].energy);
        assert_true(single >= 4 && now->books.contact_events < 40);
        // the first contact comes early, and hits hard
        assert_true(carom_state_pair(now, 0).first_contact < 0.006);
        assert_near(carom_accounts_value(&now->books.booked).projection, 0, 0);
        carom_state_release(last);
        bench_end(&b);
    }
}

// Consistent initial data: positions before the first contact, and its time, converge with the square of the step. After it the
// place of the contact within the step adds an error that is as small but not as regular.
static void second_order(void **state) {
    (void)state;
    carom_exact_beam_params params = square(0.05, CAROM_NATURAL_STRAIGHT);
    double before[3][11][3], after[3][11][3], contact[3], order[2];
    for (int r = 0; r < 3; r++) {
        bench b;
        paper_start(&b, &params, 10, 4e-5, 4e-5 / (1 << r), 0.0096, CAROM_START_LEVEL);
        while (!carom_sim_done(b.sim)) {
            assert_ok(carom_sim_step(b.sim, error));
            if (fabs(carom_sim_state(b.sim)->time - 0.004) < 1e-9)
                memcpy(before[r], carom_sim_state(b.sim)->x, sizeof before[r]);
        }
        memcpy(after[r], carom_sim_state(b.sim)->x, sizeof after[r]);
        contact[r] = carom_state_pair(carom_sim_state(b.sim), 0).first_contact;
        bench_end(&b);
    }
    double coarse = 0, fine = 0, late = 0;
    for (int k = 0; k < 11; k++)
        for (int i = 0; i < 3; i++) {
            coarse = fmax(coarse, fabs(before[0][k][i] - before[1][k][i]));
            fine = fmax(fine, fabs(before[1][k][i] - before[2][k][i]));
            late = fmax(late, fabs(after[1][k][i] - after[2][k][i]));
        }
    order[0] = log2(coarse / fine);
    order[1] = log2((contact[0] - contact[1]) / (contact[1] - contact[2]));
    assert_near(order[0], 2, 0.05);
    assert_near(order[1], 2, 0.05);
    assert_true(late < 2e-5);
}

// A flat beam falls on the plane: all nodes at once.
static void flat_fall(void **state) {
    (void)state;
    bench b;
    bench_start(&b);
    b.def.gravity[2] = -10;
    b.def.contact.restitution = 1;
    b.def.contact.plane_count = 1;
    b.def.contact.planes = &ground;
    carom_exact_beam_params params = square(0.05, CAROM_NATURAL_MESH);
    carom_line_params line = {.from = {0, 0, 0.1}, .to = {0.5, 0, 0.1}, .elements = 10};
    carom_body_def *body = bench_add(&b, "line", &line, VECTOR(0, 0, 0));
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), "exact-beam"), &params};
    body->material = (carom_pick){carom_catalogue_find(carom_materials(), "linear"), &soft};
    carom_multisymplectic_params method = {.contact_integrator = 1};
    bench_simulate_by(&b, "multisymplectic", &method, 0.2, 1e-4);
    carom_ledger_row first = bench_ledger(&b);
    double energy = 0;
    int64_t most = 0;
    while (!carom_sim_done(b.sim)) {
        assert_ok(carom_sim_step(b.sim, error));
        carom_ledger_row row = bench_ledger(&b);
        energy = fmax(energy, fabs(row.residual));
        assert_true(row.penetration < 1e-12);
        most = row.contacts > most ? row.contacts : most;
    }
    assert_int_equal(most, 11);
    // fell 0.1 in sqrt(0.02) = 0.1414, then rises again at sqrt(2)
    assert_near(carom_state_pair(carom_sim_state(b.sim), 0).first_contact, sqrt(0.02), 1e-4);
    assert_near(bench_ledger(&b).momentum[2], 1.25 * (sqrt(2) - 10 * (0.2 - sqrt(0.02))), 1e-3);
    assert_true(energy < 1e-6 * first.kinetic + 1e-6);
    bench_end(&b);
}

// Torsion of a free beam: standing wave of the first mode. In a chain of lumped inertias by leapfrog its frequency obeys
// sin(w h/2) = (c h/ds) sin(k ds/2) with c = sqrt(G/rho), k = pi/L; it tends to c k.
static void torsion_wave(void **state) {
    (void)state;
    const double pi = 3.14159265358979323846, c = sqrt(1e3 / 2.7 / 1e3), wave = pi / 0.5, size = 1e-4;
    carom_exact_beam_params params = square(0.05, CAROM_NATURAL_MESH);
    bench b;
    bench_start(&b);
    b.def.contact.enabled = false;
    carom_curve_params curve = {.length = 0.5, .elements = 20};
    add_beam(&b, &curve, &params, &soft);
    for (int k = 0; k <= 20; k++)
        b.meshes[0].spins[k][2] = size * cos(wave * 0.025 * k);
    carom_multisymplectic_params method = {.contact_integrator = 1};
    double h = 5e-3;
    bench_simulate_by(&b, "multisymplectic", &method, 5, h);
    double w = 2 / h * asin(c * h / 0.025 * sin(0.5 * wave * 0.025));
    assert_near(w, c * wave, 2e-3 * c * wave);
    while (!carom_sim_done(b.sim)) {
        assert_ok(carom_sim_step(b.sim, error));
        const carom_state *now = carom_sim_state(b.sim);
        for (int k = 0; k <= 20; k++)
            assert_near(now->spin[k][2], size * cos(wave * 0.025 * k) * cos(w * now->time), 1e-7 * size);
    }
    bench_end(&b);
}

// The lowest bending frequency of a free beam, from the stiffness of the whole beam by differences: eigenvalues of M^-1/2 K
// M^-1/2 in one plane, by Jacobi rotations.
static double bending_frequency(int elements) {
    enum { MOST = 2 * 41 };
    static double K[MOST][MOST];
    carom_exact_beam_params params = square(0.05, CAROM_NATURAL_MESH);
    bench b;
    bench_start(&b);
    b.def.contact.enabled = false;
    carom_curve_params curve = {.length = 0.5, .elements = elements};
    add_beam(&b, &curve, &params, &soft);
    bench_build(&b);
    const carom_model *model = b.model;
    const carom_block *block = &model->blocks[0];
    int n = 2 * (elements + 1);
    double h = 1e-6;
    memset(K, 0, sizeof K);

    // turning about the first axis and moving along the second
    for (int j = 0; j < n; j++)
        for (int side = -1; side <= 1; side += 2) {
            double x[41][3], R[41][3][3], wrench[80][6], twist[6] = {0};
            memcpy(x, model->X, (size_t)model->node_count * sizeof *x);
            memcpy(R, model->R, (size_t)model->node_count * sizeof *R);
            twist[j % 2 ? 4 : 0] = side * h;
            carom_pose_move(model->X[j / 2], (const double(*)[3])model->R[j / 2], &twist[0], &twist[3], x[j / 2], R[j / 2]);
            block->element->framed->wrench(block, 0, elements, (const double(*)[3])x, (const double(*)[3][3])R, wrench);
            for (int i = 0; i < 2 * elements; i++)
                for (int d = 0; d < 2; d++)
                    K[2 * block->nodes[i] + d][j] -= side * wrench[i][d ? 4 : 0] / (2 * h);
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double mi = i % 2 ? model->mass[i / 2] : model->inertia[i / 2][0];
            double mj = j % 2 ? model->mass[j / 2] : model->inertia[j / 2][0];
            K[i][j] /= sqrt(mi * mj);
        }
    bench_end(&b);
    for (int sweep = 0; sweep < 30; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) {
                double angle = 0.5 * atan2(2 * K[p][q], K[q][q] - K[p][p]), c = cos(angle), s = sin(angle);
                for (int k = 0; k < n; k++) {
                    double a = K[k][p], e = K[k][q];
                    K[k][p] = c * a - s * e, K[k][q] = s * a + c * e;
                }
                for (int k = 0; k < n; k++) {
                    double a = K[p][k], e = K[q][k];
                    K[p][k] = c * a - s * e, K[q][k] = s * a + c * e;
                }
            }
    // two rigid motions have none
    double least = HUGE_VAL;
    for (int i = 0; i < n; i++)
        if (K[i][i] > 1e-3)
            least = fmin(least, K[i][i]);
    return sqrt(least);
}

// Timoshenko's beam with shear factor 1 has 1.24999 rad/s; the mesh approaches it from below with the square of its size.
static void bending_modes(void **state) {
    (void)state;
    double w10 = bending_frequency(10), w20 = bending_frequency(20), w40 = bending_frequency(40);
    assert_near(w10, 1.2199, 1e-4);
    assert_near(w40, 1.2481, 1e-4);
    assert_near((1.24999 - w20) / (1.24999 - w40), 4, 0.1);
}

// A beam thrown with a large spin tumbles through many turns: momenta are exact, and a finer mesh goes the same way.
static void tumbling(void **state) {
    (void)state;
    double tip[3][3];
    for (int r = 0; r < 3; r++) {
        bench b;
        bench_start(&b);
        b.def.contact.enabled = false;
        carom_exact_beam_params params = square(0.1, CAROM_NATURAL_MESH);
        static const carom_elastic_params rubber = {.young = 1e6, .poisson = 0.4, .density = 1e3};
        int n = 8 << r;
        carom_curve_params curve = {.length = 2, .elements = n};
        add_beam(&b, &curve, &params, &rubber);
        memcpy(b.bodies[0].velocity, VECTOR(1, 0, 2), sizeof b.bodies[0].velocity);
        memcpy(b.bodies[0].spin, VECTOR(6, 0.5, 1), sizeof b.bodies[0].spin);
        carom_multisymplectic_params method = {.contact_integrator = 1};
        // about ten turns; the coarse mesh tells the step
        bench_simulate_by(&b, "multisymplectic", &method, 10, 1e-4);
        carom_ledger_row first = bench_ledger(&b);
        while (!carom_sim_done(b.sim)) {
            for (int s = 0; s < 100; s++)
                assert_ok(carom_sim_step(b.sim, error));
            carom_ledger_row row = bench_ledger(&b);
            for (int i = 0; i < 3; i++) {
                assert_near(row.momentum[i], first.momentum[i], 1e-11 * carom_norm(first.momentum));
                assert_near(row.angular_momentum[i], first.angular_momentum[i], 1e-11 * carom_norm(first.angular_momentum));
            }
            assert_true(fabs(row.residual) < 1e-4 * first.total);
            if (fabs(row.time - 1) < 1e-9)
                memcpy(tip[r], carom_sim_state(b.sim)->x[n], sizeof tip[r]);
        }
        bench_end(&b);
    }
    // after one turn
    double coarse[3], fine[3];
    carom_difference(tip[1], tip[0], coarse);
    carom_difference(tip[2], tip[1], fine);
    assert_true(carom_norm(fine) < 0.4 * carom_norm(coarse) && carom_norm(fine) < 0.02);
}

// A stiff beam hung from a hinge is a pendulum; clamped, it stands. What the hinge gives is booked.
static void held(void **state) {
    (void)state;
    const double pi = 3.14159265358979323846;
    for (int clamped = 0; clamped < 2; clamped++) {
        bench b;
        bench_start(&b);
        b.def.contact.enabled = false;
        b.def.gravity[2] = -10;
        carom_exact_beam_params params = square(0.1, CAROM_NATURAL_MESH);
        static const carom_elastic_params stiff = {.young = 1e9, .poisson = 0.3, .density = 1e3};
        // hangs down, tilted a little
        double tilt = 0.01;
        carom_curve_params curve = {.start = {1, 2, 3}, .turn = {pi - tilt, 0, 0}, .length = 1, .elements = 8};
        add_beam(&b, &curve, &params, &stiff);
        carom_restraint_def hold = {.where = {.body = "body0", .set = "start", .node = CAROM_AUTO},
                                    .clamped = clamped,
                                    .direction_count = 3,
                                    .direction = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
        b.def.restraint_count = 1;
        b.def.restraints = &hold;
        bench_build(&b);
        // about the hinge, with the masses as they are lumped
        double inertia = 0, moment = 0, mass = 0;
        for (int k = 0; k <= 8; k++) {
            double s = k / 8.0;
            inertia += b.model->mass[k] * s * s + b.model->inertia[k][0];
            moment += b.model->mass[k] * s;
            mass += b.model->mass[k];
        }
        double w = sqrt(10 * moment / inertia);
        carom_multisymplectic_params method = {.contact_integrator = 1};
        bench_simulate_by(&b, "multisymplectic", &method, 2 * pi / w, 2e-5);
        bench_run(&b);
        const carom_state *now = carom_sim_state(b.sim);
        assert_near(now->x[0][0], 1, 0);
        assert_near(now->x[0][1], 2, 0);
        assert_near(now->x[0][2], 3, 0);
        double turn[3][3], angle;
        carom_mat3_multiply_transposed((const double(*)[3])b.model->R[0], (const double(*)[3])now->R[0], turn);
        angle = fabs(turn[2][1]);
        if (clamped)
            assert_near(angle, 0, 0);
        else
            // back where it started after one period
            assert_true(angle < 1e-2 * tilt && fabs(now->x[8][1] - b.model->X[8][1]) < 1e-2 * tilt);
        carom_ledger_row row = bench_ledger(&b);
        for (int i = 0; i < 3; i++) {
            // rounding of the sums: 1e-12 of all that came from outside
            double outside = 10 * mass * now->time;
            assert_near(row.momentum[i], carom_accounts_value(&now->books.booked).impulse[i], 1e-12 * outside);
            assert_near(row.angular_momentum[i], carom_accounts_value(&now->books.booked).angular_impulse[i],
                        1e-12 * outside * carom_norm(now->x[0]));
        }
        assert_true(fabs(row.residual) < 1e-5 * 10 * mass * 0.5 * tilt * tilt + 1e-8);
        bench_end(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_flight), cmocka_unit_test(fast_impact),  cmocka_unit_test(second_order),
        cmocka_unit_test(flat_fall),   cmocka_unit_test(torsion_wave), cmocka_unit_test(bending_modes),
        cmocka_unit_test(tumbling),    cmocka_unit_test(held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
