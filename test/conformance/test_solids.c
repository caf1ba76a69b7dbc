// SPDX-License-Identifier: MIT
// Bodies of solids, every element with every material: patch tests, batched kernels against plain ones, F = m a, stable steps.
#include "../solids.h"
#include "element/solid/solid_kernel.h"

static const carom_elastic_params rubber = {.young = 1.3, .poisson = 0.3, .density = 0.7};
static const double size[3] = {1.5, 1.2, 1};
static const int cells[3] = {3, 4, 3};

static const char *material_name(int m) {
    return carom_materials()->kinds[m]->name;
}

// First Piola-Kirchhoff and Cauchy stress of a law in a case at F; F_33 is filled in.
static void stresses(const solid_case *c, const carom_block *block, double F[9], double P[9], double cauchy[6]) {
    if (c->plane) {
        double F4[4] = {F[0], F[1], F[3], F[4]}, thinning = 0;
        carom_material_plane(block->material, block->material_params, c->choice, F4, &thinning, NULL, NULL);
        F[8] = thinning;
    }
    block->material->solid(block->material_params, F, P, NULL);
    // small strains do not tell the two apart
    static const double none[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double *G = strcmp(block->material->kind.name, "linear") == 0 ? none : F;
    double cofactor[3];
    carom_cross(&G[3], &G[6], cofactor);
    double J = carom_dot(G, cofactor);
    static const int row[6] = {0, 1, 2, 0, 1, 0}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int i = 0; i < 6; i++)
        cauchy[i] = carom_dot(&P[3 * row[i]], &G[3 * column[i]]) / J;
}

// A distorted patch under a linear map: inner nodes feel nothing, stress is that of the law everywhere, and the forces on the
// boundary do the work -V P on any linear motion.
static void patch(const solid_case *c, const char *material, uint64_t *seed) {
    solid s;
    solid_start(&s, c, size, cells, material, rubber);
    solid_distort(&s, size, c->plane, 0.08, seed);
    bench_build(&s.b);
    const carom_model *model = s.b.model;
    int n = model->node_count, d = c->plane ? 2 : 3, inner = 0;
    double F[9] = {[0] = 1, [4] = 1, [8] = 1}, P[9], cauchy[6], volume = size[0] * size[1] * (c->plane ? 1 : size[2]);
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++)
            F[3 * i + j] += random_real(seed, -0.2, 0.2);
    double(*x)[3] = solid_reserve(n, sizeof *x), (*force)[3] = solid_reserve(n, sizeof *force);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < d; i++)
            x[k][i] = 0.3 * i + carom_dot(&F[3 * i], model->X[k]);
    stresses(c, &model->blocks[0], F, P, cauchy);

    solid_force(model, (const double(*)[3])x, force);
    double work[9] = {0};
    for (int k = 0; k < n; k++) {
        if (solid_is_inside(s.b.meshes[0].nodes[k], size, c->plane)) {
            inner++;
            assert_true(carom_norm(force[k]) <= 1e-14);
        }
        for (int i = 0; i < 9; i++)
            work[i] += force[k][i / 3] * model->X[k][i % 3];
    }
    assert_true(inner >= (c->plane ? 6 : 12));
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++)
            assert_near(work[3 * i + j], -volume * P[3 * i + j], 1e-14);

    // of `nodal`, the patches show it
    const carom_block *block = &model->blocks[model->block_count - 1];
    double *shown = solid_reserve(block->count * 6, sizeof *shown);
    block->element->field(block, 0, block->count, (const double(*)[3])x, (const double(*)[3])model->X, 0, shown);
    for (int i = 0; i < 6 * block->count; i++)
        assert_near(shown[i], cauchy[i % 6], 2e-14);
    // von Mises and principal stresses follow
    double s2 = 0.5 * (pow(cauchy[0] - cauchy[1], 2) + pow(cauchy[1] - cauchy[2], 2) + pow(cauchy[2] - cauchy[0], 2)) +
                3 * (pow(cauchy[3], 2) + pow(cauchy[4], 2) + pow(cauchy[5], 2));
    block->element->field(block, 0, block->count, (const double(*)[3])x, (const double(*)[3])model->X, 1, shown);
    for (int e = 0; e < block->count; e++)
        assert_near(shown[e], sqrt(s2), 2e-14);
    free(shown);
    free(x);
    free(force);
    bench_end(&s.b);
}

