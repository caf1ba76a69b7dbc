// SPDX-License-Identifier: MIT
// What the tables of the methods say they have, they have, and what they lack is refused: each cell of the matrix of methods
// and needs is tried on a small model that needs nothing else, and the test shows that it would notice a false cell.
#include "../support.h"
#include "carom/scene.h"
#include "integrator/stepper.h"

#define START "time: {end: 1, step: 1.0e-3}\nbodies:\n"
#define ROD(body, place, rest)                                                                                  \
    "  - name: " body "\n    mesh: {line: {from: [" place ", 0, 0.5], to: [" place ", 0, 1.5], elements: 2}}\n" \
    "    element: {bar: {area: 1, strain: log}}\n" rest
#define LINEAR "    material: {linear: {young: 1, density: 1}}\n"
#define BLOCK(body, low, high, rest) \
    "  - name: " body "\n    mesh: {box: {from: [0, 0, " low "], to: [1, 1, " high "], elements: [1, 1, 1]}}\n" rest
#define SOLID "    element: {hex8: {}}\n    material: {neo-hookean: {young: 10, poisson: 0.3, density: 1}}\n"
#define FALLS "    velocity: [0, 0, -1]\n"
#define APART "contact: false\n"
#define FLOOR "planes: [{name: floor, point: [0, 0, 0.495], normal: [0, 0, 1]}]}\n"

// A model that needs one thing, and a number that is above zero after some steps if the method does what it needs.
typedef struct specimen {
    carom_need need;
    const char *reader; // a method by which the scene is read
    const char *scene;
    int steps;
    const char *column; // of the ledger
} specimen;

static const specimen specimens[] = {
    {CAROM_NEED_FRAMES, "multisymplectic",
     "time: {end: 1, step: 5.0e-5}\nbodies:\n  - name: beam\n"
     "    mesh: {line: {from: [0, 0, 0], to: [0.5, 0, 0], elements: 2}}\n"
     "    element: {exact-beam: {section: circle, radius: 0.03}}\n"
     "    material: {linear: {young: 1.0e+4, poisson: 0.35, density: 1.0e+3}}\ngravity: [0, 0, -1]\n" APART,
     4, "kinetic"},
    {CAROM_NEED_RIGID, "newmark-dcr",
     START BLOCK("box", "0", "1", "    element: {rigid: {density: 1}}\n") "gravity: [0, 0, -1]\n" APART, 4, "kinetic"},
    {CAROM_NEED_TIES, "newmark-dcr",
     START BLOCK("low", "0", "1", SOLID)
         BLOCK("high", "1", "2", SOLID FALLS) "tied:\n  - {from: {body: high, set: zmin}, to: {body: "
                                              "low, set: zmax}}\nrestraints:\n  - {body: low, set: zmin, fix: xyz}\n" APART,
     10, "internal"},
    {CAROM_NEED_WINDOWS, "newmark-dcr",
     START ROD("rod", "0", LINEAR) "restraints:\n  - {body: rod, fix: xyz, until: 0.005}\ngravity: [0, 0, -1]\n" APART, 10,
     "kinetic"},
    {CAROM_NEED_OBSTACLES, "newmark-dcr",
     START BLOCK("punch", "0", "1", "    obstacle: {}\n")
         BLOCK("block", "1.005", "2", SOLID FALLS) "contact: {restitution: 1}\n",
     20, "contacts"},
    {CAROM_NEED_HISTORY, "newmark-dcr",
     START ROD(
         "rod", "0",
         "    material: {j2: {young: 1, density: 1, yield: 0.001}}\n" FALLS) "restraints:\n"
                                                                             "  - {body: rod, set: start, fix: xyz}\n" APART,
     40, "plasticity"},
    {CAROM_NEED_BRANCHES, "newmark-dcr",
     START ROD("rod", "0",
               "    material: {viscoelastic: {law: j2, young: 1, density: 1, yield: 0.02, modulus: 0.1, poisson: 0.3, "
               "prony: [[0.5, 0.3]]}}\n" FALLS) "restraints:\n  - {body: rod, set: start, fix: xyz}\n" APART,
     20, "viscosity"},
    {CAROM_NEED_DAMPING, "newmark-dcr", START ROD("rod", "0", LINEAR FALLS "    damping: {mass: 1}\n") APART, 4, "damping"},
    {CAROM_NEED_STIFFNESS_DAMPING, "newmark-dcr",
     START ROD("rod", "0",
               LINEAR FALLS "    damping: {stiffness: 1.0e-3}\n") "restraints:\n  - {body: rod, set: start, fix: xyz}\n" APART,
     10, "damping"},
    {CAROM_NEED_SCHEDULES, "newmark-dcr",
     START BLOCK("block", "0", "1", SOLID) "loads:\n  - {body: block, set: zmax, pressure: 1}\n" APART, 4, "kinetic"},
    {CAROM_NEED_CONTACT, "newmark-dcr", START ROD("rod", "0", LINEAR FALLS) "contact: {restitution: 1, " FLOOR, 20, "contacts"},
    {CAROM_NEED_SURFACES, "newmark-dcr",
     START BLOCK("low", "0", "1", SOLID) BLOCK("high", "1.005", "2", SOLID FALLS) "contact: {restitution: 1}\n", 20,
     "contacts"},
    {CAROM_NEED_RESTITUTION, "newmark-dcr", START ROD("rod", "0", LINEAR FALLS) "contact: {restitution: 0.5, " FLOOR, 20,
     "restitution"},
    {CAROM_NEED_FRICTION, "newmark-dcr",
     START BLOCK("block", "0.5", "1.5", SOLID "    velocity: [1, 0, -1]\n") "contact: {restitution: 1, friction: 0.5, " FLOOR,
     40, "friction"},
};
enum { SPECIMENS = sizeof specimens / sizeof *specimens };

