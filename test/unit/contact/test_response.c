// SPDX-License-Identifier: MIT
// Tests src/contact/response.c.
// The contact response against published numbers, and its conservation laws for random contacts.
#include "../../support.h"
#include "contact/response.h"
#include "math/vec3.h"

typedef struct outcome {
    double restitution, friction, kinetic;
} outcome;

static double kinetic(const double *mass, const double (*v)[3], int count) {
    double k = 0;
    for (int i = 0; i < count; i++)
        k += 0.5 * mass[i] * carom_dot(v[i], v[i]);
    return k;
}

static void check_outcomes(const carom_contact *contact, const double *mass, const double (*x)[3], const double (*v)[3],
                           double before, const outcome outcomes[6]) {
    for (int o = 0; o < 6; o++) {
        double after[4][3], e = outcomes[o].restitution;
        memcpy(after, v, sizeof after);
        const double(*u)[3] = (const double(*)[3])after;
        assert_near(kinetic(mass, u, contact->count), before, 1e-12);
        double rate = carom_contact_rate(contact, u);
        assert_true(rate < 0);
        carom_mobility mobility = {mass, NULL};
        carom_hit hit = carom_response(contact, mobility, -e * rate, outcomes[o].friction, after);
        assert_near(carom_contact_rate(contact, u), -e * rate, 1e-15);

        double now = kinetic(mass, u, contact->count), p[3] = {0}, l[3] = {0};
        assert_near(now, outcomes[o].kinetic, 1e-12);
        assert_near(before - now, hit.restitution + hit.friction, 1e-14);
        for (int k = 0; k < contact->count; k++) {
            double change[3], moment[3];
            carom_difference(after[k], v[k], change);
            carom_cross(x[k], change, moment);
            carom_add_scaled(mass[k], change, p);
            carom_add_scaled(mass[k], moment, l);
        }
        assert_near(carom_norm(p), 0, 1e-15);
        assert_near(carom_norm(l), 0, 1e-15);
    }
}

// Three reference cases: two bodies in the plane, node on face, edge on edge. The kinetic energies are those of the paper's
// decomposition (Cirak, West 2005, eqs. (18) to (35)), computed with fractions and square roots of forty digits.
static void reference_numbers(void **state) {
    (void)state;
    // node C below segment A-B moves up into the body above it; the normal points from the node to the segment
    carom_contact segment = {.count = 3, .node = {0, 1, 2}, .weight = {0.7, 0.3, -1}, .normal = {0, 1, 0}};
    check_outcomes(&segment, (const double[]){1, 2, 1.5}, (const double[4][3]){{0, 0, 0}, {2, 0, 0}, {0.6, 0, 0}},
                   (const double[4][3]){{0, 0.2, 0}, {0.1, 0, 0}, {0.7, 1, 0}}, 1.1475,
                   (const outcome[6]){{1, 0, 1.1475},
                                      {0.5, 0, 0.9166955617198336},
                                      {0, 0, 0.8397607489597780},
                                      {1, 0.2, 1.0049380027739252},
                                      {1, 5, 0.9607177531206658},
                                      {0.5, 0.2, 0.8005418862690707}});
    carom_contact face = {.count = 4, .node = {0, 1, 2, 3}, .weight = {-0.5, -0.2, -0.3, 1}, .normal = {0, 0, 1}};
    check_outcomes(&face, (const double[]){1, 2, 3, 1.5}, (const double[4][3]){{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.3, 0}},
                   (const double[4][3]){{0, 0, 0.1}, {0.1, 0, 0}, {0, -0.2, 0}, {0.5, 0.3, -1}}, 1.08,
                   (const outcome[6]){{1, 0, 1.08},
                                      {0.5, 0, 0.6523060344827586},
                                      {0, 0, 0.5097413793103448},
                                      {1, 0.2, 0.9105517241379311},
                                      {1, 5, 0.8937931034482759},
                                      {0.5, 0.2, 0.5081120689655172}});
    carom_contact edges = {.count = 4, .node = {0, 1, 2, 3}, .weight = {-0.4, -0.6, 2.0 / 3, 1.0 / 3}, .normal = {0, 0, 1}};
    check_outcomes(&edges, (const double[]){1, 2, 3, 1.5},
                   (const double[4][3]){{-1, 0, 0}, {1, 0, 0}, {0.2, -1, 0}, {0.2, 2, 0}},
                   (const double[4][3]){{0, 0, 0.1}, {0.1, 0, 0}, {0, -0.2, -1}, {0.5, 0.3, -1.2}}, 2.91,
                   (const outcome[6]){{1, 0, 2.91},
                                      {0.5, 0, 2.0931225296442686},
                                      {0, 0, 1.8208300395256918},
                                      {1, 0.2, 2.8988932806324113},
                                      {1, 5, 2.8988932806324113},
                                      {0.5, 0.2, 2.0820158102766797}});
}