static void patches(void **state) {
    (void)state;
    uint64_t seed = 11;
    for (int c = 0; c < SOLID_CASES; c++)
        for (int m = 0; m < ELASTIC_LAWS; m++)
            for (int trial = 0; trial < 5; trial++)
                patch(&solid_cases[c], material_name(m), &seed);
}

// Batched energies agree with plain ones, relatively also where strains are small, and only those asked for are written.
static void compare_energies(const carom_block *block, const double (*x)[3], const double (*X)[3], double tolerance) {
    double *batched = solid_reserve(block->count, sizeof *batched), *plain = solid_reserve(block->count, sizeof *plain);
    if (block->element->node_count < 8)
        carom_solid_energy(block, 0, block->count, x, X, plain);
    else
        carom_hex8_energy_plain(block, 0, block->count, x, X, plain);
    const int ranges[4][2] = {{0, block->count}, {3, 4}, {5, 21}, {8, 16}};
    for (int r = 0; r < 4; r++) {
        for (int e = 0; e < block->count; e++)
            batched[e] = 77;
        block->element->energy(block, ranges[r][0], ranges[r][1], x, X, batched);
        for (int e = 0; e < block->count; e++) {
            bool inside = e >= ranges[r][0] && e < ranges[r][1];
            assert_true(inside ? fabs(batched[e] - plain[e]) <= tolerance * plain[e] : batched[e] == 77);
        }
    }
    free(batched);
    free(plain);
}

// The batched kernels agree with the plain functions to the rounding of E h^2, and write only what they were asked for.
static void kernels(void **state) {
    (void)state;
    uint64_t seed = 12;
    for (int c = 0; c < SOLID_CASES; c++)
        for (int m = 0; m < ELASTIC_LAWS; m++) {
            bool plane = solid_cases[c].plane;
            if (solid_is_nodal(&solid_cases[c]))
                continue;
            solid s;
            solid_start(&s, &solid_cases[c], size, (const int[]){plane ? 7 : 3, 5, 3}, material_name(m), rubber);
            solid_distort(&s, size, plane, plane ? 0.04 : 0.08, &seed);
            bench_build(&s.b);
            const carom_model *model = s.b.model;
            const carom_block *block = &model->blocks[0];
            int n = block->element->node_count, count = (int)carom_lanes_size(block->count, 3 * n);
            assert_int_not_equal(block->count % CAROM_LANES, 0);
            double(*x)[3] = solid_reserve(model->node_count, sizeof *x), most = 0;
            double *batched = solid_reserve(count, sizeof *batched), *plain = solid_reserve(count, sizeof *plain);
            for (int k = 0; k < model->node_count; k++)
                for (int i = 0; i < (plane ? 2 : 3); i++)
                    x[k][i] = model->X[k][i] + random_real(&seed, -0.02, 0.02);
            const double(*now)[3] = (const double(*)[3])x, (*X)[3] = (const double(*)[3])model->X;
            if (n < 8)
                carom_solid_force(block, 0, block->count, now, X, plain);
            else
                carom_hex8_force_plain(block, 0, block->count, now, X, plain);
            for (int i = 0; i < count; i++)
                most = fmax(most, fabs(plain[i]));
            assert_true(most > 5e-3);
            const int ranges[4][2] = {{0, block->count}, {3, 4}, {5, 21}, {8, 16}};
            for (int r = 0; r < 4; r++) {
                for (int i = 0; i < count; i++)
                    batched[i] = 77;
                block->element->force(block, ranges[r][0], ranges[r][1], now, X, batched);
                for (int e = 0; e < block->count; e++)
                    for (int d = 0; d < 3 * n; d++) {
                        int64_t at = carom_lane(e, d, 3 * n);
                        if (e >= ranges[r][0] && e < ranges[r][1])
                            assert_near(batched[at], plain[at], 1e-14 * rubber.young / 9);
                        else
                            assert_true(batched[at] == 77);
                    }
            }
            compare_energies(block, now, X, 1e-12);
            // neighbourhoods of the reference: the law of second order in strain keeps its digits
            double(*near)[3] = solid_reserve(model->node_count, sizeof *near);
            for (int k = 0; k < 3 * model->node_count; k++)
                near[k / 3][k % 3] =
                    X[k / 3][k % 3] + 1e-5 * (x[k / 3][k % 3] - X[k / 3][k % 3]) * (plane && k % 3 == 2 ? 0 : 1);
            compare_energies(block, (const double(*)[3])near, X, 1e-8);
            free(near);

            // an element turned inside out has no force, where its law forbids it, and its neighbours keep theirs
            double(*flat)[3] = solid_reserve(model->node_count, sizeof *flat);
            memcpy(flat, x, sizeof *flat * (size_t)model->node_count);
            for (int k = 0; k < n; k++)
                flat[block->nodes[k]][0] = 2 * x[block->nodes[0]][0] - x[block->nodes[k]][0];
            block->element->force(block, 0, block->count, (const double(*)[3])flat, X, batched);
            double energy;
            block->element->energy(block, 0, 1, (const double(*)[3])flat, X, &energy);
            assert_int_equal(isnan(batched[0]), isinf(energy));
            assert_int_equal(isinf(energy), strcmp(material_name(m), "neo-hookean") == 0);
            free(flat);
            free(x);
            free(batched);
            free(plain);
            bench_end(&s.b);
        }
}

