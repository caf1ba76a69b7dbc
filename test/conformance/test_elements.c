// SPDX-License-Identifier: MIT
// Every element, with every material and every choice of its own: the physics that an element must obey.
#include "../support.h"
#include "carom/element.h"
#include "math/vec3.h"

enum { NODES = 8, DOFS = 3 * NODES };

// One element in a generic place, with positions x near the reference X.
typedef struct specimen {
    const carom_element *element;
    const carom_material *material;
    double params[32], material_params[32]; // aligned room for parameter structs
    double X[NODES][3], x[NODES][3], mass[NODES], data[CAROM_LANES * 64];
    int nodes[NODES];
    carom_block block;
    bool rotates; // its strain is invariant under finite rotations
    bool plane;   // it lives in the x-y plane
} specimen;

// A generic cell: the corners of a distorted unit cell, turned and moved unless it is a plane one.
static void shape(const carom_element *element, double (*X)[3]) {
    static const double corners[CAROM_CELL_TYPE_COUNT][NODES][3] = {
        [CAROM_CELL_POINT] = {{0.3, -0.2, 0.7}},
        [CAROM_CELL_LINE2] = {{0.3, -0.2, 0.7}, {1.1, 0.4, 0.2}},
        [CAROM_CELL_TRI3] = {{0.1, -0.2, 0}, {1.2, 0.1, 0}, {0.3, 0.9, 0}},
        [CAROM_CELL_QUAD4] = {{0.1, -0.2, 0}, {1.2, 0.1, 0}, {1, 1.1, 0}, {-0.1, 0.9, 0}},
        [CAROM_CELL_TET4] = {{0.1, -0.2, 0.1}, {1.2, 0.1, 0}, {0.3, 0.9, -0.1}, {0.2, 0.3, 1.1}},
        [CAROM_CELL_HEX8] = {{0, -0.1, 0.1},
                             {1.1, 0, 0},
                             {1, 1.1, -0.1},
                             {-0.1, 0.9, 0},
                             {0.1, 0, 0.9},
                             {1, -0.1, 1.1},
                             {1.1, 1, 1},
                             {0, 1.1, 0.9}},
        [CAROM_CELL_WEDGE6] = {{0, -0.1, 0.1}, {1.1, 0, 0}, {0.1, 1.1, -0.1}, {0.1, 0, 0.9}, {1, -0.1, 1.1}, {0, 1.1, 0.9}},
    };
    memcpy(X, corners[element->cell], sizeof corners[0]);
}

static void deform(specimen *s, uint64_t *seed, double size) {
    for (int k = 0; k < s->element->node_count; k++)
        for (int i = 0; i < 3; i++)
            s->x[k][i] = s->X[k][i] + (s->plane && i == 2 ? 0 : random_real(seed, -size, size));
}

static void prepare(specimen *s) {
    int n = s->element->node_count;
    shape(s->element, s->X);
    for (int k = 0; k < n; k++)
        s->nodes[k] = k, s->mass[k] = 0;
    s->block = (carom_block){s->element, s->params, s->material, s->material_params, 0, 1, s->nodes, s->data};
    s->block.node_count = s->element->node_count;
    assert_ok(s->element->prepare(&s->block, (const double(*)[3])s->X, s->mass, error));
}

static double energy(const specimen *s) {
    double e;
    s->element->energy(&s->block, 0, 1, (const double(*)[3])s->x, (const double(*)[3])s->X, &e);
    return e;
}

static void force(const specimen *s, double *f) {
    int dofs = 3 * s->element->node_count;
    double lanes[CAROM_LANES * DOFS];
    s->element->force(&s->block, 0, 1, (const double(*)[3])s->x, (const double(*)[3])s->X, lanes);
    for (int i = 0; i < dofs; i++)
        f[i] = lanes[carom_lane(0, i, dofs)];
}

static double largest(const double *a, int count) {
    double m = 0;
    for (int i = 0; i < count; i++)
        m = fmax(m, fabs(a[i]));
    return m;
}

static void force_is_minus_gradient(specimen *s, uint64_t *seed) {
    int dofs = 3 * s->element->node_count;
    deform(s, seed, 0.2);
    double f[DOFS], h = 1e-5, *x = &s->x[0][0];
    force(s, f);
    for (int i = 0; i < dofs; i++) {
        double x0 = x[i];
        // fourth order differences
        double e[4], at[4] = {-2 * h, -h, h, 2 * h};
        for (int j = 0; j < 4; j++)
            x[i] = x0 + at[j], e[j] = energy(s);
        x[i] = x0;
        assert_near(f[i], -(e[0] - 8 * e[1] + 8 * e[2] - e[3]) / (12 * h), 1e-8 * (largest(f, dofs) + 1e-3));
    }
}

