// SPDX-License-Identifier: MIT
// Tests src/material/flow/j2.c, src/material/flow/j2_solid.c, src/material/trial.c, src/material/principal.c.
//
// Finite J2 plasticity at a point: closed forms and reference curves; stress and tangent as derivatives; invariance; properties
// that a law with history must have.
#include "../../../support.h"
#include "material/flow/j2.h"
#include "material/material.h"

static const carom_material *const j2 = &carom_material_j2;

// Copper of the Taylor bar.
static carom_j2_params copper(void) {
    carom_j2_params p;
    carom_param_defaults(j2->kind.params, j2->kind.param_count, &p);
    p.elastic = (carom_elastic_params){.young = 117e9, .poisson = 0.35, .density = 8930};
    p.yield = 400e6;
    p.modulus = 100e6;
    return p;
}

static carom_j2_params johnson_cook_copper(void) {
    carom_j2_params p = copper();
    p.elastic = (carom_elastic_params){.young = 124e9, .poisson = 0.34, .density = 8960};
    p.hardening = CAROM_HARDENING_JOHNSON_COOK;
    p.yield = 90e6, p.strength = 292e6, p.exponent = 0.31, p.rate = 0.025, p.reference_rate = 1, p.softening = 1.09;
    p.temperature = 293, p.melting = 1356, p.heat_capacity = 383, p.heat_share = 0.9;
    return p;
}

static carom_j2_params johnson_cook_steel(void) {
    carom_j2_params p = johnson_cook_copper();
    p.elastic = (carom_elastic_params){.young = 200e9, .poisson = 0.29, .density = 7830};
    p.yield = 792e6, p.strength = 510e6, p.exponent = 0.26, p.rate = 0.014, p.softening = 1.03;
    p.melting = 1793, p.heat_capacity = 477;
    return p;
}

static double solid(const carom_j2_params *p, carom_use use, double step, double *history, const double F[9], double P[9],
                    double A[81], carom_losses *losses) {
    const carom_flow flow = {.use = use, .before = step};
    return j2->inelastic->solid(p, &flow, history, F, P, A, losses);
}

// Uniaxial stress: finds the transverse stretch without transverse stress, from the guess in *across, and commits. Returns
// tau_11.
static double pull(const carom_j2_params *p, double *history, double strain, double step, double *across) {
    double F[9] = {exp(strain)}, P[9], A[81];
    for (int i = 0; i < 30; i++) {
        F[4] = F[8] = *across;
        solid(p, CAROM_USE_TRIAL, step, history, F, P, A, NULL);
        double change = -P[4] / (A[40] + A[44]);
        *across += change;
        if (fabs(change) < 1e-15)
            break;
    }
    F[4] = F[8] = *across;
    solid(p, CAROM_USE_COMMIT, step, history, F, P, NULL, NULL);
    return P[0] * F[0];
}

static void uniaxial_stress(void **state) {
    (void)state;
    const carom_j2_params p = copper();
    for (int steps = 1; steps <= 100; steps *= 10) {
        double history[8], bar[3], across = 1, tau = 0, force = 0;
        j2->inelastic->start(&p, CAROM_POINT_SOLID, history);
        j2->inelastic->start(&p, CAROM_POINT_UNIAXIAL, bar);
        for (int i = 1; i <= steps; i++) {
            const carom_flow flow = {.use = CAROM_USE_COMMIT};
            across = i == 1 ? exp(-0.5 * 0.5 / steps) : across;
            tau = pull(&p, history, 0.5 * i / steps, 0, &across);
            force = j2->inelastic->uniaxial(&p, &flow, bar, 0.5 * i / steps, NULL).stress;
        }
        assert_near(tau / 449615713.0657558, 1, 1e-12);
        assert_near(force / 449615713.0657558, 1, 1e-12);
        assert_near(history[CAROM_J2_ALPHA], .4961571306575576, 1e-12);
        assert_near(bar[CAROM_J2_BAR_ALPHA], .4961571306575576, 1e-12);
        assert_near(across, .7792498369310894, 1e-12);
        assert_near(tau / exp(0.5) / 272705715.06293, 1, 1e-12);
        assert_near(j2->inelastic->show(&p, CAROM_POINT_SOLID, history, CAROM_INNER_PLASTIC_STRAIN), .4961571306575576, 1e-12);
        assert_true(isnan(j2->inelastic->show(&p, CAROM_POINT_SOLID, history, CAROM_INNER_TEMPERATURE)));
    }
}

