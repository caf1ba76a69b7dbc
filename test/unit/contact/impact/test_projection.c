// SPDX-License-Identifier: MIT
// Tests src/contact/impact/projection.c.
// Projection after a drift: displacements that remove an overlap, their work, and an impulse that compensates for the work.
#include "contact/impact/projection.h"

#include <math.h>
#include <string.h>

#include "../../../support.h"
#include "math/vec3.h"

// A random contact of a node with a face that overlaps by about `depth`, in a random quadratic potential of its nodes.
typedef struct overlap {
    carom_contact contact;
    double mass[4], x[4][3], rest[4][3], stiffness[4];
} overlap;

static overlap random_overlap(uint64_t *seed, double depth) {
    overlap o = {.contact = {.kind = CAROM_CONTACT_NODE_FACE, .count = 4, .node = {0, 1, 2, 3}}};
    double s = random_real(seed, 0, 1), t = random_real(seed, 0, 1 - s), apart[3] = {0};
    memcpy(o.contact.weight, (double[]){1, s + t - 1, -s, -t}, sizeof o.contact.weight);
    for (int i = 0; i < 3; i++)
        o.contact.normal[i] = random_real(seed, 0.2, 1);
    carom_normalize(o.contact.normal);
    for (int k = 0; k < 4; k++) {
        o.mass[k] = exp(random_real(seed, -2, 2));
        o.stiffness[k] = random_real(seed, 0, 1);
        for (int i = 0; i < 3; i++)
            o.x[k][i] = random_real(seed, -1, 1), o.rest[k][i] = random_real(seed, -1, 1);
        carom_add_scaled(o.contact.weight[k], o.x[k], apart);
    }
    carom_add_scaled(-1, apart, o.x[0]);
    carom_add_scaled(-depth, o.contact.normal, o.x[0]);
    return o;
}

static double potential(const overlap *o) {
    double sum = 0;
    for (int k = 0; k < 4; k++) {
        double d[3];
        carom_difference(o->x[k], o->rest[k], d);
        sum += 0.5 * o->stiffness[k] * carom_dot(d, d);
    }
    return sum;
}

// The work is the change of the potential up to terms of second order in the overlap, also with a restrained node. If all nodes
// of a pair move, its centre of mass does not; else only the node moves.
static void work(void **state) {
    (void)state;
    uint64_t seed = 5;
    for (int trial = 0; trial < 1000; trial++) {
        double depth = 1e-6;
        overlap o = random_overlap(&seed, depth);
        carom_restraint item = {.node = 1};
        assert_ok(carom_restraint_add(&item, VECTOR(1, 0, 0), 0, error));
        carom_restraints restraints = {1, &item, (int[]){-1, 0, -1, -1}};
        carom_mobility mobility = {o.mass, trial % 2 ? &restraints : NULL};
        carom_moves moves = trial % 4 < 2 ? CAROM_MOVES_PAIR : CAROM_MOVES_NODE;
        carom_contact movers = carom_projection_movers(&o.contact, mobility, moves);
        double f[4][3], centre[3] = {0}, before = potential(&o), x[4][3];
        memcpy(x, o.x, sizeof x);
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < 3; i++)
                f[k][i] = -o.stiffness[k] * (o.x[k][i] - o.rest[k][i]);
        double gap = carom_contact_gap(&o.contact, (const double(*)[3])o.x);
        assert_near(gap, -depth, 1e-14);
        double expected = carom_projection_work(&movers, mobility, gap, (const double(*)[3])f);
        assert_true(carom_projection_run(&o.contact, &movers, mobility, o.x));
        assert_near(carom_contact_gap(&o.contact, (const double(*)[3])o.x), 0, 1e-14);
        double moved = 0, square = 0;
        for (int k = 0; k < 4; k++) {
            double d[3];
            carom_difference(o.x[k], x[k], d);
            carom_add_scaled(o.mass[k], d, centre);
            moved += carom_norm(d);
            square += 0.5 * o.stiffness[k] * carom_dot(d, d);
        }
        assert_near(potential(&o) - before, expected + square, 1e-14);
        assert_true(moved > 0);
        if (trial % 2)
            assert_near(o.x[1][0], x[1][0], 0);
        if (moves == CAROM_MOVES_NODE)
            assert_memory_equal(o.x[1], x[1], 3 * sizeof x[1]);
        else if (trial % 2 == 0)
            assert_near(carom_norm(centre), 0, 1e-13);
    }
}

// A node that is restrained along the normal cannot be moved alone: the face is moved instead.
static void restrained_node(void **state) {
    (void)state;
    uint64_t seed = 9;
    overlap o = random_overlap(&seed, 1e-3);
    carom_restraint item = {.node = 0};
    assert_ok(carom_restraint_add(&item, o.contact.normal, 0, error));
    carom_restraints restraints = {1, &item, (int[]){0, -1, -1, -1}};
    carom_mobility mobility = {o.mass, &restraints};
    carom_contact movers = carom_projection_movers(&o.contact, mobility, CAROM_MOVES_NODE);
    assert_true(carom_projection_run(&o.contact, &movers, mobility, o.x));
    assert_near(carom_contact_gap(&o.contact, (const double(*)[3])o.x), 0, 1e-14);
}

