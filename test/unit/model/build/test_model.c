// SPDX-License-Identifier: MIT
// Tests src/model/build/model.c, src/model/build/bodies.c, src/model/build/blocks.c.
// Building a model: refusals and their messages, masses and loads, stable steps, the hash.
#include "../../../support.h"
#include "model/model.h"
#include "model/state.h"
#include "sim/sim.h"

// Two bars in a row and a point mass next to them, with a plane; valid without changes.
typedef struct scene {
    bench b;
    carom_restraint_def restraints[2];
    carom_load_def loads[2];
    carom_plane_def planes[2];
} scene;

static void scene_start(scene *s) {
    bench_start(&s->b);
    bench_add_bar(&s->b, VECTOR(0, 0, 1), VECTOR(2, 0, 1), 4, VECTOR(1, 0, 0), CAROM_BAR_SMALL);
    bench_add_bar(&s->b, VECTOR(3, 0, 1), VECTOR(4, 0, 1), 3, VECTOR(0, 0, 0), CAROM_BAR_GREEN);
    bench_add_point(&s->b, VECTOR(5, 0, 1), 2, VECTOR(0, 0, 0));
    s->restraints[0] = (carom_restraint_def){.where = {.body = "body0", .set = "start", .node = CAROM_AUTO},
                                             .direction_count = 2,
                                             .direction = {{0, 1, 0}, {0, 0, 2}},
                                             .velocity = {0, 0.5, 0}};
    s->restraints[1] =
        (carom_restraint_def){.where = {.body = "body1", .node = CAROM_AUTO}, .direction_count = 1, .direction = {{0, 3, 0}}};
    s->loads[0] = (carom_load_def){.where = {.body = "body1", .node = CAROM_AUTO}, .force = {1, 2, -4}};
    s->loads[1] = (carom_load_def){.where = {.body = "body1", .node = 2}, .force = {0, 8, 0}};
    s->planes[0] = (carom_plane_def){.name = "floor", .point = {9, 9, 0}, .normal = {0, 0, 2}};
    s->planes[1] = (carom_plane_def){.name = "wall", .point = {-1, 0, 0}, .normal = {1, 0, 0}};
    s->b.def.restraints = s->restraints, s->b.def.restraint_count = 2;
    s->b.def.loads = s->loads, s->b.def.load_count = 2;
    s->b.def.contact.planes = s->planes, s->b.def.contact.plane_count = 2;
    s->b.def.contact.restitution = 0.25;
    memcpy(s->b.def.gravity, VECTOR(0, 0, -10), sizeof s->b.def.gravity);
}

// Checks that the changed scene is refused with the message, and releases it.
static void refuse(scene *s, const char *message) {
    carom_model *model = (carom_model *)s;
    assert_refused(carom_model_create(&s->b.def, &model, error), CAROM_BAD_INPUT, message);
    assert_null(model);
    assert_int_equal(carom_model_create(&s->b.def, &model, NULL), CAROM_BAD_INPUT);
    s->b.def.body_count = 3;
    bench_end(&s->b);
}

// Checks that a change of the scene `s` is refused with the message.
#define REFUSE(message, ...)  \
    do {                      \
        scene own, *s = &own; \
        scene_start(s);       \
        __VA_ARGS__;          \
        refuse(s, message);   \
    } while (0)

static carom_kind *no_kind;
static const carom_mesh empty_mesh;

