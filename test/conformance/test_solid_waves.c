// SPDX-License-Identifier: MIT
// Vibrations of solids against exact solutions of linear elasticity, mesh and step refined together: second order.
//
// Each motion is a standing wave u = A U(X) sin(omega t), started from rest positions with the velocities A omega U:
//     bar       longitudinal, nu = 0:  U = (cos kx, 0, 0), omega = k sqrt(E/rho), all faces free
//     shear     Lame's mode of a free square or cube:  U = (cos kx sin ky, -sin kx cos ky, 0), omega = sqrt(2) k c_t, any nu
//     bending   flexural mode of a plate of thickness 2 h in plane strain, after Rayleigh (1889) and H. Lamb,
//               Proc. R. Soc. A 93 (1917) 114: omega from (k^2 + b^2)^2 sinh(ah) cosh(bh) = 4 k^2 a b cosh(ah) sinh(bh),
//               a^2 = k^2 - omega^2/c_l^2, b^2 = k^2 - omega^2/c_t^2;
//               rollers at both ends
//     torsion   of a round rod:  U = (-y, x, 0) cos kz, omega = k c_t, all faces free
#include "../solids.h"
#include "carom/threads.h"

#define PI 3.14159265358979323846

typedef struct wave {
    double omega;
    void (*shape)(const struct wave *w, const double X[3], double U[3]);
    // bending: wave number, half thickness, exponents and amplitudes of the two potentials
    double k, h, a, b, A, B;
} wave;

static void bar_shape(const wave *w, const double X[3], double U[3]) {
    U[0] = cos(w->k * X[0]);
    U[1] = U[2] = 0;
}

static void shear_shape(const wave *w, const double X[3], double U[3]) {
    U[0] = cos(w->k * X[0]) * sin(w->k * X[1]);
    U[1] = -sin(w->k * X[0]) * cos(w->k * X[1]);
    U[2] = 0;
}

static void bending_shape(const wave *w, const double X[3], double U[3]) {
    double y = X[1] - w->h;
    U[0] = (-w->k * w->A * sinh(w->a * y) + w->b * w->B * sinh(w->b * y)) * sin(w->k * X[0]);
    U[1] = (w->a * w->A * cosh(w->a * y) - w->k * w->B * cosh(w->b * y)) * cos(w->k * X[0]);
    U[2] = 0;
}

static void torsion_shape(const wave *w, const double X[3], double U[3]) {
    U[0] = -X[1] * cos(w->k * X[2]);
    U[1] = X[0] * cos(w->k * X[2]);
    U[2] = 0;
}

// Both sides of the dispersion relation, as a difference.
static double dispersion(wave *w, double omega, double c_l, double c_t) {
    double k = w->k, h = w->h;
    w->omega = omega;
    w->a = sqrt(k * k - omega * omega / (c_l * c_l));
    w->b = sqrt(k * k - omega * omega / (c_t * c_t));
    double sum = k * k + w->b * w->b;
    return sum * sum * sinh(w->a * h) * cosh(w->b * h) - 4 * k * k * w->a * w->b * cosh(w->a * h) * sinh(w->b * h);
}

static wave bending_wave(double k, double h, carom_elastic_params law) {
    double mu = law.young / (2 * (1 + law.poisson)), lambda = 2 * mu * law.poisson / (1 - 2 * law.poisson);
    double c_l = sqrt((lambda + 2 * mu) / law.density), c_t = sqrt(mu / law.density);
    wave w = {.shape = bending_shape, .k = k, .h = h};
    double low = 0.01 * c_t * k, high = 0.999 * c_t * k, sign = dispersion(&w, low, c_l, c_t);
    assert_true(sign * dispersion(&w, high, c_l, c_t) < 0);
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        if (sign * dispersion(&w, middle, c_l, c_t) > 0)
            low = middle;
        else
            high = middle;
    }
    dispersion(&w, 0.5 * (low + high), c_l, c_t);
    // no shear stress on the faces; the largest deflection is one
    w.A = (k * k + w.b * w.b) * cosh(w.b * h);
    w.B = 2 * k * w.a * cosh(w.a * h);
    double U[3];
    bending_shape(&w, VECTOR(0, 0, 0), U);
    w.A /= U[1];
    w.B /= U[1];
    return w;
}

// The largest error over one period, in the mass norm, relative to the wave.
static double error_of(bench *b, const wave *w) {
    const double amplitude = 1e-3;
    carom_mesh *mesh = &b->meshes[0];
    mesh->velocities = solid_reserve(mesh->node_count, sizeof *mesh->velocities);
    for (int k = 0; k < mesh->node_count; k++) {
        double U[3];
        w->shape(w, mesh->nodes[k], U);
        carom_add_scaled(amplitude * w->omega, U, mesh->velocities[k]);
    }
    bench_build(b);
    double end = 2 * PI / w->omega, steps = ceil(end / (0.5 * carom_model_stable_step(b->model))), most = 0;
    bench_simulate(b, end, end / steps);
    const carom_state *now = carom_sim_state(b->sim);
    while (!carom_sim_done(b->sim)) {
        assert_ok(carom_sim_step(b->sim, error));
        const double(*x)[3] = carom_state_positions(now);
        double wrong = 0, whole = 0, phase = sin(w->omega * carom_state_time(now));
        for (int k = 0; k < b->model->node_count; k++) {
            double U[3], d[3];
            w->shape(w, b->model->X[k], U);
            carom_difference(x[k], b->model->X[k], d);
            carom_add_scaled(-amplitude * phase, U, d);
            wrong += b->model->mass[k] * carom_dot(d, d);
            whole += b->model->mass[k] * carom_dot(U, U) * amplitude * amplitude;
        }
        most = fmax(most, sqrt(wrong / whole));
    }
    bench_end(b);
    return most;
}