// A body as it was meshed stores nothing, to the last bit, wherever it is.
static void nothing_at_rest(void **state) {
    (void)state;
    uint64_t seed = 15;
    for (int c = 0; c < SOLID_CASES; c++)
        for (int m = 0; m < ELASTIC_LAWS; m++) {
            solid s;
            solid_start(&s, &solid_cases[c], size, cells, material_name(m), rubber);
            solid_distort(&s, size, solid_cases[c].plane, 0.08, &seed);
            for (int k = 0; k < s.b.meshes[0].node_count; k++)
                s.b.meshes[0].nodes[k][0] += 12.3;
            bench_simulate(&s.b, 1, 0.01);
            assert_true(bench_ledger(&s.b).internal == 0);
            bench_end(&s.b);
        }
}

// F = m a: a body that falls and shakes; its mass centre moves as a point.
static void free_body(void **state) {
    (void)state;
    uint64_t seed = 13;
    for (int c = 0; c < SOLID_CASES; c++)
        for (int m = 0; m < ELASTIC_LAWS; m++) {
            bool plane = solid_cases[c].plane;
            solid s;
            carom_body_def *body = solid_start(&s, &solid_cases[c], size, cells, material_name(m), rubber);
            solid_distort(&s, size, plane, 0.08, &seed);
            carom_mesh *mesh = &s.b.meshes[0];
            mesh->velocities = solid_reserve(mesh->node_count, sizeof *mesh->velocities);
            for (int k = 0; k < mesh->node_count; k++)
                for (int i = 0; i < (plane ? 2 : 3); i++)
                    mesh->velocities[k][i] = random_real(&seed, -0.1, 0.1);
            memcpy(body->velocity, VECTOR(0.3, 0.1, plane ? 0 : -0.2), sizeof body->velocity);
            memcpy(s.b.def.gravity, VECTOR(0.5, -1, plane ? 0 : 2), sizeof s.b.def.gravity);
            bench_simulate(&s.b, 1, 1.0 / 64);
            const carom_model *model = s.b.model;
            double mass = 0, start[3] = {0}, velocity[3] = {0}, centre[3] = {0}, shape = 0;
            for (int k = 0; k < model->node_count; k++) {
                mass += model->mass[k];
                carom_add_scaled(model->mass[k], model->X[k], start);
                carom_add_scaled(model->mass[k], model->v0[k], velocity);
            }
            assert_near(mass, 0.7 * 1.5 * 1.2 * 1, 1e-15);
            bench_run(&s.b);
            const double(*x)[3] = carom_state_positions(carom_sim_state(s.b.sim));
            for (int k = 0; k < model->node_count; k++) {
                carom_add_scaled(model->mass[k], x[k], centre);
                shape = fmax(shape, fabs(x[k][0] - x[0][0] - model->X[k][0] + model->X[0][0]));
            }
            assert_true(shape > 0.01);
            for (int i = 0; i < 3; i++)
                assert_near(centre[i] / mass, (start[i] + velocity[i]) / mass + 0.5 * s.b.def.gravity[i], 1e-14);
            bench_end(&s.b);
        }
}

