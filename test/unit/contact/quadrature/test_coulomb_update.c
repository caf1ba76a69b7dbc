// SPDX-License-Identifier: MIT
// Tests src/contact/quadrature/coulomb_update.c.
// Impulses of Coulomb's velocity update, in isolation and in the integrator `energy-momentum`: normal energies are restored,
// friction obeys Coulomb's law.
#include "contact/quadrature/coulomb_update.h"

#include "../../../support.h"
#include "math/vec3.h"
#include "model/model.h"
#include "sim/sim.h"

typedef const double (*const_vectors)[3];

static carom_energy_momentum_params defaults(void) {
    carom_energy_momentum_params p;
    const carom_kind *kind = carom_catalogue_find(carom_integrators(), "energy-momentum");
    carom_param_defaults(kind->params, kind->param_count, &p);
    return p;
}

// A mass that hits a plane leaves with its normal speed v_n; its tangential speed is less by 2 mu v_n, or 0, for any step.
static void point_masses(void **state) {
    (void)state;
    uint64_t seed = 19;
    int stopped = 0;
    for (int trial = 0; trial < 200; trial++) {
        double fall = random_real(&seed, 0.1, 3), slide = random_real(&seed, 0, 3), angle = random_real(&seed, 0, 6);
        double mass = exp(random_real(&seed, -2, 2)), friction = trial ? random_real(&seed, 0, 1) : 0.2;
        double height = fall * random_real(&seed, 0.1, 0.2);
        double left = fmax(slide - 2 * friction * fall, 0);
        stopped += left == 0;
        // the smallest steps for a few trials only
        for (int i = 0; i < (trial < 10 || long_form() ? 3 : 2); i++) {
            carom_plane_def floor = {.name = "floor", .normal = {0, 0, 1}};
            carom_energy_momentum_params p = defaults();
            bench b;
            bench_start(&b);
            b.def.contact.friction = friction;
            b.def.contact.restitution = 1;
            b.def.contact.planes = &floor;
            b.def.contact.plane_count = 1;
            bench_add_point(&b, VECTOR(0, 0, height), mass, VECTOR(slide * cos(angle), slide * sin(angle), -fall));
            bench_simulate_by(&b, "energy-momentum", &p, 0.3, 0.1 * pow(0.1, i));
            bench_run(&b);
            const double *v = carom_sim_state(b.sim)->v[0];
            assert_near(v[2], fall, 1e-10);
            assert_near(v[0], left * cos(angle), 1e-10);
            assert_near(v[1], left * sin(angle), 1e-10);
            assert_near(bench_ledger(&b).friction, 0.5 * mass * (slide * slide - left * left), 1e-10 * (1 + mass));
            bench_end(&b);
        }
    }
    assert_true(stopped > 50 && stopped < 150);
}

