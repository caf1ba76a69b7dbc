// SPDX-License-Identifier: MIT
// How shells vibrate: the lowest mode of a symmetry class, by conjugate gradients on Rayleigh's quotient from a shape of that
// class.
#include "../shells.h"

// w = K v by differences of forces, v of order one.
static void multiply(shell *s, const double *v, double *w) {
    const carom_model *model = s->b.model;
    double h = 1e-5;
    for (int side = 1; side >= -1; side -= 2) {
        for (int i = 0; i < 3 * model->node_count; i++)
            s->x[i / 3][i % 3] = model->X[i / 3][i % 3] + side * h * v[i];
        shell_force(s);
        for (int i = 0; i < 3 * model->node_count; i++)
            w[i] = (side > 0 ? 0 : w[i]) - side * s->f[i / 3][i % 3] / (2 * h);
    }
}

static double inner(const shell *s, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < 3 * s->b.model->node_count; i++)
        sum += s->b.model->mass[i / 3] * a[i] * b[i];
    return sum;
}

static double dot(const shell *s, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < 3 * s->b.model->node_count; i++)
        sum += a[i] * b[i];
    return sum;
}

enum { NODES_MAX = 4096, RIGID = 6 };
static double x[3 * NODES_MAX], Kx[3 * NODES_MAX], p[3 * NODES_MAX], Kp[3 * NODES_MAX], r[3 * NODES_MAX],
    rigid[RIGID][3 * NODES_MAX];

// Translations and rotations, orthogonal to each other by mass.
static void find_rigid(const shell *s) {
    for (int m = 0; m < RIGID; m++) {
        for (int k = 0; k < s->b.model->node_count; k++) {
            double axis[3] = {m % 3 == 0, m % 3 == 1, m % 3 == 2};
            if (m < 3)
                memcpy(&rigid[m][3 * k], axis, sizeof axis);
            else
                carom_cross(axis, s->b.model->X[k], &rigid[m][3 * k]);
        }
        for (int l = 0; l < m; l++) {
            double c = inner(s, rigid[m], rigid[l]);
            for (int i = 0; i < 3 * s->b.model->node_count; i++)
                rigid[m][i] -= c * rigid[l][i];
        }
        double norm = sqrt(inner(s, rigid[m], rigid[m]));
        for (int i = 0; i < 3 * s->b.model->node_count; i++)
            rigid[m][i] /= norm;
    }
}

static void remove_rigid(const shell *s, double *v) {
    for (int m = 0; m < RIGID; m++) {
        double c = inner(s, v, rigid[m]);
        for (int i = 0; i < 3 * s->b.model->node_count; i++)
            v[i] -= c * rigid[m][i];
    }
}

// Improves the shape in x; returns omega.
static double lowest(shell *s) {
    int size = 3 * s->b.model->node_count;
    assert_true(s->b.model->node_count <= NODES_MAX);
    find_rigid(s);
    remove_rigid(s, x);
    memset(p, 0, sizeof p);
    double before = 0, quotient = 0;
    for (int iteration = 0; iteration < 4000; iteration++) {
        double norm = sqrt(inner(s, x, x)), square = 0;
        for (int i = 0; i < size; i++)
            x[i] /= norm;
        multiply(s, x, Kx);
        quotient = dot(s, x, Kx);
        if (iteration % 20 == 19) {
            if (fabs(quotient - before) < 1e-11 * quotient)
                break;
            before = quotient;
        }
        // the gradient M^-1 K x - quotient x, conjugate to the direction before
        double old = 0;
        for (int i = 0; i < size; i++) {
            double g = Kx[i] / s->b.model->mass[i / 3] - quotient * x[i];
            square += s->b.model->mass[i / 3] * g * g;
            old += s->b.model->mass[i / 3] * r[i] * r[i];
            r[i] = g;
        }
        remove_rigid(s, r);
        double beta = iteration % 50 ? square / old : 0, largest = 0;
        for (int i = 0; i < size; i++) {
            p[i] = -r[i] + beta * p[i];
            largest = fmax(largest, fabs(p[i]));
        }
        // the best combination of x and p
        for (int i = 0; i < size; i++)
            p[i] /= largest;
        multiply(s, p, Kp);
        double a = quotient, b = dot(s, x, Kp), c = dot(s, p, Kp), e = inner(s, x, p), m = inner(s, p, p);
        double A = m - e * e, B = -(c + a * m - 2 * b * e), C = a * c - b * b, low = (-B - sqrt(B * B - 4 * A * C)) / (2 * A);
        double t = -(a - low) / (b - low * e);
        for (int i = 0; i < size; i++) {
            x[i] += t * p[i];
            p[i] *= largest;
        }
    }
    return sqrt(quotient);
}

