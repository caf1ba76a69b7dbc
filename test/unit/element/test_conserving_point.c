// SPDX-License-Identifier: MIT
// Tests src/element/conserving_point.c, src/element/average/balanced_volume.c, src/material/flow/j2_rate.c.
// Energy-conserving steps of materials with history: work, moments, tangents and history, of points and of every element that
// supports them.
#include "element/average/balanced_volume.h"
#include "element/conserving_point.h"
#include "element/element.h"
#include "element/point_law.h"
#include "element/solid/balanced.h"
#include "math/log_quotient.h"

#include "../../solids.h"
#include "material/material.h"
#include "model/forces/forces.h"
#include "model/state/history.h"

#define CONST(x) ((const double(*)[3])(x))

// Metals of every hardening, and a viscous rubber; E is 1.
enum { LINEAR, VOCE, TABLE, JOHNSON_COOK, HOT, FAST, RUBBER, LAWS };

typedef struct law {
    carom_j2_params metal;
    carom_viscoelastic_params rubber;
    carom_pick pick;
} law;

static void law_of(int kind, law *l) {
    if (kind == RUBBER) {
        l->pick = carom_pick_of(carom_materials(), "viscoelastic", &l->rubber, NULL);
        l->rubber.j2.elastic.young = 0.5;
        l->rubber.j2.elastic.poisson = 0.3;
        l->rubber.j2.elastic.density = 1;
        l->rubber.prony = (carom_pairs){.count = 2, .rows = {{0.6, 0.3}, {0.4, 0.02}}};
        l->pick.params = &l->rubber;
        return;
    }
    carom_j2_params *p = &l->metal;
    l->pick = carom_pick_of(carom_materials(), "j2", p, NULL);
    p->elastic = (carom_elastic_params){.young = 1, .poisson = 0.3, .density = 1};
    p->yield = 0.005;
    p->modulus = kind == LINEAR ? 0.02 : 0;
    if (kind == VOCE) {
        p->hardening = CAROM_HARDENING_VOCE;
        p->saturation = 0.01;
        p->decay = 20;
    } else if (kind == TABLE) {
        p->hardening = CAROM_HARDENING_TABLE;
        p->yield = NAN;
        p->curve = (carom_pairs){.count = 3, .rows = {{0, 0.005}, {0.01, 0.006}, {0.1, 0.008}}};
    } else if (kind >= JOHNSON_COOK) {
        p->hardening = CAROM_HARDENING_JOHNSON_COOK;
        p->strength = 0.01;
        p->exponent = 0.3;
        if (kind == FAST) {
            p->rate = 0.05;
            p->reference_rate = 1e-2;
        }
        if (kind >= HOT) {
            p->melting = 1000;
            p->heat_capacity = 1e-5;
        }
    }
    l->pick.params = p;
}

// A point with its history: work of the stress, stored energy, losses.
typedef struct point {
    double history[CAROM_LANES * CAROM_HISTORY_MAX], losses[CAROM_BLOCK_LOSSES];
    carom_flow flow;
    carom_block block;
    carom_balanced_source from;
} point;

static void point_start(point *p, const law *l) {
    const carom_material *material = (const carom_material *)l->pick.kind;
    *p = (point){.flow = {.use = CAROM_USE_TRIAL, .before = 0.01}};
    int size = material->inelastic->size(l->pick.params, CAROM_POINT_SOLID);
    double start[CAROM_HISTORY_MAX];
    material->inelastic->start(l->pick.params, CAROM_POINT_SOLID, start);
    for (int k = 0; k < size; k++)
        p->history[carom_lane(0, k, size)] = start[k];
    p->block = (carom_block){.element = &carom_element_tet4.element,
                             .material = material,
                             .material_params = l->pick.params,
                             .count = 1,
                             .point_count = 1,
                             .form = CAROM_POINT_SOLID,
                             .history_size = size,
                             .history = p->history,
                             .losses = p->losses,
                             .flow = &p->flow};
    p->from = (carom_balanced_source){&carom_shape_tet4, &p->block, {0, 0, 1}, false};
}

static double lost(const point *p) {
    return p->losses[CAROM_BLOCK_PLASTICITY] + p->losses[CAROM_BLOCK_PLASTICITY_REST] + p->losses[CAROM_BLOCK_VISCOSITY] +
           p->losses[CAROM_BLOCK_VISCOSITY_REST];
}

