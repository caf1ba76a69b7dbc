// SPDX-License-Identifier: MIT
// Tests src/model/build/laws.c.
// Contact laws of pairs of bodies, by the names of bodies, groups and planes.
#include "../../../support.h"
#include "model/model.h"

// Four point masses, two of them in a group, above two planes.
typedef struct scene {
    bench b;
    carom_plane_def planes[2];
    carom_contact_pair_def pairs[4];
} scene;

static carom_contact_pair_def pair_def(const char *first, const char *second) {
    carom_contact_pair_def pair = {.touch = true, .restitution = NAN, .friction = NAN};
    snprintf(pair.side[0], sizeof pair.side[0], "%s", first);
    snprintf(pair.side[1], sizeof pair.side[1], "%s", second);
    return pair;
}

static void scene_start(scene *s) {
    *s = (scene){0};
    bench_start(&s->b);
    for (int i = 0; i < 4; i++)
        bench_add_point(&s->b, VECTOR(i, 0.3 * i * i, 1), 1, VECTOR(0, 0, 0));
    snprintf(s->b.bodies[2].group, CAROM_NAME_MAX, "twins");
    snprintf(s->b.bodies[3].group, CAROM_NAME_MAX, "twins");
    s->planes[0] = (carom_plane_def){.name = "floor", .normal = {0, 0, 1}};
    s->planes[1] = (carom_plane_def){.name = "wall", .point = {-1, 0, 0}, .normal = {1, 0, 0}};
    s->b.def.contact.planes = s->planes;
    s->b.def.contact.plane_count = 2;
    s->b.def.contact.restitution = 0.25;
    s->b.def.contact.friction = 0.5;
    s->b.def.contact.pairs = s->pairs;
}

static carom_contact_law law_of(const scene *s, int a, int b) {
    int body[2] = {a, b};
    return carom_contact_law_of(&s->b.model->laws, body);
}

static void names_groups_and_planes(void **state) {
    (void)state;
    scene s;
    scene_start(&s);
    s.pairs[0] = pair_def("twins", "body0");
    s.pairs[0].friction = 0.1;
    s.pairs[1] = pair_def("floor", "twins");
    s.pairs[1].restitution = 1;
    s.pairs[2] = pair_def("twins", "twins");
    s.pairs[2].friction = 0;
    s.b.def.contact.pair_count = 3;
    bench_build(&s.b);
    for (int twin = 2; twin < 4; twin++) {
        // for both orders of the sides
        assert_true(law_of(&s, 0, twin).friction == 0.1 && law_of(&s, twin, 0).friction == 0.1);
        assert_true(law_of(&s, 0, twin).restitution == 0.25);
        assert_true(law_of(&s, twin, -1).restitution == 1 && law_of(&s, twin, -1).friction == 0.5);
        assert_true(law_of(&s, twin, -2).restitution == 0.25);
        assert_true(law_of(&s, twin, 1).friction == 0.5);
        assert_true(law_of(&s, twin, twin).friction == 0);
    }
    assert_true(law_of(&s, 3, 2).friction == 0);
    assert_true(law_of(&s, 0, 1).friction == 0.5 && law_of(&s, 0, 0).friction == 0.5);
    bench_end(&s.b);
}

static void last_entry_counts(void **state) {
    (void)state;
    scene s;
    scene_start(&s);
    s.pairs[0] = pair_def("body2", "body1");
    s.pairs[0].friction = 2;
    s.pairs[0].touch = false;
    s.pairs[1] = pair_def("body1", "twins");
    s.pairs[1].restitution = 0.75;
    s.pairs[2] = pair_def("body3", "body1");
    s.pairs[2].touch = false;
    s.b.def.contact.pair_count = 3;
    bench_build(&s.b);
    carom_contact_law second = law_of(&s, 1, 2), third = law_of(&s, 1, 3);
    assert_true(second.restitution == 0.75 && second.friction == 0.5 && !second.no_contact);
    assert_true(third.restitution == 0.25 && third.no_contact);
    bench_end(&s.b);
}

static void unknown_names_are_refused(void **state) {
    (void)state;
    scene s;
    scene_start(&s);
    s.pairs[0] = pair_def("body0", "ceiling");
    s.b.def.contact.pair_count = 1;
    carom_model *model;
    assert_refused(carom_model_create(&s.b.def, &model, error), CAROM_BAD_INPUT, "no body, group or plane 'ceiling'");
    s.pairs[0] = pair_def("body0", "floor");
    s.pairs[0].restitution = 1.5;
    assert_refused(carom_model_create(&s.b.def, &model, error), CAROM_BAD_INPUT, "contact of 'body0' and 'floor': restitution");
    bench_end(&s.b);
}

