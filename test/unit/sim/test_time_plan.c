// SPDX-License-Identifier: MIT
// Tests src/sim/time_plan.c.
// The number of steps does not depend on the rounding of the stable step, which differs between frames of reference.
#include "../../support.h"

#include "carom/carom.h"

static const char scene_text[] =
    "integrator: newmark-dcr\n"
    "time: {end: 1}\n"
    "bodies:\n"
    "  - {name: a, mesh: {line: {from: [0, 0, 0], to: [1, 0, 0], elements: 7}}, element: {bar: {area: 0.3}},\n"
    "     material: {linear: {young: 1.7, density: 0.9}}}\n";

static void steps_of_a_whole_number_of_stable_steps(void **state) {
    (void)state;
    carom_scene *scene = NULL;
    carom_findings findings = {0};
    assert_ok(carom_scene_parse(scene_text, strlen(scene_text), "text", NULL, 0, &scene, &findings, error));
    carom_findings_release(&findings);
    const carom_model *model = carom_scene_model(scene);
    double stable = carom_model_stable_step(model);
    carom_time_def time = *carom_scene_time(scene);
    time.safety = 1;
    for (int n = 1; n <= 1000; n++)
        for (int units = -8; units <= 8; units++) {
            carom_time_plan plan;
            time.end = n * stable * (1 + units * 0x1p-52);
            assert_ok(carom_time_plan_of(&time, model, carom_scene_integrator(scene), &plan, error));
            assert_int_equal(plan.steps, n);
            assert_near(plan.step, stable, 1e-14 * stable);
            assert_false(plan.unstable);
        }
    // rounded down otherwise
    carom_time_plan plan;
    time.end = 160.001 * stable;
    assert_ok(carom_time_plan_of(&time, model, carom_scene_integrator(scene), &plan, error));
    assert_int_equal(plan.steps, 161);
    carom_scene_release(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps_of_a_whole_number_of_stable_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