static double stored(const point *p, const double F[9]) {
    carom_block read = p->block;
    read.flow = NULL;
    return carom_point_solid(&read, 0, 0, 1, F, NULL, NULL);
}

// In 30 random steps of 1 % the work equals the energy stored and lost, up to rounding; losses never decrease.
static void the_work_of_a_point_is_explained(void **state) {
    (void)state;
    for (int kind = 0; kind < LAWS; kind++) {
        law l;
        point p;
        law_of(kind, &l);
        point_start(&p, &l);
        uint64_t seed = 7;
        double F0[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, F1[9], S[9], all = 0;
        for (int n = 0; n < 30; n++) {
            double C0[9], C1[9], before = lost(&p), psi = stored(&p, F0), step = 0;
            for (int a = 0; a < 9; a++)
                F1[a] = F0[a] + random_real(&seed, -0.01, 0.01);
            p.flow.use = CAROM_USE_COMMIT;
            assert_true(carom_balanced_point_stress(&p.from, F0, F1, S, NULL));
            carom_balanced_square(F0, C0);
            carom_balanced_square(F1, C1);
            for (int a = 0; a < 9; a++)
                step += 0.5 * S[a] * (C1[a] - C0[a]);
            double gone = lost(&p) - before, change = stored(&p, F1) - psi;
            assert_true(gone >= 0);
            all += fabs(change) + gone;
            assert_near((step - change - gone) / (fabs(change) + gone), 0, 5e-12);
            memcpy(F0, F1, sizeof F0);
        }
        assert_true(lost(&p) > 0.05 * all);
    }
}

// M is the derivative of S, in elastic and plastic steps; a trial does not change the history.
static void the_tangent_of_a_point_is_exact(void **state) {
    (void)state;
    for (int kind = 0; kind < LAWS; kind++) {
        law l;
        point p;
        law_of(kind, &l);
        point_start(&p, &l);
        uint64_t seed = 11;
        double F0[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, F1[9];
        for (int n = 0; n < 12; n++) {
            double S[9], M[81], P[9], A[81], kept[sizeof p.history / sizeof(double)], scale = 0;
            for (int a = 0; a < 9; a++)
                F1[a] = F0[a] + random_real(&seed, -0.01, 0.01);
            memcpy(kept, p.history, sizeof kept);
            p.flow.use = CAROM_USE_TRIAL;
            assert_true(carom_balanced_point_stress(&p.from, F0, F1, S, M));
            carom_balanced_push(F0, F1, S, M, P, A);
            for (int a = 0; a < 81; a++)
                scale = fmax(scale, fabs(A[a]));
            for (int b = 0; b < 9; b++) {
                double more[9], less[9], old = F1[b], h = 1e-6;
                F1[b] = old + h;
                assert_true(carom_balanced_point_stress(&p.from, F0, F1, S, NULL));
                carom_balanced_push(F0, F1, S, NULL, more, NULL);
                F1[b] = old - h;
                assert_true(carom_balanced_point_stress(&p.from, F0, F1, S, NULL));
                carom_balanced_push(F0, F1, S, NULL, less, NULL);
                F1[b] = old;
                for (int a = 0; a < 9; a++)
                    assert_near(A[9 * a + b], (more[a] - less[a]) / (2 * h), 1e-6 * scale);
            }
            assert_memory_equal(kept, p.history, sizeof kept);
            p.flow.use = CAROM_USE_COMMIT;
            assert_true(carom_balanced_point_stress(&p.from, F0, F1, S, NULL));
            memcpy(F0, F1, sizeof F0);
        }
    }
}

// ln(s1/s0)/(s1 - s0) and its derivative, for arguments near each other and far apart.
static void the_quotient_of_logarithms(void **state) {
    (void)state;
    static const double ratios[] = {1, 1 + 1e-9, 1.01, 0.9, 1.2, 1.3, 0.5, 3};
    for (int i = 0; i < 8; i++) {
        double slope, more, less, h = 1e-5, s0 = 0.7, s1 = s0 * ratios[i], r = carom_log_quotient(s0, s1, &slope);
        if (i > 1)
            assert_near(r, log(s1 / s0) / (s1 - s0), 1e-13);
        else
            assert_near(r, 2 / (s0 + s1), 1e-13);
        double unused;
        more = carom_log_quotient(s0, s1 + h, &unused);
        less = carom_log_quotient(s0, s1 - h, &unused);
        assert_near(slope, (more - less) / (2 * h), 1e-8);
    }
}

// The elements that support history in conserving steps.
typedef struct piece {
    const char *name;
    const char *element;
    carom_hex8_params hex;
    carom_plane_element_params plane;
    carom_tet4_params tet;
    bool is_plane, tetrahedra;
    bool locks; // locks with plastic flow, so plastic materials refuse it
} piece;

static const piece pieces[] = {
    {"hex8, one point", "hex8", .hex = {.integration = CAROM_HEX8_ONE_POINT, .hourglass = 0.005}},
    {"hex8, mean dilatation", "hex8", .hex = {.integration = CAROM_HEX8_MEAN_DILATATION, .hourglass = 0.005}},
    {"tet4, volume nodal", "tet4", .tet = {.volume = CAROM_TET4_NODAL}, .tetrahedra = true},
    {"quad4, mean dilatation", "quad4",
     .plane = {.plane = CAROM_PLANE_STRAIN, .thickness = 1, .integration = CAROM_QUAD4_MEAN_DILATATION}, .is_plane = true},
    {"quad4, plane stress", "quad4", .plane = {.plane = CAROM_PLANE_STRESS, .thickness = 1}, .is_plane = true},
    {"tri3, plane stress", "tri3", .plane = {.plane = CAROM_PLANE_STRESS, .thickness = 1}, .is_plane = true,
     .tetrahedra = true},
    {"hex8, full", "hex8", .hex = {.integration = CAROM_HEX8_FULL, .hourglass = 0.1}, .locks = true},
    {"quad4, plane strain", "quad4", .plane = {.plane = CAROM_PLANE_STRAIN, .thickness = 1}, .is_plane = true, .locks = true},
};

enum { PIECES = sizeof pieces / sizeof *pieces, NODES_MAX = 64 };

static void piece_start(bench *b, const piece *p, const law *l) {
    bench_start(b);
    carom_box_params box = {.to = {1, 1, 1}, .elements = {1, 2, 1}, .cells = p->tetrahedra, .grading = {1, 1, 1}};
    carom_rectangle_params rectangle = {.to = {1, 1}, .columns = 2, .rows = 1, .cells = p->tetrahedra};
    carom_body_def *body =
        p->is_plane ? bench_add(b, "rectangle", &rectangle, VECTOR(0, 0, 0)) : bench_add(b, "box", &box, VECTOR(0, 0, 0));
    const void *params = p->is_plane ? (const void *)&p->plane : p->tet.volume ? (const void *)&p->tet : (const void *)&p->hex;
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), p->element), params};
    body->material = l->pick;
    bench_build(b);
}

