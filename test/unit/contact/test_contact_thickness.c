// SPDX-License-Identifier: MIT
// Tests src/contact.
// The setting contact.thickness, a distance that surfaces of different bodies keep: the contact layer begins at this distance,
// the surfaces do not come nearer, and contact conserves the momenta to rounding.
#include "../../support.h"
#include "carom/run.h"
#include "contact/narrow/narrow.h"
#include "contact/pairs/audit.h"
#include "math/vec3.h"
#include "model/model.h"

// A node falls on a face at speed 2 from height 1.
static void layer_begins_at_the_offset(void **state) {
    (void)state;
    const double x[4][3] = {{0.2, 0.2, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, v[4][3] = {{0, 0, -2}};
    for (int i = 0; i < 4; i++) {
        carom_narrow_layer layer = {.height = 1e-3, .slow = 0, .offset = 0.1 * i};
        carom_narrow_hit hit;
        assert_true(carom_narrow_first(CAROM_NARROW_NODE_FACE, x, v, 0, 1, &layer, &hit));
        assert_near(hit.time, (1 - 0.1 * i - 1e-3) / 2, 1e-12);
        assert_near(hit.nearest.distance, 0.1 * i + 1e-3, 1e-12);
        assert_near(hit.level, 1e-3, 1e-15);
        // no event in an interval that ends before the node reaches the layer
        assert_false(carom_narrow_first(CAROM_NARROW_NODE_FACE, x, v, 0, (1 - 0.1 * i - 2e-3) / 2, &layer, &hit));
        // an event at the start of the interval if the node starts inside the layer
        layer.height = 2;
        assert_true(carom_narrow_first(CAROM_NARROW_NODE_FACE, x, v, 0, 1, &layer, &hit));
        assert_true(hit.time == 0);
        assert_near(hit.level, 1 - 0.1 * i, 1e-15);
    }
}

static const carom_hex8_params hex = {.integration = CAROM_HEX8_FULL, .hourglass = 0.1};

static void add_box(bench *b, const double from[3], double side, const double velocity[3]) {
    int i = b->def.body_count;
    carom_box_params box = {.elements = {2, 2, 2}, .grading = {1, 1, 1}};
    for (int c = 0; c < 3; c++) {
        box.from[c] = from[c];
        box.to[c] = from[c] + side;
    }
    carom_body_def *body = bench_add(b, "box", &box, velocity);
    b->materials[i] = (carom_elastic_params){.young = 100, .poisson = 0.2, .density = 1};
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), "hex8"), &hex};
    body->material = (carom_pick){carom_catalogue_find(carom_materials(), "st-venant-kirchhoff"), &b->materials[i]};
}

static void start(bench *b, double thickness) {
    bench_start(b);
    add_box(b, VECTOR(0, 0, 0), 1, VECTOR(0, 0, 0));
    add_box(b, VECTOR(0.13, 0.21, 1.1), 0.7, VECTOR(0.2, 0, -1));
    b->def.contact.thickness = thickness;
}

static void less_than_the_thickness_is_refused(void **state) {
    (void)state;
    bench b;
    start(&b, 0.1001);
    carom_model *model;
    assert_refused(carom_model_create(&b.def, &model, error), CAROM_BAD_INPUT,
                   "their distance of 0.1 is less than contact.thickness; leave a gap of 0.1");
    bench_end(&b);
}

static void distance_is_kept(void **state) {
    (void)state;
    const double thickness[] = {0, 0.03, 0.09};
    for (int i = 0; i < 3; i++) {
        bench b;
        start(&b, thickness[i]);
        bench_build(&b);
        bench_simulate(&b, 0.5, 0.25 * carom_model_stable_step(b.model));
        const carom_state *s = carom_sim_state(b.sim);
        const carom_ledger_row first = carom_sim_ledger(b.sim);
        carom_audit audit;
        double least = HUGE_VAL, layer = b.model->contact.layer * b.model->surface_length;
        assert_ok(carom_audit_create(&b.model->surface, NULL, NULL, &audit, error));
        while (!carom_sim_done(b.sim)) {
            double distance;
            assert_ok(carom_sim_step(b.sim, error));
            assert_ok(carom_surface_distance(&audit, carom_state_positions(s), HUGE_VAL, &distance, NULL, error));
            least = fmin(least, distance);
        }
        carom_audit_release(&audit);
        // the bodies meet at the top of the layer and do not reach its bottom
        assert_true(least > thickness[i] && least < thickness[i] + 1.5 * layer);
        assert_int_equal(carom_state_events(s, CAROM_EVENT_CONTACT_HELD), 0);
        assert_int_equal(carom_state_pair_count(s), 1);
        assert_near(carom_state_pair(s, 0).first_contact, 0.1 - thickness[i] - layer, 1.01 * carom_sim_step_size(b.sim));
        const carom_ledger_row last = carom_sim_ledger(b.sim);
        for (int c = 0; c < 3; c++) {
            assert_near(last.momentum[c], first.momentum[c], 1e-14);
            assert_near(last.angular_momentum[c], first.angular_momentum[c], 1e-13);
        }
        bench_end(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layer_begins_at_the_offset),
        cmocka_unit_test(less_than_the_thickness_is_refused),
        cmocka_unit_test(distance_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
