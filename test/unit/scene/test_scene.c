// SPDX-License-Identifier: MIT
// Tests src/scene.
// Whole scenes: defaults, overrides, dumps, findings, verdicts.
#include "../../support.h"
#include "carom/scene.h"
#include "model/model.h"
#include "scene/scene.h"

static const char two_bars[] = "title: Two bars\n"                                                           // 1
                               "integrator: newmark-dcr\n"                                                   // 2
                               "time: {end: 40, step: 0.05}\n"                                               // 3
                               "bodies:\n"                                                                   // 4
                               "  - name: left\n"                                                            // 5
                               "    mesh: {line: {from: [-10, 0, 0], to: [0, 0, 0], elements: 10}}\n"        // 6
                               "    element: {bar: {area: 2}}\n"                                             // 7
                               "    material: &m {linear: {young: 1, density: 3}}\n"                         // 8
                               "    velocity: [0.1, 0, 0]\n"                                                 // 9
                               "  - name: right\n"                                                           // 10
                               "    mesh: {line: {from: [0, 0, 0], to: [10, 0, 0], elements: 5}}\n"          // 11
                               "    element: bar\n"                                                          // 12
                               "    material: *m\n"                                                          // 13
                               "restraints:\n"                                                               // 14
                               "  - {body: left, fix: yz}\n"                                                 // 15
                               "  - {body: right, node: 5, directions: [[1, 1, 0]], velocity: [1, 0, 0]}\n"  // 16
                               "  - {body: right, node: 1, plane: [0, 0, 2]}\n"                              // 17
                               "  - {body: right, node: 2, line: [1, 2, 3]}\n"                               // 18
                               "loads:\n"                                                                    // 19
                               "  - {body: left, set: end, force: [0, 0, -1]}\n"                             // 20
                               "contact: {planes: [{name: floor, point: [0, 0, -1], normal: [0, 0, 1]}]}\n"  // 21
                               "output:\n"                                                                   // 22
                               "  probes:\n"                                                                 // 23
                               "    - {name: tip, body: left, set: end, record: [displacement, velocity]}\n" // 24
                               "    - {name: all, body: left}\n"                                             // 25
                               "expect: {energy_error: \"< 0.01\", intersections: 0, tip.vx: \"> 0\"}\n";    // 26

// Reads a scene with up to four overrides; the test fails if it is refused.
static carom_scene *load(const char *text, const char *const *overrides, int count) {
    carom_scene *scene;
    carom_findings findings = {0};
    carom_error error = {0};
    if (carom_scene_parse(text, strlen(text), "dir/two_bars.yaml", overrides, count, &scene, &findings, &error))
        fail_msg("%s", error.message);
    assert_int_equal(findings.count, 0);
    return scene;
}

// Reads a scene that must be refused. Returns the printed findings.
static char *refuse(const char *text, const char *const *overrides, int count) {
    carom_scene *scene;
    carom_findings findings = {0};
    carom_error error = {0};
    assert_int_equal(carom_scene_parse(text, strlen(text), "s.yaml", overrides, count, &scene, &findings, &error),
                     CAROM_BAD_INPUT);
    assert_null(scene);
    assert_true(findings.count > 0);
    assert_non_null(strstr(error.message, findings.items[0].message));
    char *printed = carom_findings_text(&findings);
    assert_non_null(printed);
    carom_findings_release(&findings);
    return printed;
}

static void expect_refused(const char *override, const char *expected) {
    char *printed = refuse(two_bars, &override, 1);
    assert_string_equal(printed, expected);
    free(printed);
}

static char *dump(const carom_scene *scene) {
    char *text = carom_scene_text(scene);
    assert_non_null(text);
    return text;
}

