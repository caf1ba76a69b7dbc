// SPDX-License-Identifier: MIT
// Tests src/model/pack.c, src/model/parcel.c.
// Models as bytes: what is unpacked has the same bits and behaves the same; bytes that are cut off are refused.
#include "../parts.h"
#include "base/allocate.h"
#include "base/param.h"
#include "model/damping.h"
#include "model/extract.h"
#include "model/forces.h"
#include "model/loads.h"

// The model that was packed; packed again it gives the same bytes.
static carom_model *copy_of(const carom_model *model) {
    void *bytes, *again;
    int64_t size, same;
    carom_model *copy;
    assert_ok(carom_model_pack(model, &bytes, &size, error));
    assert_ok(carom_model_unpack(bytes, size, &copy, error));
    assert_ok(carom_model_pack(copy, &again, &same, error));
    assert_int_equal(size, same);
    assert_memory_equal(bytes, again, (size_t)size);
    free(bytes);
    free(again);
    return copy;
}

// Where a struct has something, its copy has something: no field was forgotten.
static void nothing_is_lost(const void *a, const void *b, size_t size, const char *what) {
    for (size_t i = 0; i + sizeof(uint64_t) <= size; i += sizeof(uint64_t)) {
        uint64_t p, q;
        memcpy(&p, (const char *)a + i, sizeof p);
        memcpy(&q, (const char *)b + i, sizeof q);
        if (p && !q)
            fail_msg("byte %zu of a %s is lost", i, what);
    }
}

static void check_structs(const carom_model *a, const carom_model *b) {
    carom_model one = *a;
    // connections are not sent, nor is the room of others
    if (carom_model_is_part(a))
        assert_null(b->part.space);
    else
        assert_ptr_equal(b->part.space, b);
    one.part.space = NULL;
    nothing_is_lost(&one, b, sizeof one, "model");
    for (int i = 0; i < a->body_count; i++)
        nothing_is_lost(&a->bodies[i], &b->bodies[i], sizeof *a->bodies, "body");
    for (int i = 0; i < a->block_count; i++) {
        nothing_is_lost(&a->blocks[i], &b->blocks[i], sizeof *a->blocks, "block");
        assert_ptr_equal(a->blocks[i].element, b->blocks[i].element);
        assert_ptr_equal(a->blocks[i].material, b->blocks[i].material);
    }
    for (int i = 0; i < a->live.count; i++)
        nothing_is_lost(&a->live.items[i], &b->live.items[i], sizeof *a->live.items, "load");
    for (int i = 0; i < a->drives.motion_count; i++)
        nothing_is_lost(&a->drives.motions[i], &b->drives.motions[i], sizeof *a->drives.motions, "motion");
    assert_int_equal(a->gather_begin[a->node_count], b->gather_begin[b->node_count]);
    assert_int_equal(a->chunk_count, b->chunk_count);
    assert_true(a->hash == b->hash);
}

// Forces, energies and loads at the same positions.
static void check_forces(const carom_model *a, const carom_model *b) {
    const carom_model *models[2] = {a, b};
    size_t size = 3 * (size_t)a->node_count;
    double *forces[2], *viscous[2], *live[2], *energies[2];
    for (int i = 0; i < 2; i++) {
        const carom_model *m = models[i];
        double(*x)[3] = carom_allocate(m->node_count, sizeof *x);
        double *slots = carom_allocate(carom_model_slot_count(m), sizeof *slots);
        double *scratch = carom_allocate(carom_model_slot_count(m), sizeof *scratch);
        forces[i] = carom_allocate((int64_t)size, sizeof **forces);
        viscous[i] = carom_allocate((int64_t)size, sizeof **viscous);
        live[i] = carom_allocate((int64_t)size, sizeof **live);
        energies[i] = carom_allocate(m->element_count, sizeof **energies);
        uint64_t seed = 3;
        for (int k = 0; k < 3 * m->node_count; k++)
            x[k / 3][k % 3] = m->X[k / 3][k % 3] + (k % 3 == 2 ? 0 : random_real(&seed, -0.02, 0.02));
        carom_model_force(m, (carom_const_vectors)x, slots, (double(*)[3])forces[i], energies[i]);
        carom_model_viscous_force(m, (carom_const_vectors)x, (carom_const_vectors)m->v0, slots, scratch,
                                  (double(*)[3])viscous[i]);
        carom_model_live_load(m, 0.3, (carom_const_vectors)x, (double(*)[3])live[i]);
        free(x);
        free(slots);
        free(scratch);
    }
    if (size) {
        assert_memory_equal(forces[0], forces[1], size * sizeof **forces);
        assert_memory_equal(viscous[0], viscous[1], size * sizeof **viscous);
        assert_memory_equal(live[0], live[1], size * sizeof **live);
    }
    if (a->element_count)
        assert_memory_equal(energies[0], energies[1], (size_t)a->element_count * sizeof **energies);
    for (int i = 0; i < 2; i++) {
        free(forces[i]);
        free(viscous[i]);
        free(live[i]);
        free(energies[i]);
    }
}

