// SPDX-License-Identifier: MIT
// Tests src/base/catalogue.c.
// Choices from catalogues (carom_pick): defaults and checks of the parameters of every kind, and kinds that a program
// registers.
#include "../../support.h"
#include "carom/scene.h"
#include "carom/version.h"

// Memory for the parameter struct of any kind.
typedef union room {
    double aligned;
    char bytes[4096];
} room;

static bool needs_parameters(const carom_kind *kind) {
    for (int i = 0; i < kind->param_count; i++)
        if (!kind->params[i].initial)
            return true;
    return false;
}

// For every kind the defaults are accepted, NULL stands for them, and the message for a number out of range names it.
static void check_catalogue(const carom_catalogue *catalogue) {
    for (int k = 0; k < catalogue->count; k++) {
        const carom_kind *kind = catalogue->kinds[k];
        room fields;
        assert_true(kind->params_size <= sizeof fields);
        carom_error reason = {0};
        carom_pick pick = carom_pick_of(catalogue, kind->name, &fields, &reason);
        assert_ptr_equal(pick.kind, kind);
        assert_ptr_equal(pick.params, &fields);
        carom_pick bare = {kind, NULL};
        if (needs_parameters(kind)) {
            assert_refused(carom_pick_check(&bare, error), CAROM_BAD_INPUT, "has no default and must be given");
        } else {
            assert_ok(carom_pick_check(&bare, error));
            assert_ok(carom_pick_check(&pick, error));
        }
        for (int i = 0; i < kind->param_count; i++) {
            const carom_param *row = &kind->params[i];
            if (row->type == CAROM_PARAM_CHOICE) {
                *(int *)(fields.bytes + row->offset) = 99;
            } else if (row->type == CAROM_PARAM_REAL && row->max != 0) {
                *(double *)(fields.bytes + row->offset) = -1e300;
            } else {
                continue;
            }
            assert_refused(carom_pick_check(&pick, error), CAROM_BAD_INPUT, kind->name);
            carom_param_defaults(kind->params, kind->param_count, &fields);
        }
    }
}

static void every_kind(void **state) {
    (void)state;
    check_catalogue(carom_generators());
    check_catalogue(carom_materials());
    check_catalogue(carom_elements());
    check_catalogue(carom_integrators());
    check_catalogue(carom_analyses());
}

static void unknown_name(void **state) {
    (void)state;
    carom_error reason = {0};
    carom_pick pick = carom_pick_of(carom_materials(), "neo-hokean", NULL, &reason);
    assert_null(pick.kind);
    assert_non_null(strstr(reason.message, "there is no material 'neo-hokean'; did you mean 'neo-hookean'?"));
    assert_refused(carom_pick_check(&pick, error), CAROM_BAD_INPUT, "nothing was picked");
}

// Kinds with required parameters are refused with NULL and the parameter is named; with NULL, integrators give the same states
// as with their defaults. Ranges are checked.
static void null_is_default(void **state) {
    (void)state;
    carom_mesh meshes[2];
    carom_box_params box;
    carom_pick pick = carom_pick_of(carom_generators(), "box", &box, NULL);
    memcpy(box.from, VECTOR(0, 0, 0), sizeof box.from);
    memcpy(box.to, VECTOR(1, 1, 1), sizeof box.to);
    box.elements[0] = box.elements[1] = box.elements[2] = 2;
    assert_ok(carom_mesh_generate(pick, &meshes[0], error));
    assert_refused(carom_mesh_generate((carom_pick){pick.kind, NULL}, &meshes[1], error), CAROM_BAD_INPUT, "box.");

    carom_body_def body = carom_default_body_def();
    strcpy(body.name, "cube");
    body.mesh = &meshes[0];
    body.element = carom_pick_of(carom_elements(), "hex8", NULL, NULL);
    carom_elastic_params elastic;
    body.material = carom_pick_of(carom_materials(), "linear", &elastic, NULL);
    carom_model_def def = carom_default_model_def();
    def.body_count = 1;
    def.bodies = &body;
    carom_model *model;
    assert_refused(carom_model_create(&def, &model, error), CAROM_BAD_INPUT,
                   "body 'cube': linear.young: expected a number > 0");
    elastic.young = elastic.density = 1;
    body.material.params = NULL;
    assert_refused(carom_model_create(&def, &model, error), CAROM_BAD_INPUT, "body 'cube': linear.young: it has no default");
    body.material.params = &elastic;
    assert_ok(carom_model_create(&def, &model, error));

    carom_time_def time = carom_default_time_def();
    time.end = 0.1;
    for (int i = 0; i < carom_integrators()->count; i++) {
        const carom_kind *kind = carom_integrators()->kinds[i];
        room fields;
        carom_pick standard = carom_pick_of(carom_integrators(), kind->name, &fields, NULL);
        carom_sim *sims[2] = {NULL};
        carom_error reason = {0};
        if (carom_sim_create(model, standard, &time, &sims[0], &reason) != CAROM_OK)
            continue; // a method may refuse this model for other reasons than its parameters
        assert_ok(carom_sim_create(model, (carom_pick){kind, NULL}, &time, &sims[1], error));
        for (int n = 0; n < 3; n++)
            for (int s = 0; s < 2; s++)
                assert_ok(carom_sim_step(sims[s], error));
        assert_true(carom_state_hash(carom_sim_state(sims[0])) == carom_state_hash(carom_sim_state(sims[1])));
        carom_sim_release(sims[0]);
        carom_sim_release(sims[1]);
    }

    // ranges of the parameters of integrators are checked in C as in scenes
    carom_sim *sim;
    carom_asynchronous_params asynchronous;
    pick = carom_pick_of(carom_integrators(), "asynchronous", &asynchronous, NULL);
    asynchronous.beta = 0;
    assert_refused(carom_sim_create(model, pick, &time, &sim, error), CAROM_BAD_INPUT,
                   "asynchronous.beta: expected a number > 0");
    carom_energy_momentum_params em;
    pick = carom_pick_of(carom_integrators(), "energy-momentum", &em, NULL);
    em.iterations = 0;
    assert_refused(carom_sim_create(model, pick, &time, &sim, error), CAROM_BAD_INPUT, "energy-momentum.iterations");
    carom_static_params parameters;
    carom_pick_of(carom_analyses(), "static", &parameters, NULL);
    carom_time_def given = carom_static_time(&parameters), standard = carom_static_time(NULL);
    assert_true(given.step == standard.step && given.end == 1);
    carom_model_release(model);
    carom_mesh_release(&meshes[0]);
}