static void parts(void **state) {
    (void)state;
    carom_scene *scene = load(two_bars, NULL, 0);
    const carom_model *model = carom_scene_model(scene);
    assert_string_equal(carom_scene_title(scene), "Two bars");
    assert_string_equal(carom_scene_integrator(scene).kind->name, "newmark-dcr");
    assert_true(carom_scene_time(scene)->end == 40 && carom_scene_time(scene)->step == 0.05);
    assert_int_equal(carom_scene_time(scene)->on_event, CAROM_ON_EVENT_STOP);
    assert_int_equal(carom_model_body_count(model), 2);
    assert_int_equal(carom_model_element_count(model), 15);
    assert_near(carom_model_mass(model)[0], 0.5 * 3 * 2 * 1, 1e-15);
    assert_true(model->contact.enabled);
    assert_int_equal(model->contact.plane_count, 1);
    assert_true(model->v0[0][0] == 0.1);

    // the four kinds of restraints
    const carom_restraints *restraints = &model->restraints;
    assert_int_equal(restraints->count, 11 + 3);
    assert_int_equal(carom_restraint_of(restraints, 0)->count, 2);
    const carom_restraint *driven = carom_restraint_of(restraints, 11 + 5);
    assert_int_equal(driven->count, 1);
    assert_near(driven->velocity[0], 0.5, 1e-15);
    assert_near(fabs(carom_restraint_of(restraints, 11 + 1)->direction[0][2]), 1, 1e-15);
    double along[3] = {1, 2, 3};
    carom_restraint_project(carom_restraint_of(restraints, 11 + 2), along);
    assert_near(along[0], 1, 1e-14);
    assert_near(along[2], 3, 1e-14);

    const carom_output_def *output = carom_scene_output(scene);
    assert_string_equal(output->directory, "out/two_bars");
    assert_int_equal(output->history_every, CAROM_AUTO);
    assert_int_equal(output->fields_every, CAROM_AUTO);
    assert_int_equal(output->probe_count, 2);
    assert_false(output->probes[0].position);
    assert_true(output->probes[0].displacement && output->probes[0].velocity);
    assert_true(output->probes[1].position && output->probes[1].displacement && output->probes[1].velocity);
    assert_int_equal(carom_scene_expectation_count(scene), 3);
    carom_scene_release(scene);
}

static void dump_reads_back(void **state) {
    (void)state;
    static const char *const overrides[][4] = {
        {NULL},
        {"contact=false", "title='\"quoted\" \\\\ ñ'", "output.directory=null x", NULL},
        {"time={end: 0.1, step: auto, on_event: warn}", "bodies[0].velocity=[1e-300, 0.1, -3.0000000000000004]", NULL},
        {"output.probes=[]", "expect={}", "restraints=[]", NULL},
        {"bodies[0].name='null'", "restraints=[]", "loads=[]", NULL},
    };
    for (size_t i = 0; i < sizeof overrides / sizeof *overrides; i++) {
        int count = 0;
        while (overrides[i][count])
            count++;
        static const char *const rest[] = {"output.probes=[]", "expect={}"};
        const char *all[8];
        memcpy(all, overrides[i], (size_t)count * sizeof *all);
        if (i == 4) {
            memcpy(all + count, rest, sizeof rest);
            count += 2;
        }
        carom_scene *scene = load(two_bars, all, count);
        char *first = dump(scene);
        carom_scene *again = load(first, NULL, 0);
        char *second = dump(again);
        assert_string_equal(first, second);
        assert_true(carom_scene_model(scene)->hash == carom_scene_model(again)->hash);
        assert_memory_equal(carom_scene_time(scene), carom_scene_time(again), sizeof(carom_time_def));
        assert_string_equal(carom_scene_title(scene), carom_scene_title(again));
        assert_string_equal(carom_scene_output(scene)->directory, carom_scene_output(again)->directory);
        free(first);
        free(second);
        carom_scene_release(again);
        carom_scene_release(scene);
    }
}

