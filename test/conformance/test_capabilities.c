// SPDX-License-Identifier: MIT
// What the tables of the methods say they have, they have, and what they lack is refused by its name: each cell of the matrix
// of methods and needs is tried on a small model that needs nothing else, and the test shows that it would notice a false cell.
// The same of elements, their settings and materials on a device, which the processor emulates.
#include "../specimens.h"
#include "device/device.h"
#include "integrator/stepper.h"

// Settings with which a method lacks something.
static void set_with(const carom_lack *lack, void *params) {
    if (strcmp(lack->with, "another `contact` than exact") == 0)
        ((carom_asynchronous_params *)params)->contact = CAROM_ASYNCHRONOUS_CONSTANT;
    else if (strcmp(lack->with, "scheme: newmark") == 0 || strcmp(lack->with, "another scheme than conserving") == 0)
        ((carom_energy_momentum_params *)params)->scheme = CAROM_EM_NEWMARK;
    else if (strcmp(lack->with, "beta > 0") == 0)
        ((carom_nonsmooth_newmark_params *)params)->beta = 0.25;
    else if (strcmp(lack->with, "contact.resolve: projection") != 0)
        fail_msg("the test does not know how to set '%s'", lack->with);
}

// Runs a specimen. True if it was refused; else the largest value of its column.
static bool is_refused(const specimen *s, const carom_integrator *method, const carom_lack *lack, double *largest,
                       carom_error *fault) {
    bool still = method->equilibrium && s->still;
    carom_scene *scene = specimen_read(s, still);
    if (lack && lack->with && strstr(lack->with, "projection"))
        ((carom_model *)carom_scene_model(scene))->contact.resolve = CAROM_RESOLVE_PROJECTION;
    void *params = default_params(&method->kind);
    if (lack && lack->with)
        set_with(lack, params);
    carom_time_def time = method->equilibrium ? carom_static_time(params) : *carom_scene_time(scene);
    carom_sim *sim = NULL;
    carom_pick pick = {&method->kind, params};
    bool refused = carom_sim_create(carom_scene_model(scene), pick, &time, &sim, fault) != CAROM_OK;
    *largest = 0;
    for (int i = 0; i < (still ? 1 : s->steps) && !refused; i++) {
        assert_ok(carom_sim_step(sim, error));
        carom_ledger_row row = carom_sim_ledger(sim);
        *largest = fmax(*largest, specimen_column(&row, !still ? s->column : s->still_column ? s->still_column : "internal"));
    }
    carom_sim_release(sim);
    free(params);
    carom_scene_release(scene);
    return refused;
}

// Whether the cell of a method and a need is as its table says.
static bool is_true(const carom_integrator *method, const specimen *s) {
    carom_error error = {0};
    double largest;
    bool lacks = specimen_lack(method->lacks, s->need), refused = is_refused(s, method, NULL, &largest, &error);
    bool right = lacks ? refused && specimen_explains(s, method->lacks, error.message) : !refused && largest > 0;
    if (!right)
        print_message("%s, %s: %s, but %s %s (%g)\n", method->kind.name, carom_need_name(s->need), lacks ? "no" : "yes",
                      refused ? "refused:" : "taken", error.message, largest);
    return right;
}

static void test_each_cell(void **state) {
    (void)state;
    assert_int_equal(SPECIMENS, CAROM_NEED_COUNT - 1);
    const carom_catalogue *const all[] = {carom_integrators(), carom_analyses()};
    int wrong = 0;
    for (int a = 0; a < 2; a++)
        for (int k = 0; k < all[a]->count; k++)
            for (int i = 0; i < SPECIMENS; i++)
                wrong += !is_true((const carom_integrator *)all[a]->kinds[k], &specimens[i]);
    assert_int_equal(wrong, 0);
}

// What a method lacks with some settings alone is refused with these, and the message says what helps.
static void test_settings(void **state) {
    (void)state;
    for (int k = 0; k < carom_integrators()->count; k++) {
        const carom_integrator *method = (const carom_integrator *)carom_integrators()->kinds[k];
        for (const carom_lack *lack = method->lacks; lack && lack->need; lack++)
            for (int i = 0; lack->when && i < SPECIMENS; i++) {
                carom_error error = {0};
                double largest;
                if (specimens[i].need != lack->need)
                    continue;
                if (!is_refused(&specimens[i], method, lack, &largest, &error))
                    fail_msg("%s with %s takes %s", method->kind.name, lack->with, carom_need_name(lack->need));
                assert_non_null(strstr(error.message, lack->with));
                const char *helps = !lack->instead ? ": use " : lack->instead;
                assert_non_null(strstr(error.message, helps + (strncmp(helps, "or ", 3) == 0 ? 3 : 0)));
            }
    }
}

