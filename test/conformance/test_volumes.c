// SPDX-License-Identifier: MIT
// Tests src/element/average/mean_dilatation.c, isochoric_kernel.c, volume_cell.c, volume_patch.c,
// split.c, j2_batch.c, isochoric_bound.c: elements that average volumes (`hex8` and `quad4` with mean dilatation, `tet4`
// with volumes at nodes) as bodies: what test_elements.c asks of single elements, bounds of steps, modes without energy, that
// they do not lock, and the books of metals.
#include "../bounds.h"
#include "element/average/mean_dilatation.h"
#include "model/forces/forces.h"
#include "model/state.h"
#include "model/watch/frequency_bound.h"
#include "model/watch/lanczos_step.h"
#include "solid_bodies.h"
#include "split_law.h"

typedef struct volume_case {
    solid_case as;
    int other; // the choice that locks, of the same cells
} volume_case;

static const volume_case cases[] = {
    {{"hex8, mean dilatation", "hex8", CAROM_HEX8_MEAN_DILATATION, false}, CAROM_HEX8_FULL},
    {{"quad4, mean dilatation", "quad4", CAROM_QUAD4_MEAN_DILATATION, true}, CAROM_QUAD4_FULL},
    {{"tet4, volumes at nodes", "tet4", CAROM_TET4_NODAL, false}, CAROM_TET4_CELL},
};

enum { CASES = sizeof cases / sizeof *cases };

static const double size[3] = {1.5, 1.2, 1};
static const double ratios[] = {0.7, 3, 1000};
static split_params law;
static carom_tet4_params tet;

// A body of the law with the given kappa/mu, as it is asked for or as the element that locks.
static carom_body_def *start(solid *s, const volume_case *c, bool locks, const double extent[3], const int cells[3],
                             double ratio) {
    carom_body_def *body = solid_start(s, &c->as, extent, cells, "linear", (carom_elastic_params){1, 0, 1});
    int choice = locks ? c->other : c->as.choice;
    s->hex.integration = choice;
    s->plane = (carom_plane_element_params){.thickness = 0.8, .plane = CAROM_PLANE_STRAIN, .integration = choice};
    tet.volume = choice;
    if (solid_is_tet(&c->as))
        body->element.params = &tet;
    law = (split_params){.mu = 0.5, .kappa = 0.5 * ratio, .density = 0.7};
    body->material = (carom_pick){&split_law.kind, &law};
    return body;
}

// A distorted body of few cells.
static void start_distorted(solid *s, const volume_case *c, double ratio, uint64_t *seed) {
    start(s, c, false, size, (const int[]){3, 2, 2}, ratio);
    solid_distort(s, size, c->as.plane, 0.1, seed);
    bench_build(&s->b);
}

// Without strain there are no forces; then force is minus the gradient of the energy, has no resultant and no moment; a turned
// body has turned forces.
static void forces(void **state) {
    (void)state;
    uint64_t seed = 21;
    for (int c = 0; c < CASES; c++)
        for (int r = 0; r < 3; r++) {
            solid s;
            start_distorted(&s, &cases[c], ratios[r], &seed);
            const carom_model *model = s.b.model;
            const double(*X)[3] = (const double(*)[3])model->X;
            double(*f)[3] = solid_reserve(model->node_count, sizeof *f), scale = 1 + law.kappa;
            solid_force(model, X, f);
            for (int k = 0; k < model->node_count; k++)
                assert_true(carom_norm(f[k]) == 0);
            assert_true(solid_energy(model, X) == 0);
            free(f);
            solid_check_forces(model, cases[c].as.plane, true,
                               (solid_limits){1e-9 * scale, 1e-14 * scale, 2e-14 * scale, 1e-14 * scale, 2e-14 * scale}, &seed);
            bench_end(&s.b);
        }
}

static void elements(void **state) {
    (void)state;
    uint64_t seed = 22;
    for (int c = 0; c < CASES; c++) {
        solid s;
        start_distorted(&s, &cases[c], 3, &seed);
        solid_check_elements(s.b.model, cases[c].as.plane, &seed);
        bench_end(&s.b);
    }
}

