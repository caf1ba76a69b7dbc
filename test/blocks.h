// SPDX-License-Identifier: MIT
// Shared by the tests of implicit integrators: blocks of bricks, an oblique impact of two of them, blocks with restraints,
// loads and damping, and checks for every method: same bits for any number of threads and after a restart, prescribed
// displacements, and a failed step that restores the state before it.
#ifndef CAROM_TEST_BLOCKS_H
#define CAROM_TEST_BLOCKS_H

#include "carom/threads.h"
#include "math/vec3.h"
#include "model/model.h"
#include "support.h"

static const carom_hex8_params block_full = {.integration = CAROM_HEX8_FULL, .hourglass = 0.1};

// A box of bricks with Young's modulus 100, Poisson's ratio 0.3 and density 1.
static inline carom_body_def *block_add(bench *b, const double from[3], const double to[3], const int elements[3],
                                        const double velocity[3], const char *law) {
    carom_box_params box = {.grading = {1, 1, 1}};
    memcpy(box.from, from, sizeof box.from);
    memcpy(box.to, to, sizeof box.to);
    memcpy(box.elements, elements, sizeof box.elements);
    carom_body_def *body = bench_add(b, "box", &box, velocity);
    carom_elastic_params *material = &b->materials[b->def.body_count - 1];
    *material = (carom_elastic_params){100, 0.3, 1};
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), "hex8"), &block_full};
    body->material = (carom_pick){carom_catalogue_find(carom_materials(), law), material};
    return body;
}

// A block falls obliquely on a larger one whose mesh does not match.
static inline void block_start_impact(bench *b, double friction) {
    bench_start(b);
    b->def.contact.friction = friction;
    block_add(b, VECTOR(0.1, 0.2, 1.1), VECTOR(0.9, 0.8, 1.7), (const int[3]){3, 2, 2}, VECTOR(0.5, 0.2, -1), "neo-hookean");
    block_add(b, VECTOR(0, 0, 0), VECTOR(1.3, 1, 1), (const int[3]){3, 3, 2}, VECTOR(0, 0, 0), "st-venant-kirchhoff");
}

// Two blocks with all external actions: restraints in oblique directions, prescribed velocities that change in time, dead and
// live loads, damping of the first.
static inline void block_start_outside(bench *b, const char *const laws[2], double damping) {
    static const double table[3][2] = {{0, 0}, {0.5, 1}, {1, 0.2}};
    static const carom_restraint_def restraints[3] = {
        {.where = {.body = "body0", .set = "xmin", .node = CAROM_AUTO},
         .direction_count = 1,
         .direction = {{1, 1, 0}},
         .velocity = {0.1, 0.1, 0},
         .schedule = {.count = 3, .points = table}},
        {.where = {.body = "body1", .set = "xmax", .node = CAROM_AUTO},
         .direction_count = 2,
         .direction = {{0, 1, 1}, {1, 0, 0}}},
        {.where = {.body = "body1", .set = "xmin", .node = CAROM_AUTO},
         .direction_count = 3,
         .direction = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
         .velocity = {0, 0, 0.05}},
    };
    static const carom_load_def loads[2] = {
        {.where = {.body = "body0", .set = "zmax", .node = CAROM_AUTO}, .force = {0.1, 0.2, -0.3}},
        {.where = {.body = "body0", .set = "ymax", .node = CAROM_AUTO}, .pressure = 0.5, .schedule = {.ramp = 0.5}},
    };
    bench_start(b);
    block_add(b, VECTOR(0, 0, 0), VECTOR(1, 1, 1), (const int[3]){2, 2, 2}, VECTOR(0, 0, 0), laws[0]);
    block_add(b, VECTOR(3, 0, 0), VECTOR(4, 1, 1), (const int[3]){2, 1, 1}, VECTOR(0, 0.1, 0.2), laws[1]);
    b->bodies[0].damping.mass = damping;
    b->def.restraints = restraints;
    b->def.restraint_count = 3;
    b->def.loads = loads;
    b->def.load_count = 2;
}