static void overrides_set_values(void **state) {
    (void)state;
    static const char *const overrides[] = {"time.step=0.01",
                                            "bodies[0].material.linear.density=7",
                                            "bodies[1].element.bar.area=5",
                                            "gravity=[0, 0, -9.81]",
                                            "loads[1]={body: right, force: [1, 0, 0]}",
                                            "output.history.every=3",
                                            "expect.'tip.ux'=\"< 5\"",
                                            "schema=1"};
    carom_scene *scene = load(two_bars, overrides, 8);
    const carom_model *model = carom_scene_model(scene);
    assert_true(carom_scene_time(scene)->step == 0.01);
    assert_true(carom_scene_time(scene)->end == 40);
    // the material of the other body came from the same anchor and must not change
    assert_near(carom_model_mass(model)[0], 0.5 * 7 * 2 * 1, 1e-15);
    assert_near(carom_model_mass(model)[11], 0.5 * 3 * 5 * 2, 1e-15);
    assert_int_equal(carom_scene_output(scene)->history_every, 3);
    assert_int_equal(carom_scene_expectation_count(scene), 4);
    assert_near(model->load[12][0], 1.0 / 6, 1e-15);
    carom_scene_release(scene);
}

static void overrides_fail_with_their_text(void **state) {
    (void)state;
    expect_refused("time.step=fast", "--set time.step=fast: error: time.step: expected a number > 0 or auto, found 'fast'\n");
    expect_refused("time.stpe=1", "--set time.stpe=1: error: time: unknown key 'stpe' (did you mean 'step'?)\n");
    expect_refused("time.step", "--set time.step: error: 'time.step': expected '=' and a value\n");
    expect_refused("=1", "--set =1: error: '': expected a key here\n");
    expect_refused("time..step=1", "--set time..step=1: error: 'time.': expected a key here\n");
    expect_refused("time.step=", "--set time.step=: error: expected a value\n");
    expect_refused("time[0]=1", "--set time[0]=1: error: 'time': this is not a list\n");
    expect_refused("bodies.name=x", "--set bodies.name=x: error: 'bodies': there is no 'name' (there are 'left', 'right')\n");
    expect_refused("bodies.rihgt.fix=true",
                   "--set bodies.rihgt.fix=true: error: 'bodies': there is no 'rihgt' (did you mean 'right'?)\n");
    expect_refused("bodies.7.fix=true",
                   "--set bodies.7.fix=true: error: 'bodies': there is no [7]: the list has 2, and a new one would be [2]\n");
    expect_refused("bodies.left.velocity.x=1",
                   "--set bodies.left.velocity.x=1: error: 'bodies.left.velocity': its entries have no names: use an index "
                   "such as [0]\n");
    expect_refused("bodies.left.velocity[3]=1", "--set bodies.left.velocity[3]=1: error: 'bodies.left.velocity': there is no "
                                                "[3]: the components of a vector are [0], [1] and [2]\n");
    expect_refused("bodies[3].name=x",
                   "--set bodies[3].name=x: error: 'bodies': there is no [3]: the list has 2, and a new one would be [2]\n");
    expect_refused("bodies[x].name=x", "--set bodies[x].name=x: error: 'bodies[': expected an index such as [0]\n");
    expect_refused("bodies[0]name=x", "--set bodies[0]name=x: error: 'bodies[0]': expected '.', '[' or '=' here\n");
    expect_refused("expect.'x=1", "--set expect.'x=1: error: 'expect.'': the quote is not closed\n");
    expect_refused("integrator=newmark",
                   "--set integrator=newmark: error: integrator: expected one integrator of: newmark-dcr, "
                   "asynchronous, multisymplectic, energy-momentum, nonsmooth-newmark, found 'newmark': "
                   "integrator: energy-momentum is implicit; newmark-dcr is explicit; analysis: static finds equilibrium\n");
}

