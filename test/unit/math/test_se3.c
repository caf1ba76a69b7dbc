// SPDX-License-Identifier: MIT
// Tests src/math/se3.h, src/integrator/multisymplectic/frame_step.c.
// The Cayley map and its derivative against finite differences, and the discrete Legendre transform of a section.
#include "../../support.h"
#include "integrator/multisymplectic/frame_step.h"
#include "math/se3.h"

static void draw(uint64_t *seed, double size, double a[3]) {
    for (int i = 0; i < 3; i++)
        a[i] = random_real(seed, -size, size);
}

static double distance(const double (*A)[3], const double (*B)[3]) {
    double most = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            most = fmax(most, fabs(A[i][j] - B[i][j]));
    return most;
}

#define MATRIX(A) ((const double(*)[3])(A))

// tau(w, g) = ((I - W/2)^-1 (I + W/2), (I - W/2)^-1 g): checked by multiplication with I - W/2.
static void definition(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int trial = 0; trial < 100; trial++) {
        double w[3], g[3], R[3][3], t[3], I[3][3], RtR[3][3];
        draw(&seed, 3, w);
        draw(&seed, 3, g);
        carom_cayley(w, g, R, t);
        for (int j = 0; j < 3; j++) {
            double column[3] = {R[0][j], R[1][j], R[2][j]}, axis[3] = {j == 0, j == 1, j == 2}, left[3], right[3];
            carom_cross(w, column, left);
            carom_cross(w, axis, right);
            for (int i = 0; i < 3; i++)
                assert_near(column[i] - 0.5 * left[i], axis[i] + 0.5 * right[i], 1e-14);
        }
        double cross[3];
        carom_cross(w, t, cross);
        for (int i = 0; i < 3; i++)
            assert_near(t[i] - 0.5 * cross[i], g[i], 1e-14);
        carom_mat3_identity(I);
        carom_mat3_multiply_transposed(MATRIX(R), MATRIX(R), RtR);
        assert_near(distance(MATRIX(RtR), MATRIX(I)), 0, 1e-15);
    }
}

static void inverse(void **state) {
    (void)state;
    uint64_t seed = 2;
    for (int trial = 0; trial < 100; trial++) {
        double w[3], g[3], R[3][3], t[3], w2[3], g2[3];
        draw(&seed, 2, w);
        draw(&seed, 2, g);
        carom_cayley(w, g, R, t);
        carom_cayley_inverse(MATRIX(R), t, w2, g2);
        for (int i = 0; i < 3; i++) {
            assert_near(w2[i], w[i], 1e-13);
            assert_near(g2[i], g[i], 1e-13);
        }
    }
}

