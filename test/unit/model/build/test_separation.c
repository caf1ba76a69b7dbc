// SPDX-License-Identifier: MIT
// Tests src/model/build/separation.c.
// Advice for bodies placed on a plane that overlap others or a plane: if the movement in the message is entered, the scene is
// accepted.
#include "model/build/separation.h"

#include "../../../support.h"
#include "carom/scene.h"

static const char form[] = "integrator: newmark-dcr\n"
                           "time: {end: 0.01}\n"
                           "contact: {planes: [{name: floor, normal: %s}%s]}\n"
                           "bodies:\n"
                           "  - name: low\n"
                           "    mesh: {box: {from: [0, 0, 0], to: [1, 1, 1], elements: [2, 2, 2]}}\n"
                           "    place: {%s}\n"
                           "    element: hex8\n"
                           "    material: {linear: {young: 1, poisson: 0.3, density: 1}}\n"
                           "  - name: high\n"
                           "    mesh: {box: {from: [0.1, 0.1, 0.9], to: [0.7, 0.7, 1.7], elements: [2, 2, 2]}}\n"
                           "    place: {%s}\n"
                           "    element: hex8\n"
                           "    material: {linear: {young: 1, poisson: 0.3, density: 1}}\n";

typedef struct place {
    const char *normal, *planes; // of the floor; other planes
    const char *low, *high;      // placement of the two bodies
} place;

// The message of the refusal; false: the scene is accepted.
static bool is_refused(const place *p, char message[512]) {
    char text[2048];
    carom_scene *scene = NULL;
    carom_findings findings = {0};
    snprintf(text, sizeof text, form, p->normal, p->planes, p->low, p->high);
    carom_status status = carom_scene_parse(text, strlen(text), "separation.yaml", NULL, 0, &scene, &findings, NULL);
    message[0] = 0;
    if (status) {
        assert_int_equal(findings.count, 1);
        snprintf(message, 512, "%s", findings.items[0].message);
    }
    carom_scene_release(scene);
    carom_findings_release(&findings);
    return status != CAROM_OK;
}

// Copies the text between two phrases of a message.
static void between(const char *message, const char *before, const char *after, char *text, size_t size) {
    const char *begin = strstr(message, before);
    assert_non_null(begin);
    begin += strlen(before);
    const char *end = strstr(begin, after);
    assert_non_null(end);
    snprintf(text, size, "%.*s", (int)(end - begin), begin);
}

static const char up[] = "[0, 0, 1]", ramp[] = "[0.3, 0, 1]";

// Two overlapping bodies on the floor. The shortest separating displacement would be down, through the floor.
static void along_the_floor(void **unused) {
    (void)unused;
    char message[512], shift[64], moved[128];
    for (int i = 0; i < 2; i++) {
        assert_true(is_refused(&(place){i ? ramp : up, "", "on: floor", "on: floor"}, message));
        between(message, "moving 'high' by ", " separates", shift, sizeof shift);
        snprintf(moved, sizeof moved, "translate: %s, on: floor", shift);
        assert_false(is_refused(&(place){i ? ramp : up, "", "on: floor", moved}, message));
    }
    // without `on` the displacement must not lead through the floor either
    assert_true(is_refused(&(place){up, "", "on: floor", "translate: [0, 0, -0.9]"}, message));
    between(message, "moving 'high' by [", ", 0, 0] separates", shift, sizeof shift);
    snprintf(moved, sizeof moved, "translate: [%s, 0, -0.9]", shift);
    assert_false(is_refused(&(place){up, "", "on: floor", moved}, message));
}

// A body above the other one can only be lifted by its gap, since `on` cancels other vertical movements.
static void by_the_gap(void **unused) {
    (void)unused;
    char message[512], gap[64], moved[128];
    assert_true(is_refused(&(place){up, "", "on: floor", "on: floor, gap: 0.9"}, message));
    between(message, "`gap: ", "` of 'high' on 'floor'", gap, sizeof gap);
    snprintf(moved, sizeof moved, "on: floor, gap: %s", gap);
    assert_false(is_refused(&(place){up, "", "on: floor", moved}, message));
    // with walls around, lifting is the only possibility; the body with the shorter lift is named
    static const char walls[] = ", {name: a, point: [-0.3, 0, 0], normal: [1, 0, 0]}"
                                ", {name: b, point: [1.2, 0, 0], normal: [-1, 0, 0]}"
                                ", {name: c, point: [0, -0.2, 0], normal: [0, 1, 0]}"
                                ", {name: d, point: [0, 1.2, 0], normal: [0, -1, 0]}";
    assert_true(is_refused(&(place){up, walls, "on: floor", "on: floor"}, message));
    between(message, "`gap: ", "` of 'low' on 'floor'", gap, sizeof gap);
    snprintf(moved, sizeof moved, "on: floor, gap: %s", gap);
    assert_false(is_refused(&(place){up, walls, moved, "on: floor"}, message));
}

// The second body is below the first and cannot move down: lifting the first is shorter than moving the second aside.
static void by_the_shorter_shift(void **unused) {
    (void)unused;
    char message[512], shift[64], moved[128];
    assert_true(is_refused(&(place){up, "", "translate: [0, 0, 0.79]", "on: floor"}, message));
    between(message, "moving 'low' by [0, 0, ", "] separates", shift, sizeof shift);
    assert_true(strtod(shift, NULL) < 0.011);
    snprintf(moved, sizeof moved, "translate: [0, 0, %.17g]", 0.79 + strtod(shift, NULL));
    assert_false(is_refused(&(place){up, "", moved, "on: floor"}, message));
}

// A body behind another plane is moved along the floor, by the gap if the plane is nearly parallel, or cannot be moved.
static void other_planes(void **unused) {
    (void)unused;
    static const char away[] = "translate: [9, 0, 0], on: floor, gap: 1";
    static const char *const planes[] = {", {name: wall, point: [0.05, 0, 0], normal: [1, 0, 0]}",
                                         ", {name: slope, point: [0, 0, 0.3], normal: [0.3, 0.2, 1]}"};
    char message[512], shift[64], moved[128];
    for (int i = 0; i < 2; i++) {
        assert_true(is_refused(&(place){up, planes[i], "on: floor", away}, message));
        assert_null(strstr(message, "place: {on:"));
        between(message, "move it by ", " along plane 'floor'", shift, sizeof shift);
        snprintf(moved, sizeof moved, "translate: %s, on: floor", shift);
        assert_false(is_refused(&(place){up, planes[i], moved, away}, message));
    }
    static const char higher[] = ", {name: higher, point: [0, 0, 0.3], normal: [0.001, 0, 1]}";
    assert_true(is_refused(&(place){up, higher, "on: floor", away}, message));
    between(message, "`gap: ", "` from plane 'floor'", shift, sizeof shift);
    snprintf(moved, sizeof moved, "on: floor, gap: %s", shift);
    assert_false(is_refused(&(place){up, higher, moved, away}, message));
    static const char lid[] = ", {name: lid, point: [0, 0, 0.8], normal: [0, 0, -1]}";
    assert_true(is_refused(&(place){up, lid, "on: floor", "translate: [9, 0, 0], on: floor"}, message));
    assert_non_null(strstr(message, "the space between both is too small"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(along_the_floor),
        cmocka_unit_test(by_the_gap),
        cmocka_unit_test(by_the_shorter_shift),
        cmocka_unit_test(other_planes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
