// SPDX-License-Identifier: MIT
// A law of a user is treated as one of carom that makes the same promises: copies of laws of carom under names of their own.
#include "../support.h"
#include "carom/carom.h"
#include "element/point_law.h"
#include "model/forces/forces.h"
#include "model/state.h"
#include "model/watch/frequency_bound.h"

static const carom_material *known(const char *name) {
    return (const carom_material *)carom_catalogue_find(carom_materials(), name);
}

// The tables stay in the catalogue until the program ends.
static carom_material barred, open, metal, silent;
static carom_inelastic without;

static void add(carom_material *copy, const char *of, const char *name) {
    carom_error error;
    *copy = *known(of);
    copy->kind.name = name;
    assert_int_equal(carom_register_material(copy, &error), CAROM_OK);
}

static int start(void **state) {
    (void)state;
    add(&barred, "neo-hookean", "own-neo-hookean");
    add(&open, "neo-hookean", "own-open");
    open.barrier = false;
    add(&metal, "j2", "own-metal");
    add(&silent, "j2", "own-silent");
    without = *silent.inelastic;
    without.ages = NULL;
    without.small_elastic = false;
    silent.inelastic = &without;
    return 0;
}

// Runs the scene; the status of the last step, and the positions of the first eight nodes.
static carom_status play(const char *scene, const char *law, const char *rest, double x[8][3]) {
    char text[2048];
    carom_error error = {0};
    carom_scene *read = NULL;
    carom_sim *sim = NULL;
    snprintf(text, sizeof text, scene, law, rest);
    carom_status status = carom_scene_parse(text, strlen(text), "own.yaml", NULL, 0, &read, NULL, &error);
    assert_int_equal(status, CAROM_OK);
    status = carom_sim_create(carom_scene_model(read), carom_scene_integrator(read), carom_scene_time(read), &sim, &error);
    while (!status && !carom_sim_done(sim))
        status = carom_sim_step(sim, &error);
    if (sim && x)
        memcpy(x, carom_state_positions(carom_sim_state(sim)), 8 * sizeof *x);
    carom_sim_release(sim);
    carom_scene_release(read);
    return status;
}

static const char crush[] = "schema: 1\n"
                            "integrator: newmark-dcr\n"
                            "time: {end: 0.6, step: auto}\n"
                            "bodies:\n"
                            "  - name: block\n"
                            "    mesh: {box: {from: [0, 0, 0], to: [1, 1, 1], elements: [1, 1, 1]}}\n"
                            "    element: hex8\n"
                            "    material: {%s: {young: 1, poisson: 0.3, density: 1}}\n"
                            "    velocity: [0, 0, -%s]\n"
                            "restraints: [{body: block, set: zmin, fix: xyz}]\n"
                            "contact: false\n";

// A block that is flattened to nothing needs parts of steps that only a barrier is worth.
static void barrier(void **state) {
    (void)state;
    double theirs[8][3], mine[8][3];
    assert_int_equal(play(crush, "neo-hookean", "12", theirs), CAROM_OK);
    assert_int_equal(play(crush, "own-neo-hookean", "12", mine), CAROM_OK);
    for (int i = 0; i < 24; i++)
        assert_near(mine[i / 3][i % 3], theirs[i / 3][i % 3], 1e-6);
    carom_status status = play(crush, "own-open", "12", mine);
    double off = 0;
    for (int i = 0; i < 24; i++)
        off = fmax(off, fabs(mine[i / 3][i % 3] - theirs[i / 3][i % 3]));
    assert_true(status != CAROM_OK || off > 1e-3);
}

static const char press[] = "schema: 1\n"
                            "integrator: newmark-dcr\n"
                            "time: {end: 0.4, step: 0.02}\n"
                            "bodies:\n"
                            "  - name: block\n"
                            "    mesh: {box: {from: [0, 0, 0], to: [1, 1, 1], elements: [1, 1, 1]}}\n"
                            "    element: {hex8: {integration: mean-dilatation}}\n"
                            "    material: {%s: {young: 1, poisson: 0.3, density: 1, yield: 0.02}}\n"
                            "    velocity: [0, 0, -0.3]\n"
                            "restraints: [{body: block, set: zmin, fix: xyz}]\n"
                            "contact: false\n";

// Runs the scene; the stable step that the bound of the element allows at the end, and whether the history depends on times.
static double pressed(const char *law, bool *ages) {
    char text[2048];
    carom_error error = {0};
    carom_scene *read = NULL;
    carom_sim *sim = NULL;
    snprintf(text, sizeof text, press, law);
    assert_int_equal(carom_scene_parse(text, strlen(text), "own.yaml", NULL, 0, &read, NULL, &error), CAROM_OK);
    assert_int_equal(
        carom_sim_create(carom_scene_model(read), carom_scene_integrator(read), carom_scene_time(read), &sim, &error),
        CAROM_OK);
    while (!carom_sim_done(sim))
        assert_int_equal(carom_sim_step(sim, &error), CAROM_OK);
    const carom_model *model = carom_sim_state(sim)->model;
    const double(*X)[3] = (const double(*)[3])model->X, (*x)[3] = carom_state_positions(carom_sim_state(sim));
    double(*rest)[3] = calloc((size_t)model->node_count, sizeof *rest);
    double *slots = calloc((size_t)carom_model_slot_count(model), sizeof *slots);
    double *measures = calloc((size_t)carom_stiffening_buffer(model) + 1, sizeof *measures);
    assert_true(rest && slots && measures);
    carom_kinematics motion = {X, x, (const double(*)[3])rest, (const double(*)[3])rest};
    double stable = carom_model_stiffening(model, &motion, slots, measures).stable;
    *ages = carom_block_ages(&model->blocks[0]);
    free(rest);
    free(slots);
    free(measures);
    carom_sim_release(sim);
    carom_scene_release(read);
    return stable;
}

// A metal of a user has the bound of metals, to rounding, and steps of any length where its history does not depend on them.
// Without the promises it has the bound of other laws, which is near, and ages.
static void small_elastic(void **state) {
    (void)state;
    bool ages[3];
    double theirs = pressed("j2", &ages[0]), mine = pressed("own-metal", &ages[1]), other = pressed("own-silent", &ages[2]);
    assert_near(mine / theirs, 1, 1e-9);
    assert_true(fabs(other / theirs - 1) > 1e-6);
    assert_true(!ages[0] && !ages[1] && ages[2]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(barrier), cmocka_unit_test(small_elastic)};
    return cmocka_run_group_tests(tests, start, NULL);
}
