// SPDX-License-Identifier: MIT
// Tests src/model/build/material_regions.c, src/model/build/block_layout.c.
// Bodies of several materials: material of each element, element numbers, masses, forces, stable steps, refusals.
#include "../../../solids.h"
#include "../../../support.h"
#include "model/build/material_regions.h"

static const carom_elastic_params soft = {.young = 10, .poisson = 0.3, .density = 2};
static const carom_elastic_params hard = {.young = 90, .poisson = 0.2, .density = 5};

typedef struct mixed {
    solid s;
    carom_elastic_params laws[2];
    carom_material_def entries[2];
    carom_body_def *body;
} mixed;

// Six bricks in a row; those of the set `odd` have the stiffer material.
static void start(mixed *m, const char *element, const char *material) {
    solid_case c = {"", element, 0, false};
    m->body = solid_start(&m->s, &c, VECTOR(6, 1, 1), (const int[]){6, 1, 1}, material, soft);
    const int odd[] = {5, 1, 3};
    assert_ok(carom_mesh_add_cell_set(&m->s.b.meshes[0], "odd", odd, 3, error));
    m->laws[0] = m->laws[1] = hard;
    memset(m->entries, 0, sizeof m->entries);
    for (int i = 0; i < 2; i++)
        m->entries[i].material = (carom_pick){carom_catalogue_find(carom_materials(), material), &m->laws[i]};
    strcpy(m->entries[0].set, "odd");
    m->body->materials = m->entries;
    m->body->material_count = 1;
}

static void test_elements(void **state) {
    (void)state;
    mixed m;
    start(&m, "hex8", "neo-hookean");
    int64_t ids[] = {70, 71, 72, 73, 74, 75};
    int64_t *copy = malloc(sizeof ids);
    memcpy(copy, ids, sizeof ids);
    m.s.b.meshes[0].blocks[0].ids = copy;
    bench_build(&m.s.b);
    const carom_model *model = m.s.b.model;
    assert_int_equal(model->block_count, 2);
    for (int b = 0; b < 2; b++) {
        const carom_block *block = &model->blocks[b];
        const carom_elastic_params *law = block->material_params;
        assert_true(law->young == (b ? hard : soft).young);
        assert_int_equal(block->count, 3);
        for (int e = 0; e < 3; e++) {
            assert_int_equal(block->cells[e], 2 * e + b);
            assert_int_equal(carom_block_id(block, e), 70 + 2 * e + b);
            // bricks of a row begin at x = 0, 1, ...
            assert_true(model->X[block->nodes[8 * e]][0] == 2 * e + b);
        }
    }
    double mass = 0;
    for (int k = 0; k < model->node_count; k++)
        mass += model->mass[k];
    assert_near(mass, 3 * (soft.density + hard.density), 1e-13);
    bench_end(&m.s.b);
}

// `hourglass: auto` depends on the material of each element, whichever of the two is plastic; a number applies to all elements.
static void test_hourglass(void **state) {
    (void)state;
    for (int given = 0; given < 2; given++) {
        mixed m;
        carom_j2_params metal;
        carom_hex8_params hex8 = {.integration = CAROM_HEX8_ONE_POINT, .hourglass = given ? 0.03 : NAN};
        start(&m, "hex8", "neo-hookean");
        m.body->element.params = &hex8;
        m.entries[0].material = carom_pick_of(carom_materials(), "j2", &metal, NULL);
        m.entries[0].material.params = &metal;
        metal.elastic = hard;
        metal.yield = 1;
        bench_build(&m.s.b);
        for (int b = 0; b < 2; b++) {
            const carom_block *block = &m.s.b.model->blocks[b];
            bool flows = strcmp(block->material->kind.name, "j2") == 0;
            assert_true(flows == (b == 1));
            assert_true(((const carom_hex8_params *)block->params)->hourglass == (given ? 0.03 : flows ? 0.005 : 0.1));
        }
        bench_end(&m.s.b);
    }
}