static void uniaxial_strain(void **state) {
    (void)state;
    const carom_j2_params p = copper();
    for (int steps = 1; steps <= 1000; steps *= 10) {
        double history[8], P[9], F[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        j2->inelastic->start(&p, CAROM_POINT_SOLID, history);
        for (int i = 1; i <= steps; i++) {
            F[0] = exp(-.05 * i / steps);
            solid(&p, CAROM_USE_COMMIT, 0, history, F, P, NULL, NULL);
        }
        assert_near(P[0] * F[0] / -6768682210.2656, 1, 1e-12);
        assert_near(history[CAROM_J2_ALPHA], .030233153984115, 1e-13);
    }
    // the Hugoniot elastic limit: no plastic flow just below it, plastic flow just above it
    double limit = 400e6 * (1 - .35) / (1 - .7), modulus = 117e9 * (1 - .35) / ((1 + .35) * (1 - .7));
    for (int above = 0; above < 2; above++) {
        double history[8], F[9] = {exp(-limit / modulus * (above ? 1 + 1e-9 : 1 - 1e-9)), 0, 0, 0, 1, 0, 0, 0, 1};
        j2->inelastic->start(&p, CAROM_POINT_SOLID, history);
        solid(&p, CAROM_USE_COMMIT, 0, history, F, NULL, NULL, NULL);
        assert_int_equal(history[CAROM_J2_ALPHA] > 0, above);
    }
}

static void voce_and_table(void **state) {
    (void)state;
    carom_j2_params p = copper();
    p.hardening = CAROM_HARDENING_VOCE;
    p.yield = 200e6, p.saturation = 500e6, p.modulus = 50e6, p.decay = 8;
    double history[8], across = 0.85;
    j2->inelastic->start(&p, CAROM_POINT_SOLID, history);
    assert_near(pull(&p, history, 0.3, 0, &across) / 486655797.0154, 1, 1e-12);
    assert_near(history[CAROM_J2_ALPHA], .29584054874346, 1e-13);

    // rows on a straight line are linear hardening, for any number of rows; beyond the last row the stress is constant
    carom_j2_params t = copper(), linear = copper();
    t.hardening = CAROM_HARDENING_TABLE;
    t.yield = NAN;
    t.curve.count = 5;
    for (int i = 0; i < 5; i++)
        t.curve.rows[i][0] = 0.1 * i * i, t.curve.rows[i][1] = 400e6 + 100e6 * 0.1 * i * i;
    double other[8], P[9], Q[9], F[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    j2->inelastic->start(&t, CAROM_POINT_SOLID, history);
    j2->inelastic->start(&linear, CAROM_POINT_SOLID, other);
    for (int i = 1; i <= 20; i++) {
        carom_losses a, b;
        F[1] = 0.05 * i * i;
        solid(&t, CAROM_USE_COMMIT, 0, history, F, P, NULL, &a);
        solid(&linear, CAROM_USE_COMMIT, 0, other, F, Q, NULL, &b);
        if (other[CAROM_J2_ALPHA] > 1.6)
            break;
        for (int k = 0; k < 9; k++)
            assert_near(P[k], Q[k], 1e-3);
        assert_near(history[CAROM_J2_ALPHA], other[CAROM_J2_ALPHA], 1e-12);
        assert_near(a.potential / b.potential, 1, 1e-12);
    }
    assert_true(other[CAROM_J2_ALPHA] > 1.6);
    F[1] = 30;
    solid(&t, CAROM_USE_COMMIT, 0, history, F, P, NULL, NULL);
    assert_near(history[CAROM_J2_STRESS] / 560e6, 1, 1e-12);
}

// Simple shear: the result is extrapolated from 800 and 3200 steps, since its error is of first order.
static double shear(const carom_j2_params *p, int steps, double end, double *alpha, double *books) {
    double history[8], P[9], F[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, before[9] = {0}, work = 0, loss = 0, energy = 0;
    j2->inelastic->start(p, CAROM_POINT_SOLID, history);
    for (int i = 1; i <= steps; i++) {
        carom_losses losses;
        F[1] = end * i / steps;
        energy = solid(p, CAROM_USE_COMMIT, 0, history, F, P, NULL, &losses);
        work += 0.5 * (P[1] + before[1]) * end / steps;
        loss += losses.plasticity;
        memcpy(before, P, sizeof P);
    }
    *alpha = history[CAROM_J2_ALPHA];
    *books = fabs(work - energy - loss) / work;
    // tau_12 = P_1K F_2K
    return P[1];
}

static void simple_shear(void **state) {
    (void)state;
    const carom_j2_params p = copper();
    const double rows[3][3] = {{.1, 234.090e6, .054615}, {1, 264.065e6, .573823}, {5, 397.281e6, 2.88138}};
    for (int i = 0; i < 3; i++) {
        double a1, a2, books, t1 = shear(&p, 800, rows[i][0], &a1, &books), t2 = shear(&p, 3200, rows[i][0], &a2, &books);
        assert_near((t2 + (t2 - t1) / 3) / rows[i][1], 1, 4e-6);
        assert_near((a2 + (a2 - a1) / 3) / rows[i][2], 1, 1e-5);
    }
    // the trapezoidal work balances to second order: 5.2e-5, 3.2e-6, 2.0e-7
    double alpha, books[3];
    assert_near(shear(&p, 200, 5, &alpha, &books[0]), 397.184e6, 1e3);
    shear(&p, 800, 5, &alpha, &books[1]);
    shear(&p, 3200, 5, &alpha, &books[2]);
    assert_true(books[0] / books[1] > 15 && books[1] / books[2] > 15 && books[2] < 2.5e-7);
}

// Adiabatic tension at a true rate of 1000/s, in a point and in a bar, 400 and 1600 steps. The reference heats by the stress at
// the end of a step times da, carom by the work that it records: both are of first order in the step, and their limits, found
// by extrapolation, agree to the digits of the table.
static void johnson_cook(void **state) {
    (void)state;
    const struct {
        carom_j2_params p;
        double tau[2][4], T[2][2]; // at .05, .1, .2, .5 and at .05, .5
    } rows[2] = {
        {johnson_cook_copper(),
         {{238.821, 271.141, 309.947, 370.400}, {238.814, 271.133, 309.935, 370.382}},
         {{295.63, 333.66}, {295.62, 333.63}}},
        {johnson_cook_steel(),
         {{1110.33, 1154.17, 1194.33, 1217.71}, {1110.18, 1154.00, 1194.15, 1217.51}},
         {{304.41, 433.97}, {304.39, 433.92}}},
    };
    for (int r = 0; r < 2; r++) {
        double tau[2][4], T[2][4];
        for (int fine = 0; fine < 2; fine++) {
            int steps = fine ? 1600 : 400, row = 0;
            double history[9], bar[4], across = 1, step = 0.5e-3 / steps;
            j2->inelastic->start(&rows[r].p, CAROM_POINT_SOLID, history);
            j2->inelastic->start(&rows[r].p, CAROM_POINT_UNIAXIAL, bar);
            for (int i = 1; i <= steps; i++) {
                const carom_flow flow = {.use = CAROM_USE_COMMIT, .before = step};
                double pulled = pull(&rows[r].p, history, 0.5 * i / steps, step, &across);
                double force = j2->inelastic->uniaxial(&rows[r].p, &flow, bar, 0.5 * i / steps, NULL).stress;
                assert_near(force / pulled, 1, 1e-11);
                if (i * 20 != steps * 2 && i * 20 != steps * 4 && i * 20 != steps * 8 && i != steps)
                    continue;
                tau[fine][row] = pulled * 1e-6;
                T[fine][row] = j2->inelastic->show(&rows[r].p, CAROM_POINT_SOLID, history, CAROM_INNER_TEMPERATURE);
                assert_near(bar[CAROM_J2_BAR_TEMPERATURE], T[fine][row], 1e-9);
                row++;
            }
            assert_int_equal(row, 4);
        }
        for (int k = 0; k < 4; k++) {
            double limit = tau[1][k] + (tau[1][k] - tau[0][k]) / 3;
            double known = rows[r].tau[1][k] + (rows[r].tau[1][k] - rows[r].tau[0][k]) / 3;
            // half a unit of the last digit of each of the two, times 4/3 and 1/3
            assert_near(limit, known, (r ? 0.01 : 0.001) * 5 / 6);
        }
        for (int k = 0; k < 2; k++) {
            double limit = T[1][3 * k] + (T[1][3 * k] - T[0][3 * k]) / 3;
            assert_near(limit, rows[r].T[1][k] + (rows[r].T[1][k] - rows[r].T[0][k]) / 3, 0.01 * 5 / 6);
        }
    }
}

static void multiply(const double A[9], const double B[9], double C[9]) {
    for (int a = 0; a < 9; a++)
        C[a] = A[3 * (a / 3)] * B[a % 3] + A[3 * (a / 3) + 1] * B[3 + a % 3] + A[3 * (a / 3) + 2] * B[6 + a % 3];
}

// The rotation by |w| about w, by its quaternion.
static void rotation(const double w[3], double Q[9]) {
    double n = sqrt(1 + w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), a = 1 / n, b = w[0] / n, c = w[1] / n, d = w[2] / n;
    const double R[9] = {a * a + b * b - c * c - d * d, 2 * (b * c - a * d),           2 * (b * d + a * c),
                         2 * (b * c + a * d),           a * a - b * b + c * c - d * d, 2 * (c * d - a * b),
                         2 * (b * d - a * c),           2 * (c * d + a * b),           a * a - b * b - c * c + d * d};
    memcpy(Q, R, sizeof R);
}

static void random_step(uint64_t *seed, double size, double F[9]) {
    double step[9], next[9];
    for (int a = 0; a < 9; a++)
        step[a] = (a % 4 == 0) + random_real(seed, -size, size);
    multiply(step, F, next);
    memcpy(F, next, sizeof next);
}

// A random path, and the same path in a frame of reference that rotates in every step.
static void invariance(void **state) {
    (void)state;
    const carom_j2_params laws[2] = {copper(), johnson_cook_copper()};
    uint64_t seed = 11;
    for (int path = 0; path < 20; path++) {
        const carom_j2_params *p = &laws[path % 2];
        double F[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, history[9], turned[9];
        j2->inelastic->start(p, CAROM_POINT_SOLID, history);
        j2->inelastic->start(p, CAROM_POINT_SOLID, turned);
        for (int i = 0; i < 60; i++) {
            double Q[9], QF[9], P[9], QP[9], other[9], size = 0;
            const double w[3] = {random_real(&seed, -2, 2), random_real(&seed, -2, 2), random_real(&seed, -2, 2)};
            random_step(&seed, 0.02, F);
            rotation(w, Q);
            multiply(Q, F, QF);
            carom_losses losses;
            solid(p, CAROM_USE_COMMIT, 1e-6, history, F, P, NULL, &losses);
            assert_true(losses.plasticity >= 0 && losses.viscosity == 0 && losses.pending == 0);
            solid(p, CAROM_USE_COMMIT, 1e-6, turned, QF, other, NULL, NULL);
            multiply(Q, P, QP);
            for (int a = 0; a < 9; a++)
                size += P[a] * P[a];
            for (int a = 0; a < 9; a++)
                assert_near(other[a], QP[a], 1e-11 * sqrt(size));
            assert_near(turned[CAROM_J2_ALPHA], history[CAROM_J2_ALPHA], 1e-11);
        }
        assert_true(history[CAROM_J2_ALPHA] > 0.1);
    }
}

// P and A are the derivatives of the incremental energy in plastic steps, and of the stored energy at a constant history.
static void derivatives(void **state) {
    (void)state;
    carom_j2_params laws[4] = {copper(), copper(), johnson_cook_copper(), copper()};
    laws[1].hardening = CAROM_HARDENING_VOCE, laws[1].saturation = 600e6, laws[1].decay = 5;
    laws[3].hardening = CAROM_HARDENING_TABLE, laws[3].curve = (carom_pairs){3, {{0, 400e6}, {0.05, 500e6}, {1, 600e6}}};
    uint64_t seed = 12;
    for (int trial = 0; trial < 80; trial++) {
        const carom_j2_params *p = &laws[trial % 4];
        double F[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, history[9], start[9], P[9], A[81], h = 1e-6, scale = p->elastic.young;
        // large steps reach strains beyond the series
        double size = trial < 60 ? 0.03 : 0.3;
        j2->inelastic->start(p, CAROM_POINT_SOLID, history);
        for (int i = 0; i < 5; i++) {
            random_step(&seed, size, F);
            solid(p, CAROM_USE_COMMIT, 1e-6, history, F, NULL, NULL, NULL);
        }
        random_step(&seed, size, F);
        memcpy(start, history, sizeof history);
        carom_use use = trial % 5 == 0 ? CAROM_USE_READ : CAROM_USE_TRIAL;
        carom_losses losses;
        solid(p, use, 1e-6, history, F, P, A, &losses);
        assert_true((losses.plasticity > 0) == (use == CAROM_USE_TRIAL));
        for (int a = 0; a < 9; a++) {
            double W[4], Q[4][9], at[4] = {-2 * h, -h, h, 2 * h}, F0 = F[a];
            for (int j = 0; j < 4; j++) {
                F[a] = F0 + at[j];
                W[j] = solid(p, use, 1e-6, history, F, Q[j], NULL, &losses) + losses.potential;
            }
            F[a] = F0;
            assert_near(P[a], (W[0] - 8 * W[1] + 8 * W[2] - W[3]) / (12 * h), 1e-7 * scale * size);
            for (int b = 0; b < 9; b++) {
                assert_near(A[9 * b + a], (Q[0][b] - 8 * Q[1][b] + 8 * Q[2][b] - Q[3][b]) / (12 * h), 1e-6 * scale);
                assert_near(A[9 * b + a], A[9 * a + b], 1e-12 * scale);
            }
        }
        assert_memory_equal(start, history, sizeof(double) * (size_t)j2->inelastic->size(p, CAROM_POINT_SOLID));
    }
}

// Reading after a commit gives the stress of the commit and writes nothing; unloading and reloading below yield does not
// change the inner metric; the isochoric part and the rest make up the whole.
static void history(void **state) {
    (void)state;
    const carom_j2_params p = copper();
    uint64_t seed = 13;
    double F[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, now[8], kept[8], P[9], Q[9];
    j2->inelastic->start(&p, CAROM_POINT_SOLID, now);
    for (int i = 0; i < 30; i++) {
        random_step(&seed, 0.02, F);
        double committed = solid(&p, CAROM_USE_COMMIT, 0, now, F, P, NULL, NULL);
        memcpy(kept, now, sizeof now);
        carom_losses losses;
        double read = solid(&p, CAROM_USE_READ, 0, now, F, Q, NULL, &losses);
        assert_near(read / committed, 1, 1e-11);
        assert_true(losses.plasticity == 0 && losses.potential == 0);
        for (int a = 0; a < 9; a++)
            assert_near(Q[a], P[a], 1e-11 * 117e9);
        assert_memory_equal(kept, now, sizeof now);

        const carom_flow part = {.use = CAROM_USE_READ, .isochoric = true};
        double R[9],
            bulk = j2->bulk(&p),
            J = F[0] * (F[4] * F[8] - F[5] * F[7]) - F[1] * (F[3] * F[8] - F[5] * F[6]) + F[2] * (F[3] * F[7] - F[4] * F[6]);
        double rest = j2->inelastic->solid(&p, &part, now, F, R, NULL, NULL);
        assert_near((rest + 0.5 * bulk * log(J) * log(J)) / read, 1, 1e-12);
        double trace = 0;
        for (int a = 0; a < 9; a++)
            trace += R[a] * F[a];
        assert_near(trace, 0, 1e-14 * 117e9);
    }
    // no plastic flow over 90 % of the elastic range: small changes are elastic
    for (int i = 0; i < 20; i++) {
        double G[9];
        memcpy(G, F, sizeof F);
        G[1] += 1e-3 * sin(0.3 * i) * (Q[1] > 0 ? -1 : 1);
        carom_losses losses;
        solid(&p, CAROM_USE_COMMIT, 0, now, G, NULL, NULL, &losses);
        if (losses.plasticity == 0)
            assert_memory_equal(kept, now, 7 * sizeof *now);
        else
            memcpy(kept, now, sizeof now);
    }
    // the determinant of the inner metric does not drift
    for (int i = 0; i < 20000; i++) {
        double G[9];
        memcpy(G, F, sizeof F);
        G[1] += 0.01 * sin(0.01 * i);
        solid(&p, CAROM_USE_COMMIT, 0, now, G, NULL, NULL, NULL);
    }
    double det = now[0] * (now[1] * now[2] - now[4] * now[4]) - now[3] * (now[3] * now[2] - now[4] * now[5]) +
                 now[5] * (now[3] * now[4] - now[1] * now[5]);
    assert_near(det, 1, 1e-14);
}

// Kicks that are followed by a drift record the trapezoidal work: only the potential of johnson-cook is omitted.
static void kicks_have_no_potential(void **state) {
    (void)state;
    const carom_j2_params p = johnson_cook_copper();
    double F[9] = {1, 0.1, 0, 0, 1, 0, 0, 0, 1}, now[2][9], P[2][9], energy[2];
    carom_losses losses[2];
    for (int k = 0; k < 2; k++) {
        const carom_flow flow = {.use = CAROM_USE_COMMIT, .before = 1e-7, .after = k ? 1e-7 : 0};
        j2->inelastic->start(&p, CAROM_POINT_SOLID, now[k]);
        energy[k] = j2->inelastic->solid(&p, &flow, now[k], F, P[k], NULL, &losses[k]);
    }
    assert_true(losses[0].potential > 0 && losses[1].potential == 0);
    assert_true(energy[0] == energy[1] && losses[0].plasticity == losses[1].plasticity && losses[0].plasticity > 0);
    assert_memory_equal(P[0], P[1], sizeof P[0]);
    assert_memory_equal(now[0], now[1], sizeof now[0]);
}

static void no_answer(void **state) {
    (void)state;
    const carom_j2_params p = copper();
    double F[9] = {-1, 0, 0, 0, 1, 0, 0, 0, 1}, history[8], kept[8], P[9];
    j2->inelastic->start(&p, CAROM_POINT_SOLID, history);
    memcpy(kept, history, sizeof kept);
    assert_true(isinf(solid(&p, CAROM_USE_COMMIT, 0, history, F, P, NULL, NULL)));
    assert_memory_equal(kept, history, sizeof kept);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniaxial_stress), cmocka_unit_test(uniaxial_strain),
        cmocka_unit_test(voce_and_table),  cmocka_unit_test(simple_shear),
        cmocka_unit_test(johnson_cook),    cmocka_unit_test(invariance),
        cmocka_unit_test(derivatives),     cmocka_unit_test(history),
        cmocka_unit_test(no_answer),       cmocka_unit_test(kicks_have_no_potential),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
