// SPDX-License-Identifier: MIT
// Tests src/element/line/exact_beam.c.
// The geometrically exact beam: wrench and energy, rigid motions, closed forms of bending, stable step, sections, frames,
// curves.
#include "../../../support.h"
#include "math/se3.h"
#include "model/model.h"

#define MATRIX(A) ((const double(*)[3])(A))

static carom_exact_beam_params beam_params(int section) {
    carom_exact_beam_params p = {0};
    const carom_kind *kind = carom_catalogue_find(carom_elements(), "exact-beam");
    carom_param_defaults(kind->params, kind->param_count, &p);
    p.section = section;
    return p;
}

static const carom_exact_beam_params direct = {.section = CAROM_SECTION_DIRECT,
                                               .shear_factor = 1,
                                               .torsion_factor = 1,
                                               .stretch_stiffness = {1.1, 1.3, 1.7},
                                               .bend_stiffness = {0.4, 0.6, 0.5},
                                               .line_mass = 0.9,
                                               .line_inertia = {0.2, 0.3, 0.45},
                                               .natural = CAROM_NATURAL_MESH};

// A model of one beam.
static void build(bench *b, const carom_exact_beam_params *p, const carom_elastic_params *material,
                  const carom_curve_params *curve) {
    bench_start(b);
    b->def.contact.enabled = false;
    carom_body_def *body = bench_add(b, "curve", curve, VECTOR(0, 0, 0));
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), "exact-beam"), p};
    if (material)
        body->material = (carom_pick){carom_catalogue_find(carom_materials(), "linear"), material};
    bench_build(b);
}

static double energy(const carom_block *block, const double (*x)[3], const double (*R)[3][3]) {
    double e;
    block->element->framed->energy(block, 0, 1, x, R, &e);
    return e;
}

