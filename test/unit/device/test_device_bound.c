// SPDX-License-Identifier: MIT
// Tests src/device/device_bound.c, src/device/threads_bound.h, src/element/solid/stiffness_bound.h,
// src/element/shell/loop_shell_bound_body.h.
// Stability bounds on a device: it proves exactly those steps that the bounds of the model prove, to the last bit; elements
// that it does not support are left to the processor. Later forces are not changed. Shells without area are detected.
#include "../../shells.h"
#include "../../solids.h"
#include "device/device.h"
#include "model/forces/forces.h"
#include "model/watch/frequency_bound.h"

static const char *const laws[] = {"linear", "st-venant-kirchhoff", "neo-hookean"};

typedef struct setting {
    solid s;
    const carom_model *model;
    carom_device *device;
    carom_state *state;
    carom_vectors force;
} setting;

// Creates the emulated device of a model.
static void bring(setting *t, const carom_model *model) {
    carom_error error;
    t->model = model;
    assert_int_equal(carom_state_create(t->model, &t->state, &error), CAROM_OK);
    assert_int_equal(carom_device_create(carom_backend_emulation(), t->model, &t->device, &error), CAROM_OK);
    carom_device_serve(t->device, t->state);
    t->force = solid_reserve(t->model->node_count, sizeof *t->force);
}

static void release(setting *t) {
    carom_device_release(t->device);
    carom_state_release(t->state);
    free(t->force);
}

static void start(setting *t, const solid_case *c, const char *law) {
    const int cells[3] = {7, 5, c->plane ? 1 : 5};
    carom_body_def *body = solid_start(&t->s, c, VECTOR(1.4, 1, 1), cells, law, (carom_elastic_params){3, 0.3, 1});
    body->damping.mass = 0.7;
    bench_build(&t->s.b);
    bring(t, t->s.b.model);
}

static void end(setting *t) {
    release(t);
    bench_end(&t->s.b);
}
// Random positions, which are transferred to the device with a call for forces.
static void deform(setting *t, double size, uint64_t *seed) {
    for (int k = 0; k < t->model->node_count; k++)
        for (int i = 0; i < 3; i++) {
            bool flat = t->model->blocks[0].element->plane && i == 2;
            t->state->x[k][i] = t->model->X[k][i] + (flat ? 0 : random_real(seed, -size, size));
        }
    carom_device_force(t->device, t->state, t->force, &(carom_force_outputs){0});
}

// The largest step that the bound of the model proves to be stable.
static double stable_step(const setting *t) {
    carom_vectors rest = solid_reserve(t->model->node_count, sizeof *rest);
    double *slots = solid_reserve(carom_model_slot_count(t->model), sizeof *slots);
    double *measures = solid_reserve(carom_stiffening_buffer(t->model), sizeof *measures);
    carom_kinematics motion = {(carom_const_vectors)t->model->X, (carom_const_vectors)t->state->x, (carom_const_vectors)rest,
                               (carom_const_vectors)rest};
    double stable = carom_model_stiffening(t->model, &motion, slots, measures).stable;
    free(rest), free(slots), free(measures);
    return stable;
}

static bool is_known(const solid_case *c) {
    return strcmp(c->element, "tet4") == 0 || strcmp(c->element, "hex8") == 0;
}

static void proves_what_the_model_proves(void **unused) {
    (void)unused;
    uint64_t seed = 11;
    for (int i = 0; i < SOLID_CASES; i++)
        for (int l = 0; l < 3; l++) {
            setting t;
            // devices do not support plane stress of neo-hookean
            if (solid_cases[i].plane && solid_cases[i].choice == CAROM_PLANE_STRESS && l == 2)
                continue;
            start(&t, &solid_cases[i], laws[l]);
            for (int round = 0; round < 4; round++) {
                deform(&t, 0.01 * round, &seed);
                double stable = stable_step(&t);
                bool linear = !carom_model_can_stiffen(t.model), known = linear || is_known(&solid_cases[i]);
                assert_true(carom_device_proves_step(t.device, stable) == known);
                assert_true(carom_device_proves_step(t.device, 0.5 * stable) == known);
                assert_true(carom_device_proves_step(t.device, nextafter(stable, HUGE_VAL)) == linear);
                assert_true(linear || stable < 1);
            }
            end(&t);
        }
}