// Forces of all blocks between x0 and x1, or ordinary forces at x1 if x0 is NULL; tangents or stiffness as one matrix of all
// nodes if not NULL.
static void assemble(const carom_model *model, const carom_flow *flow, const double (*x0)[3], const double (*x1)[3],
                     double (*f)[3], double *K) {
    int n = model->node_count;
    memset(f, 0, (size_t)n * sizeof *f);
    if (K)
        memset(K, 0, sizeof *K * (size_t)(9 * n * n));
    for (int s = 0; s < model->block_count; s++) {
        carom_block block = model->blocks[s];
        int m = block.node_count, dofs = 3 * m;
        double *force = solid_reserve(carom_lanes_size(block.count, dofs), sizeof *force);
        double *own = solid_reserve((int64_t)block.count * dofs * dofs, sizeof *own);
        block.flow = flow;
        if (x0)
            block.element->balanced(&block, 0, block.count, x0, x1, CONST(model->X), force, K ? own : NULL);
        else
            block.element->force(&block, 0, block.count, x1, CONST(model->X), force);
        if (K && !x0)
            block.element->stiffness(&block, 0, block.count, x1, CONST(model->X), own);
        for (int e = 0; e < block.count; e++)
            for (int i = 0; i < dofs; i++) {
                const int *nodes = &block.nodes[m * e];
                f[nodes[i / 3]][i % 3] += force[carom_lane(e, i, dofs)];
                for (int j = 0; K && j < dofs; j++)
                    K[(3 * nodes[i / 3] + i % 3) * 3 * n + 3 * nodes[j / 3] + j % 3] += own[(e * dofs + i) * dofs + j];
            }
        free(force);
        free(own);
    }
}