// Points that share nodes: normal energies are restored, tangential work is friction, impulses are in the cone, and at its
// limit only at points that slip at the end.
static void coupled_points(void **state) {
    (void)state;
    enum { POINTS = 12, ALL = 12 };
    const double h = 0.3;
    uint64_t seed = 7;
    int slipping = 0, sticking = 0;
    for (int trial = 0; trial < 100; trial++) {
        double mass[ALL], v[ALL][3], push[POINTS][4][3], drag[POINTS][4][3], sum = 0, before = 0, after = 0, left;
        int node[POINTS][4];
        carom_update_point points[POINTS];
        carom_update_slip slips[POINTS];
        for (int k = 0; k < ALL; k++) {
            mass[k] = exp(random_real(&seed, -1, 1));
            for (int i = 0; i < 3; i++)
                v[k][i] = random_real(&seed, -1, 1);
            before += 0.5 * mass[k] * carom_dot(v[k], v[k]);
        }
        for (int l = 0; l < POINTS; l++) {
            double up[3] = {random_real(&seed, -0.2, 0.2), random_real(&seed, -0.2, 0.2), 1}, share = random_real(&seed, 0, 1);
            double along[3] = {cos(l), sin(l), 0}, cone = random_real(&seed, 0, 1) < 0.5 ? 1 : 2;
            // perpendicular to the push
            carom_add_scaled(-carom_dot(along, up) / carom_dot(up, up), up, along);
            int a = l % 5, c = 6 + l * 2 % 5;
            const int nodes[4] = {a, a + 1, c, c + 1};
            const double weight[4] = {share, 1 - share, -0.5, -0.5};
            for (int k = 0; k < 4; k++) {
                node[l][k] = nodes[k];
                for (int i = 0; i < 3; i++) {
                    push[l][k][i] = weight[k] * up[i];
                    drag[l][k][i] = 0.4 / cone * weight[k] * along[i];
                }
            }
            points[l] = (carom_update_point){
                .count = 4, .node = node[l], .force = (const_vectors)push[l], .energy = -exp(random_real(&seed, -8, 0))};
            slips[l] = (carom_update_slip){.force = (const_vectors)drag[l], .cone = cone};
            sum -= points[l].energy;
        }
        carom_mobility mobility = {mass, NULL};
        assert_ok(carom_coulomb_update(points, slips, POINTS, mobility, (const_vectors)v, ALL, h, &left, error));
        assert_near(left, 0, 1e-12 * sum);
        for (int l = 0; l < POINTS; l++) {
            sum -= slips[l].work;
            assert_true(points[l].factor > 0 && slips[l].work >= 0);
            for (int k = 0; k < 4; k++) {
                carom_add_scaled(points[l].factor / mass[node[l][k]], push[l][k], v[node[l][k]]);
                carom_add_scaled(-slips[l].factor / mass[node[l][k]], drag[l][k], v[node[l][k]]);
            }
        }
        for (int k = 0; k < ALL; k++)
            after += 0.5 * mass[k] * carom_dot(v[k], v[k]);
        assert_near(after - before, sum, 1e-11 * (fabs(sum) + before));
        for (int l = 0; l < POINTS; l++) {
            double rate = 0, total = h + slips[l].factor, most = slips[l].cone * (h + points[l].factor);
            for (int k = 0; k < 4; k++)
                rate += carom_dot(drag[l][k], v[node[l][k]]);
            // a point at which friction would drive the slip has no tangential impulse
            if (slips[l].factor == 0)
                continue;
            assert_true(fabs(total) <= most * (1 + 1e-9));
            bool slides = fabs(rate) > 1e-7;
            if (slides)
                assert_near(total, rate > 0 ? most : -most, 1e-7 * most);
            slipping += slides;
            sticking += !slides;
        }
    }
    assert_true(slipping > 100 && sticking > 100);
}

// A block that falls on a plate, in a frame of reference of the velocity `frame`: the plate is driven, the block slower.
static double belt(double frame, double velocity[3]) {
    static const carom_plane_element_params plane = {.thickness = 1};
    carom_restraint_def driven = {.where = {.body = "body1", .node = CAROM_AUTO},
                                  .direction_count = 2,
                                  .direction = {{1, 0, 0}, {0, 1, 0}},
                                  .velocity = {-frame, 0, 0}};
    bench b;
    bench_start(&b);
    b.def.contact.friction = 0.3;
    b.def.contact.restitution = 1;
    carom_rectangle_params block = {.from = {0, 0.02, 0}, .to = {1, 1.02, 0}, .columns = 2, .rows = 2};
    carom_rectangle_params plate = {.from = {-2, -0.5, 0}, .to = {4, 0, 0}, .columns = 6, .rows = 1};
    const void *params[2] = {&block, &plate};
    for (int i = 0; i < 2; i++) {
        carom_body_def *body = bench_add(&b, "rectangle", params[i], i ? VECTOR(-frame, 0, 0) : VECTOR(0.8 - frame, -1, 0));
        b.materials[i] = (carom_elastic_params){1000, 0.3, 1};
        body->element = (carom_pick){carom_catalogue_find(carom_elements(), "quad4"), &plane};
        body->material = (carom_pick){carom_catalogue_find(carom_materials(), "neo-hookean"), &b.materials[i]};
    }
    b.def.restraints = &driven;
    b.def.restraint_count = 1;
    carom_energy_momentum_params p = defaults();
    bench_simulate_by(&b, "energy-momentum", &p, 0.2, 0.01);
    bench_run(&b);
    carom_ledger_row row = bench_ledger(&b);
    assert_near(row.residual, 0, 1e-11);
    assert_near(row.projection, 0, 1e-11);
    assert_true(carom_state_contact_events(carom_sim_state(b.sim)) > 2);
    memset(velocity, 0, 3 * sizeof *velocity);
    for (int k = 0; k < 9; k++)
        carom_add_scaled(b.model->mass[k], carom_sim_state(b.sim)->v[k], velocity);
    velocity[0] += frame;
    bench_end(&b);
    return row.friction;
}

