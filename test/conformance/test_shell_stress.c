// SPDX-License-Identifier: MIT
// Tests src/element/shell/loop_shell_stress.c, src/element/shell/loop_shell_field.c, src/element/shell/loop_shell_faces.h.
// The von Mises stress of shells in batches has the bits of single elements, also where some of them have no area, are
// stretched beyond the law, or are not a number; and peaks that the pass of the forces finds, on the processor or a device, are
// those of a look at the fields. A device has the forces and energies of the processor.
#include "../shells.h"
#include "device/device.h"
#include "element/shell/loop_shell.h"
#include "math/vec3.h"
#include "model/forces/peaks.h"
#include "model/state.h"

typedef struct kind {
    const char *symmetry, *clamped;
    int integration;
    bool sphere;
} kind;

static const kind kinds[] = {
    {"", "", CAROM_SHELL_ONE_POINT, true},
    {"", "", CAROM_SHELL_THREE_POINT, true},
    {"", "", CAROM_SHELL_ONE_POINT, false},
    {"x=0 y=0", "xmax", CAROM_SHELL_ONE_POINT, false},
};

static void start(shell *s, const kind *k) {
    carom_sphere_params sphere = {.radius = 1, .faces = 80};
    carom_rectangle_params sheet = {.to = {1.2, 1, 0}, .columns = 7, .rows = 6, .cells = CAROM_PLANE_TRI3};
    shell_start(s, k->sphere ? "sphere" : "rectangle", k->sphere ? (const void *)&sphere : &sheet, 0.05, 7.85e-2);
    s->params.integration = k->integration;
    snprintf(s->params.symmetry, sizeof s->params.symmetry, "%s", k->symmetry);
    snprintf(s->params.clamped, sizeof s->params.clamped, "%s", k->clamped);
    s->b.bodies[0].material.kind = carom_catalogue_find(carom_materials(), "st-venant-kirchhoff");
    shell_build(s);
}

// At a face of a point: the Cauchy stress S^ab a_a (x) a_b/(area growth times thinning), by the law itself.
static double plain_face(const carom_shell *s, const double G[3], const carom_shell_point *p, const double strain[6],
                         double side) {
    double E[3], S[3], thinning, t[3][3], growth = p->J / sqrt(G[0] * G[1] - G[2] * G[2]);
    for (int k = 0; k < 3; k++)
        E[k] = strain[k] + 0.5 * side * s->thickness * strain[3 + k];
    if (!(s->block->material->sheet(s->block->material_params, G, E, S, NULL, &thinning) < HUGE_VAL))
        return 0;
    double factor = 1 / (growth * thinning);
    const double *a1 = p->y[0], *a2 = p->y[1];
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++)
            t[i][j] = factor * (S[0] * a1[i] * a1[j] + S[1] * a2[i] * a2[j] + S[2] * (a1[i] * a2[j] + a2[i] * a1[j]));
    double a = t[0][0] - t[1][1], b = t[1][1] - t[2][2], c = t[2][2] - t[0][0];
    double shear = t[0][1] * t[0][1] + t[1][2] * t[1][2] + t[0][2] * t[0][2];
    return sqrt(0.5 * (a * a + b * b + c * c) + 3 * shear);
}

static double plain(const carom_shell *s, int e, const double (*x)[3]) {
    double sum = 0, area = 0;
    for (int q = 0; q < s->point_count; q++) {
        carom_shell_rows rows;
        carom_shell_point point;
        double G[3], strain[6], own = *carom_shell_data(s, e, q, CAROM_SHELL_AREA);
        carom_shell_read_rows(s, e, q, &rows);
        carom_shell_place(s, e, &rows, x, &point);
        carom_shell_strain(s, e, q, &point, strain);
        for (int k = 0; k < 3; k++)
            G[k] = *carom_shell_data(s, e, q, CAROM_SHELL_METRIC + k);
        area += own;
        sum += own * fmax(plain_face(s, G, &point, strain, 1), plain_face(s, G, &point, strain, -1));
    }
    return sum / area;
}

static int number_of(const carom_element *element) {
    int f = 0;
    while (strcmp(element->fields[f].name, "von_mises") != 0)
        f++;
    return f;
}

// Compares all elements; returns how many have a finite stress above zero.
static int compare(const shell *s) {
    const carom_model *model = s->b.model;
    carom_const_vectors x = (carom_const_vectors)s->x, X = (carom_const_vectors)model->X;
    int usual = 0;
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        carom_shell all = carom_shell_of(block);
        double values[256];
        assert_true(block->count <= 256);
        // ranges begin and end anywhere in a batch
        for (int begin = 0, end; begin < block->count; begin = end) {
            end = begin + 5 < block->count ? begin + 5 : block->count;
            block->element->field(block, begin, end, x, X, number_of(block->element), values);
        }
        for (int e = 0; e < block->count; e++) {
            double expected = plain(&all, e, x);
            assert_true(values[e] == expected || (isnan(values[e]) && isnan(expected)));
            usual += expected > 0 && expected < HUGE_VAL;
        }
    }
    return usual;
}