// The methods that a refusal names take the model.
static void test_advice(void **state) {
    (void)state;
    const carom_kind *method = carom_catalogue_find(carom_integrators(), "multisymplectic");
    for (int i = 0; i < SPECIMENS; i++) {
        const specimen *s = &specimens[i];
        carom_error error = {0};
        carom_scene *scene = specimen_read(s, false);
        void *params = default_params(method);
        if (carom_integrator_accepts((const carom_integrator *)method, carom_scene_model(scene), params, &error)) {
            const char *advice = strstr(error.message, ": use ");
            for (int k = 0;
                 advice && specimen_lack(((const carom_integrator *)method)->lacks, s->need) && k < carom_integrators()->count;
                 k++) {
                const carom_integrator *other = (const carom_integrator *)carom_integrators()->kinds[k];
                if (strstr(advice, other->kind.name))
                    assert_null(specimen_lack(other->lacks, s->need));
            }
        }
        free(params);
        carom_scene_release(scene);
    }
}

static carom_status refuse_all(const carom_model *model, const void *params, carom_error *error) {
    (void)model;
    (void)params;
    return carom_fail(error, CAROM_BAD_INPUT, "another fault");
}

static void test_false_cells(void **state) {
    (void)state;
    const carom_integrator *newmark = (const carom_integrator *)carom_catalogue_find(carom_integrators(), "newmark-dcr");
    const carom_integrator *multisymplectic =
        (const carom_integrator *)carom_catalogue_find(carom_integrators(), "multisymplectic");
    static const carom_lack nothing[] = {{CAROM_NEED_NONE}},
                            bounce[] = {{CAROM_NEED_FRAMES}, {CAROM_NEED_RESTITUTION}, {CAROM_NEED_NONE}};
    carom_integrator all = *newmark, none = *newmark, silent = *multisymplectic, other = none;
    carom_integrator still = *(const carom_integrator *)carom_catalogue_find(carom_analyses(), "static");
    all.lacks = silent.lacks = still.lacks = nothing;
    none.lacks = other.lacks = bounce;
    other.accepts = refuse_all;
    int noticed = 0;
    for (int i = 0; i < SPECIMENS; i++) {
        const specimen *s = &specimens[i];
        // beams are refused by a later part; a bounce is not refused at all; and damping is not in the equations
        noticed += s->need == CAROM_NEED_FRAMES && !is_true(&all, s);
        noticed += s->need == CAROM_NEED_RESTITUTION && !is_true(&none, s);
        noticed += s->need == CAROM_NEED_DAMPING && !is_true(&silent, s);
        // an equilibrium of rigid bodies is refused by a later part, and a bounce for another reason
        noticed += s->need == CAROM_NEED_RIGID && !is_true(&still, s);
        noticed += s->need == CAROM_NEED_RESTITUTION && !is_true(&other, s);
    }
    assert_int_equal(noticed, 5);
}

// Processes refuse each of their rows, also for a method that would support it.
static void test_rows_of_ranks(void **state) {
    (void)state;
    carom_integrator any = *(const carom_integrator *)carom_catalogue_find(carom_integrators(), "newmark-dcr");
    any.lacks = NULL;
    for (any.sharing = CAROM_SHARES_PARTS; any.sharing <= CAROM_SHARES_SOLVER; any.sharing++) {
        const carom_lack *lacks = carom_engine_lacks(CAROM_ENGINE_RANKS, &any);
        for (int i = 0; i < SPECIMENS; i++) {
            const specimen *s = &specimens[i];
            carom_scene *scene = specimen_read(s, false);
            carom_model *model = (carom_model *)carom_scene_model(scene);
            assert_ok(carom_engine_accepts(CAROM_ENGINE_THREADS, &any, model, NULL, error));
            if (specimen_lack(lacks, s->need)) {
                assert_refused(carom_engine_accepts(CAROM_ENGINE_RANKS, &any, model, NULL, error), CAROM_BAD_INPUT, s->words);
                assert_refused(carom_engine_accepts(CAROM_ENGINE_RANKS, &any, model, NULL, error), CAROM_BAD_INPUT,
                               "remove --ranks");
            } else
                assert_ok(carom_engine_accepts(CAROM_ENGINE_RANKS, &any, model, NULL, error));
            model->contact.resolve = CAROM_RESOLVE_PROJECTION;
            if (s->need == CAROM_NEED_SURFACES && any.sharing == CAROM_SHARES_PARTS)
                assert_refused(carom_engine_accepts(CAROM_ENGINE_RANKS, &any, model, NULL, error), CAROM_BAD_INPUT,
                               "set contact.resolve: exact, or remove --ranks");
            carom_scene_release(scene);
        }
    }
}