// Friction does not depend on the frame: the slip on a driven side is relative to its motion.
static void frames(void **state) {
    (void)state;
    double at_rest[3], moving[3], friction = belt(0, at_rest);
    assert_true(friction > 0.05);
    assert_near(belt(2, moving), friction, 1e-8);
    for (int i = 0; i < 2; i++)
        assert_near(moving[i], at_rest[i], 1e-8);
}

// A tilted block falls obliquely on another one: the loss by friction with a given step.
static double blocks(int update, double step) {
    static const carom_plane_element_params plane = {.thickness = 1};
    bench b;
    bench_start(&b);
    b.def.contact.friction = 0.3;
    b.def.contact.restitution = 1;
    carom_rectangle_params square = {.from = {-0.5, -0.5, 0}, .to = {0.5, 0.5, 0}, .columns = 8, .rows = 8};
    double tilt = 5 * acos(-1) / 180;
    for (int i = 0; i < 2; i++) {
        carom_body_def *body = bench_add(&b, "rectangle", &square, i ? VECTOR(0, 0, 0) : VECTOR(0.5, -1, 0));
        b.materials[i] = (carom_elastic_params){1000, 0.3, 1};
        body->element = (carom_pick){carom_catalogue_find(carom_elements(), "quad4"), &plane};
        body->material = (carom_pick){carom_catalogue_find(carom_materials(), "st-venant-kirchhoff"), &b.materials[i]};
    }
    for (int k = 0; k < b.meshes[0].node_count; k++) {
        double *x = b.meshes[0].nodes[k], along = x[0], up = x[1];
        x[0] = 0.1 + cos(tilt) * along - sin(tilt) * up;
        x[1] = 1.15 + sin(tilt) * along + cos(tilt) * up;
    }
    carom_energy_momentum_params p = defaults();
    p.update = update;
    bench_simulate_by(&b, "energy-momentum", &p, 0.4, step);
    carom_ledger_row start = bench_ledger(&b);
    bench_run(&b);
    carom_ledger_row end = bench_ledger(&b);
    assert_near(end.residual, 0, 1e-10 * start.total);
    assert_near(end.projection, 0, 1e-10 * start.total);
    for (int i = 0; i < 3; i++) {
        assert_near(end.momentum[i], start.momentum[i], 1e-10);
        assert_near(end.angular_momentum[i], start.angular_momentum[i], 1e-9);
    }
    bench_end(&b);
    return end.friction / start.total;
}

// The loss converges with the step, to that of other methods (0.033 and 0.037); with the update of the paper it does not.
static void convergence(void **state) {
    (void)state;
    double coarse = blocks(CAROM_EM_FRICTION_COULOMB, 2e-3), fine = blocks(CAROM_EM_FRICTION_COULOMB, 5e-4);
    assert_near(fine, coarse, 0.05 * coarse);
    assert_near(fine, 0.032, 0.15 * 0.032);
    assert_true(blocks(CAROM_EM_FRICTION_PAPER, 5e-4) < 0.4 * blocks(CAROM_EM_FRICTION_PAPER, 2e-3));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(point_masses),
        cmocka_unit_test(coupled_points),
        cmocka_unit_test(frames),
        cmocka_unit_test(convergence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
