// SPDX-License-Identifier: MIT
// Tests src/contact/quadrature/tractions.c, src/contact/quadrature.
// Contact at quadrature points: identities of the operators, momenta of the forces, their tangent, the sign of their work; the
// impulses that restore energy; the distances by which facets are paired.
#include "../../../support.h"
#include "contact/quadrature/pairing.h"
#include "contact/quadrature/velocity_update.h"
#include "math/vec3.h"

typedef double (*vectors)[3];
typedef const double (*const_vectors)[3];

enum { NODES = CAROM_QUADRATURE_NODES };

typedef struct sample {
    carom_quadrature_point p;
    carom_quadrature_rule rule;
    double x0[NODES][3], x1[NODES][3];
} sample;

// A face with `corners` around the origin, facing up (in the plane: along x, the body below), and a slave above it whose point
// overlaps by about `depth` at the end of the step. Everything is distorted at random.
static sample take(uint64_t *seed, int corners, int slave_count, double depth) {
    static const double faces[5][4][3] = {
        [2] = {{1, 0, 0}, {-1, 0, 0}},
        [3] = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}},
        [4] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}},
    };
    sample s = {.p = {.slave_count = slave_count, .corners = corners, .area = random_real(seed, 0.5, 2)},
                .rule = {.step = random_real(seed, 0.01, 1)}};
    s.p.penalty = exp(random_real(seed, -1, 4));
    s.p.tangential = exp(random_real(seed, -3, 3));
    s.p.friction = random_real(seed, 0, 1.5);
    int up = corners == 2 ? 1 : 2;
    double rest = 1;
    for (int a = 0; a < slave_count; a++) {
        s.p.N[a] = a == slave_count - 1 ? rest : rest * random_real(seed, 0.2, 0.8);
        rest -= s.p.N[a];
    }
    for (int k = 0; k < slave_count + corners; k++) {
        s.p.node[k] = k;
        for (int i = 0; i <= up; i++) {
            double at = k < slave_count ? random_real(seed, -0.5, 0.5) : faces[corners][k - slave_count][i];
            if (k < slave_count && i == up)
                at = -depth;
            s.x1[k][i] = at + 3 + random_real(seed, -0.02, 0.02);
            s.x0[k][i] = s.x1[k][i] + random_real(seed, -0.05, 0.05) + (k < slave_count && i == up ? depth : 0);
        }
    }
    return s;
}

static carom_traction pull(const sample *s) {
    carom_traction t;
    assert_true(carom_quadrature_traction(&s->p, &s->rule, (const_vectors)s->x0, (const_vectors)s->x1, &t));
    return t;
}

// A sample of each kind of face in turn.
static sample take_any(uint64_t *seed, int trial) {
    static const int kinds[6][2] = {{2, 2}, {3, 3}, {4, 4}, {4, 3}, {3, 4}, {4, 1}};
    const int *kind = kinds[trial % 6];
    return take(seed, kind[0], kind[1], random_real(seed, -0.1, 0.2));
}

// Resultant and moment of nodal forces about positions x, relative to the size of the terms.
static double unbalanced(const sample *s, const_vectors force, const_vectors x) {
    double sum[3] = {0}, moment[3] = {0}, size = 1e-300;
    for (int k = 0; k < carom_quadrature_nodes(&s->p); k++) {
        double turn[3];
        carom_cross(x[k], force[k], turn);
        carom_add_scaled(1, force[k], sum);
        carom_add_scaled(1, turn, moment);
        size = fmax(size, carom_norm(force[k]) * (1 + carom_norm(x[k])));
    }
    return fmax(carom_norm(sum), carom_norm(moment)) / size;
}

static void forces_keep_momentum(void **state) {
    (void)state;
    uint64_t seed = 2;
    int pushed = 0, stuck = 0, slipped = 0;
    for (int trial = 0; trial < 3000; trial++) {
        sample s = take_any(&seed, trial);
        carom_traction t = pull(&s);
        if (!(t.normal > 0))
            continue;
        double middle[NODES][3], work = 0;
        for (int k = 0; k < NODES; k++)
            for (int i = 0; i < 3; i++) {
                middle[k][i] = 0.5 * (s.x0[k][i] + s.x1[k][i]);
                work += t.force[k][i] * (s.x1[k][i] - s.x0[k][i]);
            }
        assert_true(unbalanced(&s, (const_vectors)t.force, (const_vectors)middle) < 1e-14);
        assert_true(unbalanced(&s, (const_vectors)t.after, (const_vectors)s.x1) < 1e-14);
        // by the operators of the gap, and by those of the slip
        assert_true(unbalanced(&s, (const_vectors)t.press, (const_vectors)s.x1) < 1e-14);
        assert_true(unbalanced(&s, (const_vectors)t.drag, (const_vectors)s.x1) < 1e-14);

        // the work follows from the rates, and friction never adds energy
        double power = t.tangential[0] * t.slip[0] + t.tangential[1] * t.slip[1], h = s.rule.step;
        double told = -s.p.area * (t.normal * t.rate + h * power), size = fabs(s.p.area) * (t.normal + t.size);
        assert_near(work, told, 1e-14 * size);
        assert_true(t.rate > 0 && work + h * s.p.area * t.dissipation <= 1e-16 * size);
        assert_true(t.size <= s.p.friction * t.normal * (1 + 1e-15));
        if (t.slips)
            assert_near(t.size, s.p.friction * t.normal, 1e-15 * t.normal);
        pushed++;
        stuck += !t.slips;
        slipped += t.slips;
    }
    assert_true(pushed > 1000 && stuck > 100 && slipped > 100);
}