// Settings with which a method lacks something.
static void set_with(const carom_lack *lack, void *params) {
    if (strcmp(lack->with, "contact by polling") == 0)
        ((carom_asynchronous_params *)params)->contact = CAROM_ASYNCHRONOUS_CONSTANT;
    else if (strcmp(lack->with, "scheme: newmark") == 0 || strcmp(lack->with, "another scheme than conserving") == 0)
        ((carom_energy_momentum_params *)params)->scheme = CAROM_EM_NEWMARK;
    else if (strcmp(lack->with, "beta > 0") == 0)
        ((carom_nonsmooth_newmark_params *)params)->beta = 0.25;
    else if (strcmp(lack->with, "contact.resolve: projection") != 0)
        fail_msg("the test does not know how to set '%s'", lack->with);
}

static carom_scene *read_specimen(const specimen *s, bool projection) {
    char method[CAROM_NAME_MAX];
    snprintf(method, sizeof method, "integrator=%s", s->reader);
    const char *const overrides[] = {method};
    carom_scene *scene = NULL;
    carom_error error = {0};
    if (carom_scene_parse(s->scene, strlen(s->scene), "specimen.yaml", overrides, 1, &scene, NULL, &error))
        fail_msg("%s: %s", carom_need_name(s->need), error.message);
    if (projection)
        ((carom_model *)carom_scene_model(scene))->contact.resolve = CAROM_RESOLVE_PROJECTION;
    return scene;
}

static double column_of(const carom_ledger_row *row, const char *name) {
    int count;
    const carom_ledger_column *columns = carom_ledger_columns(&count);
    for (int c = 0; c < count; c++)
        if (strcmp(columns[c].name, name) == 0)
            return carom_ledger_value(row, &columns[c]);
    fail_msg("the ledger has no '%s'", name);
    return NAN;
}

// Runs a specimen. True if it was refused; else the largest value of its column.
static bool is_refused(const specimen *s, const carom_integrator *method, const carom_lack *lack, double *largest,
                       carom_error *fault) {
    carom_scene *scene = read_specimen(s, lack && lack->with && strstr(lack->with, "projection"));
    void *params = default_params(&method->kind);
    if (lack && lack->with)
        set_with(lack, params);
    carom_time_def time = method->equilibrium ? carom_static_time(params) : *carom_scene_time(scene);
    carom_sim *sim = NULL;
    carom_pick pick = {&method->kind, params};
    bool refused = carom_sim_create(carom_scene_model(scene), pick, &time, &sim, fault) != CAROM_OK;
    *largest = 0;
    for (int i = 0; i < s->steps && !refused; i++) {
        assert_ok(carom_sim_step(sim, error));
        carom_ledger_row row = carom_sim_ledger(sim);
        *largest = fmax(*largest, column_of(&row, s->column));
    }
    carom_sim_release(sim);
    free(params);
    carom_scene_release(scene);
    return refused;
}

// The row of the table that says that the method always lacks this; NULL if it does not.
static const carom_lack *find_lack(const carom_integrator *method, carom_need need) {
    for (const carom_lack *lack = method->lacks; lack && lack->need; lack++)
        if (lack->need == need && !lack->when)
            return lack;
    return NULL;
}

// Whether the cell of a method and a need is as its table says.
static bool is_true(const carom_integrator *method, const specimen *s) {
    carom_error error = {0};
    double largest;
    bool lacks = find_lack(method, s->need), refused = is_refused(s, method, NULL, &largest, &error);
    // models that move have no equilibrium; what a static analysis has is in test_static.c
    bool right = lacks ? refused : (method->equilibrium || (!refused && largest > 0));
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
                assert_non_null(strstr(error.message, ": use "));
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
        carom_scene *scene = read_specimen(s, false);
        void *params = default_params(method);
        if (carom_integrator_accepts((const carom_integrator *)method, carom_scene_model(scene), params, &error)) {
            const char *advice = strstr(error.message, ": use ");
            for (int k = 0; advice && find_lack((const carom_integrator *)method, s->need) && k < carom_integrators()->count;
                 k++) {
                const carom_integrator *other = (const carom_integrator *)carom_integrators()->kinds[k];
                if (strstr(advice, other->kind.name))
                    assert_null(find_lack(other, s->need));
            }
        }
        free(params);
        carom_scene_release(scene);
    }
}

static void test_false_cells(void **state) {
    (void)state;
    const carom_integrator *newmark = (const carom_integrator *)carom_catalogue_find(carom_integrators(), "newmark-dcr");
    const carom_integrator *multisymplectic =
        (const carom_integrator *)carom_catalogue_find(carom_integrators(), "multisymplectic");
    static const carom_lack nothing[] = {{CAROM_NEED_NONE}},
                            bounce[] = {{CAROM_NEED_FRAMES}, {CAROM_NEED_RESTITUTION}, {CAROM_NEED_NONE}};
    carom_integrator all = *newmark, none = *newmark, silent = *multisymplectic;
    all.lacks = silent.lacks = nothing;
    none.lacks = bounce;
    int noticed = 0;
    for (int i = 0; i < SPECIMENS; i++) {
        const specimen *s = &specimens[i];
        // beams are refused by a later part; a bounce is not refused at all; and damping is not in the equations
        noticed += s->need == CAROM_NEED_FRAMES && !is_true(&all, s);
        noticed += s->need == CAROM_NEED_RESTITUTION && !is_true(&none, s);
        noticed += s->need == CAROM_NEED_DAMPING && !is_true(&silent, s);
    }
    assert_int_equal(noticed, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_cell),
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_advice),
        cmocka_unit_test(test_false_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