// What a material needs beside its density.
static const char *law_params(const char *law) {
    static const char *const params[][2] = {
        {"linear", "young: 10, poisson: 0.3"},
        {"st-venant-kirchhoff", "young: 10, poisson: 0.3"},
        {"neo-hookean", "young: 10, poisson: 0.3"},
        {"mooney-rivlin", "c10: 1, c01: 0.3, bulk: 30"},
        {"yeoh", "c1: 1, c2: 0.1, c3: 0.01, bulk: 30"},
        {"gent", "shear: 2, limit: 5, bulk: 30"},
        {"ogden", "terms: [[1, 2.5], [-0.3, -2]], bulk: 30"},
        {"j2", "young: 10, poisson: 0.3, yield: 0.05, modulus: 1"},
        {"viscoelastic", "law: hencky, young: 10, poisson: 0.3, prony: [[0.5, 0.01]]"},
    };
    for (size_t i = 0; i < sizeof params / sizeof *params; i++)
        if (strcmp(params[i][0], law) == 0)
            return params[i][1];
    fail_msg("the test does not know the material '%s'", law);
    return NULL;
}

// A moving body of elements of a row; NULL if the processor does not support the material either.
static carom_scene *read_row(const carom_device_row *row, const char *law) {
    static const char *const meshes[] = {
        [CAROM_CELL_LINE2] = "line: {from: [0, 0, 0], to: [1, 0.3, 0.2], elements: 3}",
        [CAROM_CELL_TRI3] = "rectangle: {from: [0, 0, 0], to: [1, 1, 0], columns: 3, rows: 3, cells: tri3}",
        [CAROM_CELL_QUAD4] = "rectangle: {from: [0, 0, 0], to: [1, 1, 0], columns: 3, rows: 3}",
        [CAROM_CELL_TET4] = "box: {from: [0, 0, 0], to: [1, 1, 1], elements: [2, 2, 2], cells: tet4}",
        [CAROM_CELL_HEX8] = "box: {from: [0, 0, 0], to: [1, 1, 1], elements: [2, 2, 2]}",
        [CAROM_CELL_WEDGE6] = "file: {path: " CAROM_SOURCE_DIR "/scenes/verify/static/column.inp}",
    };
    const carom_element *element = row->elements[0];
    const char *name = element->kind.name, *more = strcmp(name, "bar") == 0          ? "area: 0.1"
                                                   : strcmp(name, "loop-shell") == 0 ? "thickness: 0.1"
                                                                                     : "";
    char text[2048];
    snprintf(text, sizeof text,
             "integrator: newmark-dcr\ntime: {end: 1, step: auto}\ncontact: false\nbodies:\n  - name: body\n    mesh: {%s}\n"
             "    element: {%s: {%s%s%s}}\n    material: {%s: {%s, density: 1}}\n    spin: [0, 0, 2]\n",
             meshes[element->cell], name, row->with ? row->with : "", row->with && *more ? ", " : "", more, law,
             law_params(law));
    carom_scene *scene = NULL;
    if (carom_scene_parse(text, strlen(text), "row.yaml", NULL, 0, &scene, NULL, NULL))
        return NULL;
    return scene;
}

// Some steps of a scene; those by a device may be refused, and then the result is 0.
static uint64_t hash_of(const carom_scene *scene, bool device, carom_error *fault) {
    carom_sim *sim = NULL;
    uint64_t hash = 0;
    assert_ok(carom_sim_create(carom_scene_model(scene), carom_scene_integrator(scene), carom_scene_time(scene), &sim, error));
    if (!device || !carom_sim_use_device(sim, fault)) {
        for (int i = 0; i < 20; i++)
            assert_ok(carom_sim_step(sim, error));
        hash = carom_state_hash(carom_sim_state(sim));
    }
    carom_sim_release(sim);
    return hash;
}

