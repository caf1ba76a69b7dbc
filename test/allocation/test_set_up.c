// SPDX-License-Identifier: MIT
// Memory that runs out: each allocation of every way to set up a run fails once, alone and with all that follow. Each time the
// library returns CAROM_NO_MEMORY with a message, leaks nothing and does not crash.
#include "carom/run.h"
#include "carom/scene.h"
#include "carom/stepper.h"
#include "carom/threads.h"
#include "failing.h"
#include "model/parts/extract.h"

// Allocations that fail one by one before some are passed over: those of a set-up, and of a run with its many rows. In the long
// form these are all of a set-up.
static long many = 500, some = 100;

// One scene for every method, then other elements, meshes and selections than theirs.
static const char *const scenes[] = {"newmark-dcr", "asynchronous", "multisymplectic", "energy-momentum", "nonsmooth-newmark",
                                     "static",      "shells",       "nodal",           "plane",           "points",
                                     "beam",        "file",         "joints"};

enum { SCENES = sizeof scenes / sizeof *scenes, METHODS = 6 };

// The paths write their results into a folder of the test, which is removed at the end.
static char folder[] = "allocation-XXXXXX";

static int enter_folder(void **state) {
    (void)state;
    return mkdtemp(folder) && !chdir(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return chdir("..") || system(command) ? -1 : 0;
}

static carom_status load(const char *name, carom_scene **scene, carom_findings *findings, carom_error *error) {
    static const char *const overrides[] = {"title=short", "output.history.every=1"};
    char path[1024];
    snprintf(path, sizeof path, "%s/test/allocation/scenes/%s.yaml", CAROM_SOURCE_DIR, name);
    return carom_scene_load(path, overrides, 2, scene, findings, error);
}

static carom_status scene_path(const void *context, carom_error *error) {
    carom_scene *scene = NULL;
    carom_findings findings = {0};
    carom_status status = load(context, &scene, &findings, error);
    carom_findings_release(&findings);
    carom_scene_release(scene);
    return status;
}

static void fails_to_load(void **state) {
    (void)state;
    int wrong = 0;
    for (int i = 0; i < SCENES; i++)
        wrong += fail_everywhere(scenes[i], scene_path, scenes[i], many);
    assert_int_equal(wrong, 0);
}

static carom_status create(const carom_scene *scene, carom_sim **sim, carom_error *error) {
    return carom_sim_create(carom_scene_model(scene), carom_scene_integrator(scene), carom_scene_time(scene), sim, error);
}

// Steps up to the first collision and beyond: much of contact is set up when bodies come near for the first time.
static carom_status steps_path(const void *context, carom_error *error) {
    carom_sim *sim = NULL;
    carom_status status = create(context, &sim, error);
    for (int i = 0; i < 4 && !status && !carom_sim_done(sim); i++)
        status = carom_sim_step(sim, error);
    carom_sim_release(sim);
    return status;
}

static void fails_to_simulate(void **state) {
    (void)state;
    int wrong = 0;
    for (int i = 0; i < SCENES; i++) {
        carom_scene *scene = NULL;
        assert_ok(load(scenes[i], &scene, NULL, error));
        wrong += fail_everywhere(scenes[i], steps_path, scene, many);
        carom_scene_release(scene);
    }
    assert_int_equal(wrong, 0);
}

static void ignore_hit(void *context, const carom_sim *sim, const carom_hit_report *hit) {
    (void)context, (void)sim, (void)hit;
}

// What a program may do with a simulation: listen, change the motion, step, look at some nodes.
static carom_status live_path(const void *context, carom_error *error) {
    carom_sim *sim = NULL;
    carom_selection where = carom_default_selection();
    carom_probe_reading reading;
    strcpy(where.body, "high");
    strcpy(where.set, "zmax");
    carom_status status = create(context, &sim, error);
    if (!status) {
        carom_sim_on_hit(sim, ignore_hit, NULL);
        status = carom_sim_set_motion(sim, NULL, carom_state_velocities(carom_sim_state(sim)), error);
    }
    if (!status)
        status = carom_sim_run_until(sim, 3 * carom_sim_step_size(sim), error);
    if (!status)
        status = carom_sim_probe(sim, &where, &reading, error);
    carom_sim_release(sim);
    return status;
}

// A method from outside by kicks and drifts, with the contact of the scene.
static carom_status outside_setup(carom_stepper *stepper, carom_state *state, carom_error *error) {
    carom_kick_drift *nodes;
    carom_status status = carom_kick_drift_create(stepper, state, true, &nodes, error);
    carom_stepper_set_workspace(stepper, nodes);
    return status ? status : carom_kick_drift_kick(nodes, state, 0.5 * carom_stepper_step(stepper), 1, error);
}

static carom_status outside_step(carom_stepper *stepper, carom_state *state, carom_error *error) {
    carom_kick_drift *nodes = carom_stepper_workspace(stepper);
    carom_status status = carom_kick_drift_drift(nodes, state, carom_stepper_step(stepper), error);
    if (status)
        return status;
    carom_stepper_advance_time(stepper, state);
    status = carom_kick_drift_kick(nodes, state, carom_stepper_step(stepper), 0.5, error);
    return status ? status : carom_kick_drift_finish(nodes, state, error);
}

static void outside_release(carom_stepper *stepper) {
    carom_kick_drift_release(carom_stepper_workspace(stepper));
    carom_stepper_set_workspace(stepper, NULL);
}

static carom_status outside_accepts(const carom_model *model, const void *params, carom_error *error) {
    (void)model, (void)params, (void)error;
    return CAROM_OK;
}

static carom_status outside_path(const void *context, carom_error *error) {
    static const carom_integrator outside = {
        .kind = {.name = "outside", .summary = "", .reference = ""},
        .accepts = outside_accepts,
        .setup = outside_setup,
        .step = outside_step,
        .release = outside_release,
    };
    const carom_scene *scene = context;
    carom_sim *sim = NULL;
    carom_pick pick = {&outside.kind, NULL};
    carom_status status = carom_sim_create(carom_scene_model(scene), pick, carom_scene_time(scene), &sim, error);
    if (!status)
        status = carom_sim_run_until(sim, 3 * carom_sim_step_size(sim), error);
    carom_sim_release(sim);
    return status;
}

static void fails_outside(void **state) {
    (void)state;
    carom_scene *scene = NULL;
    assert_ok(load("newmark-dcr", &scene, NULL, error));
    int wrong = fail_everywhere("outside", outside_path, scene, many);
    carom_scene_release(scene);
    assert_int_equal(wrong, 0);
}

static void fails_to_change(void **state) {
    (void)state;
    static const char *const names[] = {"newmark-dcr", "energy-momentum", "nonsmooth-newmark"};
    int wrong = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        carom_scene *scene = NULL;
        assert_ok(load(names[i], &scene, NULL, error));
        wrong += fail_everywhere(names[i], live_path, scene, many);
        carom_scene_release(scene);
    }
    assert_int_equal(wrong, 0);
}

