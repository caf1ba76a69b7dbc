// SPDX-License-Identifier: MIT
// Tests src/contact/cones.
// Contacts of points and surfaces with friction cones: closed forms, and the conditions of contact/cones/cones.h.
#include "cones.h"

// A contact between points with weights: rows along the normal and two tangents.
static carom_cone of_points(int count, const int *nodes, const double *weights, const double n[3], double gap, double friction,
                            int tangents) {
    carom_cone cone = {.count = count, .tangents = tangents, .gap = gap, .friction = friction};
    double t[2][3], along_x[3] = {1, 0, 0}, along_y[3] = {0, 1, 0};
    carom_cross(n, fabs(n[0]) < 0.9 ? along_x : along_y, t[0]);
    carom_normalize(t[0]);
    carom_cross(n, t[0], t[1]);
    for (int k = 0; k < count; k++) {
        cone.node[k] = nodes[k];
        carom_add_scaled(weights[k], n, cone.G[k]);
        carom_copy(cone.G[k], cone.F[k]);
        for (int a = 0; a < tangents; a++)
            carom_add_scaled(weights[k], t[a], cone.D[a][k]);
    }
    return cone;
}

// A block on a floor, in the plane and in space: it sticks below the limit of friction, and slips by the excess above it.
static void block_on_floor(void **state) {
    (void)state;
    fixture f;
    start(&f);
    const double up[3] = {0, 0, 1}, weight = 1, mu = 0.5, pressed = 0.2;
    const int node = 0;
    f.mass[0] = 3;
    for (int tangents = 1; tangents <= 2; tangents++)
        for (int i = 0; i <= 40; i++) {
            double pull = 0.01 * i, angle = tangents == 2 ? 0.3 + i : i % 2 * acos(-1);
            carom_cone cone = of_points(1, &node, &weight, up, -pressed, mu, tangents);
            cone.slip[0] = pull * cos(angle);
            cone.slip[1] = tangents == 2 ? pull * sin(angle) : 0;
            assert_ok(solve(&f, &cone, 1, error));
            check(&f, &cone, 1);
            double stiffness = f.mass[0] / f.compliance, held = fmin(pull, mu * pressed);
            assert_near(cone.lambda, pressed * stiffness, 1e-14);
            assert_near(cone.r[0], held * stiffness * cos(angle), 2e-15 * stiffness);
            assert_near(cone.r[1], tangents == 2 ? held * stiffness * sin(angle) : 0, 2e-15 * stiffness);
        }
    end(&f);
}

// A force row that is not perpendicular to the slip, as of an inclined strut, couples normal and tangent. Closed form.
static void leaning(void **state) {
    (void)state;
    fixture f;
    start(&f);
    f.compliance = 1;
    for (int i = 0; i < 50; i++) {
        double lean = -0.4 + 0.016 * i, mu = 0.3, gap = -1, slip = 2;
        carom_cone cone = {.count = 1, .tangents = 1, .gap = gap, .slip = {slip}, .friction = mu};
        cone.G[0][1] = cone.F[0][1] = 1;
        cone.D[0][0][0] = 1;
        cone.F[0][0] = lean;
        cone.D[0][0][1] = 0.2;
        // it slips forward: g = gap + lambda - 0.2 r = 0, r = mu lambda
        assert_ok(solve(&f, &cone, 1, error));
        check(&f, &cone, 1);
        assert_near(cone.lambda, 1 / (1 - 0.2 * mu), 1e-14);
        assert_near(cone.r[0], mu / (1 - 0.2 * mu), 1e-14);
    }
    end(&f);
}

// A tower of blocks that is pulled along at its bottom: the friction of each block moves all blocks above it.
static void tower(void **state) {
    (void)state;
    fixture f;
    start(&f);
    enum { HEIGHT = 8 };
    const double up[3] = {0, 0, 1}, weights[2] = {1, -1}, mu = 0.4, weight = 0.1;
    carom_cone cones[HEIGHT];
    for (int i = 0; i < HEIGHT; i++) {
        int nodes[2] = {i, i - 1};
        cones[i] = of_points(i ? 2 : 1, nodes, weights, up, i ? 0 : -weight, mu, 2);
    }
    // all fall by the same amount; the floor moves under the lowest one
    cones[0].slip[0] = 1;
    assert_ok(solve(&f, cones, HEIGHT, error));
    check(&f, cones, HEIGHT);
    for (int i = 0; i < HEIGHT; i++) {
        assert_near(cones[i].lambda, (HEIGHT - i) * weight / f.compliance, 1e-13);
        assert_near(f.p[i][2], weight, 1e-15);
        // all move with the lowest one, which slips on the floor
        assert_near(cones[i].r[0], mu * (HEIGHT - i) * weight / f.compliance, 1e-13);
    }
    end(&f);
}