static bool excluded(const carom_exclusions *e, int a, int b) {
    for (int i = e->begin ? e->begin[a] : 0; e->begin && i < e->begin[a + 1]; i++)
        if (e->others[i] == b)
            return true;
    return false;
}

static void self_contact_by_default_and_by_entry(void **state) {
    (void)state;
    for (int self = 0; self < 2; self++) {
        scene s;
        scene_start(&s);
        s.b.def.contact.self = self;
        s.pairs[0] = pair_def("body0", "body0");
        s.pairs[0].touch = !self;
        s.pairs[1] = pair_def("twins", "body1");
        s.pairs[1].touch = false;
        s.pairs[2] = pair_def("floor", "body1");
        s.pairs[2].touch = false;
        s.b.def.contact.pair_count = 3;
        bench_build(&s.b);
        const carom_exclusions *e = &s.b.model->exclusions;
        for (int a = 0; a < 4; a++)
            for (int b = 0; b < 4; b++) {
                bool entry = (a == 1 && b > 1) || (b == 1 && a > 1);
                bool itself = a == b && (a == 0 ? self : !self);
                assert_int_equal(excluded(e, a, b), entry || itself);
            }
        bench_end(&s.b);
    }
}

static void planes_are_excluded(void **state) {
    (void)state;
    scene s;
    scene_start(&s);
    s.pairs[0] = pair_def("twins", "floor");
    s.pairs[0].touch = false;
    s.b.def.contact.pair_count = 1;
    bench_build(&s.b);
    int found[4][2] = {0};
    const carom_candidates *c = &s.b.model->candidates;
    for (int i = 0; i < c->count; i++)
        if (c->items[i].kind == CAROM_CONTACT_NODE_PLANE)
            found[c->items[i].body[0]][-1 - c->items[i].body[1]]++;
    for (int b = 0; b < 4; b++) {
        assert_int_equal(found[b][0], b < 2);
        assert_int_equal(found[b][1], 1);
    }
    bench_end(&s.b);
}

// Equal masses on a line: the first passes through the second, with which it has no contact, and stops at the third, which
// moves on.
static void passes_one_and_hits_the_next(void **state) {
    (void)state;
    bench b;
    bench_start(&b);
    bench_add_point(&b, VECTOR(0, 0, 0), 1, VECTOR(1, 0, 0));
    bench_add_point(&b, VECTOR(1, 0, 0), 1, VECTOR(0, 0, 0));
    bench_add_point(&b, VECTOR(2, 0, 0), 1, VECTOR(0, 0, 0));
    carom_contact_pair_def pair = pair_def("body1", "body0");
    pair.touch = false;
    b.def.contact.pairs = &pair;
    b.def.contact.pair_count = 1;
    b.def.contact.restitution = 1;
    bench_simulate(&b, 3, 0.1);
    while (!carom_sim_done(b.sim))
        assert_ok(carom_sim_step(b.sim, error));
    const double(*x)[3] = carom_state_positions(carom_sim_state(b.sim));
    assert_near(x[0][0], 2, 1e-12);
    assert_near(x[1][0], 1, 1e-12);
    assert_near(x[2][0], 3, 1e-12);
    assert_int_equal(carom_state_pair_count(carom_sim_state(b.sim)), 1);
    bench_end(&b);
}

// Two masses hit the floor at speed 1, one with the general restitution, one with that of its pair.
static void restitution_of_a_pair(void **state) {
    (void)state;
    bench b;
    bench_start(&b);
    bench_add_point(&b, VECTOR(0, 0, 0.5), 1, VECTOR(0, 0, -1));
    bench_add_point(&b, VECTOR(1, 0.5, 0.5), 1, VECTOR(0, 0, -1));
    carom_plane_def floor_plane = {.name = "floor", .normal = {0, 0, 1}};
    carom_contact_pair_def pair = pair_def("floor", "body1");
    pair.restitution = 0.5;
    b.def.contact.restitution = 1;
    b.def.contact.planes = &floor_plane;
    b.def.contact.plane_count = 1;
    b.def.contact.pairs = &pair;
    b.def.contact.pair_count = 1;
    bench_simulate(&b, 1, 0.01);
    while (!carom_sim_done(b.sim))
        assert_ok(carom_sim_step(b.sim, error));
    const double(*v)[3] = carom_state_velocities(carom_sim_state(b.sim));
    assert_near(v[0][2], 1, 1e-14);
    assert_near(v[1][2], 0.5, 1e-14);
    assert_near(carom_sim_ledger(b.sim).restitution, 0.5 * (1 - 0.25), 1e-14);
    bench_end(&b);
}