// A part of a model, its contact space, and both as bytes.
static carom_status share_path(const void *context, carom_error *error) {
    const carom_model *whole = carom_scene_model(context);
    static int owner[10000];
    carom_model *made[4] = {NULL};
    void *bytes[2] = {NULL};
    int64_t size[2];
    int n = carom_model_node_count(whole);
    assert_true(n <= 10000);
    for (int k = 0; k < n; k++)
        owner[k] = k % 3 == 0;
    carom_status status = carom_model_extract(whole, owner, 2, 1, &made[0], error);
    if (!status)
        status = carom_model_extract_space(whole, &made[1], error);
    for (int i = 0; i < 2 && !status; i++) {
        status = carom_model_pack(made[i], &bytes[i], &size[i], error);
        if (!status)
            status = carom_model_unpack(bytes[i], size[i], &made[2 + i], error);
    }
    for (int i = 0; i < 4; i++)
        carom_model_release(made[i]);
    free(bytes[0]);
    free(bytes[1]);
    return status;
}

static void fails_to_share(void **state) {
    (void)state;
    int wrong = 0;
    for (int i = 0; i < SCENES; i++) {
        carom_scene *scene = NULL;
        // processes share neither beams nor joints
        if (strcmp(scenes[i], "beam") == 0 || strcmp(scenes[i], "joints") == 0)
            continue;
        assert_ok(load(scenes[i], &scene, NULL, error));
        wrong += fail_everywhere(scenes[i], share_path, scene, many);
        carom_scene_release(scene);
    }
    assert_int_equal(wrong, 0);
}

typedef struct run_case {
    carom_scene *scene;
    carom_output_def output;
    bool resume;
} run_case;

// A run with all that it may write, or one that goes on from a checkpoint.
static carom_status run_path(const void *context, carom_error *error) {
    const run_case *c = context;
    carom_sim *sim = NULL;
    carom_summary summary = {0};
    carom_run_def def = {.output = &c->output, .scene_text = "schema: 1\n", .resume = c->resume};
    carom_status status = create(c->scene, &sim, error);
    if (!status)
        status = carom_run(sim, &def, &summary, error);
    carom_summary_release(&summary);
    carom_sim_release(sim);
    return status;
}

static void fails_to_run(void **state) {
    (void)state;
    int wrong = 0;
    for (int i = 0; i < METHODS; i++) {
        run_case c = {0};
        assert_ok(load(scenes[i], &c.scene, NULL, error));
        c.output = *carom_scene_output(c.scene);
        c.output.checkpoint_every = 2;
        snprintf(c.output.directory, sizeof c.output.directory, "allocation_%s", scenes[i]);
        wrong += fail_everywhere(scenes[i], run_path, &c, some);
        c.resume = true;
        wrong += fail_everywhere(scenes[i], run_path, &c, some);
        carom_scene_release(c.scene);
    }
    assert_int_equal(wrong, 0);
}

static carom_status mesh_path(const void *context, carom_error *error) {
    carom_mesh mesh = {0};
    carom_findings findings = {0};
    carom_status status = carom_scene_mesh(context, NULL, 0, &mesh, &findings, error);
    carom_findings_release(&findings);
    carom_mesh_release(&mesh);
    return status;
}