// Random contacts of points with friction in the plane and in space: all conditions hold, from any initial guess.
static void random_friction(void **state) {
    (void)state;
    fixture f;
    start(&f);
    uint64_t seed = 5;
    hold(&f, 0);
    restrain(&f, 1, 1, (const double[][3]){{1, 2, 3}});
    for (int trial = 0; trial < 4000; trial++) {
        carom_cone cones[MOST];
        int n = 1 + trial % MOST, tangents = 1 + trial % 2;
        for (int k = 0; k < NODES; k++)
            f.mass[k] = exp(random_real(&seed, -1, 1));
        for (int i = 0; i < n; i++) {
            double normal[3], t = random_real(&seed, 0.1, 0.9), s = random_real(&seed, 0, 1 - t);
            for (int c = 0; c < 3; c++)
                normal[c] = random_real(&seed, -1, 1);
            normal[2] = tangents == 1 ? 0 : normal[2];
            carom_normalize(normal);
            // a node of the upper half against three of the lower
            int base = (int)random_real(&seed, 0, 4);
            int nodes[4] = {6 + (int)random_real(&seed, 0, 6), base, base + 1, base + 2};
            double weights[4] = {1, -t, -s, -(1 - t - s)};
            cones[i] = of_points(4, nodes, weights, normal, random_real(&seed, -1, 0.3), random_real(&seed, 0, 0.6), tangents);
            if (tangents == 1)
                for (int k = 0; k < 4; k++) {
                    double flat[3] = {-normal[1], normal[0], 0};
                    memset(cones[i].D[0][k], 0, sizeof cones[i].D[0][k]);
                    carom_add_scaled(weights[k], flat, cones[i].D[0][k]);
                }
            // directions of forces are those of the middle of a step, so they differ from the rows of the gap
            for (int k = 0; k < 4; k++)
                for (int c = 0; c < 3; c++)
                    cones[i].F[k][c] += trial % 4 ? 0.02 * random_real(&seed, -1, 1) : 0;
            for (int a = 0; a < tangents; a++)
                cones[i].slip[a] = random_real(&seed, -1, 1);
            cones[i].lambda = trial % 3 ? 0 : random_real(&seed, 0, 3);
        }
        assert_ok(solve(&f, cones, n, error));
        check(&f, cones, n);

        // started from its solution the solver keeps it
        double p[NODES][3];
        memcpy(p, f.p, sizeof p);
        assert_ok(solve(&f, cones, n, error));
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 4; k++)
                for (int c = 0; c < 3; c++)
                    assert_near(f.p[cones[i].node[k]][c], p[cones[i].node[k]][c], 1e-11);
    }
    end(&f);
}

// Two square grids of nodes, n x n above and m x m below, each node against the triangle of the other grid that it is over.
typedef struct plates {
    int count, nodes;
    carom_cone *cones;
    double *mass, (*p)[3];
} plates;

static carom_cone over(int from, int first, int to, int to_first, int i, int j, double side, double friction, double shift) {
    double x = (double)i / (from - 1) * (to - 1), y = (double)j / (from - 1) * (to - 1);
    int a = (int)fmin(x, to - 2), b = (int)fmin(y, to - 2), corner = to_first + a * to + b;
    double s = x - a, t = y - b, u = (double)i / (from - 1), v = (double)j / (from - 1);
    int low[4] = {first + i * from + j, corner, corner + to, corner + to + 1};
    int high[4] = {first + i * from + j, corner, corner + 1, corner + to + 1};
    double low_weights[4] = {1, s - 1, t - s, -t}, high_weights[4] = {1, t - 1, s - t, -s};
    double normal[3] = {0, 0, side};
    carom_cone cone = of_points(4, s >= t ? low : high, s >= t ? low_weights : high_weights, normal,
                                -1 + 1.5 * sin(7 * u + 1) * sin(9 * v + 2), friction, 2);
    // forces are at the positions of the surfaces in the middle of the step
    for (int k = 1; k < 3; k++)
        cone.F[k][2] += (k == 1 ? shift : -shift) * side;
    cone.slip[0] = 0.2 * (1 + sin(5 * u + 3 * v));
    cone.slip[1] = side * 0.1 * cos(4 * u - v);
    return cone;
}

