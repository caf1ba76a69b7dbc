// SPDX-License-Identifier: MIT
// Tests src/model/build/tiles.c, src/model/forces/forces.c.
// Tiles (groups of elements evaluated by one thread): every node is gathered once, and forces and energies have the bits of a
// model without tiles, for any number of threads.
#include "../../../blocks.h"
#include "model/forces/forces.h"
#include "model/tiles.h"

enum { NODES_MAX = 5000, ELEMENTS_MAX = 4000 };

// Three blocks, of 1100, 6 and 2184 bricks, and loads on one of them.
static void start(bench *b) {
    static const carom_load_def load = {.where = {.body = "body0", .set = "zmax", .node = CAROM_AUTO},
                                        .force = {0.1, 0.2, -0.3}};
    bench_start(b);
    block_add(b, VECTOR(0, 0, 0), VECTOR(1, 1, 1), (const int[3]){11, 10, 10}, VECTOR(0, 0, 0), "neo-hookean");
    block_add(b, VECTOR(3, 0, 0), VECTOR(4, 1, 1), (const int[3]){3, 2, 1}, VECTOR(0, 0, 0), "linear");
    block_add(b, VECTOR(5, 0, 0), VECTOR(6, 1, 1), (const int[3]){14, 12, 13}, VECTOR(0, 0, 0), "st-venant-kirchhoff");
    b->def.loads = &load;
    b->def.load_count = 1;
    bench_build(b);
    assert_true(b->model->node_count <= NODES_MAX && b->model->element_count <= ELEMENTS_MAX);
}

static void evaluate(const carom_model *model, int threads, double (*force)[3], double *energies) {
    static double x[NODES_MAX][3];
    uint64_t seed = 5;
    for (int k = 0; k < model->node_count; k++)
        for (int i = 0; i < 3; i++)
            x[k][i] = model->X[k][i] + random_real(&seed, -0.01, 0.01);
    carom_set_threads(threads);
    double *slots = calloc((size_t)carom_model_slot_count(model), sizeof *slots);
    carom_model_force(model, (carom_const_vectors)x, slots, force, energies);
    free(slots);
    carom_set_threads(1);
}

static void each_node_once(const carom_model *model) {
    static int seen[NODES_MAX];
    const carom_tiles *tiles = &model->tiles;
    memset(seen, 0, sizeof seen);
    for (int t = 0; t < tiles->count; t++)
        for (int i = tiles->items[t].own_begin; i < tiles->items[t].own_end; i++)
            seen[tiles->own[i]]++;
    for (int s = 0; s < tiles->shared_count; s++)
        seen[tiles->shared[s]]++;
    for (int k = 0; k < model->node_count; k++)
        assert_int_equal(seen[k], 1);
    assert_int_equal(tiles->items[0].chunk_begin, 0);
    for (int t = 1; t < tiles->count; t++)
        assert_int_equal(tiles->items[t].chunk_begin, tiles->items[t - 1].chunk_end);
    assert_int_equal(tiles->items[tiles->count - 1].chunk_end, model->chunk_count);
}

static void same_bits(void **state) {
    (void)state;
    static double plain[NODES_MAX][3], tiled[NODES_MAX][3], energies[ELEMENTS_MAX], energies_tiled[ELEMENTS_MAX];
    bench b;
    start(&b);
    // small models have no tiles
    assert_int_equal(b.model->tiles.count, 0);
    evaluate(b.model, 1, plain, energies);
    // tiles of one chunk, of several chunks, and one tile for all
    static const int64_t most[] = {1, 20000, 40000, 1000000};
    for (int m = 0; m < 4; m++) {
        assert_ok(carom_model_build_tiles(b.model, most[m], error));
        assert_true(m == 0 ? b.model->tiles.count == b.model->chunk_count : b.model->tiles.count < b.model->chunk_count);
        assert_true(m == 3 ? b.model->tiles.shared_count == 0 : b.model->tiles.shared_count > 0);
        each_node_once(b.model);
        for (int threads = 1; threads <= 3; threads++) {
            memset(tiled, 0, sizeof tiled);
            evaluate(b.model, threads, tiled, energies_tiled);
            assert_memory_equal(tiled, plain, (size_t)b.model->node_count * sizeof *plain);
            assert_memory_equal(energies_tiled, energies, (size_t)b.model->element_count * sizeof *energies);
        }
    }
    bench_end(&b);
}

// A large model has tiles by default, and its steps have the bits of the same model without them.
static void large_models(void **state) {
    (void)state;
    uint64_t hash[2];
    for (int tiles = 0; tiles < 2; tiles++) {
        bench b;
        bench_start(&b);
        block_add(&b, VECTOR(0, 0, 0), VECTOR(1, 1, 1), (const int[3]){30, 30, 30}, VECTOR(1, 0, 0), "neo-hookean");
        assert_ok(carom_mesh_renumber(&b.meshes[0], error));
        memcpy(b.bodies[0].spin, VECTOR(0, 0, 0.3), sizeof b.bodies[0].spin);
        memcpy(b.def.gravity, VECTOR(0, 0, -1), sizeof b.def.gravity);
        bench_build(&b);
        assert_true(b.model->tiles.count > 16);
        carom_set_threads(2);
        if (!tiles)
            b.model->tiles = (carom_tiles){0};
        bench_simulate(&b, 3e-4, 1e-4);
        bench_run(&b);
        hash[tiles] = carom_state_hash(carom_sim_state(b.sim));
        carom_set_threads(1);
        bench_end(&b);
    }
    assert_true(hash[0] == hash[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits), cmocka_unit_test(large_models)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
