// SPDX-License-Identifier: MIT
// Tests src/device/device_history.c, src/device/threads_flow.h, src/device/threads_volume.h, src/device/plan.c,
// src/device/kinds.h.
// Materials with history and rubbers on the emulated device (threads with one lane) give the bits of the processor: forces,
// history, losses and their sums, with small strains and with those beyond the series of the kernels; so do elements that
// average volumes.
#include "../../solids.h"
#include "device/device.h"
#include "model/forces/forces.h"
#include "model/state/history.h"
#include "sim/sim.h"

typedef struct element_case {
    const char *name, *element;
    int choice;
} element_case;

static const element_case elements[] = {
    {"hex8, one point", "hex8", CAROM_HEX8_ONE_POINT},
    {"hex8, full", "hex8", CAROM_HEX8_FULL},
    {"hex8, mean dilatation", "hex8", CAROM_HEX8_MEAN_DILATATION},
    {"tet4", "tet4", CAROM_TET4_CELL},
    {"tet4, volumes at nodes", "tet4", CAROM_TET4_NODAL},
    {"nodal, tetrahedra", "nodal", CAROM_CELL_TET4},
    {"nodal, bricks", "nodal", CAROM_CELL_HEX8},
    {"wedge6", "wedge6", 0},
};
enum { ELEMENTS = sizeof elements / sizeof *elements };

typedef union any_params {
    carom_j2_params j2;
    carom_viscoelastic_params viscoelastic;
    carom_mooney_rivlin_params mooney_rivlin;
    carom_yeoh_params yeoh;
    carom_gent_params gent;
    carom_ogden_params ogden;
} any_params;

static void fill_metal(carom_j2_params *p, int hardening) {
    p->elastic = (carom_elastic_params){.young = 100, .poisson = 0.3, .density = 1};
    p->hardening = hardening;
    // linear hardening: yields only at strains beyond the series
    p->yield = hardening == CAROM_HARDENING_TABLE ? NAN : hardening == CAROM_HARDENING_LINEAR ? 10 : 0.5;
    p->modulus = hardening == CAROM_HARDENING_TABLE || hardening == CAROM_HARDENING_JOHNSON_COOK ? 0 : 1;
    if (hardening == CAROM_HARDENING_VOCE) {
        p->saturation = 1;
        p->decay = 10;
    }
    if (hardening == CAROM_HARDENING_JOHNSON_COOK) {
        p->strength = 0.4;
        p->exponent = 0.3;
        p->rate = 0.03;
        p->reference_rate = 1;
        p->softening = 1.1;
        p->temperature = 300;
        p->melting = 1300;
        p->heat_capacity = 0.01;
        p->heat_share = 0.9;
    }
    if (hardening == CAROM_HARDENING_SWIFT) {
        p->yield = NAN;
        p->modulus = 0;
        p->strength = 1;
        p->exponent = 0.2;
        p->prestrain = 0.03;
    }
    if (hardening == CAROM_HARDENING_TABLE)
        p->curve = (carom_pairs){.count = 3, .rows = {{0, 0.5}, {0.05, 0.8}, {0.3, 1}}};
}

// Indices of the first law of each kind.
enum { VISCOUS = 5, RUBBERS = VISCOUS + CAROM_VISCOELASTIC_J2 + 1, LAWS = RUBBERS + 4 };