static plates press(int n, int m, double friction, double shift) {
    plates made = {.nodes = n * n + m * m};
    made.cones = calloc((size_t)made.nodes, sizeof *made.cones);
    made.mass = calloc((size_t)made.nodes, sizeof *made.mass);
    made.p = calloc((size_t)made.nodes, sizeof *made.p);
    for (int k = 0; k < made.nodes; k++)
        made.mass[k] = k < n * n ? 1 : 3;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            made.cones[made.count++] = over(n, 0, m, n * n, i, j, 1, friction, shift);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            made.cones[made.count++] = over(m, n * n, n, 0, i, j, -1, friction, shift);
    return made;
}

static void release(plates *made) {
    free(made->cones);
    free(made->mass);
    free(made->p);
}

// Checks all conditions for the displacements p found.
static void check_plates(const plates *made) {
    for (int i = 0; i < made->count; i++) {
        const carom_cone *c = &made->cones[i];
        const double(*p)[3] = (const double(*)[3])made->p;
        double g = c->gap + along(c, c->G, p), r = hypot(c->r[0], c->r[1]), s[2] = {0};
        assert_true(g > -1e-12 * 2.5);
        assert_true(c->lambda >= 0);
        assert_true(c->lambda * g < 1e-11 * (1 + c->lambda));
        assert_true(r <= c->friction * c->lambda * (1 + 4e-16));
        for (int a = 0; a < 2; a++)
            s[a] = c->slip[a] + along(c, c->D[a], p);
        if (!(c->friction > 0))
            continue;
        double slip = hypot(s[0], s[1]);
        assert_true(c->r[0] * s[0] + c->r[1] * s[1] >= -1e-11 * r);
        if (slip > 1e-6 && c->lambda > 1e-6) {
            assert_near(r, c->friction * c->lambda, 1e-9 * r);
            assert_near(c->r[0] * s[1] - c->r[1] * s[0], 0, 1e-11 * r);
        }
    }
}

// Surfaces with contacts from both sides: small and large, almost redundant systems, started from zero and from the solution.
static void surfaces(void **state) {
    (void)state;
    carom_cones_space *space = carom_cones_create();
    for (int n = 4; n <= 16; n += 4)
        for (int kind = 0; kind < 3; kind++) {
            plates made = press(n, n - 1, kind ? 0.3 : 0, kind == 2 ? 1e-3 : 0);
            carom_mobility mobility = {made.mass, NULL};
            carom_cones_counts counts = {0};
            assert_ok(carom_cones_solve(space, made.cones, made.count, mobility, 0.5, 0, made.p, &counts, error));
            check_plates(&made);
            assert_int_equal(counts.islands, 1);
            assert_int_equal(counts.largest, made.count);
            assert_int_equal(counts.loose, 0);
            int64_t before = counts.factorisations;
            assert_ok(carom_cones_solve(space, made.cones, made.count, mobility, 0.5, 0, made.p, &counts, error));
            check_plates(&made);
            assert_true(counts.factorisations - before <= 2);
            release(&made);
        }
    carom_cones_release(space);
}

// Nodes above nodes: every contact twice, from either side, with rows that differ by rounding or slightly; forces are those of
// the middle of a fast slip.
static void almost_twice(void **state) {
    (void)state;
    fixture f;
    start(&f);
    uint64_t seed = 77;
    for (int trial = 0; trial < 3000; trial++) {
        carom_cone cones[MOST];
        double apart = pow(10, -3 - trial % 12), up[3] = {0, 0, 1}, down[3] = {0, 0, -1};
        for (int i = 0; i < 4; i++) {
            int above[3] = {i, 6 + i, 7 + i}, below[3] = {6 + i, i, (i + 1) % 4};
            double small = apart * random_real(&seed, 0, 1), weights[3] = {1, small - 1, -small};
            double gap = -random_real(&seed, 0.5, 1), mu = trial % 2 ? 0.5 : 0;
            cones[2 * i] = of_points(3, above, weights, up, gap, mu, 2);
            cones[2 * i + 1] = of_points(3, below, weights, down, gap * (1 + apart * random_real(&seed, 0, 0.01)), mu, 2);
            for (int side = 0; side < 2; side++) {
                carom_cone *cone = &cones[2 * i + side];
                cone->slip[0] = 300 * (side ? -1 : 1);
                double moved = 0.1 * apart * random_real(&seed, -1, 1);
                cone->F[1][2] += moved;
                cone->F[2][2] -= moved;
            }
        }
        assert_ok(solve(&f, cones, MOST, error));
        double p[NODES][3];
        displace(&f, cones, MOST, p);
        for (int i = 0; i < MOST; i++) {
            double g = cones[i].gap + along(&cones[i], cones[i].G, (const double(*)[3])p);
            assert_true(g > -1e-9);
            assert_true(cones[i].lambda >= 0);
            assert_true(hypot(cones[i].r[0], cones[i].r[1]) <= cones[i].friction * cones[i].lambda * (1 + 4e-16));
            assert_true(fmin(fabs(g), cones[i].lambda) < 1e-8);
        }
    }
    end(&f);
}