// Whole models, parts of them and contact spaces.
static void same_models(void **state) {
    (void)state;
    for (int i = 0; i < PARTS_SCENES; i++) {
        parts_scene s;
        parts_starts[i](&s);
        bench_build(&s.b);
        carom_model *copy = copy_of(s.b.model), *made, *other;
        assert_true(carom_model_find_hash(copy) == s.b.model->hash);
        check_structs(s.b.model, copy);
        check_forces(s.b.model, copy);
        carom_model_release(copy);
        int *owner = parts_own(s.b.model, 3, PARTS_RANDOM);
        for (int p = 0; p < 4; p++) {
            // one of them without nodes
            assert_ok(carom_model_extract(s.b.model, owner, 4, p, &made, error));
            other = copy_of(made);
            check_structs(made, other);
            check_forces(made, other);
            carom_model_release(made);
            carom_model_release(other);
        }
        assert_ok(carom_model_extract_space(s.b.model, &made, error));
        other = copy_of(made);
        check_structs(made, other);
        carom_model_release(made);
        carom_model_release(other);
        free(owner);
        bench_end(&s.b);
    }
}

// Sets and the surfaces that nodes control are there too, and are the copy's own.
static void same_sets(void **state) {
    (void)state;
    parts_scene s;
    parts_start_solids(&s);
    bench_build(&s.b);
    carom_model *copy = copy_of(s.b.model);
    bench_end(&s.b);
    carom_selection where = carom_default_selection();
    int *nodes, count;
    snprintf(where.body, sizeof where.body, "body0");
    snprintf(where.set, sizeof where.set, "xmin");
    assert_ok(carom_model_select(copy, &where, &nodes, &count, error));
    assert_int_equal(count, 3 * 5);
    carom_free(nodes);
    const carom_body *shell = &copy->bodies[5];
    assert_non_null(shell->limit.begin);
    for (int j = 0; j < shell->limit.begin[shell->node_count]; j++)
        assert_in_range(shell->limit.nodes[j], shell->node_begin, shell->node_begin + shell->node_count - 1);
    assert_int_equal(carom_model_node_id(copy, copy->bodies[1].node_begin + 2), 13);
    assert_int_equal(copy->blocks[copy->bodies[1].block_begin].ids[3], 106);
    assert_string_equal(carom_model_side_name(copy, -1), "floor");
    carom_model_release(copy);
}

// A run with the copy has the bits of a run with the model; it takes the model of the bench.
static uint64_t run(carom_model *model, const char *method, double step, int steps) {
    bench b = {.model = model};
    bench_simulate_by(&b, method, NULL, step * steps, step);
    bench_run(&b);
    uint64_t hash = carom_state_hash(carom_sim_state(b.sim));
    bench_end(&b);
    return hash;
}

static void check_run(bench *b, const char *method, double step, int steps) {
    if (!b->model)
        bench_build(b);
    carom_model *copy = copy_of(b->model);
    uint64_t hash = run(b->model, method, step, steps);
    b->model = NULL;
    assert_true(run(copy, method, step, steps) == hash);
    bench_end(b);
}

static void same_runs(void **state) {
    (void)state;
    for (int i = 0; i < PARTS_SCENES; i++) {
        parts_scene s;
        parts_starts[i](&s);
        bench_build(&s.b);
        check_run(&s.b, "newmark-dcr", 0.5 * carom_model_stable_step(s.b.model), 20);
    }
    bench b;
    block_start_impact(&b, 0.3);
    check_run(&b, "newmark-dcr", 5e-3, 60);
    block_start_impact(&b, 0.3);
    b.def.contact.restitution = 1;
    check_run(&b, "energy-momentum", 2e-2, 12);
    block_start_outside(&b, (const char *const[2]){"neo-hookean", "linear"}, 0.2);
    b.def.contact.restitution = 1;
    check_run(&b, "energy-momentum", 2e-2, 5);
}