// Restrained directions of the blocks above have moved as prescribed by the time 2; `tolerance` is that of the displacement 0.1
// of the last restraint, which is a sum over the steps. The first is driven by a table, whose integral a step cuts at its
// corners.
static inline void block_check_driven(const bench *b, double tolerance) {
    const carom_state *s = carom_sim_state(b->sim);
    for (int r = 0; r < b->model->restraints.count; r++) {
        const carom_restraint *item = &b->model->restraints.items[r];
        double u[3], displacement = item->node < carom_model_body_begin(b->model, 1) ? 0.1 * sqrt(2) * (0.25 + 0.3 + 0.2) : 0;
        carom_difference(carom_state_positions(s)[item->node], b->model->X[item->node], u);
        if (item->count == 1)
            assert_near(fabs(carom_dot(u, item->direction[0])), displacement, 2e-3);
        if (item->count == 2) {
            assert_near(carom_dot(u, item->direction[0]), 0, 1e-15);
            assert_near(carom_dot(u, item->direction[1]), 0, 1e-15);
        }
        if (item->count == 3)
            assert_near(u[2], 0.1, tolerance);
    }
}

// The start of the impact of a test, and the method with its parameters.
typedef struct block_run {
    void (*start)(bench *b, double friction);
    const char *method;
    const void *params;
    double end, step;
} block_run;

static inline void block_start_run(const block_run *run, bench *b) {
    run->start(b, 0.4);
    bench_simulate_by(b, run->method, run->params, run->end, run->step);
}

static inline void block_check_threads(const block_run *run) {
    static const int counts[4] = {1, 2, 3, 8};
    uint64_t first = 0;
    for (int i = 0; i < 4; i++) {
        bench b;
        carom_set_threads(counts[i]);
        block_start_run(run, &b);
        bench_run(&b);
        uint64_t hash = carom_state_hash(carom_sim_state(b.sim));
        assert_true(carom_state_contact_events(carom_sim_state(b.sim)) > 0);
        if (i == 0)
            first = hash;
        assert_true(hash == first);
        bench_end(&b);
    }
    carom_set_threads(0);
}

// A run that is resumed from a file after `steps` steps, during an impact, has the same bits.
static inline void block_check_resume(const block_run *run, int steps, const char *path) {
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        bench b;
        block_start_run(run, &b);
        for (int n = 0; n < steps && i == 1; n++)
            assert_ok(carom_sim_step(b.sim, error));
        if (i == 1) {
            assert_true(carom_state_contact_events(carom_sim_state(b.sim)) > 0);
            assert_ok(carom_sim_save(b.sim, path, error));
            carom_sim_release(b.sim);
            b.sim = NULL;
            bench_simulate_by(&b, run->method, run->params, run->end, run->step);
            assert_ok(carom_sim_load(b.sim, path, error));
            remove(path);
        }
        bench_run(&b);
        hashes[i] = carom_state_hash(carom_sim_state(b.sim));
        bench_end(&b);
    }
    assert_true(hashes[0] == hashes[1]);
}

// The run fails after some steps with this reason, and keeps the previous state.
static inline void block_check_failure(const block_run *run, const char *reason) {
    bench b;
    block_start_run(run, &b);
    carom_error error = {0};
    carom_status status = CAROM_OK;
    carom_ledger_row last = bench_ledger(&b);
    while (!carom_sim_done(b.sim) && !(status = carom_sim_step(b.sim, &error)))
        last = bench_ledger(&b);
    assert_int_equal(status, CAROM_NUMERICAL);
    assert_non_null(strstr(error.message, reason));
    carom_ledger_row kept = bench_ledger(&b);
    assert_true(kept.time == last.time && kept.total == last.total && kept.time > 0);
    bench_end(&b);
}

#endif