static void held_bodies(void **state) {
    (void)state;
    bench b;
    bench_start(&b);
    bench_add_bar(&b, VECTOR(0, 0, 0), VECTOR(1, 0, 0), 2, VECTOR(0, 0, 0), CAROM_BAR_SMALL);
    bench_add_bar(&b, VECTOR(0, 1, 0), VECTOR(1, 1, 0), 2, VECTOR(0, 0, 0), CAROM_BAR_SMALL);
    carom_restraint_def restraints[2] = {
        {.where = {.body = "body0", .node = CAROM_AUTO}, .direction_count = 3, .direction = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
        {.where = {.body = "body1", .node = CAROM_AUTO}, .direction_count = 2, .direction = {{1, 0, 0}, {0, 1, 0}}},
    };
    b.def.restraints = restraints;
    b.def.restraint_count = 2;
    bench_build(&b);
    assert_true(b.model->immovable[0]);
    assert_false(b.model->immovable[1]);
    bench_end(&b);
}

static void laws_are_part_of_the_hash(void **state) {
    (void)state;
    enum { MODELS = 5 };
    uint64_t hash[MODELS];
    for (int i = 0; i < MODELS; i++) {
        scene s;
        scene_start(&s);
        s.pairs[0] = pair_def("body0", "floor");
        s.pairs[0].friction = i == 1 ? 0.2 : 0.1;
        s.b.def.contact.pair_count = i != 2;
        if (i == 3) {
            s.pairs[0].friction_kinetic = 0.05;
            s.pairs[0].friction_decay = 1;
        }
        if (i == 4) {
            s.b.def.contact.friction_kinetic = 0.05;
            s.b.def.contact.friction_decay = 1;
        }
        bench_build(&s.b);
        hash[i] = s.b.model->hash;
        bench_end(&s.b);
    }
    for (int i = 0; i < MODELS; i++)
        for (int j = 0; j < i; j++)
            assert_true(hash[i] != hash[j]);
}

// An entry without friction has the general one with its speed dependence, an entry with a number only this number; the
// coefficient must not increase with the speed.
static void friction_of_pairs_varies(void **state) {
    (void)state;
    scene s;
    scene_start(&s);
    s.b.def.contact.friction_kinetic = 0.25;
    s.b.def.contact.friction_decay = 2;
    s.pairs[0] = pair_def("body0", "floor");
    s.pairs[0].restitution = 0.5;
    s.pairs[1] = pair_def("body1", "floor");
    s.pairs[1].friction = 0.4;
    s.b.def.contact.pair_count = 2;
    bench_build(&s.b);
    carom_contact_law all = law_of(&s, 0, -1), own = law_of(&s, 1, -1);
    assert_true(all.friction == 0.5 && all.kinetic == 0.25 && all.decay == 2);
    assert_true(own.friction == 0.4 && own.decay == 0);
    bench_end(&s.b);
    scene_start(&s);
    s.pairs[0] = pair_def("body0", "floor");
    s.pairs[0].friction = 0.1;
    s.pairs[0].friction_kinetic = 0.2;
    s.b.def.contact.pair_count = 1;
    assert_refused(carom_model_create(&s.b.def, &s.b.model, error), CAROM_BAD_INPUT,
                   "contact.pairs.friction.kinetic: expected at most 0.1, that at rest, found 0.2");
    bench_end(&s.b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_groups_and_planes),   cmocka_unit_test(last_entry_counts),
        cmocka_unit_test(unknown_names_are_refused), cmocka_unit_test(self_contact_by_default_and_by_entry),
        cmocka_unit_test(planes_are_excluded),       cmocka_unit_test(passes_one_and_hits_the_next),
        cmocka_unit_test(restitution_of_a_pair),     cmocka_unit_test(held_bodies),
        cmocka_unit_test(laws_are_part_of_the_hash), cmocka_unit_test(friction_of_pairs_varies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
