// SPDX-License-Identifier: MIT
// Tests src/element/shell/loop_shell_measure.c, src/model/watch/deformation.c: how much shells are stretched and shrunk, in
// batches as one by one, and the first shell of many bodies that has no area.
#include "../shells.h"
#include "carom/threads.h"
#include "element/shell/loop_shell.h"
#include "model/watch/deformation.h"

typedef struct kind {
    const char *material, *symmetry, *clamped;
    int integration;
    bool sphere;
} kind;

static const kind kinds[] = {
    {"st-venant-kirchhoff", "", "", CAROM_SHELL_ONE_POINT, true},
    {"st-venant-kirchhoff", "", "", CAROM_SHELL_THREE_POINT, true},
    {"st-venant-kirchhoff", "", "", CAROM_SHELL_ONE_POINT, false},
    {"st-venant-kirchhoff", "x=0 y=0", "xmax", CAROM_SHELL_ONE_POINT, false},
    {"neo-hookean", "", "", CAROM_SHELL_ONE_POINT, true},
};

static void start(shell *s, const kind *k) {
    carom_sphere_params sphere = {.radius = 1, .faces = 80};
    carom_rectangle_params sheet = {.to = {1.2, 1, 0}, .columns = 7, .rows = 6, .cells = CAROM_PLANE_TRI3};
    shell_start(s, k->sphere ? "sphere" : "rectangle", k->sphere ? (const void *)&sphere : &sheet, 0.05, 7.85e-2);
    s->params.integration = k->integration;
    snprintf(s->params.symmetry, sizeof s->params.symmetry, "%s", k->symmetry);
    snprintf(s->params.clamped, sizeof s->params.clamped, "%s", k->clamped);
    s->b.bodies[0].material.kind = carom_catalogue_find(carom_materials(), k->material);
    shell_build(s);
}

// The principal stretches of the worst point of an element, by the plain functions.
static void plain(const carom_shell *s, int e, const double (*x)[3], double *height, double *stretch) {
    *height = HUGE_VAL;
    *stretch = 0;
    for (int q = 0; q < s->point_count; q++) {
        carom_shell_rows rows;
        carom_shell_point point;
        double G[3];
        carom_shell_read_rows(s, e, q, &rows);
        carom_shell_place(s, e, &rows, x, &point);
        for (int k = 0; k < 3; k++)
            G[k] = *carom_shell_data(s, e, q, CAROM_SHELL_METRIC + k);
        double det = G[0] * G[1] - G[2] * G[2], product = point.J * point.J / det;
        double mean = 0.5 * (G[1] * point.g[0] + G[0] * point.g[1] - 2 * G[2] * point.g[2]) / det;
        *stretch = fmax(*stretch, mean + sqrt(fmax(mean * mean - product, 0)));
        *height = fmin(*height, sqrt(product));
    }
}

static void test_batches(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        shell s;
        uint64_t seed = 5;
        start(&s, &kinds[i]);
        const carom_model *model = s.b.model;
        for (int k = 0; k < model->node_count; k++)
            for (int c = 0; c < 3; c++)
                s.x[k][c] = (c == 1 ? 1.2 : 1) * model->X[k][c] + 0.05 * random_real(&seed, -1, 1);
        for (int b = 0; b < model->block_count; b++) {
            const carom_block *block = &model->blocks[b];
            carom_shell all = carom_shell_of(block);
            double height[256], stretch[256], least, most;
            assert_true(block->count <= 256);
            // Ranges begin and end anywhere in a batch.
            for (int begin = 0, end; begin < block->count; begin = end) {
                end = begin + 5 < block->count ? begin + 5 : block->count;
                block->element->measure(block, begin, end, (const double(*)[3])s.x, height + begin, stretch + begin);
            }
            for (int e = 0; e < block->count; e++) {
                plain(&all, e, (const double(*)[3])s.x, &least, &most);
                assert_true(height[e] == least && stretch[e] == most);
                assert_true(least > 0 && most > least);
            }
        }
        shell_end(&s);
    }
}

enum { BODIES = 8 };

// Bodies on a grid, enough of them for threads to share the look. Two are pressed into points.
static void test_bodies(void **state) {
    (void)state;
    bench b;
    carom_loop_shell_params thin = {.thickness = 0.05, .layers = 5};
    carom_sphere_params sphere = {.radius = 1, .faces = 1280};
    bench_start(&b);
    for (int i = 0; i < BODIES; i++) {
        carom_body_def *body = bench_add(&b, "sphere", &sphere, VECTOR(3.0 * i, 0, 0));
        b.materials[i] = (carom_elastic_params){.young = 2.1e5, .poisson = 0.3, .density = 1};
        body->element = (carom_pick){carom_catalogue_find(carom_elements(), "loop-shell"), &thin};
        body->material = (carom_pick){carom_catalogue_find(carom_materials(), "st-venant-kirchhoff"), &b.materials[i]};
    }
    b.def.contact.enabled = false;
    bench_build(&b);
    const carom_model *model = b.model;
    double(*x)[3] = malloc((size_t)model->node_count * sizeof *x);
    assert_non_null(x);
    memcpy(x, model->X, (size_t)model->node_count * sizeof *x);
    assert_int_equal(carom_model_check_shapes(model, (const double(*)[3])x, false, true, NULL).inverted, -1);
    for (int body = 3; body < BODIES; body += 3)
        for (int k = 0; k < model->bodies[body].node_count; k++)
            memset(x[model->bodies[body].node_begin + k], 0, sizeof *x);
    int first = model->element_count / BODIES * 3;
    for (int threads = 1; threads <= 8; threads++) {
        carom_set_threads(threads);
        carom_shapes seen = carom_model_check_shapes(model, (const double(*)[3])x, false, true, NULL);
        assert_int_equal(seen.inverted, first);
        assert_int_equal(seen.rotated, -1);
    }
    carom_set_threads(1);
    free(x);
    bench_end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
