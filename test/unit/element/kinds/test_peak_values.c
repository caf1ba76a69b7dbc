// SPDX-License-Identifier: MIT
// Tests src/element/kinds/peak_values.c.
// Extremes of stress and strain found together with forces: values are those of the fields up to rounding, the element is one
// with the largest value, and forces have the same bits with and without extremes.
#include "../../../solids.h"
#include "carom/peak.h"
#include "element/peak_values.h"

enum { VON_MISES = 1, PRINCIPAL_STRESS, PRINCIPAL_STRAIN };

// Values of the element fields for each kind of peak.
static void scores_of(const carom_block *block, const double (*x)[3], const double (*X)[3], double *of[CAROM_PEAK_KINDS]) {
    int n = block->count;
    double *three = solid_reserve(3 * n, sizeof *three);
    block->element->field(block, 0, n, x, X, VON_MISES, of[CAROM_PEAK_VON_MISES]);
    block->element->field(block, 0, n, x, X, PRINCIPAL_STRESS, three);
    for (int e = 0; e < n; e++) {
        of[CAROM_PEAK_PRINCIPAL][e] = three[3 * e];
        of[CAROM_PEAK_LEAST][e] = -three[3 * e + 2];
    }
    block->element->field(block, 0, n, x, X, PRINCIPAL_STRAIN, three);
    for (int e = 0; e < n; e++)
        of[CAROM_PEAK_STRAIN][e] = three[3 * e];
    free(three);
}

static void compare(const carom_block *block, const double (*x)[3], const double (*X)[3]) {
    int n = block->count, dofs = 3 * block->node_count;
    double *of[CAROM_PEAK_KINDS], *envelopes = solid_reserve(CAROM_ENVELOPES * n, sizeof *envelopes);
    double *plain = solid_reserve(carom_lanes_size(n, dofs), sizeof *plain);
    double *with_extremes = solid_reserve(carom_lanes_size(n, dofs), sizeof *with_extremes);
    carom_extremes found = {.envelopes = envelopes, .count = n};
    for (int kind = 0; kind < CAROM_PEAK_KINDS; kind++) {
        of[kind] = solid_reserve(n, sizeof *of[kind]);
        found.limit[kind] = found.score[kind] = CAROM_NO_SCORE;
    }
    // the envelope of the last element is above its present value
    for (int i = 0; i < CAROM_ENVELOPES * n; i++)
        envelopes[i] = i / CAROM_ENVELOPES == n - 1 ? 100 : -100;
    scores_of(block, x, X, of);
    block->element->force(block, 0, n, x, X, plain);
    carom_extremes_force(block, x, X, with_extremes, &found);
    assert_memory_equal(plain, with_extremes, (size_t)carom_lanes_size(n, dofs) * sizeof *plain);
    for (int kind = 0; kind < CAROM_PEAK_KINDS; kind++) {
        double most = CAROM_NO_SCORE;
        for (int e = 0; e < n; e++) {
            most = fmax(most, of[kind][e]);
            if (kind < CAROM_ENVELOPES)
                assert_near(envelopes[CAROM_ENVELOPES * e + kind], e == n - 1 ? 100 : of[kind][e], 1e-13);
        }
        assert_near(found.score[kind], most, 1e-13);
        assert_near(of[kind][found.element[kind]], most, 1e-13);
    }
    // a second evaluation changes nothing
    double before = found.score[CAROM_PEAK_PRINCIPAL];
    found.element[CAROM_PEAK_PRINCIPAL] = -1;
    carom_extremes_force(block, x, X, with_extremes, &found);
    assert_int_equal(found.element[CAROM_PEAK_PRINCIPAL], -1);
    assert_true(found.score[CAROM_PEAK_PRINCIPAL] == before);
    for (int kind = 0; kind < CAROM_PEAK_KINDS; kind++)
        free(of[kind]);
    free(envelopes), free(plain), free(with_extremes);
}

// Tensors with two or three equal eigenvalues, and a tensor with NaN.
static void equal_values(void **state) {
    (void)state;
    static const struct {
        double t[6], largest, least;
    } cases[] = {{{0, 0, -3, 0, 0, 0}, 0, 3},  {{5, 0, 0, 0, 0, 0}, 5, 0}, {{2, 2, 2, 0, 0, 0}, 2, -2},
                 {{0, 0, 0, 0, 0, 0}, 0, 0},   {{0, 0, 0, 1, 1, 1}, 2, 1}, {{0, 0, 0, -1, -1, -1}, 1, 2},
                 {{NAN, 0, 0, 0, 0, 0}, -7, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double numbers[CAROM_EXTREMES * CAROM_LANES] = {0}, envelopes[CAROM_ENVELOPES] = {-7, -7};
        carom_extremes one = {.envelopes = envelopes, .count = 1};
        for (int kind = 0; kind < CAROM_PEAK_KINDS; kind++)
            one.limit[kind] = one.score[kind] = CAROM_NO_SCORE;
        for (int c = 0; c < 6; c++)
            for (int l = 0; l < CAROM_LANES; l++)
                numbers[CAROM_LANES * c + l] = cases[i].t[c];
        carom_extremes_settle(&one, 0, numbers);
        assert_near(envelopes[CAROM_PEAK_PRINCIPAL], cases[i].largest, 4e-15);
        if (isnan(cases[i].t[0]))
            assert_true(one.score[CAROM_PEAK_LEAST] == CAROM_NO_SCORE && envelopes[CAROM_PEAK_VON_MISES] == -7);
        else
            assert_near(one.score[CAROM_PEAK_LEAST], cases[i].least, 4e-15);
    }
}

static void extremes(void **state) {
    (void)state;
    static const char *const laws[] = {"linear", "st-venant-kirchhoff", "neo-hookean"};
    uint64_t seed = 7;
    for (int c = 0; c < SOLID_CASES; c++)
        for (int m = 0; m < 3; m++) {
            solid s = {0};
            int known = 0;
            solid_start(&s, &solid_cases[c], VECTOR(1, 1.2, 0.9), (const int[3]){3, 2, 2}, laws[m],
                        (carom_elastic_params){1, 0.3, 1});
            bench_build(&s.b);
            const carom_model *model = s.b.model;
            const double(*X)[3] = (carom_const_vectors)model->X;
            double(*x)[3] = solid_reserve(model->node_count, sizeof *x);
            for (int k = 0; k < model->node_count; k++)
                for (int i = 0; i < 3; i++)
                    x[k][i] = X[k][i] + 0.03 * X[k][(i + 1) % 3] + random_real(&seed, -0.01, 0.01);
            for (int b = 0; b < model->block_count; b++)
                if (model->blocks[b].element->field && carom_extremes_known(&model->blocks[b])) {
                    compare(&model->blocks[b], (carom_const_vectors)x, X);
                    known++;
                }
            // plane elements have no kernels with extremes
            assert_true((known == 0) == solid_cases[c].plane);
            free(x);
            bench_end(&s.b);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(extremes), cmocka_unit_test(equal_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
