// SPDX-License-Identifier: MIT
// Tests src/contact/narrow.
// The narrow phase: nearest points of features, times at which a distance is reached, and the side of a pair over many events.
#include "../../../support.h"
#include "carom/contact.h"
#include "contact/narrow/narrow.h"
#include "math/predicates.h"
#include "math/vec3.h"

static int vertex_count(carom_narrow_kind kind) {
    return kind == CAROM_NARROW_NODE_SEGMENT ? 3 : 4;
}

// c1 - c2 for weights.
static void separation(carom_narrow_kind kind, const double (*x)[3], const double *weight, double r[3]) {
    r[0] = r[1] = r[2] = 0;
    for (int k = 0; k < vertex_count(kind); k++)
        carom_add_scaled(weight[k], x[k], r);
    if (kind == CAROM_NARROW_NODE_SEGMENT)
        r[2] = 0;
}

// Weights of a pair of points of the features: s, t in [0, 1].
static void points_at(carom_narrow_kind kind, double s, double t, double weight[4]) {
    if (kind == CAROM_NARROW_NODE_FACE) {
        double u = s * (1 - t), v = s * t;
        memcpy(weight, (double[]){1, u + v - 1, -u, -v}, 4 * sizeof *weight);
    } else if (kind == CAROM_NARROW_EDGE_EDGE) {
        memcpy(weight, (double[]){1 - s, s, t - 1, -t}, 4 * sizeof *weight);
    } else {
        memcpy(weight, (double[]){1, s - 1, -s, 0}, 4 * sizeof *weight);
    }
}

static void random_features(carom_narrow_kind kind, int family, uint64_t *seed, double x[4][3]) {
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 3; i++)
            x[k][i] = random_real(seed, -1, 1);
    int first = kind == CAROM_NARROW_EDGE_EDGE ? 0 : 1, last = kind == CAROM_NARROW_NODE_SEGMENT ? 2 : 3;
    double size = exp(random_real(seed, -25, 0));
    for (int i = 0; i < 3; i++) {
        // slivers, nearly parallel edges
        if (family == 1)
            x[last][i] = x[last - 1][i] + (kind == CAROM_NARROW_EDGE_EDGE ? x[1][i] - x[0][i] : 0.4 * (x[1][i] - x[2][i])) +
                         size * random_real(seed, -1, 1);
        // exactly parallel, degenerate
        if (family == 2)
            x[last][i] = x[last - 1][i] + (kind == CAROM_NARROW_EDGE_EDGE ? 2 * (x[1][i] - x[0][i]) : 0);
        // the first node is near the second feature
        if (family == 3)
            x[0][i] = 0.3 * x[first + 1][i] + 0.7 * x[last][i] + size * random_real(seed, -1, 1);
        // far from the origin
        if (family == 4)
            for (int k = 0; k < 4; k++)
                x[k][i] += 100;
    }
}

// The vector between the nearest points is d n, no other points are nearer, and the weights are those of points of the
// features.
static void nearest(void **state) {
    (void)state;
    uint64_t seed = 21;
    for (int trial = 0; trial < 60000; trial++) {
        carom_narrow_kind kind = trial % 3;
        int family = trial / 3 % 5;
        double x[4][3], r[3];
        random_features(kind, family, &seed, x);
        carom_nearest near;
        carom_narrow_nearest(kind, (const double(*)[3])x, NULL, &near);
        double size = family == 4 ? 100 : 1, first = 0, second = 0;
        for (int k = 0; k < vertex_count(kind); k++) {
            bool of_first = k < (kind == CAROM_NARROW_EDGE_EDGE ? 2 : 1);
            first += of_first ? near.weight[k] : 0;
            second += of_first ? 0 : near.weight[k];
            double modulus = of_first ? near.weight[k] : -near.weight[k];
            assert_true(modulus > -1e-15 && modulus < 1 + 1e-15);
        }
        assert_near(first, 1, 1e-15);
        assert_near(second, -1, 4e-16);
        assert_near(carom_norm(near.normal), 1, 1e-15);
        separation(kind, (const double(*)[3])x, near.weight, r);
        for (int i = 0; i < 3; i++)
            assert_near(r[i], near.distance * near.normal[i], 8e-15 * size);
        for (int sample = 0; sample < 60; sample++) {
            double weight[4], other[3];
            // random points, and points close to the result
            points_at(kind, random_real(&seed, 0, 1), random_real(&seed, 0, 1), weight);
            double part = sample % 2 == 0 ? 1 : exp(random_real(&seed, -30, 0));
            for (int k = 0; k < 4; k++)
                weight[k] = k < vertex_count(kind) ? part * weight[k] + (1 - part) * near.weight[k] : 0;
            separation(kind, (const double(*)[3])x, weight, other);
            if (!(carom_norm(other) >= near.distance - 4e-15 * size))
                fail_msg("kind %d family %d: %.17g is nearer than %.17g", kind, family, carom_norm(other), near.distance);
        }
    }
}