// Law number l: five kinds of j2, those of viscoelastic, four rubbers. Returns its name; NULL after the last.
static const char *fill_law(int l, any_params *p) {
    static const char *const names[] = {"j2", "viscoelastic", "mooney-rivlin", "yeoh", "ogden", "gent"};
    static const carom_pairs terms = {.count = 2, .rows = {{10, 2.5}, {-3, -2}}};
    if (l >= LAWS)
        return NULL;
    const char *name = names[l < VISCOUS ? 0 : l < RUBBERS ? 1 : l - RUBBERS + 2];
    const carom_kind *kind = carom_catalogue_find(carom_materials(), name);
    memset(p, 0, sizeof *p);
    carom_param_defaults(kind->params, kind->param_count, p);
    if (l < VISCOUS)
        fill_metal(&p->j2, l);
    else if (l < RUBBERS) {
        carom_viscoelastic_params *v = &p->viscoelastic;
        v->law = l - VISCOUS;
        v->j2.elastic.density = 1;
        v->prony = (carom_pairs){.count = 2, .rows = {{0.5, 0.003}, {0.3, 0.1}}};
        bool stiff = v->law == CAROM_VISCOELASTIC_HENCKY || v->law == CAROM_VISCOELASTIC_J2;
        if (v->law == CAROM_VISCOELASTIC_J2)
            fill_metal(&v->j2, CAROM_HARDENING_JOHNSON_COOK);
        if (stiff)
            v->j2.elastic = (carom_elastic_params){.young = 100, .poisson = 0.3, .density = 1};
        else
            v->bulk = 300;
        if (v->law == CAROM_VISCOELASTIC_MOONEY_RIVLIN)
            v->mooney_rivlin.c10 = 10, v->mooney_rivlin.c01 = 3;
        if (v->law == CAROM_VISCOELASTIC_YEOH)
            v->yeoh.c1 = 10, v->yeoh.c2 = 1;
        if (v->law == CAROM_VISCOELASTIC_GENT)
            v->gent.shear = 20, v->gent.limit = 5;
        if (v->law == CAROM_VISCOELASTIC_OGDEN)
            v->ogden.terms = terms;
    } else if (l == RUBBERS)
        p->mooney_rivlin = (carom_mooney_rivlin_params){.c10 = 10, .c01 = 3, .bulk = 300, .density = 1};
    else if (l == RUBBERS + 1)
        p->yeoh = (carom_yeoh_params){.c1 = 10, .c2 = 1, .c3 = 0.1, .bulk = 300, .density = 1};
    else if (l == RUBBERS + 3)
        p->gent = (carom_gent_params){.shear = 20, .limit = 5, .bulk = 300, .density = 1};
    else
        p->ogden = (carom_ogden_params){.terms = terms, .bulk = 300, .density = 1};
    return name;
}

typedef struct trial {
    bench b;
    carom_hex8_params hex;
    carom_tet4_params tet;
    carom_nodal_params nodal;
    any_params law;
} trial;

// False if the element refuses the law: elements that lock refuse metals.
static bool start(trial *t, const element_case *c, int l) {
    bench_start(&t->b);
    bool nodal = strcmp(c->element, "nodal") == 0, tet = nodal ? c->choice == CAROM_CELL_TET4 : strcmp(c->element, "tet4") == 0;
    carom_box_params box = {.cells = tet, .grading = {1, 1, 1}, .elements = {5, 5, 6}, .to = {1, 1, 1.2}};
    carom_body_def *body = bench_add(&t->b, "box", &box, VECTOR(0, 0, 0));
    if (strcmp(c->element, "wedge6") == 0)
        solid_halve(&t->b.meshes[0]);
    const char *law = fill_law(l, &t->law);
    t->hex = (carom_hex8_params){.integration = c->choice, .hourglass = 0.1};
    t->tet = (carom_tet4_params){.volume = c->choice};
    t->nodal = (carom_nodal_params){.stabilisation = 0.05};
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), c->element), nodal ? (void *)&t->nodal
                                                                                     : tet ? (void *)&t->tet
                                                                                           : &t->hex};
    body->material = (carom_pick){carom_catalogue_find(carom_materials(), law), &t->law};
    carom_error error;
    return carom_model_create(&t->b.def, &t->b.model, &error) == CAROM_OK;
}