// A lower bound of the largest eigenvalue of M^-1 K of one element, and a close one: Rayleigh's quotient after power iteration.
static double square_of_frequency(const double *K, const double *mass, int dofs, uint64_t *seed) {
    double v[24], w[24], numerator = 0, denominator = 1;
    for (int i = 0; i < dofs; i++)
        v[i] = random_real(seed, -1, 1);
    for (int iteration = 0; iteration < 150; iteration++) {
        numerator = denominator = 0;
        double length = 0;
        for (int i = 0; i < dofs; i++) {
            double sum = 0;
            for (int j = 0; j < dofs; j++)
                sum += K[dofs * i + j] * v[j];
            numerator += v[i] * sum;
            denominator += mass[i / 3] * v[i] * v[i];
            w[i] = sum / mass[i / 3];
            length = fmax(length, fabs(w[i]));
        }
        for (int i = 0; i < dofs; i++)
            v[i] = w[i] / length;
    }
    return numerator / denominator;
}

// Ten thousand distorted, stretched and thin elements of each kind: the step of none is above the stable one, nor far below.
static void distorted_elements(void **state) {
    (void)state;
    uint64_t seed = 14;
    for (int c = 0; c < SOLID_CASES; c++) {
        const solid_case *kind = &solid_cases[c];
        if (solid_is_nodal(kind))
            continue;
        solid s;
        solid_start(&s, kind, VECTOR(1, 1, 1), (const int[]){1, 1, 1}, "neo-hookean", rubber);
        bench_build(&s.b);
        carom_block block = s.b.model->blocks[0];
        int n = block.element->node_count, dofs = 3 * n;
        for (int good = 0; good < 10000;) {
            double X[8][3], mass[8] = {0}, K[576], step, stretch[3];
            for (int i = 0; i < 3; i++)
                stretch[i] = pow(10, random_real(&seed, -1, 1));
            for (int k = 0; k < 8; k++)
                for (int i = 0; i < 3; i++)
                    X[k][i] =
                        k < s.b.model->node_count
                            ? stretch[i] * (s.b.model->X[k][i] + (kind->plane && i == 2 ? 0 : random_real(&seed, -0.4, 0.4)))
                            : 0;
            block.count = 1;
            block.data = NULL;
            // those that are inside out do not count
            carom_error error;
            if (carom_solid_prepare(&block, (const double(*)[3])X, mass, &error))
                continue;
            double own[8];
            for (int a = 0; a < n; a++)
                own[a] = mass[block.nodes[a]];
            block.element->stiffness(&block, 0, 1, (const double(*)[3])X, (const double(*)[3])X, K);
            block.element->stable_step(&block, 0, 1, (const double(*)[3])X, (const double(*)[3])X, &step);
            double exact = 2 / sqrt(square_of_frequency(K, own, dofs, &seed));
            if (!(step <= exact * (1 + 1e-12) && step >= 0.97 * exact))
                fail_msg("%s: step %.17g, power iteration %.17g", kind->name, step, exact);
            good++;
        }
        bench_end(&s.b);
    }
}

// Meshes of distorted and of flat elements, from soft to nearly incompressible: the step of a block is never above 2/omega, nor
// far below.
static void distorted_meshes(void **state) {
    (void)state;
    uint64_t seed = 16;
    for (int c = 0; c < SOLID_CASES; c++)
        for (int trial = 0; trial < 9; trial++) {
            static const double ratios[3] = {0, 0.3, 0.499};
            carom_elastic_params law = rubber;
            law.poisson = ratios[trial % 3];
            // up to a hundred times as long as high
            double flat[3] = {trial < 6 ? 1.5 : 15, 1.2, trial < 6 ? 1 : 0.15}, most = trial < 3 ? 0.03 : 0.05;
            solid s;
            solid_start(&s, &solid_cases[c], size, (const int[]){5, 4, 4}, "linear", law);
            solid_distort(&s, size, solid_cases[c].plane, most, &seed);
            for (int k = 0; k < s.b.meshes[0].node_count; k++)
                for (int i = 0; i < 3; i++)
                    s.b.meshes[0].nodes[k][i] *= flat[i] / size[i];
            bench_build(&s.b);
            double step = carom_model_stable_step(s.b.model), limit = 2 / sqrt(solid_fastest(s.b.model, &seed));
            if (!(step <= limit && step >= 0.96 * limit))
                fail_msg("%s: step %.17g, power iteration %.17g", solid_cases[c].name, step, limit);
            bench_end(&s.b);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(patches),
                                       cmocka_unit_test(kernels),
                                       cmocka_unit_test(nothing_at_rest),
                                       cmocka_unit_test(free_body),
                                       cmocka_unit_test(distorted_elements),
                                       cmocka_unit_test(distorted_meshes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