// Only rigid motions cost nothing.
static void modes(void **state) {
    (void)state;
    for (int c = 0; c < CASES; c++)
        for (int r = 0; r < 3; r++) {
            solid s;
            start(&s, &cases[c], false, VECTOR(1, 1, 1), (const int[]){3, 3, 3}, ratios[r]);
            bench_build(&s.b);
            // motions across a plane cost nothing either
            assert_int_equal(solid_free_motions(s.b.model, true, true), cases[c].as.plane ? 3 + s.b.model->node_count : 6);
            bench_end(&s.b);
        }
}

// A body under one deformation gradient: inner nodes feel nothing, and the energy is that of the law.
static void patch(void **state) {
    (void)state;
    uint64_t seed = 4;
    for (int c = 0; c < CASES; c++) {
        solid s;
        start(&s, &cases[c], false, size, (const int[]){4, 3, 3}, 3);
        solid_distort(&s, size, cases[c].as.plane, 0.06, &seed);
        bench_build(&s.b);
        const carom_model *model = s.b.model;
        bool plane = cases[c].as.plane;
        int n = model->node_count;
        const double F[9] = {1.1, 0.2, plane ? 0 : 0.1, -0.1, 0.95, plane ? 0 : 0.05, 0, plane ? 0 : 0.15, plane ? 1 : 0.9};
        double(*x)[3] = solid_reserve(n, sizeof *x), (*f)[3] = solid_reserve(n, sizeof *f);
        double mass = 0, W = split_solid(&law, F, NULL, NULL), volume = size[0] * size[1] * (plane ? 0.8 : size[2]);
        for (int k = 0; k < n; k++) {
            for (int i = 0; i < 3; i++)
                x[k][i] = carom_dot(&F[3 * i], model->X[k]);
            mass += model->mass[k];
        }
        solid_force(model, (const double(*)[3])x, f);
        for (int k = 0; k < n; k++)
            if (solid_is_inside(model->X[k], size, plane))
                assert_true(carom_norm(f[k]) < 1e-14);
        assert_near(solid_energy(model, (const double(*)[3])x), W * volume, 1e-13);
        assert_near(mass, law.density * volume, 1e-14);
        free(x);
        free(f);
        bench_end(&s.b);
    }
}

// The stable step of a body is never above that of power iteration, nor more than a few percent below; the shortest one of an
// element by itself is below it, but not by far.
static void steps(void **state) {
    (void)state;
    uint64_t seed = 23;
    for (int c = 0; c < CASES; c++)
        for (int trial = 0; trial < 9; trial++) {
            solid s;
            start(&s, &cases[c], false, size, (const int[]){5, 4, 4}, ratios[trial % 3]);
            if (trial >= 3)
                solid_distort(&s, size, cases[c].as.plane, 0.05, &seed);
            for (int k = 0; trial >= 6 && k < s.b.meshes[0].node_count; k++)
                s.b.meshes[0].nodes[k][1] *= 0.2;
            bench_build(&s.b);
            const carom_model *model = s.b.model;
            double own = solid_shortest_step(model), limit = 2 / sqrt(solid_fastest(model, &seed));
            double stable = carom_model_stable_step(model);
            if (!(stable <= limit && stable > 0.96 * limit) || !(own <= limit && own > 0.38 * limit))
                fail_msg("%s, trial %d: step of the body %g, of elements %g, power iteration %g", cases[c].as.name, trial,
                         stable, own, limit);
            bench_end(&s.b);
        }
}