// Kinds that a program registers: a material for bars, and a generator of a mesh of one cell.
typedef struct spring_params {
    double stiffness, density;
} spring_params;

static const carom_param spring_table[] = {
    {.name = "stiffness",
     .type = CAROM_PARAM_REAL,
     .offset = offsetof(spring_params, stiffness),
     .unit = "force/length^2",
     .initial = "100",
     CAROM_RANGE_POSITIVE,
     .doc = "Modulus."},
    {.name = "density",
     .type = CAROM_PARAM_REAL,
     .offset = offsetof(spring_params, density),
     .unit = "mass/length^3",
     .initial = "1",
     CAROM_RANGE_POSITIVE,
     .doc = "Density."},
};

static double density(const void *params) {
    return ((const spring_params *)params)->density;
}

static carom_uniaxial uniaxial(const void *params, double strain) {
    double k = ((const spring_params *)params)->stiffness;
    return (carom_uniaxial){.energy = 0.5 * k * strain * strain, .stress = k * strain, .tangent = k};
}

static const carom_material spring = {
    .kind = {"test-spring", "A spring.", "", spring_table, 2, sizeof(spring_params)}, .density = density, .uniaxial = uniaxial};

static carom_status generate(const void *params, carom_mesh *mesh, carom_error *error) {
    (void)params;
    carom_status status = carom_mesh_allocate(mesh, 2, CAROM_CELL_LINE2, 1, error);
    if (status)
        return status;
    mesh->nodes[1][0] = 1;
    mesh->blocks[0].nodes[1] = 1;
    return carom_mesh_add_set(mesh, "tip", &(int){1}, 1, error);
}

static const carom_generator stick = {.kind = {"test-stick", "One cell.", "", NULL, 0, 0}, .generate = generate};

static void registered(void **state) {
    (void)state;
    assert_ok(carom_register_material(&spring, error));
    assert_ok(carom_register_generator(&stick, error));
    assert_refused(carom_register_material(&spring, error), CAROM_BAD_INPUT, "there is already a material 'test-spring'");
    assert_ptr_equal(carom_catalogue_find(carom_materials(), "test-spring"), &spring.kind);
    static const char text[] = "time: {end: 1, step: 0.01}\n"
                               "integrator: newmark-dcr\n"
                               "bodies:\n"
                               "  - name: a\n"
                               "    mesh: test-stick\n"
                               "    element: {bar: {area: 1}}\n"
                               "    material: {test-spring: {stiffness: 50}}\n";
    carom_scene *scene;
    assert_ok(carom_scene_parse(text, strlen(text), "stick.yaml", NULL, 0, &scene, NULL, error));
    carom_scene_release(scene);
}

static void refused_tables(void **state) {
    (void)state;
    carom_material bad = spring;
    bad.kind.name = "no good";
    assert_refused(carom_register_material(&bad, error), CAROM_BAD_INPUT, "begins with a letter");
    bad.kind.name = "test-other";
    bad.density = NULL;
    assert_refused(carom_register_material(&bad, error), CAROM_BAD_INPUT, "needs a density");
    bad.density = density;
    carom_param rows[1] = {spring_table[0]};
    bad.kind.params = rows;
    bad.kind.param_count = 1;
    rows[0].initial = "-3";
    assert_refused(carom_register_material(&bad, error), CAROM_BAD_INPUT, "test-other.stiffness: the default is not allowed");
    rows[0].initial = "3";
    rows[0].offset = 64;
    assert_refused(carom_register_material(&bad, error), CAROM_BAD_INPUT, "lies outside the parameter struct");
    assert_refused(carom_register_element(&(carom_element){.kind = {.name = "test-e"}}, error), CAROM_BAD_INPUT,
                   "needs prepare");
    assert_refused(carom_register_integrator(&(carom_integrator){.kind = {.name = "test-i"}}, error), CAROM_BAD_INPUT,
                   "needs accepts");
}

static void versions(void **state) {
    (void)state;
    assert_string_equal(carom_version(), CAROM_VERSION_STRING);
    assert_int_equal(carom_version_number(), CAROM_VERSION_NUMBER);
    carom_free(NULL);
    int count;
    const carom_layout *layouts = carom_layouts(&count);
    assert_true(count > 90);
    for (int i = 0; i < count; i++)
        if (strcmp(layouts[i].name, "carom_error") == 0) {
            assert_int_equal(layouts[i].size, sizeof(carom_error));
            return;
        }
    fail_msg("there is no layout of carom_error");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind), cmocka_unit_test(unknown_name),   cmocka_unit_test(null_is_default),
        cmocka_unit_test(registered), cmocka_unit_test(refused_tables), cmocka_unit_test(versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