// The response of independent nodes, through the interface for coupled ones.
static carom_status answer_alone(void *context, const double (*force)[3], double (*displacement)[3], carom_error *error) {
    (void)error;
    const fixture *f = context;
    for (int k = 0; k < NODES; k++) {
        carom_copy(force[k], displacement[k]);
        const carom_restraint *r = carom_restraint_of(&f->restraints, k);
        if (r)
            carom_restraint_project(r, displacement[k]);
        for (int c = 0; c < 3; c++)
            displacement[k][c] *= f->compliance / f->mass[k];
    }
    return CAROM_OK;
}

static void coupled_as_alone(void **state) {
    (void)state;
    fixture f;
    start(&f);
    hold(&f, 0);
    uint64_t seed = 9;
    for (int trial = 0; trial < 300; trial++) {
        carom_cone cones[MOST], other[MOST];
        double p[NODES][3], up[3] = {0.6, 0, 0.8};
        for (int i = 0; i < MOST; i++) {
            int base = (int)random_real(&seed, 0, 4), nodes[4] = {6 + (int)random_real(&seed, 0, 6), base, base + 1, base + 2};
            double weights[4] = {1, -0.2, -0.3, -0.5};
            up[1] = random_real(&seed, -0.5, 0.5);
            double n[3];
            carom_copy(up, n);
            carom_normalize(n);
            cones[i] = of_points(4, nodes, weights, n, random_real(&seed, -1, 0.3), trial % 2 ? 0.2 : 0, 2);
            cones[i].slip[0] = random_real(&seed, -1, 1);
            cones[i].softness = trial % 3 ? 0 : 0.1;
        }
        memcpy(other, cones, sizeof other);
        assert_ok(solve(&f, cones, MOST, error));
        check(&f, cones, MOST);
        assert_ok(carom_cones_solve_coupled(f.space, other, MOST, NODES, (carom_cones_answer){answer_alone, &f}, 0, p,
                                            &f.counts, error));
        for (int i = 0; i < MOST; i++)
            for (int k = 0; k < 4; k++)
                for (int c = 0; c < 3; c++)
                    assert_near(p[cones[i].node[k]][c], f.p[cones[i].node[k]][c], 1e-9);
    }
    // no contact at all
    double p[NODES][3];
    assert_ok(
        carom_cones_solve_coupled(f.space, NULL, 0, NODES, (carom_cones_answer){answer_alone, &f}, 0, p, &f.counts, error));
    assert_near(p[3][2], 0, 0);
    assert_ok(solve(&f, NULL, 0, error));
    end(&f);
}

// The response of a chain of springs in series to a force at a node: 1/k for each spring between it and the support.
static carom_status answer_of_chain(void *context, const double (*force)[3], double (*displacement)[3], carom_error *error) {
    (void)context;
    (void)error;
    for (int k = 0; k < NODES; k++) {
        memset(displacement[k], 0, sizeof displacement[k]);
        for (int l = 0; l < NODES; l++)
            displacement[k][2] += ((k < l ? k : l) + 1) / 50.0 * force[l][2];
    }
    return CAROM_OK;
}

static void chain(void **state) {
    (void)state;
    fixture f;
    start(&f);
    double p[NODES][3];
    carom_cone cones[2] = {on_plane(NODES - 1, 0, 0, 1, -0.3), on_plane(3, 0, 0, 1, -0.1)};
    assert_ok(carom_cones_solve_coupled(f.space, cones, 2, NODES, (carom_cones_answer){answer_of_chain, NULL}, 0, p, &f.counts,
                                        error));
    // contact at the end only: 12/50 per force; node 3 moves by a third of that, which just closes its gap
    assert_near(cones[0].lambda, 0.3 * 50 / 12, 1e-14);
    assert_near(cones[1].lambda, 0, 1e-13);
    for (int k = 0; k < NODES; k++)
        assert_near(p[k][2], 0.3 * (k + 1) / 12, 1e-15);
    cones[1].gap = -0.2;
    assert_ok(carom_cones_solve_coupled(f.space, cones, 2, NODES, (carom_cones_answer){answer_of_chain, NULL}, 0, p, &f.counts,
                                        error));
    assert_near(p[3][2], 0.2, 1e-15);
    assert_near(p[NODES - 1][2], 0.3, 1e-15);
    assert_near(cones[0].lambda, 0.1 / 8 * 50, 1e-13);
    end(&f);
}

