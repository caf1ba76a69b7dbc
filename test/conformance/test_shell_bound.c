// SPDX-License-Identifier: MIT
// Tests src/element/shell/loop_shell_bound.c: shells say how stiff they are when they are deformed, never too little and not
// much too much, on every kind of patch.
#include "../bounds.h"
#include "../shells.h"
#include "model/watch/frequency_bound.h"

enum { SHAPES = 7 };

static const carom_rectangle_params rectangle = {
    .from = {0, 0, 0}, .to = {1.2, 1, 0}, .columns = 5, .rows = 4, .cells = CAROM_PLANE_TRI3};

typedef struct kind {
    const char *name, *material, *symmetry, *clamped;
    int integration;
    bool sphere;
    double thickness, poisson, loose; // how many times too careful the step of the body may be at most
} kind;

static const kind kinds[] = {
    {"sphere", "st-venant-kirchhoff", "", "", CAROM_SHELL_ONE_POINT, true, 0.05, 0.3, 2},
    {"thick sphere", "st-venant-kirchhoff", "", "", CAROM_SHELL_ONE_POINT, true, 0.3, 0, 2},
    {"sphere, three points", "st-venant-kirchhoff", "", "", CAROM_SHELL_THREE_POINT, true, 0.05, 0.3, 2},
    {"sheet", "st-venant-kirchhoff", "", "", CAROM_SHELL_ONE_POINT, false, 0.02, 0.45, 1.8},
    {"mirrored", "st-venant-kirchhoff", "x=0 y=0", "", CAROM_SHELL_ONE_POINT, false, 0.02, 0.3, 2.4},
    {"clamped", "st-venant-kirchhoff", "", "xmax", CAROM_SHELL_ONE_POINT, false, 0.1, 0.3, 1.8},
    {"rubber sphere", "neo-hookean", "", "", CAROM_SHELL_ONE_POINT, true, 0.1, 0.4, 2.3},
};

// Not at all, pressed flat, stretched along an axis, bent, blown up, crumpled, and folded to a fifth of its width.
static void deform(shell *s, int how, uint64_t *seed) {
    const carom_model *model = s->b.model;
    for (int k = 0; k < model->node_count; k++) {
        const double *X = model->X[k];
        double *x = s->x[k], noise = how == 5 ? 0.05 : how ? 0.005 : 0;
        memcpy(x, X, sizeof s->x[k]);
        if (how == 1)
            x[2] *= 0.4;
        if (how == 2)
            x[0] *= 1.7;
        if (how == 3)
            x[2] += 0.6 * X[0] * X[0];
        if (how == 4)
            for (int i = 0; i < 3; i++)
                x[i] *= 1.3;
        if (how == 6)
            x[0] *= 0.2;
        for (int i = 0; i < 3; i++)
            x[i] += noise * random_real(seed, -1, 1);
    }
}

static void start(shell *s, const kind *k) {
    carom_sphere_params sphere = {.radius = 1, .faces = 80};
    shell_start(s, k->sphere ? "sphere" : "rectangle", k->sphere ? (const void *)&sphere : &rectangle, k->thickness, 7.85e-2);
    s->params.integration = k->integration;
    snprintf(s->params.symmetry, sizeof s->params.symmetry, "%s", k->symmetry);
    snprintf(s->params.clamped, sizeof s->params.clamped, "%s", k->clamped);
    s->b.materials[0].poisson = k->poisson;
    s->b.bodies[0].material.kind = carom_catalogue_find(carom_materials(), k->material);
    shell_build(s);
}

// omega^2 of the body by power iteration, shifted, from below.
static double fastest(const shell *s, double shift) {
    int n = 3 * s->b.model->node_count;
    double *v = calloc((size_t)n, sizeof *v), *w = calloc((size_t)n, sizeof *w), value = 0;
    uint64_t seed = 3;
    assert_true(v && w);
    for (int i = 0; i < n; i++)
        v[i] = random_real(&seed, -1, 1);
    for (int round = 0; round < 40; round++) {
        double length = 0;
        for (int i = 0; i < n; i++)
            length += s->b.model->mass[i / 3] * v[i] * v[i];
        for (int i = 0; i < n; i++)
            v[i] /= sqrt(length);
        value = shell_stiffness(s, v, w, NULL);
        for (int i = 0; i < n; i++)
            v[i] = w[i] / s->b.model->mass[i / 3] + shift * v[i];
    }
    free(v);
    free(w);
    return value;
}

