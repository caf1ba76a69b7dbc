// SPDX-License-Identifier: MIT
// Tests src/element/solid/solid_field.c, src/element/kinds/solid_tensors.c, src/element/solid/solid_turn.c.
// Principal values of tensors with known eigenvalues; batches against single elements; one field against all fields at once.
#include "../../../solids.h"
#include "element/solid/solid_point.h"
#include "material/material.h"

enum { STRESS, VON_MISES, PRINCIPAL_STRESS, PRINCIPAL_STRAIN, FIELDS };
static const int components[FIELDS] = {6, 1, 3, 3};

// R diag(values) R^T with R of Rodrigues' formula about a random axis.
static void compose(const double values[3], uint64_t *seed, double a[6]) {
    double u[3], R[3][3], A[3][3] = {{0}}, length = 0, angle = random_real(seed, 0, 3);
    for (int i = 0; i < 3; i++) {
        u[i] = random_real(seed, -1, 1);
        length += u[i] * u[i];
    }
    for (int i = 0; i < 3; i++)
        u[i] /= sqrt(length);
    const double W[3][3] = {{0, -u[2], u[1]}, {u[2], 0, -u[0]}, {-u[1], u[0], 0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            R[i][j] = (i == j) * cos(angle) + (1 - cos(angle)) * u[i] * u[j] + sin(angle) * W[i][j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                A[i][j] += R[i][k] * values[k] * R[j][k];
    const double packed[6] = {A[0][0], A[1][1], A[2][2], A[0][1], A[1][2], A[0][2]};
    memcpy(a, packed, sizeof packed);
}

// The eigenvalues of `a` in lane l of a batch whose other lanes hold other tensors.
static void eigenvalues(const double a[6], int l, double found[3]) {
    double tensors[CAROM_LANES * CAROM_SOLID_TENSORS], *values[FIELDS] = {[PRINCIPAL_STRAIN] = found};
    for (int i = 0; i < CAROM_LANES * CAROM_SOLID_TENSORS; i++)
        tensors[i] = 1 + i % 7;
    const double none[6] = {0};
    carom_solid_put_tensors(l, none, a, tensors);
    carom_solid_show(tensors, l, l + 1, values);
}

static void known_values(void **state) {
    (void)state;
    uint64_t seed = 3;
    static const double sets[][3] = {{3, 2, 1}, {1, 1, -2},  {5, -1, -1},      {1, 1, 1},
                                     {0, 0, 0}, {1e9, 1, 0}, {2, 2, 2 - 1e-9}, {1, 0, -1}};
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++)
        for (int trial = 0; trial < 200; trial++) {
            double a[6], found[3], scale = fmax(fabs(sets[s][0]), fabs(sets[s][2]));
            compose(sets[s], &seed, a);
            eigenvalues(a, trial % CAROM_LANES, found);
            assert_true(found[0] >= found[1] && found[1] >= found[2]);
            for (int i = 0; i < 3; i++)
                assert_near(found[i], sets[s][i], 4e-15 * scale);
        }
}

// The eigenvalues of a diagonal matrix are its entries to the last bit.
static void diagonal(void **state) {
    (void)state;
    const double a[6] = {-3, 7, 0.1};
    double found[3];
    eigenvalues(a, 3, found);
    assert_true(found[0] == 7 && found[1] == 0.1 && found[2] == -3);
}

// Entries whose squares overflow or underflow, and NaN.
static void extremes(void **state) {
    (void)state;
    const double large[6] = {1e200, 0, 0, 1e-200, 0, 1e30}, nothing[6] = {NAN, 1, 1, 0, 0, 0};
    double found[3];
    eigenvalues(large, 0, found);
    assert_near(found[0], 1e200, 1e185);
    assert_true(fabs(found[1]) <= 1e185 && fabs(found[2]) <= 1e185);
    eigenvalues(nothing, 7, found);
}

// One field against all fields at once, for a part of the elements; and kernels of the elastic laws against the functions of
// the material. Kernels are selected by the address of the material, so a copy of it is evaluated without them.
static void compare(const solid_case *c, const carom_material *material, uint64_t *seed) {
    static const carom_elastic_params rubber = {.young = 1.3, .poisson = 0.3, .density = 0.7};
    static const double size[3] = {1.5, 1.2, 1};
    static const int cells[3] = {3, 4, 3};
    solid s;
    solid_start(&s, c, size, cells, material->kind.name, rubber);
    solid_distort(&s, size, c->plane, 0.08, seed);
    bench_build(&s.b);
    const carom_model *model = s.b.model;
    const double(*X)[3] = (const double(*)[3])model->X;
    carom_block block = model->blocks[0];
    double(*x)[3] = solid_reserve(model->node_count, sizeof *x);
    for (int k = 0; k < model->node_count; k++)
        for (int i = 0; i < (c->plane ? 2 : 3); i++)
            x[k][i] = X[k][i] + random_real(seed, -0.02, 0.02);
    carom_material unknown = *material;
    for (int f = 0; block.element->show && f < FIELDS; f++) {
        double *one = solid_reserve(6 * block.count, sizeof *one), *part = solid_reserve(6 * block.count, sizeof *part);
        double *all[CAROM_ELEMENT_FIELDS_MAX] = {NULL}, most = 0;
        block.element->field(&block, 0, block.count, (const double(*)[3])x, X, f, one);
        // a range that begins and ends inside a batch
        int begin = 3, end = block.count - 2;
        all[f] = part;
        block.element->show(&block, begin, end, (const double(*)[3])x, X, all);
        assert_memory_equal(part, one + begin * components[f], (size_t)((end - begin) * components[f]) * sizeof *part);
        assert_true(part[(end - begin) * components[f]] == 0);
        // without kernels; not for the linear law, which elements, too, recognise by its address
        if (material != &carom_material_linear)
            block.material = &unknown;
        block.element->field(&block, 0, block.count, (const double(*)[3])x, X, f, part);
        block.material = material;
        for (int i = 0; i < block.count * components[f]; i++)
            most = fmax(most, fabs(one[i]));
        assert_true(most > 1e-3);
        for (int i = 0; i < block.count * components[f]; i++)
            assert_near(one[i], part[i], 2e-14 * fmax(most, 1));
        free(one);
        free(part);
    }
    free(x);
    bench_end(&s.b);
}

// Measures of rotation have the same bits in batches and for single elements.
static void compare_turns(const solid_case *c, uint64_t *seed) {
    static const carom_elastic_params rubber = {.young = 1.3, .poisson = 0.3, .density = 0.7};
    static const double size[3] = {1.5, 1.2, 1};
    static const int cells[3] = {3, 4, 3};
    solid s;
    solid_start(&s, c, size, cells, "linear", rubber);
    solid_distort(&s, size, c->plane, 0.08, seed);
    bench_build(&s.b);
    const carom_model *model = s.b.model;
    const double(*X)[3] = (const double(*)[3])model->X;
    const carom_block *block = &model->blocks[0];
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    double(*x)[3] = solid_reserve(model->node_count, sizeof *x);
    double *measures = solid_reserve(carom_lanes_size(block->count, CAROM_TURN_MEASURES), sizeof *measures);
    for (int k = 0; k < model->node_count; k++)
        for (int i = 0; i < 3; i++)
            x[k][i] = X[k][i] + (c->plane && i == 2 ? 0 : random_real(seed, -0.02, 0.02));
    carom_solid_turns(block, 8, block->count, (const double(*)[3])x, X, measures);
    for (int e = 8; e < block->count; e++) {
        const int *nodes = &block->nodes[shape->node_count * e];
        carom_solid_point p = shape->point_count > 1 ? carom_solid_mean_point(shape, block, nodes, X)
                                                     : carom_solid_point_of(shape, block, nodes, 0, X);
        double F[9], square = 0, slope = 0;
        carom_solid_deformation(shape, nodes, &p, (const double(*)[3])x, X, F);
        for (int i = 0; i < 9; i++)
            square += F[i] * F[i];
        for (int a = 0; a < shape->node_count; a++)
            slope += carom_norm(p.g[a]);
        const double axial[3] = {0.5 * (F[7] - F[5]), 0.5 * (F[2] - F[6]), 0.5 * (F[3] - F[1])};
        const double *of = &measures[carom_lane(e - 8, 0, CAROM_TURN_MEASURES)];
        assert_true(of[CAROM_LANES * CAROM_TURN_SINE] == carom_norm(axial));
        assert_true(of[CAROM_LANES * CAROM_TURN_NORM] == sqrt(square));
        assert_true(of[CAROM_LANES * CAROM_TURN_SLOPE] == slope);
    }
    free(measures);
    free(x);
    bench_end(&s.b);
}

static void turns(void **state) {
    (void)state;
    uint64_t seed = 9;
    for (int c = 0; c < SOLID_CASES; c++)
        if (!solid_is_nodal(&solid_cases[c]))
            compare_turns(&solid_cases[c], &seed);
}

static void batches(void **state) {
    (void)state;
    uint64_t seed = 5;
    for (int c = 0; c < SOLID_CASES; c++)
        for (int m = 0; m < ELASTIC_LAWS; m++)
            compare(&solid_cases[c], (const carom_material *)carom_materials()->kinds[m], &seed);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_values), cmocka_unit_test(diagonal), cmocka_unit_test(extremes),
                                       cmocka_unit_test(batches), cmocka_unit_test(turns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
