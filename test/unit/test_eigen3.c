// SPDX-License-Identifier: MIT
// Tests src/math/eigen3.h.
// Eigenvalues of symmetric matrices that are made of them.
#include "../support.h"
#include "math/eigen3.h"

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

static void known_values(void **state) {
    (void)state;
    uint64_t seed = 3;
    static const double sets[][3] = {{3, 2, 1}, {1, 1, -2},  {5, -1, -1},      {1, 1, 1},
                                     {0, 0, 0}, {1e9, 1, 0}, {2, 2, 2 - 1e-9}, {1, 0, -1}};
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++)
        for (int trial = 0; trial < 200; trial++) {
            double a[6], found[3], scale = fmax(fabs(sets[s][0]), fabs(sets[s][2]));
            compose(sets[s], &seed, a);
            carom_eigenvalues3(a, found);
            assert_true(found[0] >= found[1] && found[1] >= found[2]);
            for (int i = 0; i < 3; i++)
                assert_near(found[i], sets[s][i], 4e-15 * scale);
        }
}

// A diagonal matrix keeps its numbers to the last bit.
static void diagonal(void **state) {
    (void)state;
    const double a[6] = {-3, 7, 0.1};
    double found[3];
    carom_eigenvalues3(a, found);
    assert_true(found[0] == 7 && found[1] == 0.1 && found[2] == -3);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_values), cmocka_unit_test(diagonal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
