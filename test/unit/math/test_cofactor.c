// SPDX-License-Identifier: MIT
// Tests src/math/cofactor.h, src/math/sym3.h, src/material/lanes/stress.h.
// Products, inverses and determinants of matrices against their definitions; lanes have the bits of scalars.
#include "../../support.h"
#include "material/lanes/stress.h"

static void draw(uint64_t *seed, int count, double *a) {
    for (int i = 0; i < count; i++)
        a[i] = random_real(seed, -1, 1);
}

static double entry(const double S[6], int i, int j) {
    return S[carom_sym3_place[3 * i + j]];
}

static void products(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int trial = 0; trial < 100; trial++) {
        double F[9], S[6], R[9], outer[6], gram[6], inverse[6], det;
        draw(&seed, 9, F);
        draw(&seed, 6, S);
        carom_sym3_right(F, S, R);
        carom_sym3_outer(R, F, outer);
        carom_sym3_gram(F, gram);
        carom_sym3_adjoint(S, inverse, &det);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                double right = 0, congruence = 0, square = 0, unit = 0;
                for (int k = 0; k < 3; k++) {
                    right += F[3 * i + k] * entry(S, k, j);
                    congruence += R[3 * i + k] * F[3 * j + k];
                    square += F[3 * k + i] * F[3 * k + j];
                    unit += entry(S, i, k) * entry(inverse, k, j);
                }
                assert_near(R[3 * i + j], right, 1e-15);
                assert_near(entry(outer, i, j), congruence, 1e-15);
                assert_near(entry(gram, i, j), square, 1e-15);
                assert_near(unit, i == j ? det : 0, 1e-15);
            }
        for (int c = 0; c < 6; c++)
            assert_int_equal(carom_sym3_place[3 * carom_sym3_row[c] + carom_sym3_column[c]], c);
    }
}

static void inverses(void **state) {
    (void)state;
    uint64_t seed = 2;
    for (int trial = 0; trial < 100; trial++) {
        double F[9], C[9], G[9], det, same, growth, H[9];
        draw(&seed, 9, F);
        carom_mat_cofactor(F, C, &det);
        carom_mat_invert(F, G, &same);
        assert_near(same, det, 0);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                double unit = 0;
                for (int k = 0; k < 3; k++)
                    unit += F[3 * i + k] * C[3 * j + k];
                assert_near(unit, i == j ? det : 0, 1e-15);
                assert_near(G[3 * i + j] * det, C[3 * j + i], 1e-15);
            }
        for (int a = 0; a < 9; a++)
            H[a] = F[a] - (a % 4 == 0);
        carom_mat_growth(H, &growth);
        assert_near(growth, det - 1, 1e-14);
    }
    // tr H cancels, and of the principal minors only H[1] H[3] remains: det(I + H) - 1 is far below the rounding of 1
    const double tiny[9] = {1e-12, 1e-12, 0, 1e-12, -1e-12, 0, 0, 0, 0};
    double growth;
    carom_mat_growth(tiny, &growth);
    assert_near(growth, -2e-24, 1e-39);
}

static void lanes(void **state) {
    (void)state;
    uint64_t seed = 3;
    double F[CAROM_LANES][9], S[CAROM_LANES][6];
    carom_lanes f[9], s[6], right[9], outer[6], gram[6], adjoint[6], cofactor[9], inverse[9], det, det_s, growth;
    for (int l = 0; l < CAROM_LANES; l++) {
        draw(&seed, 9, F[l]);
        draw(&seed, 6, S[l]);
        for (int a = 0; a < 9; a++)
            f[a][l] = F[l][a];
        for (int a = 0; a < 6; a++)
            s[a][l] = S[l][a];
    }
    carom_kernel_right(f, s, right);
    carom_kernel_outer(right, f, outer);
    carom_kernel_gram(f, gram);
    carom_kernel_adjoint(s, adjoint, &det_s);
    carom_kernel_cofactor(f, cofactor, &det);
    carom_kernel_invert(f, inverse, &det);
    carom_kernel_growth(f, &growth);
    for (int l = 0; l < CAROM_LANES; l++) {
        double a[9], b[6], c[6], d[6], e[9], g[9], one, other, grown;
        carom_sym3_right(F[l], S[l], a);
        carom_sym3_congruence(F[l], S[l], b);
        carom_sym3_gram(F[l], c);
        carom_sym3_adjoint(S[l], d, &other);
        carom_mat_cofactor(F[l], e, &one);
        carom_mat_invert(F[l], g, &one);
        carom_mat_growth(F[l], &grown);
        for (int k = 0; k < 9; k++)
            assert_true(a[k] == right[k][l] && e[k] == cofactor[k][l] && g[k] == inverse[k][l]);
        for (int k = 0; k < 6; k++)
            assert_true(b[k] == outer[k][l] && c[k] == gram[k][l] && d[k] == adjoint[k][l]);
        assert_true(one == det[l] && other == det_s[l] && grown == growth[l]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(products), cmocka_unit_test(inverses), cmocka_unit_test(lanes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