static void refusals(void **state) {
    (void)state;
    REFUSE("a model needs at least one body", s->b.def.body_count = 0);
    REFUSE("two bodies are named 'body0'", strcpy(s->b.bodies[2].name, "body0"));
    REFUSE("body 'body1' has no mesh", s->b.bodies[1].mesh = NULL);
    REFUSE("body 'body1' has no mesh", s->b.bodies[1].mesh = &empty_mesh);
    REFUSE("body 'body1' has no element", s->b.bodies[1].element.kind = no_kind);
    REFUSE("body 'body0': element 'bar' needs a material", s->b.bodies[0].material.kind = no_kind);
    REFUSE("body 'body0': element 'point-mass' is made of point cells, but the mesh has line2 cells",
           s->b.bodies[0].element = s->b.bodies[2].element);
    REFUSE("body 'body0': bar.area: expected a number > 0, found -1", s->b.bars[0].area = -1);
    REFUSE("body 'body1': bar.strain: expected one of small, green, log, found choice 5", s->b.bars[1].strain = 5);
    REFUSE("body 'body1': linear.density: expected a number > 0, found nan", s->b.materials[1].density = NAN);
    REFUSE("body 'body2': point-mass.mass: expected a number > 0, found 0", s->b.points[2].mass = 0);
    REFUSE("body 'body0': node 3 is not at a finite position", s->b.meshes[0].nodes[3][1] = HUGE_VAL);
    REFUSE("body 'body0': element 2 names node 17 of 5", s->b.meshes[0].blocks[0].nodes[5] = 17);
    REFUSE("body 'body0': element 0 names node -1 of 5", s->b.meshes[0].blocks[0].nodes[0] = -1);
    REFUSE("body 'body0': set 'end' names node 5 of 5", s->b.meshes[0].sets[1].nodes[0] = 5);
    REFUSE("body 'body1': element 0 has length 0",
           memcpy(s->b.meshes[1].nodes[1], s->b.meshes[1].nodes[0], sizeof s->b.meshes[1].nodes[0]));
    REFUSE("body 'body1': node 3 belongs to no element", s->b.meshes[1].blocks[0].count--);
    REFUSE("there is no body 'nobody'", strcpy(s->restraints[1].where.body, "nobody"));
    REFUSE("body 'body0' has no set 'middle'", strcpy(s->restraints[0].where.set, "middle"));
    REFUSE("body 'body1' has no node 4: it has nodes 0 to 3", s->restraints[1].where.node = 4);
    REFUSE("restraint of body 'body1': node 0: a restrained direction is zero",
           memset(s->restraints[1].direction, 0, sizeof s->restraints[1].direction));
    REFUSE("restraint of body 'body1': it has 0 directions, not 1 to 3", s->restraints[1].direction_count = 0);
    REFUSE("restraint of body 'body1': it has 4 directions, not 1 to 3", s->restraints[1].direction_count = 4);
    REFUSE("restraint of body 'body0': node 0: restrained twice along (0, 1, 0), with velocities 0.5 and 0.75",
           s->restraints[1] = s->restraints[0];
           s->restraints[1].velocity[1] = 0.75);
    REFUSE("there is no body ''", strcpy(s->loads[0].where.body, ""));
    REFUSE("body 'body1' has no node -2: it has nodes 0 to 3", s->loads[1].where.node = -2);
    REFUSE("plane 'wall': normal: expected three numbers [x, y, z], not all zero, found [0, 0, 0]", s->planes[1].normal[0] = 0);
    REFUSE("body 'body0' starts behind plane 'wall', by 0.75 (node 0, the deepest): move it by [0.75, 0, 0]",
           s->planes[1].point[0] = 0.75);
    REFUSE("bodies 'body0' and 'body1' overlap by 0.5 at the start", s->b.meshes[0].nodes[4][0] = 3.5);
    REFUSE("contact.restitution: expected a number from 0 to 1, found 1.5", s->b.def.contact.restitution = 1.5);
    REFUSE("contact.friction: expected a number >= 0, found -0.1", s->b.def.contact.friction = -0.1);
    REFUSE("contact.resolve: expected one of exact, projection, found choice 2", s->b.def.contact.resolve = 2);
}

static void select_error(const scene *s, carom_selection where, const char *message) {
    int *nodes;
    int count;
    assert_refused(carom_model_select(s->b.model, &where, &nodes, &count, error), CAROM_BAD_INPUT, message);
}

static void check_selection(const scene *s, carom_selection where, int first, int expected) {
    int *nodes = NULL;
    int count = -1;
    assert_ok(carom_model_select(s->b.model, &where, &nodes, &count, error));
    assert_int_equal(count, expected);
    for (int i = 0; i < count; i++)
        assert_int_equal(nodes[i], first + i);
    free(nodes);
}