static void stiffness_is_gradient_of_force(specimen *s, uint64_t *seed) {
    int dofs = 3 * s->element->node_count;
    deform(s, seed, 0.2);
    double K[DOFS * DOFS], h = 1e-6, *x = &s->x[0][0];
    s->element->stiffness(&s->block, 0, 1, (const double(*)[3])s->x, (const double(*)[3])s->X, K);
    double scale = largest(K, dofs * dofs) + 1e-12;
    for (int i = 0; i < dofs; i++) {
        double x0 = x[i], plus[DOFS], minus[DOFS];
        x[i] = x0 + h, force(s, plus);
        x[i] = x0 - h, force(s, minus);
        x[i] = x0;
        for (int j = 0; j < dofs; j++) {
            assert_near(K[dofs * i + j], -(plus[j] - minus[j]) / (2 * h), 1e-7 * scale);
            assert_near(K[dofs * i + j], K[dofs * j + i], 1e-14 * scale);
        }
    }
}

static void rotate(const double axis[3], double angle, const double a[3], double b[3]) {
    // Rodrigues
    double c[3];
    carom_cross(axis, a, c);
    double along = carom_dot(axis, a);
    for (int i = 0; i < 3; i++)
        b[i] = a[i] * cos(angle) + c[i] * sin(angle) + axis[i] * along * (1 - cos(angle));
}

static void rigid_motion_costs_nothing(specimen *s, uint64_t *seed) {
    int n = s->element->node_count;
    double axis[3] = {random_real(seed, -1, 1), random_real(seed, -1, 1), random_real(seed, 0.1, 1)}, f[DOFS];
    if (s->plane)
        axis[0] = axis[1] = 0;
    carom_normalize(axis);

    // a translation, and a rotation: of any size, or infinitesimal where the strain is the linear one
    double angle = s->rotates ? 2.1 : 1e-7;
    for (int k = 0; k < n; k++) {
        rotate(axis, angle, s->X[k], s->x[k]);
        carom_add_scaled(1, VECTOR(3, -1, s->plane ? 0 : 2), s->x[k]);
    }
    force(s, f);
    assert_true(largest(f, 3 * n) <= 1e-13);
    assert_true(energy(s) <= 1e-15);
}

// A deformed element that is turned and moved has the same energy, and its forces turn along.
static void is_objective(specimen *s, uint64_t *seed) {
    if (!s->rotates)
        return;
    int n = s->element->node_count;
    double axis[3] = {random_real(seed, -1, 1), random_real(seed, -1, 1), random_real(seed, 0.1, 1)}, f[DOFS], turned[DOFS];
    if (s->plane)
        axis[0] = axis[1] = 0;
    carom_normalize(axis);
    deform(s, seed, 0.2);
    double before = energy(s);
    force(s, f);
    for (int k = 0; k < n; k++) {
        double x[3];
        rotate(axis, 1.3, s->x[k], x);
        carom_add_scaled(1, VECTOR(-1, 2, s->plane ? 0 : 3), x);
        carom_copy(x, s->x[k]);
    }
    assert_near(energy(s), before, 1e-14);
    force(s, turned);
    for (int k = 0; k < n; k++) {
        double expected[3];
        rotate(axis, 1.3, &f[3 * k], expected);
        for (int i = 0; i < 3; i++)
            assert_near(turned[3 * k + i], expected[i], 1e-14);
    }
}

static void forces_balance(specimen *s, uint64_t *seed) {
    deform(s, seed, 0.2);
    double f[DOFS], sum[3] = {0}, moment[3] = {0};
    force(s, f);
    for (int k = 0; k < s->element->node_count; k++) {
        double m[3];
        // the linear strain balances moments about the reference positions
        carom_cross(s->rotates ? s->x[k] : s->X[k], &f[3 * k], m);
        carom_add_scaled(1, &f[3 * k], sum);
        carom_add_scaled(1, m, moment);
    }
    assert_true(carom_norm(sum) <= 1e-15);
    assert_true(carom_norm(moment) <= 2e-15);
}

