// SPDX-License-Identifier: MIT
// Models and their stable steps have the same bits for any number of threads, and as they were when one thread made them.
#include "../solids.h"
#include "base/hash.h"
#include "carom/threads.h"

static uint64_t hash_of(uint64_t h, const void *data, int64_t count, size_t size) {
    return carom_hash(h, data, (size_t)count * size);
}

// Everything that set-up makes by several threads: faces, masses, reference data, gather lists, steps.
static uint64_t fingerprint(const carom_model *model) {
    uint64_t h = carom_model_hash(model);
    h = hash_of(h, model->mass, model->node_count, sizeof *model->mass);
    h = hash_of(h, model->gather_begin, model->node_count + 1, sizeof *model->gather_begin);
    h = hash_of(h, model->gather, model->element_node_count, sizeof *model->gather);
    h = hash_of(h, model->block_step, model->block_count, sizeof *model->block_step);
    h = hash_of(h, model->surface.faces, model->surface.face_count, sizeof *model->surface.faces);
    h = hash_of(h, &model->contact_length, 1, sizeof model->contact_length);
    for (int b = 0; b < model->block_count; b++)
        if (model->blocks[b].data)
            h = hash_of(h, model->blocks[b].data, carom_lanes_size(model->blocks[b].count, model->blocks[b].data_size),
                        sizeof *model->blocks[b].data);
    return h;
}

static uint64_t build(const solid_case *c, const int cells[3], int threads) {
    solid s;
    carom_set_threads(threads);
    carom_elastic_params law = {.young = 2, .poisson = 0.3, .density = 1.5};
    solid_start(&s, c, VECTOR(1, 1.1, 0.9), cells, "neo-hookean", law);
    bench_build(&s.b);
    assert_true(s.b.model->element_count > 4096);
    uint64_t h = fingerprint(s.b.model);
    bench_end(&s.b);
    return h;
}

static void one_large_body(void **state) {
    (void)state;
    static const int space[3] = {19, 17, 18}, plane[3] = {90, 70, 1};
    for (int i = 0; i < SOLID_CASES; i++) {
        const solid_case *c = &solid_cases[i];
        uint64_t one = build(c, c->plane ? plane : space, 1);
        for (int threads = 2; threads <= 8; threads += threads == 3 ? 5 : 1)
            if (build(c, c->plane ? plane : space, threads) != one)
                fail_msg("%s: another model on %d threads", c->name, threads);
    }
    carom_set_threads(0);
}

static uint64_t build_many(int threads) {
    bench b;
    bench_start(&b);
    carom_set_threads(threads);
    carom_box_params box = {.cells = CAROM_SOLID_TET4, .to = {1, 1, 1}, .elements = {2, 3, 4}, .grading = {1, 1, 1}};
    for (int i = 0; i < 8; i++) {
        box.from[0] = 2 * i;
        box.to[0] = 2 * i + 1 + 0.01 * i;
        carom_body_def *body = bench_add(&b, "box", &box, VECTOR(0, 0, 0));
        b.materials[i] = (carom_elastic_params){.young = 1 + i, .poisson = 0.25, .density = 1};
        body->element = (carom_pick){carom_catalogue_find(carom_elements(), "tet4"), NULL};
        body->material = (carom_pick){carom_catalogue_find(carom_materials(), "linear"), &b.materials[i]};
    }
    bench_build(&b);
    uint64_t h = fingerprint(b.model);
    bench_end(&b);
    return h;
}

static void many_small_bodies(void **state) {
    (void)state;
    uint64_t one = build_many(1);
    for (int threads = 2; threads <= 5; threads++)
        assert_true(build_many(threads) == one);
    carom_set_threads(0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_large_body),
        cmocka_unit_test(many_small_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