// Deformed elements are never stiffer than they say, and not much softer.
static void bounds(void **state) {
    (void)state;
    uint64_t seed = 24;
    for (int c = 0; c < CASES; c++)
        for (int trial = 0; trial < 12; trial++) {
            solid s;
            start(&s, &cases[c], false, size, (const int[]){4, 3, 3}, ratios[trial % 3]);
            solid_distort(&s, size, cases[c].as.plane, 0.05, &seed);
            bench_build(&s.b);
            const carom_model *model = s.b.model;
            bool plane = cases[c].as.plane;
            int n = model->node_count;
            double(*x)[3] = solid_reserve(n, sizeof *x), (*v)[3] = solid_reserve(n, sizeof *v);
            double press = trial < 6 ? 1 : random_real(&seed, 0.6, 1.3), shear = trial < 6 ? 0 : random_real(&seed, -0.5, 0.5);
            solid_shake(model, trial < 3 ? 0 : 0.03, plane, &seed, x);
            for (int k = 0; k < n; k++) {
                x[k][0] += shear * x[k][1];
                x[k][1] *= press;
                v[k][1] = -x[k][1];
            }
            double *slots = solid_reserve(carom_model_slot_count(model), sizeof *slots);
            double *measures = solid_reserve(carom_stiffening_buffer(model), sizeof *measures);
            const double(*X)[3] = (const double(*)[3])model->X, (*now)[3] = (const double(*)[3])x;
            carom_kinematics motion = {X, now, (const double(*)[3])v, (const double(*)[3])v};
            carom_stiffening seen = carom_model_stiffening(model, &motion, slots, measures);
            assert_true(seen.stable > 0 && seen.rate > 0.9 && seen.squeeze < 1 && seen.volume > 0);
            for (int b = 0; b < model->block_count; b++) {
                const carom_block *block = &model->blocks[b];
                int m = block->node_count, dofs = 3 * m;
                double *K = solid_reserve((int64_t)block->count * dofs * dofs, sizeof *K), D[DOFS_MAX / 3];
                block->element->stiffness(block, 0, block->count, now, X, K);
                for (int e = 0; e < block->count; e++) {
                    double trace = 0;
                    for (int a = 0; a < m; a++) {
                        D[a] = slots[model->block_slot[b] + carom_lane(e, 3 * a, dofs)];
                        trace += D[a];
                        // the node of a patch in the interior feels nothing: rounding must not fail
                        D[a] += 1e-12 * law.kappa;
                    }
                    assert_true(trace > 0);
                    if (!is_below(K + (ptrdiff_t)dofs * dofs * e, D, dofs))
                        fail_msg("%s, trial %d: element %d of block %d is stiffer than it says", cases[c].as.name, trial, e, b);
                }
                free(K);
            }
            double judged = carom_model_tangent_step(model, 0, now);
            // cells and patches of tetrahedra are bounded apart, though their fastest motions differ
            if (!(seen.stable < judged && seen.stable > (solid_is_tet(&cases[c].as) ? 0.45 : 0.5) * judged))
                fail_msg("%s, trial %d: the bound is %g, the tangent tells %g", cases[c].as.name, trial, seen.stable, judged);
            free(slots);
            free(measures);
            free(x);
            free(v);
            bench_end(&s.b);
        }
}

// Solves K u = f with the unknowns that are not held, by Cholesky's method; returns f.u.
static double compliance(const carom_model *model, const bool *held, const double *f) {
    int n = 3 * model->node_count;
    double *A = solid_stiffness(model, true, true), *u = solid_reserve(n, sizeof *u), work = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (held[i] || held[j])
                A[(int64_t)n * i + j] = i == j;
    for (int i = 0; i < n; i++) {
        u[i] = held[i] ? 0 : f[i];
        for (int j = 0; j <= i; j++) {
            double sum = A[(int64_t)n * i + j];
            for (int k = 0; k < j; k++)
                sum -= A[(int64_t)n * i + k] * A[(int64_t)n * j + k];
            A[(int64_t)n * i + j] = i == j ? sqrt(sum) : sum / A[(int64_t)n * j + j];
        }
        for (int k = 0; k < i; k++)
            u[i] -= A[(int64_t)n * i + k] * u[k];
        u[i] /= A[(int64_t)n * i + i];
    }
    for (int i = 0; i < n; i++)
        work += u[i] * u[i];
    free(A);
    free(u);
    return work;
}