// Known configurations: inside and outside, the middle of parallel edges, the normal of touching features.
static void known(void **state) {
    (void)state;
    carom_nearest near;
    carom_narrow_nearest(CAROM_NARROW_NODE_FACE, (const double[4][3]){{0.25, 0.5, -2}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, NULL,
                         &near);
    assert_true(near.inside);
    assert_near(near.distance, 2, 0);
    assert_near(near.normal[2], -1, 0);
    assert_near(near.weight[1], -0.25, 1e-15);
    assert_near(near.weight[2], -0.25, 1e-15);
    assert_near(near.weight[3], -0.5, 1e-15);
    carom_narrow_nearest(CAROM_NARROW_NODE_FACE, (const double[4][3]){{-3, 0.5, 4}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, NULL,
                         &near);
    assert_false(near.inside);
    assert_near(near.distance, 5, 1e-15);
    assert_near(near.normal[0], -0.6, 1e-15);

    carom_narrow_nearest(CAROM_NARROW_EDGE_EDGE, (const double[4][3]){{0, 0, 0}, {4, 0, 0}, {6, 0, 1}, {2, 0, 1}}, NULL, &near);
    assert_false(near.inside);
    assert_near(near.weight[1], 0.75, 1e-15);
    assert_near(near.weight[3], -0.75, 1e-15);
    assert_near(near.normal[2], -1, 1e-15);
    assert_near(near.distance, 1, 1e-15);

    // touching features: velocities determine the side
    const double x[4][3] = {{0.25, 0.25, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, up[4][3] = {{0, 0, 1}},
                 down[4][3] = {{0, 0, -1}};
    carom_narrow_nearest(CAROM_NARROW_NODE_FACE, x, down, &near);
    assert_near(near.normal[2], 1, 0);
    assert_near(near.distance, 0, 0);
    carom_narrow_nearest(CAROM_NARROW_NODE_FACE, x, up, &near);
    assert_near(near.normal[2], -1, 0);
    // 1e-300 above the face: the side is exact
    const double above[4][3] = {{0.25, 0.25, 1e-300}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    carom_narrow_nearest(CAROM_NARROW_NODE_FACE, above, up, &near);
    assert_near(near.normal[2], 1, 0);
    carom_narrow_nearest(CAROM_NARROW_NODE_SEGMENT, (const double[3][3]){{0.5, 0, 3}, {0, 0, 0}, {1, 0, 9}},
                         (const double[3][3]){{0, -1, 0}}, &near);
    assert_near(near.normal[1], 1, 0);
    assert_true(near.inside);
}

// The time of a level: before it the distance is larger than the level, and at it the level is reached.
static void levels(void **state) {
    (void)state;
    uint64_t seed = 22;
    int found = 0;
    for (int trial = 0; trial < 30000; trial++) {
        carom_narrow_kind kind = trial % 3;
        double x[4][3], v[4][3], at[4][3], level = trial % 2 == 0 ? 0.1 : 1e-5, time = 2;
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < 3; i++)
                x[k][i] = random_real(&seed, -1, 1), v[k][i] = random_real(&seed, -1, 1);
        bool falls = carom_narrow_level(kind, (const double(*)[3])x, (const double(*)[3])v, 0.25, 2, level, &time);
        found += falls;
        carom_nearest near;
        for (int sample = 0; sample <= 40; sample++) {
            double t = 0.25 + sample / 40.0 * ((falls ? time : 2) - 0.25);
            for (int k = 0; k < vertex_count(kind); k++)
                for (int i = 0; i < 3; i++)
                    at[k][i] = x[k][i] + t * v[k][i];
            carom_narrow_nearest(kind, (const double(*)[3])at, NULL, &near);
            if (t > 0.25)
                assert_true(near.distance > level);
        }
        // the time is too early by no more than the tolerance of the search, however well the problem is conditioned
        if (falls && time > 0.25)
            assert_near(near.distance, level, 1e-8);
    }
    assert_true(found > 3000);
}

// Before a pair touches there is an event, at which it is on its side and closes; a pair without an event does not touch.
static void events_before_contacts(void **state) {
    (void)state;
    uint64_t seed = 23;
    int contacts = 0, events = 0, deep = 0;
    for (int trial = 0; trial < 100000; trial++) {
        carom_narrow_kind kind = trial % 3;
        double x[4][3], v[4][3], end[4][3], toi;
        // with coordinates on a coarse lattice, vertices meet edges and vertices exactly
        bool lattice = trial % 2 == 0;
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < 3; i++) {
                x[k][i] = random_real(&seed, -3, 3);
                v[k][i] = random_real(&seed, -3, 3);
                if (lattice)
                    x[k][i] = round(x[k][i]), v[k][i] = round(v[k][i]);
                end[k][i] = x[k][i] + v[k][i];
            }
        const double(*a)[3] = (const double(*)[3])x, (*b)[3] = (const double(*)[3])end;
        bool touches = kind == CAROM_NARROW_NODE_FACE   ? carom_ccd_node_face(a, b, 0, &toi)
                       : kind == CAROM_NARROW_EDGE_EDGE ? carom_ccd_edge_edge(a, b, 0, &toi)
                                                        : carom_ccd_node_segment(a, b, 0, &toi);
        if (touches && toi == 0)
            continue;
        carom_narrow_layer layer = {.height = trial % 4 < 2 ? 1e-4 : 1e-9};
        carom_narrow_hit hit;
        bool found = carom_narrow_first(kind, a, (const double(*)[3])v, 0, 1, &layer, &hit);
        contacts += touches;
        events += found;
        if (touches) {
            assert_true(found);
            assert_true(hit.time <= toi);
        }
        if (found) {
            assert_true(hit.rate < 0);
            assert_true(hit.nearest.distance > 0 && hit.nearest.distance < layer.height + 1e-7);
            deep += hit.level < 0.9 * layer.height;
            assert_true(hit.nearest.inside || hit.level <= CAROM_NARROW_ANYWHERE * layer.height);
        }
    }
    print_message("%d contacts, %d events, %d below the first level\n", contacts, events, deep);
    assert_true(contacts > 9000 && deep > 200);
}

// Steps of a node above a face, all four free, with plastic events inside each step and kicks that press them together: the
// node stays on its side, exactly, while it slides over the face.
static void side_is_kept(void **state) {
    (void)state;
    uint64_t seed = 24;
    for (int trial = 0; trial < 60; trial++) {
        carom_narrow_kind kind = trial % 3;
        double far = trial % 2 == 0 ? 0 : 1000, height = 1e-4, dt = 1e-2;
        double x[4][3] = {{0.3, 0.3, 0.01}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, v[4][3] = {{0}};
        if (kind == CAROM_NARROW_EDGE_EDGE)
            memcpy(x, (double[4][3]){{-1, 0.1, 0.01}, {1, -0.1, 0.01}, {0, -1, 0}, {0, 1, 0}}, sizeof x);
        if (kind == CAROM_NARROW_NODE_SEGMENT)
            memcpy(x, (double[4][3]){{0.4, 0.01, 0}, {0, 0, 0}, {1, 0, 0}}, sizeof x);
        int vertices = vertex_count(kind), first = kind == CAROM_NARROW_EDGE_EDGE ? 2 : 1, hits = 0;
        int across = kind == CAROM_NARROW_NODE_SEGMENT ? 1 : 2;
        for (int k = 0; k < vertices; k++)
            for (int i = 0; i < 3; i++)
                x[k][i] += far;
        for (int step = 0; step < 2000; step++) {
            // accelerations that press the pair together, with small random parts
            for (int k = 0; k < vertices; k++)
                for (int i = 0; i < 3; i++)
                    v[k][i] = 0.98 * v[k][i] + random_real(&seed, -1e-3, 1e-3) +
                              (i == across ? (k < first ? -0.05 : 0.05) / first : 0);
            double t = 0, base[4][3];
            memcpy(base, x, sizeof base);
            carom_narrow_layer layer = {height, 0.1 * height / dt};
            carom_narrow_hit hit;
            for (int event = 0; event < 200; event++) {
                if (!carom_narrow_first(kind, (const double(*)[3])base, (const double(*)[3])v, t, dt, &layer, &hit))
                    break;
                hits++;
                assert_true(event < 199 && hit.time >= t);
                t = hit.time;
                double softness = 0, target = hit.nearest.distance < height / 4 ? (height / 2 - hit.nearest.distance) / dt : 0;
                for (int k = 0; k < vertices; k++)
                    softness += hit.nearest.weight[k] * hit.nearest.weight[k];
                for (int k = 0; k < vertices; k++)
                    for (int i = 0; i < 3; i++) {
                        double change = hit.nearest.weight[k] * hit.nearest.normal[i] * (target - hit.rate) / softness;
                        base[k][i] = base[k][i] + t * v[k][i] - t * (v[k][i] + change);
                        v[k][i] += change;
                    }
            }
            for (int k = 0; k < vertices; k++)
                for (int i = 0; i < 3; i++)
                    x[k][i] = base[k][i] + dt * v[k][i];
            carom_nearest near;
            carom_narrow_nearest(kind, (const double(*)[3])x, NULL, &near);
            if (!near.inside)
                break;
            int side = kind == CAROM_NARROW_NODE_SEGMENT ? carom_orient2d(x[1], x[2], x[0])
                       : kind == CAROM_NARROW_EDGE_EDGE  ? carom_orient3d(x[0], x[1], x[2], x[3])
                                                         : carom_orient3d(x[1], x[2], x[3], x[0]);
            if (side != 1)
                fail_msg("trial %d kind %d step %d: side lost, distance %g", trial, kind, step, near.distance);
        }
        assert_true(hits > 50);
    }
}

// A feature at rest gives the same bits as one with zero motion.
static void view_of_a_moment(void **state) {
    (void)state;
    uint64_t seed = 17;
    for (int trial = 0; trial < 3000; trial++) {
        carom_narrow_kind kind = trial % 3;
        double x[4][3];
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < 3; i++)
                x[k][i] = trial % 4 ? random_real(&seed, -1, 1) : (int)random_real(&seed, -2, 3);
        carom_hull hull;
        carom_hull_view moved, now;
        memset(&moved, 0, sizeof moved);
        memset(&now, 0, sizeof now);
        carom_hull_between(kind, (const double(*)[3])x, (const double(*)[3])x, &hull);
        carom_hull_view_at(&hull, 0, &moved);
        carom_hull_view_now(kind, (const double(*)[3])x, &now);
        assert_memory_equal(&moved, &now, sizeof now);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest),      cmocka_unit_test(known),
        cmocka_unit_test(levels),       cmocka_unit_test(events_before_contacts),
        cmocka_unit_test(side_is_kept), cmocka_unit_test(view_of_a_moment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