// A patch whose nodes lie on a line has no area: the device reports that it must be checked by the processor.
static void check_flat_shell(setting *t) {
    const carom_block *block = &t->model->blocks[0];
    carom_vectors good = solid_reserve(t->model->node_count, sizeof *good);
    size_t size = sizeof *good * (size_t)t->model->node_count;
    memcpy(good, t->state->x, size);
    for (int a = 0; a < block->node_count; a++)
        t->state->x[block->nodes[a]][1] = t->state->x[block->nodes[a]][2] = 0;
    carom_device_force(t->device, t->state, t->force, &(carom_force_outputs){0});
    assert_false(carom_device_finds_no_violation(t->device, false, true, 1));
    memcpy(t->state->x, good, size);
    free(good);
}

// Regular patches, irregular ones, and those at symmetry planes and clamped edges, with one and three integration points.
static void proves_what_the_model_proves_of_shells(void **unused) {
    (void)unused;
    uint64_t seed = 23;
    for (int i = 0; i < 4; i++) {
        setting t;
        shell s;
        carom_sphere_params sphere = {.radius = 1, .faces = 1280};
        carom_rectangle_params sheet = {.to = {1.2, 1, 0}, .columns = 17, .rows = 16, .cells = CAROM_PLANE_TRI3};
        shell_start(&s, i < 2 ? "sphere" : "rectangle", i < 2 ? (const void *)&sphere : &sheet, 0.05, 7.85e-2);
        s.params.integration = i % 2 ? CAROM_SHELL_THREE_POINT : CAROM_SHELL_ONE_POINT;
        snprintf(s.params.symmetry, sizeof s.params.symmetry, "%s", i == 3 ? "x=0 y=0" : "");
        snprintf(s.params.clamped, sizeof s.params.clamped, "%s", i == 3 ? "xmax" : "");
        s.b.bodies[0].material.kind = carom_catalogue_find(carom_materials(), "st-venant-kirchhoff");
        shell_build(&s);
        bring(&t, s.b.model);
        for (int round = 0; round < 4; round++) {
            deform(&t, 0.004 * round, &seed);
            double stable = stable_step(&t);
            assert_true(stable < 1);
            assert_true(carom_device_proves_step(t.device, stable));
            assert_false(carom_device_proves_step(t.device, nextafter(stable, HUGE_VAL)));
            assert_true(carom_device_finds_no_violation(t.device, false, true, 1));
        }
        check_flat_shell(&t);
        // no step is proven for a shell with a position of NaN
        t.state->x[t.model->node_count / 2][1] = NAN;
        carom_device_force(t.device, t.state, t.force, &(carom_force_outputs){0});
        assert_false(carom_device_proves_step(t.device, 1e-9));
        assert_false(carom_device_finds_no_violation(t.device, false, true, 1));
        release(&t);
        shell_end(&s);
    }
}

// For inverted bodies and positions of NaN the device proves no more than the model. Forces are the same before and after a
// query.
static void broken_bodies_are_no_better(void **unused) {
    (void)unused;
    setting t;
    uint64_t seed = 5;
    start(&t, &solid_cases[4], "neo-hookean");
    deform(&t, 0.01, &seed);
    assert_true(carom_device_proves_step(t.device, 1e-6));
    size_t size = sizeof *t.force * (size_t)t.model->node_count;
    carom_vectors again = solid_reserve(t.model->node_count, sizeof *again);
    carom_device_force(t.device, t.state, again, &(carom_force_outputs){0});
    assert_memory_equal(again, t.force, size);
    const double places[] = {NAN, HUGE_VAL, 3, -3};
    for (int i = 0; i < 4; i++) {
        t.state->x[40][0] = places[i];
        carom_device_force(t.device, t.state, t.force, &(carom_force_outputs){0});
        for (double step = 1e-8; step < 1; step *= 2)
            assert_true(!carom_device_proves_step(t.device, step) || stable_step(&t) >= step);
    }
    free(again);
    end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proves_what_the_model_proves),
        cmocka_unit_test(proves_what_the_model_proves_of_shells),
        cmocka_unit_test(broken_bodies_are_no_better),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
