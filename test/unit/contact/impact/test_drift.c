// SPDX-License-Identifier: MIT
// Tests src/contact/impact/drift.c.
// Impacts inside a drift: exact times, order of events, cascades, energy records.
#include "../../../support.h"
#include "contact/impact/drift.h"
#include "math/vec3.h"

enum { MAX = 64 };

// Point masses on the x axis, contacts between neighbours, and if `wall`, a plane at x = 0 for the first one.
typedef struct row {
    int count;
    double mass[MAX], x[MAX][3], w[MAX][3], v[MAX][3];
    carom_contact contacts[MAX + 1];
    int begin[MAX + 1], of_node[2 * MAX + 2];
    carom_candidates candidates;
    carom_drift_space space;
    carom_impacts impacts;
} row;

static void row_start(row *r, int count, bool wall) {
    *r = (row){.count = count};
    int c = 0;
    for (int k = 0; k + 1 < count; k++)
        r->contacts[c++] = (carom_contact){.count = 2, .node = {k, k + 1}, .weight = {-1, 1}, .normal = {1, 0, 0}};
    if (wall)
        r->contacts[c++] =
            (carom_contact){.kind = CAROM_CONTACT_NODE_PLANE, .count = 1, .node = {0}, .weight = {1}, .normal = {1, 0, 0}};
    int slot = 0;
    for (int k = 0; k < count; k++) {
        r->begin[k] = slot;
        for (int i = 0; i < c; i++)
            for (int j = 0; j < r->contacts[i].count; j++)
                if (r->contacts[i].node[j] == k)
                    r->of_node[slot++] = i;
    }
    r->begin[count] = slot;
    r->candidates = (carom_candidates){c, r->contacts, r->begin, r->of_node};
    assert_ok(carom_drift_reserve(&r->space, count, c, error));
    assert_ok(carom_impacts_reserve(&r->impacts, count, error));
}

static void row_drift(row *r, double step, double restitution) {
    memcpy(r->v, r->w, sizeof r->v);
    carom_contact_laws laws = {.general = {restitution, 0}};
    carom_contact_interval interval = {
        .neighbours = {.fixed = &r->candidates, .laws = &laws},
        .mobility = {r->mass, NULL},
        .node_count = r->count,
        .step = step,
        .allowance = HUGE_VAL,
    };
    r->impacts.hits.count = 0;
    assert_ok(carom_drift_run(&interval, &r->space, (const double(*)[3])r->v, r->x, r->w, &r->impacts, error));
}

static void row_end(row *r) {
    carom_drift_release(&r->space);
    carom_impacts_release(&r->impacts);
}

static double row_energy(const row *r) {
    double k = 0;
    for (int i = 0; i < r->count; i++)
        k += 0.5 * r->mass[i] * carom_dot(r->w[i], r->w[i]);
    return k;
}

static double row_momentum(const row *r) {
    double p = 0;
    for (int i = 0; i < r->count; i++)
        p += r->mass[i] * r->w[i][0];
    return p;
}

// One impact at a time inside the drift; the positions at its end are those of the exact motion.
static void exact_time(void **state) {
    (void)state;
    row r;
    row_start(&r, 2, false);
    r.mass[0] = 1, r.mass[1] = 3;
    r.x[1][0] = 0.3;
    r.w[0][0] = 1, r.w[1][0] = -0.5;
    row_drift(&r, 1, 1);
    assert_int_equal(r.impacts.hits.count, 1);
    assert_near(r.impacts.hits.items[0].time, 0.2, 1e-16);
    assert_near(r.w[0][0], -1.25, 1e-15);
    assert_near(r.w[1][0], 0.25, 1e-15);
    assert_near(r.x[0][0], 0.2 - 0.8 * 1.25, 1e-15);
    assert_near(r.x[1][0], 0.2 + 0.8 * 0.25, 1e-15);
    row_end(&r);
}

// Equal elastic masses exchange velocities: if one mass hits the row, one leaves it, however long the row is.
static void cradle(void **state) {
    (void)state;
    row r;
    row_start(&r, 20, false);
    for (int k = 0; k < r.count; k++)
        r.mass[k] = 1, r.x[k][0] = k ? k : 0.5;
    r.w[0][0] = 1;
    row_drift(&r, 1, 1);
    for (int k = 0; k < r.count; k++)
        assert_near(r.w[k][0], k == 1, 1e-15);

    // if the masses touch, the velocity passes through the whole row at one instant
    for (int k = 0; k < r.count; k++)
        r.x[k][0] = 0, r.w[k][0] = k == 0;
    row_drift(&r, 1, 1);
    for (int k = 0; k < r.count; k++)
        assert_near(r.w[k][0], k == r.count - 1, 1e-15);
    assert_int_equal(r.impacts.hits.count, r.count - 1);
    row_end(&r);
}