// Nodes with frames, large models with tiles, and a model that is only one node.
static void same_others(void **state) {
    (void)state;
    bench b;
    bench_start(&b);
    carom_line_params line = {.to = {1, 0, 0}, .elements = 4};
    carom_body_def *body = bench_add(&b, "line", &line, VECTOR(0, 0, 1));
    body->element.kind = carom_catalogue_find(carom_elements(), "exact-beam");
    carom_exact_beam_params *beam = default_params(body->element.kind);
    beam->width = beam->height = 0.1;
    body->element.params = beam;
    body->spin[1] = 0.5;
    b.materials[0] = (carom_elastic_params){100, 0.3, 1};
    body->material = (carom_pick){carom_catalogue_find(carom_materials(), "linear"), &b.materials[0]};
    bench_build(&b);
    carom_model *copy = copy_of(b.model);
    assert_true(carom_model_find_hash(copy) == b.model->hash);
    check_structs(b.model, copy);
    carom_model_release(copy);
    free(beam);
    bench_end(&b);

    bench_start(&b);
    block_add(&b, VECTOR(0, 0, 0), VECTOR(1, 1, 1), (const int[3]){30, 30, 30}, VECTOR(1, 0, 0), "neo-hookean");
    assert_ok(carom_mesh_renumber(&b.meshes[0], error));
    bench_build(&b);
    copy = copy_of(b.model);
    assert_true(b.model->tiles.count > 1);
    assert_int_equal(copy->tiles.count, b.model->tiles.count);
    check_forces(b.model, copy);
    carom_model_release(copy);
    bench_end(&b);

    bench_start(&b);
    bench_add_point(&b, VECTOR(0, 0, 0), 2, VECTOR(1, 0, 0));
    check_run(&b, "newmark-dcr", 0.1, 3);
}

// Parameters travel row by row: a table must describe all of its struct but the padding.
static void tables_are_complete(void **state) {
    (void)state;
    const carom_catalogue *const catalogues[2] = {carom_elements(), carom_materials()};
    for (int c = 0; c < 2; c++)
        for (int i = 0; i < catalogues[c]->count; i++) {
            const carom_kind *kind = catalogues[c]->kinds[i];
            size_t size = 0;
            for (int r = 0; r < kind->param_count; r++)
                size += carom_param_size(kind->params[r].type);
            assert_true(size <= kind->params_size && kind->params_size < size + 2 * sizeof(double));
        }
}

static void refuse(const unsigned char *bytes, int64_t size) {
    carom_model *model;
    // in memory of that size, so that reading on would be noticed
    unsigned char *cut = carom_allocate(size, 1);
    assert_non_null(cut);
    if (size)
        memcpy(cut, bytes, (size_t)size);
    assert_refused(carom_model_unpack(cut, size, &model, error), CAROM_BAD_INPUT, "are not those of a model");
    assert_null(model);
    free(cut);
}

static void cut_bytes(void **state) {
    (void)state;
    parts_scene s;
    parts_start_plane(&s);
    bench_build(&s.b);
    void *bytes;
    int64_t size;
    assert_ok(carom_model_pack(s.b.model, &bytes, &size, error));
    for (int64_t cut = 0; cut < size; cut += cut < 400 ? 1 : 1 + size / 997)
        refuse(bytes, cut);
    refuse(bytes, size - 1);
    unsigned char *longer = carom_allocate(size + 1, 1);
    assert_non_null(longer);
    memcpy(longer, bytes, (size_t)size);
    refuse(longer, size + 1);
    longer[0] ^= 1;
    refuse(longer, size);
    free(longer);
    free(bytes);
    bench_end(&s.b);
}

static void push(void *context, double time, int node, const double (*x)[3], double force[3]) {
    (void)context;
    (void)time;
    (void)node;
    (void)x;
    force[0] = 1;
}

static void refusals(void **state) {
    (void)state;
    bench b;
    void *bytes;
    int64_t size;
    carom_load_def load = {.where = {.body = "body0", .node = CAROM_AUTO}, .function = push};
    bench_start(&b);
    bench_add_bar(&b, VECTOR(0, 0, 0), VECTOR(1, 0, 0), 1, VECTOR(0, 0, 0), CAROM_BAR_GREEN);
    b.def.loads = &load;
    b.def.load_count = 1;
    bench_build(&b);
    assert_refused(carom_model_pack(b.model, &bytes, &size, error), CAROM_BAD_INPUT, "by a function of a program");
    carom_model_release(b.model);
    carom_material law = *(const carom_material *)b.bodies[0].material.kind;
    law.kind.name = "own-law";
    b.def.load_count = 0;
    b.bodies[0].material.kind = &law.kind;
    bench_build(&b);
    assert_refused(carom_model_pack(b.model, &bytes, &size, error), CAROM_BAD_INPUT, "material 'own-law'");
    bench_end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_models), cmocka_unit_test(same_sets),           cmocka_unit_test(same_runs),
        cmocka_unit_test(same_others), cmocka_unit_test(tables_are_complete), cmocka_unit_test(cut_bytes),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