// A block of nearly incompressible rubber, kappa = 1000 mu, held at the bottom and sheared at the top of one side (Cook's
// membrane without the taper): deflection relative to that of the same mesh with kappa = mu. A material that only becomes
// incompressible loses a little; elements that lock lose nearly everything.
static double softness(const volume_case *c, bool locks, double ratio) {
    static const double extent[3] = {4, 2, 1};
    solid s;
    start(&s, c, locks, extent, (const int[]){8, 4, 2}, ratio);
    bench_build(&s.b);
    const carom_model *model = s.b.model;
    int n = 3 * model->node_count;
    bool *held = solid_reserve(n, sizeof *held);
    double *f = solid_reserve(n, sizeof *f);
    for (int k = 0; k < model->node_count; k++) {
        for (int i = 0; i < 3; i++)
            held[3 * k + i] = model->X[k][0] < 1e-9 || (i == 2 && (c->as.plane || model->X[k][2] < 1e-9));
        // plane strain in space as well
        if (!c->as.plane && model->X[k][2] > extent[2] - 1e-9)
            held[3 * k + 2] = true;
        if (model->X[k][0] > extent[0] - 1e-9)
            f[3 * k + 1] = 1;
    }
    double answer = compliance(model, held, f);
    free(held);
    free(f);
    bench_end(&s.b);
    return answer;
}

static void locking(void **state) {
    (void)state;
    for (int c = 0; c < CASES; c++) {
        double here = softness(&cases[c], false, 1000) / softness(&cases[c], false, 1);
        double there = softness(&cases[c], true, 1000) / softness(&cases[c], true, 1);
        print_message("%s: %.3f of the deflection is left, with the element that locks %.3f\n", cases[c].as.name, here, there);
        assert_true(here > 0.5 && there < 0.25);
    }
}

// Laws that do not split, and plane stress, are refused with the reason.
static void refusals(void **state) {
    (void)state;
    carom_error reason;
    const carom_material *neo = (const carom_material *)carom_catalogue_find(carom_materials(), "neo-hookean");
    for (int c = 0; c < CASES; c++) {
        const carom_element *element = (const carom_element *)carom_catalogue_find(carom_elements(), cases[c].as.element);
        carom_hex8_params hex = {.integration = cases[c].as.choice};
        carom_plane_element_params plane = {.thickness = 1, .integration = cases[c].as.choice};
        carom_tet4_params four = {.volume = cases[c].as.choice};
        const void *params = cases[c].as.plane ? (void *)&plane : solid_is_tet(&cases[c].as) ? (void *)&four : (void *)&hex;
        assert_int_equal(element->accepts(params, neo, &reason), CAROM_BAD_INPUT);
        assert_non_null(strstr(reason.message, "'neo-hookean' has no isochoric"));
        assert_int_equal(element->accepts(params, &split_law, &reason), CAROM_OK);
        assert_true(element->acting(params) != element);
        plane.plane = CAROM_PLANE_STRESS;
        if (cases[c].as.plane) {
            assert_int_equal(element->accepts(params, &split_law, &reason), CAROM_BAD_INPUT);
            assert_non_null(strstr(reason.message, "`plane: stress` does not lock"));
        }
    }
}

// The forces of bricks in batches are those of bricks one by one.
static void same_forces(const carom_block *block, const double (*x)[3], const double (*X)[3]) {
    int64_t count = carom_lanes_size(block->count, 24);
    double *plain = solid_reserve(count, sizeof *plain), *batched = solid_reserve(count, sizeof *batched), most = 0;
    carom_dilated_force(block, 0, block->count, x, X, plain);
    block->element->force(block, 0, block->count, x, X, batched);
    for (int64_t i = 0; i < count; i++)
        most = fmax(most, fabs(plain[i]));
    for (int i = 0; i < 24 * block->count; i++)
        assert_near(plain[carom_lane(i / 24, i % 24, 24)], batched[carom_lane(i / 24, i % 24, 24)], 1e-13 * (most + 1));
    free(plain);
    free(batched);
}