static void selections(void **state) {
    (void)state;
    scene s;
    scene_start(&s);
    bench_build(&s.b);
    check_selection(&s, (carom_selection){.body = "body0", .node = CAROM_AUTO}, 0, 5);
    check_selection(&s, (carom_selection){.body = "body1", .node = CAROM_AUTO}, 5, 4);
    check_selection(&s, (carom_selection){.body = "body2", .node = CAROM_AUTO}, 9, 1);
    check_selection(&s, (carom_selection){.body = "body1", .set = "start", .node = CAROM_AUTO}, 5, 1);
    check_selection(&s, (carom_selection){.body = "body1", .set = "end", .node = CAROM_AUTO}, 8, 1);
    check_selection(&s, (carom_selection){.body = "body2", .set = "point", .node = CAROM_AUTO}, 9, 1);
    check_selection(&s, (carom_selection){.body = "body1", .node = 0}, 5, 1);
    check_selection(&s, (carom_selection){.body = "body1", .node = 3}, 8, 1);
    select_error(&s, (carom_selection){.body = "body3"}, "there is no body 'body3'");
    select_error(&s, (carom_selection){.body = "body2", .set = "start"}, "body 'body2' has no set 'start'");
    select_error(&s, (carom_selection){.body = "body1", .node = 4}, "body 'body1' has no node 4: it has nodes 0 to 3");
    select_error(&s, (carom_selection){.body = "body1", .node = -7}, "body 'body1' has no node -7");
    bench_end(&s.b);
}

static void numbers(void **state) {
    (void)state;
    scene s;
    scene_start(&s);
    s.b.bars[0].area = 0.5;
    s.b.materials[0].density = 3;
    bench_build(&s.b);
    const carom_model *m = s.b.model;
    assert_int_equal(carom_model_body_count(m), 3);
    assert_int_equal(carom_model_node_count(m), 10);
    assert_int_equal(carom_model_element_count(m), 8);
    assert_int_equal(carom_model_body(m, "body1"), 1);
    assert_int_equal(carom_model_body(m, "body"), -1);
    assert_string_equal(carom_model_body_name(m, 2), "body2");
    const int begin[3] = {0, 5, 9}, size[3] = {5, 4, 1};
    const double mass_of[3] = {0.5 * 3 * 2, 1, 2};
    for (int b = 0; b < 3; b++) {
        assert_int_equal(carom_model_body_begin(m, b), begin[b]);
        assert_int_equal(carom_model_body_size(m, b), size[b]);
        assert_memory_equal(carom_model_reference(m)[begin[b]], s.b.meshes[b].nodes, size[b] * 3 * sizeof(double));

        // the mass is area times length times density, half of each element at each end
        double mass = 0;
        for (int k = begin[b]; k < begin[b] + size[b]; k++)
            mass += carom_model_mass(m)[k];
        assert_near(mass, mass_of[b], 1e-15);
        assert_near(m->bodies[b].mass, mass, 1e-15);
    }
    for (int k = 0; k < 5; k++)
        assert_near(carom_model_mass(m)[k], k % 4 ? 0.75 : 0.375, 1e-16);
    assert_near(carom_model_mass(m)[9], 2, 0);
    bench_end(&s.b);
}

// Gravity is proportional to mass, a load is divided equally among nodes, a load on one node acts there only.
static void loads(void **state) {
    (void)state;
    scene s;
    scene_start(&s);
    bench_build(&s.b);
    const carom_model *m = s.b.model;
    assert_true(m->loaded);
    for (int k = 0; k < 10; k++) {
        bool second = k >= 5 && k < 9;
        double weight = -10 * m->mass[k];
        assert_near(m->load[k][0], second ? 0.25 : 0, 1e-16);
        assert_near(m->load[k][1], second ? 0.5 + (k == 7 ? 8 : 0) : 0, 1e-15);
        assert_near(m->load[k][2], weight - (second ? 1 : 0), 1e-15);
    }
    bench_end(&s.b);

    // no loads
    bench b;
    bench_start(&b);
    bench_add_point(&b, VECTOR(0, 0, 0), 1, VECTOR(0, 0, 0));
    bench_build(&b);
    assert_false(b.model->loaded);
    bench_end(&b);
}

