// SPDX-License-Identifier: MIT
// Tests src/device/device.c, src/device/device_force.c, src/device/lists.c, src/device/emulate.c, src/material/lame.h.
// The device emulated by threads with one lane gives the bits of the batched kernels, for every element and material that a
// device supports; so do steps on the device. Other models are refused.
#include "../../../bench/device_leap.h"
#include "../../solids.h"
#include "material/lame.h"
#include "math/functions.h"
#include "model/forces/forces.h"

static const char *const laws[] = {"linear", "st-venant-kirchhoff", "neo-hookean"};

// Bodies of more than one group of elements, with an incomplete last batch.
static void start(solid *s, const solid_case *c, const char *law, bool loaded, double stiffness) {
    static const carom_load_def load = {.where = {.body = "body0", .set = "xmax", .node = CAROM_AUTO}, .force = {0.1, 0.2, 0}};
    const int cells[3] = {7, 5, c->plane ? 1 : 5};
    carom_body_def *body = solid_start(s, c, VECTOR(1.4, 1, 1), cells, law, (carom_elastic_params){3, 0.3, 1});
    memcpy(body->spin, VECTOR(0, 0, 0.3), sizeof body->spin);
    body->damping.stiffness = stiffness;
    s->b.def.loads = loaded ? &load : NULL;
    s->b.def.load_count = loaded;
    bench_build(&s->b);
}

static bool is_missing(const solid_case *c, const char *law) {
    return c->plane && c->choice == CAROM_PLANE_STRESS && strcmp(law, "neo-hookean") == 0;
}

static double (*deform(const carom_model *model, uint64_t seed))[3] {
    double(*x)[3] = solid_reserve(model->node_count, sizeof *x);
    for (int k = 0; k < model->node_count; k++)
        for (int i = 0; i < 3; i++)
            x[k][i] = model->X[k][i] + (model->blocks[0].element->plane && i == 2 ? 0 : random_real(&seed, -0.02, 0.02));
    return x;
}

static void forces_have_the_same_bits(void **unused) {
    (void)unused;
    for (int i = 0; i < SOLID_CASES; i++)
        for (int l = 0; l < 3; l++) {
            solid s;
            carom_device *device;
            carom_state *state;
            carom_error error;
            start(&s, &solid_cases[i], laws[l], l == 1, 0);
            const carom_model *model = s.b.model;
            carom_status status = carom_device_create(carom_backend_emulation(), model, &device, &error);
            if (is_missing(&solid_cases[i], laws[l])) {
                assert_int_equal(status, CAROM_BAD_INPUT);
                assert_non_null(strstr(error.message, "body 'body0': "));
                assert_non_null(strstr(error.message, " with plane: stress of neo-hookean is not on the device yet"));
                bench_end(&s.b);
                continue;
            }
            assert_int_equal(status, CAROM_OK);
            assert_int_equal(carom_state_create(model, &state, &error), CAROM_OK);
            double(*x)[3] = deform(model, 7), (*f)[3] = solid_reserve(model->node_count, sizeof *f),
            (*g)[3] = solid_reserve(model->node_count, sizeof *g);
            double *slots = solid_reserve(carom_model_slot_count(model), sizeof *slots);
            carom_device_serve(device, state);
            memcpy(state->x, x, sizeof *x * (size_t)model->node_count);
            carom_model_force(model, (carom_const_vectors)x, slots, f, NULL);
            double *energies = solid_reserve(model->element_count, sizeof *energies),
                   *stored = solid_reserve(model->element_count, sizeof *stored);
            carom_model_energy(model, (carom_const_vectors)x, NULL, energies);
            carom_device_force(device, state, g, &(carom_force_outputs){.energies = stored});
            assert_memory_equal(f, g, sizeof *f * (size_t)model->node_count);
            // by the device or, for elements that it does not support, by the processor
            assert_memory_equal(energies, stored, sizeof *stored * (size_t)model->element_count);
            const char *name = model->blocks[0].element->kind.name;
            assert_int_equal(carom_device_stores(device),
                             strcmp(name, "tet4") == 0 || strcmp(name, "hex8") == 0 || strcmp(name, "wedge6") == 0);
            free(energies), free(stored);
            assert_null(carom_device_fault(device));
            assert_true(carom_device_spent(device).to > 0);
            carom_state_release(state);
            carom_device_release(device);
            free(x), free(f), free(g), free(slots);
            bench_end(&s.b);
        }
}

