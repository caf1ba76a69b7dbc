// SPDX-License-Identifier: MIT
// Shared by the tests of shells: a model of one shell, its total energy, forces and stiffness.
#ifndef CAROM_TEST_SHELLS_H
#define CAROM_TEST_SHELLS_H

#include "math/vec3.h"
#include "model/forces/forces.h"
#include "model/model.h"
#include "support.h"

typedef struct shell {
    bench b;
    carom_loop_shell_params params;
    double (*x)[3], (*f)[3];
    double *slots, *energies;
} shell;

// Starts a model of one shell; the test may still change mesh, body and definition before it builds.
static inline carom_body_def *shell_start(shell *s, const char *generator, const void *params, double thickness,
                                          double density) {
    bench_start(&s->b);
    carom_body_def *body = bench_add(&s->b, generator, params, VECTOR(0, 0, 0));
    s->params = (carom_loop_shell_params){.thickness = thickness, .layers = 5};
    s->b.materials[0] = (carom_elastic_params){.young = 2.1e5, .poisson = 0.3, .density = density};
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), "loop-shell"), &s->params};
    body->material = (carom_pick){carom_catalogue_find(carom_materials(), "st-venant-kirchhoff"), &s->b.materials[0]};
    s->b.def.contact.enabled = false;
    return body;
}

static inline carom_body_def *shell_start_sphere(shell *s, int faces) {
    carom_sphere_params sphere = {.radius = 1, .faces = faces};
    return shell_start(s, "sphere", &sphere, 0.05, 7.85e-2);
}

static inline void shell_build(shell *s) {
    bench_build(&s->b);
    const carom_model *model = s->b.model;
    size_t n = (size_t)model->node_count;
    s->x = calloc(n, sizeof *s->x);
    s->f = calloc(n, sizeof *s->f);
    s->slots = calloc((size_t)carom_model_slot_count(model), sizeof *s->slots);
    s->energies = calloc((size_t)model->element_count, 2 * sizeof *s->energies);
    assert_true(s->x && s->f && s->slots && s->energies);
    memcpy(s->x, model->X, n * sizeof *s->x);
}

static inline void shell_end(shell *s) {
    free(s->x);
    free(s->f);
    free(s->slots);
    free(s->energies);
    bench_end(&s->b);
}

static inline double shell_energy(shell *s) {
    return carom_model_energy(s->b.model, (const double(*)[3])s->x, NULL, s->energies);
}

// Membrane and bending energy.
static inline void shell_parts(shell *s, double parts[2]) {
    const carom_model *model = s->b.model;
    parts[0] = parts[1] = 0;
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        block->element->split(block, 0, block->count, (const double(*)[3])s->x, (const double(*)[3])model->X, s->energies);
        for (int i = 0; i < 2 * block->count; i++)
            parts[i % 2] += s->energies[i];
    }
}

// s->f = -dW/dx
static inline void shell_force(shell *s) {
    carom_model_force(s->b.model, (const double(*)[3])s->x, s->slots, s->f, NULL);
}

// w = K v by the stiffness of the elements at x; returns v.w, and the largest asymmetry over the largest entry.
static inline double shell_stiffness(const shell *s, const double *v, double *w, double *asymmetry) {
    const carom_model *model = s->b.model;
    double largest = 0, worst = 0, work = 0;
    memset(w, 0, 3 * (size_t)model->node_count * sizeof *w);
    for (int b = 0; b < model->block_count; b++) {
        carom_block one = model->blocks[b];
        int n = one.node_count, dofs = 3 * n;
        double *K = calloc((size_t)(dofs * dofs) * CAROM_LANES, sizeof *K);
        assert_non_null(K);
        for (int e = 0; e < model->blocks[b].count; e += CAROM_LANES) {
            one.count = model->blocks[b].count - e < CAROM_LANES ? model->blocks[b].count - e : CAROM_LANES;
            one.nodes = &model->blocks[b].nodes[n * e];
            one.data = model->blocks[b].data + carom_lane(e, 0, one.data_size);
            one.element->stiffness(&one, 0, one.count, (const double(*)[3])s->x, (const double(*)[3])model->X, K);
            for (int c = 0; c < one.count; c++)
                for (int i = 0; i < dofs; i++)
                    for (int j = 0; j < dofs; j++) {
                        double k = K[(c * dofs + i) * dofs + j];
                        w[3 * one.nodes[c * n + i / 3] + i % 3] += k * v[3 * one.nodes[c * n + j / 3] + j % 3];
                        largest = fmax(largest, fabs(k));
                        worst = fmax(worst, fabs(k - K[(c * dofs + j) * dofs + i]));
                    }
        }
        free(K);
    }
    for (int i = 0; i < 3 * model->node_count; i++)
        work += v[i] * w[i];
    if (asymmetry)
        *asymmetry = worst / largest;
    return work;
}

#endif