// Forces of each element are those of a body of its material alone; the stable step is valid for the body.
static void test_forces_and_step(void **state) {
    (void)state;
    mixed m;
    uint64_t seed = 4;
    start(&m, "hex8", "neo-hookean");
    // all elements stiff, given once for the set and once for the rest
    m.s.b.materials[0] = hard;
    bench_build(&m.s.b);
    double(*two)[3] = solid_reserve(m.s.b.model->node_count, sizeof *two),
    (*one)[3] = solid_reserve(m.s.b.model->node_count, sizeof *one);
    double(*x)[3] = solid_reserve(m.s.b.model->node_count, sizeof *x);
    for (int k = 0; k < m.s.b.model->node_count; k++)
        for (int i = 0; i < 3; i++)
            x[k][i] = m.s.b.model->X[k][i] + random_real(&seed, -0.1, 0.1);
    solid_force(m.s.b.model, (const double(*)[3])x, two);
    carom_model *whole;
    m.body->material_count = 0;
    assert_ok(carom_model_create(&m.s.b.def, &whole, error));
    solid_force(whole, (const double(*)[3])x, one);
    for (int k = 0; k < whole->node_count; k++) {
        assert_true(whole->mass[k] == m.s.b.model->mass[k]);
        for (int i = 0; i < 3; i++)
            assert_near(one[k][i], two[k][i], 1e-12);
    }
    carom_model_release(whole);
    free(one);
    free(two);
    free(x);
    bench_end(&m.s.b);

    start(&m, "hex8", "neo-hookean");
    bench_build(&m.s.b);
    double step = carom_model_stable_step(m.s.b.model), fastest = solid_fastest(m.s.b.model, &seed);
    assert_true(step <= 2 / sqrt(fastest) && step > 0.95 * 2 / sqrt(fastest));
    bench_end(&m.s.b);
}

static void test_boxes(void **state) {
    (void)state;
    mixed m;
    start(&m, "tet4", "st-venant-kirchhoff");
    m.entries[0].set[0] = 0;
    m.entries[0].in_box.given = true;
    memcpy(m.entries[0].in_box.high, VECTOR(2, 1, 1), sizeof m.entries[0].in_box.high);
    bench_build(&m.s.b);
    const carom_model *model = m.s.b.model;
    assert_int_equal(model->block_count, 2);
    assert_int_equal(model->blocks[1].count, model->element_count / 3);
    bench_end(&m.s.b);
}

static void refuse(mixed *m, const char *message) {
    carom_model *model;
    assert_refused(carom_model_create(&m->s.b.def, &model, error), CAROM_BAD_INPUT, message);
    bench_end(&m->s.b);
}

static void test_refused(void **state) {
    (void)state;
    mixed m;
    start(&m, "hex8", "neo-hookean");
    strcpy(m.entries[0].set, "even");
    refuse(&m, "body 'body0' has no set of elements 'even'; the sets of elements are 'odd'");
    start(&m, "hex8", "neo-hookean");
    assert_ok(carom_mesh_add_cell_set(&m.s.b.meshes[0], "none", NULL, 0, error));
    strcpy(m.entries[0].set, "none");
    refuse(&m, "body 'body0': set 'none' has no elements");
    start(&m, "hex8", "neo-hookean");
    m.body->material.kind = NULL;
    refuse(&m, "body 'body0': element 0 is in no entry of `materials`, and the body has no `material` for it: add one");
    start(&m, "hex8", "neo-hookean");
    m.body->material_count = 2;
    refuse(&m, "body 'body0': materials[1] has neither a set nor a box");
    start(&m, "hex8", "neo-hookean");
    m.entries[0].material.kind = NULL;
    refuse(&m, "body 'body0': materials[0] has no material");
    start(&m, "hex8", "neo-hookean");
    m.laws[0].density = -1;
    refuse(&m, "body 'body0': neo-hookean.density: expected a number > 0, found -1");
    start(&m, "nodal", "neo-hookean");
    refuse(&m, "body 'body0': element 'nodal' accepts one material for the whole body, not `materials`: it averages over all "
               "elements around a node");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elements), cmocka_unit_test(test_hourglass), cmocka_unit_test(test_forces_and_step),
        cmocka_unit_test(test_boxes),    cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