static void check_piece(const piece *p, int kind) {
    bench b;
    law l;
    carom_state *s;
    law_of(kind, &l);
    piece_start(&b, p, &l);
    assert_ok(carom_state_create(b.model, &s, error));
    const carom_model *model = s->model;
    int n = model->node_count;
    assert_true(n <= NODES_MAX);
    uint64_t seed = 5;
    double x0[NODES_MAX][3], x1[NODES_MAX][3], f[NODES_MAX][3], more[NODES_MAX][3], less[NODES_MAX][3], energies[64];
    double *K = solid_reserve((int64_t)9 * n * n, sizeof *K);
    memcpy(x0, model->X, (size_t)n * sizeof *x0);
    for (int step = 0; step < 10; step++) {
        for (int k = 0; k < n; k++)
            for (int i = 0; i < 3; i++)
                x1[k][i] = x0[k][i] + (p->is_plane && i == 2 ? 0 : random_real(&seed, -0.01, 0.01));
        carom_flow flow = {.use = CAROM_USE_TRIAL, .before = 0.01};
        assemble(model, &flow, CONST(x0), CONST(x1), f, K);
        double scale = 0, h = 1e-6;
        for (int i = 0; i < 9 * n * n; i++)
            scale = fmax(scale, fabs(K[i]));
        for (int j = 0; j < 3 * n && step % 3 == 2; j++) {
            if (p->is_plane && j % 3 == 2)
                continue;
            double old = x1[j / 3][j % 3];
            x1[j / 3][j % 3] = old + h;
            assemble(model, &flow, CONST(x0), CONST(x1), more, NULL);
            x1[j / 3][j % 3] = old - h;
            assemble(model, &flow, CONST(x0), CONST(x1), less, NULL);
            x1[j / 3][j % 3] = old;
            for (int i = 0; i < 3 * n; i++)
                if (!p->is_plane || i % 3 != 2)
                    assert_near(K[3 * n * i + j], (less[i / 3][i % 3] - more[i / 3][i % 3]) / (2 * h), 2e-6 * scale);
        }
        // the step is committed
        carom_material_losses before = carom_history_losses(s, -1);
        double psi = carom_model_energy(model, CONST(x0), NULL, energies), work = 0, sum[3] = {0}, moment[3] = {0}, size = 0;
        flow.use = CAROM_USE_COMMIT;
        assemble(model, &flow, CONST(x0), CONST(x1), f, NULL);
        carom_material_losses after = carom_history_losses(s, -1);
        for (int k = 0; k < n; k++) {
            double middle[3], turn[3], u[3];
            carom_difference(x1[k], x0[k], u);
            work -= carom_dot(f[k], u);
            size += carom_norm(f[k]);
            for (int i = 0; i < 3; i++) {
                middle[i] = 0.5 * (x0[k][i] + x1[k][i]);
                sum[i] += f[k][i];
            }
            carom_cross(middle, f[k], turn);
            carom_add_scaled(1, turn, moment);
        }
        double change = carom_model_energy(model, CONST(x1), NULL, energies) - psi;
        double gone = after.plasticity + after.viscosity - before.plasticity - before.viscosity;
        assert_true(after.plasticity >= before.plasticity && after.viscosity >= before.viscosity && after.pending == 0);
        assert_near((work - change - gone) / (fabs(change) + gone), 0, 1e-11);
        assert_true(carom_norm(sum) < 1e-14 * size && carom_norm(moment) < 1e-14 * size);
        memcpy(x0, x1, sizeof x0);
    }
    carom_material_losses end = carom_history_losses(s, -1);
    assert_true(end.plasticity + end.viscosity > 0);
    free(K);
    carom_state_release(s);
    bench_end(&b);
}

