// SPDX-License-Identifier: MIT
// Memory that runs out: each allocation of every way to set up a run fails once, alone and with all that follow. Each time the
// library returns CAROM_NO_MEMORY with a message, leaks nothing and does not crash.
#include <dirent.h>
#include <sys/stat.h>

#include "carom/run.h"
#include "carom/scene.h"
#include "carom/threads.h"
#include "failing.h"
#include "sim/sim.h"

enum { MANY = 2000 }; // allocations that fail one by one before some are passed over

// A short scene for every method, with all that its set-up may have to prepare: planes, pairs, restraints, loads, damping, probes.
typedef struct method {
    const char *name, *text;
} method;

#define SOLID ", material: {neo-hookean: {young: 1e6, poisson: 0.3, density: 1000}}"
#define TIME(step, end) "time: {step: " step ", end: " end "}\n"
#define TWO_BLOCKS(DAMPED)                                                                                          \
    "bodies:\n"                                                                                                     \
    "  - {name: low, mesh: {box: {from: [0, 0, 0], to: [1, 1, 1], elements: [2, 2, 1]}}, element: hex8" SOLID "}\n" \
    "  - {name: high, mesh: {box: {from: [0.2, 0.1, 1.001], to: [0.9, 0.8, 1.8], elements: [1, 1, 1], cells: "      \
    "tet4}}, element: tet4" SOLID ", velocity: [0, 0, -2]" DAMPED "}\n"                                             \
    "restraints: [{body: low, set: zmin, fix: xyz}]\n"                                                              \
    "loads: [{body: high, set: zmax, pressure: 100}]\n"
#define WRITES \
    "output: {history: {every: 1, bodies: true}, fields: {every: 1}, contacts: true, probes: [{name: top, body: high, set: zmax}]}\n"

static const method methods[] = {
    {"newmark-dcr",
     "schema: 1\nintegrator: newmark-dcr\n" TIME("auto", "5e-4") TWO_BLOCKS(
         ", damping: {mass: 0.1, stiffness: 1e-6}") "contact: {restitution: 0.5, friction: 0.2, self: true, planes: [{name: floor, point: [0, 0, -1], normal: [0, 0, 1]}], "
                                                    "pairs: [{bodies: [low, high], friction: 0.1}]}\n" WRITES},
    {"asynchronous",
     "schema: 1\nintegrator: asynchronous\n" TIME("auto", "5e-4") TWO_BLOCKS("") "contact: {restitution: 1}\n" WRITES},
    {"multisymplectic",
     "schema: 1\nintegrator: multisymplectic\n" TIME(
         "0.1",
         "0.5") "bodies:\n"
                "  - {name: low, mesh: {line: {from: [0, 0, 0], to: [4, 0, 0], elements: 4}}, element: {bar: {area: 1}}, material: {linear: {young: 1, density: 1}}, velocity: [1, 0, 0]}\n"
                "  - {name: high, mesh: {line: {from: [4.1, 0, 0], to: [8, 0, 0], elements: 4}}, element: {bar: {area: 1}}, material: {linear: {young: 1, density: 1}}}\n"
                "contact: {restitution: 1}\noutput: {history: {every: 1}, fields: {every: 1}}\n"},
    {"energy-momentum",
     "schema: 1\nintegrator: energy-momentum\n" TIME("2e-4", "1e-3") TWO_BLOCKS("") "contact: {restitution: 1}\n" WRITES},
    {"nonsmooth-newmark", "schema: 1\nintegrator: nonsmooth-newmark\n" TIME("2e-4", "1e-3")
                              TWO_BLOCKS("") "contact: {restitution: 0, friction: 0.1}\n" WRITES},
    {"static", "schema: 1\nanalysis: {static: {steps: 2}}\nbodies:\n"
               "  - {name: high, mesh: {box: {from: [0, 0, 0], to: [3, 1, 1], elements: [3, 1, 1]}}, element: hex8" SOLID "}\n"
               "restraints: [{body: high, set: xmin, fix: xyz}]\nloads: [{body: high, set: xmax, force: [0, 0, 10]}]\n" WRITES},
};

#define NEWMARK "schema: 1\nintegrator: newmark-dcr\ntime: {end: 1e-3, safety: 0.5}\n"
#define SHELL \
    ", element: {loop-shell: {thickness: 0.01}}, material: {st-venant-kirchhoff: {young: 1e6, poisson: 0.3, density: 1000}}"