// A node in the shallow groove between two compliant triangles, with slips evaluated at another configuration (the middle of a
// step) than gaps: both contacts cannot stick at once. Gaps are closed, forces are in their cones, friction dissipates, and
// slips are small.
static void groove(void **state) {
    (void)state;
    carom_cone cones[2] = {
        {.count = 4,
         .node = {0, 1, 2, 3},
         .gap = -0.002267725636963854,
         .slip = {-0.000448604, -0.000515343},
         .tangents = 2,
         .G = {{0.315879, -0.0822097, 0.945231}, {-0.00692409, 0.00180204, -0.0207195}, {-0.308955, 0.0804077, -0.924512}},
         .F = {{0.310638, -0.0802395, 0.947135}, {-0.00680921, 0.00175885, -0.0207612}, {-0.303829, 0.0784807, -0.926374}},
         .D = {{{0.6969, 0.6969, -0.1695}, {-0.01528, -0.01528, 0.003716}, {-0.6816, -0.6816, 0.1658}},
               {{-0.6464, 0.7127, 0.2724}, {0.01417, -0.01562, -0.005971}, {0.6323, -0.6971, -0.2664}}}},
        {.count = 4,
         .node = {0, 1, 4, 2},
         .gap = -0.0021935484232798517,
         .slip = {-0.000866717, 0.000202159},
         .tangents = 2,
         .G = {{-0.0821107, 0.31578, 0.945273}, {0.00179987, -0.00692191, -0.0207204}, {0}, {0.0803108, -0.308858, -0.924552}},
         .F = {{-0.0801361, 0.310536, 0.947178}, {0.00175659, -0.00680697, -0.0207622}, {0}, {0.0783795, -0.303729, -0.926415}},
         .D = {{{0.9966, 0.009082, 0.08134}, {-0.02185, -0.0001991, -0.001783}, {0}, {-0.9748, -0.008883, -0.07956}},
               {{0.01666, 0.9505, -0.3102}, {-0.0003651, -0.02084, 0.0068}, {0}, {-0.01629, -0.9297, 0.3034}}}},
    };
    for (double friction = 0.05; friction < 0.6; friction += 0.05) {
        fixture f;
        start(&f);
        f.compliance = 0.5e-4;
        double p[NODES][3], work = 0;
        for (int k = 1; k < 5; k++)
            f.mass[k] = 0.125;
        for (int i = 0; i < 2; i++) {
            cones[i].friction = friction;
            cones[i].lambda = cones[i].r[0] = cones[i].r[1] = 0;
        }
        assert_ok(solve(&f, cones, 2, error));
        displace(&f, cones, 2, p);
        for (int i = 0; i < 2; i++) {
            const carom_cone *c = &cones[i];
            double s[2];
            assert_true(c->gap + along(c, c->G, (const double(*)[3])p) > -1e-12 * 0.0023);
            assert_true(c->lambda >= 0 && hypot(c->r[0], c->r[1]) <= friction * c->lambda * (1 + 4e-16));
            for (int a = 0; a < 2; a++) {
                s[a] = c->slip[a] + along(c, c->D[a], (const double(*)[3])p);
                work += c->r[a] * s[a];
            }
            // contacts inside their cone slip little
            if (hypot(c->r[0], c->r[1]) < 0.999 * friction * c->lambda)
                assert_true(hypot(s[0], s[1]) < 2 * 1e-3 * 0.0023);
        }
        assert_true(work >= -1e-14 * 0.0023 * (cones[0].lambda + cones[1].lambda));
        end(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_on_floor),   cmocka_unit_test(leaning),  cmocka_unit_test(tower),
        cmocka_unit_test(random_friction),  cmocka_unit_test(surfaces), cmocka_unit_test(almost_twice),
        cmocka_unit_test(coupled_as_alone), cmocka_unit_test(chain),    cmocka_unit_test(groove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