// The turn after a projection restores the angular momentum; momentum and the velocity at the point of contact stay.
static void spin(void **state) {
    (void)state;
    uint64_t seed = 11;
    for (int trial = 0; trial < 1000; trial++) {
        overlap o = random_overlap(&seed, 1e-2);
        carom_mobility mobility = {o.mass, NULL};
        carom_contact movers = carom_projection_movers(&o.contact, mobility, trial % 2 ? CAROM_MOVES_PAIR : CAROM_MOVES_NODE);
        double w[4][3], before[3], between[3], after[3], p[3] = {0}, u[3], later[3];
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < 3; i++) {
                w[k][i] = random_real(&seed, -1, 1);
                p[i] += o.mass[k] * w[k][i];
            }
        carom_projection_spin(&o.contact, mobility, (const double(*)[3])o.x, (const double(*)[3])w, before);
        carom_contact_velocity(&o.contact, (const double(*)[3])w, u);
        carom_projection_run(&o.contact, &movers, mobility, o.x);
        carom_projection_spin(&o.contact, mobility, (const double(*)[3])o.x, (const double(*)[3])w, between);
        carom_projection_return_spin(&o.contact, mobility, before, (const double(*)[3])o.x, w);
        carom_projection_spin(&o.contact, mobility, (const double(*)[3])o.x, (const double(*)[3])w, after);
        carom_contact_velocity(&o.contact, (const double(*)[3])w, later);
        double missing[3], change[3], slip[3];
        carom_difference(between, before, missing);
        carom_difference(after, before, change);
        carom_difference(later, u, slip);
        for (int k = 0; k < 4; k++)
            carom_add_scaled(-o.mass[k], w[k], p);
        assert_true(carom_norm(missing) > 1e-6);
        assert_near(carom_norm(change), 0, 1e-9 * carom_norm(missing) + 1e-14);
        assert_near(carom_norm(p), 0, 1e-13);
        assert_near(carom_norm(slip), 0, 1e-13);
    }
}

// Two ends that meet on a line through the origin are at one point after the projection, but for rounding: they are not turned.
static void ends_at_one_point(void **state) {
    (void)state;
    uint64_t seed = 13;
    for (int trial = 0; trial < 1000; trial++) {
        carom_contact ends = {.kind = CAROM_CONTACT_END_END, .count = 2, .node = {0, 1}, .weight = {1, -1}};
        double mass[2] = {random_real(&seed, 0.1, 1), random_real(&seed, 1, 10)}, x[2][3], w[2][3], later[2][3], spin[3];
        carom_mobility mobility = {mass, NULL};
        for (int i = 0; i < 3; i++)
            ends.normal[i] = random_real(&seed, 0.2, 1);
        carom_normalize(ends.normal);
        for (int i = 0; i < 3; i++) {
            x[0][i] = ends.normal[i], x[1][i] = 1.01 * ends.normal[i];
            w[0][i] = -ends.normal[i], w[1][i] = ends.normal[i];
        }
        carom_projection_spin(&ends, mobility, (const double(*)[3])x, (const double(*)[3])w, spin);
        assert_true(carom_projection_run(&ends, &ends, mobility, x));
        memcpy(later, w, sizeof w);
        carom_projection_return_spin(&ends, mobility, spin, (const double(*)[3])x, later);
        assert_memory_equal(later, w, sizeof w);
    }
}

// The kinetic energy after the impact is that by restitution less the work, and not less than that without normal motion.
static void payment(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int trial = 0; trial < 1000; trial++) {
        overlap o = random_overlap(&seed, 1e-3);
        carom_mobility mobility = {o.mass, NULL};
        double v[4][3], before = 0, after = 0;
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < 3; i++)
                v[k][i] = random_real(&seed, -1, 1);
        double rate = carom_contact_rate(&o.contact, (const double(*)[3])v);
        for (int k = 0; k < 4 && rate > 0; k++)
            for (int i = 0; i < 3; i++)
                v[k][i] = -v[k][i];
        rate = -fabs(rate);
        double e = random_real(&seed, 0.3, 1), W = random_real(&seed, -1, 1);
        double soft = carom_contact_softness(&o.contact, mobility, o.contact.normal);
        double rebound = 0.5 * e * e * rate * rate / soft;
        double target = carom_projection_target(&o.contact, mobility, rate, e, W);
        for (int k = 0; k < 4; k++)
            before += 0.5 * o.mass[k] * carom_dot(v[k], v[k]);
        carom_response(&o.contact, mobility, target, 0, v);
        for (int k = 0; k < 4; k++)
            after += 0.5 * o.mass[k] * carom_dot(v[k], v[k]);
        double plain = 0.5 * (1 - e * e) * rate * rate / soft;
        assert_near(before - after, plain + fmin(W, rebound), 1e-12);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(work), cmocka_unit_test(restrained_node), cmocka_unit_test(spin),
                                       cmocka_unit_test(ends_at_one_point), cmocka_unit_test(payment)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