// Whether the cell of a row and a law is as the table says: the bits of the processor, or a refusal that names all three.
static bool is_row_true(const carom_device_row *row, const carom_kind *law, bool has) {
    carom_error error = {0};
    carom_scene *scene = read_row(row, law->name);
    if (!scene && has)
        print_message("%s of %s: yes, but the scene is refused\n", row->elements[0]->kind.name, law->name);
    if (!scene)
        return !has;
    uint64_t here = hash_of(scene, false, NULL), there = hash_of(scene, true, &error);
    char what[3 * CAROM_NAME_MAX];
    snprintf(what, sizeof what, "%s%s%s of %s is not on the device yet", row->elements[0]->kind.name, row->with ? " with " : "",
             row->with ? row->with : "", law->name);
    bool right = has ? there == here : there == 0 && strstr(error.message, what);
    if (!right)
        print_message("%s: %s, but %s\n", what, has ? "yes" : "no", there ? "taken" : error.message);
    carom_scene_release(scene);
    return right;
}

static void test_device(void **state) {
    (void)state;
    int count, wrong = 0, yes = 0, noticed = 0;
    const carom_device_row *rows = carom_device_rows(&count);
    const carom_catalogue *laws = carom_materials();
    setenv("CAROM_DEVICE_EMULATE", "1", 1);
    for (int r = 0; r < count; r++)
        for (int l = 0; l < laws->count; l++) {
            bool has = carom_device_row_has(&rows[r], (const carom_material *)laws->kinds[l]);
            yes += has;
            wrong += !is_row_true(&rows[r], laws->kinds[l], has);
            // a false cell is noticed
            if (l == 2)
                noticed += has && !is_row_true(&rows[r], laws->kinds[l], false);
        }
    assert_int_equal(wrong, 0);
    assert_true(yes > 60 && noticed > 5);
    // advice: the same element with other settings
    for (int r = 0; r < count; r++) {
        carom_error error = {0};
        if (!rows[r].with || strcmp(rows[r].with, "integration: one-point") != 0)
            continue;
        carom_scene *scene = read_row(&rows[r], "yeoh");
        assert_int_equal(hash_of(scene, true, &error), 0);
        assert_non_null(strstr(error.message, ": use integration: full or integration: mean-dilatation"));
        carom_scene_release(scene);
    }
    unsetenv("CAROM_DEVICE_EMULATE");
}

// Methods that a device does not run, and those that processes do not share, are refused with the names of others.
static void test_engines(void **state) {
    (void)state;
    for (carom_engine engine = CAROM_ENGINE_RANKS; engine < CAROM_ENGINE_COUNT; engine++)
        for (int k = 0; k < carom_integrators()->count; k++)
            for (int i = 0; i < SPECIMENS; i++) {
                const carom_integrator *method = (const carom_integrator *)carom_integrators()->kinds[k];
                const specimen *s = &specimens[i];
                carom_error error = {0};
                carom_scene *scene = specimen_read(s, false);
                void *params = default_params(&method->kind);
                bool runs = carom_engine_runs(engine, method),
                     lacks = specimen_lack(carom_engine_lacks(engine, method), s->need);
                // of what the method lacks itself see test_each_cell
                bool taken = !carom_integrator_accepts(method, carom_scene_model(scene), params, NULL);
                carom_status status = carom_engine_accepts(engine, method, carom_scene_model(scene), params, &error);
                if (!runs)
                    assert_memory_equal(error.message, method->kind.name, strlen(method->kind.name));
                else if (lacks && taken)
                    assert_non_null(strstr(error.message, s->words));
                if (!runs || (lacks && taken))
                    assert_int_equal(status, CAROM_BAD_INPUT);
                for (int m = 0; status && taken && m < carom_integrators()->count; m++) {
                    const carom_integrator *other = (const carom_integrator *)carom_integrators()->kinds[m];
                    if (other != method && strstr(error.message, other->kind.name))
                        assert_true(carom_engine_runs(engine, other));
                }
                free(params);
                carom_scene_release(scene);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_cell),   cmocka_unit_test(test_settings), cmocka_unit_test(test_advice),
        cmocka_unit_test(test_false_cells), cmocka_unit_test(test_engines),  cmocka_unit_test(test_rows_of_ranks),
        cmocka_unit_test(test_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