// Overrides of an entry of a list by its name, and of one component of a vector, which may be absent in the scene.
static void overrides_by_name(void **state) {
    (void)state;
    static const char *const overrides[] = {"bodies.right.velocity[1]=-2",
                                            "bodies.left.velocity[2]=3",
                                            "bodies.1.spin[0]=0.5",
                                            "gravity[2]=-9.81",
                                            "contact.planes=[{name: floor, point: [0, 0, -90], normal: [0, 0, 1]}]",
                                            "contact.planes.floor.normal[0]=1",
                                            "output.probes.tip.record=[position]",
                                            "bodies.'left'.material.linear.density=7",
                                            "expect={}"};
    carom_scene *scene = load(two_bars, overrides, 9);
    const carom_scene_body *bodies = scene->def.bodies.items;
    const carom_scene_probe *probes = scene->def.probes.items;
    const carom_plane_def *planes = scene->def.planes.items;
    assert_true(bodies[0].def.velocity[2] == 3 && bodies[0].def.velocity[0] == 0.1);
    // the other components of a vector that is absent have their defaults
    assert_true(bodies[1].def.velocity[1] == -2 && bodies[1].def.velocity[0] == 0 && bodies[1].def.velocity[2] == 0);
    assert_true(bodies[1].def.spin[0] == 0.5 && bodies[0].def.spin[0] == 0);
    assert_true(scene->def.gravity[0] == 0 && scene->def.gravity[2] == -9.81);
    assert_true(planes[0].normal[0] == 1 && planes[0].normal[2] == 1);
    assert_int_equal(probes[0].record, CAROM_RECORD_POSITION);
    carom_scene_release(scene);

    static const char twins[] = "integrator: newmark-dcr\ntime: {end: 1}\nbodies:\n"
                                "  - &a {name: a, mesh: {point: {at: [0, 0, 0]}}, element: {point-mass: {mass: 1}}}\n  - *a\n";
    const char *override = "bodies.a.velocity=[1, 0, 0]";
    char *printed = refuse(twins, &override, 1);
    assert_non_null(strstr(printed, "'bodies': 2 entries are called 'a': use an index such as [1]\n"));
    free(printed);
}

static void findings_in_order(void **state) {
    (void)state;
    static const char *const overrides[] = {"time.end=-1"};
    char *printed = refuse("integrator: newmark-dcr\n"
                           "time: {end: 1, stp: 2}\n"
                           "bodies:\n"
                           "  - {name: a, mesh: {point: {at: [0, 0, x]}}, element: {point-mass: {mass: 0}}}\n"
                           "output: {history: {every: 0}}\n"
                           "gravity: down\n",
                           overrides, 1);
    assert_string_equal(printed, "s.yaml:2:16: error: time: unknown key 'stp' (did you mean 'step'?)\n"
                                 "s.yaml:4:41: error: bodies[0].mesh.point.at[2]: expected a number, found 'x'\n"
                                 "s.yaml:4:76: error: bodies[0].element.point-mass.mass: expected a number > 0, found '0'\n"
                                 "s.yaml:5:27: error: output.history.every: expected a whole number >= 1 or auto, found '0'\n"
                                 "s.yaml:6:10: error: gravity: expected three numbers [x, y, z], found 'down'\n"
                                 "--set time.end=-1: error: time.end: expected a number > 0, found '-1'\n");
    free(printed);
}

static void many_findings_are_cut(void **state) {
    (void)state;
    enum { KEYS = 3000 };
    char *text = calloc(KEYS, 16), *end = text;
    for (int i = 0; i < KEYS; i++)
        end += sprintf(end, "key%d: 1\n", i);
    carom_scene *scene;
    carom_findings findings = {0};
    assert_int_equal(carom_scene_parse(text, strlen(text), "s", NULL, 0, &scene, &findings, NULL), CAROM_BAD_INPUT);
    assert_int_equal(findings.count, CAROM_REPORT_MAX);
    assert_string_equal(findings.items[CAROM_REPORT_MAX - 1].message, "2004 more errors are not shown");
    carom_findings_release(&findings);
    free(text);
}