// Restraints of several definitions are combined per node, in ascending order, with all prescribed velocities.
static void restraints(void **state) {
    (void)state;
    scene s;
    scene_start(&s);
    strcpy(s.restraints[1].where.body, "body0");
    s.restraints[1].where.node = 0;
    s.restraints[1].direction[0][0] = 4;
    s.restraints[1].velocity[0] = 1.25, s.restraints[1].velocity[1] = 0.5;
    bench_build(&s.b);
    const carom_restraints *r = &s.b.model->restraints;
    assert_int_equal(r->count, 1);
    assert_int_equal(r->items[0].node, 0);
    assert_int_equal(r->items[0].count, 3);
    assert_near(r->items[0].velocity[0], 1.25, 1e-15);
    assert_near(r->items[0].velocity[1], 0.5, 1e-15);
    assert_near(r->items[0].velocity[2], 0, 1e-15);

    // a state starts with the prescribed velocities
    bench_simulate(&s.b, 1, 0.01);
    const double(*v)[3] = carom_state_velocities(carom_sim_state(s.b.sim));
    assert_near(v[0][0], 1.25, 1e-15);
    assert_near(v[0][1], 0.5, 1e-15);
    assert_memory_equal(v[1], VECTOR(1, 0, 0), sizeof v[1]);

    // arrays with entries per node are marked as such
    carom_state *now = s.b.sim->state;
    assert_true(carom_state_find_array(now, "drift velocities") && carom_state_find_array(now, "kick speed"));
    double *nodal = carom_state_add_nodal(now, "two for each node", 2);
    assert_ptr_equal(nodal, carom_state_find_array(now, "two for each node"));
    for (int a = 0; a < now->array_count; a++) {
        const carom_state_array *array = &now->arrays[a];
        bool other = strcmp(array->name, "guards") == 0 || strcmp(array->name, "kick speed") == 0;
        other = other || strcmp(array->name, "group energies") == 0;
        if (strcmp(array->name, "two for each node") == 0)
            assert_int_equal(array->components, 2);
        else if (other || array->dormant)
            assert_int_equal(array->components, 0);
        if (array->components && !array->per_element)
            assert_int_equal(array->count, (int64_t)array->components * s.b.model->node_count);
    }
    bench_end(&s.b);
}

// One contact candidate for each pair of neighbours and for each node and plane; none if contact is disabled.
static void candidates(void **state) {
    (void)state;
    scene s;
    scene_start(&s);
    bench_build(&s.b);
    const carom_candidates *c = &s.b.model->candidates;
    assert_int_equal(c->count, 2 + 2 * 10);
    int of_node[10] = {0};
    for (int i = 0; i < c->count; i++)
        for (int k = 0; k < c->items[i].count; k++)
            of_node[c->items[i].node[k]]++;
    for (int k = 0; k < 10; k++) {
        assert_int_equal(c->begin[k + 1] - c->begin[k], of_node[k]);
        for (int i = c->begin[k]; i < c->begin[k + 1]; i++) {
            const carom_contact *item = &c->items[c->of_node[i]];
            assert_true(item->node[0] == k || (item->count == 2 && item->node[1] == k));
            assert_true(i == c->begin[k] || c->of_node[i] > c->of_node[i - 1]);
        }
    }
    // expected gaps: bar to bar 1, bar to point 1, floor 1, wall 1 + x
    const double(*X)[3] = carom_model_reference(s.b.model);
    for (int i = 0; i < c->count; i++) {
        const carom_contact *item = &c->items[i];
        double gap = item->body[1] == -2 ? 1 + X[item->node[0]][0] : 1;
        assert_near(carom_contact_gap(item, X), gap, 1e-15);
    }
    assert_near(s.b.model->contact_length, 1.0 / 3, 1e-15);
    bench_end(&s.b);

    scene_start(&s);
    s.b.def.contact.enabled = false;
    bench_build(&s.b);
    assert_int_equal(s.b.model->candidates.count, 0);
    bench_end(&s.b);
}

