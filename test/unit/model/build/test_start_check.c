// SPDX-License-Identifier: MIT
// Tests src/model/build/start_check.c, src/model/build/candidates.c, src/model/build/separation.c.
// Messages for overlaps at the start: the largest depth, and a movement with which the scene is accepted.
#include "model/build/separation.h"

#include <math.h>

#include "../../../support.h"
#include "carom/scene.h"

static void test_print(void **state) {
    (void)state;
    char text[CAROM_ADVICE_MAX];
    carom_advice_print(VECTOR(0, 0, 1), 9.19, text);
    assert_string_equal(text, "[0, 0, 9.19]");
    carom_advice_print(VECTOR(-1, 0, 0), 0.123456, text);
    assert_string_equal(text, "[-0.1235, 0, 0]");
    carom_advice_print(VECTOR(0, 1, 0), 1e-9, text);
    assert_string_equal(text, "[0, 1e-09, 0]");
    carom_advice_print(VECTOR(0.6, 0, 0.8), 1, text);
    double x, z;
    assert_int_equal(sscanf(text, "[%lf, 0, %lf]", &x, &z), 2);
    assert_true(0.6 * x + 0.8 * z >= 1 && 0.6 * x + 0.8 * z < 1.002);
}

// A tilted box behind an oblique plane, and one box in another.
static const char form[] = "integrator: newmark-dcr\n"
                           "time: {end: 0.01}\n"
                           "contact: {planes: [{name: ramp, normal: [1, 2, 2], point: [0, 0, 0.1]}]}\n"
                           "bodies:\n"
                           "  - name: part\n"
                           "    mesh: {box: {from: [0, 0, 0], to: [2, 1, 1], elements: [2, 2, 2]}}\n"
                           "    place: [{axis: [1, 0, 0], angle: 20}, {translate: [-9, 0, 0]}, {translate: %s}]\n"
                           "    element: hex8\n"
                           "    material: {linear: {young: 1, poisson: 0.3, density: 1}}\n"
                           "  - name: other\n"
                           "    mesh: {box: {from: [5, 5, 5], to: [7, 6, 6], elements: [2, 2, 2]}}\n"
                           "    place: {translate: %s}\n"
                           "    element: hex8\n"
                           "    material: {linear: {young: 1, poisson: 0.3, density: 1}}\n"
                           "  - name: third\n"
                           "    mesh: {box: {from: [5.5, 5.25, 5.25], to: [9, 7, 7], elements: [2, 2, 2]}}\n"
                           "    place: {translate: %s}\n"
                           "    element: hex8\n"
                           "    material: {linear: {young: 1, poisson: 0.3, density: 1}}\n";

// Reads the scene with these movements; if it is refused, copies the vector after `by` in the message.
static bool is_refused(const char *part, const char *other, const char *third, char message[512], char way[CAROM_ADVICE_MAX]) {
    char text[2048];
    carom_scene *scene = NULL;
    carom_findings findings = {0};
    snprintf(text, sizeof text, form, part, other, third);
    carom_status status = carom_scene_parse(text, strlen(text), "cure.yaml", NULL, 0, &scene, &findings, NULL);
    way[0] = 0;
    if (status) {
        assert_int_equal(findings.count, 1);
        snprintf(message, 512, "%s", findings.items[0].message);
        const char *by = strstr(message, " by [");
        assert_non_null(by);
        snprintf(way, CAROM_ADVICE_MAX, "%.*s", (int)(strchr(by, ']') - by - 3), by + 4);
    }
    carom_scene_release(scene);
    carom_findings_release(&findings);
    return status != CAROM_OK;
}

static void test_cures(void **state) {
    (void)state;
    static const char none[] = "[0, 0, 0]";
    char message[512], away[CAROM_ADVICE_MAX], apart[CAROM_ADVICE_MAX], last[CAROM_ADVICE_MAX];
    // the corner (-9, -sin 20, cos 20 ...) that is deepest: n.x is least at the node (0, 0, 0) of the box
    assert_true(is_refused(none, none, "[9, 0, 0]", message, away));
    assert_non_null(strstr(message, "body 'part' starts behind plane 'ramp', by 3.06667 (node 0, the deepest)"));
    assert_non_null(strstr(message, "`place: {on: ramp}`"));
    assert_false(is_refused(away, none, "[9, 0, 0]", message, last));
    // boxes that overlap each other
    assert_true(is_refused(away, none, none, message, apart));
    assert_non_null(strstr(message, "'other' and 'third'"));
    assert_non_null(strstr(message, "by up to 0.75"));
    assert_non_null(strstr(message, "pairs of faces"));
    assert_false(is_refused(away, none, apart, message, last));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_print),
        cmocka_unit_test(test_cures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
