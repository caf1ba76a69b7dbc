// SPDX-License-Identifier: MIT
// Tests src/math/turn.h.
// Free rotation by the midpoint rule: momentum and energy are conserved for any step, the orientation converges with order two,
// and errors are those of an independent prototype.
#include "../../support.h"
#include "math/turn.h"
#include "math/turn_vector.h"

#define MATRIX(A) ((const double(*)[3])(A))

static double energy_of(const double I[3], const double R[3][3], const double l[3]) {
    double L[3];
    carom_mat3_apply_transposed(R, l, L);
    return 0.5 * (L[0] * L[0] / I[0] + L[1] * L[1] / I[1] + L[2] * L[2] / I[2]);
}

static void momentum_of(const double I[3], const double R[3][3], const double W[3], double l[3]) {
    double L[3] = {I[0] * W[0], I[1] * W[1], I[2] * W[2]};
    carom_mat3_apply(R, L, l);
}

// dR/dt = R hat(I^-1 R^T l)
static void slope(const double I[3], const double l[3], const double R[3][3], double D[3][3]) {
    double L[3];
    carom_mat3_apply_transposed(R, l, L);
    double W[3] = {L[0] / I[0], L[1] / I[1], L[2] / I[2]};
    const double hat[3][3] = {{0, -W[2], W[1]}, {W[2], 0, -W[0]}, {-W[1], W[0], 0}};
    carom_mat3_multiply(R, hat, D);
}

// The Runge-Kutta method of order four, with steps so small that its error is rounding.
static void reference(const double I[3], const double l[3], double T, int steps, double R[3][3]) {
    static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    double h = T / steps;
    for (int n = 0; n < steps; n++) {
        double D[3][3] = {{0}}, sum[3][3] = {{0}}, Q[3][3];
        for (int s = 0; s < 4; s++) {
            for (int i = 0; i < 9; i++)
                Q[i / 3][i % 3] = R[i / 3][i % 3] + h * at[s] * D[i / 3][i % 3];
            slope(I, l, MATRIX(Q), D);
            for (int i = 0; i < 9; i++)
                sum[i / 3][i % 3] += weight[s] * D[i / 3][i % 3];
        }
        for (int i = 0; i < 9; i++)
            R[i / 3][i % 3] += h * sum[i / 3][i % 3];
    }
}

static double distance(const double A[3][3], const double B[3][3]) {
    double most = 0;
    for (int i = 0; i < 9; i++)
        most = fmax(most, fabs(A[i / 3][i % 3] - B[i / 3][i % 3]));
    return most;
}

// The top of the prototype: the errors of orientation at T = 20 are those of its table, to one percent.
static void attitude(void **state) {
    (void)state;
    static const double I[3] = {1, 2, 3}, W[3] = {0.1, 1, 0.1}, known[3] = {1.704e-2, 4.291e-3, 1.075e-3};
    double l[3], truth[3][3];
    carom_mat3_identity(truth);
    momentum_of(I, MATRIX(truth), W, l);
    reference(I, l, 20, 40000, truth);
    for (int n = 0; n < 3; n++) {
        double R[3][3], h = 0.1 / (1 << n);
        carom_mat3_identity(R);
        double start = energy_of(I, MATRIX(R), l);
        for (int s = 0; s < 200 << n; s++)
            carom_turn_freely(I, l, h, R);
        assert_near(energy_of(I, MATRIX(R), l) / start, 1, 1e-14);
        assert_near(distance(MATRIX(R), MATRIX(truth)) / known[n], 1, 0.01);
    }
}

// A hundred thousand steps of a tumbling body: its energy is conserved, and R remains a rotation.
static void long_run(void **state) {
    (void)state;
    static const double I[3] = {1, 2, 3}, W[3] = {0.01, 1, 0.02};
    double l[3], R[3][3], S[3][3], one[3][3];
    carom_mat3_identity(R);
    carom_mat3_identity(one);
    momentum_of(I, MATRIX(R), W, l);
    double start = energy_of(I, MATRIX(R), l), most = 0;
    for (int s = 0; s < 100000; s++) {
        carom_turn_freely(I, l, 0.1, R);
        most = fmax(most, fabs(energy_of(I, MATRIX(R), l) / start - 1));
    }
    carom_mat3_multiply_transposed(MATRIX(R), MATRIX(R), S);
    assert_true(most < 1e-13);
    assert_true(distance(MATRIX(S), MATRIX(one)) < 1e-14);
}

// Random steps of any length: the energy is that of the start.
static void any_step(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int trial = 0; trial < 1000; trial++) {
        double I[3] = {random_real(&seed, 1, 2), random_real(&seed, 1, 2), random_real(&seed, 1, 2)}, l[3], R[3][3];
        for (int i = 0; i < 3; i++)
            l[i] = random_real(&seed, -1, 1);
        carom_mat3_identity(R);
        double start = energy_of(I, MATRIX(R), l);
        for (int s = 0; s < 10; s++)
            carom_turn_freely(I, l, random_real(&seed, 0, 1), R);
        assert_near(energy_of(I, MATRIX(R), l) / start, 1, 1e-14);
    }
}