// Three meshes, each twice as fine as the one before.
static void check_order(const char *wave_name, const solid_case *c, const double error[3], double most) {
    double order = log2(error[1] / error[2]);
    if (!(order > 1.85 && order < 2.15 && error[2] < most))
        fail_msg("%s, %s: errors %g, %g, %g, order %g", wave_name, c->name, error[0], error[1], error[2], order);
}

// Simplices, and wedges with the strain of a triangle, are stiffer and averages around nodes softer, and reach their order
// later: their meshes are twice as fine.
static int coarsest(const solid_case *c) {
    bool stiff = strcmp(c->element, "tri3") == 0 || strcmp(c->element, "tet4") == 0 || strcmp(c->element, "wedge6") == 0;
    return stiff || solid_is_nodal(c) ? 2 : 1;
}

static void bars(void **state) {
    (void)state;
    for (int c = 0; c < SOLID_CASES; c++) {
        double wrong[3];
        for (int level = 0; level < 3; level++) {
            solid s;
            int n = coarsest(&solid_cases[c]) << level;
            solid_start(&s, &solid_cases[c], VECTOR(1, 0.25, 0.25), (const int[]){4 * n, n, n}, "linear",
                        (carom_elastic_params){.young = 1, .density = 1});
            wrong[level] = error_of(&s.b, &(wave){.omega = PI, .shape = bar_shape, .k = PI});
        }
        check_order("bar", &solid_cases[c], wrong, 0.02);
    }
}

static void shear(void **state) {
    (void)state;
    for (int c = 0; c < SOLID_CASES; c++) {
        double wrong[3];
        for (int level = 0; level < 3; level++) {
            solid s;
            int n = coarsest(&solid_cases[c]) << level;
            solid_start(&s, &solid_cases[c], VECTOR(1, 1, 0.25), (const int[]){4 * n, 4 * n, n}, "linear",
                        (carom_elastic_params){.young = 2.6, .poisson = 0.3, .density = 1});
            wrong[level] = error_of(&s.b, &(wave){.omega = sqrt(2) * PI, .shape = shear_shape, .k = PI});
        }
        check_order("shear", &solid_cases[c], wrong, 0.1);
    }
}

static void bending(void **state) {
    (void)state;
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int c = 0; c < SOLID_CASES; c++) {
        const solid_case *kind = &solid_cases[c];
        if (kind->plane && kind->choice == CAROM_PLANE_STRESS)
            continue;
        double wrong[3];
        carom_elastic_params law = {.young = 2.6, .poisson = 0.3, .density = 1};
        for (int level = 0; level < 3; level++) {
            solid s;
            int n = coarsest(kind) << level;
            solid_start(&s, kind, VECTOR(1, 0.5, 0.25), (const int[]){4 * n, 2 * n, n}, "linear", law);
            // rollers: the ends keep their x, and nothing moves along z
            carom_restraint_def restraints[3] = {0};
            static const char *const sets[3] = {"xmin", "xmax", ""};
            for (int r = 0; r < 3; r++) {
                restraints[r].where.node = CAROM_AUTO;
                snprintf(restraints[r].where.body, CAROM_NAME_MAX, "body0");
                snprintf(restraints[r].where.set, CAROM_NAME_MAX, "%s", sets[r]);
                restraints[r].direction_count = 1;
                memcpy(restraints[r].direction[0], axes[r < 2 ? 0 : 2], sizeof axes[0]);
            }
            s.b.def.restraints = restraints;
            s.b.def.restraint_count = kind->plane ? 2 : 3;
            wave w = bending_wave(PI, 0.25, law);
            wrong[level] = error_of(&s.b, &w);
        }
        check_order("bending", kind, wrong, 0.04);
    }
}

static void torsion(void **state) {
    (void)state;
    for (int c = 0; c < SOLID_CASES; c++) {
        const solid_case *kind = &solid_cases[c];
        if (kind->plane)
            continue;
        double wrong[3];
        for (int level = 0; level < 3; level++) {
            solid s;
            int n = 1 << level;
            solid_start(&s, kind, VECTOR(1, 1, 1), (const int[]){1, 1, 1}, "linear",
                        (carom_elastic_params){.young = 2.6, .poisson = 0.3, .density = 1});
            carom_mesh_release(&s.b.meshes[0]);
            carom_cylinder_params rod = {
                .radius = 0.25, .height = 1, .divisions = 2 * n, .layers = n, .slices = 4 * n, .cells = solid_is_tet(kind)};
            carom_pick pick = {carom_catalogue_find(carom_generators(), "cylinder"), &rod};
            assert_ok(carom_mesh_generate(pick, &s.b.meshes[0], error));
            if (strcmp(kind->element, "wedge6") == 0)
                solid_halve(&s.b.meshes[0]);
            wrong[level] = error_of(&s.b, &(wave){.omega = PI, .shape = torsion_shape, .k = PI});
        }
        check_order("torsion", kind, wrong, 0.15);
    }
}

int main(void) {
    carom_set_threads(1);
    const struct CMUnitTest tests[] = {cmocka_unit_test(bars), cmocka_unit_test(shear), cmocka_unit_test(bending),
                                       cmocka_unit_test(torsion)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