// The stable step is L/c for bars at rest, HUGE_VAL without elastic elements.
static void stable_step(void **state) {
    (void)state;
    uint64_t seed = 6;
    for (int trial = 0; trial < 100; trial++) {
        bench b;
        bench_start(&b);
        double smallest = HUGE_VAL;
        for (int i = 0; i < 3; i++) {
            int n = 1 + (int)random_real(&seed, 0, 20);
            double length = random_real(&seed, 0.5, 5);
            bench_add_bar(&b, VECTOR(0, i, 0), VECTOR(0.6 * length, i, 0.8 * length), n, VECTOR(0, 0, 0), i % 2);
            b.materials[i] =
                (carom_elastic_params){.young = exp(random_real(&seed, -3, 3)), .density = exp(random_real(&seed, -3, 3))};
            b.bars[i].area = random_real(&seed, 0.1, 10);
            smallest = fmin(smallest, length / n / sqrt(b.materials[i].young / b.materials[i].density));
        }
        bench_build(&b);
        assert_near(carom_model_stable_step(b.model), smallest, 1e-12 * smallest);
        bench_end(&b);
    }
    bench b;
    bench_start(&b);
    bench_add_point(&b, VECTOR(0, 0, 0), 1, VECTOR(0, 0, 0));
    bench_build(&b);
    assert_true(isinf(carom_model_stable_step(b.model)));
    bench_end(&b);
}

// A bar with Green's strain stiffens in tension: omega^2 ~ E l^2 + S with S = E (l^2 - 1)/2, so the step is
// L/c / sqrt((3 l^2 - 1)/2).
static void stable_step_stretched(void **state) {
    (void)state;
    for (int strain = 0; strain < 2; strain++) {
        bench b;
        bench_start(&b);
        bench_add_bar(&b, VECTOR(0, 0, 0), VECTOR(0, 2, 0), 1, VECTOR(0, 0, 0), strain);
        b.materials[0] = (carom_elastic_params){.young = 4, .density = 9};
        bench_build(&b);
        const carom_block *block = &b.model->blocks[0];
        for (double stretch = 0.7; stretch < 2; stretch += 0.1) {
            double x[2][3] = {{0, 0, 0}, {0, 2 * stretch, 0}}, step;
            block->element->stable_step(block, 0, 1, (const double(*)[3])x, (const double(*)[3])b.model->X, &step);
            assert_near(step, 2 * 1.5 / (strain ? sqrt(1.5 * stretch * stretch - 0.5) : 1), 1e-14);
        }
        bench_end(&b);
    }
}

// The hash of the changed scene, which is released.
static uint64_t hash_of(scene *s) {
    bench_build(&s->b);
    uint64_t h = s->b.model->hash;
    bench_end(&s->b);
    return h;
}

// The hash after a change of the scene `s`.
#define HASH_AFTER(hash, ...) \
    do {                      \
        scene own, *s = &own; \
        scene_start(s);       \
        __VA_ARGS__;          \
        hash = hash_of(s);    \
    } while (0)

static void swap_first_nodes(scene *s) {
    int *nodes = s->b.meshes[0].blocks[0].nodes, t = nodes[0];
    nodes[0] = nodes[1], nodes[1] = t;
}

static void fill_padding(scene *s) {
    // padding between the fields must not enter the hash
    carom_bar_params bar = s->b.bars[0];
    memset(&s->b.bars[0], 0x5a, sizeof bar);
    s->b.bars[0].area = bar.area;
    s->b.bars[0].strain = bar.strain;
}