// <(dtau^-1_z)^* p, d> = <p, z'> where z(e) = tau^-1(tau(e d) tau(z)): the right-trivialised derivative, by differences.
static void dual(void **state) {
    (void)state;
    uint64_t seed = 3;
    for (int trial = 0; trial < 50; trial++) {
        double w[3], g[3], dw[3], dg[3], m[3], n[3], p[3], q[3], R[3][3], t[3], h = 1e-4, slope = 0;
        draw(&seed, 1, w), draw(&seed, 1, g), draw(&seed, 1, dw), draw(&seed, 1, dg), draw(&seed, 1, m), draw(&seed, 1, n);
        carom_cayley(w, g, R, t);
        const double at[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
        for (int k = 0; k < 4; k++) {
            double ew[3], eg[3], E[3][3], e[3], ER[3][3], Et[3], zw[3], zg[3];
            for (int i = 0; i < 3; i++)
                ew[i] = at[k] * h * dw[i], eg[i] = at[k] * h * dg[i];
            carom_cayley(ew, eg, E, e);
            carom_mat3_multiply(MATRIX(E), MATRIX(R), ER);
            carom_mat3_apply(MATRIX(E), t, Et);
            carom_add_scaled(1, e, Et);
            carom_cayley_inverse(MATRIX(ER), Et, zw, zg);
            slope += weight[k] * (carom_dot(m, zw) + carom_dot(n, zg)) / (12 * h);
        }
        carom_cayley_dual(w, g, m, n, p, q);
        assert_near(carom_dot(p, dw) + carom_dot(q, dg), slope, 1e-11);
    }
}

// The power of a wrench does not depend on the frame.
static void moved_wrench(void **state) {
    (void)state;
    uint64_t seed = 4;
    double w[3], g[3], m[3], n[3], p[3], q[3], R[3][3], t[3], rw[3], rg[3], cross[3];
    draw(&seed, 1, w), draw(&seed, 1, g), draw(&seed, 1, m), draw(&seed, 1, n), draw(&seed, 1, p), draw(&seed, 1, q);
    carom_cayley(p, q, R, t);
    carom_ad_dual(MATRIX(R), t, m, n, p, q);
    // Ad (w, g) = (R w, R g + t x R w)
    carom_mat3_apply(MATRIX(R), w, rw);
    carom_mat3_apply(MATRIX(R), g, rg);
    carom_cross(t, rw, cross);
    carom_add_scaled(1, cross, rg);
    assert_near(carom_dot(p, w) + carom_dot(q, g), carom_dot(m, rw) + carom_dot(n, rg), 1e-15);
}

static void rotation(void **state) {
    (void)state;
    double R[3][3], v[3];
    carom_mat3_rotation(VECTOR(0.5, 0, 0), R);
    carom_mat3_apply(MATRIX(R), VECTOR(0, 1, 0), v);
    assert_near(v[0], 0, 0);
    assert_near(v[1], cos(0.5), 1e-16);
    assert_near(v[2], sin(0.5), 1e-16);
    carom_mat3_rotation(VECTOR(0, 0, 0), R);
    assert_near(R[0][0] + R[1][1] + R[2][2], 3, 0);
}

static void solve(void **state) {
    (void)state;
    uint64_t seed = 5;
    double A[3][3], b[3], x[3], r[3];
    for (int i = 0; i < 3; i++)
        draw(&seed, 1, A[i]), b[i] = 1 + i;
    assert_true(carom_mat3_solve(MATRIX(A), b, x));
    carom_mat3_apply(MATRIX(A), x, r);
    for (int i = 0; i < 3; i++)
        assert_near(r[i], b[i], 1e-13);
    assert_false(carom_mat3_solve((const double[3][3]){{1, 2, 3}, {2, 4, 6}, {0, 1, 0}}, b, x));
}

// Velocity from momentum and back, for usual steps and speeds; with the degrees of freedom that a hinge and a clamp leave.
static void legendre(void **state) {
    (void)state;
    uint64_t seed = 6;
    const double J[3] = {2.6e-5, 2.6e-5, 5.2e-5}, mass = 0.125, h = 4e-5;
    for (int trial = 0; trial < 100; trial++) {
        double w[3], g[3], mu[6], w2[3] = {0}, g2[3];
        draw(&seed, 400, w);
        draw(&seed, 30, g);
        carom_frame_momentum(J, mass, h, w, g, mu);
        carom_frame_velocity(J, mass, h, (carom_fixity){false, false}, mu, w2, g2);
        for (int i = 0; i < 3; i++) {
            assert_near(w2[i], w[i], 1e-13 * 400);
            assert_near(g2[i], g[i], 1e-14 * 30);
        }
        carom_frame_velocity(J, mass, h, (carom_fixity){true, false}, mu, w2, g2);
        double back[6];
        carom_frame_momentum(J, mass, h, w2, g2, back);
        for (int i = 0; i < 3; i++) {
            assert_near(g2[i], 0, 0);
            assert_near(back[i], mu[i], 1e-16);
        }
        carom_frame_velocity(J, mass, h, (carom_fixity){true, true}, mu, w2, g2);
        assert_near(carom_norm(w2) + carom_norm(g2) + carom_norm(mu), 0, 0);
    }
    // for a section that moves by much more than its radius of gyration in a step the velocity is not unique: the result is
    // NaN, or a velocity with this momentum
    double mu[6] = {0, 0, 1e3, 1e6, 0, 0}, w[3] = {0}, g[3];
    carom_frame_velocity(J, mass, 1, (carom_fixity){false, false}, mu, w, g);
    double back[6];
    carom_frame_momentum(J, mass, 1, w, g, back);
    assert_true(isnan(w[0]) || fabs(back[2] - mu[2]) < 1e-9 * 1e6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definition), cmocka_unit_test(inverse), cmocka_unit_test(dual),     cmocka_unit_test(moved_wrench),
        cmocka_unit_test(rotation),   cmocka_unit_test(solve),   cmocka_unit_test(legendre),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