// A growing deformation: after a few steps points yield, later their elastic strains are beyond the series.
static void move(const carom_model *model, int step, double (*x)[3]) {
    uint64_t seed = 11;
    for (int k = 0; k < model->node_count; k++)
        for (int i = 0; i < 3; i++) {
            const double *X = model->X[k];
            double wave = random_real(&seed, -0.004, 0.004);
            x[k][i] = X[i] + step * (wave + (i == 0 ? 0.01 * X[1] + 0.04 * X[2] * X[2] : -0.005 * X[i]));
        }
}

enum { STEPS = 7 };

// Fetches the history of a batch. Returns 1 if the rest remains on the device: a small history is transferred as a whole.
static int fetch(const carom_state *here, const carom_state *there) {
    const carom_model *model = there->model;
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        carom_batch batch = {.block = b, .begin = CAROM_LANES, .end = 2 * CAROM_LANES};
        int64_t at = carom_lane(CAROM_LANES, 0, block->history_size);
        if (!block->history || block->count < batch.end)
            continue;
        carom_state_read_rows(there, CAROM_ARRAYS_HISTORY, (carom_state_rows){.batches = &batch, .batch_count = 1});
        assert_memory_equal(block->history + at, here->model->blocks[b].history + at,
                            CAROM_LANES * (size_t)block->history_size * sizeof *block->history);
        // the rest is NaN in the arrays until it is fetched
        bool on_device = carom_state_on_device(there, CAROM_ARRAYS_HISTORY);
        assert_true(!on_device || isnan(block->history[at - 1]));
        return on_device;
    }
    return 0;
}

static int fetches;

static void compare(trial *t, const element_case *c, int l) {
    carom_device *device;
    carom_state *here, *there;
    carom_error error;
    const carom_model *model = t->b.model;
    size_t size = sizeof(double[3]) * (size_t)model->node_count;
    assert_int_equal(carom_device_create(carom_backend_emulation(), model, &device, &error), CAROM_OK);
    assert_int_equal(carom_state_create(model, &here, &error), CAROM_OK);
    assert_int_equal(carom_state_create(model, &there, &error), CAROM_OK);
    carom_device_serve(device, there);
    double(*f)[3] = solid_reserve(model->node_count, sizeof *f), (*g)[3] = solid_reserve(model->node_count, sizeof *g);
    double *slots = solid_reserve(carom_model_slot_count(model), sizeof *slots);
    double *energies = solid_reserve(model->element_count, sizeof *energies),
           *stored = solid_reserve(model->element_count, sizeof *stored);
    for (int step = 1; step <= STEPS; step++) {
        carom_flow flow = {.use = step == 3 ? CAROM_USE_READ : CAROM_USE_COMMIT, .before = 0.002, .after = 0.001};
        carom_force_outputs outputs = {.flow = &flow, .energies = step % 2 ? energies : NULL};
        move(model, step, here->x);
        memcpy(there->x, here->x, size);
        carom_model_force_outputs(here->model, (carom_const_vectors)here->x, slots, f, &outputs);
        outputs.energies = step % 2 ? stored : NULL;
        carom_device_force(device, there, g, &outputs);
        if (memcmp(f, g, size) != 0)
            fail_msg("%s, law %d, step %d: other forces", c->name, l, step);
        assert_memory_equal(energies, stored, sizeof *stored * (size_t)model->element_count);
        carom_material_losses lost = carom_history_losses(here, -1), reported = carom_history_losses(there, -1);
        assert_memory_equal(&lost, &reported, sizeof lost);
        // energies are computed by the processor; without them the history of a commit stays on the device
        bool has = carom_model_has_history(model);
        if (step % 2 == 0)
            assert_int_equal(carom_state_on_device(there, CAROM_ARRAYS_HISTORY) != NULL, has);
        if (step == 6)
            fetches += fetch(here, there);
        // the device continues with its history, whether or not this was read
        if (step == 4 || step == STEPS)
            assert_int_equal(carom_state_hash(here), carom_state_hash(there));
        // a history that is written is transferred to the device
        if (step == 5 && has) {
            double *numbers = solid_reserve(carom_history_buffer(here), sizeof *numbers);
            carom_history_save(here, numbers);
            numbers[2] *= 1.25;
            carom_history_restore(here, numbers);
            carom_history_restore(there, numbers);
            free(numbers);
        }
    }
    bool metal = l < VISCOUS || l == VISCOUS + CAROM_VISCOELASTIC_J2, viscous = l >= VISCOUS && l < RUBBERS;
    assert_int_equal(carom_history_losses(there, -1).plasticity > 0, metal);
    assert_int_equal(carom_history_losses(there, -1).viscosity > 0, viscous);
    assert_null(carom_device_fault(device));
    free(f), free(g), free(slots), free(energies), free(stored);
    carom_state_release(here);
    carom_state_release(there);
    carom_device_release(device);
}