static void hashes(void **state) {
    (void)state;
    uint64_t hash[32], *next = hash;
    HASH_AFTER(*next++, );
    // inputs that change the motion
    HASH_AFTER(*next++, s->b.materials[1].young = nextafter(1, 2));
    HASH_AFTER(*next++, s->b.materials[0].density = 2);
    HASH_AFTER(*next++, s->b.bars[1].area = 2);
    HASH_AFTER(*next++, s->b.bars[0].strain = CAROM_BAR_GREEN);
    HASH_AFTER(*next++, s->b.points[2].mass = 3);
    HASH_AFTER(*next++, s->b.meshes[1].nodes[1][0] = nextafter(s->b.meshes[1].nodes[1][0], 9));
    HASH_AFTER(*next++, s->b.bodies[2].velocity[1] = 1e-9);
    HASH_AFTER(*next++, s->b.def.gravity[2] = -9.81);
    HASH_AFTER(*next++, s->loads[0].force[0] = 1.5);
    HASH_AFTER(*next++, s->loads[1].where.node = 1);
    HASH_AFTER(*next++, s->b.def.restraint_count = 1);
    HASH_AFTER(*next++, s->restraints[1].direction[0][2] = 1);
    HASH_AFTER(*next++, s->restraints[0].velocity[1] = 0.25);
    HASH_AFTER(*next++, s->restraints[1].where.node = 1);
    HASH_AFTER(*next++, s->b.def.contact.restitution = 0.5);
    HASH_AFTER(*next++, s->b.def.contact.friction = 0.5);
    HASH_AFTER(*next++, s->b.def.contact.resolve = CAROM_RESOLVE_PROJECTION);
    HASH_AFTER(*next++, s->b.def.contact.enabled = false);
    HASH_AFTER(*next++, s->b.def.contact.plane_count = 1);
    HASH_AFTER(*next++, s->planes[0].point[2] = -0.5);
    HASH_AFTER(*next++, s->planes[0].normal[0] = 0.01);
    HASH_AFTER(*next++, swap_first_nodes(s));
    for (uint64_t *a = hash; a < next; a++)
        for (uint64_t *b = hash; b < a; b++)
            if (*a == *b)
                fail_msg("changes %d and %d give the same hash", (int)(b - hash) - 1, (int)(a - hash) - 1);
    // inputs that do not
    uint64_t same[6], *last = same;
    HASH_AFTER(*last++, );
    HASH_AFTER(*last++, strcpy(s->b.bodies[2].name, "ball"); strcpy(s->planes[0].name, "ground"));
    HASH_AFTER(*last++, memcpy(s->planes[0].point, VECTOR(-4, 17, 0), sizeof s->planes[0].point); s->planes[0].normal[2] = 0.5);
    HASH_AFTER(*last++, s->restraints[1].direction[0][1] = 12);
    HASH_AFTER(*last++, s->restraints[0].direction_count = 3; s->restraints[0].direction[2][1] = 7);
    HASH_AFTER(*last++, fill_padding(s));
    for (int i = 0; i < 6; i++)
        assert_true(same[i] == hash[0]);
}

// The model keeps no pointers to the definitions, which may be freed before it is used.
static void independent(void **state) {
    (void)state;
    scene s;
    scene_start(&s);
    bench_build(&s.b);
    for (int i = 0; i < 3; i++)
        carom_mesh_release(&s.b.meshes[i]);
    memset(s.b.bars, 0xff, sizeof s.b.bars);
    memset(s.b.materials, 0xff, sizeof s.b.materials);
    memset(s.b.points, 0xff, sizeof s.b.points);
    memset(s.b.bodies, 0xff, sizeof s.b.bodies);
    memset(s.planes, 0xff, sizeof s.planes);
    memset(s.restraints, 0xff, sizeof s.restraints);
    memset(s.loads, 0xff, sizeof s.loads);
    bench_simulate(&s.b, 0.1, 0.01);
    bench_run(&s.b);
    assert_near(carom_state_positions(carom_sim_state(s.b.sim))[9][2], 1 - 5 * 0.1 * 0.1, 1e-14);
    s.b.def.body_count = 0;
    bench_end(&s.b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals),    cmocka_unit_test(selections),
        cmocka_unit_test(numbers),     cmocka_unit_test(loads),
        cmocka_unit_test(restraints),  cmocka_unit_test(candidates),
        cmocka_unit_test(stable_step), cmocka_unit_test(stable_step_stretched),
        cmocka_unit_test(hashes),      cmocka_unit_test(independent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