static void random_unit(uint64_t *seed, double d[3]) {
    do
        for (int i = 0; i < 3; i++)
            d[i] = random_real(seed, -1, 1);
    while (!(carom_normalize(d) > 0.1));
}

// Random contacts at coincident points: momenta are conserved, the energy change is recorded exactly and is never a gain,
// impulses are in Coulomb's cone.
static void laws(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int trial = 0; trial < 100000; trial++) {
        carom_contact c = {.count = 4, .node = {0, 1, 2, 3}};
        double s = random_real(&seed, 0, 1), t = random_real(&seed, 0, 1 - s), mass[4], v[4][3], x[4][3], start[4][3];
        // node on face, edge on edge, node on segment: three, two and two nodes on the first side
        switch (trial % 3) {
        case 0: memcpy(c.weight, (double[]){s + t - 1, -s, -t, 1}, sizeof c.weight); break;
        case 1: memcpy(c.weight, (double[]){s - 1, -s, 1 - t, t}, sizeof c.weight); break;
        default: memcpy(c.weight, (double[]){s - 1, -s, 1, 0}, sizeof c.weight); c.count = 3;
        }
        random_unit(&seed, c.normal);
        for (int k = 0; k < 4; k++) {
            mass[k] = exp(random_real(&seed, -3, 3));
            for (int i = 0; i < 3; i++)
                x[k][i] = random_real(&seed, -1, 1), v[k][i] = random_real(&seed, -1, 1);
        }
        // the second side is moved to the point of the first
        double apart[3] = {0};
        for (int k = 0; k < 4; k++)
            carom_add_scaled(c.weight[k], x[k], apart);
        for (int k = trial % 3 == 0 ? 3 : 2; k < 4; k++)
            carom_add_scaled(-1, apart, x[k]);
        const double(*u)[3] = (const double(*)[3])v;
        if (carom_contact_rate(&c, u) >= 0) {
            for (int k = 0; k < 4; k++)
                for (int i = 0; i < 3; i++)
                    v[k][i] = -v[k][i];
        }
        memcpy(start, v, sizeof v);
        double e = random_real(&seed, 0, 1), mu = random_real(&seed, 0, 2), rate = carom_contact_rate(&c, u);
        double before = kinetic(mass, u, 4);
        carom_hit hit = carom_response(&c, (carom_mobility){mass, NULL, NULL}, -e * rate, mu, v);

        double p[3] = {0}, l[3] = {0}, scale = 0;
        for (int k = 0; k < 4; k++) {
            double change[3], moment[3];
            carom_difference(v[k], start[k], change);
            carom_cross(x[k], change, moment);
            carom_add_scaled(mass[k], change, p);
            carom_add_scaled(mass[k], moment, l);
            scale += mass[k];
        }
        assert_true(carom_norm(p) <= 1e-15 * scale);
        assert_true(carom_norm(l) <= 1e-14 * scale);
        double after = kinetic(mass, u, 4);
        assert_true(hit.restitution >= 0 && hit.friction >= 0);
        assert_near(before - after, hit.restitution + hit.friction, 1e-14 * scale);
        assert_near(carom_contact_rate(&c, u), -e * rate, 1e-13);
        double tangential[3];
        carom_copy(hit.impulse, tangential);
        carom_add_scaled(-hit.normal, c.normal, tangential);
        // the tangential part is a difference and has the rounding error of the whole impulse
        if (!(hit.normal >= 0 && carom_norm(tangential) <= hit.normal * (mu * (1 + 1e-12) + 4e-16)))
            fail_msg("trial %d: tangential %.17g, normal %.17g, mu %.17g", trial, carom_norm(tangential), hit.normal, mu);
    }
}

// A restrained node does not move along its restrained directions, and the pair separates with the required velocity.
static void restrained(void **state) {
    (void)state;
    carom_restraint items[1] = {{.node = 0}};
    assert_ok(carom_restraint_add(&items[0], VECTOR(1, 1, 0), 0, error));
    carom_restraints restraints = {1, items, (int[]){0, -1}};
    double mass[2] = {1, 2}, v[2][3] = {{0.5, -0.5, 0}, {-1, 0.25, 0}};
    carom_contact c = {.count = 2, .node = {0, 1}, .weight = {-1, 1}, .normal = {1, 0, 0}};
    const double(*u)[3] = (const double(*)[3])v;
    double rate = carom_contact_rate(&c, u), before = kinetic(mass, u, 2);
    carom_hit hit = carom_response(&c, (carom_mobility){mass, &restraints, NULL}, -0.5 * rate, 0, v);
    assert_near(v[0][0] + v[0][1], 0, 1e-15);
    assert_near(carom_contact_rate(&c, u), -0.5 * rate, 1e-15);
    assert_near(before - kinetic(mass, u, 2), hit.restitution, 1e-15);

    // if no node can move, the response is zero
    assert_ok(carom_restraint_add(&items[0], VECTOR(1, 0, 0), 0, error));
    carom_contact wall = {.kind = CAROM_CONTACT_NODE_PLANE, .count = 1, .node = {0}, .weight = {1}, .normal = {1, 0, 0}};
    v[0][0] = -1;
    hit = carom_response(&wall, (carom_mobility){mass, &restraints, NULL}, 1, 0, v);
    assert_near(hit.normal, 0, 0);
    assert_near(v[0][0], -1, 0);
}