// A bar of metal that is torn apart and sheared by its velocities, by steps of the given length; returns the largest residual
// of its energy. At the end no element is stiffer than it says, and its plain force is that of the batches.
static double residual(const volume_case *c, double step) {
    solid s;
    carom_body_def *body = start(&s, c, false, size, (const int[]){4, 3, 3}, 3);
    static carom_j2_params metal;
    carom_mesh *mesh = &s.b.meshes[0];
    body->material = carom_pick_of(carom_materials(), "j2", &metal, NULL);
    metal.elastic = (carom_elastic_params){.young = 1, .poisson = 0.35, .density = 1};
    metal.yield = 0.004;
    metal.modulus = 0.05;
    body->material.params = &metal;
    mesh->velocities = solid_reserve(mesh->node_count, sizeof *mesh->velocities);
    for (int k = 0; k < mesh->node_count; k++) {
        double *v = mesh->velocities[k], *X = mesh->nodes[k];
        v[0] = 0.2 * sin(6 * X[0] / size[0]) + 0.1 * sin(5 * X[1]);
        v[1] = -0.05 * X[1] * X[0];
    }
    bench_simulate(&s.b, 1, step);
    double energy = bench_ledger(&s.b).kinetic, most = 0;
    carom_ledger_row row = {0};
    while (!carom_sim_done(s.b.sim)) {
        assert_ok(carom_sim_step(s.b.sim, error));
        row = bench_ledger(&s.b);
        most = fmax(most, fabs(row.residual) / energy);
    }
    assert_true(row.plasticity > 0.1 * energy);

    const carom_state *state = carom_sim_state(s.b.sim);
    const carom_model *model = state->model;
    const double(*X)[3] = (const double(*)[3])model->X, (*x)[3] = carom_state_positions(state);
    double(*rest)[3] = solid_reserve(model->node_count, sizeof *rest);
    double *slots = solid_reserve(carom_model_slot_count(model), sizeof *slots);
    double *measures = solid_reserve(carom_stiffening_buffer(model), sizeof *measures);
    carom_kinematics motion = {X, x, (const double(*)[3])rest, (const double(*)[3])rest};
    carom_stiffening seen = carom_model_stiffening(model, &motion, slots, measures);
    double judged = carom_model_tangent_step(model, 0, x);
    if (!(seen.stable < judged && seen.stable > 0.5 * judged))
        fail_msg("%s: the bound is %g, the tangent tells %g", c->as.name, seen.stable, judged);
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        int m = block->node_count, dofs = 3 * m;
        double *K = solid_reserve((int64_t)block->count * dofs * dofs, sizeof *K), D[DOFS_MAX / 3];
        block->element->stiffness(block, 0, block->count, x, X, K);
        if (block->element == &carom_dilated_hex8.element)
            same_forces(block, x, X);
        for (int e = 0; e < block->count; e++) {
            for (int a = 0; a < m; a++)
                D[a] = slots[model->block_slot[b] + carom_lane(e, 3 * a, dofs)] + 1e-12;
            if (!is_below(K + (ptrdiff_t)dofs * dofs * e, D, dofs))
                fail_msg("%s: element %d of block %d is stiffer than it says", c->as.name, e, b);
        }
        free(K);
    }
    free(rest);
    free(slots);
    free(measures);
    bench_end(&s.b);
    return most;
}

// The books of metals close to second order.
static void metals(void **state) {
    (void)state;
    for (int c = 0; c < CASES; c++) {
        double coarse = residual(&cases[c], 0.02), fine = residual(&cases[c], 0.01);
        print_message("%s: residual %.2e, with half the step %.2e\n", cases[c].as.name, coarse, fine);
        assert_true(coarse < 2e-3 && coarse / fine > 3.5);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces),  cmocka_unit_test(elements), cmocka_unit_test(modes),
        cmocka_unit_test(patch),   cmocka_unit_test(steps),    cmocka_unit_test(bounds),
        cmocka_unit_test(locking), cmocka_unit_test(refusals), cmocka_unit_test(metals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