static void fails_to_generate(void **state) {
    (void)state;
    static const char *const texts[] = {
        "curve: {length: 1, elements: 8, curvature: [0, 0, 1]}",
        "line: {from: [0, 0, 0], to: [1, 0, 0], elements: 4, grading: end}",
        "point: {at: [1, 2, 3]}",
        "rectangle: {from: [0, 0, 0], to: [2, 1, 0], columns: 2, rows: 2}",
        "box: {from: [0, 0, 0], to: [1, 1, 1], elements: [2, 2, 2], cells: tet4}",
        "plate: {length: 1, width: 1, thickness: 0.1, columns: 2, rows: 2}",
        "ring: {inner: 1, outer: 2, around: 6, cells: tri3}",
        "disc: {divisions: 2, layers: 1}",
        "hexagonal-disc: {rings: 2}",
        "cylinder: {radius: 1, height: 1, divisions: 2, layers: 1, slices: 2}",
        "tube: {inner: 1, outer: 2, height: 1, around: 6, slices: 2, cells: tet4}",
        "sphere: {radius: 1, faces: 80}",
        "ball: {divisions: 2, layers: 1}",
        "cube: {divisions: 2}",
    };
    int wrong = 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        wrong += fail_everywhere(texts[i], mesh_path, texts[i], many);
    assert_int_equal(wrong, 0);
}

// Reads a file, looks for faults, mends, renumbers, measures, writes.
static carom_status file_path(const void *context, carom_error *error) {
    carom_mesh mesh = {0}, copy = {0};
    carom_mesh_faults faults;
    carom_mesh_facts facts;
    carom_status status = carom_mesh_read(context, NULL, &mesh, error);
    if (!status)
        status = carom_mesh_copy(&mesh, &copy, error);
    if (!status)
        status = carom_mesh_check(&copy, &faults, error);
    if (!status)
        status = carom_mesh_fix(&copy, &faults, error);
    if (!status)
        status = carom_mesh_renumber(&copy, error);
    if (!status)
        status = carom_mesh_measure(&mesh, &facts, error);
    if (!status)
        status = carom_mesh_write(&mesh, "allocation.msh", error);
    if (!status)
        status = carom_mesh_write(&mesh, "allocation.vtu", error);
    carom_mesh_release(&copy);
    carom_mesh_release(&mesh);
    return status;
}

static void fails_to_read_files(void **state) {
    (void)state;
    static const char *const names[] = {
        "hex_22.msh",
        "tet_41.msh",
        "shell_41_binary.msh",
        "hex_gmsh.inp",
        "tet_second_order.inp",
        "shell_gmsh.stl",
        "shell_meshio_binary.stl",
        "shell_meshio.obj",
        "shell_meshio.ply",
        "shell_meshio_binary.ply",
        "hex_gmsh.vtk",
        "tet_vtk_binary.vtk",
        "tet_vtk_ascii.vtu",
        "hex_vtk_raw_zlib.vtu",
        "tet_vtk_base64_zlib.vtu",
    };
    int wrong = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/test/meshes_good/%s", CAROM_SOURCE_DIR, names[i]);
        wrong += fail_everywhere(names[i], file_path, path, many);
    }
    assert_int_equal(wrong, 0);
}

// Paths with a fault of each kind: the test itself must find them.
static carom_status careless_path(const void *context, carom_error *error) {
    const char *fault = context;
    // volatile: a compiler may leave out memory that nobody looks at
    void *volatile first = malloc(8), *volatile second = malloc(8);
    bool failed = !first || !second;
    if (strcmp(fault, "leaks") != 0 || !failed)
        free(first);
    free(second);
    if (!failed || strcmp(fault, "ignores") == 0)
        return CAROM_OK;
    if (strcmp(fault, "is silent") == 0)
        return CAROM_NO_MEMORY;
    return carom_fail(error, strcmp(fault, "confuses") == 0 ? CAROM_IO : CAROM_NO_MEMORY, "no memory");
}

static void finds_faults(void **state) {
    (void)state;
    assert_int_equal(fail_everywhere("is careful", careless_path, "is careful", many), 0);
    // of two allocations that fail in two modes; a leak needs the first to succeed
    assert_int_equal(fail_everywhere("ignores", careless_path, "ignores", many), 4);
    assert_int_equal(fail_everywhere("is silent", careless_path, "is silent", many), 4);
    assert_int_equal(fail_everywhere("confuses", careless_path, "confuses", many), 4);
    assert_int_equal(fail_everywhere("leaks", careless_path, "leaks", many), 2);
}

int main(void) {
    if (getenv("CAROM_TEST_LONG"))
        many = 2000, some = 400;
    carom_set_threads(1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_faults),      cmocka_unit_test(fails_to_load),       cmocka_unit_test(fails_to_simulate),
        cmocka_unit_test(fails_to_change),   cmocka_unit_test(fails_outside),       cmocka_unit_test(fails_to_run),
        cmocka_unit_test(fails_to_generate), cmocka_unit_test(fails_to_read_files), cmocka_unit_test(fails_to_share),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