// The rotation vector from the matrix of a rotation: small angles, large angles, and half turns.
static void vectors(void **state) {
    (void)state;
    uint64_t seed = 11;
    static const double angles[] = {0, 1e-12, 1e-5, 0.3, 1, 2, 3, 3.14, 3.14159265358};
    for (int trial = 0; trial < 900; trial++) {
        double axis[3], none[3] = {0}, w[3], moved[3], R[3][3], back[3], angle = angles[trial % 9];
        for (int i = 0; i < 3; i++)
            axis[i] = random_real(&seed, -1, 1);
        carom_normalize(axis);
        // the Cayley map rotates by 2 atan(|w|/2)
        for (int i = 0; i < 3; i++)
            w[i] = 2 * tan(angle / 2) * axis[i];
        carom_cayley(w, none, R, moved);
        carom_turn_vector(MATRIX(R), back);
        for (int i = 0; i < 3; i++)
            assert_near(back[i], angle * axis[i], 1e-15 + 4e-16 / cos(angle / 2) * 1e-6 + 1e-15 * angle);
    }
    static const double half[3][3] = {{-1, 0, 0}, {0, 1, 0}, {0, 0, -1}};
    double turn[3];
    carom_turn_vector(half, turn);
    assert_true(turn[0] == 0 && turn[1] == 4 * atan(1) && turn[2] == 0);
}

// A heavy top with the moment of a unit weight on its third axis, in half kicks before and after each rotation. The largest
// energy errors are those of the prototype, and in the last tenth of 500 time units they are not larger than in the first.
static double heavy_top(double h, double *drift) {
    static const double I[3] = {1, 1.3, 0.6}, W[3] = {0, 0.3, 5};
    double l[3], c = cos(0.5), s = sin(0.5), R[3][3] = {{1, 0, 0}, {0, c, -s}, {0, s, c}}, most = 0, part[2] = {0};
    momentum_of(I, MATRIX(R), W, l);
    double start = energy_of(I, MATRIX(R), l) + R[2][2];
    int steps = (int)(500 / h + 0.5);
    for (int n = 0; n < steps; n++) {
        for (int half = 0; half < 2; half++) {
            // R e_3 x (0, 0, -1)
            l[0] -= 0.5 * h * R[1][2];
            l[1] += 0.5 * h * R[0][2];
            if (half == 0)
                carom_turn_freely(I, l, h, R);
        }
        double error = fabs((energy_of(I, MATRIX(R), l) + R[2][2]) / start - 1);
        most = fmax(most, error);
        if (n < steps / 10 || n >= steps - steps / 10)
            part[n >= steps / 10] = fmax(part[n >= steps / 10], error);
    }
    *drift = part[1] / part[0] - 1;
    return most;
}

static void heavy(void **state) {
    (void)state;
    static const double known[2] = {7.24e-5, 1.82e-5};
    for (int n = 0; n < 2; n++) {
        double drift, most = heavy_top(0.05 / (1 << n), &drift);
        assert_near(most / known[n], 1, 0.01);
        assert_near(drift, 0, 1e-3);
    }
}

// The time between zeros of the angular velocity about the intermediate axis, over eight of them.
static double flips(const double I[3], const double W[3], double h) {
    double l[3], R[3][3], L[3], first = 0, before = W[1];
    carom_mat3_identity(R);
    momentum_of(I, MATRIX(R), W, l);
    int count = 0;
    for (int n = 1;; n++) {
        carom_turn_freely(I, l, h, R);
        carom_mat3_apply_transposed(MATRIX(R), l, L);
        double now = L[1] / I[1];
        if ((now < 0) != (before < 0)) {
            // its second derivative is zero there as well, so linear interpolation is accurate
            double time = (n - 1 + before / (before - now)) * h;
            if (count == 0)
                first = time;
            if (count++ == 8)
                return (time - first) / 8;
        }
        before = now;
    }
}

// A body that spins about its intermediate axis flips after the time 2 K(k)/n (Dzhanibekov), with
//     n^2 = (I3 - I2) (l^2 - 2 E I1)/(I1 I2 I3),   k^2 = (I2 - I1) (2 E I3 - l^2)/((I3 - I2) (l^2 - 2 E I1)),
// and K by the arithmetic-geometric mean. The error is of second order.
static void turning_over(void **state) {
    (void)state;
    static const double I[3] = {1, 2, 3}, W[3] = {0.1, 1, 0.1};
    double E = 0, ll = 0, error[3];
    for (int i = 0; i < 3; i++) {
        E += 0.5 * I[i] * W[i] * W[i];
        ll += I[i] * I[i] * W[i] * W[i];
    }
    double n = sqrt((I[2] - I[1]) * (ll - 2 * E * I[0]) / (I[0] * I[1] * I[2]));
    double k2 = (I[1] - I[0]) * (2 * E * I[2] - ll) / ((I[2] - I[1]) * (ll - 2 * E * I[0])), a = 1, b = sqrt(1 - k2);
    for (int round = 0; round < 10; round++) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    double exact = acos(-1) / a / n;
    for (int i = 0; i < 3; i++)
        error[i] = flips(I, W, 0.1 / (1 << i)) / exact - 1;
    assert_near(error[0] / error[1], 4, 0.05);
    assert_near(error[1] / error[2], 4, 0.05);
    assert_near(error[2], 0, 1e-4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attitude), cmocka_unit_test(heavy),    cmocka_unit_test(turning_over),
        cmocka_unit_test(long_run), cmocka_unit_test(any_step), cmocka_unit_test(vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