// Rubbers in bricks with one point: their hourglass forces are not on devices.
static bool is_missing(const element_case *c, int l) {
    return l >= RUBBERS && strcmp(c->element, "hex8") == 0 && c->choice == CAROM_HEX8_ONE_POINT;
}

static void laws_have_the_same_bits(void **unused) {
    (void)unused;
    int seen[ELEMENTS] = {0};
    for (int i = 0; i < ELEMENTS; i++) {
        any_params any;
        for (int l = 0; fill_law(l, &any); l++) {
            trial t;
            if (start(&t, &elements[i], l)) {
                carom_error error;
                if (is_missing(&elements[i], l)) {
                    assert_int_equal(carom_device_accepts(t.b.model, &error), CAROM_BAD_INPUT);
                    assert_non_null(strstr(error.message, " is not on the device yet"));
                } else {
                    compare(&t, &elements[i], l);
                    seen[i]++;
                }
            }
            bench_end(&t.b);
        }
    }
    const int expected[ELEMENTS] = {11, 9, 15, 9, 15, 15, 15, 9};
    for (int i = 0; i < ELEMENTS; i++)
        assert_int_equal(seen[i], expected[i]);
    assert_true(fetches > 5);
}

// After the motion is set, a run whose history is on the device continues as one on the processor: the ledger is restarted with
// the energy of the present history.
static void motion_is_set(void **unused) {
    (void)unused;
    trial t;
    carom_error error;
    carom_sim *sims[2];
    carom_time_def time = carom_default_time_def();
    time.step = 0.002;
    time.end = 10;
    carom_pick method = {carom_catalogue_find(carom_integrators(), "newmark-dcr"), NULL};
    setenv("CAROM_DEVICE_EMULATE", "1", 1);
    assert_true(start(&t, &elements[2], CAROM_HARDENING_VOCE));
    carom_vectors x = solid_reserve(t.b.model->node_count, sizeof *x);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(carom_sim_create(t.b.model, method, &time, &sims[i], &error), CAROM_OK);
        if (i)
            assert_int_equal(carom_sim_use_device(sims[i], &error), CAROM_OK);
        for (int round = 0; round < 3; round++) {
            move(t.b.model, 3 + round, x);
            assert_int_equal(carom_sim_set_motion(sims[i], (carom_const_vectors)x, NULL, &error), CAROM_OK);
            for (int n = 0; n < 6; n++)
                assert_int_equal(carom_sim_advance(sims[i], &error), CAROM_OK);
        }
    }
    carom_ledger_row here = carom_sim_ledger(sims[0]), there = carom_sim_ledger(sims[1]);
    assert_true(here.plasticity > 0);
    assert_memory_equal(&here, &there, sizeof here);
    assert_true(carom_state_hash(carom_sim_state(sims[0])) == carom_state_hash(carom_sim_state(sims[1])));
    for (int i = 0; i < 2; i++)
        carom_sim_release(sims[i]);
    free(x);
    bench_end(&t.b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_have_the_same_bits),
        cmocka_unit_test(motion_is_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