// For mass ratios of 100^n the number of collisions of a light mass between a wall and a heavy one is given by the first n + 1
// digits of pi (Galperin 2003); all in one step.
static void digits_of_pi(void **state) {
    (void)state;
    const double heavy[] = {1, 1e2, 1e4, 1e6};
    const int collisions[] = {3, 31, 314, 3141};
    for (int i = 0; i < 4; i++) {
        row r;
        row_start(&r, 2, true);
        r.mass[0] = 1, r.mass[1] = heavy[i];
        r.x[0][0] = 1, r.x[1][0] = 2;
        r.w[1][0] = -1;
        double energy = row_energy(&r);
        row_drift(&r, 1e4, 1);
        assert_int_equal(r.impacts.hits.count, collisions[i]);
        assert_near(row_energy(&r), energy, 1e-12 * energy);
        assert_true(r.x[0][0] > 0 && r.x[1][0] > r.x[0][0]);
        row_end(&r);
    }
}

// The same with restitution below 1, in few and in many steps, against the exact sequence of impacts in long double: all
// impacts of a step are resolved, however many there are.
static void lossy_sequence(void **state) {
    (void)state;
    const double restitutions[] = {0.9999, 0.99, 0.9}, heavy[] = {100, 1e4};
    for (int i = 0; i < 6; i++) {
        double e = restitutions[i % 3], M = heavy[i / 3];
        long double x = 1, X = 2, v = 0, V = -1;
        for (int impact = 0; impact < 100000; impact++) {
            long double meet = v > V ? (X - x) / (v - V) : HUGE_VALL, wall = v < 0 ? -x / v : HUGE_VALL;
            long double t = meet < wall ? meet : wall;
            if (!(t < 1e6L))
                break;
            x += t * v, X += t * V;
            if (meet < wall) {
                long double J = (1 + (long double)e) * (v - V) / (1 + 1 / (long double)M);
                v -= J, V += J / M;
            } else
                v = -e * v;
        }
        for (int s = 0; s < 2; s++) {
            row r;
            row_start(&r, 2, true);
            r.mass[0] = 1, r.mass[1] = M;
            r.x[0][0] = 1, r.x[1][0] = 2;
            r.w[1][0] = -1;
            int steps = s ? 4000 : 8;
            for (int n = 0; n < steps; n++)
                row_drift(&r, 40.0 / steps, e);
            assert_near(r.w[1][0], (double)V, 1e-6 * fabs((double)V) + 1e-6);
            row_end(&r);
        }
    }
}

// Random rows with any restitution in long drifts: momentum is conserved, the energy lost is that of the records, the order of
// the masses is kept, and the drift ends.
static void random_rows(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int trial = 0; trial < 400; trial++) {
        row r;
        row_start(&r, 2 + trial % 40, false);
        double at = 0, scale = 0;
        for (int k = 0; k < r.count; k++) {
            r.mass[k] = exp(random_real(&seed, -2, 2));
            r.x[k][0] = at += random_real(&seed, 0, trial % 3 ? 1 : 0);
            r.w[k][0] = random_real(&seed, -1, 1);
            scale += r.mass[k];
        }
        double e = trial % 5 / 4.0, energy = row_energy(&r), momentum = row_momentum(&r);
        row_drift(&r, random_real(&seed, 0.1, 10), e);
        double booked = 0;
        for (int h = 0; h < r.impacts.hits.count; h++) {
            booked += r.impacts.hits.items[h].restitution;
            assert_true(r.impacts.hits.items[h].restitution >= 0);
            if (h)
                assert_true(r.impacts.hits.items[h].time >= r.impacts.hits.items[h - 1].time);
        }
        assert_near(energy - row_energy(&r), booked, 1e-12 * scale);
        assert_near(row_momentum(&r), momentum, 1e-13 * scale);
        for (int k = 0; k + 1 < r.count; k++)
            assert_true(r.x[k + 1][0] - r.x[k][0] >= -1e-13 * (at + 10));
        row_end(&r);
    }
}

// A row of plastic masses that move towards each other has one velocity at the end of the step.
static void collapse(void **state) {
    (void)state;
    row r;
    row_start(&r, 5, false);
    for (int k = 0; k < r.count; k++)
        r.mass[k] = 1, r.x[k][0] = 0.1 * k, r.w[k][0] = 2.0 - k;
    row_drift(&r, 10, 0);
    for (int k = 0; k < r.count; k++)
        assert_near(r.w[k][0], 0, 1e-12);
    assert_near(row_momentum(&r), 0, 1e-14);
    row_end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_time),     cmocka_unit_test(cradle),      cmocka_unit_test(digits_of_pi),
        cmocka_unit_test(lossy_sequence), cmocka_unit_test(random_rows), cmocka_unit_test(collapse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