// Positions: a crooked shell; far too long for the law, very far, not a number, all of it in one point.
enum { PLACES = 8, ODD = 2 };
static void place(shell *s, int which) {
    static const double odd[] = {30, 1e80, 1e160, HUGE_VAL, NAN};
    const carom_model *model = s->b.model;
    uint64_t seed = (uint64_t)(5 + which);
    memcpy(s->x, model->X, (size_t)model->node_count * sizeof *s->x);
    if (which < ODD)
        for (int k = 0; k < model->node_count; k++)
            for (int c = 0; c < 3; c++)
                s->x[k][c] = (c == 1 ? 1.2 : 1) * model->X[k][c] + 0.02 * random_real(&seed, -1, 1);
    else if (which < PLACES - 1)
        s->x[7][0] += odd[which - ODD];
    else
        memset(s->x, 0, (size_t)model->node_count * sizeof *s->x);
}

static void batches_have_the_bits_of_elements(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        shell s;
        start(&s, &kinds[i]);
        // at rest
        compare(&s);
        for (int which = 0; which < PLACES; which++) {
            place(&s, which);
            int usual = compare(&s), all = s.b.model->element_count;
            assert_true(which < ODD ? usual == all : usual < all);
        }
        shell_end(&s);
    }
}

// Who finds peaks: a look alone, the pass of the forces, a device.
enum { LOOKS, PASSES, DEVICE, WAYS };

// A step to s->x; returns whether the device has left something to the processor.
static bool step(shell *s, int way, carom_state *state, carom_device *device) {
    const carom_model *model = s->b.model;
    carom_force_outputs beside = {0};
    memcpy(state->x, s->x, (size_t)model->node_count * sizeof *s->x);
    state->step++;
    state->time += 1;
    if (way != LOOKS)
        carom_peaks_request(state, &beside);
    if (way == PASSES)
        carom_model_force_outputs(model, (carom_const_vectors)state->x, s->slots, s->f, &beside);
    beside.energies = s->energies;
    if (way == DEVICE)
        carom_device_force(device, state, s->f, &beside);
    // it then needs the envelopes as well, which the look reads
    bool left = way == DEVICE && carom_peaks_need_positions(state);
    assert_int_equal(carom_peaks_need_positions(state), way == LOOKS || left);
    carom_peaks_check(state, state->step % 3 == 0);
    return left;
}

static void assert_same_peaks(const carom_state *a, const carom_state *b) {
    carom_peak of_a, of_b;
    assert_memory_equal(carom_peaks_envelopes(a), carom_peaks_envelopes(b),
                        CAROM_ENVELOPES * (size_t)a->model->element_count * sizeof(double));
    assert_true(carom_peaks_of_row(a, 0, CAROM_PEAK_VON_MISES) == carom_peaks_of_row(b, 0, CAROM_PEAK_VON_MISES));
    assert_true(carom_peaks_of_run(a, 0, CAROM_PEAK_VON_MISES, &of_a) && carom_peaks_of_run(b, 0, CAROM_PEAK_VON_MISES, &of_b));
    assert_true(of_a.value == of_b.value && of_a.time == of_b.time && of_a.cell == of_b.cell);
    assert_memory_equal(of_a.x, of_b.x, sizeof of_a.x);
}

static void passes_have_the_bits_of_checks(void **unused) {
    (void)unused;
    // odd shells come between others, at rows and elsewhere
    static const int order[] = {0, 2, 1, 5, 7, 4, 0, 3, 6, 1};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        shell s;
        carom_state *states[WAYS];
        carom_device *device;
        carom_error error;
        int left = 0;
        start(&s, &kinds[i]);
        const carom_model *model = s.b.model;
        size_t size = (size_t)model->node_count * sizeof *s.f;
        double(*f)[3] = calloc(1, size), *energies = calloc((size_t)model->element_count, sizeof *energies);
        assert_true(f && energies);
        assert_int_equal(carom_device_create(carom_backend_emulation(), model, &device, &error), CAROM_OK);
        assert_true(carom_device_stores(device));
        for (int way = 0; way < WAYS; way++) {
            assert_int_equal(carom_state_create(model, &states[way], &error), CAROM_OK);
            carom_peaks_start(states[way]);
        }
        carom_device_serve(device, states[DEVICE]);
        for (size_t at = 0; at < sizeof order / sizeof *order; at++) {
            place(&s, order[at]);
            carom_model_force(model, (carom_const_vectors)s.x, s.slots, f, NULL);
            for (int way = 0; way < WAYS; way++) {
                left += step(&s, way, states[way], device);
                // to look on changes no force
                assert_true(way == LOOKS || order[at] >= ODD || memcmp(f, s.f, size) == 0);
            }
            carom_model_energy(model, (carom_const_vectors)s.x, NULL, energies);
            assert_true(order[at] >= ODD || memcmp(energies, s.energies, (size_t)model->element_count * sizeof *energies) == 0);
            for (int way = PASSES; way < WAYS; way++)
                assert_same_peaks(states[LOOKS], states[way]);
        }
        assert_true(left > 0 && left < (int)(sizeof order / sizeof *order));
        for (int way = 0; way < WAYS; way++)
            carom_state_release(states[way]);
        carom_device_release(device);
        free(f);
        free(energies);
        shell_end(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(batches_have_the_bits_of_elements),
                                       cmocka_unit_test(passes_have_the_bits_of_checks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