// The five rows of the paper's Table 1, on a wall.
static void normal_tractions(void **state) {
    (void)state;
    static const double cases[5][3] = {
        // gap at the start and at the end (positive: overlap), traction over penalty
        {-0.2, -0.1, 0}, {-0.2, 0.1, 0.1}, {0.1, 0.3, 0.2}, {0.3, 0.1, 0}, {0.3, -0.1, 0},
    };
    for (int c = 0; c < 5; c++) {
        sample s = {.p = {.slave_count = 1, .N = {1}, .area = 1, .normal = {0, 0, 1}, .penalty = 10}, .rule = {.step = 1}};
        s.x0[0][2] = -cases[c][0];
        s.x1[0][2] = -cases[c][1];
        assert_near(pull(&s).normal, 10 * cases[c][2], 1e-15);
    }
}

// With multipliers a slipping point stays on the cone of Coulomb's law. (83) of the paper as printed, mu t_N t_tr/(eps_T
// |v_T|), leaves it.
static void multipliers_keep_the_cone(void **state) {
    (void)state;
    uint64_t seed = 4;
    int slipped = 0;
    for (int trial = 0; trial < 1000; trial++) {
        // flat faces, on which the slave forces have the size of the traction
        sample s = trial % 2 ? take(&seed, 3, 3, random_real(&seed, 0, 0.2)) : take(&seed, 2, 2, random_real(&seed, 0, 0.2));
        s.p.multiplier = random_real(&seed, 0, 1);
        for (int a = 0; a < (trial % 2 ? 2 : 1); a++)
            s.p.multiplier_t[a] = random_real(&seed, -1, 1);
        carom_traction t = pull(&s);
        if (!(t.normal > 0))
            continue;
        double sum[3] = {0};
        for (int k = 0; k < s.p.slave_count; k++)
            carom_add_scaled(1 / s.p.area, t.force[k], sum);
        double tangential = sqrt(fmax(0, carom_dot(sum, sum) - t.normal * t.normal)), most = s.p.friction * t.normal;
        assert_true(tangential <= most + 1e-7 * t.normal);
        if (t.slips)
            assert_near(tangential, most, 1e-7 * t.normal);
        slipped += t.slips;
    }
    assert_true(slipped > 100);
}

static void tangent_is_the_derivative(void **state) {
    (void)state;
    uint64_t seed = 3;
    int checked = 0;
    for (int trial = 0; trial < 1200; trial++) {
        sample s = take_any(&seed, trial);
        s.rule.plain = trial % 7 == 0;
        s.p.multiplier = trial % 3 == 0 ? 0.3 : 0;
        s.p.multiplier_t[0] = trial % 3 == 0 ? 0.1 : 0;
        carom_traction t = pull(&s);
        if (!(t.normal > 0))
            continue;
        int dofs = 3 * carom_quadrature_nodes(&s.p);
        double K[9 * NODES * NODES], scale = 0, h = 1e-6;
        carom_quadrature_tangent(&s.p, &s.rule, (const_vectors)s.x0, (const_vectors)s.x1, K);
        for (int i = 0; i < dofs * dofs; i++)
            scale = fmax(scale, fabs(K[i]));
        bool smooth = true;
        for (int j = 0; j < dofs && smooth; j++) {
            carom_traction side[2];
            for (int e = 0; e < 2; e++) {
                sample moved = s;
                moved.x1[j / 3][j % 3] += e ? h : -h;
                side[e] = pull(&moved);
                smooth = smooth && side[e].slips == t.slips && (side[e].gap < side[e].rate) == (t.gap < t.rate) &&
                         side[e].normal > 0;
            }
            for (int i = 0; i < dofs && smooth; i++)
                assert_near(K[i * dofs + j], -(side[1].force[i / 3][i % 3] - side[0].force[i / 3][i % 3]) / (2 * h),
                            1e-6 * scale);
        }
        checked += smooth;
    }
    assert_true(checked > 400);
}