static void elements_explain_their_work(void **state) {
    (void)state;
    for (int p = 0; p < PIECES; p++)
        for (int kind = 0; kind < LAWS; kind++)
            // sheets have no viscous branches
            if (kind == RUBBER ? pieces[p].plane.plane != CAROM_PLANE_STRESS : !pieces[p].locks)
                check_piece(&pieces[p], kind);
}

// The stiffness of a static analysis in a plastic step is the derivative of its forces.
static void check_stiffness(bench *b, bool is_plane) {
    carom_state *s;
    assert_ok(carom_state_create(b->model, &s, error));
    const carom_model *model = s->model;
    int n = model->node_count;
    assert_true(n <= NODES_MAX && model->blocks[0].history);
    uint64_t seed = 9;
    double x[NODES_MAX][3], f[NODES_MAX][3], more[NODES_MAX][3], less[NODES_MAX][3], scale = 0, h = 1e-6;
    double *K = solid_reserve((int64_t)9 * n * n, sizeof *K);
    carom_flow flow = {.use = CAROM_USE_COMMIT};
    memcpy(x, model->X, (size_t)n * sizeof *x);
    for (int step = 0; step < 2; step++) {
        for (int k = 0; k < n; k++)
            for (int i = 0; i < (is_plane ? 2 : 3); i++)
                x[k][i] += random_real(&seed, -0.02, 0.02);
        if (step == 0)
            assemble(model, &flow, NULL, CONST(x), f, NULL);
    }
    flow.use = CAROM_USE_TRIAL;
    assemble(model, &flow, NULL, CONST(x), f, K);
    for (int i = 0; i < 9 * n * n; i++)
        scale = fmax(scale, fabs(K[i]));
    for (int j = 0; j < 3 * n; j++) {
        if (is_plane && j % 3 == 2)
            continue;
        double old = x[j / 3][j % 3];
        x[j / 3][j % 3] = old + h;
        assemble(model, &flow, NULL, CONST(x), more, NULL);
        x[j / 3][j % 3] = old - h;
        assemble(model, &flow, NULL, CONST(x), less, NULL);
        x[j / 3][j % 3] = old;
        for (int i = 0; i < 3 * n; i++)
            if (!is_plane || i % 3 != 2)
                assert_near(K[3 * n * i + j], (less[i / 3][i % 3] - more[i / 3][i % 3]) / (2 * h), 2e-6 * scale);
    }
    assert_true(carom_history_most(s, CAROM_INNER_PLASTIC_STRAIN) > 1e-3);
    free(K);
    carom_state_release(s);
}

static void the_stiffness_of_flow_is_exact(void **state) {
    (void)state;
    law l;
    law_of(VOCE, &l);
    for (int p = 0; p < PIECES + 3; p++) {
        bench b;
        if (p < PIECES && pieces[p].locks)
            continue;
        if (p < PIECES) {
            piece_start(&b, &pieces[p], &l);
        } else {
            static const carom_nodal_params nodal = {.stabilisation = 0.01};
            static carom_loop_shell_params shell;
            bench_start(&b);
            carom_box_params box = {.to = {1, 1, 1}, .elements = {1, 2, 1}, .cells = p == PIECES + 1, .grading = {1, 1, 1}};
            carom_rectangle_params rectangle = {.to = {1, 1}, .columns = 2, .rows = 2, .cells = 1};
            carom_body_def *body = p == PIECES + 2 ? bench_add(&b, "rectangle", &rectangle, VECTOR(0, 0, 0))
                                                   : bench_add(&b, "box", &box, VECTOR(0, 0, 0));
            body->element = (carom_pick){carom_catalogue_find(carom_elements(), "nodal"), &nodal};
            if (p == PIECES + 2) {
                body->element = carom_pick_of(carom_elements(), "loop-shell", &shell, NULL);
                shell.thickness = 0.1;
                body->element.params = &shell;
            }
            body->material = l.pick;
            bench_build(&b);
        }
        check_stiffness(&b, p < PIECES && pieces[p].is_plane);
        bench_end(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_quotient_of_logarithms),      cmocka_unit_test(the_work_of_a_point_is_explained),
        cmocka_unit_test(the_tangent_of_a_point_is_exact), cmocka_unit_test(elements_explain_their_work),
        cmocka_unit_test(the_stiffness_of_flow_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