// Groups of elements sum forces at nodes, starting with the load, and the elements of such a sum have one slot; with stiffness
// damping each element has its own.
static void groups_begin_sums(void **unused) {
    (void)unused;
    for (int i = 0; i < SOLID_CASES; i++)
        for (int viscous = 0; viscous < 2; viscous++) {
            solid s;
            carom_device *device;
            carom_error error;
            int begun = 0;
            start(&s, &solid_cases[i], "st-venant-kirchhoff", true, viscous ? 1e-3 : 0);
            const carom_model *model = s.b.model;
            assert_int_equal(carom_device_create(carom_backend_emulation(), model, &device, &error), CAROM_OK);
            int all = model->gather_begin[model->node_count], slots = device->nodes.gather_begin[model->node_count];
            for (int k = 0; k < model->node_count; k++) {
                const double *first = &device->nodes.start[3 * (ptrdiff_t)k];
                bool is_begun = first[0] == 0 && signbit(first[0]);
                assert_true(is_begun || memcmp(first, model->load[k], sizeof model->load[k]) == 0);
                begun += is_begun;
            }
            assert_true(viscous ? slots == all && begun == 0 : slots < all && begun > model->node_count / 2);
            carom_device_release(device);
            bench_end(&s.b);
        }
}

// x += h w, then w += h f/m.
static void leap(const carom_model *model, int count, double h, double (*x)[3], double (*w)[3], double *most) {
    double *slots = solid_reserve(carom_model_slot_count(model), sizeof *slots);
    double(*f)[3] = solid_reserve(model->node_count, sizeof *f);
    for (int i = 0; i < count; i++) {
        *most = 0;
        for (int k = 0; k < model->node_count; k++)
            carom_add_scaled(h, w[k], x[k]);
        carom_model_force(model, (carom_const_vectors)x, slots, f, NULL);
        for (int k = 0; k < model->node_count; k++) {
            double scale = h / model->mass[k];
            carom_add_scaled(scale, f[k], w[k]);
            *most = fmax(*most, scale * carom_norm(f[k]));
        }
    }
    free(slots), free(f);
}

static void steps_have_the_same_bits(void **unused) {
    (void)unused;
    for (int i = 0; i < SOLID_CASES; i++) {
        solid s;
        carom_device *device;
        carom_error error;
        start(&s, &solid_cases[i], "st-venant-kirchhoff", true, 0);
        const carom_model *model = s.b.model;
        size_t size = sizeof(double[3]) * (size_t)model->node_count;
        double(*x)[3] = deform(model, 3), (*y)[3] = deform(model, 3), (*w)[3] = solid_reserve(model->node_count, sizeof *w),
        (*u)[3] = solid_reserve(model->node_count, sizeof *u), most, largest;
        memcpy(w, model->v0, size);
        memcpy(u, model->v0, size);
        assert_int_equal(carom_device_create(carom_backend_emulation(), model, &device, &error), CAROM_OK);
        leap_on_device(device, 20, 0.005, x, w, &most);
        leap(model, 20, 0.005, y, u, &largest);
        assert_memory_equal(x, y, size);
        assert_memory_equal(w, u, size);
        assert_true(most == largest && most > 0);
        carom_device_release(device);
        free(x), free(y), free(w), free(u);
        bench_end(&s.b);
    }
}

// A device with a limited number of bytes.
static size_t room;

static void *allocate_within(size_t bytes) {
    if (bytes > room)
        return NULL;
    room -= bytes;
    return calloc(bytes ? bytes : 1, 1);
}

static const char *open_small(char *name, size_t size, size_t *memory) {
    snprintf(name, size, "a small device");
    *memory = room;
    return NULL;
}

static void too_little_memory_is_refused_with_what_is_needed(void **unused) {
    (void)unused;
    solid s;
    carom_device *device;
    carom_error error;
    char expected[256];
    start(&s, &solid_cases[5], "linear", true, 0);
    carom_backend small = *carom_backend_emulation();
    small.open = open_small;
    small.allocate = allocate_within;
    room = SIZE_MAX;
    assert_int_equal(carom_device_create(&small, s.b.model, &device, &error), CAROM_OK);
    size_t needed = carom_device_bytes(device);
    carom_device_release(device);
    for (int part = 0; part < 3; part++) {
        size_t given = room = needed * (size_t)part / 3;
        assert_int_equal(carom_device_create(&small, s.b.model, &device, &error), CAROM_BAD_INPUT);
        assert_null(device);
        snprintf(expected, sizeof expected,
                 "a small device has too little memory for this model: %.3g GB are needed, %.3g GB are free",
                 1e-9 * (double)needed, 1e-9 * (double)given);
        assert_string_equal(error.message, expected);
    }
    room = needed;
    assert_int_equal(carom_device_create(&small, s.b.model, &device, &error), CAROM_OK);
    // there is enough memory for forces, but not for motion on the device
    int here[] = {0};
    double kicks[1][3];
    assert_int_equal(carom_device_stay(device, here, 1, &(carom_device_motion){.kicks = kicks}, &error), CAROM_BAD_INPUT);
    carom_device_release(device);
    bench_end(&s.b);
}

static void open_law_knows_its_logarithm(void **unused) {
    (void)unused;
    assert_true(CAROM_OPEN_LOG == carom_log(CAROM_OPEN_VOLUME));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_have_the_same_bits),    cmocka_unit_test(groups_begin_sums),
        cmocka_unit_test(steps_have_the_same_bits),     cmocka_unit_test(too_little_memory_is_refused_with_what_is_needed),
        cmocka_unit_test(open_law_knows_its_logarithm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