// Other elements, meshes and selections than those above.
static const method others[] = {
    {"shells", NEWMARK
     "bodies:\n"
     "  - {name: sheet, mesh: {rectangle: {from: [0, 0, 0], to: [1, 1, 0], columns: 3, rows: 3, cells: tri3}}" SHELL "}\n"
     "  - {name: ball, mesh: {sphere: {radius: 0.2, faces: 80}}, place: {translate: [0.5, 0.5, 0.25]}" SHELL
     ", velocity: [0, 0, -1]}\nrestraints: [{body: sheet, set: rim, fix: xyz}]\ncontact: {thickness: 0.02, self: true}\n"},
    {"nodal", NEWMARK
     "bodies:\n"
     "  - {name: block, mesh: {box: {from: [0, 0, 0], to: [1, 1, 1], elements: [2, 1, 1], cells: tet4}}, element: nodal" SOLID
     "}\n"
     "restraints: [{body: block, nearest: {to: [0, 0, 0]}, fix: xyz, velocity: [0, 0, 1], ramp: 0.5}]\n"},
    {"plane", NEWMARK
     "bodies:\n"
     "  - {name: left, mesh: {rectangle: {from: [0, 0, 0], to: [1, 1, 0], columns: 2, rows: 2, cells: tri3}}, element: tri3" SOLID
     "}\n"
     "  - {name: right, mesh: {rectangle: {from: [1.001, 0, 0], to: [2, 1, 0], columns: 2, rows: 2}}, element: quad4" SOLID
     ", velocity: [-1, 0, 0]}\ncontact: {friction: 0.3}\n"},
    {"points",
     "schema: 1\nintegrator: newmark-dcr\ntime: {step: 1e-3, end: 1e-2}\nbodies:\n"
     "  - {name: row, mesh: {point: {at: [0, 0, 1]}}, element: {point-mass: {mass: 1}}, array: {copies: [3, 1, 1], spacing: [1, 0, 0]}}\n"
     "gravity: [0, 0, -10]\ncontact: {planes: [{name: floor, normal: [0, 0, 1]}]}\n"},
    {"beam", "schema: 1\nintegrator: multisymplectic\ntime: {end: 1e-3, safety: 0.5}\nbodies:\n"
             "  - {name: beam, mesh: {curve: {length: 1, elements: 4, curvature: [0, 0, 1]}}, element: {exact-beam: {width: 0.1, height: 0.1}}, "
             "material: {linear: {young: 1e4, poisson: 0.3, density: 1}}}\ncontact: false\n"},
    {"file", NEWMARK
     "bodies:\n"
     "  - {name: body, mesh: {file: {path: \"" CAROM_SOURCE_DIR
     "/test/meshes_good/tet_41.msh\"}}, renumber: true, fix: true, element: tet4" SOLID
     ", array: {copies: [2, 1, 1], spacing: [50, 0, 0]}}\n"
     "loads: [{body: body, in_box: {low: [-100, -100, -100], high: [100, 100, 100]}, force: [0, 0, 1], history: [[0, 0], [1, 1]]}]\n"},
};

static carom_status parse(const method *m, carom_scene **scene, carom_error *error) {
    return carom_scene_parse(m->text, strlen(m->text), m->name, NULL, 0, scene, NULL, error);
}

static carom_status scene_path(const void *context, carom_error *error) {
    carom_scene *scene = NULL;
    carom_findings findings = {0};
    const method *m = context;
    const char *overrides[] = {"title=short", "output.history.every=2"};
    carom_status status = carom_scene_parse(m->text, strlen(m->text), m->name, overrides, 2, &scene, &findings, error);
    carom_findings_release(&findings);
    carom_scene_release(scene);
    return status;
}

// Steps up to the first collision and beyond: much of contact is set up when bodies come near for the first time.
static carom_status steps_path(const void *context, carom_error *error) {
    carom_scene *const *scene = context;
    carom_sim *sim = NULL;
    carom_status status =
        carom_sim_create(carom_scene_model(*scene), carom_scene_integrator(*scene), carom_scene_time(*scene), &sim, error);
    for (int i = 0; i < 4 && !status && !carom_sim_done(sim); i++)
        status = carom_sim_step(sim, error);
    carom_sim_release(sim);
    return status;
}

typedef struct output_case {
    carom_scene *scene;
    carom_output_def output;
    bool resume;
} output_case;

static carom_status run_path(const void *context, carom_error *error) {
    const output_case *c = context;
    carom_sim *sim = NULL;
    carom_summary summary = {0};
    carom_status status = carom_sim_create(carom_scene_model(c->scene), carom_scene_integrator(c->scene),
                                           carom_scene_time(c->scene), &sim, error);
    carom_run_def def = {.output = &c->output, .scene_text = "schema: 1\n", .resume = c->resume};
    if (!status)
        status = carom_run(sim, &def, &summary, error);
    carom_summary_release(&summary);
    carom_sim_release(sim);
    return status;
}

static void scenes(void **state) {
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        wrong += fail_everywhere(methods[i].name, scene_path, &methods[i], MANY);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        wrong += fail_everywhere(others[i].name, scene_path, &others[i], MANY);
    assert_int_equal(wrong, 0);
}

static void simulations(void **state) {
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        carom_scene *scene = NULL;
        assert_ok(parse(&methods[i], &scene, error));
        wrong += fail_everywhere(methods[i].name, steps_path, &scene, MANY);
        carom_scene_release(scene);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        carom_scene *scene = NULL;
        assert_ok(parse(&others[i], &scene, error));
        wrong += fail_everywhere(others[i].name, steps_path, &scene, MANY);
        carom_scene_release(scene);
    }
    assert_int_equal(wrong, 0);
}

static void outputs(void **state) {
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        output_case c = {0};
        assert_ok(parse(&methods[i], &c.scene, error));
        c.output = *carom_scene_output(c.scene);
        c.output.checkpoint_every = 2;
        snprintf(c.output.directory, sizeof c.output.directory, "allocation_%s", methods[i].name);
        wrong += fail_everywhere(methods[i].name, run_path, &c, MANY / 5);
        c.resume = true;
        wrong += fail_everywhere(methods[i].name, run_path, &c, MANY / 5);
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

static void generators(void **state) {
    (void)state;
    int wrong = 0;
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
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        wrong += fail_everywhere(texts[i], mesh_path, texts[i], MANY);
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

static void files(void **state) {
    (void)state;
    int wrong = 0;
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
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/test/meshes_good/%s", CAROM_SOURCE_DIR, names[i]);
        wrong += fail_everywhere(names[i], file_path, path, MANY);
    }
    assert_int_equal(wrong, 0);
}

int main(void) {
    carom_set_threads(1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes),     cmocka_unit_test(simulations), cmocka_unit_test(outputs),
        cmocka_unit_test(generators), cmocka_unit_test(files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