static void formats_of_this_build(void **state) {
    (void)state;
    const char *override = "output.fields.format=vtkhdf";
    if (carom_output_supports(CAROM_FIELDS_VTKHDF))
        carom_scene_release(load(two_bars, &override, 1));
    else
        expect_refused(override, "--set output.fields.format=vtkhdf: error: output.fields.format: this build of carom cannot "
                                 "write VTKHDF (build it with -DCAROM_HDF5=ON); use vtu\n");
}

static void element_limit(void **state) {
    (void)state;
    carom_scene *scene;
    carom_findings findings = {0};
    const carom_scene_source source = {.text = two_bars, .size = strlen(two_bars), .name = "s"};
    assert_int_equal(carom_scene_read(&source, 14, &scene, &findings, NULL), CAROM_BAD_INPUT);
    assert_string_equal(findings.items[0].path, "bodies[1].mesh");
    carom_findings_release(&findings);
    assert_int_equal(carom_scene_read(&source, 15, &scene, &findings, NULL), CAROM_OK);
    carom_scene_release(scene);
}

static void unreadable_file(void **state) {
    (void)state;
    carom_scene *scene;
    carom_findings findings = {0};
    carom_error error = {0};
    assert_int_equal(carom_scene_load("/nonexistent/scene.yaml", NULL, 0, &scene, &findings, &error), CAROM_IO);
    assert_null(scene);
    assert_int_equal(findings.count, 1);
    assert_int_equal(findings.items[0].line, 0);
    assert_non_null(strstr(error.message, "/nonexistent/scene.yaml: cannot be read"));
    carom_findings_release(&findings);
    assert_int_equal(carom_scene_load("/", NULL, 0, &scene, &findings, &error), CAROM_IO);
    carom_findings_release(&findings);
}

static void verdicts(void **state) {
    (void)state;
    static const char *const overrides[] = {"expect={tip.vx: \"0.05 .. 0.2\", tip.ux: \"< -1\", all.x: -5, steps: 2}",
                                            "restraints=[]", "loads=[]", "time.end=0.1", "contact=false"};
    carom_scene *scene = load(two_bars, overrides, 5);
    carom_sim *sim;
    assert_ok(carom_sim_create(carom_scene_model(scene), carom_scene_integrator(scene), carom_scene_time(scene), &sim, error));
    carom_summary summary = {.steps = 2};

    // at the start: velocity as given, no displacement, the centre of mass of the left bar at -5
    carom_verdict velocity = carom_scene_judge(scene, 0, sim, &summary);
    assert_string_equal(velocity.name, "tip.vx");
    assert_string_equal(velocity.condition, "0.05 .. 0.2");
    assert_true(velocity.passed && velocity.value == 0.1);
    carom_verdict displacement = carom_scene_judge(scene, 1, sim, &summary);
    assert_true(!displacement.passed && displacement.value == 0);
    assert_near(carom_scene_judge(scene, 2, sim, &summary).value, -5, 1e-14);
    assert_true(carom_scene_judge(scene, 3, sim, &summary).passed);

    // after two steps the bar has moved as a whole
    while (!carom_sim_done(sim))
        assert_ok(carom_sim_step(sim, error));
    assert_near(carom_scene_judge(scene, 1, sim, &summary).value, 0.01, 1e-14);
    carom_sim_release(sim);
    carom_scene_release(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts),
        cmocka_unit_test(dump_reads_back),
        cmocka_unit_test(overrides_set_values),
        cmocka_unit_test(overrides_by_name),
        cmocka_unit_test(overrides_fail_with_their_text),
        cmocka_unit_test(findings_in_order),
        cmocka_unit_test(many_findings_are_cut),
        cmocka_unit_test(formats_of_this_build),
        cmocka_unit_test(element_limit),
        cmocka_unit_test(unreadable_file),
        cmocka_unit_test(verdicts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