// The wrench is minus the derivative of the energy along g tau(e d), node by node.
static void wrench_is_minus_gradient(void **state) {
    (void)state;
    uint64_t seed = 1;
    bench b;
    carom_curve_params curve = {.length = 0.8, .elements = 1};
    build(&b, &direct, NULL, &curve);
    const carom_block *block = &b.model->blocks[0];
    for (int trial = 0; trial < 30; trial++) {
        double x[2][3], R[2][3][3], wrench[2][6], h = 1e-4;
        for (int k = 0; k < 2; k++) {
            double turn[3];
            for (int i = 0; i < 3; i++) {
                turn[i] = random_real(&seed, -0.8, 0.8);
                x[k][i] = b.model->X[k][i] + random_real(&seed, -0.3, 0.3);
            }
            carom_mat3_rotation(turn, R[k]);
        }
        block->element->framed->wrench(block, 0, 1, MATRIX(x), (const double(*)[3][3])R, wrench);
        for (int k = 0; k < 2; k++)
            for (int d = 0; d < 6; d++) {
                const double at[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
                double slope = 0;
                for (int j = 0; j < 4; j++) {
                    double twist[6] = {0}, xs[2][3], Rs[2][3][3];
                    memcpy(xs, x, sizeof xs);
                    memcpy(Rs, R, sizeof Rs);
                    twist[d] = at[j] * h;
                    carom_pose_move(x[k], MATRIX(R[k]), &twist[0], &twist[3], xs[k], Rs[k]);
                    slope += weight[j] * energy(block, MATRIX(xs), (const double(*)[3][3])Rs) / (12 * h);
                }
                assert_near(wrench[k][d], -slope, 1e-10);
            }
    }
    bench_end(&b);
}

// Energy and wrench are invariant under rigid motions of any size; forces and moments balance.
static void rigid_motion(void **state) {
    (void)state;
    bench b;
    carom_curve_params curve = {
        .start = {1, 2, 3}, .turn = {0.3, -0.2, 0.5}, .length = 2, .elements = 4, .curvature = {0.4, 0.2, -0.6}};
    build(&b, &direct, NULL, &curve);
    const carom_block *block = &b.model->blocks[0];
    double x[5][3], R[5][3][3], Q[3][3], wrench[8][6], energies[4];
    carom_mat3_rotation(VECTOR(1.2, -0.7, 1.9), Q);
    for (int k = 0; k < 5; k++) {
        carom_mat3_apply(MATRIX(Q), b.model->X[k], x[k]);
        carom_add_scaled(1, VECTOR(-4, 1, 2), x[k]);
        carom_mat3_multiply(MATRIX(Q), MATRIX(b.model->R[k]), R[k]);
    }
    block->element->framed->wrench(block, 0, 4, MATRIX(x), (const double(*)[3][3])R, wrench);
    block->element->framed->energy(block, 0, 4, MATRIX(x), (const double(*)[3][3])R, energies);
    for (int e = 0; e < 4; e++) {
        assert_near(energies[e], 0, 1e-28);
        for (int i = 0; i < 12; i++)
            assert_near(wrench[2 * e + i / 6][i % 6], 0, 1e-14);
    }
    // for a bent and stretched beam the moments about the origin sum to zero
    for (int k = 0; k < 5; k++)
        carom_add_scaled(0.2, VECTOR(sin(k), cos(2 * k), sin(3 * k)), x[k]);
    block->element->framed->wrench(block, 0, 4, MATRIX(x), (const double(*)[3][3])R, wrench);
    double force[3] = {0}, moment[3] = {0}, size = 0;
    for (int i = 0; i < 8; i++) {
        int k = block->nodes[i];
        double f[3], m[3], arm[3];
        carom_mat3_apply(MATRIX(R[k]), &wrench[i][3], f);
        carom_mat3_apply(MATRIX(R[k]), &wrench[i][0], m);
        carom_cross(x[k], f, arm);
        carom_add_scaled(1, f, force);
        carom_add_scaled(1, m, moment);
        carom_add_scaled(1, arm, moment);
        size = fmax(size, carom_norm(f));
    }
    assert_true(size > 0.1);
    assert_near(carom_norm(force), 0, 1e-15);
    assert_near(carom_norm(moment), 0, 1e-14);
    bench_end(&b);
}

// A beam that is straight without stress, bent to the curvature k: its energy is E I k^2 L/2, its moment E I k everywhere.
static void pure_bending(void **state) {
    (void)state;
    bench b;
    carom_exact_beam_params p = beam_params(CAROM_SECTION_RECTANGLE);
    p.width = 0.3, p.height = 0.2, p.natural = CAROM_NATURAL_STRAIGHT;
    carom_elastic_params material = {.young = 7, .poisson = 0.4, .density = 2};
    carom_curve_params curve = {.length = 2, .elements = 5, .curvature = {0.5, 0.25, 0.3}, .strain = {0, 0, 0}};
    build(&b, &p, &material, &curve);
    const carom_block *block = &b.model->blocks[0];
    double energies[5], moments[15], I1 = 0.3 * 0.008 / 12, I2 = 0.2 * 0.027 / 12, G = 7 / 2.8, sum = 0;
    const double(*X)[3] = MATRIX(b.model->X), (*R)[3][3] = (const double(*)[3][3])b.model->R;
    block->element->framed->energy(block, 0, 5, X, R, energies);
    block->element->framed->field(block, 0, 5, X, R, 2, moments);
    for (int e = 0; e < 5; e++) {
        sum += energies[e];
        assert_near(moments[3 * e], 7 * I1 * 0.5, 1e-16);
        assert_near(moments[3 * e + 1], 7 * I2 * 0.25, 1e-16);
        assert_near(moments[3 * e + 2], G * (I1 + I2) * 0.3, 1e-16);
    }
    assert_near(sum, 7 * I1 * 0.25 + 7 * I2 * 0.0625 + G * (I1 + I2) * 0.09, 1e-15);
    // mass and inertia of the sections
    double mass = 0, inertia[3] = {0};
    for (int k = 0; k < 6; k++) {
        mass += b.model->mass[k];
        carom_add_scaled(1, b.model->inertia[k], inertia);
    }
    assert_near(mass, 2 * 0.06 * 2, 1e-15);
    assert_near(inertia[0], 2 * I1 * 2, 1e-16);
    assert_near(inertia[1], 2 * I2 * 2, 1e-16);
    assert_near(inertia[2], 2 * (I1 + I2) * 2, 1e-16);
    bench_end(&b);
}

// The stable step is 2/omega of the element alone, by power iteration on the stiffness, which is a difference quotient of
// wrenches about the straight state.
static void stable_step_is_sharp(void **state) {
    (void)state;
    const double lengths[3] = {0.2, 1, 5};
    for (int l = 0; l < 3; l++) {
        bench b;
        carom_curve_params curve = {.length = lengths[l], .elements = 1};
        build(&b, &direct, NULL, &curve);
        const carom_block *block = &b.model->blocks[0];
        double K[12][12], h = 1e-5, v[12], w[12], step, square = 0;
        for (int j = 0; j < 12; j++) {
            double side[2][2][6];
            for (int s = 0; s < 2; s++) {
                double twist[6] = {0}, x[2][3], R[2][3][3];
                memcpy(x, b.model->X, sizeof x);
                memcpy(R, b.model->R, sizeof R);
                twist[j % 6] = s ? h : -h;
                carom_pose_move(b.model->X[j / 6], MATRIX(b.model->R[j / 6]), &twist[0], &twist[3], x[j / 6], R[j / 6]);
                block->element->framed->wrench(block, 0, 1, MATRIX(x), (const double(*)[3][3])R, side[s]);
            }
            for (int i = 0; i < 12; i++)
                K[i][j] = -(side[1][i / 6][i % 6] - side[0][i / 6][i % 6]) / (2 * h);
        }
        uint64_t seed = 7;
        for (int i = 0; i < 12; i++)
            v[i] = random_real(&seed, -1, 1);
        for (int iteration = 0; iteration < 4000; iteration++) {
            square = 0;
            for (int i = 0; i < 12; i++) {
                double m = i % 6 < 3 ? b.model->inertia[i / 6][i % 6] : b.model->mass[i / 6];
                w[i] = 0;
                for (int j = 0; j < 12; j++)
                    w[i] += K[i][j] * v[j] / m;
                square = fmax(square, fabs(w[i]));
            }
            for (int i = 0; i < 12; i++)
                v[i] = w[i] / square;
        }
        block->element->framed->stable_step(block, 0, 1, &step);
        assert_near(step, 2 / sqrt(square), 1e-6 * step);
        bench_end(&b);
    }
}

// Frames of a straight line have the line as their third axis and a first axis in the direction given.
static void frames_of_a_line(void **state) {
    (void)state;
    bench b;
    bench_start(&b);
    carom_exact_beam_params p = direct;
    memcpy(p.axis, VECTOR(0, 0, 2), sizeof p.axis);
    carom_line_params line = {.from = {0, 0, 0}, .to = {3, 4, 0}, .elements = 2};
    carom_body_def *body = bench_add(&b, "line", &line, VECTOR(0, 0, 0));
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), "exact-beam"), &p};
    memcpy(body->spin, VECTOR(0, 0, 2), sizeof body->spin);
    bench_build(&b);
    for (int k = 0; k < 3; k++) {
        const double(*R)[3] = MATRIX(b.model->R[k]);
        assert_near(R[2][0], 1, 1e-15);
        assert_near(R[0][2], 0.6, 1e-15);
        assert_near(R[1][2], 0.8, 1e-15);
        assert_near(b.model->spin0[k][0], 2, 1e-15);
    }
    // the spin is about the centre of mass
    assert_near(b.model->v0[1][0], 0, 1e-15);
    assert_near(b.model->v0[2][0], -2 * 2, 1e-14);
    assert_near(b.model->v0[2][1], 2 * 1.5, 1e-14);
    bench_end(&b);
}