static void check_elements(const shell *s, const char *name, int how) {
    const carom_model *model = s->b.model;
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        int n = block->node_count, dofs = 3 * n;
        assert_true(dofs <= DOFS_MAX);
        double *K = calloc((size_t)block->count * (size_t)(dofs * dofs), sizeof *K);
        assert_non_null(K);
        block->element->stiffness(block, 0, block->count, (const double(*)[3])s->x, (const double(*)[3])model->X, K);
        for (int e = 0; e < block->count; e++) {
            double D[DOFS_MAX / 3];
            for (int a = 0; a < n; a++)
                D[a] = s->slots[model->block_slot[b] + carom_lane(e, 3 * a, dofs)];
            if (!is_below(&K[(ptrdiff_t)dofs * dofs * e], D, dofs))
                fail_msg("%s, shape %d: element %d of block %d is stiffer than it says", name, how, e, b);
        }
        free(K);
    }
}

static void test_stiffness(void **state) {
    (void)state;
    for (size_t c = 0; c < sizeof kinds / sizeof *kinds; c++) {
        uint64_t seed = 7;
        shell s = {0};
        start(&s, &kinds[c]);
        const carom_model *model = s.b.model;
        double *measures = calloc((size_t)carom_stiffening_buffer(model), sizeof *measures);
        double(*none)[3] = calloc((size_t)model->node_count, sizeof *none);
        assert_true(measures && none);
        carom_kinematics motion = {(const double(*)[3])model->X, (const double(*)[3])s.x, (const double(*)[3])none,
                                   (const double(*)[3])none};
        for (int how = 0; how < SHAPES; how++) {
            deform(&s, how, &seed);
            carom_stiffening seen = carom_model_stiffening(model, &motion, s.slots, measures);
            if (!(seen.volume > 0))
                continue;
            check_elements(&s, kinds[c].name, how);
            double bound = 4 / (seen.stable * seen.stable), exact = fastest(&s, 0.5 * bound);
            if (!(exact <= (1 + 1e-9) * bound) || !(bound <= kinds[c].loose * kinds[c].loose * exact))
                fail_msg("%s, shape %d: omega^2 %g, bound %g", kinds[c].name, how, exact, bound);
        }
        free(measures);
        free(none);
        shell_end(&s);
    }
}

// A step of the length that compression allows leaves a surface a quarter of its area, whatever the spin.
static void test_squeeze(void **state) {
    (void)state;
    uint64_t seed = 5;
    for (size_t c = 0; c < sizeof kinds / sizeof *kinds; c++) {
        shell s = {0};
        start(&s, &kinds[c]);
        const carom_model *model = s.b.model;
        size_t n = (size_t)model->node_count;
        double *measures = calloc((size_t)carom_stiffening_buffer(model), sizeof *measures);
        double(*v)[3] = calloc(n, sizeof *v), (*a)[3] = calloc(n, sizeof *a), (*y)[3] = calloc(n, sizeof *y);
        assert_true(measures && v && a && y);
        carom_kinematics motion = {(const double(*)[3])model->X, (const double(*)[3])s.x, (const double(*)[3])v,
                                   (const double(*)[3])a};
        for (size_t k = 0; k < n; k++)
            for (int i = 0; i < 3; i++) {
                v[k][i] = (i == 0 ? -10 * s.x[k][1] : i == 1 ? 10 * s.x[k][0] : 0) + random_real(&seed, -1, 1);
                a[k][i] = random_real(&seed, -5, 5);
            }
        carom_stiffening before = carom_model_stiffening(model, &motion, s.slots, measures);
        double h = before.squeeze;
        assert_true(h > 0 && h < HUGE_VAL && before.rate > 0);
        for (size_t k = 0; k < n; k++)
            for (int i = 0; i < 3; i++)
                y[k][i] = s.x[k][i] + h * (v[k][i] + 0.5 * h * a[k][i]);
        motion.x = (const double(*)[3])y;
        carom_stiffening after = carom_model_stiffening(model, &motion, s.slots, measures);
        // mirrors and clamps hold the surface at places that a velocity of its nodes does not move
        if (!(after.volume > 0.99 * 0.25 * before.volume))
            fail_msg("%s: %g of its area is left", kinds[c].name, after.volume / before.volume);
        free(measures);
        free(v);
        free(a);
        free(y);
        shell_end(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stiffness),
        cmocka_unit_test(test_squeeze),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
