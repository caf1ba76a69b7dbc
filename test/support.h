// SPDX-License-Identifier: MIT
// Shared by the C tests: cmocka, random numbers, small models.
#ifndef CAROM_TEST_SUPPORT_H
#define CAROM_TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka needs the four above first
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/sim.h"

// A number in [low, high) by SplitMix64, from any initial `seed`.
static inline double random_real(uint64_t *seed, double low, double high) {
    uint64_t z = (*seed += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return low + (high - low) * (double)(z >> 11) * 0x1p-53;
}

// True in `make verify`, for which some tests have a longer form.
static inline bool long_form(void) {
    return getenv("CAROM_TEST_LONG");
}

#define assert_near(a, b, tolerance)                                          \
    do {                                                                      \
        double a_ = (a), b_ = (b), t_ = (tolerance);                          \
        if (!(fabs(a_ - b_) <= t_))                                           \
            fail_msg("%s = %.17g, expected %.17g within %g", #a, a_, b_, t_); \
    } while (0)

#define assert_ok(call)                                \
    do {                                               \
        carom_error error_ = {0};                      \
        carom_error *error = &error_;                  \
        if (call)                                      \
            fail_msg("%s: %s", #call, error_.message); \
    } while (0)

// Asserts that the call fails with the status, and that its message contains the text.
#define assert_refused(call, status_, text)                                                           \
    do {                                                                                              \
        carom_error error_ = {0};                                                                     \
        carom_error *error = &error_;                                                                 \
        carom_status returned_ = (call);                                                              \
        if (returned_ != (status_) || error_.status != (status_))                                     \
            fail_msg("%s: %s '%s', expected %s", #call, carom_status_name(returned_), error_.message, \
                     carom_status_name(status_));                                                     \
        if (!strstr(error_.message, text))                                                            \
            fail_msg("%s: '%s' does not say '%s'", #call, error_.message, text);                      \
    } while (0)

// The first materials of the catalogue have carom_elastic_params, and no history.
enum { ELASTIC_LAWS = 3 };

// The default parameters of a kind; free with free().
static inline void *default_params(const carom_kind *kind) {
    void *params = calloc(1, kind->params_size + 1);
    assert_non_null(params);
    carom_param_defaults(kind->params, kind->param_count, params);
    return params;
}

// A model under construction: up to eight bodies.
typedef struct bench {
    carom_model_def def;
    carom_body_def bodies[8];
    carom_mesh meshes[8];
    carom_bar_params bars[8];
    carom_point_mass_params points[8];
    carom_elastic_params materials[8];
    carom_model *model;
    carom_sim *sim;
} bench;

static inline void bench_start(bench *b) {
    *b = (bench){.def = carom_default_model_def()};
    b->def.bodies = b->bodies;
}

static inline carom_body_def *bench_add(bench *b, const char *generator, const void *params, const double velocity[3]) {
    int i = b->def.body_count++;
    carom_body_def *body = &b->bodies[i];
    *body = carom_default_body_def();
    snprintf(body->name, sizeof body->name, "body%d", i);
    carom_pick pick = {carom_catalogue_find(carom_generators(), generator), params};
    assert_ok(carom_mesh_generate(pick, &b->meshes[i], error));
    body->mesh = &b->meshes[i];
    memcpy(body->velocity, velocity, sizeof body->velocity);
    return body;
}

// A bar of unit section, modulus and density.
static inline void bench_add_bar(bench *b, const double from[3], const double to[3], int elements, const double velocity[3],
                                 carom_bar_strain strain) {
    int i = b->def.body_count;
    carom_line_params line = {.elements = elements};
    memcpy(line.from, from, sizeof line.from);
    memcpy(line.to, to, sizeof line.to);
    carom_body_def *body = bench_add(b, "line", &line, velocity);
    b->bars[i] = (carom_bar_params){.area = 1, .strain = strain};
    b->materials[i] = (carom_elastic_params){.young = 1, .density = 1};
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), "bar"), &b->bars[i]};
    body->material = (carom_pick){carom_catalogue_find(carom_materials(), "linear"), &b->materials[i]};
}

static inline void bench_add_point(bench *b, const double at[3], double mass, const double velocity[3]) {
    int i = b->def.body_count;
    carom_point_params point;
    memcpy(point.at, at, sizeof point.at);
    carom_body_def *body = bench_add(b, "point", &point, velocity);
    b->points[i] = (carom_point_mass_params){mass};
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), "point-mass"), &b->points[i]};
}

static inline void bench_build(bench *b) {
    assert_ok(carom_model_create(&b->def, &b->model, error));
}

// Builds the model unless it is built, and creates a simulation by the method with these parameters.
static inline void bench_simulate_by(bench *b, const char *method, const void *params, double end, double step) {
    if (!b->model)
        bench_build(b);
    carom_time_def time = carom_default_time_def();
    time.end = end;
    time.step = step;
    carom_pick pick = {carom_catalogue_find(carom_integrators(), method), params};
    assert_ok(carom_sim_create(b->model, pick, &time, &b->sim, error));
}

// The same by newmark-dcr.
static inline void bench_simulate(bench *b, double end, double step) {
    bench_simulate_by(b, "newmark-dcr", NULL, end, step);
}

static inline carom_ledger_row bench_ledger(const bench *b) {
    return carom_sim_ledger(b->sim);
}

static inline void bench_run(bench *b) {
    while (!carom_sim_done(b->sim))
        assert_ok(carom_sim_step(b->sim, error));
}

static inline void bench_end(bench *b) {
    carom_sim_release(b->sim);
    carom_model_release(b->model);
    for (int i = 0; i < b->def.body_count; i++)
        carom_mesh_release(&b->meshes[i]);
}

#define VECTOR(x, y, z) ((const double[3]){x, y, z})

#endif