// One mass at a wall, closed form: the speed of separation becomes sqrt(s^2 + 2 |c|/m) by the positive root and minus that by
// the other one.
static void one_mass(void **state) {
    (void)state;
    const double mass = 2.5, c = -0.7;
    const int node = 0;
    for (int i = 0; i < 2; i++) {
        double speed = i ? 0.4 : -0.4, force[1][3] = {{0, 0, 3.1}}, v[1][3] = {{0, 0, speed}}, left;
        carom_update_point p = {.count = 1, .node = &node, .force = (const_vectors)force, .energy = c};
        carom_mobility mobility = {&mass, NULL};
        assert_ok(carom_velocity_update(&p, 1, mobility, (const_vectors)v, CAROM_ROOT_POSITIVE, &left, error));
        double after = sqrt(speed * speed - 2 * c / mass);
        assert_near(speed + p.factor * 3.1 / mass, after, 1e-14);
        assert_near(left, 0, 1e-15);
        assert_ok(carom_velocity_update(&p, 1, mobility, (const_vectors)v, CAROM_ROOT_SMALLEST, &left, error));
        assert_near(speed + p.factor * 3.1 / mass, i ? after : -after, 1e-14);
    }
}

// Many points that share nodes: each restores its own energy, the sum is the change of kinetic energy, and momentum is
// conserved.
static void coupled_points(void **state) {
    (void)state;
    enum { POINTS = 30, ALL = 12 };
    uint64_t seed = 5;
    for (int trial = 0; trial < 100; trial++) {
        double mass[ALL], v[ALL][3], force[POINTS][4][3], sum = 0, before = 0, after = 0, left;
        int node[POINTS][4];
        carom_update_point points[POINTS];
        for (int k = 0; k < ALL; k++) {
            mass[k] = exp(random_real(&seed, -2, 2));
            for (int i = 0; i < 3; i++)
                v[k][i] = random_real(&seed, -1, 1);
            before += 0.5 * mass[k] * carom_dot(v[k], v[k]);
        }
        for (int l = 0; l < POINTS; l++) {
            // forces on the first nodes upwards, with opposite ones on the others
            double up[3] = {random_real(&seed, -0.3, 0.3), random_real(&seed, -0.3, 0.3), 1}, share = random_real(&seed, 0, 1);
            int a = (int)random_real(&seed, 0, 5), b = 6 + (int)random_real(&seed, 0, 5);
            const int nodes[4] = {a, a + 1, b, b + 1};
            const double weight[4] = {share, 1 - share, -0.5, -0.5};
            for (int k = 0; k < 4; k++) {
                node[l][k] = nodes[k];
                for (int i = 0; i < 3; i++)
                    force[l][k][i] = weight[k] * up[i];
            }
            points[l] = (carom_update_point){4, node[l], (const_vectors)force[l], -exp(random_real(&seed, -20, 0)), 0};
            sum -= points[l].energy;
        }
        carom_mobility mobility = {mass, NULL};
        assert_ok(carom_velocity_update(points, POINTS, mobility, (const_vectors)v, CAROM_ROOT_POSITIVE, &left, error));
        assert_near(left, 0, 1e-12 * sum);
        for (int l = 0; l < POINTS; l++) {
            assert_true(points[l].factor > 0);
            for (int k = 0; k < 4; k++)
                carom_add_scaled(points[l].factor / mass[node[l][k]], force[l][k], v[node[l][k]]);
        }
        for (int k = 0; k < ALL; k++)
            after += 0.5 * mass[k] * carom_dot(v[k], v[k]);
        assert_near(after - before, sum, 1e-12 * (sum + before));
    }
}

// The distance of a face is that of its nearest point; beyond a common edge the face whose plane is farther is chosen.
static void distances(void **state) {
    (void)state;
    static const double x[5][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {2, 0.5, -1}};
    static const int quad[4] = {0, 1, 2, 3}, triangle[3] = {1, 4, 2};
    double height, toward[3];
    assert_near(carom_face_distance(4, quad, x, VECTOR(0.3, 0.4, -0.2), &height, toward), 0.2, 1e-15);
    assert_near(toward[2], 1, 1e-15);
    double far = carom_face_distance(4, quad, x, VECTOR(1.3, 0.5, 0.4), &height, toward);
    assert_near(far, 0.5, 1e-15);
    assert_near(height, 0.4, 1e-15);
    assert_near(carom_face_distance(3, triangle, x, VECTOR(1, 0.5, 0.5), &height, toward), 0.5, 1e-15);
    assert_near(fabs(height), sqrt(0.5) / 2, 1e-15);
    // far from the origin positions have fewer digits, and a projection has their accuracy
    uint64_t seed = 3;
    for (int trial = 0; trial < 200; trial++) {
        double face[4][3], point[3], off = random_real(&seed, 1000, 1e5);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 4; k++)
                face[k][i] = off + 0.01 * x[k][i];
        memcpy(point, VECTOR(off + 0.004, off + 0.003, off - 0.002), sizeof point);
        assert_near(carom_face_distance(trial % 2 ? 4 : 3, quad, (const_vectors)face, point, &height, toward), 0.002,
                    1e-15 * off);
        assert_near(height, -0.002, 1e-15 * off);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_keep_momentum),
        cmocka_unit_test(normal_tractions),
        cmocka_unit_test(multipliers_keep_the_cone),
        cmocka_unit_test(tangent_is_the_derivative),
        cmocka_unit_test(one_mass),
        cmocka_unit_test(coupled_points),
        cmocka_unit_test(distances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