// The velocities of a moving curve lead to its second shape.
static void moving_curve(void **state) {
    (void)state;
    carom_curve_params from = {.length = 0.5, .elements = 4, .turn = {0.5, 0, 0}, .curvature = {1, 4.5, 1}, .over = 0.1};
    carom_curve_params to = {.length = 0.5,
                             .elements = 4,
                             .start = {0.1, 0, 0.2},
                             .turn = {0.6, 0.1, 0},
                             .curvature = {2, 4, 1.5},
                             .strain = {0.1, 0, -0.1}};
    memcpy(from.next_start, to.start, sizeof to.start);
    memcpy(from.next_turn, to.turn, sizeof to.turn);
    memcpy(from.next_curvature, to.curvature, sizeof to.curvature);
    memcpy(from.next_strain, to.strain, sizeof to.strain);
    carom_mesh a, b;
    const carom_kind *kind = carom_catalogue_find(carom_generators(), "curve");
    assert_ok(carom_mesh_generate((carom_pick){kind, &from}, &a, error));
    assert_ok(carom_mesh_generate((carom_pick){kind, &to}, &b, error));
    for (int k = 0; k < 5; k++) {
        double w[3], g[3], x[3], R[3][3];
        carom_mat3_apply_transposed(MATRIX(a.frames[k]), a.velocities[k], g);
        for (int i = 0; i < 3; i++)
            w[i] = 0.1 * a.spins[k][i], g[i] *= 0.1;
        carom_pose_move(a.nodes[k], MATRIX(a.frames[k]), w, g, x, R);
        for (int i = 0; i < 3; i++) {
            assert_near(x[i], b.nodes[k][i], 1e-15);
            for (int j = 0; j < 3; j++)
                assert_near(R[i][j], b.frames[k][i][j], 1e-15);
        }
    }
    carom_mesh_release(&a);
    carom_mesh_release(&b);
}

static void refusals(void **state) {
    (void)state;
    carom_model *model;
    bench b;
    carom_curve_params curve = {.length = 1, .elements = 1};
    const struct {
        carom_exact_beam_params params;
        const char *says;
    } cases[] = {
        {beam_params(CAROM_SECTION_RECTANGLE), "needs a material"},
        {beam_params(CAROM_SECTION_CIRCLE), "needs a material"},
        {beam_params(CAROM_SECTION_DIRECT), "line_mass and line_inertia"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bench_start(&b);
        carom_body_def *body = bench_add(&b, "curve", &curve, VECTOR(0, 0, 0));
        body->element = (carom_pick){carom_catalogue_find(carom_elements(), "exact-beam"), &cases[i].params};
        assert_refused(carom_model_create(&b.def, &model, error), CAROM_BAD_INPUT, cases[i].says);
        bench_end(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrench_is_minus_gradient),
        cmocka_unit_test(rigid_motion),
        cmocka_unit_test(pure_bending),
        cmocka_unit_test(stable_step_is_sharp),
        cmocka_unit_test(frames_of_a_line),
        cmocka_unit_test(moving_curve),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