// The stable step is 2/omega of the element alone, by power iteration on M^-1 K.
static void stable_step_is_sharp(specimen *s, uint64_t *seed) {
    int dofs = 3 * s->element->node_count;
    deform(s, seed, 0.1);
    double K[DOFS * DOFS], v[DOFS], w[DOFS], step, square = 0;
    s->element->stiffness(&s->block, 0, 1, (const double(*)[3])s->x, (const double(*)[3])s->X, K);
    s->element->stable_step(&s->block, 0, 1, (const double(*)[3])s->x, (const double(*)[3])s->X, &step);
    if (largest(K, dofs * dofs) == 0) {
        assert_true(isinf(step));
        return;
    }
    for (int i = 0; i < dofs; i++)
        v[i] = random_real(seed, -1, 1);
    for (int iteration = 0; iteration < 2000; iteration++) {
        for (int i = 0; i < dofs; i++) {
            w[i] = 0;
            for (int j = 0; j < dofs; j++)
                w[i] += K[dofs * i + j] * v[j] / s->mass[i / 3];
        }
        square = largest(w, dofs);
        for (int i = 0; i < dofs; i++)
            v[i] = w[i] / square;
    }
    double exact = 2 / sqrt(square);
    assert_true(step <= exact * (1 + 1e-9) && step >= 0.985 * exact);
}

// The balanced force between two positions; `tangent` may be NULL.
static void balanced(const specimen *s, const double (*x0)[3], const double (*x1)[3], double *f, double *tangent) {
    int dofs = 3 * s->element->node_count;
    double lanes[CAROM_LANES * DOFS];
    s->element->balanced(&s->block, 0, 1, x0, x1, (const double(*)[3])s->X, lanes, tangent);
    for (int i = 0; i < dofs; i++)
        f[i] = lanes[carom_lane(0, i, dofs)];
}

// Work is the change of energy; no resultant, no moment about the middle; the tangent is the derivative.
static void balanced_force_balances(specimen *s, uint64_t *seed) {
    int n = s->element->node_count, dofs = 3 * n;
    if (!s->element->balanced)
        return;
    for (int trial = 0; trial < 6; trial++) {
        double x0[NODES][3], x1[NODES][3], f[DOFS], K[DOFS * DOFS], size = trial < 3 ? 0.15 : trial < 5 ? 1e-4 : 1e-9;
        deform(s, seed, 0.15);
        memcpy(x0, s->x, sizeof x0);
        double before = energy(s);
        for (int k = 0; k < n; k++)
            for (int i = 0; i < 3; i++)
                s->x[k][i] += s->plane && i == 2 ? 0 : random_real(seed, -size, size);
        memcpy(x1, s->x, sizeof x1);
        double change = energy(s) - before, work = 0, sum[3] = {0}, moment[3] = {0};
        balanced(s, (const double(*)[3])x0, (const double(*)[3])x1, f, K);
        for (int k = 0; k < n; k++) {
            double middle[3], turn[3];
            for (int i = 0; i < 3; i++) {
                work += f[3 * k + i] * (x1[k][i] - x0[k][i]);
                sum[i] += f[3 * k + i];
                middle[i] = 0.5 * (x0[k][i] + x1[k][i]);
            }
            carom_cross(middle, &f[3 * k], turn);
            carom_add_scaled(1, turn, moment);
        }
        assert_near(work, -change, 2e-15);
        assert_true(carom_norm(sum) < 1e-14);
        assert_true(!s->rotates || carom_norm(moment) < 1e-14);
        if (size < 1e-6)
            continue;

        double scale = largest(K, dofs * dofs), h = size < 0.01 ? 3e-6 : 1e-5;
        for (int j = 0; j < dofs; j++) {
            if (s->plane && j % 3 == 2)
                continue;
            double more[DOFS], less[DOFS], old = x1[j / 3][j % 3];
            x1[j / 3][j % 3] = old + h;
            balanced(s, (const double(*)[3])x0, (const double(*)[3])x1, more, NULL);
            x1[j / 3][j % 3] = old - h;
            balanced(s, (const double(*)[3])x0, (const double(*)[3])x1, less, NULL);
            x1[j / 3][j % 3] = old;
            for (int i = 0; i < dofs; i++)
                assert_near(K[dofs * i + j], (less[i] - more[i]) / (2 * h), 1e-6 * scale);
        }
    }
}

static void check(specimen *s) {
    uint64_t seed = 3;
    prepare(s);
    for (int trial = 0; trial < 20; trial++) {
        force_is_minus_gradient(s, &seed);
        stiffness_is_gradient_of_force(s, &seed);
        rigid_motion_costs_nothing(s, &seed);
        is_objective(s, &seed);
        forces_balance(s, &seed);
        stable_step_is_sharp(s, &seed);
        balanced_force_balances(s, &seed);
    }
}

// Fills a parameter struct: defaults, 1 for what is required and positive.
static void fill(const carom_kind *kind, double *params) {
    memset(params, 0, 32 * sizeof *params);
    assert_true(kind->params_size <= 32 * sizeof *params);
    carom_param_defaults(kind->params, kind->param_count, params);
    for (int p = 0; p < kind->param_count; p++)
        if (!kind->params[p].initial)
            assert_ok(carom_param_parse(&kind->params[p], "1.7", params, error));
}