// The increments of Wolff & Bucher, equations (26) to (35), as printed, with g <= 0 admissible and eps = 1 - e: for the
// nodes k of a pair with the columns G_k of their restraints, which need not be orthogonal,
//     A_k = G_k^T G_k,  B_k = G_k^T dg_k/m_k,  E_k = m_k A_k^-1 B_k,  S = 1/(sum dg_k^2/m_k - sum B_k.E_k),
//     dv_k = -(2 - eps) S g' (dg_k - G_k E_k)/m_k.
static void print_response(const carom_contact *c, const double mass[4], const int counts[4], double (*G)[2][3], double e,
                           double (*v)[3]) {
    double rate = -carom_contact_rate(c, (const double(*)[3])v), D = 0, E[4][2] = {{0}}, eps = 1 - e;
    for (int k = 0; k < c->count; k++) {
        double A[2][2], B[2] = {0}, m = mass[k];
        D += c->weight[k] * c->weight[k] / m;
        for (int i = 0; i < counts[k]; i++) {
            B[i] = -c->weight[k] * carom_dot(G[k][i], c->normal) / m;
            for (int j = 0; j < counts[k]; j++)
                A[i][j] = carom_dot(G[k][i], G[k][j]);
        }
        if (counts[k] == 1)
            E[k][0] = m * B[0] / A[0][0];
        if (counts[k] == 2) {
            double det = A[0][0] * A[1][1] - A[0][1] * A[1][0];
            E[k][0] = m * (A[1][1] * B[0] - A[0][1] * B[1]) / det;
            E[k][1] = m * (A[0][0] * B[1] - A[1][0] * B[0]) / det;
        }
        D -= B[0] * E[k][0] + B[1] * E[k][1];
    }
    for (int k = 0; k < c->count; k++) {
        double change[3] = {0};
        carom_add_scaled(-c->weight[k], c->normal, change);
        for (int i = 0; i < counts[k]; i++)
            carom_add_scaled(-E[k][i], G[k][i], change);
        carom_add_scaled(-(2 - eps) * rate / D / mass[k], change, v[k]);
    }
}

// Random faces and nodes, each with up to two restraints: the velocities after the impact are those of the printed equations.
static void restrained_as_printed(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int trial = 0; trial < 1000; trial++) {
        double s = random_real(&seed, 0, 1), t = random_real(&seed, 0, 1 - s), e = random_real(&seed, 0, 1), mass[4], v[4][3];
        carom_contact c = {.count = 4, .node = {0, 1, 2, 3}, .weight = {s + t - 1, -s, -t, 1}};
        carom_restraint items[4] = {{.node = 0}, {.node = 1}, {.node = 2}, {.node = 3}};
        carom_restraints restraints = {4, items, (int[]){0, 1, 2, 3}};
        int counts[4];
        double G[4][2][3], printed[4][3];
        random_unit(&seed, c.normal);
        for (int k = 0; k < 4; k++) {
            mass[k] = exp(random_real(&seed, -2, 2));
            counts[k] = (int)random_real(&seed, 0, 3);
            random_unit(&seed, v[k]);
            for (int i = 0; i < counts[k]; i++) {
                double apart[3];
                do {
                    random_unit(&seed, G[k][i]);
                    carom_cross(G[k][0], G[k][i], apart);
                } while (i == 1 && carom_norm(apart) < 0.1);
                assert_ok(carom_restraint_add(&items[k], G[k][i], 0, error));
            }
            carom_restraint_impose(&items[k], v[k]);
        }
        if (carom_contact_rate(&c, (const double(*)[3])v) >= 0)
            for (int k = 0; k < 4; k++)
                for (int i = 0; i < 3; i++)
                    v[k][i] = -v[k][i];
        memcpy(printed, v, sizeof v);
        print_response(&c, mass, counts, G, e, printed);
        double rate = carom_contact_rate(&c, (const double(*)[3])v);
        carom_response(&c, (carom_mobility){mass, &restraints, NULL}, -e * rate, 0, v);
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < 3; i++)
                assert_near(v[k][i], printed[k][i], 1e-11);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(restrained_as_printed),
        cmocka_unit_test(reference_numbers),
        cmocka_unit_test(laws),
        cmocka_unit_test(restrained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