// A zonal mode of the sphere moves along the normal by P_n(z) and along the meridian by its derivative.
static double sphere_mode(int n, int rule) {
    shell s = {0};
    shell_start_sphere(&s, 2048);
    s.params.integration = rule;
    shell_build(&s);
    for (int k = 0; k < s.b.model->node_count; k++) {
        const double *X = s.b.model->X[k];
        double z = X[2], P = n == 2 ? 0.5 * (3 * z * z - 1) : 0.5 * (5 * z * z * z - 3 * z);
        double D = n == 2 ? 3 * z : 0.5 * (15 * z * z - 3);
        for (int i = 0; i < 3; i++)
            x[3 * k + i] = P * X[i] + D * ((i == 2) - z * X[i]) / (n + 1);
    }
    double omega = lowest(&s);
    shell_end(&s);
    return omega;
}

// Membrane theory: 1202.0 for n = 2 and 1423 for n = 3. An independent program found 1202.2 to 1202.5 and 1417 to 1427 on this
// mesh, and that the rules agree to 1e-4.
static void test_sphere(void **state) {
    (void)state;
    double two = sphere_mode(2, CAROM_SHELL_ONE_POINT), three = sphere_mode(3, CAROM_SHELL_ONE_POINT);
    print_message("n = 2: %.2f, n = 3: %.2f\n", two, three);
    assert_near(two, 1202.4, 0.7);
    assert_near(three, 1422, 6);
    assert_near(sphere_mode(2, CAROM_SHELL_THREE_POINT), two, 2e-4 * two);
}

// A sphere that grows and shrinks: omega^2 = 2 E/((1 - nu) rho R^2).
static void test_breathing(void **state) {
    (void)state;
    shell s = {0};
    shell_start_sphere(&s, 2048);
    shell_build(&s);
    for (int k = 0; k < s.b.model->node_count; k++)
        memcpy(&x[3 * k], s.b.model->X[k], sizeof *s.b.model->X);
    double exact = sqrt(2 * 2.1e5 / (0.7 * 7.85e-2));
    multiply(&s, x, Kx);
    assert_near(sqrt(dot(&s, x, Kx) / inner(&s, x, x)) / exact, 1.0001, 5e-5);
    shell_end(&s);
}

// A free circular plate: two nodal diameters, one nodal circle, three nodal diameters. omega R^2 sqrt(rho t/D) = 5.358, 9.003,
// 12.44 (A. W. Leissa: Vibration of plates, NASA SP-160, 1969, for nu = 0.3: 5.253 for 0.33); on this mesh an independent
// program found 5.369, 8.959, 12.40.
static void test_plate(void **state) {
    (void)state;
    const double expected[3] = {5.369, 8.959, 12.40};
    const int waves[3] = {2, 0, 3};
    carom_hexagonal_disc_params disc = {.radius = 1, .rings = 24};
    double t = 0.01;
    shell s = {0};
    shell_start(&s, "hexagonal-disc", &disc, t, 1);
    shell_build(&s);
    double scale = sqrt(t / (2.1e5 * t * t * t / (12 * (1 - 0.09))));
    for (int c = 0; c < 3; c++) {
        memset(x, 0, sizeof x);
        for (int k = 0; k < s.b.model->node_count; k++) {
            const double *X = s.b.model->X[k];
            double square = X[0] * X[0] + X[1] * X[1];
            x[3 * k + 2] = waves[c] ? pow(square, 0.5 * waves[c]) * cos(waves[c] * atan2(X[1], X[0])) : square;
        }
        double omega = lowest(&s) * scale;
        print_message("%d diameters: %.4f\n", waves[c], omega);
        assert_near(omega, expected[c], 0.001 * expected[c]);
    }
    shell_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sphere),
        cmocka_unit_test(test_breathing),
        cmocka_unit_test(test_plate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