// All combinations of the choices among an element's parameters.
static void check_choices(specimen *s, int first, int *checked) {
    const carom_kind *kind = &s->element->kind;
    for (int p = first; p < kind->param_count; p++) {
        const carom_param *param = &kind->params[p];
        if (param->type != CAROM_PARAM_CHOICE)
            continue;
        for (int c = 0; param->choices[c]; c++) {
            assert_ok(carom_param_parse(param, param->choices[c], s->params, error));
            if (strcmp(param->name, "strain") == 0)
                s->rotates = strcmp(param->choices[c], "small") != 0;
            check_choices(s, p + 1, checked);
        }
        return;
    }
    // parameters may stand for another element of the same name, or refuse the material
    specimen own = *s;
    carom_error reason;
    own.element = carom_element_acting(s->element, s->params);
    if (own.element->arrange || (s->material && s->element->accepts(s->params, s->material, &reason)))
        return;
    check(&own);
    ++*checked;
}

static void every_element(void **state) {
    (void)state;
    int checked = 0;
    const carom_catalogue *elements = carom_elements(), *materials = carom_materials();
    for (int e = 0; e < elements->count; e++) {
        for (int m = 0; m < ELASTIC_LAWS; m++) {
            specimen s = {.element = (const carom_element *)elements->kinds[e], .rotates = true};
            s.plane = carom_cell_dimension(s.element->cell) == 2;

            // elements with frames have laws of their own: unit/element/line/test_exact_beam.c
            if (s.element->framed)
                continue;
            // and so have those that reach beyond their cells: conformance/test_loop_shell.c
            if (s.element->arrange)
                continue;
            if (s.element->needs_material)
                s.material = (const carom_material *)materials->kinds[m];
            fill(&s.element->kind, s.params);
            if (s.element->settle)
                s.element->settle(s.params, false);
            carom_error reason;
            if (s.material && s.element->accepts(s.params, s.material, &reason))
                continue;
            if (s.material && s.element->cell >= CAROM_CELL_TRI3)
                s.rotates = strcmp(s.material->kind.name, "linear") != 0;
            if (s.material) {
                memset(s.material_params, 0, sizeof s.material_params);
                *(carom_elastic_params *)s.material_params =
                    (carom_elastic_params){.young = 1.3, .poisson = 0.2, .density = 0.8};
            }
            check_choices(&s, 0, &checked);
        }
    }
    assert_true(checked >= 22);
}

// Patch test: unequal bars under one uniform strain; nothing pulls on inner nodes, and the ends carry A S.
static void bar_patch(void **state) {
    (void)state;
    const carom_element *bar = (const carom_element *)carom_catalogue_find(carom_elements(), "bar");
    const carom_material *linear = (const carom_material *)carom_catalogue_find(carom_materials(), "linear");
    for (int strain = 0; strain < 2; strain++) {
        carom_bar_params p = {.area = 0.7, .strain = strain};
        carom_elastic_params law = {.young = 3, .density = 1};
        const double at[5] = {0, 0.3, 0.7, 1.6, 2};
        double X[5][3], x[5][3], data[16], mass[5] = {0}, f[6 * CAROM_LANES], sum[5][3] = {{0}}, d[3] = {0.6, 0, 0.8},
                                           stretch = 1.05;
        int nodes[8] = {0, 1, 1, 2, 2, 3, 3, 4};
        for (int k = 0; k < 5; k++)
            for (int i = 0; i < 3; i++)
                X[k][i] = at[k] * d[i], x[k][i] = stretch * X[k][i];
        carom_block block = {bar, &p, linear, &law, 0, 4, nodes, data};
        assert_ok(bar->prepare(&block, (const double(*)[3])X, mass, error));
        bar->force(&block, 0, 4, (const double(*)[3])x, (const double(*)[3])X, f);
        for (int i = 0; i < 24; i++)
            sum[nodes[i / 3]][i % 3] += f[carom_lane(i / 6, i % 6, 6)];
        for (int k = 1; k < 4; k++)
            assert_true(carom_norm(sum[k]) <= 1e-15);
        double e = strain ? 0.5 * (stretch * stretch - 1) : stretch - 1;
        assert_near(-carom_dot(sum[4], d), 0.7 * 3 * e * (strain ? stretch : 1), 1e-15);
        assert_near(mass[0] + mass[1] + mass[2] + mass[3] + mass[4], 0.7 * 2, 1e-15);

        // the fields that are shown are those of the law
        double shown[4];
        bar->field(&block, 0, 4, (const double(*)[3])x, (const double(*)[3])X, 1, shown);
        for (int k = 0; k < 4; k++)
            assert_near(shown[k], 3 * e, 1e-14);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_element), cmocka_unit_test(bar_patch)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
